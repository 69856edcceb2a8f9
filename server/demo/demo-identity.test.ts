import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { createDemoIdentity } from './demo-identity.ts';
import { createGrantStore, prepareGrants } from './grant-store.ts';

const siteUrl = 'http://localhost:3000';
const callback = `${siteUrl}/auth/v1/callback`;
const base = `${siteUrl}/demo-identity`;

let database: TestDatabase;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  await prepareGrants(database.sql);
});
afterAll(() => database.drop());

function identity() {
  const clock = { now: 1_000_000 };
  const serve = createDemoIdentity({
    apiUrl: siteUrl,
    clientSecret: 'the-secret',
    grants: createGrantStore(database.sql),
    now: () => clock.now,
  });
  const post = (path: string, fields: Record<string, string>) =>
    serve(new Request(`${base}${path}`, { method: 'POST', body: new URLSearchParams(fields) }));
  return {
    clock,
    serve,
    choose: (fields: Record<string, string>) =>
      post('/login/oauth/authorize', { redirect_uri: callback, state: 'abc', ...fields }),
    async codeFor(fields: Record<string, string>): Promise<string> {
      const response = await this.choose(fields);
      return new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? '';
    },
    async tokenFor(code: string, client_secret = 'the-secret'): Promise<string | undefined> {
      const response = await post('/login/oauth/access_token', { code, client_secret });
      return ((await response.json()) as { access_token?: string }).access_token;
    },
    ask: (path: string, token: string) =>
      serve(new Request(`${base}${path}`, { headers: { authorization: `Bearer ${token}` } })),
  };
}

describe('a code', () => {
  test('becomes a token once', async () => {
    const demo = identity();
    const code = await demo.codeFor({ account: '1001' });
    expect(await demo.tokenFor(code)).toBeTruthy();
    expect(await demo.tokenFor(code)).toBeUndefined();
  });

  test('works for a minute and not longer', async () => {
    const demo = identity();
    const [early, late] = [await demo.codeFor({ account: '1001' }), await demo.codeFor({ account: '1001' })];
    demo.clock.now += 59_999;
    expect(await demo.tokenFor(early)).toBeTruthy();
    demo.clock.now += 1;
    expect(await demo.tokenFor(late)).toBeUndefined();
  });

  test('is worth nothing without the secret, and a wrong try does not use it up', async () => {
    const demo = identity();
    const code = await demo.codeFor({ account: '1001' });
    expect(await demo.tokenFor(code, 'wrong')).toBeUndefined();
    expect(await demo.tokenFor(code, '')).toBeUndefined();
    expect(await demo.tokenFor(code)).toBeTruthy();
  });

  test('is never the same twice, nor anything one could guess', async () => {
    const demo = identity();
    const codes = await Promise.all(Array.from({ length: 50 }, () => demo.codeFor({ account: '1001' })));
    expect(new Set(codes).size).toBe(50);
    for (const code of codes) expect(code).toMatch(/^[\w-]{32}$/);
    for (const guess of ['', 'x', '__proto__', 'constructor']) expect(await demo.tokenFor(guess)).toBeUndefined();
  });
});

describe('a token', () => {
  test('tells who it is for a minute', async () => {
    const demo = identity();
    const token = (await demo.tokenFor(await demo.codeFor({ account: '1003' }))) ?? '';
    expect(await (await demo.ask('/api/v3/user', token)).json()).toMatchObject({
      id: 1003,
      name: 'Asha Rao',
      email: 'asha@example.com',
    });
    expect(await (await demo.ask('/api/v3/user/emails', token)).json()).toEqual([
      { email: 'asha@example.com', primary: true, verified: true },
    ]);
    demo.clock.now += 60_000;
    expect((await demo.ask('/api/v3/user', token)).status).toBe(401);
  });

  test('is not a code, and a code is not a token', async () => {
    const demo = identity();
    const code = await demo.codeFor({ account: '1001' });
    expect((await demo.ask('/api/v3/user', code)).status).toBe(401);
  });
});

describe('who one is', () => {
  const person = async (fields: Record<string, string>) => {
    const demo = identity();
    const token = (await demo.tokenFor(await demo.codeFor(fields))) ?? '';
    return (await (await demo.ask('/api/v3/user', token)).json()) as { id: number; name: string; email: string };
  };

  test('the same e-mail is the same person at every visit, far from the ids of the seed', async () => {
    const one = await person({ name: 'One', email: 'new@example.com' });
    const two = await person({ name: 'Two', email: ' NEW@example.com'.trim() });
    expect(two.id).toBe(one.id);
    expect(one.id).toBeGreaterThan(1_000_000);
    expect(Number.isSafeInteger(one.id)).toBe(true);
    expect((await person({ name: 'One', email: 'other@example.com' })).id).not.toBe(one.id);
  });

  test('the e-mail of a demo person is that person', async () => {
    expect(await person({ name: 'Impostor', email: 'Priya@Example.com' })).toMatchObject({
      id: 1001,
      name: 'Priya Sharma',
    });
  });

  test.each([
    { name: '', email: 'a@example.com' },
    { name: '   ', email: 'a@example.com' },
    { name: 'x'.repeat(81), email: 'a@example.com' },
    { name: 'A', email: 'not-an-address' },
    { name: 'A', email: `${'a'.repeat(200)}@example.com` },
    { account: '9999' },
    {},
  ] as Record<string, string>[])('a form filled in like %o comes back with a reason and no code', async (fields) => {
    const response = await identity().choose(fields);
    expect(response.status).toBe(400);
    expect(response.headers.get('location')).toBeNull();
    expect(await response.text()).toContain('role="alert"');
  });
});

describe('the way in and back', () => {
  test.each(['', 'https://evil.example/', `${callback}/`, `${callback}?x`, 'http://127.0.0.1:3000/auth/v1/callback'])(
    'leads to the shop only, not to "%s"',
    async (redirect_uri) => {
      const response = await identity().choose({ account: '1001', redirect_uri });
      expect(response.status).toBe(400);
      expect(response.headers.get('location')).toBeNull();
    },
  );

  test('keeps the state it was given, and needs one of a sane length', async () => {
    const response = await identity().choose({ account: '1001', state: 'a&b=c #"' });
    expect(response.status).toBe(303);
    expect(new URL(response.headers.get('location') ?? '').searchParams.get('state')).toBe('a&b=c #"');
    for (const state of ['', 'x'.repeat(4001)])
      expect((await identity().choose({ account: '1001', state })).status).toBe(400);
  });

  test.each([
    ['GET', '/login/oauth/access_token'],
    ['DELETE', '/login/oauth/authorize'],
    ['POST', '/api/v3/user'],
    ['GET', '/'],
    ['GET', '/api/v3/users'],
  ])('%s %s is not there', async (method, path) => {
    expect((await identity().serve(new Request(`${base}${path}`, { method }))).status).toBe(404);
  });

  test('more than 16 KiB, or JSON that is none, gets nothing', async () => {
    const demo = identity();
    for (const body of ['x'.repeat(17_000), '{', 'null', '5', '[1]', '["ab"]']) {
      const headers = { 'content-type': 'application/json' };
      const request = () => new Request(`${base}/login/oauth/access_token`, { method: 'POST', headers, body });
      expect(await (await demo.serve(request())).json()).toEqual({ error: 'bad_verification_code' });
    }
  });
});
