import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { buyOverHttp, setAddress } from '../support/buying.ts';
import { connectToShop } from '../support/rows.ts';
import { newCustomer, type ShopClient, signInAs, tokenOf, userIdOf } from '../support/visitor.ts';

const shopUrl = inject('shopUrl');
const backendUrl = inject('backendUrl');
let sql: Sql;
let meera: ShopClient;
let stranger: ShopClient;
let asha: ShopClient;
let order: string;
let item: number;
let link: string;

const arrive = async (id: string) => {
  for (const status of ['Confirmed', 'Preparing', 'Packed', 'Shipped', 'Delivered'])
    expect((await asha.from('orders').update({ status }).eq('id', id)).error).toBeNull();
};
const linkOf = async (id: string): Promise<string> =>
  (await sql`select private.order_link(${id}, now()) as token`)[0]?.token;

beforeAll(async () => {
  [sql, meera, stranger, asha] = await Promise.all([
    connectToShop(inject('shopDataDir')),
    newCustomer(shopUrl, 'Meera Claims'),
    newCustomer(shopUrl, 'Curious Stranger'),
    signInAs(shopUrl, { account: 'Asha Rao' }),
  ]);
  await setAddress(meera);
  order = await buyOverHttp(shopUrl, meera, [{ productId: 9, quantity: 12, size: 500 }]);
  await arrive(order);
  item = (await sql`select id::int as id from public.order_items where order_id = ${order}`)[0]?.id;
  link = await linkOf(order);
});
beforeEach(async () => {
  await sql`delete from private.rate_limits where action like 'claim%'`;
});
afterAll(() => sql.end());

type Caller = ShopClient | { link: string } | null;
async function ask(query: string, caller: Caller, body?: object | Uint8Array<ArrayBuffer>, type = 'image/webp') {
  const isFile = body instanceof Uint8Array;
  const response = await fetch(`${backendUrl}/functions/v1/claim${query}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...(caller && 'auth' in caller ? { authorization: `Bearer ${await tokenOf(caller)}` } : {}),
      ...(caller && 'link' in caller ? { 'x-order-link': caller.link } : {}),
      ...(body ? { 'content-type': isFile ? type : 'application/json' } : {}),
    },
    ...(body ? { body: isFile ? body : JSON.stringify(body) } : {}),
  });
  return response;
}
const codeOf = async (response: Response) => [response.status, (await response.json()).error?.code];
const report = (quantity = 1) => ({
  do: 'open',
  order,
  items: [{ order_item_id: item, quantity, problem: 'damaged' }],
  words: 'The box was crushed.',
  entry: randomUUID(),
});
const webp = async (width = 64, height = 48) =>
  new Uint8Array(
    await sharp({ create: { width, height, channels: 3, background: '#c96' } })
      .webp()
      .toBuffer(),
  );
const addPhoto = async (claim: string, caller: Caller, photo: Uint8Array<ArrayBuffer>, type?: string) =>
  ask(`?claim=${claim}&entry=${randomUUID()}`, caller, photo, type);
async function opened(caller: Caller = meera, body: object = report()): Promise<string> {
  const response = await ask('', caller, body);
  expect(response.status).toBe(201);
  return (await response.json()).id;
}

test('a customer reports a problem, has a ticket at once, and the email with it', async () => {
  const response = await ask('', meera, report());
  const { id, ticket } = await response.json();
  expect([response.status, ticket]).toEqual([201, expect.stringMatching(/^C-\d+$/)]);
  expect(response.headers.get('cache-control')).toContain('no-store');
  const read = await (await ask(`?order=${order}`, meera)).json();
  expect(read.claims.find((one: { id: string }) => one.id === id)).toMatchObject({ ticket, state: 'received' });
  await expect
    .poll(
      async () =>
        (await sql`select done_at from private.outbox where key = ${`mail:claim-received:${id}`}`)[0]?.done_at,
      { timeout: 10_000 },
    )
    .not.toBeNull();
});

test('the holder of the order’s link does so without a login', async () => {
  const { order: _order, ...body } = report();
  const id = await opened({ link }, body);
  expect((await addPhoto(id, { link }, await webp())).status).toBe(201);
  const read = await (await ask('', { link })).json();
  const claim = read.claims.find((one: { id: string }) => one.id === id);
  // Links are forwarded: what was written and photographed stays with the account.
  expect(claim).toMatchObject({ messages: [], photos: [], photos_left: 3 });
  const [photo] = await sql`select p.id from private.claim_photos p where p.claim_id = ${id}`;
  expect((await ask(`?photo=${photo?.id}`, { link })).status).toBe(404);
  expect((await ask(`?photo=${photo?.id}`, meera)).status).toBe(200);
  expect((await ask('', { link }, { do: 'answer', claim: id, words: 'Thank you.', entry: randomUUID() })).status).toBe(
    200,
  );
  // Not an account, and not an address.
  const told = JSON.stringify(read);
  for (const secret of [await userIdOf(meera), 'Meera', '9820012345', 'Ranade Road', '@']) {
    if (secret === '@') expect(told.replace(read.contact.email, '')).not.toContain(secret);
    else expect(told).not.toContain(secret);
  }
});

describe('refused', () => {
  test('without a login or a link, with a forged link, and for orders of others', async () => {
    const forged = `${link.slice(0, 30)}${link[30] === 'A' ? 'B' : 'A'}${link.slice(31)}`;
    expect(await codeOf(await ask(`?order=${order}`, null))).toEqual([401, 'sign-in-required']);
    expect(await codeOf(await ask('', null, report()))).toEqual([401, 'sign-in-required']);
    for (const caller of [stranger, { link: forged }, { link: 'x' }, asha]) {
      expect(await codeOf(await ask(`?order=${order}`, caller))).toEqual([404, 'unknown-claim']);
      expect(await codeOf(await ask('', caller, report()))).toEqual([404, 'unknown-claim']);
    }
    // A link is for its own order, whatever else is asked for.
    const other = await buyOverHttp(shopUrl, meera, [{ productId: 9, quantity: 1, size: 500 }]);
    const read = await (await ask(`?order=${other}`, { link })).json();
    expect(read.order_id).toBe(order);
  });

  test('claims, answers and photos of others: nothing is told about them', async () => {
    const id = await opened();
    const added = await (await addPhoto(id, meera, await webp())).json();
    const answer = { do: 'answer', claim: id, words: 'Hello', entry: randomUUID() };
    for (const caller of [stranger, { link: 'x' }]) {
      expect(await codeOf(await ask('', caller, answer))).toEqual([404, 'unknown-claim']);
      expect(await codeOf(await addPhoto(id, caller, await webp()))).toEqual([404, 'unknown-claim']);
      const mine = await ask(`?photo=${added.id}`, caller);
      const none = await ask(`?photo=${randomUUID()}`, caller);
      expect([mine.status, await mine.text()]).toEqual([none.status, await none.text()]);
    }
    expect((await ask(`?photo=${added.id}`, null)).status).toBe(401);
    expect((await ask(`?photo=${added.id}`, meera)).status).toBe(200);
    expect((await ask(`?photo=${added.id}`, asha)).status).toBe(200);
  });

  test.each<[string, object]>([
    ['another kind of request', { do: 'decide' }],
    ['no items', { ...report(), items: [] }],
    ['a negative quantity', { ...report(), items: [{ order_item_id: 1, quantity: -1, problem: 'damaged' }] }],
    ['a problem of its own', { ...report(), items: [{ order_item_id: 1, quantity: 1, problem: 'ugly' }] }],
    ['a field more', { ...report(), state: 'decided' }],
  ])('%s', async (_what, body) => {
    expect((await ask('', meera, body)).status).toBe(400);
  });

  test('a report a day too late, with the moment and the grievance officer', async () => {
    const old = await buyOverHttp(shopUrl, meera, [{ productId: 9, quantity: 1, size: 500 }]);
    for (const status of ['Confirmed', 'Preparing', 'Packed', 'Shipped'])
      expect((await asha.from('orders').update({ status }).eq('id', old)).error).toBeNull();
    await sql.begin(async (tx) => {
      await tx`select set_config('shop.event_at', (now() - interval '24 hours 1 second')::text, true)`;
      await tx`update public.orders set status = 'Delivered' where id = ${old}`;
    });
    const [row] = await sql`select id::int as id from public.order_items where order_id = ${old}`;
    const items = [{ order_item_id: row?.id, quantity: 1, problem: 'damaged' }];
    const response = await ask('', meera, { ...report(), order: old, items });
    const { error } = await response.json();
    expect([response.status, error.code]).toEqual([409, 'too-late']);
    expect(error.message).toMatch(
      /ended on \d+ \w+ \d{4}, \d+:\d\d:\d\d [ap]m IST\. You can still complain to our grievance officer, .+@/,
    );
  });
});

describe('photos', () => {
  test('come back as they were sent, and nothing in them can run', async () => {
    const id = await opened();
    const photo = await webp(300, 200);
    const added = await (await addPhoto(id, meera, photo)).json();
    const response = await ask(`?photo=${added.id}`, meera);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(photo);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      'content-disposition': 'inline; filename="photo.webp"',
    });
    expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/);
  });

  test('that are none are refused, whatever they are called', async () => {
    const id = await opened();
    const page = new TextEncoder().encode('<!doctype html><script>alert(1)</script>'.repeat(20));
    const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
    const png = new Uint8Array(
      await sharp({ create: { width: 9, height: 9, channels: 3, background: '#c96' } })
        .png()
        .toBuffer(),
    );
    const trailing = new Uint8Array([...(await webp()), ...page]);
    for (const [file, type] of [
      [page, 'image/webp'],
      [svg, 'image/svg+xml'],
      [png, 'image/png'],
      [trailing, 'image/webp'],
    ] as const)
      expect(await codeOf(await addPhoto(id, meera, file as Uint8Array<ArrayBuffer>, type))).toEqual([
        415,
        'wrong-photo',
      ]);
    expect(await sql`select from private.claim_photos where claim_id = ${id}`).toHaveLength(0);
  });

  test('that would fill the memory, and 50 MB of anything, are refused', async () => {
    const id = await opened();
    const bomb = new Uint8Array(
      await sharp({ create: { width: 16, height: 16, channels: 3, background: '#c96' } })
        .webp({ lossless: true })
        .toBuffer(),
    );
    new DataView(bomb.buffer, bomb.byteOffset).setUint32(21, 0x0fffffff, true);
    expect(await codeOf(await addPhoto(id, meera, bomb))).toEqual([415, 'wrong-photo']);
    expect(await codeOf(await addPhoto(id, meera, new Uint8Array(610 * 1024)))).toEqual([413, 'wrong-photo']);
    // Refused by its length, perhaps before all of it was sent.
    const status = await addPhoto(id, meera, new Uint8Array(50 * 1024 * 1024)).then(
      (response) => response.status,
      () => 'broken off',
    );
    expect([413, 'broken off']).toContain(status);
  });
});

test('claims are worked on by administrators alone, and reached through the function alone', async () => {
  const id = await opened();
  for (const client of [meera, stranger]) {
    const seen = new Date().toISOString();
    for (const [name, args] of [
      ['admin_list_claims', {}],
      ['admin_read_claim', { claim_id: id }],
      ['admin_refund_claim', { claim_id: id, items: [], shipping_paise: 0, words: 'x', seen }],
      ['admin_refuse_claim', { claim_id: id, words: 'x', seen }],
    ] as const)
      expect((await client.rpc(name as 'admin_list_claims', args as object)).status).toBe(403);
    for (const [name, args] of [
      ['read_claims', { asker: await userIdOf(meera), order_id: order }],
      ['read_claim_photo', { asker: await userIdOf(meera), photo_id: id }],
    ] as const) {
      const { status, data } = await client.rpc(name as 'admin_list_claims', args as object);
      expect([status >= 400, data]).toEqual([true, null]);
    }
  }
});
