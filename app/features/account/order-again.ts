import type { ShopClient } from '#app/backend/client.ts';
import type { BoxLine } from '#domain/boxes/box.ts';
import type { CartLine } from '#domain/cart/cart.ts';
import { boxesToSend, type LineAgain, linesAgain, linesToSend } from '#domain/gifts/send-again.ts';

/** What can be bought of an earlier order today. */
export type OrderToBuy = { lines: CartLine[]; boxes: BoxLine[] };

/** What an earlier order is today. Throws when it cannot be read. */
export async function readOrderAgain(client: ShopClient, orderId: string): Promise<LineAgain[]> {
  const { data, error } = await client.rpc('my_order_again', { order_id: orderId });
  const lines = error ? null : linesAgain(data);
  if (!lines) throw error ?? new Error('there is no such order');
  return lines;
}

export const toBuy = (lines: readonly LineAgain[]): OrderToBuy => ({
  lines: linesToSend(lines),
  boxes: boxesToSend(lines),
});
