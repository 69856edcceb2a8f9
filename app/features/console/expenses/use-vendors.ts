import { useEffect, useState } from 'react';
import { useRequests } from '../data/requests.ts';
import { type Vendor, Vendors } from './expense-data.ts';

const none: readonly Vendor[] = [];

/** Whom we buy from, by name. Without them an expense can still be entered. */
export function useVendors(): readonly Vendor[] {
  const { client } = useRequests();
  const [vendors, setVendors] = useState(none);
  useEffect(() => {
    let gone = false;
    void client()
      .then((supabase) => supabase.from('vendors').select('id, name, archived_at').order('name').limit(1000))
      .then(({ data }) => !gone && data && setVendors(Vendors.parse(data)));
    return () => {
      gone = true;
    };
  }, [client]);
  return vendors;
}
