-- The list of orders finds them by everything that somebody may have in hand: besides the number, name, phone, pincode and
-- sweet also the customer's e-mail address, the city, and the numbers of the invoice, the parcel and the payment. Orders that
-- are unpaid or came back undelivered are lists of work of their own, and a refund that is due says by when.

-- As text_pattern_ops, so that the beginning of a city is enough; newest first within each city.
create index orders_city_idx on public.orders (lower(delivery_city) text_pattern_ops, created_at desc, id desc);
-- Partial: placing an order pays nothing for either. Orders paid online are never unpaid, and get their number when shipped.
create index orders_tracking_idx on public.orders (upper(tracking_number)) where tracking_number is not null;
create index orders_to_collect_idx on public.orders (created_at desc, id desc) include (total_amount)
  where payment_status = 'unpaid' and status not in ('canceled', 'Refunded');

-- Without a search path of its own, so that it is inlined and matches the partial index.
create function private.is_to_collect(status text, payment_status text) returns boolean
language sql immutable as $$
  select payment_status = 'unpaid' and status not in ('canceled', 'Refunded');
$$;

-- The terms promise refunds within seven business days. Seven calendar days are never later, and need no calendar of banks.
-- They begin when the order was canceled, or when the refund that failed was started.
create function private.refund_due_on(placed public.orders) returns date
language sql stable set search_path = '' as $$
  select private.day_of(coalesce(
    case when placed.status <> 'canceled' then
      (select min(r.created_at) from private.refunds r where r.order_id = placed.id and r.status = 'failed') end,
    placed.status_since)) + 7;
$$;

-- Each of the following returns conditions on orders, called o, for order_sources(); none where the term cannot be meant.

-- One condition a city: within one the index has the newest orders first.
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

-- An address as it begins, or the whole of it before the @.
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

-- Numbers as they are copied from a document, a label or the payment provider: whole, in whatever case.
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

revoke execute on function private.is_to_collect(text, text), private.refund_due_on(public.orders), private.orders_of_city(text),
  private.orders_of_email(text), private.orders_with_reference(text) from public;

-- As before, with two more lists of work.
create or replace function private.read_order_filter(filter jsonb) returns private.order_filter
language plpgsql stable set search_path = '' as $$
declare
  f private.order_filter;
begin
  begin
    f := jsonb_populate_record(null::private.order_filter, coalesce(filter, '{}'));
  exception when data_exception then
    perform private.refuse('This filter cannot be read.');
  end;
  if greatest(char_length(f.search), char_length(f.customer), char_length(f.product), char_length(f.phone)) > 100 then
    perform private.refuse('Search for at most 100 characters.', 'search');
  elsif f.pincode !~ '^[1-9][0-9]{0,5}$' then
    perform private.refuse('A pincode is up to six digits.', 'pincode');
  elsif f.placed_from not between date '2000-01-01' and date '2999-12-31' then
    perform private.refuse('Choose a day of this millennium.', 'placed_from');
  elsif f.placed_to not between date '2000-01-01' and date '2999-12-31' then
    perform private.refuse('Choose a day of this millennium.', 'placed_to');
  elsif f.waiting_hours not between 0 and 100000 then
    perform private.refuse('Waiting is counted in whole hours, from 0 on.', 'waiting_hours');
  elsif f.todo not in ('unconfirmed', 'pack-today', 'to-collect', 'undelivered', 'give-back') then
    perform private.refuse('There is no such work to do.', 'todo');
  elsif cardinality(f.ids) > 200 then
    perform private.refuse('Ask for at most 200 orders at once.', 'ids');
  end if;
  return f;
end $$;

-- As before, with two more lists of work, and more that a search finds orders by.
create or replace function private.order_sources(
  f private.order_filter, at timestamptz, by_placing boolean default false, most_lines integer default null) returns text[]
language plpgsql stable set search_path = '' as $$
declare
  with_products constant text := format('o.id in (select i.order_id from public.order_items i where i.product_id = any (%%L::bigint[])%s)',
                                        ' limit ' || most_lines);
  first_lines constant text := '(select distinct l.order_id as id from (select i.order_id from public.order_items i
    where i.product_id = any (%L::bigint[]) limit %s) l) o where true';
  kept text[] := '{true}';
  ways text[] := '{}';
  named text[];
  term text := btrim(f.search, E' \t\r\n');
  digits text := private.phone_digits(f.phone);
  word text;
  words text[];
  customer constant text[] := private.words_in(f.customer);
  sweet constant text[] := private.words_in(f.product);
  products bigint[];
begin
  if f.ids is not null then
    kept := kept || format('o.id = any (%L::uuid[])', f.ids);
  end if;
  if f.number is not null then
    kept := kept || format('o.number = %L::bigint', f.number);
  end if;
  if f.user_id is not null then
    kept := kept || format('o.user_id = %L::uuid', f.user_id);
  end if;
  if f.placed_from is not null then
    kept := kept || format('o.created_at >= %L::timestamptz', private.start_of(f.placed_from));
  end if;
  if f.placed_to is not null then
    kept := kept || format('o.created_at < %L::timestamptz', private.start_of(f.placed_to + 1));
  end if;
  if digits <> '' then
    kept := kept || format('%s and '' '' || translate(o.delivery_phone, ''+- ()'', '''') like %L',
                           private.has_word(digits), private.word_pattern(digits));
  end if;
  if f.pincode is not null then
    -- The same as like, and an index needs nothing but it: pincodes are figures, and after those comes the colon.
    kept := kept || format('o.delivery_zip ~>=~ %L and o.delivery_zip ~<~ %L', f.pincode, f.pincode || ':');
  end if;
  if f.total_min_paise is not null then
    kept := kept || format('o.total_amount >= %L::numeric', f.total_min_paise / 100.0);
  end if;
  if f.total_max_paise is not null then
    kept := kept || format('o.total_amount <= %L::numeric', f.total_max_paise / 100.0);
  end if;
  if cardinality(f.payment) > 0 then
    kept := kept || format('o.payment_status = any (%L::text[])', f.payment);
  end if;
  if cardinality(f.status) > 0 then
    kept := kept || format('o.status = any (%L::text[])', f.status);
  end if;
  if f.is_open or f.waiting_hours is not null then
    kept := kept || text 'o.status not in (''Delivered'', ''Collected'', ''canceled'', ''Refunded'')';
  end if;
  if f.waiting_hours is not null then
    kept := kept || format('o.status_since <= %L::timestamptz', at - f.waiting_hours * interval '1 hour');
  end if;
  if f.source is not null then
    kept := kept || format('o.source = %L', f.source);
  end if;
  if f.fulfilment is not null then
    kept := kept || format('o.fulfilment = %L', f.fulfilment);
  end if;
  kept := kept || case f.todo
    when 'unconfirmed' then array['o.status = ''Pending''']
    when 'pack-today' then array[format('o.status in (''Confirmed'', ''Preparing'') and private.is_due_today(o, %L)', at)]
    when 'to-collect' then array['private.is_to_collect(o.status, o.payment_status)']
    when 'undelivered' then array['o.status = ''Undelivered''']
    when 'give-back' then array['private.is_to_give_back(o.status, o.payment_status)']
    else '{}' end;

  -- A name or a sweet alone is read off where it is written down.
  if kept = '{true}' and cardinality(private.words_in(term)) = 0 then
    if by_placing and cardinality(customer) = 1 and cardinality(sweet) = 0 then
      named := private.orders_for_name(customer[1]);
      if named is not null then
        return named;
      end if;
    elsif most_lines is not null and cardinality(customer) = 0 and cardinality(sweet) > 0 then
      return array[format(first_lines, private.products_called(sweet), most_lines)];
    end if;
  end if;
  foreach word in array customer loop
    kept := kept || private.has_word(word);
    -- Only figures could be those of the phone; to say more than needed would mislead the planner.
    if word ~ '^[0-9]+$' then
      kept := kept || format('lower('' '' || o.delivery_name) like %L', private.word_pattern(word));
    end if;
  end loop;
  if cardinality(sweet) > 0 then
    kept := kept || format(with_products, private.products_called(sweet));
  end if;

  if cardinality(private.words_in(term)) > 0 then
    -- A number is an order's, if there is one of that number, and part of a phone otherwise; six digits may be a pincode.
    if term ~ '^#?[0-9]{1,15}$' and exists (select from public.orders o where o.number = ltrim(term, '#')::bigint) then
      ways := array[format('o.number = %L::bigint', ltrim(term, '#'))];
    elsif term ~ '^[-+() 0-9]*[0-9][-+() 0-9]*$' then
      ways := array[private.has_word(private.phone_digits(term))];
    end if;
    if term ~ '^[1-9][0-9]{5}$' then
      ways := ways || format('o.delivery_zip = %L', term);
    elsif ways = '{}' then
      words := private.words_in(term);
      if by_placing and kept = '{true}' and cardinality(words) = 1 then
        named := private.orders_for_name(words[1]);
      end if;
      if named is null then
        ways := array[(select string_agg(private.has_word(w), ' and ') from unnest(words) w)];
      end if;
      products := private.products_called(words);
      if cardinality(products) = 0 then
        null;
      elsif most_lines is not null and kept = '{true}' then
        named := named || format(first_lines, products, most_lines);
      else
        ways := ways || format(with_products, products);
      end if;
      ways := ways || private.orders_of_city(term) || private.orders_of_email(term);
    end if;
    ways := ways || private.orders_with_reference(term);
  end if;
  return coalesce(named, '{}') || case when ways = '{}' and named is null then array['public.orders o where ' || array_to_string(kept, ' and ')]
    else (select coalesce(array_agg('public.orders o where ' || array_to_string(kept || way, ' and ')), '{}') from unnest(ways) way) end;
end $$;

-- As before, and by when a refund is due.
create or replace function public.admin_list_orders(
  filter jsonb default '{}', sort text default '-placed', after jsonb default null, at timestamptz default now()) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 50;
  f private.order_filter;
  sort_column text;
  key_type text;
  direction text := case when starts_with(sort, '-') then 'desc' else 'asc' end;
  beyond text := 'true';
  sources text[];
  few text[];
  found json;
  found_count integer;
  last json;
  most integer;
  counted integer;
begin
  perform private.require_admin();
  f := private.read_order_filter(filter);
  select s.sort_column, s.key_type into sort_column, key_type
  from (values ('placed', 'created_at', 'timestamptz'), ('number', 'number', 'bigint'), ('total', 'total_amount', 'numeric'),
               ('age', 'status_since', 'timestamptz')) s (name, sort_column, key_type)
  where s.name = ltrim(sort, '-');
  if sort_column is null then
    perform private.refuse('Orders cannot be sorted like this.', 'sort');
  elsif sort_column = 'status_since' then
    direction := case direction when 'desc' then 'asc' else 'desc' end;
    f.is_open := true;
  end if;
  sources := private.order_sources(f, at, by_placing => sort_column = 'created_at');
  if after is not null then
    beyond := private.beyond_order(sort_column, key_type, direction, after);
  end if;

  execute format($q$
    select coalesce(json_agg(json_build_object(
        'id', o.id, 'number', o.number, 'placed_at', o.created_at, 'name', o.delivery_name, 'phone', o.delivery_phone,
        'pincode', o.delivery_zip, 'city', o.delivery_city, 'items', private.items_in_short(o.id, 3),
        'total_paise', (o.total_amount * 100)::bigint, 'payment_status', o.payment_status, 'status', o.status,
        'status_since', o.status_since, 'fulfilment', o.fulfilment, 'source', o.source, 'delivery_by', o.delivery_by,
        'refund_due_on', case when private.is_to_give_back(o.status, o.payment_status) then private.refund_due_on(o) end,
        'is_due', o.status in ('Confirmed', 'Preparing') and private.is_due_today(o, $1), 'updated_at', o.updated_at)
      order by k.place) filter (where k.place <= $2), '[]'), count(*),
      (array_agg(json_build_object('key', to_json(k.key) #>> '{}', 'id', k.id)) filter (where k.place = $2))[1]
    from (select k.id, k.key, row_number() over (order by k.key %1$s, k.id %1$s) as place from (%2$s) k) k
    join public.orders o on o.id = k.id$q$,
    direction, private.order_page(sources, sort_column, direction, beyond, page_size + 1))
  into found, found_count, last using at, page_size;

  -- Nobody reads the difference between two thousand and three, and a search that finds so many is costly to count.
  most := case when concat(f.search, f.customer, f.product, f.phone) = '' then 10000 else 1000 end;
  if after is null and found_count <= page_size then
    counted := found_count;
  else
    few := case when array_to_string(sources, '') like '% public.order_items i %'
                then private.order_sources(f, at, by_placing => true, most_lines => 4 * most) else sources end;
    counted := private.count_orders(few, most);
    if counted <= most and few <> sources then
      counted := private.count_orders(sources, most);
    end if;
  end if;
  return json_build_object('rows', found, 'next', case when found_count > page_size then last end,
                           'count', least(counted, most), 'count_is_capped', counted > most);
end $$;
