import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Buyer, newBuyers } from '../support/buyers.ts';
import { isIn } from '../support/in-shapes.ts';
import { connectToShop, insertProduct } from '../support/rows.ts';
import { rawRequest } from './raw-request.ts';

const shop = { url: inject('shopUrl'), backendUrl: inject('backendUrl'), dataDir: inject('shopDataDir') };
let sql: Sql;
let buyer: Buyer;

beforeAll(async () => {
  sql = await connectToShop(shop.dataDir);
  [buyer] = (await newBuyers(sql, shop, 1)) as [Buyer];
});
afterAll(() => sql.end());

const one = (productId: number, quantity = 1) => [{ productId, quantity, size: 500 as const }];
const violations = () => sql`select * from public.check_invariants()`;

test('an order is placed over HTTP, confirmed by email, and visible to its owner alone', async () => {
  const sweet = await insertProduct(sql, { price: 150, stock: 10 });
  const { outcome, orderId } = await buyer.buy(one(sweet, 2));
  expect(outcome).toBe('ordered');
  const [stranger] = (await newBuyers(sql, shop, 1)) as [Buyer];
  const read = async ({ token }: Buyer) =>
    (
      await fetch(`${shop.backendUrl}/rest/v1/orders?id=eq.${orderId}&select=status,total_amount`, {
        headers: { apikey: await key(), authorization: `Bearer ${token}` },
      })
    ).json();
  expect(await read(buyer)).toEqual([{ status: 'Pending', total_amount: '355.00' }]);
  expect(await read(stranger)).toEqual([]);
  await expect
    .poll(
      async () =>
        (await sql`select to_address from demo.caught_mail where to_address = ${`${buyer.id}@example.com`}`).length,
    )
    .toBe(1);
  const page = await (await fetch(`${shop.backendUrl}/demo-mail`)).text();
  expect(page).toContain(`${buyer.id}@example.com`);
});

describe('test payments', () => {
  const pay = (headers: Record<string, string>, body: string, method = 'POST') =>
    rawRequest(shop.url, { method, target: '/test-payments/pay', headers, body });

  test('work from pages of the shop only', async () => {
    const created = await buyer.create(await buyer.quote(one(await insertProduct(sql, { stock: 5 }))));
    const body = JSON.stringify({ order_id: created.body.id, outcome: 'pay' });
    for (const headers of [{}, { Origin: 'https://evil.example' }, { Origin: 'null' }] as Record<string, string>[])
      expect((await pay(headers, body)).status).toBe(403);
  });

  test('do not exist for other machines', async () => {
    const answer = await pay({ Host: 'shop.example', Origin: shop.url }, '{}');
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([404, 'no-demo-here']);
  });
});

describe('machines', () => {
  test('other than the provider cannot report payments', async () => {
    const answer = await buyer.call('paymentWebhook', { event: 'payment.captured' });
    expect([answer.status, answer.body.error?.code]).toEqual([400, 'bad-signature']);
  });

  test.each([{}, { authorization: 'Bearer ' }, { authorization: 'Bearer guess' }, { 'x-jobs-secret': '' }])(
    'that do not know the secret cannot run the jobs: %j',
    async (headers) => {
      const response = await fetch(`${shop.backendUrl}/functions/v1/runJobs`, {
        method: 'POST',
        headers: headers as never,
      });
      expect(response.status).toBe(401);
    },
  );
});

test('an order written by the browser itself is refused, whatever it claims', async () => {
  const sweet = await insertProduct(sql, { stock: 5 });
  const { orderId } = await buyer.buy(one(sweet));
  const headers = {
    apikey: await key(),
    authorization: `Bearer ${buyer.token}`,
    'content-type': 'application/json',
    prefer: 'return=representation',
  };
  const before = await sql`select to_jsonb(o) as row from public.orders o where id = ${orderId ?? ''}`;
  const attempts = [
    [
      'POST',
      'orders',
      { user_id: buyer.id, total_amount: 1, sub_total: 1, tax: 0, shipping_charge: 0, source: 'cart' },
    ],
    ['PATCH', `orders?id=eq.${orderId}`, { total_amount: 1 }],
    ['PATCH', `orders?id=eq.${orderId}`, { payment_status: 'refunded' }],
    ['PATCH', `orders?id=eq.${orderId}`, { status: 'Delivered' }],
    ['POST', 'order_items', { order_id: orderId, product_id: sweet, quantity: 1, size: 500, unit_price: 1 }],
    ['POST', 'rpc/settle_payment', { provider_order_id: 'x', payment_id: 'y', amount_paise: 1, currency: 'INR' }],
    [
      'POST',
      'rpc/quote_order',
      { customer_id: buyer.id, lines: [], pincode: '400001', source: 'cart', fulfilment: 'delivery' },
    ],
    ['POST', 'rpc/open_checkout', { customer_id: buyer.id, amount_paise: 100 }],
    ['POST', 'rpc/claim_jobs', { site_url: 'x' }],
    ['POST', 'rpc/record_refund', { refund_id: buyer.id, provider_refund_id: 'x', status: 'processed' }],
  ] as const;
  for (const [method, path, body] of attempts) {
    const response = await fetch(`${shop.backendUrl}/rest/v1/${path}`, { method, headers, body: JSON.stringify(body) });
    expect([path, response.status >= 400 && response.status < 500]).toEqual([path, true]);
  }
  expect(await sql`select to_jsonb(o) as row from public.orders o where id = ${orderId ?? ''}`).toEqual(before);
});

// How fast is promised of one process; that no more is sold than there is, of every shape.
const pieces = isIn('embedded') || process.env.SOAK ? 100 : 20;
const buyers = isIn('embedded') ? (process.env.SOAK ? 1000 : 200) : pieces + 20;
test(`${buyers} buyers, ${pieces} pieces: exactly ${pieces} sold, nothing lost`, { timeout: 120_000 }, async () => {
  const sweet = await insertProduct(sql, { stock: pieces });
  const crowd = await newBuyers(sql, shop, buyers);
  const outcomes = await Promise.all(crowd.map((each) => each.buy(one(sweet))));
  const ordered = outcomes.filter(({ outcome }) => outcome === 'ordered');
  expect(ordered).toHaveLength(pieces);
  expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['ordered', 'not-enough-stock']));
  const [stock] = await sql`select on_hand, reserved from public.stock_levels where product_id = ${sweet}`;
  expect(stock).toEqual({ on_hand: 0, reserved: 0 });
  const [captured] = await sql`
    select count(*)::int as lost from demo.provider_payments p
    where p.status = 'captured' and p.id not like 'pay\\_demo%'
      and not exists (select from private.payments k where k.payment_id = p.id
                      and (k.order_id is not null or exists (select from private.refunds r where r.payment_id = k.payment_id)))`;
  expect(captured?.lost).toBe(0);
  expect(await violations()).toEqual([]);
});

async function key(): Promise<string> {
  return (await (await fetch(`${shop.url}/env.json`)).json()).key;
}
