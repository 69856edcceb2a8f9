-- Follow messages and claims.
set check_function_bodies = off;

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
  perform private.revoke_order_links(o.id) from unnest(ordered) as o (id);
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

create or replace function private.erasure_blocker(customer_id uuid, erased_by uuid default null) returns text
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
    select 3, format('Claim %s is still open. Decide it first.', private.claim_ticket(c.number)),
           format('Your claim %s is still open. You can delete your account once it is settled.', private.claim_ticket(c.number))
    from private.orders_to_erase(erasure_blocker.customer_id, erasure_blocker.erased_by) o join private.claims c on c.order_id = o.id
    where (private.claim_due(c)).step is not null
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

create or replace function private.job_priority(kind text, payload jsonb) returns integer
language sql immutable as $$
  select case when kind not in ('mail', 'message') then 0
              when payload ->> 'template' in ('back-in-stock', 'gift-reminder', 'review-request', 'cart-reminder') then 2 else 1 end;
$$;

create or replace function private.may_ask_for_review(ordered public.orders) returns boolean
language sql stable set search_path = '' as $$
  select ordered.status in ('Delivered', 'Collected') and ordered.payment_status in ('paid', 'paid_offline', 'unpaid')
    and not exists (select from private.refunds r where r.order_id = ordered.id)
    -- An open claim; one that was settled with money or goods, too.
    and not exists (select from private.claims c where c.order_id = ordered.id and (c.state <> 'decided' or c.decision <> 'refusal'));
$$;

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
    'mail', case when k.kind = 'mail' then private.mail_content(k.payload, site_url, at) end,
    'message', case when k.kind = 'message' then private.message_content(k.payload, site_url) end,
    'refund', (select jsonb_build_object('id', r.id, 'payment_id', r.payment_id, 'amount_paise', r.amount_paise, 'reason', r.reason,
                                         'open', r.status = 'queued')
               from private.refunds r where k.kind = 'refund' and r.id = (k.payload ->> 'refund_id')::uuid)) order by k.id), '[]')
  into jobs from private.lease_jobs(at, most) k;

  return jsonb_build_object('lapsed', expired, 'derived', derived, 'checkouts', checkouts, 'refunds', refunds, 'outbox', jobs);
end $$;

create or replace function public.postpone_job(job_id bigint, problem text, at timestamptz default now()) returns void
language sql security definer set search_path = '' as $$
  update private.outbox o
  set last_error = left(problem, 500),
      done_at = case when o.kind in ('mail', 'message') and coalesce((o.payload ->> 'due_at')::timestamptz, o.created_at) < at - interval '3 days' then at end,
      run_after = at + private.retry_delay(o.attempts)
  where o.id = job_id and o.done_at is null;
$$;
