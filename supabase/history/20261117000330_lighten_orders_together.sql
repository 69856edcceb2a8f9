-- What orders that come together cost, made less: stock is looked up once for each thing in them and not for every pair of
-- orders, and small rules become part of the statements that ask them.

create or replace function public.quote_orders(calls jsonb) returns jsonb
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

-- Which sweets would spoil on their way is asked when one does, which the one that keeps the shortest tells.
create or replace function private.price_orders(asks jsonb, at timestamptz)
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

create or replace function private.still_promised(quote_ids uuid[]) returns uuid[]
language plpgsql stable set search_path = '' as $$
begin
  return array(
    with quoted as materialized (
      select d.id, d.fulfilment, d.pincode, d.product_ids, d.delivery_by, d.shift from private.dated_quotes d where d.id = any (quote_ids)
    ), journeys as materialized (
      select k.pincode, k.shift, p.leaves_on, p.arrives_on
      from (select distinct q.pincode, q.shift from quoted q where q.fulfilment = 'delivery') k
      cross join lateral private.promise(k.shift, (private.zone_of(k.pincode)).max_days) p
    )
    select q.id from quoted q
    left join journeys j on j.pincode = q.pincode and j.shift = q.shift
    where q.fulfilment = 'pickup'
       or (q.delivery_by is not distinct from j.arrives_on and not exists (
         select from public."Products" p
         where p."Id" = any (q.product_ids) and not private.survives(p.shelf_life_days, j.arrives_on - j.leaves_on))));
end $$;

-- Most of a checkout's time it has neither: what is not there needs no place in an index.
alter table private.checkouts drop constraint checkouts_provider_order_id_key, drop constraint checkouts_order_id_key;
create unique index checkouts_provider_order_id_key on private.checkouts (provider_order_id) where provider_order_id is not null;
create unique index checkouts_order_id_key on private.checkouts (order_id) where order_id is not null;

-- Small rules: with settings of their own they would be called for every row, without they become part of what asks them.
-- What makes JSON is stable, not immutable.
alter function private.urgency(text, jsonb) reset search_path;
alter function private.stock_quantity(boolean, integer, integer) reset search_path;
alter function private.mail_of_status(text) reset search_path;
alter function private.event_mail(public.order_events) stable reset search_path;
alter function private.is_safe_link(text) reset search_path;
alter function private.quote_answer(private.quotes, date) stable reset search_path;

-- What is due is read in order from its index, however few there were when the plan was made.
create function private.lease_letters(at timestamptz, most integer) returns setof private.outbox
language plpgsql set search_path = '' set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
begin
  return query
    with due as (
      select o.id from private.outbox o where o.done_at is null and o.run_after <= at
      order by private.urgency(o.kind, o.payload), o.run_after, o.id limit most for update skip locked
    )
    update private.outbox o set run_after = at + interval '2 minutes', attempts = o.attempts + 1 from due where o.id = due.id
    returning o.*;
end $$;
revoke execute on function private.lease_letters(timestamptz, integer) from public;

create or replace function public.claim_jobs(site_url text, at timestamptz default now(), most integer default 20) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  lapsed integer := private.lapse_checkouts(at);
  checkouts jsonb;
  refunds jsonb;
  letters jsonb;
begin
  -- A lease that a crash takes away is handed out again.
  perform set_config('synchronous_commit', 'off', true);
  with due as (
    select c.id from private.checkouts c where c.next_check_at <= at order by c.next_check_at limit most for update skip locked
  ), claimed as (
    -- Every half minute for half an hour, then hourly for five days. Of one that is paid, once more is enough, when the
    -- provider has answered: see finish_check().
    update private.checkouts c
    set next_check_at = case when c.created_at < at - interval '5 days' then null
                             when c.created_at > at - interval '30 minutes' then at + interval '30 seconds'
                             else at + interval '1 hour' end
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

  return jsonb_build_object('lapsed', lapsed, 'checkouts', checkouts, 'refunds', refunds, 'outbox', letters);
end $$;

-- Stock is locked when it moves, in product order: whoever moves several things no longer has to do it before.
create or replace function private.apply_movement() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  moved integer := (select count(distinct m.product_id) from movements m);
  changed integer;
begin
  if moved > 1 then
    perform private.lock_stock(array(select m.product_id from movements m));
  end if;
  update public.stock_levels s set on_hand = s.on_hand + m.quantity, reserved = s.reserved + m.freed
  from (
    select v.product_id, sum(v.quantity) as quantity, coalesce(sum(v.quantity) filter (where v.was_reserved), 0) as freed
    from movements v group by v.product_id
  ) m
  where s.product_id = m.product_id and s.on_hand + m.quantity >= s.reserved + m.freed;
  get diagnostics changed = row_count;
  if changed < moved then
    raise sqlstate 'PT409' using message = 'not that much is in stock and unreserved';
  end if;
  return null;
end $$;

-- As before, but what is sold together is not locked until it moves: what these checkouts sell is reserved for them, and
-- meanwhile others go on reserving.
create or replace function public.settle_payments(calls jsonb) returns jsonb
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
