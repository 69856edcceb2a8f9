-- Names, phones and addresses of customers. Customers write their own; the sign-in provider's data is bounded before it is
-- stored.
set check_function_bodies = off;

-- What the sign-in provider sent about an account. The embedded backend stores the object as a JSON text, and
-- customers may write into it what jsonb cannot hold.
create function private.metadata_of(stored jsonb) returns jsonb
language plpgsql immutable set search_path = '' as $$
begin
  return case when jsonb_typeof(stored) = 'string' then (stored #>> '{}')::jsonb else stored end;
exception when data_exception then
  return '{}';
end $$;

-- A person's name as the console shows it.
create function private.person_name(user_id uuid) returns text
language sql stable set search_path = '' as $$
  select coalesce(nullif(btrim(m.data ->> 'full_name'), ''), nullif(btrim(m.data ->> 'name'), ''), u.email, 'Somebody')
  from auth.users u cross join lateral (select private.metadata_of(u.raw_user_meta_data) as data) m
  where u.id = person_name.user_id;
$$;

-- What fits a part of an address: the one rule of profiles and of the address book (addressErrors in domain/ is the same rule).
-- Texts are one line without control characters: they are printed on labels. The phone and the pincode may be empty here; where a parcel goes, private.opening_rejection() asks for all of it.
create function private.fits_address(part text, value text) returns boolean
language sql immutable as $$
  select case part
    when 'name' then char_length(value) <= 80
    when 'phone' then value ~ '^((\+91[ -]?)?[6-9][0-9]{9})?$'
    when 'building_no' then char_length(value) <= 120
    when 'street' then char_length(value) <= 200
    when 'city' then char_length(value) <= 80
    when 'state' then char_length(value) <= 80
    when 'zip' then value ~ '^([1-9][0-9]{5})?$'
    else false end and private.is_printable(value);
$$;

-- Profiles: an empty row on the customer's first load, then the customer's own to change.
create table public.user_profiles (
  user_id uuid primary key references auth.users (id) on delete cascade,
  phone text check (private.fits_address('phone', phone)),
  building_no text check (private.fits_address('building_no', building_no)),
  street text check (private.fits_address('street', street)),
  city text check (private.fits_address('city', city)),
  state text check (private.fits_address('state', state)),
  zip text check (private.fits_address('zip', zip)),
  avatar_url text check (avatar_url = '' or private.is_safe_link(avatar_url)),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  full_name text
  constraint user_profiles_full_name_check check (private.fits_address('name', full_name))
);
create index user_profiles_phone_idx on public.user_profiles (right(regexp_replace(phone, '\D', '', 'g'), 10));
alter table public.user_profiles enable row level security;
revoke all on public.user_profiles from anon, authenticated;
grant select, insert, update on public.user_profiles to authenticated;
grant all on public.user_profiles to service_role;
create policy "customers create their own profile" on public.user_profiles
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "customers change their own profile" on public.user_profiles
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "customers read their own profile, administrators all" on public.user_profiles
  for select to authenticated using (user_id = (select auth.uid()) or (select private.is_admin()));

-- Customers with the name and address that a checkout stores.
create view private.buyers with (security_invoker = true) as
  select u.id, u.email,
         coalesce(nullif(left(btrim(m.data ->> 'full_name'), 120), ''), nullif(left(btrim(m.data ->> 'name'), 120), ''),
                  nullif(left(split_part(u.email, '@', 1), 120), ''), 'Customer') as name,
         coalesce(btrim(p.phone), '') as phone, coalesce(btrim(p.building_no), '') as building_no,
         coalesce(btrim(p.street), '') as street, coalesce(btrim(p.city), '') as city,
         coalesce(btrim(p.state), '') as state, coalesce(btrim(p.zip), '') as zip
  from auth.users u
  cross join lateral (select private.metadata_of(u.raw_user_meta_data) as data offset 0) m
  left join public.user_profiles p on p.user_id = u.id;

-- Browsers set no dates, and a profile never changes its owner.
create function private.guard_profile() returns trigger
language plpgsql set search_path = '' as $$
begin
  if current_user in ('anon', 'authenticated') then
    new.created_at := case when tg_op = 'UPDATE' then old.created_at else now() end;
    if tg_op = 'UPDATE' and new.user_id <> old.user_id then
      raise sqlstate 'PT403' using message = 'a profile cannot be given to somebody else';
    end if;
  end if;
  new.updated_at := now();
  return new;
end $$;
create trigger user_profiles_guard before insert or update on public.user_profiles
  for each row execute function private.guard_profile();

-- Thirty an hour: a profile is saved a few times in a life. An upsert fires the insert trigger, too, so only updates count.
create function private.limit_profile_edits() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_service() and not private.consume_rate_limit('profile edit', new.user_id::text, 30, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'too many changes of the profile: at most thirty an hour';
  end if;
  return new;
end $$;
create trigger user_profiles_limit before update on public.user_profiles
  for each row execute function private.limit_profile_edits();

-- Accounts belong to the Auth server: an error here must not prevent a sign-in.
create function private.guard_user_metadata() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  stored jsonb := private.metadata_of(new.raw_user_meta_data);
  bounded jsonb := private.bounded_metadata(stored);
  own_name text := (select nullif(btrim(p.full_name), '') from public.user_profiles p where p.user_id = new.id);
begin
  if own_name is not null and jsonb_typeof(coalesce(bounded, '{}')) = 'object' then
    bounded := coalesce(bounded, '{}') || jsonb_build_object('name', own_name, 'full_name', own_name);
  end if;
  -- The embedded backend may store the object as a JSON text, which is left alone unless something has to change.
  if bounded is distinct from stored or octet_length(new.raw_user_meta_data::text) > 16384 then
    new.raw_user_meta_data := bounded;
  end if;
  return new;
exception when others then
  raise warning 'metadata of account % not checked: %', new.id, sqlstate;
  return new;
end $$;
create trigger shop_guards_metadata before insert or update of raw_user_meta_data on auth.users
  for each row execute function private.guard_user_metadata();

create function private.guard_identity_data() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.identity_data := private.bounded_metadata(new.identity_data);
  return new;
exception when others then
  raise warning 'data of an identity of account % not checked: %', new.user_id, sqlstate;
  return new;
end $$;
create trigger shop_guards_identity_data before insert or update of identity_data on auth.identities
  for each row execute function private.guard_identity_data();

-- The other direction: a saved name is copied to the account at once, also when the browser writes only the
-- profile.
create function private.mirror_own_name() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  own_name constant text := nullif(btrim(new.full_name), '');
begin
  if own_name is not null and (tg_op = 'INSERT' or new.full_name is distinct from old.full_name) then
    update auth.users u
    set raw_user_meta_data = coalesce(private.metadata_of(u.raw_user_meta_data), '{}')
                             || jsonb_build_object('name', own_name, 'full_name', own_name)
    where u.id = new.user_id;
  end if;
  return null;
end $$;
create trigger user_profiles_mirror_own_name after insert or update of full_name on public.user_profiles
  for each row execute function private.mirror_own_name();

-- At most 4 KB. Never refuses, because that would keep the customer from signing in: names are cut to 80 characters, and
-- of too much data only the fields that sign-in and the shop use are kept, in this order, as long as they fit.
create function private.bounded_metadata(data jsonb) returns jsonb
language plpgsql immutable set search_path = '' as $$
declare
  most_bytes constant integer := 4096;
  used constant text[] := array['sub', 'iss', 'provider_id', 'email', 'email_verified', 'phone_verified', 'full_name', 'name',
                                'address', 'avatar_url', 'picture', 'user_name', 'preferred_username'];
  bounded jsonb := data;
  field text;
begin
  if jsonb_typeof(data) is distinct from 'object' then
    return data;
  end if;
  foreach field in array array['full_name', 'name'] loop
    if jsonb_typeof(bounded -> field) = 'string' then
      if char_length(bounded ->> field) > 80 then
        bounded := jsonb_set(bounded, array[field], to_jsonb(left(bounded ->> field, 80)));
      end if;
    else
      bounded := bounded - field;
    end if;
  end loop;
  if octet_length(bounded::text) <= most_bytes then
    return bounded;
  end if;
  select coalesce(jsonb_object_agg(f.key, f.value), '{}') into bounded
  from (
    select e.key, e.value,
           sum(octet_length(e.key) + octet_length(e.value::text) + 6) over (order by array_position(used, e.key)) as bytes
    from jsonb_each(bounded) e
    where e.key = any (used) and octet_length(e.value::text) <= most_bytes / 2
  ) f
  where f.bytes <= most_bytes - 2;
  return bounded;
end $$;

-- Name and picture of the author of a published review, and of no other account. Customers write this data
-- themselves: the name is cut at 80 characters, and the picture is a web address or none.
create function public.get_user_info(user_id uuid, out name text, out avatar_url text)
language sql stable security definer set search_path = '' as $$
  select coalesce(max(a.name), 'Anonymous'), max(a.avatar_url) filter (where private.is_safe_link(a.avatar_url))
  from (
    select
      left(coalesce(nullif(btrim(m.data ->> 'full_name'), ''), nullif(btrim(m.data ->> 'name'), '')), 80) as name,
      coalesce(nullif(p.avatar_url, ''), nullif(m.data ->> 'avatar_url', '')) as avatar_url
    from auth.users u
    cross join lateral (select private.metadata_of(u.raw_user_meta_data) as data) m
    left join public.user_profiles p on p.user_id = u.id
    where u.id = get_user_info.user_id
      and exists (select from public.comments c where c.user_id = u.id and c.hidden_at is null)
  ) a;
$$;

grant execute on function private.guard_profile(), private.fits_address(text, text), private.is_printable(text) to public;
revoke execute on function public.get_user_info(uuid) from public, anon, authenticated;
grant execute on function public.get_user_info(uuid) to anon, authenticated, service_role;
