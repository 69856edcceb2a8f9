-- Messages on WhatsApp and by SMS, what customers download about themselves, and deleting their own account.
set check_function_bodies = off;

alter table private.security_events drop constraint security_events_kind_check;

drop function private.erasure_blocker(customer_id uuid);

alter table private.security_events add constraint security_events_kind_check CHECK ((kind = ANY (ARRAY['signed-in'::text, 'sign-in-failed'::text, 'sign-in-refused'::text, 'sign-in-limited'::text, 'token-reused'::text, 'code-reused'::text, 'logged-out'::text, 'session-ended'::text, 'logged-out-everywhere'::text, 'console-refused'::text, 'administrator-added'::text, 'administrator-removed'::text, 'customer-blocked'::text, 'customer-unblocked'::text, 'secret-changed'::text, 'customers-downloaded'::text, 'orders-downloaded'::text, 'documents-downloaded'::text, 'own-data-downloaded'::text])));

create or replace function private.blank_invoices() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.invoices i set recipient = private.blank_recipient(i.recipient)
  where i.total_paise < 5000000 and i.order_id in (select o.id from private.orders_to_erase(new.customer_id, new.erased_by) o);
  return null;
end $$;

create function private.channels_of(user_id uuid) returns setof text
language sql stable set search_path = '' as $$
  select c.channel from (values ('whatsapp'), ('sms')) c (channel) where private.has_consent(channels_of.user_id, c.channel);
$$;

create or replace function private.derive_changes(change_ids bigint[], at timestamptz) returns void
language plpgsql set search_path = '' as $$
declare
  gone record;
begin
  with deleted as (
    delete from private.order_changes c where c.id = any (change_ids) returning c.order_id, c.event_id, c.queued_at
  )
  select array_agg(d.order_id) as order_ids, array_agg(e.id) filter (where e.created_at > d.queued_at - interval '1 day') as event_ids
  into gone
  from deleted d left join public.order_events e on e.id = d.event_id;
  -- An order that is moved, canceled or undone at this moment waits, or is seen as it is then.
  perform from public.orders o where o.id = any (gone.order_ids) order by o.id for share;
  perform private.queue_order_emails(gone.event_ids, at);
  perform private.queue_order_messages(gone.event_ids, at);
  perform private.count_customers(array(
    select distinct o.user_id from public.orders o where o.id = any (gone.order_ids) and o.user_id is not null));
end $$;

create or replace function private.erase_customer() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person constant uuid := new.customer_id;
  ordered constant uuid[] := array(select o.id from private.orders_to_erase(person, new.erased_by) o);
  mail constant text := coalesce((select lower(u.email) from auth.users u where u.id = person), '');
begin
  update public.order_events e set public_note = '' where e.order_id = any (ordered) and e.public_note <> '';
  delete from private.order_event_actors a where a.actor_id = person;
  delete from private.order_notes n where n.order_id = any (ordered);
  update private.refunds r set note = '' where r.order_id = any (ordered) and r.note <> '';
  update private.refunds r set reason = 'other'
  where r.order_id = any (ordered)
    and r.reason not in ('order canceled', 'order refunded', 'sold-out', 'wrong-amount', 'second-payment', 'given-back');
  delete from private.outbox o
  where o.kind in ('mail', 'message') and (
    o.payload ->> 'user_id' = person::text
    or o.payload ->> 'order_id' = any (ordered::text[])
    or o.payload ->> 'refund_id' in (
      select r.id::text from private.refunds r join private.payments p on p.payment_id = r.payment_id
      where p.user_id = person or r.order_id = any (ordered)));
  delete from private.rate_limits t where t.subject = person::text;

  delete from private.checkouts c
  where c.user_id = person and c.state <> 'paid'
    and not exists (select from private.payments p where p.provider_order_id = private.provider_order_of(c));
  update private.group_orders g set request = '' where g.user_id = person;
  update private.checkouts c
  set delivery_name = 'Erased customer', delivery_phone = '', delivery_building_no = '', delivery_street = '', address_id = null, gift = null
  where c.user_id = person;
  update private.order_gifts g set note = '', sender_name = '', recipient_email = null where g.order_id = any (ordered);
  delete from private.quotes q
  where q.user_id = person and not exists (select from private.checkouts c where c.quote_id = q.id);
  update public.orders o
  set user_id = null, delivery_name = 'Erased customer', delivery_phone = '', delivery_building_no = '', delivery_street = '',
      tracking_number = null, tracking_url = null, cancel_reason = null
  where o.id = any (ordered);

  update public.audit_log l
  set before = private.redact(l.before), after = private.redact(l.after)
  where l.table_name <> 'erasures' and (
    l.row_id = any (person::text || ordered::text[])
    or coalesce(l.after, l.before) ->> 'order_id' = any (ordered::text[])
    or person::text in (coalesce(l.after, l.before) ->> 'user_id', coalesce(l.after, l.before) ->> 'customer_id')
    -- Mails that were sent again.
    or l.after -> 'payload' ->> 'order_id' = any (ordered::text[]) or l.after -> 'payload' ->> 'user_id' = person::text);

  -- Profile, address book, reviews, subscriptions, records, card and figures go with the account; so do its identities and
  -- sessions.
  delete from public.comments c where c.user_id = person;
  if to_regclass('auth.refresh_tokens') is not null then
    execute 'delete from auth.refresh_tokens where user_id::text = $1' using person::text;
  end if;
  if to_regclass('auth.flow_state') is not null then
    execute 'delete from auth.flow_state where user_id = $1' using person;
  end if;
  if to_regclass('auth.audit_log_entries') is not null then
    execute 'delete from auth.audit_log_entries
             where position($1 in payload::text) > 0 or ($2 <> '''' and position($2 in lower(payload::text)) > 0)'
    using person::text, mail;
  end if;
  delete from auth.users u where u.id = person;
  return null;
end $$;

create function private.erase_person(customer_id uuid, erased_by uuid) returns private.erasures
language plpgsql set search_path = '' as $$
declare
  blocker text;
  erasure private.erasures;
begin
  -- No payment begins while we look (open_checkout() takes the same lock). An order that is entered for them before
  -- their account is locked is an open one, and blocks.
  perform pg_advisory_xact_lock(hashtextextended('checkout ' || customer_id, 0));
  perform from public.orders o
  where o.id in (select p.id from private.orders_to_erase(erase_person.customer_id, erase_person.erased_by) p) order by o.id for update;
  perform from auth.users u where u.id = erase_person.customer_id for update;
  blocker := private.erasure_blocker(customer_id, erased_by);
  if blocker is not null then
    raise sqlstate 'PT409' using message = blocker;
  end if;
  insert into private.erasures (customer_id, orders, erased_by)
  values (erase_person.customer_id, (select count(*) from private.orders_to_erase(erase_person.customer_id, erase_person.erased_by)),
          erase_person.erased_by)
  returning * into erasure;
  return erasure;
end $$;

create function private.erasure_blocker(customer_id uuid, erased_by uuid default null) returns text
language sql stable set search_path = '' as $$
  select case when erasure_blocker.erased_by = erasure_blocker.customer_id then h.own_words else h.words end from (
    select 1 as place, 'This is an administrator of the shop. Administrators cannot be erased.' as words,
           'You are an administrator of the shop. Administrators cannot delete their account.' as own_words
    from private.administrators a where a.user_id = erasure_blocker.customer_id
    union all
    select 2, case when count(*) = 1 then format('Order %s is still %s. Finish or cancel it first.', min(o.number), lower(min(o.status)))
                   else format('Orders %s are still open. Finish or cancel them first.', string_agg(o.number::text, ', ' order by o.number)) end,
           case when count(*) = 1 then format('Order %s is still on its way. You can delete your account once it is delivered or cancelled.', min(o.number))
                else format('Orders %s are still on their way. You can delete your account once they are delivered or cancelled.',
                            string_agg(o.number::text, ', ' order by o.number)) end
    from private.orders_to_erase(erasure_blocker.customer_id, erasure_blocker.erased_by) o
    where not private.is_finished(o.status)
    having count(*) > 0
    union all
    select 3, format('The refund of order %s %s. Wait until the money is back with them.', o.number,
                     case o.payment_status when 'refund_failed' then 'failed' else 'is under way' end),
           format('The refund of order %s is under way. You can delete your account once the money is back with you.', o.number)
    from private.orders_to_erase(erasure_blocker.customer_id, erasure_blocker.erased_by) o
    where o.payment_status in ('refund_pending', 'refund_failed')
       or exists (select from private.refunds r where r.order_id = o.id and r.status in ('queued', 'pending'))
    union all
    select 3, format('Order %s was cancelled and %s still has to be paid back offline. Record that refund first.', o.number, private.format_rupees(m.refundable_paise)),
           format('We still owe you %s for order %s. You can delete your account once the money is back with you.',
                  private.format_rupees(m.refundable_paise), o.number)
    from private.orders_to_erase(erasure_blocker.customer_id, erasure_blocker.erased_by) o, private.order_balance(o.id) m
    where o.status = 'canceled' and o.payment_status in ('paid_offline', 'partially_refunded') and m.refundable_paise > 0
    union all
    select 4, 'They have a refund in progress. Wait until it is complete.',
           'A refund to you is under way. You can delete your account once the money is back with you.'
    from private.payments p join private.refunds r on r.payment_id = p.payment_id
    where p.user_id = erasure_blocker.customer_id and r.status in ('queued', 'pending')
    union all
    select 5, 'They have a payment in progress. Wait until it becomes an order or a refund.',
           'A payment of yours is under way. You can delete your account once it is an order or refunded.'
    from private.payments p where p.user_id = erasure_blocker.customer_id and p.status in ('created', 'authorized')
    union all
    -- Banks report payments late, and we ask for five days: until then it may still become an order to deliver.
    select 6, format('They began to pay on %s. That payment may still arrive until %s; erase them after that.', d.began, d.until),
           format('You began to pay on %s. That payment may still arrive until %s; you can delete your account after that.', d.began, d.until)
    from private.checkouts c
    cross join lateral (select to_char(c.created_at at time zone 'Asia/Kolkata', 'FMDD Mon YYYY') as began,
                               to_char((c.created_at + interval '5 days') at time zone 'Asia/Kolkata', 'FMDD Mon YYYY') as until) d
    where c.user_id = erasure_blocker.customer_id
      and (c.state = 'open' or c.held <> '{}' or (c.state <> 'paid' and c.provider_order_id is not null and c.next_check_at is not null)
           or (c.group_place = 1 and c.state <> 'paid' and exists (
             select from private.group_orders g
             where g.id = c.group_id and g.provider_order_id is not null and g.next_check_at is not null)))
  ) h order by h.place, h.words limit 1;
$$;

create function private.is_quiet(at timestamptz) returns boolean
language sql immutable set search_path = '' as $$
  select extract(hour from at at time zone 'Asia/Kolkata') not between 9 and 20;
$$;

create or replace function private.job_priority(kind text, payload jsonb) returns integer
language sql immutable as $$
  select case when kind not in ('mail', 'message') then 0 when payload ->> 'template' in ('back-in-stock', 'gift-reminder') then 2 else 1 end;
$$;

create or replace function private.lease_jobs(at timestamptz, most integer) returns setof private.outbox
language plpgsql set search_path = '' as $$
declare
  due bigint[] := array(
    select o.id from private.outbox o where o.done_at is null and o.run_after <= at
    order by private.job_priority(o.kind, o.payload), o.run_after, o.id limit most for update skip locked);
begin
  if private.is_quiet(at) then
    update private.outbox o set run_after = private.message_time(o.payload, at)
    where o.id = any (due) and o.kind = 'message' and private.message_time(o.payload, at) > at;
  end if;
  with unlisted as materialized (
    select p."Id" from public."Products" p
    where p."Id" in (select (o.payload ->> 'product_id')::bigint from private.outbox o
                     where o.id = any (due) and o.payload ->> 'template' = 'back-in-stock')
      and not (p.is_listed and p.archived_at is null) for share skip locked
  ), returned as (
    delete from private.outbox o using unlisted u where o.id = any (due) and (o.payload ->> 'product_id')::bigint = u."Id"
    returning u."Id", (o.payload ->> 'user_id')::uuid as user_id
  )
  insert into public.notify_subscriptions (product_id, user_id)
  select r."Id", r.user_id from returned r join auth.users u on u.id = r.user_id
  on conflict do nothing;
  return query
    update private.outbox o set run_after = at + private.lease_time(), attempts = o.attempts + 1 where o.id = any (due) and o.run_after <= at
    returning o.*;
end $$;

create or replace function private.mails_of_event(event public.order_events) returns setof private.outbox
language sql stable set search_path = '' as $$
  select o.* from private.outbox o
  where o.kind = 'mail' and o.payload ->> 'order_id' = event.order_id::text
    and coalesce(o.payload ->> 'again', o.key) in ('mail:event:' || event.id, 'mail:gift:' || event.id)
  union all
  select o.* from private.outbox o
  where o.kind = 'message' and o.payload ->> 'order_id' = event.order_id::text
    and o.key in ('whatsapp:event:' || event.id, 'sms:event:' || event.id);
$$;

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

create function private.message_of_event(event public.order_events) returns text
language sql stable set search_path = '' as $$
  select nullif(private.mail_of_event(event), 'order-confirmed');
$$;

create function private.message_time(payload jsonb, at timestamptz) returns timestamptz
language sql stable set search_path = '' as $$
  select case
    when not private.is_quiet(at) then at
    when payload ->> 'template' in ('order-shipped', 'order-ready', 'order-delivered') and exists (
      select from public.orders o
      where o.id = (payload ->> 'order_id')::uuid and coalesce(o.deliver_on, o.delivery_by) = private.day_of(at)) then at
    else (private.day_of(at + interval '3 hours') + time '09:00') at time zone 'Asia/Kolkata' end;
$$;

create function private.orders_to_erase(customer_id uuid, erased_by uuid) returns setof public.orders
language sql stable set search_path = '' as $$
  select o.* from private.orders_of_person(customer_id) o
  where o.user_id = orders_to_erase.customer_id or orders_to_erase.erased_by is distinct from orders_to_erase.customer_id;
$$;

create function private.own_account(customer_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'profile', (
      select jsonb_build_object(
        'email', u.email, 'name', b.name, 'phone', b.phone, 'building_no', b.building_no, 'street', b.street, 'city', b.city,
        'state', b.state, 'zip', b.zip, 'account_since', u.created_at, 'last_sign_in', u.last_sign_in_at,
        'sign_in_with', (select coalesce(jsonb_agg(distinct i.provider), '[]') from auth.identities i where i.user_id = u.id))
      from auth.users u join private.buyers b on b.id = u.id where u.id = own_account.customer_id),
    'addresses', (
      select coalesce(jsonb_agg(to_jsonb(a) - '{id,user_id}'::text[] order by a.created_at, a.id), '[]')
      from public.customer_addresses a where a.user_id = own_account.customer_id),
    'consents', (
      select coalesce(jsonb_agg(jsonb_build_object('purpose', c.purpose, 'agreed', c.is_agreed, 'where', c.source, 'at', c.chosen_at) order by c.id), '[]')
      from private.consents c where c.user_id = own_account.customer_id),
    'reviews', (
      select coalesce(jsonb_agg(jsonb_build_object(
               'product', p."Name", 'rating', c.rating, 'review', c.content, 'created_at', c.created_at, 'changed_at', c.updated_at,
               'is_hidden', c.hidden_at is not null) order by c.id), '[]')
      from public.comments c join public."Products" p on p."Id" = c.product_id where c.user_id = own_account.customer_id),
    'back-in-stock-requests', (
      select coalesce(jsonb_agg(jsonb_build_object('product', p."Name", 'at', n.created_at) order by n.created_at, p."Id"), '[]')
      from public.notify_subscriptions n join public."Products" p on p."Id" = n.product_id where n.user_id = own_account.customer_id),
    'festival-reminders', (
      select coalesce(jsonb_agg(jsonb_build_object('festival', r.festival, 'year', r.year, 'queued_at', r.queued_at) order by r.queued_at, r.id), '[]')
      from private.gift_reminders r where r.user_id = own_account.customer_id),
    'group-orders', (
      select coalesce(jsonb_agg(jsonb_build_object(
               'id', g.id, 'recipients', g.recipients, 'total_paise', g.total_paise, 'state', g.state, 'at', g.created_at) order by g.created_at, g.id), '[]')
      from private.group_orders g where g.user_id = own_account.customer_id),
    'checkouts-without-order', (
      select coalesce(jsonb_agg(jsonb_build_object(
               'state', c.state, 'at', c.created_at, 'delivery_name', c.delivery_name, 'delivery_phone', c.delivery_phone,
               'delivery_building_no', c.delivery_building_no, 'delivery_street', c.delivery_street, 'delivery_city', c.delivery_city,
               'delivery_state', c.delivery_state, 'delivery_zip', c.delivery_zip, 'gift', c.gift, 'lines', q.lines) order by c.created_at, c.id), '[]')
      from private.checkouts c join private.quotes q on q.id = c.quote_id
      where c.user_id = own_account.customer_id and c.order_id is null),
    'payments', (
      select coalesce(jsonb_agg(jsonb_build_object(
               'payment_id', p.payment_id, 'amount_paise', p.amount_paise, 'method', p.method, 'status', p.status, 'at', p.created_at,
               'captured_at', p.captured_at, 'order', o.number, 'refunds', (
                 select coalesce(jsonb_agg(jsonb_build_object('amount_paise', r.amount_paise, 'status', r.status, 'at', r.created_at,
                                                              'processed_at', r.processed_at) order by r.created_at, r.id), '[]')
                 from private.refunds r where r.payment_id = p.payment_id)) order by p.created_at, p.payment_id), '[]')
      from private.payments p left join public.orders o on o.id = p.order_id where p.user_id = own_account.customer_id),
    'sessions', (
      select coalesce(jsonb_agg(jsonb_build_object(
               'started_at', s.created_at, 'last_used_at', private.session_used_at(s.refreshed_at, s.created_at),
               'device', left(coalesce(s.user_agent, ''), 300)) order by s.created_at, s.id), '[]')
      from auth.sessions s where s.user_id = own_account.customer_id),
    'sign-ins', (
      select coalesce(jsonb_agg(jsonb_build_object(
               'what', e.kind, 'first_at', e.first_at, 'last_at', e.last_at, 'times', e.times, 'address', e.address, 'device', e.user_agent) order by e.id), '[]')
      from private.security_events e where e.user_id = own_account.customer_id),
    'messages', (
      select coalesce(jsonb_agg(m.message order by m.created_at, m.id), '[]')
      from (
        select o.id, o.created_at, jsonb_build_object(
                 'channel', coalesce(o.payload ->> 'channel', 'email'), 'about', o.payload ->> 'template', 'queued_at', o.created_at,
                 'sent_at', case when o.last_error is null then o.done_at end) as message
        from private.outbox o
        where o.payload ->> 'template' <> 'gift-on-its-way' and o.id in (
          select w.id from private.outbox w where w.kind = 'mail' and w.payload ->> 'user_id' = own_account.customer_id::text
          union
          select w.id from public.orders k join private.outbox w on w.kind = 'mail' and w.payload ->> 'order_id' = k.id::text
          where k.user_id = own_account.customer_id
          union
          select w.id from public.orders k join private.outbox w on w.kind = 'message' and w.payload ->> 'order_id' = k.id::text
          where k.user_id = own_account.customer_id
          union
          select w.id from private.payments p join private.refunds r on r.payment_id = p.payment_id
          join private.outbox w on w.kind = 'mail' and w.payload ->> 'refund_id' = r.id::text
          where p.user_id = own_account.customer_id
          union
          select w.id from private.payments p join private.refunds r on r.payment_id = p.payment_id
          join private.outbox w on w.key in ('whatsapp:refund-processed:' || r.id, 'sms:refund-processed:' || r.id)
          where p.user_id = own_account.customer_id)) m));
$$;

create function private.own_order(told public.orders) returns jsonb
language sql stable set search_path = '' as $$
  select to_jsonb(told) - '{id,user_id,group_id,group_place,canceled_goods,pack_on,status_since,updated_at}'::text[]
    || jsonb_build_object(
    'group_order', told.group_id,
    'items', (
      select coalesce(jsonb_agg(to_jsonb(i) - '{id,order_id,product_id,product_image,box_id}'::text[] order by i.id), '[]')
      from public.order_items i where i.order_id = told.id),
    'events', (
      select coalesce(jsonb_agg(jsonb_build_object('status', e.to_status, 'by', e.actor_role, 'note', e.public_note, 'at', e.created_at) order by e.id), '[]')
      from public.order_events e where e.order_id = told.id),
    'refunds', (
      select coalesce(jsonb_agg(jsonb_build_object('amount_paise', r.amount_paise, 'status', r.status, 'at', r.created_at,
                                                   'processed_at', r.processed_at) order by r.created_at, r.id), '[]')
      from private.refunds r where r.order_id = told.id),
    'gift', (
      select to_jsonb(g) - 'order_id' from private.order_gifts g where g.order_id = told.id),
    'documents', (
      select coalesce(jsonb_agg(d - '{id,order_id}'::text[]), '[]')
      from jsonb_array_elements(private.documents_of(array[told.id])) d));
$$;

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

create function private.queue_refund_messages(refund_id uuid, user_id uuid, at timestamptz) returns void
language sql set search_path = '' as $$
  insert into private.outbox (kind, key, payload, run_after, created_at)
  select 'message', c.channel || ':refund-processed:' || queue_refund_messages.refund_id, m.payload, private.message_time(m.payload, at), at
  from private.channels_of(queue_refund_messages.user_id) as c (channel)
  cross join lateral (
    select jsonb_build_object('template', 'refund-processed', 'channel', c.channel, 'refund_id', queue_refund_messages.refund_id) as payload) m;
$$;

create or replace function public.admin_erase_customer(customer_id uuid, confirmation text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  typed constant text := lower(btrim(coalesce(confirmation, '')));
  card private.customer_cards;
  erasure private.erasures;
begin
  perform private.require_admin();
  perform private.require_customer(customer_id);
  select * into card from private.customer_cards c where c.user_id = admin_erase_customer.customer_id;
  if typed = '' or typed not in (lower(coalesce(card.email, '')), lower(coalesce(card.name, ''))) then
    perform private.reject('This is not their name or email address.', 'confirmation');
  end if;
  erasure := private.erase_person(customer_id, auth.uid());
  return jsonb_build_object('erasure', erasure.id, 'orders', erasure.orders);
end $$;

create or replace function public.claim_jobs(site_url text, at timestamptz default now(), most integer default 20) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  expired integer := private.release_expired_holds(at);
  derived integer := private.derive_from_changes(at);
  checkouts jsonb;
  refunds jsonb;
  jobs jsonb;
begin
  -- A lease that a crash takes away is handed out again.
  perform set_config('synchronous_commit', 'off', true);
  with due as (
    select c.id from private.checkouts c where c.next_check_at <= at order by c.next_check_at limit most for update skip locked
  ), claimed as (
    -- finish_check() says when to look again. Where the provider has no order there is nothing to ask it, nor to finish.
    update private.checkouts c
    set next_check_at = case when c.provider_order_id is not null then at + private.lease_time()
                             when c.created_at > at - interval '5 days' then at + private.check_interval(c.created_at, at) end
    from due where c.id = due.id
    returning c.provider_order_id
  )
  select coalesce(jsonb_agg(to_jsonb(k.provider_order_id)), '[]') into checkouts
  from claimed k where k.provider_order_id is not null;

  with due as (
    select g.id from private.group_orders g where g.next_check_at <= at order by g.next_check_at limit most for update skip locked
  ), claimed as (
    update private.group_orders g
    set next_check_at = case when g.provider_order_id is not null then at + private.lease_time()
                             when g.created_at > at - interval '5 days' then at + private.check_interval(g.created_at, at) end
    from due where g.id = due.id
    returning g.provider_order_id
  )
  select checkouts || coalesce(jsonb_agg(to_jsonb(k.provider_order_id)), '[]') into checkouts
  from claimed k where k.provider_order_id is not null;

  with due as (
    select r.id from private.refunds r where r.next_check_at <= at order by r.next_check_at limit most for update skip locked
  ), claimed as (
    update private.refunds r set next_check_at = at + interval '1 hour' from due where r.id = due.id
    returning r.id, r.provider_refund_id
  )
  select coalesce(jsonb_agg(to_jsonb(k)), '[]') into refunds from claimed k;

  select coalesce(jsonb_agg(jsonb_build_object(
    'id', k.id, 'kind', k.kind, 'key', k.key,
    'mail', case when k.kind = 'mail' then private.mail_content(k.payload, site_url) end,
    'message', case when k.kind = 'message' then private.message_content(k.payload, site_url) end,
    'refund', (select jsonb_build_object('id', r.id, 'payment_id', r.payment_id, 'amount_paise', r.amount_paise, 'reason', r.reason,
                                         'open', r.status = 'queued')
               from private.refunds r where k.kind = 'refund' and r.id = (k.payload ->> 'refund_id')::uuid)) order by k.id), '[]')
  into jobs from private.lease_jobs(at, most) k;

  return jsonb_build_object('lapsed', expired, 'derived', derived, 'checkouts', checkouts, 'refunds', refunds, 'outbox', jobs);
end $$;

create function public.erase_me(confirmation text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := (select auth.uid());
begin
  if caller is null then
    raise sqlstate 'PT403' using message = 'log in to delete your account';
  elsif btrim(coalesce(confirmation, '')) <> 'DELETE' then
    raise sqlstate 'PT400' using message = 'Type DELETE to confirm.';
  end if;
  perform private.erase_person(caller, caller);
  return true;
end $$;

create function public.my_erasure() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'blocker', private.erasure_blocker(c.id, c.id),
    'orders', (select count(*) from public.orders o where o.user_id = c.id),
    'reviews', (select count(*) from public.comments r where r.user_id = c.id),
    'invoices', k.invoices, 'kept_until', make_date(k.year + 7, 12, 31))
  from (select (select auth.uid()) as id) c
  cross join lateral (
    select count(*) as invoices, max(i.year)::integer as year
    from public.orders o join private.invoices i on i.order_id = o.id where o.user_id = c.id) k;
$$;

create or replace function public.postpone_job(job_id bigint, problem text, at timestamptz default now()) returns void
language sql security definer set search_path = '' as $$
  update private.outbox o
  set last_error = left(problem, 500),
      done_at = case when o.kind in ('mail', 'message') and o.created_at < at - interval '3 days' then at end,
      run_after = at + private.retry_delay(o.attempts)
  where o.id = job_id and o.done_at is null;
$$;

create or replace function public.queue_metrics(at timestamptz default now()) returns jsonb
language sql stable security definer set search_path = '' as $$
  with open as (
    select o.kind as queue, o.run_after as due_at, o.attempts >= 3 as is_troubled from private.outbox o where o.done_at is null
    union all select 'order-change', c.queued_at, false from private.order_changes c
    union all select 'payment-check', c.next_check_at, false from private.checkouts c where c.next_check_at is not null
    union all select 'payment-check', g.next_check_at, false from private.group_orders g where g.next_check_at is not null
    union all select 'refund-check', r.next_check_at, false from private.refunds r where r.next_check_at is not null
  ), queues as (
    select q.name, count(o.queue) as depth, count(*) filter (where o.is_troubled) as troubled,
           greatest(0, coalesce(extract(epoch from at - min(o.due_at)), 0)) as overdue
    from unnest(array['mail', 'message', 'refund', 'order-change', 'payment-check', 'refund-check']) as q (name)
    left join open o on o.queue = q.name group by q.name
  ), failed as (
    select from (
      select r.payment_id, r.amount_paise, r.status, coalesce(r.retry_of, r.id) as first_try,
             coalesce(sum(r.amount_paise) filter (where r.status = 'processed') over (
               partition by coalesce(r.retry_of, r.id) order by r.created_at, r.id
               rows between unbounded preceding and 1 preceding), 0) as returned_before
      from private.refunds r
    ) t
    left join private.payments p on p.payment_id = t.payment_id
    group by t.first_try
    having bool_or(t.status = 'failed') and not coalesce(bool_or(p.status = 'refunded'), false)
       and coalesce(sum(t.amount_paise) filter (where t.status = 'processed'), 0) < max(t.amount_paise + t.returned_before)
  )
  select jsonb_build_object(
    'depth', jsonb_object_agg(q.name, q.depth), 'overdue', jsonb_object_agg(q.name, q.overdue),
    'troubled', jsonb_object_agg(q.name, q.troubled), 'failed_refunds', (select count(*) from failed))
  from queues q;
$$;

create function public.read_own_data(customer_id uuid, part text, after bigint[] default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  page_size constant integer := case part when 'orders' then 100 else 20 end;
  found jsonb;
begin
  if not private.consume_rate_limit('own data ' || case part when 'account' then part else 'pieces' end, customer_id::text,
                                    case part when 'account' then 5 else 1000 end, interval '1 day') then
    return null;
  end if;
  if part = 'account' then
    return jsonb_build_object('files', private.own_account(customer_id), 'next', '{"part": "orders", "after": [0]}'::jsonb);
  elsif part = 'orders' then
    select coalesce(jsonb_agg(private.own_order(k.o) order by (k.o).number), '[]') into found
    from (select o from public.orders o where o.user_id = read_own_data.customer_id and o.number > after[1]
          order by o.number limit page_size) k;
    return jsonb_build_object('orders', found, 'next', case
      when jsonb_array_length(found) = page_size then jsonb_build_object('part', part, 'after', jsonb_build_array(found -> -1 -> 'number'))
      else '{"part": "documents", "after": [0, 0, 0]}'::jsonb end);
  end if;
  select coalesce(jsonb_agg(d.document || jsonb_build_object('place', jsonb_build_array(d.series, d.year, d.serial))
                            order by d.series, d.year, d.serial), '[]') into found
  from (
    select 1 as series, i.year, i.serial, private.invoice_document(i) as document
    from public.orders o join private.invoices i on i.order_id = o.id
    where o.user_id = read_own_data.customer_id and (1, i.year::bigint, i.serial::bigint) > (after[1], after[2], after[3])
    union all
    select 2, n.year, n.serial, private.credit_note_document(n)
    from public.orders o join private.invoices i on i.order_id = o.id join private.credit_notes n on n.invoice_id = i.id
    where o.user_id = read_own_data.customer_id and (2, n.year::bigint, n.serial::bigint) > (after[1], after[2], after[3])
    order by 1, 2, 3 limit page_size
  ) d;
  return jsonb_build_object('documents', found, 'next', case
    when jsonb_array_length(found) = page_size then jsonb_build_object('part', part, 'after', found -> -1 -> 'place') end);
end $$;

create or replace function public.record_download(user_id uuid, what text, user_agent text default '') returns void
language sql security definer set search_path = '' as $$
  select private.record_security_event(record_download.what || '-downloaded', record_download.user_id, '', record_download.user_agent)
  where record_download.what in ('customers', 'orders', 'documents', 'own-data');
$$;

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
    perform private.queue_refund_messages(refund.id, coalesce((select o.user_id from public.orders o where o.id = refund.order_id), payment.user_id), at);
  else
    first_try := coalesce(refund.retry_of, refund.id);
    if (select count(*) from private.refunds r
        where first_try in (r.id, r.retry_of) and r.payment_id = payment.payment_id and r.status = 'failed') < 5 then
      perform private.new_refund(payment.payment_id, refund.order_id, refund.amount_paise, refund.reason, at, at + interval '1 day',
                                 refund.note, retry_of => first_try, order_item_id => refund.order_item_id);
    end if;
  end if;
  update public.orders o set payment_status = m.standing
  from private.order_balance(refund.order_id) m
  where o.id = refund.order_id and o.payment_status <> m.standing;
end $$;

create index outbox_user_idx on private.outbox ((payload ->> 'user_id')) where kind = 'mail' and payload ->> 'user_id' is not null;

create index outbox_message_idx on private.outbox ((payload ->> 'order_id')) where kind = 'message' and payload ->> 'order_id' is not null;

revoke execute on function private.channels_of(user_id uuid) from public, anon, authenticated;

revoke execute on function private.erase_person(customer_id uuid, erased_by uuid) from public, anon, authenticated;

revoke execute on function private.erasure_blocker(customer_id uuid, erased_by uuid) from public, anon, authenticated;

revoke execute on function private.is_quiet(at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.message_content(payload jsonb, site_url text) from public, anon, authenticated;

revoke execute on function private.message_of_event(event order_events) from public, anon, authenticated;

revoke execute on function private.message_time(payload jsonb, at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.orders_to_erase(customer_id uuid, erased_by uuid) from public, anon, authenticated;

revoke execute on function private.own_account(customer_id uuid) from public, anon, authenticated;

revoke execute on function private.own_order(told orders) from public, anon, authenticated;

revoke execute on function private.queue_order_messages(event_ids bigint[], at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.queue_refund_messages(refund_id uuid, user_id uuid, at timestamp with time zone) from public, anon, authenticated;

revoke execute on function public.erase_me(confirmation text) from public, anon, authenticated;

grant execute on function public.erase_me(confirmation text) to authenticated;

grant execute on function public.erase_me(confirmation text) to service_role;

revoke execute on function public.my_erasure() from public, anon, authenticated;

grant execute on function public.my_erasure() to authenticated;

grant execute on function public.my_erasure() to service_role;

revoke execute on function public.read_own_data(customer_id uuid, part text, after bigint[]) from public, anon, authenticated;

grant execute on function public.read_own_data(customer_id uuid, part text, after bigint[]) to service_role;
