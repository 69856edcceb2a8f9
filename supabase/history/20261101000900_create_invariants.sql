-- What must always be true of money and stock. Normally returns no row; tests and the console call it.
create function public.check_invariants() returns table (invariant integer, subject text, detail text)
language plpgsql stable security definer set search_path = '' as $$
begin
  if not (private.is_service() or private.is_admin()) then
    raise sqlstate 'PT403' using message = 'administrators only';
  end if;

  return query -- 1: lines = sub_total; sub_total + tax + shipping = total
  select 1, o.id::text, format('lines %s, sub_total %s, tax %s, shipping %s, total %s',
                               coalesce(l.lines, 0), o.sub_total, o.tax, o.shipping_charge, o.total_amount)
  from public.orders o
  left join (
    select i.order_id, sum(i.unit_price * i.size / 500 * i.quantity) as lines from public.order_items i group by i.order_id
  ) l on l.order_id = o.id
  where l.lines is distinct from o.sub_total or o.sub_total + o.tax + o.shipping_charge <> o.total_amount;

  return query -- 2: one order per payment; at most one unrefunded captured payment per order
  select 2, p.order_id::text, format('%s captured payments not refunded', count(*))
  from private.payments p
  where p.order_id is not null and p.status = 'captured'
    and not exists (select from private.refunds r where r.payment_id = p.payment_id and r.status <> 'failed'
                    group by r.payment_id having sum(r.amount_paise) >= p.amount_paise)
  group by p.order_id having count(*) > 1
  union all
  select 2, o.id::text, format('payment %s belongs to order %s', o.payment_id, coalesce(p.order_id::text, 'none'))
  from public.orders o join private.payments p on p.payment_id = o.payment_id
  where p.order_id is distinct from o.id;

  return query -- 3: every captured payment has an order or a refund
  select 3, p.payment_id, 'captured, and neither an order nor a refund'
  from private.payments p
  where p.status = 'captured' and p.order_id is null
    and not exists (select from private.refunds r where r.payment_id = p.payment_id and r.status <> 'failed');

  return query -- 4: 0 <= reserved <= on_hand = sum of movements
  select 4, s.product_id::text, format('on_hand %s, reserved %s, movements %s', s.on_hand, s.reserved, coalesce(m.total, 0))
  from public.stock_levels s
  left join (select v.product_id, sum(v.quantity) as total from public.stock_movements v group by v.product_id) m
    on m.product_id = s.product_id
  where s.reserved < 0 or s.reserved > s.on_hand or s.on_hand <> coalesce(m.total, 0);

  return query -- 5: every status change has exactly one event: an unbroken chain that ends at today's status
  with chained as (
    select e.order_id, e.id, e.from_status, e.to_status,
           lag(e.to_status) over by_order as previous,
           row_number() over (partition by e.order_id order by e.id desc) as from_end
    from public.order_events e
    window by_order as (partition by e.order_id order by e.id)
  )
  select 5, c.order_id::text, format('event %s goes from %s, but the order was %s', c.id, c.from_status, c.previous)
  from chained c where c.from_status is distinct from c.previous
  union all
  select 5, o.id::text, format('is %s, its last event says %s', o.status, coalesce(c.to_status, 'nothing'))
  from public.orders o left join chained c on c.order_id = o.id and c.from_end = 1
  where c.to_status is distinct from o.status;

  return query -- 6: refunds never exceed what was captured
  select 6, p.payment_id, format('captured %s paise, refunds %s paise', p.amount_paise, sum(r.amount_paise))
  from private.payments p join private.refunds r on r.payment_id = p.payment_id
  where r.status <> 'failed'
  group by p.payment_id, p.amount_paise
  having sum(r.amount_paise) > case when p.status in ('captured', 'refunded') then p.amount_paise else 0 end;

  return query -- 7: nothing shipped is canceled without passing Undelivered
  select 7, e.order_id::text, format('went from %s to canceled', e.from_status)
  from public.order_events e
  where e.to_status = 'canceled' and e.from_status in ('Shipped', 'Delivered', 'Collected', 'Refunded');

  return query -- 8: items never change after placing
  select 8, coalesce(i.order_id, p.order_id)::text, format('item %s is not what was placed', coalesce(i.id, p.order_item_id))
  from public.order_items i full join private.placed_items p on p.order_item_id = i.id
  where (i.order_id, i.product_id, i.quantity, i.size, i.unit_price)
        is distinct from (p.order_id, p.product_id, p.quantity, p.size, p.unit_price);
end $$;
revoke execute on function public.check_invariants() from public, anon;
grant execute on function public.check_invariants() to authenticated, service_role;
