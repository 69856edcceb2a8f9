-- A profile is the customer's own as a whole, columns that are added to it included; private.guard_profile keeps whose it
-- is and its dates. A list of columns here would have to follow every column that is added.
grant insert, update on public.user_profiles to authenticated;
