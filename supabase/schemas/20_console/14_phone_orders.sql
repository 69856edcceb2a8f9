-- Console: orders taken by phone.
-- Administrators only. Writes orders with their items and sales.
set check_function_bodies = off;

-- Products whose name has every word that was typed; where there is none, those that sound like it ("ladoo"). Those
-- that begin with it come first, then the best sellers.
create function public.admin_find_sweets(search text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  typed text := left(btrim(regexp_replace(coalesce(search, ''), '[[:space:]]+', ' ', 'g')), 60);
  small constant text := lower(typed);
  words text[];
  others text[];
  found_ids bigint[];
begin
  perform private.require_admin();
  words := array(select '%' || replace(replace(replace(w, '\', '\\'), '%', '\%'), '_', '\_') || '%'
                 from unnest(string_to_array(small, ' ')) w where w <> '' order by char_length(w) desc);
  if cardinality(words) = 0 then
    return '[]';
  end if;
  -- The longest word by itself, because an index can be asked for it. To make letters small is most of the work, so it is
  -- done as rarely as can be.
  others := words[2:];
  found_ids := array(
    select p."Id" from public."Products" p
    where p.is_listed and p.archived_at is null and lower(p."Name") like words[1]
      and (others = '{}' or lower(p."Name") like all (others))
    order by not starts_with(lower(p."Name"), small), p."Rating" desc nulls last, p."Id" limit 8);
  if cardinality(found_ids) = 0 then
    perform set_config('pg_trgm.word_similarity_threshold', '0.45', true);
    found_ids := array(
      select p."Id" from public."Products" p
      where p.is_listed and p.archived_at is null and typed operator(extensions.<%) p."Name"
      order by extensions.word_similarity(typed, p."Name") desc, p."Rating" desc nulls last, p."Id" limit 8);
  end if;
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'product_id', p."Id", 'name', p."Name", 'image', p."Image", 'category', p."Category", 'has_size', p."hasSize",
      'price_paise', (p."Price" * 100)::bigint, 'left', greatest(s.on_hand - s.reserved, 0)) order by f.place), '[]')
    from unnest(found_ids) with ordinality f (id, place)
    join public."Products" p on p."Id" = f.id
    join public.stock_levels s on s.product_id = p."Id");
end $$;

-- Who called from this number: from profiles and earlier orders, those with an address first. The recipient of a parcel that a
-- customer sent to an address of their book, or with a group, is a person of their own: what they order is not that customer's, who
-- would read it.
create function public.admin_find_callers(phone text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  digits text := right(regexp_replace(coalesce(phone, ''), '\D', '', 'g'), 10);
begin
  perform private.require_admin();
  if char_length(digits) < 10 then
    return '[]';
  end if;
  return (
    with earlier as (
      select o.*, o.group_id is not null
                  or exists (select from private.checkouts c where c.order_id = o.id and c.address_id is not null) as is_for_other
      from public.orders o
      where right(regexp_replace(o.delivery_phone, '\D', '', 'g'), 10) = digits order by o.created_at desc limit 100
    ), known as (
      select p.user_id, private.person_name(p.user_id) as name, coalesce(p.building_no, '') as building_no,
             coalesce(p.street, '') as street, coalesce(p.city, '') as city, coalesce(p.state, '') as state,
             coalesce(p.zip, '') as zip, p.updated_at as at, 1 as place
      from public.user_profiles p where right(regexp_replace(p.phone, '\D', '', 'g'), 10) = digits
      union all
      select case when not e.is_for_other then e.user_id end, e.delivery_name, e.delivery_building_no, e.delivery_street, e.delivery_city, e.delivery_state,
             e.delivery_zip, e.created_at, 2
      from earlier e
    ), people as (
      select distinct on (coalesce(k.user_id::text, lower(k.name))) k.*
      from known k order by coalesce(k.user_id::text, lower(k.name)), k.zip = '', k.place, k.at desc
    )
    select coalesce(jsonb_agg(jsonb_build_object(
      'user_id', c.user_id, 'name', c.name, 'building_no', c.building_no, 'street', c.street, 'city', c.city, 'state', c.state,
      'zip', c.zip,
      'orders', case when c.user_id is not null then (select count(*) from public.orders o where o.user_id = c.user_id)
                     else (select count(*) from earlier e where e.user_id is null and lower(e.delivery_name) = lower(c.name)) end,
      'is_blocked', r.blocked_at is not null, 'notes', coalesce(r.notes, '')) order by c.zip = '', c.place, c.at desc), '[]')
    from (select * from people p order by p.zip = '', p.place, p.at desc limit 5) c
    left join private.customer_records r on r.user_id = c.user_id);
end $$;

-- Lines as typed: [{product_id, size, quantity}].
create function private.validate_lines(lines jsonb) returns jsonb
language plpgsql immutable set search_path = '' as $$
begin
  if jsonb_typeof(lines) is distinct from 'array' or jsonb_array_length(lines) not between 1 and 40 then
    perform private.reject('Add at least one item.', 'lines');
  elsif exists (
    select from jsonb_array_elements(lines) l
    where coalesce(l ->> 'product_id', '') !~ '^[1-9][0-9]{0,15}$' or coalesce(l ->> 'size', '') not in ('500', '1000')
       or coalesce(l ->> 'quantity', '') !~ '^([1-9]|1[0-9]|2[0-5])$') then
    perform private.reject('Enter a quantity from 1 to 25 and a size for each item.', 'lines');
  end if;
  return lines;
end $$;

-- Why price_order() rejected an order, in a sentence for the person at the phone.
create function private.describe_rejection(rejection jsonb) returns text
language sql immutable set search_path = '' as $$
  select case rejection ->> 'reason'
    when 'unknown-product' then 'An item in this order is no longer available. Remove it and choose again.'
    when 'size-not-offered' then format('%s is not sold by weight.', rejection ->> 'product')
    when 'too-many' then 'An order can have at most 25 of one item and size.'
    when 'too-heavy' then 'One order can weigh at most 30 kg.'
    when 'outside-zones' then format('We do not deliver to %s.', rejection ->> 'pincode')
    when 'not-available' then format('%s is not on sale.', rejection ->> 'product')
    when 'not-enough-stock' then
      case when (rejection ->> 'left')::integer <= 0 then format('%s is sold out.', rejection ->> 'product')
           else format('Only %s of %s left.', case
             when rejection ->> 'unit' = 'pieces' then (rejection ->> 'left') || case rejection ->> 'left' when '1' then ' piece' else ' pieces' end
             when (rejection ->> 'left')::integer >= 1000 then trim_scale((rejection ->> 'left')::numeric / 1000) || ' kg'
             else (rejection ->> 'left') || ' g' end, rejection ->> 'product') end
    else 'This order cannot be taken.' end;
$$;

-- What the owner charges for shipping: by zone unless entered otherwise; nothing for pickup.
create function private.manual_shipping(quote private.quotes, shipping_paise bigint) returns bigint
language plpgsql immutable set search_path = '' as $$
begin
  if shipping_paise is not null and shipping_paise not between 0 and 1000000 then
    perform private.reject('Shipping is between ₹0 and ₹10,000.', 'shipping_paise');
  end if;
  return case when quote.fulfilment = 'pickup' then 0 else coalesce(shipping_paise, quote.shipping_paise) end;
end $$;

-- The price of a phone order while it is typed, with the GST in its shipping and what the same items would pay in
-- an online cart. Totals of the goods are there even where the order is impossible (`problem`); without a pincode
-- there is no shipping and no total yet. `spoiled` are sweets that would not survive the journey, which does not
-- prevent the order: the person who takes it knows the courier.
create function public.admin_price_order(lines jsonb, fulfilment text, pincode text default '', shipping_paise bigint default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  lacks_pincode boolean := fulfilment = 'delivery' and coalesce(pincode, '') !~ '^[1-9][0-9]{5}$';
  priced record;
  quote private.quotes;
  shipping bigint;
begin
  perform private.require_admin();
  select * into priced from private.price_order(
    private.validate_lines(lines), pincode, 'manual', case when lacks_pincode then 'pickup' else fulfilment end, null, now());
  quote := priced.quote;
  if quote.total_paise is not null and not lacks_pincode then
    shipping := private.manual_shipping(quote, shipping_paise);
  end if;
  return jsonb_build_object(
    'lines', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'product_id', l.product_id, 'size', l.size, 'quantity', l.quantity, 'line_paise', l.line_paise,
        'left', greatest(s.on_hand - s.reserved, 0)) order by l.product_id, l.size), '[]')
      from jsonb_to_recordset(quote.lines) as l (product_id bigint, size integer, quantity integer, line_paise bigint)
      join public.stock_levels s on s.product_id = l.product_id),
    'sub_total_paise', quote.sub_total_paise, 'tax_paise', quote.tax_paise, 'grams', coalesce(priced.grams, 0),
    'zone_shipping_paise', case when shipping is not null then quote.shipping_paise end, 'shipping_paise', shipping,
    'cart_shipping_paise', case when shipping is not null and fulfilment = 'delivery'
                                then private.shipping_paise(private.zone_of(pincode), priced.grams, 'cart') end,
    'shipping_tax_paise', case when shipping is not null and private.is_registered() then (
      select private.shipping_tax_paise(shipping, array_agg(l.hsn), array_agg(l.gst_percent), array_agg(l.line_paise))
      from jsonb_to_recordset(quote.lines) as l (hsn text, gst_percent numeric, line_paise numeric)) else 0 end,
    'total_paise', quote.sub_total_paise + quote.tax_paise + shipping,
    'delivery_by', case when shipping is not null then quote.delivery_by end,
    'spoiled', coalesce(priced.spoiled, '[]'),
    'problem', case when priced.rejection is not null
                    then jsonb_build_object('message', private.describe_rejection(priced.rejection), 'field',
                           case priced.rejection ->> 'reason' when 'outside-zones' then 'zip' else 'lines' end) end);
end $$;

-- Takes a phone order, once: the browser makes its id, and a repeated call gets the result of the first. Its note
-- is printed.
create function public.admin_create_phone_order(
  order_id uuid, lines jsonb, fulfilment text, delivery jsonb, total_paise bigint, shipping_paise bigint default null,
  offline_method text default null, customer_id uuid default null, note text default '') returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  placed public.orders;
  typed jsonb;
  typed_note text;
  priced record;
  quote private.quotes;
begin
  perform private.require_admin();
  if order_id is null then
    perform private.reject('The order has no id.');
  end if;
  perform pg_advisory_xact_lock(hashtextextended('take order ' || order_id, 0));
  select * into placed from public.orders o where o.id = admin_create_phone_order.order_id;
  if placed.id is not null then
    return jsonb_build_object('id', placed.id, 'number', placed.number, 'is_new', false);
  end if;

  if fulfilment is null or fulfilment not in ('delivery', 'pickup') then
    perform private.reject('Choose delivery or pickup.', 'fulfilment');
  elsif offline_method not in ('cash', 'upi', 'card', 'bank') then
    perform private.reject('Choose a payment mode.', 'offline_method');
  elsif customer_id is not null and not exists (select from auth.users u where u.id = customer_id) then
    perform private.reject('This customer is no longer there.', 'phone');
  end if;
  lines := private.validate_lines(lines);
  typed := private.validate_delivery(delivery, fulfilment);
  typed_note := private.validate_text(note, 'note', 'The note', 2000, is_one_line => false);
  perform private.lock_stock(array(select (l ->> 'product_id')::bigint from jsonb_array_elements(lines) l));
  select * into priced from private.price_order(lines, typed ->> 'zip', 'manual', fulfilment, null, now());
  if priced.rejection is not null then
    perform private.reject(private.describe_rejection(priced.rejection),
                           case priced.rejection ->> 'reason' when 'outside-zones' then 'zip' else 'lines' end);
  end if;
  quote := priced.quote;
  quote.shipping_paise := private.manual_shipping(quote, shipping_paise);
  quote.total_paise := quote.sub_total_paise + quote.tax_paise + quote.shipping_paise;
  if total_paise is distinct from quote.total_paise then
    perform private.reject(format('The total is %s now. Tell the customer, then save again.', private.format_rupees(quote.total_paise)), 'total_paise');
  end if;

  insert into public.orders (id, user_id, payment_status, offline_method, source, fulfilment, sub_total, tax, shipping_charge,
                             total_amount, delivery_name, delivery_phone, delivery_building_no, delivery_street,
                             delivery_city, delivery_state, delivery_zip, delivery_by)
  values (admin_create_phone_order.order_id, customer_id, case when offline_method is null then 'unpaid' else 'paid_offline' end,
          admin_create_phone_order.offline_method, 'manual', quote.fulfilment, quote.sub_total_paise / 100.0, quote.tax_paise / 100.0,
          quote.shipping_paise / 100.0, quote.total_paise / 100.0, typed ->> 'name', typed ->> 'phone', typed ->> 'building_no',
          typed ->> 'street', typed ->> 'city', typed ->> 'state', typed ->> 'zip', quote.delivery_by)
  returning * into placed;
  perform private.fill_orders(array[placed.id], array[quote], were_reserved => false, at => placed.created_at);
  if typed_note <> '' then
    insert into private.order_notes (order_id, author_id, note, on_paper) values (placed.id, auth.uid(), typed_note, true);
  end if;
  return jsonb_build_object('id', placed.id, 'number', placed.number, 'is_new', true);
end $$;
