-- "Popular" marks: the products that most orders of the last 30 days contain. The worker refreshes the list every ten
-- minutes, so that no page counts orders; pages are invalidated only when the list changes.
create table private.popular_products (
  product_id bigint primary key references public."Products" ("Id") on delete cascade
);
alter table private.popular_products enable row level security;

create trigger popular_products_invalidate_pages_insert after insert on private.popular_products
  referencing new table as new_rows for each statement execute function private.invalidate_pages_if_changed();
create trigger popular_products_invalidate_pages_delete after delete on private.popular_products
  referencing old table as old_rows for each statement execute function private.invalidate_pages_if_changed();

-- At most six, each in at least five orders: in a quiet month nothing is called popular.
create function public.refresh_popular_products(at timestamptz default now()) returns void
language plpgsql security definer set search_path = '' as $$
declare
  best bigint[] := array(
    select i.product_id
    from public.orders o
    join public.order_items i on i.order_id = o.id
    join public."Products" p on p."Id" = i.product_id
    where o.created_at >= refresh_popular_products.at - interval '30 days' and o.created_at < refresh_popular_products.at
      and o.status not in ('canceled', 'Refunded')
      and p.is_listed and p.archived_at is null
    group by i.product_id
    having count(distinct i.order_id) >= 5
    order by count(distinct i.order_id) desc, i.product_id
    limit 6
  );
begin
  delete from private.popular_products p where p.product_id <> all (best);
  insert into private.popular_products (product_id) select unnest(best) on conflict do nothing;
end $$;
revoke execute on function public.refresh_popular_products(timestamptz) from public, anon, authenticated;
grant execute on function public.refresh_popular_products(timestamptz) to service_role;

create function public.popular_products() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(p.product_id order by p.product_id), '[]') from private.popular_products p;
$$;
revoke execute on function public.popular_products() from public;
grant execute on function public.popular_products() to anon, authenticated, service_role;
