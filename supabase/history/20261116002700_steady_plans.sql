-- Ways through the data that stay the same however much of it there is. Nothing is answered differently.

-- By the keys of what waits, and not by all that was ever sold of a product: that is what a plan for any product would read.
create or replace function private.to_pack(product_id bigint) returns bigint
language sql stable set search_path = '' as $$
  select coalesce(sum(private.stock_quantity(i.has_size, i.size, i.quantity)), 0)
  from public.order_items i
  where i.product_id = to_pack.product_id
    and i.order_id = any (array(select o.id from public.orders o where o.status in ('Pending', 'Confirmed', 'Preparing')));
$$;

-- As before. To compare a name with a pattern costs more than the planner believes, who would read every product (as in
-- admin_list_products).
create or replace function public.admin_find_sweets(search text) returns jsonb
language plpgsql stable security definer set search_path = '' set cpu_operator_cost = 0.02 as $$
declare
  typed text := left(btrim(regexp_replace(coalesce(search, ''), '[[:space:]]+', ' ', 'g')), 60);
  small constant text := lower(typed);
  words text[];
  others text[];
  found_ids bigint[];
begin
  perform private.require_admin();
  words := array(select '%' || replace(replace(replace(w, '\', '\\'), '%', '\%'), '_', '\_') || '%'
                 from unnest(string_to_array(small, ' ')) w where w <> '' order by char_length(w) desc);
  if cardinality(words) = 0 then
    return '[]';
  end if;
  -- The longest word by itself, because an index can be asked for it. To make letters small is most of the work, so it is
  -- done as rarely as can be.
  others := words[2:];
  found_ids := array(
    select p."Id" from public."Products" p
    where p.is_listed and p.archived_at is null and lower(p."Name") like words[1]
      and (others = '{}' or lower(p."Name") like all (others))
    order by not starts_with(lower(p."Name"), small), p."Rating" desc nulls last, p."Id" limit 8);
  if cardinality(found_ids) = 0 then
    perform set_config('pg_trgm.word_similarity_threshold', '0.45', true);
    found_ids := array(
      select p."Id" from public."Products" p
      where p.is_listed and p.archived_at is null and typed operator(extensions.<%) p."Name"
      order by extensions.word_similarity(typed, p."Name") desc, p."Rating" desc nulls last, p."Id" limit 8);
  end if;
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'product_id', p."Id", 'name', p."Name", 'image', p."Image", 'category', p."Category", 'has_size', p."hasSize",
      'price_paise', (p."Price" * 100)::bigint, 'left', greatest(s.on_hand - s.reserved, 0)) order by f.place), '[]')
    from unnest(found_ids) with ordinality f (id, place)
    join public."Products" p on p."Id" = f.id
    join public.stock_levels s on s.product_id = p."Id");
end $$;

-- Of a hundred customers kept as a sample one has the digits that somebody looks for, by chance: the planner then expects
-- every hundredth to have them, and reads every customer for a handful. Of five hundred it expects few enough.
alter table private.customer_cards alter column searchable set statistics 500;

-- What is listed without its facts: few or none, and counted whenever the settings are opened. Whoever writes a product
-- keeps the index, and so has to be able to ask what is missing; neither function reads anything.
grant execute on function private.is_blank(text), private.missing_facts(text, text, text, numeric, text, numeric)
  to anon, authenticated, service_role;
create index products_incomplete_idx on public."Products" ("Id")
  where is_listed and archived_at is null
    and private.missing_facts(food_mark, ingredients, allergens, shelf_life_days, storage, weight_grams) <> '{}';
