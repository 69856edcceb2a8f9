-- The address book of customers, and orders that are gifts: a card with a note and the sender's name, and an email to the recipient.
-- What fits an address is one rule for profiles and the address book.
set check_function_bodies = off;

create function private.fits_address(part text, value text) returns boolean
language sql immutable as $$
  select case part
    when 'name' then char_length(value) <= 80
    when 'phone' then value ~ '^((\+91[ -]?)?[6-9][0-9]{9})?$'
    when 'building_no' then char_length(value) <= 120
    when 'street' then char_length(value) <= 200
    when 'city' then char_length(value) <= 80
    when 'state' then char_length(value) <= 80
    when 'zip' then value ~ '^([1-9][0-9]{5})?$'
    else false end;
$$;

create function private.is_gift(note text, motif text, sender_name text, recipient_email text) returns boolean
language sql immutable set search_path = '' as $$
  select coalesce(
    char_length(note) <= 300 and note !~ '[\u0001-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]'
    and char_length(note) - char_length(replace(note, E'\n', '')) <= 9
    and motif in ('diwali', 'rakhi', 'wedding', 'holi', 'sweets')
    and char_length(sender_name) <= 60 and not private.is_blank(sender_name)
    and sender_name !~ '[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]', false)
    and (recipient_email is null
         or char_length(recipient_email) <= 254 and recipient_email ~ '^[A-Za-z0-9.!#$%&''*+/=?^_`{|}~-]{1,64}@([A-Za-z0-9-]+\.)+[A-Za-z0-9-]{2,}$');
$$;

alter table public.user_profiles drop constraint user_profiles_building_no_check;

alter table public.user_profiles drop constraint user_profiles_city_check;

alter table public.user_profiles drop constraint user_profiles_full_name_check;

alter table public.user_profiles drop constraint user_profiles_phone_check;

alter table public.user_profiles drop constraint user_profiles_state_check;

alter table public.user_profiles drop constraint user_profiles_street_check;

alter table public.user_profiles drop constraint user_profiles_zip_check;

drop function public.open_checkout(customer_id uuid, amount_paise bigint, quote_id uuid, at timestamp with time zone, ip_hash text);

create table private.order_gifts (
  order_id uuid primary key references public.orders (id),
  note text not null,
  motif text not null,
  sender_name text not null,
  recipient_email text,
  constraint order_gifts_are_gifts check (
    private.is_gift(note, motif, sender_name, recipient_email) or (note, sender_name) = ('', '') and recipient_email is null)
);

alter table private.order_gifts enable row level security;

create table public.customer_addresses (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  -- What the customer calls it: Nani, Office.
  label text not null check (char_length(label) <= 40 and not private.is_blank(label)),
  recipient_name text not null check (private.fits_address('name', recipient_name) and not private.is_blank(recipient_name)),
  phone text not null check (private.fits_address('phone', phone) and phone <> ''),
  building_no text not null check (private.fits_address('building_no', building_no) and not private.is_blank(building_no)),
  street text not null check (private.fits_address('street', street) and not private.is_blank(street)),
  city text not null check (private.fits_address('city', city) and not private.is_blank(city)),
  state text not null check (private.fits_address('state', state) and not private.is_blank(state)),
  zip text not null check (private.fits_address('zip', zip) and zip <> ''),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

alter table public.customer_addresses enable row level security;

alter table private.checkouts add column address_id uuid;

alter table private.checkouts add column gift jsonb;

alter type private.opening add attribute address_id uuid;

alter type private.opening add attribute gift jsonb;

alter table private.checkouts add constraint checkouts_gift_check CHECK (((gift IS NULL) OR private.is_gift((gift ->> 'note'::text), (gift ->> 'motif'::text), (gift ->> 'sender_name'::text), (gift ->> 'recipient_email'::text))));

alter table public.user_profiles add constraint user_profiles_building_no_check CHECK (private.fits_address('building_no'::text, building_no));

alter table public.user_profiles add constraint user_profiles_city_check CHECK (private.fits_address('city'::text, city));

alter table public.user_profiles add constraint user_profiles_full_name_check CHECK (private.fits_address('name'::text, full_name));

alter table public.user_profiles add constraint user_profiles_phone_check CHECK (private.fits_address('phone'::text, phone));

alter table public.user_profiles add constraint user_profiles_state_check CHECK (private.fits_address('state'::text, state));

alter table public.user_profiles add constraint user_profiles_street_check CHECK (private.fits_address('street'::text, street));

alter table public.user_profiles add constraint user_profiles_zip_check CHECK (private.fits_address('zip'::text, zip));

create or replace function private.checkout_result(checkout private.checkouts, quote private.quotes, is_new boolean) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  payer private.buyers;
begin
  if checkout.address_id is not null then
    select * into payer from private.buyers b where b.id = checkout.user_id;
  end if;
  return jsonb_build_object(
    'ok', true, 'checkout_id', checkout.id, 'amount_paise', quote.total_paise,
    'provider_order_id', checkout.provider_order_id, 'is_new', is_new,
    'name', coalesce(payer.name, checkout.delivery_name), 'phone', coalesce(payer.phone, checkout.delivery_phone),
    'email', (select u.email from auth.users u where u.id = checkout.user_id),
    'shop', (select s.name from public.shop_settings s));
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
    and not exists (select from private.payments p where p.provider_order_id = c.provider_order_id);
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
                    and (o.lines, o.pincode, o.source, o.fulfilment)
                        is distinct from ((q.quote).lines, (q.quote).pincode, (q.quote).source, (q.quote).fulfilment))
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
  left join lateral (select c.state, c.created_at, c.family_id from private.checkouts c where c.user_id = a.customer_id
                     order by c.created_at desc, c.id limit 1) l on true;
end $$;

create function private.gift_mail(event public.order_events) returns jsonb
language sql stable as $$
  select jsonb_build_object('template', 'gift-on-its-way', 'order_id', event.order_id);
$$;

create function private.gift_mail_event(order_id uuid) returns bigint
language sql stable set search_path = '' as $$
  select min(e.id) from public.order_events e
  where e.order_id = gift_mail_event.order_id and e.to_status = 'Shipped' and e.undoes is null
    and not exists (select from public.order_events u where u.undoes = e.id);
$$;

create function private.gift_of_order(order_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select to_jsonb(g) - 'order_id' from private.order_gifts g where g.order_id = gift_of_order.order_id;
$$;

create function private.guard_address() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform pg_advisory_xact_lock(hashtextextended('addresses ' || new.user_id, 0));
    if (select count(*) from public.customer_addresses a where a.user_id = new.user_id) >= private.most_addresses() then
      raise sqlstate 'PT409' using message = format('an address book holds at most %s addresses', private.most_addresses());
    end if;
  elsif new.user_id <> old.user_id or new.id <> old.id then
    raise sqlstate 'PT403' using message = 'an address cannot be given to somebody else';
  end if;
  if not private.is_service() then
    new.created_at := case when tg_op = 'UPDATE' then old.created_at else now() end;
    if not private.consume_rate_limit('address edit', new.user_id::text, 100, interval '1 hour') then
      raise sqlstate 'PT429' using message = 'too many changes of addresses: at most a hundred an hour';
    end if;
  end if;
  new.updated_at := now();
  return new;
end $$;

create function private.guard_order_gift() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and private.is_erasing() and (new.order_id, new.motif) = (old.order_id, old.motif)
     and (new.note, new.sender_name) = ('', '') and new.recipient_email is null then
    return new;
  end if;
  raise sqlstate 'PT403' using message = 'rows of order_gifts are never changed or deleted';
end $$;

create function private.is_other_parcel(opening private.opening) returns boolean
language sql immutable set search_path = '' as $$
  select ((opening.checkout).address_id, (opening.checkout).gift) is distinct from (opening.address_id, opening.gift)
    or opening.address_id is not null
       and ((opening.checkout).delivery_name, (opening.checkout).delivery_phone, (opening.checkout).delivery_building_no,
            (opening.checkout).delivery_street, (opening.checkout).delivery_city, (opening.checkout).delivery_state)
           is distinct from
           ((opening.person).name, (opening.person).phone, (opening.person).building_no,
            (opening.person).street, (opening.person).city, (opening.person).state);
$$;

create or replace function private.issue_invoices(order_ids uuid[], packed_at timestamptz[]) returns void
language plpgsql security definer set search_path = '' as $$
declare
  shop constant jsonb := private.supplier_facts();
  supplier integer;
  years record;
  before integer;
  prefix constant text := (select s.prefix from private.document_series s where s.series = 'invoice');
begin
  if not exists (select from unnest(order_ids) u (id) where not exists (select from private.invoices i where i.order_id = u.id)) then
    return;
  end if;
  -- Without locking the row: whoever holds the numbers refers to it.
  insert into private.invoice_suppliers (facts) select shop
  where not exists (select from private.invoice_suppliers s where s.facts = shop)
  on conflict on constraint invoice_suppliers_facts_key do nothing;
  select s.id into supplier from private.invoice_suppliers s where s.facts = shop;

  for years in
    select private.financial_year(private.day_of(u.at)) as year, array_agg(u.id order by u.at, o.number) as ids,
           array_agg(u.at order by u.at, o.number) as moments, count(*)::integer as many
    from unnest(order_ids, packed_at) u (id, at) join public.orders o on o.id = u.id
    where not exists (select from private.invoices i where i.order_id = u.id)
    group by 1 order by 1
  loop
    before := private.reserve_document_numbers('invoice', years.year, years.many);
    -- Some at a time: nobody tells the planner how long an array is.
    for start in 0 .. years.many - 1 by 100 loop
      with packed as materialized (
        select o.id, u.at, before + start + u.place::integer as serial, p.place,
               jsonb_build_object('name', private.sold_to(o), 'building_no', o.delivery_building_no, 'street', o.delivery_street,
                                  'city', o.delivery_city, 'state', o.delivery_state, 'zip', o.delivery_zip) as recipient,
               case when shop ->> 'gstin' = '' then 'none' when p.place = shop ->> 'state_code' then 'intra' else 'inter' end as kind
        from unnest(years.ids[start + 1:start + 100], years.moments[start + 1:start + 100]) with ordinality u (id, at, place)
        join public.orders o on o.id = u.id
        cross join lateral (
          select case when o.fulfilment = 'pickup' then shop ->> 'state_code'
                      else coalesce(private.state_code(o.delivery_state, o.delivery_zip), shop ->> 'state_code') end as place
        ) p
      ), written as materialized (
        select l.* from (select array_agg(p.id) as ids, array_agg(p.kind) as kinds from packed p) a,
               private.invoice_lines(a.ids, a.kinds) l
      )
      insert into private.invoices (order_id, year, serial, number, issued_at, supplier_id, recipient, place_code, tax_kind, lines,
                                    taxable_paise, cgst_paise, sgst_paise, igst_paise, total_paise)
      select w.order_id, years.year, p.serial, private.document_number(prefix, years.year, p.serial), p.at, supplier,
             p.recipient, p.place, p.kind, w.lines, w.taxable_paise, w.cgst_paise, w.sgst_paise, w.igst_paise,
             w.taxable_paise + w.cgst_paise + w.sgst_paise + w.igst_paise
      from packed p left join written w on w.order_id = p.id
      order by p.serial;
      perform private.add_to_gst_months('invoice', array_agg(date_trunc('month', private.day_of(i.issued_at))::date), array_agg(i.lines))
      from private.invoices i where i.year = years.year and i.serial > before + start;
    end loop;
  end loop;
  perform private.credit_earlier_refunds(order_ids);
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
  select * into ordered from public.orders o where o.id = coalesce((payload ->> 'order_id')::uuid, payment.order_id);
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

create or replace function private.mails_of_event(event public.order_events) returns setof private.outbox
language sql stable set search_path = '' as $$
  select o.* from private.outbox o
  where o.kind = 'mail' and o.payload ->> 'order_id' = event.order_id::text
    and coalesce(o.payload ->> 'again', o.key) in ('mail:event:' || event.id, 'mail:gift:' || event.id);
$$;

create function private.most_addresses() returns integer
language sql immutable as $$ select 50 $$;

create or replace function private.open_batch(calls jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  at timestamptz := coalesce((select max((c ->> 'at')::timestamptz) from jsonb_array_elements(calls) as c), now());
  results jsonb[] := array_fill(null::jsonb, array[jsonb_array_length(calls)]);
  customers text[] := array(select c.call ->> 'customer_id' from jsonb_array_elements(calls) with ordinality as c (call, n) order by c.n);
  places integer[];
  opening private.opening;
  new_openings private.opening[];
  allowed_openings private.opening[];
  within_limit boolean[];
begin
  -- No flush: attach_provider_order() commits, and flushes this, before anyone can pay.
  perform set_config('synchronous_commit', 'off', true);
  perform private.lock_checkouts(customers::uuid[]);
  loop
    -- The first call of each customer that has no result: the next one sees what this one did.
    places := array(select min(c.n) from unnest(customers) with ordinality as c (customer, n) where results[c.n] is null group by c.customer order by 1);
    exit when cardinality(places) = 0;
    new_openings := '{}';
    for opening in
      select * from private.find_openings((select jsonb_agg(calls -> p.place - 1 order by p.n) from unnest(places) with ordinality as p (place, n)), at)
    loop
      opening.place := places[opening.place];
      if (opening.checkout).state = 'paid' then
        results[opening.place] := jsonb_build_object('ok', false, 'reason', 'already-paid');
      elsif opening.reason is not null then
        results[opening.place] := jsonb_build_object('ok', false, 'reason', opening.reason);
      elsif (opening.checkout).state = 'open' and not private.is_other_parcel(opening) then
        results[opening.place] := private.checkout_result(opening.checkout, opening.quote, is_new => false);
      elsif (opening.checkout).id is not null then
        results[opening.place] := jsonb_build_object('ok', false, 'reason', 'quote-expired');
      else
        new_openings := new_openings || opening;
      end if;
    end loop;
    within_limit := private.consume_rate_limits('checkout', array(select o.customer_id::text from unnest(new_openings) as o), 5, interval '1 minute', at);
    allowed_openings := '{}';
    for n in 1 .. cardinality(new_openings) loop
      opening := new_openings[n];
      results[opening.place] := private.opening_rejection(opening, within_limit[n]);
      if results[opening.place] is null then
        allowed_openings := allowed_openings || opening;
      end if;
    end loop;
    results := private.open_by_stock(allowed_openings, results, at);
  end loop;
  return to_jsonb(results);
end $$;

create or replace function private.opening_rejection(opening private.opening, within_limit boolean) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  person private.buyers := opening.person;
  missing_phone boolean := coalesce(person.phone, '') = '';
  missing_address boolean := (opening.quote).fulfilment = 'delivery'
    and '' = any (array[person.building_no, person.street, person.city, person.state, person.zip]);
begin
  if not within_limit then
    return jsonb_build_object('ok', false, 'reason', 'too-many-checkouts');
  elsif opening.is_blocked then
    return jsonb_build_object('ok', false, 'reason', 'blocked');
  elsif opening.gift is not null and (opening.quote).fulfilment <> 'delivery' then
    return jsonb_build_object('ok', false, 'reason', 'gift-is-delivered');
  -- Deleted meanwhile, or not in this customer's book: the response is the same.
  elsif opening.address_id is not null and person.id is null then
    return jsonb_build_object('ok', false, 'reason', 'address-changed');
  elsif missing_phone or missing_address then
    return jsonb_build_object('ok', false, 'reason', 'address-incomplete',
                              'missing_phone', missing_phone, 'missing_address', missing_address);
  elsif (opening.quote).fulfilment = 'delivery' and person.zip <> (opening.quote).pincode then
    return jsonb_build_object('ok', false, 'reason', 'address-changed');
  end if;
  return null;
end $$;

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
    'deliveryBy', told.delivery_by, 'courier', told.courier, 'trackingNumber', told.tracking_number,
    'trackingUrl', nullif(told.tracking_url, ''), 'cancelReason', told.cancel_reason,
    'isGift', exists (select from private.order_gifts g where g.order_id = told.id),
    'canceledBy', case when told.status = 'canceled' then case actor when 'customer' then 'customer' else 'shop' end end);
$$;

create or replace function private.order_head(told public.orders) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', told.id, 'number', told.number, 'status', told.status, 'payment_status', told.payment_status, 'source', told.source,
    'fulfilment', told.fulfilment, 'placed_at', told.created_at, 'updated_at', told.updated_at, 'delivery_by', told.delivery_by,
    'sub_total_paise', (told.sub_total * 100)::bigint, 'tax_paise', (told.tax * 100)::bigint,
    'shipping_paise', (told.shipping_charge * 100)::bigint, 'shipping_tax_paise', private.order_shipping_tax(told),
    'total_paise', (told.total_amount * 100)::bigint,
    'delivery', jsonb_build_object(
      'name', told.delivery_name, 'phone', told.delivery_phone, 'building_no', told.delivery_building_no,
      'street', told.delivery_street, 'city', told.delivery_city, 'state', told.delivery_state, 'zip', told.delivery_zip),
    'courier', told.courier, 'tracking_number', told.tracking_number, 'tracking_url', nullif(told.tracking_url, ''),
    'cancel_reason', told.cancel_reason, 'canceled_goods', told.canceled_goods, 'offline_method', told.offline_method,
    'gift', private.gift_of_order(told.id));
$$;

create or replace function private.order_mails(order_id uuid) returns table (key text, template text, payload jsonb, due_at timestamptz)
language sql stable set search_path = '' as $$
  select 'mail:event:' || e.id, private.mail_of_status(e.to_status), private.event_mail(e), e.created_at
  from public.order_events e
  where e.order_id = order_mails.order_id and private.mail_of_status(e.to_status) is not null
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

create or replace function private.place_orders(paid_checkouts private.checkouts[], quotes private.quotes[], payments private.payments[], at timestamptz)
returns void
language plpgsql set search_path = '' as $$
begin
  perform set_config('shop.event_at', at::text, true);
  with quoted as materialized (
    select q.*, private.cutoff_window_start(q.created_at) as window_start from unnest(quotes) with ordinality as q
  ), promised as materialized (
    select k.*, private.promise_at_payment(k.pincode, k.delivery_by, k.window_start, place_orders.at) as day
    from (select distinct q.pincode, q.delivery_by, q.window_start from quoted q) k
  )
  insert into public.orders (id, user_id, payment_status, payment_id, source, fulfilment, sub_total, tax, shipping_charge,
                             total_amount, delivery_name, delivery_phone, delivery_building_no, delivery_street,
                             delivery_city, delivery_state, delivery_zip, delivery_by, created_at, updated_at)
  select p.order_id, c.user_id, 'paid', p.payment_id, q.source, q.fulfilment, q.sub_total_paise / 100.0, q.tax_paise / 100.0,
         q.shipping_paise / 100.0, q.total_paise / 100.0, c.delivery_name, c.delivery_phone, c.delivery_building_no,
         c.delivery_street, c.delivery_city, c.delivery_state, c.delivery_zip,
         (select k.day from promised k where k.pincode = q.pincode and k.window_start = q.window_start and k.delivery_by is not distinct from q.delivery_by), at, at
  from unnest(payments) with ordinality as p
  join unnest(paid_checkouts) with ordinality as c on c.ordinality = p.ordinality
  join quoted q on q.ordinality = p.ordinality;
  perform private.fill_orders(array(select p.order_id from unnest(payments) with ordinality as p order by p.ordinality), quotes,
                              were_reserved => true, at => at);
  perform set_config('shop.event_at', '', true);
  -- Checked once more later: attempts that were still under way may be captured after this one.
  update private.checkouts c set state = 'paid', held = '{}', order_id = p.order_id, next_check_at = at + private.late_capture_delay()
  from unnest(payments) with ordinality as p join unnest(paid_checkouts) with ordinality as k on k.ordinality = p.ordinality
  where c.id = k.id;
  insert into private.payments select p.* from unnest(payments) as p;
  insert into private.order_gifts (order_id, note, motif, sender_name, recipient_email)
  select p.order_id, c.gift ->> 'note', c.gift ->> 'motif', c.gift ->> 'sender_name', c.gift ->> 'recipient_email'
  from unnest(payments) with ordinality as p join unnest(paid_checkouts) with ordinality as c on c.ordinality = p.ordinality
  where c.gift is not null;
end $$;

create or replace function private.queue_order_emails(event_ids bigint[], at timestamptz) returns void
language plpgsql set search_path = '' as $$
begin
  insert into private.outbox (kind, key, payload, run_after, created_at)
  select 'mail', 'mail:event:' || e.id, private.event_mail(e), least(e.created_at, at) + private.mail_delay(e), e.created_at
  from public.order_events e
  where e.id = any (event_ids) and e.user_id is not null and private.mail_of_status(e.to_status) is not null
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

create or replace function private.receipt_document(told public.orders) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'kind', 'receipt', 'number', told.number::text, 'issued_at', told.created_at, 'order_number', told.number,
    'placed_at', told.created_at, 'is_collected', told.fulfilment = 'pickup', 'supplier', private.supplier_facts(),
    'recipient', jsonb_build_object('name', private.sold_to(told), 'building_no', told.delivery_building_no, 'street', told.delivery_street,
                                    'city', told.delivery_city, 'state', told.delivery_state, 'zip', told.delivery_zip),
    'payment_status', told.payment_status, 'is_canceled', told.status = 'canceled',
    'lines', (select jsonb_agg(jsonb_build_object(
        'description', i.product_name || case when i.has_size then format(', %s', case i.size when 1000 then '1 kg' else '500 g' end) else '' end,
        'quantity', i.quantity, 'rate_paise', private.line_paise(i.unit_price, i.size, 1)::bigint,
        'line_paise', private.line_paise(i.unit_price, i.size, i.quantity)::bigint) order by i.id)
      from public.order_items i where i.order_id = told.id),
    'sub_total_paise', (told.sub_total * 100)::bigint, 'tax_paise', (told.tax * 100)::bigint,
    'shipping_paise', (told.shipping_charge * 100)::bigint, 'shipping_tax_paise', private.order_shipping_tax(told),
    'total_paise', (told.total_amount * 100)::bigint);
$$;

create function private.recipient_at(buyer private.buyers, address_id uuid) returns private.buyers
language plpgsql stable set search_path = '' as $$
begin
  if address_id is null then
    return buyer;
  end if;
  return (
    select row(buyer.id, buyer.email, btrim(a.recipient_name), btrim(a.phone), btrim(a.building_no), btrim(a.street), btrim(a.city),
               btrim(a.state), btrim(a.zip))::private.buyers
    from public.customer_addresses a where a.id = recipient_at.address_id and a.user_id = buyer.id);
end $$;

create function private.sold_to(told public.orders) returns text
language sql stable set search_path = '' as $$
  select coalesce((select b.name || ', for ' || told.delivery_name
                   from private.order_gifts g join private.buyers b on b.id = told.user_id where g.order_id = told.id),
                  told.delivery_name);
$$;

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
  perform private.take_from_holds(o.customer_id, null, (o.quote).product_ids, (o.quote).units)
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

create or replace function public.admin_list_orders(
  filter jsonb default '{}', sort text default '-placed', after jsonb default null, at timestamptz default now()) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 50;
  f private.order_filter;
  sort_column text;
  key_type text;
  direction text := case when starts_with(sort, '-') then 'desc' else 'asc' end;
  beyond text := 'true';
  sources text[];
  few text[];
  found json;
  found_count integer;
  last json;
  most integer;
  counted integer;
begin
  perform private.require_admin();
  f := private.read_order_filter(filter);
  select s.sort_column, s.key_type into sort_column, key_type
  from (values ('placed', 'created_at', 'timestamptz'), ('number', 'number', 'bigint'), ('total', 'total_amount', 'numeric'),
               ('age', 'status_since', 'timestamptz')) s (name, sort_column, key_type)
  where s.name = ltrim(sort, '-');
  if sort_column is null then
    perform private.reject('Orders cannot be sorted like this.', 'sort');
  elsif sort_column = 'status_since' then
    direction := case direction when 'desc' then 'asc' else 'desc' end;
    f.is_open := true;
  end if;
  sources := private.order_sources(f, at, by_placing => sort_column = 'created_at');
  if after is not null then
    beyond := private.cursor_condition(sort_column, key_type, direction, after);
  end if;

  execute format($q$
    select coalesce(json_agg(json_build_object(
        'id', o.id, 'number', o.number, 'placed_at', o.created_at, 'name', o.delivery_name, 'phone', o.delivery_phone,
        'pincode', o.delivery_zip, 'city', o.delivery_city, 'items', private.summarize_items(o.id, 3),
        'total_paise', (o.total_amount * 100)::bigint, 'payment_status', o.payment_status, 'status', o.status,
        'status_since', o.status_since, 'fulfilment', o.fulfilment, 'source', o.source, 'delivery_by', o.delivery_by,
        'is_gift', exists (select from private.order_gifts g where g.order_id = o.id),
        'refund_due_on', (select d.due_on from private.refunds_due() d where d.order_id = o.id),
        'is_due', o.status in ('Confirmed', 'Preparing') and private.is_due_today(o, $1), 'updated_at', o.updated_at)
      order by k.place) filter (where k.place <= $2), '[]'), count(*),
      (array_agg(json_build_object('key', to_json(k.key) #>> '{}', 'id', k.id)) filter (where k.place = $2))[1]
    from (select k.id, k.key, row_number() over (order by k.key %1$s, k.id %1$s) as place from (%2$s) k) k
    join public.orders o on o.id = k.id$q$,
    direction, private.order_page(sources, sort_column, direction, beyond, page_size + 1))
  into found, found_count, last using at, page_size;

  -- Nobody reads the difference between two thousand and three, and a search that finds so many is costly to count.
  most := case when concat(f.search, f.customer, f.product, f.phone) = '' then 10000 else 1000 end;
  if after is null and found_count <= page_size then
    counted := found_count;
  else
    few := case when array_to_string(sources, '') like '% public.order_items i %'
                then private.order_sources(f, at, by_placing => true, most_lines => 4 * most) else sources end;
    counted := private.count_orders(few, most);
    if counted <= most and few <> sources then
      counted := private.count_orders(sources, most);
    end if;
  end if;
  return json_build_object('rows', found, 'next', case when found_count > page_size then last end,
                           'count', least(counted, most), 'count_is_capped', counted > most);
end $$;

create or replace function public.admin_read_kitchen(only_due boolean default false, at timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  sweets jsonb;
  open_orders integer;
begin
  perform private.require_admin();
  with open as (
    select o.id, private.is_due_today(o, at) as is_due, exists (select from private.order_gifts g where g.order_id = o.id) as is_gift
    from public.orders o where private.is_before_packing(o.status)
  ), wanted as (
    select * from open where is_due or not only_due
  )
  select (select count(*) from wanted), coalesce(jsonb_agg(to_jsonb(k) order by k.category, k.name), '[]') into open_orders, sweets
  from (
    select i.product_id, max(p."Name") as name, max(p."Category") as category, bool_or(i.has_size) as has_size,
           coalesce(sum(i.quantity) filter (where i.has_size and i.size = 500), 0) as half_kilos,
           coalesce(sum(i.quantity) filter (where i.has_size and i.size = 1000), 0) as kilos,
           coalesce(sum(i.size * i.quantity) filter (where i.has_size), 0) as grams,
           coalesce(sum(i.quantity) filter (where not i.has_size), 0) as pieces,
           coalesce(sum(i.size * i.quantity) filter (where i.has_size and w.is_due), 0) as due_grams,
           coalesce(sum(i.quantity) filter (where not i.has_size and w.is_due), 0) as due_pieces,
           count(distinct w.id) as orders, count(distinct w.id) filter (where w.is_gift) as gifts
    from wanted w
    join public.order_items i on i.order_id = w.id
    join public."Products" p on p."Id" = i.product_id
    group by i.product_id
  ) k;
  return jsonb_build_object('orders', open_orders, 'sweets', sweets);
end $$;

create function public.my_gifts(order_ids uuid[]) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(to_jsonb(g) || jsonb_build_object('recipient', o.delivery_name, 'city', o.delivery_city)), '[]')
  from public.orders o join private.order_gifts g on g.order_id = o.id
  where o.id = any (order_ids) and o.user_id = (select auth.uid());
$$;

create function public.open_checkout(
  customer_id uuid, amount_paise bigint, quote_id uuid default null, at timestamptz default now(),
  ip_hash text default null, address_id uuid default null, gift jsonb default null
) returns jsonb
language sql security definer set search_path = '' as $$
  select private.open_batch(jsonb_build_array(jsonb_build_object(
    'customer_id', customer_id, 'amount_paise', amount_paise, 'quote_id', quote_id, 'at', at, 'ip_hash', ip_hash,
    'address_id', address_id, 'gift', gift))) -> 0;
$$;

create index customer_addresses_user_idx on public.customer_addresses (user_id, created_at, id);

create trigger order_gifts_never_change before update or delete on private.order_gifts
  for each row execute function private.guard_order_gift();

create trigger order_gifts_never_emptied before truncate on private.order_gifts
  for each statement execute function private.reject_change();

create trigger customer_addresses_guard before insert or update on public.customer_addresses
  for each row execute function private.guard_address();

create policy "customers add their own addresses" on public.customer_addresses
  for insert to authenticated with check (user_id = (select auth.uid()));

create policy "customers change their own addresses" on public.customer_addresses
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

create policy "customers delete their own addresses" on public.customer_addresses
  for delete to authenticated using (user_id = (select auth.uid()));

create policy "customers read their own addresses" on public.customer_addresses
  for select to authenticated using (user_id = (select auth.uid()));

revoke execute on function private.fits_address(part text, value text) from public, anon, authenticated;

grant execute on function private.fits_address(part text, value text) to public;

revoke execute on function private.gift_mail(event order_events) from public, anon, authenticated;

revoke execute on function private.gift_mail_event(order_id uuid) from public, anon, authenticated;

revoke execute on function private.gift_of_order(order_id uuid) from public, anon, authenticated;

revoke execute on function private.guard_address() from public, anon, authenticated;

revoke execute on function private.guard_order_gift() from public, anon, authenticated;

revoke execute on function private.is_gift(note text, motif text, sender_name text, recipient_email text) from public, anon, authenticated;

revoke execute on function private.is_other_parcel(opening private.opening) from public, anon, authenticated;

revoke execute on function private.most_addresses() from public, anon, authenticated;

revoke execute on function private.recipient_at(buyer private.buyers, address_id uuid) from public, anon, authenticated;

revoke execute on function private.sold_to(told orders) from public, anon, authenticated;

revoke execute on function public.my_gifts(order_ids uuid[]) from public, anon, authenticated;

grant execute on function public.my_gifts(order_ids uuid[]) to authenticated;

grant execute on function public.my_gifts(order_ids uuid[]) to service_role;

revoke execute on function public.open_checkout(customer_id uuid, amount_paise bigint, quote_id uuid, at timestamp with time zone, ip_hash text, address_id uuid, gift jsonb) from public, anon, authenticated;

grant execute on function public.open_checkout(customer_id uuid, amount_paise bigint, quote_id uuid, at timestamp with time zone, ip_hash text, address_id uuid, gift jsonb) to service_role;

revoke all on public.customer_addresses from anon, authenticated;

grant delete, insert, select, update on public.customer_addresses to authenticated;

grant all on public.customer_addresses to service_role;
