import type { ShopContext } from '#app/shop-context.ts';
import { call } from '#contracts/contract.ts';
import { orderByLink } from '#contracts/order-links.ts';
import type { FollowedOrder } from './followed-order.ts';

const longestToken = 200;

/** The order that a signed link opens; null: forged, expired, revoked or gone. */
export function loadFollowedOrder({ read }: ShopContext, token: string): Promise<FollowedOrder | null> {
  return call(read, orderByLink, { token: token.slice(0, longestToken) });
}
