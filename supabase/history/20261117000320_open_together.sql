-- Checkouts that are opened at the same moment are opened together. Alone or together, what a customer is, and when a promise
-- still holds, is said once.

-- Customers as a checkout writes them down.
create view private.buyers with (security_invoker = true) as
  select u.id, u.email,
         coalesce(nullif(left(btrim(m.data ->> 'full_name'), 120), ''), nullif(left(btrim(m.data ->> 'name'), 120), ''),
                  nullif(left(split_part(u.email, '@', 1), 120), ''), 'Customer') as name,
         coalesce(btrim(p.phone), '') as phone, coalesce(btrim(p.building_no), '') as building_no,
         coalesce(btrim(p.street), '') as street, coalesce(btrim(p.city), '') as city,
         coalesce(btrim(p.state), '') as state, coalesce(btrim(p.zip), '') as zip
  from auth.users u
  cross join lateral (select private.metadata_of(u.raw_user_meta_data) as data offset 0) m
  left join public.user_profiles p on p.user_id = u.id;

-- Those of some quotes whose day of delivery is still what it was when they were made, and whose sweets survive the journey.
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
       or (q.delivery_by is not distinct from j.arrives_on and private.spoiled(q.product_ids, j.arrives_on - j.leaves_on) is null));
end $$;

create or replace function private.find_quote(customer_id uuid, amount_paise bigint, quote_id uuid, at timestamptz,
                                              out quote private.quotes, out reason text)
language plpgsql stable set search_path = '' as $$
begin
  if find_quote.quote_id is not null then
    select * into quote from private.quotes q where q.id = find_quote.quote_id and q.user_id = customer_id;
    reason := case when quote.id is null then 'no-quote'
                   when quote.total_paise <> find_quote.amount_paise then 'amount-mismatch'
                   when quote.expires_at <= at then 'quote-expired' end;
  else
    select * into quote from private.quotes q
    where q.user_id = customer_id and q.total_paise = find_quote.amount_paise and q.expires_at > at
    order by q.created_at desc, q.id
    limit 1;
    reason := case
      when quote.id is null then 'no-quote'
      when exists (select from private.quotes q
                   where q.user_id = customer_id and q.total_paise = find_quote.amount_paise and q.expires_at > at
                     and (q.lines, q.pincode, q.source, q.fulfilment)
                         is distinct from (quote.lines, quote.pincode, quote.source, quote.fulfilment)) then 'ambiguous-amount'
    end;
  end if;
  if reason is null and not quote.id = any (private.still_promised(array[quote.id])) then
    reason := 'quote-expired';
  end if;
end $$;

-- Checkouts of quotes for which everything is in order, for customers as they were when that was looked at.
create function private.write_checkouts(quote_ids uuid[], buyers private.buyers[], at timestamptz) returns setof private.checkouts
language sql set search_path = '' as $$
  insert into private.checkouts (quote_id, user_id, family_id, delivery_name, delivery_phone, delivery_building_no,
                                 delivery_street, delivery_city, delivery_state, delivery_zip, reserved_until, next_check_at, created_at)
  select q.id, b.id, coalesce(private.unpaid_family(b.id, at), gen_random_uuid()), b.name, b.phone, b.building_no,
         b.street, b.city, b.state, b.zip, at + interval '20 minutes', at + interval '30 seconds', at
  from unnest(buyers) as b join private.quotes q on q.user_id = b.id and q.id = any (quote_ids)
  returning *;
$$;

create or replace function public.open_checkout(
  customer_id uuid, amount_paise bigint, quote_id uuid default null, at timestamptz default now()
) returns jsonb
language plpgsql security definer set search_path = ''
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  found_quote record;
  quote private.quotes;
  opened private.checkouts;
  earlier private.checkouts;
  held private.quotes;
  person private.buyers;
  missing_phone boolean;
  missing_address boolean;
  refusal jsonb;
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

  select * into earlier from private.checkouts c where c.user_id = customer_id and c.state = 'open' for update;
  if earlier.id is not null then
    select * into held from private.quotes q where q.id = earlier.quote_id;
  end if;
  perform private.lock_stock(held.product_ids || quote.product_ids);

  refusal := private.shortage(quote.product_ids, quote.units, held);
  if refusal is not null then
    return refusal;
  end if;

  update public.stock_levels s set reserved = s.reserved + c.change
  from (
    select coalesce(w.product_id, h.product_id) as product_id, coalesce(w.units, 0) - coalesce(h.units, 0) as change
    from unnest(quote.product_ids, quote.units) as w (product_id, units)
    full join unnest(held.product_ids, held.units) as h (product_id, units) on h.product_id = w.product_id
  ) c
  where s.product_id = c.product_id and c.change <> 0;
  update private.checkouts c set state = 'superseded' where c.id = earlier.id;
  select * into opened from private.write_checkouts(array[quote.id], array[person], at);
  return private.checkout_answer(opened, quote, is_new => true);
end $$;

-- open_checkout() for many calls, [{customer_id, amount_paise, quote_id, at}]: as many answers. What is not simply opened is
-- answered null, and whoever asked asks again, alone.
create function public.open_checkouts(calls jsonb) returns jsonb
language plpgsql security definer set search_path = '' set lock_timeout = '250ms'
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  at timestamptz := (select max((c ->> 'at')::timestamptz) from jsonb_array_elements(calls) as c);
  quote_ids uuid[];
  buyers private.buyers[];
  customer_ids text[];
  short bigint[];
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
    and not exists (select from private.checkouts k where k.user_id = q.user_id and k.state = 'open')
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
  quote_ids := array(select q.id from private.quotes q where q.id = any (quote_ids) and q.user_id::text = any (customer_ids));

  update public.stock_levels s set reserved = s.reserved + w.units
  from (select u.product_id, sum(u.units) as units
        from private.quotes q, unnest(q.product_ids, q.units) as u (product_id, units)
        where q.id = any (quote_ids) group by u.product_id) w
  where s.product_id = w.product_id;
  with opened as (
    select c.quote_id, c.user_id, private.checkout_answer(c, q, is_new => true) as answer
    from private.write_checkouts(quote_ids, buyers, at) c join private.quotes q on q.id = c.quote_id
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
revoke execute on function private.still_promised(uuid[]),
  private.write_checkouts(uuid[], private.buyers[], timestamptz) from public;
