-- Order events carry the customer of their order, so that a customer subscribes to the own ones only. Hosted realtime
-- checks the policy of every subscriber against every event that passes the filter.
alter table public.order_events add column user_id uuid;

-- Always the order's: whoever inserts an event cannot say otherwise.
create function private.set_event_customer() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.user_id := (select o.user_id from public.orders o where o.id = new.order_id);
  return new;
end $$;
revoke execute on function private.set_event_customer() from public;
create trigger order_events_set_customer before insert on public.order_events
  for each row execute function private.set_event_customer();

-- An erasure may take the note, and the customer follows the order; nothing else of an event ever changes.
create or replace function private.guard_order_event() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE'
     and (new.public_note, new.user_id) is distinct from (old.public_note, old.user_id)
     and to_jsonb(new) - 'public_note' - 'user_id' = to_jsonb(old) - 'public_note' - 'user_id'
     and (new.public_note = old.public_note or (new.public_note = '' and private.is_erasing()))
     and (new.user_id is not distinct from old.user_id
          or new.user_id is not distinct from (select o.user_id from public.orders o where o.id = new.order_id)) then
    return new;
  end if;
  raise sqlstate 'PT403' using message = 'rows of order_events are never changed or deleted';
end $$;

create function private.move_events_to_customer() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.order_events e set user_id = new.user_id where e.order_id = new.id;
  return null;
end $$;
revoke execute on function private.move_events_to_customer() from public;
create trigger orders_move_events after update of user_id on public.orders
  for each row when (old.user_id is distinct from new.user_id) execute function private.move_events_to_customer();

-- The guard above lets this pass: every event gets the customer of its order.
update public.order_events e set user_id = o.user_id
from public.orders o
where o.id = e.order_id and o.user_id is not null;
