-- Whoever closes days reads which open orders are promised for them: those customers are to be told, or served before.

-- {count, orders: [{id, number}]}, the first ten by number.
create function private.promised_between(first_day date, last_day date) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'count', count(*),
    'orders', coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'number', o.number) order by o.number) filter (where o.place <= 10), '[]'))
  from (
    select p.id, p.number, row_number() over (order by p.number) as place
    from public.orders p
    where p.status not in ('Delivered', 'Collected', 'canceled', 'Refunded') and p.delivery_by between first_day and last_day
  ) o;
$$;
revoke execute on function private.promised_between(date, date) from public;

-- As before, and with every closure that is not over what was promised for it.
create or replace function public.admin_read_delivery() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  today date := private.day_of(now());
begin
  perform private.require_admin();
  return (
    select jsonb_build_object(
      'cutoff_time', to_char(s.cutoff_time, 'HH24:MI'), 'weekly_off', to_jsonb(s.weekly_off), 'updated_at', s.updated_at, 'today', today,
      'zones', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', z.id, 'name', z.name, 'pincode_prefixes', z.pincode_prefixes,
          'first_kg_paise', (z.first_kg_charge * 100)::bigint, 'extra_kg_paise', (z.extra_kg_charge * 100)::bigint,
          'min_days', z.min_days, 'max_days', z.max_days, 'is_published', z.is_published, 'updated_at', z.updated_at)
          order by z.max_days, z.first_kg_charge, z.name, z.id), '[]')
        from public.delivery_zones z),
      'closures', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', c.id, 'starts_on', c.starts_on, 'ends_on', c.ends_on, 'reason', c.reason, 'updated_at', c.updated_at,
          'promised', case when c.ends_on >= today then private.promised_between(greatest(c.starts_on, today), c.ends_on) end)
          order by c.ends_on < today, case when c.ends_on < today then today - c.ends_on else c.starts_on - today end, c.id), '[]')
        from public.closures c where c.ends_on > today - 366))
    from public.shop_settings s);
end $$;
