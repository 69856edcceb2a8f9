import { expect, test } from 'vitest';
import { servingAcross } from './cross-origin.ts';

const site = 'https://shop.example';
const asked: string[] = [];
const serve = servingAcross(site, async (request) => {
  asked.push(request.method);
  return new URL(request.url).pathname === '/none' ? null : new Response('rows', { headers: { vary: 'Accept' } });
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
    for (const init of [{}, preflight])
      expect((await ask(origin, init))?.headers.get('access-control-allow-origin')).toBeNull();
  },
);

test('what is not of the backend stays so, and functions answer for themselves', async () => {
  expect(await ask(site, { path: '/none' })).toBeNull();
  asked.length = 0;
  await ask(site, { ...preflight, path: '/functions/v1/notify' });
  expect(asked).toEqual(['OPTIONS']);
});
