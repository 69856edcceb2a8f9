import { describe, expect, test } from 'vitest';
import { passDataGate } from './data-gate.ts';

const administrators = { isAdministrator: async (token: string) => token === 'the.owner.token' };
const base = 'http://localhost/rest/v1';

async function refusal(path: string, init: RequestInit = {}): Promise<[number, string] | null> {
  const passed = await passDataGate(new Request(base + path, init), administrators);
  return passed instanceof Response ? [passed.status, (await passed.json()).error.code] : null;
}
const posting = (body: string, token?: string): RequestInit => ({
  method: 'POST',
  body,
  headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
});

test('what the shop asks goes on, its body with it', async () => {
  expect(await refusal('/Products?select=Id,ProductName&Availability=eq.true&order=Id.desc')).toBe(null);
  expect(await refusal('/orders?select=id,order_items(id,Products(Id))')).toBe(null);
  const passed = await passDataGate(new Request(`${base}/Reviews`, posting('{"rating":5}')), administrators);
  expect(passed instanceof Request && (await passed.json())).toEqual({ rating: 5 });
});

describe('what the library would choke on', () => {
  test.each<[string, string, number, string]>([
    ['tables inside tables inside tables', '/a?select=b(c(d(e(id))))', 400, 'embedded-too-deep'],
    [
      'the same behind brackets in a name',
      `/a?select=${encodeURIComponent('"))))":id,b(c(d(e(id))))')}`,
      400,
      'embedded-too-deep',
    ],
    ['the same behind brackets that close nothing', '/a?select=)))),b(c(d(e(id))))', 400, 'embedded-too-deep'],
    ['the same in a second select', '/a?select=id&select=b(c(d(e(id))))', 400, 'embedded-too-deep'],
    ['a NUL in a name', '/Products?select=%00', 400, 'malformed-address'],
    ['an operator that every object has', '/Products?Id=toString.1', 400, 'unknown-operator'],
    ['the same, negated', '/Products?Id=not.constructor.1', 400, 'unknown-operator'],
    ['the same in a list of conditions', '/Products?or=(Id.eq.1,Id.hasOwnProperty.2)', 400, 'unknown-operator'],
  ])('%s', async (_, path, status, code) => {
    expect(await refusal(path)).toEqual([status, code]);
  });

  test('methods it does not know', async () => {
    expect(await refusal('/Products', { method: 'PROPFIND' })).toEqual([405, 'method-not-allowed']);
  });

  test('what nests too deeply', async () => {
    expect(await refusal('/rpc/quote_order', posting('['.repeat(100) + ']'.repeat(100)))).toEqual([
      400,
      'invalid-body',
    ]);
  });
});

test('a word that every object has can be looked for', async () => {
  expect(await refusal('/rpc/search_products?query=constructor')).toBe(null);
});

test('only administrators send something as long as a file of products, and only there', async () => {
  const long = JSON.stringify({ file: 'x'.repeat(300 * 1024) });
  expect(await refusal('/rpc/admin_import_products', posting(long, 'the.owner.token'))).toBe(null);
  expect(await refusal('/rpc/admin_import_products', posting(long, 'somebody.elses.token'))).toEqual([
    413,
    'body-too-large',
  ]);
  expect(await refusal('/rpc/admin_import_products', posting(long))).toEqual([413, 'body-too-large']);
  expect(await refusal('/Products', posting(long, 'the.owner.token'))).toEqual([413, 'body-too-large']);
});
