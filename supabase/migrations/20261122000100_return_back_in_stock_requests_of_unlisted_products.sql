-- Back-in-stock emails: one whose product is unlisted after it was queued becomes a request again, and is sent when the product is
-- listed. Until now it was dropped.
set check_function_bodies = off;

create or replace function private.lease_jobs(at timestamptz, most integer) returns setof private.outbox
language plpgsql set search_path = '' as $$
declare
  due bigint[] := array(
    select o.id from private.outbox o where o.done_at is null and o.run_after <= at
    order by private.job_priority(o.kind, o.payload), o.run_after, o.id limit most for update skip locked);
begin
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
    update private.outbox o set run_after = at + private.lease_time(), attempts = o.attempts + 1 where o.id = any (due)
    returning o.*;
end $$;

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
    where p."Id" = (payload ->> 'product_id')::bigint;
    if product."Id" is null then
      return null;
    elsif not product.is_listed or product.archived_at is not null then
      return jsonb_build_object('problem', 'the product was just unlisted'); -- lease_jobs() makes it a request again
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
