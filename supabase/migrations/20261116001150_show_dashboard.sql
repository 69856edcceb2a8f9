-- What the console opens with: the figures of a period beside those of the one before, what is to be done, and what the
-- kitchen makes today.

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
    perform private.refuse('There is no such period.', 'period');
  end if;
end $$;
revoke execute on function private.dashboard_period(text, timestamptz) from public;

-- What has to be packed today: whatever was ordered before today, is promised for tomorrow at the latest, or is picked up.
create function private.is_due_today(placed public.orders, at timestamptz) returns boolean
language sql immutable set search_path = '' as $$
  select placed.created_at < private.start_of(private.day_of(at)) or placed.fulfilment = 'pickup'
      or coalesce(placed.delivery_by <= private.day_of(at) + 1, false);
$$;
revoke execute on function private.is_due_today(public.orders, timestamptz) from public;

create function public.admin_read_dashboard(period text default 'today', at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  span record;
  today date;
  kept_to date;
  kept_span bigint;
  live_from timestamptz;
  best jsonb;
  categories jsonb;
  cities jsonb;
  timeline jsonb;
begin
  perform private.require_admin();
  select * into span from private.dashboard_period(period, at);
  today := private.day_of(at);
  kept_to := private.last_kept_day(at);
  perform private.keep_days(private.day_of(span.before_from), kept_to);
  live_from := greatest(span.from_time, private.start_of(kept_to + 1));
  if span.from_time < live_from then
    kept_span := private.keep_span(private.day_of(span.from_time), kept_to);
  end if;

  -- Whatever sold today may be among the best; of the rest only the kept best can be.
  with live as (
    select l.product_id, sum(l.grams) as grams, sum(l.pieces) as pieces, sum(l.goods_paise) as goods_paise
    from private.add_up_products(live_from, at) l group by l.product_id
  ), contenders as (
    select l.product_id from live l
    union
    (select s.product_id from private.sales_span_products s where s.span_id = kept_span order by s.goods_paise desc limit 10)
  ), summed as (
    select c.product_id, coalesce(s.grams, 0) + coalesce(l.grams, 0) as grams, coalesce(s.pieces, 0) + coalesce(l.pieces, 0) as pieces,
           coalesce(s.goods_paise, 0) + coalesce(l.goods_paise, 0) as goods_paise
    from contenders c
    left join live l on l.product_id = c.product_id
    left join private.sales_span_products s on s.span_id = kept_span and s.product_id = c.product_id
  )
  select coalesce(jsonb_agg(to_jsonb(b) order by b.goods_paise desc, b.product_id), '[]') into best
  from (select u.product_id, p."Name" as name, p."Category" as category, u.grams, u.pieces, u.goods_paise
        from summed u join public."Products" p on p."Id" = u.product_id order by u.goods_paise desc, u.product_id limit 10) b;

  with sold as (
    select s.product_id, s.goods_paise from private.sales_span_products s where s.span_id = kept_span
    union all
    select l.product_id, l.goods_paise from private.add_up_products(live_from, at) l
  )
  select coalesce(jsonb_agg(to_jsonb(c) order by c.goods_paise desc), '[]') into categories
  from (select p."Category" as category, sum(s.goods_paise) as goods_paise
        from sold s join public."Products" p on p."Id" = s.product_id group by 1) c;

  with sold as (
    select s.city, s.orders, s.goods_paise from private.sales_span_cities s where s.span_id = kept_span
    union all
    select l.city, l.orders, l.goods_paise from private.add_up_cities(live_from, at) l
  )
  select coalesce(jsonb_agg(to_jsonb(c) order by c.goods_paise desc, c.city), '[]') into cities
  from (select s.city, sum(s.orders) as orders, sum(s.goods_paise) as goods_paise
        from sold s group by 1 order by 3 desc, 1 limit 10) c;

  -- Hours of today, days of a week or month, months of a year.
  if period = 'today' then
    select jsonb_agg(jsonb_build_object('from', h.hour, 'orders', coalesce(o.orders, 0), 'sales_paise', coalesce(o.sales_paise, 0)) order by h.hour)
    into timeline
    from generate_series(span.from_time, at, interval '1 hour') h (hour)
    left join (
      select date_trunc('hour', o.created_at, 'Asia/Kolkata') as hour, count(*) as orders, sum(o.total_amount * 100)::bigint as sales_paise
      from public.orders o where o.created_at >= span.from_time and o.created_at < at and o.status <> 'canceled' group by 1
    ) o on o.hour = h.hour;
  else
    with days as (
      select d.day, d.orders, d.sales_paise from private.sales_days d where d.day >= private.day_of(span.from_time) and d.day <= kept_to
      union all
      select l.day, l.orders, l.sales_paise from private.add_up_days(live_from, at) l
    )
    select jsonb_agg(jsonb_build_object('from', g.step, 'orders', g.orders, 'sales_paise', g.sales_paise) order by g.step) into timeline
    from (
      select a.step::date as step, coalesce(sum(d.orders), 0) as orders, coalesce(sum(d.sales_paise), 0) as sales_paise
      from generate_series(private.day_of(span.from_time), today,
                           case period when 'year' then interval '1 month' else interval '1 day' end) a (step)
      left join days d on d.day >= a.step::date
        and d.day < (a.step + case period when 'year' then interval '1 month' else interval '1 day' end)::date
      group by 1
    ) g;
  end if;

  return jsonb_build_object(
    'period', period, 'from', span.from_time, 'to', at, 'before_from', span.before_from, 'before_to', span.before_to,
    'now', private.sales_between(span.from_time, at, kept_to),
    'before', private.sales_between(span.before_from, span.before_to, kept_to),
    'timeline', timeline, 'categories', categories, 'best', best, 'cities', cities);
end $$;

-- What waits for somebody. Counted anew each time: there is never much of it.
create function public.admin_read_todo(at timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'unconfirmed', (select count(*) from (select from public.orders o where o.status = 'Pending' limit 1000) n),
    'pack_today', (select count(*) from (
      select from public.orders o where o.status in ('Confirmed', 'Preparing') and private.is_due_today(o, at) limit 1000) n),
    'refunds_failed', (select count(*) from (select from public.orders o where o.payment_status = 'refund_failed' limit 1000) n),
    'low_stock', (
      select count(*) from public.stock_levels s join public."Products" p on p."Id" = s.product_id
      where p.is_listed and p.archived_at is null and s.on_hand > 0 and s.on_hand - s.reserved <= s.low_at),
    'waited_for', (
      select count(*) from public.stock_levels s join public."Products" p on p."Id" = s.product_id
      where p.is_listed and p.archived_at is null and s.on_hand = 0
        and exists (select from public.notify_subscriptions n where n.product_id = s.product_id)));
end $$;

-- What the open orders ask of the kitchen: per sweet the boxes of each size, the sum, and how much of it is due today.
-- All of it is sold already and no longer in stock.
create function public.admin_read_kitchen(only_due boolean default false, at timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  sweets jsonb;
  open_orders integer;
begin
  perform private.require_admin();
  with open as (
    select o.id, private.is_due_today(o, at) as is_due
    from public.orders o where o.status in ('Pending', 'Confirmed', 'Preparing')
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

select private.open_console_requests();
