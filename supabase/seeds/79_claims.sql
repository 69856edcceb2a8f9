-- Claims: one just received, one that is being looked into, and three decided: refunded, replaced, and refused.
create temporary table demo_claims as
select row_number() over (order by d.at desc) as place, o.id as order_id, o.user_id, d.at as delivered_at, i.id as item_id, i.quantity,
       i.product_name, null::uuid as claim_id
from public.orders o
cross join lateral (select private.delivered_at(o.id) as at) d
cross join lateral (
  select n.id, n.quantity, n.product_name from public.order_items n where n.order_id = o.id and n.product_id is not null order by n.id limit 1) i
where o.status = 'Delivered' and o.user_id is not null and o.payment_status = 'paid' and o.group_id is null and o.payment_id is not null
  and d.at < now() - interval '6 hours' and d.at > now() - interval '40 days'
order by d.at desc limit 5;

update demo_claims c
set claim_id = (public.open_claim(
  c.user_id, c.order_id,
  jsonb_build_array(jsonb_build_object('order_item_id', c.item_id, 'quantity', 1,
                                       'problem', (array['damaged', 'not-fresh', 'missing', 'damaged', 'wrong'])[c.place])),
  (array['The lid of the box was open and half of the sweets are crushed.',
         'They taste a little sour, as if they were several days old.',
         'One of the boxes was not in the parcel.',
         'The corner of the box is wet and the sweets inside are broken.',
         'I ordered another size, I think.'])[c.place],
  md5('demo claim ' || c.place)::uuid, at => c.delivered_at + interval '3 hours') ->> 'id')::uuid
where true;

-- The second is being looked into; the shop has asked for a photo.
update private.claims k set state = 'acknowledged', acknowledged_at = k.opened_at + interval '5 hours'
from demo_claims c where c.claim_id = k.id and c.place = 2;
select private.record_claim_event(k, e.kind, k.acknowledged_at)
from demo_claims c join private.claims k on k.id = c.claim_id, (values ('acknowledged'), ('answered')) e (kind) where c.place = 2;
insert into private.claim_messages (claim_id, order_id, from_shop, words, entry_id, at)
select k.id, k.order_id, true, 'We are very sorry. Could you add a photo of the sweets, and tell us how they were stored?',
       md5('demo answer')::uuid, k.acknowledged_at
from demo_claims c join private.claims k on k.id = c.claim_id where c.place = 2;

-- The third is refunded: one unit with its tax.
insert into private.refunds (id, payment_id, order_id, amount_paise, reason, status, provider_refund_id, created_at, processed_at, note, order_item_id)
select md5('demo claim refund')::uuid, o.payment_id, o.id, private.unit_share(t.paise, c.quantity, 0, 1), 'order refunded', 'processed',
       'rfnd_demoClaim3', k.opened_at + interval '20 hours', least(k.opened_at + interval '44 hours', now()),
       format('Claim %s', private.claim_ticket(k.number)), c.item_id
from demo_claims c join private.claims k on k.id = c.claim_id join public.orders o on o.id = c.order_id
join private.order_line_totals(o.id) t on t.order_item_id = c.item_id
where c.place = 3;
insert into private.claim_refunds (refund_id, claim_id, order_item_id, quantity)
select md5('demo claim refund')::uuid, c.claim_id, c.item_id, 1 from demo_claims c where c.place = 3;
select private.decide_claim(k, 'refund', 'We are sorry: one box stayed here. We are giving you your money back for it.', 'refunded',
                            r.amount_paise, r.created_at)
from demo_claims c join private.claims k on k.id = c.claim_id join private.refunds r on r.id = md5('demo claim refund')::uuid
where c.place = 3;
update public.orders o set payment_status = m.standing
from demo_claims c, private.order_balance(c.order_id) m where c.place = 3 and o.id = c.order_id;

-- The fourth is to be sent again, from today's stock; the fifth is refused.
select private.replace_for_claim(k, jsonb_build_array(jsonb_build_object('order_item_id', c.item_id, 'quantity', 1)), now())
from demo_claims c join private.claims k on k.id = c.claim_id where c.place = 4;
select private.decide_claim(k, 'replacement', 'We are very sorry about the broken box. We will make it fresh and send it again, at no charge.',
                            'replaced', null, now() - interval '2 hours')
from demo_claims c join private.claims k on k.id = c.claim_id where c.place = 4;
select private.decide_claim(k, 'refusal', 'We have checked your order: you chose this size, and this is what we sent. Please call us if that was not what you wanted.',
                            'refused', null, k.opened_at + interval '26 hours')
from demo_claims c join private.claims k on k.id = c.claim_id where c.place = 5;

-- They were mailed when it happened.
delete from private.outbox o where o.payload ? 'claim_id';
drop table demo_claims;
