// A limit under concurrency: a thousand buyers for a code of a hundred uses, through the batched calls of the shop.
import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { insertOffer, usesOf } from '../../tests/support/offers.ts';
import { insertProduct, insertZone } from '../../tests/support/rows.ts';
import { openTill, type Till } from '../../tests/support/till.ts';
import { openCheckout, quoteOrder } from '../contracts/checkout.ts';
import { call } from '../contracts/contract.ts';

let database: TestDatabase;
let sql: Sql;
let till: Till;
let sweet: number;

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  till = openTill(database.connection, sql);
  await insertZone(sql, { prefixes: ['400'] });
  sweet = await insertProduct(sql, { price: 200, stock: 100_000 });
});
afterAll(async () => {
  await till.expectCleanBooks();
  await till.close();
  await database.drop();
});

async function insertCustomers(many: number): Promise<string[]> {
  const ids = Array.from({ length: many }, () => randomUUID());
  await sql`insert into auth.users (id, email, raw_user_meta_data)
    select u.id, u.id || '@example.com', '{"full_name": "Test Person"}' from unnest(${ids}::uuid[]) as u (id)`;
  await sql`insert into public.user_profiles (user_id, phone, building_no, street, city, state, zip)
    select u.id, '9820012345', '4B', 'Ranade Road', 'Mumbai', 'Maharashtra', '400001' from unnest(${ids}::uuid[]) as u (id)`;
  return ids;
}

const at = () => new Date(till.clock.at).toISOString();

/** Prices a cart with the code and opens its checkout: the checkout, or why there is none. */
async function open(customer: string, code: string, isSeenFirst: Promise<unknown> = Promise.resolve()) {
  const quote = await call(till.context.db.rpc, quoteOrder, {
    customer_id: customer,
    lines: [{ product_id: sweet, quantity: 1, size: 500 }],
    pincode: '400001',
    source: 'cart',
    fulfilment: 'delivery',
    at: at(),
    code,
  });
  if (!quote.ok) throw new Error(quote.reason);
  if (quote.code_problem) return quote.code_problem.reason;
  await isSeenFirst;
  const opened = await call(till.context.db.rpc, openCheckout, {
    customer_id: customer,
    amount_paise: quote.total_paise,
    quote_id: quote.quote_id,
    at: at(),
  });
  return opened.ok ? { customer, quote, ...opened } : opened.reason;
}
type Opened = Exclude<Awaited<ReturnType<typeof open>>, string>;
const isOpened = (result: Awaited<ReturnType<typeof open>>): result is Opened => typeof result !== 'string';

async function settle({ checkout_id, amount_paise }: Opened) {
  const provider_order_id = `order_${checkout_id}`;
  await till.context.db.rpc('attach_provider_order', { checkout_id, provider_order_id });
  return till.context.db.rpc('settle_payment', {
    provider_order_id,
    payment_id: `pay_${checkout_id}`,
    amount_paise,
    currency: 'INR',
    is_refunded_by_provider: false,
    at: at(),
  });
}

test('a thousand buyers at once use a code of a hundred exactly a hundred times', async () => {
  const offer = await insertOffer(sql, { code: 'HUNDRED', maxUses: 100 });
  const customers = await insertCustomers(1_000);
  // All of them have seen the price with the code before the first opens a checkout.
  const seen: Promise<unknown>[] = [];
  let start = () => {};
  const allHaveSeen = new Promise<void>((resolve) => {
    start = resolve;
  });
  const opening = customers.map((customer) => open(customer, 'HUNDRED', allHaveSeen));
  seen.push(...opening);
  await expect
    .poll(async () => (await sql`select count(*)::int as quotes from private.quotes`)[0]?.quotes, { timeout: 60_000 })
    .toBe(1_000);
  start();
  const results = await Promise.all(opening);
  const holders = results.filter(isOpened);
  expect(holders).toHaveLength(100);
  expect(new Set(results.filter((result) => !isOpened(result)))).toEqual(new Set(['offer-changed']));
  expect(await usesOf(sql, offer)).toEqual([100, 0]);

  // Sixty of them pay; forty let it expire, and forty others get those uses.
  await Promise.all(holders.slice(0, 60).map(settle));
  expect(await usesOf(sql, offer)).toEqual([40, 60]);
  till.later(11);
  await till.work();
  expect(await usesOf(sql, offer)).toEqual([0, 60]);
  const lucky = new Set(holders.map(({ customer }) => customer));
  const others = customers.filter((customer) => !lucky.has(customer));
  const second = (await Promise.all(others.map((customer) => open(customer, 'HUNDRED')))).filter(isOpened);
  expect(second).toHaveLength(40);
  // Those who were too late pay at the same moment, too: their payments go back.
  await Promise.all([...second, ...holders.slice(60)].map(settle));
  expect(await usesOf(sql, offer)).toEqual([0, 100]);
  const [orders] = await sql`select count(*)::int as placed, sum(discount)::float as discount from public.orders`;
  expect(orders).toEqual({ placed: 100, discount: 2_000 });
  expect(await sql`select reason, count(*)::int as payments from private.refunds group by reason`).toEqual([
    { reason: 'offer-used-up', payments: 40 },
  ]);
}, 180_000);

test('a budget shared by a crowd is never exceeded', async () => {
  const offer = await insertOffer(sql, { code: 'PURSE', kind: 'amount', amountPaise: 3_300, budgetPaise: 100_000 });
  const customers = await insertCustomers(120);
  const results = await Promise.all(customers.map((customer) => open(customer, 'PURSE')));
  const holders = results.filter(isOpened);
  await Promise.all(holders.map(settle));
  expect(await usesOf(sql, offer)).toEqual([0, 30]);
}, 60_000);
