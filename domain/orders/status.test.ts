import { describe, expect, test } from 'vitest';
import { type Fulfilment, nextStatuses, type OrderStatus, orderMoves, orderStatuses } from './status.ts';

const fulfilments: Fulfilment[] = ['delivery', 'pickup'];
const next = (status: OrderStatus, fulfilment: Fulfilment, actor: 'customer' | 'administrator' = 'administrator') =>
  nextStatuses({ status, fulfilment }, actor);

describe('an administrator moves a delivery', () => {
  test.each<[OrderStatus, OrderStatus[]]>([
    ['Pending', ['Confirmed', 'canceled']],
    ['Confirmed', ['Preparing', 'canceled']],
    ['Preparing', ['Packed', 'canceled']],
    ['Packed', ['Shipped', 'canceled']],
    ['Shipped', ['Delivered', 'Undelivered']],
    ['Undelivered', ['Shipped', 'canceled']],
    ['Delivered', ['Refunded']],
    ['canceled', []],
    ['Refunded', []],
  ])('from %s to %s', (from, to) => {
    expect(next(from, 'delivery')).toEqual(to);
  });
});

describe('an administrator moves a pickup', () => {
  test.each<[OrderStatus, OrderStatus[]]>([
    ['Packed', ['Ready', 'canceled']],
    ['Ready', ['Collected', 'canceled']],
    ['Collected', ['Refunded']],
    ['Shipped', []],
    ['Delivered', []],
    ['Undelivered', []],
  ])('from %s to %s', (from, to) => {
    expect(next(from, 'pickup')).toEqual(to);
  });
});

test('a customer can cancel until preparation begins, and nothing else', () => {
  for (const fulfilment of fulfilments) {
    for (const status of orderStatuses) {
      const expected = status === 'Pending' || status === 'Confirmed' ? ['canceled'] : [];
      expect(next(status, fulfilment, 'customer'), status).toEqual(expected);
    }
  }
});

test('a shipped order is never canceled before it came back', () => {
  for (const fulfilment of fulfilments) {
    for (const status of ['Shipped', 'Delivered', 'Collected', 'Refunded'] as const)
      expect(next(status, fulfilment)).not.toContain('canceled');
  }
});

test('every status can be reached from Pending, and no order gets stuck before its end', () => {
  const ends: OrderStatus[] = ['canceled', 'Refunded'];
  const everywhere = fulfilments.flatMap((fulfilment) => {
    const reached = new Set<OrderStatus>(['Pending']);
    // A set is walked in the order of insertion, what is added on the way included.
    for (const status of reached) {
      const moves = next(status, fulfilment);
      expect(moves.length > 0 || ends.includes(status), `${fulfilment} ${status}`).toBe(true);
      for (const to of moves) reached.add(to);
    }
    return [...reached];
  });
  expect(new Set(everywhere)).toEqual(new Set(orderStatuses));
});

test('no move is listed twice, and none leads to where it began', () => {
  const pairs = orderMoves.map(({ from, to }) => `${from} → ${to}`);
  expect(new Set(pairs).size).toBe(pairs.length);
  expect(orderMoves.every(({ from, to }) => from !== to)).toBe(true);
});
