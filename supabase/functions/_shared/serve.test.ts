import { expect, test } from 'vitest';
import { serveHosted } from './serve.ts';

const serving = (SITE_URL: string) =>
  serveHosted(
    async (_request, { siteUrl }) => new Response(siteUrl),
    new Map(Object.entries({ SITE_URL, SUPABASE_URL: 'https://abc.supabase.co', SUPABASE_SERVICE_ROLE_KEY: 'any' })),
  );

test.each(['https://sweets.example.com', 'https://sweets.example.com/', 'https://Sweets.Example.com'])(
  'browsers of the shop at %s may ask',
  async (siteUrl) => {
    const serve = serving(siteUrl);
    const ask = (method: string) =>
      serve(
        new Request('https://abc.supabase.co/notify', { method, headers: { origin: 'https://sweets.example.com' } }),
      );
    for (const answer of [await ask('OPTIONS'), await ask('GET')]) {
      expect(answer.ok).toBe(true);
      expect(answer.headers.get('access-control-allow-origin')).toBe('https://sweets.example.com');
    }
    // Links in mails begin with it.
    expect(await (await ask('GET')).text()).toBe('https://sweets.example.com');
  },
);

test('what is no address is named when the function is deployed', () => {
  for (const siteUrl of ['sweets.example.com', 'mailto:me@example.com', 'https://'])
    expect(() => serving(siteUrl)).toThrow('SITE_URL must be an http or https address');
});

test('a function knows a hash of the client’s address, which the platform writes, and not the address', async () => {
  const serve = serveHosted(
    async (_request, { addressHash }) => new Response(addressHash),
    new Map(
      Object.entries({
        SITE_URL: 'https://sweets.example.com',
        SUPABASE_URL: 'https://abc.supabase.co',
        SUPABASE_SERVICE_ROLE_KEY: 'any',
      }),
    ),
  );
  const hashOf = async (forwarded: string, more: Record<string, string> = {}) => {
    const headers = { 'x-forwarded-for': forwarded, ...more };
    return (await serve(new Request('https://abc.supabase.co/createOrder', { headers }))).text();
  };
  const hash = await hashOf('203.0.113.7, 10.0.0.1');
  expect(hash).toMatch(/^[\w-]{43}$/);
  expect(await hashOf('203.0.113.7')).toBe(hash);
  expect(await hashOf('203.0.113.8, 10.0.0.1')).not.toBe(hash);
  // An address that the client invents does not hide the one that the platform's edge saw.
  expect(await hashOf('198.51.100.66, 203.0.113.7', { 'cf-connecting-ip': '203.0.113.7' })).toBe(hash);
});
