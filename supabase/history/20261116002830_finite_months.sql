-- A date may be infinite: there is no such month, and reckoning it never ended.
create or replace function private.month_of(day date) returns date
language sql immutable set search_path = '' as $$
  select date_trunc('month', day::timestamp)::date where isfinite(day);
$$;
