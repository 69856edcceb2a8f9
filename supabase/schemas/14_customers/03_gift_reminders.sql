-- Festival reminders: who agreed to them and when, and which were sent. Before a festival, customers who sent gifts last year and
-- agreed to be reminded get one email with their list. Written by the customer, by the link in the email, and by the worker.
set check_function_bodies = off;

-- Each time a customer agreed or no longer wanted reminders, and where. Append-only; the last one counts. Goes with the account.
create table private.reminder_choices (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  is_agreed boolean not null,
  source text not null check (source in ('profile', 'order', 'email')),
  chosen_at timestamptz not null default now()
);
create index reminder_choices_user_idx on private.reminder_choices (user_id, id desc);
alter table private.reminder_choices enable row level security;

create trigger reminder_choices_never_change before update on private.reminder_choices
  for each row execute function private.reject_change();

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

-- Whether a customer wants reminders now: their last choice.
create function private.wants_reminders(user_id uuid) returns boolean
language sql stable set search_path = '' as $$
  select coalesce((select c.is_agreed from private.reminder_choices c where c.user_id = wants_reminders.user_id order by c.id desc limit 1), false);
$$;

-- The caller's last choice: {agreed, since}; since is null where they never chose.
create function public.my_gift_reminders() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (select jsonb_build_object('agreed', c.is_agreed, 'since', c.chosen_at)
     from private.reminder_choices c where c.user_id = (select auth.uid()) order by c.id desc limit 1),
    jsonb_build_object('agreed', false, 'since', null));
$$;

-- Agrees to reminders, or not any more; the same choice again is not recorded twice. Returns what my_gift_reminders() does.
create function public.choose_gift_reminders(agreed boolean, source text default 'profile') returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := (select auth.uid());
begin
  if caller is null then
    raise sqlstate 'PT403' using message = 'log in to choose reminders';
  elsif agreed is null or source is null or source not in ('profile', 'order') then
    raise sqlstate 'PT400' using message = 'choose whether to be reminded';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('reminders ' || caller, 0));
  if private.wants_reminders(caller) <> agreed then
    if not private.consume_rate_limit('reminder choice', caller::text, 20, interval '1 hour') then
      raise sqlstate 'PT429' using message = 'too many changes: at most twenty an hour';
    end if;
    insert into private.reminder_choices (user_id, is_agreed, source) values (caller, agreed, choose_gift_reminders.source);
  end if;
  return public.my_gift_reminders();
end $$;

-- What the link in a reminder carries: the customer, and our signature of it. null before the first reminder was queued.
create function private.stop_token(user_id uuid) returns text
language sql stable set search_path = '' as $$
  select user_id || '.' || private.hmac_sha256('stop reminders of ' || user_id, k.key) from private.link_key k;
$$;

-- Stops the reminders of the customer whom a signed link names, without a login. False for any other link. A customer who was
-- erased gets none either way, and the same link may be used again.
create function public.stop_gift_reminders(token text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  person uuid;
begin
  if token is null or token !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[0-9a-f]{64}$' then
    return false;
  end if;
  person := split_part(token, '.', 1)::uuid;
  if private.stop_token(person) is distinct from token then
    return false;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('reminders ' || person, 0));
  if private.wants_reminders(person) then
    insert into private.reminder_choices (user_id, is_agreed, source) values (person, false, 'email');
  end if;
  return true;
end $$;

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
    cross join (select distinct c.user_id from private.reminder_choices c where c.is_agreed) a
    where private.wants_reminders(a.user_id)
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

-- What the reminder says; null: the customer no longer wants it, or there is nothing left to remind of.
create function private.reminder_facts(reminder_id uuid, site_url text) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'festival', r.festival, 'orderBy', r.order_by,
    'gifts', l.gifts, 'more', l.all_gifts - jsonb_array_length(l.gifts),
    'historyUrl', site_url || '/profile?tab=orders',
    'stopUrl', site_url || '/unsubscribe?token=' || private.stop_token(r.user_id))
  from private.gift_reminders r
  cross join lateral (
    select count(*) as all_gifts,
           coalesce(jsonb_agg(jsonb_build_object('recipient', g.delivery_name, 'city', g.delivery_city, 'items', private.summarize_items(g.id, 3))
                              order by g.place) filter (where g.place <= 20), '[]') as gifts
    from (select y.*, row_number() over (order by y.created_at, y.id) as place
          from private.gifts_a_year_before(r.user_id, r.starts_on, r.ends_on) y) g
  ) l
  where r.id = reminder_id and private.wants_reminders(r.user_id) and l.all_gifts > 0;
$$;

revoke execute on function
  public.my_gift_reminders(), public.choose_gift_reminders(boolean, text), public.stop_gift_reminders(text),
  public.queue_gift_reminders(timestamptz)
  from public, anon, authenticated;
grant execute on function public.my_gift_reminders(), public.choose_gift_reminders(boolean, text) to authenticated, service_role;
grant execute on function public.stop_gift_reminders(text) to anon, authenticated, service_role;
grant execute on function public.queue_gift_reminders(timestamptz) to service_role;
