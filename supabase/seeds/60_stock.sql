-- Stock: the sales and returns of the orders, what was bought in, what went to waste, and so much production that
-- the shelf was never below nothing. Grams for sweets sold by weight, pieces for the rest.

create temporary table demo_shelf as
select p."Id" as product_id, p."hasSize" as by_weight, t.today,
       -- How often it is made, in days; the size of a batch; what is kept ready; where 'low' begins.
       case when p."Category" = 'Takeaway' then 2 when p."hasSize" and p."Category" <> 'Chocolate' then 4 else 7 end as every_days,
       case when p."hasSize" then 500 else 1 end * case when t.today is null then 4 else 1 end as batch,
       coalesce(t.today, case when p."hasSize" then 9000 + (p."Id" * 13 % 17) * 1000 else 24 + p."Id" * 11 % 24 end)::integer as keep,
       case when p."hasSize" then 3000 else 8 end as low_at
from public."Products" p
-- Where today's level is told and not left to chance: three sold out, two running low.
left join (values ('Tirunelveli Wheat Halwa', 0), ('Rasmalai (2 pcs)', 0), ('Rakhi Sweet Thali', 0),
                  ('Rose Pistachio Truffles', 1500), ('Badam Halwa', 2000)) t (name, today) on t.name = p."Name";

create temporary table demo_moves (product_id bigint, quantity integer, reason text, order_id uuid, note text, at timestamptz);

insert into demo_moves
select i.product_id, -sum(private.stock_quantity(s.by_weight, i.size, i.quantity)), 'sale', o.id, '', o.created_at
from public.order_items i join public.orders o on o.id = i.order_id join demo_shelf s using (product_id)
group by i.product_id, o.id;

insert into demo_moves
select m.product_id, -m.quantity, 'return', m.order_id, 'order canceled', o.updated_at
from demo_moves m join public.orders o on o.id = m.order_id
where o.status = 'canceled';
insert into demo_moves
select m.product_id, -m.quantity, 'wastage', m.order_id, 'order canceled', m.at
from demo_moves m join public.orders o on o.id = m.order_id
where m.reason = 'return' and o.canceled_goods = 'wastage';

insert into demo_moves
select i.product_id, i.received_quantity, 'purchase', null, format('purchase order %s', o.id), o.received_at
from public.purchase_order_items i join public.purchase_orders o on o.id = i.purchase_order_id
where i.product_id is not null and i.received_quantity > 0;

-- Days are counted from a year and a day ago; a run of production lasts until the next one.
create temporary table demo_runs as
select s.*, run, d.first + run * s.every_days as day
from demo_shelf s
cross join (select (now() at time zone 'Asia/Kolkata')::date - 366 as first) d,
generate_series(0, 366 / s.every_days) run;

-- Now and then something breaks, or is past its date.
insert into demo_moves
select r.product_id, -case when r.by_weight then 250 * (1 + l.luck % 4) else 1 + l.luck % 3 end, 'wastage', null,
       (array['past its date', 'broken while packing', 'tasting at the counter'])[1 + l.luck % 3], (r.day + time '21:10') at time zone 'Asia/Kolkata'
from demo_runs r, lateral (select ('x' || substr(md5(format('waste%s-%s', r.product_id, r.run)), 1, 7))::bit(28)::integer as luck) l
where l.luck % 12 = 0 and r.keep > 0 and (r.day + time '21:10') at time zone 'Asia/Kolkata' < now();

-- Each run makes what leaves before the next one, beyond what is still there; what came back counts only afterwards.
insert into demo_moves
with moved as (
  select m.product_id, ((m.at at time zone 'Asia/Kolkata')::date - ((now() at time zone 'Asia/Kolkata')::date - 366)) / s.every_days as run,
         sum(-m.quantity) filter (where m.quantity < 0) as gone, sum(m.quantity) filter (where m.quantity > 0) as came
  from demo_moves m join demo_shelf s using (product_id)
  group by 1, 2
), needed as (
  select r.*, sum(coalesce(m.gone, 0)) over by_run - (sum(coalesce(m.came, 0)) over by_run - coalesce(m.came, 0)) + r.keep as total
  from demo_runs r left join moved m using (product_id, run)
  window by_run as (partition by r.product_id order by r.run)
), made as (
  select n.*, max(ceil(n.total::numeric / n.batch) * n.batch) over (partition by n.product_id order by n.run) as made from needed n
), batches as (
  select m.*, m.made - lag(m.made, 1, 0::numeric) over (partition by m.product_id order by m.run) as batch_size from made m
)
select b.product_id, b.batch_size, 'production', null, format('batch %s-%s', to_char(b.day, 'YYMMDD'), b.product_id),
       least((b.day + time '05:30') at time zone 'Asia/Kolkata', now())
from batches b
where b.batch_size > 0;

-- Tonight's count brings the five to where they are.
insert into demo_moves
select s.product_id, s.today - sum(m.quantity), 'count', null, 'counted at closing', now()
from demo_shelf s join demo_moves m using (product_id)
where s.today is not null
group by s.product_id, s.today
having s.today <> sum(m.quantity);

-- Levels are set once, from the sum, instead of once per movement; there are no back-in-stock requests yet, so no email is sent.
-- The other two triggers are about browsers and administrators, and there are neither here.
alter table public.stock_movements disable trigger stock_movements_apply;
alter table public.stock_movements disable trigger stock_movements_audit;
alter table public.stock_movements disable trigger stock_movements_guard;
insert into public.stock_movements (product_id, quantity, reason, order_id, note, created_at)
select m.product_id, m.quantity, m.reason, m.order_id, m.note, m.at from demo_moves m
order by m.at, (m.quantity < 0), m.product_id;
alter table public.stock_movements enable trigger stock_movements_apply;
alter table public.stock_movements enable trigger stock_movements_audit;
alter table public.stock_movements enable trigger stock_movements_guard;

update public.stock_levels l set on_hand = m.total, low_at = s.low_at
from demo_shelf s join (select product_id, sum(quantity) as total from demo_moves group by product_id) m using (product_id)
where l.product_id = s.product_id;

-- Those who wait for what is sold out.
insert into public.notify_subscriptions (product_id, user_id, created_at)
select p."Id", u.id, now() - w.hours_ago * interval '1 hour'
from (values
  ('Tirunelveli Wheat Halwa', 5, 70), ('Tirunelveli Wheat Halwa', 17, 52), ('Tirunelveli Wheat Halwa', 34, 31),
  ('Tirunelveli Wheat Halwa', 55, 9), ('Rakhi Sweet Thali', 37, 400)
) w (product, seq, hours_ago)
join public."Products" p on p."Name" = w.product
join auth.users u on u.id = ('00000000-0000-4000-a000-' || lpad(w.seq::text, 12, '0'))::uuid;

drop table demo_shelf, demo_moves, demo_runs;
