-- Food is sold with its facts: no product is listed without them, whoever lists it and however. What an older shop has
-- on its shelves stays there as it is until somebody touches it; the console shows which these are.

create function private.guard_listing() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  missing constant text[] := private.missing_facts(
    new.food_mark, new.ingredients, new.allergens, new.shelf_life_days, new.storage, new.weight_grams);
begin
  if missing <> '{}' then
    perform private.refuse(private.listing_refusal(new."Name", missing), missing[1]);
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

revoke execute on function private.guard_listing() from public;
