-- One permissive policy per table, verb and role: PostgreSQL runs every permissive policy of a verb for every row, and
-- two that overlap say in two places what one sentence says. Visitors (anon) keep policies of their own, because theirs
-- are the short ones that partial indexes match.

do $$
declare
  tab text;
begin
  foreach tab in array array['caurousel', 'testimonials', 'greetings', 'delivery_zones'] loop
    execute format('drop policy "everybody reads what is published" on public.%I', tab);
    execute format('drop policy "administrators read all" on public.%I', tab);
    execute format('create policy "visitors read what is published" on public.%I
      for select to anon using (is_published)', tab);
    execute format('create policy "customers read what is published, administrators all" on public.%I
      for select to authenticated using (is_published or (select private.is_admin()))', tab);
  end loop;
end $$;

drop policy "everybody sees listed products" on public."Products";
drop policy "administrators see all products" on public."Products";
create policy "visitors see listed products" on public."Products"
  for select to anon using (is_listed and archived_at is null);
create policy "customers see listed products, administrators all" on public."Products"
  for select to authenticated using ((is_listed and archived_at is null) or (select private.is_admin()));

drop policy "customers read their own profile" on public.user_profiles;
drop policy "administrators read profiles" on public.user_profiles;
create policy "customers read their own profile, administrators all" on public.user_profiles
  for select to authenticated using (user_id = (select auth.uid()) or (select private.is_admin()));

drop policy "everybody reads published reviews" on public.comments;
drop policy "authors read their own reviews" on public.comments;
drop policy "administrators read all reviews" on public.comments;
create policy "visitors read published reviews" on public.comments
  for select to anon using (hidden_at is null);
create policy "customers read published reviews and their own, administrators all" on public.comments
  for select to authenticated
  using (hidden_at is null or user_id = (select auth.uid()) or (select private.is_admin()));

-- Administrators hide reviews with admin_hide_review(): the text stays the author's.
drop policy "authors and administrators change reviews" on public.comments;
create policy "authors change their own reviews" on public.comments
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

drop policy "customers read their own subscriptions" on public.notify_subscriptions;
drop policy "administrators read subscriptions" on public.notify_subscriptions;
create policy "customers read their own subscriptions, administrators all" on public.notify_subscriptions
  for select to authenticated using (user_id = (select auth.uid()) or (select private.is_admin()));

drop policy "customers read their own orders" on public.orders;
drop policy "administrators read all orders" on public.orders;
create policy "customers read their own orders, administrators all" on public.orders
  for select to authenticated using (user_id = (select auth.uid()) or (select private.is_admin()));

drop policy "customers cancel their own orders" on public.orders;
drop policy "administrators work on orders" on public.orders;
create policy "customers cancel their own orders, administrators work on all" on public.orders
  for update to authenticated
  using (user_id = (select auth.uid()) or (select private.is_admin()))
  with check (user_id = (select auth.uid()) or (select private.is_admin()));

-- Foreign keys that deletions and joins look up.
create index expenses_vendor_id_idx on public.expenses (vendor_id) where vendor_id is not null;
create index purchase_order_items_product_id_idx on public.purchase_order_items (product_id) where product_id is not null;
