-- No planner switches in functions: PostgreSQL chooses the plans (docs/decisions/0048-no-planner-switches.md).
set check_function_bodies = off;

drop index private.outbox_due_idx;

alter function private.search_fits(text) reset plan_cache_mode;
alter function public.search_products(text, integer, numeric, numeric, text, text) reset plan_cache_mode;
alter function private.keep_steps(text, timestamptz, timestamptz) reset plan_cache_mode;
alter function private.keep_span(timestamptz, timestamptz) reset plan_cache_mode;
alter function private.part_of_day(timestamptz, timestamptz) reset plan_cache_mode;
alter function public.admin_read_dashboard(text, timestamptz) reset plan_cache_mode;
alter function public.admin_list_products(jsonb, text, boolean, jsonb, integer) reset cpu_operator_cost;
alter function public.admin_find_sweets(text) reset cpu_operator_cost;
alter function private.invoice_lines(uuid[], text[]) reset jit;
alter function private.issue_invoices(uuid[], timestamptz[]) reset jit;

create or replace function private.day_figures(first_day date, last_day date) returns setof private.profit_days
language plpgsql stable set search_path = '' as $$
declare
  is_registered constant boolean := private.is_registered();
begin
  -- Planned anew each time: a day and a year want different plans.
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

create or replace function private.lease_letters(at timestamptz, most integer) returns setof private.outbox
language plpgsql set search_path = '' as $$
declare
  due bigint[] := array(
    select o.id from private.outbox o where o.done_at is null and o.run_after <= at
    order by private.urgency(o.kind, o.payload), o.run_after, o.id limit most for update skip locked);
begin
  return query
    update private.outbox o set run_after = at + private.lease_time(), attempts = o.attempts + 1 where o.id = any (due)
    returning o.*;
end $$;

reset check_function_bodies;
