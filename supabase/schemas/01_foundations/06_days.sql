-- Days and financial years of the shop, whose day begins at midnight in India.
-- No tables: called by everything that counts by day.
set check_function_bodies = off;

-- The day in India, and the moment it begins. Without a search path, so that queries inline both: they are called
-- for every row.
create function private.day_of(at timestamptz) returns date
language sql immutable as $$
  select (at at time zone 'Asia/Kolkata')::date;
$$;

create function private.start_of(day date) returns timestamptz
language sql immutable as $$
  select day::timestamp at time zone 'Asia/Kolkata';
$$;

-- null for an infinite date, which has no month.
create function private.month_of(day date) returns date
language sql immutable set search_path = '' as $$
  select date_trunc('month', day::timestamp)::date where isfinite(day);
$$;

-- The financial year of a day begins on 1 April.
create function private.financial_year_start(day date) returns date
language sql immutable as $$
  select make_date(extract(year from day)::integer - case when extract(month from day) < 4 then 1 else 0 end, 4, 1);
$$;

create function private.financial_year(day date) returns smallint
language sql immutable set search_path = '' as $$
  select extract(year from day - interval '3 months')::smallint;
$$;
