import { expect, test } from 'vitest';
import { createMemoryStore } from '../../adapters/payments/memory-store.ts';
import { createRazorpay } from '../../adapters/payments/razorpay.ts';
import { createSimulator, SIMULATOR_URL } from '../../adapters/payments/simulator.ts';
import { createTestPayments, TEST_PAYMENTS_PATH } from './test-payments.ts';

const siteUrl = 'http://localhost:3000';
const keys = { keyId: 'rzp_test_page', keySecret: 'key-secret', webhookSecret: 'webhook-secret' };
const simulator = createSimulator({ ...keys, store: createMemoryStore(), now: Date.now, deliver: async () => {} });
const provider = createRazorpay({ ...keys, kind: 'test', baseUrl: SIMULATOR_URL, fetch: simulator.fetch });
const serve = createTestPayments({ simulator, origins: [siteUrl, 'http://127.0.0.1:3000'] });

const newOrder = async () => (await provider.orderFor(crypto.randomUUID(), 500, { mayExist: false })).id;

function post(body: unknown, headers: Record<string, string> = { origin: siteUrl }, signal?: AbortSignal) {
  return serve(
    new Request(`${siteUrl}${TEST_PAYMENTS_PATH}/pay`, {
      method: 'POST',
      headers,
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...(signal ? { signal } : {}),
    }),
  );
}

test('pays an order, over the order’s amount, with a signature that counts', async () => {
  const order_id = await newOrder();
  const response = await post({ order_id, outcome: 'pay', webhook: 'never', refund_fails: true });
  expect(response.status).toBe(200);
  const answer = (await response.json()) as Record<string, string>;
  const id = answer.razorpay_payment_id ?? '';
  expect(await provider.isPaymentSigned(order_id, id, answer.razorpay_signature ?? '')).toBe(true);
  expect(await provider.payment(id)).toMatchObject({ amountPaise: 500, status: 'captured' });
  const refund = await provider.refund({
    paymentId: id,
    amountPaise: 500,
    idempotencyKey: 'key-0123456789',
    reason: '',
  });
  expect(await provider.refundById(refund.id)).toMatchObject({ status: 'failed' });
});

test('hands over what went wrong, as the widget does', async () => {
  const order_id = await newOrder();
  const failed = await post({ order_id, outcome: 'fail' });
  expect(failed.status).toBe(200);
  expect(await failed.json()).toMatchObject({ error: { reason: 'payment_failed', metadata: { order_id } } });
  await post({ order_id, outcome: 'pay' });
  expect(await (await post({ order_id, outcome: 'pay' })).json()).toMatchObject({
    error: { description: 'Order already paid' },
  });
});

test('a hanging payment is made, and ends when the page goes away', async () => {
  const order_id = await newOrder();
  await post({ order_id, outcome: 'pay', hang: true }, { origin: siteUrl }, AbortSignal.timeout(30));
  expect(await provider.paymentsOf(order_id)).toMatchObject([{ status: 'captured' }]);
});

test('answers pages of the shop only', async () => {
  const order_id = await newOrder();
  for (const headers of [
    {},
    { origin: 'null' },
    { origin: 'https://evil.example' },
    { origin: 'http://localhost:3001' },
    { origin: `${siteUrl}.evil.example` },
  ] as Record<string, string>[])
    expect((await post({ order_id, outcome: 'pay' }, headers)).status).toBe(403);
  expect(await provider.paymentsOf(order_id)).toEqual([]);
  expect((await post({ order_id, outcome: 'pay' }, { origin: 'http://127.0.0.1:3000' })).status).toBe(200);
});

test.each([
  '',
  'null',
  '[]',
  '{"outcome":"pay"}',
  { order_id: 'order_1' },
  { order_id: 'order_1', outcome: 'steal' },
  { order_id: '../orders', outcome: 'pay' },
  { order_id: 'order_1', outcome: 'pay', amount: 1 },
  { order_id: 'order_1', outcome: 'pay', webhook: 'sometimes' },
  { order_id: 'order_1', outcome: 'pay', hang: 'yes' },
  '['.repeat(2000),
])('refuses %j', async (body) => {
  const response = await post(body);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { code: 'invalid-body' } });
});

test('refuses what is unknown, too long or elsewhere', async () => {
  expect((await post({ order_id: 'order_unknown', outcome: 'pay' })).status).toBe(404);
  expect((await post(' '.repeat(5000))).status).toBe(413);
  expect((await serve(new Request(`${siteUrl}${TEST_PAYMENTS_PATH}/orders`))).status).toBe(404);
  expect((await serve(new Request(`${siteUrl}${TEST_PAYMENTS_PATH}/pay`))).status).toBe(405);
});
