-- What a page shows, and until when, in one question: whoever waits for a page waits for one way there and back.

-- As before; a greeting without end has none that anybody could wait for.
create or replace function public.next_greeting_change(at timestamptz default now()) returns timestamptz
language sql stable set search_path = '' as $$
  select min(moment) from public.greetings g, unnest(array[g.starts_at, g.ends_at]) as moment
  where g.is_published and moment > next_greeting_change.at and isfinite(moment);
$$;

-- As before, and with the moment at which another greeting begins or this one ends. Of the same instant: nothing can
-- begin between the two.
create or replace function public.page_frame(at timestamptz default now()) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'shop', (select to_jsonb(s) - 'id' - 'updated_at' from public.shop_settings s),
    'greeting', (
      select jsonb_build_object('id', g.id, 'title', g.title, 'message', g.message, 'image', g.image, 'link', g.link,
                                'has_fireworks', g.has_fireworks)
      from public.greetings g
      where g.is_published and g.starts_at <= page_frame.at and page_frame.at < g.ends_at
      order by g.priority desc, g.starts_at desc, g.id
      limit 1),
    'changes_at', public.next_greeting_change(page_frame.at));
$$;

create function public.product_page_by_name(name text) returns jsonb
language sql stable set search_path = '' as $$
  select public.product_page(public.product_id_by_name(product_page_by_name.name));
$$;
revoke execute on function public.product_page_by_name(text) from public;
grant execute on function public.product_page_by_name(text) to anon, authenticated, service_role;
