-- The other side of the till: who we buy from, what we ordered, and a year of expenses up to today.
-- Flour, ghee and boxes come in by purchase order; expenses hold the rest, so that nothing is counted twice.

insert into public.vendors (id, name, contact_name, phone, email, gstin, fssai_number, payment_terms_days, notes, created_at) values
  (1, 'Gokul Dairy Supplies', 'Balwant Patil', '9000000201', 'orders@gokul-dairy.example', '27BBBBB0001B1ZS', '10000000000101', 7, 'Milk and khoya before six in the morning; ghee in 15 kg tins.', now() - interval '18 months'),
  (2, 'Konkan Cashew Traders', 'Smita Sawardekar', '9000000202', 'sales@konkan-cashew.example', '27CCCCC0002C1ZI', '10000000000102', 15, 'W320 whole. Ask for the new crop in May.', now() - interval '18 months'),
  (3, 'Mandvi Dry Fruit House', 'Yusuf Lakdawala', '9000000203', 'mandvi@dryfruit.example', '27DDDDD0003D1Z8', '10000000000103', 15, 'Almonds, pistachios, saffron. Best before Ramzan and before Diwali he runs short.', now() - interval '17 months'),
  (4, 'Sahyadri Flour and Sugar', 'Prabhakar Mane', '9000000204', 'mill@sahyadri-flour.example', '27EEEEE0004E1ZY', '10000000000104', 10, 'Besan ground coarse for laddus: say so on every order.', now() - interval '18 months'),
  (5, 'Nilgiri Cocoa Works', 'Revathi Selvam', '9000000205', 'hello@nilgiri-cocoa.example', '33FFFFF0005F1ZV', '10000000000105', 30, 'Couverture in 5 kg slabs. Does not ship in May.', now() - interval '16 months'),
  (6, 'Rangoli Packaging', 'Chetan Gala', '9000000206', 'boxes@rangoli-pack.example', '24GGGGG0006G1ZK', '', 21, 'Printed boxes need three weeks. Plain ones are in stock.', now() - interval '18 months'),
  (7, 'Himkan Kulfi Kendra', 'Satish Waghmare', '9000000207', 'himkan@kulfi.example', '27HHHHH0007H1Z4', '10000000000107', 0, 'Makes our kulfi to our recipe; frozen, by the dozen.', now() - interval '12 months');
select setval(pg_get_serial_sequence('public.vendors', 'id'), 7);

-- Days ago it was ordered, days until it came; null: not yet. Drafts have not been sent.
with plan (id, vendor_id, status, ordered_ago, took, notes) as (
  values
    (1, 4, 'Closed', 352, 3, ''), (2, 1, 'Closed', 331, 1, ''), (3, 5, 'Closed', 309, 6, ''),
    (4, 2, 'Closed', 280, 4, ''), (5, 6, 'Closed', 262, 19, 'Sleeves in two colours'), (6, 1, 'Closed', 231, 1, ''),
    (7, 7, 'Closed', 205, 1, 'First order: small'), (8, 2, 'Closed', 176, 5, ''), (9, 7, 'Closed', 148, 1, ''),
    (10, 3, 'Closed', 112, 4, 'For the festival boxes'), (11, 6, 'Closed', 95, 20, 'Proof approved by mail'), (12, 4, 'Closed', 48, 3, ''),
    (13, 3, 'Received', 26, 4, 'Bill not yet checked: one tin of saffron short'), (14, 1, 'Ordered', 2, null, ''), (15, 5, 'Draft', null, null, 'Truffles run low: ask for the price of 20 kg')
)
insert into public.purchase_orders (id, vendor_id, status, ordered_at, expected_on, received_at, notes, created_at)
select p.id, p.vendor_id, p.status, d.ordered, (d.ordered at time zone 'Asia/Kolkata')::date + coalesce(p.took, 4),
       d.ordered + p.took * interval '1 day' - interval '4 hours', p.notes, coalesce(d.ordered, now()) - interval '3 hours'
from plan p, lateral (select now() - p.ordered_ago * interval '1 day' as ordered) d;
select setval(pg_get_serial_sequence('public.purchase_orders', 'id'), 15);

-- A line with a product is bought to be sold as it is: received, it becomes stock (60_stock.sql).
insert into public.purchase_order_items (purchase_order_id, product_id, item_name, unit, quantity, received_quantity, unit_cost, gst_percent)
select i.purchase_order_id, i.product_id, i.item_name, i.unit, i.quantity,
       case when o.status in ('Received', 'Closed') then i.quantity - i.missing else 0 end, i.unit_cost, i.gst_percent
from (values
  (1, null::bigint, 'Besan, coarse', 'kg', 120, 0, 92.00, 5), (1, null, 'Sugar', 'kg', 200, 0, 43.50, 5), (1, null, 'Semolina, fine', 'kg', 40, 0, 46.00, 5),
  (2, null, 'Cow ghee', 'kg', 90, 0, 585.00, 5), (2, null, 'Khoya', 'kg', 40, 0, 340.00, 5),
  (3, null, 'Dark couverture 68%', 'kg', 45, 0, 620.00, 5), (3, null, 'White couverture', 'kg', 20, 0, 590.00, 5),
  (4, null, 'Cashew W320', 'kg', 60, 0, 815.00, 5),
  (5, null, 'Laddu box 500 g, printed', 'piece', 1500, 0, 9.50, 18), (5, null, 'Gift box, six compartments', 'piece', 300, 12, 41.00, 18),
  (6, null, 'Cow ghee', 'kg', 105, 0, 592.00, 5), (6, null, 'Milk, full cream', 'l', 400, 0, 62.00, 0),
  (7, 29, 'Kesar Pista Kulfi', 'piece', 24, 0, 34.00, 5),
  (8, null, 'Cashew W320', 'kg', 75, 0, 790.00, 5),
  (9, 29, 'Kesar Pista Kulfi', 'piece', 36, 0, 34.50, 5),
  (10, null, 'Almonds', 'kg', 50, 0, 705.00, 5), (10, null, 'Pistachios', 'kg', 22, 0, 1480.00, 5), (10, null, 'Saffron', 'g', 60, 0, 265.00, 5),
  (11, null, 'Laddu box 500 g, printed', 'piece', 2500, 0, 9.20, 18), (11, null, 'Hamper box, marigold print', 'piece', 250, 0, 68.00, 18), (11, null, 'Ribbon', 'piece', 60, 0, 55.00, 12),
  (12, null, 'Besan, coarse', 'kg', 220, 0, 95.00, 5), (12, null, 'Sugar', 'kg', 350, 0, 44.00, 5), (12, null, 'Jaggery, Kolhapur', 'kg', 80, 0, 71.00, 5),
  (13, null, 'Almonds', 'kg', 60, 0, 718.00, 5), (13, null, 'Saffron', 'g', 50, 10, 272.00, 5),
  (14, null, 'Cow ghee', 'kg', 75, 0, 604.00, 5), (14, null, 'Khoya', 'kg', 30, 0, 352.00, 5),
  (15, null, 'Dark couverture 68%', 'kg', 20, 0, 640.00, 5)
) i (purchase_order_id, product_id, item_name, unit, quantity, missing, unit_cost, gst_percent)
join public.purchase_orders o on o.id = i.purchase_order_id
order by i.purchase_order_id;

-- Twelve months of the same bills, each a little different. Only the latest of a series repeats, or each of the
-- twelve would bring forth its own next one.
with bills (category, description, vendor_id, amount, swing, gst_percent, payment_mode, day_of_month, repeats) as (
  values
    ('Rent', 'Shop and kitchen, Ranade Road', null::bigint, 21000, 0.00, 18, 'Bank transfer', 3, 'monthly'),
    ('Salaries', 'Kitchen: two halwais', null, 29000, 0.00, 0, 'Bank transfer', 1, 'monthly'),
    ('Salaries', 'Counter and packing, half days', null, 11500, 0.00, 0, 'Bank transfer', 1, 'monthly'),
    ('Electricity', 'Kitchen and cold room', null, 7200, 0.30, 0, 'UPI', 12, 'monthly'),
    ('Gas', 'Commercial cylinders', null, 5400, 0.25, 18, 'UPI', 6, 'never'),
    ('Gas', 'Commercial cylinders', null, 5400, 0.25, 18, 'UPI', 20, 'never'),
    ('Delivery', 'Couriers, bill of the fortnight', null, 6800, 0.45, 18, 'Bank transfer', 15, 'never'),
    ('Delivery', 'Couriers, bill of the fortnight', null, 6800, 0.45, 18, 'Bank transfer', 28, 'never'),
    ('Packaging', 'Tape, liners, cold packs', 6, 3600, 0.50, 18, 'UPI', 9, 'never'),
    ('Ingredients', 'Carrots, beetroot, coconuts, flowers from Dadar market', null, 5200, 0.60, 0, 'Cash', 11, 'never'),
    ('Marketing', 'Posters, photographs, online notices', null, 4500, 0.70, 18, 'Card', 17, 'never'),
    ('Fees', 'Accountant', null, 3000, 0.00, 18, 'Bank transfer', 25, 'monthly')
), months as (
  select m, date_trunc('month', now() at time zone 'Asia/Kolkata')::date - make_interval(months => m) as first from generate_series(0, 12) m
), dated as (
  select b.*, (t.first + (b.day_of_month - 1) * interval '1 day')::date as spent_on,
         round(b.amount * (1 + b.swing * (('x' || substr(md5(b.description || b.day_of_month || t.m), 1, 7))::bit(28)::integer / 268435456.0 - 0.5)) / 5) * 5 as spent
  from bills b cross join months t
)
insert into public.expenses (spent_on, category, vendor_id, description, amount, gst_amount, payment_mode, repeats, created_at)
select d.spent_on, d.category, d.vendor_id, d.description, d.spent, round(d.spent * d.gst_percent / (100 + d.gst_percent), 2), d.payment_mode,
       case when d.spent_on = max(d.spent_on) over (partition by d.category, d.description) then d.repeats else 'never' end,
       least((d.spent_on + time '18:30') at time zone 'Asia/Kolkata', now())
from dated d
where d.spent_on > (now() at time zone 'Asia/Kolkata')::date - 365 and d.spent_on <= (now() at time zone 'Asia/Kolkata')::date
order by d.spent_on;

insert into public.expenses (spent_on, category, vendor_id, description, amount, gst_amount, payment_mode, repeats, created_at)
select t.today - e.days_ago, e.category, e.vendor_id, e.description, e.amount, e.gst_amount, e.payment_mode, e.repeats,
       now() - e.days_ago * interval '1 day'
from (select (now() at time zone 'Asia/Kolkata')::date as today) t
cross join (values
  (340, 'Equipment', null::bigint, 'Copper pan, 60 litres', 21500.00, 3279.66, 'Bank transfer', 'never'),
  (214, 'Equipment', null, 'Chest freezer for kulfi', 27400.00, 4179.66, 'Card', 'never'),
  (121, 'Equipment', null, 'Label printer', 8900.00, 1357.63, 'Card', 'never'),
  (58, 'Equipment', 6, 'Shrink-wrap machine, used', 12500.00, 0.00, 'Cheque', 'never'),
  (301, 'Fees', null, 'Food licence, yearly', 7500.00, 0.00, 'UPI', 'yearly'),
  (187, 'Fees', null, 'Trademark attorney', 9000.00, 1372.88, 'Bank transfer', 'never'),
  (264, 'Other', null, 'Pest control', 2400.00, 366.10, 'UPI', 'never'),
  (173, 'Other', null, 'Pest control', 2400.00, 366.10, 'UPI', 'never'),
  (82, 'Other', null, 'Pest control', 2400.00, 366.10, 'UPI', 'quarterly'),
  (16, 'Salaries', null, 'Festival bonus', 24000.00, 0.00, 'Cash', 'never'),
  (30, 'Salaries', null, 'Two extra packers for the season', 19000.00, 0.00, 'UPI', 'never'),
  (33, 'Marketing', null, 'Stall at the Shivaji Park fair', 11000.00, 1677.97, 'UPI', 'never')
) e (days_ago, category, vendor_id, description, amount, gst_amount, payment_mode, repeats);
