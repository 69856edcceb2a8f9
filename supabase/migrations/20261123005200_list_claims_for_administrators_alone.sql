-- List claims for administrators alone.
set check_function_bodies = off;

create or replace function public.admin_list_claims(shown text default 'open', after text default null, at timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 50;
  start jsonb;
  entries jsonb;
begin
  perform private.require_admin();
  start := private.page_start(after);
  if shown is distinct from 'decided' then
    select coalesce(jsonb_agg(e.row order by e.row ->> 'due_at', e.id), '[]') into entries
    from (select c.id, private.claim_row(c, at) as row, (private.claim_due(c)).due_at
          from private.unfinished_claims() c order by due_at, c.id limit 500) e;
    return jsonb_build_object('rows', entries, 'next', null);
  end if;
  select coalesce(jsonb_agg(private.claim_row(p, at) order by p.decided_at desc, p.id desc), '[]') into entries
  from (select c.* from private.claims c
        where c.state = 'decided' and (start is null or (c.decided_at, c.id) < ((start ->> 'key')::timestamptz, (start ->> 'id')::uuid))
        order by c.decided_at desc, c.id desc limit page_size + 1) p;
  return jsonb_build_object('rows', entries - page_size, 'next', case when jsonb_array_length(entries) > page_size then
    jsonb_build_object('key', entries -> (page_size - 1) -> 'decided_at', 'id', entries -> (page_size - 1) -> 'id')::text end);
end $$;
