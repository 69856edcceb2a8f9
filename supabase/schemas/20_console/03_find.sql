-- Console: one search for orders, customers, products and more.
-- Administrators only. Reads.
set check_function_bodies = off;

-- A result: what it is, where it leads, and a detail that distinguishes it from others.
create function private.search_result(kind text, id text, title text, detail text, extra jsonb default '{}') returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object('kind', kind, 'id', id, 'title', title, 'detail', detail) || extra;
$$;

-- Recently opened items, in that order, with current names. Deleted ones are left out.
create function private.recent_results(recent jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(jsonb_agg(l.line order by r.place), '[]')
    from jsonb_array_elements(recent) with ordinality r (one, place)
    cross join lateral (
      select private.search_result('order', o.id::text, 'Order ' || o.number, o.delivery_name,
                                jsonb_build_object('status', o.status, 'at', o.created_at, 'paise', (o.total_amount * 100)::bigint)) as line
      from public.orders o where r.one ->> 'kind' = 'order' and o.id = private.parse_uuid(r.one ->> 'id')
      union all
      select private.search_result('customer', c.user_id::text, c.name, concat_ws(' · ', nullif(c.email, c.name), nullif(c.phone, '')))
      from private.customer_cards c where r.one ->> 'kind' = 'customer' and c.user_id = private.parse_uuid(r.one ->> 'id')
      union all
      select private.search_result('product', p."Id"::text, p."Name", p."Category")
      from public."Products" p where r.one ->> 'kind' = 'product' and p."Id" = private.parse_bigint(r.one ->> 'id')
      union all
      select private.search_result('vendor', v.id::text, v.name, concat_ws(' · ', nullif(v.contact_name, ''), nullif(v.phone, '')))
      from public.vendors v where r.one ->> 'kind' = 'vendor' and v.id = private.parse_bigint(r.one ->> 'id')) l
    where r.place <= 10);
end $$;

-- What the lists of the console find for the same words, the best few of each in one result, with counts; before
-- anything is typed, what was opened last. Orders are the newest, customers those who ordered last.
create function public.admin_find_anything(typed text default '', recent jsonb default '[]', at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  most constant integer := 5;
  term constant text := btrim(left(typed, 100), E' \t\r\n');
  orders jsonb;
  customers jsonb;
  products jsonb;
  vendors jsonb;
begin
  perform private.require_admin();
  if jsonb_typeof(recent) is distinct from 'array' or jsonb_array_length(recent) > 50 then
    perform private.reject('What was opened last cannot be read.', 'recent');
  end if;
  if coalesce(term, '') = '' then
    return jsonb_build_object('recent', private.recent_results(recent), 'groups', '[]'::jsonb);
  end if;
  orders := public.admin_list_orders(jsonb_build_object('search', term), at => at)::jsonb;
  customers := public.admin_list_customers(term, page_size => most);
  products := public.admin_list_products(jsonb_build_object('search', term), page_size => most)::jsonb;
  -- Found as admin_list_vendors() finds them, without adding up what each is owed.
  select coalesce(jsonb_agg(private.search_result('vendor', v.id::text, v.name,
           concat_ws(' · ', nullif(v.contact_name, ''), nullif(v.phone, ''))) order by lower(v.name), v.id), '[]')
  into vendors
  from public.vendors v
  where v.archived_at is null and position(lower(term) in lower(concat_ws(' ', v.name, v.contact_name, v.phone))) > 0;
  return jsonb_build_object('recent', '[]'::jsonb, 'groups', jsonb_build_array(
    jsonb_build_object('kind', 'order', 'count', orders -> 'count', 'count_is_capped', orders -> 'count_is_capped', 'rows', (
      select coalesce(jsonb_agg(private.search_result('order', r.row ->> 'id', 'Order ' || (r.row ->> 'number'),
          concat_ws(' · ', r.row ->> 'name', nullif(r.row ->> 'city', '')),
          jsonb_build_object('status', r.row -> 'status', 'at', r.row -> 'placed_at', 'paise', r.row -> 'total_paise')) order by r.place), '[]')
      from jsonb_array_elements(orders -> 'rows') with ordinality r (row, place) where r.place <= most)),
    jsonb_build_object('kind', 'customer', 'count', customers -> 'count', 'count_is_capped', customers -> 'count_is_capped', 'rows', (
      select coalesce(jsonb_agg(private.search_result('customer', r.row ->> 'id', r.row ->> 'name',
          concat_ws(' · ', nullif(r.row ->> 'email', r.row ->> 'name'), nullif(r.row ->> 'phone', ''))) order by r.place), '[]')
      from jsonb_array_elements(customers -> 'rows') with ordinality r (row, place) where r.place <= most)),
    jsonb_build_object('kind', 'product', 'count', products -> 'count', 'count_is_capped', products -> 'count_is_capped', 'rows', (
      select coalesce(jsonb_agg(private.search_result('product', r.row ->> 'id', r.row ->> 'name', r.row ->> 'category') order by r.place), '[]')
      from jsonb_array_elements(products -> 'rows') with ordinality r (row, place) where r.place <= most)),
    jsonb_build_object('kind', 'vendor', 'count', jsonb_array_length(vendors), 'count_is_capped', false, 'rows', (
      select coalesce(jsonb_agg(r.row order by r.place), '[]')
      from jsonb_array_elements(vendors) with ordinality r (row, place) where r.place <= most))));
end $$;
