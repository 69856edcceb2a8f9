-- One search over the whole console.

-- As before, and shorter pages where only the first few are wanted: then only those are looked for.
drop function public.admin_list_customers(text, text, text, boolean, boolean, date, date, text, boolean, text);
create function public.admin_list_customers(
  search text default null, city text default null, tag text default null, blocked boolean default null,
  has_ordered boolean default null, last_order_from date default null, last_order_to date default null,
  sort text default 'last_order', descending boolean default true, after text default null,
  page_size integer default 50)
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  most integer := 10000;
  start jsonb;
  patterns text[];
  by_card constant text := 'private.customer_cards c left join private.customer_figures f using (user_id)
    left join private.customer_records r using (user_id)';
  by_figures constant text := 'private.customer_figures f left join private.customer_cards c using (user_id)
    left join private.customer_records r using (user_id)';
  key text;
  key_type text;
  conditions text := 'true';
  wanted text;
  rows jsonb;
  is_last boolean;
  total integer;
begin
  perform private.require_admin();
  select k.expression, k.type into key, key_type
  from (values ('name', 'lower(c.name)', 'text'), ('last_order', 'f.last_order_at', 'timestamptz'),
               ('value', 'f.value_paise', 'bigint'), ('orders', 'f.orders', 'integer')) as k (name, expression, type)
  where k.name = sort;
  if key is null then
    perform private.refuse('Customers can be sorted by name, last order, value or orders.', 'sort');
  end if;
  if page_size is null or page_size not between 1 and 50 then
    perform private.refuse('A page has 1 to 50 customers.', 'page_size');
  end if;
  start := private.page_start(after);
  patterns := private.person_patterns(coalesce(search, ''));

  for word in 1 .. coalesce(cardinality(patterns), 0) loop
    -- Of three letters and more the search index knows; shorter ones would have us read every customer.
    conditions := conditions || case
      when patterns[word] ~ '^%[^@%]+@' then format(' and lower(c.email) like ltrim(($1)[%s], ''%%'')', word)
      when cardinality(patterns) = 1 and char_length(replace(patterns[word], '\', '')) < 5 then ' and lower(c.name) like ltrim(($1)[1], ''%'')'
      else format(' and c.searchable like ($1)[%s]', word) end;
  end loop;
  if coalesce(city, '') <> '' then conditions := conditions || ' and c.city_key = lower($2)'; end if;
  if coalesce(tag, '') <> '' then conditions := conditions || ' and r.tags @> array[$3]'; end if;
  if blocked then conditions := conditions || ' and r.blocked_at is not null'; end if;
  if not blocked then conditions := conditions || ' and r.blocked_at is null'; end if;
  if has_ordered then conditions := conditions || ' and f.last_order_at > ''-infinity'''; end if;
  if not has_ordered then conditions := conditions || ' and f.last_order_at = ''-infinity'''; end if;
  if last_order_from is not null then conditions := conditions || ' and f.last_order_at >= private.start_of($4)'; end if;
  if last_order_to is not null then
    conditions := conditions || ' and f.last_order_at < private.start_of($5 + 1) and f.last_order_at > ''-infinity''';
  end if;

  begin
    execute format(
      $query$
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', p.user_id, 'name', p.name, 'email', p.email, 'phone', p.phone, 'city', p.city, 'orders', p.orders,
        'value_paise', p.value_paise, 'last_order_at', nullif(p.last_order_at, '-infinity'), 'tags', p.tags,
        'is_blocked', p.is_blocked, 'key', p.key) order by p.place), '[]')
      from (
        select user_id, c.name, c.email, c.phone, c.city, f.orders, f.value_paise, f.last_order_at,
               coalesce(r.tags, '{}') as tags, r.blocked_at is not null as is_blocked, %1$s as key,
               row_number() over (order by %1$s %3$s, user_id %3$s) as place
        from %4$s
        where %5$s and ($6 is null or (%1$s, user_id) %6$s ($6::%2$s, $7::uuid))
        order by %1$s %3$s, user_id %3$s
        limit %7$s
      ) p
      $query$,
      key, key_type, case when descending then 'desc' else 'asc' end, case sort when 'name' then by_card else by_figures end,
      conditions, case when descending then '<' else '>' end, page_size + 1)
    into rows using patterns, city, tag, last_order_from, last_order_to, start ->> 'key', start ->> 'id';
  exception when data_exception then
    perform private.refuse('This page of the list does not exist. Start again from the first page.', 'after');
  end;

  is_last := jsonb_array_length(rows) <= page_size;
  if start is null and is_last then
    total := jsonb_array_length(rows);
  else
    -- Nobody reads the difference between two thousand found and three. Everybody is in both tables: the first one is
    -- read, and the other only for what it knows alone.
    most := case when cardinality(patterns) > 0 then 1000 else most end;
    wanted := case conditions when 'true' then 'everybody' when 'true and c.city_key = lower($2)' then 'in ' || lower(city)
                              when 'true and f.last_order_at > ''-infinity''' then 'ordered' end;
    total := (select c.at_least from private.customer_crowds c where c.crowd = wanted and c.at_least > most);
  end if;
  if total is null then
    execute format('select count(*) from (select from %s where %s limit %s) n',
                   case when conditions like '%c.%' and conditions not like '%f.%' then by_card else by_figures end, conditions, most + 1)
    into total using patterns, city, tag, last_order_from, last_order_to;
  end if;
  return jsonb_build_object(
    'rows', (select coalesce(jsonb_agg(r.row - 'key' order by r.place), '[]')
             from jsonb_array_elements(rows) with ordinality as r (row, place) where r.place <= page_size),
    'next', case when not is_last then
      jsonb_build_object('key', rows -> (page_size - 1) -> 'key', 'id', rows -> (page_size - 1) -> 'id')::text end,
    'count', least(total, most), 'count_is_capped', total > most);
end $$;

-- A line of what was found: what it is, where it leads, and what tells it from others.
create function private.found_line(kind text, id text, title text, detail text, extra jsonb default '{}') returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object('kind', kind, 'id', id, 'title', title, 'detail', detail) || extra;
$$;

-- What was opened last, in that order, as it is called today. What is gone is left out.
create function private.recent_lines(recent jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select coalesce(jsonb_agg(l.line order by r.place), '[]')
    from jsonb_array_elements(recent) with ordinality r (one, place)
    cross join lateral (
      select private.found_line('order', o.id::text, 'Order ' || o.number, o.delivery_name,
                                jsonb_build_object('status', o.status, 'at', o.created_at, 'paise', (o.total_amount * 100)::bigint)) as line
      from public.orders o where r.one ->> 'kind' = 'order' and o.id = private.uuid_in(r.one ->> 'id')
      union all
      select private.found_line('customer', c.user_id::text, c.name, concat_ws(' · ', nullif(c.email, c.name), nullif(c.phone, '')))
      from private.customer_cards c where r.one ->> 'kind' = 'customer' and c.user_id = private.uuid_in(r.one ->> 'id')
      union all
      select private.found_line('product', p."Id"::text, p."Name", p."Category")
      from public."Products" p where r.one ->> 'kind' = 'product' and p."Id" = private.bigint_in(r.one ->> 'id')
      union all
      select private.found_line('vendor', v.id::text, v.name, concat_ws(' · ', nullif(v.contact_name, ''), nullif(v.phone, '')))
      from public.vendors v where r.one ->> 'kind' = 'vendor' and v.id = private.bigint_in(r.one ->> 'id')) l
    where r.place <= 10);
end $$;

-- null for what is none: the browser keeps what it likes.
create function private.uuid_in(typed text) returns uuid
language sql immutable set search_path = '' as $$
  select case when typed ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then typed::uuid end;
$$;
create function private.bigint_in(typed text) returns bigint
language sql immutable set search_path = '' as $$
  select case when typed ~ '^[0-9]{1,15}$' then typed::bigint end;
$$;

-- What the lists of the console find for the same words, the best few of each in one answer, with how many there are; before
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
    perform private.refuse('What was opened last cannot be read.', 'recent');
  end if;
  if coalesce(term, '') = '' then
    return jsonb_build_object('recent', private.recent_lines(recent), 'groups', '[]'::jsonb);
  end if;
  orders := public.admin_list_orders(jsonb_build_object('search', term), at => at)::jsonb;
  customers := public.admin_list_customers(term, page_size => most);
  products := public.admin_list_products(jsonb_build_object('search', term), page_size => most)::jsonb;
  -- Found as admin_list_vendors() finds them, without adding up what each is owed.
  select coalesce(jsonb_agg(private.found_line('vendor', v.id::text, v.name,
           concat_ws(' · ', nullif(v.contact_name, ''), nullif(v.phone, ''))) order by lower(v.name), v.id), '[]')
  into vendors
  from public.vendors v
  where v.archived_at is null and position(lower(term) in lower(concat_ws(' ', v.name, v.contact_name, v.phone))) > 0;
  return jsonb_build_object('recent', '[]'::jsonb, 'groups', jsonb_build_array(
    jsonb_build_object('kind', 'order', 'count', orders -> 'count', 'count_is_capped', orders -> 'count_is_capped', 'rows', (
      select coalesce(jsonb_agg(private.found_line('order', r.row ->> 'id', 'Order ' || (r.row ->> 'number'),
          concat_ws(' · ', r.row ->> 'name', nullif(r.row ->> 'city', '')),
          jsonb_build_object('status', r.row -> 'status', 'at', r.row -> 'placed_at', 'paise', r.row -> 'total_paise')) order by r.place), '[]')
      from jsonb_array_elements(orders -> 'rows') with ordinality r (row, place) where r.place <= most)),
    jsonb_build_object('kind', 'customer', 'count', customers -> 'count', 'count_is_capped', customers -> 'count_is_capped', 'rows', (
      select coalesce(jsonb_agg(private.found_line('customer', r.row ->> 'id', r.row ->> 'name',
          concat_ws(' · ', nullif(r.row ->> 'email', r.row ->> 'name'), nullif(r.row ->> 'phone', ''))) order by r.place), '[]')
      from jsonb_array_elements(customers -> 'rows') with ordinality r (row, place) where r.place <= most)),
    jsonb_build_object('kind', 'product', 'count', products -> 'count', 'count_is_capped', products -> 'count_is_capped', 'rows', (
      select coalesce(jsonb_agg(private.found_line('product', r.row ->> 'id', r.row ->> 'name', r.row ->> 'category') order by r.place), '[]')
      from jsonb_array_elements(products -> 'rows') with ordinality r (row, place) where r.place <= most)),
    jsonb_build_object('kind', 'vendor', 'count', jsonb_array_length(vendors), 'count_is_capped', false, 'rows', (
      select coalesce(jsonb_agg(r.row order by r.place), '[]')
      from jsonb_array_elements(vendors) with ordinality r (row, place) where r.place <= most))));
end $$;

revoke execute on function private.found_line(text, text, text, text, jsonb), private.recent_lines(jsonb), private.uuid_in(text),
  private.bigint_in(text) from public;
select private.open_console_requests();
