import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createLite, type Lite } from '../../server/lite/lite.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';

const publishableKey = 'sb_publishable_limits';
const secretKey = 'sb_secret_limits';
let database: TestDatabase;
let lite: Lite;
const logged: unknown[] = [];

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  await database.sql.unsafe(`
    create table public.counted (id integer generated always as identity);
    grant select on public.counted to anon;
    create function public.count_visit() returns void language sql security definer
      begin atomic insert into public.counted default values; end;
    create function public.limits() returns jsonb language sql stable as
      $$ select jsonb_build_array(current_setting('statement_timeout'), current_setting('transaction_read_only')) $$`);
  lite = await createLite({
    connection: database.connection,
    keys: { publishableKey, secretKey, jwtSecret: 'limits'.repeat(8) },
    siteUrl: 'http://localhost',
    apiUrl: 'http://localhost',
    redirectUrls: [],
    social: { name: 'google', clientId: 'unused', clientSecret: 'unused' },
    filesDir: '.',
    log: (line) => logged.push(line),
  });
});
afterAll(async () => {
  await lite.close();
  await database.drop();
});

const ask = (path: string, method: string, apikey = publishableKey) =>
  lite.fetch(new Request(`http://localhost/rest/v1/${path}`, { method, headers: { apikey } }));
const visits = async () => (await database.sql`select from public.counted`).length;

test('GET and HEAD cannot write, not through a function either', async () => {
  for (const method of ['GET', 'HEAD']) expect((await ask('rpc/count_visit', method)).status, method).toBe(405);
  expect([await visits(), logged]).toEqual([0, []]);
  expect((await ask('rpc/count_visit', 'POST')).ok).toBe(true);
  expect(await visits()).toBe(1);
  expect(await (await ask('counted?select=id', 'GET')).json()).toHaveLength(1);
});

test('a visitor has three seconds, trusted roles have more, and each request has its own limit', async () => {
  for (const _ of [1, 2]) {
    expect(await (await ask('rpc/limits', 'GET')).json()).toEqual(['3s', 'on']);
    expect(await (await ask('rpc/limits', 'POST')).json()).toEqual(['3s', 'off']);
    expect(await (await ask('rpc/limits', 'POST', secretKey)).json()).toEqual(['5s', 'off']);
  }
});
