import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { instanceKeys } from '../support/instance-keys.ts';
import { rawRequest } from './raw-request.ts';

const shopUrl = inject('shopUrl');
const keys = instanceKeys(inject('shopDataDir'));
const clientDir = join(import.meta.dirname, '../../build/client');
const asset = globSync('assets/entry.client-*.js', { cwd: clientDir })[0] ?? '';

const responses: [kind: string, target: string, status: number][] = [
  ['a page', '/', 200],
  ['a missing page', '/no-such-page', 404],
  ['the health check', '/healthz', 200],
  ['the public configuration', '/env.json', 200],
  ['a built script', `/${asset}`, 200],
  ['a picture', '/favicon.svg', 200],
  ['a missing file', '/assets/none.js', 404],
  ['a malformed address', '/%E0%A4%A', 400],
  ['rows', '/rest/v1/Products?select=Id&limit=1', 200],
  ['an unknown table', '/rest/v1/none', 404],
  ['a closed way in', '/auth/v1/signup', 403],
  ['the sign-in settings', '/auth/v1/settings', 200],
  ['a function without a session', '/functions/v1/notify', 401],
  ['an unknown function', '/functions/v1/none', 404],
  ['what storage does not offer', '/storage/v1/bucket', 404],
  ['realtime without a websocket', '/realtime/v1/websocket', 404],
  ['the demo identity without a start', '/demo-identity/login/oauth/authorize', 400],
];

describe('safety headers are on every answer', () => {
  test.each(responses)('%s', async (_kind, target, status) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await rawRequest(shopUrl, { method, target, headers: { apikey: keys.publishableKey } });
      if (method === 'GET') expect(answer.status).toBe(status);
      const policy = answer.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toMatch(/default-src '(self|none)'/);
      expect(policy).not.toMatch(/script-src[^;]*'unsafe-(inline|eval)'/);
      expect(policy).not.toMatch(/default-src[^;]*'unsafe-(inline|eval)'/);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
      expect(answer.headers.get('strict-transport-security')).toBeNull(); // this shop is on plain http
      expect(answer.headers.get('x-powered-by')).toBeNull();
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
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
    for (const path of ['/', '/no-such-page']) {
      const response = await fetch(`${shopUrl}${path}`);
      const html = await response.text();
      const policy = response.headers.get('content-security-policy') ?? '';
      const allowed = /script-src ([^;]*)/.exec(policy)?.[1]?.split(' ') ?? [];
      const scripts = [...html.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)];
      const inline = scripts.filter(([, attributes]) => !attributes?.includes('src=')).map((match) => match[2] ?? '');
      expect(inline.length).toBeGreaterThan(0);
      for (const text of inline)
        expect(allowed).toContain(`'sha256-${createHash('sha256').update(text).digest('base64')}'`);
      expect(allowed.filter((source) => source.startsWith("'sha256-"))).toHaveLength(new Set(inline).size);
      expect(html).not.toMatch(/<[^>]+\son\w+=/i);
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
      Connection: 'Upgrade, HTTP2-Settings',
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

  test.each(responses)('are not in %s', async (_kind, target) => {
    const { body, headers } = await rawRequest(shopUrl, { target, headers: { apikey: keys.publishableKey } });
    for (const secret of secrets) {
      expect(body).not.toContain(secret);
      expect(JSON.stringify([...headers])).not.toContain(secret);
    }
  });
});
