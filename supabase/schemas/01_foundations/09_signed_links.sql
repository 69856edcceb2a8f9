-- Signatures of the links in emails: whoever has the link may do the one thing that it names, without a login.
-- Called by the functions of each kind of link, which put what they sign behind a word of their own. The key is made with the first.
set check_function_bodies = off;

-- The key that signs links in emails: one row, made with the first of them.
create table private.link_key (
  id integer primary key check (id = 1),
  key text not null check (key ~ '^[0-9a-f]{128}$')
);
alter table private.link_key enable row level security;

-- HMAC with SHA-256 (RFC 2104), in hex. PostgreSQL has it in an extension only.
create function private.hmac_sha256(message text, key text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  inner_pad bytea := decode(key, 'hex');
  outer_pad bytea := inner_pad;
begin
  for place in 0..63 loop
    outer_pad := set_byte(outer_pad, place, get_byte(outer_pad, place) # 92);
    inner_pad := set_byte(inner_pad, place, get_byte(inner_pad, place) # 54);
  end loop;
  return encode(sha256(outer_pad || sha256(inner_pad || convert_to(message, 'UTF8'))), 'hex');
end $$;

create function private.make_link_key() returns void
language sql volatile set search_path = '' as $$
  insert into private.link_key (id, key)
  select 1, encode(sha512(convert_to(string_agg(gen_random_uuid()::text, ''), 'UTF8')), 'hex') from generate_series(1, 8)
  having not exists (select from private.link_key)
  on conflict do nothing;
$$;

create function private.link_signature(message text) returns bytea
language plpgsql volatile set search_path = '' as $$
begin
  if not exists (select from private.link_key) then
    perform private.make_link_key();
  end if;
  return decode(private.hmac_sha256(message, (select k.key from private.link_key k)), 'hex');
end $$;

-- Whether a signature is ours. The same work for every signature: all its bytes are compared, wherever the first wrong one is.
create function private.is_link_signature(message text, given bytea) returns boolean
language plpgsql stable set search_path = '' as $$
declare
  key constant text := (select k.key from private.link_key k);
  expected constant bytea := decode(private.hmac_sha256(message, coalesce(key, repeat('0', 128))), 'hex');
  padded constant bytea := coalesce(given, '') || decode(repeat('00', 32), 'hex');
  difference integer := case when key is null or octet_length(given) is distinct from 32 then 1 else 0 end;
begin
  for place in 0..31 loop
    difference := difference | (get_byte(expected, place) # get_byte(padded, place));
  end loop;
  return difference = 0;
end $$;

-- The characters of a link: base64 as URLs have it (RFC 4648, section 5). Both take whole groups of three bytes, so that a link has
-- one spelling only, and fewer than 58, above which PostgreSQL breaks the line.
create function private.to_base64url(bytes bytea) returns text
language sql immutable set search_path = '' as $$
  select translate(encode(bytes, 'base64'), '+/', '-_');
$$;
create function private.from_base64url(text) returns bytea
language sql immutable set search_path = '' as $$
  select decode(translate($1, '-_', '+/'), 'base64');
$$;
