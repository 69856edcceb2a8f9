-- The rules of quoting, opening a checkout and settling a payment have one implementation, for one call; the batched functions
-- run it for each of their calls. Emails and figures of customers are derived afterwards from a queue of changes
-- (docs/decisions/0046-one-implementation-of-each-rule.md). What orders until now have caused is derived already: the queue
-- begins empty.
set check_function_bodies = off;

drop index private.checkouts_user_idx;
drop trigger refunds_count_moved on private.refunds;
drop trigger refunds_count_new on private.refunds;
drop trigger order_events_queue_mail on public.order_events;
drop trigger orders_count_moved on public.orders;
drop trigger orders_count_placed on public.orders;
drop view private.dated_quotes;
drop function private.add_to_figures(customer_id uuid, orders integer, paise bigint, placed_at timestamp with time zone);
drop function private.count_moved_order();
drop function private.count_placed_order();
drop function private.count_refund();
drop function private.fill_order(placed orders, quote private.quotes, was_reserved boolean);
drop function private.fill_orders(order_ids uuid[], quotes private.quotes[], were_reserved boolean[], at timestamp with time zone);
drop function private.find_quote(customer_id uuid, amount_paise bigint, quote_id uuid, at timestamp with time zone, OUT quote private.quotes, OUT reason text);
drop function private.order_worth(payment_status text, total_amount numeric);
drop function private.place_orders(checkout_ids uuid[], payment_ids text[], at timestamp with time zone);
drop function private.price_lines(lines jsonb);
drop function private.price_order(lines jsonb, pincode text, source text, fulfilment text, held private.quotes, at timestamp with time zone, OUT quote private.quotes, OUT grams bigint, OUT refusal jsonb, OUT spoiled jsonb);
drop function private.price_orders(asks jsonb, at timestamp with time zone);
drop function private.queue_order_mail();
drop function private.quote_answer(quoted private.quotes, collect_from date);
drop function private.shortage(product_ids bigint[], units integer[], held private.quotes);
drop function private.still_promised(quote_ids uuid[]);
drop function private.take_turns(action text, subjects text[], allowed integer, per interval, at timestamp with time zone);
drop function private.unpaid_family(customer_id uuid, at timestamp with time zone);
drop function private.working_day_from(day date, weekly_off smallint[], closed datemultirange, horizon date);
drop function private.write_checkouts(quote_ids uuid[], buyers private.buyers[], holds boolean[], address_hashes text[], at timestamp with time zone);

create type private.opening as (
  place integer, customer_id uuid, address_hash text, reason text, is_blocked boolean,
  quote private.quotes, checkout private.checkouts, person private.buyers, family_id uuid);

create table private.order_changes (
  id bigint generated always as identity primary key,
  order_id uuid not null,
  event_id bigint
);

alter table private.order_changes enable row level security;

create or replace function private.check_orders(lowest uuid, highest uuid) returns table (invariant integer, subject text, detail text)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query -- 1: lines = sub_total; sub_total + tax + shipping = total
  select 1, o.id::text, format('lines %s, sub_total %s, tax %s, shipping %s, total %s',
                               coalesce(l.lines, 0), o.sub_total, o.tax, o.shipping_charge, o.total_amount)
  from public.orders o
  left join (
    select i.order_id, sum(i.unit_price * i.size / 500 * i.quantity) as lines from public.order_items i
    where i.order_id between lowest and highest group by i.order_id
  ) l on l.order_id = o.id
  where o.id between lowest and highest
    and (l.lines is distinct from o.sub_total or o.sub_total + o.tax + o.shipping_charge <> o.total_amount);

  return query -- 2: one order per payment; at most one unrefunded captured payment per order
  select 2, p.order_id::text, format('%s captured payments not refunded', count(*))
  from private.payments p
  where p.order_id between lowest and highest and p.status = 'captured'
    and not exists (select from private.refunds r where r.payment_id = p.payment_id and r.status <> 'failed'
                    group by r.payment_id having sum(r.amount_paise) >= p.amount_paise)
  group by p.order_id having count(*) > 1
  union all
  select 2, o.id::text, format('payment %s belongs to order %s', o.payment_id, coalesce(p.order_id::text, 'none'))
  from public.orders o join private.payments p on p.payment_id = o.payment_id
  where o.id between lowest and highest and p.order_id is distinct from o.id;

  return query -- 5: every status change has exactly one event: an unbroken chain that ends at today's status
  with chained as (
    select e.order_id, e.id, e.from_status, e.to_status,
           lag(e.to_status) over by_order as previous,
           row_number() over (partition by e.order_id order by e.id desc) as from_end
    from public.order_events e
    where e.order_id between lowest and highest
    window by_order as (partition by e.order_id order by e.id)
  )
  select 5, c.order_id::text, format('event %s goes from %s, but the order was %s', c.id, c.from_status, c.previous)
  from chained c where c.from_status is distinct from c.previous
  union all
  select 5, o.id::text, format('is %s, its last event says %s', o.status, coalesce(c.to_status, 'nothing'))
  from public.orders o left join chained c on c.order_id = o.id and c.from_end = 1
  where o.id between lowest and highest and c.to_status is distinct from o.status;

  return query -- 7: nothing shipped is canceled without passing Undelivered
  select 7, e.order_id::text, format('went from %s to canceled', e.from_status)
  from public.order_events e
  where e.order_id between lowest and highest
    and e.to_status = 'canceled' and e.from_status in ('Shipped', 'Delivered', 'Collected', 'Refunded');

  return query -- 8: items are what was placed
  select 8, i.order_id::text, format('item %s is not what was placed', i.id)
  from public.order_items i left join private.placed_items p on p.order_item_id = i.id
  where i.order_id between lowest and highest
    and (i.order_id, i.product_id, i.quantity, i.size, i.unit_price)
        is distinct from (p.order_id, p.product_id, p.quantity, p.size, p.unit_price);

  return query -- 10: every packed order has an invoice over its total, which its lines add up to
  select 10, o.id::text, case when i.id is null then format('is %s and has no invoice', o.status)
                              else format('order %s, invoice %s, lines %s', o.total_amount, i.total_paise / 100.0, l.paise / 100.0) end
  from public.orders o
  left join private.invoices i on i.order_id = o.id
  left join lateral (
    select sum(x.taxable_paise + x.cgst_paise + x.sgst_paise + x.igst_paise) as paise
    from jsonb_to_recordset(i.lines) as x (taxable_paise bigint, cgst_paise bigint, sgst_paise bigint, igst_paise bigint)
  ) l on true
  where o.id between lowest and highest
    and case when i.id is null then o.status in ('Packed', 'Shipped', 'Delivered', 'Undelivered', 'Ready', 'Collected', 'Refunded')
             else (i.total_paise, l.paise) is distinct from ((o.total_amount * 100)::bigint, o.total_amount * 100) end;

  return query -- 11: credit notes never exceed their invoice, in no part of it
  select 11, i.order_id::text, format('invoice %s, credit notes %s', i.total_paise / 100.0, n.total / 100.0)
  from private.invoices i
  join (select c.invoice_id, sum(c.total_paise) as total, sum(c.taxable_paise) as taxable, sum(c.cgst_paise) as cgst,
               sum(c.sgst_paise) as sgst, sum(c.igst_paise) as igst
        from private.credit_notes c group by c.invoice_id) n on n.invoice_id = i.id
  where i.order_id between lowest and highest
    and (n.total > i.total_paise or n.taxable > i.taxable_paise or n.cgst > i.cgst_paise or n.sgst > i.sgst_paise
         or n.igst > i.igst_paise);

  return query -- 13: of what was invoiced and called off, unpaid or paid by hand, nothing stands; of what else was paid and not
               -- refunded, all of it
  select 13, i.order_id::text, format('is %s and %s, paid and kept %s, invoice less credit notes %s', o.status, o.payment_status,
                                      m.kept / 100.0, (i.total_paise - n.credited) / 100.0)
  from private.invoices i
  join public.orders o on o.id = i.order_id
  left join (select c.invoice_id, sum(c.total_paise) as credited from private.credit_notes c group by c.invoice_id) c on c.invoice_id = i.id
  cross join lateral (select coalesce(c.credited, 0) as credited) n
  cross join lateral (
    select case when o.payment_status = 'unpaid' then 0 else i.total_paise - coalesce(
      (select sum(r.amount_paise) from private.refunds r where r.order_id = o.id and r.status = 'processed'), 0) end as kept
  ) m
  where i.order_id between lowest and highest
    and ((o.payment_id is null and o.status in ('canceled', 'Refunded') and n.credited < i.total_paise)
     or (n.credited > 0 and m.kept > i.total_paise - n.credited and not (o.payment_id is null and o.status = 'canceled')));

  return query -- 14: the figures of customers are those of their orders, but for changes that are still queued
  select 14, t.user_id::text, format('%s orders of %s paise, last %s; kept %s of %s, last %s', t.orders, t.value_paise, t.last_order_at,
                                     f.orders, f.value_paise, f.last_order_at)
  from private.customer_totals t left join private.customer_figures f on f.user_id = t.user_id
  where t.user_id between lowest and highest
    and (t.orders, t.value_paise, t.last_order_at) is distinct from (f.orders, f.value_paise, f.last_order_at)
    and not exists (select from private.order_changes c join public.orders o on o.id = c.order_id where o.user_id = t.user_id);
end $$;

create or replace function private.checkout_answer(checkout private.checkouts, quote private.quotes, is_new boolean) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return jsonb_build_object(
    'ok', true, 'checkout_id', checkout.id, 'amount_paise', quote.total_paise,
    'provider_order_id', checkout.provider_order_id, 'is_new', is_new,
    'name', checkout.delivery_name, 'phone', checkout.delivery_phone,
    'email', (select u.email from auth.users u where u.id = checkout.user_id),
    'shop', (select s.name from public.shop_settings s));
end $$;

create or replace function private.complete_hold(checkout private.checkouts, quote private.quotes) returns boolean
language plpgsql set search_path = '' as $$
declare
  elsewhere private.quotes := private.held_by(checkout.user_id);
  from_shelf integer[];
  from_holds integer[];
  is_short boolean;
begin
  perform private.lock_stock(quote.product_ids);
  select array_agg(least(n.needed, n.free) order by n.place), array_agg(greatest(n.needed - n.free, 0) order by n.place),
         bool_or(n.needed > n.free + n.elsewhere)
  into from_shelf, from_holds, is_short
  from (
    select w.place, w.units - o.own as needed, greatest(s.on_hand - s.reserved, 0) as free, greatest(coalesce(h.units, 0) - o.own, 0) as elsewhere
    from unnest(quote.product_ids, quote.units, checkout.held) with ordinality as w (product_id, units, held, place)
    cross join lateral (select coalesce(w.held, 0) as own) o
    join public.stock_levels s on s.product_id = w.product_id
    left join unnest(elsewhere.product_ids, elsewhere.units) as h (product_id, units) on h.product_id = w.product_id
  ) n;
  if is_short then
    return false;
  end if;
  update public.stock_levels s set reserved = s.reserved + f.units
  from unnest(quote.product_ids, from_shelf) as f (product_id, units)
  where s.product_id = f.product_id and f.units > 0;
  if elsewhere.product_ids is not null then
    perform private.take_from_holds(checkout.user_id, checkout.id, quote.product_ids, from_holds);
  end if;
  update private.checkouts c set held = quote.units where c.id = checkout.id;
  return true;
end $$;

create function private.count_customers(customer_ids uuid[]) returns void
language plpgsql set search_path = '' as $$
begin
  perform private.keep_card(c.id) from unnest(customer_ids) as c (id)
  where not exists (select from private.customer_figures f where f.user_id = c.id);
  perform from private.customer_figures f where f.user_id = any (customer_ids) order by f.user_id for update;
  update private.customer_figures f
  set orders = t.orders, value_paise = t.value_paise, last_order_at = t.last_order_at
  from private.customer_totals t
  where f.user_id = any (customer_ids) and t.user_id = f.user_id
    and (f.orders, f.value_paise, f.last_order_at) is distinct from (t.orders, t.value_paise, t.last_order_at);
end $$;

create function private.derive_from_changes(at timestamptz default now(), most integer default 500) returns integer
language plpgsql set search_path = '' as $$
declare
  taken record;
begin
  with due as materialized (
    select c.id from private.order_changes c order by c.id limit most for update skip locked
  ), gone as (
    delete from private.order_changes c using due d where c.id = d.id returning c.order_id, c.event_id
  )
  select count(*)::integer as changes, array_agg(g.order_id) as order_ids, array_agg(g.event_id) as event_ids into taken from gone g;
  if taken.changes > 0 then
    -- An order that is moved, canceled or undone at this moment waits, or is seen as it is then.
    perform from public.orders o where o.id = any (taken.order_ids) order by o.id for share;
    perform private.queue_order_emails(taken.event_ids, at);
    perform private.count_customers(array(
      select distinct o.user_id from public.orders o where o.id = any (taken.order_ids) and o.user_id is not null));
  end if;
  return taken.changes;
end $$;

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

create function private.find_openings(calls jsonb, at timestamptz) returns setof private.opening
language plpgsql stable set search_path = '' as $$
begin
  return query
  with asked as materialized (
    select c.ordinality::integer as place, c.customer_id, c.address_hash, q.quote,
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
      customer_id uuid, amount_paise bigint, quote_id uuid, address_hash text)) with ordinality as c
    left join lateral (
      (select o as quote from private.quotes o where o.id = c.quote_id and o.user_id = c.customer_id)
      union all
      (select o from private.quotes o
       where c.quote_id is null and o.user_id = c.customer_id and o.total_paise = c.amount_paise and o.expires_at > find_openings.at
       order by o.created_at desc, o.id limit 1)
      limit 1) q on true
  ), promised as materialized (
    select private.still_promised(array(select a.quote from asked a where a.reason is null)) as ids
  )
  select a.place, a.customer_id, a.address_hash,
         coalesce(a.reason, case when (a.quote).id <> all (p.ids) then 'quote-expired' end),
         exists (select from private.customer_records r where r.user_id = a.customer_id and r.blocked_at is not null),
         a.quote, k.checkout, b.person,
         case when l.state <> 'paid' and l.created_at > find_openings.at - interval '2 hours' then l.family_id end
  from asked a
  cross join promised p
  left join lateral (select c as checkout from private.checkouts c where c.quote_id = (a.quote).id limit 1) k on true
  left join lateral (select b as person from private.buyers b where b.id = a.customer_id limit 1) b on true
  left join lateral (select c.state, c.created_at, c.family_id from private.checkouts c where c.user_id = a.customer_id
                     order by c.created_at desc, c.id limit 1) l on true;
end $$;

create function private.held_units(customer_id uuid, product_id bigint) returns integer
language plpgsql stable set search_path = '' as $$
begin
  return coalesce((
    select sum(u.units)
    from private.checkouts c join private.quotes q on q.id = c.quote_id, unnest(q.product_ids, c.held) as u (product_id, units)
    where c.user_id = held_units.customer_id and c.held <> '{}' and u.product_id = held_units.product_id), 0);
end $$;

create or replace function private.know_everybody() returns void
language sql set search_path = '' as $$
  delete from private.customer_cards where true;
  delete from private.customer_figures where true;
  insert into private.customer_cards (user_id, name, email, phone, city)
  select f.user_id, f.name, f.email, f.phone, f.city from private.customer_facts f;
  insert into private.customer_figures (user_id, orders, value_paise, last_order_at)
  select t.user_id, t.orders, t.value_paise, t.last_order_at from private.customer_totals t;
$$;

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

create or replace function private.lock_stock(product_ids bigint[]) returns void
language plpgsql set search_path = '' as $$
begin
  perform from public.stock_levels s where s.product_id = any (product_ids) order by s.product_id for update;
end $$;

create or replace function private.may_hold(customer_ids uuid[], address_hashes text[], grams integer[], at timestamptz) returns boolean[]
language plpgsql stable set search_path = '' as $$
begin
  return (
    with asked as materialized (
      select a.n, a.address_hash,
             (p.paid_at is not null or a.grams <= 5000) and 2 > (
               select count(*) from private.checkouts c
               where c.user_id = a.customer_id and c.had_hold and c.state <> 'paid'
                 and c.created_at > greatest(p.paid_at, may_hold.at - interval '24 hours')
                 and c.created_at < may_hold.at + interval '1 minute') as by_account
      from unnest(customer_ids, address_hashes, grams) with ordinality as a (customer_id, address_hash, grams, n)
      cross join lateral (
        select (select o.created_at from public.orders o
                where o.user_id = a.customer_id and private.is_kept(o.status, o.payment_status) and o.payment_id is not null
                order by o.created_at desc, o.id desc limit 1) as paid_at
        offset 0) p
    ), addresses as materialized (
      select d.address_hash, 20 + 3 * (
               select count(*) from (
                 select from private.checkouts c join public.orders o on o.id = c.order_id
                 where c.address_hash = d.address_hash and c.state = 'paid' and private.is_kept(o.status, o.payment_status)
                   and c.created_at > may_hold.at - interval '24 hours' and c.created_at < may_hold.at + interval '1 minute'
                 limit 100) paid) - (
               select count(*) from (
                 select from private.checkouts c
                 where c.address_hash = d.address_hash and c.state <> 'paid' and c.had_hold
                   and c.created_at > may_hold.at - interval '24 hours' and c.created_at < may_hold.at + interval '1 minute'
                 limit 400) unpaid) as holds_left
      from (select distinct a.address_hash from asked a where a.address_hash is not null) d
    )
    select array_agg(r.by_account and (r.address_hash is null or r.place <= d.holds_left) order by r.n)
    from (select a.*, row_number() over (partition by a.address_hash, a.by_account order by a.n) as place from asked a) r
    left join addresses d on d.address_hash = r.address_hash);
end $$;

create function private.open(calls jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  at timestamptz := coalesce((select max((c ->> 'at')::timestamptz) from jsonb_array_elements(calls) as c), now());
  results jsonb[] := array_fill(null::jsonb, array[jsonb_array_length(calls)]);
  customers text[] := array(select c.call ->> 'customer_id' from jsonb_array_elements(calls) with ordinality as c (call, n) order by c.n);
  places integer[];
  opening private.opening;
  asking private.opening[];
  wanting private.opening[];
  may_ask boolean[];
begin
  -- Nobody can pay before attach_provider_order() has committed, and that brings this to the disk with it.
  perform set_config('synchronous_commit', 'off', true);
  perform private.lock_checkouts(customers::uuid[]);
  loop
    -- The first call of each customer that has no result: the next one sees what this one did.
    places := array(select min(c.n) from unnest(customers) with ordinality as c (customer, n) where results[c.n] is null group by c.customer order by 1);
    exit when cardinality(places) = 0;
    asking := '{}';
    for opening in
      select * from private.find_openings((select jsonb_agg(calls -> p.place - 1 order by p.n) from unnest(places) with ordinality as p (place, n)), at)
    loop
      opening.place := places[opening.place];
      if (opening.checkout).state = 'paid' then
        results[opening.place] := jsonb_build_object('ok', false, 'reason', 'already-paid');
      elsif opening.reason is not null then
        results[opening.place] := jsonb_build_object('ok', false, 'reason', opening.reason);
      elsif (opening.checkout).state = 'open' then
        results[opening.place] := private.checkout_answer(opening.checkout, opening.quote, is_new => false);
      elsif (opening.checkout).id is not null then
        results[opening.place] := jsonb_build_object('ok', false, 'reason', 'quote-expired');
      else
        asking := asking || opening;
      end if;
    end loop;
    may_ask := private.take_turns('checkout', array(select o.customer_id::text from unnest(asking) as o), 5, interval '1 minute', at);
    wanting := '{}';
    for n in 1 .. cardinality(asking) loop
      opening := asking[n];
      results[opening.place] := private.opening_refusal(opening, may_ask[n]);
      if results[opening.place] is null then
        wanting := wanting || opening;
      end if;
    end loop;
    results := private.open_while_stock_lasts(wanting, results, at);
  end loop;
  return to_jsonb(results);
end $$;

create function private.open_while_stock_lasts(openings private.opening[], results jsonb[], at timestamptz) returns jsonb[]
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
      select w.place, s.refusal
      from private.shortages(array(select o.customer_id from unnest(waiting) with ordinality as o order by o.ordinality),
                             array(select o.quote from unnest(waiting) with ordinality as o order by o.ordinality)) s
      join unnest(waiting) with ordinality as w on w.ordinality = s.place
    loop
      results[short.place] := short.refusal;
    end loop;
    safe := array(
      select o from unnest(waiting) as o
      where results[o.place] is null and o.place <> all (
        select w.place
        from (select o.place, u.product_id, sum(u.units) over (partition by u.product_id order by o.place) as units
              from unnest(waiting) as o, unnest((o.quote).product_ids, (o.quote).units) as u (product_id, units)
              where results[o.place] is null) w
        cross join lateral (select s.units from private.saleable() s where s.product_id = w.product_id offset 0) s
        where w.units > s.units)
      order by o.place);
    if cardinality(safe) = 0 then
      -- The first has what it needs, in holds of its own: it was not short.
      safe := array(select o from unnest(waiting) as o where results[o.place] is null order by o.place limit 1);
      exit when cardinality(safe) = 0;
    end if;
    for opened in select * from private.write_checkouts(safe, at) loop
      results[opened.place] := opened.answer;
    end loop;
    waiting := array(select o from unnest(waiting) as o where results[o.place] is null order by o.place);
  end loop;
  return results;
end $$;

create function private.opening_refusal(opening private.opening, may_ask boolean) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  person private.buyers := opening.person;
  missing_phone boolean := coalesce(person.phone, '') = '';
  missing_address boolean := (opening.quote).fulfilment = 'delivery'
    and '' = any (array[person.building_no, person.street, person.city, person.state, person.zip]);
begin
  if not may_ask then
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

create function private.payment_refusal(
  checkout private.checkouts, quote private.quotes, amount_paise bigint, currency text, given_back boolean) returns text
language plpgsql set search_path = '' as $$
begin
  return case
    when given_back then 'given-back'
    when checkout.state = 'paid' then 'second-payment'
    when exists (select from private.checkouts c join private.quotes q on q.id = c.quote_id
                 where c.family_id = checkout.family_id and c.state = 'paid'
                   and private.things_in(q.lines) = private.things_in(quote.lines)) then 'second-payment'
    when payment_refusal.amount_paise <> quote.total_paise or payment_refusal.currency <> 'INR' then 'wrong-amount'
    when checkout.held <> quote.units and not private.complete_hold(checkout, quote) then 'sold-out'
  end;
end $$;

create function private.place_orders(paid private.checkouts[], quotes private.quotes[], payments private.payments[], at timestamptz)
returns void
language plpgsql set search_path = '' as $$
begin
  perform set_config('shop.event_at', at::text, true);
  with quoted as materialized (
    select q.*, private.shift_of(q.created_at) as shift from unnest(quotes) with ordinality as q
  ), promised as materialized (
    select k.*, private.kept_promise(k.pincode, k.delivery_by, k.shift, place_orders.at) as day
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

create function private.price_order(
  lines jsonb, pincode text, source text, fulfilment text, customer_id uuid, at timestamptz,
  out quote private.quotes, out grams bigint, out refusal jsonb, out spoiled jsonb)
language sql stable set search_path = '' as $$
  select p.quote, p.grams,
         coalesce(p.refusal, (select s.refusal from private.shortages(array[p.customer_id], array[p.quote]) s)), p.spoiled
  from private.price_orders(jsonb_build_array(jsonb_build_object(
    'customer_id', customer_id, 'lines', lines, 'pincode', pincode, 'source', source, 'fulfilment', fulfilment)), at) p;
$$;

create function private.price_orders(orders jsonb, at timestamptz)
returns table (place integer, customer_id uuid, quote private.quotes, grams bigint, refusal jsonb, spoiled jsonb)
language plpgsql stable set search_path = '' as $$
begin
  return query
  with asked as materialized (
    select a.ordinality::integer as place, a.customer_id, a.lines, a.pincode, a.source, a.fulfilment
    from rows from (jsonb_to_recordset(orders) as (
      customer_id uuid, lines jsonb, pincode text, source text, fulfilment text)) with ordinality as a
  ), line as materialized (
    select l.place, p."Id" as product_id, l.size, l.quantity, p."Name" as product_name, p."Image" as product_image, p."hasSize" as has_size,
           p."Price" as unit_price, p.gst_percent, p.hsn, (p."Price" * 100 * l.size / 500 * l.quantity)::bigint as line_paise,
           round(p."Price" * 100 * l.size / 500 * l.quantity * p.gst_percent / 100)::bigint as tax_paise,
           case when p."hasSize" then l.size else p.weight_grams end * l.quantity as grams,
           private.stock_quantity(p."hasSize", l.size, l.quantity) as stock_units, p."Category" as category, p.shelf_life_days
    from (select a.place, l.product_id, l.size, sum(l.quantity)::integer as quantity
          from asked a, jsonb_to_recordset(a.lines) as l (product_id bigint, size integer, quantity integer)
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
          from (select distinct a.pincode from asked a where a.fulfilment = 'delivery') k offset 0) z
    left join lateral private.promise(price_orders.at, (z.zone).max_days) j on true
  ), judged as materialized (
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
               then jsonb_build_object('reason', 'outside-zones', 'pincode', a.pincode) end as unfit
    from asked a
    left join goods g on g.place = a.place
    left join wanted w on w.place = a.place
    left join journeys j on j.pincode = a.pincode and a.fulfilment = 'delivery'
  ), shipped as materialized (
    -- Which sweets would spoil is looked up when the one that keeps the shortest does.
    select j.*, case when j.unfit is null and j.fulfilment = 'delivery' then private.shipping_paise(j.zone, j.grams, j.source) else 0 end as shipping,
           case when j.unfit is null and not private.survives(j.shelf_life_days, j.days) then private.spoiled(j.product_ids, j.days) end as spoiled
    from judged j
  )
  select s.place, s.customer_id,
         row(null, s.customer_id, s.source, s.fulfilment, s.pincode, s.priced, s.product_ids, s.units, s.sub_total, s.tax, s.shipping,
             case when v.refusal is null then s.sub_total + s.tax + s.shipping end, s.arrives_on, price_orders.at,
             price_orders.at + private.quote_time())::private.quotes,
         s.grams, jsonb_build_object('ok', false) || v.refusal, s.spoiled
  from shipped s
  cross join lateral (
    select case when s.unfit is not null then s.unfit
                when s.source = 'manual' or s.fulfilment = 'pickup' then null
                when s.arrives_on is null then jsonb_build_object('reason', 'closed')
                when s.spoiled is not null then jsonb_build_object('reason', 'would-spoil', 'pincode', s.pincode, 'spoiled', s.spoiled)
           end as refusal) v;
end $$;

create or replace function private.promise(at timestamptz, working_days integer, out leaves_on date, out arrives_on date, out opens_on date)
language plpgsql stable strict set search_path = '' as $$
declare
  clock timestamp := at at time zone 'Asia/Kolkata';
  today date := clock::date;
  day date := clock::date;
  days_left integer := working_days;
  calendar record;
begin
  select s.cutoff_time, s.weekly_off,
         (select range_agg(daterange(c.starts_on, c.ends_on, '[]')) from public.closures c where c.ends_on >= today) as closed
  into calendar from public.shop_settings s;
  while arrives_on is null and day <= today + 366 loop
    if not (extract(dow from day)::smallint = any (calendar.weekly_off) or coalesce(calendar.closed @> day, false)) then
      opens_on := coalesce(opens_on, day);
      if leaves_on is not null then
        days_left := days_left - 1;
      elsif day > today or clock::time < calendar.cutoff_time then
        leaves_on := day;
      end if;
      arrives_on := case when leaves_on is not null and days_left = 0 then day end;
    end if;
    day := day + 1;
  end loop;
  if arrives_on is null then
    leaves_on := null;
  end if;
end $$;

create function private.queue_order_change() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_table_name = 'refunds' then
    insert into private.order_changes (order_id) values (new.order_id);
  else
    insert into private.order_changes (order_id) values (new.id);
  end if;
  return null;
end $$;

create function private.queue_order_emails(event_ids bigint[], at timestamptz) returns void
language plpgsql set search_path = '' as $$
begin
  insert into private.outbox (kind, key, payload, run_after, created_at)
  select 'mail', 'mail:event:' || e.id, private.event_mail(e), least(e.created_at, at) + private.mail_delay(e), e.created_at
  from public.order_events e
  where e.id = any (event_ids) and e.user_id is not null and private.mail_of_status(e.to_status) is not null
    and e.created_at > now() - interval '1 day'
    and not (private.mail_delay(e) > interval '0' and exists (
      select from public.order_events c where c.order_id = e.order_id and c.to_status = 'canceled'))
    and e.undoes is null and not exists (select from public.order_events u where u.undoes = e.id);
  -- Only emails with a delay that nobody has begun to send: an email that is late for another reason is still due.
  delete from private.outbox o using public.order_events e
  where e.id = any (event_ids) and e.to_status = 'canceled' and o.kind = 'mail' and o.payload ->> 'order_id' = e.order_id::text
    and o.attempts = 0 and o.done_at is null and o.run_after > o.created_at;
end $$;

create function private.queue_order_events() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.order_changes (order_id, event_id) select e.order_id, e.id from recorded e;
  return null;
end $$;

create function private.quote(calls jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  at timestamptz := coalesce((select max((c ->> 'at')::timestamptz) from jsonb_array_elements(calls) as c), now());
  may_ask boolean[];
  refusals jsonb[];
  quotes private.quotes[];
  customer_ids uuid[];
  ids uuid[] := array(select gen_random_uuid() from jsonb_array_elements(calls));
  opens_on date := (select p.opens_on from private.promise(at, 0) p);
begin
  -- A quote that a crash takes away is asked for again: nothing waits for the disk.
  perform set_config('synchronous_commit', 'off', true);
  may_ask := private.take_turns('quote', array(
    select c.call ->> 'customer_id' from jsonb_array_elements(calls) with ordinality as c (call, n) order by c.n), 60, interval '1 minute', at);
  select array_agg(case when may_ask[p.place] then p.refusal else jsonb_build_object('ok', false, 'reason', 'too-many-quotes') end order by p.place),
         array_agg(p.quote order by p.place), array_agg(p.customer_id order by p.place)
  into refusals, quotes, customer_ids from private.price_orders(calls, at) p;
  refusals := array(
    select coalesce(refusals[q.ordinality], s.refusal,
                    case when q.fulfilment = 'pickup' and opens_on is null then jsonb_build_object('ok', false, 'reason', 'closed') end)
    from unnest(quotes) with ordinality as q
    left join private.shortages(customer_ids, quotes) s on s.place = q.ordinality
    order by q.ordinality);
  insert into private.quotes
  select ids[q.ordinality], q.user_id, q.source, q.fulfilment, q.pincode, q.lines, q.product_ids, q.units, q.sub_total_paise, q.tax_paise,
         q.shipping_paise, q.total_paise, q.delivery_by, q.created_at, q.expires_at
  from unnest(quotes) with ordinality as q where refusals[q.ordinality] is null;
  return (
    select jsonb_agg(coalesce(refusals[q.ordinality], jsonb_build_object(
      'ok', true, 'quote_id', ids[q.ordinality], 'sub_total_paise', q.sub_total_paise, 'tax_paise', q.tax_paise, 'shipping_paise', q.shipping_paise,
      'shipping_tax_paise', case when q.shipping_paise > 0 and private.is_registered() then (
        select private.shipping_tax_paise(q.shipping_paise, array_agg(l.hsn), array_agg(l.gst_percent), array_agg(l.line_paise))
        from jsonb_to_recordset(q.lines) as l (hsn text, gst_percent numeric, line_paise numeric)) else 0 end,
      'total_paise', q.total_paise, 'delivery_by', q.delivery_by,
      'collect_from', case when q.fulfilment = 'pickup' then opens_on end, 'expires_at', q.expires_at)) order by q.ordinality)
    from unnest(quotes) with ordinality as q);
end $$;

create function private.quote_time() returns interval
language sql immutable as $$ select interval '15 minutes' $$;

create or replace function private.record_placed_orders() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  actor uuid := auth.uid();
  is_admin boolean := actor is not null and private.is_admin();
begin
  insert into public.order_events (order_id, to_status, actor_role, public_note, created_at)
  select o.id, o.status,
         -- An administrator who buys is a customer in it.
         case when actor = o.user_id then 'customer' when is_admin then 'administrator' else 'system' end,
         coalesce(current_setting('shop.public_note', true), ''),
         coalesce(nullif(current_setting('shop.event_at', true), '')::timestamptz, now())
  from placed o;
  if actor is not null then
    insert into private.order_event_actors (event_id, actor_id)
    select e.id, actor from placed o join public.order_events e on e.order_id = o.id;
  end if;
  return null;
end $$;

create function private.refuse_payment(payment private.payments, checkout private.checkouts, refusal text) returns void
language plpgsql set search_path = '' as $$
begin
  if refusal = 'second-payment' and (checkout.state = 'open' or checkout.held <> '{}') then
    perform private.free_stock(array[checkout.id]);
  end if;
  insert into private.payments select payment.*;
  if refusal = 'given-back' then
    insert into private.refunds (payment_id, amount_paise, reason, status, created_at, processed_at)
    values (payment.payment_id, payment.amount_paise, refusal, 'processed', payment.created_at, payment.created_at);
  else
    perform private.give_back(payment.payment_id, refusal, payment.created_at);
  end if;
end $$;

create or replace function private.schedule_jobs() returns text
language plpgsql security definer set search_path = '' as $$
declare
  how_often text := 'every 20 seconds';
  lacking text;
begin
  if to_regprocedure('cron.schedule(text, text, text)') is null
     or not exists (select from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
                    where n.nspname = 'net' and p.proname = 'http_post')
     or to_regclass('vault.decrypted_secrets') is null then
    return 'not scheduled: this needs pg_cron, pg_net and the vault';
  end if;
  begin
    -- As often as payments that nobody told us of are asked about. Figures and emails are derived within two seconds, also of
    -- what changed in the console, where nothing wakes the worker.
    execute 'select cron.schedule($1, $2, $3)' using 'run-jobs', '20 seconds', 'select private.call_jobs()';
    execute 'select cron.schedule($1, $2, $3)' using 'derive-from-changes', '2 seconds', 'select private.derive_from_changes()';
  exception when others then -- pg_cron before 1.5 knows minutes only
    execute 'select cron.schedule($1, $2, $3)' using 'run-jobs', '* * * * *', 'select private.call_jobs()';
    execute 'select cron.schedule($1, $2, $3)' using 'derive-from-changes', '* * * * *', 'select private.derive_from_changes()';
    how_often := 'every minute';
  end;
  -- pg_cron notes every run, and forgets none by itself.
  execute 'select cron.schedule($1, $2, $3)' using 'forget-runs', '17 21 * * *',
    'delete from cron.job_run_details where end_time < now() - interval ''1 day''';
  select string_agg(needed, ' and ') into lacking
  from unnest(array['project_url', 'jobs_secret']) needed where private.secret_of_jobs(needed) is null;
  return how_often || coalesce(', but nothing is called yet: the vault lacks ' || lacking, '');
end $$;

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
             private.settled_answer(p.payment_id) as answer
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

      refusal := private.payment_refusal(call.checkout, call.quote, call.amount_paise, call.currency, call.given_back);
      payment := row(call.payment_id, call.provider_order_id, case when refusal is null then gen_random_uuid() end,
                     (call.checkout).user_id, call.amount_paise, call.fee_paise, call.method,
                     case when call.given_back then 'refunded' else 'captured' end, at, at);
      if refusal is null then
        paid := paid || call.checkout;
        quotes := quotes || call.quote;
        payments := payments || payment;
      else
        perform private.refuse_payment(payment, call.checkout, refusal);
        outcomes[call.ordinality] := private.settled_answer(call.payment_id);
      end if;
    end loop;
    exit when cardinality(judged) = 0;
    if cardinality(paid) > 0 then
      perform private.place_orders(paid, quotes, payments, at);
      outcomes := array(select coalesce(o.outcome, private.settled_answer(c.call ->> 'payment_id'))
                        from unnest(outcomes) with ordinality as o (outcome, n)
                        join jsonb_array_elements(calls) with ordinality as c (call, n) on c.n = o.n order by o.n);
    end if;
  end loop;
  return to_jsonb(outcomes);
end $$;

create or replace function private.settled_answer(payment_id text) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_build_object('outcome', case when p.order_id is null then 'refunded' else 'ordered' end,
                              'user_id', p.user_id, 'order_id', p.order_id, 'number', o.number,
                              'reason', (select r.reason from private.refunds r where r.payment_id = p.payment_id and p.order_id is null limit 1))
    from private.payments p left join public.orders o on o.id = p.order_id
    where p.payment_id = settled_answer.payment_id);
end $$;

create function private.shift_of(quoted_at timestamptz) returns timestamptz
language plpgsql stable set search_path = '' as $$
declare
  clock timestamp := quoted_at at time zone 'Asia/Kolkata';
  cutoff time := (select s.cutoff_time from public.shop_settings s);
begin
  return (clock::date + case when clock::time < cutoff then time '00:00' else cutoff end) at time zone 'Asia/Kolkata';
end $$;

create function private.shortages(customer_ids uuid[], quotes private.quotes[]) returns table (place integer, refusal jsonb)
language plpgsql stable set search_path = '' as $$
begin
  return query
  select distinct on (q.ordinality) q.ordinality::integer, case when not s.is_sold
    then jsonb_build_object('ok', false, 'reason', 'not-available', 'product', s.product, 'product_id', s.product_id)
    else jsonb_build_object('ok', false, 'reason', 'not-enough-stock', 'product', s.product, 'product_id', s.product_id,
                            'left', s.units + private.held_units(q.customer_id, w.product_id), 'unit', case when s.has_size then 'g' else 'pieces' end) end
  from unnest(customer_ids, quotes) with ordinality as q (customer_id)
  cross join lateral unnest(q.product_ids, q.units) as w (product_id, units)
  cross join lateral (select s.* from private.saleable() s where s.product_id = w.product_id offset 0) s
  -- Own holds are looked up where the shelf is not enough.
  where not s.is_sold or case when w.units > s.units then w.units > s.units + private.held_units(q.customer_id, w.product_id) else false end
  order by q.ordinality, w.product_id;
end $$;

create function private.still_promised(quotes private.quotes[]) returns uuid[]
language plpgsql stable set search_path = '' as $$
begin
  return array(
    with quoted as materialized (
      select q.id, q.fulfilment, q.pincode, q.product_ids, q.delivery_by, private.shift_of(q.created_at) as shift from unnest(quotes) as q
    ), journeys as materialized (
      select k.pincode, k.shift, j.arrives_on, j.arrives_on - j.leaves_on as days
      from (select distinct q.pincode, q.shift from quoted q where q.fulfilment = 'delivery') k
      left join lateral private.promise(k.shift, (private.zone_of(k.pincode)).max_days) j on true
    )
    select q.id from quoted q left join journeys j on j.pincode = q.pincode and j.shift = q.shift
    where q.fulfilment = 'pickup'
       or (q.delivery_by is not distinct from j.arrives_on and not exists (
         select from unnest(q.product_ids) as w (product_id)
         cross join lateral (select p.shelf_life_days from public."Products" p where p."Id" = w.product_id offset 0) p
         where not private.survives(p.shelf_life_days, j.days))));
end $$;

create or replace function private.take_from_holds(customer_id uuid, but_not uuid, product_ids bigint[], units integer[]) returns void
language plpgsql set search_path = '' as $$
begin
  update private.checkouts c set held = case when 0 = all (n.held) then '{}' else n.held end
  from (
    select h.id, array_agg(h.units - h.taken order by h.place) as held
    from (
      select k.id, u.place, u.units, least(u.units, greatest(0, coalesce(w.units, 0) - coalesce(
               sum(u.units) over (partition by u.product_id order by k.reserved_until, k.id
                                  rows between unbounded preceding and 1 preceding), 0)))::integer as taken
      from private.checkouts k
      join private.quotes q on q.id = k.quote_id
      cross join lateral unnest(q.product_ids, k.held) with ordinality as u (product_id, units, place)
      left join unnest(take_from_holds.product_ids, take_from_holds.units) as w (product_id, units) on w.product_id = u.product_id
      where k.user_id = take_from_holds.customer_id and k.held <> '{}' and k.id is distinct from but_not
    ) h
    group by h.id
    having sum(h.taken) > 0
  ) n
  where c.id = n.id;
end $$;

create or replace function private.take_turn(
  action text, subject text, allowed integer, per interval, at timestamptz default now()
) returns boolean
language sql security definer set search_path = '' as $$
  select (private.take_turns(action, array[subject], allowed, per, at))[1];
$$;

create function private.take_turns(action text, subjects text[], allowed integer, per interval, at timestamptz) returns boolean[]
language plpgsql security definer set search_path = '' as $$
declare
  this_window timestamptz := date_bin(per, at, timestamptz '2000-01-01 00:00+00');
  answers boolean[];
  new_ones text[];
begin
  with asked as materialized (
    select s.subject, s.n, row_number() over (partition by s.subject order by s.n) as place
    from unnest(subjects) with ordinality as s (subject, n)
  ), taken as materialized (
    insert into private.turns as t (action, subject, window_start, taken)
    select take_turns.action, a.subject, this_window, count(*) from asked a group by a.subject order by a.subject
    on conflict on constraint turns_pkey do update set taken = t.taken + excluded.taken
    returning t.subject, t.taken
  ), counted as (
    select a.subject, a.n, a.place, k.taken, count(*) over (partition by a.subject) as asked
    from asked a join taken k on k.subject is not distinct from a.subject
  )
  select array_agg(c.taken - c.asked + c.place <= allowed order by c.n), array_agg(c.subject) filter (where c.taken = c.asked)
  into answers, new_ones from counted c;
  if new_ones is not null then
    delete from private.turns t
    where t.action = take_turns.action and t.subject = any (new_ones) and t.window_start < this_window;
  end if;
  return answers;
end $$;

create function private.write_checkouts(openings private.opening[], at timestamptz) returns table (place integer, answer jsonb)
language plpgsql set search_path = '' as $$
declare
  customer_ids uuid[] := array(select o.customer_id from unnest(openings) with ordinality as o order by o.ordinality);
  holds boolean[] := private.may_hold(
    customer_ids, array(select o.address_hash from unnest(openings) with ordinality as o order by o.ordinality),
    array(select private.grams_of((o.quote).lines) from unnest(openings) with ordinality as o order by o.ordinality), at);
  holders uuid[] := array(
    select k.id from unnest(customer_ids) as k (id)
    where exists (select from private.checkouts c where c.user_id = k.id and c.held <> '{}'));
begin
  -- What a customer's older checkouts hold of the same things is reserved already, and becomes the new one's.
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
                                        delivery_street, delivery_city, delivery_state, delivery_zip, held, had_hold, address_hash,
                                        reserved_until, next_check_at, created_at)
    select (o.quote).id, o.customer_id, coalesce(o.family_id, gen_random_uuid()), (o.person).name, (o.person).phone, (o.person).building_no,
           (o.person).street, (o.person).city, (o.person).state, (o.person).zip,
           case when holds[o.ordinality] then (o.quote).units else '{}' end, holds[o.ordinality], o.address_hash,
           write_checkouts.at + private.hold_time(), write_checkouts.at + interval '30 seconds', write_checkouts.at
    from unnest(openings) with ordinality as o
    returning c as checkout
  )
  select o.place, private.checkout_answer(k.checkout, o.quote, is_new => true)
  from opened k join unnest(openings) as o on (o.quote).id = (k.checkout).quote_id;
end $$;

create or replace function public.admin_take_order(
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
    perform private.refuse('The order has no id.');
  end if;
  perform pg_advisory_xact_lock(hashtextextended('take order ' || order_id, 0));
  select * into placed from public.orders o where o.id = admin_take_order.order_id;
  if placed.id is not null then
    return jsonb_build_object('id', placed.id, 'number', placed.number, 'is_new', false);
  end if;

  if fulfilment is null or fulfilment not in ('delivery', 'pickup') then
    perform private.refuse('Choose delivery or pickup.', 'fulfilment');
  elsif offline_method not in ('cash', 'upi', 'card', 'bank') then
    perform private.refuse('Choose a payment mode.', 'offline_method');
  elsif customer_id is not null and not exists (select from auth.users u where u.id = customer_id) then
    perform private.refuse('This customer is no longer there.', 'phone');
  end if;
  lines := private.typed_lines(lines);
  typed := private.typed_delivery(delivery, fulfilment);
  typed_note := private.typed(note, 'note', 'The note', 2000, is_one_line => false);
  perform private.lock_stock(array(select (l ->> 'product_id')::bigint from jsonb_array_elements(lines) l));
  select * into priced from private.price_order(lines, typed ->> 'zip', 'manual', fulfilment, null, now());
  if priced.refusal is not null then
    perform private.refuse(private.say_refusal(priced.refusal),
                           case priced.refusal ->> 'reason' when 'outside-zones' then 'zip' else 'lines' end);
  end if;
  quote := priced.quote;
  quote.shipping_paise := private.manual_shipping(quote, shipping_paise);
  quote.total_paise := quote.sub_total_paise + quote.tax_paise + quote.shipping_paise;
  if total_paise is distinct from quote.total_paise then
    perform private.refuse(format('The total is %s now. Tell the customer, then save again.', private.rupees(quote.total_paise)), 'total_paise');
  end if;

  insert into public.orders (id, user_id, payment_status, offline_method, source, fulfilment, sub_total, tax, shipping_charge,
                             total_amount, delivery_name, delivery_phone, delivery_building_no, delivery_street,
                             delivery_city, delivery_state, delivery_zip, delivery_by)
  values (admin_take_order.order_id, customer_id, case when offline_method is null then 'unpaid' else 'paid_offline' end,
          admin_take_order.offline_method, 'manual', quote.fulfilment, quote.sub_total_paise / 100.0, quote.tax_paise / 100.0,
          quote.shipping_paise / 100.0, quote.total_paise / 100.0, typed ->> 'name', typed ->> 'phone', typed ->> 'building_no',
          typed ->> 'street', typed ->> 'city', typed ->> 'state', typed ->> 'zip', quote.delivery_by)
  returning * into placed;
  perform private.fill_orders(array[placed.id], array[quote], were_reserved => false, at => placed.created_at);
  if typed_note <> '' then
    insert into private.order_notes (order_id, author_id, note, on_paper) values (placed.id, auth.uid(), typed_note, true);
  end if;
  return jsonb_build_object('id', placed.id, 'number', placed.number, 'is_new', true);
end $$;

create or replace function public.attach_provider_order(checkout_id uuid, provider_order_id text) returns text
language plpgsql security definer set search_path = '' as $$
declare
  attached text;
begin
  update private.checkouts c
  set provider_order_id = coalesce(c.provider_order_id, attach_provider_order.provider_order_id)
  where c.id = attach_provider_order.checkout_id
  returning c.provider_order_id into attached;
  return attached;
end $$;

create or replace function public.attach_provider_orders(calls jsonb) returns jsonb
language plpgsql security definer set search_path = '' set lock_timeout = '250ms' as $$
declare
  results text[] := array_fill(null::text, array[jsonb_array_length(calls)]);
  call record;
begin
  for call in
    select * from rows from (jsonb_to_recordset(calls) as (checkout_id uuid, provider_order_id text)) with ordinality as c
    order by c.checkout_id, c.ordinality
  loop
    results[call.ordinality] := public.attach_provider_order(call.checkout_id, call.provider_order_id);
  end loop;
  return to_jsonb(results);
end $$;

create or replace function public.bound_due_times(at timestamptz default now()) returns void
language sql security definer set search_path = '' as $$
  -- Of a paid checkout: the second look, half an hour after the order.
  update private.checkouts c set next_check_at = at + p.pause
  from (select k.id, case when k.order_id is null then private.check_pause(k.created_at, at)
                          else greatest(interval '30 minutes', private.check_pause(k.created_at, at)) end as pause
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
                          else private.retry_pause(k.attempts) end as pause
        from private.outbox k where k.done_at is null and k.run_after > at for update skip locked) p
  where o.id = p.id and o.run_after > at + p.pause;
  update private.quotes q set expires_at = at + private.quote_time()
  from (select k.id from private.quotes k where k.expires_at > at + private.quote_time() for update skip locked) p
  where q.id = p.id;
  -- A rate limit counts by windows that have begun; two nodes may differ a little.
  delete from private.turns t
  using (select k.action, k.subject, k.window_start from private.turns k
         where k.window_start > at + interval '1 minute' for update skip locked) p
  where (t.action, t.subject, t.window_start) = (p.action, p.subject, p.window_start);
$$;

create or replace function public.claim_jobs(site_url text, at timestamptz default now(), most integer default 20) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  lapsed integer := private.lapse_checkouts(at);
  derived integer := private.derive_from_changes(at);
  checkouts jsonb;
  refunds jsonb;
  letters jsonb;
begin
  -- A lease that a crash takes away is handed out again.
  perform set_config('synchronous_commit', 'off', true);
  with due as (
    select c.id from private.checkouts c where c.next_check_at <= at order by c.next_check_at limit most for update skip locked
  ), claimed as (
    -- finish_check() says when to look again. Where the provider has no order there is nothing to ask it, nor to finish.
    update private.checkouts c
    set next_check_at = case when c.provider_order_id is not null then at + private.lease_time()
                             when c.created_at > at - interval '5 days' then at + private.check_pause(c.created_at, at) end
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
  into letters from private.lease_letters(at, most) k;

  return jsonb_build_object('lapsed', lapsed, 'derived', derived, 'checkouts', checkouts, 'refunds', refunds, 'outbox', letters);
end $$;

create or replace function public.finish_jobs(calls jsonb) returns jsonb
language plpgsql security definer set search_path = '' set lock_timeout = '250ms' as $$
declare
  call record;
begin
  for call in
    select * from jsonb_to_recordset(calls) as j (job_id bigint, note text, at timestamptz) order by j.job_id
  loop
    perform public.finish_job(call.job_id, call.note, coalesce(call.at, now()));
  end loop;
  return (select jsonb_agg(true) from jsonb_array_elements(calls));
end $$;

create or replace function public.open_checkout(
  customer_id uuid, amount_paise bigint, quote_id uuid default null, at timestamptz default now(),
  address_hash text default null
) returns jsonb
language sql security definer set search_path = '' as $$
  select private.open(jsonb_build_array(jsonb_build_object(
    'customer_id', customer_id, 'amount_paise', amount_paise, 'quote_id', quote_id, 'at', at, 'address_hash', address_hash))) -> 0;
$$;

create or replace function public.open_checkouts(calls jsonb) returns jsonb
language sql security definer set search_path = '' set lock_timeout = '250ms' as $$
  select private.open(calls);
$$;

create or replace function public.quote_order(
  customer_id uuid, lines jsonb, pincode text, source text, fulfilment text, at timestamptz default now()
) returns jsonb
language sql security definer set search_path = '' as $$
  select private.quote(jsonb_build_array(jsonb_build_object(
    'customer_id', customer_id, 'lines', lines, 'pincode', pincode, 'source', source, 'fulfilment', fulfilment, 'at', at))) -> 0;
$$;

create or replace function public.quote_orders(calls jsonb) returns jsonb
language sql security definer set search_path = '' set lock_timeout = '250ms' as $$
  select private.quote(calls);
$$;

create or replace function public.settle_payment(
  provider_order_id text, payment_id text, amount_paise bigint, currency text, method text default null,
  fee_paise bigint default null, given_back boolean default false, at timestamptz default now()
) returns jsonb
language sql security definer set search_path = '' as $$
  select private.settle(jsonb_build_array(jsonb_build_object(
    'provider_order_id', provider_order_id, 'payment_id', payment_id, 'amount_paise', amount_paise, 'currency', currency,
    'method', method, 'fee_paise', fee_paise, 'given_back', given_back, 'at', at))) -> 0;
$$;

create or replace function public.settle_payments(calls jsonb) returns jsonb
language sql security definer set search_path = '' set lock_timeout = '250ms' as $$
  select private.settle(calls);
$$;

create or replace view private.customer_totals with (security_invoker = true) as
  select u.id as user_id, o.orders::integer as orders, coalesce(o.paise, 0)::bigint - coalesce(r.paise, 0)::bigint as value_paise,
         coalesce(o.last_order_at, '-infinity') as last_order_at
  from auth.users u
  cross join lateral (
    select count(*) filter (where o.status <> 'canceled') as orders,
           sum((o.total_amount * 100)::bigint) filter (where o.payment_status <> 'unpaid') as paise,
           max(o.created_at) filter (where o.status <> 'canceled') as last_order_at
    from public.orders o where o.user_id = u.id
  ) o
  cross join lateral (
    select sum(r.amount_paise) as paise from public.orders o join private.refunds r on r.order_id = o.id
    where o.user_id = u.id and r.status <> 'failed'
  ) r;

create index checkouts_held_idx on private.checkouts (user_id) where state = 'open' or held <> '{}';

create index checkouts_user_idx on private.checkouts (user_id, created_at desc, id);

create trigger refunds_queue_change after insert or update of status, amount_paise on private.refunds
  for each row when (new.order_id is not null) execute function private.queue_order_change();

create trigger order_events_queue after insert on public.order_events
  referencing new table as recorded for each statement execute function private.queue_order_events();

create trigger orders_queue_change after update of payment_status on public.orders
  for each row when (old.payment_status <> new.payment_status) execute function private.queue_order_change();

revoke execute on function private.count_customers(customer_ids uuid[]) from public, anon, authenticated;

revoke execute on function private.derive_from_changes(at timestamp with time zone, most integer) from public, anon, authenticated;

revoke execute on function private.fill_orders(order_ids uuid[], quotes private.quotes[], were_reserved boolean, at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.find_openings(calls jsonb, at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.held_units(customer_id uuid, product_id bigint) from public, anon, authenticated;

revoke execute on function private.lock_checkouts(customer_ids uuid[], family_ids uuid[]) from public, anon, authenticated;

revoke execute on function private.lock_payments(provider_order_ids text[]) from public, anon, authenticated;

revoke execute on function private.open(calls jsonb) from public, anon, authenticated;

revoke execute on function private.open_while_stock_lasts(openings private.opening[], results jsonb[], at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.opening_refusal(opening private.opening, may_ask boolean) from public, anon, authenticated;

revoke execute on function private.payment_refusal(checkout private.checkouts, quote private.quotes, amount_paise bigint, currency text, given_back boolean) from public, anon, authenticated;

revoke execute on function private.place_orders(paid private.checkouts[], quotes private.quotes[], payments private.payments[], at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.price_order(lines jsonb, pincode text, source text, fulfilment text, customer_id uuid, at timestamp with time zone, OUT quote private.quotes, OUT grams bigint, OUT refusal jsonb, OUT spoiled jsonb) from public, anon, authenticated;

revoke execute on function private.price_orders(orders jsonb, at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.queue_order_change() from public, anon, authenticated;

revoke execute on function private.queue_order_emails(event_ids bigint[], at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.queue_order_events() from public, anon, authenticated;

revoke execute on function private.quote(calls jsonb) from public, anon, authenticated;

revoke execute on function private.quote_time() from public, anon, authenticated;

revoke execute on function private.refuse_payment(payment private.payments, checkout private.checkouts, refusal text) from public, anon, authenticated;

revoke execute on function private.settle(calls jsonb) from public, anon, authenticated;

revoke execute on function private.shift_of(quoted_at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.shortages(customer_ids uuid[], quotes private.quotes[]) from public, anon, authenticated;

revoke execute on function private.still_promised(quotes private.quotes[]) from public, anon, authenticated;

revoke execute on function private.write_checkouts(openings private.opening[], at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.take_turns(action text, subjects text[], allowed integer, per interval, at timestamp with time zone) from public, anon, authenticated;

reset check_function_bodies;

do $$
begin
  raise notice 'jobs: %', private.schedule_jobs();
end $$;
