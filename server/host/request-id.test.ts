import { expect, test } from 'vitest';
import { requestIdOf } from './request-id.ts';

const ours = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

test('every request has a name of its own', () => {
  expect(requestIdOf(undefined, false)).toMatch(ours);
  expect(requestIdOf(undefined, true)).not.toBe(requestIdOf(undefined, true));
});

test('a name that came with it is taken from a trusted proxy only', () => {
  expect(requestIdOf('edge-42.a_B', true)).toBe('edge-42.a_B');
  expect(requestIdOf('edge-42.a_B', false)).toMatch(ours);
});

test.each(['', 'a'.repeat(65), 'a b', 'a\r\nSet-Cookie: x', '<b>', '"', 'é', '{}'])(
  'a long or odd one is not: %j',
  (given) => {
    expect(requestIdOf(given, true)).toMatch(ours);
  },
);

test('nor several', () => {
  expect(requestIdOf(['a', 'b'], true)).toMatch(ours);
});
