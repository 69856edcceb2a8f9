import { beforeAll, describe, expect, inject, test } from 'vitest';
import { instanceKeys } from '../support/instance-keys.ts';
import { newCustomer, type ShopClient, tokenOf } from '../support/visitor.ts';
import { tokenOfNobody } from './forged-tokens.ts';
import { rawRequest } from './raw-request.ts';

const shopUrl = inject('shopUrl');
const backendUrl = inject('backendUrl');
const keys = instanceKeys(inject('shopDataDir'));
let customer: ShopClient;

beforeAll(async () => {
  customer = await newCustomer(shopUrl);
});

async function call(method: string, path: string, body?: unknown, token?: string): Promise<Response> {
  return fetch(`${backendUrl}/functions/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${token ?? (await tokenOf(customer))}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

describe('notify', () => {
  test('reads, creates and removes a back-in-stock request', async () => {
    const subscribed = async () => (await call('GET', 'notify?product_id=12')).json();
    expect(await subscribed()).toEqual({ subscribed: false });
    for (const product_id of [12, '12'])
      expect(await (await call('POST', 'notify', { product_id })).json()).toEqual({ subscribed: true });
    expect(await subscribed()).toEqual({ subscribed: true });
    const rows = await customer.from('notify_subscriptions').select('product_id');
    expect(rows.data).toEqual([{ product_id: 12 }]);
    for (let i = 0; i < 2; i += 1)
      expect(await (await call('DELETE', 'notify', { product_id: 12 })).json()).toEqual({ subscribed: false });
    expect(await subscribed()).toEqual({ subscribed: false });
  });

  test('works through supabase-js', async () => {
    const { data, error } = await customer.functions.invoke('notify', { method: 'POST', body: { product_id: 13 } });
    expect([error, data]).toEqual([null, { subscribed: true }]);
    expect((await customer.functions.invoke('notify?product_id=13', { method: 'GET' })).data).toEqual({
      subscribed: true,
    });
  });

  test("is each customer's own", async () => {
    await call('POST', 'notify', { product_id: 14 });
    const other = await newCustomer(shopUrl);
    const answer = await call('GET', 'notify?product_id=14', undefined, await tokenOf(other));
    expect(await answer.json()).toEqual({ subscribed: false });
    await call('DELETE', 'notify', { product_id: 14 }, await tokenOf(other));
    expect(await (await call('GET', 'notify?product_id=14')).json()).toEqual({ subscribed: true });
  });

  test('ends as it began when fifty clicks arrive at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => call('POST', 'notify', { product_id: 15 })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const rows = await customer.from('notify_subscriptions').select('product_id').eq('product_id', 15);
    expect(rows.data).toHaveLength(1);
  });

  test.each(['GET', 'POST', 'DELETE'])('asks %s without a session to log in', async (method) => {
    for (const Authorization of ['', `Bearer ${keys.publishableKey}`, `Bearer ${keys.secretKey}`]) {
      const answer = await rawRequest(shopUrl, {
        method,
        target: '/functions/v1/notify?product_id=1',
        headers: { apikey: keys.publishableKey, ...(Authorization ? { Authorization } : {}) },
        ...(method === 'GET' ? {} : { body: '{"product_id":1}' }),
      });
      expect(answer.status).toBe(401);
      expect(JSON.parse(answer.body).error.message).toBe('Please log in to manage notifications.');
    }
  });

  test('answers 404 for unknown products', async () => {
    for (const [method, body] of [
      ['GET'],
      ['POST', { product_id: 999999 }],
      ['DELETE', { product_id: 999999 }],
    ] as const) {
      const answer = await call(method, method === 'GET' ? 'notify?product_id=999999' : 'notify', body);
      expect(answer.status).toBe(404);
      expect((await answer.json()).error.code).toBe('unknown-product');
    }
  });

  test.each(['PUT', 'PATCH', 'HEAD', 'TRACE', 'PROPFIND'])('does not offer %s', async (method) => {
    const answer = await rawRequest(shopUrl, {
      method,
      target: '/functions/v1/notify',
      headers: { Authorization: `Bearer ${await tokenOf(customer)}` },
    });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, POST, DELETE');
  });

  test('refuses the token of a deleted account, and keeps running', async () => {
    const token = await tokenOfNobody(keys.jwtSecret);
    const answer = await call('POST', 'notify', { product_id: 1 }, token);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  });
});

test.each(['none', '_shared', 'Notify', 'notify/', 'notify/x', 'constructor', '__proto__', ''])(
  'there is no function "%s"',
  async (name) => {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const answer = await rawRequest(shopUrl, { method, target: `/functions/v1/${name}` });
      expect(answer.status).toBe(404);
      expect(JSON.parse(answer.body).error.code).toBe('unknown-function');
    }
  },
);

describe('browsers', () => {
  const preflight = (Origin: string) =>
    rawRequest(shopUrl, {
      method: 'OPTIONS',
      target: '/functions/v1/notify',
      headers: { Origin, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'authorization' },
    });

  test("on the shop's own pages may call", async () => {
    const { status, headers } = await preflight(shopUrl);
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe(shopUrl);
    expect(headers.get('access-control-allow-methods')).toBe('GET, POST, DELETE');
    expect(headers.get('access-control-allow-headers')).toContain('authorization');
  });

  test.each(['https://evil.example', 'null', `${shopUrl}.evil.example`, `${shopUrl}/`, ''])(
    'on "%s" may not',
    async (origin) => {
      const { status, headers } = await preflight(origin);
      expect(status).toBe(403);
      expect(headers.get('access-control-allow-origin')).toBeNull();
      const answer = await rawRequest(shopUrl, { target: '/functions/v1/notify', headers: { Origin: origin } });
      expect([null, shopUrl]).toContain(answer.headers.get('access-control-allow-origin'));
    },
  );
});
