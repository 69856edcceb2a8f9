-- How words are compared: folded to how they sound, so that spellings of one word meet.
-- No tables: called by the index and by search.
set check_function_bodies = off;

-- Words in Latin letters as they sound, separated by single spaces: 'Motichoor Laddoo', 'motichur laddu' and
-- 'मोतीचूर लड्डू' give the same key. Devanagari is transliterated, with the short a where it is spoken: हलवा is
-- halva and not halava. Other scripts stay as they are. Internally the letter C stands for the sound of ch.
create function private.search_key(words text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  letters constant text[] := string_to_array('a,b,C,d,e,f,g,h,i,j,k,l,m,n,o,p,r,s,t,u,v,y', ',');
  letter text;
  key text := lower(normalize(left(coalesce(words, ''), 400), NFKD));
begin
  -- Accents, what has no width, and apostrophes; then whatever parts words.
  key := regexp_replace(key, '[\u0300-\u036f\u200b-\u200f\u2060\ufeff''’]', '', 'g');
  key := regexp_replace(key, '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u0964\u0965\u2000-\u206f\u3000-\u303f]+', ' ', 'g');

  if key ~ '[\u0900-\u097f]' then
    key := replace(key, '़', '');
    key := regexp_replace(key, '([क-ह])(?![\u093e-\u094d]|[^\u0900-\u097f]|$)', '\1ə', 'g');
    key := translate(key,
      'कखगघङचछजझञटठडढणतथदधनपफबभमयरलळवशषसहअआइईउऊऋएऐओऔऍऑािीुूृेैोौॅॉंँ०१२३४५६७८९्ः',
      'kkggnCCjjnttddnttddnpfbbmyrllvssshaaiiuureeooeoaiiuureeooeonn0123456789');
    key := regexp_replace(key, '([aeiouə][bCdfghjklmnprstvy])ə(?=[bCdfghjklmnprstvy][aeiouə])', '\1', 'g');
    key := replace(key, 'ə', 'a');
  end if;

  key := regexp_replace(key, 'ch+', 'C', 'g');
  key := regexp_replace(key, 'sh+', 's', 'g');
  key := regexp_replace(key, 'ph+', 'f', 'g');
  key := regexp_replace(key, '([kgjtdb])h+', '\1', 'g');
  key := regexp_replace(key, 'c(?=[eiy])', 's', 'g');
  key := replace(translate(key, 'cqwz', 'kkvj'), 'x', 'ks');
  key := regexp_replace(key, 'ee+', 'i', 'g');
  key := regexp_replace(key, 'oo+|ou', 'u', 'g');
  key := replace(key, 'iy', 'i');
  foreach letter in array letters loop -- a back reference would look at long texts for minutes
    if position(letter || letter in key) > 0 then key := regexp_replace(key, letter || '+', letter, 'g'); end if;
  end loop;
  key := regexp_replace(key, '([bCdfghjklmnprstv])(y|ie|ey)\M', '\1i', 'g');
  key := regexp_replace(key, '([aeiou])h\M', '\1', 'g');
  key := regexp_replace(key, '([a-zC]{3})s\M', '\1', 'g'); -- more than one
  return btrim(regexp_replace(replace(key, 'C', 'c'), '\s+', ' ', 'g'));
end $$;

-- A word without its vowels, which is where spellings of Indian words differ most. The first letter stays.
create function private.search_consonants(word text) returns text
language sql immutable parallel safe as $$
  select left(word, 1) || translate(substr(word, 2), 'aeiouy', '');
$$;

create function private.search_stop_words() returns text[]
language sql immutable parallel safe set search_path = '' as $$
  select string_to_array(private.search_key(
    'a an and the of with for from in on or to some my me we i you is any each ka ke ki ko se liye mein aur wala wali wale kg gm pcs g'), ' ');
$$;

-- Words that alone mean the whole catalogue.
create function private.search_catalogue_words() returns text[]
language sql immutable parallel safe set search_path = '' as $$
  select string_to_array(private.search_key(
    'sweet sweets mithai mithaiyan meetha mishti mishthan misthan dessert desserts indian fresh best buy online order price shop'), ' ');
$$;

-- Whether a search is for something without sugar or nuts ('sugarfree', 'without nuts', 'बिना चीनी'): then products
-- that have them must not be shown.
create function private.is_search_for_absence(query text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select lower(normalize(left(coalesce(query, ''), 120), NFKC))
    ~ '(^|[^a-z])(without|no|non|not|zero|minus|bina|bagair|bagher)($|[^a-z])|(^|[^a-z]|[a-z]{3})(free|less)($|[^a-z])|बिना|बगैर|मुक्त';
$$;

-- The search terms without the green mark, which means there is no egg in it: 'eggless kaju katli' is kaju
-- katli among vegetarian products. null: the search does not ask for the mark; 'non-veg' does not.
create function private.search_without_veg_mark(query text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  typed constant text := lower(normalize(left(coalesce(query, ''), 120), NFKC));
  mark constant text := '(^|[^a-z])((pure|fully|only|100 ?%) +)?(veg|vegetarian|shakahari|egg[ -]*less|eggs?[ -]*free'
    || '|(without|no|zero|bina)( any)? +(eggs?|and[ae])( +(ke|ka|wal[aei]))?)(?=$|[^a-z])|शाकाहारी|बिना अंड[ाे]( के| का| वाल[ाीे])?|अंडा[ -]*(रहित|मुक्त)';
begin
  if typed !~ mark or typed ~ 'non[ -]*veg' then return null; end if;
  return btrim(regexp_replace(typed, mark, ' ', 'g'));
end $$;

-- The words of a text, and every two neighbours joined: for customers who type gulabjamun, and for 'gram flour'
-- where one word is meant. Amounts and filler words are left out.
create function private.search_words_in(listed text, out word text, out is_pair boolean) returns setof record
language sql immutable parallel safe set search_path = '' as $$
  with pieces as (
    select array(select left(w, 40) from unnest(string_to_array(private.search_key(piece), ' ')) w
                 where char_length(w) > 1 and w !~ '^[0-9]+(g|gm|kg|pc)?$' and w <> all (private.search_stop_words())) as words
    from regexp_split_to_table(left(listed, 4000), '[,;()\n]+') piece
  )
  select distinct on (t.word) t.word, t.is_pair
  from pieces p
  cross join lateral generate_subscripts(p.words, 1) at
  cross join lateral (values (p.words[at], false), (left(p.words[at] || p.words[at + 1], 40), true)) t (word, is_pair)
  where t.word is not null
  order by t.word, t.is_pair;
$$;
