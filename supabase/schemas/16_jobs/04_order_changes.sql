-- What a placed, moved or refunded order causes: emails and the figures of its customer. A trigger queues the change in the
-- same transaction; the rest is derived afterwards, in batches. Written by triggers, emptied by the worker.
set check_function_bodies = off;

-- Changes from which nothing was derived yet. The event is null where no status changed (a payment, a refund). Written by
-- triggers, emptied by derive_from_changes(). No unique key on the order: two changes of one order never wait for each other.
create table private.order_changes (
  id bigint generated always as identity primary key,
  order_id uuid not null,
  event_id bigint,
  queued_at timestamptz not null default now()
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
-- it, and changes that another worker is at are skipped. A change that fails holds up neither the others nor the worker's
-- round: it stays in the queue, and queue_metrics() reports for how long. Returns how many were derived.
create function private.derive_from_changes(at timestamptz default now(), most integer default 500) returns integer
language plpgsql set search_path = '' as $$
declare
  due constant bigint[] := array(select c.id from private.order_changes c order by c.id limit most for update skip locked);
  change_id bigint;
  derived integer := 0;
begin
  if cardinality(due) = 0 then
    return 0;
  end if;
  begin
    perform private.derive_changes(due, at);
    return cardinality(due);
  exception when others then
    null; -- One by one, then.
  end;
  foreach change_id in array due loop
    begin
      perform private.derive_changes(array[change_id], at);
      derived := derived + 1;
    exception when others then
      raise warning 'Order change % fails: %', change_id, sqlerrm;
    end;
  end loop;
  return derived;
end $$;

-- Some changes, which the caller has locked. Events that were long past when they were recorded (a shop that moved here) cause
-- no emails.
create function private.derive_changes(change_ids bigint[], at timestamptz) returns void
language plpgsql set search_path = '' as $$
declare
  gone record;
begin
  with deleted as (
    delete from private.order_changes c where c.id = any (change_ids) returning c.order_id, c.event_id, c.queued_at
  )
  select array_agg(d.order_id) as order_ids, array_agg(e.id) filter (where e.created_at > d.queued_at - interval '1 day') as event_ids
  into gone
  from deleted d left join public.order_events e on e.id = d.event_id;
  -- An order that is moved, canceled or undone at this moment waits, or is seen as it is then.
  perform from public.orders o where o.id = any (gone.order_ids) order by o.id for share;
  perform private.queue_order_emails(gone.event_ids, at);
  perform private.queue_order_messages(gone.event_ids, at);
  perform private.count_customers(array(
    select distinct o.user_id from public.orders o where o.id = any (gone.order_ids) and o.user_id is not null));
end $$;
