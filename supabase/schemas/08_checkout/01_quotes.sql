-- Prices: what a cart costs at this moment, and the day promised for it.
-- Written by quote_order() and quote_orders(), called with the service role; deleted by a job.
set check_function_bodies = off;

-- The price of an order, fixed for fifteen minutes. open_checkout() turns it into a checkout; otherwise it is deleted.
create table private.quotes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references auth.users (id) on delete set null,
  source text not null check (source in ('cart', 'direct')),
  fulfilment text not null check (fulfilment in ('delivery', 'pickup')),
  pincode text not null,
  -- Merged lines with the product's name, picture, price, tax rate and HSN of this moment, in order of product and size.
  lines jsonb not null,
  -- How much of which products the lines take from stock, in product order.
  product_ids bigint[] not null,
  units integer[] not null check (cardinality(units) = cardinality(product_ids)),
  sub_total_paise bigint not null,
  tax_paise bigint not null,
  shipping_paise bigint not null,
  total_paise bigint not null check (total_paise = sub_total_paise - discount_paise + tax_paise + shipping_paise and total_paise >= 100),
  delivery_by date,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- The day that was chosen, which is delivery_by then, and the day on which it is packed for it.
  deliver_on date,
  pack_on date,
  -- What offers took off the goods before tax, of which each line has its part, and what each of them did (19_offers/01_offers.sql).
  discount_paise bigint not null default 0 check (discount_paise >= 0),
  offers jsonb not null default '[]',
  constraint quotes_day_is_whole check ((deliver_on is null) = (pack_on is null) and coalesce(deliver_on = delivery_by, true))
);
create index quotes_user_idx on private.quotes (user_id, created_at desc);
create index quotes_expires_idx on private.quotes (expires_at);
-- Partial index: few quotes have offers.
create index quotes_offers_idx on private.quotes (user_id) where offers <> '[]';
alter table private.quotes enable row level security;

-- Whether a product is sold, and how much of it is available. Without a search path, so that queries inline it.
create function private.available_products() returns table (product_id bigint, product text, has_size boolean, is_sold boolean, units integer)
language sql stable as $$
  select p."Id", p."Name", p."hasSize", p.is_listed and p.archived_at is null, s.on_hand - s.reserved
  from public."Products" p join public.stock_levels s on s.product_id = p."Id";
$$;

-- Why quotes cannot be sold now, with the id of the first product that is short, so that the cart can mark that line. No row
-- for those that can. What a customer's own unpaid checkouts hold is theirs to buy.
create function private.shortages(customer_ids uuid[], quotes private.quotes[]) returns table (place integer, rejection jsonb)
language plpgsql stable set search_path = '' as $$
begin
  return query
  select distinct on (q.ordinality) q.ordinality::integer, case when not s.is_sold
    then jsonb_build_object('ok', false, 'reason', 'not-available', 'product', s.product, 'product_id', s.product_id)
    else jsonb_build_object('ok', false, 'reason', 'not-enough-stock', 'product', s.product, 'product_id', s.product_id,
                            'left', s.units + private.held_units(q.customer_id, w.product_id), 'unit', case when s.has_size then 'g' else 'pieces' end) end
  from unnest(customer_ids, quotes) with ordinality as q (customer_id)
  cross join lateral unnest(q.product_ids, q.units) as w (product_id, units)
  cross join lateral (select s.* from private.available_products() s where s.product_id = w.product_id offset 0) s
  -- Own holds are looked up where the shelf is not enough.
  where not s.is_sold or case when w.units > s.units then w.units > s.units + private.held_units(q.customer_id, w.product_id) else false end
  order by q.ordinality, w.product_id;
end $$;

-- What a line costs before tax: prices are for 500 g or a piece, whose size is 500. Unrounded, because tax is calculated from
-- it. Without a search path, so that queries inline it.
create function private.line_paise(unit_price numeric, size integer, quantity integer) returns numeric
language sql immutable parallel safe as $$
  select unit_price * 100 * size / 500 * quantity;
$$;

-- What a line takes from stock: of its product, or of the sweets in a box. Without a search path, so that queries inline it.
create function private.goods_of_line(own_product bigint, own_units integer, quantity integer, contents jsonb)
returns table (product_id bigint, units integer)
language sql immutable as $$
  select own_product, own_units where own_product is not null
  union all
  select c.product_id, c.grams * quantity from jsonb_to_recordset(contents -> 'products') as c (product_id bigint, grams integer);
$$;

-- Prices new orders: what their lines cost, weigh and take from stock, as quotes that are not stored yet; or why they cannot be
-- ordered. Tax is rounded once per line, to the paisa. carts is a JSON array of
-- {customer_id, lines, pincode, source, fulfilment, delivery_on}; a line is {product_id, size, quantity}, or a box,
-- {box_id, quantity, contents: [{product_id, pieces}]}.
-- A rejected order has its subtotal and tax, too. `spoiled` are the products that would not stay fresh on the way: a rejection
-- where customers order, a warning where the owner does, who knows the courier.
create function private.price_orders(carts jsonb, at timestamptz)
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
             case when s.delivery_on is not null then s.leaves_on end, 0, '[]')::private.quotes,
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

-- Prices one order, and checks whether it can be sold now.
create function private.price_order(
  lines jsonb, pincode text, source text, fulfilment text, customer_id uuid, at timestamptz,
  out quote private.quotes, out grams bigint, out rejection jsonb, out spoiled jsonb)
language sql stable set search_path = '' as $$
  select p.quote, p.grams,
         coalesce(p.rejection, (select s.rejection from private.shortages(array[p.customer_id], array[p.quote]) s)), p.spoiled
  from private.price_orders(jsonb_build_array(jsonb_build_object(
    'customer_id', customer_id, 'lines', lines, 'pincode', pincode, 'source', source, 'fulfilment', fulfilment)), at) p;
$$;

create function private.quote_time() returns interval
language sql immutable as $$ select interval '15 minutes' $$;

-- Prices carts as a batch, with their offers, and stores the quotes. `calls`: a JSON array of quote_order() arguments; one result per call.
-- Rejections are values, not errors: {ok: false, reason, ...}.
create function private.quote_batch(calls jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  at timestamptz := coalesce((select max((c ->> 'at')::timestamptz) from jsonb_array_elements(calls) as c), now());
  within_limit boolean[];
  rejections jsonb[];
  quotes private.quotes[];
  customer_ids uuid[];
  ids uuid[] := array(select gen_random_uuid() from jsonb_array_elements(calls));
  opens_on date := (select p.opens_on from private.promise_delivery(at, 0) p);
  code_problems jsonb[] := array_fill(null::jsonb, array[jsonb_array_length(calls)]);
  offered record;
begin
  -- No flush: a quote lost in a crash is requested again.
  perform set_config('synchronous_commit', 'off', true);
  within_limit := private.consume_rate_limits('quote', array(
    select c.call ->> 'customer_id' from jsonb_array_elements(calls) with ordinality as c (call, n) order by c.n), 60, interval '1 minute', at);
  select array_agg(case when within_limit[p.place] then p.rejection else jsonb_build_object('ok', false, 'reason', 'too-many-quotes') end order by p.place),
         array_agg(p.quote order by p.place), array_agg(p.customer_id order by p.place)
  into rejections, quotes, customer_ids from private.price_orders(calls, at) p;
  rejections := array(
    select coalesce(rejections[q.ordinality], s.rejection,
                    case when q.fulfilment = 'pickup' and opens_on is null then jsonb_build_object('ok', false, 'reason', 'closed') end)
    from unnest(quotes) with ordinality as q
    left join private.shortages(customer_ids, quotes) s on s.place = q.ordinality
    order by q.ordinality);
  for offered in select * from private.apply_offers(calls, quotes, rejections, at) loop
    quotes[offered.place] := offered.quote;
    code_problems[offered.place] := offered.code_problem;
  end loop;
  insert into private.quotes
  select ids[q.ordinality], q.user_id, q.source, q.fulfilment, q.pincode, q.lines, q.product_ids, q.units, q.sub_total_paise, q.tax_paise,
         q.shipping_paise, q.total_paise, q.delivery_by, q.created_at, q.expires_at, q.deliver_on, q.pack_on,
         q.discount_paise, q.offers
  from unnest(quotes) with ordinality as q where rejections[q.ordinality] is null;
  return (
    select jsonb_agg(coalesce(rejections[q.ordinality], jsonb_build_object(
      'ok', true, 'quote_id', ids[q.ordinality], 'sub_total_paise', q.sub_total_paise, 'tax_paise', q.tax_paise, 'shipping_paise', q.shipping_paise,
      'shipping_tax_paise', case when q.shipping_paise > 0 and private.is_registered() then (
        select private.shipping_tax_paise(q.shipping_paise, array_agg(l.hsn), array_agg(l.gst_percent),
                                          array_agg(l.line_paise - coalesce(l.discount_paise, 0)))
        from jsonb_to_recordset(q.lines) as l (hsn text, gst_percent numeric, line_paise numeric, discount_paise numeric)) else 0 end,
      'total_paise', q.total_paise, 'discount_paise', q.discount_paise, 'offers', q.offers, 'code_problem', code_problems[q.ordinality],
      'delivery_by', q.delivery_by,
      'collect_from', case when q.fulfilment = 'pickup' then opens_on end, 'expires_at', q.expires_at)) order by q.ordinality)
    from unnest(quotes) with ordinality as q);
end $$;

create function public.quote_order(
  customer_id uuid, lines jsonb, pincode text, source text, fulfilment text, at timestamptz default now(), delivery_on date default null,
  code text default null
) returns jsonb
language sql security definer set search_path = '' as $$
  select private.quote_batch(jsonb_build_array(jsonb_build_object(
    'customer_id', customer_id, 'lines', lines, 'pincode', pincode, 'source', source, 'fulfilment', fulfilment, 'at', at,
    'delivery_on', delivery_on, 'code', code))) -> 0;
$$;

-- Batched form of quote_order(): if a lock takes more than 250 ms the batch fails and each call is retried alone
-- (server/functions/batch-calls.ts).
create function public.quote_orders(calls jsonb) returns jsonb
language sql security definer set search_path = '' set lock_timeout = '250ms' as $$
  select private.quote_batch(calls);
$$;

-- The beginning of the part of the day in which a quote was made: midnight, or the cut-off after which parcels leave
-- on the next day. Within it all promised days are the same.
create function private.cutoff_window_start(quoted_at timestamptz) returns timestamptz
language plpgsql stable set search_path = '' as $$
declare
  clock timestamp := quoted_at at time zone 'Asia/Kolkata';
  cutoff time := (select s.cutoff_time from public.shop_settings s);
begin
  return (clock::date + case when clock::time < cutoff then time '00:00' else cutoff end) at time zone 'Asia/Kolkata';
end $$;

-- The quotes whose day of delivery is still what it was when they were made, and whose sweets survive the journey.
create function private.still_promised(quotes private.quotes[]) returns uuid[]
language plpgsql stable set search_path = '' as $$
begin
  return array(
    with quoted as materialized (
      select q.id, q.fulfilment, q.pincode, q.product_ids, q.delivery_by, q.deliver_on, q.pack_on,
             private.cutoff_window_start(q.created_at) as window_start
      from unnest(quotes) as q
    ), journeys as materialized (
      select k.pincode, k.window_start, k.deliver_on, j.leaves_on, j.arrives_on, j.arrives_on - j.leaves_on as days
      from (select distinct q.pincode, q.window_start, q.deliver_on from quoted q where q.fulfilment = 'delivery') k
      left join lateral private.journey_of(k.window_start, private.zone_of(k.pincode), k.deliver_on) j on true
    )
    select q.id from quoted q
    left join journeys j on j.pincode = q.pincode and j.window_start = q.window_start and j.deliver_on is not distinct from q.deliver_on
    where q.fulfilment = 'pickup'
       or (q.delivery_by is not distinct from j.arrives_on and coalesce(q.pack_on = j.leaves_on, true) and not exists (
         select from unnest(q.product_ids) as w (product_id)
         cross join lateral (select p.shelf_life_days from public."Products" p where p."Id" = w.product_id offset 0) p
         where not private.stays_fresh(p.shelf_life_days, j.days))));
end $$;

-- By when a quote arrives when it is paid at this moment. Payments may come days later (a slow bank, an outage):
-- once the day on which it was to leave is over, the promise is calculated again. Never before the quote's day,
-- never a past day; null when no day can be named.
create function private.promise_at_payment(pincode text, delivery_by date, quoted_at timestamptz, at timestamptz) returns date
language plpgsql stable set search_path = '' as $$
declare
  today date := private.day_of(at);
  working_days integer := (private.zone_of(pincode)).max_days;
  journey record;
  day date;
begin
  if delivery_by is null then
    return null;
  end if;
  if working_days is null then
    -- The zone is gone: the days of the quote, rather too many than too few.
    working_days := delivery_by - (select p.leaves_on from private.promise_delivery(quoted_at, 0) p);
  end if;
  select * into journey from private.promise_delivery(quoted_at, working_days);
  if journey.leaves_on < today or journey.leaves_on is null then
    select * into journey from private.promise_delivery(at, working_days);
  end if;
  day := greatest(delivery_by, journey.arrives_on);
  return case when day >= today then day end;
end $$;

-- The weight of the lines of a quote.
create function private.grams_of(lines jsonb) returns integer
language sql immutable as $$
  select coalesce(sum((l ->> 'grams')::integer), 0)::integer from jsonb_array_elements(lines) as l;
$$;

revoke execute on function
  public.quote_order(uuid, jsonb, text, text, text, timestamptz, date, text), public.quote_orders(jsonb)
  from public, anon, authenticated;
grant execute on function
  public.quote_order(uuid, jsonb, text, text, text, timestamptz, date, text), public.quote_orders(jsonb)
  to service_role;
