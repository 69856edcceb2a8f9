import type { Sql } from 'postgres';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { connectToShop, insertProduct } from '../support/rows.ts';
import {
  newCustomer,
  type PublicEnvironment,
  publicEnvironment,
  type ShopClient,
  signInAs,
  userIdOf,
} from '../support/visitor.ts';
import { type RawRequest, rawRequest } from './raw-request.ts';
import { codeFor, exchange, newPerson } from './sign-in-by-hand.ts';

const shopUrl = inject('shopUrl');
const backendUrl = inject('backendUrl');
let environment: PublicEnvironment;
let sql: Sql;
beforeAll(async () => {
  environment = await publicEnvironment(shopUrl);
  sql = await connectToShop(inject('shopDataDir'));
});
afterAll(() => sql.end());

type Session = { access_token: string; refresh_token: string };

async function newSession(person = newPerson()): Promise<Session> {
  const { code, verifier } = await codeFor(shopUrl, person);
  return (await (await exchange(backendUrl, environment.key, code, verifier)).json()) as Session;
}
async function refresh({ refresh_token }: Session): Promise<Session | null> {
  const response = await fetch(`${backendUrl}/auth/v1/token?grant_type=refresh_token`, {
    method: 'POST',
    headers: { apikey: environment.key, 'content-type': 'application/json' },
    body: JSON.stringify({ refresh_token }),
  });
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect([200, 400]).toContain(response.status);
  return response.ok ? ((await response.json()) as Session) : null;
}
const bearer = ({ access_token }: Session) => ({ apikey: environment.key, authorization: `Bearer ${access_token}` });
const claimsOf = ({ access_token }: Session): { sub: string; session_id: string } =>
  JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString());
const sessionOf = (session: Session) => claimsOf(session).session_id;
const userOf = (session: Session) => claimsOf(session).sub;
const logOut = (session: Session, scope: string) =>
  fetch(`${backendUrl}/auth/v1/logout?scope=${scope}`, { method: 'POST', headers: bearer(session) });
const whoAmI = async (session: Session) =>
  (await fetch(`${backendUrl}/auth/v1/user`, { headers: bearer(session) })).status;

describe('a session', () => {
  test('that is logged out cannot be used again, and the other sessions of that person still work', async () => {
    const person = newPerson();
    const [here, elsewhere] = [await newSession(person), await newSession(person)];
    expect((await logOut(here, 'local')).status).toBe(204);
    expect(await refresh(here)).toBeNull();
    expect(await whoAmI(here)).toBe(403);
    expect(await refresh(elsewhere)).not.toBeNull();
  });

  test('can be ended on all devices together', async () => {
    const person = newPerson();
    const [here, elsewhere] = [await newSession(person), await newSession(person)];
    expect((await logOut(here, 'global')).status).toBe(204);
    expect([await refresh(here), await refresh(elsewhere)]).toEqual([null, null]);
  });

  test('ends when a token is used that was replaced long ago: it was stolen', async () => {
    const first = await newSession();
    const second = await refresh(first);
    const third = second && (await refresh(second));
    expect(new Set([first, second, third].map((session) => session?.refresh_token)).size).toBe(3);
    expect(await refresh(first)).toBeNull();
    expect(third && (await refresh(third))).toBeNull();
  });

  test('of two tabs that refresh at the same moment is the same one, not two', async () => {
    const first = await newSession();
    const second = await refresh(first);
    expect((await refresh(first))?.refresh_token).toBe(second?.refresh_token);
  });

  test('ends when a replaced token is used after more than ten seconds, and the owner of the shop can see it', async () => {
    const person = newPerson();
    const [first, elsewhere] = [await newSession(person), await newSession(person)];
    const second = await refresh(first);
    await sql`update auth.refresh_tokens set updated_at = now() - interval '11 seconds' where token = ${first.refresh_token}`;
    expect(await refresh(first)).toBeNull();
    expect(second && (await refresh(second))).toBeNull();
    expect(second && (await whoAmI(second))).toBe(403);
    expect(await refresh(elsewhere)).not.toBeNull();
    const events = await sql`select e.kind, e.address <> '' as has_address from private.security_events e
      join auth.users u on u.id = e.user_id where u.email = ${person.email} and e.kind = 'token-reused'`;
    expect(events).toEqual([{ kind: 'token-reused', has_address: true }]);
  });

  test('refreshed ten times at the same time has one token, not ten', async () => {
    const first = await newSession();
    const all = await Promise.all(Array.from({ length: 10 }, () => refresh(first)));
    expect(new Set(all.map((session) => session?.refresh_token)).size).toBe(1);
    expect(all[0] && (await refresh(all[0]))).not.toBeNull();
  });

  test.each([
    ['30 days without use', '60 days', '31 days', null],
    ['30 days after it began, if it was never used', '31 days', null, null],
    ['180 days, however often it is used', '181 days', '1 minute', null],
    ['not before', '179 days', '29 days', 'alive'],
  ])('ends after %s', async (_name, started, used, expected) => {
    const session = await newSession();
    await sql`update auth.sessions set created_at = now() - ${started}::interval,
      refreshed_at = (now() - ${used}::interval) at time zone 'UTC' where id = ${sessionOf(session)}`;
    expect((await refresh(session)) && 'alive').toBe(expected);
  });

  test.each(['', 'x', '00000000-0000-4000-a000-000000000001', "' or true --"])(
    'does not begin with the token %j',
    async (refresh_token) => {
      expect(await refresh({ refresh_token, access_token: '' })).toBeNull();
    },
  );
});

describe('the access token of a session that has ended', () => {
  type Refusal = { status: number; body: string };
  const refusalOf = async (response: Response): Promise<Refusal> => ({
    status: response.status,
    body: await response.text(),
  });
  const call = async (session: Session, method: string, path: string, body?: object) =>
    refusalOf(
      await fetch(backendUrl + path, {
        method,
        headers: { ...bearer(session), 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }),
    );
  /** Everything of the backend that a customer's token opens. */
  const requests: [method: string, path: string, body?: object][] = [
    ['GET', '/rest/v1/orders?select=id'],
    ['GET', '/rest/v1/Products?select=Id&limit=1'],
    ['POST', '/rest/v1/rpc/my_sessions', {}],
    ['PATCH', '/rest/v1/user_profiles?phone=eq.1', { phone: '9876543210' }],
    ['POST', '/functions/v1/getShippingPrice', { orders: [], delivery: { pincode: '400001' } }],
    ['POST', '/functions/v1/createOrder', { amount: 1, currency: 'INR' }],
    ['POST', '/functions/v1/placeOrder', { provider_order_id: 'order_1', payment_id: 'pay_1', signature: 'x' }],
    ['POST', '/functions/v1/notify', { product_id: 1 }],
    ['GET', '/functions/v1/invoice?order=1'],
    ['GET', '/functions/v1/myData'],
    ['GET', '/functions/v1/exportCsv?what=orders'],
  ];
  const auth: typeof requests = [
    ['GET', '/auth/v1/user'],
    ['PUT', '/auth/v1/user', { data: { full_name: 'Thief' } }],
    ['POST', '/auth/v1/logout?scope=global'],
  ];

  const endings: [name: string, end: (ended: Session, elsewhere: Session) => Promise<unknown>][] = [
    ['logging out', (ended) => logOut(ended, 'local')],
    ['logging out everywhere', (ended) => call(ended, 'POST', '/rest/v1/rpc/end_my_sessions', {})],
    [
      'its owner, from another device',
      (ended, elsewhere) => call(elsewhere, 'POST', '/rest/v1/rpc/end_my_session', { session_id: sessionOf(ended) }),
    ],
    [
      'an administrator',
      async (ended) => {
        const asha = await signInAs(shopUrl, { account: 'Asha Rao' });
        await asha.rpc('admin_end_sessions', { customer_id: userOf(ended) }).throwOnError();
      },
    ],
    [
      'reuse of a refresh token',
      async (ended) => {
        await refresh(ended);
        await sql`update auth.refresh_tokens set updated_at = now() - interval '11 seconds' where token = ${ended.refresh_token}`;
        expect(await refresh(ended)).toBeNull();
      },
    ],
  ];

  test.each(endings)('gives no access from the next request on, after %s', async (_name, end) => {
    const person = newPerson();
    const [ended, elsewhere] = [await newSession(person), await newSession(person)];
    for (const [method, path, body] of requests) {
      const before = await call(ended, method, path, body);
      expect(before.status, path).not.toBe(401);
    }
    await end(ended, elsewhere);
    for (const [method, path, body] of requests) {
      const { status } = await call(ended, method, path, body);
      expect(status, `${method} ${path}`).toBe(401);
    }
    // As Supabase's Auth responds, whose client then removes the session from the browser.
    for (const [method, path, body] of auth) {
      const { status, body: said } = await call(ended, method, path, body);
      expect([401, 403], `${method} ${path} ${said}`).toContain(status);
    }
  });

  test('of an administrator uploads no picture and opens no console', async () => {
    const administrator = await newSession();
    const id = userOf(administrator);
    await sql`insert into private.administrators (user_id) values (${id})`;
    const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#f4a300' } })
      .webp()
      .toBuffer();
    const upload = (name: string) =>
      fetch(`${backendUrl}/storage/v1/object/products/${name}-${id}.webp`, {
        method: 'POST',
        headers: { ...bearer(administrator), 'content-type': 'image/webp' },
        body: new Uint8Array(picture),
      });
    expect((await upload('before')).status).toBe(200);
    expect((await call(administrator, 'POST', '/rest/v1/rpc/admin_read_log', {})).status).toBe(200);
    await logOut(administrator, 'local');
    expect((await upload('after')).status).toBe(401);
    expect((await call(administrator, 'POST', '/rest/v1/rpc/admin_read_log', {})).status).toBe(401);
    expect((await call(administrator, 'GET', '/functions/v1/exportCsv?what=orders')).status).toBe(401);
    // An honest administrator whose session was ended is no break-in.
    expect(await sql`select from private.security_events where user_id = ${id} and kind = 'console-refused'`).toEqual(
      [],
    );
    await sql`delete from private.administrators where user_id = ${id}`;
  });
});

describe('the list of a customer’s sessions', () => {
  type Listed = { id: string; user_agent: string; is_current: boolean; started_at: string };
  const call = async (session: Session, name: string, body: object = {}) => {
    const response = await fetch(`${backendUrl}/rest/v1/rpc/${name}`, {
      method: 'POST',
      headers: { ...bearer(session), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.status, name).toBe(200);
    return response.json() as Promise<unknown>;
  };
  const list = async (session: Session) => (await call(session, 'my_sessions')) as Listed[];

  test('names each with its browser, and marks this one', async () => {
    const person = newPerson();
    const [here, elsewhere] = [await newSession(person), await newSession(person)];
    const listed = await list(here);
    expect(listed.map(({ id, is_current }) => [id, is_current])).toEqual([
      [sessionOf(here), true],
      [sessionOf(elsewhere), false],
    ]);
    expect(listed.every(({ user_agent }) => user_agent !== '')).toBe(true);
    expect(Math.abs(Date.parse(listed[0]?.started_at ?? '') - Date.now())).toBeLessThan(60_000);
  });

  test('logs out one of the customer’s own sessions', async () => {
    const person = newPerson();
    const [here, elsewhere, stranger] = [await newSession(person), await newSession(person), await newSession()];
    expect(await call(stranger, 'end_my_session', { session_id: sessionOf(elsewhere) })).toBe(false);
    expect(await call(here, 'end_my_session', { session_id: sessionOf(elsewhere) })).toBe(true);
    expect(await refresh(elsewhere)).toBeNull();
    expect(await refresh(here)).not.toBeNull();
  });

  test('logs out all sessions, and the security log shows from where', async () => {
    const person = newPerson();
    const [here, elsewhere] = [await newSession(person), await newSession(person)];
    const forged = { 'cf-connecting-ip': '6.6.6.6', 'x-forwarded-for': '6.6.6.6' };
    const response = await fetch(`${backendUrl}/rest/v1/rpc/end_my_sessions`, {
      method: 'POST',
      headers: { ...bearer(here), 'content-type': 'application/json', ...forged },
      body: '{}',
    });
    expect(await response.json()).toBe(2);
    expect([await refresh(here), await refresh(elsewhere)]).toEqual([null, null]);
    const events = await sql`select e.address, e.user_agent from private.security_events e
      join auth.users u on u.id = e.user_id where u.email = ${person.email} and e.kind = 'logged-out-everywhere'`;
    expect(events).toHaveLength(1);
    expect(events[0]?.user_agent).not.toBe('');
    expect(events[0]?.address).toMatch(/^(127\.0\.0\.1|::1)$/);
  });
});

describe('another site, in the browser of a customer who is signed in', () => {
  let victim: ShopClient;
  let cookies: string;
  let productId: number;
  beforeAll(async () => {
    victim = await newCustomer(shopUrl, 'Victim');
    const { data } = await victim.auth.getSession();
    const sql = await connectToShop(inject('shopDataDir'));
    productId = await insertProduct(sql);
    await sql.end();
    // More than any browser would send: the shop sets none of these.
    const token = data.session?.access_token;
    cookies = ['sb-access-token', 'sb-localhost-auth-token', 'access_token', 'Authorization']
      .map((name) => `${name}=${token}`)
      .join('; ');
  });

  // What a form or a fetch without preflight can send.
  const encodings: [type: string, encode: (fields: Record<string, unknown>) => string][] = [
    ['application/x-www-form-urlencoded', (fields) => new URLSearchParams(fields as Record<string, string>).toString()],
    ['application/x-www-form-urlencoded', JSON.stringify],
    ['multipart/form-data; boundary=x', JSON.stringify],
    ['text/plain', JSON.stringify],
  ];
  const asNobody = [401];
  const doors: [request: string, statuses: number[], fields?: () => Record<string, unknown>][] = [
    // The Data API understands JSON and nothing that a form could send.
    ['POST /rest/v1/comments', [400, 401, 403, 415], () => ({ content: 'Forged', rating: 1, product_id: productId })],
    ['POST /rest/v1/user_profiles', [400, 401, 403, 415], () => ({ phone: '9000000000' })],
    ['POST /rest/v1/rpc/admin_save_shop', [400, 401, 403, 404, 415], () => ({ facts: { name: 'Forged' } })],
    ['POST /functions/v1/notify', asNobody, () => ({ product_id: productId })],
    ['POST /functions/v1/getShippingPrice', asNobody, () => ({ orders: [], delivery: { pincode: '400001' } })],
    ['POST /functions/v1/createOrder', asNobody, () => ({ amount: 1, currency: 'INR' })],
    ['POST /functions/v1/placeOrder', asNobody, () => ({ provider_order_id: 'order_1', payment_id: 'pay_1' })],
    ['POST /functions/v1/runJobs', asNobody],
    ['POST /functions/v1/paymentWebhook', [400], () => ({ event: 'payment.captured' })],
    ['GET /functions/v1/exportCsv?what=orders', asNobody],
    ['GET /functions/v1/invoice?order=1', asNobody],
    ['GET /functions/v1/myData', asNobody],
    ['POST /auth/v1/logout', asNobody],
    ['POST /auth/v1/token?grant_type=refresh_token', [400, 401]],
    ['GET /auth/v1/user', asNobody],
    ['POST /storage/v1/object/products/forged.webp', asNobody],
    ['POST /test-payments/pay', [403], () => ({ order_id: 'order_1', outcome: 'pay' })],
    ['POST /cart', [400]],
    ['POST /logout', [400]],
    ['POST /profile.data', [400]],
  ];

  test.each(doors)('does nothing in the customer’s name: %s', async (request, statuses, fields = () => ({})) => {
    const [method = '', path = ''] = request.split(' ');
    for (const [type, encode] of encodings) {
      // The key is public, and an address may carry it.
      for (const target of [path, `${path}${path.includes('?') ? '&' : '?'}apikey=${environment.key}`]) {
        const { status } = await rawRequest(shopUrl, fromElsewhere({ method, target, body: encode(fields()) }, type));
        expect(statuses, `${type} ${target}`).toContain(status);
      }
    }
  });

  test('leaves the customer’s data unchanged', async () => {
    expect(
      (
        await victim
          .from('comments')
          .select()
          .eq('user_id', await userIdOf(victim))
      ).data,
    ).toEqual([]);
    expect((await victim.from('user_profiles').select('phone')).data?.[0]?.phone ?? null).toBeNull();
    expect((await victim.from('notify_subscriptions').select()).data).toEqual([]);
    expect((await victim.auth.refreshSession()).error).toBeNull();
  });

  test.each(['/rest/v1/orders', '/auth/v1/user', '/storage/v1/object/public/products/x.webp', '/env.json', '/'])(
    'is not allowed to read what %s answers',
    async (target) => {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const { headers } = await rawRequest(shopUrl, fromElsewhere({ method, target }));
        expect(headers.get('access-control-allow-origin'), method).toBeNull();
        expect(headers.get('access-control-allow-credentials'), method).toBeNull();
      }
    },
  );

  test('a token in an address is ignored', async () => {
    const { data } = await victim.auth.getSession();
    for (const name of ['access_token', 'token', 'authorization', 'jwt', 'apikey']) {
      const target = `/auth/v1/user?${name}=${data.session?.access_token}`;
      expect((await rawRequest(shopUrl, { target, headers: { apikey: environment.key } })).status, name).toBe(401);
    }
  });

  function fromElsewhere(request: RawRequest, type?: string): RawRequest {
    const headers = { Origin: 'https://evil.example', Referer: 'https://evil.example/', Cookie: cookies };
    const { body, ...rest } = request;
    if (request.method !== 'POST') return { ...rest, headers };
    return {
      ...rest,
      ...(body === undefined ? {} : { body }),
      headers: { ...headers, ...(type ? { 'Content-Type': type } : {}) },
    };
  }
});

test('the sixth review of an hour is refused over the Data API too, with a status for it', async () => {
  const writer = await newCustomer(shopUrl);
  const sql = await connectToShop(inject('shopDataDir'));
  const ids: number[] = [];
  for (let n = 0; n < 12; n += 1) ids.push(await insertProduct(sql));
  await sql.end();
  const statuses: number[] = [];
  // The limit counts by the hour of the clock: where one strikes in between, it takes as many again.
  for (let n = 0; n < 12 && !statuses.includes(429); n += 1)
    statuses.push(
      (await writer.from('comments').insert({ content: `Review ${n}`, rating: 4, product_id: ids[n] ?? 0 })).status,
    );
  expect(statuses.slice(0, 5)).toEqual([201, 201, 201, 201, 201]);
  expect(statuses.at(-1)).toBe(429);

  const again = await writer.from('comments').insert({ content: 'Once more', rating: 1, product_id: ids[0] ?? 0 });
  expect([again.status, again.error?.message]).toEqual([
    409,
    'You have already reviewed this product. Edit your review instead.',
  ]);
});

test('the twenty-first edit of a review in an hour is refused over the Data API, too', async () => {
  const writer = await newCustomer(shopUrl);
  const { data: review } = await writer
    .from('comments')
    .insert({ content: 'First', rating: 4, product_id: 6 })
    .select('id')
    .single();
  const statuses: number[] = [];
  for (let n = 0; n < 42 && !statuses.includes(429); n += 1)
    statuses.push(
      (
        await writer
          .from('comments')
          .update({ content: `Edit ${n}` })
          .eq('id', review?.id ?? 0)
      ).status,
    );
  expect(statuses.length).toBeGreaterThan(20);
  expect(statuses.at(-1)).toBe(429);
});
