-- Prices: what a cart costs at this moment, and the day promised for it.
-- Written by quote_order() and quote_orders(), called with the service role; deleted by a job.
set check_function_bodies = off;

-- Quotes: the price of an order, fixed for fifteen minutes. Written by quote_order(), turned into a checkout by
-- open_checkout(), and deleted when that does not happen.
create table private.quotes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references auth.users (id) on delete set null,
  source text not null check (source in ('cart', 'direct')),
  fulfilment text not null check (fulfilment in ('delivery', 'pickup')),
  pincode text not null,
  -- Merged lines with the product's name, picture, price, tax rate and HSN of this moment, in order of product and size.
  lines jsonb not null,
  -- How much of which products the lines take from stock, in product order.
  product_ids bigint[] not null,
  units integer[] not null check (cardinality(units) = cardinality(product_ids)),
  sub_total_paise bigint not null,
  tax_paise bigint not null,
  shipping_paise bigint not null,
  total_paise bigint not null check (total_paise = sub_total_paise + tax_paise + shipping_paise and total_paise >= 100),
  delivery_by date,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index quotes_user_idx on private.quotes (user_id, created_at desc);
create index quotes_expires_idx on private.quotes (expires_at);
alter table private.quotes enable row level security;

-- Quotes with the beginning of the part of the day in which they were made: midnight, or the cut-off after which
-- parcels leave on the next day. Within it all promised days are the same.
create view private.dated_quotes with (security_invoker = true) as
  select q.*, q as quote,
         (l.clock::date + case when l.clock::time < s.cutoff_time then time '00:00' else s.cutoff_time end) at time zone 'Asia/Kolkata' as shift
  from private.quotes q
  cross join public.shop_settings s
  cross join lateral (select q.created_at at time zone 'Asia/Kolkata' as clock) l;

-- What lines cost and weigh: the one place where money is calculated. A line is unit_price x size/500 x quantity;
-- its tax is rounded once, to the paisa. `ask` says to which order of a batch a line belongs.
create function private.price_lines(lines jsonb) returns table (
  ask integer, product_id bigint, size integer, quantity integer, product_name text, product_image text, category text,
  has_size boolean, unit_price numeric, gst_percent numeric, hsn text, line_paise bigint, tax_paise bigint, grams integer,
  stock_units integer)
language sql stable set search_path = '' as $$
  select l.ask, p."Id", l.size, l.quantity, p."Name", p."Image", p."Category", p."hasSize", p."Price", p.gst_percent, p.hsn,
         (p."Price" * 100 * l.size / 500 * l.quantity)::bigint,
         round(p."Price" * 100 * l.size / 500 * l.quantity * p.gst_percent / 100)::bigint,
         case when p."hasSize" then l.size else p.weight_grams end * l.quantity,
         private.stock_quantity(p."hasSize", l.size, l.quantity)
  from (
    select (line ->> 'ask')::integer as ask, (line ->> 'product_id')::bigint as product_id, (line ->> 'size')::integer as size,
           sum((line ->> 'quantity')::integer)::integer as quantity
    from jsonb_array_elements(price_lines.lines) as line
    group by 1, 2, 3
  ) l
  join public."Products" p on p."Id" = l.product_id
  order by l.ask, p."Id", l.size;
$$;

-- Why these quantities cannot be sold now, with the id of the first product that is short, so that the cart can
-- mark that line; null when they can. `held` is what the customer's own unpaid checkouts hold: that is theirs to
-- buy.
create function private.shortage(product_ids bigint[], units integer[], held private.quotes) returns jsonb
language sql stable set search_path = '' as $$
  select case when not s.is_sold
    then jsonb_build_object('ok', false, 'reason', 'not-available', 'product', s.product, 'product_id', s.product_id)
    else jsonb_build_object('ok', false, 'reason', 'not-enough-stock', 'product', s.product, 'product_id', s.product_id,
                            'left', s.units + coalesce(h.units, 0), 'unit', case when s.has_size then 'g' else 'pieces' end) end
  from unnest(shortage.product_ids, shortage.units) as w (product_id, units)
  join private.saleable() s on s.product_id = w.product_id
  left join unnest(held.product_ids, held.units) as h (product_id, units) on h.product_id = w.product_id
  where not s.is_sold or w.units > s.units + coalesce(h.units, 0)
  order by w.product_id
  limit 1;
$$;

-- Prices lines for a customer and stores the quote. Rejections are values, not errors: {ok: false, reason, ...}.
-- What the customer's own unpaid checkouts hold counts as available to them.
create function public.quote_order(
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

-- Whether a product is sold, and how much of it is available. Without a search path, so that queries inline it.
create function private.saleable() returns table (product_id bigint, product text, has_size boolean, is_sold boolean, units integer)
language sql stable as $$
  select p."Id", p."Name", p."hasSize", p.is_listed and p.archived_at is null, s.on_hand - s.reserved
  from public."Products" p join public.stock_levels s on s.product_id = p."Id";
$$;

-- price_order() for a batch. Which sweets would spoil is looked up only when the one with the shortest shelf life
-- would.
create function private.price_orders(asks jsonb, at timestamptz)
returns table (ask integer, quote private.quotes, grams bigint, refusal jsonb, spoiled jsonb)
language plpgsql stable set search_path = '' as $$
begin
  return query
    with asked as materialized (
      select a.n::integer as ask, a.ask -> 'lines' as lines, a.ask ->> 'pincode' as pincode, a.ask ->> 'source' as source,
             a.ask ->> 'fulfilment' as fulfilment
      from jsonb_array_elements(asks) with ordinality as a (ask, n)
    ), said as materialized (
      select a.ask, line from asked a, jsonb_array_elements(a.lines) as line
    ), line as materialized (
      select * from private.price_lines((select jsonb_agg(s.line || jsonb_build_object('ask', s.ask)) from said s))
    ), summed as materialized (
      select l.ask, jsonb_agg(to_jsonb(l) - 'ask' - 'category' order by l.product_id, l.size) as lines,
             sum(l.line_paise)::bigint as sub_total, sum(l.tax_paise)::bigint as tax, sum(l.grams)::bigint as grams,
             max(l.quantity) as most, bool_and(l.category = 'Takeaway') as all_takeaway,
             max(l.product_name) filter (where not l.has_size and l.size <> 500) as without_size,
             min(p.shelf_life_days) as shelf_life_days
      from line l join public."Products" p on p."Id" = l.product_id group by l.ask
    ), wanted as materialized (
      select w.ask, array_agg(w.product_id order by w.product_id) as product_ids, array_agg(w.units order by w.product_id) as units
      from (select l.ask, l.product_id, sum(l.stock_units)::integer as units from line l group by 1, 2) w
      group by w.ask
    ), zones as materialized (
      select k.pincode, private.zone_of(k.pincode) as zone
      from (select distinct a.pincode from asked a where a.fulfilment = 'delivery') k
    ), journeys as materialized (
      select z.pincode, z.zone, p.leaves_on, p.arrives_on
      from zones z cross join lateral private.promise(price_orders.at, (z.zone).max_days) p
    ), judged as materialized (
      select a.*, s.lines as priced, coalesce(s.sub_total, 0) as sub_total, coalesce(s.tax, 0) as tax, s.grams, w.product_ids, w.units,
             j.arrives_on,
             case when coalesce(cardinality(w.product_ids), 0)
                       <> (select count(distinct (d.line ->> 'product_id')::bigint) from said d where d.ask = a.ask)
                    then jsonb_build_object('ok', false, 'reason', 'unknown-product')
                  when s.without_size is not null
                    then jsonb_build_object('ok', false, 'reason', 'size-not-offered', 'product', s.without_size)
                  when s.most > 25 then jsonb_build_object('ok', false, 'reason', 'too-many')
                  when s.grams > 30000 then jsonb_build_object('ok', false, 'reason', 'too-heavy')
                  when a.fulfilment = 'pickup' and a.source <> 'manual' and not s.all_takeaway
                    then jsonb_build_object('ok', false, 'reason', 'pickup-not-offered')
                  when a.fulfilment = 'delivery' and (j.zone).id is null
                    then jsonb_build_object('ok', false, 'reason', 'outside-zones', 'pincode', a.pincode) end as unfit,
             case when a.fulfilment = 'delivery' then private.shipping_paise(j.zone, s.grams, a.source) else 0 end as shipping,
             case when not private.survives(s.shelf_life_days, j.arrives_on - j.leaves_on)
                  then private.spoiled(w.product_ids, j.arrives_on - j.leaves_on) end as perishing
      from asked a
      left join summed s on s.ask = a.ask
      left join wanted w on w.ask = a.ask
      left join journeys j on j.pincode = a.pincode and a.fulfilment = 'delivery'
    ), final as (
      select j.*, case when j.unfit is not null then j.unfit
                       when j.source = 'manual' or j.fulfilment = 'pickup' then null
                       when j.arrives_on is null then jsonb_build_object('ok', false, 'reason', 'closed')
                       when j.perishing is not null
                         then jsonb_build_object('ok', false, 'reason', 'would-spoil', 'pincode', j.pincode, 'spoiled', j.perishing) end as verdict
      from judged j
    )
    select f.ask,
           row(null, null, f.source, f.fulfilment, f.pincode, f.priced, f.product_ids, f.units, f.sub_total, f.tax,
               case when f.unfit is null then f.shipping else 0 end,
               case when f.verdict is null then f.sub_total + f.tax + f.shipping end,
               f.arrives_on, price_orders.at, price_orders.at + interval '15 minutes')::private.quotes,
           f.grams, f.verdict, case when f.unfit is null then f.perishing end
    from final f;
end $$;

-- A quote as quote_order() returns it.
create function private.quote_answer(quoted private.quotes, collect_from date) returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'ok', true, 'quote_id', quoted.id, 'sub_total_paise', quoted.sub_total_paise, 'tax_paise', quoted.tax_paise,
    'shipping_paise', quoted.shipping_paise,
    'shipping_tax_paise', case when quoted.shipping_paise > 0 and private.is_registered() then (
      select private.shipping_tax_paise(quoted.shipping_paise, array_agg(l.hsn), array_agg(l.gst_percent), array_agg(l.line_paise))
      from jsonb_to_recordset(quoted.lines) as l (hsn text, gst_percent numeric, line_paise numeric)) else 0 end,
    'total_paise', quoted.total_paise,
    'delivery_by', quoted.delivery_by, 'collect_from', collect_from, 'expires_at', quoted.expires_at);
$$;

-- quote_order() for a batch of calls, [{customer_id, lines, pincode, source, fulfilment, at}]: as many results. A
-- call that is not simply quoted gets null and is repeated alone.
create function public.quote_orders(calls jsonb) returns jsonb
language plpgsql security definer set search_path = '' set lock_timeout = '250ms'
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  at timestamptz := (select max((c ->> 'at')::timestamptz) from jsonb_array_elements(calls) as c);
  answers jsonb;
begin
  perform set_config('synchronous_commit', 'off', true);
  with asked as materialized (
    select c.n::integer as n, (c.call ->> 'customer_id')::uuid as customer_id,
           count(*) over (partition by (c.call ->> 'customer_id')::uuid) as of_customer
    from jsonb_array_elements(calls) with ordinality as c (call, n)
  ), priced as materialized (
    select p.ask, p.quote from private.price_orders(calls, at) p
    where p.refusal is null and (p.quote).fulfilment = 'delivery'
  ), short as materialized (
    select p.ask
    from priced p, unnest((p.quote).product_ids, (p.quote).units) as w (product_id, units)
    join private.saleable() s on s.product_id = w.product_id
    where not s.is_sold or w.units > s.units
  ), plain as materialized (
    select a.customer_id, p.quote
    from priced p join asked a on a.n = p.ask
    where a.of_customer = 1 and p.ask <> all (array(select s.ask from short s))
      and not exists (select from private.checkouts c where c.user_id = a.customer_id and c.state = 'open')
  ), turns as materialized (
    select private.take_turns('quote', array(select p.customer_id::text from plain p), 60, interval '1 minute', at) as those_who_may
  ), quoted as (
    insert into private.quotes (user_id, source, fulfilment, pincode, lines, product_ids, units, sub_total_paise, tax_paise,
                                shipping_paise, total_paise, delivery_by, created_at, expires_at)
    select p.customer_id, (p.quote).source, (p.quote).fulfilment, (p.quote).pincode, (p.quote).lines, (p.quote).product_ids,
           (p.quote).units, (p.quote).sub_total_paise, (p.quote).tax_paise, (p.quote).shipping_paise, (p.quote).total_paise,
           (p.quote).delivery_by, (p.quote).created_at, (p.quote).expires_at
    from plain p, turns t where p.customer_id::text = any (t.those_who_may)
    returning *
  )
  select jsonb_agg(case when q.id is not null then private.quote_answer(q, collect_from => null) end order by a.n) into answers
  from asked a left join quoted q on q.user_id = a.customer_id and a.of_customer = 1;
  return answers;
end $$;

-- What lines cost, weigh and take from stock, as a quote that is not stored yet; or why they cannot be ordered. The
-- totals of the goods are there even then. `held` is what the customer's own unpaid checkouts hold. `spoiled` are
-- sweets that would not survive the journey: rejected when customers order, a hint when the owner does, who knows
-- the courier.
create function private.price_order(
  lines jsonb, pincode text, source text, fulfilment text, held private.quotes, at timestamptz,
  out quote private.quotes, out grams bigint, out refusal jsonb, out spoiled jsonb)
language sql stable set search_path = '' as $$
  select p.quote, p.grams, coalesce(p.refusal, private.shortage((p.quote).product_ids, (p.quote).units, held)), p.spoiled
  from private.price_orders(jsonb_build_array(jsonb_build_object(
    'lines', lines, 'pincode', pincode, 'source', source, 'fulfilment', fulfilment)), at) p;
$$;

-- The items of a new order and their sale from stock. The caller holds the locks and has checked the stock.
create function private.fill_order(placed public.orders, quote private.quotes, was_reserved boolean) returns void
language sql set search_path = '' as $$
  select private.fill_orders(array[placed.id], array[quote], array[was_reserved], placed.created_at);
$$;

-- By when a quote arrives when it is paid at this moment. Payments may come days later (a slow bank, an outage):
-- once the day on which it was to leave is over, the promise is calculated anew. Never before the quote's day,
-- never a past day; null when no day can be named.
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

-- The weight of the lines of a quote.
create function private.grams_of(lines jsonb) returns integer
language sql immutable as $$
  select coalesce(sum((l ->> 'grams')::integer), 0)::integer from jsonb_array_elements(lines) as l;
$$;

revoke execute on function
  public.quote_order(uuid, jsonb, text, text, text, timestamptz), public.quote_orders(jsonb)
  from public, anon, authenticated;
grant execute on function
  public.quote_order(uuid, jsonb, text, text, text, timestamptz), public.quote_orders(jsonb)
  to service_role;
