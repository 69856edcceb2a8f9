-- What a cart pays for shipping becomes the shop's setting. The default is the specification's flat ₹40; an owner may
-- charge by zone, or by zone from a weight on. Direct purchases and phone orders go by zone and weight, as before.
alter table public.shop_settings
  add column cart_shipping text not null default 'flat' check (cart_shipping in ('flat', 'zone')),
  add column cart_flat_charge numeric(8, 2) not null default 40
    check (cart_flat_charge between 0 and 10000 and cart_flat_charge <> 'NaN'),
  add column cart_zone_from_grams integer check (cart_zone_from_grams between 1 and 30000);
comment on column public.shop_settings.cart_shipping is 'flat: cart_flat_charge, below cart_zone_from_grams if that is set; zone: the zone''s rate.';

-- What sending a parcel costs, the one rule for quotes, the delivery check and the console. By zone: every kilogram
-- begun. The same rule as shippingCharge() in domain/delivery/shipping-charge.ts. PL/pgSQL, which caches its plan: every
-- quote asks.
create or replace function private.shipping_paise(zone public.delivery_zones, grams bigint, source text) returns bigint
language plpgsql stable set search_path = '' as $$
declare
  flat_charge numeric;
begin
  if source = 'cart' then
    select s.cart_flat_charge into flat_charge from public.shop_settings s
    where s.id and s.cart_shipping = 'flat' and coalesce(grams < s.cart_zone_from_grams, true);
  end if;
  return coalesce(flat_charge * 100,
    zone.first_kg_charge * 100 + zone.extra_kg_charge * 100 * ((greatest(grams, 1) + 999) / 1000 - 1))::bigint;
end $$;

-- As before, and up to which weight the cart's flat charge holds.
create or replace function private.check_delivery_at(pincode text, product_ids bigint[], grams integer, at timestamptz) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  zone public.delivery_zones;
  journey record;
  shop public.shop_settings;
  today date := private.day_of(at);
begin
  if coalesce(pincode, '') !~ '^[1-9][0-9]{5}$' then
    return jsonb_build_object('ok', false, 'reason', 'not-a-pincode');
  elsif grams > 30000 then
    return jsonb_build_object('ok', false, 'reason', 'too-heavy');
  end if;
  zone := private.zone_of(pincode);
  if zone.id is null then
    return jsonb_build_object('ok', false, 'reason', 'outside-zones');
  end if;
  select * into shop from public.shop_settings;
  select * into journey from private.promise(at, zone.max_days);
  if journey.arrives_on is null then
    return jsonb_build_object('ok', false, 'reason', 'closed');
  end if;
  return jsonb_build_object(
    'ok', true, 'zone', zone.name, 'today', today, 'leaves_on', journey.leaves_on, 'arrives_on', journey.arrives_on,
    -- Until then an order leaves on that day: the cut-off is its only hour.
    'order_before', (journey.leaves_on + shop.cutoff_time) at time zone 'Asia/Kolkata',
    'charge_paise', private.shipping_paise(zone, coalesce(grams, 0), 'direct'),
    'cart_charge_paise', private.shipping_paise(zone, coalesce(grams, 0), 'cart'),
    -- The cart's flat charge holds below this weight; null: whatever it weighs.
    'cart_flat_below_grams', case when shop.cart_shipping = 'flat' then shop.cart_zone_from_grams end,
    -- The closure of today; otherwise the longest of those that move the day: on one of its days we would have worked.
    'closed', (
      select jsonb_build_object('from', c.starts_on, 'until', c.ends_on, 'reason', c.reason)
      from public.closures c
      where c.ends_on >= today and (c.starts_on <= today or exists (
        select from generate_series(c.starts_on, least(c.ends_on, journey.arrives_on), interval '1 day') d
        where extract(dow from d)::smallint <> all (shop.weekly_off)))
      order by c.starts_on <= today desc, c.ends_on desc, c.id limit 1),
    'collect_from', journey.opens_on,
    -- Only what everybody may see is named.
    'spoiled', coalesce(private.spoiled(array(
      select p."Id" from public."Products" p
      where p."Id" = any (product_ids[1:100]) and p.is_listed and p.archived_at is null), journey.arrives_on - journey.leaves_on), '[]'));
end $$;

-- As before, and what a cart pays.
create or replace function public.admin_read_delivery() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  today date := private.day_of(now());
begin
  perform private.require_admin();
  return (
    select jsonb_build_object(
      'cutoff_time', to_char(s.cutoff_time, 'HH24:MI'), 'weekly_off', to_jsonb(s.weekly_off), 'updated_at', s.updated_at, 'today', today,
      'cart_shipping', jsonb_build_object('kind', s.cart_shipping, 'flat_paise', (s.cart_flat_charge * 100)::bigint,
                                          'zone_from_grams', s.cart_zone_from_grams),
      'zones', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', z.id, 'name', z.name, 'pincode_prefixes', z.pincode_prefixes,
          'first_kg_paise', (z.first_kg_charge * 100)::bigint, 'extra_kg_paise', (z.extra_kg_charge * 100)::bigint,
          'min_days', z.min_days, 'max_days', z.max_days, 'is_published', z.is_published, 'updated_at', z.updated_at)
          order by z.max_days, z.first_kg_charge, z.name, z.id), '[]')
        from public.delivery_zones z),
      'closures', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', c.id, 'starts_on', c.starts_on, 'ends_on', c.ends_on, 'reason', c.reason, 'updated_at', c.updated_at,
          'promised', case when c.ends_on >= today then private.promised_between(greatest(c.starts_on, today), c.ends_on) end)
          order by c.ends_on < today, case when c.ends_on < today then today - c.ends_on else c.starts_on - today end, c.id), '[]')
        from public.closures c where c.ends_on > today - 366))
    from public.shop_settings s);
end $$;

-- As before, and what the same sweets would pay in an online cart.
create or replace function public.admin_price_order(lines jsonb, fulfilment text, pincode text default '', shipping_paise bigint default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  lacks_pincode boolean := fulfilment = 'delivery' and coalesce(pincode, '') !~ '^[1-9][0-9]{5}$';
  priced record;
  quote private.quotes;
  shipping bigint;
begin
  perform private.require_admin();
  select * into priced from private.price_order(
    private.typed_lines(lines), pincode, 'manual', case when lacks_pincode then 'pickup' else fulfilment end, null, now());
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
    'total_paise', quote.sub_total_paise + quote.tax_paise + shipping,
    'delivery_by', case when shipping is not null then quote.delivery_by end,
    'spoiled', coalesce(priced.spoiled, '[]'),
    'problem', case when priced.refusal is not null
                    then jsonb_build_object('message', private.say_refusal(priced.refusal), 'field',
                           case priced.refusal ->> 'reason' when 'outside-zones' then 'zip' else 'lines' end) end);
end $$;

create function public.admin_save_cart_shipping(kind text, flat_paise bigint, zone_from_grams integer, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  shop public.shop_settings;
begin
  perform private.require_admin();
  select * into shop from public.shop_settings for update;
  perform private.expect_unchanged(seen, shop.updated_at);
  if kind is null or kind not in ('flat', 'zone') then
    perform private.refuse('Choose how carts pay for shipping.', 'kind');
  elsif flat_paise is null or flat_paise not between 0 and 1000000 then
    perform private.refuse('A charge between ₹0 and ₹10,000.', 'flat_paise');
  elsif zone_from_grams not between 1 and 30000 then
    perform private.refuse('A weight of at most 30 kg, or empty.', 'zone_from_grams');
  end if;
  update public.shop_settings s
  set cart_shipping = kind, cart_flat_charge = flat_paise / 100.0, cart_zone_from_grams = zone_from_grams
  where s.id
  returning * into shop;
  return jsonb_build_object('updated_at', shop.updated_at);
end $$;

select private.open_console_requests();
