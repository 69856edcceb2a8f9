-- Settling: a captured payment becomes an order, or a refund.
-- Writes payments, orders, items and stock movements; called with the service role.
set check_function_bodies = off;

-- The contents of a quote, without prices.
create function private.quote_contents(lines jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_agg(jsonb_build_array(l.product_id, l.size, l.quantity) || k.box order by l.product_id, l.size, k.box)
  from jsonb_to_recordset(quote_contents.lines) as l (product_id bigint, size integer, quantity integer, box_id bigint, contents jsonb)
  cross join lateral (
    select case when l.box_id is null then '[]' else jsonb_build_array(l.box_id) || jsonb_agg(jsonb_build_array(c.product_id, c.pieces) order by c.product_id) end as box
    from jsonb_to_recordset(l.contents -> 'products') as c (product_id bigint, pieces integer)) k;
$$;

-- Why a captured payment cannot become an order, or the orders of a group; null: it can, and its checkouts hold everything now,
-- also what complete_hold() and complete_offers() found after the hold had expired. The caller holds the locks. paid_group is null for a single order.
create function private.payment_rejection(
  checkouts private.checkouts[], quotes private.quotes[], paid_group private.group_orders, amount_paise bigint, currency text,
  is_refunded_by_provider boolean) returns text
language plpgsql set search_path = '' as $$
begin
  return case
    when is_refunded_by_provider then 'given-back'
    when (checkouts[1]).state = 'paid' then 'second-payment'
    when paid_group.id is not null and exists (
      select from private.group_orders g
      where g.family_id = paid_group.family_id and g.state = 'paid' and g.contents = paid_group.contents) then 'second-payment'
    when paid_group.id is null and exists (
      select from private.checkouts c join private.quotes q on q.id = c.quote_id
      where c.family_id = (checkouts[1]).family_id and c.state = 'paid'
        and private.quote_contents(q.lines) = private.quote_contents((quotes[1]).lines)) then 'second-payment'
    -- The customer was erased, and what they had chosen with them.
    when coalesce(cardinality(checkouts), 0) = 0 then 'sold-out'
    when payment_rejection.currency <> 'INR' or payment_rejection.amount_paise <> (
      select sum(q.total_paise) from unnest(quotes) as q) then 'wrong-amount'
    when (quotes[1]).offers <> '[]' and not private.complete_offers(checkouts[1]) then 'offer-used-up'
    when exists (select from unnest(checkouts) as c join unnest(quotes) as q on q.id = c.quote_id where c.held <> q.units)
      and not private.complete_hold(checkouts, quotes) then 'sold-out'
  end;
end $$;

-- Settles captured payments as a batch: each becomes an order, the orders of a group, or a refund. `calls`: a JSON array of
-- settle_payment() arguments; one outcome per call. Idempotent per payment id. The orders of a batch are written together, which
-- costs a third of writing them one by one.
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
  order_ids uuid[];
  seen_payers uuid[];
begin
  perform private.lock_checkouts_of_payments(array(select c ->> 'provider_order_id' from jsonb_array_elements(calls) as c));
  loop
    paid_checkouts := '{}';
    quotes := '{}';
    payments := '{}';
    order_ids := '{}';
    seen_payers := '{}';
    for call in
      select p.*, k.checkouts, k.quotes, g.paid_group,
             coalesce((g.paid_group).user_id, (g.paid_group).id, (k.checkouts[1]).user_id, (k.checkouts[1]).family_id) as payer,
             private.settled_result(p.payment_id) as earlier_result
      from rows from (jsonb_to_recordset(calls) as (
        provider_order_id text, payment_id text, amount_paise bigint, currency text, method text, fee_paise bigint,
        is_refunded_by_provider boolean)) with ordinality as p
      left join lateral (
        select o as paid_group from private.group_orders o where o.provider_order_id = p.provider_order_id limit 1) g on true
      left join lateral (
        select array_agg(c order by c.group_place) as checkouts, array_agg(q order by c.group_place) as quotes
        from private.checkouts_of_payment(p.provider_order_id) c join private.quotes q on q.id = c.quote_id) k on true
      where outcomes[p.ordinality] is null
    loop
      if call.payer is null then
        outcomes[call.ordinality] := jsonb_build_object('outcome', 'unknown-order');
        continue;
      end if;
      -- One payment per customer and pass, so that the next pass sees this one's orders.
      continue when call.payer = any (seen_payers);
      seen_payers := seen_payers || call.payer;
      outcomes[call.ordinality] := call.earlier_result;
      continue when call.earlier_result is not null;

      rejection := private.payment_rejection(call.checkouts, call.quotes, call.paid_group, call.amount_paise, call.currency,
                                             call.is_refunded_by_provider);
      payment := row(call.payment_id, call.provider_order_id, null,
                     coalesce((call.paid_group).user_id, (call.checkouts[1]).user_id), call.amount_paise, call.fee_paise, call.method,
                     case when call.is_refunded_by_provider then 'refunded' else 'captured' end, at, at, null);
      if rejection is null then
        paid_checkouts := paid_checkouts || call.checkouts;
        quotes := quotes || call.quotes;
        payments := payments || array(select payment from unnest(call.checkouts));
        order_ids := order_ids || array(select gen_random_uuid() from unnest(call.checkouts));
      else
        perform private.reject_payment(payment, call.checkouts, rejection);
        outcomes[call.ordinality] := private.settled_result(call.payment_id);
      end if;
    end loop;
    exit when cardinality(seen_payers) = 0;
    if cardinality(paid_checkouts) > 0 then
      perform private.place_orders(paid_checkouts, quotes, payments, order_ids, at);
      outcomes := array(select coalesce(o.outcome, private.settled_result(c.call ->> 'payment_id'))
                        from unnest(outcomes) with ordinality as o (outcome, n)
                        join jsonb_array_elements(calls) with ordinality as c (call, n) on c.n = o.n order by o.n);
    end if;
  end loop;
  return to_jsonb(outcomes);
end $$;

-- What a provider's order pays: one checkout, or those of a group.
create function private.checkouts_of_payment(provider_order_id text) returns setof private.checkouts
language sql stable set search_path = '' as $$
  select c.* from private.checkouts c where c.provider_order_id = checkouts_of_payment.provider_order_id
  union all
  select c.* from private.group_orders g join private.checkouts c on c.group_id = g.id
  where g.provider_order_id = checkouts_of_payment.provider_order_id;
$$;

-- Locks the customers, checkouts and offers behind provider orders, and the stock of those whose hold is incomplete: of all of them, if
-- there is one. Stock of complete holds is locked when it is sold.
create function private.lock_checkouts_of_payments(provider_order_ids text[]) returns void
language plpgsql set search_path = '' as $$
declare
  customer_ids uuid[];
  family_ids uuid[];
begin
  select array_agg(k.user_id), array_agg(k.family_id) into customer_ids, family_ids
  from unnest(provider_order_ids) as p (id)
  cross join lateral (
    (select c.user_id, c.family_id from private.checkouts c where c.provider_order_id = p.id limit 1)
    union all
    -- The checkouts of a group have its id as their family.
    (select g.user_id, g.id from private.group_orders g where g.provider_order_id = p.id limit 1)) k;
  perform private.lock_checkouts(customer_ids, family_ids);
  perform private.lock_offers(customer_ids, provider_order_ids, now());
  perform private.lock_stock(q.product_ids)
  from (
    select array_agg(u.product_id) as product_ids, bool_or(k.held <> q.units) as is_short
    from unnest(provider_order_ids) as p (id)
    cross join lateral private.checkouts_of_payment(p.id) k
    join private.quotes q on q.id = k.quote_id, unnest(q.product_ids) as u (product_id)
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
    select jsonb_build_object('outcome', case when o.id is null then 'refunded' else 'ordered' end,
                              'user_id', p.user_id, 'order_id', o.id, 'number', o.number, 'group_id', p.group_id,
                              'reason', (select r.reason from private.refunds r where r.payment_id = p.payment_id and o.id is null limit 1))
    from private.payments p
    -- Of a group the order of its first recipient.
    left join public.orders o
      on o.id = coalesce(p.order_id, (select m.id from public.orders m where m.group_id = p.group_id and m.group_place = 1))
    where p.payment_id = settled_result.payment_id);
end $$;

-- A captured payment that becomes no order is recorded and refunded.
create function private.reject_payment(payment private.payments, checkouts private.checkouts[], rejection text) returns void
language plpgsql set search_path = '' as $$
declare
  holders constant uuid[] := array(select c.id from unnest(checkouts) as c where c.state = 'open' or c.held <> '{}');
begin
  if rejection = 'second-payment' and cardinality(holders) > 0 then
    perform private.release_stock(holders);
  end if;
  perform private.release_offers(array(select c.id from unnest(checkouts) as c));
  insert into private.payments select payment.*;
  if rejection = 'given-back' then
    perform private.new_refund(payment.payment_id, null, payment.amount_paise, rejection, payment.created_at, payment.created_at,
                               is_done => true);
  else
    perform private.refund_payment_in_full(payment.payment_id, rejection, payment.created_at);
  end if;
end $$;

-- Writes the orders of checkouts that hold everything they need, with their items, sales and payments; checkouts, quotes,
-- payments and ids of the new orders are in the same order. The checkouts of a group have one payment.
create function private.place_orders(
  paid_checkouts private.checkouts[], quotes private.quotes[], payments private.payments[], order_ids uuid[], at timestamptz) returns void
language plpgsql set search_path = '' as $$
begin
  perform set_config('shop.event_at', at::text, true);
  with quoted as materialized (
    select q.*, private.cutoff_window_start(q.created_at) as window_start from unnest(quotes) with ordinality as q
  ), promised as materialized (
    select k.*, c.deliver_on, c.pack_on, c.missed_day,
           case when k.chosen_day is null then private.promise_at_payment(k.pincode, k.delivery_by, k.window_start, place_orders.at)
                else c.deliver_on end as day
    from (select distinct q.pincode, q.delivery_by, q.window_start, q.deliver_on as chosen_day,
                          case when q.deliver_on is not null then q.product_ids end as product_ids from quoted q) k
    cross join lateral private.day_at_payment(k.pincode, k.chosen_day, k.product_ids, place_orders.at) c
  )
  insert into public.orders (id, user_id, payment_status, payment_id, source, fulfilment, sub_total, tax, shipping_charge,
                             total_amount, delivery_name, delivery_phone, delivery_building_no, delivery_street,
                             delivery_city, delivery_state, delivery_zip, delivery_by, created_at, updated_at,
                             deliver_on, pack_on, missed_day, group_id, group_place, discount, offers)
  select order_ids[p.ordinality], c.user_id, 'paid', p.payment_id, q.source, q.fulfilment, q.sub_total_paise / 100.0, q.tax_paise / 100.0,
         q.shipping_paise / 100.0, q.total_paise / 100.0, c.delivery_name, c.delivery_phone, c.delivery_building_no,
         c.delivery_street, c.delivery_city, c.delivery_state, c.delivery_zip,
         k.day, at, at, k.deliver_on, k.pack_on, k.missed_day, c.group_id, c.group_place,
         q.discount_paise / 100.0, q.offers
  from unnest(payments) with ordinality as p
  join unnest(paid_checkouts) with ordinality as c on c.ordinality = p.ordinality
  join quoted q on q.ordinality = p.ordinality
  left join promised k on k.pincode = q.pincode and k.window_start = q.window_start and k.delivery_by is not distinct from q.delivery_by
                      and k.chosen_day is not distinct from q.deliver_on and (k.chosen_day is null or k.product_ids = q.product_ids);
  perform private.fill_orders(order_ids, quotes, were_reserved => true, at => at);
  perform set_config('shop.event_at', '', true);
  -- Checked once more later: attempts that were still under way may be captured after this one. The gift is the order's now.
  update private.checkouts c
  set state = 'paid', held = '{}', order_id = order_ids[k.ordinality], gift = null,
      next_check_at = case when c.group_id is null then at + private.late_capture_delay() end
  from unnest(paid_checkouts) with ordinality as k
  where c.id = k.id;
  if exists (select from unnest(quotes) as q where q.offers <> '[]') then
    perform private.use_offers(array(select c.id from unnest(paid_checkouts) with ordinality as c order by c.ordinality), order_ids);
  end if;
  update private.group_orders g set state = 'paid', next_check_at = at + private.late_capture_delay()
  where g.id in (select c.group_id from unnest(paid_checkouts) as c);
  insert into private.payments (payment_id, provider_order_id, order_id, user_id, amount_paise, fee_paise, method, status, captured_at,
                                created_at, group_id)
  select p.payment_id, p.provider_order_id, case when c.group_id is null then order_ids[p.ordinality] end, p.user_id, p.amount_paise,
         p.fee_paise, p.method, p.status, p.captured_at, p.created_at, c.group_id
  from unnest(payments) with ordinality as p join unnest(paid_checkouts) with ordinality as c on c.ordinality = p.ordinality
  where c.group_place <= 1;
  insert into private.order_gifts (order_id, note, motif, sender_name, recipient_email)
  select order_ids[c.ordinality], c.gift ->> 'note', c.gift ->> 'motif', c.gift ->> 'sender_name', c.gift ->> 'recipient_email'
  from unnest(paid_checkouts) with ordinality as c
  where c.gift is not null;
end $$;

-- The items of new orders and their sale from stock; orders and quotes are in the same order.
create function private.fill_orders(order_ids uuid[], quotes private.quotes[], were_reserved boolean, at timestamptz) returns void
language plpgsql set search_path = '' as $$
begin
  insert into public.order_items (order_id, product_id, product_name, product_image, quantity, size, unit_price,
                                  gst_percent, hsn, has_size, box_id, contents, discount)
  select f.order_id, l.product_id, l.product_name, l.product_image, l.quantity, l.size, l.unit_price, l.gst_percent, l.hsn, l.has_size,
         l.box_id, l.contents, coalesce(l.discount_paise, 0) / 100.0
  from unnest(order_ids, quotes) as f (order_id),
       jsonb_to_recordset(f.lines) as l (product_id bigint, product_name text, product_image text, quantity integer,
         size integer, unit_price numeric, gst_percent numeric, hsn text, has_size boolean, box_id bigint, contents jsonb,
         discount_paise bigint)
  order by f.order_id, l.product_id, l.size, l.box_id, l.product_name;
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
