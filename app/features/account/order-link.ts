import type { ShopClient } from '#app/backend/client.ts';
import type { OrderLink } from '#app/parts/order-link/order-link-dialog.tsx';

/** A new link for an order of the customer's. Throws when there is none. */
export const readOrderLink = (client: ShopClient, orderId: string): Promise<OrderLink> =>
  linkFrom(client.rpc('my_order_link', { order_id: orderId }));

/** Ends the links made until now; returns a new one. */
export const revokeOrderLinks = (client: ShopClient, orderId: string): Promise<OrderLink> =>
  linkFrom(client.rpc('revoke_my_order_links', { order_id: orderId }));

async function linkFrom(request: PromiseLike<{ data: unknown; error: Error | null }>): Promise<OrderLink> {
  const { data, error } = await request;
  const { token, days, revoked_at } = (data ?? {}) as Record<string, unknown>;
  if (error || typeof token !== 'string') throw error ?? new Error('there is no such order');
  return { token, days: Number(days), revoked_at: typeof revoked_at === 'string' ? revoked_at : null };
}
