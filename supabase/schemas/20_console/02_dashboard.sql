-- Console: the dashboard, the kitchen sheet and the list of today's work.
-- Administrators only. Reads.
set check_function_bodies = off;

-- Ends now and begins with a day; the period before ends at the same time of its own last day, so that a morning is
-- compared with a morning. Periods: today, week (7 days), month (30 days), year (the financial year so far).
create function private.dashboard_period(period text, at timestamptz, out from_time timestamptz, out before_from timestamptz, out before_to timestamptz)
language plpgsql immutable set search_path = '' as $$
declare
  today date := private.day_of(at);
  days integer := case period when 'today' then 1 when 'week' then 7 when 'month' then 30 end;
  year_start date := private.financial_year_start(today);
begin
  if period = 'year' then
    from_time := private.start_of(year_start);
    before_from := private.start_of((year_start - interval '1 year')::date);
    before_to := private.start_of((today - interval '1 year')::date) + (at - private.start_of(today));
  elsif days is not null then
    from_time := private.start_of(today - days + 1);
    before_from := from_time - make_interval(days => days);
    before_to := at - make_interval(days => days);
  else
    perform private.reject('There is no such period.', 'period');
  end if;
end $$;

create function private.timeline_step(period text) returns text
language sql immutable as $$
  select case period when 'today' then 'hour' when 'year' then 'month' else 'day' end;
$$;

-- Orders to pack today: those whose packing day has come; without a chosen day those placed before today, promised for tomorrow
-- at the latest, or for pickup.
create function private.is_due_today(placed public.orders, at timestamptz) returns boolean
language sql immutable as $$
  select case when placed.pack_on is not null then placed.pack_on <= private.day_of(at)
    else placed.created_at < private.start_of(private.day_of(at)) or placed.fulfilment = 'pickup'
      or coalesce(placed.delivery_by <= private.day_of(at) + 1, false) end;
$$;

-- Refunds due: a failed refund, or a canceled order that was paid offline.
create function private.is_refund_due(status text, payment_status text) returns boolean
language sql immutable as $$
  select payment_status = 'refund_failed' or status = 'canceled' and payment_status in ('paid_offline', 'partially_refunded');
$$;

-- The best products and categories of a period: its stored days (kept_span), the stored hours from rest_from to hours_end, and
-- what was sold since.
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

-- Hours of today, days of a week or month, months of a year. part: what was sold today.
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

create function public.admin_read_dashboard(period text default 'today', at timestamptz default now()) returns jsonb
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

-- Counts of what needs attention, calculated each time: there is never much of it.
create function public.admin_read_todo(at timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'unconfirmed', (select count(*) from (select from public.orders o where o.status = 'Pending' limit 1000) n),
    'pack_today', (select count(*) from (
      select from public.orders o where o.status in ('Confirmed', 'Preparing') and private.is_due_today(o, at) limit 1000) n),
    'to_give_back', (select count(*) from (
      select from public.orders o where private.is_refund_due(o.status, o.payment_status) limit 1000) n),
    'low_stock', (
      select count(*) from private.low_stock h join public.stock_levels s on s.product_id = h.product_id join public."Products" p on p."Id" = h.product_id
      where p.is_listed and p.archived_at is null and s.on_hand > 0 and s.on_hand - s.reserved <= s.low_at),
    'waited_for', (
      select count(*) from private.low_stock h join public.stock_levels s on s.product_id = h.product_id join public."Products" p on p."Id" = h.product_id
      where p.is_listed and p.archived_at is null and s.on_hand = 0
        and exists (select from public.notify_subscriptions n where n.product_id = s.product_id)),
    'unbacked_offers', (select count(*) from (
      select from public."Products" p
      where p.archived_at is null and not private.is_offer_backed(p.offer_percent, p."Price", p.regular_price) limit 1000) n));
end $$;

-- What the open orders need of the kitchen: per product the boxes of each size, the pieces for boxes that customers filled, the
-- total, and how much is due today, and in how many orders it is a gift. All of it is sold already and no longer in stock. Orders for a later day
-- are on the sheet of their packing day: packed_on; `later` are those days, with how many orders are packed on each.
create function public.admin_read_kitchen(only_due boolean default false, at timestamptz default now(), packed_on date default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  today date := private.day_of(at);
  sweets jsonb;
  open_orders integer;
begin
  perform private.require_admin();
  with open as (
    select o.id, private.is_due_today(o, at) as is_due, exists (select from private.order_gifts g where g.order_id = o.id) as is_gift,
           case when o.pack_on > today then o.pack_on end as later_on
    from public.orders o where private.is_before_packing(o.status)
  ), wanted as (
    select * from open w where w.later_on is not distinct from case when packed_on > today then packed_on end and (w.is_due or not only_due or packed_on > today)
  )
  select (select count(*) from wanted), coalesce(jsonb_agg(to_jsonb(k) order by k.category, k.name), '[]') into open_orders, sweets
  from (
    select g.product_id, max(p."Name") as name, max(p."Category") as category, bool_or(i.has_size or i.product_id is null) as has_size,
           coalesce(sum(i.quantity) filter (where i.has_size and i.size = 500), 0) as half_kilos,
           coalesce(sum(i.quantity) filter (where i.has_size and i.size = 1000), 0) as kilos,
           coalesce(sum(g.units) filter (where i.has_size or i.product_id is null), 0) as grams,
           coalesce(sum(i.quantity) filter (where i.product_id is not null and not i.has_size), 0) as pieces,
           coalesce(sum(g.units) filter (where (i.has_size or i.product_id is null) and w.is_due), 0) as due_grams,
           coalesce(sum(i.quantity) filter (where i.product_id is not null and not i.has_size and w.is_due), 0) as due_pieces,
           coalesce(sum(g.pieces), 0) as box_pieces,
           count(distinct w.id) as orders, count(distinct w.id) filter (where w.is_gift) as gifts
    from wanted w
    join public.order_items i on i.order_id = w.id
    cross join lateral (
      select i.product_id, private.stock_quantity(i.has_size, i.size, i.quantity) as units, 0 as pieces where i.product_id is not null
      union all
      select c.product_id, c.grams * i.quantity, c.pieces * i.quantity
      from jsonb_to_recordset(i.contents -> 'products') as c (product_id bigint, grams integer, pieces integer)) g
    join public."Products" p on p."Id" = g.product_id
    group by g.product_id
  ) k;
  return jsonb_build_object('orders', open_orders, 'sweets', sweets, 'later', (
    select coalesce(jsonb_agg(jsonb_build_object('day', d.pack_on, 'orders', d.orders) order by d.pack_on), '[]')
    from (select o.pack_on, count(*) as orders from public.orders o
          where o.pack_on > today and private.is_before_packing(o.status) group by o.pack_on) d));
end $$;

-- Everything that needs attention, for the dashboard, the menus and the tabs of the orders: the counts of
-- admin_read_todo(), with amounts and deadlines. Counts stop at a thousand; totals are of what was counted.
create function public.admin_read_work(at timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  today constant date := private.day_of(at);
begin
  perform private.require_admin();
  return public.admin_read_todo(at)
    || (select jsonb_build_object('to_collect', count(*), 'to_collect_paise', coalesce(sum(c.total_amount) * 100, 0)::bigint)
        from (select o.total_amount from public.orders o where private.is_to_collect(o.status, o.payment_status)
              order by o.created_at desc, o.id desc limit 1000) c)
    || jsonb_build_object(
      'undelivered', (select count(*) from (select from public.orders o where o.status = 'Undelivered' limit 1000) n))
    || (select jsonb_build_object(
          'refunds_open', count(*), 'refunds_overdue', count(*) filter (where r.due_on < today),
          'refunds_overdue_paise', coalesce(sum(r.owed_paise) filter (where r.due_on < today), 0)::bigint,
          'refunds_to_decide', count(*) filter (where r.state in ('failed', 'by-hand')),
          'refund_due_on', min(r.due_on), 'refund_days_left', private.working_days_left(today, min(r.due_on)))
        from (select o.* from private.open_refunds() o order by o.due_on limit 1000) r)
    || (select jsonb_build_object('claims', count(*), 'claims_overdue', count(*) filter (where d.due_at <= at), 'claim_due_at', min(d.due_at))
        from private.unfinished_claims() c cross join lateral private.claim_due(c) d)
    || (select jsonb_build_object('bills_overdue', count(*), 'bills_overdue_paise', coalesce(sum(b.unpaid) * 100, 0)::bigint)
        from private.open_bills() b where b.due_on < today)
    || (select jsonb_build_object('expenses_due', count(*), 'expenses_due_paise', coalesce(sum(e.amount) * 100, 0)::bigint)
        from public.expenses e where e.next_due_on <= today);
end $$;

-- Profit and loss of this month so far, beside as many days of the month before.
create function public.admin_read_month_profit(at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  today date;
  month date;
  month_before date;
begin
  perform private.require_admin();
  today := private.day_of(at);
  month := date_trunc('month', today)::date;
  month_before := (month - interval '1 month')::date;
  return jsonb_build_object(
    'month', month, 'month_before', month_before,
    'now', (select to_jsonb(f) from private.profit_and_loss(month, today) f),
    -- The 31st of a month is compared with the whole of a shorter one.
    'before', (select to_jsonb(f) from private.profit_and_loss(month_before, least(month_before + (today - month), month - 1)) f));
end $$;

-- All orders placed in a span and the gifts among them, without canceled ones. The orders are counted in their indexes; only
-- gifts are read.
create function private.count_gifts(from_time timestamptz, to_time timestamptz) returns jsonb
language sql stable set search_path = '' as $$
  with placed as materialized (
    select o.id from public.orders o where o.created_at >= from_time and o.created_at < to_time
  ), gifts as materialized (
    select p.id from placed p join private.order_gifts g on g.order_id = p.id
  )
  select jsonb_build_object(
    'orders', (select count(*) from placed)
      - (select count(*) from public.orders o where o.status = 'canceled' and o.created_at >= from_time and o.created_at < to_time),
    'gifts', count(*), 'gifts_paise', coalesce(sum(o.total_amount) * 100, 0)::bigint)
  from gifts f join public.orders o on o.id = f.id where o.status <> 'canceled';
$$;

-- Gifts of this month so far, beside as much of the month before; and the days to come on which gifts that are still to be
-- delivered are due: how many, and how many of those are not packed yet.
create function public.admin_read_gift_figures(at timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  today date;
  month date;
  month_before date;
begin
  perform private.require_admin();
  today := private.day_of(at);
  month := date_trunc('month', today)::date;
  month_before := (month - interval '1 month')::date;
  return jsonb_build_object(
    'month', month, 'month_before', month_before,
    'now', private.count_gifts(private.start_of(month), at),
    -- The 31st of a month is compared with the whole of a shorter one.
    'before', private.count_gifts(private.start_of(month_before),
                                  least(private.start_of(month_before) + (at - private.start_of(month)), private.start_of(month))),
    'days', (
      select coalesce(jsonb_agg(to_jsonb(d) order by d.day), '[]')
      from (
        select coalesce(o.deliver_on, o.delivery_by) as day, count(*) as gifts, count(*) filter (where private.is_before_packing(o.status)) as to_pack
        from public.orders o
        where not private.is_finished(o.status) and coalesce(o.deliver_on, o.delivery_by) >= today
          and exists (select from private.order_gifts g where g.order_id = o.id)
        group by 1 order by 1 limit 10
      ) d));
end $$;

-- {count, orders: [{id, number}]}, the first ten by number.
create function private.promised_between(first_day date, last_day date) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'count', count(*),
    'orders', coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'number', o.number) order by o.number) filter (where o.place <= 10), '[]'))
  from (
    select p.id, p.number, row_number() over (order by p.number) as place
    from public.orders p
    where not private.is_finished(p.status) and (p.delivery_by between first_day and last_day
      or private.is_before_packing(p.status) and p.pack_on between first_day and last_day)
  ) o;
$$;
