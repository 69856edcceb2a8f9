-- Checkouts opened in batches: several customers' calls in one statement.
-- No tables of its own: writes checkouts, called with the service role.
set check_function_bodies = off;

-- The quotes whose delivery day is still what it was when they were made, and whose sweets survive the journey.
create function private.still_promised(quote_ids uuid[]) returns uuid[]
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

-- Inserts checkouts of quotes that were validated, with the customers' data of that moment.
create function private.write_checkouts(quote_ids uuid[], buyers private.buyers[], holds boolean[], address_hashes text[], at timestamptz)
returns setof private.checkouts
language sql set search_path = '' as $$
  insert into private.checkouts (quote_id, user_id, family_id, delivery_name, delivery_phone, delivery_building_no,
                                 delivery_street, delivery_city, delivery_state, delivery_zip, held, had_hold, address_hash,
                                 reserved_until, next_check_at, created_at)
  select q.id, b.id, coalesce(private.unpaid_family(b.id, at), gen_random_uuid()), b.name, b.phone, b.building_no,
         b.street, b.city, b.state, b.zip, case when k.holds then q.units else '{}' end, k.holds, k.address_hash,
         at + private.hold_time(), at + interval '30 seconds', at
  from unnest(quote_ids, holds, address_hashes) as k (quote_id, holds, address_hash)
  join private.quotes q on q.id = k.quote_id
  join unnest(buyers) as b on b.id = q.user_id
  returning *;
$$;

-- open_checkout() for a batch of calls, [{customer_id, amount_paise, quote_id, at, address_hash}]: as many results.
-- A call that is not simply opened gets null and is repeated alone.
create function public.open_checkouts(calls jsonb) returns jsonb
language plpgsql security definer set search_path = '' set lock_timeout = '250ms'
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  at timestamptz := (select max((c ->> 'at')::timestamptz) from jsonb_array_elements(calls) as c);
  quote_ids uuid[];
  buyers private.buyers[];
  customer_ids text[];
  short bigint[];
  address_hashes text[];
  holds boolean[];
  answers jsonb;
  opened integer;
begin
  perform set_config('synchronous_commit', 'off', true);
  perform pg_advisory_xact_lock(k.key)
  from (select distinct hashtextextended('checkout ' || (c ->> 'customer_id'), 0) as key from jsonb_array_elements(calls) as c order by 1) k;
  select array_agg(q.id), array_agg(b) into quote_ids, buyers
  from (select c.*, count(*) over (partition by c.customer_id) as of_customer
        from jsonb_to_recordset(calls) as c (customer_id uuid, amount_paise bigint, quote_id uuid)) c
  join private.quotes q on q.id = c.quote_id and q.user_id = c.customer_id
  join private.buyers b on b.id = c.customer_id
  where c.of_customer = 1 and q.total_paise = c.amount_paise and q.expires_at > at
    and b.phone <> '' and (q.fulfilment = 'pickup'
      or (b.zip = q.pincode and '' <> all (array[b.building_no, b.street, b.city, b.state])))
    and not exists (select from private.checkouts k where k.quote_id = q.id)
    and not exists (select from private.checkouts k where k.user_id = q.user_id and (k.state = 'open' or k.held <> '{}'))
    and not exists (select from private.customer_records r where r.user_id = q.user_id and r.blocked_at is not null);
  quote_ids := private.still_promised(quote_ids);

  perform private.lock_stock(array(select unnest(q.product_ids) from private.quotes q where q.id = any (quote_ids)));
  -- Who wants something that does not suffice for all of them is asked alone, one after the other.
  short := array(
    select w.product_id
    from (select u.product_id, sum(u.units) as units
          from private.quotes q, unnest(q.product_ids, q.units) as u (product_id, units)
          where q.id = any (quote_ids) group by u.product_id) w
    join private.saleable() s on s.product_id = w.product_id
    where not s.is_sold or w.units > s.units);
  select array_agg(q.id), array_agg(q.user_id::text) into quote_ids, customer_ids
  from private.quotes q where q.id = any (quote_ids) and not q.product_ids && short;
  if quote_ids is null then
    return jsonb_agg(null::jsonb) from jsonb_array_elements(calls);
  end if;
  customer_ids := private.take_turns('checkout', customer_ids, 5, interval '1 minute', at);
  -- In the order of the calls, in which they would be asked alone: the last of an address's holds goes to the first.
  select coalesce(array_agg(q.id order by c.n), '{}'), array_agg(c.call ->> 'address_hash' order by c.n),
         private.may_hold(array_agg(q.user_id order by c.n), array_agg(c.call ->> 'address_hash' order by c.n),
                          array_agg(private.grams_of(q.lines) order by c.n), at)
  into quote_ids, address_hashes, holds
  from jsonb_array_elements(calls) with ordinality as c (call, n)
  join private.quotes q on q.id = (c.call ->> 'quote_id')::uuid and q.user_id = (c.call ->> 'customer_id')::uuid
  where q.id = any (quote_ids) and q.user_id::text = any (customer_ids);

  update public.stock_levels s set reserved = s.reserved + w.units
  from (select u.product_id, sum(u.units) as units
        from unnest(quote_ids, holds) as k (quote_id, holds)
        join private.quotes q on q.id = k.quote_id, unnest(q.product_ids, q.units) as u (product_id, units)
        where k.holds group by u.product_id) w
  where s.product_id = w.product_id;
  with opened as (
    select c.quote_id, c.user_id, private.checkout_answer(c, q, is_new => true) as answer
    from private.write_checkouts(quote_ids, buyers, holds, address_hashes, at) c join private.quotes q on q.id = c.quote_id
  )
  select jsonb_agg(o.answer order by c.n), count(o) into answers, opened
  from jsonb_array_elements(calls) with ordinality as c (call, n)
  left join opened o on o.quote_id = (c.call ->> 'quote_id')::uuid and o.user_id = (c.call ->> 'customer_id')::uuid;
  if opened <> cardinality(quote_ids) then
    raise 'of % checkouts % were opened', cardinality(quote_ids), opened;
  end if;
  return answers;
end $$;

revoke execute on function public.open_checkouts(jsonb) from public, anon, authenticated;
grant execute on function public.open_checkouts(jsonb) to service_role;
