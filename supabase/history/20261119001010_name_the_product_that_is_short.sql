-- A quote that is refused for stock says of which product, by its id: the cart marks that line and prices the rest.
create or replace function private.shortage(product_ids bigint[], units integer[], held private.quotes) returns jsonb
language sql stable set search_path = '' as $$
  select case when not s.is_sold
    then jsonb_build_object('ok', false, 'reason', 'not-available', 'product', s.product, 'product_id', s.product_id)
    else jsonb_build_object('ok', false, 'reason', 'not-enough-stock', 'product', s.product, 'product_id', s.product_id,
                            'left', s.units + coalesce(h.units, 0), 'unit', case when s.has_size then 'g' else 'pieces' end) end
  from unnest(shortage.product_ids, shortage.units) as w (product_id, units)
  join private.saleable() s on s.product_id = w.product_id
  left join unnest(held.product_ids, held.units) as h (product_id, units) on h.product_id = w.product_id
  where not s.is_sold or w.units > s.units + coalesce(h.units, 0)
  order by w.product_id
  limit 1;
$$;
