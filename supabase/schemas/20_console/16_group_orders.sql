-- Console: a group order with its recipients, and sending a parcel that came back once more.
-- Administrators only. Writes the address and the status of one order.
set check_function_bodies = off;

-- A group with an order for each recipient: who paid, the card, and each recipient as lists show an order, with the address, the
-- note and the tracking; null when there is no such group, or it was never paid.
create function public.admin_read_group(group_id uuid, at timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  told private.group_orders;
begin
  perform private.require_admin();
  select * into told from private.group_orders g where g.id = admin_read_group.group_id and g.state = 'paid';
  if told.id is null then
    return null;
  end if;
  return jsonb_build_object(
    'id', told.id, 'placed_at', told.created_at, 'recipients', told.recipients, 'total_paise', told.total_paise,
    'customer', private.order_customer(told.user_id),
    'card', (select jsonb_build_object('motif', c.motif, 'sender_name', c.sender_name)
             from public.orders o join private.order_gifts c on c.order_id = o.id
             where o.group_id = told.id order by o.group_place limit 1),
    'orders', (
      select coalesce(jsonb_agg(private.order_row(o, at)::jsonb || jsonb_build_object(
        'place', o.group_place, 'courier', o.courier, 'tracking_number', o.tracking_number, 'tracking_url', nullif(o.tracking_url, ''),
        'note', coalesce(c.note, ''), 'recipient_email', c.recipient_email,
        'delivery', jsonb_build_object(
          'name', o.delivery_name, 'phone', o.delivery_phone, 'building_no', o.delivery_building_no, 'street', o.delivery_street,
          'city', o.delivery_city, 'state', o.delivery_state, 'zip', o.delivery_zip)) order by o.group_place), '[]')
      from public.orders o left join private.order_gifts c on c.order_id = o.id
      where o.group_id = told.id));
end $$;

-- Sends a parcel that came back once more, to its address as corrected. Not into another state: the invoice was issued for this one
-- when it was packed. It is expected on the first day on which it can be there now.
create function public.admin_send_again(
  order_id uuid, delivery jsonb, seen timestamptz,
  courier text default null, tracking_number text default null, tracking_url text default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.orders;
  typed jsonb;
  zone public.delivery_zones;
  expected_on date;
begin
  perform private.require_admin();
  taken := private.lock_unchanged_order(order_id, seen);
  if taken.status <> 'Undelivered' or taken.fulfilment <> 'delivery' then
    perform private.reject('Only a parcel that could not be delivered is sent again.');
  end if;
  typed := private.validate_delivery(delivery, taken.fulfilment);
  zone := private.zone_of(typed ->> 'zip');
  if zone.id is null and typed ->> 'zip' <> taken.delivery_zip then
    perform private.reject(format('We do not deliver to %s.', typed ->> 'zip'), 'zip');
  elsif private.state_code(typed ->> 'state', typed ->> 'zip')
        is distinct from private.state_code(taken.delivery_state, taken.delivery_zip) then
    perform private.reject(format('The invoice was issued for %s. Cancel this order and place a new one for another state.', taken.delivery_state), 'state');
  end if;
  select p.arrives_on into expected_on from private.promise_delivery(now(), coalesce(zone.max_days, 7)) p;
  expected_on := coalesce(expected_on, taken.delivery_by);
  update public.orders o
  set delivery_name = typed ->> 'name', delivery_phone = typed ->> 'phone', delivery_building_no = typed ->> 'building_no',
      delivery_street = typed ->> 'street', delivery_city = typed ->> 'city', delivery_state = typed ->> 'state',
      delivery_zip = typed ->> 'zip', delivery_by = expected_on,
      deliver_on = case when o.deliver_on is not null then expected_on end,
      status = 'Shipped',
      courier = nullif(private.validate_text(admin_send_again.courier, 'courier', 'The courier', 80), ''),
      tracking_number = nullif(private.validate_text(admin_send_again.tracking_number, 'tracking_number', 'The tracking number', 80), ''),
      tracking_url = nullif(private.validate_link(admin_send_again.tracking_url, 'tracking_url', 'The tracking link'), '')
  where o.id = taken.id returning * into taken;
  return jsonb_build_object('status', taken.status, 'updated_at', taken.updated_at, 'delivery_by', taken.delivery_by);
end $$;
