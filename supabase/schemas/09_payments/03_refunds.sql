-- Refunds: made when an order is canceled or a payment cannot become an order, and followed until the money is back.
-- Written by a trigger on orders, by the console and by the provider's reports.
set check_function_bodies = off;

-- The consequences of a canceled or refunded order, in the same transaction: goods return to stock (or are written
-- off), money is refunded.
create function private.reverse_order_effects() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.status = 'canceled' then
    perform from public.stock_levels s
    where s.product_id in (select g.product_id from public.order_items i, private.goods_of_item(i) g where i.order_id = new.id)
    order by s.product_id for update;
    insert into public.stock_movements (product_id, quantity, reason, order_id, note)
    select g.product_id, g.units, 'return', new.id, 'order canceled' from private.goods_of_order(new.id) g order by g.product_id;
    if new.canceled_goods = 'wastage' then
      insert into public.stock_movements (product_id, quantity, reason, order_id, note)
      select g.product_id, -g.units, 'wastage', new.id, 'order canceled' from private.goods_of_order(new.id) g order by g.product_id;
    end if;
  end if;
  perform private.queue_refund(new.id, case new.status when 'canceled' then 'order canceled' else 'order refunded' end);
  perform private.expect_offline_refund(new.id);
  return null;
end $$;
create trigger orders_reverse_effects after update of status on public.orders
  for each row when (old.status is distinct from new.status and new.status in ('canceled', 'Refunded'))
  execute function private.reverse_order_effects();

-- The payment of an order and how much of it is the order's: all of it, or the order's total where a group was paid together.
create function private.payments_of_order(order_id uuid) returns table (payment_id text, paid_paise bigint)
language sql stable set search_path = '' as $$
  select p.payment_id, p.amount_paise from private.payments p
  where p.order_id = payments_of_order.order_id and p.status in ('captured', 'refunded')
  union all
  select p.payment_id, (o.total_amount * 100)::bigint
  from public.orders o join private.payments p on p.group_id = o.group_id
  where o.id = payments_of_order.order_id and p.status in ('captured', 'refunded');
$$;

-- What the items of an order took from stock, one row for each item and each sweet of a box.
create function private.goods_of_order(order_id uuid) returns table (product_id bigint, units integer)
language sql stable set search_path = '' as $$
  select g.product_id, case when i.product_id is null then g.units else private.stock_quantity(p."hasSize", i.size, i.quantity) end
  from public.order_items i
  cross join lateral private.goods_of_item(i) g
  join public."Products" p on p."Id" = g.product_id
  where i.order_id = goods_of_order.order_id;
$$;

-- Queues the refund of everything that was captured for the order and is not being refunded yet.
create function private.queue_refund(order_id uuid, reason text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.new_refund(owed.payment_id, queue_refund.order_id, owed.paise, queue_refund.reason, now(), now())
  from (
    select p.payment_id, p.paid_paise - coalesce(sum(r.amount_paise) filter (where r.status <> 'failed'), 0)::bigint as paise
    from private.payments_of_order(queue_refund.order_id) p
    left join private.refunds r on r.payment_id = p.payment_id and r.order_id = queue_refund.order_id
    group by p.payment_id, p.paid_paise
  ) owed
  where owed.paise > 0;
end $$;

-- A refund with all of its attempts. The amount asked for is that of an attempt and what earlier attempts had given back.
-- `open_attempt`: the latest that is queued or with the provider.
create function private.refund_attempts(
  first_try uuid, out asked_paise bigint, out returned_paise bigint, out under_way_paise bigint, out last_failed_at timestamptz,
  out attempts integer, out failed integer, out failed_attempt uuid, out open_attempt uuid)
language sql stable set search_path = '' as $$
  select max(t.amount_paise + t.returned_before)::bigint,
         coalesce(sum(t.amount_paise) filter (where t.status = 'processed'), 0)::bigint,
         coalesce(sum(t.amount_paise) filter (where t.status in ('queued', 'pending')), 0)::bigint,
         max(t.created_at) filter (where t.status = 'failed'),
         count(*)::integer, (count(*) filter (where t.status = 'failed'))::integer,
         (array_agg(t.id order by t.created_at desc, t.id desc) filter (where t.status = 'failed'))[1],
         (array_agg(t.id order by t.created_at desc, t.id desc) filter (where t.status in ('queued', 'pending')))[1]
  from (
    select r.id, r.amount_paise, r.status, r.created_at,
           coalesce(sum(r.amount_paise) filter (where r.status = 'processed') over (
             order by r.created_at, r.id rows between unbounded preceding and 1 preceding), 0) as returned_before
    from private.refunds r where r.id = refund_attempts.first_try or r.retry_of = refund_attempts.first_try
  ) t;
$$;

-- The same of all refunds of an order.
create function private.order_refund_attempts(order_id uuid) returns table (
  first_try uuid, asked_paise bigint, returned_paise bigint, under_way_paise bigint, last_failed_at timestamptz)
language sql stable set search_path = '' as $$
  select r.id, t.asked_paise, t.returned_paise, t.under_way_paise, t.last_failed_at
  from private.refunds r cross join lateral private.refund_attempts(r.id) t
  where r.order_id = order_refund_attempts.order_id and r.retry_of is null;
$$;

-- Where the money of an order is. `standing` is what its payment_status must be: a failed refund counts until its
-- whole amount is back.
create function private.order_balance(
  order_id uuid, out payment_id text, out paid_paise bigint, out refunded_paise bigint, out under_way_paise bigint,
  out refundable_paise bigint, out standing text)
language sql stable set search_path = '' as $$
  select m.payment_id, m.paid, r.refunded, r.under_way, greatest(m.paid - r.refunded - r.under_way, 0),
         case when m.paid = 0 then 'unpaid'
              when r.refunded >= m.paid then 'refunded'
              when exists (
                select from private.order_refund_attempts(order_balance.order_id) t
                where t.last_failed_at is not null and t.returned_paise < t.asked_paise) then 'refund_failed'
              when r.under_way > 0 then 'refund_pending'
              when r.refunded > 0 then 'partially_refunded'
              when m.payment_id is null then 'paid_offline'
              else 'paid' end
  from (
    select p.payment_id,
           coalesce(p.paid_paise, case when o.payment_status = 'unpaid' then 0 else (o.total_amount * 100)::bigint end) as paid
    from public.orders o
    left join lateral private.payments_of_order(o.id) p on true
    where o.id = order_balance.order_id
    limit 1
  ) m, (
    select coalesce(sum(f.amount_paise) filter (where f.status = 'processed'), 0)::bigint as refunded,
           coalesce(sum(f.amount_paise) filter (where f.status in ('queued', 'pending')), 0)::bigint as under_way
    from private.refunds f where f.order_id = order_balance.order_id
  ) r;
$$;

-- The one way to make a refund: the row, and the job that requests it from the provider, unless it is done already
-- (refunded by hand, or by the provider without us). The row's id is the idempotency key, so another attempt is another
-- row. A refund that an administrator starts is emailed unless it is sent within half an hour; a canceled order and a
-- rejected payment have emails of their own.
create function private.new_refund(
  payment_id text, order_id uuid, amount_paise bigint, reason text, at timestamptz, run_after timestamptz,
  note text default '', asked_by uuid default null, retry_of uuid default null, order_item_id bigint default null,
  is_done boolean default false, method text default null, reference text default '', paid_on date default null) returns uuid
language sql set search_path = '' as $$
  with refund as (
    insert into private.refunds (payment_id, order_id, amount_paise, reason, created_at, note, asked_by, retry_of, order_item_id,
                                 status, processed_at, method, reference, paid_on)
    values (new_refund.payment_id, new_refund.order_id, new_refund.amount_paise, new_refund.reason, at, new_refund.note,
            new_refund.asked_by, new_refund.retry_of, new_refund.order_item_id,
            case when is_done then 'processed' else 'queued' end, case when is_done then at end,
            new_refund.method, new_refund.reference, new_refund.paid_on)
    returning id
  ), job as (
    insert into private.outbox (kind, key, payload, run_after, created_at)
    select 'refund', 'refund:' || r.id, jsonb_build_object('refund_id', r.id), new_refund.run_after, at from refund r where not is_done
  ), mail as (
    insert into private.outbox (kind, key, payload, run_after, created_at)
    select 'mail', 'mail:refund-started:' || r.id, jsonb_build_object('template', 'refund-started', 'refund_id', r.id),
           at + interval '30 minutes', at
    from refund r join public.orders o on o.id = new_refund.order_id and o.user_id is not null
    where not is_done and new_refund.retry_of is null and new_refund.reason = 'order refunded'
  )
  select id from refund;
$$;

-- A captured payment that cannot become an order is refunded in full; the customer is emailed at once.
create function private.refund_payment_in_full(payment_id text, reason text, at timestamptz) returns void
language plpgsql set search_path = '' as $$
declare
  refund_id uuid := (select private.new_refund(p.payment_id, null, p.amount_paise, refund_payment_in_full.reason, at, at)
                     from private.payments p where p.payment_id = refund_payment_in_full.payment_id);
begin
  insert into private.outbox (kind, key, payload, run_after, created_at) values
    ('mail', 'mail:payment-refused:' || refund_id,
     jsonb_build_object('template', 'payment-refused', 'refund_id', refund_id), at, at);
end $$;

-- A payment of which all is back.
create function private.mark_payment_refunded(payment_id text) returns void
language sql set search_path = '' as $$
  update private.payments p set status = 'refunded'
  where p.payment_id = mark_payment_refunded.payment_id and p.status = 'captured'
    and (select coalesce(sum(r.amount_paise), 0) from private.refunds r
         where r.payment_id = p.payment_id and r.status = 'processed') >= p.amount_paise;
$$;

create function private.queue_refund_email(refund_id uuid, at timestamptz) returns void
language sql set search_path = '' as $$
  insert into private.outbox (kind, key, payload, run_after, created_at)
  values ('mail', 'mail:refund-processed:' || queue_refund_email.refund_id,
          jsonb_build_object('template', 'refund-processed', 'refund_id', queue_refund_email.refund_id), at, at);
$$;

-- Records what the provider reports about a refund: its state, why it failed, and the bank's reference. A started refund is
-- checked until it is complete; a failed one (low balance, a bank that is away) is retried a day later, five times in all;
-- then an administrator has to decide, and the customer is emailed. Until it worked the order has payment_status
-- refund_failed. The order is locked first, so that its status is calculated from all of its refunds.
create function public.record_refund(
  refund_id uuid, provider_refund_id text, status text, at timestamptz default now(), problem text default null,
  reference text default null) returns void
language plpgsql security definer set search_path = '' as $$
declare
  refund private.refunds;
  first_try uuid;
begin
  perform from public.orders o
  where o.id = (select r.order_id from private.refunds r where r.id = record_refund.refund_id) for no key update;
  select * into refund from private.refunds r where r.id = record_refund.refund_id for update;
  -- A finished refund stays finished, whatever an old answer says.
  if refund.id is null or refund.status in ('processed', 'failed') then
    return;
  end if;
  update private.refunds r
  set status = record_refund.status, provider_refund_id = coalesce(record_refund.provider_refund_id, r.provider_refund_id),
      accepted_at = case when record_refund.provider_refund_id is not null then coalesce(r.accepted_at, at) else r.accepted_at end,
      processed_at = case when record_refund.status = 'processed' then at end,
      failure = case when record_refund.status = 'failed' then left(coalesce(problem, ''), 300) else r.failure end,
      reference = coalesce(left(record_refund.reference, 100), r.reference),
      next_check_at = case when record_refund.status = 'pending' then at + interval '1 hour' end
  where r.id = refund.id;
  if record_refund.status = 'pending' then
    return;
  end if;

  -- Not "for update": an order being canceled holds a key share on its payment and waits for nobody.
  perform from private.payments p where p.payment_id = refund.payment_id for no key update;
  if record_refund.status = 'processed' then
    perform private.mark_payment_refunded(refund.payment_id);
    perform private.queue_refund_email(refund.id, at);
    perform private.queue_refund_messages(refund.id, coalesce(
      (select o.user_id from public.orders o where o.id = refund.order_id),
      (select p.user_id from private.payments p where p.payment_id = refund.payment_id)), at);
  else
    first_try := coalesce(refund.retry_of, refund.id);
    if (select t.failed from private.refund_attempts(first_try) t) < 5 then
      perform private.new_refund(refund.payment_id, refund.order_id, refund.amount_paise, refund.reason, at, at + interval '1 day',
                                 refund.note, retry_of => first_try, order_item_id => refund.order_item_id);
    else
      perform private.queue_delay_email(first_try, at);
    end if;
  end if;
  update public.orders o set payment_status = m.standing
  from private.order_balance(refund.order_id) m
  where o.id = refund.order_id and o.payment_status <> m.standing;
end $$;

revoke execute on function public.record_refund(uuid, text, text, timestamptz, text, text) from public, anon, authenticated;
grant execute on function public.record_refund(uuid, text, text, timestamptz, text, text) to service_role;
