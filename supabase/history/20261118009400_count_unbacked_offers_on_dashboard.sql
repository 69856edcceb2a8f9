-- Products whose offer tag is not backed by their prices are on the dashboard's to-do list, too. One rule counts them there
-- and filters them in the list of products.

-- No tag is always true; a stored null shows 10 per cent, as specified. The same rule as isOfferBacked() in
-- domain/products/true-offer.ts. Without a search path of its own, so that queries inline it.
create function private.is_offer_backed(offer_percent smallint, price numeric, regular_price numeric) returns boolean
language sql immutable parallel safe as $$
  select coalesce(offer_percent, 10) in (0, private.true_offer(price, regular_price));
$$;
revoke execute on function private.is_offer_backed(smallint, numeric, numeric) from public;

-- Restated to use that rule.
create or replace function private.product_condition(filter jsonb) returns text
language plpgsql immutable set search_path = '' as $$
declare
  search text := btrim(coalesce(filter ->> 'search', ''));
  by_name text := (select string_agg(format('lower(p."Name") like lower(($2)[%s])', place), ' and ')
                   from generate_series(1, cardinality(private.search_patterns(search))) place);
  by_state text := case coalesce(filter ->> 'state', 'current')
    when 'all' then 'true'
    when 'current' then 'p.archived_at is null'
    when 'listed' then 'p.archived_at is null and p.is_listed'
    when 'available' then 'p.isavailable'
    when 'sold_out' then 'p.archived_at is null and p.is_listed and not p.isavailable'
    when 'facts_missing' then 'p.archived_at is null and p.is_listed and private.missing_facts(p.food_mark, p.ingredients, '
      || 'p.allergens, p.shelf_life_days, p.storage, p.weight_grams) <> ''{}'''
    when 'offer_unbacked' then 'p.archived_at is null and not private.is_offer_backed(p.offer_percent, p."Price", p.regular_price)'
    when 'unlisted' then 'p.archived_at is null and not p.is_listed'
    when 'archived' then 'p.archived_at is not null' end;
  by_stock text := case coalesce(filter ->> 'stock', 'any')
    when 'any' then 'true'
    when 'low' then 's.on_hand > 0 and s.on_hand - s.reserved <= s.low_at'
    when 'out' then 's.on_hand = 0' end;
begin
  if by_state is null or by_stock is null then
    perform private.refuse('The list cannot be filtered like this.', case when by_state is null then 'state' else 'stock' end);
  end if;
  return concat_ws(' and ', by_state, by_stock,
    case when coalesce(filter ->> 'category', '') <> '' then 'p."Category" = $1 ->> ''category''' end,
    case when search ~ '^#?[0-9]{1,15}$' then format('(p."Id" = ltrim($1 ->> ''search'', '' #'')::bigint or %s)', by_name)
         when by_name is not null then by_name end);
end $$;

-- Restated with the unbacked offers.
create or replace function public.admin_read_todo(at timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'unconfirmed', (select count(*) from (select from public.orders o where o.status = 'Pending' limit 1000) n),
    'pack_today', (select count(*) from (
      select from public.orders o where o.status in ('Confirmed', 'Preparing') and private.is_due_today(o, at) limit 1000) n),
    'to_give_back', (select count(*) from (
      select from public.orders o where private.is_to_give_back(o.status, o.payment_status) limit 1000) n),
    'low_stock', (
      select count(*) from private.short_stock h join public.stock_levels s on s.product_id = h.product_id join public."Products" p on p."Id" = h.product_id
      where p.is_listed and p.archived_at is null and s.on_hand > 0 and s.on_hand - s.reserved <= s.low_at),
    'waited_for', (
      select count(*) from private.short_stock h join public.stock_levels s on s.product_id = h.product_id join public."Products" p on p."Id" = h.product_id
      where p.is_listed and p.archived_at is null and s.on_hand = 0
        and exists (select from public.notify_subscriptions n where n.product_id = s.product_id)),
    'unbacked_offers', (select count(*) from (
      select from public."Products" p
      where p.archived_at is null and not private.is_offer_backed(p.offer_percent, p."Price", p.regular_price) limit 1000) n));
end $$;
