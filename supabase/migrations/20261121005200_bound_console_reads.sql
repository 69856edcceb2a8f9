-- Reads of the console that grew with the shop: the shipping tax of each order of today, the due day of each refund, counts of
-- orders in a city, of untrue offers and of products in a category.

drop function private.refund_due_on(placed orders);

drop index public.orders_city_idx;

create or replace function private.order_shipping_tax(placed public.orders) returns bigint
language plpgsql stable security definer set search_path = '' as $$
declare
  shipping_paise constant bigint := placed.shipping_charge * 100;
begin
  if shipping_paise = 0
     or not coalesce((select v.tax_kind <> 'none' from private.invoices v where v.order_id = placed.id), private.is_registered()) then
    return 0;
  end if;
  return (
    select private.shipping_tax_paise(shipping_paise, array_agg(i.hsn order by i.id),
      array_agg(i.gst_percent order by i.id), array_agg(i.unit_price * 100 * i.size / 500 * i.quantity order by i.id))
    from public.order_items i where i.order_id = placed.id);
end $$;

create function private.refunds_due() returns table (order_id uuid, due_on date)
language sql stable as $$
  select o.id, private.day_of(coalesce(case when o.status <> 'canceled' then f.started end, o.status_since)) + 7
  from public.orders o
  left join lateral (
    select min(r.created_at) as started from private.refunds r where r.order_id = o.id and r.status = 'failed'
  ) f on true
  where private.is_to_give_back(o.status, o.payment_status);
$$;

create or replace function private.shipping_tax_paise(shipping_paise bigint, hsn text[], gst_percent numeric[], goods_paise numeric[]) returns bigint
language plpgsql immutable set search_path = '' as $$
begin
  if hsn[1] = all (hsn) and gst_percent[1] = all (gst_percent) then
    return shipping_paise - round(shipping_paise * 100 / (100 + gst_percent[1]));
  end if;
  return (
    select coalesce(sum(s.share - round(s.share * 100 / (100 + s.gst_percent))), 0)
    from (
      select k.gst_percent, round(shipping_paise * k.so_far / k.whole) - round(shipping_paise * (k.so_far - k.paise) / k.whole) as share
      from (
        select g.gst_percent, g.paise, sum(g.paise) over (order by g.place) as so_far, sum(g.paise) over () as whole
        from (
          select l.gst_percent, sum(l.paise) as paise, min(l.place) as place
          from unnest(hsn, shipping_tax_paise.gst_percent, goods_paise) with ordinality l (hsn, gst_percent, paise, place)
          group by l.hsn, l.gst_percent
        ) g
      ) k
    ) s);
end $$;

create or replace function public.admin_list_orders(
  filter jsonb default '{}', sort text default '-placed', after jsonb default null, at timestamptz default now()) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 50;
  f private.order_filter;
  sort_column text;
  key_type text;
  direction text := case when starts_with(sort, '-') then 'desc' else 'asc' end;
  beyond text := 'true';
  sources text[];
  few text[];
  found json;
  found_count integer;
  last json;
  most integer;
  counted integer;
begin
  perform private.require_admin();
  f := private.read_order_filter(filter);
  select s.sort_column, s.key_type into sort_column, key_type
  from (values ('placed', 'created_at', 'timestamptz'), ('number', 'number', 'bigint'), ('total', 'total_amount', 'numeric'),
               ('age', 'status_since', 'timestamptz')) s (name, sort_column, key_type)
  where s.name = ltrim(sort, '-');
  if sort_column is null then
    perform private.refuse('Orders cannot be sorted like this.', 'sort');
  elsif sort_column = 'status_since' then
    direction := case direction when 'desc' then 'asc' else 'desc' end;
    f.is_open := true;
  end if;
  sources := private.order_sources(f, at, by_placing => sort_column = 'created_at');
  if after is not null then
    beyond := private.beyond_order(sort_column, key_type, direction, after);
  end if;

  execute format($q$
    select coalesce(json_agg(json_build_object(
        'id', o.id, 'number', o.number, 'placed_at', o.created_at, 'name', o.delivery_name, 'phone', o.delivery_phone,
        'pincode', o.delivery_zip, 'city', o.delivery_city, 'items', private.items_in_short(o.id, 3),
        'total_paise', (o.total_amount * 100)::bigint, 'payment_status', o.payment_status, 'status', o.status,
        'status_since', o.status_since, 'fulfilment', o.fulfilment, 'source', o.source, 'delivery_by', o.delivery_by,
        'refund_due_on', (select d.due_on from private.refunds_due() d where d.order_id = o.id),
        'is_due', o.status in ('Confirmed', 'Preparing') and private.is_due_today(o, $1), 'updated_at', o.updated_at)
      order by k.place) filter (where k.place <= $2), '[]'), count(*),
      (array_agg(json_build_object('key', to_json(k.key) #>> '{}', 'id', k.id)) filter (where k.place = $2))[1]
    from (select k.id, k.key, row_number() over (order by k.key %1$s, k.id %1$s) as place from (%2$s) k) k
    join public.orders o on o.id = k.id$q$,
    direction, private.order_page(sources, sort_column, direction, beyond, page_size + 1))
  into found, found_count, last using at, page_size;

  -- Nobody reads the difference between two thousand and three, and a search that finds so many is costly to count.
  most := case when concat(f.search, f.customer, f.product, f.phone) = '' then 10000 else 1000 end;
  if after is null and found_count <= page_size then
    counted := found_count;
  else
    few := case when array_to_string(sources, '') like '% public.order_items i %'
                then private.order_sources(f, at, by_placing => true, most_lines => 4 * most) else sources end;
    counted := private.count_orders(few, most);
    if counted <= most and few <> sources then
      counted := private.count_orders(sources, most);
    end if;
  end if;
  return json_build_object('rows', found, 'next', case when found_count > page_size then last end,
                           'count', least(counted, most), 'count_is_capped', counted > most);
end $$;

create or replace function public.admin_read_work(at timestamptz default now()) returns jsonb
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
      'undelivered', (select count(*) from (select from public.orders o where o.status = 'Undelivered' limit 1000) n),
      'refund_due_on', (select min(d.due_on) from (select r.due_on from private.refunds_due() r limit 1000) d))
    || (select jsonb_build_object('bills_overdue', count(*), 'bills_overdue_paise', coalesce(sum(b.unpaid) * 100, 0)::bigint)
        from private.open_bills() b where b.due_on < today)
    || (select jsonb_build_object('expenses_due', count(*), 'expenses_due_paise', coalesce(sum(e.amount) * 100, 0)::bigint)
        from public.expenses e where e.next_due_on <= today);
end $$;

create index orders_city_idx on public.orders (lower(delivery_city) text_pattern_ops, created_at desc, id desc) include (delivery_city);

create index products_category_idx on public."Products" ("Category");

create index products_unbacked_offers_idx on public."Products" ("Id")
  where archived_at is null and not private.is_offer_backed(offer_percent, "Price", regular_price);

grant execute on function private.is_offer_backed(offer_percent smallint, price numeric, regular_price numeric) to authenticated;

grant execute on function private.is_offer_backed(offer_percent smallint, price numeric, regular_price numeric) to service_role;

revoke execute on function private.refunds_due() from public, anon, authenticated;

grant execute on function private.true_offer(price numeric, regular_price numeric) to authenticated;

grant execute on function private.true_offer(price numeric, regular_price numeric) to service_role;
