import { expect, test } from 'vitest';
import { orderStatuses } from './status.ts';
import { canBeUndone, withoutUndone } from './undo.ts';

test('what issues a document or returns stock or money cannot be undone', () => {
  expect(orderStatuses.filter((status) => !canBeUndone(status))).toEqual(['Pending', 'Packed', 'canceled', 'Refunded']);
});

test('a customer reads neither the move that was undone nor the undo, however often it happened', () => {
  const event = (id: number, status: string, undoes: number | null = null) => ({ id, status, undoes });
  const events = [
    event(1, 'Pending'),
    event(2, 'Confirmed'),
    event(3, 'Pending', 2),
    event(4, 'Confirmed'),
    event(5, 'Preparing'),
    event(6, 'Confirmed', 5),
  ];
  expect(withoutUndone(events).map(({ id }) => id)).toEqual([1, 4]);
});
