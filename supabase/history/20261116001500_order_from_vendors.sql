-- Purchase orders: written only by the console's requests below, along a table of legal moves. Vendors stay a plain list
-- that administrators write, with two rules that a check cannot say.

-- The last character of a GSTIN follows from the others: weights 1 and 2 in turn, in base 36 (domain/vendors/gstin.ts).
create function private.is_gstin(gstin text) returns boolean
language sql immutable set search_path = '' as $$
  select is_gstin.gstin ~ '^[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][0-9A-Z]Z[0-9A-Z]$'
     and substr(is_gstin.gstin, 15, 1) = substr(a.letters, (36 - sum(p.product / 36 + p.product % 36)::integer % 36) % 36 + 1, 1)
  from (values ('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ')) a (letters),
       generate_series(1, 14) place,
       lateral (select (strpos(a.letters, substr(is_gstin.gstin, place, 1)) - 1) * (2 - place % 2) as product) p
  group by a.letters;
$$;

create function private.guard_vendor() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  on_the_way integer;
begin
  if new.gstin <> '' and (tg_op = 'INSERT' or new.gstin <> old.gstin) and not private.is_gstin(new.gstin) then
    perform private.refuse('This GSTIN does not add up: one of its characters is wrong.', 'gstin');
  end if;
  if new.archived_at is null and (tg_op = 'INSERT' or old.archived_at is not null or lower(btrim(new.name)) <> lower(btrim(old.name)))
     and exists (select from public.vendors v
                 where v.id <> new.id and v.archived_at is null and lower(btrim(v.name)) = lower(btrim(new.name))) then
    perform private.refuse('There is a vendor of this name already.', 'name');
  end if;
  if tg_op = 'UPDATE' and new.archived_at is not null and old.archived_at is null then
    select count(*) into on_the_way from public.purchase_orders o where o.vendor_id = new.id and o.status in ('Ordered', 'Received');
    if on_the_way > 0 then
      perform private.refuse(format(case on_the_way when 1 then 'An order of theirs is still open. Close it first.'
                                                    else '%s orders of theirs are still open. Close them first.' end, on_the_way));
    end if;
  end if;
  return new;
end $$;
create trigger vendors_guard before insert or update on public.vendors
  for each row execute function private.guard_vendor();

-- The legal moves. domain/purchases/status.ts holds the same table, and a test compares the two.
create table private.purchase_status_edges (
  from_status text not null,
  to_status text not null,
  through text not null check (through in ('person', 'receiving', 'undoing')),
  primary key (from_status, to_status)
);
alter table private.purchase_status_edges enable row level security;
insert into private.purchase_status_edges (from_status, to_status, through) values
  ('Draft', 'Ordered', 'person'),
  ('Ordered', 'Received', 'receiving'),
  ('Received', 'Ordered', 'undoing'),
  ('Ordered', 'Closed', 'person'),
  ('Received', 'Closed', 'person');

create function private.guard_purchase() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from private.purchase_status_edges e where e.from_status = old.status and e.to_status = new.status) then
    raise sqlstate 'PT409' using message = format('A purchase order that is %s cannot become %s.', old.status, new.status);
  end if;
  return new;
end $$;
create trigger purchase_orders_guard before update of status on public.purchase_orders
  for each row when (old.status is distinct from new.status) execute function private.guard_purchase();

do $$
declare
  tab text;
begin
  foreach tab in array array['purchase_orders', 'purchase_order_items'] loop
    execute format('drop policy "administrators only" on public.%I', tab);
    execute format('revoke insert, update, delete on public.%I from authenticated', tab);
    execute format('create policy "administrators read" on public.%I
      for select to authenticated using ((select private.is_admin()))', tab);
  end loop;
end $$;

-- A number as somebody typed it, with so many decimals at most; null where it is none.
create function private.typed_number(typed text, places integer) returns numeric
language plpgsql immutable set search_path = '' as $$
begin
  -- One after the other: in one expression a planner may try the number before the pattern.
  if typed is null or btrim(typed) !~ format('^[0-9]{1,9}(\.[0-9]{1,%s})?$', greatest(places, 1)) then
    return null;
  end if;
  return case when scale(btrim(typed)::numeric) <= places then btrim(typed)::numeric end;
end $$;

-- 12.5 kg, 1 piece, 3 pieces.
create function private.say_quantity(quantity numeric, unit text) returns text
language sql immutable set search_path = '' as $$
  select trim_scale(quantity) || ' ' || case when unit = 'piece' and quantity <> 1 then 'pieces' else unit end;
$$;

-- One page of rows that were read with one more than a page has: {rows, next}, next being the last row's keys.
create function private.page_of(entries jsonb, page_size integer, keys text[]) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object('rows', entries - page_size, 'next', case when jsonb_array_length(entries) > page_size then (
    select jsonb_object_agg(k, entries -> (page_size - 1) -> k) from unnest(keys) k) end);
$$;

-- The lines of a draft, as typed, checked one by one: a refusal names the line and the field (lines.2.quantity).
create function private.purchase_lines(lines jsonb) returns table (
  id bigint, product_id bigint, item_name text, unit text, quantity numeric, unit_cost numeric, gst_percent numeric)
language plpgsql stable set search_path = '' as $$
declare
  line jsonb;
  place text;
  product public."Products";
  cost numeric;
begin
  if jsonb_typeof(lines) is distinct from 'array' or jsonb_array_length(lines) > 100 then
    perform private.refuse('A purchase order has at most 100 lines.', 'lines');
  elsif jsonb_array_length(lines) = 0 then
    perform private.refuse('Say what to buy: an order has at least one line.', 'lines');
  end if;
  for line, place in select l.value, 'lines.' || (l.ordinality - 1) || '.' from jsonb_array_elements(lines) with ordinality l loop
    id := private.typed_number(line ->> 'id', 0);
    product_id := private.typed_number(line ->> 'product_id', 0);
    item_name := btrim(coalesce(line ->> 'item_name', ''));
    unit := coalesce(line ->> 'unit', '');
    quantity := private.typed_number(line ->> 'quantity', 3);
    cost := private.typed_number(line ->> 'unit_cost_paise', 0);
    gst_percent := private.typed_number(line ->> 'gst_percent', 2);
    if product_id is not null then
      select * into product from public."Products" p where p."Id" = purchase_lines.product_id;
      if product."Id" is null then
        perform private.refuse('This product is not there any more.', place || 'item_name');
      end if;
      item_name := product."Name";
      if unit <> all (case when product."hasSize" then array['kg', 'g'] else array['piece'] end) then
        perform private.refuse(format(case when product."hasSize" then '%s is sold by weight: buy it in kg or g.'
                                           else '%s is sold by the piece: buy it in pieces.' end, product."Name"), place || 'unit');
      end if;
    elsif unit not in ('kg', 'g', 'l', 'piece') then
      perform private.refuse('Choose kg, g, litres or pieces.', place || 'unit');
    end if;
    if char_length(item_name) not between 1 and 120 then
      perform private.refuse('Say what is bought, in at most 120 characters.', place || 'item_name');
    elsif quantity is null or quantity <= 0 or quantity > 100000 then
      perform private.refuse('A quantity is more than 0 and at most 1,00,000, with three decimals at most.', place || 'quantity');
    elsif product_id is not null and unit <> 'kg' and quantity <> trunc(quantity) then
      perform private.refuse('This comes to the shelf whole: no decimals.', place || 'quantity');
    elsif cost is null or cost > 99999999 then
      perform private.refuse('Say what a unit costs, in rupees, below ₹10,00,000; 0 where it is free.', place || 'unit_cost');
    elsif gst_percent is null or gst_percent > 40 then
      perform private.refuse('GST is between 0 and 40 %.', place || 'gst_percent');
    end if;
    unit_cost := cost / 100;
    return next;
  end loop;
end $$;

-- Locks a purchase order for a change by somebody who saw it as it is.
create function private.take_purchase(purchase_id bigint, seen timestamptz) returns public.purchase_orders
language plpgsql set search_path = '' as $$
declare
  purchase public.purchase_orders;
begin
  select * into purchase from public.purchase_orders o where o.id = purchase_id for update;
  if purchase.id is null then
    raise sqlstate 'PT404' using message = 'This purchase order is not there any more.';
  end if;
  perform private.expect_unchanged(seen, purchase.updated_at);
  return purchase;
end $$;

alter table public.purchase_orders add column entry_id uuid unique;
comment on column public.purchase_orders.entry_id is 'Made where it was typed: however often it is sent, it is one order.';

-- Writes a draft, a new one where purchase_id is null. Lines it no longer has go; the others keep their ids. entry_id is
-- made where a new one is typed: sent again because no answer came, it is still one draft.
create function public.admin_save_purchase(
  purchase_id bigint, seen timestamptz, vendor_id bigint, expected_on date, notes text, lines jsonb,
  at timestamptz default now(), entry_id uuid default null)
returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  purchase public.purchase_orders;
  vendor public.vendors;
begin
  perform private.require_admin();
  if purchase_id is not null then
    purchase := private.take_purchase(purchase_id, seen);
  else
    select * into purchase from public.purchase_orders o where o.entry_id = admin_save_purchase.entry_id for update;
  end if;
  if purchase.status <> 'Draft' then
    raise sqlstate 'PT409' using message = 'What is ordered can no longer be changed.';
  end if;
  select * into vendor from public.vendors v where v.id = admin_save_purchase.vendor_id for share;
  if vendor.id is null then
    perform private.refuse('Choose a vendor.', 'vendor_id');
  elsif vendor.archived_at is not null then
    perform private.refuse(format('%s is archived. Bring them back first.', vendor.name), 'vendor_id');
  elsif char_length(coalesce(notes, '')) > 2000 then
    perform private.refuse('Notes have at most 2,000 characters.', 'notes');
  end if;

  if purchase.id is null then
    insert into public.purchase_orders (vendor_id, expected_on, notes, created_at, updated_at, entry_id)
    values (vendor.id, admin_save_purchase.expected_on, btrim(coalesce(admin_save_purchase.notes, '')), at, at,
            admin_save_purchase.entry_id)
    returning * into purchase;
  else
    update public.purchase_orders o
    set vendor_id = vendor.id, expected_on = admin_save_purchase.expected_on, notes = btrim(coalesce(admin_save_purchase.notes, ''))
    where o.id = purchase.id returning * into purchase;
  end if;
  with typed as (
    select * from private.purchase_lines(lines) with ordinality
  ), gone as (
    delete from public.purchase_order_items i
    where i.purchase_order_id = purchase.id and not exists (select from typed t where t.id = i.id)
  ), changed as (
    update public.purchase_order_items i
    set product_id = t.product_id, item_name = t.item_name, unit = t.unit, quantity = t.quantity, unit_cost = t.unit_cost,
        gst_percent = t.gst_percent
    from typed t where t.id = i.id and i.purchase_order_id = purchase.id
  )
  insert into public.purchase_order_items (purchase_order_id, product_id, item_name, unit, quantity, unit_cost, gst_percent)
  select purchase.id, t.product_id, t.item_name, t.unit, t.quantity, t.unit_cost, t.gst_percent
  from typed t
  where not exists (select from public.purchase_order_items i where i.id = t.id and i.purchase_order_id = purchase.id)
  order by t.ordinality;
  return jsonb_build_object('id', purchase.id, 'updated_at', purchase.updated_at);
end $$;

-- What may still change after ordering: when it is expected, and what we want to remember.
create function public.admin_note_purchase(purchase_id bigint, seen timestamptz, expected_on date, notes text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  purchase public.purchase_orders;
begin
  perform private.require_admin();
  purchase := private.take_purchase(purchase_id, seen);
  if char_length(coalesce(notes, '')) > 2000 then
    perform private.refuse('Notes have at most 2,000 characters.', 'notes');
  end if;
  update public.purchase_orders o
  set expected_on = admin_note_purchase.expected_on, notes = btrim(coalesce(admin_note_purchase.notes, ''))
  where o.id = purchase.id returning * into purchase;
  return jsonb_build_object('id', purchase.id, 'updated_at', purchase.updated_at);
end $$;

-- Draft to Ordered, and anything ordered to Closed: then nothing more comes on it, whatever is missing.
create function public.admin_move_purchase(purchase_id bigint, seen timestamptz, to_status text, at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  purchase public.purchase_orders;
begin
  perform private.require_admin();
  purchase := private.take_purchase(purchase_id, seen);
  if not exists (select from private.purchase_status_edges e
                 where e.from_status = purchase.status and e.to_status = admin_move_purchase.to_status and e.through = 'person') then
    raise sqlstate 'PT409' using message = format('A purchase order that is %s cannot become %s.', purchase.status, to_status);
  end if;
  if to_status = 'Ordered' then
    if not exists (select from public.purchase_order_items i where i.purchase_order_id = purchase.id) then
      perform private.refuse('There is nothing on this order yet.', 'lines');
    elsif exists (select from public.vendors v where v.id = purchase.vendor_id and v.archived_at is not null) then
      perform private.refuse('This vendor is archived. Bring them back first.', 'vendor_id');
    end if;
  end if;
  update public.purchase_orders o
  set status = to_status, ordered_at = case when to_status = 'Ordered' then at else o.ordered_at end
  where o.id = purchase.id returning * into purchase;
  return jsonb_build_object('id', purchase.id, 'status', purchase.status, 'updated_at', purchase.updated_at);
end $$;

-- A draft nobody sent is thrown away; what was ordered stays in the books.
create function public.admin_delete_purchase(purchase_id bigint, seen timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
declare
  purchase public.purchase_orders;
begin
  perform private.require_admin();
  purchase := private.take_purchase(purchase_id, seen);
  if purchase.status <> 'Draft' then
    raise sqlstate 'PT409' using message = 'What was ordered stays in the books. Close it instead.';
  end if;
  delete from public.purchase_orders o where o.id = purchase.id;
end $$;

revoke execute on function private.is_gstin(text), private.guard_vendor(), private.guard_purchase(), private.typed_number(text, integer),
  private.say_quantity(numeric, text), private.purchase_lines(jsonb), private.take_purchase(bigint, timestamptz),
  private.page_of(jsonb, integer, text[]) from public;
select private.open_console_requests();
