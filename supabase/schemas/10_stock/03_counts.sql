-- Stock counts: what was found on the shelf, compared with the levels.
-- Append-only: written by the console, read by administrators.
set check_function_bodies = off;

-- Stock counts. The browser makes the id, so that a repeated call is one count.
create table public.stock_counts (
  id uuid primary key,
  note text not null default '' check (char_length(note) <= 300),
  applied_at timestamptz not null,
  -- The lines that were rejected, and why: [{product_id, name, message}].
  refused jsonb not null default '[]'
);
alter table public.stock_counts enable row level security;
revoke all on public.stock_counts from anon, authenticated;
grant select on public.stock_counts to authenticated;
grant all on public.stock_counts to service_role;
create policy "administrators read" on public.stock_counts
  for select to authenticated using ((select private.is_admin()));

create trigger stock_counts_audit after insert on public.stock_counts
  for each row when (pg_trigger_depth() = 0) execute function private.record_change('id');
create trigger stock_counts_never_change before delete or update on public.stock_counts
  for each row execute function private.reject_change();
create trigger stock_counts_never_emptied before truncate on public.stock_counts
  for each statement execute function private.reject_change();

create table public.stock_count_lines (
  count_id uuid not null references public.stock_counts (id),
  product_id bigint not null references public."Products" ("Id"),
  counted integer not null check (counted >= 0),
  expected integer not null check (expected >= 0),
  counted_at timestamptz not null,
  movement_id bigint references public.stock_movements (id),
  primary key (count_id, product_id),
  check ((movement_id is null) = (counted = expected))
);
create index stock_count_lines_product_idx on public.stock_count_lines (product_id, counted_at desc);
-- Partial unique index: a movement belongs to one line; lines without a difference have none.
create unique index stock_count_lines_movement_idx on public.stock_count_lines (movement_id) where movement_id is not null;
alter table public.stock_count_lines enable row level security;
revoke all on public.stock_count_lines from anon, authenticated;
grant select on public.stock_count_lines to authenticated;
grant all on public.stock_count_lines to service_role;
create policy "administrators read" on public.stock_count_lines
  for select to authenticated using ((select private.is_admin()));

create trigger stock_count_lines_never_change before delete or update on public.stock_count_lines
  for each row execute function private.reject_change();
create trigger stock_count_lines_never_emptied before truncate on public.stock_count_lines
  for each statement execute function private.reject_change();

-- Why a line of a count cannot be applied; null: it can. The caller holds the lock on the product's stock.
create function private.count_rejection(product_id bigint, counted integer, expected integer, counted_at timestamptz, at timestamptz) returns text
language plpgsql stable set search_path = '' as $$
declare
  level public.stock_levels;
  has_size boolean;
  other uuid;
begin
  if counted is null or counted not between 0 and 1000000000 or expected is null or counted_at is null or counted_at > at + interval '1 minute' then
    return 'This was not counted properly. Count it again.';
  end if;
  select c.id into other from public.stock_count_lines l join public.stock_counts c on c.id = l.count_id
  where l.product_id = count_rejection.product_id and c.applied_at >= count_rejection.counted_at limit 1;
  if found then
    return format('%s saved a count of it while you counted. Count it again.', coalesce((
      select private.person_name(a.actor_id) from public.audit_log a where a.table_name = 'stock_counts' and a.row_id = other::text), 'Somebody'));
  end if;
  select * into level from public.stock_levels s where s.product_id = count_rejection.product_id;
  if expected <> level.on_hand - (select coalesce(sum(m.quantity), 0) from public.stock_movements m
                                  where m.product_id = count_rejection.product_id and m.created_at > count_rejection.counted_at) then
    return 'It was sold or changed while you counted. Count it again.';
  elsif level.on_hand + counted - expected < level.reserved then
    select p."hasSize" into has_size from public."Products" p where p."Id" = count_rejection.product_id;
    return format('%s of it are being paid for just now, and only %s would be left. Wait %s minutes, or count again.',
      private.format_stock(level.reserved, has_size), private.format_stock(greatest(level.on_hand + counted - expected, 0), has_size),
      extract(minutes from private.hold_time()));
  end if;
  return null;
end $$;

create function private.count_result(count_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('count_id', c.id, 'refused', c.refused,
    'counted', (select count(*) from public.stock_count_lines l where l.count_id = c.id),
    'corrected', (select count(*) from public.stock_count_lines l where l.count_id = c.id and l.movement_id is not null))
  from public.stock_counts c where c.id = count_result.count_id;
$$;
