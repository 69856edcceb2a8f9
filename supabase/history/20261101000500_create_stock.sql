-- Stock, in grams for sized products and in pieces otherwise. Movements are the why and are never changed;
-- levels are their sum, and the row to lock (always in product order).

create table public.stock_levels (
  product_id bigint primary key references public."Products" ("Id") on delete cascade,
  on_hand integer not null default 0 check (on_hand >= 0),
  reserved integer not null default 0 check (reserved >= 0),
  low_at integer not null default 0 check (low_at >= 0),
  updated_at timestamptz not null default now(),
  check (reserved <= on_hand)
);

create table public.stock_movements (
  id bigint generated always as identity primary key,
  product_id bigint not null references public."Products" ("Id"),
  quantity integer not null check (quantity <> 0),
  reason text not null check (reason in ('purchase', 'production', 'sale', 'return', 'wastage', 'count')),
  order_id uuid references public.orders (id),
  note text not null default '' check (char_length(note) <= 300),
  created_at timestamptz not null default now(),
  check (reason not in ('purchase', 'production', 'return') or quantity > 0),
  check (reason not in ('sale', 'wastage') or quantity < 0)
);
create index stock_movements_product_idx on public.stock_movements (product_id, created_at desc, id desc);
create index stock_movements_order_idx on public.stock_movements (order_id) where order_id is not null;

-- What a unit costs us, over time: never shown to a browser but through the console's functions.
create table private.product_costs (
  product_id bigint not null references public."Products" ("Id") on delete cascade,
  valid_from timestamptz not null default now(),
  unit_cost numeric(10, 2) not null check (unit_cost >= 0),
  primary key (product_id, valid_from)
);
alter table private.product_costs enable row level security;

grant select, update on public.stock_levels to authenticated;
grant select, insert on public.stock_movements to authenticated;
grant all on public.stock_levels, public.stock_movements to service_role;
alter table public.stock_levels enable row level security;
alter table public.stock_movements enable row level security;
create policy "administrators read stock" on public.stock_levels
  for select to authenticated using ((select private.is_admin()));
create policy "administrators set the low mark" on public.stock_levels
  for update to authenticated using ((select private.is_admin())) with check ((select private.is_admin()));
create policy "administrators read movements" on public.stock_movements
  for select to authenticated using ((select private.is_admin()));
create policy "administrators record movements other than sales" on public.stock_movements
  for insert to authenticated with check ((select private.is_admin()) and reason <> 'sale' and order_id is null);
create trigger stock_movements_never_change before update or delete on public.stock_movements
  for each row execute function private.refuse_change();
create trigger stock_movements_audit after insert on public.stock_movements
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');

-- A browser's request sets the low mark and dates nothing; quantities come from movements alone.
create function private.guard_stock() returns trigger
language plpgsql set search_path = '' as $$
begin
  if tg_table_name = 'stock_movements' then
    if current_user in ('anon', 'authenticated') then
      new.created_at := now();
    end if;
    return new;
  end if;
  if current_user in ('anon', 'authenticated')
     and (new.product_id, new.on_hand, new.reserved) is distinct from (old.product_id, old.on_hand, old.reserved) then
    raise sqlstate 'PT403' using message = 'stock changes through movements only';
  end if;
  new.updated_at := now();
  return new;
end $$;
create trigger stock_levels_guard before update on public.stock_levels
  for each row execute function private.guard_stock();
create trigger stock_movements_guard before insert on public.stock_movements
  for each row execute function private.guard_stock();
create trigger stock_levels_audit after update on public.stock_levels
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('product_id');

create function private.apply_movement() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.stock_levels set on_hand = on_hand + new.quantity
  where product_id = new.product_id
    and on_hand + new.quantity >= reserved;
  if not found then
    raise sqlstate 'PT409' using message = 'not that much is in stock and unreserved';
  end if;
  return null;
end $$;
create trigger stock_movements_apply after insert on public.stock_movements
  for each row execute function private.apply_movement();

-- isavailable = listed and on_hand > 0, whoever writes the product.
create function private.keep_availability() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.isavailable := new.is_listed and new.archived_at is null and exists (
    select from public.stock_levels s where s.product_id = new."Id" and s.on_hand > 0);
  if tg_op = 'UPDATE' and new."hasSize" <> old."hasSize"
     and exists (select from public.stock_movements m where m.product_id = new."Id") then
    raise sqlstate 'PT409' using message = 'a product with stock history keeps its unit: grams or pieces';
  end if;
  return new;
end $$;
create trigger products_keep_availability before insert or update on public."Products"
  for each row execute function private.keep_availability();

create function private.open_stock() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.stock_levels (product_id) values (new."Id");
  return null;
end $$;
create trigger products_open_stock after insert on public."Products"
  for each row execute function private.open_stock();

-- Mail and refunds to send: written in the transaction that decides them, sent by a worker, once per key.
create table private.outbox (
  id bigint generated always as identity primary key,
  kind text not null,
  key text not null unique,
  payload jsonb not null,
  run_after timestamptz not null default now(),
  attempts integer not null default 0,
  last_error text,
  done_at timestamptz,
  created_at timestamptz not null default now()
);
create index outbox_due_idx on private.outbox (run_after) where done_at is null;
alter table private.outbox enable row level security;

-- When stock comes from or goes to nothing, the product's availability follows.
create function private.follow_stock() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public."Products" set isavailable = isavailable where "Id" = new.product_id;
  return null;
end $$;
create trigger stock_levels_follow after update of on_hand on public.stock_levels
  for each row when ((old.on_hand > 0) <> (new.on_hand > 0)) execute function private.follow_stock();

-- Whoever waits for a product is mailed once when it is back, and no longer waits. Decided when the transaction
-- commits: goods that come back and are thrown away at once (a canceled order's wastage) are not back.
create function private.tell_waiting() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.stock_levels s where s.product_id = new.product_id and s.on_hand > 0) then
    with told as (
      delete from public.notify_subscriptions s where s.product_id = new.product_id returning s.user_id
    )
    insert into private.outbox (kind, key, payload)
    select 'back-in-stock', format('back-in-stock:%s:%s:%s', new.product_id, told.user_id, gen_random_uuid()),
           jsonb_build_object('product_id', new.product_id, 'user_id', told.user_id)
    from told;
  end if;
  return null;
end $$;
create constraint trigger stock_levels_tell_waiting after update of on_hand on public.stock_levels
  deferrable initially deferred
  for each row when (old.on_hand = 0 and new.on_hand > 0) execute function private.tell_waiting();
