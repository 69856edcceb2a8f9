-- Selling touches stock more than anything else does: one change for a whole order, and none for nobody.

-- A sale of what a checkout held back frees it in the same step.
alter table public.stock_movements add column was_reserved boolean not null default false
  check (not was_reserved or reason = 'sale');

drop trigger stock_movements_apply on public.stock_movements;
create or replace function private.apply_movement() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  moved integer := (select count(distinct m.product_id) from movements m);
  changed integer;
begin
  if moved > 1 then
    perform private.lock_stock(array(select m.product_id from movements m));
  end if;
  update public.stock_levels s set on_hand = s.on_hand + m.quantity, reserved = s.reserved + m.freed
  from (
    select v.product_id, sum(v.quantity) as quantity, coalesce(sum(v.quantity) filter (where v.was_reserved), 0) as freed
    from movements v group by v.product_id
  ) m
  where s.product_id = m.product_id and s.on_hand + m.quantity >= s.reserved + m.freed;
  get diagnostics changed = row_count;
  if changed < moved then
    raise sqlstate 'PT409' using message = 'not that much is in stock and unreserved';
  end if;
  return null;
end $$;
create trigger stock_movements_apply after insert on public.stock_movements
  referencing new table as movements
  for each statement execute function private.apply_movement();

-- What the shop itself does is no administrator's change: nobody needs to look whether it was.
drop trigger stock_movements_audit on public.stock_movements;
create trigger stock_movements_audit after insert on public.stock_movements
  for each row when (pg_trigger_depth() = 0 and new.reason <> 'sale') execute function private.record_change('id');
drop trigger stock_levels_audit on public.stock_levels;
create trigger stock_levels_audit after update on public.stock_levels
  for each row when (pg_trigger_depth() = 0 and new.low_at <> old.low_at) execute function private.record_change('product_id');

-- Stock changes with every checkout and every sale; nobody watches that live. What customers see of it (available or
-- not) is a change of the product.
do $$
begin
  if exists (select from pg_publication where pubname = 'supabase_realtime') then
    alter publication supabase_realtime drop table public.stock_levels;
  end if;
end $$;
