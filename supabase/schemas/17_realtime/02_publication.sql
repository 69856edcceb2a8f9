-- What realtime sends.
-- Subscribers receive a row only if their own policies let them read it.

do $$
begin
  if exists (select from pg_publication where pubname = 'supabase_realtime') then
    alter publication supabase_realtime add table
      public."Products", public.caurousel, public.greetings, public.testimonials, public.comments,
      public.orders, public.order_events, public.page_changes;
  end if;
end $$;
