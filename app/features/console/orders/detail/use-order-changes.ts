import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useSession } from '#app/backend/session.tsx';
import { markChanged } from '../../data/query-client.ts';

/** Calls back when the order changes, by anyone, and when the page is shown again. */
export function useOrderChanges(orderId: string | null, onChange: () => void): void {
  const { client } = useSession();
  const queries = useQueryClient();
  const latest = useRef(onChange);
  latest.current = onChange;

  useEffect(() => {
    if (orderId === null) return;
    const left = new AbortController();
    const { signal } = left;
    const changed = () => {
      markChanged(queries);
      latest.current();
    };
    window.addEventListener('focus', changed, { signal });
    void client().then(async (supabase) => {
      await supabase.realtime.setAuth();
      if (signal.aborted) return;
      const channel = supabase
        .channel(`console-order-${orderId}-${Date.now()}`)
        .on(
          'postgres_changes',
          { event: 'UPDATE', schema: 'public', table: 'orders', filter: `id=eq.${orderId}` },
          changed,
        )
        .subscribe();
      signal.addEventListener('abort', () => void supabase.removeChannel(channel));
    });
    return () => left.abort();
  }, [client, orderId, queries]);
}
