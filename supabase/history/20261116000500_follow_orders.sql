-- What customers see of their own payments: what became of a checkout, and money on its way back.

-- Where the caller's payment stands: ordered, refunded, confirming (as far as we know it may still be paid), or lapsed
-- (its stock is no longer held back; if it was paid all the same, it becomes an order or a refund).
create function public.my_checkout(provider_order_id text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'state', case when c.order_id is not null then 'ordered'
                  when r.id is not null then 'refunded'
                  when c.state = 'open' then 'confirming' else 'lapsed' end,
    'total_paise', q.total_paise,
    'order_id', o.id, 'number', o.number, 'delivery_by', o.delivery_by, 'fulfilment', q.fulfilment,
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

-- The caller's refunds, newest first: of an order, or of a payment that never became one. A failed try that was followed
-- by another is not news.
create function public.my_refunds() returns table (
  id uuid, order_id uuid, amount_paise bigint, status text, reason text, created_at timestamptz, processed_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select r.id, coalesce(r.order_id, p.order_id), r.amount_paise, r.status, r.reason, r.created_at, r.processed_at
  from private.payments p
  join private.refunds r on r.payment_id = p.payment_id
  where p.user_id = (select auth.uid())
    and not (r.status = 'failed' and exists (
      select from private.refunds n
      where n.payment_id = r.payment_id and n.amount_paise = r.amount_paise and n.reason = r.reason and n.created_at > r.created_at))
  order by r.created_at desc
  limit 200;
$$;

revoke execute on function public.my_checkout(text), public.my_refunds() from public, anon;
grant execute on function public.my_checkout(text), public.my_refunds() to authenticated, service_role;
