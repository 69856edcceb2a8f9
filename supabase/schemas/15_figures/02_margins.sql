-- The margin of each product.
-- Kept by triggers on prices and costs, read by the console.
set check_function_bodies = off;

-- The margin of price over unit cost, to sort by: kept by triggers, and never in the public table. Unknown ones
-- sort first. `until`: a cost can be entered ahead.
create table private.product_margins (
  product_id bigint primary key references public."Products" ("Id") on delete cascade,
  margin numeric not null constraint product_margins_margin_is_a_number check (margin <> 'NaN'),
  valid_until timestamptz
);
create index product_margins_idx on private.product_margins (margin, product_id);
-- Partial index: margins that end when an offer does.
create index product_margins_until_idx on private.product_margins (valid_until) where valid_until is not null;
alter table private.product_margins enable row level security;

create function private.update_margin_of_product() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.update_margin(new."Id");
  return null;
end $$;
create trigger products_update_margin after insert on public."Products"
  for each row execute function private.update_margin_of_product();
create trigger products_update_margin_changed after update of "Price" on public."Products"
  for each row when (old."Price" <> new."Price") execute function private.update_margin_of_product();

create function private.update_margin_of_cost() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.update_margin(case when tg_op = 'DELETE' then old.product_id else new.product_id end);
  return null;
end $$;
create trigger product_costs_update_margin after insert or update or delete on private.product_costs
  for each row execute function private.update_margin_of_cost();

create function private.update_margin(product_id bigint) returns void
language sql set search_path = '' as $$
  insert into private.product_margins (product_id, margin, valid_until)
  select p."Id", coalesce(1 - private.unit_cost_at(p."Id", now()) / p."Price", -1000000),
         (select min(c.valid_from) from private.product_costs c where c.product_id = p."Id" and c.valid_from > now())
  from public."Products" p where p."Id" = update_margin.product_id
  on conflict on constraint product_margins_pkey do update set margin = excluded.margin, valid_until = excluded.valid_until;
$$;
