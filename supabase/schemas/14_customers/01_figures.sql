-- What the console knows of each customer: a card to search in, orders and money. Kept by triggers on accounts, profiles,
-- orders and refunds.
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
-- Email addresses are found by their beginning, and so are names of which a letter or two were typed.
create index customer_cards_email_idx on private.customer_cards (lower(email) text_pattern_ops);
create index customer_cards_prefix_idx on private.customer_cards (lower(name) text_pattern_ops);
create index customer_cards_city_idx on private.customer_cards (city_key, user_id);
alter table private.customer_cards enable row level security;

-- Of orders that were not canceled. The value is what was paid less refunds.
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
create table private.customer_crowds (
  crowd text primary key,
  at_least integer not null
);
alter table private.customer_crowds enable row level security;

-- The cards as accounts and profiles have them now, cut to what a list can show: customers write anything into
-- their accounts.
create view private.customer_facts with (security_invoker = true) as
  select u.id as user_id, left(private.person_name(u.id), 120) as name, left(coalesce(u.email, ''), 320) as email,
         coalesce(btrim(p.phone), '') as phone, coalesce(btrim(p.city), '') as city
  from auth.users u left join public.user_profiles p on p.user_id = u.id;

-- Accounts belong to the Auth server: an error here must not prevent a sign-in.
create function private.follow_account() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.keep_card(new.id);
  return null;
exception when others then
  raise warning 'no card for account %: %', new.id, sqlstate;
  return null;
end $$;
create trigger shop_follows_new_account after insert on auth.users
  for each row execute function private.follow_account();
create trigger shop_follows_account after update of email, raw_user_meta_data on auth.users
  for each row when ((old.email, old.raw_user_meta_data) is distinct from (new.email, new.raw_user_meta_data))
  execute function private.follow_account();

create function private.follow_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.keep_card(new.user_id);
  return null;
end $$;
create trigger user_profiles_keep_card after insert or update of phone, city on public.user_profiles
  for each row execute function private.follow_profile();

create function private.count_placed_order() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  stands integer := case when new.status <> 'canceled' then 1 else 0 end;
  paise bigint := private.order_worth(new.payment_status, new.total_amount);
begin
  -- What add_to_figures() does, without the call: this is on the way of every order.
  update private.customer_figures f
  set orders = f.orders + stands, value_paise = f.value_paise + paise,
      last_order_at = case when stands = 1 and new.created_at > f.last_order_at then new.created_at else f.last_order_at end
  where f.user_id = new.user_id;
  if not found then
    perform private.add_to_figures(new.user_id, stands, paise, case when stands = 1 then new.created_at end);
  end if;
  return null;
end $$;
create constraint trigger orders_count_placed after insert on public.orders deferrable initially deferred
  for each row when (new.user_id is not null) execute function private.count_placed_order();

create function private.count_moved_order() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  falls boolean := new.status = 'canceled' and old.status <> 'canceled';
begin
  if falls then
    perform from private.customer_figures f where f.user_id = new.user_id for update;
  end if;
  perform private.add_to_figures(
    new.user_id, case when falls then -1 else 0 end,
    private.order_worth(new.payment_status, new.total_amount)
      - private.order_worth(old.payment_status, old.total_amount), null);
  -- A statement of its own, after the lock: it sees every order that was counted before.
  if falls then
    update private.customer_figures f
    set last_order_at = coalesce((select max(o.created_at) from public.orders o
                                  where o.user_id = new.user_id and o.status <> 'canceled'), '-infinity')
    where f.user_id = new.user_id and f.last_order_at = new.created_at;
  end if;
  return null;
end $$;
create constraint trigger orders_count_moved after update of status, payment_status on public.orders deferrable initially deferred
  for each row when (new.user_id is not null and (
    (old.status <> 'canceled' and new.status = 'canceled') or (old.payment_status = 'unpaid') <> (new.payment_status = 'unpaid')))
  execute function private.count_moved_order();

-- A refund counts from when it is decided; a failed one does not (the next attempt is another row).
create function private.count_refund() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  customer uuid;
  change bigint := case when new.status <> 'failed' then -new.amount_paise else 0 end
    - case when tg_op = 'UPDATE' and old.status <> 'failed' then -old.amount_paise else 0 end;
begin
  select o.user_id into customer from public.orders o where o.id = new.order_id;
  if customer is not null and change <> 0 then
    perform private.add_to_figures(customer, 0, change, null);
  end if;
  return null;
end $$;
create constraint trigger refunds_count_new after insert on private.refunds deferrable initially deferred
  for each row when (new.order_id is not null) execute function private.count_refund();
create constraint trigger refunds_count_moved after update of status, amount_paise on private.refunds deferrable initially deferred
  for each row when (new.order_id is not null and (old.status, old.amount_paise) is distinct from (new.status, new.amount_paise))
  execute function private.count_refund();

create function private.leave_crowds() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_table_name = 'customer_cards' then
    update private.customer_crowds c set at_least = c.at_least - l.people
    from (select 'in ' || g.city_key as crowd, count(*) as people from gone g group by g.city_key) l where c.crowd = l.crowd;
  else
    update private.customer_crowds c set at_least = c.at_least - l.people
    from (select w.crowd, count(*) as people from gone g
          cross join lateral (values ('everybody', true), ('ordered', g.last_order_at > '-infinity')) w (crowd, was_in)
          where w.was_in group by w.crowd) l
    where c.crowd = l.crowd;
  end if;
  return null;
end $$;
create trigger customer_cards_leave after delete on private.customer_cards
  referencing old table as gone for each statement execute function private.leave_crowds();
create trigger customer_figures_leave after delete on private.customer_figures
  referencing old table as gone for each statement execute function private.leave_crowds();

create function private.move_from_crowd() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.customer_crowds c set at_least = c.at_least - 1
  where c.crowd = coalesce('in ' || (to_jsonb(old) ->> 'city_key'), 'ordered');
  return null;
end $$;
create trigger customer_cards_move after update of city on private.customer_cards
  for each row when (old.city_key <> new.city_key) execute function private.move_from_crowd();
-- The only order of a customer was canceled.
create trigger customer_figures_move after update of last_order_at on private.customer_figures
  for each row when (old.last_order_at > '-infinity' and new.last_order_at = '-infinity') execute function private.move_from_crowd();

create function private.keep_card(customer_id uuid) returns void
language sql set search_path = '' as $$
  insert into private.customer_cards as c (user_id, name, email, phone, city)
  select f.user_id, f.name, f.email, f.phone, f.city from private.customer_facts f where f.user_id = keep_card.customer_id
  on conflict (user_id) do update
  set name = excluded.name, email = excluded.email, phone = excluded.phone, city = excluded.city
  where (c.name, c.email, c.phone, c.city) is distinct from (excluded.name, excluded.email, excluded.phone, excluded.city);
  insert into private.customer_figures (user_id)
  select u.id from auth.users u where u.id = keep_card.customer_id
  on conflict do nothing;
$$;

-- What an order earned: nothing while it is unpaid. Refunds are counted on their own, also those of canceled
-- orders. Without a search path, so that queries inline it.
create function private.order_worth(payment_status text, total_amount numeric) returns bigint
language sql immutable as $$
  select case when payment_status = 'unpaid' then 0 else (total_amount * 100)::bigint end;
$$;

-- Every change is added, and nothing is counted anew: so the totals are exact under concurrency. The figures are
-- updated last, when the transaction commits, so that no transaction waiting for them holds stock.
create function private.add_to_figures(customer_id uuid, orders integer, paise bigint, placed_at timestamptz) returns void
language plpgsql set search_path = '' as $$
begin
  for attempt in 1..2 loop
    update private.customer_figures f
    set orders = f.orders + add_to_figures.orders, value_paise = f.value_paise + add_to_figures.paise,
        last_order_at = greatest(f.last_order_at, add_to_figures.placed_at)
    where f.user_id = add_to_figures.customer_id;
    exit when found;
    perform private.keep_card(add_to_figures.customer_id);
  end loop;
end $$;

create function private.keep_crowds(most integer default 10000) returns void
language plpgsql set search_path = '' as $$
begin
  -- Those who leave wait until this is done, or were taken off before it began.
  lock table private.customer_crowds in share row exclusive mode;
  delete from private.customer_crowds where true;
  insert into private.customer_crowds (crowd, at_least)
  select c.crowd, c.people
  from (select 'everybody' as crowd, count(*) as people from private.customer_figures
        union all
        select 'ordered', count(*) from private.customer_figures f where f.last_order_at > '-infinity'
        union all
        select 'in ' || c.city_key, count(*) from private.customer_cards c group by c.city_key) c
  where c.people > most;
end $$;

-- Rebuilds cards and figures of all customers, for accounts that were written without triggers (bulk imports, a
-- backup). Not while customers are buying.
create function private.know_everybody() returns void
language sql set search_path = '' as $$
  delete from private.customer_cards where true;
  delete from private.customer_figures where true;
  insert into private.customer_cards (user_id, name, email, phone, city)
  select f.user_id, f.name, f.email, f.phone, f.city from private.customer_facts f;
  insert into private.customer_figures (user_id, orders, value_paise, last_order_at)
  select u.id, coalesce(o.orders, 0), coalesce(o.paise, 0) - coalesce(r.paise, 0), coalesce(o.last, '-infinity')
  from auth.users u
  left join (
    select user_id, count(*) filter (where status <> 'canceled') as orders,
           sum(private.order_worth(payment_status, total_amount)) as paise,
           max(created_at) filter (where status <> 'canceled') as last
    from public.orders group by user_id
  ) o on o.user_id = u.id
  left join (
    select o.user_id, sum(r.amount_paise) as paise
    from private.refunds r join public.orders o on o.id = r.order_id
    where r.status <> 'failed' group by o.user_id
  ) r on r.user_id = u.id;
$$;
