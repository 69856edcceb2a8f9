-- Console: delivery zones, closures, festival cut-offs, working days and cart shipping.
-- Administrators only, who write them here.
set check_function_bodies = off;

-- Zones, closures, working days, and what a cart pays for shipping.
create function public.admin_read_delivery() returns jsonb
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
        from public.closures c where c.ends_on > today - 366),
      'cutoffs', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', f.id, 'name', f.name, 'starts_on', f.starts_on, 'ends_on', f.ends_on, 'order_by', f.order_by, 'zone_id', f.zone_id,
          'updated_at', f.updated_at) order by f.ends_on < today, f.order_by, f.id), '[]')
        from private.festival_cutoffs f where f.ends_on > today - 366))
    from public.shop_settings s);
end $$;

-- Until when orders leave the same day, and the days of the week on which nothing moves.
create function public.admin_save_working_days(cutoff_time text, weekly_off integer[], seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.shop_settings;
begin
  perform private.require_admin();
  select * into taken from public.shop_settings for update;
  perform private.expect_unchanged(seen, taken.updated_at);
  if coalesce(cutoff_time, '') !~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' then
    perform private.reject('The cut-off is a time of day like 14:00.', 'cutoff_time');
  elsif weekly_off is null or not weekly_off <@ '{0,1,2,3,4,5,6}' then
    perform private.reject('Choose days of the week.', 'weekly_off');
  elsif weekly_off @> '{0,1,2,3,4,5,6}' then
    perform private.reject('Keep at least one working day.', 'weekly_off');
  end if;
  update public.shop_settings s
  set cutoff_time = admin_save_working_days.cutoff_time::time,
      weekly_off = array(select distinct d::smallint from unnest(admin_save_working_days.weekly_off) d order by 1)
  where s.id = taken.id
  returning * into taken;
  return jsonb_build_object('updated_at', taken.updated_at);
end $$;

-- A zone, new where it has no id. Prefixes are digits from the left; the longest that matches a pincode wins, so a
-- prefix may be in one published zone only.
create function public.admin_save_zone(
  zone_id bigint, name text, pincode_prefixes text[], first_kg_paise bigint, extra_kg_paise bigint, min_days integer,
  max_days integer, is_published boolean, seen timestamptz default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.delivery_zones;
  typed_name text;
  prefixes text[];
  twin record;
begin
  perform private.require_admin();
  -- Two who save at once must not both get the same prefix.
  perform pg_advisory_xact_lock(hashtextextended('delivery zones', 0));
  if zone_id is not null then
    select * into taken from public.delivery_zones z where z.id = zone_id for update;
    if taken.id is null then
      raise sqlstate 'PT409' using message = 'This zone was deleted by someone else.', detail = 'stale';
    end if;
    perform private.expect_unchanged(seen, taken.updated_at);
  end if;
  typed_name := private.validate_text(name, 'name', 'The name', 80, is_needed => true);
  prefixes := array(select distinct p from unnest(admin_save_zone.pincode_prefixes) p order by 1);
  if cardinality(prefixes) = 0 then
    perform private.reject('Enter pincode prefixes.', 'pincode_prefixes');
  elsif cardinality(prefixes) > 500 then
    perform private.reject('Enter at most 500 prefixes.', 'pincode_prefixes');
  elsif exists (select from unnest(prefixes) p where p is null or p !~ '^[1-9][0-9]{0,5}$') then
    perform private.reject('Enter pincode prefixes of one to six digits, not starting with 0.', 'pincode_prefixes');
  elsif first_kg_paise is null or first_kg_paise not between 0 and 1000000 then
    perform private.reject('A charge between ₹0 and ₹10,000.', 'first_kg_charge');
  elsif extra_kg_paise is null or extra_kg_paise not between 0 and 1000000 then
    perform private.reject('A charge between ₹0 and ₹10,000.', 'extra_kg_charge');
  elsif min_days is null or min_days not between 0 and 7 then
    perform private.reject('Between 0 and 7 working days.', 'min_days');
  elsif max_days is null or max_days not between min_days and 7 then
    perform private.reject('At least as many days as at the earliest, and at most 7: the terms promise delivery in 1 to 7 business days.', 'max_days');
  end if;
  if coalesce(is_published, true) then
    select z.name, p as prefix into twin
    from public.delivery_zones z, unnest(z.pincode_prefixes) p
    where z.is_published and z.id is distinct from zone_id and p = any (prefixes)
    order by p limit 1;
    if twin.prefix is not null then
      perform private.reject(format('%s already has %s.', twin.name, twin.prefix), 'pincode_prefixes');
    end if;
  end if;
  if taken.id is null then
    insert into public.delivery_zones (name, pincode_prefixes, first_kg_charge, extra_kg_charge, min_days, max_days, is_published)
    values (typed_name, prefixes, first_kg_paise / 100.0, extra_kg_paise / 100.0, admin_save_zone.min_days, admin_save_zone.max_days,
            coalesce(admin_save_zone.is_published, true))
    returning * into taken;
  else
    update public.delivery_zones z
    set name = typed_name, pincode_prefixes = prefixes, first_kg_charge = first_kg_paise / 100.0, extra_kg_charge = extra_kg_paise / 100.0,
        min_days = admin_save_zone.min_days, max_days = admin_save_zone.max_days,
        is_published = coalesce(admin_save_zone.is_published, true)
    where z.id = taken.id returning * into taken;
  end if;
  return jsonb_build_object('id', taken.id, 'updated_at', taken.updated_at);
end $$;

-- Orders keep what they were promised and charged.
create function public.admin_delete_zone(zone_id bigint, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.delivery_zones;
begin
  perform private.require_admin();
  select * into taken from public.delivery_zones z where z.id = zone_id for update;
  perform private.expect_unchanged(seen, taken.updated_at);
  delete from public.delivery_zones z where z.id = taken.id;
  return jsonb_build_object('id', taken.id);
end $$;

-- A closure, new where it has no id. Customers read its reason.
create function public.admin_save_closure(
  closure_id bigint, starts_on date, ends_on date, reason text, seen timestamptz default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.closures;
  typed_reason text;
begin
  perform private.require_admin();
  if closure_id is not null then
    select * into taken from public.closures c where c.id = closure_id for update;
    if taken.id is null then
      raise sqlstate 'PT409' using message = 'This closure was deleted by someone else.', detail = 'stale';
    end if;
    perform private.expect_unchanged(seen, taken.updated_at);
  end if;
  if starts_on is null or starts_on not between date '2000-01-01' and date '2099-12-31' then
    perform private.reject('Choose the first day.', 'starts_on');
  elsif ends_on is null or ends_on < starts_on then
    perform private.reject('The last day can’t be before the first day.', 'ends_on');
  elsif ends_on > starts_on + 366 then
    perform private.reject('At most a year at once.', 'ends_on');
  end if;
  typed_reason := private.validate_text(reason, 'reason', 'The reason', 80, is_needed => true);
  if taken.id is null then
    insert into public.closures (starts_on, ends_on, reason)
    values (admin_save_closure.starts_on, admin_save_closure.ends_on, typed_reason) returning * into taken;
  else
    update public.closures c
    set starts_on = admin_save_closure.starts_on, ends_on = admin_save_closure.ends_on, reason = typed_reason
    where c.id = taken.id returning * into taken;
  end if;
  return jsonb_build_object('id', taken.id, 'updated_at', taken.updated_at);
end $$;

create function public.admin_delete_closure(closure_id bigint, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.closures;
begin
  perform private.require_admin();
  select * into taken from public.closures c where c.id = closure_id for update;
  perform private.expect_unchanged(seen, taken.updated_at);
  delete from public.closures c where c.id = taken.id;
  return jsonb_build_object('id', taken.id);
end $$;

-- A festival cut-off, new where it has no id: days that are chosen until `order_by` only, in one zone or in all of them.
create function public.admin_save_cutoff(
  cutoff_id bigint, name text, starts_on date, ends_on date, order_by date, zone_id bigint default null, seen timestamptz default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken private.festival_cutoffs;
  typed_name text;
begin
  perform private.require_admin();
  if cutoff_id is not null then
    select * into taken from private.festival_cutoffs c where c.id = cutoff_id for update;
    if taken.id is null then
      raise sqlstate 'PT409' using message = 'This cut-off was deleted by someone else.', detail = 'stale';
    end if;
    perform private.expect_unchanged(seen, taken.updated_at);
  end if;
  typed_name := private.validate_text(name, 'name', 'The festival', 80, is_needed => true);
  if starts_on is null or starts_on not between date '2000-01-01' and date '2099-12-31' then
    perform private.reject('Choose the first day.', 'starts_on');
  elsif ends_on is null or ends_on < starts_on then
    perform private.reject('The last day can’t be before the first day.', 'ends_on');
  elsif ends_on > starts_on + 60 then
    perform private.reject('At most 60 days at once.', 'ends_on');
  elsif order_by is null or order_by not between starts_on - 60 and ends_on then
    perform private.reject('At most 60 days before the first day, and not after the last.', 'order_by');
  elsif zone_id is not null and not exists (select from public.delivery_zones z where z.id = admin_save_cutoff.zone_id) then
    perform private.reject('This zone is no longer there.', 'zone_id');
  end if;
  if taken.id is null then
    insert into private.festival_cutoffs (name, starts_on, ends_on, order_by, zone_id)
    values (typed_name, admin_save_cutoff.starts_on, admin_save_cutoff.ends_on, admin_save_cutoff.order_by, admin_save_cutoff.zone_id)
    returning * into taken;
  else
    update private.festival_cutoffs c
    set name = typed_name, starts_on = admin_save_cutoff.starts_on, ends_on = admin_save_cutoff.ends_on,
        order_by = admin_save_cutoff.order_by, zone_id = admin_save_cutoff.zone_id
    where c.id = taken.id returning * into taken;
  end if;
  return jsonb_build_object('id', taken.id, 'updated_at', taken.updated_at);
end $$;

create function public.admin_delete_cutoff(cutoff_id bigint, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken private.festival_cutoffs;
begin
  perform private.require_admin();
  select * into taken from private.festival_cutoffs c where c.id = cutoff_id for update;
  perform private.expect_unchanged(seen, taken.updated_at);
  delete from private.festival_cutoffs c where c.id = taken.id;
  return jsonb_build_object('id', taken.id);
end $$;

-- What a customer at that pincode would see at that moment, for a parcel of that weight; and which products would
-- not be sent there.
create function public.admin_try_delivery(pincode text, at timestamptz default now(), grams integer default 500) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  if coalesce(pincode, '') !~ '^[1-9][0-9]{5}$' then
    perform private.reject('A pincode has six digits and does not begin with 0.', 'pincode');
  elsif at is null or at not between timestamptz '2000-01-01' and timestamptz '2099-12-31' then
    perform private.reject('Choose a moment.', 'at');
  elsif grams is null or grams not between 1 and 30000 then
    perform private.reject('Between 1 g and 30 kg.', 'grams');
  end if;
  return private.check_delivery_at(pincode, array(
    select p."Id" from public."Products" p where p.is_listed and p.archived_at is null
      and p.shelf_life_days is not null order by p.shelf_life_days, p."Id" limit 100), grams, at);
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
    perform private.reject('Choose how carts pay for shipping.', 'kind');
  elsif flat_paise is null or flat_paise not between 0 and 1000000 then
    perform private.reject('A charge between ₹0 and ₹10,000.', 'flat_paise');
  elsif zone_from_grams not between 1 and 30000 then
    perform private.reject('A weight of at most 30 kg, or empty.', 'zone_from_grams');
  end if;
  update public.shop_settings s
  set cart_shipping = kind, cart_flat_charge = flat_paise / 100.0, cart_zone_from_grams = zone_from_grams
  where s.id
  returning * into shop;
  return jsonb_build_object('updated_at', shop.updated_at);
end $$;
