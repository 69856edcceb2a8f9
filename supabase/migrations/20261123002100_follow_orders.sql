-- Follow orders.
set check_function_bodies = off;

drop function private.mail_content(payload jsonb, site_url text);

create function private.followed_order(order_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'number', o.number, 'placed_at', o.created_at, 'status', o.status, 'payment_status', o.payment_status, 'fulfilment', o.fulfilment,
    'delivery_by', o.delivery_by, 'deliver_on', o.deliver_on, 'missed_day', o.missed_day,
    'courier', o.courier, 'tracking_number', o.tracking_number, 'tracking_url', nullif(o.tracking_url, ''),
    'sub_total_paise', (o.sub_total * 100)::bigint, 'tax_paise', (o.tax * 100)::bigint, 'shipping_paise', (o.shipping_charge * 100)::bigint,
    'shipping_tax_paise', private.order_shipping_tax(o), 'total_paise', (o.total_amount * 100)::bigint,
    'is_gift', exists (select from private.order_gifts g where g.order_id = o.id),
    'to', jsonb_build_object('name', split_part(btrim(o.delivery_name), ' ', 1), 'city', case when o.fulfilment = 'delivery' then o.delivery_city else '' end,
                             'phone_end', right(regexp_replace(o.delivery_phone, '\D', '', 'g'), 3)),
    'events', (
      select coalesce(jsonb_agg(jsonb_build_object('status', e.to_status, 'by', e.actor_role, 'at', e.created_at) order by e.id), '[]')
      from public.order_events e
      where e.order_id = o.id and e.undoes is null and not exists (select from public.order_events u where u.undoes = e.id)),
    'items', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'product_id', case when p.is_listed and p.archived_at is null then p."Id" end, 'name', i.product_name, 'image', i.product_image,
        'quantity', i.quantity, 'size', case when i.has_size then i.size end,
        'line_paise', private.line_paise(i.unit_price, i.size, i.quantity)::bigint) order by i.id), '[]')
      from public.order_items i left join public."Products" p on p."Id" = i.product_id
      where i.order_id = o.id))
  from public.orders o where o.id = followed_order.order_id;
$$;

create function private.mail_content(payload jsonb, site_url text, at timestamptz) returns jsonb
language plpgsql volatile set search_path = '' as $$
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
  select * into ordered from public.orders o where o.id = coalesce((payload ->> 'order_id')::uuid, refund.order_id, payment.order_id);
  reader := coalesce(reader, ordered.user_id, payment.user_id);
  select jsonb_build_object('address', u.email, 'name', coalesce(nullif(btrim(m.data ->> 'full_name'), ''), nullif(btrim(m.data ->> 'name'), '')))
  into recipient
  from auth.users u cross join lateral (select private.metadata_of(u.raw_user_meta_data) as data) m
  where u.id = reader and u.email is not null;
  if recipient is null then
    return null;
  end if;

  if template = 'gift-on-its-way' then
    -- To the recipient: nothing of the buyer but the name they chose, and no amounts.
    select jsonb_build_object('address', g.recipient_email, 'name', ordered.delivery_name),
           facts || jsonb_build_object('name', ordered.delivery_name, 'sender', g.sender_name, 'city', ordered.delivery_city,
             'deliveryBy', ordered.delivery_by, 'courier', ordered.courier, 'trackingNumber', ordered.tracking_number,
             'trackingUrl', nullif(ordered.tracking_url, ''))
    into recipient, facts
    from private.order_gifts g where g.order_id = ordered.id and g.recipient_email is not null;
    if recipient is null then
      return null;
    end if;
  elsif template = 'gift-reminder' then
    facts := facts || jsonb_build_object('name', recipient -> 'name') || private.reminder_facts((payload ->> 'reminder_id')::uuid, site_url);
    if facts is null then
      return null;
    end if;
  elsif template = 'group-placed' then
    facts := facts || jsonb_build_object('name', coalesce(recipient ->> 'name', 'Customer'), 'group', (
      select jsonb_build_object('orderId', ordered.id, 'recipients', g.recipients, 'totalPaise', g.total_paise, 'placedAt', ordered.created_at)
      from private.group_orders g where g.id = ordered.group_id));
  elsif template = 'back-in-stock' then
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
                    then private.order_facts(ordered, payload ->> 'actor') || jsonb_build_object(
                      'note', payload -> 'note', 'buyer', (select b.name from private.buyers b where b.id = reader),
                      'followUrl', site_url || '/order/' || private.order_link(ordered.id, at)) end);
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

create or replace function public.claim_jobs(site_url text, at timestamptz default now(), most integer default 20) returns jsonb
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
    'refund', (select jsonb_build_object('id', r.id, 'payment_id', r.payment_id, 'amount_paise', r.amount_paise, 'reason', r.reason,
                                         'open', r.status = 'queued')
               from private.refunds r where k.kind = 'refund' and r.id = (k.payload ->> 'refund_id')::uuid)) order by k.id), '[]')
  into jobs from private.lease_jobs(at, most) k;

  return jsonb_build_object('lapsed', expired, 'derived', derived, 'checkouts', checkouts, 'refunds', refunds, 'outbox', jobs);
end $$;

create function public.order_by_link(token text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.followed_order(private.order_of_link(token, now()));
$$;

revoke execute on function private.followed_order(order_id uuid) from public, anon, authenticated;

revoke execute on function private.mail_content(payload jsonb, site_url text, at timestamp with time zone) from public, anon, authenticated;

revoke execute on function public.order_by_link(token text) from public, anon, authenticated;

grant execute on function public.order_by_link(token text) to anon;

grant execute on function public.order_by_link(token text) to authenticated;

grant execute on function public.order_by_link(token text) to service_role;
