import { expect, test } from 'vitest';
import {
  type PendingPayment,
  parsePendingPayments,
  pendingPaymentsFor,
  serializePendingPayments,
  withoutPendingPayment,
  withPendingPayment,
} from './pending-payments.ts';

const now = Date.UTC(2026, 10, 16, 7);
const note = (providerOrderId: string, startedAt = now - 1000): PendingPayment => ({
  providerOrderId,
  userId: 'meera',
  source: 'cart',
  lines: [{ productId: 9, size: 500, quantity: 2 }],
  startedAt,
  standing: 'closed',
});

test('a pending payment is parsed as it was stored', () => {
  const notes: PendingPayment[] = [
    note('order_1'),
    { ...note('order_2'), standing: 'doubtful' },
    { ...note('order_3'), standing: 'open' },
  ];
  expect(parsePendingPayments(serializePendingPayments(notes), now)).toEqual(notes);
});

test('it expires after a day, and one from the future is ignored', () => {
  const day = 24 * 60 * 60_000;
  const stored = serializePendingPayments([
    note('old', now - day),
    note('kept', now - day + 1),
    note('future', now + 5000),
  ]);
  expect(parsePendingPayments(stored, now).map(({ providerOrderId }) => providerOrderId)).toEqual(['kept']);
});

test('garbage is ignored', () => {
  for (const text of [null, '', 'x', '{}', '[null]', '[1]', '[{"providerOrderId":"order_1"}]'])
    expect(parsePendingPayments(text, now)).toEqual([]);
  const odd = JSON.stringify([{ ...note('order_1'), standing: 'paid', lines: { 9: { 500: -1, 700: 2 }, x: 1 } }]);
  expect(parsePendingPayments(odd, now)).toEqual([{ ...note('order_1'), lines: [] }]);
});

test('an order is stored once, and at most five are stored', () => {
  const notes = ['a', 'b', 'c', 'a', 'd', 'e', 'f'].reduce<PendingPayment[]>(
    (all, id) => withPendingPayment(all, note(id)),
    [],
  );
  expect(notes.map(({ providerOrderId }) => providerOrderId)).toEqual(['c', 'a', 'd', 'e', 'f']);
  expect(withoutPendingPayment(notes, 'd')).toHaveLength(4);
});

test('the same sweets of the same person are found in whatever order they stand, the latest first', () => {
  const lines = [
    { productId: 9, size: 500, quantity: 2 },
    { productId: 10, size: 1000, quantity: 1 },
  ] as const;
  const notes = [
    note('other'),
    { ...note('first'), lines: [...lines] },
    { ...note('last'), lines: lines.toReversed() },
  ];
  const found = (wanted: Partial<Parameters<typeof pendingPaymentsFor>[1]>) =>
    pendingPaymentsFor(notes, { userId: 'meera', source: 'cart', lines, ...wanted }).map(
      ({ providerOrderId }) => providerOrderId,
    );
  expect(found({})).toEqual(['last', 'first']);
  expect(found({ userId: 'rahul' })).toEqual([]);
  expect(found({ source: 'direct' })).toEqual([]);
  expect(found({ lines: [{ ...lines[0], quantity: 3 }, lines[1]] })).toEqual([]);
});
