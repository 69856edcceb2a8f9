-- Prices and payments, with stock that is held by the customer (20261118003000_hold_stock_by_customer).

-- As before, with what the customer's own unpaid checkouts hold counted as available to them.
create or replace function public.quote_order(
  customer_id uuid, lines jsonb, pincode text, source text, fulfilment text, at timestamptz default now()
) returns jsonb
language plpgsql security definer set search_path = ''
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  held private.quotes;
  priced record;
  quoted private.quotes;
  collect_from date;
begin
  -- A quote that a crash takes away is asked for again: nothing waits for the disk.
  perform set_config('synchronous_commit', 'off', true);
  if not private.take_turn('quote', customer_id::text, 60, interval '1 minute', at) then
    return jsonb_build_object('ok', false, 'reason', 'too-many-quotes');
  end if;
  held := private.held_by(customer_id);
  select * into priced from private.price_order(lines, pincode, source, fulfilment, held, at);
  if priced.refusal is not null then
    return priced.refusal;
  end if;

  if fulfilment = 'pickup' then
    collect_from := (select p.opens_on from private.promise(at, 0) p);
    if collect_from is null then
      return jsonb_build_object('ok', false, 'reason', 'closed');
    end if;
  end if;
  quoted := priced.quote;
  quoted.id := gen_random_uuid();
  quoted.user_id := customer_id;
  insert into private.quotes select quoted.*;
  return private.quote_answer(quoted, collect_from);
end $$;

-- As before; a checkout that holds its stock sells it from there.
create or replace function private.place_orders(checkout_ids uuid[], payment_ids text[], at timestamptz)
returns table (payment_id text, order_id uuid, number bigint)
language plpgsql set search_path = '' as $$
declare
  order_ids uuid[];
  quotes private.quotes[];
  promises date[];
  were_reserved boolean[];
begin
  with paid as materialized (
    select k.n, c.held <> '{}' as was_reserved, q.quote, q.pincode, q.delivery_by, q.shift
    from unnest(checkout_ids) with ordinality as k (id, n)
    join private.checkouts c on c.id = k.id
    join private.dated_quotes q on q.id = c.quote_id
  ), promised as materialized (
    select k.*, private.kept_promise(k.pincode, k.delivery_by, k.shift, place_orders.at) as promise
    from (select distinct p.pincode, p.delivery_by, p.shift from paid p) k
  )
  select array_agg(gen_random_uuid()), array_agg(p.quote order by p.n), array_agg(k.promise order by p.n), array_agg(p.was_reserved order by p.n)
  into order_ids, quotes, promises, were_reserved
  from paid p
  join promised k on k.pincode = p.pincode and k.shift = p.shift and k.delivery_by is not distinct from p.delivery_by;
  if cardinality(order_ids) is distinct from cardinality(checkout_ids) then
    raise 'not every checkout has a quote';
  end if;
  perform set_config('shop.event_at', place_orders.at::text, true);
  -- In the order of their customers, whose figures are kept in it: two transactions never wait for each other there.
  return query
    insert into public.orders (id, user_id, payment_status, payment_id, source, fulfilment, sub_total, tax, shipping_charge,
                               total_amount, delivery_name, delivery_phone, delivery_building_no, delivery_street,
                               delivery_city, delivery_state, delivery_zip, delivery_by, created_at, updated_at)
    select p.order_id, c.user_id, 'paid', p.payment_id, p.source, p.fulfilment, p.sub_total_paise / 100.0, p.tax_paise / 100.0,
           p.shipping_paise / 100.0, p.total_paise / 100.0, c.delivery_name, c.delivery_phone, c.delivery_building_no,
           c.delivery_street, c.delivery_city, c.delivery_state, c.delivery_zip, p.promise, place_orders.at, place_orders.at
    from unnest(order_ids, checkout_ids, payment_ids, promises, quotes) as p (order_id, checkout_id, payment_id, promise)
    join private.checkouts c on c.id = p.checkout_id
    order by c.user_id
    returning orders.payment_id, orders.id, orders.number;
  perform private.fill_orders(order_ids, quotes, were_reserved, place_orders.at);
  perform set_config('shop.event_at', '', true);
  -- One more look later: attempts that were still under way may be captured after this one.
  update private.checkouts c set state = 'paid', held = '{}', order_id = p.order_id, next_check_at = place_orders.at + interval '30 minutes'
  from unnest(checkout_ids, order_ids) as p (checkout_id, order_id)
  where c.id = p.checkout_id;
end $$;

-- As before, but what the customer paid first is delivered whenever it can be: see complete_hold().
create or replace function public.settle_payment(
  provider_order_id text, payment_id text, amount_paise bigint, currency text, method text default null,
  fee_paise bigint default null, given_back boolean default false, at timestamptz default now()
) returns jsonb
language plpgsql security definer set search_path = ''
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  paid_for record;
  locked uuid[];
  checkout private.checkouts;
  quote private.quotes;
  refusal text;
  placed record;
begin
  -- open_checkout() takes the same lock: no new hold of the customer appears while this function looks at them.
  select c.family_id, c.user_id into paid_for from private.checkouts c where c.provider_order_id = settle_payment.provider_order_id;
  perform pg_advisory_xact_lock(hashtextextended('checkout ' || paid_for.user_id, 0));
  -- The whole family, in one order: two of its payments must not become two orders. And what the customer holds elsewhere,
  -- which this payment may need.
  locked := array(
    select c.id from private.checkouts c
    where c.family_id = paid_for.family_id or (c.user_id = paid_for.user_id and c.held <> '{}')
    order by c.id for update);
  select * into checkout from private.checkouts c where c.provider_order_id = settle_payment.provider_order_id;
  if checkout.id is null then
    return jsonb_build_object('outcome', 'unknown-order');
  elsif not checkout.id = any (locked) then
    raise serialization_failure using message = 'the provider''s order was attached just now: try again';
  end if;
  if exists (select from private.payments p where p.payment_id = settle_payment.payment_id) then
    return private.settled_answer(settle_payment.payment_id);
  end if;

  select * into quote from private.quotes q where q.id = checkout.quote_id;
  refusal := case
    when settle_payment.given_back then 'given-back'
    when checkout.state = 'paid' then 'second-payment'
    when exists (select from private.checkouts c join private.quotes q on q.id = c.quote_id
                 where c.family_id = checkout.family_id and c.state = 'paid'
                   and private.things_in(q.lines) = private.things_in(quote.lines)) then 'second-payment'
    when settle_payment.amount_paise <> quote.total_paise or settle_payment.currency <> 'INR' then 'wrong-amount'
  end;
  if refusal is null and checkout.held <> quote.units and not private.complete_hold(checkout, quote) then
    refusal := 'sold-out';
  end if;
  select null::uuid as order_id, null::bigint as number into placed;
  if refusal is null then
    select p.order_id, p.number into placed from private.place_orders(array[checkout.id], array[settle_payment.payment_id], at) p;
  elsif refusal = 'second-payment' and (checkout.state = 'open' or checkout.held <> '{}') then
    perform private.free_stock(array[checkout.id]);
  end if;
  insert into private.payments (payment_id, provider_order_id, order_id, user_id, amount_paise, fee_paise, method, status,
                                captured_at, created_at)
  values (settle_payment.payment_id, checkout.provider_order_id, placed.order_id, checkout.user_id, settle_payment.amount_paise,
          settle_payment.fee_paise, settle_payment.method, case when given_back then 'refunded' else 'captured' end, at, at);
  if refusal = 'given-back' then
    insert into private.refunds (payment_id, amount_paise, reason, status, created_at, processed_at)
    values (settle_payment.payment_id, settle_payment.amount_paise, refusal, 'processed', at, at);
  elsif refusal is not null then
    perform private.give_back(settle_payment.payment_id, refusal, at);
  end if;
  return jsonb_build_object('outcome', case when refusal is null then 'ordered' else 'refunded' end, 'user_id', checkout.user_id,
                            'order_id', placed.order_id, 'number', placed.number, 'reason', refusal);
end $$;

-- As before, for checkouts that hold all they need, or nothing of which there is enough on the shelf.
create or replace function public.settle_payments(calls jsonb) returns jsonb
language plpgsql security definer set search_path = '' set lock_timeout = '250ms'
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  asked text[] := array(select c ->> 'provider_order_id' from jsonb_array_elements(calls) as c);
  at timestamptz := (select max((c ->> 'at')::timestamptz) from jsonb_array_elements(calls) as c);
  locked uuid[];
  checkout_ids uuid[];
  payment_ids text[];
  unheld uuid[];
  answers jsonb;
  paid integer;
begin
  locked := array(
    select c.id from private.checkouts c
    where c.family_id = any (array(select f.family_id from private.checkouts f where f.provider_order_id = any (asked)))
    order by c.id for update);
  select array_agg(u.checkout_id), array_agg(u.payment_id), array_agg(u.checkout_id) filter (where not u.is_held)
  into checkout_ids, payment_ids, unheld
  from (
    select c.id as checkout_id, p.payment_id, c.family_id, c.held <> '{}' as is_held, count(*) over (partition by c.family_id) as of_family
    from jsonb_to_recordset(calls) as p (provider_order_id text, payment_id text, amount_paise bigint, currency text, given_back boolean)
    join private.checkouts c on c.provider_order_id = p.provider_order_id
    join private.quotes q on q.id = c.quote_id
    where c.id = any (locked) and c.state = 'open' and c.held in (q.units, '{}') and p.payment_id is not null and p.amount_paise = q.total_paise
      and p.currency = 'INR' and not p.given_back
      and not exists (select from private.payments k where k.payment_id = p.payment_id)
  ) u
  where u.of_family = 1 and not exists (select from private.checkouts c where c.family_id = u.family_id and c.state = 'paid');
  if unheld is not null and exists (
    select from (
      select u.product_id, sum(u.units) as units
      from private.checkouts c join private.quotes q on q.id = c.quote_id, unnest(q.product_ids, q.units) as u (product_id, units)
      where c.id = any (unheld) group by u.product_id) w
    join public.stock_levels s on s.product_id = w.product_id
    where w.units > s.on_hand - s.reserved) then
    -- Not enough for all that hold nothing: they are settled one by one.
    select array_agg(p.checkout_id), array_agg(p.payment_id) into checkout_ids, payment_ids
    from unnest(checkout_ids, payment_ids) as p (checkout_id, payment_id) where p.checkout_id <> all (unheld);
  end if;
  if checkout_ids is null then
    return jsonb_agg(null::jsonb) from unnest(asked);
  end if;
  with placed as materialized (
    select * from private.place_orders(checkout_ids, payment_ids, at)
  ), kept as (
    insert into private.payments (payment_id, provider_order_id, order_id, user_id, amount_paise, fee_paise, method, status,
                                  captured_at, created_at)
    select d.payment_id, c.provider_order_id, d.order_id, c.user_id, p.amount_paise, p.fee_paise, p.method, 'captured', at, at
    from placed d
    join jsonb_to_recordset(calls) as p (payment_id text, provider_order_id text, amount_paise bigint, fee_paise bigint, method text)
      on p.payment_id = d.payment_id
    join private.checkouts c on c.provider_order_id = p.provider_order_id
    returning payment_id, provider_order_id, order_id, user_id
  )
  select jsonb_agg(case when k.order_id is not null then jsonb_build_object(
    'outcome', 'ordered', 'user_id', k.user_id, 'order_id', k.order_id, 'number', d.number, 'reason', null) end order by p.n), count(k)
  into answers, paid
  from jsonb_array_elements(calls) with ordinality as p (call, n)
  left join kept k on k.payment_id = p.call ->> 'payment_id' and k.provider_order_id = p.call ->> 'provider_order_id'
  left join placed d on d.payment_id = k.payment_id;
  if paid <> cardinality(checkout_ids) then
    raise 'of % orders % had a payment', cardinality(checkout_ids), paid;
  end if;
  return answers;
end $$;
