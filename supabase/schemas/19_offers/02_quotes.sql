-- Offers of quotes: which of them a cart gets, and why a code does not count.
-- No tables: called by quote_batch(), which stores the quotes.
set check_function_bodies = off;

-- What an offer would take off a quote alone, and why it cannot be used; null where it can.
create function private.try_offer(offer private.offers, quote private.quotes, line_paise bigint[], categories text[], at timestamptz) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  goods constant bigint := (
    select coalesce(sum(l.paise), 0) from unnest(line_paise, categories) as l (paise, category)
    where offer.categories = '{}' or l.category = any (offer.categories));
  rejection jsonb;
  saved bigint;
  remaining record;
begin
  rejection := private.offer_rejection(offer, quote.user_id, at);
  if rejection is not null then
    return rejection;
  elsif goods = 0 then
    return jsonb_build_object('reason', 'other-goods', 'categories', to_jsonb(offer.categories));
  elsif goods < offer.min_order_paise then
    return jsonb_build_object('reason', 'minimum', 'min_order_paise', offer.min_order_paise, 'missing_paise', offer.min_order_paise - goods,
                              'categories', to_jsonb(offer.categories));
  end if;
  saved := private.saved_paise((private.calculate_offers(line_paise, categories, quote.shipping_paise, array[offer])).effects);
  if saved = 0 then
    return jsonb_build_object('reason', case offer.kind when 'free-delivery' then 'no-delivery-charge' else 'too-small' end);
  end if;
  select * into remaining from private.offer_left(offer, quote.user_id);
  if remaining.uses < 1 or remaining.paise < saved then
    return jsonb_build_object('reason', 'used-up');
  end if;
  return null;
end $$;

-- A quote with offers: the discount of each line, the tax on what is left of it, and the new total.
create function private.discounted_quote(quote private.quotes, line_paise bigint[], categories text[], offers private.offers[]) returns private.quotes
language plpgsql immutable set search_path = '' as $$
declare
  result private.quotes := quote;
  applied record;
begin
  select * into applied from private.calculate_offers(line_paise, categories, quote.shipping_paise, offers);
  select jsonb_agg(l.line || jsonb_build_object('discount_paise', applied.discounts[l.place], 'tax_paise', t.tax) order by l.place), sum(t.tax)
  into result.lines, result.tax_paise
  from jsonb_array_elements(quote.lines) with ordinality as l (line, place)
  cross join lateral (
    select round((line_paise[l.place] - applied.discounts[l.place]) * (l.line ->> 'gst_percent')::numeric / 100)::bigint as tax) t;
  result.discount_paise := (select sum(d) from unnest(applied.discounts) as d);
  result.shipping_paise := quote.shipping_paise - (
    select sum(e.shipping_paise) from jsonb_to_recordset(applied.effects) as e (shipping_paise bigint));
  result.offers := applied.effects;
  result.total_paise := result.sub_total_paise - result.discount_paise + result.tax_paise + result.shipping_paise;
  return result;
end $$;

-- The offers of an order: one alone, or all that combine together, whatever saves most; of equal ones the code's, then the oldest.
create function private.best_offers(fitting private.offers[], line_paise bigint[], categories text[], shipping_paise bigint) returns private.offers[]
language plpgsql immutable set search_path = '' as $$
declare
  best private.offers[];
  candidate record;
  saved bigint;
  most bigint := 0;
begin
  for candidate in
    select array[o] as offers, o.code is null as is_automatic, o.id from unnest(fitting) as o
    union all
    select array_agg(o order by o.id), bool_and(o.code is null), min(o.id) from unnest(fitting) as o where o.combines having count(*) > 1
    order by is_automatic, id
  loop
    saved := private.saved_paise((private.calculate_offers(line_paise, categories, shipping_paise, candidate.offers)).effects);
    if saved > most then
      best := candidate.offers;
      most := saved;
    end if;
  end loop;
  return best;
end $$;

-- Quotes with their offers, and why a code does not count; no row for quotes that stay as they are. Automatic offers are read once
-- for all of them. Only for quotes of single orders: groups and phone orders have no offers. An account that typed twenty unknown
-- codes within an hour is told nothing more about codes until the next one.
create function private.apply_offers(calls jsonb, quotes private.quotes[], rejections jsonb[], at timestamptz)
returns table (place integer, quote private.quotes, code_problem jsonb)
language plpgsql set search_path = '' as $$
declare
  automatic constant private.offers[] := array(
    select o from private.offers o
    where o.code is null and o.stopped_at is null and o.starts_at <= apply_offers.at and (o.ends_at is null or o.ends_at > apply_offers.at)
    order by o.id);
  typed text;
  offer private.offers;
  fitting private.offers[];
  problem jsonb;
  line_paise bigint[];
  line_categories text[];
  best private.offers[];
  guessers text[] := '{}';
begin
  for n in 1 .. jsonb_array_length(calls) loop
    typed := private.tidy_code(calls -> n - 1 ->> 'code');
    continue when rejections[n] is not null or typed = '' and automatic = '{}';
    quote := quotes[n];
    select array_agg(l.line_paise order by l.place), array_agg(coalesce(p."Category", '') order by l.place) into line_paise, line_categories
    from rows from (jsonb_to_recordset(quote.lines) as (product_id bigint, line_paise bigint)) with ordinality as l (product_id, line_paise, place)
    left join public."Products" p on p."Id" = l.product_id;
    fitting := array(select o from unnest(automatic) as o where private.try_offer(o, quote, line_paise, line_categories, apply_offers.at) is null);
    code_problem := null;
    if typed <> '' then
      select * into offer from private.offers o where o.code = typed;
      if offer.id is null then
        guessers := guessers || quote.user_id::text;
      end if;
      problem := case when private.has_guessed_codes(quote.user_id, apply_offers.at) then '{"reason": "too-many-codes"}'
                      when offer.id is null then '{"reason": "unknown"}'
                      else private.try_offer(offer, quote, line_paise, line_categories, apply_offers.at) end;
      if problem is null then
        fitting := fitting || offer;
      else
        code_problem := problem || jsonb_build_object('code', typed);
      end if;
    end if;
    best := private.best_offers(fitting, line_paise, line_categories, quote.shipping_paise);
    if code_problem is null and typed <> '' and offer.id <> all (array(select o.id from unnest(best) as o)) then
      code_problem := jsonb_build_object('reason', 'better-offer', 'code', typed, 'offer', best[1].name);
    end if;
    if best is not null then
      quote := private.discounted_quote(quote, line_paise, line_categories, best);
    end if;
    place := n;
    return next;
  end loop;
  if guessers <> '{}' then
    perform private.consume_rate_limits('unknown code', guessers, 20, interval '1 hour', apply_offers.at);
  end if;
end $$;

create function private.has_guessed_codes(customer_id uuid, at timestamptz) returns boolean
language sql stable set search_path = '' as $$
  select exists (
    select from private.rate_limits t
    where t.action = 'unknown code' and t.subject = customer_id::text and t.taken >= 20
      and t.window_start = date_bin(interval '1 hour', has_guessed_codes.at, timestamptz '2000-01-01 00:00+00'));
$$;
