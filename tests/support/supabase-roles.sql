-- The roles of a Supabase project, one set for a whole cluster, from its documentation and the public scripts of its image.
-- The only superuser is supabase_admin; `postgres` owns what migrations create, and nothing else.
create role anon nologin noinherit;
create role authenticated nologin noinherit;
create role service_role nologin noinherit bypassrls;
create role authenticator login noinherit;
create role supabase_auth_admin login noinherit;
create role supabase_storage_admin login noinherit;
create role dashboard_user nologin createdb createrole replication;
create role postgres login createdb createrole replication bypassrls;

grant anon, authenticated, service_role to authenticator;
grant anon, authenticated, service_role to postgres with admin option;
grant pg_monitor, pg_read_all_data, pg_signal_backend to postgres;
-- supautils lets `postgres` set it although it is no superuser.
grant set on parameter session_replication_role to postgres;

-- supautils lets `postgres` give settings of PostgREST to `authenticator`, a role reserved for the platform.
grant set on parameter pgrst.db_pre_request to postgres;
do $$
begin
  if current_setting('server_version_num')::integer >= 160000 then
    execute 'grant authenticator to postgres with admin true, inherit false, set false';
  end if;
end $$;

-- `supautils.policy_grants` lets `postgres` write policies on tables of Storage that it does not own. No package brings that
-- library: here it inherits the owner's rights, and an event trigger (supabase-ground.sql) takes all but policies away again.
do $$
begin
  if current_setting('server_version_num')::integer >= 160000 then
    execute 'grant supabase_storage_admin to postgres with inherit true, set false';
  else
    grant supabase_storage_admin to postgres;
  end if;
end $$;

alter role postgres set search_path = "$user", public, extensions;
alter role anon set statement_timeout = '3s';
alter role authenticated set statement_timeout = '8s';
alter role authenticator set statement_timeout = '8s';
alter role authenticator set lock_timeout = '8s';
