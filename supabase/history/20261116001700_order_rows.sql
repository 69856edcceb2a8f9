-- What greets on the home page: written once, however often it is sent (entry_id is made where it is typed), and put in
-- order by administrators, the whole list at once.

alter table public.greetings add column entry_id uuid unique;
alter table public.caurousel add column entry_id uuid unique;
alter table public.testimonials add column entry_id uuid unique;

-- Where one stands among the others is not a change of it: whoever edits it meanwhile may save.
drop trigger caurousel_touch on public.caurousel;
create trigger caurousel_touch before update on public.caurousel
  for each row when (to_jsonb(new) - 'position' is distinct from to_jsonb(old) - 'position')
  execute function private.touch_updated_at();
drop trigger testimonials_touch on public.testimonials;
create trigger testimonials_touch before update on public.testimonials
  for each row when (to_jsonb(new) - 'position' is distinct from to_jsonb(old) - 'position')
  execute function private.touch_updated_at();

-- ids: the list as it shall be; seen: as it was when somebody began to move. Whoever added, removed or moved something
-- meanwhile is not overruled.
create function public.admin_order_rows(table_name text, ids bigint[], seen bigint[]) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  standing bigint[];
  moved integer;
begin
  perform private.require_admin();
  if table_name is null or table_name not in ('caurousel', 'testimonials') then
    perform private.refuse('This has no order of its own.', 'table_name');
  end if;
  -- Nobody adds a row while the others are counted.
  execute format('lock table public.%I in share row exclusive mode', table_name);
  execute format('select coalesce(array_agg(r.id order by r.position, r.id), ''{}'') from public.%I r', table_name) into standing;
  if standing is distinct from seen then
    raise sqlstate 'PT409' using message = 'Somebody changed this list meanwhile. Look at it again before saving.', detail = 'stale';
  end if;
  if (select array_agg(i order by i) from unnest(ids) i) is distinct from (select array_agg(s order by s) from unnest(standing) s) then
    perform private.refuse('Every one of the list has its place in it once.', 'ids');
  end if;
  execute format('update public.%I r set position = o.place from unnest($1) with ordinality o (id, place)
                  where r.id = o.id and r.position <> o.place', table_name) using ids;
  get diagnostics moved = row_count;
  return jsonb_build_object('moved', moved);
end $$;

select private.open_console_requests();
