-- Boxes that customers fill themselves: sizes with places, and the sweets that fit, by the piece.
-- Visitors read them with box_page(); administrators write them in the console.
set check_function_bodies = off;

create table private.box_sizes (
  id bigint generated always as identity primary key,
  name text not null check (char_length(name) between 2 and 60 and name = btrim(name) and name !~ '[[:cntrl:]]'),
  -- One piece each.
  places integer not null check (places between 2 and 48),
  -- Of the empty box, in rupees without tax.
  price numeric(8, 2) not null check (price between 0 and 10000) constraint box_sizes_price_is_a_number check (price <> 'NaN'),
  -- Of the empty box, with cups and sleeve.
  weight_grams integer not null check (weight_grams between 0 and 5000),
  is_listed boolean not null default true,
  updated_at timestamptz not null default now()
);
comment on table private.box_sizes is 'Boxes that customers fill themselves. One that was sold stays, and can be taken off the list.';
create unique index box_sizes_name_idx on private.box_sizes (lower(name));
alter table private.box_sizes enable row level security;

-- The sweets that fit: those sold by weight, with the weight of one piece.
create table private.box_sweets (
  product_id bigint primary key references public."Products" ("Id") on delete cascade,
  piece_grams integer not null check (piece_grams between 1 and 500),
  -- A picture of one piece, on transparent ground; empty: the product's picture, cut round.
  piece_image text not null default '' check (piece_image = '' or private.is_safe_link(piece_image)),
  updated_at timestamptz not null default now()
);
comment on table private.box_sweets is 'Which products can be chosen for a box, and what one piece weighs.';
alter table private.box_sweets enable row level security;

create trigger box_sizes_touch before update on private.box_sizes
  for each row execute function private.touch_updated_at();
create trigger box_sweets_touch before update on private.box_sweets
  for each row execute function private.touch_updated_at();
create trigger box_sizes_audit after insert or update or delete on private.box_sizes
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');
create trigger box_sweets_audit after insert or update or delete on private.box_sweets
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('product_id');

-- What one piece costs before tax: its share of the price of 500 g, half a paisa upwards. piecePaise() in domain/boxes/box-price.ts
-- is the same rule. Without a search path, so that queries inline it.
create function private.piece_paise(price numeric, piece_grams integer) returns bigint
language sql immutable parallel safe as $$
  select round(price * 100 * piece_grams / 500)::bigint;
$$;

-- What the builder shows: sizes, smallest first, and sweets, the most popular first. Sold out ones are in it, so that a box in a
-- cart can say which of its sweets is missing.
create function public.box_page() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'sizes', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', b.id, 'name', b.name, 'places', b.places, 'price_paise', (b.price * 100)::bigint, 'weight_grams', b.weight_grams)
        order by b.places, b.id), '[]')
      from private.box_sizes b where b.is_listed),
    'sweets', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'product_id', p."Id", 'name', p."Name", 'category', p."Category", 'price_paise', (p."Price" * 100)::bigint,
        'gst_percent', p.gst_percent, 'piece_grams', s.piece_grams, 'image', p."Image", 'piece_image', s.piece_image,
        'food_mark', p.food_mark, 'allergens', p.allergens, 'shelf_life_days', p.shelf_life_days, 'is_available', p.isavailable)
        order by o.product_id is null, p."Rating" desc nulls last, p."Id"), '[]')
      from private.box_sweets s
      join public."Products" p on p."Id" = s.product_id
      left join private.popular_products o on o.product_id = p."Id"
      where p."hasSize" and p.is_listed and p.archived_at is null));
$$;

-- The boxes in carts (price_orders() has their shape), those with equal contents as one. Contents are {product_id: pieces}.
create function private.boxes_in_carts(carts jsonb) returns table (place integer, box_id bigint, quantity integer, contents jsonb)
language plpgsql stable set search_path = '' as $$
begin
  return query
  select k.place, k.box_id, sum(k.quantity)::integer, k.contents
  from (
    select a.ordinality::integer as place, l.box_id, l.quantity, (
             select coalesce(jsonb_object_agg(c.product_id, c.pieces), '{}')
             from (select p.product_id, sum(p.pieces) as pieces from jsonb_to_recordset(l.contents) as p (product_id bigint, pieces integer)
                   group by p.product_id) c) as contents
    from jsonb_array_elements(carts) with ordinality as a (cart),
         jsonb_to_recordset(a.cart -> 'lines') as l (box_id bigint, quantity integer, contents jsonb)
    where l.box_id is not null) k
  group by k.place, k.box_id, k.contents;
end $$;

-- Boxes as the lines of an order: one line, named with its contents, which are frozen with it. A piece costs what piece_paise()
-- says, and the box is a mixed supply: all of it is taxed at the highest rate of its sweets, with the HSN of what is worth most
-- among those (docs/decisions/0058-build-your-own-box.md).
create function private.price_boxes(carts jsonb)
returns table (place integer, box_id bigint, quantity integer, product_name text, unit_price numeric, gst_percent numeric, hsn text,
               line_paise bigint, tax_paise bigint, grams integer, shelf_life_days integer, contents jsonb)
language plpgsql stable set search_path = '' as $$
begin
  if not jsonb_path_exists(carts, '$[*].lines[*].box_id') then
    return;
  end if;
  return query
  select f.place, f.box_id, f.quantity, format('%s (%s)', f.name, f.named), f.paise / 100.0, f.gst_percent, f.hsn, f.paise * f.quantity,
         round(f.paise * f.quantity * f.gst_percent / 100)::bigint, f.grams * f.quantity, f.shelf_life_days,
         jsonb_build_object('places', f.places, 'box_grams', f.box_grams, 'box_paise', f.box_paise, 'products', f.products)
  from (
    select b.place, b.box_id, b.quantity, s.name, s.places, s.weight_grams as box_grams, (s.price * 100)::bigint as box_paise,
           (s.price * 100 + sum(c.pieces * c.piece_paise))::bigint as paise, (s.weight_grams + sum(c.grams))::integer as grams,
           max(c.gst_percent) as gst_percent,
           (array_agg(c.hsn order by c.gst_percent desc, c.pieces * c.piece_paise desc, c.product_id))[1] as hsn,
           min(c.shelf_life_days)::integer as shelf_life_days,
           string_agg(format('%s %s', c.pieces, c.name), ', ' order by c.pieces desc, c.product_id) as named,
           jsonb_agg(jsonb_build_object('product_id', c.product_id, 'name', c.name, 'pieces', c.pieces, 'grams', c.grams,
                                        'piece_paise', c.piece_paise) order by c.product_id) as products
    from private.boxes_in_carts(carts) b
    join private.box_sizes s on s.id = b.box_id
    cross join lateral (
      select p."Id" as product_id, p."Name" as name, k.value::integer as pieces, k.value::integer * w.piece_grams as grams,
             private.piece_paise(p."Price", w.piece_grams) as piece_paise, p.gst_percent, p.hsn, p.shelf_life_days
      from jsonb_each_text(b.contents) k
      join private.box_sweets w on w.product_id = k.key::bigint
      join public."Products" p on p."Id" = w.product_id) c
    group by b.place, b.box_id, b.quantity, b.contents, s.id
  ) f;
end $$;

-- Why boxes cannot be ordered as they are, one reason for each cart. Whether their sweets are sold and in stock is for shortages().
create function private.box_rejections(carts jsonb) returns table (place integer, rejection jsonb)
language plpgsql stable set search_path = '' as $$
begin
  if not jsonb_path_exists(carts, '$[*].lines[*].box_id') then
    return;
  end if;
  return query
  select distinct on (f.place) f.place, f.rejection
  from (
    select b.place, b.box_id, case
             when s.id is null or not s.is_listed then jsonb_build_object('reason', 'box-not-offered', 'box_id', b.box_id)
             when c.unknown is not null and c.unknown_name is null then jsonb_build_object('reason', 'unknown-product')
             when c.unknown is not null
               then jsonb_build_object('reason', 'not-in-boxes', 'product', c.unknown_name, 'product_id', c.unknown)
             when c.pieces <> s.places or c.fewest < 1
               then jsonb_build_object('reason', 'box-not-full', 'box_id', b.box_id, 'box', s.name) end as rejection
    from private.boxes_in_carts(carts) b
    left join private.box_sizes s on s.id = b.box_id
    cross join lateral (
      select coalesce(sum(k.value::integer), 0) as pieces, min(k.value::integer) as fewest,
             (array_agg(k.key::bigint order by k.key::bigint) filter (where p."hasSize" is not true))[1] as unknown,
             (array_agg(n."Name" order by k.key::bigint) filter (where p."hasSize" is not true))[1] as unknown_name
      from jsonb_each_text(b.contents) k
      left join public."Products" n on n."Id" = k.key::bigint
      left join private.box_sweets w on w.product_id = k.key::bigint
      left join public."Products" p on p."Id" = w.product_id) c
  ) f
  where f.rejection is not null
  order by f.place, f.box_id, f.rejection::text;
end $$;

revoke execute on function public.box_page() from public, anon, authenticated;
grant execute on function public.box_page() to anon, authenticated, service_role;
