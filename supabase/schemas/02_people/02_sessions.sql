-- Sign-in sessions, in the tables of Auth: which are active, and how they end.
-- Customers list and end their own, administrators end a customer's, a job deletes expired ones.
set check_function_bodies = off;

-- When a session was last used. Auth stores refreshed_at as UTC without saying so.
create function private.session_used_at(refreshed_at timestamp, created_at timestamptz) returns timestamptz
language sql immutable set search_path = '' as $$
  select coalesce(refreshed_at at time zone 'UTC', created_at);
$$;

create function private.is_session_expired(
  created_at timestamptz, refreshed_at timestamp, not_after timestamptz, at timestamptz)
returns boolean
language sql immutable set search_path = '' as $$
  select coalesce(created_at < at - interval '180 days', false)
      or coalesce(private.session_used_at(refreshed_at, created_at) < at - interval '30 days', false)
      or coalesce(not_after < at, false);
$$;

-- The session that an access token belongs to.
create function private.current_session() returns uuid
language plpgsql stable set search_path = '' as $$
begin
  return (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'session_id')::uuid;
exception when data_exception then
  return null;
end $$;

-- The caller's own sessions, this one first, then the most recently used. No addresses: a person with an unlocked
-- phone in hand need not learn where its owner lives.
create function public.my_sessions()
returns table (id uuid, started_at timestamptz, last_used_at timestamptz, user_agent text, is_current boolean)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select s.id, s.created_at, private.session_used_at(s.refreshed_at, s.created_at), left(coalesce(s.user_agent, ''), 300),
         s.id is not distinct from private.current_session()
  from auth.sessions s
  where s.user_id = (select auth.uid()) and not private.is_session_expired(s.created_at, s.refreshed_at, s.not_after, now())
  order by 5 desc, 3 desc, s.id
  limit 100;
end $$;

-- Ends one of the caller's own sessions; false when there is none with this id. Refresh tokens are deleted with
-- their session.
create function public.end_my_session(session_id uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  delete from auth.sessions s where s.id = end_my_session.session_id and s.user_id = (select auth.uid());
  if not found then
    return false;
  end if;
  perform private.record_security_event('session-ended', auth.uid());
  return true;
end $$;

-- Ends all of the caller's sessions, this one included, and returns how many there were.
create function public.end_my_sessions() returns integer
language plpgsql security definer set search_path = '' as $$
declare
  ended integer;
begin
  delete from auth.sessions s where s.user_id = (select auth.uid());
  get diagnostics ended = row_count;
  if ended > 0 then
    perform private.record_security_event('logged-out-everywhere', auth.uid());
  end if;
  return ended;
end $$;

-- Deletes expired sessions, used codes after a day, and Auth's own log, which holds client addresses, after 90
-- days.
create function public.sweep_sign_ins(at timestamptz default now()) returns void
language plpgsql security definer set search_path = '' as $$
declare
  until constant timestamptz := least(at, now());
begin
  delete from auth.sessions s where private.is_session_expired(s.created_at, s.refreshed_at, s.not_after, until);
  delete from private.security_events e where e.first_at < until - interval '90 days';
  delete from private.used_codes c where c.noted_at < until - interval '1 day';
  if to_regclass('auth.audit_log_entries') is not null then
    execute 'delete from auth.audit_log_entries where created_at < $1' using until - interval '90 days';
  end if;
end $$;

-- For the host of the embedded backend, whose library stores neither: the address and browser that use a session.
create function private.record_session_use(session_id uuid, address text, user_agent text, is_new boolean) returns void
language plpgsql security definer set search_path = '' as $$
declare
  came_from inet;
  person uuid;
begin
  begin
    came_from := record_session_use.address::inet;
  exception when data_exception then
    came_from := null; -- whatever a proxy wrote there
  end;
  update auth.sessions s set ip = came_from, user_agent = left(record_session_use.user_agent, 300)
  where s.id = record_session_use.session_id
  returning s.user_id into person;
  if is_new and person is not null then
    perform private.record_security_event('signed-in', person, record_session_use.address, record_session_use.user_agent);
  end if;
end $$;

-- Whether a refresh token may be exchanged; reuse of a replaced one ends its session. The host calls this in a
-- transaction that lasts until the library has responded, so calls with the same token wait for each other on every
-- node, and no token gets two successors.
create function private.can_refresh(token text, address text, user_agent text, at timestamptz) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  used record;
begin
  perform pg_advisory_xact_lock(hashtextextended('refresh ' || token, 0));
  select t.* into used from auth.refresh_tokens t where t.token = can_refresh.token;
  if not found or used.revoked is not true then
    return true;
  end if;
  if used.updated_at > at - interval '10 seconds' and exists (
       select from auth.refresh_tokens c
       where c.session_id = used.session_id and c.parent = used.token and c.revoked is not true) then
    return true;
  end if;
  delete from auth.sessions s where s.id = used.session_id;
  perform private.record_security_event('token-reused', used.user_id::text::uuid, can_refresh.address, can_refresh.user_agent);
  return false;
end $$;

-- Whether the session of the caller's token still exists.
create function private.is_own_session_active() returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  own constant uuid := private.current_session();
begin
  return own is null or exists (select from auth.sessions s where s.id = own and s.user_id = (select auth.uid()));
end $$;

-- Runs before every request of the Data API, in its transaction: hosted as PostgREST's pre-request function, embedded with
-- the statement that sets the role (server/lite/batch-settings.ts).
create function private.check_session() returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_own_session_active() then
    raise sqlstate 'PT401' using message = 'The session has ended. Please log in again.';
  end if;
end $$;

-- For edge functions, which know session and customer from the token.
create function public.is_session_active(session_id uuid, user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from auth.sessions s where s.id = is_session_active.session_id and s.user_id = is_session_active.user_id);
$$;

-- The same for a batch of calls.
create function public.are_sessions_active(calls jsonb) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_agg(public.is_session_active((c.call ->> 'session_id')::uuid, (c.call ->> 'user_id')::uuid) order by c.n)
  from jsonb_array_elements(calls) with ordinality as c (call, n);
$$;

revoke execute on function
  public.my_sessions(), public.end_my_session(uuid), public.end_my_sessions()
  from public, anon, authenticated;
grant execute on function
  public.my_sessions(), public.end_my_session(uuid), public.end_my_sessions()
  to authenticated, service_role;
revoke execute on function
  public.sweep_sign_ins(timestamptz), public.is_session_active(uuid, uuid), public.are_sessions_active(jsonb)
  from public, anon, authenticated;
grant execute on function
  public.sweep_sign_ins(timestamptz), public.is_session_active(uuid, uuid), public.are_sessions_active(jsonb)
  to service_role;
grant execute on function private.is_own_session_active(), private.check_session() to anon, authenticated, service_role;

-- A project's Data API calls the check before every request; the embedded one calls it in its first statement.
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
