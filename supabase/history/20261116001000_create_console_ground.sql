-- What every request of the console stands on. Requests are functions named admin_…: they run with the rights of their
-- owner and begin with require_admin(). Plain lists of ours (greetings, vendors, …) are written as tables, under policies.

do $$
begin
  create schema if not exists extensions;
  grant usage on schema extensions to anon, authenticated, service_role;
  create extension if not exists pg_trgm with schema extensions;
end $$;

create function private.require_admin() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_admin() then
    raise sqlstate 'PT403' using message = 'administrators only';
  end if;
end $$;

-- Refuses what somebody typed. The field it concerns, if one does, is in the error's details.
create function private.refuse(message text, field text default null) returns void
language plpgsql immutable set search_path = '' as $$
begin
  raise sqlstate 'PT422' using message = refuse.message, detail = coalesce(refuse.field, '');
end $$;

-- Two people work on the same thing: the second is told.
create function private.expect_unchanged(seen timestamptz, updated_at timestamptz) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if seen is null or updated_at is null or seen <> updated_at then
    raise sqlstate 'PT409' using message = 'Somebody changed this meanwhile. Look at it again before saving.', detail = 'stale';
  end if;
end $$;

revoke execute on function private.require_admin(), private.refuse(text, text),
  private.expect_unchanged(timestamptz, timestamptz) from public;

-- Opens every request of the console to those who are signed in, and to nobody else; each looks for itself who asks.
-- A migration that adds requests ends with this.
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
revoke execute on function private.open_console_requests() from public;

-- The day in India, and the moment it begins. Without a search path of their own, as functions with one are never made
-- part of the query that calls them, and these are called for every row.
create function private.day_of(at timestamptz) returns date
language sql immutable as $$
  select (at at time zone 'Asia/Kolkata')::date;
$$;
create function private.start_of(day date) returns timestamptz
language sql immutable as $$
  select day::timestamp at time zone 'Asia/Kolkata';
$$;

-- Who somebody is, as the console shows it.
create function private.person_name(user_id uuid) returns text
language sql stable set search_path = '' as $$
  select coalesce(nullif(btrim(m.data ->> 'full_name'), ''), nullif(btrim(m.data ->> 'name'), ''), u.email, 'Somebody')
  from auth.users u cross join lateral (select private.metadata_of(u.raw_user_meta_data) as data) m
  where u.id = person_name.user_id;
$$;
revoke execute on function private.day_of(timestamptz), private.start_of(date), private.person_name(uuid) from public;

-- What 500 g or a piece of a line cost us, as known when it was placed; null: nobody had worked it out.
alter table private.placed_items add column unit_cost numeric(10, 2);

create function private.unit_cost_at(product_id bigint, at timestamptz) returns numeric
language sql stable set search_path = '' as $$
  select c.unit_cost from private.product_costs c
  where c.product_id = unit_cost_at.product_id and c.valid_from <= unit_cost_at.at
  order by c.valid_from desc limit 1;
$$;
revoke execute on function private.unit_cost_at(bigint, timestamptz) from public;

update private.placed_items p set unit_cost = private.unit_cost_at(p.product_id, o.created_at)
from public.orders o where o.id = p.order_id;

create or replace function private.keep_placed_items() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.placed_items (order_item_id, order_id, product_id, quantity, size, unit_price, unit_cost)
  select i.id, i.order_id, i.product_id, i.quantity, i.size, i.unit_price, private.unit_cost_at(i.product_id, o.created_at)
  from placed i join public.orders o on o.id = i.order_id;
  return null;
end $$;

-- What administrators change in private is in the log too.
create trigger customer_records_audit after insert or update or delete on private.customer_records
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('user_id');
create trigger order_notes_audit after insert on private.order_notes
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');
create trigger product_costs_audit after insert or update or delete on private.product_costs
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('product_id');

-- The log of administrators' changes, newest first: {rows, next}. Only of one thing, where table_name and row_id say which.
create function public.admin_read_log(
  table_name text default null, row_id text default null, actor_id uuid default null, before_id bigint default null)
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 50;
  entries jsonb;
begin
  perform private.require_admin();
  select coalesce(jsonb_agg(to_jsonb(e) order by e.id desc), '[]') into entries
  from (
    select l.id, l.at, l.actor_id, private.person_name(l.actor_id) as actor, l.action, l.table_name, l.row_id, l.before, l.after
    from public.audit_log l
    where (admin_read_log.table_name is null or l.table_name = admin_read_log.table_name)
      and (admin_read_log.row_id is null or l.row_id = admin_read_log.row_id)
      and (admin_read_log.actor_id is null or l.actor_id = admin_read_log.actor_id)
      and (before_id is null or l.id < before_id)
    order by l.id desc
    limit page_size
  ) e;
  return jsonb_build_object('rows', entries, 'next', case when jsonb_array_length(entries) = page_size then entries -> -1 -> 'id' end);
end $$;

select private.open_console_requests();
