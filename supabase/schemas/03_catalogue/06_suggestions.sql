-- What goes well together and what is popular, derived from orders.
-- Counted by jobs; visitors read products in an order, and no counts.
set check_function_bodies = off;

-- Pairs of products that at least three customers bought together.
create table private.product_pairs (
  product_id bigint not null references public."Products" ("Id") on delete cascade,
  other_id bigint not null references public."Products" ("Id") on delete cascade,
  customers integer not null,
  primary key (product_id, other_id)
);
create index product_pairs_other_idx on private.product_pairs (other_id);
alter table private.product_pairs enable row level security;

create table private.product_pair_counts (
  id boolean primary key default true check (id),
  counted_at timestamptz not null
);
alter table private.product_pair_counts enable row level security;

-- Popular products: those that most customers bought in the last 30 days. The worker refreshes the list every ten
-- minutes; pages are invalidated only when it changes.
create table private.popular_products (
  product_id bigint primary key references public."Products" ("Id") on delete cascade
);
alter table private.popular_products enable row level security;

-- Counts the pairs of the last 180 days, at most once a day; returns whether it did. A pair needs three different
-- customers, so that a page never reveals what a single customer bought.
create function public.count_product_pairs(at timestamptz default now()) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  changed integer;
begin
  insert into private.product_pair_counts as c (counted_at) values (count_product_pairs.at)
  on conflict (id) do update set counted_at = excluded.counted_at
  where c.counted_at <= excluded.counted_at - interval '1 day' or c.counted_at > excluded.counted_at;
  if not found then
    return false;
  end if;
  with bought as (
    select distinct o.id as order_id, o.user_id, i.product_id
    from public.orders o join public.order_items i on i.order_id = o.id
    where o.created_at > count_product_pairs.at - interval '180 days' and o.created_at <= count_product_pairs.at
      and o.status <> 'canceled' and o.user_id is not null
      and i.product_id is not null
  ), pairs as (
    select a.product_id, b.product_id as other_id, count(distinct a.user_id)::integer as customers
    from bought a join bought b on b.order_id = a.order_id and b.product_id <> a.product_id
    group by a.product_id, b.product_id
    having count(distinct a.user_id) >= 3
  ), gone as (
    delete from private.product_pairs p
    where not exists (select from pairs n where n.product_id = p.product_id and n.other_id = p.other_id)
    returning 1
  ), counted as (
    insert into private.product_pairs as p (product_id, other_id, customers)
    select n.product_id, n.other_id, n.customers from pairs n
    on conflict (product_id, other_id) do update set customers = excluded.customers
    where p.customers <> excluded.customers
    returning 1
  )
  select (select count(*) from gone) + (select count(*) from counted) into changed;
  if changed > 0 then
    perform private.invalidate_pages();
  end if;
  return true;
end $$;

-- Product ids in order only: how many customers, and who, stays private.
create function private.paired_with(product_id bigint) returns table (other_id bigint, rank bigint)
language sql stable security definer set search_path = '' as $$
  select p.other_id, row_number() over (order by p.customers desc, p.other_id)
  from private.product_pairs p where p.product_id = paired_with.product_id
  order by 2 limit 24;
$$;

-- Up to four product cards, of products that can be bought now; products for pickup are suggested only for their
-- like.
create function public.goes_well_with(product_id bigint) returns jsonb
language sql stable set search_path = '' as $$
  with this as (
    select p."Id" as id, p."Category" as category, array(select w.other_id from private.paired_with(p."Id") w order by w.rank) as paired
    from public."Products" p
    where p."Id" = goes_well_with.product_id and p.is_listed and p.archived_at is null
  ), chosen as (
    select o as product, array_position(t.paired, o."Id") as place
    from this t join public."Products" o on o."Id" = any (t.paired)
    where o.isavailable and (o."Category" = 'Takeaway') = (t.category = 'Takeaway')
    union all
    select c.product, 1000 + row_number() over (order by (c.product)."Rating" desc nulls last, (c.product)."Id")
    from this t cross join lateral (
      select o as product from public."Products" o
      where o."Category" = t.category and o.isavailable and o."Id" <> t.id and o."Id" <> all (t.paired)
      order by o."Rating" desc nulls last, o."Id" limit 4) c
  )
  select coalesce(jsonb_agg(private.product_card(f.product) order by f.place), '[]')
  from (select c.product, c.place from chosen c order by c.place limit 4) f;
$$;

-- At most six, each bought by at least five customers (accounts, and phone orders by their number): in a quiet month nothing
-- is called popular.
create function public.refresh_popular_products(at timestamptz default now()) returns void
language plpgsql security definer set search_path = '' as $$
declare
  best bigint[] := array(
    select b.product_id
    from (
      select distinct i.product_id, coalesce(o.user_id::text, o.delivery_phone) as customer
      from public.orders o
      join public.order_items i on i.order_id = o.id
      where o.created_at >= refresh_popular_products.at - interval '30 days' and o.created_at < refresh_popular_products.at
        and o.status not in ('canceled', 'Refunded')
    ) b
    join public."Products" p on p."Id" = b.product_id
    where p.is_listed and p.archived_at is null
    group by b.product_id
    having count(b.customer) >= 5
    order by count(b.customer) desc, b.product_id
    limit 6
  );
begin
  delete from private.popular_products p where p.product_id <> all (best);
  insert into private.popular_products (product_id) select unnest(best) on conflict do nothing;
end $$;

create function public.popular_products() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(p.product_id order by p.product_id), '[]') from private.popular_products p;
$$;

revoke execute on function
  public.count_product_pairs(timestamptz), public.refresh_popular_products(timestamptz)
  from public, anon, authenticated;
grant execute on function
  public.count_product_pairs(timestamptz), public.refresh_popular_products(timestamptz)
  to service_role;
grant execute on function private.paired_with(bigint) to anon, authenticated, service_role;
revoke execute on function public.goes_well_with(bigint), public.popular_products() from public, anon, authenticated;
grant execute on function public.goes_well_with(bigint), public.popular_products() to anon, authenticated, service_role;
