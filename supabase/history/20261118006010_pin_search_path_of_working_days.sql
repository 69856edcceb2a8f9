-- The only PL/pgSQL function without a search path of its own (Supabase's linter, 0011).
alter function private.working_day_from(date, smallint[], datemultirange, date) set search_path = '';
