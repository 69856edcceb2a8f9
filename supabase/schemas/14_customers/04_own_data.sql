-- What a customer can take along and how they leave: everything we hold about them, in pieces that make one ZIP file, and deleting their
-- own account. No tables: read by the edge function myData, and called by the customer. What the shop notes for itself (notes, tags,
-- costs, hashes of addresses) is not among it; supabase/tests/own-data.test.ts lists every table and what was decided for it.
set check_function_bodies = off;

-- Everything about the account but its orders: {name of the file: rows}.
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

-- The claims of an order, with all that was said. Their photos stay where the customer sees them, at the order.
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

-- An order with everything in it that the customer may see.
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

-- One piece of it for the edge function myData: part 'account' has {files}; 'orders', from a number on, {orders}; 'documents', from a
-- place on, {documents}. next says what follows: {part, after}; null: nothing. null for a customer who asked too often.
create function public.read_own_data(customer_id uuid, part text, after bigint[] default null) returns jsonb
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

-- What deleting their account would mean for the caller: {blocker, orders, reviews, invoices, kept_until}. The law keeps invoices for 72
-- months after the annual return of their financial year, which is due on 31 December.
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

-- Deletes the caller's account, confirmed by typing DELETE. It cannot be undone.
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

revoke execute on function public.read_own_data(uuid, text, bigint[]), public.my_erasure(), public.erase_me(text)
  from public, anon, authenticated;
grant execute on function public.read_own_data(uuid, text, bigint[]) to service_role;
grant execute on function public.my_erasure(), public.erase_me(text) to authenticated, service_role;
