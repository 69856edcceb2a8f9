import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  badRequest,
  type CannedResponse,
  collection,
  order,
  payment,
  refund,
} from './contract/documented-responses.ts';
import { createRazorpay, type RazorpayOptions } from './razorpay.ts';

const keys = { keyId: 'rzp_test_1DP5mmOlF5G5ag', keySecret: 'thesecret', webhookSecret: 'hooksecret' };

type Seen = { method: string; path: string; headers: IncomingHttpHeaders; body: unknown };

const responses = new Map<string, CannedResponse>();
const seen: Seen[] = [];
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const { method = '', url: path = '', headers } = request;
  seen.push({ method, path, headers, body: text && JSON.parse(text) });
  const canned = responses.get(`${method} ${path}`) ?? { status: 404, body: '' };
  setTimeout(() => {
    response.writeHead(canned.status ?? 200, canned.headers);
    response.end(typeof canned.body === 'string' ? canned.body : JSON.stringify(canned.body));
  }, canned.afterMs ?? 0);
});
let baseUrl: string;

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  responses.clear();
  seen.length = 0;
});

const provider = (options: Partial<RazorpayOptions> = {}) => createRazorpay({ ...keys, baseUrl, ...options });

describe('a request', () => {
  test('for a new order has the documented fields and the Basic header', async () => {
    responses.set('POST /v1/orders', { body: order });
    expect(await provider().orderFor('receipt-1', 50_000, { mayExist: false })).toEqual({
      id: order.id,
      receipt: 'receipt-1',
      amountPaise: 50_000,
      status: 'created',
    });
    expect(seen).toHaveLength(1);
    expect(seen[0]?.headers.authorization).toBe('Basic cnpwX3Rlc3RfMURQNW1tT2xGNUc1YWc6dGhlc2VjcmV0');
    expect(seen[0]?.headers['content-type']).toBe('application/json');
    expect(seen[0]?.body).toEqual({
      amount: 50_000,
      currency: 'INR',
      receipt: 'receipt-1',
      payment: {
        capture: 'automatic',
        capture_options: { automatic_expiry_period: 20, manual_expiry_period: 7200, refund_speed: 'normal' },
      },
    });
  });

  test('for an order that may exist looks it up by receipt first, and takes the paid one, else the first', async () => {
    const receipt = 'receipt 1&';
    const first = { ...order, receipt };
    const later = { ...first, id: 'order_later', created_at: order.created_at + 1 };
    const found = () => provider().orderFor(receipt, 50_000);
    responses.set('GET /v1/orders?receipt=receipt%201%26', collection(later, first));
    expect(await found()).toMatchObject({ id: first.id });
    responses.set('GET /v1/orders?receipt=receipt%201%26', collection({ ...later, status: 'paid' }, first));
    expect(await found()).toMatchObject({ id: 'order_later', status: 'paid' });
    expect(seen.map(({ method }) => method)).toEqual(['GET', 'GET']);
  });

  test('that returns orders of other receipts creates a new one', async () => {
    responses.set(
      'GET /v1/orders?receipt=receipt-1',
      collection({ ...order, id: 'order_other', receipt: 'receipt-2' }),
    );
    responses.set('POST /v1/orders', { body: order });
    expect(await provider().orderFor('receipt-1', 50_000)).toMatchObject({ id: order.id });
  });

  test('for a refund carries its idempotency key', async () => {
    responses.set(`POST /v1/payments/${payment.id}/refund`, { body: refund });
    const request = { paymentId: payment.id, amountPaise: 50_000, idempotencyKey: 'refund-0001', reason: 'sold out' };
    expect(await provider().refund(request)).toEqual({
      id: refund.id,
      paymentId: payment.id,
      amountPaise: 50_000,
      status: 'processed',
      bankReference: '74332745213000012345678',
    });
    expect(seen[0]?.headers['x-refund-idempotency']).toBe('refund-0001');
    expect(seen[0]?.body).toEqual({ amount: 50_000, speed: 'normal', notes: { reason: 'sold out' } });
  });

  test('for a capture names amount and currency', async () => {
    responses.set(`POST /v1/payments/${payment.id}/capture`, { body: payment });
    expect(await provider().capture(payment.id, 50_000)).toMatchObject({ status: 'captured', feePaise: 1180 });
    expect(seen[0]?.body).toEqual({ amount: 50_000, currency: 'INR' });
  });
});

describe('an response', () => {
  const payments = () => responses.set(`GET /v1/payments/${payment.id}`, { body: payment });

  test('is read as documented', async () => {
    payments();
    responses.set(`GET /v1/orders/${order.id}/payments`, collection(payment));
    const expected = {
      id: payment.id,
      orderId: order.id,
      amountPaise: 50_000,
      currency: 'INR',
      status: 'captured',
      method: 'card',
      feePaise: 1180,
      refundedPaise: 0,
    };
    expect(await provider().payment(payment.id)).toEqual(expected);
    expect(await provider().paymentsOf(order.id)).toEqual([expected]);
  });

  test.each([
    ['another payment', { id: 'pay_other' }],
    ['rupees with paise', { amount: 500.5 }],
    ['an amount as text', { amount: '50000' }],
    ['a negative amount', { amount: -1 }],
    ['an unknown status', { status: 'stolen' }],
    ['a path for an order', { order_id: '../refunds' }],
  ])('with %s is not believed', async (_, lie) => {
    responses.set(`GET /v1/payments/${payment.id}`, { body: { ...payment, ...lie } });
    await expect(provider().payment(payment.id)).rejects.toMatchObject({ kind: 'unavailable', status: 200 });
  });

  test.each([
    ['another receipt', { receipt: 'receipt-2' }],
    ['another amount', { amount: 49_999 }],
    ['another currency', { currency: 'USD' }],
  ])('to a new order with %s is not believed', async (_, lie) => {
    responses.set('POST /v1/orders', { body: { ...order, ...lie } });
    responses.set('GET /v1/orders?receipt=receipt-1', collection());
    await expect(provider().orderFor('receipt-1', 50_000, { mayExist: false })).rejects.toMatchObject({
      kind: 'unavailable',
    });
  });

  test.each([
    [{ arn: null, rrn: '432109876543' }, '432109876543'],
    [{ utr: 'HDFCR52026111800012345' }, 'HDFCR52026111800012345'],
    [{ arn: '<b>not a number</b>' }, null],
    [{}, null],
    [null, null],
    ['nonsense', null],
    [undefined, null],
  ])('for a refund with the bank data %j has the reference %j', async (acquirer_data, bankReference) => {
    responses.set(`GET /v1/refunds/${refund.id}`, { body: { ...refund, acquirer_data } });
    expect(await provider().refundById(refund.id)).toMatchObject({ status: 'processed', bankReference });
  });

  test('about another refund is not accepted', async () => {
    responses.set(`POST /v1/payments/${payment.id}/refund`, { body: { ...refund, amount: 1 } });
    responses.set(`GET /v1/refunds/${refund.id}`, { body: { ...refund, id: 'rfnd_other' } });
    const request = { paymentId: payment.id, amountPaise: 50_000, idempotencyKey: 'refund-0001', reason: '' };
    await expect(provider().refund(request)).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(provider().refundById(refund.id)).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test('about a payment without an order is no payment of ours', async () => {
    responses.set(`GET /v1/payments/${payment.id}`, { body: { ...payment, order_id: null } });
    expect(await provider().payment(payment.id)).toBeNull();
  });

  test('that the id does not exist is null', async () => {
    responses.set(`GET /v1/payments/${payment.id}`, badRequest('The id provided does not exist'));
    expect(await provider().payment(payment.id)).toBeNull();
  });
});

describe('a failure', () => {
  test('with an error body is refused, with its code and words', async () => {
    responses.set('POST /v1/orders', badRequest('Order amount less than minimum amount allowed'));
    await expect(provider().orderFor('receipt-1', 50, { mayExist: false })).rejects.toMatchObject({
      name: 'ProviderError',
      kind: 'refused',
      status: 400,
      code: 'BAD_REQUEST_ERROR',
      message: 'Order amount less than minimum amount allowed',
    });
    expect(seen).toHaveLength(1);
  });

  test('429 is an outage, and nothing is retried', async () => {
    responses.set('POST /v1/orders', { status: 429, headers: { 'retry-after': '1' }, body: { error: {} } });
    await expect(provider().orderFor('receipt-1', 50_000, { mayExist: false })).rejects.toMatchObject({
      kind: 'unavailable',
      status: 429,
    });
    expect(seen).toHaveLength(1);
  });

  test.each([401, 408, 409, 429, 500, 502, 503])('%s may pass, so it is an outage', async (status) => {
    responses.set(`GET /v1/payments/${payment.id}`, { status, body: { error: { code: 'SERVER_ERROR' } } });
    await expect(provider().payment(payment.id)).rejects.toMatchObject({ kind: 'unavailable', status });
  });

  test('an HTML page is an outage, whatever its status', async () => {
    for (const status of [200, 502]) {
      responses.set(`GET /v1/payments/${payment.id}`, { status, body: '<html>Bad Gateway</html>' });
      await expect(provider().payment(payment.id)).rejects.toMatchObject({ kind: 'unavailable', status });
    }
  });

  test('a redirect is not followed', async () => {
    responses.set(`GET /v1/payments/${payment.id}`, { status: 302, headers: { location: '/v1/else' }, body: '' });
    await expect(provider().payment(payment.id)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(seen).toHaveLength(1);
  });

  test('a refused connection is an outage', async () => {
    const closed = provider({ baseUrl: 'http://127.0.0.1:1/v1' });
    await expect(closed.payment(payment.id)).rejects.toMatchObject({ kind: 'unavailable', status: null });
  });

  test('a slow response to a new order is looked up by its receipt', async () => {
    responses.set('POST /v1/orders', { body: order, afterMs: 5000 });
    responses.set('GET /v1/orders?receipt=receipt-1', collection(order));
    expect(await provider({ timeoutMs: 500 }).orderFor('receipt-1', 50_000, { mayExist: false })).toMatchObject({
      id: order.id,
    });
    expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/orders',
      'GET /v1/orders?receipt=receipt-1',
    ]);
  });

  test('a slow response without an order behind it stays an outage', async () => {
    responses.set('POST /v1/orders', { body: order, afterMs: 5000 });
    responses.set('GET /v1/orders?receipt=receipt-1', collection());
    await expect(provider({ timeoutMs: 500 }).orderFor('receipt-1', 50_000, { mayExist: false })).rejects.toMatchObject(
      { kind: 'unavailable', status: null },
    );
  });
});

test.each(['keyId', 'keySecret', 'webhookSecret'])('does not start with an empty %s', (name) => {
  for (const value of ['', ' ', '\n']) expect(() => provider({ [name]: value })).toThrow(name);
});
