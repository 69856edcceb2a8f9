-- Stock that is held for customers who are paying, and how much of it a customer may hold.
-- No tables of its own: changes checkouts and stock levels for the checkout and for settling.
set check_function_bodies = off;

-- How long a checkout holds stock: holdMinutes in domain/checkout/hold-times.ts, kept equal by a test.
create function private.hold_time() returns interval
language sql immutable as $$ select interval '10 minutes' $$;

-- What a customer's unpaid checkouts hold: a quote of which only product_ids and units are set, as shortage() takes
-- it.
create function private.held_by_customer(customer_id uuid) returns private.quotes
language plpgsql stable set search_path = '' as $$
declare
  held private.quotes;
begin
  select array_agg(h.product_id), array_agg(h.units) into held.product_ids, held.units
  from (
    select u.product_id, sum(u.units)::integer as units
    from private.checkouts c join private.quotes q on q.id = c.quote_id, unnest(q.product_ids, c.held) as u (product_id, units)
    where c.user_id = held_by_customer.customer_id and c.held <> '{}'
    group by u.product_id
  ) h;
  return held;
end $$;

-- The same of one product.
create function private.held_units(customer_id uuid, product_id bigint) returns integer
language plpgsql stable set search_path = '' as $$
begin
  return coalesce((
    select sum(u.units)
    from private.checkouts c join private.quotes q on q.id = c.quote_id, unnest(q.product_ids, c.held) as u (product_id, units)
    where c.user_id = held_units.customer_id and c.held <> '{}' and u.product_id = held_units.product_id), 0);
end $$;

-- Takes units from a customer's holds, those that expire first first, except from one of them. They stay reserved:
-- the caller has locked the holds and assigns the units.
create function private.take_from_holds(customer_id uuid, but_not uuid, product_ids bigint[], units integer[]) returns void
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

-- Brings what a paid checkout holds up to its quote: from the shelf, then from the customer's other holds. False when even
-- that is not enough, and then nothing has changed.
create function private.complete_hold(checkout private.checkouts, quote private.quotes) returns boolean
language plpgsql set search_path = '' as $$
declare
  elsewhere private.quotes := private.held_by_customer(checkout.user_id);
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

-- Which of some new checkouts hold stock; customers, addresses and grams are parallel arrays, in the order in which the
-- checkouts are opened, each customer once.
-- - An account holds twice without paying, in 24 hours or since its last kept order. Before its first kept order it holds up
--   to 5 kg at a time: a larger order is still taken, and checked again when it is paid.
-- - An address, which many customers of a mobile network may share, holds 20 times without paying, and three times more for
--   every kept order that was paid from it, up to 100 of them in 24 hours. Checkouts that held nothing do not count.
--   null: not known, and not limited.
-- An order that was paid and then canceled counts neither way. Times ahead of the clock count only for a minute (two nodes
-- may differ a little): a clock that was ahead limits nobody.
create function private.can_hold_stock(customer_ids uuid[], address_hashes text[], grams integer[], at timestamptz) returns boolean[]
language plpgsql stable set search_path = '' as $$
begin
  return (
    with asked as materialized (
      select a.n, a.address_hash,
             (p.paid_at is not null or a.grams <= 5000) and 2 > (
               select count(*) from private.checkouts c
               where c.user_id = a.customer_id and c.had_hold and c.state <> 'paid'
                 and c.created_at > greatest(p.paid_at, can_hold_stock.at - interval '24 hours')
                 and c.created_at < can_hold_stock.at + interval '1 minute') as by_account
      from unnest(customer_ids, address_hashes, grams) with ordinality as a (customer_id, address_hash, grams, n)
      cross join lateral (
        select (select o.created_at from public.orders o
                where o.user_id = a.customer_id and private.is_payment_retained(o.status, o.payment_status) and o.payment_id is not null
                order by o.created_at desc, o.id desc limit 1) as paid_at
        offset 0) p
    ), addresses as materialized (
      select d.address_hash, 20 + 3 * (
               select count(*) from (
                 select from private.checkouts c join public.orders o on o.id = c.order_id
                 where c.address_hash = d.address_hash and c.state = 'paid' and private.is_payment_retained(o.status, o.payment_status)
                   and c.created_at > can_hold_stock.at - interval '24 hours' and c.created_at < can_hold_stock.at + interval '1 minute'
                 limit 100) paid) - (
               select count(*) from (
                 select from private.checkouts c
                 where c.address_hash = d.address_hash and c.state <> 'paid' and c.had_hold
                   and c.created_at > can_hold_stock.at - interval '24 hours' and c.created_at < can_hold_stock.at + interval '1 minute'
                 limit 400) unpaid) as holds_left
      from (select distinct a.address_hash from asked a where a.address_hash is not null) d
    )
    select array_agg(r.by_account and (r.address_hash is null or r.place <= d.holds_left) order by r.n)
    from (select a.*, row_number() over (partition by a.address_hash, a.by_account order by a.n) as place from asked a) r
    left join addresses d on d.address_hash = r.address_hash);
end $$;

-- Client addresses are stored as hashes, and deleted when they no longer count.
create function public.delete_old_ip_hashes(at timestamptz default now()) returns void
language sql security definer set search_path = '' as $$
  update private.checkouts c set address_hash = null
  where c.address_hash is not null and (c.created_at < at - interval '24 hours' or c.created_at > at + interval '24 hours');
$$;

-- Releases what checkouts hold. The caller has locked them; the checkouts stay, because a payment may still come.
create function private.release_stock(checkout_ids uuid[]) returns void
language plpgsql set search_path = '' as $$
begin
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

-- Releases expired holds.
create function private.release_expired_holds(at timestamptz) returns integer
language plpgsql set search_path = '' as $$
declare
  lapsed uuid[] := array(
    select c.id from private.checkouts c
    where (c.state = 'open' or c.held <> '{}') and c.reserved_until <= at
    order by c.reserved_until limit 200 for update skip locked);
begin
  if cardinality(lapsed) > 0 then
    perform private.release_stock(lapsed);
  end if;
  return cardinality(lapsed);
end $$;

revoke execute on function public.delete_old_ip_hashes(timestamptz) from public, anon, authenticated;
grant execute on function public.delete_old_ip_hashes(timestamptz) to service_role;
