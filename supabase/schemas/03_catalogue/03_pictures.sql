-- Further pictures of products, and the storage buckets.
-- Visitors read pictures with their product; administrators write them and upload files.
set check_function_bodies = off;

create table public.product_pictures (
  product_id bigint not null references public."Products" ("Id") on delete cascade,
  -- The first picture is the product's own.
  position smallint not null check (position between 2 and 8),
  image text not null check (private.is_safe_link(image)),
  alt text not null default '' check (char_length(alt) <= 160),
  primary key (product_id, position)
);
create index product_pictures_image_idx on public.product_pictures (image);
alter table public.product_pictures enable row level security;
revoke all on public.product_pictures from anon, authenticated;
grant select on public.product_pictures to anon, authenticated;
grant all on public.product_pictures to service_role;
-- The policies of "Products" apply inside: callers see the pictures of the products they see.
create policy "pictures are read with their product" on public.product_pictures
  for select to anon, authenticated
  using (exists (select from public."Products" p where p."Id" = product_id));

create trigger product_pictures_audit after insert or update or delete on public.product_pictures
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('product_id');

-- The further pictures as one text: "address what it shows | address what it shows". Files and forms use the same
-- format (domain/products/more-pictures.ts).
create function private.more_pictures_of(product_id bigint) returns text
language sql stable set search_path = '' as $$
  select coalesce(string_agg(rtrim(m.image || ' ' || m.alt), ' | ' order by m.position), '')
  from public.product_pictures m where m.product_id = more_pictures_of.product_id;
$$;

create function private.read_more_pictures(more_pictures text) returns table (place integer, image text, alt text)
language sql immutable set search_path = '' as $$
  select row_number() over (order by e.place)::integer, split_part(e.entry, ' ', 1),
         btrim(substr(e.entry, length(split_part(e.entry, ' ', 1)) + 1))
  from (select s.place, btrim(regexp_replace(s.entry, '\s+', ' ', 'g')) as entry
        from regexp_split_to_table(read_more_pictures.more_pictures, '\|') with ordinality s (entry, place)) e
  where e.entry <> '';
$$;

-- All pictures of a product, the first one included.
create function private.pictures_of(product public."Products") returns text[]
language sql stable set search_path = '' as $$
  select array_remove(product."Image" || array(
    select m.image from public.product_pictures m where m.product_id = product."Id" order by m.position), '');
$$;

-- The picture itself if it was uploaded and no product, order or quote shows it any more; null otherwise. Orders
-- and quotes keep the picture of what was bought.
create function private.unused_picture(image text) returns text
language sql stable set search_path = '' as $$
  select unused_picture.image
  where unused_picture.image like '%/storage/v1/object/public/products/%'
    and not exists (select from public."Products" p where p."Image" = unused_picture.image)
    and not exists (select from public.product_pictures m where m.image = unused_picture.image)
    and not exists (select from public.caurousel c where c.background_img = unused_picture.image)
    and not exists (select from public.greetings g where g.image = unused_picture.image)
    and not exists (select from private.quotes q where q.expires_at > now() - interval '6 days'
                    and q.lines @> jsonb_build_array(jsonb_build_object('product_image', unused_picture.image)))
    and not exists (select from public.order_items i where i.product_image = unused_picture.image);
$$;

create function private.unused_pictures(images text[]) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(distinct i), '[]') from unnest(images) i where private.unused_picture(i) is not null;
$$;

-- Pictures of products and banners are public; receipts are private. A bare PostgreSQL has no Storage.
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

    create policy "administrators read receipts" on storage.objects
      for select to authenticated using (bucket_id = 'receipts' and (select private.is_admin()));
    create policy "administrators add receipts" on storage.objects
      for insert to authenticated with check (bucket_id = 'receipts' and (select private.is_admin()));
    create policy "administrators replace receipts" on storage.objects
      for update to authenticated using (bucket_id = 'receipts' and (select private.is_admin()))
      with check (bucket_id = 'receipts' and (select private.is_admin()));
    create policy "administrators remove receipts" on storage.objects
      for delete to authenticated using (bucket_id = 'receipts' and (select private.is_admin()));
  end if;
end $$;
