-- Offers by code, in every state. None is automatic: that is for the owner to decide.
insert into private.offers (code, name, kind, percent, amount_paise, max_discount_paise, min_order_paise, categories, is_first_order_only,
                            max_uses, max_uses_per_customer, budget_paise, starts_at, ends_at, combines, stopped_at, created_at, updated_at)
select o.code, o.name, o.kind, o.percent, o.amount_paise, o.max_discount_paise, o.min_order_paise, o.categories::text[], o.is_first_order_only,
       o.max_uses, o.max_uses_per_customer, o.budget_paise, private.start_of(private.day_of(now()) - o.from_days),
       case when o.until_days is not null then private.start_of(private.day_of(now()) - o.until_days) end, o.combines,
       case when o.is_stopped then now() - interval '3 days' end, now() - make_interval(days => o.from_days + 2), now() - interval '3 days'
from (values
  ('DIWALI10', 'Diwali sweets', 'percent', 10, null, 20000, 50000, '{}', false, 500, 2, 5000000, 30, 8, false, false),
  ('WELCOME50', 'Welcome to Mithaas', 'amount', null, 5000, null, 30000, '{}', true, null, 1, null, 90, null, false, false),
  ('FREESHIP', 'Free delivery', 'free-delivery', null, null, null, 99900, '{}', false, 200, null, null, 20, -40, true, false),
  ('LADDU15', 'Laddu week', 'percent', 15, null, null, 0, '{Laddu}', false, null, null, 1000000, 12, -5, false, true)
) o (code, name, kind, percent, amount_paise, max_discount_paise, min_order_paise, categories, is_first_order_only, max_uses,
     max_uses_per_customer, budget_paise, from_days, until_days, combines, is_stopped);
