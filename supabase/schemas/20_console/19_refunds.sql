-- Console: the list of refunds, trying one again, and recording what was paid back by hand.
-- Administrators only. Writes refunds.
set check_function_bodies = off;

-- Refunds, each once with all of its attempts. Open ones by their due day, so that overdue ones are first, with what they come
-- to by age; finished ones, newest first, with how long those of the last 90 days took. `age`: overdue, soon (within two
-- days) or in-time; `state`: one of open_refunds(), or to-decide: those that an administrator has to see to.
create function public.admin_list_refunds(
  shown text default 'open', age text default '', state text default '', after text default null, at timestamptz default now())
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 50;
  most constant integer := 1000;
  today constant date := private.day_of(at);
  start jsonb;
  from_day date;
  to_day date;
  states text[];
  entries jsonb;
  counted integer;
  groups jsonb;
begin
  perform private.require_admin();
  start := private.page_start(after);
  states := case state when '' then array['queued', 'accepted', 'retrying', 'failed', 'by-hand']
                       when 'to-decide' then array['failed', 'by-hand'] else array[state] end;
  if shown = 'finished' then
    select coalesce(jsonb_agg(private.finished_refund_row(p.f) order by p.finished_at desc, p.id desc), '[]') into entries
    from (
      select f, f.finished_at, f.id from private.refunds f
      where f.retry_of is null and f.finished_at is not null
        and (start is null or (f.finished_at, f.id) < ((start ->> 'key')::timestamptz, (start ->> 'id')::uuid))
      order by f.finished_at desc, f.id desc limit page_size + 1) p;
    counted := (select count(*) from (
      select from private.refunds f where f.retry_of is null and f.finished_at is not null limit most + 1) n);
    return private.page_of_refunds(entries, 'finished_at', page_size, counted, most)
      || jsonb_build_object('shown', 'finished', 'speed', private.refund_speed(today));
  end if;

  from_day := case age when 'soon' then today when 'in-time' then today + 3 else '-infinity' end;
  to_day := case age when 'overdue' then today - 1 when 'soon' then today + 2 else 'infinity' end;
  -- There are never many: all of them are read once.
  with open as materialized (
    select r.* from private.open_refunds() r
  ), chosen as (
    select o.* from open o where o.due_on between from_day and to_day and o.state = any (states)
  ), page as (
    select c.* from chosen c
    where start is null or (c.due_on, c.id) > ((start ->> 'key')::date, (start ->> 'id')::uuid)
    order by c.due_on, c.id limit page_size + 1
  ), sums as (
    select case when o.due_on < today then 'overdue' when o.due_on <= today + 2 then 'soon' else 'in-time' end as age,
           count(*) as refunds, sum(o.owed_paise)::bigint as paise
    from open o group by 1
  )
  select (select coalesce(jsonb_agg(private.open_refund_row(p.id, p.order_id, p.attempt_id, to_jsonb(p), today) order by p.due_on, p.id), '[]')
          from page p),
         (select count(*) from chosen),
         (select jsonb_object_agg(g.age, jsonb_build_object('count', coalesce(s.refunds, 0), 'paise', coalesce(s.paise, 0)))
          from unnest(array['overdue', 'soon', 'in-time']) g (age) left join sums s on s.age = g.age)
  into entries, counted, groups;
  return private.page_of_refunds(entries, 'due_on', page_size, counted, most) || jsonb_build_object('shown', 'open', 'groups', groups);
exception when data_exception then
  perform private.reject('This page of the list does not exist. Start again from the first page.', 'after');
end $$;

create function private.page_of_refunds(entries jsonb, sort_key text, page_size integer, counted integer, most integer) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object(
    'rows', (select coalesce(jsonb_agg(e.entry order by e.place), '[]')
             from jsonb_array_elements(entries) with ordinality e (entry, place) where e.place <= page_size),
    'next', case when jsonb_array_length(entries) > page_size then jsonb_build_object(
      'key', entries -> (page_size - 1) -> sort_key, 'id', entries -> (page_size - 1) -> 'id')::text end,
    'count', least(counted, most), 'count_is_capped', counted > most);
$$;

-- Whose money it is, for which order and why; `seen` is sent back with a change. Of an order without an account its own name.
create function private.refund_head(order_id uuid, payment_id text) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'order', case when o.id is not null then jsonb_build_object('id', o.id, 'number', o.number, 'seen', o.updated_at) end,
    'customer', coalesce(private.person_name(coalesce(o.user_id, p.user_id)), o.delivery_name), 'customer_id', coalesce(o.user_id, p.user_id),
    'phone', o.delivery_phone)
  from (values (1)) one (one)
  left join public.orders o on o.id = refund_head.order_id
  left join private.payments p on p.payment_id = refund_head.payment_id;
$$;

create function private.open_refund_row(id uuid, order_id uuid, attempt_id uuid, found jsonb, today date) returns jsonb
language sql stable set search_path = '' as $$
  select private.refund_head(open_refund_row.order_id, coalesce(found ->> 'payment_id', f.payment_id)) || jsonb_build_object(
    'id', open_refund_row.id, 'state', found ->> 'state', 'made_at', found -> 'since', 'due_on', found -> 'due_on',
    'days_left', private.working_days_left(today, (found ->> 'due_on')::date), 'amount_paise', found -> 'owed_paise',
    'attempts', found -> 'attempts', 'reason', coalesce(f.reason, 'order canceled'), 'note', coalesce(f.note, o.cancel_reason, ''),
    'accepted_at', a.accepted_at, 'provider_refund_id', a.provider_refund_id,
    'next_try_at', (select w.run_after from private.outbox w where w.key = 'refund:' || a.id and w.done_at is null),
    'failed_attempt', t.failed_attempt, 'failed_at', t.last_failed_at,
    'failure', coalesce((select e.failure from private.refunds e where e.id = t.failed_attempt), ''))
  from (values (1)) one (one)
  left join private.refunds f on f.id = open_refund_row.id
  left join private.refunds a on a.id = open_refund_row.attempt_id
  left join public.orders o on f.id is null and o.id = open_refund_row.order_id
  left join lateral private.refund_attempts(f.id) t on f.id is not null;
$$;

-- The attempt with which the last of a refund went back; of most refunds the only one.
create function private.last_attempt(first private.refunds) returns private.refunds
language sql stable set search_path = '' as $$
  select r from private.refunds r
  where first.status <> 'processed' and r.retry_of = first.id and r.status = 'processed'
  order by r.processed_at desc, r.id limit 1;
$$;

-- When it was made, when the money went back, and whether that was by its due day. What was paid offline was due from the
-- cancellation on.
create function private.refund_times(
  first private.refunds, last private.refunds, out made_at timestamptz, out sent_on date, out days integer, out is_in_time boolean)
language sql stable set search_path = '' as $$
  select k.made_at, k.sent_on, greatest(k.sent_on - private.day_of(k.made_at), 0), k.sent_on <= first.due_on
  from (
    select coalesce(case when first.payment_id is null then (
                      select d.since from private.offline_refunds_due d where d.order_id = first.order_id) end, first.created_at) as made_at,
           coalesce(last.paid_on, first.paid_on, private.day_of(first.finished_at)) as sent_on
  ) k;
$$;

create function private.finished_refund_row(first private.refunds) returns jsonb
language sql stable set search_path = '' as $$
  select private.refund_head(first.order_id, first.payment_id) || to_jsonb(m) || jsonb_build_object(
    'id', first.id, 'finished_at', first.finished_at, 'due_on', first.due_on, 'amount_paise', t.returned_paise, 'attempts', t.attempts,
    'reason', first.reason, 'note', first.note, 'is_by_hand', first.payment_id is null or k.method is not null, 'method', k.method,
    'reference', coalesce(k.reference, ''), 'provider_refund_id', k.provider_refund_id)
  from (select private.last_attempt(first) as last) l
  cross join lateral (
    select coalesce((l.last).method, first.method) as method, (l.last).paid_on,
           case when (l.last).id is null then first.reference else (l.last).reference end as reference,
           case when (l.last).id is null then first.provider_refund_id else (l.last).provider_refund_id end as provider_refund_id) k
  cross join lateral private.refund_attempts(first.id) t
  cross join lateral private.refund_times(first, l.last) m;
$$;

-- How long the refunds took that were finished in the last 90 days.
create function private.refund_speed(today date) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'count', count(*), 'in_time', count(*) filter (where m.is_in_time),
    'median_days', percentile_cont(0.5) within group (order by m.days))
  from private.refunds f cross join lateral private.refund_times(f, private.last_attempt(f)) m
  where f.retry_of is null and f.finished_at >= private.start_of(today - 89) and f.finished_at < private.start_of(today + 1);
$$;

-- The first attempt of the latest failed refund of which a part is neither back nor being retried.
create function private.refund_to_retry(order_id uuid) returns uuid
language sql stable set search_path = '' as $$
  select t.first_try from private.order_refund_attempts(refund_to_retry.order_id) t
  where t.last_failed_at is not null and t.returned_paise + t.under_way_paise < t.asked_paise
  order by t.last_failed_at desc, t.first_try limit 1;
$$;

-- A failed attempt of an order, or of a payment that became none, with its order or payment locked.
create function private.lock_failed_refund(order_id uuid, refund_id uuid) returns private.refunds
language plpgsql set search_path = '' as $$
declare
  failed private.refunds;
begin
  select * into failed from private.refunds r
  where r.id = lock_failed_refund.refund_id and r.order_id is not distinct from lock_failed_refund.order_id and r.status = 'failed';
  if failed.id is null then
    raise sqlstate 'PT404' using message = 'Failed refund not found.';
  end if;
  perform from private.payments p where failed.order_id is null and p.payment_id = failed.payment_id for no key update;
  return failed;
end $$;

-- Retries a failed refund now: the attempts that wait, and a new one for what none of them covers. Without an order: of a
-- payment that became none.
create function public.admin_retry_refund(order_id uuid, refund_id uuid, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.orders;
  failed private.refunds;
  first_try uuid;
  tries record;
  missing bigint;
  refundable bigint;
  another uuid;
begin
  perform private.require_admin();
  if order_id is not null then
    taken := private.lock_unchanged_order(order_id, seen);
  end if;
  failed := private.lock_failed_refund(taken.id, refund_id);
  first_try := coalesce(failed.retry_of, failed.id);
  select * into tries from private.refund_attempts(first_try);
  with hurried as (
    update private.outbox o set run_after = now()
    from private.refunds r
    where r.retry_of = first_try and r.status in ('queued', 'pending') and o.key = 'refund:' || r.id and o.done_at is null
    returning r.id
  )
  update private.refunds r set hurried_at = now(), asked_by = auth.uid()
  from hurried h where r.id = h.id
  returning r.id into another;
  missing := tries.asked_paise - tries.returned_paise - tries.under_way_paise;
  if missing > 0 then
    refundable := private.refundable_for(failed);
    if missing > refundable then
      perform private.reject(format('At most %s can be refunded.', private.format_rupees(refundable)));
    end if;
    -- For its sweet, as long as that still has so much to give back.
    another := private.new_refund(failed.payment_id, taken.id, missing, failed.reason, now(), now(), failed.note, auth.uid(), first_try,
      (select l.order_item_id from private.refundable_lines(taken.id) l where l.order_item_id = failed.order_item_id and l.paise >= missing));
  elsif another is null then
    perform private.reject('This refund is already on its way.');
  end if;
  update public.orders o set payment_status = o.payment_status where o.id = taken.id returning * into taken;
  return jsonb_build_object('refund_id', another, 'updated_at', taken.updated_at);
end $$;

-- Writes down what the shop paid back itself: how, with which reference and on which day. The caller has locked the order or
-- the payment. Where it is said how, the bank's reference is needed: the customer looks for it.
create function private.record_refund_by_hand(
  payment_id text, order_id uuid, amount_paise bigint, reason text, note text, retry_of uuid, order_item_id bigint,
  method text, reference text, paid_on date, at timestamptz) returns uuid
language plpgsql set search_path = '' as $$
declare
  today constant date := private.day_of(at);
  number constant text := private.validate_text(reference, 'reference', 'The reference', 100);
  refund_id uuid;
begin
  if method is not null and method not in ('cash', 'upi', 'card', 'bank') then
    perform private.reject('Choose how you paid it back.', 'method');
  elsif method in ('upi', 'bank') and number = '' then
    perform private.reject('Enter the UTR or transaction number. The customer needs it to find the money.', 'reference');
  elsif paid_on > today then
    perform private.reject('This day is in the future. Record the refund once it is paid.', 'paid_on');
  elsif paid_on < (select private.day_of(o.created_at) from public.orders o where o.id = record_refund_by_hand.order_id)
     or paid_on < (select private.day_of(p.created_at) from private.payments p where p.payment_id = record_refund_by_hand.payment_id) then
    perform private.reject('This day is before the order was paid.', 'paid_on');
  end if;
  refund_id := private.new_refund(payment_id, order_id, amount_paise, reason, at, at, note, auth.uid(), retry_of, order_item_id,
    is_done => true, method => record_refund_by_hand.method, reference => number,
    paid_on => case when record_refund_by_hand.method is not null then coalesce(record_refund_by_hand.paid_on, today) end);
  perform private.mark_payment_refunded(payment_id);
  perform private.queue_refund_email(r.id, at)
  from private.refunds r
  left join public.orders o on o.id = r.order_id
  left join private.payments p on p.payment_id = r.payment_id
  where r.id = refund_id and private.is_refund_emailed(r) and coalesce(o.user_id, p.user_id) is not null;
  return refund_id;
end $$;

-- Records that the shop paid back a failed refund itself, or, without one, what is due of a canceled order that was paid
-- offline. Attempts that wait are withdrawn; one that the provider may have seen is not, so that nothing is paid twice.
-- `amount_paise` is what the administrator saw and paid: all that is missing.
create function public.admin_record_refund(
  order_id uuid, refund_id uuid, amount_paise bigint, method text, reference text, paid_on date) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.orders;
  failed private.refunds;
  first_try uuid;
  tries record;
  missing bigint;
  recorded uuid;
begin
  perform private.require_admin();
  select * into taken from public.orders o where o.id = admin_record_refund.order_id for no key update;
  if method is null then
    perform private.reject('Choose how you paid it back.', 'method');
  elsif paid_on is null then
    perform private.reject('Choose the day on which you paid it back.', 'paid_on');
  end if;
  if refund_id is null then
    missing := (select m.refundable_paise from private.order_balance(taken.id) m where m.payment_id is null);
    if taken.status is distinct from 'canceled' or missing is null then
      raise sqlstate 'PT404' using message = 'Nothing is to be paid back for this order.';
    end if;
  else
    failed := private.lock_failed_refund(admin_record_refund.order_id, refund_id);
    first_try := coalesce(failed.retry_of, failed.id);
    with withdrawn as (
      delete from private.outbox o using private.refunds r
      where r.retry_of = first_try and r.status = 'queued' and o.key = 'refund:' || r.id and o.done_at is null and o.attempts = 0
      returning r.id
    )
    update private.refunds r set status = 'failed', failure = 'Paid back by hand instead' from withdrawn w where r.id = w.id;
    select * into tries from private.refund_attempts(first_try);
    if tries.under_way_paise > 0 then
      perform private.reject('The payment provider is working on this refund. Wait for its answer, so that nothing is paid twice.', 'amount_paise');
    end if;
    missing := least(tries.asked_paise - tries.returned_paise, private.refundable_for(failed));
  end if;
  if missing <= 0 then
    perform private.reject('This refund is already paid back.', 'amount_paise');
  elsif missing is distinct from amount_paise then
    perform private.reject(format('What is to be paid back is %s now. Check it and record it again.', private.format_rupees(missing)), 'amount_paise');
  end if;
  recorded := private.record_refund_by_hand(
    failed.payment_id, taken.id, missing, coalesce(failed.reason, 'order canceled'), coalesce(failed.note, ''), first_try,
    (select l.order_item_id from private.refundable_lines(taken.id) l where l.order_item_id = failed.order_item_id and l.paise >= missing),
    method, reference, paid_on, now());
  update public.orders o set payment_status = m.standing from private.order_balance(taken.id) m where o.id = taken.id;
  return jsonb_build_object('refund_id', recorded);
end $$;
