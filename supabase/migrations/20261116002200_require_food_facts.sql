-- Food is sold with its facts: no product is listed without them, whoever lists it and however. What an older shop has
-- on its shelves stays there as it is until somebody touches it; the console shows which these are.

-- Whether there is nothing to read in it: empty, or only spaces and signs that nobody sees (isBlank in domain/ says the
-- same).
create function private.is_blank(words text) returns boolean
language sql immutable as $$
  select coalesce(words, '') !~ '[^\s\u0001-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]';
$$;
revoke execute on function private.is_blank(text) from public;

-- Which facts a listed product lacks, by column, in the order in which a form asks for them (domain/products/
-- listing-gaps.ts says the same). Without a search path of its own, so that lists take it in.
create function private.missing_facts(
  food_mark text, ingredients text, allergens text, shelf_life_days numeric, storage text, weight_grams numeric)
returns text[]
language sql immutable as $$
  select array_remove(array[
    case when food_mark is null then 'food_mark' end,
    case when private.is_blank(ingredients) then 'ingredients' end,
    case when private.is_blank(allergens) then 'allergens' end,
    case when shelf_life_days is null then 'shelf_life_days' end,
    case when private.is_blank(storage) then 'storage' end,
    case when weight_grams is null then 'weight_grams' end], null);
$$;

create function private.guard_listing() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  missing constant text[] := private.missing_facts(
    new.food_mark, new.ingredients, new.allergens, new.shelf_life_days, new.storage, new.weight_grams);
  words constant jsonb := '{"food_mark": "the veg or non-veg mark", "ingredients": "the ingredients",
    "allergens": "the allergens (None, if there are none)", "shelf_life_days": "the shelf life", "storage": "how it is stored",
    "weight_grams": "the net weight"}';
  named text[];
begin
  if missing <> '{}' then
    named := array(select words ->> m.field from unnest(missing) with ordinality m (field, place) order by m.place);
    perform private.refuse(
      format('%s cannot be listed yet. Missing: %s.', new."Name", array_to_string(named, ', ')), missing[1]);
  end if;
  return new;
end $$;
-- Not for what other triggers keep (rating, availability): nobody edited the product then.
create trigger products_guard_listing
  before insert or update of "Id", "Name", "Description", "Price", "Image", "Category", "hasSize", offer_percent, regular_price,
    gst_percent, hsn, weight_grams, food_mark, ingredients, allergens, shelf_life_days, storage, maker, combo, is_listed, archived_at
  on public."Products"
  for each row when (new.is_listed and new.archived_at is null) execute function private.guard_listing();

-- What pages show of a product: now with its mark, and all of it with its maker.
create or replace function private.product_card(product public."Products") returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object(
    'Id', product."Id", 'Name', product."Name", 'Price', product."Price", 'regular_price', product.regular_price,
    'Image', product."Image", 'Category', product."Category", 'isavailable', product.isavailable, 'hasSize', product."hasSize",
    'Rating', product."Rating", 'review_count', product.review_count, 'offer_percent', product.offer_percent,
    'food_mark', product.food_mark);
$$;

create or replace function public.product_page(product_id bigint) returns jsonb
language sql stable set search_path = '' as $$
  select private.product_card(p) || jsonb_build_object(
    'Description', p."Description", 'gst_percent', p.gst_percent, 'weight_grams', p.weight_grams,
    'ingredients', p.ingredients, 'allergens', p.allergens, 'shelf_life_days', p.shelf_life_days, 'storage', p.storage,
    'maker', p.maker)
  from public."Products" p
  where p."Id" = product_page.product_id and p.is_listed and p.archived_at is null;
$$;

-- The list of the console says what is missing, and finds what is on the shelves without it (state facts_missing).
create or replace function private.product_row(product public."Products", stock public.stock_levels, unit_cost numeric) returns json
language sql stable as $$
  select json_build_object(
    'id', product."Id", 'name', product."Name", 'category', product."Category", 'image', product."Image",
    'price_paise', (product."Price" * 100)::bigint, 'regular_price_paise', (product.regular_price * 100)::bigint,
    'offer_percent', product.offer_percent, 'gst_percent', trim_scale(product.gst_percent), 'has_size', product."hasSize",
    'is_listed', product.is_listed, 'is_available', product.isavailable, 'archived_at', product.archived_at,
    'rating', product."Rating", 'review_count', product.review_count,
    'on_hand', stock.on_hand, 'reserved', stock.reserved, 'low_at', stock.low_at,
    'unit_cost_paise', (unit_cost * 100)::bigint,
    'updated_at', product.updated_at, 'food_mark', product.food_mark,
    'missing_facts', private.missing_facts(product.food_mark, product.ingredients, product.allergens, product.shelf_life_days,
                                           product.storage, product.weight_grams));
$$;

alter function private.product_condition(jsonb) rename to product_condition_without_facts;
create function private.product_condition(filter jsonb) returns text
language sql immutable set search_path = '' as $$
  select case when filter ->> 'state' = 'facts_missing'
    then private.product_condition_without_facts(filter || '{"state": "listed"}')
         || ' and private.missing_facts(p.food_mark, p.ingredients, p.allergens, p.shelf_life_days, p.storage, p.weight_grams) <> ''{}'''
    else private.product_condition_without_facts(filter) end;
$$;

-- Lines of an order as the console shows and prints them, with the mark of each sweet.
create or replace function private.order_lines(order_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', i.id, 'product_id', i.product_id, 'name', i.product_name, 'image', i.product_image, 'quantity', i.quantity,
    'size', i.size, 'has_size', i.has_size, 'unit_price_paise', (i.unit_price * 100)::bigint, 'gst_percent', i.gst_percent,
    'hsn', i.hsn, 'line_paise', (i.unit_price * 100 * i.size / 500 * i.quantity)::bigint,
    'grams', case when i.has_size then i.size else p.weight_grams end * i.quantity,
    'cost_paise', round(c.unit_cost * 100 * i.size / 500 * i.quantity)::bigint,
    'food_mark', p.food_mark, 'allergens', p.allergens, 'shelf_life_days', p.shelf_life_days) order by i.id), '[]')
  from public.order_items i
  join public."Products" p on p."Id" = i.product_id
  left join private.placed_items c on c.order_item_id = i.id
  where i.order_id = order_lines.order_id;
$$;

revoke execute on function private.missing_facts(text, text, text, numeric, text, numeric), private.guard_listing(),
  private.product_row(public."Products", public.stock_levels, numeric), private.product_condition(jsonb) from public;
