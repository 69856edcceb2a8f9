-- Words of the names in orders, so that the console finds an order by a part of a name.
-- Kept by a job, and by a trigger where an old order changes.
set check_function_bodies = off;

-- The words of names by the order they are in, newest first: thousands of orders share a common word, and the first
-- page and the capped count are read from here. Placing an order costs nothing for it: the worker adds recent
-- orders, and newer ones are searched directly. Only an order that is older, or that changed its name, is written
-- at once.
create table private.order_words (
  word text not null,
  created_at timestamptz not null,
  id uuid not null,
  primary key (word, created_at, id)
);
alter table private.order_words enable row level security;

create table private.name_words (
  word text primary key
);
create index name_words_search_idx on private.name_words using gin (word extensions.gin_trgm_ops);
alter table private.name_words enable row level security;

create table private.order_words_until (
  is_only boolean primary key default true check (is_only),
  until timestamptz not null
);
alter table private.order_words_until enable row level security;

create function private.index_order_name() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(private.order_words_lock());
  if tg_op = 'UPDATE' then
    delete from private.order_words w
    where w.word in (select private.name_words_of(old)) and w.created_at = old.created_at and w.id = old.id;
    delete from private.name_words n
    where n.word in (select private.name_words_of(old)) and not exists (select from private.order_words w where w.word = n.word);
  end if;
  insert into private.order_words (word, created_at, id) select w.word, new.created_at, new.id from private.name_words_of(new) w (word)
  on conflict do nothing;
  insert into private.name_words (word) select w.word from private.name_words_of(new) w (word) order by 1 on conflict do nothing;
  return null;
end $$;
create trigger orders_index_name_placed after insert on public.orders
  for each row when (new.created_at < now() - interval '9 minutes') execute function private.index_order_name();
create trigger orders_index_name_changed after update of delivery_name, delivery_phone on public.orders
  for each row when ((old.delivery_name, old.delivery_phone) is distinct from (new.delivery_name, new.delivery_phone))
  execute function private.index_order_name();

-- The words of a delivery name. Numbers alone are not a name.
create function private.name_words_of(placed public.orders) returns setof text
language sql immutable as $$
  select distinct w.word from regexp_split_to_table(lower(placed.delivery_name || ' ' || translate(placed.delivery_phone, '+- ()', '')), '\s+') w (word)
  where w.word ~ '[^0-9]';
$$;

create function private.order_words_lock() returns bigint
language sql immutable set search_path = '' as $$ select 7640114::bigint $$;

-- Works on a quarter of a year at a time, so that no transaction waits long for it. True: there is more.
create function private.index_order_words(at timestamptz) returns boolean
language plpgsql set search_path = '' as $$
declare
  due timestamptz := least(at, now()) - interval '10 minutes';
  kept timestamptz;
  upto timestamptz;
begin
  perform pg_advisory_xact_lock(private.order_words_lock());
  kept := coalesce((select u.until from private.order_words_until u), (select min(o.created_at) from public.orders o), due);
  upto := least(due, kept + interval '92 days');
  if upto < kept then
    return false;
  end if;
  insert into private.order_words (word, created_at, id)
  select w.word, o.created_at, o.id from public.orders o cross join lateral private.name_words_of(o) w (word)
  where o.created_at >= kept and o.created_at < upto
  order by 1, 2, 3
  on conflict do nothing;
  insert into private.name_words (word)
  select distinct w.word from public.orders o cross join lateral private.name_words_of(o) w (word)
  where o.created_at >= kept and o.created_at < upto
  on conflict do nothing;
  insert into private.order_words_until (until) values (upto) on conflict (is_only) do update set until = excluded.until;
  return upto < due;
end $$;

-- The source of orders with this name, as order_sources() uses it; null when it would not be faster: for many names
-- at once, and for orders that the worker has not seen.
create function private.orders_for_name(word text) returns text[]
language plpgsql stable set search_path = '' as $$
declare
  most constant integer := 20;
  until constant timestamptz := (select u.until from private.order_words_until u);
  -- A short word is looked for where a word begins.
  pattern constant text := regexp_replace(private.word_pattern(word), '^% ', '');
  called text[];
begin
  if until is null or word ~ '[0-9]' then
    return null;
  end if;
  called := array(select n.word from private.name_words n where n.word like pattern limit most + 1);
  if cardinality(called) > most then
    return null;
  end if;
  return (select coalesce(array_agg(format('private.order_words o where o.word = %L', c.name)), '{}') from unnest(called) c (name))
    || format('public.orders o where o.created_at >= %L::timestamptz and %s', until, private.name_or_phone_condition(orders_for_name.word));
end $$;
