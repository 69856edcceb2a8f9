-- What customers read of their own orders, payments and refunds, and the GST in shipping.
-- No tables: called by customers, with their own permissions.
set check_function_bodies = off;

-- The GST in the shipping of an order: the one rule for screens, emails, receipts and the profit and loss. Shipping
-- is part of the sale of the goods: it is distributed by value over their HSN codes and rates, and takes theirs.
-- invoice_lines() writes the same on the delivery lines of an invoice, before CGST and SGST are halved. The arrays
-- have the goods line by line, in the order of the invoice. One rate and HSN code for all lines, the usual case, is
-- calculated directly: the profit and loss does so for every order of a day.
create function private.shipping_tax_paise(shipping_paise bigint, hsn text[], gst_percent numeric[], goods_paise numeric[]) returns bigint
language plpgsql immutable set search_path = '' as $$
begin
  if hsn[1] = all (hsn) and gst_percent[1] = all (gst_percent) then
    return shipping_paise - round(shipping_paise * 100 / (100 + gst_percent[1]));
  end if;
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

-- The same for a placed order: as its invoice has it, or will have it.
create function private.order_shipping_tax(placed public.orders) returns bigint
language plpgsql stable security definer set search_path = '' as $$
declare
  shipping_paise constant bigint := placed.shipping_charge * 100;
begin
  if shipping_paise = 0
     or not coalesce((select v.tax_kind <> 'none' from private.invoices v where v.order_id = placed.id), private.is_registered()) then
    return 0;
  end if;
  return (
    select private.shipping_tax_paise(shipping_paise, array_agg(i.hsn order by i.id),
      array_agg(i.gst_percent order by i.id), array_agg(private.line_paise(i.unit_price, i.size, i.quantity) - i.discount * 100 order by i.id))
    from public.order_items i where i.order_id = placed.id);
end $$;

-- The GST in a payment fee: 18 % on payment services. The provider's monthly tax invoice is the document for the credit.
create function private.fee_tax_paise(fee_paise bigint) returns bigint
language sql immutable parallel safe as $$
  select round(fee_paise * 18 / 118.0)::bigint;
$$;

-- The state of the caller's payment: ordered, refunded, confirming (it may still be paid as far as we know), or
-- lapsed (its stock is no longer held; if it was paid all the same, it becomes an order or a refund). With the
-- items and the address of the order, which are immutable.
create function public.my_checkout(provider_order_id text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'state', case when c.order_id is not null then 'ordered'
                  when r.id is not null then 'refunded'
                  when c.state = 'open' then 'confirming' else 'lapsed' end,
    'total_paise', q.total_paise, 'offers', q.offers,
    'order_id', o.id, 'number', o.number, 'delivery_by', o.delivery_by, 'deliver_on', o.deliver_on, 'missed_day', o.missed_day,
    'fulfilment', q.fulfilment, 'is_gift', exists (select from private.order_gifts g where g.order_id = o.id),
    'address', case when o.id is not null and o.fulfilment = 'delivery' then jsonb_build_array(
      o.delivery_name, o.delivery_building_no, o.delivery_street, o.delivery_city, o.delivery_state, o.delivery_zip) end,
    'items', (
      select jsonb_agg(jsonb_build_object(
        'name', i.product_name, 'image', i.product_image, 'quantity', i.quantity,
        'size', case when i.has_size then i.size end, 'line_paise', private.line_paise(i.unit_price, i.size, i.quantity)::bigint, 'discount_paise', (i.discount * 100)::bigint) order by i.id)
      from public.order_items i where i.order_id = o.id),
    'refund', case when r.id is not null then jsonb_build_object('reason', r.reason, 'amount_paise', r.amount_paise, 'status', r.status) end)
  from private.checkouts c
  join private.quotes q on q.id = c.quote_id
  left join public.orders o on o.id = c.order_id
  left join lateral (
    select f.* from private.payments p join private.refunds f on f.payment_id = p.payment_id
    where p.provider_order_id = c.provider_order_id and p.order_id is null
    order by f.created_at desc limit 1
  ) r on true
  where c.provider_order_id = my_checkout.provider_order_id and c.user_id = (select auth.uid());
$$;

-- The caller's refunds, newest first: of an order, or of a payment that never became one; also what was paid back by hand. A
-- failed attempt is left out when another followed it or all is back. `next_try_at`: when a failed refund is tried again. 200 at a
-- time: the next page begins after the `attempted_at` and the id of the last.
create function public.my_refunds(before timestamptz default null, before_id uuid default null) returns table (
  id uuid, order_id uuid, amount_paise bigint, status text, reason text, created_at timestamptz, processed_at timestamptz,
  due_on date, accepted_at timestamptz, next_try_at timestamptz, method text, paid_on date, reference text, provider_refund_id text,
  attempted_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select r.id, r.order_id, r.amount_paise, r.status, r.reason, coalesce(f.created_at, r.created_at), r.processed_at,
         r.due_on, r.accepted_at,
         case when r.retry_of is not null and r.status = 'queued' then (
           select o.run_after from private.outbox o where o.key = 'refund:' || r.id and o.done_at is null) end,
         r.method, r.paid_on, nullif(r.reference, ''), r.provider_refund_id, r.created_at
  from (
    select p.* from private.refunds p join private.payments k on k.payment_id = p.payment_id where k.user_id = (select auth.uid())
    union all
    select p.* from private.refunds p join public.orders o on o.id = p.order_id
    where o.user_id = (select auth.uid()) and p.payment_id is null
  ) r
  left join private.refunds f on f.id = r.retry_of
  where (before is null or (r.created_at, r.id) < (before, before_id))
    and not (r.status = 'failed' and (
    coalesce(f.finished_at, r.finished_at) is not null
    or exists (select from private.refunds n where n.retry_of = coalesce(r.retry_of, r.id) and n.created_at > r.created_at)))
  order by r.created_at desc, r.id desc
  limit 200;
$$;

-- One row per line, for the customer's order history; with the caller's own permissions.
create view public.order_details_view with (security_invoker = true) as
  select o.id as order_id, o.total_amount, o.status, o.created_at, i.product_name, i.product_image,
         i.quantity, i.size, i.unit_price, o.user_id,
         o.number, i.product_id, o.payment_status, o.shipping_charge, o.sub_total, o.tax, o.fulfilment,
         i.has_size, o.delivery_by, o.courier, o.tracking_number, o.tracking_url, o.cancel_reason,
         private.order_shipping_tax(o) / 100.0 as shipping_tax, o.deliver_on, o.missed_day,
         o.group_id, o.group_place, i.box_id, i.contents, o.discount, o.offers, i.discount as item_discount
  from public.orders o
  join public.order_items i on i.order_id = o.id;
revoke all on public.order_details_view from anon, authenticated;
grant select on public.order_details_view to authenticated, service_role;

grant execute on function private.order_shipping_tax(orders) to authenticated, service_role;
revoke execute on function public.my_checkout(text), public.my_refunds(timestamptz, uuid) from public, anon, authenticated;
grant execute on function public.my_checkout(text), public.my_refunds(timestamptz, uuid) to authenticated, service_role;
