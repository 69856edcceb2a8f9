import { type Fulfilment, nextStatuses, type OrderStatus, orderStatuses } from './status.ts';

type Movable = { status: OrderStatus; fulfilment: Fulfilment };

// Money goes back, goods may be thrown away: somebody has to say why.
const withReason: readonly OrderStatus[] = ['canceled', 'Refunded'];

/** Where an administrator brings an order with a press, in the order of the table of moves. */
export function quickMoves(order: Movable): OrderStatus[] {
  return nextStatuses(order, 'administrator').filter((status) => !withReason.includes(status));
}

/** What can be done with several at once: each status that one of them may go to, and those that may. */
export function movesOfMany<T extends Movable>(orders: readonly T[]): { to: OrderStatus; orders: T[] }[] {
  return orderStatuses
    .map((to) => ({ to, orders: orders.filter((order) => quickMoves(order).includes(to)) }))
    .filter((move) => move.orders.length > 0);
}

const movesShownToCustomer: readonly OrderStatus[] = ['Shipped', 'Ready', 'Delivered', 'Undelivered', 'Collected'];

/** What is asked about first, because it says that goods have left the shop; it can be undone for a minute only. */
export const needsConfirmation = (to: OrderStatus): boolean => movesShownToCustomer.includes(to);
