-- Console: vendors, what is owed to them and what was paid.
-- Administrators only. Writes vendor payments.
set check_function_bodies = off;

-- Records a payment to a vendor; repeated, it changes nothing. owed_seen_paise is what the administrator saw owed.
create function public.admin_pay_vendor(
  payment_id uuid, vendor_id bigint, owed_seen_paise bigint, amount_paise bigint, paid_on date, mode text, reference text default '',
  at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  vendor public.vendors;
  owed bigint;
begin
  perform private.require_admin();
  select * into vendor from public.vendors v where v.id = admin_pay_vendor.vendor_id for no key update;
  if vendor.id is null then
    raise sqlstate 'PT404' using message = 'Vendor not found.';
  end if;
  owed := private.owed_to(vendor.id) * 100;
  if exists (select from public.vendor_payments p where p.id = payment_id and p.vendor_id = vendor.id) then
    return jsonb_build_object('id', payment_id, 'owed_paise', owed);
  elsif owed is distinct from owed_seen_paise then
    raise sqlstate 'PT409' using message = 'Changed by someone else. Check the latest version before you save.', detail = 'stale';
  elsif amount_paise is null or amount_paise <= 0 then
    perform private.reject('Enter the amount paid.', 'amount');
  elsif amount_paise > owed then
    perform private.reject('This is more than we owe them.', 'amount');
  elsif paid_on is null or paid_on > private.day_of(at) or paid_on < private.day_of(at) - 366 then
    perform private.reject('The day is today or in the past year.', 'paid_on');
  elsif mode is null or mode not in ('Cash', 'UPI', 'Card', 'Bank transfer', 'Cheque') then
    perform private.reject('Choose a payment mode.', 'mode');
  elsif char_length(coalesce(reference, '')) > 100 then
    perform private.reject('A reference has at most 100 characters.', 'reference');
  end if;
  insert into public.vendor_payments (id, vendor_id, paid_on, mode, amount, reference, created_at)
  values (payment_id, vendor.id, admin_pay_vendor.paid_on, admin_pay_vendor.mode, amount_paise / 100.0,
          btrim(coalesce(admin_pay_vendor.reference, '')), at);
  return jsonb_build_object('id', payment_id, 'owed_paise', owed - amount_paise);
end $$;

create function public.admin_undo_vendor_payment(payment_id uuid, at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  payment public.vendor_payments;
begin
  perform private.require_admin();
  select * into payment from public.vendor_payments p where p.id = payment_id;
  if payment.id is null then
    raise sqlstate 'PT404' using message = 'Payment not found.';
  end if;
  perform from public.vendors v where v.id = payment.vendor_id for no key update;
  update public.vendor_payments p set undone_at = at where p.id = payment.id and p.undone_at is null;
  if not found then
    raise sqlstate 'PT409' using message = 'This payment was already reversed.', detail = 'stale';
  end if;
  return jsonb_build_object('id', payment.id, 'owed_paise', (private.owed_to(payment.vendor_id) * 100)::bigint);
end $$;

-- All vendors by name, with what we owe each; archived ones on request, or where something is owed.
create function public.admin_list_vendors(search text default '', with_archived boolean default false, at timestamptz default now())
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (
    with owed as (
      select m.vendor_id, sum(m.amount) as owed from (
        select b.vendor_id, b.amount from public.vendor_bills b where b.canceled_at is null
        union all select p.vendor_id, -p.amount from public.vendor_payments p where p.undone_at is null
      ) m group by m.vendor_id
    ), due as (
      select o.vendor_id, min(o.due_on) as next_due_on, sum(o.unpaid) filter (where o.due_on < private.day_of(at)) as overdue,
             sum(o.unpaid) filter (where o.due_on between private.day_of(at) and private.day_of(at) + 6) as due_soon
      from private.open_bills() o group by o.vendor_id
    ), bought as (
      select o.vendor_id, count(*) filter (where o.status in ('Ordered', 'Received')) as open_orders, max(o.ordered_at) as last_ordered_at
      from public.purchase_orders o group by o.vendor_id
    ), listed as (
      select v.id, v.name, v.contact_name, v.phone, v.payment_terms_days, v.archived_at, coalesce(b.open_orders, 0) as open_orders, b.last_ordered_at,
             d.next_due_on, (coalesce(o.owed, 0) * 100)::bigint as owed_paise, (coalesce(d.overdue, 0) * 100)::bigint as overdue_paise,
             (coalesce(d.due_soon, 0) * 100)::bigint as due_soon_paise
      from public.vendors v left join owed o on o.vendor_id = v.id left join due d on d.vendor_id = v.id left join bought b on b.vendor_id = v.id
    )
    select jsonb_build_object(
      'rows', coalesce(jsonb_agg(to_jsonb(l) order by lower(l.name), l.id) filter (
        where (l.archived_at is null or coalesce(with_archived, false) or l.owed_paise <> 0)
          and position(lower(btrim(coalesce(search, ''))) in lower(concat_ws(' ', l.name, l.contact_name, l.phone))) > 0), '[]'),
      'owed_paise', coalesce(sum(l.owed_paise) filter (where l.owed_paise > 0), 0),
      'overdue_paise', coalesce(sum(l.overdue_paise), 0), 'due_soon_paise', coalesce(sum(l.due_soon_paise), 0))
    from listed l);
end $$;

-- One vendor except the account's history; null when there is none.
create function public.admin_read_vendor(vendor_id bigint, at timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  found_vendor jsonb;
begin
  perform private.require_admin();
  select to_jsonb(v) || jsonb_build_object(
    'owed_paise', (private.owed_to(v.id) * 100)::bigint, 'bills', private.bill_facts(v.id),
    'overdue_paise', (select coalesce(sum(o.unpaid) * 100, 0)::bigint from private.open_bills(v.id) o where o.due_on < private.day_of(at)))
  into found_vendor
  from public.vendors v where v.id = admin_read_vendor.vendor_id;
  return found_vendor;
end $$;

-- What to pay, overdue first: per vendor the amount owed and its unpaid bills.
create function public.admin_list_payables(at timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object(
      'rows', coalesce(jsonb_agg(jsonb_build_object(
        'vendor_id', v.id, 'vendor', v.name, 'phone', v.phone, 'owed_paise', (d.owed * 100)::bigint,
        'overdue_paise', (d.overdue * 100)::bigint, 'next_due_on', d.next_due_on, 'bills', private.bill_facts(v.id))
        order by (d.overdue > 0) desc, d.next_due_on, lower(v.name)), '[]'),
      'owed_paise', coalesce(sum(d.owed) * 100, 0)::bigint, 'overdue_paise', coalesce(sum(d.overdue) * 100, 0)::bigint,
      'due_soon_paise', coalesce(sum(d.due_soon) * 100, 0)::bigint)
    from (
      select o.vendor_id, sum(o.unpaid) as owed, min(o.due_on) as next_due_on,
             coalesce(sum(o.unpaid) filter (where o.due_on < private.day_of(at)), 0) as overdue,
             coalesce(sum(o.unpaid) filter (where o.due_on between private.day_of(at) and private.day_of(at) + 6), 0) as due_soon
      from private.open_bills() o group by o.vendor_id
    ) d join public.vendors v on v.id = d.vendor_id);
end $$;

-- A vendor's account, newest first: bills, payments, and what was owed after each.
create function public.admin_list_vendor_account(vendor_id bigint, after jsonb default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 50;
  entries jsonb;
begin
  perform private.require_admin();
  perform private.expect_cursor(after, '{"day": "date", "created_at": "timestamptz", "id": "text"}');
  select coalesce(jsonb_agg(to_jsonb(e) order by e.day desc, e.created_at desc, e.id desc), '[]') into entries
  from (
    select w.* from (
      select a.*, (sum(a.amount_paise) over (order by a.day, a.created_at, a.id))::bigint as owed_after_paise
      from (
        select b.id::text as id, 'bill' as kind, b.billed_on as day, b.created_at, (b.amount * 100)::bigint as amount_paise,
               b.bill_number as reference, null as mode, b.due_on, r.purchase_order_id as purchase_id
        from public.vendor_bills b join public.purchase_receipts r on r.id = b.receipt_id
        where b.vendor_id = admin_list_vendor_account.vendor_id and b.canceled_at is null
        union all
        select p.id::text, 'payment', p.paid_on, p.created_at, -(p.amount * 100)::bigint, p.reference, p.mode, null, null
        from public.vendor_payments p where p.vendor_id = admin_list_vendor_account.vendor_id and p.undone_at is null
      ) a
    ) w
    where after is null
       or (w.day, w.created_at, w.id) < ((after ->> 'day')::date, (after ->> 'created_at')::timestamptz, after ->> 'id')
    order by w.day desc, w.created_at desc, w.id desc
    limit page_size + 1
  ) e;
  return private.page_of(entries, page_size, array['day', 'created_at', 'id']);
end $$;
