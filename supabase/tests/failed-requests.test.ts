import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createLite, type Lite } from '../../server/lite/lite.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';

const publishableKey = 'sb_publishable_failed';
let database: TestDatabase;
let lite: Lite;
const logged: unknown[] = [];

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  await database.sql.unsafe(`
    create function public.take_a_nap() returns void language sql as 'select pg_sleep(60)';
    create function public.share_among(people integer) returns integer language plpgsql as 'begin return 12 / people; end';
    create function public.misspelled() returns text language plpgsql as 'begin return (select nmae from public.shop_settings); end';
    create function public.forget_all() returns void language plpgsql as
      $$ begin raise exception using errcode = '21000', message = 'DELETE requires a WHERE clause'; end $$;
    create function public.as_number(words text) returns integer language plpgsql as 'begin return words::integer; end'`);
  lite = await createLite({
    connection: database.connection,
    keys: { publishableKey, secretKey: 'sb_secret_failed', jwtSecret: 'failed'.repeat(8) },
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

const ask = (path: string, method: string) =>
  lite.fetch(new Request(`http://localhost/rest/v1/${path}`, { method, headers: { apikey: publishableKey } }));

test('a request that takes too long ends with a 4xx, and others get their responses', async () => {
  // As many as there are connections.
  const naps = await Promise.all(Array.from({ length: 8 }, () => ask('rpc/take_a_nap', 'POST')));
  expect(naps.map((response) => response.status)).toEqual(Array(8).fill(400));
  expect((await ask('shop_settings?select=name', 'GET')).status).toBe(200);
});

test('a delete without WHERE, as safeupdate refuses it, is a failure of the shop and logged', async () => {
  logged.length = 0;
  expect((await ask('rpc/forget_all', 'POST')).status).toBe(500);
  expect(logged.splice(0)).toMatchObject([{ level: 'error', event: 'backend-failed' }]);
});

test('an error of the shop inside the database is logged, an error of the caller is not', async () => {
  logged.length = 0;
  for (const path of ['rpc/misspelled', 'rpc/share_among?people=0']) {
    expect((await ask(path, 'GET')).status, path).toBe(400);
    expect(logged.splice(0), path).toMatchObject([{ level: 'error', event: 'backend-failed' }]);
  }
  for (const path of ['rpc/as_number?words=many', 'rpc/misspelled?by=me', 'shop_settings?select=nmae', 'shop_setings'])
    expect([400, 404], path).toContain((await ask(path, 'GET')).status);
  expect(logged).toEqual([]);
});
