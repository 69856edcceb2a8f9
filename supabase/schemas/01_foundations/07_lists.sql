-- Pages of long lists, and the words people type to find something in them.
-- No tables: called by the lists of the console.
set check_function_bodies = off;

-- Rejects a cursor that is not the end of a page: `kinds` has the type of each of its keys. null is the first page.
create function private.expect_cursor(after jsonb, kinds jsonb) returns void
language plpgsql stable set search_path = '' as $$
declare
  part record;
  is_cursor boolean := true;
begin
  if after is null then
    return;
  end if;
  begin
    for part in select k.key, k.value as kind from jsonb_each_text(kinds) k loop
      execute format('select ($1 ->> $2)::%s is not null', part.kind::regtype) into is_cursor using after, part.key;
      exit when not is_cursor;
    end loop;
  exception when data_exception then
    is_cursor := false;
  end;
  if not is_cursor then
    perform private.reject('There is no such page. Start again from the first.', 'after');
  end if;
end $$;

-- Where a page begins: the sort key and the id of the last row before it, as {"key", "id"}.
create function private.page_start(after text) returns jsonb
language plpgsql immutable set search_path = '' as $$
begin
  if coalesce(after, '') = '' then
    return null;
  end if;
  if jsonb_typeof(after::jsonb -> 'key') in ('string', 'number') and jsonb_typeof(after::jsonb -> 'id') in ('string', 'number') then
    return after::jsonb;
  end if;
  perform private.reject('This page of the list does not exist. Start again from the first page.', 'after');
exception when invalid_text_representation or untranslatable_character then
  perform private.reject('This page of the list does not exist. Start again from the first page.', 'after');
end $$;

-- One page of rows that were read with one more than a page has: {rows, next}, next being the last row's keys.
create function private.page_of(entries jsonb, page_size integer, keys text[]) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object('rows', entries - page_size, 'next', case when jsonb_array_length(entries) > page_size then (
    select jsonb_object_agg(k, entries -> (page_size - 1) -> k) from unnest(keys) k) end);
$$;

-- The words of a search, the longest first.
create function private.words_in(typed text) returns text[]
language sql immutable set search_path = '' as $$
  select coalesce(array_agg(w.word order by char_length(w.word) desc), '{}')
  from (select word from regexp_split_to_table(lower(typed), '\s+') word where word <> '' limit 8) w;
$$;

-- A LIKE pattern for a word within a text that begins with a blank; a short word only at the beginning of a word,
-- which is what an index can find.
create function private.word_pattern(word text) returns text
language sql immutable set search_path = '' as $$
  select case when char_length(word) < 3 then '% ' else '%' end || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%';
$$;

-- The condition that an order's name or phone has a word in it, as orders_search_idx can find it.
create function private.name_or_phone_condition(word text) returns text
language sql immutable set search_path = '' as $$
  select case
    when octet_length(word) > char_length(word) then format('%s like %L and %s like %L', t.indexed,
      '%' || encode(decode(replace(word, '\', '\\'), 'escape'), 'hex') || '%', t.plain, private.word_pattern(word))
    -- Hexadecimal must not be taken for a word.
    when word ~ '^[0-9a-f]+$' then format('%s like %L and %s like %2$L', t.indexed, private.word_pattern(word), t.plain)
    else format('%s like %L', t.indexed, private.word_pattern(word)) end
  from (select p.plain, p.plain || $e$ || case when octet_length(o.delivery_name) > char_length(o.delivery_name)
      then encode(decode(replace(lower(o.delivery_name), '\', '\\'), 'escape'), 'hex') else '' end$e$ as indexed
    from (select $e$lower(' ' || o.delivery_name || ' ' || translate(o.delivery_phone, '+- ()', ''))$e$ as plain) p) t;
$$;

-- What was typed into a search field, as LIKE patterns of which a name has to match all.
create function private.search_patterns(search text) returns text[]
language sql immutable set search_path = '' as $$
  select coalesce(array_agg('%' || regexp_replace(w.word, '([\\%_])', '\\\1', 'g') || '%'), '{}')
  from (select word from regexp_split_to_table(btrim(left(coalesce(search, ''), 120)), '\s+') word where word <> '' limit 8) w;
$$;

-- LIKE patterns of which a customer's searchable text has to match all: the words that were typed, or one phone
-- number in any notation.
create function private.person_patterns(typed text) returns text[]
language sql immutable set search_path = '' as $$
  select case when typed ~ '^[-+() 0-9]+$' and char_length(d.digits) >= 5 then array['%' || right(d.digits, 10) || '%']
              else private.search_patterns(lower(typed)) end
  from (select regexp_replace(left(typed, 100), '[^0-9]', '', 'g') as digits) d;
$$;

-- The digits of a phone as typed, without the country's.
create function private.phone_digits(typed text) returns text
language sql immutable set search_path = '' as $$
  select regexp_replace(regexp_replace(coalesce(typed, ''), '\D', '', 'g'), '^(91|0)(?=\d{10}$)', '');
$$;
