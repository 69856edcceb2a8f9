import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { isIn } from '../support/in-shapes.ts';
import { instanceKeys } from '../support/instance-keys.ts';
import { clientDir, everyAnswer } from './every-answer.ts';
import { type RawAnswer, rawRequest } from './raw-request.ts';

const shopUrl = inject('shopUrl');
const backendUrl = inject('backendUrl');
const keys = instanceKeys(inject('shopDataDir'));
const responses = everyAnswer(keys.publishableKey);

function expectSafetyHeaders({ headers }: RawAnswer, target = '/'): void {
  const policy = headers.get('content-security-policy') ?? '';
  for (const directive of ["frame-ancestors 'none'", "object-src 'none'", "base-uri 'none'"])
    expect(policy).toContain(directive);
  expect(policy).toMatch(/default-src '(self|none)'/);
  expect(policy).not.toMatch(/script-src[^;]*'unsafe-(inline|eval)'/);
  expect(policy).not.toMatch(/default-src[^;]*'unsafe-(inline|eval)'/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  // The address of an order's link is a key to the order.
  const policyOfReferrer = target.startsWith('/order/') ? 'no-referrer' : 'strict-origin-when-cross-origin';
  expect(headers.get('referrer-policy')).toBe(policyOfReferrer);
  expect(headers.get('permissions-policy')).toContain('camera=()');
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups');
  expect(headers.get('strict-transport-security')).toBeNull(); // this shop is on plain http
  for (const name of ['x-powered-by', 'server', 'set-cookie', 'access-control-allow-credentials'])
    expect(headers.get(name), name).toBeNull();
}

/** Refused before there is a request to speak of. */
const unnumbered = [401, 404, 400, 431];

/** What stands before several nodes refuses what is no request itself, and the functions of a hosted project are answered by it. */
const ofOurs = responses.filter(([, target, status]) => {
  if (isIn('embedded')) return true;
  if (status === 431 || target === '/ /') return false;
  return !(isIn('hosted') && /^\/(functions|test-payments)\//.test(target));
});

describe('every response has the security headers and contains no secret', () => {
  test.each(ofOurs)('%s', async (_kind, target, status, request = {}) => {
    for (const method of request.method ? [request.method] : ['GET', 'HEAD']) {
      const headers = { apikey: keys.publishableKey, ...request.headers };
      const answer = await rawRequest(shopUrl, { ...request, method, target, headers });
      if (method !== 'HEAD') expect(answer.status).toBe(status);
      expectSafetyHeaders(answer, target);
      for (const secret of [keys.secretKey, keys.jwtSecret])
        expect(answer.body + JSON.stringify([...answer.headers])).not.toContain(secret);
      const id = answer.headers.get('x-request-id');
      if (id !== null || !unnumbered.includes(answer.status)) expect(id).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test('every body has a content type, text also a charset', async () => {
    for (const [kind, target, , request = {}] of ofOurs) {
      const headers = { apikey: keys.publishableKey, ...request.headers };
      const { body, headers: given } = await rawRequest(shopUrl, { ...request, target, headers });
      const type = given.get('content-type');
      if (body === '') continue;
      expect(type, kind).not.toBeNull();
      // JSON is UTF-8 by definition; scripts, pictures and typefaces are no text that a person typed.
      if (/^text\/(html|plain|csv)|xml/.test(type ?? '') && !type?.startsWith('image/'))
        expect(type, kind).toMatch(/; ?charset=utf-8$/i);
      if (/^\s*<!doctype html/i.test(body)) expect(type, kind).toMatch(/^text\/html/);
      if (type?.startsWith('application/json')) expect(() => JSON.parse(body), kind).not.toThrow();
    }
  });

  test.each(['/', '/shop', '/product/1', '/terms'])('%s, when the browser has it already', async (target) => {
    const first = await rawRequest(shopUrl, { target });
    const etag = first.headers.get('etag') ?? '';
    const again = await rawRequest(shopUrl, { target, headers: { 'If-None-Match': etag } });
    // Another test may have changed the catalogue in between; then it is sent again, with the same headers.
    expect(again.status).toBe(again.headers.get('etag') === etag ? 304 : 200);
    expectSafetyHeaders(again);
  });

  test('the list above names every page of the shop and every kind of file', () => {
    const named = responses.map(([, target]) => target.split('?')[0] as string);
    const sitemap = readFileSync(join(import.meta.dirname, '../../app/routes.ts'), 'utf8');
    const pages = [...sitemap.matchAll(/\broute\('([^']+)', 'routes\/storefront/g)].map(
      ([, path = '']) => new RegExp(`^/${path.replace(/:\w+|\*/g, '[^/]+')}$`),
    );
    // The screens of the console are served alike.
    pages.push(/^\/admin\/\w+$/);
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

// Elsewhere the demo is not behind the shop's own address.
if (isIn('embedded'))
  test('a page with a policy of its own keeps it', async () => {
    for (const path of ['/demo-mail', '/demo-mail/99999999']) {
      const policy = (await fetch(`${shopUrl}${path}`)).headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/default-src 'none'; style-src 'sha256-[^']+';/);
    }
  });

if (isIn('embedded'))
  test.each([
    '/rest/v1/Products?select=Id&limit=1',
    '/rest/v1/user_profiles?select=user_id',
    '/functions/v1/notify?product_id=1',
    '/auth/v1/user',
  ])('no cache keeps what %s answers', async (target) => {
    const { headers } = await rawRequest(shopUrl, { target, headers: { apikey: keys.publishableKey } });
    expect(headers.get('cache-control')).toBe('no-store');
  });

describe('a built script', () => {
  test.each(['br', 'gzip', 'identity'])('comes as %s to clients that accept it', async (encoding) => {
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
      `${backendUrl}/rest/v1/Products?select=Name&isavailable=is.true&Category=neq.Takeaway&order=Id&limit=3`,
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

  test('that does not exist is a 404 in HTML, with a link back', async () => {
    const response = await fetch(`${shopUrl}/no-such-page`);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await response.text()).toContain('href="/"');
  });

  test('shows the parts of the design system to developers only', async () => {
    const response = await fetch(`${shopUrl}/admin/styleguide`);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain('radio-pill.tsx');
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

  test('is served to clients that offer an upgrade to HTTP/2', async () => {
    const headers = {
      Connection: 'Upgrade, HTTP2-Settings, close',
      Upgrade: 'h2c',
      'HTTP2-Settings': 'AAMAAABkAAQAoAAAAAIAAAAA',
    };
    expect((await rawRequest(shopUrl, { target: '/healthz', headers: { ...headers } })).status).toBe(200);
  });
});

test('the service worker may request this site only, and a new version is found with the next page', async () => {
  const { status, headers } = await rawRequest(shopUrl, { target: '/service-worker.js' });
  expect(status).toBe(200);
  expectSafetyHeaders({ status, headers, body: '' } as RawAnswer);
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; connect-src 'self';/);
  expect(headers.get('cache-control')).toBe('no-cache');
});

test('the shop can be installed: a manifest with its name, and icons that exist', async () => {
  const { status, headers, body } = await rawRequest(shopUrl, { target: '/manifest.webmanifest' });
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/manifest+json');
  const manifest = JSON.parse(body) as { name: string; start_url: string; display: string; icons: { src: string }[] };
  expect(manifest).toMatchObject({ start_url: '/', display: 'standalone' });
  expect(manifest.name).not.toBe('');
  for (const path of [...manifest.icons.map(({ src }) => src), '/favicon.ico', '/icons/apple-touch-icon.png'])
    expect((await rawRequest(shopUrl, { target: path })).status, path).toBe(200);
});
