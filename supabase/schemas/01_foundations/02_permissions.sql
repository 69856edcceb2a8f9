-- Administrators, and the checks that policies, guards and console functions begin with.
-- Written by the command admin:grant only.
set check_function_bodies = off;

-- Administrators: written only by the admin:grant command, read by is_admin().
create table private.administrators (
  user_id uuid primary key references auth.users (id) on delete cascade,
  granted_at timestamptz not null default now()
);
alter table private.administrators enable row level security;

-- A write that only administrators may make is rejected with 42501 (HTTP 403), instead of matching no row and
-- returning 200.
create function private.require_admin_to_write() returns trigger
language plpgsql set search_path = '' as $$
begin
  if not private.is_admin() then
    raise insufficient_privilege using message = format('permission denied for table %s', tg_table_name);
  end if;
  return null;
end $$;

-- Whether the caller is an administrator in a session that still exists. Policies call it as (select
-- private.is_admin()), so that it runs once per query and not once per row. The session is checked here too,
-- because Storage and realtime of a hosted project call no pre-request function.
create function private.is_admin() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from private.administrators where user_id = (select auth.uid()))
     and private.is_own_session_active();
$$;

-- The service role or a direct connection, as opposed to a browser. The setting "role", unlike current_user, is not
-- changed by security definer functions.
create function private.is_service() returns boolean
language sql stable set search_path = '' as $$
  select coalesce(nullif(current_setting('role', true), 'none'), session_user)
         not in ('anon', 'authenticated', 'authenticator');
$$;

-- For the caller's own id, or for the service role; false for any other id.
create function public.is_administrator(user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(is_administrator.user_id = auth.uid() or private.is_service(), false)
     and exists (select from private.administrators a where a.user_id = is_administrator.user_id);
$$;

-- The first statement of every console function.
create function private.require_admin() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_admin() then
    raise sqlstate 'PT403' using message = 'administrators only';
  end if;
end $$;

-- Grants every admin_ function to signed-in callers and the service role only; each checks for itself that the
-- caller is an administrator. A migration that adds such functions ends with this.
create function private.grant_console_functions() returns void
language plpgsql set search_path = '' as $$
declare
  request regprocedure;
begin
  for request in
    select oid::regprocedure from pg_proc where pronamespace = 'public'::regnamespace and proname like 'admin\_%'
  loop
    execute format('revoke execute on function %s from public, anon', request);
    execute format('grant execute on function %s to authenticated, service_role', request);
  end loop;
end $$;

grant execute on function private.is_admin(), private.is_service() to anon, authenticated, service_role;
revoke execute on function public.is_administrator(uuid) from public, anon, authenticated;
grant execute on function public.is_administrator(uuid) to anon, authenticated, service_role;
