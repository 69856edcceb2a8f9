-- Console: stock, movements and low marks.
-- Administrators only. Writes movements and low marks.
set check_function_bodies = off;

-- The first few products of a page, by their ids, with the keys that they are sorted by.
create function private.stock_entries(ids bigint[], ranks numeric[], names text[], most integer, at timestamptz) returns json
language plpgsql set search_path = '' as $$
declare
  entries json;
  without_pace bigint[];
begin
  -- Each is looked up by its key. Once a day the pace of some is not calculated yet, and they are read again with it.
  for attempt in 1 .. 2 loop
    select coalesce(json_agg((
        select json_build_object(
          'product_id', m.id, 'name', p."Name", 'category', p."Category", 'has_size', p."hasSize", 'is_listed', p.is_listed,
          'is_archived', p.archived_at is not null, 'on_hand', s.on_hand, 'reserved', s.reserved, 'low_at', s.low_at,
          'waiting', (select count(*) from public.notify_subscriptions n where n.product_id = m.id),
          'cover_days', round((s.on_hand - s.reserved) / nullif(m.per_day, 0), 1), 'key', m.key, 'sort_name', m.name)
        from public."Products" p, public.stock_levels s where p."Id" = m.id and s.product_id = m.id) order by m.place), '[]'),
      array_agg(m.id) filter (where m.per_day is null)
    into entries, without_pace
    from (
      select u.*, (select k.per_day from private.stock_pace k where k.product_id = u.id and k.day = private.day_of(at)) as per_day
      from unnest(ids, ranks, names) with ordinality u (id, key, name, place) where u.place <= most) m;
    exit when without_pace is null;
    perform private.update_sales_pace(without_pace, at);
  end loop;
  return entries;
end $$;

-- Products with stock or on sale. Out of stock and low are as in domain/stock/stock-status.ts: what is held for
-- customers who are paying is not sold out yet. filter: {show: out | low | waiting (out of stock with back-in-stock
-- requests), search, category, sort: name | saleable | cover | waiting, descending}. By default first those out
-- with requests, then those out, then those low.
create function public.admin_list_stock(
  filter jsonb default '{}', after jsonb default null, at timestamptz default now(), page_size integer default 50) returns json
language plpgsql security definer set search_path = '' as $$
declare
  most constant integer := 10000;
  descending boolean := coalesce(filter -> 'descending' = 'true', false);
  backwards boolean := descending and filter ->> 'sort' = 'name';
  pattern text := '%' || regexp_replace(btrim(filter ->> 'search'), '([\\%_])', '\\\1', 'g') || '%';
  sort_key text := case filter ->> 'sort'
    when 'name' then '0'
    when 'saleable' then '(s.on_hand - s.reserved) / case when p."hasSize" then 500.0 else 1 end'
    when 'cover' then $key$coalesce((s.on_hand - s.reserved) / nullif(
      (select k.per_day from private.stock_pace k where k.product_id = p."Id" and k.day = private.day_of($1)), 0), 1e9)$key$
    when 'waiting' then '(select count(*) from public.notify_subscriptions n where n.product_id = p."Id")' end;
  by_attention text := $key$case when not p.is_listed or p.archived_at is not null then 4
    when s.on_hand = 0 then case when exists (select from public.notify_subscriptions n where n.product_id = p."Id") then 0 else 1 end
    when s.on_hand - s.reserved <= s.low_at then 2 else 3 end$key$;
  here constant text := 'public."Products" p join public.stock_levels s on s.product_id = p."Id"';
  on_sale constant text := 'p.is_listed and p.archived_at is null';
  condition text := concat_ws(' and ',
    case filter ->> 'show'
      when 'out' then on_sale || ' and s.on_hand = 0'
      when 'low' then on_sale || ' and s.on_hand > 0 and s.on_hand - s.reserved <= s.low_at'
      when 'waiting' then on_sale || ' and s.on_hand = 0 and exists (select from public.notify_subscriptions n where n.product_id = p."Id")' end,
    case when pattern <> '%%' then 'p."Name" ilike $2' end,
    case when coalesce(filter ->> 'category', '') <> '' then 'p."Category" = $3' end);
  kept constant text := '(p.archived_at is null or s.on_hand > 0)';
  -- Each part is cut to a page by itself, so that the long one, what is fine, is read only as far as it is shown.
  parts text[] := case when sort_key is null and condition = ''
    then array[on_sale || ' and private.is_low_stock(s) and p."Id" in (select h.product_id from private.low_stock h)',
               on_sale || ' and s.on_hand > 0 and s.on_hand - s.reserved > s.low_at',
               '(not p.is_listed or p.archived_at is not null) and ' || kept]
    else array[concat_ws(' and ', kept, nullif(condition, ''))] end;
  keys text[] := case when cardinality(parts) > 1 then array[by_attention, '3', '4'] else array[coalesce(sort_key, by_attention)] end;
  direction text := case when backwards then 'desc' else 'asc' end;
  pages text;
  ids bigint[];
  ranks numeric[];
  names text[];
  entries json;
  total bigint;
begin
  perform private.require_admin();
  if page_size is null or page_size not between 1 and 200 then
    perform private.reject('A page has 1 to 200 products.', 'page_size');
  end if;
  perform private.expect_cursor(after, '{"key": "numeric", "sort_name": "text", "product_id": "bigint"}');
  select string_agg(format($part$(
      select l.* from (select p."Id" as id, lower(p."Name") as name, (%1$s) * %2$s::numeric as key from %3$s where %4$s) l
      where $4::jsonb is null or (l.key, l.name, l.id) %5$s (($4 ->> 'key')::numeric, $4 ->> 'sort_name', ($4 ->> 'product_id')::bigint)
      order by l.key %6$s, l.name %6$s, l.id %6$s limit %7$s)$part$,
    k.key, case when descending and sort_key is not null and not backwards then -1 else 1 end, here, k.part,
    case when backwards then '<' else '>' end, direction, page_size + 1), ' union all ')
  into pages from unnest(keys, parts) k (key, part);
  if filter ->> 'sort' = 'cover' then
    perform private.update_sales_pace(null, at);
  end if;
  execute format('select array_agg(u.id), array_agg(u.key), array_agg(u.name) from (select u.* from (%2$s) u order by u.key %1$s, u.name %1$s, u.id %1$s limit %3$s) u',
    direction, pages, page_size + 1) into ids, ranks, names using at, pattern, filter ->> 'category', after;
  entries := private.stock_entries(ids, ranks, names, page_size, at);
  if condition = '' then
    total := (select count(*) from public."Products" p where p.archived_at is null)
           + (select count(*) from public."Products" p join public.stock_levels s on s.product_id = p."Id" where p.archived_at is not null and s.on_hand > 0);
  else
    execute format('select count(*) from (select from %s where %s and %s limit %s) m', here, kept, condition, most + 1) into total
    using at, pattern, filter ->> 'category';
  end if;
  return json_build_object('rows', entries, 'count', least(total, most), 'count_is_capped', total > most,
    'next', case when cardinality(ids) > page_size then
      json_build_object('key', ranks[page_size], 'sort_name', names[page_size], 'product_id', ids[page_size]) end);
end $$;

-- How many products are out, low and requested.
create function public.admin_read_stock_summary() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object('out', count(*) filter (where s.on_hand = 0), 'low', count(*) filter (where s.on_hand > 0),
      'waiting', count(*) filter (where s.on_hand = 0 and exists (select from public.notify_subscriptions n where n.product_id = s.product_id)))
    from private.low_stock h join public.stock_levels s on s.product_id = h.product_id join public."Products" p on p."Id" = h.product_id
    where private.is_low_stock(s) and p.is_listed and p.archived_at is null);
end $$;

-- What the stock is worth at cost, and how many products with stock have no cost.
create function public.admin_read_stock_value() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object(
      'value_paise', coalesce(sum(round(s.on_hand * c.unit_cost * 100 / case when p."hasSize" then 500 else 1 end)), 0)::bigint,
      'without_cost', count(*) filter (where c.unit_cost is null))
    from public.stock_levels s
    join public."Products" p on p."Id" = s.product_id
    left join lateral (select k.unit_cost from private.product_costs k where k.product_id = s.product_id and k.valid_from <= now()
                       order by k.valid_from desc limit 1) c on true
    where s.on_hand > 0);
end $$;

-- One product's stock, what of it is reserved or requested, and what was lost in thirty days; null when there is no
-- such product.
create function public.admin_read_stock(product_id bigint, at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  stock jsonb;
begin
  perform private.require_admin();
  perform private.update_sales_pace(array[admin_read_stock.product_id], at);
  select jsonb_build_object(
    'product_id', p."Id", 'name', p."Name", 'category', p."Category", 'has_size', p."hasSize",
    'is_listed', p.is_listed, 'is_archived', p.archived_at is not null, 'on_hand', s.on_hand, 'reserved', s.reserved, 'low_at', s.low_at,
    'sold_per_day', round(k.per_day, 3), 'cover_days', round((s.on_hand - s.reserved) / nullif(k.per_day, 0), 1),
    'unit_cost_paise', (private.unit_cost_at(p."Id", at) * 100)::bigint,
    'waiting', (select jsonb_build_object('people', count(*), 'since', min(n.created_at)) from public.notify_subscriptions n where n.product_id = p."Id"),
    'to_pack', private.units_to_pack(p."Id"),
    'wasted', (select jsonb_build_object('units', coalesce(-sum(m.quantity), 0), 'value_paise', coalesce(sum(l.paise), 0),
                                         'unknown', coalesce(bool_or(l.paise is null), false))
               from public.stock_movements m, lateral (select private.loss_paise(m) as paise) l
               where m.product_id = p."Id" and m.reason = 'wastage' and m.created_at > at - interval '30 days'),
    'coming', (select coalesce(jsonb_agg(jsonb_build_object('purchase_id', o.id, 'vendor', v.name, 'expected_on', o.expected_on,
                                 'quantity', i.quantity - i.received_quantity, 'unit', i.unit) order by o.expected_on, o.id), '[]')
               from public.purchase_orders o join public.vendors v on v.id = o.vendor_id
               join public.purchase_order_items i on i.purchase_order_id = o.id
               where o.status in ('Ordered', 'Received') and i.product_id = p."Id" and i.received_quantity < i.quantity))
  into stock
  from public."Products" p join public.stock_levels s on s.product_id = p."Id" join private.stock_pace k on k.product_id = p."Id"
  where p."Id" = admin_read_stock.product_id;
  return stock;
end $$;

-- Sold and not yet packed: it is on the shelf and no longer ours. By the keys of open orders, and not by all sales
-- of a product, which a generic plan would read.
create function private.units_to_pack(product_id bigint) returns bigint
language sql stable set search_path = '' as $$
  with open as materialized (
    select o.id from public.orders o where private.is_before_packing(o.status)
  )
  select coalesce((
           select sum(private.stock_quantity(i.has_size, i.size, i.quantity)) from public.order_items i
           where i.product_id = units_to_pack.product_id and i.order_id = any (array(select o.id from open o))), 0)
         + coalesce((
           select sum(c.grams * i.quantity)
           from public.order_items i, jsonb_to_recordset(i.contents -> 'products') as c (product_id bigint, grams integer)
           where i.product_id is null and c.product_id = units_to_pack.product_id and i.order_id = any (array(select o.id from open o))), 0);
$$;

-- What wasted goods had cost, as known then; null when unknown. Reversed, they are worth the same.
create function private.loss_paise(movement public.stock_movements) returns bigint
language sql stable set search_path = '' as $$
  select round(-movement.quantity * private.unit_cost_at(p."Id", coalesce(u.created_at, movement.created_at)) * 100
               / case when p."hasSize" then 500 else 1 end)::bigint
  from public."Products" p left join public.stock_movements u on u.id = movement.undoes
  where p."Id" = movement.product_id;
$$;

-- seen is the mark that the administrator saw: every sale changes the row, and is no conflict.
create function public.admin_set_low_mark(product_id bigint, seen integer, low_at integer) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  level public.stock_levels;
begin
  perform private.require_admin();
  select * into level from public.stock_levels s where s.product_id = admin_set_low_mark.product_id for update;
  if level.product_id is null then
    raise sqlstate 'PT404' using message = 'Product not found.';
  elsif level.low_at is distinct from seen then
    raise sqlstate 'PT409' using message = 'Changed by someone else. Check the latest version before you save.', detail = 'stale';
  elsif admin_set_low_mark.low_at is null or admin_set_low_mark.low_at not between 0 and 100000000 then
    perform private.reject('From 0 to 1,00,000.', 'low_at');
  end if;
  update public.stock_levels s set low_at = admin_set_low_mark.low_at where s.product_id = level.product_id returning * into level;
  return jsonb_build_object('product_id', level.product_id, 'low_at', level.low_at);
end $$;

-- Production, wastage or return: in grams or pieces, always above 0. Counts have their own function. The browser
-- makes entry_id, so that a retry is still one movement.
create function public.admin_record_movement(
  product_id bigint, reason text, units integer, note text default '', at timestamptz default now(), entry_id uuid default null)
returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  product public."Products";
  level public.stock_levels;
  movement bigint;
  moved integer := case when reason = 'wastage' then -units else units end;
  earlier public.stock_movements;
begin
  perform private.require_admin();
  select * into level from public.stock_levels s where s.product_id = admin_record_movement.product_id for update;
  select * into earlier from public.stock_movements m where m.entry_id = admin_record_movement.entry_id;
  if earlier.id is not null then
    if (earlier.product_id, earlier.reason, earlier.quantity, earlier.note)
       is distinct from (admin_record_movement.product_id, reason, moved, btrim(coalesce(note, ''))) then
      raise sqlstate 'PT409' using message = 'This was already saved the first time. Check the stock movements before you add another.', detail = 'stale';
    end if;
    return jsonb_build_object('id', earlier.id, 'on_hand', level.on_hand);
  end if;
  select * into product from public."Products" p where p."Id" = admin_record_movement.product_id;
  if product."Id" is null then
    raise sqlstate 'PT404' using message = 'Product not found.';
  elsif reason is null or reason not in ('production', 'wastage', 'return') then
    perform private.reject('Choose made, wasted or returned.', 'reason');
  elsif units is null or units not between 1 and 100000000 then
    perform private.reject('Enter a quantity above 0, at most 1,00,000.', 'quantity');
  elsif reason = 'wastage' and coalesce(btrim(note), '') = '' then
    perform private.reject('Enter the reason for the wastage.', 'note');
  elsif char_length(coalesce(note, '')) > 300 then
    perform private.reject('A note has at most 300 characters.', 'note');
  elsif reason = 'wastage' and units > level.on_hand - level.reserved then
    perform private.reject(format('Only %s can be taken out: the rest is reserved for customers who are paying, or gone.',
                                  private.format_stock(level.on_hand - level.reserved, product."hasSize")), 'quantity');
  end if;
  insert into public.stock_movements (product_id, quantity, reason, note, created_at, entry_id)
  values (product."Id", moved, reason, btrim(coalesce(note, '')), at, admin_record_movement.entry_id)
  returning id into movement;
  return jsonb_build_object('id', movement, 'on_hand', (select s.on_hand from public.stock_levels s where s.product_id = product."Id"));
end $$;

-- Reverses a manual adjustment by a movement the other way. Sales and receipts are reversed elsewhere.
create function public.admin_undo_movement(movement_id bigint, at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  movement public.stock_movements;
  level public.stock_levels;
  undoing bigint;
begin
  perform private.require_admin();
  select * into movement from public.stock_movements m where m.id = movement_id;
  if movement.id is null then
    raise sqlstate 'PT404' using message = 'Stock movement not found.';
  end if;
  select * into level from public.stock_levels s where s.product_id = movement.product_id for update;
  if movement.order_id is not null or movement.reason not in ('production', 'wastage', 'return', 'count') or movement.undoes is not null then
    raise sqlstate 'PT409' using message = 'Only manual adjustments can be undone here.';
  elsif exists (select from public.stock_movements m where m.undoes = movement.id) then
    raise sqlstate 'PT409' using message = 'This was already undone.', detail = 'stale';
  elsif level.on_hand - movement.quantity < level.reserved then
    perform private.reject(format('Only %s can be taken out, too little to reverse %s.',
      private.format_stock(level.on_hand - level.reserved, p."hasSize"), private.format_stock(movement.quantity, p."hasSize")))
    from public."Products" p where p."Id" = movement.product_id;
  end if;
  insert into public.stock_movements (product_id, quantity, reason, note, created_at, undoes)
  values (movement.product_id, -movement.quantity, movement.reason, 'undone', at, movement.id) returning id into undoing;
  return jsonb_build_object('id', undoing, 'on_hand', level.on_hand - movement.quantity);
end $$;

-- Stock movements, newest first: of one product, or of all. filter: {product_id, reason}. For one product, without
-- a reason, each row has what was on hand after it.
create function public.admin_list_movements(filter jsonb default '{}', after jsonb default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 50;
  reason constant text := nullif(filter ->> 'reason', '');
  product bigint;
  newest_first text;
  on_hand bigint;
  entries jsonb;
begin
  perform private.require_admin();
  perform private.expect_cursor(after, '{"created_at": "timestamptz", "id": "bigint", "quantity": "bigint"}');
  product := private.parse_number(filter ->> 'product_id', 0);
  -- Ids follow time; only the index of a product's movements is by the time itself.
  newest_first := case when product is null then 'm.id desc' else 'm.created_at desc, m.id desc' end;
  if product is not null and reason is null then
    perform private.expect_cursor(after, '{"on_hand_after": "bigint"}');
    -- After the newest row of the page.
    on_hand := case when after is null then (select s.on_hand from public.stock_levels s where s.product_id = product)
                    else (after ->> 'on_hand_after')::bigint - (after ->> 'quantity')::bigint end;
  end if;
  execute format($query$
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', m.id, 'product_id', m.product_id, 'product', p."Name", 'has_size', p."hasSize", 'quantity', m.quantity, 'reason', m.reason,
      'note', m.note, 'created_at', m.created_at, 'undoes', m.undoes,
      'undone_by', (select u.id from public.stock_movements u where u.undoes = m.id),
      'order_id', m.order_id, 'order_number', o.number,
      'loss_paise', case when m.reason in ('wastage', 'replacement') then private.loss_paise(m.moved) end,
      'by', case when m.order_id is null then (select private.person_name(a.actor_id) from public.audit_log a
                                               where a.table_name = 'stock_movements' and a.row_id = m.id::text limit 1) end,
      'on_hand_after', $4 - m.came_since) order by %1$s), '[]')
    from (
      select m.*,
             coalesce(sum(m.quantity) over (order by %1$s rows between unbounded preceding and 1 preceding), 0) as came_since
      from (select m.*, m as moved from public.stock_movements m where %2$s order by %1$s limit %3$s) m
    ) m
    join public."Products" p on p."Id" = m.product_id
    left join public.orders o on o.id = m.order_id
  $query$, newest_first, concat_ws(' and ', 'true',
    case when product is not null then 'm.product_id = $1' end,
    case when reason = 'sale' then 'm.reason = ''sale''' when reason is not null then 'm.reason = $2 and m.reason <> ''sale''' end,
    case when after is null then null when product is null then 'm.id < ($3 ->> ''id'')::bigint'
         else '(m.created_at, m.id) < (($3 ->> ''created_at'')::timestamptz, ($3 ->> ''id'')::bigint)' end), page_size + 1)
  into entries using product, reason, after, on_hand;
  return private.page_of(entries, page_size, array['created_at', 'id', 'on_hand_after', 'quantity']);
end $$;
