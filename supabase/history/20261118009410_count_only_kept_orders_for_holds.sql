-- Paying and then canceling earns no holds: an order raises the allowance of its account and its address only while it is
-- neither canceled nor refunded (docs/decisions/0025-holds-belong-to-customers.md).

-- Paid, and the money is still with the shop, all of it or a part. Without a search path, so that queries inline it.
create function private.is_kept(status text, payment_status text) returns boolean
language sql immutable parallel safe as $$
  select status not in ('canceled', 'Refunded') and payment_status in ('paid', 'partially_refunded');
$$;
revoke execute on function private.is_kept(text, text) from public;

-- Which of some new checkouts hold stock; customers, addresses and grams are parallel arrays, in the order in which the
-- checkouts are opened.
-- - An account holds twice without paying, in 24 hours or since its last kept order. Before its first kept order it holds up
--   to 5 kg at a time: a larger order is still taken, and checked again when it is paid.
-- - An address, which many customers of a mobile network may share, holds 20 times without paying, and three times more for
--   every kept order that was paid from it, up to 100 of them in 24 hours. Checkouts that held nothing do not count.
--   null: not known, and not limited.
-- An order that was paid and then canceled counts neither way. Times ahead of the clock count only for a minute (two nodes
-- may differ a little): a clock that was ahead limits nobody.
create or replace function private.may_hold(customer_ids uuid[], address_hashes text[], grams integer[], at timestamptz) returns boolean[]
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
              where o.user_id = a.customer_id and private.is_kept(o.status, o.payment_status) and o.payment_id is not null
              order by o.created_at desc limit 1) as paid_at
      offset 0) p
  ), addresses as materialized (
    select d.address_hash, 20 + 3 * k.paid - k.unpaid as holds_left
    from (select distinct a.address_hash from asked a where a.address_hash is not null) d
    cross join lateral (
      select count(*) filter (where l.state = 'paid') as paid, count(*) filter (where l.state <> 'paid') as unpaid
      from ((select c.state from private.checkouts c join public.orders o on o.id = c.order_id
             where c.address_hash = d.address_hash and c.state = 'paid' and c.created_at > may_hold.at - interval '24 hours'
               and c.created_at < may_hold.at + interval '1 minute' and private.is_kept(o.status, o.payment_status)
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
