import { expect, test } from 'vitest';
import { csvRequest, progressWords } from './download.ts';

test.each([
  [0, 'Preparing…'],
  [1, '1 KB…'],
  [200_000, '196 KB…'],
  [1_048_576, '1.0 MB…'],
  [26_000_000, '24.8 MB…'],
])('after %i bytes a download says %s', (bytes, words) => {
  expect(progressWords(bytes)).toBe(words);
});

test('a table is requested with its filter', () => {
  expect(csvRequest('orders', { search: 'a&b' })).toBe('exportCsv?what=orders&filter=%7B%22search%22%3A%22a%26b%22%7D');
});
