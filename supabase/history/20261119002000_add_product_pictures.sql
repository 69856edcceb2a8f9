-- Several pictures per product, what it tastes like, and how it travels. "Products"."Image" stays the first picture;
-- product_pictures holds the others. Written by the console's requests alone, read with the product.

alter table public."Products"
  add column taste text not null default '' check (char_length(taste) <= 300),
  add column travel text not null default '' check (char_length(travel) <= 300);
comment on column public."Products".taste is 'What it tastes like, in a sentence or two; empty: the page leaves it out.';
comment on column public."Products".travel is 'How it is packed and how it travels; empty: the page leaves it out.';

create table public.product_pictures (
  product_id bigint not null references public."Products" ("Id") on delete cascade,
  -- The first picture is the product's own.
  position smallint not null check (position between 2 and 8),
  image text not null check (private.is_safe_link(image)),
  alt text not null default '' check (char_length(alt) <= 160),
  primary key (product_id, position)
);
create index product_pictures_image_idx on public.product_pictures (image);

revoke all on public.product_pictures from anon, authenticated;
grant select on public.product_pictures to anon, authenticated;
grant all on public.product_pictures to service_role;
alter table public.product_pictures enable row level security;
-- The policies of "Products" apply inside: a picture is seen by whoever sees its product.
create policy "pictures are read with their product" on public.product_pictures
  for select to anon, authenticated
  using (exists (select from public."Products" p where p."Id" = product_id));

create trigger product_pictures_audit after insert or update or delete on public.product_pictures
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('product_id');
create trigger product_pictures_invalidate_pages_insert after insert on public.product_pictures
  referencing new table as new_rows for each statement execute function private.invalidate_pages_if_changed();
create trigger product_pictures_invalidate_pages_update after update on public.product_pictures
  referencing old table as old_rows new table as new_rows
  for each statement execute function private.invalidate_pages_if_changed();
create trigger product_pictures_invalidate_pages_delete after delete on public.product_pictures
  referencing old table as old_rows for each statement execute function private.invalidate_pages_if_changed();
create trigger product_pictures_invalidate_pages_truncate after truncate on public.product_pictures
  for each statement execute function private.tell_pages();

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

-- What a product has besides its draft (private.product_draft), under the same names as in forms and files.
create function private.presentation_of(product public."Products") returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('taste', product.taste, 'travel', product.travel,
                            'more_pictures', private.more_pictures_of(product."Id"));
$$;

create function private.empty_presentation() returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb '{"taste": "", "travel": "", "more_pictures": ""}';
$$;

create function private.presentation_problems(presentation jsonb) returns table (field text, message text)
language plpgsql stable set search_path = '' as $$
begin
  return query
  select p.key, 'This is a text.' from jsonb_each(presentation) p where jsonb_typeof(p.value) <> 'string';
  if found then
    return;
  end if;
  return query
  select p.field, p.message from (values
    ('taste', case when char_length(presentation ->> 'taste') > 300 then 'The taste has at most 300 characters.' end),
    ('travel', case when char_length(presentation ->> 'travel') > 300 then 'How it travels has at most 300 characters.' end),
    ('more_pictures', (
      select case
        when count(*) > 7 then 'A product has at most 8 pictures.'
        when not bool_and(private.is_safe_link(m.image)) then 'A picture is an address of this site or of the web.'
        when max(char_length(m.alt)) > 160 then 'The description of a picture has at most 160 characters.'
        when count(distinct m.image) < count(*) then 'The same picture is there twice.' end
      from private.read_more_pictures(presentation ->> 'more_pictures') m))
  ) p (field, message) where p.message is not null;
end $$;

-- Writes a presentation without problems. Rows that stay as they are are not touched, so the log names what changed.
create function private.write_presentation(product_id bigint, presentation jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  update public."Products" p set taste = presentation ->> 'taste', travel = presentation ->> 'travel'
  where p."Id" = write_presentation.product_id
    and (p.taste, p.travel) is distinct from (presentation ->> 'taste', presentation ->> 'travel');
  delete from public.product_pictures m
  where m.product_id = write_presentation.product_id
    and m.position > 1 + (select count(*) from private.read_more_pictures(presentation ->> 'more_pictures'));
  insert into public.product_pictures as m (product_id, position, image, alt)
  select write_presentation.product_id, r.place + 1, r.image, r.alt
  from private.read_more_pictures(presentation ->> 'more_pictures') r
  on conflict on constraint product_pictures_pkey do update set image = excluded.image, alt = excluded.alt
  where (m.image, m.alt) is distinct from (excluded.image, excluded.alt);
end $$;

-- All pictures of a product, the first one included.
create function private.pictures_of(product public."Products") returns text[]
language sql stable set search_path = '' as $$
  select array_remove(product."Image" || array(
    select m.image from public.product_pictures m where m.product_id = product."Id" order by m.position), '');
$$;

-- As before; further pictures of products count, too.
create or replace function private.unused_picture(image text) returns text
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

revoke execute on function private.more_pictures_of(bigint), private.read_more_pictures(text),
  private.presentation_of(public."Products"), private.empty_presentation(), private.presentation_problems(jsonb),
  private.write_presentation(bigint, jsonb), private.pictures_of(public."Products"), private.unused_pictures(text[])
  from public;

-- One product with all its facts; now with its further pictures.
create or replace function public.product_page(product_id bigint) returns jsonb
language sql stable set search_path = '' as $$
  select private.product_card(p) || jsonb_build_object(
    'Description', p."Description", 'weight_grams', p.weight_grams,
    'ingredients', p.ingredients, 'allergens', p.allergens, 'shelf_life_days', p.shelf_life_days, 'storage', p.storage,
    'maker', p.maker, 'taste', p.taste, 'travel', p.travel,
    'pictures', (select coalesce(jsonb_agg(jsonb_build_object('image', m.image, 'alt', m.alt) order by m.position), '[]')
                 from public.product_pictures m where m.product_id = p."Id"))
  from public."Products" p
  where p."Id" = product_page.product_id and p.is_listed and p.archived_at is null;
$$;

-- Everything the console shows of one product; null: there is none.
create or replace function public.admin_read_product(product_id bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  product public."Products";
  stock public.stock_levels;
begin
  perform private.require_admin();
  select * into product from public."Products" p where p."Id" = product_id;
  if not found then
    return null;
  end if;
  select * into stock from public.stock_levels s where s.product_id = product."Id";
  return jsonb_build_object(
    'row', private.product_row(product, stock, private.unit_cost_at(product."Id", now())),
    'draft', private.product_draft(product) || private.presentation_of(product), 'created_at', product.created_at,
    'costs', (select coalesce(jsonb_agg(jsonb_build_object('valid_from', c.valid_from, 'unit_cost_paise', (c.unit_cost * 100)::bigint)
                                        order by c.valid_from desc), '[]')
              from private.product_costs c where c.product_id = product."Id"),
    'has_stock_history', exists (select from public.stock_movements m where m.product_id = product."Id"),
    'is_deletable', private.kept_because(product."Id") is null,
    'waiting', (select count(*) from public.notify_subscriptions n where n.product_id = product."Id"));
end $$;

-- Saves a product: {id, updated_at, unused_images}. product_id null: a new one. `changes` names what changes of the draft
-- and of the presentation.
create or replace function public.admin_save_product(changes jsonb, product_id bigint default null, seen timestamptz default null)
returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  product public."Products";
  pictures text[] := '{}';
  before jsonb;
  draft jsonb;
  presentation jsonb := private.empty_presentation();
  problem record;
  written bigint;
begin
  perform private.require_admin();
  if jsonb_typeof(changes) is distinct from 'object' then
    perform private.refuse('There is nothing to save.');
  end if;
  if product_id is not null then
    select * into product from public."Products" p where p."Id" = product_id for no key update;
    if not found then
      raise sqlstate 'PT404' using message = 'There is no such product.';
    end if;
    perform private.expect_unchanged(seen, product.updated_at);
    before := private.product_draft(product);
    presentation := private.presentation_of(product);
    pictures := private.pictures_of(product);
  end if;
  draft := private.merge_draft(coalesce(before, private.empty_draft()), changes - 'taste' - 'travel' - 'more_pictures');
  perform private.refuse_problems(before, draft, product_id);
  select presentation || coalesce(jsonb_object_agg(c.key,
    case when jsonb_typeof(c.value) = 'string' then to_jsonb(btrim(c.value #>> '{}', E' \t\n\r')) else c.value end), '{}')
  into presentation from jsonb_each(changes) c where c.key in ('taste', 'travel', 'more_pictures');
  select p.field, p.message into problem from private.presentation_problems(presentation) p limit 1;
  if found then
    perform private.refuse(problem.message, problem.field);
  end if;
  written := private.write_draft(product_id, draft);
  perform private.write_presentation(written, presentation);
  return (
    select jsonb_build_object('id', p."Id", 'updated_at', p.updated_at, 'unused_images', private.unused_pictures(pictures))
    from public."Products" p where p."Id" = written);
end $$;

-- An unlisted copy: {id}. Its tag is calculated anew, as the original's may not be backed. It shows the same pictures.
create or replace function public.admin_duplicate_product(product_id bigint) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  product public."Products";
  copy_name text;
  written bigint;
begin
  perform private.require_admin();
  select * into product from public."Products" p where p."Id" = product_id for share;
  if not found then
    raise sqlstate 'PT404' using message = 'There is no such product.';
  end if;
  select left(product."Name", 110) || n.ending into copy_name
  from (select place, case when place = 1 then ' (copy)' else format(' (copy %s)', place) end as ending
        from generate_series(1, 2000) place) n
  where not exists (select from public."Products" o
                    where o.archived_at is null and lower(o."Name") = lower(left(product."Name", 110) || n.ending))
  order by n.place limit 1;
  written := private.write_draft(null, private.merge_draft(private.product_draft(product),
    jsonb_build_object('name', copy_name, 'is_listed', false, 'is_archived', false, 'combo', null)));
  perform private.write_presentation(written, private.presentation_of(product));
  return jsonb_build_object('id', written);
end $$;

-- Deletes what never was more than a draft: {unused_images}. Everything else is archived.
create or replace function public.admin_delete_product(product_id bigint, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  product public."Products";
  pictures text[];
  reason text;
begin
  perform private.require_admin();
  select * into product from public."Products" p where p."Id" = product_id for update;
  if not found then
    raise sqlstate 'PT404' using message = 'There is no such product.';
  end if;
  perform private.expect_unchanged(seen, product.updated_at);
  reason := private.kept_because(product_id);
  if reason is not null then
    raise sqlstate 'PT409' using message = reason || ', so it stays in the books. Archive it instead.';
  end if;
  pictures := private.pictures_of(product);
  delete from public."Products" p where p."Id" = product_id;
  return jsonb_build_object('unused_images', private.unused_pictures(pictures));
end $$;
