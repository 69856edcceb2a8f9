-- Keys and facts of this installation, and which migrations it has. Written and read by the host; visitors may compare
-- the versions and checksums of the migrations with their own files.
set check_function_bodies = off;

-- Keys and facts of this installation: written and read only by the host.
create table private.instance (
  name text primary key,
  value text not null
);
alter table private.instance enable row level security;

-- Shows whether the database can still write, after a write failed on a full disk. Truncating gives the table a new
-- file, so each call needs space on the disk; what is written is removed in the same transaction.
create table private.write_probe (
  id integer primary key,
  filler text not null
);
alter table private.write_probe alter column filler set storage external;
alter table private.write_probe enable row level security;

create function public.check_writable() returns void
language plpgsql security definer set search_path = '' as $$
begin
  truncate private.write_probe;
  insert into private.write_probe (id, filler) select n, repeat('x', 8000) from generate_series(1, 16) n;
  truncate private.write_probe;
end $$;

-- The versions of the migrations that a project has applied, for web nodes to check before they serve pages from
-- it. Open to every caller: the numbers are those of public files.
create function public.schema_versions() returns text[]
language plpgsql stable security definer set search_path = '' as $$
declare
  versions text[];
begin
  -- Kept by the Supabase CLI and by the host alike; who migrated otherwise has no such table.
  if to_regclass('supabase_migrations.schema_migrations') is null then
    return '{}';
  end if;
  execute 'select array_agg(version order by version) from supabase_migrations.schema_migrations' into versions;
  return coalesce(versions, '{}');
end $$;

-- The checksums of the migrations that a project has applied, for web nodes to compare with their own files. The
-- Supabase CLI records a file as statements, without the semicolons and the space between them: neither counts here
-- (server/backends/schema/migration-history.ts calculates the same). Open to every caller, so it has to be cheap: replace()
-- five times takes a third of the time of one translate().
create function public.schema_checksums() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  checksums jsonb;
begin
  if to_regclass('supabase_migrations.schema_migrations') is null then
    return '{}';
  end if;
  execute $query$
    select jsonb_object_agg(m.version, encode(sha256(convert_to(
      replace(replace(replace(replace(replace(array_to_string(m.statements, ''),
        ' ', ''), E'\t', ''), E'\r', ''), E'\n', ''), ';', ''), 'UTF8')), 'hex'))
    from supabase_migrations.schema_migrations m
    where m.statements is not null
  $query$ into checksums;
  return coalesce(checksums, '{}');
end $$;

revoke execute on function public.check_writable() from public, anon, authenticated;
grant execute on function public.check_writable() to service_role;
revoke execute on function public.schema_versions(), public.schema_checksums() from public, anon, authenticated;
grant execute on function public.schema_versions(), public.schema_checksums() to anon, authenticated, service_role;
