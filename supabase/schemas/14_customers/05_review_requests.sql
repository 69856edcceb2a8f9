-- Asking customers to review what they bought: one email for an order, some days after it was delivered or collected.
-- No tables: the outbox keeps the email until its day; whether it is still right to ask is read when it is sent.
set check_function_bodies = off;

-- How long after an order arrived the customer is asked. The one place of this number.
create function private.review_request_delay() returns interval
language sql immutable as $$ select interval '4 days' $$;

-- Queues the request that an event causes: an order arrived. The key makes it one for an order. Not for what went to another person, a
-- gift or a group: the customer has not tasted it.
create function private.queue_review_requests(event_ids bigint[], at timestamptz) returns void
language sql set search_path = '' as $$
  insert into private.outbox (kind, key, payload, run_after, created_at)
  select 'mail', 'mail:review-request:' || e.order_id,
         jsonb_build_object('template', 'review-request', 'order_id', e.order_id, 'user_id', e.user_id,
                            'due_at', least(e.created_at, at) + private.review_request_delay()),
         least(e.created_at, at) + private.review_request_delay(), least(e.created_at, at)
  from public.order_events e join public.orders o on o.id = e.order_id
  where e.id = any (event_ids) and e.to_status in ('Delivered', 'Collected') and e.undoes is null and e.user_id is not null
    and o.group_id is null and not exists (select from private.order_gifts g where g.order_id = o.id)
  -- Undone, and arrived later after all.
  on conflict (key) do update set run_after = excluded.run_after, created_at = excluded.created_at, payload = excluded.payload
  where outbox.done_at is null and outbox.attempts = 0;
$$;

-- Whether a customer is asked about an order: it arrived, and nothing about it is in dispute.
create function private.may_ask_for_review(ordered public.orders) returns boolean
language sql stable set search_path = '' as $$
  select ordered.status in ('Delivered', 'Collected') and ordered.payment_status in ('paid', 'paid_offline', 'unpaid')
    and not exists (select from private.refunds r where r.order_id = ordered.id)
    -- An open claim; one that was settled with money or goods, too.
    and not exists (select from private.claims c where c.order_id = ordered.id and (c.state <> 'decided' or c.decision <> 'refusal'));
$$;

-- What the email asks about: products of the order that can be looked at in the shop and that the customer has not reviewed. null: none
-- is left, or this is not the time to ask.
create function private.review_facts(ordered public.orders, site_url text) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('number', ordered.number, 'arrivedOn', private.day_of(ordered.status_since), 'products', p.products)
  from (
    select jsonb_agg(jsonb_build_object('name', k."Name", 'url', site_url || '/product/' || k."Id" || '#reviews') order by k.place) as products
    from (
      select s."Id", s."Name", min(i.id) as place
      from public.order_items i join public."Products" s on s."Id" = i.product_id
      where i.order_id = ordered.id and s.is_listed and s.archived_at is null
        and not exists (select from public.comments c where c.user_id = ordered.user_id and c.product_id = s."Id")
      group by s."Id" order by min(i.id) limit 10
    ) k
  ) p
  where p.products is not null and private.may_ask_for_review(ordered);
$$;
