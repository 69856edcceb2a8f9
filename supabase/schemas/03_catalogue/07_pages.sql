-- What the pages of the storefront read, one call for each page.
-- No tables: called by visitors, with their own permissions.
set check_function_bodies = off;

-- What a list shows of a product; with everything, also its food facts and maker.
create function private.product_card(product public."Products") returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object(
    'Id', product."Id", 'Name', product."Name", 'Price', product."Price", 'regular_price', product.regular_price,
    'Image', product."Image", 'Category', product."Category", 'isavailable', product.isavailable, 'hasSize', product."hasSize",
    'Rating', product."Rating", 'review_count', product.review_count, 'offer_percent', product.offer_percent,
    'food_mark', product.food_mark, 'gst_percent', product.gst_percent);
$$;

-- What every page shows: the shop's facts, the owner's categories, the current greeting, and when the next greeting
-- begins or this one ends (of the same instant, so that no change falls in between).
create function public.page_frame(at timestamptz default now()) returns jsonb
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

-- The slides, products and combo packs of the home page.
create function public.home_page() returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'slides', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', c.id, 'background_img', c.background_img, 'title', c.title, 'subtitle', c.subtitle,
        'buttonaction', c.buttonaction, 'buttontitle', c.buttontitle) order by c.position, c.id), '[]')
      from public.caurousel c where c.is_published),
    'products', (
      select coalesce(jsonb_agg(private.product_card(p.product)), '[]')
      from (select q as product from public."Products" q where q.isavailable and q."Category" <> 'Takeaway'
            order by q."Rating" desc nulls last, q."Id" limit 48) p),
    'combos', (
      select coalesce(jsonb_agg(private.product_card(p) || jsonb_build_object('combo', p.combo, 'Description', p."Description")
                      order by array_position(array['halwa', 'chocolate', 'laddu', 'family'], p.combo)), '[]')
      from public."Products" p where p.combo is not null and p.isavailable));
$$;

-- Sections of the shop page, in the order of `categories`: how many products each has, and the first few. '*' stands for
-- the owner's categories, in their order. Every caller may call it, so each category is shown once, with fifty names and 480
-- products a section at most (domain/catalog/shop-view.ts). Sorts: l-h and h-l by price, anything else best selling
-- (highest rating first).
create function public.shop_page(categories text[], min_price numeric, max_price numeric, sort text, per_section integer)
returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('category', s.category, 'total', s.total, 'products', s.products)
                            order by s.place, s.own_place), '[]')
  from (
    select c.category, c.place, c.own_place, count(p.rank) as total,
           coalesce(jsonb_agg(private.product_card(p.product) order by p.rank)
                    filter (where p.rank <= least(per_section, 480)), '[]') as products
    from (
      select distinct on (n.category) n.category, n.place, n.own_place
      from (
        select a.category, a.place, 0 as own_place
        from unnest(categories[1:50]) with ordinality a (category, place) where a.category <> '*'
        union all
        select o.name, a.place, row_number() over (partition by a.place order by o.position, o.id)
        from unnest(categories[1:50]) with ordinality a (category, place) join public.categories o on not o.is_fixed
        where a.category = '*'
      ) n
      order by n.category, n.place, n.own_place
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

-- One product with all its facts and pictures; null when the caller may not see it.
create function public.product_page(product_id bigint) returns jsonb
language sql stable set search_path = '' as $$
  select private.product_card(p) || jsonb_build_object(
    'Description', p."Description", 'weight_grams', p.weight_grams,
    'ingredients', p.ingredients, 'allergens', p.allergens, 'shelf_life_days', p.shelf_life_days, 'storage', p.storage,
    'maker', p.maker, 'taste', p.taste, 'travel', p.travel,
    'pictures', (select coalesce(jsonb_agg(jsonb_build_object('image', m.image, 'alt', m.alt) order by m.position), '[]')
                 from public.product_pictures m where m.product_id = p."Id"))
  from public."Products" p
  where p."Id" = product_page.product_id and p.is_listed and p.archived_at is null;
$$;

-- For ?product=<name>, in any case.
create function public.product_id_by_name(name text) returns bigint
language sql stable set search_path = '' as $$
  select p."Id" from public."Products" p
  where lower(p."Name") = lower(btrim(product_id_by_name.name)) and p.archived_at is null and p.is_listed;
$$;

create function public.sitemap_products() returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('Id', p."Id", 'updated_at', p.updated_at) order by p."Id"), '[]')
  from public."Products" p where p.is_listed and p.archived_at is null;
$$;

create function public.product_page_by_name(name text) returns jsonb
language sql stable set search_path = '' as $$
  select public.product_page(public.product_id_by_name(product_page_by_name.name));
$$;

grant execute on function private.product_card("Products") to anon, authenticated, service_role;
revoke execute on function
  public.page_frame(timestamptz), public.home_page(), public.shop_page(text[], numeric, numeric, text, integer),
  public.product_page(bigint), public.product_id_by_name(text), public.sitemap_products(),
  public.product_page_by_name(text)
  from public, anon, authenticated;
grant execute on function
  public.page_frame(timestamptz), public.home_page(), public.shop_page(text[], numeric, numeric, text, integer),
  public.product_page(bigint), public.product_id_by_name(text), public.sitemap_products(),
  public.product_page_by_name(text)
  to anon, authenticated, service_role;
