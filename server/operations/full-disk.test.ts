import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { explainFullDisk, isDatabaseFull, isDiskFull } from './full-disk.ts';

const withCode = (code: string, message = 'failed') => Object.assign(new Error(message), { code });

test.each([
  ['a file of ours', withCode('ENOSPC', 'ENOSPC: no space left on device, write')],
  ['a quota', withCode('EDQUOT')],
  ['a migration', new Error('migration 1.sql failed', { cause: withCode('53100', 'could not extend file') })],
  ['initdb', new Error('PostgreSQL could not create its database\n  initdb: error: No space left on device')],
])('no room for %s is known as a full disk', (_what, error) => {
  expect(isDiskFull(error)).toBe(true);
});

test.each([withCode('EACCES'), withCode('53300', 'too many connections'), new Error('port taken'), null, 'ENOSPC'])(
  'other failures are not (%s)',
  (error) => {
    expect(isDiskFull(error)).toBe(false);
  },
);

test('the message names the folder, the room that is needed and that nothing was lost', () => {
  const folder = join(tmpdir(), 'not-there-yet/data');
  const message = explainFullDisk(folder, undefined);
  expect(message).toMatch(
    /^The disk of .*not-there-yet\/data is full \(\d+ MB are free\): a new shop needs 500 MB there/,
  );
  expect(message).toMatch(/start again\. Nothing was lost\.$/);
  expect(explainFullDisk(folder, 'postgres://elsewhere/shop')).toContain('DATABASE_URL');
});

test('a database is full by its code alone: a message may quote what a customer typed', () => {
  expect(isDatabaseFull(Object.assign(new Error('could not extend file'), { code: '53100' }))).toBe(true);
  expect(isDatabaseFull(Object.assign(new Error('"No space left on device"'), { code: '22P02' }))).toBe(false);
  expect(isDatabaseFull(undefined)).toBe(false);
});
