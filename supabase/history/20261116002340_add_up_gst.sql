-- The GST of invoices and credit notes for the accountant, by month, HSN and rate; and every document in a file. Only read.

-- The figures of some months, from what is kept of each: [{month, invoices, credit_notes, rows: [{series, hsn, …}]}].
create function private.gst_of_months(first_month date, last_month date) returns jsonb
language sql stable set search_path = '' as $$
  with counted as (
    select m.month, coalesce(sum(m.documents) filter (where m.series = 'invoice'), 0) as invoices,
           coalesce(sum(m.documents) filter (where m.series = 'credit note'), 0) as credit_notes
    from private.document_months m where m.month between first_month and last_month group by m.month
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'month', to_char(c.month, 'YYYY-MM'), 'invoices', c.invoices, 'credit_notes', c.credit_notes,
    'rows', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'series', g.series, 'hsn', g.hsn, 'gst_percent', g.gst_percent, 'kilograms', g.kilograms, 'pieces', g.pieces,
        'taxable_paise', g.taxable_paise, 'cgst_paise', g.cgst_paise, 'sgst_paise', g.sgst_paise, 'igst_paise', g.igst_paise)
        order by g.hsn, g.gst_percent, g.series desc), '[]')
      from private.gst_months g where g.month = c.month)) order by c.month), '[]')
  from counted c;
$$;

-- A financial year, named by the year in which it begins: {year, first_year, months}.
create function public.admin_read_gst(year integer) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  chosen integer;
begin
  perform private.require_admin();
  if year is null or year not between 2000 and 2999 then
    perform private.refuse('There is no such year.', 'year');
  end if;
  chosen := year;
  return jsonb_build_object(
    'year', chosen,
    'first_year', coalesce((select min(n.year) from private.document_numbers n), chosen),
    'months', private.gst_of_months(make_date(chosen, 4, 1), make_date(chosen + 1, 3, 1)));
end $$;

-- Rows of a year for the CSV file; credit notes with a minus, so that every column can be added up: {rows, next}.
create function public.export_gst(filter jsonb, after jsonb, at timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  year integer;
begin
  if coalesce(filter ->> 'year', '') !~ '^2[0-9]{3}$' then
    perform private.refuse('There is no such year.', 'year');
  end if;
  year := (filter ->> 'year')::integer;
  return jsonb_build_object('next', null, 'rows', (
    select coalesce(jsonb_agg(jsonb_build_array(
      to_char(g.month, 'YYYY-MM'), case g.series when 'invoice' then 'Invoices' else 'Credit notes' end, g.hsn, g.gst_percent::text,
      (s.sign * g.kilograms)::text, (s.sign * g.pieces)::text, private.rupees_of_paise(s.sign * g.taxable_paise),
      private.rupees_of_paise(s.sign * g.cgst_paise), private.rupees_of_paise(s.sign * g.sgst_paise), private.rupees_of_paise(s.sign * g.igst_paise),
      private.rupees_of_paise(s.sign * (g.taxable_paise + g.cgst_paise + g.sgst_paise + g.igst_paise)))
      order by g.month, g.hsn, g.gst_percent, g.series desc), '[]')
    from private.gst_months g cross join lateral (select case g.series when 'invoice' then 1 else -1 end as sign) s
    where g.month >= make_date(year, 4, 1) and g.month < make_date(year + 1, 4, 1)));
end $$;

create function private.rupees_of_paise(paise bigint) returns text
language sql immutable set search_path = '' as $$
  select to_char(paise / 100.0, 'FM999999999990.00');
$$;

-- A thousand invoices of a year after others, then its credit notes, by number: {rows, next}.
create function public.export_documents(filter jsonb, after jsonb, at timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 1000;
  this_year smallint;
  step record;
begin
  if coalesce(filter ->> 'year', '') !~ '^2[0-9]{3}$' then
    perform private.refuse('There is no such year.', 'year');
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
        g.name, (p.i).place_code, private.rupees_of_paise(p.taxable_paise), private.rupees_of_paise(p.cgst_paise),
        private.rupees_of_paise(p.sgst_paise), private.rupees_of_paise(p.igst_paise), private.rupees_of_paise(p.total_paise)) order by p.serial), '[]'),
      'next', case when count(*) = page_size then jsonb_build_object('series', step.series, 'serial', max(p.serial))
                   when step.series = 'invoice' then jsonb_build_object('series', 'credit note', 'serial', 0) end)
    from page p
    join public.orders o on o.id = (p.i).order_id
    left join private.gst_states g on g.code = (p.i).place_code);
end $$;

revoke execute on function private.gst_of_months(date, date), private.rupees_of_paise(bigint) from public;
revoke execute on function public.export_gst(jsonb, jsonb, timestamptz), public.export_documents(jsonb, jsonb, timestamptz)
  from public, anon, authenticated;
grant execute on function public.export_gst(jsonb, jsonb, timestamptz), public.export_documents(jsonb, jsonb, timestamptz) to service_role;
select private.open_console_requests();
