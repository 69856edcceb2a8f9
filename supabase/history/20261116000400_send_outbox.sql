-- What the worker does between requests: mail and refunds from the outbox, payments that nobody told us of,
-- stock held back too long, and sweeping.

-- Customers hear of what happens to their order. What happened long ago (a shop that moved here) is not news.
create function private.queue_order_mail() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.outbox (kind, key, payload, run_after, created_at)
  select 'mail', 'mail:event:' || new.id,
         jsonb_build_object('template', t.template, 'order_id', new.order_id, 'actor', new.actor_role), new.created_at, new.created_at
  from (values ('Pending', 'order-placed'), ('Confirmed', 'order-confirmed'), ('Shipped', 'order-shipped'),
               ('Ready', 'order-ready'), ('Delivered', 'order-delivered'), ('Collected', 'order-delivered'),
               ('canceled', 'order-canceled')) as t (status, template)
  where t.status = new.to_status
    and exists (select from public.orders o where o.id = new.order_id and o.user_id is not null);
  return null;
end $$;
create trigger order_events_queue_mail after insert on public.order_events
  for each row when (new.created_at > now() - interval '1 day') execute function private.queue_order_mail();

create or replace function private.tell_waiting() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.stock_levels s where s.product_id = new.product_id and s.on_hand > 0) then
    with told as (
      delete from public.notify_subscriptions s where s.product_id = new.product_id returning s.user_id
    )
    insert into private.outbox (kind, key, payload)
    select 'mail', format('mail:back-in-stock:%s:%s:%s', new.product_id, told.user_id, gen_random_uuid()),
           jsonb_build_object('template', 'back-in-stock', 'product_id', new.product_id, 'user_id', told.user_id)
    from told;
  end if;
  return null;
end $$;
update private.outbox set kind = 'mail', payload = payload || '{"template": "back-in-stock"}' where kind = 'back-in-stock';

-- The facts of an order as mails tell them (domain/mail).
create function private.order_facts(told public.orders, actor text) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', told.id, 'number', told.number, 'placedAt', told.created_at, 'name', told.delivery_name, 'phone', told.delivery_phone,
    'items', (select jsonb_agg(jsonb_build_object(
                'name', i.product_name, 'quantity', i.quantity, 'sizeGrams', case when i.has_size then i.size end,
                'linePaise', (i.unit_price * 100 * i.size / 500 * i.quantity)::bigint) order by i.id)
              from public.order_items i where i.order_id = told.id),
    'subTotalPaise', (told.sub_total * 100)::bigint, 'taxPaise', (told.tax * 100)::bigint,
    'shippingPaise', (told.shipping_charge * 100)::bigint, 'totalPaise', (told.total_amount * 100)::bigint,
    'isPaid', told.payment_status <> 'unpaid', 'fulfilment', told.fulfilment,
    'address', case when told.fulfilment = 'delivery' then jsonb_build_object(
      'building', told.delivery_building_no, 'street', told.delivery_street, 'city', told.delivery_city,
      'state', told.delivery_state, 'zip', told.delivery_zip) end,
    'deliveryBy', told.delivery_by, 'courier', told.courier, 'trackingNumber', told.tracking_number,
    'trackingUrl', nullif(told.tracking_url, ''), 'cancelReason', told.cancel_reason,
    'canceledBy', case when told.status = 'canceled' then case actor when 'customer' then 'customer' else 'shop' end end);
$$;

-- Everything a mail needs, read when it is sent: {to, facts}; null when there is nobody to send it to. What goes wrong
-- here is said in {problem}: one mail must not hold up the others.
create function private.mail_content(payload jsonb, site_url text) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  template text := payload ->> 'template';
  ordered public.orders;
  refund private.refunds;
  payment private.payments;
  product public."Products";
  reader uuid := (payload ->> 'user_id')::uuid;
  facts jsonb := jsonb_build_object('template', template);
  recipient jsonb;
begin
  if payload ? 'refund_id' then
    select * into refund from private.refunds r where r.id = (payload ->> 'refund_id')::uuid;
    select * into payment from private.payments p where p.payment_id = refund.payment_id;
  end if;
  select * into ordered from public.orders o where o.id = coalesce((payload ->> 'order_id')::uuid, payment.order_id);
  reader := coalesce(reader, ordered.user_id, payment.user_id);
  select jsonb_build_object('address', u.email, 'name', coalesce(nullif(btrim(m.data ->> 'full_name'), ''), nullif(btrim(m.data ->> 'name'), '')))
  into recipient
  from auth.users u cross join lateral (select private.metadata_of(u.raw_user_meta_data) as data) m
  where u.id = reader and u.email is not null;
  if recipient is null then
    return null;
  end if;

  if template = 'back-in-stock' then
    select * into product from public."Products" p
    where p."Id" = (payload ->> 'product_id')::bigint and p.is_listed and p.archived_at is null;
    if product."Id" is null then
      return null;
    end if;
    facts := facts || jsonb_build_object('name', recipient -> 'name', 'product', jsonb_build_object(
      'name', product."Name", 'url', site_url || '/product/' || product."Id",
      'imageUrl', case when product."Image" like '/%' then site_url || product."Image" else nullif(product."Image", '') end,
      'pricePaise', (product."Price" * 100)::bigint));
  else
    facts := facts || jsonb_build_object(
      'order', case when ordered.id is not null then private.order_facts(ordered, payload ->> 'actor') end);
    if refund.id is not null then
      facts := facts || jsonb_build_object(
        'name', coalesce(recipient ->> 'name', ordered.delivery_name, 'Customer'), 'amountPaise', refund.amount_paise,
        'reason', case when refund.reason in ('sold-out', 'wrong-amount', 'second-payment') then refund.reason
                       when refund.reason = 'order canceled' then 'order-canceled'
                       when refund.reason = 'order refunded' then 'order-refunded' else 'other' end);
    end if;
  end if;
  return jsonb_build_object('to', recipient, 'facts', facts || jsonb_build_object('shop', (
    select jsonb_build_object('name', s.name, 'siteUrl', site_url, 'email', s.email, 'whatsapp', s.whatsapp_number, 'address', s.address,
                              'fssai', nullif(s.fssai_number, ''))
    from public.shop_settings s)));
exception when others then
  return jsonb_build_object('problem', sqlerrm);
end $$;

-- One round of work: lapses, sweeps, and hands out what is due. What is handed out is leased, so that another worker
-- leaves it alone, and comes back by itself if this one dies.
create function public.claim_jobs(site_url text, at timestamptz default now(), most integer default 20) returns jsonb
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
    order by o.run_after, o.id limit most for update skip locked
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

-- The provider has told all it knows of a paid checkout: it is looked at once more, half an hour after the order.
create function public.finish_check(provider_order_id text, at timestamptz default now()) returns void
language sql security definer set search_path = '' as $$
  update private.checkouts c
  set next_check_at = case when o.created_at + interval '30 minutes' > at then o.created_at + interval '30 minutes' end
  from public.orders o
  where c.provider_order_id = finish_check.provider_order_id and o.id = c.order_id;
$$;

-- What nobody will ask for again. An address that was never paid for is not ours to keep.
create function public.sweep(at timestamptz default now()) returns void
language sql security definer set search_path = '' as $$
  delete from private.checkouts c
  where c.state in ('lapsed', 'superseded') and c.created_at < at - interval '30 days'
    and not exists (select from private.payments p where p.provider_order_id = c.provider_order_id);
  delete from private.quotes q
  where q.expires_at < at - interval '1 hour' and not exists (select from private.checkouts c where c.quote_id = q.id);
  delete from private.payment_events e where e.received_at < at - interval '30 days';
  delete from private.outbox o where o.done_at < at - interval '30 days';
  delete from private.turns t where t.window_start < at - interval '1 day';
$$;

create function public.finish_job(job_id bigint, note text default null, at timestamptz default now()) returns void
language sql security definer set search_path = '' as $$
  update private.outbox o set done_at = at, last_error = finish_job.note where o.id = job_id;
$$;

-- Later, and later each time: half a minute at first, six hours at most. After three days a mail is no longer news;
-- a refund is owed until it is done.
create function public.postpone_job(job_id bigint, problem text, at timestamptz default now()) returns void
language sql security definer set search_path = '' as $$
  update private.outbox o
  set last_error = left(problem, 500),
      done_at = case when o.kind = 'mail' and o.created_at < at - interval '3 days' then at end,
      run_after = at + least(interval '15 seconds' * power(2, least(o.attempts, 12)), interval '6 hours')
  where o.id = job_id and o.done_at is null;
$$;

do $$
declare
  step regprocedure;
begin
  foreach step in array array[
    'public.claim_jobs(text, timestamptz, integer)', 'public.finish_check(text, timestamptz)', 'public.sweep(timestamptz)',
    'public.finish_job(bigint, text, timestamptz)', 'public.postpone_job(bigint, text, timestamptz)']::regprocedure[] loop
    execute format('revoke execute on function %s from public, anon, authenticated', step);
    execute format('grant execute on function %s to service_role', step);
  end loop;
end $$;
revoke execute on function private.queue_order_mail(), private.order_facts(public.orders, text), private.mail_content(jsonb, text) from public;
