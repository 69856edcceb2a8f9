-- Boxes that customers fill themselves: sizes, fitting sweets, and orders whose items are boxes.
set check_function_bodies = off;

alter table public.order_items alter column product_id drop not null;
alter table private.placed_items alter column product_id drop not null;


create table private.box_sizes (
  id bigint generated always as identity primary key,
  name text not null check (char_length(name) between 2 and 60 and name = btrim(name) and name !~ '[[:cntrl:]]'),
  -- One piece each.
  places integer not null check (places between 2 and 48),
  -- Of the empty box, in rupees without tax.
  price numeric(8, 2) not null check (price between 0 and 10000) constraint box_sizes_price_is_a_number check (price <> 'NaN'),
  -- Of the empty box, with cups and sleeve.
  weight_grams integer not null check (weight_grams between 0 and 5000),
  is_listed boolean not null default true,
  updated_at timestamptz not null default now()
);

alter table private.box_sizes enable row level security;

create table private.box_sweets (
  product_id bigint primary key references public."Products" ("Id") on delete cascade,
  piece_grams integer not null check (piece_grams between 1 and 500),
  -- A picture of one piece, on transparent ground; empty: the product's picture, cut round.
  piece_image text not null default '' check (piece_image = '' or private.is_safe_link(piece_image)),
  updated_at timestamptz not null default now()
);

alter table private.box_sweets enable row level security;

alter table private.placed_items add column contents jsonb;

alter table public.order_items add column box_id bigint;

alter table public.order_items add column contents jsonb;

alter table public.order_items add constraint order_items_box_id_fkey FOREIGN KEY (box_id) REFERENCES private.box_sizes(id);

alter table public.order_items add constraint order_items_product_or_box CHECK ((((product_id IS NULL) = (box_id IS NOT NULL)) AND ((box_id IS NULL) = (contents IS NULL)) AND (NOT ((box_id IS NOT NULL) AND has_size))));

create function private.box_facts(contents jsonb)
returns table (grams integer, food_mark text, allergens text, shelf_life_days integer)
language sql stable set search_path = '' as $$
  select ((contents ->> 'box_grams')::integer + sum(c.grams))::integer,
         case when bool_or(p.food_mark = 'non-veg') then 'non-veg' when bool_and(p.food_mark = 'veg') then 'veg' end,
         coalesce(string_agg(p.allergens, '; ' order by p."Id"), ''), min(p.shelf_life_days)::integer
  from jsonb_to_recordset(contents -> 'products') as c (product_id bigint, grams integer)
  left join public."Products" p on p."Id" = c.product_id;
$$;

create function private.box_rejections(carts jsonb) returns table (place integer, rejection jsonb)
language plpgsql stable set search_path = '' as $$
begin
  if not jsonb_path_exists(carts, '$[*].lines[*].box_id') then
    return;
  end if;
  return query
  select distinct on (f.place) f.place, f.rejection
  from (
    select b.place, b.box_id, case
             when s.id is null or not s.is_listed then jsonb_build_object('reason', 'box-not-offered', 'box_id', b.box_id)
             when c.unknown is not null and c.unknown_name is null then jsonb_build_object('reason', 'unknown-product')
             when c.unknown is not null
               then jsonb_build_object('reason', 'not-in-boxes', 'product', c.unknown_name, 'product_id', c.unknown)
             when c.pieces <> s.places or c.fewest < 1
               then jsonb_build_object('reason', 'box-not-full', 'box_id', b.box_id, 'box', s.name) end as rejection
    from private.boxes_in_carts(carts) b
    left join private.box_sizes s on s.id = b.box_id
    cross join lateral (
      select coalesce(sum(k.value::integer), 0) as pieces, min(k.value::integer) as fewest,
             (array_agg(k.key::bigint order by k.key::bigint) filter (where p."hasSize" is not true))[1] as unknown,
             (array_agg(n."Name" order by k.key::bigint) filter (where p."hasSize" is not true))[1] as unknown_name
      from jsonb_each_text(b.contents) k
      left join public."Products" n on n."Id" = k.key::bigint
      left join private.box_sweets w on w.product_id = k.key::bigint
      left join public."Products" p on p."Id" = w.product_id) c
  ) f
  where f.rejection is not null
  order by f.place, f.box_id, f.rejection::text;
end $$;

create function private.boxes_in_carts(carts jsonb) returns table (place integer, box_id bigint, quantity integer, contents jsonb)
language plpgsql stable set search_path = '' as $$
begin
  return query
  select k.place, k.box_id, sum(k.quantity)::integer, k.contents
  from (
    select a.ordinality::integer as place, l.box_id, l.quantity, (
             select coalesce(jsonb_object_agg(c.product_id, c.pieces), '{}')
             from (select p.product_id, sum(p.pieces) as pieces from jsonb_to_recordset(l.contents) as p (product_id bigint, pieces integer)
                   group by p.product_id) c) as contents
    from jsonb_array_elements(carts) with ordinality as a (cart),
         jsonb_to_recordset(a.cart -> 'lines') as l (box_id bigint, quantity integer, contents jsonb)
    where l.box_id is not null) k
  group by k.place, k.box_id, k.contents;
end $$;

create or replace function private.calculate_product_sales(step text, from_time timestamptz, to_time timestamptz) returns setof private.sales_step_products
language sql stable as $$
  select step, private.start_of_step(step, o.created_at), s.product_id, sum(s.grams)::bigint, sum(s.pieces)::bigint, sum(s.paise)::bigint
  from public.orders o join public.order_items i on i.order_id = o.id
  cross join lateral (
    select i.product_id, case when i.has_size then i.size * i.quantity else 0 end as grams,
           case when i.has_size then 0 else i.quantity end as pieces, i.unit_price * i.size / 5 * i.quantity as paise
    where i.product_id is not null
    union all
    select c.product_id, c.grams * i.quantity, 0, c.pieces * c.piece_paise * i.quantity
    from jsonb_to_recordset(i.contents -> 'products') as c (product_id bigint, grams integer, pieces integer, piece_paise bigint)) s
  where o.created_at >= from_time and o.created_at < to_time and o.status <> 'canceled'
  group by 2, 3;
$$;

create or replace function private.check_order_items(lowest uuid, highest uuid) returns table (invariant integer, subject text, detail text)
language plpgsql stable set search_path = '' as $$
begin
  return query
  select 8, i.order_id::text, format('item %s is not what was placed', i.id)
  from public.order_items i left join private.placed_items p on p.order_item_id = i.id
  where i.order_id between lowest and highest
    and (i.order_id, i.product_id, i.quantity, i.size, i.unit_price, i.contents)
        is distinct from (p.order_id, p.product_id, p.quantity, p.size, p.unit_price, p.contents);
end $$;

create function private.contents_cost_at(contents jsonb, at timestamptz) returns numeric
language sql stable set search_path = '' as $$
  select case when bool_and(c.cost is not null) then sum(c.cost) end
  from (select private.unit_cost_at(p.product_id, contents_cost_at.at) * p.grams / 500 as cost
        from jsonb_to_recordset(contents -> 'products') as p (product_id bigint, grams integer)) c;
$$;

create or replace function private.copy_placed_items() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.placed_items (order_item_id, order_id, product_id, quantity, size, unit_price, unit_cost, contents)
  select i.id, i.order_id, i.product_id, i.quantity, i.size, i.unit_price,
         case when i.contents is null then private.unit_cost_at(i.product_id, k.placed_at) else private.contents_cost_at(i.contents, k.placed_at) end,
         i.contents
  from placed i cross join lateral (select (select o.created_at from public.orders o where o.id = i.order_id) as placed_at offset 0) k;
  return null;
end $$;

create or replace function private.fill_orders(order_ids uuid[], quotes private.quotes[], were_reserved boolean, at timestamptz) returns void
language plpgsql set search_path = '' as $$
begin
  insert into public.order_items (order_id, product_id, product_name, product_image, quantity, size, unit_price,
                                  gst_percent, hsn, has_size, box_id, contents)
  select f.order_id, l.product_id, l.product_name, l.product_image, l.quantity, l.size, l.unit_price, l.gst_percent, l.hsn, l.has_size,
         l.box_id, l.contents
  from unnest(order_ids, quotes) as f (order_id),
       jsonb_to_recordset(f.lines) as l (product_id bigint, product_name text, product_image text, quantity integer,
         size integer, unit_price numeric, gst_percent numeric, hsn text, has_size boolean, box_id bigint, contents jsonb)
  order by f.order_id, l.product_id, l.size, l.box_id, l.product_name;
  insert into public.stock_movements (product_id, quantity, reason, order_id, created_at, was_reserved)
  select u.product_id, -u.units, 'sale', f.order_id, fill_orders.at, were_reserved
  from unnest(order_ids, quotes) as f (order_id), unnest(f.product_ids, f.units) as u (product_id, units);
end $$;

create or replace function private.find_openings(calls jsonb, at timestamptz) returns setof private.opening
language plpgsql stable set search_path = '' as $$
begin
  return query
  with called as materialized (
    select c.ordinality::integer as place, c.customer_id, c.ip_hash, c.address_id, c.gift, q.quote,
           case when (q.quote).id is null then 'no-quote'
                when (q.quote).total_paise <> c.amount_paise then 'amount-mismatch'
                when (q.quote).expires_at <= find_openings.at or (q.quote).pack_on < private.day_of(find_openings.at) then 'quote-expired'
                when c.quote_id is null and exists (
                  select from private.quotes o
                  where o.user_id = c.customer_id and o.total_paise = c.amount_paise and o.expires_at > find_openings.at
                    and (o.lines, o.pincode, o.source, o.fulfilment, o.deliver_on)
                        is distinct from ((q.quote).lines, (q.quote).pincode, (q.quote).source, (q.quote).fulfilment, (q.quote).deliver_on))
                  then 'ambiguous-amount' end as reason
    from rows from (jsonb_to_recordset(calls) as (
      customer_id uuid, amount_paise bigint, quote_id uuid, ip_hash text, address_id uuid, gift jsonb)) with ordinality as c
    left join lateral (
      (select o as quote from private.quotes o where o.id = c.quote_id and o.user_id = c.customer_id)
      union all
      (select o from private.quotes o
       where c.quote_id is null and o.user_id = c.customer_id and o.total_paise = c.amount_paise and o.expires_at > find_openings.at
       order by o.created_at desc, o.id limit 1)
      limit 1) q on true
  ), promised as materialized (
    select private.still_promised(array(select a.quote from called a where a.reason is null)) as ids
  )
  select a.place, a.customer_id, a.ip_hash,
         coalesce(a.reason, case when (a.quote).id <> all (p.ids) then 'quote-expired' end),
         exists (select from private.customer_records r where r.user_id = a.customer_id and r.blocked_at is not null),
         a.quote, k.checkout, b.person,
         case when l.state <> 'paid' and l.created_at > find_openings.at - interval '2 hours' then l.family_id end,
         a.address_id, nullif(a.gift, 'null')
  from called a
  cross join promised p
  left join lateral (select c as checkout from private.checkouts c where c.quote_id = (a.quote).id limit 1) k on true
  left join lateral (select private.recipient_at(b, a.address_id) as person from private.buyers b where b.id = a.customer_id limit 1) b on true
  left join lateral (select c.state, c.created_at, c.family_id from private.checkouts c where c.user_id = a.customer_id and c.group_id is null
                     order by c.created_at desc, c.id limit 1) l on true;
end $$;

create function private.goods_of_item(item public.order_items) returns table (product_id bigint, units integer)
language sql stable set search_path = '' as $$
  select g.product_id, g.units
  from private.goods_of_line(item.product_id, private.stock_quantity(item.has_size, item.size, item.quantity), item.quantity, item.contents) g;
$$;

create function private.goods_of_line(own_product bigint, own_units integer, quantity integer, contents jsonb)
returns table (product_id bigint, units integer)
language sql immutable as $$
  select own_product, own_units where own_product is not null
  union all
  select c.product_id, c.grams * quantity from jsonb_to_recordset(contents -> 'products') as c (product_id bigint, grams integer);
$$;

create function private.goods_of_order(order_id uuid) returns table (product_id bigint, units integer)
language sql stable set search_path = '' as $$
  select g.product_id, case when i.product_id is null then g.units else private.stock_quantity(p."hasSize", i.size, i.quantity) end
  from public.order_items i
  cross join lateral private.goods_of_item(i) g
  join public."Products" p on p."Id" = g.product_id
  where i.order_id = goods_of_order.order_id;
$$;

create or replace function private.has_bought(customer_id uuid, product_id bigint) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.orders o
    cross join lateral (
      select from public.order_items i where i.order_id = o.id
        and (i.product_id = has_bought.product_id
             or i.contents -> 'products' @> jsonb_build_array(jsonb_build_object('product_id', has_bought.product_id))) limit 1
    ) bought
    where o.user_id = has_bought.customer_id
      and o.status not in ('canceled', 'Refunded')
      and (o.payment_status in ('paid', 'paid_offline', 'partially_refunded') or o.status in ('Delivered', 'Collected'))
  );
$$;

create or replace function private.log_subject(table_name text, row_id text, entry jsonb, out name text, out id text)
language plpgsql stable set search_path = '' as $$
begin
  id := row_id;
  case table_name
    when 'Products', 'stock_levels', 'product_costs', 'product_pictures' then
      select p."Name" into name from public."Products" p where p."Id" = log_subject.row_id::bigint;
      name := coalesce(name, entry ->> 'Name');
    when 'orders' then
      select o.number::text into name from public.orders o where o.id = log_subject.row_id::uuid;
    when 'refunds' then
      select o.id::text, o.number::text into id, name
      from private.refunds r join public.orders o on o.id = r.order_id where r.id = log_subject.row_id::uuid;
    when 'customer_records', 'user_profiles' then
      select c.name into name from private.customer_cards c where c.user_id = log_subject.row_id::uuid;
      name := coalesce(name, 'a customer who was erased');
    when 'comments' then
      select c.user_id::text, format('%s on %s', a.name, p."Name") into id, name
      from public.comments c join public."Products" p on p."Id" = c.product_id
      left join private.customer_cards a on a.user_id = c.user_id
      where c.id = log_subject.row_id::bigint;
    when 'vendors' then
      select coalesce(v.name, entry ->> 'name') into name from (values (1)) one (one)
      left join public.vendors v on v.id = log_subject.row_id::bigint;
    when 'purchase_orders' then
      select format('%s from %s', o.id, v.name) into name
      from public.purchase_orders o join public.vendors v on v.id = o.vendor_id where o.id = log_subject.row_id::bigint;
    when 'purchase_order_items' then
      select i.purchase_order_id::text, i.item_name into id, name
      from public.purchase_order_items i where i.id = log_subject.row_id::bigint;
      id := coalesce(id, entry ->> 'purchase_order_id');
      name := coalesce(name, entry ->> 'item_name');
    when 'purchase_receipts' then
      select r.purchase_order_id::text, format('%s from %s', o.id, v.name) into id, name
      from public.purchase_receipts r join public.purchase_orders o on o.id = r.purchase_order_id join public.vendors v on v.id = o.vendor_id
      where r.id = log_subject.row_id::uuid;
    when 'purchase_receipt_items' then
      select i.purchase_order_id::text, i.item_name into id, name
      from public.purchase_order_items i where i.id = (entry ->> 'item_id')::bigint;
    when 'vendor_bills' then
      select v.id::text, v.name into id, name
      from public.vendor_bills b join public.vendors v on v.id = b.vendor_id where b.id = log_subject.row_id::bigint;
    when 'vendor_payments' then
      select v.id::text, v.name into id, name
      from public.vendor_payments p join public.vendors v on v.id = p.vendor_id where p.id = log_subject.row_id::uuid;
    when 'expenses' then
      select coalesce(nullif(e.description, ''), e.category) into name from public.expenses e where e.id = log_subject.row_id::bigint;
      name := coalesce(name, nullif(entry ->> 'description', ''), entry ->> 'category');
    when 'greetings' then
      select g.title into name from public.greetings g where g.id = log_subject.row_id::bigint;
    when 'caurousel' then
      select c.title into name from public.caurousel c where c.id = log_subject.row_id::bigint;
    when 'testimonials' then
      select t.title into name from public.testimonials t where t.id = log_subject.row_id::bigint;
    when 'categories' then
      select c.name into name from public.categories c where c.id = log_subject.row_id::bigint;
    when 'box_sizes' then
      select b.name into name from private.box_sizes b where b.id = log_subject.row_id::bigint;
      name := coalesce(name, entry ->> 'name');
    when 'box_sweets' then
      select p."Name" into name from public."Products" p where p."Id" = log_subject.row_id::bigint;
    when 'couriers' then
      select c.name into name from private.couriers c where c.id = log_subject.row_id::bigint;
    when 'festival_cutoffs' then
      select f.name into name from private.festival_cutoffs f where f.id = log_subject.row_id::bigint;
    when 'delivery_zones' then
      select z.name into name from public.delivery_zones z where z.id = log_subject.row_id::bigint;
    else
      select s.name, s.id into name, id from private.log_subject_of_parent(entry) s;
  end case;
  -- A number that only the database reads is no name.
  name := coalesce(name, entry ->> 'name', entry ->> 'title',
                   case when row_id ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then 'without a name' else row_id end);
  id := coalesce(id, row_id);
exception when data_exception then
  name := row_id; -- a table of the same name with other keys: say what we have
end $$;

create or replace function private.order_lines(order_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', i.id, 'product_id', i.product_id, 'name', i.product_name, 'image', i.product_image, 'quantity', i.quantity,
    'size', i.size, 'has_size', i.has_size, 'unit_price_paise', (i.unit_price * 100)::bigint, 'gst_percent', i.gst_percent,
    'hsn', i.hsn, 'line_paise', private.line_paise(i.unit_price, i.size, i.quantity)::bigint,
    'grams', case when i.contents is not null then b.grams when i.has_size then i.size else p.weight_grams end * i.quantity,
    'cost_paise', round(private.line_paise(c.unit_cost, i.size, i.quantity))::bigint,
    'food_mark', coalesce(p.food_mark, b.food_mark), 'allergens', coalesce(p.allergens, b.allergens),
    'shelf_life_days', coalesce(p.shelf_life_days, b.shelf_life_days)) order by i.id), '[]')
  from public.order_items i
  left join public."Products" p on p."Id" = i.product_id
  left join lateral private.box_facts(i.contents) b on i.contents is not null
  left join private.placed_items c on c.order_item_id = i.id
  where i.order_id = order_lines.order_id;
$$;

create function private.piece_paise(price numeric, piece_grams integer) returns bigint
language sql immutable parallel safe as $$
  select round(price * 100 * piece_grams / 500)::bigint;
$$;

create or replace function private.place_orders(
  paid_checkouts private.checkouts[], quotes private.quotes[], payments private.payments[], order_ids uuid[], at timestamptz) returns void
language plpgsql set search_path = '' as $$
begin
  perform set_config('shop.event_at', at::text, true);
  with quoted as materialized (
    select q.*, private.cutoff_window_start(q.created_at) as window_start from unnest(quotes) with ordinality as q
  ), promised as materialized (
    select k.*, c.deliver_on, c.pack_on, c.missed_day,
           case when k.chosen_day is null then private.promise_at_payment(k.pincode, k.delivery_by, k.window_start, place_orders.at)
                else c.deliver_on end as day
    from (select distinct q.pincode, q.delivery_by, q.window_start, q.deliver_on as chosen_day,
                          case when q.deliver_on is not null then q.product_ids end as product_ids from quoted q) k
    cross join lateral private.day_at_payment(k.pincode, k.chosen_day, k.product_ids, place_orders.at) c
  )
  insert into public.orders (id, user_id, payment_status, payment_id, source, fulfilment, sub_total, tax, shipping_charge,
                             total_amount, delivery_name, delivery_phone, delivery_building_no, delivery_street,
                             delivery_city, delivery_state, delivery_zip, delivery_by, created_at, updated_at,
                             deliver_on, pack_on, missed_day, group_id, group_place)
  select order_ids[p.ordinality], c.user_id, 'paid', p.payment_id, q.source, q.fulfilment, q.sub_total_paise / 100.0, q.tax_paise / 100.0,
         q.shipping_paise / 100.0, q.total_paise / 100.0, c.delivery_name, c.delivery_phone, c.delivery_building_no,
         c.delivery_street, c.delivery_city, c.delivery_state, c.delivery_zip,
         k.day, at, at, k.deliver_on, k.pack_on, k.missed_day, c.group_id, c.group_place
  from unnest(payments) with ordinality as p
  join unnest(paid_checkouts) with ordinality as c on c.ordinality = p.ordinality
  join quoted q on q.ordinality = p.ordinality
  left join promised k on k.pincode = q.pincode and k.window_start = q.window_start and k.delivery_by is not distinct from q.delivery_by
                      and k.chosen_day is not distinct from q.deliver_on and (k.chosen_day is null or k.product_ids = q.product_ids);
  perform private.fill_orders(order_ids, quotes, were_reserved => true, at => at);
  perform set_config('shop.event_at', '', true);
  -- Checked once more later: attempts that were still under way may be captured after this one. The gift is the order's now.
  update private.checkouts c
  set state = 'paid', held = '{}', order_id = order_ids[k.ordinality], gift = null,
      next_check_at = case when c.group_id is null then at + private.late_capture_delay() end
  from unnest(paid_checkouts) with ordinality as k
  where c.id = k.id;
  update private.group_orders g set state = 'paid', next_check_at = at + private.late_capture_delay()
  where g.id in (select c.group_id from unnest(paid_checkouts) as c);
  insert into private.payments (payment_id, provider_order_id, order_id, user_id, amount_paise, fee_paise, method, status, captured_at,
                                created_at, group_id)
  select p.payment_id, p.provider_order_id, case when c.group_id is null then order_ids[p.ordinality] end, p.user_id, p.amount_paise,
         p.fee_paise, p.method, p.status, p.captured_at, p.created_at, c.group_id
  from unnest(payments) with ordinality as p join unnest(paid_checkouts) with ordinality as c on c.ordinality = p.ordinality
  where c.group_place <= 1;
  insert into private.order_gifts (order_id, note, motif, sender_name, recipient_email)
  select order_ids[c.ordinality], c.gift ->> 'note', c.gift ->> 'motif', c.gift ->> 'sender_name', c.gift ->> 'recipient_email'
  from unnest(paid_checkouts) with ordinality as c
  where c.gift is not null;
end $$;

create function private.price_boxes(carts jsonb)
returns table (place integer, box_id bigint, quantity integer, product_name text, unit_price numeric, gst_percent numeric, hsn text,
               line_paise bigint, tax_paise bigint, grams integer, shelf_life_days integer, contents jsonb)
language plpgsql stable set search_path = '' as $$
begin
  if not jsonb_path_exists(carts, '$[*].lines[*].box_id') then
    return;
  end if;
  return query
  select f.place, f.box_id, f.quantity, format('%s (%s)', f.name, f.named), f.paise / 100.0, f.gst_percent, f.hsn, f.paise * f.quantity,
         round(f.paise * f.quantity * f.gst_percent / 100)::bigint, f.grams * f.quantity, f.shelf_life_days,
         jsonb_build_object('places', f.places, 'box_grams', f.box_grams, 'box_paise', f.box_paise, 'products', f.products)
  from (
    select b.place, b.box_id, b.quantity, s.name, s.places, s.weight_grams as box_grams, (s.price * 100)::bigint as box_paise,
           (s.price * 100 + sum(c.pieces * c.piece_paise))::bigint as paise, (s.weight_grams + sum(c.grams))::integer as grams,
           max(c.gst_percent) as gst_percent,
           (array_agg(c.hsn order by c.gst_percent desc, c.pieces * c.piece_paise desc, c.product_id))[1] as hsn,
           min(c.shelf_life_days)::integer as shelf_life_days,
           string_agg(format('%s %s', c.pieces, c.name), ', ' order by c.pieces desc, c.product_id) as named,
           jsonb_agg(jsonb_build_object('product_id', c.product_id, 'name', c.name, 'pieces', c.pieces, 'grams', c.grams,
                                        'piece_paise', c.piece_paise) order by c.product_id) as products
    from private.boxes_in_carts(carts) b
    join private.box_sizes s on s.id = b.box_id
    cross join lateral (
      select p."Id" as product_id, p."Name" as name, k.value::integer as pieces, k.value::integer * w.piece_grams as grams,
             private.piece_paise(p."Price", w.piece_grams) as piece_paise, p.gst_percent, p.hsn, p.shelf_life_days
      from jsonb_each_text(b.contents) k
      join private.box_sweets w on w.product_id = k.key::bigint
      join public."Products" p on p."Id" = w.product_id) c
    group by b.place, b.box_id, b.quantity, b.contents, s.id
  ) f;
end $$;

create or replace function private.price_orders(carts jsonb, at timestamptz)
returns table (place integer, customer_id uuid, quote private.quotes, grams bigint, rejection jsonb, spoiled jsonb)
language plpgsql stable set search_path = '' as $$
begin
  return query
  with cart as materialized (
    select a.ordinality::integer as place, a.customer_id, a.lines, a.pincode, a.source, a.fulfilment, a.delivery_on
    from rows from (jsonb_to_recordset(carts) as (
      customer_id uuid, lines jsonb, pincode text, source text, fulfilment text, delivery_on date)) with ordinality as a
  ), line as materialized (
    select l.place, p."Id" as product_id, l.size, l.quantity, p."Name" as product_name, p."Image" as product_image, p."hasSize" as has_size,
           p."Price" as unit_price, p.gst_percent, p.hsn, private.line_paise(p."Price", l.size, l.quantity)::bigint as line_paise,
           round(private.line_paise(p."Price", l.size, l.quantity) * p.gst_percent / 100)::bigint as tax_paise,
           case when p."hasSize" then l.size else p.weight_grams end * l.quantity as grams,
           private.stock_quantity(p."hasSize", l.size, l.quantity) as stock_units, p."Category" as category, p.shelf_life_days,
           null::bigint as box_id, null::jsonb as contents
    from (select a.place, l.product_id, l.size, sum(l.quantity)::integer as quantity
          from cart a, jsonb_to_recordset(a.lines) as l (product_id bigint, size integer, quantity integer)
          group by a.place, l.product_id, l.size) l
    cross join lateral (select p.* from public."Products" p where p."Id" = l.product_id offset 0) p
    union all
    select b.place, null, 500, b.quantity, b.product_name, '/images/own-box-960.webp', false, b.unit_price, b.gst_percent, b.hsn, b.line_paise,
           b.tax_paise, b.grams, 0, '', b.shelf_life_days, b.box_id, b.contents
    from private.price_boxes(carts) b
  ), wanted as materialized (
    select w.place, array_agg(w.product_id order by w.product_id) as product_ids, array_agg(w.units order by w.product_id) as units
    from (select l.place, u.product_id, sum(u.units)::integer as units
          from line l cross join lateral private.goods_of_line(l.product_id, l.stock_units, l.quantity, l.contents) u
          group by l.place, u.product_id) w
    group by w.place
  ), goods as materialized (
    select l.place, jsonb_agg(to_jsonb(l) - '{place,category,shelf_life_days}'::text[] order by l.product_id, l.size, l.box_id, l.product_name) as lines,
           count(distinct l.product_id) as products, sum(l.line_paise)::bigint as sub_total, sum(l.tax_paise)::bigint as tax,
           sum(l.grams)::bigint as grams, max(l.quantity) as most, bool_and(l.category = 'Takeaway') as all_takeaway,
           max(l.product_name) filter (where not l.has_size and l.size <> 500) as without_size, min(l.shelf_life_days) as shelf_life_days
    from line l group by l.place
  ), journeys as materialized (
    select z.pincode, z.delivery_on, z.zone, j.leaves_on, j.arrives_on, j.refusal
    from (select k.pincode, k.delivery_on, private.zone_of(k.pincode) as zone
          from (select distinct a.pincode, a.delivery_on from cart a where a.fulfilment = 'delivery') k offset 0) z
    left join lateral private.journey_of(price_orders.at, z.zone, z.delivery_on) j on true
  ), checked as materialized (
    select a.*, g.lines as priced, coalesce(g.sub_total, 0) as sub_total, coalesce(g.tax, 0) as tax, g.grams, g.shelf_life_days,
           w.product_ids, w.units, j.zone, j.leaves_on, j.arrives_on, j.arrives_on - j.leaves_on as days, j.refusal as day_refusal,
           case
             when x.rejection is not null then x.rejection
             when coalesce(g.products, 0) <> (select count(distinct l.product_id) from jsonb_to_recordset(a.lines) as l (product_id bigint))
               then jsonb_build_object('reason', 'unknown-product')
             when g.without_size is not null then jsonb_build_object('reason', 'size-not-offered', 'product', g.without_size)
             when g.most > 25 then jsonb_build_object('reason', 'too-many')
             when g.grams > 30000 then jsonb_build_object('reason', 'too-heavy')
             when a.fulfilment = 'pickup' and a.source <> 'manual' and not g.all_takeaway then jsonb_build_object('reason', 'pickup-not-offered')
             when a.fulfilment = 'delivery' and (j.zone).id is null
               then jsonb_build_object('reason', 'outside-zones', 'pincode', a.pincode) end as rejection
    from cart a
    left join goods g on g.place = a.place
    left join wanted w on w.place = a.place
    left join private.box_rejections(carts) x on x.place = a.place
    left join journeys j on j.pincode = a.pincode and j.delivery_on is not distinct from a.delivery_on and a.fulfilment = 'delivery'
  ), shipped as materialized (
    -- Which sweets would spoil is looked up when the one that keeps the shortest does.
    select j.*, case when j.rejection is null and j.fulfilment = 'delivery' then private.shipping_paise(j.zone, j.grams, j.source) else 0 end as shipping,
           case when j.rejection is null and not private.stays_fresh(j.shelf_life_days, j.days) then private.products_that_spoil(j.product_ids, j.days) end as spoiled
    from checked j
  )
  select s.place, s.customer_id,
         row(null, s.customer_id, s.source, s.fulfilment, s.pincode, s.priced, s.product_ids, s.units, s.sub_total, s.tax, s.shipping,
             case when v.rejection is null then s.sub_total + s.tax + s.shipping end, s.arrives_on, price_orders.at,
             price_orders.at + private.quote_time(), case when s.delivery_on is not null then s.arrives_on end,
             case when s.delivery_on is not null then s.leaves_on end)::private.quotes,
         s.grams, jsonb_build_object('ok', false) || v.rejection, s.spoiled
  from shipped s
  cross join lateral (
    select case when s.rejection is not null then s.rejection
                when s.source = 'manual' or s.fulfilment = 'pickup' then null
                when s.day_refusal is not null then s.day_refusal
                when s.arrives_on is null then jsonb_build_object('reason', 'closed')
                when s.spoiled is not null then jsonb_build_object('reason', 'would-spoil', 'pincode', s.pincode, 'spoiled', s.spoiled)
           end as rejection) v;
end $$;

create or replace function private.quote_contents(lines jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_agg(jsonb_build_array(l.product_id, l.size, l.quantity) || k.box order by l.product_id, l.size, k.box)
  from jsonb_to_recordset(quote_contents.lines) as l (product_id bigint, size integer, quantity integer, box_id bigint, contents jsonb)
  cross join lateral (
    select case when l.box_id is null then '[]' else jsonb_build_array(l.box_id) || jsonb_agg(jsonb_build_array(c.product_id, c.pieces) order by c.product_id) end as box
    from jsonb_to_recordset(l.contents -> 'products') as c (product_id bigint, pieces integer)) k;
$$;

create or replace function private.reverse_order_effects() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.status = 'canceled' then
    perform from public.stock_levels s
    where s.product_id in (select g.product_id from public.order_items i, private.goods_of_item(i) g where i.order_id = new.id)
    order by s.product_id for update;
    insert into public.stock_movements (product_id, quantity, reason, order_id, note)
    select g.product_id, g.units, 'return', new.id, 'order canceled' from private.goods_of_order(new.id) g order by g.product_id;
    if new.canceled_goods = 'wastage' then
      insert into public.stock_movements (product_id, quantity, reason, order_id, note)
      select g.product_id, -g.units, 'wastage', new.id, 'order canceled' from private.goods_of_order(new.id) g order by g.product_id;
    end if;
  end if;
  perform private.queue_refund(new.id, case new.status when 'canceled' then 'order canceled' else 'order refunded' end);
  return null;
end $$;

create or replace function private.units_to_pack(product_id bigint) returns bigint
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

create function private.was_box_ordered(box_id bigint) returns boolean
language sql stable set search_path = '' as $$
  select exists (select from public.order_items i where i.box_id = was_box_ordered.box_id);
$$;

create or replace function public.admin_change_address(order_id uuid, delivery jsonb, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.orders;
  typed jsonb;
  zone public.delivery_zones;
  journey record;
  chosen record;
  spoiled jsonb;
begin
  perform private.require_admin();
  taken := private.lock_unchanged_order(order_id, seen);
  if not private.is_before_packing(taken.status) then
    perform private.reject('The address cannot change once the order is packed.');
  end if;
  typed := private.validate_delivery(delivery, taken.fulfilment);
  if taken.fulfilment = 'delivery' and typed ->> 'zip' <> taken.delivery_zip then
    zone := private.zone_of(typed ->> 'zip');
    if zone.id is null then
      perform private.reject(format('We do not deliver to %s.', typed ->> 'zip'), 'zip');
    end if;
    -- It has not left us: another place is promised a day from now on.
    select * into journey from private.promise_delivery(now(), zone.max_days);
    if journey.arrives_on is null then
      perform private.reject('The shop is closed for too long to promise a date. Change the closures first, then the address.', 'zip');
    end if;
    -- A chosen day stays if the parcel can still be there, also if something would spoil; otherwise it is the next possible one.
    -- Whoever corrects the address sees it: missed_day is for late payments.
    if taken.deliver_on is not null then
      select c.deliver_on, c.pack_on into chosen
      from private.day_at_payment(typed ->> 'zip', taken.deliver_on, '{}', now()) c;
      taken.deliver_on := chosen.deliver_on;
      taken.pack_on := chosen.pack_on;
      journey.leaves_on := coalesce(chosen.pack_on, journey.leaves_on);
      journey.arrives_on := coalesce(chosen.deliver_on, journey.arrives_on);
    end if;
    taken.delivery_by := journey.arrives_on;
    spoiled := private.products_that_spoil(array(select g.product_id from private.goods_of_order(taken.id) g),
                               journey.arrives_on - journey.leaves_on);
  end if;
  update public.orders o
  set delivery_name = typed ->> 'name', delivery_phone = typed ->> 'phone', delivery_building_no = typed ->> 'building_no',
      delivery_street = typed ->> 'street', delivery_city = typed ->> 'city', delivery_state = typed ->> 'state',
      delivery_zip = typed ->> 'zip', delivery_by = taken.delivery_by,
      deliver_on = taken.deliver_on, pack_on = taken.pack_on
  where o.id = taken.id returning * into taken;
  return jsonb_build_object('updated_at', taken.updated_at, 'delivery_by', taken.delivery_by, 'spoiled', coalesce(spoiled, '[]'));
end $$;

create function public.admin_delete_box_size(box_id bigint, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken private.box_sizes;
begin
  perform private.require_admin();
  select * into taken from private.box_sizes b where b.id = box_id for update;
  perform private.expect_unchanged(seen, taken.updated_at);
  if private.was_box_ordered(taken.id) then
    perform private.reject('This box was ordered and stays in those orders. Take it off the list instead.');
  end if;
  delete from private.box_sizes b where b.id = taken.id;
  return jsonb_build_object('id', taken.id);
end $$;

create function public.admin_read_boxes() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'sizes', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', b.id, 'name', b.name, 'places', b.places, 'price_paise', (b.price * 100)::bigint, 'weight_grams', b.weight_grams,
        'is_listed', b.is_listed, 'was_ordered', private.was_box_ordered(b.id), 'updated_at', b.updated_at)
        order by b.places, b.id), '[]')
      from private.box_sizes b),
    'sweets', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'product_id', p."Id", 'name', p."Name", 'category', p."Category", 'piece_grams', s.piece_grams, 'piece_image', s.piece_image,
        'image', p."Image", 'piece_paise', private.piece_paise(p."Price", s.piece_grams),
        'is_offered', p."hasSize" and p.is_listed and p.archived_at is null, 'is_available', p.isavailable, 'updated_at', s.updated_at)
        order by lower(p."Name"), p."Id"), '[]')
      from private.box_sweets s join public."Products" p on p."Id" = s.product_id),
    -- What could be added: sweets on sale by weight.
    'others', (
      select coalesce(jsonb_agg(jsonb_build_object('product_id', o.id, 'name', o.name) order by lower(o.name), o.id), '[]')
      from (select p."Id" as id, p."Name" as name from public."Products" p
            where p."hasSize" and p.is_listed and p.archived_at is null
              and not exists (select from private.box_sweets s where s.product_id = p."Id")
            order by lower(p."Name"), p."Id" limit 500) o));
end $$;

create or replace function public.admin_read_count_sheet(category text default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (
    with unpacked as (
      select g.product_id, sum(g.units) as units
      from public.orders o join public.order_items i on i.order_id = o.id cross join lateral private.goods_of_item(i) g
      where private.is_before_packing(o.status)
      group by g.product_id
    )
    select jsonb_build_object('rows', coalesce(jsonb_agg(jsonb_build_object(
      'product_id', p."Id", 'name', p."Name", 'category', p."Category", 'has_size', p."hasSize", 'on_hand', s.on_hand,
      'to_pack', coalesce(u.units, 0), 'unit_cost_paise', (c.unit_cost * 100)::bigint,
      'last_counted_at', (select l.counted_at from public.stock_count_lines l where l.product_id = p."Id" order by l.counted_at desc limit 1))
      order by p."Category", lower(p."Name"), p."Id"), '[]'))
    from public."Products" p
    join public.stock_levels s on s.product_id = p."Id"
    left join unpacked u on u.product_id = p."Id"
    left join lateral (select k.unit_cost from private.product_costs k where k.product_id = p."Id" and k.valid_from <= now()
                       order by k.valid_from desc limit 1) c on true
    where (p.archived_at is null or s.on_hand > 0)
      and (admin_read_count_sheet.category is null or p."Category" = admin_read_count_sheet.category));
end $$;

create or replace function public.admin_read_kitchen(only_due boolean default false, at timestamptz default now(), packed_on date default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  today date := private.day_of(at);
  sweets jsonb;
  open_orders integer;
begin
  perform private.require_admin();
  with open as (
    select o.id, private.is_due_today(o, at) as is_due, exists (select from private.order_gifts g where g.order_id = o.id) as is_gift,
           case when o.pack_on > today then o.pack_on end as later_on
    from public.orders o where private.is_before_packing(o.status)
  ), wanted as (
    select * from open w where w.later_on is not distinct from case when packed_on > today then packed_on end and (w.is_due or not only_due or packed_on > today)
  )
  select (select count(*) from wanted), coalesce(jsonb_agg(to_jsonb(k) order by k.category, k.name), '[]') into open_orders, sweets
  from (
    select g.product_id, max(p."Name") as name, max(p."Category") as category, bool_or(i.has_size or i.product_id is null) as has_size,
           coalesce(sum(i.quantity) filter (where i.has_size and i.size = 500), 0) as half_kilos,
           coalesce(sum(i.quantity) filter (where i.has_size and i.size = 1000), 0) as kilos,
           coalesce(sum(g.units) filter (where i.has_size or i.product_id is null), 0) as grams,
           coalesce(sum(i.quantity) filter (where i.product_id is not null and not i.has_size), 0) as pieces,
           coalesce(sum(g.units) filter (where (i.has_size or i.product_id is null) and w.is_due), 0) as due_grams,
           coalesce(sum(i.quantity) filter (where i.product_id is not null and not i.has_size and w.is_due), 0) as due_pieces,
           coalesce(sum(g.pieces), 0) as box_pieces,
           count(distinct w.id) as orders, count(distinct w.id) filter (where w.is_gift) as gifts
    from wanted w
    join public.order_items i on i.order_id = w.id
    cross join lateral (
      select i.product_id, private.stock_quantity(i.has_size, i.size, i.quantity) as units, 0 as pieces where i.product_id is not null
      union all
      select c.product_id, c.grams * i.quantity, c.pieces * i.quantity
      from jsonb_to_recordset(i.contents -> 'products') as c (product_id bigint, grams integer, pieces integer)) g
    join public."Products" p on p."Id" = g.product_id
    group by g.product_id
  ) k;
  return jsonb_build_object('orders', open_orders, 'sweets', sweets, 'later', (
    select coalesce(jsonb_agg(jsonb_build_object('day', d.pack_on, 'orders', d.orders) order by d.pack_on), '[]')
    from (select o.pack_on, count(*) as orders from public.orders o
          where o.pack_on > today and private.is_before_packing(o.status) group by o.pack_on) d));
end $$;

create function public.admin_remove_box_sweet(product_id bigint, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken private.box_sweets;
begin
  perform private.require_admin();
  select * into taken from private.box_sweets s where s.product_id = admin_remove_box_sweet.product_id for update;
  perform private.expect_unchanged(seen, taken.updated_at);
  delete from private.box_sweets s where s.product_id = taken.product_id;
  return jsonb_build_object('product_id', taken.product_id);
end $$;

create function public.admin_save_box_size(
  name text, places integer, price_paise bigint, weight_grams integer, is_listed boolean,
  box_id bigint default null, seen timestamptz default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken private.box_sizes;
  typed_name text;
begin
  perform private.require_admin();
  perform pg_advisory_xact_lock(hashtextextended('boxes', 0));
  if box_id is not null then
    select * into taken from private.box_sizes b where b.id = box_id for update;
    if taken.id is null then
      raise sqlstate 'PT409' using message = 'This box was deleted by someone else.', detail = 'stale';
    end if;
    perform private.expect_unchanged(seen, taken.updated_at);
  end if;
  typed_name := private.validate_text(name, 'name', 'The name', 60, is_needed => true);
  if char_length(typed_name) < 2 then
    perform private.reject('A name has at least 2 characters.', 'name');
  elsif exists (select from private.box_sizes b where lower(b.name) = lower(typed_name) and b.id is distinct from box_id) then
    perform private.reject(format('There is a box called %s already.', typed_name), 'name');
  elsif places is null or places not between 2 and 48 then
    perform private.reject('Between 2 and 48 places.', 'places');
  elsif price_paise is null or price_paise not between 0 and 1000000 then
    perform private.reject('A price between ₹0 and ₹10,000.', 'price_paise');
  elsif weight_grams is null or weight_grams not between 0 and 5000 then
    perform private.reject('Between 0 and 5000 g.', 'weight_grams');
  elsif taken.id is null and (select count(*) from private.box_sizes) >= 20 then
    perform private.reject('There are 20 boxes already. Delete one first.', 'name');
  end if;
  if taken.id is null then
    insert into private.box_sizes (name, places, price, weight_grams, is_listed)
    values (typed_name, admin_save_box_size.places, admin_save_box_size.price_paise / 100.0, admin_save_box_size.weight_grams,
            coalesce(admin_save_box_size.is_listed, true))
    returning * into taken;
  else
    update private.box_sizes b
    set name = typed_name, places = admin_save_box_size.places, price = admin_save_box_size.price_paise / 100.0,
        weight_grams = admin_save_box_size.weight_grams, is_listed = coalesce(admin_save_box_size.is_listed, true)
    where b.id = taken.id returning * into taken;
  end if;
  return jsonb_build_object('id', taken.id, 'updated_at', taken.updated_at);
end $$;

create function public.admin_save_box_sweet(
  product_id bigint, piece_grams integer, piece_image text default '', seen timestamptz default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  product public."Products";
  taken private.box_sweets;
  image text := btrim(coalesce(piece_image, ''));
begin
  perform private.require_admin();
  select * into product from public."Products" p where p."Id" = admin_save_box_sweet.product_id for share;
  select * into taken from private.box_sweets s where s.product_id = admin_save_box_sweet.product_id for update;
  if product."Id" is null or product.archived_at is not null then
    perform private.reject('Choose a product.', 'product_id');
  elsif not product."hasSize" then
    perform private.reject('Only sweets sold by weight can go into a box.', 'product_id');
  elsif seen is null and taken.product_id is not null then
    perform private.reject(format('%s is among them already.', product."Name"), 'product_id');
  elsif piece_grams is null or piece_grams not between 1 and 500 then
    perform private.reject('Between 1 and 500 g.', 'piece_grams');
  elsif image <> '' and not private.is_safe_link(image) then
    perform private.reject('An address that begins with / or https://.', 'piece_image');
  end if;
  if seen is not null then
    perform private.expect_unchanged(seen, taken.updated_at);
    update private.box_sweets s set piece_grams = admin_save_box_sweet.piece_grams, piece_image = image
    where s.product_id = taken.product_id returning * into taken;
  else
    insert into private.box_sweets (product_id, piece_grams, piece_image)
    values (product."Id", admin_save_box_sweet.piece_grams, image) returning * into taken;
  end if;
  return jsonb_build_object('product_id', taken.product_id, 'updated_at', taken.updated_at);
end $$;

create function public.box_page() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'sizes', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', b.id, 'name', b.name, 'places', b.places, 'price_paise', (b.price * 100)::bigint, 'weight_grams', b.weight_grams)
        order by b.places, b.id), '[]')
      from private.box_sizes b where b.is_listed),
    'sweets', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'product_id', p."Id", 'name', p."Name", 'category', p."Category", 'price_paise', (p."Price" * 100)::bigint,
        'gst_percent', p.gst_percent, 'piece_grams', s.piece_grams, 'image', p."Image", 'piece_image', s.piece_image,
        'food_mark', p.food_mark, 'allergens', p.allergens, 'shelf_life_days', p.shelf_life_days, 'is_available', p.isavailable)
        order by o.product_id is null, p."Rating" desc nulls last, p."Id"), '[]')
      from private.box_sweets s
      join public."Products" p on p."Id" = s.product_id
      left join private.popular_products o on o.product_id = p."Id"
      where p."hasSize" and p.is_listed and p.archived_at is null));
$$;

create or replace function public.count_product_pairs(at timestamptz default now()) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  changed integer;
begin
  insert into private.product_pair_counts as c (counted_at) values (count_product_pairs.at)
  on conflict (id) do update set counted_at = excluded.counted_at
  where c.counted_at <= excluded.counted_at - interval '1 day' or c.counted_at > excluded.counted_at;
  if not found then
    return false;
  end if;
  with bought as (
    select distinct o.id as order_id, o.user_id, i.product_id
    from public.orders o join public.order_items i on i.order_id = o.id
    where o.created_at > count_product_pairs.at - interval '180 days' and o.created_at <= count_product_pairs.at
      and o.status <> 'canceled' and o.user_id is not null
      and i.product_id is not null
  ), pairs as (
    select a.product_id, b.product_id as other_id, count(distinct a.user_id)::integer as customers
    from bought a join bought b on b.order_id = a.order_id and b.product_id <> a.product_id
    group by a.product_id, b.product_id
    having count(distinct a.user_id) >= 3
  ), gone as (
    delete from private.product_pairs p
    where not exists (select from pairs n where n.product_id = p.product_id and n.other_id = p.other_id)
    returning 1
  ), counted as (
    insert into private.product_pairs as p (product_id, other_id, customers)
    select n.product_id, n.other_id, n.customers from pairs n
    on conflict (product_id, other_id) do update set customers = excluded.customers
    where p.customers <> excluded.customers
    returning 1
  )
  select (select count(*) from gone) + (select count(*) from counted) into changed;
  if changed > 0 then
    perform private.invalidate_pages();
  end if;
  return true;
end $$;

create or replace function public.sweep(at timestamptz default now()) returns void
language sql security definer set search_path = '' as $$
  delete from private.checkouts c
  where c.state in ('lapsed', 'superseded') and c.created_at < at - interval '30 days'
    and not exists (select from private.payments p where p.provider_order_id = private.provider_order_of(c));
  delete from private.group_orders g
  where g.state = 'open' and g.created_at < at - interval '30 days' and not exists (select from private.checkouts c where c.group_id = g.id)
    and not exists (select from private.payments p where p.provider_order_id = g.provider_order_id);
  delete from private.quotes q
  where q.expires_at < at - interval '1 hour' and not exists (select from private.checkouts c where c.quote_id = q.id);
  update private.order_gifts g set recipient_email = null
  where g.recipient_email is not null and exists (
    select from public.orders o
    where o.id = g.order_id and private.is_finished(o.status) and o.status_since < at - interval '30 days');
  delete from private.payment_events e where e.received_at < at - interval '30 days';
  delete from private.outbox o where o.done_at < at - interval '30 days';
  delete from private.rate_limits t where t.window_start < at - interval '1 day';
  select private.delete_unused_words();
$$;

create or replace view public.order_details_view with (security_invoker = true) as
  select o.id as order_id, o.total_amount, o.status, o.created_at, i.product_name, i.product_image,
         i.quantity, i.size, i.unit_price, o.user_id,
         o.number, i.product_id, o.payment_status, o.shipping_charge, o.sub_total, o.tax, o.fulfilment,
         i.has_size, o.delivery_by, o.courier, o.tracking_number, o.tracking_url, o.cancel_reason,
         private.order_shipping_tax(o) / 100.0 as shipping_tax, o.deliver_on, o.missed_day,
         o.group_id, o.group_place, i.box_id, i.contents
  from public.orders o
  join public.order_items i on i.order_id = o.id;

create unique index box_sizes_name_idx on private.box_sizes (lower(name));

create index order_items_box_idx on public.order_items (box_id, order_id) where box_id is not null;

create trigger box_sizes_audit after insert or update or delete on private.box_sizes
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');

create trigger box_sizes_invalidate_pages_delete after delete on private.box_sizes
  referencing old table as old_rows for each statement execute function private.invalidate_pages_if_changed();

create trigger box_sizes_invalidate_pages_insert after insert on private.box_sizes
  referencing new table as new_rows for each statement execute function private.invalidate_pages_if_changed();

create trigger box_sizes_invalidate_pages_truncate after truncate on private.box_sizes
  for each statement execute function private.invalidate_pages_always();

create trigger box_sizes_invalidate_pages_update after update on private.box_sizes
  referencing old table as old_rows new table as new_rows
  for each statement execute function private.invalidate_pages_if_changed();

create trigger box_sizes_touch before update on private.box_sizes
  for each row execute function private.touch_updated_at();

create trigger box_sweets_audit after insert or update or delete on private.box_sweets
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('product_id');

create trigger box_sweets_invalidate_pages_delete after delete on private.box_sweets
  referencing old table as old_rows for each statement execute function private.invalidate_pages_if_changed();

create trigger box_sweets_invalidate_pages_insert after insert on private.box_sweets
  referencing new table as new_rows for each statement execute function private.invalidate_pages_if_changed();

create trigger box_sweets_invalidate_pages_truncate after truncate on private.box_sweets
  for each statement execute function private.invalidate_pages_always();

create trigger box_sweets_invalidate_pages_update after update on private.box_sweets
  referencing old table as old_rows new table as new_rows
  for each statement execute function private.invalidate_pages_if_changed();

create trigger box_sweets_touch before update on private.box_sweets
  for each row execute function private.touch_updated_at();

revoke execute on function private.box_facts(contents jsonb) from public, anon, authenticated;

revoke execute on function private.box_rejections(carts jsonb) from public, anon, authenticated;

revoke execute on function private.boxes_in_carts(carts jsonb) from public, anon, authenticated;

revoke execute on function private.contents_cost_at(contents jsonb, at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.goods_of_item(item order_items) from public, anon, authenticated;

revoke execute on function private.goods_of_line(own_product bigint, own_units integer, quantity integer, contents jsonb) from public, anon, authenticated;

revoke execute on function private.goods_of_order(order_id uuid) from public, anon, authenticated;

revoke execute on function private.piece_paise(price numeric, piece_grams integer) from public, anon, authenticated;

revoke execute on function private.price_boxes(carts jsonb) from public, anon, authenticated;

revoke execute on function private.was_box_ordered(box_id bigint) from public, anon, authenticated;

revoke execute on function public.admin_delete_box_size(box_id bigint, seen timestamp with time zone) from public, anon, authenticated;

grant execute on function public.admin_delete_box_size(box_id bigint, seen timestamp with time zone) to authenticated;

grant execute on function public.admin_delete_box_size(box_id bigint, seen timestamp with time zone) to service_role;

revoke execute on function public.admin_read_boxes() from public, anon, authenticated;

grant execute on function public.admin_read_boxes() to authenticated;

grant execute on function public.admin_read_boxes() to service_role;

revoke execute on function public.admin_remove_box_sweet(product_id bigint, seen timestamp with time zone) from public, anon, authenticated;

grant execute on function public.admin_remove_box_sweet(product_id bigint, seen timestamp with time zone) to authenticated;

grant execute on function public.admin_remove_box_sweet(product_id bigint, seen timestamp with time zone) to service_role;

revoke execute on function public.admin_save_box_size(name text, places integer, price_paise bigint, weight_grams integer, is_listed boolean, box_id bigint, seen timestamp with time zone) from public, anon, authenticated;

grant execute on function public.admin_save_box_size(name text, places integer, price_paise bigint, weight_grams integer, is_listed boolean, box_id bigint, seen timestamp with time zone) to authenticated;

grant execute on function public.admin_save_box_size(name text, places integer, price_paise bigint, weight_grams integer, is_listed boolean, box_id bigint, seen timestamp with time zone) to service_role;

revoke execute on function public.admin_save_box_sweet(product_id bigint, piece_grams integer, piece_image text, seen timestamp with time zone) from public, anon, authenticated;

grant execute on function public.admin_save_box_sweet(product_id bigint, piece_grams integer, piece_image text, seen timestamp with time zone) to authenticated;

grant execute on function public.admin_save_box_sweet(product_id bigint, piece_grams integer, piece_image text, seen timestamp with time zone) to service_role;

revoke execute on function public.box_page() from public, anon, authenticated;

grant execute on function public.box_page() to anon;

grant execute on function public.box_page() to authenticated;

grant execute on function public.box_page() to service_role;

comment on table private.box_sizes is 'Boxes that customers fill themselves. One that was sold stays, and can be taken off the list.';

comment on table private.box_sweets is 'Which products can be chosen for a box, and what one piece weighs.';
