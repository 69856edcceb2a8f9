import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Buyer, newBuyers } from '../support/buyers.ts';
import { connectToShop, insertProduct } from '../support/rows.ts';

const shop = { url: inject('shopUrl'), backendUrl: inject('backendUrl'), dataDir: inject('shopDataDir') };
let sql: Sql;
let buyer: Buyer;
let productId: number;
let boxId: number;
beforeAll(async () => {
  sql = await connectToShop(shop.dataDir);
  [buyer] = (await newBuyers(sql, shop, 1)) as [Buyer];
  productId = await insertProduct(sql, { price: 250, hasSize: true, stock: 10_000 });
  await sql`insert into private.box_sweets (product_id, piece_grams) values (${productId}, 40)`;
  const [row] =
    await sql`insert into private.box_sizes (name, places, price, weight_grams) values ('Trial of four', 4, 50, 100) returning id`;
  boxId = Number(row?.id);
});
afterAll(async () => {
  await sql`delete from private.box_sweets where product_id = ${productId}`;
  await sql`update private.box_sizes set is_listed = false where id = ${boxId}`;
  await sql.end();
});

const box = () => ({ box_id: boxId, quantity: 2, contents: [{ productId, pieces: 4 }] });
const quote = (boxes: unknown, orders: unknown = []) =>
  buyer.call('getShippingPrice', { orders, boxes, delivery: { pincode: '400001' }, source: 'cart' });

test('a box is quoted, paid and placed like any other line', async () => {
  const quoted = await quote([box()]);
  // Two of ₹50 and four pieces of ₹20, and 5% on them.
  expect([quoted.status, quoted.body.sub_total, quoted.body.tax]).toEqual([200, 260, 13]);
  const created = await buyer.call('createOrder', {
    amount: quoted.body.total,
    currency: 'INR',
    quote_id: quoted.body.quote_id,
  });
  expect(created.status).toBe(201);
  const { status, body } = await buyer.place(await buyer.pay(created));
  expect(status).toBe(201);
  const [item] =
    await sql`select product_id, box_id, quantity, contents from public.order_items where order_id = ${String(body.order_id)}`;
  expect(item).toMatchObject({
    product_id: null,
    quantity: 2,
    contents: { products: [{ product_id: productId, pieces: 4, grams: 160 }] },
  });
});

test.each([
  ['no goods at all', []],
  ['a box without contents', [{ box_id: 1, quantity: 1, contents: [] }]],
  ['no whole pieces', [{ box_id: 1, quantity: 1, contents: [{ productId: 1, pieces: 1.5 }] }]],
  ['a negative piece', [{ box_id: 1, quantity: 1, contents: [{ productId: 1, pieces: -1 }] }]],
  ['26 boxes', [{ box_id: 1, quantity: 26, contents: [{ productId: 1, pieces: 6 }] }]],
  ['a price of one’s own', [{ box_id: 1, quantity: 1, price: 1, contents: [{ productId: 1, pieces: 6 }] }]],
  [
    '21 boxes of a kind',
    Array.from({ length: 21 }, () => ({ box_id: 1, quantity: 1, contents: [{ productId: 1, pieces: 6 }] })),
  ],
  ['no list', 'x'],
])('%s is refused', async (_what, boxes) => {
  const { status, body } = await quote(boxes);
  expect([status, body.error?.code]).toEqual([400, 'invalid-body']);
});

test('visitors read sizes and sweets, and nothing else of them', async () => {
  const page = await fetch(`${shop.url}/box`);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('Build your own box');
  const { key } = (await (await fetch(`${shop.url}/env.json`)).json()) as { key: string };
  const answer = await fetch(`${shop.backendUrl}/rest/v1/rpc/admin_read_boxes`, {
    method: 'POST',
    headers: { apikey: key },
  });
  expect([401, 403, 404]).toContain(answer.status);
});
