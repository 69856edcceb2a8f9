-- Console: profit, closing months, and GST.
-- Administrators only. Writes month closings.
set check_function_bodies = off;

-- Closes a past month with the figures of this moment. seen_profit_paise: what the administrator has looked at.
create function public.admin_close_month(month date, seen_profit_paise bigint, at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  first date := private.month_of(month);
  reckoned record;
begin
  perform private.require_admin();
  if first is null or first + interval '1 month' > private.day_of(at) then
    perform private.reject('A month can be closed only after it ends.', 'month');
  end if;
  -- Nobody enters an expense meanwhile: either it is in the figures, or it finds the month closed.
  lock table public.expenses in share row exclusive mode;
  if private.is_closed(first) then
    raise sqlstate 'PT409' using message = 'This month is already closed.', detail = 'stale';
  end if;
  select * into reckoned from private.profit_and_loss(first, (first + interval '1 month')::date - 1);
  if seen_profit_paise is distinct from reckoned.profit_paise then
    raise sqlstate 'PT409' using message = 'The figures of this month have changed. Check them before closing.', detail = 'stale';
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
    perform private.reject('Enter a reason for reopening.', 'reason');
  end if;
  update private.month_closings c set reopened_at = at, reopened_by = auth.uid(), reopen_reason = btrim(reason)
  where c.month = first and c.reopened_at is null;
  if not found then
    raise sqlstate 'PT409' using message = 'This month is not closed.', detail = 'stale';
  end if;
  return jsonb_build_object('month', first);
end $$;

-- A financial year from April on: {year, first_year, today, months: [{month, figures, bill_tax_paise, closing}],
-- total}: the months that have begun, and their total. closing has the figures as they were when they differ: a
-- line that differs has changed since.
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
    perform private.reject('There is no such year.', 'year');
  end if;
  first := make_date(year, 4, 1);
  -- At once, instead of month by month.
  perform private.store_profit_days(first, (first + interval '1 year')::date - 1);
  select array_agg(to_jsonb(f)), jsonb_agg(jsonb_build_object('month', m.month, 'figures', to_jsonb(f),
           'bill_tax_paise', private.bill_tax_paise(m.month, (m.month + interval '1 month')::date - 1), 'closing', (
           select jsonb_build_object('closed_at', c.closed_at, 'closed_by', private.person_name(c.closed_by),
                                     'was', case when k.figures <> to_jsonb(f) then k.figures end)
           -- Months that were closed before there were offers have no discounts.
           from private.month_closings c cross join lateral (select '{"discount_paise": 0}' || c.figures as figures) k where c.month = m.month and c.reopened_at is null)) order by m.month)
  into statements, months
  from (select (first + make_interval(months => n))::date as month from generate_series(0, 11) n) m
  cross join lateral private.profit_and_loss(m.month, (m.month + interval '1 month')::date - 1) f
  where m.month <= today;
  return jsonb_build_object('year', year, 'today', today, 'first_year', private.first_financial_year(today),
                            'months', coalesce(months, '[]'), 'total', case when statements is not null then private.add_statements(statements) end);
end $$;

-- GST of a financial year, named by the year in which it begins: {year, first_year, months}.
create function public.admin_read_gst(year integer) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  chosen integer;
begin
  perform private.require_admin();
  if year is null or year not between 2000 and 2999 then
    perform private.reject('There is no such year.', 'year');
  end if;
  chosen := year;
  return jsonb_build_object(
    'year', chosen,
    'first_year', coalesce((select min(n.year) from private.document_numbers n), chosen),
    'months', private.gst_of_months(make_date(chosen, 4, 1), make_date(chosen + 1, 3, 1)));
end $$;

-- Rows of a year for the CSV file; credit notes are negative, so that every column can be added up: {rows, next}.
create function public.export_gst(filter jsonb, after jsonb, at timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  year integer;
begin
  if coalesce(filter ->> 'year', '') !~ '^2[0-9]{3}$' then
    perform private.reject('There is no such year.', 'year');
  end if;
  year := (filter ->> 'year')::integer;
  return jsonb_build_object('next', null, 'rows', (
    select coalesce(jsonb_agg(jsonb_build_array(
      to_char(g.month, 'YYYY-MM'), case g.series when 'invoice' then 'Invoices' else 'Credit notes' end, g.hsn, g.gst_percent::text,
      (s.sign * g.kilograms)::text, (s.sign * g.pieces)::text, private.format_paise(s.sign * g.taxable_paise),
      private.format_paise(s.sign * g.cgst_paise), private.format_paise(s.sign * g.sgst_paise), private.format_paise(s.sign * g.igst_paise),
      private.format_paise(s.sign * (g.taxable_paise + g.cgst_paise + g.sgst_paise + g.igst_paise)))
      order by g.month, g.hsn, g.gst_percent, g.series desc), '[]')
    from private.gst_months g cross join lateral (select case g.series when 'invoice' then 1 else -1 end as sign) s
    where g.month >= make_date(year, 4, 1) and g.month < make_date(year + 1, 4, 1)));
end $$;

-- A page of a thousand invoices of a year, then its credit notes, by number: {rows, next}.
create function public.export_documents(filter jsonb, after jsonb, at timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 1000;
  this_year smallint;
  step record;
begin
  if coalesce(filter ->> 'year', '') !~ '^2[0-9]{3}$' then
    perform private.reject('There is no such year.', 'year');
  end if;
  this_year := (filter ->> 'year')::smallint;
  select coalesce(after ->> 'series', 'invoice') as series, coalesce((after ->> 'serial')::integer, 0) as serial into step;
  return (
    with page as (
      select i.serial, 'Invoice' as kind, i.number, i.issued_at, null as invoice, i, i.taxable_paise, i.cgst_paise, i.sgst_paise, i.igst_paise, i.total_paise
      from private.invoices i
      where step.series = 'invoice' and i.year = this_year and i.serial > step.serial and i.issued_at <= at
      union all
      select n.serial, 'Credit note', n.number, n.issued_at, i.number, i, -n.taxable_paise, -n.cgst_paise, -n.sgst_paise, -n.igst_paise, -n.total_paise
      from private.credit_notes n join private.invoices i on i.id = n.invoice_id
      where step.series = 'credit note' and n.year = this_year and n.serial > step.serial and n.issued_at <= at
      order by 1 limit page_size
    )
    select jsonb_build_object(
      'rows', coalesce(jsonb_agg(jsonb_build_array(
        p.number, p.kind, to_char(p.issued_at at time zone 'Asia/Kolkata', 'YYYY-MM-DD'), p.invoice, o.number, (p.i).recipient ->> 'name',
        g.name, (p.i).place_code, private.format_paise(p.taxable_paise), private.format_paise(p.cgst_paise),
        private.format_paise(p.sgst_paise), private.format_paise(p.igst_paise), private.format_paise(p.total_paise)) order by p.serial), '[]'),
      'next', case when count(*) = page_size then jsonb_build_object('series', step.series, 'serial', max(p.serial))
                   when step.series = 'invoice' then jsonb_build_object('series', 'credit note', 'serial', 0) end)
    from page p
    join public.orders o on o.id = (p.i).order_id
    left join private.gst_states g on g.code = (p.i).place_code);
end $$;

revoke execute on function
  public.export_gst(jsonb, jsonb, timestamptz), public.export_documents(jsonb, jsonb, timestamptz)
  from public, anon, authenticated;
grant execute on function
  public.export_gst(jsonb, jsonb, timestamptz), public.export_documents(jsonb, jsonb, timestamptz)
  to service_role;
