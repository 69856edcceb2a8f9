-- What a web node asks before it serves pages from a project: which of our migrations the database has had. Everybody may
-- know; the numbers are those of files that everybody has.
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
revoke execute on function public.schema_versions() from public;
grant execute on function public.schema_versions() to anon, authenticated, service_role;
