-- The outbox hands out what is urgent first: money that is owed, then mail about orders, then the news that a sweet is back,
-- which thousands may wait for at once.
create function private.urgency(kind text, payload jsonb) returns integer
language sql immutable set search_path = '' as $$
  select case when kind <> 'mail' then 0 when payload ->> 'template' = 'back-in-stock' then 2 else 1 end;
$$;
revoke execute on function private.urgency(text, jsonb) from public;
create index outbox_urgent_idx on private.outbox (private.urgency(kind, payload), run_after, id) where done_at is null;

-- One round of work: lapses, sweeps, and hands out what is due. What is handed out is leased, so that another worker
-- leaves it alone, and comes back by itself if this one dies.
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
    -- Every half minute for half an hour, then hourly for five days. Of one that is paid, once more is enough, when the
    -- provider has answered: see finish_check().
    update private.checkouts c
    set next_check_at = case when c.created_at < at - interval '5 days' then null
                             when c.created_at > at - interval '30 minutes' then at + interval '30 seconds'
                             else at + interval '1 hour' end
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

  with due as (
    select o.id from private.outbox o where o.done_at is null and o.run_after <= at
    order by private.urgency(o.kind, o.payload), o.run_after, o.id limit most for update skip locked
  ), claimed as (
    update private.outbox o set run_after = at + interval '2 minutes', attempts = o.attempts + 1 from due where o.id = due.id
    returning o.id, o.kind, o.key, o.payload
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', k.id, 'kind', k.kind, 'key', k.key,
    'mail', case when k.kind = 'mail' then private.mail_content(k.payload, site_url) end,
    'refund', (select jsonb_build_object('id', r.id, 'payment_id', r.payment_id, 'amount_paise', r.amount_paise, 'reason', r.reason,
                                         'open', r.status = 'queued')
               from private.refunds r where k.kind = 'refund' and r.id = (k.payload ->> 'refund_id')::uuid)) order by k.id), '[]')
  into letters from claimed k;

  return jsonb_build_object('lapsed', lapsed, 'checkouts', checkouts, 'refunds', refunds, 'outbox', letters);
end $$;
