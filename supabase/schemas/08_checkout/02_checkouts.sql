-- Checkouts: a quote that is being paid, with stock held for it.
-- Written by open_checkout(), by settling the payment, and by the job that releases expired holds.
set check_function_bodies = off;

-- Checkouts: a customer on the way to paying. Each binds one quote, fixes the delivery address, holds stock for
-- some minutes (hold_time()) and knows the provider's order. Written by open_checkout(), settle_payment() and the
-- jobs.
create table private.checkouts (
  id uuid primary key default gen_random_uuid(),
  quote_id uuid not null unique references private.quotes (id),
  user_id uuid references auth.users (id) on delete set null,
  -- Checkouts that replaced one another share a family: two of them paid for the same items is one order too many.
  family_id uuid not null,
  -- open: stock is held. superseded, lapsed: it is not, and a payment may still come. paid: there is an order.
  state text not null default 'open' check (state in ('open', 'superseded', 'lapsed', 'paid')),
  delivery_name text not null,
  delivery_phone text not null,
  delivery_building_no text not null,
  delivery_street text not null,
  delivery_city text not null,
  delivery_state text not null,
  delivery_zip text not null,
  provider_order_id text,
  order_id uuid references public.orders (id),
  reserved_until timestamptz not null,
  -- When to check it with the provider; null: never again.
  next_check_at timestamptz,
  created_at timestamptz not null,
  held integer[] not null default '{}',
  had_hold boolean not null,
  address_hash text check (char_length(address_hash) <= 64),
  check ((state = 'paid') = (order_id is not null))
);
create index checkouts_user_idx on private.checkouts (user_id, created_at desc);
create index checkouts_family_idx on private.checkouts (family_id);
create index checkouts_reserved_idx on private.checkouts (reserved_until) where state = 'open' or held <> '{}';
create index checkouts_next_check_idx on private.checkouts (next_check_at) where next_check_at is not null;
create unique index checkouts_provider_order_id_key on private.checkouts (provider_order_id) where provider_order_id is not null;
create unique index checkouts_order_id_key on private.checkouts (order_id) where order_id is not null;
create index checkouts_address_idx on private.checkouts (address_hash, created_at desc) where address_hash is not null;
alter table private.checkouts enable row level security;

-- To prevent deadlocks, a transaction that changes several stock rows locks them all first, in product order.
create function private.lock_stock(product_ids bigint[]) returns void
language sql set search_path = '' as $$
  select from public.stock_levels s where s.product_id = any (product_ids) order by s.product_id for update;
$$;

-- The result for createOrder: what the provider's order and the payment widget need.
create function private.checkout_answer(checkout private.checkouts, quote private.quotes, is_new boolean) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'ok', true, 'checkout_id', checkout.id, 'amount_paise', quote.total_paise,
    'provider_order_id', checkout.provider_order_id, 'is_new', is_new,
    'name', checkout.delivery_name, 'phone', checkout.delivery_phone,
    'email', (select u.email from auth.users u where u.id = checkout.user_id),
    'shop', (select s.name from public.shop_settings s));
$$;

-- The customer's quote of that amount: the named one, or the newest valid one; ambiguous when two of them differ in
-- their lines. A quote keeps its day past the cut-off, as it keeps its prices, but not past a change of the
-- calendar, of the zones or of a shelf life: then it is expired.
create function private.find_quote(customer_id uuid, amount_paise bigint, quote_id uuid, at timestamptz,
                                              out quote private.quotes, out reason text)
language plpgsql stable set search_path = '' as $$
begin
  if find_quote.quote_id is not null then
    select * into quote from private.quotes q where q.id = find_quote.quote_id and q.user_id = customer_id;
    reason := case when quote.id is null then 'no-quote'
                   when quote.total_paise <> find_quote.amount_paise then 'amount-mismatch'
                   when quote.expires_at <= at then 'quote-expired' end;
  else
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
  end if;
  if reason is null and not quote.id = any (private.still_promised(array[quote.id])) then
    reason := 'quote-expired';
  end if;
end $$;

-- The family of the checkout that the customer last tried to pay within two hours, if it is unpaid.
create function private.unpaid_family(customer_id uuid, at timestamptz) returns uuid
language sql stable set search_path = '' as $$
  select c.family_id
  from (select l.* from private.checkouts l where l.user_id = customer_id order by l.created_at desc, l.id limit 1) c
  where c.state <> 'paid' and c.created_at > at - interval '2 hours';
$$;

-- Binds a quote to a checkout and holds its stock, if the customer may hold. Repeated for the same quote it returns
-- the same checkout; a new one takes over what it shares with the customer's older ones.
create function public.open_checkout(
  customer_id uuid, amount_paise bigint, quote_id uuid default null, at timestamptz default now(),
  address_hash text default null
) returns jsonb
language plpgsql security definer set search_path = ''
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  found_quote record;
  quote private.quotes;
  opened private.checkouts;
  held private.quotes;
  person private.buyers;
  missing_phone boolean;
  missing_address boolean;
  refusal jsonb;
  holds boolean[];
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

  select * into person from private.buyers b where b.id = customer_id;
  missing_phone := coalesce(person.phone, '') = '';
  missing_address := quote.fulfilment = 'delivery'
    and '' = any (array[person.building_no, person.street, person.city, person.state, person.zip]);
  if missing_phone or missing_address then
    return jsonb_build_object('ok', false, 'reason', 'address-incomplete',
                              'missing_phone', missing_phone, 'missing_address', missing_address);
  elsif quote.fulfilment = 'delivery' and person.zip <> quote.pincode then
    return jsonb_build_object('ok', false, 'reason', 'address-changed');
  end if;

  perform from private.checkouts c
  where c.user_id = customer_id and (c.state = 'open' or c.held <> '{}') order by c.id for update;
  held := private.held_by(customer_id);
  perform private.lock_stock(quote.product_ids);
  refusal := private.shortage(quote.product_ids, quote.units, held);
  if refusal is not null then
    return refusal;
  end if;

  holds := private.may_hold(array[customer_id], array[address_hash], array[private.grams_of(quote.lines)], at);
  if true = any (holds) then
    -- What the customer's older checkouts hold of the same things is reserved already, and becomes this one's.
    update public.stock_levels s set reserved = s.reserved + w.units - least(w.units, coalesce(h.units, 0))
    from unnest(quote.product_ids, quote.units) as w (product_id, units)
    left join unnest(held.product_ids, held.units) as h (product_id, units) on h.product_id = w.product_id
    where s.product_id = w.product_id and w.units > coalesce(h.units, 0);
    perform private.take_from_holds(customer_id, null, quote.product_ids, quote.units);
  end if;
  update private.checkouts c set state = 'superseded' where c.user_id = customer_id and c.state = 'open';
  select * into opened from private.write_checkouts(array[quote.id], array[person], holds, array[address_hash], at);
  return private.checkout_answer(opened, quote, is_new => true);
end $$;

-- Stores the provider's order of a checkout. Of two concurrent calls the first wins, and both return its id.
create function public.attach_provider_order(checkout_id uuid, provider_order_id text) returns text
language sql security definer set search_path = '' as $$
  update private.checkouts c
  set provider_order_id = coalesce(c.provider_order_id, attach_provider_order.provider_order_id)
  where c.id = attach_provider_order.checkout_id
  returning c.provider_order_id;
$$;

-- Releases what checkouts hold. The caller has locked them; the checkouts stay, because a payment may still come.
create function private.free_stock(checkout_ids uuid[]) returns void
language plpgsql set search_path = '' as $$
begin
  perform private.lock_stock(array(
    select unnest(q.product_ids) from private.checkouts c join private.quotes q on q.id = c.quote_id
    where c.id = any (checkout_ids) and c.held <> '{}'));
  update public.stock_levels s set reserved = s.reserved - f.units
  from (
    select h.product_id, sum(h.units) as units
    from private.checkouts c join private.quotes q on q.id = c.quote_id, unnest(q.product_ids, c.held) as h (product_id, units)
    where c.id = any (checkout_ids) and c.held <> '{}'
    group by h.product_id
  ) f
  where s.product_id = f.product_id and f.units > 0;
  update private.checkouts c set held = '{}', state = case when c.state = 'open' then 'lapsed' else c.state end
  where c.id = any (checkout_ids);
end $$;

-- Releases expired holds.
create function private.lapse_checkouts(at timestamptz) returns integer
language plpgsql set search_path = '' as $$
declare
  lapsed uuid[] := array(
    select c.id from private.checkouts c
    where (c.state = 'open' or c.held <> '{}') and c.reserved_until <= at
    order by c.reserved_until limit 200 for update skip locked);
begin
  if cardinality(lapsed) > 0 then
    perform private.free_stock(lapsed);
  end if;
  return cardinality(lapsed);
end $$;

revoke execute on function
  public.open_checkout(uuid, bigint, uuid, timestamptz, text), public.attach_provider_order(uuid, text)
  from public, anon, authenticated;
grant execute on function
  public.open_checkout(uuid, bigint, uuid, timestamptz, text), public.attach_provider_order(uuid, text)
  to service_role;
