-- What an order costs is computed in one place, for those who pay online and for those who call: price_order() makes the
-- quote, fill_order() puts it into an order. quote_order() and place_order() are as before, over these two.

-- What lines cost, weigh and take from stock, as a quote that nobody has kept yet; or why they cannot be ordered. The
-- sums of the goods are there even then. `held` is what the customer's own open checkout holds back.
create function private.price_order(
  lines jsonb, pincode text, source text, fulfilment text, held private.quotes, at timestamptz,
  out quote private.quotes, out grams bigint, out refusal jsonb)
language plpgsql stable set search_path = '' as $$
declare
  zone public.delivery_zones;
  asked integer := (select count(distinct (line ->> 'product_id')::bigint) from jsonb_array_elements(lines) as line);
  priced record;
begin
  select jsonb_agg(to_jsonb(l) - 'category' order by l.product_id, l.size) as lines,
         count(distinct l.product_id) as products,
         coalesce(sum(l.line_paise), 0)::bigint as sub_total, coalesce(sum(l.tax_paise), 0)::bigint as tax,
         sum(l.grams)::bigint as grams,
         max(l.quantity) as most, bool_and(l.category = 'Takeaway') as all_takeaway,
         max(l.product_name) filter (where not l.has_size and l.size <> 500) as without_size
  into priced
  from private.price_lines(price_order.lines) l;
  grams := priced.grams;
  quote.source := price_order.source;
  quote.fulfilment := price_order.fulfilment;
  quote.pincode := price_order.pincode;
  quote.lines := priced.lines;
  quote.sub_total_paise := priced.sub_total;
  quote.tax_paise := priced.tax;
  quote.shipping_paise := 0;
  quote.created_at := at;
  quote.expires_at := at + interval '15 minutes';

  if priced.products is distinct from asked then
    refusal := jsonb_build_object('ok', false, 'reason', 'unknown-product');
  elsif priced.without_size is not null then
    refusal := jsonb_build_object('ok', false, 'reason', 'size-not-offered', 'product', priced.without_size);
  elsif priced.most > 25 then
    refusal := jsonb_build_object('ok', false, 'reason', 'too-many');
  elsif priced.grams > 30000 then
    refusal := jsonb_build_object('ok', false, 'reason', 'too-heavy');
  elsif price_order.fulfilment = 'pickup' and price_order.source <> 'manual' and not priced.all_takeaway then
    refusal := jsonb_build_object('ok', false, 'reason', 'pickup-not-offered');
  end if;
  if refusal is not null then
    return;
  end if;

  if price_order.fulfilment = 'delivery' then
    zone := private.zone_of(price_order.pincode);
    if zone.id is null then
      refusal := jsonb_build_object('ok', false, 'reason', 'outside-zones', 'pincode', price_order.pincode);
      return;
    end if;
    quote.shipping_paise := case when price_order.source = 'cart' then 4000
      else zone.first_kg_charge * 100 + zone.extra_kg_charge * 100 * ((priced.grams + 999) / 1000 - 1) end;
    quote.delivery_by := private.delivery_by(at, zone.max_days);
  end if;
  quote.total_paise := quote.sub_total_paise + quote.tax_paise + quote.shipping_paise;

  select array_agg(l.product_id order by l.product_id), array_agg(l.units order by l.product_id)
  into quote.product_ids, quote.units
  from (
    select w.product_id, sum(w.stock_units)::integer as units
    from jsonb_to_recordset(priced.lines) as w (product_id bigint, stock_units integer)
    group by w.product_id
  ) l;
  refusal := private.shortage(quote.product_ids, quote.units, held);
end $$;
revoke execute on function private.price_order(jsonb, text, text, text, private.quotes, timestamptz) from public;

create or replace function public.quote_order(
  customer_id uuid, lines jsonb, pincode text, source text, fulfilment text, at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  held private.quotes;
  priced record;
  quoted private.quotes;
begin
  -- A quote that a crash takes away is asked for again: nothing waits for the disk.
  perform set_config('synchronous_commit', 'off', true);
  if not private.take_turn('quote', customer_id::text, 60, interval '1 minute', at) then
    return jsonb_build_object('ok', false, 'reason', 'too-many-quotes');
  end if;
  select q.* into held from private.checkouts c join private.quotes q on q.id = c.quote_id
  where c.user_id = customer_id and c.state = 'open';
  select * into priced from private.price_order(lines, pincode, source, fulfilment, held, at);
  if priced.refusal is not null then
    return priced.refusal;
  end if;

  quoted := priced.quote;
  quoted.id := gen_random_uuid();
  quoted.user_id := customer_id;
  insert into private.quotes select quoted.*;
  return jsonb_build_object(
    'ok', true, 'quote_id', quoted.id, 'sub_total_paise', quoted.sub_total_paise, 'tax_paise', quoted.tax_paise,
    'shipping_paise', quoted.shipping_paise, 'total_paise', quoted.total_paise,
    'delivery_by', quoted.delivery_by, 'expires_at', quoted.expires_at);
end $$;

-- The items of a new order and their sale from stock. The caller holds the locks and has looked at the stock.
create function private.fill_order(placed public.orders, quote private.quotes, was_reserved boolean) returns void
language plpgsql set search_path = '' as $$
begin
  insert into public.order_items (order_id, product_id, product_name, product_image, quantity, size, unit_price,
                                  gst_percent, hsn, has_size)
  select placed.id, l.product_id, l.product_name, l.product_image, l.quantity, l.size, l.unit_price, l.gst_percent, l.hsn, l.has_size
  from jsonb_to_recordset(quote.lines) as l (product_id bigint, product_name text, product_image text, quantity integer,
    size integer, unit_price numeric, gst_percent numeric, hsn text, has_size boolean)
  order by l.product_id, l.size;
  insert into public.stock_movements (product_id, quantity, reason, order_id, created_at, was_reserved)
  select u.product_id, -u.units, 'sale', placed.id, placed.created_at, fill_order.was_reserved
  from unnest(quote.product_ids, quote.units) as u (product_id, units);
end $$;
revoke execute on function private.fill_order(public.orders, private.quotes, boolean) from public;

create or replace function private.place_order(checkout private.checkouts, quote private.quotes, payment_id text, at timestamptz) returns public.orders
language plpgsql set search_path = '' as $$
declare
  placed public.orders;
begin
  perform set_config('shop.event_at', at::text, true);
  insert into public.orders (user_id, payment_status, payment_id, source, fulfilment, sub_total, tax, shipping_charge,
                             total_amount, delivery_name, delivery_phone, delivery_building_no, delivery_street,
                             delivery_city, delivery_state, delivery_zip, delivery_by, created_at, updated_at)
  values (checkout.user_id, 'paid', place_order.payment_id, quote.source, quote.fulfilment, quote.sub_total_paise / 100.0,
          quote.tax_paise / 100.0, quote.shipping_paise / 100.0, quote.total_paise / 100.0, checkout.delivery_name,
          checkout.delivery_phone, checkout.delivery_building_no, checkout.delivery_street, checkout.delivery_city,
          checkout.delivery_state, checkout.delivery_zip, quote.delivery_by, at, at)
  returning * into placed;
  perform private.fill_order(placed, quote, was_reserved => checkout.state = 'open');
  perform set_config('shop.event_at', '', true);
  return placed;
end $$;
