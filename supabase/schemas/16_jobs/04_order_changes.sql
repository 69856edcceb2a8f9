-- What a placed, moved or refunded order causes: emails and the figures of its customer. A trigger queues the change in the
-- same transaction; the rest is derived afterwards, in batches. Written by triggers, emptied by the worker.
set check_function_bodies = off;

-- Changes from which nothing was derived yet. The event is null where no status changed (a payment, a refund). Written by
-- triggers, emptied by derive_from_changes(). No unique key on the order: two changes of one order never wait for each other.
create table private.order_changes (
  id bigint generated always as identity primary key,
  order_id uuid not null,
  event_id bigint
);
alter table private.order_changes enable row level security;

create function private.queue_order_events() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.order_changes (order_id, event_id) select e.order_id, e.id from recorded e;
  return null;
end $$;
create trigger order_events_queue after insert on public.order_events
  referencing new table as recorded for each statement execute function private.queue_order_events();

create function private.queue_order_change() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_table_name = 'refunds' then
    insert into private.order_changes (order_id) values (new.order_id);
  else
    insert into private.order_changes (order_id) values (new.id);
  end if;
  return null;
end $$;
create trigger orders_queue_change after update of payment_status on public.orders
  for each row when (old.payment_status <> new.payment_status) execute function private.queue_order_change();
create trigger refunds_queue_change after insert or update of status, amount_paise on private.refunds
  for each row when (new.order_id is not null) execute function private.queue_order_change();

-- Derives what changes have caused, exactly once: a change leaves the queue in the transaction that writes what follows from
-- it, and changes that another worker is at are skipped. Returns how many were taken.
create function private.derive_from_changes(at timestamptz default now(), most integer default 500) returns integer
language plpgsql set search_path = '' as $$
declare
  taken record;
begin
  with due as materialized (
    select c.id from private.order_changes c order by c.id limit most for update skip locked
  ), gone as (
    delete from private.order_changes c using due d where c.id = d.id returning c.order_id, c.event_id
  )
  select count(*)::integer as changes, array_agg(g.order_id) as order_ids, array_agg(g.event_id) as event_ids into taken from gone g;
  if taken.changes > 0 then
    -- An order that is moved, canceled or undone at this moment waits, or is seen as it is then.
    perform from public.orders o where o.id = any (taken.order_ids) order by o.id for share;
    perform private.queue_order_emails(taken.event_ids, at);
    perform private.count_customers(array(
      select distinct o.user_id from public.orders o where o.id = any (taken.order_ids) and o.user_id is not null));
  end if;
  return taken.changes;
end $$;
