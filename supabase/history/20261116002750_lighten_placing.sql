-- Less work on the way of every order; what comes of it is as before.

-- What is bought says nothing about the plans of these, nor of what they call: they are made once, and not for every
-- order anew.
alter function public.quote_order(uuid, jsonb, text, text, text, timestamptz) set plan_cache_mode = force_generic_plan;
alter function public.open_checkout(uuid, bigint, uuid, timestamptz) set plan_cache_mode = force_generic_plan;
alter function public.settle_payment(text, text, bigint, text, text, bigint, boolean, timestamptz)
  set plan_cache_mode = force_generic_plan;

-- Whoever sells has locked what is sold before looking whether there is enough of it.
create or replace function private.apply_movement() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  moved integer;
  are_sales boolean;
  changed integer;
begin
  select count(distinct m.product_id), bool_and(m.reason = 'sale') into moved, are_sales from movements m;
  if moved > 1 and not are_sales then
    perform private.lock_stock(array(select m.product_id from movements m));
  end if;
  update public.stock_levels s set on_hand = s.on_hand + m.quantity, reserved = s.reserved + m.freed
  from (
    select v.product_id, sum(v.quantity) as quantity, coalesce(sum(v.quantity) filter (where v.was_reserved), 0) as freed
    from movements v group by v.product_id
  ) m
  where s.product_id = m.product_id and s.on_hand + m.quantity >= s.reserved + m.freed;
  get diagnostics changed = row_count;
  if changed < moved then
    raise sqlstate 'PT409' using message = 'not that much is in stock and unreserved';
  end if;
  return null;
end $$;

-- Joined, a session that began in a small shop would read all orders for each new one.
create or replace function private.keep_placed_items() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.placed_items (order_item_id, order_id, product_id, quantity, size, unit_price, unit_cost)
  select i.id, i.order_id, i.product_id, i.quantity, i.size, i.unit_price,
         private.unit_cost_at(i.product_id, (select o.created_at from public.orders o where o.id = i.order_id))
  from placed i;
  return null;
end $$;

-- As before, with one look at the calendar where two were.
create or replace function private.kept_promise(quote private.quotes, at timestamptz) returns date
language plpgsql stable set search_path = '' as $$
declare
  today date := private.day_of(at);
  working_days integer := (private.zone_of(quote.pincode)).max_days;
  journey record;
  day date;
begin
  if quote.delivery_by is null then
    return null;
  end if;
  if working_days is null then
    -- The zone is gone: the days of the quote, rather too many than too few.
    working_days := quote.delivery_by - (select p.leaves_on from private.promise(quote.created_at, 0) p);
  end if;
  select * into journey from private.promise(quote.created_at, working_days);
  if journey.leaves_on < today or journey.leaves_on is null then
    select * into journey from private.promise(at, working_days);
  end if;
  day := greatest(quote.delivery_by, journey.arrives_on);
  return case when day >= today then day end;
end $$;
