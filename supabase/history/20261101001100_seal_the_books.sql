-- Append-only means that nobody empties the table either, and trigger functions are nobody's to call.
do $$
declare
  tab text;
  guard regprocedure;
begin
  foreach tab in array array['orders', 'order_items', 'order_events', 'stock_movements', 'audit_log'] loop
    execute format('create trigger %I before truncate on public.%I
      for each statement execute function private.refuse_change()', tab || '_never_emptied', tab);
  end loop;
  for guard in
    select oid::regprocedure from pg_proc
    where pronamespace = 'private'::regnamespace and prosecdef and prorettype = 'trigger'::regtype
  loop
    execute format('revoke execute on function %s from public', guard);
  end loop;
end $$;
