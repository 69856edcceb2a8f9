-- Anybody can call shop_page, and a category named a thousand times was built a thousand times, with as many products as the
-- caller wished: seconds of the database and megabytes of response for one small request. Each category is shown once.

-- As before, with each category once, fifty names at most, and 480 products a section (domain/catalog/shop-view.ts).
create or replace function public.shop_page(categories text[], min_price numeric, max_price numeric, sort text, per_section integer)
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
