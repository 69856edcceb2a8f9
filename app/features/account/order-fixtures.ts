// An order and a refund for tests; each test says what matters to it.
import { paise } from '#domain/money.ts';
import type { PastOrder } from './order-history.ts';
import type { Refund } from './refunds.ts';

export const orderOf = (some: Partial<PastOrder>): PastOrder => ({
  id: '1a2b3c4d-0000-4000-8000-000000000000',
  number: 2501,
  shortId: '1a2b3c4d',
  placedAt: new Date('2026-11-16T04:01:00Z'),
  subtotalPaise: paise(120_000),
  taxPaise: paise(6_000),
  shippingPaise: paise(4_000),
  shippingTaxPaise: paise(190),
  offers: [],
  totalPaise: paise(130_000),
  status: 'Pending',
  paymentStatus: 'paid',
  fulfilment: 'delivery',
  deliveryBy: null,
  isChosenDay: false,
  missedDay: null,
  courier: null,
  trackingNumber: null,
  trackingUrl: null,
  cancelReason: null,
  items: [],
  events: [],
  documents: [],
  gift: null,
  group: null,
  ...some,
});

export const refundOf = (some: Partial<Refund>): Refund => ({
  id: 'refund',
  orderId: null,
  amountPaise: paise(130_000),
  state: 'under-way',
  reason: 'sold-out',
  askedAt: new Date('2026-11-16T04:01:00Z'),
  doneAt: null,
  dueOn: '2026-11-24',
  nextTryAt: null,
  byHand: null,
  reference: null,
  ...some,
});
