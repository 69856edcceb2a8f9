-- Compiling a query pays off where it runs for seconds. A search runs for milliseconds, and where PostgreSQL compiles by
-- default it took two to eight seconds. New connections hear of it.
do $$
begin
  execute format('alter database %I set jit = off', current_database());
exception when insufficient_privilege then
  raise warning 'jit could not be switched off: the owner of the database has to, or searching is slow';
end $$;
