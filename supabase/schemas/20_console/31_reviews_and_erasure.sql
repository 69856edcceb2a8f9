-- Console: hiding reviews, and erasing a customer.
-- Administrators only. Writes reviews and erasures.
set check_function_bodies = off;

-- Reviews, newest first: of everybody or of one customer; all of them, the hidden or the shown ones.
create function public.admin_list_reviews(
  search text default null, shown text default 'all', rating integer default null, customer_id uuid default null, after text default null)
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 50;
  most integer := 10000;
  start jsonb;
  patterns text[];
  products bigint[];
  conditions text := 'true';
  entries jsonb;
  is_last boolean;
  total integer;
begin
  perform private.require_admin();
  start := private.page_start(after);
  patterns := private.search_patterns(lower(search));
  if cardinality(patterns) > 0 then
    products := array(select q."Id" from public."Products" q where lower(q."Name") like all (patterns));
    conditions := '((true';
    for word in 1 .. cardinality(patterns) loop
      conditions := conditions || format(' and lower(c.content) like ($1)[%s]', word);
    end loop;
    conditions := conditions || ') or c.product_id = any ($2))';
  end if;
  conditions := conditions || case shown when 'hidden' then ' and c.hidden_at is not null'
                                         when 'shown' then ' and c.hidden_at is null' else '' end;
  if rating is not null then conditions := conditions || ' and c.rating = $3'; end if;
  if customer_id is not null then conditions := conditions || ' and c.user_id = $4'; end if;

  execute format(
    $query$
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', p.id, 'content', p.content, 'rating', p.rating, 'created_at', p.created_at, 'updated_at', p.updated_at,
      'hidden_at', p.hidden_at, 'seen', coalesce(p.updated_at, p.created_at), 'product_id', p.product_id, 'product', q."Name",
      'customer_id', p.user_id, 'customer', a.name) order by p.created_at desc, p.id desc), '[]')
    from (
      select c.* from public.comments c
      where %s and ($5 is null or (c.created_at, c.id) < ($5::timestamptz, $6::bigint))
      order by c.created_at desc, c.id desc limit %s
    ) p
    join public."Products" q on q."Id" = p.product_id
    left join private.customer_cards a on a.user_id = p.user_id
    $query$, conditions, page_size + 1)
  into entries using patterns, products, rating, customer_id, start ->> 'key', start ->> 'id';
  is_last := jsonb_array_length(entries) <= page_size;
  if start is null and is_last then
    total := jsonb_array_length(entries);
  else
    most := case when cardinality(patterns) > 0 then 1000 else most end;
    execute format('select count(*) from (select from public.comments c where %s limit %s) n', conditions, most + 1)
    into total using patterns, products, rating, customer_id;
  end if;
  return jsonb_build_object(
    'rows', (select coalesce(jsonb_agg(r.row order by r.place), '[]')
             from jsonb_array_elements(entries) with ordinality as r (row, place) where r.place <= page_size),
    'next', case when not is_last then
      jsonb_build_object('key', entries -> (page_size - 1) -> 'created_at', 'id', entries -> (page_size - 1) -> 'id')::text end,
    'count', least(total, most), 'count_is_capped', total > most);
exception when data_exception then
  perform private.reject('This page of the list does not exist. Start again from the first page.', 'after');
end $$;

-- Hides a review or shows it again, if its text is still what the administrator saw.
create function public.admin_hide_review(review_id bigint, hidden boolean, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  review public.comments;
begin
  perform private.require_admin();
  select * into review from public.comments c where c.id = review_id for update;
  if review.id is null then
    raise sqlstate 'PT404' using message = 'This review was deleted by its author.';
  end if;
  perform private.expect_unchanged(seen, coalesce(review.updated_at, review.created_at));
  if (review.hidden_at is not null) = hidden then
    perform private.expect_unchanged(null, now());
  end if;
  update public.comments c set hidden_at = case when hidden then now() end where c.id = review_id returning * into review;
  return jsonb_build_object('id', review.id, 'hidden_at', review.hidden_at, 'seen', coalesce(review.updated_at, review.created_at));
end $$;

-- What erasing a customer would do, for the confirmation: {hindrance, name, email, orders, reviews}.
create function public.admin_preview_erasure(customer_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.require_customer(customer_id);
  return (
    select jsonb_build_object(
      'hindrance', private.erasure_blocker(c.user_id), 'name', c.name, 'email', c.email,
      'orders', (select count(*) from private.orders_of_person(c.user_id)),
      'phone_orders', (select count(*) from private.orders_of_person(c.user_id) o where o.user_id is null),
      'reviews', (select count(*) from public.comments r where r.user_id = c.user_id))
    from private.customer_cards c where c.user_id = admin_preview_erasure.customer_id);
end $$;

-- Erases a customer, confirmed by typing their name or email. It cannot be undone.
create function public.admin_erase_customer(customer_id uuid, confirmation text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  typed constant text := lower(btrim(coalesce(confirmation, '')));
  card private.customer_cards;
  erasure private.erasures;
begin
  perform private.require_admin();
  perform private.require_customer(customer_id);
  select * into card from private.customer_cards c where c.user_id = admin_erase_customer.customer_id;
  if typed = '' or typed not in (lower(coalesce(card.email, '')), lower(coalesce(card.name, ''))) then
    perform private.reject('This is not their name or email address.', 'confirmation');
  end if;
  erasure := private.erase_person(customer_id, auth.uid());
  return jsonb_build_object('erasure', erasure.id, 'orders', erasure.orders);
end $$;
