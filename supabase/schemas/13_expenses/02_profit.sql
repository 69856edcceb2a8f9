-- Profit by day, derived from orders, refunds and stock: stored by a job, invalidated by triggers when a past day
-- changes.
set check_function_bodies = off;

-- Profit by day: written by store_profit_days(), invalidated by the triggers below. Expenses are few and not in it.
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
  fee_tax_paise bigint not null,
  -- Null: the whole day. Today is stored until an hour that is over: a busy shop recalculates its last hour, not its day.
  until timestamptz,
  -- What offers took off the goods of that day's orders; goods are as listed.
  discount_paise bigint not null default 0
);
alter table private.profit_days enable row level security;

-- One function for every table: invalidates the past days that a change concerns.
create function private.invalidate_profit() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  case tg_table_name
    when 'orders' then
      perform private.invalidate_profit_day(new.created_at);
    when 'order_events' then
      perform private.invalidate_order_profit(new.order_id, new.created_at);
    when 'refunds' then
      perform private.invalidate_order_profit(new.order_id, new.created_at);
    when 'payments' then
      perform private.invalidate_profit_day(new.captured_at);
      if tg_op = 'UPDATE' then
        perform private.invalidate_profit_day(old.captured_at);
      end if;
    when 'stock_movements' then
      perform private.invalidate_profit_day(new.created_at);
    when 'placed_items' then
      perform private.invalidate_profit_day(o.created_at) from public.orders o where o.id = new.order_id;
      perform private.invalidate_profit_day(e.created_at) from public.order_events e where e.order_id = new.order_id and e.to_status = 'canceled';
    when 'product_costs' then
      perform private.invalidate_profit_day(d.at) from (
        select distinct on (private.day_of(m.created_at)) m.created_at as at from public.stock_movements m
        where m.product_id in (old.product_id, new.product_id) and m.reason in ('wastage', 'replacement')
          and m.created_at >= least(old.valid_from, new.valid_from)) d;
  end case;
  return null;
end $$;
-- Changes of the last minutes need nothing: they are not stored yet. Lines come with their order, in one transaction.
create trigger orders_invalidate_profit after insert on public.orders
  for each row when (new.created_at < now() - interval '10 minutes') execute function private.invalidate_profit();
create trigger order_events_invalidate_profit after insert on public.order_events
  for each row when (new.to_status in ('canceled', 'Refunded') and new.created_at < now() - interval '10 minutes')
  execute function private.invalidate_profit();
create trigger refunds_invalidate_profit after insert on private.refunds
  for each row when (new.created_at < now() - interval '10 minutes') execute function private.invalidate_profit();
create trigger refunds_change_invalidates_profit after update on private.refunds
  for each row when ((old.status = 'failed') <> (new.status = 'failed') or old.amount_paise <> new.amount_paise)
  execute function private.invalidate_profit();
create trigger payments_invalidate_profit after insert on private.payments
  for each row when (new.captured_at < now() - interval '10 minutes') execute function private.invalidate_profit();
create trigger payments_change_invalidates_profit after update on private.payments
  for each row when ((old.captured_at, old.fee_paise, old.amount_paise) is distinct from (new.captured_at, new.fee_paise, new.amount_paise))
  execute function private.invalidate_profit();
create trigger stock_movements_invalidate_profit after insert on public.stock_movements
  for each row when (new.reason in ('wastage', 'replacement') and new.created_at < now() - interval '10 minutes') execute function private.invalidate_profit();
create trigger placed_items_invalidate_profit after update on private.placed_items
  for each row when (old.unit_cost is distinct from new.unit_cost) execute function private.invalidate_profit();
create trigger product_costs_invalidate_profit after insert or update or delete on private.product_costs
  for each row execute function private.invalidate_profit();

-- Returns by day, in paise: canceled and refunded as day_figures() describes them. Without a search path, so that it is
-- inlined and planned for the days in question.
create function private.returns_by_day(from_time timestamptz, to_time timestamptz) returns table (
  day date, canceled_goods numeric, canceled_tax numeric, canceled_shipping numeric, refunded_goods numeric, refunded_tax numeric,
  refunded_shipping numeric, canceled_shipping_tax numeric, refunded_shipping_tax numeric)
language sql stable as $$
  with touched as (
    select e.order_id from public.order_events e
    where e.created_at >= from_time and e.created_at < to_time and e.to_status in ('canceled', 'Refunded')
    union
    select r.order_id from private.refunds r
    where r.created_at >= from_time and r.created_at < to_time and r.order_id is not null and r.status <> 'failed'
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
    cross join lateral (select (o.sub_total - o.discount) * 100 as goods, o.tax * 100 as tax, o.shipping_charge * 100 as shipping,
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
  )
  select (t.at at time zone 'Asia/Kolkata')::date as day,
         sum(t.goods) filter (where t.by_cancel) as canceled_goods, sum(t.tax) filter (where t.by_cancel) as canceled_tax,
         sum(t.shipping) filter (where t.by_cancel) as canceled_shipping,
         sum(t.goods) filter (where not t.by_cancel) as refunded_goods, sum(t.tax) filter (where not t.by_cancel) as refunded_tax,
         sum(t.shipping) filter (where not t.by_cancel) as refunded_shipping,
         sum(t.shipping_tax) filter (where t.by_cancel) as canceled_shipping_tax,
         sum(t.shipping_tax) filter (where not t.by_cancel) as refunded_shipping_tax
  from steps t where t.at >= from_time and t.at < to_time
  group by 1;
$$;

-- The wastage by day, and what was sent at no charge for claims, in paise: as in returns_by_day(), inlined.
create function private.wastage_by_day(from_time timestamptz, to_time timestamptz) returns table (day date, cost numeric, unknown_moves numeric)
language sql stable as $$
  select (m.created_at at time zone 'Asia/Kolkata')::date as day,
         sum(round(c.unit_cost * 100 * -m.quantity / case when p."hasSize" then 500 else 1 end)) as cost,
         sum(-sign(m.quantity)) filter (where c.unit_cost is null) as unknown_moves
  from public.stock_movements m join public."Products" p on p."Id" = m.product_id
  left join public.stock_movements u on u.id = m.undoes
  cross join lateral (select private.unit_cost_at(m.product_id, coalesce(u.created_at, m.created_at)) as unit_cost) c
  where m.created_at >= from_time and m.created_at < to_time and m.reason in ('wastage', 'replacement')
  group by 1;
$$;

-- Every day from first to last, from orders, events, refunds and movements. Days are those of India.
--   goods, discount, tax, shipping: of orders placed that day, whatever became of them. Goods are as listed; tax is on what the
--     discount left of them.
--   canceled, refunded: what was given back that day. An order that is canceled, or refunded in full, gives back
--     what is left of it on the day of that event, whether or not money moved; any other refund counts on the day it
--     was requested, unless it failed. Of an amount given back, goods (less their discount) and their tax come first, shipping last.
--   cost: of the goods in the orders placed that day, as known when they were placed. cost_back: of goods that came back
--     because their order was canceled that day; if they were written off from there, they are in wastage, once.
--   unknown_…: lines without a known cost, and what they were sold for.
--   fee: what the provider kept of payments captured that day, also of those refunded.
--   wastage: movements with that reason, less those reversed, at what the goods cost when they were written off; and
--     replacements, which are no sale and cost what they hold.
--   …_tax: the GST in shipping and fees, which themselves stay as paid.
-- Or of one day from a moment on, or until one: the figures of both parts add up to those of the day.
create function private.day_figures(
  first_day date, last_day date, from_time timestamptz default null, to_time timestamptz default null) returns setof private.profit_days
language plpgsql stable set search_path = '' as $$
declare
  is_registered constant boolean := private.is_registered();
begin
  -- Planned each time: a day and a year need different plans.
  return query execute $query$
  with sold as (
    select (o.created_at at time zone 'Asia/Kolkata')::date as day, count(*) as orders, sum(o.sub_total) as goods,
           sum(o.tax) as tax, sum(o.shipping_charge) as shipping, sum(o.discount) as discount
    from public.orders o where o.created_at >= $1 and o.created_at < $2
    group by 1
  ), shipping_taxes as (
    select t.day, sum(private.shipping_tax_paise(t.shipping, t.hsn, t.gst_percent, t.goods)) as tax
    from (
      select (o.created_at at time zone 'Asia/Kolkata')::date as day, (o.shipping_charge * 100)::bigint as shipping,
             array_agg(i.hsn order by i.id) as hsn, array_agg(i.gst_percent order by i.id) as gst_percent,
             array_agg(private.line_paise(i.unit_price, i.size, i.quantity) - i.discount * 100 order by i.id) as goods
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
           sum(i.unit_price * i.size / 500 * i.quantity - i.discount) filter (where i.unit_cost is null) as unknown_goods
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
           sum(i.unit_price * i.size / 500 * i.quantity - i.discount) filter (where i.unit_cost is null) as unknown_goods
    from ended e join private.placed_items i on i.order_id = e.order_id
    where e.to_status = 'canceled'
    group by 1
  ), fees as (
    select (p.captured_at at time zone 'Asia/Kolkata')::date as day, sum(p.fee_paise) as fee,
           sum(case when $5 then private.fee_tax_paise(p.fee_paise) else 0 end) as tax,
           count(*) filter (where p.fee_paise is null) as unknown_payments,
           sum(p.amount_paise) filter (where p.fee_paise is null) as unknown_paid
    from private.payments p where p.captured_at >= $1 and p.captured_at < $2
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
         coalesce(f.tax, 0)::bigint, $6, coalesce(sold.discount * 100, 0)::bigint
  from generate_series($3::timestamp, $4::timestamp, interval '1 day') d
  left join sold on sold.day = d::date
  left join shipping_taxes s on s.day = d::date
  left join costs c on c.day = d::date
  left join costs_back b on b.day = d::date
  left join private.returns_by_day($1, $2) t on t.day = d::date
  left join fees f on f.day = d::date
  left join private.wastage_by_day($1, $2) w on w.day = d::date
  $query$ using coalesce(from_time, private.start_of(first_day)), coalesce(to_time, private.start_of(last_day + 1)),
                first_day, last_day, is_registered, to_time;
end $$;

-- The days that are not stored, as ranges.
create function private.missing_profit_days(first_day date, last_day date) returns setof daterange
language sql stable set search_path = '' as $$
  select daterange(min(m.day), max(m.day), '[]')
  from (
    select d::date as day, d::date - (row_number() over (order by d))::integer as run
    from generate_series(first_day::timestamp, last_day::timestamp, interval '1 day') d
    where not exists (
      select from private.profit_days k where k.day = d::date and (k.until is null or k.until = private.stored_until('hour', now())))
  ) m
  group by m.run;
$$;

-- Stores past days, and what is over of today. It holds its lock exclusively, and transactions that change past days share it until they end:
-- so no day is stored that misses a change which is not committed yet.
create function private.store_profit_days(first_day date, last_day date) returns void
language plpgsql set search_path = '' as $$
declare
  hour constant timestamptz := private.stored_until('hour', now());
  today constant date := private.day_of(hour);
  runs daterange[] := array(select private.missing_profit_days(first_day, least(last_day, private.last_stored_day(now()))));
  is_today_missing constant boolean := today between first_day and last_day
    and exists (select from private.missing_profit_days(today, today));
begin
  -- Somebody else keeps them, or a change is under way: then they are only calculated this time, and kept the next.
  if cardinality(runs) = 0 and not is_today_missing or not pg_try_advisory_xact_lock(private.sales_lock()) then
    return;
  end if;
  delete from private.profit_days k where k.until <> hour;
  insert into private.profit_days
  select f.* from unnest(runs) r cross join lateral private.day_figures(lower(r), upper(r) - 1) f
  on conflict do nothing;
  if is_today_missing then
    insert into private.profit_days
    select f.* from private.day_figures(today, today, to_time => hour) f
    on conflict do nothing;
  end if;
end $$;

create function private.invalidate_profit_day(at timestamptz) returns void
language plpgsql set search_path = '' as $$
begin
  perform pg_advisory_xact_lock_shared(private.sales_lock());
  delete from private.profit_days k where k.day = private.day_of(at);
end $$;

-- The days from a moment on with cancellations or refunds of an order: they depend on one another.
create function private.invalidate_order_profit(order_id uuid, since timestamptz) returns void
language plpgsql set search_path = '' as $$
begin
  perform pg_advisory_xact_lock_shared(private.sales_lock());
  delete from private.profit_days k where k.day in (
    select private.day_of(r.created_at) from private.refunds r
    where r.order_id = invalidate_order_profit.order_id and r.created_at >= since
    union all
    select private.day_of(e.created_at) from public.order_events e
    where e.order_id = invalidate_order_profit.order_id and e.to_status in ('canceled', 'Refunded') and e.created_at >= since);
end $$;

-- Derived figures that the worker calculates, so that no caller waits for them: the current month of this financial
-- year, and the most recent month that is missing. A month at a time, so that a shop with years of data gets there
-- in small steps. True: something was missing, call again.
create function public.refresh_figures(at timestamptz default now()) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  last_day date := private.last_stored_day(at);
  first_day date := (private.financial_year_start(last_day) - interval '1 year')::date;
  month date;
  next_month date;
begin
  select date_trunc('month', max(d.day))::date into month
  from generate_series(first_day, last_day, interval '1 day') d (day)
  where not exists (select from private.sales_steps s where s.step = 'day' and s.starts_at = private.start_of(d.day::date))
     or not exists (select from private.profit_days p where p.day = d.day::date and p.until is null);
  if month is null then
    -- Hours are looked at on their own day, and on the days that later ones are compared with.
    delete from private.sales_steps s where s.step = 'hour' and s.starts_at < at - interval '400 days';
    perform private.count_large_customer_lists();
    return private.index_order_words(at);
  end if;
  next_month := (month + interval '1 month')::date;
  perform private.store_sales_steps('day', private.start_of(month), private.start_of(least(next_month, last_day + 1)));
  if next_month <= last_day + 1 then
    perform private.store_sales_steps('month', private.start_of(month), private.start_of(next_month));
  end if;
  perform private.store_profit_days(month, least(next_month - 1, last_day));
  return true;
end $$;

revoke execute on function public.refresh_figures(timestamptz) from public, anon, authenticated;
grant execute on function public.refresh_figures(timestamptz) to service_role;
