-- What the administrator changed lately, for the log. Written directly: a seed runs without a signed-in administrator.
with asha as (select user_id from private.administrators order by granted_at limit 1),
orders_moved as (
  select o.id::text as row_id, e.from_status, e.to_status, e.created_at,
         row_number() over (order by e.created_at desc, e.id desc) as place
  from public.order_events e join public.orders o on o.id = e.order_id
  where e.actor_role = 'administrator' and e.from_status is not null
), changes (ago, action, table_name, row_id, before, after) as (
  select now() - m.created_at, 'update', 'orders', m.row_id,
         jsonb_build_object('status', m.from_status), jsonb_build_object('status', m.to_status)
  from orders_moved m where m.place <= 40
  union all
  select c.ago, 'update', 'Products', p."Id"::text, jsonb_build_object('Price', p."Price" - c.more), jsonb_build_object('Price', p."Price")
  from (values ('Besan Laddu', 20, interval '9 days 5 hours'), ('Motichoor Laddu', 20, interval '9 days 5 hours'),
               ('Kaju Katli Silver Box', 50, interval '21 days 3 hours'), ('Badam Halwa', 40, interval '33 days')) as c (name, more, ago)
  join public."Products" p on p."Name" = c.name
  union all
  select interval '26 days 2 hours', 'update', 'Products', p."Id"::text, '{"allergens": "Milk", "shelf_life_days": 12}',
         jsonb_build_object('allergens', p.allergens, 'shelf_life_days', p.shelf_life_days)
  from public."Products" p where p."Name" = 'Rava Laddu'
  union all
  select interval '12 days' + c.place * interval '3 hours', 'insert', 'customer_records', c.user_id::text, null,
         jsonb_build_object('notes', c.notes, 'tags', c.tags, 'blocked_at', null)
  from (select r.*, row_number() over (order by r.user_id) as place from private.customer_records r where r.blocked_at is null) c
  union all
  select now() - r.blocked_at, 'insert', 'customer_records', r.user_id::text, null,
         jsonb_build_object('notes', r.notes, 'tags', r.tags, 'blocked_at', r.blocked_at, 'blocked_reason', r.blocked_reason)
  from private.customer_records r where r.blocked_at is not null
  union all
  select interval '40 days', 'update', 'vendors', v.id::text, '{"payment_terms_days": 7}', jsonb_build_object('payment_terms_days', v.payment_terms_days)
  from public.vendors v where v.id = 2
)
insert into public.audit_log (at, actor_id, action, table_name, row_id, before, after)
select now() - c.ago, a.user_id, c.action, c.table_name, c.row_id, c.before, c.after
from changes c cross join asha a order by c.ago desc;

-- What the worker would derive from orders that were made up: their customers are counted, and no email is sent.
select private.rebuild_customers();
delete from private.order_changes where true;
