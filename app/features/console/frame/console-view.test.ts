import { expect, test } from 'vitest';
import type { Known } from '#app/backend/session.tsx';
import { consoleView } from './console-view.ts';

const known = (some: Partial<Known>): Known => ({
  state: 'checking',
  who: null,
  isAdministrator: null,
  hasCheckFailed: false,
  ...some,
});
const fresh = { wasAdmitted: false, mayHaveSession: true };
const admitted = { wasAdmitted: true, mayHaveSession: true };
const administrator = known({ state: 'signed-in', isAdministrator: true });
const ended = known({ state: 'visitor', isAdministrator: false });

test('an administrator sees the screen; customers and visitors are sent away', () => {
  expect(consoleView(administrator, fresh)).toBe('screen');
  expect(consoleView(known({ state: 'signed-in', isAdministrator: false }), fresh)).toBe('leave');
  expect(consoleView(ended, { wasAdmitted: false, mayHaveSession: false })).toBe('leave');
});

test('a check that fails says so instead of waiting for ever or sending an administrator away', () => {
  expect(consoleView(known({ state: 'signed-in' }), fresh)).toBe('waiting');
  expect(consoleView(known({ state: 'signed-in', hasCheckFailed: true }), fresh)).toBe('check-failed');
  expect(consoleView(known({ state: 'unreachable' }), fresh)).toBe('check-failed');
});

test('whatever happens to the session of an administrator, what is typed stays', () => {
  expect(consoleView(ended, admitted)).toBe('sign-in-again');
  expect(consoleView(ended, { wasAdmitted: true, mayHaveSession: false })).toBe('sign-in-again');
  expect(consoleView(known({ state: 'unreachable' }), admitted)).toBe('screen');
  expect(consoleView(known({ state: 'checking' }), admitted)).toBe('screen');
  // Logged in again: until it is known that this is an administrator, and where it is a customer.
  expect(consoleView(known({ state: 'signed-in' }), admitted)).toBe('sign-in-again');
  expect(consoleView(known({ state: 'signed-in', isAdministrator: false }), admitted)).toBe('sign-in-again');
});
