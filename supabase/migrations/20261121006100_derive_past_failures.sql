-- A change of an order that fails holds up neither the others nor the worker's round, and how long changes wait is a metric.
-- Emails are due however late the worker comes. day_figures() loses the planner switches of a step before.
set check_function_bodies = off;

alter table private.order_changes add column queued_at timestamp with time zone not null default now();

create or replace function private.day_figures(
  first_day date, last_day date, from_time timestamptz default null, to_time timestamptz default null) returns setof private.profit_days
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
    from steps t where t.at >= $1 and t.at < $2
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
         coalesce(f.tax, 0)::bigint, $6
  from generate_series($3::timestamp, $4::timestamp, interval '1 day') d
  left join sold on sold.day = d::date
  left join shipping_taxes s on s.day = d::date
  left join costs c on c.day = d::date
  left join costs_back b on b.day = d::date
  left join taken t on t.day = d::date
  left join fees f on f.day = d::date
  left join wasted w on w.day = d::date
  $query$ using coalesce(from_time, private.start_of(first_day)), coalesce(to_time, private.start_of(last_day + 1)),
                first_day, last_day, is_registered, to_time;
end $$;

create function private.derive_changes(change_ids bigint[], at timestamptz) returns void
language plpgsql set search_path = '' as $$
declare
  gone record;
begin
  with deleted as (
    delete from private.order_changes c where c.id = any (change_ids) returning c.order_id, c.event_id, c.queued_at
  )
  select array_agg(d.order_id) as order_ids, array_agg(e.id) filter (where e.created_at > d.queued_at - interval '1 day') as event_ids
  into gone
  from deleted d left join public.order_events e on e.id = d.event_id;
  -- An order that is moved, canceled or undone at this moment waits, or is seen as it is then.
  perform from public.orders o where o.id = any (gone.order_ids) order by o.id for share;
  perform private.queue_order_emails(gone.event_ids, at);
  perform private.count_customers(array(
    select distinct o.user_id from public.orders o where o.id = any (gone.order_ids) and o.user_id is not null));
end $$;

create or replace function private.derive_from_changes(at timestamptz default now(), most integer default 500) returns integer
language plpgsql set search_path = '' as $$
declare
  due constant bigint[] := array(select c.id from private.order_changes c order by c.id limit most for update skip locked);
  change_id bigint;
  derived integer := 0;
begin
  if cardinality(due) = 0 then
    return 0;
  end if;
  begin
    perform private.derive_changes(due, at);
    return cardinality(due);
  exception when others then
    null; -- One by one, then.
  end;
  foreach change_id in array due loop
    begin
      perform private.derive_changes(array[change_id], at);
      derived := derived + 1;
    exception when others then
      raise warning 'Order change % fails: %', change_id, sqlerrm;
    end;
  end loop;
  return derived;
end $$;

create or replace function private.queue_order_emails(event_ids bigint[], at timestamptz) returns void
language plpgsql set search_path = '' as $$
begin
  insert into private.outbox (kind, key, payload, run_after, created_at)
  select 'mail', 'mail:event:' || e.id, private.event_mail(e), least(e.created_at, at) + private.mail_delay(e), e.created_at
  from public.order_events e
  where e.id = any (event_ids) and e.user_id is not null and private.mail_of_status(e.to_status) is not null
    and not (private.mail_delay(e) > interval '0' and exists (
      select from public.order_events c where c.order_id = e.order_id and c.to_status = 'canceled'))
    and e.undoes is null and not exists (select from public.order_events u where u.undoes = e.id);
  -- Only emails with a delay that nobody has begun to send: an email that is late for another reason is still due.
  delete from private.outbox o using public.order_events e
  where e.id = any (event_ids) and e.to_status = 'canceled' and o.kind = 'mail' and o.payload ->> 'order_id' = e.order_id::text
    and o.attempts = 0 and o.done_at is null and o.run_after > o.created_at;
end $$;

create or replace function public.queue_metrics(at timestamptz default now()) returns jsonb
language sql stable security definer set search_path = '' as $$
  with open as (
    select o.kind as queue, o.run_after as due_at, o.attempts >= 3 as is_troubled from private.outbox o where o.done_at is null
    union all select 'order-change', c.queued_at, false from private.order_changes c
    union all select 'payment-check', c.next_check_at, false from private.checkouts c where c.next_check_at is not null
    union all select 'refund-check', r.next_check_at, false from private.refunds r where r.next_check_at is not null
  ), queues as (
    select q.name, count(o.queue) as depth, count(*) filter (where o.is_troubled) as troubled,
           greatest(0, coalesce(extract(epoch from at - min(o.due_at)), 0)) as overdue
    from unnest(array['mail', 'refund', 'order-change', 'payment-check', 'refund-check']) as q (name)
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

revoke execute on function private.derive_changes(change_ids bigint[], at timestamp with time zone) from public, anon, authenticated;
