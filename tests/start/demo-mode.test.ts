import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rawRequest } from '../http/raw-request.ts';
import { authorizeAddress, codeFor, exchange, newVerifier } from '../http/sign-in-by-hand.ts';
import { copyFilledShop } from '../support/filled-shop.ts';
import { instanceKeys } from '../support/instance-keys.ts';
import { freePort } from '../support/proxy.ts';
import { connectToShop } from '../support/rows.ts';
import { newDataDir, type RunningShop, removeDataDir, startShop, tryStartShop } from '../support/shop.ts';
import { publicEnvironment, signInAs, tokenOf } from '../support/visitor.ts';

const google = { GOOGLE_CLIENT_ID: 'shop-1.apps.example', GOOGLE_CLIENT_SECRET: 'google-secret-1' };
const razorpay = {
  RAZORPAY_KEY_ID: 'rzp_test_1',
  RAZORPAY_KEY_SECRET: 'razorpay-secret',
  RAZORPAY_WEBHOOK_SECRET: 'webhook-secret',
};
const mail = { MAIL_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'shop@example.com' };
const pkce = () => ({ code_challenge: newVerifier().challenge, code_challenge_method: 's256' });
const signInPage = '/demo-identity/login/oauth/authorize';
const asFromShop = (url: string) => `?redirect_uri=${encodeURIComponent(`${url}/auth/v1/callback`)}&state=x`;

let dataDir: string;
const running: RunningShop[] = [];

beforeEach(async () => {
  dataDir = await newDataDir();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((shop) => shop.stop()));
  await removeDataDir(dataDir);
});

async function open(env: Record<string, string>): Promise<RunningShop> {
  const shop = await startShop({ dataDir, env });
  running.push(shop);
  return shop;
}

async function expectNoDemo(url: string): Promise<void> {
  for (const target of [
    signInPage,
    '/demo-identity/login/oauth/access_token',
    '/demo-identity/api/v3/user',
    '/demo-identity/',
  ]) {
    expect((await rawRequest(url, { target })).status, target).toBe(404);
  }
  const { key } = (await (await fetch(`${url}/env.json`)).json()) as { key: string };
  for (const table of ['Products', 'caurousel', 'testimonials', 'comments']) {
    const response = await fetch(`${url}/rest/v1/${table}`, { headers: { apikey: key } });
    expect([table, response.status, await response.json()]).toEqual([table, 200, []]);
  }
}

describe('a shop with real settings has no part of the demo', () => {
  test('with Google, on https: sign-in goes to Google, browsers are held to https, attempts are limited per address', async () => {
    const port = await freePort();
    await open({ ...google, PORT: String(port), SITE_URL: 'https://shop.example', TRUST_PROXY: '1' });
    const url = `http://127.0.0.1:${port}`;
    await expectNoDemo(url);

    const { pathname, search } = new URL(authorizeAddress('https://shop.example', { provider: 'google', ...pkce() }));
    const from = (address: string) =>
      rawRequest(url, { target: pathname + search, headers: { 'X-Forwarded-For': address } });
    const answer = await from('203.0.113.1');
    expect(answer.status).toBe(302);
    const target = new URL(answer.headers.get('location') ?? '');
    expect(target.origin).toBe('https://accounts.google.com');
    expect(target.searchParams.get('client_id')).toBe('shop-1.apps.example');
    expect(target.searchParams.get('redirect_uri')).toBe('https://shop.example/auth/v1/callback');
    expect(target.href).not.toContain('google-secret-1');
    expect(
      (await rawRequest(url, { target: pathname + search.replace('provider=google', 'provider=github') })).status,
    ).toBe(400);

    for (const path of ['/', '/healthz', '/env.json', '/no-such-page', '/favicon.svg', '/rest/v1/none', '/%']) {
      const { headers } = await rawRequest(url, { target: path });
      expect(headers.get('strict-transport-security'), path).toMatch(/^max-age=\d{8}/);
    }

    // The limit counts by the minute of the clock: start where sixty-one requests fit into one.
    const deadline = Date.now() + 15_000;
    while (Date.now() % 60_000 > 50_000 && Date.now() < deadline) await fetch(`${url}/healthz`);
    const statuses: number[] = [];
    for (let i = 0; i < 61; i += 1) statuses.push((await from('203.0.113.2')).status);
    expect(statuses.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 302));
    expect(statuses[60]).toBe(429);
    expect((await from('203.0.113.3')).status).toBe(302);
    const spoofed = await from('1.2.3.4, 203.0.113.2');
    expect([spoofed.status, spoofed.headers.get('retry-after')]).toEqual([429, '60']);
    const sql = await connectToShop(dataDir);
    const events = await sql`select address, sum(times)::int as times from private.security_events
      where kind = 'sign-in-limited' group by address`;
    await sql.end();
    expect(events).toEqual([{ address: '203.0.113.2', times: 2 }]);
  });

  const others: [string, Record<string, string>][] = [
    ['Razorpay', razorpay],
    ['mail', mail],
  ];
  test.each(process.env.SOAK ? others : others.slice(0, 1))(
    'with %s: no demo people, no demo products, and no demo sign-in',
    async (_name, env) => {
      const { url } = await open(env);
      await expectNoDemo(url);
      const answer = await fetch(authorizeAddress(url, pkce()));
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect(await answer.text()).not.toContain('Priya');
    },
  );

  test('with a Supabase project: the browser is sent there, and no database is made here', async () => {
    const migrations = await readdir(join(import.meta.dirname, '../../supabase/migrations'));
    const versions = JSON.stringify(migrations.map((name) => name.slice(0, 14)));
    const project = createServer(({ url: path = '' }, response) =>
      response.setHeader('content-type', 'application/json').end(path.endsWith('/schema_checksums') ? '{}' : versions),
    );
    await new Promise<void>((listening) => project.listen(0, '127.0.0.1', listening));
    const projectUrl = `http://127.0.0.1:${(project.address() as AddressInfo).port}`;
    const { url } = await open({ SUPABASE_URL: projectUrl, SUPABASE_ANON_KEY: 'sb_publishable_of_the_project' });
    expect(await (await fetch(`${url}/env.json`)).json()).toEqual({
      url: projectUrl,
      key: 'sb_publishable_of_the_project',
    });
    for (const path of ['/rest/v1/Products', '/auth/v1/signup', '/storage/v1/bucket', '/functions/v1/notify']) {
      expect((await fetch(`${url}${path}`)).status, path).toBe(404);
    }
    // An address like any other, with a page around it that this project cannot fill.
    const signIn = await (await fetch(url + signInPage + asFromShop(url))).text();
    expect(signIn).not.toMatch(/Continue as|not-from-this-shop/);
    expect(await readdir(dataDir)).toEqual([]);
    project.close();
  });
});

test('SHOP_DEMO=1 opens the demo sign-in to other hosts and through proxies', async () => {
  await copyFilledShop(dataDir);
  const { url } = await open({ SHOP_DEMO: '1' });
  for (const headers of [
    { Host: 'demo.example' },
    { 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': 'https' },
  ] as Record<string, string>[]) {
    const answer = await rawRequest(url, { target: signInPage + asFromShop(url), headers });
    expect(answer.status).toBe(200);
    expect(answer.body).toContain('Continue as Priya Sharma');
  }
});

test('the log contains no email address, name, code, token or key, and a demo never becomes a real shop', {
  timeout: 90_000,
}, async () => {
  await copyFilledShop(dataDir);
  const shop = await open({});
  const { url } = shop;
  const { key } = await publicEnvironment(url);
  const person = { name: 'Zubeida Loggington', email: 'zubeida.loggington@example.com' };
  const secrets = [person.name, person.email, encodeURIComponent(person.email), 'Loggington', 'typed-secret-4711'];

  const { code, verifier, callback } = await codeFor(url, person);
  secrets.push(
    code,
    verifier,
    new URL(callback).searchParams.get('code') ?? '',
    new URL(callback).searchParams.get('state') ?? '',
  );
  const session = (await (await exchange(url, key, code, verifier)).json()) as {
    access_token: string;
    refresh_token: string;
  };
  secrets.push(session.access_token, session.refresh_token);
  await exchange(url, key, code, verifier);
  const client = await signInAs(url, person);
  secrets.push(await tokenOf(client));
  await client.auth.refreshSession();
  secrets.push(await tokenOf(client));

  const headers = { apikey: key, authorization: `Bearer ${session.access_token}`, 'content-type': 'application/json' };
  const send = (method: string, path: string, body?: string) =>
    fetch(`${url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
  const typed = `${person.email} typed-secret-4711`;
  await send('GET', `/?code=typed-secret-4711&email=${encodeURIComponent(person.email)}`);
  await send('GET', `/no-such-page?token=typed-secret-4711`);
  await rawRequest(url, {
    target: `http://zubeida:typed-secret-4711@${new URL(url).host}/terms?code=typed-secret-4711`,
  });
  await send('GET', `/rest/v1/Products?Id=eq.${encodeURIComponent(typed)}`);
  await send('GET', `/rest/v1/Products?select=${encodeURIComponent(typed)}`);
  await send('POST', '/rest/v1/comments', JSON.stringify({ content: typed, rating: 9, product_id: 1 }));
  await send(
    'POST',
    '/rest/v1/comments',
    `{"content":"${typed}","rating":1,"product_id":${'['.repeat(9000)}${']'.repeat(9000)}}`,
  );
  await send('POST', '/rest/v1/rpc/is_administrator', JSON.stringify({ user_id: typed }));
  await send('PUT', '/auth/v1/user', JSON.stringify({ email: typed, password: 'typed-secret-4711' }));
  await send('PUT', '/auth/v1/user', `{"data":{"name":"${typed}","x":${'['.repeat(7000)}${']'.repeat(7000)}}}`);
  await send('POST', '/auth/v1/token?grant_type=refresh_token', JSON.stringify({ refresh_token: 'typed-secret-4711' }));
  await send('POST', '/functions/v1/notify', JSON.stringify({ product_id: typed }));
  await send('POST', '/storage/v1/object/list/products', `{"prefix":"${typed}"`);
  await client.auth.signOut();

  await shop.stop();
  const output = shop.output();
  const { secretKey, jwtSecret, publishableKey } = instanceKeys(dataDir);
  for (const secret of [...secrets, secretKey, jwtSecret, publishableKey]) {
    expect(secret.length).toBeGreaterThan(5);
    const line = output.split('\n').find((text) => text.includes(secret));
    expect(line?.slice(0, 400)).toBeUndefined();
  }
  const entries = output
    .split('\n')
    .filter((line) => line.startsWith('{"at"'))
    .map((line) => JSON.parse(line));
  expect(entries.filter(({ event }) => event === 'request').length).toBeGreaterThan(15);
  for (const { event, path } of entries) if (event === 'request') expect(path).not.toContain('?');
  expect(entries.some(({ event, path }) => event === 'request' && path === '/terms')).toBe(true);

  for (const env of [google, razorpay, mail]) {
    const failed = await tryStartShop({ dataDir, env });
    expect('url' in failed).toBe(false);
    if ('url' in failed) continue;
    expect(failed.code).toBe(1);
    expect(failed.output).toContain(`${dataDir} holds the demo shop with its invented people and orders`);
    expect(failed.output).not.toContain('    at ');
  }
});

test('a real shop never becomes a demo when a setting is lost', async () => {
  await (await open(google)).stop();
  const lost = await tryStartShop({ dataDir });
  expect(lost).toMatchObject({ code: 1, output: expect.stringContaining('holds a real shop') });
  const closed = await open({ SHOP_DEMO: '0' });
  expect((await rawRequest(closed.url, { target: signInPage })).status).toBe(404);
});
