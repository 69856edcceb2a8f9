-- Which status of an order causes an email, and what it says.
-- Writes to the outbox what order events cause; called and read by the worker.
set check_function_bodies = off;

-- The email that a status causes; null: none (Preparing, Packed, Undelivered, Refunded).
create function private.mail_of_status(status text) returns text
language sql immutable as $$
  select case status
    when 'Pending' then 'order-placed' when 'Confirmed' then 'order-confirmed' when 'Shipped' then 'order-shipped'
    when 'Ready' then 'order-ready' when 'Delivered' then 'order-delivered' when 'Collected' then 'order-delivered'
    when 'canceled' then 'order-canceled' end;
$$;

-- The email that an event causes. A group is one purchase: one email when it is placed, and one for each recipient that is
-- canceled.
create function private.mail_of_event(event public.order_events) returns text
language sql stable set search_path = '' as $$
  select case when o.group_id is null or event.to_status = 'canceled' then private.mail_of_status(event.to_status)
              when event.to_status = 'Pending' and o.group_place = 1 and event.undoes is null then 'group-placed' end
  from public.orders o where o.id = event.order_id;
$$;

create function private.event_mail(event public.order_events) returns jsonb
language sql stable as $$
  select jsonb_build_object('template', private.mail_of_event(event), 'order_id', event.order_id, 'actor', event.actor_role)
         || case when event.public_note <> '' then jsonb_build_object('note', event.public_note) else '{}' end;
$$;

-- The email to the recipient of a gift.
create function private.gift_mail(event public.order_events) returns jsonb
language sql stable as $$
  select jsonb_build_object('template', 'gift-on-its-way', 'order_id', event.order_id);
$$;

-- Everything an email needs, read when it is sent: {to, facts}; null when there is no recipient or product, or the recipient no longer
-- agrees to its purpose. An error is returned as {problem}: one email must not hold up the others.
create function private.mail_content(payload jsonb, site_url text, at timestamptz) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  template text := payload ->> 'template';
  ordered public.orders;
  refund private.refunds;
  payment private.payments;
  product public."Products";
  reader uuid := (payload ->> 'user_id')::uuid;
  facts jsonb := jsonb_build_object('template', template);
  purpose constant text := private.purpose_of_mail(template);
  recipient jsonb;
begin
  if payload ? 'refund_id' then
    select * into refund from private.refunds r where r.id = (payload ->> 'refund_id')::uuid;
    select * into payment from private.payments p where p.payment_id = refund.payment_id;
  end if;
  select * into ordered from public.orders o where o.id = coalesce((payload ->> 'order_id')::uuid, refund.order_id, payment.order_id);
  reader := coalesce(reader, ordered.user_id, payment.user_id);
  select jsonb_build_object('address', u.email, 'name', coalesce(nullif(btrim(m.data ->> 'full_name'), ''), nullif(btrim(m.data ->> 'name'), '')))
  into recipient
  from auth.users u cross join lateral (select private.metadata_of(u.raw_user_meta_data) as data) m
  where u.id = reader and u.email is not null;
  if recipient is null then
    return null;
  end if;
  if purpose is not null then
    if not private.has_consent(reader, purpose) then
      return null;
    end if;
    perform private.make_link_key();
    facts := facts || jsonb_build_object('stopUrl', site_url || '/unsubscribe?token=' || private.stop_token(reader, purpose));
  end if;

  if template = 'gift-on-its-way' then
    -- To the recipient: nothing of the buyer but the name they chose, and no amounts.
    select jsonb_build_object('address', g.recipient_email, 'name', ordered.delivery_name),
           facts || jsonb_build_object('name', ordered.delivery_name, 'sender', g.sender_name, 'city', ordered.delivery_city,
             'deliveryBy', ordered.delivery_by, 'courier', ordered.courier, 'trackingNumber', ordered.tracking_number,
             'trackingUrl', nullif(ordered.tracking_url, ''))
    into recipient, facts
    from private.order_gifts g where g.order_id = ordered.id and g.recipient_email is not null;
    if recipient is null then
      return null;
    end if;
  elsif template = 'gift-reminder' then
    facts := facts || jsonb_build_object('name', recipient -> 'name') || private.reminder_facts((payload ->> 'reminder_id')::uuid, site_url);
    if facts is null then
      return null;
    end if;
  elsif template = 'review-request' then
    facts := facts || jsonb_build_object('name', recipient -> 'name') || private.review_facts(ordered, site_url);
    if facts is null then
      return null;
    end if;
  elsif template = 'cart-reminder' then
    facts := facts || jsonb_build_object('name', recipient -> 'name') || private.cart_reminder_facts((payload ->> 'reminder_id')::uuid, site_url, at);
    if facts is null then
      return null;
    end if;
  elsif template in ('claim-received', 'claim-answered', 'claim-decided', 'claim-sent') then
    facts := facts || jsonb_build_object('name', coalesce(recipient ->> 'name', 'Customer')) 
             || private.claim_facts(payload, site_url || '/order/' || private.order_link(ordered.id, at));
    if facts is null then
      return null;
    end if;
  elsif template = 'group-placed' then
    facts := facts || jsonb_build_object('name', coalesce(recipient ->> 'name', 'Customer'), 'group', (
      select jsonb_build_object('orderId', ordered.id, 'recipients', g.recipients, 'totalPaise', g.total_paise, 'placedAt', ordered.created_at)
      from private.group_orders g where g.id = ordered.group_id));
  elsif template = 'back-in-stock' then
    select * into product from public."Products" p
    where p."Id" = (payload ->> 'product_id')::bigint;
    if product."Id" is null then
      return null;
    elsif not product.is_listed or product.archived_at is not null then
      return jsonb_build_object('problem', 'the product was just unlisted'); -- lease_jobs() makes it a request again
    end if;
    facts := facts || jsonb_build_object('name', recipient -> 'name', 'product', jsonb_build_object(
      'name', product."Name", 'url', site_url || '/product/' || product."Id",
      'imageUrl', case when product."Image" like '/%' then site_url || product."Image" else nullif(product."Image", '') end,
      'pricePaise', (product."Price" * 100)::bigint));
  else
    facts := facts || jsonb_build_object(
      'order', case when ordered.id is not null
                    then private.order_facts(ordered, payload ->> 'actor') || jsonb_build_object(
                      'note', payload -> 'note', 'buyer', (select b.name from private.buyers b where b.id = reader),
                      'followUrl', site_url || '/order/' || private.order_link(ordered.id, at)) end);
    if refund.id is not null then
      facts := facts || private.refund_facts(refund, template = 'refund-delayed') || jsonb_build_object(
        'name', coalesce(recipient ->> 'name', ordered.delivery_name, 'Customer'),
        'reason', case when refund.reason in ('sold-out', 'offer-used-up', 'wrong-amount', 'second-payment') then refund.reason
                       when refund.reason = 'order canceled' then 'order-canceled'
                       when refund.reason = 'order refunded' then 'order-refunded' else 'other' end);
    end if;
  end if;
  return jsonb_build_object('to', recipient, 'facts', facts || jsonb_build_object('shop', (
    select jsonb_build_object('name', s.name, 'siteUrl', site_url, 'email', s.email, 'whatsapp', s.whatsapp_number, 'address', s.address,
                              'fssai', nullif(s.fssai_number, ''))
    from public.shop_settings s)));
exception when others then
  return jsonb_build_object('problem', sqlerrm);
end $$;

-- The facts of a refund as emails have them. `is_whole`: of what its attempts have not given back yet, where there were several.
create function private.refund_facts(refund private.refunds, is_whole boolean) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'amountPaise', case when is_whole then t.asked_paise - t.returned_paise else refund.amount_paise end,
    'dueOn', refund.due_on, 'sentOn', coalesce(refund.paid_on, private.day_of(refund.processed_at)), 'method', refund.method,
    'reference', nullif(refund.reference, ''), 'providerRefundId', refund.provider_refund_id,
    'isGivenUp', t.open_attempt is null)
  from private.refund_attempts(coalesce(refund.retry_of, refund.id)) t;
$$;

-- The facts of an order as emails have them (domain/mail).
create function private.order_facts(told public.orders, actor text) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', told.id, 'number', told.number, 'placedAt', told.created_at, 'name', told.delivery_name, 'phone', told.delivery_phone,
    'items', (select jsonb_agg(jsonb_build_object(
                'name', i.product_name, 'quantity', i.quantity, 'sizeGrams', case when i.has_size then i.size end,
                'linePaise', private.line_paise(i.unit_price, i.size, i.quantity)::bigint) order by i.id)
              from public.order_items i where i.order_id = told.id),
    'subTotalPaise', (told.sub_total * 100)::bigint, 'discountPaise', (told.discount * 100)::bigint,
    'offers', private.offer_names(told.offers), 'taxPaise', (told.tax * 100)::bigint,
    'shippingPaise', (told.shipping_charge * 100)::bigint, 'shippingTaxPaise', private.order_shipping_tax(told),
    'totalPaise', (told.total_amount * 100)::bigint,
    'isPaid', told.payment_status <> 'unpaid', 'fulfilment', told.fulfilment,
    'address', case when told.fulfilment = 'delivery' then jsonb_build_object(
      'building', told.delivery_building_no, 'street', told.delivery_street, 'city', told.delivery_city,
      'state', told.delivery_state, 'zip', told.delivery_zip) end,
    'deliveryBy', told.delivery_by, 'deliverOn', told.deliver_on, 'missedDay', told.missed_day, 'courier', told.courier, 'trackingNumber', told.tracking_number,
    'trackingUrl', nullif(told.tracking_url, ''), 'cancelReason', told.cancel_reason,
    'refundDueOn', case when told.status = 'canceled' then coalesce(
      (select max(r.due_on) from private.refunds r where r.order_id = told.id and r.reason = 'order canceled'),
      (select d.due_on from private.offline_refunds_due d where d.order_id = told.id)) end,
    'isGift', exists (select from private.order_gifts g where g.order_id = told.id),
    'canceledBy', case when told.status = 'canceled' then case actor when 'customer' then 'customer' else 'shop' end end);
$$;

-- The emails that an order has caused, without those of moves that were undone.
create function private.order_mails(order_id uuid) returns table (key text, template text, payload jsonb, due_at timestamptz)
language sql stable set search_path = '' as $$
  select 'mail:event:' || e.id, private.mail_of_event(e), private.event_mail(e), e.created_at
  from public.order_events e
  where e.order_id = order_mails.order_id and private.mail_of_event(e) is not null
    and e.undoes is null and not exists (select from public.order_events u where u.undoes = e.id)
  union all
  select 'mail:gift:' || e.id, 'gift-on-its-way', private.gift_mail(e), e.created_at
  from public.order_events e join private.order_gifts g on g.order_id = e.order_id and g.recipient_email is not null
  where e.id = private.gift_mail_event(order_mails.order_id)
  union all
  select 'mail:refund-processed:' || r.id, 'refund-processed',
         jsonb_build_object('template', 'refund-processed', 'refund_id', r.id), r.processed_at
  from private.refunds r
  where r.order_id = order_mails.order_id and r.status = 'processed' and private.is_refund_emailed(r)
  union all
  -- That it was started or is late: only while it is queued or after it was sent.
  select o.key, o.payload ->> 'template', o.payload, o.created_at
  from private.refunds r
  join private.outbox o on o.kind = 'mail' and o.payload ->> 'refund_id' = r.id::text
  where r.order_id = order_mails.order_id and o.payload ->> 'template' in ('refund-started', 'refund-delayed')
    and not o.payload ? 'again'
  union all
  select m.* from private.claim_mails(order_mails.order_id) m;
$$;

-- Cash is in the customer's hand: that needs no email, nor does what was paid back offline before it was recorded how.
create function private.is_refund_emailed(refund private.refunds) returns boolean
language sql immutable set search_path = '' as $$
  select refund.payment_id is not null and refund.method is null or refund.method <> 'cash';
$$;

-- The same with every time it was sent or queued: {key, template, due_at, sendings: [{state, ...}]}, in order.
create function private.order_mail_log(order_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  with queued as (
    select o.* from private.outbox o where o.kind = 'mail' and o.payload ->> 'order_id' = order_mail_log.order_id::text
    union all
    select o.* from private.refunds r
    join private.outbox o on o.kind = 'mail' and o.payload ->> 'refund_id' = r.id::text
    where r.order_id = order_mail_log.order_id
  ), sendings as (
    select coalesce(q.payload ->> 'again', q.key) as key, jsonb_agg(jsonb_build_object(
      'state', case when q.done_at is not null and q.last_error is null then 'sent'
                    when q.done_at is not null then 'given-up'
                    when q.last_error is not null then 'retrying' else 'queued' end,
      'queued_at', q.created_at, 'done_at', q.done_at, 'problem', q.last_error) order by q.id) as log
    from queued q group by 1
  )
  select coalesce(jsonb_agg(jsonb_build_object('key', m.key, 'template', m.template, 'due_at', m.due_at,
                                               'sendings', coalesce(s.log, '[]')) order by m.due_at, m.key), '[]')
  from private.order_mails(order_mail_log.order_id) m left join sendings s on s.key = m.key;
$$;

-- Queues the emails about status changes. Undone moves cause none: the email about a move that can be undone waits until it no
-- longer can, and is not sent if the order is canceled before. An event of a clock that was ahead is due now. The caller has
-- locked the orders.
create function private.queue_order_emails(event_ids bigint[], at timestamptz) returns void
language plpgsql set search_path = '' as $$
begin
  insert into private.outbox (kind, key, payload, run_after, created_at)
  select 'mail', 'mail:event:' || e.id, private.event_mail(e), least(e.created_at, at) + private.mail_delay(e), e.created_at
  from public.order_events e
  where e.id = any (event_ids) and e.user_id is not null and private.mail_of_event(e) is not null
    and not (private.mail_delay(e) > interval '0' and exists (
      select from public.order_events c where c.order_id = e.order_id and c.to_status = 'canceled'))
    and e.undoes is null and not exists (select from public.order_events u where u.undoes = e.id);
  insert into private.outbox (kind, key, payload, run_after, created_at)
  select 'mail', 'mail:gift:' || e.id, private.gift_mail(e), least(e.created_at, at) + private.mail_delay(e), e.created_at
  from public.order_events e join private.order_gifts g on g.order_id = e.order_id and g.recipient_email is not null
  where e.id = any (event_ids) and e.to_status = 'Shipped' and e.id = private.gift_mail_event(e.order_id);
  perform private.queue_review_requests(event_ids, at);
  -- Only emails with a delay that nobody has begun to send: an email that is late for another reason is still due.
  delete from private.outbox o using public.order_events e
  where e.id = any (event_ids) and e.to_status = 'canceled' and o.kind = 'mail' and o.payload ->> 'order_id' = e.order_id::text
    and o.attempts = 0 and o.done_at is null and o.run_after > o.created_at;
end $$;

create function private.mail_delay(event public.order_events) returns interval
language sql stable set search_path = '' as $$
  select case when private.can_be_undone(event) then private.undo_time() else interval '0' end;
$$;

-- The emails and messages about an event, to the customer and to the recipient of a gift, and each time they were sent again.
create function private.mails_of_event(event public.order_events) returns setof private.outbox
language sql stable set search_path = '' as $$
  select o.* from private.outbox o
  where o.kind = 'mail' and o.payload ->> 'order_id' = event.order_id::text
    and coalesce(o.payload ->> 'again', o.key) in ('mail:event:' || event.id, 'mail:gift:' || event.id)
  union all
  select o.* from private.outbox o
  where o.kind = 'message' and o.payload ->> 'order_id' = event.order_id::text
    and o.key in ('whatsapp:event:' || event.id, 'sms:event:' || event.id);
$$;
