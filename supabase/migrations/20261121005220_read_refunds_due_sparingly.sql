-- Refunds of canceled orders are due by the day of canceling: their refunds need not be read.
create or replace function private.refunds_due() returns table (order_id uuid, due_on date)
language sql stable as $$
  select o.id, private.day_of(coalesce(f.started, o.status_since)) + 7
  from public.orders o
  left join lateral (
    select min(r.created_at) as started from private.refunds r
    where o.status <> 'canceled' and r.order_id = o.id and r.status = 'failed'
  ) f on true
  where private.is_to_give_back(o.status, o.payment_status);
$$;
