-- Group orders: many recipients and one payment, tied together above ordinary checkouts and orders.
set check_function_bodies = off;

alter table public.orders drop constraint orders_payment_id_key;

drop function private.complete_hold(checkout private.checkouts, quote private.quotes);

drop function private.payment_rejection(checkout private.checkouts, quote private.quotes, amount_paise bigint, currency text, is_refunded_by_provider boolean);

drop function private.place_orders(paid_checkouts private.checkouts[], quotes private.quotes[], payments private.payments[], at timestamp with time zone);

drop function private.reject_payment(payment private.payments, checkout private.checkouts, rejection text);

drop function private.take_from_holds(customer_id uuid, except_id uuid, product_ids bigint[], units integer[]);

create table private.group_orders (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references auth.users (id) on delete set null,
  -- Groups that were opened one after the other without being paid share a family: two of them paid for the same boxes is one too
  -- many.
  family_id uuid not null,
  recipients smallint not null check (recipients between 1 and 500),
  total_paise bigint not null check (total_paise >= 100),
  -- A hash of what all recipients get, and one of everything that was requested.
  contents text not null,
  request text not null,
  -- paid: there is an order for each recipient. What is held meanwhile is in the checkouts.
  state text not null default 'open' check (state in ('open', 'paid')),
  provider_order_id text,
  -- When to check it with the provider; null: never again.
  next_check_at timestamptz,
  created_at timestamptz not null
);

alter table private.group_orders enable row level security;

alter table private.checkouts add column group_id uuid;

alter table private.checkouts add column group_place smallint not null default 0;

alter table private.payments add column group_id uuid;

alter table public.orders add column group_id uuid;

alter table public.orders add column group_place smallint not null default 0;

alter table private.checkouts add constraint checkouts_group_id_fkey FOREIGN KEY (group_id) REFERENCES private.group_orders(id);

alter table private.checkouts add constraint checkouts_group_is_whole CHECK (((group_id IS NULL) = (group_place = 0)));

alter table private.checkouts add constraint checkouts_group_place_check CHECK (((group_place >= 0) AND (group_place <= 500)));

alter table private.payments add constraint payments_group_id_fkey FOREIGN KEY (group_id) REFERENCES private.group_orders(id);

alter table private.payments add constraint payments_of_one_thing CHECK (((order_id IS NULL) OR (group_id IS NULL)));

alter table public.orders add constraint orders_group_id_fkey FOREIGN KEY (group_id) REFERENCES private.group_orders(id);

alter table public.orders add constraint orders_group_is_whole CHECK (((group_id IS NULL) = (group_place = 0)));

alter table public.orders add constraint orders_group_place_check CHECK (((group_place >= 0) AND (group_place <= 500)));

alter table public.orders add constraint orders_payment_id_key UNIQUE (payment_id, group_place);

create or replace function private.check_order_payments(lowest uuid, highest uuid) returns table (invariant integer, subject text, detail text)
language plpgsql stable set search_path = '' as $$
begin
  return query
  select 2, p.order_id::text, format('%s captured payments not refunded', count(*))
  from private.payments p
  where p.order_id between lowest and highest and p.status = 'captured'
    and not exists (select from private.refunds r where r.payment_id = p.payment_id and r.status <> 'failed'
                    group by r.payment_id having sum(r.amount_paise) >= p.amount_paise)
  group by p.order_id having count(*) > 1
  union all
  select 2, o.id::text, format('payment %s belongs to order %s', o.payment_id, coalesce(p.order_id::text, 'none'))
  from public.orders o join private.payments p on p.payment_id = o.payment_id
  where o.id between lowest and highest and p.order_id is distinct from o.id
    and (o.group_id is null or p.group_id is distinct from o.group_id);
end $$;

create function private.check_order_refunds(lowest uuid, highest uuid) returns table (invariant integer, subject text, detail text)
language plpgsql stable set search_path = '' as $$
begin
  return query
  select 6, o.id::text, format('total %s, refunds %s', o.total_amount, r.paise / 100.0)
  from public.orders o
  join (select f.order_id, sum(f.amount_paise) as paise from private.refunds f
        where f.order_id between lowest and highest and f.status <> 'failed' group by f.order_id) r on r.order_id = o.id
  where o.id between lowest and highest and r.paise > o.total_amount * 100;
end $$;

create or replace function private.check_orders(lowest uuid, highest uuid) returns table (invariant integer, subject text, detail text)
language plpgsql stable set search_path = '' as $$
begin
  return query select * from private.check_order_totals(lowest, highest);
  return query select * from private.check_order_payments(lowest, highest);
  return query select * from private.check_order_events(lowest, highest);
  return query select * from private.check_order_refunds(lowest, highest);
  return query select * from private.check_shipped_orders(lowest, highest);
  return query select * from private.check_order_items(lowest, highest);
  return query select * from private.check_invoices(lowest, highest);
  return query select * from private.check_credit_notes(lowest, highest);
  return query select * from private.check_canceled_invoices(lowest, highest);
  return query select * from private.check_customer_figures(lowest, highest);
end $$;

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

create function private.checkouts_of_payment(provider_order_id text) returns setof private.checkouts
language sql stable set search_path = '' as $$
  select c.* from private.checkouts c where c.provider_order_id = checkouts_of_payment.provider_order_id
  union all
  select c.* from private.group_orders g join private.checkouts c on c.group_id = g.id
  where g.provider_order_id = checkouts_of_payment.provider_order_id;
$$;

create function private.complete_hold(checkouts private.checkouts[], quotes private.quotes[]) returns boolean
language plpgsql set search_path = '' as $$
declare
  ids constant uuid[] := array(select c.id from unnest(checkouts) as c);
  product_ids bigint[];
  from_stock integer[];
  from_holds integer[];
  is_short boolean;
begin
  perform private.lock_stock(array(select unnest(q.product_ids) from unnest(quotes) as q));
  select array_agg(needed.product_id order by needed.product_id),
         array_agg(least(needed.units, needed.in_stock) order by needed.product_id),
         array_agg(greatest(needed.units - needed.in_stock, 0) order by needed.product_id),
         bool_or(needed.units > needed.in_stock + needed.in_other_holds)
  into product_ids, from_stock, from_holds, is_short
  from (
    select wanted.product_id, wanted.units - wanted.held as units, greatest(s.on_hand - s.reserved, 0) as in_stock,
           greatest(coalesce(own.units, 0) - wanted.held, 0) as in_other_holds
    from (
      select u.product_id, sum(u.units)::integer as units, coalesce(sum(u.held), 0)::integer as held
      from unnest(checkouts) as c join unnest(quotes) as q on q.id = c.quote_id
      cross join lateral unnest(q.product_ids, q.units, c.held) as u (product_id, units, held)
      group by u.product_id) wanted
    join public.stock_levels s on s.product_id = wanted.product_id
    left join private.held_by_customer((checkouts[1]).user_id) own on own.product_id = wanted.product_id
  ) needed;
  if is_short then
    return false;
  end if;
  update public.stock_levels s set reserved = s.reserved + f.units
  from unnest(product_ids, from_stock) as f (product_id, units)
  where s.product_id = f.product_id and f.units > 0;
  if 0 < any (from_holds) then
    perform private.take_from_holds((checkouts[1]).user_id, ids, product_ids, from_holds);
  end if;
  update private.checkouts c set held = q.units from unnest(quotes) as q where c.quote_id = q.id and c.id = any (ids);
  return true;
end $$;

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

create or replace function private.erasure_blocker(customer_id uuid) returns text
language sql stable set search_path = '' as $$
  select h.words from (
    select 1 as place, 'This is an administrator of the shop. Administrators cannot be erased.' as words
    from private.administrators a where a.user_id = erasure_blocker.customer_id
    union all
    select 2, case when count(*) = 1 then format('Order %s is still %s. Finish or cancel it first.', min(o.number), lower(min(o.status)))
                   else format('Orders %s are still open. Finish or cancel them first.', string_agg(o.number::text, ', ' order by o.number)) end
    from private.orders_of_person(erasure_blocker.customer_id) o
    where not private.is_finished(o.status)
    having count(*) > 0
    union all
    select 3, format('The refund of order %s %s. Wait until the money is back with them.', o.number,
                     case o.payment_status when 'refund_failed' then 'failed' else 'is under way' end)
    from private.orders_of_person(erasure_blocker.customer_id) o
    where o.payment_status in ('refund_pending', 'refund_failed')
       or exists (select from private.refunds r where r.order_id = o.id and r.status in ('queued', 'pending'))
    union all
    select 3, format('Order %s was cancelled and %s still has to be paid back offline. Record that refund first.', o.number, private.format_rupees(m.refundable_paise))
    from private.orders_of_person(erasure_blocker.customer_id) o, private.order_balance(o.id) m
    where o.status = 'canceled' and o.payment_status in ('paid_offline', 'partially_refunded') and m.refundable_paise > 0
    union all
    select 4, 'They have a refund in progress. Wait until it is complete.'
    from private.payments p join private.refunds r on r.payment_id = p.payment_id
    where p.user_id = erasure_blocker.customer_id and r.status in ('queued', 'pending')
    union all
    select 5, 'They have a payment in progress. Wait until it becomes an order or a refund.'
    from private.payments p where p.user_id = erasure_blocker.customer_id and p.status in ('created', 'authorized')
    union all
    -- Banks report payments late, and we ask for five days: until then it may still become an order to deliver.
    select 6, format('They began to pay on %s. That payment may still arrive until %s; erase them after that.',
                     to_char(c.created_at at time zone 'Asia/Kolkata', 'FMDD Mon YYYY'),
                     to_char((c.created_at + interval '5 days') at time zone 'Asia/Kolkata', 'FMDD Mon YYYY'))
    from private.checkouts c
    where c.user_id = erasure_blocker.customer_id
      and (c.state = 'open' or c.held <> '{}' or (c.state <> 'paid' and c.provider_order_id is not null and c.next_check_at is not null)
           or (c.group_place = 1 and c.state <> 'paid' and exists (
             select from private.group_orders g
             where g.id = c.group_id and g.provider_order_id is not null and g.next_check_at is not null)))
  ) h order by h.place, h.words limit 1;
$$;

create or replace function private.event_mail(event public.order_events) returns jsonb
language sql stable as $$
  select jsonb_build_object('template', private.mail_of_event(event), 'order_id', event.order_id, 'actor', event.actor_role)
         || case when event.public_note <> '' then jsonb_build_object('note', event.public_note) else '{}' end;
$$;

create or replace function private.find_openings(calls jsonb, at timestamptz) returns setof private.opening
language plpgsql stable set search_path = '' as $$
begin
  return query
  with called as materialized (
    select c.ordinality::integer as place, c.customer_id, c.ip_hash, c.address_id, c.gift, q.quote,
           case when (q.quote).id is null then 'no-quote'
                when (q.quote).total_paise <> c.amount_paise then 'amount-mismatch'
                when (q.quote).expires_at <= find_openings.at then 'quote-expired'
                when c.quote_id is null and exists (
                  select from private.quotes o
                  where o.user_id = c.customer_id and o.total_paise = c.amount_paise and o.expires_at > find_openings.at
                    and (o.lines, o.pincode, o.source, o.fulfilment, o.deliver_on)
                        is distinct from ((q.quote).lines, (q.quote).pincode, (q.quote).source, (q.quote).fulfilment, (q.quote).deliver_on))
                  then 'ambiguous-amount' end as reason
    from rows from (jsonb_to_recordset(calls) as (
      customer_id uuid, amount_paise bigint, quote_id uuid, ip_hash text, address_id uuid, gift jsonb)) with ordinality as c
    left join lateral (
      (select o as quote from private.quotes o where o.id = c.quote_id and o.user_id = c.customer_id)
      union all
      (select o from private.quotes o
       where c.quote_id is null and o.user_id = c.customer_id and o.total_paise = c.amount_paise and o.expires_at > find_openings.at
       order by o.created_at desc, o.id limit 1)
      limit 1) q on true
  ), promised as materialized (
    select private.still_promised(array(select a.quote from called a where a.reason is null)) as ids
  )
  select a.place, a.customer_id, a.ip_hash,
         coalesce(a.reason, case when (a.quote).id <> all (p.ids) then 'quote-expired' end),
         exists (select from private.customer_records r where r.user_id = a.customer_id and r.blocked_at is not null),
         a.quote, k.checkout, b.person,
         case when l.state <> 'paid' and l.created_at > find_openings.at - interval '2 hours' then l.family_id end,
         a.address_id, nullif(a.gift, 'null')
  from called a
  cross join promised p
  left join lateral (select c as checkout from private.checkouts c where c.quote_id = (a.quote).id limit 1) k on true
  left join lateral (select private.recipient_at(b, a.address_id) as person from private.buyers b where b.id = a.customer_id limit 1) b on true
  left join lateral (select c.state, c.created_at, c.family_id from private.checkouts c where c.user_id = a.customer_id and c.group_id is null
                     order by c.created_at desc, c.id limit 1) l on true;
end $$;

create function private.group_key(quotes private.quotes[]) returns text
language sql stable set search_path = '' as $$
  select md5(string_agg(format('%s %s %s', q.total_paise, q.shipping_paise, q.delivery_by), ',' order by q.ordinality))
  from unnest(quotes) with ordinality as q;
$$;

create function private.group_member(told public.orders) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'place', told.group_place, 'order_id', told.id, 'number', told.number, 'status', told.status, 'payment_status', told.payment_status,
    'total_paise', (told.total_amount * 100)::bigint, 'delivery_by', told.delivery_by, 'deliver_on', told.deliver_on,
    'missed_day', told.missed_day, 'name', told.delivery_name, 'phone', told.delivery_phone, 'building_no', told.delivery_building_no,
    'street', told.delivery_street, 'city', told.delivery_city, 'state', told.delivery_state, 'zip', told.delivery_zip,
    'tracking_url', nullif(told.tracking_url, ''), 'can_be_corrected', private.is_before_packing(told.status),
    'note', (select f.note from private.order_gifts f where f.order_id = told.id),
    'items', (select jsonb_agg(jsonb_build_object('name', i.product_name, 'quantity', i.quantity,
                                                  'size', case when i.has_size then i.size end) order by i.id)
              from public.order_items i where i.order_id = told.id));
$$;

create function private.group_result(opened private.group_orders, is_new boolean) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'ok', true, 'group_id', opened.id, 'amount_paise', opened.total_paise, 'provider_order_id', opened.provider_order_id, 'is_new', is_new,
    'is_held', not exists (select from private.checkouts c join private.quotes q on q.id = c.quote_id
                           where c.group_id = opened.id and c.held <> q.units),
    'name', (select b.name from private.buyers b where b.id = opened.user_id),
    'phone', (select b.phone from private.buyers b where b.id = opened.user_id),
    'email', (select u.email from auth.users u where u.id = opened.user_id),
    'shop', (select s.name from public.shop_settings s));
$$;

create function private.group_shortages(customer_id uuid, quotes private.quotes[]) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    with wanted as materialized (
      select w.product_id, w.units, row_number() over (order by w.product_id)::integer as place
      from (select u.product_id, sum(u.units)::integer as units
            from unnest(quotes) as q, unnest(q.product_ids, q.units) as u (product_id, units) group by u.product_id) w
    )
    select coalesce(jsonb_agg(s.rejection - 'ok' || jsonb_build_object('wanted', w.units) order by w.place), '[]')
    from private.shortages(
      array(select group_shortages.customer_id from wanted w order by w.place),
      array(select jsonb_populate_record(null::private.quotes, jsonb_build_object('product_ids', jsonb_build_array(w.product_id), 'units', jsonb_build_array(w.units)))
            from wanted w order by w.place)) s
    join wanted w on w.place = s.place);
end $$;

create or replace function private.guard_order() returns trigger
language plpgsql set search_path = '' as $$
declare
  is_browser boolean := current_user in ('anon', 'authenticated');
  is_admin boolean := private.is_admin();
  is_move boolean := new.status <> old.status;
begin
  if (new.id, new.number, new.created_at, new.source, new.fulfilment, new.sub_total, new.tax, new.shipping_charge, new.total_amount,
      new.group_id, new.group_place)
     is distinct from
     (old.id, old.number, old.created_at, old.source, old.fulfilment, old.sub_total, old.tax, old.shipping_charge, old.total_amount,
      old.group_id, old.group_place)
     or (old.user_id is distinct from new.user_id and new.user_id is not null)
     or (old.payment_id is not null and new.payment_id is distinct from old.payment_id) then
    raise sqlstate 'PT403' using message = 'what was ordered and paid never changes';
  end if;

  if is_browser then
    if (new.user_id, new.payment_id, new.payment_status, new.offline_method)
       is distinct from (old.user_id, old.payment_id, old.payment_status, old.offline_method) then
      raise sqlstate 'PT403' using message = 'only the shop itself records payments';
    end if;
    if not is_admin and (to_jsonb(new) - 'status' - 'updated_at') <> (to_jsonb(old) - 'status' - 'updated_at') then
      raise sqlstate 'PT403' using message = 'customers can only cancel an order';
    end if;
    if not is_admin and new.status <> 'canceled' then
      raise sqlstate 'PT403' using message = 'customers can only cancel an order';
    end if;
    if is_admin and not private.is_before_packing(old.status)
       and (new.delivery_name, new.delivery_phone, new.delivery_building_no, new.delivery_street,
            new.delivery_city, new.delivery_state, new.delivery_zip)
           is distinct from
           (old.delivery_name, old.delivery_phone, old.delivery_building_no, old.delivery_street,
            old.delivery_city, old.delivery_state, old.delivery_zip) then
      raise sqlstate 'PT409' using message = 'the address cannot change once the order is packed';
    end if;
    if is_admin and is_move and new.status = 'canceled'
       and not (old.user_id is not distinct from auth.uid()
                and private.is_allowed_move(old.status, new.status, old.fulfilment, by_customer => true))
       and coalesce(btrim(new.cancel_reason), '') = '' then
      raise sqlstate 'PT400' using message = 'canceling needs a reason';
    end if;
  end if;

  if is_move and not private.is_allowed_move(old.status, new.status, old.fulfilment, by_customer => is_browser and not is_admin)
     and (is_browser or not private.is_undo(old.id, old.status, new.status)) then
    raise sqlstate 'PT409' using
      message = format('an order that is %s cannot become %s', old.status, new.status);
  end if;
  -- A repeated cancel is not an event, but it must not look like a success either.
  if is_browser and not is_admin and not is_move then
    raise sqlstate 'PT409' using message = 'the order is already canceled';
  end if;

  if is_move and new.status in ('canceled', 'Refunded') and old.payment_status in ('paid', 'partially_refunded')
     and old.payment_id is not null then
    new.payment_status := 'refund_pending';
  end if;
  if auth.uid() is not null or new.payment_status = old.payment_status
     or to_jsonb(new) - 'payment_status' <> to_jsonb(old) - 'payment_status' then
    new.updated_at := now();
  end if;
  return new;
end $$;

create or replace function private.lock_checkouts_of_payments(provider_order_ids text[]) returns void
language plpgsql set search_path = '' as $$
declare
  customer_ids uuid[];
  family_ids uuid[];
begin
  select array_agg(k.user_id), array_agg(k.family_id) into customer_ids, family_ids
  from unnest(provider_order_ids) as p (id)
  cross join lateral (
    (select c.user_id, c.family_id from private.checkouts c where c.provider_order_id = p.id limit 1)
    union all
    -- The checkouts of a group have its id as their family.
    (select g.user_id, g.id from private.group_orders g where g.provider_order_id = p.id limit 1)) k;
  perform private.lock_checkouts(customer_ids, family_ids);
  perform private.lock_stock(q.product_ids)
  from (
    select array_agg(u.product_id) as product_ids, bool_or(k.held <> q.units) as is_short
    from unnest(provider_order_ids) as p (id)
    cross join lateral private.checkouts_of_payment(p.id) k
    join private.quotes q on q.id = k.quote_id, unnest(q.product_ids) as u (product_id)
  ) q
  where q.is_short;
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
      facts := facts || jsonb_build_object(
        'name', coalesce(recipient ->> 'name', ordered.delivery_name, 'Customer'), 'amountPaise', refund.amount_paise,
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

create function private.mail_of_event(event public.order_events) returns text
language sql stable set search_path = '' as $$
  select case when o.group_id is null or event.to_status = 'canceled' then private.mail_of_status(event.to_status)
              when event.to_status = 'Pending' and o.group_place = 1 and event.undoes is null then 'group-placed' end
  from public.orders o where o.id = event.order_id;
$$;

create or replace function private.order_balance(
  order_id uuid, out payment_id text, out paid_paise bigint, out refunded_paise bigint, out under_way_paise bigint,
  out refundable_paise bigint, out standing text)
language sql stable set search_path = '' as $$
  select m.payment_id, m.paid, r.refunded, r.under_way, greatest(m.paid - r.refunded - r.under_way, 0),
         case when m.paid = 0 then 'unpaid'
              when r.refunded >= m.paid then 'refunded'
              when exists (
                select from private.order_refund_attempts(order_balance.order_id) t
                where t.last_failed_at is not null and t.returned_paise < t.asked_paise) then 'refund_failed'
              when r.under_way > 0 then 'refund_pending'
              when r.refunded > 0 then 'partially_refunded'
              when m.payment_id is null then 'paid_offline'
              else 'paid' end
  from (
    select p.payment_id,
           coalesce(p.paid_paise, case when o.payment_status = 'unpaid' then 0 else (o.total_amount * 100)::bigint end) as paid
    from public.orders o
    left join lateral private.payments_of_order(o.id) p on true
    where o.id = order_balance.order_id
    limit 1
  ) m, (
    select coalesce(sum(f.amount_paise) filter (where f.status = 'processed'), 0)::bigint as refunded,
           coalesce(sum(f.amount_paise) filter (where f.status in ('queued', 'pending')), 0)::bigint as under_way
    from private.refunds f where f.order_id = order_balance.order_id
  ) r;
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
  where r.order_id = order_mails.order_id and r.status = 'processed' and r.payment_id is not null;
$$;

create or replace function private.orders_with_reference(term text) returns text[]
language plpgsql stable set search_path = '' as $$
declare
  -- The invoice's number may lack what it begins with: 26-27/00042.
  parts constant text[] := regexp_match(term, '^([0-9]{2})-[0-9]{2}/([0-9]{1,9})$');
  found uuid[];
begin
  if char_length(term) not between 4 and 80 then
    return '{}';
  end if;
  select array_agg(f.id) into found
  from (select o.id from public.orders o where upper(o.tracking_number) = upper(term)
        union
        select o.id from public.orders o where o.payment_id = term
        union
        select p.order_id from private.payments p where p.payment_id = term or p.provider_order_id = term
        union
        select o.id from private.group_orders g join public.orders o on o.group_id = g.id where g.provider_order_id = term
        union
        select i.order_id from private.invoices i where i.number = upper(term)
        union
        select i.order_id from private.credit_notes c join private.invoices i on i.id = c.invoice_id where c.number = upper(term)
        union
        select i.order_id from private.invoices i where i.year = 2000 + parts[1]::integer and i.serial = parts[2]::integer
        union
        select i.order_id from private.credit_notes c join private.invoices i on i.id = c.invoice_id
        where c.year = 2000 + parts[1]::integer and c.serial = parts[2]::integer) f
  where f.id is not null;
  return case when found is null then '{}' else array[format('o.id = any (%L::uuid[])', found)] end;
end $$;

create function private.payment_rejection(
  checkouts private.checkouts[], quotes private.quotes[], paid_group private.group_orders, amount_paise bigint, currency text,
  is_refunded_by_provider boolean) returns text
language plpgsql set search_path = '' as $$
begin
  return case
    when is_refunded_by_provider then 'given-back'
    when (checkouts[1]).state = 'paid' then 'second-payment'
    when paid_group.id is not null and exists (
      select from private.group_orders g
      where g.family_id = paid_group.family_id and g.state = 'paid' and g.contents = paid_group.contents) then 'second-payment'
    when paid_group.id is null and exists (
      select from private.checkouts c join private.quotes q on q.id = c.quote_id
      where c.family_id = (checkouts[1]).family_id and c.state = 'paid'
        and private.quote_contents(q.lines) = private.quote_contents((quotes[1]).lines)) then 'second-payment'
    -- The customer was erased, and what they had chosen with them.
    when coalesce(cardinality(checkouts), 0) = 0 then 'sold-out'
    when payment_rejection.currency <> 'INR' or payment_rejection.amount_paise <> (
      select sum(q.total_paise) from unnest(quotes) as q) then 'wrong-amount'
    when exists (select from unnest(checkouts) as c join unnest(quotes) as q on q.id = c.quote_id where c.held <> q.units)
      and not private.complete_hold(checkouts, quotes) then 'sold-out'
  end;
end $$;

create function private.payments_of_order(order_id uuid) returns table (payment_id text, paid_paise bigint)
language sql stable set search_path = '' as $$
  select p.payment_id, p.amount_paise from private.payments p
  where p.order_id = payments_of_order.order_id and p.status in ('captured', 'refunded')
  union all
  select p.payment_id, (o.total_amount * 100)::bigint
  from public.orders o join private.payments p on p.group_id = o.group_id
  where o.id = payments_of_order.order_id and p.status in ('captured', 'refunded');
$$;

create function private.place_orders(
  paid_checkouts private.checkouts[], quotes private.quotes[], payments private.payments[], order_ids uuid[], at timestamptz) returns void
language plpgsql set search_path = '' as $$
begin
  perform set_config('shop.event_at', at::text, true);
  with quoted as materialized (
    select q.*, private.cutoff_window_start(q.created_at) as window_start from unnest(quotes) with ordinality as q
  ), promised as materialized (
    select k.*, c.deliver_on, c.pack_on, c.missed_day,
           case when k.chosen_day is null then private.promise_at_payment(k.pincode, k.delivery_by, k.window_start, place_orders.at)
                else c.deliver_on end as day
    from (select distinct q.pincode, q.delivery_by, q.window_start, q.deliver_on as chosen_day from quoted q) k
    cross join lateral private.day_at_payment(k.pincode, k.chosen_day, place_orders.at) c
  )
  insert into public.orders (id, user_id, payment_status, payment_id, source, fulfilment, sub_total, tax, shipping_charge,
                             total_amount, delivery_name, delivery_phone, delivery_building_no, delivery_street,
                             delivery_city, delivery_state, delivery_zip, delivery_by, created_at, updated_at,
                             deliver_on, pack_on, missed_day, group_id, group_place)
  select order_ids[p.ordinality], c.user_id, 'paid', p.payment_id, q.source, q.fulfilment, q.sub_total_paise / 100.0, q.tax_paise / 100.0,
         q.shipping_paise / 100.0, q.total_paise / 100.0, c.delivery_name, c.delivery_phone, c.delivery_building_no,
         c.delivery_street, c.delivery_city, c.delivery_state, c.delivery_zip,
         k.day, at, at, k.deliver_on, k.pack_on, k.missed_day, c.group_id, c.group_place
  from unnest(payments) with ordinality as p
  join unnest(paid_checkouts) with ordinality as c on c.ordinality = p.ordinality
  join quoted q on q.ordinality = p.ordinality
  left join promised k on k.pincode = q.pincode and k.window_start = q.window_start and k.delivery_by is not distinct from q.delivery_by
                      and k.chosen_day is not distinct from q.deliver_on;
  perform private.fill_orders(order_ids, quotes, were_reserved => true, at => at);
  perform set_config('shop.event_at', '', true);
  -- Checked once more later: attempts that were still under way may be captured after this one.
  update private.checkouts c
  set state = 'paid', held = '{}', order_id = order_ids[k.ordinality],
      next_check_at = case when c.group_id is null then at + private.late_capture_delay() end
  from unnest(paid_checkouts) with ordinality as k
  where c.id = k.id;
  update private.group_orders g set state = 'paid', next_check_at = at + private.late_capture_delay()
  where g.id in (select c.group_id from unnest(paid_checkouts) as c);
  insert into private.payments (payment_id, provider_order_id, order_id, user_id, amount_paise, fee_paise, method, status, captured_at,
                                created_at, group_id)
  select p.payment_id, p.provider_order_id, case when c.group_id is null then order_ids[p.ordinality] end, p.user_id, p.amount_paise,
         p.fee_paise, p.method, p.status, p.captured_at, p.created_at, c.group_id
  from unnest(payments) with ordinality as p join unnest(paid_checkouts) with ordinality as c on c.ordinality = p.ordinality
  where c.group_place <= 1;
  insert into private.order_gifts (order_id, note, motif, sender_name, recipient_email)
  select order_ids[c.ordinality], c.gift ->> 'note', c.gift ->> 'motif', c.gift ->> 'sender_name', c.gift ->> 'recipient_email'
  from unnest(paid_checkouts) with ordinality as c
  where c.gift is not null;
end $$;

create function private.price_recipients(customer_id uuid, recipients jsonb, card jsonb, at timestamptz)
returns table (place integer, recipient jsonb, quote private.quotes, rejection jsonb)
language plpgsql stable set search_path = '' as $$
begin
  return query
  select p.place, recipients -> p.place - 1, p.quote, coalesce(private.recipient_problem(recipients -> p.place - 1, card), p.rejection)
  from private.price_orders((
    select jsonb_agg(jsonb_build_object(
      'customer_id', price_recipients.customer_id, 'lines', r.value -> 'lines', 'pincode', coalesce(btrim(r.value ->> 'zip'), ''),
      'source', 'direct', 'fulfilment', 'delivery', 'delivery_on', r.value -> 'delivery_on') order by r.ordinality)
    from jsonb_array_elements(recipients) with ordinality as r), at) p;
end $$;

create function private.provider_order_of(checkout private.checkouts) returns text
language sql stable set search_path = '' as $$
  select coalesce(checkout.provider_order_id, (select g.provider_order_id from private.group_orders g where g.id = checkout.group_id));
$$;

create or replace function private.queue_order_emails(event_ids bigint[], at timestamptz) returns void
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
  -- Only emails with a delay that nobody has begun to send: an email that is late for another reason is still due.
  delete from private.outbox o using public.order_events e
  where e.id = any (event_ids) and e.to_status = 'canceled' and o.kind = 'mail' and o.payload ->> 'order_id' = e.order_id::text
    and o.attempts = 0 and o.done_at is null and o.run_after > o.created_at;
end $$;

create or replace function private.queue_refund(order_id uuid, reason text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  with owed as (
    select p.payment_id, p.paid_paise - coalesce(sum(r.amount_paise) filter (where r.status <> 'failed'), 0) as paise
    from private.payments_of_order(queue_refund.order_id) p
    left join private.refunds r on r.payment_id = p.payment_id and r.order_id = queue_refund.order_id
    group by p.payment_id, p.paid_paise
  ), queued as (
    insert into private.refunds (payment_id, order_id, amount_paise, reason)
    select owed.payment_id, queue_refund.order_id, owed.paise, queue_refund.reason from owed where owed.paise > 0
    returning id
  )
  insert into private.outbox (kind, key, payload)
  select 'refund', 'refund:' || queued.id, jsonb_build_object('refund_id', queued.id) from queued;
end $$;

create function private.recipient_problem(recipient jsonb, card jsonb) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(
    (select jsonb_build_object('reason', case when k.value = '' then 'missing-field' else 'invalid-field' end, 'field', k.field)
     from unnest(array['name', 'phone', 'building_no', 'street', 'city', 'state', 'zip']) with ordinality as f (field, place)
     cross join lateral (select f.field, coalesce(btrim(recipient ->> f.field), '') as value) k
     where k.value = '' or not private.fits_address(k.field, k.value)
     order by f.place limit 1),
    case when not private.is_gift(recipient ->> 'note', 'sweets', 'x', null) then jsonb_build_object('reason', 'invalid-field', 'field', 'note')
         when not private.is_gift('', 'sweets', 'x', recipient ->> 'email') then jsonb_build_object('reason', 'invalid-field', 'field', 'email')
         when not private.is_gift('', card ->> 'motif', card ->> 'sender_name', null) then jsonb_build_object('reason', 'invalid-card') end);
$$;

create function private.reject_payment(payment private.payments, checkouts private.checkouts[], rejection text) returns void
language plpgsql set search_path = '' as $$
declare
  holders constant uuid[] := array(select c.id from unnest(checkouts) as c where c.state = 'open' or c.held <> '{}');
begin
  if rejection = 'second-payment' and cardinality(holders) > 0 then
    perform private.release_stock(holders);
  end if;
  insert into private.payments select payment.*;
  if rejection = 'given-back' then
    insert into private.refunds (payment_id, amount_paise, reason, status, created_at, processed_at)
    values (payment.payment_id, payment.amount_paise, rejection, 'processed', payment.created_at, payment.created_at);
  else
    perform private.refund_payment_in_full(payment.payment_id, rejection, payment.created_at);
  end if;
end $$;

create or replace function private.settle_batch(calls jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  at timestamptz := coalesce((select max((c ->> 'at')::timestamptz) from jsonb_array_elements(calls) as c), now());
  outcomes jsonb[] := array_fill(null::jsonb, array[jsonb_array_length(calls)]);
  call record;
  payment private.payments;
  rejection text;
  paid_checkouts private.checkouts[];
  quotes private.quotes[];
  payments private.payments[];
  order_ids uuid[];
  seen_payers uuid[];
begin
  perform private.lock_checkouts_of_payments(array(select c ->> 'provider_order_id' from jsonb_array_elements(calls) as c));
  loop
    paid_checkouts := '{}';
    quotes := '{}';
    payments := '{}';
    order_ids := '{}';
    seen_payers := '{}';
    for call in
      select p.*, k.checkouts, k.quotes, g.paid_group,
             coalesce((g.paid_group).user_id, (g.paid_group).id, (k.checkouts[1]).user_id, (k.checkouts[1]).family_id) as payer,
             private.settled_result(p.payment_id) as earlier_result
      from rows from (jsonb_to_recordset(calls) as (
        provider_order_id text, payment_id text, amount_paise bigint, currency text, method text, fee_paise bigint,
        is_refunded_by_provider boolean)) with ordinality as p
      left join lateral (
        select o as paid_group from private.group_orders o where o.provider_order_id = p.provider_order_id limit 1) g on true
      left join lateral (
        select array_agg(c order by c.group_place) as checkouts, array_agg(q order by c.group_place) as quotes
        from private.checkouts_of_payment(p.provider_order_id) c join private.quotes q on q.id = c.quote_id) k on true
      where outcomes[p.ordinality] is null
    loop
      if call.payer is null then
        outcomes[call.ordinality] := jsonb_build_object('outcome', 'unknown-order');
        continue;
      end if;
      -- One payment per customer and pass, so that the next pass sees this one's orders.
      continue when call.payer = any (seen_payers);
      seen_payers := seen_payers || call.payer;
      outcomes[call.ordinality] := call.earlier_result;
      continue when call.earlier_result is not null;

      rejection := private.payment_rejection(call.checkouts, call.quotes, call.paid_group, call.amount_paise, call.currency,
                                             call.is_refunded_by_provider);
      payment := row(call.payment_id, call.provider_order_id, null,
                     coalesce((call.paid_group).user_id, (call.checkouts[1]).user_id), call.amount_paise, call.fee_paise, call.method,
                     case when call.is_refunded_by_provider then 'refunded' else 'captured' end, at, at, null);
      if rejection is null then
        paid_checkouts := paid_checkouts || call.checkouts;
        quotes := quotes || call.quotes;
        payments := payments || array(select payment from unnest(call.checkouts));
        order_ids := order_ids || array(select gen_random_uuid() from unnest(call.checkouts));
      else
        perform private.reject_payment(payment, call.checkouts, rejection);
        outcomes[call.ordinality] := private.settled_result(call.payment_id);
      end if;
    end loop;
    exit when cardinality(seen_payers) = 0;
    if cardinality(paid_checkouts) > 0 then
      perform private.place_orders(paid_checkouts, quotes, payments, order_ids, at);
      outcomes := array(select coalesce(o.outcome, private.settled_result(c.call ->> 'payment_id'))
                        from unnest(outcomes) with ordinality as o (outcome, n)
                        join jsonb_array_elements(calls) with ordinality as c (call, n) on c.n = o.n order by o.n);
    end if;
  end loop;
  return to_jsonb(outcomes);
end $$;

create or replace function private.settled_result(payment_id text) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_build_object('outcome', case when o.id is null then 'refunded' else 'ordered' end,
                              'user_id', p.user_id, 'order_id', o.id, 'number', o.number, 'group_id', p.group_id,
                              'reason', (select r.reason from private.refunds r where r.payment_id = p.payment_id and o.id is null limit 1))
    from private.payments p
    -- Of a group the order of its first recipient.
    left join public.orders o
      on o.id = coalesce(p.order_id, (select m.id from public.orders m where m.group_id = p.group_id and m.group_place = 1))
    where p.payment_id = settled_result.payment_id);
end $$;

create function private.take_from_holds(customer_id uuid, except_ids uuid[], product_ids bigint[], units integer[]) returns void
language plpgsql set search_path = '' as $$
begin
  update private.checkouts c set held = case when 0 = all (remaining.held) then '{}' else remaining.held end
  from (
    select taken.id, array_agg(taken.units - taken.from_here order by taken.place) as held
    from (
      select k.id, own.place, own.units, least(own.units, greatest(0, coalesce(wanted.units, 0) - coalesce(
               sum(own.units) over (partition by own.product_id order by k.reserved_until, k.id
                                    rows between unbounded preceding and 1 preceding), 0)))::integer as from_here
      from private.checkouts k
      join private.quotes q on q.id = k.quote_id
      cross join lateral unnest(q.product_ids, k.held) with ordinality as own (product_id, units, place)
      left join unnest(take_from_holds.product_ids, take_from_holds.units) as wanted (product_id, units)
        on wanted.product_id = own.product_id
      where k.user_id = take_from_holds.customer_id and k.held <> '{}' and k.id <> all (except_ids)
    ) taken
    group by taken.id
    having sum(taken.from_here) > 0
  ) remaining
  where c.id = remaining.id;
end $$;

create or replace function private.write_checkouts(openings private.opening[], at timestamptz) returns table (place integer, result jsonb)
language plpgsql set search_path = '' as $$
declare
  customer_ids uuid[] := array(select o.customer_id from unnest(openings) with ordinality as o order by o.ordinality);
  holds boolean[] := private.can_hold_stock(
    customer_ids, array(select o.ip_hash from unnest(openings) with ordinality as o order by o.ordinality),
    array(select private.grams_of((o.quote).lines) from unnest(openings) with ordinality as o order by o.ordinality), at);
  holders uuid[] := array(
    select k.id from unnest(customer_ids) as k (id)
    where exists (select from private.checkouts c where c.user_id = k.id and c.held <> '{}'));
begin
  -- What a customer's older checkouts hold of the same products is reserved already, and moves to the new one.
  update public.stock_levels s set reserved = s.reserved + n.units
  from (select u.product_id, sum(case when o.customer_id = any (holders)
                                      then greatest(u.units - private.held_units(o.customer_id, u.product_id), 0) else u.units end) as units
        from unnest(openings) with ordinality as o, unnest((o.quote).product_ids, (o.quote).units) as u (product_id, units)
        where holds[o.ordinality] group by u.product_id) n
  where s.product_id = n.product_id and n.units > 0;
  perform private.take_from_holds(o.customer_id, '{}', (o.quote).product_ids, (o.quote).units)
  from unnest(openings) with ordinality as o
  where holds[o.ordinality] and o.customer_id = any (holders);
  update private.checkouts c set state = 'superseded'
  where c.state = 'open' and c.user_id = any (customer_ids);
  return query
  with opened as (
    insert into private.checkouts as c (quote_id, user_id, family_id, delivery_name, delivery_phone, delivery_building_no,
                                        delivery_street, delivery_city, delivery_state, delivery_zip, held, had_hold, ip_hash,
                                        reserved_until, next_check_at, created_at, address_id, gift)
    select (o.quote).id, o.customer_id, coalesce(o.family_id, gen_random_uuid()), (o.person).name, (o.person).phone, (o.person).building_no,
           (o.person).street, (o.person).city, (o.person).state, (o.person).zip,
           case when holds[o.ordinality] then (o.quote).units else '{}' end, holds[o.ordinality], o.ip_hash,
           write_checkouts.at + private.hold_time(), write_checkouts.at + private.check_interval(write_checkouts.at, write_checkouts.at), write_checkouts.at,
           o.address_id, o.gift
    from unnest(openings) with ordinality as o
    returning c as checkout
  )
  select o.place, private.checkout_result(k.checkout, o.quote, is_new => true)
  from opened k join unnest(openings) as o on (o.quote).id = (k.checkout).quote_id;
end $$;

create function private.write_group(
  customer_id uuid, recipients jsonb, card jsonb, request text, quotes private.quotes[], ip_hash text, at timestamptz
) returns private.group_orders
language plpgsql set search_path = '' as $$
declare
  is_held constant boolean := (private.can_hold_stock(
    array[customer_id], array[ip_hash], array(select sum(private.grams_of(q.lines))::integer from unnest(quotes) as q), at))[1];
  opened private.group_orders;
  product_ids bigint[];
  units integer[];
  bound private.quotes[];
begin
  select array_agg(w.product_id order by w.product_id), array_agg(w.units order by w.product_id) into product_ids, units
  from (select u.product_id, sum(u.units)::integer as units
        from unnest(quotes) as q, unnest(q.product_ids, q.units) as u (product_id, units) group by u.product_id) w;
  if is_held then
    -- What older checkouts hold of the same products is reserved already, and moves to the new ones.
    update public.stock_levels s set reserved = s.reserved + greatest(n.units - private.held_units(customer_id, n.product_id), 0)
    from unnest(product_ids, units) as n (product_id, units)
    where s.product_id = n.product_id;
    perform private.take_from_holds(customer_id, '{}', product_ids, units);
  end if;
  update private.checkouts c set state = 'superseded' where c.state = 'open' and c.user_id = write_group.customer_id;
  insert into private.group_orders (user_id, family_id, recipients, total_paise, contents, request, next_check_at, created_at)
  select write_group.customer_id,
         coalesce((select l.family_id from (
           select g.* from private.group_orders g where g.user_id = write_group.customer_id order by g.created_at desc, g.id limit 1) l
           where l.state = 'open' and l.created_at > at - interval '2 hours'), gen_random_uuid()),
         count(*), sum(q.total_paise), md5(string_agg(private.quote_contents(q.lines)::text, ' ' order by private.quote_contents(q.lines)::text)),
         write_group.request, at + private.check_interval(at, at), at
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
         case when is_held then q.units else '{}' end, is_held and q.ordinality = 1, case when q.ordinality = 1 then write_group.ip_hash end,
         at + private.hold_time(), at,
         jsonb_build_object('note', r.value ->> 'note', 'motif', card ->> 'motif', 'sender_name', card ->> 'sender_name',
                            'recipient_email', r.value ->> 'email'),
         opened.id, q.ordinality
  from unnest(bound) with ordinality as q
  join jsonb_array_elements(recipients) with ordinality as r on r.ordinality = q.ordinality;
  return opened;
end $$;

create or replace function public.admin_read_order(order_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  told public.orders;
  last_event public.order_events;
begin
  perform private.require_admin();
  select * into told from public.orders o where o.id = admin_read_order.order_id;
  if told.id is null then
    return null;
  end if;
  select * into last_event from public.order_events e where e.order_id = told.id order by e.id desc limit 1;
  return private.order_head(told) || jsonb_build_object(
    'lines', private.order_lines(told.id),
    'payment', (
      select jsonb_build_object('payment_id', p.payment_id, 'provider_order_id', p.provider_order_id, 'method', p.method,
                                'amount_paise', p.amount_paise, 'fee_paise', p.fee_paise, 'status', p.status, 'captured_at', p.captured_at)
      from private.payments_of_order(told.id) k join private.payments p on p.payment_id = k.payment_id limit 1),
    'money', (select to_jsonb(m) - 'standing' - 'payment_id' from private.order_balance(told.id) m),
    'refundable_lines', (select coalesce(jsonb_agg(to_jsonb(l)), '[]') from private.refundable_lines(told.id) l),
    'refunds', private.order_refunds(told.id),
    'events', (
      select jsonb_agg(jsonb_build_object(
        'id', e.id, 'from_status', e.from_status, 'to_status', e.to_status, 'role', e.actor_role,
        'by', private.person_name(a.actor_id), 'note', e.public_note, 'at', e.created_at, 'undoes', e.undoes) order by e.id)
      from public.order_events e left join private.order_event_actors a on a.event_id = e.id
      where e.order_id = told.id),
    'undo', case when private.undo_rejection(told, last_event) is null then jsonb_build_object(
      'to_status', last_event.from_status,
      'seconds_left', ceil(extract(epoch from last_event.created_at + private.undo_time() - now()))) end,
    -- What administrators changed besides the status, from their log.
    'changes', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', l.id, 'at', l.at, 'by', private.person_name(l.actor_id), 'before', l.before, 'after', l.after) order by l.id), '[]')
      from (select * from public.audit_log g
            where g.table_name = 'orders' and g.row_id = told.id::text and g.action = 'update'
            order by g.at desc, g.id desc limit 200) l),
    'notes', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', n.id, 'note', n.note, 'by', private.person_name(n.author_id), 'at', n.created_at) order by n.id desc), '[]')
      from private.order_notes n where n.order_id = told.id),
    'customer', private.order_customer(told.user_id),
    'mails', private.order_mail_log(told.id));
end $$;

create or replace function public.attach_provider_order(checkout_id uuid, provider_order_id text) returns text
language plpgsql security definer set search_path = '' as $$
declare
  attached text;
begin
  update private.checkouts c
  set provider_order_id = coalesce(c.provider_order_id, attach_provider_order.provider_order_id)
  where c.id = attach_provider_order.checkout_id
  returning c.provider_order_id into attached;
  if not found then
    update private.group_orders g
    set provider_order_id = coalesce(g.provider_order_id, attach_provider_order.provider_order_id)
    where g.id = attach_provider_order.checkout_id
    returning g.provider_order_id into attached;
  end if;
  return attached;
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
    'refund', (select jsonb_build_object('id', r.id, 'payment_id', r.payment_id, 'amount_paise', r.amount_paise, 'reason', r.reason,
                                         'open', r.status = 'queued')
               from private.refunds r where k.kind = 'refund' and r.id = (k.payload ->> 'refund_id')::uuid)) order by k.id), '[]')
  into jobs from private.lease_jobs(at, most) k;

  return jsonb_build_object('lapsed', expired, 'derived', derived, 'checkouts', checkouts, 'refunds', refunds, 'outbox', jobs);
end $$;

create or replace function public.correct_due_times(at timestamptz default now()) returns void
language sql security definer set search_path = '' as $$
  -- Of a paid checkout: the second look, half an hour after the order.
  update private.checkouts c set next_check_at = at + p.pause
  from (select k.id, case when k.order_id is null then private.check_interval(k.created_at, at)
                          else greatest(private.late_capture_delay(), private.check_interval(k.created_at, at)) end as pause
        from private.checkouts k where k.next_check_at > at + interval '30 seconds' for update skip locked) p
  where c.id = p.id and c.next_check_at > at + p.pause;
  update private.group_orders g set next_check_at = at + p.pause
  from (select k.id, case when k.state = 'open' then private.check_interval(k.created_at, at)
                          else greatest(private.late_capture_delay(), private.check_interval(k.created_at, at)) end as pause
        from private.group_orders k where k.next_check_at > at + interval '30 seconds' for update skip locked) p
  where g.id = p.id and g.next_check_at > at + p.pause;
  update private.checkouts c set reserved_until = at + private.hold_time()
  from (select k.id from private.checkouts k
        where (k.state = 'open' or k.held <> '{}') and k.reserved_until > at + private.hold_time() for update skip locked) p
  where c.id = p.id;
  update private.refunds r set next_check_at = at + interval '1 hour'
  from (select k.id from private.refunds k where k.next_check_at > at + interval '1 hour' for update skip locked) p
  where r.id = p.id;
  -- A job that was not tried yet keeps the delay it was made with; one that was is leased or postponed.
  update private.outbox o set run_after = at + p.pause
  from (select k.id, case when k.attempts = 0 then greatest(k.run_after - k.created_at, interval '0')
                          else private.retry_delay(k.attempts) end as pause
        from private.outbox k where k.done_at is null and k.run_after > at for update skip locked) p
  where o.id = p.id and o.run_after > at + p.pause;
  update private.quotes q set expires_at = at + private.quote_time()
  from (select k.id from private.quotes k where k.expires_at > at + private.quote_time() for update skip locked) p
  where q.id = p.id;
  -- A rate limit counts by windows that have begun; two nodes may differ a little.
  delete from private.rate_limits t
  using (select k.action, k.subject, k.window_start from private.rate_limits k
         where k.window_start > at + interval '1 minute' for update skip locked) p
  where (t.action, t.subject, t.window_start) = (p.action, p.subject, p.window_start);
$$;

create function public.correct_recipient(order_id uuid, delivery jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.orders;
  typed jsonb;
begin
  select * into taken from public.orders o
  where o.id = correct_recipient.order_id and o.user_id = auth.uid() and o.group_id is not null for no key update;
  if taken.id is null then
    raise sqlstate 'PT404' using message = 'Order not found.';
  elsif not private.is_before_packing(taken.status) then
    raise sqlstate 'PT409' using message = 'This parcel is already packed, so its address can’t change.';
  elsif not private.consume_rate_limit('recipient correction', auth.uid()::text, 600, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'Too many changes. Please try again in an hour.';
  end if;
  typed := private.validate_delivery(delivery, taken.fulfilment);
  if typed ->> 'zip' <> taken.delivery_zip
     and (private.zone_of(typed ->> 'zip')).id is distinct from (private.zone_of(taken.delivery_zip)).id then
    perform private.reject('This pincode is in another delivery area. Cancel this recipient and order again for that address.', 'zip');
  end if;
  update public.orders o
  set delivery_name = typed ->> 'name', delivery_phone = typed ->> 'phone', delivery_building_no = typed ->> 'building_no',
      delivery_street = typed ->> 'street', delivery_city = typed ->> 'city', delivery_state = typed ->> 'state',
      delivery_zip = typed ->> 'zip'
  where o.id = taken.id returning * into taken;
  return private.group_member(taken);
end $$;

create or replace function public.finish_check(provider_order_id text, at timestamptz default now(), is_clear boolean default true) returns void
language sql security definer set search_path = '' as $$
  update private.checkouts c
  set next_check_at = case
    when is_clear and c.order_id is not null then (
      select o.created_at + private.late_capture_delay() from public.orders o
      where o.id = c.order_id and o.created_at + private.late_capture_delay() > at)
    when c.created_at > at - interval '5 days' then at + private.check_interval(c.created_at, at) end
  where c.provider_order_id = finish_check.provider_order_id;
  update private.group_orders g
  set next_check_at = case
    when is_clear and g.state = 'paid' then (
      select o.created_at + private.late_capture_delay() from public.orders o
      where o.group_id = g.id and o.group_place = 1 and o.created_at + private.late_capture_delay() > at)
    when g.created_at > at - interval '5 days' then at + private.check_interval(g.created_at, at) end
  where g.provider_order_id = finish_check.provider_order_id;
$$;

create function public.my_group(reference text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', g.id, 'recipients', g.recipients, 'total_paise', g.total_paise, 'created_at', g.created_at,
    'state', case when g.state = 'paid' then 'ordered' when r.id is not null then 'refunded'
                  when exists (select from private.checkouts c where c.group_id = g.id and c.state = 'open') then 'confirming' else 'lapsed' end,
    'refund', case when g.state = 'open' and r.id is not null
                   then jsonb_build_object('reason', r.reason, 'amount_paise', r.amount_paise, 'status', r.status) end,
    'orders', coalesce((
      select jsonb_agg(private.group_member(o) order by o.group_place) from public.orders o where o.group_id = g.id), '[]'))
  from private.group_orders g
  left join lateral (
    select f.* from private.payments p join private.refunds f on f.payment_id = p.payment_id
    where p.provider_order_id = g.provider_order_id and p.group_id is null
    order by f.created_at desc limit 1
  ) r on true
  where g.user_id = (select auth.uid()) and (g.provider_order_id = my_group.reference or g.id::text = my_group.reference);
$$;

create function public.my_groups(group_ids uuid[]) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', g.id, 'recipients', g.recipients, 'total_paise', g.total_paise,
    'statuses', (select coalesce(jsonb_object_agg(s.status, s.orders), '{}')
                 from (select o.status, count(*) as orders from public.orders o where o.group_id = g.id group by o.status) s))), '[]')
  from private.group_orders g
  where g.id = any (group_ids[1:100]) and g.user_id = (select auth.uid());
$$;

create function public.open_group(
  customer_id uuid, recipients jsonb, card jsonb, key text, ip_hash text default null, at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  request_hash constant text := md5(jsonb_build_array(recipients, card, key)::text);
  quotes private.quotes[];
  rejected jsonb;
  short jsonb;
  opened private.group_orders;
begin
  -- No flush: attach_provider_order() commits, and flushes this, before anyone can pay.
  perform set_config('synchronous_commit', 'off', true);
  perform private.lock_checkouts(array[customer_id]);
  select g.* into opened from private.group_orders g
  where g.user_id = customer_id and g.request = request_hash and g.state = 'open'
    and not exists (select from private.checkouts c where c.group_id = g.id and c.state <> 'open')
  order by g.created_at desc limit 1;
  if opened.id is not null then
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
    from unnest(array['mail', 'refund', 'order-change', 'payment-check', 'refund-check']) as q (name)
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

create function public.quote_group(customer_id uuid, recipients jsonb, card jsonb, at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  rows jsonb;
  quotes private.quotes[];
  is_whole boolean;
begin
  if not private.consume_rate_limit('group quote', customer_id::text, 30, interval '1 minute', at) then
    return jsonb_build_object('ok', false, 'reason', 'too-many-quotes');
  end if;
  select jsonb_agg(case when p.rejection is null then jsonb_build_object(
           'place', p.place, 'ok', true, 'sub_total_paise', (p.quote).sub_total_paise, 'tax_paise', (p.quote).tax_paise,
           'shipping_paise', (p.quote).shipping_paise, 'total_paise', (p.quote).total_paise, 'delivery_by', (p.quote).delivery_by)
         else p.rejection || jsonb_build_object('place', p.place, 'ok', false) end order by p.place),
         array_agg(p.quote order by p.place) filter (where p.rejection is null), bool_and(p.rejection is null)
  into rows, quotes, is_whole
  from private.price_recipients(customer_id, recipients, card, at) p;
  return jsonb_build_object(
    'ok', true, 'rows', rows, 'short', case when quotes is null then '[]' else private.group_shortages(customer_id, quotes) end,
    'key', case when is_whole then private.group_key(quotes) end,
    'total_paise', (select coalesce(sum(q.total_paise), 0) from unnest(quotes) as q));
end $$;

create or replace function public.record_payment_event(
  event_id text, name text, provider_order_id text, payment_id text, provider_refund_id text, at timestamptz default now()) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.payment_events (event_id, name, provider_order_id, payment_id, provider_refund_id, received_at)
  values (record_payment_event.event_id, record_payment_event.name, record_payment_event.provider_order_id,
          record_payment_event.payment_id, record_payment_event.provider_refund_id, at)
  on conflict do nothing;
  if not found then
    return false;
  end if;
  -- What is in the books already needs no second look.
  update private.checkouts c set next_check_at = at
  where c.provider_order_id = record_payment_event.provider_order_id
    and not exists (select from private.payments p where p.payment_id = record_payment_event.payment_id);
  update private.group_orders g set next_check_at = at
  where g.provider_order_id = record_payment_event.provider_order_id
    and not exists (select from private.payments p where p.payment_id = record_payment_event.payment_id);
  update private.refunds r set next_check_at = at where r.provider_refund_id = record_payment_event.provider_refund_id
    and r.status = 'pending';
  return true;
end $$;

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
  from private.order_balance(refund.order_id) m
  where o.id = refund.order_id and o.payment_status <> m.standing;
end $$;

create or replace function public.sweep(at timestamptz default now()) returns void
language sql security definer set search_path = '' as $$
  delete from private.checkouts c
  where c.state in ('lapsed', 'superseded') and c.created_at < at - interval '30 days'
    and not exists (select from private.payments p where p.provider_order_id = private.provider_order_of(c));
  delete from private.group_orders g
  where g.state = 'open' and g.created_at < at - interval '30 days' and not exists (select from private.checkouts c where c.group_id = g.id)
    and not exists (select from private.payments p where p.provider_order_id = g.provider_order_id);
  delete from private.quotes q
  where q.expires_at < at - interval '1 hour' and not exists (select from private.checkouts c where c.quote_id = q.id);
  delete from private.payment_events e where e.received_at < at - interval '30 days';
  delete from private.outbox o where o.done_at < at - interval '30 days';
  delete from private.rate_limits t where t.window_start < at - interval '1 day';
  select private.delete_unused_words();
$$;

create or replace view public.order_details_view with (security_invoker = true) as
  select o.id as order_id, o.total_amount, o.status, o.created_at, i.product_name, i.product_image,
         i.quantity, i.size, i.unit_price, o.user_id,
         o.number, i.product_id, o.payment_status, o.shipping_charge, o.sub_total, o.tax, o.fulfilment,
         i.has_size, o.delivery_by, o.courier, o.tracking_number, o.tracking_url, o.cancel_reason,
         private.order_shipping_tax(o) / 100.0 as shipping_tax, o.deliver_on, o.missed_day,
         o.group_id, o.group_place
  from public.orders o
  join public.order_items i on i.order_id = o.id;

create unique index checkouts_group_idx on private.checkouts (group_id, group_place) where group_id is not null;

create index group_orders_family_idx on private.group_orders (family_id);

create index group_orders_next_check_idx on private.group_orders (next_check_at) where next_check_at is not null;

create unique index group_orders_provider_order_id_key on private.group_orders (provider_order_id) where provider_order_id is not null;

create index group_orders_user_idx on private.group_orders (user_id, created_at desc, id);

create unique index payments_group_idx on private.payments (group_id) where group_id is not null;

create unique index orders_group_idx on public.orders (group_id, group_place) where group_id is not null;

revoke execute on function private.check_order_refunds(lowest uuid, highest uuid) from public, anon, authenticated;

revoke execute on function private.checkouts_of_payment(provider_order_id text) from public, anon, authenticated;

revoke execute on function private.complete_hold(checkouts private.checkouts[], quotes private.quotes[]) from public, anon, authenticated;

revoke execute on function private.group_key(quotes private.quotes[]) from public, anon, authenticated;

revoke execute on function private.group_member(told orders) from public, anon, authenticated;

revoke execute on function private.group_result(opened private.group_orders, is_new boolean) from public, anon, authenticated;

revoke execute on function private.group_shortages(customer_id uuid, quotes private.quotes[]) from public, anon, authenticated;

revoke execute on function private.mail_of_event(event order_events) from public, anon, authenticated;

revoke execute on function private.payment_rejection(checkouts private.checkouts[], quotes private.quotes[], paid_group private.group_orders, amount_paise bigint, currency text, is_refunded_by_provider boolean) from public, anon, authenticated;

revoke execute on function private.payments_of_order(order_id uuid) from public, anon, authenticated;

revoke execute on function private.place_orders(paid_checkouts private.checkouts[], quotes private.quotes[], payments private.payments[], order_ids uuid[], at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.price_recipients(customer_id uuid, recipients jsonb, card jsonb, at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.provider_order_of(checkout private.checkouts) from public, anon, authenticated;

revoke execute on function private.recipient_problem(recipient jsonb, card jsonb) from public, anon, authenticated;

revoke execute on function private.reject_payment(payment private.payments, checkouts private.checkouts[], rejection text) from public, anon, authenticated;

revoke execute on function private.take_from_holds(customer_id uuid, except_ids uuid[], product_ids bigint[], units integer[]) from public, anon, authenticated;

revoke execute on function private.write_group(customer_id uuid, recipients jsonb, card jsonb, request text, quotes private.quotes[], ip_hash text, at timestamp with time zone) from public, anon, authenticated;

revoke execute on function public.correct_recipient(order_id uuid, delivery jsonb) from public, anon, authenticated;

grant execute on function public.correct_recipient(order_id uuid, delivery jsonb) to authenticated;

grant execute on function public.correct_recipient(order_id uuid, delivery jsonb) to service_role;

revoke execute on function public.my_group(reference text) from public, anon, authenticated;

grant execute on function public.my_group(reference text) to authenticated;

grant execute on function public.my_group(reference text) to service_role;

revoke execute on function public.my_groups(group_ids uuid[]) from public, anon, authenticated;

grant execute on function public.my_groups(group_ids uuid[]) to authenticated;

grant execute on function public.my_groups(group_ids uuid[]) to service_role;

revoke execute on function public.open_group(customer_id uuid, recipients jsonb, card jsonb, key text, ip_hash text, at timestamp with time zone) from public, anon, authenticated;

grant execute on function public.open_group(customer_id uuid, recipients jsonb, card jsonb, key text, ip_hash text, at timestamp with time zone) to service_role;

revoke execute on function public.quote_group(customer_id uuid, recipients jsonb, card jsonb, at timestamp with time zone) from public, anon, authenticated;

grant execute on function public.quote_group(customer_id uuid, recipients jsonb, card jsonb, at timestamp with time zone) to service_role;
