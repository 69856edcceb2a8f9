import { describe, expect, test } from 'vitest';
import type { FunctionContext } from '../_shared/context.ts';
import { notify } from './handler.ts';

type Call = { name: string; args: unknown };

/** The database is proven elsewhere; here it is what it answers that counts. */
function context(answer: unknown, signedIn = true): FunctionContext & { calls: Call[] } {
  const calls: Call[] = [];
  return {
    calls,
    customer: signedIn ? { id: 'c0ffee00-0000-4000-a000-000000000001', email: null, sessionId: null } : null,
    now: () => new Date(0),
    payments: null,
    mailer: null,
    messenger: null,
    siteUrl: 'http://localhost',
    addressHash: null,
    jobsSecret: null,
    report: () => {},
    wake: () => {},
    db: {
      async rpc(name, args) {
        calls.push({ name, args });
        return answer;
      },
    },
  };
}
const request = (method: string, body?: string, query = '') =>
  new Request(`http://localhost/functions/v1/notify${query}`, { method, ...(body === undefined ? {} : { body }) });
const codeOf = async (response: Response) => [response.status, (await response.json()).error.code];

test.each([
  ['GET', '?product_id=7', undefined, null],
  ['POST', '', '{"product_id":7}', true],
  ['POST', '', '{"product_id":"7"}', true],
  ['DELETE', '', '{"product_id":7}', false],
])('%s%s asks for exactly one thing', async (method, query, body, wanted) => {
  const shop = context(true);
  const response = await notify(request(method, body, query), shop);
  expect([response.status, await response.json()]).toEqual([200, { subscribed: true }]);
  expect(shop.calls).toEqual([
    { name: 'set_notification', args: { customer_id: 'c0ffee00-0000-4000-a000-000000000001', product_id: 7, wanted } },
  ]);
});

test('says so when there is no such product', async () => {
  expect(await codeOf(await notify(request('POST', '{"product_id":7}'), context(null)))).toEqual([
    404,
    'unknown-product',
  ]);
});

test('asks to log in before it looks at anything', async () => {
  const shop = context(true, false);
  expect(await codeOf(await notify(request('POST', '{'), shop))).toEqual([401, 'sign-in-required']);
  expect(shop.calls).toEqual([]);
});

test.each(['PUT', 'PATCH', 'HEAD'])('does not offer %s', async (method) => {
  const response = await notify(request(method), context(true));
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('GET, POST, DELETE');
});

test.each(['toString', 'constructor'])('is not fooled by the method %s', async (method) => {
  const response = await notify(
    { method, url: 'http://localhost/', json: async () => ({ product_id: 7 }) } as Request,
    context(true),
  );
  expect(response.status).toBe(405);
});

describe('refuses before the database hears of it', () => {
  test.each([
    '',
    '{',
    'null',
    '[]',
    '7',
    '{}',
    '{"product_id":null}',
    '{"product_id":0}',
    '{"product_id":-7}',
    '{"product_id":1.5}',
    '{"product_id":1e300}',
    '{"product_id":"07"}',
    '{"product_id":"7 "}',
    '{"product_id":"7;drop"}',
    '{"product_id":"९"}',
    '{"product_id":[7]}',
    '{"product_id":true}',
    '{"product_id":7,"user_id":"x"}',
    '{"product_id":9007199254740993}',
    '{"product_id":"9007199254740993"}',
  ])('%s', async (body) => {
    const shop = context(true);
    expect(await codeOf(await notify(request('POST', body), shop))).toEqual([400, 'invalid-product']);
    expect(shop.calls).toEqual([]);
  });

  test.each([
    '',
    '?product_id',
    '?product_id=',
    '?product_id=x',
    '?product_id=-1',
    '?product_id=1e3',
    '?product_id=%00',
  ])('GET with "%s"', async (query) => {
    expect(await codeOf(await notify(request('GET', undefined, query), context(true)))).toEqual([
      400,
      'invalid-product',
    ]);
  });
});
