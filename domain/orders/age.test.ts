import { expect, test } from 'vitest';
import { formatAge, waitLevel } from './age.ts';
import type { OrderStatus } from './status.ts';

const now = new Date('2026-11-16T12:00:00+05:30');
const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
const waiting = (status: OrderStatus, hours: number, deliveryBy: string | null = null) =>
  waitLevel({ status, since: ago(hours), deliveryBy }, now);

test.each<[OrderStatus, number, string | null]>([
  ['Pending', 1.9, 'fine'],
  ['Pending', 2, 'long'],
  ['Pending', 4, 'too-long'],
  ['Confirmed', 11, 'fine'],
  ['Packed', 30, 'long'],
  ['Shipped', 95, 'fine'],
  ['Shipped', 200, 'too-long'],
  ['Ready', 50, 'long'],
  ['Delivered', 999, null],
  ['Collected', 999, null],
  ['canceled', 999, null],
  ['Refunded', 999, null],
])('%s for %d hours is %s', (status, hours, expected) => {
  expect(waiting(status, hours)).toBe(expected);
});

test('an order past its promised day waits too long, whatever it is; on that day it does not yet', () => {
  expect(waiting('Shipped', 1, '2026-11-15')).toBe('too-long');
  expect(waiting('Shipped', 1, '2026-11-16')).toBe('fine');
  expect(waiting('Delivered', 1, '2026-11-15')).toBeNull();
  // Half past midnight in India is still the day before in London.
  const early = new Date('2026-11-16T00:30:00+05:30');
  expect(waitLevel({ status: 'Packed', since: early, deliveryBy: '2026-11-15' }, early)).toBe('too-long');
});

test('an order for a chosen day waits from its packing day on, and not before', () => {
  const waitingFor = (packOn: string, status: OrderStatus = 'Confirmed', at = now) =>
    waitLevel({ status, since: ago(300), deliveryBy: '2026-12-07', packOn }, at);
  expect([waitingFor('2026-12-05'), waitingFor('2026-11-17', 'Pending'), waitingFor('2026-11-16')]).toEqual([
    'fine',
    'fine',
    'long',
  ]);
  expect(waitingFor('2026-11-15')).toBe('too-long');
  expect(waitingFor('2026-12-05', 'Packed')).toBe('too-long');
});

test.each([
  [0, 'now'],
  [-0.01, 'now'],
  [0.5, '30 min'],
  [0.999, '59 min'],
  [1, '1 h'],
  [47.9, '47 h'],
  [48, '2 d'],
  [24 * 400, '400 d'],
])('%d hours ago is %s', (hours, text) => {
  expect(formatAge(ago(hours), now)).toBe(text);
});
