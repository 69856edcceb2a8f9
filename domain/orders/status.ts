export const orderStatuses = [
  'Pending',
  'Confirmed',
  'Preparing',
  'Packed',
  'Shipped',
  'Delivered',
  'Undelivered',
  'Ready',
  'Collected',
  'canceled',
  'Refunded',
] as const;
export type OrderStatus = (typeof orderStatuses)[number];

// Sets of statuses; private.is_before_packing() and private.is_finished() in SQL.
const beforePacking: readonly OrderStatus[] = ['Pending', 'Confirmed', 'Preparing'];
const finished: readonly OrderStatus[] = ['Delivered', 'Collected', 'canceled', 'Refunded'];
export const isBeforePacking = (status: OrderStatus): boolean => beforePacking.includes(status);
export const isFinished = (status: OrderStatus): boolean => finished.includes(status);

export type Fulfilment = 'delivery' | 'pickup';

export type OrderMove = {
  from: OrderStatus;
  to: OrderStatus;
  byCustomer: boolean;
  /** null: for both kinds. */
  fulfilment: Fulfilment | null;
  /** Whether an administrator can undo it, for a minute; see domain/orders/undo.ts. */
  canBeUndone: boolean;
};

// An invoice is issued, stock and money go back: none of that can be undone.
const isFinal = (to: OrderStatus) => to === 'Packed' || to === 'canceled' || to === 'Refunded';

const move = (
  from: OrderStatus,
  to: OrderStatus,
  fulfilment: Fulfilment | null = null,
  byCustomer = false,
): OrderMove => ({ from, to, byCustomer, fulfilment, canBeUndone: !isFinal(to) });

/** The statuses that cause an email to a customer with an account: as mail_of_status() in SQL, which a test compares. */
export const emailedStatuses: readonly OrderStatus[] = [
  'Pending',
  'Confirmed',
  'Shipped',
  'Delivered',
  'Ready',
  'Collected',
  'canceled',
];

/** The legal moves. The database holds the same table (private.order_status_edges) and enforces it. */
export const orderMoves: readonly OrderMove[] = [
  move('Pending', 'Confirmed'),
  move('Confirmed', 'Preparing'),
  move('Preparing', 'Packed'),
  move('Packed', 'Shipped', 'delivery'),
  move('Shipped', 'Delivered', 'delivery'),
  move('Shipped', 'Undelivered', 'delivery'),
  move('Undelivered', 'Shipped', 'delivery'),
  move('Packed', 'Ready', 'pickup'),
  move('Ready', 'Collected', 'pickup'),
  move('Pending', 'canceled', null, true),
  move('Confirmed', 'canceled', null, true),
  move('Preparing', 'canceled'),
  move('Packed', 'canceled'),
  move('Ready', 'canceled', 'pickup'),
  move('Undelivered', 'canceled', 'delivery'),
  move('Delivered', 'Refunded', 'delivery'),
  move('Collected', 'Refunded', 'pickup'),
];

/** Where an order may go next, in the order of the table. */
export function nextStatuses(
  order: { status: OrderStatus; fulfilment: Fulfilment },
  actor: 'customer' | 'administrator',
): OrderStatus[] {
  return orderMoves
    .filter(({ from, fulfilment }) => from === order.status && (fulfilment === null || fulfilment === order.fulfilment))
    .filter(({ byCustomer }) => byCustomer || actor === 'administrator')
    .map(({ to }) => to);
}
