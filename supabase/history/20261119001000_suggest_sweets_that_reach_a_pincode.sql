-- A sweet that would not arrive fresh comes with others that would, and the cards of a whole page are checked at once.

-- Up to three sweets to send instead: of the same category first, then the best rated. Takeaway is for the counter.
create function private.sent_instead(product_id bigint, travel_days integer) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('product_id', s."Id", 'product', s."Name") order by s.place), '[]')
  from (
    select p."Id", p."Name",
           row_number() over (order by p."Category" = asked."Category" desc, p."Rating" desc nulls last, p."Id") as place
    from public."Products" asked, public."Products" p
    where asked."Id" = sent_instead.product_id and p."Id" <> asked."Id" and p.isavailable and p.archived_at is null
      and p."Category" <> 'Takeaway' and private.survives(p.shelf_life_days, travel_days)
    order by place limit 3
  ) s;
$$;
revoke execute on function private.sent_instead(bigint, integer) from public;

-- As before, for up to 300 products (a page of cards), and for a single one what can be sent instead.
create or replace function private.check_delivery_at(pincode text, product_ids bigint[], grams integer, at timestamptz) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  zone public.delivery_zones;
  journey record;
  shop public.shop_settings;
  today date := private.day_of(at);
  spoiled jsonb;
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
  -- Only what everybody may see is named.
  spoiled := private.spoiled(array(
    select p."Id" from public."Products" p
    where p."Id" = any (product_ids[1:300]) and p.is_listed and p.archived_at is null), journey.arrives_on - journey.leaves_on);
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
    'spoiled', coalesce(spoiled, '[]'),
    'instead', case when spoiled is not null and cardinality(product_ids) = 1
                    then private.sent_instead(product_ids[1], journey.arrives_on - journey.leaves_on) else '[]' end);
end $$;
