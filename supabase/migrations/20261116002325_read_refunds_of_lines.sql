-- As before, and for which line of the order money was given back, so that nobody gives it back twice.
create or replace function private.order_refunds(order_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', r.id, 'amount_paise', r.amount_paise, 'reason', r.reason, 'note', r.note, 'status', r.status,
    'is_by_hand', r.payment_id is null, 'is_retry', r.retry_of is not null, 'provider_refund_id', r.provider_refund_id,
    'asked_by', private.person_name(r.asked_by), 'created_at', r.created_at, 'processed_at', r.processed_at,
    'next_try_at', w.run_after, 'order_item_id', r.order_item_id,
    'can_retry', r.status = 'failed' and r.created_at = t.last_failed_at
                 and (t.returned_paise + t.under_way_paise < t.asked_paise or l.waits)) order by r.created_at desc, r.id), '[]')
  from private.refunds r
  left join private.outbox w on w.key = 'refund:' || r.id and w.done_at is null
  join private.order_refund_tries(order_refunds.order_id) t on t.first_try = coalesce(r.retry_of, r.id)
  cross join lateral (
    select coalesce(bool_or(o.run_after > now()) filter (where n.status = 'queued'), false) as waits
    from private.refunds n
    left join private.outbox o on o.key = 'refund:' || n.id and o.done_at is null
    where n.order_id = r.order_id and coalesce(n.retry_of, n.id) = coalesce(r.retry_of, r.id)
  ) l
  where r.order_id = order_refunds.order_id;
$$;
