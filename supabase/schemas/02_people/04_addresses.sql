-- The address book: where a customer sends parcels besides their own address, which is the profile's and is not copied here.
-- Written and read by the customer alone; open_checkout() copies a chosen one into the checkout.
set check_function_bodies = off;

create table public.customer_addresses (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  -- What the customer calls it: Nani, Office.
  label text not null check (char_length(label) <= 40 and not private.is_blank(label)),
  recipient_name text not null check (private.fits_address('name', recipient_name) and not private.is_blank(recipient_name)),
  phone text not null check (private.fits_address('phone', phone) and phone <> ''),
  building_no text not null check (private.fits_address('building_no', building_no) and not private.is_blank(building_no)),
  street text not null check (private.fits_address('street', street) and not private.is_blank(street)),
  city text not null check (private.fits_address('city', city) and not private.is_blank(city)),
  state text not null check (private.fits_address('state', state) and not private.is_blank(state)),
  zip text not null check (private.fits_address('zip', zip) and zip <> ''),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index customer_addresses_user_idx on public.customer_addresses (user_id, created_at, id);
alter table public.customer_addresses enable row level security;
revoke all on public.customer_addresses from anon, authenticated;
grant select, insert, update, delete on public.customer_addresses to authenticated;
grant all on public.customer_addresses to service_role;
create policy "customers read their own addresses" on public.customer_addresses
  for select to authenticated using (user_id = (select auth.uid()));
create policy "customers add their own addresses" on public.customer_addresses
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "customers change their own addresses" on public.customer_addresses
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "customers delete their own addresses" on public.customer_addresses
  for delete to authenticated using (user_id = (select auth.uid()));

create function private.most_addresses() returns integer
language sql immutable as $$ select 50 $$;

-- Browsers set no dates, an address never changes its owner, and there are at most fifty of a customer and a hundred changes an
-- hour. The lock makes two tabs that add the fiftieth wait for each other. This runs before the policies: whose book is full is
-- none of another customer's business.
create function private.guard_address() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_service() and new.user_id is distinct from auth.uid() then
    raise sqlstate 'PT403' using message = 'an address cannot be given to somebody else';
  elsif tg_op = 'INSERT' then
    perform pg_advisory_xact_lock(hashtextextended('addresses ' || new.user_id, 0));
    if (select count(*) from public.customer_addresses a where a.user_id = new.user_id) >= private.most_addresses() then
      raise sqlstate 'PT409' using message = format('an address book holds at most %s addresses', private.most_addresses());
    end if;
  elsif new.user_id <> old.user_id or new.id <> old.id then
    raise sqlstate 'PT403' using message = 'an address cannot be given to somebody else';
  end if;
  if not private.is_service() then
    new.created_at := case when tg_op = 'UPDATE' then old.created_at else now() end;
    if not private.consume_rate_limit('address edit', new.user_id::text, 100, interval '1 hour') then
      raise sqlstate 'PT429' using message = 'too many changes of addresses: at most a hundred an hour';
    end if;
  end if;
  new.updated_at := now();
  return new;
end $$;
create trigger customer_addresses_guard before insert or update on public.customer_addresses
  for each row execute function private.guard_address();

-- A customer as the recipient of a parcel: with the name and the address of the profile, or of an address of their own book; null
-- when there is no such address in it.
create function private.recipient_at(buyer private.buyers, address_id uuid) returns private.buyers
language plpgsql stable set search_path = '' as $$
begin
  if address_id is null then
    return buyer;
  end if;
  return (
    select row(buyer.id, buyer.email, btrim(a.recipient_name), btrim(a.phone), btrim(a.building_no), btrim(a.street), btrim(a.city),
               btrim(a.state), btrim(a.zip))::private.buyers
    from public.customer_addresses a where a.id = recipient_at.address_id and a.user_id = buyer.id);
end $$;
