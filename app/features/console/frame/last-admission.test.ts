import { afterEach, expect, test, vi } from 'vitest';
import { sessionKey } from '#app/backend/stored-session.ts';
import { rememberAdmission, wasAdmittedBefore } from './last-admission.ts';

afterEach(() => vi.unstubAllGlobals());

function browserWith(session: string | null) {
  const stored = new Map<string, string>(session === null ? [] : [[sessionKey, session]]);
  const localStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };
  vi.stubGlobal('window', { localStorage });
  return stored;
}
const sessionOf = (id: string) => JSON.stringify({ user: { id } });

test('the same person comes back', () => {
  browserWith(sessionOf('asha'));
  expect(wasAdmittedBefore()).toBe(false);
  rememberAdmission('asha');
  expect(wasAdmittedBefore()).toBe(true);
});

test('another user is signed in now, or none', () => {
  const stored = browserWith(sessionOf('asha'));
  rememberAdmission('asha');
  stored.set(sessionKey, sessionOf('priya'));
  expect(wasAdmittedBefore()).toBe(false);
  stored.delete(sessionKey);
  expect(wasAdmittedBefore()).toBe(false);
  stored.set(sessionKey, 'not a session');
  expect(wasAdmittedBefore()).toBe(false);
});
