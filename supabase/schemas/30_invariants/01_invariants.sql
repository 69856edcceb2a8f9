-- What must be true of orders, money, stock and documents at any moment.
-- No tables: called by administrators and tests, and returns what is violated.
set check_function_bodies = off;

-- Each check below returns violations of one invariant, by its number in docs/data.md, among the orders with an id in the range (14:
-- among the customers). Separate statements, so that each is planned for its range.

-- 1: The lines of an order add up to its subtotal, and their discounts to its discount; subtotal less discount, tax and shipping
-- add up to its total.
create function private.check_order_totals(lowest uuid, highest uuid) returns table (invariant integer, subject text, detail text)
language plpgsql stable set search_path = '' as $$
begin
  return query
  select 1, o.id::text, format('lines %s, sub_total %s, discounts of lines %s, discount %s, tax %s, shipping %s, total %s',
                               coalesce(l.lines, 0), o.sub_total, coalesce(l.discounts, 0), o.discount, o.tax, o.shipping_charge, o.total_amount)
  from public.orders o
  left join (
    select i.order_id, sum(i.unit_price * i.size / 500 * i.quantity) as lines, sum(i.discount) as discounts from public.order_items i
    where i.order_id between lowest and highest group by i.order_id
  ) l on l.order_id = o.id
  where o.id between lowest and highest
    and (l.lines is distinct from o.sub_total or l.discounts is distinct from o.discount
         or o.sub_total - o.discount + o.tax + o.shipping_charge <> o.total_amount);
end $$;

-- 2: A payment belongs to one order or to one group, and an order has at most one captured payment that is not refunded.
create function private.check_order_payments(lowest uuid, highest uuid) returns table (invariant integer, subject text, detail text)
language plpgsql stable set search_path = '' as $$
begin
  return query
  select 2, p.order_id::text, format('%s captured payments not refunded', count(*))
  from private.payments p
  where p.order_id between lowest and highest and p.status = 'captured'
    and not exists (select from private.refunds r where r.payment_id = p.payment_id and r.status <> 'failed'
                    group by r.payment_id having sum(r.amount_paise) >= p.amount_paise)
  group by p.order_id having count(*) > 1
  union all
  select 2, o.id::text, format('payment %s belongs to order %s', o.payment_id, coalesce(p.order_id::text, 'none'))
  from public.orders o join private.payments p on p.payment_id = o.payment_id
  where o.id between lowest and highest and p.order_id is distinct from o.id
    and (o.group_id is null or p.group_id is distinct from o.group_id);
end $$;

-- 5: Every change of status has exactly one event: an unbroken chain that ends at the order's status.
create function private.check_order_events(lowest uuid, highest uuid) returns table (invariant integer, subject text, detail text)
language plpgsql stable set search_path = '' as $$
begin
  return query
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
end $$;

-- 6: Refunds of an order never exceed its total.
create function private.check_order_refunds(lowest uuid, highest uuid) returns table (invariant integer, subject text, detail text)
language plpgsql stable set search_path = '' as $$
begin
  return query
  select 6, o.id::text, format('total %s, refunds %s', o.total_amount, r.paise / 100.0)
  from public.orders o
  join (select f.order_id, sum(f.amount_paise) as paise from private.refunds f
        where f.order_id between lowest and highest and f.status <> 'failed' group by f.order_id) r on r.order_id = o.id
  where o.id between lowest and highest and r.paise > o.total_amount * 100;
end $$;

-- 7: What was shipped is not canceled without passing Undelivered.
create function private.check_shipped_orders(lowest uuid, highest uuid) returns table (invariant integer, subject text, detail text)
language plpgsql stable set search_path = '' as $$
begin
  return query
  select 7, e.order_id::text, format('went from %s to canceled', e.from_status)
  from public.order_events e
  where e.order_id between lowest and highest
    and e.to_status = 'canceled' and e.from_status in ('Shipped', 'Delivered', 'Collected', 'Refunded');
end $$;

-- 8: Items and their prices never change after the order is placed.
create function private.check_order_items(lowest uuid, highest uuid) returns table (invariant integer, subject text, detail text)
language plpgsql stable set search_path = '' as $$
begin
  return query
  select 8, i.order_id::text, format('item %s is not what was placed', i.id)
  from public.order_items i left join private.placed_items p on p.order_item_id = i.id
  where i.order_id between lowest and highest
    and (i.order_id, i.product_id, i.quantity, i.size, i.unit_price, i.contents, i.discount)
        is distinct from (p.order_id, p.product_id, p.quantity, p.size, p.unit_price, p.contents, p.discount);
end $$;

-- 10: Every packed order has an invoice over its total, and the invoice's lines add up to it.
create function private.check_invoices(lowest uuid, highest uuid) returns table (invariant integer, subject text, detail text)
language plpgsql stable set search_path = '' as $$
begin
  return query
  select 10, o.id::text, case when i.id is null then format('is %s and has no invoice', o.status)
                              else format('order %s, invoice %s, lines %s', o.total_amount, i.total_paise / 100.0, l.paise / 100.0) end
  from public.orders o
  left join private.invoices i on i.order_id = o.id
  left join lateral (
    select sum(x.taxable_paise + x.cgst_paise + x.sgst_paise + x.igst_paise) as paise
    from jsonb_to_recordset(i.lines) as x (taxable_paise bigint, cgst_paise bigint, sgst_paise bigint, igst_paise bigint)
  ) l on true
  where o.id between lowest and highest
    and case when i.id is null then private.was_packed(o.status)
             else (i.total_paise, l.paise) is distinct from ((o.total_amount * 100)::bigint, o.total_amount * 100) end;
end $$;

-- 11: Credit notes never exceed their invoice, in no part of it.
create function private.check_credit_notes(lowest uuid, highest uuid) returns table (invariant integer, subject text, detail text)
language plpgsql stable set search_path = '' as $$
begin
  return query
  select 11, i.order_id::text, format('invoice %s, credit notes %s', i.total_paise / 100.0, n.total / 100.0)
  from private.invoices i
  join (select c.invoice_id, sum(c.total_paise) as total, sum(c.taxable_paise) as taxable, sum(c.cgst_paise) as cgst,
               sum(c.sgst_paise) as sgst, sum(c.igst_paise) as igst
        from private.credit_notes c group by c.invoice_id) n on n.invoice_id = i.id
  where i.order_id between lowest and highest
    and (n.total > i.total_paise or n.taxable > i.taxable_paise or n.cgst > i.cgst_paise or n.sgst > i.sgst_paise
         or n.igst > i.igst_paise);
end $$;

-- 13: A canceled invoice that was paid offline or not at all is credited in full; nothing that was paid and not refunded is
-- credited.
create function private.check_canceled_invoices(lowest uuid, highest uuid) returns table (invariant integer, subject text, detail text)
language plpgsql stable set search_path = '' as $$
begin
  return query
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

-- 14: The figures of a customer are those of the orders, unless a change of one of them is still queued.
create function private.check_customer_figures(lowest uuid, highest uuid) returns table (invariant integer, subject text, detail text)
language plpgsql stable set search_path = '' as $$
begin
  return query
  select 14, t.user_id::text, format('%s orders of %s paise, last %s; kept %s of %s, last %s', t.orders, t.value_paise, t.last_order_at,
                                     f.orders, f.value_paise, f.last_order_at)
  from private.customer_totals t left join private.customer_figures f on f.user_id = t.user_id
  where t.user_id between lowest and highest
    and (t.orders, t.value_paise, t.last_order_at) is distinct from (f.orders, f.value_paise, f.last_order_at)
    and not exists (select from private.order_changes c join public.orders o on o.id = c.order_id where o.user_id = t.user_id);
end $$;

-- 17: Claims give no more than was claimed, and claim no more than was ordered; a replacement took from stock exactly what it holds.
create function private.check_claims(lowest uuid, highest uuid) returns table (invariant integer, subject text, detail text)
language plpgsql stable set search_path = '' as $$
begin
  return query
  select 17, c.order_id::text, format('item %s: %s ordered, %s claimed, %s given', i.order_item_id, n.quantity, sum(i.quantity),
                                      private.given_quantity(i.order_item_id))
  from private.claims c
  join private.claim_items i on i.claim_id = c.id
  join public.order_items n on n.id = i.order_item_id
  where c.order_id between lowest and highest
  group by c.order_id, i.order_item_id, n.quantity, n.order_id
  having sum(i.quantity) > n.quantity or private.given_quantity(i.order_item_id) > sum(i.quantity) or n.order_id <> c.order_id;

  return query
  select 17, k.order_id::text, format('product %s: replacements hold %s, stock gave %s', k.product_id, sum(k.held), sum(k.gave))
  from (
    select r.order_id, g.product_id, sum(g.units) as held, 0::bigint as gave
    from private.replacements r
    join private.replacement_items x on x.claim_id = r.claim_id
    join public.order_items i on i.id = x.order_item_id
    cross join lateral private.goods_to_replace(i, x.quantity) g
    where r.order_id between lowest and highest
    group by r.order_id, g.product_id
    union all
    select m.order_id, m.product_id, 0, -sum(m.quantity)
    from private.replacements r join public.stock_movements m on m.order_id = r.order_id and m.reason = 'replacement'
    where r.order_id between lowest and highest and r.claim_id = (select min(f.claim_id::text)::uuid from private.replacements f where f.order_id = r.order_id)
    group by m.order_id, m.product_id
  ) k
  group by k.order_id, k.product_id
  having sum(k.held) <> sum(k.gave);
end $$;

create function private.check_orders(lowest uuid, highest uuid) returns table (invariant integer, subject text, detail text)
language plpgsql stable set search_path = '' as $$
begin
  return query select * from private.check_order_totals(lowest, highest);
  return query select * from private.check_order_payments(lowest, highest);
  return query select * from private.check_order_events(lowest, highest);
  return query select * from private.check_order_refunds(lowest, highest);
  return query select * from private.check_shipped_orders(lowest, highest);
  return query select * from private.check_order_items(lowest, highest);
  return query select * from private.check_invoices(lowest, highest);
  return query select * from private.check_credit_notes(lowest, highest);
  return query select * from private.check_canceled_invoices(lowest, highest);
  return query select * from private.check_customer_figures(lowest, highest);
  return query select * from private.check_claims(lowest, highest);
end $$;

-- What must be true of payments, stock and documents as a whole, whichever orders they belong to.
create function private.check_totals() returns table (invariant integer, subject text, detail text)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query -- 3: every captured payment has an order or a refund
  select 3, p.payment_id, 'captured, and neither an order nor a refund'
  from private.payments p
  where p.status = 'captured' and p.order_id is null and p.group_id is null
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

  return query -- 16: a paid group has an order for each recipient, and their totals add up to its payment; an unpaid one has none
  select 16, g.id::text, format('%s, %s recipients, %s paise; %s orders of %s paise, %s payments of %s paise', g.state, g.recipients,
                                g.total_paise, coalesce(o.orders, 0), coalesce(o.paise, 0), coalesce(p.payments, 0), coalesce(p.paise, 0))
  from private.group_orders g
  left join (
    select k.group_id, count(*) as orders, sum(k.total_amount * 100) as paise from public.orders k
    where k.group_id is not null group by k.group_id) o on o.group_id = g.id
  left join (
    select k.group_id, count(*) as payments, sum(k.amount_paise) as paise from private.payments k
    where k.group_id is not null and k.status in ('captured', 'refunded') group by k.group_id) p on p.group_id = g.id
  where case when g.state = 'paid' then (o.orders, o.paise, p.payments, p.paise)
                                        is distinct from (g.recipients::bigint, g.total_paise::numeric, 1, g.total_paise::numeric)
             else o.orders > 0 or p.payments > 0 end;

  return query -- 18: uses and cost of an offer are those of its checkouts and orders, and within its limits
  select 18, f.code, format('%s: held %s of %s paise, used %s of %s paise; counted %s of %s, %s of %s; limits %s and %s', f.name, c.held,
                            c.held_paise, c.used, c.used_paise, u.held, u.held_paise, u.used, u.used_paise, f.max_uses, f.budget_paise)
  from private.offers f
  left join private.offer_counts c on c.offer_id = f.id
  cross join lateral (
    select count(*) filter (where k.state = 'held')::integer as held, count(*) filter (where k.state = 'used')::integer as used,
           coalesce(sum(k.discount_paise + k.shipping_paise) filter (where k.state = 'held'), 0)::bigint as held_paise,
           coalesce(sum(k.discount_paise + k.shipping_paise) filter (where k.state = 'used'), 0)::bigint as used_paise
    from private.offer_uses k where k.offer_id = f.id) u
  where (c.held, c.used, c.held_paise, c.used_paise) is distinct from (u.held, u.used, u.held_paise, u.used_paise)
     or c.held + c.used > f.max_uses or c.held_paise + c.used_paise > f.budget_paise;

  return query -- 18: the offers of an order took off its discount
  select 18, o.id::text, format('discount %s, offers %s', o.discount, o.offers)
  from public.orders o
  where (o.discount > 0 or o.offers <> '[]')
    and o.discount * 100 <> (select coalesce(sum(e.discount_paise), 0) from jsonb_to_recordset(o.offers) as e (discount_paise bigint));

  return query -- 8: nothing that was placed is missing
  select 8, p.order_id::text, format('item %s is not what was placed', p.order_item_id)
  from private.placed_items p
  where not exists (select from public.order_items i where i.id = p.order_item_id);

  return query -- 9: numbers run from 1 without gaps or duplicates
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

  return query -- 12: the stored sums and counts are those of the documents
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

-- Compares the days of a part, which are consecutive, so that each table is read once. Without the GST in shipping and fees, which a
-- stored day has as of when it was stored: the shop may have registered since.
create function private.check_stored_days(part integer, parts integer) returns table (invariant integer, subject text, detail text)
language plpgsql stable set search_path = '' as $$
declare
  as_stored constant text[] := '{shipping_tax_paise,canceled_shipping_tax_paise,refunded_shipping_tax_paise,fee_tax_paise}';
  first_day date;
  last_day date;
begin
  select min(d.day), max(d.day) into first_day, last_day
  from (select s.day, ntile(parts) over (order by s.day) as part
        from (select k.day from private.profit_days k where k.until is null
              union
              select private.day_of(k.starts_at) from private.sales_steps k where k.step = 'day') s) d
  where d.part = check_stored_days.part;

  return query -- 15: stored sales and profit of past days are those of the orders
  select 15, k.day::text, format('profit of the day is stored as %s, and is %s', to_jsonb(k) - as_stored, to_jsonb(f) - as_stored)
  from private.profit_days k join private.day_figures(first_day, last_day) f on f.day = k.day
  where k.until is null and to_jsonb(k) - as_stored <> to_jsonb(f) - as_stored
  union all
  select 15, private.day_of(s.starts_at)::text, format('sales of the day are stored as %s, and are %s', to_jsonb(s), to_jsonb(f))
  from private.sales_steps s
  left join private.calculate_sales('day', private.start_of(first_day), private.start_of(last_day + 1)) f on f.starts_at = s.starts_at
  where s.step = 'day' and s.starts_at >= private.start_of(first_day) and s.starts_at < private.start_of(last_day + 1)
    and (s.orders, s.canceled, s.sales_paise, s.goods_paise, s.cost_paise, s.uncosted_paise, s.refunds_paise) is distinct from
        (coalesce(f.orders, 0), coalesce(f.canceled, 0), coalesce(f.sales_paise, 0), coalesce(f.goods_paise, 0),
         coalesce(f.cost_paise, 0), coalesce(f.uncosted_paise, 0), coalesce(f.refunds_paise, 0));
end $$;

-- One part of the check, counted from 1; the first also checks the totals. Short enough for the Data API.
-- Planned for each range of ids (docs/decisions/0048-no-planner-switches.md).
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
  return query select * from private.check_stored_days(part, parts);
  if part = 1 then
    return query select * from private.check_totals();
  end if;
end $$;

-- What must always be true of orders, money, stock and documents. Normally returns no row. Tests call it, and an administrator
-- who restored or moved a shop (docs/operations.md).
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

-- From here on PostgreSQL's default applies again (01_foundations/01_schemas.sql): a migration that creates a function
-- revokes it from public itself.
alter default privileges grant execute on functions to public;
