-- Stock is held by the customer, not by one checkout. A new checkout takes over what it shares with the customer's older
-- unpaid checkouts; the rest of an older one stays held until its own time is over, because it can still be paid. A payment
-- takes what its checkout holds, then what nobody holds, then what the same customer holds elsewhere
-- (docs/decisions/0025-holds-belong-to-customers.md).

-- How long a checkout holds stock: holdMinutes in domain/checkout/hold-times.ts, kept equal by a test.
create function private.hold_time() returns interval
language sql immutable as $$ select interval '10 minutes' $$;

-- held: the units that the checkout holds of each of its quote's product_ids, in their order; empty when it holds nothing.
-- stock_levels.reserved is their sum. had_hold: whether it held stock when it was opened. address_hash: a keyed hash of the
-- address that it came from, for a day (private.may_hold).
alter table private.checkouts
  add column held integer[] not null default '{}',
  add column had_hold boolean not null default true,
  add column address_hash text check (char_length(address_hash) <= 64);
alter table private.checkouts alter column had_hold drop default;
update private.checkouts c set held = q.units from private.quotes q where q.id = c.quote_id and c.state = 'open';

drop index private.checkouts_reserved_idx;
create index checkouts_reserved_idx on private.checkouts (reserved_until) where state = 'open' or held <> '{}';
create index checkouts_address_idx on private.checkouts (address_hash, created_at desc) where address_hash is not null;

-- Releases what checkouts hold. The caller has locked them; they stay, because a payment may still come.
create or replace function private.free_stock(checkout_ids uuid[]) returns void
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

-- Releases holds whose time is over.
create or replace function private.lapse_checkouts(at timestamptz) returns integer
language plpgsql set search_path = '' as $$
declare
  lapsed uuid[] := array(
    select c.id from private.checkouts c
    where (c.state = 'open' or c.held <> '{}') and c.reserved_until <= at
    order by c.reserved_until limit 200 for update skip locked);
begin
  if cardinality(lapsed) > 0 then
    perform private.free_stock(lapsed);
  end if;
  return cardinality(lapsed);
end $$;

-- What a customer's unpaid checkouts hold: a quote of which only product_ids and units are filled, as shortage() takes it.
create function private.held_by(customer_id uuid) returns private.quotes
language plpgsql stable set search_path = '' as $$
declare
  held private.quotes;
begin
  select array_agg(h.product_id), array_agg(h.units) into held.product_ids, held.units
  from (
    select u.product_id, sum(u.units)::integer as units
    from private.checkouts c join private.quotes q on q.id = c.quote_id, unnest(q.product_ids, c.held) as u (product_id, units)
    where c.user_id = held_by.customer_id and c.held <> '{}'
    group by u.product_id
  ) h;
  return held;
end $$;

-- Takes units from a customer's holds, those that end first first, but not from one of them. They stay reserved: the caller
-- has locked the holds and says who has the units now.
create function private.take_from_holds(customer_id uuid, but_not uuid, product_ids bigint[], units integer[]) returns void
language sql set search_path = '' as $$
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
$$;

-- Brings what a paid checkout holds up to its quote: from the shelf, then from the customer's other holds. False when even
-- that is not enough, and then nothing has changed. One that holds nothing and needs only the shelf is sold from there.
create function private.complete_hold(checkout private.checkouts, quote private.quotes) returns boolean
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
  elsif checkout.held = '{}' and 0 = all (from_holds) then
    return true;
  end if;
  update public.stock_levels s set reserved = s.reserved + f.units
  from unnest(quote.product_ids, from_shelf) as f (product_id, units)
  where s.product_id = f.product_id and f.units > 0;
  perform private.take_from_holds(checkout.user_id, checkout.id, quote.product_ids, from_holds);
  update private.checkouts c set held = quote.units where c.id = checkout.id;
  return true;
end $$;

revoke execute on function private.hold_time(), private.held_by(uuid), private.take_from_holds(uuid, uuid, bigint[], integer[]),
  private.complete_hold(private.checkouts, private.quotes) from public;
