-- Products that are out or low, to find them among many: kept by triggers that only those sales pay for which cross the
-- mark. (An index on the levels would have every sale write to it.)
create table private.short_stock (
  product_id bigint primary key references public."Products" ("Id") on delete cascade
);
alter table private.short_stock enable row level security;

create function private.is_short(level public.stock_levels) returns boolean
language sql immutable as $$
  select level.on_hand = 0 or level.on_hand - level.reserved <= level.low_at;
$$;

create function private.follow_short_stock() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.is_short(new) then
    insert into private.short_stock (product_id) values (new.product_id) on conflict do nothing;
  else
    delete from private.short_stock s where s.product_id = new.product_id;
  end if;
  return null;
end $$;
create trigger stock_levels_short_new after insert on public.stock_levels
  for each row execute function private.follow_short_stock();
create trigger stock_levels_short after update on public.stock_levels
  for each row when ((old.on_hand = 0 or old.on_hand - old.reserved <= old.low_at) <> (new.on_hand = 0 or new.on_hand - new.reserved <= new.low_at))
  execute function private.follow_short_stock();

-- From scratch, after stock was written past the triggers (many at once, a backup).
create function private.know_short_stock() returns void
language sql set search_path = '' as $$
  delete from private.short_stock;
  insert into private.short_stock (product_id) select s.product_id from public.stock_levels s where private.is_short(s);
$$;
revoke execute on function private.is_short(public.stock_levels), private.follow_short_stock(), private.know_short_stock() from public;

select private.know_short_stock();
