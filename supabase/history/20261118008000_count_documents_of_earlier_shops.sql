-- Shops made before private.document_months existed have documents in months that were never counted there.
-- Every other shop has a row for each of these months already and stays as it is.
insert into private.document_months (month, series, documents)
select d.month, d.series, count(*)
from (
  select date_trunc('month', private.day_of(i.issued_at))::date as month, 'invoice' as series from private.invoices i
  union all
  select date_trunc('month', private.day_of(n.issued_at))::date, 'credit note' from private.credit_notes n
) d
group by d.month, d.series
on conflict on constraint document_months_pkey do nothing;
