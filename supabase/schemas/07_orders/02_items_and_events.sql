-- What was ordered, every status an order had, internal notes, and undoing a move.
-- Append-only: written by placing an order and by triggers on its status; customers read their own.
set check_function_bodies = off;

-- Grams for sized products, pieces otherwise.
create function private.stock_quantity(has_size boolean, size integer, quantity integer) returns integer
language sql immutable as $$
  select case when has_size then size * quantity else quantity end;
$$;

-- The lines of an order. Immutable.
create table public.order_items (
  id bigint generated always as identity primary key,
  order_id uuid not null references public.orders (id),
  -- Null: a box that the customer filled.
  product_id bigint references public."Products" ("Id"),
  product_name text not null,
  product_image text not null default '',
  quantity integer not null check (quantity between 1 and 25),
  size integer not null check (size in (500, 1000)),
  unit_price numeric(10, 2) not null check (unit_price > 0)
    constraint order_items_unit_price_is_a_number check (unit_price <> 'NaN'),
  gst_percent numeric(4, 2) not null constraint order_items_gst_percent_is_a_number check (gst_percent <> 'NaN'),
  hsn text not null,
  has_size boolean not null,
  -- Of private.box_sizes. No foreign key: a size that is deleted while a box of it is paid must not stop the order.
  box_id bigint,
  -- What is in one box, frozen: {places, box_grams, box_paise, products: [{product_id, name, pieces, grams, piece_paise}]}.
  contents jsonb,
  -- Of the line, before tax: its part of the order's discount, in rupees.
  discount numeric(12, 2) not null default 0 constraint order_items_discount_is_part check (
    discount >= 0 and discount <= unit_price * size / 500 * quantity) constraint order_items_discount_is_a_number check (discount <> 'NaN'),
  constraint order_items_product_or_box check (
    (product_id is null) = (box_id is not null) and (box_id is null) = (contents is null) and not (box_id is not null and has_size))
);
create index order_items_order_idx on public.order_items (order_id);
create index order_items_product_idx on public.order_items (product_id, order_id);
-- Partial index: most items are no boxes.
create index order_items_box_idx on public.order_items (box_id, order_id) where box_id is not null;
alter table public.order_items enable row level security;
revoke all on public.order_items from anon, authenticated;
grant select on public.order_items to authenticated;
grant all on public.order_items to service_role;
-- A scalar subquery and not "exists", which may be planned as a scan of all orders: a customer's page must not do
-- work that grows with other customers' orders.
create policy "items are read with their order" on public.order_items
  for select to authenticated using ((select true from public.orders o where o.id = order_id));

create trigger order_items_never_change before update or delete on public.order_items
  for each row execute function private.reject_change();
create trigger order_items_never_emptied before truncate on public.order_items
  for each statement execute function private.reject_change();

-- A second copy of what was agreed when the order was placed, with what the goods cost then: for profit, and so that
-- check_invariants() can prove that no item was changed afterwards by any means.
create table private.placed_items (
  order_item_id bigint primary key,
  order_id uuid not null,
  product_id bigint,
  quantity integer not null,
  size integer not null,
  unit_price numeric(10, 2) not null constraint placed_items_unit_price_is_a_number check (unit_price <> 'NaN'),
  unit_cost numeric(10, 2) constraint placed_items_unit_cost_is_a_number check (unit_cost <> 'NaN'),
  contents jsonb,
  discount numeric(12, 2) not null default 0 constraint placed_items_discount_is_a_number check (discount <> 'NaN')
);
create index placed_items_order_idx on private.placed_items (order_id);
alter table private.placed_items enable row level security;

-- Every status change, exactly once. Customers see the role of the person and the public note; the person and
-- internal notes are private.
create table public.order_events (
  id bigint generated always as identity primary key,
  order_id uuid not null references public.orders (id),
  from_status text,
  to_status text not null,
  actor_role text not null check (actor_role in ('customer', 'administrator', 'system')),
  public_note text not null default '' check (char_length(public_note) <= 500),
  created_at timestamptz not null default now(),
  user_id uuid,
  undoes bigint references public.order_events (id)
);
create index order_events_order_idx on public.order_events (order_id, id);
-- Partial index: cancellations and refunds, for the figures of a day.
create index order_events_ended_idx on public.order_events (created_at) where to_status in ('canceled', 'Refunded');
-- Partial unique index: an event is undone at most once, and few are.
create unique index order_events_undoes_idx on public.order_events (undoes) where undoes is not null;
alter table public.order_events enable row level security;
revoke all on public.order_events from anon, authenticated;
grant select on public.order_events to authenticated;
grant all on public.order_events to service_role;
create policy "events are read with their order" on public.order_events
  for select to authenticated using ((select true from public.orders o where o.id = order_id));

create trigger order_events_never_emptied before truncate on public.order_events
  for each statement execute function private.reject_change();

-- Which person caused an event: not for customers.
create table private.order_event_actors (
  event_id bigint primary key references public.order_events (id),
  actor_id uuid not null
);
alter table private.order_event_actors enable row level security;

-- Internal notes on an order, for administrators.
create table private.order_notes (
  id bigint generated always as identity primary key,
  order_id uuid not null references public.orders (id),
  author_id uuid,
  note text not null check (char_length(note) between 1 and 2000),
  created_at timestamptz not null default now(),
  entry_id uuid unique,
  on_paper boolean not null default false
);
create index order_notes_order_idx on private.order_notes (order_id, id);
alter table private.order_notes enable row level security;

create trigger order_notes_audit after insert on private.order_notes
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');

-- The subquery is on purpose: joined, a session whose plan was made in a small shop would read all orders for each
-- new one.
create function private.copy_placed_items() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.placed_items (order_item_id, order_id, product_id, quantity, size, unit_price, unit_cost, contents, discount)
  select i.id, i.order_id, i.product_id, i.quantity, i.size, i.unit_price,
         case when i.contents is null then private.unit_cost_at(i.product_id, k.placed_at) else private.contents_cost_at(i.contents, k.placed_at) end,
         i.contents, i.discount
  from placed i cross join lateral (select (select o.created_at from public.orders o where o.id = i.order_id) as placed_at offset 0) k;
  return null;
end $$;
create trigger order_items_copy_placed after insert on public.order_items
  referencing new table as placed
  for each statement execute function private.copy_placed_items();

-- Append-only: erasing a customer may remove the note, and the customer follows the order; nothing else of an event
-- ever changes.
create function private.guard_order_event() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE'
     and (new.public_note, new.user_id) is distinct from (old.public_note, old.user_id)
     and to_jsonb(new) - 'public_note' - 'user_id' = to_jsonb(old) - 'public_note' - 'user_id'
     and (new.public_note = old.public_note or (new.public_note = '' and private.is_erasing()))
     and (new.user_id is not distinct from old.user_id
          or new.user_id is not distinct from (select o.user_id from public.orders o where o.id = new.order_id)) then
    return new;
  end if;
  raise sqlstate 'PT403' using message = 'rows of order_events are never changed or deleted';
end $$;
create trigger order_events_never_change before update or delete on public.order_events
  for each row execute function private.guard_order_event();

-- Records an event for every status change. The function that moves an order may set a note for the customer
-- (shop.public_note), the time (shop.event_at) and the event that the move undoes (shop.undoes).
create function private.record_order_event() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  actor uuid := auth.uid();
  event bigint;
begin
  insert into public.order_events (order_id, from_status, to_status, actor_role, public_note, created_at, undoes)
  values (
    new.id, old.status, new.status,
    case when actor is null then 'system'
         -- An administrator who buys is a customer in what customers can do, and an administrator in the rest.
         when private.is_admin() and not (actor is not distinct from new.user_id
              and private.is_allowed_move(old.status, new.status, new.fulfilment, by_customer => true)) then 'administrator'
         when actor = new.user_id then 'customer' else 'system' end,
    coalesce(current_setting('shop.public_note', true), ''),
    coalesce(nullif(current_setting('shop.event_at', true), '')::timestamptz, now()),
    nullif(current_setting('shop.undoes', true), '')::bigint
  )
  returning id into event;
  if actor is not null then
    insert into private.order_event_actors (event_id, actor_id) values (event, actor);
  end if;
  return null;
end $$;
create trigger orders_record_move after update of status on public.orders
  for each row when (old.status is distinct from new.status) execute function private.record_order_event();

-- Records an event for each order that is placed, for a whole batch in one statement.
create function private.record_placed_orders() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  actor uuid := auth.uid();
  is_admin boolean := actor is not null and private.is_admin();
begin
  insert into public.order_events (order_id, to_status, actor_role, public_note, created_at)
  select o.id, o.status,
         -- An administrator who buys is a customer in it.
         case when actor = o.user_id then 'customer' when is_admin then 'administrator' else 'system' end,
         coalesce(current_setting('shop.public_note', true), ''),
         coalesce(nullif(current_setting('shop.event_at', true), '')::timestamptz, now())
  from placed o;
  if actor is not null then
    insert into private.order_event_actors (event_id, actor_id)
    select e.id, actor from placed o join public.order_events e on e.order_id = o.id;
  end if;
  return null;
end $$;
create trigger orders_record_placing after insert on public.orders
  referencing new table as placed for each statement execute function private.record_placed_orders();

-- The customer of an event is always the order's, whatever was inserted.
create function private.set_event_customer() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.user_id := (select o.user_id from public.orders o where o.id = new.order_id);
  return new;
end $$;
create trigger order_events_set_customer before insert on public.order_events
  for each row execute function private.set_event_customer();

create function private.move_events_to_customer() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.order_events e set user_id = new.user_id where e.order_id = new.id;
  return null;
end $$;
create trigger orders_move_events after update of user_id on public.orders
  for each row when (old.user_id is distinct from new.user_id) execute function private.move_events_to_customer();

-- What a unit cost at a moment; null when that was not known.
create function private.unit_cost_at(product_id bigint, at timestamptz) returns numeric
language sql stable set search_path = '' as $$
  select c.unit_cost from private.product_costs c
  where c.product_id = unit_cost_at.product_id and c.valid_from <= unit_cost_at.at
  order by c.valid_from desc limit 1;
$$;

-- What the sweets in a box cost at a moment; null when that of one of them was not known.
create function private.contents_cost_at(contents jsonb, at timestamptz) returns numeric
language sql stable set search_path = '' as $$
  select case when bool_and(c.cost is not null) then sum(c.cost) end
  from (select private.unit_cost_at(p.product_id, contents_cost_at.at) * p.grams / 500 as cost
        from jsonb_to_recordset(contents -> 'products') as p (product_id bigint, grams integer)) c;
$$;

-- What an item took from stock: grams of sized products and of the sweets in boxes, pieces otherwise.
create function private.goods_of_item(item public.order_items) returns table (product_id bigint, units integer)
language sql stable set search_path = '' as $$
  select g.product_id, g.units
  from private.goods_of_line(item.product_id, private.stock_quantity(item.has_size, item.size, item.quantity), item.quantity, item.contents) g;
$$;

create function private.undo_time() returns interval
language sql immutable as $$
  select interval '1 minute';
$$;

create function private.can_be_undone(event public.order_events) returns boolean
language sql stable set search_path = '' as $$
  select event.undoes is null and event.actor_role = 'administrator' and exists (
    select from private.order_status_edges e
    where e.from_status = event.from_status and e.to_status = event.to_status and e.can_be_undone);
$$;

-- Why the last event of an order cannot be undone; null: it can.
create function private.undo_rejection(taken public.orders, event public.order_events) returns text
language sql stable set search_path = '' as $$
  select case
    when event.to_status = 'canceled' then format('Order %s was cancelled: its stock and money are already on their way back.', taken.number)
    when event.to_status = 'Refunded' then format('Order %s was refunded. A refund cannot be undone.', taken.number)
    when event.undoes is null and event.from_status = 'Preparing' and event.to_status = 'Packed'
      then format('Order %s was packed and its invoice is issued. Cancel the order instead.', taken.number)
    when not private.can_be_undone(event) then format('Order %s has no move to undo.', taken.number)
    when event.created_at + private.undo_time() <= now() then format('Order %s was moved more than a minute ago.', taken.number)
    when exists (select from private.refunds r where r.order_id = taken.id and r.created_at >= event.created_at)
      then format('A refund of order %s has started since.', taken.number)
    when exists (select from private.mails_of_event(event) m where m.attempts > 0 or m.done_at is not null)
      then format('The customer has already been mailed that order %s is %s.', taken.number, event.to_status)
  end;
$$;

-- Whether a change of status is the undo that admin_undo_moves() is carrying out: reversing the order's last event.
create function private.is_undo(order_id uuid, from_status text, to_status text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.order_events e
    where e.id = nullif(current_setting('shop.undoes', true), '')::bigint and e.order_id = is_undo.order_id
      and e.from_status = is_undo.to_status and e.to_status = is_undo.from_status
      and not exists (select from public.order_events later where later.order_id = e.order_id and later.id > e.id));
$$;

-- Undoes an event: its email is never sent, and an order that had been shipped gets back the tracking it had
-- before.
create function private.undo_move(taken public.orders, event public.order_events) returns void
language plpgsql set search_path = '' as $$
begin
  delete from private.outbox o where o.id in (select m.id from private.mails_of_event(event) m);
  perform set_config('shop.undoes', event.id::text, true);
  update public.orders o
  set status = event.from_status,
      courier = case when b.courier is null then o.courier else b.courier #>> '{}' end,
      tracking_number = case when b.tracking_number is null then o.tracking_number else b.tracking_number #>> '{}' end,
      tracking_url = case when b.tracking_url is null then o.tracking_url else b.tracking_url #>> '{}' end
  from (
    -- What was there before the first change since; SQL null where nothing changed.
    select (array_agg(l.before -> 'courier' order by l.id) filter (where l.before ? 'courier'))[1] as courier,
           (array_agg(l.before -> 'tracking_number' order by l.id) filter (where l.before ? 'tracking_number'))[1] as tracking_number,
           (array_agg(l.before -> 'tracking_url' order by l.id) filter (where l.before ? 'tracking_url'))[1] as tracking_url
    from public.audit_log l
    where event.to_status = 'Shipped' and l.table_name = 'orders' and l.row_id = taken.id::text and l.action = 'update'
      and l.at >= event.created_at
  ) b
  where o.id = taken.id;
  perform set_config('shop.undoes', '', true);
end $$;

-- Paid, and the money is still with the shop, all or in part. Without a search path, so that queries inline it.
create function private.is_payment_retained(status text, payment_status text) returns boolean
language sql immutable parallel safe as $$
  select status not in ('canceled', 'Refunded') and payment_status in ('paid', 'partially_refunded');
$$;

grant execute on function private.stock_quantity(boolean, integer, integer) to public;
grant execute on function private.is_undo(uuid, text, text) to authenticated, service_role;
