-- Console: the list of customers, one customer, notes and tags, blocking, logging out.
-- Administrators only. Writes customer records.
set check_function_bodies = off;

-- Rejects an account that does not exist (any more).
create function private.require_customer(customer_id uuid) returns void
language plpgsql stable set search_path = '' as $$
begin
  if not exists (select from auth.users u where u.id = require_customer.customer_id) then
    raise sqlstate 'PT404' using message = 'Customer not found. They may have been erased.';
  end if;
end $$;

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

-- The tables of customers for a list. Everybody is in both of the first two: a list sorted by name begins with the cards.
create function private.customer_tables(by_card boolean) returns text
language sql immutable set search_path = '' as $$
  select case when by_card then 'private.customer_cards c left join private.customer_figures f using (user_id)'
                           else 'private.customer_figures f left join private.customer_cards c using (user_id)' end
         || ' left join private.customer_records r using (user_id)';
$$;

-- How many customers match conditions, counted up to most + 1; from the stored counts of large lists where there is one. The table
-- that the conditions are about is read, and the other only for what it alone has.
create function private.count_listed_customers(
  conditions text, patterns text[], city text, tag text, last_order_from date, last_order_to date, most integer) returns integer
language plpgsql stable set search_path = '' as $$
declare
  list_name text := case conditions when 'true' then 'everybody' when 'true and c.city_key = lower($2)' then 'in ' || lower(city)
                                    when 'true and f.last_order_at > ''-infinity''' then 'ordered' end;
  total integer := (select c.at_least from private.large_customer_lists c
                    where c.list = list_name and c.at_least > most);
begin
  if total is null then
    execute format('select count(*) from (select from %s where %s limit %s) n',
                   private.customer_tables(conditions like '%c.%' and conditions not like '%f.%'), conditions, most + 1)
    into total using patterns, city, tag, last_order_from, last_order_to;
  end if;
  return total;
end $$;

-- A page of customers: {rows, next, count, count_is_capped}. Filters that are null or empty do not filter.
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
  key text;
  key_type text;
  conditions text;
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
    perform private.reject('Customers can be sorted by name, last order, value or orders.', 'sort');
  end if;
  if page_size is null or page_size not between 1 and 50 then
    perform private.reject('A page has 1 to 50 customers.', 'page_size');
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
      key, key_type, case when descending then 'desc' else 'asc' end, private.customer_tables(sort = 'name'),
      conditions, case when descending then '<' else '>' end, page_size + 1)
    into rows using patterns, city, tag, last_order_from, last_order_to, start ->> 'key', start ->> 'id';
  exception when data_exception then
    perform private.reject('This page of the list does not exist. Start again from the first page.', 'after');
  end;

  is_last := jsonb_array_length(rows) <= page_size;
  if start is null and is_last then
    total := jsonb_array_length(rows);
  else
    most := case when cardinality(patterns) > 0 then 1000 else most end;
    total := private.count_listed_customers(conditions, patterns, city, tag, last_order_from, last_order_to, most);
  end if;
  return jsonb_build_object(
    'rows', (select coalesce(jsonb_agg(r.row - 'key' order by r.place), '[]')
             from jsonb_array_elements(rows) with ordinality as r (row, place) where r.place <= page_size),
    'next', case when not is_last then
      jsonb_build_object('key', rows -> (page_size - 1) -> 'key', 'id', rows -> (page_size - 1) -> 'id')::text end,
    'count', least(total, most), 'count_is_capped', total > most);
end $$;

-- A page of five hundred customers of a filter, by name, for the CSV file: {rows: [[cell, …]], next}. The filter
-- has the names of admin_list_customers' arguments. Accounts made while the file is written are in the next one.
-- The columns are those of domain/customers/customer-file.ts.
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
        private.format_plain_rupees(k.value_paise / 100.0),
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

-- The filters of the list: every city and every tag.
create function public.admin_list_customer_choices() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    -- From one city to the next through the index, not over every customer.
    'cities', (
      with recursive cities as (
        (select c.city_key as key, c.city from private.customer_cards c where c.city_key > '' order by c.city_key limit 1)
        union all
        select n.key, n.city from cities s cross join lateral (
          select c.city_key as key, c.city from private.customer_cards c where c.city_key > s.key order by c.city_key limit 1) n
      )
      select coalesce(jsonb_agg(s.city order by s.key), '[]') from (select * from cities limit 1000) s),
    'tags', (
      select coalesce(jsonb_agg(t.tag order by t.tag), '[]')
      from (select distinct unnest(r.tags) as tag from private.customer_records r where r.tags <> '{}') t));
end $$;

-- One customer, except the lists that have pages of their own; null when there is none (any more).
create function public.admin_read_customer(customer_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object(
      'id', u.id, 'name', c.name, 'email', c.email, 'joined_at', u.created_at, 'last_seen_at', u.last_sign_in_at,
      'phone', c.phone, 'building_no', coalesce(p.building_no, ''), 'street', coalesce(p.street, ''), 'city', c.city,
      'state', coalesce(p.state, ''), 'zip', coalesce(p.zip, ''),
      'orders', f.orders, 'value_paise', f.value_paise, 'last_order_at', nullif(f.last_order_at, '-infinity'),
      'average_paise', case when f.orders > 0 then round(f.value_paise::numeric / f.orders) end,
      'canceled', (select count(*) from public.orders o where o.user_id = u.id and o.status = 'canceled'),
      'favourites', (
        select coalesce(jsonb_agg(to_jsonb(s) order by s.orders desc, s.product_id), '[]')
        from (
          select i.product_id, q."Name" as name, count(distinct i.order_id) as orders,
                 sum(i.quantity * i.size) filter (where i.has_size) as grams, sum(i.quantity) filter (where not i.has_size) as pieces
          from public.orders o join public.order_items i on i.order_id = o.id join public."Products" q on q."Id" = i.product_id
          where o.user_id = u.id and o.status <> 'canceled'
          group by i.product_id, q."Name" order by count(distinct i.order_id) desc, i.product_id limit 5
        ) s),
      'waiting', (
        select coalesce(jsonb_agg(jsonb_build_object('product_id', q."Id", 'name', q."Name", 'since', w.created_at) order by w.created_at), '[]')
        from public.notify_subscriptions w join public."Products" q on q."Id" = w.product_id where w.user_id = u.id),
      'notes', coalesce(r.notes, ''), 'tags', coalesce(r.tags, '{}'), 'blocked_at', r.blocked_at,
      'blocked_reason', r.blocked_reason, 'seen', r.updated_at,
      'is_administrator', exists (select from private.administrators a where a.user_id = u.id))
    from auth.users u
    join private.customer_cards c on c.user_id = u.id
    join private.customer_figures f on f.user_id = u.id
    left join public.user_profiles p on p.user_id = u.id
    left join private.customer_records r on r.user_id = u.id
    where u.id = admin_read_customer.customer_id);
end $$;

-- A customer's orders, newest first.
create function public.admin_list_customer_orders(customer_id uuid, after text default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 10;
  start jsonb;
  entries jsonb;
begin
  perform private.require_admin();
  start := private.page_start(after);
  select coalesce(jsonb_agg(to_jsonb(e) order by e.created_at desc, e.id desc), '[]') into entries
  from (
    select o.id, o.number, o.created_at, o.status, o.payment_status, (o.total_amount * 100)::bigint as total_paise,
           (select string_agg(i.product_name || case when i.quantity > 1 then ' × ' || i.quantity else '' end, ', ' order by i.id)
            from public.order_items i where i.order_id = o.id) as items
    from public.orders o
    where o.user_id = admin_list_customer_orders.customer_id
      and (start is null or (o.created_at, o.id) < ((start ->> 'key')::timestamptz, (start ->> 'id')::uuid))
    order by o.created_at desc, o.id desc
    limit page_size + 1
  ) e;
  return jsonb_build_object(
    'rows', (select coalesce(jsonb_agg(r.row order by r.place), '[]')
             from jsonb_array_elements(entries) with ordinality as r (row, place) where r.place <= page_size),
    'next', case when jsonb_array_length(entries) > page_size then
      jsonb_build_object('key', entries -> (page_size - 1) -> 'created_at', 'id', entries -> (page_size - 1) -> 'id')::text end,
    'count', (select count(*) from (select from public.orders o where o.user_id = admin_list_customer_orders.customer_id limit 10000) n),
    'count_is_capped', false);
exception when data_exception then
  perform private.reject('This page of the list does not exist. Start again from the first page.', 'after');
end $$;

-- Notes and tags. Tags are in lower case and sorted, so that one thing is not two tags.
create function public.admin_save_customer_record(customer_id uuid, notes text, tags text[], seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  wanted text[];
  known private.customer_records;
begin
  perform private.require_admin();
  perform private.require_customer(customer_id);
  wanted := array(
    select distinct t.tag from (select regexp_replace(btrim(lower(w)), '\s+', ' ', 'g') as tag from unnest(coalesce(tags, '{}')) as w) t
    where t.tag <> '' order by 1);
  if char_length(coalesce(notes, '')) > 4000 then
    perform private.reject('Notes can have 4,000 letters at most.', 'notes');
  elsif cardinality(wanted) > 20 then
    perform private.reject('A customer can have 20 tags at most.', 'tags');
  elsif exists (select from unnest(wanted) as t where char_length(t) > 30 or t ~ '[,;[:cntrl:]]') then
    perform private.reject('A tag has at most 30 letters and no comma.', 'tags');
  end if;

  select * into known from private.customer_records r where r.user_id = admin_save_customer_record.customer_id for update;
  if known.user_id is not null or seen is not null then
    perform private.expect_unchanged(seen, known.updated_at);
    update private.customer_records r set notes = coalesce(admin_save_customer_record.notes, ''), tags = wanted
    where r.user_id = admin_save_customer_record.customer_id
    returning * into known;
  else
    insert into private.customer_records (user_id, notes, tags)
    values (customer_id, coalesce(admin_save_customer_record.notes, ''), wanted)
    on conflict do nothing
    returning * into known;
    -- Somebody wrote the first note while we did.
    perform private.expect_unchanged(known.updated_at, known.updated_at);
  end if;
  return jsonb_build_object('seen', known.updated_at, 'notes', known.notes, 'tags', known.tags);
end $$;

-- Blocks a customer, with a reason, or unblocks one, without. What they were about to pay for is released, also the
-- holds of superseded checkouts.
create function public.admin_block_customer(customer_id uuid, blocked boolean, reason text, seen timestamptz, at timestamptz default now())
returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  known private.customer_records;
  held uuid[];
begin
  perform private.require_admin();
  perform private.require_customer(customer_id);
  if blocked and exists (select from private.administrators a where a.user_id = customer_id) then
    perform private.reject('An administrator cannot be blocked.');
  elsif blocked and coalesce(btrim(reason), '') = '' then
    perform private.reject('Enter a reason.', 'reason');
  elsif char_length(reason) > 300 then
    perform private.reject('The reason can have 300 letters at most.', 'reason');
  end if;
  -- As open_checkout() does: nobody opens one while we look.
  perform pg_advisory_xact_lock(hashtextextended('checkout ' || customer_id, 0));
  select * into known from private.customer_records r where r.user_id = admin_block_customer.customer_id for update;
  if known.user_id is not null or seen is not null then
    perform private.expect_unchanged(seen, known.updated_at);
  end if;
  insert into private.customer_records as r (user_id, blocked_at, blocked_reason)
  values (customer_id, case when blocked then at end, case when blocked then btrim(reason) end)
  on conflict (user_id) do update set blocked_at = excluded.blocked_at, blocked_reason = excluded.blocked_reason
  where known.user_id is not null
  returning * into known;
  perform private.expect_unchanged(known.updated_at, known.updated_at);
  if blocked then
    held := array(select c.id from private.checkouts c where c.user_id = customer_id and (c.state = 'open' or c.held <> '{}') order by c.id for update);
    if cardinality(held) > 0 then
      perform private.release_stock(held);
    end if;
  end if;
  return jsonb_build_object('seen', known.updated_at, 'blocked_at', known.blocked_at, 'blocked_reason', known.blocked_reason);
end $$;

-- Logs a customer or colleague out everywhere, for a stolen phone or a person who left. Returns how many sessions
-- were ended.
create function public.admin_end_sessions(customer_id uuid) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  ended integer;
begin
  perform private.require_admin();
  perform private.require_customer(customer_id);
  delete from auth.sessions s where s.user_id = admin_end_sessions.customer_id;
  get diagnostics ended = row_count;
  perform private.record_security_event('logged-out-everywhere', auth.uid(), subject_id => customer_id);
  return ended;
end $$;

revoke execute on function public.export_customers(jsonb, jsonb, timestamptz) from public, anon, authenticated;
grant execute on function public.export_customers(jsonb, jsonb, timestamptz) to service_role;
