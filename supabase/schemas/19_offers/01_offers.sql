-- Offers: discounts by code or automatic, their limits, and how often each was used.
-- Administrators write offers in the console; counts and uses are written when checkouts are opened, released and paid.
set check_function_bodies = off;

create table private.offers (
  id bigint generated always as identity primary key,
  -- Null: automatic, for every order that it fits.
  code text check (code ~ '^[A-Z0-9]{3,20}$'),
  -- What customers read beside the discount.
  name text not null check (char_length(name) between 2 and 60 and name = btrim(name) and name !~ '[[:cntrl:]]'),
  kind text not null check (kind in ('percent', 'amount', 'free-delivery')),
  percent smallint check (percent between 1 and 100),
  amount_paise bigint check (amount_paise between 100 and 10000000),
  -- The most that a percentage takes off one order.
  max_discount_paise bigint check (max_discount_paise between 100 and 10000000),
  -- Of the goods that it applies to, before tax and discount.
  min_order_paise bigint not null default 0 check (min_order_paise between 0 and 100000000),
  -- The categories that it applies to; empty: all of them.
  categories text[] not null default '{}' check (cardinality(categories) <= 20),
  is_first_order_only boolean not null default false,
  max_uses integer check (max_uses between 1 and 1000000),
  max_uses_per_customer integer check (max_uses_per_customer between 1 and 1000),
  -- All discounts together, with the delivery charges that were not taken.
  budget_paise bigint check (budget_paise between 100 and 100000000000),
  starts_at timestamptz not null,
  -- The first moment at which it is over.
  ends_at timestamptz,
  -- May stand beside others that combine, too.
  combines boolean not null default false,
  stopped_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint offers_value_fits_kind check (
    (kind = 'percent') = (percent is not null) and (kind = 'amount') = (amount_paise is not null)
    and (max_discount_paise is null or kind = 'percent')),
  constraint offers_end_after_start check (ends_at > starts_at)
);
comment on table private.offers is 'Discounts by code or automatic. One that was used stays, and can be stopped.';
-- Partial unique index: no key that foreign keys could use, so that changing an offer does not wait for orders that use it.
create unique index offers_code_idx on private.offers (code) where code is not null;
-- Partial index: automatic offers, read with every batch of quotes.
create index offers_automatic_idx on private.offers (id) where code is null and stopped_at is null;
alter table private.offers enable row level security;

create trigger offers_touch before update on private.offers
  for each row execute function private.touch_updated_at();
create trigger offers_audit after insert or update or delete on private.offers
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');

-- The locked row of an offer: how many uses are reserved by open checkouts, how many became orders, and what both cost.
create table private.offer_counts (
  offer_id bigint primary key references private.offers (id) on delete cascade,
  held integer not null default 0 check (held >= 0),
  used integer not null default 0 check (used >= 0),
  held_paise bigint not null default 0 check (held_paise >= 0),
  used_paise bigint not null default 0 check (used_paise >= 0)
);
alter table private.offer_counts enable row level security;

create function private.count_new_offer() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.offer_counts (offer_id) values (new.id);
  return null;
end $$;
create trigger offers_count after insert on private.offers
  for each row execute function private.count_new_offer();

-- The offers of checkouts and of the orders that they became.
create table private.offer_uses (
  checkout_id uuid not null references private.checkouts (id) on delete cascade,
  offer_id bigint not null references private.offers (id),
  user_id uuid references auth.users (id) on delete set null,
  -- held: reserved, as the stock of the checkout is. free: not reserved, or given back; its payment may still take a use that is
  -- left. used: there is an order.
  state text not null check (state in ('held', 'free', 'used')),
  discount_paise bigint not null check (discount_paise >= 0),
  -- The delivery charge that was not taken.
  shipping_paise bigint not null check (shipping_paise >= 0),
  order_id uuid references public.orders (id),
  created_at timestamptz not null,
  primary key (checkout_id, offer_id),
  constraint offer_uses_used_has_order check ((state = 'used') = (order_id is not null))
);
create index offer_uses_user_idx on private.offer_uses (user_id, offer_id);
create index offer_uses_offer_idx on private.offer_uses (offer_id, created_at desc);
-- Partial index: the uses that became orders.
create index offer_uses_order_idx on private.offer_uses (order_id) where order_id is not null;
alter table private.offer_uses enable row level security;

-- A code as it is compared: capital letters and digits, however it was typed.
create function private.tidy_code(typed text) returns text
language sql immutable set search_path = '' as $$
  select upper(regexp_replace(coalesce(typed, ''), '[\s-]+', '', 'g'));
$$;

-- Splits an amount over lines by their weights, to the paisa: each gets its share rounded down, and the paise that are left go to
-- the largest remainders, in line order. splitPaise() in domain/offers/split.ts is the same rule.
create function private.split_paise(amount bigint, weights bigint[]) returns bigint[]
language sql immutable set search_path = '' as $$
  with share as (
    select w.place, div(w.weight::numeric * amount, w.whole) as part, mod(w.weight::numeric * amount, w.whole) as remainder
    from (select u.weight, u.place, nullif(sum(u.weight) over (), 0) as whole from unnest(weights) with ordinality as u (weight, place)) w
  )
  select array_agg(coalesce(s.part + case when s.rank <= s.missing then 1 else 0 end, 0)::bigint order by s.place)
  from (
    select k.place, k.part, row_number() over (order by k.remainder desc, k.place) as rank, amount - sum(k.part) over () as missing from share k
  ) s;
$$;

-- What offers take off an order, applied in order of kind (percent, amount, free delivery) and id, each to what the earlier ones
-- left: the discount of each line, and of each offer [{offer_id, code, name, kind, discount_paise, shipping_paise}]. At least ₹1 of
-- the goods is left. calculateOffers() in domain/offers/calculate.ts is the same rule.
create function private.calculate_offers(
  line_paise bigint[], categories text[], shipping_paise bigint, offers private.offers[], out discounts bigint[], out effects jsonb)
language plpgsql immutable set search_path = '' as $$
declare
  remaining bigint[] := line_paise;
  remaining_shipping bigint := shipping_paise;
  fitting bigint[];
  goods bigint;
  base bigint;
  amount bigint;
  offer private.offers;
begin
  effects := '[]';
  for offer in
    select o.* from unnest(offers) as o order by array_position(array['percent', 'amount', 'free-delivery'], o.kind), o.id
  loop
    goods := (select sum(r) from unnest(remaining) as r);
    fitting := array(
      select case when offer.categories = '{}' or l.category = any (offer.categories) then l.paise else 0 end
      from unnest(remaining, categories) with ordinality as l (paise, category, place) order by l.place);
    base := (select sum(f) from unnest(fitting) as f);
    amount := case offer.kind
      when 'percent' then least(round(base::numeric * offer.percent / 100)::bigint, offer.max_discount_paise)
      when 'amount' then offer.amount_paise else 0 end;
    amount := greatest(least(amount, base, goods - 100), 0);
    if amount > 0 then
      remaining := array(
        select l.paise - l.share from unnest(remaining, private.split_paise(amount, fitting)) with ordinality as l (paise, share, place)
        order by l.place);
    end if;
    effects := effects || jsonb_build_object(
      'offer_id', offer.id, 'code', offer.code, 'name', offer.name, 'kind', offer.kind, 'discount_paise', amount,
      'shipping_paise', case when offer.kind = 'free-delivery' and base > 0 and goods >= 100 then remaining_shipping else 0 end);
    if offer.kind = 'free-delivery' and base > 0 and goods >= 100 then
      remaining_shipping := 0;
    end if;
  end loop;
  discounts := array(
    select l.paise - l.remaining from unnest(line_paise, remaining) with ordinality as l (paise, remaining, place) order by l.place);
end $$;

-- What the effects of offers save together, with delivery.
create function private.saved_paise(effects jsonb) returns bigint
language sql immutable set search_path = '' as $$
  select coalesce(sum(e.discount_paise + e.shipping_paise), 0)::bigint
  from jsonb_to_recordset(effects) as e (discount_paise bigint, shipping_paise bigint);
$$;

-- Why an offer cannot be used by a customer at this moment, whatever is in the cart; null: it can.
create function private.offer_rejection(offer private.offers, customer_id uuid, at timestamptz) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  if offer.starts_at > at then
    return jsonb_build_object('reason', 'not-yet', 'day', private.day_of(offer.starts_at));
  elsif offer.stopped_at is not null or offer.ends_at <= at then
    return jsonb_build_object('reason', 'ended');
  end if;
  return private.customer_rejection(offer, customer_id);
end $$;

-- Why a customer has had their share of an offer; null: they have not.
create function private.customer_rejection(offer private.offers, customer_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  if offer.max_uses_per_customer is not null and offer.max_uses_per_customer <= (
    select count(*) from private.offer_uses u
    where u.user_id = customer_rejection.customer_id and u.offer_id = offer.id and u.state = 'used') then
    return jsonb_build_object('reason', 'used-before', 'most', offer.max_uses_per_customer);
  elsif offer.is_first_order_only and exists (
    select from public.orders o where o.user_id = customer_rejection.customer_id and o.status <> 'canceled') then
    return jsonb_build_object('reason', 'first-order');
  end if;
  return null;
end $$;

-- Uses and money that an offer has left for a customer, whose own reservations are theirs to use; null: without limit.
create function private.offer_left(offer private.offers, customer_id uuid, out uses bigint, out paise bigint)
language sql stable set search_path = '' as $$
  select offer.max_uses - c.used - c.held + coalesce(own.uses, 0), offer.budget_paise - c.used_paise - c.held_paise + coalesce(own.paise, 0)
  from private.offer_counts c
  left join lateral (
    select count(*) as uses, sum(u.discount_paise + u.shipping_paise)::bigint as paise from private.offer_uses u
    where u.user_id = offer_left.customer_id and u.offer_id = offer.id and u.state = 'held') own on true
  where c.offer_id = offer.id;
$$;

-- A category that is renamed keeps its offers.
create function private.rename_category_of_offers() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.offers f set categories = array_replace(f.categories, old.name, new.name) where old.name = any (f.categories);
  return null;
end $$;
create trigger categories_rename_in_offers after update of name on public.categories
  for each row when (old.name <> new.name) execute function private.rename_category_of_offers();
