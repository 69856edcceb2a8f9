import { type Fulfilment, nextStatuses, type OrderStatus, orderStatuses } from './status.ts';

type Movable = { status: OrderStatus; fulfilment: Fulfilment };

// These need a reason: money is refunded, goods may be thrown away.
const withReason: readonly OrderStatus[] = ['canceled', 'Refunded'];

/** Status changes that an administrator makes with one press, in the order of the table of moves. */
export function quickMoves(order: Movable): OrderStatus[] {
  return nextStatuses(order, 'administrator').filter((status) => !withReason.includes(status));
}

/** Bulk changes: each status that at least one order may move to, with those orders. */
export function movesOfMany<T extends Movable>(orders: readonly T[]): { to: OrderStatus; orders: T[] }[] {
  return orderStatuses
    .map((to) => ({ to, orders: orders.filter((order) => quickMoves(order).includes(to)) }))
    .filter((move) => move.orders.length > 0);
}

const movesShownToCustomer: readonly OrderStatus[] = ['Shipped', 'Ready', 'Delivered', 'Undelivered', 'Collected'];

/** Needs confirmation: it tells the customer that goods have left the shop, and can be undone for a minute only. */
export const needsConfirmation = (to: OrderStatus): boolean => movesShownToCustomer.includes(to);
