import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Order } from '#contracts/console/order.ts';
import { PaymentChip } from '../../order-status/payment-chip.tsx';
import { orderSpecimen } from '../order-specimens.ts';
import { grossProfit } from '../order-sums.ts';
import { withoutInvoice } from './order-documents.tsx';
import { OrderProgress } from './order-progress.tsx';

const sent: Partial<Order> = { courier: 'Pavan Parcel', tracking_number: 'PP1042' };
const progressOf = (order: Partial<Order>) =>
  renderToStaticMarkup(createElement(OrderProgress, { order: { ...orderSpecimen, ...order }, ask: () => {} }));

test.each(['Refunded', 'canceled'] as const)(
  'a %s order that was sent keeps its tracking, which no longer changes',
  (status) => {
    const progress = progressOf({ ...sent, status });
    expect(progress).toContain('Pavan Parcel');
    expect(progress).toContain('PP1042');
    expect(progress).not.toContain('Edit <span');
  },
);

test('an order on its way can be given another tracking number; one that was never sent has none', () => {
  expect(progressOf({ ...sent, status: 'Shipped' })).toContain('Edit <span');
  expect(progressOf({ status: 'Refunded' })).not.toContain('No courier entered');
});

test('what was refunded in full brings no profit, also while the money is on its way', () => {
  const all = orderSpecimen.total_paise;
  const back = (money: Partial<Order['money']>) =>
    grossProfit({ ...orderSpecimen, status: 'Delivered', money: { ...orderSpecimen.money, ...money } });
  const none = { state: 'none', because: 'refunded' };
  expect(back({ refunded_paise: all })).toEqual(none);
  expect(back({ refunded_paise: 100, under_way_paise: all - 100 })).toEqual(none);
  expect(grossProfit({ ...orderSpecimen, status: 'Refunded' })).toEqual(none);
  expect(back({ refunded_paise: all - 100 }).state).toBe('known');
});

test('an unpaid order is not refunded', () => {
  const money = { paid_paise: 0, refunded_paise: 0, under_way_paise: 0, refundable_paise: 0 };
  expect(grossProfit({ ...orderSpecimen, money }).state).toBe('known');
});

test('a canceled order without an invoice says that there will be none', () => {
  expect(withoutInvoice('canceled')).toBe('Cancelled before it was packed, so no invoice was issued.');
  expect(withoutInvoice('Confirmed')).toBe('The invoice is issued when the order is packed.');
});

test('refunded is said once', () => {
  const chip = (status: Order['status'], payment: Order['payment_status']) =>
    renderToStaticMarkup(createElement(PaymentChip, { status, payment }));
  expect(chip('Refunded', 'refunded')).toBe('');
  expect(chip('Refunded', 'refund_failed')).toContain('Refund failed');
  expect(chip('canceled', 'refunded')).toContain('Refunded');
});
