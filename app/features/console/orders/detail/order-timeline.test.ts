import { describe, expect, test } from 'vitest';
import { orderSpecimen as order } from '../order-specimens.ts';
import { timelineOf } from './order-timeline.ts';

const change = (id: number, after: Record<string, unknown>, before: Record<string, unknown> = {}) => ({
  id,
  at: `2026-11-16T06:0${id}:00+00:00`,
  by: 'Asha Rao',
  before,
  after,
});
const titles = (changes: typeof order.changes) =>
  timelineOf({ ...order, changes }).map(({ title, detail }) => [title, detail]);

test('what happened stands newest first, with who did it and what was said', () => {
  expect(timelineOf(order)).toMatchObject([
    { title: 'Confirmed', by: 'Asha Rao', publicNote: 'Thank you.', isStatus: true },
    { title: 'Order placed', by: 'The customer', publicNote: '' },
  ]);
});

test('an order that the shop took by phone was placed by the administrator who took it', () => {
  const [placed] = order.events as [(typeof order.events)[number]];
  const taken = { ...order, source: 'manual' as const, events: [{ ...placed, role: 'administrator' as const }] };
  expect(timelineOf(taken)).toMatchObject([{ title: 'Order placed', by: 'An administrator' }]);
});

test('a move that was undone stays in the history, and so does the undo', () => {
  const [placed, confirmed] = order.events as [(typeof order.events)[number], (typeof order.events)[number]];
  const undo = { ...confirmed, id: 99, from_status: 'Confirmed', to_status: 'Pending', note: '', undoes: confirmed.id };
  expect(timelineOf({ ...order, events: [placed, confirmed, undo] }).map(({ title }) => title)).toEqual([
    'Moved back to Pending',
    'Confirmed (undone)',
    'Order placed',
  ]);
});

describe('corrections are told in words', () => {
  test('of the address, field by field', () => {
    const after = { delivery_zip: '411030', delivery_city: 'Pune' };
    const before = { delivery_zip: '400028', delivery_city: '' };
    expect(titles([change(1, after, before)])[0]).toEqual([
      'Address edited',
      'pincode: 400028 → 411030; city: none → Pune',
    ]);
  });

  test('of the payment and the courier', () => {
    const changes = [
      change(1, { payment_status: 'paid_offline', offline_method: 'upi' }),
      change(2, { courier: 'Own rider', tracking_number: null }),
    ];
    expect(titles(changes).slice(0, 2)).toEqual([
      ['Tracking edited', 'Own rider'],
      ['Marked as paid', 'UPI'],
    ]);
  });

  test('and not twice: what an event or a refund tells is left out', () => {
    const changes = [
      change(1, { status: 'Shipped', courier: 'Own rider' }),
      change(2, { payment_status: 'refund_pending' }),
      change(3, { status_since: 'x' }),
    ];
    expect(titles(changes)).toHaveLength(2);
  });
});

test('refunds that an administrator made are in the timeline, retries of the shop are not', () => {
  const refund = {
    id: 'r1',
    amount_paise: 5_000,
    reason: 'order refunded',
    note: 'One box crushed',
    status: 'processed' as const,
    is_by_hand: false,
    is_retry: false,
    provider_refund_id: null,
    asked_by: 'Bina Shah',
    created_at: '2026-11-17T00:00:00+00:00',
    processed_at: null,
    next_try_at: null,
    can_retry: false,
    due_on: '2026-11-25',
    is_finished: true,
    accepted_at: null,
    failure: '',
    method: null,
    paid_on: null,
    reference: '',
  };
  const refunds = [
    refund,
    { ...refund, id: 'r2', asked_by: null },
    { ...refund, id: 'r3', is_retry: true },
    { ...refund, id: 'r4', is_by_hand: true },
  ];
  const told = timelineOf({ ...order, refunds }).filter(({ key }) => key.startsWith('refund'));
  expect(told.map(({ title }) => title).sort()).toEqual([
    'Refund of ₹50 retried',
    'Refund of ₹50 started',
    '₹50 refunded offline',
  ]);
  expect(told[0]).toMatchObject({ by: 'Bina Shah', detail: 'One box crushed' });
});

test('why it was canceled is told, once', () => {
  const canceled = { ...order.events[1], id: 3, to_status: 'canceled', note: '' } as (typeof order.events)[number];
  const told = (note: string) =>
    timelineOf({ ...order, cancel_reason: 'Sold out', events: [{ ...canceled, note }] })[0];
  expect(told('')).toMatchObject({ title: 'Cancelled', detail: 'Sold out' });
  expect(told('Sold out')).toMatchObject({ publicNote: 'Sold out', detail: '' });
});
