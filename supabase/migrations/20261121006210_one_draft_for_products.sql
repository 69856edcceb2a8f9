-- Taste, travel and further pictures are part of a product's draft: a new field of a product has one list to join.
set check_function_bodies = off;

drop function private.empty_presentation();

drop function private.presentation_of(product "Products");

drop function private.presentation_problems(presentation jsonb);

drop function private.write_presentation(product_id bigint, presentation jsonb);

create or replace function private.draft_problems(draft jsonb, product_id bigint) returns table (field text, message text)
language plpgsql stable set search_path = '' as $$
declare
  kinds constant jsonb := '{"name": "string", "description": "string", "category": "string?", "image": "string",
    "price_paise": "number?", "regular_price_paise": "number?", "offer_percent": "number?", "gst_percent": "number",
    "hsn": "string", "has_size": "boolean?", "weight_grams": "number?", "food_mark": "string?", "ingredients": "string",
    "allergens": "string", "shelf_life_days": "number?", "storage": "string", "maker": "string", "taste": "string",
    "travel": "string", "more_pictures": "string", "combo": "string?",
    "is_listed": "boolean", "is_archived": "boolean", "unit_cost_paise": "number?"}';
  product_name text := draft ->> 'name';
  price numeric;
  regular numeric;
  offer numeric;
  gst numeric;
  weight numeric;
  days numeric;
  cost numeric;
  sized boolean;
  listed boolean;
  archived boolean;
  -- What only a listed product needs.
  missing text[] := '{}';
begin
  return query
  select d.key, case when kinds ? d.key then 'This value is not valid.' else 'Products have no such field.' end
  from jsonb_each(draft) d
  where jsonb_typeof(d.value) <> coalesce(rtrim(kinds ->> d.key, '?'), '')
    and not (jsonb_typeof(d.value) = 'null' and coalesce(kinds ->> d.key like '%?', false));
  if found then
    return;
  end if;

  price := draft ->> 'price_paise';
  regular := draft ->> 'regular_price_paise';
  offer := draft ->> 'offer_percent';
  gst := draft ->> 'gst_percent';
  weight := draft ->> 'weight_grams';
  days := draft ->> 'shelf_life_days';
  cost := draft ->> 'unit_cost_paise';
  sized := draft ->> 'has_size';
  listed := draft ->> 'is_listed';
  archived := draft ->> 'is_archived';
  if listed and not archived then
    missing := private.missing_facts(draft ->> 'food_mark', draft ->> 'ingredients', draft ->> 'allergens', days,
                                     draft ->> 'storage', weight);
  end if;

  return query
  select p.field, p.message from (values
    ('name', case
      when btrim(product_name) = '' then 'Give the product a name.'
      when char_length(product_name) > 120 then 'A name has at most 120 characters.'
      when product_name ~ '[[:cntrl:]]' then 'A name is one line of text.'
      when not archived and exists (
        select from public."Products" o where lower(o."Name") = lower(product_name) and o.archived_at is null
          and o."Id" is distinct from draft_problems.product_id)
      then format('Another product is already called %s.', product_name) end),
    ('description', case
      when char_length(draft ->> 'description') > 4000 then 'A description has at most 4,000 characters.' end),
    ('category', case
      when not exists (select from public.categories c where c.name = draft ->> 'category')
      then format('Choose %s.', private.category_choices()) end),
    ('image', case
      when draft ->> 'image' <> '' and not private.is_safe_link(draft ->> 'image')
      then 'A picture is an address of this site or of the web.' end),
    ('price_paise', case
      when price is null then 'Give the product a price.'
      when price not between 100 and 10000000 or price % 1 <> 0 then 'A price is between ₹1 and ₹1,00,000.' end),
    ('regular_price_paise', case
      when regular <= price then 'The regular price must be above the price, or empty.'
      when regular > 20000000 or regular % 1 <> 0 then 'A regular price is at most ₹2,00,000.' end),
    ('offer_percent', case
      when offer not between 0 and 90 or offer % 1 <> 0 then 'An offer is a whole number from 0 to 90, or empty.'
      else private.offer_problem(offer, price, regular) end),
    ('gst_percent', case
      when gst not between 0 and 40 or gst * 100 % 1 <> 0
      then 'A GST rate is between 0 and 40, with at most two decimals.' end),
    ('hsn', case when draft ->> 'hsn' !~ '^[0-9]{4,8}$' then 'An HSN code has 4 to 8 digits.' end),
    ('has_size', case
      when sized is null then 'Choose weight or piece.'
      when draft_problems.product_id is not null then (
        select format('Its stock is counted in %s, so it keeps being sold by %s.',
                      case when o."hasSize" then 'grams' else 'pieces' end, case when o."hasSize" then 'weight' else 'piece' end)
        from public."Products" o
        where o."Id" = draft_problems.product_id and o."hasSize" <> sized
          and exists (select from public.stock_movements m where m.product_id = o."Id")) end),
    ('weight_grams', case
      when weight is null and not coalesce(sized, false) then 'Enter the weight of a piece or pack.'
      when sized and weight is distinct from 500 then 'What is sold by weight counts in units of 500 g.'
      when weight not between 1 and 30000 or weight % 1 <> 0 then 'A weight is a whole number from 1 to 30,000 g.' end),
    ('food_mark', case
      when draft ->> 'food_mark' not in ('veg', 'non-veg') then 'The mark is veg or non-veg. Egg counts as non-veg.'
      when 'food_mark' = any (missing) then 'To list it, choose veg or non-veg.' end),
    ('ingredients', case
      when char_length(draft ->> 'ingredients') > 2000 then 'The list of ingredients has at most 2,000 characters.'
      when 'ingredients' = any (missing) then 'To list it, enter the ingredients.' end),
    ('allergens', case
      when char_length(draft ->> 'allergens') > 500 then 'Allergens have at most 500 characters.'
      when 'allergens' = any (missing) then 'To list it, enter the allergens, or None.' end),
    ('shelf_life_days', case
      when days not between 1 and 730 or days % 1 <> 0 then 'A shelf life is a whole number from 1 to 730 days.'
      when 'shelf_life_days' = any (missing) then 'To list it, enter the shelf life.' end),
    ('storage', case
      when char_length(draft ->> 'storage') > 300 then 'Storage has at most 300 characters.'
      when 'storage' = any (missing) then 'To list it, enter how to store it.' end),
    ('maker', case when char_length(draft ->> 'maker') > 300 then 'A maker''s name and address have at most 300 characters.' end),
    ('combo', case
      when draft ->> 'combo' not in ('halwa', 'chocolate', 'laddu', 'family')
      then 'A combo pack is halwa, chocolate, laddu or family, or empty.'
      when draft ->> 'combo' is not null then (
        select format('%s is the %s pack already. Take it from there first.', o."Name", o.combo)
        from public."Products" o
        where o.combo = draft ->> 'combo' and o."Id" is distinct from draft_problems.product_id) end),
    ('is_listed', case when listed and archived then 'An archived product cannot be listed.' end),
    ('unit_cost_paise', case
      when cost not between 0 and 10000000 or cost % 1 <> 0 then 'A cost is between ₹0 and ₹1,00,000.'
      when cost is null and draft_problems.product_id is not null
        and private.unit_cost_at(draft_problems.product_id, now()) is not null
      then 'A unit cost can be changed, but not removed.' end),
    ('taste', case when char_length(draft ->> 'taste') > 300 then 'The taste has at most 300 characters.' end),
    ('travel', case when char_length(draft ->> 'travel') > 300 then 'How it travels has at most 300 characters.' end),
    ('more_pictures', (
      select case
        when count(*) > 7 then 'A product has at most 8 pictures.'
        when not bool_and(private.is_safe_link(m.image)) then 'A picture is an address of this site or of the web.'
        when max(char_length(m.alt)) > 160 then 'The description of a picture has at most 160 characters.'
        when count(distinct m.image) < count(*) then 'The same picture is there twice.' end
      from private.read_more_pictures(draft ->> 'more_pictures') m))
  ) p (field, message) where p.message is not null;
end $$;

create or replace function private.empty_draft() returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb '{"name": "", "description": "", "category": null, "image": "", "price_paise": null,
    "regular_price_paise": null, "offer_percent": 0, "gst_percent": 5, "hsn": "2106", "has_size": null,
    "weight_grams": null, "food_mark": null, "ingredients": "", "allergens": "", "shelf_life_days": null, "storage": "",
    "maker": "", "taste": "", "travel": "", "more_pictures": "", "combo": null, "is_listed": false, "is_archived": false, "unit_cost_paise": null}';
$$;

create or replace function private.plan_import(rows jsonb) returns jsonb
language sql stable set search_path = '' as $$
  with given as (
    select r.place, (r.value ->> 'line')::integer as line, r.value -> 'values' as changes,
           coalesce(jsonb_typeof(r.value -> 'values' -> 'id'), 'null') <> 'null' as has_id,
           case when jsonb_typeof(r.value -> 'values' -> 'id') = 'number' and r.value -> 'values' ->> 'id' ~ '^[0-9]{1,18}$'
                then (r.value -> 'values' ->> 'id')::bigint end as id
    from jsonb_array_elements(plan_import.rows) with ordinality r (value, place)
  ), drafted as materialized (
    select g.place, g.line, g.has_id, p."Id" as id, p.updated_at as seen, p."Name" as name, b.before,
           private.merge_draft(coalesce(b.before, private.empty_draft()), g.changes - 'id') as draft
    from given g
    left join lateral (
      select * from public."Products" n where g.has_id and n."Id" = g.id
      union all
      select * from public."Products" n
      where not g.has_id and lower(n."Name") = lower(btrim(g.changes ->> 'name')) and n.archived_at is null
    ) p on true
    left join lateral (select private.product_draft(q) as before from public."Products" q where q."Id" = p."Id") b on true
  ), compared as materialized (
    select d.*, c.changes, d.has_id and d.id is null as is_lost,
           d.id is not null and row_number() over (partition by d.id order by d.place) > 1 as is_again,
           first_value(d.line) over (partition by d.id order by d.place) as line_of_product,
           first_value(d.line) over (partition by lower(d.draft ->> 'name'), d.draft -> 'is_archived' order by d.place) as line_of_name,
           first_value(d.line) over (partition by d.draft ->> 'combo' order by d.place) as line_of_combo
    from drafted d
    cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object('field', e.key, 'from', d.before -> e.key, 'to', e.value) order by e.key), '[]') as changes
      from jsonb_each(d.draft) e where e.value is distinct from d.before -> e.key) c
  ), judged as materialized (
    select c.*, (
      select coalesce(jsonb_agg(jsonb_build_object('field', p.field, 'message', p.message) order by p.place), '[]')
      from (
        select 0 as place, 'id' as field, 'Product not found.' as message where c.is_lost
        union all
        select 0, 'id', format('Line %s is about the same product.', c.line_of_product) where c.is_again
        union all
        select 0, 'name', format('Line %s has the same name.', c.line_of_name)
        where c.line_of_name < c.line and c.draft -> 'is_archived' = 'false' and not c.is_again and not c.is_lost
        union all
        select 0, 'combo', format('Line %s has the same combo pack.', c.line_of_combo)
        where c.line_of_combo < c.line and c.draft ->> 'combo' is not null and not c.is_again and not c.is_lost
        union all
        select 0, 'is_archived', 'A new product cannot start in the archive.'
        where c.before is null and c.draft -> 'is_archived' = 'true' and not c.is_lost
        union all
        select f.place, f.field, f.message
        from private.draft_problems(c.draft, c.id) with ordinality f (field, message, place)
        where c.changes <> '[]' and not c.is_lost and (c.before is null or
          (f.field, f.message) not in (select o.field, o.message from private.excused_problems(c.before, c.id) o))
      ) p) as problems
    from compared c
  )
  select jsonb_agg(jsonb_build_object(
    'line', j.line, 'id', j.id, 'seen', j.seen, 'name', coalesce(j.name, j.draft ->> 'name'),
    'action', case when j.problems <> '[]' then 'refused' when j.before is null then 'new'
                   when j.changes = '[]' then 'unchanged' else 'changed' end,
    'changes', j.changes, 'problems', j.problems, 'draft', j.draft) order by j.place)
  from judged j;
$$;

create or replace function private.product_draft(product public."Products") returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'name', product."Name", 'description', product."Description", 'category', product."Category", 'image', product."Image",
    'price_paise', (product."Price" * 100)::bigint, 'regular_price_paise', (product.regular_price * 100)::bigint,
    'offer_percent', product.offer_percent, 'gst_percent', trim_scale(product.gst_percent), 'hsn', product.hsn,
    'has_size', product."hasSize", 'weight_grams', product.weight_grams, 'food_mark', product.food_mark,
    'ingredients', product.ingredients, 'allergens', product.allergens,
    'shelf_life_days', product.shelf_life_days, 'storage', product.storage, 'maker', product.maker,
    'taste', product.taste, 'travel', product.travel, 'more_pictures', private.more_pictures_of(product."Id"), 'combo', product.combo,
    'is_listed', product.is_listed, 'is_archived', product.archived_at is not null,
    'unit_cost_paise', (private.unit_cost_at(product."Id", now()) * 100)::bigint);
$$;

create or replace function private.write_drafts(drafts jsonb) returns bigint[]
language plpgsql set search_path = '' as $$
declare
  given jsonb := (
    select jsonb_agg(r.value -> 'draft' || jsonb_build_object(
      'is_new', r.value ->> 'id' is null,
      'id', coalesce((r.value ->> 'id')::bigint, nextval(pg_get_serial_sequence('public."Products"', 'Id')))) order by r.place)
    from jsonb_array_elements(drafts) with ordinality r (value, place));
begin
  insert into public."Products" (
    "Id", "Name", "Description", "Category", "Image", "Price", regular_price, offer_percent, gst_percent, hsn, "hasSize",
    weight_grams, food_mark, ingredients, allergens, shelf_life_days, storage, maker, taste, travel, combo, is_listed)
  select d.id, d.name, d.description, d.category, d.image, d.price_paise / 100, d.regular_price_paise / 100, d.offer_percent,
         d.gst_percent, d.hsn, d.has_size, d.weight_grams, d.food_mark, d.ingredients, d.allergens, d.shelf_life_days,
         d.storage, d.maker, d.taste, d.travel, d.combo, d.is_listed
  from jsonb_to_recordset(given) as d (
    id bigint, is_new boolean, name text, description text, category text, image text, price_paise numeric,
    regular_price_paise numeric, offer_percent smallint, gst_percent numeric, hsn text, has_size boolean, weight_grams integer,
    food_mark text, ingredients text, allergens text, shelf_life_days smallint, storage text, maker text, taste text,
    travel text, combo text, is_listed boolean)
  where d.is_new;

  update public."Products" p set
    "Name" = d.name, "Description" = d.description, "Category" = d.category, "Image" = d.image, "Price" = d.price_paise / 100,
    regular_price = d.regular_price_paise / 100, offer_percent = d.offer_percent, gst_percent = d.gst_percent, hsn = d.hsn,
    "hasSize" = d.has_size, weight_grams = d.weight_grams, food_mark = d.food_mark, ingredients = d.ingredients,
    allergens = d.allergens, shelf_life_days = d.shelf_life_days, storage = d.storage, maker = d.maker,
    taste = d.taste, travel = d.travel, combo = d.combo, is_listed = d.is_listed,
    archived_at = case when d.is_archived then coalesce(p.archived_at, now()) end
  from jsonb_to_recordset(given) as d (
    id bigint, is_new boolean, name text, description text, category text, image text, price_paise numeric,
    regular_price_paise numeric, offer_percent smallint, gst_percent numeric, hsn text, has_size boolean, weight_grams integer,
    food_mark text, ingredients text, allergens text, shelf_life_days smallint, storage text, maker text, taste text,
    travel text, combo text, is_listed boolean, is_archived boolean)
  where p."Id" = d.id and not d.is_new;

  -- Pictures that stay as they are are not touched, so the log names what changed.
  delete from public.product_pictures m
  using jsonb_to_recordset(given) as d (id bigint, more_pictures text)
  where m.product_id = d.id and m.position > 1 + (select count(*) from private.read_more_pictures(d.more_pictures));
  insert into public.product_pictures as m (product_id, position, image, alt)
  select d.id, r.place + 1, r.image, r.alt
  from jsonb_to_recordset(given) as d (id bigint, more_pictures text), private.read_more_pictures(d.more_pictures) r
  on conflict on constraint product_pictures_pkey do update set image = excluded.image, alt = excluded.alt
  where (m.image, m.alt) is distinct from (excluded.image, excluded.alt);

  insert into private.product_costs (product_id, valid_from, unit_cost)
  select d.id, now(), d.unit_cost_paise / 100
  from jsonb_to_recordset(given) as d (id bigint, unit_cost_paise numeric)
  where d.unit_cost_paise / 100 is distinct from private.unit_cost_at(d.id, now()) and d.unit_cost_paise is not null
  on conflict on constraint product_costs_pkey do update set unit_cost = excluded.unit_cost;
  return array(select (r.value ->> 'id')::bigint from jsonb_array_elements(given) with ordinality r (value, place) order by r.place);
end $$;

create or replace function public.admin_duplicate_product(product_id bigint) returns jsonb
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

create or replace function public.admin_import_products(rows jsonb, dry_run boolean, fingerprint text default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  plan jsonb;
  print text;
  replaced text[];
begin
  perform private.require_admin();
  if jsonb_typeof(rows) is distinct from 'array' or jsonb_array_length(rows) not between 1 and 3000 then
    perform private.reject('A file has 1 to 3,000 products.');
  end if;
  if exists (select from jsonb_array_elements(rows) r (value)
             where jsonb_typeof(r.value -> 'values') is distinct from 'object'
                or coalesce(r.value ->> 'line', '') !~ '^[0-9]{1,6}$') then
    perform private.reject('These are not the rows of a file.');
  end if;
  if not dry_run then
    lock table public."Products" in share row exclusive mode;
  end if;
  plan := private.plan_import(rows);
  print := md5(plan::text);
  if dry_run then
    return jsonb_build_object('fingerprint', print, 'rows', (
      select jsonb_agg(r.value - 'draft' - 'seen' order by r.place) from jsonb_array_elements(plan) with ordinality r (value, place)));
  end if;
  if print is distinct from admin_import_products.fingerprint then
    raise sqlstate 'PT409' using detail = 'stale',
      message = 'Products were changed after this file was checked, so nothing was imported. Check the file again.';
  end if;
  if exists (select from jsonb_array_elements(plan) r (value) where r.value ->> 'action' = 'refused') then
    perform private.reject('Some rows have errors, so nothing was imported.');
  end if;
  select array_agg(distinct i) into replaced
  from jsonb_array_elements(plan) r (value)
  join public."Products" p on p."Id" = (r.value ->> 'id')::bigint
  cross join unnest(private.pictures_of(p)) i
  where r.value ->> 'action' = 'changed';
  perform private.write_drafts(coalesce((
    select jsonb_agg(jsonb_build_object('id', r.value -> 'id', 'draft', r.value -> 'draft') order by r.place)
    from jsonb_array_elements(plan) with ordinality r (value, place) where r.value ->> 'action' in ('new', 'changed')), '[]'));
  return jsonb_build_object(
    'added', (select count(*) from jsonb_array_elements(plan) r (value) where r.value ->> 'action' = 'new'),
    'changed', (select count(*) from jsonb_array_elements(plan) r (value) where r.value ->> 'action' = 'changed'),
    'unused_images', private.unused_pictures(replaced));
end $$;

create or replace function public.admin_read_product(product_id bigint) returns jsonb
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

create or replace function public.admin_save_product(changes jsonb, product_id bigint default null, seen timestamptz default null)
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
