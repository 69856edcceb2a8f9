import { useEffect, useRef } from 'react';
import { useSession } from '#app/backend/session.tsx';

type Heard = {
  /** An order was changed by anyone. */
  onUpdate(orderId: string): void;
  /** The page is shown again, or the connection is back: changes may have been missed. */
  onReturn(): void;
};

export function useOrderUpdates(heard: Heard): void {
  const { client } = useSession();
  const latest = useRef(heard);
  latest.current = heard;

  useEffect(() => {
    const left = new AbortController();
    const { signal } = left;
    const onReturn = () => document.visibilityState === 'visible' && latest.current.onReturn();
    document.addEventListener('visibilitychange', onReturn, { signal });
    window.addEventListener('focus', onReturn, { signal });
    void client().then(async (supabase) => {
      await supabase.realtime.setAuth();
      if (signal.aborted) return;
      let wasConnected = false;
      const channel = supabase
        .channel(`console-order-list-${Date.now()}`)
        .on<{ id: string }>(
          'postgres_changes',
          { event: 'UPDATE', schema: 'public', table: 'orders' },
          ({ new: order }) => latest.current.onUpdate(order.id),
        )
        .subscribe((state) => {
          if (state !== 'SUBSCRIBED') return;
          if (wasConnected) latest.current.onReturn();
          wasConnected = true;
        });
      signal.addEventListener('abort', () => void supabase.removeChannel(channel));
    });
    return () => left.abort();
  }, [client]);
}
