-- Console: moving, canceling, refunding and correcting one order.
-- Administrators only. Writes orders, refunds and notes.
set check_function_bodies = off;

-- The order, locked, if it has not changed since it was looked at.
create function private.lock_unchanged_order(order_id uuid, seen timestamptz) returns public.orders
language plpgsql set search_path = '' as $$
declare
  taken public.orders;
begin
  select * into taken from public.orders o where o.id = lock_unchanged_order.order_id for no key update;
  if taken.id is null then
    raise sqlstate 'PT404' using message = 'Order not found.';
  end if;
  perform private.expect_unchanged(seen, taken.updated_at);
  return taken;
end $$;

-- Moves an order to a next status. Canceling and refunding have their own functions: they need a reason.
create function public.admin_move_order(
  order_id uuid, to_status text, seen timestamptz, public_note text default '',
  courier text default null, tracking_number text default null, tracking_url text default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.orders;
  note text;
begin
  perform private.require_admin();
  taken := private.lock_unchanged_order(order_id, seen);
  note := private.validate_text(public_note, 'public_note', 'The note', 500, is_one_line => false);
  if to_status is null or not exists (select from private.order_status_edges e where e.to_status = admin_move_order.to_status) then
    perform private.reject('Choose where the order goes next.', 'to_status');
  elsif to_status = 'canceled' then
    perform private.reject('Cancel the order instead: that asks for a reason.', 'to_status');
  elsif to_status = 'Refunded' and (select m.refundable_paise from private.order_balance(taken.id) m) > 0 then
    perform private.reject('Refund the whole amount instead: the order becomes Refunded with it.', 'to_status');
  end if;
  perform set_config('shop.public_note', note, true);
  if to_status = 'Shipped' then
    update public.orders o
    set status = 'Shipped',
        courier = nullif(private.validate_text(admin_move_order.courier, 'courier', 'The courier', 80), ''),
        tracking_number = nullif(private.validate_text(admin_move_order.tracking_number, 'tracking_number', 'The tracking number', 80), ''),
        tracking_url = nullif(private.validate_link(admin_move_order.tracking_url, 'tracking_url', 'The tracking link'), '')
    where o.id = taken.id returning * into taken;
  else
    update public.orders o set status = admin_move_order.to_status where o.id = taken.id returning * into taken;
  end if;
  perform set_config('shop.public_note', '', true);
  return jsonb_build_object('status', taken.status, 'updated_at', taken.updated_at);
end $$;

-- Corrects courier and tracking of a shipped order.
create function public.admin_change_tracking(
  order_id uuid, courier text, tracking_number text, tracking_url text, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.orders;
begin
  perform private.require_admin();
  taken := private.lock_unchanged_order(order_id, seen);
  if taken.fulfilment <> 'delivery' or taken.status not in ('Shipped', 'Undelivered', 'Delivered') then
    perform private.reject('The order has not left us.', 'courier');
  end if;
  update public.orders o
  set courier = nullif(private.validate_text(admin_change_tracking.courier, 'courier', 'The courier', 80), ''),
      tracking_number = nullif(private.validate_text(admin_change_tracking.tracking_number, 'tracking_number', 'The tracking number', 80), ''),
      tracking_url = nullif(private.validate_link(admin_change_tracking.tracking_url, 'tracking_url', 'The tracking link'), '')
  where o.id = taken.id returning * into taken;
  return jsonb_build_object('updated_at', taken.updated_at);
end $$;

-- The customer reads the reason. An online payment is refunded automatically (reverse_order_effects); an offline one is paid back
-- by hand and recorded with admin_refund_order().
create function public.admin_cancel_order(order_id uuid, reason text, goods text, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.orders;
begin
  perform private.require_admin();
  taken := private.lock_unchanged_order(order_id, seen);
  if goods is null or goods not in ('stock', 'wastage') then
    perform private.reject('Choose what happens to the items: return to stock, or write off as wastage.', 'goods');
  end if;
  update public.orders o
  set status = 'canceled', canceled_goods = admin_cancel_order.goods,
      cancel_reason = private.validate_text(admin_cancel_order.reason, 'reason', 'The reason', 300, is_needed => true)
  where o.id = taken.id returning * into taken;
  return jsonb_build_object('status', taken.status, 'updated_at', taken.updated_at);
end $$;

-- Refunds part or all of what was paid, for one line of the order where it is named: its credit note is then for
-- that line. A full refund makes a delivered or collected order Refunded. What was paid offline is paid back by hand and
-- recorded: how, with which reference and on which day.
create function public.admin_refund_order(
  order_id uuid, amount_paise bigint, reason text, seen timestamptz, order_item_id bigint default null,
  method text default null, reference text default '', paid_on date default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.orders;
  money record;
  why text;
  refund_id uuid;
  line_paise bigint;
  is_all boolean;
begin
  perform private.require_admin();
  taken := private.lock_unchanged_order(order_id, seen);
  select * into money from private.order_balance(taken.id);
  why := private.validate_text(reason, 'reason', 'The reason', 300, is_needed => true);
  if money.paid_paise = 0 then
    perform private.reject('Nothing was paid for this order.', 'amount_paise');
  elsif money.refundable_paise = 0 then
    perform private.reject('All that was paid is refunded or on its way back.', 'amount_paise');
  elsif amount_paise is null or amount_paise <= 0 then
    perform private.reject('Type an amount above zero.', 'amount_paise');
  elsif amount_paise > money.refundable_paise then
    perform private.reject(format('At most %s can be refunded.', private.format_rupees(money.refundable_paise)), 'amount_paise');
  end if;
  if order_item_id is not null then
    line_paise := (select l.paise from private.refundable_lines(taken.id) l where l.order_item_id = admin_refund_order.order_item_id);
    if line_paise is null then
      perform private.reject('This item is not in the order.', 'amount_paise');
    elsif line_paise <= 0 then
      perform private.reject('This item is already refunded.', 'amount_paise');
    elsif amount_paise > line_paise then
      perform private.reject(format('At most %s can be refunded for this item.', private.format_rupees(line_paise)), 'amount_paise');
    end if;
  end if;
  is_all := amount_paise = money.refundable_paise;

  if money.payment_id is null then
    refund_id := private.record_refund_by_hand(
      null, taken.id, amount_paise, case taken.status when 'canceled' then 'order canceled' else 'order refunded' end, why, null, order_item_id,
      method, reference, paid_on, now());
  else
    -- Money asked for after a refund that failed for good takes its place, as far as it goes.
    refund_id := private.new_refund(money.payment_id, taken.id, amount_paise, 'order refunded', now(), now(),
                                    why, auth.uid(), private.refund_to_retry(taken.id), order_item_id);
  end if;
  select * into money from private.order_balance(taken.id);
  update public.orders o
  set status = case when is_all and o.status in ('Delivered', 'Collected') then 'Refunded' else o.status end,
      payment_status = money.standing
  where o.id = taken.id returning * into taken;
  return jsonb_build_object('refund_id', refund_id, 'status', taken.status, 'payment_status', taken.payment_status,
                            'updated_at', taken.updated_at);
end $$;

-- A phone order that was paid at the counter or by UPI. Not a canceled one: its invoice is credited.
create function public.admin_mark_order_paid(order_id uuid, method text, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.orders;
begin
  perform private.require_admin();
  taken := private.lock_unchanged_order(order_id, seen);
  if taken.source <> 'manual' or taken.payment_status <> 'unpaid' or taken.status in ('canceled', 'Refunded') then
    perform private.reject('Only a phone order that is unpaid can be marked as paid.');
  elsif method is null or method not in ('cash', 'upi', 'card', 'bank') then
    perform private.reject('Choose a payment mode.', 'method');
  end if;
  update public.orders o set payment_status = 'paid_offline', offline_method = admin_mark_order_paid.method
  where o.id = taken.id returning * into taken;
  return jsonb_build_object('payment_status', taken.payment_status, 'updated_at', taken.updated_at);
end $$;

-- Name, phone and address as typed, validated. Pickup needs no address.
create function private.validate_delivery(delivery jsonb, fulfilment text) returns jsonb
language plpgsql immutable set search_path = '' as $$
declare
  is_needed boolean := fulfilment = 'delivery';
  tidied jsonb := jsonb_build_object(
    'name', private.validate_text(delivery ->> 'name', 'name', 'The name', 120, is_needed => true),
    'phone', private.validate_text(delivery ->> 'phone', 'phone', 'The phone number', 20, is_needed => true),
    'building_no', private.validate_text(delivery ->> 'building_no', 'building_no', 'The building', 120, is_needed),
    'street', private.validate_text(delivery ->> 'street', 'street', 'The street', 200, is_needed),
    'city', private.validate_text(delivery ->> 'city', 'city', 'The city', 80, is_needed),
    'state', private.validate_text(delivery ->> 'state', 'state', 'The state', 80, is_needed),
    'zip', private.validate_text(delivery ->> 'zip', 'zip', 'The pincode', 6, is_needed));
begin
  if tidied ->> 'phone' !~ '^(\+91[ -]?)?[6-9][0-9]{9}$' then
    perform private.reject('A mobile number has ten digits and begins with 6 to 9.', 'phone');
  elsif tidied ->> 'zip' !~ '^([1-9][0-9]{5})?$' then
    perform private.reject('A pincode has six digits and does not begin with 0.', 'zip');
  end if;
  return tidied;
end $$;

-- Corrects the recipient and the address until the order is packed. The shipping charge never changes. Sweets that
-- would not survive the way to another place are returned (`spoiled`) and stay in the order: the owner knows the
-- courier.
create function public.admin_change_address(order_id uuid, delivery jsonb, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.orders;
  typed jsonb;
  zone public.delivery_zones;
  journey record;
  chosen record;
  spoiled jsonb;
begin
  perform private.require_admin();
  taken := private.lock_unchanged_order(order_id, seen);
  if not private.is_before_packing(taken.status) then
    perform private.reject('The address cannot change once the order is packed.');
  end if;
  typed := private.validate_delivery(delivery, taken.fulfilment);
  if taken.fulfilment = 'delivery' and typed ->> 'zip' <> taken.delivery_zip then
    zone := private.zone_of(typed ->> 'zip');
    if zone.id is null then
      perform private.reject(format('We do not deliver to %s.', typed ->> 'zip'), 'zip');
    end if;
    -- It has not left us: another place is promised a day from now on.
    select * into journey from private.promise_delivery(now(), zone.max_days);
    if journey.arrives_on is null then
      perform private.reject('The shop is closed for too long to promise a date. Change the closures first, then the address.', 'zip');
    end if;
    -- A chosen day stays if the parcel can still be there, also if something would spoil; otherwise it is the next possible one.
    -- Whoever corrects the address sees it: missed_day is for late payments.
    if taken.deliver_on is not null then
      select c.deliver_on, c.pack_on into chosen
      from private.day_at_payment(typed ->> 'zip', taken.deliver_on, '{}', now()) c;
      taken.deliver_on := chosen.deliver_on;
      taken.pack_on := chosen.pack_on;
      journey.leaves_on := coalesce(chosen.pack_on, journey.leaves_on);
      journey.arrives_on := coalesce(chosen.deliver_on, journey.arrives_on);
    end if;
    taken.delivery_by := journey.arrives_on;
    spoiled := private.products_that_spoil(array(select g.product_id from private.goods_of_order(taken.id) g),
                               journey.arrives_on - journey.leaves_on);
  end if;
  update public.orders o
  set delivery_name = typed ->> 'name', delivery_phone = typed ->> 'phone', delivery_building_no = typed ->> 'building_no',
      delivery_street = typed ->> 'street', delivery_city = typed ->> 'city', delivery_state = typed ->> 'state',
      delivery_zip = typed ->> 'zip', delivery_by = taken.delivery_by,
      deliver_on = taken.deliver_on, pack_on = taken.pack_on
  where o.id = taken.id returning * into taken;
  return jsonb_build_object('updated_at', taken.updated_at, 'delivery_by', taken.delivery_by, 'spoiled', coalesce(spoiled, '[]'));
end $$;

-- An internal note. It changes nothing else, so it needs no updated_at. The browser makes entry_id, so that a retry
-- is still one note.
create function public.admin_add_order_note(order_id uuid, note text, entry_id uuid default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  added private.order_notes;
  typed_note text;
begin
  perform private.require_admin();
  if not exists (select from public.orders o where o.id = admin_add_order_note.order_id) then
    raise sqlstate 'PT404' using message = 'Order not found.';
  end if;
  typed_note := private.validate_text(admin_add_order_note.note, 'note', 'The note', 2000, is_needed => true, is_one_line => false);
  insert into private.order_notes as n (order_id, author_id, note, entry_id)
  values (admin_add_order_note.order_id, auth.uid(), typed_note, admin_add_order_note.entry_id)
  on conflict on constraint order_notes_entry_id_key do nothing
  returning * into added;
  if added.id is null then
    select * into added from private.order_notes n where n.entry_id = admin_add_order_note.entry_id;
    if (added.order_id, added.note) is distinct from (admin_add_order_note.order_id, typed_note) then
      raise sqlstate 'PT409' using message = 'This note was already added. Check it before you add another.', detail = 'stale';
    end if;
  end if;
  return jsonb_build_object('id', added.id);
end $$;
