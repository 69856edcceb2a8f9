-- The days on which the shop works, the day that is promised for a delivery, and what may be sent that far.
-- No tables: called by quotes, by visitors who check a pincode, and by the console.
set check_function_bodies = off;

-- Whether the shop works on a day. Without a search path, so that queries inline it.
create function private.is_working_day(day date, weekly_off smallint[], closed datemultirange) returns boolean
language sql immutable as $$
  select not (extract(dow from day)::smallint = any (weekly_off) or coalesce(closed @> day, false));
$$;

-- The day a number of working days after another: by when a refund is due. null when the shop is closed for the year ahead.
create function private.working_day_after(from_day date, working_days integer) returns date
language plpgsql stable strict set search_path = '' as $$
declare
  day date := from_day;
  days_left integer := working_days;
  calendar record;
begin
  select s.weekly_off,
         (select range_agg(daterange(c.starts_on, c.ends_on, '[]')) from public.closures c where c.ends_on >= from_day) as closed
  into calendar from public.shop_settings s;
  while days_left > 0 and day <= from_day + 366 loop
    day := day + 1;
    if private.is_working_day(day, calendar.weekly_off, calendar.closed) then
      days_left := days_left - 1;
    end if;
  end loop;
  return case when days_left = 0 then day end;
end $$;

-- When an order placed at this moment leaves, and the day by which it arrives after a number of working days. Both
-- are null when the shop is closed for the whole year ahead. `opens_on` is the first day from today on which the
-- counter is open.
create function private.promise_delivery(at timestamptz, working_days integer, out leaves_on date, out arrives_on date, out opens_on date)
language plpgsql stable strict set search_path = '' as $$
declare
  clock timestamp := at at time zone 'Asia/Kolkata';
  today date := clock::date;
  day date := clock::date;
  days_left integer := working_days;
  calendar record;
begin
  select s.cutoff_time, s.weekly_off,
         (select range_agg(daterange(c.starts_on, c.ends_on, '[]')) from public.closures c where c.ends_on >= today) as closed
  into calendar from public.shop_settings s;
  while arrives_on is null and day <= today + 366 loop
    if private.is_working_day(day, calendar.weekly_off, calendar.closed) then
      opens_on := coalesce(opens_on, day);
      if leaves_on is not null then
        days_left := days_left - 1;
      elsif day > today or clock::time < calendar.cutoff_time then
        leaves_on := day;
      end if;
      arrives_on := case when leaves_on is not null and days_left = 0 then day end;
    end if;
    day := day + 1;
  end loop;
  if arrives_on is null then
    leaves_on := null;
  end if;
end $$;

-- Sweets are made on the day they leave, and must have a third of their shelf life left when they arrive; products
-- without a shelf life keep.
create function private.stays_fresh(shelf_life_days integer, travel_days integer) returns boolean
language sql immutable as $$
  select coalesce(3 * (shelf_life_days - travel_days) >= shelf_life_days, true);
$$;

-- The products that would not survive the journey; null when all do.
create function private.products_that_spoil(product_ids bigint[], travel_days integer) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_agg(jsonb_build_object(
      'product_id', p."Id", 'product', p."Name", 'shelf_life_days', p.shelf_life_days, 'travel_days', travel_days,
      'can_be_collected', p."Category" = 'Takeaway') order by p."Id")
    from public."Products" p
    where p."Id" = any (product_ids) and not private.stays_fresh(p.shelf_life_days, travel_days));
end $$;

-- What can be delivered to a pincode, when and for how much: for up to 300 products (a page of cards), and for a
-- single one also what can be sent instead.
create function private.check_delivery_at(pincode text, product_ids bigint[], grams integer, at timestamptz) returns jsonb
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
  select * into journey from private.promise_delivery(at, zone.max_days);
  if journey.arrives_on is null then
    return jsonb_build_object('ok', false, 'reason', 'closed');
  end if;
  -- Only what everybody may see is named.
  spoiled := private.products_that_spoil(array(
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
                    then private.alternatives_to_send(product_ids[1], journey.arrives_on - journey.leaves_on) else '[]' end);
end $$;

create function public.check_delivery(pincode text, product_ids bigint[] default '{}', grams integer default 500) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.check_delivery_at(pincode, product_ids, grams, now());
$$;

-- Up to three products to send instead: of the same category first, then by rating. Takeaway is for pickup only.
create function private.alternatives_to_send(product_id bigint, travel_days integer) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('product_id', s."Id", 'product', s."Name") order by s.place), '[]')
  from (
    select p."Id", p."Name",
           row_number() over (order by p."Category" = asked."Category" desc, p."Rating" desc nulls last, p."Id") as place
    from public."Products" asked, public."Products" p
    where asked."Id" = alternatives_to_send.product_id and p."Id" <> asked."Id" and p.isavailable and p.archived_at is null
      and p."Category" <> 'Takeaway' and private.stays_fresh(p.shelf_life_days, travel_days)
    order by place limit 3
  ) s;
$$;

revoke execute on function public.check_delivery(text, bigint[], integer) from public, anon, authenticated;
grant execute on function public.check_delivery(text, bigint[], integer) to anon, authenticated, service_role;
