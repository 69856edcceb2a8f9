import { expect, test } from 'vitest';
import { notesFor, notesFrom, notesText, type PaymentNote, withNote, withoutNote } from './payment-note.ts';

const now = Date.UTC(2026, 10, 16, 7);
const note = (providerOrderId: string, startedAt = now - 1000): PaymentNote => ({
  providerOrderId,
  userId: 'meera',
  source: 'cart',
  lines: [{ productId: 9, size: 500, quantity: 2 }],
  startedAt,
  standing: 'closed',
});

test('a note is read as it was written', () => {
  const notes: PaymentNote[] = [
    note('order_1'),
    { ...note('order_2'), standing: 'doubtful' },
    { ...note('order_3'), standing: 'open' },
  ];
  expect(notesFrom(notesText(notes), now)).toEqual(notes);
});

test('after a day it is forgotten, and one from the future is not believed', () => {
  const day = 24 * 60 * 60_000;
  const stored = notesText([note('old', now - day), note('kept', now - day + 1), note('future', now + 5000)]);
  expect(notesFrom(stored, now).map(({ providerOrderId }) => providerOrderId)).toEqual(['kept']);
});

test('garbage is no note', () => {
  for (const text of [null, '', 'x', '{}', '[null]', '[1]', '[{"providerOrderId":"order_1"}]'])
    expect(notesFrom(text, now)).toEqual([]);
  const odd = JSON.stringify([{ ...note('order_1'), standing: 'paid', lines: { 9: { 500: -1, 700: 2 }, x: 1 } }]);
  expect(notesFrom(odd, now)).toEqual([{ ...note('order_1'), lines: [] }]);
});

test('an order has one note, and the last five are kept', () => {
  const notes = ['a', 'b', 'c', 'a', 'd', 'e', 'f'].reduce<PaymentNote[]>((all, id) => withNote(all, note(id)), []);
  expect(notes.map(({ providerOrderId }) => providerOrderId)).toEqual(['c', 'a', 'd', 'e', 'f']);
  expect(withoutNote(notes, 'd')).toHaveLength(4);
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
  const found = (wanted: Partial<Parameters<typeof notesFor>[1]>) =>
    notesFor(notes, { userId: 'meera', source: 'cart', lines, ...wanted }).map(
      ({ providerOrderId }) => providerOrderId,
    );
  expect(found({})).toEqual(['last', 'first']);
  expect(found({ userId: 'rahul' })).toEqual([]);
  expect(found({ source: 'direct' })).toEqual([]);
  expect(found({ lines: [{ ...lines[0], quantity: 3 }, lines[1]] })).toEqual([]);
});
