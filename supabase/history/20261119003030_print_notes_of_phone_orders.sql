-- The note that is taken down with a phone order goes on its packing slip and label. Notes from before this, and those that
-- are added on the order's page, were written for nobody but us and stay off the paper: it lies in the customer's box.
alter table private.order_notes add column on_paper boolean not null default false;

-- As before, and its note is printed.
create or replace function public.admin_take_order(
  order_id uuid, lines jsonb, fulfilment text, delivery jsonb, total_paise bigint, shipping_paise bigint default null,
  offline_method text default null, customer_id uuid default null, note text default '') returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  placed public.orders;
  typed jsonb;
  typed_note text;
  priced record;
  quote private.quotes;
begin
  perform private.require_admin();
  if order_id is null then
    perform private.refuse('The order has no id.');
  end if;
  perform pg_advisory_xact_lock(hashtextextended('take order ' || order_id, 0));
  select * into placed from public.orders o where o.id = admin_take_order.order_id;
  if placed.id is not null then
    return jsonb_build_object('id', placed.id, 'number', placed.number, 'is_new', false);
  end if;

  if fulfilment is null or fulfilment not in ('delivery', 'pickup') then
    perform private.refuse('Say whether it is delivered or collected.', 'fulfilment');
  elsif offline_method not in ('cash', 'upi', 'card', 'bank') then
    perform private.refuse('Say how it was paid.', 'offline_method');
  elsif customer_id is not null and not exists (select from auth.users u where u.id = customer_id) then
    perform private.refuse('This customer is no longer there.', 'phone');
  end if;
  lines := private.typed_lines(lines);
  typed := private.typed_delivery(delivery, fulfilment);
  typed_note := private.typed(note, 'note', 'The note', 2000, is_one_line => false);
  perform private.lock_stock(array(select (l ->> 'product_id')::bigint from jsonb_array_elements(lines) l));
  select * into priced from private.price_order(lines, typed ->> 'zip', 'manual', fulfilment, null, now());
  if priced.refusal is not null then
    perform private.refuse(private.say_refusal(priced.refusal),
                           case priced.refusal ->> 'reason' when 'outside-zones' then 'zip' else 'lines' end);
  end if;
  quote := priced.quote;
  quote.shipping_paise := private.manual_shipping(quote, shipping_paise);
  quote.total_paise := quote.sub_total_paise + quote.tax_paise + quote.shipping_paise;
  if total_paise is distinct from quote.total_paise then
    perform private.refuse(format('The total is %s now. Tell the customer, then save again.', private.rupees(quote.total_paise)), 'total_paise');
  end if;

  insert into public.orders (id, user_id, payment_status, offline_method, source, fulfilment, sub_total, tax, shipping_charge,
                             total_amount, delivery_name, delivery_phone, delivery_building_no, delivery_street,
                             delivery_city, delivery_state, delivery_zip, delivery_by)
  values (admin_take_order.order_id, customer_id, case when offline_method is null then 'unpaid' else 'paid_offline' end,
          admin_take_order.offline_method, 'manual', quote.fulfilment, quote.sub_total_paise / 100.0, quote.tax_paise / 100.0,
          quote.shipping_paise / 100.0, quote.total_paise / 100.0, typed ->> 'name', typed ->> 'phone', typed ->> 'building_no',
          typed ->> 'street', typed ->> 'city', typed ->> 'state', typed ->> 'zip', quote.delivery_by)
  returning * into placed;
  perform private.fill_order(placed, quote, was_reserved => false);
  if typed_note <> '' then
    insert into private.order_notes (order_id, author_id, note, on_paper) values (placed.id, auth.uid(), typed_note, true);
  end if;
  return jsonb_build_object('id', placed.id, 'number', placed.number, 'is_new', true);
end $$;

-- As before, with the note that is printed.
create or replace function public.admin_print_orders(order_ids uuid[]) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  if coalesce(cardinality(order_ids), 0) > 100 then
    perform private.refuse('At most 100 orders are printed at once.');
  end if;
  return jsonb_build_object(
    'shop', (select jsonb_build_object('name', s.name, 'address', s.address, 'fssai_number', s.fssai_number, 'gstin', s.gstin,
                                       'email', s.email, 'whatsapp_number', s.whatsapp_number) from public.shop_settings s),
    'orders', (
      select coalesce(jsonb_agg(private.order_head(o) || jsonb_build_object('lines', private.order_lines(o.id), 'note', (
               select coalesce(string_agg(n.note, E'\n' order by n.id), '') from private.order_notes n where n.order_id = o.id and n.on_paper)) order by w.place), '[]')
      from (select u.id, min(u.place) as place from unnest(order_ids) with ordinality u (id, place) group by u.id) w
      join public.orders o on o.id = w.id));
end $$;
