import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import sharp from 'sharp';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import type { Database } from '#database-types';
import { instanceKeys } from '../support/instance-keys.ts';
import { newClient, newCustomer, publicEnvironment, type ShopClient, signInAs, tokenOf } from '../support/visitor.ts';
import { expectClearRefusal, rawRequest } from './raw-request.ts';

const shopUrl = inject('shopUrl');
const backendUrl = inject('backendUrl');
const dataDir = inject('shopDataDir');
const keys = instanceKeys(dataDir);
const folder = `test-${process.pid}-${Date.now()}`;
const publicAddress = (path: string, bucket = 'products') => `${backendUrl}/storage/v1/object/public/${bucket}/${path}`;
const script = Buffer.from('<script>alert(1)</script>');
let administrator: ShopClient;
let customer: ShopClient;
let visitor: ShopClient;
let saffron: Buffer;
let pistachio: Buffer;

const picture = (color: string, width = 16, height = 12) =>
  sharp({ create: { width, height, channels: 3, background: color } });

beforeAll(async () => {
  administrator = await signInAs(shopUrl, { account: 'Asha Rao' });
  customer = await newCustomer(shopUrl);
  visitor = newClient(await publicEnvironment(shopUrl));
  saffron = await picture('#f4a300').webp().toBuffer();
  pistachio = await picture('#93c572').webp({ lossless: true }).toBuffer();
});

async function asAdministrator(method: string, path: string, type: string, body?: Uint8Array | string) {
  const request = {
    method,
    target: `/storage/v1/${path}`,
    headers: {
      apikey: keys.publishableKey,
      Authorization: `Bearer ${await tokenOf(administrator)}`,
      'Content-Type': type,
    },
    ...(body === undefined ? {} : { body }),
  };
  return { request, answer: await rawRequest(shopUrl, request) };
}

const bytesOf = async (file: Blob | null) => file && Buffer.from(await file.arrayBuffer());

async function bytesAt(address: string): Promise<Buffer | null> {
  const response = await fetch(address);
  return response.ok ? Buffer.from(await response.arrayBuffer()) : null;
}

test('a picture that is removed during a request is a 404, and nothing else fails', async () => {
  const path = `gone-${folder}/gone.webp`;
  const { error } = await administrator.storage.from('banners').upload(path, saffron, { contentType: 'image/webp' });
  expect(error).toBeNull();
  rmSync(join(dataDir, 'files/banners', path));
  const request = { target: `/storage/v1/object/public/banners/${path}` };
  const answer = await rawRequest(shopUrl, request);
  expectClearRefusal(answer, request);
  expect(answer.status).toBe(404);
});

describe('an administrator', () => {
  test.each(['products', 'banners'])(
    'uploads, replaces, lists and removes a picture in %s, visible to every visitor',
    async (bucket) => {
      const path = `${folder}/kaju-katli-960.webp`;
      const files = administrator.storage.from(bucket);
      expect((await files.upload(path, new Blob([new Uint8Array(saffron)], { type: 'image/webp' }))).error).toBeNull();

      expect(files.getPublicUrl(path).data.publicUrl).toBe(publicAddress(path, bucket));
      const response = await fetch(publicAddress(path, bucket));
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('image/webp');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(Buffer.from(await response.arrayBuffer())).toEqual(saffron);
      const head = await fetch(publicAddress(path, bucket), { method: 'HEAD' });
      expect([head.status, head.headers.get('content-type')]).toEqual([200, 'image/webp']);

      expect((await files.upload(path, saffron, { contentType: 'image/webp' })).error).not.toBeNull(); // it is there already
      expect((await files.update(path, pistachio, { contentType: 'image/webp' })).error).toBeNull();
      expect(await bytesAt(publicAddress(path, bucket))).toEqual(pistachio);
      expect((await files.upload(path, saffron, { contentType: 'image/webp', upsert: true })).error).toBeNull();
      expect(await bytesAt(publicAddress(path, bucket))).toEqual(saffron);

      const listed = await files.list(folder);
      expect(listed.error).toBeNull();
      expect(listed.data).toHaveLength(1);
      // Hosted it is the name within the folder, embedded the whole path.
      expect(listed.data?.[0]?.name).toMatch(/(^|\/)kaju-katli-960\.webp$/);
      expect((await files.remove([path])).error).toBeNull();
      expect(await bytesAt(publicAddress(path, bucket))).toBeNull();
      expect(existsSync(join(dataDir, 'files', bucket, path))).toBe(false);
    },
  );

  test('adds, reads, replaces and removes the photograph of a receipt, which is never cached', async () => {
    const path = `${folder}/rent-2026.webp`;
    const files = administrator.storage.from('receipts');
    expect((await files.upload(path, new Blob([new Uint8Array(saffron)], { type: 'image/webp' }))).error).toBeNull();
    const { answer } = await asAdministrator('GET', `object/receipts/${path}`, 'application/json');
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      200,
      'image/webp',
      'private, no-store',
    ]);
    expect((await files.update(path, pistachio, { contentType: 'image/webp' })).error).toBeNull();
    expect(await bytesOf((await files.download(path)).data)).toEqual(pistachio);
    expect((await files.remove([path])).error).toBeNull();
    expect((await files.download(path)).error).not.toBeNull();
    expect(existsSync(join(dataDir, 'files/receipts', path))).toBe(false);
  });

  test('stores a picture although other requests write and remove it at the same time', async () => {
    const files = administrator.storage.from('products');
    const path = `${folder}/come-and-go.webp`;
    for (let round = 0; round < 6; round += 1) {
      const many = Array.from({ length: 8 }, (_, i) =>
        i % 3 === 2 ? files.remove([path]) : files.upload(path, saffron, { contentType: 'image/webp', upsert: true }),
      );
      const errors = (await Promise.all(many)).map(({ error }) => error?.message).filter(Boolean);
      expect(errors).toEqual([]);
    }
  });

  test('can replace the same picture from several windows at the same time', async () => {
    const path = `${folder}/race.webp`;
    await administrator.storage.from('products').upload(path, saffron, { contentType: 'image/webp' });
    const uploads = Array.from({ length: 12 }, (_, i) =>
      administrator.storage
        .from('products')
        .upload(path, i % 2 ? saffron : pistachio, { contentType: 'image/webp', upsert: true }),
    );
    const errors = (await Promise.all(uploads)).map(({ error }) => error?.message).filter(Boolean);
    expect(errors).toEqual([]);
    const kept = await bytesAt(publicAddress(path));
    expect([saffron, pistachio].some((bytes) => kept?.equals(bytes))).toBe(true);
  });

  test.each<[string, () => Promise<[type: string, body: Uint8Array | string]>]>([
    ['an SVG', async () => ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>']],
    ['an SVG that says it is WebP', async () => ['image/webp', '<svg xmlns="http://www.w3.org/2000/svg"/>']],
    ['a PNG', async () => ['image/png', await picture('red').png().toBuffer()]],
    ['a PNG renamed to .webp', async () => ['image/webp', await picture('red').png().toBuffer()]],
    ['HTML', async () => ['text/html', '<script>alert(1)</script>']],
    ['HTML that says it is WebP', async () => ['image/webp', '<script>alert(1)</script>'.repeat(10)]],
    ['WebP that says it is HTML', async () => ['text/html', saffron]],
    ['half a WebP', async () => ['image/webp', saffron.subarray(0, saffron.length - 10)]],
    ['a WebP header and nothing else', async () => ['image/webp', saffron.subarray(0, 30)]],
    ['nothing', async () => ['image/webp', '']],
    ['a file of 3 MB', async () => ['image/webp', Buffer.concat([saffron, Buffer.alloc(3_000_000)])]],
    ['a picture of 5000 × 5000 pixels', async () => ['image/webp', sayingItIs(5000)]],
    ['a picture with a script behind it', async () => ['image/webp', Buffer.concat([saffron, script])]],
    [
      'a picture that tells where it was taken',
      async () => [
        'image/webp',
        await picture('red')
          .withExif({ IFD0: { Copyright: String(script) } })
          .webp()
          .toBuffer(),
      ],
    ],
    ['a broken form', async () => ['multipart/form-data; boundary=x', '--x\r\n\r\n']],
    ['a form with two files', async () => ['multipart/form-data; boundary=x', form('a.webp', 'image/webp', 2)]],
    ['a form with HTML', async () => ['multipart/form-data; boundary=x', form('a.webp', 'text/html', 1)]],
  ])('cannot upload %s', async (_name, make) => {
    const path = `${folder}/refused.webp`;
    const { request, answer } = await asAdministrator('POST', `object/products/${path}`, ...(await make()));
    expectClearRefusal(answer, { ...request, body: '' });
    expect(await bytesAt(publicAddress(path))).toBeNull();
    expect(existsSync(join(dataDir, 'files/products', path))).toBe(false);
  });

  /** What unpacks to far more than it weighs. */
  function sayingItIs(pixels: number): Buffer {
    const bomb = Buffer.from(saffron);
    for (const at of [26, 28]) bomb.writeUInt16LE(pixels, at);
    return bomb;
  }

  function form(name: string, type: string, files: number): Buffer {
    const part = Buffer.concat([
      Buffer.from(
        `--x\r\nContent-Disposition: form-data; name="f"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`,
      ),
      saffron,
      Buffer.from('\r\n'),
    ]);
    return Buffer.concat([...Array.from({ length: files }, () => part), Buffer.from('--x--\r\n')]);
  }

  test.each([
    ['upwards', 'products/../../x.webp'],
    ['upwards, encoded', 'products/..%2f..%2fx.webp'],
    ['upwards, encoded dots', 'products/%2e%2e/%2e%2e/x.webp'],
    ['upwards with a backslash', 'products/..%5c..%5cx.webp'],
    ['a hidden file', 'products/.hidden.webp'],
    ['a double slash', 'products//x.webp'],
    ['a null byte', 'products/x%00.webp'],
    ['another ending', 'products/x.svg'],
    ['two endings', 'products/x.html.webp'],
    ['no ending', 'products/x'],
    ['a space', 'products/a%20b.webp'],
    ['a name of 300 letters', `products/${'a'.repeat(300)}.webp`],
    ['a path of 4200 letters', `products/${'abcdefg/'.repeat(525)}x.webp`],
    ['another bucket', 'secrets/x.webp'],
    ['no bucket', 'x.webp'],
  ])('cannot upload to %s', async (_name, path) => {
    const { request, answer } = await asAdministrator('POST', `object/${path}`, 'image/webp', saffron);
    expectClearRefusal(answer, { ...request, body: '' });
    const listed = await administrator.storage.from('products').list('', { limit: 1000 });
    expect(listed.data?.some(({ name }) => name.length > 200)).toBe(false);
  });

  test.each<[string, string, string, string?]>([
    ['make a bucket', 'POST', 'bucket', '{"id":"x","name":"x","public":true}'],
    ['make receipts public', 'PUT', 'bucket/receipts', '{"id":"receipts","public":true}'],
    ['delete a bucket', 'DELETE', 'bucket/products'],
    ['empty a bucket', 'POST', 'bucket/products/empty', '{}'],
    [
      'copy to another name',
      'POST',
      'object/copy',
      '{"bucketId":"products","sourceKey":"a.webp","destinationKey":"a.svg"}',
    ],
    ['move', 'POST', 'object/move', '{"bucketId":"products","sourceKey":"a.webp","destinationKey":"a.svg"}'],
    ['sign an address', 'POST', 'object/sign/receipts/a.webp', '{"expiresIn":60}'],
    ['sign an upload', 'POST', 'object/upload/sign/products/a.webp', '{}'],
    ['upload in parts', 'POST', 'upload/resumable', ''],
    ['have pictures transformed', 'GET', 'render/image/public/products/a.webp?width=10'],
    ['list receipts', 'POST', 'object/list/receipts', '{"prefix":""}'],
    ['read receipts as a member', 'GET', 'object/authenticated/receipts/a.webp'],
    ['read receipts in public', 'GET', 'object/public/receipts/a.webp'],
  ])('cannot %s', async (_name, method, path, body) => {
    const { request, answer } = await asAdministrator(method, path, 'application/json', body);
    expectClearRefusal(answer, request);
    expect(answer.status).toBe(404);
  });

  test('cannot delete files that are not pictures', async () => {
    await asAdministrator(
      'DELETE',
      'object/products',
      'application/json',
      '{"prefixes":["../../keys.json","..%2f..%2fkeys.json"]}',
    );
    expect(existsSync(join(dataDir, 'keys.json'))).toBe(true);
  });
});

describe('customers and visitors', () => {
  test('can read public pictures and nothing else', async () => {
    const path = `${folder}/untouchable.webp`;
    await administrator.storage.from('products').upload(path, saffron, { contentType: 'image/webp' });
    for (const client of [customer, visitor]) {
      const files = client.storage.from('products');
      const upload = { contentType: 'image/webp' };
      expect((await files.upload(`${folder}/mine.webp`, pistachio, upload)).error).not.toBeNull();
      expect((await files.upload(path, pistachio, { ...upload, upsert: true })).error).not.toBeNull();
      expect((await files.update(path, pistachio, upload)).error).not.toBeNull();
      expect((await files.list(folder)).error).not.toBeNull();
      expect((await files.remove([path])).error).not.toBeNull();
      expect((await files.createSignedUrl(path, 60)).error).not.toBeNull();
      expect((await client.storage.createBucket('mine')).error).not.toBeNull();
      expect((await client.storage.listBuckets()).error).not.toBeNull();
    }
    expect(await bytesAt(publicAddress(path))).toEqual(saffron);
    expect(await bytesAt(publicAddress(`${folder}/mine.webp`))).toBeNull();
  });

  test('cannot reach the files or buckets through the Data API', async () => {
    for (const client of [customer, visitor]) {
      for (const table of ['objects', 'buckets']) {
        const read = await client
          .schema('storage' as 'public')
          .from(table as 'orders')
          .select();
        expect(read.data).toBeNull();
        expect(read.status).toBe(406);
      }
    }
  });

  test('cannot see, add, replace or remove receipts, not even with the secret key', async () => {
    const path = `${folder}/gas-bill.webp`;
    await administrator.storage.from('receipts').upload(path, saffron, { contentType: 'image/webp' });
    const overseer = createClient<Database>(backendUrl, keys.secretKey, { auth: { persistSession: false } });
    const upload = { contentType: 'image/webp' };
    for (const client of [customer, visitor, overseer]) {
      const files = client.storage.from('receipts');
      expect((await files.download(path)).error).not.toBeNull();
      expect((await files.download('nothing.webp')).error).not.toBeNull();
      expect((await files.list()).error).not.toBeNull();
      expect((await files.upload(`${folder}/mine.webp`, pistachio, upload)).error).not.toBeNull();
      expect((await files.update(path, pistachio, upload)).error).not.toBeNull();
      expect((await files.remove([path])).error).not.toBeNull();
      expect((await files.createSignedUrl(path, 60)).error).not.toBeNull();
    }
    expect(await bytesAt(publicAddress(path, 'receipts'))).toBeNull();
    const kept = await administrator.storage.from('receipts').download(path);
    expect(await bytesOf(kept.data)).toEqual(saffron);
  });
});
