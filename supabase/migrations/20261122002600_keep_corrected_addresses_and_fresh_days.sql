-- A checkout is another one once its address was corrected, a late payment gets a day on which the sweets arrive fresh, the
-- recipient of a parcel is not taken for the customer who paid, and their email address is removed a month after the order is done.
set check_function_bodies = off;

drop function private.day_at_payment(pincode text, chosen_day date, at timestamp with time zone, OUT deliver_on date, OUT pack_on date, OUT missed_day date);

create function private.day_at_payment(
  pincode text, chosen_day date, product_ids bigint[], at timestamptz, out deliver_on date, out pack_on date, out missed_day date)
language plpgsql stable set search_path = '' as $$
declare
  zone public.delivery_zones := private.zone_of(pincode);
  shelf_life integer;
  next_day record;
begin
  if chosen_day is null then
    return;
  end if;
  if zone.id is null then
    -- The zone is gone: the longest journey there is.
    zone.max_days := 7;
  end if;
  shelf_life := (select min(p.shelf_life_days) from public."Products" p where p."Id" = any (product_ids));
  select d.day, d.pack_on into deliver_on, pack_on
  from private.delivery_days(zone, private.start_of(private.day_of(at))) d
  where d.day = chosen_day and d.pack_on is not null;
  if deliver_on is null or not private.stays_fresh(shelf_life, deliver_on - pack_on) then
    select d.day, d.pack_on, k.is_fresh into next_day
    from private.delivery_days(zone, at) d
    cross join lateral (select private.stays_fresh(shelf_life, d.day - d.pack_on) as is_fresh) k
    where d.day >= chosen_day and d.reason is null
    order by k.is_fresh desc, d.day limit 1;
    if deliver_on is null or next_day.is_fresh then
      missed_day := chosen_day;
      deliver_on := next_day.day;
      pack_on := next_day.pack_on;
    end if;
  end if;
end $$;

create or replace function private.find_openings(calls jsonb, at timestamptz) returns setof private.opening
language plpgsql stable set search_path = '' as $$
begin
  return query
  with called as materialized (
    select c.ordinality::integer as place, c.customer_id, c.ip_hash, c.address_id, c.gift, q.quote,
           case when (q.quote).id is null then 'no-quote'
                when (q.quote).total_paise <> c.amount_paise then 'amount-mismatch'
                when (q.quote).expires_at <= find_openings.at or (q.quote).pack_on < private.day_of(find_openings.at) then 'quote-expired'
                when c.quote_id is null and exists (
                  select from private.quotes o
                  where o.user_id = c.customer_id and o.total_paise = c.amount_paise and o.expires_at > find_openings.at
                    and (o.lines, o.pincode, o.source, o.fulfilment, o.deliver_on)
                        is distinct from ((q.quote).lines, (q.quote).pincode, (q.quote).source, (q.quote).fulfilment, (q.quote).deliver_on))
                  then 'ambiguous-amount' end as reason
    from rows from (jsonb_to_recordset(calls) as (
      customer_id uuid, amount_paise bigint, quote_id uuid, ip_hash text, address_id uuid, gift jsonb)) with ordinality as c
    left join lateral (
      (select o as quote from private.quotes o where o.id = c.quote_id and o.user_id = c.customer_id)
      union all
      (select o from private.quotes o
       where c.quote_id is null and o.user_id = c.customer_id and o.total_paise = c.amount_paise and o.expires_at > find_openings.at
       order by o.created_at desc, o.id limit 1)
      limit 1) q on true
  ), promised as materialized (
    select private.still_promised(array(select a.quote from called a where a.reason is null)) as ids
  )
  select a.place, a.customer_id, a.ip_hash,
         coalesce(a.reason, case when (a.quote).id <> all (p.ids) then 'quote-expired' end),
         exists (select from private.customer_records r where r.user_id = a.customer_id and r.blocked_at is not null),
         a.quote, k.checkout, b.person,
         case when l.state <> 'paid' and l.created_at > find_openings.at - interval '2 hours' then l.family_id end,
         a.address_id, nullif(a.gift, 'null')
  from called a
  cross join promised p
  left join lateral (select c as checkout from private.checkouts c where c.quote_id = (a.quote).id limit 1) k on true
  left join lateral (select private.recipient_at(b, a.address_id) as person from private.buyers b where b.id = a.customer_id limit 1) b on true
  left join lateral (select c.state, c.created_at, c.family_id from private.checkouts c where c.user_id = a.customer_id
                     order by c.created_at desc, c.id limit 1) l on true;
end $$;

create or replace function private.guard_address() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_service() and new.user_id is distinct from auth.uid() then
    raise sqlstate 'PT403' using message = 'an address cannot be given to somebody else';
  elsif tg_op = 'INSERT' then
    perform pg_advisory_xact_lock(hashtextextended('addresses ' || new.user_id, 0));
    if (select count(*) from public.customer_addresses a where a.user_id = new.user_id) >= private.most_addresses() then
      raise sqlstate 'PT409' using message = format('an address book holds at most %s addresses', private.most_addresses());
    end if;
  elsif new.user_id <> old.user_id or new.id <> old.id then
    raise sqlstate 'PT403' using message = 'an address cannot be given to somebody else';
  end if;
  if not private.is_service() then
    new.created_at := case when tg_op = 'UPDATE' then old.created_at else now() end;
    if not private.consume_rate_limit('address edit', new.user_id::text, 100, interval '1 hour') then
      raise sqlstate 'PT429' using message = 'too many changes of addresses: at most a hundred an hour';
    end if;
  end if;
  new.updated_at := now();
  return new;
end $$;

create or replace function private.guard_order_gift() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and (new.order_id, new.motif) = (old.order_id, old.motif) and new.recipient_email is null
     and ((new.note, new.sender_name) = (old.note, old.sender_name)
          or private.is_erasing() and (new.note, new.sender_name) = ('', '')) then
    return new;
  end if;
  raise sqlstate 'PT403' using message = 'rows of order_gifts are never changed or deleted';
end $$;

create or replace function private.is_other_parcel(opening private.opening) returns boolean
language sql immutable set search_path = '' as $$
  select ((opening.checkout).address_id, (opening.checkout).gift,
          (opening.checkout).delivery_name, (opening.checkout).delivery_phone, (opening.checkout).delivery_building_no,
          (opening.checkout).delivery_street, (opening.checkout).delivery_city, (opening.checkout).delivery_state,
          (opening.checkout).delivery_zip)
         is distinct from
         (opening.address_id, opening.gift,
          (opening.person).name, (opening.person).phone, (opening.person).building_no,
          (opening.person).street, (opening.person).city, (opening.person).state, (opening.person).zip);
$$;

create or replace function private.place_orders(paid_checkouts private.checkouts[], quotes private.quotes[], payments private.payments[], at timestamptz)
returns void
language plpgsql set search_path = '' as $$
begin
  perform set_config('shop.event_at', at::text, true);
  with quoted as materialized (
    select q.*, private.cutoff_window_start(q.created_at) as window_start from unnest(quotes) with ordinality as q
  ), promised as materialized (
    select k.*, c.deliver_on, c.pack_on, c.missed_day,
           case when k.chosen_day is null then private.promise_at_payment(k.pincode, k.delivery_by, k.window_start, place_orders.at)
                else c.deliver_on end as day
    from (select distinct q.pincode, q.delivery_by, q.window_start, q.deliver_on as chosen_day,
                          case when q.deliver_on is not null then q.product_ids end as product_ids from quoted q) k
    cross join lateral private.day_at_payment(k.pincode, k.chosen_day, k.product_ids, place_orders.at) c
  )
  insert into public.orders (id, user_id, payment_status, payment_id, source, fulfilment, sub_total, tax, shipping_charge,
                             total_amount, delivery_name, delivery_phone, delivery_building_no, delivery_street,
                             delivery_city, delivery_state, delivery_zip, delivery_by, created_at, updated_at,
                             deliver_on, pack_on, missed_day)
  select p.order_id, c.user_id, 'paid', p.payment_id, q.source, q.fulfilment, q.sub_total_paise / 100.0, q.tax_paise / 100.0,
         q.shipping_paise / 100.0, q.total_paise / 100.0, c.delivery_name, c.delivery_phone, c.delivery_building_no,
         c.delivery_street, c.delivery_city, c.delivery_state, c.delivery_zip,
         k.day, at, at, k.deliver_on, k.pack_on, k.missed_day
  from unnest(payments) with ordinality as p
  join unnest(paid_checkouts) with ordinality as c on c.ordinality = p.ordinality
  join quoted q on q.ordinality = p.ordinality
  left join promised k on k.pincode = q.pincode and k.window_start = q.window_start and k.delivery_by is not distinct from q.delivery_by
                      and k.chosen_day is not distinct from q.deliver_on and (k.chosen_day is null or k.product_ids = q.product_ids);
  perform private.fill_orders(array(select p.order_id from unnest(payments) with ordinality as p order by p.ordinality), quotes,
                              were_reserved => true, at => at);
  perform set_config('shop.event_at', '', true);
  -- Checked once more later: attempts that were still under way may be captured after this one. The gift is the order's now.
  update private.checkouts c
  set state = 'paid', held = '{}', order_id = p.order_id, next_check_at = at + private.late_capture_delay(), gift = null
  from unnest(payments) with ordinality as p join unnest(paid_checkouts) with ordinality as k on k.ordinality = p.ordinality
  where c.id = k.id;
  insert into private.payments select p.* from unnest(payments) as p;
  insert into private.order_gifts (order_id, note, motif, sender_name, recipient_email)
  select p.order_id, c.gift ->> 'note', c.gift ->> 'motif', c.gift ->> 'sender_name', c.gift ->> 'recipient_email'
  from unnest(payments) with ordinality as p join unnest(paid_checkouts) with ordinality as c on c.ordinality = p.ordinality
  where c.gift is not null;
end $$;

create or replace function public.admin_change_address(order_id uuid, delivery jsonb, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.orders;
  typed jsonb;
  zone public.delivery_zones;
  journey record;
  chosen record;
  spoiled jsonb;
begin
  perform private.require_admin();
  taken := private.lock_unchanged_order(order_id, seen);
  if not private.is_before_packing(taken.status) then
    perform private.reject('The address cannot change once the order is packed.');
  end if;
  typed := private.validate_delivery(delivery, taken.fulfilment);
  if taken.fulfilment = 'delivery' and typed ->> 'zip' <> taken.delivery_zip then
    zone := private.zone_of(typed ->> 'zip');
    if zone.id is null then
      perform private.reject(format('We do not deliver to %s.', typed ->> 'zip'), 'zip');
    end if;
    -- It has not left us: another place is promised a day from now on.
    select * into journey from private.promise_delivery(now(), zone.max_days);
    if journey.arrives_on is null then
      perform private.reject('The shop is closed for too long to promise a date. Change the closures first, then the address.', 'zip');
    end if;
    -- A chosen day stays if the parcel can still be there, also if something would spoil; otherwise it is the next possible one.
    -- Whoever corrects the address sees it: missed_day is for late payments.
    if taken.deliver_on is not null then
      select c.deliver_on, c.pack_on into chosen
      from private.day_at_payment(typed ->> 'zip', taken.deliver_on, '{}', now()) c;
      taken.deliver_on := chosen.deliver_on;
      taken.pack_on := chosen.pack_on;
      journey.leaves_on := coalesce(chosen.pack_on, journey.leaves_on);
      journey.arrives_on := coalesce(chosen.deliver_on, journey.arrives_on);
    end if;
    taken.delivery_by := journey.arrives_on;
    spoiled := private.products_that_spoil(array(select i.product_id from public.order_items i where i.order_id = taken.id),
                               journey.arrives_on - journey.leaves_on);
  end if;
  update public.orders o
  set delivery_name = typed ->> 'name', delivery_phone = typed ->> 'phone', delivery_building_no = typed ->> 'building_no',
      delivery_street = typed ->> 'street', delivery_city = typed ->> 'city', delivery_state = typed ->> 'state',
      delivery_zip = typed ->> 'zip', delivery_by = taken.delivery_by,
      deliver_on = taken.deliver_on, pack_on = taken.pack_on
  where o.id = taken.id returning * into taken;
  return jsonb_build_object('updated_at', taken.updated_at, 'delivery_by', taken.delivery_by, 'spoiled', coalesce(spoiled, '[]'));
end $$;

create or replace function public.admin_find_callers(phone text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  digits text := right(regexp_replace(coalesce(phone, ''), '\D', '', 'g'), 10);
begin
  perform private.require_admin();
  if char_length(digits) < 10 then
    return '[]';
  end if;
  return (
    with earlier as (
      select o.*, exists (select from private.checkouts c where c.order_id = o.id and c.address_id is not null) as is_for_other
      from public.orders o
      where right(regexp_replace(o.delivery_phone, '\D', '', 'g'), 10) = digits order by o.created_at desc limit 100
    ), known as (
      select p.user_id, private.person_name(p.user_id) as name, coalesce(p.building_no, '') as building_no,
             coalesce(p.street, '') as street, coalesce(p.city, '') as city, coalesce(p.state, '') as state,
             coalesce(p.zip, '') as zip, p.updated_at as at, 1 as place
      from public.user_profiles p where right(regexp_replace(p.phone, '\D', '', 'g'), 10) = digits
      union all
      select case when not e.is_for_other then e.user_id end, e.delivery_name, e.delivery_building_no, e.delivery_street, e.delivery_city, e.delivery_state,
             e.delivery_zip, e.created_at, 2
      from earlier e
    ), people as (
      select distinct on (coalesce(k.user_id::text, lower(k.name))) k.*
      from known k order by coalesce(k.user_id::text, lower(k.name)), k.zip = '', k.place, k.at desc
    )
    select coalesce(jsonb_agg(jsonb_build_object(
      'user_id', c.user_id, 'name', c.name, 'building_no', c.building_no, 'street', c.street, 'city', c.city, 'state', c.state,
      'zip', c.zip,
      'orders', case when c.user_id is not null then (select count(*) from public.orders o where o.user_id = c.user_id)
                     else (select count(*) from earlier e where e.user_id is null and lower(e.delivery_name) = lower(c.name)) end,
      'is_blocked', r.blocked_at is not null, 'notes', coalesce(r.notes, '')) order by c.zip = '', c.place, c.at desc), '[]')
    from (select * from people p order by p.zip = '', p.place, p.at desc limit 5) c
    left join private.customer_records r on r.user_id = c.user_id);
end $$;

create or replace function public.sweep(at timestamptz default now()) returns void
language sql security definer set search_path = '' as $$
  delete from private.checkouts c
  where c.state in ('lapsed', 'superseded') and c.created_at < at - interval '30 days'
    and not exists (select from private.payments p where p.provider_order_id = c.provider_order_id);
  delete from private.quotes q
  where q.expires_at < at - interval '1 hour' and not exists (select from private.checkouts c where c.quote_id = q.id);
  update private.order_gifts g set recipient_email = null
  where g.recipient_email is not null and exists (
    select from public.orders o
    where o.id = g.order_id and private.is_finished(o.status) and o.status_since < at - interval '30 days');
  delete from private.payment_events e where e.received_at < at - interval '30 days';
  delete from private.outbox o where o.done_at < at - interval '30 days';
  delete from private.rate_limits t where t.window_start < at - interval '1 day';
  select private.delete_unused_words();
$$;

create index order_gifts_recipient_email_idx on private.order_gifts (order_id) where recipient_email is not null;

revoke execute on function private.day_at_payment(pincode text, chosen_day date, product_ids bigint[], at timestamp with time zone, OUT deliver_on date, OUT pack_on date, OUT missed_day date) from public, anon, authenticated;

update private.checkouts c set gift = null where c.state = 'paid' and c.gift is not null;
