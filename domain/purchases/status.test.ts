import { expect, test } from 'vitest';
import {
  canReceive,
  nextPurchaseStatuses,
  type PurchaseStatus,
  progressOf,
  purchaseMoves,
  purchaseStatuses,
  statusLabel,
} from './status.ts';

test.each<[PurchaseStatus, PurchaseStatus[], boolean]>([
  ['Draft', ['Ordered'], false],
  ['Ordered', ['Closed'], true],
  ['Received', ['Closed'], true],
  ['Closed', [], false],
])('from %s a person goes to %s; goods can come in: %s', (status, next, receives) => {
  expect(nextPurchaseStatuses(status)).toEqual(next);
  expect(canReceive(status)).toBe(receives);
});

test('every status is reached from Draft, and everything can be closed in the end', () => {
  const reached = new Set<PurchaseStatus>(['Draft']);
  for (const status of reached) {
    const moves = purchaseMoves.filter(({ from }) => from === status);
    expect(moves.length > 0 || status === 'Closed').toBe(true);
    for (const { to } of moves) reached.add(to);
  }
  expect(reached).toEqual(new Set(purchaseStatuses));
});

test('the label says what the status alone does not', () => {
  const whole = progressOf([{ quantity: 5, received: 5 }]);
  const part = progressOf([
    { quantity: 5, received: 5 },
    { quantity: 2.5, received: 1 },
  ]);
  const none = progressOf([{ quantity: 5, received: 0 }]);
  expect(statusLabel('Draft', none)).toBe('Draft');
  expect(statusLabel('Ordered', none)).toBe('Ordered');
  expect(statusLabel('Received', whole)).toBe('Received');
  expect(statusLabel('Received', part)).toBe('Partly received');
  expect(statusLabel('Closed', whole)).toBe('Closed');
  expect(statusLabel('Closed', part)).toBe('Closed short');
  expect(statusLabel('Closed', none)).toBe('Cancelled');
});
