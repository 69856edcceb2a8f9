import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createLite, type Lite } from '../../server/backend/lite.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';

const publishableKey = 'sb_publishable_costly';
let database: TestDatabase;
let lite: Lite;

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  await database.sql.unsafe(`create function public.take_a_nap() returns void language sql as 'select pg_sleep(60)'`);
  lite = await createLite({
    connection: database.connection,
    keys: { publishableKey, secretKey: 'sb_secret_costly', jwtSecret: 'costly'.repeat(8) },
    siteUrl: 'http://localhost',
    apiUrl: 'http://localhost',
    redirectUrls: [],
    social: { name: 'google', clientId: 'unused', clientSecret: 'unused' },
    filesDir: '.',
    log: () => {},
  });
});
afterAll(async () => {
  await lite.close();
  await database.drop();
});

test('a question that takes too long is broken off with a 4xx, and others are answered', async () => {
  const ask = (path: string, method: string) =>
    lite.fetch(new Request(`http://localhost/rest/v1/${path}`, { method, headers: { apikey: publishableKey } }));
  // As many as there are connections.
  const naps = await Promise.all(Array.from({ length: 8 }, () => ask('rpc/take_a_nap', 'POST')));
  expect(naps.map((response) => response.status)).toEqual(Array(8).fill(400));
  expect((await ask('shop_settings?select=name', 'GET')).status).toBe(200);
});
