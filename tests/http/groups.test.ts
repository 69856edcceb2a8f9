import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Buyer, type FunctionAnswer, newBuyers } from '../support/buyers.ts';
import { card, recipient } from '../support/groups.ts';
import { connectToShop, insertPaidOrder, insertProduct } from '../support/rows.ts';
import { publicEnvironment } from '../support/visitor.ts';

const shop = { url: inject('shopUrl'), backendUrl: inject('backendUrl'), dataDir: inject('shopDataDir') };
let sql: Sql;
let buyer: Buyer;
let stranger: Buyer;
let productId: number;
beforeAll(async () => {
  sql = await connectToShop(shop.dataDir);
  [buyer, stranger] = (await newBuyers(sql, shop, 2)) as [Buyer, Buyer];
  productId = await insertProduct(sql, { price: 150, stock: 100_000 });
  // Who has ordered before may hold as much as they need.
  await insertPaidOrder(sql, { userId: buyer.id, productId });
});
afterAll(() => sql.end());

const box = () => [{ productId, quantity: 1, size: 500 as const }];
const some = (count: number) => Array.from({ length: count }, (_, place) => recipient(place + 1, box()));
const code = ({ status, body }: FunctionAnswer) => [status, body.error?.code];
const groups = () => sql`select from private.group_orders where user_id = ${buyer.id}`;

async function rpc(who: Buyer, name: string, args: unknown) {
  const { key } = await publicEnvironment(shop.url);
  const response = await fetch(`${shop.backendUrl ?? shop.url}/rest/v1/rpc/${name}`, {
    method: 'POST',
    headers: { apikey: key, authorization: `Bearer ${who.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(args),
  });
  return { status: response.status, body: await response.json() };
}

test('five hundred recipients: checked, paid once, five hundred orders, and one of them canceled', async () => {
  const recipients = some(500);
  const quote = await buyer.call('quoteGroup', { recipients, card });
  expect(quote.status, JSON.stringify(quote.body).slice(0, 300)).toBe(200);
  const created = await buyer.call('createGroupOrder', { recipients, card, key: quote.body.key });
  expect(created.status, JSON.stringify(created.body).slice(0, 300)).toBe(201);
  const paid = await buyer.pay(created, { webhook: 'twice' });
  const [first, second] = await Promise.all([buyer.place(paid), buyer.place(paid)]);
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(first.body).toEqual(second.body);
  const reference = String(created.body.group_id);
  const { body: group } = await rpc(buyer, 'my_group', { reference });
  expect(group).toMatchObject({ state: 'ordered', recipients: 500 });
  expect(group.orders).toHaveLength(500);
  expect((await rpc(stranger, 'my_group', { reference })).body).toBeNull();

  const seventh = group.orders[6];
  await sql.begin(async (tx) => {
    await tx`select set_config('request.jwt.claims', ${JSON.stringify({ sub: buyer.id, role: 'authenticated' })}, true)`;
    await tx`update public.orders set status = 'canceled' where id = ${seventh.order_id}`;
  });
  const refunds =
    await sql`select order_id, amount_paise::int as amount from private.refunds where payment_id = ${paid.razorpay_payment_id}`;
  expect(refunds).toEqual([{ order_id: seventh.order_id, amount: seventh.total_paise }]);
  const left =
    await sql`select distinct payment_status from public.orders where group_id = ${reference} and id <> ${seventh.order_id}`;
  expect(left).toEqual([{ payment_status: 'paid' }]);
}, 60_000);

test('five hundred of the longest notes in Devanagari fit into the request', async () => {
  const recipients = some(500).map((row) => ({ ...row, note: 'शु'.repeat(150) }));
  const quote = await stranger.call('quoteGroup', { recipients, card });
  expect(quote.status).toBe(200);
  expect(quote.body.key).toMatch(/^[0-9a-f]{32}$/);
});

const row = () => recipient(1, box());
test.each([
  ['no recipients', { recipients: [] }],
  ['501 recipients', { recipients: Array.from({ length: 501 }, row) }],
  ['recipients that are no list', { recipients: {} }],
  ['a hidden field in a recipient', { recipients: [{ ...recipient(1, []), total_paise: 100 }] }],
  ['a box with nothing in it', { recipients: [recipient(1, [])] }],
  ['twenty-six of one item', { recipients: [recipient(1, [{ productId: 1, quantity: 26, size: 500 }])] }],
  ['an unknown motif', { card: { ...card, motif: 'easter' } }],
  ['no card', { card: null }],
  ['a key that is none', { key: 'x' }],
])('%s is refused, and nothing is written', async (_what, change) => {
  const before = (await groups()).length;
  const body = { recipients: [row()], card, key: '0'.repeat(32), ...change };
  expect(code(await buyer.call('createGroupOrder', body))).toEqual([400, 'invalid-body']);
  expect(await groups()).toHaveLength(before);
});

test('more than a megabyte is refused before it is read', async () => {
  const answer = await buyer.call('quoteGroup', { recipients: [row()], card, more: 'x'.repeat(20 * 1024 * 1024) });
  expect(answer.status).toBe(413);
});

test('a key of other prices opens nothing', async () => {
  expect(code(await stranger.call('createGroupOrder', { recipients: [row()], card, key: '0'.repeat(32) }))).toEqual([
    409,
    'prices-changed',
  ]);
});

test('the functions behind it are out of the browsers’ reach', async () => {
  for (const name of ['quote_group', 'open_group']) {
    const { status } = await rpc(buyer, name, { customer_id: stranger.id, recipients: [], card });
    expect([401, 403, 404]).toContain(status);
  }
});
