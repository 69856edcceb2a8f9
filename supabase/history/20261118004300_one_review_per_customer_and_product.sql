-- One review per customer and product, with an id that the database gives, a bounded author's name, and the word of the
-- shop on whether the author bought the product.

-- Of several reviews of one product by one customer the newest stays; triggers calculate the ratings anew.
delete from public.comments c
where exists (
  select from public.comments newer
  where newer.user_id = c.user_id and newer.product_id = c.product_id
    and (newer.created_at, newer.id) > (c.created_at, c.id)
);
alter table public.comments add constraint comments_one_per_customer_and_product unique (user_id, product_id);

-- Ids that writers chose ahead of the sequence are given anew, or the sequence would run into them.
do $$
declare
  ids constant text := pg_get_serial_sequence('public.comments', 'id');
  given bigint;
begin
  execute format('select case when is_called then last_value else last_value - 1 end from %s', ids) into given;
  update public.comments c set id = default where c.id > given;
end $$;
alter table public.comments alter column id set generated always;

-- Authors change the text and nothing else; administrators hide and show with admin_hide_review(). Definer, because
-- turns are counted in private; who calls is told by auth.uid().
create or replace function private.guard_comment() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.is_service() then
    return new;
  end if;
  if tg_op = 'INSERT' then
    if auth.uid() is null then
      raise insufficient_privilege using message = 'sign in to write a review';
    end if;
    if exists (select from public.comments c where c.user_id = new.user_id and c.product_id = new.product_id) then
      raise sqlstate 'PT409' using message = 'You have already reviewed this product. Edit your review instead.';
    end if;
    if not private.take_turn('review', auth.uid()::text, 5, interval '1 hour') then
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
     and not private.take_turn('review edit', auth.uid()::text, 20, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'too many edits: at most twenty an hour';
  end if;
  new.updated_at := case when new.content <> old.content then now() else old.updated_at end;
  return new;
end $$;

-- Thirty an hour: a profile is saved a few times in a life. An upsert fires the insert trigger, too, so only updates count.
create function private.limit_profile_edits() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_service() and not private.take_turn('profile edit', new.user_id::text, 30, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'too many changes of the profile: at most thirty an hour';
  end if;
  return new;
end $$;
revoke execute on function private.limit_profile_edits() from public;
create trigger user_profiles_limit before update on public.user_profiles
  for each row execute function private.limit_profile_edits();

-- The same for back-in-stock requests, which can be switched on and off without end.
create function private.limit_subscriptions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_service() and not private.take_turn('subscription', new.user_id::text, 60, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'too many back-in-stock requests: at most sixty an hour';
  end if;
  return new;
end $$;
revoke execute on function private.limit_subscriptions() from public;
create trigger notify_subscriptions_limit before insert on public.notify_subscriptions
  for each row execute function private.limit_subscriptions();

-- Name and picture of somebody who wrote a published review; of nobody else. The account's data is the customer's own to
-- write: the name is cut at 80 characters, and the picture is a web address or none.
create or replace function public.get_user_info(user_id uuid, out name text, out avatar_url text)
language sql stable security definer set search_path = '' as $$
  select coalesce(max(a.name), 'Anonymous'), max(a.avatar_url) filter (where private.is_safe_link(a.avatar_url))
  from (
    select
      left(coalesce(nullif(btrim(m.data ->> 'full_name'), ''), nullif(btrim(m.data ->> 'name'), '')), 80) as name,
      coalesce(nullif(p.avatar_url, ''), nullif(m.data ->> 'avatar_url', '')) as avatar_url
    from auth.users u
    cross join lateral (select private.metadata_of(u.raw_user_meta_data) as data) m
    left join public.user_profiles p on p.user_id = u.id
    where u.id = get_user_info.user_id
      and exists (select from public.comments c where c.user_id = u.id and c.hidden_at is null)
  ) a;
$$;

-- Paid for, or handed over, and not canceled or returned. Lateral with a limit, so that the plan goes through the
-- customer's few orders and never through the many lines of a product.
create function private.has_bought(customer_id uuid, product_id bigint) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.orders o
    cross join lateral (
      select from public.order_items i where i.order_id = o.id and i.product_id = has_bought.product_id limit 1
    ) bought
    where o.user_id = has_bought.customer_id
      and o.status not in ('canceled', 'Refunded')
      and (o.payment_status in ('paid', 'paid_offline', 'partially_refunded') or o.status in ('Delivered', 'Collected'))
  );
$$;
revoke execute on function private.has_bought(uuid, bigint) from public;

-- The reviews of a product with their authors, newest first, in one call.
drop function public.product_reviews(bigint, bigint, integer);
create function public.product_reviews(product_id bigint, before_id bigint default null, max_rows integer default 20)
returns table (id bigint, content text, rating smallint, created_at timestamptz, updated_at timestamptz,
               user_id uuid, author_name text, author_avatar_url text, is_verified boolean)
language sql stable security definer set search_path = '' as $$
  select c.id, c.content, c.rating, c.created_at, c.updated_at, c.user_id, i.name, i.avatar_url,
         private.has_bought(c.user_id, c.product_id)
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
revoke execute on function public.product_reviews(bigint, bigint, integer) from public;
grant execute on function public.product_reviews(bigint, bigint, integer) to anon, authenticated, service_role;
