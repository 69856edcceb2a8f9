-- Finding orders among hundreds of thousands, for the console's list and the file of it: what is kept to find them by, and
-- how a filter becomes a statement. Nothing here writes orders.

-- Since when an order is what it is: the age that the list shows and sorts by. Kept by a trigger alone.
alter table public.orders add column status_since timestamptz not null default now();
alter table public.orders disable trigger user;
update public.orders o set status_since = coalesce((select max(e.created_at) from public.order_events e where e.order_id = o.id), o.created_at);
alter table public.orders enable trigger user;

create function private.keep_status_since() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.status_since := case
    when tg_op = 'INSERT' then new.updated_at
    when new.status <> old.status then coalesce(nullif(current_setting('shop.event_at', true), '')::timestamptz, now())
    else old.status_since end;
  return new;
end $$;
revoke execute on function private.keep_status_since() from public;
create trigger orders_keep_status_since before insert or update on public.orders
  for each row execute function private.keep_status_since();

-- Every name a product ever had: orders keep the name they were placed with, and are found by it after a renaming.
create table private.product_names (
  product_id bigint not null references public."Products" ("Id") on delete cascade,
  name text not null,
  primary key (product_id, name)
);
create index product_names_search_idx on private.product_names using gin (lower(' ' || name) extensions.gin_trgm_ops);
alter table private.product_names enable row level security;
insert into private.product_names (product_id, name)
select p."Id", p."Name" from public."Products" p
union
select i.product_id, i.product_name from public.order_items i;

create function private.remember_product_name() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.product_names (product_id, name) values (new."Id", new."Name") on conflict do nothing;
  return null;
end $$;
revoke execute on function private.remember_product_name() from public;
create trigger products_remember_name after insert or update of "Name" on public."Products"
  for each row execute function private.remember_product_name();

-- Each index below costs every sale a little (all of them together about 75 of some 2,500 microseconds), so there is one
-- for each way of looking that would otherwise read every order there is, and no more. Partial ones cost only the orders in them.
-- The text of the first is written once more, in has_word(). Names in other scripts are in it a second time, in hexadecimal:
-- not every database makes trigrams of Devanagari.
create index orders_search_idx on public.orders using gin
  ((lower(' ' || delivery_name || ' ' || translate(delivery_phone, '+- ()', ''))
    || case when octet_length(delivery_name) > char_length(delivery_name)
       then encode(decode(replace(lower(delivery_name), '\', '\\'), 'escape'), 'hex') else '' end) extensions.gin_trgm_ops)
  with (gin_pending_list_limit = 256);
create index orders_pincode_idx on public.orders (delivery_zip text_pattern_ops, created_at desc, id desc);
create index orders_total_idx on public.orders (total_amount desc, id desc);
create index orders_open_idx on public.orders (status_since, id) where status not in ('Delivered', 'Collected', 'canceled', 'Refunded');
create index orders_unusual_payment_idx on public.orders (payment_status, created_at desc, id desc) where payment_status <> 'paid';
create index orders_manual_idx on public.orders (created_at desc, id desc) where source = 'manual';
create index orders_pickup_idx on public.orders (created_at desc, id desc) where fulfilment = 'pickup';
-- In the words of is_to_give_back(), which customers may not call.
create index orders_to_give_back_idx on public.orders (created_at desc, id desc)
  where payment_status = 'refund_failed' or status = 'canceled' and payment_status in ('paid_offline', 'partially_refunded');
drop index public.order_items_product_idx;
create index order_items_product_idx on public.order_items (product_id, order_id);

-- The lines of an order in a few words: Besan Laddu 500 g × 2, Punjabi Samosa × 6.
create function private.items_in_short(order_id uuid, most integer default null) returns text
language sql stable set search_path = '' as $$
  select string_agg(l.line, ', ' order by l.place) filter (where l.place <= coalesce(most, l.place))
         || case when count(*) > most then format(' and %s more', count(*) - most) else '' end
  from (
    select row_number() over (order by i.id) as place,
           i.product_name || case when not i.has_size then '' when i.size = 1000 then ' 1 kg' else format(' %s g', i.size) end
             || ' × ' || i.quantity as line
    from public.order_items i where i.order_id = items_in_short.order_id
  ) l;
$$;

-- What the list can be narrowed by. Everything that is given must hold.
create type private.order_filter as (
  search text, number bigint, placed_from date, placed_to date, customer text, phone text, pincode text, product text,
  total_min_paise bigint, total_max_paise bigint, payment text[], status text[], waiting_hours integer,
  source text, fulfilment text, todo text, user_id uuid, ids uuid[], is_open boolean);

create function private.read_order_filter(filter jsonb) returns private.order_filter
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
  elsif f.todo not in ('unconfirmed', 'pack-today', 'give-back') then
    perform private.refuse('There is no such work to do.', 'todo');
  elsif cardinality(f.ids) > 200 then
    perform private.refuse('Ask for at most 200 orders at once.', 'ids');
  end if;
  return f;
end $$;

-- The words of a search, the longest first.
create function private.words_in(typed text) returns text[]
language sql immutable set search_path = '' as $$
  select coalesce(array_agg(w.word order by char_length(w.word) desc), '{}')
  from (select word from regexp_split_to_table(lower(typed), '\s+') word where word <> '' limit 8) w;
$$;

-- What a word looks like somewhere in a text that begins with a blank; a short one only where a word begins, which is
-- what an index can find.
create function private.word_pattern(word text) returns text
language sql immutable set search_path = '' as $$
  select case when char_length(word) < 3 then '% ' else '%' end || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%';
$$;

-- The condition that an order's name or phone has a word in it, as orders_search_idx can find it.
create function private.has_word(word text) returns text
language sql immutable set search_path = '' as $$
  select case
    when octet_length(word) > char_length(word) then format('%s like %L and %s like %L', t.indexed,
      '%' || encode(decode(replace(word, '\', '\\'), 'escape'), 'hex') || '%', t.plain, private.word_pattern(word))
    -- Hexadecimal must not be taken for a word.
    when word ~ '^[0-9a-f]+$' then format('%s like %L and %s like %2$L', t.indexed, private.word_pattern(word), t.plain)
    else format('%s like %L', t.indexed, private.word_pattern(word)) end
  from (select p.plain, p.plain || $e$ || case when octet_length(o.delivery_name) > char_length(o.delivery_name)
      then encode(decode(replace(lower(o.delivery_name), '\', '\\'), 'escape'), 'hex') else '' end$e$ as indexed
    from (select $e$lower(' ' || o.delivery_name || ' ' || translate(o.delivery_phone, '+- ()', ''))$e$ as plain) p) t;
$$;

create function private.products_called(words text[]) returns bigint[]
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

-- The digits of a phone as typed, without the country's.
create function private.phone_digits(typed text) returns text
language sql immutable set search_path = '' as $$
  select regexp_replace(regexp_replace(coalesce(typed, ''), '\D', '', 'g'), '^(91|0)(?=\d{10}$)', '');
$$;

-- The filter as tables with conditions, each called o, for the planner to find its own way for each: an order is meant that
-- is in one of them (a search finds people and phones on one way, pincodes and products on others). They have the columns
-- that are sorted by: of what is not sorted by the moment of placing, and of what is narrowed further, those are the orders'
-- own. With most_lines it is enough to look at so many lines of the products that are meant: to find out whether there are
-- at least some, by their ids alone.
create function private.order_sources(
  f private.order_filter, at timestamptz, by_placing boolean default false, most_lines integer default null) returns text[]
language plpgsql stable set search_path = '' as $$
declare
  with_products constant text := format('o.id in (select i.order_id from public.order_items i where i.product_id = any (%%L::bigint[])%s)',
                                        ' limit ' || most_lines);
  kept text[] := '{true}';
  ways text[] := '{}';
  named text[];
  term text := btrim(f.search, E' \t\r\n');
  digits text := private.phone_digits(f.phone);
  word text;
  words text[];
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
  foreach word in array private.words_in(f.customer) loop
    kept := kept || private.has_word(word);
    -- Only figures could be those of the phone; to say more than needed would mislead the planner.
    if word ~ '^[0-9]+$' then
      kept := kept || format('lower('' '' || o.delivery_name) like %L', private.word_pattern(word));
    end if;
  end loop;
  if digits <> '' then
    kept := kept || format('%s and '' '' || translate(o.delivery_phone, ''+- ()'', '''') like %L',
                           private.has_word(digits), private.word_pattern(digits));
  end if;
  if f.pincode is not null then
    kept := kept || format('o.delivery_zip like %L', f.pincode || '%');
  end if;
  if cardinality(private.words_in(f.product)) > 0 then
    kept := kept || format(with_products, private.products_called(private.words_in(f.product)));
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
    when 'give-back' then array['private.is_to_give_back(o.status, o.payment_status)']
    else '{}' end;

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
        named := named || format('(select distinct l.order_id as id from (select i.order_id from public.order_items i
                                   where i.product_id = any (%L::bigint[]) limit %s) l) o where true', products, most_lines);
      else
        ways := ways || format(with_products, products);
      end if;
    end if;
  end if;
  return coalesce(named, '{}') || case when ways = '{}' and named is null then array['public.orders o where ' || array_to_string(kept, ' and ')]
    else (select coalesce(array_agg('public.orders o where ' || array_to_string(kept || way, ' and ')), '{}') from unnest(ways) way) end;
end $$;

-- One statement for all who read orders by a filter: keys and ids of the first few, in order.
create function private.order_page(sources text[], sort_column text, direction text, beyond text, most integer) returns text
language sql immutable set search_path = '' as $$
  select format('select k.id, k.key from (%s) k order by k.key %s, k.id %2$s limit %s',
                string_agg(format('(select o.id, o.%1$I as key from %2$s and %3$s order by o.%1$I %4$s, o.id %4$s limit %5$s)',
                                  sort_column, source, beyond, direction, most), ' union '),
                direction, most)
  from unnest(sources) source;
$$;

create function private.count_orders(sources text[], most integer) returns integer
language plpgsql stable set search_path = '' as $$
declare
  counted integer;
begin
  execute (select format('select count(*) from (select from (%s) found limit %s) counted',
                         string_agg(format('(select o.id from %s limit %s)', source, most + 1), ' union '), most + 1)
           from unnest(sources) source)
  into counted;
  return counted;
end $$;

-- What comes after the last row of the page before.
create function private.beyond_order(sort_column text, key_type text, direction text, after jsonb) returns text
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
  perform private.refuse('This page of the list cannot be found.', 'after');
end $$;

revoke execute on function private.items_in_short(uuid, integer),
  private.read_order_filter(jsonb), private.words_in(text), private.word_pattern(text), private.has_word(text), private.products_called(text[]),
  private.phone_digits(text), private.order_sources(private.order_filter, timestamptz, boolean, integer),
  private.order_page(text[], text, text, text, integer), private.count_orders(text[], integer),
  private.beyond_order(text, text, text, jsonb) from public;
