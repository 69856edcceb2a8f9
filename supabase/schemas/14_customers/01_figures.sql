-- What the console knows of each customer: a card to search in, kept by triggers on accounts and profiles; orders and money,
-- derived from orders and refunds by the worker (16_jobs/04_order_changes.sql).
set check_function_bodies = off;

-- The owner's notes on a customer: written and read only by console functions.
create table private.customer_records (
  user_id uuid primary key references auth.users (id) on delete cascade,
  notes text not null default '',
  tags text[] not null default '{}',
  blocked_at timestamptz,
  blocked_reason text,
  updated_at timestamptz not null default now()
);
create index customer_records_tags_idx on private.customer_records using gin (tags);
-- Partial index: few customers are blocked.
create index customer_records_blocked_idx on private.customer_records (user_id) where blocked_at is not null;
alter table private.customer_records enable row level security;

-- Changes by administrators in private are in the activity log too.
create trigger customer_records_audit after insert or update or delete on private.customer_records
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('user_id');
create trigger customer_records_touch before update on private.customer_records
  for each row execute function private.touch_updated_at();
create trigger customer_records_record_block after insert or update of blocked_at on private.customer_records
  for each row execute function private.record_block();

-- Two tables, because figures change with every order and cards hardly ever: an order must not update the search
-- index.
create table private.customer_cards (
  user_id uuid primary key references auth.users (id) on delete cascade,
  name text not null,
  email text not null,
  phone text not null,
  city text not null,
  -- A column and not only an index on lower(city), so that customers of a city are counted by an index-only scan.
  city_key text not null generated always as (lower(city)) stored,
  searchable text not null generated always as
    (lower(name || ' ' || email || ' ' || right(regexp_replace(phone, '[^0-9]', '', 'g'), 10))) stored
);
-- More statistics: the planner estimates better which words are frequent.
alter table private.customer_cards alter column searchable set statistics 500;
create index customer_cards_search_idx on private.customer_cards using gin (searchable extensions.gin_trgm_ops);
create index customer_cards_name_idx on private.customer_cards (lower(name), user_id);
-- Email addresses are matched by prefix, and so are names of one or two typed letters.
create index customer_cards_email_idx on private.customer_cards (lower(email) text_pattern_ops);
create index customer_cards_prefix_idx on private.customer_cards (lower(name) text_pattern_ops);
create index customer_cards_city_idx on private.customer_cards (city_key, user_id);
alter table private.customer_cards enable row level security;

-- Orders, and the last of them, without canceled ones. The value is what was paid less refunds, of all of them.
create table private.customer_figures (
  user_id uuid primary key references auth.users (id) on delete cascade,
  orders integer not null default 0,
  value_paise bigint not null default 0,
  last_order_at timestamptz not null default '-infinity'
);
create index customer_figures_orders_idx on private.customer_figures (orders, user_id);
create index customer_figures_value_idx on private.customer_figures (value_paise, user_id);
create index customer_figures_last_idx on private.customer_figures (last_order_at, user_id);
alter table private.customer_figures enable row level security;

-- Lower bounds of how many customers there are, have ordered, or live in a city, where they are too many to count
-- for a list. The worker counts; an account that leaves is subtracted at once, a new one waits for the worker. So
-- the numbers are never too high, and signing up or buying never updates a row that others update.
create table private.large_customer_lists (
  list text primary key,
  at_least integer not null
);
alter table private.large_customer_lists enable row level security;

-- The cards as accounts and profiles have them now, cut to what a list can show: customers write anything into
-- their accounts.
create view private.customer_facts with (security_invoker = true) as
  select u.id as user_id, left(private.person_name(u.id), 120) as name, left(coalesce(u.email, ''), 320) as email,
         coalesce(btrim(p.phone), '') as phone, coalesce(btrim(p.city), '') as city
  from auth.users u left join public.user_profiles p on p.user_id = u.id;

-- Accounts belong to the Auth server: an error here must not prevent a sign-in.
create function private.update_card_of_account() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.update_customer_card(new.id);
  return null;
exception when others then
  raise warning 'no card for account %: %', new.id, sqlstate;
  return null;
end $$;
create trigger shop_follows_new_account after insert on auth.users
  for each row execute function private.update_card_of_account();
create trigger shop_follows_account after update of email, raw_user_meta_data on auth.users
  for each row when ((old.email, old.raw_user_meta_data) is distinct from (new.email, new.raw_user_meta_data))
  execute function private.update_card_of_account();

create function private.update_card_of_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.update_customer_card(new.user_id);
  return null;
end $$;
create trigger user_profiles_update_card after insert or update of phone, city on public.user_profiles
  for each row execute function private.update_card_of_profile();

create function private.subtract_deleted_customers() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_table_name = 'customer_cards' then
    update private.large_customer_lists c set at_least = c.at_least - l.people
    from (select 'in ' || g.city_key as list, count(*) as people from gone g group by g.city_key) l where c.list = l.list;
  else
    update private.large_customer_lists c set at_least = c.at_least - l.people
    from (select w.list, count(*) as people from gone g
          cross join lateral (values ('everybody', true), ('ordered', g.last_order_at > '-infinity')) w (list, was_in)
          where w.was_in group by w.list) l
    where c.list = l.list;
  end if;
  return null;
end $$;
create trigger customer_cards_leave after delete on private.customer_cards
  referencing old table as gone for each statement execute function private.subtract_deleted_customers();
create trigger customer_figures_leave after delete on private.customer_figures
  referencing old table as gone for each statement execute function private.subtract_deleted_customers();

create function private.subtract_changed_customer() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.large_customer_lists c set at_least = c.at_least - 1
  where c.list = coalesce('in ' || (to_jsonb(old) ->> 'city_key'), 'ordered');
  return null;
end $$;
create trigger customer_cards_move after update of city on private.customer_cards
  for each row when (old.city_key <> new.city_key) execute function private.subtract_changed_customer();
-- The only order of a customer was canceled.
create trigger customer_figures_move after update of last_order_at on private.customer_figures
  for each row when (old.last_order_at > '-infinity' and new.last_order_at = '-infinity') execute function private.subtract_changed_customer();

create function private.update_customer_card(customer_id uuid) returns void
language sql set search_path = '' as $$
  insert into private.customer_cards as c (user_id, name, email, phone, city)
  select f.user_id, f.name, f.email, f.phone, f.city from private.customer_facts f where f.user_id = update_customer_card.customer_id
  on conflict (user_id) do update
  set name = excluded.name, email = excluded.email, phone = excluded.phone, city = excluded.city
  where (c.name, c.email, c.phone, c.city) is distinct from (excluded.name, excluded.email, excluded.phone, excluded.city);
  insert into private.customer_figures (user_id)
  select u.id from auth.users u where u.id = update_customer_card.customer_id
  on conflict do nothing;
$$;

-- What the figures of customers must be. An order brings in nothing while it is unpaid. A refund counts from when it is
-- decided, also of orders that were canceled; one that failed does not (the next try is another row).
create view private.customer_totals with (security_invoker = true) as
  select u.id as user_id, o.orders::integer as orders, coalesce(o.paise, 0)::bigint - coalesce(r.paise, 0)::bigint as value_paise,
         coalesce(o.last_order_at, '-infinity') as last_order_at
  from auth.users u
  cross join lateral (
    select count(*) filter (where o.status <> 'canceled') as orders,
           sum((o.total_amount * 100)::bigint) filter (where o.payment_status <> 'unpaid') as paise,
           max(o.created_at) filter (where o.status <> 'canceled') as last_order_at
    from public.orders o where o.user_id = u.id
  ) o
  cross join lateral (
    select sum(r.amount_paise) as paise from public.orders o join private.refunds r on r.order_id = o.id
    where o.user_id = u.id and r.status <> 'failed'
  ) r;

-- Recalculates figures of customers. They are locked first: of two workers the later one sees every order that the earlier one saw, so
-- no figure is overwritten by an older one.
create function private.count_customers(customer_ids uuid[]) returns void
language plpgsql set search_path = '' as $$
begin
  perform private.update_customer_card(c.id) from unnest(customer_ids) as c (id)
  where not exists (select from private.customer_figures f where f.user_id = c.id);
  perform from private.customer_figures f where f.user_id = any (customer_ids) order by f.user_id for update;
  update private.customer_figures f
  set orders = t.orders, value_paise = t.value_paise, last_order_at = t.last_order_at
  from private.customer_totals t
  where f.user_id = any (customer_ids) and t.user_id = f.user_id
    and (f.orders, f.value_paise, f.last_order_at) is distinct from (t.orders, t.value_paise, t.last_order_at);
end $$;

create function private.count_large_customer_lists(most integer default 10000) returns void
language plpgsql set search_path = '' as $$
begin
  -- Those who leave wait until this is done, or were taken off before it began.
  lock table private.large_customer_lists in share row exclusive mode;
  delete from private.large_customer_lists where true;
  insert into private.large_customer_lists (list, at_least)
  select c.list, c.people
  from (select 'everybody' as list, count(*) as people from private.customer_figures
        union all
        select 'ordered', count(*) from private.customer_figures f where f.last_order_at > '-infinity'
        union all
        select 'in ' || c.city_key, count(*) from private.customer_cards c group by c.city_key) c
  where c.people > most;
end $$;

-- All customers, after rows were written past the triggers (many at once, a backup).
create function private.rebuild_customers() returns void
language sql set search_path = '' as $$
  delete from private.customer_cards where true;
  delete from private.customer_figures where true;
  insert into private.customer_cards (user_id, name, email, phone, city)
  select f.user_id, f.name, f.email, f.phone, f.city from private.customer_facts f;
  insert into private.customer_figures (user_id, orders, value_paise, last_order_at)
  select t.user_id, t.orders, t.value_paise, t.last_order_at from private.customer_totals t;
$$;
