-- A group of recipients holds all of its stock or is refused, also as the first order of an account.
set check_function_bodies = off;

alter table private.group_orders add column held_since timestamp with time zone;

alter table private.group_orders add column first_order_grams integer not null default 0;

alter table private.group_orders add constraint group_orders_first_order_grams_check CHECK ((first_order_grams >= 0));

create function private.address_holds_left(ip_hash text, at timestamptz) returns bigint
language plpgsql stable set search_path = '' as $$
begin
  return 20 + 3 * (
           select count(*) from (
             select from private.checkouts c join public.orders o on o.id = c.order_id
             where c.ip_hash = address_holds_left.ip_hash and c.state = 'paid' and private.is_payment_retained(o.status, o.payment_status)
               and c.created_at > address_holds_left.at - interval '24 hours' and c.created_at < address_holds_left.at + interval '1 minute'
             limit 100) paid) - (
           select count(*) from (
             select from private.checkouts c
             where c.ip_hash = address_holds_left.ip_hash and c.state <> 'paid' and c.had_hold
               and c.created_at > address_holds_left.at - interval '24 hours' and c.created_at < address_holds_left.at + interval '1 minute'
             limit 400) unpaid);
end $$;

create or replace function private.can_hold_stock(customer_ids uuid[], ip_hashes text[], grams integer[], at timestamptz) returns boolean[]
language plpgsql stable set search_path = '' as $$
begin
  return (
    with called as materialized (
      select a.n, a.ip_hash,
             (p.paid_at is not null or a.grams <= private.first_hold_grams()) and 2 > (
               select count(*) from private.checkouts c
               where c.user_id = a.customer_id and c.had_hold and c.state <> 'paid'
                 and c.created_at > greatest(p.paid_at, can_hold_stock.at - interval '24 hours')
                 and c.created_at < can_hold_stock.at + interval '1 minute') as by_account
      from unnest(customer_ids, ip_hashes, grams) with ordinality as a (customer_id, ip_hash, grams, n)
      cross join lateral (select private.last_retained_order(a.customer_id) as paid_at offset 0) p
    ), ip_addresses as materialized (
      select d.ip_hash, private.address_holds_left(d.ip_hash, can_hold_stock.at) as holds_left
      from (select distinct a.ip_hash from called a where a.ip_hash is not null) d
    )
    select array_agg(r.by_account and (r.ip_hash is null or r.place <= d.holds_left) order by r.n)
    from (select a.*, row_number() over (partition by a.ip_hash, a.by_account order by a.n) as place from called a) r
    left join ip_addresses d on d.ip_hash = r.ip_hash);
end $$;

create function private.first_group_grams() returns integer
language sql immutable as $$ select 50000 $$;

create function private.first_groups_grams() returns integer
language sql immutable as $$ select 100000 $$;

create function private.first_hold_grams() returns integer
language sql immutable as $$ select 5000 $$;

create function private.first_order_grams(customer_id uuid, quotes private.quotes[]) returns integer
language sql stable set search_path = '' as $$
  select case when w.grams > private.first_hold_grams() and private.last_retained_order(first_order_grams.customer_id) is null
              then w.grams else 0 end
  from (select coalesce(sum(private.grams_of(q.lines)), 0)::integer as grams from unnest(quotes) as q) w;
$$;

create function private.group_hold_refusal(customer_id uuid, quotes private.quotes[], ip_hash text, at timestamptz) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  paid_at constant timestamptz := private.last_retained_order(customer_id);
  continued constant uuid := (private.group_to_continue(customer_id, at)).id;
  grams constant bigint := (select sum(private.grams_of(q.lines)) from unnest(quotes) as q);
begin
  if paid_at is null and grams > private.first_group_grams() then
    return jsonb_build_object('ok', false, 'reason', 'first-group-too-heavy', 'limit_grams', private.first_group_grams());
  elsif 2 <= (
    select count(*) from private.checkouts c
    where c.user_id = group_hold_refusal.customer_id and c.group_place = 1 and c.had_hold and c.state <> 'paid'
      and c.group_id is distinct from continued
      and c.created_at > greatest(paid_at, group_hold_refusal.at - interval '24 hours')
      and c.created_at < group_hold_refusal.at + interval '1 minute') then
    return jsonb_build_object('ok', false, 'reason', 'too-many-unpaid-groups');
  elsif paid_at is not null then
    return null;
  elsif grams <= private.first_hold_grams() then
    return case when ip_hash is not null and continued is null and private.address_holds_left(ip_hash, at) < 1
                then jsonb_build_object('ok', false, 'reason', 'unpaid-groups-of-address') end;
  elsif exists (
    select from private.checkouts c
    where c.ip_hash = group_hold_refusal.ip_hash and c.group_place = 1 and c.had_hold and c.state <> 'paid'
      and c.group_id is distinct from continued
      and c.created_at > group_hold_refusal.at - interval '24 hours' and c.created_at < group_hold_refusal.at + interval '1 minute'
    having count(*) >= 2 or bool_or(c.reserved_until > group_hold_refusal.at and c.user_id is distinct from group_hold_refusal.customer_id)) then
    return jsonb_build_object('ok', false, 'reason', 'unpaid-groups-of-address');
  elsif grams + (
    select coalesce(sum(g.first_order_grams), 0) from private.group_orders g
    where g.user_id is distinct from group_hold_refusal.customer_id and g.first_order_grams > 0
      and g.id in (select c.group_id from private.checkouts c where c.held <> '{}')) > private.first_groups_grams() then
    return jsonb_build_object('ok', false, 'reason', 'too-many-first-groups');
  end if;
  return null;
end $$;

create or replace function private.group_result(opened private.group_orders, is_new boolean) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'ok', true, 'group_id', opened.id, 'amount_paise', opened.total_paise, 'provider_order_id', opened.provider_order_id, 'is_new', is_new,
    'name', (select b.name from private.buyers b where b.id = opened.user_id),
    'phone', (select b.phone from private.buyers b where b.id = opened.user_id),
    'email', (select u.email from auth.users u where u.id = opened.user_id),
    'shop', (select s.name from public.shop_settings s));
$$;

create function private.group_to_continue(customer_id uuid, at timestamptz) returns private.group_orders
language sql stable set search_path = '' as $$
  select g.*
  from private.group_orders g
  where g.user_id = group_to_continue.customer_id and g.state = 'open'
    and g.held_since > group_to_continue.at - private.hold_time() and g.held_since <= group_to_continue.at
    and exists (select from private.checkouts c where c.group_id = g.id and c.held <> '{}')
  order by g.created_at desc, g.id limit 1;
$$;

create function private.last_retained_order(customer_id uuid) returns timestamptz
language plpgsql stable set search_path = '' as $$
begin
  return (
    select o.created_at from public.orders o
    where o.user_id = last_retained_order.customer_id and private.is_payment_retained(o.status, o.payment_status) and o.payment_id is not null
    order by o.created_at desc, o.id desc limit 1);
end $$;

create function private.lock_group_holds(customer_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  if private.last_retained_order(customer_id) is null then
    perform pg_advisory_xact_lock(hashtextextended('groups of new accounts', 0));
  end if;
end $$;

create or replace function private.write_group(
  customer_id uuid, recipients jsonb, card jsonb, request text, quotes private.quotes[], ip_hash text, at timestamptz
) returns private.group_orders
language plpgsql set search_path = '' as $$
declare
  continued constant private.group_orders := private.group_to_continue(customer_id, at);
  opened private.group_orders;
  product_ids bigint[];
  units integer[];
  bound private.quotes[];
begin
  select array_agg(w.product_id order by w.product_id), array_agg(w.units order by w.product_id) into product_ids, units
  from (select u.product_id, sum(u.units)::integer as units
        from unnest(quotes) as q, unnest(q.product_ids, q.units) as u (product_id, units) group by u.product_id) w;
  -- What older checkouts hold of the same products is reserved already, and moves to the new ones.
  update public.stock_levels s set reserved = s.reserved + greatest(n.units - private.held_units(customer_id, n.product_id), 0)
  from unnest(product_ids, units) as n (product_id, units)
  where s.product_id = n.product_id;
  perform private.take_from_holds(customer_id, '{}', product_ids, units);
  update private.checkouts c set state = 'superseded' where c.state = 'open' and c.user_id = write_group.customer_id;
  -- The rest of an older group is free: an account holds one group at a time.
  perform private.release_stock(array(
    select c.id from private.checkouts c where c.user_id = write_group.customer_id and c.group_id is not null and c.held <> '{}'));
  update private.checkouts c set had_hold = false where c.group_id = continued.id;
  insert into private.group_orders (user_id, family_id, recipients, total_paise, contents, request, next_check_at, created_at,
                                    held_since, first_order_grams)
  select write_group.customer_id,
         coalesce((select l.family_id from (
           select g.* from private.group_orders g where g.user_id = write_group.customer_id order by g.created_at desc, g.id limit 1) l
           where l.state = 'open' and l.created_at > at - interval '2 hours'), gen_random_uuid()),
         count(*), sum(q.total_paise), md5(string_agg(private.quote_contents(q.lines)::text, ' ' order by private.quote_contents(q.lines)::text)),
         write_group.request, at + private.check_interval(at, at), at, coalesce(continued.held_since, at),
         private.first_order_grams(write_group.customer_id, quotes)
  from unnest(quotes) as q
  returning * into opened;
  -- Expired at once: only this group uses them.
  bound := array(
    select jsonb_populate_record(q.quote, jsonb_build_object('id', gen_random_uuid(), 'expires_at', at))
    from rows from (unnest(quotes)) with ordinality as u cross join lateral (select quotes[u.ordinality] as quote) q order by u.ordinality);
  insert into private.quotes select q.* from unnest(bound) as q;
  insert into private.checkouts (quote_id, user_id, family_id, delivery_name, delivery_phone, delivery_building_no, delivery_street,
                                 delivery_city, delivery_state, delivery_zip, held, had_hold, ip_hash, reserved_until, created_at, gift,
                                 group_id, group_place)
  select q.id, write_group.customer_id, opened.id, btrim(r.value ->> 'name'), btrim(r.value ->> 'phone'), btrim(r.value ->> 'building_no'),
         btrim(r.value ->> 'street'), btrim(r.value ->> 'city'), btrim(r.value ->> 'state'), btrim(r.value ->> 'zip'),
         q.units, q.ordinality = 1, case when q.ordinality = 1 then write_group.ip_hash end,
         at + private.hold_time(), at,
         jsonb_build_object('note', r.value ->> 'note', 'motif', card ->> 'motif', 'sender_name', card ->> 'sender_name',
                            'recipient_email', r.value ->> 'email'),
         opened.id, q.ordinality
  from unnest(bound) with ordinality as q
  join jsonb_array_elements(recipients) with ordinality as r on r.ordinality = q.ordinality;
  return opened;
end $$;

create or replace function public.open_group(
  customer_id uuid, recipients jsonb, card jsonb, key text, ip_hash text default null, at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  request_hash constant text := md5(jsonb_build_array(recipients, card, key)::text);
  quotes private.quotes[];
  rejected jsonb;
  refused jsonb;
  short jsonb;
  opened private.group_orders;
begin
  -- No flush: attach_provider_order() commits, and flushes this, before anyone can pay.
  perform set_config('synchronous_commit', 'off', true);
  perform private.lock_checkouts(array[customer_id]);
  select g.* into opened from private.group_orders g
  where g.user_id = customer_id and g.request = request_hash and g.state = 'open'
    and g.held_since > at - private.hold_time() and g.held_since <= at
    and not exists (select from private.checkouts c where c.group_id = g.id and c.state <> 'open')
  order by g.created_at desc limit 1;
  if opened.id is not null then
    update private.checkouts c set reserved_until = at + private.hold_time() where c.group_id = opened.id;
    return private.group_result(opened, is_new => false);
  elsif not private.consume_rate_limit('checkout', customer_id::text, 5, interval '1 minute', at) then
    return jsonb_build_object('ok', false, 'reason', 'too-many-checkouts');
  elsif exists (select from private.customer_records r where r.user_id = customer_id and r.blocked_at is not null) then
    return jsonb_build_object('ok', false, 'reason', 'blocked');
  end if;
  select array_agg(p.quote order by p.place), jsonb_agg(p.rejection || jsonb_build_object('place', p.place) order by p.place)
                                                filter (where p.rejection is not null)
  into quotes, rejected from private.price_recipients(customer_id, recipients, card, at) p;
  if rejected is not null then
    return jsonb_build_object('ok', false, 'reason', 'wrong-rows', 'rows', rejected);
  elsif private.group_key(quotes) is distinct from key then
    return jsonb_build_object('ok', false, 'reason', 'prices-changed');
  end if;
  perform private.lock_group_holds(customer_id);
  refused := private.group_hold_refusal(customer_id, quotes, ip_hash, at);
  if refused is not null then
    return refused;
  end if;
  perform private.lock_stock(array(select unnest(q.product_ids) from unnest(quotes) as q));
  short := private.group_shortages(customer_id, quotes);
  if short <> '[]' then
    return jsonb_build_object('ok', false, 'reason', 'group-is-short', 'short', short);
  end if;
  opened := private.write_group(customer_id, recipients, card, request_hash, quotes, ip_hash, at);
  return private.group_result(opened, is_new => true);
end $$;

create or replace function public.quote_group(customer_id uuid, recipients jsonb, card jsonb, at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  rows jsonb;
  quotes private.quotes[];
  is_whole boolean;
begin
  if not private.consume_rate_limit('group quote', customer_id::text, 30, interval '1 minute', at) then
    return jsonb_build_object('ok', false, 'reason', 'too-many-quotes');
  end if;
  select jsonb_agg(case when p.rejection is null then jsonb_build_object(
           'place', p.place, 'ok', true, 'sub_total_paise', (p.quote).sub_total_paise, 'tax_paise', (p.quote).tax_paise,
           'shipping_paise', (p.quote).shipping_paise, 'total_paise', (p.quote).total_paise, 'delivery_by', (p.quote).delivery_by)
         else p.rejection || jsonb_build_object('place', p.place, 'ok', false) end order by p.place),
         array_agg(p.quote order by p.place) filter (where p.rejection is null), bool_and(p.rejection is null)
  into rows, quotes, is_whole
  from private.price_recipients(customer_id, recipients, card, at) p;
  return jsonb_build_object(
    'ok', true, 'rows', rows, 'short', case when quotes is null then '[]' else private.group_shortages(customer_id, quotes) end,
    'refused', case when is_whole then private.group_hold_refusal(customer_id, quotes, null, at) end,
    'key', case when is_whole then private.group_key(quotes) end,
    'total_paise', (select coalesce(sum(q.total_paise), 0) from unnest(quotes) as q));
end $$;

revoke execute on function private.address_holds_left(ip_hash text, at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.first_group_grams() from public, anon, authenticated;

revoke execute on function private.first_groups_grams() from public, anon, authenticated;

revoke execute on function private.first_hold_grams() from public, anon, authenticated;

revoke execute on function private.first_order_grams(customer_id uuid, quotes private.quotes[]) from public, anon, authenticated;

revoke execute on function private.group_hold_refusal(customer_id uuid, quotes private.quotes[], ip_hash text, at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.group_to_continue(customer_id uuid, at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.last_retained_order(customer_id uuid) from public, anon, authenticated;

revoke execute on function private.lock_group_holds(customer_id uuid) from public, anon, authenticated;

create or replace function public.my_group(reference text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', g.id, 'recipients', g.recipients, 'total_paise', g.total_paise, 'created_at', g.created_at,
    'state', case when g.state = 'paid' then 'ordered' when r.id is not null then 'refunded'
                  when exists (select from private.checkouts c where c.group_id = g.id and c.state = 'open') then 'confirming' else 'lapsed' end,
    'refund', case when g.state = 'open' and r.id is not null
                   then jsonb_build_object('reason', r.reason, 'amount_paise', r.amount_paise, 'status', r.status) end,
    'orders', coalesce((
      select jsonb_agg(private.group_member(o) order by o.group_place) from public.orders o where o.group_id = g.id), '[]'),
    'documents', private.documents_of(array(select o.id from public.orders o where o.group_id = g.id)),
    -- What all recipients get together.
    'items', (
      select coalesce(jsonb_agg(to_jsonb(i) - 'first_id' order by i.first_id), '[]')
      from (
        select i.product_name as name, i.product_image as image, case when i.has_size then i.size end as size,
               sum(i.quantity)::integer as quantity, sum(private.line_paise(i.unit_price, i.size, i.quantity))::bigint as line_paise,
               min(i.id) as first_id
        from public.orders o join public.order_items i on i.order_id = o.id
        where o.group_id = g.id group by 1, 2, 3
      ) i))
  from private.group_orders g
  left join lateral (
    select f.* from private.payments p join private.refunds f on f.payment_id = p.payment_id
    where p.provider_order_id = g.provider_order_id and p.group_id is null
    order by f.created_at desc limit 1
  ) r on true
  where g.user_id = (select auth.uid()) and (g.provider_order_id = my_group.reference or g.id::text = my_group.reference);
$$;

create or replace function private.order_conditions(f private.order_filter, at timestamptz) returns text[]
language plpgsql stable set search_path = '' as $$
declare
  conditions text[] := '{}';
  digits constant text := private.phone_digits(f.phone);
begin
  if f.ids is not null then
    conditions := conditions || format('o.id = any (%L::uuid[])', f.ids);
  end if;
  if f.number is not null then
    conditions := conditions || format('o.number = %L::bigint', f.number);
  end if;
  if f.user_id is not null then
    conditions := conditions || format('o.user_id = %L::uuid', f.user_id);
  end if;
  if f.placed_from is not null then
    conditions := conditions || format('o.created_at >= %L::timestamptz', private.start_of(f.placed_from));
  end if;
  if f.placed_to is not null then
    conditions := conditions || format('o.created_at < %L::timestamptz', private.start_of(f.placed_to + 1));
  end if;
  if digits <> '' then
    conditions := conditions || format('%s and '' '' || translate(o.delivery_phone, ''+- ()'', '''') like %L',
                                       private.name_or_phone_condition(digits), private.word_pattern(digits));
  end if;
  if f.pincode is not null then
    -- The same as like, and an index needs nothing but it: pincodes are figures, and after those comes the colon.
    conditions := conditions || format('o.delivery_zip ~>=~ %L and o.delivery_zip ~<~ %L', f.pincode, f.pincode || ':');
  end if;
  if f.total_min_paise is not null then
    conditions := conditions || format('o.total_amount >= %L::numeric', f.total_min_paise / 100.0);
  end if;
  if f.total_max_paise is not null then
    conditions := conditions || format('o.total_amount <= %L::numeric', f.total_max_paise / 100.0);
  end if;
  if cardinality(f.payment) > 0 then
    conditions := conditions || format('o.payment_status = any (%L::text[])', f.payment);
  end if;
  if cardinality(f.status) > 0 then
    conditions := conditions || format('o.status = any (%L::text[])', f.status);
  end if;
  if f.is_open or f.waiting_hours is not null then
    conditions := conditions || text 'not private.is_finished(o.status)';
  end if;
  if f.waiting_hours is not null then
    -- An order for a later day waits from its packing day on.
    conditions := conditions || format('o.status_since <= %L::timestamptz and coalesce(private.start_of(o.pack_on) <= %1$L::timestamptz, true)',
                                       at - f.waiting_hours * interval '1 hour');
  end if;
  if f.has_chosen_day then
    conditions := conditions || text 'o.pack_on is not null';
  end if;
  if f.pack_from is not null then
    conditions := conditions || format('o.pack_on >= %L::date', f.pack_from);
  end if;
  if f.pack_to is not null then
    conditions := conditions || format('o.pack_on <= %L::date', f.pack_to);
  end if;
  if f.source is not null then
    conditions := conditions || case f.source
      when 'group' then text 'o.group_id is not null'
      when 'direct' then 'o.source = ''direct'' and o.group_id is null'
      else format('o.source = %L', f.source) end;
  end if;
  if f.fulfilment is not null then
    conditions := conditions || format('o.fulfilment = %L', f.fulfilment);
  end if;
  conditions := conditions || case f.todo
    when 'unconfirmed' then array['o.status = ''Pending''']
    when 'pack-today' then array[format('o.status in (''Confirmed'', ''Preparing'') and private.is_due_today(o, %L)', at)]
    when 'pack-later' then array[format('private.is_before_packing(o.status) and o.pack_on > %L::date', private.day_of(at))]
    when 'to-collect' then array['private.is_to_collect(o.status, o.payment_status)']
    when 'undelivered' then array['o.status = ''Undelivered''']
    when 'give-back' then array['private.is_refund_due(o.status, o.payment_status)']
    else '{}' end;
  return conditions;
end $$;

create or replace function private.order_head(told public.orders) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', told.id, 'number', told.number, 'status', told.status, 'payment_status', told.payment_status, 'source', private.source_of(told),
    'fulfilment', told.fulfilment, 'placed_at', told.created_at, 'updated_at', told.updated_at, 'delivery_by', told.delivery_by,
    'deliver_on', told.deliver_on, 'pack_on', told.pack_on, 'missed_day', told.missed_day,
    'sub_total_paise', (told.sub_total * 100)::bigint, 'tax_paise', (told.tax * 100)::bigint,
    'shipping_paise', (told.shipping_charge * 100)::bigint, 'shipping_tax_paise', private.order_shipping_tax(told),
    'total_paise', (told.total_amount * 100)::bigint,
    'delivery', jsonb_build_object(
      'name', told.delivery_name, 'phone', told.delivery_phone, 'building_no', told.delivery_building_no,
      'street', told.delivery_street, 'city', told.delivery_city, 'state', told.delivery_state, 'zip', told.delivery_zip),
    'courier', told.courier, 'tracking_number', told.tracking_number, 'tracking_url', nullif(told.tracking_url, ''),
    'cancel_reason', told.cancel_reason, 'canceled_goods', told.canceled_goods, 'offline_method', told.offline_method,
    'gift', private.gift_of_order(told.id), 'group', private.group_of_order(told));
$$;

create or replace function private.order_row(told public.orders, at timestamptz) returns json
language sql stable set search_path = '' as $$
  select json_build_object(
    'id', told.id, 'number', told.number, 'placed_at', told.created_at, 'name', told.delivery_name, 'phone', told.delivery_phone,
    'pincode', told.delivery_zip, 'city', told.delivery_city, 'items', private.summarize_items(told.id, 3),
    'total_paise', (told.total_amount * 100)::bigint, 'payment_status', told.payment_status, 'status', told.status,
    'status_since', told.status_since, 'fulfilment', told.fulfilment, 'source', private.source_of(told), 'delivery_by', told.delivery_by,
    'is_gift', exists (select from private.order_gifts g where g.order_id = told.id),
    'deliver_on', told.deliver_on, 'pack_on', told.pack_on, 'missed_day', told.missed_day,
    'refund_due_on', (select d.due_on from private.refunds_due() d where d.order_id = told.id),
    'is_due', told.status in ('Confirmed', 'Preparing') and private.is_due_today(told, at), 'updated_at', told.updated_at,
    'group', private.group_of_order(told));
$$;

create function private.source_of(told public.orders) returns text
language sql immutable as $$ select case when told.group_id is null then told.source else 'group' end $$;

create or replace function public.export_orders(filter jsonb, after jsonb, at timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 1000;
  sources text[] := private.order_sources(private.read_order_filter(filter), at);
  beyond text := case when after is null then 'true' else private.cursor_condition('created_at', 'timestamptz', 'asc', after) end;
  answer jsonb;
begin
  execute format($q$
    select jsonb_build_object(
      'rows', coalesce(jsonb_agg(jsonb_build_array(
        o.number, to_char(o.created_at at time zone 'Asia/Kolkata', 'YYYY-MM-DD HH24:MI'), o.delivery_name, o.delivery_phone,
        nullif(o.delivery_building_no, ''), nullif(o.delivery_street, ''), nullif(o.delivery_city, ''), nullif(o.delivery_state, ''),
        nullif(o.delivery_zip, ''), private.summarize_items(o.id), o.sub_total::text, o.tax::text, o.shipping_charge::text, o.total_amount::text,
        to_char(coalesce(r.paise, 0) / 100.0, 'FM999999999990.00'), o.payment_status, o.payment_id, o.status,
        to_char(o.status_since at time zone 'Asia/Kolkata', 'YYYY-MM-DD HH24:MI'), private.source_of(o), o.fulfilment, o.courier,
        o.tracking_number, o.cancel_reason) order by k.key, k.id), '[]'),
      'next', case when count(*) = $1 then jsonb_build_object('key', max(k.key), 'id', (array_agg(k.id order by k.key desc, k.id desc))[1]) end)
    from (%s) k
    join public.orders o on o.id = k.id
    left join lateral (select sum(f.amount_paise) as paise from private.refunds f where f.order_id = o.id and f.status = 'processed') r on true$q$,
    private.order_page(sources, 'created_at', 'asc', format('o.created_at <= %L::timestamptz and %s', at, beyond), page_size))
  into answer using page_size;
  return answer;
end $$;

create index orders_of_groups_idx on public.orders (created_at desc, id desc) where group_id is not null;

revoke execute on function private.source_of(told orders) from public, anon, authenticated;

-- What was stored before is cleaned, so that its owners can still change the rest of the row.
update public.user_profiles p
set full_name = btrim(regexp_replace(p.full_name, c.control, ' ', 'g')), building_no = btrim(regexp_replace(p.building_no, c.control, ' ', 'g')),
    street = btrim(regexp_replace(p.street, c.control, ' ', 'g')), city = btrim(regexp_replace(p.city, c.control, ' ', 'g')),
    state = btrim(regexp_replace(p.state, c.control, ' ', 'g'))
from (select '[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+' as control) c
where concat(p.full_name, p.building_no, p.street, p.city, p.state) ~ c.control;
update public.customer_addresses a
set recipient_name = btrim(regexp_replace(a.recipient_name, c.control, ' ', 'g')),
    building_no = btrim(regexp_replace(a.building_no, c.control, ' ', 'g')), street = btrim(regexp_replace(a.street, c.control, ' ', 'g')),
    city = btrim(regexp_replace(a.city, c.control, ' ', 'g')), state = btrim(regexp_replace(a.state, c.control, ' ', 'g'))
from (select '[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+' as control) c
where concat(a.recipient_name, a.building_no, a.street, a.city, a.state) ~ c.control;

create or replace function private.fits_address(part text, value text) returns boolean
language sql immutable as $$
  select case part
    when 'name' then char_length(value) <= 80
    when 'phone' then value ~ '^((\+91[ -]?)?[6-9][0-9]{9})?$'
    when 'building_no' then char_length(value) <= 120
    when 'street' then char_length(value) <= 200
    when 'city' then char_length(value) <= 80
    when 'state' then char_length(value) <= 80
    when 'zip' then value ~ '^([1-9][0-9]{5})?$'
    else false end and private.is_printable(value);
$$;

create or replace function private.is_gift(note text, motif text, sender_name text, recipient_email text) returns boolean
language sql immutable set search_path = '' as $$
  select coalesce(
    char_length(note) <= 300 and private.is_printable(replace(note, E'\n', ''))
    and char_length(note) - char_length(replace(note, E'\n', '')) <= 9
    and motif in ('diwali', 'rakhi', 'wedding', 'holi', 'sweets')
    and char_length(sender_name) <= 60 and not private.is_blank(sender_name)
    and private.is_printable(sender_name), false)
    and (recipient_email is null
         or char_length(recipient_email) <= 254 and recipient_email ~ '^[A-Za-z0-9.!#$%&''*+/=?^_`{|}~-]{1,64}@([A-Za-z0-9-]+\.)+[A-Za-z0-9-]{2,}$');
$$;

create function private.is_printable(words text) returns boolean
language sql immutable as $$
  select words !~ '[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]';
$$;

revoke execute on function private.is_printable(words text) from public, anon, authenticated;

grant execute on function private.is_printable(words text) to public;
