-- What an order costs is computed in one place, for those who pay online and for those who call: price_order() makes the
-- quote, fill_order() puts it into an order. quote_order() and place_order() are as before, over these two.

-- What lines cost, weigh and take from stock, as a quote that nobody has kept yet; or why they cannot be ordered. The
-- sums of the goods are there even then. `held` is what the customer's own open checkout holds back. `spoiled` are sweets
-- that would not survive the journey: refused where customers order, said where the owner does, who knows the courier.
create function private.price_order(
  lines jsonb, pincode text, source text, fulfilment text, held private.quotes, at timestamptz,
  out quote private.quotes, out grams bigint, out refusal jsonb, out spoiled jsonb)
language plpgsql stable set search_path = '' as $$
declare
  zone public.delivery_zones;
  asked integer := (select count(distinct (line ->> 'product_id')::bigint) from jsonb_array_elements(lines) as line);
  priced record;
  journey record;
begin
  select jsonb_agg(to_jsonb(l) - 'category' order by l.product_id, l.size) as lines,
         count(distinct l.product_id) as products, array_agg(distinct l.product_id) as product_ids,
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
    quote.shipping_paise := private.shipping_paise(zone, priced.grams, price_order.source);
    select * into journey from private.promise(at, zone.max_days);
    quote.delivery_by := journey.arrives_on;
    spoiled := private.spoiled(priced.product_ids, journey.arrives_on - journey.leaves_on);
    if price_order.source <> 'manual' then
      refusal := case
        when journey.arrives_on is null then jsonb_build_object('ok', false, 'reason', 'closed')
        when spoiled is not null then
          jsonb_build_object('ok', false, 'reason', 'would-spoil', 'pincode', price_order.pincode, 'spoiled', spoiled) end;
      if refusal is not null then
        return;
      end if;
    end if;
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
  collect_from date;
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

  if fulfilment = 'pickup' then
    collect_from := (select p.opens_on from private.promise(at, 0) p);
    if collect_from is null then
      return jsonb_build_object('ok', false, 'reason', 'closed');
    end if;
  end if;
  quoted := priced.quote;
  quoted.id := gen_random_uuid();
  quoted.user_id := customer_id;
  insert into private.quotes select quoted.*;
  return jsonb_build_object(
    'ok', true, 'quote_id', quoted.id, 'sub_total_paise', quoted.sub_total_paise, 'tax_paise', quoted.tax_paise,
    'shipping_paise', quoted.shipping_paise, 'total_paise', quoted.total_paise,
    'delivery_by', quoted.delivery_by, 'collect_from', collect_from, 'expires_at', quoted.expires_at);
end $$;

-- As before, and: a quote keeps its day past the cut-off, as it keeps its prices, but not past a change of the calendar, of
-- the zones or of a shelf life. Then it is asked for again, and what would spoil meanwhile is refused before it is paid for.
create or replace function private.find_quote(customer_id uuid, amount_paise bigint, quote_id uuid, at timestamptz,
                                              out quote private.quotes, out reason text)
language plpgsql stable set search_path = '' as $$
declare
  journey record;
begin
  if find_quote.quote_id is not null then
    select * into quote from private.quotes q where q.id = find_quote.quote_id and q.user_id = customer_id;
    reason := case when quote.id is null then 'no-quote'
                   when quote.total_paise <> find_quote.amount_paise then 'amount-mismatch'
                   when quote.expires_at <= at then 'quote-expired' end;
  else
    select * into quote from private.quotes q
    where q.user_id = customer_id and q.total_paise = find_quote.amount_paise and q.expires_at > at
    order by q.created_at desc, q.id
    limit 1;
    reason := case
      when quote.id is null then 'no-quote'
      when exists (select from private.quotes q
                   where q.user_id = customer_id and q.total_paise = find_quote.amount_paise and q.expires_at > at
                     and (q.lines, q.pincode, q.source, q.fulfilment)
                         is distinct from (quote.lines, quote.pincode, quote.source, quote.fulfilment)) then 'ambiguous-amount'
    end;
  end if;
  if reason is null and quote.fulfilment = 'delivery' then
    select * into journey from private.promise(quote.created_at, (private.zone_of(quote.pincode)).max_days);
    if quote.delivery_by is distinct from journey.arrives_on
       or private.spoiled(quote.product_ids, journey.arrives_on - journey.leaves_on) is not null then
      reason := 'quote-expired';
    end if;
  end if;
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

-- By when what was quoted arrives when it is paid at this moment. Money may come days later (a slow bank, an outage): when
-- the day on which it was to leave is over, the promise begins anew. Never before the quote's day, and never a day that
-- has been: null, when none can be named.
create function private.kept_promise(quote private.quotes, at timestamptz) returns date
language plpgsql stable set search_path = '' as $$
declare
  leaves_on date := (select p.leaves_on from private.promise(quote.created_at, 0) p);
  -- Where the zone is gone, the days of the quote: rather too many than too few.
  working_days integer := coalesce((private.zone_of(quote.pincode)).max_days, quote.delivery_by - leaves_on);
  day date;
begin
  if quote.delivery_by is null then
    return null;
  end if;
  day := greatest(quote.delivery_by, (
    select p.arrives_on
    from private.promise(case when leaves_on >= private.day_of(at) then quote.created_at else at end, working_days) p));
  return case when day >= private.day_of(at) then day end;
end $$;
revoke execute on function private.kept_promise(private.quotes, timestamptz) from public;

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
          checkout.delivery_state, checkout.delivery_zip, private.kept_promise(quote, at), at, at)
  returning * into placed;
  perform private.fill_order(placed, quote, was_reserved => checkout.state = 'open');
  perform set_config('shop.event_at', '', true);
  return placed;
end $$;
