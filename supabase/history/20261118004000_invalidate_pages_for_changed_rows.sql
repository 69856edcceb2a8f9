-- Cached pages are invalidated by rows that changed, not by statements that ran: an UPDATE that matched no row, and one
-- that left every row as it was, fire statement triggers, too, and any customer could send them.

create function private.invalidate_pages() returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform pg_notify('shop_pages', 'changed');
  insert into public.page_changes default values;
  delete from public.page_changes where id in (
    select p.id from public.page_changes p
    where p.id in (select oldest.id from public.page_changes oldest order by oldest.id limit 20)
      and p.at < now() - interval '10 minutes'
    for update skip locked
  );
end $$;
revoke execute on function private.invalidate_pages() from public;

-- TRUNCATE has no transition tables: it always counts.
create or replace function private.tell_pages() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.invalidate_pages();
  return null;
end $$;

-- updated_at does not count: it is set by every UPDATE, and no page shows it.
create function private.invalidate_pages_if_changed() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    if not exists (select from new_rows) then return null; end if;
  elsif tg_op = 'DELETE' then
    if not exists (select from old_rows) then return null; end if;
  elsif not exists (
    select to_jsonb(n) - 'updated_at' from new_rows n
    except
    select to_jsonb(o) - 'updated_at' from old_rows o
  ) then
    return null;
  end if;
  perform private.invalidate_pages();
  return null;
end $$;
revoke execute on function private.invalidate_pages_if_changed() from public;

do $$
declare
  tab text;
  prefix text;
begin
  foreach tab in array array['Products', 'caurousel', 'greetings', 'shop_settings'] loop
    prefix := lower(tab) || '_invalidate_pages_';
    execute format('drop trigger %I on public.%I', lower(tab) || '_tell_pages', tab);
    execute format('create trigger %I after insert on public.%I referencing new table as new_rows
      for each statement execute function private.invalidate_pages_if_changed()', prefix || 'insert', tab);
    execute format('create trigger %I after update on public.%I referencing old table as old_rows new table as new_rows
      for each statement execute function private.invalidate_pages_if_changed()', prefix || 'update', tab);
    execute format('create trigger %I after delete on public.%I referencing old table as old_rows
      for each statement execute function private.invalidate_pages_if_changed()', prefix || 'delete', tab);
    execute format('create trigger %I after truncate on public.%I
      for each statement execute function private.tell_pages()', prefix || 'truncate', tab);
  end loop;
end $$;
