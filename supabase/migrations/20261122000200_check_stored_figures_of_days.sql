-- Invariant 15: the stored sales and profit of past days are those of the orders.
set check_function_bodies = off;

create function private.check_stored_days(part integer, parts integer) returns table (invariant integer, subject text, detail text)
language plpgsql stable set search_path = '' as $$
declare
  as_stored constant text[] := '{shipping_tax_paise,canceled_shipping_tax_paise,refunded_shipping_tax_paise,fee_tax_paise}';
  first_day date;
  last_day date;
begin
  select min(d.day), max(d.day) into first_day, last_day
  from (select s.day, ntile(parts) over (order by s.day) as part
        from (select k.day from private.profit_days k where k.until is null
              union
              select private.day_of(k.starts_at) from private.sales_steps k where k.step = 'day') s) d
  where d.part = check_stored_days.part;

  return query -- 15: stored sales and profit of past days are those of the orders
  select 15, k.day::text, format('profit of the day is stored as %s, and is %s', to_jsonb(k) - as_stored, to_jsonb(f) - as_stored)
  from private.profit_days k join private.day_figures(first_day, last_day) f on f.day = k.day
  where k.until is null and to_jsonb(k) - as_stored <> to_jsonb(f) - as_stored
  union all
  select 15, private.day_of(s.starts_at)::text, format('sales of the day are stored as %s, and are %s', to_jsonb(s), to_jsonb(f))
  from private.sales_steps s
  left join private.calculate_sales('day', private.start_of(first_day), private.start_of(last_day + 1)) f on f.starts_at = s.starts_at
  where s.step = 'day' and s.starts_at >= private.start_of(first_day) and s.starts_at < private.start_of(last_day + 1)
    and (s.orders, s.canceled, s.sales_paise, s.goods_paise, s.cost_paise, s.uncosted_paise, s.refunds_paise) is distinct from
        (coalesce(f.orders, 0), coalesce(f.canceled, 0), coalesce(f.sales_paise, 0), coalesce(f.goods_paise, 0),
         coalesce(f.cost_paise, 0), coalesce(f.uncosted_paise, 0), coalesce(f.refunds_paise, 0));
end $$;

create or replace function public.check_invariants_part(part integer, parts integer)
returns table (invariant integer, subject text, detail text)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan' as $$
declare
  -- The first 32 bits of an id: the rest is whatever it is.
  ids constant bigint := 4294967296;
begin
  if not (private.is_service() or private.is_admin()) then
    raise sqlstate 'PT403' using message = 'administrators only';
  end if;
  if parts is null or parts not between 1 and 4096 or part is null or part not between 1 and parts then
    raise sqlstate 'PT400' using message = 'part counts from 1 to parts, at most 4096';
  end if;
  return query select * from private.check_orders(
    (lpad(to_hex((part - 1) * ids / parts), 8, '0') || repeat('0', 24))::uuid,
    (lpad(to_hex(part * ids / parts - 1), 8, '0') || repeat('f', 24))::uuid);
  return query select * from private.check_stored_days(part, parts);
  if part = 1 then
    return query select * from private.check_totals();
  end if;
end $$;

revoke execute on function private.check_stored_days(part integer, parts integer) from public, anon, authenticated;
