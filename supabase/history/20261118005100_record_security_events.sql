-- What happened around sign-in and permissions: who, when, from where. Written by the functions and triggers below and by
-- the host of the embedded backend, read by administrators in the console. Addresses are personal data: a row is kept for
-- 90 days and goes with the account it names. Tokens, codes and keys are never stored.
create table private.security_events (
  id bigint generated always as identity primary key,
  kind text not null check (kind in (
    'signed-in', 'sign-in-failed', 'sign-in-refused', 'sign-in-limited', 'token-reused', 'session-ended',
    'logged-out-everywhere', 'console-refused', 'administrator-added', 'administrator-removed', 'customer-blocked',
    'customer-unblocked', 'secret-changed')),
  -- The same event of the same person from the same address within a minute is one row that counts.
  minute timestamptz not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  times integer not null default 1,
  user_id uuid references auth.users (id) on delete cascade,
  -- Of whom, where that is another person: who became an administrator, who was blocked.
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

-- Append-only: a row may count on; it goes after 90 days, or with the account it names.
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
create trigger security_events_are_never_emptied before truncate on private.security_events
  for each statement execute function private.refuse_change();

-- A flood fills no table: one row a minute per kind, person and address, and at most 100 rows a minute of a kind; what comes
-- beyond that is counted in one row without an address.
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
  came_from text := left(coalesce(address, private.client_address()), 64);
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

-- A sign-in of a hosted project: its Auth writes the address with the session. The embedded backend's library does not; there
-- the host calls note_session(). Whatever goes wrong here must not keep anybody from signing in.
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
create trigger customer_records_record_block after insert or update of blocked_at on private.customer_records
  for each row execute function private.record_block();

-- Keys of an installation that were replaced or removed: by name, never by value.
create function private.record_secret_change() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.record_security_event('secret-changed', auth.uid(), detail => old.name);
  return null;
end $$;
create trigger instance_records_secret_change after update or delete on private.instance
  for each row execute function private.record_secret_change();

revoke execute on function private.guard_security_event(), private.request_header(text), private.client_address(),
  private.record_security_event(text, uuid, text, text, text, uuid, timestamptz), private.record_sign_in(),
  private.record_role_change(), private.record_block(), private.record_secret_change() from public;

-- The security log, newest first: {rows, next}. Filters that are null do not filter: some kinds, a person (part of a name or
-- email), days in India.
create function public.admin_read_security_log(
  kinds text[] default null, person text default null, first_day date default null, last_day date default null,
  before_id bigint default null)
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 50;
  conditions text := 'true';
  people uuid[];
  entries jsonb;
begin
  perform private.require_admin();
  if kinds is not null then conditions := conditions || ' and e.kind = any ($1)'; end if;
  if btrim(person) <> '' then
    people := array(
      select c.user_id from private.customer_cards c
      where c.searchable like '%' || replace(replace(replace(lower(btrim(person)), '\', '\\'), '%', '\%'), '_', '\_') || '%'
      limit 200);
    conditions := conditions || ' and (e.user_id = any ($2) or e.subject_id = any ($2))';
  end if;
  if first_day is not null then conditions := conditions || ' and e.first_at >= private.start_of($3)'; end if;
  if last_day is not null then conditions := conditions || ' and e.first_at < private.start_of($4 + 1)'; end if;
  if before_id is not null then conditions := conditions || ' and e.id < $5'; end if;
  execute format(
    $query$
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', e.id, 'kind', e.kind, 'at', e.first_at, 'times', e.times, 'user_id', e.user_id,
      'person', left(private.person_name(e.user_id), 120), 'subject_id', e.subject_id,
      'subject', left(private.person_name(e.subject_id), 120), 'address', e.address, 'user_agent', e.user_agent,
      'detail', e.detail) order by e.id desc), '[]')
    from (select e.* from private.security_events e where %s order by e.id desc limit %s) e
    $query$, conditions, page_size + 1)
  into entries using kinds, people, first_day, last_day, before_id;
  return jsonb_build_object(
    'rows', (select coalesce(jsonb_agg(r.row order by r.place), '[]')
             from jsonb_array_elements(entries) with ordinality as r (row, place) where r.place <= page_size),
    'next', case when jsonb_array_length(entries) > page_size then entries -> (page_size - 1) -> 'id' end);
end $$;

select private.open_console_requests();
