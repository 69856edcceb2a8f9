import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { instanceKeys } from '../support/instance-keys.ts';
import { newCustomer, type ShopClient, signInAs, tokenOf, userIdOf } from '../support/visitor.ts';
import {
  type Asker,
  authCases,
  type BadCase,
  functionCases,
  ignoredCases,
  restCases,
  storageCases,
} from './bad-input-cases.ts';
import { forgedTokens } from './forged-tokens.ts';
import { describeRequest, expectClearRefusal, type RawRequest, rawRequest } from './raw-request.ts';

const shopUrl = inject('shopUrl');
const backendUrl = inject('backendUrl');
const keys = instanceKeys(inject('shopDataDir'));
const bystander = '00000000-0000-4000-a000-000000000004';
let customer: ShopClient;
let headersOf: Record<Asker, Record<string, string>>;

beforeAll(async () => {
  customer = await newCustomer(shopUrl);
  const administrator = await signInAs(shopUrl, { account: 'Asha Rao' });
  const apikey = keys.publishableKey;
  headersOf = {
    visitor: { apikey },
    customer: { apikey, Authorization: `Bearer ${await tokenOf(customer)}` },
    administrator: { apikey, Authorization: `Bearer ${await tokenOf(administrator)}` },
    service: { apikey: keys.secretKey },
  };
});

afterAll(async () => {
  expect((await rawRequest(shopUrl, { target: '/healthz' })).status).toBe(200);
});

function ask({ as = 'visitor', ...request }: BadCase) {
  return rawRequest(shopUrl, { ...request, headers: { ...headersOf[as], ...request.headers } });
}

/** What belongs to the customer who sends the bad input, and to an uninvolved customer. */
async function whatMustNotChange(): Promise<unknown> {
  const me = await userIdOf(customer);
  const rows = async (query: string) => {
    const response = await fetch(`${backendUrl}/rest/v1/${query}`, { headers: { apikey: keys.secretKey } });
    expect(response.status, query).toBe(200);
    return response.json();
  };
  const { data } = await customer.auth.getUser();
  return Promise.all([
    ...[me, bystander].flatMap((id) => [
      rows(`user_profiles?user_id=eq.${id}`),
      rows(`comments?user_id=eq.${id}&order=id`),
      rows(`notify_subscriptions?user_id=eq.${id}&order=product_id`),
      rows(`orders?user_id=eq.${id}&order=id&select=*,order_items(*)`),
    ]),
    rows('shop_settings?select=name,legal_name,address,gstin,fssai_number,weekly_off'), // of the rest a test changes a link
    data.user?.user_metadata,
  ]);
}

async function expectAllRefused(cases: BadCase[]): Promise<void> {
  const before = await whatMustNotChange();
  const broken: string[] = [];
  for (const request of cases) {
    const answer = await ask(request);
    try {
      expectClearRefusal(answer, request);
    } catch (error) {
      broken.push((error as Error).message.split('\n')[0] ?? '');
    }
  }
  expect(broken).toEqual([]);
  expect(await whatMustNotChange()).toEqual(before);
}

describe('bad input gets a clear 4xx with a JSON body and changes nothing', () => {
  test('the Data API', () => expectAllRefused(restCases));
  test('sign-in', () => expectAllRefused(authCases));
  test('pictures', () => expectAllRefused(storageCases));
  test('functions', () => expectAllRefused(functionCases));
  test('realtime paths requested without a websocket', () =>
    expectAllRefused(
      ['', '/', '/websocket', '/nope', '/%', '//websocket'].map((path) => ({ target: `/realtime/v1${path}` })),
    ));
});

test('what HTTP allows a server to ignore is ignored', async () => {
  for (const request of ignoredCases) {
    const answer = await ask(request);
    expect(answer.status, describeRequest(request)).toBe(200);
    expect(Array.isArray(JSON.parse(answer.body)), describeRequest(request)).toBe(true);
  }
});

test('dots and slashes in a path never lead out of the served folder', async () => {
  const secrets = ['"dependencies"', 'jwtSecret', 'root:x:'];
  const targets = [
    '//rest/v1/Products',
    '/rest//v1/Products',
    '/rest/v1/../../etc/passwd',
    '/rest/v1/%2e%2e/%2e%2e/etc/passwd',
    '/assets/../../../package.json',
    '/assets/%2e%2e/%2e%2e/%2e%2e/package.json',
    '/assets/..%2f..%2f..%2fpackage.json',
    '/..%5c..%5cpackage.json',
    '/images//..//..//..//package.json',
    '/.env',
    '/.data/keys.json',
    '/server/main.ts',
  ];
  for (const target of targets) {
    const answer = await rawRequest(shopUrl, { target, headers: headersOf.visitor });
    expect(answer.status, target).toBeGreaterThanOrEqual(400);
    expect(answer.status, target).toBeLessThan(500);
    for (const secret of secrets) expect(answer.body, target).not.toContain(secret);
  }
});

test('bytes that are not HTTP get a 4xx and the shop stays up', async () => {
  await fetch(shopUrl); // a page that is kept is no exception
  const requests: RawRequest[] = [
    { method: 'NONSENSE', target: '/' },
    { target: '/ /' },
    { target: `/?${'a'.repeat(200_000)}` },
    { target: '/', headers: { Host: 'a b' } },
    { target: '/', headers: { Host: '' } },
    { target: '/', headers: { Host: '%' } },
    { target: '/', headers: { 'Bad Header': 'x' } },
    { method: 'POST', target: '/rest/v1/comments', headers: { 'Content-Length': 'x' } },
    {
      method: 'POST',
      target: '/rest/v1/comments',
      headers: { 'Transfer-Encoding': 'chunked', 'Content-Length': '5' },
      body: 'zz',
    },
    { method: 'GET', target: 'http://' },
  ];
  for (const request of requests) {
    const { status } = await rawRequest(shopUrl, request);
    expect(status, describeRequest(request)).toBeGreaterThanOrEqual(400);
    expect(status, describeRequest(request)).toBeLessThan(500);
  }
});

test('a client that disconnects in the middle of a body is not logged as an error of the shop', async () => {
  const { hostname, port } = new URL(backendUrl);
  const lengths = ['Content-Length: 100\r\n\r\n{"a":', 'Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n'];
  for (const target of [
    '/rest/v1/rpc/search_products',
    '/auth/v1/token?grant_type=pkce',
    '/functions/v1/paymentWebhook',
  ])
    for (const rest of lengths) {
      const socket = connect(Number(port), hostname);
      socket.write(`POST ${target} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${rest}`);
      await once(socket, 'connect');
      await new Promise((begun) => setTimeout(begun, 20));
      socket.destroy();
    }
});

test('forged, expired and mangled tokens give no access, not even to public data', async () => {
  const me = await userIdOf(customer);
  const broken: string[] = [];
  for (const [name, token] of Object.entries(await forgedTokens(keys.jwtSecret, me))) {
    const requests: RawRequest[] = [
      { target: '/rest/v1/Products?select=Id&limit=1' },
      { target: '/rest/v1/orders?select=id' },
      { method: 'POST', target: '/rest/v1/rpc/is_administrator', body: `{"user_id":"${me}"}` },
      { target: '/auth/v1/user' },
      { method: 'PUT', target: '/auth/v1/user', body: '{"data":{"name":"x"}}' },
      { method: 'POST', target: '/auth/v1/logout?scope=global' },
      { target: '/functions/v1/notify?product_id=1' },
      { method: 'POST', target: '/storage/v1/object/list/products', body: '{"prefix":""}' },
    ];
    for (const request of requests) {
      const headers = {
        apikey: keys.publishableKey,
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
      };
      const answer = await rawRequest(shopUrl, { ...request, headers });
      try {
        expectClearRefusal(answer, request);
      } catch {
        broken.push(`${name}: ${request.method ?? 'GET'} ${request.target} → ${answer.status}`);
      }
    }
  }
  expect(broken).toEqual([]);
});
