import { describe, expect, test } from 'vitest';
import {
  isDescending,
  isFiltered,
  ListState,
  questionOf,
  ReviewState,
  reviewQuestionOf,
  sortedBy,
} from './list-state.ts';

const stateOf = (address: Record<string, string>) => ListState.parse(address);

test('an address asks what it says', () => {
  const state = stateOf({ q: 'meera', city: 'Pune', blocked: 'no', ordered: 'yes', from: '2026-11-01', sort: 'value' });
  expect(questionOf(state)).toEqual({
    search: 'meera',
    city: 'Pune',
    tag: '',
    blocked: false,
    has_ordered: true,
    last_order_from: '2026-11-01',
    last_order_to: null,
    sort: 'value',
    descending: true,
    after: null,
  });
});

test('what is wrong in an address is left out of the question', () => {
  const state = stateOf({
    blocked: 'perhaps',
    from: '2026-02-30',
    to: 'soon',
    sort: 'shoe size',
    order: 'up',
    q: 'x'.repeat(101),
  });
  expect(state).toEqual(stateOf({}));
  expect(isFiltered(state)).toBe(false);
  expect(isFiltered(stateOf({ to: '2026-02-28' }))).toBe(true);
  expect(reviewQuestionOf(ReviewState.parse({ rating: '6', shown: 'none' }))).toEqual({
    search: '',
    shown: 'all',
    rating: null,
    after: null,
  });
});

describe('a column’s title', () => {
  test('sorts as one expects, and the other way round the second time', () => {
    const byName = sortedBy(stateOf({}), 'name');
    expect(byName).toEqual({ sort: 'name', order: '' });
    expect(isDescending(byName)).toBe(false);
    expect(sortedBy(stateOf({ sort: 'name' }), 'name')).toEqual({ sort: 'name', order: 'desc' });
    expect(sortedBy(stateOf({ sort: 'name', order: 'desc' }), 'name')).toEqual({ sort: 'name', order: '' });
    expect(sortedBy(stateOf({ sort: 'value' }), 'value')).toEqual({ sort: 'value', order: 'asc' });
    expect(sortedBy(stateOf({ sort: 'value', order: 'asc' }), 'orders')).toEqual({ sort: 'orders', order: '' });
  });
});
