-- Fills a migrated database for tests/support/many-rows.ts: settings many.orders, many.customers, many.products and
-- many.days say how much, and over how long. Set by set; chance() draws the same numbers at every filling.
select set_config('jit', 'off', true), set_config('work_mem', '128MB', true), set_config('maintenance_work_mem', '256MB', true), set_config('synchronous_commit', 'off', true);

create function pg_temp.chance(n bigint, draw integer) returns double precision
language sql immutable as $$
  select (hashint8extended(n, draw) & 2147483647) / 2147483648.0::float8;
$$;
create function pg_temp.wanted(what text) returns bigint
language sql stable as $$
  select current_setting('many.' || what)::bigint;
$$;
create function pg_temp.pick(list text[], n bigint, draw integer) returns text
language sql immutable as $$
  select list[1 + floor(pg_temp.chance(n, draw) * cardinality(list))::integer];
$$;

-- 1. Products, with the shop's own triggers: there are few enough. Some of the first are with saffron: a search for it finds
-- a page full in a small shop too, and takes as long there for what it shows.
create temporary table many_products as
with names as (
  select row_number() over (order by f = 'Kesar' and md5(m || s) < '12' desc, md5(s || f || m)) as n, format('%s %s %s', s, f, m) as name, m as made_of
  from unnest(array['Royal', 'Heritage', 'Festive', 'Classic', 'Mewar', 'Banarasi', 'Kolhapuri', 'Nagpur', 'Malabar', 'Awadhi']) s,
       unnest(array['Kesar', 'Pista', 'Badam', 'Kaju', 'Anjeer', 'Gulkand', 'Elaichi', 'Coconut', 'Jaggery', 'Mango',
                    'Til', 'Khajur', 'Makhana', 'Rose', 'Chironji']) f,
       unnest(array['Halwa', 'Laddu', 'Barfi', 'Katli', 'Peda', 'Truffle', 'Chikki', 'Sandesh', 'Modak', 'Samosa',
                    'Kachori', 'Hamper', 'Thali', 'Mysore Pak', 'Ghevar', 'Rasmalai']) m
), added as (
  insert into public."Products" ("Name", "Price", "Category", "hasSize", food_mark, ingredients, allergens, shelf_life_days, storage,
                                 is_listed, created_at)
  select n.name, 80 + (n.n * 37 % 90) * 10,
         case when n.made_of = 'Halwa' then 'Halwa' when n.made_of = 'Truffle' then 'Chocolate'
              when n.made_of in ('Samosa', 'Kachori') then 'Takeaway' when n.made_of in ('Hamper', 'Thali') then 'Gift' else 'Laddu' end,
         n.made_of not in ('Truffle', 'Samosa', 'Kachori', 'Hamper', 'Thali'),
         'veg', 'Milk, sugar, ghee', 'Milk', 30, 'Cool and dry', true, now() - interval '3 years'
  from names n where n.n <= pg_temp.wanted('products') order by n.n
  returning "Id", "Name", "Price", "hasSize"
)
select row_number() over (order by "Id") - 1 as place, "Id" as id, "Name" as name, "Price" as price, "hasSize" as has_size from added;
analyze many_products;
insert into private.product_costs (product_id, valid_from, unit_cost)
select p.id, now() - interval '3 years', round(p.price * 0.45, 2) from many_products p where p.place % 10 <> 9;

-- 2. Customers, one name more common than the others. From here on past the triggers, and without the indexes, which are
-- made again at the end at once.
select set_config('session_replication_role', 'replica', true);
create temporary table many_indexes as
select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
from pg_index i
where i.indrelid = any (array['public.user_profiles', 'public.orders', 'public.order_items', 'public.order_events', 'private.payments',
                              'private.refunds', 'private.placed_items', 'public.stock_movements', 'private.invoices', 'private.credit_notes']::regclass[])
  and not i.indisunique;
do $$
declare
  dropped text;
begin
  for dropped in select name from many_indexes loop
    execute 'drop index ' || dropped;
  end loop;
end $$;
create temporary table many_customers as
select n, md5('many customer ' || n)::uuid as id,
       pg_temp.pick(array['Aarav', 'Aditi', 'Ananya', 'Arjun', 'Bhavna', 'Chetan', 'Deepa', 'Devika', 'Farhan', 'Gauri', 'Harsh', 'Ishaan',
         'Jaya', 'Kabir', 'Kavita', 'Lakshmi', 'Manish', 'Meena', 'Meena', 'Mohan', 'Nandini', 'Neeraj', 'Omkar', 'Pallavi', 'Pooja', 'Pranav',
         'Priya', 'Rahul', 'Rekha', 'Ritu', 'Rohan', 'Sakshi', 'Salim', 'Sanjay', 'Shreya', 'Sneha', 'Sunil', 'Tanvi', 'Usha', 'Varun', 'Zoya'], n, 1)
       || ' ' ||
       pg_temp.pick(array['Agarwal', 'Ansari', 'Apte', 'Bansal', 'Bhat', 'Chauhan', 'Chopra', 'Das', 'Deshmukh', 'Dsouza', 'Fernandes',
         'Gandhi', 'Ghosh', 'Gokhale', 'Gupta', 'Iyer', 'Jadhav', 'Jain', 'Joshi', 'Kapoor', 'Khan', 'Kulkarni', 'Kumar', 'Mehta', 'Menon',
         'Mishra', 'Mukherjee', 'Naik', 'Nair', 'Pandey', 'Patel', 'Patil', 'Pillai', 'Rao', 'Reddy', 'Saxena', 'Shah', 'Sharma', 'Shetty',
         'Singh', 'Sinha', 'Thakur', 'Trivedi', 'Varma', 'Wagle', 'Yadav'], n, 2) as name,
       (6000000000 + floor(pg_temp.chance(n, 3) * 4000000000))::bigint::text as phone,
       (array['Mumbai', 'Pune', 'Delhi', 'Bengaluru', 'Jaipur', 'Kolkata', 'Ahmedabad', 'Nagpur'])[place] as city,
       (array['Maharashtra', 'Maharashtra', 'Delhi', 'Karnataka', 'Rajasthan', 'West Bengal', 'Gujarat', 'Maharashtra'])[place] as state,
       (array['400', '411', '110', '560', '302', '700', '380', '440'])[place] || lpad(floor(pg_temp.chance(n, 4) * 100)::text, 3, '0') as zip,
       1 + floor(pg_temp.chance(n, 5) * 40)::integer as flat
from generate_series(1, pg_temp.wanted('customers')) n,
lateral (select case when pg_temp.chance(n, 6) < 0.45 then 1 else 2 + floor(pg_temp.chance(n, 7) * 7)::integer end as place) c;
insert into auth.users (id, email, raw_user_meta_data, created_at, updated_at)
select c.id, 'many-' || c.n || '@example.com', jsonb_build_object('full_name', c.name), now() - interval '2 years', now() - interval '2 years'
from many_customers c;
insert into public.user_profiles (user_id, phone, building_no, street, city, state, zip, created_at, updated_at)
select c.id, c.phone, c.flat || ' Shanti Niwas', 'Station Road', c.city, c.state, c.zip, now() - interval '2 years', now() - interval '2 years'
from many_customers c;

-- 3. Orders: evenly over the days, number by number. The last days' are still on their way. Of those who order by phone some
-- pay later: what is unpaid fills a page in a small shop too.
create temporary table many_orders as
with placed as (
  select n, md5('many order ' || n)::uuid as id,
         now() - pg_temp.wanted('days') * interval '1 day' * ((pg_temp.wanted('orders') - n + pg_temp.chance(n, 11)) / pg_temp.wanted('orders')) as at,
         1 + floor(pg_temp.wanted('customers') * power(pg_temp.chance(n, 12), 1.5))::bigint as customer,
         pg_temp.chance(n, 13) as luck,
         case when pg_temp.chance(n, 14) < 0.08 then 'manual' when pg_temp.chance(n, 15) < 0.25 then 'direct' else 'cart' end as source,
         case when pg_temp.chance(n, 16) < 0.1 then 'pickup' else 'delivery' end as fulfilment
  from generate_series(1, pg_temp.wanted('orders')) n
), ways as (
  select p.*,
         case when p.luck < 0.03 then array['Pending', 'Confirmed', 'canceled']
              when p.fulfilment = 'pickup' and p.luck < 0.04 and p.source <> 'manual' then array['Pending', 'Confirmed', 'Preparing', 'Packed', 'Ready', 'Collected', 'Refunded']
              when p.fulfilment = 'pickup' then array['Pending', 'Confirmed', 'Preparing', 'Packed', 'Ready', 'Collected']
              when p.luck < 0.04 and p.source <> 'manual' then array['Pending', 'Confirmed', 'Preparing', 'Packed', 'Shipped', 'Delivered', 'Refunded']
              when p.luck < 0.06 then array['Pending', 'Confirmed', 'Preparing', 'Packed', 'Shipped', 'Undelivered', 'Shipped', 'Delivered']
              else array['Pending', 'Confirmed', 'Preparing', 'Packed', 'Shipped', 'Delivered'] end as way
  from placed p
)
-- A step every three hours, the last one (a delivery, mostly) after two days.
select w.*, (select count(*) from generate_series(1, cardinality(w.way)) s
             where w.at + interval '1 hour' * (3 * (s - 1) + case when s = cardinality(w.way) then 36 else 0 end) <= now())::integer as steps,
       (select coalesce(max(o.number), 1000) from public.orders o) + w.n as number
from ways w;
analyze many_orders;
create temporary table many_lines as
select distinct on (o.n, p.id) o.n, o.id as order_id, o.at, p.id as product_id, p.name, p.price, p.has_size,
       case when p.has_size and pg_temp.chance(o.n * 8 + line, 22) < 0.4 then 1000 else 500 end as size,
       1 + floor(3 * power(pg_temp.chance(o.n * 8 + line, 23), 3))::integer as quantity
from many_orders o
cross join lateral generate_series(1, 1 + floor(3 * power(pg_temp.chance(o.n, 21), 1.4))::integer) line
join many_products p on p.place = floor(pg_temp.wanted('products') * power(pg_temp.chance(o.n * 8 + line, 24), 2))::bigint
order by o.n, p.id;
analyze many_lines;

with sums as (
  select l.n, sum(l.price * l.size / 500 * l.quantity) as sub_total, sum(round(l.price * l.size / 500 * l.quantity * 0.05, 2)) as tax
  from many_lines l group by l.n
), states as (
  select o.*, o.way[o.steps] as status,
         least(now(), o.at + interval '1 hour' * (3 * (o.steps - 1) + case when o.steps = cardinality(o.way) and o.steps > 1 then 36 else 0 end)) as since
  from many_orders o
)
insert into public.orders (
  id, number, user_id, status, payment_status, payment_id, source, fulfilment, sub_total, tax, shipping_charge, total_amount,
  delivery_name, delivery_phone, delivery_building_no, delivery_street, delivery_city, delivery_state, delivery_zip, delivery_by,
  courier, tracking_number, cancel_reason, created_at, updated_at, status_since)
select o.id, o.number, case when o.source <> 'manual' then c.id end, o.status,
       case when o.source = 'manual' then case when o.status in ('Delivered', 'Collected') and o.luck < 0.6 then 'paid_offline' else 'unpaid' end
            when o.status in ('canceled', 'Refunded') then case when o.n % 97 = 0 then 'refund_failed' else 'refunded' end
            when o.status = 'Delivered' and o.luck > 0.995 then 'partially_refunded' else 'paid' end,
       case when o.source <> 'manual' then 'pay_many' || o.n end, o.source, o.fulfilment,
       s.sub_total, s.tax, h.charge, s.sub_total + s.tax + h.charge, c.name, c.phone,
       c.flat || ' Shanti Niwas', 'Station Road', c.city, c.state, c.zip,
       case when o.fulfilment = 'delivery' then (o.at at time zone 'Asia/Kolkata')::date + 3 end,
       case when 'Shipped' = any (o.way[1:o.steps]) then 'Pavan Parcel' end, case when 'Shipped' = any (o.way[1:o.steps]) then 'PP' || o.number end,
       case when o.status = 'canceled' then 'The customer asked us to' end, o.at, o.since, o.since
from states o
join sums s on s.n = o.n
join many_customers c on c.n = o.customer
cross join lateral (select case when o.fulfilment = 'pickup' then 0 else 40 end as charge) h
order by o.n;
select setval(pg_get_serial_sequence('public.orders', 'number'), (select max(number) from public.orders));

insert into public.order_items (order_id, product_id, product_name, quantity, size, unit_price, gst_percent, hsn, has_size)
select l.order_id, l.product_id, l.name, l.quantity, l.size, l.price, 5, '2106', l.has_size from many_lines l order by l.n, l.product_id;
insert into private.placed_items (order_item_id, order_id, product_id, quantity, size, unit_price, unit_cost)
select i.id, i.order_id, i.product_id, i.quantity, i.size, i.unit_price, round(p.price * 0.45, 2) + case when p.place % 10 = 9 then null else 0 end
from public.order_items i join many_products p on p.id = i.product_id;
insert into public.order_events (order_id, from_status, to_status, actor_role, created_at)
select o.id, o.way[s - 1], o.way[s], case when s = 1 then 'system' else 'administrator' end,
       least(now(), o.at + interval '1 hour' * (3 * (s - 1) + case when s = cardinality(o.way) and s > 1 then 36 else 0 end))
from many_orders o, generate_series(1, o.steps) s
order by o.n, s;

-- 4. Money.
insert into private.payments (payment_id, provider_order_id, order_id, user_id, amount_paise, fee_paise, method, status, captured_at, created_at)
select o.payment_id, 'order_many' || o.number, o.id, o.user_id, o.total_amount * 100, round(o.total_amount * 100 * 0.0236), 'upi',
       case when o.payment_status = 'refunded' then 'refunded' else 'captured' end, o.created_at, o.created_at
from public.orders o join many_orders m on m.id = o.id where o.payment_id is not null;
insert into private.refunds (
  payment_id, order_id, amount_paise, reason, status, provider_refund_id, created_at, processed_at, due_on, finished_at)
select o.payment_id, o.id, case when o.payment_status = 'partially_refunded' then round(o.sub_total * 25) else o.total_amount * 100 end,
       case o.status when 'canceled' then 'order canceled' when 'Refunded' then 'order refunded' else 'one sweet arrived broken' end,
       case when o.payment_status = 'refund_failed' then 'failed' else 'processed' end,
       case when o.payment_status <> 'refund_failed' then 'rfnd_many' || o.number end, o.updated_at,
       case when o.payment_status <> 'refund_failed' then o.updated_at end, private.day_of(o.updated_at) + 9,
       case when o.payment_status <> 'refund_failed' then o.updated_at end
from public.orders o join many_orders m on m.id = o.id
where o.payment_status in ('refunded', 'refund_failed', 'partially_refunded');

-- 5. The goods: each product was made at the beginning, as much as was sold and a shelf full.
insert into public.stock_movements (product_id, quantity, reason, created_at)
select p.id, coalesce(sum(private.stock_quantity(l.has_size, l.size, l.quantity)), 0) + case when p.has_size then 20000 else 60 end,
       'production', now() - (pg_temp.wanted('days') + 1) * interval '1 day'
from many_products p left join many_lines l on l.product_id = p.id
group by p.id, p.has_size;
insert into public.stock_movements (product_id, quantity, reason, order_id, note, created_at)
select l.product_id, -private.stock_quantity(l.has_size, l.size, l.quantity), 'sale', l.order_id, '', l.at from many_lines l
union all
select l.product_id, private.stock_quantity(l.has_size, l.size, l.quantity), 'return', l.order_id, 'order canceled', o.status_since
from many_lines l join public.orders o on o.id = l.order_id where o.status = 'canceled'
order by 6;
update public.stock_levels s set on_hand = m.total, low_at = case when p.has_size then 3000 else 8 end
from many_products p join (select v.product_id, sum(v.quantity) as total from public.stock_movements v group by v.product_id) m on m.product_id = p.id
where s.product_id = p.id;
update public."Products" p set isavailable = true from many_products m where m.id = p."Id";

do $$
declare
  made text;
begin
  for made in select definition from many_indexes loop
    execute made;
  end loop;
end $$;
-- 6. The tax documents, by the shop's own rules.
update public.shop_settings set state = 'Maharashtra', gstin = '27AAAAA0000A1Z5' where gstin = '';
select private.issue_invoices(array_agg(e.order_id order by e.created_at), array_agg(e.created_at order by e.created_at))
from public.order_events e join many_orders o on o.id = e.order_id where e.to_status = 'Packed';
select set_config('session_replication_role', 'origin', true);
select private.rebuild_customers(), private.rebuild_low_stock();
-- Figures the worker of a running shop calculated before these rows: they are calculated again.
lock table private.order_words_until, private.sales_steps, private.sales_spans, private.profit_days, private.large_customer_lists in exclusive mode;
delete from private.order_words_until;
delete from private.sales_steps;
delete from private.sales_spans;
delete from private.profit_days;
delete from private.large_customer_lists;
-- Every customer has signed in once.
insert into private.security_events (kind, minute, first_at, last_at, user_id, address, user_agent, detail)
select 'signed-in', date_trunc('minute', now()), now(), now(), c.id, '203.0.113.7', 'Firefox', '' from many_customers c;
drop table many_indexes, many_products, many_customers, many_orders, many_lines;
drop function pg_temp.chance(bigint, integer), pg_temp.wanted(text), pg_temp.pick(text[], bigint, integer);
