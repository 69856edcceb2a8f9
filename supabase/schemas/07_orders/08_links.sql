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

-- What a link carries, 22 bytes: the order (16), the version (2), the last day (4).
create function private.order_link_content(order_id uuid, version integer, last_day date) returns bytea
language sql immutable set search_path = '' as $$
  select uuid_send(order_id) || substr(int4send(version), 3) || int4send(last_day - date '1970-01-01');
$$;

-- The token of a new link for an order: 72 letters, digits, - and _. The same all day.
create function private.order_link(order_id uuid, at timestamptz) returns text
language sql volatile set search_path = '' as $$
  select private.to_base64url(k.content || private.link_signature('follow order ' || encode(k.content, 'hex')))
  from private.order_link_content(order_id, private.order_link_version(order_id), private.day_of(at) + private.order_link_days()) as k (content);
$$;

-- The order that a token names; null: forged, expired, revoked, or of an order that is gone (its customer was erased). The signature is
-- compared before any row of an order is read, and for every token alike: how long it takes says nothing about orders.
create function private.order_of_link(token text, at timestamptz) returns uuid
language plpgsql stable set search_path = '' as $$
declare
  is_whole constant boolean := coalesce(token ~ '^[A-Za-z0-9_-]{72}$', false);
  carried constant bytea := private.from_base64url(case when is_whole then token else repeat('A', 72) end);
  content constant bytea := substr(carried, 1, 22);
  is_signed constant boolean := private.is_link_signature('follow order ' || encode(content, 'hex'), substr(carried, 23));
  named uuid;
begin
  if not (is_whole and is_signed) then
    return null;
  end if;
  named := encode(substr(content, 1, 16), 'hex')::uuid;
  return (
    select o.id from public.orders o
    where o.id = named and (o.user_id is not null or o.source = 'manual')
      and content = private.order_link_content(o.id, private.order_link_version(o.id), private.last_day_of_order_link(content))
      and private.last_day_of_order_link(content) >= private.day_of(at));
end $$;

create function private.last_day_of_order_link(content bytea) returns date
language sql immutable set search_path = '' as $$
  select date '1970-01-01' + (get_byte(content, 18) * 16777216 + get_byte(content, 19) * 65536 + get_byte(content, 20) * 256 + get_byte(content, 21));
$$;

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

revoke execute on function public.my_order_link(uuid), public.revoke_my_order_links(uuid) from public, anon, authenticated;
grant execute on function public.my_order_link(uuid), public.revoke_my_order_links(uuid) to authenticated, service_role;
