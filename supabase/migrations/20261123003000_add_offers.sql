-- Offers: discounts by code or automatic, with limits, split over lines, tax, invoices, refunds and profit and loss.
-- What was ordered before had no discount.
set check_function_bodies = off;

alter table private.quotes drop constraint quotes_check1;

alter table public.orders drop constraint orders_check;

drop function private.profit_and_loss(from_day date, to_day date);

drop function public.quote_order(customer_id uuid, lines jsonb, pincode text, source text, fulfilment text, at timestamp with time zone, delivery_on date);

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

alter table private.offers enable row level security;

create table private.offer_counts (
  offer_id bigint primary key references private.offers (id) on delete cascade,
  held integer not null default 0 check (held >= 0),
  used integer not null default 0 check (used >= 0),
  held_paise bigint not null default 0 check (held_paise >= 0),
  used_paise bigint not null default 0 check (used_paise >= 0)
);

alter table private.offer_counts enable row level security;

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

alter table private.offer_uses enable row level security;

alter table private.placed_items add column discount numeric(12,2) not null default 0;

alter table private.profit_days add column discount_paise bigint not null default 0;

alter table private.quotes add column discount_paise bigint not null default 0;

alter table private.quotes add column offers jsonb not null default '[]'::jsonb;

alter table public.order_items add column discount numeric(12,2) not null default 0;

alter table public.orders add column discount numeric(12,2) not null default 0;

alter table public.orders add column offers jsonb not null default '[]'::jsonb;

alter table private.placed_items add constraint placed_items_discount_is_a_number CHECK ((discount <> 'NaN'::numeric));

alter table private.quotes add constraint quotes_check1 CHECK (((total_paise = (((sub_total_paise - discount_paise) + tax_paise) + shipping_paise)) AND (total_paise >= 100)));

alter table private.quotes add constraint quotes_discount_paise_check CHECK ((discount_paise >= 0));

alter table public.order_items add constraint order_items_discount_is_a_number CHECK ((discount <> 'NaN'::numeric));

alter table public.order_items add constraint order_items_discount_is_part CHECK (((discount >= (0)::numeric) AND (discount <= (((unit_price * (size)::numeric) / (500)::numeric) * (quantity)::numeric))));

alter table public.orders add constraint orders_check CHECK (((total_amount >= (1)::numeric) AND (total_amount = (((sub_total - discount) + tax) + shipping_charge))));

alter table public.orders add constraint orders_discount_check CHECK ((discount >= (0)::numeric));

alter table public.orders add constraint orders_discount_is_a_number CHECK ((discount <> 'NaN'::numeric));

create function private.apply_offers(calls jsonb, quotes private.quotes[], rejections jsonb[], at timestamptz)
returns table (place integer, quote private.quotes, code_problem jsonb)
language plpgsql set search_path = '' as $$
declare
  automatic constant private.offers[] := array(
    select o from private.offers o
    where o.code is null and o.stopped_at is null and o.starts_at <= apply_offers.at and (o.ends_at is null or o.ends_at > apply_offers.at)
    order by o.id);
  typed text;
  offer private.offers;
  fitting private.offers[];
  problem jsonb;
  line_paise bigint[];
  line_categories text[];
  best private.offers[];
  guessers text[] := '{}';
begin
  for n in 1 .. jsonb_array_length(calls) loop
    typed := private.tidy_code(calls -> n - 1 ->> 'code');
    continue when rejections[n] is not null or typed = '' and automatic = '{}';
    quote := quotes[n];
    select array_agg(l.line_paise order by l.place), array_agg(coalesce(p."Category", '') order by l.place) into line_paise, line_categories
    from rows from (jsonb_to_recordset(quote.lines) as (product_id bigint, line_paise bigint)) with ordinality as l (product_id, line_paise, place)
    left join public."Products" p on p."Id" = l.product_id;
    fitting := array(select o from unnest(automatic) as o where private.try_offer(o, quote, line_paise, line_categories, apply_offers.at) is null);
    code_problem := null;
    if typed <> '' then
      select * into offer from private.offers o where o.code = typed;
      if offer.id is null then
        guessers := guessers || quote.user_id::text;
      end if;
      problem := case when private.has_guessed_codes(quote.user_id, apply_offers.at) then '{"reason": "too-many-codes"}'
                      when offer.id is null then '{"reason": "unknown"}'
                      else private.try_offer(offer, quote, line_paise, line_categories, apply_offers.at) end;
      if problem is null then
        fitting := fitting || offer;
      else
        code_problem := problem || jsonb_build_object('code', typed);
      end if;
    end if;
    best := private.best_offers(fitting, line_paise, line_categories, quote.shipping_paise);
    if code_problem is null and typed <> '' and offer.id <> all (array(select o.id from unnest(best) as o)) then
      code_problem := jsonb_build_object('reason', 'better-offer', 'code', typed, 'offer', best[1].name);
    end if;
    if best is not null then
      quote := private.discounted_quote(quote, line_paise, line_categories, best);
    end if;
    place := n;
    return next;
  end loop;
  if guessers <> '{}' then
    perform private.consume_rate_limits('unknown code', guessers, 20, interval '1 hour', apply_offers.at);
  end if;
end $$;

create function private.best_offers(fitting private.offers[], line_paise bigint[], categories text[], shipping_paise bigint) returns private.offers[]
language plpgsql immutable set search_path = '' as $$
declare
  best private.offers[];
  candidate record;
  saved bigint;
  most bigint := 0;
begin
  for candidate in
    select array[o] as offers, o.code is null as is_automatic, o.id from unnest(fitting) as o
    union all
    select array_agg(o order by o.id), bool_and(o.code is null), min(o.id) from unnest(fitting) as o where o.combines having count(*) > 1
    order by is_automatic, id
  loop
    saved := private.saved_paise((private.calculate_offers(line_paise, categories, shipping_paise, candidate.offers)).effects);
    if saved > most then
      best := candidate.offers;
      most := saved;
    end if;
  end loop;
  return best;
end $$;

create or replace function private.calculate_city_sales(step text, from_time timestamptz, to_time timestamptz) returns setof private.sales_step_cities
language sql stable as $$
  select step, private.start_of_step(step, o.created_at), private.city_of(o), count(*)::integer, (sum(o.sub_total - o.discount) * 100)::bigint
  from public.orders o
  where o.created_at >= from_time and o.created_at < to_time and o.status <> 'canceled'
  group by 2, 3;
$$;

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

create or replace function private.calculate_product_sales(step text, from_time timestamptz, to_time timestamptz) returns setof private.sales_step_products
language sql stable as $$
  select step, private.start_of_step(step, o.created_at), s.product_id, sum(s.grams)::bigint, sum(s.pieces)::bigint, sum(s.paise)::bigint
  from public.orders o join public.order_items i on i.order_id = o.id
  cross join lateral (
    select i.product_id, case when i.has_size then i.size * i.quantity else 0 end as grams,
           case when i.has_size then 0 else i.quantity end as pieces, i.unit_price * i.size / 5 * i.quantity - i.discount * 100 as paise
    where i.product_id is not null
    union all
    select c.product_id, c.grams * i.quantity, 0,
           c.pieces * c.piece_paise * i.quantity * (1 - i.discount / (i.unit_price * i.size / 500 * i.quantity))
    from jsonb_to_recordset(i.contents -> 'products') as c (product_id bigint, grams integer, pieces integer, piece_paise bigint)) s
  where o.created_at >= from_time and o.created_at < to_time and o.status <> 'canceled'
  group by 2, 3;
$$;

create or replace function private.calculate_sales(step text, from_time timestamptz, to_time timestamptz) returns setof private.sales_steps
language sql stable as $$
  with placed as (
    select private.start_of_step(step, o.created_at) as starts_at, count(*) filter (where o.status <> 'canceled') as orders,
           count(*) filter (where o.status = 'canceled') as canceled,
           sum(o.total_amount) filter (where o.status <> 'canceled') as sales, sum(o.sub_total - o.discount) filter (where o.status <> 'canceled') as goods
    from public.orders o
    where o.created_at >= from_time and o.created_at < to_time
    group by 1
  ), made as (
    select private.start_of_step(step, o.created_at) as starts_at, sum(p.unit_cost * p.size / 500 * p.quantity) as cost,
           sum(p.unit_price * p.size / 500 * p.quantity - p.discount) filter (where p.unit_cost is null) as uncosted
    from public.orders o
    join public.order_items i on i.order_id = o.id
    join private.placed_items p on p.order_item_id = i.id
    where o.created_at >= from_time and o.created_at < to_time and o.status <> 'canceled'
    group by 1
  ), given_back as (
    select private.start_of_step(step, r.created_at) as starts_at, sum(r.amount_paise) as paise
    from private.refunds r
    where r.created_at >= from_time and r.created_at < to_time and r.status <> 'failed'
    group by 1
  )
  select step, starts_at, coalesce(s.orders, 0)::integer, coalesce(s.canceled, 0)::integer, coalesce(s.sales * 100, 0)::bigint,
         coalesce(s.goods * 100, 0)::bigint, coalesce(round(m.cost * 100), 0)::bigint, coalesce(m.uncosted * 100, 0)::bigint,
         coalesce(g.paise, 0)::bigint
  from placed s full join given_back g using (starts_at) left join made m using (starts_at);
$$;

create function private.check_offer(typed private.offers, counts private.offer_counts) returns void
language plpgsql stable set search_path = '' as $$
declare
  unknown text := (select c from unnest(typed.categories) as c where not exists (select from public.categories k where k.name = c) limit 1);
begin
  if typed.code !~ '^[A-Z0-9]{3,20}$' then
    perform private.reject('A code has 3 to 20 letters and digits.', 'code');
  elsif exists (select from private.offers f where f.code = typed.code and f.id is distinct from typed.id) then
    perform private.reject(format('There is an offer with the code %s already.', typed.code), 'code');
  elsif typed.kind is null or typed.kind not in ('percent', 'amount', 'free-delivery') then
    perform private.reject('Choose what the offer gives.', 'kind');
  elsif typed.kind = 'percent' and (typed.percent is null or typed.percent not between 1 and 100) then
    perform private.reject('Enter a percentage from 1 to 100.', 'percent');
  elsif typed.kind = 'amount' and (typed.amount_paise is null or typed.amount_paise not between 100 and 10000000) then
    perform private.reject('Enter an amount between ₹1 and ₹1,00,000.', 'amount_paise');
  elsif typed.max_discount_paise not between 100 and 10000000 then
    perform private.reject('Enter an amount between ₹1 and ₹1,00,000.', 'max_discount_paise');
  elsif typed.min_order_paise not between 0 and 100000000 then
    perform private.reject('Enter an amount up to ₹10,00,000.', 'min_order_paise');
  elsif unknown is not null then
    perform private.reject(format('There is no category called %s.', unknown), 'categories');
  elsif typed.max_uses not between 1 and 1000000 then
    perform private.reject('Enter a number from 1 to 10,00,000.', 'max_uses');
  elsif typed.max_uses < counts.used + counts.held then
    perform private.reject(format('It was used %s times already. Stop the offer instead.', counts.used + counts.held), 'max_uses');
  elsif typed.max_uses_per_customer not between 1 and 1000 then
    perform private.reject('Enter a number from 1 to 1,000.', 'max_uses_per_customer');
  elsif typed.budget_paise not between 100 and 100000000000 then
    perform private.reject('Enter an amount between ₹1 and ₹100 crore.', 'budget_paise');
  elsif typed.budget_paise < counts.used_paise + counts.held_paise then
    perform private.reject(format('%s of it is used already. Stop the offer instead.', private.format_rupees(counts.used_paise + counts.held_paise)),
                           'budget_paise');
  elsif typed.starts_at is null then
    perform private.reject('Enter the first day.', 'from_day');
  elsif typed.ends_at <= typed.starts_at then
    perform private.reject('The last day cannot be before the first.', 'until_day');
  end if;
end $$;

create or replace function private.check_order_items(lowest uuid, highest uuid) returns table (invariant integer, subject text, detail text)
language plpgsql stable set search_path = '' as $$
begin
  return query
  select 8, i.order_id::text, format('item %s is not what was placed', i.id)
  from public.order_items i left join private.placed_items p on p.order_item_id = i.id
  where i.order_id between lowest and highest
    and (i.order_id, i.product_id, i.quantity, i.size, i.unit_price, i.contents, i.discount)
        is distinct from (p.order_id, p.product_id, p.quantity, p.size, p.unit_price, p.contents, p.discount);
end $$;

create or replace function private.check_order_totals(lowest uuid, highest uuid) returns table (invariant integer, subject text, detail text)
language plpgsql stable set search_path = '' as $$
begin
  return query
  select 1, o.id::text, format('lines %s, sub_total %s, discounts of lines %s, discount %s, tax %s, shipping %s, total %s',
                               coalesce(l.lines, 0), o.sub_total, coalesce(l.discounts, 0), o.discount, o.tax, o.shipping_charge, o.total_amount)
  from public.orders o
  left join (
    select i.order_id, sum(i.unit_price * i.size / 500 * i.quantity) as lines, sum(i.discount) as discounts from public.order_items i
    where i.order_id between lowest and highest group by i.order_id
  ) l on l.order_id = o.id
  where o.id between lowest and highest
    and (l.lines is distinct from o.sub_total or l.discounts is distinct from o.discount
         or o.sub_total - o.discount + o.tax + o.shipping_charge <> o.total_amount);
end $$;

create or replace function private.check_totals() returns table (invariant integer, subject text, detail text)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query -- 3: every captured payment has an order or a refund
  select 3, p.payment_id, 'captured, and neither an order nor a refund'
  from private.payments p
  where p.status = 'captured' and p.order_id is null and p.group_id is null
    and not exists (select from private.refunds r where r.payment_id = p.payment_id and r.status <> 'failed');

  return query -- 4: 0 <= reserved <= on_hand = sum of movements
  select 4, s.product_id::text, format('on_hand %s, reserved %s, movements %s', s.on_hand, s.reserved, coalesce(m.total, 0))
  from public.stock_levels s
  left join (select v.product_id, sum(v.quantity) as total from public.stock_movements v group by v.product_id) m
    on m.product_id = s.product_id
  where s.reserved < 0 or s.reserved > s.on_hand or s.on_hand <> coalesce(m.total, 0);

  return query -- 4: what is reserved is what checkouts hold
  select 4, s.product_id::text, format('reserved %s, held by checkouts %s', s.reserved, coalesce(h.units, 0))
  from public.stock_levels s
  left join (
    select u.product_id, sum(u.units) as units
    from private.checkouts c join private.quotes q on q.id = c.quote_id, unnest(q.product_ids, c.held) as u (product_id, units)
    where c.held <> '{}'
    group by u.product_id
  ) h on h.product_id = s.product_id
  where s.reserved <> coalesce(h.units, 0);

  return query -- 6: refunds never exceed what was captured
  select 6, p.payment_id, format('captured %s paise, refunds %s paise', p.amount_paise, sum(r.amount_paise))
  from private.payments p join private.refunds r on r.payment_id = p.payment_id
  where r.status <> 'failed'
  group by p.payment_id, p.amount_paise
  having sum(r.amount_paise) > case when p.status in ('captured', 'refunded') then p.amount_paise else 0 end;

  return query -- 16: a paid group has an order for each recipient, and their totals add up to its payment; an unpaid one has none
  select 16, g.id::text, format('%s, %s recipients, %s paise; %s orders of %s paise, %s payments of %s paise', g.state, g.recipients,
                                g.total_paise, coalesce(o.orders, 0), coalesce(o.paise, 0), coalesce(p.payments, 0), coalesce(p.paise, 0))
  from private.group_orders g
  left join (
    select k.group_id, count(*) as orders, sum(k.total_amount * 100) as paise from public.orders k
    where k.group_id is not null group by k.group_id) o on o.group_id = g.id
  left join (
    select k.group_id, count(*) as payments, sum(k.amount_paise) as paise from private.payments k
    where k.group_id is not null and k.status in ('captured', 'refunded') group by k.group_id) p on p.group_id = g.id
  where case when g.state = 'paid' then (o.orders, o.paise, p.payments, p.paise)
                                        is distinct from (g.recipients::bigint, g.total_paise::numeric, 1, g.total_paise::numeric)
             else o.orders > 0 or p.payments > 0 end;

  return query -- 17: uses and cost of an offer are those of its checkouts and orders, and within its limits
  select 17, f.code, format('%s: held %s of %s paise, used %s of %s paise; counted %s of %s, %s of %s; limits %s and %s', f.name, c.held,
                            c.held_paise, c.used, c.used_paise, u.held, u.held_paise, u.used, u.used_paise, f.max_uses, f.budget_paise)
  from private.offers f
  left join private.offer_counts c on c.offer_id = f.id
  cross join lateral (
    select count(*) filter (where k.state = 'held')::integer as held, count(*) filter (where k.state = 'used')::integer as used,
           coalesce(sum(k.discount_paise + k.shipping_paise) filter (where k.state = 'held'), 0)::bigint as held_paise,
           coalesce(sum(k.discount_paise + k.shipping_paise) filter (where k.state = 'used'), 0)::bigint as used_paise
    from private.offer_uses k where k.offer_id = f.id) u
  where (c.held, c.used, c.held_paise, c.used_paise) is distinct from (u.held, u.used, u.held_paise, u.used_paise)
     or c.held + c.used > f.max_uses or c.held_paise + c.used_paise > f.budget_paise;

  return query -- 17: the offers of an order took off its discount
  select 17, o.id::text, format('discount %s, offers %s', o.discount, o.offers)
  from public.orders o
  where (o.discount > 0 or o.offers <> '[]')
    and o.discount * 100 <> (select coalesce(sum(e.discount_paise), 0) from jsonb_to_recordset(o.offers) as e (discount_paise bigint));

  return query -- 8: nothing that was placed is missing
  select 8, p.order_id::text, format('item %s is not what was placed', p.order_item_id)
  from private.placed_items p
  where not exists (select from public.order_items i where i.id = p.order_item_id);

  return query -- 9: numbers run from 1 without gaps or duplicates
  with issued as (
    select 'invoice' as series, i.year, count(*) as many, count(distinct i.serial) as serials, min(i.serial) as first, max(i.serial) as last
    from private.invoices i group by i.year
    union all
    select 'credit note', n.year, count(*), count(distinct n.serial), min(n.serial), max(n.serial) from private.credit_notes n group by n.year
  )
  select 9, format('%s %s', coalesce(i.series, d.series), coalesce(i.year, d.year)),
         format('%s documents, numbers %s to %s, last given %s', coalesce(i.many, 0), i.first, i.last, d.last)
  from issued i full join private.document_numbers d on d.series = i.series and d.year = i.year
  where (i.many, i.serials, i.first, i.last) is distinct from (d.last::bigint, d.last::bigint, 1, d.last);

  return query -- 12: the stored sums and counts are those of the documents
  select 12, format('%s %s', coalesce(d.series, k.series), to_char(coalesce(d.month, k.month), 'YYYY-MM')),
         format('documents %s, kept %s', coalesce(d.sums, '{}'), coalesce(k.sums, '{}'))
  from (
    select x.series, date_trunc('month', x.issued_at at time zone 'Asia/Kolkata')::date as month,
           array[count(*), sum(x.taxable_paise), sum(x.cgst_paise), sum(x.sgst_paise), sum(x.igst_paise)] as sums
    from (select 'invoice' as series, i.issued_at, i.taxable_paise, i.cgst_paise, i.sgst_paise, i.igst_paise from private.invoices i
          union all
          select 'credit note', n.issued_at, n.taxable_paise, n.cgst_paise, n.sgst_paise, n.igst_paise from private.credit_notes n) x
    group by 1, 2
  ) d
  full join (
    select series, month, array[max(m.documents), sum(g.taxable_paise), sum(g.cgst_paise), sum(g.sgst_paise), sum(g.igst_paise)] as sums
    from private.gst_months g full join private.document_months m using (series, month) group by 1, 2
  ) k on k.series = d.series and k.month = d.month
  where d.sums is distinct from k.sums;
end $$;

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

create or replace function private.copy_placed_items() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.placed_items (order_item_id, order_id, product_id, quantity, size, unit_price, unit_cost, contents, discount)
  select i.id, i.order_id, i.product_id, i.quantity, i.size, i.unit_price,
         case when i.contents is null then private.unit_cost_at(i.product_id, k.placed_at) else private.contents_cost_at(i.contents, k.placed_at) end,
         i.contents, i.discount
  from placed i cross join lateral (select (select o.created_at from public.orders o where o.id = i.order_id) as placed_at offset 0) k;
  return null;
end $$;

create function private.count_new_offer() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.offer_counts (offer_id) values (new.id);
  return null;
end $$;

create or replace function private.credited_lines(invoice private.invoices, amount_paise bigint, refund_id uuid, named bigint) returns jsonb
language sql stable set search_path = '' as $$
  with sold as (
    select l.place, (l.line ->> 'taxable_paise')::bigint as taxable, (l.line ->> 'cgst_paise')::bigint as half,
           (l.line ->> 'igst_paise')::bigint as igst
    from jsonb_array_elements(invoice.lines) with ordinality l (line, place)
  ), standing as (
    select s.*, w.whole, w.whole - g.credited as remaining, g.credited, g.half as half_given, g.igst as igst_given,
           s.taxable - g.taxable as taxable_left, greatest(w.whole - g.credited - coalesce(f.paise, 0), 0) as free
    from sold s
    cross join lateral (select s.taxable + 2 * s.half + s.igst as whole) w
    left join private.credited_so_far(invoice.id) v on v.place = s.place
    left join private.pending_credits(invoice.order_id, credited_lines.refund_id) f on f.place = s.place
    cross join lateral (
      select coalesce(v.taxable, 0) as taxable, coalesce(v.half, 0) as half, coalesce(v.igst, 0) as igst, coalesce(v.paise, 0) as credited
    ) g
  ), weighed as (
    -- What is called off takes all there is, spoken for or not.
    select t.*, case when t.place = named then least(amount_paise, t.remaining) else 0 end as first,
           case when t.place = named then 0 when sum(t.free) over () < amount_paise then t.remaining else t.free end as weight
    from standing t
  ), summed as (
    select w.*, amount_paise - sum(w.first) over () as rest, sum(w.weight) over (order by w.place) as so_far,
           nullif(sum(w.weight) over (), 0) as all_left
    from weighed w
  ), shared as (
    select s.*, s.first + coalesce(round(s.rest * s.so_far / s.all_left) - round(s.rest * (s.so_far - s.weight) / s.all_left), 0) as share
    from summed s
  ), shares as (
    select s.place, s.share, t.half, t.igst, s.share = s.remaining as is_last
    from shared s
    cross join lateral (
      -- What is due by now, as far as the share holds it; and what the taxable value has no room for.
      select greatest(least(round((s.credited + s.share) * s.half / nullif(s.whole, 0)) - s.half_given, floor(s.share / 2)),
                      case when s.half > 0 then ceil((s.share - s.taxable_left) / 2) else 0 end, 0)::bigint as half,
             greatest(least(round((s.credited + s.share) * s.igst / nullif(s.whole, 0)) - s.igst_given, s.share),
                      case when s.igst > 0 then s.share - s.taxable_left else 0 end, 0)::bigint as igst
    ) t
    where s.share > 0
  )
  -- Goods count as come back with the last of what was paid for them.
  select jsonb_agg(
    (l.line - '{rate_paise,discount_paise}'::text[]) || jsonb_build_object('place', s.place, 'taxable_paise', (s.share - 2 * s.half - s.igst)::bigint,
                                                 'cgst_paise', s.half, 'sgst_paise', s.half, 'igst_paise', s.igst)
      || case when s.is_last then '{}' else '{"quantity": null}'::jsonb end order by s.place)
  from shares s join jsonb_array_elements(invoice.lines) with ordinality l (line, place) on l.place = s.place;
$$;

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

create or replace function private.day_figures(
  first_day date, last_day date, from_time timestamptz default null, to_time timestamptz default null) returns setof private.profit_days
language plpgsql stable set search_path = '' as $$
declare
  is_registered constant boolean := private.is_registered();
begin
  -- Planned each time: a day and a year need different plans.
  return query execute $query$
  with sold as (
    select (o.created_at at time zone 'Asia/Kolkata')::date as day, count(*) as orders, sum(o.sub_total) as goods,
           sum(o.tax) as tax, sum(o.shipping_charge) as shipping, sum(o.discount) as discount
    from public.orders o where o.created_at >= $1 and o.created_at < $2
    group by 1
  ), shipping_taxes as (
    select t.day, sum(private.shipping_tax_paise(t.shipping, t.hsn, t.gst_percent, t.goods)) as tax
    from (
      select (o.created_at at time zone 'Asia/Kolkata')::date as day, (o.shipping_charge * 100)::bigint as shipping,
             array_agg(i.hsn order by i.id) as hsn, array_agg(i.gst_percent order by i.id) as gst_percent,
             array_agg(private.line_paise(i.unit_price, i.size, i.quantity) - i.discount * 100 order by i.id) as goods
      from public.orders o
      join public.order_items i on i.order_id = o.id
      left join private.invoices v on v.order_id = o.id
      where o.created_at >= $1 and o.created_at < $2 and o.shipping_charge > 0 and coalesce(v.tax_kind <> 'none', $5)
      group by o.id
    ) t
    group by t.day
  ), costs as (
    select (o.created_at at time zone 'Asia/Kolkata')::date as day, sum(i.unit_cost * i.size / 500 * i.quantity) as cost,
           count(*) filter (where i.unit_cost is null) as unknown_lines,
           sum(i.unit_price * i.size / 500 * i.quantity - i.discount) filter (where i.unit_cost is null) as unknown_goods
    from public.orders o join private.placed_items i on i.order_id = o.id
    where o.created_at >= $1 and o.created_at < $2
    group by 1
  ), ended as (
    select e.order_id, e.to_status, e.created_at
    from public.order_events e
    where e.created_at >= $1 and e.created_at < $2 and e.to_status in ('canceled', 'Refunded')
  ), costs_back as (
    select (e.created_at at time zone 'Asia/Kolkata')::date as day, sum(i.unit_cost * i.size / 500 * i.quantity) as cost,
           count(*) filter (where i.unit_cost is null) as unknown_lines,
           sum(i.unit_price * i.size / 500 * i.quantity - i.discount) filter (where i.unit_cost is null) as unknown_goods
    from ended e join private.placed_items i on i.order_id = e.order_id
    where e.to_status = 'canceled'
    group by 1
  ), fees as (
    select (p.captured_at at time zone 'Asia/Kolkata')::date as day, sum(p.fee_paise) as fee,
           sum(case when $5 then private.fee_tax_paise(p.fee_paise) else 0 end) as tax,
           count(*) filter (where p.fee_paise is null) as unknown_payments,
           sum(p.amount_paise) filter (where p.fee_paise is null) as unknown_paid
    from private.payments p where p.captured_at >= $1 and p.captured_at < $2
    group by 1
  )
  select d::date, coalesce(sold.orders, 0)::integer,
         coalesce(sold.goods * 100, 0)::bigint, coalesce(sold.tax * 100, 0)::bigint, coalesce(sold.shipping * 100, 0)::bigint,
         coalesce(t.canceled_goods, 0)::bigint, coalesce(t.canceled_tax, 0)::bigint, coalesce(t.canceled_shipping, 0)::bigint,
         coalesce(t.refunded_goods, 0)::bigint, coalesce(t.refunded_tax, 0)::bigint, coalesce(t.refunded_shipping, 0)::bigint,
         coalesce(c.cost * 100, 0)::bigint, coalesce(b.cost * 100, 0)::bigint,
         coalesce(c.unknown_lines, 0)::integer, coalesce(c.unknown_goods * 100, 0)::bigint,
         coalesce(b.unknown_lines, 0)::integer, coalesce(b.unknown_goods * 100, 0)::bigint,
         coalesce(f.fee, 0)::bigint, coalesce(f.unknown_payments, 0)::integer, coalesce(f.unknown_paid, 0)::bigint,
         coalesce(w.cost, 0)::bigint, coalesce(w.unknown_moves, 0)::integer,
         coalesce(s.tax, 0)::bigint, coalesce(t.canceled_shipping_tax, 0)::bigint, coalesce(t.refunded_shipping_tax, 0)::bigint,
         coalesce(f.tax, 0)::bigint, $6, coalesce(sold.discount * 100, 0)::bigint
  from generate_series($3::timestamp, $4::timestamp, interval '1 day') d
  left join sold on sold.day = d::date
  left join shipping_taxes s on s.day = d::date
  left join costs c on c.day = d::date
  left join costs_back b on b.day = d::date
  left join private.returns_by_day($1, $2) t on t.day = d::date
  left join fees f on f.day = d::date
  left join private.wastage_by_day($1, $2) w on w.day = d::date
  $query$ using coalesce(from_time, private.start_of(first_day)), coalesce(to_time, private.start_of(last_day + 1)),
                first_day, last_day, is_registered, to_time;
end $$;

create function private.discounted_quote(quote private.quotes, line_paise bigint[], categories text[], offers private.offers[]) returns private.quotes
language plpgsql immutable set search_path = '' as $$
declare
  result private.quotes := quote;
  applied record;
begin
  select * into applied from private.calculate_offers(line_paise, categories, quote.shipping_paise, offers);
  select jsonb_agg(l.line || jsonb_build_object('discount_paise', applied.discounts[l.place], 'tax_paise', t.tax) order by l.place), sum(t.tax)
  into result.lines, result.tax_paise
  from jsonb_array_elements(quote.lines) with ordinality as l (line, place)
  cross join lateral (
    select round((line_paise[l.place] - applied.discounts[l.place]) * (l.line ->> 'gst_percent')::numeric / 100)::bigint as tax) t;
  result.discount_paise := (select sum(d) from unnest(applied.discounts) as d);
  result.shipping_paise := quote.shipping_paise - (
    select sum(e.shipping_paise) from jsonb_to_recordset(applied.effects) as e (shipping_paise bigint));
  result.offers := applied.effects;
  result.total_paise := result.sub_total_paise - result.discount_paise + result.tax_paise + result.shipping_paise;
  return result;
end $$;

create or replace function private.erase_customer() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person constant uuid := new.customer_id;
  ordered constant uuid[] := array(select o.id from private.orders_of_person(person) o);
  mail constant text := coalesce((select lower(u.email) from auth.users u where u.id = person), '');
begin
  update public.order_events e set public_note = '' where e.order_id = any (ordered) and e.public_note <> '';
  delete from private.order_event_actors a where a.actor_id = person;
  delete from private.order_notes n where n.order_id = any (ordered);
  update private.refunds r set note = '' where r.order_id = any (ordered) and r.note <> '';
  update private.refunds r set reason = 'other'
  where r.order_id = any (ordered)
    and r.reason not in ('order canceled', 'order refunded', 'sold-out', 'offer-used-up', 'wrong-amount', 'second-payment', 'given-back');
  delete from private.outbox o
  where o.kind = 'mail' and (
    o.payload ->> 'user_id' = person::text
    or o.payload ->> 'order_id' = any (ordered::text[])
    or o.payload ->> 'refund_id' in (
      select r.id::text from private.refunds r join private.payments p on p.payment_id = r.payment_id
      where p.user_id = person or r.order_id = any (ordered)));
  delete from private.rate_limits t where t.subject = person::text;

  delete from private.checkouts c
  where c.user_id = person and c.state <> 'paid'
    and not exists (select from private.payments p where p.provider_order_id = private.provider_order_of(c));
  update private.group_orders g set request = '' where g.user_id = person;
  update private.checkouts c
  set delivery_name = 'Erased customer', delivery_phone = '', delivery_building_no = '', delivery_street = '', address_id = null, gift = null
  where c.user_id = person;
  update private.offer_uses u set user_id = null where u.user_id = person;
  update private.order_gifts g set note = '', sender_name = '', recipient_email = null where g.order_id = any (ordered);
  delete from private.quotes q
  where q.user_id = person and not exists (select from private.checkouts c where c.quote_id = q.id);
  update public.orders o
  set user_id = null, delivery_name = 'Erased customer', delivery_phone = '', delivery_building_no = '', delivery_street = '',
      tracking_number = null, tracking_url = null, cancel_reason = null
  where o.id = any (ordered);

  update public.audit_log l
  set before = private.redact(l.before), after = private.redact(l.after)
  where l.table_name <> 'erasures' and (
    l.row_id = any (person::text || ordered::text[])
    or coalesce(l.after, l.before) ->> 'order_id' = any (ordered::text[])
    or person::text in (coalesce(l.after, l.before) ->> 'user_id', coalesce(l.after, l.before) ->> 'customer_id')
    -- Mails that were sent again.
    or l.after -> 'payload' ->> 'order_id' = any (ordered::text[]) or l.after -> 'payload' ->> 'user_id' = person::text);

  -- Profile, address book, reviews, subscriptions, records, card and figures go with the account; so do its identities and
  -- sessions.
  delete from public.comments c where c.user_id = person;
  if to_regclass('auth.refresh_tokens') is not null then
    execute 'delete from auth.refresh_tokens where user_id::text = $1' using person::text;
  end if;
  if to_regclass('auth.flow_state') is not null then
    execute 'delete from auth.flow_state where user_id = $1' using person;
  end if;
  if to_regclass('auth.audit_log_entries') is not null then
    execute 'delete from auth.audit_log_entries
             where position($1 in payload::text) > 0 or ($2 <> '''' and position($2 in lower(payload::text)) > 0)'
    using person::text, mail;
  end if;
  delete from auth.users u where u.id = person;
  return null;
end $$;

create or replace function private.fill_orders(order_ids uuid[], quotes private.quotes[], were_reserved boolean, at timestamptz) returns void
language plpgsql set search_path = '' as $$
begin
  insert into public.order_items (order_id, product_id, product_name, product_image, quantity, size, unit_price,
                                  gst_percent, hsn, has_size, box_id, contents, discount)
  select f.order_id, l.product_id, l.product_name, l.product_image, l.quantity, l.size, l.unit_price, l.gst_percent, l.hsn, l.has_size,
         l.box_id, l.contents, coalesce(l.discount_paise, 0) / 100.0
  from unnest(order_ids, quotes) as f (order_id),
       jsonb_to_recordset(f.lines) as l (product_id bigint, product_name text, product_image text, quantity integer,
         size integer, unit_price numeric, gst_percent numeric, hsn text, has_size boolean, box_id bigint, contents jsonb,
         discount_paise bigint)
  order by f.order_id, l.product_id, l.size, l.box_id, l.product_name;
  insert into public.stock_movements (product_id, quantity, reason, order_id, created_at, was_reserved)
  select u.product_id, -u.units, 'sale', f.order_id, fill_orders.at, were_reserved
  from unnest(order_ids, quotes) as f (order_id), unnest(f.product_ids, f.units) as u (product_id, units);
end $$;

create or replace function private.find_openings(calls jsonb, at timestamptz) returns setof private.opening
language plpgsql stable set search_path = '' as $$
begin
  return query
  with called as materialized (
    select c.ordinality::integer as place, c.customer_id, c.ip_hash, c.address_id, c.gift, q.quote,
           case when (q.quote).id is null then 'no-quote'
                when (q.quote).total_paise <> c.amount_paise then 'amount-mismatch'
                when (q.quote).expires_at <= find_openings.at or (q.quote).pack_on < private.day_of(find_openings.at) then 'quote-expired'
                when c.quote_id is null and exists (
                  select from private.quotes o
                  where o.user_id = c.customer_id and o.total_paise = c.amount_paise and o.expires_at > find_openings.at
                    and (o.lines, o.pincode, o.source, o.fulfilment, o.deliver_on, o.offers)
                        is distinct from ((q.quote).lines, (q.quote).pincode, (q.quote).source, (q.quote).fulfilment, (q.quote).deliver_on, (q.quote).offers))
                  then 'ambiguous-amount' end as reason
    from rows from (jsonb_to_recordset(calls) as (
      customer_id uuid, amount_paise bigint, quote_id uuid, ip_hash text, address_id uuid, gift jsonb)) with ordinality as c
    left join lateral (
      (select o as quote from private.quotes o where o.id = c.quote_id and o.user_id = c.customer_id)
      union all
      (select o from private.quotes o
       where c.quote_id is null and o.user_id = c.customer_id and o.total_paise = c.amount_paise and o.expires_at > find_openings.at
       order by o.created_at desc, o.id limit 1)
      limit 1) q on true
  ), promised as materialized (
    select private.still_promised(array(select a.quote from called a where a.reason is null)) as ids
  )
  select a.place, a.customer_id, a.ip_hash,
         coalesce(a.reason, case when (a.quote).id <> all (p.ids) then 'quote-expired' end),
         exists (select from private.customer_records r where r.user_id = a.customer_id and r.blocked_at is not null),
         a.quote, k.checkout, b.person,
         case when l.state <> 'paid' and l.created_at > find_openings.at - interval '2 hours' then l.family_id end,
         a.address_id, nullif(a.gift, 'null')
  from called a
  cross join promised p
  left join lateral (select c as checkout from private.checkouts c where c.quote_id = (a.quote).id limit 1) k on true
  left join lateral (select private.recipient_at(b, a.address_id) as person from private.buyers b where b.id = a.customer_id limit 1) b on true
  left join lateral (select c.state, c.created_at, c.family_id from private.checkouts c where c.user_id = a.customer_id and c.group_id is null
                     order by c.created_at desc, c.id limit 1) l on true;
end $$;

create or replace function private.guard_order() returns trigger
language plpgsql set search_path = '' as $$
declare
  is_browser boolean := current_user in ('anon', 'authenticated');
  is_admin boolean := private.is_admin();
  is_move boolean := new.status <> old.status;
begin
  if (new.id, new.number, new.created_at, new.source, new.fulfilment, new.sub_total, new.tax, new.shipping_charge, new.total_amount,
      new.group_id, new.group_place, new.discount, new.offers)
     is distinct from
     (old.id, old.number, old.created_at, old.source, old.fulfilment, old.sub_total, old.tax, old.shipping_charge, old.total_amount,
      old.group_id, old.group_place, old.discount, old.offers)
     or (old.user_id is distinct from new.user_id and new.user_id is not null)
     or (old.payment_id is not null and new.payment_id is distinct from old.payment_id) then
    raise sqlstate 'PT403' using message = 'what was ordered and paid never changes';
  end if;

  if is_browser then
    if (new.user_id, new.payment_id, new.payment_status, new.offline_method)
       is distinct from (old.user_id, old.payment_id, old.payment_status, old.offline_method) then
      raise sqlstate 'PT403' using message = 'only the shop itself records payments';
    end if;
    if not is_admin and (to_jsonb(new) - 'status' - 'updated_at') <> (to_jsonb(old) - 'status' - 'updated_at') then
      raise sqlstate 'PT403' using message = 'customers can only cancel an order';
    end if;
    if not is_admin and new.status <> 'canceled' then
      raise sqlstate 'PT403' using message = 'customers can only cancel an order';
    end if;
    if is_admin and not private.is_before_packing(old.status)
       and (new.delivery_name, new.delivery_phone, new.delivery_building_no, new.delivery_street,
            new.delivery_city, new.delivery_state, new.delivery_zip)
           is distinct from
           (old.delivery_name, old.delivery_phone, old.delivery_building_no, old.delivery_street,
            old.delivery_city, old.delivery_state, old.delivery_zip) then
      raise sqlstate 'PT409' using message = 'the address cannot change once the order is packed';
    end if;
    if is_admin and is_move and new.status = 'canceled'
       and not (old.user_id is not distinct from auth.uid()
                and private.is_allowed_move(old.status, new.status, old.fulfilment, by_customer => true))
       and coalesce(btrim(new.cancel_reason), '') = '' then
      raise sqlstate 'PT400' using message = 'canceling needs a reason';
    end if;
  end if;

  if is_move and not private.is_allowed_move(old.status, new.status, old.fulfilment, by_customer => is_browser and not is_admin)
     and (is_browser or not private.is_undo(old.id, old.status, new.status)) then
    raise sqlstate 'PT409' using
      message = format('an order that is %s cannot become %s', old.status, new.status);
  end if;
  -- A repeated cancel is not an event, but it must not look like a success either.
  if is_browser and not is_admin and not is_move then
    raise sqlstate 'PT409' using message = 'the order is already canceled';
  end if;

  if is_move and new.status in ('canceled', 'Refunded') and old.payment_status in ('paid', 'partially_refunded')
     and old.payment_id is not null then
    new.payment_status := 'refund_pending';
  end if;
  if auth.uid() is not null or new.payment_status = old.payment_status
     or to_jsonb(new) - 'payment_status' <> to_jsonb(old) - 'payment_status' then
    new.updated_at := now();
  end if;
  return new;
end $$;

create function private.has_guessed_codes(customer_id uuid, at timestamptz) returns boolean
language sql stable set search_path = '' as $$
  select exists (
    select from private.rate_limits t
    where t.action = 'unknown code' and t.subject = customer_id::text and t.taken >= 20
      and t.window_start = date_bin(interval '1 hour', has_guessed_codes.at, timestamptz '2000-01-01 00:00+00'));
$$;

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

create or replace function private.invoice_document(told private.invoices) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'kind', 'invoice', 'id', told.id, 'number', told.number, 'issued_at', told.issued_at, 'order_number', o.number,
    'placed_at', o.created_at, 'is_collected', o.fulfilment = 'pickup', 'supplier', s.facts, 'recipient', told.recipient,
    'place_of_supply', private.state_named(told.place_code), 'tax_kind', told.tax_kind, 'lines', told.lines,
    'taxable_paise', told.taxable_paise, 'cgst_paise', told.cgst_paise, 'sgst_paise', told.sgst_paise,
    'igst_paise', told.igst_paise, 'total_paise', told.total_paise,
    'charged', jsonb_build_object(
      'sub_total_paise', (o.sub_total * 100)::bigint, 'discount_paise', (o.discount * 100)::bigint, 'offers', private.offer_names(o.offers), 'tax_paise', (o.tax * 100)::bigint,
      'shipping_paise', (o.shipping_charge * 100)::bigint, 'shipping_tax_paise', private.order_shipping_tax(o)))
  from private.invoice_suppliers s, public.orders o where s.id = told.supplier_id and o.id = told.order_id;
$$;

create or replace function private.invoice_lines(order_ids uuid[], tax_kinds text[]) returns table (
  order_id uuid, lines jsonb, taxable_paise bigint, cgst_paise bigint, sgst_paise bigint, igst_paise bigint)
language sql stable set search_path = '' as $$
  with sold as (
    select o.id, o.tax * 100 as tax, o.shipping_charge * 100 as shipping, u.kind
    from unnest(order_ids, tax_kinds) u (id, kind) join public.orders o on o.id = u.id
  ), goods as (
    select s.id as order_id, s.tax, s.shipping, s.kind, i.id as place, i.hsn, i.gst_percent,
           i.product_name || case when i.has_size then format(', %s × %s', i.quantity, case i.size when 1000 then '1 kg' else '500 g' end) else '' end as description,
           case when i.has_size then i.size * i.quantity / 1000.0 else i.quantity end::numeric(12, 1) as quantity,
           case when i.has_size then 'kg' else 'nos' end as unit,
           (i.unit_price * 100 * case when i.has_size then 2 else 1 end)::bigint as rate,
           private.line_paise(i.unit_price, i.size, i.quantity) - i.discount * 100 as paise, (i.discount * 100)::bigint as discount
    from sold s join public.order_items i on i.order_id = s.id
  ), charged as (
    -- By the tax of each line; where the rates say nothing of what was charged, by the price.
    select g.*, case when sum(t.tax) over (partition by g.order_id) > 0 then t.tax else g.paise end as share
    from goods g cross join lateral (select round(g.paise * g.gst_percent / 100) as tax) t
  ), shared as (
    select c.*, sum(c.share) over (partition by c.order_id order by c.place) as so_far, sum(c.share) over (partition by c.order_id) as whole
    from charged c
  ), delivered as (
    select k.*, round(k.shipping * k.so_far / k.whole) - round(k.shipping * (k.so_far - k.paise) / k.whole) as share
    from (
      select g.*, sum(g.paise) over (partition by g.order_id order by g.place) as so_far, sum(g.paise) over (partition by g.order_id) as whole
      from (select d.order_id, d.kind, d.shipping, d.hsn, d.gst_percent, sum(d.paise) as paise, min(d.place) as place
            from goods d where d.shipping > 0 group by d.order_id, d.kind, d.shipping, d.hsn, d.gst_percent) g
    ) k
  ), every_line as (
    select s.order_id, s.kind, 1 as part, s.place, s.description, s.hsn, s.gst_percent, s.quantity, s.unit, s.rate, s.discount, s.paise as taxable,
           round(s.tax * s.so_far / s.whole) - round(s.tax * (s.so_far - s.share) / s.whole) as tax
    from shared s
    union all
    select d.order_id, d.kind, 2, d.place, 'Delivery', d.hsn, d.gst_percent, null, null, null, 0, t.taxable, d.share - t.taxable
    from delivered d cross join lateral (select round(d.share * 100 / (100 + d.gst_percent)) as taxable) t
    where d.share > 0
  ), split as (
    select l.order_id, l.part, l.place, l.description, l.hsn, l.quantity, l.unit, l.discount,
           case when l.kind <> 'none' then l.rate end as rate, case when l.kind <> 'none' then l.gst_percent else 0 end as gst_percent,
           (l.taxable + l.tax - 2 * t.half - t.whole)::bigint as taxable, t.half::bigint as half, t.whole::bigint as igst
    from every_line l
    cross join lateral (
      select case when l.kind = 'intra' then floor(l.tax / 2) else 0 end as half, case when l.kind = 'inter' then l.tax else 0 end as whole
    ) t
  )
  select s.order_id,
         jsonb_agg(jsonb_build_object(
           'description', s.description, 'hsn', s.hsn, 'quantity', s.quantity, 'unit', s.unit, 'rate_paise', s.rate,
           'gst_percent', s.gst_percent, 'taxable_paise', s.taxable, 'cgst_paise', s.half, 'sgst_paise', s.half,
           'igst_paise', s.igst) || case when s.discount > 0 then jsonb_build_object('discount_paise', s.discount) else '{}' end
           order by s.part, s.place),
         sum(s.taxable)::bigint, sum(s.half)::bigint, sum(s.half)::bigint, sum(s.igst)::bigint
  from split s group by s.order_id;
$$;

create or replace function private.lock_checkouts_of_payments(provider_order_ids text[]) returns void
language plpgsql set search_path = '' as $$
declare
  customer_ids uuid[];
  family_ids uuid[];
begin
  select array_agg(k.user_id), array_agg(k.family_id) into customer_ids, family_ids
  from unnest(provider_order_ids) as p (id)
  cross join lateral (
    (select c.user_id, c.family_id from private.checkouts c where c.provider_order_id = p.id limit 1)
    union all
    -- The checkouts of a group have its id as their family.
    (select g.user_id, g.id from private.group_orders g where g.provider_order_id = p.id limit 1)) k;
  perform private.lock_checkouts(customer_ids, family_ids);
  perform private.lock_offers(customer_ids, provider_order_ids, now());
  perform private.lock_stock(q.product_ids)
  from (
    select array_agg(u.product_id) as product_ids, bool_or(k.held <> q.units) as is_short
    from unnest(provider_order_ids) as p (id)
    cross join lateral private.checkouts_of_payment(p.id) k
    join private.quotes q on q.id = k.quote_id, unnest(q.product_ids) as u (product_id)
  ) q
  where q.is_short;
end $$;

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

create or replace function private.log_subject(table_name text, row_id text, entry jsonb, out name text, out id text)
language plpgsql stable set search_path = '' as $$
begin
  id := row_id;
  case table_name
    when 'Products', 'stock_levels', 'product_costs', 'product_pictures' then
      select p."Name" into name from public."Products" p where p."Id" = log_subject.row_id::bigint;
      name := coalesce(name, entry ->> 'Name');
    when 'orders' then
      select o.number::text into name from public.orders o where o.id = log_subject.row_id::uuid;
    when 'refunds' then
      select o.id::text, o.number::text into id, name
      from private.refunds r join public.orders o on o.id = r.order_id where r.id = log_subject.row_id::uuid;
    when 'customer_records', 'user_profiles' then
      select c.name into name from private.customer_cards c where c.user_id = log_subject.row_id::uuid;
      name := coalesce(name, 'a customer who was erased');
    when 'comments' then
      select c.user_id::text, format('%s on %s', a.name, p."Name") into id, name
      from public.comments c join public."Products" p on p."Id" = c.product_id
      left join private.customer_cards a on a.user_id = c.user_id
      where c.id = log_subject.row_id::bigint;
    when 'vendors' then
      select coalesce(v.name, entry ->> 'name') into name from (values (1)) one (one)
      left join public.vendors v on v.id = log_subject.row_id::bigint;
    when 'purchase_orders' then
      select format('%s from %s', o.id, v.name) into name
      from public.purchase_orders o join public.vendors v on v.id = o.vendor_id where o.id = log_subject.row_id::bigint;
    when 'purchase_order_items' then
      select i.purchase_order_id::text, i.item_name into id, name
      from public.purchase_order_items i where i.id = log_subject.row_id::bigint;
      id := coalesce(id, entry ->> 'purchase_order_id');
      name := coalesce(name, entry ->> 'item_name');
    when 'purchase_receipts' then
      select r.purchase_order_id::text, format('%s from %s', o.id, v.name) into id, name
      from public.purchase_receipts r join public.purchase_orders o on o.id = r.purchase_order_id join public.vendors v on v.id = o.vendor_id
      where r.id = log_subject.row_id::uuid;
    when 'purchase_receipt_items' then
      select i.purchase_order_id::text, i.item_name into id, name
      from public.purchase_order_items i where i.id = (entry ->> 'item_id')::bigint;
    when 'vendor_bills' then
      select v.id::text, v.name into id, name
      from public.vendor_bills b join public.vendors v on v.id = b.vendor_id where b.id = log_subject.row_id::bigint;
    when 'vendor_payments' then
      select v.id::text, v.name into id, name
      from public.vendor_payments p join public.vendors v on v.id = p.vendor_id where p.id = log_subject.row_id::uuid;
    when 'expenses' then
      select coalesce(nullif(e.description, ''), e.category) into name from public.expenses e where e.id = log_subject.row_id::bigint;
      name := coalesce(name, nullif(entry ->> 'description', ''), entry ->> 'category');
    when 'greetings' then
      select g.title into name from public.greetings g where g.id = log_subject.row_id::bigint;
    when 'caurousel' then
      select c.title into name from public.caurousel c where c.id = log_subject.row_id::bigint;
    when 'testimonials' then
      select t.title into name from public.testimonials t where t.id = log_subject.row_id::bigint;
    when 'categories' then
      select c.name into name from public.categories c where c.id = log_subject.row_id::bigint;
    when 'box_sizes' then
      select b.name into name from private.box_sizes b where b.id = log_subject.row_id::bigint;
      name := coalesce(name, entry ->> 'name');
    when 'offers' then
      select f.name into name from private.offers f where f.id = log_subject.row_id::bigint;
      name := coalesce(name, entry ->> 'name');
    when 'box_sweets' then
      select p."Name" into name from public."Products" p where p."Id" = log_subject.row_id::bigint;
    when 'couriers' then
      select c.name into name from private.couriers c where c.id = log_subject.row_id::bigint;
    when 'festival_cutoffs' then
      select f.name into name from private.festival_cutoffs f where f.id = log_subject.row_id::bigint;
    when 'delivery_zones' then
      select z.name into name from public.delivery_zones z where z.id = log_subject.row_id::bigint;
    else
      select s.name, s.id into name, id from private.log_subject_of_parent(entry) s;
  end case;
  -- A number that only the database reads is no name.
  name := coalesce(name, entry ->> 'name', entry ->> 'title',
                   case when row_id ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then 'without a name' else row_id end);
  id := coalesce(id, row_id);
exception when data_exception then
  name := row_id; -- a table of the same name with other keys: say what we have
end $$;

create or replace function private.mail_content(payload jsonb, site_url text) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  template text := payload ->> 'template';
  ordered public.orders;
  refund private.refunds;
  payment private.payments;
  product public."Products";
  reader uuid := (payload ->> 'user_id')::uuid;
  facts jsonb := jsonb_build_object('template', template);
  recipient jsonb;
begin
  if payload ? 'refund_id' then
    select * into refund from private.refunds r where r.id = (payload ->> 'refund_id')::uuid;
    select * into payment from private.payments p where p.payment_id = refund.payment_id;
  end if;
  select * into ordered from public.orders o where o.id = coalesce((payload ->> 'order_id')::uuid, refund.order_id, payment.order_id);
  reader := coalesce(reader, ordered.user_id, payment.user_id);
  select jsonb_build_object('address', u.email, 'name', coalesce(nullif(btrim(m.data ->> 'full_name'), ''), nullif(btrim(m.data ->> 'name'), '')))
  into recipient
  from auth.users u cross join lateral (select private.metadata_of(u.raw_user_meta_data) as data) m
  where u.id = reader and u.email is not null;
  if recipient is null then
    return null;
  end if;

  if template = 'gift-on-its-way' then
    -- To the recipient: nothing of the buyer but the name they chose, and no amounts.
    select jsonb_build_object('address', g.recipient_email, 'name', ordered.delivery_name),
           facts || jsonb_build_object('name', ordered.delivery_name, 'sender', g.sender_name, 'city', ordered.delivery_city,
             'deliveryBy', ordered.delivery_by, 'courier', ordered.courier, 'trackingNumber', ordered.tracking_number,
             'trackingUrl', nullif(ordered.tracking_url, ''))
    into recipient, facts
    from private.order_gifts g where g.order_id = ordered.id and g.recipient_email is not null;
    if recipient is null then
      return null;
    end if;
  elsif template = 'gift-reminder' then
    facts := facts || jsonb_build_object('name', recipient -> 'name') || private.reminder_facts((payload ->> 'reminder_id')::uuid, site_url);
    if facts is null then
      return null;
    end if;
  elsif template = 'group-placed' then
    facts := facts || jsonb_build_object('name', coalesce(recipient ->> 'name', 'Customer'), 'group', (
      select jsonb_build_object('orderId', ordered.id, 'recipients', g.recipients, 'totalPaise', g.total_paise, 'placedAt', ordered.created_at)
      from private.group_orders g where g.id = ordered.group_id));
  elsif template = 'back-in-stock' then
    select * into product from public."Products" p
    where p."Id" = (payload ->> 'product_id')::bigint;
    if product."Id" is null then
      return null;
    elsif not product.is_listed or product.archived_at is not null then
      return jsonb_build_object('problem', 'the product was just unlisted'); -- lease_jobs() makes it a request again
    end if;
    facts := facts || jsonb_build_object('name', recipient -> 'name', 'product', jsonb_build_object(
      'name', product."Name", 'url', site_url || '/product/' || product."Id",
      'imageUrl', case when product."Image" like '/%' then site_url || product."Image" else nullif(product."Image", '') end,
      'pricePaise', (product."Price" * 100)::bigint));
  else
    facts := facts || jsonb_build_object(
      'order', case when ordered.id is not null
                    then private.order_facts(ordered, payload ->> 'actor') || jsonb_build_object('note', payload -> 'note', 'buyer', (
                      select b.name from private.buyers b where b.id = reader)) end);
    if refund.id is not null then
      facts := facts || jsonb_build_object(
        'name', coalesce(recipient ->> 'name', ordered.delivery_name, 'Customer'), 'amountPaise', refund.amount_paise,
        'reason', case when refund.reason in ('sold-out', 'offer-used-up', 'wrong-amount', 'second-payment') then refund.reason
                       when refund.reason = 'order canceled' then 'order-canceled'
                       when refund.reason = 'order refunded' then 'order-refunded' else 'other' end);
    end if;
  end if;
  return jsonb_build_object('to', recipient, 'facts', facts || jsonb_build_object('shop', (
    select jsonb_build_object('name', s.name, 'siteUrl', site_url, 'email', s.email, 'whatsapp', s.whatsapp_number, 'address', s.address,
                              'fssai', nullif(s.fssai_number, ''))
    from public.shop_settings s)));
exception when others then
  return jsonb_build_object('problem', sqlerrm);
end $$;

create function private.offer_left(offer private.offers, customer_id uuid, out uses bigint, out paise bigint)
language sql stable set search_path = '' as $$
  select offer.max_uses - c.used - c.held + coalesce(own.uses, 0), offer.budget_paise - c.used_paise - c.held_paise + coalesce(own.paise, 0)
  from private.offer_counts c
  left join lateral (
    select count(*) as uses, sum(u.discount_paise + u.shipping_paise)::bigint as paise from private.offer_uses u
    where u.user_id = offer_left.customer_id and u.offer_id = offer.id and u.state = 'held') own on true
  where c.offer_id = offer.id;
$$;

create function private.offer_names(offers jsonb) returns text
language sql immutable set search_path = '' as $$
  select coalesce(string_agg(case when e.code is null then e.name else format('%s (%s)', e.name, e.code) end, ', ' order by e.place), '')
  from rows from (jsonb_to_recordset(offers) as (name text, code text)) with ordinality as e (name, code, place);
$$;

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

create function private.offer_row(offer private.offers, at timestamptz) returns jsonb
language sql stable set search_path = '' as $$
  select (to_jsonb(offer) - '{created_at,starts_at,ends_at,stopped_at}'::text[]) || jsonb_build_object(
    'from_day', private.day_of(offer.starts_at), 'until_day', private.day_of(offer.ends_at - interval '1 second'),
    'state', private.offer_state(offer, c, offer_row.at), 'uses', c.used, 'reserved', c.held, 'cost_paise', c.used_paise,
    'discount_paise', s.discount, 'shipping_paise', s.shipping, 'sales_paise', s.sales, 'canceled', s.canceled)
  from private.offer_counts c
  cross join lateral (
    select coalesce(sum(u.discount_paise), 0)::bigint as discount, coalesce(sum(u.shipping_paise), 0)::bigint as shipping,
           coalesce(sum(o.total_amount * 100) filter (where o.status <> 'canceled'), 0)::bigint as sales,
           count(*) filter (where o.status = 'canceled') as canceled
    from private.offer_uses u join public.orders o on o.id = u.order_id
    where u.offer_id = offer.id and u.state = 'used') s
  where c.offer_id = offer.id;
$$;

create function private.offer_state(offer private.offers, counts private.offer_counts, at timestamptz) returns text
language sql immutable set search_path = '' as $$
  select case when offer.stopped_at is not null then 'stopped' when offer.ends_at <= at then 'ended'
              when counts.used >= offer.max_uses or counts.used_paise >= offer.budget_paise then 'used-up'
              when offer.starts_at > at then 'planned' else 'running' end;
$$;

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

create or replace function private.open_batch(calls jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  at timestamptz := coalesce((select max((c ->> 'at')::timestamptz) from jsonb_array_elements(calls) as c), now());
  results jsonb[] := array_fill(null::jsonb, array[jsonb_array_length(calls)]);
  customers text[] := array(select c.call ->> 'customer_id' from jsonb_array_elements(calls) with ordinality as c (call, n) order by c.n);
  places integer[];
  opening private.opening;
  new_openings private.opening[];
  allowed_openings private.opening[];
  within_limit boolean[];
  offerless integer;
begin
  -- No flush: attach_provider_order() commits, and flushes this, before anyone can pay.
  perform set_config('synchronous_commit', 'off', true);
  perform private.lock_checkouts(customers::uuid[]);
  perform private.lock_offers(customers::uuid[], '{}', at);
  loop
    -- The first call of each customer that has no result: the next one sees what this one did.
    places := array(select min(c.n) from unnest(customers) with ordinality as c (customer, n) where results[c.n] is null group by c.customer order by 1);
    exit when cardinality(places) = 0;
    new_openings := '{}';
    for opening in
      select * from private.find_openings((select jsonb_agg(calls -> p.place - 1 order by p.n) from unnest(places) with ordinality as p (place, n)), at)
    loop
      opening.place := places[opening.place];
      if (opening.checkout).state = 'paid' then
        results[opening.place] := jsonb_build_object('ok', false, 'reason', 'already-paid');
      elsif opening.reason is not null then
        results[opening.place] := jsonb_build_object('ok', false, 'reason', opening.reason);
      elsif (opening.checkout).state = 'open' and not private.is_other_parcel(opening) then
        results[opening.place] := private.checkout_result(opening.checkout, opening.quote, is_new => false);
      elsif (opening.checkout).id is not null then
        results[opening.place] := jsonb_build_object('ok', false, 'reason', 'quote-expired');
      else
        new_openings := new_openings || opening;
      end if;
    end loop;
    within_limit := private.consume_rate_limits('checkout', array(select o.customer_id::text from unnest(new_openings) as o), 5, interval '1 minute', at);
    allowed_openings := '{}';
    for n in 1 .. cardinality(new_openings) loop
      opening := new_openings[n];
      results[opening.place] := private.opening_rejection(opening, within_limit[n]);
      if results[opening.place] is null then
        allowed_openings := allowed_openings || opening;
      end if;
    end loop;
    if exists (select from unnest(allowed_openings) as o where (o.quote).offers <> '[]') then
      foreach offerless in array private.offerless_openings(allowed_openings, at) loop
        results[offerless] := jsonb_build_object('ok', false, 'reason', 'offer-changed');
      end loop;
      allowed_openings := array(select o from unnest(allowed_openings) as o where results[o.place] is null order by o.place);
    end if;
    results := private.open_by_stock(allowed_openings, results, at);
  end loop;
  return to_jsonb(results);
end $$;

create or replace function private.order_facts(told public.orders, actor text) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', told.id, 'number', told.number, 'placedAt', told.created_at, 'name', told.delivery_name, 'phone', told.delivery_phone,
    'items', (select jsonb_agg(jsonb_build_object(
                'name', i.product_name, 'quantity', i.quantity, 'sizeGrams', case when i.has_size then i.size end,
                'linePaise', private.line_paise(i.unit_price, i.size, i.quantity)::bigint) order by i.id)
              from public.order_items i where i.order_id = told.id),
    'subTotalPaise', (told.sub_total * 100)::bigint, 'discountPaise', (told.discount * 100)::bigint,
    'offers', private.offer_names(told.offers), 'taxPaise', (told.tax * 100)::bigint,
    'shippingPaise', (told.shipping_charge * 100)::bigint, 'shippingTaxPaise', private.order_shipping_tax(told),
    'totalPaise', (told.total_amount * 100)::bigint,
    'isPaid', told.payment_status <> 'unpaid', 'fulfilment', told.fulfilment,
    'address', case when told.fulfilment = 'delivery' then jsonb_build_object(
      'building', told.delivery_building_no, 'street', told.delivery_street, 'city', told.delivery_city,
      'state', told.delivery_state, 'zip', told.delivery_zip) end,
    'deliveryBy', told.delivery_by, 'deliverOn', told.deliver_on, 'missedDay', told.missed_day, 'courier', told.courier, 'trackingNumber', told.tracking_number,
    'trackingUrl', nullif(told.tracking_url, ''), 'cancelReason', told.cancel_reason,
    'isGift', exists (select from private.order_gifts g where g.order_id = told.id),
    'canceledBy', case when told.status = 'canceled' then case actor when 'customer' then 'customer' else 'shop' end end);
$$;

create or replace function private.order_head(told public.orders) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', told.id, 'number', told.number, 'status', told.status, 'payment_status', told.payment_status, 'source', told.source,
    'fulfilment', told.fulfilment, 'placed_at', told.created_at, 'updated_at', told.updated_at, 'delivery_by', told.delivery_by,
    'deliver_on', told.deliver_on, 'pack_on', told.pack_on, 'missed_day', told.missed_day,
    'sub_total_paise', (told.sub_total * 100)::bigint, 'discount_paise', (told.discount * 100)::bigint, 'offers', told.offers,
    'tax_paise', (told.tax * 100)::bigint,
    'shipping_paise', (told.shipping_charge * 100)::bigint, 'shipping_tax_paise', private.order_shipping_tax(told),
    'total_paise', (told.total_amount * 100)::bigint,
    'delivery', jsonb_build_object(
      'name', told.delivery_name, 'phone', told.delivery_phone, 'building_no', told.delivery_building_no,
      'street', told.delivery_street, 'city', told.delivery_city, 'state', told.delivery_state, 'zip', told.delivery_zip),
    'courier', told.courier, 'tracking_number', told.tracking_number, 'tracking_url', nullif(told.tracking_url, ''),
    'cancel_reason', told.cancel_reason, 'canceled_goods', told.canceled_goods, 'offline_method', told.offline_method,
    'gift', private.gift_of_order(told.id), 'group', private.group_of_order(told));
$$;

create or replace function private.order_lines(order_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', i.id, 'product_id', i.product_id, 'name', i.product_name, 'image', i.product_image, 'quantity', i.quantity,
    'size', i.size, 'has_size', i.has_size, 'unit_price_paise', (i.unit_price * 100)::bigint, 'gst_percent', i.gst_percent,
    'hsn', i.hsn, 'line_paise', private.line_paise(i.unit_price, i.size, i.quantity)::bigint, 'discount_paise', (i.discount * 100)::bigint,
    'grams', case when i.contents is not null then b.grams when i.has_size then i.size else p.weight_grams end * i.quantity,
    'cost_paise', round(private.line_paise(c.unit_cost, i.size, i.quantity))::bigint,
    'food_mark', coalesce(p.food_mark, b.food_mark), 'allergens', coalesce(p.allergens, b.allergens),
    'shelf_life_days', coalesce(p.shelf_life_days, b.shelf_life_days)) order by i.id), '[]')
  from public.order_items i
  left join public."Products" p on p."Id" = i.product_id
  left join lateral private.box_facts(i.contents) b on i.contents is not null
  left join private.placed_items c on c.order_item_id = i.id
  where i.order_id = order_lines.order_id;
$$;

create or replace function private.order_shipping_tax(placed public.orders) returns bigint
language plpgsql stable security definer set search_path = '' as $$
declare
  shipping_paise constant bigint := placed.shipping_charge * 100;
begin
  if shipping_paise = 0
     or not coalesce((select v.tax_kind <> 'none' from private.invoices v where v.order_id = placed.id), private.is_registered()) then
    return 0;
  end if;
  return (
    select private.shipping_tax_paise(shipping_paise, array_agg(i.hsn order by i.id),
      array_agg(i.gst_percent order by i.id), array_agg(private.line_paise(i.unit_price, i.size, i.quantity) - i.discount * 100 order by i.id))
    from public.order_items i where i.order_id = placed.id);
end $$;

create or replace function private.payment_rejection(
  checkouts private.checkouts[], quotes private.quotes[], paid_group private.group_orders, amount_paise bigint, currency text,
  is_refunded_by_provider boolean) returns text
language plpgsql set search_path = '' as $$
begin
  return case
    when is_refunded_by_provider then 'given-back'
    when (checkouts[1]).state = 'paid' then 'second-payment'
    when paid_group.id is not null and exists (
      select from private.group_orders g
      where g.family_id = paid_group.family_id and g.state = 'paid' and g.contents = paid_group.contents) then 'second-payment'
    when paid_group.id is null and exists (
      select from private.checkouts c join private.quotes q on q.id = c.quote_id
      where c.family_id = (checkouts[1]).family_id and c.state = 'paid'
        and private.quote_contents(q.lines) = private.quote_contents((quotes[1]).lines)) then 'second-payment'
    -- The customer was erased, and what they had chosen with them.
    when coalesce(cardinality(checkouts), 0) = 0 then 'sold-out'
    when payment_rejection.currency <> 'INR' or payment_rejection.amount_paise <> (
      select sum(q.total_paise) from unnest(quotes) as q) then 'wrong-amount'
    when (quotes[1]).offers <> '[]' and not private.complete_offers(checkouts[1]) then 'offer-used-up'
    when exists (select from unnest(checkouts) as c join unnest(quotes) as q on q.id = c.quote_id where c.held <> q.units)
      and not private.complete_hold(checkouts, quotes) then 'sold-out'
  end;
end $$;

create or replace function private.place_orders(
  paid_checkouts private.checkouts[], quotes private.quotes[], payments private.payments[], order_ids uuid[], at timestamptz) returns void
language plpgsql set search_path = '' as $$
begin
  perform set_config('shop.event_at', at::text, true);
  with quoted as materialized (
    select q.*, private.cutoff_window_start(q.created_at) as window_start from unnest(quotes) with ordinality as q
  ), promised as materialized (
    select k.*, c.deliver_on, c.pack_on, c.missed_day,
           case when k.chosen_day is null then private.promise_at_payment(k.pincode, k.delivery_by, k.window_start, place_orders.at)
                else c.deliver_on end as day
    from (select distinct q.pincode, q.delivery_by, q.window_start, q.deliver_on as chosen_day,
                          case when q.deliver_on is not null then q.product_ids end as product_ids from quoted q) k
    cross join lateral private.day_at_payment(k.pincode, k.chosen_day, k.product_ids, place_orders.at) c
  )
  insert into public.orders (id, user_id, payment_status, payment_id, source, fulfilment, sub_total, tax, shipping_charge,
                             total_amount, delivery_name, delivery_phone, delivery_building_no, delivery_street,
                             delivery_city, delivery_state, delivery_zip, delivery_by, created_at, updated_at,
                             deliver_on, pack_on, missed_day, group_id, group_place, discount, offers)
  select order_ids[p.ordinality], c.user_id, 'paid', p.payment_id, q.source, q.fulfilment, q.sub_total_paise / 100.0, q.tax_paise / 100.0,
         q.shipping_paise / 100.0, q.total_paise / 100.0, c.delivery_name, c.delivery_phone, c.delivery_building_no,
         c.delivery_street, c.delivery_city, c.delivery_state, c.delivery_zip,
         k.day, at, at, k.deliver_on, k.pack_on, k.missed_day, c.group_id, c.group_place,
         q.discount_paise / 100.0, q.offers
  from unnest(payments) with ordinality as p
  join unnest(paid_checkouts) with ordinality as c on c.ordinality = p.ordinality
  join quoted q on q.ordinality = p.ordinality
  left join promised k on k.pincode = q.pincode and k.window_start = q.window_start and k.delivery_by is not distinct from q.delivery_by
                      and k.chosen_day is not distinct from q.deliver_on and (k.chosen_day is null or k.product_ids = q.product_ids);
  perform private.fill_orders(order_ids, quotes, were_reserved => true, at => at);
  perform set_config('shop.event_at', '', true);
  -- Checked once more later: attempts that were still under way may be captured after this one. The gift is the order's now.
  update private.checkouts c
  set state = 'paid', held = '{}', order_id = order_ids[k.ordinality], gift = null,
      next_check_at = case when c.group_id is null then at + private.late_capture_delay() end
  from unnest(paid_checkouts) with ordinality as k
  where c.id = k.id;
  if exists (select from unnest(quotes) as q where q.offers <> '[]') then
    perform private.use_offers(array(select c.id from unnest(paid_checkouts) with ordinality as c order by c.ordinality), order_ids);
  end if;
  update private.group_orders g set state = 'paid', next_check_at = at + private.late_capture_delay()
  where g.id in (select c.group_id from unnest(paid_checkouts) as c);
  insert into private.payments (payment_id, provider_order_id, order_id, user_id, amount_paise, fee_paise, method, status, captured_at,
                                created_at, group_id)
  select p.payment_id, p.provider_order_id, case when c.group_id is null then order_ids[p.ordinality] end, p.user_id, p.amount_paise,
         p.fee_paise, p.method, p.status, p.captured_at, p.created_at, c.group_id
  from unnest(payments) with ordinality as p join unnest(paid_checkouts) with ordinality as c on c.ordinality = p.ordinality
  where c.group_place <= 1;
  insert into private.order_gifts (order_id, note, motif, sender_name, recipient_email)
  select order_ids[c.ordinality], c.gift ->> 'note', c.gift ->> 'motif', c.gift ->> 'sender_name', c.gift ->> 'recipient_email'
  from unnest(paid_checkouts) with ordinality as c
  where c.gift is not null;
end $$;

create or replace function private.price_orders(carts jsonb, at timestamptz)
returns table (place integer, customer_id uuid, quote private.quotes, grams bigint, rejection jsonb, spoiled jsonb)
language plpgsql stable set search_path = '' as $$
begin
  return query
  with cart as materialized (
    select a.ordinality::integer as place, a.customer_id, a.lines, a.pincode, a.source, a.fulfilment, a.delivery_on
    from rows from (jsonb_to_recordset(carts) as (
      customer_id uuid, lines jsonb, pincode text, source text, fulfilment text, delivery_on date)) with ordinality as a
  ), line as materialized (
    select l.place, p."Id" as product_id, l.size, l.quantity, p."Name" as product_name, p."Image" as product_image, p."hasSize" as has_size,
           p."Price" as unit_price, p.gst_percent, p.hsn, private.line_paise(p."Price", l.size, l.quantity)::bigint as line_paise,
           round(private.line_paise(p."Price", l.size, l.quantity) * p.gst_percent / 100)::bigint as tax_paise,
           case when p."hasSize" then l.size else p.weight_grams end * l.quantity as grams,
           private.stock_quantity(p."hasSize", l.size, l.quantity) as stock_units, p."Category" as category, p.shelf_life_days,
           null::bigint as box_id, null::jsonb as contents
    from (select a.place, l.product_id, l.size, sum(l.quantity)::integer as quantity
          from cart a, jsonb_to_recordset(a.lines) as l (product_id bigint, size integer, quantity integer)
          group by a.place, l.product_id, l.size) l
    cross join lateral (select p.* from public."Products" p where p."Id" = l.product_id offset 0) p
    union all
    select b.place, null, 500, b.quantity, b.product_name, '/images/own-box-960.webp', false, b.unit_price, b.gst_percent, b.hsn, b.line_paise,
           b.tax_paise, b.grams, 0, '', b.shelf_life_days, b.box_id, b.contents
    from private.price_boxes(carts) b
  ), wanted as materialized (
    select w.place, array_agg(w.product_id order by w.product_id) as product_ids, array_agg(w.units order by w.product_id) as units
    from (select l.place, u.product_id, sum(u.units)::integer as units
          from line l cross join lateral private.goods_of_line(l.product_id, l.stock_units, l.quantity, l.contents) u
          group by l.place, u.product_id) w
    group by w.place
  ), goods as materialized (
    select l.place, jsonb_agg(to_jsonb(l) - '{place,category,shelf_life_days}'::text[] order by l.product_id, l.size, l.box_id, l.product_name) as lines,
           count(distinct l.product_id) as products, sum(l.line_paise)::bigint as sub_total, sum(l.tax_paise)::bigint as tax,
           sum(l.grams)::bigint as grams, max(l.quantity) as most, bool_and(l.category = 'Takeaway') as all_takeaway,
           max(l.product_name) filter (where not l.has_size and l.size <> 500) as without_size, min(l.shelf_life_days) as shelf_life_days
    from line l group by l.place
  ), journeys as materialized (
    select z.pincode, z.delivery_on, z.zone, j.leaves_on, j.arrives_on, j.refusal
    from (select k.pincode, k.delivery_on, private.zone_of(k.pincode) as zone
          from (select distinct a.pincode, a.delivery_on from cart a where a.fulfilment = 'delivery') k offset 0) z
    left join lateral private.journey_of(price_orders.at, z.zone, z.delivery_on) j on true
  ), checked as materialized (
    select a.*, g.lines as priced, coalesce(g.sub_total, 0) as sub_total, coalesce(g.tax, 0) as tax, g.grams, g.shelf_life_days,
           w.product_ids, w.units, j.zone, j.leaves_on, j.arrives_on, j.arrives_on - j.leaves_on as days, j.refusal as day_refusal,
           case
             when x.rejection is not null then x.rejection
             when coalesce(g.products, 0) <> (select count(distinct l.product_id) from jsonb_to_recordset(a.lines) as l (product_id bigint))
               then jsonb_build_object('reason', 'unknown-product')
             when g.without_size is not null then jsonb_build_object('reason', 'size-not-offered', 'product', g.without_size)
             when g.most > 25 then jsonb_build_object('reason', 'too-many')
             when g.grams > 30000 then jsonb_build_object('reason', 'too-heavy')
             when a.fulfilment = 'pickup' and a.source <> 'manual' and not g.all_takeaway then jsonb_build_object('reason', 'pickup-not-offered')
             when a.fulfilment = 'delivery' and (j.zone).id is null
               then jsonb_build_object('reason', 'outside-zones', 'pincode', a.pincode) end as rejection
    from cart a
    left join goods g on g.place = a.place
    left join wanted w on w.place = a.place
    left join private.box_rejections(carts) x on x.place = a.place
    left join journeys j on j.pincode = a.pincode and j.delivery_on is not distinct from a.delivery_on and a.fulfilment = 'delivery'
  ), shipped as materialized (
    -- Which sweets would spoil is looked up when the one that keeps the shortest does.
    select j.*, case when j.rejection is null and j.fulfilment = 'delivery' then private.shipping_paise(j.zone, j.grams, j.source) else 0 end as shipping,
           case when j.rejection is null and not private.stays_fresh(j.shelf_life_days, j.days) then private.products_that_spoil(j.product_ids, j.days) end as spoiled
    from checked j
  )
  select s.place, s.customer_id,
         row(null, s.customer_id, s.source, s.fulfilment, s.pincode, s.priced, s.product_ids, s.units, s.sub_total, s.tax, s.shipping,
             case when v.rejection is null then s.sub_total + s.tax + s.shipping end, s.arrives_on, price_orders.at,
             price_orders.at + private.quote_time(), case when s.delivery_on is not null then s.arrives_on end,
             case when s.delivery_on is not null then s.leaves_on end, 0, '[]')::private.quotes,
         s.grams, jsonb_build_object('ok', false) || v.rejection, s.spoiled
  from shipped s
  cross join lateral (
    select case when s.rejection is not null then s.rejection
                when s.source = 'manual' or s.fulfilment = 'pickup' then null
                when s.day_refusal is not null then s.day_refusal
                when s.arrives_on is null then jsonb_build_object('reason', 'closed')
                when s.spoiled is not null then jsonb_build_object('reason', 'would-spoil', 'pincode', s.pincode, 'spoiled', s.spoiled)
           end as rejection) v;
end $$;

create function private.profit_and_loss(from_day date, to_day date) returns table (
  orders integer, goods_paise bigint, canceled_paise bigint, refunded_paise bigint, net_sales_paise bigint,
  cost_paise bigint, unknown_cost_lines integer, unknown_cost_goods_paise bigint, unknown_back_lines integer,
  unknown_back_goods_paise bigint, gross_profit_paise bigint,
  fee_paise bigint, unknown_fee_payments integer, unknown_fee_paid_paise bigint,
  shipping_paise bigint, courier_paise bigint, wastage_paise bigint, unknown_wastage_moves integer,
  expenses jsonb, expenses_paise bigint, profit_paise bigint, tax_collected_paise bigint, tax_spent_paise bigint,
  shipping_tax_paise bigint, fee_tax_paise bigint, discount_paise bigint)
language plpgsql set search_path = '' as $$
declare
  hour constant timestamptz := private.stored_until('hour', now());
  today date;
begin
  perform private.store_profit_days(from_day, to_day);
  select k.day into today from private.profit_days k where k.day between from_day and to_day and k.until = hour;
  return query
  with days as (
    select k.* from private.profit_days k where k.day between from_day and to_day and (k.until is null or k.until = hour)
    union all
    select f.* from private.day_figures(today, to_day, from_time => hour) f
    where today is not null and not exists (select from private.profit_days k where k.day = f.day and k.until is null)
    union all
    select f.* from private.missing_profit_days(from_day, coalesce(today - 1, to_day)) r cross join lateral private.day_figures(lower(r), upper(r) - 1) f
  ), sums as (
    select coalesce(sum(d.orders), 0) as orders, coalesce(sum(d.goods_paise), 0) as goods,
           coalesce(sum(d.canceled_goods_paise), 0) as canceled, coalesce(sum(d.refunded_goods_paise), 0) as refunded,
           coalesce(sum(d.cost_paise - d.cost_back_paise), 0) as cost,
           coalesce(sum(d.unknown_cost_lines), 0) as unknown_lines, coalesce(sum(d.unknown_cost_goods_paise), 0) as unknown_goods,
           coalesce(sum(d.unknown_back_lines), 0) as unknown_back_lines, coalesce(sum(d.unknown_back_goods_paise), 0) as unknown_back,
           coalesce(sum(d.fee_paise - d.fee_tax_paise), 0) as fee, coalesce(sum(d.fee_tax_paise), 0) as fee_tax, coalesce(sum(d.unknown_fee_payments), 0) as unknown_fees,
           coalesce(sum(d.unknown_fee_paid_paise), 0) as unknown_paid,
           coalesce(sum(d.shipping_paise - d.canceled_shipping_paise - d.refunded_shipping_paise), 0) as charged,
           coalesce(sum(d.shipping_tax_paise - d.canceled_shipping_tax_paise - d.refunded_shipping_tax_paise), 0) as shipping_tax,
           coalesce(sum(d.wastage_paise), 0) as wastage, coalesce(sum(d.unknown_wastage_moves), 0) as unknown_wastage,
           coalesce(sum(d.discount_paise), 0) as discount,
           coalesce(sum(d.tax_paise - d.canceled_tax_paise - d.refunded_tax_paise), 0) as tax
    from days d
  ), categories as (
    select e.category, sum(e.amount - e.gst_amount) * 100 as spent, sum(e.gst_amount) * 100 as tax
    from public.expenses e where e.spent_on between from_day and to_day
    group by e.category
  ), spendings as (
    select coalesce(jsonb_object_agg(c.category, c.spent::bigint) filter (where c.category <> 'Delivery'), '{}') as by_category,
           coalesce(sum(c.spent) filter (where c.category <> 'Delivery'), 0) as spent,
           coalesce(sum(c.spent) filter (where c.category = 'Delivery'), 0) as couriers,
           coalesce(sum(c.tax), 0) as tax
    from categories c
  )
  select s.orders::integer, s.goods::bigint, s.canceled::bigint, s.refunded::bigint, n.net::bigint,
         s.cost::bigint, s.unknown_lines::integer, s.unknown_goods::bigint, s.unknown_back_lines::integer,
         s.unknown_back::bigint, (n.net - s.cost)::bigint,
         s.fee::bigint, s.unknown_fees::integer, s.unknown_paid::bigint,
         n.shipping::bigint, e.couriers::bigint, s.wastage::bigint, s.unknown_wastage::integer,
         e.by_category, e.spent::bigint,
         (n.net - s.cost - s.fee + n.shipping - e.couriers - s.wastage - e.spent)::bigint, s.tax::bigint, e.tax::bigint,
         s.shipping_tax::bigint, s.fee_tax::bigint, s.discount::bigint
  from sums s cross join spendings e cross join lateral (select s.goods - s.discount - s.canceled - s.refunded as net, s.charged - s.shipping_tax as shipping) n;
end $$;

create or replace function private.quote_batch(calls jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  at timestamptz := coalesce((select max((c ->> 'at')::timestamptz) from jsonb_array_elements(calls) as c), now());
  within_limit boolean[];
  rejections jsonb[];
  quotes private.quotes[];
  customer_ids uuid[];
  ids uuid[] := array(select gen_random_uuid() from jsonb_array_elements(calls));
  opens_on date := (select p.opens_on from private.promise_delivery(at, 0) p);
  code_problems jsonb[] := array_fill(null::jsonb, array[jsonb_array_length(calls)]);
  offered record;
begin
  -- No flush: a quote lost in a crash is requested again.
  perform set_config('synchronous_commit', 'off', true);
  within_limit := private.consume_rate_limits('quote', array(
    select c.call ->> 'customer_id' from jsonb_array_elements(calls) with ordinality as c (call, n) order by c.n), 60, interval '1 minute', at);
  select array_agg(case when within_limit[p.place] then p.rejection else jsonb_build_object('ok', false, 'reason', 'too-many-quotes') end order by p.place),
         array_agg(p.quote order by p.place), array_agg(p.customer_id order by p.place)
  into rejections, quotes, customer_ids from private.price_orders(calls, at) p;
  rejections := array(
    select coalesce(rejections[q.ordinality], s.rejection,
                    case when q.fulfilment = 'pickup' and opens_on is null then jsonb_build_object('ok', false, 'reason', 'closed') end)
    from unnest(quotes) with ordinality as q
    left join private.shortages(customer_ids, quotes) s on s.place = q.ordinality
    order by q.ordinality);
  for offered in select * from private.apply_offers(calls, quotes, rejections, at) loop
    quotes[offered.place] := offered.quote;
    code_problems[offered.place] := offered.code_problem;
  end loop;
  insert into private.quotes
  select ids[q.ordinality], q.user_id, q.source, q.fulfilment, q.pincode, q.lines, q.product_ids, q.units, q.sub_total_paise, q.tax_paise,
         q.shipping_paise, q.total_paise, q.delivery_by, q.created_at, q.expires_at, q.deliver_on, q.pack_on,
         q.discount_paise, q.offers
  from unnest(quotes) with ordinality as q where rejections[q.ordinality] is null;
  return (
    select jsonb_agg(coalesce(rejections[q.ordinality], jsonb_build_object(
      'ok', true, 'quote_id', ids[q.ordinality], 'sub_total_paise', q.sub_total_paise, 'tax_paise', q.tax_paise, 'shipping_paise', q.shipping_paise,
      'shipping_tax_paise', case when q.shipping_paise > 0 and private.is_registered() then (
        select private.shipping_tax_paise(q.shipping_paise, array_agg(l.hsn), array_agg(l.gst_percent),
                                          array_agg(l.line_paise - coalesce(l.discount_paise, 0)))
        from jsonb_to_recordset(q.lines) as l (hsn text, gst_percent numeric, line_paise numeric, discount_paise numeric)) else 0 end,
      'total_paise', q.total_paise, 'discount_paise', q.discount_paise, 'offers', q.offers, 'code_problem', code_problems[q.ordinality],
      'delivery_by', q.delivery_by,
      'collect_from', case when q.fulfilment = 'pickup' then opens_on end, 'expires_at', q.expires_at)) order by q.ordinality)
    from unnest(quotes) with ordinality as q);
end $$;

create or replace function private.receipt_document(told public.orders) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'kind', 'receipt', 'number', told.number::text, 'issued_at', told.created_at, 'order_number', told.number,
    'placed_at', told.created_at, 'is_collected', told.fulfilment = 'pickup', 'supplier', private.supplier_facts(),
    'recipient', jsonb_build_object('name', private.sold_to(told), 'building_no', told.delivery_building_no, 'street', told.delivery_street,
                                    'city', told.delivery_city, 'state', told.delivery_state, 'zip', told.delivery_zip),
    'payment_status', told.payment_status, 'is_canceled', told.status = 'canceled',
    'lines', (select jsonb_agg(jsonb_build_object(
        'description', i.product_name || case when i.has_size then format(', %s', case i.size when 1000 then '1 kg' else '500 g' end) else '' end,
        'quantity', i.quantity, 'rate_paise', private.line_paise(i.unit_price, i.size, 1)::bigint,
        'line_paise', private.line_paise(i.unit_price, i.size, i.quantity)::bigint) order by i.id)
      from public.order_items i where i.order_id = told.id),
    'sub_total_paise', (told.sub_total * 100)::bigint, 'discount_paise', (told.discount * 100)::bigint,
    'offers', private.offer_names(told.offers), 'tax_paise', (told.tax * 100)::bigint,
    'shipping_paise', (told.shipping_charge * 100)::bigint, 'shipping_tax_paise', private.order_shipping_tax(told),
    'total_paise', (told.total_amount * 100)::bigint);
$$;

create or replace function private.reject_payment(payment private.payments, checkouts private.checkouts[], rejection text) returns void
language plpgsql set search_path = '' as $$
declare
  holders constant uuid[] := array(select c.id from unnest(checkouts) as c where c.state = 'open' or c.held <> '{}');
begin
  if rejection = 'second-payment' and cardinality(holders) > 0 then
    perform private.release_stock(holders);
  end if;
  perform private.release_offers(array(select c.id from unnest(checkouts) as c));
  insert into private.payments select payment.*;
  if rejection = 'given-back' then
    insert into private.refunds (payment_id, amount_paise, reason, status, created_at, processed_at)
    values (payment.payment_id, payment.amount_paise, rejection, 'processed', payment.created_at, payment.created_at);
  else
    perform private.refund_payment_in_full(payment.payment_id, rejection, payment.created_at);
  end if;
end $$;

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

create or replace function private.release_stock(checkout_ids uuid[]) returns void
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

create function private.rename_category_of_offers() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.offers f set categories = array_replace(f.categories, old.name, new.name) where old.name = any (f.categories);
  return null;
end $$;

create or replace function private.returns_by_day(from_time timestamptz, to_time timestamptz) returns table (
  day date, canceled_goods numeric, canceled_tax numeric, canceled_shipping numeric, refunded_goods numeric, refunded_tax numeric,
  refunded_shipping numeric, canceled_shipping_tax numeric, refunded_shipping_tax numeric)
language sql stable as $$
  with touched as (
    select e.order_id from public.order_events e
    where e.created_at >= from_time and e.created_at < to_time and e.to_status in ('canceled', 'Refunded')
    union
    select r.order_id from private.refunds r
    where r.created_at >= from_time and r.created_at < to_time and r.order_id is not null and r.status <> 'failed'
  ), endings as (
    select t.order_id, e.to_status, e.created_at
    from touched t left join public.order_events e on e.order_id = t.order_id and e.to_status in ('canceled', 'Refunded')
  ), takings as ( -- each with what had been given back when it was over
    select e.order_id, r.created_at as at, false as by_cancel,
           sum(r.amount_paise) over (partition by e.order_id order by r.created_at, r.id) as upto
    from endings e join private.refunds r on r.order_id = e.order_id
    where r.status <> 'failed' and (e.created_at is null or r.created_at < e.created_at)
    union all
    select e.order_id, e.created_at, e.to_status = 'canceled', null
    from endings e where e.created_at is not null
  ), parts as (
    select t.order_id, t.at, t.by_cancel, p.goods, x.upto, least(x.upto, p.goods + p.tax) as upto_taxed,
           round(least(x.upto, p.goods + p.tax) * p.goods / (p.goods + p.tax)) as upto_goods,
           case when p.shipping > 0 then round(greatest(x.upto - p.goods - p.tax, 0) * private.order_shipping_tax(o) / p.shipping)
                else 0 end as upto_shipping_tax
    from takings t
    join public.orders o on o.id = t.order_id
    cross join lateral (select (o.sub_total - o.discount) * 100 as goods, o.tax * 100 as tax, o.shipping_charge * 100 as shipping,
                               o.total_amount * 100 as total) p
    cross join lateral (select least(coalesce(t.upto, p.total), p.total) as upto) x
  ), steps as (
    select p.at, p.by_cancel,
           p.upto_goods - lag(p.upto_goods, 1, 0) over by_order as goods,
           (p.upto_taxed - p.upto_goods) - lag(p.upto_taxed - p.upto_goods, 1, 0) over by_order as tax,
           (p.upto - p.upto_taxed) - lag(p.upto - p.upto_taxed, 1, 0) over by_order as shipping,
           p.upto_shipping_tax - lag(p.upto_shipping_tax, 1, 0) over by_order as shipping_tax
    from parts p
    window by_order as (partition by p.order_id order by p.upto, p.at)
  )
  select (t.at at time zone 'Asia/Kolkata')::date as day,
         sum(t.goods) filter (where t.by_cancel) as canceled_goods, sum(t.tax) filter (where t.by_cancel) as canceled_tax,
         sum(t.shipping) filter (where t.by_cancel) as canceled_shipping,
         sum(t.goods) filter (where not t.by_cancel) as refunded_goods, sum(t.tax) filter (where not t.by_cancel) as refunded_tax,
         sum(t.shipping) filter (where not t.by_cancel) as refunded_shipping,
         sum(t.shipping_tax) filter (where t.by_cancel) as canceled_shipping_tax,
         sum(t.shipping_tax) filter (where not t.by_cancel) as refunded_shipping_tax
  from steps t where t.at >= from_time and t.at < to_time
  group by 1;
$$;

create function private.saved_paise(effects jsonb) returns bigint
language sql immutable set search_path = '' as $$
  select coalesce(sum(e.discount_paise + e.shipping_paise), 0)::bigint
  from jsonb_to_recordset(effects) as e (discount_paise bigint, shipping_paise bigint);
$$;

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

create function private.tidy_code(typed text) returns text
language sql immutable set search_path = '' as $$
  select upper(regexp_replace(coalesce(typed, ''), '[\s-]+', '', 'g'));
$$;

create function private.try_offer(offer private.offers, quote private.quotes, line_paise bigint[], categories text[], at timestamptz) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  goods constant bigint := (
    select coalesce(sum(l.paise), 0) from unnest(line_paise, categories) as l (paise, category)
    where offer.categories = '{}' or l.category = any (offer.categories));
  rejection jsonb;
  saved bigint;
  remaining record;
begin
  rejection := private.offer_rejection(offer, quote.user_id, at);
  if rejection is not null then
    return rejection;
  elsif goods = 0 then
    return jsonb_build_object('reason', 'other-goods', 'categories', to_jsonb(offer.categories));
  elsif goods < offer.min_order_paise then
    return jsonb_build_object('reason', 'minimum', 'min_order_paise', offer.min_order_paise, 'missing_paise', offer.min_order_paise - goods,
                              'categories', to_jsonb(offer.categories));
  end if;
  saved := private.saved_paise((private.calculate_offers(line_paise, categories, quote.shipping_paise, array[offer])).effects);
  if saved = 0 then
    return jsonb_build_object('reason', case offer.kind when 'free-delivery' then 'no-delivery-charge' else 'too-small' end);
  end if;
  select * into remaining from private.offer_left(offer, quote.user_id);
  if remaining.uses < 1 or remaining.paise < saved then
    return jsonb_build_object('reason', 'used-up');
  end if;
  return null;
end $$;

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

create or replace function private.write_checkouts(openings private.opening[], at timestamptz) returns table (place integer, result jsonb)
language plpgsql set search_path = '' as $$
declare
  customer_ids uuid[] := array(select o.customer_id from unnest(openings) with ordinality as o order by o.ordinality);
  holds boolean[] := private.can_hold_stock(
    customer_ids, array(select o.ip_hash from unnest(openings) with ordinality as o order by o.ordinality),
    array(select private.grams_of((o.quote).lines) from unnest(openings) with ordinality as o order by o.ordinality), at);
  holders uuid[] := array(
    select k.id from unnest(customer_ids) as k (id)
    where exists (select from private.checkouts c where c.user_id = k.id and c.held <> '{}'));
begin
  -- What a customer's older checkouts hold of the same products is reserved already, and moves to the new one.
  update public.stock_levels s set reserved = s.reserved + n.units
  from (select u.product_id, sum(case when o.customer_id = any (holders)
                                      then greatest(u.units - private.held_units(o.customer_id, u.product_id), 0) else u.units end) as units
        from unnest(openings) with ordinality as o, unnest((o.quote).product_ids, (o.quote).units) as u (product_id, units)
        where holds[o.ordinality] group by u.product_id) n
  where s.product_id = n.product_id and n.units > 0;
  perform private.take_from_holds(o.customer_id, '{}', (o.quote).product_ids, (o.quote).units)
  from unnest(openings) with ordinality as o
  where holds[o.ordinality] and o.customer_id = any (holders);
  update private.checkouts c set state = 'superseded'
  where c.state = 'open' and c.user_id = any (customer_ids);
  perform private.release_offers_of(customer_ids);
  return query
  with opened as (
    insert into private.checkouts as c (quote_id, user_id, family_id, delivery_name, delivery_phone, delivery_building_no,
                                        delivery_street, delivery_city, delivery_state, delivery_zip, held, had_hold, ip_hash,
                                        reserved_until, next_check_at, created_at, address_id, gift)
    select (o.quote).id, o.customer_id, coalesce(o.family_id, gen_random_uuid()), (o.person).name, (o.person).phone, (o.person).building_no,
           (o.person).street, (o.person).city, (o.person).state, (o.person).zip,
           case when holds[o.ordinality] then (o.quote).units else '{}' end, holds[o.ordinality], o.ip_hash,
           write_checkouts.at + private.hold_time(), write_checkouts.at + private.check_interval(write_checkouts.at, write_checkouts.at), write_checkouts.at,
           o.address_id, o.gift
    from unnest(openings) with ordinality as o
    returning c as checkout
  )
  select o.place, private.checkout_result(k.checkout, o.quote, is_new => true)
  from opened k join unnest(openings) as o on (o.quote).id = (k.checkout).quote_id;
  if exists (select from unnest(openings) as o where (o.quote).offers <> '[]') then
    perform private.hold_offers(array(select (o.quote).id from unnest(openings) as o where (o.quote).offers <> '[]'), at);
  end if;
end $$;

create or replace function private.write_group(
  customer_id uuid, recipients jsonb, card jsonb, request text, quotes private.quotes[], ip_hash text, at timestamptz
) returns private.group_orders
language plpgsql set search_path = '' as $$
declare
  is_held constant boolean := (private.can_hold_stock(
    array[customer_id], array[ip_hash], array(select sum(private.grams_of(q.lines))::integer from unnest(quotes) as q), at))[1];
  opened private.group_orders;
  product_ids bigint[];
  units integer[];
  bound private.quotes[];
begin
  select array_agg(w.product_id order by w.product_id), array_agg(w.units order by w.product_id) into product_ids, units
  from (select u.product_id, sum(u.units)::integer as units
        from unnest(quotes) as q, unnest(q.product_ids, q.units) as u (product_id, units) group by u.product_id) w;
  if is_held then
    -- What older checkouts hold of the same products is reserved already, and moves to the new ones.
    update public.stock_levels s set reserved = s.reserved + greatest(n.units - private.held_units(customer_id, n.product_id), 0)
    from unnest(product_ids, units) as n (product_id, units)
    where s.product_id = n.product_id;
    perform private.take_from_holds(customer_id, '{}', product_ids, units);
  end if;
  update private.checkouts c set state = 'superseded' where c.state = 'open' and c.user_id = write_group.customer_id;
  perform private.release_offers_of(array[customer_id]);
  insert into private.group_orders (user_id, family_id, recipients, total_paise, contents, request, next_check_at, created_at)
  select write_group.customer_id,
         coalesce((select l.family_id from (
           select g.* from private.group_orders g where g.user_id = write_group.customer_id order by g.created_at desc, g.id limit 1) l
           where l.state = 'open' and l.created_at > at - interval '2 hours'), gen_random_uuid()),
         count(*), sum(q.total_paise), md5(string_agg(private.quote_contents(q.lines)::text, ' ' order by private.quote_contents(q.lines)::text)),
         write_group.request, at + private.check_interval(at, at), at
  from unnest(quotes) as q
  returning * into opened;
  -- Expired at once: only this group uses them.
  bound := array(
    select jsonb_populate_record(q.quote, jsonb_build_object('id', gen_random_uuid(), 'expires_at', at))
    from rows from (unnest(quotes)) with ordinality as u cross join lateral (select quotes[u.ordinality] as quote) q order by u.ordinality);
  insert into private.quotes select q.* from unnest(bound) as q;
  insert into private.checkouts (quote_id, user_id, family_id, delivery_name, delivery_phone, delivery_building_no, delivery_street,
                                 delivery_city, delivery_state, delivery_zip, held, had_hold, ip_hash, reserved_until, created_at, gift,
                                 group_id, group_place)
  select q.id, write_group.customer_id, opened.id, btrim(r.value ->> 'name'), btrim(r.value ->> 'phone'), btrim(r.value ->> 'building_no'),
         btrim(r.value ->> 'street'), btrim(r.value ->> 'city'), btrim(r.value ->> 'state'), btrim(r.value ->> 'zip'),
         case when is_held then q.units else '{}' end, is_held and q.ordinality = 1, case when q.ordinality = 1 then write_group.ip_hash end,
         at + private.hold_time(), at,
         jsonb_build_object('note', r.value ->> 'note', 'motif', card ->> 'motif', 'sender_name', card ->> 'sender_name',
                            'recipient_email', r.value ->> 'email'),
         opened.id, q.ordinality
  from unnest(bound) with ordinality as q
  join jsonb_array_elements(recipients) with ordinality as r on r.ordinality = q.ordinality;
  return opened;
end $$;

create function public.admin_delete_offer(offer_id bigint, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken private.offers;
begin
  perform private.require_admin();
  perform from private.offer_counts c where c.offer_id = admin_delete_offer.offer_id for update;
  select * into taken from private.offers f where f.id = admin_delete_offer.offer_id for update;
  perform private.expect_unchanged(seen, taken.updated_at);
  if exists (select from private.offer_uses u where u.offer_id = taken.id) then
    perform private.reject('This offer was used and stays in those orders. Stop it instead.');
  end if;
  delete from private.offers f where f.id = taken.id;
  return jsonb_build_object('id', taken.id);
end $$;

create function public.admin_list_offers(at timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'offers', (
      select coalesce(jsonb_agg(r.offer order by r.offer ->> 'state' <> 'running', r.offer ->> 'state' <> 'planned', r.id desc), '[]')
      from (select f.id, private.offer_row(f, admin_list_offers.at) as offer from private.offers f) r),
    'categories', (select coalesce(jsonb_agg(c.name order by c.position, c.id), '[]') from public.categories c));
end $$;

create function public.admin_read_offer(offer_id bigint, at timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object('offer', private.offer_row(f, admin_read_offer.at), 'orders', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', o.id, 'number', o.number, 'placed_at', o.created_at, 'status', o.status, 'name', o.delivery_name,
        'saved_paise', u.discount_paise + u.shipping_paise, 'total_paise', (o.total_amount * 100)::bigint) order by u.created_at desc, o.id), '[]')
      from (select k.* from private.offer_uses k where k.offer_id = f.id and k.state = 'used' order by k.created_at desc limit 100) u
      join public.orders o on o.id = u.order_id))
    from private.offers f where f.id = admin_read_offer.offer_id);
end $$;

create or replace function public.admin_read_profit(year integer, at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  today date := private.day_of(at);
  first date;
  months jsonb;
  statements jsonb[];
begin
  perform private.require_admin();
  if year is null or year not between 2000 and 2100 then
    perform private.reject('There is no such year.', 'year');
  end if;
  first := make_date(year, 4, 1);
  -- At once, instead of month by month.
  perform private.store_profit_days(first, (first + interval '1 year')::date - 1);
  select array_agg(to_jsonb(f)), jsonb_agg(jsonb_build_object('month', m.month, 'figures', to_jsonb(f),
           'bill_tax_paise', private.bill_tax_paise(m.month, (m.month + interval '1 month')::date - 1), 'closing', (
           select jsonb_build_object('closed_at', c.closed_at, 'closed_by', private.person_name(c.closed_by),
                                     'was', case when k.figures <> to_jsonb(f) then k.figures end)
           -- Months that were closed before there were offers have no discounts.
           from private.month_closings c cross join lateral (select '{"discount_paise": 0}' || c.figures as figures) k where c.month = m.month and c.reopened_at is null)) order by m.month)
  into statements, months
  from (select (first + make_interval(months => n))::date as month from generate_series(0, 11) n) m
  cross join lateral private.profit_and_loss(m.month, (m.month + interval '1 month')::date - 1) f
  where m.month <= today;
  return jsonb_build_object('year', year, 'today', today, 'first_year', private.first_financial_year(today),
                            'months', coalesce(months, '[]'), 'total', case when statements is not null then private.add_statements(statements) end);
end $$;

create function public.admin_save_offer(
  name text, kind text, from_day date, code text default null, percent integer default null, amount_paise bigint default null,
  max_discount_paise bigint default null, min_order_paise bigint default 0, categories text[] default '{}',
  is_first_order_only boolean default false, max_uses integer default null, max_uses_per_customer integer default null,
  budget_paise bigint default null, until_day date default null, combines boolean default false,
  offer_id bigint default null, seen timestamptz default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken private.offers;
  counts private.offer_counts;
  typed private.offers;
begin
  perform private.require_admin();
  perform pg_advisory_xact_lock(hashtextextended('offers', 0));
  if admin_save_offer.offer_id is not null then
    -- The counts first, as orders do: what is used cannot grow past the new limits.
    select * into counts from private.offer_counts c where c.offer_id = admin_save_offer.offer_id for update;
    select * into taken from private.offers f where f.id = admin_save_offer.offer_id for no key update;
    if taken.id is null then
      raise sqlstate 'PT409' using message = 'This offer was deleted by someone else.', detail = 'stale';
    end if;
    perform private.expect_unchanged(seen, taken.updated_at);
  end if;
  typed := taken;
  typed.name := private.validate_text(name, 'name', 'The name', 60, is_needed => true);
  if char_length(typed.name) < 2 then
    perform private.reject('A name has at least 2 characters.', 'name');
  end if;
  typed.code := nullif(private.tidy_code(code), '');
  typed.kind := kind;
  if kind = 'percent' and (percent is null or percent not between 1 and 100) then
    perform private.reject('Enter a percentage from 1 to 100.', 'percent');
  end if;
  typed.percent := case when kind = 'percent' then percent end;
  typed.amount_paise := case when kind = 'amount' then amount_paise end;
  typed.max_discount_paise := case when kind = 'percent' then max_discount_paise end;
  typed.min_order_paise := coalesce(min_order_paise, 0);
  typed.categories := array(select distinct c from unnest(categories) as c where c is not null order by c);
  typed.is_first_order_only := coalesce(is_first_order_only, false);
  typed.max_uses := max_uses;
  typed.max_uses_per_customer := max_uses_per_customer;
  typed.budget_paise := budget_paise;
  typed.starts_at := private.start_of(from_day);
  typed.ends_at := private.start_of(until_day + 1);
  typed.combines := coalesce(combines, false);
  if cardinality(typed.categories) > 20 then
    perform private.reject('Choose up to 20 categories, or none for all of them.', 'categories');
  end if;
  perform private.check_offer(typed, counts);
  if taken.code is distinct from typed.code and exists (select from private.offer_uses u where u.offer_id = taken.id) then
    perform private.reject('This offer was used: its code stays. Stop it and make a new one.', 'code');
  elsif taken.id is null and (select count(*) from private.offers) >= 500 then
    perform private.reject('There are 500 offers already. Delete one that was never used first.', 'name');
  end if;
  if taken.id is null then
    insert into private.offers as f (name, code, kind, percent, amount_paise, max_discount_paise, min_order_paise, categories, is_first_order_only,
                                max_uses, max_uses_per_customer, budget_paise, starts_at, ends_at, combines)
    select typed.name, typed.code, typed.kind, typed.percent, typed.amount_paise, typed.max_discount_paise, typed.min_order_paise,
           typed.categories, typed.is_first_order_only, typed.max_uses, typed.max_uses_per_customer, typed.budget_paise, typed.starts_at,
           typed.ends_at, typed.combines
    returning f.* into taken;
  else
    update private.offers f
    set name = typed.name, code = typed.code, kind = typed.kind, percent = typed.percent, amount_paise = typed.amount_paise,
        max_discount_paise = typed.max_discount_paise, min_order_paise = typed.min_order_paise, categories = typed.categories,
        is_first_order_only = typed.is_first_order_only, max_uses = typed.max_uses, max_uses_per_customer = typed.max_uses_per_customer,
        budget_paise = typed.budget_paise, starts_at = typed.starts_at, ends_at = typed.ends_at, combines = typed.combines
    where f.id = taken.id returning f.* into taken;
  end if;
  return jsonb_build_object('id', taken.id, 'updated_at', taken.updated_at);
end $$;

create function public.admin_stop_offer(offer_id bigint, is_stopped boolean, seen timestamptz, at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken private.offers;
begin
  perform private.require_admin();
  select * into taken from private.offers f where f.id = admin_stop_offer.offer_id for no key update;
  perform private.expect_unchanged(seen, taken.updated_at);
  update private.offers f set stopped_at = case when coalesce(is_stopped, true) then coalesce(f.stopped_at, admin_stop_offer.at) end
  where f.id = taken.id returning * into taken;
  return jsonb_build_object('id', taken.id, 'updated_at', taken.updated_at);
end $$;

create or replace function public.export_orders(filter jsonb, after jsonb, at timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 1000;
  sources text[] := private.order_sources(private.read_order_filter(filter), at);
  beyond text := case when after is null then 'true' else private.cursor_condition('created_at', 'timestamptz', 'asc', after) end;
  answer jsonb;
begin
  execute format($q$
    select jsonb_build_object(
      'rows', coalesce(jsonb_agg(jsonb_build_array(
        o.number, to_char(o.created_at at time zone 'Asia/Kolkata', 'YYYY-MM-DD HH24:MI'), o.delivery_name, o.delivery_phone,
        nullif(o.delivery_building_no, ''), nullif(o.delivery_street, ''), nullif(o.delivery_city, ''), nullif(o.delivery_state, ''),
        nullif(o.delivery_zip, ''), private.summarize_items(o.id), o.sub_total::text, o.tax::text, o.shipping_charge::text, o.total_amount::text,
        to_char(coalesce(r.paise, 0) / 100.0, 'FM999999999990.00'), o.payment_status, o.payment_id, o.status,
        to_char(o.status_since at time zone 'Asia/Kolkata', 'YYYY-MM-DD HH24:MI'), o.source, o.fulfilment, o.courier,
        o.tracking_number, o.cancel_reason, o.discount::text, nullif(private.offer_names(o.offers), '')) order by k.key, k.id), '[]'),
      'next', case when count(*) = $1 then jsonb_build_object('key', max(k.key), 'id', (array_agg(k.id order by k.key desc, k.id desc))[1]) end)
    from (%s) k
    join public.orders o on o.id = k.id
    left join lateral (select sum(f.amount_paise) as paise from private.refunds f where f.order_id = o.id and f.status = 'processed') r on true$q$,
    private.order_page(sources, 'created_at', 'asc', format('o.created_at <= %L::timestamptz and %s', at, beyond), page_size))
  into answer using page_size;
  return answer;
end $$;

create or replace function public.my_checkout(provider_order_id text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'state', case when c.order_id is not null then 'ordered'
                  when r.id is not null then 'refunded'
                  when c.state = 'open' then 'confirming' else 'lapsed' end,
    'total_paise', q.total_paise, 'offers', q.offers,
    'order_id', o.id, 'number', o.number, 'delivery_by', o.delivery_by, 'deliver_on', o.deliver_on, 'missed_day', o.missed_day,
    'fulfilment', q.fulfilment, 'is_gift', exists (select from private.order_gifts g where g.order_id = o.id),
    'address', case when o.id is not null and o.fulfilment = 'delivery' then jsonb_build_array(
      o.delivery_name, o.delivery_building_no, o.delivery_street, o.delivery_city, o.delivery_state, o.delivery_zip) end,
    'items', (
      select jsonb_agg(jsonb_build_object(
        'name', i.product_name, 'image', i.product_image, 'quantity', i.quantity,
        'size', case when i.has_size then i.size end, 'line_paise', private.line_paise(i.unit_price, i.size, i.quantity)::bigint, 'discount_paise', (i.discount * 100)::bigint) order by i.id)
      from public.order_items i where i.order_id = o.id),
    'refund', case when r.id is not null then jsonb_build_object('reason', r.reason, 'amount_paise', r.amount_paise, 'status', r.status) end)
  from private.checkouts c
  join private.quotes q on q.id = c.quote_id
  left join public.orders o on o.id = c.order_id
  left join lateral (
    select f.* from private.payments p join private.refunds f on f.payment_id = p.payment_id
    where p.provider_order_id = c.provider_order_id and p.order_id is null
    order by f.created_at desc limit 1
  ) r on true
  where c.provider_order_id = my_checkout.provider_order_id and c.user_id = (select auth.uid());
$$;

create or replace function public.open_group(
  customer_id uuid, recipients jsonb, card jsonb, key text, ip_hash text default null, at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  request_hash constant text := md5(jsonb_build_array(recipients, card, key)::text);
  quotes private.quotes[];
  rejected jsonb;
  short jsonb;
  opened private.group_orders;
begin
  -- No flush: attach_provider_order() commits, and flushes this, before anyone can pay.
  perform set_config('synchronous_commit', 'off', true);
  perform private.lock_checkouts(array[customer_id]);
  select g.* into opened from private.group_orders g
  where g.user_id = customer_id and g.request = request_hash and g.state = 'open'
    and not exists (select from private.checkouts c where c.group_id = g.id and c.state <> 'open')
  order by g.created_at desc limit 1;
  if opened.id is not null then
    return private.group_result(opened, is_new => false);
  elsif not private.consume_rate_limit('checkout', customer_id::text, 5, interval '1 minute', at) then
    return jsonb_build_object('ok', false, 'reason', 'too-many-checkouts');
  elsif exists (select from private.customer_records r where r.user_id = customer_id and r.blocked_at is not null) then
    return jsonb_build_object('ok', false, 'reason', 'blocked');
  end if;
  select array_agg(p.quote order by p.place), jsonb_agg(p.rejection || jsonb_build_object('place', p.place) order by p.place)
                                                filter (where p.rejection is not null)
  into quotes, rejected from private.price_recipients(customer_id, recipients, card, at) p;
  if rejected is not null then
    return jsonb_build_object('ok', false, 'reason', 'wrong-rows', 'rows', rejected);
  elsif private.group_key(quotes) is distinct from key then
    return jsonb_build_object('ok', false, 'reason', 'prices-changed');
  end if;
  perform private.lock_offers(array[customer_id], '{}', at);
  perform private.lock_stock(array(select unnest(q.product_ids) from unnest(quotes) as q));
  short := private.group_shortages(customer_id, quotes);
  if short <> '[]' then
    return jsonb_build_object('ok', false, 'reason', 'group-is-short', 'short', short);
  end if;
  opened := private.write_group(customer_id, recipients, card, request_hash, quotes, ip_hash, at);
  return private.group_result(opened, is_new => true);
end $$;

create function public.quote_order(
  customer_id uuid, lines jsonb, pincode text, source text, fulfilment text, at timestamptz default now(), delivery_on date default null,
  code text default null
) returns jsonb
language sql security definer set search_path = '' as $$
  select private.quote_batch(jsonb_build_array(jsonb_build_object(
    'customer_id', customer_id, 'lines', lines, 'pincode', pincode, 'source', source, 'fulfilment', fulfilment, 'at', at,
    'delivery_on', delivery_on, 'code', code))) -> 0;
$$;

create or replace view public.order_details_view with (security_invoker = true) as
  select o.id as order_id, o.total_amount, o.status, o.created_at, i.product_name, i.product_image,
         i.quantity, i.size, i.unit_price, o.user_id,
         o.number, i.product_id, o.payment_status, o.shipping_charge, o.sub_total, o.tax, o.fulfilment,
         i.has_size, o.delivery_by, o.courier, o.tracking_number, o.tracking_url, o.cancel_reason,
         private.order_shipping_tax(o) / 100.0 as shipping_tax, o.deliver_on, o.missed_day,
         o.group_id, o.group_place, i.box_id, i.contents, o.discount, o.offers, i.discount as item_discount
  from public.orders o
  join public.order_items i on i.order_id = o.id;

create index offer_uses_offer_idx on private.offer_uses (offer_id, created_at desc);

create index offer_uses_order_idx on private.offer_uses (order_id) where order_id is not null;

create index offer_uses_user_idx on private.offer_uses (user_id, offer_id);

create index offers_automatic_idx on private.offers (id) where code is null and stopped_at is null;

create unique index offers_code_idx on private.offers (code) where code is not null;

create index quotes_offers_idx on private.quotes (user_id) where offers <> '[]';

create trigger offers_audit after insert or update or delete on private.offers
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');

create trigger offers_count after insert on private.offers
  for each row execute function private.count_new_offer();

create trigger offers_touch before update on private.offers
  for each row execute function private.touch_updated_at();

create trigger categories_rename_in_offers after update of name on public.categories
  for each row when (old.name <> new.name) execute function private.rename_category_of_offers();

revoke execute on function private.apply_offers(calls jsonb, quotes private.quotes[], rejections jsonb[], at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.best_offers(fitting private.offers[], line_paise bigint[], categories text[], shipping_paise bigint) from public, anon, authenticated;

revoke execute on function private.calculate_offers(line_paise bigint[], categories text[], shipping_paise bigint, offers private.offers[], OUT discounts bigint[], OUT effects jsonb) from public, anon, authenticated;

revoke execute on function private.check_offer(typed private.offers, counts private.offer_counts) from public, anon, authenticated;

revoke execute on function private.complete_offers(checkout private.checkouts) from public, anon, authenticated;

revoke execute on function private.count_new_offer() from public, anon, authenticated;

revoke execute on function private.customer_rejection(offer private.offers, customer_id uuid) from public, anon, authenticated;

revoke execute on function private.discounted_quote(quote private.quotes, line_paise bigint[], categories text[], offers private.offers[]) from public, anon, authenticated;

revoke execute on function private.has_guessed_codes(customer_id uuid, at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.hold_offers(quote_ids uuid[], at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.lock_offers(customer_ids uuid[], provider_order_ids text[], at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.offer_left(offer private.offers, customer_id uuid, OUT uses bigint, OUT paise bigint) from public, anon, authenticated;

revoke execute on function private.offer_names(offers jsonb) from public, anon, authenticated;

revoke execute on function private.offer_rejection(offer private.offers, customer_id uuid, at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.offer_row(offer private.offers, at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.offer_state(offer private.offers, counts private.offer_counts, at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.offerless_openings(openings private.opening[], at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.release_offers(checkout_ids uuid[]) from public, anon, authenticated;

revoke execute on function private.release_offers_of(customer_ids uuid[]) from public, anon, authenticated;

revoke execute on function private.rename_category_of_offers() from public, anon, authenticated;

revoke execute on function private.saved_paise(effects jsonb) from public, anon, authenticated;

revoke execute on function private.split_paise(amount bigint, weights bigint[]) from public, anon, authenticated;

revoke execute on function private.tidy_code(typed text) from public, anon, authenticated;

revoke execute on function private.try_offer(offer private.offers, quote private.quotes, line_paise bigint[], categories text[], at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.use_offers(checkout_ids uuid[], order_ids uuid[]) from public, anon, authenticated;

revoke execute on function public.admin_delete_offer(offer_id bigint, seen timestamp with time zone) from public, anon, authenticated;

grant execute on function public.admin_delete_offer(offer_id bigint, seen timestamp with time zone) to authenticated;

grant execute on function public.admin_delete_offer(offer_id bigint, seen timestamp with time zone) to service_role;

revoke execute on function public.admin_list_offers(at timestamp with time zone) from public, anon, authenticated;

grant execute on function public.admin_list_offers(at timestamp with time zone) to authenticated;

grant execute on function public.admin_list_offers(at timestamp with time zone) to service_role;

revoke execute on function public.admin_read_offer(offer_id bigint, at timestamp with time zone) from public, anon, authenticated;

grant execute on function public.admin_read_offer(offer_id bigint, at timestamp with time zone) to authenticated;

grant execute on function public.admin_read_offer(offer_id bigint, at timestamp with time zone) to service_role;

revoke execute on function public.admin_save_offer(name text, kind text, from_day date, code text, percent integer, amount_paise bigint, max_discount_paise bigint, min_order_paise bigint, categories text[], is_first_order_only boolean, max_uses integer, max_uses_per_customer integer, budget_paise bigint, until_day date, combines boolean, offer_id bigint, seen timestamp with time zone) from public, anon, authenticated;

grant execute on function public.admin_save_offer(name text, kind text, from_day date, code text, percent integer, amount_paise bigint, max_discount_paise bigint, min_order_paise bigint, categories text[], is_first_order_only boolean, max_uses integer, max_uses_per_customer integer, budget_paise bigint, until_day date, combines boolean, offer_id bigint, seen timestamp with time zone) to authenticated;

grant execute on function public.admin_save_offer(name text, kind text, from_day date, code text, percent integer, amount_paise bigint, max_discount_paise bigint, min_order_paise bigint, categories text[], is_first_order_only boolean, max_uses integer, max_uses_per_customer integer, budget_paise bigint, until_day date, combines boolean, offer_id bigint, seen timestamp with time zone) to service_role;

revoke execute on function public.admin_stop_offer(offer_id bigint, is_stopped boolean, seen timestamp with time zone, at timestamp with time zone) from public, anon, authenticated;

grant execute on function public.admin_stop_offer(offer_id bigint, is_stopped boolean, seen timestamp with time zone, at timestamp with time zone) to authenticated;

grant execute on function public.admin_stop_offer(offer_id bigint, is_stopped boolean, seen timestamp with time zone, at timestamp with time zone) to service_role;

revoke execute on function public.quote_order(customer_id uuid, lines jsonb, pincode text, source text, fulfilment text, at timestamp with time zone, delivery_on date, code text) from public, anon, authenticated;

grant execute on function public.quote_order(customer_id uuid, lines jsonb, pincode text, source text, fulfilment text, at timestamp with time zone, delivery_on date, code text) to service_role;

revoke execute on function private.profit_and_loss(from_day date, to_day date) from public, anon, authenticated;

comment on table private.offers is 'Discounts by code or automatic. One that was used stays, and can be stopped.';
