-- A write that the caller may never make is refused with 42501 (HTTP 403), instead of matching no row and answering
-- 200. Where customers write, the grant names the columns; where only functions write, there is no grant. Policies and
-- triggers stay as they are: they alone must be enough where a project grants everything to everybody.

-- Older hosted projects granted ALL on new tables to both roles. TRUNCATE is not subject to policies, TRIGGER and
-- REFERENCES are no business of the Data API.
revoke truncate, trigger, references on all tables in schema public from anon, authenticated;
alter default privileges in schema public revoke truncate, trigger, references on tables from anon, authenticated;

-- The same for the verbs: first nothing, then what each role needs.
revoke all on
  public."Products", public.caurousel, public.testimonials, public.greetings, public.delivery_zones, public.closures,
  public.shop_settings, public.page_changes, public.user_profiles, public.comments, public.notify_subscriptions,
  public.orders, public.order_items, public.order_events, public.order_details_view, public.stock_levels,
  public.stock_movements, public.vendors, public.purchase_orders, public.purchase_order_items,
  public.purchase_receipts, public.purchase_receipt_items, public.vendor_bills, public.vendor_payments,
  public.stock_counts, public.stock_count_lines, public.expenses, public.audit_log
  from anon, authenticated;

grant select on
  public."Products", public.caurousel, public.testimonials, public.greetings, public.delivery_zones, public.closures,
  public.shop_settings, public.page_changes, public.comments
  to anon, authenticated;
grant select on
  public.user_profiles, public.notify_subscriptions, public.orders, public.order_items, public.order_events,
  public.order_details_view, public.stock_levels, public.stock_movements, public.vendors, public.purchase_orders,
  public.purchase_order_items, public.purchase_receipts, public.purchase_receipt_items, public.vendor_bills,
  public.vendor_payments, public.stock_counts, public.stock_count_lines, public.expenses, public.audit_log
  to authenticated;

-- What customers write. A profile is the customer's own as a whole, columns that are added to it included;
-- private.guard_profile keeps whose it is and its dates.
grant insert, update on public.user_profiles to authenticated;
grant insert (content, rating, product_id, user_id), update (content), delete on public.comments to authenticated;
grant insert (product_id, user_id), delete on public.notify_subscriptions to authenticated;
grant update (status) on public.orders to authenticated;

-- What administrators write directly. They share the role authenticated with customers, so the grant cannot tell them
-- apart: the trigger below does, with the same error as a missing grant.
grant insert, update, delete on
  public."Products", public.caurousel, public.testimonials, public.greetings, public.delivery_zones, public.vendors,
  public.expenses
  to authenticated;
grant update on public.shop_settings to authenticated;
grant update (low_at) on public.stock_levels to authenticated;
grant insert on public.stock_movements to authenticated;

create function private.require_admin_to_write() returns trigger
language plpgsql set search_path = '' as $$
begin
  if not private.is_admin() then
    raise insufficient_privilege using message = format('permission denied for table %s', tg_table_name);
  end if;
  return null;
end $$;
revoke execute on function private.require_admin_to_write() from public;

-- current_user is the caller's role in direct writes only: functions of the shop run as their owner and skip this.
do $$
declare
  tab text;
begin
  foreach tab in array array['Products', 'caurousel', 'testimonials', 'greetings', 'delivery_zones', 'vendors', 'expenses',
                             'shop_settings', 'stock_levels', 'stock_movements'] loop
    execute format('create trigger %I before insert or update or delete on public.%I
      for each statement when (current_user in (''anon'', ''authenticated''))
      execute function private.require_admin_to_write()', lower(tab) || '_require_admin', tab);
  end loop;
end $$;
