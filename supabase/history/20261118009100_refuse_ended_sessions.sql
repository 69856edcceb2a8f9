-- An access token is valid for an hour; its session may end before that: by logging out, by "Log out everywhere", by an
-- administrator, or because a token was stolen. From then on the token opens nothing. A token without a session (made by
-- the owner of the signing key, and by nobody else) is not checked.

-- Whether the session of the caller's token still exists.
create function private.is_own_session_active() returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  own constant uuid := private.current_session();
begin
  return own is null or exists (select from auth.sessions s where s.id = own and s.user_id = (select auth.uid()));
end $$;

-- Runs before every request of the Data API, in its transaction: hosted as PostgREST's pre-request function, embedded with
-- the statement that sets the role (server/backend/settings-along.ts).
create function private.check_session() returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_own_session_active() then
    raise sqlstate 'PT401' using message = 'The session has ended. Please log in again.';
  end if;
end $$;

-- Storage and realtime of a hosted project call no pre-request function. What they ask is whether the caller is an
-- administrator, or reads the caller's orders.
create or replace function private.is_admin() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from private.administrators where user_id = (select auth.uid()))
     and private.is_own_session_active();
$$;
create policy "an ended session reads no orders" on public.orders as restrictive
  for select to authenticated using ((select private.is_own_session_active()));

-- For functions, which know from the token which session and customer it belongs to.
create function public.is_session_active(session_id uuid, user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from auth.sessions s where s.id = is_session_active.session_id and s.user_id = is_session_active.user_id);
$$;
-- The same for many calls at once.
create function public.are_sessions_active(calls jsonb) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_agg(public.is_session_active((c.call ->> 'session_id')::uuid, (c.call ->> 'user_id')::uuid) order by c.n)
  from jsonb_array_elements(calls) with ordinality as c (call, n);
$$;

revoke execute on function private.is_own_session_active(), private.check_session(), public.is_session_active(uuid, uuid),
  public.are_sessions_active(jsonb) from public, anon, authenticated;
grant execute on function private.is_own_session_active(), private.check_session() to anon, authenticated, service_role;
grant execute on function public.is_session_active(uuid, uuid), public.are_sessions_active(jsonb) to service_role;

-- Only a Supabase project has the role. Without the right to set it the shop works; docs/deploy.md says how to look.
do $$
declare
  setting constant text := 'pgrst.db_pre_request=private.check_session';
begin
  if exists (select from pg_roles where rolname = 'authenticator' and not setting = any (coalesce(rolconfig, '{}'))) then
    alter role authenticator set pgrst.db_pre_request = 'private.check_session';
    notify pgrst, 'reload config';
  end if;
exception when insufficient_privilege then
  raise warning 'access tokens of ended sessions stay valid in the Data API: set pgrst.db_pre_request of the role authenticator to private.check_session';
end $$;
