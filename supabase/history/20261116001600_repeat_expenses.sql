-- Expenses that repeat. The latest of a series says when the next one is due; that one is then entered or skipped, once.
-- Written by administrators, as a table and through the requests below.

alter table public.expenses
  add column entry_id uuid unique,
  add column repeats_from date,
  add column next_due_on date,
  add column due_on date,
  add column follows_id bigint unique references public.expenses (id) on delete set null;
comment on column public.expenses.entry_id is 'Made where it was typed: however often it is sent, it is one expense.';
comment on column public.expenses.repeats_from is 'The first day of the series: a rent of the 31st is due on 28 February and on 31 March again.';
comment on column public.expenses.next_due_on is 'When the next of the series is due; only the latest has one.';
comment on column public.expenses.due_on is 'The day of the series that this expense was entered for.';
comment on column public.expenses.follows_id is 'The one before it in its series.';
create index expenses_due_idx on public.expenses (next_due_on) where next_due_on is not null;

-- The first day of the series after a day. domain/expenses/repetition.ts says the same, and a test compares the two.
create function private.next_due(repeats_from date, repeats text, after date) returns date
language sql immutable set search_path = '' as $$
  with steps as (
    select case next_due.repeats when 'monthly' then 1 when 'quarterly' then 3 when 'yearly' then 12 end as months,
           (extract(year from after) - extract(year from repeats_from)) * 12
           + extract(month from after) - extract(month from repeats_from) as passed
  )
  select case
    when next_due.repeats = 'never' then null
    when after < repeats_from then repeats_from
    when next_due.repeats = 'weekly' then repeats_from + ((after - repeats_from) / 7 + 1) * 7
    else (select min(d.day) from (
            select (repeats_from + make_interval(months => (s.months * (floor(s.passed / s.months) + turn))::integer))::date as day
            from steps s, generate_series(0, 1) turn) d
          where d.day > after)
  end;
$$;
revoke execute on function private.next_due(date, text, date) from public;

update public.expenses e set repeats_from = e.spent_on, next_due_on = private.next_due(e.spent_on, e.repeats, e.spent_on)
where e.repeats <> 'never';
alter table public.expenses add check ((repeats = 'never') = (next_due_on is null));

-- Whoever writes the expense says only whether it repeats; the days follow from that.
create function private.keep_repetition() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.repeats = 'never' then
    new.repeats_from := null;
    new.next_due_on := null;
    return new;
  end if;
  if tg_op = 'UPDATE' then
    if new.repeats <> old.repeats and exists (select from public.expenses e where e.follows_id = new.id) then
      perform private.refuse('A later expense of this series is the one that repeats.', 'repeats');
    end if;
    if new.next_due_on is not distinct from old.next_due_on
       and (new.repeats <> old.repeats or new.spent_on <> old.spent_on and old.spent_on = old.repeats_from) then
      new.repeats_from := null;
      new.next_due_on := null;
    end if;
  end if;
  new.repeats_from := coalesce(new.repeats_from, new.spent_on);
  new.next_due_on := coalesce(new.next_due_on, private.next_due(new.repeats_from, new.repeats, new.spent_on));
  return new;
end $$;
revoke execute on function private.keep_repetition() from public;
create trigger expenses_keep_repetition before insert or update on public.expenses
  for each row execute function private.keep_repetition();

-- Money is spent before it is written down, give or take a day; only the next of a series may be entered ahead. (A typing
-- error in the year would be missing in one profit and loss and turn up in another.)
create function private.guard_spent_on() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  today date := private.day_of(now());
begin
  if new.spent_on < date '2000-01-01' then
    perform private.refuse('Check the year.', 'spent_on');
  elsif new.spent_on > today + interval '1 year' then
    perform private.refuse('This is more than a year ahead. Check the year.', 'spent_on');
  elsif new.spent_on > today + 1 and new.due_on is null then
    perform private.refuse('This day is yet to come. Enter what is paid already.', 'spent_on');
  end if;
  return new;
end $$;
revoke execute on function private.guard_spent_on() from public;
create trigger expenses_guard_insert before insert on public.expenses
  for each row execute function private.guard_spent_on();
create trigger expenses_guard_day before update of spent_on on public.expenses
  for each row when (new.spent_on is distinct from old.spent_on) execute function private.guard_spent_on();

-- The latest of a series was entered by mistake: the one before it repeats again, and the same day is due again.
create function private.take_back_repetition() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.expenses e
  set repeats = old.repeats, repeats_from = old.repeats_from, next_due_on = old.due_on
  where e.id = old.follows_id;
  return null;
end $$;
revoke execute on function private.take_back_repetition() from public;
create trigger expenses_take_back_repetition after delete on public.expenses
  for each row when (old.repeats <> 'never' and old.follows_id is not null) execute function private.take_back_repetition();

-- What is due by now: {due, coming}: those of the week to come, so that nobody is surprised.
create function public.admin_list_due_expenses(at timestamptz default now()) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  today date := private.day_of(at);
begin
  perform private.require_admin();
  return (
    select jsonb_build_object(
      'due', coalesce(jsonb_agg(to_jsonb(d) order by d.next_due_on, d.id) filter (where d.next_due_on <= today), '[]'),
      'coming', coalesce(jsonb_agg(to_jsonb(d) order by d.next_due_on, d.id) filter (where d.next_due_on > today), '[]'))
    from (
      select e.id, e.next_due_on, e.category, e.vendor_id, v.name as vendor, e.description, e.repeats, e.payment_mode,
             (e.amount * 100)::bigint as amount_paise, (e.gst_amount * 100)::bigint as gst_paise
      from public.expenses e left join public.vendors v on v.id = e.vendor_id
      where e.next_due_on <= today + 7
      order by e.next_due_on, e.id
      limit 100
    ) d);
end $$;

-- Locks the latest of a series, which says that this very day is due. A second tap, or a second administrator, is told.
create function private.due_expense(expense_id bigint, due_on date) returns public.expenses
language plpgsql set search_path = '' as $$
declare
  latest public.expenses;
begin
  select * into latest from public.expenses e where e.id = due_expense.expense_id for update;
  if latest.id is null then
    raise sqlstate 'PT404' using message = 'This expense is no longer there.';
  end if;
  if latest.next_due_on is distinct from due_expense.due_on then
    raise sqlstate 'PT409' using message = 'Somebody entered or skipped this one meanwhile.', detail = 'stale';
  end if;
  return latest;
end $$;
revoke execute on function private.due_expense(bigint, date) from public;

-- What an entry changes of the latest of its series. What cannot be read is refused in words.
create function private.read_due_entry(entry jsonb, latest public.expenses) returns public.expenses
language plpgsql stable set search_path = '' as $$
declare
  given constant jsonb := case when jsonb_typeof(entry) = 'object' then entry else '{}' end;
  field text;
begin
  if jsonb_typeof(entry) not in ('object', 'null') then
    perform private.refuse('This expense cannot be read.');
  end if;
  field := 'spent_on';
  latest.spent_on := coalesce((given ->> 'spent_on')::date, latest.next_due_on);
  field := 'vendor_id';
  latest.vendor_id := case when given ? 'vendor_id' then (given ->> 'vendor_id')::bigint else latest.vendor_id end;
  field := 'amount';
  latest.amount := coalesce((given ->> 'amount_paise')::bigint / 100.0, latest.amount);
  field := 'gst';
  latest.gst_amount := coalesce((given ->> 'gst_paise')::bigint / 100.0, latest.gst_amount);
  latest.category := coalesce(given ->> 'category', latest.category);
  latest.description := coalesce(given ->> 'description', latest.description);
  latest.payment_mode := coalesce(given ->> 'payment_mode', latest.payment_mode);
  latest.receipt_path := given ->> 'receipt_path';
  return latest;
exception when data_exception then
  perform private.refuse(case field when 'spent_on' then 'Choose a day of the calendar.' when 'vendor_id' then 'There is no such vendor.'
                                    when 'amount' then 'Check the amount.' else 'Check the GST part.' end, field);
end $$;
revoke execute on function private.read_due_entry(jsonb, public.expenses) from public;

-- Enters the one that is due: the same again, but for what the entry says otherwise. Answers {id}.
create function public.admin_enter_due_expense(expense_id bigint, due_on date, entry jsonb default '{}') returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  latest public.expenses;
  typed public.expenses;
  entered bigint;
  broken text;
begin
  perform private.require_admin();
  latest := private.due_expense(expense_id, admin_enter_due_expense.due_on);
  typed := private.read_due_entry(entry, latest);
  update public.expenses e set repeats = 'never' where e.id = latest.id;
  insert into public.expenses (spent_on, category, vendor_id, description, amount, gst_amount, payment_mode, receipt_path,
                               repeats, repeats_from, next_due_on, due_on, follows_id)
  values (typed.spent_on, typed.category, typed.vendor_id, typed.description, typed.amount, typed.gst_amount, typed.payment_mode,
          typed.receipt_path, latest.repeats, latest.repeats_from,
          private.next_due(latest.repeats_from, latest.repeats, latest.next_due_on), latest.next_due_on, latest.id)
  returning id into entered;
  return jsonb_build_object('id', entered);
exception when check_violation or foreign_key_violation then
  -- The table says what an expense can be; here are the words for it.
  get stacked diagnostics broken = constraint_name;
  perform private.refuse(w.words, w.field)
  from (values ('expenses_category_check', 'category', 'Choose what it was for.'),
               ('expenses_vendor_id_fkey', 'vendor_id', 'There is no such vendor.'),
               ('expenses_description_check', 'description', 'At most 300 characters.'),
               ('expenses_amount_check', 'amount', 'Check the amount: more than 0.'),
               ('expenses_check', 'gst', 'Check the GST part: it is in the amount.'),
               ('expenses_payment_mode_check', 'payment_mode', 'Choose how it was paid.'),
               ('expenses_receipt_path_check', 'receipt', 'The photograph cannot be found.')) w (name, field, words)
  where w.name = broken;
  raise;
end $$;

-- Nothing was spent this time. Answers {next_due_on}.
create function public.admin_skip_due_expense(expense_id bigint, due_on date) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  latest public.expenses;
begin
  perform private.require_admin();
  latest := private.due_expense(expense_id, admin_skip_due_expense.due_on);
  update public.expenses e
  set next_due_on = private.next_due(e.repeats_from, e.repeats, admin_skip_due_expense.due_on)
  where e.id = latest.id
  returning * into latest;
  return jsonb_build_object('next_due_on', latest.next_due_on);
end $$;

select private.open_console_requests();
