-- The tax documents of the orders above, numbered in the order in which they were packed. Refunds have their credit notes
-- with them.
select private.issue_invoices(array_agg(p.order_id order by p.at), array_agg(p.at order by p.at))
from (select e.order_id, min(e.created_at) as at from public.order_events e where e.to_status = 'Packed' group by e.order_id) p;
