-- What customers agreed to be sent, by purpose: each choice with where and when. Written by the customer, and by the signed link in
-- a message; read before every message that has a purpose. Messages about an order have none and cannot be refused.
set check_function_bodies = off;

-- Append-only; the last choice for a purpose counts. Goes with the account.
create table private.consents (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  purpose text not null check (purpose in ('festival-reminders', 'review-requests', 'cart-reminders', 'news', 'whatsapp', 'sms')),
  is_agreed boolean not null,
  source text not null check (source in ('profile', 'order', 'email', 'checkout')),
  chosen_at timestamptz not null default now()
);
create index consents_user_idx on private.consents (user_id, purpose, id desc);
alter table private.consents enable row level security;

create trigger consents_never_change before update on private.consents
  for each row execute function private.reject_change();

-- The purposes in the order in which they are shown, and whether one is on for a customer who never chose: only a question about what
-- they bought themselves.
create function private.consent_purposes() returns table (place integer, purpose text, is_default boolean)
language sql immutable set search_path = '' as $$
  values (1, 'festival-reminders', false), (2, 'review-requests', true), (3, 'cart-reminders', false), (4, 'news', false),
         (5, 'whatsapp', false), (6, 'sms', false);
$$;

-- Whether a customer agrees to a purpose now. False for a purpose that does not exist.
create function private.has_consent(user_id uuid, purpose text) returns boolean
language sql stable set search_path = '' as $$
  select coalesce(
    (select c.is_agreed from private.consents c
     where c.user_id = has_consent.user_id and c.purpose = has_consent.purpose order by c.id desc limit 1),
    (select p.is_default from private.consent_purposes() p where p.purpose = has_consent.purpose),
    false);
$$;

-- The purpose of an email; null: it belongs to an order or was asked for, so it needs no consent.
create function private.purpose_of_mail(template text) returns text
language sql immutable set search_path = '' as $$
  select case template
    when 'gift-reminder' then 'festival-reminders' when 'review-request' then 'review-requests'
    when 'cart-reminder' then 'cart-reminders' when 'news' then 'news' end;
$$;

-- Records a choice; the same choice again is not recorded twice. Choices of one customer wait for each other.
create function private.record_consent(user_id uuid, purpose text, agreed boolean, source text) returns void
language plpgsql set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('consents ' || user_id, 0));
  if private.has_consent(user_id, purpose) is distinct from agreed then
    insert into private.consents (user_id, purpose, is_agreed, source) values (user_id, purpose, agreed, source);
  end if;
end $$;

-- The caller's choices, one for each purpose: {purpose, agreed, since, source, history: [{agreed, at, source}]}, history newest
-- first; since and source are null where they never chose.
create function public.my_consents() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_agg(jsonb_build_object(
    'purpose', p.purpose, 'agreed', coalesce(l.is_agreed, p.is_default), 'since', l.chosen_at, 'source', l.source,
    'history', coalesce(h.choices, '[]')) order by p.place)
  from private.consent_purposes() p
  left join lateral (
    select c.is_agreed, c.chosen_at, c.source from private.consents c
    where c.user_id = (select auth.uid()) and c.purpose = p.purpose order by c.id desc limit 1
  ) l on true
  cross join lateral (
    select jsonb_agg(jsonb_build_object('agreed', k.is_agreed, 'at', k.chosen_at, 'source', k.source) order by k.id desc) as choices
    from (select c.* from private.consents c
          where c.user_id = (select auth.uid()) and c.purpose = p.purpose order by c.id desc limit 20) k
  ) h;
$$;

-- Agrees to a purpose, or not any more. Returns what my_consents() does.
create function public.choose_consent(purpose text, agreed boolean, source text default 'profile') returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := (select auth.uid());
begin
  if caller is null then
    raise sqlstate 'PT403' using message = 'log in to choose which messages you get';
  elsif not exists (select from private.consent_purposes() p where p.purpose = choose_consent.purpose) then
    raise sqlstate 'PT400' using message = 'there are no messages of this kind';
  elsif agreed is null or source is null or source not in ('profile', 'order', 'checkout') then
    raise sqlstate 'PT400' using message = 'choose whether to get these messages';
  end if;
  if private.has_consent(caller, purpose) is distinct from agreed
     and not private.consume_rate_limit('consent ' || purpose, caller::text, 20, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'too many changes: at most twenty an hour';
  end if;
  perform private.record_consent(caller, purpose, agreed, source);
  return public.my_consents();
end $$;

-- What the link in a message carries: the customer, the purpose, and our signature of both. null before make_link_key().
create function private.stop_token(user_id uuid, purpose text) returns text
language sql stable set search_path = '' as $$
  select user_id || '.' || purpose || '.' || private.hmac_sha256('stop ' || purpose || ' of ' || user_id, k.key) from private.link_key k;
$$;

-- The same in reminders that were sent before there were purposes: links in emails go on working.
create function private.old_stop_token(user_id uuid) returns text
language sql stable set search_path = '' as $$
  select user_id || '.' || private.hmac_sha256('stop reminders of ' || user_id, k.key) from private.link_key k;
$$;

-- Stops messages of one purpose to the customer whom a signed link names, without a login. Returns the purpose; null for any other
-- link. A customer who was erased gets none either way, and the same link may be used again.
create function public.stop_messages(token text) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  parts constant text[] := regexp_match(token, '^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.([a-z-]{1,30}))?\.[0-9a-f]{64}$');
  person uuid;
  stopped constant text := coalesce(parts[2], 'festival-reminders');
begin
  if parts is null then
    return null;
  end if;
  person := parts[1]::uuid;
  if token is distinct from (case when parts[2] is null then private.old_stop_token(person) else private.stop_token(person, stopped) end)
     or not exists (select from private.consent_purposes() p where p.purpose = stopped) then
    return null;
  end if;
  if exists (select from auth.users u where u.id = person) then
    perform private.record_consent(person, stopped, false, 'email');
  end if;
  return stopped;
end $$;

revoke execute on function public.my_consents(), public.choose_consent(text, boolean, text), public.stop_messages(text)
  from public, anon, authenticated;
grant execute on function public.my_consents(), public.choose_consent(text, boolean, text) to authenticated, service_role;
grant execute on function public.stop_messages(text) to anon, authenticated, service_role;
