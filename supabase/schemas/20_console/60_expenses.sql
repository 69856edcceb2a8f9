-- Console: expenses, repeating ones, and their CSV files.
-- Administrators only. Writes expenses of a series.
set check_function_bodies = off;

-- Repeating expenses: {due, coming}, the second those of the coming week.
create function public.admin_list_due_expenses(at timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  today date := private.day_of(at);
begin
  perform private.require_admin();
  return (
    select jsonb_build_object(
      'due', coalesce(jsonb_agg(to_jsonb(d) order by d.next_due_on, d.id) filter (where d.next_due_on <= today), '[]'),
      'coming', coalesce(jsonb_agg(to_jsonb(d) order by d.next_due_on, d.id) filter (where d.next_due_on > today), '[]'))
    from (
      select e.id, e.next_due_on, e.category, e.vendor_id, v.name as vendor, e.description, e.repeats, e.payment_mode,
             (e.amount * 100)::bigint as amount_paise, (e.gst_amount * 100)::bigint as gst_paise
      from public.expenses e left join public.vendors v on v.id = e.vendor_id
      where e.next_due_on <= today + 7
      order by e.next_due_on, e.id
      limit 100
    ) d);
end $$;

-- Enters the expense that is due: the same again, except for what the entry changes. Returns {id}.
create function public.admin_enter_due_expense(expense_id bigint, due_on date, entry jsonb default '{}') returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  latest public.expenses;
  typed public.expenses;
  entered bigint;
  broken text;
begin
  perform private.require_admin();
  latest := private.due_expense(expense_id, admin_enter_due_expense.due_on);
  typed := private.read_due_entry(entry, latest);
  update public.expenses e set repeats = 'never' where e.id = latest.id;
  insert into public.expenses (spent_on, category, vendor_id, description, amount, gst_amount, payment_mode, receipt_path,
                               repeats, repeats_from, next_due_on, due_on, follows_id)
  values (typed.spent_on, typed.category, typed.vendor_id, typed.description, typed.amount, typed.gst_amount, typed.payment_mode,
          typed.receipt_path, latest.repeats, latest.repeats_from,
          private.next_due(latest.repeats_from, latest.repeats, latest.next_due_on), latest.next_due_on, latest.id)
  returning id into entered;
  return jsonb_build_object('id', entered);
exception when check_violation or foreign_key_violation then
  -- The table says what an expense can be; here are the words for it.
  get stacked diagnostics broken = constraint_name;
  perform private.reject(w.words, w.field)
  from (values ('expenses_category_check', 'category', 'Choose what it was for.'),
               ('expenses_vendor_id_fkey', 'vendor_id', 'Vendor not found.'),
               ('expenses_description_check', 'description', 'At most 300 characters.'),
               ('expenses_amount_check', 'amount', 'Check the amount: more than 0.'),
               ('expenses_check', 'gst', 'Check the GST part: it is in the amount.'),
               ('expenses_payment_mode_check', 'payment_mode', 'Choose a payment mode.'),
               ('expenses_receipt_path_check', 'receipt', 'The photograph cannot be found.')) w (name, field, words)
  where w.name = broken;
  raise;
end $$;

-- Skips the expense that is due. Returns {next_due_on}.
create function public.admin_skip_due_expense(expense_id bigint, due_on date) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  latest public.expenses;
begin
  perform private.require_admin();
  latest := private.due_expense(expense_id, admin_skip_due_expense.due_on);
  update public.expenses e
  set next_due_on = private.next_due(e.repeats_from, e.repeats, admin_skip_due_expense.due_on)
  where e.id = latest.id
  returning * into latest;
  return jsonb_build_object('next_due_on', latest.next_due_on);
end $$;

-- The filter {id, from, to, category, vendor_id, payment_mode, search, receipt} as conditions on e (expenses) and v
-- (vendors); $1 is the filter itself. Unused filters are left out, so that each query gets its own plan.
create function private.expense_conditions(filter jsonb) returns text
language sql immutable set search_path = '' as $$
  select coalesce(string_agg(c.condition, ' and '), 'true')
  from (values
    ('id', 'e.id = ($1 ->> ''id'')::bigint'),
    ('from', 'e.spent_on >= ($1 ->> ''from'')::date'),
    ('to', 'e.spent_on <= ($1 ->> ''to'')::date'),
    ('category', 'e.category = $1 ->> ''category'''),
    ('vendor_id', 'e.vendor_id = ($1 ->> ''vendor_id'')::bigint'),
    ('payment_mode', 'e.payment_mode = $1 ->> ''payment_mode'''),
    ('receipt', '(e.receipt_path is not null) = ($1 ->> ''receipt'' = ''with'')'),
    ('search', 'position(lower($1 ->> ''search'') in lower(e.description || '' '' || e.category || '' '' || coalesce(v.name, '''') || '' '' || e.amount)) > 0')
  ) c (name, condition)
  where coalesce(filter ->> c.name, '') <> '';
$$;

-- The filter as typed, validated.
create function private.read_expense_filter(filter jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  part record;
begin
  for part in
    select f.name, f.kind, nullif(filter ->> f.name, '') as value, f.words
    from (values ('id', 'bigint', 'Expense not found.'), ('vendor_id', 'bigint', 'Vendor not found.'),
                 ('from', 'date', 'Choose a day of the calendar.'), ('to', 'date', 'Choose a day of the calendar.')) f (name, kind, words)
  loop
    begin
      execute format('select $1::%s', part.kind) using part.value;
    exception when data_exception then
      perform private.reject(part.words, part.name);
    end;
  end loop;
  return coalesce(filter, '{}');
end $$;

-- A page of expenses, latest first or (by => 'amount') largest first: {rows, next, count, count_is_capped, totals}.
create function public.admin_list_expenses(filter jsonb default '{}', by text default 'date', after jsonb default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 50;
  wanted jsonb;
  conditions text;
  sort_key text := case admin_list_expenses.by when 'amount' then 'e.amount' else 'e.spent_on' end;
  key_type text := case admin_list_expenses.by when 'amount' then 'numeric' else 'date' end;
  page jsonb;
  summary jsonb;
begin
  perform private.require_admin();
  perform private.expect_cursor(after, jsonb_build_object('key', key_type, 'id', 'bigint'));
  wanted := private.read_expense_filter(filter);
  conditions := private.expense_conditions(wanted);
  execute format($query$
    select coalesce(jsonb_agg(to_jsonb(p) - 'sort_key' order by p.sort_key desc, p.id desc), '[]')
    from (
      select e.id, e.spent_on, e.category, e.vendor_id, v.name as vendor, e.description, (e.amount * 100)::bigint as amount_paise,
             (e.gst_amount * 100)::bigint as gst_paise, e.payment_mode, e.receipt_path, e.repeats, e.next_due_on, e.updated_at,
             private.is_closed(e.spent_on) as is_closed, %1$s as sort_key
      from public.expenses e left join public.vendors v on v.id = e.vendor_id
      where %2$s and ($2 is null or (%1$s, e.id) < (($2 ->> 'key')::%3$s, ($2 ->> 'id')::bigint))
      order by %1$s desc, e.id desc
      limit %4$s
    ) p $query$, sort_key, conditions, key_type, page_size)
  into page using wanted, after;
  execute format($query$
    select jsonb_build_object('count', least(count(*), 10000), 'count_is_capped', count(*) > 10000, 'totals', jsonb_build_object(
      'amount_paise', coalesce((sum(e.amount) * 100)::bigint, 0), 'gst_paise', coalesce((sum(e.gst_amount) * 100)::bigint, 0)))
    from public.expenses e left join public.vendors v on v.id = e.vendor_id
    where %s $query$, conditions)
  into summary using wanted;
  return summary || jsonb_build_object('rows', page, 'next', case when jsonb_array_length(page) = page_size then
    jsonb_build_object('key', case admin_list_expenses.by when 'amount' then to_jsonb((page -> -1 ->> 'amount_paise')::bigint / 100.0)
                                                          else page -> -1 -> 'spent_on' end,
                       'id', page -> -1 -> 'id') end);
end $$;

-- For the accountant, oldest first. Money in rupees, as numbers.
create function public.export_expenses(filter jsonb, after jsonb, at timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 1000;
  wanted constant jsonb := private.read_expense_filter(filter);
  lines jsonb;
  next_row jsonb;
begin
  execute format($query$
    select coalesce(jsonb_agg(jsonb_build_array(e.spent_on, e.category, coalesce(e.vendor, ''), coalesce(e.gstin, ''), e.description, e.amount,
                                                e.gst_amount, e.amount - e.gst_amount, e.payment_mode, case when e.receipt_path is null then 'no' else 'yes' end)
                              order by e.spent_on, e.id), '[]'),
           case when count(*) = %2$s then jsonb_build_object('spent_on', max(e.spent_on), 'id', (array_agg(e.id order by e.spent_on desc, e.id desc))[1]) end
    from (
      select e.*, v.name as vendor, v.gstin
      from public.expenses e left join public.vendors v on v.id = e.vendor_id
      where %1$s and ($2 is null or (e.spent_on, e.id) > (($2 ->> 'spent_on')::date, ($2 ->> 'id')::bigint))
      order by e.spent_on, e.id
      limit %2$s
    ) e $query$, private.expense_conditions(wanted), page_size)
  into lines, next_row using wanted, after;
  return jsonb_build_object('rows', lines, 'next', next_row);
end $$;

-- The profit and loss of a financial year by month, with the GST in shipping and fees.
create function public.export_profit(filter jsonb, after jsonb, at timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  year constant integer := private.parse_number(filter ->> 'year', 0);
  first date;
begin
  if year is null then
    perform private.reject('Choose a year.', 'year');
  end if;
  first := make_date(least(greatest(year, 2000), 2100), 4, 1);
  perform private.store_profit_days(first, (first + interval '1 year')::date - 1);
  return jsonb_build_object('next', null, 'rows', (
    select coalesce(jsonb_agg(jsonb_build_array(
      to_char(m.month, 'YYYY-MM'), f.orders, f.goods_paise / 100.0, f.canceled_paise / 100.0, f.refunded_paise / 100.0, f.net_sales_paise / 100.0,
      f.cost_paise / 100.0, f.unknown_cost_lines, f.unknown_cost_goods_paise / 100.0, f.gross_profit_paise / 100.0,
      f.fee_paise / 100.0, f.unknown_fee_payments, f.shipping_paise / 100.0, f.courier_paise / 100.0, f.wastage_paise / 100.0,
      f.unknown_wastage_moves, f.expenses_paise / 100.0, f.profit_paise / 100.0, f.tax_collected_paise / 100.0,
      f.shipping_tax_paise / 100.0, f.tax_spent_paise / 100.0, f.fee_tax_paise / 100.0, case when private.is_closed(m.month) then 'yes' else 'no' end) order by m.month), '[]')
    from (select (first + make_interval(months => n))::date as month from generate_series(0, 11) n) m
    cross join lateral private.profit_and_loss(m.month, (m.month + interval '1 month')::date - 1) f
    where m.month <= private.day_of(at)));
end $$;

revoke execute on function
  public.export_expenses(jsonb, jsonb, timestamptz), public.export_profit(jsonb, jsonb, timestamptz)
  from public, anon, authenticated;
grant execute on function
  public.export_expenses(jsonb, jsonb, timestamptz), public.export_profit(jsonb, jsonb, timestamptz)
  to service_role;
