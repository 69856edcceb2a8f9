-- The console shows group orders and sends parcels again; a group's list can be sent again.
set check_function_bodies = off;

create function private.group_of_order(told public.orders) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('id', g.id, 'place', told.group_place, 'recipients', g.recipients)
  from private.group_orders g where g.id = told.group_id;
$$;

create or replace function private.order_head(told public.orders) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', told.id, 'number', told.number, 'status', told.status, 'payment_status', told.payment_status, 'source', told.source,
    'fulfilment', told.fulfilment, 'placed_at', told.created_at, 'updated_at', told.updated_at, 'delivery_by', told.delivery_by,
    'deliver_on', told.deliver_on, 'pack_on', told.pack_on, 'missed_day', told.missed_day,
    'sub_total_paise', (told.sub_total * 100)::bigint, 'tax_paise', (told.tax * 100)::bigint,
    'shipping_paise', (told.shipping_charge * 100)::bigint, 'shipping_tax_paise', private.order_shipping_tax(told),
    'total_paise', (told.total_amount * 100)::bigint,
    'delivery', jsonb_build_object(
      'name', told.delivery_name, 'phone', told.delivery_phone, 'building_no', told.delivery_building_no,
      'street', told.delivery_street, 'city', told.delivery_city, 'state', told.delivery_state, 'zip', told.delivery_zip),
    'courier', told.courier, 'tracking_number', told.tracking_number, 'tracking_url', nullif(told.tracking_url, ''),
    'cancel_reason', told.cancel_reason, 'canceled_goods', told.canceled_goods, 'offline_method', told.offline_method,
    'gift', private.gift_of_order(told.id), 'group', private.group_of_order(told));
$$;

create function private.order_row(told public.orders, at timestamptz) returns json
language sql stable set search_path = '' as $$
  select json_build_object(
    'id', told.id, 'number', told.number, 'placed_at', told.created_at, 'name', told.delivery_name, 'phone', told.delivery_phone,
    'pincode', told.delivery_zip, 'city', told.delivery_city, 'items', private.summarize_items(told.id, 3),
    'total_paise', (told.total_amount * 100)::bigint, 'payment_status', told.payment_status, 'status', told.status,
    'status_since', told.status_since, 'fulfilment', told.fulfilment, 'source', told.source, 'delivery_by', told.delivery_by,
    'is_gift', exists (select from private.order_gifts g where g.order_id = told.id),
    'deliver_on', told.deliver_on, 'pack_on', told.pack_on, 'missed_day', told.missed_day,
    'refund_due_on', (select d.due_on from private.refunds_due() d where d.order_id = told.id),
    'is_due', told.status in ('Confirmed', 'Preparing') and private.is_due_today(told, at), 'updated_at', told.updated_at,
    'group', private.group_of_order(told));
$$;

create or replace function public.admin_list_orders(
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

create function public.admin_read_group(group_id uuid, at timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  told private.group_orders;
begin
  perform private.require_admin();
  select * into told from private.group_orders g where g.id = admin_read_group.group_id and g.state = 'paid';
  if told.id is null then
    return null;
  end if;
  return jsonb_build_object(
    'id', told.id, 'placed_at', told.created_at, 'recipients', told.recipients, 'total_paise', told.total_paise,
    'customer', private.order_customer(told.user_id),
    'card', (select jsonb_build_object('motif', c.motif, 'sender_name', c.sender_name)
             from public.orders o join private.order_gifts c on c.order_id = o.id
             where o.group_id = told.id order by o.group_place limit 1),
    'orders', (
      select coalesce(jsonb_agg(private.order_row(o, at)::jsonb || jsonb_build_object(
        'place', o.group_place, 'courier', o.courier, 'tracking_number', o.tracking_number, 'tracking_url', nullif(o.tracking_url, ''),
        'note', coalesce(c.note, ''), 'recipient_email', c.recipient_email,
        'delivery', jsonb_build_object(
          'name', o.delivery_name, 'phone', o.delivery_phone, 'building_no', o.delivery_building_no, 'street', o.delivery_street,
          'city', o.delivery_city, 'state', o.delivery_state, 'zip', o.delivery_zip)) order by o.group_place), '[]')
      from public.orders o left join private.order_gifts c on c.order_id = o.id
      where o.group_id = told.id));
end $$;

create function public.admin_send_again(
  order_id uuid, delivery jsonb, seen timestamptz,
  courier text default null, tracking_number text default null, tracking_url text default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.orders;
  typed jsonb;
  zone public.delivery_zones;
  expected_on date;
begin
  perform private.require_admin();
  taken := private.lock_unchanged_order(order_id, seen);
  if taken.status <> 'Undelivered' or taken.fulfilment <> 'delivery' then
    perform private.reject('Only a parcel that could not be delivered is sent again.');
  end if;
  typed := private.validate_delivery(delivery, taken.fulfilment);
  zone := private.zone_of(typed ->> 'zip');
  if zone.id is null and typed ->> 'zip' <> taken.delivery_zip then
    perform private.reject(format('We do not deliver to %s.', typed ->> 'zip'), 'zip');
  elsif private.state_code(typed ->> 'state', typed ->> 'zip')
        is distinct from private.state_code(taken.delivery_state, taken.delivery_zip) then
    perform private.reject(format('The invoice was issued for %s. Cancel this order and place a new one for another state.', taken.delivery_state), 'state');
  end if;
  select p.arrives_on into expected_on from private.promise_delivery(now(), coalesce(zone.max_days, 7)) p;
  expected_on := coalesce(expected_on, taken.delivery_by);
  update public.orders o
  set delivery_name = typed ->> 'name', delivery_phone = typed ->> 'phone', delivery_building_no = typed ->> 'building_no',
      delivery_street = typed ->> 'street', delivery_city = typed ->> 'city', delivery_state = typed ->> 'state',
      delivery_zip = typed ->> 'zip', delivery_by = expected_on,
      deliver_on = case when o.deliver_on is not null then expected_on end,
      status = 'Shipped',
      courier = nullif(private.validate_text(admin_send_again.courier, 'courier', 'The courier', 80), ''),
      tracking_number = nullif(private.validate_text(admin_send_again.tracking_number, 'tracking_number', 'The tracking number', 80), ''),
      tracking_url = nullif(private.validate_link(admin_send_again.tracking_url, 'tracking_url', 'The tracking link'), '')
  where o.id = taken.id returning * into taken;
  return jsonb_build_object('status', taken.status, 'updated_at', taken.updated_at, 'delivery_by', taken.delivery_by);
end $$;

create function public.my_group_again(group_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'card', (select jsonb_build_object('motif', c.motif, 'sender_name', c.sender_name)
             from public.orders o join private.order_gifts c on c.order_id = o.id
             where o.group_id = g.id order by o.group_place limit 1),
    'recipients', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'place', o.group_place, 'name', o.delivery_name, 'phone', o.delivery_phone, 'building_no', o.delivery_building_no,
        'street', o.delivery_street, 'city', o.delivery_city, 'state', o.delivery_state, 'zip', o.delivery_zip,
        'is_reached', (private.zone_of(o.delivery_zip)).id is not null, 'note', coalesce(c.note, ''), 'email', c.recipient_email,
        'lines', private.lines_again(o.id)) order by o.group_place), '[]')
      from public.orders o left join private.order_gifts c on c.order_id = o.id
      where o.group_id = g.id))
  from private.group_orders g
  where g.id = my_group_again.group_id and g.state = 'paid' and g.user_id = (select auth.uid());
$$;

revoke execute on function private.group_of_order(told orders) from public, anon, authenticated;

revoke execute on function private.order_row(told orders, at timestamp with time zone) from public, anon, authenticated;

revoke execute on function public.admin_read_group(group_id uuid, at timestamp with time zone) from public, anon, authenticated;

grant execute on function public.admin_read_group(group_id uuid, at timestamp with time zone) to authenticated;

grant execute on function public.admin_read_group(group_id uuid, at timestamp with time zone) to service_role;

revoke execute on function public.admin_send_again(order_id uuid, delivery jsonb, seen timestamp with time zone, courier text, tracking_number text, tracking_url text) from public, anon, authenticated;

grant execute on function public.admin_send_again(order_id uuid, delivery jsonb, seen timestamp with time zone, courier text, tracking_number text, tracking_url text) to authenticated;

grant execute on function public.admin_send_again(order_id uuid, delivery jsonb, seen timestamp with time zone, courier text, tracking_number text, tracking_url text) to service_role;

revoke execute on function public.my_group_again(group_id uuid) from public, anon, authenticated;

grant execute on function public.my_group_again(group_id uuid) to authenticated;

grant execute on function public.my_group_again(group_id uuid) to service_role;
