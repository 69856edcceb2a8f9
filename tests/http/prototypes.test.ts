// A shop of its own, watched from inside: whatever is sent, nothing appears on a prototype, and customers go on buying.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { everyday, sentBy } from '../../server/lite/data-gate/everyday-requests.ts';
import { buyOverHttp, setAddress } from '../support/buying.ts';
import { copyFilledShop } from '../support/filled-shop.ts';
import { fuzzSeed } from '../support/properties.ts';
import { type RunningShop, removeDataDir, startShop } from '../support/shop.ts';
import { newCustomer, type ShopClient, tokenOf } from '../support/visitor.ts';
import { rawRequest } from './raw-request.ts';

const report = join(tmpdir(), `prototypes-${process.pid}.json`);
let shop: RunningShop;
let customer: ShopClient;
let headers: Record<string, string>;

beforeAll(async () => {
  const NODE_OPTIONS = `--require ${join(import.meta.dirname, '../support/watch-prototypes.cjs')}`;
  shop = await startShop({ dataDir: await copyFilledShop(), env: { NODE_OPTIONS, PROTOTYPE_REPORT: report } });
  const { key } = await (await fetch(`${shop.url}/env.json`)).json();
  customer = await newCustomer(shop.url);
  headers = { apikey: key, Authorization: `Bearer ${await tokenOf(customer)}` };
});
afterAll(async () => {
  await shop?.stop();
  if (shop) await removeDataDir(shop.dataDir);
  rmSync(report, { force: true });
});

async function changes(): Promise<{ walked: number; changes: string[]; inherited: string[] }> {
  rmSync(report, { force: true });
  shop.process.kill('SIGUSR2');
  await expect.poll(() => existsSync(report) && readFileSync(report, 'utf8').endsWith('}')).toBe(true);
  return JSON.parse(readFileSync(report, 'utf8'));
}

const names = [
  '__proto__',
  '"__proto__"',
  'comments.__proto__',
  'constructor',
  'constructor.prototype',
  'Products.constructor.prototype',
  '__proto__.polluted',
  'a[__proto__]',
  '__proto__[polluted]',
  'toString',
  'prototype',
];
const json = { 'content-type': 'application/json' };
const bodies = [
  '{"__proto__":{"polluted":1}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '{"data":{"__proto__":{"polluted":1}}}',
  '[{"__proto__":{"polluted":1}}]',
  '{"facts":{"a":[{"__proto__":{"polluted":1}}]},"__proto__":1}',
];
const paths = [
  '/rest/v1/Products?select=Id,comments(id)&limit=1',
  '/rest/v1/orders?select=id',
  '/rest/v1/no_such_table?select=id',
  '/rest/v1/rpc/search_products?query=a',
  '/rest/v1/rpc/no_such_function?a=1',
  '/auth/v1/user?a=1',
  '/auth/v1/token?grant_type=refresh_token',
  '/auth/v1/authorize?provider=github',
  '/storage/v1/object/list/products?a=1',
  '/storage/v1/object/products/a.webp?a=1',
  '/functions/v1/notify?product_id=1',
  '/functions/v1/getShippingPrice?a=1',
  '/functions/v1/placeOrder?a=1',
  '/shop?q=a',
];

test('no field name in a request changes a built-in prototype', async () => {
  const hostile = fc.record({
    path: fc.constantFrom(...paths),
    name: fc.constantFrom(...names),
    place: fc.constantFrom('parameter', 'select', 'order', 'group', 'value'),
    method: fc.constantFrom('GET', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'),
    body: fc.constantFrom(...bodies),
  });
  await fc.assert(
    fc.asyncProperty(hostile, async ({ path, name, place, method, body }) => {
      const encoded = encodeURIComponent(name);
      const parameter = {
        parameter: `${encoded}=eq.1`,
        select: `select=${encoded}:${encoded}`,
        order: `order=${encoded}.desc`,
        group: `or=(${encoded}.eq.1,Id.eq.1)`,
        value: `Id=${encoded}.1`,
      }[place];
      const isBodiless = method === 'GET' || method === 'HEAD';
      const answer = await rawRequest(shop.url, {
        method,
        target: `${path}&${parameter}`,
        headers: { ...headers, ...(isBodiless ? {} : json), 'x-__proto__': 'polluted', prefer: '__proto__=1' },
        ...(isBodiless ? {} : { body }),
      });
      expect(answer.status, `${method} ${path}&${parameter} ${body}: ${answer.body}`).toBeLessThan(500);
    }),
    { seed: fuzzSeed, numRuns: process.env.SOAK ? 5000 : 400 },
  );
  for (const build of Object.values(everyday)) {
    const request = await sentBy(build);
    const url = new URL(request.url);
    url.searchParams.append('__proto__', 'eq.1');
    const body = await request.text();
    await rawRequest(shop.url, {
      method: request.method,
      target: url.pathname + url.search,
      headers: { ...headers, ...json },
      ...(body === '' ? {} : { body }),
    });
  }
  const found = await changes();
  expect(found.changes).toEqual([]);
  expect(found.inherited).toEqual([]);
  // The language has hundreds of objects.
  expect(found.walked).toBeGreaterThan(500);
});

test('customers can still buy', async () => {
  await setAddress(customer);
  expect(await buyOverHttp(shop.url, customer, [{ productId: 1, quantity: 1, size: 500 }])).toMatch(/^[0-9a-f-]{36}$/);
  expect((await fetch(`${shop.url}/healthz`)).status).toBe(200);
});
