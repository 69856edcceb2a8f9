-- Batches of calls that need no rule of their own: each takes the arguments of several calls (calls, a JSON array), makes them one
-- after the other, in the common lock order, and returns as many results. An unexpected error, or a lock that takes
-- long, fails the whole batch: then each call is made alone (server/functions/batch-calls.ts). Called with the service role.
set check_function_bodies = off;

create function public.attach_provider_orders(calls jsonb) returns jsonb
language plpgsql security definer set search_path = '' set lock_timeout = '250ms' as $$
declare
  results text[] := array_fill(null::text, array[jsonb_array_length(calls)]);
  call record;
begin
  for call in
    select * from rows from (jsonb_to_recordset(calls) as (checkout_id uuid, provider_order_id text)) with ordinality as c
    order by c.checkout_id, c.ordinality
  loop
    results[call.ordinality] := public.attach_provider_order(call.checkout_id, call.provider_order_id);
  end loop;
  return to_jsonb(results);
end $$;

create function public.finish_jobs(calls jsonb) returns jsonb
language plpgsql security definer set search_path = '' set lock_timeout = '250ms' as $$
declare
  call record;
begin
  for call in
    select * from jsonb_to_recordset(calls) as j (job_id bigint, note text, at timestamptz) order by j.job_id
  loop
    perform public.finish_job(call.job_id, call.note, coalesce(call.at, now()));
  end loop;
  return (select jsonb_agg(true) from jsonb_array_elements(calls));
end $$;

revoke execute on function
  public.attach_provider_orders(jsonb), public.finish_jobs(jsonb)
  from public, anon, authenticated;
grant execute on function
  public.attach_provider_orders(jsonb), public.finish_jobs(jsonb)
  to service_role;
