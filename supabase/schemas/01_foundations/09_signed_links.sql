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

-- Makes the key that signs links, where there is none. Called before a message with a link is queued.
create function private.make_link_key() returns void
language sql volatile set search_path = '' as $$
  insert into private.link_key (id, key)
  select 1, encode(sha512(convert_to(string_agg(gen_random_uuid()::text, ''), 'UTF8')), 'hex') from generate_series(1, 8)
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

-- A link for one thing: 72 letters, digits, - and _ (base64 as URLs have it, RFC 4648, section 5). It carries, in 22 bytes, what it is
-- for (16), a version (2) and the last day on which it works (4); then our signature of these and of the purpose. 54 bytes are whole
-- groups of three, so that a link has one spelling only, and fewer than 58, above which PostgreSQL breaks the line.
create function private.make_link(purpose text, subject uuid, version integer, last_day date) returns text
language sql volatile set search_path = '' as $$
  select translate(encode(k.content || private.link_signature(purpose || ' ' || encode(k.content, 'hex')), 'base64'), '+/', '-_')
  from (select uuid_send(subject) || substr(int4send(version), 3) || int4send(last_day - date '1970-01-01')) as k (content);
$$;

-- What a link carries; all null: forged, for another purpose, or expired. The signature is compared before anything else is looked at,
-- and for every text alike: how long it takes says nothing about what there is.
create function private.read_link(purpose text, token text, at timestamptz, out subject uuid, out version integer) returns record
language plpgsql stable set search_path = '' as $$
declare
  is_whole constant boolean := coalesce(token ~ '^[A-Za-z0-9_-]{72}$', false);
  carried constant bytea := decode(translate(case when is_whole then token else repeat('A', 72) end, '-_', '+/'), 'base64');
  content constant bytea := substr(carried, 1, 22);
  is_signed constant boolean := private.is_link_signature(purpose || ' ' || encode(content, 'hex'), substr(carried, 23));
  last_day constant date := date '1970-01-01' + ((get_byte(content, 18)::bigint * 16777216 + get_byte(content, 19) * 65536
                                                  + get_byte(content, 20) * 256 + get_byte(content, 21)) % 2000000)::integer;
begin
  if is_whole and is_signed and last_day >= private.day_of(at) then
    subject := encode(substr(content, 1, 16), 'hex')::uuid;
    version := get_byte(content, 16) * 256 + get_byte(content, 17);
  end if;
end $$;
