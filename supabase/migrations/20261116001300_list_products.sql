-- The catalogue as the console lists it: every product with its stock, its unit cost and its margin, a page at a time.

create index products_name_trgm_idx on public."Products" using gin ("Name" extensions.gin_trgm_ops);
create index products_by_name_idx on public."Products" (lower("Name"), "Id");
create index products_by_price_idx on public."Products" ("Price", "Id");
create index products_by_rating_idx on public."Products" (coalesce("Rating", 0), "Id");
create index products_by_change_idx on public."Products" (updated_at, "Id");

-- One line of the list. Money in paise; stock in grams for sized products, in pieces otherwise. Without a search path of
-- its own, so that queries take it in: it is made fifty times a page.
create function private.product_row(product public."Products", stock public.stock_levels, unit_cost numeric) returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'id', product."Id", 'name', product."Name", 'category', product."Category", 'image', product."Image",
    'price_paise', (product."Price" * 100)::bigint, 'regular_price_paise', (product.regular_price * 100)::bigint,
    'offer_percent', product.offer_percent, 'gst_percent', trim_scale(product.gst_percent), 'has_size', product."hasSize",
    'is_listed', product.is_listed, 'is_available', product.isavailable, 'archived_at', product.archived_at,
    'rating', product."Rating", 'review_count', product.review_count,
    'on_hand', stock.on_hand, 'reserved', stock.reserved, 'low_at', stock.low_at,
    'unit_cost_paise', (unit_cost * 100)::bigint,
    'updated_at', product.updated_at);
$$;

-- What somebody typed into the search field, as patterns that a name has to match all.
create function private.search_patterns(search text) returns text[]
language sql immutable set search_path = '' as $$
  select coalesce(array_agg('%' || regexp_replace(w.word, '([\\%_])', '\\\1', 'g') || '%'), '{}')
  from (select word from regexp_split_to_table(btrim(left(coalesce(search, ''), 120)), '\s+') word where word <> '' limit 8) w;
$$;

-- The condition that a filter {search, category, state, stock} puts on a product p and its stock s. What was typed is
-- not in it: it reads the filter as $1 and the patterns of the search as $2.
create function private.product_condition(filter jsonb) returns text
language plpgsql immutable set search_path = '' as $$
declare
  search text := btrim(coalesce(filter ->> 'search', ''));
  by_name text := (select string_agg(format('p."Name" ilike ($2)[%s]', place), ' and ')
                   from generate_series(1, cardinality(private.search_patterns(search))) place);
  by_state text := case coalesce(filter ->> 'state', 'current')
    when 'all' then 'true'
    when 'current' then 'p.archived_at is null'
    when 'listed' then 'p.archived_at is null and p.is_listed'
    when 'available' then 'p.isavailable'
    when 'sold_out' then 'p.archived_at is null and p.is_listed and not p.isavailable'
    when 'unlisted' then 'p.archived_at is null and not p.is_listed'
    when 'archived' then 'p.archived_at is not null' end;
  by_stock text := case coalesce(filter ->> 'stock', 'any')
    when 'any' then 'true'
    when 'low' then 's.on_hand > 0 and s.on_hand - s.reserved <= s.low_at'
    when 'out' then 's.on_hand = 0' end;
begin
  if by_state is null or by_stock is null then
    perform private.refuse('The list cannot be filtered like this.', case when by_state is null then 'state' else 'stock' end);
  end if;
  return concat_ws(' and ', by_state, by_stock,
    case when coalesce(filter ->> 'category', '') <> '' then 'p."Category" = $1 ->> ''category''' end,
    case when search ~ '^#?[0-9]{1,15}$' then format('(p."Id" = ltrim($1 ->> ''search'', '' #'')::bigint or %s)', by_name)
         when by_name is not null then by_name end);
end $$;

revoke execute on function private.product_row(public."Products", public.stock_levels, numeric),
  private.search_patterns(text),
  private.product_condition(jsonb) from public;

-- Refuses what is not the end of a page: kinds has the type of each of its keys. Lists begin without one.
create function private.expect_cursor(after jsonb, kinds jsonb) returns void
language plpgsql stable set search_path = '' as $$
declare
  part record;
  is_cursor boolean := true;
begin
  if after is null then
    return;
  end if;
  begin
    for part in select k.key, k.value as kind from jsonb_each_text(kinds) k loop
      execute format('select ($1 ->> $2)::%s is not null', part.kind::regtype) into is_cursor using after, part.key;
      exit when not is_cursor;
    end loop;
  exception when data_exception then
    is_cursor := false;
  end;
  if not is_cursor then
    perform private.refuse('There is no such page. Start again from the first.', 'after');
  end if;
end $$;
revoke execute on function private.expect_cursor(jsonb, jsonb) from public;

-- A page of products: {rows, next, count, count_is_capped}. `after` is the `next` of the page before.
create function public.admin_list_products(
  filter jsonb default '{}', sort text default 'name', descending boolean default false, after jsonb default null,
  page_size integer default 50)
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  max_count constant integer := 10000;
  condition text;
  unit_cost constant text := '(select c.unit_cost from private.product_costs c
    where c.product_id = p."Id" and c.valid_from <= now() order by c.valid_from desc limit 1)';
  -- Stock is compared in packs, so that 3 kg do not count for more than 100 boxes; an unknown margin is the first to mend.
  sort_key text := case sort
    when 'name' then 'lower(p."Name")'
    when 'price' then 'p."Price"'
    when 'stock' then '(s.on_hand - s.reserved)::numeric / case when p."hasSize" then 500 else 1 end'
    when 'rating' then 'coalesce(p."Rating", 0)'
    when 'margin' then format('coalesce(1 - %s / p."Price", -1000000)', unit_cost)
    when 'changed' then 'p.updated_at' end;
  kind text := case sort when 'name' then 'text' when 'changed' then 'timestamptz' else 'numeric' end;
  patterns text[];
  found_rows jsonb;
  cursors jsonb;
  total integer;
begin
  perform private.require_admin();
  if sort_key is null then
    perform private.refuse('The list cannot be sorted like this.', 'sort');
  end if;
  if page_size is null or page_size not between 1 and 2000 then
    perform private.refuse('A page has 1 to 2,000 products.', 'page_size');
  end if;
  perform private.expect_cursor(after, jsonb_build_object('key', kind, 'id', 'bigint'));
  patterns := private.search_patterns(filter ->> 'search');
  condition := private.product_condition(coalesce(filter, '{}'));

  -- First the few that are shown, then all there is to say of them.
  execute format(
    'select coalesce(jsonb_agg(private.product_row(p, s, %3$s) order by k.key %1$s, k.id %1$s), ''[]''),
            jsonb_agg(jsonb_build_object(''key'', k.key::text, ''id'', k.id) order by k.key %1$s, k.id %1$s)
     from (select p."Id" as id, %2$s as key
           from public."Products" p join public.stock_levels s on s.product_id = p."Id"
           where %4$s and %5$s
           order by %2$s %1$s, p."Id" %1$s
           limit $4) k
     join public."Products" p on p."Id" = k.id
     join public.stock_levels s on s.product_id = k.id',
    case when descending then 'desc' else 'asc' end, sort_key, unit_cost, condition,
    case when after is null then 'true'
         else format('(%s, p."Id") %s (($3 ->> ''key'')::%s, ($3 ->> ''id'')::bigint)', sort_key,
                     case when descending then '<' else '>' end, kind) end)
  into found_rows, cursors using filter, patterns, after, page_size + 1;

  execute format(
    'select count(*) from (select from public."Products" p %s where %s limit $3) c',
    case when condition like '% s.%' then 'join public.stock_levels s on s.product_id = p."Id"' end, condition)
  into total using filter, patterns, max_count + 1;

  return jsonb_build_object(
    'rows', found_rows - page_size,
    'next', case when jsonb_array_length(found_rows) > page_size then cursors -> (page_size - 1) end,
    'count', least(total, max_count), 'count_is_capped', total > max_count);
end $$;

select private.open_console_requests();
