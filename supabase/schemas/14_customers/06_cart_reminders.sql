-- Unfinished checkouts: one email an hour after a checkout was opened and not paid, to customers who agreed to such emails
-- (02_people/05_consents.sql). Its link puts the items back into the cart, on any device. Written by the worker.
set check_function_bodies = off;

-- The items of an unfinished checkout as they were then, and which they are. Goes with the account.
create table private.cart_reminders (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  -- When the checkout was opened: what was ordered or paid since may be these items.
  opened_at timestamptz not null,
  -- {product_id, name, size, has_size, quantity, paise_then, box_id, contents}, as lines_as_sold_today() reads them.
  lines jsonb not null,
  lines_key text not null,
  queued_at timestamptz not null
);
create index cart_reminders_user_idx on private.cart_reminders (user_id, queued_at desc);
alter table private.cart_reminders enable row level security;

-- How long a checkout waits for its payment before the customer is reminded, how old it may be at most (the worker was away), how many
-- days have to be between two reminders, and how many days the link works. The one place of these numbers.
create function private.cart_reminder_times(out after interval, out until interval, out pause interval, out link_days integer)
language sql immutable set search_path = '' as $$ select interval '1 hour', interval '1 day', interval '7 days', 14 $$;

-- The lines of a quote as a reminder has them.
create function private.lines_of_quote(lines jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'product_id', l -> 'product_id', 'name', l -> 'product_name', 'size', l -> 'size', 'has_size', l -> 'has_size', 'quantity', l -> 'quantity',
    'paise_then', ((l ->> 'unit_price')::numeric * 100)::bigint, 'box_id', l -> 'box_id', 'contents', l #> '{contents,products}')), '[]')
  from jsonb_array_elements(lines) as l;
$$;

-- The same for the same items in the same number, whatever they cost.
create function private.key_of_lines(lines jsonb) returns text
language sql immutable set search_path = '' as $$
  select encode(sha256(convert_to(string_agg(k.line, E'\n' order by k.line), 'UTF8')), 'hex')
  from (select concat_ws(' ', l ->> 'product_id', l ->> 'size', l ->> 'quantity', l ->> 'box_id', l ->> 'contents') as line
        from jsonb_array_elements(lines) as l) k;
$$;

-- Whether a customer has ordered, or may have paid, since a moment: then nobody is to be reminded. A payment that was refused or given
-- up does not count.
create function private.has_bought_since(user_id uuid, since timestamptz) returns boolean
language sql stable set search_path = '' as $$
  select exists (select from public.orders o where o.user_id = has_bought_since.user_id and o.created_at >= since)
    or exists (
      select from private.checkouts c join private.payments p on p.provider_order_id = private.provider_order_of(c)
      where c.user_id = has_bought_since.user_id and c.created_at >= since and p.status <> 'failed');
$$;

-- Queues the reminders that are due at this moment: of each customer who agreed, the last checkout, if it was opened an hour ago and not
-- paid. Never twice for the same items, unless something was ordered in between. Returns how many were queued.
create function public.queue_cart_reminders(at timestamptz default now()) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  times constant record := private.cart_reminder_times();
  queued integer;
begin
  -- Workers would wait for each other's rows: the other one does all of it.
  if not pg_try_advisory_xact_lock(hashtextextended('cart reminders', 0)) then
    return 0;
  end if;
  perform private.make_link_key();
  with agreed as (
    select a.user_id from (select distinct c.user_id from private.consents c where c.purpose = 'cart-reminders' and c.is_agreed) a
    where private.has_consent(a.user_id, 'cart-reminders')
  ), due as (
    insert into private.cart_reminders (user_id, opened_at, lines, lines_key, queued_at)
    select a.user_id, l.created_at, k.lines, private.key_of_lines(k.lines), at
    from agreed a
    cross join lateral (
      select c.quote_id, c.state, c.created_at from private.checkouts c
      where c.user_id = a.user_id and c.group_id is null order by c.created_at desc, c.id limit 1
    ) l
    join private.quotes q on q.id = l.quote_id
    cross join lateral (select private.lines_of_quote(q.lines)) as k (lines)
    where l.state <> 'paid' and l.created_at <= at - times.after and l.created_at > at - times.until
      and not private.has_bought_since(a.user_id, l.created_at)
      and not exists (
        select from private.cart_reminders r
        where r.user_id = a.user_id and (r.queued_at > at - times.pause or (
          r.lines_key = private.key_of_lines(k.lines) and not private.has_bought_since(a.user_id, r.queued_at))))
    returning id, user_id
  ), mails as (
    insert into private.outbox (kind, key, payload, run_after, created_at)
    select 'mail', 'mail:cart-reminder:' || d.id,
           jsonb_build_object('template', 'cart-reminder', 'user_id', d.user_id, 'reminder_id', d.id), at, at
    from due d
    returning id
  )
  select count(*) into queued from mails;
  return queued;
end $$;

-- What the reminder says; null: paid for or ordered since, or none of it can be bought today.
create function private.cart_reminder_facts(reminder_id uuid, site_url text, at timestamptz) returns jsonb
language sql volatile set search_path = '' as $$
  select jsonb_build_object(
    'items', (select jsonb_agg(jsonb_build_object(
                'name', l -> 'name', 'quantity', l -> 'quantity', 'sizeGrams', case when (l ->> 'has_size')::boolean then l -> 'size' end))
              from jsonb_array_elements(k.lines) as l where (l ->> 'is_available')::boolean),
    'restoreUrl', site_url || '/cart#restore=' || private.make_link('restore cart', r.id, 0, private.day_of(at) + t.link_days))
  from private.cart_reminders r, private.cart_reminder_times() t, lateral private.lines_as_sold_today(r.lines) as k (lines)
  where r.id = reminder_id and not private.has_bought_since(r.user_id, r.opened_at)
    and exists (select from jsonb_array_elements(k.lines) as l where (l ->> 'is_available')::boolean);
$$;

-- The items that a link in a reminder puts back: {lines, is_ordered}. Nothing of the person. is_ordered: something was ordered since, and
-- the lines are left out. null: forged, expired, or of an account that is gone.
create function public.cart_by_link(token text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  link record;
begin
  link := private.read_link('restore cart', token, now());
  if link.subject is null then
    return null;
  end if;
  return (
    select jsonb_build_object('is_ordered', k.is_ordered,
                              'lines', case when k.is_ordered then '[]'::jsonb else private.lines_as_sold_today(r.lines) end)
    from private.cart_reminders r, lateral private.has_bought_since(r.user_id, r.opened_at) as k (is_ordered)
    where r.id = link.subject);
end $$;

revoke execute on function public.queue_cart_reminders(timestamptz), public.cart_by_link(text) from public, anon, authenticated;
grant execute on function public.queue_cart_reminders(timestamptz) to service_role;
grant execute on function public.cart_by_link(text) to anon, authenticated, service_role;
