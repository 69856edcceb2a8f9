-- Console: the shop's facts.
-- Administrators only, who write them here.
set check_function_bodies = off;

-- {facts, updated_at, incomplete_products}: the last counts listed products that lack facts.
create function public.admin_read_shop() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object(
      'facts', jsonb_build_object(
        'name', s.name, 'legal_name', s.legal_name, 'address', s.address, 'state', s.state, 'fssai_number', s.fssai_number,
        'gstin', s.gstin, 'email', s.email, 'whatsapp_number', s.whatsapp_number, 'instagram_url', s.instagram_url,
        'facebook_url', s.facebook_url, 'grievance_officer', s.grievance_officer, 'grievance_email', s.grievance_email,
        'grievance_phone', s.grievance_phone, 'grievance_hours', s.grievance_hours),
      'updated_at', s.updated_at,
      'incomplete_products', (
        select count(*) from public."Products" p
        where p.is_listed and p.archived_at is null and private.missing_facts(
          p.food_mark, p.ingredients, p.allergens, p.shelf_life_days, p.storage, p.weight_grams) <> '{}'))
    from public.shop_settings s);
end $$;

-- Saves the facts that are named: {updated_at}.
create function public.admin_save_shop(changes jsonb, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  kept public.shop_settings;
  typed public.shop_settings;
  offered constant text[] := array['name', 'legal_name', 'address', 'state', 'fssai_number', 'gstin', 'email', 'whatsapp_number',
    'instagram_url', 'facebook_url', 'grievance_officer', 'grievance_email', 'grievance_phone', 'grievance_hours'];
  strange text;
begin
  perform private.require_admin();
  if jsonb_typeof(changes) is distinct from 'object' then
    perform private.reject('There is nothing to save.');
  end if;
  select c.key into strange from jsonb_each(changes) c
  where c.key <> all (offered) or jsonb_typeof(c.value) <> 'string' limit 1;
  if found then
    perform private.reject('This value is not valid.', strange);
  end if;
  select * into kept from public.shop_settings s for no key update;
  perform private.expect_unchanged(seen, kept.updated_at);
  typed := private.validate_shop_facts(to_jsonb(kept) || changes);
  update public.shop_settings s set
    name = typed.name, legal_name = typed.legal_name, address = typed.address, state = typed.state,
    fssai_number = typed.fssai_number, gstin = typed.gstin, email = typed.email, whatsapp_number = typed.whatsapp_number,
    instagram_url = typed.instagram_url, facebook_url = typed.facebook_url, grievance_officer = typed.grievance_officer,
    grievance_email = typed.grievance_email, grievance_phone = typed.grievance_phone, grievance_hours = typed.grievance_hours
  where s.id = kept.id;
  return (select jsonb_build_object('updated_at', s.updated_at) from public.shop_settings s);
end $$;
