-- Splits functions of more than 80 lines by topic, without a change of what they return: the checks of orders by invariant, drafts
-- of products, searches, profit by day, lists and the dashboard of the console.
set check_function_bodies = off;

create function private.check_canceled_invoices(lowest uuid, highest uuid) returns table (invariant integer, subject text, detail text)
language plpgsql stable set search_path = '' as $$
begin
  return query
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
  where i.order_id between lowest and highest
    and ((o.payment_id is null and o.status in ('canceled', 'Refunded') and n.credited < i.total_paise)
     or (n.credited > 0 and m.kept > i.total_paise - n.credited and not (o.payment_id is null and o.status = 'canceled')));
end $$;

create function private.check_credit_notes(lowest uuid, highest uuid) returns table (invariant integer, subject text, detail text)
language plpgsql stable set search_path = '' as $$
begin
  return query
  select 11, i.order_id::text, format('invoice %s, credit notes %s', i.total_paise / 100.0, n.total / 100.0)
  from private.invoices i
  join (select c.invoice_id, sum(c.total_paise) as total, sum(c.taxable_paise) as taxable, sum(c.cgst_paise) as cgst,
               sum(c.sgst_paise) as sgst, sum(c.igst_paise) as igst
        from private.credit_notes c group by c.invoice_id) n on n.invoice_id = i.id
  where i.order_id between lowest and highest
    and (n.total > i.total_paise or n.taxable > i.taxable_paise or n.cgst > i.cgst_paise or n.sgst > i.sgst_paise
         or n.igst > i.igst_paise);
end $$;

create function private.check_customer_figures(lowest uuid, highest uuid) returns table (invariant integer, subject text, detail text)
language plpgsql stable set search_path = '' as $$
begin
  return query
  select 14, t.user_id::text, format('%s orders of %s paise, last %s; kept %s of %s, last %s', t.orders, t.value_paise, t.last_order_at,
                                     f.orders, f.value_paise, f.last_order_at)
  from private.customer_totals t left join private.customer_figures f on f.user_id = t.user_id
  where t.user_id between lowest and highest
    and (t.orders, t.value_paise, t.last_order_at) is distinct from (f.orders, f.value_paise, f.last_order_at)
    and not exists (select from private.order_changes c join public.orders o on o.id = c.order_id where o.user_id = t.user_id);
end $$;

create function private.check_invoices(lowest uuid, highest uuid) returns table (invariant integer, subject text, detail text)
language plpgsql stable set search_path = '' as $$
begin
  return query
  select 10, o.id::text, case when i.id is null then format('is %s and has no invoice', o.status)
                              else format('order %s, invoice %s, lines %s', o.total_amount, i.total_paise / 100.0, l.paise / 100.0) end
  from public.orders o
  left join private.invoices i on i.order_id = o.id
  left join lateral (
    select sum(x.taxable_paise + x.cgst_paise + x.sgst_paise + x.igst_paise) as paise
    from jsonb_to_recordset(i.lines) as x (taxable_paise bigint, cgst_paise bigint, sgst_paise bigint, igst_paise bigint)
  ) l on true
  where o.id between lowest and highest
    and case when i.id is null then private.was_packed(o.status)
             else (i.total_paise, l.paise) is distinct from ((o.total_amount * 100)::bigint, o.total_amount * 100) end;
end $$;

create function private.check_order_events(lowest uuid, highest uuid) returns table (invariant integer, subject text, detail text)
language plpgsql stable set search_path = '' as $$
begin
  return query
  with chained as (
    select e.order_id, e.id, e.from_status, e.to_status,
           lag(e.to_status) over by_order as previous,
           row_number() over (partition by e.order_id order by e.id desc) as from_end
    from public.order_events e
    where e.order_id between lowest and highest
    window by_order as (partition by e.order_id order by e.id)
  )
  select 5, c.order_id::text, format('event %s goes from %s, but the order was %s', c.id, c.from_status, c.previous)
  from chained c where c.from_status is distinct from c.previous
  union all
  select 5, o.id::text, format('is %s, its last event says %s', o.status, coalesce(c.to_status, 'nothing'))
  from public.orders o left join chained c on c.order_id = o.id and c.from_end = 1
  where o.id between lowest and highest and c.to_status is distinct from o.status;
end $$;

create function private.check_order_items(lowest uuid, highest uuid) returns table (invariant integer, subject text, detail text)
language plpgsql stable set search_path = '' as $$
begin
  return query
  select 8, i.order_id::text, format('item %s is not what was placed', i.id)
  from public.order_items i left join private.placed_items p on p.order_item_id = i.id
  where i.order_id between lowest and highest
    and (i.order_id, i.product_id, i.quantity, i.size, i.unit_price)
        is distinct from (p.order_id, p.product_id, p.quantity, p.size, p.unit_price);
end $$;

create function private.check_order_payments(lowest uuid, highest uuid) returns table (invariant integer, subject text, detail text)
language plpgsql stable set search_path = '' as $$
begin
  return query
  select 2, p.order_id::text, format('%s captured payments not refunded', count(*))
  from private.payments p
  where p.order_id between lowest and highest and p.status = 'captured'
    and not exists (select from private.refunds r where r.payment_id = p.payment_id and r.status <> 'failed'
                    group by r.payment_id having sum(r.amount_paise) >= p.amount_paise)
  group by p.order_id having count(*) > 1
  union all
  select 2, o.id::text, format('payment %s belongs to order %s', o.payment_id, coalesce(p.order_id::text, 'none'))
  from public.orders o join private.payments p on p.payment_id = o.payment_id
  where o.id between lowest and highest and p.order_id is distinct from o.id;
end $$;

create function private.check_order_totals(lowest uuid, highest uuid) returns table (invariant integer, subject text, detail text)
language plpgsql stable set search_path = '' as $$
begin
  return query
  select 1, o.id::text, format('lines %s, sub_total %s, tax %s, shipping %s, total %s',
                               coalesce(l.lines, 0), o.sub_total, o.tax, o.shipping_charge, o.total_amount)
  from public.orders o
  left join (
    select i.order_id, sum(i.unit_price * i.size / 500 * i.quantity) as lines from public.order_items i
    where i.order_id between lowest and highest group by i.order_id
  ) l on l.order_id = o.id
  where o.id between lowest and highest
    and (l.lines is distinct from o.sub_total or o.sub_total + o.tax + o.shipping_charge <> o.total_amount);
end $$;

create or replace function private.check_orders(lowest uuid, highest uuid) returns table (invariant integer, subject text, detail text)
language plpgsql stable set search_path = '' as $$
begin
  return query select * from private.check_order_totals(lowest, highest);
  return query select * from private.check_order_payments(lowest, highest);
  return query select * from private.check_order_events(lowest, highest);
  return query select * from private.check_shipped_orders(lowest, highest);
  return query select * from private.check_order_items(lowest, highest);
  return query select * from private.check_invoices(lowest, highest);
  return query select * from private.check_credit_notes(lowest, highest);
  return query select * from private.check_canceled_invoices(lowest, highest);
  return query select * from private.check_customer_figures(lowest, highest);
end $$;

create function private.check_shipped_orders(lowest uuid, highest uuid) returns table (invariant integer, subject text, detail text)
language plpgsql stable set search_path = '' as $$
begin
  return query
  select 7, e.order_id::text, format('went from %s to canceled', e.from_status)
  from public.order_events e
  where e.order_id between lowest and highest
    and e.to_status = 'canceled' and e.from_status in ('Shipped', 'Delivered', 'Collected', 'Refunded');
end $$;

create or replace function private.check_totals() returns table (invariant integer, subject text, detail text)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query -- 3: every captured payment has an order or a refund
  select 3, p.payment_id, 'captured, and neither an order nor a refund'
  from private.payments p
  where p.status = 'captured' and p.order_id is null
    and not exists (select from private.refunds r where r.payment_id = p.payment_id and r.status <> 'failed');

  return query -- 4: 0 <= reserved <= on_hand = sum of movements
  select 4, s.product_id::text, format('on_hand %s, reserved %s, movements %s', s.on_hand, s.reserved, coalesce(m.total, 0))
  from public.stock_levels s
  left join (select v.product_id, sum(v.quantity) as total from public.stock_movements v group by v.product_id) m
    on m.product_id = s.product_id
  where s.reserved < 0 or s.reserved > s.on_hand or s.on_hand <> coalesce(m.total, 0);

  return query -- 4: what is reserved is what checkouts hold
  select 4, s.product_id::text, format('reserved %s, held by checkouts %s', s.reserved, coalesce(h.units, 0))
  from public.stock_levels s
  left join (
    select u.product_id, sum(u.units) as units
    from private.checkouts c join private.quotes q on q.id = c.quote_id, unnest(q.product_ids, c.held) as u (product_id, units)
    where c.held <> '{}'
    group by u.product_id
  ) h on h.product_id = s.product_id
  where s.reserved <> coalesce(h.units, 0);

  return query -- 6: refunds never exceed what was captured
  select 6, p.payment_id, format('captured %s paise, refunds %s paise', p.amount_paise, sum(r.amount_paise))
  from private.payments p join private.refunds r on r.payment_id = p.payment_id
  where r.status <> 'failed'
  group by p.payment_id, p.amount_paise
  having sum(r.amount_paise) > case when p.status in ('captured', 'refunded') then p.amount_paise else 0 end;

  return query -- 8: nothing that was placed is missing
  select 8, p.order_id::text, format('item %s is not what was placed', p.order_item_id)
  from private.placed_items p
  where not exists (select from public.order_items i where i.id = p.order_item_id);

  return query -- 9: numbers run from 1 without gaps or duplicates
  with issued as (
    select 'invoice' as series, i.year, count(*) as many, count(distinct i.serial) as serials, min(i.serial) as first, max(i.serial) as last
    from private.invoices i group by i.year
    union all
    select 'credit note', n.year, count(*), count(distinct n.serial), min(n.serial), max(n.serial) from private.credit_notes n group by n.year
  )
  select 9, format('%s %s', coalesce(i.series, d.series), coalesce(i.year, d.year)),
         format('%s documents, numbers %s to %s, last given %s', coalesce(i.many, 0), i.first, i.last, d.last)
  from issued i full join private.document_numbers d on d.series = i.series and d.year = i.year
  where (i.many, i.serials, i.first, i.last) is distinct from (d.last::bigint, d.last::bigint, 1, d.last);

  return query -- 12: the stored sums and counts are those of the documents
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
  where d.sums is distinct from k.sums;
end $$;

create function private.count_listed_customers(
  conditions text, patterns text[], city text, tag text, last_order_from date, last_order_to date, most integer) returns integer
language plpgsql stable set search_path = '' as $$
declare
  list_name text := case conditions when 'true' then 'everybody' when 'true and c.city_key = lower($2)' then 'in ' || lower(city)
                                    when 'true and f.last_order_at > ''-infinity''' then 'ordered' end;
  total integer := (select c.at_least from private.large_customer_lists c
                    where c.list = list_name and c.at_least > most);
begin
  if total is null then
    execute format('select count(*) from (select from %s where %s limit %s) n',
                   private.customer_tables(conditions like '%c.%' and conditions not like '%f.%'), conditions, most + 1)
    into total using patterns, city, tag, last_order_from, last_order_to;
  end if;
  return total;
end $$;

create function private.customer_tables(by_card boolean) returns text
language sql immutable set search_path = '' as $$
  select case when by_card then 'private.customer_cards c left join private.customer_figures f using (user_id)'
                           else 'private.customer_figures f left join private.customer_cards c using (user_id)' end
         || ' left join private.customer_records r using (user_id)';
$$;

create function private.dashboard_products(
  kept_span bigint, rest_from timestamptz, hours_end timestamptz, at timestamptz, out best jsonb, out categories jsonb)
language plpgsql stable set search_path = '' as $$
begin
  -- Of sweets that sold today every one may be among the best; of the rest only the stored best can be.
  with today_sold as materialized (
    select a.product_id, sum(a.grams) as grams, sum(a.pieces) as pieces, sum(a.goods_paise) as goods_paise
    from (select s.* from private.sales_step_products s
          where s.step = 'hour' and s.starts_at >= rest_from and s.starts_at < hours_end
          union all
          select l.* from private.calculate_product_sales('hour', greatest(rest_from, hours_end), at) l) a
    group by a.product_id
  ), contenders as (
    select t.product_id from today_sold t
    union
    (select s.product_id from private.sales_span_products s where s.span_id = kept_span order by s.goods_paise desc limit 10)
  ), summed as (
    select c.product_id, coalesce(s.grams, 0) + coalesce(t.grams, 0) as grams, coalesce(s.pieces, 0) + coalesce(t.pieces, 0) as pieces,
           coalesce(s.goods_paise, 0) + coalesce(t.goods_paise, 0) as goods_paise
    from contenders c
    left join today_sold t on t.product_id = c.product_id
    left join private.sales_span_products s on s.span_id = kept_span and s.product_id = c.product_id
  ), by_category as (
    select k.category, sum(k.goods_paise) as goods_paise
    from (select c.category, c.goods_paise from private.sales_span_categories c where c.span_id = kept_span
          union all
          select p."Category", t.goods_paise from today_sold t join public."Products" p on p."Id" = t.product_id) k
    group by k.category
  )
  select (select coalesce(jsonb_agg(to_jsonb(b) order by b.goods_paise desc, b.product_id), '[]')
          from (select u.product_id, p."Name" as name, p."Category" as category, u.grams, u.pieces, u.goods_paise
                from (select * from summed order by goods_paise desc, product_id limit 10) u
                join public."Products" p on p."Id" = u.product_id) b),
         (select coalesce(jsonb_agg(to_jsonb(k) order by k.goods_paise desc), '[]') from by_category k)
  into best, categories;
end $$;

create function private.dashboard_timeline(
  period text, from_time timestamptz, part private.sales_steps, days_end timestamptz, hours_end timestamptz, at timestamptz) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_agg(jsonb_build_object(
      'from', case when period = 'today' then to_jsonb(g.start) else to_jsonb(private.day_of(g.start)) end,
      'orders', g.orders, 'sales_paise', g.sales_paise) order by g.start)
    from (
      select a.start at time zone 'Asia/Kolkata' as start, coalesce(sum(s.orders), 0) as orders, coalesce(sum(s.sales_paise), 0) as sales_paise
      from private.timeline_step(period) t (step)
      cross join generate_series(from_time at time zone 'Asia/Kolkata', at at time zone 'Asia/Kolkata', ('1 ' || t.step)::interval) a (start)
      left join (
        select h.starts_at, h.orders, h.sales_paise from private.sales_steps h
        where period = 'today' and h.step = 'hour' and h.starts_at >= from_time and h.starts_at < hours_end
        union all
        select l.starts_at, l.orders, l.sales_paise from private.calculate_sales('hour', greatest(from_time, hours_end), at) l where period = 'today'
        union all
        select d.starts_at, d.orders, d.sales_paise from private.days_between(from_time, private.start_of_step('day', at), days_end) d where period <> 'today'
        union all
        select private.start_of_step('day', at), part.orders, part.sales_paise where period <> 'today'
      ) s on s.starts_at >= a.start at time zone 'Asia/Kolkata' and s.starts_at < (a.start + ('1 ' || t.step)::interval) at time zone 'Asia/Kolkata'
      group by 1
    ) g);
end $$;

create or replace function private.day_figures(
  first_day date, last_day date, from_time timestamptz default null, to_time timestamptz default null) returns setof private.profit_days
language plpgsql stable set search_path = '' as $$
declare
  is_registered constant boolean := private.is_registered();
begin
  -- Planned each time: a day and a year need different plans.
  return query execute $query$
  with sold as (
    select (o.created_at at time zone 'Asia/Kolkata')::date as day, count(*) as orders, sum(o.sub_total) as goods,
           sum(o.tax) as tax, sum(o.shipping_charge) as shipping
    from public.orders o where o.created_at >= $1 and o.created_at < $2
    group by 1
  ), shipping_taxes as (
    select t.day, sum(private.shipping_tax_paise(t.shipping, t.hsn, t.gst_percent, t.goods)) as tax
    from (
      select (o.created_at at time zone 'Asia/Kolkata')::date as day, (o.shipping_charge * 100)::bigint as shipping,
             array_agg(i.hsn order by i.id) as hsn, array_agg(i.gst_percent order by i.id) as gst_percent,
             array_agg(private.line_paise(i.unit_price, i.size, i.quantity) order by i.id) as goods
      from public.orders o
      join public.order_items i on i.order_id = o.id
      left join private.invoices v on v.order_id = o.id
      where o.created_at >= $1 and o.created_at < $2 and o.shipping_charge > 0 and coalesce(v.tax_kind <> 'none', $5)
      group by o.id
    ) t
    group by t.day
  ), costs as (
    select (o.created_at at time zone 'Asia/Kolkata')::date as day, sum(i.unit_cost * i.size / 500 * i.quantity) as cost,
           count(*) filter (where i.unit_cost is null) as unknown_lines,
           sum(i.unit_price * i.size / 500 * i.quantity) filter (where i.unit_cost is null) as unknown_goods
    from public.orders o join private.placed_items i on i.order_id = o.id
    where o.created_at >= $1 and o.created_at < $2
    group by 1
  ), ended as (
    select e.order_id, e.to_status, e.created_at
    from public.order_events e
    where e.created_at >= $1 and e.created_at < $2 and e.to_status in ('canceled', 'Refunded')
  ), costs_back as (
    select (e.created_at at time zone 'Asia/Kolkata')::date as day, sum(i.unit_cost * i.size / 500 * i.quantity) as cost,
           count(*) filter (where i.unit_cost is null) as unknown_lines,
           sum(i.unit_price * i.size / 500 * i.quantity) filter (where i.unit_cost is null) as unknown_goods
    from ended e join private.placed_items i on i.order_id = e.order_id
    where e.to_status = 'canceled'
    group by 1
  ), fees as (
    select (p.captured_at at time zone 'Asia/Kolkata')::date as day, sum(p.fee_paise) as fee,
           sum(case when $5 then private.fee_tax_paise(p.fee_paise) else 0 end) as tax,
           count(*) filter (where p.fee_paise is null) as unknown_payments,
           sum(p.amount_paise) filter (where p.fee_paise is null) as unknown_paid
    from private.payments p where p.captured_at >= $1 and p.captured_at < $2
    group by 1
  )
  select d::date, coalesce(sold.orders, 0)::integer,
         coalesce(sold.goods * 100, 0)::bigint, coalesce(sold.tax * 100, 0)::bigint, coalesce(sold.shipping * 100, 0)::bigint,
         coalesce(t.canceled_goods, 0)::bigint, coalesce(t.canceled_tax, 0)::bigint, coalesce(t.canceled_shipping, 0)::bigint,
         coalesce(t.refunded_goods, 0)::bigint, coalesce(t.refunded_tax, 0)::bigint, coalesce(t.refunded_shipping, 0)::bigint,
         coalesce(c.cost * 100, 0)::bigint, coalesce(b.cost * 100, 0)::bigint,
         coalesce(c.unknown_lines, 0)::integer, coalesce(c.unknown_goods * 100, 0)::bigint,
         coalesce(b.unknown_lines, 0)::integer, coalesce(b.unknown_goods * 100, 0)::bigint,
         coalesce(f.fee, 0)::bigint, coalesce(f.unknown_payments, 0)::integer, coalesce(f.unknown_paid, 0)::bigint,
         coalesce(w.cost, 0)::bigint, coalesce(w.unknown_moves, 0)::integer,
         coalesce(s.tax, 0)::bigint, coalesce(t.canceled_shipping_tax, 0)::bigint, coalesce(t.refunded_shipping_tax, 0)::bigint,
         coalesce(f.tax, 0)::bigint, $6
  from generate_series($3::timestamp, $4::timestamp, interval '1 day') d
  left join sold on sold.day = d::date
  left join shipping_taxes s on s.day = d::date
  left join costs c on c.day = d::date
  left join costs_back b on b.day = d::date
  left join private.returns_by_day($1, $2) t on t.day = d::date
  left join fees f on f.day = d::date
  left join private.wastage_by_day($1, $2) w on w.day = d::date
  $query$ using coalesce(from_time, private.start_of(first_day)), coalesce(to_time, private.start_of(last_day + 1)),
                first_day, last_day, is_registered, to_time;
end $$;

create function private.draft_food_problems(draft jsonb) returns table (field text, message text)
language plpgsql stable set search_path = '' as $$
declare
  days constant numeric := draft ->> 'shelf_life_days';
  -- What only a listed product needs.
  missing constant text[] := case when (draft ->> 'is_listed')::boolean and not (draft ->> 'is_archived')::boolean
    then private.missing_facts(draft ->> 'food_mark', draft ->> 'ingredients', draft ->> 'allergens', (draft ->> 'shelf_life_days')::numeric,
                               draft ->> 'storage', (draft ->> 'weight_grams')::numeric)
    else '{}' end;
begin
  return query
  select p.field, p.message from (values
    ('food_mark', case
      when draft ->> 'food_mark' not in ('veg', 'non-veg') then 'The mark is veg or non-veg. Egg counts as non-veg.'
      when 'food_mark' = any (missing) then 'To list it, choose veg or non-veg.' end),
    ('ingredients', case
      when char_length(draft ->> 'ingredients') > 2000 then 'The list of ingredients has at most 2,000 characters.'
      when 'ingredients' = any (missing) then 'To list it, enter the ingredients.' end),
    ('allergens', case
      when char_length(draft ->> 'allergens') > 500 then 'Allergens have at most 500 characters.'
      when 'allergens' = any (missing) then 'To list it, enter the allergens, or None.' end),
    ('shelf_life_days', case
      when days not between 1 and 730 or days % 1 <> 0 then 'A shelf life is a whole number from 1 to 730 days.'
      when 'shelf_life_days' = any (missing) then 'To list it, enter the shelf life.' end),
    ('storage', case
      when char_length(draft ->> 'storage') > 300 then 'Storage has at most 300 characters.'
      when 'storage' = any (missing) then 'To list it, enter how to store it.' end),
    ('maker', case when char_length(draft ->> 'maker') > 300 then 'A maker''s name and address have at most 300 characters.' end)
  ) p (field, message) where p.message is not null;
end $$;

create function private.draft_kind_problems(draft jsonb) returns table (field text, message text)
language plpgsql immutable set search_path = '' as $$
declare
  kinds constant jsonb := '{"name": "string", "description": "string", "category": "string?", "image": "string",
    "price_paise": "number?", "regular_price_paise": "number?", "offer_percent": "number?", "gst_percent": "number",
    "hsn": "string", "has_size": "boolean?", "weight_grams": "number?", "food_mark": "string?", "ingredients": "string",
    "allergens": "string", "shelf_life_days": "number?", "storage": "string", "maker": "string", "taste": "string",
    "travel": "string", "more_pictures": "string", "combo": "string?",
    "is_listed": "boolean", "is_archived": "boolean", "unit_cost_paise": "number?"}';
begin
  return query
  select d.key, case when kinds ? d.key then 'This value is not valid.' else 'Products have no such field.' end
  from jsonb_each(draft) d
  where jsonb_typeof(d.value) <> coalesce(rtrim(kinds ->> d.key, '?'), '')
    and not (jsonb_typeof(d.value) = 'null' and coalesce(kinds ->> d.key like '%?', false));
end $$;

create function private.draft_name_problems(draft jsonb, product_id bigint) returns table (field text, message text)
language plpgsql stable set search_path = '' as $$
declare
  product_name constant text := draft ->> 'name';
  archived constant boolean := draft ->> 'is_archived';
begin
  return query
  select p.field, p.message from (values
    ('name', case
      when btrim(product_name) = '' then 'Give the product a name.'
      when char_length(product_name) > 120 then 'A name has at most 120 characters.'
      when product_name ~ '[[:cntrl:]]' then 'A name is one line of text.'
      when not archived and exists (
        select from public."Products" o where lower(o."Name") = lower(product_name) and o.archived_at is null
          and o."Id" is distinct from draft_name_problems.product_id)
      then format('Another product is already called %s.', product_name) end),
    ('description', case
      when char_length(draft ->> 'description') > 4000 then 'A description has at most 4,000 characters.' end),
    ('category', case
      when not exists (select from public.categories c where c.name = draft ->> 'category')
      then format('Choose %s.', private.category_choices()) end),
    ('image', case
      when draft ->> 'image' <> '' and not private.is_safe_link(draft ->> 'image')
      then 'A picture is an address of this site or of the web.' end)
  ) p (field, message) where p.message is not null;
end $$;

create function private.draft_other_problems(draft jsonb, product_id bigint) returns table (field text, message text)
language plpgsql stable set search_path = '' as $$
declare
  cost constant numeric := draft ->> 'unit_cost_paise';
begin
  return query
  select p.field, p.message from (values
    ('combo', case
      when draft ->> 'combo' not in ('halwa', 'chocolate', 'laddu', 'family')
      then 'A combo pack is halwa, chocolate, laddu or family, or empty.'
      when draft ->> 'combo' is not null then (
        select format('%s is the %s pack already. Take it from there first.', o."Name", o.combo)
        from public."Products" o
        where o.combo = draft ->> 'combo' and o."Id" is distinct from draft_other_problems.product_id) end),
    ('is_listed', case when (draft ->> 'is_listed')::boolean and (draft ->> 'is_archived')::boolean then 'An archived product cannot be listed.' end),
    ('unit_cost_paise', case
      when cost not between 0 and 10000000 or cost % 1 <> 0 then 'A cost is between ₹0 and ₹1,00,000.'
      when cost is null and draft_other_problems.product_id is not null
        and private.unit_cost_at(draft_other_problems.product_id, now()) is not null
      then 'A unit cost can be changed, but not removed.' end),
    ('taste', case when char_length(draft ->> 'taste') > 300 then 'The taste has at most 300 characters.' end),
    ('travel', case when char_length(draft ->> 'travel') > 300 then 'How it travels has at most 300 characters.' end),
    ('more_pictures', (
      select case
        when count(*) > 7 then 'A product has at most 8 pictures.'
        when not bool_and(private.is_safe_link(m.image)) then 'A picture is an address of this site or of the web.'
        when max(char_length(m.alt)) > 160 then 'The description of a picture has at most 160 characters.'
        when count(distinct m.image) < count(*) then 'The same picture is there twice.' end
      from private.read_more_pictures(draft ->> 'more_pictures') m))
  ) p (field, message) where p.message is not null;
end $$;

create function private.draft_price_problems(draft jsonb) returns table (field text, message text)
language plpgsql stable set search_path = '' as $$
declare
  price constant numeric := draft ->> 'price_paise';
  regular constant numeric := draft ->> 'regular_price_paise';
  offer constant numeric := draft ->> 'offer_percent';
  gst constant numeric := draft ->> 'gst_percent';
begin
  return query
  select p.field, p.message from (values
    ('price_paise', case
      when price is null then 'Give the product a price.'
      when price not between 100 and 10000000 or price % 1 <> 0 then 'A price is between ₹1 and ₹1,00,000.' end),
    ('regular_price_paise', case
      when regular <= price then 'The regular price must be above the price, or empty.'
      when regular > 20000000 or regular % 1 <> 0 then 'A regular price is at most ₹2,00,000.' end),
    ('offer_percent', case
      when offer not between 0 and 90 or offer % 1 <> 0 then 'An offer is a whole number from 0 to 90, or empty.'
      else private.offer_problem(offer, price, regular) end),
    ('gst_percent', case
      when gst not between 0 and 40 or gst * 100 % 1 <> 0
      then 'A GST rate is between 0 and 40, with at most two decimals.' end),
    ('hsn', case when draft ->> 'hsn' !~ '^[0-9]{4,8}$' then 'An HSN code has 4 to 8 digits.' end)
  ) p (field, message) where p.message is not null;
end $$;

create or replace function private.draft_problems(draft jsonb, product_id bigint) returns table (field text, message text)
language plpgsql stable set search_path = '' as $$
begin
  return query select * from private.draft_kind_problems(draft);
  if found then
    return;
  end if;
  return query select * from private.draft_name_problems(draft, product_id);
  return query select * from private.draft_price_problems(draft);
  return query select * from private.draft_size_problems(draft, product_id);
  return query select * from private.draft_food_problems(draft);
  return query select * from private.draft_other_problems(draft, product_id);
end $$;

create function private.draft_size_problems(draft jsonb, product_id bigint) returns table (field text, message text)
language plpgsql stable set search_path = '' as $$
declare
  weight constant numeric := draft ->> 'weight_grams';
  sized constant boolean := draft ->> 'has_size';
begin
  return query
  select p.field, p.message from (values
    ('has_size', case
      when sized is null then 'Choose weight or piece.'
      when draft_size_problems.product_id is not null then (
        select format('Its stock is counted in %s, so it keeps being sold by %s.',
                      case when o."hasSize" then 'grams' else 'pieces' end, case when o."hasSize" then 'weight' else 'piece' end)
        from public."Products" o
        where o."Id" = draft_size_problems.product_id and o."hasSize" <> sized
          and exists (select from public.stock_movements m where m.product_id = o."Id")) end),
    ('weight_grams', case
      when weight is null and not coalesce(sized, false) then 'Enter the weight of a piece or pack.'
      when sized and weight is distinct from 500 then 'What is sold by weight counts in units of 500 g.'
      when weight not between 1 and 30000 or weight % 1 <> 0 then 'A weight is a whole number from 1 to 30,000 g.' end)
  ) p (field, message) where p.message is not null;
end $$;

create or replace function private.log_subject(table_name text, row_id text, entry jsonb, out name text, out id text)
language plpgsql stable set search_path = '' as $$
begin
  id := row_id;
  case table_name
    when 'Products', 'stock_levels', 'product_costs', 'product_pictures' then
      select p."Name" into name from public."Products" p where p."Id" = log_subject.row_id::bigint;
      name := coalesce(name, entry ->> 'Name');
    when 'orders' then
      select o.number::text into name from public.orders o where o.id = log_subject.row_id::uuid;
    when 'refunds' then
      select o.id::text, o.number::text into id, name
      from private.refunds r join public.orders o on o.id = r.order_id where r.id = log_subject.row_id::uuid;
    when 'customer_records', 'user_profiles' then
      select c.name into name from private.customer_cards c where c.user_id = log_subject.row_id::uuid;
      name := coalesce(name, 'a customer who was erased');
    when 'comments' then
      select c.user_id::text, format('%s on %s', a.name, p."Name") into id, name
      from public.comments c join public."Products" p on p."Id" = c.product_id
      left join private.customer_cards a on a.user_id = c.user_id
      where c.id = log_subject.row_id::bigint;
    when 'vendors' then
      select coalesce(v.name, entry ->> 'name') into name from (values (1)) one (one)
      left join public.vendors v on v.id = log_subject.row_id::bigint;
    when 'purchase_orders' then
      select format('%s from %s', o.id, v.name) into name
      from public.purchase_orders o join public.vendors v on v.id = o.vendor_id where o.id = log_subject.row_id::bigint;
    when 'purchase_order_items' then
      select i.purchase_order_id::text, i.item_name into id, name
      from public.purchase_order_items i where i.id = log_subject.row_id::bigint;
      id := coalesce(id, entry ->> 'purchase_order_id');
      name := coalesce(name, entry ->> 'item_name');
    when 'purchase_receipts' then
      select r.purchase_order_id::text, format('%s from %s', o.id, v.name) into id, name
      from public.purchase_receipts r join public.purchase_orders o on o.id = r.purchase_order_id join public.vendors v on v.id = o.vendor_id
      where r.id = log_subject.row_id::uuid;
    when 'purchase_receipt_items' then
      select i.purchase_order_id::text, i.item_name into id, name
      from public.purchase_order_items i where i.id = (entry ->> 'item_id')::bigint;
    when 'vendor_bills' then
      select v.id::text, v.name into id, name
      from public.vendor_bills b join public.vendors v on v.id = b.vendor_id where b.id = log_subject.row_id::bigint;
    when 'vendor_payments' then
      select v.id::text, v.name into id, name
      from public.vendor_payments p join public.vendors v on v.id = p.vendor_id where p.id = log_subject.row_id::uuid;
    when 'expenses' then
      select coalesce(nullif(e.description, ''), e.category) into name from public.expenses e where e.id = log_subject.row_id::bigint;
      name := coalesce(name, nullif(entry ->> 'description', ''), entry ->> 'category');
    when 'greetings' then
      select g.title into name from public.greetings g where g.id = log_subject.row_id::bigint;
    when 'caurousel' then
      select c.title into name from public.caurousel c where c.id = log_subject.row_id::bigint;
    when 'testimonials' then
      select t.title into name from public.testimonials t where t.id = log_subject.row_id::bigint;
    when 'categories' then
      select c.name into name from public.categories c where c.id = log_subject.row_id::bigint;
    when 'couriers' then
      select c.name into name from private.couriers c where c.id = log_subject.row_id::bigint;
    when 'delivery_zones' then
      select z.name into name from public.delivery_zones z where z.id = log_subject.row_id::bigint;
    else
      select s.name, s.id into name, id from private.log_subject_of_parent(entry) s;
  end case;
  -- A number that only the database reads is no name.
  name := coalesce(name, entry ->> 'name', entry ->> 'title',
                   case when row_id ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then 'without a name' else row_id end);
  id := coalesce(id, row_id);
exception when data_exception then
  name := row_id; -- a table of the same name with other keys: say what we have
end $$;

create function private.log_subject_of_parent(entry jsonb, out name text, out id text)
language plpgsql stable set search_path = '' as $$
begin
  if coalesce(entry ->> 'order_id', entry #>> '{payload,order_id}') is not null then
    id := coalesce(entry ->> 'order_id', entry #>> '{payload,order_id}');
    select o.number::text into name from public.orders o where o.id = log_subject_of_parent.id::uuid;
  elsif entry ->> 'purchase_order_id' is not null then
    id := entry ->> 'purchase_order_id';
    select format('%s from %s', o.id, v.name) into name
    from public.purchase_orders o join public.vendors v on v.id = o.vendor_id where o.id = log_subject_of_parent.id::bigint;
  elsif entry ->> 'vendor_id' is not null then
    id := entry ->> 'vendor_id';
    select v.name into name from public.vendors v where v.id = log_subject_of_parent.id::bigint;
  elsif entry ->> 'product_id' is not null then
    id := entry ->> 'product_id';
    select p."Name" into name from public."Products" p where p."Id" = log_subject_of_parent.id::bigint;
  end if;
end $$;

create function private.order_conditions(f private.order_filter, at timestamptz) returns text[]
language plpgsql stable set search_path = '' as $$
declare
  conditions text[] := '{}';
  digits constant text := private.phone_digits(f.phone);
begin
  if f.ids is not null then
    conditions := conditions || format('o.id = any (%L::uuid[])', f.ids);
  end if;
  if f.number is not null then
    conditions := conditions || format('o.number = %L::bigint', f.number);
  end if;
  if f.user_id is not null then
    conditions := conditions || format('o.user_id = %L::uuid', f.user_id);
  end if;
  if f.placed_from is not null then
    conditions := conditions || format('o.created_at >= %L::timestamptz', private.start_of(f.placed_from));
  end if;
  if f.placed_to is not null then
    conditions := conditions || format('o.created_at < %L::timestamptz', private.start_of(f.placed_to + 1));
  end if;
  if digits <> '' then
    conditions := conditions || format('%s and '' '' || translate(o.delivery_phone, ''+- ()'', '''') like %L',
                                       private.name_or_phone_condition(digits), private.word_pattern(digits));
  end if;
  if f.pincode is not null then
    -- The same as like, and an index needs nothing but it: pincodes are figures, and after those comes the colon.
    conditions := conditions || format('o.delivery_zip ~>=~ %L and o.delivery_zip ~<~ %L', f.pincode, f.pincode || ':');
  end if;
  if f.total_min_paise is not null then
    conditions := conditions || format('o.total_amount >= %L::numeric', f.total_min_paise / 100.0);
  end if;
  if f.total_max_paise is not null then
    conditions := conditions || format('o.total_amount <= %L::numeric', f.total_max_paise / 100.0);
  end if;
  if cardinality(f.payment) > 0 then
    conditions := conditions || format('o.payment_status = any (%L::text[])', f.payment);
  end if;
  if cardinality(f.status) > 0 then
    conditions := conditions || format('o.status = any (%L::text[])', f.status);
  end if;
  if f.is_open or f.waiting_hours is not null then
    conditions := conditions || text 'not private.is_finished(o.status)';
  end if;
  if f.waiting_hours is not null then
    conditions := conditions || format('o.status_since <= %L::timestamptz', at - f.waiting_hours * interval '1 hour');
  end if;
  if f.source is not null then
    conditions := conditions || format('o.source = %L', f.source);
  end if;
  if f.fulfilment is not null then
    conditions := conditions || format('o.fulfilment = %L', f.fulfilment);
  end if;
  conditions := conditions || case f.todo
    when 'unconfirmed' then array['o.status = ''Pending''']
    when 'pack-today' then array[format('o.status in (''Confirmed'', ''Preparing'') and private.is_due_today(o, %L)', at)]
    when 'to-collect' then array['private.is_to_collect(o.status, o.payment_status)']
    when 'undelivered' then array['o.status = ''Undelivered''']
    when 'give-back' then array['private.is_refund_due(o.status, o.payment_status)']
    else '{}' end;
  return conditions;
end $$;

create or replace function private.order_sources(
  f private.order_filter, at timestamptz, by_placing boolean default false, most_lines integer default null) returns text[]
language plpgsql stable set search_path = '' as $$
declare
  with_products constant text := format('o.id in (select i.order_id from public.order_items i where i.product_id = any (%%L::bigint[])%s)',
                                        ' limit ' || most_lines);
  first_lines constant text := '(select distinct l.order_id as id from (select i.order_id from public.order_items i
    where i.product_id = any (%L::bigint[]) limit %s) l) o where true';
  conditions text[] := array['true'] || private.order_conditions(f, at);
  ways text[] := '{}';
  named text[];
  term text := btrim(f.search, E' \t\r\n');
  word text;
  words text[];
  customer constant text[] := private.words_in(f.customer);
  sweet constant text[] := private.words_in(f.product);
  products bigint[];
begin
  -- A name or a product alone is read from the table that lists its orders.
  if conditions = '{true}' and cardinality(private.words_in(term)) = 0 then
    if by_placing and cardinality(customer) = 1 and cardinality(sweet) = 0 then
      named := private.orders_for_name(customer[1]);
      if named is not null then
        return named;
      end if;
    elsif most_lines is not null and cardinality(customer) = 0 and cardinality(sweet) > 0 then
      return array[format(first_lines, private.products_named(sweet), most_lines)];
    end if;
  end if;
  foreach word in array customer loop
    conditions := conditions || private.name_or_phone_condition(word);
    -- Only figures could be those of the phone; to say more than needed would mislead the planner.
    if word ~ '^[0-9]+$' then
      conditions := conditions || format('lower('' '' || o.delivery_name) like %L', private.word_pattern(word));
    end if;
  end loop;
  if cardinality(sweet) > 0 then
    conditions := conditions || format(with_products, private.products_named(sweet));
  end if;

  if cardinality(private.words_in(term)) > 0 then
    -- A number is an order's, if there is one of that number, and part of a phone otherwise; six digits may be a pincode.
    if term ~ '^#?[0-9]{1,15}$' and exists (select from public.orders o where o.number = ltrim(term, '#')::bigint) then
      ways := array[format('o.number = %L::bigint', ltrim(term, '#'))];
    elsif term ~ '^[-+() 0-9]*[0-9][-+() 0-9]*$' then
      ways := array[private.name_or_phone_condition(private.phone_digits(term))];
    end if;
    if term ~ '^[1-9][0-9]{5}$' then
      ways := ways || format('o.delivery_zip = %L', term);
    elsif ways = '{}' then
      words := private.words_in(term);
      if by_placing and conditions = '{true}' and cardinality(words) = 1 then
        named := private.orders_for_name(words[1]);
      end if;
      if named is null then
        ways := array[(select string_agg(private.name_or_phone_condition(w), ' and ') from unnest(words) w)];
      end if;
      products := private.products_named(words);
      if cardinality(products) = 0 then
        null;
      elsif most_lines is not null and conditions = '{true}' then
        named := named || format(first_lines, products, most_lines);
      else
        ways := ways || format(with_products, products);
      end if;
      ways := ways || private.orders_of_city(term) || private.orders_of_email(term);
    end if;
    ways := ways || private.orders_with_reference(term);
  end if;
  return coalesce(named, '{}') || case when ways = '{}' and named is null then array['public.orders o where ' || array_to_string(conditions, ' and ')]
    else (select coalesce(array_agg('public.orders o where ' || array_to_string(conditions || way, ' and ')), '{}') from unnest(ways) way) end;
end $$;

create or replace function private.promised_between(first_day date, last_day date) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'count', count(*),
    'orders', coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'number', o.number) order by o.number) filter (where o.place <= 10), '[]'))
  from (
    select p.id, p.number, row_number() over (order by p.number) as place
    from public.orders p
    where not private.is_finished(p.status) and p.delivery_by between first_day and last_day
  ) o;
$$;

create function private.returns_by_day(from_time timestamptz, to_time timestamptz) returns table (
  day date, canceled_goods numeric, canceled_tax numeric, canceled_shipping numeric, refunded_goods numeric, refunded_tax numeric,
  refunded_shipping numeric, canceled_shipping_tax numeric, refunded_shipping_tax numeric)
language sql stable as $$
  with touched as (
    select e.order_id from public.order_events e
    where e.created_at >= from_time and e.created_at < to_time and e.to_status in ('canceled', 'Refunded')
    union
    select r.order_id from private.refunds r
    where r.created_at >= from_time and r.created_at < to_time and r.order_id is not null and r.status <> 'failed'
  ), endings as (
    select t.order_id, e.to_status, e.created_at
    from touched t left join public.order_events e on e.order_id = t.order_id and e.to_status in ('canceled', 'Refunded')
  ), takings as ( -- each with what had been given back when it was over
    select e.order_id, r.created_at as at, false as by_cancel,
           sum(r.amount_paise) over (partition by e.order_id order by r.created_at, r.id) as upto
    from endings e join private.refunds r on r.order_id = e.order_id
    where r.status <> 'failed' and (e.created_at is null or r.created_at < e.created_at)
    union all
    select e.order_id, e.created_at, e.to_status = 'canceled', null
    from endings e where e.created_at is not null
  ), parts as (
    select t.order_id, t.at, t.by_cancel, p.goods, x.upto, least(x.upto, p.goods + p.tax) as upto_taxed,
           round(least(x.upto, p.goods + p.tax) * p.goods / (p.goods + p.tax)) as upto_goods,
           case when p.shipping > 0 then round(greatest(x.upto - p.goods - p.tax, 0) * private.order_shipping_tax(o) / p.shipping)
                else 0 end as upto_shipping_tax
    from takings t
    join public.orders o on o.id = t.order_id
    cross join lateral (select o.sub_total * 100 as goods, o.tax * 100 as tax, o.shipping_charge * 100 as shipping,
                               o.total_amount * 100 as total) p
    cross join lateral (select least(coalesce(t.upto, p.total), p.total) as upto) x
  ), steps as (
    select p.at, p.by_cancel,
           p.upto_goods - lag(p.upto_goods, 1, 0) over by_order as goods,
           (p.upto_taxed - p.upto_goods) - lag(p.upto_taxed - p.upto_goods, 1, 0) over by_order as tax,
           (p.upto - p.upto_taxed) - lag(p.upto - p.upto_taxed, 1, 0) over by_order as shipping,
           p.upto_shipping_tax - lag(p.upto_shipping_tax, 1, 0) over by_order as shipping_tax
    from parts p
    window by_order as (partition by p.order_id order by p.upto, p.at)
  )
  select (t.at at time zone 'Asia/Kolkata')::date as day,
         sum(t.goods) filter (where t.by_cancel) as canceled_goods, sum(t.tax) filter (where t.by_cancel) as canceled_tax,
         sum(t.shipping) filter (where t.by_cancel) as canceled_shipping,
         sum(t.goods) filter (where not t.by_cancel) as refunded_goods, sum(t.tax) filter (where not t.by_cancel) as refunded_tax,
         sum(t.shipping) filter (where not t.by_cancel) as refunded_shipping,
         sum(t.shipping_tax) filter (where t.by_cancel) as canceled_shipping_tax,
         sum(t.shipping_tax) filter (where not t.by_cancel) as refunded_shipping_tax
  from steps t where t.at >= from_time and t.at < to_time
  group by 1;
$$;

create or replace function private.search_matches(query text, out product_id bigint, out fit double precision, out is_whole boolean) returns setof record
language plpgsql stable set search_path = '' as $$
declare
  needed constant integer := (select max(t.needed) from private.search_terms(query) t);
  is_strict constant boolean := private.is_search_for_absence(query);
begin
  if needed is null then return; end if;
  return query
  with terms as materialized (
    select t.term, t.first, t.last, char_length(t.term) as size, t.last > t.first as is_pair, private.search_consonants(t.term) as consonants,
           -- two neighbours in the wrong order
           array(select overlay(t.term placing reverse(substr(t.term, n, 2)) from n for 2)
                 from generate_series(1, char_length(t.term) - 1) n where char_length(t.term) > 3) as swapped,
           is_strict or exists (select from private.search_entries e where e.word = t.term)
             or exists (select from private.search_synonym_words m where m.word = t.term) as is_known
    from private.search_terms(query) t
  ), candidates as (
    select t.term, t.first, t.last, t.is_pair, t.consonants, t.swapped, w.word, w.consonants as word_consonants
    from terms t
    cross join lateral (
      select w.word, w.consonants from private.search_words w where w.word = t.term
      union
      select w.word, w.consonants from private.search_words w where w.word = any (t.swapped) and not t.is_known
      union
      select w.word, w.consonants from private.search_words w where w.word >= t.term and w.word < t.term || chr(1114111) and t.size > 1
      union
      select w.word, w.consonants from private.search_words w where w.consonants = t.consonants and t.size > 3 and not t.is_known
      union
      select w.word, w.consonants from private.search_words w where w.word operator(extensions.%) t.term and t.size > 3 and not t.is_known and not t.is_pair and t.first <= 4
      union
      select w.word, w.consonants from private.search_words w
      where t.size = 5 and not t.is_known and not t.is_pair and t.first <= 4 and w.word >= left(t.term, 1) and w.word < left(t.term, 1) || chr(1114111)
        and char_length(w.word) between 4 and 6 and extensions.levenshtein_less_equal(w.word, t.term, 1) <= 1
    ) w
  ), measured as (
    select c.*, extensions.levenshtein(c.word, c.term) as steps,
           extensions.similarity(c.word, c.term) as likeness
    from candidates c
  ), rated as (
    select m.first, m.last, m.word,
           private.word_fit(m.term, m.word, m.consonants, m.word_consonants, m.is_pair, m.word = any (m.swapped), m.steps, m.likeness) as fit
    from measured m
  ), ranked as (
    select r.*, max(r.fit) over spelling as best, row_number() over (spelling order by r.fit desc, r.word) as place
    from rated r
    where r.fit >= case when is_strict then 1 else 0.45 end
      and (exists (select from private.search_entries e where e.word = r.word) or exists (select from private.search_synonym_words m where m.word = r.word))
    window spelling as (partition by r.first, r.last)
  ), kept as (
    select k.first, k.last, k.word, k.fit from ranked k
    where k.fit >= case when k.best = 1 then 0.9 else 0.75 * k.best end and k.place <= 30
  ), meant as (
    select k.first, k.last, k.word, k.fit from kept k
    union all
    select k.first, k.last, other.word, k.fit * 0.97
    from kept k
    join private.search_synonym_words m on m.word = k.word
    join private.search_synonym_words other on other.group_id = m.group_id and other.word <> k.word
  ), placed as materialized (
    select m.word, place, max(m.fit * case when m.last > m.first then 1.1 else 1 end)::real as fit
    from meant m cross join lateral generate_series(m.first, m.last) place group by m.word, place
  ), hits as (
    -- Word by word, through the index: never all the entries there are.
    select e.product_id, m.place, max(m.fit * e.weight) as score
    from placed m
    cross join lateral (select e.product_id, e.weight from private.search_entries e where e.word = m.word offset 0) e
    where e.weight > 0.9 or not is_strict and (e.weight > 0.5 or m.fit > 0.64)
    group by e.product_id, m.place
  )
  select h.product_id,
         (coalesce(sum(h.score) filter (where h.place <= needed), 0) / needed
           + 0.05 * coalesce(sum(h.score) filter (where h.place > needed), 0))::double precision,
         count(*) filter (where h.place <= needed) = needed
  from hits h group by h.product_id;
end $$;

create function private.stock_entries(ids bigint[], ranks numeric[], names text[], most integer, at timestamptz) returns json
language plpgsql set search_path = '' as $$
declare
  entries json;
  without_pace bigint[];
begin
  -- Each is looked up by its key. Once a day the pace of some is not calculated yet, and they are read again with it.
  for attempt in 1 .. 2 loop
    select coalesce(json_agg((
        select json_build_object(
          'product_id', m.id, 'name', p."Name", 'category', p."Category", 'has_size', p."hasSize", 'is_listed', p.is_listed,
          'is_archived', p.archived_at is not null, 'on_hand', s.on_hand, 'reserved', s.reserved, 'low_at', s.low_at,
          'waiting', (select count(*) from public.notify_subscriptions n where n.product_id = m.id),
          'cover_days', round((s.on_hand - s.reserved) / nullif(m.per_day, 0), 1), 'key', m.key, 'sort_name', m.name)
        from public."Products" p, public.stock_levels s where p."Id" = m.id and s.product_id = m.id) order by m.place), '[]'),
      array_agg(m.id) filter (where m.per_day is null)
    into entries, without_pace
    from (
      select u.*, (select k.per_day from private.stock_pace k where k.product_id = u.id and k.day = private.day_of(at)) as per_day
      from unnest(ids, ranks, names) with ordinality u (id, key, name, place) where u.place <= most) m;
    exit when without_pace is null;
    perform private.update_sales_pace(without_pace, at);
  end loop;
  return entries;
end $$;

create or replace function private.units_to_pack(product_id bigint) returns bigint
language sql stable set search_path = '' as $$
  select coalesce(sum(private.stock_quantity(i.has_size, i.size, i.quantity)), 0)
  from public.order_items i
  where i.product_id = units_to_pack.product_id
    and i.order_id = any (array(select o.id from public.orders o where private.is_before_packing(o.status)));
$$;

create function private.wastage_by_day(from_time timestamptz, to_time timestamptz) returns table (day date, cost numeric, unknown_moves numeric)
language sql stable as $$
  select (m.created_at at time zone 'Asia/Kolkata')::date as day,
         sum(round(c.unit_cost * 100 * -m.quantity / case when p."hasSize" then 500 else 1 end)) as cost,
         sum(-sign(m.quantity)) filter (where c.unit_cost is null) as unknown_moves
  from public.stock_movements m join public."Products" p on p."Id" = m.product_id
  left join public.stock_movements u on u.id = m.undoes
  cross join lateral (select private.unit_cost_at(m.product_id, coalesce(u.created_at, m.created_at)) as unit_cost) c
  where m.created_at >= from_time and m.created_at < to_time and m.reason = 'wastage'
  group by 1;
$$;

create function private.word_fit(term text, word text, term_consonants text, word_consonants text, is_pair boolean, is_swapped boolean,
                                 steps integer, likeness real) returns double precision
language sql immutable parallel safe as $$
  select case
    when word = term then 1.0
    when word ^@ term then 0.8 + 0.15 * char_length(term) / char_length(word)
    when is_swapped then 0.8
    when is_pair and steps > 2 then 0
    when term_consonants = word_consonants and char_length(term_consonants) > 2 and steps <= 3
      then 0.8 * greatest(0.75, 1 - steps::real / greatest(char_length(term), char_length(word)))
    when char_length(term) < 5 and term_consonants <> word_consonants or term ^@ word and char_length(term) > char_length(word) + 2 then 0
    when steps <= case when char_length(term) < 6 then 1 when char_length(term) < 9 then 2 else 3 end or likeness >= 0.5
      then 0.8 * greatest(likeness, 1 - steps::real / greatest(char_length(term), char_length(word)))
    else 0
  end;
$$;

create or replace function public.admin_list_customers(
  search text default null, city text default null, tag text default null, blocked boolean default null,
  has_ordered boolean default null, last_order_from date default null, last_order_to date default null,
  sort text default 'last_order', descending boolean default true, after text default null,
  page_size integer default 50)
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  most integer := 10000;
  start jsonb;
  patterns text[];
  key text;
  key_type text;
  conditions text;
  rows jsonb;
  is_last boolean;
  total integer;
begin
  perform private.require_admin();
  select k.expression, k.type into key, key_type
  from (values ('name', 'lower(c.name)', 'text'), ('last_order', 'f.last_order_at', 'timestamptz'),
               ('value', 'f.value_paise', 'bigint'), ('orders', 'f.orders', 'integer')) as k (name, expression, type)
  where k.name = sort;
  if key is null then
    perform private.reject('Customers can be sorted by name, last order, value or orders.', 'sort');
  end if;
  if page_size is null or page_size not between 1 and 50 then
    perform private.reject('A page has 1 to 50 customers.', 'page_size');
  end if;
  start := private.page_start(after);
  patterns := private.person_patterns(coalesce(search, ''));

  conditions := private.customer_conditions(patterns, city, tag, blocked, has_ordered, last_order_from, last_order_to);

  begin
    execute format(
      $query$
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', p.user_id, 'name', p.name, 'email', p.email, 'phone', p.phone, 'city', p.city, 'orders', p.orders,
        'value_paise', p.value_paise, 'last_order_at', nullif(p.last_order_at, '-infinity'), 'tags', p.tags,
        'is_blocked', p.is_blocked, 'key', p.key) order by p.place), '[]')
      from (
        select user_id, c.name, c.email, c.phone, c.city, f.orders, f.value_paise, f.last_order_at,
               coalesce(r.tags, '{}') as tags, r.blocked_at is not null as is_blocked, %1$s as key,
               row_number() over (order by %1$s %3$s, user_id %3$s) as place
        from %4$s
        where %5$s and ($6 is null or (%1$s, user_id) %6$s ($6::%2$s, $7::uuid))
        order by %1$s %3$s, user_id %3$s
        limit %7$s
      ) p
      $query$,
      key, key_type, case when descending then 'desc' else 'asc' end, private.customer_tables(sort = 'name'),
      conditions, case when descending then '<' else '>' end, page_size + 1)
    into rows using patterns, city, tag, last_order_from, last_order_to, start ->> 'key', start ->> 'id';
  exception when data_exception then
    perform private.reject('This page of the list does not exist. Start again from the first page.', 'after');
  end;

  is_last := jsonb_array_length(rows) <= page_size;
  if start is null and is_last then
    total := jsonb_array_length(rows);
  else
    most := case when cardinality(patterns) > 0 then 1000 else most end;
    total := private.count_listed_customers(conditions, patterns, city, tag, last_order_from, last_order_to, most);
  end if;
  return jsonb_build_object(
    'rows', (select coalesce(jsonb_agg(r.row - 'key' order by r.place), '[]')
             from jsonb_array_elements(rows) with ordinality as r (row, place) where r.place <= page_size),
    'next', case when not is_last then
      jsonb_build_object('key', rows -> (page_size - 1) -> 'key', 'id', rows -> (page_size - 1) -> 'id')::text end,
    'count', least(total, most), 'count_is_capped', total > most);
end $$;

create or replace function public.admin_list_stock(
  filter jsonb default '{}', after jsonb default null, at timestamptz default now(), page_size integer default 50) returns json
language plpgsql security definer set search_path = '' as $$
declare
  most constant integer := 10000;
  descending boolean := coalesce(filter -> 'descending' = 'true', false);
  backwards boolean := descending and filter ->> 'sort' = 'name';
  pattern text := '%' || regexp_replace(btrim(filter ->> 'search'), '([\\%_])', '\\\1', 'g') || '%';
  sort_key text := case filter ->> 'sort'
    when 'name' then '0'
    when 'saleable' then '(s.on_hand - s.reserved) / case when p."hasSize" then 500.0 else 1 end'
    when 'cover' then $key$coalesce((s.on_hand - s.reserved) / nullif(
      (select k.per_day from private.stock_pace k where k.product_id = p."Id" and k.day = private.day_of($1)), 0), 1e9)$key$
    when 'waiting' then '(select count(*) from public.notify_subscriptions n where n.product_id = p."Id")' end;
  by_attention text := $key$case when not p.is_listed or p.archived_at is not null then 4
    when s.on_hand = 0 then case when exists (select from public.notify_subscriptions n where n.product_id = p."Id") then 0 else 1 end
    when s.on_hand - s.reserved <= s.low_at then 2 else 3 end$key$;
  here constant text := 'public."Products" p join public.stock_levels s on s.product_id = p."Id"';
  on_sale constant text := 'p.is_listed and p.archived_at is null';
  condition text := concat_ws(' and ',
    case filter ->> 'show'
      when 'out' then on_sale || ' and s.on_hand = 0'
      when 'low' then on_sale || ' and s.on_hand > 0 and s.on_hand - s.reserved <= s.low_at'
      when 'waiting' then on_sale || ' and s.on_hand = 0 and exists (select from public.notify_subscriptions n where n.product_id = p."Id")' end,
    case when pattern <> '%%' then 'p."Name" ilike $2' end,
    case when coalesce(filter ->> 'category', '') <> '' then 'p."Category" = $3' end);
  kept constant text := '(p.archived_at is null or s.on_hand > 0)';
  -- Each part is cut to a page by itself, so that the long one, what is fine, is read only as far as it is shown.
  parts text[] := case when sort_key is null and condition = ''
    then array[on_sale || ' and private.is_low_stock(s) and p."Id" in (select h.product_id from private.low_stock h)',
               on_sale || ' and s.on_hand > 0 and s.on_hand - s.reserved > s.low_at',
               '(not p.is_listed or p.archived_at is not null) and ' || kept]
    else array[concat_ws(' and ', kept, nullif(condition, ''))] end;
  keys text[] := case when cardinality(parts) > 1 then array[by_attention, '3', '4'] else array[coalesce(sort_key, by_attention)] end;
  direction text := case when backwards then 'desc' else 'asc' end;
  pages text;
  ids bigint[];
  ranks numeric[];
  names text[];
  entries json;
  total bigint;
begin
  perform private.require_admin();
  if page_size is null or page_size not between 1 and 200 then
    perform private.reject('A page has 1 to 200 products.', 'page_size');
  end if;
  perform private.expect_cursor(after, '{"key": "numeric", "sort_name": "text", "product_id": "bigint"}');
  select string_agg(format($part$(
      select l.* from (select p."Id" as id, lower(p."Name") as name, (%1$s) * %2$s::numeric as key from %3$s where %4$s) l
      where $4::jsonb is null or (l.key, l.name, l.id) %5$s (($4 ->> 'key')::numeric, $4 ->> 'sort_name', ($4 ->> 'product_id')::bigint)
      order by l.key %6$s, l.name %6$s, l.id %6$s limit %7$s)$part$,
    k.key, case when descending and sort_key is not null and not backwards then -1 else 1 end, here, k.part,
    case when backwards then '<' else '>' end, direction, page_size + 1), ' union all ')
  into pages from unnest(keys, parts) k (key, part);
  if filter ->> 'sort' = 'cover' then
    perform private.update_sales_pace(null, at);
  end if;
  execute format('select array_agg(u.id), array_agg(u.key), array_agg(u.name) from (select u.* from (%2$s) u order by u.key %1$s, u.name %1$s, u.id %1$s limit %3$s) u',
    direction, pages, page_size + 1) into ids, ranks, names using at, pattern, filter ->> 'category', after;
  entries := private.stock_entries(ids, ranks, names, page_size, at);
  if condition = '' then
    total := (select count(*) from public."Products" p where p.archived_at is null)
           + (select count(*) from public."Products" p join public.stock_levels s on s.product_id = p."Id" where p.archived_at is not null and s.on_hand > 0);
  else
    execute format('select count(*) from (select from %s where %s and %s limit %s) m', here, kept, condition, most + 1) into total
    using at, pattern, filter ->> 'category';
  end if;
  return json_build_object('rows', entries, 'count', least(total, most), 'count_is_capped', total > most,
    'next', case when cardinality(ids) > page_size then
      json_build_object('key', ranks[page_size], 'sort_name', names[page_size], 'product_id', ids[page_size]) end);
end $$;

create or replace function public.admin_read_dashboard(period text default 'today', at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  span record;
  today timestamptz := private.start_of_step('day', at);
  days_end timestamptz := private.stored_until('day', at);
  hours_end timestamptz := greatest(days_end, private.stored_until('hour', at));
  part private.sales_steps;
  kept_span bigint;
  best jsonb;
  categories jsonb;
  cities jsonb;
begin
  perform private.require_admin();
  select * into span from private.dashboard_period(period, at);
  perform private.store_sales_steps('day', span.before_from, least(today, greatest(days_end, span.before_from)));
  if span.from_time < days_end then
    kept_span := private.store_sales_span(span.from_time, days_end);
  end if;
  perform private.store_sales_steps('hour', greatest(span.from_time, days_end), greatest(span.from_time, hours_end));
  part := private.part_of_day(at, at);

  select p.best, p.categories into best, categories
  from private.dashboard_products(kept_span, greatest(span.from_time, days_end), hours_end, at) p;

  select coalesce(jsonb_agg(to_jsonb(c) order by c.goods_paise desc, c.city), '[]') into cities
  from (
    select a.city, sum(a.orders) as orders, sum(a.goods_paise) as goods_paise
    from (select s.city, s.orders, s.goods_paise from private.sales_span_cities s where s.span_id = kept_span
          union all
          select s.city, s.orders, s.goods_paise from private.sales_step_cities s
          where s.step = 'hour' and s.starts_at >= greatest(span.from_time, days_end) and s.starts_at < hours_end
          union all
          select l.city, l.orders, l.goods_paise from private.calculate_city_sales('hour', greatest(span.from_time, hours_end), at) l) a
    group by a.city order by 3 desc, 1 limit 10
  ) c;

  return jsonb_build_object(
    'period', period, 'from', span.from_time, 'to', at, 'before_from', span.before_from, 'before_to', span.before_to,
    'now', private.total_sales(span.from_time, part, days_end),
    'before', private.total_sales(span.before_from, private.part_of_day(span.before_to, at), days_end),
    'timeline', private.dashboard_timeline(period, span.from_time, part, days_end, hours_end, at),
    'categories', categories, 'best', best, 'cities', cities);
end $$;

create or replace function public.admin_read_kitchen(only_due boolean default false, at timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  sweets jsonb;
  open_orders integer;
begin
  perform private.require_admin();
  with open as (
    select o.id, private.is_due_today(o, at) as is_due
    from public.orders o where private.is_before_packing(o.status)
  ), wanted as (
    select * from open where is_due or not only_due
  )
  select (select count(*) from wanted), coalesce(jsonb_agg(to_jsonb(k) order by k.category, k.name), '[]') into open_orders, sweets
  from (
    select i.product_id, max(p."Name") as name, max(p."Category") as category, bool_or(i.has_size) as has_size,
           coalesce(sum(i.quantity) filter (where i.has_size and i.size = 500), 0) as half_kilos,
           coalesce(sum(i.quantity) filter (where i.has_size and i.size = 1000), 0) as kilos,
           coalesce(sum(i.size * i.quantity) filter (where i.has_size), 0) as grams,
           coalesce(sum(i.quantity) filter (where not i.has_size), 0) as pieces,
           coalesce(sum(i.size * i.quantity) filter (where i.has_size and w.is_due), 0) as due_grams,
           coalesce(sum(i.quantity) filter (where not i.has_size and w.is_due), 0) as due_pieces,
           count(distinct w.id) as orders
    from wanted w
    join public.order_items i on i.order_id = w.id
    join public."Products" p on p."Id" = i.product_id
    group by i.product_id
  ) k;
  return jsonb_build_object('orders', open_orders, 'sweets', sweets);
end $$;

revoke execute on function private.check_canceled_invoices(lowest uuid, highest uuid) from public, anon, authenticated;

revoke execute on function private.check_credit_notes(lowest uuid, highest uuid) from public, anon, authenticated;

revoke execute on function private.check_customer_figures(lowest uuid, highest uuid) from public, anon, authenticated;

revoke execute on function private.check_invoices(lowest uuid, highest uuid) from public, anon, authenticated;

revoke execute on function private.check_order_events(lowest uuid, highest uuid) from public, anon, authenticated;

revoke execute on function private.check_order_items(lowest uuid, highest uuid) from public, anon, authenticated;

revoke execute on function private.check_order_payments(lowest uuid, highest uuid) from public, anon, authenticated;

revoke execute on function private.check_order_totals(lowest uuid, highest uuid) from public, anon, authenticated;

revoke execute on function private.check_shipped_orders(lowest uuid, highest uuid) from public, anon, authenticated;

revoke execute on function private.count_listed_customers(conditions text, patterns text[], city text, tag text, last_order_from date, last_order_to date, most integer) from public, anon, authenticated;

revoke execute on function private.customer_tables(by_card boolean) from public, anon, authenticated;

revoke execute on function private.dashboard_products(kept_span bigint, rest_from timestamp with time zone, hours_end timestamp with time zone, at timestamp with time zone, OUT best jsonb, OUT categories jsonb) from public, anon, authenticated;

revoke execute on function private.dashboard_timeline(period text, from_time timestamp with time zone, part private.sales_steps, days_end timestamp with time zone, hours_end timestamp with time zone, at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.draft_food_problems(draft jsonb) from public, anon, authenticated;

revoke execute on function private.draft_kind_problems(draft jsonb) from public, anon, authenticated;

revoke execute on function private.draft_name_problems(draft jsonb, product_id bigint) from public, anon, authenticated;

revoke execute on function private.draft_other_problems(draft jsonb, product_id bigint) from public, anon, authenticated;

revoke execute on function private.draft_price_problems(draft jsonb) from public, anon, authenticated;

revoke execute on function private.draft_size_problems(draft jsonb, product_id bigint) from public, anon, authenticated;

revoke execute on function private.log_subject_of_parent(entry jsonb, OUT name text, OUT id text) from public, anon, authenticated;

revoke execute on function private.order_conditions(f private.order_filter, at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.returns_by_day(from_time timestamp with time zone, to_time timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.stock_entries(ids bigint[], ranks numeric[], names text[], most integer, at timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.wastage_by_day(from_time timestamp with time zone, to_time timestamp with time zone) from public, anon, authenticated;

revoke execute on function private.word_fit(term text, word text, term_consonants text, word_consonants text, is_pair boolean, is_swapped boolean, steps integer, likeness real) from public, anon, authenticated;
