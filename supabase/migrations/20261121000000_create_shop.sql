-- The whole shop, made from supabase/schemas by "npm run db:baseline": read and edit those. Comments are left out, so that
-- editing one there changes nothing here.

set check_function_bodies = off;

-- 01_foundations/01_schemas.sql
create schema private;
grant usage on schema private to anon, authenticated, service_role;

create schema if not exists extensions;
grant usage on schema extensions to anon, authenticated, service_role;
create extension if not exists pg_trgm with schema extensions;
create extension if not exists fuzzystrmatch with schema extensions;

alter default privileges revoke execute on functions from public;

alter default privileges in schema public revoke truncate, trigger, references on tables from anon, authenticated;

do $$
begin
  execute format('alter database %I set jit = off', current_database());
exception when insufficient_privilege then
  raise warning 'jit could not be switched off: the owner of the database has to, or searching is slow';
end $$;

-- 01_foundations/02_permissions.sql
create table private.administrators (
  user_id uuid primary key references auth.users (id) on delete cascade,
  granted_at timestamptz not null default now()
);
alter table private.administrators enable row level security;

create function private.require_admin_to_write() returns trigger
language plpgsql set search_path = '' as $$
begin
  if not private.is_admin() then
    raise insufficient_privilege using message = format('permission denied for table %s', tg_table_name);
  end if;
  return null;
end $$;

create function private.is_admin() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from private.administrators where user_id = (select auth.uid()))
     and private.is_own_session_active();
$$;

create function private.is_service() returns boolean
language sql stable set search_path = '' as $$
  select coalesce(nullif(current_setting('role', true), 'none'), session_user)
         not in ('anon', 'authenticated', 'authenticator');
$$;

create function public.is_administrator(user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(is_administrator.user_id = auth.uid() or private.is_service(), false)
     and exists (select from private.administrators a where a.user_id = is_administrator.user_id);
$$;

create function private.require_admin() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_admin() then
    raise sqlstate 'PT403' using message = 'administrators only';
  end if;
end $$;

create function private.open_console_requests() returns void
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

-- 01_foundations/03_rate_limits.sql
create table private.turns (
  action text not null,
  subject text not null,
  window_start timestamptz not null,
  taken integer not null,
  primary key (action, subject, window_start)
);
alter table private.turns enable row level security;

create function private.take_turn(
  action text, subject text, allowed integer, per interval, at timestamptz default now()
) returns boolean
language sql security definer set search_path = '' as $$
  select subject = any (private.take_turns(action, array[subject], allowed, per, at));
$$;

create function private.take_turns(action text, subjects text[], allowed integer, per interval, at timestamptz) returns text[]
language plpgsql security definer set search_path = '' as $$
declare
  this_window timestamptz := date_bin(per, at, timestamptz '2000-01-01 00:00+00');
  new_ones text[];
  those_who_may text[];
begin
  with taken as (
    insert into private.turns as t (action, subject, window_start, taken)
    select take_turns.action, s.subject, this_window, 1 from unnest(subjects) as s (subject) order by s.subject
    on conflict on constraint turns_pkey do update set taken = t.taken + 1
    returning t.subject, t.taken
  )
  select array_agg(k.subject) filter (where k.taken = 1), array_agg(k.subject) filter (where k.taken <= allowed)
  into new_ones, those_who_may from taken k;
  if new_ones is not null then
    delete from private.turns t
    where t.action = take_turns.action and t.subject = any (new_ones) and t.window_start < this_window;
  end if;
  return coalesce(those_who_may, '{}');
end $$;

create function private.request_header(name text) returns text
language plpgsql stable set search_path = '' as $$
begin
  return nullif(current_setting('request.headers', true), '')::jsonb ->> request_header.name;
exception when data_exception then
  return null;
end $$;

create function private.client_address() returns text
language sql stable set search_path = '' as $$
  select coalesce(private.request_header('cf-connecting-ip'),
                  btrim(reverse(split_part(reverse(private.request_header('x-forwarded-for')), ',', 1))), '');
$$;

create function private.caller_key() returns text
language sql stable set search_path = '' as $$
  select coalesce('address ' || encode(sha256(convert_to(nullif(private.client_address(), ''), 'UTF8')), 'hex'), 'pages');
$$;

-- 01_foundations/04_audit_log.sql
create function private.is_erasing() returns boolean
language sql stable set search_path = '' as $$
  select exists (select from private.erasures e where e.transaction_id = pg_current_xact_id_if_assigned());
$$;

create function private.refuse_change() returns trigger
language plpgsql set search_path = '' as $$
begin
  raise sqlstate 'PT403' using message = format('rows of %s are never changed or deleted', tg_table_name);
end $$;

create function private.guard_log() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and private.is_erasing()
     and (new.id, new.at, new.actor_id, new.action, new.table_name, new.row_id)
         is not distinct from (old.id, old.at, old.actor_id, old.action, old.table_name, old.row_id)
     and private.is_blacked_out(old.before, new.before) and private.is_blacked_out(old.after, new.after) then
    return new;
  end if;
  raise sqlstate 'PT403' using message = 'rows of audit_log are never changed or deleted';
end $$;

create table public.audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor_id uuid,
  action text not null check (action in ('insert', 'update', 'delete')),
  table_name text not null,
  row_id text not null,
  before jsonb,
  after jsonb
);
create index audit_log_at_idx on public.audit_log (at desc, id desc);
create index audit_log_row_idx on public.audit_log (table_name, row_id, at desc);
create index audit_log_table_idx on public.audit_log (table_name, at desc, id desc);
create index audit_log_actor_idx on public.audit_log (actor_id, at desc, id desc);
alter table public.audit_log enable row level security;
revoke all on public.audit_log from anon, authenticated;
grant select on public.audit_log to authenticated;
grant all on public.audit_log to service_role;
create policy "administrators read the audit log" on public.audit_log
  for select to authenticated using ((select private.is_admin()));

create trigger audit_log_is_append_only before update or delete on public.audit_log
  for each row execute function private.guard_log();
create trigger audit_log_never_emptied before truncate on public.audit_log
  for each statement execute function private.refuse_change();

create function private.record_change() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  old_row jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  new_row jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  row_key text := coalesce(new_row, old_row) ->> tg_argv[0];
begin
  if not private.is_admin() then
    return null;
  end if;
  if tg_op = 'UPDATE' then
    select jsonb_object_agg(o.key, o.value), jsonb_object_agg(o.key, new_row -> o.key)
    into old_row, new_row
    from jsonb_each(old_row) o
    where o.key <> 'updated_at' and o.value is distinct from new_row -> o.key;
    if old_row is null then
      return null;
    end if;
  end if;
  insert into public.audit_log (actor_id, action, table_name, row_id, before, after)
  values (auth.uid(), lower(tg_op), tg_table_name, row_key, old_row, new_row);
  return null;
end $$;

create function private.touch_updated_at() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  return new;
end $$;

create function private.is_blacked_out(original jsonb, redacted jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select case when original is null or redacted is null then original is null and redacted is null
    else not exists (
      select from jsonb_each(original) o full join jsonb_each(redacted) r on r.key = o.key
      where o.key is null or r.key is null or (r.value <> o.value and r.value <> '"[erased]"')) end;
$$;

grant execute on function private.refuse_change(), private.touch_updated_at() to public;

-- 01_foundations/05_input.sql
create function private.refuse(message text, field text default null) returns void
language plpgsql immutable set search_path = '' as $$
begin
  raise sqlstate 'PT422' using message = refuse.message, detail = coalesce(refuse.field, '');
end $$;

create function private.expect_unchanged(seen timestamptz, updated_at timestamptz) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if seen is null or updated_at is null or seen <> updated_at then
    raise sqlstate 'PT409' using message = 'Changed by someone else. Check the latest version before you save.', detail = 'stale';
  end if;
end $$;

create function private.typed(value text, field text, label text, longest integer, is_needed boolean default false,
                              is_one_line boolean default true) returns text
language plpgsql immutable set search_path = '' as $$
declare
  tidied text := coalesce(value, '');
begin
  tidied := btrim(case when is_one_line then regexp_replace(tidied, '[[:space:][:cntrl:]]+', ' ', 'g') else tidied end, E' \t\r\n');
  if is_needed and tidied = '' then
    perform private.refuse(format('%s is missing.', label), field);
  elsif char_length(tidied) > longest then
    perform private.refuse(format('%s can have at most %s characters.', label, longest), field);
  end if;
  return tidied;
end $$;

create function private.typed_number(typed text, places integer) returns numeric
language plpgsql immutable set search_path = '' as $$
begin
  -- One after the other: in one expression a planner may try the number before the pattern.
  if typed is null or btrim(typed) !~ format('^[0-9]{1,9}(\.[0-9]{1,%s})?$', greatest(places, 1)) then
    return null;
  end if;
  return case when scale(btrim(typed)::numeric) <= places then btrim(typed)::numeric end;
end $$;

create function private.typed_link(value text, field text, label text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  link text := private.typed(value, field, label, 500);
begin
  if link <> '' and not (link ~ '^https?://' and private.is_safe_link(link)) then
    perform private.refuse(format('%s must begin with https://', label), field);
  end if;
  return link;
end $$;

create function private.typed_phone(value text, field text, first_digit text, message text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  digits text := regexp_replace(regexp_replace(coalesce(value, ''), '[\s().-]', '', 'g'), '^(\+?91(?=[0-9]{10}$)|0(?=[0-9]{10}$))', '');
begin
  if digits <> '' and digits !~ ('^' || first_digit || '[0-9]{9}$') then
    perform private.refuse(message, field);
  end if;
  return case when digits <> '' then '+91' || digits else '' end;
end $$;

create function private.is_safe_link(link text) returns boolean
language sql immutable as $$
  select char_length(link) <= 500 and link ~ '^(/([^/\\[:space:]][^\\[:space:]]*)?|https?://[^\\[:space:]]+)$';
$$;

create function private.is_blank(words text) returns boolean
language sql immutable as $$
  select coalesce(words, '') !~ '[^\s\u0001-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]';
$$;

create function private.uuid_in(typed text) returns uuid
language sql immutable set search_path = '' as $$
  select case when typed ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then typed::uuid end;
$$;

create function private.bigint_in(typed text) returns bigint
language sql immutable set search_path = '' as $$
  select case when typed ~ '^[0-9]{1,15}$' then typed::bigint end;
$$;

create function private.rupees(paise bigint) returns text
language sql immutable set search_path = '' as $$
  select '₹' || regexp_replace(btrim(to_char(rupees.paise / 100.0, 'FM99,99,99,99,990.00')), '\.00$', '');
$$;

create function private.plain_rupees(amount numeric) returns text
language sql immutable set search_path = '' as $$
  select case when amount % 1 = 0 then trunc(amount)::text else round(amount, 2)::text end;
$$;

create function private.rupees_of_paise(paise bigint) returns text
language sql immutable set search_path = '' as $$
  select to_char(paise / 100.0, 'FM999999999990.00');
$$;

create function private.say_quantity(quantity numeric, unit text) returns text
language sql immutable set search_path = '' as $$
  select trim_scale(quantity) || ' ' || case when unit = 'piece' and quantity <> 1 then 'pieces' else unit end;
$$;

grant execute on function private.is_safe_link(text) to public;
grant execute on function private.is_blank(text) to anon, authenticated, service_role;

-- 01_foundations/06_days.sql
create function private.day_of(at timestamptz) returns date
language sql immutable as $$
  select (at at time zone 'Asia/Kolkata')::date;
$$;

create function private.start_of(day date) returns timestamptz
language sql immutable as $$
  select day::timestamp at time zone 'Asia/Kolkata';
$$;

create function private.month_of(day date) returns date
language sql immutable set search_path = '' as $$
  select date_trunc('month', day::timestamp)::date where isfinite(day);
$$;

create function private.financial_year_start(day date) returns date
language sql immutable as $$
  select make_date(extract(year from day)::integer - case when extract(month from day) < 4 then 1 else 0 end, 4, 1);
$$;

create function private.financial_year(day date) returns smallint
language sql immutable set search_path = '' as $$
  select extract(year from day - interval '3 months')::smallint;
$$;

-- 01_foundations/07_lists.sql
create function private.expect_cursor(after jsonb, kinds jsonb) returns void
language plpgsql stable set search_path = '' as $$
declare
  part record;
  is_cursor boolean := true;
begin
  if after is null then
    return;
  end if;
  begin
    for part in select k.key, k.value as kind from jsonb_each_text(kinds) k loop
      execute format('select ($1 ->> $2)::%s is not null', part.kind::regtype) into is_cursor using after, part.key;
      exit when not is_cursor;
    end loop;
  exception when data_exception then
    is_cursor := false;
  end;
  if not is_cursor then
    perform private.refuse('There is no such page. Start again from the first.', 'after');
  end if;
end $$;

create function private.page_start(after text) returns jsonb
language plpgsql immutable set search_path = '' as $$
begin
  if coalesce(after, '') = '' then
    return null;
  end if;
  if jsonb_typeof(after::jsonb -> 'key') in ('string', 'number') and jsonb_typeof(after::jsonb -> 'id') in ('string', 'number') then
    return after::jsonb;
  end if;
  perform private.refuse('This page of the list does not exist. Start again from the first page.', 'after');
exception when invalid_text_representation or untranslatable_character then
  perform private.refuse('This page of the list does not exist. Start again from the first page.', 'after');
end $$;

create function private.page_of(entries jsonb, page_size integer, keys text[]) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object('rows', entries - page_size, 'next', case when jsonb_array_length(entries) > page_size then (
    select jsonb_object_agg(k, entries -> (page_size - 1) -> k) from unnest(keys) k) end);
$$;

create function private.words_in(typed text) returns text[]
language sql immutable set search_path = '' as $$
  select coalesce(array_agg(w.word order by char_length(w.word) desc), '{}')
  from (select word from regexp_split_to_table(lower(typed), '\s+') word where word <> '' limit 8) w;
$$;

create function private.word_pattern(word text) returns text
language sql immutable set search_path = '' as $$
  select case when char_length(word) < 3 then '% ' else '%' end || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%';
$$;

create function private.has_word(word text) returns text
language sql immutable set search_path = '' as $$
  select case
    when octet_length(word) > char_length(word) then format('%s like %L and %s like %L', t.indexed,
      '%' || encode(decode(replace(word, '\', '\\'), 'escape'), 'hex') || '%', t.plain, private.word_pattern(word))
    -- Hexadecimal must not be taken for a word.
    when word ~ '^[0-9a-f]+$' then format('%s like %L and %s like %2$L', t.indexed, private.word_pattern(word), t.plain)
    else format('%s like %L', t.indexed, private.word_pattern(word)) end
  from (select p.plain, p.plain || $e$ || case when octet_length(o.delivery_name) > char_length(o.delivery_name)
      then encode(decode(replace(lower(o.delivery_name), '\', '\\'), 'escape'), 'hex') else '' end$e$ as indexed
    from (select $e$lower(' ' || o.delivery_name || ' ' || translate(o.delivery_phone, '+- ()', ''))$e$ as plain) p) t;
$$;

create function private.search_patterns(search text) returns text[]
language sql immutable set search_path = '' as $$
  select coalesce(array_agg('%' || regexp_replace(w.word, '([\\%_])', '\\\1', 'g') || '%'), '{}')
  from (select word from regexp_split_to_table(btrim(left(coalesce(search, ''), 120)), '\s+') word where word <> '' limit 8) w;
$$;

create function private.person_patterns(typed text) returns text[]
language sql immutable set search_path = '' as $$
  select case when typed ~ '^[-+() 0-9]+$' and char_length(d.digits) >= 5 then array['%' || right(d.digits, 10) || '%']
              else private.search_patterns(lower(typed)) end
  from (select regexp_replace(left(typed, 100), '[^0-9]', '', 'g') as digits) d;
$$;

create function private.phone_digits(typed text) returns text
language sql immutable set search_path = '' as $$
  select regexp_replace(regexp_replace(coalesce(typed, ''), '\D', '', 'g'), '^(91|0)(?=\d{10}$)', '');
$$;

-- 01_foundations/08_installation.sql
create table private.instance (
  name text primary key,
  value text not null
);
alter table private.instance enable row level security;

create table private.write_probe (
  id integer primary key,
  filler text not null
);
alter table private.write_probe alter column filler set storage external;
alter table private.write_probe enable row level security;

create function public.check_writable() returns void
language plpgsql security definer set search_path = '' as $$
begin
  truncate private.write_probe;
  insert into private.write_probe (id, filler) select n, repeat('x', 8000) from generate_series(1, 16) n;
  truncate private.write_probe;
end $$;

create function public.schema_versions() returns text[]
language plpgsql stable security definer set search_path = '' as $$
declare
  versions text[];
begin
  -- Kept by the Supabase CLI and by the host alike; who migrated otherwise has no such table.
  if to_regclass('supabase_migrations.schema_migrations') is null then
    return '{}';
  end if;
  execute 'select array_agg(version order by version) from supabase_migrations.schema_migrations' into versions;
  return coalesce(versions, '{}');
end $$;

create function public.schema_checksums() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  checksums jsonb;
begin
  if to_regclass('supabase_migrations.schema_migrations') is null then
    return '{}';
  end if;
  execute $query$
    select jsonb_object_agg(m.version, encode(sha256(convert_to(
      replace(replace(replace(replace(replace(array_to_string(m.statements, ''),
        ' ', ''), E'\t', ''), E'\r', ''), E'\n', ''), ';', ''), 'UTF8')), 'hex'))
    from supabase_migrations.schema_migrations m
    where m.statements is not null
  $query$ into checksums;
  return coalesce(checksums, '{}');
end $$;

revoke execute on function public.check_writable() from public, anon, authenticated;
grant execute on function public.check_writable() to service_role;
revoke execute on function public.schema_versions(), public.schema_checksums() from public, anon, authenticated;
grant execute on function public.schema_versions(), public.schema_checksums() to anon, authenticated, service_role;

-- 02_people/01_profiles.sql
create function private.metadata_of(stored jsonb) returns jsonb
language plpgsql immutable set search_path = '' as $$
begin
  return case when jsonb_typeof(stored) = 'string' then (stored #>> '{}')::jsonb else stored end;
exception when data_exception then
  return '{}';
end $$;

create function private.person_name(user_id uuid) returns text
language sql stable set search_path = '' as $$
  select coalesce(nullif(btrim(m.data ->> 'full_name'), ''), nullif(btrim(m.data ->> 'name'), ''), u.email, 'Somebody')
  from auth.users u cross join lateral (select private.metadata_of(u.raw_user_meta_data) as data) m
  where u.id = person_name.user_id;
$$;

create table public.user_profiles (
  user_id uuid primary key references auth.users (id) on delete cascade,
  phone text check (phone ~ '^((\+91[ -]?)?[6-9][0-9]{9})?$'),
  building_no text check (char_length(building_no) <= 120),
  street text check (char_length(street) <= 200),
  city text check (char_length(city) <= 80),
  state text check (char_length(state) <= 80),
  zip text check (zip ~ '^([1-9][0-9]{5})?$'),
  avatar_url text check (avatar_url = '' or private.is_safe_link(avatar_url)),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  full_name text
  constraint user_profiles_full_name_check check (char_length(full_name) <= 80)
);
create index user_profiles_phone_idx on public.user_profiles (right(regexp_replace(phone, '\D', '', 'g'), 10));
alter table public.user_profiles enable row level security;
revoke all on public.user_profiles from anon, authenticated;
grant select, insert, update on public.user_profiles to authenticated;
grant all on public.user_profiles to service_role;
create policy "customers create their own profile" on public.user_profiles
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "customers change their own profile" on public.user_profiles
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "customers read their own profile, administrators all" on public.user_profiles
  for select to authenticated using (user_id = (select auth.uid()) or (select private.is_admin()));

create view private.buyers with (security_invoker = true) as
  select u.id, u.email,
         coalesce(nullif(left(btrim(m.data ->> 'full_name'), 120), ''), nullif(left(btrim(m.data ->> 'name'), 120), ''),
                  nullif(left(split_part(u.email, '@', 1), 120), ''), 'Customer') as name,
         coalesce(btrim(p.phone), '') as phone, coalesce(btrim(p.building_no), '') as building_no,
         coalesce(btrim(p.street), '') as street, coalesce(btrim(p.city), '') as city,
         coalesce(btrim(p.state), '') as state, coalesce(btrim(p.zip), '') as zip
  from auth.users u
  cross join lateral (select private.metadata_of(u.raw_user_meta_data) as data offset 0) m
  left join public.user_profiles p on p.user_id = u.id;

create function private.guard_profile() returns trigger
language plpgsql set search_path = '' as $$
begin
  if current_user in ('anon', 'authenticated') then
    new.created_at := case when tg_op = 'UPDATE' then old.created_at else now() end;
    if tg_op = 'UPDATE' and new.user_id <> old.user_id then
      raise sqlstate 'PT403' using message = 'a profile cannot be given to somebody else';
    end if;
  end if;
  new.updated_at := now();
  return new;
end $$;
create trigger user_profiles_guard before insert or update on public.user_profiles
  for each row execute function private.guard_profile();

create function private.limit_profile_edits() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_service() and not private.take_turn('profile edit', new.user_id::text, 30, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'too many changes of the profile: at most thirty an hour';
  end if;
  return new;
end $$;
create trigger user_profiles_limit before update on public.user_profiles
  for each row execute function private.limit_profile_edits();

create function private.guard_user_metadata() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  stored jsonb := private.metadata_of(new.raw_user_meta_data);
  bounded jsonb := private.bounded_metadata(stored);
  own_name text := (select nullif(btrim(p.full_name), '') from public.user_profiles p where p.user_id = new.id);
begin
  if own_name is not null and jsonb_typeof(coalesce(bounded, '{}')) = 'object' then
    bounded := coalesce(bounded, '{}') || jsonb_build_object('name', own_name, 'full_name', own_name);
  end if;
  -- The embedded backend may store the object as a JSON text, which is left alone unless something has to change.
  if bounded is distinct from stored or octet_length(new.raw_user_meta_data::text) > 16384 then
    new.raw_user_meta_data := bounded;
  end if;
  return new;
exception when others then
  raise warning 'metadata of account % not checked: %', new.id, sqlstate;
  return new;
end $$;
create trigger shop_guards_metadata before insert or update of raw_user_meta_data on auth.users
  for each row execute function private.guard_user_metadata();

create function private.guard_identity_data() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.identity_data := private.bounded_metadata(new.identity_data);
  return new;
exception when others then
  raise warning 'data of an identity of account % not checked: %', new.user_id, sqlstate;
  return new;
end $$;
create trigger shop_guards_identity_data before insert or update of identity_data on auth.identities
  for each row execute function private.guard_identity_data();

create function private.mirror_own_name() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  own_name constant text := nullif(btrim(new.full_name), '');
begin
  if own_name is not null and (tg_op = 'INSERT' or new.full_name is distinct from old.full_name) then
    update auth.users u
    set raw_user_meta_data = coalesce(private.metadata_of(u.raw_user_meta_data), '{}')
                             || jsonb_build_object('name', own_name, 'full_name', own_name)
    where u.id = new.user_id;
  end if;
  return null;
end $$;
create trigger user_profiles_mirror_own_name after insert or update of full_name on public.user_profiles
  for each row execute function private.mirror_own_name();

create function private.bounded_metadata(data jsonb) returns jsonb
language plpgsql immutable set search_path = '' as $$
declare
  most_bytes constant integer := 4096;
  used constant text[] := array['sub', 'iss', 'provider_id', 'email', 'email_verified', 'phone_verified', 'full_name', 'name',
                                'address', 'avatar_url', 'picture', 'user_name', 'preferred_username'];
  bounded jsonb := data;
  field text;
begin
  if jsonb_typeof(data) is distinct from 'object' then
    return data;
  end if;
  foreach field in array array['full_name', 'name'] loop
    if jsonb_typeof(bounded -> field) = 'string' then
      if char_length(bounded ->> field) > 80 then
        bounded := jsonb_set(bounded, array[field], to_jsonb(left(bounded ->> field, 80)));
      end if;
    else
      bounded := bounded - field;
    end if;
  end loop;
  if octet_length(bounded::text) <= most_bytes then
    return bounded;
  end if;
  select coalesce(jsonb_object_agg(f.key, f.value), '{}') into bounded
  from (
    select e.key, e.value,
           sum(octet_length(e.key) + octet_length(e.value::text) + 6) over (order by array_position(used, e.key)) as bytes
    from jsonb_each(bounded) e
    where e.key = any (used) and octet_length(e.value::text) <= most_bytes / 2
  ) f
  where f.bytes <= most_bytes - 2;
  return bounded;
end $$;

create function public.get_user_info(user_id uuid, out name text, out avatar_url text)
language sql stable security definer set search_path = '' as $$
  select coalesce(max(a.name), 'Anonymous'), max(a.avatar_url) filter (where private.is_safe_link(a.avatar_url))
  from (
    select
      left(coalesce(nullif(btrim(m.data ->> 'full_name'), ''), nullif(btrim(m.data ->> 'name'), '')), 80) as name,
      coalesce(nullif(p.avatar_url, ''), nullif(m.data ->> 'avatar_url', '')) as avatar_url
    from auth.users u
    cross join lateral (select private.metadata_of(u.raw_user_meta_data) as data) m
    left join public.user_profiles p on p.user_id = u.id
    where u.id = get_user_info.user_id
      and exists (select from public.comments c where c.user_id = u.id and c.hidden_at is null)
  ) a;
$$;

grant execute on function private.guard_profile() to public;
revoke execute on function public.get_user_info(uuid) from public, anon, authenticated;
grant execute on function public.get_user_info(uuid) to anon, authenticated, service_role;

-- 02_people/02_sessions.sql
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

create function private.current_session() returns uuid
language plpgsql stable set search_path = '' as $$
begin
  return (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'session_id')::uuid;
exception when data_exception then
  return null;
end $$;

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

create function private.may_refresh(token text, address text, user_agent text, at timestamptz) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  used record;
begin
  perform pg_advisory_xact_lock(hashtextextended('refresh ' || token, 0));
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

create function private.is_own_session_active() returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  own constant uuid := private.current_session();
begin
  return own is null or exists (select from auth.sessions s where s.id = own and s.user_id = (select auth.uid()));
end $$;

create function private.check_session() returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_own_session_active() then
    raise sqlstate 'PT401' using message = 'The session has ended. Please log in again.';
  end if;
end $$;

create function public.is_session_active(session_id uuid, user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from auth.sessions s where s.id = is_session_active.session_id and s.user_id = is_session_active.user_id);
$$;

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

-- 02_people/03_security_events.sql
create table private.security_events (
  id bigint generated always as identity primary key,
  kind text not null check (kind in (
    'signed-in', 'sign-in-failed', 'sign-in-refused', 'sign-in-limited', 'token-reused', 'code-reused', 'logged-out',
    'session-ended', 'logged-out-everywhere', 'console-refused', 'administrator-added', 'administrator-removed',
    'customer-blocked', 'customer-unblocked', 'secret-changed', 'customers-downloaded', 'orders-downloaded',
    'documents-downloaded')),
  minute timestamptz not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  times integer not null default 1,
  user_id uuid references auth.users (id) on delete cascade,
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
  for each statement execute function private.refuse_change();

create table private.used_codes (
  code_hash bytea primary key,
  session_id uuid,
  is_reused boolean not null default false,
  noted_at timestamptz not null default now()
);
create index used_codes_noted_at_idx on private.used_codes (noted_at);
alter table private.used_codes enable row level security;

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

create function private.record_secret_change() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.record_security_event('secret-changed', auth.uid(), detail => old.name);
  return null;
end $$;
create trigger instance_records_secret_change after update or delete on private.instance
  for each row execute function private.record_secret_change();

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

create function private.code_hash(code text) returns bytea
language sql immutable set search_path = '' as $$
  select sha256(convert_to(code, 'UTF8'));
$$;

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

create function public.record_download(user_id uuid, what text, user_agent text default '') returns void
language sql security definer set search_path = '' as $$
  select private.record_security_event(record_download.what || '-downloaded', record_download.user_id, '', record_download.user_agent)
  where record_download.what in ('customers', 'orders', 'documents');
$$;

revoke execute on function public.record_download(uuid, text, text) from public, anon, authenticated;
grant execute on function public.record_download(uuid, text, text) to service_role;

-- 03_catalogue/01_shop_settings.sql
create function private.is_gstin(gstin text) returns boolean
language sql immutable set search_path = '' as $$
  select is_gstin.gstin ~ '^[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][0-9A-Z]Z[0-9A-Z]$'
     and substr(is_gstin.gstin, 15, 1) = substr(a.letters, (36 - sum(p.product / 36 + p.product % 36)::integer % 36) % 36 + 1, 1)
  from (values ('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ')) a (letters),
       generate_series(1, 14) place,
       lateral (select (strpos(a.letters, substr(is_gstin.gstin, place, 1)) - 1) * (2 - place % 2) as product) p
  group by a.letters;
$$;

create function private.gstin_state_code(state text) returns text
language sql immutable set search_path = '' as $$
  select s.code from (values
    ('Jammu and Kashmir', '01'), ('Himachal Pradesh', '02'), ('Punjab', '03'), ('Chandigarh', '04'), ('Uttarakhand', '05'),
    ('Haryana', '06'), ('Delhi', '07'), ('Rajasthan', '08'), ('Uttar Pradesh', '09'), ('Bihar', '10'), ('Sikkim', '11'),
    ('Arunachal Pradesh', '12'), ('Nagaland', '13'), ('Manipur', '14'), ('Mizoram', '15'), ('Tripura', '16'),
    ('Meghalaya', '17'), ('Assam', '18'), ('West Bengal', '19'), ('Jharkhand', '20'), ('Odisha', '21'), ('Chhattisgarh', '22'),
    ('Madhya Pradesh', '23'), ('Gujarat', '24'), ('Dadra and Nagar Haveli and Daman and Diu', '26'), ('Maharashtra', '27'),
    ('Karnataka', '29'), ('Goa', '30'), ('Lakshadweep', '31'), ('Kerala', '32'), ('Tamil Nadu', '33'), ('Puducherry', '34'),
    ('Andaman and Nicobar Islands', '35'), ('Telangana', '36'), ('Andhra Pradesh', '37'), ('Ladakh', '38')) s (state, code)
  where s.state = gstin_state_code.state;
$$;

create table public.shop_settings (
  id boolean primary key default true check (id),
  name text not null check (char_length(name) between 1 and 60),
  legal_name text not null default '' check (char_length(legal_name) <= 120),
  address text not null default '' check (char_length(address) <= 400),
  state text not null default '' check (char_length(state) <= 60),
  fssai_number text not null default '' check (fssai_number ~ '^([0-9]{14})?$'),
  gstin text not null default '' check (gstin ~ '^([0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][0-9A-Z]Z[0-9A-Z])?$'),
  email text not null default '' check (char_length(email) <= 200),
  whatsapp_number text not null default '' check (whatsapp_number ~ '^(\+91[6-9][0-9]{9})?$'),
  instagram_url text not null default '' check (instagram_url = '' or private.is_safe_link(instagram_url)),
  facebook_url text not null default '' check (facebook_url = '' or private.is_safe_link(facebook_url)),
  grievance_officer text not null default '' check (char_length(grievance_officer) <= 200),
  updated_at timestamptz not null default now(),
  cutoff_time time not null default '14:00' check (cutoff_time < '24:00'),
  weekly_off smallint[] not null default '{0}'
    check (weekly_off <@ '{0,1,2,3,4,5,6}' and not weekly_off @> '{0,1,2,3,4,5,6}'),
  grievance_email text not null default '' check (char_length(grievance_email) <= 200),
  grievance_phone text not null default '' check (grievance_phone ~ '^(\+91[1-9][0-9]{9})?$'),
  grievance_hours text not null default '' check (char_length(grievance_hours) <= 120),
  cart_shipping text not null default 'flat' check (cart_shipping in ('flat', 'zone')),
  cart_flat_charge numeric(8, 2) not null default 40
    check (cart_flat_charge between 0 and 10000 and cart_flat_charge <> 'NaN'),
  cart_zone_from_grams integer check (cart_zone_from_grams between 1 and 30000)
);
comment on column public.shop_settings.cart_shipping is 'flat: cart_flat_charge, below cart_zone_from_grams if that is set; zone: the zone''s rate.';
alter table public.shop_settings enable row level security;
revoke all on public.shop_settings from anon, authenticated;
grant select on public.shop_settings to anon;
grant select, update on public.shop_settings to authenticated;
grant all on public.shop_settings to service_role;
create policy "everybody reads the shop's facts" on public.shop_settings
  for select to anon, authenticated using (true);
create policy "administrators change the shop's facts" on public.shop_settings
  for update to authenticated using ((select private.is_admin())) with check ((select private.is_admin()));

insert into public.shop_settings (name) values ('Mithaas');

create trigger shop_settings_touch before update on public.shop_settings
  for each row execute function private.touch_updated_at();
create trigger shop_settings_audit after update on public.shop_settings
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');
create trigger shop_settings_require_admin before insert or delete or update on public.shop_settings
  for each statement when (current_user in ('anon', 'authenticated')) execute function private.require_admin_to_write();

create function private.guard_shop_facts() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  lost record;
begin
  select f.field, f.words into lost
  from (values ('legal_name', 'legal name', old.legal_name, new.legal_name), ('address', 'address', old.address, new.address),
               ('fssai_number', 'FSSAI licence number', old.fssai_number, new.fssai_number)) f (field, words, before, after)
  where private.is_blank(f.after) and not private.is_blank(f.before) limit 1;
  if found and exists (select from public."Products" p where p.is_listed and p.archived_at is null) then
    perform private.refuse(format('While products are listed, the shop needs its %s. Enter another one instead of leaving it blank.', lost.words),
                           lost.field);
  end if;
  return new;
end $$;
create trigger shop_settings_guard_facts before update of legal_name, address, fssai_number on public.shop_settings
  for each row execute function private.guard_shop_facts();

create function private.keep_gstin() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  taxed constant bigint := (select count(*) from public."Products" p where p.gst_percent > 0 and p.archived_at is null);
begin
  if taxed > 0 then
    perform private.refuse(format('Without a GSTIN no GST may be charged, and %s. Set GST to 0 there first.',
      case taxed when 1 then 'one product has it' else format('%s products have it', taxed) end), 'gstin');
  end if;
  return new;
end $$;
create trigger shop_settings_keep_gstin before update of gstin on public.shop_settings
  for each row when (old.gstin <> '' and new.gstin = '') execute function private.keep_gstin();

create function private.is_registered() returns boolean
language sql stable set search_path = '' as $$
  select s.gstin <> '' from public.shop_settings s where s.id;
$$;

create function private.typed_shop_facts(facts jsonb) returns public.shop_settings
language plpgsql stable set search_path = '' as $$
declare
  typed public.shop_settings;
  mail constant text := '^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>".]{2,}$';
begin
  typed.name := private.typed(facts ->> 'name', 'name', 'The shop’s name', 60, is_needed => true);
  typed.legal_name := private.typed(facts ->> 'legal_name', 'legal_name', 'The legal name', 120);
  typed.address := private.typed(facts ->> 'address', 'address', 'The address', 400);
  typed.state := private.typed(facts ->> 'state', 'state', 'The state', 60);
  if typed.state <> '' and private.gstin_state_code(typed.state) is null then
    perform private.refuse('Choose a state or union territory of India.', 'state');
  end if;
  typed.fssai_number := regexp_replace(coalesce(facts ->> 'fssai_number', ''), '[\s-]', '', 'g');
  if typed.fssai_number !~ '^([0-9]{14})?$' then
    perform private.refuse('An FSSAI licence number has 14 digits.', 'fssai_number');
  end if;
  typed.gstin := upper(regexp_replace(coalesce(facts ->> 'gstin', ''), '[\s-]', '', 'g'));
  if typed.gstin <> '' then
    if typed.gstin !~ '^[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][0-9A-Z]Z[0-9A-Z]$' then
      perform private.refuse('A GSTIN has 15 characters, such as 27ABCDE1234F1Z5.', 'gstin');
    elsif not private.is_gstin(typed.gstin) then
      perform private.refuse('This GSTIN is not valid. Check each character.', 'gstin');
    elsif typed.state <> '' and left(typed.gstin, 2) <> private.gstin_state_code(typed.state) then
      perform private.refuse(format('A GSTIN of %s starts with %s.', typed.state, private.gstin_state_code(typed.state)), 'gstin');
    end if;
  end if;
  typed.email := private.typed(facts ->> 'email', 'email', 'The e-mail address', 200);
  if typed.email <> '' and typed.email !~ mail then
    perform private.refuse('Enter a valid email address.', 'email');
  end if;
  typed.whatsapp_number := private.typed_phone(facts ->> 'whatsapp_number', 'whatsapp_number', '[6-9]',
    'A WhatsApp number is an Indian mobile number, such as +91 98765 43210.');
  typed.instagram_url := private.typed_link(facts ->> 'instagram_url', 'instagram_url', 'The link to Instagram');
  typed.facebook_url := private.typed_link(facts ->> 'facebook_url', 'facebook_url', 'The link to Facebook');
  typed.grievance_officer := private.typed(facts ->> 'grievance_officer', 'grievance_officer', 'The officer’s name', 200);
  typed.grievance_email := private.typed(facts ->> 'grievance_email', 'grievance_email', 'The e-mail address', 200);
  if typed.grievance_email <> '' and typed.grievance_email !~ mail then
    perform private.refuse('Enter a valid email address.', 'grievance_email');
  end if;
  typed.grievance_phone := private.typed_phone(facts ->> 'grievance_phone', 'grievance_phone', '[1-9]',
    'A phone number has ten digits, with the code of the town for a landline, such as +91 22 2345 6789.');
  typed.grievance_hours := private.typed(facts ->> 'grievance_hours', 'grievance_hours', 'The hours', 120);
  return typed;
end $$;

-- 03_catalogue/02_products.sql
create function private.missing_facts(
  food_mark text, ingredients text, allergens text, shelf_life_days numeric, storage text, weight_grams numeric)
returns text[]
language sql immutable as $$
  select array_remove(array[
    case when food_mark is null then 'food_mark' end,
    case when private.is_blank(ingredients) then 'ingredients' end,
    case when private.is_blank(allergens) then 'allergens' end,
    case when shelf_life_days is null then 'shelf_life_days' end,
    case when private.is_blank(storage) then 'storage' end,
    case when weight_grams is null then 'weight_grams' end], null);
$$;

create function private.is_offer_backed(offer_percent smallint, price numeric, regular_price numeric) returns boolean
language sql immutable parallel safe as $$
  select coalesce(offer_percent, 10) in (0, private.true_offer(price, regular_price));
$$;

create table public.categories (
  id bigint generated always as identity primary key,
  name text not null unique check (char_length(name) between 2 and 40 and name = btrim(name) and name !~ '[[:cntrl:]"\\<>{}]'
                                   and name !~ '\s\s' and lower(name) not in ('all', 'category')),
  colour text check (colour ~ '^#[0-9a-f]{6}$'),
  position integer not null,
  is_fixed boolean not null default false,
  updated_at timestamptz not null default now()
);
comment on table public.categories is 'What products are sorted into. The five of the specification are fixed.';
create unique index categories_name_idx on public.categories (lower(name));
alter table public.categories enable row level security;
revoke all on public.categories from anon, authenticated;
grant select on public.categories to anon, authenticated;
grant all on public.categories to service_role;
create policy "everybody reads categories" on public.categories for select to anon, authenticated using (true);

insert into public.categories (name, position, is_fixed) values
  ('Chocolate', 1, true), ('Laddu', 2, true), ('Halwa', 3, true), ('Gift', 4, true), ('Takeaway', 5, true);

create trigger categories_touch before update on public.categories
  for each row execute function private.touch_updated_at();
create trigger categories_audit after insert or update or delete on public.categories
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');

create table public."Products" (
  "Id" bigint generated by default as identity primary key,
  "Name" text not null check (char_length(btrim("Name")) between 1 and 120),
  "Description" text not null default '' check (char_length("Description") <= 4000),
  "Price" numeric(10, 2) not null check ("Price" >= 1)
    constraint "Products_Price_is_a_number" check ("Price" <> 'NaN'),
  "Image" text not null default '' check ("Image" = '' or private.is_safe_link("Image")),
  "Category" text not null,
  isavailable boolean not null default false,
  "hasSize" boolean not null default false,
  "Rating" numeric(3, 2) check ("Rating" between 1 and 5)
    constraint "Products_Rating_is_a_number" check ("Rating" <> 'NaN'),
  offer_percent smallint check (offer_percent between 0 and 90),
  regular_price numeric(10, 2) check (regular_price > "Price")
    constraint "Products_regular_price_is_a_number" check (regular_price <> 'NaN'),
  gst_percent numeric(4, 2) not null default 5 check (gst_percent between 0 and 40)
    constraint "Products_gst_percent_is_a_number" check (gst_percent <> 'NaN'),
  hsn text not null default '2106' check (hsn ~ '^[0-9]{4,8}$'),
  weight_grams integer not null default 500 check (weight_grams between 1 and 30000),
  ingredients text not null default '' check (char_length(ingredients) <= 2000),
  allergens text not null default '' check (char_length(allergens) <= 500),
  shelf_life_days smallint check (shelf_life_days between 1 and 730),
  storage text not null default '' check (char_length(storage) <= 300),
  review_count integer not null default 0 check (review_count >= 0),
  combo text unique check (combo in ('halwa', 'chocolate', 'laddu', 'family')),
  is_listed boolean not null default false,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  food_mark text check (food_mark in ('veg', 'non-veg')),
  maker text not null default '' check (char_length(maker) <= 300),
  taste text not null default '' check (char_length(taste) <= 300),
  travel text not null default '' check (char_length(travel) <= 300),
  constraint products_category_fkey
  foreign key ("Category") references public.categories (name) on update cascade
);
comment on column public."Products"."Price" is 'Rupees per 500 g; for products without sizes, rupees per piece or pack.';
comment on column public."Products".weight_grams is 'What one unit weighs in the parcel: 500 for sized products.';
comment on column public."Products".combo is 'Which of the home page''s four combo packs this product is.';
comment on column public."Products".isavailable is 'Listed and in stock: kept by triggers, never written by hand.';
comment on column public."Products".food_mark is 'The mark that food in India carries; egg counts as non-veg. Null: not said.';
comment on column public."Products".maker is 'Name and address of who made it; empty: the shop itself.';
comment on column public."Products".taste is 'What it tastes like, in a sentence or two; empty: the page leaves it out.';
comment on column public."Products".travel is 'How it is packed and how it travels; empty: the page leaves it out.';
create unique index products_name_idx on public."Products" (lower("Name")) where archived_at is null;
create index products_best_selling_idx on public."Products" ("Category", "Rating" desc nulls last, "Id");
create index products_name_trgm_idx on public."Products" using gin ("Name" extensions.gin_trgm_ops);
create index products_name_search_idx on public."Products" using gin (lower("Name") extensions.gin_trgm_ops);
create index products_by_name_idx on public."Products" (lower("Name"), "Id");
create index products_by_price_idx on public."Products" ("Price", "Id");
create index products_by_rating_idx on public."Products" (coalesce("Rating", 0), "Id");
create index products_by_change_idx on public."Products" (updated_at, "Id");
create index products_current_idx on public."Products" ("Id") where archived_at is null;
create index products_off_sale_idx on public."Products" ("Id") where not is_listed or archived_at is not null;
create index products_incomplete_idx on public."Products" ("Id")
  where is_listed and archived_at is null
    and private.missing_facts(food_mark, ingredients, allergens, shelf_life_days, storage, weight_grams) <> '{}';
alter table public."Products" enable row level security;
revoke all on public."Products" from anon, authenticated;
grant select on public."Products" to anon;
grant select, insert, update, delete on public."Products" to authenticated;
grant all on public."Products" to service_role;
create policy "administrators add products" on public."Products"
  for insert to authenticated with check ((select private.is_admin()));
create policy "administrators change products" on public."Products"
  for update to authenticated using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "administrators delete products never sold" on public."Products"
  for delete to authenticated using ((select private.is_admin()));
create policy "visitors see listed products" on public."Products"
  for select to anon using (is_listed and archived_at is null);
create policy "customers see listed products, administrators all" on public."Products"
  for select to authenticated using ((is_listed and archived_at is null) or (select private.is_admin()));

create trigger products_touch before update on public."Products"
  for each row when (pg_trigger_depth() = 0) execute function private.touch_updated_at();
create trigger products_audit after insert or update or delete on public."Products"
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('Id');
create trigger products_require_admin before insert or delete or update on public."Products"
  for each statement when (current_user in ('anon', 'authenticated')) execute function private.require_admin_to_write();

create table private.product_names (
  product_id bigint not null references public."Products" ("Id") on delete cascade,
  name text not null,
  primary key (product_id, name)
);
create index product_names_search_idx on private.product_names using gin (lower(' ' || name) extensions.gin_trgm_ops);
alter table private.product_names enable row level security;

create function private.keep_fixed_categories() returns trigger
language plpgsql set search_path = '' as $$
begin
  perform private.refuse(format('%s is one of the shop''s first five categories and stays as it is.', old.name), 'name');
  return null;
end $$;
create trigger categories_keep_fixed before update or delete on public.categories
  for each row when (old.is_fixed) execute function private.keep_fixed_categories();

create function private.guard_listing() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  missing constant text[] := private.missing_facts(
    new.food_mark, new.ingredients, new.allergens, new.shelf_life_days, new.storage, new.weight_grams);
begin
  if missing <> '{}' then
    perform private.refuse(private.listing_refusal(new."Name", missing), missing[1]);
  end if;
  return new;
end $$;
create trigger products_guard_listing
  before insert or update of "Id", "Name", "Description", "Price", "Image", "Category", "hasSize", offer_percent, regular_price,
    gst_percent, hsn, weight_grams, food_mark, ingredients, allergens, shelf_life_days, storage, maker, combo, is_listed, archived_at
  on public."Products"
  for each row when (new.is_listed and new.archived_at is null) execute function private.guard_listing();

create function private.guard_offer() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  has_same_tag constant boolean := tg_op = 'UPDATE' and new.offer_percent is not distinct from old.offer_percent;
  problem text;
begin
  if not private.is_admin()
     or (has_same_tag and new."Price" = old."Price" and new.regular_price is not distinct from old.regular_price) then
    return new;
  end if;
  if has_same_tag or new.offer_percent is null then
    new.offer_percent := private.true_offer(new."Price", new.regular_price);
  end if;
  problem := private.untrue_offer(new.offer_percent, new."Price", new.regular_price);
  if problem is not null then
    perform private.refuse(problem, 'offer_percent');
  end if;
  return new;
end $$;
create trigger products_guard_offer before insert or update of "Price", regular_price, offer_percent on public."Products"
  for each row execute function private.guard_offer();

create function private.remember_product_name() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.product_names (product_id, name) values (new."Id", new."Name") on conflict do nothing;
  return null;
end $$;
create trigger products_remember_name after insert or update of "Name" on public."Products"
  for each row execute function private.remember_product_name();

create function private.true_offer(price numeric, regular_price numeric) returns smallint
language sql immutable parallel safe as $$
  select case when price >= 0 and regular_price > price
              then least(90, floor((regular_price - price) * 100 / regular_price)) else 0 end::smallint;
$$;

create function private.true_offer_of(draft jsonb) returns smallint
language sql immutable set search_path = '' as $$
  select private.true_offer(case when jsonb_typeof(draft -> 'price_paise') = 'number' then (draft ->> 'price_paise')::numeric end,
    case when jsonb_typeof(draft -> 'regular_price_paise') = 'number' then (draft ->> 'regular_price_paise')::numeric end);
$$;

create function private.untrue_offer(offer_percent numeric, price numeric, regular_price numeric) returns text
language sql immutable set search_path = '' as $$
  select case
    when offer_percent is not distinct from private.true_offer(price, regular_price) then null
    when private.true_offer(price, regular_price) = 0
      then 'There is no offer to show: the regular price is not above the price. Give a regular price, or leave the offer empty.'
    else format('Against the regular price it is %1$s%% off. Write %1$s, or leave the offer empty.',
                private.true_offer(price, regular_price)) end;
$$;

create function private.category_choices() returns text
language sql stable set search_path = '' as $$
  select regexp_replace(string_agg(c.name, ', ' order by not c.is_fixed,
    array_position(array['Halwa', 'Chocolate', 'Laddu', 'Takeaway', 'Gift'], c.name), c.position, c.id), ', ([^,]*)$', ' or \1')
  from public.categories c;
$$;

grant execute on function private.missing_facts(text, text, text, numeric, text, numeric) to anon, authenticated, service_role;

-- 03_catalogue/03_pictures.sql
create table public.product_pictures (
  product_id bigint not null references public."Products" ("Id") on delete cascade,
  position smallint not null check (position between 2 and 8),
  image text not null check (private.is_safe_link(image)),
  alt text not null default '' check (char_length(alt) <= 160),
  primary key (product_id, position)
);
create index product_pictures_image_idx on public.product_pictures (image);
alter table public.product_pictures enable row level security;
revoke all on public.product_pictures from anon, authenticated;
grant select on public.product_pictures to anon, authenticated;
grant all on public.product_pictures to service_role;
create policy "pictures are read with their product" on public.product_pictures
  for select to anon, authenticated
  using (exists (select from public."Products" p where p."Id" = product_id));

create trigger product_pictures_audit after insert or update or delete on public.product_pictures
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('product_id');

create function private.more_pictures_of(product_id bigint) returns text
language sql stable set search_path = '' as $$
  select coalesce(string_agg(rtrim(m.image || ' ' || m.alt), ' | ' order by m.position), '')
  from public.product_pictures m where m.product_id = more_pictures_of.product_id;
$$;

create function private.read_more_pictures(more_pictures text) returns table (place integer, image text, alt text)
language sql immutable set search_path = '' as $$
  select row_number() over (order by e.place)::integer, split_part(e.entry, ' ', 1),
         btrim(substr(e.entry, length(split_part(e.entry, ' ', 1)) + 1))
  from (select s.place, btrim(regexp_replace(s.entry, '\s+', ' ', 'g')) as entry
        from regexp_split_to_table(read_more_pictures.more_pictures, '\|') with ordinality s (entry, place)) e
  where e.entry <> '';
$$;

create function private.pictures_of(product public."Products") returns text[]
language sql stable set search_path = '' as $$
  select array_remove(product."Image" || array(
    select m.image from public.product_pictures m where m.product_id = product."Id" order by m.position), '');
$$;

create function private.unused_picture(image text) returns text
language sql stable set search_path = '' as $$
  select unused_picture.image
  where unused_picture.image like '%/storage/v1/object/public/products/%'
    and not exists (select from public."Products" p where p."Image" = unused_picture.image)
    and not exists (select from public.product_pictures m where m.image = unused_picture.image)
    and not exists (select from public.caurousel c where c.background_img = unused_picture.image)
    and not exists (select from public.greetings g where g.image = unused_picture.image)
    and not exists (select from private.quotes q where q.expires_at > now() - interval '6 days'
                    and q.lines @> jsonb_build_array(jsonb_build_object('product_image', unused_picture.image)))
    and not exists (select from public.order_items i where i.product_image = unused_picture.image);
$$;

create function private.unused_pictures(images text[]) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(distinct i), '[]') from unnest(images) i where private.unused_picture(i) is not null;
$$;

create function private.presentation_of(product public."Products") returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('taste', product.taste, 'travel', product.travel,
                            'more_pictures', private.more_pictures_of(product."Id"));
$$;

create function private.empty_presentation() returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb '{"taste": "", "travel": "", "more_pictures": ""}';
$$;

create function private.presentation_problems(presentation jsonb) returns table (field text, message text)
language plpgsql stable set search_path = '' as $$
begin
  return query
  select p.key, 'This is a text.' from jsonb_each(presentation) p where jsonb_typeof(p.value) <> 'string';
  if found then
    return;
  end if;
  return query
  select p.field, p.message from (values
    ('taste', case when char_length(presentation ->> 'taste') > 300 then 'The taste has at most 300 characters.' end),
    ('travel', case when char_length(presentation ->> 'travel') > 300 then 'How it travels has at most 300 characters.' end),
    ('more_pictures', (
      select case
        when count(*) > 7 then 'A product has at most 8 pictures.'
        when not bool_and(private.is_safe_link(m.image)) then 'A picture is an address of this site or of the web.'
        when max(char_length(m.alt)) > 160 then 'The description of a picture has at most 160 characters.'
        when count(distinct m.image) < count(*) then 'The same picture is there twice.' end
      from private.read_more_pictures(presentation ->> 'more_pictures') m))
  ) p (field, message) where p.message is not null;
end $$;

create function private.write_presentation(product_id bigint, presentation jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  update public."Products" p set taste = presentation ->> 'taste', travel = presentation ->> 'travel'
  where p."Id" = write_presentation.product_id
    and (p.taste, p.travel) is distinct from (presentation ->> 'taste', presentation ->> 'travel');
  delete from public.product_pictures m
  where m.product_id = write_presentation.product_id
    and m.position > 1 + (select count(*) from private.read_more_pictures(presentation ->> 'more_pictures'));
  insert into public.product_pictures as m (product_id, position, image, alt)
  select write_presentation.product_id, r.place + 1, r.image, r.alt
  from private.read_more_pictures(presentation ->> 'more_pictures') r
  on conflict on constraint product_pictures_pkey do update set image = excluded.image, alt = excluded.alt
  where (m.image, m.alt) is distinct from (excluded.image, excluded.alt);
end $$;

do $$
begin
  if to_regclass('storage.objects') is not null then
    insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
      ('products', 'products', true, 2097152, array['image/webp']),
      ('banners', 'banners', true, 2097152, array['image/webp']),
      ('receipts', 'receipts', false, 5242880, array['image/webp'])
    on conflict (id) do nothing;

    create policy "administrators read pictures" on storage.objects
      for select to authenticated using (bucket_id in ('products', 'banners') and (select private.is_admin()));
    create policy "administrators add pictures" on storage.objects
      for insert to authenticated with check (bucket_id in ('products', 'banners') and (select private.is_admin()));
    create policy "administrators replace pictures" on storage.objects
      for update to authenticated using (bucket_id in ('products', 'banners') and (select private.is_admin()))
      with check (bucket_id in ('products', 'banners') and (select private.is_admin()));
    create policy "administrators remove pictures" on storage.objects
      for delete to authenticated using (bucket_id in ('products', 'banners') and (select private.is_admin()));

    create policy "administrators read receipts" on storage.objects
      for select to authenticated using (bucket_id = 'receipts' and (select private.is_admin()));
    create policy "administrators add receipts" on storage.objects
      for insert to authenticated with check (bucket_id = 'receipts' and (select private.is_admin()));
    create policy "administrators replace receipts" on storage.objects
      for update to authenticated using (bucket_id = 'receipts' and (select private.is_admin()))
      with check (bucket_id = 'receipts' and (select private.is_admin()));
    create policy "administrators remove receipts" on storage.objects
      for delete to authenticated using (bucket_id = 'receipts' and (select private.is_admin()));
  end if;
end $$;

-- 03_catalogue/04_home_page.sql
create table public.caurousel (
  id bigint generated by default as identity primary key,
  background_img text not null check (private.is_safe_link(background_img)),
  title text not null check (char_length(title) between 1 and 80),
  subtitle text not null default '' check (char_length(subtitle) <= 160),
  buttonaction text not null check (private.is_safe_link(buttonaction)),
  buttontitle text not null check (char_length(buttontitle) between 1 and 40),
  position integer not null default 0,
  is_published boolean not null default true,
  updated_at timestamptz not null default now(),
  entry_id uuid unique
);
alter table public.caurousel enable row level security;
revoke all on public.caurousel from anon, authenticated;
grant select on public.caurousel to anon;
grant select, insert, update, delete on public.caurousel to authenticated;
grant all on public.caurousel to service_role;
create policy "visitors read what is published" on public.caurousel
  for select to anon using (is_published);
create policy "customers read what is published, administrators all" on public.caurousel
  for select to authenticated using (is_published or (select private.is_admin()));
create policy "administrators add" on public.caurousel
  for insert to authenticated with check ((select private.is_admin()));
create policy "administrators change" on public.caurousel
  for update to authenticated using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "administrators delete" on public.caurousel
  for delete to authenticated using ((select private.is_admin()));

create trigger caurousel_touch before update on public.caurousel
  for each row when (to_jsonb(new) - 'position' is distinct from to_jsonb(old) - 'position')
  execute function private.touch_updated_at();
create trigger caurousel_audit after insert or delete or update on public.caurousel
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');
create trigger caurousel_require_admin before insert or delete or update on public.caurousel
  for each statement when (current_user in ('anon', 'authenticated')) execute function private.require_admin_to_write();

create table public.testimonials (
  id bigint generated by default as identity primary key,
  title text not null check (char_length(title) between 1 and 80),
  author text not null check (char_length(author) between 1 and 80),
  text text not null check (char_length(text) between 1 and 600),
  stars smallint not null check (stars between 1 and 5),
  position integer not null default 0,
  is_published boolean not null default true,
  updated_at timestamptz not null default now(),
  entry_id uuid unique
);
alter table public.testimonials enable row level security;
revoke all on public.testimonials from anon, authenticated;
grant select on public.testimonials to anon;
grant select, insert, update, delete on public.testimonials to authenticated;
grant all on public.testimonials to service_role;
create policy "visitors read what is published" on public.testimonials
  for select to anon using (is_published);
create policy "customers read what is published, administrators all" on public.testimonials
  for select to authenticated using (is_published or (select private.is_admin()));
create policy "administrators add" on public.testimonials
  for insert to authenticated with check ((select private.is_admin()));
create policy "administrators change" on public.testimonials
  for update to authenticated using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "administrators delete" on public.testimonials
  for delete to authenticated using ((select private.is_admin()));

create trigger testimonials_touch before update on public.testimonials
  for each row when (to_jsonb(new) - 'position' is distinct from to_jsonb(old) - 'position')
  execute function private.touch_updated_at();
create trigger testimonials_audit after insert or delete or update on public.testimonials
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');
create trigger testimonials_require_admin before insert or delete or update on public.testimonials
  for each statement when (current_user in ('anon', 'authenticated')) execute function private.require_admin_to_write();

-- 03_catalogue/05_reviews.sql
create table public.comments (
  id bigint generated always as identity primary key,
  content text not null check (char_length(content) <= 2000 and content ~ '[^[:space:]]'),
  rating smallint not null check (rating between 1 and 5),
  product_id bigint not null references public."Products" ("Id") on delete cascade,
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  updated_at timestamptz,
  hidden_at timestamptz,
  constraint comments_one_per_customer_and_product unique (user_id, product_id)
);
create index comments_product_idx on public.comments (product_id, created_at desc, id desc);
create index comments_user_idx on public.comments (user_id, created_at desc);
create index comments_created_idx on public.comments (created_at desc, id desc);
create index comments_hidden_idx on public.comments (created_at desc, id desc) where hidden_at is not null;
create index comments_search_idx on public.comments using gin (lower(content) extensions.gin_trgm_ops);
alter table public.comments enable row level security;
revoke all on public.comments from anon, authenticated;
grant select on public.comments to anon;
grant select, delete, insert (content, rating, product_id, user_id), update (content) on public.comments to authenticated;
grant all on public.comments to service_role;
create policy "customers review products they can see" on public.comments
  for insert to authenticated with check (
    user_id = (select auth.uid())
    and exists (select from public."Products" p where p."Id" = product_id)
  );
create policy "authors delete their own reviews" on public.comments
  for delete to authenticated using (user_id = (select auth.uid()));
create policy "visitors read published reviews" on public.comments
  for select to anon using (hidden_at is null);
create policy "customers read published reviews and their own, administrators all" on public.comments
  for select to authenticated
  using (hidden_at is null or user_id = (select auth.uid()) or (select private.is_admin()));
create policy "authors change their own reviews" on public.comments
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

create trigger comments_audit after update on public.comments
  for each row when (old.hidden_at is distinct from new.hidden_at) execute function private.record_change('id');

create function private.guard_comment() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.is_service() then
    return new;
  end if;
  if tg_op = 'INSERT' then
    if auth.uid() is null then
      raise insufficient_privilege using message = 'sign in to write a review';
    end if;
    if new.user_id = auth.uid()
       and exists (select from public.comments c where c.user_id = auth.uid() and c.product_id = new.product_id) then
      raise sqlstate 'PT409' using message = 'You have already reviewed this product. Edit your review instead.';
    end if;
    if not private.take_turn('review', auth.uid()::text, 5, interval '1 hour') then
      raise sqlstate 'PT429' using message = 'too many reviews: at most five an hour';
    end if;
    new.created_at := now();
    new.updated_at := null;
    new.hidden_at := null;
    return new;
  end if;
  if (new.id, new.rating, new.product_id, new.user_id, new.created_at)
     is distinct from (old.id, old.rating, old.product_id, old.user_id, old.created_at)
     or (new.content <> old.content and old.user_id <> auth.uid())
     or (new.hidden_at is distinct from old.hidden_at and not private.is_admin()) then
    raise sqlstate 'PT403' using message = 'only the text of a review can be changed';
  end if;
  if new.hidden_at is not distinct from old.hidden_at
     and not private.take_turn('review edit', auth.uid()::text, 20, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'too many edits: at most twenty an hour';
  end if;
  new.updated_at := case when new.content <> old.content then now() else old.updated_at end;
  return new;
end $$;
create trigger comments_guard before insert or update on public.comments
  for each row execute function private.guard_comment();

create function private.keep_rating() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  reviewed bigint := coalesce(new.product_id, old.product_id);
begin
  -- One after the other: each count must see the reviews that were committed before it.
  perform from public."Products" p where p."Id" = reviewed for no key update;
  update public."Products" p
  set "Rating" = r.average, review_count = r.reviews
  from (
    select round(avg(c.rating), 2) as average, count(*) as reviews
    from public.comments c where c.product_id = reviewed and c.hidden_at is null
  ) r
  where p."Id" = reviewed;
  return null;
end $$;
create trigger comments_keep_rating after insert or delete or update of rating, hidden_at on public.comments
  for each row execute function private.keep_rating();

create function private.has_bought(customer_id uuid, product_id bigint) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.orders o
    cross join lateral (
      select from public.order_items i where i.order_id = o.id and i.product_id = has_bought.product_id limit 1
    ) bought
    where o.user_id = has_bought.customer_id
      and o.status not in ('canceled', 'Refunded')
      and (o.payment_status in ('paid', 'paid_offline', 'partially_refunded') or o.status in ('Delivered', 'Collected'))
  );
$$;

create function public.product_reviews(product_id bigint, before_id bigint default null, max_rows integer default 20)
returns table (id bigint, content text, rating smallint, created_at timestamptz, updated_at timestamptz,
               user_id uuid, author_name text, author_avatar_url text, is_verified boolean)
language sql stable security definer set search_path = '' as $$
  select c.id, c.content, c.rating, c.created_at, c.updated_at, c.user_id, i.name, i.avatar_url,
         private.has_bought(c.user_id, c.product_id)
  from (
    select p.* from public.comments p
    where p.product_id = product_reviews.product_id
      and p.hidden_at is null
      and (before_id is null or (p.created_at, p.id) < (select b.created_at, b.id from public.comments b where b.id = before_id))
    order by p.created_at desc, p.id desc
    limit least(greatest(max_rows, 0), 100)
  ) c, lateral public.get_user_info(c.user_id) i
  order by c.created_at desc, c.id desc;
$$;

revoke execute on function public.product_reviews(bigint, bigint, integer) from public, anon, authenticated;
grant execute on function public.product_reviews(bigint, bigint, integer) to anon, authenticated, service_role;

-- 03_catalogue/06_suggestions.sql
create table private.product_pairs (
  product_id bigint not null references public."Products" ("Id") on delete cascade,
  other_id bigint not null references public."Products" ("Id") on delete cascade,
  customers integer not null,
  primary key (product_id, other_id)
);
create index product_pairs_other_idx on private.product_pairs (other_id);
alter table private.product_pairs enable row level security;

create table private.product_pair_counts (
  id boolean primary key default true check (id),
  counted_at timestamptz not null
);
alter table private.product_pair_counts enable row level security;

create table private.popular_products (
  product_id bigint primary key references public."Products" ("Id") on delete cascade
);
alter table private.popular_products enable row level security;

create function public.count_product_pairs(at timestamptz default now()) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  changed integer;
begin
  insert into private.product_pair_counts as c (counted_at) values (count_product_pairs.at)
  on conflict (id) do update set counted_at = excluded.counted_at
  where c.counted_at <= excluded.counted_at - interval '1 day' or c.counted_at > excluded.counted_at;
  if not found then
    return false;
  end if;
  with bought as (
    select distinct o.id as order_id, o.user_id, i.product_id
    from public.orders o join public.order_items i on i.order_id = o.id
    where o.created_at > count_product_pairs.at - interval '180 days' and o.created_at <= count_product_pairs.at
      and o.status <> 'canceled' and o.user_id is not null
  ), pairs as (
    select a.product_id, b.product_id as other_id, count(distinct a.user_id)::integer as customers
    from bought a join bought b on b.order_id = a.order_id and b.product_id <> a.product_id
    group by a.product_id, b.product_id
    having count(distinct a.user_id) >= 3
  ), gone as (
    delete from private.product_pairs p
    where not exists (select from pairs n where n.product_id = p.product_id and n.other_id = p.other_id)
    returning 1
  ), counted as (
    insert into private.product_pairs as p (product_id, other_id, customers)
    select n.product_id, n.other_id, n.customers from pairs n
    on conflict (product_id, other_id) do update set customers = excluded.customers
    where p.customers <> excluded.customers
    returning 1
  )
  select (select count(*) from gone) + (select count(*) from counted) into changed;
  if changed > 0 then
    perform private.invalidate_pages();
  end if;
  return true;
end $$;

create function private.paired_with(product_id bigint) returns table (other_id bigint, rank bigint)
language sql stable security definer set search_path = '' as $$
  select p.other_id, row_number() over (order by p.customers desc, p.other_id)
  from private.product_pairs p where p.product_id = paired_with.product_id
  order by 2 limit 24;
$$;

create function public.goes_well_with(product_id bigint) returns jsonb
language sql stable set search_path = '' as $$
  with this as (
    select p."Id" as id, p."Category" as category, array(select w.other_id from private.paired_with(p."Id") w order by w.rank) as paired
    from public."Products" p
    where p."Id" = goes_well_with.product_id and p.is_listed and p.archived_at is null
  ), chosen as (
    select o as product, array_position(t.paired, o."Id") as place
    from this t join public."Products" o on o."Id" = any (t.paired)
    where o.isavailable and (o."Category" = 'Takeaway') = (t.category = 'Takeaway')
    union all
    select c.product, 1000 + row_number() over (order by (c.product)."Rating" desc nulls last, (c.product)."Id")
    from this t cross join lateral (
      select o as product from public."Products" o
      where o."Category" = t.category and o.isavailable and o."Id" <> t.id and o."Id" <> all (t.paired)
      order by o."Rating" desc nulls last, o."Id" limit 4) c
  )
  select coalesce(jsonb_agg(private.product_card(f.product) order by f.place), '[]')
  from (select c.product, c.place from chosen c order by c.place limit 4) f;
$$;

create function public.refresh_popular_products(at timestamptz default now()) returns void
language plpgsql security definer set search_path = '' as $$
declare
  best bigint[] := array(
    select b.product_id
    from (
      select distinct i.product_id, coalesce(o.user_id::text, o.delivery_phone) as customer
      from public.orders o
      join public.order_items i on i.order_id = o.id
      where o.created_at >= refresh_popular_products.at - interval '30 days' and o.created_at < refresh_popular_products.at
        and o.status not in ('canceled', 'Refunded')
    ) b
    join public."Products" p on p."Id" = b.product_id
    where p.is_listed and p.archived_at is null
    group by b.product_id
    having count(b.customer) >= 5
    order by count(b.customer) desc, b.product_id
    limit 6
  );
begin
  delete from private.popular_products p where p.product_id <> all (best);
  insert into private.popular_products (product_id) select unnest(best) on conflict do nothing;
end $$;

create function public.popular_products() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(p.product_id order by p.product_id), '[]') from private.popular_products p;
$$;

revoke execute on function
  public.count_product_pairs(timestamptz), public.refresh_popular_products(timestamptz)
  from public, anon, authenticated;
grant execute on function
  public.count_product_pairs(timestamptz), public.refresh_popular_products(timestamptz)
  to service_role;
grant execute on function private.paired_with(bigint) to anon, authenticated, service_role;
revoke execute on function public.goes_well_with(bigint), public.popular_products() from public, anon, authenticated;
grant execute on function public.goes_well_with(bigint), public.popular_products() to anon, authenticated, service_role;

-- 03_catalogue/07_pages.sql
create function private.product_card(product public."Products") returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object(
    'Id', product."Id", 'Name', product."Name", 'Price', product."Price", 'regular_price', product.regular_price,
    'Image', product."Image", 'Category', product."Category", 'isavailable', product.isavailable, 'hasSize', product."hasSize",
    'Rating', product."Rating", 'review_count', product.review_count, 'offer_percent', product.offer_percent,
    'food_mark', product.food_mark, 'gst_percent', product.gst_percent);
$$;

create function public.page_frame(at timestamptz default now()) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'shop', (select to_jsonb(s) - 'id' - 'updated_at' from public.shop_settings s),
    'greeting', (
      select jsonb_build_object('id', g.id, 'title', g.title, 'message', g.message, 'image', g.image, 'link', g.link,
                                'has_fireworks', g.has_fireworks)
      from public.greetings g
      where g.is_published and g.starts_at <= page_frame.at and page_frame.at < g.ends_at
      order by g.priority desc, g.starts_at desc, g.id
      limit 1),
    'categories', (
      select coalesce(jsonb_agg(jsonb_build_object('name', c.name, 'colour', c.colour) order by c.position, c.id), '[]')
      from public.categories c where not c.is_fixed),
    'changes_at', public.next_greeting_change(page_frame.at));
$$;

create function public.home_page() returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'slides', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', c.id, 'background_img', c.background_img, 'title', c.title, 'subtitle', c.subtitle,
        'buttonaction', c.buttonaction, 'buttontitle', c.buttontitle) order by c.position, c.id), '[]')
      from public.caurousel c where c.is_published),
    'products', (
      select coalesce(jsonb_agg(private.product_card(p.product)), '[]')
      from (select q as product from public."Products" q where q.isavailable and q."Category" <> 'Takeaway'
            order by q."Rating" desc nulls last, q."Id" limit 48) p),
    'combos', (
      select coalesce(jsonb_agg(private.product_card(p) || jsonb_build_object('combo', p.combo, 'Description', p."Description")
                      order by array_position(array['halwa', 'chocolate', 'laddu', 'family'], p.combo)), '[]')
      from public."Products" p where p.combo is not null and p.isavailable));
$$;

create function public.shop_page(categories text[], min_price numeric, max_price numeric, sort text, per_section integer)
returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('category', s.category, 'total', s.total, 'products', s.products)
                            order by s.place, s.own_place), '[]')
  from (
    select c.category, c.place, c.own_place, count(p.rank) as total,
           coalesce(jsonb_agg(private.product_card(p.product) order by p.rank)
                    filter (where p.rank <= least(per_section, 480)), '[]') as products
    from (
      select distinct on (n.category) n.category, n.place, n.own_place
      from (
        select a.category, a.place, 0 as own_place
        from unnest(categories[1:50]) with ordinality a (category, place) where a.category <> '*'
        union all
        select o.name, a.place, row_number() over (partition by a.place order by o.position, o.id)
        from unnest(categories[1:50]) with ordinality a (category, place) join public.categories o on not o.is_fixed
        where a.category = '*'
      ) n
      order by n.category, n.place, n.own_place
    ) c
    left join lateral (
      select q as product, row_number() over (order by
        case when sort = 'l-h' then q."Price" end,
        case when sort = 'h-l' then q."Price" end desc,
        q."Rating" desc nulls last, q."Id") as rank
      from public."Products" q
      where q."Category" = c.category and q."Price" > min_price and q."Price" <= max_price
        and q.is_listed and q.archived_at is null
    ) p on true
    group by c.category, c.place, c.own_place
  ) s;
$$;

create function public.product_page(product_id bigint) returns jsonb
language sql stable set search_path = '' as $$
  select private.product_card(p) || jsonb_build_object(
    'Description', p."Description", 'weight_grams', p.weight_grams,
    'ingredients', p.ingredients, 'allergens', p.allergens, 'shelf_life_days', p.shelf_life_days, 'storage', p.storage,
    'maker', p.maker, 'taste', p.taste, 'travel', p.travel,
    'pictures', (select coalesce(jsonb_agg(jsonb_build_object('image', m.image, 'alt', m.alt) order by m.position), '[]')
                 from public.product_pictures m where m.product_id = p."Id"))
  from public."Products" p
  where p."Id" = product_page.product_id and p.is_listed and p.archived_at is null;
$$;

create function public.product_id_by_name(name text) returns bigint
language sql stable set search_path = '' as $$
  select p."Id" from public."Products" p
  where lower(p."Name") = lower(btrim(product_id_by_name.name)) and p.archived_at is null and p.is_listed;
$$;

create function public.sitemap_products() returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('Id', p."Id", 'updated_at', p.updated_at) order by p."Id"), '[]')
  from public."Products" p where p.is_listed and p.archived_at is null;
$$;

create function public.product_page_by_name(name text) returns jsonb
language sql stable set search_path = '' as $$
  select public.product_page(public.product_id_by_name(product_page_by_name.name));
$$;

grant execute on function private.product_card("Products") to anon, authenticated, service_role;
revoke execute on function
  public.page_frame(timestamptz), public.home_page(), public.shop_page(text[], numeric, numeric, text, integer),
  public.product_page(bigint), public.product_id_by_name(text), public.sitemap_products(),
  public.product_page_by_name(text)
  from public, anon, authenticated;
grant execute on function
  public.page_frame(timestamptz), public.home_page(), public.shop_page(text[], numeric, numeric, text, integer),
  public.product_page(bigint), public.product_id_by_name(text), public.sitemap_products(),
  public.product_page_by_name(text)
  to anon, authenticated, service_role;

-- 04_greetings/01_greetings.sql
create table public.greetings (
  id bigint generated by default as identity primary key,
  title text not null check (char_length(title) between 1 and 80),
  message text not null default '' check (char_length(message) <= 200),
  image text not null default '' check (image = '' or private.is_safe_link(image)),
  link text not null default '' check (link = '' or private.is_safe_link(link)),
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  priority integer not null default 0,
  has_fireworks boolean not null default false,
  is_published boolean not null default true,
  updated_at timestamptz not null default now(),
  entry_id uuid unique
);
create index greetings_dates_idx on public.greetings (starts_at, ends_at);
alter table public.greetings enable row level security;
revoke all on public.greetings from anon, authenticated;
grant select on public.greetings to anon;
grant select, insert, update, delete on public.greetings to authenticated;
grant all on public.greetings to service_role;
create policy "visitors read what is published" on public.greetings
  for select to anon using (is_published);
create policy "customers read what is published, administrators all" on public.greetings
  for select to authenticated using (is_published or (select private.is_admin()));
create policy "administrators add" on public.greetings
  for insert to authenticated with check ((select private.is_admin()));
create policy "administrators change" on public.greetings
  for update to authenticated using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "administrators delete" on public.greetings
  for delete to authenticated using ((select private.is_admin()));

create trigger greetings_touch before update on public.greetings
  for each row execute function private.touch_updated_at();
create trigger greetings_audit after insert or delete or update on public.greetings
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');
create trigger greetings_require_admin before insert or delete or update on public.greetings
  for each statement when (current_user in ('anon', 'authenticated')) execute function private.require_admin_to_write();

create function public.next_greeting_change(at timestamptz default now()) returns timestamptz
language sql stable set search_path = '' as $$
  select min(moment) from public.greetings g, unnest(array[g.starts_at, g.ends_at]) as moment
  where g.is_published and moment > next_greeting_change.at and isfinite(moment);
$$;

revoke execute on function public.next_greeting_change(timestamptz) from public, anon, authenticated;
grant execute on function public.next_greeting_change(timestamptz) to anon, authenticated, service_role;

-- 05_search/01_words.sql
create function private.search_key(words text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  letters constant text[] := string_to_array('a,b,C,d,e,f,g,h,i,j,k,l,m,n,o,p,r,s,t,u,v,y', ',');
  letter text;
  key text := lower(normalize(left(coalesce(words, ''), 400), NFKD));
begin
  -- Accents, what has no width, and apostrophes; then whatever parts words.
  key := regexp_replace(key, '[\u0300-\u036f\u200b-\u200f\u2060\ufeff''’]', '', 'g');
  key := regexp_replace(key, '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u0964\u0965\u2000-\u206f\u3000-\u303f]+', ' ', 'g');

  if key ~ '[\u0900-\u097f]' then
    key := replace(key, '़', '');
    key := regexp_replace(key, '([क-ह])(?![\u093e-\u094d]|[^\u0900-\u097f]|$)', '\1ə', 'g');
    key := translate(key,
      'कखगघङचछजझञटठडढणतथदधनपफबभमयरलळवशषसहअआइईउऊऋएऐओऔऍऑािीुूृेैोौॅॉंँ०१२३४५६७८९्ः',
      'kkggnCCjjnttddnttddnpfbbmyrllvssshaaiiuureeooeoaiiuureeooeonn0123456789');
    key := regexp_replace(key, '([aeiouə][bCdfghjklmnprstvy])ə(?=[bCdfghjklmnprstvy][aeiouə])', '\1', 'g');
    key := replace(key, 'ə', 'a');
  end if;

  key := regexp_replace(key, 'ch+', 'C', 'g');
  key := regexp_replace(key, 'sh+', 's', 'g');
  key := regexp_replace(key, 'ph+', 'f', 'g');
  key := regexp_replace(key, '([kgjtdb])h+', '\1', 'g');
  key := regexp_replace(key, 'c(?=[eiy])', 's', 'g');
  key := replace(translate(key, 'cqwz', 'kkvj'), 'x', 'ks');
  key := regexp_replace(key, 'ee+', 'i', 'g');
  key := regexp_replace(key, 'oo+|ou', 'u', 'g');
  key := replace(key, 'iy', 'i');
  foreach letter in array letters loop -- a back reference would look at long texts for minutes
    if position(letter || letter in key) > 0 then key := regexp_replace(key, letter || '+', letter, 'g'); end if;
  end loop;
  key := regexp_replace(key, '([bCdfghjklmnprstv])(y|ie|ey)\M', '\1i', 'g');
  key := regexp_replace(key, '([aeiou])h\M', '\1', 'g');
  key := regexp_replace(key, '([a-zC]{3})s\M', '\1', 'g'); -- more than one
  return btrim(regexp_replace(replace(key, 'C', 'c'), '\s+', ' ', 'g'));
end $$;

create function private.search_bones(word text) returns text
language sql immutable parallel safe as $$
  select left(word, 1) || translate(substr(word, 2), 'aeiouy', '');
$$;

create function private.search_small_words() returns text[]
language sql immutable parallel safe set search_path = '' as $$
  select string_to_array(private.search_key(
    'a an and the of with for from in on or to some my me we i you is any each ka ke ki ko se liye mein aur wala wali wale kg gm pcs g'), ' ');
$$;

create function private.search_words_for_all() returns text[]
language sql immutable parallel safe set search_path = '' as $$
  select string_to_array(private.search_key(
    'sweet sweets mithai mithaiyan meetha mishti mishthan misthan dessert desserts indian fresh best buy online order price shop'), ' ');
$$;

create function private.asks_for_absence(query text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select lower(normalize(left(coalesce(query, ''), 120), NFKC))
    ~ '(^|[^a-z])(without|no|non|not|zero|minus|bina|bagair|bagher)($|[^a-z])|(^|[^a-z]|[a-z]{3})(free|less)($|[^a-z])|बिना|बगैर|मुक्त';
$$;

create function private.search_beside_veg(query text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  typed constant text := lower(normalize(left(coalesce(query, ''), 120), NFKC));
  mark constant text := '(^|[^a-z])((pure|fully|only|100 ?%) +)?(veg|vegetarian|shakahari|egg[ -]*less|eggs?[ -]*free'
    || '|(without|no|zero|bina)( any)? +(eggs?|and[ae])( +(ke|ka|wal[aei]))?)(?=$|[^a-z])|शाकाहारी|बिना अंड[ाे]( के| का| वाल[ाीे])?|अंडा[ -]*(रहित|मुक्त)';
begin
  if typed !~ mark or typed ~ 'non[ -]*veg' then return null; end if;
  return btrim(regexp_replace(typed, mark, ' ', 'g'));
end $$;

create function private.search_words_in(listed text, out word text, out is_pair boolean) returns setof record
language sql immutable parallel safe set search_path = '' as $$
  with pieces as (
    select array(select left(w, 40) from unnest(string_to_array(private.search_key(piece), ' ')) w
                 where char_length(w) > 1 and w !~ '^[0-9]+(g|gm|kg|pc)?$' and w <> all (private.search_small_words())) as words
    from regexp_split_to_table(left(listed, 4000), '[,;()\n]+') piece
  )
  select distinct on (t.word) t.word, t.is_pair
  from pieces p
  cross join lateral generate_subscripts(p.words, 1) at
  cross join lateral (values (p.words[at], false), (left(p.words[at] || p.words[at + 1], 40), true)) t (word, is_pair)
  where t.word is not null
  order by t.word, t.is_pair;
$$;

-- 05_search/02_index.sql
create table private.search_words (
  word text collate "C" primary key,
  bones text collate "C" not null
);
create index search_words_trigrams_idx on private.search_words using gin (word extensions.gin_trgm_ops);
create index search_words_bones_idx on private.search_words (bones);
alter table private.search_words enable row level security;

create table private.search_entries (
  product_id bigint not null references public."Products" ("Id") on delete cascade,
  word text collate "C" not null,
  weight real not null constraint search_entries_weight_is_a_number check (weight <> 'NaN'),
  primary key (product_id, word)
);
create index search_entries_word_idx on private.search_entries (word) include (product_id, weight);
alter table private.search_entries enable row level security;

create table private.search_synonyms (
  id bigint generated by default as identity primary key,
  words text[] not null check (cardinality(words) between 2 and 24),
  updated_at timestamptz not null default now()
);
alter table private.search_synonyms enable row level security;

create trigger search_synonyms_touch before update on private.search_synonyms
  for each row execute function private.touch_updated_at();
create trigger search_synonyms_audit after insert or update or delete on private.search_synonyms
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');

create table private.search_meanings (
  word text collate "C" primary key,
  group_id bigint not null references private.search_synonyms (id) on delete cascade
);
create index search_meanings_group_idx on private.search_meanings (group_id);
alter table private.search_meanings enable row level security;

create function private.follow_product_words() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.enter_product_words(new);
  return null;
end $$;
create trigger products_words_added after insert on public."Products"
  for each row execute function private.follow_product_words();
create trigger products_words_changed after update of "Name", "Category", ingredients on public."Products"
  for each row execute function private.follow_product_words();

create function private.follow_synonyms() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.search_meanings m where m.group_id = new.id;
  insert into private.search_meanings (word, group_id) select w, new.id from unnest(private.meanings_of(new.words)) w;
  perform private.know_words(private.meanings_of(new.words));
  return null;
end $$;
create trigger search_synonyms_words after insert or update on private.search_synonyms
  for each row execute function private.follow_synonyms();

create function private.know_words(words text[]) returns void
language sql set search_path = '' as $$
  insert into private.search_words (word, bones)
  select distinct w, private.search_bones(w) from unnest(words) w order by w -- in one order, so that nobody waits in a circle
  on conflict (word) do nothing;
$$;

create function private.forget_unused_words() returns void
language plpgsql set search_path = '' set lock_timeout = '2s' as $$
begin
  if not exists (select from private.search_words w
                 where not exists (select from private.search_entries e where e.word = w.word)
                   and not exists (select from private.search_meanings m where m.word = w.word)) then
    return;
  end if;
  lock table private.search_words in exclusive mode;
  delete from private.search_words w
  where not exists (select from private.search_entries e where e.word = w.word)
    and not exists (select from private.search_meanings m where m.word = w.word);
exception when lock_not_available or deadlock_detected then
  return; -- the next round is soon enough
end $$;

create function private.enter_product_words(product public."Products") returns void
language plpgsql set search_path = '' as $$
begin
  delete from private.search_entries e where e.product_id = product."Id";
  insert into private.search_entries (product_id, word, weight)
  select product."Id", t.word, max(f.weight)
  from (values (product."Name", 1.0), (product."Category", 0.7), (product.ingredients, 0.45)) f (text, weight)
  cross join lateral private.search_words_in(f.text) t
  group by t.word;
  perform private.know_words(array(select e.word::text from private.search_entries e where e.product_id = product."Id"));
  insert into private.search_entries (product_id, word, weight)
  values (product."Id", '=' || left(replace(private.search_key(product."Name"), ' ', ''), 120), 0);
end $$;

create function private.meanings_of(words text[]) returns text[]
language sql immutable set search_path = '' as $$
  select coalesce(array_agg(distinct k.key order by k.key), '{}')
  from unnest(words) w cross join lateral (select left(replace(private.search_key(w), ' ', ''), 40) as key) k where k.key <> '';
$$;

create function private.is_plain_words(words text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select words ~ ('^[ ''’a-z\u00df-\u00f6\u00f8-\u024f\u0300-\u036f\u200c\u200d\u0620-\u065f\u066e-\u06d3\u0900-\u0963\u0970-\u09e3\u0a01-\u0a65'
    || '\u0a70-\u0ae3\u0b01-\u0b63\u0b70\u0b71\u0b80-\u0be5\u0c00-\u0c63\u0c80-\u0ce3\u0d00-\u0d57\u0d5f-\u0d63\u0d7a-\u0d7f-]+$');
$$;

insert into private.search_synonyms (words)
select string_to_array(words, ', ') from unnest(array[
  'laddu, ladoo, laddoo, ladu, ladduu, लड्डू',
  'barfi, burfi, burfee, barfee, borfi, बर्फी',
  'halwa, halva, halvah, halawa, हलवा',
  'chocolate, choco, choklet, cocoa, चॉकलेट',
  'motichoor, motichur, moti choor, moti chur, मोतीचूर',
  'boondi, bundi, bhoondi, बूंदी',
  'katli, kathli, katri, कतली',
  'kaju katli, kaju barfi, kaju burfi, cashew barfi, काजू कतली, काजू बर्फी',
  'jalebi, jilebi, jilapi, jalebee, जलेबी',
  'gulab jamun, gulab jaman, kala jamun, गुलाब जामुन',
  'rasmalai, ras malai, rossomalai, रसमलाई',
  'samosa, singara, shingara, समोसा',
  'chikki, gajak, चिक्की',
  'kulfi, qulfi, ice cream, icecream, कुल्फी',
  'dhokla, khaman, ढोकला, खमण',
  'kaju, cashew, cashew nut, cashewnut, काजू',
  'badam, almond, baadaam, बादाम',
  'pista, pistachio, pistachios, पिस्ता',
  'akhrot, walnut, अखरोट',
  'kishmish, raisin, किशमिश',
  'anjeer, fig, अंजीर',
  'khajoor, khajur, date, dates, खजूर',
  'dry fruit, dryfruit, mewa, meva, nuts, मेवा',
  'mungfali, moongphali, peanut, groundnut, मूंगफली',
  'gajar, carrot, गाजर',
  'chukandar, beetroot, beet root, चुकंदर',
  'kesar, saffron, zafran, केसर',
  'elaichi, elachi, ilaychi, cardamom, इलायची',
  'til, sesame, तिल',
  'gud, gur, jaggery, गुड़',
  'nariyal, coconut, nariyel, copra, नारियल',
  'besan, gram flour, chickpea flour, बेसन',
  'sooji, suji, rava, rawa, semolina, सूजी, रवा',
  'atta, wheat, gehun, gehu, आटा, गेहूं',
  'khoya, khoa, mawa, mava, खोया, मावा',
  'chawal, rice, चावल',
  'moong, mung, mung bean, green gram, मूंग',
  'gond, goond, edible gum, dinkache, गोंद',
  'gulkand, rose, gulab, गुलकंद',
  'santra, orange, narangi, संतरा',
  'doodh, milk, दूध',
  'ghee, clarified butter, घी',
  'shahad, honey, शहद',
  'aam, mango, आम',
  'kofi, coffee, kaapi, कॉफी',
  'hamper, gift box, gift pack, basket, उपहार',
  'diwali, deepavali, dipawali, deepawali, दिवाली, दीपावली',
  'rakhi, raksha bandhan, rakshabandhan, राखी',
  'shaadi, wedding, shagun, vivah, शादी, शगुन'
]) words;

-- 05_search/03_search.sql
create table private.missed_searches (
  word text primary key,
  typed text not null check (char_length(typed) between 1 and 40),
  times integer not null default 1,
  last_on date not null
);
create index missed_searches_times_idx on private.missed_searches (times desc, last_on desc);
alter table private.missed_searches enable row level security;

create function private.search_terms(query text, out term text, out first integer, out last integer, out needed integer) returns setof record
language plpgsql immutable set search_path = '' as $$
declare
  typed text[] := array(select left(w, 40) from unnest(string_to_array(private.search_key(left(query, 120)), ' ')) with ordinality t (w, n)
                        where w <> '' group by left(w, 40) order by min(n) limit 12);
  small constant text[] := private.search_small_words();
  for_all constant text[] := private.search_words_for_all();
  before_for constant text[] := typed[1:coalesce(array_position(typed, 'for'), 13) - 1];
  kept text[] := array(select w from unnest(typed) with ordinality t (w, n)
                       where w <> all (small) and w !~ '^[0-9]+(g|gm|kg|pc)?$' order by n);
  telling text[] := array(select w from unnest(kept) with ordinality t (w, n) where w <> all (for_all) order by n);
begin
  if cardinality(kept) = 0 then kept := typed; end if;
  if cardinality(telling) > 0 then kept := telling; end if;
  kept := kept[1:8];
  needed := (select count(*) from unnest(kept) w where w = any (before_for));
  if needed = 0 then needed := cardinality(kept); end if;
  return query
    select w, n::integer, n::integer, needed from unnest(kept) with ordinality t (w, n)
    union all
    select left(kept[n] || kept[n + 1], 40), n, n + 1, needed from generate_series(1, cardinality(kept) - 1) n;
end $$;

create function private.search_fits(query text, out product_id bigint, out fit double precision, out is_whole boolean) returns setof record
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_generic_plan' as $$
declare
  needed constant integer := (select max(t.needed) from private.search_terms(query) t);
  is_strict constant boolean := private.asks_for_absence(query);
begin
  if needed is null then return; end if;
  return query
  with terms as materialized (
    select t.term, t.first, t.last, char_length(t.term) as size, t.last > t.first as is_pair, private.search_bones(t.term) as bones,
           -- two neighbours in the wrong order
           array(select overlay(t.term placing reverse(substr(t.term, n, 2)) from n for 2)
                 from generate_series(1, char_length(t.term) - 1) n where char_length(t.term) > 3) as swapped,
           is_strict or exists (select from private.search_entries e where e.word = t.term)
             or exists (select from private.search_meanings m where m.word = t.term) as is_known
    from private.search_terms(query) t
  ), candidates as (
    select t.term, t.first, t.last, t.size, t.is_pair, t.bones, t.swapped, w.word, w.bones as word_bones
    from terms t
    cross join lateral (
      select w.word, w.bones from private.search_words w where w.word = t.term
      union
      select w.word, w.bones from private.search_words w where w.word = any (t.swapped) and not t.is_known
      union
      select w.word, w.bones from private.search_words w where w.word >= t.term and w.word < t.term || chr(1114111) and t.size > 1
      union
      select w.word, w.bones from private.search_words w where w.bones = t.bones and t.size > 3 and not t.is_known
      union
      select w.word, w.bones from private.search_words w where w.word operator(extensions.%) t.term and t.size > 3 and not t.is_known and not t.is_pair and t.first <= 4
      union
      select w.word, w.bones from private.search_words w
      where t.size = 5 and not t.is_known and not t.is_pair and t.first <= 4 and w.word >= left(t.term, 1) and w.word < left(t.term, 1) || chr(1114111)
        and char_length(w.word) between 4 and 6 and extensions.levenshtein_less_equal(w.word, t.term, 1) <= 1
    ) w
  ), measured as (
    select c.*, char_length(c.word) as word_size, extensions.levenshtein(c.word, c.term) as steps,
           extensions.similarity(c.word, c.term) as likeness
    from candidates c
  ), rated as (
    select m.first, m.last, m.word,
           case
             when m.word = m.term then 1.0
             when m.word ^@ m.term then 0.8 + 0.15 * m.size / m.word_size
             when m.word = any (m.swapped) then 0.8
             when m.is_pair and m.steps > 2 then 0
             when m.bones = m.word_bones and char_length(m.bones) > 2 and m.steps <= 3
               then 0.8 * greatest(0.75, 1 - m.steps::real / greatest(m.size, m.word_size))
             when m.size < 5 and m.bones <> m.word_bones or m.term ^@ m.word and m.size > m.word_size + 2 then 0
             when m.steps <= case when m.size < 6 then 1 when m.size < 9 then 2 else 3 end or m.likeness >= 0.5
               then 0.8 * greatest(m.likeness, 1 - m.steps::real / greatest(m.size, m.word_size))
             else 0
           end as fit
    from measured m
  ), ranked as (
    select r.*, max(r.fit) over spelling as best, row_number() over (spelling order by r.fit desc, r.word) as place
    from rated r
    where r.fit >= case when is_strict then 1 else 0.45 end
      and (exists (select from private.search_entries e where e.word = r.word) or exists (select from private.search_meanings m where m.word = r.word))
    window spelling as (partition by r.first, r.last)
  ), kept as (
    select k.first, k.last, k.word, k.fit from ranked k
    where k.fit >= case when k.best = 1 then 0.9 else 0.75 * k.best end and k.place <= 30
  ), meant as (
    select k.first, k.last, k.word, k.fit from kept k
    union all
    select k.first, k.last, other.word, k.fit * 0.97
    from kept k
    join private.search_meanings m on m.word = k.word
    join private.search_meanings other on other.group_id = m.group_id and other.word <> k.word
  ), placed as materialized (
    select m.word, place, max(m.fit * case when m.last > m.first then 1.1 else 1 end)::real as fit
    from meant m cross join lateral generate_series(m.first, m.last) place group by m.word, place
  ), hits as (
    -- Word by word, through the index: never all the entries there are.
    select e.product_id, m.place, max(m.fit * e.weight) as score
    from placed m
    cross join lateral (select e.product_id, e.weight from private.search_entries e where e.word = m.word offset 0) e
    where e.weight > 0.9 or not is_strict and (e.weight > 0.5 or m.fit > 0.64)
    group by e.product_id, m.place
  )
  select h.product_id,
         (coalesce(sum(h.score) filter (where h.place <= needed), 0) / needed
           + 0.05 * coalesce(sum(h.score) filter (where h.place > needed), 0))::double precision,
         count(*) filter (where h.place <= needed) = needed
  from hits h group by h.product_id;
end $$;

create function public.search_products(
  query text, most integer default 8, min_price numeric default 0, max_price numeric default 100000000,
  sort text default 'fit', category text default null)
returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_generic_plan' as $$
declare
  beside_veg constant text := private.search_beside_veg(search_products.query);
  is_veg constant boolean := beside_veg is not null;
  asked constant text := coalesce(beside_veg, search_products.query);
  asked_for_all constant boolean := coalesce(
    (select bool_and(t.term = any (private.search_words_for_all())) from private.search_terms(asked) t where t.first = t.last), is_veg);
  named constant bigint[] := array(
    select e.product_id from private.search_entries e
    where e.word = '=' || replace(private.search_key(left(search_products.query, 120)), ' ', ''));
  wanted constant integer := least(greatest(coalesce(most, 8), 0), 480);
  few constant integer := least(wanted, 8);
  answer jsonb;
begin
  with fits as materialized (
    select f.product_id as id, f.is_whole, round(100 * f.fit)::integer + case when f.product_id = any (named) then 20 else 0 end as fit
    from private.search_fits(asked) f
    where not asked_for_all
    union all
    select p."Id", true, 100 from public."Products" p where asked_for_all
  ), listed as materialized (
    select f.id, f.fit, f.is_whole, p.isavailable, p."Rating" as rating, p."Price" as price,
           p."Price" > min_price and p."Price" <= max_price
             and (search_products.category is null or p."Category" = search_products.category) as is_wanted
    from fits f join public."Products" p on p."Id" = f.id
    where p.is_listed and p.archived_at is null and (p.food_mark = 'veg' or not is_veg)
  ), counts as (
    select count(*) as found, count(*) filter (where l.is_wanted) as total from listed l where l.is_whole
  ), chosen as (
    select c.id, row_number() over () as place
    from (
      select l.id from listed l where l.is_whole and l.is_wanted
      order by
        case when search_products.sort = 'l-h' then l.price end,
        case when search_products.sort = 'h-l' then l.price end desc,
        case when search_products.sort in ('l-h', 'h-l', 'bs') then 0 else l.fit end desc,
        case when search_products.sort in ('l-h', 'h-l', 'bs') then true else l.isavailable end desc,
        l.rating desc nulls last, l.id
      limit wanted
    ) c
  ), near as (
    -- What has some of the words, then what people like.
    select n.id, row_number() over () as place
    from (
      select l.id from (
        (select l.id, l.fit, l.isavailable, l.rating from listed l order by l.fit desc, l.isavailable desc, l.rating desc nulls last, l.id limit few)
        union all
        (select p."Id", 0, true, p."Rating" from public."Products" p
         where p.isavailable and p.archived_at is null and (p.food_mark = 'veg' or not is_veg) and not exists (select from listed l where l.id = p."Id")
         order by p."Rating" desc nulls last, p."Id" limit few)
      ) l
      order by l.fit desc, l.isavailable desc, l.rating desc nulls last, l.id limit few
    ) n
  )
  select jsonb_build_object(
    'found', c.found, 'total', c.total,
    'products', (select coalesce(jsonb_agg(private.product_card(p) order by f.place), '[]')
                 from chosen f join public."Products" p on p."Id" = f.id),
    'nearest', case when c.found > 0 or private.asks_for_absence(asked) then '[]' else
                 (select coalesce(jsonb_agg(private.product_card(p) order by n.place), '[]')
                  from near n join public."Products" p on p."Id" = n.id) end) into answer
  from counts c;
  return answer;
end $$;

create function public.note_missed_search(query text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  words constant text := btrim(regexp_replace(lower(normalize(left(query, 120), NFKC)), '[[:space:][:cntrl:]]+', ' ', 'g'));
  key constant text := private.search_key(words);
  today constant date := private.day_of(now());
  may_count boolean;
begin
  if key = '' or char_length(words) not between 3 and 40 or not private.is_plain_words(words)
     or key ~ '[0-9]' or cardinality(string_to_array(key, ' ')) > 4 then
    return;
  end if;
  if exists (select from private.missed_searches m where m.word = key) then
    may_count := private.take_turn('missed word', key, 1, interval '10 minutes');
  else
    may_count := private.take_turn('missed search', private.caller_key(), 30, interval '1 minute');
  end if;
  if not may_count or (public.search_products(words, 0) ->> 'found')::integer > 0 then
    return;
  end if;
  insert into private.missed_searches as m (word, typed, last_on) values (key, words, today)
  on conflict (word) do update set times = least(m.times + 1, 999999), last_on = today;
  delete from private.missed_searches m
  where m.word in (
    select o.word from private.missed_searches o where o.word <> key
    order by o.last_on > today - 90 desc, o.times desc, o.last_on desc, o.word offset 299);
end $$;

revoke execute on function
  public.search_products(text, integer, numeric, numeric, text, text), public.note_missed_search(text)
  from public, anon, authenticated;
grant execute on function
  public.search_products(text, integer, numeric, numeric, text, text), public.note_missed_search(text)
  to anon, authenticated, service_role;

-- 06_delivery/01_zones.sql
create table public.delivery_zones (
  id bigint generated by default as identity primary key,
  name text not null check (char_length(name) between 1 and 80),
  pincode_prefixes text[] not null check (
    cardinality(pincode_prefixes) between 1 and 500
    and array_to_string(pincode_prefixes, ',', '') ~ '^[1-9][0-9]{0,5}(,[1-9][0-9]{0,5})*$'
  ),
  first_kg_charge numeric(8, 2) not null check (first_kg_charge >= 0)
    constraint delivery_zones_first_kg_charge_is_a_number check (first_kg_charge <> 'NaN'),
  extra_kg_charge numeric(8, 2) not null check (extra_kg_charge >= 0)
    constraint delivery_zones_extra_kg_charge_is_a_number check (extra_kg_charge <> 'NaN'),
  min_days smallint not null check (min_days between 0 and 30),
  max_days smallint not null check (max_days between min_days and 30),
  is_published boolean not null default true,
  updated_at timestamptz not null default now(),
  constraint delivery_zones_at_most_7_days check (max_days <= 7)
);
alter table public.delivery_zones enable row level security;
revoke all on public.delivery_zones from anon, authenticated;
grant select on public.delivery_zones to anon;
grant select, insert, update, delete on public.delivery_zones to authenticated;
grant all on public.delivery_zones to service_role;
create policy "visitors read what is published" on public.delivery_zones
  for select to anon using (is_published);
create policy "customers read what is published, administrators all" on public.delivery_zones
  for select to authenticated using (is_published or (select private.is_admin()));
create policy "administrators add" on public.delivery_zones
  for insert to authenticated with check ((select private.is_admin()));
create policy "administrators change" on public.delivery_zones
  for update to authenticated using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "administrators delete" on public.delivery_zones
  for delete to authenticated using ((select private.is_admin()));

create trigger delivery_zones_touch before update on public.delivery_zones
  for each row execute function private.touch_updated_at();
create trigger delivery_zones_audit after insert or delete or update on public.delivery_zones
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');
create trigger delivery_zones_require_admin before insert or delete or update on public.delivery_zones
  for each statement when (current_user in ('anon', 'authenticated')) execute function private.require_admin_to_write();

create table public.closures (
  id bigint generated by default as identity primary key,
  starts_on date not null check (starts_on between '2000-01-01' and '2099-12-31'),
  ends_on date not null check (ends_on between starts_on and starts_on + 366),
  reason text not null check (char_length(reason) between 1 and 80),
  updated_at timestamptz not null default now()
);
create index closures_ends_on_idx on public.closures (ends_on);
alter table public.closures enable row level security;
revoke all on public.closures from anon, authenticated;
grant select on public.closures to anon, authenticated;
grant all on public.closures to service_role;
create policy "everybody reads when the shop is closed" on public.closures
  for select to anon, authenticated using (true);

create trigger closures_touch before update on public.closures
  for each row execute function private.touch_updated_at();
create trigger closures_audit after insert or update or delete on public.closures
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');

create function private.zone_of(pincode text) returns public.delivery_zones
language sql stable set search_path = '' as $$
  select z
  from public.delivery_zones z, unnest(z.pincode_prefixes) as prefix
  where z.is_published and starts_with(zone_of.pincode, prefix)
  order by char_length(prefix) desc, z.id
  limit 1;
$$;

create function private.shipping_paise(zone public.delivery_zones, grams bigint, source text) returns bigint
language plpgsql stable set search_path = '' as $$
declare
  flat_charge numeric;
begin
  if source = 'cart' then
    select s.cart_flat_charge into flat_charge from public.shop_settings s
    where s.id and s.cart_shipping = 'flat' and coalesce(grams < s.cart_zone_from_grams, true);
  end if;
  return coalesce(flat_charge * 100,
    zone.first_kg_charge * 100 + zone.extra_kg_charge * 100 * ((greatest(grams, 1) + 999) / 1000 - 1))::bigint;
end $$;

-- 06_delivery/02_promises.sql
create function private.working_day_from(day date, weekly_off smallint[], closed datemultirange, horizon date) returns date
language plpgsql immutable set search_path = '' as $$
declare
  looked date := day;
begin
  while looked <= horizon loop
    if not (extract(dow from looked)::smallint = any (weekly_off) or coalesce(closed @> looked, false)) then
      return looked;
    end if;
    looked := looked + 1;
  end loop;
  return null;
end $$;

create function private.promise(at timestamptz, working_days integer, out leaves_on date, out arrives_on date, out opens_on date)
language plpgsql stable strict set search_path = '' as $$
declare
  clock timestamp := at at time zone 'Asia/Kolkata';
  today date := clock::date;
  horizon date := today + 366;
  calendar record;
begin
  select s.cutoff_time, s.weekly_off,
         (select range_agg(daterange(c.starts_on, c.ends_on, '[]')) from public.closures c where c.ends_on >= today) as closed
  into calendar from public.shop_settings s;
  opens_on := private.working_day_from(today, calendar.weekly_off, calendar.closed, horizon);
  leaves_on := case when opens_on > today or clock::time < calendar.cutoff_time then opens_on
                    else private.working_day_from(today + 1, calendar.weekly_off, calendar.closed, horizon) end;
  arrives_on := leaves_on;
  for step in 1 .. working_days loop
    exit when arrives_on is null;
    arrives_on := private.working_day_from(arrives_on + 1, calendar.weekly_off, calendar.closed, horizon);
  end loop;
  if arrives_on is null then
    leaves_on := null;
  end if;
end $$;

create function private.survives(shelf_life_days integer, travel_days integer) returns boolean
language sql immutable as $$
  select coalesce(3 * (shelf_life_days - travel_days) >= shelf_life_days, true);
$$;

create function private.spoiled(product_ids bigint[], travel_days integer) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_agg(jsonb_build_object(
      'product_id', p."Id", 'product', p."Name", 'shelf_life_days', p.shelf_life_days, 'travel_days', travel_days,
      'can_be_collected', p."Category" = 'Takeaway') order by p."Id")
    from public."Products" p
    where p."Id" = any (product_ids) and not private.survives(p.shelf_life_days, travel_days));
end $$;

create function private.check_delivery_at(pincode text, product_ids bigint[], grams integer, at timestamptz) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  zone public.delivery_zones;
  journey record;
  shop public.shop_settings;
  today date := private.day_of(at);
  spoiled jsonb;
begin
  if coalesce(pincode, '') !~ '^[1-9][0-9]{5}$' then
    return jsonb_build_object('ok', false, 'reason', 'not-a-pincode');
  elsif grams > 30000 then
    return jsonb_build_object('ok', false, 'reason', 'too-heavy');
  end if;
  zone := private.zone_of(pincode);
  if zone.id is null then
    return jsonb_build_object('ok', false, 'reason', 'outside-zones');
  end if;
  select * into shop from public.shop_settings;
  select * into journey from private.promise(at, zone.max_days);
  if journey.arrives_on is null then
    return jsonb_build_object('ok', false, 'reason', 'closed');
  end if;
  -- Only what everybody may see is named.
  spoiled := private.spoiled(array(
    select p."Id" from public."Products" p
    where p."Id" = any (product_ids[1:300]) and p.is_listed and p.archived_at is null), journey.arrives_on - journey.leaves_on);
  return jsonb_build_object(
    'ok', true, 'zone', zone.name, 'today', today, 'leaves_on', journey.leaves_on, 'arrives_on', journey.arrives_on,
    -- Until then an order leaves on that day: the cut-off is its only hour.
    'order_before', (journey.leaves_on + shop.cutoff_time) at time zone 'Asia/Kolkata',
    'charge_paise', private.shipping_paise(zone, coalesce(grams, 0), 'direct'),
    'cart_charge_paise', private.shipping_paise(zone, coalesce(grams, 0), 'cart'),
    -- The cart's flat charge holds below this weight; null: whatever it weighs.
    'cart_flat_below_grams', case when shop.cart_shipping = 'flat' then shop.cart_zone_from_grams end,
    -- The closure of today; otherwise the longest of those that move the day: on one of its days we would have worked.
    'closed', (
      select jsonb_build_object('from', c.starts_on, 'until', c.ends_on, 'reason', c.reason)
      from public.closures c
      where c.ends_on >= today and (c.starts_on <= today or exists (
        select from generate_series(c.starts_on, least(c.ends_on, journey.arrives_on), interval '1 day') d
        where extract(dow from d)::smallint <> all (shop.weekly_off)))
      order by c.starts_on <= today desc, c.ends_on desc, c.id limit 1),
    'collect_from', journey.opens_on,
    'spoiled', coalesce(spoiled, '[]'),
    'instead', case when spoiled is not null and cardinality(product_ids) = 1
                    then private.sent_instead(product_ids[1], journey.arrives_on - journey.leaves_on) else '[]' end);
end $$;

create function public.check_delivery(pincode text, product_ids bigint[] default '{}', grams integer default 500) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.check_delivery_at(pincode, product_ids, grams, now());
$$;

create function private.sent_instead(product_id bigint, travel_days integer) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('product_id', s."Id", 'product', s."Name") order by s.place), '[]')
  from (
    select p."Id", p."Name",
           row_number() over (order by p."Category" = asked."Category" desc, p."Rating" desc nulls last, p."Id") as place
    from public."Products" asked, public."Products" p
    where asked."Id" = sent_instead.product_id and p."Id" <> asked."Id" and p.isavailable and p.archived_at is null
      and p."Category" <> 'Takeaway' and private.survives(p.shelf_life_days, travel_days)
    order by place limit 3
  ) s;
$$;

revoke execute on function public.check_delivery(text, bigint[], integer) from public, anon, authenticated;
grant execute on function public.check_delivery(text, bigint[], integer) to anon, authenticated, service_role;

-- 07_orders/01_orders.sql
create function private.is_legal_move(from_status text, to_status text, fulfilment text, by_customer boolean) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from private.order_status_edges e
    where e.from_status = is_legal_move.from_status and e.to_status = is_legal_move.to_status
      and (e.fulfilment is null or e.fulfilment = is_legal_move.fulfilment)
      and (e.by_customer or not is_legal_move.by_customer)
  );
$$;

create table private.order_status_edges (
  from_status text not null,
  to_status text not null,
  by_customer boolean not null,
  fulfilment text check (fulfilment in ('delivery', 'pickup')),
  can_be_undone boolean not null default true,
  primary key (from_status, to_status)
);
alter table private.order_status_edges enable row level security;

insert into private.order_status_edges (from_status, to_status, by_customer, fulfilment, can_be_undone) values
  ('Pending', 'Confirmed', false, null, true),
  ('Confirmed', 'Preparing', false, null, true),
  ('Preparing', 'Packed', false, null, false),
  ('Packed', 'Shipped', false, 'delivery', true),
  ('Shipped', 'Delivered', false, 'delivery', true),
  ('Shipped', 'Undelivered', false, 'delivery', true),
  ('Undelivered', 'Shipped', false, 'delivery', true),
  ('Packed', 'Ready', false, 'pickup', true),
  ('Ready', 'Collected', false, 'pickup', true),
  ('Pending', 'canceled', true, null, false),
  ('Confirmed', 'canceled', true, null, false),
  ('Preparing', 'canceled', false, null, false),
  ('Packed', 'canceled', false, null, false),
  ('Ready', 'canceled', false, 'pickup', false),
  ('Undelivered', 'canceled', false, 'delivery', false),
  ('Delivered', 'Refunded', false, 'delivery', false),
  ('Collected', 'Refunded', false, 'pickup', false);

create table public.orders (
  id uuid primary key default gen_random_uuid(),
  number bigint generated by default as identity (start with 1001) unique,
  user_id uuid references auth.users (id) on delete set null,
  status text not null default 'Pending' check (status in (
    'Pending', 'Confirmed', 'Preparing', 'Packed', 'Shipped', 'Delivered', 'Undelivered',
    'Ready', 'Collected', 'canceled', 'Refunded')),
  payment_status text not null default 'unpaid' check (payment_status in (
    'unpaid', 'paid', 'paid_offline', 'refund_pending', 'partially_refunded', 'refunded', 'refund_failed')),
  payment_id text unique,
  source text not null check (source in ('cart', 'direct', 'manual')),
  fulfilment text not null default 'delivery' check (fulfilment in ('delivery', 'pickup')),
  sub_total numeric(12, 2) not null check (sub_total > 0)
    constraint orders_sub_total_is_a_number check (sub_total <> 'NaN'),
  tax numeric(12, 2) not null check (tax >= 0) constraint orders_tax_is_a_number check (tax <> 'NaN'),
  shipping_charge numeric(12, 2) not null check (shipping_charge >= 0)
    constraint orders_shipping_charge_is_a_number check (shipping_charge <> 'NaN'),
  total_amount numeric(12, 2) not null check (total_amount >= 1 and total_amount = sub_total + tax + shipping_charge)
    constraint orders_total_amount_is_a_number check (total_amount <> 'NaN'),
  delivery_name text not null check (char_length(delivery_name) between 1 and 120),
  delivery_phone text not null check (char_length(delivery_phone) <= 20),
  delivery_building_no text not null default '' check (char_length(delivery_building_no) <= 120),
  delivery_street text not null default '' check (char_length(delivery_street) <= 200),
  delivery_city text not null default '' check (char_length(delivery_city) <= 80),
  delivery_state text not null default '' check (char_length(delivery_state) <= 80),
  delivery_zip text not null default '' check (delivery_zip ~ '^([1-9][0-9]{5})?$'),
  courier text check (char_length(courier) <= 80),
  tracking_number text check (char_length(tracking_number) <= 80),
  tracking_url text check (tracking_url = '' or private.is_safe_link(tracking_url)),
  cancel_reason text check (char_length(cancel_reason) <= 300),
  canceled_goods text not null default 'stock' check (canceled_goods in ('stock', 'wastage')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  delivery_by date,
  status_since timestamptz not null default now(),
  offline_method text check (offline_method in ('cash', 'upi', 'card', 'bank')),
  check (fulfilment = 'pickup' or delivery_zip <> '')
);
create index orders_user_idx on public.orders (user_id, created_at desc, id desc);
create index orders_status_idx on public.orders (status, created_at desc, id desc);
create index orders_created_idx on public.orders (created_at desc, id desc);
create index orders_search_idx on public.orders using gin
  ((lower(' ' || delivery_name || ' ' || translate(delivery_phone, '+- ()', ''))
    || case when octet_length(delivery_name) > char_length(delivery_name)
       then encode(decode(replace(lower(delivery_name), '\', '\\'), 'escape'), 'hex') else '' end) extensions.gin_trgm_ops)
  with (gin_pending_list_limit = 256);
create index orders_pincode_idx on public.orders (delivery_zip text_pattern_ops, created_at desc, id desc);
create index orders_total_idx on public.orders (total_amount desc, id desc);
create index orders_open_idx on public.orders (status_since, id) where status not in ('Delivered', 'Collected', 'canceled', 'Refunded');
create index orders_unusual_payment_idx on public.orders (payment_status, created_at desc, id desc) where payment_status <> 'paid';
create index orders_manual_idx on public.orders (created_at desc, id desc) where source = 'manual';
create index orders_pickup_idx on public.orders (created_at desc, id desc) where fulfilment = 'pickup';
create index orders_to_give_back_idx on public.orders (created_at desc, id desc)
  where payment_status = 'refund_failed' or status = 'canceled' and payment_status in ('paid_offline', 'partially_refunded');
create index orders_caller_idx on public.orders (right(regexp_replace(delivery_phone, '\D', '', 'g'), 10), created_at desc);
create index orders_city_idx on public.orders (lower(delivery_city) text_pattern_ops, created_at desc, id desc);
create index orders_tracking_idx on public.orders (upper(tracking_number)) where tracking_number is not null;
create index orders_to_collect_idx on public.orders (created_at desc, id desc) include (total_amount)
  where payment_status = 'unpaid' and status not in ('canceled', 'Refunded');
alter table public.orders enable row level security;
revoke all on public.orders from anon, authenticated;
grant select, update (status) on public.orders to authenticated;
grant all on public.orders to service_role;
create policy "customers read their own orders, administrators all" on public.orders
  for select to authenticated using (user_id = (select auth.uid()) or (select private.is_admin()));
create policy "customers cancel their own orders, administrators work on all" on public.orders
  for update to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()))
  with check (user_id = (select auth.uid()) or (select private.is_admin()));
create policy "an ended session reads no orders" on public.orders as restrictive
  for select to authenticated using ((select private.is_own_session_active()));

create trigger orders_never_go before delete on public.orders
  for each row execute function private.refuse_change();
create trigger orders_audit after update on public.orders
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');
create trigger orders_audit_manual after insert on public.orders
  for each row when (pg_trigger_depth() = 0 and new.source = 'manual') execute function private.record_change('id');
create trigger orders_never_emptied before truncate on public.orders
  for each statement execute function private.refuse_change();

create function private.guard_order() returns trigger
language plpgsql set search_path = '' as $$
declare
  browser boolean := current_user in ('anon', 'authenticated');
  admin boolean := private.is_admin();
  moved boolean := new.status <> old.status;
begin
  if (new.id, new.number, new.created_at, new.source, new.fulfilment, new.sub_total, new.tax, new.shipping_charge, new.total_amount)
     is distinct from
     (old.id, old.number, old.created_at, old.source, old.fulfilment, old.sub_total, old.tax, old.shipping_charge, old.total_amount)
     or (old.user_id is distinct from new.user_id and new.user_id is not null)
     or (old.payment_id is not null and new.payment_id is distinct from old.payment_id) then
    raise sqlstate 'PT403' using message = 'what was ordered and paid never changes';
  end if;

  if browser then
    if (new.user_id, new.payment_id, new.payment_status, new.offline_method)
       is distinct from (old.user_id, old.payment_id, old.payment_status, old.offline_method) then
      raise sqlstate 'PT403' using message = 'only the shop itself records payments';
    end if;
    if not admin and (to_jsonb(new) - 'status' - 'updated_at') <> (to_jsonb(old) - 'status' - 'updated_at') then
      raise sqlstate 'PT403' using message = 'customers can only cancel an order';
    end if;
    if not admin and new.status <> 'canceled' then
      raise sqlstate 'PT403' using message = 'customers can only cancel an order';
    end if;
    if admin and old.status not in ('Pending', 'Confirmed', 'Preparing')
       and (new.delivery_name, new.delivery_phone, new.delivery_building_no, new.delivery_street,
            new.delivery_city, new.delivery_state, new.delivery_zip)
           is distinct from
           (old.delivery_name, old.delivery_phone, old.delivery_building_no, old.delivery_street,
            old.delivery_city, old.delivery_state, old.delivery_zip) then
      raise sqlstate 'PT409' using message = 'the address cannot change once the order is packed';
    end if;
    if admin and moved and new.status = 'canceled'
       and not (old.user_id is not distinct from auth.uid()
                and private.is_legal_move(old.status, new.status, old.fulfilment, by_customer => true))
       and coalesce(btrim(new.cancel_reason), '') = '' then
      raise sqlstate 'PT400' using message = 'canceling needs a reason';
    end if;
  end if;

  if moved and not private.is_legal_move(old.status, new.status, old.fulfilment, by_customer => browser and not admin)
     and (browser or not private.is_undo(old.id, old.status, new.status)) then
    raise sqlstate 'PT409' using
      message = format('an order that is %s cannot become %s', old.status, new.status);
  end if;
  -- A repeated cancel is not an event, but it must not look like a success either.
  if browser and not admin and not moved then
    raise sqlstate 'PT409' using message = 'the order is already canceled';
  end if;

  if moved and new.status in ('canceled', 'Refunded') and old.payment_status in ('paid', 'partially_refunded')
     and old.payment_id is not null then
    new.payment_status := 'refund_pending';
  end if;
  if auth.uid() is not null or new.payment_status = old.payment_status
     or to_jsonb(new) - 'payment_status' <> to_jsonb(old) - 'payment_status' then
    new.updated_at := now();
  end if;
  return new;
end $$;
create trigger orders_guard before update on public.orders
  for each row execute function private.guard_order();

create function private.keep_status_since() returns trigger
language plpgsql set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    new.status_since := new.updated_at;
  elsif new.status = old.status then
    new.status_since := old.status_since;
  elsif coalesce(current_setting('shop.undoes', true), '') <> '' then
    select coalesce(max(e.created_at), now()) into new.status_since from public.order_events e
    where e.order_id = new.id and e.to_status = new.status and e.undoes is null;
  else
    new.status_since := coalesce(nullif(current_setting('shop.event_at', true), '')::timestamptz, now());
  end if;
  return new;
end $$;
create trigger orders_keep_status_since before insert or update on public.orders
  for each row execute function private.keep_status_since();

grant execute on function private.is_legal_move(text, text, text, boolean) to authenticated, service_role;
grant execute on function private.guard_order() to public;

-- 07_orders/02_items_and_events.sql
create function private.stock_quantity(has_size boolean, size integer, quantity integer) returns integer
language sql immutable as $$
  select case when has_size then size * quantity else quantity end;
$$;

create table public.order_items (
  id bigint generated always as identity primary key,
  order_id uuid not null references public.orders (id),
  product_id bigint not null references public."Products" ("Id"),
  product_name text not null,
  product_image text not null default '',
  quantity integer not null check (quantity between 1 and 25),
  size integer not null check (size in (500, 1000)),
  unit_price numeric(10, 2) not null check (unit_price > 0)
    constraint order_items_unit_price_is_a_number check (unit_price <> 'NaN'),
  gst_percent numeric(4, 2) not null constraint order_items_gst_percent_is_a_number check (gst_percent <> 'NaN'),
  hsn text not null,
  has_size boolean not null
);
create index order_items_order_idx on public.order_items (order_id);
create index order_items_product_idx on public.order_items (product_id, order_id);
alter table public.order_items enable row level security;
revoke all on public.order_items from anon, authenticated;
grant select on public.order_items to authenticated;
grant all on public.order_items to service_role;
create policy "items are read with their order" on public.order_items
  for select to authenticated using ((select true from public.orders o where o.id = order_id));

create trigger order_items_never_change before update or delete on public.order_items
  for each row execute function private.refuse_change();
create trigger order_items_never_emptied before truncate on public.order_items
  for each statement execute function private.refuse_change();

create table private.placed_items (
  order_item_id bigint primary key,
  order_id uuid not null,
  product_id bigint not null,
  quantity integer not null,
  size integer not null,
  unit_price numeric(10, 2) not null constraint placed_items_unit_price_is_a_number check (unit_price <> 'NaN'),
  unit_cost numeric(10, 2) constraint placed_items_unit_cost_is_a_number check (unit_cost <> 'NaN')
);
create index placed_items_order_idx on private.placed_items (order_id);
alter table private.placed_items enable row level security;

create table public.order_events (
  id bigint generated always as identity primary key,
  order_id uuid not null references public.orders (id),
  from_status text,
  to_status text not null,
  actor_role text not null check (actor_role in ('customer', 'administrator', 'system')),
  public_note text not null default '' check (char_length(public_note) <= 500),
  created_at timestamptz not null default now(),
  user_id uuid,
  undoes bigint references public.order_events (id)
);
create index order_events_order_idx on public.order_events (order_id, id);
create index order_events_ended_idx on public.order_events (created_at) where to_status in ('canceled', 'Refunded');
create unique index order_events_undoes_idx on public.order_events (undoes) where undoes is not null;
alter table public.order_events enable row level security;
revoke all on public.order_events from anon, authenticated;
grant select on public.order_events to authenticated;
grant all on public.order_events to service_role;
create policy "events are read with their order" on public.order_events
  for select to authenticated using ((select true from public.orders o where o.id = order_id));

create trigger order_events_never_emptied before truncate on public.order_events
  for each statement execute function private.refuse_change();

create table private.order_event_actors (
  event_id bigint primary key references public.order_events (id),
  actor_id uuid not null
);
alter table private.order_event_actors enable row level security;

create table private.order_notes (
  id bigint generated always as identity primary key,
  order_id uuid not null references public.orders (id),
  author_id uuid,
  note text not null check (char_length(note) between 1 and 2000),
  created_at timestamptz not null default now(),
  entry_id uuid unique,
  on_paper boolean not null default false
);
create index order_notes_order_idx on private.order_notes (order_id, id);
alter table private.order_notes enable row level security;

create trigger order_notes_audit after insert on private.order_notes
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');

create function private.keep_placed_items() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.placed_items (order_item_id, order_id, product_id, quantity, size, unit_price, unit_cost)
  select i.id, i.order_id, i.product_id, i.quantity, i.size, i.unit_price,
         private.unit_cost_at(i.product_id, (select o.created_at from public.orders o where o.id = i.order_id))
  from placed i;
  return null;
end $$;
create trigger order_items_keep_placed after insert on public.order_items
  referencing new table as placed
  for each statement execute function private.keep_placed_items();

create function private.guard_order_event() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE'
     and (new.public_note, new.user_id) is distinct from (old.public_note, old.user_id)
     and to_jsonb(new) - 'public_note' - 'user_id' = to_jsonb(old) - 'public_note' - 'user_id'
     and (new.public_note = old.public_note or (new.public_note = '' and private.is_erasing()))
     and (new.user_id is not distinct from old.user_id
          or new.user_id is not distinct from (select o.user_id from public.orders o where o.id = new.order_id)) then
    return new;
  end if;
  raise sqlstate 'PT403' using message = 'rows of order_events are never changed or deleted';
end $$;
create trigger order_events_never_change before update or delete on public.order_events
  for each row execute function private.guard_order_event();

create function private.record_order_event() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  actor uuid := auth.uid();
  event bigint;
begin
  insert into public.order_events (order_id, from_status, to_status, actor_role, public_note, created_at, undoes)
  values (
    new.id, old.status, new.status,
    case when actor is null then 'system'
         -- An administrator who buys is a customer in what customers can do, and an administrator in the rest.
         when private.is_admin() and not (actor is not distinct from new.user_id
              and private.is_legal_move(old.status, new.status, new.fulfilment, by_customer => true)) then 'administrator'
         when actor = new.user_id then 'customer' else 'system' end,
    coalesce(current_setting('shop.public_note', true), ''),
    coalesce(nullif(current_setting('shop.event_at', true), '')::timestamptz, now()),
    nullif(current_setting('shop.undoes', true), '')::bigint
  )
  returning id into event;
  if actor is not null then
    insert into private.order_event_actors (event_id, actor_id) values (event, actor);
  end if;
  return null;
end $$;
create trigger orders_record_move after update of status on public.orders
  for each row when (old.status is distinct from new.status) execute function private.record_order_event();

create function private.record_placed_orders() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  actor uuid := auth.uid();
  is_admin boolean := actor is not null and private.is_admin();
begin
  with recorded as (
    insert into public.order_events (order_id, to_status, actor_role, public_note, created_at)
    select o.id, o.status,
           -- An administrator who buys is a customer in it.
           case when actor = o.user_id then 'customer' when is_admin then 'administrator' else 'system' end,
           coalesce(current_setting('shop.public_note', true), ''),
           coalesce(nullif(current_setting('shop.event_at', true), '')::timestamptz, now())
    from placed o
    returning id
  )
  insert into private.order_event_actors (event_id, actor_id)
  select r.id, actor from recorded r where actor is not null;
  return null;
end $$;
create trigger orders_record_placing after insert on public.orders
  referencing new table as placed for each statement execute function private.record_placed_orders();

create function private.set_event_customer() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.user_id := (select o.user_id from public.orders o where o.id = new.order_id);
  return new;
end $$;
create trigger order_events_set_customer before insert on public.order_events
  for each row execute function private.set_event_customer();

create function private.move_events_to_customer() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.order_events e set user_id = new.user_id where e.order_id = new.id;
  return null;
end $$;
create trigger orders_move_events after update of user_id on public.orders
  for each row when (old.user_id is distinct from new.user_id) execute function private.move_events_to_customer();

create function private.unit_cost_at(product_id bigint, at timestamptz) returns numeric
language sql stable set search_path = '' as $$
  select c.unit_cost from private.product_costs c
  where c.product_id = unit_cost_at.product_id and c.valid_from <= unit_cost_at.at
  order by c.valid_from desc limit 1;
$$;

create function private.undo_time() returns interval
language sql immutable as $$
  select interval '1 minute';
$$;

create function private.can_be_undone(event public.order_events) returns boolean
language sql stable set search_path = '' as $$
  select event.undoes is null and event.actor_role = 'administrator' and exists (
    select from private.order_status_edges e
    where e.from_status = event.from_status and e.to_status = event.to_status and e.can_be_undone);
$$;

create function private.undo_refusal(taken public.orders, event public.order_events) returns text
language sql stable set search_path = '' as $$
  select case
    when event.to_status = 'canceled' then format('Order %s was cancelled: its stock and money are already on their way back.', taken.number)
    when event.to_status = 'Refunded' then format('Order %s was refunded. A refund cannot be undone.', taken.number)
    when event.undoes is null and event.from_status = 'Preparing' and event.to_status = 'Packed'
      then format('Order %s was packed and its invoice is issued. Cancel the order instead.', taken.number)
    when not private.can_be_undone(event) then format('Order %s has no move to undo.', taken.number)
    when event.created_at + private.undo_time() <= now() then format('Order %s was moved more than a minute ago.', taken.number)
    when exists (select from private.refunds r where r.order_id = taken.id and r.created_at >= event.created_at)
      then format('A refund of order %s has started since.', taken.number)
    when exists (select from private.mails_of_event(event) m where m.attempts > 0 or m.done_at is not null)
      then format('The customer has already been mailed that order %s is %s.', taken.number, event.to_status)
  end;
$$;

create function private.is_undo(order_id uuid, from_status text, to_status text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.order_events e
    where e.id = nullif(current_setting('shop.undoes', true), '')::bigint and e.order_id = is_undo.order_id
      and e.from_status = is_undo.to_status and e.to_status = is_undo.from_status
      and not exists (select from public.order_events later where later.order_id = e.order_id and later.id > e.id));
$$;

create function private.undo_move(taken public.orders, event public.order_events) returns void
language plpgsql set search_path = '' as $$
begin
  delete from private.outbox o where o.id in (select m.id from private.mails_of_event(event) m);
  perform set_config('shop.undoes', event.id::text, true);
  update public.orders o
  set status = event.from_status,
      courier = case when b.courier is null then o.courier else b.courier #>> '{}' end,
      tracking_number = case when b.tracking_number is null then o.tracking_number else b.tracking_number #>> '{}' end,
      tracking_url = case when b.tracking_url is null then o.tracking_url else b.tracking_url #>> '{}' end
  from (
    -- What was there before the first change since; SQL null where nothing changed.
    select (array_agg(l.before -> 'courier' order by l.id) filter (where l.before ? 'courier'))[1] as courier,
           (array_agg(l.before -> 'tracking_number' order by l.id) filter (where l.before ? 'tracking_number'))[1] as tracking_number,
           (array_agg(l.before -> 'tracking_url' order by l.id) filter (where l.before ? 'tracking_url'))[1] as tracking_url
    from public.audit_log l
    where event.to_status = 'Shipped' and l.table_name = 'orders' and l.row_id = taken.id::text and l.action = 'update'
      and l.at >= event.created_at
  ) b
  where o.id = taken.id;
  perform set_config('shop.undoes', '', true);
end $$;

create function private.is_kept(status text, payment_status text) returns boolean
language sql immutable parallel safe as $$
  select status not in ('canceled', 'Refunded') and payment_status in ('paid', 'partially_refunded');
$$;

grant execute on function private.stock_quantity(boolean, integer, integer) to public;
grant execute on function private.is_undo(uuid, text, text) to authenticated, service_role;

-- 07_orders/03_history.sql
create function private.shipping_tax_paise(shipping_paise bigint, hsn text[], gst_percent numeric[], goods_paise numeric[]) returns bigint
language plpgsql immutable set search_path = '' as $$
begin
  return (
    select coalesce(sum(s.share - round(s.share * 100 / (100 + s.gst_percent))), 0)
    from (
      select k.gst_percent, round(shipping_paise * k.so_far / k.whole) - round(shipping_paise * (k.so_far - k.paise) / k.whole) as share
      from (
        select g.gst_percent, g.paise, sum(g.paise) over (order by g.place) as so_far, sum(g.paise) over () as whole
        from (
          select l.gst_percent, sum(l.paise) as paise, min(l.place) as place
          from unnest(hsn, shipping_tax_paise.gst_percent, goods_paise) with ordinality l (hsn, gst_percent, paise, place)
          group by l.hsn, l.gst_percent
        ) g
      ) k
    ) s);
end $$;

create function private.order_shipping_tax(placed public.orders) returns bigint
language plpgsql stable security definer set search_path = '' as $$
declare
  shipping_paise constant bigint := placed.shipping_charge * 100;
  rate numeric;
begin
  if shipping_paise = 0
     or not coalesce((select v.tax_kind <> 'none' from private.invoices v where v.order_id = placed.id), private.is_registered()) then
    return 0;
  end if;
  select min(i.gst_percent) into rate from public.order_items i where i.order_id = placed.id
  having min(i.gst_percent) = max(i.gst_percent) and min(i.hsn) = max(i.hsn);
  if found then
    return shipping_paise - round(shipping_paise * 100 / (100 + rate));
  end if;
  return (
    select private.shipping_tax_paise(shipping_paise, array_agg(i.hsn order by i.id),
      array_agg(i.gst_percent order by i.id), array_agg(i.unit_price * 100 * i.size / 500 * i.quantity order by i.id))
    from public.order_items i where i.order_id = placed.id);
end $$;

create function private.fee_tax_paise(fee_paise bigint) returns bigint
language sql immutable parallel safe as $$
  select round(fee_paise * 18 / 118.0)::bigint;
$$;

create function public.my_checkout(provider_order_id text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'state', case when c.order_id is not null then 'ordered'
                  when r.id is not null then 'refunded'
                  when c.state = 'open' then 'confirming' else 'lapsed' end,
    'total_paise', q.total_paise,
    'order_id', o.id, 'number', o.number, 'delivery_by', o.delivery_by, 'fulfilment', q.fulfilment,
    'address', case when o.id is not null and o.fulfilment = 'delivery' then jsonb_build_array(
      o.delivery_name, o.delivery_building_no, o.delivery_street, o.delivery_city, o.delivery_state, o.delivery_zip) end,
    'items', (
      select jsonb_agg(jsonb_build_object(
        'name', i.product_name, 'image', i.product_image, 'quantity', i.quantity,
        'size', case when i.has_size then i.size end, 'line_paise', (i.unit_price * i.size / 500 * i.quantity * 100)::bigint) order by i.id)
      from public.order_items i where i.order_id = o.id),
    'refund', case when r.id is not null then jsonb_build_object('reason', r.reason, 'amount_paise', r.amount_paise, 'status', r.status) end)
  from private.checkouts c
  join private.quotes q on q.id = c.quote_id
  left join public.orders o on o.id = c.order_id
  left join lateral (
    select f.* from private.payments p join private.refunds f on f.payment_id = p.payment_id
    where p.provider_order_id = c.provider_order_id and p.order_id is null
    order by f.created_at desc limit 1
  ) r on true
  where c.provider_order_id = my_checkout.provider_order_id and c.user_id = (select auth.uid());
$$;

create function public.my_refunds() returns table (
  id uuid, order_id uuid, amount_paise bigint, status text, reason text, created_at timestamptz, processed_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select r.id, coalesce(r.order_id, p.order_id), r.amount_paise, r.status, r.reason, r.created_at, r.processed_at
  from private.payments p
  join private.refunds r on r.payment_id = p.payment_id
  where p.user_id = (select auth.uid())
    and not (r.status = 'failed' and exists (
      select from private.refunds n
      where n.payment_id = r.payment_id and n.amount_paise = r.amount_paise and n.reason = r.reason and n.created_at > r.created_at))
  order by r.created_at desc
  limit 200;
$$;

create view public.order_details_view with (security_invoker = true) as
  select o.id as order_id, o.total_amount, o.status, o.created_at, i.product_name, i.product_image,
         i.quantity, i.size, i.unit_price, o.user_id,
         o.number, i.product_id, o.payment_status, o.shipping_charge, o.sub_total, o.tax, o.fulfilment,
         i.has_size, o.delivery_by, o.courier, o.tracking_number, o.tracking_url, o.cancel_reason,
         private.order_shipping_tax(o) / 100.0 as shipping_tax
  from public.orders o
  join public.order_items i on i.order_id = o.id;
revoke all on public.order_details_view from anon, authenticated;
grant select on public.order_details_view to authenticated, service_role;

grant execute on function private.order_shipping_tax(orders) to authenticated, service_role;
revoke execute on function public.my_checkout(text), public.my_refunds() from public, anon, authenticated;
grant execute on function public.my_checkout(text), public.my_refunds() to authenticated, service_role;

-- 07_orders/04_names.sql
create table private.order_words (
  word text not null,
  created_at timestamptz not null,
  id uuid not null,
  primary key (word, created_at, id)
);
alter table private.order_words enable row level security;

create table private.name_words (
  word text primary key
);
create index name_words_search_idx on private.name_words using gin (word extensions.gin_trgm_ops);
alter table private.name_words enable row level security;

create table private.order_words_until (
  is_only boolean primary key default true check (is_only),
  until timestamptz not null
);
alter table private.order_words_until enable row level security;

create function private.follow_name() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(private.order_words_lock());
  if tg_op = 'UPDATE' then
    delete from private.order_words w
    where w.word in (select private.words_of(old)) and w.created_at = old.created_at and w.id = old.id;
    delete from private.name_words n
    where n.word in (select private.words_of(old)) and not exists (select from private.order_words w where w.word = n.word);
  end if;
  insert into private.order_words (word, created_at, id) select w.word, new.created_at, new.id from private.words_of(new) w (word)
  on conflict do nothing;
  insert into private.name_words (word) select w.word from private.words_of(new) w (word) order by 1 on conflict do nothing;
  return null;
end $$;
create trigger orders_follow_name_placed after insert on public.orders
  for each row when (new.created_at < now() - interval '9 minutes') execute function private.follow_name();
create trigger orders_follow_name_changed after update of delivery_name, delivery_phone on public.orders
  for each row when ((old.delivery_name, old.delivery_phone) is distinct from (new.delivery_name, new.delivery_phone))
  execute function private.follow_name();

create function private.words_of(placed public.orders) returns setof text
language sql immutable as $$
  select distinct w.word from regexp_split_to_table(lower(placed.delivery_name || ' ' || translate(placed.delivery_phone, '+- ()', '')), '\s+') w (word)
  where w.word ~ '[^0-9]';
$$;

create function private.order_words_lock() returns bigint
language sql immutable set search_path = '' as $$ select 7640114::bigint $$;

create function private.keep_order_words(at timestamptz) returns boolean
language plpgsql set search_path = '' as $$
declare
  due timestamptz := least(at, now()) - interval '10 minutes';
  kept timestamptz;
  upto timestamptz;
begin
  perform pg_advisory_xact_lock(private.order_words_lock());
  kept := coalesce((select u.until from private.order_words_until u), (select min(o.created_at) from public.orders o), due);
  upto := least(due, kept + interval '92 days');
  if upto < kept then
    return false;
  end if;
  insert into private.order_words (word, created_at, id)
  select w.word, o.created_at, o.id from public.orders o cross join lateral private.words_of(o) w (word)
  where o.created_at >= kept and o.created_at < upto
  order by 1, 2, 3
  on conflict do nothing;
  insert into private.name_words (word)
  select distinct w.word from public.orders o cross join lateral private.words_of(o) w (word)
  where o.created_at >= kept and o.created_at < upto
  on conflict do nothing;
  insert into private.order_words_until (until) values (upto) on conflict (is_only) do update set until = excluded.until;
  return upto < due;
end $$;

create function private.orders_for_name(word text) returns text[]
language plpgsql stable set search_path = '' as $$
declare
  most constant integer := 20;
  until constant timestamptz := (select u.until from private.order_words_until u);
  -- A short word is looked for where a word begins.
  pattern constant text := regexp_replace(private.word_pattern(word), '^% ', '');
  called text[];
begin
  if until is null or word ~ '[0-9]' then
    return null;
  end if;
  called := array(select n.word from private.name_words n where n.word like pattern limit most + 1);
  if cardinality(called) > most then
    return null;
  end if;
  return (select coalesce(array_agg(format('private.order_words o where o.word = %L', c.name)), '{}') from unnest(called) c (name))
    || format('public.orders o where o.created_at >= %L::timestamptz and %s', until, private.has_word(orders_for_name.word));
end $$;

-- 08_checkout/01_quotes.sql
create table private.quotes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references auth.users (id) on delete set null,
  source text not null check (source in ('cart', 'direct')),
  fulfilment text not null check (fulfilment in ('delivery', 'pickup')),
  pincode text not null,
  lines jsonb not null,
  product_ids bigint[] not null,
  units integer[] not null check (cardinality(units) = cardinality(product_ids)),
  sub_total_paise bigint not null,
  tax_paise bigint not null,
  shipping_paise bigint not null,
  total_paise bigint not null check (total_paise = sub_total_paise + tax_paise + shipping_paise and total_paise >= 100),
  delivery_by date,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index quotes_user_idx on private.quotes (user_id, created_at desc);
create index quotes_expires_idx on private.quotes (expires_at);
alter table private.quotes enable row level security;

create view private.dated_quotes with (security_invoker = true) as
  select q.*, q as quote,
         (l.clock::date + case when l.clock::time < s.cutoff_time then time '00:00' else s.cutoff_time end) at time zone 'Asia/Kolkata' as shift
  from private.quotes q
  cross join public.shop_settings s
  cross join lateral (select q.created_at at time zone 'Asia/Kolkata' as clock) l;

create function private.price_lines(lines jsonb) returns table (
  ask integer, product_id bigint, size integer, quantity integer, product_name text, product_image text, category text,
  has_size boolean, unit_price numeric, gst_percent numeric, hsn text, line_paise bigint, tax_paise bigint, grams integer,
  stock_units integer)
language sql stable set search_path = '' as $$
  select l.ask, p."Id", l.size, l.quantity, p."Name", p."Image", p."Category", p."hasSize", p."Price", p.gst_percent, p.hsn,
         (p."Price" * 100 * l.size / 500 * l.quantity)::bigint,
         round(p."Price" * 100 * l.size / 500 * l.quantity * p.gst_percent / 100)::bigint,
         case when p."hasSize" then l.size else p.weight_grams end * l.quantity,
         private.stock_quantity(p."hasSize", l.size, l.quantity)
  from (
    select (line ->> 'ask')::integer as ask, (line ->> 'product_id')::bigint as product_id, (line ->> 'size')::integer as size,
           sum((line ->> 'quantity')::integer)::integer as quantity
    from jsonb_array_elements(price_lines.lines) as line
    group by 1, 2, 3
  ) l
  join public."Products" p on p."Id" = l.product_id
  order by l.ask, p."Id", l.size;
$$;

create function private.shortage(product_ids bigint[], units integer[], held private.quotes) returns jsonb
language sql stable set search_path = '' as $$
  select case when not s.is_sold
    then jsonb_build_object('ok', false, 'reason', 'not-available', 'product', s.product, 'product_id', s.product_id)
    else jsonb_build_object('ok', false, 'reason', 'not-enough-stock', 'product', s.product, 'product_id', s.product_id,
                            'left', s.units + coalesce(h.units, 0), 'unit', case when s.has_size then 'g' else 'pieces' end) end
  from unnest(shortage.product_ids, shortage.units) as w (product_id, units)
  join private.saleable() s on s.product_id = w.product_id
  left join unnest(held.product_ids, held.units) as h (product_id, units) on h.product_id = w.product_id
  where not s.is_sold or w.units > s.units + coalesce(h.units, 0)
  order by w.product_id
  limit 1;
$$;

create function public.quote_order(
  customer_id uuid, lines jsonb, pincode text, source text, fulfilment text, at timestamptz default now()
) returns jsonb
language plpgsql security definer set search_path = ''
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  held private.quotes;
  priced record;
  quoted private.quotes;
  collect_from date;
begin
  -- A quote that a crash takes away is asked for again: nothing waits for the disk.
  perform set_config('synchronous_commit', 'off', true);
  if not private.take_turn('quote', customer_id::text, 60, interval '1 minute', at) then
    return jsonb_build_object('ok', false, 'reason', 'too-many-quotes');
  end if;
  held := private.held_by(customer_id);
  select * into priced from private.price_order(lines, pincode, source, fulfilment, held, at);
  if priced.refusal is not null then
    return priced.refusal;
  end if;

  if fulfilment = 'pickup' then
    collect_from := (select p.opens_on from private.promise(at, 0) p);
    if collect_from is null then
      return jsonb_build_object('ok', false, 'reason', 'closed');
    end if;
  end if;
  quoted := priced.quote;
  quoted.id := gen_random_uuid();
  quoted.user_id := customer_id;
  insert into private.quotes select quoted.*;
  return private.quote_answer(quoted, collect_from);
end $$;

create function private.saleable() returns table (product_id bigint, product text, has_size boolean, is_sold boolean, units integer)
language sql stable as $$
  select p."Id", p."Name", p."hasSize", p.is_listed and p.archived_at is null, s.on_hand - s.reserved
  from public."Products" p join public.stock_levels s on s.product_id = p."Id";
$$;

create function private.price_orders(asks jsonb, at timestamptz)
returns table (ask integer, quote private.quotes, grams bigint, refusal jsonb, spoiled jsonb)
language plpgsql stable set search_path = '' as $$
begin
  return query
    with asked as materialized (
      select a.n::integer as ask, a.ask -> 'lines' as lines, a.ask ->> 'pincode' as pincode, a.ask ->> 'source' as source,
             a.ask ->> 'fulfilment' as fulfilment
      from jsonb_array_elements(asks) with ordinality as a (ask, n)
    ), said as materialized (
      select a.ask, line from asked a, jsonb_array_elements(a.lines) as line
    ), line as materialized (
      select * from private.price_lines((select jsonb_agg(s.line || jsonb_build_object('ask', s.ask)) from said s))
    ), summed as materialized (
      select l.ask, jsonb_agg(to_jsonb(l) - 'ask' - 'category' order by l.product_id, l.size) as lines,
             sum(l.line_paise)::bigint as sub_total, sum(l.tax_paise)::bigint as tax, sum(l.grams)::bigint as grams,
             max(l.quantity) as most, bool_and(l.category = 'Takeaway') as all_takeaway,
             max(l.product_name) filter (where not l.has_size and l.size <> 500) as without_size,
             min(p.shelf_life_days) as shelf_life_days
      from line l join public."Products" p on p."Id" = l.product_id group by l.ask
    ), wanted as materialized (
      select w.ask, array_agg(w.product_id order by w.product_id) as product_ids, array_agg(w.units order by w.product_id) as units
      from (select l.ask, l.product_id, sum(l.stock_units)::integer as units from line l group by 1, 2) w
      group by w.ask
    ), zones as materialized (
      select k.pincode, private.zone_of(k.pincode) as zone
      from (select distinct a.pincode from asked a where a.fulfilment = 'delivery') k
    ), journeys as materialized (
      select z.pincode, z.zone, p.leaves_on, p.arrives_on
      from zones z cross join lateral private.promise(price_orders.at, (z.zone).max_days) p
    ), judged as materialized (
      select a.*, s.lines as priced, coalesce(s.sub_total, 0) as sub_total, coalesce(s.tax, 0) as tax, s.grams, w.product_ids, w.units,
             j.arrives_on,
             case when coalesce(cardinality(w.product_ids), 0)
                       <> (select count(distinct (d.line ->> 'product_id')::bigint) from said d where d.ask = a.ask)
                    then jsonb_build_object('ok', false, 'reason', 'unknown-product')
                  when s.without_size is not null
                    then jsonb_build_object('ok', false, 'reason', 'size-not-offered', 'product', s.without_size)
                  when s.most > 25 then jsonb_build_object('ok', false, 'reason', 'too-many')
                  when s.grams > 30000 then jsonb_build_object('ok', false, 'reason', 'too-heavy')
                  when a.fulfilment = 'pickup' and a.source <> 'manual' and not s.all_takeaway
                    then jsonb_build_object('ok', false, 'reason', 'pickup-not-offered')
                  when a.fulfilment = 'delivery' and (j.zone).id is null
                    then jsonb_build_object('ok', false, 'reason', 'outside-zones', 'pincode', a.pincode) end as unfit,
             case when a.fulfilment = 'delivery' then private.shipping_paise(j.zone, s.grams, a.source) else 0 end as shipping,
             case when not private.survives(s.shelf_life_days, j.arrives_on - j.leaves_on)
                  then private.spoiled(w.product_ids, j.arrives_on - j.leaves_on) end as perishing
      from asked a
      left join summed s on s.ask = a.ask
      left join wanted w on w.ask = a.ask
      left join journeys j on j.pincode = a.pincode and a.fulfilment = 'delivery'
    ), final as (
      select j.*, case when j.unfit is not null then j.unfit
                       when j.source = 'manual' or j.fulfilment = 'pickup' then null
                       when j.arrives_on is null then jsonb_build_object('ok', false, 'reason', 'closed')
                       when j.perishing is not null
                         then jsonb_build_object('ok', false, 'reason', 'would-spoil', 'pincode', j.pincode, 'spoiled', j.perishing) end as verdict
      from judged j
    )
    select f.ask,
           row(null, null, f.source, f.fulfilment, f.pincode, f.priced, f.product_ids, f.units, f.sub_total, f.tax,
               case when f.unfit is null then f.shipping else 0 end,
               case when f.verdict is null then f.sub_total + f.tax + f.shipping end,
               f.arrives_on, price_orders.at, price_orders.at + interval '15 minutes')::private.quotes,
           f.grams, f.verdict, case when f.unfit is null then f.perishing end
    from final f;
end $$;

create function private.quote_answer(quoted private.quotes, collect_from date) returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'ok', true, 'quote_id', quoted.id, 'sub_total_paise', quoted.sub_total_paise, 'tax_paise', quoted.tax_paise,
    'shipping_paise', quoted.shipping_paise,
    'shipping_tax_paise', case when quoted.shipping_paise > 0 and private.is_registered() then (
      select private.shipping_tax_paise(quoted.shipping_paise, array_agg(l.hsn), array_agg(l.gst_percent), array_agg(l.line_paise))
      from jsonb_to_recordset(quoted.lines) as l (hsn text, gst_percent numeric, line_paise numeric)) else 0 end,
    'total_paise', quoted.total_paise,
    'delivery_by', quoted.delivery_by, 'collect_from', collect_from, 'expires_at', quoted.expires_at);
$$;

create function public.quote_orders(calls jsonb) returns jsonb
language plpgsql security definer set search_path = '' set lock_timeout = '250ms'
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  at timestamptz := (select max((c ->> 'at')::timestamptz) from jsonb_array_elements(calls) as c);
  answers jsonb;
begin
  perform set_config('synchronous_commit', 'off', true);
  with asked as materialized (
    select c.n::integer as n, (c.call ->> 'customer_id')::uuid as customer_id,
           count(*) over (partition by (c.call ->> 'customer_id')::uuid) as of_customer
    from jsonb_array_elements(calls) with ordinality as c (call, n)
  ), priced as materialized (
    select p.ask, p.quote from private.price_orders(calls, at) p
    where p.refusal is null and (p.quote).fulfilment = 'delivery'
  ), short as materialized (
    select p.ask
    from priced p, unnest((p.quote).product_ids, (p.quote).units) as w (product_id, units)
    join private.saleable() s on s.product_id = w.product_id
    where not s.is_sold or w.units > s.units
  ), plain as materialized (
    select a.customer_id, p.quote
    from priced p join asked a on a.n = p.ask
    where a.of_customer = 1 and p.ask <> all (array(select s.ask from short s))
      and not exists (select from private.checkouts c where c.user_id = a.customer_id and c.state = 'open')
  ), turns as materialized (
    select private.take_turns('quote', array(select p.customer_id::text from plain p), 60, interval '1 minute', at) as those_who_may
  ), quoted as (
    insert into private.quotes (user_id, source, fulfilment, pincode, lines, product_ids, units, sub_total_paise, tax_paise,
                                shipping_paise, total_paise, delivery_by, created_at, expires_at)
    select p.customer_id, (p.quote).source, (p.quote).fulfilment, (p.quote).pincode, (p.quote).lines, (p.quote).product_ids,
           (p.quote).units, (p.quote).sub_total_paise, (p.quote).tax_paise, (p.quote).shipping_paise, (p.quote).total_paise,
           (p.quote).delivery_by, (p.quote).created_at, (p.quote).expires_at
    from plain p, turns t where p.customer_id::text = any (t.those_who_may)
    returning *
  )
  select jsonb_agg(case when q.id is not null then private.quote_answer(q, collect_from => null) end order by a.n) into answers
  from asked a left join quoted q on q.user_id = a.customer_id and a.of_customer = 1;
  return answers;
end $$;

create function private.price_order(
  lines jsonb, pincode text, source text, fulfilment text, held private.quotes, at timestamptz,
  out quote private.quotes, out grams bigint, out refusal jsonb, out spoiled jsonb)
language sql stable set search_path = '' as $$
  select p.quote, p.grams, coalesce(p.refusal, private.shortage((p.quote).product_ids, (p.quote).units, held)), p.spoiled
  from private.price_orders(jsonb_build_array(jsonb_build_object(
    'lines', lines, 'pincode', pincode, 'source', source, 'fulfilment', fulfilment)), at) p;
$$;

create function private.fill_order(placed public.orders, quote private.quotes, was_reserved boolean) returns void
language sql set search_path = '' as $$
  select private.fill_orders(array[placed.id], array[quote], array[was_reserved], placed.created_at);
$$;

create function private.kept_promise(pincode text, delivery_by date, quoted_at timestamptz, at timestamptz) returns date
language plpgsql stable set search_path = '' as $$
declare
  today date := private.day_of(at);
  working_days integer := (private.zone_of(pincode)).max_days;
  journey record;
  day date;
begin
  if delivery_by is null then
    return null;
  end if;
  if working_days is null then
    -- The zone is gone: the days of the quote, rather too many than too few.
    working_days := delivery_by - (select p.leaves_on from private.promise(quoted_at, 0) p);
  end if;
  select * into journey from private.promise(quoted_at, working_days);
  if journey.leaves_on < today or journey.leaves_on is null then
    select * into journey from private.promise(at, working_days);
  end if;
  day := greatest(delivery_by, journey.arrives_on);
  return case when day >= today then day end;
end $$;

create function private.grams_of(lines jsonb) returns integer
language sql immutable as $$
  select coalesce(sum((l ->> 'grams')::integer), 0)::integer from jsonb_array_elements(lines) as l;
$$;

revoke execute on function
  public.quote_order(uuid, jsonb, text, text, text, timestamptz), public.quote_orders(jsonb)
  from public, anon, authenticated;
grant execute on function
  public.quote_order(uuid, jsonb, text, text, text, timestamptz), public.quote_orders(jsonb)
  to service_role;

-- 08_checkout/02_checkouts.sql
create table private.checkouts (
  id uuid primary key default gen_random_uuid(),
  quote_id uuid not null unique references private.quotes (id),
  user_id uuid references auth.users (id) on delete set null,
  family_id uuid not null,
  state text not null default 'open' check (state in ('open', 'superseded', 'lapsed', 'paid')),
  delivery_name text not null,
  delivery_phone text not null,
  delivery_building_no text not null,
  delivery_street text not null,
  delivery_city text not null,
  delivery_state text not null,
  delivery_zip text not null,
  provider_order_id text,
  order_id uuid references public.orders (id),
  reserved_until timestamptz not null,
  next_check_at timestamptz,
  created_at timestamptz not null,
  held integer[] not null default '{}',
  had_hold boolean not null,
  address_hash text check (char_length(address_hash) <= 64),
  check ((state = 'paid') = (order_id is not null))
);
create index checkouts_user_idx on private.checkouts (user_id, created_at desc);
create index checkouts_family_idx on private.checkouts (family_id);
create index checkouts_reserved_idx on private.checkouts (reserved_until) where state = 'open' or held <> '{}';
create index checkouts_next_check_idx on private.checkouts (next_check_at) where next_check_at is not null;
create unique index checkouts_provider_order_id_key on private.checkouts (provider_order_id) where provider_order_id is not null;
create unique index checkouts_order_id_key on private.checkouts (order_id) where order_id is not null;
create index checkouts_address_idx on private.checkouts (address_hash, created_at desc) where address_hash is not null;
alter table private.checkouts enable row level security;

create function private.lock_stock(product_ids bigint[]) returns void
language sql set search_path = '' as $$
  select from public.stock_levels s where s.product_id = any (product_ids) order by s.product_id for update;
$$;

create function private.checkout_answer(checkout private.checkouts, quote private.quotes, is_new boolean) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'ok', true, 'checkout_id', checkout.id, 'amount_paise', quote.total_paise,
    'provider_order_id', checkout.provider_order_id, 'is_new', is_new,
    'name', checkout.delivery_name, 'phone', checkout.delivery_phone,
    'email', (select u.email from auth.users u where u.id = checkout.user_id),
    'shop', (select s.name from public.shop_settings s));
$$;

create function private.find_quote(customer_id uuid, amount_paise bigint, quote_id uuid, at timestamptz,
                                              out quote private.quotes, out reason text)
language plpgsql stable set search_path = '' as $$
begin
  if find_quote.quote_id is not null then
    select * into quote from private.quotes q where q.id = find_quote.quote_id and q.user_id = customer_id;
    reason := case when quote.id is null then 'no-quote'
                   when quote.total_paise <> find_quote.amount_paise then 'amount-mismatch'
                   when quote.expires_at <= at then 'quote-expired' end;
  else
    select * into quote from private.quotes q
    where q.user_id = customer_id and q.total_paise = find_quote.amount_paise and q.expires_at > at
    order by q.created_at desc, q.id
    limit 1;
    reason := case
      when quote.id is null then 'no-quote'
      when exists (select from private.quotes q
                   where q.user_id = customer_id and q.total_paise = find_quote.amount_paise and q.expires_at > at
                     and (q.lines, q.pincode, q.source, q.fulfilment)
                         is distinct from (quote.lines, quote.pincode, quote.source, quote.fulfilment)) then 'ambiguous-amount'
    end;
  end if;
  if reason is null and not quote.id = any (private.still_promised(array[quote.id])) then
    reason := 'quote-expired';
  end if;
end $$;

create function private.unpaid_family(customer_id uuid, at timestamptz) returns uuid
language sql stable set search_path = '' as $$
  select c.family_id
  from (select l.* from private.checkouts l where l.user_id = customer_id order by l.created_at desc, l.id limit 1) c
  where c.state <> 'paid' and c.created_at > at - interval '2 hours';
$$;

create function public.open_checkout(
  customer_id uuid, amount_paise bigint, quote_id uuid default null, at timestamptz default now(),
  address_hash text default null
) returns jsonb
language plpgsql security definer set search_path = ''
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  found_quote record;
  quote private.quotes;
  opened private.checkouts;
  held private.quotes;
  person private.buyers;
  missing_phone boolean;
  missing_address boolean;
  refusal jsonb;
  holds boolean[];
begin
  -- Nobody can pay before attach_provider_order() has committed, and that brings this to the disk with it.
  perform set_config('synchronous_commit', 'off', true);
  -- One checkout of a customer at a time: double clicks and second tabs wait here.
  perform pg_advisory_xact_lock(hashtextextended('checkout ' || customer_id, 0));
  select * into found_quote from private.find_quote(customer_id, amount_paise, open_checkout.quote_id, at);
  quote := found_quote.quote;
  if quote.id is not null then
    select * into opened from private.checkouts c where c.quote_id = quote.id;
    if opened.state = 'paid' then
      return jsonb_build_object('ok', false, 'reason', 'already-paid');
    elsif opened.state = 'open' and found_quote.reason is null then
      return private.checkout_answer(opened, quote, is_new => false);
    end if;
  end if;
  if found_quote.reason is not null then
    return jsonb_build_object('ok', false, 'reason', found_quote.reason);
  elsif opened.id is not null then
    return jsonb_build_object('ok', false, 'reason', 'quote-expired');
  end if;

  if not private.take_turn('checkout', customer_id::text, 5, interval '1 minute', at) then
    return jsonb_build_object('ok', false, 'reason', 'too-many-checkouts');
  end if;
  if exists (select from private.customer_records r where r.user_id = customer_id and r.blocked_at is not null) then
    return jsonb_build_object('ok', false, 'reason', 'blocked');
  end if;

  select * into person from private.buyers b where b.id = customer_id;
  missing_phone := coalesce(person.phone, '') = '';
  missing_address := quote.fulfilment = 'delivery'
    and '' = any (array[person.building_no, person.street, person.city, person.state, person.zip]);
  if missing_phone or missing_address then
    return jsonb_build_object('ok', false, 'reason', 'address-incomplete',
                              'missing_phone', missing_phone, 'missing_address', missing_address);
  elsif quote.fulfilment = 'delivery' and person.zip <> quote.pincode then
    return jsonb_build_object('ok', false, 'reason', 'address-changed');
  end if;

  perform from private.checkouts c
  where c.user_id = customer_id and (c.state = 'open' or c.held <> '{}') order by c.id for update;
  held := private.held_by(customer_id);
  perform private.lock_stock(quote.product_ids);
  refusal := private.shortage(quote.product_ids, quote.units, held);
  if refusal is not null then
    return refusal;
  end if;

  holds := private.may_hold(array[customer_id], array[address_hash], array[private.grams_of(quote.lines)], at);
  if true = any (holds) then
    -- What the customer's older checkouts hold of the same things is reserved already, and becomes this one's.
    update public.stock_levels s set reserved = s.reserved + w.units - least(w.units, coalesce(h.units, 0))
    from unnest(quote.product_ids, quote.units) as w (product_id, units)
    left join unnest(held.product_ids, held.units) as h (product_id, units) on h.product_id = w.product_id
    where s.product_id = w.product_id and w.units > coalesce(h.units, 0);
    perform private.take_from_holds(customer_id, null, quote.product_ids, quote.units);
  end if;
  update private.checkouts c set state = 'superseded' where c.user_id = customer_id and c.state = 'open';
  select * into opened from private.write_checkouts(array[quote.id], array[person], holds, array[address_hash], at);
  return private.checkout_answer(opened, quote, is_new => true);
end $$;

create function public.attach_provider_order(checkout_id uuid, provider_order_id text) returns text
language sql security definer set search_path = '' as $$
  update private.checkouts c
  set provider_order_id = coalesce(c.provider_order_id, attach_provider_order.provider_order_id)
  where c.id = attach_provider_order.checkout_id
  returning c.provider_order_id;
$$;

create function private.free_stock(checkout_ids uuid[]) returns void
language plpgsql set search_path = '' as $$
begin
  perform private.lock_stock(array(
    select unnest(q.product_ids) from private.checkouts c join private.quotes q on q.id = c.quote_id
    where c.id = any (checkout_ids) and c.held <> '{}'));
  update public.stock_levels s set reserved = s.reserved - f.units
  from (
    select h.product_id, sum(h.units) as units
    from private.checkouts c join private.quotes q on q.id = c.quote_id, unnest(q.product_ids, c.held) as h (product_id, units)
    where c.id = any (checkout_ids) and c.held <> '{}'
    group by h.product_id
  ) f
  where s.product_id = f.product_id and f.units > 0;
  update private.checkouts c set held = '{}', state = case when c.state = 'open' then 'lapsed' else c.state end
  where c.id = any (checkout_ids);
end $$;

create function private.lapse_checkouts(at timestamptz) returns integer
language plpgsql set search_path = '' as $$
declare
  lapsed uuid[] := array(
    select c.id from private.checkouts c
    where (c.state = 'open' or c.held <> '{}') and c.reserved_until <= at
    order by c.reserved_until limit 200 for update skip locked);
begin
  if cardinality(lapsed) > 0 then
    perform private.free_stock(lapsed);
  end if;
  return cardinality(lapsed);
end $$;

revoke execute on function
  public.open_checkout(uuid, bigint, uuid, timestamptz, text), public.attach_provider_order(uuid, text)
  from public, anon, authenticated;
grant execute on function
  public.open_checkout(uuid, bigint, uuid, timestamptz, text), public.attach_provider_order(uuid, text)
  to service_role;

-- 08_checkout/03_holds.sql
create function private.hold_time() returns interval
language sql immutable as $$ select interval '10 minutes' $$;

create function private.held_by(customer_id uuid) returns private.quotes
language plpgsql stable set search_path = '' as $$
declare
  held private.quotes;
begin
  select array_agg(h.product_id), array_agg(h.units) into held.product_ids, held.units
  from (
    select u.product_id, sum(u.units)::integer as units
    from private.checkouts c join private.quotes q on q.id = c.quote_id, unnest(q.product_ids, c.held) as u (product_id, units)
    where c.user_id = held_by.customer_id and c.held <> '{}'
    group by u.product_id
  ) h;
  return held;
end $$;

create function private.take_from_holds(customer_id uuid, but_not uuid, product_ids bigint[], units integer[]) returns void
language sql set search_path = '' as $$
  update private.checkouts c set held = case when 0 = all (n.held) then '{}' else n.held end
  from (
    select h.id, array_agg(h.units - h.taken order by h.place) as held
    from (
      select k.id, u.place, u.units, least(u.units, greatest(0, coalesce(w.units, 0) - coalesce(
               sum(u.units) over (partition by u.product_id order by k.reserved_until, k.id
                                  rows between unbounded preceding and 1 preceding), 0)))::integer as taken
      from private.checkouts k
      join private.quotes q on q.id = k.quote_id
      cross join lateral unnest(q.product_ids, k.held) with ordinality as u (product_id, units, place)
      left join unnest(take_from_holds.product_ids, take_from_holds.units) as w (product_id, units) on w.product_id = u.product_id
      where k.user_id = take_from_holds.customer_id and k.held <> '{}' and k.id is distinct from but_not
    ) h
    group by h.id
    having sum(h.taken) > 0
  ) n
  where c.id = n.id;
$$;

create function private.complete_hold(checkout private.checkouts, quote private.quotes) returns boolean
language plpgsql set search_path = '' as $$
declare
  elsewhere private.quotes := private.held_by(checkout.user_id);
  from_shelf integer[];
  from_holds integer[];
  is_short boolean;
begin
  perform private.lock_stock(quote.product_ids);
  select array_agg(least(n.needed, n.free) order by n.place), array_agg(greatest(n.needed - n.free, 0) order by n.place),
         bool_or(n.needed > n.free + n.elsewhere)
  into from_shelf, from_holds, is_short
  from (
    select w.place, w.units - o.own as needed, greatest(s.on_hand - s.reserved, 0) as free, greatest(coalesce(h.units, 0) - o.own, 0) as elsewhere
    from unnest(quote.product_ids, quote.units, checkout.held) with ordinality as w (product_id, units, held, place)
    cross join lateral (select coalesce(w.held, 0) as own) o
    join public.stock_levels s on s.product_id = w.product_id
    left join unnest(elsewhere.product_ids, elsewhere.units) as h (product_id, units) on h.product_id = w.product_id
  ) n;
  if is_short then
    return false;
  elsif checkout.held = '{}' and 0 = all (from_holds) then
    return true;
  end if;
  update public.stock_levels s set reserved = s.reserved + f.units
  from unnest(quote.product_ids, from_shelf) as f (product_id, units)
  where s.product_id = f.product_id and f.units > 0;
  perform private.take_from_holds(checkout.user_id, checkout.id, quote.product_ids, from_holds);
  update private.checkouts c set held = quote.units where c.id = checkout.id;
  return true;
end $$;

create function private.may_hold(customer_ids uuid[], address_hashes text[], grams integer[], at timestamptz) returns boolean[]
language sql stable set search_path = '' as $$
  with asked as materialized (
    select a.n, a.address_hash,
           (p.paid_at is not null or a.grams <= 5000) and 2 > (
             select count(*) from private.checkouts c
             where c.user_id = a.customer_id and c.had_hold and c.state <> 'paid'
               and c.created_at > greatest(p.paid_at, may_hold.at - interval '24 hours')
               and c.created_at < may_hold.at + interval '1 minute') as by_account
    from unnest(customer_ids, address_hashes, grams) with ordinality as a (customer_id, address_hash, grams, n)
    cross join lateral (
      select (select o.created_at from public.orders o
              where o.user_id = a.customer_id and private.is_kept(o.status, o.payment_status) and o.payment_id is not null
              order by o.created_at desc limit 1) as paid_at
      offset 0) p
  ), addresses as materialized (
    select d.address_hash, 20 + 3 * k.paid - k.unpaid as holds_left
    from (select distinct a.address_hash from asked a where a.address_hash is not null) d
    cross join lateral (
      select count(*) filter (where l.state = 'paid') as paid, count(*) filter (where l.state <> 'paid') as unpaid
      from ((select c.state from private.checkouts c join public.orders o on o.id = c.order_id
             where c.address_hash = d.address_hash and c.state = 'paid' and c.created_at > may_hold.at - interval '24 hours'
               and c.created_at < may_hold.at + interval '1 minute' and private.is_kept(o.status, o.payment_status)
             limit 100)
            union all
            (select c.state from private.checkouts c
             where c.address_hash = d.address_hash and c.state <> 'paid' and c.had_hold
               and c.created_at > may_hold.at - interval '24 hours' and c.created_at < may_hold.at + interval '1 minute'
             limit 400)) l) k
  )
  select array_agg(r.by_account and (r.address_hash is null or r.place <= d.holds_left) order by r.n)
  from (select a.*, row_number() over (partition by a.address_hash, a.by_account order by a.n) as place from asked a) r
  left join addresses d on d.address_hash = r.address_hash;
$$;

create function public.forget_addresses(at timestamptz default now()) returns void
language sql security definer set search_path = '' as $$
  update private.checkouts c set address_hash = null
  where c.address_hash is not null and (c.created_at < at - interval '24 hours' or c.created_at > at + interval '24 hours');
$$;

revoke execute on function public.forget_addresses(timestamptz) from public, anon, authenticated;
grant execute on function public.forget_addresses(timestamptz) to service_role;

-- 08_checkout/04_batches.sql
create function private.still_promised(quote_ids uuid[]) returns uuid[]
language plpgsql stable set search_path = '' as $$
begin
  return array(
    with quoted as materialized (
      select d.id, d.fulfilment, d.pincode, d.product_ids, d.delivery_by, d.shift from private.dated_quotes d where d.id = any (quote_ids)
    ), journeys as materialized (
      select k.pincode, k.shift, p.leaves_on, p.arrives_on
      from (select distinct q.pincode, q.shift from quoted q where q.fulfilment = 'delivery') k
      cross join lateral private.promise(k.shift, (private.zone_of(k.pincode)).max_days) p
    )
    select q.id from quoted q
    left join journeys j on j.pincode = q.pincode and j.shift = q.shift
    where q.fulfilment = 'pickup'
       or (q.delivery_by is not distinct from j.arrives_on and not exists (
         select from public."Products" p
         where p."Id" = any (q.product_ids) and not private.survives(p.shelf_life_days, j.arrives_on - j.leaves_on))));
end $$;

create function private.write_checkouts(quote_ids uuid[], buyers private.buyers[], holds boolean[], address_hashes text[], at timestamptz)
returns setof private.checkouts
language sql set search_path = '' as $$
  insert into private.checkouts (quote_id, user_id, family_id, delivery_name, delivery_phone, delivery_building_no,
                                 delivery_street, delivery_city, delivery_state, delivery_zip, held, had_hold, address_hash,
                                 reserved_until, next_check_at, created_at)
  select q.id, b.id, coalesce(private.unpaid_family(b.id, at), gen_random_uuid()), b.name, b.phone, b.building_no,
         b.street, b.city, b.state, b.zip, case when k.holds then q.units else '{}' end, k.holds, k.address_hash,
         at + private.hold_time(), at + interval '30 seconds', at
  from unnest(quote_ids, holds, address_hashes) as k (quote_id, holds, address_hash)
  join private.quotes q on q.id = k.quote_id
  join unnest(buyers) as b on b.id = q.user_id
  returning *;
$$;

create function public.open_checkouts(calls jsonb) returns jsonb
language plpgsql security definer set search_path = '' set lock_timeout = '250ms'
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  at timestamptz := (select max((c ->> 'at')::timestamptz) from jsonb_array_elements(calls) as c);
  quote_ids uuid[];
  buyers private.buyers[];
  customer_ids text[];
  short bigint[];
  address_hashes text[];
  holds boolean[];
  answers jsonb;
  opened integer;
begin
  perform set_config('synchronous_commit', 'off', true);
  perform pg_advisory_xact_lock(k.key)
  from (select distinct hashtextextended('checkout ' || (c ->> 'customer_id'), 0) as key from jsonb_array_elements(calls) as c order by 1) k;
  select array_agg(q.id), array_agg(b) into quote_ids, buyers
  from (select c.*, count(*) over (partition by c.customer_id) as of_customer
        from jsonb_to_recordset(calls) as c (customer_id uuid, amount_paise bigint, quote_id uuid)) c
  join private.quotes q on q.id = c.quote_id and q.user_id = c.customer_id
  join private.buyers b on b.id = c.customer_id
  where c.of_customer = 1 and q.total_paise = c.amount_paise and q.expires_at > at
    and b.phone <> '' and (q.fulfilment = 'pickup'
      or (b.zip = q.pincode and '' <> all (array[b.building_no, b.street, b.city, b.state])))
    and not exists (select from private.checkouts k where k.quote_id = q.id)
    and not exists (select from private.checkouts k where k.user_id = q.user_id and (k.state = 'open' or k.held <> '{}'))
    and not exists (select from private.customer_records r where r.user_id = q.user_id and r.blocked_at is not null);
  quote_ids := private.still_promised(quote_ids);

  perform private.lock_stock(array(select unnest(q.product_ids) from private.quotes q where q.id = any (quote_ids)));
  -- Who wants something that does not suffice for all of them is asked alone, one after the other.
  short := array(
    select w.product_id
    from (select u.product_id, sum(u.units) as units
          from private.quotes q, unnest(q.product_ids, q.units) as u (product_id, units)
          where q.id = any (quote_ids) group by u.product_id) w
    join private.saleable() s on s.product_id = w.product_id
    where not s.is_sold or w.units > s.units);
  select array_agg(q.id), array_agg(q.user_id::text) into quote_ids, customer_ids
  from private.quotes q where q.id = any (quote_ids) and not q.product_ids && short;
  if quote_ids is null then
    return jsonb_agg(null::jsonb) from jsonb_array_elements(calls);
  end if;
  customer_ids := private.take_turns('checkout', customer_ids, 5, interval '1 minute', at);
  -- In the order of the calls, in which they would be asked alone: the last of an address's holds goes to the first.
  select coalesce(array_agg(q.id order by c.n), '{}'), array_agg(c.call ->> 'address_hash' order by c.n),
         private.may_hold(array_agg(q.user_id order by c.n), array_agg(c.call ->> 'address_hash' order by c.n),
                          array_agg(private.grams_of(q.lines) order by c.n), at)
  into quote_ids, address_hashes, holds
  from jsonb_array_elements(calls) with ordinality as c (call, n)
  join private.quotes q on q.id = (c.call ->> 'quote_id')::uuid and q.user_id = (c.call ->> 'customer_id')::uuid
  where q.id = any (quote_ids) and q.user_id::text = any (customer_ids);

  update public.stock_levels s set reserved = s.reserved + w.units
  from (select u.product_id, sum(u.units) as units
        from unnest(quote_ids, holds) as k (quote_id, holds)
        join private.quotes q on q.id = k.quote_id, unnest(q.product_ids, q.units) as u (product_id, units)
        where k.holds group by u.product_id) w
  where s.product_id = w.product_id;
  with opened as (
    select c.quote_id, c.user_id, private.checkout_answer(c, q, is_new => true) as answer
    from private.write_checkouts(quote_ids, buyers, holds, address_hashes, at) c join private.quotes q on q.id = c.quote_id
  )
  select jsonb_agg(o.answer order by c.n), count(o) into answers, opened
  from jsonb_array_elements(calls) with ordinality as c (call, n)
  left join opened o on o.quote_id = (c.call ->> 'quote_id')::uuid and o.user_id = (c.call ->> 'customer_id')::uuid;
  if opened <> cardinality(quote_ids) then
    raise 'of % checkouts % were opened', cardinality(quote_ids), opened;
  end if;
  return answers;
end $$;

revoke execute on function public.open_checkouts(jsonb) from public, anon, authenticated;
grant execute on function public.open_checkouts(jsonb) to service_role;

-- 09_payments/01_payments.sql
create table private.payments (
  payment_id text primary key,
  provider_order_id text not null,
  order_id uuid references public.orders (id),
  user_id uuid references auth.users (id) on delete set null,
  amount_paise bigint not null check (amount_paise >= 100),
  fee_paise bigint check (fee_paise >= 0),
  method text,
  status text not null check (status in ('created', 'authorized', 'captured', 'refunded', 'failed')),
  captured_at timestamptz,
  created_at timestamptz not null default now(),
  check ((status in ('captured', 'refunded')) = (captured_at is not null))
);
create index payments_order_idx on private.payments (order_id);
create index payments_user_idx on private.payments (user_id);
create index payments_provider_order_idx on private.payments (provider_order_id);
create index payments_captured_idx on private.payments (captured_at) where captured_at is not null;
alter table private.payments enable row level security;

create table private.refunds (
  id uuid primary key default gen_random_uuid(),
  payment_id text references private.payments (payment_id),
  order_id uuid references public.orders (id),
  amount_paise bigint not null check (amount_paise > 0),
  reason text not null,
  status text not null default 'queued' check (status in ('queued', 'pending', 'processed', 'failed')),
  provider_refund_id text unique,
  created_at timestamptz not null default now(),
  processed_at timestamptz,
  next_check_at timestamptz,
  note text not null default '' check (char_length(note) <= 300),
  asked_by uuid,
  retry_of uuid references private.refunds (id),
  hurried_at timestamptz,
  order_item_id bigint references public.order_items (id),
  constraint refunds_by_hand_are_done check (
    payment_id is not null or (order_id is not null and status = 'processed' and processed_at is not null))
);
create index refunds_payment_idx on private.refunds (payment_id);
create index refunds_order_idx on private.refunds (order_id);
create index refunds_next_check_idx on private.refunds (next_check_at) where next_check_at is not null;
create index refunds_created_idx on private.refunds (created_at);
create index refunds_retry_idx on private.refunds (retry_of) where retry_of is not null;
create index refunds_order_item_idx on private.refunds (order_item_id) where order_item_id is not null;
alter table private.refunds enable row level security;

create trigger refunds_audit after insert on private.refunds
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');
create trigger refunds_hurry_audit after update on private.refunds
  for each row when (pg_trigger_depth() = 0 and new.hurried_at is distinct from old.hurried_at)
  execute function private.record_change('id');

create table private.payment_events (
  event_id text primary key,
  name text not null,
  provider_order_id text,
  payment_id text,
  provider_refund_id text,
  received_at timestamptz not null
);
create index payment_events_received_idx on private.payment_events (received_at);
alter table private.payment_events enable row level security;

create function public.record_payment_event(
  event_id text, name text, provider_order_id text, payment_id text, provider_refund_id text, at timestamptz default now()) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.payment_events (event_id, name, provider_order_id, payment_id, provider_refund_id, received_at)
  values (record_payment_event.event_id, record_payment_event.name, record_payment_event.provider_order_id,
          record_payment_event.payment_id, record_payment_event.provider_refund_id, at)
  on conflict do nothing;
  if not found then
    return false;
  end if;
  -- What is in the books already needs no second look.
  update private.checkouts c set next_check_at = at
  where c.provider_order_id = record_payment_event.provider_order_id
    and not exists (select from private.payments p where p.payment_id = record_payment_event.payment_id);
  update private.refunds r set next_check_at = at where r.provider_refund_id = record_payment_event.provider_refund_id
    and r.status = 'pending';
  return true;
end $$;

revoke execute on function
  public.record_payment_event(text, text, text, text, text, timestamptz)
  from public, anon, authenticated;
grant execute on function
  public.record_payment_event(text, text, text, text, text, timestamptz)
  to service_role;

-- 09_payments/02_settle.sql
create function private.things_in(lines jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_agg(jsonb_build_array(l.product_id, l.size, l.quantity) order by l.product_id, l.size)
  from jsonb_to_recordset(things_in.lines) as l (product_id bigint, size integer, quantity integer);
$$;

create function public.settle_payment(
  provider_order_id text, payment_id text, amount_paise bigint, currency text, method text default null,
  fee_paise bigint default null, given_back boolean default false, at timestamptz default now()
) returns jsonb
language plpgsql security definer set search_path = ''
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  paid_for record;
  locked uuid[];
  checkout private.checkouts;
  quote private.quotes;
  refusal text;
  placed record;
begin
  -- open_checkout() takes the same lock: no new hold of the customer appears while this function looks at them.
  select c.family_id, c.user_id into paid_for from private.checkouts c where c.provider_order_id = settle_payment.provider_order_id;
  perform pg_advisory_xact_lock(hashtextextended('checkout ' || paid_for.user_id, 0));
  -- The whole family, in one order: two of its payments must not become two orders. And what the customer holds elsewhere,
  -- which this payment may need.
  locked := array(
    select c.id from private.checkouts c
    where c.family_id = paid_for.family_id or (c.user_id = paid_for.user_id and c.held <> '{}')
    order by c.id for update);
  select * into checkout from private.checkouts c where c.provider_order_id = settle_payment.provider_order_id;
  if checkout.id is null then
    return jsonb_build_object('outcome', 'unknown-order');
  elsif not checkout.id = any (locked) then
    raise serialization_failure using message = 'the provider''s order was attached just now: try again';
  end if;
  if exists (select from private.payments p where p.payment_id = settle_payment.payment_id) then
    return private.settled_answer(settle_payment.payment_id);
  end if;

  select * into quote from private.quotes q where q.id = checkout.quote_id;
  refusal := case
    when settle_payment.given_back then 'given-back'
    when checkout.state = 'paid' then 'second-payment'
    when exists (select from private.checkouts c join private.quotes q on q.id = c.quote_id
                 where c.family_id = checkout.family_id and c.state = 'paid'
                   and private.things_in(q.lines) = private.things_in(quote.lines)) then 'second-payment'
    when settle_payment.amount_paise <> quote.total_paise or settle_payment.currency <> 'INR' then 'wrong-amount'
  end;
  if refusal is null and checkout.held <> quote.units and not private.complete_hold(checkout, quote) then
    refusal := 'sold-out';
  end if;
  select null::uuid as order_id, null::bigint as number into placed;
  if refusal is null then
    select p.order_id, p.number into placed from private.place_orders(array[checkout.id], array[settle_payment.payment_id], at) p;
  elsif refusal = 'second-payment' and (checkout.state = 'open' or checkout.held <> '{}') then
    perform private.free_stock(array[checkout.id]);
  end if;
  insert into private.payments (payment_id, provider_order_id, order_id, user_id, amount_paise, fee_paise, method, status,
                                captured_at, created_at)
  values (settle_payment.payment_id, checkout.provider_order_id, placed.order_id, checkout.user_id, settle_payment.amount_paise,
          settle_payment.fee_paise, settle_payment.method, case when given_back then 'refunded' else 'captured' end, at, at);
  if refusal = 'given-back' then
    insert into private.refunds (payment_id, amount_paise, reason, status, created_at, processed_at)
    values (settle_payment.payment_id, settle_payment.amount_paise, refusal, 'processed', at, at);
  elsif refusal is not null then
    perform private.give_back(settle_payment.payment_id, refusal, at);
  end if;
  return jsonb_build_object('outcome', case when refusal is null then 'ordered' else 'refunded' end, 'user_id', checkout.user_id,
                            'order_id', placed.order_id, 'number', placed.number, 'reason', refusal);
end $$;

create function private.settled_answer(payment_id text) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('outcome', case when p.order_id is null then 'refunded' else 'ordered' end,
                            'user_id', p.user_id, 'order_id', p.order_id, 'number', o.number,
                            'reason', (select r.reason from private.refunds r where r.payment_id = p.payment_id and p.order_id is null limit 1))
  from private.payments p left join public.orders o on o.id = p.order_id
  where p.payment_id = settled_answer.payment_id;
$$;

create function private.fill_orders(order_ids uuid[], quotes private.quotes[], were_reserved boolean[], at timestamptz) returns void
language plpgsql set search_path = '' as $$
begin
  insert into public.order_items (order_id, product_id, product_name, product_image, quantity, size, unit_price,
                                  gst_percent, hsn, has_size)
  select f.order_id, l.product_id, l.product_name, l.product_image, l.quantity, l.size, l.unit_price, l.gst_percent, l.hsn, l.has_size
  from unnest(order_ids, quotes) as f (order_id),
       jsonb_to_recordset(f.lines) as l (product_id bigint, product_name text, product_image text, quantity integer,
         size integer, unit_price numeric, gst_percent numeric, hsn text, has_size boolean)
  order by f.order_id, l.product_id, l.size;
  insert into public.stock_movements (product_id, quantity, reason, order_id, created_at, was_reserved)
  select u.product_id, -u.units, 'sale', f.order_id, fill_orders.at, f.was_reserved
  from unnest(order_ids, were_reserved, quotes) as f (order_id, was_reserved), unnest(f.product_ids, f.units) as u (product_id, units);
end $$;

create function private.place_orders(checkout_ids uuid[], payment_ids text[], at timestamptz)
returns table (payment_id text, order_id uuid, number bigint)
language plpgsql set search_path = '' as $$
declare
  order_ids uuid[];
  quotes private.quotes[];
  promises date[];
  were_reserved boolean[];
begin
  with paid as materialized (
    select k.n, c.held <> '{}' as was_reserved, q.quote, q.pincode, q.delivery_by, q.shift
    from unnest(checkout_ids) with ordinality as k (id, n)
    join private.checkouts c on c.id = k.id
    join private.dated_quotes q on q.id = c.quote_id
  ), promised as materialized (
    select k.*, private.kept_promise(k.pincode, k.delivery_by, k.shift, place_orders.at) as promise
    from (select distinct p.pincode, p.delivery_by, p.shift from paid p) k
  )
  select array_agg(gen_random_uuid()), array_agg(p.quote order by p.n), array_agg(k.promise order by p.n), array_agg(p.was_reserved order by p.n)
  into order_ids, quotes, promises, were_reserved
  from paid p
  join promised k on k.pincode = p.pincode and k.shift = p.shift and k.delivery_by is not distinct from p.delivery_by;
  if cardinality(order_ids) is distinct from cardinality(checkout_ids) then
    raise 'not every checkout has a quote';
  end if;
  perform set_config('shop.event_at', place_orders.at::text, true);
  -- In the order of their customers, whose figures are kept in it: two transactions never wait for each other there.
  return query
    insert into public.orders (id, user_id, payment_status, payment_id, source, fulfilment, sub_total, tax, shipping_charge,
                               total_amount, delivery_name, delivery_phone, delivery_building_no, delivery_street,
                               delivery_city, delivery_state, delivery_zip, delivery_by, created_at, updated_at)
    select p.order_id, c.user_id, 'paid', p.payment_id, p.source, p.fulfilment, p.sub_total_paise / 100.0, p.tax_paise / 100.0,
           p.shipping_paise / 100.0, p.total_paise / 100.0, c.delivery_name, c.delivery_phone, c.delivery_building_no,
           c.delivery_street, c.delivery_city, c.delivery_state, c.delivery_zip, p.promise, place_orders.at, place_orders.at
    from unnest(order_ids, checkout_ids, payment_ids, promises, quotes) as p (order_id, checkout_id, payment_id, promise)
    join private.checkouts c on c.id = p.checkout_id
    order by c.user_id
    returning orders.payment_id, orders.id, orders.number;
  perform private.fill_orders(order_ids, quotes, were_reserved, place_orders.at);
  perform set_config('shop.event_at', '', true);
  -- One more look later: attempts that were still under way may be captured after this one.
  update private.checkouts c set state = 'paid', held = '{}', order_id = p.order_id, next_check_at = place_orders.at + interval '30 minutes'
  from unnest(checkout_ids, order_ids) as p (checkout_id, order_id)
  where c.id = p.checkout_id;
end $$;

create function public.settle_payments(calls jsonb) returns jsonb
language plpgsql security definer set search_path = '' set lock_timeout = '250ms'
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  asked text[] := array(select c ->> 'provider_order_id' from jsonb_array_elements(calls) as c);
  at timestamptz := (select max((c ->> 'at')::timestamptz) from jsonb_array_elements(calls) as c);
  locked uuid[];
  checkout_ids uuid[];
  payment_ids text[];
  unheld uuid[];
  answers jsonb;
  paid integer;
begin
  locked := array(
    select c.id from private.checkouts c
    where c.family_id = any (array(select f.family_id from private.checkouts f where f.provider_order_id = any (asked)))
    order by c.id for update);
  select array_agg(u.checkout_id), array_agg(u.payment_id), array_agg(u.checkout_id) filter (where not u.is_held)
  into checkout_ids, payment_ids, unheld
  from (
    select c.id as checkout_id, p.payment_id, c.family_id, c.held <> '{}' as is_held, count(*) over (partition by c.family_id) as of_family
    from jsonb_to_recordset(calls) as p (provider_order_id text, payment_id text, amount_paise bigint, currency text, given_back boolean)
    join private.checkouts c on c.provider_order_id = p.provider_order_id
    join private.quotes q on q.id = c.quote_id
    where c.id = any (locked) and c.state = 'open' and c.held in (q.units, '{}') and p.payment_id is not null and p.amount_paise = q.total_paise
      and p.currency = 'INR' and not p.given_back
      and not exists (select from private.payments k where k.payment_id = p.payment_id)
  ) u
  where u.of_family = 1 and not exists (select from private.checkouts c where c.family_id = u.family_id and c.state = 'paid');
  if unheld is not null and exists (
    select from (
      select u.product_id, sum(u.units) as units
      from private.checkouts c join private.quotes q on q.id = c.quote_id, unnest(q.product_ids, q.units) as u (product_id, units)
      where c.id = any (unheld) group by u.product_id) w
    join public.stock_levels s on s.product_id = w.product_id
    where w.units > s.on_hand - s.reserved) then
    -- Not enough for all that hold nothing: they are settled one by one.
    select array_agg(p.checkout_id), array_agg(p.payment_id) into checkout_ids, payment_ids
    from unnest(checkout_ids, payment_ids) as p (checkout_id, payment_id) where p.checkout_id <> all (unheld);
  end if;
  if checkout_ids is null then
    return jsonb_agg(null::jsonb) from unnest(asked);
  end if;
  with placed as materialized (
    select * from private.place_orders(checkout_ids, payment_ids, at)
  ), kept as (
    insert into private.payments (payment_id, provider_order_id, order_id, user_id, amount_paise, fee_paise, method, status,
                                  captured_at, created_at)
    select d.payment_id, c.provider_order_id, d.order_id, c.user_id, p.amount_paise, p.fee_paise, p.method, 'captured', at, at
    from placed d
    join jsonb_to_recordset(calls) as p (payment_id text, provider_order_id text, amount_paise bigint, fee_paise bigint, method text)
      on p.payment_id = d.payment_id
    join private.checkouts c on c.provider_order_id = p.provider_order_id
    returning payment_id, provider_order_id, order_id, user_id
  )
  select jsonb_agg(case when k.order_id is not null then jsonb_build_object(
    'outcome', 'ordered', 'user_id', k.user_id, 'order_id', k.order_id, 'number', d.number, 'reason', null) end order by p.n), count(k)
  into answers, paid
  from jsonb_array_elements(calls) with ordinality as p (call, n)
  left join kept k on k.payment_id = p.call ->> 'payment_id' and k.provider_order_id = p.call ->> 'provider_order_id'
  left join placed d on d.payment_id = k.payment_id;
  if paid <> cardinality(checkout_ids) then
    raise 'of % orders % had a payment', cardinality(checkout_ids), paid;
  end if;
  return answers;
end $$;

create function public.attach_provider_orders(calls jsonb) returns jsonb
language sql security definer set search_path = '' set lock_timeout = '250ms'
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  with locked as materialized (
    select c.id from private.checkouts c
    where c.id = any (array(select (p ->> 'checkout_id')::uuid from jsonb_array_elements(calls) as p))
    order by c.id for update
  ), attached as (
    update private.checkouts c
    set provider_order_id = coalesce(c.provider_order_id, p.provider_order_id)
    from locked l join jsonb_to_recordset(calls) as p (checkout_id uuid, provider_order_id text) on p.checkout_id = l.id
    where c.id = l.id
    returning c.id, c.provider_order_id
  )
  select jsonb_agg(a.provider_order_id order by p.n)
  from jsonb_array_elements(calls) with ordinality as p (call, n)
  left join attached a on a.id = (p.call ->> 'checkout_id')::uuid;
$$;

revoke execute on function
  public.settle_payment(text, text, bigint, text, text, bigint, boolean, timestamptz), public.settle_payments(jsonb),
  public.attach_provider_orders(jsonb)
  from public, anon, authenticated;
grant execute on function
  public.settle_payment(text, text, bigint, text, text, bigint, boolean, timestamptz), public.settle_payments(jsonb),
  public.attach_provider_orders(jsonb)
  to service_role;

-- 09_payments/03_refunds.sql
create function private.undo_order() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.status = 'canceled' then
    perform from public.stock_levels s
    where s.product_id in (select i.product_id from public.order_items i where i.order_id = new.id)
    order by s.product_id for update;
    insert into public.stock_movements (product_id, quantity, reason, order_id, note)
    select i.product_id, private.stock_quantity(p."hasSize", i.size, i.quantity), 'return', new.id, 'order canceled'
    from public.order_items i join public."Products" p on p."Id" = i.product_id
    where i.order_id = new.id
    order by i.product_id;
    if new.canceled_goods = 'wastage' then
      insert into public.stock_movements (product_id, quantity, reason, order_id, note)
      select i.product_id, -private.stock_quantity(p."hasSize", i.size, i.quantity), 'wastage', new.id, 'order canceled'
      from public.order_items i join public."Products" p on p."Id" = i.product_id
      where i.order_id = new.id
      order by i.product_id;
    end if;
  end if;
  perform private.queue_refund(new.id, case new.status when 'canceled' then 'order canceled' else 'order refunded' end);
  return null;
end $$;
create trigger orders_undo after update of status on public.orders
  for each row when (old.status is distinct from new.status and new.status in ('canceled', 'Refunded'))
  execute function private.undo_order();

create function private.queue_refund(order_id uuid, reason text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  with owed as (
    select p.payment_id, p.amount_paise - coalesce(sum(r.amount_paise) filter (where r.status <> 'failed'), 0) as paise
    from private.payments p
    left join private.refunds r on r.payment_id = p.payment_id
    where p.order_id = queue_refund.order_id and p.status in ('captured', 'refunded')
    group by p.payment_id
  ), queued as (
    insert into private.refunds (payment_id, order_id, amount_paise, reason)
    select owed.payment_id, queue_refund.order_id, owed.paise, queue_refund.reason from owed where owed.paise > 0
    returning id
  )
  insert into private.outbox (kind, key, payload)
  select 'refund', 'refund:' || queued.id, jsonb_build_object('refund_id', queued.id) from queued;
end $$;

create function private.order_refund_tries(order_id uuid) returns table (
  first_try uuid, asked_paise bigint, returned_paise bigint, under_way_paise bigint, last_failed_at timestamptz)
language sql stable set search_path = '' as $$
  select t.first_try, max(t.amount_paise + t.returned_before)::bigint,
         coalesce(sum(t.amount_paise) filter (where t.status = 'processed'), 0)::bigint,
         coalesce(sum(t.amount_paise) filter (where t.status in ('queued', 'pending')), 0)::bigint,
         max(t.created_at) filter (where t.status = 'failed')
  from (
    select r.amount_paise, r.status, r.created_at, coalesce(r.retry_of, r.id) as first_try,
           coalesce(sum(r.amount_paise) filter (where r.status = 'processed') over (
             partition by coalesce(r.retry_of, r.id) order by r.created_at, r.id
             rows between unbounded preceding and 1 preceding), 0) as returned_before
    from private.refunds r where r.order_id = order_refund_tries.order_id
  ) t
  group by t.first_try;
$$;

create function private.order_money(
  order_id uuid, out payment_id text, out paid_paise bigint, out refunded_paise bigint, out under_way_paise bigint,
  out refundable_paise bigint, out standing text)
language sql stable set search_path = '' as $$
  select m.payment_id, m.paid, r.refunded, r.under_way, greatest(m.paid - r.refunded - r.under_way, 0),
         case when m.paid = 0 then 'unpaid'
              when r.refunded >= m.paid then 'refunded'
              when exists (
                select from private.order_refund_tries(order_money.order_id) t
                where t.last_failed_at is not null and t.returned_paise < t.asked_paise) then 'refund_failed'
              when r.under_way > 0 then 'refund_pending'
              when r.refunded > 0 then 'partially_refunded'
              when m.payment_id is null then 'paid_offline'
              else 'paid' end
  from (
    select p.payment_id,
           coalesce(p.amount_paise, case when o.payment_status = 'unpaid' then 0 else (o.total_amount * 100)::bigint end) as paid
    from public.orders o
    left join private.payments p on p.order_id = o.id and p.status in ('captured', 'refunded')
    where o.id = order_money.order_id
    limit 1
  ) m, (
    select coalesce(sum(f.amount_paise) filter (where f.status = 'processed'), 0)::bigint as refunded,
           coalesce(sum(f.amount_paise) filter (where f.status in ('queued', 'pending')), 0)::bigint as under_way
    from private.refunds f where f.order_id = order_money.order_id
  ) r;
$$;

create function private.new_refund(
  payment_id text, order_id uuid, amount_paise bigint, reason text, at timestamptz, run_after timestamptz,
  note text default '', asked_by uuid default null, retry_of uuid default null,
  order_item_id bigint default null) returns uuid
language sql set search_path = '' as $$
  with refund as (
    insert into private.refunds (payment_id, order_id, amount_paise, reason, created_at, note, asked_by, retry_of, order_item_id)
    values (new_refund.payment_id, new_refund.order_id, new_refund.amount_paise, new_refund.reason, at, new_refund.note,
            new_refund.asked_by, new_refund.retry_of, new_refund.order_item_id)
    returning id
  ), job as (
    insert into private.outbox (kind, key, payload, run_after, created_at)
    select 'refund', 'refund:' || r.id, jsonb_build_object('refund_id', r.id), new_refund.run_after, at from refund r
  )
  select id from refund;
$$;

create function private.give_back(payment_id text, reason text, at timestamptz) returns void
language plpgsql set search_path = '' as $$
declare
  refund_id uuid := (select private.new_refund(p.payment_id, null, p.amount_paise, give_back.reason, at, at)
                     from private.payments p where p.payment_id = give_back.payment_id);
begin
  insert into private.outbox (kind, key, payload, run_after, created_at) values
    ('mail', 'mail:payment-refused:' || refund_id,
     jsonb_build_object('template', 'payment-refused', 'refund_id', refund_id), at, at);
end $$;

create function public.record_refund(refund_id uuid, provider_refund_id text, status text, at timestamptz default now()) returns void
language plpgsql security definer set search_path = '' as $$
declare
  refund private.refunds;
  payment private.payments;
  first_try uuid;
begin
  perform from public.orders o
  where o.id = (select r.order_id from private.refunds r where r.id = record_refund.refund_id) for no key update;
  select * into refund from private.refunds r where r.id = record_refund.refund_id for update;
  -- A finished refund stays finished, whatever an old answer says.
  if refund.id is null or refund.status in ('processed', 'failed') then
    return;
  end if;
  update private.refunds r
  set status = record_refund.status, provider_refund_id = coalesce(record_refund.provider_refund_id, r.provider_refund_id),
      processed_at = case when record_refund.status = 'processed' then at end,
      next_check_at = case when record_refund.status = 'pending' then at + interval '1 hour' end
  where r.id = refund.id;
  if record_refund.status = 'pending' then
    return;
  end if;

  -- Not "for update": an order being canceled holds a key share on its payment and waits for nobody.
  select * into payment from private.payments p where p.payment_id = refund.payment_id for no key update;
  if (select coalesce(sum(r.amount_paise), 0) from private.refunds r
      where r.payment_id = payment.payment_id and r.status = 'processed') >= payment.amount_paise then
    update private.payments p set status = 'refunded' where p.payment_id = payment.payment_id;
  end if;
  if record_refund.status = 'processed' then
    insert into private.outbox (kind, key, payload, run_after, created_at)
    values ('mail', 'mail:refund-processed:' || refund.id,
            jsonb_build_object('template', 'refund-processed', 'refund_id', refund.id), at, at);
  else
    first_try := coalesce(refund.retry_of, refund.id);
    if (select count(*) from private.refunds r
        where first_try in (r.id, r.retry_of) and r.payment_id = payment.payment_id and r.status = 'failed') < 5 then
      perform private.new_refund(payment.payment_id, refund.order_id, refund.amount_paise, refund.reason, at, at + interval '1 day',
                                 refund.note, retry_of => first_try, order_item_id => refund.order_item_id);
    end if;
  end if;
  update public.orders o set payment_status = m.standing
  from private.order_money(payment.order_id) m
  where o.id = payment.order_id and o.payment_status <> m.standing;
end $$;

revoke execute on function public.record_refund(uuid, text, text, timestamptz) from public, anon, authenticated;
grant execute on function public.record_refund(uuid, text, text, timestamptz) to service_role;

-- 10_stock/01_stock.sql
create table public.stock_levels (
  product_id bigint primary key references public."Products" ("Id") on delete cascade,
  on_hand integer not null default 0 check (on_hand >= 0),
  reserved integer not null default 0 check (reserved >= 0),
  low_at integer not null default 0 check (low_at >= 0),
  updated_at timestamptz not null default now(),
  check (reserved <= on_hand)
);
alter table public.stock_levels enable row level security;
revoke all on public.stock_levels from anon, authenticated;
grant select, update (low_at) on public.stock_levels to authenticated;
grant all on public.stock_levels to service_role;
create policy "administrators read stock" on public.stock_levels
  for select to authenticated using ((select private.is_admin()));
create policy "administrators set the low mark" on public.stock_levels
  for update to authenticated using ((select private.is_admin())) with check ((select private.is_admin()));

create trigger stock_levels_audit after update on public.stock_levels
  for each row when (pg_trigger_depth() = 0 and new.low_at <> old.low_at) execute function private.record_change('product_id');
create trigger stock_levels_require_admin before insert or delete or update on public.stock_levels
  for each statement when (current_user in ('anon', 'authenticated')) execute function private.require_admin_to_write();

create table public.stock_movements (
  id bigint generated always as identity primary key,
  product_id bigint not null references public."Products" ("Id"),
  quantity integer not null check (quantity <> 0),
  reason text not null check (reason in ('purchase', 'production', 'sale', 'return', 'wastage', 'count')),
  order_id uuid references public.orders (id),
  note text not null default '' check (char_length(note) <= 300),
  created_at timestamptz not null default now(),
  was_reserved boolean not null default false
  constraint stock_movements_check2 check (not was_reserved or reason = 'sale'),
  undoes bigint references public.stock_movements (id),
  entry_id uuid,
  constraint stock_movements_comes_in check (reason not in ('purchase', 'production', 'return') or (quantity > 0) = (undoes is null)),
  constraint stock_movements_goes_out check (reason not in ('sale', 'wastage') or (quantity < 0) = (undoes is null)),
  constraint stock_movements_undoes_no_sale check (undoes is null or reason <> 'sale')
);
comment on column public.stock_movements.entry_id is 'Made where a movement by hand was typed: however often it is sent, it is one.';
create index stock_movements_product_idx on public.stock_movements (product_id, created_at desc, id desc);
create index stock_movements_order_idx on public.stock_movements (order_id) where order_id is not null;
create unique index stock_movements_undoes_idx on public.stock_movements (undoes) where undoes is not null;
create unique index stock_movements_entry_idx on public.stock_movements (entry_id) where entry_id is not null;
create index stock_movements_reason_idx on public.stock_movements (reason, id desc) where reason <> 'sale';
create index stock_movements_by_hand_idx on public.stock_movements (product_id, reason, created_at desc, id desc) where reason <> 'sale';
create index stock_movements_wastage_idx on public.stock_movements (created_at) where reason = 'wastage';
alter table public.stock_movements enable row level security;
revoke all on public.stock_movements from anon, authenticated;
grant select, insert on public.stock_movements to authenticated;
grant all on public.stock_movements to service_role;
create policy "administrators read movements" on public.stock_movements
  for select to authenticated using ((select private.is_admin()));
create policy "administrators record movements other than sales" on public.stock_movements
  for insert to authenticated with check ((select private.is_admin()) and reason <> 'sale' and order_id is null and undoes is null);

create trigger stock_movements_never_change before update or delete on public.stock_movements
  for each row execute function private.refuse_change();
create trigger stock_movements_audit after insert on public.stock_movements
  for each row when (pg_trigger_depth() = 0 and new.reason <> 'sale') execute function private.record_change('id');
create trigger stock_movements_never_emptied before truncate on public.stock_movements
  for each statement execute function private.refuse_change();
create trigger stock_movements_require_admin before insert or delete or update on public.stock_movements
  for each statement when (current_user in ('anon', 'authenticated')) execute function private.require_admin_to_write();

create table private.product_costs (
  product_id bigint not null references public."Products" ("Id") on delete cascade,
  valid_from timestamptz not null default now(),
  unit_cost numeric(10, 2) not null check (unit_cost >= 0)
    constraint product_costs_unit_cost_is_a_number check (unit_cost <> 'NaN'),
  primary key (product_id, valid_from)
);
alter table private.product_costs enable row level security;

create trigger product_costs_audit after insert or update or delete on private.product_costs
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('product_id');

create function private.guard_stock() returns trigger
language plpgsql set search_path = '' as $$
begin
  if tg_table_name = 'stock_movements' then
    if current_user in ('anon', 'authenticated') then
      new.created_at := now();
    end if;
    return new;
  end if;
  if current_user in ('anon', 'authenticated')
     and (new.product_id, new.on_hand, new.reserved) is distinct from (old.product_id, old.on_hand, old.reserved) then
    raise sqlstate 'PT403' using message = 'stock changes through movements only';
  end if;
  new.updated_at := now();
  return new;
end $$;
create trigger stock_levels_guard before update on public.stock_levels
  for each row execute function private.guard_stock();
create trigger stock_movements_guard before insert on public.stock_movements
  for each row execute function private.guard_stock();

create function private.apply_movement() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  moved integer := (select count(distinct m.product_id) from movements m);
  changed integer;
begin
  if moved > 1 then
    perform private.lock_stock(array(select m.product_id from movements m));
  end if;
  update public.stock_levels s set on_hand = s.on_hand + m.quantity, reserved = s.reserved + m.freed
  from (
    select v.product_id, sum(v.quantity) as quantity, coalesce(sum(v.quantity) filter (where v.was_reserved), 0) as freed
    from movements v group by v.product_id
  ) m
  where s.product_id = m.product_id and s.on_hand + m.quantity >= s.reserved + m.freed;
  get diagnostics changed = row_count;
  if changed < moved then
    raise sqlstate 'PT409' using message = 'not that much is in stock and unreserved';
  end if;
  return null;
end $$;
create trigger stock_movements_apply after insert on public.stock_movements
  referencing new table as movements
  for each statement execute function private.apply_movement();

create function private.keep_availability() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.isavailable := new.is_listed and new.archived_at is null and exists (
    select from public.stock_levels s where s.product_id = new."Id" and s.on_hand > 0);
  if tg_op = 'UPDATE' and new."hasSize" <> old."hasSize"
     and exists (select from public.stock_movements m where m.product_id = new."Id") then
    raise sqlstate 'PT409' using message = 'a product with stock history keeps its unit: grams or pieces';
  end if;
  return new;
end $$;
create trigger products_keep_availability before insert or update on public."Products"
  for each row execute function private.keep_availability();

create function private.open_stock() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.stock_levels (product_id) values (new."Id");
  return null;
end $$;
create trigger products_open_stock after insert on public."Products"
  for each row execute function private.open_stock();

create function private.follow_stock() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public."Products" set isavailable = isavailable where "Id" = new.product_id;
  return null;
end $$;
create trigger stock_levels_follow after update of on_hand on public.stock_levels
  for each row when ((old.on_hand > 0) <> (new.on_hand > 0)) execute function private.follow_stock();

grant execute on function private.guard_stock() to public;

-- 10_stock/02_short_stock.sql
create table private.short_stock (
  product_id bigint primary key references public."Products" ("Id") on delete cascade
);
alter table private.short_stock enable row level security;

create table private.stock_pace (
  product_id bigint primary key references public."Products" ("Id") on delete cascade,
  day date not null,
  per_day numeric not null constraint stock_pace_per_day_is_a_number check (per_day <> 'NaN')
);
alter table private.stock_pace enable row level security;

create table public.notify_subscriptions (
  product_id bigint not null references public."Products" ("Id") on delete cascade,
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (product_id, user_id)
);
create index notify_subscriptions_user_idx on public.notify_subscriptions (user_id);
alter table public.notify_subscriptions enable row level security;
revoke all on public.notify_subscriptions from anon, authenticated;
grant select, delete, insert (product_id, user_id) on public.notify_subscriptions to authenticated;
grant all on public.notify_subscriptions to service_role;
create policy "customers subscribe themselves" on public.notify_subscriptions
  for insert to authenticated with check (
    user_id = (select auth.uid())
    and exists (select from public."Products" p where p."Id" = product_id)
  );
create policy "customers unsubscribe themselves" on public.notify_subscriptions
  for delete to authenticated using (user_id = (select auth.uid()));
create policy "customers read their own subscriptions, administrators all" on public.notify_subscriptions
  for select to authenticated using (user_id = (select auth.uid()) or (select private.is_admin()));

create function private.follow_short_stock() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.is_short(new) then
    insert into private.short_stock (product_id) values (new.product_id) on conflict do nothing;
  else
    delete from private.short_stock s where s.product_id = new.product_id;
  end if;
  return null;
end $$;
create trigger stock_levels_short_new after insert on public.stock_levels
  for each row execute function private.follow_short_stock();
create trigger stock_levels_short after update on public.stock_levels
  for each row when ((old.on_hand = 0 or old.on_hand - old.reserved <= old.low_at) <> (new.on_hand = 0 or new.on_hand - new.reserved <= new.low_at))
  execute function private.follow_short_stock();

create function private.limit_subscriptions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_service() and not private.take_turn('subscription', new.user_id::text, 60, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'too many back-in-stock requests: at most sixty an hour';
  end if;
  return new;
end $$;
create trigger notify_subscriptions_limit before insert on public.notify_subscriptions
  for each row execute function private.limit_subscriptions();

create function private.tell_waiting() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.stock_levels s where s.product_id = new.product_id and s.on_hand > 0) then
    with told as (
      delete from public.notify_subscriptions s where s.product_id = new.product_id returning s.user_id
    )
    insert into private.outbox (kind, key, payload)
    select 'mail', format('mail:back-in-stock:%s:%s:%s', new.product_id, told.user_id, gen_random_uuid()),
           jsonb_build_object('template', 'back-in-stock', 'product_id', new.product_id, 'user_id', told.user_id)
    from told;
  end if;
  return null;
end $$;
create constraint trigger stock_levels_tell_waiting after update of on_hand on public.stock_levels
  deferrable initially deferred
  for each row when (old.on_hand = 0 and new.on_hand > 0) execute function private.tell_waiting();

create function private.is_short(level public.stock_levels) returns boolean
language sql immutable as $$
  select level.on_hand = 0 or level.on_hand - level.reserved <= level.low_at;
$$;

create function private.know_short_stock() returns void
language sql set search_path = '' as $$
  delete from private.short_stock where true;
  insert into private.short_stock (product_id) select s.product_id from public.stock_levels s where private.is_short(s);
$$;

create function private.keep_pace(product_ids bigint[], at timestamptz) returns void
language plpgsql set search_path = '' as $$
begin
  if product_ids is not null and not exists (
    select from unnest(product_ids) i (id)
    where not exists (select from private.stock_pace k where k.product_id = i.id and k.day = private.day_of(at))) then
    return;
  end if;
  with due as materialized (
    select p."Id" as id, p.created_at from public."Products" p
    where (product_ids is null or p."Id" = any (product_ids))
      and not exists (select from private.stock_pace k where k.product_id = p."Id" and k.day = private.day_of(at))
  )
  insert into private.stock_pace (product_id, day, per_day)
  select d.id, private.day_of(at), greatest(0, -coalesce(m.quantity, 0)::numeric / least(28, greatest(1, private.day_of(at) - private.day_of(d.created_at))))
  from due d
  cross join lateral (
    select sum(v.quantity) as quantity from public.stock_movements v
    where v.product_id = d.id and v.created_at >= private.start_of(private.day_of(at) - 28) and v.created_at < private.start_of(private.day_of(at))
      and v.order_id is not null and v.reason in ('sale', 'return')
  ) m
  order by d.id
  on conflict (product_id) do update set day = excluded.day, per_day = excluded.per_day;
end $$;

create function public.set_notification(customer_id uuid, product_id bigint, wanted boolean) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from public."Products" p
                 where p."Id" = set_notification.product_id and p.is_listed and p.archived_at is null) then
    return null;
  end if;
  if wanted then
    insert into public.notify_subscriptions (product_id, user_id)
    values (set_notification.product_id, customer_id) on conflict do nothing;
  elsif not wanted then
    delete from public.notify_subscriptions s
    where s.product_id = set_notification.product_id and s.user_id = customer_id;
  end if;
  return exists (select from public.notify_subscriptions s
                 where s.product_id = set_notification.product_id and s.user_id = customer_id);
end $$;

revoke execute on function public.set_notification(uuid, bigint, boolean) from public, anon, authenticated;
grant execute on function public.set_notification(uuid, bigint, boolean) to service_role;

-- 10_stock/03_counts.sql
create table public.stock_counts (
  id uuid primary key,
  note text not null default '' check (char_length(note) <= 300),
  applied_at timestamptz not null,
  refused jsonb not null default '[]'
);
alter table public.stock_counts enable row level security;
revoke all on public.stock_counts from anon, authenticated;
grant select on public.stock_counts to authenticated;
grant all on public.stock_counts to service_role;
create policy "administrators read" on public.stock_counts
  for select to authenticated using ((select private.is_admin()));

create trigger stock_counts_audit after insert on public.stock_counts
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');
create trigger stock_counts_never_change before delete or update on public.stock_counts
  for each row execute function private.refuse_change();
create trigger stock_counts_never_emptied before truncate on public.stock_counts
  for each statement execute function private.refuse_change();

create table public.stock_count_lines (
  count_id uuid not null references public.stock_counts (id),
  product_id bigint not null references public."Products" ("Id"),
  counted integer not null check (counted >= 0),
  expected integer not null check (expected >= 0),
  counted_at timestamptz not null,
  movement_id bigint references public.stock_movements (id),
  primary key (count_id, product_id),
  check ((movement_id is null) = (counted = expected))
);
create index stock_count_lines_product_idx on public.stock_count_lines (product_id, counted_at desc);
create unique index stock_count_lines_movement_idx on public.stock_count_lines (movement_id) where movement_id is not null;
alter table public.stock_count_lines enable row level security;
revoke all on public.stock_count_lines from anon, authenticated;
grant select on public.stock_count_lines to authenticated;
grant all on public.stock_count_lines to service_role;
create policy "administrators read" on public.stock_count_lines
  for select to authenticated using ((select private.is_admin()));

create trigger stock_count_lines_never_change before delete or update on public.stock_count_lines
  for each row execute function private.refuse_change();
create trigger stock_count_lines_never_emptied before truncate on public.stock_count_lines
  for each statement execute function private.refuse_change();

create function private.count_refusal(product_id bigint, counted integer, expected integer, counted_at timestamptz, at timestamptz) returns text
language plpgsql stable set search_path = '' as $$
declare
  level public.stock_levels;
  has_size boolean;
  other uuid;
begin
  if counted is null or counted not between 0 and 1000000000 or expected is null or counted_at is null or counted_at > at + interval '1 minute' then
    return 'This was not counted properly. Count it again.';
  end if;
  select c.id into other from public.stock_count_lines l join public.stock_counts c on c.id = l.count_id
  where l.product_id = count_refusal.product_id and c.applied_at >= count_refusal.counted_at limit 1;
  if found then
    return format('%s saved a count of it while you counted. Count it again.', coalesce((
      select private.person_name(a.actor_id) from public.audit_log a where a.table_name = 'stock_counts' and a.row_id = other::text), 'Somebody'));
  end if;
  select * into level from public.stock_levels s where s.product_id = count_refusal.product_id;
  if expected <> level.on_hand - (select coalesce(sum(m.quantity), 0) from public.stock_movements m
                                  where m.product_id = count_refusal.product_id and m.created_at > count_refusal.counted_at) then
    return 'It was sold or changed while you counted. Count it again.';
  elsif level.on_hand + counted - expected < level.reserved then
    select p."hasSize" into has_size from public."Products" p where p."Id" = count_refusal.product_id;
    return format('%s of it are being paid for just now, and only %s would be left. Wait %s minutes, or count again.',
      private.say_stock(level.reserved, has_size), private.say_stock(greatest(level.on_hand + counted - expected, 0), has_size),
      extract(minutes from private.hold_time()));
  end if;
  return null;
end $$;

create function private.count_answer(count_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('count_id', c.id, 'refused', c.refused,
    'counted', (select count(*) from public.stock_count_lines l where l.count_id = c.id),
    'corrected', (select count(*) from public.stock_count_lines l where l.count_id = c.id and l.movement_id is not null))
  from public.stock_counts c where c.id = count_answer.count_id;
$$;

-- 11_purchases/01_vendors.sql
create table public.vendors (
  id bigint generated by default as identity primary key,
  name text not null check (char_length(btrim(name)) between 1 and 120),
  contact_name text not null default '' check (char_length(contact_name) <= 120),
  phone text not null default '' check (phone ~ '^((\+91[ -]?)?[6-9][0-9]{9})?$'),
  email text not null default '' check (char_length(email) <= 200),
  gstin text not null default '' check (gstin ~ '^([0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][0-9A-Z]Z[0-9A-Z])?$'),
  fssai_number text not null default '' check (fssai_number ~ '^([0-9]{14})?$'),
  payment_terms_days smallint not null default 0 check (payment_terms_days between 0 and 365),
  notes text not null default '' check (char_length(notes) <= 2000),
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
alter table public.vendors enable row level security;
revoke all on public.vendors from anon, authenticated;
grant select, insert, update, delete on public.vendors to authenticated;
grant all on public.vendors to service_role;
create policy "administrators only" on public.vendors
  for all to authenticated using ((select private.is_admin())) with check ((select private.is_admin()));

create trigger vendors_audit after insert or delete or update on public.vendors
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');
create trigger vendors_touch before update on public.vendors
  for each row execute function private.touch_updated_at();
create trigger vendors_require_admin before insert or delete or update on public.vendors
  for each statement when (current_user in ('anon', 'authenticated')) execute function private.require_admin_to_write();

create function private.guard_vendor() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  on_the_way integer;
begin
  if new.gstin <> '' and (tg_op = 'INSERT' or new.gstin <> old.gstin) and not private.is_gstin(new.gstin) then
    perform private.refuse('This GSTIN is not valid. Check each character.', 'gstin');
  end if;
  if new.archived_at is null and (tg_op = 'INSERT' or old.archived_at is not null or lower(btrim(new.name)) <> lower(btrim(old.name)))
     and exists (select from public.vendors v
                 where v.id <> new.id and v.archived_at is null and lower(btrim(v.name)) = lower(btrim(new.name))) then
    perform private.refuse('A vendor with this name already exists.', 'name');
  end if;
  if tg_op = 'UPDATE' and new.archived_at is not null and old.archived_at is null then
    select count(*) into on_the_way from public.purchase_orders o where o.vendor_id = new.id and o.status in ('Ordered', 'Received');
    if on_the_way > 0 then
      perform private.refuse(format(case on_the_way when 1 then 'An order of theirs is still open. Close it first.'
                                                    else '%s orders of theirs are still open. Close them first.' end, on_the_way));
    end if;
  end if;
  return new;
end $$;
create trigger vendors_guard before insert or update on public.vendors
  for each row execute function private.guard_vendor();

create function private.owed_to(vendor_id bigint) returns numeric
language sql stable set search_path = '' as $$
  select coalesce((select sum(b.amount) from public.vendor_bills b where b.vendor_id = owed_to.vendor_id and b.canceled_at is null), 0)
       - coalesce((select sum(p.amount) from public.vendor_payments p where p.vendor_id = owed_to.vendor_id and p.undone_at is null), 0);
$$;

create function private.open_bills(of_vendor bigint default null) returns table (bill_id bigint, vendor_id bigint, due_on date, unpaid numeric)
language sql stable set search_path = '' as $$
  select b.id, b.vendor_id, b.due_on, least(b.amount, b.running - coalesce(p.paid, 0))
  from (
    select v.id, v.vendor_id, v.due_on, v.amount, sum(v.amount) over (partition by v.vendor_id order by v.due_on, v.id) as running
    from public.vendor_bills v
    where v.canceled_at is null and v.vendor_id between coalesce(of_vendor, -9223372036854775808) and coalesce(of_vendor, 9223372036854775807)
  ) b
  left join (
    select v.vendor_id, sum(v.amount) as paid from public.vendor_payments v
    where v.undone_at is null and v.vendor_id between coalesce(of_vendor, -9223372036854775808) and coalesce(of_vendor, 9223372036854775807)
    group by v.vendor_id
  ) p on p.vendor_id = b.vendor_id
  where b.running > coalesce(p.paid, 0);
$$;

create function private.bill_facts(vendor_id bigint) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', b.id, 'purchase_id', r.purchase_order_id, 'bill_number', b.bill_number, 'billed_on', b.billed_on, 'due_on', b.due_on,
    'amount_paise', (b.amount * 100)::bigint, 'unpaid_paise', (o.unpaid * 100)::bigint) order by b.due_on, b.id), '[]')
  from private.open_bills(bill_facts.vendor_id) o
  join public.vendor_bills b on b.id = o.bill_id
  join public.purchase_receipts r on r.id = b.receipt_id;
$$;

-- 11_purchases/02_purchases.sql
create table private.purchase_status_edges (
  from_status text not null,
  to_status text not null,
  through text not null check (through in ('person', 'receiving', 'undoing')),
  primary key (from_status, to_status)
);
alter table private.purchase_status_edges enable row level security;

insert into private.purchase_status_edges (from_status, to_status, through) values
  ('Draft', 'Ordered', 'person'),
  ('Ordered', 'Received', 'receiving'),
  ('Received', 'Ordered', 'undoing'),
  ('Ordered', 'Closed', 'person'),
  ('Received', 'Closed', 'person');

create table public.purchase_orders (
  id bigint generated by default as identity primary key,
  vendor_id bigint not null references public.vendors (id),
  status text not null default 'Draft' check (status in ('Draft', 'Ordered', 'Received', 'Closed')),
  ordered_at timestamptz,
  expected_on date,
  received_at timestamptz,
  notes text not null default '' check (char_length(notes) <= 2000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  entry_id uuid unique
);
comment on column public.purchase_orders.entry_id is 'Made where it was typed: however often it is sent, it is one order.';
create index purchase_orders_vendor_idx on public.purchase_orders (vendor_id, created_at desc);
create index purchase_orders_status_idx on public.purchase_orders (status, created_at desc);
create index purchase_orders_created_idx on public.purchase_orders (created_at desc, id desc);
alter table public.purchase_orders enable row level security;
revoke all on public.purchase_orders from anon, authenticated;
grant select on public.purchase_orders to authenticated;
grant all on public.purchase_orders to service_role;
create policy "administrators read" on public.purchase_orders
  for select to authenticated using ((select private.is_admin()));

create trigger purchase_orders_audit after insert or delete or update on public.purchase_orders
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');
create trigger purchase_orders_touch before update on public.purchase_orders
  for each row execute function private.touch_updated_at();

create table public.purchase_order_items (
  id bigint generated by default as identity primary key,
  purchase_order_id bigint not null references public.purchase_orders (id) on delete cascade,
  product_id bigint references public."Products" ("Id"),
  item_name text not null check (char_length(btrim(item_name)) between 1 and 120),
  unit text not null check (unit in ('kg', 'g', 'l', 'piece')),
  quantity numeric(12, 3) not null check (quantity > 0)
    constraint purchase_order_items_quantity_is_a_number check (quantity <> 'NaN'),
  received_quantity numeric(12, 3) not null default 0 check (received_quantity >= 0)
    constraint purchase_order_items_received_quantity_is_a_number check (received_quantity <> 'NaN'),
  unit_cost numeric(10, 2) not null check (unit_cost >= 0)
    constraint purchase_order_items_unit_cost_is_a_number check (unit_cost <> 'NaN'),
  gst_percent numeric(4, 2) not null default 5 check (gst_percent between 0 and 40)
    constraint purchase_order_items_gst_percent_is_a_number check (gst_percent <> 'NaN')
);
create index purchase_order_items_order_idx on public.purchase_order_items (purchase_order_id);
create index purchase_order_items_name_idx on public.purchase_order_items (lower(item_name));
create index purchase_order_items_product_id_idx on public.purchase_order_items (product_id) where product_id is not null;
alter table public.purchase_order_items enable row level security;
revoke all on public.purchase_order_items from anon, authenticated;
grant select on public.purchase_order_items to authenticated;
grant all on public.purchase_order_items to service_role;
create policy "administrators read" on public.purchase_order_items
  for select to authenticated using ((select private.is_admin()));

create trigger purchase_order_items_audit after insert or delete or update on public.purchase_order_items
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');

create table public.purchase_receipts (
  id uuid primary key,
  purchase_order_id bigint not null references public.purchase_orders (id),
  received_at timestamptz not null,
  undone_at timestamptz
);
create index purchase_receipts_order_idx on public.purchase_receipts (purchase_order_id, received_at);
alter table public.purchase_receipts enable row level security;
revoke all on public.purchase_receipts from anon, authenticated;
grant select on public.purchase_receipts to authenticated;
grant all on public.purchase_receipts to service_role;
create policy "administrators read" on public.purchase_receipts
  for select to authenticated using ((select private.is_admin()));

create trigger purchase_receipts_audit after insert or delete or update on public.purchase_receipts
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');

create table public.purchase_receipt_items (
  receipt_id uuid not null references public.purchase_receipts (id),
  item_id bigint not null references public.purchase_order_items (id),
  quantity numeric(12, 3) not null check (quantity > 0)
    constraint purchase_receipt_items_quantity_is_a_number check (quantity <> 'NaN'),
  movement_id bigint references public.stock_movements (id),
  sets_cost boolean not null default false,
  primary key (receipt_id, item_id)
);
create index purchase_receipt_items_item_idx on public.purchase_receipt_items (item_id);
create unique index purchase_receipt_items_movement_idx on public.purchase_receipt_items (movement_id) where movement_id is not null;
alter table public.purchase_receipt_items enable row level security;
revoke all on public.purchase_receipt_items from anon, authenticated;
grant select on public.purchase_receipt_items to authenticated;
grant all on public.purchase_receipt_items to service_role;
create policy "administrators read" on public.purchase_receipt_items
  for select to authenticated using ((select private.is_admin()));

create trigger purchase_receipt_items_audit after insert or delete or update on public.purchase_receipt_items
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('receipt_id');

create table public.vendor_bills (
  id bigint generated by default as identity primary key,
  vendor_id bigint not null references public.vendors (id),
  receipt_id uuid not null unique references public.purchase_receipts (id),
  bill_number text not null default '' check (char_length(bill_number) <= 60),
  billed_on date not null,
  due_on date not null check (due_on >= billed_on),
  goods numeric(14, 2) not null check (goods >= 0) constraint vendor_bills_goods_is_a_number check (goods <> 'NaN'),
  gst numeric(14, 2) not null check (gst >= 0) constraint vendor_bills_gst_is_a_number check (gst <> 'NaN'),
  adjustment numeric(14, 2) not null default 0
    constraint vendor_bills_adjustment_is_a_number check (adjustment <> 'NaN'),
  amount numeric(14, 2) not null check (amount > 0 and amount = goods + gst + adjustment)
    constraint vendor_bills_amount_is_a_number check (amount <> 'NaN'),
  canceled_at timestamptz,
  created_at timestamptz not null default now()
);
create index vendor_bills_vendor_idx on public.vendor_bills (vendor_id, due_on, id) where canceled_at is null;
create index vendor_bills_vendor_key_idx on public.vendor_bills (vendor_id);
create index vendor_bills_billed_idx on public.vendor_bills (billed_on) where canceled_at is null;
alter table public.vendor_bills enable row level security;
revoke all on public.vendor_bills from anon, authenticated;
grant select on public.vendor_bills to authenticated;
grant all on public.vendor_bills to service_role;
create policy "administrators read" on public.vendor_bills
  for select to authenticated using ((select private.is_admin()));

create trigger vendor_bills_audit after insert or delete or update on public.vendor_bills
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');

create table public.vendor_payments (
  id uuid primary key,
  vendor_id bigint not null references public.vendors (id),
  paid_on date not null,
  mode text not null check (mode in ('Cash', 'UPI', 'Card', 'Bank transfer', 'Cheque')),
  amount numeric(14, 2) not null check (amount > 0)
    constraint vendor_payments_amount_is_a_number check (amount <> 'NaN'),
  reference text not null default '' check (char_length(reference) <= 100),
  undone_at timestamptz,
  created_at timestamptz not null default now()
);
create index vendor_payments_vendor_idx on public.vendor_payments (vendor_id, paid_on);
alter table public.vendor_payments enable row level security;
revoke all on public.vendor_payments from anon, authenticated;
grant select on public.vendor_payments to authenticated;
grant all on public.vendor_payments to service_role;
create policy "administrators read" on public.vendor_payments
  for select to authenticated using ((select private.is_admin()));

create trigger vendor_payments_audit after insert or update or delete on public.vendor_payments
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');

create function private.guard_purchase() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from private.purchase_status_edges e where e.from_status = old.status and e.to_status = new.status) then
    raise sqlstate 'PT409' using message = format('A purchase order that is %s cannot become %s.', old.status, new.status);
  end if;
  return new;
end $$;
create trigger purchase_orders_guard before update of status on public.purchase_orders
  for each row when (old.status is distinct from new.status) execute function private.guard_purchase();

create function private.purchase_lines(lines jsonb) returns table (
  id bigint, product_id bigint, item_name text, unit text, quantity numeric, unit_cost numeric, gst_percent numeric)
language plpgsql stable set search_path = '' as $$
declare
  line jsonb;
  place text;
  product public."Products";
  cost numeric;
begin
  if jsonb_typeof(lines) is distinct from 'array' or jsonb_array_length(lines) > 100 then
    perform private.refuse('A purchase order has at most 100 lines.', 'lines');
  elsif jsonb_array_length(lines) = 0 then
    perform private.refuse('Add at least one item.', 'lines');
  end if;
  for line, place in select l.value, 'lines.' || (l.ordinality - 1) || '.' from jsonb_array_elements(lines) with ordinality l loop
    id := private.typed_number(line ->> 'id', 0);
    product_id := private.typed_number(line ->> 'product_id', 0);
    item_name := btrim(coalesce(line ->> 'item_name', ''));
    unit := coalesce(line ->> 'unit', '');
    quantity := private.typed_number(line ->> 'quantity', 3);
    cost := private.typed_number(line ->> 'unit_cost_paise', 0);
    gst_percent := private.typed_number(line ->> 'gst_percent', 2);
    if product_id is not null then
      select * into product from public."Products" p where p."Id" = purchase_lines.product_id;
      if product."Id" is null then
        perform private.refuse('This product was deleted.', place || 'item_name');
      end if;
      item_name := product."Name";
      if unit <> all (case when product."hasSize" then array['kg', 'g'] else array['piece'] end) then
        perform private.refuse(format(case when product."hasSize" then '%s is sold by weight: buy it in kg or g.'
                                           else '%s is sold by the piece: buy it in pieces.' end, product."Name"), place || 'unit');
      end if;
    elsif unit not in ('kg', 'g', 'l', 'piece') then
      perform private.refuse('Choose kg, g, litres or pieces.', place || 'unit');
    end if;
    if char_length(item_name) not between 1 and 120 then
      perform private.refuse('Enter an item of at most 120 characters.', place || 'item_name');
    elsif quantity is null or quantity <= 0 or quantity > 100000 then
      perform private.refuse('A quantity is more than 0 and at most 1,00,000, with three decimals at most.', place || 'quantity');
    elsif product_id is not null and unit <> 'kg' and quantity <> trunc(quantity) then
      perform private.refuse('Enter a whole number.', place || 'quantity');
    elsif cost is null or cost > 99999999 then
      perform private.refuse('Enter the unit price in rupees, below ₹10,00,000, or 0 if it is free.', place || 'unit_cost');
    elsif gst_percent is null or gst_percent > 40 then
      perform private.refuse('GST must be from 0 to 40%.', place || 'gst_percent');
    end if;
    unit_cost := cost / 100;
    return next;
  end loop;
end $$;

create function private.take_purchase(purchase_id bigint, seen timestamptz) returns public.purchase_orders
language plpgsql set search_path = '' as $$
declare
  purchase public.purchase_orders;
begin
  select * into purchase from public.purchase_orders o where o.id = purchase_id for update;
  if purchase.id is null then
    raise sqlstate 'PT404' using message = 'This purchase order was deleted by someone else.';
  end if;
  perform private.expect_unchanged(seen, purchase.updated_at);
  return purchase;
end $$;

create function private.received_lines(purchase_id bigint, lines jsonb, allow_more boolean) returns table (
  item_id bigint, product_id bigint, quantity numeric, unit_cost numeric, gst_percent numeric,
  stock_units integer, sets_cost boolean, product_cost numeric)
language plpgsql stable set search_path = '' as $$
declare
  line record;
  item record;
  told bigint[] := '{}';
  place text;
begin
  if jsonb_typeof(lines) is distinct from 'array' then
    perform private.refuse('Enter the quantity received.', 'lines');
  end if;
  for line in
    select private.typed_number(l.value ->> 'item_id', 0)::bigint as id, private.typed_number(l.value ->> 'quantity', 3) as quantity,
           l.value -> 'sets_cost' = 'true' as sets_cost, l.ordinality
    from jsonb_array_elements(lines) with ordinality l
  loop
    place := 'lines.' || (line.ordinality - 1) || '.quantity';
    select i.*, p."hasSize" as has_size into item
    from public.purchase_order_items i left join public."Products" p on p."Id" = i.product_id
    where i.id = line.id and i.purchase_order_id = received_lines.purchase_id;
    if item.id is null or item.id = any (told) then
      perform private.refuse('This line is not on the order.', place);
    elsif line.quantity is null or line.quantity <= 0 or line.quantity > 100000 then
      perform private.refuse('A quantity is more than 0 and at most 1,00,000, with three decimals at most.', place);
    elsif item.received_quantity + line.quantity > item.quantity and not allow_more then
      perform private.refuse(format('More than the %s ordered (%s already received). Tick to accept the extra.',
        private.say_quantity(item.quantity, item.unit), private.say_quantity(item.received_quantity, item.unit)), place);
    elsif item.has_size is not null and item.unit <> all (case when item.has_size then array['kg', 'g'] else array['piece'] end) then
      perform private.refuse(format('%s is now sold %s. Close this order and write a new one.', item.item_name,
        case when item.has_size then 'by weight' else 'by the piece' end), place);
    elsif item.product_id is not null and item.unit <> 'kg' and line.quantity <> trunc(line.quantity) then
      perform private.refuse('Enter a whole number.', place);
    end if;
    told := told || item.id;
    item_id := item.id;
    product_id := item.product_id;
    quantity := line.quantity;
    unit_cost := item.unit_cost;
    gst_percent := item.gst_percent;
    stock_units := case when item.product_id is not null then case item.unit when 'kg' then line.quantity * 1000 else line.quantity end end;
    sets_cost := item.product_id is not null and coalesce(line.sets_cost, false);
    product_cost := private.product_cost(item.unit_cost, item.unit);
    if sets_cost and product_cost >= 100000000 then
      perform private.refuse('At this price 500 g would cost ₹10 crore or more. Look at the unit.', place);
    end if;
    return next;
  end loop;
end $$;

create function private.forget_cost_of(receipt public.purchase_receipts) returns void
language plpgsql set search_path = '' as $$
declare
  products constant bigint[] := array(
    select i.product_id from public.purchase_receipt_items r join public.purchase_order_items i on i.id = r.item_id
    where r.receipt_id = receipt.id and r.sets_cost);
begin
  delete from private.product_costs c where c.product_id = any (products) and c.valid_from = receipt.received_at;
  if not found then
    return;
  end if;
  insert into private.product_costs (product_id, valid_from, unit_cost)
  select s.product_id, s.received_at, s.product_cost
  from (
    select distinct on (i.product_id) i.product_id, t.received_at, private.product_cost(i.unit_cost, i.unit) as product_cost
    from public.purchase_order_items i
    join public.purchase_receipt_items r on r.item_id = i.id and r.sets_cost
    join public.purchase_receipts t on t.id = r.receipt_id and t.undone_at is null and t.received_at >= receipt.received_at
    where i.product_id = any (products)
      and not exists (select from private.product_costs c where c.product_id = i.product_id
                        and c.valid_from >= receipt.received_at and c.valid_from <= t.received_at)
    order by i.product_id, t.received_at, i.id desc
  ) s
  where private.unit_cost_at(s.product_id, s.received_at) is distinct from s.product_cost;
end $$;

create function private.product_cost(unit_cost numeric, unit text) returns numeric
language sql immutable set search_path = '' as $$
  select round(product_cost.unit_cost * case product_cost.unit when 'kg' then 0.5 when 'g' then 500 else 1 end, 2);
$$;

-- 12_documents/01_places.sql
create table private.gst_states (
  code text primary key check (code ~ '^[0-9]{2}$'),
  name text not null unique,
  has_assembly boolean not null default true
);
alter table private.gst_states enable row level security;

insert into private.gst_states (code, name, has_assembly) values
  ('01', 'Jammu and Kashmir', true), ('02', 'Himachal Pradesh', true), ('03', 'Punjab', true),
  ('04', 'Chandigarh', false), ('05', 'Uttarakhand', true), ('06', 'Haryana', true), ('07', 'Delhi', true),
  ('08', 'Rajasthan', true), ('09', 'Uttar Pradesh', true), ('10', 'Bihar', true), ('11', 'Sikkim', true),
  ('12', 'Arunachal Pradesh', true), ('13', 'Nagaland', true), ('14', 'Manipur', true), ('15', 'Mizoram', true),
  ('16', 'Tripura', true), ('17', 'Meghalaya', true), ('18', 'Assam', true), ('19', 'West Bengal', true),
  ('20', 'Jharkhand', true), ('21', 'Odisha', true), ('22', 'Chhattisgarh', true), ('23', 'Madhya Pradesh', true),
  ('24', 'Gujarat', true), ('26', 'Dadra and Nagar Haveli and Daman and Diu', false), ('27', 'Maharashtra', true),
  ('29', 'Karnataka', true), ('30', 'Goa', true), ('31', 'Lakshadweep', false), ('32', 'Kerala', true),
  ('33', 'Tamil Nadu', true), ('34', 'Puducherry', true), ('35', 'Andaman and Nicobar Islands', false),
  ('36', 'Telangana', true), ('37', 'Andhra Pradesh', true), ('38', 'Ladakh', false);

create table private.state_words (
  letters text primary key check (letters ~ '^[a-z]+$'),
  code text not null references private.gst_states (code)
);
alter table private.state_words enable row level security;

insert into private.state_words (letters, code)
select regexp_replace(lower(s.name), '[^a-z]', '', 'g'), s.code from private.gst_states s
union all
select unnest(string_to_array(w.words, ' ')), w.code
from (values
  ('01', 'jk jandk jammukashmir jammu kashmir'), ('02', 'hp himachal'), ('03', 'pb panjab'), ('04', 'ch'),
  ('05', 'uk ua uttaranchal uttrakhand'), ('06', 'hr'), ('07', 'dl newdelhi nctofdelhi delhinct nct'), ('08', 'rj'),
  ('09', 'up'), ('10', 'br'), ('11', 'sk'), ('12', 'ar arunachal'), ('13', 'nl'), ('14', 'mn'), ('15', 'mz'),
  ('16', 'tr'), ('17', 'ml'), ('18', 'as'), ('19', 'wb bengal pashchimbanga'), ('20', 'jh'), ('21', 'od or orissa'),
  ('22', 'cg ct chattisgarh chhatisgarh'), ('23', 'mp'), ('24', 'gj gujrat'),
  ('26', 'dn dd dnhdd dadraandnagarhaveli dadranagarhaveli damananddiu damandiu daman diu'), ('27', 'mh maharastra'),
  ('29', 'ka karnatka'), ('30', 'ga'), ('31', 'ld'), ('32', 'kl'), ('33', 'tn tamilnad'),
  ('34', 'py pondicherry pondichery'), ('35', 'an andamanandnicobar andamannicobar andamannicobarislands'),
  ('36', 'ts tg telengana'), ('37', 'ap andhra'), ('38', 'la')
) as w (code, words);

create table private.pincode_states (
  beginning text primary key check (beginning ~ '^[1-9][0-9]{1,5}$'),
  code text not null references private.gst_states (code)
);
alter table private.pincode_states enable row level security;

insert into private.pincode_states (code, beginning)
select b.code, unnest(string_to_array(b.beginnings, ' '))
from (values
  ('07', '11'), ('06', '12 13'), ('03', '14 15 160055 160059 160062 160071'), ('04', '16'), ('02', '17'), ('01', '18 19'), ('38', '194'),
  ('09', '20 21 22 23 24 25 26 27 28'),
  ('05', '244712 244713 244715 246 247667 248 249 2625 2631 2632 2634 2635 2636'),
  ('08', '30 31 32 33 34'), ('24', '36 37 38 39'), ('26', '362520 362540 396193 396210 396220 396230 396235 396240'),
  ('27', '40 41 42 43 44'), ('30', '403'), ('23', '45 46 47 48'), ('22', '49'), ('36', '50'), ('37', '51 52 53'),
  ('29', '56 57 58 59'), ('33', '60 61 62 63 64'),
  ('34', '605001 605002 605003 605004 605005 605006 605007 605008 605009 605010 605011 605012 605013 605014'),
  ('34', '609602 673310 533464'),
  ('32', '67 68 69'), ('31', '68255'), ('19', '70 71 72 73 74'), ('11', '737'), ('35', '744'), ('21', '75 76 77'), ('18', '78'),
  ('12', '790 791 792'), ('17', '793 794'), ('14', '795'), ('15', '796'), ('13', '797 798'), ('16', '799'),
  ('10', '80 81 82 84 85'), ('20', '814 815 816 822 825 826 827 828 829 83')) as b (code, beginnings);

create function private.state_code(written text, pincode text) returns text
language sql stable as $$
  select case when w.code is null then p.code
              when p.code is null or p.code = w.code or exists (
                select from private.pincode_states n where n.code = w.code and left(n.beginning, 2) = left(pincode, 2)) then w.code
              else p.code end
  from (select (select s.code from private.state_words s
                where s.letters = regexp_replace(replace(lower(written), '&', 'and'), '[^a-z]', '', 'g')) as code) w,
       (select (select b.code from private.pincode_states b
                where b.beginning = any (array[pincode, left(pincode, 5), left(pincode, 4), left(pincode, 3), left(pincode, 2)])
                order by length(b.beginning) desc limit 1) as code) p;
$$;

create function private.state_named(code text) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('code', s.code, 'name', s.name) from private.gst_states s where s.code = state_named.code;
$$;

-- 12_documents/02_invoices.sql
create table private.document_series (
  series text primary key check (series in ('invoice', 'credit note')),
  prefix text not null unique check (prefix ~ '^[A-Z0-9]{1,3}$')
);
alter table private.document_series enable row level security;

insert into private.document_series (series, prefix) values ('invoice', 'MTH'), ('credit note', 'MTC');

create table private.document_numbers (
  series text not null references private.document_series (series),
  year smallint not null,
  last integer not null check (last between 1 and 999999),
  primary key (series, year)
);
alter table private.document_numbers enable row level security;

create table private.invoice_suppliers (
  id integer primary key generated always as identity,
  facts jsonb not null unique
);
alter table private.invoice_suppliers enable row level security;

create trigger invoice_suppliers_never_change before update or delete or truncate on private.invoice_suppliers
  for each statement execute function private.refuse_change();

create table private.invoices (
  id uuid primary key default gen_random_uuid(),
  order_id uuid not null unique references public.orders (id),
  year smallint not null,
  serial integer not null,
  number text not null unique check (char_length(number) <= 16),
  issued_at timestamptz not null,
  supplier_id integer not null references private.invoice_suppliers (id),
  recipient jsonb not null,
  place_code text references private.gst_states (code),
  tax_kind text not null check (tax_kind in ('intra', 'inter', 'none')),
  lines jsonb not null,
  taxable_paise bigint not null,
  cgst_paise bigint not null,
  sgst_paise bigint not null check (sgst_paise = cgst_paise),
  igst_paise bigint not null,
  total_paise bigint not null check (total_paise = taxable_paise + cgst_paise + sgst_paise + igst_paise),
  unique (year, serial)
);
create index invoices_issued_idx on private.invoices (issued_at, serial);
alter table private.invoices enable row level security;

create trigger invoices_never_emptied before truncate on private.invoices
  for each statement execute function private.refuse_change();

create table private.gst_months (
  month date not null,
  series text not null references private.document_series (series),
  hsn text not null,
  gst_percent numeric(4, 2) not null constraint gst_months_gst_percent_is_a_number check (gst_percent <> 'NaN'),
  kilograms numeric(12, 1) not null default 0
    constraint gst_months_kilograms_is_a_number check (kilograms <> 'NaN'),
  pieces bigint not null default 0,
  taxable_paise bigint not null default 0,
  cgst_paise bigint not null default 0,
  sgst_paise bigint not null default 0,
  igst_paise bigint not null default 0,
  primary key (month, series, hsn, gst_percent)
);
alter table private.gst_months enable row level security;

create table private.document_months (
  month date not null,
  series text not null references private.document_series (series),
  documents integer not null check (documents > 0),
  primary key (month, series)
);
alter table private.document_months enable row level security;

create function private.invoice_packed_orders() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  ids uuid[];
begin
  select array_agg(n.id) into ids
  from packed n join unpacked o on o.id = n.id
  where n.status = 'Packed' and o.status <> 'Packed';
  if ids is not null then
    perform private.issue_invoices(ids, array_fill(private.event_moment(), array[cardinality(ids)]));
  end if;
  return null;
end $$;
create trigger orders_issue_invoices after update on public.orders
  referencing old table as unpacked new table as packed
  for each statement execute function private.invoice_packed_orders();

create function private.invoice_order_that_came_packed() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.issue_invoices(array[new.id], array[private.event_moment()]);
  return null;
end $$;
create constraint trigger orders_came_packed after insert on public.orders deferrable initially deferred
  for each row when (new.status in ('Packed', 'Shipped', 'Delivered', 'Undelivered', 'Ready', 'Collected', 'Refunded'))
  execute function private.invoice_order_that_came_packed();

create function private.guard_invoice() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and private.is_erasing() and to_jsonb(new) - 'recipient' = to_jsonb(old) - 'recipient'
     and new.recipient = private.blank_recipient(old.recipient) then
    return new;
  end if;
  raise sqlstate 'PT403' using message = format('rows of %s are never changed or deleted', tg_table_name);
end $$;
create trigger invoices_never_change before update or delete on private.invoices
  for each row execute function private.guard_invoice();

create function private.blank_invoices() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.invoices i set recipient = private.blank_recipient(i.recipient)
  where i.total_paise < 5000000 and i.order_id in (select o.id from private.orders_of_person(new.customer_id) o);
  return null;
end $$;

create function private.document_number(prefix text, year smallint, serial integer) returns text
language sql immutable set search_path = '' as $$
  select format('%s/%s-%s/%s', prefix, lpad((year % 100)::text, 2, '0'), lpad(((year + 1) % 100)::text, 2, '0'),
                case when serial < 100000 then lpad(serial::text, 5, '0') else serial::text end);
$$;

create function private.take_numbers(series text, year smallint, many integer) returns integer
language sql set search_path = '' as $$
  insert into private.document_numbers as n (series, year, last) values (take_numbers.series, take_numbers.year, many)
  on conflict on constraint document_numbers_pkey do update set last = n.last + many
  returning last - many;
$$;

create function private.add_to_gst_months(series text, months date[], lines jsonb[]) returns void
language sql set search_path = '' as $$
  insert into private.document_months as m (month, series, documents)
  select d.month, add_to_gst_months.series, count(*) from unnest(months) d (month) group by d.month order by d.month
  on conflict on constraint document_months_pkey do update set documents = m.documents + excluded.documents;

  insert into private.gst_months as g (month, series, hsn, gst_percent, kilograms, pieces, taxable_paise, cgst_paise, sgst_paise, igst_paise)
  select d.month, add_to_gst_months.series, l.hsn, l.gst_percent,
         coalesce(sum(l.quantity) filter (where l.unit = 'kg'), 0), coalesce(sum(l.quantity) filter (where l.unit = 'nos'), 0),
         sum(l.taxable_paise), sum(l.cgst_paise), sum(l.sgst_paise), sum(l.igst_paise)
  from unnest(months, add_to_gst_months.lines) d (month, lines),
       jsonb_to_recordset(d.lines) as l (hsn text, gst_percent numeric, quantity numeric, unit text, taxable_paise bigint,
                                         cgst_paise bigint, sgst_paise bigint, igst_paise bigint)
  group by d.month, l.hsn, l.gst_percent
  order by d.month, l.hsn, l.gst_percent
  on conflict on constraint gst_months_pkey do update
  set kilograms = g.kilograms + excluded.kilograms, pieces = g.pieces + excluded.pieces,
      taxable_paise = g.taxable_paise + excluded.taxable_paise, cgst_paise = g.cgst_paise + excluded.cgst_paise,
      sgst_paise = g.sgst_paise + excluded.sgst_paise, igst_paise = g.igst_paise + excluded.igst_paise;
$$;

create function private.supplier_facts() returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'name', s.name, 'legal_name', coalesce(nullif(s.legal_name, ''), s.name), 'address', s.address,
    'state_code', c.code, 'state', coalesce(g.name, s.state), 'has_assembly', coalesce(g.has_assembly, true),
    'gstin', s.gstin, 'fssai_number', s.fssai_number, 'email', s.email, 'phone', s.whatsapp_number)
  from public.shop_settings s
  cross join lateral (
    select coalesce((select r.code from private.gst_states r where s.gstin <> '' and r.code = left(s.gstin, 2)),
                    private.state_code(s.state, substring(s.address from '[1-9][0-9]{5}'))) as code
  ) c
  left join private.gst_states g on g.code = c.code;
$$;

create function private.invoice_lines(order_ids uuid[], tax_kinds text[]) returns table (
  order_id uuid, lines jsonb, taxable_paise bigint, cgst_paise bigint, sgst_paise bigint, igst_paise bigint)
language sql stable set search_path = '' set jit = off as $$
  with sold as (
    select o.id, o.tax * 100 as tax, o.shipping_charge * 100 as shipping, u.kind
    from unnest(order_ids, tax_kinds) u (id, kind) join public.orders o on o.id = u.id
  ), goods as (
    select s.id as order_id, s.tax, s.shipping, s.kind, i.id as place, i.hsn, i.gst_percent,
           i.product_name || case when i.has_size then format(', %s × %s', i.quantity, case i.size when 1000 then '1 kg' else '500 g' end) else '' end as description,
           case when i.has_size then i.size * i.quantity / 1000.0 else i.quantity end::numeric(12, 1) as quantity,
           case when i.has_size then 'kg' else 'nos' end as unit,
           (i.unit_price * 100 * case when i.has_size then 2 else 1 end)::bigint as rate,
           i.unit_price * 100 * i.size / 500 * i.quantity as paise
    from sold s join public.order_items i on i.order_id = s.id
  ), charged as (
    -- By the tax of each line; where the rates say nothing of what was charged, by the price.
    select g.*, case when sum(t.tax) over (partition by g.order_id) > 0 then t.tax else g.paise end as share
    from goods g cross join lateral (select round(g.paise * g.gst_percent / 100) as tax) t
  ), shared as (
    select c.*, sum(c.share) over (partition by c.order_id order by c.place) as so_far, sum(c.share) over (partition by c.order_id) as whole
    from charged c
  ), delivered as (
    select k.*, round(k.shipping * k.so_far / k.whole) - round(k.shipping * (k.so_far - k.paise) / k.whole) as share
    from (
      select g.*, sum(g.paise) over (partition by g.order_id order by g.place) as so_far, sum(g.paise) over (partition by g.order_id) as whole
      from (select d.order_id, d.kind, d.shipping, d.hsn, d.gst_percent, sum(d.paise) as paise, min(d.place) as place
            from goods d where d.shipping > 0 group by d.order_id, d.kind, d.shipping, d.hsn, d.gst_percent) g
    ) k
  ), every_line as (
    select s.order_id, s.kind, 1 as part, s.place, s.description, s.hsn, s.gst_percent, s.quantity, s.unit, s.rate, s.paise as taxable,
           round(s.tax * s.so_far / s.whole) - round(s.tax * (s.so_far - s.share) / s.whole) as tax
    from shared s
    union all
    select d.order_id, d.kind, 2, d.place, 'Delivery', d.hsn, d.gst_percent, null, null, null, t.taxable, d.share - t.taxable
    from delivered d cross join lateral (select round(d.share * 100 / (100 + d.gst_percent)) as taxable) t
    where d.share > 0
  ), split as (
    select l.order_id, l.part, l.place, l.description, l.hsn, l.quantity, l.unit,
           case when l.kind <> 'none' then l.rate end as rate, case when l.kind <> 'none' then l.gst_percent else 0 end as gst_percent,
           (l.taxable + l.tax - 2 * t.half - t.whole)::bigint as taxable, t.half::bigint as half, t.whole::bigint as igst
    from every_line l
    cross join lateral (
      select case when l.kind = 'intra' then floor(l.tax / 2) else 0 end as half, case when l.kind = 'inter' then l.tax else 0 end as whole
    ) t
  )
  select s.order_id,
         jsonb_agg(jsonb_build_object(
           'description', s.description, 'hsn', s.hsn, 'quantity', s.quantity, 'unit', s.unit, 'rate_paise', s.rate,
           'gst_percent', s.gst_percent, 'taxable_paise', s.taxable, 'cgst_paise', s.half, 'sgst_paise', s.half,
           'igst_paise', s.igst) order by s.part, s.place),
         sum(s.taxable)::bigint, sum(s.half)::bigint, sum(s.half)::bigint, sum(s.igst)::bigint
  from split s group by s.order_id;
$$;

create function private.issue_invoices(order_ids uuid[], packed_at timestamptz[]) returns void
language plpgsql security definer set search_path = '' set jit = off as $$
declare
  shop constant jsonb := private.supplier_facts();
  supplier integer;
  years record;
  before integer;
  prefix constant text := (select s.prefix from private.document_series s where s.series = 'invoice');
begin
  if not exists (select from unnest(order_ids) u (id) where not exists (select from private.invoices i where i.order_id = u.id)) then
    return;
  end if;
  -- Without locking the row: whoever holds the numbers refers to it.
  insert into private.invoice_suppliers (facts) select shop
  where not exists (select from private.invoice_suppliers s where s.facts = shop)
  on conflict on constraint invoice_suppliers_facts_key do nothing;
  select s.id into supplier from private.invoice_suppliers s where s.facts = shop;

  for years in
    select private.financial_year(private.day_of(u.at)) as year, array_agg(u.id order by u.at, o.number) as ids,
           array_agg(u.at order by u.at, o.number) as moments, count(*)::integer as many
    from unnest(order_ids, packed_at) u (id, at) join public.orders o on o.id = u.id
    where not exists (select from private.invoices i where i.order_id = u.id)
    group by 1 order by 1
  loop
    before := private.take_numbers('invoice', years.year, years.many);
    -- Some at a time: nobody tells the planner how long an array is.
    for start in 0 .. years.many - 1 by 100 loop
      with packed as materialized (
        select o.id, u.at, before + start + u.place::integer as serial, p.place,
               jsonb_build_object('name', o.delivery_name, 'building_no', o.delivery_building_no, 'street', o.delivery_street,
                                  'city', o.delivery_city, 'state', o.delivery_state, 'zip', o.delivery_zip) as recipient,
               case when shop ->> 'gstin' = '' then 'none' when p.place = shop ->> 'state_code' then 'intra' else 'inter' end as kind
        from unnest(years.ids[start + 1:start + 100], years.moments[start + 1:start + 100]) with ordinality u (id, at, place)
        join public.orders o on o.id = u.id
        cross join lateral (
          select case when o.fulfilment = 'pickup' then shop ->> 'state_code'
                      else coalesce(private.state_code(o.delivery_state, o.delivery_zip), shop ->> 'state_code') end as place
        ) p
      ), written as materialized (
        select l.* from (select array_agg(p.id) as ids, array_agg(p.kind) as kinds from packed p) a,
               private.invoice_lines(a.ids, a.kinds) l
      )
      insert into private.invoices (order_id, year, serial, number, issued_at, supplier_id, recipient, place_code, tax_kind, lines,
                                    taxable_paise, cgst_paise, sgst_paise, igst_paise, total_paise)
      select w.order_id, years.year, p.serial, private.document_number(prefix, years.year, p.serial), p.at, supplier,
             p.recipient, p.place, p.kind, w.lines, w.taxable_paise, w.cgst_paise, w.sgst_paise, w.igst_paise,
             w.taxable_paise + w.cgst_paise + w.sgst_paise + w.igst_paise
      from packed p left join written w on w.order_id = p.id
      order by p.serial;
      perform private.add_to_gst_months('invoice', array_agg(date_trunc('month', private.day_of(i.issued_at))::date), array_agg(i.lines))
      from private.invoices i where i.year = years.year and i.serial > before + start;
    end loop;
  end loop;
  perform private.credit_earlier_refunds(order_ids);
end $$;

create function private.event_moment() returns timestamptz
language sql stable set search_path = '' as $$
  select coalesce(nullif(current_setting('shop.event_at', true), '')::timestamptz, now());
$$;

create function private.blank_recipient(recipient jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select recipient || '{"name": "Erased customer", "building_no": "", "street": ""}';
$$;

-- 12_documents/03_credit_notes.sql
create table private.credit_notes (
  id uuid primary key default gen_random_uuid(),
  invoice_id uuid not null references private.invoices (id),
  refund_id uuid unique references private.refunds (id),
  year smallint not null,
  serial integer not null,
  number text not null unique check (char_length(number) <= 16),
  issued_at timestamptz not null,
  lines jsonb not null,
  taxable_paise bigint not null,
  cgst_paise bigint not null,
  sgst_paise bigint not null check (sgst_paise = cgst_paise),
  igst_paise bigint not null,
  total_paise bigint not null check (total_paise > 0 and total_paise = taxable_paise + cgst_paise + sgst_paise + igst_paise),
  unique (year, serial)
);
create index credit_notes_invoice_idx on private.credit_notes (invoice_id);
create index credit_notes_issued_idx on private.credit_notes (issued_at, serial);
alter table private.credit_notes enable row level security;

create trigger credit_notes_never_change before update or delete on private.credit_notes
  for each row execute function private.refuse_change();
create trigger credit_notes_never_emptied before truncate on private.credit_notes
  for each statement execute function private.refuse_change();

create function private.credit_refund() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from private.refunds r where r.id = new.id and r.status = 'processed') then
    perform private.issue_credit_note(new.order_id, new.id, new.amount_paise, new.processed_at);
  end if;
  return null;
end $$;
create constraint trigger refunds_issue_note_at_once after insert on private.refunds deferrable initially deferred
  for each row when (new.order_id is not null and new.status = 'processed') execute function private.credit_refund();
create constraint trigger refunds_issue_note after update of status on private.refunds deferrable initially deferred
  for each row when (new.order_id is not null and new.status = 'processed' and old.status <> 'processed')
  execute function private.credit_refund();

create function private.credit_called_off_order() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.issue_credit_note(new.id, null, (new.total_amount * 100)::bigint, private.event_moment());
  return null;
end $$;
create constraint trigger orders_issue_note after update of status on public.orders deferrable initially deferred
  for each row when (new.status in ('canceled', 'Refunded') and old.status <> new.status and new.payment_id is null)
  execute function private.credit_called_off_order();

create function private.place_in_invoice(order_item_id bigint) returns bigint
language sql stable set search_path = '' as $$
  select count(*) from public.order_items n join public.order_items i on i.order_id = n.order_id and i.id <= n.id
  where n.id = place_in_invoice.order_item_id;
$$;

create function private.credited_so_far(invoice_id uuid) returns table (place bigint, taxable bigint, half bigint, igst bigint, paise bigint)
language sql stable set search_path = '' as $$
  select l.place, sum(l.taxable_paise)::bigint, sum(l.cgst_paise)::bigint, sum(l.igst_paise)::bigint,
         sum(l.taxable_paise + 2 * l.cgst_paise + l.igst_paise)::bigint
  from private.credit_notes n,
       jsonb_to_recordset(n.lines) as l (place bigint, taxable_paise bigint, cgst_paise bigint, igst_paise bigint)
  where n.invoice_id = credited_so_far.invoice_id
  group by l.place;
$$;

create function private.spoken_for(order_id uuid, besides uuid) returns table (place bigint, paise bigint)
language sql stable set search_path = '' as $$
  select private.place_in_invoice(r.order_item_id), sum(r.amount_paise)::bigint
  from private.refunds r
  where r.order_id = spoken_for.order_id and r.order_item_id is not null and r.status <> 'failed' and r.id is distinct from besides
    and not exists (select from private.credit_notes n where n.refund_id = r.id)
  group by 1;
$$;

create function private.refundable_lines(order_id uuid) returns table (order_item_id bigint, paise bigint)
language sql stable set search_path = '' as $$
  with sold as (
    select i.id as invoice_id, coalesce(i.lines, (select w.lines from private.invoice_lines(array[refundable_lines.order_id], array['none']) w)) as lines
    from (select refundable_lines.order_id as id) o left join private.invoices i on i.order_id = o.id
  )
  select n.id, greatest(l.paise - coalesce(c.paise, 0) - coalesce(f.paise, 0), 0)
  from sold s
  cross join (select i.id, row_number() over (order by i.id) as place from public.order_items i where i.order_id = refundable_lines.order_id) n
  cross join lateral (
    select x.taxable_paise + x.cgst_paise + x.sgst_paise + x.igst_paise as paise
    from jsonb_to_record(s.lines -> (n.place - 1)::integer) as x (taxable_paise bigint, cgst_paise bigint, sgst_paise bigint, igst_paise bigint)
  ) l
  left join private.credited_so_far(s.invoice_id) c on c.place = n.place
  left join private.spoken_for(refundable_lines.order_id, null) f on f.place = n.place
  order by n.id;
$$;

create function private.credited_lines(invoice private.invoices, amount_paise bigint, refund_id uuid, named bigint) returns jsonb
language sql stable set search_path = '' as $$
  with sold as (
    select l.place, (l.line ->> 'taxable_paise')::bigint as taxable, (l.line ->> 'cgst_paise')::bigint as half,
           (l.line ->> 'igst_paise')::bigint as igst
    from jsonb_array_elements(invoice.lines) with ordinality l (line, place)
  ), standing as (
    select s.*, w.whole, w.whole - g.credited as remaining, g.credited, g.half as half_given, g.igst as igst_given,
           s.taxable - g.taxable as taxable_left, greatest(w.whole - g.credited - coalesce(f.paise, 0), 0) as free
    from sold s
    cross join lateral (select s.taxable + 2 * s.half + s.igst as whole) w
    left join private.credited_so_far(invoice.id) v on v.place = s.place
    left join private.spoken_for(invoice.order_id, credited_lines.refund_id) f on f.place = s.place
    cross join lateral (
      select coalesce(v.taxable, 0) as taxable, coalesce(v.half, 0) as half, coalesce(v.igst, 0) as igst, coalesce(v.paise, 0) as credited
    ) g
  ), weighed as (
    -- What is called off takes all there is, spoken for or not.
    select t.*, case when t.place = named then least(amount_paise, t.remaining) else 0 end as first,
           case when t.place = named then 0 when sum(t.free) over () < amount_paise then t.remaining else t.free end as weight
    from standing t
  ), summed as (
    select w.*, amount_paise - sum(w.first) over () as rest, sum(w.weight) over (order by w.place) as so_far,
           nullif(sum(w.weight) over (), 0) as all_left
    from weighed w
  ), shared as (
    select s.*, s.first + coalesce(round(s.rest * s.so_far / s.all_left) - round(s.rest * (s.so_far - s.weight) / s.all_left), 0) as share
    from summed s
  ), shares as (
    select s.place, s.share, t.half, t.igst, s.share = s.remaining as is_last
    from shared s
    cross join lateral (
      -- What is due by now, as far as the share holds it; and what the taxable value has no room for.
      select greatest(least(round((s.credited + s.share) * s.half / s.whole) - s.half_given, floor(s.share / 2)),
                      case when s.half > 0 then ceil((s.share - s.taxable_left) / 2) else 0 end, 0)::bigint as half,
             greatest(least(round((s.credited + s.share) * s.igst / s.whole) - s.igst_given, s.share),
                      case when s.igst > 0 then s.share - s.taxable_left else 0 end, 0)::bigint as igst
    ) t
    where s.share > 0
  )
  -- Goods count as come back with the last of what was paid for them.
  select jsonb_agg(
    (l.line - 'rate_paise') || jsonb_build_object('place', s.place, 'taxable_paise', (s.share - 2 * s.half - s.igst)::bigint,
                                                 'cgst_paise', s.half, 'sgst_paise', s.half, 'igst_paise', s.igst)
      || case when s.is_last then '{}' else '{"quantity": null}'::jsonb end order by s.place)
  from shares s join jsonb_array_elements(invoice.lines) with ordinality l (line, place) on l.place = s.place;
$$;

create function private.issue_credit_note(order_id uuid, refund_id uuid, amount_paise bigint, at timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
declare
  invoice private.invoices;
  amount bigint;
  issued timestamptz;
  year smallint;
  serial integer;
  lines jsonb;
begin
  select * into invoice from private.invoices i where i.order_id = issue_credit_note.order_id for update;
  if invoice.id is null or exists (select from private.credit_notes n where n.refund_id = issue_credit_note.refund_id) then
    return;
  end if;
  amount := least(amount_paise, invoice.total_paise - coalesce(
    (select sum(n.total_paise) from private.credit_notes n where n.invoice_id = invoice.id), 0));
  if amount <= 0 then
    return;
  end if;
  issued := greatest(at, invoice.issued_at);
  year := private.financial_year(private.day_of(issued));
  lines := private.credited_lines(invoice, amount, refund_id, (
    select private.place_in_invoice(r.order_item_id) from private.refunds r where r.id = issue_credit_note.refund_id));
  serial := private.take_numbers('credit note', year, 1) + 1;
  insert into private.credit_notes (invoice_id, refund_id, year, serial, number, issued_at, lines,
                                    taxable_paise, cgst_paise, sgst_paise, igst_paise, total_paise)
  select invoice.id, issue_credit_note.refund_id, year, serial,
         private.document_number((select s.prefix from private.document_series s where s.series = 'credit note'), year, serial),
         issued, lines, sum(l.taxable_paise), sum(l.cgst_paise), sum(l.sgst_paise), sum(l.igst_paise), amount
  from jsonb_to_recordset(lines) as l (taxable_paise bigint, cgst_paise bigint, sgst_paise bigint, igst_paise bigint);
  perform private.add_to_gst_months('credit note', array[date_trunc('month', private.day_of(issued))::date], array[lines]);
end $$;

create function private.credit_earlier_refunds(order_ids uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
declare
  earlier record;
begin
  for earlier in
    select r.id, r.order_id, r.amount_paise, r.processed_at
    from private.refunds r join private.invoices i on i.order_id = r.order_id
    where r.order_id = any (order_ids) and r.status = 'processed'
      and not exists (select from private.credit_notes n where n.refund_id = r.id)
    order by greatest(r.processed_at, i.issued_at), r.created_at, r.id
  loop
    perform private.issue_credit_note(earlier.order_id, earlier.id, earlier.amount_paise, earlier.processed_at);
  end loop;
end $$;

-- 12_documents/04_reading.sql
create function private.invoice_document(told private.invoices) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'kind', 'invoice', 'id', told.id, 'number', told.number, 'issued_at', told.issued_at, 'order_number', o.number,
    'placed_at', o.created_at, 'is_collected', o.fulfilment = 'pickup', 'supplier', s.facts, 'recipient', told.recipient,
    'place_of_supply', private.state_named(told.place_code), 'tax_kind', told.tax_kind, 'lines', told.lines,
    'taxable_paise', told.taxable_paise, 'cgst_paise', told.cgst_paise, 'sgst_paise', told.sgst_paise,
    'igst_paise', told.igst_paise, 'total_paise', told.total_paise,
    'charged', jsonb_build_object(
      'sub_total_paise', (o.sub_total * 100)::bigint, 'tax_paise', (o.tax * 100)::bigint,
      'shipping_paise', (o.shipping_charge * 100)::bigint, 'shipping_tax_paise', private.order_shipping_tax(o)))
  from private.invoice_suppliers s, public.orders o where s.id = told.supplier_id and o.id = told.order_id;
$$;

create function private.credit_note_document(told private.credit_notes) returns jsonb
language sql stable set search_path = '' as $$
  select private.invoice_document(i) || jsonb_build_object(
    'kind', 'credit note', 'id', told.id, 'number', told.number, 'issued_at', told.issued_at,
    'invoice', jsonb_build_object('number', i.number, 'issued_at', i.issued_at), 'is_refund', told.refund_id is not null,
    'lines', told.lines, 'taxable_paise', told.taxable_paise, 'cgst_paise', told.cgst_paise, 'sgst_paise', told.sgst_paise,
    'igst_paise', told.igst_paise, 'total_paise', told.total_paise)
  from private.invoices i where i.id = told.invoice_id;
$$;

create function private.receipt_document(told public.orders) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'kind', 'receipt', 'number', told.number::text, 'issued_at', told.created_at, 'order_number', told.number,
    'placed_at', told.created_at, 'is_collected', told.fulfilment = 'pickup', 'supplier', private.supplier_facts(),
    'recipient', jsonb_build_object('name', told.delivery_name, 'building_no', told.delivery_building_no, 'street', told.delivery_street,
                                    'city', told.delivery_city, 'state', told.delivery_state, 'zip', told.delivery_zip),
    'payment_status', told.payment_status, 'is_canceled', told.status = 'canceled',
    'lines', (select jsonb_agg(jsonb_build_object(
        'description', i.product_name || case when i.has_size then format(', %s', case i.size when 1000 then '1 kg' else '500 g' end) else '' end,
        'quantity', i.quantity, 'rate_paise', (i.unit_price * 100 * i.size / 500)::bigint,
        'line_paise', (i.unit_price * 100 * i.size / 500 * i.quantity)::bigint) order by i.id)
      from public.order_items i where i.order_id = told.id),
    'sub_total_paise', (told.sub_total * 100)::bigint, 'tax_paise', (told.tax * 100)::bigint,
    'shipping_paise', (told.shipping_charge * 100)::bigint, 'shipping_tax_paise', private.order_shipping_tax(told),
    'total_paise', (told.total_amount * 100)::bigint);
$$;

create function public.read_document(asker uuid, order_id uuid, credit_note uuid default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  told public.orders;
begin
  select * into told from public.orders o where o.id = read_document.order_id;
  if told.id is null or asker is null or (told.user_id is distinct from asker
     and not exists (select from private.administrators a where a.user_id = asker)) then
    return null;
  elsif credit_note is not null then
    return (select private.credit_note_document(n) from private.credit_notes n join private.invoices i on i.id = n.invoice_id
            where n.id = read_document.credit_note and i.order_id = told.id);
  end if;
  return coalesce((select private.invoice_document(i) from private.invoices i where i.order_id = told.id),
                  private.receipt_document(told));
end $$;

create function public.read_documents(asker uuid, order_ids uuid[] default null, month date default null, after jsonb default null)
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 50;
  first_moment constant timestamptz := private.start_of(month);
  last_moment constant timestamptz := private.start_of((month + interval '1 month')::date);
  found jsonb;
begin
  if not exists (select from private.administrators a where a.user_id = asker) then
    return null;
  end if;
  select coalesce(jsonb_agg(f.document order by f.series, f.year, f.serial), '[]') into found
  from (
    select * from (
      (select 1 as series, i.year, i.serial, private.invoice_document(i) || jsonb_build_object('place', jsonb_build_array(1, i.year, i.serial)) as document
       from private.invoices i
       where (order_ids is null or i.order_id = any (order_ids))
         and (month is null or (i.issued_at >= first_moment and i.issued_at < last_moment))
         and (after is null or ((after ->> 0)::integer = 1 and (i.year, i.serial) > ((after ->> 1)::smallint, (after ->> 2)::integer)))
       order by i.year, i.serial limit page_size)
      union all
      (select 2, n.year, n.serial, private.credit_note_document(n) || jsonb_build_object('place', jsonb_build_array(2, n.year, n.serial))
       from private.credit_notes n
       where (order_ids is null or exists (select from private.invoices i where i.id = n.invoice_id and i.order_id = any (order_ids)))
         and (month is null or (n.issued_at >= first_moment and n.issued_at < last_moment))
         and (after is null or (after ->> 0)::integer = 1 or (n.year, n.serial) > ((after ->> 1)::smallint, (after ->> 2)::integer))
       order by n.year, n.serial limit page_size)
    ) both_series
    order by 1, 2, 3 limit page_size
  ) f;
  return jsonb_build_object('documents', found,
    'without_invoice', (select count(distinct u.id) from unnest(order_ids) u (id)
                        where not exists (select from private.invoices i where i.order_id = u.id)),
    'next', case when jsonb_array_length(found) = page_size then found -> -1 -> 'place' end);
end $$;

create function private.documents_of(order_ids uuid[]) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(to_jsonb(d) order by d.issued_at, d.number), '[]')
  from (
    select i.order_id, 'invoice' as kind, i.id, i.number, i.issued_at, i.total_paise
    from private.invoices i where i.order_id = any (order_ids)
    union all
    select i.order_id, 'credit note', n.id, n.number, n.issued_at, n.total_paise
    from private.invoices i join private.credit_notes n on n.invoice_id = i.id where i.order_id = any (order_ids)
  ) d;
$$;

create function public.my_documents(order_ids uuid[]) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.documents_of(array(select o.id from public.orders o where o.id = any (order_ids) and o.user_id = (select auth.uid())));
$$;

create function public.admin_read_documents(order_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return private.documents_of(array[order_id]);
end $$;

create function private.gst_of_months(first_month date, last_month date) returns jsonb
language sql stable set search_path = '' as $$
  with counted as (
    select m.month, coalesce(sum(m.documents) filter (where m.series = 'invoice'), 0) as invoices,
           coalesce(sum(m.documents) filter (where m.series = 'credit note'), 0) as credit_notes
    from private.document_months m where m.month between first_month and last_month group by m.month
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'month', to_char(c.month, 'YYYY-MM'), 'invoices', c.invoices, 'credit_notes', c.credit_notes,
    'rows', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'series', g.series, 'hsn', g.hsn, 'gst_percent', g.gst_percent, 'kilograms', g.kilograms, 'pieces', g.pieces,
        'taxable_paise', g.taxable_paise, 'cgst_paise', g.cgst_paise, 'sgst_paise', g.sgst_paise, 'igst_paise', g.igst_paise)
        order by g.hsn, g.gst_percent, g.series desc), '[]')
      from private.gst_months g where g.month = c.month)) order by c.month), '[]')
  from counted c;
$$;

revoke execute on function
  public.read_document(uuid, uuid, uuid), public.read_documents(uuid, uuid[], date, jsonb)
  from public, anon, authenticated;
grant execute on function
  public.read_document(uuid, uuid, uuid), public.read_documents(uuid, uuid[], date, jsonb)
  to service_role;
revoke execute on function public.my_documents(uuid[]) from public, anon, authenticated;
grant execute on function public.my_documents(uuid[]) to authenticated, service_role;

-- 13_expenses/01_expenses.sql
create table public.expenses (
  id bigint generated by default as identity primary key,
  spent_on date not null,
  category text not null check (category in (
    'Ingredients', 'Packaging', 'Rent', 'Salaries', 'Electricity', 'Gas', 'Delivery', 'Marketing', 'Equipment', 'Fees', 'Other')),
  vendor_id bigint references public.vendors (id),
  description text not null default '' check (char_length(description) <= 300),
  amount numeric(12, 2) not null check (amount > 0) constraint expenses_amount_is_a_number check (amount <> 'NaN'),
  gst_amount numeric(12, 2) not null default 0 check (gst_amount >= 0 and gst_amount <= amount)
    constraint expenses_gst_amount_is_a_number check (gst_amount <> 'NaN'),
  payment_mode text not null check (payment_mode in ('Cash', 'UPI', 'Card', 'Bank transfer', 'Cheque')),
  receipt_path text check (char_length(receipt_path) <= 300),
  repeats text not null default 'never' check (repeats in ('never', 'weekly', 'monthly', 'quarterly', 'yearly')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  entry_id uuid unique,
  repeats_from date,
  next_due_on date,
  due_on date,
  follows_id bigint unique references public.expenses (id) on delete set null,
  check ((repeats = 'never') = (next_due_on is null))
);
comment on column public.expenses.entry_id is 'Made where it was typed: however often it is sent, it is one expense.';
comment on column public.expenses.repeats_from is 'The first day of the series: a rent of the 31st is due on 28 February and on 31 March again.';
comment on column public.expenses.next_due_on is 'When the next of the series is due; only the latest has one.';
comment on column public.expenses.due_on is 'The day of the series that this expense was entered for.';
comment on column public.expenses.follows_id is 'The one before it in its series.';
create index expenses_spent_idx on public.expenses (spent_on desc, id desc);
create index expenses_due_idx on public.expenses (next_due_on) where next_due_on is not null;
create index expenses_vendor_id_idx on public.expenses (vendor_id) where vendor_id is not null;
alter table public.expenses enable row level security;
revoke all on public.expenses from anon, authenticated;
grant select, insert, update, delete on public.expenses to authenticated;
grant all on public.expenses to service_role;
create policy "administrators only" on public.expenses
  for all to authenticated using ((select private.is_admin())) with check ((select private.is_admin()));

create trigger expenses_audit after insert or delete or update on public.expenses
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');
create trigger expenses_touch before update on public.expenses
  for each row execute function private.touch_updated_at();
create trigger expenses_require_admin before insert or delete or update on public.expenses
  for each statement when (current_user in ('anon', 'authenticated')) execute function private.require_admin_to_write();

create table private.month_closings (
  id bigint generated always as identity primary key,
  month date not null check (extract(day from month) = 1),
  figures jsonb not null,
  closed_at timestamptz not null,
  closed_by uuid,
  reopened_at timestamptz,
  reopened_by uuid,
  reopen_reason text check (char_length(reopen_reason) between 3 and 300)
);
create unique index month_closings_month_idx on private.month_closings (month) where reopened_at is null;
alter table private.month_closings enable row level security;

create trigger month_closings_audit after insert or update or delete on private.month_closings
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('month');

create function private.keep_repetition() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.repeats = 'never' then
    new.repeats_from := null;
    new.next_due_on := null;
    return new;
  end if;
  if tg_op = 'UPDATE' then
    if new.repeats <> old.repeats and exists (select from public.expenses e where e.follows_id = new.id) then
      perform private.refuse('A later expense of this series is the one that repeats.', 'repeats');
    end if;
    if new.next_due_on is not distinct from old.next_due_on
       and (new.repeats <> old.repeats or new.spent_on <> old.spent_on and old.spent_on = old.repeats_from) then
      new.repeats_from := null;
      new.next_due_on := null;
    end if;
  end if;
  new.repeats_from := coalesce(new.repeats_from, new.spent_on);
  new.next_due_on := coalesce(new.next_due_on, private.next_due(new.repeats_from, new.repeats, new.spent_on));
  return new;
end $$;
create trigger expenses_keep_repetition before insert or update on public.expenses
  for each row execute function private.keep_repetition();

create function private.guard_spent_on() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  today date := private.day_of(now());
begin
  if new.spent_on < date '2000-01-01' then
    perform private.refuse('Check the year.', 'spent_on');
  elsif new.spent_on > today + interval '1 year' then
    perform private.refuse('This is more than a year ahead. Check the year.', 'spent_on');
  elsif new.spent_on > today + 1 and new.due_on is null then
    perform private.refuse('This date is in the future. Enter only what is already paid.', 'spent_on');
  end if;
  return new;
end $$;
create trigger expenses_guard_insert before insert on public.expenses
  for each row execute function private.guard_spent_on();
create trigger expenses_guard_day before update of spent_on on public.expenses
  for each row when (new.spent_on is distinct from old.spent_on) execute function private.guard_spent_on();

create function private.take_back_repetition() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.expenses e
  set repeats = old.repeats, repeats_from = old.repeats_from, next_due_on = old.due_on
  where e.id = old.follows_id;
  return null;
end $$;
create trigger expenses_take_back_repetition after delete on public.expenses
  for each row when (old.repeats <> 'never' and old.follows_id is not null) execute function private.take_back_repetition();

create function private.guard_closed_month() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  closed date;
begin
  if tg_op = 'UPDATE' and (old.spent_on, old.category, old.vendor_id, old.description, old.amount, old.gst_amount, old.payment_mode)
     is not distinct from (new.spent_on, new.category, new.vendor_id, new.description, new.amount, new.gst_amount, new.payment_mode) then
    return new;
  end if;
  closed := case when tg_op <> 'INSERT' and private.is_closed(old.spent_on) then old.spent_on
                 when tg_op <> 'DELETE' and private.is_closed(new.spent_on) then new.spent_on end;
  if closed is not null then
    perform private.refuse(format('%s is closed. Reopen it first, or choose another date.', to_char(closed, 'FMMonth YYYY')), 'spent_on');
  end if;
  return coalesce(new, old);
end $$;
create trigger expenses_guard_closed before insert or update or delete on public.expenses
  for each row execute function private.guard_closed_month();

create function private.next_due(repeats_from date, repeats text, after date) returns date
language sql immutable set search_path = '' as $$
  with steps as (
    select case next_due.repeats when 'monthly' then 1 when 'quarterly' then 3 when 'yearly' then 12 end as months,
           (extract(year from after) - extract(year from repeats_from)) * 12
           + extract(month from after) - extract(month from repeats_from) as passed
  )
  select case
    when next_due.repeats = 'never' then null
    when after < repeats_from then repeats_from
    when next_due.repeats = 'weekly' then repeats_from + ((after - repeats_from) / 7 + 1) * 7
    else (select min(d.day) from (
            select (repeats_from + make_interval(months => (s.months * (floor(s.passed / s.months) + turn))::integer))::date as day
            from steps s, generate_series(0, 1) turn) d
          where d.day > after)
  end;
$$;

create function private.is_closed(day date) returns boolean
language sql stable set search_path = '' as $$
  select exists (select from private.month_closings c where c.month = private.month_of(day) and c.reopened_at is null);
$$;

create function private.due_expense(expense_id bigint, due_on date) returns public.expenses
language plpgsql set search_path = '' as $$
declare
  latest public.expenses;
begin
  select * into latest from public.expenses e where e.id = due_expense.expense_id for update;
  if latest.id is null then
    raise sqlstate 'PT404' using message = 'This expense was deleted by someone else.';
  end if;
  if latest.next_due_on is distinct from due_expense.due_on then
    raise sqlstate 'PT409' using message = 'Someone else already recorded or skipped this.', detail = 'stale';
  end if;
  return latest;
end $$;

create function private.read_due_entry(entry jsonb, latest public.expenses) returns public.expenses
language plpgsql stable set search_path = '' as $$
declare
  given constant jsonb := case when jsonb_typeof(entry) = 'object' then entry else '{}' end;
  field text;
begin
  if jsonb_typeof(entry) not in ('object', 'null') then
    perform private.refuse('This expense cannot be read.');
  end if;
  field := 'spent_on';
  latest.spent_on := coalesce((given ->> 'spent_on')::date, latest.next_due_on);
  field := 'vendor_id';
  latest.vendor_id := case when given ? 'vendor_id' then (given ->> 'vendor_id')::bigint else latest.vendor_id end;
  field := 'amount';
  latest.amount := coalesce((given ->> 'amount_paise')::bigint / 100.0, latest.amount);
  field := 'gst';
  latest.gst_amount := coalesce((given ->> 'gst_paise')::bigint / 100.0, latest.gst_amount);
  latest.category := coalesce(given ->> 'category', latest.category);
  latest.description := coalesce(given ->> 'description', latest.description);
  latest.payment_mode := coalesce(given ->> 'payment_mode', latest.payment_mode);
  latest.receipt_path := given ->> 'receipt_path';
  return latest;
exception when data_exception then
  perform private.refuse(case field when 'spent_on' then 'Choose a day of the calendar.' when 'vendor_id' then 'Vendor not found.'
                                    when 'amount' then 'Check the amount.' else 'Check the GST part.' end, field);
end $$;

-- 13_expenses/02_profit.sql
create table private.profit_days (
  day date primary key,
  orders integer not null,
  goods_paise bigint not null,
  tax_paise bigint not null,
  shipping_paise bigint not null,
  canceled_goods_paise bigint not null,
  canceled_tax_paise bigint not null,
  canceled_shipping_paise bigint not null,
  refunded_goods_paise bigint not null,
  refunded_tax_paise bigint not null,
  refunded_shipping_paise bigint not null,
  cost_paise bigint not null,
  cost_back_paise bigint not null,
  unknown_cost_lines integer not null,
  unknown_cost_goods_paise bigint not null,
  unknown_back_lines integer not null,
  unknown_back_goods_paise bigint not null,
  fee_paise bigint not null,
  unknown_fee_payments integer not null,
  unknown_fee_paid_paise bigint not null,
  wastage_paise bigint not null,
  unknown_wastage_moves integer not null,
  shipping_tax_paise bigint not null,
  canceled_shipping_tax_paise bigint not null,
  refunded_shipping_tax_paise bigint not null,
  fee_tax_paise bigint not null
);
alter table private.profit_days enable row level security;

create function private.forget_profit() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  case tg_table_name
    when 'orders' then
      perform private.forget_profit_day(new.created_at);
    when 'order_events' then
      perform private.forget_takings(new.order_id, new.created_at);
    when 'refunds' then
      perform private.forget_takings(new.order_id, new.created_at);
    when 'payments' then
      perform private.forget_profit_day(new.captured_at);
      if tg_op = 'UPDATE' then
        perform private.forget_profit_day(old.captured_at);
      end if;
    when 'stock_movements' then
      perform private.forget_profit_day(new.created_at);
    when 'placed_items' then
      perform private.forget_profit_day(o.created_at) from public.orders o where o.id = new.order_id;
      perform private.forget_profit_day(e.created_at) from public.order_events e where e.order_id = new.order_id and e.to_status = 'canceled';
    when 'product_costs' then
      perform private.forget_profit_day(d.at) from (
        select distinct on (private.day_of(m.created_at)) m.created_at as at from public.stock_movements m
        where m.product_id in (old.product_id, new.product_id) and m.reason = 'wastage'
          and m.created_at >= least(old.valid_from, new.valid_from)) d;
  end case;
  return null;
end $$;
create trigger orders_forget_profit after insert on public.orders
  for each row when (new.created_at < now() - interval '10 minutes') execute function private.forget_profit();
create trigger order_events_forget_profit after insert on public.order_events
  for each row when (new.to_status in ('canceled', 'Refunded') and new.created_at < now() - interval '10 minutes')
  execute function private.forget_profit();
create trigger refunds_forget_profit after insert on private.refunds
  for each row when (new.created_at < now() - interval '10 minutes') execute function private.forget_profit();
create trigger refunds_change_forgets_profit after update on private.refunds
  for each row when ((old.status = 'failed') <> (new.status = 'failed') or old.amount_paise <> new.amount_paise)
  execute function private.forget_profit();
create trigger payments_forget_profit after insert on private.payments
  for each row when (new.captured_at < now() - interval '10 minutes') execute function private.forget_profit();
create trigger payments_change_forgets_profit after update on private.payments
  for each row when ((old.captured_at, old.fee_paise, old.amount_paise) is distinct from (new.captured_at, new.fee_paise, new.amount_paise))
  execute function private.forget_profit();
create trigger stock_movements_forget_profit after insert on public.stock_movements
  for each row when (new.reason = 'wastage' and new.created_at < now() - interval '10 minutes') execute function private.forget_profit();
create trigger placed_items_forget_profit after update on private.placed_items
  for each row when (old.unit_cost is distinct from new.unit_cost) execute function private.forget_profit();
create trigger product_costs_forget_profit after insert or update or delete on private.product_costs
  for each row execute function private.forget_profit();

create function private.day_figures(first_day date, last_day date) returns setof private.profit_days
language plpgsql stable set search_path = '' set jit = off set random_page_cost = 1.1 as $$
declare
  is_registered constant boolean := private.is_registered();
begin
  -- Planned anew each time: a day and a year want different plans. A day's orders lie in memory: find them one by one.
  return query execute $query$
  with sold as (
    select (o.created_at at time zone 'Asia/Kolkata')::date as day, count(*) as orders, sum(o.sub_total) as goods,
           sum(o.tax) as tax, sum(o.shipping_charge) as shipping
    from public.orders o where o.created_at >= $1 and o.created_at < $2
    group by 1
  ), shipping_taxes as (
    select t.day, sum(private.shipping_tax_paise(t.shipping, t.hsn, t.gst_percent, t.goods)) as tax
    from (
      select (o.created_at at time zone 'Asia/Kolkata')::date as day, (o.shipping_charge * 100)::bigint as shipping,
             array_agg(i.hsn order by i.id) as hsn, array_agg(i.gst_percent order by i.id) as gst_percent,
             array_agg(i.unit_price * 100 * i.size / 500 * i.quantity order by i.id) as goods
      from public.orders o
      join public.order_items i on i.order_id = o.id
      left join private.invoices v on v.order_id = o.id
      where o.created_at >= $1 and o.created_at < $2 and o.shipping_charge > 0 and coalesce(v.tax_kind <> 'none', $5)
      group by o.id
    ) t
    group by t.day
  ), costs as (
    select (o.created_at at time zone 'Asia/Kolkata')::date as day, sum(i.unit_cost * i.size / 500 * i.quantity) as cost,
           count(*) filter (where i.unit_cost is null) as unknown_lines,
           sum(i.unit_price * i.size / 500 * i.quantity) filter (where i.unit_cost is null) as unknown_goods
    from public.orders o join private.placed_items i on i.order_id = o.id
    where o.created_at >= $1 and o.created_at < $2
    group by 1
  ), ended as (
    select e.order_id, e.to_status, e.created_at
    from public.order_events e
    where e.created_at >= $1 and e.created_at < $2 and e.to_status in ('canceled', 'Refunded')
  ), costs_back as (
    select (e.created_at at time zone 'Asia/Kolkata')::date as day, sum(i.unit_cost * i.size / 500 * i.quantity) as cost,
           count(*) filter (where i.unit_cost is null) as unknown_lines,
           sum(i.unit_price * i.size / 500 * i.quantity) filter (where i.unit_cost is null) as unknown_goods
    from ended e join private.placed_items i on i.order_id = e.order_id
    where e.to_status = 'canceled'
    group by 1
  ), touched as (
    select e.order_id from ended e
    union
    select r.order_id from private.refunds r
    where r.created_at >= $1 and r.created_at < $2 and r.order_id is not null and r.status <> 'failed'
  ), endings as (
    select t.order_id, e.to_status, e.created_at
    from touched t left join public.order_events e on e.order_id = t.order_id and e.to_status in ('canceled', 'Refunded')
  ), takings as ( -- each with what had been given back when it was over
    select e.order_id, r.created_at as at, false as by_cancel,
           sum(r.amount_paise) over (partition by e.order_id order by r.created_at, r.id) as upto
    from endings e join private.refunds r on r.order_id = e.order_id
    where r.status <> 'failed' and (e.created_at is null or r.created_at < e.created_at)
    union all
    select e.order_id, e.created_at, e.to_status = 'canceled', null
    from endings e where e.created_at is not null
  ), parts as (
    select t.order_id, t.at, t.by_cancel, p.goods, x.upto, least(x.upto, p.goods + p.tax) as upto_taxed,
           round(least(x.upto, p.goods + p.tax) * p.goods / (p.goods + p.tax)) as upto_goods,
           case when p.shipping > 0 then round(greatest(x.upto - p.goods - p.tax, 0) * private.order_shipping_tax(o) / p.shipping)
                else 0 end as upto_shipping_tax
    from takings t
    join public.orders o on o.id = t.order_id
    cross join lateral (select o.sub_total * 100 as goods, o.tax * 100 as tax, o.shipping_charge * 100 as shipping,
                               o.total_amount * 100 as total) p
    cross join lateral (select least(coalesce(t.upto, p.total), p.total) as upto) x
  ), steps as (
    select p.at, p.by_cancel,
           p.upto_goods - lag(p.upto_goods, 1, 0) over by_order as goods,
           (p.upto_taxed - p.upto_goods) - lag(p.upto_taxed - p.upto_goods, 1, 0) over by_order as tax,
           (p.upto - p.upto_taxed) - lag(p.upto - p.upto_taxed, 1, 0) over by_order as shipping,
           p.upto_shipping_tax - lag(p.upto_shipping_tax, 1, 0) over by_order as shipping_tax
    from parts p
    window by_order as (partition by p.order_id order by p.upto, p.at)
  ), taken as (
    select (t.at at time zone 'Asia/Kolkata')::date as day,
           sum(t.goods) filter (where t.by_cancel) as canceled_goods, sum(t.tax) filter (where t.by_cancel) as canceled_tax,
           sum(t.shipping) filter (where t.by_cancel) as canceled_shipping,
           sum(t.goods) filter (where not t.by_cancel) as refunded_goods, sum(t.tax) filter (where not t.by_cancel) as refunded_tax,
           sum(t.shipping) filter (where not t.by_cancel) as refunded_shipping,
           sum(t.shipping_tax) filter (where t.by_cancel) as canceled_shipping_tax,
           sum(t.shipping_tax) filter (where not t.by_cancel) as refunded_shipping_tax
    from steps t
    group by 1
  ), fees as (
    select (p.captured_at at time zone 'Asia/Kolkata')::date as day, sum(p.fee_paise) as fee,
           sum(case when $5 then private.fee_tax_paise(p.fee_paise) else 0 end) as tax,
           count(*) filter (where p.fee_paise is null) as unknown_payments,
           sum(p.amount_paise) filter (where p.fee_paise is null) as unknown_paid
    from private.payments p where p.captured_at >= $1 and p.captured_at < $2
    group by 1
  ), wasted as (
    select (m.created_at at time zone 'Asia/Kolkata')::date as day,
           sum(round(c.unit_cost * 100 * -m.quantity / case when p."hasSize" then 500 else 1 end)) as cost,
           sum(-sign(m.quantity)) filter (where c.unit_cost is null) as unknown_moves
    from public.stock_movements m join public."Products" p on p."Id" = m.product_id
    left join public.stock_movements u on u.id = m.undoes
    cross join lateral (select private.unit_cost_at(m.product_id, coalesce(u.created_at, m.created_at)) as unit_cost) c
    where m.created_at >= $1 and m.created_at < $2 and m.reason = 'wastage'
    group by 1
  )
  select d::date, coalesce(sold.orders, 0)::integer,
         coalesce(sold.goods * 100, 0)::bigint, coalesce(sold.tax * 100, 0)::bigint, coalesce(sold.shipping * 100, 0)::bigint,
         coalesce(t.canceled_goods, 0)::bigint, coalesce(t.canceled_tax, 0)::bigint, coalesce(t.canceled_shipping, 0)::bigint,
         coalesce(t.refunded_goods, 0)::bigint, coalesce(t.refunded_tax, 0)::bigint, coalesce(t.refunded_shipping, 0)::bigint,
         coalesce(c.cost * 100, 0)::bigint, coalesce(b.cost * 100, 0)::bigint,
         coalesce(c.unknown_lines, 0)::integer, coalesce(c.unknown_goods * 100, 0)::bigint,
         coalesce(b.unknown_lines, 0)::integer, coalesce(b.unknown_goods * 100, 0)::bigint,
         coalesce(f.fee, 0)::bigint, coalesce(f.unknown_payments, 0)::integer, coalesce(f.unknown_paid, 0)::bigint,
         coalesce(w.cost, 0)::bigint, coalesce(w.unknown_moves, 0)::integer,
         coalesce(s.tax, 0)::bigint, coalesce(t.canceled_shipping_tax, 0)::bigint, coalesce(t.refunded_shipping_tax, 0)::bigint,
         coalesce(f.tax, 0)::bigint
  from generate_series($3::timestamp, $4::timestamp, interval '1 day') d
  left join sold on sold.day = d::date
  left join shipping_taxes s on s.day = d::date
  left join costs c on c.day = d::date
  left join costs_back b on b.day = d::date
  left join taken t on t.day = d::date
  left join fees f on f.day = d::date
  left join wasted w on w.day = d::date
  $query$ using private.start_of(first_day), private.start_of(last_day + 1), first_day, last_day, is_registered;
end $$;

create function private.unkept_days(first_day date, last_day date) returns setof daterange
language sql stable set search_path = '' as $$
  select daterange(min(m.day), max(m.day), '[]')
  from (
    select d::date as day, d::date - (row_number() over (order by d))::integer as run
    from generate_series(first_day::timestamp, last_day::timestamp, interval '1 day') d
    where not exists (select from private.profit_days k where k.day = d::date)
  ) m
  group by m.run;
$$;

create function private.keep_profit_days(first_day date, last_day date) returns void
language plpgsql set search_path = '' as $$
declare
  runs daterange[] := array(select private.unkept_days(first_day, least(last_day, private.last_kept_day(now()))));
begin
  -- Somebody else keeps them, or a change is under way: then they are only reckoned this time, and kept the next.
  if cardinality(runs) = 0 or not pg_try_advisory_xact_lock(private.sales_lock()) then
    return;
  end if;
  insert into private.profit_days
  select f.* from unnest(runs) r cross join lateral private.day_figures(lower(r), upper(r) - 1) f
  on conflict do nothing;
end $$;

create function private.forget_profit_day(at timestamptz) returns void
language plpgsql set search_path = '' as $$
begin
  perform pg_advisory_xact_lock_shared(private.sales_lock());
  delete from private.profit_days k where k.day = private.day_of(at);
end $$;

create function private.forget_takings(order_id uuid, since timestamptz) returns void
language plpgsql set search_path = '' as $$
begin
  perform pg_advisory_xact_lock_shared(private.sales_lock());
  delete from private.profit_days k where k.day in (
    select private.day_of(r.created_at) from private.refunds r
    where r.order_id = forget_takings.order_id and r.created_at >= since
    union all
    select private.day_of(e.created_at) from public.order_events e
    where e.order_id = forget_takings.order_id and e.to_status in ('canceled', 'Refunded') and e.created_at >= since);
end $$;

create function private.profit_and_loss(from_day date, to_day date) returns table (
  orders integer, goods_paise bigint, canceled_paise bigint, refunded_paise bigint, net_sales_paise bigint,
  cost_paise bigint, unknown_cost_lines integer, unknown_cost_goods_paise bigint, unknown_back_lines integer,
  unknown_back_goods_paise bigint, gross_profit_paise bigint,
  fee_paise bigint, unknown_fee_payments integer, unknown_fee_paid_paise bigint,
  shipping_paise bigint, courier_paise bigint, wastage_paise bigint, unknown_wastage_moves integer,
  expenses jsonb, expenses_paise bigint, profit_paise bigint, tax_collected_paise bigint, tax_spent_paise bigint,
  shipping_tax_paise bigint, fee_tax_paise bigint)
language plpgsql set search_path = '' as $$
begin
  perform private.keep_profit_days(from_day, to_day);
  return query
  with days as (
    select k.* from private.profit_days k where k.day between from_day and to_day
    union all
    select f.* from private.unkept_days(from_day, to_day) r cross join lateral private.day_figures(lower(r), upper(r) - 1) f
  ), sums as (
    select coalesce(sum(d.orders), 0) as orders, coalesce(sum(d.goods_paise), 0) as goods,
           coalesce(sum(d.canceled_goods_paise), 0) as canceled, coalesce(sum(d.refunded_goods_paise), 0) as refunded,
           coalesce(sum(d.cost_paise - d.cost_back_paise), 0) as cost,
           coalesce(sum(d.unknown_cost_lines), 0) as unknown_lines, coalesce(sum(d.unknown_cost_goods_paise), 0) as unknown_goods,
           coalesce(sum(d.unknown_back_lines), 0) as unknown_back_lines, coalesce(sum(d.unknown_back_goods_paise), 0) as unknown_back,
           coalesce(sum(d.fee_paise - d.fee_tax_paise), 0) as fee, coalesce(sum(d.fee_tax_paise), 0) as fee_tax, coalesce(sum(d.unknown_fee_payments), 0) as unknown_fees,
           coalesce(sum(d.unknown_fee_paid_paise), 0) as unknown_paid,
           coalesce(sum(d.shipping_paise - d.canceled_shipping_paise - d.refunded_shipping_paise), 0) as charged,
           coalesce(sum(d.shipping_tax_paise - d.canceled_shipping_tax_paise - d.refunded_shipping_tax_paise), 0) as shipping_tax,
           coalesce(sum(d.wastage_paise), 0) as wastage, coalesce(sum(d.unknown_wastage_moves), 0) as unknown_wastage,
           coalesce(sum(d.tax_paise - d.canceled_tax_paise - d.refunded_tax_paise), 0) as tax
    from days d
  ), categories as (
    select e.category, sum(e.amount - e.gst_amount) * 100 as spent, sum(e.gst_amount) * 100 as tax
    from public.expenses e where e.spent_on between from_day and to_day
    group by e.category
  ), spendings as (
    select coalesce(jsonb_object_agg(c.category, c.spent::bigint) filter (where c.category <> 'Delivery'), '{}') as by_category,
           coalesce(sum(c.spent) filter (where c.category <> 'Delivery'), 0) as spent,
           coalesce(sum(c.spent) filter (where c.category = 'Delivery'), 0) as couriers,
           coalesce(sum(c.tax), 0) as tax
    from categories c
  )
  select s.orders::integer, s.goods::bigint, s.canceled::bigint, s.refunded::bigint, n.net::bigint,
         s.cost::bigint, s.unknown_lines::integer, s.unknown_goods::bigint, s.unknown_back_lines::integer,
         s.unknown_back::bigint, (n.net - s.cost)::bigint,
         s.fee::bigint, s.unknown_fees::integer, s.unknown_paid::bigint,
         n.shipping::bigint, e.couriers::bigint, s.wastage::bigint, s.unknown_wastage::integer,
         e.by_category, e.spent::bigint,
         (n.net - s.cost - s.fee + n.shipping - e.couriers - s.wastage - e.spent)::bigint, s.tax::bigint, e.tax::bigint,
         s.shipping_tax::bigint, s.fee_tax::bigint
  from sums s cross join spendings e cross join lateral (select s.goods - s.canceled - s.refunded as net, s.charged - s.shipping_tax as shipping) n;
end $$;

create function public.keep_figures(at timestamptz default now()) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  last_day date := private.last_kept_day(at);
  first_day date := (private.financial_year_start(last_day) - interval '1 year')::date;
  month date;
  next_month date;
begin
  select date_trunc('month', max(d.day))::date into month
  from generate_series(first_day, last_day, interval '1 day') d (day)
  where not exists (select from private.sales_steps s where s.step = 'day' and s.starts_at = private.start_of(d.day::date))
     or not exists (select from private.profit_days p where p.day = d.day::date);
  if month is null then
    -- Hours are looked at on their own day, and on the days that later ones are compared with.
    delete from private.sales_steps s where s.step = 'hour' and s.starts_at < at - interval '400 days';
    perform private.keep_crowds();
    return private.keep_order_words(at);
  end if;
  next_month := (month + interval '1 month')::date;
  perform private.keep_steps('day', private.start_of(month), private.start_of(least(next_month, last_day + 1)));
  if next_month <= last_day + 1 then
    perform private.keep_steps('month', private.start_of(month), private.start_of(next_month));
  end if;
  perform private.keep_profit_days(month, least(next_month - 1, last_day));
  return true;
end $$;

create function private.first_financial_year(today date) returns integer
language sql stable set search_path = '' as $$
  select extract(year from private.financial_year_start(least(today,
    (select private.day_of(min(o.created_at)) from public.orders o),
    (select min(e.spent_on) from public.expenses e))))::integer;
$$;

create function private.add_statements(statements jsonb[]) returns jsonb
language sql immutable set search_path = '' as $$
  with lines as (
    select l.key, l.value from unnest(statements) s cross join lateral jsonb_each(s) l
  )
  select coalesce((select jsonb_object_agg(n.key, n.total) from (
           select l.key, sum((l.value #>> '{}')::bigint) as total from lines l where l.key <> 'expenses' group by l.key) n), '{}')
      || jsonb_build_object('expenses', coalesce((select jsonb_object_agg(c.key, c.total) from (
           select e.key, sum((e.value #>> '{}')::bigint) as total
           from lines l cross join lateral jsonb_each(l.value) e where l.key = 'expenses' group by e.key) c), '{}'));
$$;

create function private.bill_tax_paise(from_day date, to_day date) returns bigint
language sql stable set search_path = '' as $$
  select (coalesce(sum(b.gst), 0) * 100)::bigint from public.vendor_bills b
  where b.canceled_at is null and b.billed_on between from_day and to_day;
$$;

revoke execute on function public.keep_figures(timestamptz) from public, anon, authenticated;
grant execute on function public.keep_figures(timestamptz) to service_role;

-- 14_customers/01_figures.sql
create table private.customer_records (
  user_id uuid primary key references auth.users (id) on delete cascade,
  notes text not null default '',
  tags text[] not null default '{}',
  blocked_at timestamptz,
  blocked_reason text,
  updated_at timestamptz not null default now()
);
create index customer_records_tags_idx on private.customer_records using gin (tags);
create index customer_records_blocked_idx on private.customer_records (user_id) where blocked_at is not null;
alter table private.customer_records enable row level security;

create trigger customer_records_audit after insert or update or delete on private.customer_records
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('user_id');
create trigger customer_records_touch before update on private.customer_records
  for each row execute function private.touch_updated_at();
create trigger customer_records_record_block after insert or update of blocked_at on private.customer_records
  for each row execute function private.record_block();

create table private.customer_cards (
  user_id uuid primary key references auth.users (id) on delete cascade,
  name text not null,
  email text not null,
  phone text not null,
  city text not null,
  city_key text not null generated always as (lower(city)) stored,
  searchable text not null generated always as
    (lower(name || ' ' || email || ' ' || right(regexp_replace(phone, '[^0-9]', '', 'g'), 10))) stored
);
alter table private.customer_cards alter column searchable set statistics 500;
create index customer_cards_search_idx on private.customer_cards using gin (searchable extensions.gin_trgm_ops);
create index customer_cards_name_idx on private.customer_cards (lower(name), user_id);
create index customer_cards_email_idx on private.customer_cards (lower(email) text_pattern_ops);
create index customer_cards_prefix_idx on private.customer_cards (lower(name) text_pattern_ops);
create index customer_cards_city_idx on private.customer_cards (city_key, user_id);
alter table private.customer_cards enable row level security;

create table private.customer_figures (
  user_id uuid primary key references auth.users (id) on delete cascade,
  orders integer not null default 0,
  value_paise bigint not null default 0,
  last_order_at timestamptz not null default '-infinity'
);
create index customer_figures_orders_idx on private.customer_figures (orders, user_id);
create index customer_figures_value_idx on private.customer_figures (value_paise, user_id);
create index customer_figures_last_idx on private.customer_figures (last_order_at, user_id);
alter table private.customer_figures enable row level security;

create table private.customer_crowds (
  crowd text primary key,
  at_least integer not null
);
alter table private.customer_crowds enable row level security;

create view private.customer_facts with (security_invoker = true) as
  select u.id as user_id, left(private.person_name(u.id), 120) as name, left(coalesce(u.email, ''), 320) as email,
         coalesce(btrim(p.phone), '') as phone, coalesce(btrim(p.city), '') as city
  from auth.users u left join public.user_profiles p on p.user_id = u.id;

create function private.follow_account() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.keep_card(new.id);
  return null;
exception when others then
  raise warning 'no card for account %: %', new.id, sqlstate;
  return null;
end $$;
create trigger shop_follows_new_account after insert on auth.users
  for each row execute function private.follow_account();
create trigger shop_follows_account after update of email, raw_user_meta_data on auth.users
  for each row when ((old.email, old.raw_user_meta_data) is distinct from (new.email, new.raw_user_meta_data))
  execute function private.follow_account();

create function private.follow_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.keep_card(new.user_id);
  return null;
end $$;
create trigger user_profiles_keep_card after insert or update of phone, city on public.user_profiles
  for each row execute function private.follow_profile();

create function private.count_placed_order() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  stands integer := case when new.status <> 'canceled' then 1 else 0 end;
  paise bigint := private.order_worth(new.payment_status, new.total_amount);
begin
  -- What add_to_figures() does, without the call: this is on the way of every order.
  update private.customer_figures f
  set orders = f.orders + stands, value_paise = f.value_paise + paise,
      last_order_at = case when stands = 1 and new.created_at > f.last_order_at then new.created_at else f.last_order_at end
  where f.user_id = new.user_id;
  if not found then
    perform private.add_to_figures(new.user_id, stands, paise, case when stands = 1 then new.created_at end);
  end if;
  return null;
end $$;
create constraint trigger orders_count_placed after insert on public.orders deferrable initially deferred
  for each row when (new.user_id is not null) execute function private.count_placed_order();

create function private.count_moved_order() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  falls boolean := new.status = 'canceled' and old.status <> 'canceled';
begin
  if falls then
    perform from private.customer_figures f where f.user_id = new.user_id for update;
  end if;
  perform private.add_to_figures(
    new.user_id, case when falls then -1 else 0 end,
    private.order_worth(new.payment_status, new.total_amount)
      - private.order_worth(old.payment_status, old.total_amount), null);
  -- A statement of its own, after the lock: it sees every order that was counted before.
  if falls then
    update private.customer_figures f
    set last_order_at = coalesce((select max(o.created_at) from public.orders o
                                  where o.user_id = new.user_id and o.status <> 'canceled'), '-infinity')
    where f.user_id = new.user_id and f.last_order_at = new.created_at;
  end if;
  return null;
end $$;
create constraint trigger orders_count_moved after update of status, payment_status on public.orders deferrable initially deferred
  for each row when (new.user_id is not null and (
    (old.status <> 'canceled' and new.status = 'canceled') or (old.payment_status = 'unpaid') <> (new.payment_status = 'unpaid')))
  execute function private.count_moved_order();

create function private.count_refund() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  customer uuid;
  change bigint := case when new.status <> 'failed' then -new.amount_paise else 0 end
    - case when tg_op = 'UPDATE' and old.status <> 'failed' then -old.amount_paise else 0 end;
begin
  select o.user_id into customer from public.orders o where o.id = new.order_id;
  if customer is not null and change <> 0 then
    perform private.add_to_figures(customer, 0, change, null);
  end if;
  return null;
end $$;
create constraint trigger refunds_count_new after insert on private.refunds deferrable initially deferred
  for each row when (new.order_id is not null) execute function private.count_refund();
create constraint trigger refunds_count_moved after update of status, amount_paise on private.refunds deferrable initially deferred
  for each row when (new.order_id is not null and (old.status, old.amount_paise) is distinct from (new.status, new.amount_paise))
  execute function private.count_refund();

create function private.leave_crowds() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_table_name = 'customer_cards' then
    update private.customer_crowds c set at_least = c.at_least - l.people
    from (select 'in ' || g.city_key as crowd, count(*) as people from gone g group by g.city_key) l where c.crowd = l.crowd;
  else
    update private.customer_crowds c set at_least = c.at_least - l.people
    from (select w.crowd, count(*) as people from gone g
          cross join lateral (values ('everybody', true), ('ordered', g.last_order_at > '-infinity')) w (crowd, was_in)
          where w.was_in group by w.crowd) l
    where c.crowd = l.crowd;
  end if;
  return null;
end $$;
create trigger customer_cards_leave after delete on private.customer_cards
  referencing old table as gone for each statement execute function private.leave_crowds();
create trigger customer_figures_leave after delete on private.customer_figures
  referencing old table as gone for each statement execute function private.leave_crowds();

create function private.move_from_crowd() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.customer_crowds c set at_least = c.at_least - 1
  where c.crowd = coalesce('in ' || (to_jsonb(old) ->> 'city_key'), 'ordered');
  return null;
end $$;
create trigger customer_cards_move after update of city on private.customer_cards
  for each row when (old.city_key <> new.city_key) execute function private.move_from_crowd();
create trigger customer_figures_move after update of last_order_at on private.customer_figures
  for each row when (old.last_order_at > '-infinity' and new.last_order_at = '-infinity') execute function private.move_from_crowd();

create function private.keep_card(customer_id uuid) returns void
language sql set search_path = '' as $$
  insert into private.customer_cards as c (user_id, name, email, phone, city)
  select f.user_id, f.name, f.email, f.phone, f.city from private.customer_facts f where f.user_id = keep_card.customer_id
  on conflict (user_id) do update
  set name = excluded.name, email = excluded.email, phone = excluded.phone, city = excluded.city
  where (c.name, c.email, c.phone, c.city) is distinct from (excluded.name, excluded.email, excluded.phone, excluded.city);
  insert into private.customer_figures (user_id)
  select u.id from auth.users u where u.id = keep_card.customer_id
  on conflict do nothing;
$$;

create function private.order_worth(payment_status text, total_amount numeric) returns bigint
language sql immutable as $$
  select case when payment_status = 'unpaid' then 0 else (total_amount * 100)::bigint end;
$$;

create function private.add_to_figures(customer_id uuid, orders integer, paise bigint, placed_at timestamptz) returns void
language plpgsql set search_path = '' as $$
begin
  for attempt in 1..2 loop
    update private.customer_figures f
    set orders = f.orders + add_to_figures.orders, value_paise = f.value_paise + add_to_figures.paise,
        last_order_at = greatest(f.last_order_at, add_to_figures.placed_at)
    where f.user_id = add_to_figures.customer_id;
    exit when found;
    perform private.keep_card(add_to_figures.customer_id);
  end loop;
end $$;

create function private.keep_crowds(most integer default 10000) returns void
language plpgsql set search_path = '' as $$
begin
  -- Those who leave wait until this is done, or were taken off before it began.
  lock table private.customer_crowds in share row exclusive mode;
  delete from private.customer_crowds where true;
  insert into private.customer_crowds (crowd, at_least)
  select c.crowd, c.people
  from (select 'everybody' as crowd, count(*) as people from private.customer_figures
        union all
        select 'ordered', count(*) from private.customer_figures f where f.last_order_at > '-infinity'
        union all
        select 'in ' || c.city_key, count(*) from private.customer_cards c group by c.city_key) c
  where c.people > most;
end $$;

create function private.know_everybody() returns void
language sql set search_path = '' as $$
  delete from private.customer_cards where true;
  delete from private.customer_figures where true;
  insert into private.customer_cards (user_id, name, email, phone, city)
  select f.user_id, f.name, f.email, f.phone, f.city from private.customer_facts f;
  insert into private.customer_figures (user_id, orders, value_paise, last_order_at)
  select u.id, coalesce(o.orders, 0), coalesce(o.paise, 0) - coalesce(r.paise, 0), coalesce(o.last, '-infinity')
  from auth.users u
  left join (
    select user_id, count(*) filter (where status <> 'canceled') as orders,
           sum(private.order_worth(payment_status, total_amount)) as paise,
           max(created_at) filter (where status <> 'canceled') as last
    from public.orders group by user_id
  ) o on o.user_id = u.id
  left join (
    select o.user_id, sum(r.amount_paise) as paise
    from private.refunds r join public.orders o on o.id = r.order_id
    where r.status <> 'failed' group by o.user_id
  ) r on r.user_id = u.id;
$$;

-- 14_customers/02_erasure.sql
create table private.erasures (
  id bigint generated always as identity primary key,
  customer_id uuid not null,
  orders integer not null,
  erased_by uuid not null,
  erased_at timestamptz not null default now(),
  transaction_id xid8 not null unique default pg_current_xact_id()
);
alter table private.erasures enable row level security;

create trigger erasures_never_change before update or delete on private.erasures
  for each row execute function private.refuse_change();
create trigger erasures_never_emptied before truncate on private.erasures
  for each statement execute function private.refuse_change();
create trigger erasures_audit after insert on private.erasures
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');
create trigger erasures_blank_invoices after insert on private.erasures
  for each row execute function private.blank_invoices();

create function private.forget_customer() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person constant uuid := new.customer_id;
  ordered constant uuid[] := array(select o.id from private.orders_of_person(person) o);
  mail constant text := coalesce((select lower(u.email) from auth.users u where u.id = person), '');
begin
  update public.order_events e set public_note = '' where e.order_id = any (ordered) and e.public_note <> '';
  delete from private.order_event_actors a where a.actor_id = person;
  delete from private.order_notes n where n.order_id = any (ordered);
  update private.refunds r set note = '' where r.order_id = any (ordered) and r.note <> '';
  update private.refunds r set reason = 'other'
  where r.order_id = any (ordered)
    and r.reason not in ('order canceled', 'order refunded', 'sold-out', 'wrong-amount', 'second-payment', 'given-back');
  delete from private.outbox o
  where o.kind = 'mail' and (
    o.payload ->> 'user_id' = person::text
    or o.payload ->> 'order_id' = any (ordered::text[])
    or o.payload ->> 'refund_id' in (
      select r.id::text from private.refunds r join private.payments p on p.payment_id = r.payment_id
      where p.user_id = person or r.order_id = any (ordered)));
  delete from private.turns t where t.subject = person::text;

  delete from private.checkouts c
  where c.user_id = person and c.state <> 'paid'
    and not exists (select from private.payments p where p.provider_order_id = c.provider_order_id);
  update private.checkouts c
  set delivery_name = 'Erased customer', delivery_phone = '', delivery_building_no = '', delivery_street = ''
  where c.user_id = person;
  delete from private.quotes q
  where q.user_id = person and not exists (select from private.checkouts c where c.quote_id = q.id);
  update public.orders o
  set user_id = null, delivery_name = 'Erased customer', delivery_phone = '', delivery_building_no = '', delivery_street = '',
      tracking_number = null, tracking_url = null, cancel_reason = null
  where o.id = any (ordered);

  update public.audit_log l
  set before = private.black_out(l.before), after = private.black_out(l.after)
  where l.table_name <> 'erasures' and (
    l.row_id = any (person::text || ordered::text[])
    or coalesce(l.after, l.before) ->> 'order_id' = any (ordered::text[])
    or person::text in (coalesce(l.after, l.before) ->> 'user_id', coalesce(l.after, l.before) ->> 'customer_id')
    -- Mails that were sent again.
    or l.after -> 'payload' ->> 'order_id' = any (ordered::text[]) or l.after -> 'payload' ->> 'user_id' = person::text);

  -- Profile, reviews, subscriptions, records, card and figures go with the account; so do its identities and sessions.
  delete from public.comments c where c.user_id = person;
  if to_regclass('auth.refresh_tokens') is not null then
    execute 'delete from auth.refresh_tokens where user_id::text = $1' using person::text;
  end if;
  if to_regclass('auth.flow_state') is not null then
    execute 'delete from auth.flow_state where user_id = $1' using person;
  end if;
  if to_regclass('auth.audit_log_entries') is not null then
    execute 'delete from auth.audit_log_entries
             where position($1 in payload::text) > 0 or ($2 <> '''' and position($2 in lower(payload::text)) > 0)'
    using person::text, mail;
  end if;
  delete from auth.users u where u.id = person;
  return null;
end $$;
create trigger erasures_forget after insert on private.erasures
  for each row execute function private.forget_customer();

create function private.orders_of_person(customer_id uuid) returns setof public.orders
language sql stable set search_path = '' as $$
  select o.* from public.orders o where o.user_id = orders_of_person.customer_id
  union all
  select o.* from public.orders o
  join private.customer_cards c on c.user_id = orders_of_person.customer_id and c.phone <> ''
  where o.user_id is null and o.source = 'manual'
    and right(regexp_replace(o.delivery_phone, '\D', '', 'g'), 10) = right(regexp_replace(c.phone, '\D', '', 'g'), 10)
    and lower(btrim(o.delivery_name)) = lower(btrim(c.name));
$$;

create function private.erasure_hindrance(customer_id uuid) returns text
language sql stable set search_path = '' as $$
  select h.words from (
    select 1 as place, 'This is an administrator of the shop. Administrators cannot be erased.' as words
    from private.administrators a where a.user_id = erasure_hindrance.customer_id
    union all
    select 2, case when count(*) = 1 then format('Order %s is still %s. Finish or cancel it first.', min(o.number), lower(min(o.status)))
                   else format('Orders %s are still open. Finish or cancel them first.', string_agg(o.number::text, ', ' order by o.number)) end
    from private.orders_of_person(erasure_hindrance.customer_id) o
    where o.status not in ('Delivered', 'Collected', 'canceled', 'Refunded')
    having count(*) > 0
    union all
    select 3, format('The refund of order %s %s. Wait until the money is back with them.', o.number,
                     case o.payment_status when 'refund_failed' then 'failed' else 'is under way' end)
    from private.orders_of_person(erasure_hindrance.customer_id) o
    where o.payment_status in ('refund_pending', 'refund_failed')
       or exists (select from private.refunds r where r.order_id = o.id and r.status in ('queued', 'pending'))
    union all
    select 3, format('Order %s was cancelled and %s still has to be paid back offline. Record that refund first.', o.number, private.rupees(m.refundable_paise))
    from private.orders_of_person(erasure_hindrance.customer_id) o, private.order_money(o.id) m
    where o.status = 'canceled' and o.payment_status in ('paid_offline', 'partially_refunded') and m.refundable_paise > 0
    union all
    select 4, 'They have a refund in progress. Wait until it is complete.'
    from private.payments p join private.refunds r on r.payment_id = p.payment_id
    where p.user_id = erasure_hindrance.customer_id and r.status in ('queued', 'pending')
    union all
    select 5, 'They have a payment in progress. Wait until it becomes an order or a refund.'
    from private.payments p where p.user_id = erasure_hindrance.customer_id and p.status in ('created', 'authorized')
    union all
    -- Banks report payments late, and we ask for five days: until then it may still become an order to deliver.
    select 6, format('They began to pay on %s. That payment may still arrive until %s; erase them after that.',
                     to_char(c.created_at at time zone 'Asia/Kolkata', 'FMDD Mon YYYY'),
                     to_char((c.created_at + interval '5 days') at time zone 'Asia/Kolkata', 'FMDD Mon YYYY'))
    from private.checkouts c
    where c.user_id = erasure_hindrance.customer_id
      and (c.state = 'open' or c.held <> '{}' or (c.state <> 'paid' and c.provider_order_id is not null and c.next_check_at is not null))
  ) h order by h.place, h.words limit 1;
$$;

create function private.black_out(entry jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_object_agg(e.key, case
    when jsonb_typeof(e.value) in ('number', 'boolean', 'null') or e.value = '""' or e.key like '%\_at'
      or e.key in ('id', 'order_id', 'user_id', 'customer_id', 'product_id', 'payment_id', 'author_id', 'status', 'payment_status',
                   'source', 'fulfilment', 'canceled_goods', 'delivery_city', 'delivery_state', 'delivery_zip', 'delivery_by')
    then e.value else '"[erased]"' end)
  from jsonb_each(entry) e;
$$;

-- 15_figures/01_sales.sql
create table private.sales_steps (
  step text not null check (step in ('hour', 'day', 'month')),
  starts_at timestamptz not null,
  orders integer not null,
  canceled integer not null,
  sales_paise bigint not null,
  goods_paise bigint not null,
  cost_paise bigint not null,
  uncosted_paise bigint not null,
  refunds_paise bigint not null,
  primary key (step, starts_at)
);
alter table private.sales_steps enable row level security;

create table private.sales_step_products (
  step text not null,
  starts_at timestamptz not null,
  product_id bigint not null,
  grams bigint not null,
  pieces bigint not null,
  goods_paise bigint not null,
  primary key (step, starts_at, product_id),
  foreign key (step, starts_at) references private.sales_steps (step, starts_at) on delete cascade
);
alter table private.sales_step_products enable row level security;

create table private.sales_step_cities (
  step text not null,
  starts_at timestamptz not null,
  city text not null,
  orders integer not null,
  goods_paise bigint not null,
  primary key (step, starts_at, city),
  foreign key (step, starts_at) references private.sales_steps (step, starts_at) on delete cascade
);
alter table private.sales_step_cities enable row level security;

create table private.sales_spans (
  id bigint generated always as identity primary key,
  from_time timestamptz not null,
  to_time timestamptz not null,
  unique (from_time, to_time)
);
alter table private.sales_spans enable row level security;

create table private.sales_span_products (
  span_id bigint not null references private.sales_spans (id) on delete cascade,
  product_id bigint not null,
  grams bigint not null,
  pieces bigint not null,
  goods_paise bigint not null,
  primary key (span_id, product_id)
);
create index sales_span_products_best_idx on private.sales_span_products (span_id, goods_paise desc);
alter table private.sales_span_products enable row level security;

create table private.sales_span_categories (
  span_id bigint not null references private.sales_spans (id) on delete cascade,
  category text not null,
  goods_paise bigint not null,
  primary key (span_id, category)
);
alter table private.sales_span_categories enable row level security;

create table private.sales_span_cities (
  span_id bigint not null references private.sales_spans (id) on delete cascade,
  city text not null,
  orders integer not null,
  goods_paise bigint not null,
  primary key (span_id, city)
);
alter table private.sales_span_cities enable row level security;

create function private.follow_sales() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.forget_sales(new.created_at);
  return null;
end $$;
create trigger orders_follow_sales_placed after insert on public.orders
  for each row when (new.created_at < now() - interval '9 minutes') execute function private.follow_sales();
create trigger orders_follow_sales_canceled after update of status on public.orders
  for each row when ((old.status = 'canceled') <> (new.status = 'canceled') and new.created_at < now() - interval '9 minutes')
  execute function private.follow_sales();
create trigger orders_follow_sales_moved after update of delivery_city on public.orders
  for each row when (old.delivery_city <> new.delivery_city and new.created_at < now() - interval '9 minutes')
  execute function private.follow_sales();
create trigger refunds_follow_sales_decided after insert on private.refunds
  for each row when (new.created_at < now() - interval '9 minutes') execute function private.follow_sales();
create trigger refunds_follow_sales_failed after update of status on private.refunds
  for each row when ((old.status = 'failed') <> (new.status = 'failed') and new.created_at < now() - interval '9 minutes') execute function private.follow_sales();

create function private.follow_category() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock_shared(private.sales_lock());
  delete from private.sales_spans where true;
  return null;
end $$;
create trigger products_follow_category after update of "Category" on public."Products"
  for each row when (old."Category" <> new."Category") execute function private.follow_category();

create function private.step_of(step text, at timestamptz) returns timestamptz
language sql immutable as $$
  select date_trunc(step, at at time zone 'Asia/Kolkata') at time zone 'Asia/Kolkata';
$$;

create function private.add_up(step text, from_time timestamptz, to_time timestamptz) returns setof private.sales_steps
language sql stable as $$
  with placed as (
    select private.step_of(step, o.created_at) as starts_at, count(*) filter (where o.status <> 'canceled') as orders,
           count(*) filter (where o.status = 'canceled') as canceled,
           sum(o.total_amount) filter (where o.status <> 'canceled') as sales, sum(o.sub_total) filter (where o.status <> 'canceled') as goods
    from public.orders o
    where o.created_at >= from_time and o.created_at < to_time
    group by 1
  ), made as (
    select private.step_of(step, o.created_at) as starts_at, sum(p.unit_cost * p.size / 500 * p.quantity) as cost,
           sum(p.unit_price * p.size / 500 * p.quantity) filter (where p.unit_cost is null) as uncosted
    from public.orders o
    join public.order_items i on i.order_id = o.id
    join private.placed_items p on p.order_item_id = i.id
    where o.created_at >= from_time and o.created_at < to_time and o.status <> 'canceled'
    group by 1
  ), given_back as (
    select private.step_of(step, r.created_at) as starts_at, sum(r.amount_paise) as paise
    from private.refunds r
    where r.created_at >= from_time and r.created_at < to_time and r.status <> 'failed'
    group by 1
  )
  select step, starts_at, coalesce(s.orders, 0)::integer, coalesce(s.canceled, 0)::integer, coalesce(s.sales * 100, 0)::bigint,
         coalesce(s.goods * 100, 0)::bigint, coalesce(round(m.cost * 100), 0)::bigint, coalesce(m.uncosted * 100, 0)::bigint,
         coalesce(g.paise, 0)::bigint
  from placed s full join given_back g using (starts_at) left join made m using (starts_at);
$$;

create function private.add_up_products(step text, from_time timestamptz, to_time timestamptz) returns setof private.sales_step_products
language sql stable as $$
  select step, private.step_of(step, o.created_at), i.product_id,
         coalesce(sum(i.size * i.quantity) filter (where i.has_size), 0)::bigint,
         coalesce(sum(i.quantity) filter (where not i.has_size), 0)::bigint,
         sum(i.unit_price * i.size / 5 * i.quantity)::bigint
  from public.orders o join public.order_items i on i.order_id = o.id
  where o.created_at >= from_time and o.created_at < to_time and o.status <> 'canceled'
  group by 2, 3;
$$;

create function private.city_of(placed public.orders) returns text
language sql immutable as $$
  select case when placed.fulfilment = 'pickup' then 'Collected at the counter'
              else coalesce(nullif(initcap(btrim(placed.delivery_city)), ''), 'Not known') end;
$$;

create function private.add_up_cities(step text, from_time timestamptz, to_time timestamptz) returns setof private.sales_step_cities
language sql stable as $$
  select step, private.step_of(step, o.created_at), private.city_of(o), count(*)::integer, (sum(o.sub_total) * 100)::bigint
  from public.orders o
  where o.created_at >= from_time and o.created_at < to_time and o.status <> 'canceled'
  group by 2, 3;
$$;

create function private.sales_lock() returns bigint
language sql immutable set search_path = '' as $$ select 7640113::bigint $$;

create function private.forget_sales(at timestamptz) returns void
language plpgsql set search_path = '' as $$
begin
  perform pg_advisory_xact_lock_shared(private.sales_lock());
  delete from private.sales_steps s
  where (s.step, s.starts_at) in (values ('hour', private.step_of('hour', at)), ('day', private.step_of('day', at)),
                                         ('month', private.step_of('month', at)));
  delete from private.sales_spans s where s.from_time <= at and s.to_time > at;
end $$;

create function private.kept_until(step text, at timestamptz) returns timestamptz
language sql stable as $$
  select private.step_of(step, least(at, now()) - interval '10 minutes');
$$;

create function private.last_kept_day(at timestamptz) returns date
language sql stable as $$
  select private.day_of(private.kept_until('day', at)) - 1;
$$;

create function private.keep_steps(step text, from_time timestamptz, to_time timestamptz) returns void
language plpgsql set search_path = '' set plan_cache_mode = 'force_custom_plan' as $$
declare
  length interval := ('1 ' || step)::interval;
  from_local timestamp := from_time at time zone 'Asia/Kolkata';
  last_local timestamp := (to_time at time zone 'Asia/Kolkata') - length;
  missing record;
begin
  if not exists (
    select from generate_series(from_local, last_local, length) a (start)
    where not exists (select from private.sales_steps s where s.step = keep_steps.step and s.starts_at = a.start at time zone 'Asia/Kolkata')) then
    return;
  end if;
  perform pg_advisory_xact_lock(private.sales_lock());
  for missing in
    select min(m.start) at time zone 'Asia/Kolkata' as first, (max(m.start) + length) at time zone 'Asia/Kolkata' as last
    from (select a.start, a.place - row_number() over (order by a.place) as run
          from generate_series(from_local, last_local, length) with ordinality a (start, place)
          where not exists (select from private.sales_steps s where s.step = keep_steps.step and s.starts_at = a.start at time zone 'Asia/Kolkata')) m
    group by m.run
  loop
    insert into private.sales_steps
    select keep_steps.step, a.start at time zone 'Asia/Kolkata', coalesce(f.orders, 0), coalesce(f.canceled, 0), coalesce(f.sales_paise, 0),
           coalesce(f.goods_paise, 0), coalesce(f.cost_paise, 0), coalesce(f.uncosted_paise, 0), coalesce(f.refunds_paise, 0)
    from generate_series(missing.first at time zone 'Asia/Kolkata', (missing.last at time zone 'Asia/Kolkata') - length, length) a (start)
    left join private.add_up(keep_steps.step, missing.first, missing.last) f on f.starts_at = a.start at time zone 'Asia/Kolkata';
    if keep_steps.step <> 'day' then
      insert into private.sales_step_products select * from private.add_up_products(keep_steps.step, missing.first, missing.last);
      insert into private.sales_step_cities select * from private.add_up_cities(keep_steps.step, missing.first, missing.last);
    end if;
  end loop;
end $$;

create function private.keep_span(from_time timestamptz, to_time timestamptz) returns bigint
language plpgsql set search_path = '' set plan_cache_mode = 'force_custom_plan' as $$
declare
  kept bigint := (select s.id from private.sales_spans s where s.from_time = keep_span.from_time and s.to_time = keep_span.to_time);
  months_end timestamptz := case when from_time = private.step_of('month', from_time) then private.step_of('month', to_time) else from_time end;
begin
  if kept is not null then
    return kept;
  end if;
  perform private.keep_steps('month', from_time, months_end);
  perform pg_advisory_xact_lock(private.sales_lock());
  delete from private.sales_spans s where s.to_time < keep_span.to_time - interval '1 day';
  insert into private.sales_spans (from_time, to_time) values (keep_span.from_time, keep_span.to_time)
  on conflict do nothing returning id into kept;
  if kept is null then
    return (select s.id from private.sales_spans s where s.from_time = keep_span.from_time and s.to_time = keep_span.to_time);
  end if;
  insert into private.sales_span_products
  select kept, a.product_id, sum(a.grams), sum(a.pieces), sum(a.goods_paise)
  from (select m.* from private.sales_step_products m where m.step = 'month' and m.starts_at >= keep_span.from_time and m.starts_at < months_end
        union all
        select r.* from private.add_up_products('day', months_end, keep_span.to_time) r) a
  group by a.product_id;
  insert into private.sales_span_categories
  select kept, p."Category", sum(s.goods_paise)
  from private.sales_span_products s join public."Products" p on p."Id" = s.product_id where s.span_id = kept group by 2;
  insert into private.sales_span_cities
  select kept, a.city, sum(a.orders), sum(a.goods_paise)
  from (select m.* from private.sales_step_cities m where m.step = 'month' and m.starts_at >= keep_span.from_time and m.starts_at < months_end
        union all
        select r.* from private.add_up_cities('day', months_end, keep_span.to_time) r) a
  group by a.city;
  return kept;
end $$;

create function private.part_of_day(to_time timestamptz, now timestamptz) returns private.sales_steps
language plpgsql set search_path = '' set plan_cache_mode = 'force_custom_plan' as $$
declare
  day_start timestamptz := private.step_of('day', to_time);
  hours_end timestamptz := greatest(day_start, least(private.step_of('hour', to_time), private.kept_until('hour', now)));
  figures private.sales_steps;
begin
  perform private.keep_steps('hour', day_start, hours_end);
  select 'day', day_start, coalesce(sum(a.orders), 0), coalesce(sum(a.canceled), 0), coalesce(sum(a.sales_paise), 0),
         coalesce(sum(a.goods_paise), 0), coalesce(sum(a.cost_paise), 0), coalesce(sum(a.uncosted_paise), 0), coalesce(sum(a.refunds_paise), 0)
  into figures
  from (select s.* from private.sales_steps s where s.step = 'hour' and s.starts_at >= day_start and s.starts_at < hours_end
        union all
        select l.* from private.add_up('hour', hours_end, to_time) l) a;
  return figures;
end $$;

create function private.days_between(from_time timestamptz, to_time timestamptz, kept_end timestamptz) returns setof private.sales_steps
language sql stable as $$
  select s.* from private.sales_steps s where s.step = 'day' and s.starts_at >= from_time and s.starts_at < least(to_time, kept_end)
  union all
  select l.* from private.add_up('day', greatest(from_time, kept_end), to_time) l where kept_end < to_time;
$$;

create function private.sum_up(from_time timestamptz, part private.sales_steps, kept_end timestamptz) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'orders', sum(a.orders), 'canceled', sum(a.canceled), 'sales_paise', sum(a.sales_paise), 'goods_paise', sum(a.goods_paise),
    'cost_paise', sum(a.cost_paise), 'uncosted_paise', sum(a.uncosted_paise), 'refunds_paise', sum(a.refunds_paise))
  from (select d.* from private.days_between(from_time, part.starts_at, kept_end) d union all select part.*) a;
$$;

-- 15_figures/02_margins.sql
create table private.product_margins (
  product_id bigint primary key references public."Products" ("Id") on delete cascade,
  margin numeric not null constraint product_margins_margin_is_a_number check (margin <> 'NaN'),
  valid_until timestamptz
);
create index product_margins_idx on private.product_margins (margin, product_id);
create index product_margins_until_idx on private.product_margins (valid_until) where valid_until is not null;
alter table private.product_margins enable row level security;

create function private.follow_price() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.keep_margin(new."Id");
  return null;
end $$;
create trigger products_keep_margin after insert on public."Products"
  for each row execute function private.follow_price();
create trigger products_keep_margin_changed after update of "Price" on public."Products"
  for each row when (old."Price" <> new."Price") execute function private.follow_price();

create function private.follow_cost() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.keep_margin(case when tg_op = 'DELETE' then old.product_id else new.product_id end);
  return null;
end $$;
create trigger product_costs_keep_margin after insert or update or delete on private.product_costs
  for each row execute function private.follow_cost();

create function private.keep_margin(product_id bigint) returns void
language sql set search_path = '' as $$
  insert into private.product_margins (product_id, margin, valid_until)
  select p."Id", coalesce(1 - private.unit_cost_at(p."Id", now()) / p."Price", -1000000),
         (select min(c.valid_from) from private.product_costs c where c.product_id = p."Id" and c.valid_from > now())
  from public."Products" p where p."Id" = keep_margin.product_id
  on conflict on constraint product_margins_pkey do update set margin = excluded.margin, valid_until = excluded.valid_until;
$$;

-- 16_jobs/01_outbox.sql
create function private.urgency(kind text, payload jsonb) returns integer
language sql immutable as $$
  select case when kind <> 'mail' then 0 when payload ->> 'template' = 'back-in-stock' then 2 else 1 end;
$$;

create table private.outbox (
  id bigint generated always as identity primary key,
  kind text not null,
  key text not null unique,
  payload jsonb not null,
  run_after timestamptz not null default now(),
  attempts integer not null default 0,
  last_error text,
  done_at timestamptz,
  created_at timestamptz not null default now()
);
create index outbox_due_idx on private.outbox (run_after) where done_at is null;
create index outbox_order_idx on private.outbox ((payload ->> 'order_id')) where kind = 'mail' and payload ->> 'order_id' is not null;
create index outbox_refund_idx on private.outbox ((payload ->> 'refund_id')) where kind = 'mail' and payload ->> 'refund_id' is not null;
create index outbox_urgent_idx on private.outbox (private.urgency(kind, payload), run_after, id) where done_at is null;
alter table private.outbox enable row level security;

create trigger outbox_audit after insert on private.outbox
  for each row when (pg_trigger_depth() = 0 and new.key like 'mail:again:%') execute function private.record_change('id');

create function public.claim_jobs(site_url text, at timestamptz default now(), most integer default 20) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  lapsed integer := private.lapse_checkouts(at);
  checkouts jsonb;
  refunds jsonb;
  letters jsonb;
begin
  -- A lease that a crash takes away is handed out again.
  perform set_config('synchronous_commit', 'off', true);
  with due as (
    select c.id from private.checkouts c where c.next_check_at <= at order by c.next_check_at limit most for update skip locked
  ), claimed as (
    -- finish_check() says when to look again. Where the provider has no order there is nothing to ask it, nor to finish.
    update private.checkouts c
    set next_check_at = case when c.provider_order_id is not null then at + private.lease_time()
                             when c.created_at > at - interval '5 days' then at + private.check_pause(c.created_at, at) end
    from due where c.id = due.id
    returning c.provider_order_id
  )
  select coalesce(jsonb_agg(to_jsonb(k.provider_order_id)), '[]') into checkouts
  from claimed k where k.provider_order_id is not null;

  with due as (
    select r.id from private.refunds r where r.next_check_at <= at order by r.next_check_at limit most for update skip locked
  ), claimed as (
    update private.refunds r set next_check_at = at + interval '1 hour' from due where r.id = due.id
    returning r.id, r.provider_refund_id
  )
  select coalesce(jsonb_agg(to_jsonb(k)), '[]') into refunds from claimed k;

  select coalesce(jsonb_agg(jsonb_build_object(
    'id', k.id, 'kind', k.kind, 'key', k.key,
    'mail', case when k.kind = 'mail' then private.mail_content(k.payload, site_url) end,
    'refund', (select jsonb_build_object('id', r.id, 'payment_id', r.payment_id, 'amount_paise', r.amount_paise, 'reason', r.reason,
                                         'open', r.status = 'queued')
               from private.refunds r where k.kind = 'refund' and r.id = (k.payload ->> 'refund_id')::uuid)) order by k.id), '[]')
  into letters from private.lease_letters(at, most) k;

  return jsonb_build_object('lapsed', lapsed, 'checkouts', checkouts, 'refunds', refunds, 'outbox', letters);
end $$;

create function public.finish_check(provider_order_id text, at timestamptz default now(), is_clear boolean default true) returns void
language sql security definer set search_path = '' as $$
  update private.checkouts c
  set next_check_at = case
    when is_clear and c.order_id is not null then (
      select o.created_at + interval '30 minutes' from public.orders o
      where o.id = c.order_id and o.created_at + interval '30 minutes' > at)
    when c.created_at > at - interval '5 days' then at + private.check_pause(c.created_at, at) end
  where c.provider_order_id = finish_check.provider_order_id;
$$;

create function public.sweep(at timestamptz default now()) returns void
language sql security definer set search_path = '' as $$
  delete from private.checkouts c
  where c.state in ('lapsed', 'superseded') and c.created_at < at - interval '30 days'
    and not exists (select from private.payments p where p.provider_order_id = c.provider_order_id);
  delete from private.quotes q
  where q.expires_at < at - interval '1 hour' and not exists (select from private.checkouts c where c.quote_id = q.id);
  delete from private.payment_events e where e.received_at < at - interval '30 days';
  delete from private.outbox o where o.done_at < at - interval '30 days';
  delete from private.turns t where t.window_start < at - interval '1 day';
  select private.forget_unused_words();
$$;

create function public.finish_job(job_id bigint, note text default null, at timestamptz default now()) returns void
language sql security definer set search_path = '' as $$
  update private.outbox o set done_at = at, last_error = finish_job.note where o.id = job_id;
$$;

create function public.postpone_job(job_id bigint, problem text, at timestamptz default now()) returns void
language sql security definer set search_path = '' as $$
  update private.outbox o
  set last_error = left(problem, 500),
      done_at = case when o.kind = 'mail' and o.created_at < at - interval '3 days' then at end,
      run_after = at + private.retry_pause(o.attempts)
  where o.id = job_id and o.done_at is null;
$$;

create function private.lease_time() returns interval
language sql immutable as $$ select interval '30 seconds' $$;

create function private.check_pause(created_at timestamptz, at timestamptz) returns interval
language sql immutable as $$
  select case when created_at > at - interval '30 minutes' then interval '30 seconds' else interval '1 hour' end
$$;

create function private.retry_pause(attempts integer) returns interval
language sql immutable as $$
  select least(interval '15 seconds' * power(2, least(attempts, 12)), interval '6 hours')
$$;

create function public.renew_leases(job_ids bigint[], at timestamptz default now()) returns void
language sql security definer set search_path = '' as $$
  update private.outbox o set run_after = at + private.lease_time()
  where o.id = any (job_ids) and o.done_at is null and o.run_after < at + private.lease_time();
$$;

create function public.bound_due_times(at timestamptz default now()) returns void
language sql security definer set search_path = '' as $$
  -- Of a paid checkout: the second look, half an hour after the order.
  update private.checkouts c set next_check_at = at + p.pause
  from (select k.id, case when k.order_id is null then private.check_pause(k.created_at, at)
                          else greatest(interval '30 minutes', private.check_pause(k.created_at, at)) end as pause
        from private.checkouts k where k.next_check_at > at + interval '30 seconds' for update skip locked) p
  where c.id = p.id and c.next_check_at > at + p.pause;
  update private.checkouts c set reserved_until = at + private.hold_time()
  from (select k.id from private.checkouts k
        where (k.state = 'open' or k.held <> '{}') and k.reserved_until > at + private.hold_time() for update skip locked) p
  where c.id = p.id;
  update private.refunds r set next_check_at = at + interval '1 hour'
  from (select k.id from private.refunds k where k.next_check_at > at + interval '1 hour' for update skip locked) p
  where r.id = p.id;
  -- A job that was not tried yet keeps the delay it was made with; one that was is leased or postponed.
  update private.outbox o set run_after = at + p.pause
  from (select k.id, case when k.attempts = 0 then greatest(k.run_after - k.created_at, interval '0')
                          else private.retry_pause(k.attempts) end as pause
        from private.outbox k where k.done_at is null and k.run_after > at for update skip locked) p
  where o.id = p.id and o.run_after > at + p.pause;
  -- Prices are good for a quarter of an hour (private.price_orders).
  update private.quotes q set expires_at = at + interval '15 minutes'
  from (select k.id from private.quotes k where k.expires_at > at + interval '15 minutes' for update skip locked) p
  where q.id = p.id;
  -- A rate limit counts by windows that have begun; two nodes may differ a little.
  delete from private.turns t
  using (select k.action, k.subject, k.window_start from private.turns k
         where k.window_start > at + interval '1 minute' for update skip locked) p
  where (t.action, t.subject, t.window_start) = (p.action, p.subject, p.window_start);
$$;

create function private.lease_letters(at timestamptz, most integer) returns setof private.outbox
language plpgsql set search_path = '' set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
begin
  return query
    with due as (
      select o.id from private.outbox o where o.done_at is null and o.run_after <= at
      order by private.urgency(o.kind, o.payload), o.run_after, o.id limit most for update skip locked
    )
    update private.outbox o set run_after = at + private.lease_time(), attempts = o.attempts + 1 from due where o.id = due.id
    returning o.*;
end $$;

create function public.finish_jobs(calls jsonb) returns jsonb
language sql security definer set search_path = '' set lock_timeout = '250ms'
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  with finished as (
    update private.outbox o set done_at = p.at, last_error = p.note
    from jsonb_to_recordset(calls) as p (job_id bigint, note text, at timestamptz)
    where o.id = p.job_id
    returning o.id
  )
  select jsonb_agg(f.id is not null order by p.n)
  from jsonb_array_elements(calls) with ordinality as p (call, n)
  left join finished f on f.id = (p.call ->> 'job_id')::bigint;
$$;

revoke execute on function
  public.claim_jobs(text, timestamptz, integer), public.finish_check(text, timestamptz, boolean),
  public.sweep(timestamptz), public.finish_job(bigint, text, timestamptz),
  public.postpone_job(bigint, text, timestamptz), public.renew_leases(bigint[], timestamptz),
  public.bound_due_times(timestamptz), public.finish_jobs(jsonb)
  from public, anon, authenticated;
grant execute on function
  public.claim_jobs(text, timestamptz, integer), public.finish_check(text, timestamptz, boolean),
  public.sweep(timestamptz), public.finish_job(bigint, text, timestamptz),
  public.postpone_job(bigint, text, timestamptz), public.renew_leases(bigint[], timestamptz),
  public.bound_due_times(timestamptz), public.finish_jobs(jsonb)
  to service_role;

-- 16_jobs/02_emails.sql
create function private.queue_order_mail() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.outbox (kind, key, payload, run_after, created_at)
  select 'mail', 'mail:event:' || e.id, private.event_mail(e),
         -- Most events are of orders that customers place: no call for those.
         e.created_at + case when e.actor_role = 'administrator' then private.mail_delay(e) else interval '0' end, e.created_at
  from recorded e
  where e.created_at > now() - interval '1 day' and private.mail_of_status(e.to_status) is not null and e.undoes is null
    and (select o.user_id from public.orders o where o.id = e.order_id) is not null;
  if exists (select from recorded e where e.to_status = 'canceled') then
    -- Only mails with a delay that nobody has begun to send: a mail that is late for another reason is still due.
    delete from private.outbox o using recorded e
    where e.to_status = 'canceled' and o.kind = 'mail' and o.payload ->> 'order_id' = e.order_id::text
      and o.attempts = 0 and o.done_at is null and o.run_after > o.created_at;
  end if;
  return null;
end $$;
create trigger order_events_queue_mail after insert on public.order_events
  referencing new table as recorded for each statement execute function private.queue_order_mail();

create function private.mail_of_status(status text) returns text
language sql immutable as $$
  select case status
    when 'Pending' then 'order-placed' when 'Confirmed' then 'order-confirmed' when 'Shipped' then 'order-shipped'
    when 'Ready' then 'order-ready' when 'Delivered' then 'order-delivered' when 'Collected' then 'order-delivered'
    when 'canceled' then 'order-canceled' end;
$$;

create function private.event_mail(event public.order_events) returns jsonb
language sql stable as $$
  select jsonb_build_object('template', private.mail_of_status(event.to_status), 'order_id', event.order_id, 'actor', event.actor_role)
         || case when event.public_note <> '' then jsonb_build_object('note', event.public_note) else '{}' end;
$$;

create function private.mail_content(payload jsonb, site_url text) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  template text := payload ->> 'template';
  ordered public.orders;
  refund private.refunds;
  payment private.payments;
  product public."Products";
  reader uuid := (payload ->> 'user_id')::uuid;
  facts jsonb := jsonb_build_object('template', template);
  recipient jsonb;
begin
  if payload ? 'refund_id' then
    select * into refund from private.refunds r where r.id = (payload ->> 'refund_id')::uuid;
    select * into payment from private.payments p where p.payment_id = refund.payment_id;
  end if;
  select * into ordered from public.orders o where o.id = coalesce((payload ->> 'order_id')::uuid, payment.order_id);
  reader := coalesce(reader, ordered.user_id, payment.user_id);
  select jsonb_build_object('address', u.email, 'name', coalesce(nullif(btrim(m.data ->> 'full_name'), ''), nullif(btrim(m.data ->> 'name'), '')))
  into recipient
  from auth.users u cross join lateral (select private.metadata_of(u.raw_user_meta_data) as data) m
  where u.id = reader and u.email is not null;
  if recipient is null then
    return null;
  end if;

  if template = 'back-in-stock' then
    select * into product from public."Products" p
    where p."Id" = (payload ->> 'product_id')::bigint and p.is_listed and p.archived_at is null;
    if product."Id" is null then
      return null;
    end if;
    facts := facts || jsonb_build_object('name', recipient -> 'name', 'product', jsonb_build_object(
      'name', product."Name", 'url', site_url || '/product/' || product."Id",
      'imageUrl', case when product."Image" like '/%' then site_url || product."Image" else nullif(product."Image", '') end,
      'pricePaise', (product."Price" * 100)::bigint));
  else
    facts := facts || jsonb_build_object(
      'order', case when ordered.id is not null
                    then private.order_facts(ordered, payload ->> 'actor') || jsonb_build_object('note', payload -> 'note') end);
    if refund.id is not null then
      facts := facts || jsonb_build_object(
        'name', coalesce(recipient ->> 'name', ordered.delivery_name, 'Customer'), 'amountPaise', refund.amount_paise,
        'reason', case when refund.reason in ('sold-out', 'wrong-amount', 'second-payment') then refund.reason
                       when refund.reason = 'order canceled' then 'order-canceled'
                       when refund.reason = 'order refunded' then 'order-refunded' else 'other' end);
    end if;
  end if;
  return jsonb_build_object('to', recipient, 'facts', facts || jsonb_build_object('shop', (
    select jsonb_build_object('name', s.name, 'siteUrl', site_url, 'email', s.email, 'whatsapp', s.whatsapp_number, 'address', s.address,
                              'fssai', nullif(s.fssai_number, ''))
    from public.shop_settings s)));
exception when others then
  return jsonb_build_object('problem', sqlerrm);
end $$;

create function private.order_facts(told public.orders, actor text) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', told.id, 'number', told.number, 'placedAt', told.created_at, 'name', told.delivery_name, 'phone', told.delivery_phone,
    'items', (select jsonb_agg(jsonb_build_object(
                'name', i.product_name, 'quantity', i.quantity, 'sizeGrams', case when i.has_size then i.size end,
                'linePaise', (i.unit_price * 100 * i.size / 500 * i.quantity)::bigint) order by i.id)
              from public.order_items i where i.order_id = told.id),
    'subTotalPaise', (told.sub_total * 100)::bigint, 'taxPaise', (told.tax * 100)::bigint,
    'shippingPaise', (told.shipping_charge * 100)::bigint, 'shippingTaxPaise', private.order_shipping_tax(told),
    'totalPaise', (told.total_amount * 100)::bigint,
    'isPaid', told.payment_status <> 'unpaid', 'fulfilment', told.fulfilment,
    'address', case when told.fulfilment = 'delivery' then jsonb_build_object(
      'building', told.delivery_building_no, 'street', told.delivery_street, 'city', told.delivery_city,
      'state', told.delivery_state, 'zip', told.delivery_zip) end,
    'deliveryBy', told.delivery_by, 'courier', told.courier, 'trackingNumber', told.tracking_number,
    'trackingUrl', nullif(told.tracking_url, ''), 'cancelReason', told.cancel_reason,
    'canceledBy', case when told.status = 'canceled' then case actor when 'customer' then 'customer' else 'shop' end end);
$$;

create function private.order_mails(order_id uuid) returns table (key text, template text, payload jsonb, due_at timestamptz)
language sql stable set search_path = '' as $$
  select 'mail:event:' || e.id, private.mail_of_status(e.to_status), private.event_mail(e), e.created_at
  from public.order_events e
  where e.order_id = order_mails.order_id and private.mail_of_status(e.to_status) is not null
    and e.undoes is null and not exists (select from public.order_events u where u.undoes = e.id)
  union all
  select 'mail:refund-processed:' || r.id, 'refund-processed',
         jsonb_build_object('template', 'refund-processed', 'refund_id', r.id), r.processed_at
  from private.refunds r
  where r.order_id = order_mails.order_id and r.status = 'processed' and r.payment_id is not null;
$$;

create function private.order_mail_log(order_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  with queued as (
    select o.* from private.outbox o where o.kind = 'mail' and o.payload ->> 'order_id' = order_mail_log.order_id::text
    union all
    select o.* from private.refunds r
    join private.outbox o on o.kind = 'mail' and o.payload ->> 'refund_id' = r.id::text
    where r.order_id = order_mail_log.order_id
  ), sendings as (
    select coalesce(q.payload ->> 'again', q.key) as key, jsonb_agg(jsonb_build_object(
      'state', case when q.done_at is not null and q.last_error is null then 'sent'
                    when q.done_at is not null then 'given-up'
                    when q.last_error is not null then 'retrying' else 'queued' end,
      'queued_at', q.created_at, 'done_at', q.done_at, 'problem', q.last_error) order by q.id) as log
    from queued q group by 1
  )
  select coalesce(jsonb_agg(jsonb_build_object('key', m.key, 'template', m.template, 'due_at', m.due_at,
                                               'sendings', coalesce(s.log, '[]')) order by m.due_at, m.key), '[]')
  from private.order_mails(order_mail_log.order_id) m left join sendings s on s.key = m.key;
$$;

create function private.mail_delay(event public.order_events) returns interval
language sql stable set search_path = '' as $$
  select case when private.can_be_undone(event) then private.undo_time() else interval '0' end;
$$;

create function private.mails_of_event(event public.order_events) returns setof private.outbox
language sql stable set search_path = '' as $$
  select o.* from private.outbox o
  where o.kind = 'mail' and o.payload ->> 'order_id' = event.order_id::text
    and coalesce(o.payload ->> 'again', o.key) = 'mail:event:' || event.id;
$$;

-- 16_jobs/03_schedule.sql
create function private.secret_of_jobs(secret_name text) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  found text;
begin
  execute 'select max(s.decrypted_secret) from vault.decrypted_secrets s
           where s.name = $1 and s.decrypted_secret not like ''env(%'' and s.decrypted_secret <> ''''' into found using secret_name;
  return found;
end $$;

create function private.call_jobs() returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  project_url constant text := private.secret_of_jobs('project_url');
  jobs_secret constant text := private.secret_of_jobs('jobs_secret');
begin
  if project_url is null or project_url !~ '^https?://' or jobs_secret is null then
    return false;
  end if;
  -- Longer than a round takes; an answer that comes later is not kept.
  execute 'select net.http_post(url := $1, headers := $2, body := ''{}''::jsonb, timeout_milliseconds := 20000)'
  using rtrim(project_url, '/') || '/functions/v1/runJobs',
        jsonb_build_object('content-type', 'application/json', 'x-jobs-secret', jobs_secret);
  return true;
end $$;

create function private.schedule_jobs() returns text
language plpgsql security definer set search_path = '' as $$
declare
  how_often text := 'every 20 seconds';
  lacking text;
begin
  if to_regprocedure('cron.schedule(text, text, text)') is null
     or not exists (select from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
                    where n.nspname = 'net' and p.proname = 'http_post')
     or to_regclass('vault.decrypted_secrets') is null then
    return 'not scheduled: this needs pg_cron, pg_net and the vault';
  end if;
  begin
    -- As often as payments that nobody told us of are asked about.
    execute 'select cron.schedule($1, $2, $3)' using 'run-jobs', '20 seconds', 'select private.call_jobs()';
  exception when others then -- pg_cron before 1.5 knows minutes only
    execute 'select cron.schedule($1, $2, $3)' using 'run-jobs', '* * * * *', 'select private.call_jobs()';
    how_often := 'every minute';
  end;
  -- pg_cron notes every run, and forgets none by itself.
  execute 'select cron.schedule($1, $2, $3)' using 'forget-runs', '17 21 * * *',
    'delete from cron.job_run_details where end_time < now() - interval ''7 days''';
  select string_agg(needed, ' and ') into lacking
  from unnest(array['project_url', 'jobs_secret']) needed where private.secret_of_jobs(needed) is null;
  return how_often || coalesce(', but nothing is called yet: the vault lacks ' || lacking, '');
end $$;

create function public.queue_figures(at timestamptz default now()) returns jsonb
language sql stable security definer set search_path = '' as $$
  with open as (
    select o.kind as queue, o.run_after as due_at, o.attempts >= 3 as is_troubled from private.outbox o where o.done_at is null
    union all select 'payment-check', c.next_check_at, false from private.checkouts c where c.next_check_at is not null
    union all select 'refund-check', r.next_check_at, false from private.refunds r where r.next_check_at is not null
  ), queues as (
    select q.name, count(o.queue) as depth, count(*) filter (where o.is_troubled) as troubled,
           greatest(0, coalesce(extract(epoch from at - min(o.due_at)), 0)) as overdue
    from unnest(array['mail', 'refund', 'payment-check', 'refund-check']) as q (name)
    left join open o on o.queue = q.name group by q.name
  ), failed as (
    select from (
      select r.payment_id, r.amount_paise, r.status, coalesce(r.retry_of, r.id) as first_try,
             coalesce(sum(r.amount_paise) filter (where r.status = 'processed') over (
               partition by coalesce(r.retry_of, r.id) order by r.created_at, r.id
               rows between unbounded preceding and 1 preceding), 0) as returned_before
      from private.refunds r
    ) t
    left join private.payments p on p.payment_id = t.payment_id
    group by t.first_try
    having bool_or(t.status = 'failed') and not coalesce(bool_or(p.status = 'refunded'), false)
       and coalesce(sum(t.amount_paise) filter (where t.status = 'processed'), 0) < max(t.amount_paise + t.returned_before)
  )
  select jsonb_build_object(
    'depth', jsonb_object_agg(q.name, q.depth), 'overdue', jsonb_object_agg(q.name, q.overdue),
    'troubled', jsonb_object_agg(q.name, q.troubled), 'failed_refunds', (select count(*) from failed))
  from queues q;
$$;

create function public.count_orders() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_object_agg(s.status, s.orders), '{}')
  from (select o.status, count(*) as orders from public.orders o group by o.status) s;
$$;

revoke execute on function public.queue_figures(timestamptz), public.count_orders() from public, anon, authenticated;
grant execute on function public.queue_figures(timestamptz), public.count_orders() to service_role;

do $$
declare
  extension text;
begin
  foreach extension in array array['pg_cron', 'pg_net'] loop
    if exists (select from pg_available_extensions where name = extension) then
      begin
        -- pg_cron has a schema of its own.
        execute format('create extension if not exists %I', extension) || case extension when 'pg_net' then ' with schema extensions' else '' end;
      exception when others then -- not preloaded, or the role may not create it
        raise notice '% is not used: %', extension, sqlerrm;
      end;
    end if;
  end loop;
  raise notice 'jobs: %', private.schedule_jobs();
end $$;

-- 17_realtime/01_pages.sql
create table public.page_changes (
  id bigint generated by default as identity primary key,
  at timestamptz not null default now()
);
alter table public.page_changes enable row level security;
revoke all on public.page_changes from anon, authenticated;
grant select on public.page_changes to anon, authenticated;
grant all on public.page_changes to service_role;
create policy "everybody hears that pages changed" on public.page_changes for select to anon, authenticated using (true);

create function private.invalidate_pages_if_changed() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    if not exists (select from new_rows) then return null; end if;
  elsif tg_op = 'DELETE' then
    if not exists (select from old_rows) then return null; end if;
  elsif not exists (
    select to_jsonb(n) - 'updated_at' from new_rows n
    except
    select to_jsonb(o) - 'updated_at' from old_rows o
  ) then
    return null;
  end if;
  perform private.invalidate_pages();
  return null;
end $$;
create trigger product_pictures_invalidate_pages_insert after insert on public.product_pictures
  referencing new table as new_rows for each statement execute function private.invalidate_pages_if_changed();
create trigger product_pictures_invalidate_pages_update after update on public.product_pictures
  referencing old table as old_rows new table as new_rows
  for each statement execute function private.invalidate_pages_if_changed();
create trigger product_pictures_invalidate_pages_delete after delete on public.product_pictures
  referencing old table as old_rows for each statement execute function private.invalidate_pages_if_changed();
create trigger popular_products_invalidate_pages_insert after insert on private.popular_products
  referencing new table as new_rows for each statement execute function private.invalidate_pages_if_changed();
create trigger popular_products_invalidate_pages_delete after delete on private.popular_products
  referencing old table as old_rows for each statement execute function private.invalidate_pages_if_changed();
create trigger categories_invalidate_pages_insert after insert on public.categories
  referencing new table as new_rows for each statement execute function private.invalidate_pages_if_changed();
create trigger categories_invalidate_pages_update after update on public.categories
  referencing old table as old_rows new table as new_rows
  for each statement execute function private.invalidate_pages_if_changed();
create trigger categories_invalidate_pages_delete after delete on public.categories
  referencing old table as old_rows for each statement execute function private.invalidate_pages_if_changed();
create trigger products_invalidate_pages_insert after insert on public."Products" referencing new table as new_rows
  for each statement execute function private.invalidate_pages_if_changed();
create trigger products_invalidate_pages_update after update on public."Products" referencing old table as old_rows new table as new_rows
  for each statement execute function private.invalidate_pages_if_changed();
create trigger products_invalidate_pages_delete after delete on public."Products" referencing old table as old_rows
  for each statement execute function private.invalidate_pages_if_changed();
create trigger caurousel_invalidate_pages_insert after insert on public.caurousel referencing new table as new_rows
  for each statement execute function private.invalidate_pages_if_changed();
create trigger caurousel_invalidate_pages_update after update on public.caurousel referencing old table as old_rows new table as new_rows
  for each statement execute function private.invalidate_pages_if_changed();
create trigger caurousel_invalidate_pages_delete after delete on public.caurousel referencing old table as old_rows
  for each statement execute function private.invalidate_pages_if_changed();
create trigger greetings_invalidate_pages_insert after insert on public.greetings referencing new table as new_rows
  for each statement execute function private.invalidate_pages_if_changed();
create trigger greetings_invalidate_pages_update after update on public.greetings referencing old table as old_rows new table as new_rows
  for each statement execute function private.invalidate_pages_if_changed();
create trigger greetings_invalidate_pages_delete after delete on public.greetings referencing old table as old_rows
  for each statement execute function private.invalidate_pages_if_changed();
create trigger shop_settings_invalidate_pages_insert after insert on public.shop_settings referencing new table as new_rows
  for each statement execute function private.invalidate_pages_if_changed();
create trigger shop_settings_invalidate_pages_update after update on public.shop_settings referencing old table as old_rows new table as new_rows
  for each statement execute function private.invalidate_pages_if_changed();
create trigger shop_settings_invalidate_pages_delete after delete on public.shop_settings referencing old table as old_rows
  for each statement execute function private.invalidate_pages_if_changed();

create function private.tell_pages() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.invalidate_pages();
  return null;
end $$;
create trigger product_pictures_invalidate_pages_truncate after truncate on public.product_pictures
  for each statement execute function private.tell_pages();
create trigger products_invalidate_pages_truncate after truncate on public."Products"
  for each statement execute function private.tell_pages();
create trigger caurousel_invalidate_pages_truncate after truncate on public.caurousel
  for each statement execute function private.tell_pages();
create trigger greetings_invalidate_pages_truncate after truncate on public.greetings
  for each statement execute function private.tell_pages();
create trigger shop_settings_invalidate_pages_truncate after truncate on public.shop_settings
  for each statement execute function private.tell_pages();

create function private.invalidate_pages() returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform pg_notify('shop_pages', 'changed');
  insert into public.page_changes default values;
  delete from public.page_changes where id in (
    select p.id from public.page_changes p
    where p.id in (select oldest.id from public.page_changes oldest order by oldest.id limit 20)
      and p.at < now() - interval '10 minutes'
    for update skip locked
  );
end $$;

-- 17_realtime/02_publication.sql
do $$
begin
  if exists (select from pg_publication where pubname = 'supabase_realtime') then
    alter publication supabase_realtime add table
      public."Products", public.caurousel, public.greetings, public.testimonials, public.comments,
      public.orders, public.order_events, public.page_changes;
  end if;
end $$;

-- 20_console/01_activity_log.sql
create function public.admin_read_log(
  table_name text default null, row_id text default null, actor_id uuid default null, before_id bigint default null,
  tables text[] default null, first_day date default null, last_day date default null, customer_id uuid default null)
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 50;
  start public.audit_log;
  reviews text[];
  conditions text := 'true';
  entries jsonb;
begin
  perform private.require_admin();
  if table_name is not null then conditions := conditions || ' and l.table_name = $1'; end if;
  if row_id is not null then conditions := conditions || ' and l.row_id = $2'; end if;
  if actor_id is not null then conditions := conditions || ' and l.actor_id = $3'; end if;
  if tables is not null then conditions := conditions || ' and l.table_name = any ($4)'; end if;
  if first_day is not null then conditions := conditions || ' and l.at >= private.start_of($5)'; end if;
  if last_day is not null then conditions := conditions || ' and l.at < private.start_of($6 + 1)'; end if;
  if customer_id is not null then
    reviews := array(select c.id::text from public.comments c where c.user_id = admin_read_log.customer_id);
    conditions := conditions || ' and ((l.table_name = ''customer_records'' and l.row_id = $7::text)
      or (l.table_name = ''comments'' and l.row_id = any ($8)))';
  end if;
  if before_id is not null then
    select * into start from public.audit_log l where l.id = before_id;
    conditions := conditions || ' and (l.at, l.id) < ($9, $10)';
  end if;
  execute format(
    $query$
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', e.id, 'at', e.at, 'actor_id', e.actor_id, 'actor', coalesce(private.person_name(e.actor_id), 'Somebody who left'), 'action', e.action,
      'table_name', e.table_name, 'row_id', e.row_id, 'before', e.before, 'after', e.after,
      'subject', s.name, 'subject_id', s.id,
      'has_size', case when e.table_name in ('stock_movements', 'stock_levels') and s.id ~ '^[0-9]{1,18}$' then
                    (select p."hasSize" from public."Products" p where p."Id" = s.id::bigint) end) order by e.at desc, e.id desc), '[]')
    from (select l.* from public.audit_log l where %s order by l.at desc, l.id desc limit %s) e
    cross join lateral private.log_subject(e.table_name, e.row_id, coalesce(e.after, e.before)) s
    $query$, conditions, page_size + 1)
  into entries using table_name, row_id, actor_id, tables, first_day, last_day, customer_id, reviews, start.at, start.id;
  return jsonb_build_object(
    'rows', (select coalesce(jsonb_agg(r.row order by r.place), '[]')
             from jsonb_array_elements(entries) with ordinality as r (row, place) where r.place <= page_size),
    'next', case when jsonb_array_length(entries) > page_size then entries -> (page_size - 1) -> 'id' end);
end $$;

create function private.log_subject(table_name text, row_id text, entry jsonb, out name text, out id text)
language plpgsql stable set search_path = '' as $$
begin
  id := row_id;
  case table_name
    when 'Products', 'stock_levels', 'product_costs' then
      select p."Name" into name from public."Products" p where p."Id" = log_subject.row_id::bigint;
      name := coalesce(name, entry ->> 'Name');
    when 'orders' then
      select o.number::text into name from public.orders o where o.id = log_subject.row_id::uuid;
    when 'refunds' then
      select o.id::text, o.number::text into id, name
      from private.refunds r join public.orders o on o.id = r.order_id where r.id = log_subject.row_id::uuid;
    when 'customer_records', 'user_profiles' then
      select c.name into name from private.customer_cards c where c.user_id = log_subject.row_id::uuid;
      name := coalesce(name, 'a customer who was erased');
    when 'comments' then
      select c.user_id::text, format('%s on %s', a.name, p."Name") into id, name
      from public.comments c join public."Products" p on p."Id" = c.product_id
      left join private.customer_cards a on a.user_id = c.user_id
      where c.id = log_subject.row_id::bigint;
    when 'vendors' then
      select coalesce(v.name, entry ->> 'name') into name from (values (1)) one (one)
      left join public.vendors v on v.id = log_subject.row_id::bigint;
    when 'purchase_orders' then
      select format('%s from %s', o.id, v.name) into name
      from public.purchase_orders o join public.vendors v on v.id = o.vendor_id where o.id = log_subject.row_id::bigint;
    when 'purchase_order_items' then
      select i.purchase_order_id::text, i.item_name into id, name
      from public.purchase_order_items i where i.id = log_subject.row_id::bigint;
      id := coalesce(id, entry ->> 'purchase_order_id');
      name := coalesce(name, entry ->> 'item_name');
    when 'purchase_receipts' then
      select r.purchase_order_id::text, format('%s from %s', o.id, v.name) into id, name
      from public.purchase_receipts r join public.purchase_orders o on o.id = r.purchase_order_id join public.vendors v on v.id = o.vendor_id
      where r.id = log_subject.row_id::uuid;
    when 'purchase_receipt_items' then
      select i.purchase_order_id::text, i.item_name into id, name
      from public.purchase_order_items i where i.id = (entry ->> 'item_id')::bigint;
    when 'vendor_bills' then
      select v.id::text, v.name into id, name
      from public.vendor_bills b join public.vendors v on v.id = b.vendor_id where b.id = log_subject.row_id::bigint;
    when 'vendor_payments' then
      select v.id::text, v.name into id, name
      from public.vendor_payments p join public.vendors v on v.id = p.vendor_id where p.id = log_subject.row_id::uuid;
    when 'expenses' then
      select coalesce(nullif(e.description, ''), e.category) into name from public.expenses e where e.id = log_subject.row_id::bigint;
      name := coalesce(name, nullif(entry ->> 'description', ''), entry ->> 'category');
    when 'greetings' then
      select g.title into name from public.greetings g where g.id = log_subject.row_id::bigint;
    when 'caurousel' then
      select c.title into name from public.caurousel c where c.id = log_subject.row_id::bigint;
    when 'testimonials' then
      select t.title into name from public.testimonials t where t.id = log_subject.row_id::bigint;
    when 'categories' then
      select c.name into name from public.categories c where c.id = log_subject.row_id::bigint;
    when 'couriers' then
      select c.name into name from private.couriers c where c.id = log_subject.row_id::bigint;
    when 'delivery_zones' then
      select z.name into name from public.delivery_zones z where z.id = log_subject.row_id::bigint;
    else
      -- What belongs to an order, a purchase, a vendor or a product is found under it.
      if coalesce(entry ->> 'order_id', entry #>> '{payload,order_id}') is not null then
        id := coalesce(entry ->> 'order_id', entry #>> '{payload,order_id}');
        select o.number::text into name from public.orders o where o.id = log_subject.id::uuid;
      elsif entry ->> 'purchase_order_id' is not null then
        id := entry ->> 'purchase_order_id';
        select format('%s from %s', o.id, v.name) into name
        from public.purchase_orders o join public.vendors v on v.id = o.vendor_id where o.id = log_subject.id::bigint;
      elsif entry ->> 'vendor_id' is not null then
        id := entry ->> 'vendor_id';
        select v.name into name from public.vendors v where v.id = log_subject.id::bigint;
      elsif entry ->> 'product_id' is not null then
        id := entry ->> 'product_id';
        select p."Name" into name from public."Products" p where p."Id" = log_subject.id::bigint;
      end if;
  end case;
  -- A number that only the database reads is no name.
  name := coalesce(name, entry ->> 'name', entry ->> 'title',
                   case when row_id ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then 'without a name' else row_id end);
  id := coalesce(id, row_id);
exception when data_exception then
  name := row_id; -- a table of the same name with other keys: say what we have
end $$;

create function public.admin_list_log_choices() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'people', (
      with recursive people as (
        (select l.actor_id from public.audit_log l where l.actor_id is not null order by l.actor_id limit 1)
        union all
        select (select l.actor_id from public.audit_log l where l.actor_id > p.actor_id order by l.actor_id limit 1)
        from people p where p.actor_id is not null
      )
      select coalesce(jsonb_agg(jsonb_build_object('id', p.actor_id, 'name', coalesce(private.person_name(p.actor_id), 'Somebody who left'))
                      order by private.person_name(p.actor_id)), '[]')
      from people p where p.actor_id is not null),
    'tables', (
      with recursive kinds as (
        (select l.table_name from public.audit_log l order by l.table_name limit 1)
        union all
        select (select l.table_name from public.audit_log l where l.table_name > k.table_name order by l.table_name limit 1)
        from kinds k where k.table_name is not null
      )
      select coalesce(jsonb_agg(k.table_name order by k.table_name), '[]') from kinds k where k.table_name is not null));
end $$;

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

-- 20_console/02_dashboard.sql
create function private.dashboard_period(period text, at timestamptz, out from_time timestamptz, out before_from timestamptz, out before_to timestamptz)
language plpgsql immutable set search_path = '' as $$
declare
  today date := private.day_of(at);
  days integer := case period when 'today' then 1 when 'week' then 7 when 'month' then 30 end;
  year_start date := private.financial_year_start(today);
begin
  if period = 'year' then
    from_time := private.start_of(year_start);
    before_from := private.start_of((year_start - interval '1 year')::date);
    before_to := private.start_of((today - interval '1 year')::date) + (at - private.start_of(today));
  elsif days is not null then
    from_time := private.start_of(today - days + 1);
    before_from := from_time - make_interval(days => days);
    before_to := at - make_interval(days => days);
  else
    perform private.refuse('There is no such period.', 'period');
  end if;
end $$;

create function private.timeline_step(period text) returns text
language sql immutable as $$
  select case period when 'today' then 'hour' when 'year' then 'month' else 'day' end;
$$;

create function private.is_due_today(placed public.orders, at timestamptz) returns boolean
language sql immutable as $$
  select placed.created_at < private.start_of(private.day_of(at)) or placed.fulfilment = 'pickup'
      or coalesce(placed.delivery_by <= private.day_of(at) + 1, false);
$$;

create function private.is_to_give_back(status text, payment_status text) returns boolean
language sql immutable as $$
  select payment_status = 'refund_failed' or status = 'canceled' and payment_status in ('paid_offline', 'partially_refunded');
$$;

create function public.admin_read_dashboard(period text default 'today', at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' set plan_cache_mode = 'force_custom_plan' as $$
declare
  span record;
  today timestamptz := private.step_of('day', at);
  days_end timestamptz := private.kept_until('day', at);
  hours_end timestamptz := greatest(days_end, private.kept_until('hour', at));
  part private.sales_steps;
  kept_span bigint;
  best jsonb;
  categories jsonb;
  cities jsonb;
  timeline jsonb;
begin
  perform private.require_admin();
  select * into span from private.dashboard_period(period, at);
  perform private.keep_steps('day', span.before_from, least(today, greatest(days_end, span.before_from)));
  if span.from_time < days_end then
    kept_span := private.keep_span(span.from_time, days_end);
  end if;
  perform private.keep_steps('hour', greatest(span.from_time, days_end), greatest(span.from_time, hours_end));
  part := private.part_of_day(at, at);

  -- Of sweets that sold today every one may be among the best; of the rest only the kept best can be.
  with today_sold as materialized (
    select a.product_id, sum(a.grams) as grams, sum(a.pieces) as pieces, sum(a.goods_paise) as goods_paise
    from (select s.* from private.sales_step_products s
          where s.step = 'hour' and s.starts_at >= greatest(span.from_time, days_end) and s.starts_at < hours_end
          union all
          select l.* from private.add_up_products('hour', greatest(span.from_time, hours_end), at) l) a
    group by a.product_id
  ), contenders as (
    select t.product_id from today_sold t
    union
    (select s.product_id from private.sales_span_products s where s.span_id = kept_span order by s.goods_paise desc limit 10)
  ), summed as (
    select c.product_id, coalesce(s.grams, 0) + coalesce(t.grams, 0) as grams, coalesce(s.pieces, 0) + coalesce(t.pieces, 0) as pieces,
           coalesce(s.goods_paise, 0) + coalesce(t.goods_paise, 0) as goods_paise
    from contenders c
    left join today_sold t on t.product_id = c.product_id
    left join private.sales_span_products s on s.span_id = kept_span and s.product_id = c.product_id
  ), by_category as (
    select k.category, sum(k.goods_paise) as goods_paise
    from (select c.category, c.goods_paise from private.sales_span_categories c where c.span_id = kept_span
          union all
          select p."Category", t.goods_paise from today_sold t join public."Products" p on p."Id" = t.product_id) k
    group by k.category
  )
  select (select coalesce(jsonb_agg(to_jsonb(b) order by b.goods_paise desc, b.product_id), '[]')
          from (select u.product_id, p."Name" as name, p."Category" as category, u.grams, u.pieces, u.goods_paise
                from (select * from summed order by goods_paise desc, product_id limit 10) u
                join public."Products" p on p."Id" = u.product_id) b),
         (select coalesce(jsonb_agg(to_jsonb(k) order by k.goods_paise desc), '[]') from by_category k)
  into best, categories;

  select coalesce(jsonb_agg(to_jsonb(c) order by c.goods_paise desc, c.city), '[]') into cities
  from (
    select a.city, sum(a.orders) as orders, sum(a.goods_paise) as goods_paise
    from (select s.city, s.orders, s.goods_paise from private.sales_span_cities s where s.span_id = kept_span
          union all
          select s.city, s.orders, s.goods_paise from private.sales_step_cities s
          where s.step = 'hour' and s.starts_at >= greatest(span.from_time, days_end) and s.starts_at < hours_end
          union all
          select l.city, l.orders, l.goods_paise from private.add_up_cities('hour', greatest(span.from_time, hours_end), at) l) a
    group by a.city order by 3 desc, 1 limit 10
  ) c;

  -- Hours of today, days of a week or month, months of a year.
  select jsonb_agg(jsonb_build_object(
    'from', case when period = 'today' then to_jsonb(g.start) else to_jsonb(private.day_of(g.start)) end,
    'orders', g.orders, 'sales_paise', g.sales_paise) order by g.start) into timeline
  from (
    select a.start at time zone 'Asia/Kolkata' as start, coalesce(sum(s.orders), 0) as orders, coalesce(sum(s.sales_paise), 0) as sales_paise
    from private.timeline_step(period) t (step)
    cross join generate_series(span.from_time at time zone 'Asia/Kolkata', at at time zone 'Asia/Kolkata', ('1 ' || t.step)::interval) a (start)
    left join (
      select h.starts_at, h.orders, h.sales_paise from private.sales_steps h
      where period = 'today' and h.step = 'hour' and h.starts_at >= span.from_time and h.starts_at < hours_end
      union all
      select l.starts_at, l.orders, l.sales_paise from private.add_up('hour', greatest(span.from_time, hours_end), at) l where period = 'today'
      union all
      select d.starts_at, d.orders, d.sales_paise from private.days_between(span.from_time, today, days_end) d where period <> 'today'
      union all
      select today, part.orders, part.sales_paise where period <> 'today'
    ) s on s.starts_at >= a.start at time zone 'Asia/Kolkata' and s.starts_at < (a.start + ('1 ' || t.step)::interval) at time zone 'Asia/Kolkata'
    group by 1
  ) g;

  return jsonb_build_object(
    'period', period, 'from', span.from_time, 'to', at, 'before_from', span.before_from, 'before_to', span.before_to,
    'now', private.sum_up(span.from_time, part, days_end),
    'before', private.sum_up(span.before_from, private.part_of_day(span.before_to, at), days_end),
    'timeline', timeline, 'categories', categories, 'best', best, 'cities', cities);
end $$;

create function public.admin_read_todo(at timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'unconfirmed', (select count(*) from (select from public.orders o where o.status = 'Pending' limit 1000) n),
    'pack_today', (select count(*) from (
      select from public.orders o where o.status in ('Confirmed', 'Preparing') and private.is_due_today(o, at) limit 1000) n),
    'to_give_back', (select count(*) from (
      select from public.orders o where private.is_to_give_back(o.status, o.payment_status) limit 1000) n),
    'low_stock', (
      select count(*) from private.short_stock h join public.stock_levels s on s.product_id = h.product_id join public."Products" p on p."Id" = h.product_id
      where p.is_listed and p.archived_at is null and s.on_hand > 0 and s.on_hand - s.reserved <= s.low_at),
    'waited_for', (
      select count(*) from private.short_stock h join public.stock_levels s on s.product_id = h.product_id join public."Products" p on p."Id" = h.product_id
      where p.is_listed and p.archived_at is null and s.on_hand = 0
        and exists (select from public.notify_subscriptions n where n.product_id = s.product_id)),
    'unbacked_offers', (select count(*) from (
      select from public."Products" p
      where p.archived_at is null and not private.is_offer_backed(p.offer_percent, p."Price", p.regular_price) limit 1000) n));
end $$;

create function public.admin_read_kitchen(only_due boolean default false, at timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  sweets jsonb;
  open_orders integer;
begin
  perform private.require_admin();
  with open as (
    select o.id, private.is_due_today(o, at) as is_due
    from public.orders o where o.status in ('Pending', 'Confirmed', 'Preparing')
  ), wanted as (
    select * from open where is_due or not only_due
  )
  select (select count(*) from wanted), coalesce(jsonb_agg(to_jsonb(k) order by k.category, k.name), '[]') into open_orders, sweets
  from (
    select i.product_id, max(p."Name") as name, max(p."Category") as category, bool_or(i.has_size) as has_size,
           coalesce(sum(i.quantity) filter (where i.has_size and i.size = 500), 0) as half_kilos,
           coalesce(sum(i.quantity) filter (where i.has_size and i.size = 1000), 0) as kilos,
           coalesce(sum(i.size * i.quantity) filter (where i.has_size), 0) as grams,
           coalesce(sum(i.quantity) filter (where not i.has_size), 0) as pieces,
           coalesce(sum(i.size * i.quantity) filter (where i.has_size and w.is_due), 0) as due_grams,
           coalesce(sum(i.quantity) filter (where not i.has_size and w.is_due), 0) as due_pieces,
           count(distinct w.id) as orders
    from wanted w
    join public.order_items i on i.order_id = w.id
    join public."Products" p on p."Id" = i.product_id
    group by i.product_id
  ) k;
  return jsonb_build_object('orders', open_orders, 'sweets', sweets);
end $$;

create function public.admin_read_work(at timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  today constant date := private.day_of(at);
begin
  perform private.require_admin();
  return public.admin_read_todo(at)
    || (select jsonb_build_object('to_collect', count(*), 'to_collect_paise', coalesce(sum(c.total_amount) * 100, 0)::bigint)
        from (select o.total_amount from public.orders o where private.is_to_collect(o.status, o.payment_status)
              order by o.created_at desc, o.id desc limit 1000) c)
    || jsonb_build_object(
      'undelivered', (select count(*) from (select from public.orders o where o.status = 'Undelivered' limit 1000) n),
      'refund_due_on', (select min(private.refund_due_on(o)) from (
        select o.* from public.orders o where private.is_to_give_back(o.status, o.payment_status) limit 1000) o))
    || (select jsonb_build_object('bills_overdue', count(*), 'bills_overdue_paise', coalesce(sum(b.unpaid) * 100, 0)::bigint)
        from private.open_bills() b where b.due_on < today)
    || (select jsonb_build_object('expenses_due', count(*), 'expenses_due_paise', coalesce(sum(e.amount) * 100, 0)::bigint)
        from public.expenses e where e.next_due_on <= today);
end $$;

create function public.admin_read_month_profit(at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  today date;
  month date;
  month_before date;
begin
  perform private.require_admin();
  today := private.day_of(at);
  month := date_trunc('month', today)::date;
  month_before := (month - interval '1 month')::date;
  return jsonb_build_object(
    'month', month, 'month_before', month_before,
    'now', (select to_jsonb(f) from private.profit_and_loss(month, today) f),
    -- The 31st of a month is compared with the whole of a shorter one.
    'before', (select to_jsonb(f) from private.profit_and_loss(month_before, least(month_before + (today - month), month - 1)) f));
end $$;

create function private.promised_between(first_day date, last_day date) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'count', count(*),
    'orders', coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'number', o.number) order by o.number) filter (where o.place <= 10), '[]'))
  from (
    select p.id, p.number, row_number() over (order by p.number) as place
    from public.orders p
    where p.status not in ('Delivered', 'Collected', 'canceled', 'Refunded') and p.delivery_by between first_day and last_day
  ) o;
$$;

-- 20_console/03_find.sql
create function private.found_line(kind text, id text, title text, detail text, extra jsonb default '{}') returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object('kind', kind, 'id', id, 'title', title, 'detail', detail) || extra;
$$;

create function private.recent_lines(recent jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(jsonb_agg(l.line order by r.place), '[]')
    from jsonb_array_elements(recent) with ordinality r (one, place)
    cross join lateral (
      select private.found_line('order', o.id::text, 'Order ' || o.number, o.delivery_name,
                                jsonb_build_object('status', o.status, 'at', o.created_at, 'paise', (o.total_amount * 100)::bigint)) as line
      from public.orders o where r.one ->> 'kind' = 'order' and o.id = private.uuid_in(r.one ->> 'id')
      union all
      select private.found_line('customer', c.user_id::text, c.name, concat_ws(' · ', nullif(c.email, c.name), nullif(c.phone, '')))
      from private.customer_cards c where r.one ->> 'kind' = 'customer' and c.user_id = private.uuid_in(r.one ->> 'id')
      union all
      select private.found_line('product', p."Id"::text, p."Name", p."Category")
      from public."Products" p where r.one ->> 'kind' = 'product' and p."Id" = private.bigint_in(r.one ->> 'id')
      union all
      select private.found_line('vendor', v.id::text, v.name, concat_ws(' · ', nullif(v.contact_name, ''), nullif(v.phone, '')))
      from public.vendors v where r.one ->> 'kind' = 'vendor' and v.id = private.bigint_in(r.one ->> 'id')) l
    where r.place <= 10);
end $$;

create function public.admin_find_anything(typed text default '', recent jsonb default '[]', at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  most constant integer := 5;
  term constant text := btrim(left(typed, 100), E' \t\r\n');
  orders jsonb;
  customers jsonb;
  products jsonb;
  vendors jsonb;
begin
  perform private.require_admin();
  if jsonb_typeof(recent) is distinct from 'array' or jsonb_array_length(recent) > 50 then
    perform private.refuse('What was opened last cannot be read.', 'recent');
  end if;
  if coalesce(term, '') = '' then
    return jsonb_build_object('recent', private.recent_lines(recent), 'groups', '[]'::jsonb);
  end if;
  orders := public.admin_list_orders(jsonb_build_object('search', term), at => at)::jsonb;
  customers := public.admin_list_customers(term, page_size => most);
  products := public.admin_list_products(jsonb_build_object('search', term), page_size => most)::jsonb;
  -- Found as admin_list_vendors() finds them, without adding up what each is owed.
  select coalesce(jsonb_agg(private.found_line('vendor', v.id::text, v.name,
           concat_ws(' · ', nullif(v.contact_name, ''), nullif(v.phone, ''))) order by lower(v.name), v.id), '[]')
  into vendors
  from public.vendors v
  where v.archived_at is null and position(lower(term) in lower(concat_ws(' ', v.name, v.contact_name, v.phone))) > 0;
  return jsonb_build_object('recent', '[]'::jsonb, 'groups', jsonb_build_array(
    jsonb_build_object('kind', 'order', 'count', orders -> 'count', 'count_is_capped', orders -> 'count_is_capped', 'rows', (
      select coalesce(jsonb_agg(private.found_line('order', r.row ->> 'id', 'Order ' || (r.row ->> 'number'),
          concat_ws(' · ', r.row ->> 'name', nullif(r.row ->> 'city', '')),
          jsonb_build_object('status', r.row -> 'status', 'at', r.row -> 'placed_at', 'paise', r.row -> 'total_paise')) order by r.place), '[]')
      from jsonb_array_elements(orders -> 'rows') with ordinality r (row, place) where r.place <= most)),
    jsonb_build_object('kind', 'customer', 'count', customers -> 'count', 'count_is_capped', customers -> 'count_is_capped', 'rows', (
      select coalesce(jsonb_agg(private.found_line('customer', r.row ->> 'id', r.row ->> 'name',
          concat_ws(' · ', nullif(r.row ->> 'email', r.row ->> 'name'), nullif(r.row ->> 'phone', ''))) order by r.place), '[]')
      from jsonb_array_elements(customers -> 'rows') with ordinality r (row, place) where r.place <= most)),
    jsonb_build_object('kind', 'product', 'count', products -> 'count', 'count_is_capped', products -> 'count_is_capped', 'rows', (
      select coalesce(jsonb_agg(private.found_line('product', r.row ->> 'id', r.row ->> 'name', r.row ->> 'category') order by r.place), '[]')
      from jsonb_array_elements(products -> 'rows') with ordinality r (row, place) where r.place <= most)),
    jsonb_build_object('kind', 'vendor', 'count', jsonb_array_length(vendors), 'count_is_capped', false, 'rows', (
      select coalesce(jsonb_agg(r.row order by r.place), '[]')
      from jsonb_array_elements(vendors) with ordinality r (row, place) where r.place <= most))));
end $$;

-- 20_console/10_find_orders.sql
create type private.order_filter as (
  search text, number bigint, placed_from date, placed_to date, customer text, phone text, pincode text, product text,
  total_min_paise bigint, total_max_paise bigint, payment text[], status text[], waiting_hours integer,
  source text, fulfilment text, todo text, user_id uuid, ids uuid[], is_open boolean);

create function private.items_in_short(order_id uuid, most integer default null) returns text
language sql stable set search_path = '' as $$
  select string_agg(l.line, ', ' order by l.place) filter (where l.place <= coalesce(most, l.place))
         || case when count(*) > most then format(' and %s more', count(*) - most) else '' end
  from (
    select row_number() over (order by i.id) as place,
           i.product_name || case when not i.has_size then '' when i.size = 1000 then ' 1 kg' else format(' %s g', i.size) end
             || ' × ' || i.quantity as line
    from public.order_items i where i.order_id = items_in_short.order_id
  ) l;
$$;

create function private.read_order_filter(filter jsonb) returns private.order_filter
language plpgsql stable set search_path = '' as $$
declare
  f private.order_filter;
begin
  begin
    f := jsonb_populate_record(null::private.order_filter, coalesce(filter, '{}'));
  exception when data_exception then
    perform private.refuse('This filter cannot be read.');
  end;
  if greatest(char_length(f.search), char_length(f.customer), char_length(f.product), char_length(f.phone)) > 100 then
    perform private.refuse('Search for at most 100 characters.', 'search');
  elsif f.pincode !~ '^[1-9][0-9]{0,5}$' then
    perform private.refuse('A pincode is up to six digits.', 'pincode');
  elsif f.placed_from not between date '2000-01-01' and date '2999-12-31' then
    perform private.refuse('Choose a day of this millennium.', 'placed_from');
  elsif f.placed_to not between date '2000-01-01' and date '2999-12-31' then
    perform private.refuse('Choose a day of this millennium.', 'placed_to');
  elsif f.waiting_hours not between 0 and 100000 then
    perform private.refuse('Waiting is counted in whole hours, from 0 on.', 'waiting_hours');
  elsif f.todo not in ('unconfirmed', 'pack-today', 'to-collect', 'undelivered', 'give-back') then
    perform private.refuse('There is no such work to do.', 'todo');
  elsif cardinality(f.ids) > 200 then
    perform private.refuse('Ask for at most 200 orders at once.', 'ids');
  end if;
  return f;
end $$;

create function private.products_called(words text[]) returns bigint[]
language plpgsql stable set search_path = '' as $$
declare
  called bigint[];
begin
  execute (select 'select array_agg(distinct n.product_id) from private.product_names n where '
                  || string_agg(format('lower('' '' || n.name) like %L', private.word_pattern(word)), ' and ')
           from unnest(words) word)
  into called;
  return coalesce(called, '{}');
end $$;

create function private.order_sources(
  f private.order_filter, at timestamptz, by_placing boolean default false, most_lines integer default null) returns text[]
language plpgsql stable set search_path = '' as $$
declare
  with_products constant text := format('o.id in (select i.order_id from public.order_items i where i.product_id = any (%%L::bigint[])%s)',
                                        ' limit ' || most_lines);
  first_lines constant text := '(select distinct l.order_id as id from (select i.order_id from public.order_items i
    where i.product_id = any (%L::bigint[]) limit %s) l) o where true';
  kept text[] := '{true}';
  ways text[] := '{}';
  named text[];
  term text := btrim(f.search, E' \t\r\n');
  digits text := private.phone_digits(f.phone);
  word text;
  words text[];
  customer constant text[] := private.words_in(f.customer);
  sweet constant text[] := private.words_in(f.product);
  products bigint[];
begin
  if f.ids is not null then
    kept := kept || format('o.id = any (%L::uuid[])', f.ids);
  end if;
  if f.number is not null then
    kept := kept || format('o.number = %L::bigint', f.number);
  end if;
  if f.user_id is not null then
    kept := kept || format('o.user_id = %L::uuid', f.user_id);
  end if;
  if f.placed_from is not null then
    kept := kept || format('o.created_at >= %L::timestamptz', private.start_of(f.placed_from));
  end if;
  if f.placed_to is not null then
    kept := kept || format('o.created_at < %L::timestamptz', private.start_of(f.placed_to + 1));
  end if;
  if digits <> '' then
    kept := kept || format('%s and '' '' || translate(o.delivery_phone, ''+- ()'', '''') like %L',
                           private.has_word(digits), private.word_pattern(digits));
  end if;
  if f.pincode is not null then
    -- The same as like, and an index needs nothing but it: pincodes are figures, and after those comes the colon.
    kept := kept || format('o.delivery_zip ~>=~ %L and o.delivery_zip ~<~ %L', f.pincode, f.pincode || ':');
  end if;
  if f.total_min_paise is not null then
    kept := kept || format('o.total_amount >= %L::numeric', f.total_min_paise / 100.0);
  end if;
  if f.total_max_paise is not null then
    kept := kept || format('o.total_amount <= %L::numeric', f.total_max_paise / 100.0);
  end if;
  if cardinality(f.payment) > 0 then
    kept := kept || format('o.payment_status = any (%L::text[])', f.payment);
  end if;
  if cardinality(f.status) > 0 then
    kept := kept || format('o.status = any (%L::text[])', f.status);
  end if;
  if f.is_open or f.waiting_hours is not null then
    kept := kept || text 'o.status not in (''Delivered'', ''Collected'', ''canceled'', ''Refunded'')';
  end if;
  if f.waiting_hours is not null then
    kept := kept || format('o.status_since <= %L::timestamptz', at - f.waiting_hours * interval '1 hour');
  end if;
  if f.source is not null then
    kept := kept || format('o.source = %L', f.source);
  end if;
  if f.fulfilment is not null then
    kept := kept || format('o.fulfilment = %L', f.fulfilment);
  end if;
  kept := kept || case f.todo
    when 'unconfirmed' then array['o.status = ''Pending''']
    when 'pack-today' then array[format('o.status in (''Confirmed'', ''Preparing'') and private.is_due_today(o, %L)', at)]
    when 'to-collect' then array['private.is_to_collect(o.status, o.payment_status)']
    when 'undelivered' then array['o.status = ''Undelivered''']
    when 'give-back' then array['private.is_to_give_back(o.status, o.payment_status)']
    else '{}' end;

  -- A name or a sweet alone is read off where it is written down.
  if kept = '{true}' and cardinality(private.words_in(term)) = 0 then
    if by_placing and cardinality(customer) = 1 and cardinality(sweet) = 0 then
      named := private.orders_for_name(customer[1]);
      if named is not null then
        return named;
      end if;
    elsif most_lines is not null and cardinality(customer) = 0 and cardinality(sweet) > 0 then
      return array[format(first_lines, private.products_called(sweet), most_lines)];
    end if;
  end if;
  foreach word in array customer loop
    kept := kept || private.has_word(word);
    -- Only figures could be those of the phone; to say more than needed would mislead the planner.
    if word ~ '^[0-9]+$' then
      kept := kept || format('lower('' '' || o.delivery_name) like %L', private.word_pattern(word));
    end if;
  end loop;
  if cardinality(sweet) > 0 then
    kept := kept || format(with_products, private.products_called(sweet));
  end if;

  if cardinality(private.words_in(term)) > 0 then
    -- A number is an order's, if there is one of that number, and part of a phone otherwise; six digits may be a pincode.
    if term ~ '^#?[0-9]{1,15}$' and exists (select from public.orders o where o.number = ltrim(term, '#')::bigint) then
      ways := array[format('o.number = %L::bigint', ltrim(term, '#'))];
    elsif term ~ '^[-+() 0-9]*[0-9][-+() 0-9]*$' then
      ways := array[private.has_word(private.phone_digits(term))];
    end if;
    if term ~ '^[1-9][0-9]{5}$' then
      ways := ways || format('o.delivery_zip = %L', term);
    elsif ways = '{}' then
      words := private.words_in(term);
      if by_placing and kept = '{true}' and cardinality(words) = 1 then
        named := private.orders_for_name(words[1]);
      end if;
      if named is null then
        ways := array[(select string_agg(private.has_word(w), ' and ') from unnest(words) w)];
      end if;
      products := private.products_called(words);
      if cardinality(products) = 0 then
        null;
      elsif most_lines is not null and kept = '{true}' then
        named := named || format(first_lines, products, most_lines);
      else
        ways := ways || format(with_products, products);
      end if;
      ways := ways || private.orders_of_city(term) || private.orders_of_email(term);
    end if;
    ways := ways || private.orders_with_reference(term);
  end if;
  return coalesce(named, '{}') || case when ways = '{}' and named is null then array['public.orders o where ' || array_to_string(kept, ' and ')]
    else (select coalesce(array_agg('public.orders o where ' || array_to_string(kept || way, ' and ')), '{}') from unnest(ways) way) end;
end $$;

create function private.order_page(sources text[], sort_column text, direction text, beyond text, most integer) returns text
language sql immutable set search_path = '' as $$
  select format('select k.id, k.key from (%s) k order by k.key %s, k.id %2$s limit %s',
                string_agg(format('(select o.id, o.%1$I as key from %2$s and %3$s order by o.%1$I %4$s, o.id %4$s limit %5$s)',
                                  sort_column, source, beyond, direction, most), ' union '),
                direction, most)
  from unnest(sources) source;
$$;

create function private.count_orders(sources text[], most integer) returns integer
language plpgsql stable set search_path = '' as $$
declare
  counted integer;
begin
  execute (select format('select count(*) from (select from %s limit %s) counted',
                         case when cardinality(sources) = 1 then sources[1]
                              else '(' || string_agg(format('(select o.id from %s limit %s)', source, most + 1), ' union ') || ') found' end,
                         most + 1)
           from unnest(sources) source)
  into counted;
  return counted;
end $$;

create function private.beyond_order(sort_column text, key_type text, direction text, after jsonb) returns text
language plpgsql stable set search_path = '' as $$
declare
  key text;
begin
  -- Cast and written back: nothing but a value of that type gets into the statement.
  execute format('select ($1 ->> ''key'')::%s::text', key_type) into key using after;
  if key is null or after ->> 'id' is null then
    raise invalid_parameter_value;
  end if;
  return format('(o.%I, o.id) %s (%L::%s, %L::uuid)', sort_column, case direction when 'desc' then '<' else '>' end,
                key, key_type, (after ->> 'id')::uuid);
exception when data_exception then
  perform private.refuse('This page of the list cannot be found.', 'after');
end $$;

create function private.is_to_collect(status text, payment_status text) returns boolean
language sql immutable as $$
  select payment_status = 'unpaid' and status not in ('canceled', 'Refunded');
$$;

create function private.refund_due_on(placed public.orders) returns date
language sql stable set search_path = '' as $$
  select private.day_of(coalesce(
    case when placed.status <> 'canceled' then
      (select min(r.created_at) from private.refunds r where r.order_id = placed.id and r.status = 'failed') end,
    placed.status_since)) + 7;
$$;

create function private.orders_of_city(term text) returns text[]
language plpgsql stable set search_path = '' as $$
declare
  most constant integer := 20;
  pattern constant text := regexp_replace(lower(term), '([\\%_])', '\\\1', 'g') || '%';
  cities text[];
begin
  if char_length(term) < 3 then
    return '{}';
  end if;
  -- From one city to the next through the index, not over every order.
  execute format($q$
    with recursive cities as (
      (select lower(o.delivery_city) as city, 1 as place from public.orders o
       where lower(o.delivery_city) like %1$L order by lower(o.delivery_city) using ~<~ limit 1)
      union all
      select n.city, c.place + 1 from cities c cross join lateral (
        select lower(o.delivery_city) as city from public.orders o
        where lower(o.delivery_city) like %1$L and lower(o.delivery_city) ~>~ c.city
        order by lower(o.delivery_city) using ~<~ limit 1) n
      where c.place < %2$s)
    select array_agg(city) from cities$q$, pattern, most)
  into cities;
  return array(select format('lower(o.delivery_city) = %L', city) from unnest(cities) city);
end $$;

create function private.orders_of_email(term text) returns text[]
language plpgsql stable set search_path = '' as $$
declare
  people uuid[];
begin
  if term !~ '^[^[:space:]@]{3,}(@[^[:space:]]*)?$' then
    return '{}';
  end if;
  execute format('select array_agg(c.user_id) from (
      select c.user_id from private.customer_cards c where lower(c.email) like %L limit 100) c',
    regexp_replace(lower(term), '([\\%_])', '\\\1', 'g') || case when position('@' in term) > 0 then '%' else '@%' end)
  into people;
  return case when people is null then '{}' else array[format('o.user_id = any (%L::uuid[])', people)] end;
end $$;

create function private.orders_with_reference(term text) returns text[]
language plpgsql stable set search_path = '' as $$
declare
  -- The invoice's number may lack what it begins with: 26-27/00042.
  parts constant text[] := regexp_match(term, '^([0-9]{2})-[0-9]{2}/([0-9]{1,9})$');
  found uuid[];
begin
  if char_length(term) not between 4 and 80 then
    return '{}';
  end if;
  select array_agg(f.id) into found
  from (select o.id from public.orders o where upper(o.tracking_number) = upper(term)
        union
        select o.id from public.orders o where o.payment_id = term
        union
        select p.order_id from private.payments p where p.payment_id = term or p.provider_order_id = term
        union
        select i.order_id from private.invoices i where i.number = upper(term)
        union
        select i.order_id from private.credit_notes c join private.invoices i on i.id = c.invoice_id where c.number = upper(term)
        union
        select i.order_id from private.invoices i where i.year = 2000 + parts[1]::integer and i.serial = parts[2]::integer
        union
        select i.order_id from private.credit_notes c join private.invoices i on i.id = c.invoice_id
        where c.year = 2000 + parts[1]::integer and c.serial = parts[2]::integer) f
  where f.id is not null;
  return case when found is null then '{}' else array[format('o.id = any (%L::uuid[])', found)] end;
end $$;

-- 20_console/11_list_orders.sql
create function public.admin_list_orders(
  filter jsonb default '{}', sort text default '-placed', after jsonb default null, at timestamptz default now()) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 50;
  f private.order_filter;
  sort_column text;
  key_type text;
  direction text := case when starts_with(sort, '-') then 'desc' else 'asc' end;
  beyond text := 'true';
  sources text[];
  few text[];
  found json;
  found_count integer;
  last json;
  most integer;
  counted integer;
begin
  perform private.require_admin();
  f := private.read_order_filter(filter);
  select s.sort_column, s.key_type into sort_column, key_type
  from (values ('placed', 'created_at', 'timestamptz'), ('number', 'number', 'bigint'), ('total', 'total_amount', 'numeric'),
               ('age', 'status_since', 'timestamptz')) s (name, sort_column, key_type)
  where s.name = ltrim(sort, '-');
  if sort_column is null then
    perform private.refuse('Orders cannot be sorted like this.', 'sort');
  elsif sort_column = 'status_since' then
    direction := case direction when 'desc' then 'asc' else 'desc' end;
    f.is_open := true;
  end if;
  sources := private.order_sources(f, at, by_placing => sort_column = 'created_at');
  if after is not null then
    beyond := private.beyond_order(sort_column, key_type, direction, after);
  end if;

  execute format($q$
    select coalesce(json_agg(json_build_object(
        'id', o.id, 'number', o.number, 'placed_at', o.created_at, 'name', o.delivery_name, 'phone', o.delivery_phone,
        'pincode', o.delivery_zip, 'city', o.delivery_city, 'items', private.items_in_short(o.id, 3),
        'total_paise', (o.total_amount * 100)::bigint, 'payment_status', o.payment_status, 'status', o.status,
        'status_since', o.status_since, 'fulfilment', o.fulfilment, 'source', o.source, 'delivery_by', o.delivery_by,
        'refund_due_on', case when private.is_to_give_back(o.status, o.payment_status) then private.refund_due_on(o) end,
        'is_due', o.status in ('Confirmed', 'Preparing') and private.is_due_today(o, $1), 'updated_at', o.updated_at)
      order by k.place) filter (where k.place <= $2), '[]'), count(*),
      (array_agg(json_build_object('key', to_json(k.key) #>> '{}', 'id', k.id)) filter (where k.place = $2))[1]
    from (select k.id, k.key, row_number() over (order by k.key %1$s, k.id %1$s) as place from (%2$s) k) k
    join public.orders o on o.id = k.id$q$,
    direction, private.order_page(sources, sort_column, direction, beyond, page_size + 1))
  into found, found_count, last using at, page_size;

  -- Nobody reads the difference between two thousand and three, and a search that finds so many is costly to count.
  most := case when concat(f.search, f.customer, f.product, f.phone) = '' then 10000 else 1000 end;
  if after is null and found_count <= page_size then
    counted := found_count;
  else
    few := case when array_to_string(sources, '') like '% public.order_items i %'
                then private.order_sources(f, at, by_placing => true, most_lines => 4 * most) else sources end;
    counted := private.count_orders(few, most);
    if counted <= most and few <> sources then
      counted := private.count_orders(sources, most);
    end if;
  end if;
  return json_build_object('rows', found, 'next', case when found_count > page_size then last end,
                           'count', least(counted, most), 'count_is_capped', counted > most);
end $$;

create function public.admin_move_orders(moves jsonb, to_status text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  asked record;
  reason text;
  legal uuid[] := '{}';
  refused jsonb := '[]';
begin
  perform private.require_admin();
  if to_status in ('canceled', 'Refunded') then
    perform private.refuse('Cancel or refund an order on its own page: it needs a reason.', 'to_status');
  elsif not exists (select from private.order_status_edges e where e.to_status = admin_move_orders.to_status) then
    perform private.refuse('Orders cannot be moved there.', 'to_status');
  elsif jsonb_typeof(moves) is distinct from 'array' or jsonb_array_length(moves) not between 1 and 100 then
    perform private.refuse('Choose between 1 and 100 orders.', 'moves');
  end if;

  perform from public.orders o
  where o.id in (select r.id from private.read_order_moves(moves) r)
  order by o.id for update;
  for asked in
    select m.id, o.number, o.status, o.fulfilment, o.updated_at, m.seen
    from (select distinct on (r.id) r.id, r.seen from private.read_order_moves(moves) r) m
    left join public.orders o on o.id = m.id
  loop
    reason := case
      when asked.number is null then 'One of the orders does not exist.'
      when asked.status = to_status then format('Order %s is already %s.', asked.number, to_status)
      when asked.status = 'canceled' then format('Order %s was cancelled.', asked.number)
      when not private.is_legal_move(asked.status, to_status, asked.fulfilment, by_customer => false)
        then format('Order %s is %s and cannot become %s.', asked.number,
                    case when asked.fulfilment = 'pickup' and to_status in ('Shipped', 'Delivered', 'Undelivered') then 'collected at the shop'
                         when asked.fulfilment = 'delivery' and to_status in ('Ready', 'Collected') then 'sent to the customer'
                         else asked.status end, to_status)
      when asked.seen is distinct from asked.updated_at
        then format('Order %s was changed by someone else. Check it again.', asked.number)
    end;
    if reason is null then
      legal := legal || asked.id;
    else
      refused := refused || jsonb_build_object('id', asked.id, 'reason', reason);
    end if;
  end loop;
  update public.orders o set status = to_status where o.id = any (legal);
  return jsonb_build_object('moved', to_jsonb(legal), 'refused', refused);
end $$;

create function private.read_order_moves(moves jsonb) returns table (id uuid, seen timestamptz)
language plpgsql stable set search_path = '' as $$
begin
  return query select m.id, m.seen from jsonb_to_recordset(moves) as m (id uuid, seen timestamptz);
exception when data_exception then
  perform private.refuse('Choose the orders in the list.', 'moves');
end $$;

create function public.export_orders(filter jsonb, after jsonb, at timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 1000;
  sources text[] := private.order_sources(private.read_order_filter(filter), at);
  beyond text := case when after is null then 'true' else private.beyond_order('created_at', 'timestamptz', 'asc', after) end;
  answer jsonb;
begin
  execute format($q$
    select jsonb_build_object(
      'rows', coalesce(jsonb_agg(jsonb_build_array(
        o.number, to_char(o.created_at at time zone 'Asia/Kolkata', 'YYYY-MM-DD HH24:MI'), o.delivery_name, o.delivery_phone,
        nullif(o.delivery_building_no, ''), nullif(o.delivery_street, ''), nullif(o.delivery_city, ''), nullif(o.delivery_state, ''),
        nullif(o.delivery_zip, ''), private.items_in_short(o.id), o.sub_total::text, o.tax::text, o.shipping_charge::text, o.total_amount::text,
        to_char(coalesce(r.paise, 0) / 100.0, 'FM999999999990.00'), o.payment_status, o.payment_id, o.status,
        to_char(o.status_since at time zone 'Asia/Kolkata', 'YYYY-MM-DD HH24:MI'), o.source, o.fulfilment, o.courier,
        o.tracking_number, o.cancel_reason) order by k.key, k.id), '[]'),
      'next', case when count(*) = $1 then jsonb_build_object('key', max(k.key), 'id', (array_agg(k.id order by k.key desc, k.id desc))[1]) end)
    from (%s) k
    join public.orders o on o.id = k.id
    left join lateral (select sum(f.amount_paise) as paise from private.refunds f where f.order_id = o.id and f.status = 'processed') r on true$q$,
    private.order_page(sources, 'created_at', 'asc', format('o.created_at <= %L::timestamptz and %s', at, beyond), page_size))
  into answer using page_size;
  return answer;
end $$;

create function public.admin_undo_moves(moves jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  asked record;
  taken public.orders;
  last_event public.order_events;
  reason text;
  undone uuid[] := '{}';
  refused jsonb := '[]';
begin
  perform private.require_admin();
  if jsonb_typeof(moves) is distinct from 'array' or jsonb_array_length(moves) not between 1 and 100 then
    perform private.refuse('Choose between 1 and 100 orders.', 'moves');
  end if;

  perform from public.orders o
  where o.id in (select r.id from private.read_order_moves(moves) r)
  order by o.id for update;
  for asked in select distinct on (r.id) r.id, r.seen from private.read_order_moves(moves) r order by r.id loop
    select * into taken from public.orders o where o.id = asked.id;
    select * into last_event from public.order_events e where e.order_id = asked.id order by e.id desc limit 1;
    -- Locked, so that the worker does not begin to send it meanwhile; what it has begun is seen below.
    perform from private.outbox o where o.id in (select m.id from private.mails_of_event(last_event) m) for update;
    reason := case
      when taken.id is null then 'One of the orders does not exist.'
      when asked.seen is distinct from taken.updated_at
        then format('Order %s was changed by someone else. Reload and check it.', taken.number)
      else private.undo_refusal(taken, last_event)
    end;
    if reason is null then
      perform private.undo_move(taken, last_event);
      undone := undone || taken.id;
    else
      refused := refused || jsonb_build_object('id', asked.id, 'reason', reason);
    end if;
  end loop;
  return jsonb_build_object('undone', to_jsonb(undone), 'refused', refused);
end $$;

revoke execute on function public.export_orders(jsonb, jsonb, timestamptz) from public, anon, authenticated;
grant execute on function public.export_orders(jsonb, jsonb, timestamptz) to service_role;

-- 20_console/12_read_order.sql
create function private.order_lines(order_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', i.id, 'product_id', i.product_id, 'name', i.product_name, 'image', i.product_image, 'quantity', i.quantity,
    'size', i.size, 'has_size', i.has_size, 'unit_price_paise', (i.unit_price * 100)::bigint, 'gst_percent', i.gst_percent,
    'hsn', i.hsn, 'line_paise', (i.unit_price * 100 * i.size / 500 * i.quantity)::bigint,
    'grams', case when i.has_size then i.size else p.weight_grams end * i.quantity,
    'cost_paise', round(c.unit_cost * 100 * i.size / 500 * i.quantity)::bigint,
    'food_mark', p.food_mark, 'allergens', p.allergens, 'shelf_life_days', p.shelf_life_days) order by i.id), '[]')
  from public.order_items i
  join public."Products" p on p."Id" = i.product_id
  left join private.placed_items c on c.order_item_id = i.id
  where i.order_id = order_lines.order_id;
$$;

create function private.order_head(told public.orders) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', told.id, 'number', told.number, 'status', told.status, 'payment_status', told.payment_status, 'source', told.source,
    'fulfilment', told.fulfilment, 'placed_at', told.created_at, 'updated_at', told.updated_at, 'delivery_by', told.delivery_by,
    'sub_total_paise', (told.sub_total * 100)::bigint, 'tax_paise', (told.tax * 100)::bigint,
    'shipping_paise', (told.shipping_charge * 100)::bigint, 'shipping_tax_paise', private.order_shipping_tax(told),
    'total_paise', (told.total_amount * 100)::bigint,
    'delivery', jsonb_build_object(
      'name', told.delivery_name, 'phone', told.delivery_phone, 'building_no', told.delivery_building_no,
      'street', told.delivery_street, 'city', told.delivery_city, 'state', told.delivery_state, 'zip', told.delivery_zip),
    'courier', told.courier, 'tracking_number', told.tracking_number, 'tracking_url', nullif(told.tracking_url, ''),
    'cancel_reason', told.cancel_reason, 'canceled_goods', told.canceled_goods, 'offline_method', told.offline_method);
$$;

create function private.order_refunds(order_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', r.id, 'amount_paise', r.amount_paise, 'reason', r.reason, 'note', r.note, 'status', r.status,
    'is_by_hand', r.payment_id is null, 'is_retry', r.retry_of is not null, 'provider_refund_id', r.provider_refund_id,
    'asked_by', private.person_name(r.asked_by), 'created_at', r.created_at, 'processed_at', r.processed_at,
    'next_try_at', w.run_after,
    'can_retry', r.status = 'failed' and r.created_at = t.last_failed_at
                 and (t.returned_paise + t.under_way_paise < t.asked_paise or l.waits)) order by r.created_at desc, r.id), '[]')
  from private.refunds r
  left join private.outbox w on w.key = 'refund:' || r.id and w.done_at is null
  join private.order_refund_tries(order_refunds.order_id) t on t.first_try = coalesce(r.retry_of, r.id)
  cross join lateral (
    select coalesce(bool_or(o.run_after > now()) filter (where n.status = 'queued'), false) as waits
    from private.refunds n
    left join private.outbox o on o.key = 'refund:' || n.id and o.done_at is null
    where n.order_id = r.order_id and coalesce(n.retry_of, n.id) = coalesce(r.retry_of, r.id)
  ) l
  where r.order_id = order_refunds.order_id;
$$;

create function private.order_customer(user_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'user_id', u.id, 'name', private.person_name(u.id), 'email', u.email,
    -- As the customer's own page counts them: those that stand, and those that were canceled.
    'orders', (select count(*) from public.orders o where o.user_id = u.id and o.status <> 'canceled'),
    'canceled', (select count(*) from public.orders o where o.user_id = u.id and o.status = 'canceled'),
    'is_blocked', r.blocked_at is not null, 'notes', coalesce(r.notes, ''), 'tags', coalesce(to_jsonb(r.tags), '[]'))
  from auth.users u left join private.customer_records r on r.user_id = u.id
  where u.id = order_customer.user_id;
$$;

create function public.admin_read_order(order_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  told public.orders;
  last_event public.order_events;
begin
  perform private.require_admin();
  select * into told from public.orders o where o.id = admin_read_order.order_id;
  if told.id is null then
    return null;
  end if;
  select * into last_event from public.order_events e where e.order_id = told.id order by e.id desc limit 1;
  return private.order_head(told) || jsonb_build_object(
    'lines', private.order_lines(told.id),
    'payment', (
      select jsonb_build_object('payment_id', p.payment_id, 'provider_order_id', p.provider_order_id, 'method', p.method,
                                'amount_paise', p.amount_paise, 'fee_paise', p.fee_paise, 'status', p.status, 'captured_at', p.captured_at)
      from private.payments p where p.order_id = told.id and p.status in ('captured', 'refunded') limit 1),
    'money', (select to_jsonb(m) - 'standing' - 'payment_id' from private.order_money(told.id) m),
    'refundable_lines', (select coalesce(jsonb_agg(to_jsonb(l)), '[]') from private.refundable_lines(told.id) l),
    'refunds', private.order_refunds(told.id),
    'events', (
      select jsonb_agg(jsonb_build_object(
        'id', e.id, 'from_status', e.from_status, 'to_status', e.to_status, 'role', e.actor_role,
        'by', private.person_name(a.actor_id), 'note', e.public_note, 'at', e.created_at, 'undoes', e.undoes) order by e.id)
      from public.order_events e left join private.order_event_actors a on a.event_id = e.id
      where e.order_id = told.id),
    'undo', case when private.undo_refusal(told, last_event) is null then jsonb_build_object(
      'to_status', last_event.from_status,
      'seconds_left', ceil(extract(epoch from last_event.created_at + private.undo_time() - now()))) end,
    -- What administrators changed besides the status, from their log.
    'changes', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', l.id, 'at', l.at, 'by', private.person_name(l.actor_id), 'before', l.before, 'after', l.after) order by l.id), '[]')
      from (select * from public.audit_log g
            where g.table_name = 'orders' and g.row_id = told.id::text and g.action = 'update'
            order by g.at desc, g.id desc limit 200) l),
    'notes', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', n.id, 'note', n.note, 'by', private.person_name(n.author_id), 'at', n.created_at) order by n.id desc), '[]')
      from private.order_notes n where n.order_id = told.id),
    'customer', private.order_customer(told.user_id),
    'mails', private.order_mail_log(told.id));
end $$;

create function public.admin_print_orders(order_ids uuid[]) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  if coalesce(cardinality(order_ids), 0) > 100 then
    perform private.refuse('At most 100 orders are printed at once.');
  end if;
  return jsonb_build_object(
    'shop', (select jsonb_build_object('name', s.name, 'address', s.address, 'fssai_number', s.fssai_number, 'gstin', s.gstin,
                                       'email', s.email, 'whatsapp_number', s.whatsapp_number) from public.shop_settings s),
    'orders', (
      select coalesce(jsonb_agg(private.order_head(o) || jsonb_build_object('lines', private.order_lines(o.id), 'note', (
               select coalesce(string_agg(n.note, E'\n' order by n.id), '') from private.order_notes n where n.order_id = o.id and n.on_paper)) order by w.place), '[]')
      from (select u.id, min(u.place) as place from unnest(order_ids) with ordinality u (id, place) group by u.id) w
      join public.orders o on o.id = w.id));
end $$;

create function public.admin_resend_mail(order_id uuid, mail_key text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  letter record;
begin
  perform private.require_admin();
  select * into letter from private.order_mails(admin_resend_mail.order_id) m where m.key = mail_key;
  if letter.key is null then
    raise sqlstate 'PT404' using message = 'Email not found.';
  elsif not exists (select from public.orders o join auth.users u on u.id = o.user_id
                    where o.id = admin_resend_mail.order_id and u.email is not null) then
    perform private.refuse('No email address for this customer.');
  elsif not private.take_turn('resend-mail', admin_resend_mail.order_id::text, 5, interval '1 hour') then
    perform private.refuse('Five mails of this order were sent again within the hour. Please wait a little.');
  end if;
  insert into private.outbox (kind, key, payload)
  values ('mail', 'mail:again:' || gen_random_uuid(), letter.payload || jsonb_build_object('again', letter.key));
  return jsonb_build_object('template', letter.template);
end $$;

-- 20_console/13_work_on_orders.sql
create function private.order_as_seen(order_id uuid, seen timestamptz) returns public.orders
language plpgsql set search_path = '' as $$
declare
  taken public.orders;
begin
  select * into taken from public.orders o where o.id = order_as_seen.order_id for no key update;
  if taken.id is null then
    raise sqlstate 'PT404' using message = 'Order not found.';
  end if;
  perform private.expect_unchanged(seen, taken.updated_at);
  return taken;
end $$;

create function public.admin_move_order(
  order_id uuid, to_status text, seen timestamptz, public_note text default '',
  courier text default null, tracking_number text default null, tracking_url text default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.orders;
  note text;
begin
  perform private.require_admin();
  taken := private.order_as_seen(order_id, seen);
  note := private.typed(public_note, 'public_note', 'The note', 500, is_one_line => false);
  if to_status is null or not exists (select from private.order_status_edges e where e.to_status = admin_move_order.to_status) then
    perform private.refuse('Choose where the order goes next.', 'to_status');
  elsif to_status = 'canceled' then
    perform private.refuse('Cancel the order instead: that asks for a reason.', 'to_status');
  elsif to_status = 'Refunded' and (select m.refundable_paise from private.order_money(taken.id) m) > 0 then
    perform private.refuse('Refund the whole amount instead: the order becomes Refunded with it.', 'to_status');
  end if;
  perform set_config('shop.public_note', note, true);
  if to_status = 'Shipped' then
    update public.orders o
    set status = 'Shipped',
        courier = nullif(private.typed(admin_move_order.courier, 'courier', 'The courier', 80), ''),
        tracking_number = nullif(private.typed(admin_move_order.tracking_number, 'tracking_number', 'The tracking number', 80), ''),
        tracking_url = nullif(private.typed_link(admin_move_order.tracking_url, 'tracking_url', 'The tracking link'), '')
    where o.id = taken.id returning * into taken;
  else
    update public.orders o set status = admin_move_order.to_status where o.id = taken.id returning * into taken;
  end if;
  perform set_config('shop.public_note', '', true);
  return jsonb_build_object('status', taken.status, 'updated_at', taken.updated_at);
end $$;

create function public.admin_change_tracking(
  order_id uuid, courier text, tracking_number text, tracking_url text, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.orders;
begin
  perform private.require_admin();
  taken := private.order_as_seen(order_id, seen);
  if taken.fulfilment <> 'delivery' or taken.status not in ('Shipped', 'Undelivered', 'Delivered') then
    perform private.refuse('The order has not left us.', 'courier');
  end if;
  update public.orders o
  set courier = nullif(private.typed(admin_change_tracking.courier, 'courier', 'The courier', 80), ''),
      tracking_number = nullif(private.typed(admin_change_tracking.tracking_number, 'tracking_number', 'The tracking number', 80), ''),
      tracking_url = nullif(private.typed_link(admin_change_tracking.tracking_url, 'tracking_url', 'The tracking link'), '')
  where o.id = taken.id returning * into taken;
  return jsonb_build_object('updated_at', taken.updated_at);
end $$;

create function public.admin_cancel_order(order_id uuid, reason text, goods text, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.orders;
begin
  perform private.require_admin();
  taken := private.order_as_seen(order_id, seen);
  if goods is null or goods not in ('stock', 'wastage') then
    perform private.refuse('Choose what happens to the items: return to stock, or write off as wastage.', 'goods');
  end if;
  update public.orders o
  set status = 'canceled', canceled_goods = admin_cancel_order.goods,
      cancel_reason = private.typed(admin_cancel_order.reason, 'reason', 'The reason', 300, is_needed => true)
  where o.id = taken.id returning * into taken;
  return jsonb_build_object('status', taken.status, 'updated_at', taken.updated_at);
end $$;

create function public.admin_refund_order(
  order_id uuid, amount_paise bigint, reason text, seen timestamptz, order_item_id bigint default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.orders;
  money record;
  why text;
  refund_id uuid;
  line_paise bigint;
  is_all boolean;
begin
  perform private.require_admin();
  taken := private.order_as_seen(order_id, seen);
  select * into money from private.order_money(taken.id);
  why := private.typed(reason, 'reason', 'The reason', 300, is_needed => true);
  if money.paid_paise = 0 then
    perform private.refuse('Nothing was paid for this order.', 'amount_paise');
  elsif money.refundable_paise = 0 then
    perform private.refuse('All that was paid is refunded or on its way back.', 'amount_paise');
  elsif amount_paise is null or amount_paise <= 0 then
    perform private.refuse('Type an amount above zero.', 'amount_paise');
  elsif amount_paise > money.refundable_paise then
    perform private.refuse(format('At most %s can be refunded.', private.rupees(money.refundable_paise)), 'amount_paise');
  end if;
  if order_item_id is not null then
    line_paise := (select l.paise from private.refundable_lines(taken.id) l where l.order_item_id = admin_refund_order.order_item_id);
    if line_paise is null then
      perform private.refuse('This item is not in the order.', 'amount_paise');
    elsif line_paise <= 0 then
      perform private.refuse('This item is already refunded.', 'amount_paise');
    elsif amount_paise > line_paise then
      perform private.refuse(format('At most %s can be refunded for this item.', private.rupees(line_paise)), 'amount_paise');
    end if;
  end if;
  is_all := amount_paise = money.refundable_paise;

  if money.payment_id is null then
    insert into private.refunds (order_id, amount_paise, reason, note, asked_by, status, processed_at, order_item_id)
    values (taken.id, admin_refund_order.amount_paise, 'order refunded', why, auth.uid(), 'processed', now(), admin_refund_order.order_item_id)
    returning id into refund_id;
  else
    -- Money asked for after a refund that failed for good takes its place, as far as it goes.
    refund_id := private.new_refund(money.payment_id, taken.id, amount_paise, 'order refunded', now(), now(),
                                    why, auth.uid(), private.lost_refund(taken.id), order_item_id);
  end if;
  select * into money from private.order_money(taken.id);
  update public.orders o
  set status = case when is_all and o.status in ('Delivered', 'Collected') then 'Refunded' else o.status end,
      payment_status = money.standing
  where o.id = taken.id returning * into taken;
  return jsonb_build_object('refund_id', refund_id, 'status', taken.status, 'payment_status', taken.payment_status,
                            'updated_at', taken.updated_at);
end $$;

create function private.lost_refund(order_id uuid) returns uuid
language sql stable set search_path = '' as $$
  select t.first_try from private.order_refund_tries(lost_refund.order_id) t
  where t.last_failed_at is not null and t.returned_paise + t.under_way_paise < t.asked_paise
  order by t.last_failed_at desc, t.first_try limit 1;
$$;

create function public.admin_retry_refund(order_id uuid, refund_id uuid, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.orders;
  failed private.refunds;
  tries record;
  missing bigint;
  refundable bigint;
  another uuid;
begin
  perform private.require_admin();
  taken := private.order_as_seen(order_id, seen);
  select * into failed from private.refunds r
  where r.id = admin_retry_refund.refund_id and r.order_id = taken.id and r.status = 'failed';
  if failed.id is null then
    raise sqlstate 'PT404' using message = 'Failed refund not found.';
  end if;
  select * into tries from private.order_refund_tries(taken.id) t where t.first_try = coalesce(failed.retry_of, failed.id);
  with hurried as (
    update private.outbox o set run_after = now()
    from private.refunds r
    where r.order_id = taken.id and r.status in ('queued', 'pending') and coalesce(r.retry_of, r.id) = tries.first_try
      and o.key = 'refund:' || r.id and o.done_at is null
    returning r.id
  )
  update private.refunds r set hurried_at = now(), asked_by = auth.uid()
  from hurried h where r.id = h.id
  returning r.id into another;
  missing := tries.asked_paise - tries.returned_paise - tries.under_way_paise;
  if missing > 0 then
    refundable := (select m.refundable_paise from private.order_money(taken.id) m);
    if missing > refundable then
      perform private.refuse(format('At most %s can be refunded.', private.rupees(refundable)));
    end if;
    -- For its sweet, as long as that still has so much to give back.
    another := private.new_refund(failed.payment_id, taken.id, missing, failed.reason, now(), now(), failed.note, auth.uid(), tries.first_try,
      (select l.order_item_id from private.refundable_lines(taken.id) l where l.order_item_id = failed.order_item_id and l.paise >= missing));
  elsif another is null then
    perform private.refuse('This refund is already on its way.');
  end if;
  update public.orders o set payment_status = o.payment_status where o.id = taken.id returning * into taken;
  return jsonb_build_object('refund_id', another, 'updated_at', taken.updated_at);
end $$;

create function public.admin_mark_order_paid(order_id uuid, method text, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.orders;
begin
  perform private.require_admin();
  taken := private.order_as_seen(order_id, seen);
  if taken.source <> 'manual' or taken.payment_status <> 'unpaid' or taken.status in ('canceled', 'Refunded') then
    perform private.refuse('Only a phone order that is unpaid can be marked as paid.');
  elsif method is null or method not in ('cash', 'upi', 'card', 'bank') then
    perform private.refuse('Choose a payment mode.', 'method');
  end if;
  update public.orders o set payment_status = 'paid_offline', offline_method = admin_mark_order_paid.method
  where o.id = taken.id returning * into taken;
  return jsonb_build_object('payment_status', taken.payment_status, 'updated_at', taken.updated_at);
end $$;

create function private.typed_delivery(delivery jsonb, fulfilment text) returns jsonb
language plpgsql immutable set search_path = '' as $$
declare
  is_needed boolean := fulfilment = 'delivery';
  tidied jsonb := jsonb_build_object(
    'name', private.typed(delivery ->> 'name', 'name', 'The name', 120, is_needed => true),
    'phone', private.typed(delivery ->> 'phone', 'phone', 'The phone number', 20, is_needed => true),
    'building_no', private.typed(delivery ->> 'building_no', 'building_no', 'The building', 120, is_needed),
    'street', private.typed(delivery ->> 'street', 'street', 'The street', 200, is_needed),
    'city', private.typed(delivery ->> 'city', 'city', 'The city', 80, is_needed),
    'state', private.typed(delivery ->> 'state', 'state', 'The state', 80, is_needed),
    'zip', private.typed(delivery ->> 'zip', 'zip', 'The pincode', 6, is_needed));
begin
  if tidied ->> 'phone' !~ '^(\+91[ -]?)?[6-9][0-9]{9}$' then
    perform private.refuse('A mobile number has ten digits and begins with 6 to 9.', 'phone');
  elsif tidied ->> 'zip' !~ '^([1-9][0-9]{5})?$' then
    perform private.refuse('A pincode has six digits and does not begin with 0.', 'zip');
  end if;
  return tidied;
end $$;

create function public.admin_change_address(order_id uuid, delivery jsonb, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.orders;
  typed jsonb;
  zone public.delivery_zones;
  journey record;
  spoiled jsonb;
begin
  perform private.require_admin();
  taken := private.order_as_seen(order_id, seen);
  if taken.status not in ('Pending', 'Confirmed', 'Preparing') then
    perform private.refuse('The address cannot change once the order is packed.');
  end if;
  typed := private.typed_delivery(delivery, taken.fulfilment);
  if taken.fulfilment = 'delivery' and typed ->> 'zip' <> taken.delivery_zip then
    zone := private.zone_of(typed ->> 'zip');
    if zone.id is null then
      perform private.refuse(format('We do not deliver to %s.', typed ->> 'zip'), 'zip');
    end if;
    -- It has not left us: another place is promised a day from now on.
    select * into journey from private.promise(now(), zone.max_days);
    if journey.arrives_on is null then
      perform private.refuse('The shop is closed for too long to promise a date. Change the closures first, then the address.', 'zip');
    end if;
    taken.delivery_by := journey.arrives_on;
    spoiled := private.spoiled(array(select i.product_id from public.order_items i where i.order_id = taken.id),
                               journey.arrives_on - journey.leaves_on);
  end if;
  update public.orders o
  set delivery_name = typed ->> 'name', delivery_phone = typed ->> 'phone', delivery_building_no = typed ->> 'building_no',
      delivery_street = typed ->> 'street', delivery_city = typed ->> 'city', delivery_state = typed ->> 'state',
      delivery_zip = typed ->> 'zip', delivery_by = taken.delivery_by
  where o.id = taken.id returning * into taken;
  return jsonb_build_object('updated_at', taken.updated_at, 'delivery_by', taken.delivery_by, 'spoiled', coalesce(spoiled, '[]'));
end $$;

create function public.admin_add_order_note(order_id uuid, note text, entry_id uuid default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  added private.order_notes;
  typed_note text;
begin
  perform private.require_admin();
  if not exists (select from public.orders o where o.id = admin_add_order_note.order_id) then
    raise sqlstate 'PT404' using message = 'Order not found.';
  end if;
  typed_note := private.typed(admin_add_order_note.note, 'note', 'The note', 2000, is_needed => true, is_one_line => false);
  insert into private.order_notes as n (order_id, author_id, note, entry_id)
  values (admin_add_order_note.order_id, auth.uid(), typed_note, admin_add_order_note.entry_id)
  on conflict on constraint order_notes_entry_id_key do nothing
  returning * into added;
  if added.id is null then
    select * into added from private.order_notes n where n.entry_id = admin_add_order_note.entry_id;
    if (added.order_id, added.note) is distinct from (admin_add_order_note.order_id, typed_note) then
      raise sqlstate 'PT409' using message = 'This note was already added. Check it before you add another.', detail = 'stale';
    end if;
  end if;
  return jsonb_build_object('id', added.id);
end $$;

-- 20_console/14_phone_orders.sql
create function public.admin_find_sweets(search text) returns jsonb
language plpgsql stable security definer set search_path = '' set cpu_operator_cost = 0.02 as $$
declare
  typed text := left(btrim(regexp_replace(coalesce(search, ''), '[[:space:]]+', ' ', 'g')), 60);
  small constant text := lower(typed);
  words text[];
  others text[];
  found_ids bigint[];
begin
  perform private.require_admin();
  words := array(select '%' || replace(replace(replace(w, '\', '\\'), '%', '\%'), '_', '\_') || '%'
                 from unnest(string_to_array(small, ' ')) w where w <> '' order by char_length(w) desc);
  if cardinality(words) = 0 then
    return '[]';
  end if;
  -- The longest word by itself, because an index can be asked for it. To make letters small is most of the work, so it is
  -- done as rarely as can be.
  others := words[2:];
  found_ids := array(
    select p."Id" from public."Products" p
    where p.is_listed and p.archived_at is null and lower(p."Name") like words[1]
      and (others = '{}' or lower(p."Name") like all (others))
    order by not starts_with(lower(p."Name"), small), p."Rating" desc nulls last, p."Id" limit 8);
  if cardinality(found_ids) = 0 then
    perform set_config('pg_trgm.word_similarity_threshold', '0.45', true);
    found_ids := array(
      select p."Id" from public."Products" p
      where p.is_listed and p.archived_at is null and typed operator(extensions.<%) p."Name"
      order by extensions.word_similarity(typed, p."Name") desc, p."Rating" desc nulls last, p."Id" limit 8);
  end if;
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'product_id', p."Id", 'name', p."Name", 'image', p."Image", 'category', p."Category", 'has_size', p."hasSize",
      'price_paise', (p."Price" * 100)::bigint, 'left', greatest(s.on_hand - s.reserved, 0)) order by f.place), '[]')
    from unnest(found_ids) with ordinality f (id, place)
    join public."Products" p on p."Id" = f.id
    join public.stock_levels s on s.product_id = p."Id");
end $$;

create function public.admin_find_callers(phone text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  digits text := right(regexp_replace(coalesce(phone, ''), '\D', '', 'g'), 10);
begin
  perform private.require_admin();
  if char_length(digits) < 10 then
    return '[]';
  end if;
  return (
    with earlier as (
      select o.* from public.orders o
      where right(regexp_replace(o.delivery_phone, '\D', '', 'g'), 10) = digits order by o.created_at desc limit 100
    ), known as (
      select p.user_id, private.person_name(p.user_id) as name, coalesce(p.building_no, '') as building_no,
             coalesce(p.street, '') as street, coalesce(p.city, '') as city, coalesce(p.state, '') as state,
             coalesce(p.zip, '') as zip, p.updated_at as at, 1 as place
      from public.user_profiles p where right(regexp_replace(p.phone, '\D', '', 'g'), 10) = digits
      union all
      select e.user_id, e.delivery_name, e.delivery_building_no, e.delivery_street, e.delivery_city, e.delivery_state,
             e.delivery_zip, e.created_at, 2
      from earlier e
    ), people as (
      select distinct on (coalesce(k.user_id::text, lower(k.name))) k.*
      from known k order by coalesce(k.user_id::text, lower(k.name)), k.zip = '', k.place, k.at desc
    )
    select coalesce(jsonb_agg(jsonb_build_object(
      'user_id', c.user_id, 'name', c.name, 'building_no', c.building_no, 'street', c.street, 'city', c.city, 'state', c.state,
      'zip', c.zip,
      'orders', case when c.user_id is not null then (select count(*) from public.orders o where o.user_id = c.user_id)
                     else (select count(*) from earlier e where e.user_id is null and lower(e.delivery_name) = lower(c.name)) end,
      'is_blocked', r.blocked_at is not null, 'notes', coalesce(r.notes, '')) order by c.zip = '', c.place, c.at desc), '[]')
    from (select * from people p order by p.zip = '', p.place, p.at desc limit 5) c
    left join private.customer_records r on r.user_id = c.user_id);
end $$;

create function private.typed_lines(lines jsonb) returns jsonb
language plpgsql immutable set search_path = '' as $$
begin
  if jsonb_typeof(lines) is distinct from 'array' or jsonb_array_length(lines) not between 1 and 40 then
    perform private.refuse('Add at least one item.', 'lines');
  elsif exists (
    select from jsonb_array_elements(lines) l
    where coalesce(l ->> 'product_id', '') !~ '^[1-9][0-9]{0,15}$' or coalesce(l ->> 'size', '') not in ('500', '1000')
       or coalesce(l ->> 'quantity', '') !~ '^([1-9]|1[0-9]|2[0-5])$') then
    perform private.refuse('Enter a quantity from 1 to 25 and a size for each item.', 'lines');
  end if;
  return lines;
end $$;

create function private.say_refusal(refusal jsonb) returns text
language sql immutable set search_path = '' as $$
  select case refusal ->> 'reason'
    when 'unknown-product' then 'An item in this order is no longer available. Remove it and choose again.'
    when 'size-not-offered' then format('%s is not sold by weight.', refusal ->> 'product')
    when 'too-many' then 'An order can have at most 25 of one item and size.'
    when 'too-heavy' then 'One order can weigh at most 30 kg.'
    when 'outside-zones' then format('We do not deliver to %s.', refusal ->> 'pincode')
    when 'not-available' then format('%s is not on sale.', refusal ->> 'product')
    when 'not-enough-stock' then
      case when (refusal ->> 'left')::integer <= 0 then format('%s is sold out.', refusal ->> 'product')
           else format('Only %s of %s left.', case
             when refusal ->> 'unit' = 'pieces' then (refusal ->> 'left') || case refusal ->> 'left' when '1' then ' piece' else ' pieces' end
             when (refusal ->> 'left')::integer >= 1000 then trim_scale((refusal ->> 'left')::numeric / 1000) || ' kg'
             else (refusal ->> 'left') || ' g' end, refusal ->> 'product') end
    else 'This order cannot be taken.' end;
$$;

create function private.manual_shipping(quote private.quotes, shipping_paise bigint) returns bigint
language plpgsql immutable set search_path = '' as $$
begin
  if shipping_paise is not null and shipping_paise not between 0 and 1000000 then
    perform private.refuse('Shipping is between ₹0 and ₹10,000.', 'shipping_paise');
  end if;
  return case when quote.fulfilment = 'pickup' then 0 else coalesce(shipping_paise, quote.shipping_paise) end;
end $$;

create function public.admin_price_order(lines jsonb, fulfilment text, pincode text default '', shipping_paise bigint default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  lacks_pincode boolean := fulfilment = 'delivery' and coalesce(pincode, '') !~ '^[1-9][0-9]{5}$';
  priced record;
  quote private.quotes;
  shipping bigint;
begin
  perform private.require_admin();
  select * into priced from private.price_order(
    private.typed_lines(lines), pincode, 'manual', case when lacks_pincode then 'pickup' else fulfilment end, null, now());
  quote := priced.quote;
  if quote.total_paise is not null and not lacks_pincode then
    shipping := private.manual_shipping(quote, shipping_paise);
  end if;
  return jsonb_build_object(
    'lines', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'product_id', l.product_id, 'size', l.size, 'quantity', l.quantity, 'line_paise', l.line_paise,
        'left', greatest(s.on_hand - s.reserved, 0)) order by l.product_id, l.size), '[]')
      from jsonb_to_recordset(quote.lines) as l (product_id bigint, size integer, quantity integer, line_paise bigint)
      join public.stock_levels s on s.product_id = l.product_id),
    'sub_total_paise', quote.sub_total_paise, 'tax_paise', quote.tax_paise, 'grams', coalesce(priced.grams, 0),
    'zone_shipping_paise', case when shipping is not null then quote.shipping_paise end, 'shipping_paise', shipping,
    'cart_shipping_paise', case when shipping is not null and fulfilment = 'delivery'
                                then private.shipping_paise(private.zone_of(pincode), priced.grams, 'cart') end,
    'shipping_tax_paise', case when shipping is not null and private.is_registered() then (
      select private.shipping_tax_paise(shipping, array_agg(l.hsn), array_agg(l.gst_percent), array_agg(l.line_paise))
      from jsonb_to_recordset(quote.lines) as l (hsn text, gst_percent numeric, line_paise numeric)) else 0 end,
    'total_paise', quote.sub_total_paise + quote.tax_paise + shipping,
    'delivery_by', case when shipping is not null then quote.delivery_by end,
    'spoiled', coalesce(priced.spoiled, '[]'),
    'problem', case when priced.refusal is not null
                    then jsonb_build_object('message', private.say_refusal(priced.refusal), 'field',
                           case priced.refusal ->> 'reason' when 'outside-zones' then 'zip' else 'lines' end) end);
end $$;

create function public.admin_take_order(
  order_id uuid, lines jsonb, fulfilment text, delivery jsonb, total_paise bigint, shipping_paise bigint default null,
  offline_method text default null, customer_id uuid default null, note text default '') returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  placed public.orders;
  typed jsonb;
  typed_note text;
  priced record;
  quote private.quotes;
begin
  perform private.require_admin();
  if order_id is null then
    perform private.refuse('The order has no id.');
  end if;
  perform pg_advisory_xact_lock(hashtextextended('take order ' || order_id, 0));
  select * into placed from public.orders o where o.id = admin_take_order.order_id;
  if placed.id is not null then
    return jsonb_build_object('id', placed.id, 'number', placed.number, 'is_new', false);
  end if;

  if fulfilment is null or fulfilment not in ('delivery', 'pickup') then
    perform private.refuse('Choose delivery or pickup.', 'fulfilment');
  elsif offline_method not in ('cash', 'upi', 'card', 'bank') then
    perform private.refuse('Choose a payment mode.', 'offline_method');
  elsif customer_id is not null and not exists (select from auth.users u where u.id = customer_id) then
    perform private.refuse('This customer is no longer there.', 'phone');
  end if;
  lines := private.typed_lines(lines);
  typed := private.typed_delivery(delivery, fulfilment);
  typed_note := private.typed(note, 'note', 'The note', 2000, is_one_line => false);
  perform private.lock_stock(array(select (l ->> 'product_id')::bigint from jsonb_array_elements(lines) l));
  select * into priced from private.price_order(lines, typed ->> 'zip', 'manual', fulfilment, null, now());
  if priced.refusal is not null then
    perform private.refuse(private.say_refusal(priced.refusal),
                           case priced.refusal ->> 'reason' when 'outside-zones' then 'zip' else 'lines' end);
  end if;
  quote := priced.quote;
  quote.shipping_paise := private.manual_shipping(quote, shipping_paise);
  quote.total_paise := quote.sub_total_paise + quote.tax_paise + quote.shipping_paise;
  if total_paise is distinct from quote.total_paise then
    perform private.refuse(format('The total is %s now. Tell the customer, then save again.', private.rupees(quote.total_paise)), 'total_paise');
  end if;

  insert into public.orders (id, user_id, payment_status, offline_method, source, fulfilment, sub_total, tax, shipping_charge,
                             total_amount, delivery_name, delivery_phone, delivery_building_no, delivery_street,
                             delivery_city, delivery_state, delivery_zip, delivery_by)
  values (admin_take_order.order_id, customer_id, case when offline_method is null then 'unpaid' else 'paid_offline' end,
          admin_take_order.offline_method, 'manual', quote.fulfilment, quote.sub_total_paise / 100.0, quote.tax_paise / 100.0,
          quote.shipping_paise / 100.0, quote.total_paise / 100.0, typed ->> 'name', typed ->> 'phone', typed ->> 'building_no',
          typed ->> 'street', typed ->> 'city', typed ->> 'state', typed ->> 'zip', quote.delivery_by)
  returning * into placed;
  perform private.fill_order(placed, quote, was_reserved => false);
  if typed_note <> '' then
    insert into private.order_notes (order_id, author_id, note, on_paper) values (placed.id, auth.uid(), typed_note, true);
  end if;
  return jsonb_build_object('id', placed.id, 'number', placed.number, 'is_new', true);
end $$;

-- 20_console/15_couriers.sql
create function private.is_tracking_pattern(pattern text) returns boolean
language sql immutable set search_path = '' as $$
  select char_length(pattern) <= 300
    and pattern ~ '^https://[a-zA-Z0-9.-]+(:[0-9]{1,5})?/[^\\[:space:]<>"{}]*\{tracking\}[^\\[:space:]<>"{}]*$';
$$;

create table private.couriers (
  id bigint generated always as identity primary key,
  name text not null check (char_length(name) between 1 and 80 and name = btrim(name) and name !~ '[[:cntrl:]]'),
  tracking_pattern text not null default '' check (tracking_pattern = '' or private.is_tracking_pattern(tracking_pattern)),
  updated_at timestamptz not null default now()
);
create unique index couriers_name_idx on private.couriers (lower(name));
alter table private.couriers enable row level security;

create trigger couriers_touch before update on private.couriers
  for each row execute function private.touch_updated_at();
create trigger couriers_audit after insert or update or delete on private.couriers
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');

create function public.admin_list_couriers() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', c.id, 'name', c.name, 'tracking_pattern', c.tracking_pattern, 'updated_at', c.updated_at)
      order by lower(c.name), c.id), '[]')
    from private.couriers c);
end $$;

create function public.admin_save_courier(
  name text, tracking_pattern text default '', courier_id bigint default null, seen timestamptz default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken private.couriers;
  typed_name text;
  pattern text := btrim(coalesce(tracking_pattern, ''));
begin
  perform private.require_admin();
  perform pg_advisory_xact_lock(hashtextextended('couriers', 0));
  if courier_id is not null then
    select * into taken from private.couriers c where c.id = courier_id for update;
    if taken.id is null then
      raise sqlstate 'PT409' using message = 'This courier was deleted by someone else.', detail = 'stale';
    end if;
    perform private.expect_unchanged(seen, taken.updated_at);
  end if;
  typed_name := private.typed(name, 'name', 'The name', 80, is_needed => true);
  if exists (select from private.couriers c where lower(c.name) = lower(typed_name) and c.id is distinct from courier_id) then
    perform private.refuse(format('There is a courier called %s already.', typed_name), 'name');
  elsif pattern <> '' and pattern !~ '^https://' then
    perform private.refuse('A tracking address begins with https://.', 'tracking_pattern');
  elsif char_length(pattern) > 300 then
    perform private.refuse('A tracking address has at most 300 characters.', 'tracking_pattern');
  elsif pattern <> '' and not private.is_tracking_pattern(pattern) then
    perform private.refuse('Write the address of the tracking page with {tracking} once, where the number goes.', 'tracking_pattern');
  elsif taken.id is null and (select count(*) from private.couriers) >= 100 then
    perform private.refuse('There are 100 couriers already. Delete one first.', 'name');
  end if;
  if taken.id is null then
    insert into private.couriers (name, tracking_pattern) values (typed_name, pattern) returning * into taken;
  else
    update private.couriers c set name = typed_name, tracking_pattern = pattern where c.id = taken.id returning * into taken;
  end if;
  return jsonb_build_object('id', taken.id, 'updated_at', taken.updated_at);
end $$;

create function public.admin_delete_courier(courier_id bigint, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken private.couriers;
begin
  perform private.require_admin();
  select * into taken from private.couriers c where c.id = courier_id for update;
  perform private.expect_unchanged(seen, taken.updated_at);
  delete from private.couriers c where c.id = taken.id;
  return jsonb_build_object('id', taken.id);
end $$;

-- 20_console/20_list_products.sql
create function private.product_row(product public."Products", stock public.stock_levels, unit_cost numeric) returns json
language sql stable as $$
  select json_build_object(
    'id', product."Id", 'name', product."Name", 'category', product."Category", 'image', product."Image",
    'price_paise', (product."Price" * 100)::bigint, 'regular_price_paise', (product.regular_price * 100)::bigint,
    'offer_percent', product.offer_percent, 'gst_percent', trim_scale(product.gst_percent), 'has_size', product."hasSize",
    'is_listed', product.is_listed, 'is_available', product.isavailable, 'archived_at', product.archived_at,
    'rating', product."Rating", 'review_count', product.review_count,
    'on_hand', stock.on_hand, 'reserved', stock.reserved, 'low_at', stock.low_at,
    'unit_cost_paise', (unit_cost * 100)::bigint,
    'updated_at', product.updated_at, 'food_mark', product.food_mark,
    'missing_facts', private.missing_facts(product.food_mark, product.ingredients, product.allergens, product.shelf_life_days,
                                           product.storage, product.weight_grams));
$$;

create function private.product_condition(filter jsonb) returns text
language plpgsql immutable set search_path = '' as $$
declare
  search text := btrim(coalesce(filter ->> 'search', ''));
  by_name text := (select string_agg(format('lower(p."Name") like lower(($2)[%s])', place), ' and ')
                   from generate_series(1, cardinality(private.search_patterns(search))) place);
  by_state text := case coalesce(filter ->> 'state', 'current')
    when 'all' then 'true'
    when 'current' then 'p.archived_at is null'
    when 'listed' then 'p.archived_at is null and p.is_listed'
    when 'available' then 'p.isavailable'
    when 'sold_out' then 'p.archived_at is null and p.is_listed and not p.isavailable'
    when 'facts_missing' then 'p.archived_at is null and p.is_listed and private.missing_facts(p.food_mark, p.ingredients, '
      || 'p.allergens, p.shelf_life_days, p.storage, p.weight_grams) <> ''{}'''
    when 'offer_unbacked' then 'p.archived_at is null and not private.is_offer_backed(p.offer_percent, p."Price", p.regular_price)'
    when 'unlisted' then 'p.archived_at is null and not p.is_listed'
    when 'archived' then 'p.archived_at is not null' end;
  by_stock text := case coalesce(filter ->> 'stock', 'any')
    when 'any' then 'true'
    when 'low' then 's.on_hand > 0 and s.on_hand - s.reserved <= s.low_at'
    when 'out' then 's.on_hand = 0' end;
begin
  if by_state is null or by_stock is null then
    perform private.refuse('The list cannot be filtered like this.', case when by_state is null then 'state' else 'stock' end);
  end if;
  return concat_ws(' and ', by_state, by_stock,
    case when coalesce(filter ->> 'category', '') <> '' then 'p."Category" = $1 ->> ''category''' end,
    case when search ~ '^#?[0-9]{1,15}$' then format('(p."Id" = ltrim($1 ->> ''search'', '' #'')::bigint or %s)', by_name)
         when by_name is not null then by_name end);
end $$;

create function public.admin_list_products(
  filter jsonb default '{}', sort text default 'name', descending boolean default false, after jsonb default null,
  page_size integer default 50)
returns json
language plpgsql security definer set search_path = '' set cpu_operator_cost = 0.02 as $$
declare
  max_count constant integer := 10000;
  condition text;
  -- Stock is compared in packs, so that 3 kg do not count for more than 100 boxes.
  sort_key text := case sort
    when 'name' then 'lower(p."Name")'
    when 'price' then 'p."Price"'
    when 'stock' then '(s.on_hand - s.reserved)::numeric / case when p."hasSize" then 500 else 1 end'
    when 'rating' then 'coalesce(p."Rating", 0)'
    when 'margin' then 'm.margin'
    when 'changed' then 'p.updated_at' end;
  sort_id text := case sort when 'margin' then 'm.product_id' else 'p."Id"' end;
  kind text := case sort when 'name' then 'text' when 'changed' then 'timestamptz' else 'numeric' end;
  direction text := case when descending then 'desc' else 'asc' end;
  stock constant text := ' join public.stock_levels s on s.product_id = p."Id"';
  here text := 'public."Products" p';
  beyond text;
  patterns text[];
  answer json;
begin
  perform private.require_admin();
  if sort_key is null then
    perform private.refuse('The list cannot be sorted like this.', 'sort');
  end if;
  if page_size is null or page_size not between 1 and 2000 then
    perform private.refuse('A page has 1 to 2,000 products.', 'page_size');
  end if;
  perform private.expect_cursor(after, jsonb_build_object('key', kind, 'id', 'bigint'));
  patterns := private.search_patterns(filter ->> 'search');
  condition := private.product_condition(coalesce(filter, '{}'));
  here := here || case when condition like '% s.%' then stock else '' end;
  beyond := case when after is null then 'true'
                 else format('(%%s, %%s) %s (($3 ->> ''key'')::%s, ($3 ->> ''id'')::bigint)', case when descending then '<' else '>' end, kind) end;
  if sort = 'margin' then
    perform private.keep_margin(m.product_id) from private.product_margins m where m.valid_until <= now();
  end if;

  -- First the few that are shown, then all there is to say of them, each looked up by its key. What a search finds is
  -- looked for once, and then both counted and sorted.
  execute format(
    'with found as %1$s (select %2$s as id, %3$s as key from %4$s where %5$s and %6$s),
     page as materialized (
       select f.id, f.key, row_number() over () as place
       from (select f.id, f.key from found f where %8$s order by f.key %7$s, f.id %7$s limit $4 + 1) f),
     counted as (select count(*) as total from (select from %9$s limit $5 + 1) c)
     select json_build_object(
       ''rows'', coalesce((select json_agg(
            (select private.product_row(p, s, (select c.unit_cost from private.product_costs c
               where c.product_id = k.id and c.valid_from <= now() order by c.valid_from desc limit 1))
             from public."Products" p, public.stock_levels s where p."Id" = k.id and s.product_id = k.id)
            order by k.place) from page k where k.place <= $4), ''[]''),
       ''next'', (select json_build_object(''key'', k.key::text, ''id'', k.id) from page k
                  where k.place = $4 and exists (select from page n where n.place = $4 + 1)),
       ''count'', least(c.total, $5), ''count_is_capped'', c.total > $5)
     from counted c',
    case when cardinality(patterns) > 0 then 'materialized' else 'not materialized' end,
    sort_id, sort_key,
    here || case when sort = 'margin' then ' join private.product_margins m on m.product_id = p."Id"'
                 when sort = 'stock' and position(stock in here) = 0 then stock else '' end,
    condition, case when cardinality(patterns) > 0 then 'true' else format(beyond, sort_key, sort_id) end, direction,
    case when cardinality(patterns) > 0 then format(beyond, 'f.key', 'f.id') else 'true' end,
    case when cardinality(patterns) > 0 then 'found' else format('%s where %s', here, condition) end)
  into answer using filter, patterns, after, page_size, max_count;
  return answer;
end $$;

-- 20_console/21_product_drafts.sql
create function private.product_draft(product public."Products") returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'name', product."Name", 'description', product."Description", 'category', product."Category", 'image', product."Image",
    'price_paise', (product."Price" * 100)::bigint, 'regular_price_paise', (product.regular_price * 100)::bigint,
    'offer_percent', product.offer_percent, 'gst_percent', trim_scale(product.gst_percent), 'hsn', product.hsn,
    'has_size', product."hasSize", 'weight_grams', product.weight_grams, 'food_mark', product.food_mark,
    'ingredients', product.ingredients, 'allergens', product.allergens,
    'shelf_life_days', product.shelf_life_days, 'storage', product.storage, 'maker', product.maker, 'combo', product.combo,
    'is_listed', product.is_listed, 'is_archived', product.archived_at is not null,
    'unit_cost_paise', (private.unit_cost_at(product."Id", now()) * 100)::bigint);
$$;

create function private.empty_draft() returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb '{"name": "", "description": "", "category": null, "image": "", "price_paise": null,
    "regular_price_paise": null, "offer_percent": 0, "gst_percent": 5, "hsn": "2106", "has_size": null,
    "weight_grams": null, "food_mark": null, "ingredients": "", "allergens": "", "shelf_life_days": null, "storage": "",
    "maker": "", "combo": null, "is_listed": false, "is_archived": false, "unit_cost_paise": null}';
$$;

create function private.merge_draft(draft jsonb, changes jsonb) returns jsonb
language plpgsql immutable set search_path = '' as $$
declare
  merged jsonb := draft || coalesce((
    select jsonb_object_agg(c.key, case
      when jsonb_typeof(c.value) <> 'string' or c.value = draft -> c.key then c.value
      when c.key in ('combo', 'food_mark') and btrim(c.value #>> '{}') = '' then 'null'
      else to_jsonb(btrim(replace(c.value #>> '{}', E'\r\n', E'\n'), E' \t\n\r')) end)
    from jsonb_each(changes) c), '{}');
begin
  if merged -> 'has_size' = 'true' and not changes ? 'weight_grams' then
    merged := merged || '{"weight_grams": 500}';
  end if;
  if merged -> 'is_archived' = 'true' and draft -> 'is_archived' = 'false' then
    merged := merged || jsonb_build_object(
      'is_listed', coalesce(changes -> 'is_listed', 'false'),
      'combo', case when changes ? 'combo' then merged -> 'combo' end);
  end if;
  -- The tag follows from the two prices unless the caller claims one; draft_problems() judges the claim. Where nothing
  -- changes, a stored tag stays.
  if changes -> 'offer_percent' = 'null'
     or (not changes ? 'offer_percent' and merged - 'offer_percent' <> draft - 'offer_percent') then
    merged := merged || jsonb_build_object('offer_percent', private.true_offer_of(merged));
  end if;
  return merged;
end $$;

create function private.draft_problems(draft jsonb, product_id bigint) returns table (field text, message text)
language plpgsql stable set search_path = '' as $$
declare
  kinds constant jsonb := '{"name": "string", "description": "string", "category": "string?", "image": "string",
    "price_paise": "number?", "regular_price_paise": "number?", "offer_percent": "number?", "gst_percent": "number",
    "hsn": "string", "has_size": "boolean?", "weight_grams": "number?", "food_mark": "string?", "ingredients": "string",
    "allergens": "string", "shelf_life_days": "number?", "storage": "string", "maker": "string", "combo": "string?",
    "is_listed": "boolean", "is_archived": "boolean", "unit_cost_paise": "number?"}';
  product_name text := draft ->> 'name';
  price numeric;
  regular numeric;
  offer numeric;
  gst numeric;
  weight numeric;
  days numeric;
  cost numeric;
  sized boolean;
  listed boolean;
  archived boolean;
  -- What only a listed product needs.
  missing text[] := '{}';
begin
  return query
  select d.key, case when kinds ? d.key then 'This value is not valid.' else 'Products have no such field.' end
  from jsonb_each(draft) d
  where jsonb_typeof(d.value) <> coalesce(rtrim(kinds ->> d.key, '?'), '')
    and not (jsonb_typeof(d.value) = 'null' and coalesce(kinds ->> d.key like '%?', false));
  if found then
    return;
  end if;

  price := draft ->> 'price_paise';
  regular := draft ->> 'regular_price_paise';
  offer := draft ->> 'offer_percent';
  gst := draft ->> 'gst_percent';
  weight := draft ->> 'weight_grams';
  days := draft ->> 'shelf_life_days';
  cost := draft ->> 'unit_cost_paise';
  sized := draft ->> 'has_size';
  listed := draft ->> 'is_listed';
  archived := draft ->> 'is_archived';
  if listed and not archived then
    missing := private.missing_facts(draft ->> 'food_mark', draft ->> 'ingredients', draft ->> 'allergens', days,
                                     draft ->> 'storage', weight);
  end if;

  return query
  select p.field, p.message from (values
    ('name', case
      when btrim(product_name) = '' then 'Give the product a name.'
      when char_length(product_name) > 120 then 'A name has at most 120 characters.'
      when product_name ~ '[[:cntrl:]]' then 'A name is one line of text.'
      when not archived and exists (
        select from public."Products" o where lower(o."Name") = lower(product_name) and o.archived_at is null
          and o."Id" is distinct from draft_problems.product_id)
      then format('Another product is already called %s.', product_name) end),
    ('description', case
      when char_length(draft ->> 'description') > 4000 then 'A description has at most 4,000 characters.' end),
    ('category', case
      when not exists (select from public.categories c where c.name = draft ->> 'category')
      then format('Choose %s.', private.category_choices()) end),
    ('image', case
      when draft ->> 'image' <> '' and not private.is_safe_link(draft ->> 'image')
      then 'A picture is an address of this site or of the web.' end),
    ('price_paise', case
      when price is null then 'Give the product a price.'
      when price not between 100 and 10000000 or price % 1 <> 0 then 'A price is between ₹1 and ₹1,00,000.' end),
    ('regular_price_paise', case
      when regular <= price then 'The regular price must be above the price, or empty.'
      when regular > 20000000 or regular % 1 <> 0 then 'A regular price is at most ₹2,00,000.' end),
    ('offer_percent', case
      when offer not between 0 and 90 or offer % 1 <> 0 then 'An offer is a whole number from 0 to 90, or empty.'
      else private.untrue_offer(offer, price, regular) end),
    ('gst_percent', case
      when gst not between 0 and 40 or gst * 100 % 1 <> 0
      then 'A GST rate is between 0 and 40, with at most two decimals.' end),
    ('hsn', case when draft ->> 'hsn' !~ '^[0-9]{4,8}$' then 'An HSN code has 4 to 8 digits.' end),
    ('has_size', case
      when sized is null then 'Choose weight or piece.'
      when draft_problems.product_id is not null then (
        select format('Its stock is counted in %s, so it keeps being sold by %s.',
                      case when o."hasSize" then 'grams' else 'pieces' end, case when o."hasSize" then 'weight' else 'piece' end)
        from public."Products" o
        where o."Id" = draft_problems.product_id and o."hasSize" <> sized
          and exists (select from public.stock_movements m where m.product_id = o."Id")) end),
    ('weight_grams', case
      when weight is null and not coalesce(sized, false) then 'Enter the weight of a piece or pack.'
      when sized and weight is distinct from 500 then 'What is sold by weight counts in units of 500 g.'
      when weight not between 1 and 30000 or weight % 1 <> 0 then 'A weight is a whole number from 1 to 30,000 g.' end),
    ('food_mark', case
      when draft ->> 'food_mark' not in ('veg', 'non-veg') then 'The mark is veg or non-veg. Egg counts as non-veg.'
      when 'food_mark' = any (missing) then 'To list it, choose veg or non-veg.' end),
    ('ingredients', case
      when char_length(draft ->> 'ingredients') > 2000 then 'The list of ingredients has at most 2,000 characters.'
      when 'ingredients' = any (missing) then 'To list it, enter the ingredients.' end),
    ('allergens', case
      when char_length(draft ->> 'allergens') > 500 then 'Allergens have at most 500 characters.'
      when 'allergens' = any (missing) then 'To list it, enter the allergens, or None.' end),
    ('shelf_life_days', case
      when days not between 1 and 730 or days % 1 <> 0 then 'A shelf life is a whole number from 1 to 730 days.'
      when 'shelf_life_days' = any (missing) then 'To list it, enter the shelf life.' end),
    ('storage', case
      when char_length(draft ->> 'storage') > 300 then 'Storage has at most 300 characters.'
      when 'storage' = any (missing) then 'To list it, enter how to store it.' end),
    ('maker', case when char_length(draft ->> 'maker') > 300 then 'A maker''s name and address have at most 300 characters.' end),
    ('combo', case
      when draft ->> 'combo' not in ('halwa', 'chocolate', 'laddu', 'family')
      then 'A combo pack is halwa, chocolate, laddu or family, or empty.'
      when draft ->> 'combo' is not null then (
        select format('%s is the %s pack already. Take it from there first.', o."Name", o.combo)
        from public."Products" o
        where o.combo = draft ->> 'combo' and o."Id" is distinct from draft_problems.product_id) end),
    ('is_listed', case when listed and archived then 'An archived product cannot be listed.' end),
    ('unit_cost_paise', case
      when cost not between 0 and 10000000 or cost % 1 <> 0 then 'A cost is between ₹0 and ₹1,00,000.'
      when cost is null and draft_problems.product_id is not null
        and private.unit_cost_at(draft_problems.product_id, now()) is not null
      then 'A unit cost can be changed, but not removed.' end)
  ) p (field, message) where p.message is not null;
end $$;

create function private.excused_problems(before jsonb, product_id bigint) returns table (field text, message text)
language sql stable set search_path = '' as $$
  select p.field, p.message
  from private.draft_problems(before || jsonb_build_object(
    'is_listed', (before ->> 'is_archived')::boolean and (before ->> 'is_listed')::boolean,
    'offer_percent', private.true_offer_of(before)), product_id) p;
$$;

create function private.listing_refusal(name text, missing text[]) returns text
language sql immutable set search_path = '' as $$
  select format('%s cannot be listed yet. Missing: %s.', name, string_agg('{"food_mark": "the veg or non-veg mark",
    "ingredients": "the ingredients", "allergens": "the allergens (None, if there are none)", "shelf_life_days": "the shelf life",
    "storage": "how it is stored", "weight_grams": "the net weight"}'::jsonb ->> m.field, ', ' order by m.place))
  from unnest(missing) with ordinality m (field, place);
$$;

create function private.refuse_problems(before jsonb, after jsonb, product_id bigint, prefix text default '') returns void
language plpgsql stable set search_path = '' as $$
declare
  problem record;
begin
  select p.field, p.message into problem
  from private.draft_problems(after, product_id) with ordinality p (field, message, place)
  where before is null or (p.field, p.message) not in (select b.field, b.message from private.excused_problems(before, product_id) b)
  order by p.place limit 1;
  if found then
    perform private.refuse(prefix || problem.message, problem.field);
  end if;
end $$;

create function private.write_drafts(drafts jsonb) returns bigint[]
language plpgsql set search_path = '' as $$
declare
  given jsonb := (
    select jsonb_agg(r.value -> 'draft' || jsonb_build_object(
      'is_new', r.value ->> 'id' is null,
      'id', coalesce((r.value ->> 'id')::bigint, nextval(pg_get_serial_sequence('public."Products"', 'Id')))) order by r.place)
    from jsonb_array_elements(drafts) with ordinality r (value, place));
begin
  insert into public."Products" (
    "Id", "Name", "Description", "Category", "Image", "Price", regular_price, offer_percent, gst_percent, hsn, "hasSize",
    weight_grams, food_mark, ingredients, allergens, shelf_life_days, storage, maker, combo, is_listed)
  select d.id, d.name, d.description, d.category, d.image, d.price_paise / 100, d.regular_price_paise / 100, d.offer_percent,
         d.gst_percent, d.hsn, d.has_size, d.weight_grams, d.food_mark, d.ingredients, d.allergens, d.shelf_life_days,
         d.storage, d.maker, d.combo, d.is_listed
  from jsonb_to_recordset(given) as d (
    id bigint, is_new boolean, name text, description text, category text, image text, price_paise numeric,
    regular_price_paise numeric, offer_percent smallint, gst_percent numeric, hsn text, has_size boolean, weight_grams integer,
    food_mark text, ingredients text, allergens text, shelf_life_days smallint, storage text, maker text, combo text,
    is_listed boolean)
  where d.is_new;

  update public."Products" p set
    "Name" = d.name, "Description" = d.description, "Category" = d.category, "Image" = d.image, "Price" = d.price_paise / 100,
    regular_price = d.regular_price_paise / 100, offer_percent = d.offer_percent, gst_percent = d.gst_percent, hsn = d.hsn,
    "hasSize" = d.has_size, weight_grams = d.weight_grams, food_mark = d.food_mark, ingredients = d.ingredients,
    allergens = d.allergens, shelf_life_days = d.shelf_life_days, storage = d.storage, maker = d.maker, combo = d.combo,
    is_listed = d.is_listed,
    archived_at = case when d.is_archived then coalesce(p.archived_at, now()) end
  from jsonb_to_recordset(given) as d (
    id bigint, is_new boolean, name text, description text, category text, image text, price_paise numeric,
    regular_price_paise numeric, offer_percent smallint, gst_percent numeric, hsn text, has_size boolean, weight_grams integer,
    food_mark text, ingredients text, allergens text, shelf_life_days smallint, storage text, maker text, combo text,
    is_listed boolean, is_archived boolean)
  where p."Id" = d.id and not d.is_new;

  insert into private.product_costs (product_id, valid_from, unit_cost)
  select d.id, now(), d.unit_cost_paise / 100
  from jsonb_to_recordset(given) as d (id bigint, unit_cost_paise numeric)
  where d.unit_cost_paise / 100 is distinct from private.unit_cost_at(d.id, now()) and d.unit_cost_paise is not null
  on conflict on constraint product_costs_pkey do update set unit_cost = excluded.unit_cost;
  return array(select (r.value ->> 'id')::bigint from jsonb_array_elements(given) with ordinality r (value, place) order by r.place);
end $$;

create function private.write_draft(product_id bigint, draft jsonb) returns bigint
language sql set search_path = '' as $$
  select (private.write_drafts(jsonb_build_array(jsonb_build_object('id', product_id, 'draft', draft))))[1];
$$;

create function private.kept_because(product_id bigint) returns text
language sql stable set search_path = '' as $$
  select case
    when exists (select from public.order_items i where i.product_id = kept_because.product_id) then 'It was sold'
    when exists (select from public.stock_movements m where m.product_id = kept_because.product_id) then 'It has a stock history'
    when exists (select from public.purchase_order_items i where i.product_id = kept_because.product_id) then 'It was ordered from a vendor'
    when exists (select from public.comments c where c.product_id = kept_because.product_id) then 'Customers have reviewed it'
  end;
$$;

-- 20_console/22_change_products.sql
create function public.admin_read_product(product_id bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  product public."Products";
  stock public.stock_levels;
begin
  perform private.require_admin();
  select * into product from public."Products" p where p."Id" = product_id;
  if not found then
    return null;
  end if;
  select * into stock from public.stock_levels s where s.product_id = product."Id";
  return jsonb_build_object(
    'row', private.product_row(product, stock, private.unit_cost_at(product."Id", now())),
    'draft', private.product_draft(product) || private.presentation_of(product), 'created_at', product.created_at,
    'costs', (select coalesce(jsonb_agg(jsonb_build_object('valid_from', c.valid_from, 'unit_cost_paise', (c.unit_cost * 100)::bigint)
                                        order by c.valid_from desc), '[]')
              from private.product_costs c where c.product_id = product."Id"),
    'has_stock_history', exists (select from public.stock_movements m where m.product_id = product."Id"),
    'is_deletable', private.kept_because(product."Id") is null,
    'waiting', (select count(*) from public.notify_subscriptions n where n.product_id = product."Id"));
end $$;

create function public.admin_save_product(changes jsonb, product_id bigint default null, seen timestamptz default null)
returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  product public."Products";
  pictures text[] := '{}';
  before jsonb;
  draft jsonb;
  presentation jsonb := private.empty_presentation();
  problem record;
  written bigint;
begin
  perform private.require_admin();
  if jsonb_typeof(changes) is distinct from 'object' then
    perform private.refuse('There is nothing to save.');
  end if;
  if product_id is not null then
    select * into product from public."Products" p where p."Id" = product_id for no key update;
    if not found then
      raise sqlstate 'PT404' using message = 'Product not found.';
    end if;
    perform private.expect_unchanged(seen, product.updated_at);
    before := private.product_draft(product);
    presentation := private.presentation_of(product);
    pictures := private.pictures_of(product);
  end if;
  draft := private.merge_draft(coalesce(before, private.empty_draft()), changes - 'taste' - 'travel' - 'more_pictures');
  perform private.refuse_problems(before, draft, product_id);
  select presentation || coalesce(jsonb_object_agg(c.key,
    case when jsonb_typeof(c.value) = 'string' then to_jsonb(btrim(c.value #>> '{}', E' \t\n\r')) else c.value end), '{}')
  into presentation from jsonb_each(changes) c where c.key in ('taste', 'travel', 'more_pictures');
  select p.field, p.message into problem from private.presentation_problems(presentation) p limit 1;
  if found then
    perform private.refuse(problem.message, problem.field);
  end if;
  written := private.write_draft(product_id, draft);
  perform private.write_presentation(written, presentation);
  return (
    select jsonb_build_object('id', p."Id", 'updated_at', p.updated_at, 'unused_images', private.unused_pictures(pictures))
    from public."Products" p where p."Id" = written);
end $$;

create function public.admin_change_products(products jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  offered constant text[] := array['price_paise', 'regular_price_paise', 'offer_percent', 'gst_percent', 'is_listed', 'is_archived'];
  many boolean;
  item record;
  product public."Products";
  before jsonb;
  draft jsonb;
  drafts jsonb[] := '{}';
  missing text[];
  refusals text[] := '{}';
  refused_field text;
begin
  perform private.require_admin();
  if jsonb_typeof(products) is distinct from 'array' or jsonb_array_length(products) not between 1 and 2000 then
    perform private.refuse('Choose 1 to 2,000 products.');
  end if;
  many := jsonb_array_length(products) > 1;
  -- Sales that empty a shelf touch several products in any order: one lock for all cannot meet them halfway.
  if many then
    lock table public."Products" in share row exclusive mode;
  end if;
  for item in
    select i.id, i.seen, i.changes from jsonb_to_recordset(products) as i (id bigint, seen timestamptz, changes jsonb) order by i.id
  loop
    select * into product from public."Products" p where p."Id" = item.id for no key update;
    if not found then
      raise sqlstate 'PT404' using message = format('There is no product %s.', coalesce(item.id::text, 'without a number'));
    end if;
    if many and item.seen is distinct from product.updated_at then
      raise sqlstate 'PT409' using detail = 'stale',
        message = format('%s was changed by someone else, so nothing was saved. Check it and try again.', product."Name");
    end if;
    perform private.expect_unchanged(item.seen, product.updated_at);
    if jsonb_typeof(item.changes) is distinct from 'object' or item.changes - offered <> '{}' then
      perform private.refuse('This cannot be changed in the list.');
    end if;
    before := private.product_draft(product);
    draft := private.merge_draft(before, item.changes);
    missing := private.missing_facts(product.food_mark, product.ingredients, product.allergens, product.shelf_life_days,
                                     product.storage, product.weight_grams);
    if missing <> '{}' and item.changes -> 'is_listed' = 'true' and draft -> 'is_archived' = 'false' then
      refusals := refusals || private.listing_refusal(product."Name", missing);
      refused_field := coalesce(refused_field, missing[1]);
      continue;
    end if;
    perform private.refuse_problems(before, draft, item.id, case when many then product."Name" || ': ' else '' end);
    drafts := drafts || jsonb_build_object('id', item.id, 'draft', draft);
  end loop;
  if refusals <> '{}' then
    perform private.refuse(array_to_string(refusals[1:5], ' ')
      || case when cardinality(refusals) > 5 then format(' And %s more.', cardinality(refusals) - 5) else '' end, refused_field);
  end if;
  perform private.write_drafts(to_jsonb(drafts));
  return (
    select jsonb_agg(private.product_row(p, s, private.unit_cost_at(p."Id", now())) order by p."Id")
    from public."Products" p join public.stock_levels s on s.product_id = p."Id"
    where p."Id" in (select i.id from jsonb_to_recordset(products) as i (id bigint)));
end $$;

create function public.admin_duplicate_product(product_id bigint) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  product public."Products";
  copy_name text;
  written bigint;
begin
  perform private.require_admin();
  select * into product from public."Products" p where p."Id" = product_id for share;
  if not found then
    raise sqlstate 'PT404' using message = 'Product not found.';
  end if;
  select left(product."Name", 110) || n.ending into copy_name
  from (select place, case when place = 1 then ' (copy)' else format(' (copy %s)', place) end as ending
        from generate_series(1, 2000) place) n
  where not exists (select from public."Products" o
                    where o.archived_at is null and lower(o."Name") = lower(left(product."Name", 110) || n.ending))
  order by n.place limit 1;
  written := private.write_draft(null, private.merge_draft(private.product_draft(product),
    jsonb_build_object('name', copy_name, 'is_listed', false, 'is_archived', false, 'combo', null)));
  perform private.write_presentation(written, private.presentation_of(product));
  return jsonb_build_object('id', written);
end $$;

create function public.admin_delete_product(product_id bigint, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  product public."Products";
  pictures text[];
  reason text;
begin
  perform private.require_admin();
  select * into product from public."Products" p where p."Id" = product_id for update;
  if not found then
    raise sqlstate 'PT404' using message = 'Product not found.';
  end if;
  perform private.expect_unchanged(seen, product.updated_at);
  reason := private.kept_because(product_id);
  if reason is not null then
    raise sqlstate 'PT409' using message = reason || ', so it can’t be deleted. Archive it instead.';
  end if;
  pictures := private.pictures_of(product);
  delete from public."Products" p where p."Id" = product_id;
  return jsonb_build_object('unused_images', private.unused_pictures(pictures));
end $$;

create function public.admin_list_categories() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (
    select jsonb_agg(jsonb_build_object(
      'id', c.id, 'name', c.name, 'colour', c.colour, 'is_fixed', c.is_fixed, 'updated_at', c.updated_at,
      'products', (select count(*) from public."Products" p where p."Category" = c.name))
      order by not c.is_fixed, c.position, c.id)
    from public.categories c);
end $$;

create function public.admin_save_category(
  name text, colour text default null, category_id bigint default null, seen timestamptz default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.categories;
  typed_name text;
  typed_colour text := lower(nullif(btrim(colour), ''));
begin
  perform private.require_admin();
  -- Two administrators who save at once must not both get the same name or place.
  perform pg_advisory_xact_lock(hashtextextended('categories', 0));
  if category_id is not null then
    select * into taken from public.categories c where c.id = category_id for update;
    if taken.id is null then
      raise sqlstate 'PT409' using message = 'This category was deleted by someone else.', detail = 'stale';
    end if;
    perform private.expect_unchanged(seen, taken.updated_at);
  end if;
  typed_name := private.typed(name, 'name', 'The name', 40, is_needed => true);
  if char_length(typed_name) < 2 then
    perform private.refuse('The name has at least two characters.', 'name');
  elsif typed_name ~ '["\\<>{}]' then
    perform private.refuse('The name cannot have quotes, backslashes or brackets of the kinds < > { }.', 'name');
  elsif lower(typed_name) in ('all', 'category') then
    perform private.refuse(format('“%s” means something else in the shop. Choose another name.', typed_name), 'name');
  elsif exists (select from public.categories c where lower(c.name) = lower(typed_name) and c.id is distinct from category_id) then
    perform private.refuse(format('There is a category called %s already.', typed_name), 'name');
  elsif typed_colour !~ '^#[0-9a-f]{6}$' then
    perform private.refuse('Choose a colour.', 'colour');
  elsif taken.id is null and (select count(*) from public.categories c where not c.is_fixed) >= 40 then
    perform private.refuse('There are 40 categories of your own already. Delete one first.', 'name');
  end if;
  if taken.id is null then
    insert into public.categories (name, colour, position)
    values (typed_name, typed_colour, (select max(c.position) + 1 from public.categories c)) returning * into taken;
  else
    update public.categories c set name = typed_name, colour = typed_colour where c.id = taken.id returning * into taken;
  end if;
  return jsonb_build_object('id', taken.id, 'updated_at', taken.updated_at);
end $$;

create function public.admin_delete_category(category_id bigint, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.categories;
  products integer;
  archived integer;
begin
  perform private.require_admin();
  select * into taken from public.categories c where c.id = category_id for update;
  perform private.expect_unchanged(seen, taken.updated_at);
  select count(*), count(p.archived_at) into products, archived from public."Products" p where p."Category" = taken.name;
  if products > 0 then
    raise sqlstate 'PT409' using message = format('%s has %s, so it cannot be deleted. Move %s to another category first.', taken.name,
      case when products = 1 then '1 product' else products || ' products' end
        || case when archived > 0 then format(' (%s archived)', archived) else '' end,
      case when products = 1 then 'it' else 'them' end);
  end if;
  delete from public.categories c where c.id = taken.id;
  return jsonb_build_object('id', taken.id);
end $$;

create function public.admin_order_categories(category_ids bigint[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform pg_advisory_xact_lock(hashtextextended('categories', 0));
  if array(select c.id from public.categories c where not c.is_fixed order by c.id)
     <> array(select i from unnest(category_ids) i order by i) then
    raise sqlstate 'PT409' using message = 'Someone else added or deleted a category. Reload and try again.', detail = 'stale';
  end if;
  update public.categories c set position = 5 + o.place
  from unnest(category_ids) with ordinality o (id, place)
  where c.id = o.id and c.position <> 5 + o.place;
end $$;

create function public.admin_order_rows(table_name text, ids bigint[], seen bigint[]) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  standing bigint[];
  moved integer;
begin
  perform private.require_admin();
  if table_name is null or table_name not in ('caurousel', 'testimonials') then
    perform private.refuse('This has no order of its own.', 'table_name');
  end if;
  -- Nobody adds a row while the others are counted.
  execute format('lock table public.%I in share row exclusive mode', table_name);
  execute format('select coalesce(array_agg(r.id order by r.position, r.id), ''{}'') from public.%I r', table_name) into standing;
  if standing is distinct from seen then
    raise sqlstate 'PT409' using message = 'This list was changed by someone else. Check it before you save.', detail = 'stale';
  end if;
  if (select array_agg(i order by i) from unnest(ids) i) is distinct from (select array_agg(s order by s) from unnest(standing) s) then
    perform private.refuse('Every one of the list has its place in it once.', 'ids');
  end if;
  execute format('update public.%I r set position = o.place from unnest($1) with ordinality o (id, place)
                  where r.id = o.id and r.position <> o.place', table_name) using ids;
  get diagnostics moved = row_count;
  return jsonb_build_object('moved', moved);
end $$;

-- 20_console/23_import_products.sql
create function private.plan_import(rows jsonb) returns jsonb
language sql stable set search_path = '' as $$
  with given as (
    select r.place, (r.value ->> 'line')::integer as line, r.value -> 'values' as changes,
           coalesce(jsonb_typeof(r.value -> 'values' -> 'id'), 'null') <> 'null' as has_id,
           case when jsonb_typeof(r.value -> 'values' -> 'id') = 'number' and r.value -> 'values' ->> 'id' ~ '^[0-9]{1,18}$'
                then (r.value -> 'values' ->> 'id')::bigint end as id
    from jsonb_array_elements(plan_import.rows) with ordinality r (value, place)
  ), drafted as materialized (
    select g.place, g.line, g.has_id, p."Id" as id, p.updated_at as seen, p."Name" as name, b.before,
           private.merge_draft(coalesce(b.before, private.empty_draft() || private.empty_presentation()), g.changes - 'id') as draft
    from given g
    left join lateral (
      select * from public."Products" n where g.has_id and n."Id" = g.id
      union all
      select * from public."Products" n
      where not g.has_id and lower(n."Name") = lower(btrim(g.changes ->> 'name')) and n.archived_at is null
    ) p on true
    left join lateral (select private.product_draft(q) || private.presentation_of(q) as before from public."Products" q where q."Id" = p."Id") b on true
  ), compared as materialized (
    select d.*, c.changes, d.has_id and d.id is null as is_lost,
           d.id is not null and row_number() over (partition by d.id order by d.place) > 1 as is_again,
           first_value(d.line) over (partition by d.id order by d.place) as line_of_product,
           first_value(d.line) over (partition by lower(d.draft ->> 'name'), d.draft -> 'is_archived' order by d.place) as line_of_name,
           first_value(d.line) over (partition by d.draft ->> 'combo' order by d.place) as line_of_combo
    from drafted d
    cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object('field', e.key, 'from', d.before -> e.key, 'to', e.value) order by e.key), '[]') as changes
      from jsonb_each(d.draft) e where e.value is distinct from d.before -> e.key) c
  ), judged as materialized (
    select c.*, (
      select coalesce(jsonb_agg(jsonb_build_object('field', p.field, 'message', p.message) order by p.place), '[]')
      from (
        select 0 as place, 'id' as field, 'Product not found.' as message where c.is_lost
        union all
        select 0, 'id', format('Line %s is about the same product.', c.line_of_product) where c.is_again
        union all
        select 0, 'name', format('Line %s has the same name.', c.line_of_name)
        where c.line_of_name < c.line and c.draft -> 'is_archived' = 'false' and not c.is_again and not c.is_lost
        union all
        select 0, 'combo', format('Line %s has the same combo pack.', c.line_of_combo)
        where c.line_of_combo < c.line and c.draft ->> 'combo' is not null and not c.is_again and not c.is_lost
        union all
        select 0, 'is_archived', 'A new product cannot start in the archive.'
        where c.before is null and c.draft -> 'is_archived' = 'true' and not c.is_lost
        union all
        select f.place, f.field, f.message
        from private.draft_problems(c.draft - 'taste' - 'travel' - 'more_pictures', c.id) with ordinality f (field, message, place)
        where c.changes <> '[]' and not c.is_lost and (c.before is null or
          (f.field, f.message) not in (
            select o.field, o.message from private.excused_problems(c.before - 'taste' - 'travel' - 'more_pictures', c.id) o))
        union all
        select 1000, f.field, f.message
        from private.presentation_problems(jsonb_build_object(
          'taste', c.draft -> 'taste', 'travel', c.draft -> 'travel', 'more_pictures', c.draft -> 'more_pictures')) f
        where c.changes <> '[]' and not c.is_lost
      ) p) as problems
    from compared c
  )
  select jsonb_agg(jsonb_build_object(
    'line', j.line, 'id', j.id, 'seen', j.seen, 'name', coalesce(j.name, j.draft ->> 'name'),
    'action', case when j.problems <> '[]' then 'refused' when j.before is null then 'new'
                   when j.changes = '[]' then 'unchanged' else 'changed' end,
    'changes', j.changes, 'problems', j.problems, 'draft', j.draft) order by j.place)
  from judged j;
$$;

create function public.admin_import_products(rows jsonb, dry_run boolean, fingerprint text default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  plan jsonb;
  print text;
  replaced text[];
  written bigint[];
  item record;
begin
  perform private.require_admin();
  if jsonb_typeof(rows) is distinct from 'array' or jsonb_array_length(rows) not between 1 and 3000 then
    perform private.refuse('A file has 1 to 3,000 products.');
  end if;
  if exists (select from jsonb_array_elements(rows) r (value)
             where jsonb_typeof(r.value -> 'values') is distinct from 'object'
                or coalesce(r.value ->> 'line', '') !~ '^[0-9]{1,6}$') then
    perform private.refuse('These are not the rows of a file.');
  end if;
  if not dry_run then
    lock table public."Products" in share row exclusive mode;
  end if;
  plan := private.plan_import(rows);
  print := md5(plan::text);
  if dry_run then
    return jsonb_build_object('fingerprint', print, 'rows', (
      select jsonb_agg(r.value - 'draft' - 'seen' order by r.place) from jsonb_array_elements(plan) with ordinality r (value, place)));
  end if;
  if print is distinct from admin_import_products.fingerprint then
    raise sqlstate 'PT409' using detail = 'stale',
      message = 'Products were changed after this file was checked, so nothing was imported. Check the file again.';
  end if;
  if exists (select from jsonb_array_elements(plan) r (value) where r.value ->> 'action' = 'refused') then
    perform private.refuse('Some rows have errors, so nothing was imported.');
  end if;
  select array_agg(distinct i) into replaced
  from jsonb_array_elements(plan) r (value)
  join public."Products" p on p."Id" = (r.value ->> 'id')::bigint
  cross join unnest(private.pictures_of(p)) i
  where r.value ->> 'action' = 'changed';
  written := private.write_drafts(coalesce((
    select jsonb_agg(jsonb_build_object('id', r.value -> 'id', 'draft', r.value -> 'draft') order by r.place)
    from jsonb_array_elements(plan) with ordinality r (value, place) where r.value ->> 'action' in ('new', 'changed')), '[]'));
  for item in
    select r.value -> 'draft' as draft, row_number() over (order by r.place) as place
    from jsonb_array_elements(plan) with ordinality r (value, place) where r.value ->> 'action' in ('new', 'changed')
  loop
    perform private.write_presentation(written[item.place], item.draft);
  end loop;
  return jsonb_build_object(
    'added', (select count(*) from jsonb_array_elements(plan) r (value) where r.value ->> 'action' = 'new'),
    'changed', (select count(*) from jsonb_array_elements(plan) r (value) where r.value ->> 'action' = 'changed'),
    'unused_images', private.unused_pictures(replaced));
end $$;

create function public.export_products(filter jsonb, after jsonb, at timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 500;
  lines jsonb;
  last_id bigint;
begin
  execute format(
    'select coalesce(jsonb_agg(jsonb_build_array(
       p."Id", p."Name", p."Category", private.plain_rupees(p."Price"), private.plain_rupees(p.regular_price), p.offer_percent,
       case when p."hasSize" then ''weight'' else ''piece'' end, p.weight_grams, trim_scale(p.gst_percent), p.hsn,
       p.food_mark, p.shelf_life_days, p.ingredients, p.allergens, p.storage, p.maker, p."Description", p.combo, p."Image",
       case when p.is_listed then ''yes'' else ''no'' end, case when p.archived_at is null then ''no'' else ''yes'' end,
       private.plain_rupees(private.unit_cost_at(p."Id", $4)), p.taste, p.travel, private.more_pictures_of(p."Id")) order by p."Id"), ''[]''), max(p."Id")
     from (select p.* from public."Products" p join public.stock_levels s on s.product_id = p."Id"
           where %s and ($3 is null or p."Id" > ($3 ->> ''id'')::bigint) order by p."Id" limit $5) p',
    private.product_condition(coalesce(filter, '{}')))
  into lines, last_id using filter, private.search_patterns(filter ->> 'search'), after, at, page_size;
  return jsonb_build_object('rows', lines,
    'next', case when jsonb_array_length(lines) = page_size then jsonb_build_object('id', last_id) end);
end $$;

revoke execute on function public.export_products(jsonb, jsonb, timestamptz) from public, anon, authenticated;
grant execute on function public.export_products(jsonb, jsonb, timestamptz) to service_role;

-- 20_console/30_customers.sql
create function private.require_customer(customer_id uuid) returns void
language plpgsql stable set search_path = '' as $$
begin
  if not exists (select from auth.users u where u.id = require_customer.customer_id) then
    raise sqlstate 'PT404' using message = 'Customer not found. They may have been erased.';
  end if;
end $$;

create function private.customer_conditions(
  patterns text[], city text, tag text, blocked boolean, has_ordered boolean, last_order_from date, last_order_to date)
returns text
language plpgsql immutable set search_path = '' as $$
declare
  conditions text := 'true';
begin
  for word in 1 .. coalesce(cardinality(patterns), 0) loop
    -- Of three letters and more the search index knows; shorter ones would have us read every customer.
    conditions := conditions || case
      when patterns[word] ~ '^%[^@%]+@' then format(' and lower(c.email) like ltrim(($1)[%s], ''%%'')', word)
      when cardinality(patterns) = 1 and char_length(replace(patterns[word], '\', '')) < 5 then ' and lower(c.name) like ltrim(($1)[1], ''%'')'
      else format(' and c.searchable like ($1)[%s]', word) end;
  end loop;
  if coalesce(city, '') <> '' then conditions := conditions || ' and c.city_key = lower($2)'; end if;
  if coalesce(tag, '') <> '' then conditions := conditions || ' and r.tags @> array[$3]'; end if;
  if blocked then conditions := conditions || ' and r.blocked_at is not null'; end if;
  if not blocked then conditions := conditions || ' and r.blocked_at is null'; end if;
  if has_ordered then conditions := conditions || ' and f.last_order_at > ''-infinity'''; end if;
  if not has_ordered then conditions := conditions || ' and f.last_order_at = ''-infinity'''; end if;
  if last_order_from is not null then conditions := conditions || ' and f.last_order_at >= private.start_of($4)'; end if;
  if last_order_to is not null then
    conditions := conditions || ' and f.last_order_at < private.start_of($5 + 1) and f.last_order_at > ''-infinity''';
  end if;
  return conditions;
end $$;

create function public.admin_list_customers(
  search text default null, city text default null, tag text default null, blocked boolean default null,
  has_ordered boolean default null, last_order_from date default null, last_order_to date default null,
  sort text default 'last_order', descending boolean default true, after text default null,
  page_size integer default 50)
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  most integer := 10000;
  start jsonb;
  patterns text[];
  by_card constant text := 'private.customer_cards c left join private.customer_figures f using (user_id)
    left join private.customer_records r using (user_id)';
  by_figures constant text := 'private.customer_figures f left join private.customer_cards c using (user_id)
    left join private.customer_records r using (user_id)';
  key text;
  key_type text;
  conditions text;
  wanted text;
  rows jsonb;
  is_last boolean;
  total integer;
begin
  perform private.require_admin();
  select k.expression, k.type into key, key_type
  from (values ('name', 'lower(c.name)', 'text'), ('last_order', 'f.last_order_at', 'timestamptz'),
               ('value', 'f.value_paise', 'bigint'), ('orders', 'f.orders', 'integer')) as k (name, expression, type)
  where k.name = sort;
  if key is null then
    perform private.refuse('Customers can be sorted by name, last order, value or orders.', 'sort');
  end if;
  if page_size is null or page_size not between 1 and 50 then
    perform private.refuse('A page has 1 to 50 customers.', 'page_size');
  end if;
  start := private.page_start(after);
  patterns := private.person_patterns(coalesce(search, ''));

  conditions := private.customer_conditions(patterns, city, tag, blocked, has_ordered, last_order_from, last_order_to);

  begin
    execute format(
      $query$
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', p.user_id, 'name', p.name, 'email', p.email, 'phone', p.phone, 'city', p.city, 'orders', p.orders,
        'value_paise', p.value_paise, 'last_order_at', nullif(p.last_order_at, '-infinity'), 'tags', p.tags,
        'is_blocked', p.is_blocked, 'key', p.key) order by p.place), '[]')
      from (
        select user_id, c.name, c.email, c.phone, c.city, f.orders, f.value_paise, f.last_order_at,
               coalesce(r.tags, '{}') as tags, r.blocked_at is not null as is_blocked, %1$s as key,
               row_number() over (order by %1$s %3$s, user_id %3$s) as place
        from %4$s
        where %5$s and ($6 is null or (%1$s, user_id) %6$s ($6::%2$s, $7::uuid))
        order by %1$s %3$s, user_id %3$s
        limit %7$s
      ) p
      $query$,
      key, key_type, case when descending then 'desc' else 'asc' end, case sort when 'name' then by_card else by_figures end,
      conditions, case when descending then '<' else '>' end, page_size + 1)
    into rows using patterns, city, tag, last_order_from, last_order_to, start ->> 'key', start ->> 'id';
  exception when data_exception then
    perform private.refuse('This page of the list does not exist. Start again from the first page.', 'after');
  end;

  is_last := jsonb_array_length(rows) <= page_size;
  if start is null and is_last then
    total := jsonb_array_length(rows);
  else
    -- Nobody reads the difference between two thousand found and three. Everybody is in both tables: the first one is
    -- read, and the other only for what it knows alone.
    most := case when cardinality(patterns) > 0 then 1000 else most end;
    wanted := case conditions when 'true' then 'everybody' when 'true and c.city_key = lower($2)' then 'in ' || lower(city)
                              when 'true and f.last_order_at > ''-infinity''' then 'ordered' end;
    total := (select c.at_least from private.customer_crowds c where c.crowd = wanted and c.at_least > most);
  end if;
  if total is null then
    execute format('select count(*) from (select from %s where %s limit %s) n',
                   case when conditions like '%c.%' and conditions not like '%f.%' then by_card else by_figures end, conditions, most + 1)
    into total using patterns, city, tag, last_order_from, last_order_to;
  end if;
  return jsonb_build_object(
    'rows', (select coalesce(jsonb_agg(r.row - 'key' order by r.place), '[]')
             from jsonb_array_elements(rows) with ordinality as r (row, place) where r.place <= page_size),
    'next', case when not is_last then
      jsonb_build_object('key', rows -> (page_size - 1) -> 'key', 'id', rows -> (page_size - 1) -> 'id')::text end,
    'count', least(total, most), 'count_is_capped', total > most);
end $$;

create function public.export_customers(filter jsonb, after jsonb, at timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 500;
  patterns text[] := private.person_patterns(coalesce(filter ->> 'search', ''));
  wanted_from date := nullif(filter ->> 'last_order_from', '');
  wanted_to date := nullif(filter ->> 'last_order_to', '');
  answer jsonb;
begin
  execute format($q$
    select jsonb_build_object(
      'rows', coalesce(jsonb_agg(jsonb_build_array(
        k.name, k.email, k.phone, p.building_no, p.street, k.city, p.state, p.zip, k.orders,
        private.plain_rupees(k.value_paise / 100.0),
        to_char(nullif(k.last_order_at, '-infinity') at time zone 'Asia/Kolkata', 'YYYY-MM-DD'),
        to_char(k.created_at at time zone 'Asia/Kolkata', 'YYYY-MM-DD'), array_to_string(k.tags, ', '),
        case when k.blocked_at is null then 'no' else 'yes' end) order by k.key, k.user_id), '[]'),
      'next', case when count(*) = $8 then jsonb_build_object(
        'key', (array_agg(k.key order by k.key desc, k.user_id desc))[1],
        'id', (array_agg(k.user_id order by k.key desc, k.user_id desc))[1]) end)
    from (
      select lower(c.name) as key, user_id, c.name, c.email, c.phone, c.city, f.orders, f.value_paise, f.last_order_at,
             r.tags, r.blocked_at, u.created_at
      from private.customer_cards c
      join auth.users u on u.id = c.user_id
      left join private.customer_figures f using (user_id)
      left join private.customer_records r using (user_id)
      where %s and coalesce(u.created_at, '-infinity') <= $9 and ($6 is null or (lower(c.name), user_id) > ($6, $7::uuid))
      order by lower(c.name), user_id
      limit $8
    ) k
    left join public.user_profiles p on p.user_id = k.user_id$q$,
    private.customer_conditions(patterns, filter ->> 'city', filter ->> 'tag', (filter ->> 'blocked')::boolean,
                                (filter ->> 'has_ordered')::boolean, wanted_from, wanted_to))
  into answer using patterns, filter ->> 'city', filter ->> 'tag', wanted_from, wanted_to, after ->> 'key', after ->> 'id',
    page_size, at;
  return answer;
end $$;

create function public.admin_list_customer_choices() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    -- From one city to the next through the index, not over every customer.
    'cities', (
      with recursive cities as (
        (select c.city_key as key, c.city from private.customer_cards c where c.city_key > '' order by c.city_key limit 1)
        union all
        select n.key, n.city from cities s cross join lateral (
          select c.city_key as key, c.city from private.customer_cards c where c.city_key > s.key order by c.city_key limit 1) n
      )
      select coalesce(jsonb_agg(s.city order by s.key), '[]') from (select * from cities limit 1000) s),
    'tags', (
      select coalesce(jsonb_agg(t.tag order by t.tag), '[]')
      from (select distinct unnest(r.tags) as tag from private.customer_records r where r.tags <> '{}') t));
end $$;

create function public.admin_read_customer(customer_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object(
      'id', u.id, 'name', c.name, 'email', c.email, 'joined_at', u.created_at, 'last_seen_at', u.last_sign_in_at,
      'phone', c.phone, 'building_no', coalesce(p.building_no, ''), 'street', coalesce(p.street, ''), 'city', c.city,
      'state', coalesce(p.state, ''), 'zip', coalesce(p.zip, ''),
      'orders', f.orders, 'value_paise', f.value_paise, 'last_order_at', nullif(f.last_order_at, '-infinity'),
      'average_paise', case when f.orders > 0 then round(f.value_paise::numeric / f.orders) end,
      'canceled', (select count(*) from public.orders o where o.user_id = u.id and o.status = 'canceled'),
      'favourites', (
        select coalesce(jsonb_agg(to_jsonb(s) order by s.orders desc, s.product_id), '[]')
        from (
          select i.product_id, q."Name" as name, count(distinct i.order_id) as orders,
                 sum(i.quantity * i.size) filter (where i.has_size) as grams, sum(i.quantity) filter (where not i.has_size) as pieces
          from public.orders o join public.order_items i on i.order_id = o.id join public."Products" q on q."Id" = i.product_id
          where o.user_id = u.id and o.status <> 'canceled'
          group by i.product_id, q."Name" order by count(distinct i.order_id) desc, i.product_id limit 5
        ) s),
      'waiting', (
        select coalesce(jsonb_agg(jsonb_build_object('product_id', q."Id", 'name', q."Name", 'since', w.created_at) order by w.created_at), '[]')
        from public.notify_subscriptions w join public."Products" q on q."Id" = w.product_id where w.user_id = u.id),
      'notes', coalesce(r.notes, ''), 'tags', coalesce(r.tags, '{}'), 'blocked_at', r.blocked_at,
      'blocked_reason', r.blocked_reason, 'seen', r.updated_at,
      'is_administrator', exists (select from private.administrators a where a.user_id = u.id))
    from auth.users u
    join private.customer_cards c on c.user_id = u.id
    join private.customer_figures f on f.user_id = u.id
    left join public.user_profiles p on p.user_id = u.id
    left join private.customer_records r on r.user_id = u.id
    where u.id = admin_read_customer.customer_id);
end $$;

create function public.admin_list_customer_orders(customer_id uuid, after text default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 10;
  start jsonb;
  entries jsonb;
begin
  perform private.require_admin();
  start := private.page_start(after);
  select coalesce(jsonb_agg(to_jsonb(e) order by e.created_at desc, e.id desc), '[]') into entries
  from (
    select o.id, o.number, o.created_at, o.status, o.payment_status, (o.total_amount * 100)::bigint as total_paise,
           (select string_agg(i.product_name || case when i.quantity > 1 then ' × ' || i.quantity else '' end, ', ' order by i.id)
            from public.order_items i where i.order_id = o.id) as items
    from public.orders o
    where o.user_id = admin_list_customer_orders.customer_id
      and (start is null or (o.created_at, o.id) < ((start ->> 'key')::timestamptz, (start ->> 'id')::uuid))
    order by o.created_at desc, o.id desc
    limit page_size + 1
  ) e;
  return jsonb_build_object(
    'rows', (select coalesce(jsonb_agg(r.row order by r.place), '[]')
             from jsonb_array_elements(entries) with ordinality as r (row, place) where r.place <= page_size),
    'next', case when jsonb_array_length(entries) > page_size then
      jsonb_build_object('key', entries -> (page_size - 1) -> 'created_at', 'id', entries -> (page_size - 1) -> 'id')::text end,
    'count', (select count(*) from (select from public.orders o where o.user_id = admin_list_customer_orders.customer_id limit 10000) n),
    'count_is_capped', false);
exception when data_exception then
  perform private.refuse('This page of the list does not exist. Start again from the first page.', 'after');
end $$;

create function public.admin_save_customer_record(customer_id uuid, notes text, tags text[], seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  wanted text[];
  known private.customer_records;
begin
  perform private.require_admin();
  perform private.require_customer(customer_id);
  wanted := array(
    select distinct t.tag from (select regexp_replace(btrim(lower(w)), '\s+', ' ', 'g') as tag from unnest(coalesce(tags, '{}')) as w) t
    where t.tag <> '' order by 1);
  if char_length(coalesce(notes, '')) > 4000 then
    perform private.refuse('Notes can have 4,000 letters at most.', 'notes');
  elsif cardinality(wanted) > 20 then
    perform private.refuse('A customer can have 20 tags at most.', 'tags');
  elsif exists (select from unnest(wanted) as t where char_length(t) > 30 or t ~ '[,;[:cntrl:]]') then
    perform private.refuse('A tag has at most 30 letters and no comma.', 'tags');
  end if;

  select * into known from private.customer_records r where r.user_id = admin_save_customer_record.customer_id for update;
  if known.user_id is not null or seen is not null then
    perform private.expect_unchanged(seen, known.updated_at);
    update private.customer_records r set notes = coalesce(admin_save_customer_record.notes, ''), tags = wanted
    where r.user_id = admin_save_customer_record.customer_id
    returning * into known;
  else
    insert into private.customer_records (user_id, notes, tags)
    values (customer_id, coalesce(admin_save_customer_record.notes, ''), wanted)
    on conflict do nothing
    returning * into known;
    -- Somebody wrote the first note while we did.
    perform private.expect_unchanged(known.updated_at, known.updated_at);
  end if;
  return jsonb_build_object('seen', known.updated_at, 'notes', known.notes, 'tags', known.tags);
end $$;

create function public.admin_block_customer(customer_id uuid, blocked boolean, reason text, seen timestamptz, at timestamptz default now())
returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  known private.customer_records;
  held uuid[];
begin
  perform private.require_admin();
  perform private.require_customer(customer_id);
  if blocked and exists (select from private.administrators a where a.user_id = customer_id) then
    perform private.refuse('An administrator cannot be blocked.');
  elsif blocked and coalesce(btrim(reason), '') = '' then
    perform private.refuse('Enter a reason.', 'reason');
  elsif char_length(reason) > 300 then
    perform private.refuse('The reason can have 300 letters at most.', 'reason');
  end if;
  -- As open_checkout() does: nobody opens one while we look.
  perform pg_advisory_xact_lock(hashtextextended('checkout ' || customer_id, 0));
  select * into known from private.customer_records r where r.user_id = admin_block_customer.customer_id for update;
  if known.user_id is not null or seen is not null then
    perform private.expect_unchanged(seen, known.updated_at);
  end if;
  insert into private.customer_records as r (user_id, blocked_at, blocked_reason)
  values (customer_id, case when blocked then at end, case when blocked then btrim(reason) end)
  on conflict (user_id) do update set blocked_at = excluded.blocked_at, blocked_reason = excluded.blocked_reason
  where known.user_id is not null
  returning * into known;
  perform private.expect_unchanged(known.updated_at, known.updated_at);
  if blocked then
    held := array(select c.id from private.checkouts c where c.user_id = customer_id and (c.state = 'open' or c.held <> '{}') order by c.id for update);
    if cardinality(held) > 0 then
      perform private.free_stock(held);
    end if;
  end if;
  return jsonb_build_object('seen', known.updated_at, 'blocked_at', known.blocked_at, 'blocked_reason', known.blocked_reason);
end $$;

create function public.admin_end_sessions(customer_id uuid) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  ended integer;
begin
  perform private.require_admin();
  perform private.require_customer(customer_id);
  delete from auth.sessions s where s.user_id = admin_end_sessions.customer_id;
  get diagnostics ended = row_count;
  perform private.record_security_event('logged-out-everywhere', auth.uid(), subject_id => customer_id);
  return ended;
end $$;

revoke execute on function public.export_customers(jsonb, jsonb, timestamptz) from public, anon, authenticated;
grant execute on function public.export_customers(jsonb, jsonb, timestamptz) to service_role;

-- 20_console/31_reviews_and_erasure.sql
create function public.admin_list_reviews(
  search text default null, shown text default 'all', rating integer default null, customer_id uuid default null, after text default null)
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 50;
  most integer := 10000;
  start jsonb;
  patterns text[];
  products bigint[];
  conditions text := 'true';
  entries jsonb;
  is_last boolean;
  total integer;
begin
  perform private.require_admin();
  start := private.page_start(after);
  patterns := private.search_patterns(lower(search));
  if cardinality(patterns) > 0 then
    products := array(select q."Id" from public."Products" q where lower(q."Name") like all (patterns));
    conditions := '((true';
    for word in 1 .. cardinality(patterns) loop
      conditions := conditions || format(' and lower(c.content) like ($1)[%s]', word);
    end loop;
    conditions := conditions || ') or c.product_id = any ($2))';
  end if;
  conditions := conditions || case shown when 'hidden' then ' and c.hidden_at is not null'
                                         when 'shown' then ' and c.hidden_at is null' else '' end;
  if rating is not null then conditions := conditions || ' and c.rating = $3'; end if;
  if customer_id is not null then conditions := conditions || ' and c.user_id = $4'; end if;

  execute format(
    $query$
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', p.id, 'content', p.content, 'rating', p.rating, 'created_at', p.created_at, 'updated_at', p.updated_at,
      'hidden_at', p.hidden_at, 'seen', coalesce(p.updated_at, p.created_at), 'product_id', p.product_id, 'product', q."Name",
      'customer_id', p.user_id, 'customer', a.name) order by p.created_at desc, p.id desc), '[]')
    from (
      select c.* from public.comments c
      where %s and ($5 is null or (c.created_at, c.id) < ($5::timestamptz, $6::bigint))
      order by c.created_at desc, c.id desc limit %s
    ) p
    join public."Products" q on q."Id" = p.product_id
    left join private.customer_cards a on a.user_id = p.user_id
    $query$, conditions, page_size + 1)
  into entries using patterns, products, rating, customer_id, start ->> 'key', start ->> 'id';
  is_last := jsonb_array_length(entries) <= page_size;
  if start is null and is_last then
    total := jsonb_array_length(entries);
  else
    most := case when cardinality(patterns) > 0 then 1000 else most end;
    execute format('select count(*) from (select from public.comments c where %s limit %s) n', conditions, most + 1)
    into total using patterns, products, rating, customer_id;
  end if;
  return jsonb_build_object(
    'rows', (select coalesce(jsonb_agg(r.row order by r.place), '[]')
             from jsonb_array_elements(entries) with ordinality as r (row, place) where r.place <= page_size),
    'next', case when not is_last then
      jsonb_build_object('key', entries -> (page_size - 1) -> 'created_at', 'id', entries -> (page_size - 1) -> 'id')::text end,
    'count', least(total, most), 'count_is_capped', total > most);
exception when data_exception then
  perform private.refuse('This page of the list does not exist. Start again from the first page.', 'after');
end $$;

create function public.admin_hide_review(review_id bigint, hidden boolean, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  review public.comments;
begin
  perform private.require_admin();
  select * into review from public.comments c where c.id = review_id for update;
  if review.id is null then
    raise sqlstate 'PT404' using message = 'This review was deleted by its author.';
  end if;
  perform private.expect_unchanged(seen, coalesce(review.updated_at, review.created_at));
  if (review.hidden_at is not null) = hidden then
    perform private.expect_unchanged(null, now());
  end if;
  update public.comments c set hidden_at = case when hidden then now() end where c.id = review_id returning * into review;
  return jsonb_build_object('id', review.id, 'hidden_at', review.hidden_at, 'seen', coalesce(review.updated_at, review.created_at));
end $$;

create function public.admin_preview_erasure(customer_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.require_customer(customer_id);
  return (
    select jsonb_build_object(
      'hindrance', private.erasure_hindrance(c.user_id), 'name', c.name, 'email', c.email,
      'orders', (select count(*) from private.orders_of_person(c.user_id)),
      'phone_orders', (select count(*) from private.orders_of_person(c.user_id) o where o.user_id is null),
      'reviews', (select count(*) from public.comments r where r.user_id = c.user_id))
    from private.customer_cards c where c.user_id = admin_preview_erasure.customer_id);
end $$;

create function public.admin_erase_customer(customer_id uuid, confirmation text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  typed constant text := lower(btrim(coalesce(confirmation, '')));
  card private.customer_cards;
  hindrance text;
  erasure private.erasures;
begin
  perform private.require_admin();
  perform private.require_customer(customer_id);
  -- Nobody begins to pay while we look (open_checkout() takes the same lock). An order that is entered for them before
  -- their account is locked is an open one, and hinders.
  perform pg_advisory_xact_lock(hashtextextended('checkout ' || customer_id, 0));
  perform from public.orders o
  where o.id in (select p.id from private.orders_of_person(admin_erase_customer.customer_id) p) order by o.id for update;
  perform from auth.users u where u.id = customer_id for update;
  select * into card from private.customer_cards c where c.user_id = customer_id;
  if typed = '' or typed not in (lower(coalesce(card.email, '')), lower(coalesce(card.name, ''))) then
    perform private.refuse('This is not their name or email address.', 'confirmation');
  end if;
  hindrance := private.erasure_hindrance(customer_id);
  if hindrance is not null then
    raise sqlstate 'PT409' using message = hindrance;
  end if;
  insert into private.erasures (customer_id, orders, erased_by)
  values (admin_erase_customer.customer_id, (select count(*) from private.orders_of_person(admin_erase_customer.customer_id)), auth.uid())
  returning * into erasure;
  return jsonb_build_object('erasure', erasure.id, 'orders', erasure.orders);
end $$;

-- 20_console/40_stock.sql
create function public.admin_list_stock(
  filter jsonb default '{}', after jsonb default null, at timestamptz default now(), page_size integer default 50) returns json
language plpgsql security definer set search_path = '' as $$
declare
  most constant integer := 10000;
  descending boolean := coalesce(filter -> 'descending' = 'true', false);
  backwards boolean := descending and filter ->> 'sort' = 'name';
  pattern text := '%' || regexp_replace(btrim(filter ->> 'search'), '([\\%_])', '\\\1', 'g') || '%';
  sort_key text := case filter ->> 'sort'
    when 'name' then '0'
    when 'saleable' then '(s.on_hand - s.reserved) / case when p."hasSize" then 500.0 else 1 end'
    when 'cover' then $key$coalesce((s.on_hand - s.reserved) / nullif(
      (select k.per_day from private.stock_pace k where k.product_id = p."Id" and k.day = private.day_of($1)), 0), 1e9)$key$
    when 'waiting' then '(select count(*) from public.notify_subscriptions n where n.product_id = p."Id")' end;
  by_attention text := $key$case when not p.is_listed or p.archived_at is not null then 4
    when s.on_hand = 0 then case when exists (select from public.notify_subscriptions n where n.product_id = p."Id") then 0 else 1 end
    when s.on_hand - s.reserved <= s.low_at then 2 else 3 end$key$;
  here constant text := 'public."Products" p join public.stock_levels s on s.product_id = p."Id"';
  on_sale constant text := 'p.is_listed and p.archived_at is null';
  condition text := concat_ws(' and ',
    case filter ->> 'show'
      when 'out' then on_sale || ' and s.on_hand = 0'
      when 'low' then on_sale || ' and s.on_hand > 0 and s.on_hand - s.reserved <= s.low_at'
      when 'waiting' then on_sale || ' and s.on_hand = 0 and exists (select from public.notify_subscriptions n where n.product_id = p."Id")' end,
    case when pattern <> '%%' then 'p."Name" ilike $2' end,
    case when coalesce(filter ->> 'category', '') <> '' then 'p."Category" = $3' end);
  kept constant text := '(p.archived_at is null or s.on_hand > 0)';
  -- Each part is cut to a page by itself, so that the long one, what is fine, is read only as far as it is shown.
  parts text[] := case when sort_key is null and condition = ''
    then array[on_sale || ' and private.is_short(s) and p."Id" in (select h.product_id from private.short_stock h)',
               on_sale || ' and s.on_hand > 0 and s.on_hand - s.reserved > s.low_at',
               '(not p.is_listed or p.archived_at is not null) and ' || kept]
    else array[concat_ws(' and ', kept, nullif(condition, ''))] end;
  keys text[] := case when cardinality(parts) > 1 then array[by_attention, '3', '4'] else array[coalesce(sort_key, by_attention)] end;
  direction text := case when backwards then 'desc' else 'asc' end;
  pages text;
  ids bigint[];
  ranks numeric[];
  names text[];
  entries json;
  unreckoned bigint[];
  total bigint;
begin
  perform private.require_admin();
  if page_size is null or page_size not between 1 and 200 then
    perform private.refuse('A page has 1 to 200 products.', 'page_size');
  end if;
  perform private.expect_cursor(after, '{"key": "numeric", "sort_name": "text", "product_id": "bigint"}');
  select string_agg(format($part$(
      select l.* from (select p."Id" as id, lower(p."Name") as name, (%1$s) * %2$s::numeric as key from %3$s where %4$s) l
      where $4::jsonb is null or (l.key, l.name, l.id) %5$s (($4 ->> 'key')::numeric, $4 ->> 'sort_name', ($4 ->> 'product_id')::bigint)
      order by l.key %6$s, l.name %6$s, l.id %6$s limit %7$s)$part$,
    k.key, case when descending and sort_key is not null and not backwards then -1 else 1 end, here, k.part,
    case when backwards then '<' else '>' end, direction, page_size + 1), ' union all ')
  into pages from unnest(keys, parts) k (key, part);
  if filter ->> 'sort' = 'cover' then
    perform private.keep_pace(null, at);
  end if;
  execute format('select array_agg(u.id), array_agg(u.key), array_agg(u.name) from (select u.* from (%2$s) u order by u.key %1$s, u.name %1$s, u.id %1$s limit %3$s) u',
    direction, pages, page_size + 1) into ids, ranks, names using at, pattern, filter ->> 'category', after;
  -- Each is looked up by its key. Once a day the pace of some is not reckoned yet, and they are read again with it.
  for attempt in 1 .. 2 loop
    select coalesce(json_agg((
        select json_build_object(
          'product_id', m.id, 'name', p."Name", 'category', p."Category", 'has_size', p."hasSize", 'is_listed', p.is_listed,
          'is_archived', p.archived_at is not null, 'on_hand', s.on_hand, 'reserved', s.reserved, 'low_at', s.low_at,
          'waiting', (select count(*) from public.notify_subscriptions n where n.product_id = m.id),
          'cover_days', round((s.on_hand - s.reserved) / nullif(m.per_day, 0), 1), 'key', m.key, 'sort_name', m.name)
        from public."Products" p, public.stock_levels s where p."Id" = m.id and s.product_id = m.id) order by m.place), '[]'),
      array_agg(m.id) filter (where m.per_day is null)
    into entries, unreckoned
    from (
      select u.*, (select k.per_day from private.stock_pace k where k.product_id = u.id and k.day = private.day_of(at)) as per_day
      from unnest(ids, ranks, names) with ordinality u (id, key, name, place) where u.place <= page_size) m;
    exit when unreckoned is null;
    perform private.keep_pace(unreckoned, at);
  end loop;
  if condition = '' then
    total := (select count(*) from public."Products" p where p.archived_at is null)
           + (select count(*) from public."Products" p join public.stock_levels s on s.product_id = p."Id" where p.archived_at is not null and s.on_hand > 0);
  else
    execute format('select count(*) from (select from %s where %s and %s limit %s) m', here, kept, condition, most + 1) into total
    using at, pattern, filter ->> 'category';
  end if;
  return json_build_object('rows', entries, 'count', least(total, most), 'count_is_capped', total > most,
    'next', case when cardinality(ids) > page_size then
      json_build_object('key', ranks[page_size], 'sort_name', names[page_size], 'product_id', ids[page_size]) end);
end $$;

create function public.admin_read_stock_summary() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object('out', count(*) filter (where s.on_hand = 0), 'low', count(*) filter (where s.on_hand > 0),
      'waiting', count(*) filter (where s.on_hand = 0 and exists (select from public.notify_subscriptions n where n.product_id = s.product_id)))
    from private.short_stock h join public.stock_levels s on s.product_id = h.product_id join public."Products" p on p."Id" = h.product_id
    where private.is_short(s) and p.is_listed and p.archived_at is null);
end $$;

create function public.admin_read_stock_value() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object(
      'value_paise', coalesce(sum(round(s.on_hand * c.unit_cost * 100 / case when p."hasSize" then 500 else 1 end)), 0)::bigint,
      'without_cost', count(*) filter (where c.unit_cost is null))
    from public.stock_levels s
    join public."Products" p on p."Id" = s.product_id
    left join lateral (select k.unit_cost from private.product_costs k where k.product_id = s.product_id and k.valid_from <= now()
                       order by k.valid_from desc limit 1) c on true
    where s.on_hand > 0);
end $$;

create function public.admin_read_stock(product_id bigint, at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  stock jsonb;
begin
  perform private.require_admin();
  perform private.keep_pace(array[admin_read_stock.product_id], at);
  select jsonb_build_object(
    'product_id', p."Id", 'name', p."Name", 'category', p."Category", 'has_size', p."hasSize",
    'is_listed', p.is_listed, 'is_archived', p.archived_at is not null, 'on_hand', s.on_hand, 'reserved', s.reserved, 'low_at', s.low_at,
    'sold_per_day', round(k.per_day, 3), 'cover_days', round((s.on_hand - s.reserved) / nullif(k.per_day, 0), 1),
    'unit_cost_paise', (private.unit_cost_at(p."Id", at) * 100)::bigint,
    'waiting', (select jsonb_build_object('people', count(*), 'since', min(n.created_at)) from public.notify_subscriptions n where n.product_id = p."Id"),
    'to_pack', private.to_pack(p."Id"),
    'wasted', (select jsonb_build_object('units', coalesce(-sum(m.quantity), 0), 'value_paise', coalesce(sum(l.paise), 0),
                                         'unknown', coalesce(bool_or(l.paise is null), false))
               from public.stock_movements m, lateral (select private.loss_paise(m) as paise) l
               where m.product_id = p."Id" and m.reason = 'wastage' and m.created_at > at - interval '30 days'),
    'coming', (select coalesce(jsonb_agg(jsonb_build_object('purchase_id', o.id, 'vendor', v.name, 'expected_on', o.expected_on,
                                 'quantity', i.quantity - i.received_quantity, 'unit', i.unit) order by o.expected_on, o.id), '[]')
               from public.purchase_orders o join public.vendors v on v.id = o.vendor_id
               join public.purchase_order_items i on i.purchase_order_id = o.id
               where o.status in ('Ordered', 'Received') and i.product_id = p."Id" and i.received_quantity < i.quantity))
  into stock
  from public."Products" p join public.stock_levels s on s.product_id = p."Id" join private.stock_pace k on k.product_id = p."Id"
  where p."Id" = admin_read_stock.product_id;
  return stock;
end $$;

create function private.to_pack(product_id bigint) returns bigint
language sql stable set search_path = '' as $$
  select coalesce(sum(private.stock_quantity(i.has_size, i.size, i.quantity)), 0)
  from public.order_items i
  where i.product_id = to_pack.product_id
    and i.order_id = any (array(select o.id from public.orders o where o.status in ('Pending', 'Confirmed', 'Preparing')));
$$;

create function private.loss_paise(movement public.stock_movements) returns bigint
language sql stable set search_path = '' as $$
  select round(-movement.quantity * private.unit_cost_at(p."Id", coalesce(u.created_at, movement.created_at)) * 100
               / case when p."hasSize" then 500 else 1 end)::bigint
  from public."Products" p left join public.stock_movements u on u.id = movement.undoes
  where p."Id" = movement.product_id;
$$;

create function public.admin_set_low_mark(product_id bigint, seen integer, low_at integer) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  level public.stock_levels;
begin
  perform private.require_admin();
  select * into level from public.stock_levels s where s.product_id = admin_set_low_mark.product_id for update;
  if level.product_id is null then
    raise sqlstate 'PT404' using message = 'Product not found.';
  elsif level.low_at is distinct from seen then
    raise sqlstate 'PT409' using message = 'Changed by someone else. Check the latest version before you save.', detail = 'stale';
  elsif admin_set_low_mark.low_at is null or admin_set_low_mark.low_at not between 0 and 100000000 then
    perform private.refuse('From 0 to 1,00,000.', 'low_at');
  end if;
  update public.stock_levels s set low_at = admin_set_low_mark.low_at where s.product_id = level.product_id returning * into level;
  return jsonb_build_object('product_id', level.product_id, 'low_at', level.low_at);
end $$;

create function public.admin_record_movement(
  product_id bigint, reason text, units integer, note text default '', at timestamptz default now(), entry_id uuid default null)
returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  product public."Products";
  level public.stock_levels;
  movement bigint;
  moved integer := case when reason = 'wastage' then -units else units end;
  earlier public.stock_movements;
begin
  perform private.require_admin();
  select * into level from public.stock_levels s where s.product_id = admin_record_movement.product_id for update;
  select * into earlier from public.stock_movements m where m.entry_id = admin_record_movement.entry_id;
  if earlier.id is not null then
    if (earlier.product_id, earlier.reason, earlier.quantity, earlier.note)
       is distinct from (admin_record_movement.product_id, reason, moved, btrim(coalesce(note, ''))) then
      raise sqlstate 'PT409' using message = 'This was already saved the first time. Check the stock movements before you add another.', detail = 'stale';
    end if;
    return jsonb_build_object('id', earlier.id, 'on_hand', level.on_hand);
  end if;
  select * into product from public."Products" p where p."Id" = admin_record_movement.product_id;
  if product."Id" is null then
    raise sqlstate 'PT404' using message = 'Product not found.';
  elsif reason is null or reason not in ('production', 'wastage', 'return') then
    perform private.refuse('Choose made, wasted or returned.', 'reason');
  elsif units is null or units not between 1 and 100000000 then
    perform private.refuse('Enter a quantity above 0, at most 1,00,000.', 'quantity');
  elsif reason = 'wastage' and coalesce(btrim(note), '') = '' then
    perform private.refuse('Enter the reason for the wastage.', 'note');
  elsif char_length(coalesce(note, '')) > 300 then
    perform private.refuse('A note has at most 300 characters.', 'note');
  elsif reason = 'wastage' and units > level.on_hand - level.reserved then
    perform private.refuse(format('Only %s can be taken out: the rest is reserved for customers who are paying, or gone.',
                                  private.say_stock(level.on_hand - level.reserved, product."hasSize")), 'quantity');
  end if;
  insert into public.stock_movements (product_id, quantity, reason, note, created_at, entry_id)
  values (product."Id", moved, reason, btrim(coalesce(note, '')), at, admin_record_movement.entry_id)
  returning id into movement;
  return jsonb_build_object('id', movement, 'on_hand', (select s.on_hand from public.stock_levels s where s.product_id = product."Id"));
end $$;

create function public.admin_undo_movement(movement_id bigint, at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  movement public.stock_movements;
  level public.stock_levels;
  undoing bigint;
begin
  perform private.require_admin();
  select * into movement from public.stock_movements m where m.id = movement_id;
  if movement.id is null then
    raise sqlstate 'PT404' using message = 'Stock movement not found.';
  end if;
  select * into level from public.stock_levels s where s.product_id = movement.product_id for update;
  if movement.order_id is not null or movement.reason not in ('production', 'wastage', 'return', 'count') or movement.undoes is not null then
    raise sqlstate 'PT409' using message = 'Only manual adjustments can be undone here.';
  elsif exists (select from public.stock_movements m where m.undoes = movement.id) then
    raise sqlstate 'PT409' using message = 'This was already undone.', detail = 'stale';
  elsif level.on_hand - movement.quantity < level.reserved then
    perform private.refuse(format('Only %s can be taken out, too little to reverse %s.',
      private.say_stock(level.on_hand - level.reserved, p."hasSize"), private.say_stock(movement.quantity, p."hasSize")))
    from public."Products" p where p."Id" = movement.product_id;
  end if;
  insert into public.stock_movements (product_id, quantity, reason, note, created_at, undoes)
  values (movement.product_id, -movement.quantity, movement.reason, 'undone', at, movement.id) returning id into undoing;
  return jsonb_build_object('id', undoing, 'on_hand', level.on_hand - movement.quantity);
end $$;

create function public.admin_list_movements(filter jsonb default '{}', after jsonb default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 50;
  reason constant text := nullif(filter ->> 'reason', '');
  product bigint;
  newest_first text;
  on_hand bigint;
  entries jsonb;
begin
  perform private.require_admin();
  perform private.expect_cursor(after, '{"created_at": "timestamptz", "id": "bigint", "quantity": "bigint"}');
  product := private.typed_number(filter ->> 'product_id', 0);
  -- Ids follow time; only the index of a product's movements is by the time itself.
  newest_first := case when product is null then 'm.id desc' else 'm.created_at desc, m.id desc' end;
  if product is not null and reason is null then
    perform private.expect_cursor(after, '{"on_hand_after": "bigint"}');
    -- After the newest row of the page.
    on_hand := case when after is null then (select s.on_hand from public.stock_levels s where s.product_id = product)
                    else (after ->> 'on_hand_after')::bigint - (after ->> 'quantity')::bigint end;
  end if;
  execute format($query$
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', m.id, 'product_id', m.product_id, 'product', p."Name", 'has_size', p."hasSize", 'quantity', m.quantity, 'reason', m.reason,
      'note', m.note, 'created_at', m.created_at, 'undoes', m.undoes,
      'undone_by', (select u.id from public.stock_movements u where u.undoes = m.id),
      'order_id', m.order_id, 'order_number', o.number,
      'loss_paise', case when m.reason = 'wastage' then private.loss_paise(m.moved) end,
      'by', case when m.order_id is null then (select private.person_name(a.actor_id) from public.audit_log a
                                               where a.table_name = 'stock_movements' and a.row_id = m.id::text limit 1) end,
      'on_hand_after', $4 - m.came_since) order by %1$s), '[]')
    from (
      select m.*,
             coalesce(sum(m.quantity) over (order by %1$s rows between unbounded preceding and 1 preceding), 0) as came_since
      from (select m.*, m as moved from public.stock_movements m where %2$s order by %1$s limit %3$s) m
    ) m
    join public."Products" p on p."Id" = m.product_id
    left join public.orders o on o.id = m.order_id
  $query$, newest_first, concat_ws(' and ', 'true',
    case when product is not null then 'm.product_id = $1' end,
    case when reason = 'sale' then 'm.reason = ''sale''' when reason is not null then 'm.reason = $2 and m.reason <> ''sale''' end,
    case when after is null then null when product is null then 'm.id < ($3 ->> ''id'')::bigint'
         else '(m.created_at, m.id) < (($3 ->> ''created_at'')::timestamptz, ($3 ->> ''id'')::bigint)' end), page_size + 1)
  into entries using product, reason, after, on_hand;
  return private.page_of(entries, page_size, array['created_at', 'id', 'on_hand_after', 'quantity']);
end $$;

-- 20_console/41_counts.sql
create function public.admin_read_count_sheet(category text default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (
    with unpacked as (
      select i.product_id, sum(private.stock_quantity(i.has_size, i.size, i.quantity)) as units
      from public.orders o join public.order_items i on i.order_id = o.id
      where o.status in ('Pending', 'Confirmed', 'Preparing')
      group by i.product_id
    )
    select jsonb_build_object('rows', coalesce(jsonb_agg(jsonb_build_object(
      'product_id', p."Id", 'name', p."Name", 'category', p."Category", 'has_size', p."hasSize", 'on_hand', s.on_hand,
      'to_pack', coalesce(u.units, 0), 'unit_cost_paise', (c.unit_cost * 100)::bigint,
      'last_counted_at', (select l.counted_at from public.stock_count_lines l where l.product_id = p."Id" order by l.counted_at desc limit 1))
      order by p."Category", lower(p."Name"), p."Id"), '[]'))
    from public."Products" p
    join public.stock_levels s on s.product_id = p."Id"
    left join unpacked u on u.product_id = p."Id"
    left join lateral (select k.unit_cost from private.product_costs k where k.product_id = p."Id" and k.valid_from <= now()
                       order by k.valid_from desc limit 1) c on true
    where (p.archived_at is null or s.on_hand > 0)
      and (admin_read_count_sheet.category is null or p."Category" = admin_read_count_sheet.category));
end $$;

create function public.admin_read_count_moment(product_id bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object('product_id', s.product_id, 'on_hand', s.on_hand, 'to_pack', private.to_pack(s.product_id), 'at', statement_timestamp())
    from public.stock_levels s where s.product_id = admin_read_count_moment.product_id);
end $$;

create function public.admin_apply_count(count_id uuid, lines jsonb, note text default '', at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  judged jsonb;
begin
  perform private.require_admin();
  perform pg_advisory_xact_lock(hashtextextended('count ' || count_id, 0));
  if exists (select from public.stock_counts c where c.id = count_id) then
    return private.count_answer(count_id);
  elsif count_id is null or jsonb_typeof(lines) is distinct from 'array' or jsonb_array_length(lines) not between 1 and 5000 then
    perform private.refuse('There is nothing counted yet.', 'lines');
  elsif char_length(coalesce(note, '')) > 300 then
    perform private.refuse('A note has at most 300 characters.', 'note');
  end if;
  perform private.lock_stock(array(select (l ->> 'product_id')::bigint from jsonb_array_elements(lines) l));
  select coalesce(jsonb_agg(to_jsonb(l) || jsonb_build_object(
           'name', p."Name", 'message', private.count_refusal(l.product_id, l.counted, l.expected, l.counted_at, at))), '[]')
  into judged
  from (
    select distinct on (t.product_id) t.*
    from jsonb_to_recordset(lines) as t (product_id bigint, counted integer, expected integer, counted_at timestamptz)
    order by t.product_id, t.counted_at desc
  ) l join public."Products" p on p."Id" = l.product_id;

  insert into public.stock_counts (id, note, applied_at, refused)
  select count_id, btrim(coalesce(admin_apply_count.note, '')), at,
         coalesce(jsonb_agg(j - array['counted', 'expected', 'counted_at']) filter (where j ->> 'message' is not null), '[]')
  from jsonb_array_elements(judged) j;
  with good as (
    select l.* from jsonb_to_recordset(judged) as l (product_id bigint, counted integer, expected integer, counted_at timestamptz, message text)
    where l.message is null
  ), moved as (
    insert into public.stock_movements (product_id, quantity, reason, note, created_at)
    select g.product_id, g.counted - g.expected, 'count', btrim(coalesce(admin_apply_count.note, '')), at
    from good g where g.counted <> g.expected order by g.product_id
    returning id, product_id
  )
  insert into public.stock_count_lines (count_id, product_id, counted, expected, counted_at, movement_id)
  select admin_apply_count.count_id, g.product_id, g.counted, g.expected, g.counted_at, m.id
  from good g left join moved m on m.product_id = g.product_id;
  return private.count_answer(count_id);
end $$;

-- 20_console/50_purchases.sql
create function public.admin_save_purchase(
  purchase_id bigint, seen timestamptz, vendor_id bigint, expected_on date, notes text, lines jsonb,
  at timestamptz default now(), entry_id uuid default null)
returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  purchase public.purchase_orders;
  vendor public.vendors;
begin
  perform private.require_admin();
  if purchase_id is not null then
    purchase := private.take_purchase(purchase_id, seen);
  else
    select * into purchase from public.purchase_orders o where o.entry_id = admin_save_purchase.entry_id for update;
  end if;
  if purchase.status <> 'Draft' then
    raise sqlstate 'PT409' using message = 'This order was already sent, so it can’t be changed.';
  end if;
  select * into vendor from public.vendors v where v.id = admin_save_purchase.vendor_id for share;
  if vendor.id is null then
    perform private.refuse('Choose a vendor.', 'vendor_id');
  elsif vendor.archived_at is not null then
    perform private.refuse(format('%s is archived. Bring them back first.', vendor.name), 'vendor_id');
  elsif char_length(coalesce(notes, '')) > 2000 then
    perform private.refuse('Notes have at most 2,000 characters.', 'notes');
  end if;

  if purchase.id is null then
    insert into public.purchase_orders (vendor_id, expected_on, notes, created_at, updated_at, entry_id)
    values (vendor.id, admin_save_purchase.expected_on, btrim(coalesce(admin_save_purchase.notes, '')), at, at,
            admin_save_purchase.entry_id)
    returning * into purchase;
  else
    update public.purchase_orders o
    set vendor_id = vendor.id, expected_on = admin_save_purchase.expected_on, notes = btrim(coalesce(admin_save_purchase.notes, ''))
    where o.id = purchase.id returning * into purchase;
  end if;
  with typed as (
    select * from private.purchase_lines(lines) with ordinality
  ), gone as (
    delete from public.purchase_order_items i
    where i.purchase_order_id = purchase.id and not exists (select from typed t where t.id = i.id)
  ), changed as (
    update public.purchase_order_items i
    set product_id = t.product_id, item_name = t.item_name, unit = t.unit, quantity = t.quantity, unit_cost = t.unit_cost,
        gst_percent = t.gst_percent
    from typed t where t.id = i.id and i.purchase_order_id = purchase.id
  )
  insert into public.purchase_order_items (purchase_order_id, product_id, item_name, unit, quantity, unit_cost, gst_percent)
  select purchase.id, t.product_id, t.item_name, t.unit, t.quantity, t.unit_cost, t.gst_percent
  from typed t
  where not exists (select from public.purchase_order_items i where i.id = t.id and i.purchase_order_id = purchase.id)
  order by t.ordinality;
  return jsonb_build_object('id', purchase.id, 'updated_at', purchase.updated_at);
end $$;

create function public.admin_note_purchase(purchase_id bigint, seen timestamptz, expected_on date, notes text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  purchase public.purchase_orders;
begin
  perform private.require_admin();
  purchase := private.take_purchase(purchase_id, seen);
  if char_length(coalesce(notes, '')) > 2000 then
    perform private.refuse('Notes have at most 2,000 characters.', 'notes');
  end if;
  update public.purchase_orders o
  set expected_on = admin_note_purchase.expected_on, notes = btrim(coalesce(admin_note_purchase.notes, ''))
  where o.id = purchase.id returning * into purchase;
  return jsonb_build_object('id', purchase.id, 'updated_at', purchase.updated_at);
end $$;

create function public.admin_move_purchase(purchase_id bigint, seen timestamptz, to_status text, at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  purchase public.purchase_orders;
begin
  perform private.require_admin();
  purchase := private.take_purchase(purchase_id, seen);
  if not exists (select from private.purchase_status_edges e
                 where e.from_status = purchase.status and e.to_status = admin_move_purchase.to_status and e.through = 'person') then
    raise sqlstate 'PT409' using message = format('A purchase order that is %s cannot become %s.', purchase.status, to_status);
  end if;
  if to_status = 'Ordered' then
    if not exists (select from public.purchase_order_items i where i.purchase_order_id = purchase.id) then
      perform private.refuse('This order has no items yet.', 'lines');
    elsif exists (select from public.vendors v where v.id = purchase.vendor_id and v.archived_at is not null) then
      perform private.refuse('This vendor is archived. Bring them back first.', 'vendor_id');
    end if;
  end if;
  update public.purchase_orders o
  set status = to_status, ordered_at = case when to_status = 'Ordered' then at else o.ordered_at end
  where o.id = purchase.id returning * into purchase;
  return jsonb_build_object('id', purchase.id, 'status', purchase.status, 'updated_at', purchase.updated_at);
end $$;

create function public.admin_delete_purchase(purchase_id bigint, seen timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
declare
  purchase public.purchase_orders;
begin
  perform private.require_admin();
  purchase := private.take_purchase(purchase_id, seen);
  if purchase.status <> 'Draft' then
    raise sqlstate 'PT409' using message = 'An order that was sent can’t be deleted. Close it instead.';
  end if;
  delete from public.purchase_orders o where o.id = purchase.id;
end $$;

create function public.admin_receive_purchase(
  receipt_id uuid, purchase_id bigint, seen timestamptz, lines jsonb, billed_on date default null, bill_number text default '',
  adjustment_paise bigint default 0, allow_more boolean default false, at timestamptz default now())
returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  purchase public.purchase_orders;
  billed date := coalesce(billed_on, private.day_of(at));
  line record;
  movement bigint;
  goods numeric := 0;
  gst numeric := 0;
  owed numeric;
begin
  perform private.require_admin();
  select * into purchase from public.purchase_orders o where o.id = purchase_id for update;
  if exists (select from public.purchase_receipts r where r.id = admin_receive_purchase.receipt_id and r.purchase_order_id = purchase.id) then
    return jsonb_build_object('id', purchase.id, 'status', purchase.status, 'updated_at', purchase.updated_at);
  end if;
  purchase := private.take_purchase(purchase_id, seen);
  if purchase.status not in ('Ordered', 'Received') then
    raise sqlstate 'PT409' using message = 'Goods can be received only on an order that was sent and is not closed.';
  elsif admin_receive_purchase.receipt_id is null or billed > private.day_of(at) or billed < private.day_of(at) - 366 then
    perform private.refuse('The bill’s date is today or in the past year.', 'billed_on');
  elsif char_length(coalesce(bill_number, '')) > 60 then
    perform private.refuse('A bill’s number has at most 60 characters.', 'bill_number');
  end if;

  perform private.lock_stock(array(
    select i.product_id from public.purchase_order_items i where i.purchase_order_id = purchase.id and i.product_id is not null));
  insert into public.purchase_receipts (id, purchase_order_id, received_at) values (receipt_id, purchase.id, at);
  for line in select * from private.received_lines(purchase.id, lines, coalesce(allow_more, false)) loop
    movement := null;
    if line.stock_units is not null then
      insert into public.stock_movements (product_id, quantity, reason, note, created_at)
      values (line.product_id, line.stock_units, 'purchase', format('purchase order %s', purchase.id), at)
      returning id into movement;
    end if;
    if line.sets_cost then
      insert into private.product_costs (product_id, valid_from, unit_cost)
      select line.product_id, at, line.product_cost
      where private.unit_cost_at(line.product_id, at) is distinct from line.product_cost
      on conflict on constraint product_costs_pkey do update set unit_cost = excluded.unit_cost;
    end if;
    insert into public.purchase_receipt_items (receipt_id, item_id, quantity, movement_id, sets_cost)
    values (receipt_id, line.item_id, line.quantity, movement, line.sets_cost);
    update public.purchase_order_items i set received_quantity = i.received_quantity + line.quantity where i.id = line.item_id;
    goods := goods + round(line.quantity * line.unit_cost, 2);
    gst := gst + round(line.quantity * line.unit_cost * line.gst_percent / 100, 2);
  end loop;
  if not found then
    perform private.refuse('Enter the quantity received.', 'lines');
  end if;

  owed := goods + gst + coalesce(adjustment_paise, 0) / 100.0;
  if owed < 0 or owed > 999999999999 then
    perform private.refuse('This is more than the goods cost.', 'adjustment');
  elsif owed > 0 then
    insert into public.vendor_bills (vendor_id, receipt_id, bill_number, billed_on, due_on, goods, gst, adjustment, amount, created_at)
    select v.id, receipt_id, btrim(coalesce(admin_receive_purchase.bill_number, '')), billed, billed + v.payment_terms_days, goods, gst,
           coalesce(adjustment_paise, 0) / 100.0, owed, at
    from public.vendors v where v.id = purchase.vendor_id;
  end if;
  update public.purchase_orders o set status = 'Received', received_at = at where o.id = purchase.id returning * into purchase;
  return jsonb_build_object('id', purchase.id, 'status', purchase.status, 'updated_at', purchase.updated_at);
end $$;

create function public.admin_undo_receipt(receipt_id uuid, seen timestamptz, at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  receipt public.purchase_receipts;
  purchase public.purchase_orders;
  short record;
begin
  perform private.require_admin();
  select * into receipt from public.purchase_receipts r where r.id = admin_undo_receipt.receipt_id;
  if receipt.id is null then
    raise sqlstate 'PT404' using message = 'Receipt not found.';
  end if;
  purchase := private.take_purchase(receipt.purchase_order_id, seen);
  if receipt.undone_at is not null or purchase.status <> 'Received' then
    raise sqlstate 'PT409' using message = 'This receipt was already reversed, or its order is closed.';
  end if;

  perform private.lock_stock(array(
    select i.product_id from public.purchase_order_items i where i.purchase_order_id = purchase.id and i.product_id is not null));
  select m.product_id, p."Name" as name, p."hasSize" as has_size, s.on_hand - s.reserved as saleable, sum(m.quantity) as came into short
  from public.purchase_receipt_items r
  join public.stock_movements m on m.id = r.movement_id
  join public.stock_levels s on s.product_id = m.product_id
  join public."Products" p on p."Id" = m.product_id
  where r.receipt_id = receipt.id
  group by m.product_id, p."Name", p."hasSize", s.on_hand, s.reserved
  having sum(m.quantity) > s.on_hand - s.reserved limit 1;
  if found then
    perform private.refuse(format('%s of %s came, and only %s of it is left unsold.', private.say_stock(short.came, short.has_size), short.name,
                                  private.say_stock(short.saleable, short.has_size)));
  end if;
  insert into public.stock_movements (product_id, quantity, reason, note, created_at, undoes)
  select m.product_id, -m.quantity, m.reason, format('receipt undone: purchase order %s', purchase.id), at, m.id
  from public.purchase_receipt_items r join public.stock_movements m on m.id = r.movement_id
  where r.receipt_id = receipt.id;
  update public.purchase_order_items i set received_quantity = i.received_quantity - r.quantity
  from public.purchase_receipt_items r where r.receipt_id = receipt.id and r.item_id = i.id;
  update public.vendor_bills b set canceled_at = at where b.receipt_id = receipt.id;
  update public.purchase_receipts r set undone_at = at where r.id = receipt.id;
  perform private.forget_cost_of(receipt);
  update public.purchase_orders o
  set (status, received_at) = (
    select case when max(r.received_at) is null then 'Ordered' else 'Received' end, max(r.received_at)
    from public.purchase_receipts r where r.purchase_order_id = o.id and r.undone_at is null)
  where o.id = purchase.id returning * into purchase;
  return jsonb_build_object('id', purchase.id, 'status', purchase.status, 'updated_at', purchase.updated_at);
end $$;

create function private.say_stock(units bigint, has_size boolean) returns text
language sql immutable set search_path = '' as $$
  select case when has_size then private.say_quantity(units / 1000.0, 'kg') else private.say_quantity(units, 'piece') end;
$$;

-- 20_console/51_vendors.sql
create function public.admin_pay_vendor(
  payment_id uuid, vendor_id bigint, owed_seen_paise bigint, amount_paise bigint, paid_on date, mode text, reference text default '',
  at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  vendor public.vendors;
  owed bigint;
begin
  perform private.require_admin();
  select * into vendor from public.vendors v where v.id = admin_pay_vendor.vendor_id for no key update;
  if vendor.id is null then
    raise sqlstate 'PT404' using message = 'Vendor not found.';
  end if;
  owed := private.owed_to(vendor.id) * 100;
  if exists (select from public.vendor_payments p where p.id = payment_id and p.vendor_id = vendor.id) then
    return jsonb_build_object('id', payment_id, 'owed_paise', owed);
  elsif owed is distinct from owed_seen_paise then
    raise sqlstate 'PT409' using message = 'Changed by someone else. Check the latest version before you save.', detail = 'stale';
  elsif amount_paise is null or amount_paise <= 0 then
    perform private.refuse('Enter the amount paid.', 'amount');
  elsif amount_paise > owed then
    perform private.refuse('This is more than we owe them.', 'amount');
  elsif paid_on is null or paid_on > private.day_of(at) or paid_on < private.day_of(at) - 366 then
    perform private.refuse('The day is today or in the past year.', 'paid_on');
  elsif mode is null or mode not in ('Cash', 'UPI', 'Card', 'Bank transfer', 'Cheque') then
    perform private.refuse('Choose a payment mode.', 'mode');
  elsif char_length(coalesce(reference, '')) > 100 then
    perform private.refuse('A reference has at most 100 characters.', 'reference');
  end if;
  insert into public.vendor_payments (id, vendor_id, paid_on, mode, amount, reference, created_at)
  values (payment_id, vendor.id, admin_pay_vendor.paid_on, admin_pay_vendor.mode, amount_paise / 100.0,
          btrim(coalesce(admin_pay_vendor.reference, '')), at);
  return jsonb_build_object('id', payment_id, 'owed_paise', owed - amount_paise);
end $$;

create function public.admin_undo_vendor_payment(payment_id uuid, at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  payment public.vendor_payments;
begin
  perform private.require_admin();
  select * into payment from public.vendor_payments p where p.id = payment_id;
  if payment.id is null then
    raise sqlstate 'PT404' using message = 'Payment not found.';
  end if;
  perform from public.vendors v where v.id = payment.vendor_id for no key update;
  update public.vendor_payments p set undone_at = at where p.id = payment.id and p.undone_at is null;
  if not found then
    raise sqlstate 'PT409' using message = 'This payment was already reversed.', detail = 'stale';
  end if;
  return jsonb_build_object('id', payment.id, 'owed_paise', (private.owed_to(payment.vendor_id) * 100)::bigint);
end $$;

create function public.admin_list_vendors(search text default '', with_archived boolean default false, at timestamptz default now())
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (
    with owed as (
      select m.vendor_id, sum(m.amount) as owed from (
        select b.vendor_id, b.amount from public.vendor_bills b where b.canceled_at is null
        union all select p.vendor_id, -p.amount from public.vendor_payments p where p.undone_at is null
      ) m group by m.vendor_id
    ), due as (
      select o.vendor_id, min(o.due_on) as next_due_on, sum(o.unpaid) filter (where o.due_on < private.day_of(at)) as overdue,
             sum(o.unpaid) filter (where o.due_on between private.day_of(at) and private.day_of(at) + 6) as due_soon
      from private.open_bills() o group by o.vendor_id
    ), bought as (
      select o.vendor_id, count(*) filter (where o.status in ('Ordered', 'Received')) as open_orders, max(o.ordered_at) as last_ordered_at
      from public.purchase_orders o group by o.vendor_id
    ), listed as (
      select v.id, v.name, v.contact_name, v.phone, v.payment_terms_days, v.archived_at, coalesce(b.open_orders, 0) as open_orders, b.last_ordered_at,
             d.next_due_on, (coalesce(o.owed, 0) * 100)::bigint as owed_paise, (coalesce(d.overdue, 0) * 100)::bigint as overdue_paise,
             (coalesce(d.due_soon, 0) * 100)::bigint as due_soon_paise
      from public.vendors v left join owed o on o.vendor_id = v.id left join due d on d.vendor_id = v.id left join bought b on b.vendor_id = v.id
    )
    select jsonb_build_object(
      'rows', coalesce(jsonb_agg(to_jsonb(l) order by lower(l.name), l.id) filter (
        where (l.archived_at is null or coalesce(with_archived, false) or l.owed_paise <> 0)
          and position(lower(btrim(coalesce(search, ''))) in lower(concat_ws(' ', l.name, l.contact_name, l.phone))) > 0), '[]'),
      'owed_paise', coalesce(sum(l.owed_paise) filter (where l.owed_paise > 0), 0),
      'overdue_paise', coalesce(sum(l.overdue_paise), 0), 'due_soon_paise', coalesce(sum(l.due_soon_paise), 0))
    from listed l);
end $$;

create function public.admin_read_vendor(vendor_id bigint, at timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  found_vendor jsonb;
begin
  perform private.require_admin();
  select to_jsonb(v) || jsonb_build_object(
    'owed_paise', (private.owed_to(v.id) * 100)::bigint, 'bills', private.bill_facts(v.id),
    'overdue_paise', (select coalesce(sum(o.unpaid) * 100, 0)::bigint from private.open_bills(v.id) o where o.due_on < private.day_of(at)))
  into found_vendor
  from public.vendors v where v.id = admin_read_vendor.vendor_id;
  return found_vendor;
end $$;

create function public.admin_list_payables(at timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object(
      'rows', coalesce(jsonb_agg(jsonb_build_object(
        'vendor_id', v.id, 'vendor', v.name, 'phone', v.phone, 'owed_paise', (d.owed * 100)::bigint,
        'overdue_paise', (d.overdue * 100)::bigint, 'next_due_on', d.next_due_on, 'bills', private.bill_facts(v.id))
        order by (d.overdue > 0) desc, d.next_due_on, lower(v.name)), '[]'),
      'owed_paise', coalesce(sum(d.owed) * 100, 0)::bigint, 'overdue_paise', coalesce(sum(d.overdue) * 100, 0)::bigint,
      'due_soon_paise', coalesce(sum(d.due_soon) * 100, 0)::bigint)
    from (
      select o.vendor_id, sum(o.unpaid) as owed, min(o.due_on) as next_due_on,
             coalesce(sum(o.unpaid) filter (where o.due_on < private.day_of(at)), 0) as overdue,
             coalesce(sum(o.unpaid) filter (where o.due_on between private.day_of(at) and private.day_of(at) + 6), 0) as due_soon
      from private.open_bills() o group by o.vendor_id
    ) d join public.vendors v on v.id = d.vendor_id);
end $$;

create function public.admin_list_vendor_account(vendor_id bigint, after jsonb default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 50;
  entries jsonb;
begin
  perform private.require_admin();
  perform private.expect_cursor(after, '{"day": "date", "created_at": "timestamptz", "id": "text"}');
  select coalesce(jsonb_agg(to_jsonb(e) order by e.day desc, e.created_at desc, e.id desc), '[]') into entries
  from (
    select w.* from (
      select a.*, (sum(a.amount_paise) over (order by a.day, a.created_at, a.id))::bigint as owed_after_paise
      from (
        select b.id::text as id, 'bill' as kind, b.billed_on as day, b.created_at, (b.amount * 100)::bigint as amount_paise,
               b.bill_number as reference, null as mode, b.due_on, r.purchase_order_id as purchase_id
        from public.vendor_bills b join public.purchase_receipts r on r.id = b.receipt_id
        where b.vendor_id = admin_list_vendor_account.vendor_id and b.canceled_at is null
        union all
        select p.id::text, 'payment', p.paid_on, p.created_at, -(p.amount * 100)::bigint, p.reference, p.mode, null, null
        from public.vendor_payments p where p.vendor_id = admin_list_vendor_account.vendor_id and p.undone_at is null
      ) a
    ) w
    where after is null
       or (w.day, w.created_at, w.id) < ((after ->> 'day')::date, (after ->> 'created_at')::timestamptz, after ->> 'id')
    order by w.day desc, w.created_at desc, w.id desc
    limit page_size + 1
  ) e;
  return private.page_of(entries, page_size, array['day', 'created_at', 'id']);
end $$;

-- 20_console/52_read_purchases.sql
create function public.admin_list_purchases(filter jsonb default '{}', after jsonb default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 50;
  most constant integer := 10000;
  states text[] := case filter ->> 'status' when 'open' then array['Ordered', 'Received'] else array[filter ->> 'status'] end;
  wanted text := lower(btrim(coalesce(filter ->> 'search', '')));
  matching text := 'select o.* from public.purchase_orders o where true';
  entries jsonb;
  total bigint;
begin
  perform private.require_admin();
  perform private.expect_cursor(after, '{"created_at": "timestamptz", "id": "bigint"}');
  if states[1] is not null then
    matching := matching || ' and o.status = any ($1)';
  end if;
  if filter ->> 'vendor_id' is not null then
    matching := matching || ' and o.vendor_id = $2';
  end if;
  if wanted <> '' then
    matching := matching || ' and (o.id::text = $3
      or exists (select from public.vendors v where v.id = o.vendor_id and position($3 in lower(v.name)) > 0)
      or exists (select from public.purchase_order_items i where i.purchase_order_id = o.id and position($3 in lower(i.item_name)) > 0))';
  end if;
  execute format('select count(*) from (%s limit %s) m', matching, most + 1) into total
  using states, private.typed_number(filter ->> 'vendor_id', 0)::bigint, wanted;
  execute format($query$
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', m.id, 'vendor_id', m.vendor_id, 'vendor', v.name, 'status', m.status, 'created_at', m.created_at, 'ordered_at', m.ordered_at,
      'expected_on', m.expected_on, 'total_paise', l.total, 'lines', l.lines, 'things', l.things, 'is_short', l.is_short, 'has_come', l.has_come)
      order by m.created_at desc, m.id desc), '[]')
    from (
      %s and ($4::jsonb is null or (o.created_at, o.id) < (($4 ->> 'created_at')::timestamptz, ($4 ->> 'id')::bigint))
      order by o.created_at desc, o.id desc limit %s
    ) m
    join public.vendors v on v.id = m.vendor_id,
    lateral (
      select count(*) as lines, string_agg(i.item_name, ', ' order by i.id) as things,
             coalesce(bool_or(i.received_quantity < i.quantity), false) as is_short, coalesce(bool_or(i.received_quantity > 0), false) as has_come,
             coalesce(sum((round(i.quantity * i.unit_cost, 2) + round(i.quantity * i.unit_cost * i.gst_percent / 100, 2)) * 100), 0)::bigint as total
      from public.purchase_order_items i where i.purchase_order_id = m.id
    ) l
  $query$, matching, page_size + 1) into entries
  using states, private.typed_number(filter ->> 'vendor_id', 0)::bigint, wanted, after;
  return private.page_of(entries, page_size, array['created_at', 'id'])
      || jsonb_build_object('count', least(total, most), 'count_is_capped', total > most);
end $$;

create function private.last_price(item_name text, before_purchase bigint) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('unit_cost_paise', (i.unit_cost * 100)::bigint, 'unit', i.unit, 'gst_percent', i.gst_percent, 'vendor', v.name,
                            'ordered_at', o.ordered_at)
  from public.purchase_order_items i
  join public.purchase_orders o on o.id = i.purchase_order_id
  join public.vendors v on v.id = o.vendor_id
  where lower(i.item_name) = lower(last_price.item_name) and o.ordered_at is not null and o.id is distinct from before_purchase
  order by o.ordered_at desc, i.id desc limit 1;
$$;

create function public.admin_read_purchase(purchase_id bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  purchase jsonb;
begin
  perform private.require_admin();
  select to_jsonb(o) || jsonb_build_object(
    'vendor', jsonb_build_object('id', v.id, 'name', v.name, 'contact_name', v.contact_name, 'phone', v.phone, 'gstin', v.gstin,
                                 'payment_terms_days', v.payment_terms_days),
    'lines', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', i.id, 'item_name', i.item_name, 'unit', i.unit, 'quantity', i.quantity, 'received_quantity', i.received_quantity,
        'unit_cost_paise', (i.unit_cost * 100)::bigint, 'gst_percent', i.gst_percent, 'last_price', private.last_price(i.item_name, o.id),
        'product', case when p."Id" is not null then jsonb_build_object(
          'id', p."Id", 'has_size', p."hasSize", 'unit_cost_paise', (private.unit_cost_at(p."Id", now()) * 100)::bigint) end) order by i.id), '[]')
      from public.purchase_order_items i left join public."Products" p on p."Id" = i.product_id where i.purchase_order_id = o.id),
    'receipts', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', r.id, 'received_at', r.received_at, 'undone_at', r.undone_at,
        'by', (select private.person_name(a.actor_id) from public.audit_log a
               where a.table_name = 'purchase_receipts' and a.row_id = r.id::text and a.action = 'insert' limit 1),
        'bill', (select jsonb_build_object('bill_number', b.bill_number, 'billed_on', b.billed_on, 'due_on', b.due_on,
                                           'adjustment_paise', (b.adjustment * 100)::bigint, 'amount_paise', (b.amount * 100)::bigint)
                 from public.vendor_bills b where b.receipt_id = r.id),
        'lines', (select jsonb_agg(jsonb_build_object('item_id', t.item_id, 'quantity', t.quantity, 'sets_cost', t.sets_cost) order by t.item_id)
                  from public.purchase_receipt_items t where t.receipt_id = r.id)) order by r.received_at, r.id), '[]')
      from public.purchase_receipts r where r.purchase_order_id = o.id))
  into purchase
  from public.purchase_orders o join public.vendors v on v.id = o.vendor_id
  where o.id = admin_read_purchase.purchase_id;
  return purchase;
end $$;

create function public.admin_find_items(search text, vendor_id bigint default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  wanted text := lower(btrim(coalesce(search, '')));
begin
  perform private.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'name', f.name, 'product_id', f.product_id, 'has_size', f.has_size, 'last_price', private.last_price(f.name, null))
      order by f.from_vendor desc, f.starts desc, lower(f.name)), '[]')
    from (
      select n.*, starts_with(lower(n.name), wanted) as starts from (
        select p."Name" as name, p."Id" as product_id, p."hasSize" as has_size,
               exists (select from public.purchase_order_items i join public.purchase_orders o on o.id = i.purchase_order_id
                       where lower(i.item_name) = lower(p."Name") and o.vendor_id = admin_find_items.vendor_id) as from_vendor
        from public."Products" p
        where p.archived_at is null and position(wanted in lower(p."Name")) > 0
        union all
        select (array_agg(i.item_name order by i.id desc))[1], null, null, bool_or(o.vendor_id = admin_find_items.vendor_id)
        from public.purchase_order_items i join public.purchase_orders o on o.id = i.purchase_order_id
        where i.product_id is null and o.ordered_at is not null and position(wanted in lower(i.item_name)) > 0
        group by lower(i.item_name)
      ) n
      where n.product_id is not null
         or not exists (select from public."Products" p where p.archived_at is null and lower(p."Name") = lower(n.name))
      order by coalesce(n.from_vendor, false) desc, starts desc, lower(n.name)
      limit 20
    ) f);
end $$;

create function private.compared_cost(unit text, unit_cost numeric) returns numeric
language sql immutable set search_path = '' as $$
  select case unit when 'g' then unit_cost * 1000 else unit_cost end;
$$;

create function public.admin_list_bought_items(vendor_id bigint default null, search text default '') returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object('rows', coalesce(jsonb_agg(jsonb_build_object(
      'item_name', b.item_name, 'unit', b.unit, 'times', b.times, 'last_ordered_at', b.last_ordered_at, 'last_vendor', v.name,
      'last_paise', (private.compared_cost(b.last_unit, b.last_cost) * 100)::bigint,
      'before_paise', (private.compared_cost(b.before_unit, b.before_cost) * 100)::bigint) order by b.name, b.unit), '[]'))
    from (
      select l.name, l.unit, max(l.times) as times, max(l.item_name) filter (where l.place = 1) as item_name, max(l.ordered_at) as last_ordered_at,
             max(l.vendor_id) filter (where l.place = 1) as vendor_id,
             max(l.bought_in) filter (where l.place = 1) as last_unit, max(l.unit_cost) filter (where l.place = 1) as last_cost,
             max(l.bought_in) filter (where l.place = 2) as before_unit, max(l.unit_cost) filter (where l.place = 2) as before_cost
      from (
        select n.*, row_number() over (partition by n.name, n.unit order by n.ordered_at desc, n.id desc) as place,
               count(*) over (partition by n.name, n.unit) as times
        from (
          select i.id, lower(i.item_name) as name, i.item_name, case i.unit when 'g' then 'kg' else i.unit end as unit, i.unit as bought_in, i.unit_cost,
                 o.ordered_at, o.vendor_id
          from public.purchase_order_items i join public.purchase_orders o on o.id = i.purchase_order_id
          where o.ordered_at is not null and (admin_list_bought_items.vendor_id is null or o.vendor_id = admin_list_bought_items.vendor_id)
            and position(lower(btrim(coalesce(search, ''))) in lower(i.item_name)) > 0
        ) n
      ) l
      where l.place <= 2
      group by l.name, l.unit
      order by l.name, l.unit
      limit 200
    ) b join public.vendors v on v.id = b.vendor_id);
end $$;

create function public.admin_read_item_prices(item_name text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object('rows', coalesce(jsonb_agg(to_jsonb(h) order by h.ordered_at desc, h.id desc), '[]'))
    from (
      select i.id, o.id as purchase_id, o.ordered_at, v.id as vendor_id, v.name as vendor, i.quantity, i.unit, (i.unit_cost * 100)::bigint as unit_cost_paise,
             case i.unit when 'g' then 'kg' else i.unit end as compared_unit, (private.compared_cost(i.unit, i.unit_cost) * 100)::bigint as compared_paise
      from public.purchase_order_items i
      join public.purchase_orders o on o.id = i.purchase_order_id and o.ordered_at is not null
      join public.vendors v on v.id = o.vendor_id
      where lower(i.item_name) = lower(btrim(admin_read_item_prices.item_name))
      order by o.ordered_at desc, i.id desc limit 200
    ) h);
end $$;

-- 20_console/60_expenses.sql
create function public.admin_list_due_expenses(at timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  today date := private.day_of(at);
begin
  perform private.require_admin();
  return (
    select jsonb_build_object(
      'due', coalesce(jsonb_agg(to_jsonb(d) order by d.next_due_on, d.id) filter (where d.next_due_on <= today), '[]'),
      'coming', coalesce(jsonb_agg(to_jsonb(d) order by d.next_due_on, d.id) filter (where d.next_due_on > today), '[]'))
    from (
      select e.id, e.next_due_on, e.category, e.vendor_id, v.name as vendor, e.description, e.repeats, e.payment_mode,
             (e.amount * 100)::bigint as amount_paise, (e.gst_amount * 100)::bigint as gst_paise
      from public.expenses e left join public.vendors v on v.id = e.vendor_id
      where e.next_due_on <= today + 7
      order by e.next_due_on, e.id
      limit 100
    ) d);
end $$;

create function public.admin_enter_due_expense(expense_id bigint, due_on date, entry jsonb default '{}') returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  latest public.expenses;
  typed public.expenses;
  entered bigint;
  broken text;
begin
  perform private.require_admin();
  latest := private.due_expense(expense_id, admin_enter_due_expense.due_on);
  typed := private.read_due_entry(entry, latest);
  update public.expenses e set repeats = 'never' where e.id = latest.id;
  insert into public.expenses (spent_on, category, vendor_id, description, amount, gst_amount, payment_mode, receipt_path,
                               repeats, repeats_from, next_due_on, due_on, follows_id)
  values (typed.spent_on, typed.category, typed.vendor_id, typed.description, typed.amount, typed.gst_amount, typed.payment_mode,
          typed.receipt_path, latest.repeats, latest.repeats_from,
          private.next_due(latest.repeats_from, latest.repeats, latest.next_due_on), latest.next_due_on, latest.id)
  returning id into entered;
  return jsonb_build_object('id', entered);
exception when check_violation or foreign_key_violation then
  -- The table says what an expense can be; here are the words for it.
  get stacked diagnostics broken = constraint_name;
  perform private.refuse(w.words, w.field)
  from (values ('expenses_category_check', 'category', 'Choose what it was for.'),
               ('expenses_vendor_id_fkey', 'vendor_id', 'Vendor not found.'),
               ('expenses_description_check', 'description', 'At most 300 characters.'),
               ('expenses_amount_check', 'amount', 'Check the amount: more than 0.'),
               ('expenses_check', 'gst', 'Check the GST part: it is in the amount.'),
               ('expenses_payment_mode_check', 'payment_mode', 'Choose a payment mode.'),
               ('expenses_receipt_path_check', 'receipt', 'The photograph cannot be found.')) w (name, field, words)
  where w.name = broken;
  raise;
end $$;

create function public.admin_skip_due_expense(expense_id bigint, due_on date) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  latest public.expenses;
begin
  perform private.require_admin();
  latest := private.due_expense(expense_id, admin_skip_due_expense.due_on);
  update public.expenses e
  set next_due_on = private.next_due(e.repeats_from, e.repeats, admin_skip_due_expense.due_on)
  where e.id = latest.id
  returning * into latest;
  return jsonb_build_object('next_due_on', latest.next_due_on);
end $$;

create function private.expense_conditions(filter jsonb) returns text
language sql immutable set search_path = '' as $$
  select coalesce(string_agg(c.condition, ' and '), 'true')
  from (values
    ('id', 'e.id = ($1 ->> ''id'')::bigint'),
    ('from', 'e.spent_on >= ($1 ->> ''from'')::date'),
    ('to', 'e.spent_on <= ($1 ->> ''to'')::date'),
    ('category', 'e.category = $1 ->> ''category'''),
    ('vendor_id', 'e.vendor_id = ($1 ->> ''vendor_id'')::bigint'),
    ('payment_mode', 'e.payment_mode = $1 ->> ''payment_mode'''),
    ('receipt', '(e.receipt_path is not null) = ($1 ->> ''receipt'' = ''with'')'),
    ('search', 'position(lower($1 ->> ''search'') in lower(e.description || '' '' || e.category || '' '' || coalesce(v.name, '''') || '' '' || e.amount)) > 0')
  ) c (name, condition)
  where coalesce(filter ->> c.name, '') <> '';
$$;

create function private.read_expense_filter(filter jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  part record;
begin
  for part in
    select f.name, f.kind, nullif(filter ->> f.name, '') as value, f.words
    from (values ('id', 'bigint', 'Expense not found.'), ('vendor_id', 'bigint', 'Vendor not found.'),
                 ('from', 'date', 'Choose a day of the calendar.'), ('to', 'date', 'Choose a day of the calendar.')) f (name, kind, words)
  loop
    begin
      execute format('select $1::%s', part.kind) using part.value;
    exception when data_exception then
      perform private.refuse(part.words, part.name);
    end;
  end loop;
  return coalesce(filter, '{}');
end $$;

create function public.admin_list_expenses(filter jsonb default '{}', by text default 'date', after jsonb default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 50;
  wanted jsonb;
  conditions text;
  sort_key text := case admin_list_expenses.by when 'amount' then 'e.amount' else 'e.spent_on' end;
  key_type text := case admin_list_expenses.by when 'amount' then 'numeric' else 'date' end;
  page jsonb;
  summary jsonb;
begin
  perform private.require_admin();
  perform private.expect_cursor(after, jsonb_build_object('key', key_type, 'id', 'bigint'));
  wanted := private.read_expense_filter(filter);
  conditions := private.expense_conditions(wanted);
  execute format($query$
    select coalesce(jsonb_agg(to_jsonb(p) - 'sort_key' order by p.sort_key desc, p.id desc), '[]')
    from (
      select e.id, e.spent_on, e.category, e.vendor_id, v.name as vendor, e.description, (e.amount * 100)::bigint as amount_paise,
             (e.gst_amount * 100)::bigint as gst_paise, e.payment_mode, e.receipt_path, e.repeats, e.next_due_on, e.updated_at,
             private.is_closed(e.spent_on) as is_closed, %1$s as sort_key
      from public.expenses e left join public.vendors v on v.id = e.vendor_id
      where %2$s and ($2 is null or (%1$s, e.id) < (($2 ->> 'key')::%3$s, ($2 ->> 'id')::bigint))
      order by %1$s desc, e.id desc
      limit %4$s
    ) p $query$, sort_key, conditions, key_type, page_size)
  into page using wanted, after;
  execute format($query$
    select jsonb_build_object('count', least(count(*), 10000), 'count_is_capped', count(*) > 10000, 'totals', jsonb_build_object(
      'amount_paise', coalesce((sum(e.amount) * 100)::bigint, 0), 'gst_paise', coalesce((sum(e.gst_amount) * 100)::bigint, 0)))
    from public.expenses e left join public.vendors v on v.id = e.vendor_id
    where %s $query$, conditions)
  into summary using wanted;
  return summary || jsonb_build_object('rows', page, 'next', case when jsonb_array_length(page) = page_size then
    jsonb_build_object('key', case admin_list_expenses.by when 'amount' then to_jsonb((page -> -1 ->> 'amount_paise')::bigint / 100.0)
                                                          else page -> -1 -> 'spent_on' end,
                       'id', page -> -1 -> 'id') end);
end $$;

create function public.export_expenses(filter jsonb, after jsonb, at timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 1000;
  wanted constant jsonb := private.read_expense_filter(filter);
  lines jsonb;
  next_row jsonb;
begin
  execute format($query$
    select coalesce(jsonb_agg(jsonb_build_array(e.spent_on, e.category, coalesce(e.vendor, ''), coalesce(e.gstin, ''), e.description, e.amount,
                                                e.gst_amount, e.amount - e.gst_amount, e.payment_mode, case when e.receipt_path is null then 'no' else 'yes' end)
                              order by e.spent_on, e.id), '[]'),
           case when count(*) = %2$s then jsonb_build_object('spent_on', max(e.spent_on), 'id', (array_agg(e.id order by e.spent_on desc, e.id desc))[1]) end
    from (
      select e.*, v.name as vendor, v.gstin
      from public.expenses e left join public.vendors v on v.id = e.vendor_id
      where %1$s and ($2 is null or (e.spent_on, e.id) > (($2 ->> 'spent_on')::date, ($2 ->> 'id')::bigint))
      order by e.spent_on, e.id
      limit %2$s
    ) e $query$, private.expense_conditions(wanted), page_size)
  into lines, next_row using wanted, after;
  return jsonb_build_object('rows', lines, 'next', next_row);
end $$;

create function public.export_profit(filter jsonb, after jsonb, at timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  year constant integer := private.typed_number(filter ->> 'year', 0);
  first date;
begin
  if year is null then
    perform private.refuse('Choose a year.', 'year');
  end if;
  first := make_date(least(greatest(year, 2000), 2100), 4, 1);
  perform private.keep_profit_days(first, (first + interval '1 year')::date - 1);
  return jsonb_build_object('next', null, 'rows', (
    select coalesce(jsonb_agg(jsonb_build_array(
      to_char(m.month, 'YYYY-MM'), f.orders, f.goods_paise / 100.0, f.canceled_paise / 100.0, f.refunded_paise / 100.0, f.net_sales_paise / 100.0,
      f.cost_paise / 100.0, f.unknown_cost_lines, f.unknown_cost_goods_paise / 100.0, f.gross_profit_paise / 100.0,
      f.fee_paise / 100.0, f.unknown_fee_payments, f.shipping_paise / 100.0, f.courier_paise / 100.0, f.wastage_paise / 100.0,
      f.unknown_wastage_moves, f.expenses_paise / 100.0, f.profit_paise / 100.0, f.tax_collected_paise / 100.0,
      f.shipping_tax_paise / 100.0, f.tax_spent_paise / 100.0, f.fee_tax_paise / 100.0, case when private.is_closed(m.month) then 'yes' else 'no' end) order by m.month), '[]')
    from (select (first + make_interval(months => n))::date as month from generate_series(0, 11) n) m
    cross join lateral private.profit_and_loss(m.month, (m.month + interval '1 month')::date - 1) f
    where m.month <= private.day_of(at)));
end $$;

revoke execute on function
  public.export_expenses(jsonb, jsonb, timestamptz), public.export_profit(jsonb, jsonb, timestamptz)
  from public, anon, authenticated;
grant execute on function
  public.export_expenses(jsonb, jsonb, timestamptz), public.export_profit(jsonb, jsonb, timestamptz)
  to service_role;

-- 20_console/61_profit.sql
create function public.admin_close_month(month date, seen_profit_paise bigint, at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  first date := private.month_of(month);
  reckoned record;
begin
  perform private.require_admin();
  if first is null or first + interval '1 month' > private.day_of(at) then
    perform private.refuse('A month can be closed only after it ends.', 'month');
  end if;
  -- Nobody enters an expense meanwhile: either it is in the figures, or it finds the month closed.
  lock table public.expenses in share row exclusive mode;
  if private.is_closed(first) then
    raise sqlstate 'PT409' using message = 'This month is already closed.', detail = 'stale';
  end if;
  select * into reckoned from private.profit_and_loss(first, (first + interval '1 month')::date - 1);
  if seen_profit_paise is distinct from reckoned.profit_paise then
    raise sqlstate 'PT409' using message = 'The figures of this month have changed. Check them before closing.', detail = 'stale';
  end if;
  insert into private.month_closings (month, figures, closed_at, closed_by) values (first, to_jsonb(reckoned), at, auth.uid());
  return jsonb_build_object('month', first);
end $$;

create function public.admin_reopen_month(month date, reason text, at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  first date := private.month_of(month);
begin
  perform private.require_admin();
  if char_length(btrim(coalesce(reason, ''))) not between 3 and 300 then
    perform private.refuse('Enter a reason for reopening.', 'reason');
  end if;
  update private.month_closings c set reopened_at = at, reopened_by = auth.uid(), reopen_reason = btrim(reason)
  where c.month = first and c.reopened_at is null;
  if not found then
    raise sqlstate 'PT409' using message = 'This month is not closed.', detail = 'stale';
  end if;
  return jsonb_build_object('month', first);
end $$;

create function public.admin_read_profit(year integer, at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  today date := private.day_of(at);
  first date;
  months jsonb;
  statements jsonb[];
begin
  perform private.require_admin();
  if year is null or year not between 2000 and 2100 then
    perform private.refuse('There is no such year.', 'year');
  end if;
  first := make_date(year, 4, 1);
  -- At once, instead of month by month.
  perform private.keep_profit_days(first, (first + interval '1 year')::date - 1);
  select array_agg(to_jsonb(f)), jsonb_agg(jsonb_build_object('month', m.month, 'figures', to_jsonb(f),
           'bill_tax_paise', private.bill_tax_paise(m.month, (m.month + interval '1 month')::date - 1), 'closing', (
           select jsonb_build_object('closed_at', c.closed_at, 'closed_by', private.person_name(c.closed_by),
                                     'was', case when c.figures <> to_jsonb(f) then c.figures end)
           from private.month_closings c where c.month = m.month and c.reopened_at is null)) order by m.month)
  into statements, months
  from (select (first + make_interval(months => n))::date as month from generate_series(0, 11) n) m
  cross join lateral private.profit_and_loss(m.month, (m.month + interval '1 month')::date - 1) f
  where m.month <= today;
  return jsonb_build_object('year', year, 'today', today, 'first_year', private.first_financial_year(today),
                            'months', coalesce(months, '[]'), 'total', case when statements is not null then private.add_statements(statements) end);
end $$;

create function public.admin_read_gst(year integer) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  chosen integer;
begin
  perform private.require_admin();
  if year is null or year not between 2000 and 2999 then
    perform private.refuse('There is no such year.', 'year');
  end if;
  chosen := year;
  return jsonb_build_object(
    'year', chosen,
    'first_year', coalesce((select min(n.year) from private.document_numbers n), chosen),
    'months', private.gst_of_months(make_date(chosen, 4, 1), make_date(chosen + 1, 3, 1)));
end $$;

create function public.export_gst(filter jsonb, after jsonb, at timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  year integer;
begin
  if coalesce(filter ->> 'year', '') !~ '^2[0-9]{3}$' then
    perform private.refuse('There is no such year.', 'year');
  end if;
  year := (filter ->> 'year')::integer;
  return jsonb_build_object('next', null, 'rows', (
    select coalesce(jsonb_agg(jsonb_build_array(
      to_char(g.month, 'YYYY-MM'), case g.series when 'invoice' then 'Invoices' else 'Credit notes' end, g.hsn, g.gst_percent::text,
      (s.sign * g.kilograms)::text, (s.sign * g.pieces)::text, private.rupees_of_paise(s.sign * g.taxable_paise),
      private.rupees_of_paise(s.sign * g.cgst_paise), private.rupees_of_paise(s.sign * g.sgst_paise), private.rupees_of_paise(s.sign * g.igst_paise),
      private.rupees_of_paise(s.sign * (g.taxable_paise + g.cgst_paise + g.sgst_paise + g.igst_paise)))
      order by g.month, g.hsn, g.gst_percent, g.series desc), '[]')
    from private.gst_months g cross join lateral (select case g.series when 'invoice' then 1 else -1 end as sign) s
    where g.month >= make_date(year, 4, 1) and g.month < make_date(year + 1, 4, 1)));
end $$;

create function public.export_documents(filter jsonb, after jsonb, at timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 1000;
  this_year smallint;
  step record;
begin
  if coalesce(filter ->> 'year', '') !~ '^2[0-9]{3}$' then
    perform private.refuse('There is no such year.', 'year');
  end if;
  this_year := (filter ->> 'year')::smallint;
  select coalesce(after ->> 'series', 'invoice') as series, coalesce((after ->> 'serial')::integer, 0) as serial into step;
  return (
    with page as (
      select i.serial, 'Invoice' as kind, i.number, i.issued_at, null as invoice, i, i.taxable_paise, i.cgst_paise, i.sgst_paise, i.igst_paise, i.total_paise
      from private.invoices i
      where step.series = 'invoice' and i.year = this_year and i.serial > step.serial and i.issued_at <= at
      union all
      select n.serial, 'Credit note', n.number, n.issued_at, i.number, i, -n.taxable_paise, -n.cgst_paise, -n.sgst_paise, -n.igst_paise, -n.total_paise
      from private.credit_notes n join private.invoices i on i.id = n.invoice_id
      where step.series = 'credit note' and n.year = this_year and n.serial > step.serial and n.issued_at <= at
      order by 1 limit page_size
    )
    select jsonb_build_object(
      'rows', coalesce(jsonb_agg(jsonb_build_array(
        p.number, p.kind, to_char(p.issued_at at time zone 'Asia/Kolkata', 'YYYY-MM-DD'), p.invoice, o.number, (p.i).recipient ->> 'name',
        g.name, (p.i).place_code, private.rupees_of_paise(p.taxable_paise), private.rupees_of_paise(p.cgst_paise),
        private.rupees_of_paise(p.sgst_paise), private.rupees_of_paise(p.igst_paise), private.rupees_of_paise(p.total_paise)) order by p.serial), '[]'),
      'next', case when count(*) = page_size then jsonb_build_object('series', step.series, 'serial', max(p.serial))
                   when step.series = 'invoice' then jsonb_build_object('series', 'credit note', 'serial', 0) end)
    from page p
    join public.orders o on o.id = (p.i).order_id
    left join private.gst_states g on g.code = (p.i).place_code);
end $$;

revoke execute on function
  public.export_gst(jsonb, jsonb, timestamptz), public.export_documents(jsonb, jsonb, timestamptz)
  from public, anon, authenticated;
grant execute on function
  public.export_gst(jsonb, jsonb, timestamptz), public.export_documents(jsonb, jsonb, timestamptz)
  to service_role;

-- 20_console/70_delivery.sql
create function public.admin_read_delivery() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  today date := private.day_of(now());
begin
  perform private.require_admin();
  return (
    select jsonb_build_object(
      'cutoff_time', to_char(s.cutoff_time, 'HH24:MI'), 'weekly_off', to_jsonb(s.weekly_off), 'updated_at', s.updated_at, 'today', today,
      'cart_shipping', jsonb_build_object('kind', s.cart_shipping, 'flat_paise', (s.cart_flat_charge * 100)::bigint,
                                          'zone_from_grams', s.cart_zone_from_grams),
      'zones', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', z.id, 'name', z.name, 'pincode_prefixes', z.pincode_prefixes,
          'first_kg_paise', (z.first_kg_charge * 100)::bigint, 'extra_kg_paise', (z.extra_kg_charge * 100)::bigint,
          'min_days', z.min_days, 'max_days', z.max_days, 'is_published', z.is_published, 'updated_at', z.updated_at)
          order by z.max_days, z.first_kg_charge, z.name, z.id), '[]')
        from public.delivery_zones z),
      'closures', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', c.id, 'starts_on', c.starts_on, 'ends_on', c.ends_on, 'reason', c.reason, 'updated_at', c.updated_at,
          'promised', case when c.ends_on >= today then private.promised_between(greatest(c.starts_on, today), c.ends_on) end)
          order by c.ends_on < today, case when c.ends_on < today then today - c.ends_on else c.starts_on - today end, c.id), '[]')
        from public.closures c where c.ends_on > today - 366))
    from public.shop_settings s);
end $$;

create function public.admin_save_working_days(cutoff_time text, weekly_off integer[], seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.shop_settings;
begin
  perform private.require_admin();
  select * into taken from public.shop_settings for update;
  perform private.expect_unchanged(seen, taken.updated_at);
  if coalesce(cutoff_time, '') !~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' then
    perform private.refuse('The cut-off is a time of day like 14:00.', 'cutoff_time');
  elsif weekly_off is null or not weekly_off <@ '{0,1,2,3,4,5,6}' then
    perform private.refuse('Choose days of the week.', 'weekly_off');
  elsif weekly_off @> '{0,1,2,3,4,5,6}' then
    perform private.refuse('Keep at least one working day.', 'weekly_off');
  end if;
  update public.shop_settings s
  set cutoff_time = admin_save_working_days.cutoff_time::time,
      weekly_off = array(select distinct d::smallint from unnest(admin_save_working_days.weekly_off) d order by 1)
  where s.id = taken.id
  returning * into taken;
  return jsonb_build_object('updated_at', taken.updated_at);
end $$;

create function public.admin_save_zone(
  zone_id bigint, name text, pincode_prefixes text[], first_kg_paise bigint, extra_kg_paise bigint, min_days integer,
  max_days integer, is_published boolean, seen timestamptz default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.delivery_zones;
  typed_name text;
  prefixes text[];
  twin record;
begin
  perform private.require_admin();
  -- Two who save at once must not both get the same prefix.
  perform pg_advisory_xact_lock(hashtextextended('delivery zones', 0));
  if zone_id is not null then
    select * into taken from public.delivery_zones z where z.id = zone_id for update;
    if taken.id is null then
      raise sqlstate 'PT409' using message = 'This zone was deleted by someone else.', detail = 'stale';
    end if;
    perform private.expect_unchanged(seen, taken.updated_at);
  end if;
  typed_name := private.typed(name, 'name', 'The name', 80, is_needed => true);
  prefixes := array(select distinct p from unnest(admin_save_zone.pincode_prefixes) p order by 1);
  if cardinality(prefixes) = 0 then
    perform private.refuse('Enter pincode prefixes.', 'pincode_prefixes');
  elsif cardinality(prefixes) > 500 then
    perform private.refuse('Enter at most 500 prefixes.', 'pincode_prefixes');
  elsif exists (select from unnest(prefixes) p where p is null or p !~ '^[1-9][0-9]{0,5}$') then
    perform private.refuse('Enter pincode prefixes of one to six digits, not starting with 0.', 'pincode_prefixes');
  elsif first_kg_paise is null or first_kg_paise not between 0 and 1000000 then
    perform private.refuse('A charge between ₹0 and ₹10,000.', 'first_kg_charge');
  elsif extra_kg_paise is null or extra_kg_paise not between 0 and 1000000 then
    perform private.refuse('A charge between ₹0 and ₹10,000.', 'extra_kg_charge');
  elsif min_days is null or min_days not between 0 and 7 then
    perform private.refuse('Between 0 and 7 working days.', 'min_days');
  elsif max_days is null or max_days not between min_days and 7 then
    perform private.refuse('At least as many days as at the earliest, and at most 7: the terms promise delivery in 1 to 7 business days.', 'max_days');
  end if;
  if coalesce(is_published, true) then
    select z.name, p as prefix into twin
    from public.delivery_zones z, unnest(z.pincode_prefixes) p
    where z.is_published and z.id is distinct from zone_id and p = any (prefixes)
    order by p limit 1;
    if twin.prefix is not null then
      perform private.refuse(format('%s already has %s.', twin.name, twin.prefix), 'pincode_prefixes');
    end if;
  end if;
  if taken.id is null then
    insert into public.delivery_zones (name, pincode_prefixes, first_kg_charge, extra_kg_charge, min_days, max_days, is_published)
    values (typed_name, prefixes, first_kg_paise / 100.0, extra_kg_paise / 100.0, admin_save_zone.min_days, admin_save_zone.max_days,
            coalesce(admin_save_zone.is_published, true))
    returning * into taken;
  else
    update public.delivery_zones z
    set name = typed_name, pincode_prefixes = prefixes, first_kg_charge = first_kg_paise / 100.0, extra_kg_charge = extra_kg_paise / 100.0,
        min_days = admin_save_zone.min_days, max_days = admin_save_zone.max_days,
        is_published = coalesce(admin_save_zone.is_published, true)
    where z.id = taken.id returning * into taken;
  end if;
  return jsonb_build_object('id', taken.id, 'updated_at', taken.updated_at);
end $$;

create function public.admin_delete_zone(zone_id bigint, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.delivery_zones;
begin
  perform private.require_admin();
  select * into taken from public.delivery_zones z where z.id = zone_id for update;
  perform private.expect_unchanged(seen, taken.updated_at);
  delete from public.delivery_zones z where z.id = taken.id;
  return jsonb_build_object('id', taken.id);
end $$;

create function public.admin_save_closure(
  closure_id bigint, starts_on date, ends_on date, reason text, seen timestamptz default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.closures;
  typed_reason text;
begin
  perform private.require_admin();
  if closure_id is not null then
    select * into taken from public.closures c where c.id = closure_id for update;
    if taken.id is null then
      raise sqlstate 'PT409' using message = 'This closure was deleted by someone else.', detail = 'stale';
    end if;
    perform private.expect_unchanged(seen, taken.updated_at);
  end if;
  if starts_on is null or starts_on not between date '2000-01-01' and date '2099-12-31' then
    perform private.refuse('Choose the first day.', 'starts_on');
  elsif ends_on is null or ends_on < starts_on then
    perform private.refuse('The last day can’t be before the first day.', 'ends_on');
  elsif ends_on > starts_on + 366 then
    perform private.refuse('At most a year at once.', 'ends_on');
  end if;
  typed_reason := private.typed(reason, 'reason', 'The reason', 80, is_needed => true);
  if taken.id is null then
    insert into public.closures (starts_on, ends_on, reason)
    values (admin_save_closure.starts_on, admin_save_closure.ends_on, typed_reason) returning * into taken;
  else
    update public.closures c
    set starts_on = admin_save_closure.starts_on, ends_on = admin_save_closure.ends_on, reason = typed_reason
    where c.id = taken.id returning * into taken;
  end if;
  return jsonb_build_object('id', taken.id, 'updated_at', taken.updated_at);
end $$;

create function public.admin_delete_closure(closure_id bigint, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.closures;
begin
  perform private.require_admin();
  select * into taken from public.closures c where c.id = closure_id for update;
  perform private.expect_unchanged(seen, taken.updated_at);
  delete from public.closures c where c.id = taken.id;
  return jsonb_build_object('id', taken.id);
end $$;

create function public.admin_try_delivery(pincode text, at timestamptz default now(), grams integer default 500) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  if coalesce(pincode, '') !~ '^[1-9][0-9]{5}$' then
    perform private.refuse('A pincode has six digits and does not begin with 0.', 'pincode');
  elsif at is null or at not between timestamptz '2000-01-01' and timestamptz '2099-12-31' then
    perform private.refuse('Choose a moment.', 'at');
  elsif grams is null or grams not between 1 and 30000 then
    perform private.refuse('Between 1 g and 30 kg.', 'grams');
  end if;
  return private.check_delivery_at(pincode, array(
    select p."Id" from public."Products" p where p.is_listed and p.archived_at is null
      and p.shelf_life_days is not null order by p.shelf_life_days, p."Id" limit 100), grams, at);
end $$;

create function public.admin_save_cart_shipping(kind text, flat_paise bigint, zone_from_grams integer, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  shop public.shop_settings;
begin
  perform private.require_admin();
  select * into shop from public.shop_settings for update;
  perform private.expect_unchanged(seen, shop.updated_at);
  if kind is null or kind not in ('flat', 'zone') then
    perform private.refuse('Choose how carts pay for shipping.', 'kind');
  elsif flat_paise is null or flat_paise not between 0 and 1000000 then
    perform private.refuse('A charge between ₹0 and ₹10,000.', 'flat_paise');
  elsif zone_from_grams not between 1 and 30000 then
    perform private.refuse('A weight of at most 30 kg, or empty.', 'zone_from_grams');
  end if;
  update public.shop_settings s
  set cart_shipping = kind, cart_flat_charge = flat_paise / 100.0, cart_zone_from_grams = zone_from_grams
  where s.id
  returning * into shop;
  return jsonb_build_object('updated_at', shop.updated_at);
end $$;

-- 20_console/71_shop.sql
create function public.admin_read_shop() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object(
      'facts', jsonb_build_object(
        'name', s.name, 'legal_name', s.legal_name, 'address', s.address, 'state', s.state, 'fssai_number', s.fssai_number,
        'gstin', s.gstin, 'email', s.email, 'whatsapp_number', s.whatsapp_number, 'instagram_url', s.instagram_url,
        'facebook_url', s.facebook_url, 'grievance_officer', s.grievance_officer, 'grievance_email', s.grievance_email,
        'grievance_phone', s.grievance_phone, 'grievance_hours', s.grievance_hours),
      'updated_at', s.updated_at,
      'incomplete_products', (
        select count(*) from public."Products" p
        where p.is_listed and p.archived_at is null and private.missing_facts(
          p.food_mark, p.ingredients, p.allergens, p.shelf_life_days, p.storage, p.weight_grams) <> '{}'))
    from public.shop_settings s);
end $$;

create function public.admin_save_shop(changes jsonb, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  kept public.shop_settings;
  typed public.shop_settings;
  offered constant text[] := array['name', 'legal_name', 'address', 'state', 'fssai_number', 'gstin', 'email', 'whatsapp_number',
    'instagram_url', 'facebook_url', 'grievance_officer', 'grievance_email', 'grievance_phone', 'grievance_hours'];
  strange text;
begin
  perform private.require_admin();
  if jsonb_typeof(changes) is distinct from 'object' then
    perform private.refuse('There is nothing to save.');
  end if;
  select c.key into strange from jsonb_each(changes) c
  where c.key <> all (offered) or jsonb_typeof(c.value) <> 'string' limit 1;
  if found then
    perform private.refuse('This value is not valid.', strange);
  end if;
  select * into kept from public.shop_settings s for no key update;
  perform private.expect_unchanged(seen, kept.updated_at);
  typed := private.typed_shop_facts(to_jsonb(kept) || changes);
  update public.shop_settings s set
    name = typed.name, legal_name = typed.legal_name, address = typed.address, state = typed.state,
    fssai_number = typed.fssai_number, gstin = typed.gstin, email = typed.email, whatsapp_number = typed.whatsapp_number,
    instagram_url = typed.instagram_url, facebook_url = typed.facebook_url, grievance_officer = typed.grievance_officer,
    grievance_email = typed.grievance_email, grievance_phone = typed.grievance_phone, grievance_hours = typed.grievance_hours
  where s.id = kept.id;
  return (select jsonb_build_object('updated_at', s.updated_at) from public.shop_settings s);
end $$;

-- 20_console/72_search_words.sql
create function public.admin_list_search_words() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'groups', (select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'words', s.words, 'updated_at', s.updated_at)
                                         order by lower(s.words[1]), s.id), '[]') from private.search_synonyms s),
    'missed', (select coalesce(jsonb_agg(jsonb_build_object('typed', m.typed, 'times', m.times, 'last_on', m.last_on)
                                         order by m.times desc, m.last_on desc, m.typed), '[]')
               from (select * from private.missed_searches m where m.times > 1 and m.last_on > private.day_of(now()) - 90
                     order by m.times desc, m.last_on desc, m.typed limit 50) m));
end $$;

create function public.admin_save_search_words(words text[], id bigint default null, seen timestamptz default null) returns bigint
language plpgsql security definer set search_path = '' as $$
declare
  tidied text[];
  one text;
  other text;
  saved bigint := admin_save_search_words.id;
  before private.search_synonyms;
begin
  perform private.require_admin();
  -- One after the other: a word is in one group only.
  lock table private.search_synonyms in share row exclusive mode;
  if saved is not null then
    select * into before from private.search_synonyms s where s.id = saved;
    perform private.expect_unchanged(seen, before.updated_at);
  end if;
  foreach one in array coalesce(words, '{}') loop
    one := private.typed(one, 'words', 'Each word', 40);
    if one = '' or lower(one) = any (select lower(w) from unnest(tidied) w) then
      continue;
    elsif private.search_key(one) = '' then
      perform private.refuse(format('“%s” has no letters that search could look for.', one), 'words');
    elsif cardinality(string_to_array(private.search_key(one), ' ')) > 2 then
      perform private.refuse(format('“%s” is too long: one or two words mean one thing.', one), 'words');
    end if;
    tidied := tidied || one;
  end loop;
  if coalesce(cardinality(tidied), 0) < 2 then
    perform private.refuse('Enter at least two words that mean the same, separated by commas.', 'words');
  elsif cardinality(tidied) > 24 then
    perform private.refuse('A group can have up to 24 words.', 'words');
  elsif saved is null and (select count(*) from private.search_synonyms) >= 500 then
    perform private.refuse('There are 500 groups already. Add the word to one of them, or delete one first.', 'words');
  end if;
  foreach one in array tidied loop
    select array_to_string(s.words, ', ') into other
    from private.search_meanings m join private.search_synonyms s on s.id = m.group_id
    where m.word = any (private.meanings_of(array[one])) and m.group_id is distinct from saved;
    if other is not null then
      perform private.refuse(format('“%s” is in another group already: %s. Search knows one meaning of a word.', one, other), 'words');
    end if;
  end loop;

  if saved is null then
    insert into private.search_synonyms (words) values (tidied) returning search_synonyms.id into saved;
  else
    update private.search_synonyms s set words = tidied where s.id = saved;
  end if;
  delete from private.missed_searches m where replace(m.word, ' ', '') = any (private.meanings_of(tidied));
  return saved;
end $$;

create function public.admin_delete_search_words(id bigint, seen timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
declare
  before private.search_synonyms;
begin
  perform private.require_admin();
  select * into before from private.search_synonyms s where s.id = admin_delete_search_words.id for update;
  perform private.expect_unchanged(seen, before.updated_at);
  delete from private.search_synonyms s where s.id = before.id;
end $$;

create function public.admin_forget_missed_search(typed text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  delete from private.missed_searches m where m.word = private.search_key(admin_forget_missed_search.typed);
end $$;

select private.open_console_requests();

-- 30_invariants/01_invariants.sql
create function private.check_orders(lowest uuid, highest uuid) returns table (invariant integer, subject text, detail text)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query -- 1: lines = sub_total; sub_total + tax + shipping = total
  select 1, o.id::text, format('lines %s, sub_total %s, tax %s, shipping %s, total %s',
                               coalesce(l.lines, 0), o.sub_total, o.tax, o.shipping_charge, o.total_amount)
  from public.orders o
  left join (
    select i.order_id, sum(i.unit_price * i.size / 500 * i.quantity) as lines from public.order_items i
    where i.order_id between lowest and highest group by i.order_id
  ) l on l.order_id = o.id
  where o.id between lowest and highest
    and (l.lines is distinct from o.sub_total or o.sub_total + o.tax + o.shipping_charge <> o.total_amount);

  return query -- 2: one order per payment; at most one unrefunded captured payment per order
  select 2, p.order_id::text, format('%s captured payments not refunded', count(*))
  from private.payments p
  where p.order_id between lowest and highest and p.status = 'captured'
    and not exists (select from private.refunds r where r.payment_id = p.payment_id and r.status <> 'failed'
                    group by r.payment_id having sum(r.amount_paise) >= p.amount_paise)
  group by p.order_id having count(*) > 1
  union all
  select 2, o.id::text, format('payment %s belongs to order %s', o.payment_id, coalesce(p.order_id::text, 'none'))
  from public.orders o join private.payments p on p.payment_id = o.payment_id
  where o.id between lowest and highest and p.order_id is distinct from o.id;

  return query -- 5: every status change has exactly one event: an unbroken chain that ends at today's status
  with chained as (
    select e.order_id, e.id, e.from_status, e.to_status,
           lag(e.to_status) over by_order as previous,
           row_number() over (partition by e.order_id order by e.id desc) as from_end
    from public.order_events e
    where e.order_id between lowest and highest
    window by_order as (partition by e.order_id order by e.id)
  )
  select 5, c.order_id::text, format('event %s goes from %s, but the order was %s', c.id, c.from_status, c.previous)
  from chained c where c.from_status is distinct from c.previous
  union all
  select 5, o.id::text, format('is %s, its last event says %s', o.status, coalesce(c.to_status, 'nothing'))
  from public.orders o left join chained c on c.order_id = o.id and c.from_end = 1
  where o.id between lowest and highest and c.to_status is distinct from o.status;

  return query -- 7: nothing shipped is canceled without passing Undelivered
  select 7, e.order_id::text, format('went from %s to canceled', e.from_status)
  from public.order_events e
  where e.order_id between lowest and highest
    and e.to_status = 'canceled' and e.from_status in ('Shipped', 'Delivered', 'Collected', 'Refunded');

  return query -- 8: items are what was placed
  select 8, i.order_id::text, format('item %s is not what was placed', i.id)
  from public.order_items i left join private.placed_items p on p.order_item_id = i.id
  where i.order_id between lowest and highest
    and (i.order_id, i.product_id, i.quantity, i.size, i.unit_price)
        is distinct from (p.order_id, p.product_id, p.quantity, p.size, p.unit_price);

  return query -- 10: every packed order has an invoice over its total, which its lines add up to
  select 10, o.id::text, case when i.id is null then format('is %s and has no invoice', o.status)
                              else format('order %s, invoice %s, lines %s', o.total_amount, i.total_paise / 100.0, l.paise / 100.0) end
  from public.orders o
  left join private.invoices i on i.order_id = o.id
  left join lateral (
    select sum(x.taxable_paise + x.cgst_paise + x.sgst_paise + x.igst_paise) as paise
    from jsonb_to_recordset(i.lines) as x (taxable_paise bigint, cgst_paise bigint, sgst_paise bigint, igst_paise bigint)
  ) l on true
  where o.id between lowest and highest
    and case when i.id is null then o.status in ('Packed', 'Shipped', 'Delivered', 'Undelivered', 'Ready', 'Collected', 'Refunded')
             else (i.total_paise, l.paise) is distinct from ((o.total_amount * 100)::bigint, o.total_amount * 100) end;

  return query -- 11: credit notes never exceed their invoice, in no part of it
  select 11, i.order_id::text, format('invoice %s, credit notes %s', i.total_paise / 100.0, n.total / 100.0)
  from private.invoices i
  join (select c.invoice_id, sum(c.total_paise) as total, sum(c.taxable_paise) as taxable, sum(c.cgst_paise) as cgst,
               sum(c.sgst_paise) as sgst, sum(c.igst_paise) as igst
        from private.credit_notes c group by c.invoice_id) n on n.invoice_id = i.id
  where i.order_id between lowest and highest
    and (n.total > i.total_paise or n.taxable > i.taxable_paise or n.cgst > i.cgst_paise or n.sgst > i.sgst_paise
         or n.igst > i.igst_paise);

  return query -- 13: of what was invoiced and called off, unpaid or paid by hand, nothing stands; of what else was paid and not
               -- refunded, all of it
  select 13, i.order_id::text, format('is %s and %s, paid and kept %s, invoice less credit notes %s', o.status, o.payment_status,
                                      m.kept / 100.0, (i.total_paise - n.credited) / 100.0)
  from private.invoices i
  join public.orders o on o.id = i.order_id
  left join (select c.invoice_id, sum(c.total_paise) as credited from private.credit_notes c group by c.invoice_id) c on c.invoice_id = i.id
  cross join lateral (select coalesce(c.credited, 0) as credited) n
  cross join lateral (
    select case when o.payment_status = 'unpaid' then 0 else i.total_paise - coalesce(
      (select sum(r.amount_paise) from private.refunds r where r.order_id = o.id and r.status = 'processed'), 0) end as kept
  ) m
  where i.order_id between lowest and highest
    and ((o.payment_id is null and o.status in ('canceled', 'Refunded') and n.credited < i.total_paise)
     or (n.credited > 0 and m.kept > i.total_paise - n.credited and not (o.payment_id is null and o.status = 'canceled')));
end $$;

create function private.check_totals() returns table (invariant integer, subject text, detail text)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query -- 3: every captured payment has an order or a refund
  select 3, p.payment_id, 'captured, and neither an order nor a refund'
  from private.payments p
  where p.status = 'captured' and p.order_id is null
    and not exists (select from private.refunds r where r.payment_id = p.payment_id and r.status <> 'failed');

  return query -- 4: 0 <= reserved <= on_hand = sum of movements
  select 4, s.product_id::text, format('on_hand %s, reserved %s, movements %s', s.on_hand, s.reserved, coalesce(m.total, 0))
  from public.stock_levels s
  left join (select v.product_id, sum(v.quantity) as total from public.stock_movements v group by v.product_id) m
    on m.product_id = s.product_id
  where s.reserved < 0 or s.reserved > s.on_hand or s.on_hand <> coalesce(m.total, 0);

  return query -- 4: what is reserved is what checkouts hold
  select 4, s.product_id::text, format('reserved %s, held by checkouts %s', s.reserved, coalesce(h.units, 0))
  from public.stock_levels s
  left join (
    select u.product_id, sum(u.units) as units
    from private.checkouts c join private.quotes q on q.id = c.quote_id, unnest(q.product_ids, c.held) as u (product_id, units)
    where c.held <> '{}'
    group by u.product_id
  ) h on h.product_id = s.product_id
  where s.reserved <> coalesce(h.units, 0);

  return query -- 6: refunds never exceed what was captured
  select 6, p.payment_id, format('captured %s paise, refunds %s paise', p.amount_paise, sum(r.amount_paise))
  from private.payments p join private.refunds r on r.payment_id = p.payment_id
  where r.status <> 'failed'
  group by p.payment_id, p.amount_paise
  having sum(r.amount_paise) > case when p.status in ('captured', 'refunded') then p.amount_paise else 0 end;

  return query -- 8: nothing that was placed is gone
  select 8, p.order_id::text, format('item %s is not what was placed', p.order_item_id)
  from private.placed_items p
  where not exists (select from public.order_items i where i.id = p.order_item_id);

  return query -- 9: numbers run from 1 without gaps or doubles
  with issued as (
    select 'invoice' as series, i.year, count(*) as many, count(distinct i.serial) as serials, min(i.serial) as first, max(i.serial) as last
    from private.invoices i group by i.year
    union all
    select 'credit note', n.year, count(*), count(distinct n.serial), min(n.serial), max(n.serial) from private.credit_notes n group by n.year
  )
  select 9, format('%s %s', coalesce(i.series, d.series), coalesce(i.year, d.year)),
         format('%s documents, numbers %s to %s, last given %s', coalesce(i.many, 0), i.first, i.last, d.last)
  from issued i full join private.document_numbers d on d.series = i.series and d.year = i.year
  where (i.many, i.serials, i.first, i.last) is distinct from (d.last::bigint, d.last::bigint, 1, d.last);

  return query -- 12: the kept sums and counts are those of the documents
  select 12, format('%s %s', coalesce(d.series, k.series), to_char(coalesce(d.month, k.month), 'YYYY-MM')),
         format('documents %s, kept %s', coalesce(d.sums, '{}'), coalesce(k.sums, '{}'))
  from (
    select x.series, date_trunc('month', x.issued_at at time zone 'Asia/Kolkata')::date as month,
           array[count(*), sum(x.taxable_paise), sum(x.cgst_paise), sum(x.sgst_paise), sum(x.igst_paise)] as sums
    from (select 'invoice' as series, i.issued_at, i.taxable_paise, i.cgst_paise, i.sgst_paise, i.igst_paise from private.invoices i
          union all
          select 'credit note', n.issued_at, n.taxable_paise, n.cgst_paise, n.sgst_paise, n.igst_paise from private.credit_notes n) x
    group by 1, 2
  ) d
  full join (
    select series, month, array[max(m.documents), sum(g.taxable_paise), sum(g.cgst_paise), sum(g.sgst_paise), sum(g.igst_paise)] as sums
    from private.gst_months g full join private.document_months m using (series, month) group by 1, 2
  ) k on k.series = d.series and k.month = d.month
  where d.sums is distinct from k.sums;
end $$;

create function public.check_invariants_part(part integer, parts integer)
returns table (invariant integer, subject text, detail text)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan' as $$
declare
  -- The first 32 bits of an id: the rest is whatever it is.
  ids constant bigint := 4294967296;
begin
  if not (private.is_service() or private.is_admin()) then
    raise sqlstate 'PT403' using message = 'administrators only';
  end if;
  if parts is null or parts not between 1 and 4096 or part is null or part not between 1 and parts then
    raise sqlstate 'PT400' using message = 'part counts from 1 to parts, at most 4096';
  end if;
  return query select * from private.check_orders(
    (lpad(to_hex((part - 1) * ids / parts), 8, '0') || repeat('0', 24))::uuid,
    (lpad(to_hex(part * ids / parts - 1), 8, '0') || repeat('f', 24))::uuid);
  if part = 1 then
    return query select * from private.check_totals();
  end if;
end $$;

create function public.check_invariants() returns table (invariant integer, subject text, detail text)
language sql stable security definer set search_path = '' as $$
  select * from public.check_invariants_part(1, 1);
$$;

revoke execute on function
  public.check_invariants_part(integer, integer), public.check_invariants()
  from public, anon, authenticated;
grant execute on function
  public.check_invariants_part(integer, integer), public.check_invariants()
  to authenticated, service_role;

alter default privileges grant execute on functions to public;

reset check_function_bodies;
