-- One split of what an order costs, said the same way before and after buying: subtotal, GST on items, shipping with the
-- GST that is in it, total. The sums of the functions stay as they are; what is new is the GST in shipping, which the
-- invoice splits off. Cards carry the GST rate, so that they can show the price with tax.

-- Customers read it of their own orders through order_details_view, and may not read invoices or settings of their own.
alter function private.order_shipping_tax(public.orders) security definer;
grant execute on function private.order_shipping_tax(public.orders) to authenticated, service_role;

create or replace view public.order_details_view with (security_invoker = true) as
  select o.id as order_id, o.total_amount, o.status, o.created_at, i.product_name, i.product_image,
         i.quantity, i.size, i.unit_price, o.user_id,
         o.number, i.product_id, o.payment_status, o.shipping_charge, o.sub_total, o.tax, o.fulfilment,
         i.has_size, o.delivery_by, o.courier, o.tracking_number, o.tracking_url, o.cancel_reason,
         private.order_shipping_tax(o) / 100.0 as shipping_tax
  from public.orders o
  join public.order_items i on i.order_id = o.id;

create or replace function private.quote_answer(quoted private.quotes, collect_from date) returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'ok', true, 'quote_id', quoted.id, 'sub_total_paise', quoted.sub_total_paise, 'tax_paise', quoted.tax_paise,
    'shipping_paise', quoted.shipping_paise,
    'shipping_tax_paise', case when quoted.shipping_paise > 0 and private.is_registered() then (
      select private.shipping_tax_paise(quoted.shipping_paise, array_agg(l.hsn), array_agg(l.gst_percent), array_agg(l.line_paise))
      from jsonb_to_recordset(quoted.lines) as l (hsn text, gst_percent numeric, line_paise numeric)) else 0 end,
    'total_paise', quoted.total_paise,
    'delivery_by', quoted.delivery_by, 'collect_from', collect_from, 'expires_at', quoted.expires_at);
$$;

create or replace function private.order_head(told public.orders) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', told.id, 'number', told.number, 'status', told.status, 'payment_status', told.payment_status, 'source', told.source,
    'fulfilment', told.fulfilment, 'placed_at', told.created_at, 'updated_at', told.updated_at, 'delivery_by', told.delivery_by,
    'sub_total_paise', (told.sub_total * 100)::bigint, 'tax_paise', (told.tax * 100)::bigint,
    'shipping_paise', (told.shipping_charge * 100)::bigint, 'shipping_tax_paise', private.order_shipping_tax(told),
    'total_paise', (told.total_amount * 100)::bigint,
    'delivery', jsonb_build_object(
      'name', told.delivery_name, 'phone', told.delivery_phone, 'building_no', told.delivery_building_no,
      'street', told.delivery_street, 'city', told.delivery_city, 'state', told.delivery_state, 'zip', told.delivery_zip),
    'courier', told.courier, 'tracking_number', told.tracking_number, 'tracking_url', nullif(told.tracking_url, ''),
    'cancel_reason', told.cancel_reason, 'canceled_goods', told.canceled_goods, 'offline_method', told.offline_method);
$$;

create or replace function private.order_facts(told public.orders, actor text) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', told.id, 'number', told.number, 'placedAt', told.created_at, 'name', told.delivery_name, 'phone', told.delivery_phone,
    'items', (select jsonb_agg(jsonb_build_object(
                'name', i.product_name, 'quantity', i.quantity, 'sizeGrams', case when i.has_size then i.size end,
                'linePaise', (i.unit_price * 100 * i.size / 500 * i.quantity)::bigint) order by i.id)
              from public.order_items i where i.order_id = told.id),
    'subTotalPaise', (told.sub_total * 100)::bigint, 'taxPaise', (told.tax * 100)::bigint,
    'shippingPaise', (told.shipping_charge * 100)::bigint, 'shippingTaxPaise', private.order_shipping_tax(told),
    'totalPaise', (told.total_amount * 100)::bigint,
    'isPaid', told.payment_status <> 'unpaid', 'fulfilment', told.fulfilment,
    'address', case when told.fulfilment = 'delivery' then jsonb_build_object(
      'building', told.delivery_building_no, 'street', told.delivery_street, 'city', told.delivery_city,
      'state', told.delivery_state, 'zip', told.delivery_zip) end,
    'deliveryBy', told.delivery_by, 'courier', told.courier, 'trackingNumber', told.tracking_number,
    'trackingUrl', nullif(told.tracking_url, ''), 'cancelReason', told.cancel_reason,
    'canceledBy', case when told.status = 'canceled' then case actor when 'customer' then 'customer' else 'shop' end end);
$$;

create or replace function private.receipt_document(told public.orders) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'kind', 'receipt', 'number', told.number::text, 'issued_at', told.created_at, 'order_number', told.number,
    'placed_at', told.created_at, 'is_collected', told.fulfilment = 'pickup', 'supplier', private.supplier_facts(),
    'recipient', jsonb_build_object('name', told.delivery_name, 'building_no', told.delivery_building_no, 'street', told.delivery_street,
                                    'city', told.delivery_city, 'state', told.delivery_state, 'zip', told.delivery_zip),
    'payment_status', told.payment_status, 'is_canceled', told.status = 'canceled',
    'lines', (select jsonb_agg(jsonb_build_object(
        'description', i.product_name || case when i.has_size then format(', %s', case i.size when 1000 then '1 kg' else '500 g' end) else '' end,
        'quantity', i.quantity, 'rate_paise', (i.unit_price * 100 * i.size / 500)::bigint,
        'line_paise', (i.unit_price * 100 * i.size / 500 * i.quantity)::bigint) order by i.id)
      from public.order_items i where i.order_id = told.id),
    'sub_total_paise', (told.sub_total * 100)::bigint, 'tax_paise', (told.tax * 100)::bigint,
    'shipping_paise', (told.shipping_charge * 100)::bigint, 'shipping_tax_paise', private.order_shipping_tax(told),
    'total_paise', (told.total_amount * 100)::bigint);
$$;

create or replace function private.invoice_document(told private.invoices) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'kind', 'invoice', 'id', told.id, 'number', told.number, 'issued_at', told.issued_at, 'order_number', o.number,
    'placed_at', o.created_at, 'is_collected', o.fulfilment = 'pickup', 'supplier', s.facts, 'recipient', told.recipient,
    'place_of_supply', private.state_named(told.place_code), 'tax_kind', told.tax_kind, 'lines', told.lines,
    'taxable_paise', told.taxable_paise, 'cgst_paise', told.cgst_paise, 'sgst_paise', told.sgst_paise,
    'igst_paise', told.igst_paise, 'total_paise', told.total_paise,
    'charged', jsonb_build_object(
      'sub_total_paise', (o.sub_total * 100)::bigint, 'tax_paise', (o.tax * 100)::bigint,
      'shipping_paise', (o.shipping_charge * 100)::bigint, 'shipping_tax_paise', private.order_shipping_tax(o)))
  from private.invoice_suppliers s, public.orders o where s.id = told.supplier_id and o.id = told.order_id;
$$;

-- As before, and the GST in the shipping that the caller is told.
create or replace function public.admin_price_order(lines jsonb, fulfilment text, pincode text default '', shipping_paise bigint default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  lacks_pincode boolean := fulfilment = 'delivery' and coalesce(pincode, '') !~ '^[1-9][0-9]{5}$';
  priced record;
  quote private.quotes;
  shipping bigint;
begin
  perform private.require_admin();
  select * into priced from private.price_order(
    private.typed_lines(lines), pincode, 'manual', case when lacks_pincode then 'pickup' else fulfilment end, null, now());
  quote := priced.quote;
  if quote.total_paise is not null and not lacks_pincode then
    shipping := private.manual_shipping(quote, shipping_paise);
  end if;
  return jsonb_build_object(
    'lines', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'product_id', l.product_id, 'size', l.size, 'quantity', l.quantity, 'line_paise', l.line_paise,
        'left', greatest(s.on_hand - s.reserved, 0)) order by l.product_id, l.size), '[]')
      from jsonb_to_recordset(quote.lines) as l (product_id bigint, size integer, quantity integer, line_paise bigint)
      join public.stock_levels s on s.product_id = l.product_id),
    'sub_total_paise', quote.sub_total_paise, 'tax_paise', quote.tax_paise, 'grams', coalesce(priced.grams, 0),
    'zone_shipping_paise', case when shipping is not null then quote.shipping_paise end, 'shipping_paise', shipping,
    'cart_shipping_paise', case when shipping is not null and fulfilment = 'delivery'
                                then private.shipping_paise(private.zone_of(pincode), priced.grams, 'cart') end,
    'shipping_tax_paise', case when shipping is not null and private.is_registered() then (
      select private.shipping_tax_paise(shipping, array_agg(l.hsn), array_agg(l.gst_percent), array_agg(l.line_paise))
      from jsonb_to_recordset(quote.lines) as l (hsn text, gst_percent numeric, line_paise numeric)) else 0 end,
    'total_paise', quote.sub_total_paise + quote.tax_paise + shipping,
    'delivery_by', case when shipping is not null then quote.delivery_by end,
    'spoiled', coalesce(priced.spoiled, '[]'),
    'problem', case when priced.refusal is not null
                    then jsonb_build_object('message', private.say_refusal(priced.refusal), 'field',
                           case priced.refusal ->> 'reason' when 'outside-zones' then 'zip' else 'lines' end) end);
end $$;

create or replace function private.product_card(product public."Products") returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object(
    'Id', product."Id", 'Name', product."Name", 'Price', product."Price", 'regular_price', product.regular_price,
    'Image', product."Image", 'Category', product."Category", 'isavailable', product.isavailable, 'hasSize', product."hasSize",
    'Rating', product."Rating", 'review_count', product.review_count, 'offer_percent', product.offer_percent,
    'food_mark', product.food_mark, 'gst_percent', product.gst_percent);
$$;

create or replace function public.product_page(product_id bigint) returns jsonb
language sql stable set search_path = '' as $$
  select private.product_card(p) || jsonb_build_object(
    'Description', p."Description", 'weight_grams', p.weight_grams,
    'ingredients', p.ingredients, 'allergens', p.allergens, 'shelf_life_days', p.shelf_life_days, 'storage', p.storage,
    'maker', p.maker)
  from public."Products" p
  where p."Id" = product_page.product_id and p.is_listed and p.archived_at is null;
$$;
