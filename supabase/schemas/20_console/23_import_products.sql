-- Console: importing and exporting products as a table.
-- Administrators only. Writes products, all rows or none.
set check_function_bodies = off;

-- What a file would do, row by row, and the errors in it. rows: [{line, values}], where values name an id, or for a
-- product without one its name, and what changes of its draft. Each result: {line, id, seen, name, action,
-- changes: [{field, from, to}], problems: [{field, message}], draft}.
create function private.plan_import(rows jsonb) returns jsonb
language sql stable set search_path = '' as $$
  with given as (
    select r.place, (r.value ->> 'line')::integer as line, r.value -> 'values' as changes,
           coalesce(jsonb_typeof(r.value -> 'values' -> 'id'), 'null') <> 'null' as has_id,
           case when jsonb_typeof(r.value -> 'values' -> 'id') = 'number' and r.value -> 'values' ->> 'id' ~ '^[0-9]{1,18}$'
                then (r.value -> 'values' ->> 'id')::bigint end as id
    from jsonb_array_elements(plan_import.rows) with ordinality r (value, place)
  ), drafted as materialized (
    select g.place, g.line, g.has_id, p."Id" as id, p.updated_at as seen, p."Name" as name, b.before,
           private.merge_draft(coalesce(b.before, private.empty_draft()), g.changes - 'id') as draft
    from given g
    left join lateral (
      select * from public."Products" n where g.has_id and n."Id" = g.id
      union all
      select * from public."Products" n
      where not g.has_id and lower(n."Name") = lower(btrim(g.changes ->> 'name')) and n.archived_at is null
    ) p on true
    left join lateral (select private.product_draft(q) as before from public."Products" q where q."Id" = p."Id") b on true
  ), compared as materialized (
    select d.*, c.changes, d.has_id and d.id is null as is_lost,
           d.id is not null and row_number() over (partition by d.id order by d.place) > 1 as is_again,
           first_value(d.line) over (partition by d.id order by d.place) as line_of_product,
           first_value(d.line) over (partition by lower(d.draft ->> 'name'), d.draft -> 'is_archived' order by d.place) as line_of_name,
           first_value(d.line) over (partition by d.draft ->> 'combo' order by d.place) as line_of_combo
    from drafted d
    cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object('field', e.key, 'from', d.before -> e.key, 'to', e.value) order by e.key), '[]') as changes
      from jsonb_each(d.draft) e where e.value is distinct from d.before -> e.key) c
  ), judged as materialized (
    select c.*, (
      select coalesce(jsonb_agg(jsonb_build_object('field', p.field, 'message', p.message) order by p.place), '[]')
      from (
        select 0 as place, 'id' as field, 'Product not found.' as message where c.is_lost
        union all
        select 0, 'id', format('Line %s is about the same product.', c.line_of_product) where c.is_again
        union all
        select 0, 'name', format('Line %s has the same name.', c.line_of_name)
        where c.line_of_name < c.line and c.draft -> 'is_archived' = 'false' and not c.is_again and not c.is_lost
        union all
        select 0, 'combo', format('Line %s has the same combo pack.', c.line_of_combo)
        where c.line_of_combo < c.line and c.draft ->> 'combo' is not null and not c.is_again and not c.is_lost
        union all
        select 0, 'is_archived', 'A new product cannot start in the archive.'
        where c.before is null and c.draft -> 'is_archived' = 'true' and not c.is_lost
        union all
        select f.place, f.field, f.message
        from private.draft_problems(c.draft, c.id) with ordinality f (field, message, place)
        where c.changes <> '[]' and not c.is_lost and (c.before is null or
          (f.field, f.message) not in (select o.field, o.message from private.excused_problems(c.before, c.id) o))
      ) p) as problems
    from compared c
  )
  select jsonb_agg(jsonb_build_object(
    'line', j.line, 'id', j.id, 'seen', j.seen, 'name', coalesce(j.name, j.draft ->> 'name'),
    'action', case when j.problems <> '[]' then 'refused' when j.before is null then 'new'
                   when j.changes = '[]' then 'unchanged' else 'changed' end,
    'changes', j.changes, 'problems', j.problems, 'draft', j.draft) order by j.place)
  from judged j;
$$;

-- dry_run: what would change, {rows, fingerprint}. Otherwise does exactly that, {added, changed, unused_images}:
-- rejected when it would no longer match the fingerprint.
create function public.admin_import_products(rows jsonb, dry_run boolean, fingerprint text default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  plan jsonb;
  print text;
  replaced text[];
begin
  perform private.require_admin();
  if jsonb_typeof(rows) is distinct from 'array' or jsonb_array_length(rows) not between 1 and 3000 then
    perform private.reject('A file has 1 to 3,000 products.');
  end if;
  if exists (select from jsonb_array_elements(rows) r (value)
             where jsonb_typeof(r.value -> 'values') is distinct from 'object'
                or coalesce(r.value ->> 'line', '') !~ '^[0-9]{1,6}$') then
    perform private.reject('These are not the rows of a file.');
  end if;
  if not dry_run then
    lock table public."Products" in share row exclusive mode;
  end if;
  plan := private.plan_import(rows);
  print := md5(plan::text);
  if dry_run then
    return jsonb_build_object('fingerprint', print, 'rows', (
      select jsonb_agg(r.value - 'draft' - 'seen' order by r.place) from jsonb_array_elements(plan) with ordinality r (value, place)));
  end if;
  if print is distinct from admin_import_products.fingerprint then
    raise sqlstate 'PT409' using detail = 'stale',
      message = 'Products were changed after this file was checked, so nothing was imported. Check the file again.';
  end if;
  if exists (select from jsonb_array_elements(plan) r (value) where r.value ->> 'action' = 'refused') then
    perform private.reject('Some rows have errors, so nothing was imported.');
  end if;
  select array_agg(distinct i) into replaced
  from jsonb_array_elements(plan) r (value)
  join public."Products" p on p."Id" = (r.value ->> 'id')::bigint
  cross join unnest(private.pictures_of(p)) i
  where r.value ->> 'action' = 'changed';
  perform private.write_drafts(coalesce((
    select jsonb_agg(jsonb_build_object('id', r.value -> 'id', 'draft', r.value -> 'draft') order by r.place)
    from jsonb_array_elements(plan) with ordinality r (value, place) where r.value ->> 'action' in ('new', 'changed')), '[]'));
  return jsonb_build_object(
    'added', (select count(*) from jsonb_array_elements(plan) r (value) where r.value ->> 'action' = 'new'),
    'changed', (select count(*) from jsonb_array_elements(plan) r (value) where r.value ->> 'action' = 'changed'),
    'unused_images', private.unused_pictures(replaced));
end $$;

-- The columns of domain/products/product-columns.ts, in the same order, as people read them; by number. Takes the
-- filter of the list.
create function public.export_products(filter jsonb, after jsonb, at timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  page_size constant integer := 500;
  lines jsonb;
  last_id bigint;
begin
  execute format(
    'select coalesce(jsonb_agg(jsonb_build_array(
       p."Id", p."Name", p."Category", private.format_plain_rupees(p."Price"), private.format_plain_rupees(p.regular_price), p.offer_percent,
       case when p."hasSize" then ''weight'' else ''piece'' end, p.weight_grams, trim_scale(p.gst_percent), p.hsn,
       p.food_mark, p.shelf_life_days, p.ingredients, p.allergens, p.storage, p.maker, p."Description", p.combo, p."Image",
       case when p.is_listed then ''yes'' else ''no'' end, case when p.archived_at is null then ''no'' else ''yes'' end,
       private.format_plain_rupees(private.unit_cost_at(p."Id", $4)), p.taste, p.travel, private.more_pictures_of(p."Id")) order by p."Id"), ''[]''), max(p."Id")
     from (select p.* from public."Products" p join public.stock_levels s on s.product_id = p."Id"
           where %s and ($3 is null or p."Id" > ($3 ->> ''id'')::bigint) order by p."Id" limit $5) p',
    private.product_condition(coalesce(filter, '{}')))
  into lines, last_id using filter, private.search_patterns(filter ->> 'search'), after, at, page_size;
  return jsonb_build_object('rows', lines,
    'next', case when jsonb_array_length(lines) = page_size then jsonb_build_object('id', last_id) end);
end $$;

revoke execute on function public.export_products(jsonb, jsonb, timestamptz) from public, anon, authenticated;
grant execute on function public.export_products(jsonb, jsonb, timestamptz) to service_role;
