import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { databaseAt, explainAt } from './database-address.ts';

const at = 'postgres://me:hush-hush@db.example.com:6432/shop';

test('TLS is what libpq makes of the same address, and as strict as can be where it knows no such mode', () => {
  const ssl = (query: string) => databaseAt(`${at}${query}`).ssl;
  expect(ssl('')).toBeUndefined();
  expect(ssl('?sslmode=disable')).toBeUndefined();
  expect(ssl('?sslmode=prefer')).toBe('prefer');
  expect(ssl('?sslmode=require')).toBe('require');
  for (const strict of ['verify-ca', 'verify-full', 'requrie']) expect(ssl(`?sslmode=${strict}`)).toBe('verify-full');

  const folder = mkdtempSync(join(tmpdir(), 'mithaas-test-'));
  writeFileSync(join(folder, 'ca.pem'), 'a certificate');
  const root = `sslrootcert=${encodeURIComponent(join(folder, 'ca.pem'))}`;
  expect(ssl(`?sslmode=verify-full&${root}`)).toEqual({ ca: Buffer.from('a certificate') });
  expect(ssl(`?${root}`)).toEqual({ ca: Buffer.from('a certificate') });
  for (const lax of ['require', 'verify-ca'])
    expect(ssl(`?sslmode=${lax}&${root}`)).toEqual({
      ca: Buffer.from('a certificate'),
      checkServerIdentity: expect.any(Function),
    });
  rmSync(folder, { recursive: true });
  expect(() => ssl(`?sslmode=verify-full&${root}`)).toThrow('sslrootcert');
});

test('what the database says is told with the setting and the place, and without the password', () => {
  const told = (error: Error) => explainAt(at, error).message;
  const place = 'The database at DATABASE_URL (db.example.com:6432/shop): ';
  const refused = Object.assign(new Error('password authentication failed for user "me"'), { code: '28P01' });
  expect(told(refused)).toBe(`${place}password authentication failed for user "me"`);
  const lacking = Object.assign(new Error('must have admin option on role "anon"'), { code: '42501' });
  for (const error of [
    lacking,
    new Error('migration x failed: must have admin option on role "anon"', { cause: lacking }),
  ])
    expect(told(error)).toMatch(
      /must have admin option on role "anon"\. Its user has to be a superuser or, .*CREATEROLE/,
    );
});
