-- Checks of what people type, errors in one shape, and amounts as text.
-- No tables: called by guards and console functions. domain/ has the same rules for forms.
set check_function_bodies = off;

-- Rejects what a person typed. The field it concerns, if any, is in the error's details.
create function private.reject(message text, field text default null) returns void
language plpgsql immutable set search_path = '' as $$
begin
  raise sqlstate 'PT422' using message = reject.message, detail = coalesce(reject.field, '');
end $$;

-- Optimistic locking: of two people who edit the same row, the second is rejected as stale.
create function private.expect_unchanged(seen timestamptz, updated_at timestamptz) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if seen is null or updated_at is null or seen <> updated_at then
    raise sqlstate 'PT409' using message = 'Changed by someone else. Check the latest version before you save.', detail = 'stale';
  end if;
end $$;

-- Text that a person typed, in one line or several: trimmed, and rejected when it is too long.
create function private.validate_text(value text, field text, label text, longest integer, is_needed boolean default false,
                              is_one_line boolean default true) returns text
language plpgsql immutable set search_path = '' as $$
declare
  tidied text := coalesce(value, '');
begin
  tidied := btrim(case when is_one_line then regexp_replace(tidied, '[[:space:][:cntrl:]]+', ' ', 'g') else tidied end, E' \t\r\n');
  if is_needed and tidied = '' then
    perform private.reject(format('%s is missing.', label), field);
  elsif char_length(tidied) > longest then
    perform private.reject(format('%s can have at most %s characters.', label, longest), field);
  end if;
  return tidied;
end $$;

-- A number that a person typed, with a maximum of decimals; null when it is not a number.
create function private.parse_number(typed text, places integer) returns numeric
language plpgsql immutable set search_path = '' as $$
begin
  -- One after the other: in one expression a planner may try the number before the pattern.
  if typed is null or btrim(typed) !~ format('^[0-9]{1,9}(\.[0-9]{1,%s})?$', greatest(places, 1)) then
    return null;
  end if;
  return case when scale(btrim(typed)::numeric) <= places then btrim(typed)::numeric end;
end $$;

create function private.validate_link(value text, field text, label text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  link text := private.validate_text(value, field, label, 500);
begin
  if link <> '' and not (link ~ '^https?://' and private.is_safe_link(link)) then
    perform private.reject(format('%s must begin with https://', label), field);
  end if;
  return link;
end $$;

-- A phone number as people write it: with spaces, with 0 or +91 in front, or with neither.
create function private.validate_phone(value text, field text, first_digit text, message text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  digits text := regexp_replace(regexp_replace(coalesce(value, ''), '[\s().-]', '', 'g'), '^(\+?91(?=[0-9]{10}$)|0(?=[0-9]{10}$))', '');
begin
  if digits <> '' and digits !~ ('^' || first_digit || '[0-9]{9}$') then
    perform private.reject(message, field);
  end if;
  return case when digits <> '' then '+91' || digits else '' end;
end $$;

-- What an administrator typed as a link: a path of this site, or a web address.
create function private.is_safe_link(link text) returns boolean
language sql immutable as $$
  select char_length(link) <= 500 and link ~ '^(/([^/\\[:space:]][^\\[:space:]]*)?|https?://[^\\[:space:]]+)$';
$$;

-- Empty, or only spaces and invisible characters (isBlank in domain/ is the same rule).
create function private.is_blank(words text) returns boolean
language sql immutable as $$
  select coalesce(words, '') !~ '[^\s\u0001-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]';
$$;

-- No control characters, and none that turn the direction of what follows (isPrintable in domain/ is the same rule).
create function private.is_printable(words text) returns boolean
language sql immutable as $$
  select words !~ '[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]';
$$;

-- null when the text is not a uuid: it comes from the browser's storage.
create function private.parse_uuid(typed text) returns uuid
language sql immutable set search_path = '' as $$
  select case when typed ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then typed::uuid end;
$$;

-- null when the text is not a number.
create function private.parse_bigint(typed text) returns bigint
language sql immutable set search_path = '' as $$
  select case when typed ~ '^[0-9]{1,15}$' then typed::bigint end;
$$;

-- As people in India read it: ₹1,299.50, ₹1,00,000.
create function private.format_rupees(paise bigint) returns text
language sql immutable set search_path = '' as $$
  select '₹' || regexp_replace(btrim(to_char(format_rupees.paise / 100.0, 'FM99,99,99,99,990.00')), '\.00$', '');
$$;

-- Rupees as people type them: 799.50, 585.
create function private.format_plain_rupees(amount numeric) returns text
language sql immutable set search_path = '' as $$
  select case when amount % 1 = 0 then trunc(amount)::text else round(amount, 2)::text end;
$$;

create function private.format_paise(paise bigint) returns text
language sql immutable set search_path = '' as $$
  select to_char(paise / 100.0, 'FM999999999990.00');
$$;

-- 12.5 kg, 1 piece, 3 pieces.
create function private.format_quantity(quantity numeric, unit text) returns text
language sql immutable set search_path = '' as $$
  select trim_scale(quantity) || ' ' || case when unit = 'piece' and quantity <> 1 then 'pieces' else unit end;
$$;

grant execute on function private.is_safe_link(text) to public;
grant execute on function private.is_blank(text) to anon, authenticated, service_role;
