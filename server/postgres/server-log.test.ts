import { expect, test } from 'vitest';
import { isWorthTelling } from './server-log.ts';

test.each([
  ['a crash', 'postmaster|LOG:  server process (PID 7) was terminated by signal 9: Killed', true],
  ['a failed background worker', 'autovacuum worker|ERROR:  could not open file', true],
  ['a panic of a session', 'client backend|PANIC:  could not write to file', true],
  ['an error of a customer’s query', 'client backend|ERROR:  value too long', false],
  ['an ordinary start', 'postmaster|LOG:  database system is ready to accept connections', false],
  [
    'a worker that ends with the server',
    'autovacuum worker|FATAL:  terminating autovacuum process due to administrator command',
    false,
  ],
])('%s is shown to the operator: %s', (_what, line, isShown) => {
  expect(isWorthTelling(line)).toBe(isShown);
});
