import { paise } from '#domain/money.ts';
import type { PastOrder } from './order-history.ts';

/** Puts groups, as the backend lists them, with the orders that stand for them. What makes no sense is left out. */
export function withGroups(orders: PastOrder[], listed: unknown): PastOrder[] {
  for (const row of Array.isArray(listed) ? listed : []) {
    const { id, recipients, total_paise, statuses } = row as Record<string, unknown>;
    const order = orders.find(({ group }) => group?.id === id);
    if (!order?.group || typeof recipients !== 'number' || typeof total_paise !== 'number') continue;
    order.group = {
      id: order.group.id,
      recipients,
      totalPaise: paise(total_paise),
      statuses: Object.entries((statuses ?? {}) as Record<string, number>),
    };
  }
  return orders;
}
