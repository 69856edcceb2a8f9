-- Prices: what a cart costs at this moment, and the day promised for it.
-- Written by quote_order(), called with the service role; deleted by a job.
set check_function_bodies = off;

-- Quotes: the price of an order, fixed for fifteen minutes. Written by quote_order(), turned into a checkout by
-- open_checkout(), and deleted when that does not happen.
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
  total_paise bigint not null check (total_paise = sub_total_paise + tax_paise + shipping_paise and total_paise >= 100),
  delivery_by date,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index quotes_user_idx on private.quotes (user_id, created_at desc);
create index quotes_expires_idx on private.quotes (expires_at);
alter table private.quotes enable row level security;

-- Whether a product is sold, and how much of it is available. Without a search path, so that queries inline it.
create function private.saleable() returns table (product_id bigint, product text, has_size boolean, is_sold boolean, units integer)
language sql stable as $$
  select p."Id", p."Name", p."hasSize", p.is_listed and p.archived_at is null, s.on_hand - s.reserved
  from public."Products" p join public.stock_levels s on s.product_id = p."Id";
$$;

-- Why these quantities cannot be sold now, with the id of the first product that is short, so that the cart can
-- mark that line; null when they can. `held` is what the customer's own unpaid checkouts hold: that is theirs to
-- buy.
create function private.shortage(product_ids bigint[], units integer[], held private.quotes) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select case when not s.is_sold
      then jsonb_build_object('ok', false, 'reason', 'not-available', 'product', s.product, 'product_id', s.product_id)
      else jsonb_build_object('ok', false, 'reason', 'not-enough-stock', 'product', s.product, 'product_id', s.product_id,
                              'left', s.units + coalesce(h.units, 0), 'unit', case when s.has_size then 'g' else 'pieces' end) end
    from unnest(shortage.product_ids, shortage.units) as w (product_id, units)
    join private.saleable() s on s.product_id = w.product_id
    left join unnest(held.product_ids, held.units) as h (product_id, units) on h.product_id = w.product_id
    where not s.is_sold or w.units > s.units + coalesce(h.units, 0)
    order by w.product_id
    limit 1);
end $$;

-- What lines cost, weigh and take from stock, as a quote that is not stored yet; or why they cannot be ordered. The one place
-- where money is computed: a line is unit_price x size/500 x quantity, and its tax is rounded once, to the paisa.
-- The sums of the goods are there even when it is refused. `spoiled` are sweets that would not survive the journey: refused
-- where customers order, shown where the owner does, who knows the courier.
create function private.price_order(
  lines jsonb, pincode text, source text, fulfilment text, held private.quotes, at timestamptz,
  out quote private.quotes, out grams bigint, out refusal jsonb, out spoiled jsonb)
language plpgsql stable set search_path = '' as $$
declare
  goods record;
  zone public.delivery_zones;
  journey record;
begin
  with line as materialized (
    select p."Id" as product_id, l.size, l.quantity, p."Name" as product_name, p."Image" as product_image, p."hasSize" as has_size,
           p."Price" as unit_price, p.gst_percent, p.hsn, (p."Price" * 100 * l.size / 500 * l.quantity)::bigint as line_paise,
           round(p."Price" * 100 * l.size / 500 * l.quantity * p.gst_percent / 100)::bigint as tax_paise,
           case when p."hasSize" then l.size else p.weight_grams end * l.quantity as grams,
           private.stock_quantity(p."hasSize", l.size, l.quantity) as stock_units, p."Category" as category, p.shelf_life_days
    from (select l.product_id, l.size, sum(l.quantity)::integer as quantity
          from jsonb_to_recordset(price_order.lines) as l (product_id bigint, size integer, quantity integer)
          group by l.product_id, l.size) l
    join public."Products" p on p."Id" = l.product_id
  ), wanted as (
    select l.product_id, sum(l.stock_units)::integer as units from line l group by l.product_id
  )
  select jsonb_agg(to_jsonb(l) - 'category' - 'shelf_life_days' order by l.product_id, l.size) as lines,
         coalesce(sum(l.line_paise), 0)::bigint as sub_total, coalesce(sum(l.tax_paise), 0)::bigint as tax,
         sum(l.grams)::bigint as grams, max(l.quantity) as most, bool_and(l.category = 'Takeaway') as all_takeaway,
         max(l.product_name) filter (where not l.has_size and l.size <> 500) as without_size, min(l.shelf_life_days) as shelf_life_days,
         (select array_agg(w.product_id order by w.product_id) from wanted w) as product_ids,
         (select array_agg(w.units order by w.product_id) from wanted w) as units,
         (select count(distinct a.product_id) from jsonb_to_recordset(price_order.lines) as a (product_id bigint)) as asked
  into goods from line l;
  grams := goods.grams;
  quote.source := source;
  quote.fulfilment := fulfilment;
  quote.pincode := pincode;
  quote.lines := goods.lines;
  quote.product_ids := goods.product_ids;
  quote.units := goods.units;
  quote.sub_total_paise := goods.sub_total;
  quote.tax_paise := goods.tax;
  quote.shipping_paise := 0;
  quote.created_at := at;
  quote.expires_at := at + private.quote_time();
  if fulfilment = 'delivery' then
    zone := private.zone_of(pincode);
    select * into journey from private.promise(at, zone.max_days);
    quote.delivery_by := journey.arrives_on;
  end if;

  refusal := case
    when coalesce(cardinality(goods.product_ids), 0) <> goods.asked then jsonb_build_object('reason', 'unknown-product')
    when goods.without_size is not null then jsonb_build_object('reason', 'size-not-offered', 'product', goods.without_size)
    when goods.most > 25 then jsonb_build_object('reason', 'too-many')
    when goods.grams > 30000 then jsonb_build_object('reason', 'too-heavy')
    when fulfilment = 'pickup' and source <> 'manual' and not goods.all_takeaway then jsonb_build_object('reason', 'pickup-not-offered')
    when fulfilment = 'delivery' and zone.id is null then jsonb_build_object('reason', 'outside-zones', 'pincode', pincode) end;
  if refusal is null and fulfilment = 'delivery' then
    quote.shipping_paise := private.shipping_paise(zone, goods.grams, source);
    -- Which would spoil is looked up when the one that keeps the shortest does.
    if not private.survives(goods.shelf_life_days, journey.arrives_on - journey.leaves_on) then
      spoiled := private.spoiled(goods.product_ids, journey.arrives_on - journey.leaves_on);
    end if;
    refusal := case when source = 'manual' then null
                    when journey.arrives_on is null then jsonb_build_object('reason', 'closed')
                    when spoiled is not null then jsonb_build_object('reason', 'would-spoil', 'pincode', pincode, 'spoiled', spoiled) end;
  end if;
  if refusal is null then
    quote.total_paise := quote.sub_total_paise + quote.tax_paise + quote.shipping_paise;
    refusal := private.shortage(quote.product_ids, quote.units, held);
  else
    refusal := jsonb_build_object('ok', false) || refusal;
  end if;
end $$;

-- Prices are good for a quarter of an hour.
create function private.quote_time() returns interval
language sql immutable as $$ select interval '15 minutes' $$;

-- Prices lines for a customer and stores the quote. Rejections are values, not errors: {ok: false, reason, ...}.
create function public.quote_order(
  customer_id uuid, lines jsonb, pincode text, source text, fulfilment text, at timestamptz default now()
) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  priced record;
  quote private.quotes;
  collect_from date;
begin
  -- A quote that a crash takes away is asked for again: nothing waits for the disk.
  perform set_config('synchronous_commit', 'off', true);
  if not private.take_turn('quote', customer_id::text, 60, interval '1 minute', at) then
    return jsonb_build_object('ok', false, 'reason', 'too-many-quotes');
  end if;
  select * into priced from private.price_order(lines, pincode, source, fulfilment, private.held_by(customer_id), at);
  if priced.refusal is not null then
    return priced.refusal;
  end if;
  if fulfilment = 'pickup' then
    collect_from := (select p.opens_on from private.promise(at, 0) p);
    if collect_from is null then
      return jsonb_build_object('ok', false, 'reason', 'closed');
    end if;
  end if;
  quote := priced.quote;
  quote.id := gen_random_uuid();
  quote.user_id := customer_id;
  insert into private.quotes select quote.*;
  return jsonb_build_object(
    'ok', true, 'quote_id', quote.id, 'sub_total_paise', quote.sub_total_paise, 'tax_paise', quote.tax_paise,
    'shipping_paise', quote.shipping_paise,
    'shipping_tax_paise', case when quote.shipping_paise > 0 and private.is_registered() then (
      select private.shipping_tax_paise(quote.shipping_paise, array_agg(l.hsn), array_agg(l.gst_percent), array_agg(l.line_paise))
      from jsonb_to_recordset(quote.lines) as l (hsn text, gst_percent numeric, line_paise numeric)) else 0 end,
    'total_paise', quote.total_paise,
    'delivery_by', quote.delivery_by, 'collect_from', collect_from, 'expires_at', quote.expires_at);
end $$;

-- The beginning of the part of the day in which a quote was made: midnight, or the cut-off after which parcels leave
-- on the next day. Within it all promised days are the same.
create function private.shift_of(quoted_at timestamptz) returns timestamptz
language plpgsql stable set search_path = '' as $$
declare
  clock timestamp := quoted_at at time zone 'Asia/Kolkata';
  cutoff time := (select s.cutoff_time from public.shop_settings s);
begin
  return (clock::date + case when clock::time < cutoff then time '00:00' else cutoff end) at time zone 'Asia/Kolkata';
end $$;

-- Whether a quote's day of delivery is still what it was when it was made, and its sweets survive the journey.
create function private.is_still_promised(quote private.quotes) returns boolean
language plpgsql stable set search_path = '' as $$
declare
  journey record;
begin
  if quote.fulfilment = 'pickup' then
    return true;
  end if;
  select * into journey from private.promise(private.shift_of(quote.created_at), (private.zone_of(quote.pincode)).max_days);
  return quote.delivery_by is not distinct from journey.arrives_on
    and private.spoiled(quote.product_ids, journey.arrives_on - journey.leaves_on) is null;
end $$;

-- By when a quote arrives when it is paid at this moment. Payments may come days later (a slow bank, an outage):
-- once the day on which it was to leave is over, the promise is calculated anew. Never before the quote's day,
-- never a past day; null when no day can be named.
create function private.kept_promise(quote private.quotes, at timestamptz) returns date
language plpgsql stable set search_path = '' as $$
declare
  today date := private.day_of(at);
  quoted_at timestamptz := private.shift_of(quote.created_at);
  working_days integer := (private.zone_of(quote.pincode)).max_days;
  journey record;
  day date;
begin
  if quote.delivery_by is null then
    return null;
  end if;
  if working_days is null then
    -- The zone is gone: the days of the quote, rather too many than too few.
    working_days := quote.delivery_by - (select p.leaves_on from private.promise(quoted_at, 0) p);
  end if;
  select * into journey from private.promise(quoted_at, working_days);
  if journey.leaves_on < today or journey.leaves_on is null then
    select * into journey from private.promise(at, working_days);
  end if;
  day := greatest(quote.delivery_by, journey.arrives_on);
  return case when day >= today then day end;
end $$;

-- The weight of the lines of a quote.
create function private.grams_of(lines jsonb) returns integer
language sql immutable as $$
  select coalesce(sum((l ->> 'grams')::integer), 0)::integer from jsonb_array_elements(lines) as l;
$$;

revoke execute on function public.quote_order(uuid, jsonb, text, text, text, timestamptz) from public, anon, authenticated;
grant execute on function public.quote_order(uuid, jsonb, text, text, text, timestamptz) to service_role;
