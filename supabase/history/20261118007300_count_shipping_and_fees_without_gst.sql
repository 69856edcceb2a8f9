-- Shipping income and payment fees count in the profit and loss without their GST, which stands in lines of its own: what
-- is collected with shipping is the state's, and what the provider adds to its fee is credited to a registered shop.

-- The GST in what an order is charged for shipping: the one rule for screens, messages, receipts and the profit and loss.
-- Shipping is part of the sale of the goods: shared out by value over their HSN codes and rates, it takes theirs. This is
-- what private.invoice_lines() writes on the delivery lines of an invoice, before CGST and SGST are halved. Arrays have the
-- goods line by line, in the order of the invoice.
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

-- A shop without a GSTIN may neither charge GST nor take credit for it.
create function private.is_registered() returns boolean
language sql stable set search_path = '' as $$
  select s.gstin <> '' from public.shop_settings s where s.id;
$$;

-- Of an order that was placed: as its invoice has it, or will have it.
create function private.order_shipping_tax(placed public.orders) returns bigint
language plpgsql stable set search_path = '' as $$
begin
  if placed.shipping_charge = 0
     or not coalesce((select v.tax_kind <> 'none' from private.invoices v where v.order_id = placed.id), private.is_registered()) then
    return 0;
  end if;
  return (
    select private.shipping_tax_paise((placed.shipping_charge * 100)::bigint, array_agg(i.hsn order by i.id),
      array_agg(i.gst_percent order by i.id), array_agg(i.unit_price * 100 * i.size / 500 * i.quantity order by i.id))
    from public.order_items i where i.order_id = placed.id);
end $$;

-- The GST in a payment fee: 18 % on payment services. The provider's monthly tax invoice is the document for the credit.
create function private.fee_tax_paise(fee_paise bigint) returns bigint
language sql immutable parallel safe as $$
  select round(fee_paise * 18 / 118.0)::bigint;
$$;

revoke execute on function private.shipping_tax_paise(bigint, text[], numeric[], numeric[]), private.is_registered(),
  private.order_shipping_tax(public.orders), private.fee_tax_paise(bigint) from public;

-- Cached days lack the new figures: they are calculated again, by the worker or the first visit. Months that are closed
-- keep the statement they were closed with; the console shows what differs, and why.
truncate private.profit_days;
alter table private.profit_days
  add column shipping_tax_paise bigint not null,
  add column canceled_shipping_tax_paise bigint not null,
  add column refunded_shipping_tax_paise bigint not null,
  add column fee_tax_paise bigint not null;

-- As before, and the GST in shipping and fees. shipping and fee themselves stay as paid.
create or replace function private.day_figures(first_day date, last_day date) returns setof private.profit_days
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

-- As before, but shipping and fees without their GST, which comes in two figures of its own.
drop function private.profit_and_loss(date, date);
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
revoke execute on function private.profit_and_loss(date, date) from public;

-- As before, with the two new figures beside the other GST.
create or replace function public.export_profit(filter jsonb, after jsonb, at timestamptz) returns jsonb
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
