-- Payments, refunds, and the webhook events of the payment provider.
-- Written by settling, by refunds and by webhooks, all with the service role; customers read their refunds.
set check_function_bodies = off;

-- Payments that the provider captured.
create table private.payments (
  payment_id text primary key,
  provider_order_id text not null,
  order_id uuid references public.orders (id),
  user_id uuid references auth.users (id) on delete set null,
  amount_paise bigint not null check (amount_paise >= 100),
  fee_paise bigint check (fee_paise >= 0),
  method text,
  status text not null check (status in ('created', 'authorized', 'captured', 'refunded', 'failed')),
  captured_at timestamptz,
  created_at timestamptz not null default now(),
  -- What it paid: one order, one group, or neither, and then it is refunded.
  group_id uuid references private.group_orders (id),
  check ((status in ('captured', 'refunded')) = (captured_at is not null)),
  constraint payments_of_one_thing check (order_id is null or group_id is null)
);
create index payments_order_idx on private.payments (order_id);
create index payments_user_idx on private.payments (user_id);
create index payments_provider_order_idx on private.payments (provider_order_id);
-- Partial index: payments by the day of capture, for figures and GST; authorized ones have none.
create index payments_captured_idx on private.payments (captured_at) where captured_at is not null;
-- Partial unique index: a group is paid once.
create unique index payments_group_idx on private.payments (group_id) where group_id is not null;
alter table private.payments enable row level security;

-- Refunds, each attempt a row. The id is the idempotency key that the provider gets.
create table private.refunds (
  id uuid primary key default gen_random_uuid(),
  payment_id text references private.payments (payment_id),
  order_id uuid references public.orders (id),
  amount_paise bigint not null check (amount_paise > 0),
  reason text not null,
  status text not null default 'queued' check (status in ('queued', 'pending', 'processed', 'failed')),
  provider_refund_id text unique,
  created_at timestamptz not null default now(),
  processed_at timestamptz,
  next_check_at timestamptz,
  note text not null default '' check (char_length(note) <= 300),
  -- null: the shop itself, because the order was canceled or an earlier attempt failed.
  asked_by uuid,
  -- The first attempt, which this one repeats.
  retry_of uuid references private.refunds (id),
  -- When an administrator sent this attempt before its day.
  hurried_at timestamptz,
  -- The line of the order that it is for; null: for none in particular.
  order_item_id bigint references public.order_items (id),
  -- By when it has to be sent; set once, by refund_clock(). Retries have the day of their first attempt.
  due_on date not null,
  -- Of a first attempt: when all of it was back; null while it is open.
  finished_at timestamptz,
  -- When the provider accepted it.
  accepted_at timestamptz,
  -- Why an attempt failed, in the provider's words.
  failure text not null default '' check (char_length(failure) <= 300),
  -- The bank's reference, from the provider, or what was written down about a refund by hand. Customers read it.
  reference text not null default '' check (char_length(reference) <= 100),
  -- How the shop paid it back itself, and on which day; null: through the provider, or it was not recorded.
  method text check (method in ('cash', 'upi', 'card', 'bank')),
  paid_on date,
  constraint refunds_by_hand_are_done check (
    payment_id is not null or (order_id is not null and status = 'processed' and processed_at is not null)),
  constraint refunds_with_method_are_done check (method is null or status = 'processed')
);
create index refunds_payment_idx on private.refunds (payment_id);
create index refunds_order_idx on private.refunds (order_id);
-- Partial index: refunds that the provider has not confirmed yet.
create index refunds_next_check_idx on private.refunds (next_check_at) where next_check_at is not null;
create index refunds_created_idx on private.refunds (created_at);
-- Partial indexes: few refunds are retries, and few are for a single line.
create index refunds_retry_idx on private.refunds (retry_of) where retry_of is not null;
create index refunds_order_item_idx on private.refunds (order_item_id) where order_item_id is not null;
-- Partial indexes: open refunds by their due day, and finished ones, newest first.
create index refunds_open_idx on private.refunds (due_on, id) where retry_of is null and finished_at is null;
create index refunds_finished_idx on private.refunds (finished_at, id) where retry_of is null and finished_at is not null;
alter table private.refunds enable row level security;

create trigger refunds_audit after insert on private.refunds
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');
create trigger refunds_hurry_audit after update on private.refunds
  for each row when (pg_trigger_depth() = 0 and new.hurried_at is distinct from old.hurried_at)
  execute function private.record_change('id');

-- Webhook events of the provider, once each. An event only causes a query: what counts is the provider's response.
create table private.payment_events (
  event_id text primary key,
  name text not null,
  provider_order_id text,
  payment_id text,
  provider_refund_id text,
  received_at timestamptz not null
);
create index payment_events_received_idx on private.payment_events (received_at);
alter table private.payment_events enable row level security;

-- Stores an event and makes the check of its payment due at once. False for a duplicate.
create function public.record_payment_event(
  event_id text, name text, provider_order_id text, payment_id text, provider_refund_id text, at timestamptz default now()) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.payment_events (event_id, name, provider_order_id, payment_id, provider_refund_id, received_at)
  values (record_payment_event.event_id, record_payment_event.name, record_payment_event.provider_order_id,
          record_payment_event.payment_id, record_payment_event.provider_refund_id, at)
  on conflict do nothing;
  if not found then
    return false;
  end if;
  -- What is in the books already needs no second look.
  update private.checkouts c set next_check_at = at
  where c.provider_order_id = record_payment_event.provider_order_id
    and not exists (select from private.payments p where p.payment_id = record_payment_event.payment_id);
  update private.group_orders g set next_check_at = at
  where g.provider_order_id = record_payment_event.provider_order_id
    and not exists (select from private.payments p where p.payment_id = record_payment_event.payment_id);
  update private.refunds r set next_check_at = at where r.provider_refund_id = record_payment_event.provider_refund_id
    and r.status = 'pending';
  return true;
end $$;

revoke execute on function
  public.record_payment_event(text, text, text, text, text, timestamptz)
  from public, anon, authenticated;
grant execute on function
  public.record_payment_event(text, text, text, text, text, timestamptz)
  to service_role;
