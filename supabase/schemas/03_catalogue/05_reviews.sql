-- Reviews of products, one for each customer and product.
-- Customers write and edit their own; administrators hide them; triggers update a product's rating.
set check_function_bodies = off;

-- Reviews: written by signed-in customers, shown to everybody unless an administrator hid them.
create table public.comments (
  id bigint generated always as identity primary key,
  content text not null check (char_length(content) <= 2000 and content ~ '[^[:space:]]'),
  rating smallint not null check (rating between 1 and 5),
  product_id bigint not null references public."Products" ("Id") on delete cascade,
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  updated_at timestamptz,
  hidden_at timestamptz,
  constraint comments_one_per_customer_and_product unique (user_id, product_id)
);
create index comments_product_idx on public.comments (product_id, created_at desc, id desc);
create index comments_user_idx on public.comments (user_id, created_at desc);
create index comments_created_idx on public.comments (created_at desc, id desc);
-- Partial index: few reviews are hidden.
create index comments_hidden_idx on public.comments (created_at desc, id desc) where hidden_at is not null;
create index comments_search_idx on public.comments using gin (lower(content) extensions.gin_trgm_ops);
alter table public.comments enable row level security;
revoke all on public.comments from anon, authenticated;
grant select on public.comments to anon;
grant select, delete, insert (content, rating, product_id, user_id), update (content) on public.comments to authenticated;
grant all on public.comments to service_role;
create policy "customers review products they can see" on public.comments
  for insert to authenticated with check (
    user_id = (select auth.uid())
    and exists (select from public."Products" p where p."Id" = product_id)
  );
create policy "authors delete their own reviews" on public.comments
  for delete to authenticated using (user_id = (select auth.uid()));
create policy "visitors read published reviews" on public.comments
  for select to anon using (hidden_at is null);
create policy "customers read published reviews and their own, administrators all" on public.comments
  for select to authenticated
  using (hidden_at is null or user_id = (select auth.uid()) or (select private.is_admin()));
create policy "authors change their own reviews" on public.comments
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

create trigger comments_audit after update on public.comments
  for each row when (old.hidden_at is distinct from new.hidden_at) execute function private.record_change('id');

-- Authors change the text of their review and nothing else; administrators hide and show it with
-- admin_hide_review(). Security definer, because rate limits are counted in private. A review in another customer's
-- name is left to the policy, which rejects it with 42501: this trigger runs before it and must not reveal whether
-- that customer wrote one.
create function private.guard_comment() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.is_service() then
    return new;
  end if;
  if tg_op = 'INSERT' then
    if auth.uid() is null then
      raise insufficient_privilege using message = 'sign in to write a review';
    end if;
    if new.user_id = auth.uid()
       and exists (select from public.comments c where c.user_id = auth.uid() and c.product_id = new.product_id) then
      raise sqlstate 'PT409' using message = 'You have already reviewed this product. Edit your review instead.';
    end if;
    if not private.consume_rate_limit('review', auth.uid()::text, 5, interval '1 hour') then
      raise sqlstate 'PT429' using message = 'too many reviews: at most five an hour';
    end if;
    new.created_at := now();
    new.updated_at := null;
    new.hidden_at := null;
    return new;
  end if;
  if (new.id, new.rating, new.product_id, new.user_id, new.created_at)
     is distinct from (old.id, old.rating, old.product_id, old.user_id, old.created_at)
     or (new.content <> old.content and old.user_id <> auth.uid())
     or (new.hidden_at is distinct from old.hidden_at and not private.is_admin()) then
    raise sqlstate 'PT403' using message = 'only the text of a review can be changed';
  end if;
  if new.hidden_at is not distinct from old.hidden_at
     and not private.consume_rate_limit('review edit', auth.uid()::text, 20, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'too many edits: at most twenty an hour';
  end if;
  new.updated_at := case when new.content <> old.content then now() else old.updated_at end;
  return new;
end $$;
create trigger comments_guard before insert or update on public.comments
  for each row execute function private.guard_comment();

-- Updates "Rating" and review_count of a product when its published reviews change.
create function private.update_product_rating() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  reviewed bigint := coalesce(new.product_id, old.product_id);
begin
  -- One after the other: each count must see the reviews that were committed before it.
  perform from public."Products" p where p."Id" = reviewed for no key update;
  update public."Products" p
  set "Rating" = r.average, review_count = r.reviews
  from (
    select round(avg(c.rating), 2) as average, count(*) as reviews
    from public.comments c where c.product_id = reviewed and c.hidden_at is null
  ) r
  where p."Id" = reviewed;
  return null;
end $$;
create trigger comments_update_rating after insert or delete or update of rating, hidden_at on public.comments
  for each row execute function private.update_product_rating();

-- Whether a customer had received a product before a moment: delivered or collected, and not returned since. Lateral with a limit, so
-- that the plan reads the customer's few orders and never the many lines of a product.
create function private.had_received(customer_id uuid, product_id bigint, before timestamptz) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.orders o
    cross join lateral (
      select from public.order_items i where i.order_id = o.id
        and (i.product_id = had_received.product_id
             or i.contents -> 'products' @> jsonb_build_array(jsonb_build_object('product_id', had_received.product_id))) limit 1
    ) bought
    where o.user_id = had_received.customer_id and o.status in ('Delivered', 'Collected') and o.payment_status <> 'refunded'
      and exists (select from public.order_events e
                  where e.order_id = o.id and e.to_status in ('Delivered', 'Collected') and e.created_at <= had_received.before)
  );
$$;

-- The reviews of a product with their authors, newest first, in one call.
create function public.product_reviews(product_id bigint, before_id bigint default null, max_rows integer default 20)
returns table (id bigint, content text, rating smallint, created_at timestamptz, updated_at timestamptz,
               user_id uuid, author_name text, author_avatar_url text, is_verified boolean)
language sql stable security definer set search_path = '' as $$
  select c.id, c.content, c.rating, c.created_at, c.updated_at, c.user_id, i.name, i.avatar_url,
         private.had_received(c.user_id, c.product_id, c.created_at)
  from (
    select p.* from public.comments p
    where p.product_id = product_reviews.product_id
      and p.hidden_at is null
      and (before_id is null or (p.created_at, p.id) < (select b.created_at, b.id from public.comments b where b.id = before_id))
    order by p.created_at desc, p.id desc
    limit least(greatest(max_rows, 0), 100)
  ) c, lateral public.get_user_info(c.user_id) i
  order by c.created_at desc, c.id desc;
$$;

revoke execute on function public.product_reviews(bigint, bigint, integer) from public, anon, authenticated;
grant execute on function public.product_reviews(bigint, bigint, integer) to anon, authenticated, service_role;
