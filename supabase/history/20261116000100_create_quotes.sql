-- Quotes: what an order would cost, frozen for fifteen minutes. Written by quote_order(), turned into a checkout
-- by open_checkout(), and purged when nobody did.
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

-- The zone a pincode belongs to: the longest matching prefix wins.
create function private.zone_of(pincode text) returns public.delivery_zones
language sql stable set search_path = '' as $$
  select z
  from public.delivery_zones z, unnest(z.pincode_prefixes) as prefix
  where z.is_published and starts_with(zone_of.pincode, prefix)
  order by char_length(prefix) desc, z.id
  limit 1;
$$;

-- The last day by which a parcel arrives that is so many working days on the way; Sundays do not count.
create function private.delivery_by(at timestamptz, working_days integer) returns date
language sql stable set search_path = '' as $$
  select d.today + d.days + (d.days + extract(dow from d.today)::integer - 1) / 6
  from (select (at at time zone 'Asia/Kolkata')::date as today, greatest(working_days, 1) as days) d;
$$;

-- What lines cost and weigh: the one place where money is computed. A line is unit_price x size/500 x quantity;
-- its tax is rounded once, to the paisa.
create function private.price_lines(lines jsonb) returns table (
  product_id bigint, size integer, quantity integer, product_name text, product_image text, category text,
  has_size boolean, unit_price numeric, gst_percent numeric, hsn text,
  line_paise bigint, tax_paise bigint, grams integer, stock_units integer)
language sql stable set search_path = '' as $$
  select p."Id", l.size, l.quantity, p."Name", p."Image", p."Category", p."hasSize", p."Price", p.gst_percent, p.hsn,
         (p."Price" * 100 * l.size / 500 * l.quantity)::bigint,
         round(p."Price" * 100 * l.size / 500 * l.quantity * p.gst_percent / 100)::bigint,
         case when p."hasSize" then l.size else p.weight_grams end * l.quantity,
         private.stock_quantity(p."hasSize", l.size, l.quantity)
  from (
    select (line ->> 'product_id')::bigint as product_id, (line ->> 'size')::integer as size,
           sum((line ->> 'quantity')::integer)::integer as quantity
    from jsonb_array_elements(price_lines.lines) as line
    group by 1, 2
  ) l
  join public."Products" p on p."Id" = l.product_id
  order by p."Id", l.size;
$$;

-- Why so much of these products cannot be sold now, of the first that is short; null when it can. `held` is what the
-- customer's own open checkout holds back: that is theirs to buy.
create function private.shortage(product_ids bigint[], units integer[], held private.quotes) returns jsonb
language sql stable set search_path = '' as $$
  select case when not short.is_sold
    then jsonb_build_object('ok', false, 'reason', 'not-available', 'product', short.product)
    else jsonb_build_object('ok', false, 'reason', 'not-enough-stock', 'product', short.product, 'left', short.units,
                            'unit', case when short.has_size then 'g' else 'pieces' end) end
  from (
    select p."Name" as product, p."hasSize" as has_size, p.is_listed and p.archived_at is null as is_sold,
           s.on_hand - s.reserved + coalesce(h.units, 0) as units, w.product_id, w.units as wanted
    from unnest(shortage.product_ids, shortage.units) as w (product_id, units)
    join public."Products" p on p."Id" = w.product_id
    join public.stock_levels s on s.product_id = w.product_id
    left join unnest(held.product_ids, held.units) as h (product_id, units) on h.product_id = w.product_id
  ) short
  where not short.is_sold or short.wanted > short.units
  order by short.product_id
  limit 1;
$$;

-- Prices lines for a customer and keeps the quote. Refusals are values, not errors: {ok: false, reason, ...}.
create function public.quote_order(
  customer_id uuid, lines jsonb, pincode text, source text, fulfilment text, at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  zone public.delivery_zones;
  asked integer := (select count(distinct (line ->> 'product_id')::bigint) from jsonb_array_elements(lines) as line);
  priced record;
  taken record;
  held private.quotes;
  refusal jsonb;
  shipping bigint := 0;
  quoted private.quotes;
begin
  -- A quote that a crash takes away is asked for again: nothing waits for the disk.
  perform set_config('synchronous_commit', 'off', true);
  if not private.take_turn('quote', customer_id::text, 60, interval '1 minute', at) then
    return jsonb_build_object('ok', false, 'reason', 'too-many-quotes');
  end if;

  select jsonb_agg(to_jsonb(l) - 'category' order by l.product_id, l.size) as lines,
         count(distinct l.product_id) as products,
         sum(l.line_paise)::bigint as sub_total, sum(l.tax_paise)::bigint as tax, sum(l.grams)::bigint as grams,
         max(l.quantity) as most, bool_and(l.category = 'Takeaway') as all_takeaway,
         max(l.product_name) filter (where not l.has_size and l.size <> 500) as without_size
  into priced
  from private.price_lines(lines) l;

  if priced.products is distinct from asked then
    return jsonb_build_object('ok', false, 'reason', 'unknown-product');
  elsif priced.without_size is not null then
    return jsonb_build_object('ok', false, 'reason', 'size-not-offered', 'product', priced.without_size);
  elsif priced.most > 25 then
    return jsonb_build_object('ok', false, 'reason', 'too-many');
  elsif priced.grams > 30000 then
    return jsonb_build_object('ok', false, 'reason', 'too-heavy');
  elsif fulfilment = 'pickup' and not priced.all_takeaway then
    return jsonb_build_object('ok', false, 'reason', 'pickup-not-offered');
  end if;

  if fulfilment = 'delivery' then
    zone := private.zone_of(pincode);
    if zone.id is null then
      return jsonb_build_object('ok', false, 'reason', 'outside-zones', 'pincode', pincode);
    end if;
    shipping := case when source = 'cart' then 4000
                     else zone.first_kg_charge * 100 + zone.extra_kg_charge * 100 * ((priced.grams + 999) / 1000 - 1) end;
  end if;

  select array_agg(l.product_id order by l.product_id) as product_ids, array_agg(l.units order by l.product_id) as units
  into taken
  from (
    select w.product_id, sum(w.stock_units)::integer as units
    from jsonb_to_recordset(priced.lines) as w (product_id bigint, stock_units integer)
    group by w.product_id
  ) l;
  select q.* into held from private.checkouts c join private.quotes q on q.id = c.quote_id
  where c.user_id = customer_id and c.state = 'open';
  refusal := private.shortage(taken.product_ids, taken.units, held);
  if refusal is not null then
    return refusal;
  end if;

  insert into private.quotes (user_id, source, fulfilment, pincode, lines, product_ids, units, sub_total_paise, tax_paise,
                              shipping_paise, total_paise, delivery_by, created_at, expires_at)
  values (customer_id, source, fulfilment, pincode, priced.lines, taken.product_ids, taken.units, priced.sub_total,
          priced.tax, shipping,
          priced.sub_total + priced.tax + shipping,
          case when fulfilment = 'delivery' then private.delivery_by(at, zone.max_days) end,
          at, at + interval '15 minutes')
  returning * into quoted;
  return jsonb_build_object(
    'ok', true, 'quote_id', quoted.id, 'sub_total_paise', quoted.sub_total_paise, 'tax_paise', quoted.tax_paise,
    'shipping_paise', quoted.shipping_paise, 'total_paise', quoted.total_paise,
    'delivery_by', quoted.delivery_by, 'expires_at', quoted.expires_at);
end $$;

revoke execute on function public.quote_order(uuid, jsonb, text, text, text, timestamptz) from public, anon, authenticated;
grant execute on function public.quote_order(uuid, jsonb, text, text, text, timestamptz) to service_role;
revoke execute on function private.zone_of(text), private.delivery_by(timestamptz, integer), private.price_lines(jsonb),
  private.shortage(bigint[], integer[], private.quotes) from public;
