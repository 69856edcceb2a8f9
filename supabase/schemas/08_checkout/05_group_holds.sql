-- Which groups of recipients may hold stock. A group holds all that it needs, or is refused: who gets to pay gets the boxes.
-- No tables: reads checkouts and group orders. Numbers and reasons: docs/decisions/0025-stock-holds.md.
set check_function_bodies = off;

-- A first order of one parcel; the largest first order of a group; and all larger ones of new accounts that are held together, from
-- however many accounts and addresses they come: grams.
create function private.first_hold_grams() returns integer
language sql immutable as $$ select 5000 $$;
create function private.first_group_grams() returns integer
language sql immutable as $$ select 50000 $$;
create function private.first_groups_grams() returns integer
language sql immutable as $$ select 100000 $$;

-- The group whose hold a new one of the same customer goes on with: opened at most hold_time() ago, so that a list which is changed
-- again and again holds for twice that time at most. None: a row of nulls.
create function private.group_to_continue(customer_id uuid, at timestamptz) returns private.group_orders
language sql stable set search_path = '' as $$
  select g.*
  from private.group_orders g
  where g.user_id = group_to_continue.customer_id and g.state = 'open'
    and g.held_since > group_to_continue.at - private.hold_time() and g.held_since <= group_to_continue.at
    and exists (select from private.checkouts c where c.group_id = g.id and c.held <> '{}')
  order by g.created_at desc, g.id limit 1;
$$;

-- What a group counts for among the larger first orders: 0 for an account that has bought, and for up to first_hold_grams().
create function private.first_order_grams(customer_id uuid, quotes private.quotes[]) returns integer
language sql stable set search_path = '' as $$
  select case when w.grams > private.first_hold_grams() and private.last_retained_order(first_order_grams.customer_id) is null
              then w.grams else 0 end
  from (select coalesce(sum(private.grams_of(q.lines)), 0)::integer as grams from unnest(quotes) as q) w;
$$;

-- New accounts open groups one after the other: what all of them hold together is limited. Locked after customers and checkouts, and
-- before stock.
create function private.lock_group_holds(customer_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  if private.last_retained_order(customer_id) is null then
    perform pg_advisory_xact_lock(hashtextextended('groups of new accounts', 0));
  end if;
end $$;

-- Why the stock of a group cannot be held; null: it can.
-- - Per account: 2 unpaid groups in 24 hours or since its last retained order.
-- - Before its first: up to 50 kg. Up to 5 kg it counts at its address as any checkout; above that an address (null: unknown,
--   unlimited) has one unpaid group at a time and 2 in 24 hours, and all addresses together hold 100 kg.
-- A group that goes on with the hold of the one before is no further one.
create function private.group_hold_refusal(customer_id uuid, quotes private.quotes[], ip_hash text, at timestamptz) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  paid_at constant timestamptz := private.last_retained_order(customer_id);
  continued constant uuid := (private.group_to_continue(customer_id, at)).id;
  grams constant bigint := (select sum(private.grams_of(q.lines)) from unnest(quotes) as q);
begin
  if paid_at is null and grams > private.first_group_grams() then
    return jsonb_build_object('ok', false, 'reason', 'first-group-too-heavy', 'limit_grams', private.first_group_grams());
  elsif 2 <= (
    select count(*) from private.checkouts c
    where c.user_id = group_hold_refusal.customer_id and c.group_place = 1 and c.had_hold and c.state <> 'paid'
      and c.group_id is distinct from continued
      and c.created_at > greatest(paid_at, group_hold_refusal.at - interval '24 hours')
      and c.created_at < group_hold_refusal.at + interval '1 minute') then
    return jsonb_build_object('ok', false, 'reason', 'too-many-unpaid-groups');
  elsif paid_at is not null then
    return null;
  elsif grams <= private.first_hold_grams() then
    return case when ip_hash is not null and continued is null and private.address_holds_left(ip_hash, at) < 1
                then jsonb_build_object('ok', false, 'reason', 'unpaid-groups-of-address') end;
  elsif exists (
    select from private.checkouts c
    where c.ip_hash = group_hold_refusal.ip_hash and c.group_place = 1 and c.had_hold and c.state <> 'paid'
      and c.group_id is distinct from continued
      and c.created_at > group_hold_refusal.at - interval '24 hours' and c.created_at < group_hold_refusal.at + interval '1 minute'
    having count(*) >= 2 or bool_or(c.reserved_until > group_hold_refusal.at and c.user_id is distinct from group_hold_refusal.customer_id)) then
    return jsonb_build_object('ok', false, 'reason', 'unpaid-groups-of-address');
  elsif grams + (
    select coalesce(sum(g.first_order_grams), 0) from private.group_orders g
    where g.user_id is distinct from group_hold_refusal.customer_id and g.first_order_grams > 0
      and g.id in (select c.group_id from private.checkouts c where c.held <> '{}')) > private.first_groups_grams() then
    return jsonb_build_object('ok', false, 'reason', 'too-many-first-groups');
  end if;
  return null;
end $$;
