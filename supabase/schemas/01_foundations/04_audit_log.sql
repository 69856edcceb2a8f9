-- The log of administrators' changes, and the guards that append-only tables share.
-- Written by record_change() triggers, read by administrators. Rows never change, except when a customer is erased.
set check_function_bodies = off;

-- Append-only tables have one exception: erasing a customer, in that transaction only.
create function private.is_erasing() returns boolean
language sql stable set search_path = '' as $$
  select exists (select from private.erasures e where e.transaction_id = pg_current_xact_id_if_assigned());
$$;

-- Makes a table append-only for every role, the service role included.
create function private.reject_change() returns trigger
language plpgsql set search_path = '' as $$
begin
  raise sqlstate 'PT403' using message = format('rows of %s are never changed or deleted', tg_table_name);
end $$;

-- Erasing a customer may blank values in an entry. Who changed which fields, and when, stays.
create function private.guard_audit_log() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and private.is_erasing()
     and (new.id, new.at, new.actor_id, new.action, new.table_name, new.row_id)
         is not distinct from (old.id, old.at, old.actor_id, old.action, old.table_name, old.row_id)
     and private.is_redacted(old.before, new.before) and private.is_redacted(old.after, new.after) then
    return new;
  end if;
  raise sqlstate 'PT403' using message = 'rows of audit_log are never changed or deleted';
end $$;

-- What administrators changed: written by record_change() triggers, read in the console.
create table public.audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor_id uuid,
  action text not null check (action in ('insert', 'update', 'delete')),
  table_name text not null,
  row_id text not null,
  before jsonb,
  after jsonb
);
create index audit_log_at_idx on public.audit_log (at desc, id desc);
create index audit_log_row_idx on public.audit_log (table_name, row_id, at desc);
create index audit_log_table_idx on public.audit_log (table_name, at desc, id desc);
create index audit_log_actor_idx on public.audit_log (actor_id, at desc, id desc);
alter table public.audit_log enable row level security;
revoke all on public.audit_log from anon, authenticated;
grant select on public.audit_log to authenticated;
grant all on public.audit_log to service_role;
create policy "administrators read the audit log" on public.audit_log
  for select to authenticated using ((select private.is_admin()));

create trigger audit_log_is_append_only before update or delete on public.audit_log
  for each row execute function private.guard_audit_log();
create trigger audit_log_never_emptied before truncate on public.audit_log
  for each statement execute function private.reject_change();

-- Argument: the name of the primary key column. An update keeps only the columns that changed.
create function private.record_change() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  old_row jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  new_row jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  row_key text := coalesce(new_row, old_row) ->> tg_argv[0];
begin
  if not private.is_admin() then
    return null;
  end if;
  if tg_op = 'UPDATE' then
    select jsonb_object_agg(o.key, o.value), jsonb_object_agg(o.key, new_row -> o.key)
    into old_row, new_row
    from jsonb_each(old_row) o
    where o.key <> 'updated_at' and o.value is distinct from new_row -> o.key;
    if old_row is null then
      return null;
    end if;
  end if;
  insert into public.audit_log (actor_id, action, table_name, row_id, before, after)
  values (auth.uid(), lower(tg_op), tg_table_name, row_key, old_row, new_row);
  return null;
end $$;

create function private.touch_updated_at() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  return new;
end $$;

create function private.is_redacted(original jsonb, redacted jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select case when original is null or redacted is null then original is null and redacted is null
    else not exists (
      select from jsonb_each(original) o full join jsonb_each(redacted) r on r.key = o.key
      where o.key is null or r.key is null or (r.value <> o.value and r.value <> '"[erased]"')) end;
$$;

grant execute on function private.reject_change(), private.touch_updated_at() to public;
