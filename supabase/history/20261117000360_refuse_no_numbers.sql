-- To PostgreSQL NaN is a number, greater than all others: it is not below any limit, and a sweet that costs it can neither be
-- sold nor shown. No column holds it.
do $$
declare
  found record;
begin
  for found in
    select a.attrelid::regclass as owner, c.relname, a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relkind = 'r' and c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
      and a.attnum > 0 and not a.attisdropped and a.atttypid in ('numeric'::regtype, 'real'::regtype, 'double precision'::regtype)
  loop
    execute format('alter table %s add constraint %I check (%I <> ''NaN'')',
                   found.owner, found.relname || '_' || found.attname || '_is_a_number', found.attname);
  end loop;
end $$;
