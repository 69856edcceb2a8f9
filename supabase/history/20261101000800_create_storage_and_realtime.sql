-- Files and live changes, where the backend offers them (a bare PostgreSQL has neither).

-- Pictures of products and banners are public; receipts are private and go through a function that checks.
do $$
begin
  if to_regclass('storage.objects') is not null then
    insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
      ('products', 'products', true, 2097152, array['image/webp']),
      ('banners', 'banners', true, 2097152, array['image/webp']),
      ('receipts', 'receipts', false, 5242880, array['image/webp'])
    on conflict (id) do nothing;
    create policy "administrators read pictures" on storage.objects
      for select to authenticated using (bucket_id in ('products', 'banners') and (select private.is_admin()));
    create policy "administrators add pictures" on storage.objects
      for insert to authenticated with check (bucket_id in ('products', 'banners') and (select private.is_admin()));
    create policy "administrators replace pictures" on storage.objects
      for update to authenticated using (bucket_id in ('products', 'banners') and (select private.is_admin()))
      with check (bucket_id in ('products', 'banners') and (select private.is_admin()));
    create policy "administrators remove pictures" on storage.objects
      for delete to authenticated using (bucket_id in ('products', 'banners') and (select private.is_admin()));
  end if;
end $$;

-- Subscribers get a row only if their own policies let them read it.
do $$
begin
  if exists (select from pg_publication where pubname = 'supabase_realtime') then
    alter publication supabase_realtime add table
      public."Products", public.caurousel, public.greetings, public.testimonials, public.comments,
      public.orders, public.order_events, public.stock_levels;
  end if;
end $$;
