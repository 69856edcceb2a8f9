-- The profit and loss statement, from stored days and expenses.
-- No tables: read by the console and by the months that it closes.
set check_function_bodies = off;

-- Net sales are goods without tax and shipping, less discounts, cancellations and refunds. Expenses count without their GST
-- part, which is set against the GST collected; those for Delivery are set against the shipping that customers paid
-- (as charged, including its tax). What vendors deliver is not an expense: it counts once, as the cost of goods
-- sold.
create function private.profit_and_loss(from_day date, to_day date) returns table (
  orders integer, goods_paise bigint, canceled_paise bigint, refunded_paise bigint, net_sales_paise bigint,
  cost_paise bigint, unknown_cost_lines integer, unknown_cost_goods_paise bigint, unknown_back_lines integer,
  unknown_back_goods_paise bigint, gross_profit_paise bigint,
  fee_paise bigint, unknown_fee_payments integer, unknown_fee_paid_paise bigint,
  shipping_paise bigint, courier_paise bigint, wastage_paise bigint, unknown_wastage_moves integer,
  expenses jsonb, expenses_paise bigint, profit_paise bigint, tax_collected_paise bigint, tax_spent_paise bigint,
  shipping_tax_paise bigint, fee_tax_paise bigint, discount_paise bigint)
language plpgsql set search_path = '' as $$
declare
  hour constant timestamptz := private.stored_until('hour', now());
  today date;
begin
  perform private.store_profit_days(from_day, to_day);
  select k.day into today from private.profit_days k where k.day between from_day and to_day and k.until = hour;
  return query
  with days as (
    select k.* from private.profit_days k where k.day between from_day and to_day and (k.until is null or k.until = hour)
    union all
    select f.* from private.day_figures(today, to_day, from_time => hour) f
    where today is not null and not exists (select from private.profit_days k where k.day = f.day and k.until is null)
    union all
    select f.* from private.missing_profit_days(from_day, coalesce(today - 1, to_day)) r cross join lateral private.day_figures(lower(r), upper(r) - 1) f
  ), sums as (
    select coalesce(sum(d.orders), 0) as orders, coalesce(sum(d.goods_paise), 0) as goods,
           coalesce(sum(d.canceled_goods_paise), 0) as canceled, coalesce(sum(d.refunded_goods_paise), 0) as refunded,
           coalesce(sum(d.cost_paise - d.cost_back_paise), 0) as cost,
           coalesce(sum(d.unknown_cost_lines), 0) as unknown_lines, coalesce(sum(d.unknown_cost_goods_paise), 0) as unknown_goods,
           coalesce(sum(d.unknown_back_lines), 0) as unknown_back_lines, coalesce(sum(d.unknown_back_goods_paise), 0) as unknown_back,
           coalesce(sum(d.fee_paise - d.fee_tax_paise), 0) as fee, coalesce(sum(d.fee_tax_paise), 0) as fee_tax, coalesce(sum(d.unknown_fee_payments), 0) as unknown_fees,
           coalesce(sum(d.unknown_fee_paid_paise), 0) as unknown_paid,
           coalesce(sum(d.shipping_paise - d.canceled_shipping_paise - d.refunded_shipping_paise), 0) as charged,
           coalesce(sum(d.shipping_tax_paise - d.canceled_shipping_tax_paise - d.refunded_shipping_tax_paise), 0) as shipping_tax,
           coalesce(sum(d.wastage_paise), 0) as wastage, coalesce(sum(d.unknown_wastage_moves), 0) as unknown_wastage,
           coalesce(sum(d.discount_paise), 0) as discount,
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
         n.shipping::bigint, e.couriers::bigint, s.wastage::bigint, s.unknown_wastage::integer,
         e.by_category, e.spent::bigint,
         (n.net - s.cost - s.fee + n.shipping - e.couriers - s.wastage - e.spent)::bigint, s.tax::bigint, e.tax::bigint,
         s.shipping_tax::bigint, s.fee_tax::bigint, s.discount::bigint
  from sums s cross join spendings e cross join lateral (select s.goods - s.discount - s.canceled - s.refunded as net, s.charged - s.shipping_tax as shipping) n;
end $$;

-- The financial year of the oldest order or expense.
create function private.first_financial_year(today date) returns integer
language sql stable set search_path = '' as $$
  select extract(year from private.financial_year_start(least(today,
    (select private.day_of(min(o.created_at)) from public.orders o),
    (select min(e.spent_on) from public.expenses e))))::integer;
$$;

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

-- The GST on vendors' bills. It stands beside the statement and not in it: a bill may come after its month is
-- closed.
create function private.bill_tax_paise(from_day date, to_day date) returns bigint
language sql stable set search_path = '' as $$
  select (coalesce(sum(b.gst), 0) * 100)::bigint from public.vendor_bills b
  where b.canceled_at is null and b.billed_on between from_day and to_day;
$$;
