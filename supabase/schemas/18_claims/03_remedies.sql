-- What a claim gives: refunds by item and quantity, and replacements at no charge.
-- Called by the console's functions, which have checked the administrator.
set check_function_bodies = off;

-- The claim, locked after its order, if it has not changed since it was looked at.
create function private.lock_unchanged_claim(claim_id uuid, seen timestamptz) returns private.claims
language plpgsql set search_path = '' as $$
declare
  taken private.claims;
begin
  perform from public.orders o where o.id = (select c.order_id from private.claims c where c.id = lock_unchanged_claim.claim_id) for no key update;
  select * into taken from private.claims c where c.id = lock_unchanged_claim.claim_id for no key update;
  if taken.id is null then
    raise sqlstate 'PT404' using message = 'Claim not found.';
  end if;
  perform private.expect_unchanged(seen, taken.updated_at);
  return taken;
end $$;

-- How many of an item were given back or replaced for claims.
create function private.given_quantity(order_item_id bigint) returns integer
language sql stable set search_path = '' as $$
  select (coalesce((select sum(r.quantity) from private.claim_refunds r where r.order_item_id = given_quantity.order_item_id), 0)
        + coalesce((select sum(r.quantity) from private.replacement_items r where r.order_item_id = given_quantity.order_item_id), 0))::integer;
$$;

-- The price of a number of units of a line, after the first ones: along running sums, so that all of them together are exactly the
-- line (domain/claims/refund-share.ts is its twin).
create function private.unit_share(line_paise bigint, quantity integer, before integer, units integer) returns bigint
language sql immutable set search_path = '' as $$
  select (round(line_paise * (before + units) / quantity::numeric) - round(line_paise * before / quantity::numeric))::bigint;
$$;

-- The items of a decision, each once, of what was claimed and not given yet. Rejects others.
create function private.items_to_give(claim private.claims, items jsonb)
returns table (order_item_id bigint, quantity integer, given integer, item public.order_items)
language plpgsql stable set search_path = '' as $$
declare
  wrong record;
begin
  if jsonb_typeof(items) is distinct from 'array' or jsonb_array_length(items) > 100 then
    perform private.reject('Choose at least one item.', 'items');
  end if;
  select n.product_name as name, i.quantity as claimed into wrong
  from jsonb_to_recordset(items) as l (order_item_id bigint, quantity integer)
  left join private.claim_items i on i.claim_id = claim.id and i.order_item_id = l.order_item_id
  left join public.order_items n on n.id = i.order_item_id
  where n.id is null or coalesce(l.quantity, 0) < 1 or l.quantity > least(i.quantity, n.quantity - private.given_quantity(n.id))
  limit 1;
  if found then
    perform private.reject(case when wrong.name is null then 'This item is not in the claim.'
      else format('At most %s of %s was claimed and is still open.', wrong.claimed, wrong.name) end, 'items');
  elsif (select count(*) <> count(distinct l.order_item_id) from jsonb_to_recordset(items) as l (order_item_id bigint)) then
    perform private.reject('An item is in this decision twice.', 'items');
  end if;
  return query
  select n.id, l.quantity, private.given_quantity(n.id), n
  from jsonb_to_recordset(items) as l (order_item_id bigint, quantity integer)
  join public.order_items n on n.id = l.order_item_id order by n.id;
end $$;

-- A claim can be decided once; a refusal can be revised.
create function private.require_undecided(claim private.claims) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if claim.state = 'decided' and claim.decision <> 'refusal' then
    perform private.reject(format('Claim %s is already decided.', private.claim_ticket(claim.number)));
  end if;
end $$;

-- A message of the shop to the customer. Answering acknowledges. Returns its id.
create function private.write_to_claimant(claim private.claims, words text, entry_id uuid, at timestamptz) returns bigint
language plpgsql set search_path = '' as $$
declare
  written bigint;
begin
  insert into private.claim_messages (claim_id, order_id, from_shop, author_id, words, entry_id, at)
  values (claim.id, claim.order_id, true, auth.uid(), write_to_claimant.words, write_to_claimant.entry_id, at) returning id into written;
  return written;
end $$;

-- What every decision has in common: the state, its message to the customer, its event and its email.
create function private.decide_claim(
  claim private.claims, decision text, words text, kind text, amount_paise bigint, at timestamptz) returns private.claims
language plpgsql set search_path = '' as $$
declare
  decided private.claims;
  message bigint;
begin
  update private.claims c
  set state = 'decided', decision = decide_claim.decision, decided_at = at, acknowledged_at = coalesce(c.acknowledged_at, at),
      settle_by = private.settle_by(decide_claim.decision, at)
  where c.id = claim.id returning * into decided;
  message := private.write_to_claimant(decided, decide_claim.words, gen_random_uuid(), at);
  perform private.record_claim_event(decided, decide_claim.kind, at, auth.uid(), decide_claim.amount_paise);
  perform private.queue_claim_mail(decided, 'claim-decided', at, message);
  return decided;
end $$;

-- Refunds a number of each item, with its tax, and a part of the shipping: each a refund of its own, so that its credit note is for
-- that line. Returns the sum.
create function private.refund_claim(claim private.claims, items jsonb, shipping_paise bigint) returns bigint
language plpgsql set search_path = '' as $$
declare
  why constant text := format('Claim %s', private.claim_ticket(claim.number));
  given record;
  total bigint := 0;
  refunded jsonb;
  refundable bigint;
begin
  for given in
    select g.order_item_id, g.quantity, (g.item).product_name as name,
           least(private.unit_share(t.paise, (g.item).quantity, g.given, g.quantity), l.paise) as paise
    from private.items_to_give(claim, items) g
    join private.order_line_totals(claim.order_id) t on t.order_item_id = g.order_item_id
    join private.refundable_lines(claim.order_id) l on l.order_item_id = g.order_item_id
    order by g.order_item_id
  loop
    if given.paise <= 0 then
      perform private.reject(format('%s is already refunded.', given.name), 'items');
    end if;
    refunded := public.admin_refund_order(claim.order_id, given.paise, why,
      (select o.updated_at from public.orders o where o.id = claim.order_id), given.order_item_id);
    insert into private.claim_refunds (refund_id, claim_id, order_item_id, quantity)
    values ((refunded ->> 'refund_id')::uuid, claim.id, given.order_item_id, given.quantity);
    total := total + given.paise;
  end loop;
  if shipping_paise < 0 then
    perform private.reject('Type an amount above zero.', 'shipping_paise');
  elsif shipping_paise > 0 then
    refundable := private.refundable_shipping(claim.order_id);
    if shipping_paise > refundable then
      perform private.reject(case when refundable = 0 then 'No shipping is left to refund.'
        else format('At most %s of the shipping can be refunded.', private.format_rupees(refundable)) end, 'shipping_paise');
    end if;
    refunded := public.admin_refund_order(claim.order_id, shipping_paise, why,
      (select o.updated_at from public.orders o where o.id = claim.order_id));
    insert into private.claim_refunds (refund_id, claim_id) values ((refunded ->> 'refund_id')::uuid, claim.id);
    total := total + shipping_paise;
  end if;
  if total = 0 then
    perform private.reject('Choose at least one item.', 'items');
  end if;
  return total;
end $$;

-- What a number of an item takes from stock.
create function private.goods_to_replace(item public.order_items, quantity integer) returns table (product_id bigint, units integer)
language sql stable set search_path = '' as $$
  select g.product_id, case when item.product_id is null then g.units
                            else private.stock_quantity(p."hasSize", item.size, goods_to_replace.quantity) end
  from private.goods_of_line(item.product_id, private.stock_quantity(item.has_size, item.size, goods_to_replace.quantity),
                             goods_to_replace.quantity, item.contents) g
  join public."Products" p on p."Id" = g.product_id;
$$;

-- Takes a replacement from stock. It belongs to the order and is no sale: no price, no invoice, no figures of sales.
create function private.replace_for_claim(claim private.claims, items jsonb, at timestamptz) returns void
language plpgsql set search_path = '' as $$
declare
  refunded record;
  short record;
begin
  perform from public.orders o where o.id = claim.order_id for no key update;
  if exists (select from public.orders o where o.id = claim.order_id and o.status in ('canceled', 'Refunded')) then
    perform private.reject('This order was cancelled or refunded, so nothing is left to replace.');
  end if;
  select (g.item).product_name as name into refunded
  from private.items_to_give(claim, items) g
  join private.order_line_totals(claim.order_id) t on t.order_item_id = g.order_item_id
  join private.refundable_lines(claim.order_id) l on l.order_item_id = g.order_item_id
  cross join lateral (
    -- Given back for this line in the order, not by a claim.
    select coalesce(sum(r.amount_paise), 0) as besides from private.refunds r
    where r.order_item_id = g.order_item_id and r.status <> 'failed'
      and not exists (select from private.claim_refunds c where c.refund_id = r.id)) b
  where l.paise = 0 or b.besides >= private.unit_share(t.paise, (g.item).quantity, g.given, g.quantity) and b.besides > 0 limit 1;
  if found then
    perform private.reject(format('%s is already refunded.', refunded.name), 'items');
  end if;
  insert into private.replacements (claim_id, order_id, made_at) values (claim.id, claim.order_id, at);
  insert into private.replacement_items (claim_id, order_item_id, quantity)
  select claim.id, g.order_item_id, g.quantity from private.items_to_give(claim, items) g;
  if not found then
    perform private.reject('Choose at least one item.', 'items');
  end if;
  perform private.lock_stock(array(
    select distinct g.product_id from private.replacement_items r join public.order_items i on i.id = r.order_item_id
    cross join lateral private.goods_to_replace(i, r.quantity) g where r.claim_id = claim.id));
  select p."Name" as name, private.format_quantity(
           (case when p."hasSize" then s.available / 1000.0 else s.available end)::numeric, case when p."hasSize" then 'kg' else 'piece' end) as available
  into short
  from (select g.product_id, sum(g.units) as units from private.replacement_items r join public.order_items i on i.id = r.order_item_id
        cross join lateral private.goods_to_replace(i, r.quantity) g where r.claim_id = claim.id group by g.product_id) n
  join (select l.product_id, l.on_hand - l.reserved as available from public.stock_levels l) s on s.product_id = n.product_id
  join public."Products" p on p."Id" = n.product_id
  where n.units > s.available limit 1;
  if found then
    perform private.reject(format('There is not enough %s for a replacement: %s left. Refund it instead, or add stock first.', short.name, short.available), 'items');
  end if;
  insert into public.stock_movements (product_id, quantity, reason, order_id, note, created_at)
  select g.product_id, -sum(g.units), 'replacement', claim.order_id, format('claim %s', private.claim_ticket(claim.number)), at
  from private.replacement_items r join public.order_items i on i.id = r.order_item_id
  cross join lateral private.goods_to_replace(i, r.quantity) g
  where r.claim_id = claim.id group by g.product_id order by g.product_id;
end $$;
