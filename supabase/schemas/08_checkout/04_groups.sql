-- Many recipients, one payment: prices a list of recipients, names what is wrong with it, and opens a checkout for each of them.
-- No rule of its own about prices, days, stock or holds: price_orders(), shortages() and group_hold_refusal() decide. Called with
-- the service role.
set check_function_bodies = off;

-- What is wrong with a recipient as typed, before anything is priced; null: nothing. recipient: {name, phone, building_no, street,
-- city, state, zip, note, email, delivery_on, lines}.
create function private.recipient_problem(recipient jsonb, card jsonb) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(
    (select jsonb_build_object('reason', case when k.value = '' then 'missing-field' else 'invalid-field' end, 'field', k.field)
     from unnest(array['name', 'phone', 'building_no', 'street', 'city', 'state', 'zip']) with ordinality as f (field, place)
     cross join lateral (select f.field, coalesce(btrim(recipient ->> f.field), '') as value) k
     where k.value = '' or not private.fits_address(k.field, k.value)
     order by f.place limit 1),
    case when not private.is_gift(recipient ->> 'note', 'sweets', 'x', null) then jsonb_build_object('reason', 'invalid-field', 'field', 'note')
         when not private.is_gift('', 'sweets', 'x', recipient ->> 'email') then jsonb_build_object('reason', 'invalid-field', 'field', 'email')
         when not private.is_gift('', card ->> 'motif', card ->> 'sender_name', null) then jsonb_build_object('reason', 'invalid-card') end);
$$;

-- Recipients with their quotes, which are not stored yet, or why they cannot be sent anything. Each is a parcel of its own.
create function private.price_recipients(customer_id uuid, recipients jsonb, card jsonb, at timestamptz)
returns table (place integer, recipient jsonb, quote private.quotes, rejection jsonb)
language plpgsql stable set search_path = '' as $$
begin
  return query
  select p.place, recipients -> p.place - 1, p.quote, coalesce(private.recipient_problem(recipients -> p.place - 1, card), p.rejection)
  from private.price_orders((
    select jsonb_agg(jsonb_build_object(
      'customer_id', price_recipients.customer_id, 'lines', r.value -> 'lines', 'pincode', coalesce(btrim(r.value ->> 'zip'), ''),
      'source', 'direct', 'fulfilment', 'delivery', 'delivery_on', r.value -> 'delivery_on') order by r.ordinality)
    from jsonb_array_elements(recipients) with ordinality as r), at) p;
end $$;

-- The products that are short for all quotes of a customer together, each with what is left of it and what was asked for.
create function private.group_shortages(customer_id uuid, quotes private.quotes[]) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    with wanted as materialized (
      select w.product_id, w.units, row_number() over (order by w.product_id)::integer as place
      from (select u.product_id, sum(u.units)::integer as units
            from unnest(quotes) as q, unnest(q.product_ids, q.units) as u (product_id, units) group by u.product_id) w
    )
    select coalesce(jsonb_agg(s.rejection - 'ok' || jsonb_build_object('wanted', w.units) order by w.place), '[]')
    from private.shortages(
      array(select group_shortages.customer_id from wanted w order by w.place),
      array(select jsonb_populate_record(null::private.quotes, jsonb_build_object('product_ids', jsonb_build_array(w.product_id), 'units', jsonb_build_array(w.units)))
            from wanted w order by w.place)) s
    join wanted w on w.place = s.place);
end $$;

-- A hash of prices and days, in order: what the customer saw is what is opened.
create function private.group_key(quotes private.quotes[]) returns text
language sql stable set search_path = '' as $$
  select md5(string_agg(format('%s %s %s', q.total_paise, q.shipping_paise, q.delivery_by), ',' order by q.ordinality))
  from unnest(quotes) with ordinality as q;
$$;

-- The dry run: what each recipient costs and when it arrives, or what is wrong with the row; what is short in sum; and the key with
-- which open_group() opens exactly this. `key` and total are null as long as a row is wrong. `refused`: why its stock cannot be held,
-- as far as the account decides. Stores nothing.
create function public.quote_group(customer_id uuid, recipients jsonb, card jsonb, at timestamptz default now()) returns jsonb
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

-- The result for createGroupOrder, as checkout_result().
create function private.group_result(opened private.group_orders, is_new boolean) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'ok', true, 'group_id', opened.id, 'amount_paise', opened.total_paise, 'provider_order_id', opened.provider_order_id, 'is_new', is_new,
    'name', (select b.name from private.buyers b where b.id = opened.user_id),
    'phone', (select b.phone from private.buyers b where b.id = opened.user_id),
    'email', (select u.email from auth.users u where u.id = opened.user_id),
    'shop', (select s.name from public.shop_settings s));
$$;

-- Opens a checkout for each recipient and holds all of their stock, or refuses: what is short is named. Repeated for the same
-- recipients it returns the same group, held for the full time again; a new one takes over what it shares with the customer's older
-- checkouts.
create function public.open_group(
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
  perform private.lock_offers(array[customer_id], '{}', at);
  perform private.lock_stock(array(select unnest(q.product_ids) from unnest(quotes) as q));
  short := private.group_shortages(customer_id, quotes);
  if short <> '[]' then
    return jsonb_build_object('ok', false, 'reason', 'group-is-short', 'short', short);
  end if;
  opened := private.write_group(customer_id, recipients, card, request_hash, quotes, ip_hash, at);
  return private.group_result(opened, is_new => true);
end $$;

-- Writes a group with its quotes and checkouts, and holds its stock; the caller has locked what it takes. As a hold and as an unpaid
-- checkout a group counts once: its first recipient's.
create function private.write_group(
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
  perform private.release_offers_of(array[customer_id]);
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

revoke execute on function
  public.quote_group(uuid, jsonb, jsonb, timestamptz), public.open_group(uuid, jsonb, jsonb, text, text, timestamptz)
  from public, anon, authenticated;
grant execute on function
  public.quote_group(uuid, jsonb, jsonb, timestamptz), public.open_group(uuid, jsonb, jsonb, text, text, timestamptz)
  to service_role;
