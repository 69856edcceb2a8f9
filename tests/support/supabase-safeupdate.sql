-- Stands in for the library `safeupdate`, which the platform loads into every session of `authenticator` and which no
-- package brings: UPDATE and DELETE without WHERE fail with 21000, also inside functions and triggers. A statement trigger on
-- every table reads the statement from its call stack. Tests that play the Data API in a session of `postgres` set
-- safeupdate.enabled. Not seen here, and found by supabase/tests/safe-update.test.ts: `for … in update …` loops.
create function platform.without_where(statements text) returns boolean language plpgsql immutable set search_path = '' as $$
declare
  -- Literals, quoted names and comments say nothing.
  rest text := pg_catalog.regexp_replace(statements, $re$'[^']*'|"[^"]*"|--[^\n]*|/\*([^*]|\*[^/])*\*/$re$, ' x ', 'g');
  piece text;
  pieces text[] := '{}';
begin
  -- Inside out: a condition of a subquery is none of the statement around it.
  loop
    piece := pg_catalog.substring(rest, '\(([^()]*)\)');
    exit when piece is null;
    pieces := pieces || piece;
    rest := pg_catalog.regexp_replace(rest, '\([^()]*\)', ' x ');
  end loop;
  foreach piece in array pieces || pg_catalog.string_to_array(rest, ';') loop
    piece := pg_catalog.regexp_replace(piece, '^\s*begin\s+atomic\M', '', 'i');
    piece := pg_catalog.regexp_replace(piece,
      '^\s*with\s+(recursive\s+)?(\w+\s+(x\s+)?as\s+(not\s+)?(materialized\s+)?x\s*,?\s*)+', '', 'i');
    if piece ~* '^\s*(update|delete)\M' and piece !~* '\mwhere\M' then
      return true;
    end if;
  end loop;
  return false;
end $$;

create function platform.refuse_without_where() returns trigger language plpgsql set search_path = '' as $$
declare
  stack text;
  named text[];
  is_refused boolean;
begin
  if session_user <> 'authenticator' and coalesce(pg_catalog.current_setting('safeupdate.enabled', true), '') <> '1' then
    return null;
  end if;
  get diagnostics stack = pg_context;
  stack := pg_catalog.substr(stack, pg_catalog.strpos(stack || E'\n', E'\n') + 1); -- without this function
  if stack = '' then
    is_refused := platform.without_where(pg_catalog.current_query());
  elsif stack ~ '^SQL statement "(DELETE FROM|UPDATE) ONLY ' then
    is_refused := false; -- a foreign key's own, with WHERE
  elsif stack like 'SQL statement "%' then
    stack := pg_catalog.split_part(pg_catalog.substr(stack, 16), E'"\nPL/pgSQL function ', 1);
    is_refused := platform.without_where(pg_catalog.regexp_replace(stack, '"$', ''));
  else
    named := pg_catalog.regexp_match(stack, '^SQL function "([^"]*)" statement');
    is_refused := exists (
      select from pg_catalog.pg_proc p
      where p.proname = named[1] and p.prolang = (select l.oid from pg_catalog.pg_language l where l.lanname = 'sql')
        and platform.without_where(coalesce(pg_catalog.pg_get_function_sqlbody(p.oid), p.prosrc)));
  end if;
  if is_refused then
    raise cardinality_violation using message = tg_op || ' requires a WHERE clause';
  end if;
  return null;
end $$;

create function platform.guard_table(target regclass) returns void language plpgsql set search_path = '' as $$
begin
  execute pg_catalog.format('create or replace trigger platform_safeupdate before update or delete on %s
    for each statement execute function platform.refuse_without_where()', target);
end $$;

create function platform.guard_new_tables() returns event_trigger language plpgsql security definer set search_path = '' as $$
begin
  perform platform.guard_table(c.objid::regclass)
  from pg_catalog.pg_event_trigger_ddl_commands() c
  where c.object_type = 'table' and c.schema_name <> 'pg_temp';
end $$;

select platform.guard_table(c.oid::regclass) from pg_class c
where c.relkind = 'r' and c.relnamespace in ('auth'::regnamespace, 'storage'::regnamespace);
create event trigger guard_new_tables on ddl_command_end when tag in ('CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO')
  execute function platform.guard_new_tables();
