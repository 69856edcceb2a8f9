-- Categories belong to the owner: the specification's five stay as they are, others are added, renamed, ordered and
-- coloured in the console. Written by the console's requests alone, read by everybody.

create table public.categories (
  id bigint generated always as identity primary key,
  -- Stands in addresses, CSS strings and files: no quotes, brackets or control characters. "all" is the filter for all.
  name text not null unique check (char_length(name) between 2 and 40 and name = btrim(name) and name !~ '[[:cntrl:]"\\<>{}]'
                                   and name !~ '\s\s' and lower(name) not in ('all', 'category')),
  -- Null: the default, white. The five have their colours in the stylesheet.
  colour text check (colour ~ '^#[0-9a-f]{6}$'),
  position integer not null,
  is_fixed boolean not null default false,
  updated_at timestamptz not null default now()
);
comment on table public.categories is 'What products are sorted into. The five of the specification are fixed.';
create unique index categories_name_idx on public.categories (lower(name));

insert into public.categories (name, position, is_fixed) values
  ('Chocolate', 1, true), ('Laddu', 2, true), ('Halwa', 3, true), ('Gift', 4, true), ('Takeaway', 5, true);

revoke all on public.categories from anon, authenticated;
grant select on public.categories to anon, authenticated;
grant all on public.categories to service_role;
alter table public.categories enable row level security;
create policy "everybody reads categories" on public.categories for select to anon, authenticated using (true);

create function private.keep_fixed_categories() returns trigger
language plpgsql set search_path = '' as $$
begin
  perform private.refuse(format('%s is one of the shop''s first five categories and stays as it is.', old.name), 'name');
  return null;
end $$;
revoke execute on function private.keep_fixed_categories() from public;
create trigger categories_keep_fixed before update or delete on public.categories
  for each row when (old.is_fixed) execute function private.keep_fixed_categories();
create trigger categories_touch before update on public.categories
  for each row execute function private.touch_updated_at();
create trigger categories_audit after insert or update or delete on public.categories
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');

create trigger categories_invalidate_pages_insert after insert on public.categories
  referencing new table as new_rows for each statement execute function private.invalidate_pages_if_changed();
create trigger categories_invalidate_pages_update after update on public.categories
  referencing old table as old_rows new table as new_rows
  for each statement execute function private.invalidate_pages_if_changed();
create trigger categories_invalidate_pages_delete after delete on public.categories
  referencing old table as old_rows for each statement execute function private.invalidate_pages_if_changed();

-- A renamed category takes its products along; one with products cannot be deleted.
alter table public."Products" drop constraint "Products_Category_check";
alter table public."Products" add constraint products_category_fkey
  foreign key ("Category") references public.categories (name) on update cascade;

create function private.category_choices() returns text
language sql stable set search_path = '' as $$
  select regexp_replace(string_agg(c.name, ', ' order by not c.is_fixed,
    array_position(array['Halwa', 'Chocolate', 'Laddu', 'Takeaway', 'Gift'], c.name), c.position, c.id), ', ([^,]*)$', ' or \1')
  from public.categories c;
$$;
revoke execute on function private.category_choices() from public;

-- What is wrong with a draft, by field; now a category is one of the table's.
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

-- As before, and with the owner's categories, which every page shows somewhere: the five need no reading.
create or replace function public.page_frame(at timestamptz default now()) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'shop', (select to_jsonb(s) - 'id' - 'updated_at' from public.shop_settings s),
    'greeting', (
      select jsonb_build_object('id', g.id, 'title', g.title, 'message', g.message, 'image', g.image, 'link', g.link,
                                'has_fireworks', g.has_fireworks)
      from public.greetings g
      where g.is_published and g.starts_at <= page_frame.at and page_frame.at < g.ends_at
      order by g.priority desc, g.starts_at desc, g.id
      limit 1),
    'categories', (
      select coalesce(jsonb_agg(jsonb_build_object('name', c.name, 'colour', c.colour) order by c.position, c.id), '[]')
      from public.categories c where not c.is_fixed),
    'changes_at', public.next_greeting_change(page_frame.at));
$$;

-- Sections of the shop page, as before; '*' among the categories stands for the owner's, in their order, so that a page
-- need not read their names first.
create or replace function public.shop_page(categories text[], min_price numeric, max_price numeric, sort text, per_section integer)
returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('category', s.category, 'total', s.total, 'products', s.products)
                            order by s.place, s.own_place), '[]')
  from (
    select c.category, c.place, c.own_place, count(p.rank) as total,
           coalesce(jsonb_agg(private.product_card(p.product) order by p.rank) filter (where p.rank <= per_section), '[]') as products
    from (
      select a.category, a.place, 0 as own_place from unnest(categories) with ordinality a (category, place) where a.category <> '*'
      union all
      select o.name, a.place, row_number() over (order by o.position, o.id)
      from unnest(categories) with ordinality a (category, place) join public.categories o on not o.is_fixed
      where a.category = '*'
    ) c
    left join lateral (
      select q as product, row_number() over (order by
        case when sort = 'l-h' then q."Price" end,
        case when sort = 'h-l' then q."Price" end desc,
        q."Rating" desc nulls last, q."Id") as rank
      from public."Products" q
      where q."Category" = c.category and q."Price" > min_price and q."Price" <= max_price
        and q.is_listed and q.archived_at is null
    ) p on true
    group by c.category, c.place, c.own_place
  ) s;
$$;

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
  typed_name := private.typed(name, 'name', 'The name', 40, is_needed => true);
  if char_length(typed_name) < 2 then
    perform private.refuse('The name has at least two characters.', 'name');
  elsif typed_name ~ '["\\<>{}]' then
    perform private.refuse('The name cannot have quotes, backslashes or brackets of the kinds < > { }.', 'name');
  elsif lower(typed_name) in ('all', 'category') then
    perform private.refuse(format('“%s” means something else in the shop. Choose another name.', typed_name), 'name');
  elsif exists (select from public.categories c where lower(c.name) = lower(typed_name) and c.id is distinct from category_id) then
    perform private.refuse(format('There is a category called %s already.', typed_name), 'name');
  elsif typed_colour !~ '^#[0-9a-f]{6}$' then
    perform private.refuse('Choose a colour.', 'colour');
  elsif taken.id is null and (select count(*) from public.categories c where not c.is_fixed) >= 40 then
    perform private.refuse('There are 40 categories of your own already. Delete one first.', 'name');
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

select private.open_console_requests();
