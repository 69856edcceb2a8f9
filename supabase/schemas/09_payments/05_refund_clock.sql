-- The clock of refunds: by when each is due, when it was finished, which are open, and the email when one is late.
-- Written by triggers on refunds and orders; read by the console and the worker.
set check_function_bodies = off;

-- What was paid offline for an order that was canceled and is to be paid back by hand. Written when the order is canceled, and
-- when the last of it is back.
create table private.offline_refunds_due (
  order_id uuid primary key references public.orders (id) on delete cascade,
  since timestamptz not null,
  due_on date not null,
  finished_at timestamptz
);
-- Partial index: what is still to be paid back, by its due day.
create index offline_refunds_due_open_idx on private.offline_refunds_due (due_on, order_id) where finished_at is null;
alter table private.offline_refunds_due enable row level security;

-- The terms promise refunds within seven business days: working days by the shop's calendar as it is when the refund is made.
-- A shop that is closed for the year ahead still owes the money: seven days.
create function private.refund_due_on(from_day date) returns date
language sql stable set search_path = '' as $$
  select coalesce(private.working_day_after(from_day, 7), from_day + 7);
$$;

-- Working days from today to a due day, and how many days ago it was, below zero.
create function private.working_days_left(today date, due_on date) returns integer
language sql stable set search_path = '' as $$
  select case when due_on <= today then due_on - today else (
    select count(*)::integer
    from generate_series(today + 1, due_on, interval '1 day') d (day)
    where private.is_working_day(d.day::date, s.weekly_off,
      (select range_agg(daterange(c.starts_on, c.ends_on, '[]')) from public.closures c where c.ends_on >= today))) end
  from public.shop_settings s;
$$;

-- Every refund gets its due day when it is made, and keeps it whatever happens to the calendar. Of a first attempt that
-- worked all is back.
create function private.refund_clock() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    new.due_on := coalesce(
      new.due_on,
      (select f.due_on from private.refunds f where f.id = new.retry_of),
      (select d.due_on from private.offline_refunds_due d where d.order_id = new.order_id and new.payment_id is null),
      private.refund_due_on(private.day_of(new.created_at)));
  end if;
  if new.status = 'processed' and new.retry_of is null then
    new.finished_at := coalesce(new.processed_at, now());
  end if;
  return new;
end $$;
create trigger refunds_clock before insert or update of status on private.refunds
  for each row execute function private.refund_clock();

-- A refund is finished when its attempts gave back what was asked for, or when all that was paid for the order is back. Emails
-- that it was started or is late are not sent any more.
create function private.finish_refunds() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  first_try constant uuid := coalesce(new.retry_of, new.id);
  is_all constant boolean := exists (
    select from private.order_balance(new.order_id) m where m.paid_paise > 0 and m.refunded_paise >= m.paid_paise);
  finished uuid[] := array[first_try];
begin
  if is_all then
    finished := finished || array(
      select f.id from private.refunds f where f.order_id = new.order_id and f.retry_of is null and f.finished_at is null);
    update private.offline_refunds_due d set finished_at = new.processed_at where d.order_id = new.order_id and d.finished_at is null;
  elsif (select t.returned_paise < t.asked_paise from private.refund_attempts(first_try) t) then
    return null;
  end if;
  update private.refunds f set finished_at = new.processed_at where f.id = any (finished) and f.finished_at is null;
  delete from private.outbox o
  where o.key in (select k.stem || f.id from unnest(finished) f (id), unnest(array['mail:refund-started:', 'mail:refund-delayed:']) k (stem))
    and o.attempts = 0 and o.done_at is null;
  return null;
end $$;
create trigger refunds_finish_inserted after insert on private.refunds
  for each row when (new.status = 'processed') execute function private.finish_refunds();
create trigger refunds_finish after update of status on private.refunds
  for each row when (new.status = 'processed' and old.status <> 'processed') execute function private.finish_refunds();

-- A canceled order that was paid offline: the money is due, and the console lists it until it is recorded as paid back.
create function private.expect_offline_refund(order_id uuid) returns void
language sql set search_path = '' as $$
  insert into private.offline_refunds_due (order_id, since, due_on)
  select o.id, o.status_since, private.refund_due_on(private.day_of(o.status_since))
  from public.orders o cross join lateral private.order_balance(o.id) m
  where o.id = expect_offline_refund.order_id and o.status = 'canceled' and m.payment_id is null and m.refundable_paise > 0
  on conflict do nothing;
$$;

-- What can still be refunded of the payment or of the order that a refund is for.
create function private.refundable_for(refund private.refunds) returns bigint
language sql stable set search_path = '' as $$
  select case when refund.order_id is not null then (select m.refundable_paise from private.order_balance(refund.order_id) m)
    else (select p.amount_paise - coalesce(sum(r.amount_paise) filter (where r.status <> 'failed'), 0)::bigint
          from private.payments p left join private.refunds r on r.payment_id = p.payment_id
          where p.payment_id = refund.payment_id group by p.amount_paise) end;
$$;

-- Refunds that are not finished, each once with all of its attempts, and what is to be paid back by hand. States: queued,
-- accepted (by the provider), retrying, failed (an administrator has to decide) and by-hand. A failed one of which nothing
-- is left to refund, because a later refund covers it, is not there. Without a search path, so that queries inline it.
create function private.open_refunds() returns table (
  id uuid, order_id uuid, payment_id text, attempt_id uuid, state text, due_on date, since timestamptz, owed_paise bigint, attempts integer)
language sql stable as $$
  select k.id, k.order_id, k.payment_id, k.attempt_id, k.state, k.due_on, k.since,
         case when k.state = 'failed' then least(k.owed_paise, k.refundable_paise) else k.owed_paise end, k.attempts
  from (
    select f.id, f.order_id, f.payment_id, f.due_on, f.created_at as since, t.asked_paise - t.returned_paise as owed_paise, t.attempts,
           coalesce(t.open_attempt, t.failed_attempt, f.id) as attempt_id,
           case when a.id is null then 'failed' when a.status = 'pending' then 'accepted'
                when a.retry_of is not null then 'retrying' else 'queued' end as state,
           case when a.id is null then private.refundable_for(f) else t.asked_paise end as refundable_paise
    from private.refunds f
    cross join lateral private.refund_attempts(f.id) t
    left join private.refunds a on a.id = t.open_attempt
    where f.retry_of is null and f.finished_at is null
  ) k
  where k.state <> 'failed' or k.refundable_paise > 0
  union all
  select d.order_id, d.order_id, null, null, 'by-hand', d.due_on, d.since, m.refundable_paise, 0
  from private.offline_refunds_due d cross join lateral private.order_balance(d.order_id) m
  where d.finished_at is null;
$$;

-- The email that a refund takes longer than promised, once for all of its attempts.
create function private.queue_delay_email(first_try uuid, at timestamptz) returns void
language sql set search_path = '' as $$
  insert into private.outbox (kind, key, payload, run_after, created_at)
  values ('mail', 'mail:refund-delayed:' || first_try, jsonb_build_object('template', 'refund-delayed', 'refund_id', first_try), at, at)
  on conflict (key) do nothing;
$$;

-- Emails customers whose refund was due yesterday or in the days before. Not later: sent emails are forgotten after a month.
-- Returns how many refunds there are.
create function public.queue_refund_delays(at timestamptz default now()) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  late uuid[] := array(
    select f.id from private.refunds f
    where f.retry_of is null and f.finished_at is null
      and f.due_on between private.day_of(at) - 10 and private.day_of(at) - 1
    order by f.due_on, f.id limit 1000);
begin
  perform private.queue_delay_email(f.id, at) from unnest(late) f (id)
  where not exists (select from private.outbox o where o.key = 'mail:refund-delayed:' || f.id);
  return cardinality(late);
end $$;

revoke execute on function public.queue_refund_delays(timestamptz) from public, anon, authenticated;
grant execute on function public.queue_refund_delays(timestamptz) to service_role;
