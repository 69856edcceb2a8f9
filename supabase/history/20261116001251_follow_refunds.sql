-- Refunds that administrators ask for: in part, with a reason, of money that came through the provider or by hand.
-- Written by admin_refund_order() and record_refund(); what an order's payment_status says follows from them.

-- Phone orders are paid in the shop, by UPI or over the counter: how, so that the till can be counted.
alter table public.orders add column offline_method text check (offline_method in ('cash', 'upi', 'card', 'bank'));

-- What an administrator typed is among ourselves: customers read `reason`, never `note`. Money that was paid by hand is
-- given back by hand: such a refund has no payment, and is done when it is written down.
alter table private.refunds
  alter column payment_id drop not null,
  add column note text not null default '' check (char_length(note) <= 300),
  -- null: the shop itself, because the order was canceled or an earlier try failed.
  add column asked_by uuid,
  -- The first try of which this is another.
  add column retry_of uuid references private.refunds (id),
  -- When an administrator did not want to wait for the day of this try.
  add column hurried_at timestamptz,
  -- The line of the order that it was given for; null: for no one of them.
  add column order_item_id bigint references public.order_items (id),
  add constraint refunds_by_hand_are_done check (
    payment_id is not null or (order_id is not null and status = 'processed' and processed_at is not null));
create index refunds_retry_idx on private.refunds (retry_of) where retry_of is not null;
create index refunds_order_item_idx on private.refunds (order_item_id) where order_item_id is not null;
create trigger refunds_audit after insert on private.refunds
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');
create trigger refunds_hurry_audit after update on private.refunds
  for each row when (pg_trigger_depth() = 0 and new.hurried_at is distinct from old.hurried_at)
  execute function private.record_change('id');

-- As before, and with who asked and why from the start: the log has the row as it is written first.
drop function private.new_refund(text, uuid, bigint, text, timestamptz, timestamptz);
create function private.new_refund(
  payment_id text, order_id uuid, amount_paise bigint, reason text, at timestamptz, run_after timestamptz,
  note text default '', asked_by uuid default null, retry_of uuid default null,
  order_item_id bigint default null) returns uuid
language sql set search_path = '' as $$
  with refund as (
    insert into private.refunds (payment_id, order_id, amount_paise, reason, created_at, note, asked_by, retry_of, order_item_id)
    values (new_refund.payment_id, new_refund.order_id, new_refund.amount_paise, new_refund.reason, at, new_refund.note,
            new_refund.asked_by, new_refund.retry_of, new_refund.order_item_id)
    returning id
  ), job as (
    insert into private.outbox (kind, key, payload, run_after, created_at)
    select 'refund', 'refund:' || r.id, jsonb_build_object('refund_id', r.id), new_refund.run_after, at from refund r
  )
  select id from refund;
$$;
revoke execute on function private.new_refund(text, uuid, bigint, text, timestamptz, timestamptz, text, uuid, uuid, bigint) from public;

update private.refunds r set retry_of = f.id
from (select distinct on (payment_id, amount_paise, reason) id, payment_id, amount_paise, reason, created_at
      from private.refunds where status = 'failed' order by payment_id, amount_paise, reason, created_at) f
where f.payment_id = r.payment_id and f.amount_paise = r.amount_paise and f.reason = r.reason and r.created_at > f.created_at;

-- The refunds of an order, each with all of its tries, among them what was given in its place after it had failed. What
-- is asked for is the amount of a try and what earlier tries had given back.
create function private.order_refund_tries(order_id uuid) returns table (
  first_try uuid, asked_paise bigint, returned_paise bigint, under_way_paise bigint, last_failed_at timestamptz)
language sql stable set search_path = '' as $$
  select t.first_try, max(t.amount_paise + t.returned_before)::bigint,
         coalesce(sum(t.amount_paise) filter (where t.status = 'processed'), 0)::bigint,
         coalesce(sum(t.amount_paise) filter (where t.status in ('queued', 'pending')), 0)::bigint,
         max(t.created_at) filter (where t.status = 'failed')
  from (
    select r.amount_paise, r.status, r.created_at, coalesce(r.retry_of, r.id) as first_try,
           coalesce(sum(r.amount_paise) filter (where r.status = 'processed') over (
             partition by coalesce(r.retry_of, r.id) order by r.created_at, r.id
             rows between unbounded preceding and 1 preceding), 0) as returned_before
    from private.refunds r where r.order_id = order_refund_tries.order_id
  ) t
  group by t.first_try;
$$;
revoke execute on function private.order_refund_tries(uuid) from public;

-- Where the money of an order is. `standing` is what its payment_status must say: a refund that failed counts until all
-- that it asked for is back, so that somebody looks.
create function private.order_money(
  order_id uuid, out payment_id text, out paid_paise bigint, out refunded_paise bigint, out under_way_paise bigint,
  out refundable_paise bigint, out standing text)
language sql stable set search_path = '' as $$
  select m.payment_id, m.paid, r.refunded, r.under_way, greatest(m.paid - r.refunded - r.under_way, 0),
         case when m.paid = 0 then 'unpaid'
              when r.refunded >= m.paid then 'refunded'
              when exists (
                select from private.order_refund_tries(order_money.order_id) t
                where t.last_failed_at is not null and t.returned_paise < t.asked_paise) then 'refund_failed'
              when r.under_way > 0 then 'refund_pending'
              when r.refunded > 0 then 'partially_refunded'
              when m.payment_id is null then 'paid_offline'
              else 'paid' end
  from (
    select p.payment_id,
           coalesce(p.amount_paise, case when o.payment_status = 'unpaid' then 0 else (o.total_amount * 100)::bigint end) as paid
    from public.orders o
    left join private.payments p on p.order_id = o.id and p.status in ('captured', 'refunded')
    where o.id = order_money.order_id
    limit 1
  ) m, (
    select coalesce(sum(f.amount_paise) filter (where f.status = 'processed'), 0)::bigint as refunded,
           coalesce(sum(f.amount_paise) filter (where f.status in ('queued', 'pending')), 0)::bigint as under_way
    from private.refunds f where f.order_id = order_money.order_id
  ) r;
$$;
revoke execute on function private.order_money(uuid) from public;

-- As before, and: the order is locked first, as by everybody else who changes it, so that its payment_status is worked
-- out from all of its refunds; another try knows which it repeats.
create or replace function public.record_refund(refund_id uuid, provider_refund_id text, status text, at timestamptz default now()) returns void
language plpgsql security definer set search_path = '' as $$
declare
  refund private.refunds;
  payment private.payments;
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
      processed_at = case when record_refund.status = 'processed' then at end,
      next_check_at = case when record_refund.status = 'pending' then at + interval '1 hour' end
  where r.id = refund.id;
  if record_refund.status = 'pending' then
    return;
  end if;

  -- Not "for update": an order being canceled holds a key share on its payment and waits for nobody.
  select * into payment from private.payments p where p.payment_id = refund.payment_id for no key update;
  if (select coalesce(sum(r.amount_paise), 0) from private.refunds r
      where r.payment_id = payment.payment_id and r.status = 'processed') >= payment.amount_paise then
    update private.payments p set status = 'refunded' where p.payment_id = payment.payment_id;
  end if;
  if record_refund.status = 'processed' then
    insert into private.outbox (kind, key, payload, run_after, created_at)
    values ('mail', 'mail:refund-processed:' || refund.id,
            jsonb_build_object('template', 'refund-processed', 'refund_id', refund.id), at, at);
  else
    first_try := coalesce(refund.retry_of, refund.id);
    if (select count(*) from private.refunds r
        where first_try in (r.id, r.retry_of) and r.payment_id = payment.payment_id and r.status = 'failed') < 5 then
      perform private.new_refund(payment.payment_id, refund.order_id, refund.amount_paise, refund.reason, at, at + interval '1 day',
                                 refund.note, retry_of => first_try, order_item_id => refund.order_item_id);
    end if;
  end if;
  update public.orders o set payment_status = m.standing
  from private.order_money(payment.order_id) m
  where o.id = payment.order_id and o.payment_status <> m.standing;
end $$;

-- As before, and: what was paid by hand is not on its way back by itself when an order is canceled, and how it was paid
-- is for the shop to record. What the shop itself learns of the money is nobody's edit: whoever looks at the order may go on.
create or replace function private.guard_order() returns trigger
language plpgsql set search_path = '' as $$
declare
  browser boolean := current_user in ('anon', 'authenticated');
  admin boolean := private.is_admin();
  moved boolean := new.status <> old.status;
begin
  if (new.id, new.number, new.created_at, new.source, new.fulfilment, new.sub_total, new.tax, new.shipping_charge, new.total_amount)
     is distinct from
     (old.id, old.number, old.created_at, old.source, old.fulfilment, old.sub_total, old.tax, old.shipping_charge, old.total_amount)
     or (old.user_id is distinct from new.user_id and new.user_id is not null)
     or (old.payment_id is not null and new.payment_id is distinct from old.payment_id) then
    raise sqlstate 'PT403' using message = 'what was ordered and paid never changes';
  end if;

  if browser then
    if (new.user_id, new.payment_id, new.payment_status, new.offline_method)
       is distinct from (old.user_id, old.payment_id, old.payment_status, old.offline_method) then
      raise sqlstate 'PT403' using message = 'only the shop itself records payments';
    end if;
    if not admin and (to_jsonb(new) - 'status' - 'updated_at') <> (to_jsonb(old) - 'status' - 'updated_at') then
      raise sqlstate 'PT403' using message = 'customers can only cancel an order';
    end if;
    if not admin and new.status <> 'canceled' then
      raise sqlstate 'PT403' using message = 'customers can only cancel an order';
    end if;
    if admin and old.status not in ('Pending', 'Confirmed', 'Preparing')
       and (new.delivery_name, new.delivery_phone, new.delivery_building_no, new.delivery_street,
            new.delivery_city, new.delivery_state, new.delivery_zip)
           is distinct from
           (old.delivery_name, old.delivery_phone, old.delivery_building_no, old.delivery_street,
            old.delivery_city, old.delivery_state, old.delivery_zip) then
      raise sqlstate 'PT409' using message = 'the address cannot change once the order is packed';
    end if;
    if admin and moved and new.status = 'canceled'
       and not (old.user_id is not distinct from auth.uid()
                and private.is_legal_move(old.status, new.status, old.fulfilment, by_customer => true))
       and coalesce(btrim(new.cancel_reason), '') = '' then
      raise sqlstate 'PT400' using message = 'canceling needs a reason';
    end if;
  end if;

  if moved and not private.is_legal_move(old.status, new.status, old.fulfilment, by_customer => browser and not admin) then
    raise sqlstate 'PT409' using
      message = format('an order that is %s cannot become %s', old.status, new.status);
  end if;
  -- A repeated cancel is not an event, but it must not look like a success either.
  if browser and not admin and not moved then
    raise sqlstate 'PT409' using message = 'the order is already canceled';
  end if;

  if moved and new.status in ('canceled', 'Refunded') and old.payment_status in ('paid', 'partially_refunded')
     and old.payment_id is not null then
    new.payment_status := 'refund_pending';
  end if;
  if auth.uid() is not null or new.payment_status = old.payment_status
     or to_jsonb(new) - 'payment_status' <> to_jsonb(old) - 'payment_status' then
    new.updated_at := now();
  end if;
  return new;
end $$;
