-- Settling: a captured payment becomes an order, or a refund.
-- Writes payments, orders, items and stock movements; called with the service role.
set check_function_bodies = off;

-- The contents of a quote, without prices.
create function private.quote_contents(lines jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_agg(jsonb_build_array(l.product_id, l.size, l.quantity) order by l.product_id, l.size)
  from jsonb_to_recordset(quote_contents.lines) as l (product_id bigint, size integer, quantity integer);
$$;

-- Why a captured payment cannot become an order; null: it can, and its checkout holds everything now, also what complete_hold()
-- found after the hold had expired. The caller holds the locks.
create function private.payment_rejection(
  checkout private.checkouts, quote private.quotes, amount_paise bigint, currency text, is_refunded_by_provider boolean) returns text
language plpgsql set search_path = '' as $$
begin
  return case
    when is_refunded_by_provider then 'given-back'
    when checkout.state = 'paid' then 'second-payment'
    when exists (select from private.checkouts c join private.quotes q on q.id = c.quote_id
                 where c.family_id = checkout.family_id and c.state = 'paid'
                   and private.quote_contents(q.lines) = private.quote_contents(quote.lines)) then 'second-payment'
    when payment_rejection.amount_paise <> quote.total_paise or payment_rejection.currency <> 'INR' then 'wrong-amount'
    when checkout.held <> quote.units and not private.complete_hold(checkout, quote) then 'sold-out'
  end;
end $$;

-- Settles captured payments as a batch: each becomes an order or a refund. `calls`: a JSON array of settle_payment() arguments;
-- one outcome per call. Idempotent per payment id. The orders of a batch are written together, which costs a third of writing
-- them one by one.
create function private.settle_batch(calls jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  at timestamptz := coalesce((select max((c ->> 'at')::timestamptz) from jsonb_array_elements(calls) as c), now());
  outcomes jsonb[] := array_fill(null::jsonb, array[jsonb_array_length(calls)]);
  call record;
  payment private.payments;
  rejection text;
  paid_checkouts private.checkouts[];
  quotes private.quotes[];
  payments private.payments[];
  seen_payers uuid[];
begin
  perform private.lock_checkouts_of_payments(array(select c ->> 'provider_order_id' from jsonb_array_elements(calls) as c));
  loop
    paid_checkouts := '{}';
    quotes := '{}';
    payments := '{}';
    seen_payers := '{}';
    for call in
      select p.*, k.checkout, k.quote, coalesce((k.checkout).user_id, (k.checkout).family_id) as payer,
             private.settled_result(p.payment_id) as earlier_result
      from rows from (jsonb_to_recordset(calls) as (
        provider_order_id text, payment_id text, amount_paise bigint, currency text, method text, fee_paise bigint,
        is_refunded_by_provider boolean)) with ordinality as p
      left join lateral (
        select c as checkout, q as quote from private.checkouts c join private.quotes q on q.id = c.quote_id
        where c.provider_order_id = p.provider_order_id limit 1) k on true
      where outcomes[p.ordinality] is null
    loop
      if call.payer is null then
        outcomes[call.ordinality] := jsonb_build_object('outcome', 'unknown-order');
        continue;
      end if;
      -- One payment per customer and pass, so that the next pass sees this one's order.
      continue when call.payer = any (seen_payers);
      seen_payers := seen_payers || call.payer;
      outcomes[call.ordinality] := call.earlier_result;
      continue when call.earlier_result is not null;

      rejection := private.payment_rejection(call.checkout, call.quote, call.amount_paise, call.currency, call.is_refunded_by_provider);
      payment := row(call.payment_id, call.provider_order_id, case when rejection is null then gen_random_uuid() end,
                     (call.checkout).user_id, call.amount_paise, call.fee_paise, call.method,
                     case when call.is_refunded_by_provider then 'refunded' else 'captured' end, at, at);
      if rejection is null then
        paid_checkouts := paid_checkouts || call.checkout;
        quotes := quotes || call.quote;
        payments := payments || payment;
      else
        perform private.reject_payment(payment, call.checkout, rejection);
        outcomes[call.ordinality] := private.settled_result(call.payment_id);
      end if;
    end loop;
    exit when cardinality(seen_payers) = 0;
    if cardinality(paid_checkouts) > 0 then
      perform private.place_orders(paid_checkouts, quotes, payments, at);
      outcomes := array(select coalesce(o.outcome, private.settled_result(c.call ->> 'payment_id'))
                        from unnest(outcomes) with ordinality as o (outcome, n)
                        join jsonb_array_elements(calls) with ordinality as c (call, n) on c.n = o.n order by o.n);
    end if;
  end loop;
  return to_jsonb(outcomes);
end $$;

-- Locks the customers and checkouts behind provider orders, and the stock of those whose hold is incomplete: of all of them, if
-- there is one. Stock of complete holds is locked when it is sold.
create function private.lock_checkouts_of_payments(provider_order_ids text[]) returns void
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
  fee_paise bigint default null, is_refunded_by_provider boolean default false, at timestamptz default now()
) returns jsonb
language sql security definer set search_path = '' as $$
  select private.settle_batch(jsonb_build_array(jsonb_build_object(
    'provider_order_id', provider_order_id, 'payment_id', payment_id, 'amount_paise', amount_paise, 'currency', currency,
    'method', method, 'fee_paise', fee_paise, 'is_refunded_by_provider', is_refunded_by_provider, 'at', at))) -> 0;
$$;

-- Batched form of settle_payment(), with retries as for quote_orders().
create function public.settle_payments(calls jsonb) returns jsonb
language sql security definer set search_path = '' set lock_timeout = '250ms' as $$
  select private.settle_batch(calls);
$$;

-- What a settled payment became; null: it is not settled.
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

-- A captured payment that becomes no order is recorded and refunded.
create function private.reject_payment(payment private.payments, checkout private.checkouts, rejection text) returns void
language plpgsql set search_path = '' as $$
begin
  if rejection = 'second-payment' and (checkout.state = 'open' or checkout.held <> '{}') then
    perform private.release_stock(array[checkout.id]);
  end if;
  insert into private.payments select payment.*;
  if rejection = 'given-back' then
    insert into private.refunds (payment_id, amount_paise, reason, status, created_at, processed_at)
    values (payment.payment_id, payment.amount_paise, rejection, 'processed', payment.created_at, payment.created_at);
  else
    perform private.refund_payment_in_full(payment.payment_id, rejection, payment.created_at);
  end if;
end $$;

-- Writes the orders of checkouts that hold everything they need, with their items, sales and payments; checkouts, quotes and
-- payments are in the same order.
create function private.place_orders(paid_checkouts private.checkouts[], quotes private.quotes[], payments private.payments[], at timestamptz)
returns void
language plpgsql set search_path = '' as $$
begin
  perform set_config('shop.event_at', at::text, true);
  with quoted as materialized (
    select q.*, private.cutoff_window_start(q.created_at) as window_start from unnest(quotes) with ordinality as q
  ), promised as materialized (
    select k.*, private.promise_at_payment(k.pincode, k.delivery_by, k.window_start, place_orders.at) as day
    from (select distinct q.pincode, q.delivery_by, q.window_start from quoted q) k
  )
  insert into public.orders (id, user_id, payment_status, payment_id, source, fulfilment, sub_total, tax, shipping_charge,
                             total_amount, delivery_name, delivery_phone, delivery_building_no, delivery_street,
                             delivery_city, delivery_state, delivery_zip, delivery_by, created_at, updated_at)
  select p.order_id, c.user_id, 'paid', p.payment_id, q.source, q.fulfilment, q.sub_total_paise / 100.0, q.tax_paise / 100.0,
         q.shipping_paise / 100.0, q.total_paise / 100.0, c.delivery_name, c.delivery_phone, c.delivery_building_no,
         c.delivery_street, c.delivery_city, c.delivery_state, c.delivery_zip,
         (select k.day from promised k where k.pincode = q.pincode and k.window_start = q.window_start and k.delivery_by is not distinct from q.delivery_by), at, at
  from unnest(payments) with ordinality as p
  join unnest(paid_checkouts) with ordinality as c on c.ordinality = p.ordinality
  join quoted q on q.ordinality = p.ordinality;
  perform private.fill_orders(array(select p.order_id from unnest(payments) with ordinality as p order by p.ordinality), quotes,
                              were_reserved => true, at => at);
  perform set_config('shop.event_at', '', true);
  -- Checked once more later: attempts that were still under way may be captured after this one.
  update private.checkouts c set state = 'paid', held = '{}', order_id = p.order_id, next_check_at = at + private.late_capture_delay()
  from unnest(payments) with ordinality as p join unnest(paid_checkouts) with ordinality as k on k.ordinality = p.ordinality
  where c.id = k.id;
  insert into private.payments select p.* from unnest(payments) as p;
end $$;

-- The items of new orders and their sale from stock; orders and quotes are in the same order.
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
