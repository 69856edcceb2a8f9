-- What a monitor asks of the shop, wherever its database is (docs/operations.md, Metrics).

-- `overdue` are the seconds for which the oldest is due: nobody works. `troubled` was tried three times and more, and is not
-- done: somebody works in vain. A refund has failed as long as one of its tries has and not all is back that was asked for
-- (as order_refund_tries() has it, also of payments that became no order).
create function public.queue_figures(at timestamptz default now()) returns jsonb
language sql stable security definer set search_path = '' as $$
  with open as (
    select o.kind as queue, o.run_after as due_at, o.attempts >= 3 as is_troubled from private.outbox o where o.done_at is null
    union all select 'payment-check', c.next_check_at, false from private.checkouts c where c.next_check_at is not null
    union all select 'refund-check', r.next_check_at, false from private.refunds r where r.next_check_at is not null
  ), queues as (
    select q.name, count(o.queue) as depth, count(*) filter (where o.is_troubled) as troubled,
           greatest(0, coalesce(extract(epoch from at - min(o.due_at)), 0)) as overdue
    from unnest(array['mail', 'refund', 'payment-check', 'refund-check']) as q (name)
    left join open o on o.queue = q.name group by q.name
  ), failed as (
    select from (
      select r.payment_id, r.amount_paise, r.status, coalesce(r.retry_of, r.id) as first_try,
             coalesce(sum(r.amount_paise) filter (where r.status = 'processed') over (
               partition by coalesce(r.retry_of, r.id) order by r.created_at, r.id
               rows between unbounded preceding and 1 preceding), 0) as returned_before
      from private.refunds r
    ) t
    left join private.payments p on p.payment_id = t.payment_id
    group by t.first_try
    having bool_or(t.status = 'failed') and not coalesce(bool_or(p.status = 'refunded'), false)
       and coalesce(sum(t.amount_paise) filter (where t.status = 'processed'), 0) < max(t.amount_paise + t.returned_before)
  )
  select jsonb_build_object(
    'depth', jsonb_object_agg(q.name, q.depth), 'overdue', jsonb_object_agg(q.name, q.overdue),
    'troubled', jsonb_object_agg(q.name, q.troubled), 'failed_refunds', (select count(*) from failed))
  from queues q;
$$;

create function public.count_orders() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_object_agg(s.status, s.orders), '{}')
  from (select o.status, count(*) as orders from public.orders o group by o.status) s;
$$;

revoke execute on function public.queue_figures(timestamptz), public.count_orders() from public, anon, authenticated;
grant execute on function public.queue_figures(timestamptz), public.count_orders() to service_role;
