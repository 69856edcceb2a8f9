-- Names what checkout and settling do: quote_batch(), open_batch(), settle_batch(), rejections, the hash of a client's IP address.
-- States the price of a line, sets of statuses and times of checks once, as functions. Rows and permissions stay as they are.
set check_function_bodies = off;

alter table private.checkouts rename column address_hash to ip_hash;

alter table private.checkouts rename constraint checkouts_address_hash_check to checkouts_ip_hash_check;

alter index private.checkouts_address_idx rename to checkouts_ip_hash_idx;

alter type private.opening rename attribute address_hash to ip_hash;

drop function private.can_hold_stock(customer_ids uuid[], address_hashes text[], grams integer[], at timestamp with time zone);

drop function private.describe_rejection(refusal jsonb);

drop function private.held_by_customer(customer_id uuid);

drop function private.lock_payments(provider_order_ids text[]);

drop function private.open(calls jsonb);

drop function private.open_while_stock_lasts(openings private.opening[], results jsonb[], at timestamp with time zone);

drop function private.opening_refusal(opening private.opening, may_ask boolean);

drop function private.payment_rejection(checkout private.checkouts, quote private.quotes, amount_paise bigint, currency text, given_back boolean);

drop function private.place_orders(paid private.checkouts[], quotes private.quotes[], payments private.payments[], at timestamp with time zone);

drop function private.price_order(lines jsonb, pincode text, source text, fulfilment text, customer_id uuid, at timestamp with time zone, OUT quote private.quotes, OUT grams bigint, OUT refusal jsonb, OUT spoiled jsonb);

drop function private.price_orders(orders jsonb, at timestamp with time zone);

drop function private.quote(calls jsonb);

drop function private.reject_payment(payment private.payments, checkout private.checkouts, refusal text);

drop function private.settle(calls jsonb);

drop function private.shortages(customer_ids uuid[], quotes private.quotes[]);

drop function private.take_from_holds(customer_id uuid, but_not uuid, product_ids bigint[], units integer[]);

drop function private.write_checkouts(openings private.opening[], at timestamp with time zone);

drop function public.open_checkout(customer_id uuid, amount_paise bigint, quote_id uuid, at timestamp with time zone, address_hash text);

drop function public.settle_payment(provider_order_id text, payment_id text, amount_paise bigint, currency text, method text, fee_paise bigint, given_back boolean, at timestamp with time zone);

create function private.can_hold_stock(customer_ids uuid[], ip_hashes text[], grams integer[], at timestamptz) returns boolean[]
language plpgsql stable set search_path = '' as $$
begin
  return (
    with called as materialized (
      select a.n, a.ip_hash,
             (p.paid_at is not null or a.grams <= 5000) and 2 > (
               select count(*) from private.checkouts c
               where c.user_id = a.customer_id and c.had_hold and c.state <> 'paid'
                 and c.created_at > greatest(p.paid_at, can_hold_stock.at - interval '24 hours')
                 and c.created_at < can_hold_stock.at + interval '1 minute') as by_account
      from unnest(customer_ids, ip_hashes, grams) with ordinality as a (customer_id, ip_hash, grams, n)
      cross join lateral (
        select (select o.created_at from public.orders o
                where o.user_id = a.customer_id and private.is_payment_retained(o.status, o.payment_status) and o.payment_id is not null
                order by o.created_at desc, o.id desc limit 1) as paid_at
        offset 0) p
    ), ip_addresses as materialized (
      select d.ip_hash, 20 + 3 * (
               select count(*) from (
                 select from private.checkouts c join public.orders o on o.id = c.order_id
                 where c.ip_hash = d.ip_hash and c.state = 'paid' and private.is_payment_retained(o.status, o.payment_status)
                   and c.created_at > can_hold_stock.at - interval '24 hours' and c.created_at < can_hold_stock.at + interval '1 minute'
                 limit 100) paid) - (
               select count(*) from (
                 select from private.checkouts c
                 where c.ip_hash = d.ip_hash and c.state <> 'paid' and c.had_hold
                   and c.created_at > can_hold_stock.at - interval '24 hours' and c.created_at < can_hold_stock.at + interval '1 minute'
                 limit 400) unpaid) as holds_left
      from (select distinct a.ip_hash from called a where a.ip_hash is not null) d
    )
    select array_agg(r.by_account and (r.ip_hash is null or r.place <= d.holds_left) order by r.n)
    from (select a.*, row_number() over (partition by a.ip_hash, a.by_account order by a.n) as place from called a) r
    left join ip_addresses d on d.ip_hash = r.ip_hash);
end $$;

create or replace function private.complete_hold(checkout private.checkouts, quote private.quotes) returns boolean
language plpgsql set search_path = '' as $$
declare
  from_stock integer[];
  from_holds integer[];
  is_short boolean;
begin
  perform private.lock_stock(quote.product_ids);
  select array_agg(least(needed.units, needed.in_stock) order by needed.place),
         array_agg(greatest(needed.units - needed.in_stock, 0) order by needed.place),
         bool_or(needed.units > needed.in_stock + needed.in_other_holds)
  into from_stock, from_holds, is_short
  from (
    select wanted.place, wanted.units - coalesce(wanted.held, 0) as units, greatest(s.on_hand - s.reserved, 0) as in_stock,
           greatest(coalesce(own.units, 0) - coalesce(wanted.held, 0), 0) as in_other_holds
    from unnest(quote.product_ids, quote.units, checkout.held) with ordinality as wanted (product_id, units, held, place)
    join public.stock_levels s on s.product_id = wanted.product_id
    left join private.held_by_customer(checkout.user_id) own on own.product_id = wanted.product_id
  ) needed;
  if is_short then
    return false;
  end if;
  update public.stock_levels s set reserved = s.reserved + f.units
  from unnest(quote.product_ids, from_stock) as f (product_id, units)
  where s.product_id = f.product_id and f.units > 0;
  if 0 < any (from_holds) then
    perform private.take_from_holds(checkout.user_id, checkout.id, quote.product_ids, from_holds);
  end if;
  update private.checkouts c set held = quote.units where c.id = checkout.id;
  return true;
end $$;

create function private.describe_rejection(rejection jsonb) returns text
language sql immutable set search_path = '' as $$
  select case rejection ->> 'reason'
    when 'unknown-product' then 'An item in this order is no longer available. Remove it and choose again.'
    when 'size-not-offered' then format('%s is not sold by weight.', rejection ->> 'product')
    when 'too-many' then 'An order can have at most 25 of one item and size.'
    when 'too-heavy' then 'One order can weigh at most 30 kg.'
    when 'outside-zones' then format('We do not deliver to %s.', rejection ->> 'pincode')
    when 'not-available' then format('%s is not on sale.', rejection ->> 'product')
    when 'not-enough-stock' then
      case when (rejection ->> 'left')::integer <= 0 then format('%s is sold out.', rejection ->> 'product')
           else format('Only %s of %s left.', case
             when rejection ->> 'unit' = 'pieces' then (rejection ->> 'left') || case rejection ->> 'left' when '1' then ' piece' else ' pieces' end
             when (rejection ->> 'left')::integer >= 1000 then trim_scale((rejection ->> 'left')::numeric / 1000) || ' kg'
             else (rejection ->> 'left') || ' g' end, rejection ->> 'product') end
    else 'This order cannot be taken.' end;
$$;

create or replace function private.erasure_blocker(customer_id uuid) returns text
language sql stable set search_path = '' as $$
  select h.words from (
    select 1 as place, 'This is an administrator of the shop. Administrators cannot be erased.' as words
    from private.administrators a where a.user_id = erasure_blocker.customer_id
    union all
    select 2, case when count(*) = 1 then format('Order %s is still %s. Finish or cancel it first.', min(o.number), lower(min(o.status)))
                   else format('Orders %s are still open. Finish or cancel them first.', string_agg(o.number::text, ', ' order by o.number)) end
    from private.orders_of_person(erasure_blocker.customer_id) o
    where not private.is_finished(o.status)
    having count(*) > 0
    union all
    select 3, format('The refund of order %s %s. Wait until the money is back with them.', o.number,
                     case o.payment_status when 'refund_failed' then 'failed' else 'is under way' end)
    from private.orders_of_person(erasure_blocker.customer_id) o
    where o.payment_status in ('refund_pending', 'refund_failed')
       or exists (select from private.refunds r where r.order_id = o.id and r.status in ('queued', 'pending'))
    union all
    select 3, format('Order %s was cancelled and %s still has to be paid back offline. Record that refund first.', o.number, private.format_rupees(m.refundable_paise))
    from private.orders_of_person(erasure_blocker.customer_id) o, private.order_balance(o.id) m
    where o.status = 'canceled' and o.payment_status in ('paid_offline', 'partially_refunded') and m.refundable_paise > 0
    union all
    select 4, 'They have a refund in progress. Wait until it is complete.'
    from private.payments p join private.refunds r on r.payment_id = p.payment_id
    where p.user_id = erasure_blocker.customer_id and r.status in ('queued', 'pending')
    union all
    select 5, 'They have a payment in progress. Wait until it becomes an order or a refund.'
    from private.payments p where p.user_id = erasure_blocker.customer_id and p.status in ('created', 'authorized')
    union all
    -- Banks report payments late, and we ask for five days: until then it may still become an order to deliver.
    select 6, format('They began to pay on %s. That payment may still arrive until %s; erase them after that.',
                     to_char(c.created_at at time zone 'Asia/Kolkata', 'FMDD Mon YYYY'),
                     to_char((c.created_at + interval '5 days') at time zone 'Asia/Kolkata', 'FMDD Mon YYYY'))
    from private.checkouts c
    where c.user_id = erasure_blocker.customer_id
      and (c.state = 'open' or c.held <> '{}' or (c.state <> 'paid' and c.provider_order_id is not null and c.next_check_at is not null))
  ) h order by h.place, h.words limit 1;
$$;

create or replace function private.find_openings(calls jsonb, at timestamptz) returns setof private.opening
language plpgsql stable set search_path = '' as $$
begin
  return query
  with called as materialized (
    select c.ordinality::integer as place, c.customer_id, c.ip_hash, q.quote,
           case when (q.quote).id is null then 'no-quote'
                when (q.quote).total_paise <> c.amount_paise then 'amount-mismatch'
                when (q.quote).expires_at <= find_openings.at then 'quote-expired'
                when c.quote_id is null and exists (
                  select from private.quotes o
                  where o.user_id = c.customer_id and o.total_paise = c.amount_paise and o.expires_at > find_openings.at
                    and (o.lines, o.pincode, o.source, o.fulfilment)
                        is distinct from ((q.quote).lines, (q.quote).pincode, (q.quote).source, (q.quote).fulfilment))
                  then 'ambiguous-amount' end as reason
    from rows from (jsonb_to_recordset(calls) as (
      customer_id uuid, amount_paise bigint, quote_id uuid, ip_hash text)) with ordinality as c
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
         case when l.state <> 'paid' and l.created_at > find_openings.at - interval '2 hours' then l.family_id end
  from called a
  cross join promised p
  left join lateral (select c as checkout from private.checkouts c where c.quote_id = (a.quote).id limit 1) k on true
  left join lateral (select b as person from private.buyers b where b.id = a.customer_id limit 1) b on true
  left join lateral (select c.state, c.created_at, c.family_id from private.checkouts c where c.user_id = a.customer_id
                     order by c.created_at desc, c.id limit 1) l on true;
end $$;

create or replace function private.guard_order() returns trigger
language plpgsql set search_path = '' as $$
declare
  is_browser boolean := current_user in ('anon', 'authenticated');
  is_admin boolean := private.is_admin();
  is_move boolean := new.status <> old.status;
begin
  if (new.id, new.number, new.created_at, new.source, new.fulfilment, new.sub_total, new.tax, new.shipping_charge, new.total_amount)
     is distinct from
     (old.id, old.number, old.created_at, old.source, old.fulfilment, old.sub_total, old.tax, old.shipping_charge, old.total_amount)
     or (old.user_id is distinct from new.user_id and new.user_id is not null)
     or (old.payment_id is not null and new.payment_id is distinct from old.payment_id) then
    raise sqlstate 'PT403' using message = 'what was ordered and paid never changes';
  end if;

  if is_browser then
    if (new.user_id, new.payment_id, new.payment_status, new.offline_method)
       is distinct from (old.user_id, old.payment_id, old.payment_status, old.offline_method) then
      raise sqlstate 'PT403' using message = 'only the shop itself records payments';
    end if;
    if not is_admin and (to_jsonb(new) - 'status' - 'updated_at') <> (to_jsonb(old) - 'status' - 'updated_at') then
      raise sqlstate 'PT403' using message = 'customers can only cancel an order';
    end if;
    if not is_admin and new.status <> 'canceled' then
      raise sqlstate 'PT403' using message = 'customers can only cancel an order';
    end if;
    if is_admin and not private.is_before_packing(old.status)
       and (new.delivery_name, new.delivery_phone, new.delivery_building_no, new.delivery_street,
            new.delivery_city, new.delivery_state, new.delivery_zip)
           is distinct from
           (old.delivery_name, old.delivery_phone, old.delivery_building_no, old.delivery_street,
            old.delivery_city, old.delivery_state, old.delivery_zip) then
      raise sqlstate 'PT409' using message = 'the address cannot change once the order is packed';
    end if;
    if is_admin and is_move and new.status = 'canceled'
       and not (old.user_id is not distinct from auth.uid()
                and private.is_allowed_move(old.status, new.status, old.fulfilment, by_customer => true))
       and coalesce(btrim(new.cancel_reason), '') = '' then
      raise sqlstate 'PT400' using message = 'canceling needs a reason';
    end if;
  end if;

  if is_move and not private.is_allowed_move(old.status, new.status, old.fulfilment, by_customer => is_browser and not is_admin)
     and (is_browser or not private.is_undo(old.id, old.status, new.status)) then
    raise sqlstate 'PT409' using
      message = format('an order that is %s cannot become %s', old.status, new.status);
  end if;
  -- A repeated cancel is not an event, but it must not look like a success either.
  if is_browser and not is_admin and not is_move then
    raise sqlstate 'PT409' using message = 'the order is already canceled';
  end if;

  if is_move and new.status in ('canceled', 'Refunded') and old.payment_status in ('paid', 'partially_refunded')
     and old.payment_id is not null then
    new.payment_status := 'refund_pending';
  end if;
  if auth.uid() is not null or new.payment_status = old.payment_status
     or to_jsonb(new) - 'payment_status' <> to_jsonb(old) - 'payment_status' then
    new.updated_at := now();
  end if;
  return new;
end $$;

create function private.held_by_customer(customer_id uuid) returns table (product_id bigint, units integer)
language plpgsql stable set search_path = '' as $$
begin
  return query
  select u.product_id, sum(u.units)::integer
  from private.checkouts c join private.quotes q on q.id = c.quote_id, unnest(q.product_ids, c.held) as u (product_id, units)
  where c.user_id = held_by_customer.customer_id and c.held <> '{}'
  group by u.product_id;
end $$;

create or replace function private.held_units(customer_id uuid, product_id bigint) returns integer
language plpgsql stable set search_path = '' as $$
begin
  return coalesce((
    select h.units from private.held_by_customer(held_units.customer_id) h where h.product_id = held_units.product_id), 0);
end $$;

create or replace function private.invoice_lines(order_ids uuid[], tax_kinds text[]) returns table (
  order_id uuid, lines jsonb, taxable_paise bigint, cgst_paise bigint, sgst_paise bigint, igst_paise bigint)
language sql stable set search_path = '' as $$
  with sold as (
    select o.id, o.tax * 100 as tax, o.shipping_charge * 100 as shipping, u.kind
    from unnest(order_ids, tax_kinds) u (id, kind) join public.orders o on o.id = u.id
  ), goods as (
    select s.id as order_id, s.tax, s.shipping, s.kind, i.id as place, i.hsn, i.gst_percent,
           i.product_name || case when i.has_size then format(', %s × %s', i.quantity, case i.size when 1000 then '1 kg' else '500 g' end) else '' end as description,
           case when i.has_size then i.size * i.quantity / 1000.0 else i.quantity end::numeric(12, 1) as quantity,
           case when i.has_size then 'kg' else 'nos' end as unit,
           (i.unit_price * 100 * case when i.has_size then 2 else 1 end)::bigint as rate,
           private.line_paise(i.unit_price, i.size, i.quantity) as paise
    from sold s join public.order_items i on i.order_id = s.id
  ), charged as (
    -- By the tax of each line; where the rates say nothing of what was charged, by the price.
    select g.*, case when sum(t.tax) over (partition by g.order_id) > 0 then t.tax else g.paise end as share
    from goods g cross join lateral (select round(g.paise * g.gst_percent / 100) as tax) t
  ), shared as (
    select c.*, sum(c.share) over (partition by c.order_id order by c.place) as so_far, sum(c.share) over (partition by c.order_id) as whole
    from charged c
  ), delivered as (
    select k.*, round(k.shipping * k.so_far / k.whole) - round(k.shipping * (k.so_far - k.paise) / k.whole) as share
    from (
      select g.*, sum(g.paise) over (partition by g.order_id order by g.place) as so_far, sum(g.paise) over (partition by g.order_id) as whole
      from (select d.order_id, d.kind, d.shipping, d.hsn, d.gst_percent, sum(d.paise) as paise, min(d.place) as place
            from goods d where d.shipping > 0 group by d.order_id, d.kind, d.shipping, d.hsn, d.gst_percent) g
    ) k
  ), every_line as (
    select s.order_id, s.kind, 1 as part, s.place, s.description, s.hsn, s.gst_percent, s.quantity, s.unit, s.rate, s.paise as taxable,
           round(s.tax * s.so_far / s.whole) - round(s.tax * (s.so_far - s.share) / s.whole) as tax
    from shared s
    union all
    select d.order_id, d.kind, 2, d.place, 'Delivery', d.hsn, d.gst_percent, null, null, null, t.taxable, d.share - t.taxable
    from delivered d cross join lateral (select round(d.share * 100 / (100 + d.gst_percent)) as taxable) t
    where d.share > 0
  ), split as (
    select l.order_id, l.part, l.place, l.description, l.hsn, l.quantity, l.unit,
           case when l.kind <> 'none' then l.rate end as rate, case when l.kind <> 'none' then l.gst_percent else 0 end as gst_percent,
           (l.taxable + l.tax - 2 * t.half - t.whole)::bigint as taxable, t.half::bigint as half, t.whole::bigint as igst
    from every_line l
    cross join lateral (
      select case when l.kind = 'intra' then floor(l.tax / 2) else 0 end as half, case when l.kind = 'inter' then l.tax else 0 end as whole
    ) t
  )
  select s.order_id,
         jsonb_agg(jsonb_build_object(
           'description', s.description, 'hsn', s.hsn, 'quantity', s.quantity, 'unit', s.unit, 'rate_paise', s.rate,
           'gst_percent', s.gst_percent, 'taxable_paise', s.taxable, 'cgst_paise', s.half, 'sgst_paise', s.half,
           'igst_paise', s.igst) order by s.part, s.place),
         sum(s.taxable)::bigint, sum(s.half)::bigint, sum(s.half)::bigint, sum(s.igst)::bigint
  from split s group by s.order_id;
$$;

create function private.is_before_packing(status text) returns boolean
language sql immutable parallel safe as $$
  select status in ('Pending', 'Confirmed', 'Preparing');
$$;

create function private.is_finished(status text) returns boolean
language sql immutable parallel safe as $$
  select status in ('Delivered', 'Collected', 'canceled', 'Refunded');
$$;

create function private.late_capture_delay() returns interval
language sql immutable as $$ select interval '30 minutes' $$;

create function private.line_paise(unit_price numeric, size integer, quantity integer) returns numeric
language sql immutable parallel safe as $$
  select unit_price * 100 * size / 500 * quantity;
$$;

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
begin
  -- No flush: attach_provider_order() commits, and flushes this, before anyone can pay.
  perform set_config('synchronous_commit', 'off', true);
  perform private.lock_checkouts(customers::uuid[]);
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
      elsif (opening.checkout).state = 'open' then
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
    results := private.open_by_stock(allowed_openings, results, at);
  end loop;
  return to_jsonb(results);
end $$;

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
  elsif missing_phone or missing_address then
    return jsonb_build_object('ok', false, 'reason', 'address-incomplete',
                              'missing_phone', missing_phone, 'missing_address', missing_address);
  elsif (opening.quote).fulfilment = 'delivery' and person.zip <> (opening.quote).pincode then
    return jsonb_build_object('ok', false, 'reason', 'address-changed');
  end if;
  return null;
end $$;

create or replace function private.order_facts(told public.orders, actor text) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', told.id, 'number', told.number, 'placedAt', told.created_at, 'name', told.delivery_name, 'phone', told.delivery_phone,
    'items', (select jsonb_agg(jsonb_build_object(
                'name', i.product_name, 'quantity', i.quantity, 'sizeGrams', case when i.has_size then i.size end,
                'linePaise', private.line_paise(i.unit_price, i.size, i.quantity)::bigint) order by i.id)
              from public.order_items i where i.order_id = told.id),
    'subTotalPaise', (told.sub_total * 100)::bigint, 'taxPaise', (told.tax * 100)::bigint,
    'shippingPaise', (told.shipping_charge * 100)::bigint, 'shippingTaxPaise', private.order_shipping_tax(told),
    'totalPaise', (told.total_amount * 100)::bigint,
    'isPaid', told.payment_status <> 'unpaid', 'fulfilment', told.fulfilment,
    'address', case when told.fulfilment = 'delivery' then jsonb_build_object(
      'building', told.delivery_building_no, 'street', told.delivery_street, 'city', told.delivery_city,
      'state', told.delivery_state, 'zip', told.delivery_zip) end,
    'deliveryBy', told.delivery_by, 'courier', told.courier, 'trackingNumber', told.tracking_number,
    'trackingUrl', nullif(told.tracking_url, ''), 'cancelReason', told.cancel_reason,
    'canceledBy', case when told.status = 'canceled' then case actor when 'customer' then 'customer' else 'shop' end end);
$$;

create or replace function private.order_lines(order_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', i.id, 'product_id', i.product_id, 'name', i.product_name, 'image', i.product_image, 'quantity', i.quantity,
    'size', i.size, 'has_size', i.has_size, 'unit_price_paise', (i.unit_price * 100)::bigint, 'gst_percent', i.gst_percent,
    'hsn', i.hsn, 'line_paise', private.line_paise(i.unit_price, i.size, i.quantity)::bigint,
    'grams', case when i.has_size then i.size else p.weight_grams end * i.quantity,
    'cost_paise', round(private.line_paise(c.unit_cost, i.size, i.quantity))::bigint,
    'food_mark', p.food_mark, 'allergens', p.allergens, 'shelf_life_days', p.shelf_life_days) order by i.id), '[]')
  from public.order_items i
  join public."Products" p on p."Id" = i.product_id
  left join private.placed_items c on c.order_item_id = i.id
  where i.order_id = order_lines.order_id;
$$;

create or replace function private.order_shipping_tax(placed public.orders) returns bigint
language plpgsql stable security definer set search_path = '' as $$
declare
  shipping_paise constant bigint := placed.shipping_charge * 100;
begin
  if shipping_paise = 0
     or not coalesce((select v.tax_kind <> 'none' from private.invoices v where v.order_id = placed.id), private.is_registered()) then
    return 0;
  end if;
  return (
    select private.shipping_tax_paise(shipping_paise, array_agg(i.hsn order by i.id),
      array_agg(i.gst_percent order by i.id), array_agg(private.line_paise(i.unit_price, i.size, i.quantity) order by i.id))
    from public.order_items i where i.order_id = placed.id);
end $$;

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

create function private.price_order(
  lines jsonb, pincode text, source text, fulfilment text, customer_id uuid, at timestamptz,
  out quote private.quotes, out grams bigint, out rejection jsonb, out spoiled jsonb)
language sql stable set search_path = '' as $$
  select p.quote, p.grams,
         coalesce(p.rejection, (select s.rejection from private.shortages(array[p.customer_id], array[p.quote]) s)), p.spoiled
  from private.price_orders(jsonb_build_array(jsonb_build_object(
    'customer_id', customer_id, 'lines', lines, 'pincode', pincode, 'source', source, 'fulfilment', fulfilment)), at) p;
$$;

create function private.price_orders(carts jsonb, at timestamptz)
returns table (place integer, customer_id uuid, quote private.quotes, grams bigint, rejection jsonb, spoiled jsonb)
language plpgsql stable set search_path = '' as $$
begin
  return query
  with cart as materialized (
    select a.ordinality::integer as place, a.customer_id, a.lines, a.pincode, a.source, a.fulfilment
    from rows from (jsonb_to_recordset(carts) as (
      customer_id uuid, lines jsonb, pincode text, source text, fulfilment text)) with ordinality as a
  ), line as materialized (
    select l.place, p."Id" as product_id, l.size, l.quantity, p."Name" as product_name, p."Image" as product_image, p."hasSize" as has_size,
           p."Price" as unit_price, p.gst_percent, p.hsn, private.line_paise(p."Price", l.size, l.quantity)::bigint as line_paise,
           round(private.line_paise(p."Price", l.size, l.quantity) * p.gst_percent / 100)::bigint as tax_paise,
           case when p."hasSize" then l.size else p.weight_grams end * l.quantity as grams,
           private.stock_quantity(p."hasSize", l.size, l.quantity) as stock_units, p."Category" as category, p.shelf_life_days
    from (select a.place, l.product_id, l.size, sum(l.quantity)::integer as quantity
          from cart a, jsonb_to_recordset(a.lines) as l (product_id bigint, size integer, quantity integer)
          group by a.place, l.product_id, l.size) l
    cross join lateral (select p.* from public."Products" p where p."Id" = l.product_id offset 0) p
  ), wanted as materialized (
    select w.place, array_agg(w.product_id order by w.product_id) as product_ids, array_agg(w.units order by w.product_id) as units
    from (select l.place, l.product_id, sum(l.stock_units)::integer as units from line l group by l.place, l.product_id) w
    group by w.place
  ), goods as materialized (
    select l.place, jsonb_agg(to_jsonb(l) - '{place,category,shelf_life_days}'::text[] order by l.product_id, l.size) as lines,
           sum(l.line_paise)::bigint as sub_total, sum(l.tax_paise)::bigint as tax,
           sum(l.grams)::bigint as grams, max(l.quantity) as most, bool_and(l.category = 'Takeaway') as all_takeaway,
           max(l.product_name) filter (where not l.has_size and l.size <> 500) as without_size, min(l.shelf_life_days) as shelf_life_days
    from line l group by l.place
  ), journeys as materialized (
    select z.pincode, z.zone, j.leaves_on, j.arrives_on
    from (select k.pincode, private.zone_of(k.pincode) as zone
          from (select distinct a.pincode from cart a where a.fulfilment = 'delivery') k offset 0) z
    left join lateral private.promise_delivery(price_orders.at, (z.zone).max_days) j on true
  ), checked as materialized (
    select a.*, g.lines as priced, coalesce(g.sub_total, 0) as sub_total, coalesce(g.tax, 0) as tax, g.grams, g.shelf_life_days,
           w.product_ids, w.units, j.zone, j.arrives_on, j.arrives_on - j.leaves_on as days,
           case
             when coalesce(cardinality(w.product_ids), 0) <> (select count(distinct l.product_id) from jsonb_to_recordset(a.lines) as l (product_id bigint))
               then jsonb_build_object('reason', 'unknown-product')
             when g.without_size is not null then jsonb_build_object('reason', 'size-not-offered', 'product', g.without_size)
             when g.most > 25 then jsonb_build_object('reason', 'too-many')
             when g.grams > 30000 then jsonb_build_object('reason', 'too-heavy')
             when a.fulfilment = 'pickup' and a.source <> 'manual' and not g.all_takeaway then jsonb_build_object('reason', 'pickup-not-offered')
             when a.fulfilment = 'delivery' and (j.zone).id is null
               then jsonb_build_object('reason', 'outside-zones', 'pincode', a.pincode) end as rejection
    from cart a
    left join goods g on g.place = a.place
    left join wanted w on w.place = a.place
    left join journeys j on j.pincode = a.pincode and a.fulfilment = 'delivery'
  ), shipped as materialized (
    -- Which sweets would spoil is looked up when the one that keeps the shortest does.
    select j.*, case when j.rejection is null and j.fulfilment = 'delivery' then private.shipping_paise(j.zone, j.grams, j.source) else 0 end as shipping,
           case when j.rejection is null and not private.stays_fresh(j.shelf_life_days, j.days) then private.products_that_spoil(j.product_ids, j.days) end as spoiled
    from checked j
  )
  select s.place, s.customer_id,
         row(null, s.customer_id, s.source, s.fulfilment, s.pincode, s.priced, s.product_ids, s.units, s.sub_total, s.tax, s.shipping,
             case when v.rejection is null then s.sub_total + s.tax + s.shipping end, s.arrives_on, price_orders.at,
             price_orders.at + private.quote_time())::private.quotes,
         s.grams, jsonb_build_object('ok', false) || v.rejection, s.spoiled
  from shipped s
  cross join lateral (
    select case when s.rejection is not null then s.rejection
                when s.source = 'manual' or s.fulfilment = 'pickup' then null
                when s.arrives_on is null then jsonb_build_object('reason', 'closed')
                when s.spoiled is not null then jsonb_build_object('reason', 'would-spoil', 'pincode', s.pincode, 'spoiled', s.spoiled)
           end as rejection) v;
end $$;

create function private.quote_batch(calls jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  at timestamptz := coalesce((select max((c ->> 'at')::timestamptz) from jsonb_array_elements(calls) as c), now());
  within_limit boolean[];
  rejections jsonb[];
  quotes private.quotes[];
  customer_ids uuid[];
  ids uuid[] := array(select gen_random_uuid() from jsonb_array_elements(calls));
  opens_on date := (select p.opens_on from private.promise_delivery(at, 0) p);
begin
  -- No flush: a quote lost in a crash is requested again.
  perform set_config('synchronous_commit', 'off', true);
  within_limit := private.consume_rate_limits('quote', array(
    select c.call ->> 'customer_id' from jsonb_array_elements(calls) with ordinality as c (call, n) order by c.n), 60, interval '1 minute', at);
  select array_agg(case when within_limit[p.place] then p.rejection else jsonb_build_object('ok', false, 'reason', 'too-many-quotes') end order by p.place),
         array_agg(p.quote order by p.place), array_agg(p.customer_id order by p.place)
  into rejections, quotes, customer_ids from private.price_orders(calls, at) p;
  rejections := array(
    select coalesce(rejections[q.ordinality], s.rejection,
                    case when q.fulfilment = 'pickup' and opens_on is null then jsonb_build_object('ok', false, 'reason', 'closed') end)
    from unnest(quotes) with ordinality as q
    left join private.shortages(customer_ids, quotes) s on s.place = q.ordinality
    order by q.ordinality);
  insert into private.quotes
  select ids[q.ordinality], q.user_id, q.source, q.fulfilment, q.pincode, q.lines, q.product_ids, q.units, q.sub_total_paise, q.tax_paise,
         q.shipping_paise, q.total_paise, q.delivery_by, q.created_at, q.expires_at
  from unnest(quotes) with ordinality as q where rejections[q.ordinality] is null;
  return (
    select jsonb_agg(coalesce(rejections[q.ordinality], jsonb_build_object(
      'ok', true, 'quote_id', ids[q.ordinality], 'sub_total_paise', q.sub_total_paise, 'tax_paise', q.tax_paise, 'shipping_paise', q.shipping_paise,
      'shipping_tax_paise', case when q.shipping_paise > 0 and private.is_registered() then (
        select private.shipping_tax_paise(q.shipping_paise, array_agg(l.hsn), array_agg(l.gst_percent), array_agg(l.line_paise))
        from jsonb_to_recordset(q.lines) as l (hsn text, gst_percent numeric, line_paise numeric)) else 0 end,
      'total_paise', q.total_paise, 'delivery_by', q.delivery_by,
      'collect_from', case when q.fulfilment = 'pickup' then opens_on end, 'expires_at', q.expires_at)) order by q.ordinality)
    from unnest(quotes) with ordinality as q);
end $$;

create or replace function private.receipt_document(told public.orders) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'kind', 'receipt', 'number', told.number::text, 'issued_at', told.created_at, 'order_number', told.number,
    'placed_at', told.created_at, 'is_collected', told.fulfilment = 'pickup', 'supplier', private.supplier_facts(),
    'recipient', jsonb_build_object('name', told.delivery_name, 'building_no', told.delivery_building_no, 'street', told.delivery_street,
                                    'city', told.delivery_city, 'state', told.delivery_state, 'zip', told.delivery_zip),
    'payment_status', told.payment_status, 'is_canceled', told.status = 'canceled',
    'lines', (select jsonb_agg(jsonb_build_object(
        'description', i.product_name || case when i.has_size then format(', %s', case i.size when 1000 then '1 kg' else '500 g' end) else '' end,
        'quantity', i.quantity, 'rate_paise', private.line_paise(i.unit_price, i.size, 1)::bigint,
        'line_paise', private.line_paise(i.unit_price, i.size, i.quantity)::bigint) order by i.id)
      from public.order_items i where i.order_id = told.id),
    'sub_total_paise', (told.sub_total * 100)::bigint, 'tax_paise', (told.tax * 100)::bigint,
    'shipping_paise', (told.shipping_charge * 100)::bigint, 'shipping_tax_paise', private.order_shipping_tax(told),
    'total_paise', (told.total_amount * 100)::bigint);
$$;

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

create or replace function private.release_expired_holds(at timestamptz) returns integer
language plpgsql set search_path = '' as $$
declare
  expired uuid[] := array(
    select c.id from private.checkouts c
    where (c.state = 'open' or c.held <> '{}') and c.reserved_until <= at
    order by c.reserved_until limit 200 for update skip locked);
begin
  if cardinality(expired) > 0 then
    perform private.release_stock(expired);
  end if;
  return cardinality(expired);
end $$;

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

create function private.shortages(customer_ids uuid[], quotes private.quotes[]) returns table (place integer, rejection jsonb)
language plpgsql stable set search_path = '' as $$
begin
  return query
  select distinct on (q.ordinality) q.ordinality::integer, case when not s.is_sold
    then jsonb_build_object('ok', false, 'reason', 'not-available', 'product', s.product, 'product_id', s.product_id)
    else jsonb_build_object('ok', false, 'reason', 'not-enough-stock', 'product', s.product, 'product_id', s.product_id,
                            'left', s.units + private.held_units(q.customer_id, w.product_id), 'unit', case when s.has_size then 'g' else 'pieces' end) end
  from unnest(customer_ids, quotes) with ordinality as q (customer_id)
  cross join lateral unnest(q.product_ids, q.units) as w (product_id, units)
  cross join lateral (select s.* from private.available_products() s where s.product_id = w.product_id offset 0) s
  -- Own holds are looked up where the shelf is not enough.
  where not s.is_sold or case when w.units > s.units then w.units > s.units + private.held_units(q.customer_id, w.product_id) else false end
  order by q.ordinality, w.product_id;
end $$;

create or replace function private.still_promised(quotes private.quotes[]) returns uuid[]
language plpgsql stable set search_path = '' as $$
begin
  return array(
    with quoted as materialized (
      select q.id, q.fulfilment, q.pincode, q.product_ids, q.delivery_by, private.cutoff_window_start(q.created_at) as window_start from unnest(quotes) as q
    ), journeys as materialized (
      select k.pincode, k.window_start, j.arrives_on, j.arrives_on - j.leaves_on as days
      from (select distinct q.pincode, q.window_start from quoted q where q.fulfilment = 'delivery') k
      left join lateral private.promise_delivery(k.window_start, (private.zone_of(k.pincode)).max_days) j on true
    )
    select q.id from quoted q left join journeys j on j.pincode = q.pincode and j.window_start = q.window_start
    where q.fulfilment = 'pickup'
       or (q.delivery_by is not distinct from j.arrives_on and not exists (
         select from unnest(q.product_ids) as w (product_id)
         cross join lateral (select p.shelf_life_days from public."Products" p where p."Id" = w.product_id offset 0) p
         where not private.stays_fresh(p.shelf_life_days, j.days))));
end $$;

create function private.take_from_holds(customer_id uuid, except_id uuid, product_ids bigint[], units integer[]) returns void
language plpgsql set search_path = '' as $$
begin
  update private.checkouts c set held = case when 0 = all (remaining.held) then '{}' else remaining.held end
  from (
    select taken.id, array_agg(taken.units - taken.from_here order by taken.place) as held
    from (
      select k.id, own.place, own.units, least(own.units, greatest(0, coalesce(wanted.units, 0) - coalesce(
               sum(own.units) over (partition by own.product_id order by k.reserved_until, k.id
                                    rows between unbounded preceding and 1 preceding), 0)))::integer as from_here
      from private.checkouts k
      join private.quotes q on q.id = k.quote_id
      cross join lateral unnest(q.product_ids, k.held) with ordinality as own (product_id, units, place)
      left join unnest(take_from_holds.product_ids, take_from_holds.units) as wanted (product_id, units)
        on wanted.product_id = own.product_id
      where k.user_id = take_from_holds.customer_id and k.held <> '{}' and k.id is distinct from except_id
    ) taken
    group by taken.id
    having sum(taken.from_here) > 0
  ) remaining
  where c.id = remaining.id;
end $$;

create function private.was_packed(status text) returns boolean
language sql immutable parallel safe as $$
  select status in ('Packed', 'Shipped', 'Delivered', 'Undelivered', 'Ready', 'Collected', 'Refunded');
$$;

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
  perform private.take_from_holds(o.customer_id, null, (o.quote).product_ids, (o.quote).units)
  from unnest(openings) with ordinality as o
  where holds[o.ordinality] and o.customer_id = any (holders);
  update private.checkouts c set state = 'superseded'
  where c.state = 'open' and c.user_id = any (customer_ids);
  return query
  with opened as (
    insert into private.checkouts as c (quote_id, user_id, family_id, delivery_name, delivery_phone, delivery_building_no,
                                        delivery_street, delivery_city, delivery_state, delivery_zip, held, had_hold, ip_hash,
                                        reserved_until, next_check_at, created_at)
    select (o.quote).id, o.customer_id, coalesce(o.family_id, gen_random_uuid()), (o.person).name, (o.person).phone, (o.person).building_no,
           (o.person).street, (o.person).city, (o.person).state, (o.person).zip,
           case when holds[o.ordinality] then (o.quote).units else '{}' end, holds[o.ordinality], o.ip_hash,
           write_checkouts.at + private.hold_time(), write_checkouts.at + private.check_interval(write_checkouts.at, write_checkouts.at), write_checkouts.at
    from unnest(openings) with ordinality as o
    returning c as checkout
  )
  select o.place, private.checkout_result(k.checkout, o.quote, is_new => true)
  from opened k join unnest(openings) as o on (o.quote).id = (k.checkout).quote_id;
end $$;

create or replace function public.admin_change_address(order_id uuid, delivery jsonb, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.orders;
  typed jsonb;
  zone public.delivery_zones;
  journey record;
  spoiled jsonb;
begin
  perform private.require_admin();
  taken := private.lock_unchanged_order(order_id, seen);
  if not private.is_before_packing(taken.status) then
    perform private.reject('The address cannot change once the order is packed.');
  end if;
  typed := private.validate_delivery(delivery, taken.fulfilment);
  if taken.fulfilment = 'delivery' and typed ->> 'zip' <> taken.delivery_zip then
    zone := private.zone_of(typed ->> 'zip');
    if zone.id is null then
      perform private.reject(format('We do not deliver to %s.', typed ->> 'zip'), 'zip');
    end if;
    -- It has not left us: another place is promised a day from now on.
    select * into journey from private.promise_delivery(now(), zone.max_days);
    if journey.arrives_on is null then
      perform private.reject('The shop is closed for too long to promise a date. Change the closures first, then the address.', 'zip');
    end if;
    taken.delivery_by := journey.arrives_on;
    spoiled := private.products_that_spoil(array(select i.product_id from public.order_items i where i.order_id = taken.id),
                               journey.arrives_on - journey.leaves_on);
  end if;
  update public.orders o
  set delivery_name = typed ->> 'name', delivery_phone = typed ->> 'phone', delivery_building_no = typed ->> 'building_no',
      delivery_street = typed ->> 'street', delivery_city = typed ->> 'city', delivery_state = typed ->> 'state',
      delivery_zip = typed ->> 'zip', delivery_by = taken.delivery_by
  where o.id = taken.id returning * into taken;
  return jsonb_build_object('updated_at', taken.updated_at, 'delivery_by', taken.delivery_by, 'spoiled', coalesce(spoiled, '[]'));
end $$;

create or replace function public.admin_change_products(products jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  offered constant text[] := array['price_paise', 'regular_price_paise', 'offer_percent', 'gst_percent', 'is_listed', 'is_archived'];
  many boolean;
  item record;
  product public."Products";
  before jsonb;
  draft jsonb;
  drafts jsonb[] := '{}';
  missing text[];
  rejections text[] := '{}';
  refused_field text;
begin
  perform private.require_admin();
  if jsonb_typeof(products) is distinct from 'array' or jsonb_array_length(products) not between 1 and 2000 then
    perform private.reject('Choose 1 to 2,000 products.');
  end if;
  many := jsonb_array_length(products) > 1;
  -- Sales that empty a shelf touch several products in any order: one lock for all cannot meet them halfway.
  if many then
    lock table public."Products" in share row exclusive mode;
  end if;
  for item in
    select i.id, i.seen, i.changes from jsonb_to_recordset(products) as i (id bigint, seen timestamptz, changes jsonb) order by i.id
  loop
    select * into product from public."Products" p where p."Id" = item.id for no key update;
    if not found then
      raise sqlstate 'PT404' using message = format('There is no product %s.', coalesce(item.id::text, 'without a number'));
    end if;
    if many and item.seen is distinct from product.updated_at then
      raise sqlstate 'PT409' using detail = 'stale',
        message = format('%s was changed by someone else, so nothing was saved. Check it and try again.', product."Name");
    end if;
    perform private.expect_unchanged(item.seen, product.updated_at);
    if jsonb_typeof(item.changes) is distinct from 'object' or item.changes - offered <> '{}' then
      perform private.reject('This cannot be changed in the list.');
    end if;
    before := private.product_draft(product);
    draft := private.merge_draft(before, item.changes);
    missing := private.missing_facts(product.food_mark, product.ingredients, product.allergens, product.shelf_life_days,
                                     product.storage, product.weight_grams);
    if missing <> '{}' and item.changes -> 'is_listed' = 'true' and draft -> 'is_archived' = 'false' then
      rejections := rejections || private.listing_rejection(product."Name", missing);
      refused_field := coalesce(refused_field, missing[1]);
      continue;
    end if;
    perform private.reject_problems(before, draft, item.id, case when many then product."Name" || ': ' else '' end);
    drafts := drafts || jsonb_build_object('id', item.id, 'draft', draft);
  end loop;
  if rejections <> '{}' then
    perform private.reject(array_to_string(rejections[1:5], ' ')
      || case when cardinality(rejections) > 5 then format(' And %s more.', cardinality(rejections) - 5) else '' end, refused_field);
  end if;
  perform private.write_drafts(to_jsonb(drafts));
  return (
    select jsonb_agg(private.product_row(p, s, private.unit_cost_at(p."Id", now())) order by p."Id")
    from public."Products" p join public.stock_levels s on s.product_id = p."Id"
    where p."Id" in (select i.id from jsonb_to_recordset(products) as i (id bigint)));
end $$;

create or replace function public.admin_create_phone_order(
  order_id uuid, lines jsonb, fulfilment text, delivery jsonb, total_paise bigint, shipping_paise bigint default null,
  offline_method text default null, customer_id uuid default null, note text default '') returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  placed public.orders;
  typed jsonb;
  typed_note text;
  priced record;
  quote private.quotes;
begin
  perform private.require_admin();
  if order_id is null then
    perform private.reject('The order has no id.');
  end if;
  perform pg_advisory_xact_lock(hashtextextended('take order ' || order_id, 0));
  select * into placed from public.orders o where o.id = admin_create_phone_order.order_id;
  if placed.id is not null then
    return jsonb_build_object('id', placed.id, 'number', placed.number, 'is_new', false);
  end if;

  if fulfilment is null or fulfilment not in ('delivery', 'pickup') then
    perform private.reject('Choose delivery or pickup.', 'fulfilment');
  elsif offline_method not in ('cash', 'upi', 'card', 'bank') then
    perform private.reject('Choose a payment mode.', 'offline_method');
  elsif customer_id is not null and not exists (select from auth.users u where u.id = customer_id) then
    perform private.reject('This customer is no longer there.', 'phone');
  end if;
  lines := private.validate_lines(lines);
  typed := private.validate_delivery(delivery, fulfilment);
  typed_note := private.validate_text(note, 'note', 'The note', 2000, is_one_line => false);
  perform private.lock_stock(array(select (l ->> 'product_id')::bigint from jsonb_array_elements(lines) l));
  select * into priced from private.price_order(lines, typed ->> 'zip', 'manual', fulfilment, null, now());
  if priced.rejection is not null then
    perform private.reject(private.describe_rejection(priced.rejection),
                           case priced.rejection ->> 'reason' when 'outside-zones' then 'zip' else 'lines' end);
  end if;
  quote := priced.quote;
  quote.shipping_paise := private.manual_shipping(quote, shipping_paise);
  quote.total_paise := quote.sub_total_paise + quote.tax_paise + quote.shipping_paise;
  if total_paise is distinct from quote.total_paise then
    perform private.reject(format('The total is %s now. Tell the customer, then save again.', private.format_rupees(quote.total_paise)), 'total_paise');
  end if;

  insert into public.orders (id, user_id, payment_status, offline_method, source, fulfilment, sub_total, tax, shipping_charge,
                             total_amount, delivery_name, delivery_phone, delivery_building_no, delivery_street,
                             delivery_city, delivery_state, delivery_zip, delivery_by)
  values (admin_create_phone_order.order_id, customer_id, case when offline_method is null then 'unpaid' else 'paid_offline' end,
          admin_create_phone_order.offline_method, 'manual', quote.fulfilment, quote.sub_total_paise / 100.0, quote.tax_paise / 100.0,
          quote.shipping_paise / 100.0, quote.total_paise / 100.0, typed ->> 'name', typed ->> 'phone', typed ->> 'building_no',
          typed ->> 'street', typed ->> 'city', typed ->> 'state', typed ->> 'zip', quote.delivery_by)
  returning * into placed;
  perform private.fill_orders(array[placed.id], array[quote], were_reserved => false, at => placed.created_at);
  if typed_note <> '' then
    insert into private.order_notes (order_id, author_id, note, on_paper) values (placed.id, auth.uid(), typed_note, true);
  end if;
  return jsonb_build_object('id', placed.id, 'number', placed.number, 'is_new', true);
end $$;

create or replace function public.admin_price_order(lines jsonb, fulfilment text, pincode text default '', shipping_paise bigint default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  lacks_pincode boolean := fulfilment = 'delivery' and coalesce(pincode, '') !~ '^[1-9][0-9]{5}$';
  priced record;
  quote private.quotes;
  shipping bigint;
begin
  perform private.require_admin();
  select * into priced from private.price_order(
    private.validate_lines(lines), pincode, 'manual', case when lacks_pincode then 'pickup' else fulfilment end, null, now());
  quote := priced.quote;
  if quote.total_paise is not null and not lacks_pincode then
    shipping := private.manual_shipping(quote, shipping_paise);
  end if;
  return jsonb_build_object(
    'lines', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'product_id', l.product_id, 'size', l.size, 'quantity', l.quantity, 'line_paise', l.line_paise,
        'left', greatest(s.on_hand - s.reserved, 0)) order by l.product_id, l.size), '[]')
      from jsonb_to_recordset(quote.lines) as l (product_id bigint, size integer, quantity integer, line_paise bigint)
      join public.stock_levels s on s.product_id = l.product_id),
    'sub_total_paise', quote.sub_total_paise, 'tax_paise', quote.tax_paise, 'grams', coalesce(priced.grams, 0),
    'zone_shipping_paise', case when shipping is not null then quote.shipping_paise end, 'shipping_paise', shipping,
    'cart_shipping_paise', case when shipping is not null and fulfilment = 'delivery'
                                then private.shipping_paise(private.zone_of(pincode), priced.grams, 'cart') end,
    'shipping_tax_paise', case when shipping is not null and private.is_registered() then (
      select private.shipping_tax_paise(shipping, array_agg(l.hsn), array_agg(l.gst_percent), array_agg(l.line_paise))
      from jsonb_to_recordset(quote.lines) as l (hsn text, gst_percent numeric, line_paise numeric)) else 0 end,
    'total_paise', quote.sub_total_paise + quote.tax_paise + shipping,
    'delivery_by', case when shipping is not null then quote.delivery_by end,
    'spoiled', coalesce(priced.spoiled, '[]'),
    'problem', case when priced.rejection is not null
                    then jsonb_build_object('message', private.describe_rejection(priced.rejection), 'field',
                           case priced.rejection ->> 'reason' when 'outside-zones' then 'zip' else 'lines' end) end);
end $$;

create or replace function public.admin_read_count_sheet(category text default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (
    with unpacked as (
      select i.product_id, sum(private.stock_quantity(i.has_size, i.size, i.quantity)) as units
      from public.orders o join public.order_items i on i.order_id = o.id
      where private.is_before_packing(o.status)
      group by i.product_id
    )
    select jsonb_build_object('rows', coalesce(jsonb_agg(jsonb_build_object(
      'product_id', p."Id", 'name', p."Name", 'category', p."Category", 'has_size', p."hasSize", 'on_hand', s.on_hand,
      'to_pack', coalesce(u.units, 0), 'unit_cost_paise', (c.unit_cost * 100)::bigint,
      'last_counted_at', (select l.counted_at from public.stock_count_lines l where l.product_id = p."Id" order by l.counted_at desc limit 1))
      order by p."Category", lower(p."Name"), p."Id"), '[]'))
    from public."Products" p
    join public.stock_levels s on s.product_id = p."Id"
    left join unpacked u on u.product_id = p."Id"
    left join lateral (select k.unit_cost from private.product_costs k where k.product_id = p."Id" and k.valid_from <= now()
                       order by k.valid_from desc limit 1) c on true
    where (p.archived_at is null or s.on_hand > 0)
      and (admin_read_count_sheet.category is null or p."Category" = admin_read_count_sheet.category));
end $$;

create or replace function public.claim_jobs(site_url text, at timestamptz default now(), most integer default 20) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  expired integer := private.release_expired_holds(at);
  derived integer := private.derive_from_changes(at);
  checkouts jsonb;
  refunds jsonb;
  jobs jsonb;
begin
  -- A lease that a crash takes away is handed out again.
  perform set_config('synchronous_commit', 'off', true);
  with due as (
    select c.id from private.checkouts c where c.next_check_at <= at order by c.next_check_at limit most for update skip locked
  ), claimed as (
    -- finish_check() says when to look again. Where the provider has no order there is nothing to ask it, nor to finish.
    update private.checkouts c
    set next_check_at = case when c.provider_order_id is not null then at + private.lease_time()
                             when c.created_at > at - interval '5 days' then at + private.check_interval(c.created_at, at) end
    from due where c.id = due.id
    returning c.provider_order_id
  )
  select coalesce(jsonb_agg(to_jsonb(k.provider_order_id)), '[]') into checkouts
  from claimed k where k.provider_order_id is not null;

  with due as (
    select r.id from private.refunds r where r.next_check_at <= at order by r.next_check_at limit most for update skip locked
  ), claimed as (
    update private.refunds r set next_check_at = at + interval '1 hour' from due where r.id = due.id
    returning r.id, r.provider_refund_id
  )
  select coalesce(jsonb_agg(to_jsonb(k)), '[]') into refunds from claimed k;

  select coalesce(jsonb_agg(jsonb_build_object(
    'id', k.id, 'kind', k.kind, 'key', k.key,
    'mail', case when k.kind = 'mail' then private.mail_content(k.payload, site_url) end,
    'refund', (select jsonb_build_object('id', r.id, 'payment_id', r.payment_id, 'amount_paise', r.amount_paise, 'reason', r.reason,
                                         'open', r.status = 'queued')
               from private.refunds r where k.kind = 'refund' and r.id = (k.payload ->> 'refund_id')::uuid)) order by k.id), '[]')
  into jobs from private.lease_jobs(at, most) k;

  return jsonb_build_object('lapsed', expired, 'derived', derived, 'checkouts', checkouts, 'refunds', refunds, 'outbox', jobs);
end $$;

create or replace function public.correct_due_times(at timestamptz default now()) returns void
language sql security definer set search_path = '' as $$
  -- Of a paid checkout: the second look, half an hour after the order.
  update private.checkouts c set next_check_at = at + p.pause
  from (select k.id, case when k.order_id is null then private.check_interval(k.created_at, at)
                          else greatest(private.late_capture_delay(), private.check_interval(k.created_at, at)) end as pause
        from private.checkouts k where k.next_check_at > at + interval '30 seconds' for update skip locked) p
  where c.id = p.id and c.next_check_at > at + p.pause;
  update private.checkouts c set reserved_until = at + private.hold_time()
  from (select k.id from private.checkouts k
        where (k.state = 'open' or k.held <> '{}') and k.reserved_until > at + private.hold_time() for update skip locked) p
  where c.id = p.id;
  update private.refunds r set next_check_at = at + interval '1 hour'
  from (select k.id from private.refunds k where k.next_check_at > at + interval '1 hour' for update skip locked) p
  where r.id = p.id;
  -- A job that was not tried yet keeps the delay it was made with; one that was is leased or postponed.
  update private.outbox o set run_after = at + p.pause
  from (select k.id, case when k.attempts = 0 then greatest(k.run_after - k.created_at, interval '0')
                          else private.retry_delay(k.attempts) end as pause
        from private.outbox k where k.done_at is null and k.run_after > at for update skip locked) p
  where o.id = p.id and o.run_after > at + p.pause;
  update private.quotes q set expires_at = at + private.quote_time()
  from (select k.id from private.quotes k where k.expires_at > at + private.quote_time() for update skip locked) p
  where q.id = p.id;
  -- A rate limit counts by windows that have begun; two nodes may differ a little.
  delete from private.rate_limits t
  using (select k.action, k.subject, k.window_start from private.rate_limits k
         where k.window_start > at + interval '1 minute' for update skip locked) p
  where (t.action, t.subject, t.window_start) = (p.action, p.subject, p.window_start);
$$;

create or replace function public.delete_old_ip_hashes(at timestamptz default now()) returns void
language sql security definer set search_path = '' as $$
  update private.checkouts c set ip_hash = null
  where c.ip_hash is not null and (c.created_at < at - interval '24 hours' or c.created_at > at + interval '24 hours');
$$;

create or replace function public.finish_check(provider_order_id text, at timestamptz default now(), is_clear boolean default true) returns void
language sql security definer set search_path = '' as $$
  update private.checkouts c
  set next_check_at = case
    when is_clear and c.order_id is not null then (
      select o.created_at + private.late_capture_delay() from public.orders o
      where o.id = c.order_id and o.created_at + private.late_capture_delay() > at)
    when c.created_at > at - interval '5 days' then at + private.check_interval(c.created_at, at) end
  where c.provider_order_id = finish_check.provider_order_id;
$$;

create or replace function public.my_checkout(provider_order_id text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'state', case when c.order_id is not null then 'ordered'
                  when r.id is not null then 'refunded'
                  when c.state = 'open' then 'confirming' else 'lapsed' end,
    'total_paise', q.total_paise,
    'order_id', o.id, 'number', o.number, 'delivery_by', o.delivery_by, 'fulfilment', q.fulfilment,
    'address', case when o.id is not null and o.fulfilment = 'delivery' then jsonb_build_array(
      o.delivery_name, o.delivery_building_no, o.delivery_street, o.delivery_city, o.delivery_state, o.delivery_zip) end,
    'items', (
      select jsonb_agg(jsonb_build_object(
        'name', i.product_name, 'image', i.product_image, 'quantity', i.quantity,
        'size', case when i.has_size then i.size end, 'line_paise', private.line_paise(i.unit_price, i.size, i.quantity)::bigint) order by i.id)
      from public.order_items i where i.order_id = o.id),
    'refund', case when r.id is not null then jsonb_build_object('reason', r.reason, 'amount_paise', r.amount_paise, 'status', r.status) end)
  from private.checkouts c
  join private.quotes q on q.id = c.quote_id
  left join public.orders o on o.id = c.order_id
  left join lateral (
    select f.* from private.payments p join private.refunds f on f.payment_id = p.payment_id
    where p.provider_order_id = c.provider_order_id and p.order_id is null
    order by f.created_at desc limit 1
  ) r on true
  where c.provider_order_id = my_checkout.provider_order_id and c.user_id = (select auth.uid());
$$;

create function public.open_checkout(
  customer_id uuid, amount_paise bigint, quote_id uuid default null, at timestamptz default now(),
  ip_hash text default null
) returns jsonb
language sql security definer set search_path = '' as $$
  select private.open_batch(jsonb_build_array(jsonb_build_object(
    'customer_id', customer_id, 'amount_paise', amount_paise, 'quote_id', quote_id, 'at', at, 'ip_hash', ip_hash))) -> 0;
$$;

create or replace function public.open_checkouts(calls jsonb) returns jsonb
language sql security definer set search_path = '' set lock_timeout = '250ms' as $$
  select private.open_batch(calls);
$$;

create or replace function public.quote_order(
  customer_id uuid, lines jsonb, pincode text, source text, fulfilment text, at timestamptz default now()
) returns jsonb
language sql security definer set search_path = '' as $$
  select private.quote_batch(jsonb_build_array(jsonb_build_object(
    'customer_id', customer_id, 'lines', lines, 'pincode', pincode, 'source', source, 'fulfilment', fulfilment, 'at', at))) -> 0;
$$;

create or replace function public.quote_orders(calls jsonb) returns jsonb
language sql security definer set search_path = '' set lock_timeout = '250ms' as $$
  select private.quote_batch(calls);
$$;

create function public.settle_payment(
  provider_order_id text, payment_id text, amount_paise bigint, currency text, method text default null,
  fee_paise bigint default null, is_refunded_by_provider boolean default false, at timestamptz default now()
) returns jsonb
language sql security definer set search_path = '' as $$
  select private.settle_batch(jsonb_build_array(jsonb_build_object(
    'provider_order_id', provider_order_id, 'payment_id', payment_id, 'amount_paise', amount_paise, 'currency', currency,
    'method', method, 'fee_paise', fee_paise, 'is_refunded_by_provider', is_refunded_by_provider, 'at', at))) -> 0;
$$;

create or replace function public.settle_payments(calls jsonb) returns jsonb
language sql security definer set search_path = '' set lock_timeout = '250ms' as $$
  select private.settle_batch(calls);
$$;

revoke execute on function private.can_hold_stock(customer_ids uuid[], ip_hashes text[], grams integer[], at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.describe_rejection(rejection jsonb) from public, anon, authenticated;

revoke execute on function private.is_before_packing(status text) from public, anon, authenticated;

grant execute on function private.is_before_packing(status text) to authenticated;

grant execute on function private.is_before_packing(status text) to service_role;

revoke execute on function private.is_finished(status text) from public, anon, authenticated;

revoke execute on function private.late_capture_delay() from public, anon, authenticated;

revoke execute on function private.line_paise(unit_price numeric, size integer, quantity integer) from public, anon, authenticated;

revoke execute on function private.lock_checkouts_of_payments(provider_order_ids text[]) from public, anon, authenticated;

revoke execute on function private.open_batch(calls jsonb) from public, anon, authenticated;

revoke execute on function private.open_by_stock(openings private.opening[], results jsonb[], at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.opening_rejection(opening private.opening, within_limit boolean) from public, anon, authenticated;

revoke execute on function private.payment_rejection(checkout private.checkouts, quote private.quotes, amount_paise bigint, currency text, is_refunded_by_provider boolean) from public, anon, authenticated;

revoke execute on function private.place_orders(paid_checkouts private.checkouts[], quotes private.quotes[], payments private.payments[], at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.price_order(lines jsonb, pincode text, source text, fulfilment text, customer_id uuid, at timestamp with time zone, OUT quote private.quotes, OUT grams bigint, OUT rejection jsonb, OUT spoiled jsonb) from public, anon, authenticated;

revoke execute on function private.price_orders(carts jsonb, at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.quote_batch(calls jsonb) from public, anon, authenticated;

revoke execute on function private.reject_payment(payment private.payments, checkout private.checkouts, rejection text) from public, anon, authenticated;

revoke execute on function private.settle_batch(calls jsonb) from public, anon, authenticated;

revoke execute on function private.take_from_holds(customer_id uuid, except_id uuid, product_ids bigint[], units integer[]) from public, anon, authenticated;

revoke execute on function private.was_packed(status text) from public, anon, authenticated;

revoke execute on function public.open_checkout(customer_id uuid, amount_paise bigint, quote_id uuid, at timestamp with time zone, ip_hash text) from public, anon, authenticated;

grant execute on function public.open_checkout(customer_id uuid, amount_paise bigint, quote_id uuid, at timestamp with time zone, ip_hash text) to service_role;

revoke execute on function public.settle_payment(provider_order_id text, payment_id text, amount_paise bigint, currency text, method text, fee_paise bigint, is_refunded_by_provider boolean, at timestamp with time zone) from public, anon, authenticated;

grant execute on function public.settle_payment(provider_order_id text, payment_id text, amount_paise bigint, currency text, method text, fee_paise bigint, is_refunded_by_provider boolean, at timestamp with time zone) to service_role;

revoke execute on function private.held_by_customer(customer_id uuid) from public, anon, authenticated;

revoke execute on function private.shortages(customer_ids uuid[], quotes private.quotes[]) from public, anon, authenticated;

revoke execute on function private.write_checkouts(openings private.opening[], at timestamp with time zone) from public, anon, authenticated;
