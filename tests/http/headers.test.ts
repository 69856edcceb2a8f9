import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { instanceKeys } from '../support/instance-keys.ts';
import { type RawAnswer, type RawRequest, rawRequest } from './raw-request.ts';

const shopUrl = inject('shopUrl');
const keys = instanceKeys(inject('shopDataDir'));
const clientDir = join(import.meta.dirname, '../../build/client');

const built = (pattern: string) => `/${globSync(pattern, { cwd: clientDir })[0]}`;
const upgrade = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
};
const post = (body: string, type = 'application/json') => ({ method: 'POST', headers: { 'Content-Type': type }, body });

const responses: [kind: string, target: string, status: number, request?: Omit<RawRequest, 'target'>][] = [
  ['a page', '/', 200],
  ['the shop', '/shop', 200],
  ['a search', '/shop?q=laddu', 200],
  ['a product', '/product/1', 200],
  ['a product that is not there', '/product/99999999', 404],
  ['the cart', '/cart', 200],
  ['an order that was placed', '/order-confirmation/order_1', 200],
  ['the profile', '/profile', 200],
  ['the terms', '/terms', 200],
  ['the way out', '/logout', 200],
  ['the console', '/admin/orders', 200],
  ['a screen the console does not have', '/admin/none', 404],
  ['the details of products', '/product-details', 200],
  ['the sitemap', '/sitemap.xml', 200],
  ['what robots are told', '/robots.txt', 200],
  ['a missing page', '/no-such-page', 404],
  ['the return from sign-in', '/?code=x', 200],
  ['the data of a page', '/shop.data', 200],
  ['the data of a missing page', '/no-such-page.data', 404],
  ['a way on', '/admin', 302],
  ['a way on, as data', '/admin.data', 202],
  ['a page that is written to', '/shop', 405, post('x=1', 'application/x-www-form-urlencoded')],
  ['the health check', '/healthz', 200],
  ['the public configuration', '/env.json', 200],
  ['a built script', built('assets/entry.client-*.js'), 200],
  ['a built style', built('assets/*.css'), 200],
  ['a typeface', built('assets/*.woff2'), 200],
  ['a picture', '/favicon.svg', 200],
  ['a picture of a product', built('images/**/*.webp'), 200],
  ['a part of a picture', built('images/**/*.avif'), 206, { headers: { Range: 'bytes=0-9' } }],
  ['a missing file', '/assets/none.js', 404],
  ['a malformed address', '/%E0%A4%A', 400],
  ['an address no URL can hold', '/\\', 400],
  ['rows', '/rest/v1/Products?select=Id&limit=1', 200],
  ['an unknown table', '/rest/v1/none', 404],
  ['a row that is none', '/rest/v1/orders', 400, post('{"none":1}')],
  ['a body that is too long', '/rest/v1/comments', 413, post('x'.repeat(300_000))],
  ['a method nobody knows', '/rest/v1/Products', 405, { method: 'PROPFIND' }],
  ['what other sites may do with rows', '/rest/v1/Products', 200, { method: 'OPTIONS' }],
  ['a closed way in', '/auth/v1/signup', 403],
  ['the sign-in settings', '/auth/v1/settings', 200],
  ['a sign-in that nobody began', '/auth/v1/callback', 303],
  ['a token for nothing', '/auth/v1/token?grant_type=refresh_token', 400, post('{"refresh_token":"x"}')],
  ['what other sites may do with sign-in', '/auth/v1/token', 204, { method: 'OPTIONS' }],
  ['a function without a session', '/functions/v1/notify', 401],
  ['a function of machines', '/functions/v1/paymentWebhook', 400, post('{}')],
  ['an unknown function', '/functions/v1/none', 404],
  ['what other sites may do with functions', '/functions/v1/notify', 403, { method: 'OPTIONS' }],
  ['what storage does not offer', '/storage/v1/bucket', 404],
  ['a picture that is not stored', '/storage/v1/object/public/products/none.webp', 400],
  ['what other sites may do with pictures', '/storage/v1/object/products/a.webp', 204, { method: 'OPTIONS' }],
  ['realtime without a websocket', '/realtime/v1/websocket', 404],
  ['a websocket without a key', '/realtime/v1/websocket', 401, { headers: upgrade }],
  ['a websocket elsewhere', '/shop', 404, { headers: upgrade }],
  [
    'half a handshake',
    `/realtime/v1/websocket?apikey=${keys.publishableKey}`,
    400,
    { headers: { ...upgrade, 'Sec-WebSocket-Key': 'short' } },
  ],
  ['the demo identity without a start', '/demo-identity/login/oauth/authorize', 400],
  ['the test payments', '/test-payments/pay', 403, post('{}')],
  ['the caught mails', '/demo-mail', 200],
  ['a mail that was not caught', '/demo-mail/99999999', 404],
  ['the demo, asked through a proxy', '/demo-mail', 404, { headers: { Via: '1.1 proxy' } }],
  ['headers without end', '/', 431, { headers: { Cookie: 'a'.repeat(40_000) } }],
  ['what is not HTTP', '/ /', 400],
];

function expectSafetyHeaders({ headers }: RawAnswer): void {
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toMatch(/default-src '(self|none)'/);
  expect(policy).not.toMatch(/script-src[^;]*'unsafe-(inline|eval)'/);
  expect(policy).not.toMatch(/default-src[^;]*'unsafe-(inline|eval)'/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
  expect(headers.get('permissions-policy')).toContain('camera=()');
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups');
  expect(headers.get('strict-transport-security')).toBeNull(); // this shop is on plain http
  for (const name of ['x-powered-by', 'server', 'set-cookie', 'access-control-allow-credentials'])
    expect(headers.get(name), name).toBeNull();
}

/** Refused before there is a request to speak of. */
const unnumbered = [401, 404, 400, 431];

describe('safety headers are on every answer', () => {
  test.each(responses)('%s', async (_kind, target, status, request = {}) => {
    for (const method of request.method ? [request.method] : ['GET', 'HEAD']) {
      const headers = { apikey: keys.publishableKey, ...request.headers };
      const answer = await rawRequest(shopUrl, { ...request, method, target, headers });
      if (method !== 'HEAD') expect(answer.status).toBe(status);
      expectSafetyHeaders(answer);
      const id = answer.headers.get('x-request-id');
      if (id !== null || !unnumbered.includes(answer.status)) expect(id).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test.each(['/', '/shop', '/product/1', '/terms'])('%s, when the browser has it already', async (target) => {
    const first = await rawRequest(shopUrl, { target });
    const etag = first.headers.get('etag') ?? '';
    const again = await rawRequest(shopUrl, { target, headers: { 'If-None-Match': etag } });
    // Somebody may have changed the catalogue in between; then it is sent again, with the same headers.
    expect(again.status).toBe(again.headers.get('etag') === etag ? 304 : 200);
    expectSafetyHeaders(again);
  });

  test('and the list above names every page of the shop and every kind of file', () => {
    const named = responses.map(([, target]) => target.split('?')[0] as string);
    const sitemap = readFileSync(join(import.meta.dirname, '../../app/routes.ts'), 'utf8');
    const pages = [...sitemap.matchAll(/\broute\('([^']+)'/g)].map(
      ([, path = '']) => new RegExp(`^/${path.replace(/:\w+|\*/g, '[^/]+')}$`),
    );
    expect(pages.length).toBeGreaterThan(10);
    for (const page of pages)
      expect(
        named.some((path) => page.test(path)),
        String(page),
      ).toBe(true);
    const kinds = globSync('**/*.*', { cwd: clientDir }).map((file) => extname(file));
    const compressed = ['.br', '.gz', '.jpg'];
    for (const kind of new Set(kinds))
      expect(compressed.includes(kind) || named.some((path) => path.endsWith(kind)), kind).toBe(true);
  });
});

describe('a built script', () => {
  test.each(['br', 'gzip', 'identity'])('comes as %s to whoever asks for it', async (encoding) => {
    const [file = ''] = globSync('assets/framework-*.js', { cwd: clientDir });
    const response = await fetch(`${shopUrl}/${file}`, { headers: { 'accept-encoding': encoding } });
    expect(response.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding);
    expect(response.headers.get('content-type')).toMatch(/^text\/javascript/);
    const bytes = statSync(join(clientDir, file)).size;
    if (encoding !== 'identity') expect(Number(response.headers.get('content-length'))).toBeLessThan(bytes / 2.5);
    expect(await response.text()).toBe(readFileSync(join(clientDir, file), 'utf8'));
  });
});

describe('a page', () => {
  test('runs only scripts whose hash its policy names', async () => {
    for (const path of ['/', '/no-such-page', '/shop?q=laddu', '/product/1', '/admin/orders']) {
      const response = await fetch(`${shopUrl}${path}`);
      const html = await response.text();
      const policy = response.headers.get('content-security-policy') ?? '';
      const allowed = /script-src ([^;]*)/.exec(policy)?.[1]?.split(' ') ?? [];
      const scripts = [...html.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)];
      const inline = scripts
        .filter(([, attributes]) => !/src=|application\/ld\+json/.test(attributes ?? ''))
        .map((match) => match[2] ?? '');
      expect(inline.length).toBeGreaterThan(0);
      for (const text of inline)
        expect(allowed).toContain(`'sha256-${createHash('sha256').update(text).digest('base64')}'`);
      expect(allowed.filter((source) => source.startsWith("'sha256-"))).toHaveLength(new Set(inline).size);
      expect(html).not.toMatch(/<[^>]+\s(on\w+|nonce)=/i);
    }
  });

  test('has the products of the database in its HTML', async () => {
    const html = await (await fetch(`${shopUrl}/`)).text();
    const rows = await fetch(
      `${shopUrl}/rest/v1/Products?select=Name&isavailable=is.true&Category=neq.Takeaway&order=Id&limit=3`,
      {
        headers: { apikey: keys.publishableKey },
      },
    );
    const names = ((await rows.json()) as { Name: string }[]).map(({ Name }) => Name);
    expect(names).toHaveLength(3);
    const text = html
      .replace(/<script[\s\S]*?<\/script>/g, '')
      .replaceAll('&amp;', '&')
      .replaceAll('&#x27;', "'");
    for (const name of names) expect(text).toContain(name);
  });

  test('that does not exist is a 404 in HTML, with a way back', async () => {
    const response = await fetch(`${shopUrl}/no-such-page`);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await response.text()).toContain('href="/"');
  });

  test('answers HEAD with the headers of GET and no body', async () => {
    for (const path of ['/', '/no-such-page', '/favicon.svg', '/env.json', '/healthz']) {
      const [head, get] = await Promise.all([
        rawRequest(shopUrl, { method: 'HEAD', target: path }),
        rawRequest(shopUrl, { target: path }),
      ]);
      expect(head.status).toBe(get.status);
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
      expect(head.body).toBe('');
    }
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'])('refuses %s with a 4xx', async (method) => {
    for (const target of ['/', '/no-such-page']) {
      const { status } = await rawRequest(shopUrl, { method, target, ...(method === 'TRACE' ? {} : { body: 'x=1' }) });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    }
  });

  test('is served to clients that offer HTTP/2 in passing', async () => {
    const headers = {
      Connection: 'Upgrade, HTTP2-Settings, close',
      Upgrade: 'h2c',
      'HTTP2-Settings': 'AAMAAABkAAQAoAAAAAIAAAAA',
    };
    expect((await rawRequest(shopUrl, { target: '/healthz', headers: { ...headers } })).status).toBe(200);
  });
});

describe('the secret key and the signing secret', () => {
  const secrets = [keys.secretKey, keys.jwtSecret];

  test('are in no built file', () => {
    const files = globSync('**/*', { cwd: clientDir }).filter((file) => statSync(join(clientDir, file)).isFile());
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) {
      const text = readFileSync(join(clientDir, file), 'latin1');
      for (const secret of [...secrets, 'jwtSecret']) expect(text.includes(secret), file).toBe(false);
    }
  });

  test.each(responses)('are not in %s', async (_kind, target, _status, request = {}) => {
    const { body, headers } = await rawRequest(shopUrl, {
      ...request,
      target,
      headers: { apikey: keys.publishableKey, ...request.headers },
    });
    for (const secret of secrets) {
      expect(body).not.toContain(secret);
      expect(JSON.stringify([...headers])).not.toContain(secret);
    }
  });
});
