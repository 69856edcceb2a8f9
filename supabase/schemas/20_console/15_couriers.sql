-- Console: couriers, and how their tracking links look.
-- Administrators only, who read and write them here.
set check_function_bodies = off;

-- {tracking} stands once, after the host: a typed number cannot lead elsewhere.
create function private.is_tracking_pattern(pattern text) returns boolean
language sql immutable set search_path = '' as $$
  select char_length(pattern) <= 300
    and pattern ~ '^https://[a-zA-Z0-9.-]+(:[0-9]{1,5})?/[^\\[:space:]<>"{}]*\{tracking\}[^\\[:space:]<>"{}]*$';
$$;

create table private.couriers (
  id bigint generated always as identity primary key,
  name text not null check (char_length(name) between 1 and 80 and name = btrim(name) and name !~ '[[:cntrl:]]'),
  -- Empty: no tracking page.
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

-- Adds a courier, or changes one: {id, updated_at}.
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
  typed_name := private.validate_text(name, 'name', 'The name', 80, is_needed => true);
  if exists (select from private.couriers c where lower(c.name) = lower(typed_name) and c.id is distinct from courier_id) then
    perform private.reject(format('There is a courier called %s already.', typed_name), 'name');
  elsif pattern <> '' and pattern !~ '^https://' then
    perform private.reject('A tracking address begins with https://.', 'tracking_pattern');
  elsif char_length(pattern) > 300 then
    perform private.reject('A tracking address has at most 300 characters.', 'tracking_pattern');
  elsif pattern <> '' and not private.is_tracking_pattern(pattern) then
    perform private.reject('Write the address of the tracking page with {tracking} once, where the number goes.', 'tracking_pattern');
  elsif taken.id is null and (select count(*) from private.couriers) >= 100 then
    perform private.reject('There are 100 couriers already. Delete one first.', 'name');
  end if;
  if taken.id is null then
    insert into private.couriers (name, tracking_pattern) values (typed_name, pattern) returning * into taken;
  else
    update private.couriers c set name = typed_name, tracking_pattern = pattern where c.id = taken.id returning * into taken;
  end if;
  return jsonb_build_object('id', taken.id, 'updated_at', taken.updated_at);
end $$;

-- Orders keep the name and the link they were shipped with.
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
