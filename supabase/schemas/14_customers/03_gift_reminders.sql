-- Festival reminders, and which were sent. Before a festival, customers who sent gifts last year and agreed to be reminded
-- (02_people/05_consents.sql) get one email with their list. Written by the worker.
set check_function_bodies = off;

-- One reminder for a customer and a festival of a year. Goes with the account.
create table private.gift_reminders (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  festival text not null,
  year integer not null,
  starts_on date not null,
  ends_on date not null,
  order_by date not null,
  queued_at timestamptz not null,
  unique (user_id, festival, year)
);
alter table private.gift_reminders enable row level security;

-- How many days before the last day to order the reminder goes out, and how many have to be left for it to be of use.
create function private.reminder_days(out at_most integer, out at_least integer)
language sql immutable set search_path = '' as $$ select 10, 2 $$;

-- Festivals of which reminders are due: by name and year, with the earliest last day to order of all zones.
create function private.festivals_to_remind(at timestamptz)
returns table (festival text, year integer, starts_on date, ends_on date, order_by date)
language sql stable set search_path = '' as $$
  select f.festival, f.year, f.starts_on, f.ends_on, f.order_by
  from (
    select min(btrim(c.name)) as festival, extract(year from c.starts_on)::integer as year,
           min(c.starts_on) as starts_on, max(c.ends_on) as ends_on, min(c.order_by) as order_by
    from private.festival_cutoffs c where c.ends_on >= private.day_of(at)
    group by lower(btrim(c.name)), extract(year from c.starts_on)
  ) f, private.reminder_days() d
  where f.order_by - private.day_of(at) between d.at_least and d.at_most;
$$;

-- The gifts a customer sent for a festival a year before, the newest of each recipient. Festivals go by the moon: within a month
-- of the same days counts.
create function private.gifts_a_year_before(user_id uuid, starts_on date, ends_on date) returns setof public.orders
language sql stable set search_path = '' as $$
  select distinct on (lower(o.delivery_name), o.delivery_zip) o.*
  from public.orders o
  where o.user_id = gifts_a_year_before.user_id and o.status not in ('canceled', 'Refunded')
    and exists (select from private.order_gifts g where g.order_id = o.id)
    and coalesce(o.deliver_on, o.delivery_by, private.day_of(o.created_at))
        between (starts_on - interval '1 year')::date - 30 and (ends_on - interval '1 year')::date + 30
  order by lower(o.delivery_name), o.delivery_zip, o.created_at desc;
$$;

-- Queues the reminders that are due at this moment. One for a festival: also where it is renamed or moved by some days after its
-- reminder, and for two festivals in the same week. Returns how many were queued.
create function public.queue_gift_reminders(at timestamptz default now()) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  queued integer;
begin
  -- Workers would wait for each other's rows: the other one does all of it.
  if not pg_try_advisory_xact_lock(hashtextextended('gift reminders', 0))
     or not exists (select from private.festivals_to_remind(at)) then
    return 0;
  end if;
  perform private.make_link_key();
  with due as (
    insert into private.gift_reminders (user_id, festival, year, starts_on, ends_on, order_by, queued_at)
    select distinct on (a.user_id) a.user_id, f.festival, f.year, f.starts_on, f.ends_on, f.order_by, at
    from private.festivals_to_remind(at) f
    cross join (select distinct c.user_id from private.consents c where c.purpose = 'festival-reminders' and c.is_agreed) a
    where private.has_consent(a.user_id, 'festival-reminders')
      and not exists (select from private.gift_reminders r
                      where r.user_id = a.user_id
                        and (lower(r.festival) = lower(f.festival) and r.year = f.year
                             or r.starts_on <= f.ends_on + 3 and r.ends_on >= f.starts_on - 3))
      and exists (select from private.gifts_a_year_before(a.user_id, f.starts_on, f.ends_on))
    order by a.user_id, f.order_by, f.starts_on
    on conflict do nothing
    returning id, user_id
  ), mails as (
    insert into private.outbox (kind, key, payload, run_after, created_at)
    select 'mail', 'mail:gift-reminder:' || d.id,
           jsonb_build_object('template', 'gift-reminder', 'user_id', d.user_id, 'reminder_id', d.id), at, at
    from due d
    returning id
  )
  select count(*) into queued from mails;
  return queued;
end $$;

-- What the reminder says; null: there is nothing left to remind of.
create function private.reminder_facts(reminder_id uuid, site_url text) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'festival', r.festival, 'orderBy', r.order_by,
    'gifts', l.gifts, 'more', l.all_gifts - jsonb_array_length(l.gifts),
    'historyUrl', site_url || '/profile?tab=orders')
  from private.gift_reminders r
  cross join lateral (
    select count(*) as all_gifts,
           coalesce(jsonb_agg(jsonb_build_object('recipient', g.delivery_name, 'city', g.delivery_city, 'items', private.summarize_items(g.id, 3))
                              order by g.place) filter (where g.place <= 20), '[]') as gifts
    from (select y.*, row_number() over (order by y.created_at, y.id) as place
          from private.gifts_a_year_before(r.user_id, r.starts_on, r.ends_on) y) g
  ) l
  where r.id = reminder_id and l.all_gifts > 0;
$$;

revoke execute on function public.queue_gift_reminders(timestamptz) from public, anon, authenticated;
grant execute on function public.queue_gift_reminders(timestamptz) to service_role;
