-- Messages on WhatsApp and by SMS about an order, to customers who agreed to the channel: which event causes one, when it may be sent,
-- and what it says. Writes to the outbox what order events and refunds cause; called and read by the worker.
set check_function_bodies = off;

-- The message that an event causes; null: none. Those of its email, without the confirmation: it says nothing new.
create function private.message_of_event(event public.order_events) returns text
language sql stable set search_path = '' as $$
  select nullif(private.mail_of_event(event), 'order-confirmed');
$$;

-- From nine in the evening to nine in the morning in India no message is sent.
create function private.is_quiet(at timestamptz) returns boolean
language sql immutable set search_path = '' as $$
  select extract(hour from at at time zone 'Asia/Kolkata') not between 9 and 20;
$$;

-- When a message may be sent: now, or after the quiet hours. On the day of the delivery they are not kept for what the customer waits
-- for: the parcel comes, or is ready.
create function private.message_time(payload jsonb, at timestamptz) returns timestamptz
language sql stable set search_path = '' as $$
  select case
    when not private.is_quiet(at) then at
    when payload ->> 'template' in ('order-shipped', 'order-ready', 'order-delivered') and exists (
      select from public.orders o
      where o.id = (payload ->> 'order_id')::uuid and coalesce(o.deliver_on, o.delivery_by) = private.day_of(at)) then at
    else (private.day_of(at + interval '3 hours') + time '09:00') at time zone 'Asia/Kolkata' end;
$$;

-- The channels that a customer agreed to.
create function private.channels_of(user_id uuid) returns setof text
language sql stable set search_path = '' as $$
  select c.channel from (values ('whatsapp'), ('sms')) c (channel) where private.has_consent(channels_of.user_id, c.channel);
$$;

-- Queues the messages about status changes, as queue_order_emails() does the emails. What an older message of the same order would
-- have said in the morning is no longer news: it is not sent.
create function private.queue_order_messages(event_ids bigint[], at timestamptz) returns void
language plpgsql set search_path = '' as $$
begin
  delete from private.outbox o using public.order_events e
  where e.id = any (event_ids) and e.user_id is not null and private.message_of_event(e) is not null
    and o.kind = 'message' and o.payload ->> 'order_id' = e.order_id::text and o.attempts = 0 and o.done_at is null and o.run_after > at;
  insert into private.outbox (kind, key, payload, run_after, created_at)
  select 'message', c.channel || ':event:' || e.id, m.payload,
         private.message_time(m.payload, least(e.created_at, at) + private.mail_delay(e)), e.created_at
  from public.order_events e
  cross join lateral private.channels_of(e.user_id) as c (channel)
  cross join lateral (select jsonb_build_object('template', private.message_of_event(e), 'channel', c.channel, 'order_id', e.order_id) as payload) m
  where e.id = any (event_ids) and e.user_id is not null and private.message_of_event(e) is not null
    and e.undoes is null and not exists (select from public.order_events u where u.undoes = e.id)
    -- Only the last of several at once.
    and not exists (select from public.order_events n
                    where n.order_id = e.order_id and n.id > e.id and n.id = any (event_ids) and private.message_of_event(n) is not null);
end $$;

-- Queues the messages about a refund that is complete.
create function private.queue_refund_messages(refund_id uuid, user_id uuid, at timestamptz) returns void
language sql set search_path = '' as $$
  insert into private.outbox (kind, key, payload, run_after, created_at)
  select 'message', c.channel || ':refund-processed:' || queue_refund_messages.refund_id, m.payload, private.message_time(m.payload, at), at
  from private.channels_of(queue_refund_messages.user_id) as c (channel)
  cross join lateral (
    select jsonb_build_object('template', 'refund-processed', 'channel', c.channel, 'refund_id', queue_refund_messages.refund_id) as payload) m;
$$;

-- Everything a message needs, read when it is sent: {channel, phone, facts}; null when the customer left, or no longer agrees to the
-- channel. An error is returned as {problem}, as of emails.
create function private.message_content(payload jsonb, site_url text) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  channel constant text := payload ->> 'channel';
  ordered public.orders;
  refund private.refunds;
  payment private.payments;
  reader uuid;
  phone text;
begin
  if payload ? 'refund_id' then
    select * into refund from private.refunds r where r.id = (payload ->> 'refund_id')::uuid;
    select * into payment from private.payments p where p.payment_id = refund.payment_id;
  end if;
  select * into ordered from public.orders o where o.id = coalesce((payload ->> 'order_id')::uuid, refund.order_id, payment.order_id);
  reader := coalesce(ordered.user_id, payment.user_id);
  if reader is null or not private.has_consent(reader, channel) then
    return null;
  end if;
  -- Their own number: a parcel may go to another person.
  select p.phone into phone from public.user_profiles p where p.user_id = reader;
  return jsonb_build_object('channel', channel, 'phone', phone, 'facts', jsonb_build_object(
    'template', payload ->> 'template',
    'shopName', (select s.name from public.shop_settings s),
    'number', ordered.number, 'isPickup', ordered.fulfilment = 'pickup',
    'deliveryBy', ordered.delivery_by, 'isChosenDay', ordered.deliver_on is not null,
    'courier', ordered.courier, 'trackingNumber', ordered.tracking_number,
    'recipients', (select g.recipients from private.group_orders g where g.id = ordered.group_id),
    'amountPaise', coalesce(refund.amount_paise, (select g.total_paise from private.group_orders g
                                                   where g.id = ordered.group_id and payload ->> 'template' = 'group-placed'),
                            (ordered.total_amount * 100)::bigint),
    'url', site_url || '/profile?tab=orders' || coalesce('&order=' || ordered.id, '')));
exception when others then
  return jsonb_build_object('problem', sqlerrm);
end $$;
