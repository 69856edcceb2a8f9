-- The schedule of a hosted project, which calls the function runJobs. Where pg_cron, pg_net or the vault are missing,
-- something outside has to call it (docs/operations.md).
set check_function_bodies = off;

-- What the schedule needs is in the vault, put there by the CLI (supabase/config.toml) or by hand (docs/deploy.md).
-- null when it is missing: the CLI stores the name of a variable that was not set.
create function private.secret_of_jobs(secret_name text) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  found text;
begin
  execute 'select max(s.decrypted_secret) from vault.decrypted_secrets s
           where s.name = $1 and s.decrypted_secret not like ''env(%'' and s.decrypted_secret <> ''''' into found using secret_name;
  return found;
end $$;

-- Calls nothing until the vault has both secrets. Returns whether it called.
create function private.call_jobs() returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  project_url constant text := private.secret_of_jobs('project_url');
  jobs_secret constant text := private.secret_of_jobs('jobs_secret');
begin
  if project_url is null or project_url !~ '^https?://' or jobs_secret is null then
    return false;
  end if;
  -- Longer than a round takes; an answer that comes later is not kept.
  execute 'select net.http_post(url := $1, headers := $2, body := ''{}''::jsonb, timeout_milliseconds := 20000)'
  using rtrim(project_url, '/') || '/functions/v1/runJobs',
        jsonb_build_object('content-type', 'application/json', 'x-jobs-secret', jobs_secret);
  return true;
end $$;

-- Safe to repeat when the extensions or the secrets come later. Returns what it did, and what is missing.
create function private.schedule_jobs() returns text
language plpgsql security definer set search_path = '' as $$
declare
  how_often text := 'every 20 seconds';
  lacking text;
begin
  if to_regprocedure('cron.schedule(text, text, text)') is null
     or not exists (select from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
                    where n.nspname = 'net' and p.proname = 'http_post')
     or to_regclass('vault.decrypted_secrets') is null then
    return 'not scheduled: this needs pg_cron, pg_net and the vault';
  end if;
  begin
    -- As often as payments that nobody told us of are asked about. Figures and emails are derived within two seconds, also of
    -- what changed in the console, where nothing wakes the worker.
    execute 'select cron.schedule($1, $2, $3)' using 'run-jobs', '20 seconds', 'select private.call_jobs()';
    execute 'select cron.schedule($1, $2, $3)' using 'derive-from-changes', '2 seconds', 'select private.derive_from_changes()';
  exception when others then -- pg_cron before 1.5 knows minutes only
    execute 'select cron.schedule($1, $2, $3)' using 'run-jobs', '* * * * *', 'select private.call_jobs()';
    execute 'select cron.schedule($1, $2, $3)' using 'derive-from-changes', '* * * * *', 'select private.derive_from_changes()';
    how_often := 'every minute';
  end;
  -- pg_cron notes every run, and forgets none by itself.
  execute 'select cron.schedule($1, $2, $3)' using 'forget-runs', '17 21 * * *',
    'delete from cron.job_run_details where end_time < now() - interval ''1 day''';
  select string_agg(needed, ' and ') into lacking
  from unnest(array['project_url', 'jobs_secret']) needed where private.secret_of_jobs(needed) is null;
  return how_often || coalesce(', but nothing is called yet: the vault lacks ' || lacking, '');
end $$;

-- `overdue` is for how many seconds the oldest job has been due: no worker runs. `troubled` jobs were tried three
-- times or more without success. A refund has failed as long as one of its attempts has and it is not finished, also of a
-- payment that became no order.
create function public.queue_metrics(at timestamptz default now()) returns jsonb
language sql stable security definer set search_path = '' as $$
  with open as (
    select o.kind as queue, o.run_after as due_at, o.attempts >= 3 as is_troubled from private.outbox o where o.done_at is null
    union all select 'order-change', c.queued_at, false from private.order_changes c
    union all select 'payment-check', c.next_check_at, false from private.checkouts c where c.next_check_at is not null
    union all select 'payment-check', g.next_check_at, false from private.group_orders g where g.next_check_at is not null
    union all select 'refund-check', r.next_check_at, false from private.refunds r where r.next_check_at is not null
  ), queues as (
    select q.name, count(o.queue) as depth, count(*) filter (where o.is_troubled) as troubled,
           greatest(0, coalesce(extract(epoch from at - min(o.due_at)), 0)) as overdue
    from unnest(array['mail', 'message', 'refund', 'order-change', 'payment-check', 'refund-check']) as q (name)
    left join open o on o.queue = q.name group by q.name
  ), failed as (
    select from private.refunds f
    where f.retry_of is null and f.finished_at is null
      and not exists (select from private.payments p where p.payment_id = f.payment_id and p.status = 'refunded')
      and (f.status = 'failed' or exists (select from private.refunds t where t.retry_of = f.id and t.status = 'failed'))
  )
  select jsonb_build_object(
    'depth', jsonb_object_agg(q.name, q.depth), 'overdue', jsonb_object_agg(q.name, q.overdue),
    'troubled', jsonb_object_agg(q.name, q.troubled), 'failed_refunds', (select count(*) from failed))
  from queues q;
$$;

create function public.count_orders() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_object_agg(s.status, s.orders), '{}')
  from (select o.status, count(*) as orders from public.orders o group by o.status) s;
$$;

revoke execute on function public.queue_metrics(timestamptz), public.count_orders() from public, anon, authenticated;
grant execute on function public.queue_metrics(timestamptz), public.count_orders() to service_role;

-- The extensions that the schedule needs, where they can be created; then the schedule.
do $$
declare
  extension text;
begin
  foreach extension in array array['pg_cron', 'pg_net'] loop
    if exists (select from pg_available_extensions where name = extension) then
      begin
        -- pg_cron has a schema of its own.
        execute format('create extension if not exists %I', extension) || case extension when 'pg_net' then ' with schema extensions' else '' end;
      exception when others then -- not preloaded, or the role may not create it
        raise notice '% is not used: %', extension, sqlerrm;
      end;
    end if;
  end loop;
  raise notice 'jobs: %', private.schedule_jobs();
end $$;
