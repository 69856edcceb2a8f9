import { expect, test } from 'vitest';
import { isFiltered } from './log-address.ts';
import { requestOf, SecurityLogState } from './security-log-state.ts';

test('a group asks for its kinds, and the cursor for what is older', () => {
  const state = SecurityLogState.parse({ kind: 'logouts', person: 'meena', from: '2026-11-01', after: '70' });
  expect(requestOf(state)).toEqual({
    kinds: ['logged-out', 'session-ended', 'logged-out-everywhere'],
    person: 'meena',
    first_day: '2026-11-01',
    last_day: null,
    before_id: 70,
  });
});

test('what is wrong in an address is left out', () => {
  const state = SecurityLogState.parse({ kind: 'elephants', from: 'today', to: '2026-11-31', after: '-5' });
  expect(isFiltered(state)).toBe(false);
  expect(Object.values(requestOf(state)).every((value) => value === null)).toBe(true);
});
