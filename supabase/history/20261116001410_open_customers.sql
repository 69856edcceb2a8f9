-- What the console asks about customers and their reviews, and what it may change of them.

create index comments_created_idx on public.comments (created_at desc, id desc);
create index comments_hidden_idx on public.comments (created_at desc, id desc) where hidden_at is not null;
create index comments_search_idx on public.comments using gin (lower(content) extensions.gin_trgm_ops);

-- Patterns that a card's searchable text has to match all: the words that were typed, or one telephone number, however
-- it was written.
create function private.person_patterns(typed text) returns text[]
language sql immutable set search_path = '' as $$
  select case when typed ~ '^[-+() 0-9]+$' and char_length(d.digits) >= 5 then array['%' || right(d.digits, 10) || '%']
              else private.search_patterns(lower(typed)) end
  from (select regexp_replace(left(typed, 100), '[^0-9]', '', 'g') as digits) d;
$$;

-- Where a page begins: the sort key and the id of the last row before it, as {"key", "id"}.
create function private.page_start(after text) returns jsonb
language plpgsql immutable set search_path = '' as $$
begin
  if coalesce(after, '') = '' then
    return null;
  end if;
  if jsonb_typeof(after::jsonb -> 'key') in ('string', 'number') and jsonb_typeof(after::jsonb -> 'id') in ('string', 'number') then
    return after::jsonb;
  end if;
  perform private.refuse('This page of the list does not exist. Start again from the first page.', 'after');
exception when invalid_text_representation or untranslatable_character then
  perform private.refuse('This page of the list does not exist. Start again from the first page.', 'after');
end $$;
revoke execute on function private.person_patterns(text), private.page_start(text) from public;

-- Customers: {rows, next, count, count_is_capped}. Filters that are null or empty do not filter.
create function public.admin_list_customers(
  search text default null, city text default null, tag text default null, blocked boolean default null,
  has_ordered boolean default null, last_order_from date default null, last_order_to date default null,
  sort text default 'last_order', descending boolean default true, after text default null)
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 50;
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

-- What customers can be filtered by: every city they live in, every tag they were given.
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

-- Refuses what cannot be about a customer: an account that does not exist (any more).
create function private.require_customer(customer_id uuid) returns void
language plpgsql stable set search_path = '' as $$
begin
  if not exists (select from auth.users u where u.id = require_customer.customer_id) then
    raise sqlstate 'PT404' using message = 'There is no such customer. Perhaps they were erased.';
  end if;
end $$;
revoke execute on function private.require_customer(uuid) from public;

-- One customer, whole, but for the lists that have pages of their own; null where there is none (any more).
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
  perform private.refuse('This page of the list does not exist. Start again from the first page.', 'after');
end $$;

-- Notes and tags. Tags are written small and sorted, so that one thing is not two tags.
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
    perform private.refuse('Notes can have 4,000 letters at most.', 'notes');
  elsif cardinality(wanted) > 20 then
    perform private.refuse('A customer can have 20 tags at most.', 'tags');
  elsif exists (select from unnest(wanted) as t where char_length(t) > 30 or t ~ '[,;[:cntrl:]]') then
    perform private.refuse('A tag has at most 30 letters and no comma.', 'tags');
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

-- Blocks a customer, with a reason, or lets them buy again, without one. What they were about to pay for is put back.
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
    perform private.refuse('An administrator cannot be blocked.');
  elsif blocked and coalesce(btrim(reason), '') = '' then
    perform private.refuse('Say why, so that the others know.', 'reason');
  elsif char_length(reason) > 300 then
    perform private.refuse('The reason can have 300 letters at most.', 'reason');
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
    held := array(select c.id from private.checkouts c where c.user_id = customer_id and c.state = 'open' for update);
    if cardinality(held) > 0 then
      perform private.free_stock(held);
    end if;
  end if;
  return jsonb_build_object('seen', known.updated_at, 'blocked_at', known.blocked_at, 'blocked_reason', known.blocked_reason);
end $$;

-- Reviews, newest first: of everybody or of one customer; all of them, the hidden or the shown ones.
create function public.admin_list_reviews(
  search text default null, shown text default 'all', rating integer default null, customer_id uuid default null, after text default null)
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 50;
  most integer := 10000;
  start jsonb;
  patterns text[];
  products bigint[];
  conditions text := 'true';
  entries jsonb;
  is_last boolean;
  total integer;
begin
  perform private.require_admin();
  start := private.page_start(after);
  patterns := private.search_patterns(lower(search));
  if cardinality(patterns) > 0 then
    products := array(select q."Id" from public."Products" q where lower(q."Name") like all (patterns));
    conditions := '((true';
    for word in 1 .. cardinality(patterns) loop
      conditions := conditions || format(' and lower(c.content) like ($1)[%s]', word);
    end loop;
    conditions := conditions || ') or c.product_id = any ($2))';
  end if;
  conditions := conditions || case shown when 'hidden' then ' and c.hidden_at is not null'
                                         when 'shown' then ' and c.hidden_at is null' else '' end;
  if rating is not null then conditions := conditions || ' and c.rating = $3'; end if;
  if customer_id is not null then conditions := conditions || ' and c.user_id = $4'; end if;

  execute format(
    $query$
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', p.id, 'content', p.content, 'rating', p.rating, 'created_at', p.created_at, 'updated_at', p.updated_at,
      'hidden_at', p.hidden_at, 'seen', coalesce(p.updated_at, p.created_at), 'product_id', p.product_id, 'product', q."Name",
      'customer_id', p.user_id, 'customer', a.name) order by p.created_at desc, p.id desc), '[]')
    from (
      select c.* from public.comments c
      where %s and ($5 is null or (c.created_at, c.id) < ($5::timestamptz, $6::bigint))
      order by c.created_at desc, c.id desc limit %s
    ) p
    join public."Products" q on q."Id" = p.product_id
    left join private.customer_cards a on a.user_id = p.user_id
    $query$, conditions, page_size + 1)
  into entries using patterns, products, rating, customer_id, start ->> 'key', start ->> 'id';
  is_last := jsonb_array_length(entries) <= page_size;
  if start is null and is_last then
    total := jsonb_array_length(entries);
  else
    most := case when cardinality(patterns) > 0 then 1000 else most end;
    execute format('select count(*) from (select from public.comments c where %s limit %s) n', conditions, most + 1)
    into total using patterns, products, rating, customer_id;
  end if;
  return jsonb_build_object(
    'rows', (select coalesce(jsonb_agg(r.row order by r.place), '[]')
             from jsonb_array_elements(entries) with ordinality as r (row, place) where r.place <= page_size),
    'next', case when not is_last then
      jsonb_build_object('key', entries -> (page_size - 1) -> 'created_at', 'id', entries -> (page_size - 1) -> 'id')::text end,
    'count', least(total, most), 'count_is_capped', total > most);
exception when data_exception then
  perform private.refuse('This page of the list does not exist. Start again from the first page.', 'after');
end $$;

-- Hides a review or shows it again: the words that were seen, and not what their author made of them since.
create function public.admin_hide_review(review_id bigint, hidden boolean, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  review public.comments;
begin
  perform private.require_admin();
  select * into review from public.comments c where c.id = review_id for update;
  if review.id is null then
    raise sqlstate 'PT404' using message = 'This review is gone: its author deleted it.';
  end if;
  perform private.expect_unchanged(seen, coalesce(review.updated_at, review.created_at));
  if (review.hidden_at is not null) = hidden then
    perform private.expect_unchanged(null, now());
  end if;
  update public.comments c set hidden_at = case when hidden then now() end where c.id = review_id returning * into review;
  return jsonb_build_object('id', review.id, 'hidden_at', review.hidden_at, 'seen', coalesce(review.updated_at, review.created_at));
end $$;

select private.open_console_requests();
