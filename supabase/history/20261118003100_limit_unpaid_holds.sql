-- Stock cannot be frozen for nothing: an account or an address that keeps opening checkouts without paying no longer holds
-- stock. Its checkouts see that there is enough, and settle_payment() sees again when they are paid
-- (docs/decisions/0025-holds-belong-to-customers.md).

-- What the lines of a quote weigh.
create function private.grams_of(lines jsonb) returns integer
language sql immutable as $$
  select coalesce(sum((l ->> 'grams')::integer), 0)::integer from jsonb_array_elements(lines) as l;
$$;

-- Which of some new checkouts hold stock; customers, addresses and grams stand in the same places, in the order in which the
-- checkouts are opened.
-- - An account holds twice without paying, in 24 hours or since its last order that it paid and kept. Before its first such
--   order it holds up to 5 kg at a time: an order that is larger is still taken, and looked at again when it is paid.
-- - An address, which many customers of a mobile network may share, holds 20 times without paying, and three times more for
--   every checkout that was paid from it, up to 100 of them in 24 hours. Checkouts that held nothing do not count, so they
--   cannot push the others out of sight. null: not known, and not limited.
-- Times ahead of the clock count only for a minute (two nodes may differ a little): a clock that was ahead limits nobody.
create function private.may_hold(customer_ids uuid[], address_hashes text[], grams integer[], at timestamptz) returns boolean[]
language sql stable set search_path = '' as $$
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
              where o.user_id = a.customer_id and o.payment_id is not null and o.status <> 'canceled'
              order by o.created_at desc limit 1) as paid_at
      offset 0) p
  ), addresses as materialized (
    select d.address_hash, 20 + 3 * k.paid - k.unpaid as holds_left
    from (select distinct a.address_hash from asked a where a.address_hash is not null) d
    cross join lateral (
      select count(*) filter (where l.state = 'paid') as paid, count(*) filter (where l.state <> 'paid') as unpaid
      from ((select c.state from private.checkouts c
             where c.address_hash = d.address_hash and c.state = 'paid' and c.created_at > may_hold.at - interval '24 hours'
               and c.created_at < may_hold.at + interval '1 minute'
             limit 100)
            union all
            (select c.state from private.checkouts c
             where c.address_hash = d.address_hash and c.state <> 'paid' and c.had_hold
               and c.created_at > may_hold.at - interval '24 hours' and c.created_at < may_hold.at + interval '1 minute'
             limit 400)) l) k
  )
  select array_agg(r.by_account and (r.address_hash is null or r.place <= d.holds_left) order by r.n)
  from (select a.*, row_number() over (partition by a.address_hash, a.by_account order by a.n) as place from asked a) r
  left join addresses d on d.address_hash = r.address_hash;
$$;

drop function private.write_checkouts(uuid[], private.buyers[], timestamptz);
-- Checkouts of quotes for which everything is in order, for customers as they were when that was looked at.
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

drop function public.open_checkout(uuid, bigint, uuid, timestamptz);
-- Binds a quote to a checkout and holds its stock, if the customer may hold. Asked again for the same quote it returns the
-- same checkout; a new one takes over what it shares with the customer's older ones.
create function public.open_checkout(
  customer_id uuid, amount_paise bigint, quote_id uuid default null, at timestamptz default now(),
  address_hash text default null
) returns jsonb
language plpgsql security definer set search_path = ''
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  found_quote record;
  quote private.quotes;
  opened private.checkouts;
  held private.quotes;
  person private.buyers;
  missing_phone boolean;
  missing_address boolean;
  refusal jsonb;
  holds boolean[];
begin
  -- Nobody can pay before attach_provider_order() has committed, and that brings this to the disk with it.
  perform set_config('synchronous_commit', 'off', true);
  -- One checkout of a customer at a time: double clicks and second tabs wait here.
  perform pg_advisory_xact_lock(hashtextextended('checkout ' || customer_id, 0));
  select * into found_quote from private.find_quote(customer_id, amount_paise, open_checkout.quote_id, at);
  quote := found_quote.quote;
  if quote.id is not null then
    select * into opened from private.checkouts c where c.quote_id = quote.id;
    if opened.state = 'paid' then
      return jsonb_build_object('ok', false, 'reason', 'already-paid');
    elsif opened.state = 'open' and found_quote.reason is null then
      return private.checkout_answer(opened, quote, is_new => false);
    end if;
  end if;
  if found_quote.reason is not null then
    return jsonb_build_object('ok', false, 'reason', found_quote.reason);
  elsif opened.id is not null then
    return jsonb_build_object('ok', false, 'reason', 'quote-expired');
  end if;

  if not private.take_turn('checkout', customer_id::text, 5, interval '1 minute', at) then
    return jsonb_build_object('ok', false, 'reason', 'too-many-checkouts');
  end if;
  if exists (select from private.customer_records r where r.user_id = customer_id and r.blocked_at is not null) then
    return jsonb_build_object('ok', false, 'reason', 'blocked');
  end if;

  select * into person from private.buyers b where b.id = customer_id;
  missing_phone := coalesce(person.phone, '') = '';
  missing_address := quote.fulfilment = 'delivery'
    and '' = any (array[person.building_no, person.street, person.city, person.state, person.zip]);
  if missing_phone or missing_address then
    return jsonb_build_object('ok', false, 'reason', 'address-incomplete',
                              'missing_phone', missing_phone, 'missing_address', missing_address);
  elsif quote.fulfilment = 'delivery' and person.zip <> quote.pincode then
    return jsonb_build_object('ok', false, 'reason', 'address-changed');
  end if;

  perform from private.checkouts c
  where c.user_id = customer_id and (c.state = 'open' or c.held <> '{}') order by c.id for update;
  held := private.held_by(customer_id);
  perform private.lock_stock(quote.product_ids);
  refusal := private.shortage(quote.product_ids, quote.units, held);
  if refusal is not null then
    return refusal;
  end if;

  holds := private.may_hold(array[customer_id], array[address_hash], array[private.grams_of(quote.lines)], at);
  if true = any (holds) then
    -- What the customer's older checkouts hold of the same things is reserved already, and becomes this one's.
    update public.stock_levels s set reserved = s.reserved + w.units - least(w.units, coalesce(h.units, 0))
    from unnest(quote.product_ids, quote.units) as w (product_id, units)
    left join unnest(held.product_ids, held.units) as h (product_id, units) on h.product_id = w.product_id
    where s.product_id = w.product_id and w.units > coalesce(h.units, 0);
    perform private.take_from_holds(customer_id, null, quote.product_ids, quote.units);
  end if;
  update private.checkouts c set state = 'superseded' where c.user_id = customer_id and c.state = 'open';
  select * into opened from private.write_checkouts(array[quote.id], array[person], holds, array[address_hash], at);
  return private.checkout_answer(opened, quote, is_new => true);
end $$;

-- open_checkout() for many calls, [{customer_id, amount_paise, quote_id, at, address_hash}]: as many results, null for
-- those that are not simply opened and have to be called alone.
create or replace function public.open_checkouts(calls jsonb) returns jsonb
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

-- Client addresses are kept, as hashes, for as long as they are counted.
create function public.forget_addresses(at timestamptz default now()) returns void
language sql security definer set search_path = '' as $$
  update private.checkouts c set address_hash = null
  where c.address_hash is not null and (c.created_at < at - interval '24 hours' or c.created_at > at + interval '24 hours');
$$;

revoke execute on function public.open_checkout(uuid, bigint, uuid, timestamptz, text), public.forget_addresses(timestamptz)
  from public, anon, authenticated;
grant execute on function public.open_checkout(uuid, bigint, uuid, timestamptz, text), public.forget_addresses(timestamptz)
  to service_role;
revoke execute on function private.grams_of(jsonb), private.may_hold(uuid[], text[], integer[], timestamptz),
  private.write_checkouts(uuid[], private.buyers[], boolean[], text[], timestamptz) from public;
