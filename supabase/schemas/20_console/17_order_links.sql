-- Console: the links with which an order is followed without a login.
-- Administrators only. Writes revocations.
set check_function_bodies = off;

-- A new link for an order, to send to its customer, and since when earlier ones no longer work.
create function public.admin_make_order_link(order_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  if not exists (select from public.orders o where o.id = admin_make_order_link.order_id) then
    raise sqlstate 'PT404' using message = 'Order not found.';
  end if;
  return jsonb_build_object(
    'token', private.order_link(order_id, now()), 'days', private.order_link_days(),
    'revoked_at', (select max(r.revoked_at) from private.order_link_revocations r where r.order_id = admin_make_order_link.order_id));
end $$;

-- Ends all links of an order that were made until now.
create function public.admin_revoke_order_links(order_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  if not exists (select from public.orders o where o.id = admin_revoke_order_links.order_id) then
    raise sqlstate 'PT404' using message = 'Order not found.';
  end if;
  perform private.revoke_order_links(order_id);
end $$;
