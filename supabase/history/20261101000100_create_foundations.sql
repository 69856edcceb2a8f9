-- The ground every later table stands on: the private schema, who is an administrator,
-- how often somebody may do a thing, and the log of administrators' changes.

-- No browser may touch what lives in private: the Data API does not expose it, every table has
-- row security without a policy, and only security definer functions read or write it.
create schema private;
grant usage on schema private to anon, authenticated, service_role;

-- Administrators: written only by the admin:grant command, read by is_admin().
create table private.administrators (
  user_id uuid primary key references auth.users (id) on delete cascade,
  granted_at timestamptz not null default now()
);
alter table private.administrators enable row level security;

-- Keys and facts of this installation: written and read only by the host.
create table private.instance (
  name text primary key,
  value text not null
);
alter table private.instance enable row level security;

-- Policies call this as (select private.is_admin()), so that it runs once per query and not once per row.
create function private.is_admin() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from private.administrators where user_id = (select auth.uid()));
$$;

-- The service role or a direct connection: whoever did not come as a browser does. The setting "role", unlike
-- current_user, is not changed by security definer functions.
create function private.is_service() returns boolean
language sql stable set search_path = '' as $$
  select coalesce(nullif(current_setting('role', true), 'none'), session_user)
         not in ('anon', 'authenticated', 'authenticator');
$$;

revoke execute on function private.is_admin(), private.is_service() from public;
grant execute on function private.is_admin(), private.is_service() to anon, authenticated, service_role;

create function private.touch_updated_at() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  return new;
end $$;

-- Makes a table append-only for everybody, the service role included.
create function private.refuse_change() returns trigger
language plpgsql set search_path = '' as $$
begin
  raise sqlstate 'PT403' using message = format('rows of %s are never changed or deleted', tg_table_name);
end $$;

-- Rate limits: one row per subject, action and window, written by take_turn().
create table private.turns (
  action text not null,
  subject text not null,
  window_start timestamptz not null,
  taken integer not null,
  primary key (action, subject, window_start)
);
alter table private.turns enable row level security;

-- True while the subject has turns left in the current fixed window. Old windows of the subject go with it.
create function private.take_turn(action text, subject text, allowed integer, per interval, at timestamptz default now())
returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  this_window timestamptz := date_bin(per, at, timestamptz '2000-01-01 00:00+00');
  turns integer;
begin
  insert into private.turns as t (action, subject, window_start, taken)
  values (take_turn.action, take_turn.subject, this_window, 1)
  on conflict on constraint turns_pkey do update set taken = t.taken + 1
  returning t.taken into turns;
  if turns = 1 then
    delete from private.turns t
    where t.action = take_turn.action and t.subject = take_turn.subject and t.window_start < this_window;
  end if;
  return turns <= allowed;
end $$;
revoke execute on function private.take_turn(text, text, integer, interval, timestamptz) from public, anon, authenticated;

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
grant select on public.audit_log to authenticated;
grant all on public.audit_log to service_role;
alter table public.audit_log enable row level security;
create policy "administrators read the audit log" on public.audit_log
  for select to authenticated using ((select private.is_admin()));
create trigger audit_log_is_append_only before update or delete on public.audit_log
  for each row execute function private.refuse_change();

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

-- What an administrator typed as a link: a path of this site, or a web address.
create function private.is_safe_link(link text) returns boolean
language sql immutable set search_path = '' as $$
  select char_length(link) <= 500 and link ~ '^(/([^/\\[:space:]][^\\[:space:]]*)?|https?://[^\\[:space:]]+)$';
$$;
