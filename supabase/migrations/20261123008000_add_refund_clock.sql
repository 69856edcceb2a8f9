-- Give refunds a due day, and record how and when they were sent.
set check_function_bodies = off;

drop function private.new_refund(payment_id text, order_id uuid, amount_paise bigint, reason text, at timestamp with time zone, run_after timestamp with time zone, note text, asked_by uuid, retry_of uuid, order_item_id bigint);

drop function public.admin_refund_order(order_id uuid, amount_paise bigint, reason text, seen timestamp with time zone, order_item_id bigint);

drop function public.my_refunds();

drop function public.record_refund(refund_id uuid, provider_refund_id text, status text, at timestamp with time zone);

create table private.offline_refunds_due (
  order_id uuid primary key references public.orders (id) on delete cascade,
  since timestamptz not null,
  due_on date not null,
  finished_at timestamptz
);

alter table private.offline_refunds_due enable row level security;

alter table private.refunds add column due_on date;

alter table private.refunds add column finished_at timestamp with time zone;

alter table private.refunds add column accepted_at timestamp with time zone;

alter table private.refunds add column failure text not null default ''::text;

alter table private.refunds add column reference text not null default ''::text;

alter table private.refunds add column method text;

alter table private.refunds add column paid_on date;

alter table private.refunds add constraint refunds_failure_check CHECK ((char_length(failure) <= 300));

alter table private.refunds add constraint refunds_method_check CHECK ((method = ANY (ARRAY['cash'::text, 'upi'::text, 'card'::text, 'bank'::text])));

alter table private.refunds add constraint refunds_reference_check CHECK ((char_length(reference) <= 100));

alter table private.refunds add constraint refunds_with_method_are_done CHECK (((method IS NULL) OR (status = 'processed'::text)));

create or replace function private.erase_customer() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person constant uuid := new.customer_id;
  ordered constant uuid[] := array(select o.id from private.orders_of_person(person) o);
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
    and r.reason not in ('order canceled', 'order refunded', 'sold-out', 'wrong-amount', 'second-payment', 'given-back');
  delete from private.outbox o
  where o.kind = 'mail' and (
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

create function private.expect_offline_refund(order_id uuid) returns void
language sql set search_path = '' as $$
  insert into private.offline_refunds_due (order_id, since, due_on)
  select o.id, o.status_since, private.refund_due_on(private.day_of(o.status_since))
  from public.orders o cross join lateral private.order_balance(o.id) m
  where o.id = expect_offline_refund.order_id and o.status = 'canceled' and m.payment_id is null and m.refundable_paise > 0
  on conflict do nothing;
$$;

create function private.finish_refunds() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  first_try constant uuid := coalesce(new.retry_of, new.id);
  is_all constant boolean := exists (
    select from private.order_balance(new.order_id) m where m.paid_paise > 0 and m.refunded_paise >= m.paid_paise);
  finished uuid[] := array[first_try];
begin
  if is_all then
    finished := finished || array(
      select f.id from private.refunds f where f.order_id = new.order_id and f.retry_of is null and f.finished_at is null);
    update private.offline_refunds_due d set finished_at = new.processed_at where d.order_id = new.order_id and d.finished_at is null;
  elsif (select t.returned_paise < t.asked_paise from private.refund_attempts(first_try) t) then
    return null;
  end if;
  update private.refunds f set finished_at = new.processed_at where f.id = any (finished) and f.finished_at is null;
  delete from private.outbox o
  where o.key in (select k.stem || f.id from unnest(finished) f (id), unnest(array['mail:refund-started:', 'mail:refund-delayed:']) k (stem))
    and o.attempts = 0 and o.done_at is null;
  return null;
end $$;

create function private.finished_refund_row(first private.refunds) returns jsonb
language sql stable set search_path = '' as $$
  select private.refund_head(first.order_id, first.payment_id) || to_jsonb(m) || jsonb_build_object(
    'id', first.id, 'finished_at', first.finished_at, 'due_on', first.due_on, 'amount_paise', t.returned_paise, 'attempts', t.attempts,
    'reason', first.reason, 'note', first.note, 'is_by_hand', first.payment_id is null or k.method is not null, 'method', k.method,
    'reference', coalesce(k.reference, ''), 'provider_refund_id', k.provider_refund_id)
  from (select private.last_attempt(first) as last) l
  cross join lateral (
    select coalesce((l.last).method, first.method) as method, (l.last).paid_on,
           case when (l.last).id is null then first.reference else (l.last).reference end as reference,
           case when (l.last).id is null then first.provider_refund_id else (l.last).provider_refund_id end as provider_refund_id) k
  cross join lateral private.refund_attempts(first.id) t
  cross join lateral private.refund_times(first, l.last) m;
$$;

create function private.is_refund_emailed(refund private.refunds) returns boolean
language sql immutable set search_path = '' as $$
  select refund.payment_id is not null and refund.method is null or refund.method <> 'cash';
$$;

create function private.last_attempt(first private.refunds) returns private.refunds
language sql stable set search_path = '' as $$
  select r from private.refunds r
  where first.status <> 'processed' and r.retry_of = first.id and r.status = 'processed'
  order by r.processed_at desc, r.id limit 1;
$$;

create function private.lock_failed_refund(order_id uuid, refund_id uuid) returns private.refunds
language plpgsql set search_path = '' as $$
declare
  failed private.refunds;
begin
  select * into failed from private.refunds r
  where r.id = lock_failed_refund.refund_id and r.order_id is not distinct from lock_failed_refund.order_id and r.status = 'failed';
  if failed.id is null then
    raise sqlstate 'PT404' using message = 'Failed refund not found.';
  end if;
  perform from private.payments p where failed.order_id is null and p.payment_id = failed.payment_id for no key update;
  return failed;
end $$;

create or replace function private.mail_content(payload jsonb, site_url text) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  template text := payload ->> 'template';
  ordered public.orders;
  refund private.refunds;
  payment private.payments;
  product public."Products";
  reader uuid := (payload ->> 'user_id')::uuid;
  facts jsonb := jsonb_build_object('template', template);
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
                    then private.order_facts(ordered, payload ->> 'actor') || jsonb_build_object('note', payload -> 'note', 'buyer', (
                      select b.name from private.buyers b where b.id = reader)) end);
    if refund.id is not null then
      facts := facts || private.refund_facts(refund, template = 'refund-delayed') || jsonb_build_object(
        'name', coalesce(recipient ->> 'name', ordered.delivery_name, 'Customer'),
        'reason', case when refund.reason in ('sold-out', 'wrong-amount', 'second-payment') then refund.reason
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

create function private.mark_payment_refunded(payment_id text) returns void
language sql set search_path = '' as $$
  update private.payments p set status = 'refunded'
  where p.payment_id = mark_payment_refunded.payment_id and p.status = 'captured'
    and (select coalesce(sum(r.amount_paise), 0) from private.refunds r
         where r.payment_id = p.payment_id and r.status = 'processed') >= p.amount_paise;
$$;

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

create function private.open_refund_row(id uuid, order_id uuid, attempt_id uuid, found jsonb, today date) returns jsonb
language sql stable set search_path = '' as $$
  select private.refund_head(open_refund_row.order_id, coalesce(found ->> 'payment_id', f.payment_id)) || jsonb_build_object(
    'id', open_refund_row.id, 'state', found ->> 'state', 'made_at', found -> 'since', 'due_on', found -> 'due_on',
    'days_left', private.working_days_left(today, (found ->> 'due_on')::date), 'amount_paise', found -> 'owed_paise',
    'attempts', found -> 'attempts', 'reason', coalesce(f.reason, 'order canceled'), 'note', coalesce(f.note, o.cancel_reason, ''),
    'accepted_at', a.accepted_at, 'provider_refund_id', a.provider_refund_id,
    'next_try_at', (select w.run_after from private.outbox w where w.key = 'refund:' || a.id and w.done_at is null),
    'failed_attempt', t.failed_attempt, 'failed_at', t.last_failed_at,
    'failure', coalesce((select e.failure from private.refunds e where e.id = t.failed_attempt), ''))
  from (values (1)) one (one)
  left join private.refunds f on f.id = open_refund_row.id
  left join private.refunds a on a.id = open_refund_row.attempt_id
  left join public.orders o on f.id is null and o.id = open_refund_row.order_id
  left join lateral private.refund_attempts(f.id) t on f.id is not null;
$$;

create function private.open_refunds() returns table (
  id uuid, order_id uuid, payment_id text, attempt_id uuid, state text, due_on date, since timestamptz, owed_paise bigint, attempts integer)
language sql stable as $$
  select k.id, k.order_id, k.payment_id, k.attempt_id, k.state, k.due_on, k.since,
         case when k.state = 'failed' then least(k.owed_paise, k.refundable_paise) else k.owed_paise end, k.attempts
  from (
    select f.id, f.order_id, f.payment_id, f.due_on, f.created_at as since, t.asked_paise - t.returned_paise as owed_paise, t.attempts,
           coalesce(t.open_attempt, t.failed_attempt, f.id) as attempt_id,
           case when a.id is null then 'failed' when a.status = 'pending' then 'accepted'
                when a.retry_of is not null then 'retrying' else 'queued' end as state,
           case when a.id is null then private.refundable_for(f) else t.asked_paise end as refundable_paise
    from private.refunds f
    cross join lateral private.refund_attempts(f.id) t
    left join private.refunds a on a.id = t.open_attempt
    where f.retry_of is null and f.finished_at is null
  ) k
  where k.state <> 'failed' or k.refundable_paise > 0
  union all
  select d.order_id, d.order_id, null, null, 'by-hand', d.due_on, d.since, m.refundable_paise, 0
  from private.offline_refunds_due d cross join lateral private.order_balance(d.order_id) m
  where d.finished_at is null;
$$;

create or replace function private.order_facts(told public.orders, actor text) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', told.id, 'number', told.number, 'placedAt', told.created_at, 'name', told.delivery_name, 'phone', told.delivery_phone,
    'items', (select jsonb_agg(jsonb_build_object(
                'name', i.product_name, 'quantity', i.quantity, 'sizeGrams', case when i.has_size then i.size end,
                'linePaise', private.line_paise(i.unit_price, i.size, i.quantity)::bigint) order by i.id)
              from public.order_items i where i.order_id = told.id),
    'subTotalPaise', (told.sub_total * 100)::bigint, 'taxPaise', (told.tax * 100)::bigint,
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

create or replace function private.order_mails(order_id uuid) returns table (key text, template text, payload jsonb, due_at timestamptz)
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
    and not o.payload ? 'again';
$$;

create or replace function private.order_refund_attempts(order_id uuid) returns table (
  first_try uuid, asked_paise bigint, returned_paise bigint, under_way_paise bigint, last_failed_at timestamptz)
language sql stable set search_path = '' as $$
  select r.id, t.asked_paise, t.returned_paise, t.under_way_paise, t.last_failed_at
  from private.refunds r cross join lateral private.refund_attempts(r.id) t
  where r.order_id = order_refund_attempts.order_id and r.retry_of is null;
$$;

create or replace function private.order_refunds(order_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', r.id, 'amount_paise', r.amount_paise, 'reason', r.reason, 'note', r.note, 'status', r.status,
    'is_by_hand', r.payment_id is null or r.method is not null, 'is_retry', r.retry_of is not null, 'provider_refund_id', r.provider_refund_id,
    'due_on', r.due_on, 'is_finished', coalesce(f.finished_at, r.finished_at) is not null, 'accepted_at', r.accepted_at,
    'failure', r.failure, 'method', r.method, 'reference', r.reference, 'paid_on', r.paid_on,
    'asked_by', private.person_name(r.asked_by), 'created_at', r.created_at, 'processed_at', r.processed_at,
    'next_try_at', w.run_after,
    'can_retry', r.status = 'failed' and r.created_at = t.last_failed_at
                 and (t.returned_paise + t.under_way_paise < t.asked_paise or l.waits)) order by r.created_at desc, r.id), '[]')
  from private.refunds r
  left join private.refunds f on f.id = r.retry_of
  left join private.outbox w on w.key = 'refund:' || r.id and w.done_at is null
  join private.order_refund_attempts(order_refunds.order_id) t on t.first_try = coalesce(r.retry_of, r.id)
  cross join lateral (
    select coalesce(bool_or(o.run_after > now()) filter (where n.status = 'queued'), false) as waits
    from private.refunds n
    left join private.outbox o on o.key = 'refund:' || n.id and o.done_at is null
    where n.order_id = r.order_id and coalesce(n.retry_of, n.id) = coalesce(r.retry_of, r.id)
  ) l
  where r.order_id = order_refunds.order_id;
$$;

create function private.page_of_refunds(entries jsonb, sort_key text, page_size integer, counted integer, most integer) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object(
    'rows', (select coalesce(jsonb_agg(e.entry order by e.place), '[]')
             from jsonb_array_elements(entries) with ordinality e (entry, place) where e.place <= page_size),
    'next', case when jsonb_array_length(entries) > page_size then jsonb_build_object(
      'key', entries -> (page_size - 1) -> sort_key, 'id', entries -> (page_size - 1) -> 'id')::text end,
    'count', least(counted, most), 'count_is_capped', counted > most);
$$;

create function private.queue_delay_email(first_try uuid, at timestamptz) returns void
language sql set search_path = '' as $$
  insert into private.outbox (kind, key, payload, run_after, created_at)
  values ('mail', 'mail:refund-delayed:' || first_try, jsonb_build_object('template', 'refund-delayed', 'refund_id', first_try), at, at)
  on conflict (key) do nothing;
$$;

create or replace function private.queue_refund(order_id uuid, reason text) returns void
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

create function private.queue_refund_email(refund_id uuid, at timestamptz) returns void
language sql set search_path = '' as $$
  insert into private.outbox (kind, key, payload, run_after, created_at)
  values ('mail', 'mail:refund-processed:' || queue_refund_email.refund_id,
          jsonb_build_object('template', 'refund-processed', 'refund_id', queue_refund_email.refund_id), at, at);
$$;

create function private.record_refund_by_hand(
  payment_id text, order_id uuid, amount_paise bigint, reason text, note text, retry_of uuid, order_item_id bigint,
  method text, reference text, paid_on date, at timestamptz) returns uuid
language plpgsql set search_path = '' as $$
declare
  today constant date := private.day_of(at);
  number constant text := private.validate_text(reference, 'reference', 'The reference', 100);
  refund_id uuid;
begin
  if method is not null and method not in ('cash', 'upi', 'card', 'bank') then
    perform private.reject('Choose how you paid it back.', 'method');
  elsif method in ('upi', 'bank') and number = '' then
    perform private.reject('Enter the UTR or transaction number. The customer needs it to find the money.', 'reference');
  elsif paid_on > today then
    perform private.reject('This day is in the future. Record the refund once it is paid.', 'paid_on');
  elsif paid_on < (select private.day_of(o.created_at) from public.orders o where o.id = record_refund_by_hand.order_id)
     or paid_on < (select private.day_of(p.created_at) from private.payments p where p.payment_id = record_refund_by_hand.payment_id) then
    perform private.reject('This day is before the order was paid.', 'paid_on');
  end if;
  refund_id := private.new_refund(payment_id, order_id, amount_paise, reason, at, at, note, auth.uid(), retry_of, order_item_id,
    is_done => true, method => record_refund_by_hand.method, reference => number,
    paid_on => case when record_refund_by_hand.method is not null then coalesce(record_refund_by_hand.paid_on, today) end);
  perform private.mark_payment_refunded(payment_id);
  perform private.queue_refund_email(r.id, at)
  from private.refunds r
  left join public.orders o on o.id = r.order_id
  left join private.payments p on p.payment_id = r.payment_id
  where r.id = refund_id and private.is_refund_emailed(r) and coalesce(o.user_id, p.user_id) is not null;
  return refund_id;
end $$;

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

create function private.refund_clock() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    new.due_on := coalesce(
      new.due_on,
      (select f.due_on from private.refunds f where f.id = new.retry_of),
      (select d.due_on from private.offline_refunds_due d where d.order_id = new.order_id and new.payment_id is null),
      private.refund_due_on(private.day_of(new.created_at)));
  end if;
  if new.status = 'processed' and new.retry_of is null then
    new.finished_at := coalesce(new.processed_at, now());
  end if;
  return new;
end $$;

create function private.refund_due_on(from_day date) returns date
language sql stable set search_path = '' as $$
  select coalesce(private.working_day_after(from_day, 7), from_day + 7);
$$;

create function private.refund_facts(refund private.refunds, is_whole boolean) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'amountPaise', case when is_whole then t.asked_paise - t.returned_paise else refund.amount_paise end,
    'dueOn', refund.due_on, 'sentOn', coalesce(refund.paid_on, private.day_of(refund.processed_at)), 'method', refund.method,
    'reference', nullif(refund.reference, ''), 'providerRefundId', refund.provider_refund_id,
    'isGivenUp', t.open_attempt is null)
  from private.refund_attempts(coalesce(refund.retry_of, refund.id)) t;
$$;

create function private.refund_head(order_id uuid, payment_id text) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'order', case when o.id is not null then jsonb_build_object('id', o.id, 'number', o.number, 'seen', o.updated_at) end,
    'customer', coalesce(private.person_name(coalesce(o.user_id, p.user_id)), o.delivery_name), 'customer_id', coalesce(o.user_id, p.user_id),
    'phone', o.delivery_phone)
  from (values (1)) one (one)
  left join public.orders o on o.id = refund_head.order_id
  left join private.payments p on p.payment_id = refund_head.payment_id;
$$;

create function private.refund_speed(today date) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'count', count(*), 'in_time', count(*) filter (where m.is_in_time),
    'median_days', percentile_cont(0.5) within group (order by m.days))
  from private.refunds f cross join lateral private.refund_times(f, private.last_attempt(f)) m
  where f.retry_of is null and f.finished_at >= private.start_of(today - 89) and f.finished_at < private.start_of(today + 1);
$$;

create function private.refund_times(
  first private.refunds, last private.refunds, out made_at timestamptz, out sent_on date, out days integer, out is_in_time boolean)
language sql stable set search_path = '' as $$
  select k.made_at, k.sent_on, greatest(k.sent_on - private.day_of(k.made_at), 0), k.sent_on <= first.due_on
  from (
    select coalesce(case when first.payment_id is null then (
                      select d.since from private.offline_refunds_due d where d.order_id = first.order_id) end, first.created_at) as made_at,
           coalesce(last.paid_on, first.paid_on, private.day_of(first.finished_at)) as sent_on
  ) k;
$$;

create function private.refundable_for(refund private.refunds) returns bigint
language sql stable set search_path = '' as $$
  select case when refund.order_id is not null then (select m.refundable_paise from private.order_balance(refund.order_id) m)
    else (select p.amount_paise - coalesce(sum(r.amount_paise) filter (where r.status <> 'failed'), 0)::bigint
          from private.payments p left join private.refunds r on r.payment_id = p.payment_id
          where p.payment_id = refund.payment_id group by p.amount_paise) end;
$$;

create or replace function private.refunds_due() returns table (order_id uuid, due_on date)
language sql stable as $$
  select o.id, least(f.due_on, d.due_on)
  from public.orders o
  left join lateral (
    select min(r.due_on) as due_on from private.refunds r
    where r.order_id = o.id and r.retry_of is null and r.finished_at is null
  ) f on true
  left join private.offline_refunds_due d on d.order_id = o.id and d.finished_at is null
  where private.is_refund_due(o.status, o.payment_status);
$$;

create or replace function private.reject_payment(payment private.payments, checkouts private.checkouts[], rejection text) returns void
language plpgsql set search_path = '' as $$
declare
  holders constant uuid[] := array(select c.id from unnest(checkouts) as c where c.state = 'open' or c.held <> '{}');
begin
  if rejection = 'second-payment' and cardinality(holders) > 0 then
    perform private.release_stock(holders);
  end if;
  insert into private.payments select payment.*;
  if rejection = 'given-back' then
    perform private.new_refund(payment.payment_id, null, payment.amount_paise, rejection, payment.created_at, payment.created_at,
                               is_done => true);
  else
    perform private.refund_payment_in_full(payment.payment_id, rejection, payment.created_at);
  end if;
end $$;

create or replace function private.reverse_order_effects() returns trigger
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

create function private.working_days_left(today date, due_on date) returns integer
language sql stable set search_path = '' as $$
  select case when due_on <= today then due_on - today else (
    select count(*)::integer
    from generate_series(today + 1, due_on, interval '1 day') d (day)
    where private.is_working_day(d.day::date, s.weekly_off,
      (select range_agg(daterange(c.starts_on, c.ends_on, '[]')) from public.closures c where c.ends_on >= today))) end
  from public.shop_settings s;
$$;

create function public.admin_list_refunds(
  shown text default 'open', age text default '', state text default '', after text default null, at timestamptz default now())
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 50;
  most constant integer := 1000;
  today constant date := private.day_of(at);
  start jsonb;
  from_day date;
  to_day date;
  states text[];
  entries jsonb;
  counted integer;
  groups jsonb;
begin
  perform private.require_admin();
  start := private.page_start(after);
  states := case state when '' then array['queued', 'accepted', 'retrying', 'failed', 'by-hand']
                       when 'to-decide' then array['failed', 'by-hand'] else array[state] end;
  if shown = 'finished' then
    select coalesce(jsonb_agg(private.finished_refund_row(p.f) order by p.finished_at desc, p.id desc), '[]') into entries
    from (
      select f, f.finished_at, f.id from private.refunds f
      where f.retry_of is null and f.finished_at is not null
        and (start is null or (f.finished_at, f.id) < ((start ->> 'key')::timestamptz, (start ->> 'id')::uuid))
      order by f.finished_at desc, f.id desc limit page_size + 1) p;
    counted := (select count(*) from (
      select from private.refunds f where f.retry_of is null and f.finished_at is not null limit most + 1) n);
    return private.page_of_refunds(entries, 'finished_at', page_size, counted, most)
      || jsonb_build_object('shown', 'finished', 'speed', private.refund_speed(today));
  end if;

  from_day := case age when 'soon' then today when 'in-time' then today + 3 else '-infinity' end;
  to_day := case age when 'overdue' then today - 1 when 'soon' then today + 2 else 'infinity' end;
  -- There are never many: all of them are read once.
  with open as materialized (
    select r.* from private.open_refunds() r
  ), chosen as (
    select o.* from open o where o.due_on between from_day and to_day and o.state = any (states)
  ), page as (
    select c.* from chosen c
    where start is null or (c.due_on, c.id) > ((start ->> 'key')::date, (start ->> 'id')::uuid)
    order by c.due_on, c.id limit page_size + 1
  ), sums as (
    select case when o.due_on < today then 'overdue' when o.due_on <= today + 2 then 'soon' else 'in-time' end as age,
           count(*) as refunds, sum(o.owed_paise)::bigint as paise
    from open o group by 1
  )
  select (select coalesce(jsonb_agg(private.open_refund_row(p.id, p.order_id, p.attempt_id, to_jsonb(p), today) order by p.due_on, p.id), '[]')
          from page p),
         (select count(*) from chosen),
         (select jsonb_object_agg(g.age, jsonb_build_object('count', coalesce(s.refunds, 0), 'paise', coalesce(s.paise, 0)))
          from unnest(array['overdue', 'soon', 'in-time']) g (age) left join sums s on s.age = g.age)
  into entries, counted, groups;
  return private.page_of_refunds(entries, 'due_on', page_size, counted, most) || jsonb_build_object('shown', 'open', 'groups', groups);
exception when data_exception then
  perform private.reject('This page of the list does not exist. Start again from the first page.', 'after');
end $$;

create or replace function public.admin_read_work(at timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  today constant date := private.day_of(at);
begin
  perform private.require_admin();
  return public.admin_read_todo(at)
    || (select jsonb_build_object('to_collect', count(*), 'to_collect_paise', coalesce(sum(c.total_amount) * 100, 0)::bigint)
        from (select o.total_amount from public.orders o where private.is_to_collect(o.status, o.payment_status)
              order by o.created_at desc, o.id desc limit 1000) c)
    || jsonb_build_object(
      'undelivered', (select count(*) from (select from public.orders o where o.status = 'Undelivered' limit 1000) n))
    || (select jsonb_build_object(
          'refunds_open', count(*), 'refunds_overdue', count(*) filter (where r.due_on < today),
          'refunds_overdue_paise', coalesce(sum(r.owed_paise) filter (where r.due_on < today), 0)::bigint,
          'refunds_to_decide', count(*) filter (where r.state in ('failed', 'by-hand')),
          'refund_due_on', min(r.due_on), 'refund_days_left', private.working_days_left(today, min(r.due_on)))
        from (select o.* from private.open_refunds() o order by o.due_on limit 1000) r)
    || (select jsonb_build_object('bills_overdue', count(*), 'bills_overdue_paise', coalesce(sum(b.unpaid) * 100, 0)::bigint)
        from private.open_bills() b where b.due_on < today)
    || (select jsonb_build_object('expenses_due', count(*), 'expenses_due_paise', coalesce(sum(e.amount) * 100, 0)::bigint)
        from public.expenses e where e.next_due_on <= today);
end $$;

create function public.admin_record_refund(
  order_id uuid, refund_id uuid, amount_paise bigint, method text, reference text, paid_on date) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.orders;
  failed private.refunds;
  first_try uuid;
  tries record;
  missing bigint;
  recorded uuid;
begin
  perform private.require_admin();
  select * into taken from public.orders o where o.id = admin_record_refund.order_id for no key update;
  if method is null then
    perform private.reject('Choose how you paid it back.', 'method');
  elsif paid_on is null then
    perform private.reject('Choose the day on which you paid it back.', 'paid_on');
  end if;
  if refund_id is null then
    missing := (select m.refundable_paise from private.order_balance(taken.id) m where m.payment_id is null);
    if taken.status is distinct from 'canceled' or missing is null then
      raise sqlstate 'PT404' using message = 'Nothing is to be paid back for this order.';
    end if;
  else
    failed := private.lock_failed_refund(admin_record_refund.order_id, refund_id);
    first_try := coalesce(failed.retry_of, failed.id);
    with withdrawn as (
      delete from private.outbox o using private.refunds r
      where r.retry_of = first_try and r.status = 'queued' and o.key = 'refund:' || r.id and o.done_at is null and o.attempts = 0
      returning r.id
    )
    update private.refunds r set status = 'failed', failure = 'Paid back by hand instead' from withdrawn w where r.id = w.id;
    select * into tries from private.refund_attempts(first_try);
    if tries.under_way_paise > 0 then
      perform private.reject('The payment provider is working on this refund. Wait for its answer, so that nothing is paid twice.', 'amount_paise');
    end if;
    missing := least(tries.asked_paise - tries.returned_paise, private.refundable_for(failed));
  end if;
  if missing <= 0 then
    perform private.reject('This refund is already paid back.', 'amount_paise');
  elsif missing is distinct from amount_paise then
    perform private.reject(format('What is to be paid back is %s now. Check it and record it again.', private.format_rupees(missing)), 'amount_paise');
  end if;
  recorded := private.record_refund_by_hand(
    failed.payment_id, taken.id, missing, coalesce(failed.reason, 'order canceled'), coalesce(failed.note, ''), first_try,
    (select l.order_item_id from private.refundable_lines(taken.id) l where l.order_item_id = failed.order_item_id and l.paise >= missing),
    method, reference, paid_on, now());
  update public.orders o set payment_status = m.standing from private.order_balance(taken.id) m where o.id = taken.id;
  return jsonb_build_object('refund_id', recorded);
end $$;

create function public.admin_refund_order(
  order_id uuid, amount_paise bigint, reason text, seen timestamptz, order_item_id bigint default null,
  method text default null, reference text default '', paid_on date default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.orders;
  money record;
  why text;
  refund_id uuid;
  line_paise bigint;
  is_all boolean;
begin
  perform private.require_admin();
  taken := private.lock_unchanged_order(order_id, seen);
  select * into money from private.order_balance(taken.id);
  why := private.validate_text(reason, 'reason', 'The reason', 300, is_needed => true);
  if money.paid_paise = 0 then
    perform private.reject('Nothing was paid for this order.', 'amount_paise');
  elsif money.refundable_paise = 0 then
    perform private.reject('All that was paid is refunded or on its way back.', 'amount_paise');
  elsif amount_paise is null or amount_paise <= 0 then
    perform private.reject('Type an amount above zero.', 'amount_paise');
  elsif amount_paise > money.refundable_paise then
    perform private.reject(format('At most %s can be refunded.', private.format_rupees(money.refundable_paise)), 'amount_paise');
  end if;
  if order_item_id is not null then
    line_paise := (select l.paise from private.refundable_lines(taken.id) l where l.order_item_id = admin_refund_order.order_item_id);
    if line_paise is null then
      perform private.reject('This item is not in the order.', 'amount_paise');
    elsif line_paise <= 0 then
      perform private.reject('This item is already refunded.', 'amount_paise');
    elsif amount_paise > line_paise then
      perform private.reject(format('At most %s can be refunded for this item.', private.format_rupees(line_paise)), 'amount_paise');
    end if;
  end if;
  is_all := amount_paise = money.refundable_paise;

  if money.payment_id is null then
    refund_id := private.record_refund_by_hand(
      null, taken.id, amount_paise, case taken.status when 'canceled' then 'order canceled' else 'order refunded' end, why, null, order_item_id,
      method, reference, paid_on, now());
  else
    -- Money asked for after a refund that failed for good takes its place, as far as it goes.
    refund_id := private.new_refund(money.payment_id, taken.id, amount_paise, 'order refunded', now(), now(),
                                    why, auth.uid(), private.refund_to_retry(taken.id), order_item_id);
  end if;
  select * into money from private.order_balance(taken.id);
  update public.orders o
  set status = case when is_all and o.status in ('Delivered', 'Collected') then 'Refunded' else o.status end,
      payment_status = money.standing
  where o.id = taken.id returning * into taken;
  return jsonb_build_object('refund_id', refund_id, 'status', taken.status, 'payment_status', taken.payment_status,
                            'updated_at', taken.updated_at);
end $$;

create or replace function public.admin_retry_refund(order_id uuid, refund_id uuid, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.orders;
  failed private.refunds;
  first_try uuid;
  tries record;
  missing bigint;
  refundable bigint;
  another uuid;
begin
  perform private.require_admin();
  if order_id is not null then
    taken := private.lock_unchanged_order(order_id, seen);
  end if;
  failed := private.lock_failed_refund(taken.id, refund_id);
  first_try := coalesce(failed.retry_of, failed.id);
  select * into tries from private.refund_attempts(first_try);
  with hurried as (
    update private.outbox o set run_after = now()
    from private.refunds r
    where r.retry_of = first_try and r.status in ('queued', 'pending') and o.key = 'refund:' || r.id and o.done_at is null
    returning r.id
  )
  update private.refunds r set hurried_at = now(), asked_by = auth.uid()
  from hurried h where r.id = h.id
  returning r.id into another;
  missing := tries.asked_paise - tries.returned_paise - tries.under_way_paise;
  if missing > 0 then
    refundable := private.refundable_for(failed);
    if missing > refundable then
      perform private.reject(format('At most %s can be refunded.', private.format_rupees(refundable)));
    end if;
    -- For its sweet, as long as that still has so much to give back.
    another := private.new_refund(failed.payment_id, taken.id, missing, failed.reason, now(), now(), failed.note, auth.uid(), first_try,
      (select l.order_item_id from private.refundable_lines(taken.id) l where l.order_item_id = failed.order_item_id and l.paise >= missing));
  elsif another is null then
    perform private.reject('This refund is already on its way.');
  end if;
  update public.orders o set payment_status = o.payment_status where o.id = taken.id returning * into taken;
  return jsonb_build_object('refund_id', another, 'updated_at', taken.updated_at);
end $$;

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
    from unnest(array['mail', 'refund', 'order-change', 'payment-check', 'refund-check']) as q (name)
    left join open o on o.queue = q.name group by q.name
  ), failed as (
    select from private.refunds f
    where f.retry_of is null and f.finished_at is null
      and not exists (select from private.payments p where p.payment_id = f.payment_id and p.status = 'refunded')
      and (f.status = 'failed' or exists (select from private.refunds t where t.retry_of = f.id and t.status = 'failed'))
  )
  select jsonb_build_object(
    'depth', jsonb_object_agg(q.name, q.depth), 'overdue', jsonb_object_agg(q.name, q.overdue),
    'troubled', jsonb_object_agg(q.name, q.troubled), 'failed_refunds', (select count(*) from failed))
  from queues q;
$$;

create function public.queue_refund_delays(at timestamptz default now()) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  late uuid[] := array(
    select f.id from private.refunds f
    where f.retry_of is null and f.finished_at is null
      and f.due_on between private.day_of(at) - 10 and private.day_of(at) - 1
    order by f.due_on, f.id limit 1000);
begin
  perform private.queue_delay_email(f.id, at) from unnest(late) f (id)
  where not exists (select from private.outbox o where o.key = 'mail:refund-delayed:' || f.id);
  return cardinality(late);
end $$;

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

-- Existing refunds are due as the calendar is today; those of which all is back are finished.
with days as materialized (
  select d.day, private.refund_due_on(d.day) as due_on
  from (select distinct private.day_of(r.created_at) as day from private.refunds r where r.retry_of is null) d
)
update private.refunds r set due_on = d.due_on
from private.refunds f join days d on d.day = private.day_of(f.created_at)
where f.id = coalesce(r.retry_of, r.id);

alter table private.refunds alter column due_on set not null;

update private.refunds f set finished_at = coalesce(f.processed_at, f.created_at) where f.retry_of is null and f.status = 'processed';

update private.refunds f
set finished_at = coalesce((
  select max(r.processed_at) from private.refunds r where f.id in (r.id, r.retry_of) or r.order_id = f.order_id), now())
from private.refunds k
cross join lateral private.refund_attempts(k.id) t
left join private.payments p on p.payment_id = k.payment_id
left join lateral private.order_balance(k.order_id) m on true
where k.id = f.id and k.retry_of is null and k.finished_at is null
  and (t.returned_paise >= t.asked_paise or p.status = 'refunded' or m.paid_paise > 0 and m.refunded_paise >= m.paid_paise);

insert into private.offline_refunds_due (order_id, since, due_on)
select o.id, o.status_since, private.refund_due_on(private.day_of(o.status_since))
from public.orders o cross join lateral private.order_balance(o.id) m
where o.status = 'canceled' and o.payment_status in ('paid_offline', 'partially_refunded') and m.payment_id is null and m.refundable_paise > 0;

create index offline_refunds_due_open_idx on private.offline_refunds_due (due_on, order_id) where finished_at is null;

create index refunds_finished_idx on private.refunds (finished_at, id) where retry_of is null and finished_at is not null;

create index refunds_open_idx on private.refunds (due_on, id) where retry_of is null and finished_at is null;

create trigger refunds_clock before insert or update of status on private.refunds
  for each row execute function private.refund_clock();

create trigger refunds_finish after update of status on private.refunds
  for each row when (new.status = 'processed' and old.status <> 'processed') execute function private.finish_refunds();

create trigger refunds_finish_inserted after insert on private.refunds
  for each row when (new.status = 'processed') execute function private.finish_refunds();

revoke execute on function private.expect_offline_refund(order_id uuid) from public, anon, authenticated;

revoke execute on function private.finish_refunds() from public, anon, authenticated;

revoke execute on function private.finished_refund_row(first private.refunds) from public, anon, authenticated;

revoke execute on function private.is_refund_emailed(refund private.refunds) from public, anon, authenticated;

revoke execute on function private.last_attempt(first private.refunds) from public, anon, authenticated;

revoke execute on function private.lock_failed_refund(order_id uuid, refund_id uuid) from public, anon, authenticated;

revoke execute on function private.mark_payment_refunded(payment_id text) from public, anon, authenticated;

revoke execute on function private.new_refund(payment_id text, order_id uuid, amount_paise bigint, reason text, at timestamp with time zone, run_after timestamp with time zone, note text, asked_by uuid, retry_of uuid, order_item_id bigint, is_done boolean, method text, reference text, paid_on date) from public, anon, authenticated;

revoke execute on function private.open_refund_row(id uuid, order_id uuid, attempt_id uuid, found jsonb, today date) from public, anon, authenticated;

revoke execute on function private.open_refunds() from public, anon, authenticated;

revoke execute on function private.page_of_refunds(entries jsonb, sort_key text, page_size integer, counted integer, most integer) from public, anon, authenticated;

revoke execute on function private.queue_delay_email(first_try uuid, at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.queue_refund_email(refund_id uuid, at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.record_refund_by_hand(payment_id text, order_id uuid, amount_paise bigint, reason text, note text, retry_of uuid, order_item_id bigint, method text, reference text, paid_on date, at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.refund_attempts(first_try uuid, OUT asked_paise bigint, OUT returned_paise bigint, OUT under_way_paise bigint, OUT last_failed_at timestamp with time zone, OUT attempts integer, OUT failed integer, OUT failed_attempt uuid, OUT open_attempt uuid) from public, anon, authenticated;

revoke execute on function private.refund_clock() from public, anon, authenticated;

revoke execute on function private.refund_due_on(from_day date) from public, anon, authenticated;

revoke execute on function private.refund_facts(refund private.refunds, is_whole boolean) from public, anon, authenticated;

revoke execute on function private.refund_head(order_id uuid, payment_id text) from public, anon, authenticated;

revoke execute on function private.refund_speed(today date) from public, anon, authenticated;

revoke execute on function private.refund_times(first private.refunds, last private.refunds, OUT made_at timestamp with time zone, OUT sent_on date, OUT days integer, OUT is_in_time boolean) from public, anon, authenticated;

revoke execute on function private.refundable_for(refund private.refunds) from public, anon, authenticated;

revoke execute on function private.working_days_left(today date, due_on date) from public, anon, authenticated;

revoke execute on function public.admin_list_refunds(shown text, age text, state text, after text, at timestamp with time zone) from public, anon, authenticated;

grant execute on function public.admin_list_refunds(shown text, age text, state text, after text, at timestamp with time zone) to authenticated;

grant execute on function public.admin_list_refunds(shown text, age text, state text, after text, at timestamp with time zone) to service_role;

revoke execute on function public.admin_record_refund(order_id uuid, refund_id uuid, amount_paise bigint, method text, reference text, paid_on date) from public, anon, authenticated;

grant execute on function public.admin_record_refund(order_id uuid, refund_id uuid, amount_paise bigint, method text, reference text, paid_on date) to authenticated;

grant execute on function public.admin_record_refund(order_id uuid, refund_id uuid, amount_paise bigint, method text, reference text, paid_on date) to service_role;

revoke execute on function public.admin_refund_order(order_id uuid, amount_paise bigint, reason text, seen timestamp with time zone, order_item_id bigint, method text, reference text, paid_on date) from public, anon, authenticated;

grant execute on function public.admin_refund_order(order_id uuid, amount_paise bigint, reason text, seen timestamp with time zone, order_item_id bigint, method text, reference text, paid_on date) to authenticated;

grant execute on function public.admin_refund_order(order_id uuid, amount_paise bigint, reason text, seen timestamp with time zone, order_item_id bigint, method text, reference text, paid_on date) to service_role;

revoke execute on function public.my_refunds(before timestamp with time zone, before_id uuid) from public, anon, authenticated;

grant execute on function public.my_refunds(before timestamp with time zone, before_id uuid) to authenticated;

grant execute on function public.my_refunds(before timestamp with time zone, before_id uuid) to service_role;

revoke execute on function public.queue_refund_delays(at timestamp with time zone) from public, anon, authenticated;

grant execute on function public.queue_refund_delays(at timestamp with time zone) to service_role;

revoke execute on function public.record_refund(refund_id uuid, provider_refund_id text, status text, at timestamp with time zone, problem text, reference text) from public, anon, authenticated;

grant execute on function public.record_refund(refund_id uuid, provider_refund_id text, status text, at timestamp with time zone, problem text, reference text) to service_role;
