-- Money through the provider for the orders of 40_orders.sql: about 2 % of it stays there, and tax on that.
-- Phone orders are paid by other means and have no payment here.
insert into private.payments (payment_id, provider_order_id, order_id, user_id, amount_paise, fee_paise, method, status, captured_at, created_at)
select o.payment_id, 'order_demo' || substr(md5('provider' || o.number), 1, 10), o.id, o.user_id, o.total_amount * 100,
       round(o.total_amount * 100 * 0.02 * 1.18),
       case when m.draw < 0.72 then 'upi' when m.draw < 0.92 then 'card' else 'netbanking' end,
       case when o.payment_status = 'refunded' then 'refunded' else 'captured' end,
       o.created_at - interval '4 seconds', o.created_at - interval '95 seconds'
from public.orders o,
lateral (select ('x' || substr(md5('method' || o.number), 1, 7))::bit(28)::integer / 268435456.0 as draw) m
where o.payment_id is not null;

-- Nearly all refunds have been sent; the outbox stays empty.
insert into private.refunds (
  id, payment_id, order_id, amount_paise, reason, status, provider_refund_id, created_at, accepted_at, processed_at, reference)
select (substr(h.hash, 1, 12) || '4' || substr(h.hash, 14, 3) || 'a' || substr(h.hash, 18))::uuid, p.payment_id, o.id, p.amount_paise,
       case o.status when 'canceled' then 'order canceled' else 'order refunded' end, 'processed',
       'rfnd_demo' || substr(h.hash, 1, 10), o.updated_at, least(o.updated_at + interval '1 minute', now()),
       least(o.updated_at + interval '2 hours' + interval '1 hour' * (o.number % 70), now()),
       '7' || translate(substr(h.hash, 1, 22), 'abcdef', '135790')
from public.orders o join private.payments p on p.order_id = o.id,
lateral (select md5('refund' || o.number) as hash) h
where o.payment_status = 'refunded';

-- One refund that the provider rejected, to follow up...
with failed as (
  update private.refunds r
  set status = 'failed', processed_at = null, provider_refund_id = null, accepted_at = null, reference = '', finished_at = null,
      failure = 'The account of the customer is closed.'
  where r.order_id = (select o.id from public.orders o
                      where o.status = 'canceled' and o.payment_status = 'refunded'
                        and o.user_id <> '00000000-0000-4000-a000-000000000001'
                      order by o.number desc limit 1)
  returning r.order_id, r.payment_id
), kept as (
  update private.payments p set status = 'captured' from failed f where p.payment_id = f.payment_id
)
insert into private.order_notes (order_id, note, created_at)
select f.order_id, 'The bank refused the refund: account closed. Asked the customer for another account by mail.', o.updated_at + interval '1 day'
from failed f join public.orders o on o.id = f.order_id;
update public.orders o set payment_status = 'refund_failed'
where o.id in (select r.order_id from private.refunds r where r.status = 'failed');

-- ... two parts of orders that the provider has accepted and the bank has not confirmed: one due soon, the other later...
with waiting as (
  insert into private.refunds (id, payment_id, order_id, amount_paise, reason, note, asked_by, status, provider_refund_id, created_at, accepted_at)
  select ('00000000-0000-4000-c000-00000000001' || o.place)::uuid, o.payment_id, o.id, o.paise, 'order refunded', o.note, a.user_id,
         'pending', 'rfnd_demowaiting0' || o.place, now() - o.age, now() - o.age + interval '1 minute'
  from (
    select k.id, k.payment_id, k.place, round(k.total_amount * 20) as paise,
           case k.place when 1 then 'Two pieces were crushed' else 'Delivered a day late, as agreed on the phone' end as note,
           case k.place when 1 then interval '7 days' else interval '26 hours' end as age
    from (select o.*, row_number() over (order by o.number desc) as place from public.orders o
          where o.status = 'Delivered' and o.payment_status = 'paid' and o.group_id is null
            and o.user_id > '00000000-0000-4000-a000-000000000009' and o.updated_at < now() - interval '8 days') k
    where k.place <= 2
  ) o cross join (select user_id from private.administrators limit 1) a
  returning order_id
)
update public.orders o set payment_status = 'refund_pending' from waiting w where o.id = w.order_id;

-- ... two phone orders that were canceled after they were paid offline: one still to be paid back, the other paid back by UPI...
update public.orders o set payment_status = 'paid_offline', offline_method = 'upi'
where o.id in (select c.id from public.orders c
               where c.source = 'manual' and c.status = 'canceled' and c.user_id is null
                 and not exists (select from public.order_events e where e.order_id = c.id and private.was_packed(e.to_status))
               order by c.number desc limit 2);
insert into private.offline_refunds_due (order_id, since, due_on)
select o.id, k.since, private.refund_due_on(private.day_of(k.since))
from public.orders o
cross join lateral (select max(e.created_at) as since from public.order_events e where e.order_id = o.id and e.to_status = 'canceled') k
where o.status = 'canceled' and o.payment_status = 'paid_offline';
with paid_back as (
  select o.id, o.total_amount, d.since from public.orders o join private.offline_refunds_due d on d.order_id = o.id
  order by o.number limit 1
), refund as (
  insert into private.refunds (order_id, amount_paise, reason, note, asked_by, status, created_at, processed_at, method, reference, paid_on)
  select p.id, p.total_amount * 100, 'order canceled', 'Sent to the number that the customer called from', a.user_id, 'processed',
         least(p.since + interval '26 hours', now()), least(p.since + interval '26 hours', now()), 'upi', '432109876543',
         private.day_of(least(p.since + interval '26 hours', now()))
  from paid_back p cross join (select user_id from private.administrators limit 1) a
)
update public.orders o set payment_status = 'refunded' from paid_back p where o.id = p.id;

-- ... and one order of which a single line was given back.
with hurt as (
  select o.id, o.payment_id, o.updated_at, round(min(i.unit_price * i.size / 500 * i.quantity * 1.05) * 100) as paise
  from public.orders o join public.order_items i on i.order_id = o.id
  where o.status = 'Delivered' and o.payment_status = 'paid' and o.user_id > '00000000-0000-4000-a000-000000000003'
  group by o.id having count(*) > 1
  order by o.number desc limit 1
), refunded as (
  insert into private.refunds (id, payment_id, order_id, amount_paise, reason, status, provider_refund_id, created_at, processed_at)
  select '00000000-0000-4000-c000-000000000001', h.payment_id, h.id, h.paise, 'one sweet arrived broken', 'processed', 'rfnd_demopartial01',
         least(h.updated_at + interval '5 hours', now()), least(h.updated_at + interval '9 hours', now())
  from hurt h
)
insert into private.order_notes (order_id, note, created_at)
select h.id, 'Photo came by WhatsApp: one sweet broken to crumbs, the rest fine. Gave that line back with its tax.',
       least(h.updated_at + interval '5 hours', now())
from hurt h;
update public.orders o set payment_status = 'partially_refunded'
where o.id = (select r.order_id from private.refunds r where r.id = '00000000-0000-4000-c000-000000000001');

-- Notes among ourselves.
insert into private.order_notes (order_id, author_id, note, created_at)
select o.id, a.user_id,
       (array['Called to confirm the flat number.', 'Add the small card: a birthday.', 'Repeat order, same as last month.',
              'Wants the bill by WhatsApp too.', 'Leave with the watchman if nobody opens.'])[1 + o.number % 5],
       o.created_at + interval '40 minutes'
from public.orders o cross join (select user_id from private.administrators limit 1) a
where o.number % 61 = 0;

-- Everybody signed in at least to place the last order.
update auth.users u set last_sign_in_at = o.last, updated_at = o.last
from (select user_id, max(created_at) - interval '10 minutes' as last from public.orders where user_id is not null group by user_id) o
where u.id = o.user_id;
