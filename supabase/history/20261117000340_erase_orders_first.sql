-- Erasing somebody waited for their orders while it held their account. A second payment for an order does it the other way
-- round, and both waited for each other. Now orders come first, those by phone among them, and the account last.
create or replace function public.admin_erase_customer(customer_id uuid, confirmation text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  typed constant text := lower(btrim(coalesce(confirmation, '')));
  card private.customer_cards;
  hindrance text;
  erasure private.erasures;
begin
  perform private.require_admin();
  perform private.require_customer(customer_id);
  -- Nobody begins to pay while we look (open_checkout() takes the same lock). An order that is entered for them before
  -- their account is locked is an open one, and hinders.
  perform pg_advisory_xact_lock(hashtextextended('checkout ' || customer_id, 0));
  perform from public.orders o
  where o.id in (select p.id from private.orders_of_person(admin_erase_customer.customer_id) p) order by o.id for update;
  perform from auth.users u where u.id = customer_id for update;
  select * into card from private.customer_cards c where c.user_id = customer_id;
  if typed = '' or typed not in (lower(coalesce(card.email, '')), lower(coalesce(card.name, ''))) then
    perform private.refuse('This is neither their name nor their e-mail address.', 'confirmation');
  end if;
  hindrance := private.erasure_hindrance(customer_id);
  if hindrance is not null then
    raise sqlstate 'PT409' using message = hindrance;
  end if;
  insert into private.erasures (customer_id, orders, erased_by)
  values (admin_erase_customer.customer_id, (select count(*) from private.orders_of_person(admin_erase_customer.customer_id)), auth.uid())
  returning * into erasure;
  return jsonb_build_object('erasure', erasure.id, 'orders', erasure.orders);
end $$;
