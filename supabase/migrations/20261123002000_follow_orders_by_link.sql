-- Follow orders by link.
set check_function_bodies = off;

create table private.order_link_revocations (
  id bigint generated always as identity primary key,
  order_id uuid not null references public.orders (id),
  revoked_at timestamptz not null default now()
);

alter table private.order_link_revocations enable row level security;

create or replace function private.erase_customer() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person constant uuid := new.customer_id;
  ordered constant uuid[] := array(select o.id from private.orders_of_person(person) o);
  mail constant text := coalesce((select lower(u.email) from auth.users u where u.id = person), '');
begin
  update public.order_events e set public_note = '' where e.order_id = any (ordered) and e.public_note <> '';
  delete from private.order_event_actors a where a.actor_id = person;
  delete from private.order_notes n where n.order_id = any (ordered);
  update private.refunds r set note = '' where r.order_id = any (ordered) and r.note <> '';
  update private.refunds r set reason = 'other'
  where r.order_id = any (ordered)
    and r.reason not in ('order canceled', 'order refunded', 'sold-out', 'wrong-amount', 'second-payment', 'given-back');
  delete from private.outbox o
  where o.kind = 'mail' and (
    o.payload ->> 'user_id' = person::text
    or o.payload ->> 'order_id' = any (ordered::text[])
    or o.payload ->> 'refund_id' in (
      select r.id::text from private.refunds r join private.payments p on p.payment_id = r.payment_id
      where p.user_id = person or r.order_id = any (ordered)));
  delete from private.rate_limits t where t.subject = person::text;

  delete from private.checkouts c
  where c.user_id = person and c.state <> 'paid'
    and not exists (select from private.payments p where p.provider_order_id = private.provider_order_of(c));
  update private.group_orders g set request = '' where g.user_id = person;
  update private.checkouts c
  set delivery_name = 'Erased customer', delivery_phone = '', delivery_building_no = '', delivery_street = '', address_id = null, gift = null
  where c.user_id = person;
  perform private.revoke_order_links(o.id) from unnest(ordered) as o (id);
  update private.order_gifts g set note = '', sender_name = '', recipient_email = null where g.order_id = any (ordered);
  delete from private.quotes q
  where q.user_id = person and not exists (select from private.checkouts c where c.quote_id = q.id);
  update public.orders o
  set user_id = null, delivery_name = 'Erased customer', delivery_phone = '', delivery_building_no = '', delivery_street = '',
      tracking_number = null, tracking_url = null, cancel_reason = null
  where o.id = any (ordered);

  update public.audit_log l
  set before = private.redact(l.before), after = private.redact(l.after)
  where l.table_name <> 'erasures' and (
    l.row_id = any (person::text || ordered::text[])
    or coalesce(l.after, l.before) ->> 'order_id' = any (ordered::text[])
    or person::text in (coalesce(l.after, l.before) ->> 'user_id', coalesce(l.after, l.before) ->> 'customer_id')
    -- Mails that were sent again.
    or l.after -> 'payload' ->> 'order_id' = any (ordered::text[]) or l.after -> 'payload' ->> 'user_id' = person::text);

  -- Profile, address book, reviews, subscriptions, records, card and figures go with the account; so do its identities and
  -- sessions.
  delete from public.comments c where c.user_id = person;
  if to_regclass('auth.refresh_tokens') is not null then
    execute 'delete from auth.refresh_tokens where user_id::text = $1' using person::text;
  end if;
  if to_regclass('auth.flow_state') is not null then
    execute 'delete from auth.flow_state where user_id = $1' using person;
  end if;
  if to_regclass('auth.audit_log_entries') is not null then
    execute 'delete from auth.audit_log_entries
             where position($1 in payload::text) > 0 or ($2 <> '''' and position($2 in lower(payload::text)) > 0)'
    using person::text, mail;
  end if;
  delete from auth.users u where u.id = person;
  return null;
end $$;

create function private.from_base64url(text) returns bytea
language sql immutable set search_path = '' as $$
  select decode(translate($1, '-_', '+/'), 'base64');
$$;

create function private.is_link_signature(message text, given bytea) returns boolean
language plpgsql stable set search_path = '' as $$
declare
  key constant text := (select k.key from private.link_key k);
  expected constant bytea := decode(private.hmac_sha256(message, coalesce(key, repeat('0', 128))), 'hex');
  padded constant bytea := coalesce(given, '') || decode(repeat('00', 32), 'hex');
  difference integer := case when key is null or octet_length(given) is distinct from 32 then 1 else 0 end;
begin
  for place in 0..31 loop
    difference := difference | (get_byte(expected, place) # get_byte(padded, place));
  end loop;
  return difference = 0;
end $$;

create function private.last_day_of_order_link(content bytea) returns date
language sql immutable set search_path = '' as $$
  select date '1970-01-01' + (get_byte(content, 18) * 16777216 + get_byte(content, 19) * 65536 + get_byte(content, 20) * 256 + get_byte(content, 21));
$$;

create function private.link_signature(message text) returns bytea
language plpgsql volatile set search_path = '' as $$
begin
  if not exists (select from private.link_key) then
    perform private.make_link_key();
  end if;
  return decode(private.hmac_sha256(message, (select k.key from private.link_key k)), 'hex');
end $$;

create function private.make_link_key() returns void
language sql volatile set search_path = '' as $$
  insert into private.link_key (id, key)
  select 1, encode(sha512(convert_to(string_agg(gen_random_uuid()::text, ''), 'UTF8')), 'hex') from generate_series(1, 8)
  having not exists (select from private.link_key)
  on conflict do nothing;
$$;

create function private.order_link(order_id uuid, at timestamptz) returns text
language sql volatile set search_path = '' as $$
  select private.to_base64url(k.content || private.link_signature('follow order ' || encode(k.content, 'hex')))
  from private.order_link_content(order_id, private.order_link_version(order_id), private.day_of(at) + private.order_link_days()) as k (content);
$$;

create function private.order_link_content(order_id uuid, version integer, last_day date) returns bytea
language sql immutable set search_path = '' as $$
  select uuid_send(order_id) || substr(int4send(version), 3) || int4send(last_day - date '1970-01-01');
$$;

create function private.order_link_days() returns integer
language sql immutable set search_path = '' as $$ select 60 $$;

create function private.order_link_version(order_id uuid) returns integer
language sql stable set search_path = '' as $$
  select count(*)::integer from private.order_link_revocations r where r.order_id = order_link_version.order_id;
$$;

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

create function private.revoke_order_links(order_id uuid) returns void
language sql volatile set search_path = '' as $$
  insert into private.order_link_revocations (order_id) values (revoke_order_links.order_id);
$$;

create function private.to_base64url(bytes bytea) returns text
language sql immutable set search_path = '' as $$
  select translate(encode(bytes, 'base64'), '+/', '-_');
$$;

create function public.admin_make_order_link(order_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  if not exists (select from public.orders o where o.id = admin_make_order_link.order_id) then
    raise sqlstate 'PT404' using message = 'Order not found.';
  end if;
  return jsonb_build_object(
    'token', private.order_link(order_id, now()), 'days', private.order_link_days(),
    'revoked_at', (select max(r.revoked_at) from private.order_link_revocations r where r.order_id = admin_make_order_link.order_id));
end $$;

create function public.admin_revoke_order_links(order_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  if not exists (select from public.orders o where o.id = admin_revoke_order_links.order_id) then
    raise sqlstate 'PT404' using message = 'Order not found.';
  end if;
  perform private.revoke_order_links(order_id);
end $$;

create function public.my_order_link(order_id uuid) returns jsonb
language sql volatile security definer set search_path = '' as $$
  select jsonb_build_object(
    'token', private.order_link(o.id, now()), 'days', private.order_link_days(),
    'revoked_at', (select max(r.revoked_at) from private.order_link_revocations r where r.order_id = o.id))
  from public.orders o where o.id = my_order_link.order_id and o.user_id = (select auth.uid());
$$;

create or replace function public.queue_gift_reminders(at timestamptz default now()) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  queued integer;
begin
  -- Workers would wait for each other's rows: the other one does all of it.
  if not pg_try_advisory_xact_lock(hashtextextended('gift reminders', 0))
     or not exists (select from private.festivals_to_remind(at)) then
    return 0;
  end if;
  perform private.make_link_key();
  with due as (
    insert into private.gift_reminders (user_id, festival, year, starts_on, ends_on, order_by, queued_at)
    select distinct on (a.user_id) a.user_id, f.festival, f.year, f.starts_on, f.ends_on, f.order_by, at
    from private.festivals_to_remind(at) f
    cross join (select distinct c.user_id from private.reminder_choices c where c.is_agreed) a
    where private.wants_reminders(a.user_id)
      and not exists (select from private.gift_reminders r
                      where r.user_id = a.user_id
                        and (lower(r.festival) = lower(f.festival) and r.year = f.year
                             or r.starts_on <= f.ends_on + 3 and r.ends_on >= f.starts_on - 3))
      and exists (select from private.gifts_a_year_before(a.user_id, f.starts_on, f.ends_on))
    order by a.user_id, f.order_by, f.starts_on
    on conflict do nothing
    returning id, user_id
  ), mails as (
    insert into private.outbox (kind, key, payload, run_after, created_at)
    select 'mail', 'mail:gift-reminder:' || d.id,
           jsonb_build_object('template', 'gift-reminder', 'user_id', d.user_id, 'reminder_id', d.id), at, at
    from due d
    returning id
  )
  select count(*) into queued from mails;
  return queued;
end $$;

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

create index order_link_revocations_order_idx on private.order_link_revocations (order_id);

create trigger order_link_revocations_audit after insert on private.order_link_revocations
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');

create trigger order_link_revocations_never_change before update or delete on private.order_link_revocations
  for each row execute function private.reject_change();

create trigger order_link_revocations_never_emptied before truncate on private.order_link_revocations
  for each statement execute function private.reject_change();

revoke execute on function private.from_base64url(text) from public, anon, authenticated;

revoke execute on function private.is_link_signature(message text, given bytea) from public, anon, authenticated;

revoke execute on function private.last_day_of_order_link(content bytea) from public, anon, authenticated;

revoke execute on function private.link_signature(message text) from public, anon, authenticated;

revoke execute on function private.make_link_key() from public, anon, authenticated;

revoke execute on function private.order_link(order_id uuid, at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.order_link_content(order_id uuid, version integer, last_day date) from public, anon, authenticated;

revoke execute on function private.order_link_days() from public, anon, authenticated;

revoke execute on function private.order_link_version(order_id uuid) from public, anon, authenticated;

revoke execute on function private.order_of_link(token text, at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.revoke_order_links(order_id uuid) from public, anon, authenticated;

revoke execute on function private.to_base64url(bytes bytea) from public, anon, authenticated;

revoke execute on function public.admin_make_order_link(order_id uuid) from public, anon, authenticated;

grant execute on function public.admin_make_order_link(order_id uuid) to authenticated;

grant execute on function public.admin_make_order_link(order_id uuid) to service_role;

revoke execute on function public.admin_revoke_order_links(order_id uuid) from public, anon, authenticated;

grant execute on function public.admin_revoke_order_links(order_id uuid) to authenticated;

grant execute on function public.admin_revoke_order_links(order_id uuid) to service_role;

revoke execute on function public.my_order_link(order_id uuid) from public, anon, authenticated;

grant execute on function public.my_order_link(order_id uuid) to authenticated;

grant execute on function public.my_order_link(order_id uuid) to service_role;

revoke execute on function public.revoke_my_order_links(order_id uuid) from public, anon, authenticated;

grant execute on function public.revoke_my_order_links(order_id uuid) to authenticated;

grant execute on function public.revoke_my_order_links(order_id uuid) to service_role;
