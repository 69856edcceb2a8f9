-- Signed links for one order: who has one follows the order without a login. Each email about the order carries one.
-- Links are not stored: a link carries the order, the last day on which it works, and how often links of this order had been revoked
-- when it was made. Revocations are written by the customer, by the console, and by erasing the customer.
set check_function_bodies = off;

-- Each time the links of an order were revoked: those made before no longer work. Append-only.
create table private.order_link_revocations (
  id bigint generated always as identity primary key,
  order_id uuid not null references public.orders (id),
  revoked_at timestamptz not null default now()
);
create index order_link_revocations_order_idx on private.order_link_revocations (order_id);
alter table private.order_link_revocations enable row level security;

create trigger order_link_revocations_never_change before update or delete on private.order_link_revocations
  for each row execute function private.reject_change();
create trigger order_link_revocations_never_emptied before truncate on private.order_link_revocations
  for each statement execute function private.reject_change();
create trigger order_link_revocations_audit after insert on private.order_link_revocations
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');

-- How many days a link works after the day on which it was made.
create function private.order_link_days() returns integer
language sql immutable set search_path = '' as $$ select 60 $$;

create function private.order_link_version(order_id uuid) returns integer
language sql stable set search_path = '' as $$
  select count(*)::integer from private.order_link_revocations r where r.order_id = order_link_version.order_id;
$$;

-- The token of a new link for an order. The same all day.
create function private.order_link(order_id uuid, at timestamptz) returns text
language sql volatile set search_path = '' as $$
  select private.make_link('follow order', order_id, private.order_link_version(order_id), private.day_of(at) + private.order_link_days());
$$;

-- The order that a token names; null: forged, expired, revoked, or of an order that is gone (its customer was erased).
create function private.order_of_link(token text, at timestamptz) returns uuid
language plpgsql stable set search_path = '' as $$
declare
  link record;
begin
  link := private.read_link('follow order', token, at);
  if link.subject is null then
    return null; -- before any row of an order is read
  end if;
  return (
    select o.id from public.orders o
    where o.id = link.subject and (o.user_id is not null or o.source = 'manual') and private.order_link_version(o.id) = link.version);
end $$;

-- Ends all links of an order that were made until now; later emails carry new ones.
create function private.revoke_order_links(order_id uuid) returns void
language sql volatile set search_path = '' as $$
  insert into private.order_link_revocations (order_id) values (revoke_order_links.order_id);
$$;

-- Of an order of the caller's: a new link, and since when earlier ones no longer work. null: it is none of theirs.
create function public.my_order_link(order_id uuid) returns jsonb
language sql volatile security definer set search_path = '' as $$
  select jsonb_build_object(
    'token', private.order_link(o.id, now()), 'days', private.order_link_days(),
    'revoked_at', (select max(r.revoked_at) from private.order_link_revocations r where r.order_id = o.id))
  from public.orders o where o.id = my_order_link.order_id and o.user_id = (select auth.uid());
$$;

-- Ends the links of an order of the caller's that were made until now. Returns what my_order_link() does.
create function public.revoke_my_order_links(order_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := (select auth.uid());
begin
  if not exists (select from public.orders o where o.id = revoke_my_order_links.order_id and o.user_id = caller) then
    return null;
  elsif not private.consume_rate_limit('revoke links', caller::text, 20, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'too many changes: at most twenty an hour';
  end if;
  perform private.revoke_order_links(order_id);
  return public.my_order_link(order_id);
end $$;

-- An order as its link shows it: nothing with which a person could be found. Of the name the first word, of the address the city, of the
-- phone the last three digits; what the shop wrote in its own words is left to the emails, because it may say any of these.
create function private.followed_order(order_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'number', o.number, 'placed_at', o.created_at, 'status', o.status, 'payment_status', o.payment_status, 'fulfilment', o.fulfilment,
    'delivery_by', o.delivery_by, 'deliver_on', o.deliver_on, 'missed_day', o.missed_day,
    'courier', o.courier, 'tracking_number', o.tracking_number, 'tracking_url', nullif(o.tracking_url, ''),
    'sub_total_paise', (o.sub_total * 100)::bigint, 'tax_paise', (o.tax * 100)::bigint, 'shipping_paise', (o.shipping_charge * 100)::bigint,
    'shipping_tax_paise', private.order_shipping_tax(o), 'total_paise', (o.total_amount * 100)::bigint, 'offers', o.offers,
    'is_gift', exists (select from private.order_gifts g where g.order_id = o.id),
    'to', jsonb_build_object('name', split_part(btrim(o.delivery_name), ' ', 1), 'city', case when o.fulfilment = 'delivery' then o.delivery_city else '' end,
                             'phone_end', right(regexp_replace(o.delivery_phone, '\D', '', 'g'), 3)),
    'events', (
      select coalesce(jsonb_agg(jsonb_build_object('status', e.to_status, 'by', e.actor_role, 'at', e.created_at) order by e.id), '[]')
      from public.order_events e
      where e.order_id = o.id and e.undoes is null and not exists (select from public.order_events u where u.undoes = e.id)),
    'items', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'product_id', case when p.is_listed and p.archived_at is null then p."Id" end, 'name', i.product_name, 'image', i.product_image,
        'quantity', i.quantity, 'size', case when i.has_size then i.size end,
        'line_paise', private.line_paise(i.unit_price, i.size, i.quantity)::bigint) order by i.id), '[]')
      from public.order_items i left join public."Products" p on p."Id" = i.product_id
      where i.order_id = o.id))
  from public.orders o where o.id = followed_order.order_id;
$$;

-- The order of a link; null for every link that is not good now, whatever is wrong with it.
create function public.order_by_link(token text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.followed_order(private.order_of_link(token, now()));
$$;

revoke execute on function public.my_order_link(uuid), public.revoke_my_order_links(uuid), public.order_by_link(text)
  from public, anon, authenticated;
grant execute on function public.my_order_link(uuid), public.revoke_my_order_links(uuid) to authenticated, service_role;
grant execute on function public.order_by_link(text) to anon, authenticated, service_role;
