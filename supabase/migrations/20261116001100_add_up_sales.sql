-- Figures of days for the console. A day that is over is added up once and kept, and so are the months and spans of days
-- that the dashboard shows; what happened today is always added up from the orders themselves. So a year costs no more to
-- look at than a week, and placing an order costs nothing. All of it can be deleted at any time: whoever asks next adds it
-- up again.

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

-- Sweets and cities of the months that are over.
create table private.sales_months (
  month date primary key
);
create table private.sales_month_products (
  month date not null references private.sales_months (month) on delete cascade,
  product_id bigint not null,
  grams bigint not null,
  pieces bigint not null,
  goods_paise bigint not null,
  primary key (month, product_id)
);
create table private.sales_month_cities (
  month date not null references private.sales_months (month) on delete cascade,
  city text not null,
  orders integer not null,
  goods_paise bigint not null,
  primary key (month, city)
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
create table private.sales_span_categories (
  span_id bigint not null references private.sales_spans (id) on delete cascade,
  category text not null,
  goods_paise bigint not null,
  primary key (span_id, category)
);
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
  foreach tab in array array['sales_days', 'sales_months', 'sales_month_products', 'sales_month_cities', 'sales_spans',
                           'sales_span_products', 'sales_span_categories', 'sales_span_cities'] loop
    execute format('alter table private.%I enable row level security', tab);
  end loop;
end $$;

-- The figures of each day from one moment to another, from the orders themselves; days without any are not among them.
create function private.add_up_days(from_time timestamptz, to_time timestamptz) returns setof private.sales_days
language sql stable as $$
  with placed as (
    select private.day_of(o.created_at) as day, count(*) filter (where o.status <> 'canceled') as orders,
           count(*) filter (where o.status = 'canceled') as canceled,
           sum(o.total_amount) filter (where o.status <> 'canceled') as sales, sum(o.sub_total) filter (where o.status <> 'canceled') as goods
    from public.orders o
    where o.created_at >= from_time and o.created_at < to_time
    group by 1
  ), made as (
    select private.day_of(o.created_at) as day, sum(p.unit_cost * p.size / 500 * p.quantity) as cost,
           sum(p.unit_price * p.size / 500 * p.quantity) filter (where p.unit_cost is null) as uncosted
    from public.orders o
    join public.order_items i on i.order_id = o.id
    join private.placed_items p on p.order_item_id = i.id
    where o.created_at >= from_time and o.created_at < to_time and o.status <> 'canceled'
    group by 1
  ), given_back as (
    select private.day_of(r.created_at) as day, sum(r.amount_paise) as paise
    from private.refunds r
    where r.created_at >= from_time and r.created_at < to_time and r.status <> 'failed'
    group by 1
  )
  select day, coalesce(s.orders, 0)::integer, coalesce(s.canceled, 0)::integer, coalesce(s.sales * 100, 0)::bigint,
         coalesce(s.goods * 100, 0)::bigint, coalesce(round(m.cost * 100), 0)::bigint, coalesce(m.uncosted * 100, 0)::bigint,
         coalesce(g.paise, 0)::bigint
  from placed s full join given_back g using (day) left join made m using (day);
$$;

create function private.add_up_products(from_time timestamptz, to_time timestamptz)
returns table (product_id bigint, grams bigint, pieces bigint, goods_paise bigint)
language sql stable as $$
  select i.product_id, coalesce(sum(i.size * i.quantity) filter (where i.has_size), 0)::bigint,
         coalesce(sum(i.quantity) filter (where not i.has_size), 0)::bigint,
         sum(i.unit_price * i.size / 5 * i.quantity)::bigint
  from public.orders o join public.order_items i on i.order_id = o.id
  where o.created_at >= from_time and o.created_at < to_time and o.status <> 'canceled'
  group by 1;
$$;

create function private.city_of(placed public.orders) returns text
language sql immutable as $$
  select case when placed.fulfilment = 'pickup' then 'Collected at the counter'
              else coalesce(nullif(initcap(btrim(placed.delivery_city)), ''), 'Not known') end;
$$;

create function private.add_up_cities(from_time timestamptz, to_time timestamptz)
returns table (city text, orders integer, goods_paise bigint)
language sql stable as $$
  select private.city_of(o), count(*)::integer, (sum(o.sub_total) * 100)::bigint
  from public.orders o
  where o.created_at >= from_time and o.created_at < to_time and o.status <> 'canceled'
  group by 1;
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
  delete from private.sales_months m where m.month = date_trunc('month', forget_day.day)::date;
  delete from private.sales_spans s where forget_day.day between s.from_day and s.to_day;
end $$;

-- Days that are kept are over for at least ten minutes: nothing that was placed in them is still on its way to the disk.
create function private.last_kept_day(at timestamptz) returns date
language sql immutable as $$
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

create function private.follow_category() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock_shared(private.sales_lock());
  delete from private.sales_spans;
  return null;
end $$;
revoke execute on function private.follow_category() from public;
create trigger products_follow_category after update of "Category" on public."Products"
  for each row when (old."Category" <> new."Category") execute function private.follow_category();

-- Adds up what of these days is not kept yet.
create function private.keep_days(from_day date, to_day date) returns void
language plpgsql set search_path = '' set plan_cache_mode = 'force_custom_plan' as $$
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
  end loop;
end $$;

create function private.keep_months(from_month date, to_month date) returns void
language plpgsql set search_path = '' as $$
declare
  missing date;
begin
  for missing in
    select a.month::date from generate_series(from_month, to_month, interval '1 month') a (month)
    where not exists (select from private.sales_months m where m.month = a.month::date)
  loop
    insert into private.sales_months (month) values (missing);
    insert into private.sales_month_products
    select missing, p.* from private.add_up_products(private.start_of(missing), private.start_of((missing + interval '1 month')::date)) p;
    insert into private.sales_month_cities
    select missing, c.* from private.add_up_cities(private.start_of(missing), private.start_of((missing + interval '1 month')::date)) c;
  end loop;
end $$;

-- The sweets, categories and cities of a span of days that are over: its whole months from what is kept, the rest from the
-- orders. Spans of yesterday's dashboard go when today's are made.
create function private.keep_span(from_day date, to_day date) returns bigint
language plpgsql set search_path = '' set plan_cache_mode = 'force_custom_plan' as $$
declare
  kept bigint := (select s.id from private.sales_spans s where s.from_day = keep_span.from_day and s.to_day = keep_span.to_day);
  months_end date := case when from_day = date_trunc('month', from_day) then date_trunc('month', to_day + 1)::date else from_day end;
  rest_from timestamptz := private.start_of(months_end);
  rest_to timestamptz := private.start_of(to_day + 1);
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
  perform private.keep_months(keep_span.from_day, months_end - 1);
  insert into private.sales_span_products
  select kept, a.product_id, sum(a.grams), sum(a.pieces), sum(a.goods_paise)
  from (select m.product_id, m.grams, m.pieces, m.goods_paise
        from private.sales_month_products m where m.month >= keep_span.from_day and m.month < months_end
        union all
        select r.* from private.add_up_products(rest_from, rest_to) r) a
  group by a.product_id;
  insert into private.sales_span_categories
  select kept, p."Category", sum(s.goods_paise)
  from private.sales_span_products s join public."Products" p on p."Id" = s.product_id where s.span_id = kept group by 2;
  insert into private.sales_span_cities
  select kept, a.city, sum(a.orders), sum(a.goods_paise)
  from (select m.city, m.orders, m.goods_paise
        from private.sales_month_cities m where m.month >= keep_span.from_day and m.month < months_end
        union all
        select r.* from private.add_up_cities(rest_from, rest_to) r) a
  group by a.city;
  return kept;
end $$;

-- Sums of kept days and of what came after them: {orders, canceled, …_paise}.
create function private.sum_up(from_day date, to_day date, live private.sales_days) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'orders', sum(a.orders), 'canceled', sum(a.canceled), 'sales_paise', sum(a.sales_paise), 'goods_paise', sum(a.goods_paise),
    'cost_paise', sum(a.cost_paise), 'uncosted_paise', sum(a.uncosted_paise), 'refunds_paise', sum(a.refunds_paise))
  from (select d.* from private.sales_days d where d.day between from_day and to_day union all select live.*) a;
$$;

-- The figures of a moment's day until then. Planned for its times: a plan for many days is a bad one for a part of one.
create function private.live_day(from_time timestamptz, to_time timestamptz) returns private.sales_days
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_custom_plan' as $$
declare
  figures private.sales_days;
begin
  select private.day_of(to_time), coalesce(sum(l.orders), 0), coalesce(sum(l.canceled), 0), coalesce(sum(l.sales_paise), 0),
         coalesce(sum(l.goods_paise), 0), coalesce(sum(l.cost_paise), 0), coalesce(sum(l.uncosted_paise), 0),
         coalesce(sum(l.refunds_paise), 0)
  into figures from private.add_up_days(from_time, to_time) l;
  return figures;
end $$;

-- The financial year of a day begins on 1 April.
create function private.financial_year_start(day date) returns date
language sql immutable set search_path = '' as $$
  select make_date(extract(year from day)::integer - case when extract(month from day) < 4 then 1 else 0 end, 4, 1);
$$;

-- The worker adds up what is over, so that nobody waits for it: days of this year and the last, months of this year.
create function private.keep_sales(at timestamptz) returns void
language plpgsql set search_path = '' as $$
declare
  last_day date := private.last_kept_day(at);
  this_year date := private.financial_year_start(last_day);
begin
  perform private.keep_days((this_year - interval '1 year')::date, last_day);
  perform pg_advisory_xact_lock(private.sales_lock());
  perform private.keep_months(this_year, date_trunc('month', last_day + 1)::date - 1);
end $$;

create or replace function public.sweep(at timestamptz default now()) returns void
language sql security definer set search_path = '' as $$
  delete from private.checkouts c
  where c.state in ('lapsed', 'superseded') and c.created_at < at - interval '30 days'
    and not exists (select from private.payments p where p.provider_order_id = c.provider_order_id);
  delete from private.quotes q
  where q.expires_at < at - interval '1 hour' and not exists (select from private.checkouts c where c.quote_id = q.id);
  delete from private.payment_events e where e.received_at < at - interval '30 days';
  delete from private.outbox o where o.done_at < at - interval '30 days';
  delete from private.turns t where t.window_start < at - interval '1 day';
  select private.keep_sales(at);
$$;

do $$
declare
  helper regprocedure;
begin
  for helper in
    select oid::regprocedure from pg_proc
    where pronamespace = 'private'::regnamespace
      and proname in ('add_up_days', 'add_up_products', 'add_up_cities', 'city_of', 'sales_lock', 'forget_day', 'last_kept_day', 'keep_days',
                      'keep_months', 'keep_span', 'sum_up', 'live_day', 'financial_year_start', 'keep_sales')
  loop
    execute format('revoke execute on function %s from public', helper);
  end loop;
end $$;
