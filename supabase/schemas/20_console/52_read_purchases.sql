-- Console: purchase orders and the prices of what was bought.
-- Administrators only. Reads.
set check_function_bodies = off;

-- Newest first. filter: {status ('open': ordered and not closed), vendor_id, search (number, vendor or thing)}.
create function public.admin_list_purchases(filter jsonb default '{}', after jsonb default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 50;
  most constant integer := 10000;
  states text[] := case filter ->> 'status' when 'open' then array['Ordered', 'Received'] else array[filter ->> 'status'] end;
  wanted text := lower(btrim(coalesce(filter ->> 'search', '')));
  matching text := 'select o.* from public.purchase_orders o where true';
  entries jsonb;
  total bigint;
begin
  perform private.require_admin();
  perform private.expect_cursor(after, '{"created_at": "timestamptz", "id": "bigint"}');
  if states[1] is not null then
    matching := matching || ' and o.status = any ($1)';
  end if;
  if filter ->> 'vendor_id' is not null then
    matching := matching || ' and o.vendor_id = $2';
  end if;
  if wanted <> '' then
    matching := matching || ' and (o.id::text = $3
      or exists (select from public.vendors v where v.id = o.vendor_id and position($3 in lower(v.name)) > 0)
      or exists (select from public.purchase_order_items i where i.purchase_order_id = o.id and position($3 in lower(i.item_name)) > 0))';
  end if;
  execute format('select count(*) from (%s limit %s) m', matching, most + 1) into total
  using states, private.parse_number(filter ->> 'vendor_id', 0)::bigint, wanted;
  execute format($query$
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', m.id, 'vendor_id', m.vendor_id, 'vendor', v.name, 'status', m.status, 'created_at', m.created_at, 'ordered_at', m.ordered_at,
      'expected_on', m.expected_on, 'total_paise', l.total, 'lines', l.lines, 'things', l.things, 'is_short', l.is_short, 'has_come', l.has_come)
      order by m.created_at desc, m.id desc), '[]')
    from (
      %s and ($4::jsonb is null or (o.created_at, o.id) < (($4 ->> 'created_at')::timestamptz, ($4 ->> 'id')::bigint))
      order by o.created_at desc, o.id desc limit %s
    ) m
    join public.vendors v on v.id = m.vendor_id,
    lateral (
      select count(*) as lines, string_agg(i.item_name, ', ' order by i.id) as things,
             coalesce(bool_or(i.received_quantity < i.quantity), false) as is_short, coalesce(bool_or(i.received_quantity > 0), false) as has_come,
             coalesce(sum((round(i.quantity * i.unit_cost, 2) + round(i.quantity * i.unit_cost * i.gst_percent / 100, 2)) * 100), 0)::bigint as total
      from public.purchase_order_items i where i.purchase_order_id = m.id
    ) l
  $query$, matching, page_size + 1) into entries
  using states, private.parse_number(filter ->> 'vendor_id', 0)::bigint, wanted, after;
  return private.page_of(entries, page_size, array['created_at', 'id'])
      || jsonb_build_object('count', least(total, most), 'count_is_capped', total > most);
end $$;

-- What was last paid for an item before this order, by its name, in any case.
create function private.last_price(item_name text, before_purchase bigint) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('unit_cost_paise', (i.unit_cost * 100)::bigint, 'unit', i.unit, 'gst_percent', i.gst_percent, 'vendor', v.name,
                            'ordered_at', o.ordered_at)
  from public.purchase_order_items i
  join public.purchase_orders o on o.id = i.purchase_order_id
  join public.vendors v on v.id = o.vendor_id
  where lower(i.item_name) = lower(last_price.item_name) and o.ordered_at is not null and o.id is distinct from before_purchase
  order by o.ordered_at desc, i.id desc limit 1;
$$;

-- One order with its lines and receipts; null when there is none.
create function public.admin_read_purchase(purchase_id bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  purchase jsonb;
begin
  perform private.require_admin();
  select to_jsonb(o) || jsonb_build_object(
    'vendor', jsonb_build_object('id', v.id, 'name', v.name, 'contact_name', v.contact_name, 'phone', v.phone, 'gstin', v.gstin,
                                 'payment_terms_days', v.payment_terms_days),
    'lines', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', i.id, 'item_name', i.item_name, 'unit', i.unit, 'quantity', i.quantity, 'received_quantity', i.received_quantity,
        'unit_cost_paise', (i.unit_cost * 100)::bigint, 'gst_percent', i.gst_percent, 'last_price', private.last_price(i.item_name, o.id),
        'product', case when p."Id" is not null then jsonb_build_object(
          'id', p."Id", 'has_size', p."hasSize", 'unit_cost_paise', (private.unit_cost_at(p."Id", now()) * 100)::bigint) end) order by i.id), '[]')
      from public.purchase_order_items i left join public."Products" p on p."Id" = i.product_id where i.purchase_order_id = o.id),
    'receipts', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', r.id, 'received_at', r.received_at, 'undone_at', r.undone_at,
        'by', (select private.person_name(a.actor_id) from public.audit_log a
               where a.table_name = 'purchase_receipts' and a.row_id = r.id::text and a.action = 'insert' limit 1),
        'bill', (select jsonb_build_object('bill_number', b.bill_number, 'billed_on', b.billed_on, 'due_on', b.due_on,
                                           'adjustment_paise', (b.adjustment * 100)::bigint, 'amount_paise', (b.amount * 100)::bigint)
                 from public.vendor_bills b where b.receipt_id = r.id),
        'lines', (select jsonb_agg(jsonb_build_object('item_id', t.item_id, 'quantity', t.quantity, 'sets_cost', t.sets_cost) order by t.item_id)
                  from public.purchase_receipt_items t where t.receipt_id = r.id)) order by r.received_at, r.id), '[]')
      from public.purchase_receipts r where r.purchase_order_id = o.id))
  into purchase
  from public.purchase_orders o join public.vendors v on v.id = o.vendor_id
  where o.id = admin_read_purchase.purchase_id;
  return purchase;
end $$;

-- Suggestions for a line: products we resell and items bought before, with the last price. At most twenty.
create function public.admin_find_items(search text, vendor_id bigint default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  wanted text := lower(btrim(coalesce(search, '')));
begin
  perform private.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'name', f.name, 'product_id', f.product_id, 'has_size', f.has_size, 'last_price', private.last_price(f.name, null))
      order by f.from_vendor desc, f.starts desc, lower(f.name)), '[]')
    from (
      select n.*, starts_with(lower(n.name), wanted) as starts from (
        select p."Name" as name, p."Id" as product_id, p."hasSize" as has_size,
               exists (select from public.purchase_order_items i join public.purchase_orders o on o.id = i.purchase_order_id
                       where lower(i.item_name) = lower(p."Name") and o.vendor_id = admin_find_items.vendor_id) as from_vendor
        from public."Products" p
        where p.archived_at is null and position(wanted in lower(p."Name")) > 0
        union all
        select (array_agg(i.item_name order by i.id desc))[1], null, null, bool_or(o.vendor_id = admin_find_items.vendor_id)
        from public.purchase_order_items i join public.purchase_orders o on o.id = i.purchase_order_id
        where i.product_id is null and o.ordered_at is not null and position(wanted in lower(i.item_name)) > 0
        group by lower(i.item_name)
      ) n
      where n.product_id is not null
         or not exists (select from public."Products" p where p.archived_at is null and lower(p."Name") = lower(n.name))
      order by coalesce(n.from_vendor, false) desc, starts desc, lower(n.name)
      limit 20
    ) f);
end $$;

-- Prices are compared by the kilogram, the litre or the piece.
create function private.compared_cost(unit text, unit_cost numeric) returns numeric
language sql immutable set search_path = '' as $$
  select case unit when 'g' then unit_cost * 1000 else unit_cost end;
$$;

-- Everything ever ordered, by name, in any case: its last price and the one before. At most 200.
create function public.admin_list_bought_items(vendor_id bigint default null, search text default '') returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object('rows', coalesce(jsonb_agg(jsonb_build_object(
      'item_name', b.item_name, 'unit', b.unit, 'times', b.times, 'last_ordered_at', b.last_ordered_at, 'last_vendor', v.name,
      'last_paise', (private.compared_cost(b.last_unit, b.last_cost) * 100)::bigint,
      'before_paise', (private.compared_cost(b.before_unit, b.before_cost) * 100)::bigint) order by b.name, b.unit), '[]'))
    from (
      select l.name, l.unit, max(l.times) as times, max(l.item_name) filter (where l.place = 1) as item_name, max(l.ordered_at) as last_ordered_at,
             max(l.vendor_id) filter (where l.place = 1) as vendor_id,
             max(l.bought_in) filter (where l.place = 1) as last_unit, max(l.unit_cost) filter (where l.place = 1) as last_cost,
             max(l.bought_in) filter (where l.place = 2) as before_unit, max(l.unit_cost) filter (where l.place = 2) as before_cost
      from (
        select n.*, row_number() over (partition by n.name, n.unit order by n.ordered_at desc, n.id desc) as place,
               count(*) over (partition by n.name, n.unit) as times
        from (
          select i.id, lower(i.item_name) as name, i.item_name, case i.unit when 'g' then 'kg' else i.unit end as unit, i.unit as bought_in, i.unit_cost,
                 o.ordered_at, o.vendor_id
          from public.purchase_order_items i join public.purchase_orders o on o.id = i.purchase_order_id
          where o.ordered_at is not null and (admin_list_bought_items.vendor_id is null or o.vendor_id = admin_list_bought_items.vendor_id)
            and position(lower(btrim(coalesce(search, ''))) in lower(i.item_name)) > 0
        ) n
      ) l
      where l.place <= 2
      group by l.name, l.unit
      order by l.name, l.unit
      limit 200
    ) b join public.vendors v on v.id = b.vendor_id);
end $$;

-- The prices of an item, newest first, from any vendor. At most the last 200.
create function public.admin_read_item_prices(item_name text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object('rows', coalesce(jsonb_agg(to_jsonb(h) order by h.ordered_at desc, h.id desc), '[]'))
    from (
      select i.id, o.id as purchase_id, o.ordered_at, v.id as vendor_id, v.name as vendor, i.quantity, i.unit, (i.unit_cost * 100)::bigint as unit_cost_paise,
             case i.unit when 'g' then 'kg' else i.unit end as compared_unit, (private.compared_cost(i.unit, i.unit_cost) * 100)::bigint as compared_paise
      from public.purchase_order_items i
      join public.purchase_orders o on o.id = i.purchase_order_id and o.ordered_at is not null
      join public.vendors v on v.id = o.vendor_id
      where lower(i.item_name) = lower(btrim(admin_read_item_prices.item_name))
      order by o.ordered_at desc, i.id desc limit 200
    ) h);
end $$;
