-- Console: finding orders by any of their fields, for the list, the exports and the search.
-- Called by other functions only. Reads.
set check_function_bodies = off;

-- The filters of the list. All of those given must match.
create type private.order_filter as (
  search text, number bigint, placed_from date, placed_to date, customer text, phone text, pincode text, product text,
  total_min_paise bigint, total_max_paise bigint, payment text[], status text[], waiting_hours integer,
  source text, fulfilment text, todo text, user_id uuid, ids uuid[], is_open boolean,
  pack_from date, pack_to date, has_chosen_day boolean);

-- The lines of an order in a few words: Besan Laddu 500 g × 2, Punjabi Samosa × 6.
create function private.summarize_items(order_id uuid, most integer default null) returns text
language sql stable set search_path = '' as $$
  select string_agg(l.line, ', ' order by l.place) filter (where l.place <= coalesce(most, l.place))
         || case when count(*) > most then format(' and %s more', count(*) - most) else '' end
  from (
    select row_number() over (order by i.id) as place,
           i.product_name || case when not i.has_size then '' when i.size = 1000 then ' 1 kg' else format(' %s g', i.size) end
             || ' × ' || i.quantity as line
    from public.order_items i where i.order_id = summarize_items.order_id
  ) l;
$$;

-- The filter as typed, validated.
create function private.read_order_filter(filter jsonb) returns private.order_filter
language plpgsql stable set search_path = '' as $$
declare
  f private.order_filter;
begin
  begin
    f := jsonb_populate_record(null::private.order_filter, coalesce(filter, '{}'));
  exception when data_exception then
    perform private.reject('This filter cannot be read.');
  end;
  if greatest(char_length(f.search), char_length(f.customer), char_length(f.product), char_length(f.phone)) > 100 then
    perform private.reject('Search for at most 100 characters.', 'search');
  elsif f.pincode !~ '^[1-9][0-9]{0,5}$' then
    perform private.reject('A pincode is up to six digits.', 'pincode');
  elsif f.placed_from not between date '2000-01-01' and date '2999-12-31' then
    perform private.reject('Choose a day of this millennium.', 'placed_from');
  elsif f.placed_to not between date '2000-01-01' and date '2999-12-31' then
    perform private.reject('Choose a day of this millennium.', 'placed_to');
  elsif f.pack_from not between date '2000-01-01' and date '2999-12-31' then
    perform private.reject('Choose a day of this millennium.', 'pack_from');
  elsif f.pack_to not between date '2000-01-01' and date '2999-12-31' then
    perform private.reject('Choose a day of this millennium.', 'pack_to');
  elsif f.waiting_hours not between 0 and 100000 then
    perform private.reject('Waiting is counted in whole hours, from 0 on.', 'waiting_hours');
  elsif f.todo not in ('unconfirmed', 'pack-today', 'pack-later', 'to-collect', 'undelivered', 'give-back') then
    perform private.reject('There is no such work to do.', 'todo');
  elsif cardinality(f.ids) > 200 then
    perform private.reject('Ask for at most 200 orders at once.', 'ids');
  end if;
  return f;
end $$;

create function private.products_named(words text[]) returns bigint[]
language plpgsql stable set search_path = '' as $$
declare
  called bigint[];
begin
  execute (select 'select array_agg(distinct n.product_id) from private.product_names n where '
                  || string_agg(format('lower('' '' || n.name) like %L', private.word_pattern(word)), ' and ')
           from unnest(words) word)
  into called;
  return coalesce(called, '{}');
end $$;

-- The fields of the filter that select by one column each, as conditions on an order o.
create function private.order_conditions(f private.order_filter, at timestamptz) returns text[]
language plpgsql stable set search_path = '' as $$
declare
  conditions text[] := '{}';
  digits constant text := private.phone_digits(f.phone);
begin
  if f.ids is not null then
    conditions := conditions || format('o.id = any (%L::uuid[])', f.ids);
  end if;
  if f.number is not null then
    conditions := conditions || format('o.number = %L::bigint', f.number);
  end if;
  if f.user_id is not null then
    conditions := conditions || format('o.user_id = %L::uuid', f.user_id);
  end if;
  if f.placed_from is not null then
    conditions := conditions || format('o.created_at >= %L::timestamptz', private.start_of(f.placed_from));
  end if;
  if f.placed_to is not null then
    conditions := conditions || format('o.created_at < %L::timestamptz', private.start_of(f.placed_to + 1));
  end if;
  if digits <> '' then
    conditions := conditions || format('%s and '' '' || translate(o.delivery_phone, ''+- ()'', '''') like %L',
                                       private.name_or_phone_condition(digits), private.word_pattern(digits));
  end if;
  if f.pincode is not null then
    -- The same as like, and an index needs nothing but it: pincodes are figures, and after those comes the colon.
    conditions := conditions || format('o.delivery_zip ~>=~ %L and o.delivery_zip ~<~ %L', f.pincode, f.pincode || ':');
  end if;
  if f.total_min_paise is not null then
    conditions := conditions || format('o.total_amount >= %L::numeric', f.total_min_paise / 100.0);
  end if;
  if f.total_max_paise is not null then
    conditions := conditions || format('o.total_amount <= %L::numeric', f.total_max_paise / 100.0);
  end if;
  if cardinality(f.payment) > 0 then
    conditions := conditions || format('o.payment_status = any (%L::text[])', f.payment);
  end if;
  if cardinality(f.status) > 0 then
    conditions := conditions || format('o.status = any (%L::text[])', f.status);
  end if;
  if f.is_open or f.waiting_hours is not null then
    conditions := conditions || text 'not private.is_finished(o.status)';
  end if;
  if f.waiting_hours is not null then
    -- An order for a later day waits from its packing day on.
    conditions := conditions || format('o.status_since <= %L::timestamptz and coalesce(private.start_of(o.pack_on) <= %1$L::timestamptz, true)',
                                       at - f.waiting_hours * interval '1 hour');
  end if;
  if f.has_chosen_day then
    conditions := conditions || text 'o.pack_on is not null';
  end if;
  if f.pack_from is not null then
    conditions := conditions || format('o.pack_on >= %L::date', f.pack_from);
  end if;
  if f.pack_to is not null then
    conditions := conditions || format('o.pack_on <= %L::date', f.pack_to);
  end if;
  if f.source is not null then
    conditions := conditions || case f.source
      when 'group' then text 'o.group_id is not null'
      when 'direct' then 'o.source = ''direct'' and o.group_id is null'
      else format('o.source = %L', f.source) end;
  end if;
  if f.fulfilment is not null then
    conditions := conditions || format('o.fulfilment = %L', f.fulfilment);
  end if;
  conditions := conditions || case f.todo
    when 'unconfirmed' then array['o.status = ''Pending''']
    when 'pack-today' then array[format('o.status in (''Confirmed'', ''Preparing'') and private.is_due_today(o, %L)', at)]
    when 'pack-later' then array[format('private.is_before_packing(o.status) and o.pack_on > %L::date', private.day_of(at))]
    when 'to-collect' then array['private.is_to_collect(o.status, o.payment_status)']
    when 'undelivered' then array['o.status = ''Undelivered''']
    when 'give-back' then array['private.is_refund_due(o.status, o.payment_status)']
    else '{}' end;
  return conditions;
end $$;

-- The filter as queries on orders, each called o, so that each is planned on its own: an order matches when it is
-- in one of them (a search finds people and phones by one index, pincodes and products by others). They have the
-- columns that are sorted by. With most_lines so many lines of the products are enough: to find out whether there
-- are at least that many, by their ids alone.
create function private.order_sources(
  f private.order_filter, at timestamptz, by_placing boolean default false, most_lines integer default null) returns text[]
language plpgsql stable set search_path = '' as $$
declare
  with_products constant text := format('o.id in (select i.order_id from public.order_items i where i.product_id = any (%%L::bigint[])%s)',
                                        ' limit ' || most_lines);
  first_lines constant text := '(select distinct l.order_id as id from (select i.order_id from public.order_items i
    where i.product_id = any (%L::bigint[]) limit %s) l) o where true';
  conditions text[] := array['true'] || private.order_conditions(f, at);
  ways text[] := '{}';
  named text[];
  term text := btrim(f.search, E' \t\r\n');
  word text;
  words text[];
  customer constant text[] := private.words_in(f.customer);
  sweet constant text[] := private.words_in(f.product);
  products bigint[];
begin
  -- A name or a product alone is read from the table that lists its orders.
  if conditions = '{true}' and cardinality(private.words_in(term)) = 0 then
    if by_placing and cardinality(customer) = 1 and cardinality(sweet) = 0 then
      named := private.orders_for_name(customer[1]);
      if named is not null then
        return named;
      end if;
    elsif most_lines is not null and cardinality(customer) = 0 and cardinality(sweet) > 0 then
      return array[format(first_lines, private.products_named(sweet), most_lines)];
    end if;
  end if;
  foreach word in array customer loop
    conditions := conditions || private.name_or_phone_condition(word);
    -- Only figures could be those of the phone; to say more than needed would mislead the planner.
    if word ~ '^[0-9]+$' then
      conditions := conditions || format('lower('' '' || o.delivery_name) like %L', private.word_pattern(word));
    end if;
  end loop;
  if cardinality(sweet) > 0 then
    conditions := conditions || format(with_products, private.products_named(sweet));
  end if;

  if cardinality(private.words_in(term)) > 0 then
    -- A number is an order's, if there is one of that number, and part of a phone otherwise; six digits may be a pincode.
    if term ~ '^#?[0-9]{1,15}$' and exists (select from public.orders o where o.number = ltrim(term, '#')::bigint) then
      ways := array[format('o.number = %L::bigint', ltrim(term, '#'))];
    elsif term ~ '^[-+() 0-9]*[0-9][-+() 0-9]*$' then
      ways := array[private.name_or_phone_condition(private.phone_digits(term))];
    end if;
    if term ~ '^[1-9][0-9]{5}$' then
      ways := ways || format('o.delivery_zip = %L', term);
    elsif ways = '{}' then
      words := private.words_in(term);
      if by_placing and conditions = '{true}' and cardinality(words) = 1 then
        named := private.orders_for_name(words[1]);
      end if;
      if named is null then
        ways := array[(select string_agg(private.name_or_phone_condition(w), ' and ') from unnest(words) w)];
      end if;
      products := private.products_named(words);
      if cardinality(products) = 0 then
        null;
      elsif most_lines is not null and conditions = '{true}' then
        named := named || format(first_lines, products, most_lines);
      else
        ways := ways || format(with_products, products);
      end if;
      ways := ways || private.orders_of_city(term) || private.orders_of_email(term);
    end if;
    ways := ways || private.orders_with_reference(term);
  end if;
  return coalesce(named, '{}') || case when ways = '{}' and named is null then array['public.orders o where ' || array_to_string(conditions, ' and ')]
    else (select coalesce(array_agg('public.orders o where ' || array_to_string(conditions || way, ' and ')), '{}') from unnest(ways) way) end;
end $$;

-- One statement for every list of orders: keys and ids of the first few, in order.
create function private.order_page(sources text[], sort_column text, direction text, beyond text, most integer) returns text
language sql immutable set search_path = '' as $$
  select format('select k.id, k.key from (%s) k order by k.key %s, k.id %2$s limit %s',
                string_agg(format('(select o.id, o.%1$I as key from %2$s and %3$s order by o.%1$I %4$s, o.id %4$s limit %5$s)',
                                  sort_column, source, beyond, direction, most), ' union '),
                direction, most)
  from unnest(sources) source;
$$;

-- A single source, the usual case, needs no union around it: that took a fifth of the time.
create function private.count_orders(sources text[], most integer) returns integer
language plpgsql stable set search_path = '' as $$
declare
  counted integer;
begin
  execute (select format('select count(*) from (select from %s limit %s) counted',
                         case when cardinality(sources) = 1 then sources[1]
                              else '(' || string_agg(format('(select o.id from %s limit %s)', source, most + 1), ' union ') || ') found' end,
                         most + 1)
           from unnest(sources) source)
  into counted;
  return counted;
end $$;

-- The condition for what comes after the last row of the page before.
create function private.cursor_condition(sort_column text, key_type text, direction text, after jsonb) returns text
language plpgsql stable set search_path = '' as $$
declare
  key text;
begin
  -- Cast and written back: nothing but a value of that type gets into the statement.
  execute format('select ($1 ->> ''key'')::%s::text', key_type) into key using after;
  if key is null or after ->> 'id' is null then
    raise invalid_parameter_value;
  end if;
  return format('(o.%I, o.id) %s (%L::%s, %L::uuid)', sort_column, case direction when 'desc' then '<' else '>' end,
                key, key_type, (after ->> 'id')::uuid);
exception when data_exception then
  perform private.reject('This page of the list cannot be found.', 'after');
end $$;

-- Without a search path, so that it is inlined and matches the partial index.
create function private.is_to_collect(status text, payment_status text) returns boolean
language sql immutable as $$
  select payment_status = 'unpaid' and status not in ('canceled', 'Refunded');
$$;

-- The orders with refunds due, and the first of their due days. Without a search path, so that it is inlined: one statement for
-- all of them, and an index for one.
create function private.refunds_due() returns table (order_id uuid, due_on date)
language sql stable as $$
  select o.id, least(f.due_on, d.due_on)
  from public.orders o
  left join lateral (
    select min(r.due_on) as due_on from private.refunds r
    where r.order_id = o.id and r.retry_of is null and r.finished_at is null
  ) f on true
  left join private.offline_refunds_due d on d.order_id = o.id and d.finished_at is null
  where private.is_refund_due(o.status, o.payment_status);
$$;

-- One condition per city: within one, the index has the newest orders first.
create function private.orders_of_city(term text) returns text[]
language plpgsql stable set search_path = '' as $$
declare
  most constant integer := 20;
  pattern constant text := regexp_replace(lower(term), '([\\%_])', '\\\1', 'g') || '%';
  cities text[];
begin
  if char_length(term) < 3 then
    return '{}';
  end if;
  -- From one city to the next through the index, not over every order.
  execute format($q$
    with recursive cities as (
      (select lower(o.delivery_city) as city, 1 as place from public.orders o
       where lower(o.delivery_city) like %1$L order by lower(o.delivery_city) using ~<~ limit 1)
      union all
      select n.city, c.place + 1 from cities c cross join lateral (
        select lower(o.delivery_city) as city from public.orders o
        where lower(o.delivery_city) like %1$L and lower(o.delivery_city) ~>~ c.city
        order by lower(o.delivery_city) using ~<~ limit 1) n
      where c.place < %2$s)
    select array_agg(city) from cities$q$, pattern, most)
  into cities;
  return array(select format('lower(o.delivery_city) = %L', city) from unnest(cities) city);
end $$;

-- By the beginning of an email address, or all of it before the @.
create function private.orders_of_email(term text) returns text[]
language plpgsql stable set search_path = '' as $$
declare
  people uuid[];
begin
  if term !~ '^[^[:space:]@]{3,}(@[^[:space:]]*)?$' then
    return '{}';
  end if;
  execute format('select array_agg(c.user_id) from (
      select c.user_id from private.customer_cards c where lower(c.email) like %L limit 100) c',
    regexp_replace(lower(term), '([\\%_])', '\\\1', 'g') || case when position('@' in term) > 0 then '%' else '@%' end)
  into people;
  return case when people is null then '{}' else array[format('o.user_id = any (%L::uuid[])', people)] end;
end $$;

-- Numbers as copied from a document, a label or the payment provider: whole, in any case.
create function private.orders_with_reference(term text) returns text[]
language plpgsql stable set search_path = '' as $$
declare
  -- The invoice's number may lack what it begins with: 26-27/00042.
  parts constant text[] := regexp_match(term, '^([0-9]{2})-[0-9]{2}/([0-9]{1,9})$');
  found uuid[];
begin
  if char_length(term) not between 4 and 80 then
    return '{}';
  end if;
  select array_agg(f.id) into found
  from (select o.id from public.orders o where upper(o.tracking_number) = upper(term)
        union
        select o.id from public.orders o where o.payment_id = term
        union
        select p.order_id from private.payments p where p.payment_id = term or p.provider_order_id = term
        union
        select o.id from private.group_orders g join public.orders o on o.group_id = g.id where g.provider_order_id = term
        union
        select i.order_id from private.invoices i where i.number = upper(term)
        union
        select i.order_id from private.credit_notes c join private.invoices i on i.id = c.invoice_id where c.number = upper(term)
        union
        select i.order_id from private.invoices i where i.year = 2000 + parts[1]::integer and i.serial = parts[2]::integer
        union
        select i.order_id from private.credit_notes c join private.invoices i on i.id = c.invoice_id
        where c.year = 2000 + parts[1]::integer and c.serial = parts[2]::integer) f
  where f.id is not null;
  return case when found is null then '{}' else array[format('o.id = any (%L::uuid[])', found)] end;
end $$;
