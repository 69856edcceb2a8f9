-- An administrator can undo the last move of an order for a minute, as long as nothing followed that cannot be undone: an
-- invoice (issued when an order is packed), returned stock or a refund (of a canceled order), a mail. The mail about a move
-- therefore waits for that minute. Events stay append-only: an undo is another event, which names the one it undoes.

alter table private.order_status_edges add column can_be_undone boolean not null default true;
update private.order_status_edges e set can_be_undone = false where e.to_status in ('Packed', 'canceled', 'Refunded');

alter table public.order_events add column undoes bigint references public.order_events (id);
create unique index order_events_undoes_idx on public.order_events (undoes) where undoes is not null;

create function private.undo_time() returns interval
language sql immutable as $$
  select interval '1 minute';
$$;

create function private.can_be_undone(event public.order_events) returns boolean
language sql stable set search_path = '' as $$
  select event.undoes is null and event.actor_role = 'administrator' and exists (
    select from private.order_status_edges e
    where e.from_status = event.from_status and e.to_status = event.to_status and e.can_be_undone);
$$;

create function private.mail_delay(event public.order_events) returns interval
language sql stable set search_path = '' as $$
  select case when private.can_be_undone(event) then private.undo_time() else interval '0' end;
$$;

-- The mail about an event, and each time it was sent again.
create function private.mails_of_event(event public.order_events) returns setof private.outbox
language sql stable set search_path = '' as $$
  select o.* from private.outbox o
  where o.kind = 'mail' and o.payload ->> 'order_id' = event.order_id::text
    and coalesce(o.payload ->> 'again', o.key) = 'mail:event:' || event.id;
$$;

-- Why the last event of an order cannot be undone; null: it can.
create function private.undo_refusal(taken public.orders, event public.order_events) returns text
language sql stable set search_path = '' as $$
  select case
    when event.to_status = 'canceled' then format('Order %s was cancelled: its stock and money are already on their way back.', taken.number)
    when event.to_status = 'Refunded' then format('Order %s was refunded. A refund cannot be undone.', taken.number)
    when event.undoes is null and event.from_status = 'Preparing' and event.to_status = 'Packed'
      then format('Order %s was packed and its invoice is issued. Cancel the order instead.', taken.number)
    when not private.can_be_undone(event) then format('Order %s has no move to undo.', taken.number)
    when event.created_at + private.undo_time() <= now() then format('Order %s was moved more than a minute ago.', taken.number)
    when exists (select from private.refunds r where r.order_id = taken.id and r.created_at >= event.created_at)
      then format('A refund of order %s has started since.', taken.number)
    when exists (select from private.mails_of_event(event) m where m.attempts > 0 or m.done_at is not null)
      then format('The customer has already been mailed that order %s is %s.', taken.number, event.to_status)
  end;
$$;

-- Whether a change of status is the undo that admin_undo_moves() is carrying out: back over the order's last event.
create function private.is_undo(order_id uuid, from_status text, to_status text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.order_events e
    where e.id = nullif(current_setting('shop.undoes', true), '')::bigint and e.order_id = is_undo.order_id
      and e.from_status = is_undo.to_status and e.to_status = is_undo.from_status
      and not exists (select from public.order_events later where later.order_id = e.order_id and later.id > e.id));
$$;

-- As before, and: a move goes back where it is an undo.
create or replace function private.guard_order() returns trigger
language plpgsql set search_path = '' as $$
declare
  browser boolean := current_user in ('anon', 'authenticated');
  admin boolean := private.is_admin();
  moved boolean := new.status <> old.status;
begin
  if (new.id, new.number, new.created_at, new.source, new.fulfilment, new.sub_total, new.tax, new.shipping_charge, new.total_amount)
     is distinct from
     (old.id, old.number, old.created_at, old.source, old.fulfilment, old.sub_total, old.tax, old.shipping_charge, old.total_amount)
     or (old.user_id is distinct from new.user_id and new.user_id is not null)
     or (old.payment_id is not null and new.payment_id is distinct from old.payment_id) then
    raise sqlstate 'PT403' using message = 'what was ordered and paid never changes';
  end if;

  if browser then
    if (new.user_id, new.payment_id, new.payment_status, new.offline_method)
       is distinct from (old.user_id, old.payment_id, old.payment_status, old.offline_method) then
      raise sqlstate 'PT403' using message = 'only the shop itself records payments';
    end if;
    if not admin and (to_jsonb(new) - 'status' - 'updated_at') <> (to_jsonb(old) - 'status' - 'updated_at') then
      raise sqlstate 'PT403' using message = 'customers can only cancel an order';
    end if;
    if not admin and new.status <> 'canceled' then
      raise sqlstate 'PT403' using message = 'customers can only cancel an order';
    end if;
    if admin and old.status not in ('Pending', 'Confirmed', 'Preparing')
       and (new.delivery_name, new.delivery_phone, new.delivery_building_no, new.delivery_street,
            new.delivery_city, new.delivery_state, new.delivery_zip)
           is distinct from
           (old.delivery_name, old.delivery_phone, old.delivery_building_no, old.delivery_street,
            old.delivery_city, old.delivery_state, old.delivery_zip) then
      raise sqlstate 'PT409' using message = 'the address cannot change once the order is packed';
    end if;
    if admin and moved and new.status = 'canceled'
       and not (old.user_id is not distinct from auth.uid()
                and private.is_legal_move(old.status, new.status, old.fulfilment, by_customer => true))
       and coalesce(btrim(new.cancel_reason), '') = '' then
      raise sqlstate 'PT400' using message = 'canceling needs a reason';
    end if;
  end if;

  if moved and not private.is_legal_move(old.status, new.status, old.fulfilment, by_customer => browser and not admin)
     and (browser or not private.is_undo(old.id, old.status, new.status)) then
    raise sqlstate 'PT409' using
      message = format('an order that is %s cannot become %s', old.status, new.status);
  end if;
  -- A repeated cancel is not an event, but it must not look like a success either.
  if browser and not admin and not moved then
    raise sqlstate 'PT409' using message = 'the order is already canceled';
  end if;

  if moved and new.status in ('canceled', 'Refunded') and old.payment_status in ('paid', 'partially_refunded')
     and old.payment_id is not null then
    new.payment_status := 'refund_pending';
  end if;
  if auth.uid() is not null or new.payment_status = old.payment_status
     or to_jsonb(new) - 'payment_status' <> to_jsonb(old) - 'payment_status' then
    new.updated_at := now();
  end if;
  return new;
end $$;

-- As before, with the event that a move undoes (the setting shop.undoes).
create or replace function private.record_order_event() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  actor uuid := auth.uid();
  event bigint;
begin
  insert into public.order_events (order_id, from_status, to_status, actor_role, public_note, created_at, undoes)
  values (
    new.id, old.status, new.status,
    case when actor is null then 'system'
         -- An administrator who buys is a customer in what customers can do, and an administrator in the rest.
         when private.is_admin() and not (actor is not distinct from new.user_id
              and private.is_legal_move(old.status, new.status, new.fulfilment, by_customer => true)) then 'administrator'
         when actor = new.user_id then 'customer' else 'system' end,
    coalesce(current_setting('shop.public_note', true), ''),
    coalesce(nullif(current_setting('shop.event_at', true), '')::timestamptz, now()),
    nullif(current_setting('shop.undoes', true), '')::bigint
  )
  returning id into event;
  if actor is not null then
    insert into private.order_event_actors (event_id, actor_id) values (event, actor);
  end if;
  return null;
end $$;

-- As before, and: an order that is moved back has been waiting since it first got there.
create or replace function private.keep_status_since() returns trigger
language plpgsql set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    new.status_since := new.updated_at;
  elsif new.status = old.status then
    new.status_since := old.status_since;
  elsif coalesce(current_setting('shop.undoes', true), '') <> '' then
    select coalesce(max(e.created_at), now()) into new.status_since from public.order_events e
    where e.order_id = new.id and e.to_status = new.status and e.undoes is null;
  else
    new.status_since := coalesce(nullif(current_setting('shop.event_at', true), '')::timestamptz, now());
  end if;
  return new;
end $$;

-- As before, and: the mail about a move that can be undone waits until it no longer can. Nobody is mailed about an undo.
create or replace function private.queue_order_mail() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.outbox (kind, key, payload, run_after, created_at)
  select 'mail', 'mail:event:' || e.id, private.event_mail(e),
         -- Most events are of orders that customers place: no call for those.
         e.created_at + case when e.actor_role = 'administrator' then private.mail_delay(e) else interval '0' end, e.created_at
  from recorded e
  where e.created_at > now() - interval '1 day' and private.mail_of_status(e.to_status) is not null and e.undoes is null
    and (select o.user_id from public.orders o where o.id = e.order_id) is not null;
  return null;
end $$;

-- As before, without what was undone.
create or replace function private.order_mails(order_id uuid) returns table (key text, template text, payload jsonb, due_at timestamptz)
language sql stable set search_path = '' as $$
  select 'mail:event:' || e.id, private.mail_of_status(e.to_status), private.event_mail(e), e.created_at
  from public.order_events e
  where e.order_id = order_mails.order_id and private.mail_of_status(e.to_status) is not null
    and e.undoes is null and not exists (select from public.order_events u where u.undoes = e.id)
  union all
  select 'mail:refund-processed:' || r.id, 'refund-processed',
         jsonb_build_object('template', 'refund-processed', 'refund_id', r.id), r.processed_at
  from private.refunds r
  where r.order_id = order_mails.order_id and r.status = 'processed' and r.payment_id is not null;
$$;

-- Back over an event: the mail about it is never sent, and an order that had been shipped has the tracking it had before.
create function private.undo_move(taken public.orders, event public.order_events) returns void
language plpgsql set search_path = '' as $$
begin
  delete from private.outbox o where o.id in (select m.id from private.mails_of_event(event) m);
  perform set_config('shop.undoes', event.id::text, true);
  update public.orders o
  set status = event.from_status,
      courier = case when b.courier is null then o.courier else b.courier #>> '{}' end,
      tracking_number = case when b.tracking_number is null then o.tracking_number else b.tracking_number #>> '{}' end,
      tracking_url = case when b.tracking_url is null then o.tracking_url else b.tracking_url #>> '{}' end
  from (
    -- What was there before the first change since; SQL null where nothing changed.
    select (array_agg(l.before -> 'courier' order by l.id) filter (where l.before ? 'courier'))[1] as courier,
           (array_agg(l.before -> 'tracking_number' order by l.id) filter (where l.before ? 'tracking_number'))[1] as tracking_number,
           (array_agg(l.before -> 'tracking_url' order by l.id) filter (where l.before ? 'tracking_url'))[1] as tracking_url
    from public.audit_log l
    where event.to_status = 'Shipped' and l.table_name = 'orders' and l.row_id = taken.id::text and l.action = 'update'
      and l.at >= event.created_at
  ) b
  where o.id = taken.id;
  perform set_config('shop.undoes', '', true);
end $$;

-- Undoes the last move of each of these orders: [{id, seen}], seen being the updated_at that was looked at. Of each that
-- stays as it is the reason is told: {undone, refused: [{id, reason}]}.
create function public.admin_undo_moves(moves jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  asked record;
  taken public.orders;
  last_event public.order_events;
  reason text;
  undone uuid[] := '{}';
  refused jsonb := '[]';
begin
  perform private.require_admin();
  if jsonb_typeof(moves) is distinct from 'array' or jsonb_array_length(moves) not between 1 and 100 then
    perform private.refuse('Choose between 1 and 100 orders.', 'moves');
  end if;

  perform from public.orders o
  where o.id in (select r.id from private.read_order_moves(moves) r)
  order by o.id for update;
  for asked in select distinct on (r.id) r.id, r.seen from private.read_order_moves(moves) r order by r.id loop
    select * into taken from public.orders o where o.id = asked.id;
    select * into last_event from public.order_events e where e.order_id = asked.id order by e.id desc limit 1;
    -- Locked, so that the worker does not begin to send it meanwhile; what it has begun is seen below.
    perform from private.outbox o where o.id in (select m.id from private.mails_of_event(last_event) m) for update;
    reason := case
      when taken.id is null then 'One of the orders does not exist.'
      when asked.seen is distinct from taken.updated_at
        then format('Order %s was changed by someone else. Reload and check it.', taken.number)
      else private.undo_refusal(taken, last_event)
    end;
    if reason is null then
      perform private.undo_move(taken, last_event);
      undone := undone || taken.id;
    else
      refused := refused || jsonb_build_object('id', asked.id, 'reason', reason);
    end if;
  end loop;
  return jsonb_build_object('undone', to_jsonb(undone), 'refused', refused);
end $$;

-- As before, with what each event undoes and whether the last move can be undone.
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
      from private.payments p where p.order_id = told.id and p.status in ('captured', 'refunded') limit 1),
    'money', (select to_jsonb(m) - 'standing' - 'payment_id' from private.order_money(told.id) m),
    'refundable_lines', (select coalesce(jsonb_agg(to_jsonb(l)), '[]') from private.refundable_lines(told.id) l),
    'refunds', private.order_refunds(told.id),
    'events', (
      select jsonb_agg(jsonb_build_object(
        'id', e.id, 'from_status', e.from_status, 'to_status', e.to_status, 'role', e.actor_role,
        'by', private.person_name(a.actor_id), 'note', e.public_note, 'at', e.created_at, 'undoes', e.undoes) order by e.id)
      from public.order_events e left join private.order_event_actors a on a.event_id = e.id
      where e.order_id = told.id),
    'undo', case when private.undo_refusal(told, last_event) is null then jsonb_build_object(
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

revoke execute on function private.undo_time(), private.can_be_undone(public.order_events), private.mail_delay(public.order_events),
  private.mails_of_event(public.order_events), private.undo_refusal(public.orders, public.order_events),
  private.is_undo(uuid, text, text), private.undo_move(public.orders, public.order_events) from public;
grant execute on function private.is_undo(uuid, text, text) to authenticated, service_role;
select private.open_console_requests();
