-- A box whose size was deleted can still be paid; refunds of a group are told apart by their order; its recipients call for themselves,
-- and are corrected only to where we deliver; gifts with boxes can be sent again.
set check_function_bodies = off;

alter table public.order_items drop constraint order_items_box_id_fkey;

create or replace function private.lines_again(order_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'product_id', i.product_id, 'name', i.product_name, 'size', i.size, 'has_size', i.has_size, 'quantity', i.quantity,
    'paise_then', (i.unit_price * 100)::bigint, 'paise_now', coalesce((p."Price" * 100)::bigint, b.paise),
    'is_sold', coalesce(p.is_listed and p.archived_at is null, b.is_sold, false),
    'is_available', coalesce(p.is_listed and p.archived_at is null and p.isavailable, b.is_sold and b.is_available, false),
    'box_id', i.box_id, 'contents', i.contents -> 'products') order by i.id), '[]')
  from public.order_items i
  left join public."Products" p on p."Id" = i.product_id
  left join lateral (
    select (z.price * 100 + sum(c.pieces * private.piece_paise(k."Price", s.piece_grams)))::bigint as paise,
           z.is_listed and z.places = sum(c.pieces) and bool_and(coalesce(k."hasSize" and k.is_listed and k.archived_at is null, false)) as is_sold,
           bool_and(coalesce(k.isavailable, false)) as is_available
    from private.box_sizes z
    cross join jsonb_to_recordset(i.contents -> 'products') as c (product_id bigint, pieces integer)
    left join private.box_sweets s on s.product_id = c.product_id
    left join public."Products" k on k."Id" = s.product_id
    where z.id = i.box_id
    group by z.id
  ) b on i.box_id is not null
  where i.order_id = lines_again.order_id;
$$;

create or replace function public.admin_find_callers(phone text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  digits text := right(regexp_replace(coalesce(phone, ''), '\D', '', 'g'), 10);
begin
  perform private.require_admin();
  if char_length(digits) < 10 then
    return '[]';
  end if;
  return (
    with earlier as (
      select o.*, o.group_id is not null
                  or exists (select from private.checkouts c where c.order_id = o.id and c.address_id is not null) as is_for_other
      from public.orders o
      where right(regexp_replace(o.delivery_phone, '\D', '', 'g'), 10) = digits order by o.created_at desc limit 100
    ), known as (
      select p.user_id, private.person_name(p.user_id) as name, coalesce(p.building_no, '') as building_no,
             coalesce(p.street, '') as street, coalesce(p.city, '') as city, coalesce(p.state, '') as state,
             coalesce(p.zip, '') as zip, p.updated_at as at, 1 as place
      from public.user_profiles p where right(regexp_replace(p.phone, '\D', '', 'g'), 10) = digits
      union all
      select case when not e.is_for_other then e.user_id end, e.delivery_name, e.delivery_building_no, e.delivery_street, e.delivery_city, e.delivery_state,
             e.delivery_zip, e.created_at, 2
      from earlier e
    ), people as (
      select distinct on (coalesce(k.user_id::text, lower(k.name))) k.*
      from known k order by coalesce(k.user_id::text, lower(k.name)), k.zip = '', k.place, k.at desc
    )
    select coalesce(jsonb_agg(jsonb_build_object(
      'user_id', c.user_id, 'name', c.name, 'building_no', c.building_no, 'street', c.street, 'city', c.city, 'state', c.state,
      'zip', c.zip,
      'orders', case when c.user_id is not null then (select count(*) from public.orders o where o.user_id = c.user_id)
                     else (select count(*) from earlier e where e.user_id is null and lower(e.delivery_name) = lower(c.name)) end,
      'is_blocked', r.blocked_at is not null, 'notes', coalesce(r.notes, '')) order by c.zip = '', c.place, c.at desc), '[]')
    from (select * from people p order by p.zip = '', p.place, p.at desc limit 5) c
    left join private.customer_records r on r.user_id = c.user_id);
end $$;

create or replace function public.correct_recipient(order_id uuid, delivery jsonb) returns jsonb
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

create or replace function public.my_refunds() returns table (
  id uuid, order_id uuid, amount_paise bigint, status text, reason text, created_at timestamptz, processed_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select r.id, coalesce(r.order_id, p.order_id), r.amount_paise, r.status, r.reason, r.created_at, r.processed_at
  from private.payments p
  join private.refunds r on r.payment_id = p.payment_id
  where p.user_id = (select auth.uid())
    and not (r.status = 'failed' and exists (
      select from private.refunds n
      where n.payment_id = r.payment_id and n.order_id is not distinct from r.order_id and n.amount_paise = r.amount_paise
        and n.reason = r.reason and n.created_at > r.created_at))
  order by r.created_at desc
  limit 200;
$$;
