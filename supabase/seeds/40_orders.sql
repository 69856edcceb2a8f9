-- A year of orders up to now, with their lines and history; 45_payments.sql pays for them. Everything but the clock is fixed:
-- chance() draws the same numbers at every seeding.

-- The planner takes the draws below for far more rows than they are, and would compile them for seconds.
select set_config('jit', 'off', true);

create function pg_temp.chance(draw text) returns double precision
language sql immutable as $$
  select ('x' || substr(md5(draw), 1, 7))::bit(28)::integer / 268435456.0::float8;
$$;

-- 1. When: weekends, the weeks before Diwali, Rakhi and Holi, and a shop that grows.
create temporary table demo_slots as
with festivals (name, festival, peak) as (
  values
    ('diwali', date '2025-10-20', 2.4), ('diwali', '2026-11-08', 2.4), ('diwali', '2027-10-29', 2.4),
    ('diwali', '2028-10-17', 2.4), ('diwali', '2029-11-05', 2.4), ('diwali', '2030-10-26', 2.4),
    ('rakhi', '2025-08-09', 1.3), ('rakhi', '2026-08-28', 1.3), ('rakhi', '2027-08-17', 1.3),
    ('rakhi', '2028-08-05', 1.3), ('rakhi', '2029-08-23', 1.3), ('rakhi', '2030-08-13', 1.3),
    ('holi', '2025-03-14', 1.1), ('holi', '2026-03-04', 1.1), ('holi', '2027-03-22', 1.1),
    ('holi', '2028-03-11', 1.1), ('holi', '2029-03-01', 1.1), ('holi', '2030-03-20', 1.1)
), days as (
  select d.day::date as day, f.name as season,
         ((case extract(isodow from d.day) when 6 then 1.4 when 7 then 1.5 when 5 then 1.1 else 0.9 end)
         * (1 + coalesce(f.peak * (1 - (f.festival - d.day::date) / 30.0), 0))
         * (0.95 + 0.3 * (1 - extract(day from date_trunc('day', now() at time zone 'Asia/Kolkata') - d.day) / 365)))::float8 as busy
  from generate_series(date_trunc('day', now() at time zone 'Asia/Kolkata') - interval '364 days',
                       date_trunc('day', now() at time zone 'Asia/Kolkata'), interval '1 day') d (day)
  left join festivals f on d.day::date between f.festival - 21 and f.festival
), ranges as (
  select day, season, (sum(busy) over by_day - busy) / sum(busy) over () as low, sum(busy) over by_day / sum(busy) over () as high
  from days window by_day as (order by day)
), points as materialized ( -- materialized, or each draw would be repeated for every day it is compared with
  select n, (n - 1 + pg_temp.chance('day' || n)) / 1500 as point from generate_series(1, 1500) n
), drawn as (
  select p.n, r.season,
         (r.day + interval '1 hour' * case when pg_temp.chance('evening' || p.n) < 0.65
            then 17 + 3 * (pg_temp.chance('hour' || p.n) + pg_temp.chance('minute' || p.n))
            else 8 + 9 * pg_temp.chance('hour' || p.n) end) at time zone 'Asia/Kolkata' as at
  from points p join ranges r on p.point >= r.low and p.point < r.high
), past as (
  -- What would come later today came earlier today, or the dashboard's morning would be empty.
  select d.n, d.season, case when d.at <= now() - interval '5 minutes' then d.at
                             when t.elapsed < interval '30 minutes' then d.at - interval '1 day'
                             else t.start + (t.elapsed - interval '5 minutes') * pg_temp.chance('today' || d.n) end as at
  from drawn d
  cross join (select t.start, now() - t.start as elapsed
              from (select date_trunc('day', now(), 'Asia/Kolkata') as start) t) t
)
select n, season, at, row_number() over (order by at desc, n) as recency, 1000 + row_number() over (order by at, n desc) as number
from past;

-- 2. Who. Priya and Rahul have their own places in the row (1 is the newest order); Rahul has no address and
-- collects at the shop. Orders by phone come from people without an account; two of the newest wait to be collected.
create temporary table demo_callers (
  id integer primary key generated always as identity,
  name text, building_no text, street text, city text, state text, zip text
);
insert into demo_callers (name, building_no, street, city, state, zip) values
  ('Sudha Kamble', '14 Laxmi Chawl', 'Senapati Bapat Marg, Dadar West', 'Mumbai', 'Maharashtra', '400028'),
  ('Kekoo Printers', '3rd floor, Todi Estate', 'Sun Mill Compound, Lower Parel', 'Mumbai', 'Maharashtra', '400013'),
  ('Dinesh Rane', '6 Ganesh Krupa', 'Ranade Road, Dadar West', 'Mumbai', 'Maharashtra', '400028'),
  ('Blue Kite Studio', 'Unit 12, Raghuvanshi Mills', 'Senapati Bapat Marg, Lower Parel', 'Mumbai', 'Maharashtra', '400013'),
  ('Vasanti Prabhu', '2 Saraswat Colony', 'Santacruz West', 'Mumbai', 'Maharashtra', '400054'),
  ('Ramesh Gokhale', '1198 Sadashiv Peth', 'Tilak Road', 'Pune', 'Maharashtra', '411030'),
  ('Hill Road Dental Clinic', '1st floor, Sea Breeze', 'Hill Road, Bandra West', 'Mumbai', 'Maharashtra', '400050'),
  ('Mumtaz Ansari', '21 Gulshan Building', 'Mohammed Ali Road', 'Mumbai', 'Maharashtra', '400003'),
  ('Suman Lodha', '902 Mahavir Darshan', 'Walkeshwar Road, Malabar Hill', 'Mumbai', 'Maharashtra', '400006'),
  ('Little Banyan School', 'Plot 7', 'Sector 17, Vashi', 'Navi Mumbai', 'Maharashtra', '400703'),
  ('Anton Pereira', '55 Gaothan', 'I.C. Colony, Borivali West', 'Mumbai', 'Maharashtra', '400103'),
  ('Madhuri Phatak', '3 Indraprastha', 'Gokhale Road, Naupada', 'Thane', 'Maharashtra', '400602'),
  ('Saffron Thread Weddings', '401 Corner Point', 'S.V. Road, Khar West', 'Mumbai', 'Maharashtra', '400052'),
  ('Balasaheb Jadhav', '17 Market Yard', 'Station Road', 'Satara', 'Maharashtra', '415001'),
  ('Usha Trivedi', 'B-8 Neelkanth', 'Tilak Road, Ghatkopar East', 'Mumbai', 'Maharashtra', '400077');

create temporary table demo_orders as
with keen as (
  -- Some order often and some hardly ever; people of Mumbai order most. Only those who had joined can be drawn.
  select u.id, u.created_at as joined_at, p.zip,
         (0.6 + pg_temp.chance('keen' || u.email)) * case when p.zip like '400%' then 1.4 else 1 end as weight
  from auth.users u join public.user_profiles p on p.user_id = u.id
  where u.id > '00000000-0000-4000-a000-000000000003'
), ranges as (
  select id, joined_at, sum(weight) over (order by id) - weight as low, sum(weight) over (order by id) as high from keen
), cast_of as materialized (
  select s.*, pg_temp.chance('who' || s.n) as draw,
         case when s.recency in (2, 7, 16, 55, 130, 210, 330, 480, 640, 850, 1100, 1350) then 'priya'
              when s.recency in (34, 260, 700) then 'rahul'
              when s.recency in (4, 6, 9) or pg_temp.chance('phone' || s.n) < 0.16 then 'caller' else 'customer' end as role
  from demo_slots s
), placed as (
  select c.*,
         case c.role when 'priya' then '00000000-0000-4000-a000-000000000001'::uuid
                     when 'rahul' then '00000000-0000-4000-a000-000000000002'
                     when 'customer' then r.id end as user_id,
         case c.role when 'caller' then 1 + floor(pg_temp.chance('caller' || c.n) * 15)::integer end as caller_id
  from cast_of c
  left join lateral (select max(k.high) as joined from ranges k where k.joined_at < c.at) j on c.role = 'customer'
  left join ranges r on c.role = 'customer' and c.draw * j.joined >= r.low and c.draw * j.joined < r.high
), addressed as (
  select p.*, coalesce(m.name, u.raw_user_meta_data ->> 'full_name') as name,
         coalesce(f.phone, (9000000100 + m.id)::text, '9000000002') as phone,
         coalesce(f.building_no, m.building_no) as building_no, coalesce(f.street, m.street) as street,
         coalesce(f.city, m.city) as city, coalesce(f.state, m.state) as state, coalesce(f.zip, m.zip) as zip
  from placed p
  left join auth.users u on u.id = p.user_id
  left join public.user_profiles f on f.user_id = p.user_id
  left join demo_callers m on m.id = p.caller_id
), zones as (
  select distinct on (a.zip) a.zip, z.first_kg_charge, z.extra_kg_charge, z.min_days, z.max_days
  from (select distinct zip from addressed where zip is not null) a
  join (select d.*, unnest(d.pincode_prefixes) as prefix from public.delivery_zones d) z on starts_with(a.zip, z.prefix)
  order by a.zip, length(z.prefix) desc
), chosen as (
  select a.*, z.first_kg_charge, z.extra_kg_charge, z.min_days, z.max_days,
         case when a.role = 'rahul' or a.recency in (6, 9)
                or a.zip like '400%' and a.recency <> 20 and pg_temp.chance('pickup' || a.n) < 0.2
              then 'pickup' else 'delivery' end as fulfilment,
         case when a.role = 'caller' then 'manual' when pg_temp.chance('source' || a.n) < 0.22 then 'direct' else 'cart' end as source,
         a.role = 'caller' and pg_temp.chance('bulk' || a.n) < 0.15 as bulk
  from addressed a left join zones z on z.zip = a.zip
)
-- How it went. Trouble befalls older orders, so that the newest show the working day, with one parcel (20) that
-- nobody took in; Priya has one canceled.
select c.n, c.season, c.at, c.recency, c.number, c.role, c.user_id, c.name, c.phone, c.building_no, c.street, c.city, c.state,
       c.zip, c.first_kg_charge, c.extra_kg_charge, c.min_days, c.max_days, c.fulfilment, c.bulk,
       -- What is collected carries no shipping; the flat 40 of the cart stays true of every cart order.
       case when c.fulfilment = 'pickup' and c.source = 'cart' then 'direct' else c.source end as source,
       (substr(h.hash, 1, 12) || '4' || substr(h.hash, 14, 3) || 'a' || substr(h.hash, 18))::uuid as id,
       case when c.role = 'priya' then case when c.recency = 55 then 'canceled by customer' else 'plain' end
            when c.recency = 20 then 'second attempt'
            when c.recency <= 40 or c.role = 'rahul' then 'plain'
            when t.luck < 0.016 then 'canceled by customer'
            when t.luck < 0.026 then 'canceled once confirmed'
            when t.luck < 0.036 then 'canceled by shop'
            when c.fulfilment = 'pickup' then 'plain'
            when t.luck < 0.042 then 'given up'
            when t.luck < 0.060 then 'second attempt'
            when t.luck < 0.074 and c.source <> 'manual' then 'refunded'
            else 'plain' end as story
from chosen c,
lateral (select md5('order' || c.n) as hash) h,
lateral (select pg_temp.chance('trouble' || c.n) as luck) t;
analyze demo_orders;

-- 3. What. Nothing is sent that would not arrive fresh: what keeps for a day is collected, what keeps for a few rides across
-- Mumbai, and for longer ways something of the same kind is chosen that keeps.
create temporary table demo_lines as
with taste as (
  -- How well each product sells, in the order of the ids.
  select p."Id" as id, case p."Category" when 'Gift' then 'gift' when 'Takeaway' then 'takeaway' else 'box' end as pool,
         (array[5,4,7,4,5,3,3,6, 14,16,7,5,7,5,4,6, 12,8,8,5,6,3,4,3, 8,7,6,5,3,5, 6,5,9,6,9,10,3,6])[p."Id"] as weight
  from public."Products" p
), ranges as (
  select id, pool,
         (sum(weight) over (partition by pool order by id) - weight)::float8 / sum(weight) over (partition by pool) as low,
         (sum(weight) over (partition by pool order by id))::float8 / sum(weight) over (partition by pool) as high
  from taste
), wanted as materialized (
  select o.n, o.id as order_id, o.season, o.bulk, line, case when o.fulfilment = 'delivery' then o.max_days + (o.max_days + 5) / 6 else 0 end as travel_days, extract(month from o.at at time zone 'Asia/Kolkata') as month, pg_temp.chance(format('what%s-%s', o.n, line)) as pick,
         case when o.fulfilment = 'pickup' then 'takeaway'
              when o.bulk or p.pool < case when o.season in ('diwali', 'rakhi') then 0.34 else 0.13 end then 'gift'
              when o.zip like '400%' and p.pool > 0.88 then 'takeaway'
              else 'box' end as pool
  from demo_orders o,
  lateral (select pg_temp.chance('lines' || o.n) as many) c,
  generate_series(1, case when o.bulk or c.many < 0.30 then 1 when c.many < 0.65 then 2 when c.many < 0.88 then 3 else 4 end) line,
  lateral (select pg_temp.chance(format('pool%s-%s', o.n, line)) as pool) p
), picked as (
  -- Out of season there is no rakhi thali and no lamp hamper, and in the warm months no winter sweets.
  select w.n, w.order_id, w.line, w.bulk, w.travel_days,
         case when r.id = 38 and w.season is distinct from 'rakhi' then 36
              when r.id = 35 and w.season is distinct from 'diwali' then 34
              when w.month between 4 and 9 and r.id = 12 then 16
              when w.month between 4 and 9 and r.id = 15 then 9
              when w.month between 4 and 9 and r.id = 17 then 19
              else r.id end as product_id
  from wanted w join ranges r on r.pool = w.pool and w.pick >= r.low and w.pick < r.high
), fresh as (
  select k.n, k.order_id, k.line, k.bulk,
         case when private.stays_fresh(p.shelf_life_days, k.travel_days) then p."Id"
              else (array[3, 9, 19, 27, 32])[array_position(array['Chocolate', 'Laddu', 'Halwa', 'Takeaway', 'Gift'], p."Category")] end as product_id
  from picked k join public."Products" p on p."Id" = k.product_id
), once as (
  select distinct on (n, product_id) n, order_id, line, bulk, product_id from fresh order by n, product_id, line
)
select l.n, l.order_id, l.line, p."Id" as product_id, p."Name" as product_name, p."Image" as product_image,
       p."Price" as unit_price, p.gst_percent, p.hsn, p.weight_grams, z.size, q.quantity,
       p."Price" * z.size / 500 * q.quantity as amount
from once l
join public."Products" p on p."Id" = l.product_id,
lateral (select case when p."hasSize" and pg_temp.chance(format('size%s-%s', l.n, l.line)) < 0.45 then 1000 else 500 end as size) z,
lateral (select pg_temp.chance(format('many%s-%s', l.n, l.line)) as many) c,
lateral (
  select case when l.bulk then 5 + floor(c.many * 8)::integer
              when c.many < 0.58 then 1 when c.many < 0.84 then 2 when c.many < 0.95 then 3 else 4 end as quantity
) q;

-- 4. What happened to each: the way of the goods, step by step. The 22 newest are held at a step, newest first,
-- so that every list of the working day has something in it whatever the hour of seeding.
create temporary table demo_events as
with ways as (
  select o.*,
         case
           when o.story = 'canceled by customer' then array['Pending', 'canceled']
           when o.story = 'canceled once confirmed' then array['Pending', 'Confirmed', 'canceled']
           when o.story = 'canceled by shop' then array['Pending', 'Confirmed', 'Preparing', 'canceled']
           when o.story = 'given up' then array['Pending', 'Confirmed', 'Preparing', 'Packed', 'Shipped', 'Undelivered', 'canceled']
           when o.story = 'second attempt' then array['Pending', 'Confirmed', 'Preparing', 'Packed', 'Shipped', 'Undelivered', 'Shipped', 'Delivered']
           when o.story = 'refunded' then array['Pending', 'Confirmed', 'Preparing', 'Packed', 'Shipped', 'Delivered', 'Refunded']
           when o.fulfilment = 'pickup' then array['Pending', 'Confirmed', 'Preparing', 'Packed', 'Ready', 'Collected']
           else array['Pending', 'Confirmed', 'Preparing', 'Packed', 'Shipped', 'Delivered'] end as way,
         case when o.recency <= 5 then 1
              when o.fulfilment = 'pickup' then case when o.recency <= 12 then 5 end
              when o.recency = 20 then 6
              when o.recency <= 8 then 2 when o.recency <= 11 then 3 when o.recency <= 14 then 4 when o.recency <= 22 then 5 end as held_at
  from demo_orders o
), steps as (
  select w.n, w.id as order_id, w.at, w.recency, w.held_at, w.way, s.step, s.to_status, w.way[s.step - 1] as from_status,
         w.user_id, w.role, w.story, w.zip,
         (case
            when s.step = 1 then 0
            when w.fulfilment = 'pickup' and s.to_status = 'Collected' then 20 + 200 * c.draw
            when w.fulfilment = 'pickup' then 4 + 16 * c.draw
            when s.to_status = 'Confirmed' then 6 + 50 * c.draw
            when s.to_status = 'Preparing' then 30 + 150 * c.draw
            when s.to_status = 'Packed' then 120 + 300 * c.draw
            when s.to_status = 'Shipped' and w.way[s.step - 1] = 'Undelivered' then 1100 + 400 * c.draw
            when s.to_status = 'Shipped' then 50 + 300 * c.draw
            when s.to_status = 'Delivered' and w.way[s.step - 2] = 'Undelivered' then 200 + 300 * c.draw
            when s.to_status in ('Delivered', 'Undelivered') then 1440 * (w.min_days - 0.6 + (w.max_days - w.min_days) * c.draw)
            when s.to_status = 'Refunded' then 500 + 900 * c.draw
            when w.story = 'given up' then 1500 + 1200 * c.draw
            else 20 + 120 * c.draw end) as minutes
  from ways w,
  unnest(w.way) with ordinality s (to_status, step),
  lateral (select pg_temp.chance(format('step%s-%s', w.n, s.step)) as draw) c
  where s.step <= coalesce(w.held_at, 99)
), summed as (
  select s.*, s.at + interval '1 minute' * sum(s.minutes) over (partition by s.n order by s.step) as due_at from steps s
), timed as (
  -- Work happens between 08:00 and 21:00 Indian time. The night is squeezed into the first twenty minutes of the
  -- next morning and the day keeps its order, so that a later moment stays later.
  select s.*, case when s.step = 1 then s.at
                   else (e.evening + interval '1 hour' * case when h.hours < 11 then 11 + h.hours / 33
                                                              else 34.0 / 3 + (h.hours - 11) * 38 / 39 end) at time zone 'Asia/Kolkata' end as natural_at
  from summed s,
  lateral (select s.due_at at time zone 'Asia/Kolkata' as local) l,
  lateral (select date_trunc('day', l.local - interval '21 hours') + interval '21 hours' as evening) e,
  lateral (select extract(epoch from l.local - e.evening)::float8 / 3600 as hours) h
), happened as (
  select t.*, case when t.held_at is null then t.natural_at
                   else least(t.natural_at, t.at + (now() - t.at) * ((t.step - 1) / t.held_at::float8)) end as happened_at
  from timed t
)
select h.order_id, h.n, h.step, h.from_status, h.to_status, h.happened_at, h.role, h.story, h.user_id,
       row_number() over (partition by h.order_id order by h.step desc) = 1 as is_last,
       case when h.to_status = 'canceled' and h.story in ('canceled by customer', 'canceled once confirmed') and h.user_id is not null then 'customer'
            when h.step = 1 and h.role <> 'caller' then 'system'
            else 'administrator' end as actor_role
from happened h
where h.happened_at <= now();
analyze demo_events;

-- 5. Into the shop. The triggers that would write one 'placed now' event per order, and its invoice today, rest; the history
-- is inserted whole, and 47_invoices.sql goes by it.
alter table public.orders disable trigger orders_record_placing;
alter table public.orders disable trigger orders_inserted_as_packed;
with sums as (
  select l.order_id, sum(l.amount) as sub_total, sum(round(l.amount * l.gst_percent / 100, 2)) as tax,
         ceil(sum(l.weight_grams * l.size / 500 * l.quantity) / 1000.0) as kilos
  from demo_lines l group by l.order_id
), states as (
  select e.order_id, max(e.to_status) filter (where e.is_last) as status, max(e.happened_at) as updated_at,
         bool_or(e.to_status = 'Shipped') as shipped
  from demo_events e group by e.order_id
)
insert into public.orders (
  id, number, user_id, status, payment_status, payment_id, source, fulfilment, sub_total, tax, shipping_charge, total_amount,
  delivery_name, delivery_phone, delivery_building_no, delivery_street, delivery_city, delivery_state, delivery_zip,
  delivery_by, courier, tracking_number, tracking_url, cancel_reason, canceled_goods, created_at, updated_at)
select o.id, o.number, o.user_id, t.status,
       case when o.source = 'manual' and (t.status = 'canceled' or o.recency <= 40 and pg_temp.chance('unpaid' || o.n) < 0.4) then 'unpaid'
            when o.source = 'manual' then 'paid_offline'
            when t.status in ('canceled', 'Refunded') then 'refunded'
            else 'paid' end,
       case when o.source <> 'manual' then 'pay_demo' || substr(md5('payment' || o.n), 1, 10) end,
       o.source, o.fulfilment, s.sub_total, s.tax, c.shipping, s.sub_total + s.tax + c.shipping,
       o.name, o.phone,
       case when o.fulfilment = 'delivery' then o.building_no else '' end, case when o.fulfilment = 'delivery' then o.street else '' end,
       case when o.fulfilment = 'delivery' then o.city else '' end, case when o.fulfilment = 'delivery' then o.state else '' end,
       case when o.fulfilment = 'delivery' then o.zip else '' end,
       case when o.fulfilment = 'delivery' then j.arrives_on end,
       k.courier, k.tracking, 'https://courier.example/track/' || k.tracking,
       case o.story
         when 'canceled by shop' then (array['An item in the order had sold out', 'The customer asked us to by phone', 'The address could not be confirmed'])[1 + o.n % 3]
         when 'given up' then 'Nobody could be reached at the address'
         else case when o.role = 'caller' and t.status = 'canceled' then 'The customer called to cancel' end end,
       case when o.story = 'given up' then 'wastage' else 'stock' end,
       o.at, t.updated_at
from demo_orders o
join sums s on s.order_id = o.id
join states t on t.order_id = o.id
cross join lateral private.promise_delivery(o.at, coalesce(o.max_days, 0)) j
cross join lateral (
  select case when o.fulfilment = 'pickup' then 0 when o.source = 'cart' then 40
              else o.first_kg_charge + o.extra_kg_charge * (s.kilos - 1) end as shipping
) c
left join lateral (
  select case when o.zip like '400%' then 'Our own rider' else (array['Pavan Parcel', 'Meghdoot Express', 'Chakra Couriers'])[1 + o.n % 3] end as courier,
         case when o.zip not like '400%' then 'DEMO' || lpad(o.number::text, 8, '0') end as tracking
) k on t.shipped
order by o.number;
select setval(pg_get_serial_sequence('public.orders', 'number'), (select max(number) from public.orders));
alter table public.orders enable trigger orders_record_placing;
alter table public.orders enable trigger orders_inserted_as_packed;

insert into public.order_items (order_id, product_id, product_name, product_image, quantity, size, unit_price, gst_percent, hsn, has_size)
select l.order_id, l.product_id, l.product_name, l.product_image, l.quantity, l.size, l.unit_price, l.gst_percent, l.hsn, p."hasSize"
from demo_lines l join demo_orders o on o.id = l.order_id join public."Products" p on p."Id" = l.product_id
order by o.number, l.line;

insert into public.order_events (order_id, from_status, to_status, actor_role, public_note, created_at)
select e.order_id, e.from_status, e.to_status, e.actor_role,
       case
         when e.to_status = 'Shipped' and e.from_status = 'Undelivered' then 'Out for delivery again today.'
         when e.to_status = 'Shipped' and o.tracking_number is not null then format('Handed to %s, number %s.', o.courier, o.tracking_number)
         when e.to_status = 'Shipped' then 'Our rider is on the way.'
         when e.to_status = 'Undelivered' then 'Nobody was home. We will try again on the next working day.'
         when e.to_status = 'Ready' then 'Ready at our counter on Ranade Road, open until 9 pm.'
         when e.to_status = 'canceled' and e.actor_role = 'administrator' then coalesce(o.cancel_reason || '.', '')
         when e.to_status = 'Refunded' then 'The box was damaged on the way. We are sorry; you will get a full refund.'
         when e.to_status = 'Preparing' and e.n % 9 = 0 then 'We have started making it.'
         when e.to_status = 'Confirmed' and e.n % 7 = 0 then 'Thank you. We will pack it fresh.'
         else '' end,
       e.happened_at
from demo_events e join public.orders o on o.id = e.order_id
order by e.happened_at, e.order_id, e.step;

insert into private.order_event_actors (event_id, actor_id)
select e.id, case e.actor_role when 'customer' then o.user_id else a.user_id end
from public.order_events e
join public.orders o on o.id = e.order_id
cross join (select user_id from private.administrators limit 1) a
where e.actor_role <> 'system';

drop table demo_slots, demo_callers, demo_orders, demo_lines, demo_events;
drop function pg_temp.chance(text);
