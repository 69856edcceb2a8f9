-- Gifts: the card, its note and who it is from, of orders that go to another person.
-- Written once, by place_orders() from the checkout; sweep() removes the recipient's email address when it has served its purpose,
-- and erasing the customer blanks the rest.
set check_function_bodies = off;

-- What a gift may say: the one rule for checkouts and orders (domain/gifts/gift.ts is the same rule). The note is text in any
-- script, also in several lines; other control characters, and those that turn the direction of text, are refused. The sender's
-- name is one line.
create function private.is_gift(note text, motif text, sender_name text, recipient_email text) returns boolean
language sql immutable set search_path = '' as $$
  select coalesce(
    char_length(note) <= 300 and private.is_printable(replace(note, E'\n', ''))
    and char_length(note) - char_length(replace(note, E'\n', '')) <= 9
    and motif in ('diwali', 'rakhi', 'wedding', 'holi', 'sweets')
    and char_length(sender_name) <= 60 and not private.is_blank(sender_name)
    and private.is_printable(sender_name), false)
    and (recipient_email is null
         or char_length(recipient_email) <= 254 and recipient_email ~ '^[A-Za-z0-9.!#$%&''*+/=?^_`{|}~-]{1,64}@([A-Za-z0-9-]+\.)+[A-Za-z0-9-]{2,}$');
$$;

create table private.order_gifts (
  order_id uuid primary key references public.orders (id),
  note text not null,
  motif text not null,
  sender_name text not null,
  recipient_email text,
  constraint order_gifts_are_gifts check (
    private.is_gift(note, motif, sender_name, recipient_email) or (note, sender_name) = ('', '') and recipient_email is null)
);
-- Partial index: addresses that are still to be removed.
create index order_gifts_recipient_email_idx on private.order_gifts (order_id) where recipient_email is not null;
alter table private.order_gifts enable row level security;

create trigger order_gifts_never_emptied before truncate on private.order_gifts
  for each statement execute function private.reject_change();

-- What was printed and sent does not change, except that the recipient's email address is removed, and that erasing the customer
-- blanks all but the motif.
create function private.guard_order_gift() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and (new.order_id, new.motif) = (old.order_id, old.motif) and new.recipient_email is null
     and ((new.note, new.sender_name) = (old.note, old.sender_name)
          or private.is_erasing() and (new.note, new.sender_name) = ('', '')) then
    return new;
  end if;
  raise sqlstate 'PT403' using message = 'rows of order_gifts are never changed or deleted';
end $$;
create trigger order_gifts_never_change before update or delete on private.order_gifts
  for each row execute function private.guard_order_gift();

-- The gift of an order as the console shows it; null: it is not one.
create function private.gift_of_order(order_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select to_jsonb(g) - 'order_id' from private.order_gifts g where g.order_id = gift_of_order.order_id;
$$;

-- To whom an order was sold: of a gift the customer who paid, and whom it is for.
create function private.sold_to(told public.orders) returns text
language sql stable set search_path = '' as $$
  select coalesce((select b.name || ', for ' || told.delivery_name
                   from private.order_gifts g join private.buyers b on b.id = told.user_id where g.order_id = told.id),
                  told.delivery_name);
$$;

-- Of the caller's orders, those that are gifts: what the card says, and to whom it goes.
create function public.my_gifts(order_ids uuid[]) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(to_jsonb(g) || jsonb_build_object('recipient', o.delivery_name, 'city', o.delivery_city)), '[]')
  from public.orders o join private.order_gifts g on g.order_id = o.id
  where o.id = any (order_ids) and o.user_id = (select auth.uid());
$$;

-- The event that causes the recipient's email: the first time the parcel left, not counting what was undone. A parcel that comes
-- back and leaves again is not announced twice.
create function private.gift_mail_event(order_id uuid) returns bigint
language sql stable set search_path = '' as $$
  select min(e.id) from public.order_events e
  where e.order_id = gift_mail_event.order_id and e.to_status = 'Shipped' and e.undoes is null
    and not exists (select from public.order_events u where u.undoes = e.id);
$$;

revoke execute on function public.my_gifts(uuid[]) from public, anon, authenticated;
grant execute on function public.my_gifts(uuid[]) to authenticated, service_role;
