-- Console: one order with everything that happened to it, its slips and emails.
-- Administrators only. Reads, and queues emails again.
set check_function_bodies = off;

-- What is printed about a box: its weight, and the food facts of its sweets together. One that is not vegetarian makes the box
-- so; it keeps as long as the first of them to go.
create function private.box_facts(contents jsonb)
returns table (grams integer, food_mark text, allergens text, shelf_life_days integer)
language sql stable set search_path = '' as $$
  select ((contents ->> 'box_grams')::integer + sum(c.grams))::integer,
         case when bool_or(p.food_mark = 'non-veg') then 'non-veg' when bool_and(p.food_mark = 'veg') then 'veg' end,
         coalesce(string_agg(p.allergens, '; ' order by p."Id"), ''), min(p.shelf_life_days)::integer
  from jsonb_to_recordset(contents -> 'products') as c (product_id bigint, grams integer)
  left join public."Products" p on p."Id" = c.product_id;
$$;

-- The lines of an order: what was agreed, its weight, and its cost (null: unknown).
create function private.order_lines(order_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', i.id, 'product_id', i.product_id, 'name', i.product_name, 'image', i.product_image, 'quantity', i.quantity,
    'size', i.size, 'has_size', i.has_size, 'unit_price_paise', (i.unit_price * 100)::bigint, 'gst_percent', i.gst_percent,
    'hsn', i.hsn, 'line_paise', private.line_paise(i.unit_price, i.size, i.quantity)::bigint, 'discount_paise', (i.discount * 100)::bigint,
    'grams', case when i.contents is not null then b.grams when i.has_size then i.size else p.weight_grams end * i.quantity,
    'cost_paise', round(private.line_paise(c.unit_cost, i.size, i.quantity))::bigint,
    'food_mark', coalesce(p.food_mark, b.food_mark), 'allergens', coalesce(p.allergens, b.allergens),
    'shelf_life_days', coalesce(p.shelf_life_days, b.shelf_life_days)) order by i.id), '[]')
  from public.order_items i
  left join public."Products" p on p."Id" = i.product_id
  left join lateral private.box_facts(i.contents) b on i.contents is not null
  left join private.placed_items c on c.order_item_id = i.id
  where i.order_id = order_lines.order_id;
$$;

-- What the order's page and its printed slip have in common.
create function private.order_head(told public.orders) returns jsonb
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

-- Refunds, newest first. A failed attempt can be repeated as long as others do not cover the whole amount; one that
-- waits can be sent now.
create function private.order_refunds(order_id uuid) returns jsonb
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

create function private.order_customer(user_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'user_id', u.id, 'name', private.person_name(u.id), 'email', u.email,
    -- As the customer's own page counts them: those that stand, and those that were canceled.
    'orders', (select count(*) from public.orders o where o.user_id = u.id and o.status <> 'canceled'),
    'canceled', (select count(*) from public.orders o where o.user_id = u.id and o.status = 'canceled'),
    'is_blocked', r.blocked_at is not null, 'notes', coalesce(r.notes, ''), 'tags', coalesce(to_jsonb(r.tags), '[]'))
  from auth.users u left join private.customer_records r on r.user_id = u.id
  where u.id = order_customer.user_id;
$$;

-- One order with its lines, money, events and notes, and whether its last move can be undone; null when there is
-- none.
create function public.admin_read_order(order_id uuid) returns jsonb
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
    'claims', private.claim_history(told.id),
    'mails', private.order_mail_log(told.id));
end $$;

-- Packing slips and labels, in the order of the ids, with the note that is printed. Unknown orders are left out.
create function public.admin_print_orders(order_ids uuid[]) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  if coalesce(cardinality(order_ids), 0) > 100 then
    perform private.reject('At most 100 orders are printed at once.');
  end if;
  return jsonb_build_object(
    'shop', (select jsonb_build_object('name', s.name, 'address', s.address, 'fssai_number', s.fssai_number, 'gstin', s.gstin,
                                       'email', s.email, 'whatsapp_number', s.whatsapp_number) from public.shop_settings s),
    'orders', (
      select coalesce(jsonb_agg(private.order_head(o) || jsonb_build_object('lines', private.order_lines(o.id), 'note', (
               select coalesce(string_agg(n.note, E'\n' order by n.id), '') from private.order_notes n where n.order_id = o.id and n.on_paper)) order by w.place), '[]')
      from (select u.id, min(u.place) as place from unnest(order_ids) with ordinality u (id, place) group by u.id) w
      join public.orders o on o.id = w.id));
end $$;

-- Sends the same email again under a new key, with the facts of today; five an hour for an order.
create function public.admin_resend_mail(order_id uuid, mail_key text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  letter record;
begin
  perform private.require_admin();
  select * into letter from private.order_mails(admin_resend_mail.order_id) m where m.key = mail_key;
  if letter.key is null then
    raise sqlstate 'PT404' using message = 'Email not found.';
  elsif not exists (select from public.orders o join auth.users u on u.id = o.user_id
                    where o.id = admin_resend_mail.order_id and u.email is not null) then
    perform private.reject('No email address for this customer.');
  elsif not private.consume_rate_limit('resend-mail', admin_resend_mail.order_id::text, 5, interval '1 hour') then
    perform private.reject('Five mails of this order were sent again within the hour. Please wait a little.');
  end if;
  insert into private.outbox (kind, key, payload)
  values ('mail', 'mail:again:' || gen_random_uuid(), letter.payload || jsonb_build_object('again', letter.key));
  return jsonb_build_object('template', letter.template);
end $$;
