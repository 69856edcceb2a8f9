import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createRazorpay } from './razorpay.ts';

// The provider's own example.
const orderId = 'order_IEIaMR65cu6nz3';
const paymentId = 'pay_IH4NVgf4Dreq1l';
const signature = '0d4e745a1838664ad6c9c9902212a32d627d68e917290b0ad5f08ff4561bc50f';

const webhookSecret = 'webhook-secret';
const unasked = async () => {
  throw new Error('Signatures are checked without the network.');
};
const provider = createRazorpay({
  keyId: 'rzp_test_example',
  keySecret: 'EnLs21M47BllR3X8PSFtjtbd',
  webhookSecret,
  fetch: unasked,
});

describe('the signature of a payment', () => {
  test('is the one the provider documents', async () => {
    expect(await provider.isPaymentSigned(orderId, paymentId, signature)).toBe(true);
  });

  test.each([
    ['empty', ''],
    ['upper case', signature.toUpperCase()],
    ['too short', signature.slice(1)],
    ['too long', `${signature}0`],
    ['with a space', `${signature} `],
    ['with a line break', `${signature}\n`],
    ['one bit off', `1${signature.slice(1)}`],
    ['not hex', 'z'.repeat(64)],
    ['all zeros', '0'.repeat(64)],
  ])('is refused when %s', async (_, forged) => {
    expect(await provider.isPaymentSigned(orderId, paymentId, forged)).toBe(false);
  });

  test('is refused for another order or payment, and when the border between the two is moved', async () => {
    expect(await provider.isPaymentSigned('order_other', paymentId, signature)).toBe(false);
    expect(await provider.isPaymentSigned(orderId, 'pay_other', signature)).toBe(false);
    expect(await provider.isPaymentSigned(`${orderId}|${paymentId}`, '', signature)).toBe(false);
    const moved = createHmac('sha256', 'EnLs21M47BllR3X8PSFtjtbd').update(`${orderId}|a|b`).digest('hex');
    expect(await provider.isPaymentSigned(orderId, 'a|b', moved)).toBe(false);
    expect(await provider.isPaymentSigned(`${orderId}|a`, 'b', moved)).toBe(false);
  });

  test('is refused when made with the webhook secret', async () => {
    const other = createHmac('sha256', webhookSecret).update(`${orderId}|${paymentId}`).digest('hex');
    expect(await provider.isPaymentSigned(orderId, paymentId, other)).toBe(false);
  });
});

describe('a webhook', () => {
  const event = {
    entity: 'event',
    account_id: 'acc_1',
    event: 'refund.processed',
    contains: ['refund', 'payment'],
    payload: {
      refund: { entity: { id: 'rfnd_1', payment_id: paymentId, amount: 100, notes: [] } },
      payment: { entity: { id: paymentId, order_id: orderId, amount: 100, notes: { name: 'Ãsha ₹' } } },
    },
    created_at: 1_795_000_000,
  };
  const read = (body: string, headers: Record<string, string> = {}, secret = webhookSecret) =>
    provider.readEvent(
      body,
      new Headers({ 'X-Razorpay-Signature': createHmac('sha256', secret).update(body).digest('hex'), ...headers }),
    );

  test('tells what it is about', async () => {
    expect(await read(JSON.stringify(event), { 'x-razorpay-event-id': 'evt_1' })).toEqual({
      id: 'evt_1',
      name: 'refund.processed',
      orderId,
      paymentId,
      refundId: 'rfnd_1',
    });
  });

  test.each(['\u0000', '', 'payment captured', 'x'.repeat(101)])('named %j is none', async (name) => {
    expect(await read(JSON.stringify({ ...event, event: name }))).toBeNull();
  });

  test('without an id gets one from its body, the same for the same body', async () => {
    const [first, again, other] = await Promise.all([
      read(JSON.stringify(event)),
      read(JSON.stringify(event), { 'x-razorpay-event-id': "'; drop table" }),
      read(JSON.stringify({ ...event, created_at: 1 })),
    ]);
    expect(first?.id).toMatch(/^sha256_[0-9a-f]{64}$/);
    expect(again?.id).toBe(first?.id);
    expect(other?.id).not.toBe(first?.id);
  });

  test('about things we do not know has no ids', async () => {
    const settlement = { event: 'settlement.processed', payload: { settlement: { entity: { id: 'setl_1' } } } };
    expect(await read(JSON.stringify(settlement))).toMatchObject({ orderId: null, paymentId: null, refundId: null });
    const odd = { event: 'payment.captured', payload: { payment: { entity: { id: '../x', order_id: 7 } } } };
    expect(await read(JSON.stringify(odd))).toMatchObject({ orderId: null, paymentId: null });
  });

  test('signed with another secret, or changed on its way, is nothing', async () => {
    expect(await read(JSON.stringify(event), {}, 'EnLs21M47BllR3X8PSFtjtbd')).toBeNull();
    const signed = createHmac('sha256', webhookSecret).update(JSON.stringify(event)).digest('hex');
    const changed = JSON.stringify({ ...event, event: 'payment.captured' });
    expect(await read(changed, { 'X-Razorpay-Signature': signed })).toBeNull();
  });

  test.each(['', 'null', '[]', '"text"', '{}', '{"event":1,"payload":{}}', '{"event":"a"}', '<html>'])(
    'that says %j is nothing, though signed',
    async (body) => {
      expect(await read(body)).toBeNull();
    },
  );
});
