-- Products as the console reads and changes them, one or many: what is wrong with a change is said at its field, and
-- nothing is changed that somebody else has changed meanwhile.

-- What the console's form holds of a product: its draft. Money in paise.
create function private.product_draft(product public."Products") returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'name', product."Name", 'description', product."Description", 'category', product."Category", 'image', product."Image",
    'price_paise', (product."Price" * 100)::bigint, 'regular_price_paise', (product.regular_price * 100)::bigint,
    'offer_percent', product.offer_percent, 'gst_percent', trim_scale(product.gst_percent), 'hsn', product.hsn,
    'has_size', product."hasSize", 'weight_grams', product.weight_grams, 'food_mark', product.food_mark,
    'ingredients', product.ingredients, 'allergens', product.allergens,
    'shelf_life_days', product.shelf_life_days, 'storage', product.storage, 'maker', product.maker, 'combo', product.combo,
    'is_listed', product.is_listed, 'is_archived', product.archived_at is not null,
    'unit_cost_paise', (private.unit_cost_at(product."Id", now()) * 100)::bigint);
$$;

-- Before anything is typed. No offer: the shop shows a tag for an unknown one.
create function private.empty_draft() returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb '{"name": "", "description": "", "category": null, "image": "", "price_paise": null,
    "regular_price_paise": null, "offer_percent": 0, "gst_percent": 5, "hsn": "2106", "has_size": null,
    "weight_grams": null, "food_mark": null, "ingredients": "", "allergens": "", "shelf_life_days": null, "storage": "",
    "maker": "", "combo": null, "is_listed": false, "is_archived": false, "unit_cost_paise": null}';
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
  return merged;
end $$;

-- What is wrong with a draft, by field. product_id: whose draft it is; null: of a product to come.
create function private.draft_problems(draft jsonb, product_id bigint) returns table (field text, message text)
language plpgsql stable set search_path = '' as $$
declare
  kinds constant jsonb := '{"name": "string", "description": "string", "category": "string?", "image": "string",
    "price_paise": "number?", "regular_price_paise": "number?", "offer_percent": "number?", "gst_percent": "number",
    "hsn": "string", "has_size": "boolean?", "weight_grams": "number?", "food_mark": "string?", "ingredients": "string",
    "allergens": "string", "shelf_life_days": "number?", "storage": "string", "maker": "string", "combo": "string?",
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
  select d.key, case when kinds ? d.key then 'This is not what belongs here.' else 'Products have no such field.' end
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
      then format('Another product is called %s already.', product_name) end),
    ('description', case
      when char_length(draft ->> 'description') > 4000 then 'A description has at most 4,000 characters.' end),
    ('category', case
      when coalesce(draft ->> 'category', '') not in ('Halwa', 'Chocolate', 'Laddu', 'Takeaway', 'Gift')
      then 'Choose Halwa, Chocolate, Laddu, Takeaway or Gift.' end),
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
      when offer not between 0 and 90 or offer % 1 <> 0 then 'An offer is a whole number from 0 to 90, or empty.' end),
    ('gst_percent', case
      when gst not between 0 and 40 or gst * 100 % 1 <> 0
      then 'A GST rate is between 0 and 40, with at most two decimals.' end),
    ('hsn', case when draft ->> 'hsn' !~ '^[0-9]{4,8}$' then 'An HSN code has 4 to 8 digits.' end),
    ('has_size', case
      when sized is null then 'Say whether it is sold by weight or by piece.'
      when draft_problems.product_id is not null then (
        select format('Its stock is counted in %s, so it keeps being sold by %s.',
                      case when o."hasSize" then 'grams' else 'pieces' end, case when o."hasSize" then 'weight' else 'piece' end)
        from public."Products" o
        where o."Id" = draft_problems.product_id and o."hasSize" <> sized
          and exists (select from public.stock_movements m where m.product_id = o."Id")) end),
    ('weight_grams', case
      when weight is null and not coalesce(sized, false) then 'Say what a piece or pack weighs.'
      when sized and weight is distinct from 500 then 'What is sold by weight counts in units of 500 g.'
      when weight not between 1 and 30000 or weight % 1 <> 0 then 'A weight is a whole number from 1 to 30,000 g.' end),
    ('food_mark', case
      when draft ->> 'food_mark' not in ('veg', 'non-veg') then 'The mark is veg or non-veg. Egg counts as non-veg.'
      when 'food_mark' = any (missing) then 'A listed product needs its mark: veg or non-veg.' end),
    ('ingredients', case
      when char_length(draft ->> 'ingredients') > 2000 then 'The list of ingredients has at most 2,000 characters.'
      when 'ingredients' = any (missing) then 'A listed product needs its ingredients.' end),
    ('allergens', case
      when char_length(draft ->> 'allergens') > 500 then 'Allergens have at most 500 characters.'
      when 'allergens' = any (missing) then 'A listed product needs its allergens. Write None if there are none.' end),
    ('shelf_life_days', case
      when days not between 1 and 730 or days % 1 <> 0 then 'A shelf life is a whole number from 1 to 730 days.'
      when 'shelf_life_days' = any (missing) then 'A listed product needs its shelf life.' end),
    ('storage', case
      when char_length(draft ->> 'storage') > 300 then 'Storage has at most 300 characters.'
      when 'storage' = any (missing) then 'A listed product needs to say how it is stored.' end),
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
      then 'A known cost can be changed, but not forgotten.' end)
  ) p (field, message) where p.message is not null;
end $$;

-- What was wrong before a change and need not be mended with it. That a listed product lacks a fact is none of that:
-- whoever touches it completes it, or takes it off the shelf.
create function private.excused_problems(before jsonb, product_id bigint) returns table (field text, message text)
language sql stable set search_path = '' as $$
  select p.field, p.message
  from private.draft_problems(before || jsonb_build_object('is_listed', (before ->> 'is_archived')::boolean and (before ->> 'is_listed')::boolean), product_id) p;
$$;

-- Why a product is not listed, with its name and all that it lacks.
create function private.listing_refusal(name text, missing text[]) returns text
language sql immutable set search_path = '' as $$
  select format('%s cannot be listed yet. Missing: %s.', name, string_agg('{"food_mark": "the veg or non-veg mark",
    "ingredients": "the ingredients", "allergens": "the allergens (None, if there are none)", "shelf_life_days": "the shelf life",
    "storage": "how it is stored", "weight_grams": "the net weight"}'::jsonb ->> m.field, ', ' order by m.place))
  from unnest(missing) with ordinality m (field, place);
$$;

-- Refuses what a change makes wrong. What was wrong before it does not stop it.
create function private.refuse_problems(before jsonb, after jsonb, product_id bigint, prefix text default '') returns void
language plpgsql stable set search_path = '' as $$
declare
  problem record;
begin
  select p.field, p.message into problem
  from private.draft_problems(after, product_id) with ordinality p (field, message, place)
  where before is null or (p.field, p.message) not in (select b.field, b.message from private.excused_problems(before, product_id) b)
  order by p.place limit 1;
  if found then
    perform private.refuse(prefix || problem.message, problem.field);
  end if;
end $$;

-- Writes drafts without problems, [{id, draft}], where an id of null is a new product; answers the ids. Costs count from
-- now on.
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
    weight_grams, food_mark, ingredients, allergens, shelf_life_days, storage, maker, combo, is_listed)
  select d.id, d.name, d.description, d.category, d.image, d.price_paise / 100, d.regular_price_paise / 100, d.offer_percent,
         d.gst_percent, d.hsn, d.has_size, d.weight_grams, d.food_mark, d.ingredients, d.allergens, d.shelf_life_days,
         d.storage, d.maker, d.combo, d.is_listed
  from jsonb_to_recordset(given) as d (
    id bigint, is_new boolean, name text, description text, category text, image text, price_paise numeric,
    regular_price_paise numeric, offer_percent smallint, gst_percent numeric, hsn text, has_size boolean, weight_grams integer,
    food_mark text, ingredients text, allergens text, shelf_life_days smallint, storage text, maker text, combo text,
    is_listed boolean)
  where d.is_new;

  update public."Products" p set
    "Name" = d.name, "Description" = d.description, "Category" = d.category, "Image" = d.image, "Price" = d.price_paise / 100,
    regular_price = d.regular_price_paise / 100, offer_percent = d.offer_percent, gst_percent = d.gst_percent, hsn = d.hsn,
    "hasSize" = d.has_size, weight_grams = d.weight_grams, food_mark = d.food_mark, ingredients = d.ingredients,
    allergens = d.allergens, shelf_life_days = d.shelf_life_days, storage = d.storage, maker = d.maker, combo = d.combo,
    is_listed = d.is_listed,
    archived_at = case when d.is_archived then coalesce(p.archived_at, now()) end
  from jsonb_to_recordset(given) as d (
    id bigint, is_new boolean, name text, description text, category text, image text, price_paise numeric,
    regular_price_paise numeric, offer_percent smallint, gst_percent numeric, hsn text, has_size boolean, weight_grams integer,
    food_mark text, ingredients text, allergens text, shelf_life_days smallint, storage text, maker text, combo text,
    is_listed boolean, is_archived boolean)
  where p."Id" = d.id and not d.is_new;

  insert into private.product_costs (product_id, valid_from, unit_cost)
  select d.id, now(), d.unit_cost_paise / 100
  from jsonb_to_recordset(given) as d (id bigint, unit_cost_paise numeric)
  where d.unit_cost_paise / 100 is distinct from private.unit_cost_at(d.id, now()) and d.unit_cost_paise is not null
  on conflict on constraint product_costs_pkey do update set unit_cost = excluded.unit_cost;
  return array(select (r.value ->> 'id')::bigint from jsonb_array_elements(given) with ordinality r (value, place) order by r.place);
end $$;

-- Of one product.
create function private.write_draft(product_id bigint, draft jsonb) returns bigint
language sql set search_path = '' as $$
  select (private.write_drafts(jsonb_build_array(jsonb_build_object('id', product_id, 'draft', draft))))[1];
$$;

-- The picture itself, if it was uploaded and nothing shows it any longer; null otherwise. Orders and quotes keep the
-- picture of what was bought.
create function private.unused_picture(image text) returns text
language sql stable set search_path = '' as $$
  select unused_picture.image
  where unused_picture.image like '%/storage/v1/object/public/products/%'
    and not exists (select from public."Products" p where p."Image" = unused_picture.image)
    and not exists (select from public.caurousel c where c.background_img = unused_picture.image)
    and not exists (select from public.greetings g where g.image = unused_picture.image)
    and not exists (select from private.quotes q where q.expires_at > now() - interval '6 days'
                    and q.lines @> jsonb_build_array(jsonb_build_object('product_image', unused_picture.image)))
    and not exists (select from public.order_items i where i.product_image = unused_picture.image);
$$;

revoke execute on function private.product_draft(public."Products"), private.empty_draft(), private.merge_draft(jsonb, jsonb),
  private.draft_problems(jsonb, bigint), private.excused_problems(jsonb, bigint), private.refuse_problems(jsonb, jsonb, bigint, text), private.listing_refusal(text, text[]),
  private.write_drafts(jsonb), private.write_draft(bigint, jsonb), private.unused_picture(text) from public;

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
    'row', private.product_row(product, stock, private.unit_cost_at(product."Id", now())), 'draft', private.product_draft(product), 'created_at', product.created_at,
    'costs', (select coalesce(jsonb_agg(jsonb_build_object('valid_from', c.valid_from, 'unit_cost_paise', (c.unit_cost * 100)::bigint)
                                        order by c.valid_from desc), '[]')
              from private.product_costs c where c.product_id = product."Id"),
    'has_stock_history', exists (select from public.stock_movements m where m.product_id = product."Id"),
    'is_deletable', private.kept_because(product."Id") is null,
    'waiting', (select count(*) from public.notify_subscriptions n where n.product_id = product."Id"));
end $$;

-- Why a product cannot be deleted; null: it leaves nothing behind.
create function private.kept_because(product_id bigint) returns text
language sql stable set search_path = '' as $$
  select case
    when exists (select from public.order_items i where i.product_id = kept_because.product_id) then 'It was sold'
    when exists (select from public.stock_movements m where m.product_id = kept_because.product_id) then 'It has a stock history'
    when exists (select from public.purchase_order_items i where i.product_id = kept_because.product_id) then 'It was ordered from a vendor'
    when exists (select from public.comments c where c.product_id = kept_because.product_id) then 'Customers have reviewed it'
  end;
$$;
revoke execute on function private.kept_because(bigint) from public;

-- Saves a product: {id, updated_at, unused_image}. product_id null: a new one. `changes` names what changes of the draft.
create function public.admin_save_product(changes jsonb, product_id bigint default null, seen timestamptz default null)
returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  product public."Products";
  before jsonb;
  draft jsonb;
  written bigint;
begin
  perform private.require_admin();
  if jsonb_typeof(changes) is distinct from 'object' then
    perform private.refuse('There is nothing to save.');
  end if;
  if product_id is not null then
    select * into product from public."Products" p where p."Id" = product_id for no key update;
    if not found then
      raise sqlstate 'PT404' using message = 'There is no such product.';
    end if;
    perform private.expect_unchanged(seen, product.updated_at);
    before := private.product_draft(product);
  end if;
  draft := private.merge_draft(coalesce(before, private.empty_draft()), changes);
  perform private.refuse_problems(before, draft, product_id);
  written := private.write_draft(product_id, draft);
  return (
    select jsonb_build_object('id', p."Id", 'updated_at', p.updated_at,
                              'unused_image', case when product."Image" <> p."Image" then private.unused_picture(product."Image") end)
    from public."Products" p where p."Id" = written);
end $$;

-- Changes many products at once, all or none: [{id, seen, changes}], as the rows of the list that come back. Of a draft
-- only what is changed in bulk may be named.
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
  refusals text[] := '{}';
  refused_field text;
begin
  perform private.require_admin();
  if jsonb_typeof(products) is distinct from 'array' or jsonb_array_length(products) not between 1 and 2000 then
    perform private.refuse('Choose 1 to 2,000 products.');
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
        message = format('Somebody changed %s meanwhile. Nothing was changed: look at it again first.', product."Name");
    end if;
    perform private.expect_unchanged(item.seen, product.updated_at);
    if jsonb_typeof(item.changes) is distinct from 'object' or item.changes - offered <> '{}' then
      perform private.refuse('This cannot be changed in the list.');
    end if;
    before := private.product_draft(product);
    draft := private.merge_draft(before, item.changes);
    missing := private.missing_facts(product.food_mark, product.ingredients, product.allergens, product.shelf_life_days,
                                     product.storage, product.weight_grams);
    if missing <> '{}' and item.changes -> 'is_listed' = 'true' and draft -> 'is_archived' = 'false' then
      refusals := refusals || private.listing_refusal(product."Name", missing);
      refused_field := coalesce(refused_field, missing[1]);
      continue;
    end if;
    perform private.refuse_problems(before, draft, item.id, case when many then product."Name" || ': ' else '' end);
    drafts := drafts || jsonb_build_object('id', item.id, 'draft', draft);
  end loop;
  if refusals <> '{}' then
    perform private.refuse(array_to_string(refusals[1:5], ' ')
      || case when cardinality(refusals) > 5 then format(' And %s more.', cardinality(refusals) - 5) else '' end, refused_field);
  end if;
  perform private.write_drafts(to_jsonb(drafts));
  return (
    select jsonb_agg(private.product_row(p, s, private.unit_cost_at(p."Id", now())) order by p."Id")
    from public."Products" p join public.stock_levels s on s.product_id = p."Id"
    where p."Id" in (select i.id from jsonb_to_recordset(products) as i (id bigint)));
end $$;

-- An unlisted copy, with its cost but without its stock, its reviews and its place among the combo packs: {id}.
create function public.admin_duplicate_product(product_id bigint) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  product public."Products";
  copy_name text;
begin
  perform private.require_admin();
  select * into product from public."Products" p where p."Id" = product_id for share;
  if not found then
    raise sqlstate 'PT404' using message = 'There is no such product.';
  end if;
  select left(product."Name", 110) || n.ending into copy_name
  from (select place, case when place = 1 then ' (copy)' else format(' (copy %s)', place) end as ending
        from generate_series(1, 2000) place) n
  where not exists (select from public."Products" o
                    where o.archived_at is null and lower(o."Name") = lower(left(product."Name", 110) || n.ending))
  order by n.place limit 1;
  return jsonb_build_object('id', private.write_draft(null, private.product_draft(product)
    || jsonb_build_object('name', copy_name, 'is_listed', false, 'is_archived', false, 'combo', null)));
end $$;

-- Deletes what never was more than a draft: {unused_image}. Everything else is archived.
create function public.admin_delete_product(product_id bigint, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  product public."Products";
  reason text;
begin
  perform private.require_admin();
  select * into product from public."Products" p where p."Id" = product_id for update;
  if not found then
    raise sqlstate 'PT404' using message = 'There is no such product.';
  end if;
  perform private.expect_unchanged(seen, product.updated_at);
  reason := private.kept_because(product_id);
  if reason is not null then
    raise sqlstate 'PT409' using message = reason || ', so it stays in the books. Archive it instead.';
  end if;
  delete from public."Products" p where p."Id" = product_id;
  return jsonb_build_object('unused_image', private.unused_picture(product."Image"));
end $$;

select private.open_console_requests();
