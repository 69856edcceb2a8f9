-- Console: what an administrator enters for a product: drafts, what is wrong with them, and writing them.
-- Called by other functions only. Writes products, their further pictures, and costs.
set check_function_bodies = off;

-- What the console's form holds of a product: its draft. Money in paise.
create function private.product_draft(product public."Products") returns jsonb
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

-- A new product's draft. No offer: the shop shows a tag for an unknown one.
create function private.empty_draft() returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb '{"name": "", "description": "", "category": null, "image": "", "price_paise": null,
    "regular_price_paise": null, "offer_percent": 0, "gst_percent": 5, "hsn": "2106", "has_size": null,
    "weight_grams": null, "food_mark": null, "ingredients": "", "allergens": "", "shelf_life_days": null, "storage": "",
    "maker": "", "taste": "", "travel": "", "more_pictures": "", "combo": null, "is_listed": false, "is_archived": false, "unit_cost_paise": null}';
$$;

-- A draft with changes in it. Text is trimmed; what follows from a change comes with it.
create function private.merge_draft(draft jsonb, changes jsonb) returns jsonb
language plpgsql immutable set search_path = '' as $$
declare
  merged jsonb := draft || coalesce((
    select jsonb_object_agg(c.key, case
      when jsonb_typeof(c.value) <> 'string' or c.value = draft -> c.key then c.value
      when c.key in ('combo', 'food_mark') and btrim(c.value #>> '{}') = '' then 'null'
      else to_jsonb(btrim(replace(c.value #>> '{}', E'\r\n', E'\n'), E' \t\n\r')) end)
    from jsonb_each(changes) c), '{}');
begin
  if merged -> 'has_size' = 'true' and not changes ? 'weight_grams' then
    merged := merged || '{"weight_grams": 500}';
  end if;
  if merged -> 'is_archived' = 'true' and draft -> 'is_archived' = 'false' then
    merged := merged || jsonb_build_object(
      'is_listed', coalesce(changes -> 'is_listed', 'false'),
      'combo', case when changes ? 'combo' then merged -> 'combo' end);
  end if;
  -- The tag follows from the two prices unless the caller claims one; draft_problems() judges the claim. Where nothing
  -- changes, a stored tag stays.
  if changes -> 'offer_percent' = 'null'
     or (not changes ? 'offer_percent' and merged - 'offer_percent' <> draft - 'offer_percent') then
    merged := merged || jsonb_build_object('offer_percent', private.calculate_draft_offer(merged));
  end if;
  return merged;
end $$;

-- What is wrong with a draft, by field, in the order of the form. product_id: whose draft it is; null: a new product's. The values
-- are checked when all of them have the right kind.
create function private.draft_problems(draft jsonb, product_id bigint) returns table (field text, message text)
language plpgsql stable set search_path = '' as $$
begin
  return query select * from private.draft_kind_problems(draft);
  if found then
    return;
  end if;
  return query select * from private.draft_name_problems(draft, product_id);
  return query select * from private.draft_price_problems(draft);
  return query select * from private.draft_size_problems(draft, product_id);
  return query select * from private.draft_food_problems(draft);
  return query select * from private.draft_other_problems(draft, product_id);
end $$;

create function private.draft_kind_problems(draft jsonb) returns table (field text, message text)
language plpgsql immutable set search_path = '' as $$
declare
  kinds constant jsonb := '{"name": "string", "description": "string", "category": "string?", "image": "string",
    "price_paise": "number?", "regular_price_paise": "number?", "offer_percent": "number?", "gst_percent": "number",
    "hsn": "string", "has_size": "boolean?", "weight_grams": "number?", "food_mark": "string?", "ingredients": "string",
    "allergens": "string", "shelf_life_days": "number?", "storage": "string", "maker": "string", "taste": "string",
    "travel": "string", "more_pictures": "string", "combo": "string?",
    "is_listed": "boolean", "is_archived": "boolean", "unit_cost_paise": "number?"}';
begin
  return query
  select d.key, case when kinds ? d.key then 'This value is not valid.' else 'Products have no such field.' end
  from jsonb_each(draft) d
  where jsonb_typeof(d.value) <> coalesce(rtrim(kinds ->> d.key, '?'), '')
    and not (jsonb_typeof(d.value) = 'null' and coalesce(kinds ->> d.key like '%?', false));
end $$;

create function private.draft_name_problems(draft jsonb, product_id bigint) returns table (field text, message text)
language plpgsql stable set search_path = '' as $$
declare
  product_name constant text := draft ->> 'name';
  archived constant boolean := draft ->> 'is_archived';
begin
  return query
  select p.field, p.message from (values
    ('name', case
      when btrim(product_name) = '' then 'Give the product a name.'
      when char_length(product_name) > 120 then 'A name has at most 120 characters.'
      when product_name ~ '[[:cntrl:]]' then 'A name is one line of text.'
      when not archived and exists (
        select from public."Products" o where lower(o."Name") = lower(product_name) and o.archived_at is null
          and o."Id" is distinct from draft_name_problems.product_id)
      then format('Another product is already called %s.', product_name) end),
    ('description', case
      when char_length(draft ->> 'description') > 4000 then 'A description has at most 4,000 characters.' end),
    ('category', case
      when not exists (select from public.categories c where c.name = draft ->> 'category')
      then format('Choose %s.', private.category_choices()) end),
    ('image', case
      when draft ->> 'image' <> '' and not private.is_safe_link(draft ->> 'image')
      then 'A picture is an address of this site or of the web.' end)
  ) p (field, message) where p.message is not null;
end $$;

create function private.draft_price_problems(draft jsonb) returns table (field text, message text)
language plpgsql stable set search_path = '' as $$
declare
  price constant numeric := draft ->> 'price_paise';
  regular constant numeric := draft ->> 'regular_price_paise';
  offer constant numeric := draft ->> 'offer_percent';
  gst constant numeric := draft ->> 'gst_percent';
begin
  return query
  select p.field, p.message from (values
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
    ('hsn', case when draft ->> 'hsn' !~ '^[0-9]{4,8}$' then 'An HSN code has 4 to 8 digits.' end)
  ) p (field, message) where p.message is not null;
end $$;

create function private.draft_size_problems(draft jsonb, product_id bigint) returns table (field text, message text)
language plpgsql stable set search_path = '' as $$
declare
  weight constant numeric := draft ->> 'weight_grams';
  sized constant boolean := draft ->> 'has_size';
begin
  return query
  select p.field, p.message from (values
    ('has_size', case
      when sized is null then 'Choose weight or piece.'
      when draft_size_problems.product_id is not null then (
        select format('Its stock is counted in %s, so it keeps being sold by %s.',
                      case when o."hasSize" then 'grams' else 'pieces' end, case when o."hasSize" then 'weight' else 'piece' end)
        from public."Products" o
        where o."Id" = draft_size_problems.product_id and o."hasSize" <> sized
          and exists (select from public.stock_movements m where m.product_id = o."Id")) end),
    ('weight_grams', case
      when weight is null and not coalesce(sized, false) then 'Enter the weight of a piece or pack.'
      when sized and weight is distinct from 500 then 'What is sold by weight counts in units of 500 g.'
      when weight not between 1 and 30000 or weight % 1 <> 0 then 'A weight is a whole number from 1 to 30,000 g.' end)
  ) p (field, message) where p.message is not null;
end $$;

-- Facts that the law requires of food on sale.
create function private.draft_food_problems(draft jsonb) returns table (field text, message text)
language plpgsql stable set search_path = '' as $$
declare
  days constant numeric := draft ->> 'shelf_life_days';
  -- What only a listed product needs.
  missing constant text[] := case when (draft ->> 'is_listed')::boolean and not (draft ->> 'is_archived')::boolean
    then private.missing_facts(draft ->> 'food_mark', draft ->> 'ingredients', draft ->> 'allergens', (draft ->> 'shelf_life_days')::numeric,
                               draft ->> 'storage', (draft ->> 'weight_grams')::numeric)
    else '{}' end;
begin
  return query
  select p.field, p.message from (values
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
    ('maker', case when char_length(draft ->> 'maker') > 300 then 'A maker''s name and address have at most 300 characters.' end)
  ) p (field, message) where p.message is not null;
end $$;

create function private.draft_other_problems(draft jsonb, product_id bigint) returns table (field text, message text)
language plpgsql stable set search_path = '' as $$
declare
  cost constant numeric := draft ->> 'unit_cost_paise';
begin
  return query
  select p.field, p.message from (values
    ('combo', case
      when draft ->> 'combo' not in ('halwa', 'chocolate', 'laddu', 'family')
      then 'A combo pack is halwa, chocolate, laddu or family, or empty.'
      when draft ->> 'combo' is not null then (
        select format('%s is the %s pack already. Take it from there first.', o."Name", o.combo)
        from public."Products" o
        where o.combo = draft ->> 'combo' and o."Id" is distinct from draft_other_problems.product_id) end),
    ('is_listed', case when (draft ->> 'is_listed')::boolean and (draft ->> 'is_archived')::boolean then 'An archived product cannot be listed.' end),
    ('unit_cost_paise', case
      when cost not between 0 and 10000000 or cost % 1 <> 0 then 'A cost is between ₹0 and ₹1,00,000.'
      when cost is null and draft_other_problems.product_id is not null
        and private.unit_cost_at(draft_other_problems.product_id, now()) is not null
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

-- Problems from before a change that need not be fixed with it. Missing facts of a listed product and an untrue
-- offer are not among them: the change has to complete or correct those.
create function private.excused_problems(before jsonb, product_id bigint) returns table (field text, message text)
language sql stable set search_path = '' as $$
  select p.field, p.message
  from private.draft_problems(before || jsonb_build_object(
    'is_listed', (before ->> 'is_archived')::boolean and (before ->> 'is_listed')::boolean,
    'offer_percent', private.calculate_draft_offer(before)), product_id) p;
$$;

-- Why a product is not listed, with its name and all that it lacks.
create function private.listing_rejection(name text, missing text[]) returns text
language sql immutable set search_path = '' as $$
  select format('%s cannot be listed yet. Missing: %s.', name, string_agg('{"food_mark": "the veg or non-veg mark",
    "ingredients": "the ingredients", "allergens": "the allergens (None, if there are none)", "shelf_life_days": "the shelf life",
    "storage": "how it is stored", "weight_grams": "the net weight"}'::jsonb ->> m.field, ', ' order by m.place))
  from unnest(missing) with ordinality m (field, place);
$$;

-- Rejects a change that adds a problem. Problems from before do not stop it.
create function private.reject_problems(before jsonb, after jsonb, product_id bigint, prefix text default '') returns void
language plpgsql stable set search_path = '' as $$
declare
  problem record;
begin
  select p.field, p.message into problem
  from private.draft_problems(after, product_id) with ordinality p (field, message, place)
  where before is null or (p.field, p.message) not in (select b.field, b.message from private.excused_problems(before, product_id) b)
  order by p.place limit 1;
  if found then
    perform private.reject(prefix || problem.message, problem.field);
  end if;
end $$;

-- Writes drafts without problems, [{id, draft}], where an id of null is a new product; returns the ids. Costs are
-- valid from now on.
create function private.write_drafts(drafts jsonb) returns bigint[]
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

-- The same for one product.
create function private.write_draft(product_id bigint, draft jsonb) returns bigint
language sql set search_path = '' as $$
  select (private.write_drafts(jsonb_build_array(jsonb_build_object('id', product_id, 'draft', draft))))[1];
$$;

-- Why a product cannot be deleted; null: it can.
create function private.deletion_blocker(product_id bigint) returns text
language sql stable set search_path = '' as $$
  select case
    when exists (select from public.order_items i where i.product_id = deletion_blocker.product_id) then 'It was sold'
    when exists (select from public.stock_movements m where m.product_id = deletion_blocker.product_id) then 'It has a stock history'
    when exists (select from public.purchase_order_items i where i.product_id = deletion_blocker.product_id) then 'It was ordered from a vendor'
    when exists (select from public.comments c where c.product_id = deletion_blocker.product_id) then 'Customers have reviewed it'
  end;
$$;
