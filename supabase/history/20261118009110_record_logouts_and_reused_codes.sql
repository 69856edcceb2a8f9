-- Plain logouts are recorded, an authorization code that is used twice ends the session it was exchanged for, and Auth's
-- own log goes after 90 days.
alter table private.security_events drop constraint security_events_kind_check;
alter table private.security_events add constraint security_events_kind_check check (kind in (
  'signed-in', 'sign-in-failed', 'sign-in-refused', 'sign-in-limited', 'token-reused', 'code-reused', 'logged-out',
  'session-ended', 'logged-out-everywhere', 'console-refused', 'administrator-added', 'administrator-removed',
  'customer-blocked', 'customer-unblocked', 'secret-changed'));

-- A logout through a hosted project's Auth, which deletes the session; the embedded backend's host records its own. Other
-- sessions are deleted by functions of ours, which say why. Whatever goes wrong here must keep nobody logged in.
create function private.record_logout() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(nullif(current_setting('role', true), 'none'), session_user) = 'supabase_auth_admin'
     and not private.is_session_expired(old.created_at, old.refreshed_at, old.not_after, now())
     and exists (select from auth.users u where u.id = old.user_id) then
    perform private.record_security_event('logged-out', old.user_id, coalesce(host(old.ip), ''), coalesce(old.user_agent, ''));
  end if;
  return null;
exception when others then
  raise warning 'logout of account % not recorded: %', old.user_id, sqlstate;
  return null;
end $$;
create trigger shop_records_logout after delete on auth.sessions
  for each row execute function private.record_logout();

-- Which session an authorization code was exchanged for, and whether it was used again; written by the embedded backend's
-- host (server/backend/code-exchange.ts), which a hosted project's Auth gives no chance to. Kept for a day: codes are valid
-- for minutes.
create table private.used_codes (
  code_hash bytea primary key,
  session_id uuid,
  is_reused boolean not null default false,
  noted_at timestamptz not null default now()
);
create index used_codes_noted_at_idx on private.used_codes (noted_at);
alter table private.used_codes enable row level security;

create function private.code_hash(code text) returns bytea
language sql immutable set search_path = '' as $$
  select sha256(convert_to(code, 'UTF8'));
$$;

-- Before a code is exchanged. Only codes that Auth gave are noted: invented ones fill no table.
create function private.note_code(code text) returns void
language sql security definer set search_path = '' as $$
  insert into private.used_codes (code_hash)
  select private.code_hash(note_code.code)
  where exists (select from auth.flow_state f where f.auth_code = note_code.code)
  on conflict do nothing;
$$;

create function private.end_session_of_code(session_id uuid, address text, user_agent text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  person uuid;
begin
  delete from auth.sessions s where s.id = end_session_of_code.session_id returning s.user_id into person;
  if person is not null then
    perform private.record_security_event('code-reused', person, end_session_of_code.address, end_session_of_code.user_agent);
  end if;
end $$;

-- After the exchange. False: the code was used again meanwhile, and the new session has ended.
create function private.bind_code(code text, session_id uuid, address text, user_agent text) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  reused boolean;
begin
  update private.used_codes c set session_id = bind_code.session_id
  where c.code_hash = private.code_hash(bind_code.code)
  returning c.is_reused into reused;
  if reused then
    perform private.end_session_of_code(bind_code.session_id, bind_code.address, bind_code.user_agent);
  end if;
  return reused is not true;
end $$;

-- After an exchange that was refused because the code is used up: one of the two who brought it stole it, so that the session
-- it opened ends, or will as soon as it is bound.
create function private.report_reused_code(code text, address text, user_agent text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  opened uuid;
begin
  update private.used_codes c set is_reused = true
  where c.code_hash = private.code_hash(report_reused_code.code)
  returning c.session_id into opened;
  perform private.end_session_of_code(opened, report_reused_code.address, report_reused_code.user_agent);
end $$;

-- As before, and used codes after a day, Auth's own log (addresses of people are in it) after 90 days.
create or replace function public.sweep_sign_ins(at timestamptz default now()) returns void
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

revoke execute on function private.record_logout(), private.code_hash(text), private.note_code(text),
  private.end_session_of_code(uuid, text, text), private.bind_code(text, uuid, text, text),
  private.report_reused_code(text, text, text) from public;
