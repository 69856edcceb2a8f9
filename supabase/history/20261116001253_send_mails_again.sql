-- The mails of an order: which there are, what became of each, and sending one again. A note that an administrator leaves
-- for the customer is in the mail as well as in the order history.

create function private.mail_of_status(status text) returns text
language sql immutable set search_path = '' as $$
  select case status
    when 'Pending' then 'order-placed' when 'Confirmed' then 'order-confirmed' when 'Shipped' then 'order-shipped'
    when 'Ready' then 'order-ready' when 'Delivered' then 'order-delivered' when 'Collected' then 'order-delivered'
    when 'canceled' then 'order-canceled' end;
$$;

create function private.event_mail(event public.order_events) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object('template', private.mail_of_status(event.to_status), 'order_id', event.order_id, 'actor', event.actor_role)
         || case when event.public_note <> '' then jsonb_build_object('note', event.public_note) else '{}' end;
$$;

create or replace function private.queue_order_mail() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.outbox (kind, key, payload, run_after, created_at)
  select 'mail', 'mail:event:' || new.id, private.event_mail(new), new.created_at, new.created_at
  where private.mail_of_status(new.to_status) is not null
    and exists (select from public.orders o where o.id = new.order_id and o.user_id is not null);
  return null;
end $$;

-- As before, with the note of the event in what a mail tells of its order.
create or replace function private.mail_content(payload jsonb, site_url text) returns jsonb
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
      'order', case when ordered.id is not null
                    then private.order_facts(ordered, payload ->> 'actor') || jsonb_build_object('note', payload -> 'note') end);
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

create index outbox_order_idx on private.outbox ((payload ->> 'order_id')) where kind = 'mail' and payload ->> 'order_id' is not null;
create index outbox_refund_idx on private.outbox ((payload ->> 'refund_id')) where kind = 'mail' and payload ->> 'refund_id' is not null;
create trigger outbox_audit after insert on private.outbox
  for each row when (pg_trigger_depth() = 0 and new.key like 'mail:again:%') execute function private.record_change('id');

-- Every mail that the order's story calls for, whether it was sent or not: what was sent long ago is swept from the
-- outbox, and can be sent again all the same.
create function private.order_mails(order_id uuid) returns table (key text, template text, payload jsonb, due_at timestamptz)
language sql stable set search_path = '' as $$
  select 'mail:event:' || e.id, private.mail_of_status(e.to_status), private.event_mail(e), e.created_at
  from public.order_events e
  where e.order_id = order_mails.order_id and private.mail_of_status(e.to_status) is not null
  union all
  select 'mail:refund-processed:' || r.id, 'refund-processed',
         jsonb_build_object('template', 'refund-processed', 'refund_id', r.id), r.processed_at
  from private.refunds r
  where r.order_id = order_mails.order_id and r.status = 'processed' and r.payment_id is not null;
$$;

-- The same with every time it was sent or queued: {key, template, due_at, sendings: [{state, ...}]}, in order.
create function private.order_mail_log(order_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  with queued as (
    select o.* from private.outbox o where o.kind = 'mail' and o.payload ->> 'order_id' = order_mail_log.order_id::text
    union all
    select o.* from private.refunds r
    join private.outbox o on o.kind = 'mail' and o.payload ->> 'refund_id' = r.id::text
    where r.order_id = order_mail_log.order_id
  ), sendings as (
    select coalesce(q.payload ->> 'again', q.key) as key, jsonb_agg(jsonb_build_object(
      'state', case when q.done_at is not null and q.last_error is null then 'sent'
                    when q.done_at is not null then 'given-up'
                    when q.last_error is not null then 'retrying' else 'queued' end,
      'queued_at', q.created_at, 'done_at', q.done_at, 'problem', q.last_error) order by q.id) as log
    from queued q group by 1
  )
  select coalesce(jsonb_agg(jsonb_build_object('key', m.key, 'template', m.template, 'due_at', m.due_at,
                                               'sendings', coalesce(s.log, '[]')) order by m.due_at, m.key), '[]')
  from private.order_mails(order_mail_log.order_id) m left join sendings s on s.key = m.key;
$$;
revoke execute on function private.mail_of_status(text), private.event_mail(public.order_events), private.order_mails(uuid),
  private.order_mail_log(uuid) from public;

-- The same letter under a new key, told with what is true of the order today. Nobody wants ten of them.
create function public.admin_resend_mail(order_id uuid, mail_key text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  letter record;
begin
  perform private.require_admin();
  select * into letter from private.order_mails(admin_resend_mail.order_id) m where m.key = mail_key;
  if letter.key is null then
    raise sqlstate 'PT404' using message = 'There is no such mail.';
  elsif not exists (select from public.orders o join auth.users u on u.id = o.user_id
                    where o.id = admin_resend_mail.order_id and u.email is not null) then
    perform private.refuse('We know no e-mail address of this customer.');
  elsif not private.take_turn('resend-mail', admin_resend_mail.order_id::text, 5, interval '1 hour') then
    perform private.refuse('Five mails of this order were sent again within the hour. Please wait a little.');
  end if;
  insert into private.outbox (kind, key, payload)
  values ('mail', 'mail:again:' || gen_random_uuid(), letter.payload || jsonb_build_object('again', letter.key));
  return jsonb_build_object('template', letter.template);
end $$;

select private.open_console_requests();
