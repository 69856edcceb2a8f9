-- Earlier gifts can be sent again; reminders before festivals for customers who agreed; figures of gifts.
set check_function_bodies = off;

create table private.gift_reminders (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  festival text not null,
  year integer not null,
  starts_on date not null,
  ends_on date not null,
  order_by date not null,
  queued_at timestamptz not null,
  unique (user_id, festival, year)
);

alter table private.gift_reminders enable row level security;

create table private.link_key (
  id integer primary key check (id = 1),
  key text not null check (key ~ '^[0-9a-f]{128}$')
);

alter table private.link_key enable row level security;

create table private.reminder_choices (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  is_agreed boolean not null,
  source text not null check (source in ('profile', 'order', 'email')),
  chosen_at timestamptz not null default now()
);

alter table private.reminder_choices enable row level security;

create function private.count_gifts(from_time timestamptz, to_time timestamptz) returns jsonb
language sql stable set search_path = '' as $$
  with placed as materialized (
    select o.id from public.orders o where o.created_at >= from_time and o.created_at < to_time
  ), gifts as materialized (
    select p.id from placed p join private.order_gifts g on g.order_id = p.id
  )
  select jsonb_build_object(
    'orders', (select count(*) from placed)
      - (select count(*) from public.orders o where o.status = 'canceled' and o.created_at >= from_time and o.created_at < to_time),
    'gifts', count(*), 'gifts_paise', coalesce(sum(o.total_amount) * 100, 0)::bigint)
  from gifts f join public.orders o on o.id = f.id where o.status <> 'canceled';
$$;

create function private.destination_again(sent public.orders) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'address_id', a.id,
    'is_own', a.id is null and exists (
      select from public.user_profiles p
      where p.user_id = sent.user_id and (btrim(p.zip), lower(btrim(p.street)), lower(btrim(p.building_no)))
        = (sent.delivery_zip, lower(sent.delivery_street), lower(sent.delivery_building_no))),
    'is_changed', coalesce((btrim(a.recipient_name), btrim(a.phone), btrim(a.building_no), btrim(a.street), btrim(a.city), btrim(a.state), btrim(a.zip))
      <> (sent.delivery_name, sent.delivery_phone, sent.delivery_building_no, sent.delivery_street, sent.delivery_city, sent.delivery_state,
          sent.delivery_zip), false),
    'is_reached', (private.zone_of(coalesce(btrim(a.zip), sent.delivery_zip))).id is not null,
    'name', coalesce(btrim(a.recipient_name), sent.delivery_name), 'phone', coalesce(btrim(a.phone), sent.delivery_phone),
    'building_no', coalesce(btrim(a.building_no), sent.delivery_building_no), 'street', coalesce(btrim(a.street), sent.delivery_street),
    'city', coalesce(btrim(a.city), sent.delivery_city), 'state', coalesce(btrim(a.state), sent.delivery_state),
    'zip', coalesce(btrim(a.zip), sent.delivery_zip))
  from (select) nothing
  left join lateral (
    select k.* from public.customer_addresses k
    left join private.checkouts c on c.order_id = sent.id
    where k.user_id = sent.user_id
      and (k.id = c.address_id
           or (lower(btrim(k.recipient_name)), btrim(k.zip), lower(btrim(k.street)), lower(btrim(k.building_no)))
              = (lower(sent.delivery_name), sent.delivery_zip, lower(sent.delivery_street), lower(sent.delivery_building_no)))
    order by k.id is not distinct from c.address_id desc, k.created_at, k.id limit 1
  ) a on true;
$$;

create function private.festivals_to_remind(at timestamptz)
returns table (festival text, year integer, starts_on date, ends_on date, order_by date)
language sql stable set search_path = '' as $$
  select f.festival, f.year, f.starts_on, f.ends_on, f.order_by
  from (
    select min(btrim(c.name)) as festival, extract(year from c.starts_on)::integer as year,
           min(c.starts_on) as starts_on, max(c.ends_on) as ends_on, min(c.order_by) as order_by
    from private.festival_cutoffs c where c.ends_on >= private.day_of(at)
    group by lower(btrim(c.name)), extract(year from c.starts_on)
  ) f, private.reminder_days() d
  where f.order_by - private.day_of(at) between d.at_least and d.at_most;
$$;

create function private.gifts_a_year_before(user_id uuid, starts_on date, ends_on date) returns setof public.orders
language sql stable set search_path = '' as $$
  select distinct on (lower(o.delivery_name), o.delivery_zip) o.*
  from public.orders o
  where o.user_id = gifts_a_year_before.user_id and o.status not in ('canceled', 'Refunded')
    and exists (select from private.order_gifts g where g.order_id = o.id)
    and coalesce(o.deliver_on, o.delivery_by, private.day_of(o.created_at))
        between (starts_on - interval '1 year')::date - 30 and (ends_on - interval '1 year')::date + 30
  order by lower(o.delivery_name), o.delivery_zip, o.created_at desc;
$$;

create function private.hmac_sha256(message text, key text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  inner_pad bytea := decode(key, 'hex');
  outer_pad bytea := inner_pad;
begin
  for place in 0..63 loop
    outer_pad := set_byte(outer_pad, place, get_byte(outer_pad, place) # 92);
    inner_pad := set_byte(inner_pad, place, get_byte(inner_pad, place) # 54);
  end loop;
  return encode(sha256(outer_pad || sha256(inner_pad || convert_to(message, 'UTF8'))), 'hex');
end $$;

create or replace function private.job_priority(kind text, payload jsonb) returns integer
language sql immutable as $$
  select case when kind <> 'mail' then 0 when payload ->> 'template' in ('back-in-stock', 'gift-reminder') then 2 else 1 end;
$$;

create function private.lines_again(order_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'product_id', i.product_id, 'name', i.product_name, 'size', i.size, 'has_size', i.has_size, 'quantity', i.quantity,
    'paise_then', (i.unit_price * 100)::bigint, 'paise_now', (p."Price" * 100)::bigint,
    'is_sold', coalesce(p.is_listed and p.archived_at is null, false),
    'is_available', coalesce(p.is_listed and p.archived_at is null and p.isavailable, false)) order by i.id), '[]')
  from public.order_items i left join public."Products" p on p."Id" = i.product_id
  where i.order_id = lines_again.order_id;
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

create function private.reminder_days(out at_most integer, out at_least integer)
language sql immutable set search_path = '' as $$ select 10, 2 $$;

create function private.reminder_facts(reminder_id uuid, site_url text) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'festival', r.festival, 'orderBy', r.order_by,
    'gifts', l.gifts, 'more', l.all_gifts - jsonb_array_length(l.gifts),
    'historyUrl', site_url || '/profile?tab=orders',
    'stopUrl', site_url || '/unsubscribe?token=' || private.stop_token(r.user_id))
  from private.gift_reminders r
  cross join lateral (
    select count(*) as all_gifts,
           coalesce(jsonb_agg(jsonb_build_object('recipient', g.delivery_name, 'city', g.delivery_city, 'items', private.summarize_items(g.id, 3))
                              order by g.place) filter (where g.place <= 20), '[]') as gifts
    from (select y.*, row_number() over (order by y.created_at, y.id) as place
          from private.gifts_a_year_before(r.user_id, r.starts_on, r.ends_on) y) g
  ) l
  where r.id = reminder_id and private.wants_reminders(r.user_id) and l.all_gifts > 0;
$$;

create function private.stop_token(user_id uuid) returns text
language sql stable set search_path = '' as $$
  select user_id || '.' || private.hmac_sha256('stop reminders of ' || user_id, k.key) from private.link_key k;
$$;

create function private.wants_reminders(user_id uuid) returns boolean
language sql stable set search_path = '' as $$
  select coalesce((select c.is_agreed from private.reminder_choices c where c.user_id = wants_reminders.user_id order by c.id desc limit 1), false);
$$;

create function public.admin_read_gift_figures(at timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  today date;
  month date;
  month_before date;
begin
  perform private.require_admin();
  today := private.day_of(at);
  month := date_trunc('month', today)::date;
  month_before := (month - interval '1 month')::date;
  return jsonb_build_object(
    'month', month, 'month_before', month_before,
    'now', private.count_gifts(private.start_of(month), at),
    -- The 31st of a month is compared with the whole of a shorter one.
    'before', private.count_gifts(private.start_of(month_before),
                                  least(private.start_of(month_before) + (at - private.start_of(month)), private.start_of(month))),
    'days', (
      select coalesce(jsonb_agg(to_jsonb(d) order by d.day), '[]')
      from (
        select coalesce(o.deliver_on, o.delivery_by) as day, count(*) as gifts, count(*) filter (where private.is_before_packing(o.status)) as to_pack
        from public.orders o
        where not private.is_finished(o.status) and coalesce(o.deliver_on, o.delivery_by) >= today
          and exists (select from private.order_gifts g where g.order_id = o.id)
        group by 1 order by 1 limit 10
      ) d));
end $$;

create function public.choose_gift_reminders(agreed boolean, source text default 'profile') returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := (select auth.uid());
begin
  if caller is null then
    raise sqlstate 'PT403' using message = 'log in to choose reminders';
  elsif agreed is null or source is null or source not in ('profile', 'order') then
    raise sqlstate 'PT400' using message = 'choose whether to be reminded';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('reminders ' || caller, 0));
  if private.wants_reminders(caller) <> agreed then
    if not private.consume_rate_limit('reminder choice', caller::text, 20, interval '1 hour') then
      raise sqlstate 'PT429' using message = 'too many changes: at most twenty an hour';
    end if;
    insert into private.reminder_choices (user_id, is_agreed, source) values (caller, agreed, choose_gift_reminders.source);
  end if;
  return public.my_gift_reminders();
end $$;

create or replace function public.my_checkout(provider_order_id text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'state', case when c.order_id is not null then 'ordered'
                  when r.id is not null then 'refunded'
                  when c.state = 'open' then 'confirming' else 'lapsed' end,
    'total_paise', q.total_paise,
    'order_id', o.id, 'number', o.number, 'delivery_by', o.delivery_by, 'deliver_on', o.deliver_on, 'missed_day', o.missed_day,
    'fulfilment', q.fulfilment, 'is_gift', exists (select from private.order_gifts g where g.order_id = o.id),
    'address', case when o.id is not null and o.fulfilment = 'delivery' then jsonb_build_array(
      o.delivery_name, o.delivery_building_no, o.delivery_street, o.delivery_city, o.delivery_state, o.delivery_zip) end,
    'items', (
      select jsonb_agg(jsonb_build_object(
        'name', i.product_name, 'image', i.product_image, 'quantity', i.quantity,
        'size', case when i.has_size then i.size end, 'line_paise', private.line_paise(i.unit_price, i.size, i.quantity)::bigint) order by i.id)
      from public.order_items i where i.order_id = o.id),
    'refund', case when r.id is not null then jsonb_build_object('reason', r.reason, 'amount_paise', r.amount_paise, 'status', r.status) end)
  from private.checkouts c
  join private.quotes q on q.id = c.quote_id
  left join public.orders o on o.id = c.order_id
  left join lateral (
    select f.* from private.payments p join private.refunds f on f.payment_id = p.payment_id
    where p.provider_order_id = c.provider_order_id and p.order_id is null
    order by f.created_at desc limit 1
  ) r on true
  where c.provider_order_id = my_checkout.provider_order_id and c.user_id = (select auth.uid());
$$;

create function public.my_gift_again(order_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('gift', to_jsonb(g) - 'order_id', 'to', private.destination_again(o), 'lines', private.lines_again(o.id))
  from public.orders o join private.order_gifts g on g.order_id = o.id
  where o.id = my_gift_again.order_id and o.user_id = (select auth.uid());
$$;

create function public.my_gift_reminders() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (select jsonb_build_object('agreed', c.is_agreed, 'since', c.chosen_at)
     from private.reminder_choices c where c.user_id = (select auth.uid()) order by c.id desc limit 1),
    jsonb_build_object('agreed', false, 'since', null));
$$;

create function public.queue_gift_reminders(at timestamptz default now()) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  queued integer;
begin
  -- Workers would wait for each other's rows: the other one does all of it.
  if not pg_try_advisory_xact_lock(hashtextextended('gift reminders', 0))
     or not exists (select from private.festivals_to_remind(at)) then
    return 0;
  end if;
  insert into private.link_key (id, key)
  select 1, encode(sha512(convert_to(string_agg(gen_random_uuid()::text, ''), 'UTF8')), 'hex') from generate_series(1, 8)
  on conflict do nothing;
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

create function public.stop_gift_reminders(token text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  person uuid;
begin
  if token is null or token !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[0-9a-f]{64}$' then
    return false;
  end if;
  person := split_part(token, '.', 1)::uuid;
  if private.stop_token(person) is distinct from token then
    return false;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('reminders ' || person, 0));
  if private.wants_reminders(person) then
    insert into private.reminder_choices (user_id, is_agreed, source) values (person, false, 'email');
  end if;
  return true;
end $$;

create index reminder_choices_user_idx on private.reminder_choices (user_id, id desc);

create trigger reminder_choices_never_change before update on private.reminder_choices
  for each row execute function private.reject_change();

revoke execute on function private.count_gifts(from_time timestamp with time zone, to_time timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.destination_again(sent orders) from public, anon, authenticated;

revoke execute on function private.festivals_to_remind(at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.gifts_a_year_before(user_id uuid, starts_on date, ends_on date) from public, anon, authenticated;

revoke execute on function private.hmac_sha256(message text, key text) from public, anon, authenticated;

revoke execute on function private.lines_again(order_id uuid) from public, anon, authenticated;

revoke execute on function private.reminder_days(OUT at_most integer, OUT at_least integer) from public, anon, authenticated;

revoke execute on function private.reminder_facts(reminder_id uuid, site_url text) from public, anon, authenticated;

revoke execute on function private.stop_token(user_id uuid) from public, anon, authenticated;

revoke execute on function private.wants_reminders(user_id uuid) from public, anon, authenticated;

revoke execute on function public.admin_read_gift_figures(at timestamp with time zone) from public, anon, authenticated;

grant execute on function public.admin_read_gift_figures(at timestamp with time zone) to authenticated;

grant execute on function public.admin_read_gift_figures(at timestamp with time zone) to service_role;

revoke execute on function public.choose_gift_reminders(agreed boolean, source text) from public, anon, authenticated;

grant execute on function public.choose_gift_reminders(agreed boolean, source text) to authenticated;

grant execute on function public.choose_gift_reminders(agreed boolean, source text) to service_role;

revoke execute on function public.my_gift_again(order_id uuid) from public, anon, authenticated;

grant execute on function public.my_gift_again(order_id uuid) to authenticated;

grant execute on function public.my_gift_again(order_id uuid) to service_role;

revoke execute on function public.my_gift_reminders() from public, anon, authenticated;

grant execute on function public.my_gift_reminders() to authenticated;

grant execute on function public.my_gift_reminders() to service_role;

revoke execute on function public.queue_gift_reminders(at timestamp with time zone) from public, anon, authenticated;

grant execute on function public.queue_gift_reminders(at timestamp with time zone) to service_role;

revoke execute on function public.stop_gift_reminders(token text) from public, anon, authenticated;

grant execute on function public.stop_gift_reminders(token text) to anon;

grant execute on function public.stop_gift_reminders(token text) to authenticated;

grant execute on function public.stop_gift_reminders(token text) to service_role;
