-- Stock that is held for customers who are paying, and how much of it a customer may hold; a group of recipients: 05_group_holds.sql.
-- No tables of its own: changes checkouts and stock levels for the checkout and for settling.
set check_function_bodies = off;

-- How long a checkout holds stock: holdMinutes in domain/checkout/hold-times.ts, which a test compares.
create function private.hold_time() returns interval
language sql immutable as $$ select interval '10 minutes' $$;

-- Units held by a customer's unpaid checkouts, per product.
create function private.held_by_customer(customer_id uuid) returns table (product_id bigint, units integer)
language plpgsql stable set search_path = '' as $$
begin
  return query
  select u.product_id, sum(u.units)::integer
  from private.checkouts c join private.quotes q on q.id = c.quote_id, unnest(q.product_ids, c.held) as u (product_id, units)
  where c.user_id = held_by_customer.customer_id and c.held <> '{}'
  group by u.product_id;
end $$;

create function private.held_units(customer_id uuid, product_id bigint) returns integer
language plpgsql stable set search_path = '' as $$
begin
  return coalesce((
    select h.units from private.held_by_customer(held_units.customer_id) h where h.product_id = held_units.product_id), 0);
end $$;

-- Removes units from the customer's other holds, earliest expiry first. `reserved` stays: the caller assigns them, and has
-- locked the holds.
create function private.take_from_holds(customer_id uuid, except_ids uuid[], product_ids bigint[], units integer[]) returns void
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
      where k.user_id = take_from_holds.customer_id and k.held <> '{}' and k.id <> all (except_ids)
    ) taken
    group by taken.id
    having sum(taken.from_here) > 0
  ) remaining
  where c.id = remaining.id;
end $$;

-- Fills the holds of paid checkouts of one customer up to their quotes: from unreserved stock, then from the customer's other
-- holds. All or none: returns false and changes nothing if both fall short.
create function private.complete_hold(checkouts private.checkouts[], quotes private.quotes[]) returns boolean
language plpgsql set search_path = '' as $$
declare
  ids constant uuid[] := array(select c.id from unnest(checkouts) as c);
  product_ids bigint[];
  from_stock integer[];
  from_holds integer[];
  is_short boolean;
begin
  perform private.lock_stock(array(select unnest(q.product_ids) from unnest(quotes) as q));
  select array_agg(needed.product_id order by needed.product_id),
         array_agg(least(needed.units, needed.in_stock) order by needed.product_id),
         array_agg(greatest(needed.units - needed.in_stock, 0) order by needed.product_id),
         bool_or(needed.units > needed.in_stock + needed.in_other_holds)
  into product_ids, from_stock, from_holds, is_short
  from (
    select wanted.product_id, wanted.units - wanted.held as units, greatest(s.on_hand - s.reserved, 0) as in_stock,
           greatest(coalesce(own.units, 0) - wanted.held, 0) as in_other_holds
    from (
      select u.product_id, sum(u.units)::integer as units, coalesce(sum(u.held), 0)::integer as held
      from unnest(checkouts) as c join unnest(quotes) as q on q.id = c.quote_id
      cross join lateral unnest(q.product_ids, q.units, c.held) as u (product_id, units, held)
      group by u.product_id) wanted
    join public.stock_levels s on s.product_id = wanted.product_id
    left join private.held_by_customer((checkouts[1]).user_id) own on own.product_id = wanted.product_id
  ) needed;
  if is_short then
    return false;
  end if;
  update public.stock_levels s set reserved = s.reserved + f.units
  from unnest(product_ids, from_stock) as f (product_id, units)
  where s.product_id = f.product_id and f.units > 0;
  if 0 < any (from_holds) then
    perform private.take_from_holds((checkouts[1]).user_id, ids, product_ids, from_holds);
  end if;
  update private.checkouts c set held = q.units from unnest(quotes) as q where c.quote_id = q.id and c.id = any (ids);
  return true;
end $$;

-- When a customer placed the last order that is paid and not canceled or fully refunded; null: never.
create function private.last_retained_order(customer_id uuid) returns timestamptz
language plpgsql stable set search_path = '' as $$
begin
  return (
    select o.created_at from public.orders o
    where o.user_id = last_retained_order.customer_id and private.is_payment_retained(o.status, o.payment_status) and o.payment_id is not null
    order by o.created_at desc, o.id desc limit 1);
end $$;

-- How many more unpaid holds a client IP address may have, as can_hold_stock() says.
create function private.address_holds_left(ip_hash text, at timestamptz) returns bigint
language plpgsql stable set search_path = '' as $$
begin
  return 20 + 3 * (
           select count(*) from (
             select from private.checkouts c join public.orders o on o.id = c.order_id
             where c.ip_hash = address_holds_left.ip_hash and c.state = 'paid' and private.is_payment_retained(o.status, o.payment_status)
               and c.created_at > address_holds_left.at - interval '24 hours' and c.created_at < address_holds_left.at + interval '1 minute'
             limit 100) paid) - (
           select count(*) from (
             select from private.checkouts c
             where c.ip_hash = address_holds_left.ip_hash and c.state <> 'paid' and c.had_hold
               and c.created_at > address_holds_left.at - interval '24 hours' and c.created_at < address_holds_left.at + interval '1 minute'
             limit 400) unpaid);
end $$;

-- Limits for new checkouts, given as parallel arrays in the order in which they are opened, each customer once.
-- - Per account: 2 unpaid holds in 24 hours or since its last retained order; up to 5 kg at a time before its first. A larger
--   order is still accepted: its stock is checked when it is paid.
-- - Per client IP address (null: unknown, unlimited), which many customers of a mobile network may share: 20 unpaid holds, plus 3
--   per retained order from it, up to 100 of them, in 24 hours. Checkouts that held nothing do not count.
-- Retained: is_payment_retained(), paid and not canceled or fully refunded. Checkouts dated more than a minute ahead of the clock
-- do not count, so that a clock that was ahead blocks no customer.
create function private.can_hold_stock(customer_ids uuid[], ip_hashes text[], grams integer[], at timestamptz) returns boolean[]
language plpgsql stable set search_path = '' as $$
begin
  return (
    with called as materialized (
      select a.n, a.ip_hash,
             (p.paid_at is not null or a.grams <= private.first_hold_grams()) and 2 > (
               select count(*) from private.checkouts c
               where c.user_id = a.customer_id and c.had_hold and c.state <> 'paid'
                 and c.created_at > greatest(p.paid_at, can_hold_stock.at - interval '24 hours')
                 and c.created_at < can_hold_stock.at + interval '1 minute') as by_account
      from unnest(customer_ids, ip_hashes, grams) with ordinality as a (customer_id, ip_hash, grams, n)
      cross join lateral (select private.last_retained_order(a.customer_id) as paid_at offset 0) p
    ), ip_addresses as materialized (
      select d.ip_hash, private.address_holds_left(d.ip_hash, can_hold_stock.at) as holds_left
      from (select distinct a.ip_hash from called a where a.ip_hash is not null) d
    )
    select array_agg(r.by_account and (r.ip_hash is null or r.place <= d.holds_left) order by r.n)
    from (select a.*, row_number() over (partition by a.ip_hash, a.by_account order by a.n) as place from called a) r
    left join ip_addresses d on d.ip_hash = r.ip_hash);
end $$;

-- Client IP addresses are stored as hashes, and deleted when they no longer count.
create function public.delete_old_ip_hashes(at timestamptz default now()) returns void
language sql security definer set search_path = '' as $$
  update private.checkouts c set ip_hash = null
  where c.ip_hash is not null and (c.created_at < at - interval '24 hours' or c.created_at > at + interval '24 hours');
$$;

-- Releases what checkouts hold, stock and offers. The caller has locked them; the checkouts stay, because a payment may still come.
create function private.release_stock(checkout_ids uuid[]) returns void
language plpgsql set search_path = '' as $$
begin
  perform private.release_offers(checkout_ids);
  perform private.lock_stock(array(
    select unnest(q.product_ids) from private.checkouts c join private.quotes q on q.id = c.quote_id
    where c.id = any (checkout_ids) and c.held <> '{}'));
  update public.stock_levels s set reserved = s.reserved - f.units
  from (
    select h.product_id, sum(h.units) as units
    from private.checkouts c join private.quotes q on q.id = c.quote_id, unnest(q.product_ids, c.held) as h (product_id, units)
    where c.id = any (checkout_ids) and c.held <> '{}'
    group by h.product_id
  ) f
  where s.product_id = f.product_id and f.units > 0;
  update private.checkouts c set held = '{}', state = case when c.state = 'open' then 'lapsed' else c.state end
  where c.id = any (checkout_ids);
end $$;

-- Releases expired holds. At most 200 per call; locked ones wait for the next.
create function private.release_expired_holds(at timestamptz) returns integer
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

revoke execute on function public.delete_old_ip_hashes(timestamptz) from public, anon, authenticated;
grant execute on function public.delete_old_ip_hashes(timestamptz) to service_role;
