-- Sending an earlier gift, or a group's whole list, once more: what it was, and what is different today.
-- No tables: called by customers, reads their own orders.
set check_function_bodies = off;

-- Lines of an earlier order or cart, with what they are today. Of each {product_id, name, size, has_size, quantity, paise_then, box_id,
-- contents}: is_sold says that it can be found in the shop, is_available that it can be bought today, is_other_size that it is now sold
-- by the piece instead of by weight, or the other way round. Prices are those of 500 g, of a piece, or of a box that the customer
-- filled: then product_id is null, box_id and contents say what to fill, and missing names the sweets in it that are not to be had.
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

create function private.lines_again(order_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select private.lines_as_sold_today((
    select jsonb_agg(jsonb_build_object(
      'product_id', i.product_id, 'name', i.product_name, 'size', i.size, 'has_size', i.has_size, 'quantity', i.quantity,
      'paise_then', (i.unit_price * 100)::bigint, 'box_id', i.box_id, 'contents', i.contents -> 'products') order by i.id)
    from public.order_items i where i.order_id = lines_again.order_id));
$$;

-- Where a parcel went: the address of the customer's book that it was sent to, even if it was changed since, or else one that
-- says the same; is_own: the customer's own address. Neither: it is in the book no more. is_reached: a zone has its pincode today.
create function private.destination_again(sent public.orders) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'address_id', a.id,
    'is_own', a.id is null and exists (
      select from public.user_profiles p
      where p.user_id = sent.user_id and (btrim(p.zip), lower(btrim(p.street)), lower(btrim(p.building_no)))
        = (sent.delivery_zip, lower(sent.delivery_street), lower(sent.delivery_building_no))),
    'is_changed', coalesce((btrim(a.recipient_name), btrim(a.phone), btrim(a.building_no), btrim(a.street), btrim(a.city), btrim(a.state), btrim(a.zip))
      <> (sent.delivery_name, sent.delivery_phone, sent.delivery_building_no, sent.delivery_street, sent.delivery_city, sent.delivery_state,
          sent.delivery_zip), false),
    'is_reached', (private.zone_of(coalesce(btrim(a.zip), sent.delivery_zip))).id is not null,
    'name', coalesce(btrim(a.recipient_name), sent.delivery_name), 'phone', coalesce(btrim(a.phone), sent.delivery_phone),
    'building_no', coalesce(btrim(a.building_no), sent.delivery_building_no), 'street', coalesce(btrim(a.street), sent.delivery_street),
    'city', coalesce(btrim(a.city), sent.delivery_city), 'state', coalesce(btrim(a.state), sent.delivery_state),
    'zip', coalesce(btrim(a.zip), sent.delivery_zip))
  from (select) nothing
  left join lateral (
    select k.* from public.customer_addresses k
    left join private.checkouts c on c.order_id = sent.id
    where k.user_id = sent.user_id
      and (k.id = c.address_id
           or (lower(btrim(k.recipient_name)), btrim(k.zip), lower(btrim(k.street)), lower(btrim(k.building_no)))
              = (lower(sent.delivery_name), sent.delivery_zip, lower(sent.delivery_street), lower(sent.delivery_building_no)))
    order by k.id is not distinct from c.address_id desc, k.created_at, k.id limit 1
  ) a on true;
$$;

-- The lines of an order of the caller's, with what they are today; null: it is none of theirs.
create function public.my_order_again(order_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.lines_again(o.id) from public.orders o where o.id = my_order_again.order_id and o.user_id = (select auth.uid());
$$;

-- A gift of the caller's as it can be sent again; null: it is none of theirs.
create function public.my_gift_again(order_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('gift', to_jsonb(g) - 'order_id', 'to', private.destination_again(o), 'lines', private.lines_again(o.id))
  from public.orders o join private.order_gifts g on g.order_id = o.id
  where o.id = my_gift_again.order_id and o.user_id = (select auth.uid());
$$;

-- A group of the caller's as its list can be sent again: the card, and each recipient with their address, note and lines; null: it is
-- none of theirs, or was never paid.
create function public.my_group_again(group_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'card', (select jsonb_build_object('motif', c.motif, 'sender_name', c.sender_name)
             from public.orders o join private.order_gifts c on c.order_id = o.id
             where o.group_id = g.id order by o.group_place limit 1),
    'recipients', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'place', o.group_place, 'name', o.delivery_name, 'phone', o.delivery_phone, 'building_no', o.delivery_building_no,
        'street', o.delivery_street, 'city', o.delivery_city, 'state', o.delivery_state, 'zip', o.delivery_zip,
        'is_reached', (private.zone_of(o.delivery_zip)).id is not null, 'note', coalesce(c.note, ''), 'email', c.recipient_email,
        'lines', private.lines_again(o.id)) order by o.group_place), '[]')
      from public.orders o left join private.order_gifts c on c.order_id = o.id
      where o.group_id = g.id))
  from private.group_orders g
  where g.id = my_group_again.group_id and g.state = 'paid' and g.user_id = (select auth.uid());
$$;

revoke execute on function public.my_order_again(uuid), public.my_gift_again(uuid), public.my_group_again(uuid) from public, anon, authenticated;
grant execute on function public.my_order_again(uuid), public.my_gift_again(uuid), public.my_group_again(uuid) to authenticated, service_role;
