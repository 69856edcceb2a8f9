-- The outbox: emails, messages and other work to do after a transaction. Written by triggers and functions, worked on by the host or
-- by the function runJobs.
set check_function_bodies = off;

-- The outbox hands out what is urgent first: refunds, then emails and messages about orders, then back-in-stock emails, reminders and
-- requests, of which thousands may be due at once.
create function private.job_priority(kind text, payload jsonb) returns integer
language sql immutable as $$
  select case when kind not in ('mail', 'message') then 0
              when payload ->> 'template' in ('back-in-stock', 'gift-reminder', 'review-request', 'cart-reminder') then 2 else 1 end;
$$;

-- Emails, messages and refunds to send: written in the transaction that decides them, sent by a worker, once per key.
create table private.outbox (
  id bigint generated always as identity primary key,
  kind text not null,
  key text not null unique,
  payload jsonb not null,
  run_after timestamptz not null default now(),
  attempts integer not null default 0,
  last_error text,
  done_at timestamptz,
  created_at timestamptz not null default now()
);
-- Partial indexes: emails of an order and of a refund, for their page in the console.
create index outbox_order_idx on private.outbox ((payload ->> 'order_id')) where kind = 'mail' and payload ->> 'order_id' is not null;
create index outbox_refund_idx on private.outbox ((payload ->> 'refund_id')) where kind = 'mail' and payload ->> 'refund_id' is not null;
-- Partial index: emails to a customer that are about no order, for their own data.
create index outbox_user_idx on private.outbox ((payload ->> 'user_id')) where kind = 'mail' and payload ->> 'user_id' is not null;
-- Partial index: messages of an order.
create index outbox_message_idx on private.outbox ((payload ->> 'order_id')) where kind = 'message' and payload ->> 'order_id' is not null;
-- Partial: what is not done, in the order in which it is handed out. The only index of open jobs, so that a plan made when there
-- were none reads it, too.
create index outbox_urgent_idx on private.outbox (private.job_priority(kind, payload), run_after, id) where done_at is null;
alter table private.outbox enable row level security;

create trigger outbox_audit after insert on private.outbox
  for each row when (pg_trigger_depth() = 0 and new.key like 'mail:again:%') execute function private.record_change('id');

-- One round of work: releases expired holds, derives what orders have caused, and hands out what is due. What is handed out
-- is leased, so that other workers skip it, and returns to the queue if this one dies.
create function public.claim_jobs(site_url text, at timestamptz default now(), most integer default 20) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  expired integer := private.release_expired_holds(at);
  derived integer := private.derive_from_changes(at);
  checkouts jsonb;
  refunds jsonb;
  jobs jsonb;
begin
  -- A lease that a crash takes away is handed out again.
  perform set_config('synchronous_commit', 'off', true);
  with due as (
    select c.id from private.checkouts c where c.next_check_at <= at order by c.next_check_at limit most for update skip locked
  ), claimed as (
    -- finish_check() says when to look again. Where the provider has no order there is nothing to ask it, nor to finish.
    update private.checkouts c
    set next_check_at = case when c.provider_order_id is not null then at + private.lease_time()
                             when c.created_at > at - interval '5 days' then at + private.check_interval(c.created_at, at) end
    from due where c.id = due.id
    returning c.provider_order_id
  )
  select coalesce(jsonb_agg(to_jsonb(k.provider_order_id)), '[]') into checkouts
  from claimed k where k.provider_order_id is not null;

  with due as (
    select g.id from private.group_orders g where g.next_check_at <= at order by g.next_check_at limit most for update skip locked
  ), claimed as (
    update private.group_orders g
    set next_check_at = case when g.provider_order_id is not null then at + private.lease_time()
                             when g.created_at > at - interval '5 days' then at + private.check_interval(g.created_at, at) end
    from due where g.id = due.id
    returning g.provider_order_id
  )
  select checkouts || coalesce(jsonb_agg(to_jsonb(k.provider_order_id)), '[]') into checkouts
  from claimed k where k.provider_order_id is not null;

  with due as (
    select r.id from private.refunds r where r.next_check_at <= at order by r.next_check_at limit most for update skip locked
  ), claimed as (
    update private.refunds r set next_check_at = at + interval '1 hour' from due where r.id = due.id
    returning r.id, r.provider_refund_id
  )
  select coalesce(jsonb_agg(to_jsonb(k)), '[]') into refunds from claimed k;

  select coalesce(jsonb_agg(jsonb_build_object(
    'id', k.id, 'kind', k.kind, 'key', k.key,
    'mail', case when k.kind = 'mail' then private.mail_content(k.payload, site_url, at) end,
    'message', case when k.kind = 'message' then private.message_content(k.payload, site_url) end,
    'refund', (select jsonb_build_object('id', r.id, 'payment_id', r.payment_id, 'amount_paise', r.amount_paise, 'reason', r.reason,
                                         'open', r.status = 'queued')
               from private.refunds r where k.kind = 'refund' and r.id = (k.payload ->> 'refund_id')::uuid)) order by k.id), '[]')
  into jobs from private.lease_jobs(at, most) k;

  return jsonb_build_object('lapsed', expired, 'derived', derived, 'checkouts', checkouts, 'refunds', refunds, 'outbox', jobs);
end $$;

-- When to check a checkout with the provider again. is_clear: the provider has reported everything. Then a paid one
-- is checked once more, half an hour after the order; all others for five days.
create function public.finish_check(provider_order_id text, at timestamptz default now(), is_clear boolean default true) returns void
language sql security definer set search_path = '' as $$
  update private.checkouts c
  set next_check_at = case
    when is_clear and c.order_id is not null then (
      select o.created_at + private.late_capture_delay() from public.orders o
      where o.id = c.order_id and o.created_at + private.late_capture_delay() > at)
    when c.created_at > at - interval '5 days' then at + private.check_interval(c.created_at, at) end
  where c.provider_order_id = finish_check.provider_order_id;
  update private.group_orders g
  set next_check_at = case
    when is_clear and g.state = 'paid' then (
      select o.created_at + private.late_capture_delay() from public.orders o
      where o.group_id = g.id and o.group_place = 1 and o.created_at + private.late_capture_delay() > at)
    when g.created_at > at - interval '5 days' then at + private.check_interval(g.created_at, at) end
  where g.provider_order_id = finish_check.provider_order_id;
$$;

-- Deletes what is no longer needed: old checkouts and quotes (an address that was never paid for is not ours to
-- keep), email addresses of recipients (they were given for one message), events, sent jobs, rate limits and unused search words.
create function public.sweep(at timestamptz default now()) returns void
language sql security definer set search_path = '' as $$
  delete from private.checkouts c
  where c.state in ('lapsed', 'superseded') and c.created_at < at - interval '30 days'
    and not exists (select from private.payments p where p.provider_order_id = private.provider_order_of(c));
  delete from private.group_orders g
  where g.state = 'open' and g.created_at < at - interval '30 days' and not exists (select from private.checkouts c where c.group_id = g.id)
    and not exists (select from private.payments p where p.provider_order_id = g.provider_order_id);
  delete from private.quotes q
  where q.expires_at < at - interval '1 hour' and not exists (select from private.checkouts c where c.quote_id = q.id);
  update private.order_gifts g set recipient_email = null
  where g.recipient_email is not null and exists (
    select from public.orders o
    where o.id = g.order_id and private.is_finished(o.status) and o.status_since < at - interval '30 days');
  delete from private.payment_events e where e.received_at < at - interval '30 days';
  delete from private.outbox o where o.done_at < at - interval '30 days';
  delete from private.rate_limits t where t.window_start < at - interval '1 day';
  select private.delete_unused_words();
$$;

create function public.finish_job(job_id bigint, note text default null, at timestamptz default now()) returns void
language sql security definer set search_path = '' as $$
  update private.outbox o set done_at = at, last_error = finish_job.note where o.id = job_id;
$$;

-- Retries a job with backoff: half a minute at first, six hours at most. After three days an email or a message is given up (due_at: one
-- that was queued long before its day); a refund never is.
create function public.postpone_job(job_id bigint, problem text, at timestamptz default now()) returns void
language sql security definer set search_path = '' as $$
  update private.outbox o
  set last_error = left(problem, 500),
      done_at = case when o.kind in ('mail', 'message') and coalesce((o.payload ->> 'due_at')::timestamptz, o.created_at) < at - interval '3 days' then at end,
      run_after = at + private.retry_delay(o.attempts)
  where o.id = job_id and o.done_at is null;
$$;

create function private.lease_time() returns interval
language sql immutable as $$ select interval '30 seconds' $$;

-- How long until a checkout is checked with the provider again: half a minute for half an hour, then an hour.
create function private.check_interval(created_at timestamptz, at timestamptz) returns interval
language sql immutable as $$
  select case when created_at > at - interval '30 minutes' then interval '30 seconds' else interval '1 hour' end
$$;

-- How long after its order a paid checkout is checked once more: an attempt that was under way may be captured late.
create function private.late_capture_delay() returns interval
language sql immutable as $$ select interval '30 minutes' $$;

-- The backoff of a job: half a minute at first, six hours at most.
create function private.retry_delay(attempts integer) returns interval
language sql immutable as $$
  select least(interval '15 seconds' * power(2, least(attempts, 12)), interval '6 hours')
$$;

-- Never shortens a lease: a job that was postponed in the meantime stays postponed.
create function public.renew_leases(job_ids bigint[], at timestamptz default now()) returns void
language sql security definer set search_path = '' as $$
  update private.outbox o set run_after = at + private.lease_time()
  where o.id = any (job_ids) and o.done_at is null and o.run_after < at + private.lease_time();
$$;

-- Corrects due times that are too far ahead, after a clock was wrong. Locked rows are skipped, because waiting for
-- them could deadlock with a purchase; the next call, a minute later, corrects them.
create function public.correct_due_times(at timestamptz default now()) returns void
language sql security definer set search_path = '' as $$
  -- Of a paid checkout: the second look, half an hour after the order.
  update private.checkouts c set next_check_at = at + p.pause
  from (select k.id, case when k.order_id is null then private.check_interval(k.created_at, at)
                          else greatest(private.late_capture_delay(), private.check_interval(k.created_at, at)) end as pause
        from private.checkouts k where k.next_check_at > at + interval '30 seconds' for update skip locked) p
  where c.id = p.id and c.next_check_at > at + p.pause;
  update private.group_orders g set next_check_at = at + p.pause
  from (select k.id, case when k.state = 'open' then private.check_interval(k.created_at, at)
                          else greatest(private.late_capture_delay(), private.check_interval(k.created_at, at)) end as pause
        from private.group_orders k where k.next_check_at > at + interval '30 seconds' for update skip locked) p
  where g.id = p.id and g.next_check_at > at + p.pause;
  update private.checkouts c set reserved_until = at + private.hold_time()
  from (select k.id from private.checkouts k
        where (k.state = 'open' or k.held <> '{}') and k.reserved_until > at + private.hold_time() for update skip locked) p
  where c.id = p.id;
  update private.refunds r set next_check_at = at + interval '1 hour'
  from (select k.id from private.refunds k where k.next_check_at > at + interval '1 hour' for update skip locked) p
  where r.id = p.id;
  -- A job that was not tried yet keeps the delay it was made with; one that was is leased or postponed.
  update private.outbox o set run_after = at + p.pause
  from (select k.id, case when k.attempts = 0 then greatest(k.run_after - k.created_at, interval '0')
                          else private.retry_delay(k.attempts) end as pause
        from private.outbox k where k.done_at is null and k.run_after > at for update skip locked) p
  where o.id = p.id and o.run_after > at + p.pause;
  update private.quotes q set expires_at = at + private.quote_time()
  from (select k.id from private.quotes k where k.expires_at > at + private.quote_time() for update skip locked) p
  where q.id = p.id;
  -- A rate limit counts by windows that have begun; two nodes may differ a little.
  delete from private.rate_limits t
  using (select k.action, k.subject, k.window_start from private.rate_limits k
         where k.window_start > at + interval '1 minute' for update skip locked) p
  where (t.action, t.subject, t.window_start) = (p.action, p.subject, p.window_start);
$$;

-- Leases due jobs, read in order from the index. A message whose time has become one of the quiet hours waits until they end. A back-in-stock email whose product was unlisted after it was queued becomes a
-- request again, so that it is queued when the product is listed. The product is locked against being listed before that.
create function private.lease_jobs(at timestamptz, most integer) returns setof private.outbox
language plpgsql set search_path = '' as $$
declare
  due bigint[] := array(
    select o.id from private.outbox o where o.done_at is null and o.run_after <= at
    order by private.job_priority(o.kind, o.payload), o.run_after, o.id limit most for update skip locked);
begin
  if private.is_quiet(at) then
    update private.outbox o set run_after = private.message_time(o.payload, at)
    where o.id = any (due) and o.kind = 'message' and private.message_time(o.payload, at) > at;
  end if;
  with unlisted as materialized (
    select p."Id" from public."Products" p
    where p."Id" in (select (o.payload ->> 'product_id')::bigint from private.outbox o
                     where o.id = any (due) and o.payload ->> 'template' = 'back-in-stock')
      and not (p.is_listed and p.archived_at is null) for share skip locked
  ), returned as (
    delete from private.outbox o using unlisted u where o.id = any (due) and (o.payload ->> 'product_id')::bigint = u."Id"
    returning u."Id", (o.payload ->> 'user_id')::uuid as user_id
  )
  insert into public.notify_subscriptions (product_id, user_id)
  select r."Id", r.user_id from returned r join auth.users u on u.id = r.user_id
  on conflict do nothing;
  return query
    update private.outbox o set run_after = at + private.lease_time(), attempts = o.attempts + 1 where o.id = any (due) and o.run_after <= at
    returning o.*;
end $$;

revoke execute on function
  public.claim_jobs(text, timestamptz, integer), public.finish_check(text, timestamptz, boolean),
  public.sweep(timestamptz), public.finish_job(bigint, text, timestamptz),
  public.postpone_job(bigint, text, timestamptz), public.renew_leases(bigint[], timestamptz),
  public.correct_due_times(timestamptz)
  from public, anon, authenticated;
grant execute on function
  public.claim_jobs(text, timestamptz, integer), public.finish_check(text, timestamptz, boolean),
  public.sweep(timestamptz), public.finish_job(bigint, text, timestamptz),
  public.postpone_job(bigint, text, timestamptz), public.renew_leases(bigint[], timestamptz),
  public.correct_due_times(timestamptz)
  to service_role;
