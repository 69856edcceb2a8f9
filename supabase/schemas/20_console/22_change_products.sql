-- Console: saving, duplicating, deleting and sorting products and categories.
-- Administrators only. Writes products and categories.
set check_function_bodies = off;

-- Everything the console shows of one product; null: there is none.
create function public.admin_read_product(product_id bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  product public."Products";
  stock public.stock_levels;
begin
  perform private.require_admin();
  select * into product from public."Products" p where p."Id" = product_id;
  if not found then
    return null;
  end if;
  select * into stock from public.stock_levels s where s.product_id = product."Id";
  return jsonb_build_object(
    'row', private.product_row(product, stock, private.unit_cost_at(product."Id", now())),
    'draft', private.product_draft(product), 'created_at', product.created_at,
    'costs', (select coalesce(jsonb_agg(jsonb_build_object('valid_from', c.valid_from, 'unit_cost_paise', (c.unit_cost * 100)::bigint)
                                        order by c.valid_from desc), '[]')
              from private.product_costs c where c.product_id = product."Id"),
    'has_stock_history', exists (select from public.stock_movements m where m.product_id = product."Id"),
    'is_deletable', private.deletion_blocker(product."Id") is null,
    'waiting', (select count(*) from public.notify_subscriptions n where n.product_id = product."Id"));
end $$;

-- Saves a product: {id, updated_at, unused_images}. product_id null: a new one. `changes` names what changes of the draft.
create function public.admin_save_product(changes jsonb, product_id bigint default null, seen timestamptz default null)
returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  product public."Products";
  pictures text[] := '{}';
  before jsonb;
  draft jsonb;
  written bigint;
begin
  perform private.require_admin();
  if jsonb_typeof(changes) is distinct from 'object' then
    perform private.reject('There is nothing to save.');
  end if;
  if product_id is not null then
    select * into product from public."Products" p where p."Id" = product_id for no key update;
    if not found then
      raise sqlstate 'PT404' using message = 'Product not found.';
    end if;
    perform private.expect_unchanged(seen, product.updated_at);
    before := private.product_draft(product);
    pictures := private.pictures_of(product);
  end if;
  draft := private.merge_draft(coalesce(before, private.empty_draft()), changes);
  perform private.reject_problems(before, draft, product_id);
  written := private.write_draft(product_id, draft);
  return (
    select jsonb_build_object('id', p."Id", 'updated_at', p.updated_at, 'unused_images', private.unused_pictures(pictures))
    from public."Products" p where p."Id" = written);
end $$;

-- Changes many products at once, all or none: [{id, seen, changes}]; returns the rows of the list. Only fields that
-- can be changed in bulk are allowed.
create function public.admin_change_products(products jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  offered constant text[] := array['price_paise', 'regular_price_paise', 'offer_percent', 'gst_percent', 'is_listed', 'is_archived'];
  many boolean;
  item record;
  product public."Products";
  before jsonb;
  draft jsonb;
  drafts jsonb[] := '{}';
  missing text[];
  rejections text[] := '{}';
  refused_field text;
begin
  perform private.require_admin();
  if jsonb_typeof(products) is distinct from 'array' or jsonb_array_length(products) not between 1 and 2000 then
    perform private.reject('Choose 1 to 2,000 products.');
  end if;
  many := jsonb_array_length(products) > 1;
  -- Sales that empty a shelf touch several products in any order: one lock for all cannot meet them halfway.
  if many then
    lock table public."Products" in share row exclusive mode;
  end if;
  for item in
    select i.id, i.seen, i.changes from jsonb_to_recordset(products) as i (id bigint, seen timestamptz, changes jsonb) order by i.id
  loop
    select * into product from public."Products" p where p."Id" = item.id for no key update;
    if not found then
      raise sqlstate 'PT404' using message = format('There is no product %s.', coalesce(item.id::text, 'without a number'));
    end if;
    if many and item.seen is distinct from product.updated_at then
      raise sqlstate 'PT409' using detail = 'stale',
        message = format('%s was changed by someone else, so nothing was saved. Check it and try again.', product."Name");
    end if;
    perform private.expect_unchanged(item.seen, product.updated_at);
    if jsonb_typeof(item.changes) is distinct from 'object' or item.changes - offered <> '{}' then
      perform private.reject('This cannot be changed in the list.');
    end if;
    before := private.product_draft(product);
    draft := private.merge_draft(before, item.changes);
    missing := private.missing_facts(product.food_mark, product.ingredients, product.allergens, product.shelf_life_days,
                                     product.storage, product.weight_grams);
    if missing <> '{}' and item.changes -> 'is_listed' = 'true' and draft -> 'is_archived' = 'false' then
      rejections := rejections || private.listing_rejection(product."Name", missing);
      refused_field := coalesce(refused_field, missing[1]);
      continue;
    end if;
    perform private.reject_problems(before, draft, item.id, case when many then product."Name" || ': ' else '' end);
    drafts := drafts || jsonb_build_object('id', item.id, 'draft', draft);
  end loop;
  if rejections <> '{}' then
    perform private.reject(array_to_string(rejections[1:5], ' ')
      || case when cardinality(rejections) > 5 then format(' And %s more.', cardinality(rejections) - 5) else '' end, refused_field);
  end if;
  perform private.write_drafts(to_jsonb(drafts));
  return (
    select jsonb_agg(private.product_row(p, s, private.unit_cost_at(p."Id", now())) order by p."Id")
    from public."Products" p join public.stock_levels s on s.product_id = p."Id"
    where p."Id" in (select i.id from jsonb_to_recordset(products) as i (id bigint)));
end $$;

-- An unlisted copy, with cost and pictures but without stock, reviews and combo: {id}. Its offer tag is
-- recalculated, as the original's may not be true.
create function public.admin_duplicate_product(product_id bigint) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  product public."Products";
  copy_name text;
  written bigint;
begin
  perform private.require_admin();
  select * into product from public."Products" p where p."Id" = product_id for share;
  if not found then
    raise sqlstate 'PT404' using message = 'Product not found.';
  end if;
  select left(product."Name", 110) || n.ending into copy_name
  from (select place, case when place = 1 then ' (copy)' else format(' (copy %s)', place) end as ending
        from generate_series(1, 2000) place) n
  where not exists (select from public."Products" o
                    where o.archived_at is null and lower(o."Name") = lower(left(product."Name", 110) || n.ending))
  order by n.place limit 1;
  written := private.write_draft(null, private.merge_draft(private.product_draft(product),
    jsonb_build_object('name', copy_name, 'is_listed', false, 'is_archived', false, 'combo', null)));
  return jsonb_build_object('id', written);
end $$;

-- Deletes a product that was never sold, stocked, ordered or reviewed: {unused_images}. Others are archived.
create function public.admin_delete_product(product_id bigint, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  product public."Products";
  pictures text[];
  reason text;
begin
  perform private.require_admin();
  select * into product from public."Products" p where p."Id" = product_id for update;
  if not found then
    raise sqlstate 'PT404' using message = 'Product not found.';
  end if;
  perform private.expect_unchanged(seen, product.updated_at);
  reason := private.deletion_blocker(product_id);
  if reason is not null then
    raise sqlstate 'PT409' using message = reason || ', so it can’t be deleted. Archive it instead.';
  end if;
  pictures := private.pictures_of(product);
  delete from public."Products" p where p."Id" = product_id;
  return jsonb_build_object('unused_images', private.unused_pictures(pictures));
end $$;

-- Every category with the number of its products, archived ones included: [{id, name, colour, is_fixed, products, updated_at}].
create function public.admin_list_categories() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (
    select jsonb_agg(jsonb_build_object(
      'id', c.id, 'name', c.name, 'colour', c.colour, 'is_fixed', c.is_fixed, 'updated_at', c.updated_at,
      'products', (select count(*) from public."Products" p where p."Category" = c.name))
      order by not c.is_fixed, c.position, c.id)
    from public.categories c);
end $$;

-- Adds a category, or changes one of the owner's: {id, updated_at}.
create function public.admin_save_category(
  name text, colour text default null, category_id bigint default null, seen timestamptz default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.categories;
  typed_name text;
  typed_colour text := lower(nullif(btrim(colour), ''));
begin
  perform private.require_admin();
  -- Two administrators who save at once must not both get the same name or place.
  perform pg_advisory_xact_lock(hashtextextended('categories', 0));
  if category_id is not null then
    select * into taken from public.categories c where c.id = category_id for update;
    if taken.id is null then
      raise sqlstate 'PT409' using message = 'This category was deleted by someone else.', detail = 'stale';
    end if;
    perform private.expect_unchanged(seen, taken.updated_at);
  end if;
  typed_name := private.validate_text(name, 'name', 'The name', 40, is_needed => true);
  if char_length(typed_name) < 2 then
    perform private.reject('The name has at least two characters.', 'name');
  elsif typed_name ~ '["\\<>{}]' then
    perform private.reject('The name cannot have quotes, backslashes or brackets of the kinds < > { }.', 'name');
  elsif lower(typed_name) in ('all', 'category') then
    perform private.reject(format('“%s” means something else in the shop. Choose another name.', typed_name), 'name');
  elsif exists (select from public.categories c where lower(c.name) = lower(typed_name) and c.id is distinct from category_id) then
    perform private.reject(format('There is a category called %s already.', typed_name), 'name');
  elsif typed_colour !~ '^#[0-9a-f]{6}$' then
    perform private.reject('Choose a colour.', 'colour');
  elsif taken.id is null and (select count(*) from public.categories c where not c.is_fixed) >= 40 then
    perform private.reject('There are 40 categories of your own already. Delete one first.', 'name');
  end if;
  if taken.id is null then
    insert into public.categories (name, colour, position)
    values (typed_name, typed_colour, (select max(c.position) + 1 from public.categories c)) returning * into taken;
  else
    update public.categories c set name = typed_name, colour = typed_colour where c.id = taken.id returning * into taken;
  end if;
  return jsonb_build_object('id', taken.id, 'updated_at', taken.updated_at);
end $$;

-- A category with products stays, also with archived ones: they may come back.
create function public.admin_delete_category(category_id bigint, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.categories;
  products integer;
  archived integer;
begin
  perform private.require_admin();
  select * into taken from public.categories c where c.id = category_id for update;
  perform private.expect_unchanged(seen, taken.updated_at);
  select count(*), count(p.archived_at) into products, archived from public."Products" p where p."Category" = taken.name;
  if products > 0 then
    raise sqlstate 'PT409' using message = format('%s has %s, so it cannot be deleted. Move %s to another category first.', taken.name,
      case when products = 1 then '1 product' else products || ' products' end
        || case when archived > 0 then format(' (%s archived)', archived) else '' end,
      case when products = 1 then 'it' else 'them' end);
  end if;
  delete from public.categories c where c.id = taken.id;
  return jsonb_build_object('id', taken.id);
end $$;

-- The owner's categories in a new order: all of them, each once.
create function public.admin_order_categories(category_ids bigint[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform pg_advisory_xact_lock(hashtextextended('categories', 0));
  if array(select c.id from public.categories c where not c.is_fixed order by c.id)
     <> array(select i from unnest(category_ids) i order by i) then
    raise sqlstate 'PT409' using message = 'Someone else added or deleted a category. Reload and try again.', detail = 'stale';
  end if;
  update public.categories c set position = 5 + o.place
  from unnest(category_ids) with ordinality o (id, place)
  where c.id = o.id and c.position <> 5 + o.place;
end $$;

-- ids: the list in its new order; seen: as it was before. Rejected when another person added, removed or moved a
-- row in the meantime.
create function public.admin_order_rows(table_name text, ids bigint[], seen bigint[]) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  standing bigint[];
  moved integer;
begin
  perform private.require_admin();
  if table_name is null or table_name not in ('caurousel', 'testimonials') then
    perform private.reject('This has no order of its own.', 'table_name');
  end if;
  -- Nobody adds a row while the others are counted.
  execute format('lock table public.%I in share row exclusive mode', table_name);
  execute format('select coalesce(array_agg(r.id order by r.position, r.id), ''{}'') from public.%I r', table_name) into standing;
  if standing is distinct from seen then
    raise sqlstate 'PT409' using message = 'This list was changed by someone else. Check it before you save.', detail = 'stale';
  end if;
  if (select array_agg(i order by i) from unnest(ids) i) is distinct from (select array_agg(s order by s) from unnest(standing) s) then
    perform private.reject('Every one of the list has its place in it once.', 'ids');
  end if;
  execute format('update public.%I r set position = o.place from unnest($1) with ordinality o (id, place)
                  where r.id = o.id and r.position <> o.place', table_name) using ids;
  get diagnostics moved = row_count;
  return jsonb_build_object('moved', moved);
end $$;
