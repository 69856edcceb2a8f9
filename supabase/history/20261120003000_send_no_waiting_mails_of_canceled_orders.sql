-- The mail about a move waits for the minute in which the move can be undone, the mail about a cancellation does not. An order
-- canceled within that minute was mailed as canceled first, and as confirmed or ready to collect afterwards.

-- As before, and: what still waits to be said of an order that is canceled is never said.
create or replace function private.queue_order_mail() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.outbox (kind, key, payload, run_after, created_at)
  select 'mail', 'mail:event:' || e.id, private.event_mail(e),
         -- Most events are of orders that customers place: no call for those.
         e.created_at + case when e.actor_role = 'administrator' then private.mail_delay(e) else interval '0' end, e.created_at
  from recorded e
  where e.created_at > now() - interval '1 day' and private.mail_of_status(e.to_status) is not null and e.undoes is null
    and (select o.user_id from public.orders o where o.id = e.order_id) is not null;
  if exists (select from recorded e where e.to_status = 'canceled') then
    -- Only mails with a delay that nobody has begun to send: a mail that is late for another reason is still due.
    delete from private.outbox o using recorded e
    where e.to_status = 'canceled' and o.kind = 'mail' and o.payload ->> 'order_id' = e.order_id::text
      and o.attempts = 0 and o.done_at is null and o.run_after > o.created_at;
  end if;
  return null;
end $$;
