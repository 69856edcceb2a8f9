import { expect, test } from 'vitest';
import { movesOfMany, needsConfirmation, quickMoves } from './quick-moves.ts';
import { type Fulfilment, type OrderStatus, orderStatuses } from './status.ts';

const order = (status: OrderStatus, fulfilment: Fulfilment = 'delivery') => ({ status, fulfilment });

test('one press moves an order forward, and never cancels or refunds it', () => {
  expect(quickMoves(order('Pending'))).toEqual(['Confirmed']);
  expect(quickMoves(order('Shipped'))).toEqual(['Delivered', 'Undelivered']);
  expect(quickMoves(order('Packed', 'pickup'))).toEqual(['Ready']);
  for (const status of orderStatuses)
    expect(quickMoves(order(status)).filter((to) => to === 'canceled' || to === 'Refunded')).toEqual([]);
  for (const over of ['Delivered', 'canceled', 'Refunded'] as const) expect(quickMoves(order(over))).toEqual([]);
});

test('several orders are offered what at least one of them can do, with those that can', () => {
  const [a, b, c, d] = [order('Pending'), order('Packed'), order('Packed', 'pickup'), order('Pending')];
  expect(movesOfMany([a, b, c, d, order('canceled')])).toEqual([
    { to: 'Confirmed', orders: [a, d] },
    { to: 'Shipped', orders: [b] },
    { to: 'Ready', orders: [c] },
  ]);
  expect(movesOfMany([order('Delivered')])).toEqual([]);
});

test('a status that tells the customer goods have left needs confirmation', () => {
  expect(orderStatuses.filter(needsConfirmation)).toEqual([
    'Shipped',
    'Delivered',
    'Undelivered',
    'Ready',
    'Collected',
  ]);
});
