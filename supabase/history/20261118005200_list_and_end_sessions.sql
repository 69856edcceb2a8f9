-- Sessions as customers see them: a list of one's own, ending one of them or all. A session ends after 30 days without use
-- and after 180 days at most. Hosted, the project's Auth checks both when a session is refreshed ([auth.sessions] in
-- config.toml); embedded, its library does (server/backend/lite.ts). Expired sessions are swept here.

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

-- The caller's own sessions, this one first, then the last used. No addresses: whoever opens a phone that was left unlocked
-- need not learn where its owner lives.
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

-- Ends one of the caller's own sessions; false when there is no such one. Refresh tokens go with their session.
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

-- Ends all of the caller's sessions, this one included, and says how many there were.
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

-- For the work between requests: expired sessions, and security events after 90 days. By the database's clock where the
-- caller's is ahead: nobody is logged out, and no event goes, because a clock was wrong.
create function public.sweep_sign_ins(at timestamptz default now()) returns void
language plpgsql security definer set search_path = '' as $$
declare
  until constant timestamptz := least(at, now());
begin
  delete from auth.sessions s where private.is_session_expired(s.created_at, s.refreshed_at, s.not_after, until);
  delete from private.security_events e where e.first_at < until - interval '90 days';
end $$;

-- For the host of the embedded backend, whose library writes neither into a session: from where and with what it is used.
create function private.note_session(session_id uuid, address text, user_agent text, is_new boolean) returns void
language plpgsql security definer set search_path = '' as $$
declare
  came_from inet;
  person uuid;
begin
  begin
    came_from := note_session.address::inet;
  exception when data_exception then
    came_from := null; -- whatever a proxy wrote there
  end;
  update auth.sessions s set ip = came_from, user_agent = left(note_session.user_agent, 300)
  where s.id = note_session.session_id
  returning s.user_id into person;
  if is_new and person is not null then
    perform private.record_security_event('signed-in', person, note_session.address, note_session.user_agent);
  end if;
end $$;

-- For the same host, before the library sees a refresh token. One that was replaced is accepted for 10 seconds more, for a
-- tab that refreshed at the same moment, and only while the token that replaced it is unused. Later
-- two parties hold the same token, and one of them stole it: the whole session ends. False: this token must not be used.
create function private.may_refresh(token text, address text, user_agent text, at timestamptz) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  used record;
begin
  select t.* into used from auth.refresh_tokens t where t.token = may_refresh.token;
  if not found or used.revoked is not true then
    return true;
  end if;
  if used.updated_at > at - interval '10 seconds' and exists (
       select from auth.refresh_tokens c
       where c.session_id = used.session_id and c.parent = used.token and c.revoked is not true) then
    return true;
  end if;
  delete from auth.sessions s where s.id = used.session_id;
  perform private.record_security_event('token-reused', used.user_id::text::uuid, may_refresh.address, may_refresh.user_agent);
  return false;
end $$;

revoke execute on function private.session_used_at(timestamp, timestamptz),
  private.is_session_expired(timestamptz, timestamp, timestamptz, timestamptz),
  private.current_session(), public.my_sessions(), public.end_my_session(uuid), public.end_my_sessions(),
  public.sweep_sign_ins(timestamptz), private.note_session(uuid, text, text, boolean),
  private.may_refresh(text, text, text, timestamptz) from public, anon, authenticated;
grant execute on function public.my_sessions(), public.end_my_session(uuid), public.end_my_sessions() to authenticated, service_role;
grant execute on function public.sweep_sign_ins(timestamptz) to service_role;
