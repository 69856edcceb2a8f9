import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { oneWriterAtATime, passStorageGate, withoutKeeping } from './storage-gate.ts';

const base = 'http://localhost/storage/v1';
const administrators = { isAdministrator: async (token: string) => token === 'the.owner.token' };
let webp: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  webp = await make(16, 12);
});

async function make(width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  const create = { width, height, channels: 3 as const, background: '#a81f5c' };
  return new Uint8Array(await sharp({ create }).webp({ effort: 0 }).toBuffer());
}

type Call = { method?: string; path: string; token?: string | null; type?: string; body?: BodyInit };

async function pass({
  method = 'POST',
  path,
  token = 'the.owner.token',
  type,
  body,
}: Call): Promise<Request | Response> {
  const headers = new Headers();
  if (token) headers.set('authorization', `Bearer ${token}`);
  if (type) headers.set('content-type', type);
  return passStorageGate(
    new Request(`${base}${path}`, { method, headers, ...(body === undefined ? {} : { body }) }),
    administrators,
  );
}
async function refusal(call: Call): Promise<[number, string] | null> {
  const passed = await pass(call);
  return passed instanceof Response ? [passed.status, (await passed.json()).error.code] : null;
}
const upload = (call: Partial<Call> = {}) =>
  refusal({ path: '/object/products/a.webp', type: 'image/webp', body: webp, ...call });

describe('everybody', () => {
  test.each(['products', 'banners'])('reads pictures of %s, without transformations', async (bucket) => {
    const passed = await pass({
      method: 'GET',
      path: `/object/public/${bucket}/a/b-960.webp?width=9&download`,
      token: null,
    });
    expect((passed as Request).url).toBe(`${base}/object/public/${bucket}/a/b-960.webp`);
  });

  test.each([
    '/object/public/receipts/a.webp',
    '/object/products/a.webp',
    '/object/authenticated/products/a.webp',
    '/object/authenticated/receipts/a.webp',
    '/object/receipts/../products/a.webp',
    '/object/receipts/a.png',
    '/object/RECEIPTS/a.webp',
    '/object/info/receipts/a.webp',
    '/object/info/products/a.webp',
    '/render/image/public/products/a.webp',
    '/bucket',
    '/object/public/products/a%2f..%2f..%2fb',
    '/object/public/products/',
    '/',
    '',
  ])('reads nothing at "%s"', async (path) => {
    expect(await refusal({ method: 'GET', path, token: null })).toEqual([404, 'not-offered']);
    expect(await refusal({ method: 'GET', path })).toEqual([404, 'not-offered']);
  });
});

describe('receipts', () => {
  const path = '/object/receipts/2026/a-1.webp';

  test.each(['GET', 'HEAD'])('are for administrators to %s, without transformations', async (method) => {
    expect(((await pass({ method, path: `${path}?width=9` })) as Request).url).toBe(`${base}${path}`);
    expect(await refusal({ method, path, token: null })).toEqual([401, 'sign-in-required']);
    expect(await refusal({ method, path, token: 'not.the.owner' })).toEqual([403, 'administrators-only']);
  });

  test('are kept by nobody on the way', () => {
    const answer = new Response('x', { headers: { 'cache-control': 'max-age=3600', 'content-type': 'image/webp' } });
    const cacheOf = (to: string) =>
      withoutKeeping(answer.clone(), new Request(`${base}${to}`)).headers.get('cache-control');
    expect(cacheOf(path)).toBe('private, no-store');
    expect(cacheOf('/object/public/products/a.webp')).toBe('max-age=3600');
  });
});

describe('writing', () => {
  test('is for administrators', async () => {
    expect(await upload()).toBeNull();
    expect(await upload({ token: null })).toEqual([401, 'sign-in-required']);
    expect(await upload({ token: 'not.the.owner' })).toEqual([403, 'administrators-only']);
    for (const [method, path] of [
      ['POST', '/object/list/products'],
      ['DELETE', '/object/products'],
      ['DELETE', '/object/products/a.webp'],
      ['DELETE', '/object/receipts'],
      ['POST', '/object/receipts/a.webp'],
    ] as const) {
      expect(await refusal({ method, path, token: 'not.the.owner', body: '{}' })).toEqual([403, 'administrators-only']);
    }
  });

  test('does not read the body of a caller who may not write', async () => {
    let read = false;
    const body = new ReadableStream(
      {
        pull(controller) {
          read = true;
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const request = new Request(`${base}/object/products/a.webp`, {
      method: 'POST',
      body,
      duplex: 'half',
    } as RequestInit);
    expect(((await passStorageGate(request, administrators)) as Response).status).toBe(401);
    expect(read).toBe(false);
  });

  test.each([
    '/object/products/a.webp',
    '/object/products/Sweets/besan_laddu-960.webp',
    '/object/banners/diwali/2026/a-1.webp',
    '/object/receipts/2026/a-1.webp',
  ])('to %s', async (path) => {
    expect(await upload({ path })).toBeNull();
    expect(await upload({ path, method: 'PUT' })).toBeNull();
  });

  test.each([
    'other/a.webp',
    'receipts/a.pdf',
    'receipts/../products/.a.webp',
    'products/a.svg',
    'products/a.webp.html',
    'products/a.html.webp',
    'products/.a.webp',
    'products/a/.b.webp',
    'products/a%2fb.webp',
    'products/..%2fa.webp',
    'products//a.webp',
    'products/a b.webp',
    'products/लड्डू.webp',
    'products/-a.webp',
    'products/_a.webp',
    `products/${'a'.repeat(256)}.webp`,
    `products/${'a/'.repeat(600)}a.webp`,
  ])('not to %s', async (path) => {
    const [status] = (await upload({ path: `/object/${path}` })) ?? [200];
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });

  test.each([
    '/bucket',
    '/bucket/products',
    '/object/copy',
    '/object/move',
    '/object/sign/products/a.webp',
    '/object/upload/sign/products/a.webp',
    '/upload/resumable',
    '/object/list/receipts',
    '/object/sign/receipts/a.webp',
  ])('nothing at %s', async (path) => {
    for (const method of ['POST', 'PUT', 'DELETE'])
      expect(await refusal({ method, path, body: '{}' })).toEqual([404, 'not-offered']);
  });
});

describe('a picture', () => {
  test('may come as a form, as supabase-js sends files', async () => {
    const form = new FormData();
    form.append('cacheControl', '3600');
    form.append('', new Blob([webp], { type: 'image/webp' }));
    expect(await refusal({ path: '/object/products/a.webp', body: form })).toBeNull();
  });

  test('is WebP in word and deed', async () => {
    const png = new Uint8Array(await sharp(webp).png().toBuffer());
    expect(await upload({ body: png })).toEqual([400, 'not-webp']);
    expect(await upload({ type: 'image/png' })).toEqual([400, 'not-webp']);
    expect(await upload({ type: 'text/html' })).toEqual([400, 'not-webp']);
    expect(await upload({ type: 'image/webp; charset=x', body: '<svg/>' })).toEqual([400, 'not-webp']);
    expect(await upload({ body: webp.slice(0, 40) })).toEqual([400, 'not-webp']);
    expect(await upload({ body: '' })).toEqual([400, 'not-webp']);
  });

  test('is at most 2 MiB and 2400 × 2400', async () => {
    expect(await upload({ body: await make(2400, 2400) })).toBeNull();
    expect(await upload({ body: await make(2401, 2400) })).toEqual([413, 'picture-too-large']);
    const padded = new Uint8Array(2 * 1024 * 1024 + 1);
    padded.set(webp);
    expect(await upload({ body: padded })).toEqual([413, 'picture-too-large']);
    expect(await upload({ body: new Uint8Array(3_000_000) })).toEqual([413, 'body-too-large']);
  });

  test('comes alone in its form, and as what it is', async () => {
    const two = new FormData();
    two.append('a', new Blob([webp], { type: 'image/webp' }));
    two.append('b', new Blob([webp], { type: 'image/webp' }));
    const lying = new FormData();
    lying.append('', new Blob([webp], { type: 'text/html' }));
    const text = new FormData();
    text.append('file', 'x');
    for (const body of [two, lying, text])
      expect(await refusal({ path: '/object/products/a.webp', body })).toEqual([400, 'not-webp']);
  });
});

test('who only asks does not wait for those who write, nor keep them waiting', async () => {
  const isWriting = { begin: () => new Promise(() => {}) };
  const serve = oneWriterAtATime(isWriting as never, async ({ method }) => new Response(method));
  void serve(new Request(`${base}/object/products/a.webp`, { method: 'POST', body: webp }));
  for (const method of ['GET', 'OPTIONS'])
    expect(await (await serve(new Request(`${base}/object/products/a.webp`, { method }))).text()).toBe(method);
});
