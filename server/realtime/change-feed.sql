-- Reports changes in the tables of publication supabase_realtime to the embedded realtime server.
-- Applied at every start, in one transaction; changes only what is missing, because creating a trigger waits for
-- writers. Hosted projects have Supabase's own realtime and never see this file.
--
-- The keys go into a queue table; NOTIFY only wakes its reader. A transaction that notifies holds a lock of the
-- whole server from before its commit until after its fsync, so if every writer did it, they would all queue up
-- (measured: 1,700 order inserts a second on 16 connections became 380; this way 1,200). Here at most one writer at a time notifies; the others rely
-- on its notification, on the next one, or on the server's poll every quarter of a second.
--
-- Statement triggers with transition tables, not row triggers: a statement is one entry, however many rows it touches.
-- Statements of up to 100 rows are reported with their keys, larger ones not at all: no page shows hundreds of changes one by
-- one. Deletions are not reported: policies cannot be checked against a deleted row.
-- Two servers may start at once on a shared database.
select pg_advisory_xact_lock(hashtext('realtime_feed'));

create schema if not exists realtime_feed;
revoke all on schema realtime_feed from public;

-- Keys only, no personal data. Unlogged: after a crash no client is connected that could miss a change.
create unlogged table if not exists realtime_feed.changes (
  transaction xid8 not null default pg_current_xact_id(),
  id bigint generated always as identity,
  at timestamptz not null default clock_timestamp(),
  table_schema text not null,
  table_name text not null,
  operation text not null,
  keys jsonb,
  primary key (transaction, id)
);
alter table realtime_feed.changes enable row level security;

-- Arguments: the columns of the primary key. Keys are text, so that a bigint survives JSON.
-- Security definer, so that it works for every writer; only triggers can call it.
create or replace function realtime_feed.announce() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  touched integer;
  keys jsonb;
begin
  if tg_nargs = 1 and tg_argv[0] = 'id' then -- as nearly everywhere: no JSON of whole rows
    select count(*), jsonb_agg(jsonb_build_array(few.id::text)) into touched, keys from (select c.id from changed c limit 101) few;
  else
    select count(*), jsonb_agg(few.key) into touched, keys
    from (
      select (select jsonb_agg(to_jsonb(c) ->> k.name order by k.n) from unnest(tg_argv) with ordinality as k (name, n)) as key
      from changed c
      limit 101
    ) few;
  end if;
  if touched not between 1 and 100 then
    return null;
  end if;
  insert into realtime_feed.changes (table_schema, table_name, operation, keys)
  values (tg_table_schema, tg_table_name, tg_op, keys);
  if pg_try_advisory_xact_lock(hashtext('realtime_feed.notify')) then
    perform pg_notify('realtime_feed', '');
  end if;
  return null;
end $$;
revoke execute on function realtime_feed.announce() from public;

do $$
declare
  missing record;
  stale record;
begin
  create temporary table wanted_triggers on commit drop as
  select c.oid as relid, e.event, 'zz_realtime_' || e.event as name,
         (select array_agg(a.attname::text order by k.n)
          from unnest(i.indkey) with ordinality as k (attnum, n), pg_attribute a
          where a.attrelid = c.oid and a.attnum = k.attnum) as key
  from pg_publication_tables p
  join pg_namespace n on n.nspname = p.schemaname
  join pg_class c on c.relnamespace = n.oid and c.relname = p.tablename and c.relkind = 'r'
  join pg_index i on i.indrelid = c.oid and i.indisprimary
  cross join (values ('insert'), ('update')) as e (event)
  where p.pubname = 'supabase_realtime';

  -- No longer published, or with another primary key.
  for stale in
    select t.tgname, t.tgrelid::regclass as tab
    from pg_trigger t
    where t.tgfoid = 'realtime_feed.announce()'::regprocedure
      and not exists (
        select from wanted_triggers w
        where w.relid = t.tgrelid and w.name = t.tgname
          and encode(t.tgargs, 'escape') = (select string_agg(k || '\000', '') from unnest(w.key) k))
  loop
    execute format('drop trigger %I on %s', stale.tgname, stale.tab);
  end loop;

  for missing in
    select w.* from wanted_triggers w
    where not exists (select from pg_trigger t where t.tgrelid = w.relid and t.tgname = w.name)
  loop
    execute format(
      'create trigger %I after %s on %s referencing new table as changed for each statement execute function realtime_feed.announce(%s)',
      missing.name, missing.event, missing.relid::regclass,
      (select string_agg(quote_literal(k), ', ') from unnest(missing.key) k));
  end loop;
end $$;
