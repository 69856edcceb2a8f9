-- A group order under way: an office sends a box of sweets to forty people, and paid once, two days ago. Some chose a later day. Made by the functions that
-- a checkout calls; then the kitchen and the courier work on it up to now.

create temporary table demo_recipients as
select n as place, f.name || ' ' || l.name as name, '98' || lpad(((n * 7919 + 130363) % 100000000)::text, 8, '0') as phone, c.*,
       case n % 4 when 0 then 'शुभकामनाएँ! मिठास बनी रहे।' when 1 then 'Thank you for a good year. Sweet days ahead!'
                  when 2 then 'With our best wishes to you and your family.' else '' end as note
from generate_series(1, 40) n
join (select row_number() over () as place, name from unnest(array['Aditi', 'Rohan', 'Farah', 'Vikram', 'Nandini', 'Joseph', 'Harpreet', 'Leela']) name) f
  on f.place = 1 + n % 8
join (select row_number() over () as place, name from unnest(array['Kulkarni', 'Menon', 'Shah', 'Chatterjee', 'Pereira']) name) l on l.place = 1 + n / 8 % 5
join (values
  (0, '12, Gokhale Sadan', 'Ranade Road, Dadar West', 'Mumbai', 'Maharashtra', '400028'),
  (1, 'B-704, Palm Grove', 'Hill Road, Bandra West', 'Mumbai', 'Maharashtra', '400050'),
  (2, '3, Mayur Colony', 'Karve Road, Kothrud', 'Pune', 'Maharashtra', '411038'),
  (3, '21, Lake Terrace', '12th Main Road, Indiranagar', 'Bengaluru', 'Karnataka', '560038'),
  (4, 'C-9, Shastri Nagar', 'Tonk Road', 'Jaipur', 'Rajasthan', '302001')) c (place_of, building_no, street, city, state, zip) on c.place_of = n % 5;

-- What the kitchen made for it.
insert into public.stock_movements (product_id, quantity, reason, note)
select p."Id", 44, 'production', 'batch for a group order' from public."Products" p where p."Name" = 'Kaju Katli Silver Box';

do $$
declare
  at constant timestamptz := now() - interval '2 days 4 hours';
  payer constant uuid := (select p.user_id from public.user_profiles p join auth.users u on u.id = p.user_id
                          where u.raw_user_meta_data ->> 'full_name' = 'Harsh Vora');
  box constant bigint := (select p."Id" from public."Products" p where p."Name" = 'Kaju Katli Silver Box');
  card constant jsonb := '{"motif": "sweets", "sender_name": "Vora & Sons, Ghatkopar"}';
  recipients constant jsonb := (
    select jsonb_agg(jsonb_build_object(
      'name', r.name, 'phone', r.phone, 'building_no', r.building_no, 'street', r.street, 'city', r.city, 'state', r.state, 'zip', r.zip,
      'delivery_on', case when r.place > 24 then (
        select min(d.day) from private.delivery_days(private.zone_of(r.zip), at) d where d.reason is null and d.day >= private.day_of(now()) + 2) end,
      'note', r.note, 'email', null,
      'lines', jsonb_build_array(jsonb_build_object('product_id', box, 'quantity', 1, 'size', 500))) order by r.place)
    from demo_recipients r);
  quoted jsonb := public.quote_group(payer, recipients, card, at);
  opened jsonb := public.open_group(payer, recipients, card, quoted ->> 'key', null, at);
  group_id constant uuid := (opened ->> 'group_id')::uuid;
  packed_at constant timestamptz := least(now(), (select max(e.created_at) from public.order_events e where e.to_status = 'Packed') + interval '1 minute');
  step record;
begin
  if group_id is null then
    raise exception 'the group order of the demo could not be opened: % %', quoted, opened;
  end if;
  perform public.attach_provider_order(group_id, 'order_demogroup0001');
  perform public.settle_payment('order_demogroup0001', 'pay_demogroup0001', (opened ->> 'amount_paise')::bigint, 'INR', 'upi',
                                round((opened ->> 'amount_paise')::bigint * 0.02 * 1.18)::bigint, at => at + interval '95 seconds');
  -- The provider has reported everything.
  update private.group_orders g set next_check_at = null where g.id = group_id;
  for step in
    select s.* from (values
      ('Confirmed', 40, at + interval '5 hours'), ('Preparing', 32, at + interval '20 hours'), ('Packed', 24, packed_at),
      ('Shipped', 20, packed_at + (now() - packed_at) / 3), ('Delivered', 12, packed_at + (now() - packed_at) * 2 / 3)) s (status, up_to, moved_at)
    order by s.moved_at
  loop
    perform set_config('shop.event_at', step.moved_at::text, true);
    update public.orders o
    set status = step.status, courier = case when step.status = 'Shipped' then 'Blue Dart' else o.courier end,
        tracking_number = case when step.status = 'Shipped' then 'BD' || 7710000 + o.number else o.tracking_number end
    where o.group_id = (opened ->> 'group_id')::uuid and o.group_place <= step.up_to;
  end loop;
  -- Two came back: nobody at home, and a wrong house number.
  update public.orders o set status = 'Undelivered' where o.group_id = (opened ->> 'group_id')::uuid and o.group_place in (14, 17);
  perform set_config('shop.event_at', '', true);
end $$;
drop table demo_recipients;
