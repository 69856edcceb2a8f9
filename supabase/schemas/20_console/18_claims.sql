-- Console: claims, by what is due next; answering and deciding them.
-- Administrators only. Writes claims, their messages, refunds and replacements.
set check_function_bodies = off;

-- Claims of which something is left to do: few, by their own indexes.
create function private.unfinished_claims() returns setof private.claims
language sql stable set search_path = '' as $$
  select c.* from private.claims c where c.state <> 'decided'
  union all
  select c.* from public.orders o join private.claims c on c.order_id = o.id
  where o.payment_status <> 'paid' and o.payment_status in ('refund_pending', 'refund_failed') and c.decision = 'refund'
  union all
  select c.* from private.replacements r join private.claims c on c.id = r.claim_id where r.state = 'to-send';
$$;

create function private.claim_row(told private.claims, at timestamptz) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', told.id, 'ticket', private.claim_ticket(told.number), 'order_id', o.id, 'order_number', o.number, 'customer', o.delivery_name,
    'state', told.state, 'decision', told.decision, 'opened_at', told.opened_at, 'decided_at', told.decided_at,
    'step', d.step, 'due_at', d.due_at, 'is_overdue', coalesce(d.due_at <= claim_row.at, false),
    'problems', (select jsonb_agg(distinct i.problem) from private.claim_items i where i.claim_id = told.id),
    'items', (select string_agg(format('%s × %s', i.quantity, n.product_name), ', ' order by n.id)
              from private.claim_items i join public.order_items n on n.id = i.order_item_id where i.claim_id = told.id),
    'photos', (select count(*) from private.claim_photos p where p.claim_id = told.id),
    'is_unanswered', coalesce((select not m.from_shop from private.claim_messages m where m.claim_id = told.id order by m.id desc limit 1), false))
  from public.orders o cross join lateral private.claim_due(told) d
  where o.id = told.order_id;
$$;

-- Claims: open ones by what is due first, overdue ones at the top; finished ones with the latest decision first.
create function public.admin_list_claims(shown text default 'open', after text default null, at timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 50;
  start jsonb;
  entries jsonb;
begin
  perform private.require_admin();
  start := private.page_start(after);
  if shown is distinct from 'decided' then
    select coalesce(jsonb_agg(e.row order by e.row ->> 'due_at', e.id), '[]') into entries
    from (select c.id, private.claim_row(c, at) as row, (private.claim_due(c)).due_at
          from private.unfinished_claims() c order by due_at, c.id limit 500) e;
    return jsonb_build_object('rows', entries, 'next', null);
  end if;
  select coalesce(jsonb_agg(private.claim_row(p, at) order by p.decided_at desc, p.id desc), '[]') into entries
  from (select c.* from private.claims c
        where c.state = 'decided' and (start is null or (c.decided_at, c.id) < ((start ->> 'key')::timestamptz, (start ->> 'id')::uuid))
        order by c.decided_at desc, c.id desc limit page_size + 1) p;
  return jsonb_build_object('rows', entries - page_size, 'next', case when jsonb_array_length(entries) > page_size then
    jsonb_build_object('key', entries -> (page_size - 1) -> 'decided_at', 'id', entries -> (page_size - 1) -> 'id')::text end);
end $$;

-- What happened to a claim, or to all claims of an order, in order.
create function private.claim_history(events_of uuid) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', e.id, 'claim_id', e.claim_id, 'ticket', private.claim_ticket(c.number), 'kind', e.kind, 'by', private.person_name(e.actor_id),
    'amount_paise', e.amount_paise, 'at', e.at) order by e.id), '[]')
  from private.claim_events e join private.claims c on c.id = e.claim_id where events_of in (e.order_id, e.claim_id);
$$;

-- One claim with its order, or null: what was claimed, what each item can still give back, photos, conversation and steps.
create function public.admin_read_claim(claim_id uuid, at timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  told private.claims;
  ordered public.orders;
begin
  perform private.require_admin();
  select * into told from private.claims c where c.id = admin_read_claim.claim_id;
  if told.id is null then
    return null;
  end if;
  select * into ordered from public.orders o where o.id = told.order_id;
  return private.claim_row(told, at) || jsonb_build_object(
    'updated_at', told.updated_at, 'acknowledge_by', told.acknowledge_by, 'decide_by', told.decide_by, 'settle_by', told.settle_by,
    'acknowledged_at', told.acknowledged_at,
    'order', jsonb_build_object(
      'status', ordered.status, 'payment_status', ordered.payment_status, 'fulfilment', ordered.fulfilment, 'placed_at', ordered.created_at,
      'delivered_at', private.delivered_at(ordered.id), 'delivery_by', ordered.delivery_by, 'total_paise', (ordered.total_amount * 100)::bigint,
      'shipping_paise', (ordered.shipping_charge * 100)::bigint, 'phone', ordered.delivery_phone,
      'city', ordered.delivery_city, 'zip', ordered.delivery_zip, 'email', (select u.email from auth.users u where u.id = ordered.user_id)),
    'money', (select to_jsonb(m) - 'standing' - 'payment_id' from private.order_balance(ordered.id) m),
    'shipping_left_paise', private.refundable_shipping(ordered.id),
    'claimed', (
      select jsonb_agg(jsonb_build_object(
        'order_item_id', n.id, 'name', n.product_name, 'image', n.product_image, 'size', case when n.has_size then n.size end,
        'ordered', n.quantity, 'quantity', i.quantity, 'problem', i.problem, 'line_paise', t.paise, 'given', private.given_quantity(n.id),
        'left_paise', l.paise) order by n.id)
      from private.claim_items i join public.order_items n on n.id = i.order_item_id
      left join private.order_line_totals(told.order_id) t on t.order_item_id = n.id
      left join private.refundable_lines(told.order_id) l on l.order_item_id = n.id
      where i.claim_id = told.id),
    'messages', (
      select coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'from_shop', m.from_shop, 'by', private.person_name(m.author_id),
                                                   'words', m.words, 'at', m.at) order by m.id), '[]')
      from private.claim_messages m where m.claim_id = told.id),
    'photo_list', (
      select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'width', p.width, 'height', p.height, 'at', p.at) order by p.at, p.id), '[]')
      from private.claim_photos p where p.claim_id = told.id),
    'history', private.claim_history(told.id),
    'refunds', (
      select coalesce(jsonb_agg(jsonb_build_object('order_item_id', c.order_item_id, 'quantity', c.quantity, 'amount_paise', r.amount_paise,
                                                   'status', r.status) order by r.created_at, c.order_item_id), '[]')
      from private.claim_refunds c join private.refunds r on r.id = c.refund_id where c.claim_id = told.id),
    'replacement', (
      select jsonb_build_object('state', r.state, 'made_at', r.made_at, 'sent_at', r.sent_at, 'delivered_at', r.delivered_at, 'courier', r.courier,
        'tracking_number', r.tracking_number, 'tracking_url', nullif(r.tracking_url, ''),
        'items', (select jsonb_agg(jsonb_build_object('order_item_id', i.order_item_id, 'quantity', i.quantity) order by i.order_item_id)
                  from private.replacement_items i where i.claim_id = told.id))
      from private.replacements r where r.claim_id = told.id),
    'others', (
      select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'ticket', private.claim_ticket(c.number), 'state', c.state, 'decision', c.decision) order by c.number), '[]')
      from private.claims c where c.order_id = told.order_id and c.id <> told.id));
end $$;

create function public.admin_acknowledge_claim(claim_id uuid, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken private.claims;
begin
  perform private.require_admin();
  taken := private.lock_unchanged_claim(claim_id, seen);
  if taken.state <> 'received' then
    perform private.reject('This claim is already acknowledged.');
  end if;
  update private.claims c set state = 'acknowledged', acknowledged_at = now() where c.id = taken.id returning * into taken;
  perform private.record_claim_event(taken, 'acknowledged', now(), auth.uid());
  return jsonb_build_object('updated_at', taken.updated_at);
end $$;

-- Writes to the customer, who gets it by email too. The first answer acknowledges. The browser makes entry_id: a retry is one message.
create function public.admin_answer_claim(claim_id uuid, words text, entry_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken private.claims;
  typed text;
  message bigint;
begin
  perform private.require_admin();
  typed := private.validate_text(words, 'words', 'The answer', 2000, is_needed => true, is_one_line => false);
  select * into taken from private.claims c where c.id = admin_answer_claim.claim_id for no key update;
  if taken.id is null then
    raise sqlstate 'PT404' using message = 'Claim not found.';
  end if;
  if not exists (select from private.claim_messages m where m.entry_id = admin_answer_claim.entry_id) then
    if taken.state = 'received' then
      update private.claims c set state = 'acknowledged', acknowledged_at = now() where c.id = taken.id returning * into taken;
      perform private.record_claim_event(taken, 'acknowledged', now(), auth.uid());
    end if;
    message := private.write_to_claimant(taken, typed, admin_answer_claim.entry_id, now());
    perform private.record_claim_event(taken, 'answered', now(), auth.uid());
    perform private.queue_claim_mail(taken, 'claim-answered', now(), message);
  end if;
  return jsonb_build_object('updated_at', taken.updated_at);
end $$;

-- Gives back what was paid for a number of each item, with its tax, and a part of the shipping: {refund_paise, updated_at}.
create function public.admin_refund_claim(claim_id uuid, items jsonb, shipping_paise bigint, words text, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken private.claims;
  typed text;
  total bigint;
begin
  perform private.require_admin();
  taken := private.lock_unchanged_claim(claim_id, seen);
  perform private.require_undecided(taken);
  typed := private.validate_text(words, 'words', 'The message to the customer', 2000, is_needed => true, is_one_line => false);
  total := private.refund_claim(taken, items, coalesce(admin_refund_claim.shipping_paise, 0));
  taken := private.decide_claim(taken, 'refund', typed, 'refunded', total, now());
  return jsonb_build_object('refund_paise', total, 'updated_at', taken.updated_at);
end $$;

-- Sends the same again at no charge.
create function public.admin_replace_claim(claim_id uuid, items jsonb, words text, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken private.claims;
  typed text;
begin
  perform private.require_admin();
  taken := private.lock_unchanged_claim(claim_id, seen);
  perform private.require_undecided(taken);
  typed := private.validate_text(words, 'words', 'The message to the customer', 2000, is_needed => true, is_one_line => false);
  perform private.replace_for_claim(taken, items, now());
  taken := private.decide_claim(taken, 'replacement', typed, 'replaced', null, now());
  return jsonb_build_object('updated_at', taken.updated_at);
end $$;

-- The customer reads the reason.
create function public.admin_refuse_claim(claim_id uuid, words text, seen timestamptz) returns jsonb
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

-- The replacement left. The customer gets the tracking by email.
create function public.admin_send_replacement(
  claim_id uuid, courier text, tracking_number text, tracking_url text, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken private.claims;
begin
  perform private.require_admin();
  taken := private.lock_unchanged_claim(claim_id, seen);
  update private.replacements r
  set state = 'sent', sent_at = now(),
      courier = nullif(private.validate_text(admin_send_replacement.courier, 'courier', 'The courier', 80), ''),
      tracking_number = nullif(private.validate_text(admin_send_replacement.tracking_number, 'tracking_number', 'The tracking number', 80), ''),
      tracking_url = nullif(private.validate_link(admin_send_replacement.tracking_url, 'tracking_url', 'The tracking link'), '')
  where r.claim_id = taken.id and r.state = 'to-send';
  if not found then
    perform private.reject('There is no replacement to send.');
  end if;
  update private.claims c set updated_at = now() where c.id = taken.id returning * into taken;
  perform private.record_claim_event(taken, 'sent', now(), auth.uid());
  perform private.queue_claim_mail(taken, 'claim-sent', now());
  return jsonb_build_object('updated_at', taken.updated_at);
end $$;

create function public.admin_deliver_replacement(claim_id uuid, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken private.claims;
begin
  perform private.require_admin();
  taken := private.lock_unchanged_claim(claim_id, seen);
  update private.replacements r set state = 'delivered', delivered_at = now() where r.claim_id = taken.id and r.state = 'sent';
  if not found then
    perform private.reject('There is no replacement on its way.');
  end if;
  update private.claims c set updated_at = now() where c.id = taken.id returning * into taken;
  perform private.record_claim_event(taken, 'delivered', now(), auth.uid());
  return jsonb_build_object('updated_at', taken.updated_at);
end $$;
