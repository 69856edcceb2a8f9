-- Two nodes that refreshed with the same token in the same moment gave it two successors, and reuse of either went unnoticed.
-- The host calls this in a transaction that lasts until the library has answered: who comes with the same token meanwhile, on
-- whatever node, waits here. Otherwise as before.
create or replace function private.may_refresh(token text, address text, user_agent text, at timestamptz) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  used record;
begin
  perform pg_advisory_xact_lock(hashtextextended('refresh ' || token, 0));
  select t.* into used from auth.refresh_tokens t where t.token = may_refresh.token;
  if not found or used.revoked is not true then
    return true;
  end if;
  if used.updated_at > at - interval '10 seconds' and exists (
       select from auth.refresh_tokens c
       where c.session_id = used.session_id and c.parent = used.token and c.revoked is not true) then
    return true;
  end if;
  delete from auth.sessions s where s.id = used.session_id;
  perform private.record_security_event('token-reused', used.user_id::text::uuid, may_refresh.address, may_refresh.user_agent);
  return false;
end $$;
