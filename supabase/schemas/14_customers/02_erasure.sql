-- Erasing a customer: what is deleted, what stays without a name, and what prevents it.
-- Written by the console and by the customer; the trigger on erasures does the work.
set check_function_bodies = off;

-- The account's id is kept: after a backup is restored, the same customers have to be erased again.
create table private.erasures (
  id bigint generated always as identity primary key,
  customer_id uuid not null,
  orders integer not null,
  -- An administrator, or the customer.
  erased_by uuid not null,
  erased_at timestamptz not null default now(),
  transaction_id xid8 not null unique default pg_current_xact_id()
);
alter table private.erasures enable row level security;

create trigger erasures_never_change before update or delete on private.erasures
  for each row execute function private.reject_change();
create trigger erasures_never_emptied before truncate on private.erasures
  for each statement execute function private.reject_change();
create trigger erasures_audit after insert on private.erasures
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');
create trigger erasures_blank_invoices after insert on private.erasures
  for each row execute function private.blank_invoices();

create function private.erase_customer() returns trigger
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
  -- What was typed about a refund by hand; the bank's own reference stays with the payment, as the law requires.
  update private.refunds r set reference = case when r.method is null then r.reference else '' end, failure = ''
  where (r.order_id = any (ordered) or r.payment_id in (select p.payment_id from private.payments p where p.user_id = person))
    and (r.failure <> '' or r.method is not null and r.reference <> '');
  update private.refunds r set reason = 'other'
  where r.order_id = any (ordered)
    and r.reason not in ('order canceled', 'order refunded', 'sold-out', 'offer-used-up', 'wrong-amount', 'second-payment', 'given-back');
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
  perform private.revoke_order_links(o.id) from unnest(ordered) as o (id);
  update private.offer_uses u set user_id = null where u.user_id = person;
  update private.order_gifts g set note = '', sender_name = '', recipient_email = null where g.order_id = any (ordered);
  -- Claims stay, as orders do; what was said, shown and sent for them goes.
  delete from private.claim_messages m where m.order_id = any (ordered);
  delete from private.claim_photos p using private.claims c where c.id = p.claim_id and c.order_id = any (ordered);
  update private.replacements r set tracking_number = null, tracking_url = null where r.order_id = any (ordered);
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
    or l.table_name in ('claims', 'replacements') and l.row_id in (select c.id::text from private.claims c where c.order_id = any (ordered))
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
create trigger erasures_erase_customer after insert on private.erasures
  for each row execute function private.erase_customer();

-- What a person ordered: with the account, and by phone without one, under the same number (see orders_caller_idx)
-- and the same name. The number alone is not enough: profiles are not verified.
create function private.orders_of_person(customer_id uuid) returns setof public.orders
language sql stable set search_path = '' as $$
  select o.* from public.orders o where o.user_id = orders_of_person.customer_id
  union all
  select o.* from public.orders o
  join private.customer_cards c on c.user_id = orders_of_person.customer_id and c.phone <> ''
  where o.user_id is null and o.source = 'manual'
    and right(regexp_replace(o.delivery_phone, '\D', '', 'g'), 10) = right(regexp_replace(c.phone, '\D', '', 'g'), 10)
    and lower(btrim(o.delivery_name)) = lower(btrim(c.name));
$$;

-- What an erasure covers. Name and number of a profile are not verified: who deletes their own account takes nothing along that was
-- ordered by phone under the same ones, and learns nothing about it. An administrator knows whom they talk to.
create function private.orders_to_erase(customer_id uuid, erased_by uuid) returns setof public.orders
language sql stable set search_path = '' as $$
  select o.* from private.orders_of_person(customer_id) o
  where o.user_id = orders_to_erase.customer_id or orders_to_erase.erased_by is distinct from orders_to_erase.customer_id;
$$;

-- Why a customer cannot be erased now, in plain words, to an administrator or to the customer; null: they can.
create function private.erasure_blocker(customer_id uuid, erased_by uuid default null) returns text
language sql stable set search_path = '' as $$
  select case when erasure_blocker.erased_by = erasure_blocker.customer_id then h.own_words else h.words end from (
    select 1 as place, 'This is an administrator of the shop. Administrators cannot be erased.' as words,
           'You are an administrator of the shop. Administrators cannot delete their account.' as own_words
    from private.administrators a where a.user_id = erasure_blocker.customer_id
    union all
    -- A block would end with the account: who signs in again would be new.
    select 1, null, 'Your account is blocked. Write to us to have it deleted.'
    from private.customer_records r
    where r.user_id = erasure_blocker.customer_id and r.blocked_at is not null and erasure_blocker.erased_by = r.user_id
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
       -- Not "exists", for which all open refunds are read once: a customer has few orders.
       or (select true from private.refunds r where r.order_id = o.id and r.status in ('queued', 'pending') limit 1)
    union all
    select 3, format('Order %s was cancelled and %s still has to be paid back offline. Record that refund first.', o.number, private.format_rupees(m.refundable_paise)),
           format('We still owe you %s for order %s. You can delete your account once the money is back with you.',
                  private.format_rupees(m.refundable_paise), o.number)
    from private.orders_to_erase(erasure_blocker.customer_id, erasure_blocker.erased_by) o, private.order_balance(o.id) m
    where o.status = 'canceled' and o.payment_status in ('paid_offline', 'partially_refunded') and m.refundable_paise > 0
    union all
    select 3, format('Claim %s is still open. Decide it first.', private.claim_ticket(c.number)),
           format('Your claim %s is still open. You can delete your account once it is settled.', private.claim_ticket(c.number))
    from private.orders_to_erase(erasure_blocker.customer_id, erasure_blocker.erased_by) o join private.claims c on c.order_id = o.id
    where (private.claim_due(c)).step is not null
    union all
    select 4, 'They have a refund in progress. Wait until it is complete.',
           'A refund to you is under way. You can delete your account once the money is back with you.'
    from private.payments p join private.refunds r on r.payment_id = p.payment_id
    where p.user_id = erasure_blocker.customer_id
      and (r.status in ('queued', 'pending') or r.order_id is null and r.retry_of is null and r.finished_at is null)
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

-- Erases a customer, or raises why not. Orders are locked first, those by phone among them, and the account last: a second payment
-- for an order locks them in that order too, and the other way round would deadlock.
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

-- A copy of an entry's before or after with only numbers, dates and facts of orders left readable.
create function private.redact(entry jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_object_agg(e.key, case
    when jsonb_typeof(e.value) in ('number', 'boolean', 'null') or e.value = '""' or e.key like '%\_at'
      or e.key in ('id', 'order_id', 'user_id', 'customer_id', 'product_id', 'payment_id', 'author_id', 'status', 'payment_status',
                   'source', 'fulfilment', 'canceled_goods', 'delivery_city', 'delivery_state', 'delivery_zip', 'delivery_by',
                   'deliver_on', 'pack_on', 'missed_day')
    then e.value else '"[erased]"' end)
  from jsonb_each(entry) e;
$$;
