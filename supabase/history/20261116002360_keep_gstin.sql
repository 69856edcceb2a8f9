-- A shop that is not registered may not take GST: the GSTIN goes only when no product is taxed any more. An order would
-- otherwise charge a tax that its invoice denies.
create function private.keep_gstin() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  taxed constant bigint := (select count(*) from public."Products" p where p.gst_percent > 0 and p.archived_at is null);
begin
  if taxed > 0 then
    perform private.refuse(format('Without a GSTIN no GST may be charged, and %s. Set GST to 0 there first.',
      case taxed when 1 then 'one product has it' else format('%s products have it', taxed) end), 'gstin');
  end if;
  return new;
end $$;
create trigger shop_settings_keep_gstin before update of gstin on public.shop_settings
  for each row when (old.gstin <> '' and new.gstin = '') execute function private.keep_gstin();
revoke execute on function private.keep_gstin() from public;
