-- Uses of offers: reserved when a checkout is opened, given back when it expires, is replaced or fails, and used when it is paid.
-- No tables: writes offer_uses and offer_counts for the checkout and for settling.
set check_function_bodies = off;

-- Locks the counts of every offer that customers hold, are about to reserve, or pay for: after checkouts and before stock, by id.
create function private.lock_offers(customer_ids uuid[], provider_order_ids text[], at timestamptz) returns void
language plpgsql set search_path = '' as $$
begin
  perform from private.offer_counts c
  where c.offer_id = any (array(
    select e.offer_id from unnest(customer_ids) as k (id)
    cross join lateral (select q.offers from private.quotes q where q.user_id = k.id and q.offers <> '[]' and q.expires_at > lock_offers.at offset 0) q
    cross join lateral jsonb_to_recordset(q.offers) as e (offer_id bigint)
    union
    select u.offer_id from unnest(customer_ids) as k (id)
    cross join lateral (select u.offer_id from private.offer_uses u where u.user_id = k.id and u.state = 'held' offset 0) u
    union
    select u.offer_id from unnest(provider_order_ids) as p (id)
    join private.checkouts c on c.provider_order_id = p.id
    join private.offer_uses u on u.checkout_id = c.id))
  order by c.offer_id for update;
end $$;

-- Openings whose offers are over or used up, by the place of the first that finds none left; their customers get a new quote, which
-- says why. The caller has locked the counts. A customer's own reservation moves to the new checkout.
create function private.offerless_openings(openings private.opening[], at timestamptz) returns integer[]
language plpgsql stable set search_path = '' as $$
begin
  return array(
    with wanted as materialized (
      select o.place, o.customer_id, f as offer, l.uses as uses_left, l.paise as paise_left, 1 - coalesce(own.uses, 0) as uses, e.discount_paise + e.shipping_paise - coalesce(own.paise, 0) as paise
      from unnest(openings) as o
      cross join lateral jsonb_to_recordset((o.quote).offers) as e (offer_id bigint, discount_paise bigint, shipping_paise bigint)
      left join private.offers f on f.id = e.offer_id
      left join lateral private.offer_left(f, null) l on true
      left join lateral (
        select count(*) as uses, sum(u.discount_paise + u.shipping_paise) as paise from private.offer_uses u
        where u.user_id = o.customer_id and u.offer_id = e.offer_id and u.state = 'held') own on true
      where (o.quote).offers <> '[]'
    ), summed as (
      select w.*, sum(w.uses) over so_far as uses_so_far, sum(w.paise) over so_far as paise_so_far
      from wanted w window so_far as (partition by (w.offer).id order by w.place)
    )
    select distinct s.place from summed s
    where (s.offer).id is null
       or (s.uses > 0 and s.uses_so_far > s.uses_left) or (s.paise > 0 and s.paise_so_far > s.paise_left)
       or private.offer_rejection(s.offer, s.customer_id, offerless_openings.at) is not null);
end $$;

-- Writes the offers of new checkouts, and reserves a use of each where the checkout holds stock: whoever may not hold stock
-- (can_hold_stock) may not freeze offers either.
create function private.hold_offers(quote_ids uuid[], at timestamptz) returns void
language plpgsql set search_path = '' as $$
begin
  with new_uses as (
    insert into private.offer_uses (checkout_id, offer_id, user_id, state, discount_paise, shipping_paise, created_at)
    select c.id, e.offer_id, c.user_id, case when c.had_hold then 'held' else 'free' end, e.discount_paise, e.shipping_paise, hold_offers.at
    from private.checkouts c join private.quotes q on q.id = c.quote_id
    cross join lateral jsonb_to_recordset(q.offers) as e (offer_id bigint, discount_paise bigint, shipping_paise bigint)
    where c.quote_id = any (quote_ids)
    returning offer_id, state, discount_paise + shipping_paise as paise
  )
  update private.offer_counts c set held = c.held + n.uses, held_paise = c.held_paise + n.paise
  from (select u.offer_id, count(*) as uses, sum(u.paise) as paise from new_uses u where u.state = 'held' group by u.offer_id) n
  where c.offer_id = n.offer_id;
end $$;

-- Gives back what checkouts have reserved. The caller has locked the checkouts.
create function private.release_offers(checkout_ids uuid[]) returns void
language plpgsql set search_path = '' as $$
begin
  perform from private.offer_counts c
  where c.offer_id = any (array(select u.offer_id from private.offer_uses u where u.checkout_id = any (checkout_ids) and u.state = 'held'))
  order by c.offer_id for update;
  if found then
    with given_back as (
      update private.offer_uses u set state = 'free' where u.checkout_id = any (checkout_ids) and u.state = 'held'
      returning u.offer_id, u.discount_paise + u.shipping_paise as paise
    )
    update private.offer_counts c set held = c.held - g.uses, held_paise = c.held_paise - g.paise
    from (select b.offer_id, count(*) as uses, sum(b.paise) as paise from given_back b group by b.offer_id) g
    where c.offer_id = g.offer_id;
  end if;
end $$;

-- The same for the open checkouts of customers, which newer ones replace.
create function private.release_offers_of(customer_ids uuid[]) returns void
language plpgsql set search_path = '' as $$
declare
  holders constant uuid[] := array(
    select u.checkout_id from unnest(customer_ids) as k (id)
    cross join lateral (select u.checkout_id from private.offer_uses u where u.user_id = k.id and u.state = 'held' offset 0) u);
begin
  if cardinality(holders) > 0 then
    perform private.release_offers(holders);
  end if;
end $$;

-- Reserves what a checkout that was paid no longer has of its offers: first what the same customer's other checkouts have reserved,
-- then what is left. All or none: returns false and changes nothing where an offer is used up. An offer that ended or was stopped
-- since counts: it was promised. The caller has locked the counts.
create function private.complete_offers(checkout private.checkouts) returns boolean
language plpgsql set search_path = '' as $$
declare
  missing constant bigint[] := array(select u.offer_id from private.offer_uses u where u.checkout_id = checkout.id and u.state = 'free');
begin
  if missing = '{}' then
    return true;
  elsif exists (
    select from private.offer_uses u join private.offers f on f.id = u.offer_id
    cross join lateral private.offer_left(f, checkout.user_id) l
    where u.checkout_id = checkout.id and u.state = 'free'
      and (l.uses < 1 or l.paise < u.discount_paise + u.shipping_paise or private.customer_rejection(f, checkout.user_id) is not null)) then
    return false;
  end if;
  perform private.release_offers(array(
    select u.checkout_id from private.offer_uses u where u.user_id = checkout.user_id and u.state = 'held' and u.offer_id = any (missing)));
  with taken as (
    update private.offer_uses u set state = 'held' where u.checkout_id = checkout.id and u.state = 'free'
    returning u.offer_id, u.discount_paise + u.shipping_paise as paise
  )
  update private.offer_counts c set held = c.held + 1, held_paise = c.held_paise + t.paise from taken t where c.offer_id = t.offer_id;
  return true;
end $$;

-- The reserved uses of checkouts that became orders; both arrays are in the same order.
create function private.use_offers(checkout_ids uuid[], order_ids uuid[]) returns void
language plpgsql set search_path = '' as $$
begin
  with taken as (
    update private.offer_uses u set state = 'used', order_id = k.order_id
    from unnest(checkout_ids, order_ids) as k (checkout_id, order_id)
    where u.checkout_id = k.checkout_id and u.state = 'held'
    returning u.offer_id, u.discount_paise + u.shipping_paise as paise
  )
  update private.offer_counts c
  set held = c.held - t.uses, held_paise = c.held_paise - t.paise, used = c.used + t.uses, used_paise = c.used_paise + t.paise
  from (select k.offer_id, count(*) as uses, sum(k.paise) as paise from taken k group by k.offer_id) t
  where c.offer_id = t.offer_id;
end $$;
