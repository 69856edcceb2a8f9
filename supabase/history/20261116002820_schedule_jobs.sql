-- On a hosted project nobody works between requests: there a schedule calls the function runJobs. Where the extensions for
-- it are missing (an embedded shop does the work itself), something outside has to call (docs/operations.md).

-- What the schedule needs is in the vault: the CLI puts it there (supabase/config.toml), or somebody by hand
-- (docs/deploy.md). null where it is not; the CLI stores the name of a variable that was not set as it is written.
create function private.secret_of_jobs(secret_name text) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  found text;
begin
  execute 'select max(s.decrypted_secret) from vault.decrypted_secrets s
           where s.name = $1 and s.decrypted_secret not like ''env(%'' and s.decrypted_secret <> ''''' into found using secret_name;
  return found;
end $$;

-- Nothing is called until the vault has both. Answers whether something was.
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

-- Safe to call again, when the extensions or the secrets have come later. Answers what it did, and what is missing.
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
    -- As often as payments that nobody told us of are asked about.
    execute 'select cron.schedule($1, $2, $3)' using 'run-jobs', '20 seconds', 'select private.call_jobs()';
  exception when others then -- pg_cron before 1.5 knows minutes only
    execute 'select cron.schedule($1, $2, $3)' using 'run-jobs', '* * * * *', 'select private.call_jobs()';
    how_often := 'every minute';
  end;
  -- pg_cron notes every run, and forgets none by itself.
  execute 'select cron.schedule($1, $2, $3)' using 'forget-runs', '17 21 * * *',
    'delete from cron.job_run_details where end_time < now() - interval ''7 days''';
  select string_agg(needed, ' and ') into lacking
  from unnest(array['project_url', 'jobs_secret']) needed where private.secret_of_jobs(needed) is null;
  return how_often || coalesce(', but nothing is called yet: the vault lacks ' || lacking, '');
end $$;
revoke execute on function private.secret_of_jobs(text), private.call_jobs(), private.schedule_jobs() from public;

do $$
declare
  extension text;
begin
  foreach extension in array array['pg_cron', 'pg_net'] loop
    if exists (select from pg_available_extensions where name = extension) then
      begin
        -- pg_cron has a schema of its own.
        execute format('create extension if not exists %I', extension) || case extension when 'pg_net' then ' with schema extensions' else '' end;
      exception when others then -- not preloaded, or not ours to make
        raise notice '% is not used: %', extension, sqlerrm;
      end;
    end if;
  end loop;
  raise notice 'jobs: %', private.schedule_jobs();
end $$;
