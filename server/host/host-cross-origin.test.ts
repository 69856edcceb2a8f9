import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createHost, type Host } from '../host.ts';
import type { Shop } from './host-state.ts';

let host: Host;
afterEach(() => {
  host.server.close();
  host.server.closeAllConnections();
});

const siteUrl = 'https://shop.example';
async function start(serve: () => Promise<Response>): Promise<(path: string, origin?: string) => Promise<Response>> {
  host = createHost({ clientDir: 'public', proxies: 1, clientLimit: 1, metricsToken: undefined, log: () => {} });
  host.open({ backend: { serve }, pages: { cached: () => null }, siteUrl } as unknown as Shop);
  host.server.listen(0, '127.0.0.1');
  await once(host.server, 'listening');
  const { port } = host.server.address() as AddressInfo;
  return (path, origin = siteUrl) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { origin, 'x-forwarded-for': '198.51.100.7' } });
}
const allowed = ({ headers }: Response) => headers.get('access-control-allow-origin');

test('a page of the shop can read that it sent too much, and when to try again; another site reads nothing', async () => {
  const send = await start(async () => Response.json({}));
  const elsewhere = 'https://evil.example';
  const responses = await Promise.all(
    Array.from({ length: 500 }, async (_, n) => {
      const origin = n % 2 ? elsewhere : siteUrl;
      return { origin, response: await send('/rest/v1/Products', origin) };
    }),
  );
  const refused = responses.filter(({ response }) => response.status === 429);
  const refusedTo = (wanted: string) =>
    refused.filter(({ origin }) => origin === wanted).map(({ response }) => response);
  expect(new Set(refusedTo(siteUrl).map(allowed))).toEqual(new Set([siteUrl]));
  expect(new Set(refusedTo(elsewhere).map(allowed))).toEqual(new Set([null]));
  const [first] = refusedTo(siteUrl);
  expect(first?.headers.get('access-control-expose-headers')).toContain('retry-after');
  expect(first?.headers.get('vary')).toBe('Origin');
});

test('a page of the shop can read that the backend failed, and pages themselves are for no other origin', async () => {
  const send = await start(async () => {
    throw new Error('broken');
  });
  const failed = await send('/functions/v1/createOrder');
  expect([failed.status, allowed(failed)]).toEqual([500, siteUrl]);
  expect(allowed(await send('/shop'))).toBeNull();
});
