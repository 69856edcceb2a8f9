-- From a captured payment to an order, or to a refund: settle_payment(), whoever calls it first.

alter table public.orders add column delivery_by date;

-- Whether the size of a line means anything: it does for sweets sold by weight.
alter table public.order_items add column has_size boolean;
alter table public.order_items disable trigger order_items_never_change;
update public.order_items i set has_size = p."hasSize" from public."Products" p where p."Id" = i.product_id;
alter table public.order_items enable trigger order_items_never_change;
alter table public.order_items alter column has_size set not null;

create or replace view public.order_details_view with (security_invoker = true) as
  select o.id as order_id, o.total_amount, o.status, o.created_at, i.product_name, i.product_image,
         i.quantity, i.size, i.unit_price, o.user_id,
         o.number, i.product_id, o.payment_status, o.shipping_charge, o.sub_total, o.tax, o.fulfilment,
         i.has_size, o.delivery_by, o.courier, o.tracking_number, o.tracking_url, o.cancel_reason
  from public.orders o
  join public.order_items i on i.order_id = o.id;

create index payments_provider_order_idx on private.payments (provider_order_id);

-- When to look again at a refund that the provider has not finished; null: never again.
alter table private.refunds add column next_check_at timestamptz;
create index refunds_next_check_idx on private.refunds (next_check_at) where next_check_at is not null;

-- What the provider told us, once each. Events only make us ask: what counts is what the provider answers then.
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

-- The things in a quote, whatever they cost.
create function private.things_in(lines jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_agg(jsonb_build_array(l.product_id, l.size, l.quantity) order by l.product_id, l.size)
  from jsonb_to_recordset(things_in.lines) as l (product_id bigint, size integer, quantity integer);
$$;

-- A refund and the job that asks the provider for it. The row's id is the idempotency key, so another try is another row.
create function private.new_refund(payment_id text, order_id uuid, amount_paise bigint, reason text, at timestamptz, run_after timestamptz)
returns uuid
language sql set search_path = '' as $$
  with refund as (
    insert into private.refunds (payment_id, order_id, amount_paise, reason, created_at)
    values (new_refund.payment_id, new_refund.order_id, new_refund.amount_paise, new_refund.reason, at)
    returning id
  ), job as (
    insert into private.outbox (kind, key, payload, run_after, created_at)
    select 'refund', 'refund:' || r.id, jsonb_build_object('refund_id', r.id), new_refund.run_after, at from refund r
  )
  select id from refund;
$$;

-- A captured payment that cannot become an order goes back, whole; the customer is told at once.
create function private.give_back(payment_id text, reason text, at timestamptz) returns void
language plpgsql set search_path = '' as $$
declare
  refund_id uuid := (select private.new_refund(p.payment_id, null, p.amount_paise, give_back.reason, at, at)
                     from private.payments p where p.payment_id = give_back.payment_id);
begin
  insert into private.outbox (kind, key, payload, run_after, created_at) values
    ('mail', 'mail:payment-refused:' || refund_id,
     jsonb_build_object('template', 'payment-refused', 'refund_id', refund_id), at, at);
end $$;

-- The order of a checkout: its items, its sale from stock. The caller holds the locks and has looked at the stock.
create function private.place_order(checkout private.checkouts, quote private.quotes, payment_id text, at timestamptz) returns public.orders
language plpgsql set search_path = '' as $$
declare
  placed public.orders;
begin
  perform set_config('shop.event_at', at::text, true);
  insert into public.orders (user_id, payment_status, payment_id, source, fulfilment, sub_total, tax, shipping_charge,
                             total_amount, delivery_name, delivery_phone, delivery_building_no, delivery_street,
                             delivery_city, delivery_state, delivery_zip, delivery_by, created_at, updated_at)
  values (checkout.user_id, 'paid', place_order.payment_id, quote.source, quote.fulfilment, quote.sub_total_paise / 100.0,
          quote.tax_paise / 100.0, quote.shipping_paise / 100.0, quote.total_paise / 100.0, checkout.delivery_name,
          checkout.delivery_phone, checkout.delivery_building_no, checkout.delivery_street, checkout.delivery_city,
          checkout.delivery_state, checkout.delivery_zip, quote.delivery_by, at, at)
  returning * into placed;
  insert into public.order_items (order_id, product_id, product_name, product_image, quantity, size, unit_price,
                                  gst_percent, hsn, has_size)
  select placed.id, l.product_id, l.product_name, l.product_image, l.quantity, l.size, l.unit_price, l.gst_percent, l.hsn, l.has_size
  from jsonb_to_recordset(quote.lines) as l (product_id bigint, product_name text, product_image text, quantity integer,
    size integer, unit_price numeric, gst_percent numeric, hsn text, has_size boolean)
  order by l.product_id, l.size;
  insert into public.stock_movements (product_id, quantity, reason, order_id, created_at, was_reserved)
  select u.product_id, -u.units, 'sale', placed.id, at, checkout.state = 'open' from unnest(quote.product_ids, quote.units) as u (product_id, units);
  perform set_config('shop.event_at', '', true);
  return placed;
end $$;

-- Turns a captured payment into an order, once, in one transaction; or, where that cannot be, into a refund.
-- Browser, webhook and reconciler all come here; the second to come gets the first one's answer.
create function public.settle_payment(
  provider_order_id text, payment_id text, amount_paise bigint, currency text, method text default null,
  fee_paise bigint default null, given_back boolean default false, at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  checkout private.checkouts;
  quote private.quotes;
  refusal text;
  placed public.orders;
begin
  -- The whole family, in one order: two of its payments must not become two orders.
  perform from private.checkouts c
  where c.family_id = (select f.family_id from private.checkouts f where f.provider_order_id = settle_payment.provider_order_id)
  order by c.id for update;
  select * into checkout from private.checkouts c where c.provider_order_id = settle_payment.provider_order_id;
  if checkout.id is null then
    return jsonb_build_object('outcome', 'unknown-order');
  end if;
  if exists (select from private.payments p where p.payment_id = settle_payment.payment_id) then
    return private.settled_answer(settle_payment.payment_id);
  end if;

  select * into quote from private.quotes q where q.id = checkout.quote_id;
  refusal := case
    when settle_payment.given_back then 'given-back'
    when checkout.state = 'paid' then 'second-payment'
    when exists (select from private.checkouts c join private.quotes q on q.id = c.quote_id
                 where c.family_id = checkout.family_id and c.state = 'paid'
                   and private.things_in(q.lines) = private.things_in(quote.lines)) then 'second-payment'
    when settle_payment.amount_paise <> quote.total_paise or settle_payment.currency <> 'INR' then 'wrong-amount'
  end;
  if refusal is null then
    perform private.lock_stock(quote.product_ids);
    if checkout.state <> 'open' and exists (
      select from unnest(quote.product_ids, quote.units) as u (product_id, units)
      join public.stock_levels s on s.product_id = u.product_id
      where u.units > s.on_hand - s.reserved) then
      refusal := 'sold-out';
    end if;
  end if;
  if refusal is null then
    placed := private.place_order(checkout, quote, settle_payment.payment_id, at);
    -- One more look later: attempts that were still under way may be captured after this one.
    update private.checkouts c set state = 'paid', order_id = placed.id, next_check_at = at + interval '30 minutes'
    where c.id = checkout.id;
  elsif refusal = 'second-payment' and checkout.state = 'open' then
    perform private.free_stock(array[checkout.id]);
  end if;
  insert into private.payments (payment_id, provider_order_id, order_id, user_id, amount_paise, fee_paise, method, status,
                                captured_at, created_at)
  values (settle_payment.payment_id, checkout.provider_order_id, placed.id, checkout.user_id, settle_payment.amount_paise,
          settle_payment.fee_paise, settle_payment.method, case when given_back then 'refunded' else 'captured' end, at, at);
  if refusal = 'given-back' then
    insert into private.refunds (payment_id, amount_paise, reason, status, created_at, processed_at)
    values (settle_payment.payment_id, settle_payment.amount_paise, refusal, 'processed', at, at);
  elsif refusal is not null then
    perform private.give_back(settle_payment.payment_id, refusal, at);
  end if;
  return jsonb_build_object('outcome', case when refusal is null then 'ordered' else 'refunded' end,
                            'user_id', checkout.user_id, 'order_id', placed.id, 'number', placed.number, 'reason', refusal);
end $$;

-- What became of a payment that was settled before.
create function private.settled_answer(payment_id text) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('outcome', case when p.order_id is null then 'refunded' else 'ordered' end,
                            'user_id', p.user_id, 'order_id', p.order_id, 'number', o.number,
                            'reason', (select r.reason from private.refunds r where r.payment_id = p.payment_id and p.order_id is null limit 1))
  from private.payments p left join public.orders o on o.id = p.order_id
  where p.payment_id = settled_answer.payment_id;
$$;

-- Keeps an event and makes what it tells of due at once. False when it was here before.
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
  update private.refunds r set next_check_at = at where r.provider_refund_id = record_payment_event.provider_refund_id
    and r.status = 'pending';
  return true;
end $$;

-- What the provider says of a refund. A refund that it has begun is looked at until it is finished; one that failed
-- (the shop's balance was too low, a bank was away) is tried again a day later, five times in all. Until it worked the
-- order says refund_failed, so that somebody looks.
create function public.record_refund(refund_id uuid, provider_refund_id text, status text, at timestamptz default now()) returns void
language plpgsql security definer set search_path = '' as $$
declare
  refund private.refunds;
  payment private.payments;
  given_back bigint;
  under_way boolean;
begin
  select * into refund from private.refunds r where r.id = record_refund.refund_id for update;
  -- A finished refund stays finished, whatever an old answer says.
  if refund.id is null or refund.status in ('processed', 'failed') then
    return;
  end if;
  update private.refunds r
  set status = record_refund.status, provider_refund_id = coalesce(record_refund.provider_refund_id, r.provider_refund_id),
      processed_at = case when record_refund.status = 'processed' then at end,
      next_check_at = case when record_refund.status = 'pending' then at + interval '1 hour' end
  where r.id = refund.id;
  if record_refund.status = 'pending' then
    return;
  end if;

  -- Not "for update": an order being canceled holds a key share on its payment and waits for nobody.
  select * into payment from private.payments p where p.payment_id = refund.payment_id for no key update;
  select coalesce(sum(r.amount_paise) filter (where r.status = 'processed'), 0), bool_or(r.status in ('queued', 'pending'))
  into given_back, under_way
  from private.refunds r where r.payment_id = payment.payment_id;
  if given_back >= payment.amount_paise then
    update private.payments p set status = 'refunded' where p.payment_id = payment.payment_id;
  end if;
  update public.orders o
  set payment_status = case when record_refund.status = 'failed' then 'refund_failed'
                            when under_way then 'refund_pending'
                            when given_back >= payment.amount_paise then 'refunded'
                            else 'partially_refunded' end
  where o.id = payment.order_id;
  if record_refund.status = 'processed' then
    insert into private.outbox (kind, key, payload, run_after, created_at)
    values ('mail', 'mail:refund-processed:' || refund.id,
            jsonb_build_object('template', 'refund-processed', 'refund_id', refund.id), at, at);
  elsif (select count(*) from private.refunds r where r.payment_id = payment.payment_id and r.status = 'failed') < 5 then
    perform private.new_refund(payment.payment_id, refund.order_id, refund.amount_paise, refund.reason, at, at + interval '1 day');
  end if;
end $$;

do $$
declare
  step regprocedure;
begin
  foreach step in array array[
    'public.settle_payment(text, text, bigint, text, text, bigint, boolean, timestamptz)',
    'public.record_payment_event(text, text, text, text, text, timestamptz)',
    'public.record_refund(uuid, text, text, timestamptz)']::regprocedure[] loop
    execute format('revoke execute on function %s from public, anon, authenticated', step);
    execute format('grant execute on function %s to service_role', step);
  end loop;
end $$;
revoke execute on function private.things_in(jsonb), private.new_refund(text, uuid, bigint, text, timestamptz, timestamptz), private.give_back(text, text, timestamptz),
  private.place_order(private.checkouts, private.quotes, text, timestamptz), private.settled_answer(text) from public;
