-- What somebody is told about a pincode before signing in: whether we deliver there, for how much, by when, and which
-- sweets would not survive the journey. Reads four small tables and keeps nothing, so nobody waits for a turn.

create function private.check_delivery_at(pincode text, product_ids bigint[], grams integer, at timestamptz) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  zone public.delivery_zones;
  journey record;
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
  select * into journey from private.promise(at, zone.max_days);
  if journey.arrives_on is null then
    return jsonb_build_object('ok', false, 'reason', 'closed');
  end if;
  return jsonb_build_object(
    'ok', true, 'zone', zone.name, 'today', today, 'leaves_on', journey.leaves_on, 'arrives_on', journey.arrives_on,
    -- Until then an order leaves on that day: the cut-off is its only hour.
    'order_before', (journey.leaves_on + (select s.cutoff_time from public.shop_settings s)) at time zone 'Asia/Kolkata',
    'charge_paise', private.shipping_paise(zone, coalesce(grams, 0), 'direct'),
    'cart_charge_paise', private.shipping_paise(zone, coalesce(grams, 0), 'cart'),
    -- The closure of today; otherwise the longest of those that move the day: on one of its days we would have worked.
    'closed', (
      select jsonb_build_object('from', c.starts_on, 'until', c.ends_on, 'reason', c.reason)
      from public.closures c, public.shop_settings s
      where c.ends_on >= today and (c.starts_on <= today or exists (
        select from generate_series(c.starts_on, least(c.ends_on, journey.arrives_on), interval '1 day') d
        where extract(dow from d)::smallint <> all (s.weekly_off)))
      order by c.starts_on <= today desc, c.ends_on desc, c.id limit 1),
    'collect_from', journey.opens_on,
    -- Only what everybody may see is named.
    'spoiled', coalesce(private.spoiled(array(
      select p."Id" from public."Products" p
      where p."Id" = any (product_ids[1:100]) and p.is_listed and p.archived_at is null), journey.arrives_on - journey.leaves_on), '[]'));
end $$;
revoke execute on function private.check_delivery_at(text, bigint[], integer, timestamptz) from public;

create function public.check_delivery(pincode text, product_ids bigint[] default '{}', grams integer default 500) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.check_delivery_at(pincode, product_ids, grams, now());
$$;
revoke execute on function public.check_delivery(text, bigint[], integer) from public;
grant execute on function public.check_delivery(text, bigint[], integer) to anon, authenticated, service_role;
