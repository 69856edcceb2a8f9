-- Supabase loads `safeupdate` into every session of the Data API: an UPDATE or DELETE without WHERE is refused (21000), inside
-- functions and triggers too. Where all rows are meant, that is said: `where true`. A test searches every function body
-- (supabase/tests/safe-update.test.ts).

create or replace function public.admin_save_shop(changes jsonb, seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  kept public.shop_settings;
  typed public.shop_settings;
  offered constant text[] := array['name', 'legal_name', 'address', 'state', 'fssai_number', 'gstin', 'email', 'whatsapp_number',
    'instagram_url', 'facebook_url', 'grievance_officer', 'grievance_email', 'grievance_phone', 'grievance_hours'];
  strange text;
begin
  perform private.require_admin();
  if jsonb_typeof(changes) is distinct from 'object' then
    perform private.refuse('There is nothing to save.');
  end if;
  select c.key into strange from jsonb_each(changes) c
  where c.key <> all (offered) or jsonb_typeof(c.value) <> 'string' limit 1;
  if found then
    perform private.refuse('This is not what belongs here.', strange);
  end if;
  select * into kept from public.shop_settings s for no key update;
  perform private.expect_unchanged(seen, kept.updated_at);
  typed := private.typed_shop_facts(to_jsonb(kept) || changes);
  update public.shop_settings s set
    name = typed.name, legal_name = typed.legal_name, address = typed.address, state = typed.state,
    fssai_number = typed.fssai_number, gstin = typed.gstin, email = typed.email, whatsapp_number = typed.whatsapp_number,
    instagram_url = typed.instagram_url, facebook_url = typed.facebook_url, grievance_officer = typed.grievance_officer,
    grievance_email = typed.grievance_email, grievance_phone = typed.grievance_phone, grievance_hours = typed.grievance_hours
  where s.id = kept.id;
  return (select jsonb_build_object('updated_at', s.updated_at) from public.shop_settings s);
end $$;

create or replace function public.admin_save_working_days(cutoff_time text, weekly_off integer[], seen timestamptz) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken public.shop_settings;
begin
  perform private.require_admin();
  select * into taken from public.shop_settings for update;
  perform private.expect_unchanged(seen, taken.updated_at);
  if coalesce(cutoff_time, '') !~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' then
    perform private.refuse('The cut-off is a time of day like 14:00.', 'cutoff_time');
  elsif weekly_off is null or not weekly_off <@ '{0,1,2,3,4,5,6}' then
    perform private.refuse('Choose days of the week.', 'weekly_off');
  elsif weekly_off @> '{0,1,2,3,4,5,6}' then
    perform private.refuse('Leave at least one day on which you work.', 'weekly_off');
  end if;
  update public.shop_settings s
  set cutoff_time = admin_save_working_days.cutoff_time::time,
      weekly_off = array(select distinct d::smallint from unnest(admin_save_working_days.weekly_off) d order by 1)
  where s.id = taken.id
  returning * into taken;
  return jsonb_build_object('updated_at', taken.updated_at);
end $$;

create or replace function private.follow_category() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock_shared(private.sales_lock());
  delete from private.sales_spans where true;
  return null;
end $$;

create or replace function private.keep_crowds(most integer default 10000) returns void
language plpgsql set search_path = '' as $$
begin
  -- Those who leave wait until this is done, or were taken off before it began.
  lock table private.customer_crowds in share row exclusive mode;
  delete from private.customer_crowds where true;
  insert into private.customer_crowds (crowd, at_least)
  select c.crowd, c.people
  from (select 'everybody' as crowd, count(*) as people from private.customer_figures
        union all
        select 'ordered', count(*) from private.customer_figures f where f.last_order_at > '-infinity'
        union all
        select 'in ' || c.city_key, count(*) from private.customer_cards c group by c.city_key) c
  where c.people > most;
end $$;

create or replace function private.know_everybody() returns void
language sql set search_path = '' as $$
  delete from private.customer_cards where true;
  delete from private.customer_figures where true;
  insert into private.customer_cards (user_id, name, email, phone, city)
  select f.user_id, f.name, f.email, f.phone, f.city from private.customer_facts f;
  insert into private.customer_figures (user_id, orders, value_paise, last_order_at)
  select u.id, coalesce(o.orders, 0), coalesce(o.paise, 0) - coalesce(r.paise, 0), coalesce(o.last, '-infinity')
  from auth.users u
  left join (
    select user_id, count(*) filter (where status <> 'canceled') as orders,
           sum(private.order_worth(payment_status, total_amount)) as paise,
           max(created_at) filter (where status <> 'canceled') as last
    from public.orders group by user_id
  ) o on o.user_id = u.id
  left join (
    select o.user_id, sum(r.amount_paise) as paise
    from private.refunds r join public.orders o on o.id = r.order_id
    where r.status <> 'failed' group by o.user_id
  ) r on r.user_id = u.id;
$$;

create or replace function private.know_short_stock() returns void
language sql set search_path = '' as $$
  delete from private.short_stock where true;
  insert into private.short_stock (product_id) select s.product_id from public.stock_levels s where private.is_short(s);
$$;
