-- Calls of many customers in one transaction, for a rush: each function takes the arguments of several calls (calls, a JSON
-- array), takes the locks of all of them in the order that everybody keeps, makes the calls one after the other, and returns
-- as many results. The rules are those of the function for one call. An unexpected error, or a lock that takes long, fails the
-- whole batch: then each call is made alone (server/grouped-calls.ts). Called with the service role.
set check_function_bodies = off;

-- Quotes lock nothing but the customer's rate limit: in the order of the customers.
create function public.quote_orders(calls jsonb) returns jsonb
language plpgsql security definer set search_path = '' set lock_timeout = '250ms' as $$
declare
  results jsonb[] := array_fill(null::jsonb, array[jsonb_array_length(calls)]);
  call record;
begin
  for call in
    select * from rows from (jsonb_to_recordset(calls) as (
      customer_id uuid, lines jsonb, pincode text, source text, fulfilment text, at timestamptz)) with ordinality as c
    order by c.customer_id, c.ordinality
  loop
    results[call.ordinality] := public.quote_order(
      call.customer_id, call.lines, call.pincode, call.source, call.fulfilment, coalesce(call.at, now()));
  end loop;
  return to_jsonb(results);
end $$;

create function public.open_checkouts(calls jsonb) returns jsonb
language plpgsql security definer set search_path = '' set lock_timeout = '250ms' as $$
declare
  results jsonb[] := '{}';
  call record;
begin
  perform private.lock_checkouts(k.customer_id)
  from (select distinct (c ->> 'customer_id')::uuid as customer_id from jsonb_array_elements(calls) as c order by 1) k;
  perform private.lock_stock(array(
    select unnest(q.product_ids) from private.quotes q
    where q.id = any (array(select (c ->> 'quote_id')::uuid from jsonb_array_elements(calls) as c))));
  for call in
    select * from jsonb_to_recordset(calls) as c (customer_id uuid, amount_paise bigint, quote_id uuid, at timestamptz, address_hash text)
  loop
    results := results || public.open_checkout(
      call.customer_id, call.amount_paise, call.quote_id, coalesce(call.at, now()), call.address_hash);
  end loop;
  return to_jsonb(results);
end $$;

create function public.attach_provider_orders(calls jsonb) returns jsonb
language plpgsql security definer set search_path = '' set lock_timeout = '250ms' as $$
declare
  results text[] := array_fill(null::text, array[jsonb_array_length(calls)]);
  call record;
begin
  for call in
    select c.* from rows from (jsonb_to_recordset(calls) as (checkout_id uuid, provider_order_id text)) with ordinality as c
    left join private.checkouts k on k.id = c.checkout_id
    order by k.user_id, c.checkout_id, c.ordinality
  loop
    results[call.ordinality] := public.attach_provider_order(call.checkout_id, call.provider_order_id);
  end loop;
  return to_jsonb(results);
end $$;

create function public.settle_payments(calls jsonb) returns jsonb
language sql security definer set search_path = '' set lock_timeout = '250ms' as $$
  select private.settle(calls);
$$;

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
  public.quote_orders(jsonb), public.open_checkouts(jsonb), public.attach_provider_orders(jsonb), public.settle_payments(jsonb),
  public.finish_jobs(jsonb)
  from public, anon, authenticated;
grant execute on function
  public.quote_orders(jsonb), public.open_checkouts(jsonb), public.attach_provider_orders(jsonb), public.settle_payments(jsonb),
  public.finish_jobs(jsonb)
  to service_role;
