-- Settling: a captured payment becomes an order, or a refund.
-- Writes payments, orders, items and stock movements; called with the service role.
set check_function_bodies = off;

-- The contents of a quote, without prices.
create function private.quote_contents(lines jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_agg(jsonb_build_array(l.product_id, l.size, l.quantity) order by l.product_id, l.size)
  from jsonb_to_recordset(quote_contents.lines) as l (product_id bigint, size integer, quantity integer);
$$;

-- Why a captured payment cannot become an order; null: it can, and its checkout holds everything now. What the customer paid
-- first is delivered whenever it can be: see complete_hold(). The caller holds the locks.
create function private.payment_rejection(
  checkout private.checkouts, quote private.quotes, amount_paise bigint, currency text, given_back boolean) returns text
language plpgsql set search_path = '' as $$
begin
  return case
    when given_back then 'given-back'
    when checkout.state = 'paid' then 'second-payment'
    when exists (select from private.checkouts c join private.quotes q on q.id = c.quote_id
                 where c.family_id = checkout.family_id and c.state = 'paid'
                   and private.quote_contents(q.lines) = private.quote_contents(quote.lines)) then 'second-payment'
    when payment_rejection.amount_paise <> quote.total_paise or payment_rejection.currency <> 'INR' then 'wrong-amount'
    when checkout.held <> quote.units and not private.complete_hold(checkout, quote) then 'sold-out'
  end;
end $$;

-- Turns captured payments into orders, or into refunds: calls are the arguments of settle_payment(), a JSON array, and there
-- are as many outcomes. Each payment is judged by itself; the orders are written together, which costs a third of writing them
-- one by one. Idempotent: the same payment has the same outcome, however often and by whom it is reported.
create function private.settle(calls jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  at timestamptz := coalesce((select max((c ->> 'at')::timestamptz) from jsonb_array_elements(calls) as c), now());
  outcomes jsonb[] := array_fill(null::jsonb, array[jsonb_array_length(calls)]);
  call record;
  payment private.payments;
  refusal text;
  paid private.checkouts[];
  quotes private.quotes[];
  payments private.payments[];
  judged uuid[];
begin
  perform private.lock_payments(array(select c ->> 'provider_order_id' from jsonb_array_elements(calls) as c));
  loop
    paid := '{}';
    quotes := '{}';
    payments := '{}';
    judged := '{}';
    for call in
      select p.*, k.checkout, k.quote, coalesce((k.checkout).user_id, (k.checkout).family_id) as payer,
             private.settled_result(p.payment_id) as answer
      from rows from (jsonb_to_recordset(calls) as (
        provider_order_id text, payment_id text, amount_paise bigint, currency text, method text, fee_paise bigint,
        given_back boolean)) with ordinality as p
      left join lateral (
        select c as checkout, q as quote from private.checkouts c join private.quotes q on q.id = c.quote_id
        where c.provider_order_id = p.provider_order_id limit 1) k on true
      where outcomes[p.ordinality] is null
    loop
      if call.payer is null then
        outcomes[call.ordinality] := jsonb_build_object('outcome', 'unknown-order');
        continue;
      end if;
      -- Another payment of the same customer is judged in the next round, when what this one became is written: two payments
      -- of one family must not become two orders, nor two take the same hold.
      continue when call.payer = any (judged);
      judged := judged || call.payer;
      outcomes[call.ordinality] := call.answer;
      continue when call.answer is not null;

      refusal := private.payment_rejection(call.checkout, call.quote, call.amount_paise, call.currency, call.given_back);
      payment := row(call.payment_id, call.provider_order_id, case when refusal is null then gen_random_uuid() end,
                     (call.checkout).user_id, call.amount_paise, call.fee_paise, call.method,
                     case when call.given_back then 'refunded' else 'captured' end, at, at);
      if refusal is null then
        paid := paid || call.checkout;
        quotes := quotes || call.quote;
        payments := payments || payment;
      else
        perform private.reject_payment(payment, call.checkout, refusal);
        outcomes[call.ordinality] := private.settled_result(call.payment_id);
      end if;
    end loop;
    exit when cardinality(judged) = 0;
    if cardinality(paid) > 0 then
      perform private.place_orders(paid, quotes, payments, at);
      outcomes := array(select coalesce(o.outcome, private.settled_result(c.call ->> 'payment_id'))
                        from unnest(outcomes) with ordinality as o (outcome, n)
                        join jsonb_array_elements(calls) with ordinality as c (call, n) on c.n = o.n order by o.n);
    end if;
  end loop;
  return to_jsonb(outcomes);
end $$;

-- The customers and checkouts of some of the provider's orders. A checkout that holds everything is sold from there, and its
-- stock is locked when it moves. Where one has to look at the shelf, the stock of all is locked now.
create function private.lock_payments(provider_order_ids text[]) returns void
language plpgsql set search_path = '' as $$
declare
  customer_ids uuid[];
  family_ids uuid[];
begin
  select array_agg(k.user_id), array_agg(k.family_id) into customer_ids, family_ids
  from unnest(provider_order_ids) as p (id)
  cross join lateral (select c.user_id, c.family_id from private.checkouts c where c.provider_order_id = p.id limit 1) k;
  perform private.lock_checkouts(customer_ids, family_ids);
  perform private.lock_stock(q.product_ids)
  from (
    select array_agg(u.product_id) as product_ids, bool_or(k.is_short) as is_short
    from unnest(provider_order_ids) as p (id)
    cross join lateral (select q.product_ids, c.held <> q.units as is_short
                        from private.checkouts c join private.quotes q on q.id = c.quote_id
                        where c.provider_order_id = p.id limit 1) k, unnest(k.product_ids) as u (product_id)
  ) q
  where q.is_short;
end $$;

create function public.settle_payment(
  provider_order_id text, payment_id text, amount_paise bigint, currency text, method text default null,
  fee_paise bigint default null, given_back boolean default false, at timestamptz default now()
) returns jsonb
language sql security definer set search_path = '' as $$
  select private.settle(jsonb_build_array(jsonb_build_object(
    'provider_order_id', provider_order_id, 'payment_id', payment_id, 'amount_paise', amount_paise, 'currency', currency,
    'method', method, 'fee_paise', fee_paise, 'given_back', given_back, 'at', at))) -> 0;
$$;

-- For a rush, as quote_orders().
create function public.settle_payments(calls jsonb) returns jsonb
language sql security definer set search_path = '' set lock_timeout = '250ms' as $$
  select private.settle(calls);
$$;

-- What became of a payment that was settled; null: it was not.
create function private.settled_result(payment_id text) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_build_object('outcome', case when p.order_id is null then 'refunded' else 'ordered' end,
                              'user_id', p.user_id, 'order_id', p.order_id, 'number', o.number,
                              'reason', (select r.reason from private.refunds r where r.payment_id = p.payment_id and p.order_id is null limit 1))
    from private.payments p left join public.orders o on o.id = p.order_id
    where p.payment_id = settled_result.payment_id);
end $$;

-- A captured payment that becomes no order: it is recorded and refunded.
create function private.reject_payment(payment private.payments, checkout private.checkouts, refusal text) returns void
language plpgsql set search_path = '' as $$
begin
  if refusal = 'second-payment' and (checkout.state = 'open' or checkout.held <> '{}') then
    perform private.release_stock(array[checkout.id]);
  end if;
  insert into private.payments select payment.*;
  if refusal = 'given-back' then
    insert into private.refunds (payment_id, amount_paise, reason, status, created_at, processed_at)
    values (payment.payment_id, payment.amount_paise, refusal, 'processed', payment.created_at, payment.created_at);
  else
    perform private.refund_payment_in_full(payment.payment_id, refusal, payment.created_at);
  end if;
end $$;

-- The orders of checkouts that hold everything they need, with their items, sales and payments; checkouts, quotes and payments
-- stand in the same places.
create function private.place_orders(paid private.checkouts[], quotes private.quotes[], payments private.payments[], at timestamptz)
returns void
language plpgsql set search_path = '' as $$
begin
  perform set_config('shop.event_at', at::text, true);
  with quoted as materialized (
    select q.*, private.cutoff_window_start(q.created_at) as shift from unnest(quotes) with ordinality as q
  ), promised as materialized (
    select k.*, private.promise_at_payment(k.pincode, k.delivery_by, k.shift, place_orders.at) as day
    from (select distinct q.pincode, q.delivery_by, q.shift from quoted q) k
  )
  insert into public.orders (id, user_id, payment_status, payment_id, source, fulfilment, sub_total, tax, shipping_charge,
                             total_amount, delivery_name, delivery_phone, delivery_building_no, delivery_street,
                             delivery_city, delivery_state, delivery_zip, delivery_by, created_at, updated_at)
  select p.order_id, c.user_id, 'paid', p.payment_id, q.source, q.fulfilment, q.sub_total_paise / 100.0, q.tax_paise / 100.0,
         q.shipping_paise / 100.0, q.total_paise / 100.0, c.delivery_name, c.delivery_phone, c.delivery_building_no,
         c.delivery_street, c.delivery_city, c.delivery_state, c.delivery_zip,
         (select k.day from promised k where k.pincode = q.pincode and k.shift = q.shift and k.delivery_by is not distinct from q.delivery_by), at, at
  from unnest(payments) with ordinality as p
  join unnest(paid) with ordinality as c on c.ordinality = p.ordinality
  join quoted q on q.ordinality = p.ordinality;
  perform private.fill_orders(array(select p.order_id from unnest(payments) with ordinality as p order by p.ordinality), quotes,
                              were_reserved => true, at => at);
  perform set_config('shop.event_at', '', true);
  -- One more look later: attempts that were still under way may be captured after this one.
  update private.checkouts c set state = 'paid', held = '{}', order_id = p.order_id, next_check_at = at + interval '30 minutes'
  from unnest(payments) with ordinality as p join unnest(paid) with ordinality as k on k.ordinality = p.ordinality
  where c.id = k.id;
  insert into private.payments select p.* from unnest(payments) as p;
end $$;

-- The items of new orders and their sale from stock; orders and quotes stand in the same places.
create function private.fill_orders(order_ids uuid[], quotes private.quotes[], were_reserved boolean, at timestamptz) returns void
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
  select u.product_id, -u.units, 'sale', f.order_id, fill_orders.at, were_reserved
  from unnest(order_ids, quotes) as f (order_id), unnest(f.product_ids, f.units) as u (product_id, units);
end $$;

revoke execute on function
  public.settle_payment(text, text, bigint, text, text, bigint, boolean, timestamptz), public.settle_payments(jsonb)
  from public, anon, authenticated;
grant execute on function
  public.settle_payment(text, text, bigint, text, text, bigint, boolean, timestamptz), public.settle_payments(jsonb)
  to service_role;
