import { expect, test } from 'vitest';
import { isFiltered } from './log-address.ts';
import { LogState, requestOf } from './log-state.ts';

const choices = { people: [], tables: ['orders', 'Products', 'refunds'] };

test('a kind of thing asks for its tables, and for none where there are none', () => {
  expect(requestOf(LogState.parse({ kind: 'Orders' }), choices)?.tables).toEqual(['orders', 'refunds']);
  expect(requestOf(LogState.parse({ kind: 'Elephants' }), choices)?.tables).toEqual([]);
  expect(requestOf(LogState.parse({}), null)?.tables).toBeNull();
});

test('a kind waits until it is known what it stands for', () => {
  expect(requestOf(LogState.parse({ kind: 'Orders' }), null)).toBeNull();
});

test('what is wrong in an address is left out of the question', () => {
  const state = LogState.parse({ who: 'me', from: 'today', to: '2026-11-31', after: '-5' });
  expect(isFiltered(state)).toBe(false);
  expect(requestOf(state, choices)).toEqual({
    actor_id: null,
    tables: null,
    first_day: null,
    last_day: null,
    before_id: null,
  });
});
