-- Group orders: many recipients and one payment. Below it each recipient has an ordinary checkout and an ordinary order.
-- Written by open_group() and by settling.
set check_function_bodies = off;

create table private.group_orders (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references auth.users (id) on delete set null,
  -- Groups that were opened one after the other without being paid share a family: two of them paid for the same boxes is one too
  -- many.
  family_id uuid not null,
  recipients smallint not null check (recipients between 1 and 500),
  total_paise bigint not null check (total_paise >= 100),
  -- A hash of what all recipients get, and one of everything that was requested.
  contents text not null,
  request text not null,
  -- paid: there is an order for each recipient. What is held meanwhile is in the checkouts.
  state text not null default 'open' check (state in ('open', 'paid')),
  provider_order_id text,
  -- When to check it with the provider; null: never again.
  next_check_at timestamptz,
  created_at timestamptz not null,
  -- When its hold began (08_checkout/05_group_holds.sql): a list that was changed goes on with the hold of the one before.
  held_since timestamptz,
  -- What it holds as the first order of its account, if that is more than a single first order may; else 0.
  first_order_grams integer not null default 0 check (first_order_grams >= 0)
);
create index group_orders_user_idx on private.group_orders (user_id, created_at desc, id);
create index group_orders_family_idx on private.group_orders (family_id);
-- Partial indexes, as those of checkouts.
create unique index group_orders_provider_order_id_key on private.group_orders (provider_order_id) where provider_order_id is not null;
create index group_orders_next_check_idx on private.group_orders (next_check_at) where next_check_at is not null;
alter table private.group_orders enable row level security;
