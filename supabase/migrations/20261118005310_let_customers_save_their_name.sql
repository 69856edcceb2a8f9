-- Customers write the columns of their profile that are granted by name (refuse_forbidden_writes_by_grant); the name is one.
grant insert (full_name), update (full_name) on public.user_profiles to authenticated;
