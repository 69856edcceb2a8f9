-- Customers who wait for a product that comes into stock while it is unlisted or archived are emailed when it is listed. Until now
-- their requests were deleted and their emails left out. Requests that are there stay.
set check_function_bodies = off;

drop trigger stock_levels_queue_back_in_stock on public.stock_levels;

create or replace function private.queue_back_in_stock_emails() returns trigger
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
