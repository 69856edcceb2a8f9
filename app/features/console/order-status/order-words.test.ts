import { expect, test } from 'vitest';
import { undoWords } from './order-words.ts';

test.each([
  ['Confirmed', 'You can undo this for a minute.'],
  ['Packed', 'This issues the invoice and can’t be undone.'],
  ['Refunded', 'This can’t be undone.'],
] as const)('before an order is %s: %s', (to, sentence) => {
  expect(undoWords(to)).toBe(sentence);
});
