import { beforeAll, describe, expect, inject, test } from 'vitest';
import { foreignAddresses } from '../support/foreign-addresses.ts';
import { instanceKeys } from '../support/instance-keys.ts';
import { connectToShop } from '../support/rows.ts';
import {
  newClient,
  newCustomer,
  type PublicEnvironment,
  publicEnvironment,
  signInAs,
  tokenOf,
  userIdOf,
} from '../support/visitor.ts';
import { rawRequest } from './raw-request.ts';
import { authorizeAddress, codeFor, exchange, newPerson, newVerifier, next } from './sign-in-by-hand.ts';

const shopUrl = inject('shopUrl');
const backendUrl = inject('backendUrl');
const keys = instanceKeys(inject('shopDataDir'));
const pkce = () => ({ code_challenge: newVerifier().challenge, code_challenge_method: 's256' });
let environment: PublicEnvironment;

beforeAll(async () => {
  environment = await publicEnvironment(shopUrl);
});

describe('the demo sign-in', () => {
  test('offers Priya, Rahul, Asha and a form for another name', async () => {
    const page = await next(authorizeAddress(shopUrl, pkce()));
    expect(new URL(page).origin).toBe(backendUrl);
    const html = await (await fetch(page)).text();
    expect(html).toContain('<title>Demo sign-in</title>');
    const buttons = [...html.matchAll(/<button[^>]*>(.*?)<\/button>/gs)].map((match) =>
      match[1]?.replace(/<small>.*/s, ''),
    );
    expect(buttons.map((label) => label?.replace(/<[^>]+>/g, ''))).toEqual([
      'Continue as Priya Sharma',
      'Continue as Rahul Verma',
      'Continue as Asha Rao',
      'Continue as someone else',
    ]);
    expect(html).toMatch(/<label>Name <input name="name"/);
    expect(html).toMatch(/<label>Email <input name="email" type="email"/);
  });

  test.each([
    ['Priya Sharma', '00000000-0000-4000-a000-000000000001', false],
    ['Rahul Verma', '00000000-0000-4000-a000-000000000002', false],
    ['Asha Rao', '00000000-0000-4000-a000-000000000003', true],
  ] as const)('%s signs in to their own account', async (account, id, isAdministrator) => {
    const client = await signInAs(shopUrl, { account });
    expect(await userIdOf(client)).toBe(id);
    expect((await client.rpc('is_administrator', { user_id: id })).data).toBe(isAdministrator);
  });

  test('treats the same email address as the same person, in upper or lower case', async () => {
    const { email } = newPerson();
    const first = await userIdOf(await signInAs(shopUrl, { name: 'One', email }));
    expect(await userIdOf(await signInAs(shopUrl, { name: 'Two', email: email.toUpperCase() }))).toBe(first);
  });

  test('names missing fields and shows user input as text', async () => {
    const page = await next(authorizeAddress(shopUrl, pkce()));
    const fields = new URLSearchParams(new URL(page).searchParams);
    fields.set('name', '');
    fields.set('email', 'nobody@example.com');
    const response = await fetch(page, { method: 'POST', body: fields });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('<p role="alert">Please enter a name.</p>');
    const tricky = new URL(page);
    tricky.searchParams.set('state', '"><script>alert(1)</script>');
    expect(await (await fetch(tricky)).text()).not.toContain('<script');
  });

  test('redirects to this shop only', async () => {
    const page = new URL(await next(authorizeAddress(shopUrl, pkce())));
    page.searchParams.set('redirect_uri', 'https://evil.example/auth/v1/callback');
    expect((await fetch(page)).status).toBe(400);
    const posted = await fetch(page, {
      method: 'POST',
      body: new URLSearchParams({ ...Object.fromEntries(page.searchParams), account: '1001' }),
    });
    expect(posted.status).toBe(400);
  });

  test.each([
    ['another Host', { Host: 'shop.example' }],
    ['a Host that only begins like ours', { Host: 'localhost.evil.example' }],
    ['Forwarded', { Forwarded: 'for=1.2.3.4' }],
    ['X-Forwarded-For', { 'X-Forwarded-For': '127.0.0.1' }],
    ['X-Forwarded-Host', { 'X-Forwarded-Host': 'localhost' }],
    ['X-Forwarded-Proto', { 'X-Forwarded-Proto': 'https' }],
    ['X-Real-IP', { 'X-Real-IP': '127.0.0.1' }],
    ['Via', { Via: '1.1 proxy' }],
  ])('is not available to clients with %s', async (_name, headers) => {
    const { pathname, search } = new URL(await next(authorizeAddress(shopUrl, pkce())));
    const answer = await rawRequest(shopUrl, { target: pathname + search, headers });
    expect(answer.status).toBe(404);
    expect(answer.body).not.toContain('Priya');
  });

  test('gives tokens and profiles to the shop alone', async () => {
    const { callback } = await codeFor(shopUrl, { account: '1001' });
    const code = new URL(callback).searchParams.get('code') ?? '';
    const stolen = await fetch(`${backendUrl}/demo-identity/login/oauth/access_token`, {
      method: 'POST',
      body: new URLSearchParams({ code, client_id: 'demo', client_secret: 'guess' }),
    });
    expect(await stolen.json()).toEqual({ error: 'bad_verification_code' });
    const user = await fetch(`${backendUrl}/demo-identity/api/v3/user`, { headers: { authorization: 'Bearer guess' } });
    expect(user.status).toBe(401);
  });
});

describe('a code', () => {
  test('works once and not twice', async () => {
    const { code, verifier } = await codeFor(shopUrl, newPerson());
    const first = await exchange(backendUrl, environment.key, code, verifier);
    expect(first.status).toBe(200);
    expect(await first.json()).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
    const second = await exchange(backendUrl, environment.key, code, verifier);
    expect(second.status).toBeGreaterThanOrEqual(400);
    expect(second.status).toBeLessThan(500);
  });

  test('that is used again ends the session it opened, and the owner of the shop can see it', async () => {
    const person = newPerson();
    const { code, verifier } = await codeFor(shopUrl, person);
    const first = await exchange(backendUrl, environment.key, code, verifier);
    const { access_token, refresh_token } = await first.json();
    const headers = { apikey: environment.key, authorization: `Bearer ${access_token}` };
    const isIn = async () => (await fetch(`${backendUrl}/rest/v1/orders?select=id`, { headers })).status === 200;
    expect(await isIn()).toBe(true);
    // Not even with the right verifier: a thief who has the code has none.
    expect((await exchange(backendUrl, environment.key, code, newVerifier().verifier)).status).toBe(404);
    expect(await isIn()).toBe(false);
    const refreshed = await fetch(`${backendUrl}/auth/v1/token?grant_type=refresh_token`, {
      method: 'POST',
      headers: { apikey: environment.key, 'content-type': 'application/json' },
      body: JSON.stringify({ refresh_token }),
    });
    expect(refreshed.status).toBe(400);
    const sql = await connectToShop(inject('shopDataDir'));
    const events = await sql`select e.kind from private.security_events e
      join auth.users u on u.id = e.user_id where u.email = ${person.email} order by e.id`;
    await sql.end();
    expect(events.map(({ kind }) => kind)).toEqual(['signed-in', 'code-reused']);
  });

  test('that was tried with a wrong verifier still works for the browser that started the sign-in', async () => {
    const { code, verifier } = await codeFor(shopUrl, newPerson());
    expect((await exchange(backendUrl, environment.key, code, newVerifier().verifier)).status).toBe(400);
    const { access_token } = await (await exchange(backendUrl, environment.key, code, verifier)).json();
    const headers = { apikey: environment.key, authorization: `Bearer ${access_token}` };
    expect((await fetch(`${backendUrl}/rest/v1/orders?select=id`, { headers })).status).toBe(200);
  });

  test('opens no session when twenty clients use it at the same time: nineteen of them reused it', async () => {
    const { code, verifier } = await codeFor(shopUrl, newPerson());
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => exchange(backendUrl, environment.key, code, verifier)),
    );
    // None where a second use was seen before the first was answered.
    const successes = answers.filter(({ status }) => status === 200);
    expect(successes.length).toBeLessThanOrEqual(1);
    expect(answers.filter(({ status }) => status >= 500)).toHaveLength(0);
    for (const success of successes) {
      const { access_token } = await success.json();
      const headers = { apikey: environment.key, authorization: `Bearer ${access_token}` };
      expect((await fetch(`${backendUrl}/rest/v1/orders?select=id`, { headers })).status).toBe(401);
    }
  });

  test.each(['', 'x', newVerifier().verifier])('does not work with the verifier "%s"', async (verifier) => {
    const { code } = await codeFor(shopUrl, newPerson());
    const answer = await exchange(backendUrl, environment.key, code, verifier);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(await answer.text()).not.toContain('access_token');
  });

  test('is issued once: the callback from the identity provider works once', async () => {
    const { callback } = await codeFor(shopUrl, newPerson());
    const again = new URL(await next(callback));
    expect(again.origin).toBe(shopUrl);
    expect(again.searchParams.get('code')).toBeNull();
    expect(again.searchParams.get('error')).toBeTruthy();
  });
});

describe('sign-in is refused', () => {
  const elsewhere = [...foreignAddresses(shopUrl), '/relative', 'http://localhost:1/'];
  const otherPaths = ['/\\evil.example', '//evil.example', '/x\r\nset-cookie: a=b', '/#access_token=x', '/cart'];
  test.each([...elsewhere, ...otherPaths.map((path) => shopUrl + path)])('to %j', async (redirect_to) => {
    const response = await fetch(authorizeAddress(shopUrl, { ...pkce(), redirect_to }), { redirect: 'manual' });
    expect(response.status).toBe(400);
    expect((await response.json()).error.code).toBe('foreign-redirect');
  });

  test.each<[string, Record<string, string>]>([
    ['without PKCE', {}],
    ['with a plain challenge', { ...pkce(), code_challenge_method: 'plain' }],
    ['with a challenge but no method', { code_challenge: newVerifier().challenge }],
    ['with a challenge that is too short', { code_challenge: 'short', code_challenge_method: 's256' }],
  ])('%s', async (_name, parameters) => {
    const response = await fetch(authorizeAddress(shopUrl, parameters), { redirect: 'manual' });
    expect(response.status).toBe(400);
    expect((await response.json()).error.code).toBe('pkce-required');
  });

  test('with a challenge that the same address overrides: tokens would appear in the address bar', async () => {
    const taken = `${authorizeAddress(shopUrl, pkce())}&code_challenge=&code_challenge_method=`;
    const response = await fetch(taken, { redirect: 'manual' });
    expect(response.status).toBe(400);
    expect((await response.json()).error.code).toBe('repeated-parameter');
  });
});

describe('the callback', () => {
  test.each(['redirect_uri', 'client_id', 'scope', 'state', 'response_type'])(
    'cannot be changed by a %s in the address',
    async (name) => {
      const plain = new URL(await next(authorizeAddress(shopUrl, pkce())));
      const bent = new URL(await next(authorizeAddress(shopUrl, { ...pkce(), [name]: 'https://evil.example/' })));
      expect(bent.href).not.toContain('evil.example');
      expect([...bent.searchParams.keys()]).toEqual([...plain.searchParams.keys()]);
    },
  );

  test('without a redirect address leads to the site, whatever page the visitor came from', async () => {
    const { code_challenge, code_challenge_method } = pkce();
    const query = new URLSearchParams({ provider: 'github', code_challenge, code_challenge_method });
    const page = await next(`${backendUrl}/auth/v1/authorize?${query}`, {
      headers: { referer: 'http://127.0.0.1:1/' },
    });
    const fields = new URLSearchParams({ ...Object.fromEntries(new URL(page).searchParams), account: '1001' });
    const back = new URL(await next(await next(page, { method: 'POST', body: fields })));
    expect([back.origin, back.pathname]).toEqual([shopUrl, '/']);
  });

  test.each(['', 'error=x&error_description=y&redirect_to=https://evil.example/', 'state=x&code=y'])(
    'of a sign-in that was never started (%s) leads to the site, with an error and no code',
    async (query) => {
      const back = new URL(await next(`${backendUrl}/auth/v1/callback?${query}`));
      expect([back.origin, back.pathname, back.searchParams.has('code')]).toEqual([shopUrl, '/', false]);
      expect(back.searchParams.get('error')).toBeTruthy();
    },
  );
});

const person = JSON.stringify({ email: 'priya@example.com', password: 'a-long-password-1', phone: '+919000000001' });
const otherWays: [name: string, method: string, path: string, body?: string][] = [
  ['sign-up', 'POST', '/signup', person],
  ['sign-up with a slash', 'POST', '/signup/', person],
  ['sign-up, encoded', 'POST', '/%73ignup', person],
  ['sign-up through dots', 'POST', '/user/../signup', person],
  ['anonymous sign-in', 'POST', '/signup', '{}'],
  ['the password grant', 'POST', '/token?grant_type=password', person],
  ['the password grant behind an open one', 'POST', '/token?grant_type=password&grant_type=pkce', person],
  ['the id_token grant', 'POST', '/token?grant_type=id_token', '{"provider":"google","id_token":"x"}'],
  ['the web3 grant', 'POST', '/token?grant_type=web3', '{}'],
  ['a token without a grant', 'POST', '/token', person],
  ['a one-time password', 'POST', '/otp', person],
  ['a magic link', 'POST', '/magiclink', person],
  ['recovery', 'POST', '/recover', person],
  ['verification', 'POST', '/verify', '{"type":"recovery","token":"1","email":"priya@example.com"}'],
  ['verification by link', 'GET', '/verify?type=recovery&token=1'],
  ['sending again', 'POST', '/resend', '{"type":"signup","email":"priya@example.com"}'],
  ['an invitation', 'POST', '/invite', person],
  ['listing people', 'GET', '/admin/users'],
  ['making people', 'POST', '/admin/users', person],
  ['making links', 'POST', '/admin/generate_link', '{"type":"magiclink","email":"priya@example.com"}'],
  ['making links, the old way', 'POST', '/generate_link', '{"type":"magiclink","email":"priya@example.com"}'],
  ['single sign-on', 'POST', '/sso', '{"domain":"example.com"}'],
  ['SAML', 'POST', '/sso/saml/acs', ''],
  ['a second factor', 'POST', '/factors', '{"factor_type":"totp"}'],
  ['reauthentication', 'GET', '/reauthenticate'],
  ['linking an identity', 'GET', '/user/identities/authorize?provider=github'],
  ['unlinking an identity', 'DELETE', '/user/identities/00000000-0000-4000-b000-000000000001'],
];

describe('every other sign-in method is disabled', () => {
  test.each(otherWays)('%s', async (_name, method, path, body) => {
    const customer = await newCustomer(shopUrl);
    for (const authorization of [null, `Bearer ${await tokenOf(customer)}`, `Bearer ${keys.secretKey}`]) {
      const answer = await rawRequest(shopUrl, {
        method,
        target: `/auth/v1${path}`,
        headers: {
          apikey: environment.key,
          'Content-Type': 'application/json',
          ...(authorization ? { Authorization: authorization } : {}),
        },
        ...(body === undefined ? {} : { body }),
      });
      // Dots in a path are refused before anything looks at where they lead.
      const refusal = path.includes('..') ? [400, 'malformed-address'] : [403, 'sign-in-method-closed'];
      expect([answer.status, JSON.parse(answer.body).error.code]).toEqual(refusal);
    }
  });

  test('supabase-js cannot use them either', async () => {
    const client = newClient(environment);
    const { email } = newPerson();
    const credentials = { email, password: 'a-long-password-1' };
    expect((await client.auth.signUp(credentials)).error?.status).toBe(403);
    expect((await client.auth.signInWithPassword(credentials)).error?.status).toBe(403);
    expect((await client.auth.signInWithOtp({ email })).error?.status).toBe(403);
    expect((await client.auth.signInAnonymously()).error?.status).toBe(403);
    expect((await client.auth.resetPasswordForEmail(email)).error?.status).toBe(403);
  });
});
