-- What the owner does about search: groups of words that mean the same, and what people looked for in vain.

-- Counted words and nothing else: not who, not when to the minute. Written by note_missed_search(), at most 300 of them;
-- what nobody asks for again goes first.
create table private.missed_searches (
  word text primary key,
  typed text not null check (char_length(typed) between 1 and 40),
  times integer not null default 1,
  last_on date not null
);
alter table private.missed_searches enable row level security;
create index missed_searches_times_idx on private.missed_searches (times desc, last_on desc);

-- Letters of the scripts that are written in India, and no digits or signs of any: no number and no address gets in.
create function private.is_plain_words(words text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select words ~ ('^[ ''’a-z\u00df-\u00f6\u00f8-\u024f\u0300-\u036f\u200c\u200d\u0620-\u065f\u066e-\u06d3\u0900-\u0963\u0970-\u09e3\u0a01-\u0a65'
    || '\u0a70-\u0ae3\u0b01-\u0b63\u0b70\u0b71\u0b80-\u0be5\u0c00-\u0c63\u0c80-\u0ce3\u0d00-\u0d57\u0d5f-\u0d63\u0d7a-\u0d7f-]+$');
$$;
revoke execute on function private.is_plain_words(text) from public;

-- Called by the shop's page when it found nothing. What has a number or an address of somebody in it is not kept; a name
-- cannot be told from a sweet, so what was asked for once is not shown. Nobody can fill the list: thirty a minute are looked at.
create function public.note_missed_search(query text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  words constant text := btrim(regexp_replace(lower(normalize(left(query, 120), NFKC)), '[[:space:][:cntrl:]]+', ' ', 'g'));
  key constant text := private.search_key(words);
  today constant date := private.day_of(now());
begin
  if key = '' or char_length(words) not between 3 and 40 or not private.is_plain_words(words)
     or key ~ '[0-9]' or cardinality(string_to_array(key, ' ')) > 4
     or not private.take_turn('missed search', 'everybody', 30, interval '1 minute')
     or (public.search_products(words, 0) ->> 'found')::integer > 0 then
    return;
  end if;
  insert into private.missed_searches as m (word, typed, last_on) values (key, words, today)
  on conflict (word) do update set times = least(m.times + 1, 999999), last_on = today;
  delete from private.missed_searches m
  where m.word in (
    select o.word from private.missed_searches o where o.word <> key
    order by o.last_on > today - 90 desc, o.times desc, o.last_on desc, o.word offset 299);
end $$;
revoke execute on function public.note_missed_search(text) from public;
grant execute on function public.note_missed_search(text) to anon, authenticated, service_role;

-- Every group, by its first word, and what was looked for at least twice in 90 days and not found.
create function public.admin_list_search_words() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'groups', (select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'words', s.words, 'updated_at', s.updated_at)
                                         order by lower(s.words[1]), s.id), '[]') from private.search_synonyms s),
    'missed', (select coalesce(jsonb_agg(jsonb_build_object('typed', m.typed, 'times', m.times, 'last_on', m.last_on)
                                         order by m.times desc, m.last_on desc, m.typed), '[]')
               from (select * from private.missed_searches m where m.times > 1 and m.last_on > private.day_of(now()) - 90
                     order by m.times desc, m.last_on desc, m.typed limit 50) m));
end $$;

-- A new group, or another one in place of what was seen. What was looked for in vain and means something now is forgotten.
create function public.admin_save_search_words(words text[], id bigint default null, seen timestamptz default null) returns bigint
language plpgsql security definer set search_path = '' as $$
declare
  tidied text[];
  one text;
  other text;
  saved bigint := admin_save_search_words.id;
  before private.search_synonyms;
begin
  perform private.require_admin();
  -- One after the other: a word is in one group only.
  lock table private.search_synonyms in share row exclusive mode;
  if saved is not null then
    select * into before from private.search_synonyms s where s.id = saved;
    perform private.expect_unchanged(seen, before.updated_at);
  end if;
  foreach one in array coalesce(words, '{}') loop
    one := private.typed(one, 'words', 'Each word', 40);
    if one = '' or lower(one) = any (select lower(w) from unnest(tidied) w) then
      continue;
    elsif private.search_key(one) = '' then
      perform private.refuse(format('“%s” has no letters that search could look for.', one), 'words');
    elsif cardinality(string_to_array(private.search_key(one), ' ')) > 2 then
      perform private.refuse(format('“%s” is too long: one or two words mean one thing.', one), 'words');
    end if;
    tidied := tidied || one;
  end loop;
  if coalesce(cardinality(tidied), 0) < 2 then
    perform private.refuse('Write at least two words that mean the same, with commas between them.', 'words');
  elsif cardinality(tidied) > 24 then
    perform private.refuse('A group has at most 24 words.', 'words');
  elsif saved is null and (select count(*) from private.search_synonyms) >= 500 then
    perform private.refuse('There are 500 groups already. Add the word to one of them, or delete one first.', 'words');
  end if;
  foreach one in array tidied loop
    select array_to_string(s.words, ', ') into other
    from private.search_meanings m join private.search_synonyms s on s.id = m.group_id
    where m.word = any (private.meanings_of(array[one])) and m.group_id is distinct from saved;
    if other is not null then
      perform private.refuse(format('“%s” is in another group already: %s. Search knows one meaning of a word.', one, other), 'words');
    end if;
  end loop;

  if saved is null then
    insert into private.search_synonyms (words) values (tidied) returning search_synonyms.id into saved;
  else
    update private.search_synonyms s set words = tidied where s.id = saved;
  end if;
  delete from private.missed_searches m where replace(m.word, ' ', '') = any (private.meanings_of(tidied));
  return saved;
end $$;

create function public.admin_delete_search_words(id bigint, seen timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
declare
  before private.search_synonyms;
begin
  perform private.require_admin();
  select * into before from private.search_synonyms s where s.id = admin_delete_search_words.id for update;
  perform private.expect_unchanged(seen, before.updated_at);
  delete from private.search_synonyms s where s.id = before.id;
end $$;

-- Not worth anything: a joke, or somebody's name.
create function public.admin_forget_missed_search(typed text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  delete from private.missed_searches m where m.word = private.search_key(admin_forget_missed_search.typed);
end $$;

select private.open_console_requests();
