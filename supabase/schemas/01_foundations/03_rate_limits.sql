-- Rate limits: how often a caller may do something in a window of time.
-- Written by take_turn() and take_turns(), which other functions call; deleted by a job after a day.
set check_function_bodies = off;

-- Rate limits: one row per subject, action and window, written by take_turn().
create table private.turns (
  action text not null,
  subject text not null,
  window_start timestamptz not null,
  taken integer not null,
  primary key (action, subject, window_start)
);
alter table private.turns enable row level security;

-- True while the subject has turns left in the current fixed window. Old windows of the subject go with it.
create function private.take_turn(
  action text, subject text, allowed integer, per interval, at timestamptz default now()
) returns boolean
language sql security definer set search_path = '' as $$
  select subject = any (private.take_turns(action, array[subject], allowed, per, at));
$$;

-- take_turn() for many subjects: returns those within their limit.
create function private.take_turns(action text, subjects text[], allowed integer, per interval, at timestamptz) returns text[]
language plpgsql security definer set search_path = '' as $$
declare
  this_window timestamptz := date_bin(per, at, timestamptz '2000-01-01 00:00+00');
  new_ones text[];
  those_who_may text[];
begin
  with taken as (
    insert into private.turns as t (action, subject, window_start, taken)
    select take_turns.action, s.subject, this_window, 1 from unnest(subjects) as s (subject) order by s.subject
    on conflict on constraint turns_pkey do update set taken = t.taken + 1
    returning t.subject, t.taken
  )
  select array_agg(k.subject) filter (where k.taken = 1), array_agg(k.subject) filter (where k.taken <= allowed)
  into new_ones, those_who_may from taken k;
  if new_ones is not null then
    delete from private.turns t
    where t.action = take_turns.action and t.subject = any (new_ones) and t.window_start < this_window;
  end if;
  return coalesce(those_who_may, '{}');
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

create function private.client_address() returns text
language sql stable set search_path = '' as $$
  select coalesce(private.request_header('cf-connecting-ip'),
                  btrim(reverse(split_part(reverse(private.request_header('x-forwarded-for')), ',', 1))), '');
$$;

-- A hash of the client's address as the subject of a rate limit. Pages rendered in the same process have none; web
-- nodes limit their visitors themselves (server/visitor-limit.ts). Rows of turns are deleted after a day.
create function private.caller_key() returns text
language sql stable set search_path = '' as $$
  select coalesce('address ' || encode(sha256(convert_to(nullif(private.client_address(), ''), 'UTF8')), 'hex'), 'pages');
$$;
