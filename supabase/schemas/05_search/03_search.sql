-- Searching products, and searches that found nothing.
-- Called by visitors; missed searches are counted by record_missed_search() and read by administrators.
set check_function_bodies = off;

-- Searches without a result: counted words, and neither who nor when to the minute. Written by
-- record_missed_search(), at most 300; the least recent go first.
create table private.missed_searches (
  word text primary key,
  typed text not null check (char_length(typed) between 1 and 40),
  times integer not null default 1,
  last_on date not null
);
create index missed_searches_times_idx on private.missed_searches (times desc, last_on desc);
alter table private.missed_searches enable row level security;

-- The terms of a search: each word with its place, and every two neighbours joined, with both places. At most eight
-- different words. Filler words are left out as long as others remain. Words up to the place `needed` have to
-- match; those after 'for' only add to the rank: halwa for diwali is any halwa.
create function private.search_terms(query text, out term text, out first integer, out last integer, out needed integer) returns setof record
language plpgsql immutable set search_path = '' as $$
declare
  typed text[] := array(select left(w, 40) from unnest(string_to_array(private.search_key(left(query, 120)), ' ')) with ordinality t (w, n)
                        where w <> '' group by left(w, 40) order by min(n) limit 12);
  small constant text[] := private.search_stop_words();
  for_all constant text[] := private.search_catalogue_words();
  before_for constant text[] := typed[1:coalesce(array_position(typed, 'for'), 13) - 1];
  kept text[] := array(select w from unnest(typed) with ordinality t (w, n)
                       where w <> all (small) and w !~ '^[0-9]+(g|gm|kg|pc)?$' order by n);
  telling text[] := array(select w from unnest(kept) with ordinality t (w, n) where w <> all (for_all) order by n);
begin
  if cardinality(kept) = 0 then kept := typed; end if;
  if cardinality(telling) > 0 then kept := telling; end if;
  kept := kept[1:8];
  needed := (select count(*) from unnest(kept) w where w = any (before_for));
  if needed = 0 then needed := cardinality(kept); end if;
  return query
    select w, n::integer, n::integer, needed from unnest(kept) with ordinality t (w, n)
    union all
    select left(kept[n] || kept[n + 1], 40), n, n + 1, needed from generate_series(1, cardinality(kept) - 1) n;
end $$;

-- How well a word matches a search term: 1 is the same, 0 not at all. steps: letters that differ; likeness: shared trigrams.
-- Without a search path, so that it is inlined.
create function private.word_fit(term text, word text, term_consonants text, word_consonants text, is_pair boolean, is_swapped boolean,
                                 steps integer, likeness real) returns double precision
language sql immutable parallel safe as $$
  select case
    when word = term then 1.0
    when word ^@ term then 0.8 + 0.15 * char_length(term) / char_length(word)
    when is_swapped then 0.8
    when is_pair and steps > 2 then 0
    when term_consonants = word_consonants and char_length(term_consonants) > 2 and steps <= 3
      then 0.8 * greatest(0.75, 1 - steps::real / greatest(char_length(term), char_length(word)))
    when char_length(term) < 5 and term_consonants <> word_consonants or term ^@ word and char_length(term) > char_length(word) + 2 then 0
    when steps <= case when char_length(term) < 6 then 1 when char_length(term) < 9 then 2 else 3 end or likeness >= 0.5
      then 0.8 * greatest(likeness, 1 - steps::real / greatest(char_length(term), char_length(word)))
    else 0
  end;
$$;

-- How well products match: `fit` is 1 when every word is in the name, and a little more when they are neighbours
-- there. `is_whole`: every needed word is found. A word matches as it is, by its beginning, or by similarity: few
-- letters differ, two are swapped, or only vowels differ. Similar words are ignored where another matches much
-- better; synonyms are then added. Typos are tolerated in the first four words only, because each costs time. In
-- short words only vowels may differ, and ingredients match only what is very similar. 'Free of' something is
-- matched by names that say so, and never by ingredients.
create function private.search_matches(query text, out product_id bigint, out fit double precision, out is_whole boolean) returns setof record
language plpgsql stable set search_path = '' as $$
declare
  needed constant integer := (select max(t.needed) from private.search_terms(query) t);
  is_strict constant boolean := private.is_search_for_absence(query);
begin
  if needed is null then return; end if;
  return query
  with terms as materialized (
    select t.term, t.first, t.last, char_length(t.term) as size, t.last > t.first as is_pair, private.search_consonants(t.term) as consonants,
           -- two neighbours in the wrong order
           array(select overlay(t.term placing reverse(substr(t.term, n, 2)) from n for 2)
                 from generate_series(1, char_length(t.term) - 1) n where char_length(t.term) > 3) as swapped,
           is_strict or exists (select from private.search_entries e where e.word = t.term)
             or exists (select from private.search_synonym_words m where m.word = t.term) as is_known
    from private.search_terms(query) t
  ), candidates as (
    select t.term, t.first, t.last, t.is_pair, t.consonants, t.swapped, w.word, w.consonants as word_consonants
    from terms t
    cross join lateral (
      select w.word, w.consonants from private.search_words w where w.word = t.term
      union
      select w.word, w.consonants from private.search_words w where w.word = any (t.swapped) and not t.is_known
      union
      select w.word, w.consonants from private.search_words w where w.word >= t.term and w.word < t.term || chr(1114111) and t.size > 1
      union
      select w.word, w.consonants from private.search_words w where w.consonants = t.consonants and t.size > 3 and not t.is_known
      union
      select w.word, w.consonants from private.search_words w where w.word operator(extensions.%) t.term and t.size > 3 and not t.is_known and not t.is_pair and t.first <= 4
      union
      select w.word, w.consonants from private.search_words w
      where t.size = 5 and not t.is_known and not t.is_pair and t.first <= 4 and w.word >= left(t.term, 1) and w.word < left(t.term, 1) || chr(1114111)
        and char_length(w.word) between 4 and 6 and extensions.levenshtein_less_equal(w.word, t.term, 1) <= 1
    ) w
  ), measured as (
    select c.*, extensions.levenshtein(c.word, c.term) as steps,
           extensions.similarity(c.word, c.term) as likeness
    from candidates c
  ), rated as (
    select m.first, m.last, m.word,
           private.word_fit(m.term, m.word, m.consonants, m.word_consonants, m.is_pair, m.word = any (m.swapped), m.steps, m.likeness) as fit
    from measured m
  ), ranked as (
    select r.*, max(r.fit) over spelling as best, row_number() over (spelling order by r.fit desc, r.word) as place
    from rated r
    where r.fit >= case when is_strict then 1 else 0.45 end
      and (exists (select from private.search_entries e where e.word = r.word) or exists (select from private.search_synonym_words m where m.word = r.word))
    window spelling as (partition by r.first, r.last)
  ), kept as (
    select k.first, k.last, k.word, k.fit from ranked k
    where k.fit >= case when k.best = 1 then 0.9 else 0.75 * k.best end and k.place <= 30
  ), meant as (
    select k.first, k.last, k.word, k.fit from kept k
    union all
    select k.first, k.last, other.word, k.fit * 0.97
    from kept k
    join private.search_synonym_words m on m.word = k.word
    join private.search_synonym_words other on other.group_id = m.group_id and other.word <> k.word
  ), placed as materialized (
    select m.word, place, max(m.fit * case when m.last > m.first then 1.1 else 1 end)::real as fit
    from meant m cross join lateral generate_series(m.first, m.last) place group by m.word, place
  ), hits as (
    -- Word by word, through the index: never all the entries there are.
    select e.product_id, m.place, max(m.fit * e.weight) as score
    from placed m
    cross join lateral (select e.product_id, e.weight from private.search_entries e where e.word = m.word offset 0) e
    where e.weight > 0.9 or not is_strict and (e.weight > 0.5 or m.fit > 0.64)
    group by e.product_id, m.place
  )
  select h.product_id,
         (coalesce(sum(h.score) filter (where h.place <= needed), 0) / needed
           + 0.05 * coalesce(sum(h.score) filter (where h.place > needed), 0))::double precision,
         count(*) filter (where h.place <= needed) = needed
  from hits h group by h.product_id;
end $$;

-- Products for a search: {found, total, products, nearest}. `found` counts the matches at any price, `total` those
-- within the filters, `products` has the first of them; `nearest` suggests similar products when nothing is found,
-- except in a search for something without sugar or nuts. Sorts: l-h, h-l and bs as in the shop, anything else by
-- match, available products first. A search for veg or eggless finds only what carries the green mark. Reads the
-- catalogue only: its cost does not grow with orders.
create function public.search_products(
  query text, most integer default 8, min_price numeric default 0, max_price numeric default 100000000,
  sort text default 'fit', category text default null)
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  beside_veg constant text := private.search_without_veg_mark(search_products.query);
  is_veg constant boolean := beside_veg is not null;
  asked constant text := coalesce(beside_veg, search_products.query);
  asked_for_all constant boolean := coalesce(
    (select bool_and(t.term = any (private.search_catalogue_words())) from private.search_terms(asked) t where t.first = t.last), is_veg);
  named constant bigint[] := array(
    select e.product_id from private.search_entries e
    where e.word = '=' || replace(private.search_key(left(search_products.query, 120)), ' ', ''));
  wanted constant integer := least(greatest(coalesce(most, 8), 0), 480);
  few constant integer := least(wanted, 8);
  answer jsonb;
begin
  with fits as materialized (
    select f.product_id as id, f.is_whole, round(100 * f.fit)::integer + case when f.product_id = any (named) then 20 else 0 end as fit
    from private.search_matches(asked) f
    where not asked_for_all
    union all
    select p."Id", true, 100 from public."Products" p where asked_for_all
  ), listed as materialized (
    select f.id, f.fit, f.is_whole, p.isavailable, p."Rating" as rating, p."Price" as price,
           p."Price" > min_price and p."Price" <= max_price
             and (search_products.category is null or p."Category" = search_products.category) as is_wanted
    from fits f join public."Products" p on p."Id" = f.id
    where p.is_listed and p.archived_at is null and (p.food_mark = 'veg' or not is_veg)
  ), counts as (
    select count(*) as found, count(*) filter (where l.is_wanted) as total from listed l where l.is_whole
  ), chosen as (
    select c.id, row_number() over () as place
    from (
      select l.id from listed l where l.is_whole and l.is_wanted
      order by
        case when search_products.sort = 'l-h' then l.price end,
        case when search_products.sort = 'h-l' then l.price end desc,
        case when search_products.sort in ('l-h', 'h-l', 'bs') then 0 else l.fit end desc,
        case when search_products.sort in ('l-h', 'h-l', 'bs') then true else l.isavailable end desc,
        l.rating desc nulls last, l.id
      limit wanted
    ) c
  ), near as (
    -- What has some of the words, then what people like.
    select n.id, row_number() over () as place
    from (
      select l.id from (
        (select l.id, l.fit, l.isavailable, l.rating from listed l order by l.fit desc, l.isavailable desc, l.rating desc nulls last, l.id limit few)
        union all
        (select p."Id", 0, true, p."Rating" from public."Products" p
         where p.isavailable and p.archived_at is null and (p.food_mark = 'veg' or not is_veg) and not exists (select from listed l where l.id = p."Id")
         order by p."Rating" desc nulls last, p."Id" limit few)
      ) l
      order by l.fit desc, l.isavailable desc, l.rating desc nulls last, l.id limit few
    ) n
  )
  select jsonb_build_object(
    'found', c.found, 'total', c.total,
    'products', (select coalesce(jsonb_agg(private.product_card(p) order by f.place), '[]')
                 from chosen f join public."Products" p on p."Id" = f.id),
    'nearest', case when c.found > 0 or private.is_search_for_absence(asked) then '[]' else
                 (select coalesce(jsonb_agg(private.product_card(p) order by n.place), '[]')
                  from near n join public."Products" p on p."Id" = n.id) end) into answer
  from counts c;
  return answer;
end $$;

-- Called by the shop page when a search found nothing. Texts with numbers or addresses are not stored; a person's
-- name cannot be distinguished from a sweet's, so a search made only once is not shown. Thirty a minute are accepted.
create function public.record_missed_search(query text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  words constant text := btrim(regexp_replace(lower(normalize(left(query, 120), NFKC)), '[[:space:][:cntrl:]]+', ' ', 'g'));
  key constant text := private.search_key(words);
  today constant date := private.day_of(now());
  may_count boolean;
begin
  if key = '' or char_length(words) not between 3 and 40 or not private.has_only_letters(words)
     or key ~ '[0-9]' or cardinality(string_to_array(key, ' ')) > 4 then
    return;
  end if;
  if exists (select from private.missed_searches m where m.word = key) then
    may_count := private.consume_rate_limit('missed word', key, 1, interval '10 minutes');
  else
    may_count := private.consume_rate_limit('missed search', private.caller_key(), 30, interval '1 minute');
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

revoke execute on function
  public.search_products(text, integer, numeric, numeric, text, text), public.record_missed_search(text)
  from public, anon, authenticated;
grant execute on function
  public.search_products(text, integer, numeric, numeric, text, text), public.record_missed_search(text)
  to anon, authenticated, service_role;
