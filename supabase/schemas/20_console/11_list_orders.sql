-- Console: the list of orders, moving several at once and undoing that, and the CSV file.
-- Administrators only. Changes the status of orders.
set check_function_bodies = off;

-- An order as lists show it; `group`: the group of which it is one, and its place in it.
create function private.order_row(told public.orders, at timestamptz) returns json
language sql stable set search_path = '' as $$
  select json_build_object(
    'id', told.id, 'number', told.number, 'placed_at', told.created_at, 'name', told.delivery_name, 'phone', told.delivery_phone,
    'pincode', told.delivery_zip, 'city', told.delivery_city, 'items', private.summarize_items(told.id, 3),
    'total_paise', (told.total_amount * 100)::bigint, 'payment_status', told.payment_status, 'status', told.status,
    'status_since', told.status_since, 'fulfilment', told.fulfilment, 'source', private.source_of(told), 'delivery_by', told.delivery_by,
    'is_gift', exists (select from private.order_gifts g where g.order_id = told.id),
    'deliver_on', told.deliver_on, 'pack_on', told.pack_on, 'missed_day', told.missed_day,
    'refund_due_on', (select d.due_on from private.refunds_due() d where d.order_id = told.id),
    'is_due', told.status in ('Confirmed', 'Preparing') and private.is_due_today(told, at), 'updated_at', told.updated_at,
    'group', private.group_of_order(told));
$$;

-- Where an order comes from, in the words of the console: an order of a group was bought like one that is bought at once.
create function private.source_of(told public.orders) returns text
language sql immutable as $$ select case when told.group_id is null then told.source else 'group' end $$;

create function private.group_of_order(told public.orders) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('id', g.id, 'place', told.group_place, 'recipients', g.recipients)
  from private.group_orders g where g.id = told.group_id;
$$;

-- Sorts: placed, number, total, age (in its status; only orders that wait have one), pack (the day on which it is packed; only
-- open orders with a chosen day have one), and when a refund is due. A minus before it: descending.
create function public.admin_list_orders(
  filter jsonb default '{}', sort text default '-placed', after jsonb default null, at timestamptz default now()) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 50;
  f private.order_filter;
  sort_column text;
  key_type text;
  direction text := case when starts_with(sort, '-') then 'desc' else 'asc' end;
  beyond text := 'true';
  sources text[];
  few text[];
  found json;
  found_count integer;
  last json;
  most integer;
  counted integer;
begin
  perform private.require_admin();
  f := private.read_order_filter(filter);
  select s.sort_column, s.key_type into sort_column, key_type
  from (values ('placed', 'created_at', 'timestamptz'), ('number', 'number', 'bigint'), ('total', 'total_amount', 'numeric'),
               ('age', 'status_since', 'timestamptz'), ('pack', 'pack_on', 'date')) s (name, sort_column, key_type)
  where s.name = ltrim(sort, '-');
  if sort_column is null then
    perform private.reject('Orders cannot be sorted like this.', 'sort');
  elsif sort_column = 'status_since' then
    direction := case direction when 'desc' then 'asc' else 'desc' end;
    f.is_open := true;
  elsif sort_column = 'pack_on' then
    f.is_open := true;
    f.has_chosen_day := true;
  end if;
  sources := private.order_sources(f, at, by_placing => sort_column = 'created_at');
  if after is not null then
    beyond := private.cursor_condition(sort_column, key_type, direction, after);
  end if;

  execute format($q$
    select coalesce(json_agg(private.order_row(o, $1) order by k.place) filter (where k.place <= $2), '[]'), count(*),
      (array_agg(json_build_object('key', to_json(k.key) #>> '{}', 'id', k.id)) filter (where k.place = $2))[1]
    from (select k.id, k.key, row_number() over (order by k.key %1$s, k.id %1$s) as place from (%2$s) k) k
    join public.orders o on o.id = k.id$q$,
    direction, private.order_page(sources, sort_column, direction, beyond, page_size + 1))
  into found, found_count, last using at, page_size;

  -- Nobody reads the difference between two thousand and three, and a search that finds so many is costly to count.
  most := case when concat(f.search, f.customer, f.product, f.phone) = '' then 10000 else 1000 end;
  if after is null and found_count <= page_size then
    counted := found_count;
  else
    few := case when array_to_string(sources, '') like '% public.order_items i %'
                then private.order_sources(f, at, by_placing => true, most_lines => 4 * most) else sources end;
    counted := private.count_orders(few, most);
    if counted <= most and few <> sources then
      counted := private.count_orders(sources, most);
    end if;
  end if;
  return json_build_object('rows', found, 'next', case when found_count > page_size then last end,
                           'count', least(counted, most), 'count_is_capped', counted > most);
end $$;

-- Moves orders to a status: [{id, seen}], seen being the updated_at that was looked at. Each that may move does,
-- under its lock and with its event; the others stay, with a reason: {moved, refused: [{id, reason}]}. Canceling
-- and refunding need a reason and are done on the order's own page.
create function public.admin_move_orders(moves jsonb, to_status text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  asked record;
  reason text;
  legal uuid[] := '{}';
  refused jsonb := '[]';
begin
  perform private.require_admin();
  if to_status in ('canceled', 'Refunded') then
    perform private.reject('Cancel or refund an order on its own page: it needs a reason.', 'to_status');
  elsif not exists (select from private.order_status_edges e where e.to_status = admin_move_orders.to_status) then
    perform private.reject('Orders cannot be moved there.', 'to_status');
  elsif jsonb_typeof(moves) is distinct from 'array' or jsonb_array_length(moves) not between 1 and 100 then
    perform private.reject('Choose between 1 and 100 orders.', 'moves');
  end if;

  perform from public.orders o
  where o.id in (select r.id from private.read_order_moves(moves) r)
  order by o.id for update;
  for asked in
    select m.id, o.number, o.status, o.fulfilment, o.updated_at, m.seen
    from (select distinct on (r.id) r.id, r.seen from private.read_order_moves(moves) r) m
    left join public.orders o on o.id = m.id
  loop
    reason := case
      when asked.number is null then 'One of the orders does not exist.'
      when asked.status = to_status then format('Order %s is already %s.', asked.number, to_status)
      when asked.status = 'canceled' then format('Order %s was cancelled.', asked.number)
      when not private.is_allowed_move(asked.status, to_status, asked.fulfilment, by_customer => false)
        then format('Order %s is %s and cannot become %s.', asked.number,
                    case when asked.fulfilment = 'pickup' and to_status in ('Shipped', 'Delivered', 'Undelivered') then 'collected at the shop'
                         when asked.fulfilment = 'delivery' and to_status in ('Ready', 'Collected') then 'sent to the customer'
                         else asked.status end, to_status)
      when asked.seen is distinct from asked.updated_at
        then format('Order %s was changed by someone else. Check it again.', asked.number)
    end;
    if reason is null then
      legal := legal || asked.id;
    else
      refused := refused || jsonb_build_object('id', asked.id, 'reason', reason);
    end if;
  end loop;
  update public.orders o set status = to_status where o.id = any (legal);
  return jsonb_build_object('moved', to_jsonb(legal), 'refused', refused);
end $$;

create function private.read_order_moves(moves jsonb) returns table (id uuid, seen timestamptz)
language plpgsql stable set search_path = '' as $$
begin
  return query select m.id, m.seen from jsonb_to_recordset(moves) as m (id uuid, seen timestamptz);
exception when data_exception then
  perform private.reject('Choose the orders in the list.', 'moves');
end $$;

-- A page of a thousand orders of a filter, oldest first, for the CSV file: {rows: [[cell, …]], next}. The moment of
-- placing never changes, and new orders come after everything in the file: so none is missing, and none is there
-- twice.
create function public.export_orders(filter jsonb, after jsonb, at timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 1000;
  sources text[] := private.order_sources(private.read_order_filter(filter), at);
  beyond text := case when after is null then 'true' else private.cursor_condition('created_at', 'timestamptz', 'asc', after) end;
  answer jsonb;
begin
  execute format($q$
    select jsonb_build_object(
      'rows', coalesce(jsonb_agg(jsonb_build_array(
        o.number, to_char(o.created_at at time zone 'Asia/Kolkata', 'YYYY-MM-DD HH24:MI'), o.delivery_name, o.delivery_phone,
        nullif(o.delivery_building_no, ''), nullif(o.delivery_street, ''), nullif(o.delivery_city, ''), nullif(o.delivery_state, ''),
        nullif(o.delivery_zip, ''), private.summarize_items(o.id), o.sub_total::text, o.tax::text, o.shipping_charge::text, o.total_amount::text,
        to_char(coalesce(r.paise, 0) / 100.0, 'FM999999999990.00'), o.payment_status, o.payment_id, o.status,
        to_char(o.status_since at time zone 'Asia/Kolkata', 'YYYY-MM-DD HH24:MI'), private.source_of(o), o.fulfilment, o.courier,
        o.tracking_number, o.cancel_reason, o.discount::text, nullif(private.offer_names(o.offers), '')) order by k.key, k.id), '[]'),
      'next', case when count(*) = $1 then jsonb_build_object('key', max(k.key), 'id', (array_agg(k.id order by k.key desc, k.id desc))[1]) end)
    from (%s) k
    join public.orders o on o.id = k.id
    left join lateral (select sum(f.amount_paise) as paise from private.refunds f where f.order_id = o.id and f.status = 'processed') r on true$q$,
    private.order_page(sources, 'created_at', 'asc', format('o.created_at <= %L::timestamptz and %s', at, beyond), page_size))
  into answer using page_size;
  return answer;
end $$;

-- Undoes the last move of each of these orders: [{id, seen}], seen being the updated_at that was looked at. Those
-- that stay have a reason: {undone, refused: [{id, reason}]}.
create function public.admin_undo_moves(moves jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  asked record;
  taken public.orders;
  last_event public.order_events;
  reason text;
  undone uuid[] := '{}';
  refused jsonb := '[]';
begin
  perform private.require_admin();
  if jsonb_typeof(moves) is distinct from 'array' or jsonb_array_length(moves) not between 1 and 100 then
    perform private.reject('Choose between 1 and 100 orders.', 'moves');
  end if;

  perform from public.orders o
  where o.id in (select r.id from private.read_order_moves(moves) r)
  order by o.id for update;
  for asked in select distinct on (r.id) r.id, r.seen from private.read_order_moves(moves) r order by r.id loop
    select * into taken from public.orders o where o.id = asked.id;
    select * into last_event from public.order_events e where e.order_id = asked.id order by e.id desc limit 1;
    -- Locked, so that the worker does not begin to send it meanwhile; what it has begun is seen below.
    perform from private.outbox o where o.id in (select m.id from private.mails_of_event(last_event) m) for update;
    reason := case
      when taken.id is null then 'One of the orders does not exist.'
      when asked.seen is distinct from taken.updated_at
        then format('Order %s was changed by someone else. Reload and check it.', taken.number)
      else private.undo_rejection(taken, last_event)
    end;
    if reason is null then
      perform private.undo_move(taken, last_event);
      undone := undone || taken.id;
    else
      refused := refused || jsonb_build_object('id', asked.id, 'reason', reason);
    end if;
  end loop;
  return jsonb_build_object('undone', to_jsonb(undone), 'refused', refused);
end $$;

revoke execute on function public.export_orders(jsonb, jsonb, timestamptz) from public, anon, authenticated;
grant execute on function public.export_orders(jsonb, jsonb, timestamptz) to service_role;
