-- What customers read of their group orders, and the recipients they correct.
-- No tables: reads group orders, checkouts and orders; writes the address of an order.
set check_function_bodies = off;

-- One group of the caller's, by its id or the provider's order: the state of its payment, as my_checkout(), and its recipients, as
-- soon as there are orders.
create function public.my_group(reference text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', g.id, 'recipients', g.recipients, 'total_paise', g.total_paise, 'created_at', g.created_at,
    'state', case when g.state = 'paid' then 'ordered' when r.id is not null then 'refunded'
                  when exists (select from private.checkouts c where c.group_id = g.id and c.state = 'open') then 'confirming' else 'lapsed' end,
    'refund', case when g.state = 'open' and r.id is not null
                   then jsonb_build_object('reason', r.reason, 'amount_paise', r.amount_paise, 'status', r.status) end,
    'orders', coalesce((
      select jsonb_agg(private.group_member(o) order by o.group_place) from public.orders o where o.group_id = g.id), '[]'),
    'documents', private.documents_of(array(select o.id from public.orders o where o.group_id = g.id)),
    -- What all recipients get together.
    'items', (
      select coalesce(jsonb_agg(to_jsonb(i) - 'first_id' order by i.first_id), '[]')
      from (
        select i.product_name as name, i.product_image as image, case when i.has_size then i.size end as size,
               sum(i.quantity)::integer as quantity, sum(private.line_paise(i.unit_price, i.size, i.quantity))::bigint as line_paise,
               min(i.id) as first_id
        from public.orders o join public.order_items i on i.order_id = o.id
        where o.group_id = g.id group by 1, 2, 3
      ) i))
  from private.group_orders g
  left join lateral (
    select f.* from private.payments p join private.refunds f on f.payment_id = p.payment_id
    where p.provider_order_id = g.provider_order_id and p.group_id is null
    order by f.created_at desc limit 1
  ) r on true
  where g.user_id = (select auth.uid()) and (g.provider_order_id = my_group.reference or g.id::text = my_group.reference);
$$;

-- A recipient as the group's own page shows it.
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

-- Of the caller's groups: how many recipients, what was paid, and how many orders have each status.
create function public.my_groups(group_ids uuid[]) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', g.id, 'recipients', g.recipients, 'total_paise', g.total_paise,
    'statuses', (select coalesce(jsonb_object_agg(s.status, s.orders), '{}')
                 from (select o.status, count(*) as orders from public.orders o where o.group_id = g.id group by o.status) s))), '[]')
  from private.group_orders g
  where g.id = any (group_ids[1:100]) and g.user_id = (select auth.uid());
$$;

-- Corrects name, phone and address of one recipient until the order is packed. Within its delivery zone: another one could cost
-- another charge and arrive on another day.
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
     and ((private.zone_of(typed ->> 'zip')).id = (private.zone_of(taken.delivery_zip)).id) is not true then
    perform private.reject('This pincode is in another delivery area. Cancel this recipient and order again for that address.', 'zip');
  end if;
  update public.orders o
  set delivery_name = typed ->> 'name', delivery_phone = typed ->> 'phone', delivery_building_no = typed ->> 'building_no',
      delivery_street = typed ->> 'street', delivery_city = typed ->> 'city', delivery_state = typed ->> 'state',
      delivery_zip = typed ->> 'zip'
  where o.id = taken.id returning * into taken;
  return private.group_member(taken);
end $$;

revoke execute on function public.my_group(text), public.my_groups(uuid[]), public.correct_recipient(uuid, jsonb)
  from public, anon, authenticated;
grant execute on function public.my_group(text), public.my_groups(uuid[]), public.correct_recipient(uuid, jsonb)
  to authenticated, service_role;
