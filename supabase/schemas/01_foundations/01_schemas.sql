-- The schemas and extensions that everything else stands in, and the settings of the database.
-- Browsers reach the schema public only. What lives in private has row level security without policies, so only functions
-- of the shop read or write it.

create schema private;
grant usage on schema private to anon, authenticated, service_role;

create schema if not exists extensions;
grant usage on schema extensions to anon, authenticated, service_role;
create extension if not exists pg_trgm with schema extensions;
create extension if not exists fuzzystrmatch with schema extensions;

-- While the schemas are created, only the owner may execute a new function: each file grants what is meant for
-- visitors, customers or the service role (the complete list for visitors and customers is in supabase/tests/schema.test.ts).
-- The last file restores PostgreSQL's default.
alter default privileges revoke execute on functions from public;

-- Older hosted projects granted everything on new tables to both roles. TRUNCATE passes row level security, and the Data
-- API needs neither TRIGGER nor REFERENCES.
alter default privileges in schema public revoke truncate, trigger, references on tables from anon, authenticated;

-- JIT compilation pays off for queries of seconds. A search takes milliseconds, and took two to eight seconds with it.
do $$
begin
  execute format('alter database %I set jit = off', current_database());
exception when insufficient_privilege then
  raise warning 'jit could not be switched off: the owner of the database has to, or searching is slow';
end $$;
