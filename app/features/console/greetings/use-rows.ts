import type { SupabaseClient } from '@supabase/supabase-js';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { z } from '#contracts/z.ts';
import { type Loaded, useRequests } from '../data/requests.ts';

type Table = 'greetings' | 'caurousel' | 'testimonials';
const orders: Record<Table, readonly string[]> = {
  greetings: ['starts_at', 'id'],
  caurousel: ['position', 'id'],
  testimonials: ['position', 'id'],
};

/** A whole table that stays small, in its order; what was shown stays while it is read again. */
export function useRows<Schema extends z.ZodType>(
  table: Table,
  schema: Schema,
): { loaded: Loaded<z.infer<Schema>>; reload(): void } {
  const { client } = useRequests();
  const [loaded, setLoaded] = useState<Loaded<z.infer<Schema>>>({ state: 'loading' });
  const [attempts, setAttempts] = useState(0);
  const reader = useRef(schema);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt is a reason to read again
  useEffect(() => {
    let gone = false;
    async function read() {
      // Its rows are what the schema says.
      const supabase: SupabaseClient = await client();
      let query = supabase.from(table).select('*').limit(1000);
      for (const column of orders[table]) query = query.order(column);
      const { data, error } = await query;
      if (error) throw error;
      return reader.current.parse(data);
    }
    read().then(
      (value) => !gone && setLoaded({ state: 'ready', value }),
      (error) => {
        console.warn(`${table} could not be read`, error);
        if (!gone) setLoaded((shown) => (shown.state === 'ready' ? shown : { state: 'failed' }));
      },
    );
    return () => {
      gone = true;
    };
  }, [client, table, attempts]);

  return { loaded, reload: useCallback(() => setAttempts((count) => count + 1), []) };
}
