-- Customers as a file. The list and the file filter by the same conditions, stated once.

-- On a card c, figures f and a record r; $1 to $5 are the patterns, the city, the tag, and the first and last day.
create function private.customer_conditions(
  patterns text[], city text, tag text, blocked boolean, has_ordered boolean, last_order_from date, last_order_to date)
returns text
language plpgsql immutable set search_path = '' as $$
declare
  conditions text := 'true';
begin
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
  return conditions;
end $$;
revoke execute on function private.customer_conditions(text[], text, text, boolean, boolean, date, date) from public;

-- As before; its conditions are stated above.
create or replace function public.admin_list_customers(
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
  conditions text;
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

  conditions := private.customer_conditions(patterns, city, tag, blocked, has_ordered, last_order_from, last_order_to);

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

-- Five hundred customers of a filter after another, by name, for the CSV file: {rows: [[cell, …]], next}. The filter has
-- the names of admin_list_customers' arguments. Accounts made while the file is written are in the next one. The columns
-- are those of domain/customers/customer-file.ts.
create function public.export_customers(filter jsonb, after jsonb, at timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 500;
  patterns text[] := private.person_patterns(coalesce(filter ->> 'search', ''));
  wanted_from date := nullif(filter ->> 'last_order_from', '');
  wanted_to date := nullif(filter ->> 'last_order_to', '');
  answer jsonb;
begin
  execute format($q$
    select jsonb_build_object(
      'rows', coalesce(jsonb_agg(jsonb_build_array(
        k.name, k.email, k.phone, p.building_no, p.street, k.city, p.state, p.zip, k.orders,
        private.plain_rupees(k.value_paise / 100.0),
        to_char(nullif(k.last_order_at, '-infinity') at time zone 'Asia/Kolkata', 'YYYY-MM-DD'),
        to_char(k.created_at at time zone 'Asia/Kolkata', 'YYYY-MM-DD'), array_to_string(k.tags, ', '),
        case when k.blocked_at is null then 'no' else 'yes' end) order by k.key, k.user_id), '[]'),
      'next', case when count(*) = $8 then jsonb_build_object(
        'key', (array_agg(k.key order by k.key desc, k.user_id desc))[1],
        'id', (array_agg(k.user_id order by k.key desc, k.user_id desc))[1]) end)
    from (
      select lower(c.name) as key, user_id, c.name, c.email, c.phone, c.city, f.orders, f.value_paise, f.last_order_at,
             r.tags, r.blocked_at, u.created_at
      from private.customer_cards c
      join auth.users u on u.id = c.user_id
      left join private.customer_figures f using (user_id)
      left join private.customer_records r using (user_id)
      where %s and coalesce(u.created_at, '-infinity') <= $9 and ($6 is null or (lower(c.name), user_id) > ($6, $7::uuid))
      order by lower(c.name), user_id
      limit $8
    ) k
    left join public.user_profiles p on p.user_id = k.user_id$q$,
    private.customer_conditions(patterns, filter ->> 'city', filter ->> 'tag', (filter ->> 'blocked')::boolean,
                                (filter ->> 'has_ordered')::boolean, wanted_from, wanted_to))
  into answer using patterns, filter ->> 'city', filter ->> 'tag', wanted_from, wanted_to, after ->> 'key', after ->> 'id',
    page_size, at;
  return answer;
end $$;
revoke execute on function public.export_customers(jsonb, jsonb, timestamptz) from public, anon, authenticated;
grant execute on function public.export_customers(jsonb, jsonb, timestamptz) to service_role;
