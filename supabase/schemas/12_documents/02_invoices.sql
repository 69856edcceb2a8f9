-- Invoices, issued when an order is packed, their numbers, and GST by month.
-- Append-only: written by triggers on orders. Erasing a customer blanks the recipient.
set check_function_bodies = off;

-- The prefixes of document numbers. With the year and six digits a number has at most the 16 characters that the
-- law allows.
create table private.document_series (
  series text primary key check (series in ('invoice', 'credit note')),
  prefix text not null unique check (prefix ~ '^[A-Z0-9]{1,3}$')
);
alter table private.document_series enable row level security;

insert into private.document_series (series, prefix) values ('invoice', 'MTH'), ('credit note', 'MTC');

-- The last number given, by financial year (2026 is April 2026 to March 2027). Its row is locked until the
-- transaction that took a number ends, and rolls back with it: there is no number without its document. It is the
-- last lock that a transaction takes, so that no deadlock arises.
create table private.document_numbers (
  series text not null references private.document_series (series),
  year smallint not null,
  last integer not null check (last between 1 and 999999),
  primary key (series, year)
);
alter table private.document_numbers enable row level security;

-- The seller as printed on invoices; a row for each change of the shop's facts.
create table private.invoice_suppliers (
  id integer primary key generated always as identity,
  facts jsonb not null unique
);
alter table private.invoice_suppliers enable row level security;

create trigger invoice_suppliers_never_change before update or delete or truncate on private.invoice_suppliers
  for each statement execute function private.reject_change();

-- Lines are [{description, hsn, quantity, unit, rate_paise, gst_percent, taxable_paise, cgst_paise, sgst_paise, igst_paise}], with
-- discount_paise where there is one: known at the time of supply, it reduces the taxable value (section 15 of the CGST Act).
create table private.invoices (
  id uuid primary key default gen_random_uuid(),
  order_id uuid not null unique references public.orders (id),
  year smallint not null,
  serial integer not null,
  number text not null unique check (char_length(number) <= 16),
  issued_at timestamptz not null,
  supplier_id integer not null references private.invoice_suppliers (id),
  recipient jsonb not null,
  -- The state the goods went to; null: not known, which is allowed only outside GST.
  place_code text references private.gst_states (code),
  tax_kind text not null check (tax_kind in ('intra', 'inter', 'none')),
  lines jsonb not null,
  taxable_paise bigint not null,
  cgst_paise bigint not null,
  sgst_paise bigint not null check (sgst_paise = cgst_paise),
  igst_paise bigint not null,
  total_paise bigint not null check (total_paise = taxable_paise + cgst_paise + sgst_paise + igst_paise),
  unique (year, serial)
);
create index invoices_issued_idx on private.invoices (issued_at, serial);
alter table private.invoices enable row level security;

create trigger invoices_never_emptied before truncate on private.invoices
  for each statement execute function private.reject_change();

-- What was invoiced and credited by month, HSN and rate, for the accountant: updated with each document, under the
-- lock of its number.
create table private.gst_months (
  month date not null,
  series text not null references private.document_series (series),
  hsn text not null,
  gst_percent numeric(4, 2) not null constraint gst_months_gst_percent_is_a_number check (gst_percent <> 'NaN'),
  kilograms numeric(12, 1) not null default 0
    constraint gst_months_kilograms_is_a_number check (kilograms <> 'NaN'),
  pieces bigint not null default 0,
  taxable_paise bigint not null default 0,
  cgst_paise bigint not null default 0,
  sgst_paise bigint not null default 0,
  igst_paise bigint not null default 0,
  primary key (month, series, hsn, gst_percent)
);
alter table private.gst_months enable row level security;

-- How many documents that is, updated with them: counting would take longer with every sale.
create table private.document_months (
  month date not null,
  series text not null references private.document_series (series),
  documents integer not null check (documents > 0),
  primary key (month, series)
);
alter table private.document_months enable row level security;

-- For one packed order or fifty, in any way: after every other trigger of the statement, so that their locks are
-- taken before that of the number.
create function private.invoice_packed_orders() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  ids uuid[];
begin
  select array_agg(n.id) into ids
  from packed n join unpacked o on o.id = n.id
  where n.status = 'Packed' and o.status <> 'Packed';
  if ids is not null then
    perform private.issue_invoices(ids, array_fill(private.event_moment(), array[cardinality(ids)]));
  end if;
  return null;
end $$;
create trigger orders_issue_invoices after update on public.orders
  referencing old table as unpacked new table as packed
  for each statement execute function private.invoice_packed_orders();

-- An order that is inserted as packed has its lines by the end of the transaction. The trigger's condition is that of was_packed(),
-- written out: a condition is prepared for each statement, and a function in it would have to be read each time.
create function private.invoice_order_inserted_as_packed() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.issue_invoices(array[new.id], array[private.event_moment()]);
  return null;
end $$;
create constraint trigger orders_inserted_as_packed after insert on public.orders deferrable initially deferred
  for each row when (new.status in ('Packed', 'Shipped', 'Delivered', 'Undelivered', 'Ready', 'Collected', 'Refunded'))
  execute function private.invoice_order_inserted_as_packed();

-- Documents never change, except that erasing a customer may blank the recipient of an invoice.
create function private.guard_invoice() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and private.is_erasing() and to_jsonb(new) - 'recipient' = to_jsonb(old) - 'recipient'
     and new.recipient = private.blank_recipient(old.recipient) then
    return new;
  end if;
  raise sqlstate 'PT403' using message = format('rows of %s are never changed or deleted', tg_table_name);
end $$;
create trigger invoices_never_change before update or delete on private.invoices
  for each row execute function private.guard_invoice();

-- Blanks the recipient of an erased customer's invoices. From ₹50,000 on the law requires name and address even
-- without a GSTIN, for as long as accounts are kept: those stay. By its name this runs before erasures_erase_customer,
-- which removes the account from the orders.
create function private.blank_invoices() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.invoices i set recipient = private.blank_recipient(i.recipient)
  where i.total_paise < 5000000 and i.order_id in (select o.id from private.orders_to_erase(new.customer_id, new.erased_by) o);
  return null;
end $$;

create function private.document_number(prefix text, year smallint, serial integer) returns text
language sql immutable set search_path = '' as $$
  select format('%s/%s-%s/%s', prefix, lpad((year % 100)::text, 2, '0'), lpad(((year + 1) % 100)::text, 2, '0'),
                case when serial < 100000 then lpad(serial::text, 5, '0') else serial::text end);
$$;

-- Takes a range of numbers of a series and returns the one before the first.
create function private.reserve_document_numbers(series text, year smallint, many integer) returns integer
language sql set search_path = '' as $$
  insert into private.document_numbers as n (series, year, last) values (reserve_document_numbers.series, reserve_document_numbers.year, many)
  on conflict on constraint document_numbers_pkey do update set last = n.last + many
  returning last - many;
$$;

-- Adds documents that were just issued, each to its month.
create function private.add_to_gst_months(series text, months date[], lines jsonb[]) returns void
language sql set search_path = '' as $$
  insert into private.document_months as m (month, series, documents)
  select d.month, add_to_gst_months.series, count(*) from unnest(months) d (month) group by d.month order by d.month
  on conflict on constraint document_months_pkey do update set documents = m.documents + excluded.documents;

  insert into private.gst_months as g (month, series, hsn, gst_percent, kilograms, pieces, taxable_paise, cgst_paise, sgst_paise, igst_paise)
  select d.month, add_to_gst_months.series, l.hsn, l.gst_percent,
         coalesce(sum(l.quantity) filter (where l.unit = 'kg'), 0), coalesce(sum(l.quantity) filter (where l.unit = 'nos'), 0),
         sum(l.taxable_paise), sum(l.cgst_paise), sum(l.sgst_paise), sum(l.igst_paise)
  from unnest(months, add_to_gst_months.lines) d (month, lines),
       jsonb_to_recordset(d.lines) as l (hsn text, gst_percent numeric, quantity numeric, unit text, taxable_paise bigint,
                                         cgst_paise bigint, sgst_paise bigint, igst_paise bigint)
  group by d.month, l.hsn, l.gst_percent
  order by d.month, l.hsn, l.gst_percent
  on conflict on constraint gst_months_pkey do update
  set kilograms = g.kilograms + excluded.kilograms, pieces = g.pieces + excluded.pieces,
      taxable_paise = g.taxable_paise + excluded.taxable_paise, cgst_paise = g.cgst_paise + excluded.cgst_paise,
      sgst_paise = g.sgst_paise + excluded.sgst_paise, igst_paise = g.igst_paise + excluded.igst_paise;
$$;

-- The shop as a document names it. The state of a GSTIN is the state of registration, whatever the address says.
create function private.supplier_facts() returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'name', s.name, 'legal_name', coalesce(nullif(s.legal_name, ''), s.name), 'address', s.address,
    'state_code', c.code, 'state', coalesce(g.name, s.state), 'has_assembly', coalesce(g.has_assembly, true),
    'gstin', s.gstin, 'fssai_number', s.fssai_number, 'email', s.email, 'phone', s.whatsapp_number)
  from public.shop_settings s
  cross join lateral (
    select coalesce((select r.code from private.gst_states r where s.gstin <> '' and r.code = left(s.gstin, 2)),
                    private.state_code(s.state, substring(s.address from '[1-9][0-9]{5}'))) as code
  ) c
  left join private.gst_states g on g.code = c.code;
$$;

-- The lines of orders as their invoices show them. Goods carry the tax that was charged; delivery, whose price
-- includes its tax, is part of the sale of the goods: it is distributed over their HSN codes and rates by value,
-- and takes theirs. Rounding is along running sums, so every column adds up to the paisa. CGST and SGST are one
-- half, calculated once: the odd paisa of a tax that has no half is part of the taxable value. Outside GST nothing
-- is split: prices are what was paid.
create function private.invoice_lines(order_ids uuid[], tax_kinds text[]) returns table (
  order_id uuid, lines jsonb, taxable_paise bigint, cgst_paise bigint, sgst_paise bigint, igst_paise bigint)
language sql stable set search_path = '' as $$
  with sold as (
    select o.id, o.tax * 100 as tax, o.shipping_charge * 100 as shipping, u.kind
    from unnest(order_ids, tax_kinds) u (id, kind) join public.orders o on o.id = u.id
  ), goods as (
    select s.id as order_id, s.tax, s.shipping, s.kind, i.id as place, i.hsn, i.gst_percent,
           i.product_name || case when i.has_size then format(', %s × %s', i.quantity, case i.size when 1000 then '1 kg' else '500 g' end) else '' end as description,
           case when i.has_size then i.size * i.quantity / 1000.0 else i.quantity end::numeric(12, 1) as quantity,
           case when i.has_size then 'kg' else 'nos' end as unit,
           (i.unit_price * 100 * case when i.has_size then 2 else 1 end)::bigint as rate,
           private.line_paise(i.unit_price, i.size, i.quantity) - i.discount * 100 as paise, (i.discount * 100)::bigint as discount
    from sold s join public.order_items i on i.order_id = s.id
  ), charged as (
    -- By the tax of each line; where the rates say nothing of what was charged, by the price.
    select g.*, case when sum(t.tax) over (partition by g.order_id) > 0 then t.tax else g.paise end as share
    from goods g cross join lateral (select round(g.paise * g.gst_percent / 100) as tax) t
  ), shared as (
    select c.*, sum(c.share) over (partition by c.order_id order by c.place) as so_far, sum(c.share) over (partition by c.order_id) as whole
    from charged c
  ), delivered as (
    select k.*, round(k.shipping * k.so_far / k.whole) - round(k.shipping * (k.so_far - k.paise) / k.whole) as share
    from (
      select g.*, sum(g.paise) over (partition by g.order_id order by g.place) as so_far, sum(g.paise) over (partition by g.order_id) as whole
      from (select d.order_id, d.kind, d.shipping, d.hsn, d.gst_percent, sum(d.paise) as paise, min(d.place) as place
            from goods d where d.shipping > 0 group by d.order_id, d.kind, d.shipping, d.hsn, d.gst_percent) g
    ) k
  ), every_line as (
    select s.order_id, s.kind, 1 as part, s.place, s.description, s.hsn, s.gst_percent, s.quantity, s.unit, s.rate, s.discount, s.paise as taxable,
           round(s.tax * s.so_far / s.whole) - round(s.tax * (s.so_far - s.share) / s.whole) as tax
    from shared s
    union all
    select d.order_id, d.kind, 2, d.place, 'Delivery', d.hsn, d.gst_percent, null, null, null, 0, t.taxable, d.share - t.taxable
    from delivered d cross join lateral (select round(d.share * 100 / (100 + d.gst_percent)) as taxable) t
    where d.share > 0
  ), split as (
    select l.order_id, l.part, l.place, l.description, l.hsn, l.quantity, l.unit, l.discount,
           case when l.kind <> 'none' then l.rate end as rate, case when l.kind <> 'none' then l.gst_percent else 0 end as gst_percent,
           (l.taxable + l.tax - 2 * t.half - t.whole)::bigint as taxable, t.half::bigint as half, t.whole::bigint as igst
    from every_line l
    cross join lateral (
      select case when l.kind = 'intra' then floor(l.tax / 2) else 0 end as half, case when l.kind = 'inter' then l.tax else 0 end as whole
    ) t
  )
  select s.order_id,
         jsonb_agg(jsonb_build_object(
           'description', s.description, 'hsn', s.hsn, 'quantity', s.quantity, 'unit', s.unit, 'rate_paise', s.rate,
           'gst_percent', s.gst_percent, 'taxable_paise', s.taxable, 'cgst_paise', s.half, 'sgst_paise', s.half,
           'igst_paise', s.igst) || case when s.discount > 0 then jsonb_build_object('discount_paise', s.discount) else '{}' end
           order by s.part, s.place),
         sum(s.taxable)::bigint, sum(s.half)::bigint, sum(s.half)::bigint, sum(s.igst)::bigint
  from split s group by s.order_id;
$$;

-- Issues the invoices of orders that were packed at these moments, in that order; an order that has one keeps it.
create function private.issue_invoices(order_ids uuid[], packed_at timestamptz[]) returns void
language plpgsql security definer set search_path = '' as $$
declare
  shop constant jsonb := private.supplier_facts();
  supplier integer;
  years record;
  before integer;
  prefix constant text := (select s.prefix from private.document_series s where s.series = 'invoice');
begin
  if not exists (select from unnest(order_ids) u (id) where not exists (select from private.invoices i where i.order_id = u.id)) then
    return;
  end if;
  -- Without locking the row: whoever holds the numbers refers to it.
  insert into private.invoice_suppliers (facts) select shop
  where not exists (select from private.invoice_suppliers s where s.facts = shop)
  on conflict on constraint invoice_suppliers_facts_key do nothing;
  select s.id into supplier from private.invoice_suppliers s where s.facts = shop;

  for years in
    select private.financial_year(private.day_of(u.at)) as year, array_agg(u.id order by u.at, o.number) as ids,
           array_agg(u.at order by u.at, o.number) as moments, count(*)::integer as many
    from unnest(order_ids, packed_at) u (id, at) join public.orders o on o.id = u.id
    where not exists (select from private.invoices i where i.order_id = u.id)
    group by 1 order by 1
  loop
    before := private.reserve_document_numbers('invoice', years.year, years.many);
    -- Some at a time: nobody tells the planner how long an array is.
    for start in 0 .. years.many - 1 by 100 loop
      with packed as materialized (
        select o.id, u.at, before + start + u.place::integer as serial, p.place,
               jsonb_build_object('name', private.sold_to(o), 'building_no', o.delivery_building_no, 'street', o.delivery_street,
                                  'city', o.delivery_city, 'state', o.delivery_state, 'zip', o.delivery_zip) as recipient,
               case when shop ->> 'gstin' = '' then 'none' when p.place = shop ->> 'state_code' then 'intra' else 'inter' end as kind
        from unnest(years.ids[start + 1:start + 100], years.moments[start + 1:start + 100]) with ordinality u (id, at, place)
        join public.orders o on o.id = u.id
        cross join lateral (
          select case when o.fulfilment = 'pickup' then shop ->> 'state_code'
                      else coalesce(private.state_code(o.delivery_state, o.delivery_zip), shop ->> 'state_code') end as place
        ) p
      ), written as materialized (
        select l.* from (select array_agg(p.id) as ids, array_agg(p.kind) as kinds from packed p) a,
               private.invoice_lines(a.ids, a.kinds) l
      )
      insert into private.invoices (order_id, year, serial, number, issued_at, supplier_id, recipient, place_code, tax_kind, lines,
                                    taxable_paise, cgst_paise, sgst_paise, igst_paise, total_paise)
      select w.order_id, years.year, p.serial, private.document_number(prefix, years.year, p.serial), p.at, supplier,
             p.recipient, p.place, p.kind, w.lines, w.taxable_paise, w.cgst_paise, w.sgst_paise, w.igst_paise,
             w.taxable_paise + w.cgst_paise + w.sgst_paise + w.igst_paise
      from packed p left join written w on w.order_id = p.id
      order by p.serial;
      perform private.add_to_gst_months('invoice', array_agg(date_trunc('month', private.day_of(i.issued_at))::date), array_agg(i.lines))
      from private.invoices i where i.year = years.year and i.serial > before + start;
    end loop;
  end loop;
  perform private.credit_earlier_refunds(order_ids);
end $$;

-- When a status change happens, as its event records it.
create function private.event_moment() returns timestamptz
language sql stable set search_path = '' as $$
  select coalesce(nullif(current_setting('shop.event_at', true), '')::timestamptz, now());
$$;

create function private.blank_recipient(recipient jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select recipient || '{"name": "Erased customer", "building_no": "", "street": ""}';
$$;
