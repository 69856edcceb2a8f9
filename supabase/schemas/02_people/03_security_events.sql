-- Sign-ins, failed sign-ins, ended sessions and changes of roles. Append-only: written by triggers and the host, read in
-- the console.
set check_function_bodies = off;

-- Events of sign-in and permissions: who, when, from where. Written by the functions and triggers below and by the
-- host of the embedded backend, read by administrators in the console. Addresses are personal data: a row is kept
-- for 90 days and deleted with the account it names. Tokens, codes and keys are never stored.
create table private.security_events (
  id bigint generated always as identity primary key,
  kind text not null check (kind in (
    'signed-in', 'sign-in-failed', 'sign-in-refused', 'sign-in-limited', 'token-reused', 'code-reused', 'logged-out',
    'session-ended', 'logged-out-everywhere', 'console-refused', 'administrator-added', 'administrator-removed',
    'customer-blocked', 'customer-unblocked', 'secret-changed', 'customers-downloaded', 'orders-downloaded',
    'documents-downloaded', 'own-data-downloaded')),
  -- The same event of the same person from the same address within a minute is one row that counts.
  minute timestamptz not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  times integer not null default 1,
  user_id uuid references auth.users (id) on delete cascade,
  -- The other person, where there is one: who became an administrator, who was blocked.
  subject_id uuid references auth.users (id) on delete cascade,
  address text not null check (char_length(address) <= 64),
  user_agent text not null check (char_length(user_agent) <= 300),
  detail text not null check (char_length(detail) <= 200),
  constraint security_events_once_a_minute unique nulls not distinct (minute, kind, address, user_id, subject_id)
);
create index security_events_kind_idx on private.security_events (kind, id desc);
create index security_events_user_idx on private.security_events (user_id, id desc);
create index security_events_subject_idx on private.security_events (subject_id, id desc);
create index security_events_first_at_idx on private.security_events (first_at);
alter table private.security_events enable row level security;

create trigger security_events_are_never_emptied before truncate on private.security_events
  for each statement execute function private.reject_change();

-- Which session an authorization code was exchanged for, and whether it was used again. Written by the host of the
-- embedded backend (server/lite/auth/code-exchange.ts); a hosted project's Auth does this itself. Kept for a day:
-- codes are valid for minutes.
create table private.used_codes (
  code_hash bytea primary key,
  session_id uuid,
  is_reused boolean not null default false,
  noted_at timestamptz not null default now()
);
create index used_codes_noted_at_idx on private.used_codes (noted_at);
alter table private.used_codes enable row level security;

-- Append-only: a row may count further events; it is deleted after 90 days, or with the account it names.
create function private.guard_security_event() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and new.times > old.times and new.last_at >= old.last_at
     and to_jsonb(new) - '{times,last_at}'::text[] = to_jsonb(old) - '{times,last_at}'::text[] then
    return new;
  end if;
  if tg_op = 'DELETE' and (
       old.first_at < now() - interval '90 days'
       or (old.user_id is not null and not exists (select from auth.users u where u.id = old.user_id))
       or (old.subject_id is not null and not exists (select from auth.users u where u.id = old.subject_id))) then
    return old;
  end if;
  raise sqlstate 'PT403' using message = 'rows of security_events are never changed or deleted';
end $$;
create trigger security_events_are_append_only before update or delete on private.security_events
  for each row execute function private.guard_security_event();

-- A sign-in of a hosted project, whose Auth stores the address with the session. The embedded backend's library
-- does not: there the host calls record_session_use(). An error here must not prevent a sign-in.
create function private.record_sign_in() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.ip is not null then
    perform private.record_security_event('signed-in', new.user_id, host(new.ip), coalesce(new.user_agent, ''));
  end if;
  return null;
exception when others then
  raise warning 'sign-in of account % not recorded: %', new.user_id, sqlstate;
  return null;
end $$;
create trigger shop_records_sign_in after insert on auth.sessions
  for each row execute function private.record_sign_in();

create function private.record_role_change() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.record_security_event(
    case tg_op when 'INSERT' then 'administrator-added' else 'administrator-removed' end, auth.uid(),
    subject_id => case tg_op when 'INSERT' then new.user_id else old.user_id end);
  return null;
end $$;
create trigger administrators_record_role_change after insert or delete on private.administrators
  for each row execute function private.record_role_change();

create function private.record_block() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if (new.blocked_at is not null) is distinct from (tg_op = 'UPDATE' and old.blocked_at is not null) then
    perform private.record_security_event(
      case when new.blocked_at is null then 'customer-unblocked' else 'customer-blocked' end, auth.uid(), subject_id => new.user_id);
  end if;
  return null;
end $$;

-- Keys of an installation that were replaced or removed: by name, never by value.
create function private.record_secret_change() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.record_security_event('secret-changed', auth.uid(), detail => old.name);
  return null;
end $$;
create trigger instance_records_secret_change after update or delete on private.instance
  for each row execute function private.record_secret_change();

-- A logout through a hosted project's Auth, which deletes the session; the embedded backend's host records its own.
-- Other sessions are deleted by our own functions, which record why. An error here must not prevent a logout.
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

-- A flood does not fill the table: one row a minute per kind, person and address, and at most 100 rows a minute of
-- a kind; what is beyond that is counted in one row without an address.
create function private.record_security_event(
  kind text, user_id uuid, address text default null, user_agent text default null, detail text default '',
  subject_id uuid default null, at timestamptz default now())
returns void
language plpgsql security definer set search_path = '' as $$
declare
  this_minute constant timestamptz := date_trunc('minute', at);
  -- A token outlives its account.
  person uuid := (select u.id from auth.users u where u.id = record_security_event.user_id);
  concerned uuid := (select u.id from auth.users u where u.id = record_security_event.subject_id);
  came_from text := left(coalesce(address, private.client_ip()), 64);
  agent text := left(coalesce(user_agent, private.request_header('user-agent'), ''), 300);
  is_full constant boolean := 100 <= (
    select count(*) from private.security_events e where e.minute = this_minute and e.kind = record_security_event.kind);
begin
  if is_full and not exists (
       select from private.security_events e
       where e.minute = this_minute and e.kind = record_security_event.kind and e.address = came_from
         and e.user_id is not distinct from person and e.subject_id is not distinct from concerned) then
    person := null;
    concerned := null;
    came_from := '';
    agent := '';
  end if;
  insert into private.security_events as e (kind, minute, first_at, last_at, user_id, subject_id, address, user_agent, detail)
  values (record_security_event.kind, this_minute, at, at, person, concerned, came_from, agent, left(record_security_event.detail, 200))
  on conflict on constraint security_events_once_a_minute
  do update set times = e.times + 1, last_at = greatest(e.last_at, excluded.last_at);
end $$;

create function private.code_hash(code text) returns bytea
language sql immutable set search_path = '' as $$
  select sha256(convert_to(code, 'UTF8'));
$$;

-- Before a code is exchanged. Only codes issued by Auth are recorded, so invented ones do not fill the table.
create function private.record_code(code text) returns void
language sql security definer set search_path = '' as $$
  insert into private.used_codes (code_hash)
  select private.code_hash(record_code.code)
  where exists (select from auth.flow_state f where f.auth_code = record_code.code)
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

-- After the exchange. False: the code was used again in the meantime, and the new session has ended.
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

-- After an exchange that was rejected because the code was used before: one of its two users stole it, so the
-- session it opened ends, or will end as soon as it is bound.
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

-- For the edge functions that send files with personal data. A kind for each: the log has one row a minute of a kind and a
-- person, and a harmless file must not hide another. Functions know no address; the sign-in of the same person has it.
create function public.record_download(user_id uuid, what text, user_agent text default '') returns void
language sql security definer set search_path = '' as $$
  select private.record_security_event(record_download.what || '-downloaded', record_download.user_id, '', record_download.user_agent)
  where record_download.what in ('customers', 'orders', 'documents', 'own-data');
$$;

revoke execute on function public.record_download(uuid, text, text) from public, anon, authenticated;
grant execute on function public.record_download(uuid, text, text) to service_role;
