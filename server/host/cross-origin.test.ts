import { expect, test } from 'vitest';
import { allowOnlySite } from './cross-origin.ts';

const site = 'https://shop.example';
const asked: string[] = [];
/** As the library answers: permission for everybody, on errors and preflights, too. */
const forEverybody = { 'access-control-allow-origin': '*', 'access-control-allow-credentials': 'true' };
const serve = allowOnlySite(site, async (request) => {
  asked.push(request.method);
  const { pathname } = new URL(request.url);
  if (pathname === '/none') return null;
  const status = pathname === '/rest/v1/broken' ? 400 : 200;
  return new Response('rows', { status, headers: { ...forEverybody, vary: 'Accept, origin' } });
});
const ask = (origin: string | null, init: RequestInit & { path?: string } = {}) =>
  serve(
    new Request(`https://api.shop.example${init.path ?? '/rest/v1/Products'}`, {
      ...init,
      headers: { ...(origin ? { origin } : {}), ...init.headers },
    }),
    undefined,
  );
const preflight = {
  method: 'OPTIONS',
  headers: { 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'apikey,prefer' },
};

test('a page of the shop may ask, and is told so before it does', async () => {
  const answer = await ask(site, preflight);
  expect(answer?.status).toBe(204);
  expect(answer?.headers.get('access-control-allow-origin')).toBe(site);
  expect(answer?.headers.get('access-control-allow-methods')).toContain('PATCH');
  expect(answer?.headers.get('access-control-allow-headers')).toBe('apikey,prefer');
  const rows = await ask(site);
  expect([await rows?.text(), rows?.headers.get('access-control-allow-origin')]).toEqual(['rows', site]);
  expect(rows?.headers.get('access-control-expose-headers')).toContain('content-range');
  expect(rows?.headers.get('vary')).toBe('Accept, Origin');
  expect(rows?.headers.get('access-control-allow-credentials')).toBeNull();
});

test.each([null, 'null', 'https://evil.example', `${site}.evil.example`, 'http://shop.example'])(
  'nobody else is given a permission: %j',
  async (origin) => {
    for (const init of [{}, preflight, { path: '/rest/v1/broken' }, { ...preflight, path: '/auth/v1/token' }]) {
      const headers = (await ask(origin, init))?.headers;
      expect([...(headers?.keys() ?? [])].filter((name) => name.startsWith('access-control-'))).toEqual([]);
      expect(headers?.get('vary')).toBe('Accept, Origin');
    }
  },
);

test('errors can be read by pages of the shop', async () => {
  const answer = await ask(site, { path: '/rest/v1/broken' });
  expect([answer?.status, answer?.headers.get('access-control-allow-origin')]).toEqual([400, site]);
});

test('what is not of the backend stays so, and functions answer for themselves', async () => {
  expect(await ask(site, { path: '/none' })).toBeNull();
  asked.length = 0;
  await ask(site, { ...preflight, path: '/functions/v1/notify' });
  expect(asked).toEqual(['OPTIONS']);
});
