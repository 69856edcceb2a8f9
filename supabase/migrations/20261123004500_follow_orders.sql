-- Follow orders.
set check_function_bodies = off;

drop function private.has_bought(customer_id uuid, product_id bigint);

drop function private.mail_content(payload jsonb, site_url text);

create table private.cart_reminders (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  -- When the checkout was opened: what was ordered or paid since may be these items.
  opened_at timestamptz not null,
  -- {product_id, name, size, has_size, quantity, paise_then, box_id, contents}, as lines_as_sold_today() reads them.
  lines jsonb not null,
  lines_key text not null,
  queued_at timestamptz not null
);

alter table private.cart_reminders enable row level security;

create table private.order_link_revocations (
  id bigint generated always as identity primary key,
  order_id uuid not null references public.orders (id),
  revoked_at timestamptz not null default now()
);

alter table private.order_link_revocations enable row level security;

create function private.cart_reminder_facts(reminder_id uuid, site_url text, at timestamptz) returns jsonb
language sql volatile set search_path = '' as $$
  select jsonb_build_object(
    'items', (select jsonb_agg(jsonb_build_object(
                'name', l -> 'name', 'quantity', l -> 'quantity', 'sizeGrams', case when (l ->> 'has_size')::boolean then l -> 'size' end))
              from jsonb_array_elements(k.lines) as l where (l ->> 'is_available')::boolean),
    'restoreUrl', site_url || '/cart#restore=' || private.make_link('restore cart', r.id, 0, private.day_of(at) + t.link_days))
  from private.cart_reminders r, private.cart_reminder_times() t, lateral private.lines_as_sold_today(r.lines) as k (lines)
  where r.id = reminder_id and not private.has_bought_since(r.user_id, r.opened_at)
    and exists (select from jsonb_array_elements(k.lines) as l where (l ->> 'is_available')::boolean);
$$;

create function private.cart_reminder_times(out after interval, out until interval, out pause interval, out link_days integer)
language sql immutable set search_path = '' as $$ select interval '1 hour', interval '1 day', interval '7 days', 14 $$;

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
  perform private.revoke_order_links(o.id) from unnest(ordered) as o (id);
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

create function private.followed_order(order_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'number', o.number, 'placed_at', o.created_at, 'status', o.status, 'payment_status', o.payment_status, 'fulfilment', o.fulfilment,
    'delivery_by', o.delivery_by, 'deliver_on', o.deliver_on, 'missed_day', o.missed_day,
    'courier', o.courier, 'tracking_number', o.tracking_number, 'tracking_url', nullif(o.tracking_url, ''),
    'sub_total_paise', (o.sub_total * 100)::bigint, 'tax_paise', (o.tax * 100)::bigint, 'shipping_paise', (o.shipping_charge * 100)::bigint,
    'shipping_tax_paise', private.order_shipping_tax(o), 'total_paise', (o.total_amount * 100)::bigint,
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

create function private.had_received(customer_id uuid, product_id bigint, before timestamptz) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.orders o
    cross join lateral (
      select from public.order_items i where i.order_id = o.id
        and (i.product_id = had_received.product_id
             or i.contents -> 'products' @> jsonb_build_array(jsonb_build_object('product_id', had_received.product_id))) limit 1
    ) bought
    where o.user_id = had_received.customer_id and o.status in ('Delivered', 'Collected') and o.payment_status <> 'refunded'
      and exists (select from public.order_events e
                  where e.order_id = o.id and e.to_status in ('Delivered', 'Collected') and e.created_at <= had_received.before)
  );
$$;

create function private.has_bought_since(user_id uuid, since timestamptz) returns boolean
language sql stable set search_path = '' as $$
  select exists (select from public.orders o where o.user_id = has_bought_since.user_id and o.created_at >= since)
    or exists (
      select from private.checkouts c join private.payments p on p.provider_order_id = private.provider_order_of(c)
      where c.user_id = has_bought_since.user_id and c.created_at >= since and p.status <> 'failed');
$$;

create function private.is_link_signature(message text, given bytea) returns boolean
language plpgsql stable set search_path = '' as $$
declare
  key constant text := (select k.key from private.link_key k);
  expected constant bytea := decode(private.hmac_sha256(message, coalesce(key, repeat('0', 128))), 'hex');
  padded constant bytea := coalesce(given, '') || decode(repeat('00', 32), 'hex');
  difference integer := case when key is null or octet_length(given) is distinct from 32 then 1 else 0 end;
begin
  for place in 0..31 loop
    difference := difference | (get_byte(expected, place) # get_byte(padded, place));
  end loop;
  return difference = 0;
end $$;

create or replace function private.job_priority(kind text, payload jsonb) returns integer
language sql immutable as $$
  select case when kind <> 'mail' then 0 when payload ->> 'template' in ('back-in-stock', 'gift-reminder', 'review-request', 'cart-reminder') then 2 else 1 end;
$$;

create function private.key_of_lines(lines jsonb) returns text
language sql immutable set search_path = '' as $$
  select encode(sha256(convert_to(string_agg(k.line, E'\n' order by k.line), 'UTF8')), 'hex')
  from (select concat_ws(' ', l ->> 'product_id', l ->> 'size', l ->> 'quantity', l ->> 'box_id', l ->> 'contents') as line
        from jsonb_array_elements(lines) as l) k;
$$;

create or replace function private.lines_again(order_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select private.lines_as_sold_today((
    select jsonb_agg(jsonb_build_object(
      'product_id', i.product_id, 'name', i.product_name, 'size', i.size, 'has_size', i.has_size, 'quantity', i.quantity,
      'paise_then', (i.unit_price * 100)::bigint, 'box_id', i.box_id, 'contents', i.contents -> 'products') order by i.id)
    from public.order_items i where i.order_id = lines_again.order_id));
$$;

create function private.lines_as_sold_today(lines jsonb) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'product_id', i.product_id, 'name', i.name, 'size', i.size, 'has_size', i.has_size, 'quantity', i.quantity,
    'paise_then', i.paise_then, 'paise_now', coalesce((p."Price" * 100)::bigint, b.paise),
    'is_sold', coalesce(p.is_listed and p.archived_at is null, b.is_sold, false),
    'is_available', coalesce(p.is_listed and p.archived_at is null and p.isavailable, b.is_sold and b.is_available, false),
    'is_other_size', coalesce(p."hasSize" <> i.has_size, false),
    'box_id', i.box_id, 'contents', i.contents, 'missing', coalesce(b.missing, '[]')) order by i.place), '[]')
  from rows from (jsonb_to_recordset(lines) as (
    product_id bigint, name text, size integer, has_size boolean, quantity integer, paise_then bigint, box_id bigint, contents jsonb))
    with ordinality as i (product_id, name, size, has_size, quantity, paise_then, box_id, contents, place)
  left join public."Products" p on p."Id" = i.product_id
  left join lateral (
    select (z.price * 100 + sum(c.pieces * private.piece_paise(k."Price", s.piece_grams)))::bigint as paise,
           z.is_listed and z.places = sum(c.pieces) and bool_and(coalesce(k."hasSize" and k.is_listed and k.archived_at is null, false)) as is_sold,
           bool_and(coalesce(k.isavailable, false)) as is_available,
           jsonb_agg(c.name order by c.name) filter (
             where not coalesce(k."hasSize" and k.is_listed and k.archived_at is null and k.isavailable, false)) as missing
    from private.box_sizes z
    cross join jsonb_to_recordset(i.contents) as c (product_id bigint, pieces integer, name text)
    left join private.box_sweets s on s.product_id = c.product_id
    left join public."Products" k on k."Id" = s.product_id
    where z.id = i.box_id
    group by z.id
  ) b on i.box_id is not null;
$$;

create function private.lines_of_quote(lines jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'product_id', l -> 'product_id', 'name', l -> 'product_name', 'size', l -> 'size', 'has_size', l -> 'has_size', 'quantity', l -> 'quantity',
    'paise_then', ((l ->> 'unit_price')::numeric * 100)::bigint, 'box_id', l -> 'box_id', 'contents', l #> '{contents,products}')), '[]')
  from jsonb_array_elements(lines) as l;
$$;

create function private.link_signature(message text) returns bytea
language plpgsql volatile set search_path = '' as $$
begin
  if not exists (select from private.link_key) then
    perform private.make_link_key();
  end if;
  return decode(private.hmac_sha256(message, (select k.key from private.link_key k)), 'hex');
end $$;

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

create function private.make_link(purpose text, subject uuid, version integer, last_day date) returns text
language sql volatile set search_path = '' as $$
  select translate(encode(k.content || private.link_signature(purpose || ' ' || encode(k.content, 'hex')), 'base64'), '+/', '-_')
  from (select uuid_send(subject) || substr(int4send(version), 3) || int4send(last_day - date '1970-01-01')) as k (content);
$$;

create function private.may_ask_for_review(ordered public.orders) returns boolean
language sql stable set search_path = '' as $$
  select ordered.status in ('Delivered', 'Collected') and ordered.payment_status in ('paid', 'paid_offline', 'unpaid')
    and not exists (select from private.refunds r where r.order_id = ordered.id);
$$;

create function private.order_link(order_id uuid, at timestamptz) returns text
language sql volatile set search_path = '' as $$
  select private.make_link('follow order', order_id, private.order_link_version(order_id), private.day_of(at) + private.order_link_days());
$$;

create function private.order_link_days() returns integer
language sql immutable set search_path = '' as $$ select 60 $$;

create function private.order_link_version(order_id uuid) returns integer
language sql stable set search_path = '' as $$
  select count(*)::integer from private.order_link_revocations r where r.order_id = order_link_version.order_id;
$$;

create function private.order_of_link(token text, at timestamptz) returns uuid
language plpgsql stable set search_path = '' as $$
declare
  link record;
begin
  link := private.read_link('follow order', token, at);
  if link.subject is null then
    return null; -- before any row of an order is read
  end if;
  return (
    select o.id from public.orders o
    where o.id = link.subject and (o.user_id is not null or o.source = 'manual') and private.order_link_version(o.id) = link.version);
end $$;

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
  perform private.queue_review_requests(event_ids, at);
  -- Only emails with a delay that nobody has begun to send: an email that is late for another reason is still due.
  delete from private.outbox o using public.order_events e
  where e.id = any (event_ids) and e.to_status = 'canceled' and o.kind = 'mail' and o.payload ->> 'order_id' = e.order_id::text
    and o.attempts = 0 and o.done_at is null and o.run_after > o.created_at;
end $$;

create function private.queue_review_requests(event_ids bigint[], at timestamptz) returns void
language sql set search_path = '' as $$
  insert into private.outbox (kind, key, payload, run_after, created_at)
  select 'mail', 'mail:review-request:' || e.order_id,
         jsonb_build_object('template', 'review-request', 'order_id', e.order_id, 'user_id', e.user_id,
                            'due_at', least(e.created_at, at) + private.review_request_delay()),
         least(e.created_at, at) + private.review_request_delay(), least(e.created_at, at)
  from public.order_events e join public.orders o on o.id = e.order_id
  where e.id = any (event_ids) and e.to_status in ('Delivered', 'Collected') and e.undoes is null and e.user_id is not null
    and o.group_id is null and not exists (select from private.order_gifts g where g.order_id = o.id)
  -- Undone, and arrived later after all.
  on conflict (key) do update set run_after = excluded.run_after, created_at = excluded.created_at, payload = excluded.payload
  where outbox.done_at is null and outbox.attempts = 0;
$$;

create function private.read_link(purpose text, token text, at timestamptz, out subject uuid, out version integer) returns record
language plpgsql stable set search_path = '' as $$
declare
  is_whole constant boolean := coalesce(token ~ '^[A-Za-z0-9_-]{72}$', false);
  carried constant bytea := decode(translate(case when is_whole then token else repeat('A', 72) end, '-_', '+/'), 'base64');
  content constant bytea := substr(carried, 1, 22);
  is_signed constant boolean := private.is_link_signature(purpose || ' ' || encode(content, 'hex'), substr(carried, 23));
  last_day constant date := date '1970-01-01' + (get_byte(content, 18) * 16777216 + get_byte(content, 19) * 65536
                                                 + get_byte(content, 20) * 256 + get_byte(content, 21)) % 2000000;
begin
  if is_whole and is_signed and last_day >= private.day_of(at) then
    subject := encode(substr(content, 1, 16), 'hex')::uuid;
    version := get_byte(content, 16) * 256 + get_byte(content, 17);
  end if;
end $$;

create function private.review_facts(ordered public.orders, site_url text) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('number', ordered.number, 'arrivedOn', private.day_of(ordered.status_since), 'products', p.products)
  from (
    select jsonb_agg(jsonb_build_object('name', k."Name", 'url', site_url || '/product/' || k."Id" || '#reviews') order by k.place) as products
    from (
      select s."Id", s."Name", min(i.id) as place
      from public.order_items i join public."Products" s on s."Id" = i.product_id
      where i.order_id = ordered.id and s.is_listed and s.archived_at is null
        and not exists (select from public.comments c where c.user_id = ordered.user_id and c.product_id = s."Id")
      group by s."Id" order by min(i.id) limit 10
    ) k
  ) p
  where p.products is not null and private.may_ask_for_review(ordered);
$$;

create function private.review_request_delay() returns interval
language sql immutable as $$ select interval '4 days' $$;

create function private.revoke_order_links(order_id uuid) returns void
language sql volatile set search_path = '' as $$
  insert into private.order_link_revocations (order_id) values (revoke_order_links.order_id);
$$;

create function public.admin_make_order_link(order_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  if not exists (select from public.orders o where o.id = admin_make_order_link.order_id) then
    raise sqlstate 'PT404' using message = 'Order not found.';
  end if;
  return jsonb_build_object(
    'token', private.order_link(order_id, now()), 'days', private.order_link_days(),
    'revoked_at', (select max(r.revoked_at) from private.order_link_revocations r where r.order_id = admin_make_order_link.order_id));
end $$;

create function public.admin_revoke_order_links(order_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  if not exists (select from public.orders o where o.id = admin_revoke_order_links.order_id) then
    raise sqlstate 'PT404' using message = 'Order not found.';
  end if;
  perform private.revoke_order_links(order_id);
end $$;

create function public.cart_by_link(token text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  link record;
begin
  link := private.read_link('restore cart', token, now());
  if link.subject is null then
    return null;
  end if;
  return (
    select jsonb_build_object('is_ordered', k.is_ordered,
                              'lines', case when k.is_ordered then '[]'::jsonb else private.lines_as_sold_today(r.lines) end)
    from private.cart_reminders r, lateral private.has_bought_since(r.user_id, r.opened_at) as k (is_ordered)
    where r.id = link.subject);
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
    'mail', case when k.kind = 'mail' then private.mail_content(k.payload, site_url, at) end,
    'refund', (select jsonb_build_object('id', r.id, 'payment_id', r.payment_id, 'amount_paise', r.amount_paise, 'reason', r.reason,
                                         'open', r.status = 'queued')
               from private.refunds r where k.kind = 'refund' and r.id = (k.payload ->> 'refund_id')::uuid)) order by k.id), '[]')
  into jobs from private.lease_jobs(at, most) k;

  return jsonb_build_object('lapsed', expired, 'derived', derived, 'checkouts', checkouts, 'refunds', refunds, 'outbox', jobs);
end $$;

create function public.my_order_again(order_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.lines_again(o.id) from public.orders o where o.id = my_order_again.order_id and o.user_id = (select auth.uid());
$$;

create function public.my_order_link(order_id uuid) returns jsonb
language sql volatile security definer set search_path = '' as $$
  select jsonb_build_object(
    'token', private.order_link(o.id, now()), 'days', private.order_link_days(),
    'revoked_at', (select max(r.revoked_at) from private.order_link_revocations r where r.order_id = o.id))
  from public.orders o where o.id = my_order_link.order_id and o.user_id = (select auth.uid());
$$;

create function public.order_by_link(token text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.followed_order(private.order_of_link(token, now()));
$$;

create or replace function public.postpone_job(job_id bigint, problem text, at timestamptz default now()) returns void
language sql security definer set search_path = '' as $$
  update private.outbox o
  set last_error = left(problem, 500),
      done_at = case when o.kind = 'mail' and coalesce((o.payload ->> 'due_at')::timestamptz, o.created_at) < at - interval '3 days' then at end,
      run_after = at + private.retry_delay(o.attempts)
  where o.id = job_id and o.done_at is null;
$$;

create or replace function public.product_reviews(product_id bigint, before_id bigint default null, max_rows integer default 20)
returns table (id bigint, content text, rating smallint, created_at timestamptz, updated_at timestamptz,
               user_id uuid, author_name text, author_avatar_url text, is_verified boolean)
language sql stable security definer set search_path = '' as $$
  select c.id, c.content, c.rating, c.created_at, c.updated_at, c.user_id, i.name, i.avatar_url,
         private.had_received(c.user_id, c.product_id, c.created_at)
  from (
    select p.* from public.comments p
    where p.product_id = product_reviews.product_id
      and p.hidden_at is null
      and (before_id is null or (p.created_at, p.id) < (select b.created_at, b.id from public.comments b where b.id = before_id))
    order by p.created_at desc, p.id desc
    limit least(greatest(max_rows, 0), 100)
  ) c, lateral public.get_user_info(c.user_id) i
  order by c.created_at desc, c.id desc;
$$;

create function public.queue_cart_reminders(at timestamptz default now()) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  times constant record := private.cart_reminder_times();
  queued integer;
begin
  -- Workers would wait for each other's rows: the other one does all of it.
  if not pg_try_advisory_xact_lock(hashtextextended('cart reminders', 0)) then
    return 0;
  end if;
  perform private.make_link_key();
  with agreed as (
    select a.user_id from (select distinct c.user_id from private.consents c where c.purpose = 'cart-reminders' and c.is_agreed) a
    where private.has_consent(a.user_id, 'cart-reminders')
  ), due as (
    insert into private.cart_reminders (user_id, opened_at, lines, lines_key, queued_at)
    select a.user_id, l.created_at, k.lines, private.key_of_lines(k.lines), at
    from agreed a
    cross join lateral (
      select c.quote_id, c.state, c.created_at from private.checkouts c
      where c.user_id = a.user_id and c.group_id is null order by c.created_at desc, c.id limit 1
    ) l
    join private.quotes q on q.id = l.quote_id
    cross join lateral (select private.lines_of_quote(q.lines)) as k (lines)
    where l.state <> 'paid' and l.created_at <= at - times.after and l.created_at > at - times.until
      and not private.has_bought_since(a.user_id, l.created_at)
      and not exists (
        select from private.cart_reminders r
        where r.user_id = a.user_id and (r.queued_at > at - times.pause or (
          r.lines_key = private.key_of_lines(k.lines) and not private.has_bought_since(a.user_id, r.queued_at))))
    returning id, user_id
  ), mails as (
    insert into private.outbox (kind, key, payload, run_after, created_at)
    select 'mail', 'mail:cart-reminder:' || d.id,
           jsonb_build_object('template', 'cart-reminder', 'user_id', d.user_id, 'reminder_id', d.id), at, at
    from due d
    returning id
  )
  select count(*) into queued from mails;
  return queued;
end $$;

create function public.revoke_my_order_links(order_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := (select auth.uid());
begin
  if not exists (select from public.orders o where o.id = revoke_my_order_links.order_id and o.user_id = caller) then
    return null;
  elsif not private.consume_rate_limit('revoke links', caller::text, 20, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'too many changes: at most twenty an hour';
  end if;
  perform private.revoke_order_links(order_id);
  return public.my_order_link(order_id);
end $$;

create index cart_reminders_user_idx on private.cart_reminders (user_id, queued_at desc);

create index order_link_revocations_order_idx on private.order_link_revocations (order_id);

create trigger order_link_revocations_audit after insert on private.order_link_revocations
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');

create trigger order_link_revocations_never_change before update or delete on private.order_link_revocations
  for each row execute function private.reject_change();

create trigger order_link_revocations_never_emptied before truncate on private.order_link_revocations
  for each statement execute function private.reject_change();

revoke execute on function private.cart_reminder_facts(reminder_id uuid, site_url text, at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.cart_reminder_times(OUT after interval, OUT until interval, OUT pause interval, OUT link_days integer) from public, anon, authenticated;

revoke execute on function private.followed_order(order_id uuid) from public, anon, authenticated;

revoke execute on function private.had_received(customer_id uuid, product_id bigint, before timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.has_bought_since(user_id uuid, since timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.is_link_signature(message text, given bytea) from public, anon, authenticated;

revoke execute on function private.key_of_lines(lines jsonb) from public, anon, authenticated;

revoke execute on function private.lines_as_sold_today(lines jsonb) from public, anon, authenticated;

revoke execute on function private.lines_of_quote(lines jsonb) from public, anon, authenticated;

revoke execute on function private.link_signature(message text) from public, anon, authenticated;

revoke execute on function private.mail_content(payload jsonb, site_url text, at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.make_link(purpose text, subject uuid, version integer, last_day date) from public, anon, authenticated;

revoke execute on function private.may_ask_for_review(ordered orders) from public, anon, authenticated;

revoke execute on function private.order_link(order_id uuid, at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.order_link_days() from public, anon, authenticated;

revoke execute on function private.order_link_version(order_id uuid) from public, anon, authenticated;

revoke execute on function private.order_of_link(token text, at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.queue_review_requests(event_ids bigint[], at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.read_link(purpose text, token text, at timestamp with time zone, OUT subject uuid, OUT version integer) from public, anon, authenticated;

revoke execute on function private.review_facts(ordered orders, site_url text) from public, anon, authenticated;

revoke execute on function private.review_request_delay() from public, anon, authenticated;

revoke execute on function private.revoke_order_links(order_id uuid) from public, anon, authenticated;

revoke execute on function public.admin_make_order_link(order_id uuid) from public, anon, authenticated;

grant execute on function public.admin_make_order_link(order_id uuid) to authenticated;

grant execute on function public.admin_make_order_link(order_id uuid) to service_role;

revoke execute on function public.admin_revoke_order_links(order_id uuid) from public, anon, authenticated;

grant execute on function public.admin_revoke_order_links(order_id uuid) to authenticated;

grant execute on function public.admin_revoke_order_links(order_id uuid) to service_role;

revoke execute on function public.cart_by_link(token text) from public, anon, authenticated;

grant execute on function public.cart_by_link(token text) to anon;

grant execute on function public.cart_by_link(token text) to authenticated;

grant execute on function public.cart_by_link(token text) to service_role;

revoke execute on function public.my_order_again(order_id uuid) from public, anon, authenticated;

grant execute on function public.my_order_again(order_id uuid) to authenticated;

grant execute on function public.my_order_again(order_id uuid) to service_role;

revoke execute on function public.my_order_link(order_id uuid) from public, anon, authenticated;

grant execute on function public.my_order_link(order_id uuid) to authenticated;

grant execute on function public.my_order_link(order_id uuid) to service_role;

revoke execute on function public.order_by_link(token text) from public, anon, authenticated;

grant execute on function public.order_by_link(token text) to anon;

grant execute on function public.order_by_link(token text) to authenticated;

grant execute on function public.order_by_link(token text) to service_role;

revoke execute on function public.queue_cart_reminders(at timestamp with time zone) from public, anon, authenticated;

grant execute on function public.queue_cart_reminders(at timestamp with time zone) to service_role;

revoke execute on function public.revoke_my_order_links(order_id uuid) from public, anon, authenticated;

grant execute on function public.revoke_my_order_links(order_id uuid) to authenticated;

grant execute on function public.revoke_my_order_links(order_id uuid) to service_role;
