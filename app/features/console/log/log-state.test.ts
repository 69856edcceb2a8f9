import { expect, test } from 'vitest';
import { isFiltered, LogState, questionOf } from './log-state.ts';

const choices = { people: [], tables: ['orders', 'Products', 'refunds'] };

test('a kind of thing asks for its tables, and for none where there are none', () => {
  expect(questionOf(LogState.parse({ kind: 'Orders' }), choices)?.tables).toEqual(['orders', 'refunds']);
  expect(questionOf(LogState.parse({ kind: 'Elephants' }), choices)?.tables).toEqual([]);
  expect(questionOf(LogState.parse({}), null)?.tables).toBeNull();
});

test('a kind waits until it is known what it stands for', () => {
  expect(questionOf(LogState.parse({ kind: 'Orders' }), null)).toBeNull();
});

test('what is wrong in an address is left out of the question', () => {
  const state = LogState.parse({ who: 'me', from: 'today', to: '2026-11-31', after: '-5' });
  expect(isFiltered(state)).toBe(false);
  expect(questionOf(state, choices)).toEqual({
    actor_id: null,
    tables: null,
    first_day: null,
    last_day: null,
    before_id: null,
  });
});
