-- Searches without a result are counted within a budget per caller, so that one visitor cannot use up everybody's. A word
-- that is on the list already needs no budget: it is counted once in ten minutes, whoever looks for it.

-- Where a request of the Data API came from: the address that the platform's edge saw (cf-connecting-ip, which the
-- embedded host sets itself), else the last one that a proxy added; those before it may be invented. Empty: no request.
create function private.request_header(name text) returns text
language plpgsql stable set search_path = '' as $$
begin
  return nullif(current_setting('request.headers', true), '')::jsonb ->> request_header.name;
exception when data_exception then
  return null;
end $$;
create function private.client_address() returns text
language sql stable set search_path = '' as $$
  select coalesce(private.request_header('cf-connecting-ip'),
                  btrim(reverse(split_part(reverse(private.request_header('x-forwarded-for')), ',', 1))), '');
$$;

-- A hash of it as the key of a budget. Pages rendered in the same process have none; web nodes limit their visitors
-- themselves (server/visitor-limit.ts). Rows of turns are deleted after a day.
create function private.caller_key() returns text
language sql stable set search_path = '' as $$
  select coalesce('address ' || encode(sha256(convert_to(nullif(private.client_address(), ''), 'UTF8')), 'hex'), 'pages');
$$;
revoke execute on function private.request_header(text), private.client_address(), private.caller_key() from public;

create or replace function public.note_missed_search(query text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  words constant text := btrim(regexp_replace(lower(normalize(left(query, 120), NFKC)), '[[:space:][:cntrl:]]+', ' ', 'g'));
  key constant text := private.search_key(words);
  today constant date := private.day_of(now());
  may_count boolean;
begin
  if key = '' or char_length(words) not between 3 and 40 or not private.is_plain_words(words)
     or key ~ '[0-9]' or cardinality(string_to_array(key, ' ')) > 4 then
    return;
  end if;
  if exists (select from private.missed_searches m where m.word = key) then
    may_count := private.take_turn('missed word', key, 1, interval '10 minutes');
  else
    may_count := private.take_turn('missed search', private.caller_key(), 30, interval '1 minute');
  end if;
  if not may_count or (public.search_products(words, 0) ->> 'found')::integer > 0 then
    return;
  end if;
  insert into private.missed_searches as m (word, typed, last_on) values (key, words, today)
  on conflict (word) do update set times = least(m.times + 1, 999999), last_on = today;
  delete from private.missed_searches m
  where m.word in (
    select o.word from private.missed_searches o where o.word <> key
    order by o.last_on > today - 90 desc, o.times desc, o.last_on desc, o.word offset 299);
end $$;
