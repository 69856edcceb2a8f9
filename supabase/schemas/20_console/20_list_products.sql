-- Console: the list of products and its filters.
-- Administrators only. Reads.
set check_function_bodies = off;

-- One line of the list. Money in paise; stock in grams for sized products, in pieces otherwise. Without a search
-- path, so that queries inline it: it is made fifty times a page.
create function private.product_row(product public."Products", stock public.stock_levels, unit_cost numeric) returns json
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

-- The condition that a filter {search, category, state, stock} puts on a product p and its stock s. User input is
-- not in it: it reads the filter as $1 and the patterns of the search as $2.
create function private.product_condition(filter jsonb) returns text
language plpgsql immutable set search_path = '' as $$
declare
  search text := btrim(coalesce(filter ->> 'search', ''));
  by_name text := (select string_agg(format('lower(p."Name") like lower(($2)[%s])', place), ' and ')
                   from generate_series(1, cardinality(private.search_patterns(search))) place);
  by_state text := case coalesce(filter ->> 'state', 'current')
    when 'all' then 'true'
    when 'current' then 'p.archived_at is null'
    when 'listed' then 'p.archived_at is null and p.is_listed'
    when 'available' then 'p.isavailable'
    when 'sold_out' then 'p.archived_at is null and p.is_listed and not p.isavailable'
    when 'facts_missing' then 'p.archived_at is null and p.is_listed and private.missing_facts(p.food_mark, p.ingredients, '
      || 'p.allergens, p.shelf_life_days, p.storage, p.weight_grams) <> ''{}'''
    when 'offer_unbacked' then 'p.archived_at is null and not private.is_offer_backed(p.offer_percent, p."Price", p.regular_price)'
    when 'unlisted' then 'p.archived_at is null and not p.is_listed'
    when 'archived' then 'p.archived_at is not null' end;
  by_stock text := case coalesce(filter ->> 'stock', 'any')
    when 'any' then 'true'
    when 'low' then 's.on_hand > 0 and s.on_hand - s.reserved <= s.low_at'
    when 'out' then 's.on_hand = 0' end;
begin
  if by_state is null or by_stock is null then
    perform private.reject('The list cannot be filtered like this.', case when by_state is null then 'state' else 'stock' end);
  end if;
  return concat_ws(' and ', by_state, by_stock,
    case when coalesce(filter ->> 'category', '') <> '' then 'p."Category" = $1 ->> ''category''' end,
    case when search ~ '^#?[0-9]{1,15}$' then format('(p."Id" = ltrim($1 ->> ''search'', '' #'')::bigint or %s)', by_name)
         when by_name is not null then by_name end);
end $$;

-- A page of products: {rows, next, count, count_is_capped}. `after` is the `next` of the page before.
create function public.admin_list_products(
  filter jsonb default '{}', sort text default 'name', descending boolean default false, after jsonb default null,
  page_size integer default 50)
returns json
language plpgsql security definer set search_path = '' as $$
declare
  max_count constant integer := 10000;
  condition text;
  -- Stock is compared in packs, so that 3 kg do not count for more than 100 boxes.
  sort_key text := case sort
    when 'name' then 'lower(p."Name")'
    when 'price' then 'p."Price"'
    when 'stock' then '(s.on_hand - s.reserved)::numeric / case when p."hasSize" then 500 else 1 end'
    when 'rating' then 'coalesce(p."Rating", 0)'
    when 'margin' then 'm.margin'
    when 'changed' then 'p.updated_at' end;
  sort_id text := case sort when 'margin' then 'm.product_id' else 'p."Id"' end;
  kind text := case sort when 'name' then 'text' when 'changed' then 'timestamptz' else 'numeric' end;
  direction text := case when descending then 'desc' else 'asc' end;
  stock constant text := ' join public.stock_levels s on s.product_id = p."Id"';
  here text := 'public."Products" p';
  beyond text;
  patterns text[];
  answer json;
begin
  perform private.require_admin();
  if sort_key is null then
    perform private.reject('The list cannot be sorted like this.', 'sort');
  end if;
  if page_size is null or page_size not between 1 and 2000 then
    perform private.reject('A page has 1 to 2,000 products.', 'page_size');
  end if;
  perform private.expect_cursor(after, jsonb_build_object('key', kind, 'id', 'bigint'));
  patterns := private.search_patterns(filter ->> 'search');
  condition := private.product_condition(coalesce(filter, '{}'));
  here := here || case when condition like '% s.%' then stock else '' end;
  beyond := case when after is null then 'true'
                 else format('(%%s, %%s) %s (($3 ->> ''key'')::%s, ($3 ->> ''id'')::bigint)', case when descending then '<' else '>' end, kind) end;
  if sort = 'margin' then
    perform private.update_margin(m.product_id) from private.product_margins m where m.valid_until <= now();
  end if;

  -- First the few that are shown, then all there is to say of them, each looked up by its key. What a search finds is
  -- looked for once, and then both counted and sorted.
  execute format(
    'with found as %1$s (select %2$s as id, %3$s as key from %4$s where %5$s and %6$s),
     page as materialized (
       select f.id, f.key, row_number() over () as place
       from (select f.id, f.key from found f where %8$s order by f.key %7$s, f.id %7$s limit $4 + 1) f),
     counted as (select count(*) as total from (select from %9$s limit $5 + 1) c)
     select json_build_object(
       ''rows'', coalesce((select json_agg(
            (select private.product_row(p, s, (select c.unit_cost from private.product_costs c
               where c.product_id = k.id and c.valid_from <= now() order by c.valid_from desc limit 1))
             from public."Products" p, public.stock_levels s where p."Id" = k.id and s.product_id = k.id)
            order by k.place) from page k where k.place <= $4), ''[]''),
       ''next'', (select json_build_object(''key'', k.key::text, ''id'', k.id) from page k
                  where k.place = $4 and exists (select from page n where n.place = $4 + 1)),
       ''count'', least(c.total, $5), ''count_is_capped'', c.total > $5)
     from counted c',
    case when cardinality(patterns) > 0 then 'materialized' else 'not materialized' end,
    sort_id, sort_key,
    here || case when sort = 'margin' then ' join private.product_margins m on m.product_id = p."Id"'
                 when sort = 'stock' and position(stock in here) = 0 then stock else '' end,
    condition, case when cardinality(patterns) > 0 then 'true' else format(beyond, sort_key, sort_id) end, direction,
    case when cardinality(patterns) > 0 then format(beyond, 'f.key', 'f.id') else 'true' end,
    case when cardinality(patterns) > 0 then 'found' else format('%s where %s', here, condition) end)
  into answer using filter, patterns, after, page_size, max_count;
  return answer;
end $$;
