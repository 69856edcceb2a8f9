-- The shop's legal face: what the law wants a shop to say of itself, as its owner keeps it in the console. Footer, terms
-- and product pages read it with page_frame().

-- Whom to complain to, in parts that a page can link. Who named the officer in one line keeps that line.
alter table public.shop_settings
  add column grievance_email text not null default '' check (char_length(grievance_email) <= 200),
  add column grievance_phone text not null default '' check (grievance_phone ~ '^(\+91[1-9][0-9]{9})?$'),
  add column grievance_hours text not null default '' check (char_length(grievance_hours) <= 120);

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

-- Who sells, from where and with which licence is not taken back while there is something to buy, whoever writes it:
-- invoices are made out in that name, and cannot be corrected. A shop that has not said it yet is told so by the console.
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
    perform private.refuse(format('While sweets are listed, the shop has to say its %s. Write another one instead of none.', lost.words),
                           lost.field);
  end if;
  return new;
end $$;
create trigger shop_settings_guard_facts before update of legal_name, address, fssai_number on public.shop_settings
  for each row execute function private.guard_shop_facts();

-- The first thing that is wrong with what somebody typed is refused at its field; answers it tidied. Every fact but the
-- name may be empty at first: a shop says what it has, and the console says what is missing.
create function private.typed_shop_facts(facts jsonb) returns public.shop_settings
language plpgsql stable set search_path = '' as $$
declare
  typed public.shop_settings;
  mail constant text := '^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>".]{2,}$';
begin
  typed.name := private.typed(facts ->> 'name', 'name', 'The shop’s name', 60, is_needed => true);
  typed.legal_name := private.typed(facts ->> 'legal_name', 'legal_name', 'The legal name', 120);
  typed.address := private.typed(facts ->> 'address', 'address', 'The address', 400);
  typed.state := private.typed(facts ->> 'state', 'state', 'The state', 60);
  if typed.state <> '' and private.gstin_state_code(typed.state) is null then
    perform private.refuse('Choose a state or union territory of India.', 'state');
  end if;
  typed.fssai_number := regexp_replace(coalesce(facts ->> 'fssai_number', ''), '[\s-]', '', 'g');
  if typed.fssai_number !~ '^([0-9]{14})?$' then
    perform private.refuse('An FSSAI licence number has 14 digits.', 'fssai_number');
  end if;
  typed.gstin := upper(regexp_replace(coalesce(facts ->> 'gstin', ''), '[\s-]', '', 'g'));
  if typed.gstin <> '' then
    if typed.gstin !~ '^[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][0-9A-Z]Z[0-9A-Z]$' then
      perform private.refuse('A GSTIN has 15 characters, such as 27ABCDE1234F1Z5.', 'gstin');
    elsif not private.is_gstin(typed.gstin) then
      perform private.refuse('This GSTIN does not add up: one of its characters is wrong.', 'gstin');
    elsif typed.state <> '' and left(typed.gstin, 2) <> private.gstin_state_code(typed.state) then
      perform private.refuse(format('A GSTIN of %s begins with %s.', typed.state, private.gstin_state_code(typed.state)), 'gstin');
    end if;
  end if;
  typed.email := private.typed(facts ->> 'email', 'email', 'The e-mail address', 200);
  if typed.email <> '' and typed.email !~ mail then
    perform private.refuse('This is not an e-mail address.', 'email');
  end if;
  typed.whatsapp_number := private.typed_phone(facts ->> 'whatsapp_number', 'whatsapp_number', '[6-9]',
    'A WhatsApp number is an Indian mobile number, such as +91 98765 43210.');
  typed.instagram_url := private.typed_link(facts ->> 'instagram_url', 'instagram_url', 'The link to Instagram');
  typed.facebook_url := private.typed_link(facts ->> 'facebook_url', 'facebook_url', 'The link to Facebook');
  typed.grievance_officer := private.typed(facts ->> 'grievance_officer', 'grievance_officer', 'The officer’s name', 200);
  typed.grievance_email := private.typed(facts ->> 'grievance_email', 'grievance_email', 'The e-mail address', 200);
  if typed.grievance_email <> '' and typed.grievance_email !~ mail then
    perform private.refuse('This is not an e-mail address.', 'grievance_email');
  end if;
  typed.grievance_phone := private.typed_phone(facts ->> 'grievance_phone', 'grievance_phone', '[1-9]',
    'A phone number has ten digits, with the code of the town for a landline, such as +91 22 2345 6789.');
  typed.grievance_hours := private.typed(facts ->> 'grievance_hours', 'grievance_hours', 'The hours', 120);
  return typed;
end $$;

-- As people write a number: with spaces, with 0 or +91 in front, or with neither.
create function private.typed_phone(value text, field text, first_digit text, message text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  digits text := regexp_replace(regexp_replace(coalesce(value, ''), '[\s().-]', '', 'g'), '^(\+?91(?=[0-9]{10}$)|0(?=[0-9]{10}$))', '');
begin
  if digits <> '' and digits !~ ('^' || first_digit || '[0-9]{9}$') then
    perform private.refuse(message, field);
  end if;
  return case when digits <> '' then '+91' || digits else '' end;
end $$;

revoke execute on function private.guard_shop_facts(), private.gstin_state_code(text), private.typed_shop_facts(jsonb),
  private.typed_phone(text, text, text, text) from public;

-- {facts, updated_at, incomplete_products}: the last counts what is listed without its facts.
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

-- Saves what is named of the facts: {updated_at}.
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
    perform private.refuse('There is nothing to save.');
  end if;
  select c.key into strange from jsonb_each(changes) c
  where c.key <> all (offered) or jsonb_typeof(c.value) <> 'string' limit 1;
  if found then
    perform private.refuse('This is not what belongs here.', strange);
  end if;
  select * into kept from public.shop_settings s for no key update;
  perform private.expect_unchanged(seen, kept.updated_at);
  typed := private.typed_shop_facts(to_jsonb(kept) || changes);
  update public.shop_settings s set
    name = typed.name, legal_name = typed.legal_name, address = typed.address, state = typed.state,
    fssai_number = typed.fssai_number, gstin = typed.gstin, email = typed.email, whatsapp_number = typed.whatsapp_number,
    instagram_url = typed.instagram_url, facebook_url = typed.facebook_url, grievance_officer = typed.grievance_officer,
    grievance_email = typed.grievance_email, grievance_phone = typed.grievance_phone, grievance_hours = typed.grievance_hours;
  return (select jsonb_build_object('updated_at', s.updated_at) from public.shop_settings s);
end $$;

select private.open_console_requests();
