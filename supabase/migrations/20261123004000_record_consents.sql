-- Consents by purpose instead of choices about reminders alone, which keep their order, source and time.
set check_function_bodies = off;

drop function private.stop_token(user_id uuid);

drop function private.wants_reminders(user_id uuid);

drop function public.choose_gift_reminders(agreed boolean, source text);

drop function public.my_gift_reminders();

drop function public.stop_gift_reminders(token text);

create table private.consents (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  purpose text not null check (purpose in ('festival-reminders', 'review-requests', 'cart-reminders', 'news', 'whatsapp', 'sms')),
  is_agreed boolean not null,
  source text not null check (source in ('profile', 'order', 'email', 'checkout')),
  chosen_at timestamptz not null default now()
);

alter table private.consents enable row level security;

insert into private.consents (user_id, purpose, is_agreed, source, chosen_at)
select c.user_id, 'festival-reminders', c.is_agreed, c.source, c.chosen_at from private.reminder_choices c order by c.id;

create function private.consent_purposes() returns table (place integer, purpose text, is_default boolean)
language sql immutable set search_path = '' as $$
  values (1, 'festival-reminders', false), (2, 'review-requests', true), (3, 'cart-reminders', false), (4, 'news', false),
         (5, 'whatsapp', false), (6, 'sms', false);
$$;

create function private.has_consent(user_id uuid, purpose text) returns boolean
language sql stable set search_path = '' as $$
  select coalesce(
    (select c.is_agreed from private.consents c
     where c.user_id = has_consent.user_id and c.purpose = has_consent.purpose order by c.id desc limit 1),
    (select p.is_default from private.consent_purposes() p where p.purpose = has_consent.purpose),
    false);
$$;

create or replace function private.mail_content(payload jsonb, site_url text) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  template text := payload ->> 'template';
  ordered public.orders;
  refund private.refunds;
  payment private.payments;
  product public."Products";
  reader uuid := (payload ->> 'user_id')::uuid;
  facts jsonb := jsonb_build_object('template', template);
  purpose constant text := private.purpose_of_mail(template);
  recipient jsonb;
begin
  if payload ? 'refund_id' then
    select * into refund from private.refunds r where r.id = (payload ->> 'refund_id')::uuid;
    select * into payment from private.payments p where p.payment_id = refund.payment_id;
  end if;
  select * into ordered from public.orders o where o.id = coalesce((payload ->> 'order_id')::uuid, refund.order_id, payment.order_id);
  reader := coalesce(reader, ordered.user_id, payment.user_id);
  select jsonb_build_object('address', u.email, 'name', coalesce(nullif(btrim(m.data ->> 'full_name'), ''), nullif(btrim(m.data ->> 'name'), '')))
  into recipient
  from auth.users u cross join lateral (select private.metadata_of(u.raw_user_meta_data) as data) m
  where u.id = reader and u.email is not null;
  if recipient is null then
    return null;
  end if;
  if purpose is not null then
    if not private.has_consent(reader, purpose) then
      return null;
    end if;
    facts := facts || jsonb_build_object('stopUrl', site_url || '/unsubscribe?token=' || private.stop_token(reader, purpose));
  end if;

  if template = 'gift-on-its-way' then
    -- To the recipient: nothing of the buyer but the name they chose, and no amounts.
    select jsonb_build_object('address', g.recipient_email, 'name', ordered.delivery_name),
           facts || jsonb_build_object('name', ordered.delivery_name, 'sender', g.sender_name, 'city', ordered.delivery_city,
             'deliveryBy', ordered.delivery_by, 'courier', ordered.courier, 'trackingNumber', ordered.tracking_number,
             'trackingUrl', nullif(ordered.tracking_url, ''))
    into recipient, facts
    from private.order_gifts g where g.order_id = ordered.id and g.recipient_email is not null;
    if recipient is null then
      return null;
    end if;
  elsif template = 'gift-reminder' then
    facts := facts || jsonb_build_object('name', recipient -> 'name') || private.reminder_facts((payload ->> 'reminder_id')::uuid, site_url);
    if facts is null then
      return null;
    end if;
  elsif template = 'group-placed' then
    facts := facts || jsonb_build_object('name', coalesce(recipient ->> 'name', 'Customer'), 'group', (
      select jsonb_build_object('orderId', ordered.id, 'recipients', g.recipients, 'totalPaise', g.total_paise, 'placedAt', ordered.created_at)
      from private.group_orders g where g.id = ordered.group_id));
  elsif template = 'back-in-stock' then
    select * into product from public."Products" p
    where p."Id" = (payload ->> 'product_id')::bigint;
    if product."Id" is null then
      return null;
    elsif not product.is_listed or product.archived_at is not null then
      return jsonb_build_object('problem', 'the product was just unlisted'); -- lease_jobs() makes it a request again
    end if;
    facts := facts || jsonb_build_object('name', recipient -> 'name', 'product', jsonb_build_object(
      'name', product."Name", 'url', site_url || '/product/' || product."Id",
      'imageUrl', case when product."Image" like '/%' then site_url || product."Image" else nullif(product."Image", '') end,
      'pricePaise', (product."Price" * 100)::bigint));
  else
    facts := facts || jsonb_build_object(
      'order', case when ordered.id is not null
                    then private.order_facts(ordered, payload ->> 'actor') || jsonb_build_object('note', payload -> 'note', 'buyer', (
                      select b.name from private.buyers b where b.id = reader)) end);
    if refund.id is not null then
      facts := facts || jsonb_build_object(
        'name', coalesce(recipient ->> 'name', ordered.delivery_name, 'Customer'), 'amountPaise', refund.amount_paise,
        'reason', case when refund.reason in ('sold-out', 'wrong-amount', 'second-payment') then refund.reason
                       when refund.reason = 'order canceled' then 'order-canceled'
                       when refund.reason = 'order refunded' then 'order-refunded' else 'other' end);
    end if;
  end if;
  return jsonb_build_object('to', recipient, 'facts', facts || jsonb_build_object('shop', (
    select jsonb_build_object('name', s.name, 'siteUrl', site_url, 'email', s.email, 'whatsapp', s.whatsapp_number, 'address', s.address,
                              'fssai', nullif(s.fssai_number, ''))
    from public.shop_settings s)));
exception when others then
  return jsonb_build_object('problem', sqlerrm);
end $$;

create function private.make_link_key() returns void
language sql volatile set search_path = '' as $$
  insert into private.link_key (id, key)
  select 1, encode(sha512(convert_to(string_agg(gen_random_uuid()::text, ''), 'UTF8')), 'hex') from generate_series(1, 8)
  on conflict do nothing;
$$;

create function private.old_stop_token(user_id uuid) returns text
language sql stable set search_path = '' as $$
  select user_id || '.' || private.hmac_sha256('stop reminders of ' || user_id, k.key) from private.link_key k;
$$;

create function private.purpose_of_mail(template text) returns text
language sql immutable set search_path = '' as $$
  select case template
    when 'gift-reminder' then 'festival-reminders' when 'review-request' then 'review-requests'
    when 'cart-reminder' then 'cart-reminders' when 'news' then 'news' end;
$$;

create function private.record_consent(user_id uuid, purpose text, agreed boolean, source text) returns void
language plpgsql set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('consents ' || user_id, 0));
  if private.has_consent(user_id, purpose) is distinct from agreed then
    insert into private.consents (user_id, purpose, is_agreed, source) values (user_id, purpose, agreed, source);
  end if;
end $$;

create or replace function private.reminder_facts(reminder_id uuid, site_url text) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'festival', r.festival, 'orderBy', r.order_by,
    'gifts', l.gifts, 'more', l.all_gifts - jsonb_array_length(l.gifts),
    'historyUrl', site_url || '/profile?tab=orders')
  from private.gift_reminders r
  cross join lateral (
    select count(*) as all_gifts,
           coalesce(jsonb_agg(jsonb_build_object('recipient', g.delivery_name, 'city', g.delivery_city, 'items', private.summarize_items(g.id, 3))
                              order by g.place) filter (where g.place <= 20), '[]') as gifts
    from (select y.*, row_number() over (order by y.created_at, y.id) as place
          from private.gifts_a_year_before(r.user_id, r.starts_on, r.ends_on) y) g
  ) l
  where r.id = reminder_id and l.all_gifts > 0;
$$;

create function private.stop_token(user_id uuid, purpose text) returns text
language sql stable set search_path = '' as $$
  select user_id || '.' || purpose || '.' || private.hmac_sha256('stop ' || purpose || ' of ' || user_id, k.key) from private.link_key k;
$$;

create function public.choose_consent(purpose text, agreed boolean, source text default 'profile') returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := (select auth.uid());
begin
  if caller is null then
    raise sqlstate 'PT403' using message = 'log in to choose which messages you get';
  elsif not exists (select from private.consent_purposes() p where p.purpose = choose_consent.purpose) then
    raise sqlstate 'PT400' using message = 'there are no messages of this kind';
  elsif agreed is null or source is null or source not in ('profile', 'order', 'checkout') then
    raise sqlstate 'PT400' using message = 'choose whether to get these messages';
  end if;
  if private.has_consent(caller, purpose) is distinct from agreed
     and not private.consume_rate_limit('consent ' || purpose, caller::text, 20, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'too many changes: at most twenty an hour';
  end if;
  perform private.record_consent(caller, purpose, agreed, source);
  return public.my_consents();
end $$;

create function public.my_consents() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_agg(jsonb_build_object(
    'purpose', p.purpose, 'agreed', coalesce(l.is_agreed, p.is_default), 'since', l.chosen_at, 'source', l.source,
    'history', coalesce(h.choices, '[]')) order by p.place)
  from private.consent_purposes() p
  left join lateral (
    select c.is_agreed, c.chosen_at, c.source from private.consents c
    where c.user_id = (select auth.uid()) and c.purpose = p.purpose order by c.id desc limit 1
  ) l on true
  cross join lateral (
    select jsonb_agg(jsonb_build_object('agreed', k.is_agreed, 'at', k.chosen_at, 'source', k.source) order by k.id desc) as choices
    from (select c.* from private.consents c
          where c.user_id = (select auth.uid()) and c.purpose = p.purpose order by c.id desc limit 20) k
  ) h;
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
    cross join (select distinct c.user_id from private.consents c where c.purpose = 'festival-reminders' and c.is_agreed) a
    where private.has_consent(a.user_id, 'festival-reminders')
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

create function public.stop_messages(token text) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  parts constant text[] := regexp_match(token, '^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.([a-z-]{1,30}))?\.[0-9a-f]{64}$');
  person uuid;
  stopped constant text := coalesce(parts[2], 'festival-reminders');
begin
  if parts is null then
    return null;
  end if;
  person := parts[1]::uuid;
  if token is distinct from (case when parts[2] is null then private.old_stop_token(person) else private.stop_token(person, stopped) end)
     or not exists (select from private.consent_purposes() p where p.purpose = stopped) then
    return null;
  end if;
  if exists (select from auth.users u where u.id = person) then
    perform private.record_consent(person, stopped, false, 'email');
  end if;
  return stopped;
end $$;

create index consents_user_idx on private.consents (user_id, purpose, id desc);

create trigger consents_never_change before update on private.consents
  for each row execute function private.reject_change();

revoke execute on function private.consent_purposes() from public, anon, authenticated;

revoke execute on function private.has_consent(user_id uuid, purpose text) from public, anon, authenticated;

revoke execute on function private.make_link_key() from public, anon, authenticated;

revoke execute on function private.old_stop_token(user_id uuid) from public, anon, authenticated;

revoke execute on function private.purpose_of_mail(template text) from public, anon, authenticated;

revoke execute on function private.record_consent(user_id uuid, purpose text, agreed boolean, source text) from public, anon, authenticated;

revoke execute on function private.stop_token(user_id uuid, purpose text) from public, anon, authenticated;

revoke execute on function public.choose_consent(purpose text, agreed boolean, source text) from public, anon, authenticated;

grant execute on function public.choose_consent(purpose text, agreed boolean, source text) to authenticated;

grant execute on function public.choose_consent(purpose text, agreed boolean, source text) to service_role;

revoke execute on function public.my_consents() from public, anon, authenticated;

grant execute on function public.my_consents() to authenticated;

grant execute on function public.my_consents() to service_role;

revoke execute on function public.stop_messages(token text) from public, anon, authenticated;

grant execute on function public.stop_messages(token text) to anon;

grant execute on function public.stop_messages(token text) to authenticated;

grant execute on function public.stop_messages(token text) to service_role;

drop table private.reminder_choices;
