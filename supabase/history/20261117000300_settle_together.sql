-- Payments that arrive at the same moment become orders together, in one transaction and with one statement for each table
-- they touch. Alone or together, an order is placed by the same function.

-- Items and movements of orders that were just inserted; quotes, orders and what was held back stand in the same places.
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

create or replace function private.fill_order(placed public.orders, quote private.quotes, was_reserved boolean) returns void
language sql set search_path = '' as $$
  select private.fill_orders(array[placed.id], array[quote], array[was_reserved], placed.created_at);
$$;

-- Quotes with the beginning of the stretch of the day in which they were made. Within it every promise is the same: it
-- begins at midnight or at the hour after which parcels leave on the next day.
create view private.dated_quotes with (security_invoker = true) as
  select q.*, q as quote,
         (l.clock::date + case when l.clock::time < s.cutoff_time then time '00:00' else s.cutoff_time end) at time zone 'Asia/Kolkata' as shift
  from private.quotes q
  cross join public.shop_settings s
  cross join lateral (select q.created_at at time zone 'Asia/Kolkata' as clock) l;

-- As before, from what it depends on: what is the same for many quotes is worked out once.
create function private.kept_promise(pincode text, delivery_by date, quoted_at timestamptz, at timestamptz) returns date
language plpgsql stable set search_path = '' as $$
declare
  today date := private.day_of(at);
  working_days integer := (private.zone_of(pincode)).max_days;
  journey record;
  day date;
begin
  if delivery_by is null then
    return null;
  end if;
  if working_days is null then
    -- The zone is gone: the days of the quote, rather too many than too few.
    working_days := delivery_by - (select p.leaves_on from private.promise(quoted_at, 0) p);
  end if;
  select * into journey from private.promise(quoted_at, working_days);
  if journey.leaves_on < today or journey.leaves_on is null then
    select * into journey from private.promise(at, working_days);
  end if;
  day := greatest(delivery_by, journey.arrives_on);
  return case when day >= today then day end;
end $$;

-- Orders from paid checkouts, which the caller has locked together with their stock.
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
    select k.n, c.state = 'open' as was_reserved, q.quote, q.pincode, q.delivery_by, q.shift
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
  update private.checkouts c set state = 'paid', order_id = p.order_id, next_check_at = place_orders.at + interval '30 minutes'
  from unnest(checkout_ids, order_ids) as p (checkout_id, order_id)
  where c.id = p.checkout_id;
end $$;

create or replace function public.settle_payment(
  provider_order_id text, payment_id text, amount_paise bigint, currency text, method text default null,
  fee_paise bigint default null, given_back boolean default false, at timestamptz default now()
) returns jsonb
language plpgsql security definer set search_path = ''
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  locked uuid[];
  checkout private.checkouts;
  quote private.quotes;
  refusal text;
  placed record;
begin
  -- The whole family, in one order: two of its payments must not become two orders.
  locked := array(
    select c.id from private.checkouts c
    where c.family_id = (select f.family_id from private.checkouts f where f.provider_order_id = settle_payment.provider_order_id)
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
  if refusal is null then
    perform private.lock_stock(quote.product_ids);
    if checkout.state <> 'open' and exists (
      select from unnest(quote.product_ids, quote.units) as u (product_id, units)
      join public.stock_levels s on s.product_id = u.product_id
      where u.units > s.on_hand - s.reserved) then
      refusal := 'sold-out';
    end if;
  end if;
  select null::uuid as order_id, null::bigint as number into placed;
  if refusal is null then
    select p.order_id, p.number into placed from private.place_orders(array[checkout.id], array[settle_payment.payment_id], at) p;
  elsif refusal = 'second-payment' and checkout.state = 'open' then
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
drop function private.place_order(private.checkouts, private.quotes, text, timestamptz);
drop function private.kept_promise(private.quotes, timestamptz);

-- settle_payment() for many calls, [{provider_order_id, payment_id, ...}]: as many answers. Where there is more to decide
-- than that it is an order now the answer is null, and whoever asked asks again, alone. So do all when one of them would
-- have to wait for a lock.
create function public.settle_payments(calls jsonb) returns jsonb
language plpgsql security definer set search_path = '' set lock_timeout = '250ms'
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  asked text[] := array(select c ->> 'provider_order_id' from jsonb_array_elements(calls) as c);
  at timestamptz := (select max((c ->> 'at')::timestamptz) from jsonb_array_elements(calls) as c);
  locked uuid[];
  checkout_ids uuid[];
  payment_ids text[];
  answers jsonb;
  paid integer;
begin
  locked := array(
    select c.id from private.checkouts c
    where c.family_id = any (array(select f.family_id from private.checkouts f where f.provider_order_id = any (asked)))
    order by c.id for update);
  select array_agg(u.checkout_id), array_agg(u.payment_id) into checkout_ids, payment_ids
  from (
    select c.id as checkout_id, p.payment_id, c.family_id, count(*) over (partition by c.family_id) as of_family
    from jsonb_to_recordset(calls) as p (provider_order_id text, payment_id text, amount_paise bigint, currency text, given_back boolean)
    join private.checkouts c on c.provider_order_id = p.provider_order_id
    join private.quotes q on q.id = c.quote_id
    where c.id = any (locked) and c.state = 'open' and p.payment_id is not null and p.amount_paise = q.total_paise
      and p.currency = 'INR' and not p.given_back
      and not exists (select from private.payments k where k.payment_id = p.payment_id)
  ) u
  where u.of_family = 1 and not exists (select from private.checkouts c where c.family_id = u.family_id and c.state = 'paid');
  if checkout_ids is null then
    return jsonb_agg(null::jsonb) from unnest(asked);
  end if;
  perform private.lock_stock(array(
    select unnest(q.product_ids) from private.checkouts c join private.quotes q on q.id = c.quote_id where c.id = any (checkout_ids)));

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

-- attach_provider_order() and finish_job() for many calls.
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

create function public.finish_jobs(calls jsonb) returns jsonb
language sql security definer set search_path = '' set lock_timeout = '250ms'
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  with finished as (
    update private.outbox o set done_at = p.at, last_error = p.note
    from jsonb_to_recordset(calls) as p (job_id bigint, note text, at timestamptz)
    where o.id = p.job_id
    returning o.id
  )
  select jsonb_agg(f.id is not null order by p.n)
  from jsonb_array_elements(calls) with ordinality as p (call, n)
  left join finished f on f.id = (p.call ->> 'job_id')::bigint;
$$;

revoke execute on function public.settle_payments(jsonb), public.attach_provider_orders(jsonb), public.finish_jobs(jsonb)
  from public, anon, authenticated;
grant execute on function public.settle_payments(jsonb), public.attach_provider_orders(jsonb), public.finish_jobs(jsonb) to service_role;
revoke execute on function private.fill_orders(uuid[], private.quotes[], boolean[], timestamptz),
  private.place_orders(uuid[], text[], timestamptz), private.kept_promise(text, date, timestamptz, timestamptz) from public;

-- One event for each order that is placed, however many are placed at once; moves are still recorded one by one.
create function private.record_placed_orders() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  actor uuid := auth.uid();
  is_admin boolean := actor is not null and private.is_admin();
begin
  with recorded as (
    insert into public.order_events (order_id, to_status, actor_role, public_note, created_at)
    select o.id, o.status,
           -- An administrator who buys is a customer in it.
           case when actor = o.user_id then 'customer' when is_admin then 'administrator' else 'system' end,
           coalesce(current_setting('shop.public_note', true), ''),
           coalesce(nullif(current_setting('shop.event_at', true), '')::timestamptz, now())
    from placed o
    returning id
  )
  insert into private.order_event_actors (event_id, actor_id)
  select r.id, actor from recorded r where actor is not null;
  return null;
end $$;
revoke execute on function private.record_placed_orders() from public;
drop trigger orders_record_placing on public.orders;
create trigger orders_record_placing after insert on public.orders
  referencing new table as placed for each statement execute function private.record_placed_orders();

create or replace function private.record_order_event() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  actor uuid := auth.uid();
  event bigint;
begin
  insert into public.order_events (order_id, from_status, to_status, actor_role, public_note, created_at)
  values (
    new.id, old.status, new.status,
    case when actor is null then 'system'
         -- An administrator who buys is a customer in what customers can do, and an administrator in the rest.
         when private.is_admin() and not (actor is not distinct from new.user_id
              and private.is_legal_move(old.status, new.status, new.fulfilment, by_customer => true)) then 'administrator'
         when actor = new.user_id then 'customer' else 'system' end,
    coalesce(current_setting('shop.public_note', true), ''),
    coalesce(nullif(current_setting('shop.event_at', true), '')::timestamptz, now())
  )
  returning id into event;
  if actor is not null then
    insert into private.order_event_actors (event_id, actor_id) values (event, actor);
  end if;
  return null;
end $$;

create or replace function private.queue_order_mail() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.outbox (kind, key, payload, run_after, created_at)
  select 'mail', 'mail:event:' || e.id, private.event_mail(e), e.created_at, e.created_at
  from recorded e
  where e.created_at > now() - interval '1 day' and private.mail_of_status(e.to_status) is not null
    and (select o.user_id from public.orders o where o.id = e.order_id) is not null;
  return null;
end $$;
drop trigger order_events_queue_mail on public.order_events;
create trigger order_events_queue_mail after insert on public.order_events
  referencing new table as recorded for each statement execute function private.queue_order_mail();
