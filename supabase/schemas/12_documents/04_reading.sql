-- Invoices, credit notes and receipts as customers and the console read them.
-- No tables: customers read their own, administrators all.
set check_function_bodies = off;

create function private.invoice_document(told private.invoices) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'kind', 'invoice', 'id', told.id, 'number', told.number, 'issued_at', told.issued_at, 'order_number', o.number,
    'placed_at', o.created_at, 'is_collected', o.fulfilment = 'pickup', 'supplier', s.facts, 'recipient', told.recipient,
    'place_of_supply', private.state_named(told.place_code), 'tax_kind', told.tax_kind, 'lines', told.lines,
    'taxable_paise', told.taxable_paise, 'cgst_paise', told.cgst_paise, 'sgst_paise', told.sgst_paise,
    'igst_paise', told.igst_paise, 'total_paise', told.total_paise,
    'charged', jsonb_build_object(
      'sub_total_paise', (o.sub_total * 100)::bigint, 'discount_paise', (o.discount * 100)::bigint, 'offers', private.offer_names(o.offers), 'tax_paise', (o.tax * 100)::bigint,
      'shipping_paise', (o.shipping_charge * 100)::bigint, 'shipping_tax_paise', private.order_shipping_tax(o)))
  from private.invoice_suppliers s, public.orders o where s.id = told.supplier_id and o.id = told.order_id;
$$;

-- The offers of an order by name, for one line of text; empty for none.
create function private.offer_names(offers jsonb) returns text
language sql immutable set search_path = '' as $$
  select coalesce(string_agg(case when e.code is null then e.name else format('%s (%s)', e.name, e.code) end, ', ' order by e.place), '')
  from rows from (jsonb_to_recordset(offers) as (name text, code text)) with ordinality as e (name, code, place);
$$;

create function private.credit_note_document(told private.credit_notes) returns jsonb
language sql stable set search_path = '' as $$
  select private.invoice_document(i) || jsonb_build_object(
    'kind', 'credit note', 'id', told.id, 'number', told.number, 'issued_at', told.issued_at,
    'invoice', jsonb_build_object('number', i.number, 'issued_at', i.issued_at), 'is_refund', told.refund_id is not null,
    'lines', told.lines, 'taxable_paise', told.taxable_paise, 'cgst_paise', told.cgst_paise, 'sgst_paise', told.sgst_paise,
    'igst_paise', told.igst_paise, 'total_paise', told.total_paise)
  from private.invoices i where i.id = told.invoice_id;
$$;

-- Before an order is packed there is no invoice: what was ordered, and what is paid.
create function private.receipt_document(told public.orders) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'kind', 'receipt', 'number', told.number::text, 'issued_at', told.created_at, 'order_number', told.number,
    'placed_at', told.created_at, 'is_collected', told.fulfilment = 'pickup', 'supplier', private.supplier_facts(),
    'recipient', jsonb_build_object('name', private.sold_to(told), 'building_no', told.delivery_building_no, 'street', told.delivery_street,
                                    'city', told.delivery_city, 'state', told.delivery_state, 'zip', told.delivery_zip),
    'payment_status', told.payment_status, 'is_canceled', told.status = 'canceled',
    'lines', (select jsonb_agg(jsonb_build_object(
        'description', i.product_name || case when i.has_size then format(', %s', case i.size when 1000 then '1 kg' else '500 g' end) else '' end,
        'quantity', i.quantity, 'rate_paise', private.line_paise(i.unit_price, i.size, 1)::bigint,
        'line_paise', private.line_paise(i.unit_price, i.size, i.quantity)::bigint) order by i.id)
      from public.order_items i where i.order_id = told.id),
    'sub_total_paise', (told.sub_total * 100)::bigint, 'discount_paise', (told.discount * 100)::bigint,
    'offers', private.offer_names(told.offers), 'tax_paise', (told.tax * 100)::bigint,
    'shipping_paise', (told.shipping_charge * 100)::bigint, 'shipping_tax_paise', private.order_shipping_tax(told),
    'total_paise', (told.total_amount * 100)::bigint);
$$;

-- One document, for the edge function that draws it: the invoice of an order or, before that, its receipt; or one
-- of its credit notes. null when there is none, or when the caller is neither its customer nor an administrator.
create function public.read_document(asker uuid, order_id uuid, credit_note uuid default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  told public.orders;
begin
  select * into told from public.orders o where o.id = read_document.order_id;
  if told.id is null or asker is null or (told.user_id is distinct from asker
     and not exists (select from private.administrators a where a.user_id = asker)) then
    return null;
  elsif credit_note is not null then
    return (select private.credit_note_document(n) from private.credit_notes n join private.invoices i on i.id = n.invoice_id
            where n.id = read_document.credit_note and i.order_id = told.id);
  end if;
  return coalesce((select private.invoice_document(i) from private.invoices i where i.order_id = told.id),
                  private.receipt_document(told));
end $$;

-- A page of fifty documents for a ZIP file: the invoices of orders or of a month, each series by number, and their
-- credit notes: {documents, next, without_invoice}, the last counting the chosen orders that have none. For
-- administrators; null for other callers.
create function public.read_documents(asker uuid, order_ids uuid[] default null, month date default null, after jsonb default null)
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 50;
  first_moment constant timestamptz := private.start_of(month);
  last_moment constant timestamptz := private.start_of((month + interval '1 month')::date);
  found jsonb;
begin
  if not exists (select from private.administrators a where a.user_id = asker) then
    return null;
  end if;
  select coalesce(jsonb_agg(f.document order by f.series, f.year, f.serial), '[]') into found
  from (
    select * from (
      (select 1 as series, i.year, i.serial, private.invoice_document(i) || jsonb_build_object('place', jsonb_build_array(1, i.year, i.serial)) as document
       from private.invoices i
       where (order_ids is null or i.order_id = any (order_ids))
         and (month is null or (i.issued_at >= first_moment and i.issued_at < last_moment))
         and (after is null or ((after ->> 0)::integer = 1 and (i.year, i.serial) > ((after ->> 1)::smallint, (after ->> 2)::integer)))
       order by i.year, i.serial limit page_size)
      union all
      (select 2, n.year, n.serial, private.credit_note_document(n) || jsonb_build_object('place', jsonb_build_array(2, n.year, n.serial))
       from private.credit_notes n
       where (order_ids is null or exists (select from private.invoices i where i.id = n.invoice_id and i.order_id = any (order_ids)))
         and (month is null or (n.issued_at >= first_moment and n.issued_at < last_moment))
         and (after is null or (after ->> 0)::integer = 1 or (n.year, n.serial) > ((after ->> 1)::smallint, (after ->> 2)::integer))
       order by n.year, n.serial limit page_size)
    ) both_series
    order by 1, 2, 3 limit page_size
  ) f;
  return jsonb_build_object('documents', found,
    'without_invoice', (select count(distinct u.id) from unnest(order_ids) u (id)
                        where not exists (select from private.invoices i where i.order_id = u.id)),
    'next', case when jsonb_array_length(found) = page_size then found -> -1 -> 'place' end);
end $$;

-- The invoices and credit notes of some orders: [{order_id, kind, id, number, issued_at, total_paise}].
create function private.documents_of(order_ids uuid[]) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(to_jsonb(d) order by d.issued_at, d.number), '[]')
  from (
    select i.order_id, 'invoice' as kind, i.id, i.number, i.issued_at, i.total_paise
    from private.invoices i where i.order_id = any (order_ids)
    union all
    select i.order_id, 'credit note', n.id, n.number, n.issued_at, n.total_paise
    from private.invoices i join private.credit_notes n on n.invoice_id = i.id where i.order_id = any (order_ids)
  ) d;
$$;

create function public.my_documents(order_ids uuid[]) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.documents_of(array(select o.id from public.orders o where o.id = any (order_ids) and o.user_id = (select auth.uid())));
$$;

create function public.admin_read_documents(order_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return private.documents_of(array[order_id]);
end $$;

-- GST by month, from the stored months: [{month, invoices, credit_notes, rows: [{series, hsn, …}]}].
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

revoke execute on function
  public.read_document(uuid, uuid, uuid), public.read_documents(uuid, uuid[], date, jsonb)
  from public, anon, authenticated;
grant execute on function
  public.read_document(uuid, uuid, uuid), public.read_documents(uuid, uuid[], date, jsonb)
  to service_role;
revoke execute on function public.my_documents(uuid[]) from public, anon, authenticated;
grant execute on function public.my_documents(uuid[]) to authenticated, service_role;
