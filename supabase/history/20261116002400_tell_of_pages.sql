-- Web nodes keep whole public pages. Whatever shows on one tells them all that what they have is old; the pages of a
-- greeting end when the next one begins.

create function private.tell_pages() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform pg_notify('shop_pages', 'changed');
  return null;
end $$;
revoke execute on function private.tell_pages() from public;

do $$
declare
  tab text;
begin
  foreach tab in array array['Products', 'caurousel', 'greetings', 'shop_settings'] loop
    execute format('create trigger %I after insert or update or delete or truncate on public.%I
      for each statement execute function private.tell_pages()', lower(tab) || '_tell_pages', tab);
  end loop;
end $$;

-- When the greeting of the moment may be another one; null: not by itself.
create function public.next_greeting_change(at timestamptz default now()) returns timestamptz
language sql stable set search_path = '' as $$
  select min(moment) from public.greetings g, unnest(array[g.starts_at, g.ends_at]) as moment
  where g.is_published and moment > next_greeting_change.at;
$$;
revoke execute on function public.next_greeting_change(timestamptz) from public;
grant execute on function public.next_greeting_change(timestamptz) to anon, authenticated, service_role;
