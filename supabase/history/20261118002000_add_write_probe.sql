-- Whether the database can still write, for a host that has seen a write fail on a full disk. Truncating gives the table a
-- new file, so each call needs room on the disk; what is written is removed again in the same transaction.
create table private.write_probe (id integer primary key, filler text not null);
alter table private.write_probe alter column filler set storage external;
alter table private.write_probe enable row level security;

create function public.check_writable() returns void
language plpgsql security definer set search_path = '' as $$
begin
  truncate private.write_probe;
  insert into private.write_probe (id, filler) select n, repeat('x', 8000) from generate_series(1, 16) n;
  truncate private.write_probe;
end $$;
revoke execute on function public.check_writable() from public, anon, authenticated;
grant execute on function public.check_writable() to service_role;
