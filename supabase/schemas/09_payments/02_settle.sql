-- Settling: a captured payment becomes an order, or a refund.
-- Writes payments, orders, items and stock movements; called with the service role.
set check_function_bodies = off;

-- The contents of a quote, without prices.
create function private.things_in(lines jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_agg(jsonb_build_array(l.product_id, l.size, l.quantity) order by l.product_id, l.size)
  from jsonb_to_recordset(things_in.lines) as l (product_id bigint, size integer, quantity integer);
$$;

-- Turns a captured payment into an order, once, in one transaction; or, where that is impossible, into a refund.
-- Browser, webhook and reconciliation all call this; the second caller gets the result of the first. What the
-- customer paid is delivered whenever it can be: see complete_hold().
create function public.settle_payment(
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

-- The result of a payment that was settled before.
create function private.settled_answer(payment_id text) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('outcome', case when p.order_id is null then 'refunded' else 'ordered' end,
                            'user_id', p.user_id, 'order_id', p.order_id, 'number', o.number,
                            'reason', (select r.reason from private.refunds r where r.payment_id = p.payment_id and p.order_id is null limit 1))
  from private.payments p left join public.orders o on o.id = p.order_id
  where p.payment_id = settled_answer.payment_id;
$$;

-- Items and stock movements of orders that were just inserted; quotes, orders and holds are parallel arrays.
create function private.fill_orders(order_ids uuid[], quotes private.quotes[], were_reserved boolean[], at timestamptz) returns void
language plpgsql set search_path = '' as $$
begin
  insert into public.order_items (order_id, product_id, product_name, product_image, quantity, size, unit_price,
                                  gst_percent, hsn, has_size)
  select f.order_id, l.product_id, l.product_name, l.product_image, l.quantity, l.size, l.unit_price, l.gst_percent, l.hsn, l.has_size
  from unnest(order_ids, quotes) as f (order_id),
       jsonb_to_recordset(f.lines) as l (product_id bigint, product_name text, product_image text, quantity integer,
         size integer, unit_price numeric, gst_percent numeric, hsn text, has_size boolean)
  order by f.order_id, l.product_id, l.size;
  insert into public.stock_movements (product_id, quantity, reason, order_id, created_at, was_reserved)
  select u.product_id, -u.units, 'sale', f.order_id, fill_orders.at, f.was_reserved
  from unnest(order_ids, were_reserved, quotes) as f (order_id, was_reserved), unnest(f.product_ids, f.units) as u (product_id, units);
end $$;

-- Inserts the orders of paid checkouts. A checkout that holds its stock sells it from its hold.
create function private.place_orders(checkout_ids uuid[], payment_ids text[], at timestamptz)
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

-- settle_payment() for a batch of calls: for checkouts that hold all they need, or nothing while the shelf has
-- enough. A call that is not simply settled gets null and is repeated alone.
create function public.settle_payments(calls jsonb) returns jsonb
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

-- attach_provider_order() for a batch of calls.
create function public.attach_provider_orders(calls jsonb) returns jsonb
language sql security definer set search_path = '' set lock_timeout = '250ms'
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  with locked as materialized (
    select c.id from private.checkouts c
    where c.id = any (array(select (p ->> 'checkout_id')::uuid from jsonb_array_elements(calls) as p))
    order by c.id for update
  ), attached as (
    update private.checkouts c
    set provider_order_id = coalesce(c.provider_order_id, p.provider_order_id)
    from locked l join jsonb_to_recordset(calls) as p (checkout_id uuid, provider_order_id text) on p.checkout_id = l.id
    where c.id = l.id
    returning c.id, c.provider_order_id
  )
  select jsonb_agg(a.provider_order_id order by p.n)
  from jsonb_array_elements(calls) with ordinality as p (call, n)
  left join attached a on a.id = (p.call ->> 'checkout_id')::uuid;
$$;

revoke execute on function
  public.settle_payment(text, text, bigint, text, text, bigint, boolean, timestamptz), public.settle_payments(jsonb),
  public.attach_provider_orders(jsonb)
  from public, anon, authenticated;
grant execute on function
  public.settle_payment(text, text, bigint, text, text, bigint, boolean, timestamptz), public.settle_payments(jsonb),
  public.attach_provider_orders(jsonb)
  to service_role;
