import { describe, expect, test } from 'vitest';
import { createMemoryStore } from './memory-store.ts';
import { createSimulator, SIMULATOR_URL, type SimulatorOptions } from './simulator.ts';

const keys = { keyId: 'rzp_test_simulator', keySecret: 'key-secret', webhookSecret: 'webhook-secret' };
const authorization = `Basic ${btoa(`${keys.keyId}:${keys.keySecret}`)}`;

function simulated(options: Partial<SimulatorOptions> = {}) {
  const simulator = createSimulator({
    ...keys,
    store: createMemoryStore(),
    now: () => 1_795_000_000_999,
    deliver: async () => {},
    lateMs: 50,
    retryDelaysMs: [5, 5],
    ...options,
  });
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    simulator.api(
      new Request(`${SIMULATOR_URL}${path}`, {
        method,
        headers: { authorization, ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    );
  return {
    ...simulator,
    call,
    async newOrder(): Promise<string> {
      const response = await call('POST', '/orders', { amount: 500, currency: 'INR', receipt: 'r1' });
      return ((await response.json()) as { id: string }).id;
    },
  };
}

const eventName = (body: string): string => JSON.parse(body).event;

describe('the API', () => {
  test('opens only with its own keys', async () => {
    const { api, newOrder } = simulated();
    const id = await newOrder();
    for (const value of ['', 'Basic', `basic ${btoa('rzp_test_simulator:key-secret')}`, `Basic ${btoa('a:b')}`]) {
      const response = await api(new Request(`${SIMULATOR_URL}/orders/${id}`, { headers: { authorization: value } }));
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ error: { code: 'BAD_REQUEST_ERROR' } });
    }
  });

  test('writes an order down as the provider does', async () => {
    const { call, newOrder } = simulated();
    const id = await newOrder();
    expect(await (await call('GET', `/orders/${id}`)).json()).toEqual({
      id,
      entity: 'order',
      amount: 500,
      amount_paid: 0,
      amount_due: 500,
      currency: 'INR',
      receipt: 'r1',
      offer_id: null,
      status: 'created',
      attempts: 0,
      notes: [],
      created_at: 1_795_000_000,
    });
  });

  test.each([
    ['POST', '/orders', 'not json'],
    ['POST', '/orders', { amount: 99, currency: 'INR', receipt: 'r' }],
    ['POST', '/orders', { amount: 500.5, currency: 'INR', receipt: 'r' }],
    ['POST', '/orders', { amount: 500, currency: 'USD', receipt: 'r' }],
    ['POST', '/orders', { amount: 500, currency: 'INR', receipt: 'r'.repeat(41) }],
    ['GET', '/orders/order_unknown', undefined],
    ['GET', '/orders/order_unknown/payments', undefined],
    ['GET', '/payments/pay_unknown', undefined],
    ['POST', '/payments/pay_unknown/capture', { amount: 500, currency: 'INR' }],
    ['POST', '/payments/pay_unknown/capture', 'null'],
    ['POST', '/payments/pay_unknown/refund', {}],
    ['POST', '/payments/pay_unknown/refund', '"all"'],
    ['GET', '/refunds/rfnd_unknown', undefined],
  ])('refuses %s %s %j in its own words', async (method, path, body) => {
    const response = await simulated().call(method, path, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'BAD_REQUEST_ERROR', description: /./ } });
  });

  test('knows no other addresses', async () => {
    const { call } = simulated();
    for (const path of ['/', '/orders/', '/customers', '/orders/order_1/refunds', '/payments'])
      expect((await call('DELETE', path)).status).toBe(404);
  });

  test('refunds all that is left when no amount is named', async () => {
    const { call, pay, newOrder } = simulated();
    const answer = await pay(await newOrder(), { outcome: 'pay' });
    if ('error' in answer) throw new Error(answer.error.description);
    const path = `/payments/${answer.razorpay_payment_id}/refund`;
    expect((await call('POST', path, { amount: 100 })).status).toBe(200);
    expect(await (await call('POST', path, {})).json()).toMatchObject({ amount: 400, status: 'processed' });
    expect((await call('POST', path, {}, { 'x-refund-idempotency': 'short' })).status).toBe(400);
  });
});

describe('a webhook', () => {
  test('that is not accepted is sent again, with the same id', async () => {
    const seen: string[] = [];
    const { pay, newOrder, settled } = simulated({
      deliver: async ({ body, eventId }) => {
        seen.push(`${eventName(body)} ${eventId}`);
        if (seen.length <= 3) throw new Error('503');
      },
    });
    await pay(await newOrder(), { outcome: 'pay' });
    await settled();
    expect(seen.length).toBe(5);
    expect(new Set(seen).size).toBe(2);
  });

  test('that is accepted slowly does not delay the payment', async () => {
    const release = Promise.withResolvers<void>();
    const { pay, newOrder, settled } = simulated({ deliver: () => release.promise });
    expect(await pay(await newOrder(), { outcome: 'pay' })).toHaveProperty('razorpay_signature');
    release.resolve();
    await settled();
  });

  test('that is never accepted is given up, and the payment stays', async () => {
    let attempts = 0;
    const { pay, newOrder, settled, call } = simulated({
      deliver: () => {
        attempts += 1;
        throw new Error('broken before it began');
      },
    });
    for (const webhook of ['normal', 'before', 'twice', 'late'] as const)
      expect(await pay(await newOrder(), { outcome: 'pay', webhook })).toHaveProperty('razorpay_signature');
    await settled();
    expect(attempts).toBe((2 + 2 + 4 + 2) * 3);
    expect(await (await call('GET', '/orders?receipt=r1')).json()).toMatchObject({ count: 4 });
  });

  test('is a snapshot of its moment: failed, then captured', async () => {
    const statuses: string[] = [];
    const { pay, newOrder, settled } = simulated({
      deliver: async ({ body }) => {
        statuses.push(`${eventName(body)} ${JSON.parse(body).payload.payment.entity.status}`);
      },
    });
    const expected = ['payment.failed failed', 'payment.captured captured', 'order.paid captured'];
    const wish = { outcome: 'pay', capture: 'after-failing' } as const;
    expect(await pay(await newOrder(), { ...wish, webhook: 'before' })).toHaveProperty('error');
    expect(statuses).toEqual(expected);
    expect(await pay(await newOrder(), wish)).toHaveProperty('error');
    await settled();
    expect(statuses).toEqual([...expected, ...expected]);
  });

  test('ends with the simulator', async () => {
    let delivered = 0;
    const { pay, newOrder, settled, stop } = simulated({
      lateMs: 60_000,
      hangMs: 60_000,
      deliver: async () => {
        delivered += 1;
      },
    });
    await pay(await newOrder(), { outcome: 'pay', webhook: 'late' });
    await pay(await newOrder(), { outcome: 'pay', capture: 'after-failing', webhook: 'never' });
    const hanging = pay(await newOrder(), { outcome: 'pay', hang: true, webhook: 'never' });
    setTimeout(stop, 20);
    expect(await hanging).toHaveProperty('error');
    await settled();
    expect(delivered).toBe(0);
  });
});

test('a payment that was captured elsewhere in the same moment is not captured after failing', async () => {
  const { pay, newOrder, settled, call } = simulated();
  const order = await newOrder();
  await pay(order, { outcome: 'pay', capture: 'after-failing' });
  await pay(order, { outcome: 'pay' });
  await settled();
  const { items } = (await (await call('GET', `/orders/${order}/payments`)).json()) as { items: { status: string }[] };
  expect(items.map(({ status }) => status)).toEqual(['failed', 'captured']);
});
