import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Buyer, newBuyers } from '../support/buyers.ts';
import { insertOffer, usesOf } from '../support/offers.ts';
import { connectToShop, insertProduct, newMark } from '../support/rows.ts';

const shop = { url: inject('shopUrl'), backendUrl: inject('backendUrl'), dataDir: inject('shopDataDir') };
let sql: Sql;
let buyers: Buyer[];
let productId: number;
beforeAll(async () => {
  sql = await connectToShop(shop.dataDir);
  buyers = await newBuyers(sql, shop, 60);
  productId = await insertProduct(sql, { price: 250, stock: 10_000 });
});
afterAll(async () => {
  await sql`update private.offers set stopped_at = now() where name = 'Test offer'`;
  await sql.end();
});

const newCode = () =>
  newMark('H')
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .toUpperCase()
    .slice(0, 18);
const quote = (buyer: Buyer | undefined, code: unknown, quantity = 1) =>
  (buyer as Buyer).call('getShippingPrice', {
    orders: [{ productId, quantity, size: 500 }],
    delivery: { pincode: '400001' },
    source: 'cart',
    ...(code !== undefined && { code }),
  });

test('the price keeps its fields, and gains the discount and its offers', async () => {
  const code = newCode();
  await insertOffer(sql, { code });
  const without = await quote(buyers[0], undefined);
  expect(without.body).toMatchObject({
    sub_total: 250,
    discount: 0,
    tax: 12.5,
    shipping_rate: 40,
    total: 302.5,
    offers: [],
  });
  const withCode = await quote(buyers[0], code);
  expect(withCode.body).toMatchObject({ sub_total: 250, discount: 25, tax: 11.25, shipping_rate: 40, total: 276.25 });
  expect(withCode.body.offers).toEqual([{ code, name: 'Test offer', kind: 'percent', discount: 25, shipping: 0 }]);
});

test('a code that does not count gets the price without it, and a reason beside it', async () => {
  const { status, body } = await quote(buyers[1], 'NOSUCH1');
  expect([status, body.total, body.discount]).toEqual([200, 302.5, 0]);
  expect(body.code_problem).toEqual({
    reason: 'unknown',
    message: 'We don’t know the code NOSUCH1. Check the spelling.',
  });
});

test.each([
  ['a number', 12],
  ['a list', ['A']],
  ['too long', 'x'.repeat(101)],
  ['null', null],
])('%s is no code', async (_what, code) => {
  expect((await quote(buyers[2], code)).status).toBe(400);
});

test('hostile text is only an unknown code', async () => {
  for (const code of ["'; drop table private.offers; --", '<script>', '\u0000', 'A\ud800', '%', '🪔🪔🪔'])
    expect((await quote(buyers[3], code)).status).toBe(200);
});

describe('a limit', () => {
  test('of twelve is used exactly twelve times by sixty buyers at once', async () => {
    const code = newCode();
    const offer = await insertOffer(sql, { code, maxUses: 12 });
    const outcomes = await Promise.all(
      buyers.map(async (buyer) => {
        const priced = await quote(buyer, code);
        if (priced.body.discount === 0) return (priced.body.code_problem as { reason: string }).reason;
        const created = await buyer.create(priced);
        if (created.status !== 201) return created.body.error?.code;
        return (await buyer.place(await buyer.pay(created))).status;
      }),
    );
    expect(outcomes.filter((outcome) => outcome === 201)).toHaveLength(12);
    for (const outcome of outcomes) expect([201, 'used-up', 'offer-changed']).toContain(outcome);
    expect(await usesOf(sql, offer)).toEqual([0, 12]);
    expect(await sql`select * from public.check_invariants() where invariant = 18`).toEqual([]);
  });
});

test('a discounted total cannot be claimed without its quote', async () => {
  const code = newCode();
  await insertOffer(sql, { code, percent: 50 });
  const { body } = await quote(buyers[4], code);
  const stolen = await (buyers[5] as Buyer).call('createOrder', {
    amount: body.total,
    currency: 'INR',
    quote_id: body.quote_id,
  });
  expect([stolen.status, stolen.body.error?.code]).toEqual([409, 'no-quote']);
});
