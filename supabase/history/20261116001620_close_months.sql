-- The profit and loss of a period, and months that are closed: their figures are kept as they were, and their expenses
-- stand. Written by administrators through the requests below.

-- Net sales are goods without tax and shipping, less what was canceled and refunded. Expenses count without their GST
-- part, which is set against the GST collected; those for Delivery stand against the shipping that customers paid (as
-- charged, its tax in it). What vendors deliver is no expense: it counts once, as the cost of goods sold.
create function private.profit_and_loss(from_day date, to_day date) returns table (
  orders integer, goods_paise bigint, canceled_paise bigint, refunded_paise bigint, net_sales_paise bigint,
  cost_paise bigint, unknown_cost_lines integer, unknown_cost_goods_paise bigint, unknown_back_lines integer,
  unknown_back_goods_paise bigint, gross_profit_paise bigint,
  fee_paise bigint, unknown_fee_payments integer, unknown_fee_paid_paise bigint,
  shipping_paise bigint, courier_paise bigint, wastage_paise bigint, unknown_wastage_moves integer,
  expenses jsonb, expenses_paise bigint, profit_paise bigint, tax_collected_paise bigint, tax_spent_paise bigint)
language plpgsql set search_path = '' as $$
begin
  perform private.keep_profit_days(from_day, to_day);
  return query
  with days as (
    select k.* from private.profit_days k where k.day between from_day and to_day
    union all
    select f.* from private.unkept_days(from_day, to_day) r cross join lateral private.day_figures(lower(r), upper(r) - 1) f
  ), sums as (
    select coalesce(sum(d.orders), 0) as orders, coalesce(sum(d.goods_paise), 0) as goods,
           coalesce(sum(d.canceled_goods_paise), 0) as canceled, coalesce(sum(d.refunded_goods_paise), 0) as refunded,
           coalesce(sum(d.cost_paise - d.cost_back_paise), 0) as cost,
           coalesce(sum(d.unknown_cost_lines), 0) as unknown_lines, coalesce(sum(d.unknown_cost_goods_paise), 0) as unknown_goods,
           coalesce(sum(d.unknown_back_lines), 0) as unknown_back_lines, coalesce(sum(d.unknown_back_goods_paise), 0) as unknown_back,
           coalesce(sum(d.fee_paise), 0) as fee, coalesce(sum(d.unknown_fee_payments), 0) as unknown_fees,
           coalesce(sum(d.unknown_fee_paid_paise), 0) as unknown_paid,
           coalesce(sum(d.shipping_paise - d.canceled_shipping_paise - d.refunded_shipping_paise), 0) as shipping,
           coalesce(sum(d.wastage_paise), 0) as wastage, coalesce(sum(d.unknown_wastage_moves), 0) as unknown_wastage,
           coalesce(sum(d.tax_paise - d.canceled_tax_paise - d.refunded_tax_paise), 0) as tax
    from days d
  ), categories as (
    select e.category, sum(e.amount - e.gst_amount) * 100 as spent, sum(e.gst_amount) * 100 as tax
    from public.expenses e where e.spent_on between from_day and to_day
    group by e.category
  ), spendings as (
    select coalesce(jsonb_object_agg(c.category, c.spent::bigint) filter (where c.category <> 'Delivery'), '{}') as by_category,
           coalesce(sum(c.spent) filter (where c.category <> 'Delivery'), 0) as spent,
           coalesce(sum(c.spent) filter (where c.category = 'Delivery'), 0) as couriers,
           coalesce(sum(c.tax), 0) as tax
    from categories c
  )
  select s.orders::integer, s.goods::bigint, s.canceled::bigint, s.refunded::bigint, n.net::bigint,
         s.cost::bigint, s.unknown_lines::integer, s.unknown_goods::bigint, s.unknown_back_lines::integer,
         s.unknown_back::bigint, (n.net - s.cost)::bigint,
         s.fee::bigint, s.unknown_fees::integer, s.unknown_paid::bigint,
         s.shipping::bigint, e.couriers::bigint, s.wastage::bigint, s.unknown_wastage::integer,
         e.by_category, e.spent::bigint,
         (n.net - s.cost - s.fee + s.shipping - e.couriers - s.wastage - e.spent)::bigint, s.tax::bigint, e.tax::bigint
  from sums s cross join spendings e cross join lateral (select s.goods - s.canceled - s.refunded as net) n;
end $$;
revoke execute on function private.profit_and_loss(date, date) from public;

-- What the worker adds up and reckons, so that nobody waits for it: the newest month of this financial year and the last
-- of which something is missing. A month at a time, so that a shop with years behind it gets there in small steps. True:
-- something was missing, ask again.
create function public.keep_figures(at timestamptz default now()) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  last_day date := private.last_kept_day(at);
  first_day date := (private.financial_year_start(last_day) - interval '1 year')::date;
  month date;
  next_month date;
begin
  select date_trunc('month', max(d.day))::date into month
  from generate_series(first_day, last_day, interval '1 day') d (day)
  where not exists (select from private.sales_steps s where s.step = 'day' and s.starts_at = private.start_of(d.day::date))
     or not exists (select from private.profit_days p where p.day = d.day::date);
  if month is null then
    -- Hours are looked at on their own day, and on the days that later ones are compared with.
    delete from private.sales_steps s where s.step = 'hour' and s.starts_at < at - interval '400 days';
    perform private.keep_crowds();
    return private.keep_order_words(at);
  end if;
  next_month := (month + interval '1 month')::date;
  perform private.keep_steps('day', private.start_of(month), private.start_of(least(next_month, last_day + 1)));
  if next_month <= last_day + 1 then
    perform private.keep_steps('month', private.start_of(month), private.start_of(next_month));
  end if;
  perform private.keep_profit_days(month, least(next_month - 1, last_day));
  return true;
end $$;
revoke execute on function public.keep_figures(timestamptz) from public, anon, authenticated;
grant execute on function public.keep_figures(timestamptz) to service_role;

-- One row each time a month was closed; it is closed while the latest of them is not reopened.
create table private.month_closings (
  id bigint generated always as identity primary key,
  month date not null check (extract(day from month) = 1),
  figures jsonb not null,
  closed_at timestamptz not null,
  closed_by uuid,
  reopened_at timestamptz,
  reopened_by uuid,
  reopen_reason text check (char_length(reopen_reason) between 3 and 300)
);
create unique index month_closings_month_idx on private.month_closings (month) where reopened_at is null;
alter table private.month_closings enable row level security;
create trigger month_closings_audit after insert or update or delete on private.month_closings
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('month');

create function private.month_of(day date) returns date
language sql immutable set search_path = '' as $$
  select date_trunc('month', day::timestamp)::date;
$$;
create function private.is_closed(day date) returns boolean
language sql stable set search_path = '' as $$
  select exists (select from private.month_closings c where c.month = private.month_of(day) and c.reopened_at is null);
$$;
revoke execute on function private.month_of(date), private.is_closed(date) from public;

-- What the books say of a closed month stands, whoever asks. A receipt may come later, and a series goes on.
create function private.guard_closed_month() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  closed date;
begin
  if tg_op = 'UPDATE' and (old.spent_on, old.category, old.vendor_id, old.description, old.amount, old.gst_amount, old.payment_mode)
     is not distinct from (new.spent_on, new.category, new.vendor_id, new.description, new.amount, new.gst_amount, new.payment_mode) then
    return new;
  end if;
  closed := case when tg_op <> 'INSERT' and private.is_closed(old.spent_on) then old.spent_on
                 when tg_op <> 'DELETE' and private.is_closed(new.spent_on) then new.spent_on end;
  if closed is not null then
    perform private.refuse(format('%s is closed. Reopen it first, or choose another date.', to_char(closed, 'FMMonth YYYY')), 'spent_on');
  end if;
  return coalesce(new, old);
end $$;
revoke execute on function private.guard_closed_month() from public;
create trigger expenses_guard_closed before insert or update or delete on public.expenses
  for each row execute function private.guard_closed_month();

-- Closes a month that is over, with the figures of this moment. seen_profit_paise: what the administrator has looked at.
create function public.admin_close_month(month date, seen_profit_paise bigint, at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  first date := private.month_of(month);
  reckoned record;
begin
  perform private.require_admin();
  if first is null or first + interval '1 month' > private.day_of(at) then
    perform private.refuse('A month can be closed when it is over.', 'month');
  end if;
  -- Nobody enters an expense meanwhile: either it is in the figures, or it finds the month closed.
  lock table public.expenses in share row exclusive mode;
  if private.is_closed(first) then
    raise sqlstate 'PT409' using message = 'This month is closed already.', detail = 'stale';
  end if;
  select * into reckoned from private.profit_and_loss(first, (first + interval '1 month')::date - 1);
  if seen_profit_paise is distinct from reckoned.profit_paise then
    raise sqlstate 'PT409' using message = 'The figures of this month changed meanwhile. Look at them again before closing.', detail = 'stale';
  end if;
  insert into private.month_closings (month, figures, closed_at, closed_by) values (first, to_jsonb(reckoned), at, auth.uid());
  return jsonb_build_object('month', first);
end $$;

create function public.admin_reopen_month(month date, reason text, at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  first date := private.month_of(month);
begin
  perform private.require_admin();
  if char_length(btrim(coalesce(reason, ''))) not between 3 and 300 then
    perform private.refuse('Say in a few words why it is reopened.', 'reason');
  end if;
  update private.month_closings c set reopened_at = at, reopened_by = auth.uid(), reopen_reason = btrim(reason)
  where c.month = first and c.reopened_at is null;
  if not found then
    raise sqlstate 'PT409' using message = 'This month is not closed.', detail = 'stale';
  end if;
  return jsonb_build_object('month', first);
end $$;

-- The sum of several statements: every line of them is an amount or a number.
create function private.add_statements(statements jsonb[]) returns jsonb
language sql immutable set search_path = '' as $$
  with lines as (
    select l.key, l.value from unnest(statements) s cross join lateral jsonb_each(s) l
  )
  select coalesce((select jsonb_object_agg(n.key, n.total) from (
           select l.key, sum((l.value #>> '{}')::bigint) as total from lines l where l.key <> 'expenses' group by l.key) n), '{}')
      || jsonb_build_object('expenses', coalesce((select jsonb_object_agg(c.key, c.total) from (
           select e.key, sum((e.value #>> '{}')::bigint) as total
           from lines l cross join lateral jsonb_each(l.value) e where l.key = 'expenses' group by e.key) c), '{}'));
$$;
revoke execute on function private.add_statements(jsonb[]) from public;

create index vendor_bills_billed_idx on public.vendor_bills (billed_on) where canceled_at is null;

-- The GST on what vendors billed. It stands beside the statement and not in it: a bill may come after its month is closed.
create function private.bill_tax_paise(from_day date, to_day date) returns bigint
language sql stable set search_path = '' as $$
  select (coalesce(sum(b.gst), 0) * 100)::bigint from public.vendor_bills b
  where b.canceled_at is null and b.billed_on between from_day and to_day;
$$;
revoke execute on function private.bill_tax_paise(date, date) from public;

-- A financial year from April on: {year, first_year, today, months: [{month, figures, bill_tax_paise, closing}], total}: the
-- months that have begun, and their sum. closing has
-- the figures as they were, where they are not the same any more: a line that differs is one that changed since.
create function public.admin_read_profit(year integer, at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  today date := private.day_of(at);
  first date;
  months jsonb;
  statements jsonb[];
begin
  perform private.require_admin();
  if year is null or year not between 2000 and 2100 then
    perform private.refuse('There is no such year.', 'year');
  end if;
  first := make_date(year, 4, 1);
  -- At once, instead of month by month.
  perform private.keep_profit_days(first, (first + interval '1 year')::date - 1);
  select array_agg(to_jsonb(f)), jsonb_agg(jsonb_build_object('month', m.month, 'figures', to_jsonb(f),
           'bill_tax_paise', private.bill_tax_paise(m.month, (m.month + interval '1 month')::date - 1), 'closing', (
           select jsonb_build_object('closed_at', c.closed_at, 'closed_by', private.person_name(c.closed_by),
                                     'was', case when c.figures <> to_jsonb(f) then c.figures end)
           from private.month_closings c where c.month = m.month and c.reopened_at is null)) order by m.month)
  into statements, months
  from (select (first + make_interval(months => n))::date as month from generate_series(0, 11) n) m
  cross join lateral private.profit_and_loss(m.month, (m.month + interval '1 month')::date - 1) f
  where m.month <= today;
  return jsonb_build_object('year', year, 'today', today, 'first_year', private.first_financial_year(today),
                            'months', coalesce(months, '[]'), 'total', case when statements is not null then private.add_statements(statements) end);
end $$;

-- The financial year of the oldest thing in the books.
create function private.first_financial_year(today date) returns integer
language sql stable set search_path = '' as $$
  select extract(year from private.financial_year_start(least(today,
    (select private.day_of(min(o.created_at)) from public.orders o),
    (select min(e.spent_on) from public.expenses e))))::integer;
$$;
revoke execute on function private.first_financial_year(date) from public;

select private.open_console_requests();
