import { expect, test } from 'vitest';
import type { OrderEvent } from '#app/parts/order-progress/order-standing.ts';
import { timelineOf } from '#app/parts/order-progress/order-timeline.ts';
import { orderOf } from './order-fixtures.ts';

const now = new Date('2026-11-16T06:00:00Z');
const event = (status: string, some: Partial<OrderEvent> = {}): OrderEvent => ({
  status,
  by: 'administrator',
  note: '',
  at: now,
  ...some,
});

test('what happened stands in order, the latest is marked, and the arrival is still open', () => {
  const steps = timelineOf(
    orderOf({
      status: 'Confirmed',
      deliveryBy: new Date('2026-11-17T18:30:00Z'),
      events: [event('Pending', { by: 'system' }), event('Confirmed', { note: 'We pack it fresh.' })],
    }),
    now,
  );
  expect(steps.map(({ title, state, note, at }) => [title, state, note, at])).toEqual([
    ['Order placed', 'done', '', now],
    ['Confirmed', 'current', 'We pack it fresh.', now],
    ['Arrives by Wed, 18 Nov', 'to-come', '', null],
  ]);
});

test('the parcel is told of once, where it last left us', () => {
  const tracked = { courier: 'Pavan Parcel', trackingNumber: 'P1', trackingUrl: 'https://courier.example/P1' };
  const events = [event('Shipped', { note: 'Handed over.' }), event('Undelivered'), event('Shipped')];
  const steps = timelineOf(orderOf({ status: 'Shipped', events, ...tracked }), now);
  expect(steps.map(({ tracking }) => tracking)).toEqual([
    null,
    null,
    { courier: 'Pavan Parcel', number: 'P1', url: 'https://courier.example/P1' },
  ]);
  const [only] = timelineOf(
    orderOf({ events: [event('Shipped', { note: 'Handed over, number P1.' })], ...tracked }),
    now,
  );
  expect(only).toMatchObject({ note: '', tracking: { number: 'P1' } });
});

test.each([
  ['customer', 'Cancelled by you', ''],
  ['administrator', 'Cancelled by us', 'It had sold out'],
  ['system', 'Cancelled', 'It had sold out'],
])('who canceled is said: %s', (by, title, note) => {
  const order = orderOf({ status: 'canceled', cancelReason: 'It had sold out', events: [event('canceled', { by })] });
  expect(timelineOf(order, now)).toMatchObject([{ title, note, state: 'current' }]);
});

test('a public note goes before the reason', () => {
  const events = [event('canceled', { note: 'We are sorry.' })];
  expect(timelineOf(orderOf({ status: 'canceled', cancelReason: 'Sold out', events }), now)).toMatchObject([
    { note: 'We are sorry.' },
  ]);
});
