import { expect, test } from 'vitest';
import { FilterState, fileNameOf, filterOf, isFiltered } from './filter-state.ts';

test('an address says what is asked for', () => {
  const state = FilterState.parse({ month: '2026-11', category: 'Gas', q: 'cylinder', vendor: '6' });
  expect(filterOf(state)).toEqual({
    from: '2026-11-01',
    to: '2026-11-30',
    category: 'Gas',
    search: 'cylinder',
    vendor_id: '6',
  });
  expect(isFiltered(state)).toBe(true);
});

test('what is wrong in an address is as if it were not there', () => {
  const state = FilterState.parse({
    month: '2026-13',
    from: '2026-02-30',
    category: 'Bribes',
    vendor: '6 or 1=1',
    mode: 'Barter',
    by: 'colour',
    open: '../../x',
    q: 'x'.repeat(101),
  });
  expect(filterOf(state)).toEqual({});
  expect([state.by, state.open, isFiltered(state)]).toEqual(['date', '', false]);
});

test('the file says which days are in it, and whether something is left out', () => {
  expect(fileNameOf(filterOf(FilterState.parse({})))).toBe('expenses.csv');
  expect(fileNameOf(filterOf(FilterState.parse({ month: '2026-11' })))).toBe('expenses-2026-11-01-to-2026-11-30.csv');
  expect(fileNameOf(filterOf(FilterState.parse({ mode: 'Cash', from: '2026-11-05' })))).toBe(
    'some-expenses-2026-11-05.csv',
  );
});
