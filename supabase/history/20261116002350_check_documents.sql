-- What must always be true of tax documents, beside money and stock; and the documents of what was packed before there were any.

alter function public.check_invariants() set schema private;
alter function private.check_invariants() rename to check_money_and_stock;

create function private.check_documents() returns table (invariant integer, subject text, detail text)
language sql stable security definer set search_path = '' as $$
  -- 9: numbers run from 1 without gaps or doubles
  with issued as (
    select 'invoice' as series, i.year, count(*) as many, count(distinct i.serial) as serials, min(i.serial) as first, max(i.serial) as last
    from private.invoices i group by i.year
    union all
    select 'credit note', n.year, count(*), count(distinct n.serial), min(n.serial), max(n.serial) from private.credit_notes n group by n.year
  )
  select 9, format('%s %s', coalesce(i.series, d.series), coalesce(i.year, d.year)),
         format('%s documents, numbers %s to %s, last given %s', coalesce(i.many, 0), i.first, i.last, d.last)
  from issued i full join private.document_numbers d on d.series = i.series and d.year = i.year
  where (i.many, i.serials, i.first, i.last) is distinct from (d.last::bigint, d.last::bigint, 1, d.last)
  union all -- 10: every packed order has an invoice over its total, which its lines add up to
  select 10, o.id::text, case when i.id is null then format('is %s and has no invoice', o.status)
                              else format('order %s, invoice %s, lines %s', o.total_amount, i.total_paise / 100.0, l.paise / 100.0) end
  from public.orders o
  left join private.invoices i on i.order_id = o.id
  left join lateral (
    select sum(x.taxable_paise + x.cgst_paise + x.sgst_paise + x.igst_paise) as paise
    from jsonb_to_recordset(i.lines) as x (taxable_paise bigint, cgst_paise bigint, sgst_paise bigint, igst_paise bigint)
  ) l on true
  where case when i.id is null then o.status in ('Packed', 'Shipped', 'Delivered', 'Undelivered', 'Ready', 'Collected', 'Refunded')
             else (i.total_paise, l.paise) is distinct from ((o.total_amount * 100)::bigint, o.total_amount * 100) end
  union all -- 11: credit notes never exceed their invoice, in no part of it
  select 11, i.order_id::text, format('invoice %s, credit notes %s', i.total_paise / 100.0, n.total / 100.0)
  from private.invoices i
  join (select c.invoice_id, sum(c.total_paise) as total, sum(c.taxable_paise) as taxable, sum(c.cgst_paise) as cgst,
               sum(c.sgst_paise) as sgst, sum(c.igst_paise) as igst
        from private.credit_notes c group by c.invoice_id) n on n.invoice_id = i.id
  where n.total > i.total_paise or n.taxable > i.taxable_paise or n.cgst > i.cgst_paise or n.sgst > i.sgst_paise or n.igst > i.igst_paise
  union all -- 12: the kept sums and counts are those of the documents
  select 12, format('%s %s', coalesce(d.series, k.series), to_char(coalesce(d.month, k.month), 'YYYY-MM')),
         format('documents %s, kept %s', coalesce(d.sums, '{}'), coalesce(k.sums, '{}'))
  from (
    select x.series, date_trunc('month', x.issued_at at time zone 'Asia/Kolkata')::date as month,
           array[count(*), sum(x.taxable_paise), sum(x.cgst_paise), sum(x.sgst_paise), sum(x.igst_paise)] as sums
    from (select 'invoice' as series, i.issued_at, i.taxable_paise, i.cgst_paise, i.sgst_paise, i.igst_paise from private.invoices i
          union all
          select 'credit note', n.issued_at, n.taxable_paise, n.cgst_paise, n.sgst_paise, n.igst_paise from private.credit_notes n) x
    group by 1, 2
  ) d
  full join (
    select series, month, array[max(m.documents), sum(g.taxable_paise), sum(g.cgst_paise), sum(g.sgst_paise), sum(g.igst_paise)] as sums
    from private.gst_months g full join private.document_months m using (series, month) group by 1, 2
  ) k on k.series = d.series and k.month = d.month
  where d.sums is distinct from k.sums
  union all -- 13: of what was invoiced and called off, unpaid or paid by hand, nothing stands; of what else was paid and not
            -- given back, all of it
  select 13, i.order_id::text, format('is %s and %s, paid and kept %s, invoice less credit notes %s', o.status, o.payment_status,
                                      m.kept / 100.0, (i.total_paise - n.credited) / 100.0)
  from private.invoices i
  join public.orders o on o.id = i.order_id
  left join (select c.invoice_id, sum(c.total_paise) as credited from private.credit_notes c group by c.invoice_id) c on c.invoice_id = i.id
  cross join lateral (select coalesce(c.credited, 0) as credited) n
  cross join lateral (
    select case when o.payment_status = 'unpaid' then 0 else i.total_paise - coalesce(
      (select sum(r.amount_paise) from private.refunds r where r.order_id = o.id and r.status = 'processed'), 0) end as kept
  ) m
  where (o.payment_id is null and o.status in ('canceled', 'Refunded') and n.credited < i.total_paise)
     or (n.credited > 0 and m.kept > i.total_paise - n.credited and not (o.payment_id is null and o.status = 'canceled'));
$$;

create function public.check_invariants() returns table (invariant integer, subject text, detail text)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query select * from private.check_money_and_stock(); -- which looks who asks
  return query select * from private.check_documents();
end $$;
revoke execute on function private.check_money_and_stock(), private.check_documents() from public, anon, authenticated, service_role;
revoke execute on function public.check_invariants() from public, anon;
grant execute on function public.check_invariants() to authenticated, service_role;

-- By when they were packed; of those that came in packed nobody knows more than when they were placed.
select private.issue_invoices(array_agg(p.id order by p.at), array_agg(p.at order by p.at))
from (
  select o.id, coalesce(min(e.created_at) filter (where e.to_status = 'Packed'), o.created_at) as at
  from public.orders o join public.order_events e on e.order_id = o.id
  group by o.id
  having bool_or(e.to_status = 'Packed') or o.status in ('Packed', 'Shipped', 'Delivered', 'Undelivered', 'Ready', 'Collected', 'Refunded')
) p
having count(*) > 0;

-- Those of them that were called off, unpaid or paid by hand.
select private.issue_credit_note(c.id, null, c.paise, c.at)
from (
  select o.id, (o.total_amount * 100)::bigint as paise, max(e.created_at) as at
  from public.orders o
  join private.invoices i on i.order_id = o.id
  join public.order_events e on e.order_id = o.id and e.to_status = o.status
  where o.status in ('canceled', 'Refunded') and o.payment_id is null
  group by o.id
  order by 3, o.id
) c;
