import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { expect, test } from 'vitest';
import { databaseAt, explainAt, weakTlsAt } from './database-address.ts';

const at = 'postgres://me:hush-hush@db.example.com:6432/shop';

test('TLS is what libpq makes of the same address, and as strict as can be where it names no mode that libpq knows', () => {
  const ssl = (query: string) => databaseAt(`${at}${query}`).ssl;
  expect(ssl('')).toBe('verify-full');
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

test('a certificate of the shop’s own takes the place of a password, and goes only to a server that is verified', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mithaas-test-'));
  for (const name of ['ca', 'cert', 'key']) writeFileSync(join(folder, name), name);
  const own = `sslcert=${encodeURIComponent(join(folder, 'cert'))}&sslkey=${encodeURIComponent(join(folder, 'key'))}`;
  const ssl = (query: string) => databaseAt(`${at}?${own}${query}`).ssl;
  const pair = { cert: Buffer.from('cert'), key: Buffer.from('key') };
  expect(ssl('')).toEqual(pair);
  expect(ssl(`&sslrootcert=${encodeURIComponent(join(folder, 'ca'))}`)).toEqual({ ...pair, ca: Buffer.from('ca') });
  for (const lax of ['disable', 'prefer', 'require'])
    expect(() => ssl(`&sslmode=${lax}`)).toThrow('sslmode=verify-full');
  rmSync(folder, { recursive: true });
  expect(() => ssl('')).toThrow('sslcert');
});

test('a database on this machine needs no TLS, one anywhere else is verified unless the address says otherwise', () => {
  const hosts = (...names: string[]) => names.map((host) => databaseAt(`postgres://me@${host}/shop`).ssl);
  expect(hosts('localhost', '127.0.0.1:6432', '127.1.2.3', '[::1]')).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(databaseAt('postgres://me@db/shop?host=%2Frun%2Fpostgresql').ssl).toBeUndefined();
  for (const strict of hosts('database', '10.0.0.7', '128.0.0.1', 'localhost.example.com', '0.0.0.0'))
    expect(strict).toBe('verify-full');

  for (const lax of ['disable', 'prefer', 'require'])
    expect(weakTlsAt(`${at}?sslmode=${lax}`)).toContain(`sslmode=${lax}`);
  for (const fine of [at, `${at}?sslmode=verify-full`, 'postgres://me@localhost/shop?sslmode=disable'])
    expect(weakTlsAt(fine)).toBeNull();
});

test('a database on another machine that speaks no TLS gets no password, and the owner is told what to write', async () => {
  const received: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      received.push(bytes);
      if (received.length === 1) socket.write('N');
      else socket.end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  // 0.0.0.0 leads here, too, but is not known as this machine.
  const address = `postgres://me:hush-hush@0.0.0.0:${(server.address() as AddressInfo).port}/shop`;
  const sql = postgres({ ...databaseAt(address), max: 1 });
  const error = await sql`select 1`.then(
    () => null,
    (reason: Error) => reason,
  );
  await sql.end({ timeout: 0 });
  server.close();
  expect(error && explainAt(address, error).message).toMatch(/sslrootcert=.*\?sslmode=disable on a network/);
  expect(Buffer.concat(received).includes('shop')).toBe(false);
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
