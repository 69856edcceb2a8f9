-- Products that are out or low, how fast they sell, and back-in-stock requests. Kept by triggers and on request; customers
-- write their own requests.
set check_function_bodies = off;

-- Products that are out or low, to find them among many: kept by triggers that cost only the sales which cross the
-- mark. (An index on the levels would cost every sale.)
create table private.low_stock (
  product_id bigint primary key references public."Products" ("Id") on delete cascade
);
alter table private.low_stock enable row level security;

-- What is sold of a product on an average day of the last four weeks, or of its life where that is shorter, without
-- what came back from canceled orders. Calculated on the first request of a day, and cached for the rest of it; it
-- can be deleted at any time.
create table private.stock_pace (
  product_id bigint primary key references public."Products" ("Id") on delete cascade,
  day date not null,
  per_day numeric not null constraint stock_pace_per_day_is_a_number check (per_day <> 'NaN')
);
alter table private.stock_pace enable row level security;

-- Back-in-stock requests: written by the notify function, read by the customer.
create table public.notify_subscriptions (
  product_id bigint not null references public."Products" ("Id") on delete cascade,
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (product_id, user_id)
);
create index notify_subscriptions_user_idx on public.notify_subscriptions (user_id);
alter table public.notify_subscriptions enable row level security;
revoke all on public.notify_subscriptions from anon, authenticated;
grant select, delete, insert (product_id, user_id) on public.notify_subscriptions to authenticated;
grant all on public.notify_subscriptions to service_role;
create policy "customers subscribe themselves" on public.notify_subscriptions
  for insert to authenticated with check (
    user_id = (select auth.uid())
    and exists (select from public."Products" p where p."Id" = product_id)
  );
create policy "customers unsubscribe themselves" on public.notify_subscriptions
  for delete to authenticated using (user_id = (select auth.uid()));
create policy "customers read their own subscriptions, administrators all" on public.notify_subscriptions
  for select to authenticated using (user_id = (select auth.uid()) or (select private.is_admin()));

create function private.update_low_stock() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.is_low_stock(new) then
    insert into private.low_stock (product_id) values (new.product_id) on conflict do nothing;
  else
    delete from private.low_stock s where s.product_id = new.product_id;
  end if;
  return null;
end $$;
create trigger stock_levels_low_new after insert on public.stock_levels
  for each row execute function private.update_low_stock();
-- The condition of is_low_stock(), written out: calling it here makes an update of stock take half as long again.
create trigger stock_levels_low after update on public.stock_levels
  for each row when ((old.on_hand = 0 or old.on_hand - old.reserved <= old.low_at) <> (new.on_hand = 0 or new.on_hand - new.reserved <= new.low_at))
  execute function private.update_low_stock();

-- Sixty an hour: requests can be switched on and off without end.
create function private.limit_subscriptions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_service() and not private.consume_rate_limit('subscription', new.user_id::text, 60, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'too many back-in-stock requests: at most sixty an hour';
  end if;
  return new;
end $$;
create trigger notify_subscriptions_limit before insert on public.notify_subscriptions
  for each row execute function private.limit_subscriptions();

-- Emails the customers who wait for a product when it becomes available: goods came in while it is listed, or it was listed with
-- stock. Once: the request is deleted in the statement that queues the email. Decided when the transaction commits: goods that come
-- back and are written off at once (a canceled order's wastage) are not back.
create function private.queue_back_in_stock_emails() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public."Products" p where p."Id" = new."Id" and p.isavailable) then
    with fulfilled as (
      delete from public.notify_subscriptions s where s.product_id = new."Id" returning s.user_id
    )
    insert into private.outbox (kind, key, payload)
    select 'mail', format('mail:back-in-stock:%s:%s:%s', new."Id", fulfilled.user_id, gen_random_uuid()),
           jsonb_build_object('template', 'back-in-stock', 'product_id', new."Id", 'user_id', fulfilled.user_id)
    from fulfilled;
  end if;
  return null;
end $$;
create constraint trigger products_queue_back_in_stock after update on public."Products"
  deferrable initially deferred
  for each row when (new.isavailable and not old.isavailable) execute function private.queue_back_in_stock_emails();

create function private.is_low_stock(level public.stock_levels) returns boolean
language sql immutable as $$
  select level.on_hand = 0 or level.on_hand - level.reserved <= level.low_at;
$$;

-- Rebuilds the list, for stock that was written without triggers (bulk imports, a backup).
create function private.rebuild_low_stock() returns void
language sql set search_path = '' as $$
  delete from private.low_stock where true;
  insert into private.low_stock (product_id) select s.product_id from public.stock_levels s where private.is_low_stock(s);
$$;

-- For these products; for all where product_ids is null. Products whose pace is known today are left out first:
-- usually these are all, and then the statement is not even planned.
create function private.update_sales_pace(product_ids bigint[], at timestamptz) returns void
language plpgsql set search_path = '' as $$
begin
  if product_ids is not null and not exists (
    select from unnest(product_ids) i (id)
    where not exists (select from private.stock_pace k where k.product_id = i.id and k.day = private.day_of(at))) then
    return;
  end if;
  with due as materialized (
    select p."Id" as id, p.created_at from public."Products" p
    where (product_ids is null or p."Id" = any (product_ids))
      and not exists (select from private.stock_pace k where k.product_id = p."Id" and k.day = private.day_of(at))
  )
  insert into private.stock_pace (product_id, day, per_day)
  select d.id, private.day_of(at), greatest(0, -coalesce(m.quantity, 0)::numeric / least(28, greatest(1, private.day_of(at) - private.day_of(d.created_at))))
  from due d
  cross join lateral (
    select sum(v.quantity) as quantity from public.stock_movements v
    where v.product_id = d.id and v.created_at >= private.start_of(private.day_of(at) - 28) and v.created_at < private.start_of(private.day_of(at))
      and v.order_id is not null and v.reason in ('sale', 'return')
  ) m
  order by d.id
  on conflict (product_id) do update set day = excluded.day, per_day = excluded.per_day;
end $$;

-- For the notify function: wanted true subscribes, false unsubscribes, null only reads. Returns whether the
-- customer is subscribed; null when there is no such product.
create function public.set_notification(customer_id uuid, product_id bigint, wanted boolean) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from public."Products" p
                 where p."Id" = set_notification.product_id and p.is_listed and p.archived_at is null) then
    return null;
  end if;
  if wanted then
    insert into public.notify_subscriptions (product_id, user_id)
    values (set_notification.product_id, customer_id) on conflict do nothing;
  elsif not wanted then
    delete from public.notify_subscriptions s
    where s.product_id = set_notification.product_id and s.user_id = customer_id;
  end if;
  return exists (select from public.notify_subscriptions s
                 where s.product_id = set_notification.product_id and s.user_id = customer_id);
end $$;

revoke execute on function public.set_notification(uuid, bigint, boolean) from public, anon, authenticated;
grant execute on function public.set_notification(uuid, bigint, boolean) to service_role;
