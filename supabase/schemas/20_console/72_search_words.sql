-- Console: synonyms, and searches that found nothing.
-- Administrators only, who write them here.
set check_function_bodies = off;

-- Every group of synonyms, by its first word, and searches that found nothing at least twice in 90 days.
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

-- A new group, or another one in place of what was seen. Missed searches that now find something are deleted.
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
    one := private.validate_text(one, 'words', 'Each word', 40);
    if one = '' or lower(one) = any (select lower(w) from unnest(tidied) w) then
      continue;
    elsif private.search_key(one) = '' then
      perform private.reject(format('“%s” has no letters that search could look for.', one), 'words');
    elsif cardinality(string_to_array(private.search_key(one), ' ')) > 2 then
      perform private.reject(format('“%s” is too long: one or two words mean one thing.', one), 'words');
    end if;
    tidied := tidied || one;
  end loop;
  if coalesce(cardinality(tidied), 0) < 2 then
    perform private.reject('Enter at least two words that mean the same, separated by commas.', 'words');
  elsif cardinality(tidied) > 24 then
    perform private.reject('A group can have up to 24 words.', 'words');
  elsif saved is null and (select count(*) from private.search_synonyms) >= 500 then
    perform private.reject('There are 500 groups already. Add the word to one of them, or delete one first.', 'words');
  end if;
  foreach one in array tidied loop
    select array_to_string(s.words, ', ') into other
    from private.search_synonym_words m join private.search_synonyms s on s.id = m.group_id
    where m.word = any (private.synonyms_of(array[one])) and m.group_id is distinct from saved;
    if other is not null then
      perform private.reject(format('“%s” is in another group already: %s. Search knows one meaning of a word.', one, other), 'words');
    end if;
  end loop;

  if saved is null then
    insert into private.search_synonyms (words) values (tidied) returning search_synonyms.id into saved;
  else
    update private.search_synonyms s set words = tidied where s.id = saved;
  end if;
  delete from private.missed_searches m where replace(m.word, ' ', '') = any (private.synonyms_of(tidied));
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

-- Removes a missed search that is not worth a synonym.
create function public.admin_delete_missed_search(typed text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  delete from private.missed_searches m where m.word = private.search_key(admin_delete_missed_search.typed);
end $$;
