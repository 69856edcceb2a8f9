-- Console: stock counts.
-- Administrators only. Writes counts, and movements for what differs.
set check_function_bodies = off;

-- What to count, by category and name: all of it, or one category. to_pack is sold and not yet packed.
create function public.admin_read_count_sheet(category text default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (
    with unpacked as (
      select g.product_id, sum(g.units) as units
      from public.orders o join public.order_items i on i.order_id = o.id cross join lateral private.goods_of_item(i) g
      where private.is_before_packing(o.status)
      group by g.product_id
    )
    select jsonb_build_object('rows', coalesce(jsonb_agg(jsonb_build_object(
      'product_id', p."Id", 'name', p."Name", 'category', p."Category", 'has_size', p."hasSize", 'on_hand', s.on_hand,
      'to_pack', coalesce(u.units, 0), 'unit_cost_paise', (c.unit_cost * 100)::bigint,
      'last_counted_at', (select l.counted_at from public.stock_count_lines l where l.product_id = p."Id" order by l.counted_at desc limit 1))
      order by p."Category", lower(p."Name"), p."Id"), '[]'))
    from public."Products" p
    join public.stock_levels s on s.product_id = p."Id"
    left join unpacked u on u.product_id = p."Id"
    left join lateral (select k.unit_cost from private.product_costs k where k.product_id = p."Id" and k.valid_from <= now()
                       order by k.valid_from desc limit 1) c on true
    where (p.archived_at is null or s.on_hand > 0)
      and (admin_read_count_sheet.category is null or p."Category" = admin_read_count_sheet.category));
end $$;

-- The stock at this moment, for what is being counted: read when a number is entered, and stored with it.
create function public.admin_read_count_moment(product_id bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object('product_id', s.product_id, 'on_hand', s.on_hand, 'to_pack', private.units_to_pack(s.product_id), 'at', statement_timestamp())
    from public.stock_levels s where s.product_id = admin_read_count_moment.product_id);
end $$;

-- Applies a count in one transaction; repeated, it changes nothing and returns the same. lines: [{product_id,
-- counted, expected, counted_at}], expected being what was on hand at counted_at. A line is rejected, and the
-- others are not, when the stock was different at that moment, or when less would be left than is held for
-- customers who are paying.
create function public.admin_apply_count(count_id uuid, lines jsonb, note text default '', at timestamptz default now()) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  judged jsonb;
begin
  perform private.require_admin();
  perform pg_advisory_xact_lock(hashtextextended('count ' || count_id, 0));
  if exists (select from public.stock_counts c where c.id = count_id) then
    return private.count_result(count_id);
  elsif count_id is null or jsonb_typeof(lines) is distinct from 'array' or jsonb_array_length(lines) not between 1 and 5000 then
    perform private.reject('There is nothing counted yet.', 'lines');
  elsif char_length(coalesce(note, '')) > 300 then
    perform private.reject('A note has at most 300 characters.', 'note');
  end if;
  perform private.lock_stock(array(select (l ->> 'product_id')::bigint from jsonb_array_elements(lines) l));
  select coalesce(jsonb_agg(to_jsonb(l) || jsonb_build_object(
           'name', p."Name", 'message', private.count_rejection(l.product_id, l.counted, l.expected, l.counted_at, at))), '[]')
  into judged
  from (
    select distinct on (t.product_id) t.*
    from jsonb_to_recordset(lines) as t (product_id bigint, counted integer, expected integer, counted_at timestamptz)
    order by t.product_id, t.counted_at desc
  ) l join public."Products" p on p."Id" = l.product_id;

  insert into public.stock_counts (id, note, applied_at, refused)
  select count_id, btrim(coalesce(admin_apply_count.note, '')), at,
         coalesce(jsonb_agg(j - array['counted', 'expected', 'counted_at']) filter (where j ->> 'message' is not null), '[]')
  from jsonb_array_elements(judged) j;
  with good as (
    select l.* from jsonb_to_recordset(judged) as l (product_id bigint, counted integer, expected integer, counted_at timestamptz, message text)
    where l.message is null
  ), moved as (
    insert into public.stock_movements (product_id, quantity, reason, note, created_at)
    select g.product_id, g.counted - g.expected, 'count', btrim(coalesce(admin_apply_count.note, '')), at
    from good g where g.counted <> g.expected order by g.product_id
    returning id, product_id
  )
  insert into public.stock_count_lines (count_id, product_id, counted, expected, counted_at, movement_id)
  select admin_apply_count.count_id, g.product_id, g.counted, g.expected, g.counted_at, m.id
  from good g left join moved m on m.product_id = g.product_id;
  return private.count_result(count_id);
end $$;
