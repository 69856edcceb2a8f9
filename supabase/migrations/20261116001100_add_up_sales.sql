-- Figures of days for the console. A day that is over is added up once and kept, and so are the spans of days that the
-- dashboard shows; what happened today is always added up from the orders themselves. So a year costs no more to look at
-- than a week, and placing an order costs nothing. All of it can be deleted at any time: whoever asks next adds it up again.

create index orders_refund_failed_idx on public.orders (created_at) where payment_status = 'refund_failed';
create index refunds_created_idx on private.refunds (created_at);

-- Sales are what customers ordered, tax and delivery included; goods are the part without either. Canceled orders count
-- nowhere but in their own number. Cost is known only of lines whose cost was known when they were placed: the goods of
-- the others are uncosted. Refunds count on the day they were decided.
create table private.sales_days (
  day date primary key,
  orders integer not null,
  canceled integer not null,
  sales_paise bigint not null,
  goods_paise bigint not null,
  cost_paise bigint not null,
  uncosted_paise bigint not null,
  refunds_paise bigint not null
);
create table private.sales_day_products (
  day date not null references private.sales_days (day) on delete cascade,
  product_id bigint not null,
  grams bigint not null,
  pieces bigint not null,
  goods_paise bigint not null,
  primary key (day, product_id)
);
create table private.sales_day_cities (
  day date not null references private.sales_days (day) on delete cascade,
  city text not null,
  orders integer not null,
  goods_paise bigint not null,
  primary key (day, city)
);

create table private.sales_spans (
  id bigint generated always as identity primary key,
  from_day date not null,
  to_day date not null,
  unique (from_day, to_day)
);
create table private.sales_span_products (
  span_id bigint not null references private.sales_spans (id) on delete cascade,
  product_id bigint not null,
  grams bigint not null,
  pieces bigint not null,
  goods_paise bigint not null,
  primary key (span_id, product_id)
);
create index sales_span_products_best_idx on private.sales_span_products (span_id, goods_paise desc);
create table private.sales_span_cities (
  span_id bigint not null references private.sales_spans (id) on delete cascade,
  city text not null,
  orders integer not null,
  goods_paise bigint not null,
  primary key (span_id, city)
);
create index sales_span_cities_best_idx on private.sales_span_cities (span_id, goods_paise desc);

do $$
declare
  tab text;
begin
  foreach tab in array array['sales_days', 'sales_day_products', 'sales_day_cities', 'sales_spans', 'sales_span_products', 'sales_span_cities'] loop
    execute format('alter table private.%I enable row level security', tab);
  end loop;
end $$;

-- The figures of each day from one moment to another, from the orders themselves; days without any are not among them.
create function private.add_up_days(from_time timestamptz, to_time timestamptz) returns setof private.sales_days
language sql stable set search_path = '' as $$
  with placed as (
    select private.day_of(o.created_at) as day, o.status <> 'canceled' as counts, o.total_amount, o.sub_total, c.cost, c.uncosted
    from public.orders o
    cross join lateral (
      select sum(p.unit_cost * p.size / 500 * p.quantity) as cost,
             sum(p.unit_price * p.size / 500 * p.quantity) filter (where p.unit_cost is null) as uncosted
      from public.order_items i join private.placed_items p on p.order_item_id = i.id
      where i.order_id = o.id and o.status <> 'canceled'
    ) c
    where o.created_at >= from_time and o.created_at < to_time
  ), given_back as (
    select private.day_of(r.created_at) as day, sum(r.amount_paise) as paise
    from private.refunds r
    where r.created_at >= from_time and r.created_at < to_time and r.status <> 'failed'
    group by 1
  ), sold as (
    select p.day, count(*) filter (where p.counts) as orders, count(*) filter (where not p.counts) as canceled,
           sum(p.total_amount * 100) filter (where p.counts) as sales, sum(p.sub_total * 100) filter (where p.counts) as goods,
           round(sum(p.cost * 100)) as cost, sum(p.uncosted * 100) as uncosted
    from placed p group by p.day
  )
  select day, coalesce(s.orders, 0)::integer, coalesce(s.canceled, 0)::integer, coalesce(s.sales, 0)::bigint, coalesce(s.goods, 0)::bigint,
         coalesce(s.cost, 0)::bigint, coalesce(s.uncosted, 0)::bigint, coalesce(g.paise, 0)::bigint
  from sold s full join given_back g using (day);
$$;

create function private.add_up_products(from_time timestamptz, to_time timestamptz) returns setof private.sales_day_products
language sql stable set search_path = '' as $$
  select private.day_of(o.created_at), i.product_id,
         coalesce(sum(i.size * i.quantity) filter (where i.has_size), 0)::bigint,
         coalesce(sum(i.quantity) filter (where not i.has_size), 0)::bigint,
         sum(i.unit_price * 100 * i.size / 500 * i.quantity)::bigint
  from public.orders o join public.order_items i on i.order_id = o.id
  where o.created_at >= from_time and o.created_at < to_time and o.status <> 'canceled'
  group by 1, 2;
$$;

create function private.add_up_cities(from_time timestamptz, to_time timestamptz) returns setof private.sales_day_cities
language sql stable set search_path = '' as $$
  select private.day_of(o.created_at), c.city, count(*)::integer, sum(o.sub_total * 100)::bigint
  from public.orders o
  cross join lateral (
    select case when o.fulfilment = 'pickup' then 'Collected at the counter'
                else coalesce(nullif(initcap(btrim(o.delivery_city)), ''), 'Not known') end as city) c
  where o.created_at >= from_time and o.created_at < to_time and o.status <> 'canceled'
  group by 1, 2;
$$;

-- Who adds up waits for changes of old days that are under way, and they for him: otherwise he could keep a figure that
-- is wrong a moment later.
create function private.sales_lock() returns bigint
language sql immutable set search_path = '' as $$ select 7640113::bigint $$;

create function private.forget_day(day date) returns void
language plpgsql set search_path = '' as $$
begin
  perform pg_advisory_xact_lock_shared(private.sales_lock());
  delete from private.sales_days d where d.day = forget_day.day;
  delete from private.sales_spans s where forget_day.day between s.from_day and s.to_day;
end $$;

-- Days that are kept are over for at least ten minutes: nothing that was placed in them is still on its way to the disk.
create function private.last_kept_day(at timestamptz) returns date
language sql immutable set search_path = '' as $$
  select private.day_of(at - interval '10 minutes') - 1;
$$;

create function private.follow_sales() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.forget_day(private.day_of(new.created_at));
  return null;
end $$;
revoke execute on function private.follow_sales() from public;
-- Only what is not today's: an order that is being placed pays nothing for this.
create trigger orders_follow_sales_placed after insert on public.orders
  for each row when (new.created_at < now() - interval '10 minutes') execute function private.follow_sales();
create trigger orders_follow_sales_canceled after update of status on public.orders
  for each row when ((old.status = 'canceled') <> (new.status = 'canceled')) execute function private.follow_sales();
create trigger refunds_follow_sales_decided after insert on private.refunds
  for each row when (new.created_at < now() - interval '10 minutes') execute function private.follow_sales();
create trigger refunds_follow_sales_failed after update of status on private.refunds
  for each row when ((old.status = 'failed') <> (new.status = 'failed')) execute function private.follow_sales();

-- Adds up what of these days is not kept yet.
create function private.keep_days(from_day date, to_day date) returns void
language plpgsql set search_path = '' as $$
declare
  missing record;
begin
  if (select count(*) from private.sales_days d where d.day between from_day and to_day) > to_day - from_day then
    return;
  end if;
  perform pg_advisory_xact_lock(private.sales_lock());
  for missing in
    select min(m.day) as first, max(m.day) as last
    from (select a.day::date as day, a.day::date - row_number() over (order by a.day)::integer as run
          from generate_series(from_day, to_day, interval '1 day') a (day)
          where not exists (select from private.sales_days d where d.day = a.day::date)) m
    group by m.run
  loop
    insert into private.sales_days
    select a.day::date, coalesce(f.orders, 0), coalesce(f.canceled, 0), coalesce(f.sales_paise, 0), coalesce(f.goods_paise, 0),
           coalesce(f.cost_paise, 0), coalesce(f.uncosted_paise, 0), coalesce(f.refunds_paise, 0)
    from generate_series(missing.first, missing.last, interval '1 day') a (day)
    left join private.add_up_days(private.start_of(missing.first), private.start_of(missing.last + 1)) f on f.day = a.day::date;
    insert into private.sales_day_products
    select * from private.add_up_products(private.start_of(missing.first), private.start_of(missing.last + 1));
    insert into private.sales_day_cities
    select * from private.add_up_cities(private.start_of(missing.first), private.start_of(missing.last + 1));
  end loop;
end $$;

-- The sweets and cities of a span of kept days. Spans of yesterday's dashboard go when today's are made.
create function private.keep_span(from_day date, to_day date) returns bigint
language plpgsql set search_path = '' as $$
declare
  kept bigint := (select s.id from private.sales_spans s where s.from_day = keep_span.from_day and s.to_day = keep_span.to_day);
begin
  if kept is not null then
    return kept;
  end if;
  perform pg_advisory_xact_lock(private.sales_lock());
  delete from private.sales_spans s where s.to_day < keep_span.to_day - 1;
  insert into private.sales_spans (from_day, to_day) values (keep_span.from_day, keep_span.to_day)
  on conflict do nothing returning id into kept;
  if kept is null then
    return (select s.id from private.sales_spans s where s.from_day = keep_span.from_day and s.to_day = keep_span.to_day);
  end if;
  insert into private.sales_span_products
  select kept, d.product_id, sum(d.grams), sum(d.pieces), sum(d.goods_paise)
  from private.sales_day_products d where d.day between keep_span.from_day and keep_span.to_day group by d.product_id;
  insert into private.sales_span_cities
  select kept, d.city, sum(d.orders), sum(d.goods_paise)
  from private.sales_day_cities d where d.day between keep_span.from_day and keep_span.to_day group by d.city;
  return kept;
end $$;

-- Sums from one moment to another, the days in between from what is kept. {orders, canceled, …_paise}
create function private.sales_between(from_time timestamptz, to_time timestamptz, kept_to date) returns jsonb
language sql stable set search_path = '' as $$
  with live_from as (
    -- Spans begin with a day, and end with one that is kept or with a part of a day.
    select greatest(from_time, private.start_of(least(private.day_of(to_time), kept_to + 1))) as at
  ), days as (
    select d.* from private.sales_days d, live_from f
    where d.day >= private.day_of(from_time) and d.day < private.day_of(f.at)
    union all
    select l.* from live_from f, private.add_up_days(f.at, to_time) l
  )
  select jsonb_build_object(
    'orders', coalesce(sum(orders), 0), 'canceled', coalesce(sum(canceled), 0), 'sales_paise', coalesce(sum(sales_paise), 0),
    'goods_paise', coalesce(sum(goods_paise), 0), 'cost_paise', coalesce(sum(cost_paise), 0),
    'uncosted_paise', coalesce(sum(uncosted_paise), 0), 'refunds_paise', coalesce(sum(refunds_paise), 0))
  from days;
$$;

-- The financial year of a day begins on 1 April.
create function private.financial_year_start(day date) returns date
language sql immutable set search_path = '' as $$
  select make_date(extract(year from day)::integer - case when extract(month from day) < 4 then 1 else 0 end, 4, 1);
$$;

do $$
declare
  helper regprocedure;
begin
  for helper in
    select oid::regprocedure from pg_proc
    where pronamespace = 'private'::regnamespace
      and proname in ('add_up_days', 'add_up_products', 'add_up_cities', 'sales_lock', 'forget_day', 'last_kept_day', 'keep_days',
                      'keep_span', 'sales_between', 'financial_year_start')
  loop
    execute format('revoke execute on function %s from public', helper);
  end loop;
end $$;
