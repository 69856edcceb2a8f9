-- Console: boxes that customers fill themselves.
-- Administrators only, who write sizes and fitting sweets here.
set check_function_bodies = off;

-- Sizes, smallest first, with how many were ordered; and the sweets that fit, with what one piece costs.
create function public.admin_read_boxes() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'sizes', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', b.id, 'name', b.name, 'places', b.places, 'price_paise', (b.price * 100)::bigint, 'weight_grams', b.weight_grams,
        'is_listed', b.is_listed, 'was_ordered', private.was_box_ordered(b.id), 'updated_at', b.updated_at)
        order by b.places, b.id), '[]')
      from private.box_sizes b),
    'sweets', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'product_id', p."Id", 'name', p."Name", 'category', p."Category", 'piece_grams', s.piece_grams, 'piece_image', s.piece_image,
        'image', p."Image", 'piece_paise', private.piece_paise(p."Price", s.piece_grams),
        'is_offered', p."hasSize" and p.is_listed and p.archived_at is null, 'is_available', p.isavailable, 'updated_at', s.updated_at)
        order by lower(p."Name"), p."Id"), '[]')
      from private.box_sweets s join public."Products" p on p."Id" = s.product_id),
    -- What could be added: sweets on sale by weight.
    'others', (
      select coalesce(jsonb_agg(jsonb_build_object('product_id', o.id, 'name', o.name) order by lower(o.name), o.id), '[]')
      from (select p."Id" as id, p."Name" as name from public."Products" p
            where p."hasSize" and p.is_listed and p.archived_at is null
              and not exists (select from private.box_sweets s where s.product_id = p."Id")
            order by lower(p."Name"), p."Id" limit 500) o));
end $$;

create function private.was_box_ordered(box_id bigint) returns boolean
language sql stable set search_path = '' as $$
  select exists (select from public.order_items i where i.box_id = was_box_ordered.box_id);
$$;

-- Adds a size, or changes one: {id, updated_at}. Orders keep what they were placed with.
create function public.admin_save_box_size(
  name text, places integer, price_paise bigint, weight_grams integer, is_listed boolean,
  box_id bigint default null, seen timestamptz default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken private.box_sizes;
  typed_name text;
begin
  perform private.require_admin();
  perform pg_advisory_xact_lock(hashtextextended('boxes', 0));
  if box_id is not null then
    select * into taken from private.box_sizes b where b.id = box_id for update;
    if taken.id is null then
      raise sqlstate 'PT409' using message = 'This box was deleted by someone else.', detail = 'stale';
    end if;
    perform private.expect_unchanged(seen, taken.updated_at);
  end if;
  typed_name := private.validate_text(name, 'name', 'The name', 60, is_needed => true);
  if char_length(typed_name) < 2 then
    perform private.reject('A name has at least 2 characters.', 'name');
  elsif exists (select from private.box_sizes b where lower(b.name) = lower(typed_name) and b.id is distinct from box_id) then
    perform private.reject(format('There is a box called %s already.', typed_name), 'name');
  elsif places is null or places not between 2 and 48 then
    perform private.reject('Between 2 and 48 places.', 'places');
  elsif price_paise is null or price_paise not between 0 and 1000000 then
    perform private.reject('A price between ₹0 and ₹10,000.', 'price_paise');
  elsif weight_grams is null or weight_grams not between 0 and 5000 then
    perform private.reject('Between 0 and 5000 g.', 'weight_grams');
  elsif taken.id is null and (select count(*) from private.box_sizes) >= 20 then
    perform private.reject('There are 20 boxes already. Delete one first.', 'name');
  end if;
  if taken.id is null then
    insert into private.box_sizes (name, places, price, weight_grams, is_listed)
    values (typed_name, admin_save_box_size.places, admin_save_box_size.price_paise / 100.0, admin_save_box_size.weight_grams,
            coalesce(admin_save_box_size.is_listed, true))
    returning * into taken;
  else
    update private.box_sizes b
    set name = typed_name, places = admin_save_box_size.places, price = admin_save_box_size.price_paise / 100.0,
        weight_grams = admin_save_box_size.weight_grams, is_listed = coalesce(admin_save_box_size.is_listed, true)
    where b.id = taken.id returning * into taken;
  end if;
  return jsonb_build_object('id', taken.id, 'updated_at', taken.updated_at);
end $$;

create function public.admin_delete_box_size(box_id bigint, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken private.box_sizes;
begin
  perform private.require_admin();
  select * into taken from private.box_sizes b where b.id = box_id for update;
  perform private.expect_unchanged(seen, taken.updated_at);
  if private.was_box_ordered(taken.id) then
    perform private.reject('This box was ordered and stays in those orders. Take it off the list instead.');
  end if;
  delete from private.box_sizes b where b.id = taken.id;
  return jsonb_build_object('id', taken.id);
end $$;

-- Adds a sweet to those that fit, or changes the weight or picture of its piece: {product_id, updated_at}. seen is null for one
-- that is added.
create function public.admin_save_box_sweet(
  product_id bigint, piece_grams integer, piece_image text default '', seen timestamptz default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  product public."Products";
  taken private.box_sweets;
  image text := btrim(coalesce(piece_image, ''));
begin
  perform private.require_admin();
  select * into product from public."Products" p where p."Id" = admin_save_box_sweet.product_id for share;
  select * into taken from private.box_sweets s where s.product_id = admin_save_box_sweet.product_id for update;
  if product."Id" is null or product.archived_at is not null then
    perform private.reject('Choose a product.', 'product_id');
  elsif not product."hasSize" then
    perform private.reject('Only sweets sold by weight can go into a box.', 'product_id');
  elsif seen is null and taken.product_id is not null then
    perform private.reject(format('%s is among them already.', product."Name"), 'product_id');
  elsif piece_grams is null or piece_grams not between 1 and 500 then
    perform private.reject('Between 1 and 500 g.', 'piece_grams');
  elsif image <> '' and not private.is_safe_link(image) then
    perform private.reject('An address that begins with / or https://.', 'piece_image');
  end if;
  if seen is not null then
    perform private.expect_unchanged(seen, taken.updated_at);
    update private.box_sweets s set piece_grams = admin_save_box_sweet.piece_grams, piece_image = image
    where s.product_id = taken.product_id returning * into taken;
  else
    insert into private.box_sweets (product_id, piece_grams, piece_image)
    values (product."Id", admin_save_box_sweet.piece_grams, image) returning * into taken;
  end if;
  return jsonb_build_object('product_id', taken.product_id, 'updated_at', taken.updated_at);
end $$;

create function public.admin_remove_box_sweet(product_id bigint, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken private.box_sweets;
begin
  perform private.require_admin();
  select * into taken from private.box_sweets s where s.product_id = admin_remove_box_sweet.product_id for update;
  perform private.expect_unchanged(seen, taken.updated_at);
  delete from private.box_sweets s where s.product_id = taken.product_id;
  return jsonb_build_object('product_id', taken.product_id);
end $$;
