-- What a worker has taken on and did not finish, because it was killed, is taken on again after half a minute. A worker that
-- is still at it renews its lease (supabase/functions/_shared/work.ts).

create function private.lease_time() returns interval
language sql immutable as $$ select interval '30 seconds' $$;

-- How long until the provider is asked about a checkout again: half a minute for half an hour, then an hour.
create function private.check_pause(created_at timestamptz, at timestamptz) returns interval
language sql immutable as $$
  select case when created_at > at - interval '30 minutes' then interval '30 seconds' else interval '1 hour' end
$$;

-- How long until a job is tried again: half a minute at first, six hours at most.
create function private.retry_pause(attempts integer) returns interval
language sql immutable as $$
  select least(interval '15 seconds' * power(2, least(attempts, 12)), interval '6 hours')
$$;
revoke execute on function private.lease_time(), private.check_pause(timestamptz, timestamptz), private.retry_pause(integer) from public;

create or replace function private.lease_letters(at timestamptz, most integer) returns setof private.outbox
language plpgsql set search_path = '' set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
begin
  return query
    with due as (
      select o.id from private.outbox o where o.done_at is null and o.run_after <= at
      order by private.urgency(o.kind, o.payload), o.run_after, o.id limit most for update skip locked
    )
    update private.outbox o set run_after = at + private.lease_time(), attempts = o.attempts + 1 from due where o.id = due.id
    returning o.*;
end $$;

create or replace function public.claim_jobs(site_url text, at timestamptz default now(), most integer default 20) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  lapsed integer := private.lapse_checkouts(at);
  checkouts jsonb;
  refunds jsonb;
  letters jsonb;
begin
  -- A lease that a crash takes away is handed out again.
  perform set_config('synchronous_commit', 'off', true);
  with due as (
    select c.id from private.checkouts c where c.next_check_at <= at order by c.next_check_at limit most for update skip locked
  ), claimed as (
    -- finish_check() says when to look again. Where the provider has no order there is nothing to ask it, nor to finish.
    update private.checkouts c
    set next_check_at = case when c.provider_order_id is not null then at + private.lease_time()
                             when c.created_at > at - interval '5 days' then at + private.check_pause(c.created_at, at) end
    from due where c.id = due.id
    returning c.provider_order_id
  )
  select coalesce(jsonb_agg(to_jsonb(k.provider_order_id)), '[]') into checkouts
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
    'mail', case when k.kind = 'mail' then private.mail_content(k.payload, site_url) end,
    'refund', (select jsonb_build_object('id', r.id, 'payment_id', r.payment_id, 'amount_paise', r.amount_paise, 'reason', r.reason,
                                         'open', r.status = 'queued')
               from private.refunds r where k.kind = 'refund' and r.id = (k.payload ->> 'refund_id')::uuid)) order by k.id), '[]')
  into letters from private.lease_letters(at, most) k;

  return jsonb_build_object('lapsed', lapsed, 'checkouts', checkouts, 'refunds', refunds, 'outbox', letters);
end $$;

-- Never shortens: a job that was postponed meanwhile stays postponed.
create function public.renew_leases(job_ids bigint[], at timestamptz default now()) returns void
language sql security definer set search_path = '' as $$
  update private.outbox o set run_after = at + private.lease_time()
  where o.id = any (job_ids) and o.done_at is null and o.run_after < at + private.lease_time();
$$;

drop function public.finish_check(text, timestamptz);
-- When to look at a checkout again. is_clear: the provider has told all it knows of it. Then a paid one is looked at once more,
-- half an hour after the order; all others for five days.
create function public.finish_check(provider_order_id text, at timestamptz default now(), is_clear boolean default true) returns void
language sql security definer set search_path = '' as $$
  update private.checkouts c
  set next_check_at = case
    when is_clear and c.order_id is not null then (
      select o.created_at + interval '30 minutes' from public.orders o
      where o.id = c.order_id and o.created_at + interval '30 minutes' > at)
    when c.created_at > at - interval '5 days' then at + private.check_pause(c.created_at, at) end
  where c.provider_order_id = finish_check.provider_order_id;
$$;

create or replace function public.postpone_job(job_id bigint, problem text, at timestamptz default now()) returns void
language sql security definer set search_path = '' as $$
  update private.outbox o
  set last_error = left(problem, 500),
      done_at = case when o.kind = 'mail' and o.created_at < at - interval '3 days' then at end,
      run_after = at + private.retry_pause(o.attempts)
  where o.id = job_id and o.done_at is null;
$$;

revoke execute on function public.renew_leases(bigint[], timestamptz), public.finish_check(text, timestamptz, boolean)
  from public, anon, authenticated;
grant execute on function public.renew_leases(bigint[], timestamptz), public.finish_check(text, timestamptz, boolean) to service_role;
