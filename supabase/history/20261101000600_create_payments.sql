-- Money that moved through the payment provider. Written by our own functions from what the provider says,
-- never by a browser.

create table private.payments (
  payment_id text primary key,
  provider_order_id text not null,
  order_id uuid references public.orders (id),
  user_id uuid references auth.users (id) on delete set null,
  amount_paise bigint not null check (amount_paise >= 100),
  fee_paise bigint check (fee_paise >= 0),
  method text,
  status text not null check (status in ('created', 'authorized', 'captured', 'refunded', 'failed')),
  captured_at timestamptz,
  created_at timestamptz not null default now(),
  check ((status in ('captured', 'refunded')) = (captured_at is not null))
);
create index payments_order_idx on private.payments (order_id);
create index payments_user_idx on private.payments (user_id);
alter table private.payments enable row level security;

-- The id is the idempotency key sent to the provider.
create table private.refunds (
  id uuid primary key default gen_random_uuid(),
  payment_id text not null references private.payments (payment_id),
  order_id uuid references public.orders (id),
  amount_paise bigint not null check (amount_paise > 0),
  reason text not null,
  status text not null default 'queued' check (status in ('queued', 'pending', 'processed', 'failed')),
  provider_refund_id text unique,
  created_at timestamptz not null default now(),
  processed_at timestamptz
);
create index refunds_payment_idx on private.refunds (payment_id);
create index refunds_order_idx on private.refunds (order_id);
alter table private.refunds enable row level security;

-- Queues the refund of whatever was captured for the order and is not yet on its way back.
create function private.queue_refund(order_id uuid, reason text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  with owed as (
    select p.payment_id, p.amount_paise - coalesce(sum(r.amount_paise) filter (where r.status <> 'failed'), 0) as paise
    from private.payments p
    left join private.refunds r on r.payment_id = p.payment_id
    where p.order_id = queue_refund.order_id and p.status in ('captured', 'refunded')
    group by p.payment_id
  ), queued as (
    insert into private.refunds (payment_id, order_id, amount_paise, reason)
    select owed.payment_id, queue_refund.order_id, owed.paise, queue_refund.reason from owed where owed.paise > 0
    returning id
  )
  insert into private.outbox (kind, key, payload)
  select 'refund', 'refund:' || queued.id, jsonb_build_object('refund_id', queued.id) from queued;
end $$;
revoke execute on function private.queue_refund(uuid, text) from public, anon, authenticated;

-- What follows from a canceled or refunded order, in the same transaction: goods go back (or to waste), money too.
create function private.undo_order() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.status = 'canceled' then
    perform from public.stock_levels s
    where s.product_id in (select i.product_id from public.order_items i where i.order_id = new.id)
    order by s.product_id for update;
    insert into public.stock_movements (product_id, quantity, reason, order_id, note)
    select i.product_id, private.stock_quantity(p."hasSize", i.size, i.quantity), 'return', new.id, 'order canceled'
    from public.order_items i join public."Products" p on p."Id" = i.product_id
    where i.order_id = new.id
    order by i.product_id;
    if new.canceled_goods = 'wastage' then
      insert into public.stock_movements (product_id, quantity, reason, order_id, note)
      select i.product_id, -private.stock_quantity(p."hasSize", i.size, i.quantity), 'wastage', new.id, 'order canceled'
      from public.order_items i join public."Products" p on p."Id" = i.product_id
      where i.order_id = new.id
      order by i.product_id;
    end if;
  end if;
  perform private.queue_refund(new.id, case new.status when 'canceled' then 'order canceled' else 'order refunded' end);
  return null;
end $$;

-- Grams for sized products, pieces otherwise.
create function private.stock_quantity(has_size boolean, size integer, quantity integer) returns integer
language sql immutable set search_path = '' as $$
  select case when has_size then size * quantity else quantity end;
$$;

create trigger orders_undo after update of status on public.orders
  for each row when (old.status is distinct from new.status and new.status in ('canceled', 'Refunded'))
  execute function private.undo_order();
