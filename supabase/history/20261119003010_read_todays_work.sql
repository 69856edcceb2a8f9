-- What the owner asks in the morning: what is to be done, what is to be collected and paid, and what the month brings.

-- Everything that waits for somebody, for the dashboard, the menus and the tabs of the orders: what admin_read_todo() counts,
-- and money and deadlines besides. Counts stop at a thousand; sums are of what was counted.
create function public.admin_read_work(at timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  today constant date := private.day_of(at);
begin
  perform private.require_admin();
  return public.admin_read_todo(at)
    || (select jsonb_build_object('to_collect', count(*), 'to_collect_paise', coalesce(sum(c.total_amount) * 100, 0)::bigint)
        from (select o.total_amount from public.orders o where private.is_to_collect(o.status, o.payment_status)
              order by o.created_at desc, o.id desc limit 1000) c)
    || jsonb_build_object(
      'undelivered', (select count(*) from (select from public.orders o where o.status = 'Undelivered' limit 1000) n),
      'refund_due_on', (select min(private.refund_due_on(o)) from (
        select o.* from public.orders o where private.is_to_give_back(o.status, o.payment_status) limit 1000) o))
    || (select jsonb_build_object('bills_overdue', count(*), 'bills_overdue_paise', coalesce(sum(b.unpaid) * 100, 0)::bigint)
        from private.open_bills() b where b.due_on < today)
    || (select jsonb_build_object('expenses_due', count(*), 'expenses_due_paise', coalesce(sum(e.amount) * 100, 0)::bigint)
        from public.expenses e where e.next_due_on <= today);
end $$;

-- Profit and loss of this month so far, beside as many days of the month before.
create function public.admin_read_month_profit(at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  today date;
  month date;
  month_before date;
begin
  perform private.require_admin();
  today := private.day_of(at);
  month := date_trunc('month', today)::date;
  month_before := (month - interval '1 month')::date;
  return jsonb_build_object(
    'month', month, 'month_before', month_before,
    'now', (select to_jsonb(f) from private.profit_and_loss(month, today) f),
    -- The 31st of a month is compared with the whole of a shorter one.
    'before', (select to_jsonb(f) from private.profit_and_loss(month_before, least(month_before + (today - month), month - 1)) f));
end $$;

select private.open_console_requests();
