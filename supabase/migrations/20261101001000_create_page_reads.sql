-- What public pages read, one call each. With the caller's rights, so the row policies decide what is in them.

create function public.home_products() returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(to_jsonb(p)), '[]')
  from (
    select "Id", "Name", "Price", regular_price, "Image", "Category", isavailable, "hasSize", "Rating", review_count, offer_percent
    from public."Products"
    where isavailable and "Category" <> 'Takeaway'
    order by "Rating" desc nulls last, "Id"
    limit 48
  ) p;
$$;

create function public.shop_facts() returns jsonb
language sql stable set search_path = '' as $$
  select to_jsonb(s) - 'id' - 'updated_at' from public.shop_settings s;
$$;

revoke execute on function public.home_products(), public.shop_facts() from public;
grant execute on function public.home_products(), public.shop_facts() to anon, authenticated, service_role;
