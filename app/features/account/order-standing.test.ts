import { expect, test } from 'vitest';
import { isCancelable, mayBeClaimed, standingOf, whyNotCancelable } from '#app/parts/order-progress/order-standing.ts';
import { type OrderStatus, orderStatuses } from '#domain/orders/status.ts';
import { orderOf } from './order-fixtures.ts';

const now = new Date('2026-11-16T06:00:00Z');

const paymentStatuses = [
  'unpaid',
  'paid',
  'paid_offline',
  'refund_pending',
  'partially_refunded',
  'refunded',
  'refund_failed',
] as const;

const places: Record<OrderStatus, string> = {
  Pending: 'Order received',
  Confirmed: 'Confirmed, being made next',
  Preparing: 'Being made in our kitchen',
  Packed: 'Packed, shipping soon',
  Shipped: 'On its way',
  Delivered: 'Delivered',
  Undelivered: 'Couldn’t be delivered; we’re looking into it',
  Ready: 'Ready to collect',
  Collected: 'Collected',
  canceled: 'Cancelled',
  Refunded: 'Refunded',
};

/** What follows the place: for orders that go on, and for those that were undone. */
const money: Record<(typeof paymentStatuses)[number], [kept: string, undone: string]> = {
  unpaid: [', not paid yet', ', nothing was paid'],
  paid: ['', ', we’re refunding your money'],
  paid_offline: ['', ', we’ll refund what you paid'],
  refund_pending: [', your refund is on its way', ', your refund is on its way'],
  partially_refunded: [', part of your money has been refunded', ', part of your money has been refunded'],
  refunded: [', your refund has been sent', ', your refund has been sent'],
  refund_failed: [', your refund is delayed', ', your refund is delayed'],
};

test.each(orderStatuses.flatMap((status) => paymentStatuses.map((paymentStatus) => [status, paymentStatus] as const)))(
  '%s and %s is one plain sentence',
  (status, paymentStatus) => {
    const [kept, undone] = money[paymentStatus];
    const end = status === 'canceled' || status === 'Refunded' ? undone : kept;
    expect(standingOf(orderOf({ status, paymentStatus }), now)).toBe(`${places[status]}${end}`);
  },
);

const due = new Date('2026-11-17T18:30:00Z'); // Wednesday begins in India

test.each([
  ['Pending', 'Order received. Arrives by Wed, 18 Nov'],
  ['Shipped', 'On its way. Arrives by Wed, 18 Nov'],
  ['Undelivered', 'Couldn’t be delivered; we’re looking into it'],
  ['Delivered', 'Delivered'],
  ['canceled', 'Cancelled, we’re refunding your money'],
])('the day of arrival is said while it is ahead: %s', (status, sentence) => {
  expect(standingOf(orderOf({ status, deliveryBy: due }), now)).toBe(sentence);
});

test('on the day itself it still arrives, the day after we are sorry', () => {
  const order = orderOf({ status: 'Shipped', deliveryBy: due });
  expect(standingOf(order, new Date('2026-11-18T18:29:00Z'))).toBe('On its way. Arrives by Wed, 18 Nov');
  expect(standingOf(order, new Date('2026-11-18T18:30:00Z'))).toBe(
    'On its way. It was due by Wed, 18 Nov; we are sorry for the delay',
  );
});

test('what is picked up does not arrive', () => {
  const order = orderOf({ status: 'Packed', fulfilment: 'pickup', deliveryBy: due });
  expect(standingOf(order, now)).toBe('Packed, ready for you soon');
});

test('a delivered order says when, an unknown status is shown as it is', () => {
  const events = [{ status: 'Delivered', by: 'administrator', note: '', at: new Date('2026-11-14T04:00:00Z') }];
  expect(standingOf(orderOf({ status: 'Delivered', events }), now)).toBe('Delivered on Sat, 14 Nov');
  expect(standingOf(orderOf({ status: 'Returned' }), now)).toBe('Returned');
});

test('Pending and Confirmed orders can be cancelled, all others say why not or need no word', () => {
  const answers = orderStatuses.map((status) => {
    const order = orderOf({ status });
    return [status, isCancelable(order) || whyNotCancelable(order)];
  });
  expect(Object.fromEntries(answers)).toEqual({
    Pending: true,
    Confirmed: true,
    Preparing: 'This order is already being made and can’t be cancelled. Write to us if something is wrong.',
    Packed: 'This order is already packed and can’t be cancelled. Write to us if something is wrong.',
    Shipped: 'This order is already on its way and can’t be cancelled. Write to us if something is wrong.',
    Undelivered: 'This order has already been shipped and can’t be cancelled. Write to us if something is wrong.',
    Ready: 'This order is ready for you and can’t be cancelled. Write to us if something is wrong.',
    Delivered: null,
    Collected: null,
    canceled: null,
    Refunded: null,
  });
});

test('problems are reported with orders that have left us', () => {
  const reported = orderStatuses.filter((status) => mayBeClaimed({ status }));
  expect(reported).toEqual(['Shipped', 'Delivered', 'Undelivered', 'Collected', 'Refunded']);
});
