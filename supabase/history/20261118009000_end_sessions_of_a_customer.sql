-- An administrator logs somebody out everywhere: for a customer whose phone was stolen, or a colleague who left. Their access
-- tokens expire within an hour, and no session is left to get a new one. Returns how many sessions were ended.
create function public.admin_end_sessions(customer_id uuid) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  ended integer;
begin
  perform private.require_admin();
  perform private.require_customer(customer_id);
  delete from auth.sessions s where s.user_id = admin_end_sessions.customer_id;
  get diagnostics ended = row_count;
  perform private.record_security_event('logged-out-everywhere', auth.uid(), subject_id => customer_id);
  return ended;
end $$;

select private.open_console_requests();
