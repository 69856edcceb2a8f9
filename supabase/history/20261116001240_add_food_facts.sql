-- What food is sold with, and which of it a product lacks. Listing asks for all of it (require_food_facts).

-- Two more facts that food is sold with. Nobody invents them for what is on the shelves already.
alter table public."Products"
  add column food_mark text check (food_mark in ('veg', 'non-veg')),
  add column maker text not null default '' check (char_length(maker) <= 300);
comment on column public."Products".food_mark is 'The mark that food in India carries; egg counts as non-veg. Null: not said.';
comment on column public."Products".maker is 'Name and address of who made it; empty: the shop itself.';

-- Whether there is nothing to read in it: empty, or only spaces and signs that nobody sees (isBlank in domain/ says the
-- same).
create function private.is_blank(words text) returns boolean
language sql immutable as $$
  select coalesce(words, '') !~ '[^\s\u0001-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]';
$$;
revoke execute on function private.is_blank(text) from public;

-- Which facts a listed product lacks, by column, in the order in which a form asks for them (domain/products/
-- listing-gaps.ts says the same). Without a search path of its own, so that lists take it in.
create function private.missing_facts(
  food_mark text, ingredients text, allergens text, shelf_life_days numeric, storage text, weight_grams numeric)
returns text[]
language sql immutable as $$
  select array_remove(array[
    case when food_mark is null then 'food_mark' end,
    case when private.is_blank(ingredients) then 'ingredients' end,
    case when private.is_blank(allergens) then 'allergens' end,
    case when shelf_life_days is null then 'shelf_life_days' end,
    case when private.is_blank(storage) then 'storage' end,
    case when weight_grams is null then 'weight_grams' end], null);
$$;
revoke execute on function private.missing_facts(text, text, text, numeric, text, numeric) from public;
