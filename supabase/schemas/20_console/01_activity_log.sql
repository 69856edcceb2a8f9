-- Console: the activity log and the security log.
-- Administrators only. Reads.
set check_function_bodies = off;

-- The activity log, newest first: {rows, next}. Filters that are null do not filter: the entries of one row
-- (table_name, row_id), of some tables, by one person, of some days in India, or about one customer.
create function public.admin_read_log(
  table_name text default null, row_id text default null, actor_id uuid default null, before_id bigint default null,
  tables text[] default null, first_day date default null, last_day date default null, customer_id uuid default null)
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 50;
  start public.audit_log;
  reviews text[];
  conditions text := 'true';
  entries jsonb;
begin
  perform private.require_admin();
  if table_name is not null then conditions := conditions || ' and l.table_name = $1'; end if;
  if row_id is not null then conditions := conditions || ' and l.row_id = $2'; end if;
  if actor_id is not null then conditions := conditions || ' and l.actor_id = $3'; end if;
  if tables is not null then conditions := conditions || ' and l.table_name = any ($4)'; end if;
  if first_day is not null then conditions := conditions || ' and l.at >= private.start_of($5)'; end if;
  if last_day is not null then conditions := conditions || ' and l.at < private.start_of($6 + 1)'; end if;
  if customer_id is not null then
    reviews := array(select c.id::text from public.comments c where c.user_id = admin_read_log.customer_id);
    conditions := conditions || ' and ((l.table_name = ''customer_records'' and l.row_id = $7::text)
      or (l.table_name = ''comments'' and l.row_id = any ($8)))';
  end if;
  if before_id is not null then
    select * into start from public.audit_log l where l.id = before_id;
    conditions := conditions || ' and (l.at, l.id) < ($9, $10)';
  end if;
  execute format(
    $query$
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', e.id, 'at', e.at, 'actor_id', e.actor_id, 'actor', coalesce(private.person_name(e.actor_id), 'Somebody who left'), 'action', e.action,
      'table_name', e.table_name, 'row_id', e.row_id, 'before', e.before, 'after', e.after,
      'subject', s.name, 'subject_id', s.id,
      'has_size', case when e.table_name in ('stock_movements', 'stock_levels') and s.id ~ '^[0-9]{1,18}$' then
                    (select p."hasSize" from public."Products" p where p."Id" = s.id::bigint) end) order by e.at desc, e.id desc), '[]')
    from (select l.* from public.audit_log l where %s order by l.at desc, l.id desc limit %s) e
    cross join lateral private.log_subject(e.table_name, e.row_id, coalesce(e.after, e.before)) s
    $query$, conditions, page_size + 1)
  into entries using table_name, row_id, actor_id, tables, first_day, last_day, customer_id, reviews, start.at, start.id;
  return jsonb_build_object(
    'rows', (select coalesce(jsonb_agg(r.row order by r.place), '[]')
             from jsonb_array_elements(entries) with ordinality as r (row, place) where r.place <= page_size),
    'next', case when jsonb_array_length(entries) > page_size then entries -> (page_size - 1) -> 'id' end);
end $$;

-- The order, purchase, vendor or product that the row of an entry belongs to; null where it belongs to none.
create function private.log_subject_of_parent(entry jsonb, out name text, out id text)
language plpgsql stable set search_path = '' as $$
begin
  if coalesce(entry ->> 'order_id', entry #>> '{payload,order_id}') is not null then
    id := coalesce(entry ->> 'order_id', entry #>> '{payload,order_id}');
    select o.number::text into name from public.orders o where o.id = log_subject_of_parent.id::uuid;
  elsif entry ->> 'purchase_order_id' is not null then
    id := entry ->> 'purchase_order_id';
    select format('%s from %s', o.id, v.name) into name
    from public.purchase_orders o join public.vendors v on v.id = o.vendor_id where o.id = log_subject_of_parent.id::bigint;
  elsif entry ->> 'vendor_id' is not null then
    id := entry ->> 'vendor_id';
    select v.name into name from public.vendors v where v.id = log_subject_of_parent.id::bigint;
  elsif entry ->> 'product_id' is not null then
    id := entry ->> 'product_id';
    select p."Name" into name from public."Products" p where p."Id" = log_subject_of_parent.id::bigint;
  end if;
end $$;

-- What an entry is about, by its name and the number of its page. An entry has only the columns that changed, so
-- the name comes from the row itself as long as it exists.
create function private.log_subject(table_name text, row_id text, entry jsonb, out name text, out id text)
language plpgsql stable set search_path = '' as $$
begin
  id := row_id;
  case table_name
    when 'Products', 'stock_levels', 'product_costs', 'product_pictures' then
      select p."Name" into name from public."Products" p where p."Id" = log_subject.row_id::bigint;
      name := coalesce(name, entry ->> 'Name');
    when 'orders' then
      select o.number::text into name from public.orders o where o.id = log_subject.row_id::uuid;
    when 'refunds' then
      select o.id::text, o.number::text into id, name
      from private.refunds r join public.orders o on o.id = r.order_id where r.id = log_subject.row_id::uuid;
    when 'claims', 'replacements' then
      select private.claim_ticket(c.number) into name from private.claims c where c.id = log_subject.row_id::uuid;
    when 'customer_records', 'user_profiles' then
      select c.name into name from private.customer_cards c where c.user_id = log_subject.row_id::uuid;
      name := coalesce(name, 'a customer who was erased');
    when 'comments' then
      select c.user_id::text, format('%s on %s', a.name, p."Name") into id, name
      from public.comments c join public."Products" p on p."Id" = c.product_id
      left join private.customer_cards a on a.user_id = c.user_id
      where c.id = log_subject.row_id::bigint;
    when 'vendors' then
      select coalesce(v.name, entry ->> 'name') into name from (values (1)) one (one)
      left join public.vendors v on v.id = log_subject.row_id::bigint;
    when 'purchase_orders' then
      select format('%s from %s', o.id, v.name) into name
      from public.purchase_orders o join public.vendors v on v.id = o.vendor_id where o.id = log_subject.row_id::bigint;
    when 'purchase_order_items' then
      select i.purchase_order_id::text, i.item_name into id, name
      from public.purchase_order_items i where i.id = log_subject.row_id::bigint;
      id := coalesce(id, entry ->> 'purchase_order_id');
      name := coalesce(name, entry ->> 'item_name');
    when 'purchase_receipts' then
      select r.purchase_order_id::text, format('%s from %s', o.id, v.name) into id, name
      from public.purchase_receipts r join public.purchase_orders o on o.id = r.purchase_order_id join public.vendors v on v.id = o.vendor_id
      where r.id = log_subject.row_id::uuid;
    when 'purchase_receipt_items' then
      select i.purchase_order_id::text, i.item_name into id, name
      from public.purchase_order_items i where i.id = (entry ->> 'item_id')::bigint;
    when 'vendor_bills' then
      select v.id::text, v.name into id, name
      from public.vendor_bills b join public.vendors v on v.id = b.vendor_id where b.id = log_subject.row_id::bigint;
    when 'vendor_payments' then
      select v.id::text, v.name into id, name
      from public.vendor_payments p join public.vendors v on v.id = p.vendor_id where p.id = log_subject.row_id::uuid;
    when 'expenses' then
      select coalesce(nullif(e.description, ''), e.category) into name from public.expenses e where e.id = log_subject.row_id::bigint;
      name := coalesce(name, nullif(entry ->> 'description', ''), entry ->> 'category');
    when 'greetings' then
      select g.title into name from public.greetings g where g.id = log_subject.row_id::bigint;
    when 'caurousel' then
      select c.title into name from public.caurousel c where c.id = log_subject.row_id::bigint;
    when 'testimonials' then
      select t.title into name from public.testimonials t where t.id = log_subject.row_id::bigint;
    when 'categories' then
      select c.name into name from public.categories c where c.id = log_subject.row_id::bigint;
    when 'box_sizes' then
      select b.name into name from private.box_sizes b where b.id = log_subject.row_id::bigint;
      name := coalesce(name, entry ->> 'name');
    when 'offers' then
      select f.name into name from private.offers f where f.id = log_subject.row_id::bigint;
      name := coalesce(name, entry ->> 'name');
    when 'box_sweets' then
      select p."Name" into name from public."Products" p where p."Id" = log_subject.row_id::bigint;
    when 'couriers' then
      select c.name into name from private.couriers c where c.id = log_subject.row_id::bigint;
    when 'festival_cutoffs' then
      select f.name into name from private.festival_cutoffs f where f.id = log_subject.row_id::bigint;
    when 'delivery_zones' then
      select z.name into name from public.delivery_zones z where z.id = log_subject.row_id::bigint;
    else
      select s.name, s.id into name, id from private.log_subject_of_parent(entry) s;
  end case;
  -- A number that only the database reads is no name.
  name := coalesce(name, entry ->> 'name', entry ->> 'title',
                   case when row_id ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then 'without a name' else row_id end);
  id := coalesce(id, row_id);
exception when data_exception then
  name := row_id; -- a table of the same name with other keys: say what we have
end $$;

-- The filters of the log: every person who changed something, every kind of row that was changed.
create function public.admin_list_log_choices() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'people', (
      with recursive people as (
        (select l.actor_id from public.audit_log l where l.actor_id is not null order by l.actor_id limit 1)
        union all
        select (select l.actor_id from public.audit_log l where l.actor_id > p.actor_id order by l.actor_id limit 1)
        from people p where p.actor_id is not null
      )
      select coalesce(jsonb_agg(jsonb_build_object('id', p.actor_id, 'name', coalesce(private.person_name(p.actor_id), 'Somebody who left'))
                      order by private.person_name(p.actor_id)), '[]')
      from people p where p.actor_id is not null),
    'tables', (
      with recursive kinds as (
        (select l.table_name from public.audit_log l order by l.table_name limit 1)
        union all
        select (select l.table_name from public.audit_log l where l.table_name > k.table_name order by l.table_name limit 1)
        from kinds k where k.table_name is not null
      )
      select coalesce(jsonb_agg(k.table_name order by k.table_name), '[]') from kinds k where k.table_name is not null));
end $$;

-- The security log, newest first: {rows, next}. Filters that are null do not filter: some kinds, a person (part of a name or
-- email), days in India.
create function public.admin_read_security_log(
  kinds text[] default null, person text default null, first_day date default null, last_day date default null,
  before_id bigint default null)
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 50;
  conditions text := 'true';
  people uuid[];
  entries jsonb;
begin
  perform private.require_admin();
  if kinds is not null then conditions := conditions || ' and e.kind = any ($1)'; end if;
  if btrim(person) <> '' then
    people := array(
      select c.user_id from private.customer_cards c
      where c.searchable like '%' || replace(replace(replace(lower(btrim(person)), '\', '\\'), '%', '\%'), '_', '\_') || '%'
      limit 200);
    conditions := conditions || ' and (e.user_id = any ($2) or e.subject_id = any ($2))';
  end if;
  if first_day is not null then conditions := conditions || ' and e.first_at >= private.start_of($3)'; end if;
  if last_day is not null then conditions := conditions || ' and e.first_at < private.start_of($4 + 1)'; end if;
  if before_id is not null then conditions := conditions || ' and e.id < $5'; end if;
  execute format(
    $query$
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', e.id, 'kind', e.kind, 'at', e.first_at, 'times', e.times, 'user_id', e.user_id,
      'person', left(private.person_name(e.user_id), 120), 'subject_id', e.subject_id,
      'subject', left(private.person_name(e.subject_id), 120), 'address', e.address, 'user_agent', e.user_agent,
      'detail', e.detail) order by e.id desc), '[]')
    from (select e.* from private.security_events e where %s order by e.id desc limit %s) e
    $query$, conditions, page_size + 1)
  into entries using kinds, people, first_day, last_day, before_id;
  return jsonb_build_object(
    'rows', (select coalesce(jsonb_agg(r.row order by r.place), '[]')
             from jsonb_array_elements(entries) with ordinality as r (row, place) where r.place <= page_size),
    'next', case when jsonb_array_length(entries) > page_size then entries -> (page_size - 1) -> 'id' end);
end $$;
