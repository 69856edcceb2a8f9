-- What came of the purchase orders, the bills of the vendors, and what was paid of them: what is closed is paid on its due
-- day, but for the last part of the flour; the dry fruits are overdue.

with came as (
  insert into public.purchase_receipts (id, purchase_order_id, received_at)
  select ('00000000-0000-4000-b000-' || lpad(o.id::text, 12, '0'))::uuid, o.id, o.received_at
  from public.purchase_orders o where o.received_at is not null
  returning id, purchase_order_id, received_at
), items as (
  insert into public.purchase_receipt_items (receipt_id, item_id, quantity, movement_id)
  select c.id, i.id, i.received_quantity, m.id
  from came c
  join public.purchase_order_items i on i.purchase_order_id = c.purchase_order_id and i.received_quantity > 0
  left join public.stock_movements m on m.product_id = i.product_id and m.reason = 'purchase' and m.note = format('purchase order %s', i.purchase_order_id)
)
insert into public.vendor_bills (vendor_id, receipt_id, bill_number, billed_on, due_on, goods, gst, adjustment, amount, created_at)
select o.vendor_id, c.id, format('%s/%s', upper(left(v.name, 2)), 2400 + o.id * 17), d.day, d.day + v.payment_terms_days, g.goods, g.gst,
       round(g.goods + g.gst) - g.goods - g.gst, round(g.goods + g.gst), c.received_at
from came c
join public.purchase_orders o on o.id = c.purchase_order_id
join public.vendors v on v.id = o.vendor_id,
lateral (select private.day_of(c.received_at) as day) d,
lateral (select sum(round(i.received_quantity * i.unit_cost, 2)) as goods, sum(round(i.received_quantity * i.unit_cost * i.gst_percent / 100, 2)) as gst
         from public.purchase_order_items i where i.purchase_order_id = o.id) g;

insert into public.vendor_payments (id, vendor_id, paid_on, mode, amount, reference, created_at)
select ('00000000-0000-4000-c000-' || lpad(o.id::text, 12, '0'))::uuid, b.vendor_id, b.due_on,
       case when b.amount < 2000 then 'Cash' when o.id % 3 = 0 then 'UPI' else 'Bank transfer' end,
       case when o.id = 12 then 40000 else b.amount end,
       case when b.amount < 2000 then '' else format('%s%s', case when o.id % 3 = 0 then 'UPI ' else 'NEFT ' end, 481200 + o.id * 731) end,
       (b.due_on + time '17:45') at time zone 'Asia/Kolkata'
from public.vendor_bills b
join public.purchase_receipts r on r.id = b.receipt_id
join public.purchase_orders o on o.id = r.purchase_order_id and o.status = 'Closed';
