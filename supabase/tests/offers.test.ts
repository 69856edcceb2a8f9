// Offers at checkout: who gets them, how often, and what becomes of a use that is not paid for.
import type { Sql } from 'postgres';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { insertOffer, usesOf } from '../../tests/support/offers.ts';
import { insertProduct, insertUser, insertZone } from '../../tests/support/rows.ts';
import { openTill, type Till } from '../../tests/support/till.ts';
import { callConsole } from './call-console.ts';

let database: TestDatabase;
let sql: Sql;
let till: Till;
let sweet: number;

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  till = openTill(database.connection, sql);
  await insertZone(sql, { prefixes: ['400'] });
  sweet = await insertProduct(sql, { price: 200, stock: 100_000, category: 'Laddu' });
});
afterEach(async () => {
  await till.expectCleanBooks();
  // Automatic offers would reach the orders of other tests.
  await sql`update private.offers set stopped_at = now() where stopped_at is null`;
});
afterAll(async () => {
  await till.close();
  await database.drop();
});

type Quoted = {
  total: number;
  sub_total: number;
  tax: number;
  discount: number;
  shipping_rate: number;
  quote_id: string;
  offers: { code: string | null; name: string; discount: number; shipping: number }[];
  code_problem?: { reason: string; message: string };
};
const lines = (quantity = 1, productId = sweet) => [{ productId, quantity, size: 500 as const }];

async function quoted(customer: string, code?: string, quantity = 1, productId = sweet): Promise<Quoted> {
  const answer = await till.quote(customer, lines(quantity, productId), { source: 'cart', ...(code && { code }) });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as unknown as Quoted;
}
async function opened(customer: string, code: string, quantity = 1): Promise<string> {
  return (await till.checkout(customer, lines(quantity), { source: 'cart', code })).orderId;
}
async function bought(customer: string, code: string, quantity = 1): Promise<number> {
  return (await till.place(customer, await till.pay(await opened(customer, code, quantity)))).status;
}
const reasonOf = async (...args: Parameters<typeof quoted>) => (await quoted(...args)).code_problem?.reason ?? null;

test('a code takes its part of the goods before tax, and says so line by line', async () => {
  await insertOffer(sql, { code: 'TENOFF', name: 'Ten off' });
  const answer = await quoted(await till.customer(), ' ten-off ', 2);
  expect(answer).toMatchObject({ sub_total: 400, discount: 40, tax: 18, shipping_rate: 40, total: 418 });
  expect(answer.offers).toEqual([{ code: 'TENOFF', name: 'Ten off', kind: 'percent', discount: 40, shipping: 0 }]);
  expect(answer.code_problem).toBeUndefined();
});

test('without an offer nothing changes', async () => {
  const answer = await quoted(await till.customer(), undefined, 2);
  expect(answer).toMatchObject({ sub_total: 400, discount: 0, tax: 20, shipping_rate: 40, total: 460, offers: [] });
});

test('free delivery above an amount is automatic, and named', async () => {
  await insertOffer(sql, { kind: 'free-delivery', name: 'Free delivery above ₹400', minOrderPaise: 40_000 });
  const customer = await till.customer();
  expect(await quoted(customer)).toMatchObject({ shipping_rate: 40, offers: [] });
  expect(await quoted(customer, undefined, 2)).toMatchObject({
    discount: 0,
    shipping_rate: 0,
    total: 420,
    offers: [{ code: null, name: 'Free delivery above ₹400', discount: 0, shipping: 40 }],
  });
});

test('a fixed amount never exceeds the goods, of which at least ₹1 is left', async () => {
  await insertOffer(sql, { code: 'GIANT', kind: 'amount', amountPaise: 900_000 });
  expect(await quoted(await till.customer(), 'GIANT')).toMatchObject({ sub_total: 200, discount: 199, tax: 0.05 });
});

test('every limit of a code is named beside the price without it', async () => {
  const customer = await till.customer();
  const now = new Date(till.clock.at);
  const past = new Date(now.getTime() - 1000).toISOString();
  await insertOffer(sql, { code: 'OVER', endsAt: past });
  await insertOffer(sql, { code: 'ATTHEEND', endsAt: now.toISOString() });
  await insertOffer(sql, { code: 'STOPPED', stoppedAt: past });
  await insertOffer(sql, { code: 'LATER', startsAt: new Date(now.getTime() + 86_400_000).toISOString() });
  await insertOffer(sql, { code: 'BIGCART', minOrderPaise: 50_000 });
  await insertOffer(sql, { code: 'SNACKS', categories: ['Gift'] });
  await insertOffer(sql, { code: 'SMALLPOT', budgetPaise: 1_999 });
  await insertOffer(sql, { code: 'FIRST', isFirstOrderOnly: true });
  expect(await reasonOf(customer, 'NOSUCH')).toBe('unknown');
  expect(await reasonOf(customer, 'OVER')).toBe('ended');
  expect(await reasonOf(customer, 'ATTHEEND')).toBe('ended');
  expect(await reasonOf(customer, 'STOPPED')).toBe('ended');
  expect(await reasonOf(customer, 'LATER')).toBe('not-yet');
  expect(await reasonOf(customer, 'SNACKS')).toBe('other-goods');
  expect(await reasonOf(customer, 'SMALLPOT')).toBe('used-up');
  expect(await quoted(customer, 'BIGCART', 2)).toMatchObject({
    discount: 0,
    total: 460,
    code_problem: { reason: 'minimum', message: 'BIGCART needs ₹500: ₹100 more.' },
  });
  expect(await reasonOf(customer, 'FIRST')).toBeNull();
  expect(await bought(customer, 'FIRST')).toBe(201);
  expect(await reasonOf(customer, 'FIRST')).toBe('first-order');
});

test('of two offers that do not combine the better one counts, and both count where both combine', async () => {
  const customer = await till.customer();
  await insertOffer(sql, { name: 'Automatic fifteen', percent: 15 });
  await insertOffer(sql, { code: 'FIVER', percent: 5, combines: true });
  await insertOffer(sql, { code: 'TWENTY', percent: 20 });
  expect(await quoted(customer, 'FIVER')).toMatchObject({
    discount: 30,
    code_problem: { reason: 'better-offer', message: expect.stringContaining('Automatic fifteen') },
  });
  expect(await quoted(customer, 'TWENTY')).toMatchObject({ discount: 40, offers: [{ code: 'TWENTY' }] });
  await insertOffer(sql, { name: 'Five more', kind: 'amount', amountPaise: 3_000, combines: true });
  // 5% of 200, then ₹30.
  expect(await quoted(customer, 'FIVER')).toMatchObject({
    discount: 40,
    offers: [
      { code: 'FIVER', discount: 10 },
      { name: 'Five more', discount: 30 },
    ],
  });
});

test('a use is reserved when the checkout opens, and used when it is paid', async () => {
  const offer = await insertOffer(sql, { code: 'SINGLE', maxUses: 1 });
  const [first, second] = [await till.customer(), await till.customer()];
  const orderId = await opened(first, 'SINGLE');
  expect(await usesOf(sql, offer)).toEqual([1, 0]);
  expect(await reasonOf(second, 'SINGLE')).toBe('used-up');
  // It is their own.
  expect(await reasonOf(first, 'SINGLE')).toBeNull();
  expect((await till.place(first, await till.pay(orderId))).status).toBe(201);
  expect(await usesOf(sql, offer)).toEqual([0, 1]);
  const [order] =
    await sql`select sub_total, discount, tax, total_amount, offers from public.orders where user_id = ${first}`;
  expect(order).toMatchObject({ sub_total: '200.00', discount: '20.00', tax: '9.00', total_amount: '229.00' });
  expect(order?.offers).toMatchObject([{ code: 'SINGLE', discount_paise: 2000 }]);
  const [item] =
    await sql`select i.discount, p.discount as placed from public.order_items i join public.orders o on o.id = i.order_id
    join private.placed_items p on p.order_item_id = i.id where o.user_id = ${first}`;
  expect(item).toEqual({ discount: '20.00', placed: '20.00' });
  // The order's link shows amounts that add up, too.
  const [followed] = await sql`
    select private.followed_order(o.id) as told from public.orders o where o.user_id = ${first}`;
  expect(followed?.told).toMatchObject({
    sub_total_paise: 20_000,
    offers: [{ code: 'SINGLE', discount_paise: 2000 }],
    tax_paise: 900,
    total_paise: 22_900,
  });
});

test('an expired checkout gives its use back', async () => {
  const offer = await insertOffer(sql, { code: 'EXPIRES', maxUses: 1 });
  const [first, second] = [await till.customer(), await till.customer()];
  await opened(first, 'EXPIRES');
  till.later(11);
  await till.work();
  expect(await usesOf(sql, offer)).toEqual([0, 0]);
  expect(await bought(second, 'EXPIRES')).toBe(201);
  expect(await usesOf(sql, offer)).toEqual([0, 1]);
});

test('a checkout that is replaced gives its use back, also by one without a code', async () => {
  const offer = await insertOffer(sql, { code: 'MOVES', maxUses: 1 });
  const customer = await till.customer();
  await opened(customer, 'MOVES');
  await opened(customer, 'MOVES', 2);
  expect(await usesOf(sql, offer)).toEqual([1, 0]);
  till.later(2);
  await till.checkout(customer, lines(3), { source: 'cart' });
  expect(await usesOf(sql, offer)).toEqual([0, 0]);
});

test('a quote whose offer ran out in between opens no checkout', async () => {
  await insertOffer(sql, { code: 'RUNSOUT', maxUses: 1 });
  const [first, second] = [await till.customer(), await till.customer()];
  const late = await quoted(second, 'RUNSOUT');
  await opened(first, 'RUNSOUT');
  const refused = await till.create(second, late.total, late.quote_id);
  expect([refused.status, refused.body.error?.code]).toEqual([409, 'offer-changed']);
});

test('stopping ends an offer for quotes at once, and not for the customer who is paying', async () => {
  const offer = await insertOffer(sql, { code: 'HALTED' });
  const [paying, looking] = [await till.customer(), await till.customer()];
  const orderId = await opened(paying, 'HALTED');
  const seen = await quoted(looking, 'HALTED');
  await sql`update private.offers set stopped_at = now() where id = ${offer}`;
  expect((await till.create(looking, seen.total, seen.quote_id)).body.error?.code).toBe('offer-changed');
  expect(await reasonOf(looking, 'HALTED')).toBe('ended');
  expect((await till.place(paying, await till.pay(orderId))).status).toBe(201);
});

test('a payment after its reservation expired takes a use that is left', async () => {
  const offer = await insertOffer(sql, {
    code: 'LATEPAY',
    maxUses: 1,
    endsAt: new Date(till.clock.at + 60_000).toISOString(),
  });
  const customer = await till.customer();
  const orderId = await opened(customer, 'LATEPAY');
  till.later(11);
  await till.work();
  expect((await till.place(customer, await till.pay(orderId))).status).toBe(201);
  expect(await usesOf(sql, offer)).toEqual([0, 1]);
});

test('and is refunded where none is left: a limit is never exceeded', async () => {
  const offer = await insertOffer(sql, { code: 'GONE', maxUses: 1 });
  const [late, quick] = [await till.customer(), await till.customer()];
  const orderId = await opened(late, 'GONE');
  till.later(11);
  await till.work();
  expect(await bought(quick, 'GONE')).toBe(201);
  await till.place(late, await till.pay(orderId));
  expect(await usesOf(sql, offer)).toEqual([0, 1]);
  const refunds =
    await sql`select r.reason from private.refunds r join private.payments p using (payment_id) where p.user_id = ${late}`;
  expect(refunds).toEqual([{ reason: 'offer-used-up' }]);
});

test('one use per customer stays one, also when two of their checkouts are paid', async () => {
  const offer = await insertOffer(sql, { code: 'ONCE', maxUsesPerCustomer: 1 });
  const customer = await till.customer();
  const first = await opened(customer, 'ONCE', 1);
  const second = await opened(customer, 'ONCE', 2);
  // The earlier one takes the reservation of the later one.
  expect((await till.place(customer, await till.pay(first))).status).toBe(201);
  await till.place(customer, await till.pay(second));
  expect(await usesOf(sql, offer)).toEqual([0, 1]);
  expect(await sql`select count(*)::integer as orders from public.orders where user_id = ${customer}`).toEqual([
    { orders: 1 },
  ]);
  expect(await reasonOf(customer, 'ONCE')).toBe('used-before');
});

test('a budget in rupees is not exceeded', async () => {
  const offer = await insertOffer(sql, { code: 'BUDGET', kind: 'amount', amountPaise: 4_000, budgetPaise: 10_000 });
  const [a, b, c] = [await till.customer(), await till.customer(), await till.customer()];
  expect(await bought(a, 'BUDGET')).toBe(201);
  await opened(b, 'BUDGET');
  expect(await reasonOf(c, 'BUDGET')).toBe('used-up');
  expect(await usesOf(sql, offer)).toEqual([1, 1]);
});

test('who types many unknown codes is told nothing about codes any more', async () => {
  await insertOffer(sql, { code: 'REALONE' });
  const customer = await till.customer();
  for (let guess = 1; guess <= 20; guess += 1) expect(await reasonOf(customer, `GUESS${guess}`)).toBe('unknown');
  expect(await quoted(customer, 'REALONE')).toMatchObject({ discount: 0, code_problem: { reason: 'too-many-codes' } });
  expect(await reasonOf(await till.customer(), 'REALONE')).toBeNull();
  till.later(61);
  expect(await reasonOf(customer, 'REALONE')).toBeNull();
});

test('groups and phone orders have no offers', async () => {
  await insertOffer(sql, { name: 'For everybody', percent: 50 });
  const customer = await till.customer();
  const recipient = {
    name: 'Ravi',
    phone: '9820012345',
    building_no: '1',
    street: 'Road',
    city: 'Mumbai',
    state: 'Maharashtra',
    zip: '400001',
    note: 'Best wishes',
    email: null,
    delivery_on: null,
    lines: [{ product_id: sweet, size: 500, quantity: 1 }],
  };
  const [row] =
    await sql`select public.quote_group(${customer}, ${sql.json([recipient])}, ${sql.json({ motif: 'sweets', sender_name: 'Meera' })}) as quote`;
  expect(row?.quote.rows).toMatchObject([{ ok: true, sub_total_paise: 20_000, total_paise: 25_000 }]);
});

test('erasing a customer leaves the figures of an offer, and not the person', async () => {
  const offer = await insertOffer(sql, { code: 'ERASED' });
  const customer = await till.customer();
  expect(await bought(customer, 'ERASED')).toBe(201);
  const administrator = { userId: await insertUser(sql, { administrator: true }) };
  await sql`update private.checkouts set next_check_at = null where user_id = ${customer}`;
  for (const status of ['Confirmed', 'Preparing', 'Packed', 'Shipped', 'Delivered'])
    await sql`update public.orders set status = ${status} where user_id = ${customer}`;
  await till.work();
  await callConsole(sql, administrator, 'admin_erase_customer', { customer_id: customer, confirmation: 'Meera Till' });
  expect(await usesOf(sql, offer)).toEqual([0, 1]);
  expect(await sql`select user_id from private.offer_uses where offer_id = ${offer}`).toEqual([{ user_id: null }]);
});

test('a category that is renamed keeps its offers', async () => {
  const [made] = await sql`insert into public.categories (name, position) values ('Namkeen', 90) returning id`;
  const offer = await insertOffer(sql, { code: 'NAMKEEN', categories: ['Namkeen', 'Gift'] });
  await sql`update public.categories set name = 'Farsan' where id = ${made?.id}`;
  expect(await sql`select categories from private.offers where id = ${offer}`).toEqual([
    { categories: ['Farsan', 'Gift'] },
  ]);
});
