import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Buyer, type FunctionAnswer, newBuyers } from '../support/buyers.ts';
import { connectToShop, insertProduct } from '../support/rows.ts';
import { publicEnvironment } from '../support/visitor.ts';

const shop = { url: inject('shopUrl'), backendUrl: inject('backendUrl'), dataDir: inject('shopDataDir') };
let sql: Sql;
let buyer: Buyer;
let stranger: Buyer;
let productId: number;
beforeAll(async () => {
  sql = await connectToShop(shop.dataDir);
  [buyer, stranger] = (await newBuyers(sql, shop, 2)) as [Buyer, Buyer];
  productId = await insertProduct(sql, { price: 150, stock: 100 });
});
afterAll(() => sql.end());

const nani = {
  label: 'Nani',
  recipient_name: 'Kamala Devi',
  phone: '9876543210',
  building_no: '12, Shanti Sadan',
  street: 'MG Road',
  city: 'Mumbai',
  state: 'Maharashtra',
  zip: '400001',
};
const gift = { note: 'शुभ दीपावली 🪔', motif: 'diwali', sender_name: 'Mirchi', recipient_email: null };

async function addressOf({ id }: Buyer): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    insert into public.customer_addresses ${sql({ user_id: id, ...nani })} returning id`;
  return row?.id ?? '';
}
const quote = () => buyer.quote([{ productId, quantity: 1, size: 500 }]);
const create = ({ body }: FunctionAnswer, more: unknown) =>
  buyer.call('createOrder', { amount: body.total, currency: 'INR', quote_id: body.quote_id, ...(more as object) });
const code = ({ status, body }: FunctionAnswer) => [status, body.error?.code];
const checkouts = () => sql`select from private.checkouts where user_id = ${buyer.id}`;

test('another customer’s address is refused', async () => {
  const quoted = await quote();
  expect(code(await create(quoted, { address_id: await addressOf(stranger) }))).toEqual([409, 'address-changed']);
  expect(await checkouts()).toHaveLength(0);
});

test.each([
  ['a gift that is no object', { gift: 'yes' }],
  ['a gift without a sender', { gift: { note: '', motif: 'diwali' } }],
  ['an unknown motif', { gift: { ...gift, motif: 'easter' } }],
  ['a note of 301 characters', { gift: { ...gift, note: '🪔'.repeat(301) } }],
  ['a control character', { gift: { ...gift, note: '\u0000' } }],
  ['half a character', { gift: { ...gift, note: '\ud83e' } }],
  ['a hidden field in the gift', { gift: { ...gift, order_id: '1' } }],
  ['a hidden field beside it', { gift, delivery_name: 'x' }],
  ['an address id that is none', { address_id: 'x' }],
  ['an address id that is a list', { address_id: ['00000000-0000-4000-a000-000000000001'] }],
])('%s is refused, and nothing is written', async (_what, more) => {
  expect(code(await create(await quote(), more))).toEqual([400, 'invalid-body']);
  expect(await checkouts()).toHaveLength(0);
});

test('a gift to an address of one’s own book is placed, and read by its buyer alone', async () => {
  const created = await create(await quote(), { address_id: await addressOf(buyer), gift });
  expect(created.status).toBe(201);
  expect(created.body.prefill).toMatchObject({ contact: '9820012345' });
  const { body } = await buyer.place(await buyer.pay(created));
  const gifts = async ({ token }: Buyer) => {
    const { key } = await publicEnvironment(shop.url);
    const response = await fetch(`${shop.backendUrl}/rest/v1/rpc/my_gifts`, {
      method: 'POST',
      headers: { apikey: key, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ order_ids: [body.order_id] }),
    });
    return response.json();
  };
  expect(await gifts(buyer)).toMatchObject([{ ...gift, recipient: 'Kamala Devi' }]);
  expect(await gifts(stranger)).toEqual([]);
});
