import type { SupabaseClient } from '@supabase/supabase-js';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { z } from '#contracts/z.ts';
import { useRequests } from '../data/requests.ts';

type Table = 'greetings' | 'caurousel' | 'testimonials';
const orders: Record<Table, readonly string[]> = {
  greetings: ['starts_at', 'id'],
  caurousel: ['position', 'id'],
  testimonials: ['position', 'id'],
};

/** A whole table that stays small, in its order. */
export function useRows<Schema extends z.ZodType>(table: Table, schema: Schema): UseQueryResult<z.infer<Schema>> {
  const { client } = useRequests();
  return useQuery<z.infer<Schema>>({
    queryKey: [table],
    async queryFn() {
      // Its rows are what the schema says.
      const supabase: SupabaseClient = await client();
      let query = supabase.from(table).select('*').limit(1000);
      for (const column of orders[table]) query = query.order(column);
      const { data, error } = await query;
      if (error) throw error;
      return schema.parse(data);
    },
  });
}
