-- Credit notes for refunds of invoiced orders.
-- Append-only: written by triggers on refunds and orders.
set check_function_bodies = off;

-- Lines name the line of the invoice by its place; the amount is distributed over what is left of each.
create table private.credit_notes (
  id uuid primary key default gen_random_uuid(),
  invoice_id uuid not null references private.invoices (id),
  -- null: the order was canceled, unpaid or paid offline.
  refund_id uuid unique references private.refunds (id),
  year smallint not null,
  serial integer not null,
  number text not null unique check (char_length(number) <= 16),
  issued_at timestamptz not null,
  lines jsonb not null,
  taxable_paise bigint not null,
  cgst_paise bigint not null,
  sgst_paise bigint not null check (sgst_paise = cgst_paise),
  igst_paise bigint not null,
  total_paise bigint not null check (total_paise > 0 and total_paise = taxable_paise + cgst_paise + sgst_paise + igst_paise),
  unique (year, serial)
);
create index credit_notes_invoice_idx on private.credit_notes (invoice_id);
create index credit_notes_issued_idx on private.credit_notes (issued_at, serial);
alter table private.credit_notes enable row level security;

create trigger credit_notes_never_change before update or delete on private.credit_notes
  for each row execute function private.reject_change();
create trigger credit_notes_never_emptied before truncate on private.credit_notes
  for each statement execute function private.reject_change();

-- At the end of the transaction, when all other locks are taken.
create function private.credit_refund() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from private.refunds r where r.id = new.id and r.status = 'processed') then
    perform private.issue_credit_note(new.order_id, new.id, new.amount_paise, new.processed_at);
  end if;
  return null;
end $$;
create constraint trigger refunds_issue_note_at_once after insert on private.refunds deferrable initially deferred
  for each row when (new.order_id is not null and new.status = 'processed') execute function private.credit_refund();
create constraint trigger refunds_issue_note after update of status on private.refunds deferrable initially deferred
  for each row when (new.order_id is not null and new.status = 'processed' and old.status <> 'processed')
  execute function private.credit_refund();

-- The invoice of a canceled order is credited at once where the shop cannot wait for a refund: it was never paid,
-- or is paid back offline. A later refund finds nothing left to credit.
create function private.credit_canceled_order() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.issue_credit_note(new.id, null, (new.total_amount * 100)::bigint, private.event_moment());
  return null;
end $$;
create constraint trigger orders_issue_note after update of status on public.orders deferrable initially deferred
  for each row when (new.status in ('canceled', 'Refunded') and old.status <> new.status and new.payment_id is null)
  execute function private.credit_canceled_order();

-- The place of an order's line in its invoice, which begins with the lines of the order; 0 for none.
create function private.invoice_line_position(order_item_id bigint) returns bigint
language sql stable set search_path = '' as $$
  select count(*) from public.order_items n join public.order_items i on i.order_id = n.order_id and i.id <= n.id
  where n.id = invoice_line_position.order_item_id;
$$;

create function private.credited_so_far(invoice_id uuid) returns table (place bigint, taxable bigint, half bigint, igst bigint, paise bigint)
language sql stable set search_path = '' as $$
  select l.place, sum(l.taxable_paise)::bigint, sum(l.cgst_paise)::bigint, sum(l.igst_paise)::bigint,
         sum(l.taxable_paise + 2 * l.cgst_paise + l.igst_paise)::bigint
  from private.credit_notes n,
       jsonb_to_recordset(n.lines) as l (place bigint, taxable_paise bigint, cgst_paise bigint, igst_paise bigint)
  where n.invoice_id = credited_so_far.invoice_id
  group by l.place;
$$;

-- The lines of delivery of an order's invoice, which follow those of its items, with what is not credited yet.
create function private.shipping_left(order_id uuid) returns table (place bigint, paise bigint)
language sql stable set search_path = '' as $$
  select l.place, greatest((l.line ->> 'taxable_paise')::bigint + (l.line ->> 'cgst_paise')::bigint + (l.line ->> 'sgst_paise')::bigint
                           + (l.line ->> 'igst_paise')::bigint - coalesce(c.paise, 0), 0)
  from private.invoices i
  cross join jsonb_array_elements(i.lines) with ordinality l (line, place)
  left join private.credited_so_far(i.id) c on c.place = l.place
  where i.order_id = shipping_left.order_id
    and l.place > (select count(*) from public.order_items n where n.order_id = shipping_left.order_id);
$$;

-- Whether a refund, or the one that it repeats, is for shipping alone.
create function private.is_shipping_refund(refund private.refunds) returns boolean
language sql stable set search_path = '' as $$
  select refund.order_item_id is null and exists (
    select from private.claim_refunds c where c.refund_id in (refund.id, refund.retry_of) and c.order_item_id is null);
$$;

-- The places of the invoice that a refund is for: its item's, or those of delivery; none for a refund in general.
create function private.places_of_refund(refund_id uuid) returns bigint[]
language sql stable set search_path = '' as $$
  select case when r.order_item_id is not null then array[private.invoice_line_position(r.order_item_id)]
              when private.is_shipping_refund(r) then array(select l.place from private.shipping_left(r.order_id) l) else '{}' end
  from private.refunds r where r.id = places_of_refund.refund_id;
$$;

-- What other refunds for one item, or for shipping, will take from their lines once they have their credit notes.
create function private.pending_credits(order_id uuid, besides uuid) returns table (place bigint, paise bigint)
language sql stable set search_path = '' as $$
  with pending as (
    select r.order_item_id, r.amount_paise, private.is_shipping_refund(r) as is_shipping
    from private.refunds r
    where r.order_id = pending_credits.order_id and r.status <> 'failed' and r.id is distinct from besides
      and not exists (select from private.credit_notes n where n.refund_id = r.id)
  ), shares as (
    select private.invoice_line_position(p.order_item_id) as place, p.amount_paise as paise from pending p where p.order_item_id is not null
    union all
    select l.place, (round(w.paise * l.so_far / l.whole) - round(w.paise * (l.so_far - l.paise) / l.whole))::bigint
    from (select sum(p.amount_paise) as paise from pending p where p.is_shipping) w
    cross join (select s.place, s.paise, sum(s.paise) over (order by s.place) as so_far, sum(s.paise) over () as whole
                from private.shipping_left(pending_credits.order_id) s) l
    where w.paise > 0 and l.whole > 0
  )
  select s.place, sum(s.paise)::bigint from shares s group by s.place;
$$;

-- What can still be refunded of the shipping of an invoiced order.
create function private.refundable_shipping(order_id uuid) returns bigint
language sql stable set search_path = '' as $$
  select coalesce(sum(greatest(l.paise - coalesce(f.paise, 0), 0)), 0)::bigint
  from private.shipping_left(refundable_shipping.order_id) l
  left join private.pending_credits(refundable_shipping.order_id, null) f on f.place = l.place;
$$;

-- Each item of an order with its tax, as the invoice has it or will have it, and its place in the invoice.
create function private.order_line_totals(order_id uuid) returns table (order_item_id bigint, place bigint, paise bigint)
language sql stable set search_path = '' as $$
  with sold as (
    select coalesce(i.lines, (select w.lines from private.invoice_lines(array[order_line_totals.order_id], array['none']) w)) as lines
    from (select order_line_totals.order_id as id) o left join private.invoices i on i.order_id = o.id
  )
  select n.id, n.place, x.taxable_paise + x.cgst_paise + x.sgst_paise + x.igst_paise
  from sold s
  cross join (select i.id, row_number() over (order by i.id) as place from public.order_items i where i.order_id = order_line_totals.order_id) n
  cross join lateral jsonb_to_record(s.lines -> (n.place - 1)::integer)
    as x (taxable_paise bigint, cgst_paise bigint, sgst_paise bigint, igst_paise bigint);
$$;

-- What can still be refunded of each line of an order, as its invoice has it or will have it.
create function private.refundable_lines(order_id uuid) returns table (order_item_id bigint, paise bigint)
language sql stable set search_path = '' as $$
  select l.order_item_id, greatest(l.paise - coalesce(c.paise, 0) - coalesce(f.paise, 0), 0)
  from private.order_line_totals(refundable_lines.order_id) l
  left join private.credited_so_far((select i.id from private.invoices i where i.order_id = refundable_lines.order_id)) c on c.place = l.place
  left join private.pending_credits(refundable_lines.order_id, null) f on f.place = l.place
  order by l.order_item_id;
$$;

-- Distributes an amount over what is left of an invoice, line by line along running sums: no line gets more than is
-- left of it, all of them together exactly the amount. Tax is credited in proportion, counted from the first note
-- on, in equal halves; so the last paisa of the invoice takes the last paisa of every part. A refund for one line, or for
-- those of delivery (named by their places), is credited to them alone, and reserved for them by refunds for none.
create function private.credited_lines(invoice private.invoices, amount_paise bigint, refund_id uuid, named bigint[]) returns jsonb
language sql stable set search_path = '' as $$
  with sold as (
    select l.place, (l.line ->> 'taxable_paise')::bigint as taxable, (l.line ->> 'cgst_paise')::bigint as half,
           (l.line ->> 'igst_paise')::bigint as igst
    from jsonb_array_elements(invoice.lines) with ordinality l (line, place)
  ), standing as (
    select s.*, w.whole, w.whole - g.credited as remaining, g.credited, g.half as half_given, g.igst as igst_given,
           s.taxable - g.taxable as taxable_left, greatest(w.whole - g.credited - coalesce(f.paise, 0), 0) as free
    from sold s
    cross join lateral (select s.taxable + 2 * s.half + s.igst as whole) w
    left join private.credited_so_far(invoice.id) v on v.place = s.place
    left join private.pending_credits(invoice.order_id, credited_lines.refund_id) f on f.place = s.place
    cross join lateral (
      select coalesce(v.taxable, 0) as taxable, coalesce(v.half, 0) as half, coalesce(v.igst, 0) as igst, coalesce(v.paise, 0) as credited
    ) g
  ), called as (
    select t.*, t.place = any (named) as is_named, sum(t.remaining) filter (where t.place = any (named)) over (order by t.place) as named_so_far,
           sum(t.remaining) filter (where t.place = any (named)) over () as named_left
    from standing t
  ), weighed as (
    -- What is called off takes all there is, spoken for or not.
    select t.*, case when t.is_named and t.named_left > 0
                     then round(least(amount_paise, t.named_left) * t.named_so_far / t.named_left)
                          - round(least(amount_paise, t.named_left) * (t.named_so_far - t.remaining) / t.named_left) else 0 end as first,
           case when t.is_named then 0 when sum(t.free) over () < amount_paise then t.remaining else t.free end as weight
    from called t
  ), summed as (
    select w.*, amount_paise - sum(w.first) over () as rest, sum(w.weight) over (order by w.place) as so_far,
           nullif(sum(w.weight) over (), 0) as all_left
    from weighed w
  ), shared as (
    select s.*, s.first + coalesce(round(s.rest * s.so_far / s.all_left) - round(s.rest * (s.so_far - s.weight) / s.all_left), 0) as share
    from summed s
  ), shares as (
    select s.place, s.share, t.half, t.igst, s.share = s.remaining as is_last
    from shared s
    cross join lateral (
      -- What is due by now, as far as the share holds it; and what the taxable value has no room for.
      select greatest(least(round((s.credited + s.share) * s.half / nullif(s.whole, 0)) - s.half_given, floor(s.share / 2)),
                      case when s.half > 0 then ceil((s.share - s.taxable_left) / 2) else 0 end, 0)::bigint as half,
             greatest(least(round((s.credited + s.share) * s.igst / nullif(s.whole, 0)) - s.igst_given, s.share),
                      case when s.igst > 0 then s.share - s.taxable_left else 0 end, 0)::bigint as igst
    ) t
    where s.share > 0
  )
  -- Goods count as come back with the last of what was paid for them.
  select jsonb_agg(
    (l.line - '{rate_paise,discount_paise}'::text[]) || jsonb_build_object('place', s.place, 'taxable_paise', (s.share - 2 * s.half - s.igst)::bigint,
                                                 'cgst_paise', s.half, 'sgst_paise', s.half, 'igst_paise', s.igst)
      || case when s.is_last then '{}' else '{"quantity": null}'::jsonb end order by s.place)
  from shares s join jsonb_array_elements(invoice.lines) with ordinality l (line, place) on l.place = s.place;
$$;

-- Writes a credit note over an amount, or over what is left of the invoice if that is less; over nothing, none.
create function private.issue_credit_note(order_id uuid, refund_id uuid, amount_paise bigint, at timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
declare
  invoice private.invoices;
  amount bigint;
  issued timestamptz;
  year smallint;
  serial integer;
  lines jsonb;
begin
  select * into invoice from private.invoices i where i.order_id = issue_credit_note.order_id for update;
  if invoice.id is null or exists (select from private.credit_notes n where n.refund_id = issue_credit_note.refund_id) then
    return;
  end if;
  amount := least(amount_paise, invoice.total_paise - coalesce(
    (select sum(n.total_paise) from private.credit_notes n where n.invoice_id = invoice.id), 0));
  if amount <= 0 then
    return;
  end if;
  issued := greatest(at, invoice.issued_at);
  year := private.financial_year(private.day_of(issued));
  lines := private.credited_lines(invoice, amount, refund_id, coalesce(private.places_of_refund(refund_id), '{}'));
  serial := private.reserve_document_numbers('credit note', year, 1) + 1;
  insert into private.credit_notes (invoice_id, refund_id, year, serial, number, issued_at, lines,
                                    taxable_paise, cgst_paise, sgst_paise, igst_paise, total_paise)
  select invoice.id, issue_credit_note.refund_id, year, serial,
         private.document_number((select s.prefix from private.document_series s where s.series = 'credit note'), year, serial),
         issued, lines, sum(l.taxable_paise), sum(l.cgst_paise), sum(l.sgst_paise), sum(l.igst_paise), amount
  from jsonb_to_recordset(lines) as l (taxable_paise bigint, cgst_paise bigint, sgst_paise bigint, igst_paise bigint);
  perform private.add_to_gst_months('credit note', array[date_trunc('month', private.day_of(issued))::date], array[lines]);
end $$;

-- Refunds made before the order was packed: the invoice covers the whole order, so each gets its credit note after
-- it.
create function private.credit_earlier_refunds(order_ids uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
declare
  earlier record;
begin
  for earlier in
    select r.id, r.order_id, r.amount_paise, r.processed_at
    from private.refunds r join private.invoices i on i.order_id = r.order_id
    where r.order_id = any (order_ids) and r.status = 'processed'
      and not exists (select from private.credit_notes n where n.refund_id = r.id)
    order by greatest(r.processed_at, i.issued_at), r.created_at, r.id
  loop
    perform private.issue_credit_note(earlier.order_id, earlier.id, earlier.amount_paise, earlier.processed_at);
  end loop;
end $$;
