-- Add working days.
set check_function_bodies = off;

create function private.is_working_day(day date, weekly_off smallint[], closed datemultirange) returns boolean
language sql immutable as $$
  select not (extract(dow from day)::smallint = any (weekly_off) or coalesce(closed @> day, false));
$$;

create or replace function private.promise_delivery(at timestamptz, working_days integer, out leaves_on date, out arrives_on date, out opens_on date)
language plpgsql stable strict set search_path = '' as $$
declare
  clock timestamp := at at time zone 'Asia/Kolkata';
  today date := clock::date;
  day date := clock::date;
  days_left integer := working_days;
  calendar record;
begin
  select s.cutoff_time, s.weekly_off,
         (select range_agg(daterange(c.starts_on, c.ends_on, '[]')) from public.closures c where c.ends_on >= today) as closed
  into calendar from public.shop_settings s;
  while arrives_on is null and day <= today + 366 loop
    if private.is_working_day(day, calendar.weekly_off, calendar.closed) then
      opens_on := coalesce(opens_on, day);
      if leaves_on is not null then
        days_left := days_left - 1;
      elsif day > today or clock::time < calendar.cutoff_time then
        leaves_on := day;
      end if;
      arrives_on := case when leaves_on is not null and days_left = 0 then day end;
    end if;
    day := day + 1;
  end loop;
  if arrives_on is null then
    leaves_on := null;
  end if;
end $$;

create function private.working_day_after(from_day date, working_days integer) returns date
language plpgsql stable strict set search_path = '' as $$
declare
  day date := from_day;
  days_left integer := working_days;
  calendar record;
begin
  select s.weekly_off,
         (select range_agg(daterange(c.starts_on, c.ends_on, '[]')) from public.closures c where c.ends_on >= from_day) as closed
  into calendar from public.shop_settings s;
  while days_left > 0 and day <= from_day + 366 loop
    day := day + 1;
    if private.is_working_day(day, calendar.weekly_off, calendar.closed) then
      days_left := days_left - 1;
    end if;
  end loop;
  return case when days_left = 0 then day end;
end $$;

revoke execute on function private.is_working_day(day date, weekly_off smallint[], closed datemultirange) from public, anon, authenticated;

revoke execute on function private.working_day_after(from_day date, working_days integer) from public, anon, authenticated;
