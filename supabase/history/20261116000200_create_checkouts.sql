-- Checkouts: a customer on the way to paying. Each binds one quote, freezes the delivery address, holds back stock for
-- twenty minutes and knows the provider's order. Written by open_checkout(), settle_payment() and the jobs.
create table private.checkouts (
  id uuid primary key default gen_random_uuid(),
  quote_id uuid not null unique references private.quotes (id),
  user_id uuid references auth.users (id) on delete set null,
  -- Checkouts that replaced one another share a family: two of them paid for the same things is one order too many.
  family_id uuid not null,
  -- open: stock is held back. superseded, lapsed: it is not, and a payment may still come. paid: an order was made.
  state text not null default 'open' check (state in ('open', 'superseded', 'lapsed', 'paid')),
  delivery_name text not null,
  delivery_phone text not null,
  delivery_building_no text not null,
  delivery_street text not null,
  delivery_city text not null,
  delivery_state text not null,
  delivery_zip text not null,
  provider_order_id text unique,
  order_id uuid unique references public.orders (id),
  reserved_until timestamptz not null,
  -- When to ask the provider what became of it; null: never again.
  next_check_at timestamptz,
  created_at timestamptz not null,
  check ((state = 'paid') = (order_id is not null))
);
create index checkouts_user_idx on private.checkouts (user_id, created_at desc);
create index checkouts_family_idx on private.checkouts (family_id);
create index checkouts_reserved_idx on private.checkouts (reserved_until) where state = 'open';
create index checkouts_next_check_idx on private.checkouts (next_check_at) where next_check_at is not null;
alter table private.checkouts enable row level security;

-- Whoever changes several stock rows locks them all first, in product order.
create function private.lock_stock(product_ids bigint[]) returns void
language sql set search_path = '' as $$
  select from public.stock_levels s where s.product_id = any (product_ids) order by s.product_id for update;
$$;

-- What a checkout answers to createOrder: enough for the provider's order and the widget.
create function private.checkout_answer(checkout private.checkouts, quote private.quotes, is_new boolean) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'ok', true, 'checkout_id', checkout.id, 'amount_paise', quote.total_paise,
    'provider_order_id', checkout.provider_order_id, 'is_new', is_new,
    'name', checkout.delivery_name, 'phone', checkout.delivery_phone,
    'email', (select u.email from auth.users u where u.id = checkout.user_id),
    'shop', (select s.name from public.shop_settings s));
$$;

-- The customer's quote of that amount: the named one, or the newest live one. Two that differ in lines: nobody can tell.
create function private.find_quote(customer_id uuid, amount_paise bigint, quote_id uuid, at timestamptz,
                                   out quote private.quotes, out reason text)
language plpgsql stable set search_path = '' as $$
begin
  if find_quote.quote_id is not null then
    select * into quote from private.quotes q where q.id = find_quote.quote_id and q.user_id = customer_id;
    reason := case when quote.id is null then 'no-quote'
                   when quote.total_paise <> find_quote.amount_paise then 'amount-mismatch'
                   when quote.expires_at <= at then 'quote-expired' end;
    return;
  end if;
  select * into quote from private.quotes q
  where q.user_id = customer_id and q.total_paise = find_quote.amount_paise and q.expires_at > at
  order by q.created_at desc, q.id
  limit 1;
  reason := case
    when quote.id is null then 'no-quote'
    when exists (select from private.quotes q
                 where q.user_id = customer_id and q.total_paise = find_quote.amount_paise and q.expires_at > at
                   and (q.lines, q.pincode, q.source, q.fulfilment)
                       is distinct from (quote.lines, quote.pincode, quote.source, quote.fulfilment)) then 'ambiguous-amount'
  end;
end $$;

-- The family of what the customer last tried to pay in the past two hours and has not.
create function private.unpaid_family(customer_id uuid, at timestamptz) returns uuid
language sql stable set search_path = '' as $$
  select c.family_id
  from (select l.* from private.checkouts l where l.user_id = customer_id order by l.created_at desc, l.id limit 1) c
  where c.state <> 'paid' and c.created_at > at - interval '2 hours';
$$;

-- Binds a quote to a checkout and holds back its stock. Asked again for the same quote it answers the same checkout;
-- a new one takes the place of the customer's earlier open one, and its stock.
create function public.open_checkout(
  customer_id uuid, amount_paise bigint, quote_id uuid default null, at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  found_quote record;
  quote private.quotes;
  opened private.checkouts;
  earlier private.checkouts;
  held private.quotes;
  person record;
  missing_phone boolean;
  missing_address boolean;
  refusal jsonb;
begin
  -- Nobody can pay before attach_provider_order() has committed, and that brings this to the disk with it.
  perform set_config('synchronous_commit', 'off', true);
  -- One checkout of a customer at a time: double clicks and second tabs wait here.
  perform pg_advisory_xact_lock(hashtextextended('checkout ' || customer_id, 0));
  select * into found_quote from private.find_quote(customer_id, amount_paise, open_checkout.quote_id, at);
  quote := found_quote.quote;
  if quote.id is not null then
    select * into opened from private.checkouts c where c.quote_id = quote.id;
    if opened.state = 'paid' then
      return jsonb_build_object('ok', false, 'reason', 'already-paid');
    elsif opened.state = 'open' and found_quote.reason is null then
      return private.checkout_answer(opened, quote, is_new => false);
    end if;
  end if;
  if found_quote.reason is not null then
    return jsonb_build_object('ok', false, 'reason', found_quote.reason);
  elsif opened.id is not null then
    return jsonb_build_object('ok', false, 'reason', 'quote-expired');
  end if;

  if not private.take_turn('checkout', customer_id::text, 5, interval '1 minute', at) then
    return jsonb_build_object('ok', false, 'reason', 'too-many-checkouts');
  end if;
  if exists (select from private.customer_records r where r.user_id = customer_id and r.blocked_at is not null) then
    return jsonb_build_object('ok', false, 'reason', 'blocked');
  end if;

  select coalesce(nullif(left(btrim(m.data ->> 'full_name'), 120), ''), nullif(left(btrim(m.data ->> 'name'), 120), ''),
                  nullif(left(split_part(u.email, '@', 1), 120), ''), 'Customer') as name,
         coalesce(btrim(p.phone), '') as phone, coalesce(btrim(p.building_no), '') as building_no,
         coalesce(btrim(p.street), '') as street, coalesce(btrim(p.city), '') as city,
         coalesce(btrim(p.state), '') as state, coalesce(btrim(p.zip), '') as zip
  into person
  from auth.users u
  cross join lateral (select private.metadata_of(u.raw_user_meta_data) as data) m
  left join public.user_profiles p on p.user_id = u.id
  where u.id = customer_id;
  missing_phone := coalesce(person.phone, '') = '';
  missing_address := quote.fulfilment = 'delivery'
    and '' = any (array[person.building_no, person.street, person.city, person.state, person.zip]);
  if missing_phone or missing_address then
    return jsonb_build_object('ok', false, 'reason', 'address-incomplete',
                              'missing_phone', missing_phone, 'missing_address', missing_address);
  elsif quote.fulfilment = 'delivery' and person.zip <> quote.pincode then
    return jsonb_build_object('ok', false, 'reason', 'address-changed');
  end if;

  select * into earlier from private.checkouts c where c.user_id = customer_id and c.state = 'open' for update;
  if earlier.id is not null then
    select * into held from private.quotes q where q.id = earlier.quote_id;
  end if;
  perform private.lock_stock(held.product_ids || quote.product_ids);

  refusal := private.shortage(quote.product_ids, quote.units, held);
  if refusal is not null then
    return refusal;
  end if;

  update public.stock_levels s set reserved = s.reserved + c.change
  from (
    select coalesce(w.product_id, h.product_id) as product_id, coalesce(w.units, 0) - coalesce(h.units, 0) as change
    from unnest(quote.product_ids, quote.units) as w (product_id, units)
    full join unnest(held.product_ids, held.units) as h (product_id, units) on h.product_id = w.product_id
  ) c
  where s.product_id = c.product_id and c.change <> 0;
  update private.checkouts c set state = 'superseded' where c.id = earlier.id;
  insert into private.checkouts (quote_id, user_id, family_id, delivery_name, delivery_phone, delivery_building_no,
                                 delivery_street, delivery_city, delivery_state, delivery_zip, reserved_until, next_check_at, created_at)
  values (quote.id, customer_id, coalesce(private.unpaid_family(customer_id, at), gen_random_uuid()), person.name, person.phone, person.building_no,
          person.street, person.city, person.state, person.zip, at + interval '20 minutes', at + interval '30 seconds', at)
  returning * into opened;
  return private.checkout_answer(opened, quote, is_new => true);
end $$;

-- Remembers the provider's order for a checkout. Of two that were made at once the first stays: its id is the answer.
create function public.attach_provider_order(checkout_id uuid, provider_order_id text) returns text
language sql security definer set search_path = '' as $$
  update private.checkouts c
  set provider_order_id = coalesce(c.provider_order_id, attach_provider_order.provider_order_id)
  where c.id = attach_provider_order.checkout_id
  returning c.provider_order_id;
$$;

-- Lets go of what open checkouts hold back. The caller has locked them; they stay, because a payment may still come.
create function private.free_stock(checkout_ids uuid[]) returns void
language plpgsql set search_path = '' as $$
begin
  perform private.lock_stock(array(
    select unnest(q.product_ids) from private.checkouts c join private.quotes q on q.id = c.quote_id
    where c.id = any (checkout_ids)));
  update public.stock_levels s set reserved = s.reserved - f.units
  from (
    select h.product_id, sum(h.units) as units
    from private.checkouts c join private.quotes q on q.id = c.quote_id,
         unnest(q.product_ids, q.units) as h (product_id, units)
    where c.id = any (checkout_ids)
    group by h.product_id
  ) f
  where s.product_id = f.product_id;
  update private.checkouts c set state = 'lapsed' where c.id = any (checkout_ids);
end $$;

-- What was held back too long is free again.
create function private.lapse_checkouts(at timestamptz) returns integer
language plpgsql set search_path = '' as $$
declare
  lapsed uuid[] := array(
    select c.id from private.checkouts c
    where c.state = 'open' and c.reserved_until <= at
    order by c.reserved_until limit 200 for update skip locked);
begin
  if cardinality(lapsed) > 0 then
    perform private.free_stock(lapsed);
  end if;
  return cardinality(lapsed);
end $$;

revoke execute on function public.open_checkout(uuid, bigint, uuid, timestamptz), public.attach_provider_order(uuid, text)
  from public, anon, authenticated;
grant execute on function public.open_checkout(uuid, bigint, uuid, timestamptz), public.attach_provider_order(uuid, text)
  to service_role;
revoke execute on function private.lock_stock(bigint[]), private.checkout_answer(private.checkouts, private.quotes, boolean),
  private.find_quote(uuid, bigint, uuid, timestamptz), private.unpaid_family(uuid, timestamptz), private.free_stock(uuid[]), private.lapse_checkouts(timestamptz) from public;
