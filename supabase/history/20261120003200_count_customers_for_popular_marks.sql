-- "Popular" counted orders, so one customer made a product popular with five small orders, and could cancel them afterwards.
-- It counts customers now: each account once, and orders by phone by their number.

-- At most six, each bought by at least five customers: in a quiet month nothing is called popular.
create or replace function public.refresh_popular_products(at timestamptz default now()) returns void
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
