-- Joins the functions that claims, offers, messages and refunds changed side by side.
set check_function_bodies = off;

drop function private.customer_claim(told private.claims);

drop function private.mail_content(payload jsonb, site_url text);

drop function public.read_claim_photo(asker uuid, photo_id uuid, link text, at timestamp with time zone);

create or replace function private.check_totals() returns table (invariant integer, subject text, detail text)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query -- 3: every captured payment has an order or a refund
  select 3, p.payment_id, 'captured, and neither an order nor a refund'
  from private.payments p
  where p.status = 'captured' and p.order_id is null and p.group_id is null
    and not exists (select from private.refunds r where r.payment_id = p.payment_id and r.status <> 'failed');

  return query -- 4: 0 <= reserved <= on_hand = sum of movements
  select 4, s.product_id::text, format('on_hand %s, reserved %s, movements %s', s.on_hand, s.reserved, coalesce(m.total, 0))
  from public.stock_levels s
  left join (select v.product_id, sum(v.quantity) as total from public.stock_movements v group by v.product_id) m
    on m.product_id = s.product_id
  where s.reserved < 0 or s.reserved > s.on_hand or s.on_hand <> coalesce(m.total, 0);

  return query -- 4: what is reserved is what checkouts hold
  select 4, s.product_id::text, format('reserved %s, held by checkouts %s', s.reserved, coalesce(h.units, 0))
  from public.stock_levels s
  left join (
    select u.product_id, sum(u.units) as units
    from private.checkouts c join private.quotes q on q.id = c.quote_id, unnest(q.product_ids, c.held) as u (product_id, units)
    where c.held <> '{}'
    group by u.product_id
  ) h on h.product_id = s.product_id
  where s.reserved <> coalesce(h.units, 0);

  return query -- 6: refunds never exceed what was captured
  select 6, p.payment_id, format('captured %s paise, refunds %s paise', p.amount_paise, sum(r.amount_paise))
  from private.payments p join private.refunds r on r.payment_id = p.payment_id
  where r.status <> 'failed'
  group by p.payment_id, p.amount_paise
  having sum(r.amount_paise) > case when p.status in ('captured', 'refunded') then p.amount_paise else 0 end;

  return query -- 16: a paid group has an order for each recipient, and their totals add up to its payment; an unpaid one has none
  select 16, g.id::text, format('%s, %s recipients, %s paise; %s orders of %s paise, %s payments of %s paise', g.state, g.recipients,
                                g.total_paise, coalesce(o.orders, 0), coalesce(o.paise, 0), coalesce(p.payments, 0), coalesce(p.paise, 0))
  from private.group_orders g
  left join (
    select k.group_id, count(*) as orders, sum(k.total_amount * 100) as paise from public.orders k
    where k.group_id is not null group by k.group_id) o on o.group_id = g.id
  left join (
    select k.group_id, count(*) as payments, sum(k.amount_paise) as paise from private.payments k
    where k.group_id is not null and k.status in ('captured', 'refunded') group by k.group_id) p on p.group_id = g.id
  where case when g.state = 'paid' then (o.orders, o.paise, p.payments, p.paise)
                                        is distinct from (g.recipients::bigint, g.total_paise::numeric, 1, g.total_paise::numeric)
             else o.orders > 0 or p.payments > 0 end;

  return query -- 18: uses and cost of an offer are those of its checkouts and orders, and within its limits
  select 18, f.code, format('%s: held %s of %s paise, used %s of %s paise; counted %s of %s, %s of %s; limits %s and %s', f.name, c.held,
                            c.held_paise, c.used, c.used_paise, u.held, u.held_paise, u.used, u.used_paise, f.max_uses, f.budget_paise)
  from private.offers f
  left join private.offer_counts c on c.offer_id = f.id
  cross join lateral (
    select count(*) filter (where k.state = 'held')::integer as held, count(*) filter (where k.state = 'used')::integer as used,
           coalesce(sum(k.discount_paise + k.shipping_paise) filter (where k.state = 'held'), 0)::bigint as held_paise,
           coalesce(sum(k.discount_paise + k.shipping_paise) filter (where k.state = 'used'), 0)::bigint as used_paise
    from private.offer_uses k where k.offer_id = f.id) u
  where (c.held, c.used, c.held_paise, c.used_paise) is distinct from (u.held, u.used, u.held_paise, u.used_paise)
     or c.held + c.used > f.max_uses or c.held_paise + c.used_paise > f.budget_paise;

  return query -- 18: the offers of an order took off its discount
  select 18, o.id::text, format('discount %s, offers %s', o.discount, o.offers)
  from public.orders o
  where (o.discount > 0 or o.offers <> '[]')
    and o.discount * 100 <> (select coalesce(sum(e.discount_paise), 0) from jsonb_to_recordset(o.offers) as e (discount_paise bigint));

  return query -- 8: nothing that was placed is missing
  select 8, p.order_id::text, format('item %s is not what was placed', p.order_item_id)
  from private.placed_items p
  where not exists (select from public.order_items i where i.id = p.order_item_id);

  return query -- 9: numbers run from 1 without gaps or duplicates
  with issued as (
    select 'invoice' as series, i.year, count(*) as many, count(distinct i.serial) as serials, min(i.serial) as first, max(i.serial) as last
    from private.invoices i group by i.year
    union all
    select 'credit note', n.year, count(*), count(distinct n.serial), min(n.serial), max(n.serial) from private.credit_notes n group by n.year
  )
  select 9, format('%s %s', coalesce(i.series, d.series), coalesce(i.year, d.year)),
         format('%s documents, numbers %s to %s, last given %s', coalesce(i.many, 0), i.first, i.last, d.last)
  from issued i full join private.document_numbers d on d.series = i.series and d.year = i.year
  where (i.many, i.serials, i.first, i.last) is distinct from (d.last::bigint, d.last::bigint, 1, d.last);

  return query -- 12: the stored sums and counts are those of the documents
  select 12, format('%s %s', coalesce(d.series, k.series), to_char(coalesce(d.month, k.month), 'YYYY-MM')),
         format('documents %s, kept %s', coalesce(d.sums, '{}'), coalesce(k.sums, '{}'))
  from (
    select x.series, date_trunc('month', x.issued_at at time zone 'Asia/Kolkata')::date as month,
           array[count(*), sum(x.taxable_paise), sum(x.cgst_paise), sum(x.sgst_paise), sum(x.igst_paise)] as sums
    from (select 'invoice' as series, i.issued_at, i.taxable_paise, i.cgst_paise, i.sgst_paise, i.igst_paise from private.invoices i
          union all
          select 'credit note', n.issued_at, n.taxable_paise, n.cgst_paise, n.sgst_paise, n.igst_paise from private.credit_notes n) x
    group by 1, 2
  ) d
  full join (
    select series, month, array[max(m.documents), sum(g.taxable_paise), sum(g.cgst_paise), sum(g.sgst_paise), sum(g.igst_paise)] as sums
    from private.gst_months g full join private.document_months m using (series, month) group by 1, 2
  ) k on k.series = d.series and k.month = d.month
  where d.sums is distinct from k.sums;
end $$;

create or replace function private.claim_facts(payload jsonb, follow_url text) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('claim', jsonb_build_object(
    'ticket', private.claim_ticket(c.number), 'followUrl', follow_url, 'orderNumber', o.number, 'decision', c.decision,
    'acknowledgeBy', c.acknowledge_by, 'settleBy', c.settle_by,
    'items', (select jsonb_agg(jsonb_build_object('name', n.product_name, 'quantity', i.quantity, 'problem', i.problem) order by n.id)
              from private.claim_items i join public.order_items n on n.id = i.order_item_id where i.claim_id = c.id),
    'refundPaise', (select coalesce(sum(r.amount_paise), 0)::bigint from private.claim_refunds f join private.refunds r on r.id = f.refund_id
                    where f.claim_id = c.id),
    'contact', private.complaint_contact(),
    'isOffline', not exists (select from private.payments_of_order(o.id)),
    'words', (select m.words from private.claim_messages m where m.id = (payload ->> 'message_id')::bigint),
    'courier', r.courier, 'trackingNumber', r.tracking_number, 'trackingUrl', nullif(r.tracking_url, '')))
  from private.claims c join public.orders o on o.id = c.order_id left join private.replacements r on r.claim_id = c.id
  where c.id = (payload ->> 'claim_id')::uuid;
$$;

create or replace function private.credited_lines(invoice private.invoices, amount_paise bigint, refund_id uuid, named bigint[]) returns jsonb
language sql stable set search_path = '' as $$
  with sold as (
    select l.place, (l.line ->> 'taxable_paise')::bigint as taxable, (l.line ->> 'cgst_paise')::bigint as half,
           (l.line ->> 'igst_paise')::bigint as igst
    from jsonb_array_elements(invoice.lines) with ordinality l (line, place)
  ), standing as (
    select s.*, w.whole, w.whole - g.credited as remaining, g.credited, g.half as half_given, g.igst as igst_given,
           s.taxable - g.taxable as taxable_left, greatest(w.whole - g.credited - coalesce(f.paise, 0), 0) as free
    from sold s
    cross join lateral (select s.taxable + 2 * s.half + s.igst as whole) w
    left join private.credited_so_far(invoice.id) v on v.place = s.place
    left join private.pending_credits(invoice.order_id, credited_lines.refund_id) f on f.place = s.place
    cross join lateral (
      select coalesce(v.taxable, 0) as taxable, coalesce(v.half, 0) as half, coalesce(v.igst, 0) as igst, coalesce(v.paise, 0) as credited
    ) g
  ), called as (
    select t.*, t.place = any (named) as is_named, sum(t.remaining) filter (where t.place = any (named)) over (order by t.place) as named_so_far,
           sum(t.remaining) filter (where t.place = any (named)) over () as named_left
    from standing t
  ), weighed as (
    -- What is called off takes all there is, spoken for or not.
    select t.*, case when t.is_named and t.named_left > 0
                     then round(least(amount_paise, t.named_left) * t.named_so_far / t.named_left)
                          - round(least(amount_paise, t.named_left) * (t.named_so_far - t.remaining) / t.named_left) else 0 end as first,
           case when t.is_named then 0 when sum(t.free) over () < amount_paise then t.remaining else t.free end as weight
    from called t
  ), summed as (
    select w.*, amount_paise - sum(w.first) over () as rest, sum(w.weight) over (order by w.place) as so_far,
           nullif(sum(w.weight) over (), 0) as all_left
    from weighed w
  ), shared as (
    select s.*, s.first + coalesce(round(s.rest * s.so_far / s.all_left) - round(s.rest * (s.so_far - s.weight) / s.all_left), 0) as share
    from summed s
  ), shares as (
    select s.place, s.share, t.half, t.igst, s.share = s.remaining as is_last
    from shared s
    cross join lateral (
      -- What is due by now, as far as the share holds it; and what the taxable value has no room for.
      select greatest(least(round((s.credited + s.share) * s.half / nullif(s.whole, 0)) - s.half_given, floor(s.share / 2)),
                      case when s.half > 0 then ceil((s.share - s.taxable_left) / 2) else 0 end, 0)::bigint as half,
             greatest(least(round((s.credited + s.share) * s.igst / nullif(s.whole, 0)) - s.igst_given, s.share),
                      case when s.igst > 0 then s.share - s.taxable_left else 0 end, 0)::bigint as igst
    ) t
    where s.share > 0
  )
  -- Goods count as come back with the last of what was paid for them.
  select jsonb_agg(
    (l.line - '{rate_paise,discount_paise}'::text[]) || jsonb_build_object('place', s.place, 'taxable_paise', (s.share - 2 * s.half - s.igst)::bigint,
                                                 'cgst_paise', s.half, 'sgst_paise', s.half, 'igst_paise', s.igst)
      || case when s.is_last then '{}' else '{"quantity": null}'::jsonb end order by s.place)
  from shares s join jsonb_array_elements(invoice.lines) with ordinality l (line, place) on l.place = s.place;
$$;

create function private.customer_claim(told private.claims, is_by_link boolean) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', told.id, 'ticket', private.claim_ticket(told.number), 'state', told.state, 'decision', told.decision,
    'opened_at', told.opened_at, 'acknowledge_by', told.acknowledge_by, 'decide_by', told.decide_by,
    'acknowledged_at', told.acknowledged_at, 'decided_at', told.decided_at, 'settle_by', told.settle_by,
    'items', (select jsonb_agg(jsonb_build_object('order_item_id', i.order_item_id, 'name', n.product_name, 'quantity', i.quantity,
                                                  'size', case when n.has_size then n.size end, 'problem', i.problem) order by n.id)
              from private.claim_items i join public.order_items n on n.id = i.order_item_id where i.claim_id = told.id),
    'messages', (select coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'from_shop', m.from_shop, 'words', m.words, 'at', m.at) order by m.id), '[]')
                 from private.claim_messages m where m.claim_id = told.id and not is_by_link),
    'photos', (select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'width', p.width, 'height', p.height) order by p.at, p.id), '[]')
               from private.claim_photos p where p.claim_id = told.id and not is_by_link),
    'photos_left', greatest(4 - (select count(*) from private.claim_photos p where p.claim_id = told.id), 0),
    'refund_paise', (select coalesce(sum(r.amount_paise), 0)::bigint from private.claim_refunds c join private.refunds r on r.id = c.refund_id
                     where c.claim_id = told.id),
    'is_refunded', told.decision = 'refund' and (private.claim_due(told)).step is null,
    'replacement', (select jsonb_build_object('state', r.state, 'sent_at', r.sent_at, 'delivered_at', r.delivered_at, 'courier', r.courier,
                                              'tracking_number', r.tracking_number, 'tracking_url', nullif(r.tracking_url, ''))
                    from private.replacements r where r.claim_id = told.id));
$$;

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

create or replace function private.erasure_blocker(customer_id uuid, erased_by uuid default null) returns text
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

create or replace function private.followed_order(order_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'number', o.number, 'placed_at', o.created_at, 'status', o.status, 'payment_status', o.payment_status, 'fulfilment', o.fulfilment,
    'delivery_by', o.delivery_by, 'deliver_on', o.deliver_on, 'missed_day', o.missed_day,
    'courier', o.courier, 'tracking_number', o.tracking_number, 'tracking_url', nullif(o.tracking_url, ''),
    'sub_total_paise', (o.sub_total * 100)::bigint, 'tax_paise', (o.tax * 100)::bigint, 'shipping_paise', (o.shipping_charge * 100)::bigint,
    'shipping_tax_paise', private.order_shipping_tax(o), 'total_paise', (o.total_amount * 100)::bigint, 'offers', o.offers,
    'is_gift', exists (select from private.order_gifts g where g.order_id = o.id),
    'to', jsonb_build_object('name', split_part(btrim(o.delivery_name), ' ', 1), 'city', case when o.fulfilment = 'delivery' then o.delivery_city else '' end,
                             'phone_end', right(regexp_replace(o.delivery_phone, '\D', '', 'g'), 3)),
    'events', (
      select coalesce(jsonb_agg(jsonb_build_object('status', e.to_status, 'by', e.actor_role, 'at', e.created_at) order by e.id), '[]')
      from public.order_events e
      where e.order_id = o.id and e.undoes is null and not exists (select from public.order_events u where u.undoes = e.id)),
    'items', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'product_id', case when p.is_listed and p.archived_at is null then p."Id" end, 'name', i.product_name, 'image', i.product_image,
        'quantity', i.quantity, 'size', case when i.has_size then i.size end,
        'line_paise', private.line_paise(i.unit_price, i.size, i.quantity)::bigint) order by i.id), '[]')
      from public.order_items i left join public."Products" p on p."Id" = i.product_id
      where i.order_id = o.id))
  from public.orders o where o.id = followed_order.order_id;
$$;

create or replace function private.log_subject(table_name text, row_id text, entry jsonb, out name text, out id text)
language plpgsql stable set search_path = '' as $$
begin
  id := row_id;
  case table_name
    when 'Products', 'stock_levels', 'product_costs', 'product_pictures' then
      select p."Name" into name from public."Products" p where p."Id" = log_subject.row_id::bigint;
      name := coalesce(name, entry ->> 'Name');
    when 'orders' then
      select o.number::text into name from public.orders o where o.id = log_subject.row_id::uuid;
    when 'refunds' then
      select o.id::text, o.number::text into id, name
      from private.refunds r join public.orders o on o.id = r.order_id where r.id = log_subject.row_id::uuid;
    when 'claims', 'replacements' then
      select private.claim_ticket(c.number) into name from private.claims c where c.id = log_subject.row_id::uuid;
    when 'customer_records', 'user_profiles' then
      select c.name into name from private.customer_cards c where c.user_id = log_subject.row_id::uuid;
      name := coalesce(name, 'a customer who was erased');
    when 'comments' then
      select c.user_id::text, format('%s on %s', a.name, p."Name") into id, name
      from public.comments c join public."Products" p on p."Id" = c.product_id
      left join private.customer_cards a on a.user_id = c.user_id
      where c.id = log_subject.row_id::bigint;
    when 'vendors' then
      select coalesce(v.name, entry ->> 'name') into name from (values (1)) one (one)
      left join public.vendors v on v.id = log_subject.row_id::bigint;
    when 'purchase_orders' then
      select format('%s from %s', o.id, v.name) into name
      from public.purchase_orders o join public.vendors v on v.id = o.vendor_id where o.id = log_subject.row_id::bigint;
    when 'purchase_order_items' then
      select i.purchase_order_id::text, i.item_name into id, name
      from public.purchase_order_items i where i.id = log_subject.row_id::bigint;
      id := coalesce(id, entry ->> 'purchase_order_id');
      name := coalesce(name, entry ->> 'item_name');
    when 'purchase_receipts' then
      select r.purchase_order_id::text, format('%s from %s', o.id, v.name) into id, name
      from public.purchase_receipts r join public.purchase_orders o on o.id = r.purchase_order_id join public.vendors v on v.id = o.vendor_id
      where r.id = log_subject.row_id::uuid;
    when 'purchase_receipt_items' then
      select i.purchase_order_id::text, i.item_name into id, name
      from public.purchase_order_items i where i.id = (entry ->> 'item_id')::bigint;
    when 'vendor_bills' then
      select v.id::text, v.name into id, name
      from public.vendor_bills b join public.vendors v on v.id = b.vendor_id where b.id = log_subject.row_id::bigint;
    when 'vendor_payments' then
      select v.id::text, v.name into id, name
      from public.vendor_payments p join public.vendors v on v.id = p.vendor_id where p.id = log_subject.row_id::uuid;
    when 'expenses' then
      select coalesce(nullif(e.description, ''), e.category) into name from public.expenses e where e.id = log_subject.row_id::bigint;
      name := coalesce(name, nullif(entry ->> 'description', ''), entry ->> 'category');
    when 'greetings' then
      select g.title into name from public.greetings g where g.id = log_subject.row_id::bigint;
    when 'caurousel' then
      select c.title into name from public.caurousel c where c.id = log_subject.row_id::bigint;
    when 'testimonials' then
      select t.title into name from public.testimonials t where t.id = log_subject.row_id::bigint;
    when 'categories' then
      select c.name into name from public.categories c where c.id = log_subject.row_id::bigint;
    when 'box_sizes' then
      select b.name into name from private.box_sizes b where b.id = log_subject.row_id::bigint;
      name := coalesce(name, entry ->> 'name');
    when 'offers' then
      select f.name into name from private.offers f where f.id = log_subject.row_id::bigint;
      name := coalesce(name, entry ->> 'name');
    when 'box_sweets' then
      select p."Name" into name from public."Products" p where p."Id" = log_subject.row_id::bigint;
    when 'couriers' then
      select c.name into name from private.couriers c where c.id = log_subject.row_id::bigint;
    when 'festival_cutoffs' then
      select f.name into name from private.festival_cutoffs f where f.id = log_subject.row_id::bigint;
    when 'delivery_zones' then
      select z.name into name from public.delivery_zones z where z.id = log_subject.row_id::bigint;
    else
      select s.name, s.id into name, id from private.log_subject_of_parent(entry) s;
  end case;
  -- A number that only the database reads is no name.
  name := coalesce(name, entry ->> 'name', entry ->> 'title',
                   case when row_id ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then 'without a name' else row_id end);
  id := coalesce(id, row_id);
exception when data_exception then
  name := row_id; -- a table of the same name with other keys: say what we have
end $$;

create or replace function private.mail_content(payload jsonb, site_url text, at timestamptz) returns jsonb
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

create or replace function private.order_facts(told public.orders, actor text) returns jsonb
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

create or replace function private.order_head(told public.orders) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', told.id, 'number', told.number, 'status', told.status, 'payment_status', told.payment_status, 'source', private.source_of(told),
    'fulfilment', told.fulfilment, 'placed_at', told.created_at, 'updated_at', told.updated_at, 'delivery_by', told.delivery_by,
    'deliver_on', told.deliver_on, 'pack_on', told.pack_on, 'missed_day', told.missed_day,
    'sub_total_paise', (told.sub_total * 100)::bigint, 'discount_paise', (told.discount * 100)::bigint, 'offers', told.offers,
    'tax_paise', (told.tax * 100)::bigint,
    'shipping_paise', (told.shipping_charge * 100)::bigint, 'shipping_tax_paise', private.order_shipping_tax(told),
    'total_paise', (told.total_amount * 100)::bigint,
    'delivery', jsonb_build_object(
      'name', told.delivery_name, 'phone', told.delivery_phone, 'building_no', told.delivery_building_no,
      'street', told.delivery_street, 'city', told.delivery_city, 'state', told.delivery_state, 'zip', told.delivery_zip),
    'courier', told.courier, 'tracking_number', told.tracking_number, 'tracking_url', nullif(told.tracking_url, ''),
    'cancel_reason', told.cancel_reason, 'canceled_goods', told.canceled_goods, 'offline_method', told.offline_method,
    'gift', private.gift_of_order(told.id), 'group', private.group_of_order(told));
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
    and not o.payload ? 'again'
  union all
  select m.* from private.claim_mails(order_mails.order_id) m;
$$;

create or replace function private.own_account(customer_id uuid) returns jsonb
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
    'cart-reminders', (
      select coalesce(jsonb_agg(jsonb_build_object('queued_at', r.queued_at, 'lines', r.lines) order by r.queued_at, r.id), '[]')
      from private.cart_reminders r where r.user_id = own_account.customer_id),
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

create function private.own_claims(order_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
      'ticket', private.claim_ticket(c.number), 'state', c.state, 'decision', c.decision, 'opened_at', c.opened_at,
      'acknowledged_at', c.acknowledged_at, 'decided_at', c.decided_at, 'settle_by', c.settle_by,
      'items', (
        select coalesce(jsonb_agg(jsonb_build_object('product', n.product_name, 'quantity', i.quantity, 'problem', i.problem) order by n.id), '[]')
        from private.claim_items i join public.order_items n on n.id = i.order_item_id where i.claim_id = c.id),
      'messages', (
        select coalesce(jsonb_agg(jsonb_build_object('by', case when m.from_shop then 'shop' else 'customer' end, 'words', m.words, 'at', m.at) order by m.id), '[]')
        from private.claim_messages m where m.claim_id = c.id),
      'photos', (select count(*) from private.claim_photos p where p.claim_id = c.id),
      'replacement', (
        select to_jsonb(r) - '{claim_id,order_id}'::text[] from private.replacements r where r.claim_id = c.id))
    order by c.number), '[]')
  from private.claims c where c.order_id = own_claims.order_id;
$$;

create or replace function private.own_order(told public.orders) returns jsonb
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
                                                   'due_on', r.due_on, 'reference', r.reference, 'processed_at', r.processed_at)
                              order by r.created_at, r.id), '[]')
      from private.refunds r where r.order_id = told.id),
    'claims', private.own_claims(told.id),
    'gift', (
      select to_jsonb(g) - 'order_id' from private.order_gifts g where g.order_id = told.id),
    'documents', (
      select coalesce(jsonb_agg(d - '{id,order_id}'::text[]), '[]')
      from jsonb_array_elements(private.documents_of(array[told.id])) d));
$$;

create or replace function private.read_link(purpose text, token text, at timestamptz, out subject uuid, out version integer) returns record
language plpgsql stable set search_path = '' as $$
declare
  is_whole constant boolean := coalesce(token ~ '^[A-Za-z0-9_-]{72}$', false);
  carried constant bytea := decode(translate(case when is_whole then token else repeat('A', 72) end, '-_', '+/'), 'base64');
  content constant bytea := substr(carried, 1, 22);
  is_signed constant boolean := private.is_link_signature(purpose || ' ' || encode(content, 'hex'), substr(carried, 23));
  last_day constant date := date '1970-01-01' + ((get_byte(content, 18)::bigint * 16777216 + get_byte(content, 19) * 65536
                                                  + get_byte(content, 20) * 256 + get_byte(content, 21)) % 2000000)::integer;
begin
  if is_whole and is_signed and last_day >= private.day_of(at) then
    subject := encode(substr(content, 1, 16), 'hex')::uuid;
    version := get_byte(content, 16) * 256 + get_byte(content, 17);
  end if;
end $$;

create or replace function private.reject_payment(payment private.payments, checkouts private.checkouts[], rejection text) returns void
language plpgsql set search_path = '' as $$
declare
  holders constant uuid[] := array(select c.id from unnest(checkouts) as c where c.state = 'open' or c.held <> '{}');
begin
  if rejection = 'second-payment' and cardinality(holders) > 0 then
    perform private.release_stock(holders);
  end if;
  perform private.release_offers(array(select c.id from unnest(checkouts) as c));
  insert into private.payments select payment.*;
  if rejection = 'given-back' then
    perform private.new_refund(payment.payment_id, null, payment.amount_paise, rejection, payment.created_at, payment.created_at,
                               is_done => true);
  else
    perform private.refund_payment_in_full(payment.payment_id, rejection, payment.created_at);
  end if;
end $$;

create or replace function private.replace_for_claim(claim private.claims, items jsonb, at timestamptz) returns void
language plpgsql set search_path = '' as $$
declare
  refunded record;
  short record;
begin
  perform from public.orders o where o.id = claim.order_id for no key update;
  if exists (select from public.orders o where o.id = claim.order_id and o.status in ('canceled', 'Refunded')) then
    perform private.reject('This order was cancelled or refunded, so nothing is left to replace.');
  end if;
  select (g.item).product_name as name into refunded
  from private.items_to_give(claim, items) g
  join private.order_line_totals(claim.order_id) t on t.order_item_id = g.order_item_id
  join private.refundable_lines(claim.order_id) l on l.order_item_id = g.order_item_id
  cross join lateral (
    -- Given back for this line in the order, not by a claim.
    select coalesce(sum(r.amount_paise), 0) as besides from private.refunds r
    where r.order_item_id = g.order_item_id and r.status <> 'failed'
      and not exists (select from private.claim_refunds c where c.refund_id = r.id)) b
  where l.paise = 0 or b.besides >= private.unit_share(t.paise, (g.item).quantity, g.given, g.quantity) and b.besides > 0 limit 1;
  if found then
    perform private.reject(format('%s is already refunded.', refunded.name), 'items');
  end if;
  insert into private.replacements (claim_id, order_id, made_at) values (claim.id, claim.order_id, at);
  insert into private.replacement_items (claim_id, order_item_id, quantity)
  select claim.id, g.order_item_id, g.quantity from private.items_to_give(claim, items) g;
  if not found then
    perform private.reject('Choose at least one item.', 'items');
  end if;
  perform private.lock_stock(array(
    select distinct g.product_id from private.replacement_items r join public.order_items i on i.id = r.order_item_id
    cross join lateral private.goods_to_replace(i, r.quantity) g where r.claim_id = claim.id));
  select p."Name" as name, private.format_quantity(
           (case when p."hasSize" then s.available / 1000.0 else s.available end)::numeric, case when p."hasSize" then 'kg' else 'piece' end) as available
  into short
  from (select g.product_id, sum(g.units) as units from private.replacement_items r join public.order_items i on i.id = r.order_item_id
        cross join lateral private.goods_to_replace(i, r.quantity) g where r.claim_id = claim.id group by g.product_id) n
  join (select l.product_id, l.on_hand - l.reserved as available from public.stock_levels l) s on s.product_id = n.product_id
  join public."Products" p on p."Id" = n.product_id
  where n.units > s.available limit 1;
  if found then
    perform private.reject(format('There is not enough %s for a replacement: %s left. Refund it instead, or add stock first.', short.name, short.available), 'items');
  end if;
  insert into public.stock_movements (product_id, quantity, reason, order_id, note, created_at)
  select g.product_id, -sum(g.units), 'replacement', claim.order_id, format('claim %s', private.claim_ticket(claim.number)), at
  from private.replacement_items r join public.order_items i on i.id = r.order_item_id
  cross join lateral private.goods_to_replace(i, r.quantity) g
  where r.claim_id = claim.id group by g.product_id order by g.product_id;
end $$;

create or replace function private.write_group(
  customer_id uuid, recipients jsonb, card jsonb, request text, quotes private.quotes[], ip_hash text, at timestamptz
) returns private.group_orders
language plpgsql set search_path = '' as $$
declare
  continued constant private.group_orders := private.group_to_continue(customer_id, at);
  opened private.group_orders;
  product_ids bigint[];
  units integer[];
  bound private.quotes[];
begin
  select array_agg(w.product_id order by w.product_id), array_agg(w.units order by w.product_id) into product_ids, units
  from (select u.product_id, sum(u.units)::integer as units
        from unnest(quotes) as q, unnest(q.product_ids, q.units) as u (product_id, units) group by u.product_id) w;
  -- What older checkouts hold of the same products is reserved already, and moves to the new ones.
  update public.stock_levels s set reserved = s.reserved + greatest(n.units - private.held_units(customer_id, n.product_id), 0)
  from unnest(product_ids, units) as n (product_id, units)
  where s.product_id = n.product_id;
  perform private.take_from_holds(customer_id, '{}', product_ids, units);
  update private.checkouts c set state = 'superseded' where c.state = 'open' and c.user_id = write_group.customer_id;
  perform private.release_offers_of(array[customer_id]);
  -- The rest of an older group is free: an account holds one group at a time.
  perform private.release_stock(array(
    select c.id from private.checkouts c where c.user_id = write_group.customer_id and c.group_id is not null and c.held <> '{}'));
  update private.checkouts c set had_hold = false where c.group_id = continued.id;
  insert into private.group_orders (user_id, family_id, recipients, total_paise, contents, request, next_check_at, created_at,
                                    held_since, first_order_grams)
  select write_group.customer_id,
         coalesce((select l.family_id from (
           select g.* from private.group_orders g where g.user_id = write_group.customer_id order by g.created_at desc, g.id limit 1) l
           where l.state = 'open' and l.created_at > at - interval '2 hours'), gen_random_uuid()),
         count(*), sum(q.total_paise), md5(string_agg(private.quote_contents(q.lines)::text, ' ' order by private.quote_contents(q.lines)::text)),
         write_group.request, at + private.check_interval(at, at), at, coalesce(continued.held_since, at),
         private.first_order_grams(write_group.customer_id, quotes)
  from unnest(quotes) as q
  returning * into opened;
  -- Expired at once: only this group uses them.
  bound := array(
    select jsonb_populate_record(q.quote, jsonb_build_object('id', gen_random_uuid(), 'expires_at', at))
    from rows from (unnest(quotes)) with ordinality as u cross join lateral (select quotes[u.ordinality] as quote) q order by u.ordinality);
  insert into private.quotes select q.* from unnest(bound) as q;
  insert into private.checkouts (quote_id, user_id, family_id, delivery_name, delivery_phone, delivery_building_no, delivery_street,
                                 delivery_city, delivery_state, delivery_zip, held, had_hold, ip_hash, reserved_until, created_at, gift,
                                 group_id, group_place)
  select q.id, write_group.customer_id, opened.id, btrim(r.value ->> 'name'), btrim(r.value ->> 'phone'), btrim(r.value ->> 'building_no'),
         btrim(r.value ->> 'street'), btrim(r.value ->> 'city'), btrim(r.value ->> 'state'), btrim(r.value ->> 'zip'),
         q.units, q.ordinality = 1, case when q.ordinality = 1 then write_group.ip_hash end,
         at + private.hold_time(), at,
         jsonb_build_object('note', r.value ->> 'note', 'motif', card ->> 'motif', 'sender_name', card ->> 'sender_name',
                            'recipient_email', r.value ->> 'email'),
         opened.id, q.ordinality
  from unnest(bound) with ordinality as q
  join jsonb_array_elements(recipients) with ordinality as r on r.ordinality = q.ordinality;
  return opened;
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
    || (select jsonb_build_object('claims', count(*), 'claims_overdue', count(*) filter (where d.due_at <= at), 'claim_due_at', min(d.due_at))
        from private.unfinished_claims() c cross join lateral private.claim_due(c) d)
    || (select jsonb_build_object('bills_overdue', count(*), 'bills_overdue_paise', coalesce(sum(b.unpaid) * 100, 0)::bigint)
        from private.open_bills() b where b.due_on < today)
    || (select jsonb_build_object('expenses_due', count(*), 'expenses_due_paise', coalesce(sum(e.amount) * 100, 0)::bigint)
        from public.expenses e where e.next_due_on <= today);
end $$;

create or replace function public.admin_refuse_claim(claim_id uuid, words text, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken private.claims;
  typed text;
begin
  perform private.require_admin();
  taken := private.lock_unchanged_claim(claim_id, seen);
  if taken.state = 'decided' then
    perform private.reject(format('Claim %s is already decided.', private.claim_ticket(taken.number)));
  end if;
  typed := private.validate_text(words, 'words', 'The reason', 2000, is_needed => true, is_one_line => false);
  if typed ~* 'because[\s.…]*$' then
    perform private.reject('Finish the sentence: say why.', 'words');
  end if;
  taken := private.decide_claim(taken, 'refusal', typed, 'refused', null, now());
  return jsonb_build_object('updated_at', taken.updated_at);
end $$;

create or replace function public.answer_claim(
  asker uuid, claim_id uuid, words text, entry_id uuid, link text default null, at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  told private.claims := private.claim_of_caller(asker, answer_claim.claim_id, link, at);
  tidied constant text := btrim(coalesce(words, ''), E' \t\r\n');
begin
  if told.id is null then
    return '{"ok": false, "reason": "unknown-claim"}';
  end if;
  perform from private.claims c where c.id = told.id for no key update;
  if exists (select from private.claim_messages m where m.entry_id = answer_claim.entry_id) then
    return '{"ok": true}';
  elsif told.decided_at < at - interval '30 days' then
    return '{"ok": false, "reason": "closed"}';
  elsif tidied = '' or char_length(tidied) > 2000 then
    return '{"ok": false, "reason": "words"}';
  elsif not private.consume_rate_limit('claim answer', told.id::text, 20, interval '1 hour', at)
        or (select count(*) from private.claim_messages m where m.claim_id = told.id and not m.from_shop) >= 100 then
    return '{"ok": false, "reason": "too-many"}';
  end if;
  insert into private.claim_messages (claim_id, order_id, from_shop, words, entry_id, at)
  values (told.id, told.order_id, false, tidied, answer_claim.entry_id, at);
  perform private.record_claim_event(told, 'asked', at);
  return '{"ok": true}';
end $$;

create or replace function public.export_orders(filter jsonb, after jsonb, at timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 1000;
  sources text[] := private.order_sources(private.read_order_filter(filter), at);
  beyond text := case when after is null then 'true' else private.cursor_condition('created_at', 'timestamptz', 'asc', after) end;
  answer jsonb;
begin
  execute format($q$
    select jsonb_build_object(
      'rows', coalesce(jsonb_agg(jsonb_build_array(
        o.number, to_char(o.created_at at time zone 'Asia/Kolkata', 'YYYY-MM-DD HH24:MI'), o.delivery_name, o.delivery_phone,
        nullif(o.delivery_building_no, ''), nullif(o.delivery_street, ''), nullif(o.delivery_city, ''), nullif(o.delivery_state, ''),
        nullif(o.delivery_zip, ''), private.summarize_items(o.id), o.sub_total::text, o.tax::text, o.shipping_charge::text, o.total_amount::text,
        to_char(coalesce(r.paise, 0) / 100.0, 'FM999999999990.00'), o.payment_status, o.payment_id, o.status,
        to_char(o.status_since at time zone 'Asia/Kolkata', 'YYYY-MM-DD HH24:MI'), private.source_of(o), o.fulfilment, o.courier,
        o.tracking_number, o.cancel_reason, o.discount::text, nullif(private.offer_names(o.offers), '')) order by k.key, k.id), '[]'),
      'next', case when count(*) = $1 then jsonb_build_object('key', max(k.key), 'id', (array_agg(k.id order by k.key desc, k.id desc))[1]) end)
    from (%s) k
    join public.orders o on o.id = k.id
    left join lateral (select sum(f.amount_paise) as paise from private.refunds f where f.order_id = o.id and f.status = 'processed') r on true$q$,
    private.order_page(sources, 'created_at', 'asc', format('o.created_at <= %L::timestamptz and %s', at, beyond), page_size))
  into answer using page_size;
  return answer;
end $$;

create or replace function public.open_claim(
  asker uuid, order_id uuid, items jsonb, words text, entry_id uuid, link text default null, at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  told public.orders;
  made private.claims;
  time_left record;
  clocks record;
  rejected record;
  tidied constant text := btrim(coalesce(words, ''), E' \t\r\n');
begin
  told := private.claimable_order(asker, open_claim.order_id, link, at);
  if told.id is null then
    return '{"ok": false, "reason": "unknown-order"}';
  end if;
  perform from public.orders o where o.id = told.id for no key update;
  told := private.claimable_order(asker, told.id, link, at);
  select * into made from private.claims c where c.entry_id = open_claim.entry_id and c.order_id = told.id;
  if made.id is not null then
    return jsonb_build_object('ok', true, 'id', made.id, 'ticket', private.claim_ticket(made.number));
  end if;
  select * into time_left from private.claim_window(told, at);
  if time_left.state = 'ended' then
    return jsonb_build_object('ok', false, 'reason', 'too-late', 'ended_at', time_left.ends_at, 'contact', private.complaint_contact());
  elsif time_left.state in ('early', 'none') then
    return jsonb_build_object('ok', false, 'reason', case time_left.state when 'early' then 'too-early' else 'nothing-to-claim' end);
  elsif tidied = '' or char_length(tidied) > 2000 then
    return '{"ok": false, "reason": "words"}';
  elsif not private.consume_rate_limit('claim', told.id::text, 10, interval '1 hour', at)
        or (select count(*) from private.claims c where c.order_id = told.id) >= 10 then
    return '{"ok": false, "reason": "too-many"}';
  end if;
  select l.problem, i.id, i.product_name as name, l.quantity, i.quantity - private.claimed_quantity(i.id) as remaining into rejected
  from jsonb_to_recordset(items) as l (order_item_id bigint, quantity integer, problem text)
  left join public.order_items i on i.id = l.order_item_id and i.order_id = told.id
  where i.id is null or coalesce(l.quantity, 0) < 1 or l.quantity > i.quantity - private.claimed_quantity(i.id)
    or time_left.state = 'late' and l.problem is distinct from 'not-delivered'
    or told.fulfilment = 'pickup' and l.problem = 'not-delivered'
    or l.problem is null or l.problem not in ('damaged', 'missing', 'wrong', 'not-fresh', 'not-delivered')
  limit 1;
  if found then
    return case when rejected.id is not null and rejected.quantity > rejected.remaining
                then jsonb_build_object('ok', false, 'reason', 'already-claimed', 'name', rejected.name, 'left', rejected.remaining)
                when time_left.state = 'late' then '{"ok": false, "reason": "only-not-delivered"}'
                else '{"ok": false, "reason": "items"}' end;
  elsif (select count(*) <> count(distinct l.order_item_id) or count(*) = 0 from jsonb_to_recordset(items) as l (order_item_id bigint)) then
    return '{"ok": false, "reason": "items"}';
  end if;

  select * into clocks from private.claim_clocks(at);
  insert into private.claims (order_id, user_id, entry_id, opened_at, acknowledge_by, decide_by)
  values (told.id, told.user_id, open_claim.entry_id, at, clocks.acknowledge_by, clocks.decide_by) returning * into made;
  insert into private.claim_items (claim_id, order_item_id, quantity, problem)
  select made.id, l.order_item_id, l.quantity, l.problem
  from jsonb_to_recordset(items) as l (order_item_id bigint, quantity integer, problem text);
  insert into private.claim_messages (claim_id, order_id, from_shop, words, entry_id, at)
  values (made.id, told.id, false, tidied, open_claim.entry_id, at);
  perform private.record_claim_event(made, 'received', at);
  perform private.queue_claim_mail(made, 'claim-received', at);
  return jsonb_build_object('ok', true, 'id', made.id, 'ticket', private.claim_ticket(made.number));
end $$;

create or replace function public.open_group(
  customer_id uuid, recipients jsonb, card jsonb, key text, ip_hash text default null, at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  request_hash constant text := md5(jsonb_build_array(recipients, card, key)::text);
  quotes private.quotes[];
  rejected jsonb;
  refused jsonb;
  short jsonb;
  opened private.group_orders;
begin
  -- No flush: attach_provider_order() commits, and flushes this, before anyone can pay.
  perform set_config('synchronous_commit', 'off', true);
  perform private.lock_checkouts(array[customer_id]);
  select g.* into opened from private.group_orders g
  where g.user_id = customer_id and g.request = request_hash and g.state = 'open'
    and g.held_since > at - private.hold_time() and g.held_since <= at
    and not exists (select from private.checkouts c where c.group_id = g.id and c.state <> 'open')
  order by g.created_at desc limit 1;
  if opened.id is not null then
    update private.checkouts c set reserved_until = at + private.hold_time() where c.group_id = opened.id;
    return private.group_result(opened, is_new => false);
  elsif not private.consume_rate_limit('checkout', customer_id::text, 5, interval '1 minute', at) then
    return jsonb_build_object('ok', false, 'reason', 'too-many-checkouts');
  elsif exists (select from private.customer_records r where r.user_id = customer_id and r.blocked_at is not null) then
    return jsonb_build_object('ok', false, 'reason', 'blocked');
  end if;
  select array_agg(p.quote order by p.place), jsonb_agg(p.rejection || jsonb_build_object('place', p.place) order by p.place)
                                                filter (where p.rejection is not null)
  into quotes, rejected from private.price_recipients(customer_id, recipients, card, at) p;
  if rejected is not null then
    return jsonb_build_object('ok', false, 'reason', 'wrong-rows', 'rows', rejected);
  elsif private.group_key(quotes) is distinct from key then
    return jsonb_build_object('ok', false, 'reason', 'prices-changed');
  end if;
  perform private.lock_group_holds(customer_id);
  refused := private.group_hold_refusal(customer_id, quotes, ip_hash, at);
  if refused is not null then
    return refused;
  end if;
  perform private.lock_offers(array[customer_id], '{}', at);
  perform private.lock_stock(array(select unnest(q.product_ids) from unnest(quotes) as q));
  short := private.group_shortages(customer_id, quotes);
  if short <> '[]' then
    return jsonb_build_object('ok', false, 'reason', 'group-is-short', 'short', short);
  end if;
  opened := private.write_group(customer_id, recipients, card, request_hash, quotes, ip_hash, at);
  return private.group_result(opened, is_new => true);
end $$;

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

create function public.read_claim_photo(asker uuid, photo_id uuid, at timestamptz default now()) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('type', p.type, 'content', translate(encode(p.content, 'base64'), E'\n', ''))
  from private.claim_photos p
  where p.id = read_claim_photo.photo_id
    and (exists (select from private.administrators a where a.user_id = asker)
         or (private.claim_of_caller(asker, p.claim_id, null, at)).id is not null);
$$;

create or replace function public.read_claims(
  asker uuid, order_id uuid, link text default null, at timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  told public.orders := private.claimable_order(asker, order_id, link, at);
begin
  if told.id is null then
    return null;
  end if;
  return jsonb_build_object(
    'order_id', told.id, 'number', told.number, 'fulfilment', told.fulfilment,
    'window', (select jsonb_build_object('state', w.state, 'ends_at', w.ends_at) from private.claim_window(told, at) w),
    'contact', private.complaint_contact(),
    'items', (select jsonb_agg(jsonb_build_object('order_item_id', i.id, 'name', i.product_name, 'image', i.product_image, 'quantity', i.quantity,
                                                  'size', case when i.has_size then i.size end,
                                                  'left', i.quantity - private.claimed_quantity(i.id)) order by i.id)
              from public.order_items i where i.order_id = told.id),
    'claims', (select coalesce(jsonb_agg(private.customer_claim(c, link is not null) order by c.number desc), '[]')
               from private.claims c where c.order_id = told.id));
end $$;

create or replace function public.read_own_data(customer_id uuid, part text, after bigint[] default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  page_size constant integer := case part when 'orders' then 100 else 20 end;
  found jsonb;
begin
  if not private.consume_rate_limit('own data ' || case part when 'account' then part else 'pieces' end, customer_id::text,
                                    case part when 'account' then 5 else 100 end, interval '1 day') then
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

create or replace function public.record_refund(
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

revoke execute on function private.customer_claim(told private.claims, is_by_link boolean) from public, anon, authenticated;

revoke execute on function private.own_claims(order_id uuid) from public, anon, authenticated;

revoke execute on function public.read_claim_photo(asker uuid, photo_id uuid, at timestamp with time zone) from public, anon, authenticated;

grant execute on function public.read_claim_photo(asker uuid, photo_id uuid, at timestamp with time zone) to service_role;
