-- What is on hand, every movement of it, and what a unit costs.
-- Movements are append-only: written by orders, receipts, counts and administrators; levels follow by triggers.
set check_function_bodies = off;

-- What is on hand and reserved, in grams for sized products and in pieces otherwise: the sum of the movements, and
-- the row to lock (always in product order).
create table public.stock_levels (
  product_id bigint primary key references public."Products" ("Id") on delete cascade,
  on_hand integer not null default 0 check (on_hand >= 0),
  reserved integer not null default 0 check (reserved >= 0),
  low_at integer not null default 0 check (low_at >= 0),
  updated_at timestamptz not null default now(),
  check (reserved <= on_hand)
);
alter table public.stock_levels enable row level security;
revoke all on public.stock_levels from anon, authenticated;
grant select, update (low_at) on public.stock_levels to authenticated;
grant all on public.stock_levels to service_role;
create policy "administrators read stock" on public.stock_levels
  for select to authenticated using ((select private.is_admin()));
create policy "administrators set the low mark" on public.stock_levels
  for update to authenticated using ((select private.is_admin())) with check ((select private.is_admin()));

create trigger stock_levels_audit after update on public.stock_levels
  for each row when (pg_trigger_depth() = 0 and new.low_at <> old.low_at) execute function private.record_change('product_id');
create trigger stock_levels_require_admin before insert or delete or update on public.stock_levels
  for each statement when (current_user in ('anon', 'authenticated')) execute function private.require_admin_to_write();

-- Every change of stock, with its reason. Append-only.
create table public.stock_movements (
  id bigint generated always as identity primary key,
  product_id bigint not null references public."Products" ("Id"),
  quantity integer not null check (quantity <> 0),
  reason text not null check (reason in ('purchase', 'production', 'sale', 'return', 'wastage', 'count', 'replacement')),
  order_id uuid references public.orders (id),
  note text not null default '' check (char_length(note) <= 300),
  created_at timestamptz not null default now(),
  was_reserved boolean not null default false
  constraint stock_movements_reserved_is_a_sale check (not was_reserved or reason = 'sale'),
  undoes bigint references public.stock_movements (id),
  entry_id uuid,
  constraint stock_movements_comes_in check (reason not in ('purchase', 'production', 'return') or (quantity > 0) = (undoes is null)),
  constraint stock_movements_goes_out check (reason not in ('sale', 'wastage', 'replacement') or (quantity < 0) = (undoes is null)),
  constraint stock_movements_undoes_no_sale check (undoes is null or reason not in ('sale', 'replacement'))
);
comment on column public.stock_movements.entry_id is 'Made where a movement by hand was typed: however often it is sent, it is one.';
create index stock_movements_product_idx on public.stock_movements (product_id, created_at desc, id desc);
-- Partial index: movements of an order; counts, receipts and wastage have none.
create index stock_movements_order_idx on public.stock_movements (order_id) where order_id is not null;
-- Partial unique indexes: a movement is undone at most once, and a form sent twice is entered once.
create unique index stock_movements_undoes_idx on public.stock_movements (undoes) where undoes is not null;
create unique index stock_movements_entry_idx on public.stock_movements (entry_id) where entry_id is not null;
-- Partial index: nearly all movements are sales, and the others must be found without reading those.
create index stock_movements_reason_idx on public.stock_movements (reason, id desc) where reason <> 'sale';
-- Partial indexes: what was entered by hand, without the sales that are nearly all movements.
create index stock_movements_by_hand_idx on public.stock_movements (product_id, reason, created_at desc, id desc) where reason <> 'sale';
create index stock_movements_wastage_idx on public.stock_movements (created_at) where reason in ('wastage', 'replacement');
alter table public.stock_movements enable row level security;
revoke all on public.stock_movements from anon, authenticated;
grant select, insert on public.stock_movements to authenticated;
grant all on public.stock_movements to service_role;
create policy "administrators read movements" on public.stock_movements
  for select to authenticated using ((select private.is_admin()));
create policy "administrators record movements other than sales" on public.stock_movements
  for insert to authenticated with check ((select private.is_admin()) and reason not in ('sale', 'replacement') and order_id is null and undoes is null);

create trigger stock_movements_never_change before update or delete on public.stock_movements
  for each row execute function private.reject_change();
create trigger stock_movements_audit after insert on public.stock_movements
  for each row when (pg_trigger_depth() = 0 and new.reason <> 'sale') execute function private.record_change('id');
create trigger stock_movements_never_emptied before truncate on public.stock_movements
  for each statement execute function private.reject_change();
create trigger stock_movements_require_admin before insert or delete or update on public.stock_movements
  for each statement when (current_user in ('anon', 'authenticated')) execute function private.require_admin_to_write();

-- The unit cost over time: browsers see it through console functions only.
create table private.product_costs (
  product_id bigint not null references public."Products" ("Id") on delete cascade,
  valid_from timestamptz not null default now(),
  unit_cost numeric(10, 2) not null check (unit_cost >= 0)
    constraint product_costs_unit_cost_is_a_number check (unit_cost <> 'NaN'),
  primary key (product_id, valid_from)
);
alter table private.product_costs enable row level security;

create trigger product_costs_audit after insert or update or delete on private.product_costs
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('product_id');

-- A browser's request sets the low mark and no dates; quantities come from movements alone.
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

-- Adds movements to the levels. Locks the stock in product order, so that callers need not.
create function private.apply_movement() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  moved integer := (select count(distinct m.product_id) from movements m);
  changed integer;
begin
  if moved > 1 then
    perform private.lock_stock(array(select m.product_id from movements m));
  end if;
  update public.stock_levels s set on_hand = s.on_hand + m.quantity, reserved = s.reserved + m.freed
  from (
    select v.product_id, sum(v.quantity) as quantity, coalesce(sum(v.quantity) filter (where v.was_reserved), 0) as freed
    from movements v group by v.product_id
  ) m
  where s.product_id = m.product_id and s.on_hand + m.quantity >= s.reserved + m.freed;
  get diagnostics changed = row_count;
  if changed < moved then
    raise sqlstate 'PT409' using message = 'not that much is in stock and unreserved';
  end if;
  return null;
end $$;
create trigger stock_movements_apply after insert on public.stock_movements
  referencing new table as movements
  for each statement execute function private.apply_movement();

-- isavailable = listed and on_hand > 0, whatever is written.
create function private.set_availability() returns trigger
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
create trigger products_set_availability before insert or update on public."Products"
  for each row execute function private.set_availability();

create function private.create_stock_level() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.stock_levels (product_id) values (new."Id");
  return null;
end $$;
create trigger products_open_stock after insert on public."Products"
  for each row execute function private.create_stock_level();

-- When stock comes from or goes to 0, the product's availability follows.
create function private.update_availability() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public."Products" set isavailable = isavailable where "Id" = new.product_id;
  return null;
end $$;
create trigger stock_levels_update_availability after update of on_hand on public.stock_levels
  for each row when ((old.on_hand > 0) <> (new.on_hand > 0)) execute function private.update_availability();

grant execute on function private.guard_stock() to public;
