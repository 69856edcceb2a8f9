-- Two helpers that read more than they need, once a statement is planned for any argument and not for one.

-- As before; whose pace is known today is left out first, and not after adding up four weeks of it. Mostly that is all who
-- are asked for, and then not even the statement is planned.
create or replace function private.keep_pace(product_ids bigint[], at timestamptz) returns void
language plpgsql set search_path = '' as $$
begin
  if product_ids is not null and not exists (
    select from unnest(product_ids) i (id)
    where not exists (select from private.stock_pace k where k.product_id = i.id and k.day = private.day_of(at))) then
    return;
  end if;
  with due as materialized (
    select p."Id" as id, p.created_at from public."Products" p
    where (product_ids is null or p."Id" = any (product_ids))
      and not exists (select from private.stock_pace k where k.product_id = p."Id" and k.day = private.day_of(at))
  )
  insert into private.stock_pace (product_id, day, per_day)
  select d.id, private.day_of(at), greatest(0, -coalesce(m.quantity, 0)::numeric / least(28, greatest(1, private.day_of(at) - private.day_of(d.created_at))))
  from due d
  cross join lateral (
    select sum(v.quantity) as quantity from public.stock_movements v
    where v.product_id = d.id and v.created_at >= private.start_of(private.day_of(at) - 28) and v.created_at < private.start_of(private.day_of(at))
      and v.order_id is not null and v.reason in ('sale', 'return')
  ) m
  order by d.id
  on conflict (product_id) do update set day = excluded.day, per_day = excluded.per_day;
end $$;

-- As before; one vendor's bills and payments are a range of an index, and so are those of all.
create or replace function private.open_bills(of_vendor bigint default null) returns table (bill_id bigint, vendor_id bigint, due_on date, unpaid numeric)
language sql stable set search_path = '' as $$
  select b.id, b.vendor_id, b.due_on, least(b.amount, b.running - coalesce(p.paid, 0))
  from (
    select v.id, v.vendor_id, v.due_on, v.amount, sum(v.amount) over (partition by v.vendor_id order by v.due_on, v.id) as running
    from public.vendor_bills v
    where v.canceled_at is null and v.vendor_id between coalesce(of_vendor, -9223372036854775808) and coalesce(of_vendor, 9223372036854775807)
  ) b
  left join (
    select v.vendor_id, sum(v.amount) as paid from public.vendor_payments v
    where v.undone_at is null and v.vendor_id between coalesce(of_vendor, -9223372036854775808) and coalesce(of_vendor, 9223372036854775807)
    group by v.vendor_id
  ) p on p.vendor_id = b.vendor_id
  where b.running > coalesce(p.paid, 0);
$$;
