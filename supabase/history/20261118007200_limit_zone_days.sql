-- A zone takes at most 7 working days, as the terms promise every customer. A zone that said more contradicted the terms:
-- it is lowered to 7 and stays open; orders keep the day they were promised.
update public.delivery_zones set min_days = least(min_days, 7), max_days = 7 where max_days > 7;
alter table public.delivery_zones add constraint delivery_zones_at_most_7_days check (max_days <= 7);

create or replace function public.admin_save_zone(
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
      raise sqlstate 'PT409' using message = 'This zone was deleted meanwhile.', detail = 'stale';
    end if;
    perform private.expect_unchanged(seen, taken.updated_at);
  end if;
  typed_name := private.typed(name, 'name', 'The name', 80, is_needed => true);
  prefixes := array(select distinct p from unnest(admin_save_zone.pincode_prefixes) p order by 1);
  if cardinality(prefixes) = 0 then
    perform private.refuse('Say how its pincodes begin.', 'pincode_prefixes');
  elsif cardinality(prefixes) > 500 then
    perform private.refuse('At most 500 beginnings of pincodes.', 'pincode_prefixes');
  elsif exists (select from unnest(prefixes) p where p is null or p !~ '^[1-9][0-9]{0,5}$') then
    perform private.refuse('Pincodes begin with one to six digits, the first not 0.', 'pincode_prefixes');
  elsif first_kg_paise is null or first_kg_paise not between 0 and 1000000 then
    perform private.refuse('A charge between ₹0 and ₹10,000.', 'first_kg_charge');
  elsif extra_kg_paise is null or extra_kg_paise not between 0 and 1000000 then
    perform private.refuse('A charge between ₹0 and ₹10,000.', 'extra_kg_charge');
  elsif min_days is null or min_days not between 0 and 7 then
    perform private.refuse('Between 0 and 7 working days.', 'min_days');
  elsif max_days is null or max_days not between min_days and 7 then
    perform private.refuse('At least as many days as at the earliest, and at most 7: the terms promise delivery in 1 to 7 business days.', 'max_days');
  end if;
  if coalesce(is_published, true) then
    select z.name, p as prefix into twin
    from public.delivery_zones z, unnest(z.pincode_prefixes) p
    where z.is_published and z.id is distinct from zone_id and p = any (prefixes)
    order by p limit 1;
    if twin.prefix is not null then
      perform private.refuse(format('%s has %s already.', twin.name, twin.prefix), 'pincode_prefixes');
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
