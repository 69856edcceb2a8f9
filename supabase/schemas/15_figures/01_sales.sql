-- Sales by hour, day and span of days, derived from orders.
-- Stored by a job, invalidated by triggers, read by the dashboard.
set check_function_bodies = off;

-- Sales are what customers ordered, including tax and delivery; goods are the part without either. Canceled orders
-- count only in their own number. Goods are less their discount. Cost is known only of lines whose cost was known when they were placed: the goods
-- of the others are uncosted. Refunds count when they were decided. Hours, days and months are those of India.
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

-- By hour and month; by day there would be as many rows as lines of orders.
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

create function private.invalidate_sales_of_row() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.invalidate_sales(new.created_at);
  return null;
end $$;
-- Not for the last minutes: placing an order costs nothing for this.
create trigger orders_invalidate_daily_sales_placed after insert on public.orders
  for each row when (new.created_at < now() - interval '9 minutes') execute function private.invalidate_sales_of_row();
create trigger orders_invalidate_daily_sales_canceled after update of status on public.orders
  for each row when ((old.status = 'canceled') <> (new.status = 'canceled') and new.created_at < now() - interval '9 minutes')
  execute function private.invalidate_sales_of_row();
create trigger orders_invalidate_daily_sales_moved after update of delivery_city on public.orders
  for each row when (old.delivery_city <> new.delivery_city and new.created_at < now() - interval '9 minutes')
  execute function private.invalidate_sales_of_row();
create trigger refunds_invalidate_daily_sales_decided after insert on private.refunds
  for each row when (new.created_at < now() - interval '9 minutes') execute function private.invalidate_sales_of_row();
create trigger refunds_invalidate_daily_sales_failed after update of status on private.refunds
  for each row when ((old.status = 'failed') <> (new.status = 'failed') and new.created_at < now() - interval '9 minutes') execute function private.invalidate_sales_of_row();

create function private.invalidate_sales_spans() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock_shared(private.sales_lock());
  delete from private.sales_spans where true;
  return null;
end $$;
create trigger products_invalidate_sales_spans after update of "Category" on public."Products"
  for each row when (old."Category" <> new."Category") execute function private.invalidate_sales_spans();

-- The hour, day or month that a moment is in. Like the functions below without a search path, so that queries
-- inline it.
create function private.start_of_step(step text, at timestamptz) returns timestamptz
language sql immutable as $$
  select date_trunc(step, at at time zone 'Asia/Kolkata') at time zone 'Asia/Kolkata';
$$;

-- The figures of each hour, day or month between two moments, from the orders themselves; those without orders are
-- left out.
create function private.calculate_sales(step text, from_time timestamptz, to_time timestamptz) returns setof private.sales_steps
language sql stable as $$
  with placed as (
    select private.start_of_step(step, o.created_at) as starts_at, count(*) filter (where o.status <> 'canceled') as orders,
           count(*) filter (where o.status = 'canceled') as canceled,
           sum(o.total_amount) filter (where o.status <> 'canceled') as sales, sum(o.sub_total - o.discount) filter (where o.status <> 'canceled') as goods
    from public.orders o
    where o.created_at >= from_time and o.created_at < to_time
    group by 1
  ), made as (
    select private.start_of_step(step, o.created_at) as starts_at, sum(p.unit_cost * p.size / 500 * p.quantity) as cost,
           sum(p.unit_price * p.size / 500 * p.quantity - p.discount) filter (where p.unit_cost is null) as uncosted
    from public.orders o
    join public.order_items i on i.order_id = o.id
    join private.placed_items p on p.order_item_id = i.id
    where o.created_at >= from_time and o.created_at < to_time and o.status <> 'canceled'
    group by 1
  ), given_back as (
    select private.start_of_step(step, r.created_at) as starts_at, sum(r.amount_paise) as paise
    from private.refunds r
    where r.created_at >= from_time and r.created_at < to_time and r.status <> 'failed'
    group by 1
  )
  select step, starts_at, coalesce(s.orders, 0)::integer, coalesce(s.canceled, 0)::integer, coalesce(s.sales * 100, 0)::bigint,
         coalesce(s.goods * 100, 0)::bigint, coalesce(round(m.cost * 100), 0)::bigint, coalesce(m.uncosted * 100, 0)::bigint,
         coalesce(g.paise, 0)::bigint
  from placed s full join given_back g using (starts_at) left join made m using (starts_at);
$$;

-- The sweets in boxes count with what their pieces cost, less their part of the discount; the empty box is no product.
create function private.calculate_product_sales(step text, from_time timestamptz, to_time timestamptz) returns setof private.sales_step_products
language sql stable as $$
  select step, private.start_of_step(step, o.created_at), s.product_id, sum(s.grams)::bigint, sum(s.pieces)::bigint, sum(s.paise)::bigint
  from public.orders o join public.order_items i on i.order_id = o.id
  cross join lateral (
    select i.product_id, case when i.has_size then i.size * i.quantity else 0 end as grams,
           case when i.has_size then 0 else i.quantity end as pieces, i.unit_price * i.size / 5 * i.quantity - i.discount * 100 as paise
    where i.product_id is not null
    union all
    select c.product_id, c.grams * i.quantity, 0,
           c.pieces * c.piece_paise * i.quantity * (1 - i.discount / (i.unit_price * i.size / 500 * i.quantity))
    from jsonb_to_recordset(i.contents -> 'products') as c (product_id bigint, grams integer, pieces integer, piece_paise bigint)) s
  where o.created_at >= from_time and o.created_at < to_time and o.status <> 'canceled'
  group by 2, 3;
$$;

create function private.city_of(placed public.orders) returns text
language sql immutable as $$
  select case when placed.fulfilment = 'pickup' then 'Collected at the counter'
              else coalesce(nullif(initcap(btrim(placed.delivery_city)), ''), 'Not known') end;
$$;

create function private.calculate_city_sales(step text, from_time timestamptz, to_time timestamptz) returns setof private.sales_step_cities
language sql stable as $$
  select step, private.start_of_step(step, o.created_at), private.city_of(o), count(*)::integer, (sum(o.sub_total - o.discount) * 100)::bigint
  from public.orders o
  where o.created_at >= from_time and o.created_at < to_time and o.status <> 'canceled'
  group by 2, 3;
$$;

-- The lock of stored figures: calculating takes it exclusively, a transaction that changes past orders shares it until it ends.
-- Without it a figure could be stored that misses an uncommitted change.
create function private.sales_lock() returns bigint
language sql immutable set search_path = '' as $$ select 7640113::bigint $$;

create function private.invalidate_sales(at timestamptz) returns void
language plpgsql set search_path = '' as $$
begin
  perform pg_advisory_xact_lock_shared(private.sales_lock());
  delete from private.sales_steps s
  where (s.step, s.starts_at) in (values ('hour', private.start_of_step('hour', at)), ('day', private.start_of_step('day', at)),
                                         ('month', private.start_of_step('month', at)));
  delete from private.sales_spans s where s.from_time <= at and s.to_time > at;
end $$;

-- Only what is at least ten minutes old is stored: no order placed in it is still uncommitted.
create function private.stored_until(step text, at timestamptz) returns timestamptz
language sql stable as $$
  select private.start_of_step(step, least(at, now()) - interval '10 minutes');
$$;

create function private.last_stored_day(at timestamptz) returns date
language sql stable as $$
  select private.day_of(private.stored_until('day', at)) - 1;
$$;

-- Calculates and stores what is missing between two moments, both of them beginnings of an hour, day or month.
create function private.store_sales_steps(step text, from_time timestamptz, to_time timestamptz) returns void
language plpgsql set search_path = '' as $$
declare
  length interval := ('1 ' || step)::interval;
  from_local timestamp := from_time at time zone 'Asia/Kolkata';
  last_local timestamp := (to_time at time zone 'Asia/Kolkata') - length;
  missing record;
begin
  if not exists (
    select from generate_series(from_local, last_local, length) a (start)
    where not exists (select from private.sales_steps s where s.step = store_sales_steps.step and s.starts_at = a.start at time zone 'Asia/Kolkata')) then
    return;
  end if;
  perform pg_advisory_xact_lock(private.sales_lock());
  for missing in
    select min(m.start) at time zone 'Asia/Kolkata' as first, (max(m.start) + length) at time zone 'Asia/Kolkata' as last
    from (select a.start, a.place - row_number() over (order by a.place) as run
          from generate_series(from_local, last_local, length) with ordinality a (start, place)
          where not exists (select from private.sales_steps s where s.step = store_sales_steps.step and s.starts_at = a.start at time zone 'Asia/Kolkata')) m
    group by m.run
  loop
    insert into private.sales_steps
    select store_sales_steps.step, a.start at time zone 'Asia/Kolkata', coalesce(f.orders, 0), coalesce(f.canceled, 0), coalesce(f.sales_paise, 0),
           coalesce(f.goods_paise, 0), coalesce(f.cost_paise, 0), coalesce(f.uncosted_paise, 0), coalesce(f.refunds_paise, 0)
    from generate_series(missing.first at time zone 'Asia/Kolkata', (missing.last at time zone 'Asia/Kolkata') - length, length) a (start)
    left join private.calculate_sales(store_sales_steps.step, missing.first, missing.last) f on f.starts_at = a.start at time zone 'Asia/Kolkata';
    if store_sales_steps.step <> 'day' then
      insert into private.sales_step_products select * from private.calculate_product_sales(store_sales_steps.step, missing.first, missing.last);
      insert into private.sales_step_cities select * from private.calculate_city_sales(store_sales_steps.step, missing.first, missing.last);
    end if;
  end loop;
end $$;

-- The products, categories and cities of a span of whole days: whole months from what is stored, the rest from the
-- orders. Spans of yesterday's dashboard are deleted when today's are made.
create function private.store_sales_span(from_time timestamptz, to_time timestamptz) returns bigint
language plpgsql set search_path = '' as $$
declare
  kept bigint := (select s.id from private.sales_spans s where s.from_time = store_sales_span.from_time and s.to_time = store_sales_span.to_time);
  months_end timestamptz := case when from_time = private.start_of_step('month', from_time) then private.start_of_step('month', to_time) else from_time end;
begin
  if kept is not null then
    return kept;
  end if;
  perform private.store_sales_steps('month', from_time, months_end);
  perform pg_advisory_xact_lock(private.sales_lock());
  delete from private.sales_spans s where s.to_time < store_sales_span.to_time - interval '1 day';
  insert into private.sales_spans (from_time, to_time) values (store_sales_span.from_time, store_sales_span.to_time)
  on conflict do nothing returning id into kept;
  if kept is null then
    return (select s.id from private.sales_spans s where s.from_time = store_sales_span.from_time and s.to_time = store_sales_span.to_time);
  end if;
  insert into private.sales_span_products
  select kept, a.product_id, sum(a.grams), sum(a.pieces), sum(a.goods_paise)
  from (select m.* from private.sales_step_products m where m.step = 'month' and m.starts_at >= store_sales_span.from_time and m.starts_at < months_end
        union all
        select r.* from private.calculate_product_sales('day', months_end, store_sales_span.to_time) r) a
  group by a.product_id;
  insert into private.sales_span_categories
  select kept, p."Category", sum(s.goods_paise)
  from private.sales_span_products s join public."Products" p on p."Id" = s.product_id where s.span_id = kept group by 2;
  insert into private.sales_span_cities
  select kept, a.city, sum(a.orders), sum(a.goods_paise)
  from (select m.* from private.sales_step_cities m where m.step = 'month' and m.starts_at >= store_sales_span.from_time and m.starts_at < months_end
        union all
        select r.* from private.calculate_city_sales('day', months_end, store_sales_span.to_time) r) a
  group by a.city;
  return kept;
end $$;

-- The figures of a day until a moment in it: whole hours from what is stored, the rest from the orders.
create function private.part_of_day(to_time timestamptz, now timestamptz) returns private.sales_steps
language plpgsql set search_path = '' as $$
declare
  day_start timestamptz := private.start_of_step('day', to_time);
  hours_end timestamptz := greatest(day_start, least(private.start_of_step('hour', to_time), private.stored_until('hour', now)));
  figures private.sales_steps;
begin
  perform private.store_sales_steps('hour', day_start, hours_end);
  select 'day', day_start, coalesce(sum(a.orders), 0), coalesce(sum(a.canceled), 0), coalesce(sum(a.sales_paise), 0),
         coalesce(sum(a.goods_paise), 0), coalesce(sum(a.cost_paise), 0), coalesce(sum(a.uncosted_paise), 0), coalesce(sum(a.refunds_paise), 0)
  into figures
  from (select s.* from private.sales_steps s where s.step = 'hour' and s.starts_at >= day_start and s.starts_at < hours_end
        union all
        select l.* from private.calculate_sales('hour', hours_end, to_time) l) a;
  return figures;
end $$;

-- The whole days between two moments: from what is stored, and in the first minutes of a day yesterday from its
-- orders.
create function private.days_between(from_time timestamptz, to_time timestamptz, kept_end timestamptz) returns setof private.sales_steps
language sql stable as $$
  select s.* from private.sales_steps s where s.step = 'day' and s.starts_at >= from_time and s.starts_at < least(to_time, kept_end)
  union all
  select l.* from private.calculate_sales('day', greatest(from_time, kept_end), to_time) l where kept_end < to_time;
$$;

-- Totals of whole days and a part of one: {orders, canceled, …_paise}.
create function private.total_sales(from_time timestamptz, part private.sales_steps, kept_end timestamptz) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'orders', sum(a.orders), 'canceled', sum(a.canceled), 'sales_paise', sum(a.sales_paise), 'goods_paise', sum(a.goods_paise),
    'cost_paise', sum(a.cost_paise), 'uncosted_paise', sum(a.uncosted_paise), 'refunds_paise', sum(a.refunds_paise))
  from (select d.* from private.days_between(from_time, part.starts_at, kept_end) d union all select part.*) a;
$$;
