-- What customers do with claims: read them, make one, add photos, answer.
-- Called by the edge function claim with the service role, which says who asks: a customer (asker), or the holder of a signed link of
-- one order (link).
set check_function_bodies = off;

-- The order that the caller may claim something of: their own, or the one that their signed link names.
create function private.claimable_order(asker uuid, order_id uuid, link text, at timestamptz) returns public.orders
language sql stable set search_path = '' as $$
  select o.* from public.orders o
  where o.id = case when link is null then claimable_order.order_id else private.order_of_link(link, at) end
    and (link is not null or o.user_id = claimable_order.asker);
$$;

create function private.claim_of_caller(asker uuid, claim_id uuid, link text, at timestamptz) returns private.claims
language sql stable set search_path = '' as $$
  select c.* from private.claims c
  where c.id = claim_of_caller.claim_id and (private.claimable_order(asker, c.order_id, link, at)).id = c.order_id;
$$;

-- Whom the law lets a customer complain to (Consumer Protection (E-Commerce) Rules, 2020, rule 4).
create function private.complaint_contact() returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('name', s.grievance_officer, 'email', coalesce(nullif(s.grievance_email, ''), s.email),
                            'phone', coalesce(nullif(s.grievance_phone, ''), s.whatsapp_number), 'hours', s.grievance_hours)
  from public.shop_settings s;
$$;

-- A claim as its customer sees it: no administrator, no account data. Links are forwarded, and what people write and photograph may hold
-- an address: with a link there are neither messages nor photos.
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

-- An order as the customer claims something of it: what can still be claimed, until when, and the claims so far; null where the
-- caller may not see it.
create function public.read_claims(
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

-- Makes a claim. {ok, id, ticket}, or {ok: false, reason}. The order is locked: what two requests claim at once adds up to no more
-- than was ordered.
create function public.open_claim(
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

-- A message of the customer. {ok}, or {ok: false, reason}. A claim can be answered until a month after it was decided.
create function public.answer_claim(
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

-- Adds a photo, in base64. {ok, id}, or {ok: false, reason}. The function claim has parsed its header; the table checks it again.
create function public.add_claim_photo(
  asker uuid, claim_id uuid, entry_id uuid, type text, width integer, height integer, content text,
  link text default null, at timestamptz default now())
returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  told private.claims := private.claim_of_caller(asker, add_claim_photo.claim_id, link, at);
  added uuid;
begin
  if told.id is null then
    return '{"ok": false, "reason": "unknown-claim"}';
  end if;
  perform from private.claims c where c.id = told.id for no key update;
  select p.id into added from private.claim_photos p where p.entry_id = add_claim_photo.entry_id and p.claim_id = told.id;
  if added is not null then
    return jsonb_build_object('ok', true, 'id', added);
  elsif told.state = 'decided' then
    return '{"ok": false, "reason": "decided"}';
  elsif (select count(*) from private.claim_photos p where p.claim_id = told.id) >= 4 then
    return '{"ok": false, "reason": "enough-photos"}';
  elsif not private.consume_rate_limit('claim photo', told.id::text, 20, interval '1 hour', at) then
    return '{"ok": false, "reason": "too-many"}';
  end if;
  insert into private.claim_photos (claim_id, entry_id, type, width, height, content, at)
  values (told.id, add_claim_photo.entry_id, add_claim_photo.type, add_claim_photo.width, add_claim_photo.height,
          decode(add_claim_photo.content, 'base64'), at)
  returning id into added;
  perform private.record_claim_event(told, 'photo', at);
  return jsonb_build_object('ok', true, 'id', added);
end $$;

-- {type, content} of a photo, for its customer and administrators; null for others, and where there is none.
create function public.read_claim_photo(asker uuid, photo_id uuid, at timestamptz default now()) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('type', p.type, 'content', translate(encode(p.content, 'base64'), E'\n', ''))
  from private.claim_photos p
  where p.id = read_claim_photo.photo_id
    and (exists (select from private.administrators a where a.user_id = asker)
         or (private.claim_of_caller(asker, p.claim_id, null, at)).id is not null);
$$;

revoke execute on function
  public.read_claims(uuid, uuid, text, timestamptz), public.open_claim(uuid, uuid, jsonb, text, uuid, text, timestamptz),
  public.answer_claim(uuid, uuid, text, uuid, text, timestamptz),
  public.add_claim_photo(uuid, uuid, uuid, text, integer, integer, text, text, timestamptz),
  public.read_claim_photo(uuid, uuid, timestamptz)
  from public, anon, authenticated;
grant execute on function
  public.read_claims(uuid, uuid, text, timestamptz), public.open_claim(uuid, uuid, jsonb, text, uuid, text, timestamptz),
  public.answer_claim(uuid, uuid, text, uuid, text, timestamptz),
  public.add_claim_photo(uuid, uuid, uuid, text, integer, integer, text, text, timestamptz),
  public.read_claim_photo(uuid, uuid, timestamptz)
  to service_role;
