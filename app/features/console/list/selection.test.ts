import { expect, test } from 'vitest';
import { selectedInWords, selectRows } from './selection.ts';

type Row = { id: string; price: number };
const keyOf = ({ id }: Row) => id;
const laddu = { id: 'laddu', price: 320 };
const barfi = { id: 'barfi', price: 410 };

test('what a search hides stays selected', () => {
  const first = selectRows(new Map(), [laddu], keyOf, ['laddu']);
  const both = selectRows(first, [barfi], keyOf, ['laddu', 'barfi']);
  expect([...both.values()]).toEqual([laddu, barfi]);
  expect([...selectRows(both, [barfi], keyOf, ['barfi']).values()]).toEqual([barfi]);
});

test('what is shown is fresher than what was selected', () => {
  const dearer = { id: 'laddu', price: 340 };
  expect([...selectRows(new Map([['laddu', laddu]]), [dearer], keyOf, ['laddu']).values()]).toEqual([dearer]);
});

test('a key that no row has selects nothing', () => {
  expect(selectRows(new Map(), [laddu], keyOf, ['gone']).size).toBe(0);
});

test.each([
  [3, 0, '3 selected'],
  [3, 2, '3 selected, 2 not shown here'],
  [2000, 1950, '2,000 selected, 1,950 not shown here'],
])('of %i selected, %i hidden: %s', (selected, hidden, words) => {
  expect(selectedInWords(selected, hidden)).toBe(words);
});
