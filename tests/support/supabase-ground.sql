-- What a database of a Supabase project holds before our first migration, as far as the shop sees it. The roles are in
-- supabase-roles.sql. Since October 2026 no project grants new tables and functions to anon, authenticated or service_role;
-- what older projects have in addition is `olderDefaults` in plain-postgres.ts.
create schema extensions authorization postgres;
grant usage on schema extensions to public;
create extension pgcrypto with schema extensions;
create extension "uuid-ossp" with schema extensions;
create extension pg_stat_statements with schema extensions;
grant usage on schema public to postgres, anon, authenticated, service_role;

-- Auth: its service owns the tables; `postgres` may read and write them, set triggers on them and refer to them.
create schema auth;
grant usage on schema auth to anon, authenticated, service_role, postgres;
grant all on schema auth to supabase_auth_admin;
set role supabase_auth_admin;
create type auth.aal_level as enum ('aal1', 'aal2', 'aal3');
create type auth.code_challenge_method as enum ('s256', 'plain');
create table auth.schema_migrations (version varchar(255) primary key);
create table auth.users (
  instance_id uuid, id uuid primary key, aud varchar(255), role varchar(255), email varchar(255),
  encrypted_password varchar(255), email_confirmed_at timestamptz, invited_at timestamptz, confirmation_token varchar(255),
  confirmation_sent_at timestamptz, recovery_token varchar(255), recovery_sent_at timestamptz,
  email_change_token_new varchar(255), email_change varchar(255), email_change_sent_at timestamptz,
  last_sign_in_at timestamptz, raw_app_meta_data jsonb, raw_user_meta_data jsonb, is_super_admin boolean,
  created_at timestamptz, updated_at timestamptz, phone text unique, phone_confirmed_at timestamptz,
  phone_change text default '', phone_change_token varchar(255) default '', phone_change_sent_at timestamptz,
  confirmed_at timestamptz generated always as (least(email_confirmed_at, phone_confirmed_at)) stored,
  email_change_token_current varchar(255) default '', email_change_confirm_status smallint default 0,
  banned_until timestamptz, reauthentication_token varchar(255) default '', reauthentication_sent_at timestamptz,
  is_sso_user boolean not null default false, deleted_at timestamptz, is_anonymous boolean not null default false
);
create unique index users_email_partial_key on auth.users (email) where is_sso_user = false;
create unique index confirmation_token_idx on auth.users (confirmation_token) where confirmation_token !~ '^[0-9 ]*$';
create table auth.identities (
  provider_id text not null, user_id uuid not null references auth.users on delete cascade,
  identity_data jsonb not null, provider text not null, last_sign_in_at timestamptz, created_at timestamptz,
  updated_at timestamptz, email text generated always as (lower(identity_data ->> 'email')) stored,
  id uuid primary key default gen_random_uuid(), unique (provider_id, provider)
);
create index identities_user_id_idx on auth.identities (user_id);
create table auth.sessions (
  id uuid primary key, user_id uuid not null references auth.users on delete cascade, created_at timestamptz,
  updated_at timestamptz, factor_id uuid, aal auth.aal_level, not_after timestamptz, refreshed_at timestamp,
  user_agent text, ip inet, tag text, oauth_client_id uuid, refresh_token_hmac_key text, refresh_token_counter bigint,
  scopes text check (char_length(scopes) <= 4096)
);
create index sessions_user_id_idx on auth.sessions (user_id);
create table auth.refresh_tokens (
  instance_id uuid, id bigserial primary key, token varchar(255) unique, user_id varchar(255), revoked boolean,
  created_at timestamptz, updated_at timestamptz, parent varchar(255),
  session_id uuid references auth.sessions on delete cascade
);
create index refresh_tokens_session_id_revoked_idx on auth.refresh_tokens (session_id, revoked);
create table auth.flow_state (
  id uuid primary key, user_id uuid, auth_code text, code_challenge_method auth.code_challenge_method,
  code_challenge text, provider_type text not null, provider_access_token text, provider_refresh_token text,
  created_at timestamptz, updated_at timestamptz, authentication_method text not null, auth_code_issued_at timestamptz,
  invite_token text, referrer text, oauth_client_state_id uuid, linking_target_id uuid,
  email_optional boolean not null default false
);
create table auth.audit_log_entries (
  instance_id uuid, id uuid primary key, payload json, created_at timestamptz, ip_address varchar(64) not null default ''
);
alter table auth.users enable row level security;
alter table auth.identities enable row level security;
alter table auth.sessions enable row level security;
alter table auth.refresh_tokens enable row level security;
alter table auth.flow_state enable row level security;
alter table auth.audit_log_entries enable row level security;
alter table auth.schema_migrations enable row level security;
create function auth.uid() returns uuid language sql stable as $$
  select coalesce(nullif(current_setting('request.jwt.claim.sub', true), ''),
                  nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid $$;
create function auth.role() returns text language sql stable as $$
  select coalesce(nullif(current_setting('request.jwt.claim.role', true), ''),
                  nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role') $$;
create function auth.jwt() returns jsonb language sql stable as $$
  select coalesce(nullif(current_setting('request.jwt.claim', true), ''),
                  nullif(current_setting('request.jwt.claims', true), ''))::jsonb $$;
grant all on all tables in schema auth to postgres;
grant all on all sequences in schema auth to postgres;
revoke all on auth.schema_migrations from postgres;
grant select on auth.schema_migrations to postgres with grant option;
reset role;

-- Storage: its service owns the tables. Every role has the grants, row policies decide.
create schema storage;
grant usage on schema storage to anon, authenticated, service_role;
grant usage on schema storage to postgres with grant option;
grant all on schema storage to supabase_storage_admin;
set role supabase_storage_admin;
create table storage.buckets (
  id text primary key, name text not null unique, owner uuid, created_at timestamptz default now(),
  updated_at timestamptz default now(), public boolean default false, avif_autodetection boolean default false,
  file_size_limit bigint, allowed_mime_types text[], owner_id text
);
create table storage.objects (
  id uuid primary key default gen_random_uuid(), bucket_id text references storage.buckets, name text, owner uuid,
  created_at timestamptz default now(), updated_at timestamptz default now(), last_accessed_at timestamptz default now(),
  metadata jsonb, path_tokens text[] generated always as (string_to_array(name, '/')) stored, version text,
  owner_id text, user_metadata jsonb
);
create unique index bucketid_objname on storage.objects (bucket_id, name);
alter table storage.buckets enable row level security;
alter table storage.objects enable row level security;
create function storage.foldername(name text) returns text[] language sql immutable as $$
  select parts[1 : array_length(parts, 1) - 1] from string_to_array(name, '/') parts $$;
grant all on storage.buckets, storage.objects to anon, authenticated, service_role;
grant all on storage.buckets, storage.objects to postgres with grant option;
reset role;

create publication supabase_realtime;
alter publication supabase_realtime owner to postgres;

-- Of schemas that are not its own `postgres` changes policies, triggers and grants, and nothing else.
create schema platform;
create function platform.refuse_foreign_change() returns event_trigger language plpgsql set search_path = '' as $$
declare
  change record;
begin
  if (select r.rolsuper from pg_catalog.pg_roles r where r.rolname = current_user) then
    return;
  end if;
  if tg_event = 'sql_drop' then
    for change in select * from pg_catalog.pg_event_trigger_dropped_objects() loop
      if change.schema_name in ('auth', 'storage') and change.object_type not in ('policy', 'trigger') then
        raise insufficient_privilege using message = 'must be owner of ' || change.object_identity;
      end if;
    end loop;
    return;
  end if;
  for change in select * from pg_catalog.pg_event_trigger_ddl_commands() loop
    if change.schema_name in ('auth', 'storage')
      and change.command_tag not in ('CREATE POLICY', 'ALTER POLICY', 'CREATE TRIGGER', 'GRANT', 'REVOKE') then
      raise insufficient_privilege using message = 'must be owner of ' || change.object_identity;
    end if;
  end loop;
end $$;
create event trigger refuse_foreign_change on ddl_command_end execute function platform.refuse_foreign_change();
create event trigger refuse_foreign_drop on sql_drop execute function platform.refuse_foreign_change();
grant usage on schema platform to public;
