import { join } from 'node:path';
import postgres, { type Options } from 'postgres';
import { provisionSystemSchemas } from '../../server/backend/lite.ts';
import { migrate } from '../../server/backend/migrate.ts';
import { grantSystemSchemas, prepareRoles } from '../../server/backend/prepare-database.ts';
import { supabaseDir } from './database.ts';

type Connection = Options<Record<string, never>>;

// As Supabase's Auth makes them. Its tokens may be null here, but it cannot read such a row.
const AUTH_TABLES = `
  drop schema supabase_migrations cascade;
  drop table auth.users, auth.identities, auth.sessions, auth.refresh_tokens, auth.flow_state, auth.audit_log_entries cascade;
  create table auth.schema_migrations (version varchar(255) primary key);
  create table auth.users (
    instance_id uuid, id uuid primary key, aud varchar(255), role varchar(255), email varchar(255),
    encrypted_password varchar(255), email_confirmed_at timestamptz, invited_at timestamptz,
    confirmation_token varchar(255), confirmation_sent_at timestamptz, recovery_token varchar(255),
    recovery_sent_at timestamptz, email_change_token_new varchar(255), email_change varchar(255),
    email_change_sent_at timestamptz, last_sign_in_at timestamptz, raw_app_meta_data jsonb, raw_user_meta_data jsonb,
    is_super_admin boolean, created_at timestamptz, updated_at timestamptz, phone text unique,
    phone_confirmed_at timestamptz, phone_change text default '', phone_change_token varchar(255) default '',
    phone_change_sent_at timestamptz,
    confirmed_at timestamptz generated always as (least(email_confirmed_at, phone_confirmed_at)) stored,
    email_change_token_current varchar(255) default '', email_change_confirm_status smallint default 0,
    banned_until timestamptz, reauthentication_token varchar(255) default '', reauthentication_sent_at timestamptz,
    is_sso_user boolean not null default false, deleted_at timestamptz, is_anonymous boolean not null default false);
  create unique index users_email_partial_key on auth.users (email) where is_sso_user = false;
  create unique index confirmation_token_idx on auth.users (confirmation_token) where confirmation_token !~ '^[0-9 ]*$';
  create table auth.identities (
    provider_id text not null, user_id uuid not null references auth.users (id) on delete cascade,
    identity_data jsonb not null, provider text not null, last_sign_in_at timestamptz, created_at timestamptz,
    updated_at timestamptz, email text generated always as (lower(identity_data ->> 'email')) stored,
    id uuid primary key default gen_random_uuid(), unique (provider_id, provider));
  create table auth.sessions (
    id uuid primary key, user_id uuid not null references auth.users (id) on delete cascade, created_at timestamptz,
    updated_at timestamptz, factor_id uuid, aal text, not_after timestamptz, refreshed_at timestamp, user_agent text,
    ip inet, tag text);
  create table auth.refresh_tokens (id bigserial primary key, token varchar(255) unique, user_id varchar(255));`;

/** An empty database as a Supabase project has it, with our migrations pushed, for an owner who is no superuser. */
export async function makeSupabaseProject(admin: Connection, database: string, owner: string): Promise<Connection> {
  const server = postgres({ ...admin, max: 1, onnotice: () => {} });
  await server.unsafe(`create role ${owner} login createrole bypassrls`);
  await server.unsafe(`grant set on parameter session_replication_role to ${owner}`);
  await server.unsafe(`create database ${database} owner ${owner}`);
  await server.end();
  const connection = { ...admin, database };
  const sql = postgres({ ...connection, max: 2, onnotice: () => {} });
  await prepareRoles(sql);
  await provisionSystemSchemas(connection);
  await sql.unsafe(AUTH_TABLES);
  await grantSystemSchemas(sql);
  await sql.unsafe(`
    grant usage on schema auth to ${owner};
    grant all on all tables in schema auth to ${owner};
    alter schema storage owner to ${owner};
    alter table storage.buckets owner to ${owner};
    alter table storage.objects owner to ${owner};
    alter publication supabase_realtime owner to ${owner};
    grant anon, authenticated, service_role to ${owner} with admin option;`);
  await sql.end();
  const owned = { ...connection, user: owner };
  const pushing = postgres({ ...owned, max: 2, onnotice: () => {} });
  await migrate(pushing, join(supabaseDir, 'migrations'));
  await pushing.end();
  return owned;
}
