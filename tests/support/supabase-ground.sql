-- What a Supabase project has before the first migration of ours, as far as a migration could see it: roles, and the
-- schemas of Auth and Storage with the tables and functions we name. "postgres" is not a superuser there. Older projects
-- also give every new table to everybody; row policies alone must do.
create role anon nologin noinherit;
create role authenticated nologin noinherit;
create role service_role nologin noinherit bypassrls;
create role authenticator login noinherit;
create role supabase_auth_admin nologin noinherit createrole;
create role supabase_storage_admin nologin noinherit createrole;
create role postgres login createdb createrole replication bypassrls;
grant anon, authenticated, service_role to authenticator, postgres;
grant supabase_auth_admin, supabase_storage_admin to postgres;
grant pg_monitor, pg_read_all_data, pg_signal_backend to postgres;
do $$ begin execute format('grant all on database %I to postgres', current_database()); end $$;

create schema extensions authorization postgres;
grant usage on schema extensions to public;
alter schema public owner to postgres;
grant usage on schema public to anon, authenticated, service_role;
alter default privileges for role postgres in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges for role postgres in schema public grant all on functions to anon, authenticated, service_role;
alter default privileges for role postgres in schema public grant all on sequences to anon, authenticated, service_role;

create schema auth authorization supabase_auth_admin;
grant usage on schema auth to anon, authenticated, service_role, postgres;
set role supabase_auth_admin;
create table auth.users (
  instance_id uuid, id uuid primary key, aud varchar(255), role varchar(255), email varchar(255),
  encrypted_password varchar(255), email_confirmed_at timestamptz, last_sign_in_at timestamptz,
  raw_app_meta_data jsonb, raw_user_meta_data jsonb, is_super_admin boolean,
  created_at timestamptz default now(), updated_at timestamptz default now(), phone text unique,
  banned_until timestamptz, is_sso_user boolean not null default false, deleted_at timestamptz,
  is_anonymous boolean not null default false
);
create table auth.identities (
  id uuid primary key default gen_random_uuid(), provider_id text not null,
  user_id uuid not null references auth.users on delete cascade, identity_data jsonb not null, provider text not null,
  created_at timestamptz, updated_at timestamptz, unique (provider_id, provider)
);
create table auth.sessions (
  id uuid primary key, user_id uuid not null references auth.users on delete cascade, created_at timestamptz,
  updated_at timestamptz, factor_id uuid, aal text, not_after timestamptz, refreshed_at timestamp, user_agent text, ip inet, tag text
);
create table auth.refresh_tokens (id bigserial primary key, token varchar(255), user_id varchar(255), session_id uuid references auth.sessions on delete cascade);
create table auth.flow_state (id uuid primary key, user_id uuid, auth_code text, provider_type text not null, authentication_method text not null);
create table auth.audit_log_entries (instance_id uuid, id uuid primary key, payload json, created_at timestamptz, ip_address varchar(64) not null default '');
create function auth.uid() returns uuid language sql stable as $$
  select coalesce(nullif(current_setting('request.jwt.claim.sub', true), ''),
                  nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid $$;
create function auth.role() returns text language sql stable as $$
  select coalesce(nullif(current_setting('request.jwt.claim.role', true), ''),
                  nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role') $$;
create function auth.jwt() returns jsonb language sql stable as $$
  select nullif(current_setting('request.jwt.claims', true), '')::jsonb $$;
grant all on all tables in schema auth to postgres;
reset role;

create schema storage authorization supabase_storage_admin;
grant usage on schema storage to anon, authenticated, service_role, postgres;
set role supabase_storage_admin;
create table storage.buckets (
  id text primary key, name text not null unique, owner uuid, public boolean default false, file_size_limit bigint,
  allowed_mime_types text[], created_at timestamptz default now(), updated_at timestamptz default now()
);
create table storage.objects (
  id uuid primary key default gen_random_uuid(), bucket_id text references storage.buckets, name text, owner uuid,
  owner_id text, metadata jsonb, created_at timestamptz default now(), updated_at timestamptz default now()
);
alter table storage.objects enable row level security;
grant all on storage.buckets, storage.objects to anon, authenticated, service_role, postgres;
reset role;

create publication supabase_realtime;
alter publication supabase_realtime owner to postgres;
