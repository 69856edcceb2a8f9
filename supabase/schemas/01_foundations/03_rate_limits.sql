-- Rate limits: how often a caller may do something in a window of time.
-- Written by consume_rate_limits(), which other functions call; deleted by a job after a day.
set check_function_bodies = off;

-- Rate limits: one row per subject, action and window, written by consume_rate_limit().
create table private.rate_limits (
  action text not null,
  subject text not null,
  window_start timestamptz not null,
  taken integer not null,
  primary key (action, subject, window_start)
);
alter table private.rate_limits enable row level security;

-- True while the subject has calls left in the current fixed window. Old windows of the subject go with it.
create function private.consume_rate_limit(
  action text, subject text, allowed integer, per interval, at timestamptz default now()
) returns boolean
language sql security definer set search_path = '' as $$
  select (private.consume_rate_limits(action, array[subject], allowed, per, at))[1];
$$;

-- The same for many subjects, one answer for each. A subject that is there twice takes two turns.
create function private.consume_rate_limits(action text, subjects text[], allowed integer, per interval, at timestamptz) returns boolean[]
language plpgsql security definer set search_path = '' as $$
declare
  this_window timestamptz := date_bin(per, at, timestamptz '2000-01-01 00:00+00');
  answers boolean[];
  new_ones text[];
begin
  with asked as materialized (
    select s.subject, s.n, row_number() over (partition by s.subject order by s.n) as place
    from unnest(subjects) with ordinality as s (subject, n)
  ), taken as materialized (
    insert into private.rate_limits as t (action, subject, window_start, taken)
    select consume_rate_limits.action, a.subject, this_window, count(*) from asked a group by a.subject order by a.subject
    on conflict on constraint rate_limits_pkey do update set taken = t.taken + excluded.taken
    returning t.subject, t.taken
  ), counted as (
    select a.subject, a.n, a.place, k.taken, count(*) over (partition by a.subject) as asked
    from asked a join taken k on k.subject is not distinct from a.subject
  )
  select array_agg(c.taken - c.asked + c.place <= allowed order by c.n), array_agg(c.subject) filter (where c.taken = c.asked)
  into answers, new_ones from counted c;
  if new_ones is not null then
    delete from private.rate_limits t
    where t.action = consume_rate_limits.action and t.subject = any (new_ones) and t.window_start < this_window;
  end if;
  return answers;
end $$;

-- Where a request of the Data API came from: the address that the platform's edge saw (cf-connecting-ip, which the
-- embedded host sets itself), else the last one that a proxy added; those before it may be forged. Empty: no
-- request.
create function private.request_header(name text) returns text
language plpgsql stable set search_path = '' as $$
begin
  return nullif(current_setting('request.headers', true), '')::jsonb ->> request_header.name;
exception when data_exception then
  return null;
end $$;

create function private.client_ip() returns text
language sql stable set search_path = '' as $$
  select coalesce(private.request_header('cf-connecting-ip'),
                  btrim(reverse(split_part(reverse(private.request_header('x-forwarded-for')), ',', 1))), '');
$$;

-- A hash of the client's address as the subject of a rate limit. Pages rendered in the same process have none; web
-- nodes limit their visitors themselves (server/pages/visitor-limit.ts). Rows of rate_limits are deleted after a day.
create function private.caller_key() returns text
language sql stable set search_path = '' as $$
  select coalesce('address ' || encode(sha256(convert_to(nullif(private.client_ip(), ''), 'UTF8')), 'hex'), 'pages');
$$;
