import type { ShopContext } from '#app/shop-context.ts';
import { call } from '#contracts/contract.ts';
import { orderByLink } from '#contracts/order-links.ts';
import type { FollowedOrder } from './followed-order.ts';

/** What read_link() takes for a link; other text may hold characters that PostgreSQL refuses. */
const link = /^[\w-]{72}$/;

/** The order that a signed link opens; null: forged, expired, revoked or gone. */
export async function loadFollowedOrder({ read }: ShopContext, token: string): Promise<FollowedOrder | null> {
  return link.test(token) ? call(read, orderByLink, { token }) : null;
}
