-- A clock that was ahead and goes back leaves times in the future: payments that are asked about in hours, jobs that are leased
-- until then, stock that is held. No such time is further away than the pause it stands for; the worker looks every minute.
create function public.bound_due_times(at timestamptz default now()) returns void
language sql security definer set search_path = '' as $$
  -- Of a paid checkout: the second look, half an hour after the order.
  update private.checkouts c set next_check_at = at + p.pause
  from (select k.id, case when k.order_id is null then private.check_pause(k.created_at, at)
                          else greatest(interval '30 minutes', private.check_pause(k.created_at, at)) end as pause
        from private.checkouts k where k.next_check_at > at + interval '30 seconds') p
  where c.id = p.id and c.next_check_at > at + p.pause;
  update private.checkouts c set reserved_until = at + private.hold_time()
  where (c.state = 'open' or c.held <> '{}') and c.reserved_until > at + private.hold_time();
  update private.refunds r set next_check_at = at + interval '1 hour' where r.next_check_at > at + interval '1 hour';
  -- A job that was not tried yet keeps the delay it was made with; one that was is leased or postponed.
  update private.outbox o set run_after = at + p.pause
  from (select k.id, case when k.attempts = 0 then greatest(k.run_after - k.created_at, interval '0')
                          else private.retry_pause(k.attempts) end as pause
        from private.outbox k where k.done_at is null and k.run_after > at) p
  where o.id = p.id and o.run_after > at + p.pause;
  -- Prices are good for a quarter of an hour (private.price_orders).
  update private.quotes q set expires_at = at + interval '15 minutes' where q.expires_at > at + interval '15 minutes';
  -- A rate limit counts by windows that have begun; two nodes may differ a little.
  delete from private.turns t where t.window_start > at + interval '1 minute';
$$;
revoke execute on function public.bound_due_times(timestamptz) from public, anon, authenticated;
grant execute on function public.bound_due_times(timestamptz) to service_role;
