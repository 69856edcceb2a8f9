-- Console: offers, what they cost, and stopping them.
-- Administrators only, who write offers here.
set check_function_bodies = off;

-- What an offer is doing at a moment: 'stopped', 'ended', 'used-up', 'planned' or 'running'.
create function private.offer_state(offer private.offers, counts private.offer_counts, at timestamptz) returns text
language sql immutable set search_path = '' as $$
  select case when offer.stopped_at is not null then 'stopped' when offer.ends_at <= at then 'ended'
              when counts.used >= offer.max_uses or counts.used_paise >= offer.budget_paise then 'used-up'
              when offer.starts_at > at then 'planned' else 'running' end;
$$;

-- An offer as the list and the form have it, with its figures: uses and cost of every order, and the sales of those that were not
-- canceled, with tax and delivery.
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

-- Every offer, running ones first, then the newest; and the categories to choose from.
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

-- One offer with the orders that used it, newest first, a hundred of them.
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

-- Why an offer as typed cannot be saved: raises the message at its field.
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

-- Adds an offer, or changes one: {id, updated_at}. Orders keep what they were placed with. Days are those of India, and the last one
-- is in it. The code of an offer that was used stays.
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

-- Stops an offer at once, or resumes it. Whoever is paying with it still gets it; new prices do not have it.
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
