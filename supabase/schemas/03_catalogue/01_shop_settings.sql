-- The shop's own facts, working days and cart shipping, in exactly one row.
-- Visitors read it; administrators write it, in the console.
set check_function_bodies = off;

-- The last character of a GSTIN follows from the others: weights 1 and 2 in turn, in base 36 (domain/vendors/gstin.ts).
create function private.is_gstin(gstin text) returns boolean
language sql immutable set search_path = '' as $$
  select is_gstin.gstin ~ '^[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][0-9A-Z]Z[0-9A-Z]$'
     and substr(is_gstin.gstin, 15, 1) = substr(a.letters, (36 - sum(p.product / 36 + p.product % 36)::integer % 36) % 36 + 1, 1)
  from (values ('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ')) a (letters),
       generate_series(1, 14) place,
       lateral (select (strpos(a.letters, substr(is_gstin.gstin, place, 1)) - 1) * (2 - place % 2) as product) p
  group by a.letters;
$$;

-- The two digits with which the GSTINs of a state begin; null: no state of this name (domain/gst-states.ts has the same).
create function private.gstin_state_code(state text) returns text
language sql immutable set search_path = '' as $$
  select s.code from (values
    ('Jammu and Kashmir', '01'), ('Himachal Pradesh', '02'), ('Punjab', '03'), ('Chandigarh', '04'), ('Uttarakhand', '05'),
    ('Haryana', '06'), ('Delhi', '07'), ('Rajasthan', '08'), ('Uttar Pradesh', '09'), ('Bihar', '10'), ('Sikkim', '11'),
    ('Arunachal Pradesh', '12'), ('Nagaland', '13'), ('Manipur', '14'), ('Mizoram', '15'), ('Tripura', '16'),
    ('Meghalaya', '17'), ('Assam', '18'), ('West Bengal', '19'), ('Jharkhand', '20'), ('Odisha', '21'), ('Chhattisgarh', '22'),
    ('Madhya Pradesh', '23'), ('Gujarat', '24'), ('Dadra and Nagar Haveli and Daman and Diu', '26'), ('Maharashtra', '27'),
    ('Karnataka', '29'), ('Goa', '30'), ('Lakshadweep', '31'), ('Kerala', '32'), ('Tamil Nadu', '33'), ('Puducherry', '34'),
    ('Andaman and Nicobar Islands', '35'), ('Telangana', '36'), ('Andhra Pradesh', '37'), ('Ladakh', '38')) s (state, code)
  where s.state = gstin_state_code.state;
$$;

-- The shop's own facts: exactly one row.
create table public.shop_settings (
  id boolean primary key default true check (id),
  name text not null check (char_length(name) between 1 and 60),
  legal_name text not null default '' check (char_length(legal_name) <= 120),
  address text not null default '' check (char_length(address) <= 400),
  state text not null default '' check (char_length(state) <= 60),
  fssai_number text not null default '' check (fssai_number ~ '^([0-9]{14})?$'),
  gstin text not null default '' check (gstin ~ '^([0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][0-9A-Z]Z[0-9A-Z])?$'),
  email text not null default '' check (char_length(email) <= 200),
  whatsapp_number text not null default '' check (whatsapp_number ~ '^(\+91[6-9][0-9]{9})?$'),
  instagram_url text not null default '' check (instagram_url = '' or private.is_safe_link(instagram_url)),
  facebook_url text not null default '' check (facebook_url = '' or private.is_safe_link(facebook_url)),
  grievance_officer text not null default '' check (char_length(grievance_officer) <= 200),
  updated_at timestamptz not null default now(),
  cutoff_time time not null default '14:00' check (cutoff_time < '24:00'),
  weekly_off smallint[] not null default '{0}'
    check (weekly_off <@ '{0,1,2,3,4,5,6}' and not weekly_off @> '{0,1,2,3,4,5,6}'),
  grievance_email text not null default '' check (char_length(grievance_email) <= 200),
  grievance_phone text not null default '' check (grievance_phone ~ '^(\+91[1-9][0-9]{9})?$'),
  grievance_hours text not null default '' check (char_length(grievance_hours) <= 120),
  cart_shipping text not null default 'flat' check (cart_shipping in ('flat', 'zone')),
  cart_flat_charge numeric(8, 2) not null default 40
    check (cart_flat_charge between 0 and 10000 and cart_flat_charge <> 'NaN'),
  cart_zone_from_grams integer check (cart_zone_from_grams between 1 and 30000)
);
comment on column public.shop_settings.cart_shipping is 'flat: cart_flat_charge, below cart_zone_from_grams if that is set; zone: the zone''s rate.';
alter table public.shop_settings enable row level security;
revoke all on public.shop_settings from anon, authenticated;
grant select on public.shop_settings to anon;
grant select, update on public.shop_settings to authenticated;
grant all on public.shop_settings to service_role;
create policy "everybody reads the shop's facts" on public.shop_settings
  for select to anon, authenticated using (true);
create policy "administrators change the shop's facts" on public.shop_settings
  for update to authenticated using ((select private.is_admin())) with check ((select private.is_admin()));

insert into public.shop_settings (name) values ('Mithaas');

create trigger shop_settings_touch before update on public.shop_settings
  for each row execute function private.touch_updated_at();
create trigger shop_settings_audit after update on public.shop_settings
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');
create trigger shop_settings_require_admin before insert or delete or update on public.shop_settings
  for each statement when (current_user in ('anon', 'authenticated')) execute function private.require_admin_to_write();

-- While products are listed, the legal facts (name, address, licence) cannot be emptied, whatever writes: invoices
-- carry them and cannot be corrected.
create function private.guard_shop_facts() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  lost record;
begin
  select f.field, f.words into lost
  from (values ('legal_name', 'legal name', old.legal_name, new.legal_name), ('address', 'address', old.address, new.address),
               ('fssai_number', 'FSSAI licence number', old.fssai_number, new.fssai_number)) f (field, words, before, after)
  where private.is_blank(f.after) and not private.is_blank(f.before) limit 1;
  if found and exists (select from public."Products" p where p.is_listed and p.archived_at is null) then
    perform private.reject(format('While products are listed, the shop needs its %s. Enter another one instead of leaving it blank.', lost.words),
                           lost.field);
  end if;
  return new;
end $$;
create trigger shop_settings_guard_facts before update of legal_name, address, fssai_number on public.shop_settings
  for each row execute function private.guard_shop_facts();

-- An unregistered shop may not charge GST: the GSTIN can be removed only when no product is taxed any more.
create function private.guard_gstin_removal() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  taxed constant bigint := (select count(*) from public."Products" p where p.gst_percent > 0 and p.archived_at is null);
begin
  if taxed > 0 then
    perform private.reject(format('Without a GSTIN no GST may be charged, and %s. Set GST to 0 there first.',
      case taxed when 1 then 'one product has it' else format('%s products have it', taxed) end), 'gstin');
  end if;
  return new;
end $$;
create trigger shop_settings_guard_gstin before update of gstin on public.shop_settings
  for each row when (old.gstin <> '' and new.gstin = '') execute function private.guard_gstin_removal();

-- A shop without a GSTIN may neither charge GST nor take credit for it.
create function private.is_registered() returns boolean
language sql stable set search_path = '' as $$
  select s.gstin <> '' from public.shop_settings s where s.id;
$$;

-- Validates what was typed, rejecting the first error at its field; returns the facts tidied. Every fact except the
-- name may be empty at first: the console lists what is missing.
create function private.validate_shop_facts(facts jsonb) returns public.shop_settings
language plpgsql stable set search_path = '' as $$
declare
  typed public.shop_settings;
  mail constant text := '^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>".]{2,}$';
begin
  typed.name := private.validate_text(facts ->> 'name', 'name', 'The shop’s name', 60, is_needed => true);
  typed.legal_name := private.validate_text(facts ->> 'legal_name', 'legal_name', 'The legal name', 120);
  typed.address := private.validate_text(facts ->> 'address', 'address', 'The address', 400);
  typed.state := private.validate_text(facts ->> 'state', 'state', 'The state', 60);
  if typed.state <> '' and private.gstin_state_code(typed.state) is null then
    perform private.reject('Choose a state or union territory of India.', 'state');
  end if;
  typed.fssai_number := regexp_replace(coalesce(facts ->> 'fssai_number', ''), '[\s-]', '', 'g');
  if typed.fssai_number !~ '^([0-9]{14})?$' then
    perform private.reject('An FSSAI licence number has 14 digits.', 'fssai_number');
  end if;
  typed.gstin := upper(regexp_replace(coalesce(facts ->> 'gstin', ''), '[\s-]', '', 'g'));
  if typed.gstin <> '' then
    if typed.gstin !~ '^[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][0-9A-Z]Z[0-9A-Z]$' then
      perform private.reject('A GSTIN has 15 characters, such as 27ABCDE1234F1Z5.', 'gstin');
    elsif not private.is_gstin(typed.gstin) then
      perform private.reject('This GSTIN is not valid. Check each character.', 'gstin');
    elsif typed.state <> '' and left(typed.gstin, 2) <> private.gstin_state_code(typed.state) then
      perform private.reject(format('A GSTIN of %s starts with %s.', typed.state, private.gstin_state_code(typed.state)), 'gstin');
    end if;
  end if;
  typed.email := private.validate_text(facts ->> 'email', 'email', 'The e-mail address', 200);
  if typed.email <> '' and typed.email !~ mail then
    perform private.reject('Enter a valid email address.', 'email');
  end if;
  typed.whatsapp_number := private.validate_phone(facts ->> 'whatsapp_number', 'whatsapp_number', '[6-9]',
    'A WhatsApp number is an Indian mobile number, such as +91 98765 43210.');
  typed.instagram_url := private.validate_link(facts ->> 'instagram_url', 'instagram_url', 'The link to Instagram');
  typed.facebook_url := private.validate_link(facts ->> 'facebook_url', 'facebook_url', 'The link to Facebook');
  typed.grievance_officer := private.validate_text(facts ->> 'grievance_officer', 'grievance_officer', 'The officer’s name', 200);
  typed.grievance_email := private.validate_text(facts ->> 'grievance_email', 'grievance_email', 'The e-mail address', 200);
  if typed.grievance_email <> '' and typed.grievance_email !~ mail then
    perform private.reject('Enter a valid email address.', 'grievance_email');
  end if;
  typed.grievance_phone := private.validate_phone(facts ->> 'grievance_phone', 'grievance_phone', '[1-9]',
    'A phone number has ten digits, with the code of the town for a landline, such as +91 22 2345 6789.');
  typed.grievance_hours := private.validate_text(facts ->> 'grievance_hours', 'grievance_hours', 'The hours', 120);
  return typed;
end $$;
