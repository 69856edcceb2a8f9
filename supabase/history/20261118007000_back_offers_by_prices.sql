-- An offer tag says how far the price lies below the regular price, and nothing else. The console calculates it, refuses
-- a claim that the prices do not back, and lists products whose stored tag is not backed. A stored null still shows
-- '10% off' (the specification's rule) and stays until the product is saved.

-- Whole per cent, rounded down so that a tag never promises more than was taken off; 90 at most, as the column allows.
-- The same rule as trueOfferPercent() in domain/products/true-offer.ts. Both amounts in the same unit. Without a search
-- path of its own, so that queries inline it: the list counts unbacked tags at every visit.
create function private.true_offer(price numeric, regular_price numeric) returns smallint
language sql immutable parallel safe as $$
  select case when price >= 0 and regular_price > price
              then least(90, floor((regular_price - price) * 100 / regular_price)) else 0 end::smallint;
$$;

-- Of a product's draft, whose amounts may not be numbers yet.
create function private.true_offer_of(draft jsonb) returns smallint
language sql immutable set search_path = '' as $$
  select private.true_offer(case when jsonb_typeof(draft -> 'price_paise') = 'number' then (draft ->> 'price_paise')::numeric end,
    case when jsonb_typeof(draft -> 'regular_price_paise') = 'number' then (draft ->> 'regular_price_paise')::numeric end);
$$;

-- Why a tag cannot be claimed for these prices; null: it is the true one.
create function private.untrue_offer(offer_percent numeric, price numeric, regular_price numeric) returns text
language sql immutable set search_path = '' as $$
  select case
    when offer_percent is not distinct from private.true_offer(price, regular_price) then null
    when private.true_offer(price, regular_price) = 0
      then 'There is no offer to show: the regular price is not above the price. Give a regular price, or leave the offer empty.'
    else format('Against the regular price it is %1$s%% off. Write %1$s, or leave the offer empty.',
                private.true_offer(price, regular_price)) end;
$$;

-- A draft with changes in it. Text is trimmed; what follows from a change comes with it.
create or replace function private.merge_draft(draft jsonb, changes jsonb) returns jsonb
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
    merged := merged || jsonb_build_object('offer_percent', private.true_offer_of(merged));
  end if;
  return merged;
end $$;

-- What is wrong with a draft, by field; now with an offer that the prices do not back.
create or replace function private.draft_problems(draft jsonb, product_id bigint) returns table (field text, message text)
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
      when offer not between 0 and 90 or offer % 1 <> 0 then 'An offer is a whole number from 0 to 90, or empty.'
      else private.untrue_offer(offer, price, regular) end),
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

-- What was wrong before a change and need not be mended with it. That a listed product lacks a fact is none of that, nor
-- is an untrue offer: the change completes or corrects it.
create or replace function private.excused_problems(before jsonb, product_id bigint) returns table (field text, message text)
language sql stable set search_path = '' as $$
  select p.field, p.message
  from private.draft_problems(before || jsonb_build_object(
    'is_listed', (before ->> 'is_archived')::boolean and (before ->> 'is_listed')::boolean,
    'offer_percent', private.true_offer_of(before)), product_id) p;
$$;

-- An unlisted copy: {id}. Its tag is calculated anew, as the original's may not be backed.
create or replace function public.admin_duplicate_product(product_id bigint) returns jsonb
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
  return jsonb_build_object('id', private.write_draft(null, private.merge_draft(private.product_draft(product),
    jsonb_build_object('name', copy_name, 'is_listed', false, 'is_archived', false, 'combo', null))));
end $$;

-- The condition of the list's filter, with a new state: the tag is not backed by the prices.
create or replace function private.product_condition(filter jsonb) returns text
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
    when 'offer_unbacked' then 'p.archived_at is null and coalesce(p.offer_percent, 10) not in (0, private.true_offer(p."Price", p.regular_price))'
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

-- Administrators may also write products through the Data API: the tag follows the prices there, too. Seeds, restores and
-- moves between projects write rows as they were.
create function private.guard_offer() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  has_same_tag constant boolean := tg_op = 'UPDATE' and new.offer_percent is not distinct from old.offer_percent;
  problem text;
begin
  if not private.is_admin()
     or (has_same_tag and new."Price" = old."Price" and new.regular_price is not distinct from old.regular_price) then
    return new;
  end if;
  if has_same_tag or new.offer_percent is null then
    new.offer_percent := private.true_offer(new."Price", new.regular_price);
  end if;
  problem := private.untrue_offer(new.offer_percent, new."Price", new.regular_price);
  if problem is not null then
    perform private.refuse(problem, 'offer_percent');
  end if;
  return new;
end $$;
create trigger products_guard_offer before insert or update of "Price", regular_price, offer_percent on public."Products"
  for each row execute function private.guard_offer();

revoke execute on function private.true_offer(numeric, numeric), private.true_offer_of(jsonb),
  private.untrue_offer(numeric, numeric, numeric), private.guard_offer() from public;
