-- The name a customer saves in the profile is the shop's own and wins over the one the identity provider sends: both
-- backends overwrite the metadata with the provider's data at each sign-in. user_profiles.full_name is the source; the
-- metadata (name, full_name) mirrors it, so that everything that reads a name there reads the right one. What an account
-- may hold in metadata is bounded here too, whoever writes it: the customer, or the identity provider at sign-in.
alter table public.user_profiles add column full_name text
  constraint user_profiles_full_name_check check (char_length(full_name) <= 80);

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

-- Accounts belong to the auth server: a failure here must not keep anybody from signing in.
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

-- Names that were saved before: saving a profile also mirrors the address into the metadata, which no provider sends.
insert into public.user_profiles (user_id, full_name)
select n.id, n.name
from (
  select u.id, left(coalesce(nullif(btrim(m.data ->> 'full_name'), ''), nullif(btrim(m.data ->> 'name'), '')), 80) as name
  from auth.users u cross join lateral (select private.metadata_of(u.raw_user_meta_data) as data) m
  where jsonb_typeof(m.data) = 'object' and m.data ? 'address'
) n
where n.name is not null
on conflict (user_id) do update set full_name = excluded.full_name;

-- The other direction: a saved name is mirrored at once, also when the browser writes the profile and nothing else.
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

revoke execute on function private.bounded_metadata(jsonb), private.guard_user_metadata(), private.guard_identity_data(),
  private.mirror_own_name() from public;

-- What is stored already obeys the bound from now on.
update auth.users u set raw_user_meta_data = u.raw_user_meta_data
where octet_length(u.raw_user_meta_data::text) > 4096
   or char_length(private.metadata_of(u.raw_user_meta_data) ->> 'full_name') > 80
   or char_length(private.metadata_of(u.raw_user_meta_data) ->> 'name') > 80;
update auth.identities i set identity_data = i.identity_data
where octet_length(i.identity_data::text) > 4096
   or char_length(i.identity_data ->> 'full_name') > 80 or char_length(i.identity_data ->> 'name') > 80;
