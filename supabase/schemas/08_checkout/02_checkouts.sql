-- Checkouts: a customer on the way to paying. Each binds one quote, fixes the delivery address, holds stock for some minutes
-- (hold_time()) and knows the provider's order. Written by open_checkout(), attach_provider_order(), settle_payment(), and by the
-- jobs: claim_jobs(), finish_check(), correct_due_times().
set check_function_bodies = off;

create table private.checkouts (
  id uuid primary key default gen_random_uuid(),
  quote_id uuid not null unique references private.quotes (id),
  user_id uuid references auth.users (id) on delete set null,
  -- Checkouts that replaced one another share a family: two of them paid for the same items is one order too many.
  family_id uuid not null,
  -- open: the customer is paying. superseded: a newer checkout took its place. lapsed: expired. A payment may come in each of
  -- them; what is held is in `held`. paid: there is an order.
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
  ip_hash text check (char_length(ip_hash) <= 64),
  -- The address of the customer's book that was copied above; null: the profile's.
  address_id uuid,
  -- {note, motif, sender_name, recipient_email}; null: not a gift, or paid: then the order has it.
  gift jsonb check (gift is null or private.is_gift(gift ->> 'note', gift ->> 'motif', gift ->> 'sender_name', gift ->> 'recipient_email')),
  -- Of a recipient of a group (04_groups.sql), whose family and provider order are the group's.
  group_id uuid references private.group_orders (id),
  group_place smallint not null default 0 check (group_place between 0 and 500),
  constraint checkouts_group_is_whole check ((group_id is null) = (group_place = 0)),
  check ((state = 'paid') = (order_id is not null))
);
create index checkouts_user_idx on private.checkouts (user_id, created_at desc, id);
create index checkouts_family_idx on private.checkouts (family_id);
-- Partial index: a customer's open checkouts and holds.
create index checkouts_held_idx on private.checkouts (user_id) where state = 'open' or held <> '{}';
-- Partial index: checkouts whose hold may have expired. Paid and released ones leave it.
create index checkouts_reserved_idx on private.checkouts (reserved_until) where state = 'open' or held <> '{}';
-- Partial index: checkouts that the worker still has to check with the provider.
create index checkouts_next_check_idx on private.checkouts (next_check_at) where next_check_at is not null;
-- Partial unique indexes: a new checkout has neither a provider order nor an order yet.
create unique index checkouts_provider_order_id_key on private.checkouts (provider_order_id) where provider_order_id is not null;
create unique index checkouts_order_id_key on private.checkouts (order_id) where order_id is not null;
-- Partial index: the recipients of a group.
create unique index checkouts_group_idx on private.checkouts (group_id, group_place) where group_id is not null;
-- Partial index: limits per client IP address; the hash is deleted after a while.
create index checkouts_ip_hash_idx on private.checkouts (ip_hash, created_at desc) where ip_hash is not null;
alter table private.checkouts enable row level security;

-- The provider's order that pays a checkout: its own, or that of its group.
create function private.provider_order_of(checkout private.checkouts) returns text
language sql stable set search_path = '' as $$
  select coalesce(checkout.provider_order_id, (select g.provider_order_id from private.group_orders g where g.id = checkout.group_id));
$$;

-- Locks customers and their checkouts. Every transaction locks in the same order, which prevents deadlocks between batches:
-- customers, checkouts, offers (lock_offers), then stock, each by id. The customer's lock makes double clicks and second tabs wait, and prevents new
-- holds of theirs. Families find the checkouts of an account that was deleted while it paid.
create function private.lock_checkouts(customer_ids uuid[], family_ids uuid[] default '{}') returns void
language plpgsql set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('checkout ' || k.id, 0))
  from (select distinct c.id from unnest(customer_ids) as c (id) where c.id is not null order by c.id) k;
  perform from private.checkouts c
  where c.id = any (array(
    select o.id from unnest(customer_ids) as k (id)
    cross join lateral (select o.id from private.checkouts o where o.user_id = k.id and (o.state = 'open' or o.held <> '{}') offset 0) o
    union
    select o.id from unnest(family_ids) as k (id)
    cross join lateral (select o.id from private.checkouts o where o.family_id = k.id offset 0) o))
  order by c.id for update;
end $$;

create function private.lock_stock(product_ids bigint[]) returns void
language plpgsql set search_path = '' as $$
begin
  perform from public.stock_levels s where s.product_id = any (product_ids) order by s.product_id for update;
end $$;

-- The result for createOrder: what the provider's order and the payment widget need. The provider is told who pays, and never who
-- gets the parcel.
create function private.checkout_result(checkout private.checkouts, quote private.quotes, is_new boolean) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  payer private.buyers;
begin
  if checkout.address_id is not null then
    select * into payer from private.buyers b where b.id = checkout.user_id;
  end if;
  return jsonb_build_object(
    'ok', true, 'checkout_id', checkout.id, 'amount_paise', quote.total_paise,
    'provider_order_id', checkout.provider_order_id, 'is_new', is_new,
    'name', coalesce(payer.name, checkout.delivery_name), 'phone', coalesce(payer.phone, checkout.delivery_phone),
    'email', (select u.email from auth.users u where u.id = checkout.user_id),
    'shop', (select s.name from public.shop_settings s));
end $$;

-- A call of open_checkout() with what it needs: the quote, the checkout that the quote has already, the person who gets the parcel,
-- and the family of the customer's last checkout if it is unpaid and at most two hours old.
create type private.opening as (
  place integer, customer_id uuid, ip_hash text, reason text, is_blocked boolean,
  quote private.quotes, checkout private.checkouts, person private.buyers, family_id uuid, address_id uuid, gift jsonb);

-- The openings of calls, each with the reason why it binds no quote. A quote stays valid past the cut-off, with its day and its
-- prices, but neither past the packing day of a chosen day nor past a change of the calendar, of the zones or of a shelf life: then the customer gets a new one, which rejects
-- what would spoil before it is paid for.
create function private.find_openings(calls jsonb, at timestamptz) returns setof private.opening
language plpgsql stable set search_path = '' as $$
begin
  return query
  with called as materialized (
    select c.ordinality::integer as place, c.customer_id, c.ip_hash, c.address_id, c.gift, q.quote,
           case when (q.quote).id is null then 'no-quote'
                when (q.quote).total_paise <> c.amount_paise then 'amount-mismatch'
                when (q.quote).expires_at <= find_openings.at or (q.quote).pack_on < private.day_of(find_openings.at) then 'quote-expired'
                when c.quote_id is null and exists (
                  select from private.quotes o
                  where o.user_id = c.customer_id and o.total_paise = c.amount_paise and o.expires_at > find_openings.at
                    and (o.lines, o.pincode, o.source, o.fulfilment, o.deliver_on, o.offers)
                        is distinct from ((q.quote).lines, (q.quote).pincode, (q.quote).source, (q.quote).fulfilment, (q.quote).deliver_on, (q.quote).offers))
                  then 'ambiguous-amount' end as reason
    from rows from (jsonb_to_recordset(calls) as (
      customer_id uuid, amount_paise bigint, quote_id uuid, ip_hash text, address_id uuid, gift jsonb)) with ordinality as c
    left join lateral (
      (select o as quote from private.quotes o where o.id = c.quote_id and o.user_id = c.customer_id)
      union all
      (select o from private.quotes o
       where c.quote_id is null and o.user_id = c.customer_id and o.total_paise = c.amount_paise and o.expires_at > find_openings.at
       order by o.created_at desc, o.id limit 1)
      limit 1) q on true
  ), promised as materialized (
    select private.still_promised(array(select a.quote from called a where a.reason is null)) as ids
  )
  select a.place, a.customer_id, a.ip_hash,
         coalesce(a.reason, case when (a.quote).id <> all (p.ids) then 'quote-expired' end),
         exists (select from private.customer_records r where r.user_id = a.customer_id and r.blocked_at is not null),
         a.quote, k.checkout, b.person,
         case when l.state <> 'paid' and l.created_at > find_openings.at - interval '2 hours' then l.family_id end,
         a.address_id, nullif(a.gift, 'null')
  from called a
  cross join promised p
  left join lateral (select c as checkout from private.checkouts c where c.quote_id = (a.quote).id limit 1) k on true
  left join lateral (select private.recipient_at(b, a.address_id) as person from private.buyers b where b.id = a.customer_id limit 1) b on true
  left join lateral (select c.state, c.created_at, c.family_id from private.checkouts c where c.user_id = a.customer_id and c.group_id is null
                     order by c.created_at desc, c.id limit 1) l on true;
end $$;

-- Whether the checkout that a quote has already is for another address or another gift than the one asked for now, be it because
-- the profile or the address book was corrected meanwhile: then it is not the same order, and needs a quote of its own.
create function private.is_other_parcel(opening private.opening) returns boolean
language sql immutable set search_path = '' as $$
  select ((opening.checkout).address_id, (opening.checkout).gift,
          (opening.checkout).delivery_name, (opening.checkout).delivery_phone, (opening.checkout).delivery_building_no,
          (opening.checkout).delivery_street, (opening.checkout).delivery_city, (opening.checkout).delivery_state,
          (opening.checkout).delivery_zip)
         is distinct from
         (opening.address_id, opening.gift,
          (opening.person).name, (opening.person).phone, (opening.person).building_no,
          (opening.person).street, (opening.person).city, (opening.person).state, (opening.person).zip);
$$;

-- Why an opening is rejected whatever is in stock; null: it is not.
create function private.opening_rejection(opening private.opening, within_limit boolean) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  person private.buyers := opening.person;
  missing_phone boolean := coalesce(person.phone, '') = '';
  missing_address boolean := (opening.quote).fulfilment = 'delivery'
    and '' = any (array[person.building_no, person.street, person.city, person.state, person.zip]);
begin
  if not within_limit then
    return jsonb_build_object('ok', false, 'reason', 'too-many-checkouts');
  elsif opening.is_blocked then
    return jsonb_build_object('ok', false, 'reason', 'blocked');
  elsif opening.gift is not null and (opening.quote).fulfilment <> 'delivery' then
    return jsonb_build_object('ok', false, 'reason', 'gift-is-delivered');
  -- Deleted meanwhile, or not in this customer's book: the response is the same.
  elsif opening.address_id is not null and person.id is null then
    return jsonb_build_object('ok', false, 'reason', 'address-changed');
  elsif missing_phone or missing_address then
    return jsonb_build_object('ok', false, 'reason', 'address-incomplete',
                              'missing_phone', missing_phone, 'missing_address', missing_address);
  elsif (opening.quote).fulfilment = 'delivery' and person.zip <> (opening.quote).pincode then
    return jsonb_build_object('ok', false, 'reason', 'address-changed');
  end if;
  return null;
end $$;

-- Binds quotes to checkouts as a batch, and holds their stock where can_hold_stock() allows. `calls`: a JSON array of
-- open_checkout() arguments; one result per call. Repeated for the same quote it returns the same checkout; a new one takes over
-- what it shares with the customer's older ones.
create function private.open_batch(calls jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  at timestamptz := coalesce((select max((c ->> 'at')::timestamptz) from jsonb_array_elements(calls) as c), now());
  results jsonb[] := array_fill(null::jsonb, array[jsonb_array_length(calls)]);
  customers text[] := array(select c.call ->> 'customer_id' from jsonb_array_elements(calls) with ordinality as c (call, n) order by c.n);
  places integer[];
  opening private.opening;
  new_openings private.opening[];
  allowed_openings private.opening[];
  within_limit boolean[];
  offerless integer;
begin
  -- No flush: attach_provider_order() commits, and flushes this, before anyone can pay.
  perform set_config('synchronous_commit', 'off', true);
  perform private.lock_checkouts(customers::uuid[]);
  perform private.lock_offers(customers::uuid[], '{}', at);
  loop
    -- The first call of each customer that has no result: the next one sees what this one did.
    places := array(select min(c.n) from unnest(customers) with ordinality as c (customer, n) where results[c.n] is null group by c.customer order by 1);
    exit when cardinality(places) = 0;
    new_openings := '{}';
    for opening in
      select * from private.find_openings((select jsonb_agg(calls -> p.place - 1 order by p.n) from unnest(places) with ordinality as p (place, n)), at)
    loop
      opening.place := places[opening.place];
      if (opening.checkout).state = 'paid' then
        results[opening.place] := jsonb_build_object('ok', false, 'reason', 'already-paid');
      elsif opening.reason is not null then
        results[opening.place] := jsonb_build_object('ok', false, 'reason', opening.reason);
      elsif (opening.checkout).state = 'open' and not private.is_other_parcel(opening) then
        results[opening.place] := private.checkout_result(opening.checkout, opening.quote, is_new => false);
      elsif (opening.checkout).id is not null then
        results[opening.place] := jsonb_build_object('ok', false, 'reason', 'quote-expired');
      else
        new_openings := new_openings || opening;
      end if;
    end loop;
    within_limit := private.consume_rate_limits('checkout', array(select o.customer_id::text from unnest(new_openings) as o), 5, interval '1 minute', at);
    allowed_openings := '{}';
    for n in 1 .. cardinality(new_openings) loop
      opening := new_openings[n];
      results[opening.place] := private.opening_rejection(opening, within_limit[n]);
      if results[opening.place] is null then
        allowed_openings := allowed_openings || opening;
      end if;
    end loop;
    if exists (select from unnest(allowed_openings) as o where (o.quote).offers <> '[]') then
      foreach offerless in array private.offerless_openings(allowed_openings, at) loop
        results[offerless] := jsonb_build_object('ok', false, 'reason', 'offer-changed');
      end loop;
      allowed_openings := array(select o from unnest(allowed_openings) as o where results[o.place] is null order by o.place);
    end if;
    results := private.open_by_stock(allowed_openings, results, at);
  end loop;
  return to_jsonb(results);
end $$;

-- Opens what stock allows, one opening for each customer. Rejects openings that are short. Writes those that fit even if every
-- earlier one in the batch is written; repeats with the rest.
create function private.open_by_stock(openings private.opening[], results jsonb[], at timestamptz) returns jsonb[]
language plpgsql set search_path = '' as $$
declare
  waiting private.opening[] := openings;
  safe private.opening[];
  short record;
  opened record;
begin
  perform private.lock_stock(array(select unnest((o.quote).product_ids) from unnest(openings) as o));
  while cardinality(waiting) > 0 loop
    for short in
      select w.place, s.rejection
      from private.shortages(array(select o.customer_id from unnest(waiting) with ordinality as o order by o.ordinality),
                             array(select o.quote from unnest(waiting) with ordinality as o order by o.ordinality)) s
      join unnest(waiting) with ordinality as w on w.ordinality = s.place
    loop
      results[short.place] := short.rejection;
    end loop;
    safe := array(
      select o from unnest(waiting) as o
      where results[o.place] is null and o.place <> all (
        select w.place
        from (select o.place, u.product_id, sum(u.units) over (partition by u.product_id order by o.place) as units
              from unnest(waiting) as o, unnest((o.quote).product_ids, (o.quote).units) as u (product_id, units)
              where results[o.place] is null) w
        cross join lateral (select s.units from private.available_products() s where s.product_id = w.product_id offset 0) s
        where w.units > s.units)
      order by o.place);
    if cardinality(safe) = 0 then
      -- The first is not short: the rest of what it needs is in the customer's own holds.
      safe := array(select o from unnest(waiting) as o where results[o.place] is null order by o.place limit 1);
      exit when cardinality(safe) = 0;
    end if;
    for opened in select * from private.write_checkouts(safe, at) loop
      results[opened.place] := opened.result;
    end loop;
    waiting := array(select o from unnest(waiting) as o where results[o.place] is null order by o.place);
  end loop;
  return results;
end $$;

-- Writes the checkouts of openings that have enough stock, and holds it where can_hold_stock() allows.
create function private.write_checkouts(openings private.opening[], at timestamptz) returns table (place integer, result jsonb)
language plpgsql set search_path = '' as $$
declare
  customer_ids uuid[] := array(select o.customer_id from unnest(openings) with ordinality as o order by o.ordinality);
  holds boolean[] := private.can_hold_stock(
    customer_ids, array(select o.ip_hash from unnest(openings) with ordinality as o order by o.ordinality),
    array(select private.grams_of((o.quote).lines) from unnest(openings) with ordinality as o order by o.ordinality), at);
  holders uuid[] := array(
    select k.id from unnest(customer_ids) as k (id)
    where exists (select from private.checkouts c where c.user_id = k.id and c.held <> '{}'));
begin
  -- What a customer's older checkouts hold of the same products is reserved already, and moves to the new one.
  update public.stock_levels s set reserved = s.reserved + n.units
  from (select u.product_id, sum(case when o.customer_id = any (holders)
                                      then greatest(u.units - private.held_units(o.customer_id, u.product_id), 0) else u.units end) as units
        from unnest(openings) with ordinality as o, unnest((o.quote).product_ids, (o.quote).units) as u (product_id, units)
        where holds[o.ordinality] group by u.product_id) n
  where s.product_id = n.product_id and n.units > 0;
  perform private.take_from_holds(o.customer_id, '{}', (o.quote).product_ids, (o.quote).units)
  from unnest(openings) with ordinality as o
  where holds[o.ordinality] and o.customer_id = any (holders);
  update private.checkouts c set state = 'superseded'
  where c.state = 'open' and c.user_id = any (customer_ids);
  perform private.release_offers_of(customer_ids);
  return query
  with opened as (
    insert into private.checkouts as c (quote_id, user_id, family_id, delivery_name, delivery_phone, delivery_building_no,
                                        delivery_street, delivery_city, delivery_state, delivery_zip, held, had_hold, ip_hash,
                                        reserved_until, next_check_at, created_at, address_id, gift)
    select (o.quote).id, o.customer_id, coalesce(o.family_id, gen_random_uuid()), (o.person).name, (o.person).phone, (o.person).building_no,
           (o.person).street, (o.person).city, (o.person).state, (o.person).zip,
           case when holds[o.ordinality] then (o.quote).units else '{}' end, holds[o.ordinality], o.ip_hash,
           write_checkouts.at + private.hold_time(), write_checkouts.at + private.check_interval(write_checkouts.at, write_checkouts.at), write_checkouts.at,
           o.address_id, o.gift
    from unnest(openings) with ordinality as o
    returning c as checkout
  )
  select o.place, private.checkout_result(k.checkout, o.quote, is_new => true)
  from opened k join unnest(openings) as o on (o.quote).id = (k.checkout).quote_id;
  if exists (select from unnest(openings) as o where (o.quote).offers <> '[]') then
    perform private.hold_offers(array(select (o.quote).id from unnest(openings) as o where (o.quote).offers <> '[]'), at);
  end if;
end $$;

create function public.open_checkout(
  customer_id uuid, amount_paise bigint, quote_id uuid default null, at timestamptz default now(),
  ip_hash text default null, address_id uuid default null, gift jsonb default null
) returns jsonb
language sql security definer set search_path = '' as $$
  select private.open_batch(jsonb_build_array(jsonb_build_object(
    'customer_id', customer_id, 'amount_paise', amount_paise, 'quote_id', quote_id, 'at', at, 'ip_hash', ip_hash,
    'address_id', address_id, 'gift', gift))) -> 0;
$$;

-- Batched form of open_checkout(), with retries as for quote_orders().
create function public.open_checkouts(calls jsonb) returns jsonb
language sql security definer set search_path = '' set lock_timeout = '250ms' as $$
  select private.open_batch(calls);
$$;

-- Stores the provider's order of a checkout, or of a group with this id. Of two concurrent calls the first wins, and both return its id.
create function public.attach_provider_order(checkout_id uuid, provider_order_id text) returns text
language plpgsql security definer set search_path = '' as $$
declare
  attached text;
begin
  update private.checkouts c
  set provider_order_id = coalesce(c.provider_order_id, attach_provider_order.provider_order_id)
  where c.id = attach_provider_order.checkout_id
  returning c.provider_order_id into attached;
  if not found then
    update private.group_orders g
    set provider_order_id = coalesce(g.provider_order_id, attach_provider_order.provider_order_id)
    where g.id = attach_provider_order.checkout_id
    returning g.provider_order_id into attached;
  end if;
  return attached;
end $$;

revoke execute on function
  public.open_checkout(uuid, bigint, uuid, timestamptz, text, uuid, jsonb), public.open_checkouts(jsonb), public.attach_provider_order(uuid, text)
  from public, anon, authenticated;
grant execute on function
  public.open_checkout(uuid, bigint, uuid, timestamptz, text, uuid, jsonb), public.open_checkouts(jsonb), public.attach_provider_order(uuid, text)
  to service_role;
