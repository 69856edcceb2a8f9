-- Blocking, erasing and counting, with stock that is held by the customer (20261118003000_hold_stock_by_customer).

-- As before, with the holds of checkouts that newer ones replaced.
create or replace function public.admin_block_customer(customer_id uuid, blocked boolean, reason text, seen timestamptz, at timestamptz default now())
returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  known private.customer_records;
  held uuid[];
begin
  perform private.require_admin();
  perform private.require_customer(customer_id);
  if blocked and exists (select from private.administrators a where a.user_id = customer_id) then
    perform private.refuse('An administrator cannot be blocked.');
  elsif blocked and coalesce(btrim(reason), '') = '' then
    perform private.refuse('Say why, so that the others know.', 'reason');
  elsif char_length(reason) > 300 then
    perform private.refuse('The reason can have 300 letters at most.', 'reason');
  end if;
  -- As open_checkout() does: nobody opens one while we look.
  perform pg_advisory_xact_lock(hashtextextended('checkout ' || customer_id, 0));
  select * into known from private.customer_records r where r.user_id = admin_block_customer.customer_id for update;
  if known.user_id is not null or seen is not null then
    perform private.expect_unchanged(seen, known.updated_at);
  end if;
  insert into private.customer_records as r (user_id, blocked_at, blocked_reason)
  values (customer_id, case when blocked then at end, case when blocked then btrim(reason) end)
  on conflict (user_id) do update set blocked_at = excluded.blocked_at, blocked_reason = excluded.blocked_reason
  where known.user_id is not null
  returning * into known;
  perform private.expect_unchanged(known.updated_at, known.updated_at);
  if blocked then
    held := array(select c.id from private.checkouts c where c.user_id = customer_id and (c.state = 'open' or c.held <> '{}') order by c.id for update);
    if cardinality(held) > 0 then
      perform private.free_stock(held);
    end if;
  end if;
  return jsonb_build_object('seen', known.updated_at, 'blocked_at', known.blocked_at, 'blocked_reason', known.blocked_reason);
end $$;

create or replace function private.erasure_hindrance(customer_id uuid) returns text
language sql stable set search_path = '' as $$
  select h.words from (
    select 1 as place, 'This is an administrator of the shop. Administrators cannot be erased.' as words
    from private.administrators a where a.user_id = erasure_hindrance.customer_id
    union all
    select 2, case when count(*) = 1 then format('Order %s is still %s. Finish or cancel it first.', min(o.number), lower(min(o.status)))
                   else format('Orders %s are still open. Finish or cancel them first.', string_agg(o.number::text, ', ' order by o.number)) end
    from private.orders_of_person(erasure_hindrance.customer_id) o
    where o.status not in ('Delivered', 'Collected', 'canceled', 'Refunded')
    having count(*) > 0
    union all
    select 3, format('The refund of order %s %s. Wait until the money is back with them.', o.number,
                     case o.payment_status when 'refund_failed' then 'failed' else 'is under way' end)
    from private.orders_of_person(erasure_hindrance.customer_id) o
    where o.payment_status in ('refund_pending', 'refund_failed')
       or exists (select from private.refunds r where r.order_id = o.id and r.status in ('queued', 'pending'))
    union all
    select 3, format('Order %s was canceled, and %s is still to be given back by hand. Record that first.', o.number, private.rupees(m.refundable_paise))
    from private.orders_of_person(erasure_hindrance.customer_id) o, private.order_money(o.id) m
    where o.status = 'canceled' and o.payment_status in ('paid_offline', 'partially_refunded') and m.refundable_paise > 0
    union all
    select 4, 'A refund of theirs is under way. Wait until the money is back with them.'
    from private.payments p join private.refunds r on r.payment_id = p.payment_id
    where p.user_id = erasure_hindrance.customer_id and r.status in ('queued', 'pending')
    union all
    select 5, 'A payment of theirs is under way. Wait until it has become an order or a refund.'
    from private.payments p where p.user_id = erasure_hindrance.customer_id and p.status in ('created', 'authorized')
    union all
    -- Banks report payments late, and we ask for five days: until then it may still become an order to deliver.
    select 6, format('They began to pay on %s. That payment may still arrive until %s; erase them after that.',
                     to_char(c.created_at at time zone 'Asia/Kolkata', 'FMDD Mon YYYY'),
                     to_char((c.created_at + interval '5 days') at time zone 'Asia/Kolkata', 'FMDD Mon YYYY'))
    from private.checkouts c
    where c.user_id = erasure_hindrance.customer_id
      and (c.state = 'open' or c.held <> '{}' or (c.state <> 'paid' and c.provider_order_id is not null and c.next_check_at is not null))
  ) h order by h.place, h.words limit 1;
$$;

-- As before, with the time that holds really last.
create or replace function private.count_refusal(product_id bigint, counted integer, expected integer, counted_at timestamptz, at timestamptz) returns text
language plpgsql stable set search_path = '' as $$
declare
  level public.stock_levels;
  has_size boolean;
  other uuid;
begin
  if counted is null or counted not between 0 and 1000000000 or expected is null or counted_at is null or counted_at > at + interval '1 minute' then
    return 'This was not counted properly. Count it again.';
  end if;
  select c.id into other from public.stock_count_lines l join public.stock_counts c on c.id = l.count_id
  where l.product_id = count_refusal.product_id and c.applied_at >= count_refusal.counted_at limit 1;
  if found then
    return format('%s booked a count of it meanwhile. Count it again.', coalesce((
      select private.person_name(a.actor_id) from public.audit_log a where a.table_name = 'stock_counts' and a.row_id = other::text), 'Somebody'));
  end if;
  select * into level from public.stock_levels s where s.product_id = count_refusal.product_id;
  if expected <> level.on_hand - (select coalesce(sum(m.quantity), 0) from public.stock_movements m
                                  where m.product_id = count_refusal.product_id and m.created_at > count_refusal.counted_at) then
    return 'It was sold or booked in the very moment of counting. Count it again.';
  elsif level.on_hand + counted - expected < level.reserved then
    select p."hasSize" into has_size from public."Products" p where p."Id" = count_refusal.product_id;
    return format('%s of it are being paid for just now, and only %s would be left. Wait %s minutes, or count again.',
      private.say_stock(level.reserved, has_size), private.say_stock(greatest(level.on_hand + counted - expected, 0), has_size),
      extract(minutes from private.hold_time()));
  end if;
  return null;
end $$;
