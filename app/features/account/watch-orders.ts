import type { ShopClient } from '#app/backend/client.ts';

let channels = 0;

/**
 * Calls back for every change of the customer's orders (`own`) and for every event of one, with its order's id; and at
 * each connection (`connected`), because changes before it may have been missed. Both are filtered by the customer's id: the
 * policies of a subscriber are checked for each row that passes the filter.
 */
export function watchOrders(
  client: ShopClient,
  userId: string,
  { own, event, connected }: { own(): void; event(orderId: string): void; connected(): void },
): () => void {
  channels += 1; // a channel's name is free again only some time after it was left
  const mine = `user_id=eq.${userId}`;
  const channel = client
    .channel(`order-history-${channels}`)
    .on('postgres_changes', { event: '*', schema: 'public', table: 'orders', filter: mine }, own)
    .on<{ order_id: string }>(
      'postgres_changes',
      { event: 'INSERT', schema: 'public', table: 'order_events', filter: mine },
      ({ new: row }) => event(row.order_id),
    );
  let left = false;
  // Without a token no change would arrive; returning to the page reads again anyway.
  client.realtime.setAuth().then(
    () => left || channel.subscribe((state) => state === 'SUBSCRIBED' && connected()),
    () => {},
  );
  return () => {
    left = true;
    void client.removeChannel(channel);
  };
}
