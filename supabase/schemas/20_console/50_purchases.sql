-- Console: purchase orders: drafts, ordering, receiving, reversing.
-- Administrators only. Writes orders, receipts, bills, stock movements and costs.
set check_function_bodies = off;

-- Saves a draft, a new one where purchase_id is null. Removed lines are deleted; the others keep their ids. The
-- browser makes entry_id, so that a retry is still one draft.
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
    purchase := private.lock_purchase(purchase_id, seen);
  else
    select * into purchase from public.purchase_orders o where o.entry_id = admin_save_purchase.entry_id for update;
  end if;
  if purchase.status <> 'Draft' then
    raise sqlstate 'PT409' using message = 'This order was already sent, so it can’t be changed.';
  end if;
  select * into vendor from public.vendors v where v.id = admin_save_purchase.vendor_id for share;
  if vendor.id is null then
    perform private.reject('Choose a vendor.', 'vendor_id');
  elsif vendor.archived_at is not null then
    perform private.reject(format('%s is archived. Bring them back first.', vendor.name), 'vendor_id');
  elsif char_length(coalesce(notes, '')) > 2000 then
    perform private.reject('Notes have at most 2,000 characters.', 'notes');
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

-- What may still change after ordering: the expected date and the note.
create function public.admin_save_purchase_note(purchase_id bigint, seen timestamptz, expected_on date, notes text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  purchase public.purchase_orders;
begin
  perform private.require_admin();
  purchase := private.lock_purchase(purchase_id, seen);
  if char_length(coalesce(notes, '')) > 2000 then
    perform private.reject('Notes have at most 2,000 characters.', 'notes');
  end if;
  update public.purchase_orders o
  set expected_on = admin_save_purchase_note.expected_on, notes = btrim(coalesce(admin_save_purchase_note.notes, ''))
  where o.id = purchase.id returning * into purchase;
  return jsonb_build_object('id', purchase.id, 'updated_at', purchase.updated_at);
end $$;

-- Draft to Ordered, and anything ordered to Closed: then nothing more is received on it.
create function public.admin_move_purchase(purchase_id bigint, seen timestamptz, to_status text, at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  purchase public.purchase_orders;
begin
  perform private.require_admin();
  purchase := private.lock_purchase(purchase_id, seen);
  if not exists (select from private.purchase_status_edges e
                 where e.from_status = purchase.status and e.to_status = admin_move_purchase.to_status and e.through = 'person') then
    raise sqlstate 'PT409' using message = format('A purchase order that is %s cannot become %s.', purchase.status, to_status);
  end if;
  if to_status = 'Ordered' then
    if not exists (select from public.purchase_order_items i where i.purchase_order_id = purchase.id) then
      perform private.reject('This order has no items yet.', 'lines');
    elsif exists (select from public.vendors v where v.id = purchase.vendor_id and v.archived_at is not null) then
      perform private.reject('This vendor is archived. Bring them back first.', 'vendor_id');
    end if;
  end if;
  update public.purchase_orders o
  set status = to_status, ordered_at = case when to_status = 'Ordered' then at else o.ordered_at end
  where o.id = purchase.id returning * into purchase;
  return jsonb_build_object('id', purchase.id, 'status', purchase.status, 'updated_at', purchase.updated_at);
end $$;

-- Deletes a draft; what was ordered stays.
create function public.admin_delete_purchase(purchase_id bigint, seen timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
declare
  purchase public.purchase_orders;
begin
  perform private.require_admin();
  purchase := private.lock_purchase(purchase_id, seen);
  if purchase.status <> 'Draft' then
    raise sqlstate 'PT409' using message = 'An order that was sent can’t be deleted. Close it instead.';
  end if;
  delete from public.purchase_orders o where o.id = purchase.id;
end $$;

-- Receives goods: to stock, to the order, to what we owe. Repeated, it changes nothing. More than was ordered is
-- rejected unless allow_more. lines: [{item_id, quantity, sets_cost}].
create function public.admin_receive_purchase(
  receipt_id uuid, purchase_id bigint, seen timestamptz, lines jsonb, billed_on date default null, bill_number text default '',
  adjustment_paise bigint default 0, allow_more boolean default false, at timestamptz default now())
returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  purchase public.purchase_orders;
  billed date := coalesce(billed_on, private.day_of(at));
  line record;
  movement bigint;
  goods numeric := 0;
  gst numeric := 0;
  owed numeric;
begin
  perform private.require_admin();
  select * into purchase from public.purchase_orders o where o.id = purchase_id for update;
  if exists (select from public.purchase_receipts r where r.id = admin_receive_purchase.receipt_id and r.purchase_order_id = purchase.id) then
    return jsonb_build_object('id', purchase.id, 'status', purchase.status, 'updated_at', purchase.updated_at);
  end if;
  purchase := private.lock_purchase(purchase_id, seen);
  if purchase.status not in ('Ordered', 'Received') then
    raise sqlstate 'PT409' using message = 'Goods can be received only on an order that was sent and is not closed.';
  elsif admin_receive_purchase.receipt_id is null or billed > private.day_of(at) or billed < private.day_of(at) - 366 then
    perform private.reject('The bill’s date is today or in the past year.', 'billed_on');
  elsif char_length(coalesce(bill_number, '')) > 60 then
    perform private.reject('A bill’s number has at most 60 characters.', 'bill_number');
  end if;

  perform private.lock_stock(array(
    select i.product_id from public.purchase_order_items i where i.purchase_order_id = purchase.id and i.product_id is not null));
  insert into public.purchase_receipts (id, purchase_order_id, received_at) values (receipt_id, purchase.id, at);
  for line in select * from private.received_lines(purchase.id, lines, coalesce(allow_more, false)) loop
    movement := null;
    if line.stock_units is not null then
      insert into public.stock_movements (product_id, quantity, reason, note, created_at)
      values (line.product_id, line.stock_units, 'purchase', format('purchase order %s', purchase.id), at)
      returning id into movement;
    end if;
    if line.sets_cost then
      insert into private.product_costs (product_id, valid_from, unit_cost)
      select line.product_id, at, line.product_cost
      where private.unit_cost_at(line.product_id, at) is distinct from line.product_cost
      on conflict on constraint product_costs_pkey do update set unit_cost = excluded.unit_cost;
    end if;
    insert into public.purchase_receipt_items (receipt_id, item_id, quantity, movement_id, sets_cost)
    values (receipt_id, line.item_id, line.quantity, movement, line.sets_cost);
    update public.purchase_order_items i set received_quantity = i.received_quantity + line.quantity where i.id = line.item_id;
    goods := goods + round(line.quantity * line.unit_cost, 2);
    gst := gst + round(line.quantity * line.unit_cost * line.gst_percent / 100, 2);
  end loop;
  if not found then
    perform private.reject('Enter the quantity received.', 'lines');
  end if;

  owed := goods + gst + coalesce(adjustment_paise, 0) / 100.0;
  if owed < 0 or owed > 999999999999 then
    perform private.reject('This is more than the goods cost.', 'adjustment');
  elsif owed > 0 then
    insert into public.vendor_bills (vendor_id, receipt_id, bill_number, billed_on, due_on, goods, gst, adjustment, amount, created_at)
    select v.id, receipt_id, btrim(coalesce(admin_receive_purchase.bill_number, '')), billed, billed + v.payment_terms_days, goods, gst,
           coalesce(adjustment_paise, 0) / 100.0, owed, at
    from public.vendors v where v.id = purchase.vendor_id;
  end if;
  update public.purchase_orders o set status = 'Received', received_at = at where o.id = purchase.id returning * into purchase;
  return jsonb_build_object('id', purchase.id, 'status', purchase.status, 'updated_at', purchase.updated_at);
end $$;

-- Reverses a receipt: goods leave the stock, the bill is void, and a cost it set is removed unless another receipt
-- has it too. What was sold at that cost keeps it.
create function public.admin_undo_receipt(receipt_id uuid, seen timestamptz, at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  receipt public.purchase_receipts;
  purchase public.purchase_orders;
  short record;
begin
  perform private.require_admin();
  select * into receipt from public.purchase_receipts r where r.id = admin_undo_receipt.receipt_id;
  if receipt.id is null then
    raise sqlstate 'PT404' using message = 'Receipt not found.';
  end if;
  purchase := private.lock_purchase(receipt.purchase_order_id, seen);
  if receipt.undone_at is not null or purchase.status <> 'Received' then
    raise sqlstate 'PT409' using message = 'This receipt was already reversed, or its order is closed.';
  end if;

  perform private.lock_stock(array(
    select i.product_id from public.purchase_order_items i where i.purchase_order_id = purchase.id and i.product_id is not null));
  select m.product_id, p."Name" as name, p."hasSize" as has_size, s.on_hand - s.reserved as saleable, sum(m.quantity) as came into short
  from public.purchase_receipt_items r
  join public.stock_movements m on m.id = r.movement_id
  join public.stock_levels s on s.product_id = m.product_id
  join public."Products" p on p."Id" = m.product_id
  where r.receipt_id = receipt.id
  group by m.product_id, p."Name", p."hasSize", s.on_hand, s.reserved
  having sum(m.quantity) > s.on_hand - s.reserved limit 1;
  if found then
    perform private.reject(format('%s of %s came, and only %s of it is left unsold.', private.format_stock(short.came, short.has_size), short.name,
                                  private.format_stock(short.saleable, short.has_size)));
  end if;
  insert into public.stock_movements (product_id, quantity, reason, note, created_at, undoes)
  select m.product_id, -m.quantity, m.reason, format('receipt undone: purchase order %s', purchase.id), at, m.id
  from public.purchase_receipt_items r join public.stock_movements m on m.id = r.movement_id
  where r.receipt_id = receipt.id;
  update public.purchase_order_items i set received_quantity = i.received_quantity - r.quantity
  from public.purchase_receipt_items r where r.receipt_id = receipt.id and r.item_id = i.id;
  update public.vendor_bills b set canceled_at = at where b.receipt_id = receipt.id;
  update public.purchase_receipts r set undone_at = at where r.id = receipt.id;
  perform private.delete_receipt_costs(receipt);
  update public.purchase_orders o
  set (status, received_at) = (
    select case when max(r.received_at) is null then 'Ordered' else 'Received' end, max(r.received_at)
    from public.purchase_receipts r where r.purchase_order_id = o.id and r.undone_at is null)
  where o.id = purchase.id returning * into purchase;
  return jsonb_build_object('id', purchase.id, 'status', purchase.status, 'updated_at', purchase.updated_at);
end $$;

-- 12.5 kg, 1 piece, 3 pieces; from grams or pieces.
create function private.format_stock(units bigint, has_size boolean) returns text
language sql immutable set search_path = '' as $$
  select case when has_size then private.format_quantity(units / 1000.0, 'kg') else private.format_quantity(units, 'piece') end;
$$;
