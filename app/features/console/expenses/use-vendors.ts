import { useQuery } from '@tanstack/react-query';
import { useRequests } from '../data/requests.ts';
import { type Vendor, Vendors } from './expense-data.ts';

const none: readonly Vendor[] = [];

/** Whom we buy from, by name. Without them an expense can still be entered. */
export function useVendors(): readonly Vendor[] {
  const { client } = useRequests();
  const { data = none } = useQuery({
    queryKey: ['vendors'],
    async queryFn() {
      const supabase = await client();
      const { data, error } = await supabase.from('vendors').select('id, name, archived_at').order('name').limit(1000);
      if (error) throw error;
      return Vendors.parse(data);
    },
  });
  return data;
}
