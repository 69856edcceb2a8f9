import { expect, test } from 'vitest';
import type { PlannedRow } from '#contracts/console/products.ts';
import { columnWords, countActions, valueWords, wholePlan } from './import-data.ts';

const planned = (line: number, action: PlannedRow['action']): PlannedRow => ({
  line,
  id: null,
  name: 'Peda',
  action,
  changes: [],
  problems: [],
});

test('rows that could not be read stand where they are in the file', () => {
  const problems = [{ field: 'price_paise', message: 'No.' }];
  const rows = wholePlan(
    [{ line: 3, name: 'Barfi', values: {}, problems }],
    [planned(2, 'new'), planned(4, 'unchanged')],
  );
  expect(rows.map(({ line, action }) => [line, action])).toEqual([
    [2, 'new'],
    [3, 'refused'],
    [4, 'unchanged'],
  ]);
  expect(rows[1]?.problems).toEqual(problems);
  expect(countActions(rows)).toEqual({ new: 1, changed: 0, unchanged: 1, refused: 1 });
});

test.each([
  ['price_paise', 79950, '₹799.50'],
  ['regular_price_paise', null, 'empty'],
  ['offer_percent', 0, '0'],
  ['has_size', true, 'weight'],
  ['has_size', false, 'piece'],
  ['is_listed', false, 'no'],
  ['ingredients', '', 'empty'],
  ['gst_percent', 12.5, '12.5'],
])('%s %j reads %s', (field, value, words) => {
  expect(valueWords(field, value)).toBe(words);
});

test('columns are called as in the file', () => {
  expect(columnWords('price_paise')).toBe('Price');
  expect(columnWords('')).toBe('Row');
});
