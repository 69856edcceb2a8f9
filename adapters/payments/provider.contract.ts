import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PaymentProvider, ProviderError } from './provider.ts';
import type { PayWish, Simulator } from './simulator.ts';
import type { WebhookDelivery } from './simulator-webhooks.ts';

/** A provider in front of a simulator that keeps what it delivers. */
export type ProviderUnderTest = {
  provider: PaymentProvider;
  simulator: Simulator;
  delivered: WebhookDelivery[];
  close(): Promise<void>;
};

export const contractKeys = { keyId: 'rzp_test_contract', keySecret: 'key-secret', webhookSecret: 'webhook-secret' };
/** Long enough for a busy machine, short enough for the few tests that wait for it. */
export const contractTimes = { timeoutMs: 1500, lateMs: 200, hangMs: 20_000, retryDelaysMs: [10, 20] };

/** What every provider promises, whatever stands between it and the one who keeps the money. */
export function describeProvider(name: string, start: () => Promise<ProviderUnderTest>): void {
  describe(name, () => {
    let under: ProviderUnderTest;
    beforeAll(async () => {
      under = await start();
    });
    afterAll(() => under.close());

    const newReceipt = () => crypto.randomUUID();
    const newOrder = (amountPaise = 129_950) => under.provider.orderFor(newReceipt(), amountPaise, { mayExist: false });

    async function paid(orderId: string, wish: Partial<PayWish> = {}): Promise<{ id: string; signature: string }> {
      const answer = await under.simulator.pay(orderId, { outcome: 'pay', ...wish });
      if ('error' in answer) throw new Error(answer.error.description);
      expect(answer.razorpay_order_id).toBe(orderId);
      return { id: answer.razorpay_payment_id, signature: answer.razorpay_signature };
    }

    async function failed(orderId: string, wish: Partial<PayWish> = {}) {
      const answer = await under.simulator.pay(orderId, { outcome: 'fail', ...wish });
      if (!('error' in answer)) throw new Error('paid');
      return answer.error;
    }

    const refusal = { name: 'ProviderError', kind: 'refused' };
    const outage = { name: 'ProviderError', kind: 'unavailable' };

    describe('an order', () => {
      test('is made for a receipt, over whole paise', async () => {
        const receipt = newReceipt();
        const order = await under.provider.orderFor(receipt, 129_951);
        expect(order).toEqual({
          id: expect.stringMatching(/^order_\w+$/),
          receipt,
          amountPaise: 129_951,
          status: 'created',
        });
      });

      test('is found again, paid or not', async () => {
        const receipt = newReceipt();
        const order = await under.provider.orderFor(receipt, 500, { mayExist: false });
        expect(await under.provider.orderFor(receipt, 500)).toEqual(order);
        await failed(order.id);
        expect(await under.provider.orderFor(receipt, 500)).toEqual({ ...order, status: 'attempted' });
        await paid(order.id);
        expect(await under.provider.orderFor(receipt, 500, { mayExist: true })).toEqual({ ...order, status: 'paid' });
      });

      test('is not changed to another amount', async () => {
        const { receipt } = await newOrder(500);
        await expect(under.provider.orderFor(receipt, 600)).rejects.toMatchObject(refusal);
      });

      test.each([0, 99, 100.5, Number.NaN, -100])('over %s paise is refused', async (amountPaise) => {
        await expect(under.provider.orderFor(newReceipt(), amountPaise)).rejects.toMatchObject(refusal);
      });

      test.each(['', 'r'.repeat(41)])('with the receipt "%s" is refused', async (receipt) => {
        await expect(under.provider.orderFor(receipt, 500)).rejects.toMatchObject(refusal);
      });

      test.each(['hang-after-commit', 'garbage-after-commit'] as const)('made with %s is found', async (fault) => {
        under.simulator.faults.next = [{ match: /POST \/orders/, fault }];
        const order = await newOrder();
        expect(await under.provider.orderFor(order.receipt, order.amountPaise)).toEqual(order);
      });

      test('not made in time can be asked for again', async () => {
        const receipt = newReceipt();
        under.simulator.faults.next = [{ match: /POST \/orders/, fault: 'timeout' }];
        await expect(under.provider.orderFor(receipt, 500)).rejects.toMatchObject(outage);
        expect(await under.provider.orderFor(receipt, 500)).toMatchObject({ receipt, status: 'created' });
      });
    });

    describe('a payment', () => {
      test('is captured over the amount of its order, with a fee', async () => {
        const order = await newOrder();
        const { id } = await paid(order.id);
        const payment = {
          id,
          orderId: order.id,
          amountPaise: 129_950,
          currency: 'INR',
          status: 'captured',
          method: 'upi',
          feePaise: 3067,
          refundedPaise: 0,
        };
        expect(await under.provider.payment(id)).toEqual(payment);
        expect(await under.provider.paymentsOf(order.id)).toEqual([payment]);
      });

      test('can fail several times before it succeeds', async () => {
        const order = await newOrder();
        const error = await failed(order.id);
        expect(error).toMatchObject({ code: 'BAD_REQUEST_ERROR', metadata: { order_id: order.id } });
        expect(await under.provider.payment(error.metadata.payment_id ?? '')).toMatchObject({ status: 'failed' });
        await failed(order.id);
        await paid(order.id);
        const statuses = (await under.provider.paymentsOf(order.id)).map(({ status }) => status);
        expect(statuses.sort()).toEqual(['captured', 'failed', 'failed']);
      });

      test('is taken once, however often and fast somebody pays', async () => {
        const order = await newOrder();
        const answers = await Promise.all(
          Array.from({ length: 10 }, () => under.simulator.pay(order.id, { outcome: 'pay' })),
        );
        const refused = answers.filter((answer) => 'error' in answer);
        expect(refused.map(({ error }) => error.description)).toEqual(Array(9).fill('Order already paid'));
        expect(await under.provider.paymentsOf(order.id)).toHaveLength(1);
        expect((await failed(order.id)).description).toBe('Order already paid');
      });

      test('is signed for its own order only', async () => {
        const [order, other] = [await newOrder(), await newOrder()];
        const { id, signature } = await paid(order.id);
        const isSigned = under.provider.isPaymentSigned;
        expect(await isSigned(order.id, id, signature)).toBe(true);
        expect(await isSigned(other.id, id, signature)).toBe(false);
        expect(await isSigned(order.id, 'pay_other', signature)).toBe(false);
        expect(await isSigned(order.id, id, signature.toUpperCase())).toBe(false);
        expect(await isSigned(order.id, id, '')).toBe(false);
      });

      test('that hangs is made all the same', async () => {
        const order = await newOrder();
        const answer = await under.simulator.pay(order.id, { outcome: 'pay', hang: true }, AbortSignal.timeout(50));
        expect(answer).toMatchObject({ error: { code: 'GATEWAY_ERROR' } });
        expect(await under.provider.paymentsOf(order.id)).toMatchObject([{ status: 'captured' }]);
      });

      test('that failed may be captured later', async () => {
        const order = await newOrder();
        const error = await failed(order.id, { outcome: 'pay', capture: 'after-failing', webhook: 'never' });
        await under.simulator.settled();
        expect(await under.provider.paymentsOf(order.id)).toMatchObject([
          { id: error.metadata.payment_id, status: 'captured' },
        ]);
      });

      test('nobody made is null, or refused', async () => {
        for (const id of ['pay_unknown', '', '../orders', 'pay_1?x=1', 'p'.repeat(41)]) {
          expect(await under.provider.payment(id)).toBeNull();
          expect(await under.provider.refundById(id)).toBeNull();
          expect(await under.provider.isPaymentSigned(id, id, 'a'.repeat(64))).toBe(false);
          await expect(under.provider.paymentsOf(id)).rejects.toMatchObject(refusal);
          await expect(under.provider.capture(id, 500)).rejects.toMatchObject(refusal);
        }
        expect(await under.simulator.pay('order_unknown', { outcome: 'pay' })).toHaveProperty('error');
      });
    });

    describe('an authorized payment', () => {
      test('is captured over exactly its amount', async () => {
        const order = await newOrder(500);
        const { id } = await paid(order.id, { capture: 'authorize-only' });
        expect(await under.provider.payment(id)).toMatchObject({ status: 'authorized', feePaise: null });
        await expect(under.provider.capture(id, 499)).rejects.toMatchObject(refusal);
        await expect(under.provider.capture(id, 501)).rejects.toMatchObject(refusal);
        expect(await under.provider.capture(id, 500)).toMatchObject({ id, status: 'captured', amountPaise: 500 });
      });

      test('captured again, or by ten at once, is answered as captured', async () => {
        const order = await newOrder(500);
        const { id } = await paid(order.id, { capture: 'authorize-only' });
        const captures = await Promise.all(Array.from({ length: 10 }, () => under.provider.capture(id, 500)));
        expect(captures.map(({ status }) => status)).toEqual(Array(10).fill('captured'));
        await expect(under.provider.capture(id, 499)).rejects.toMatchObject(refusal);
      });

      test('is not captured beside another one of the same order', async () => {
        const order = await newOrder(500);
        const { id } = await paid(order.id, { capture: 'authorize-only' });
        await paid(order.id);
        await expect(under.provider.capture(id, 500)).rejects.toMatchObject(refusal);
      });

      test('that failed is not captured', async () => {
        const order = await newOrder(500);
        const { metadata } = await failed(order.id);
        await expect(under.provider.capture(metadata.payment_id ?? '', 500)).rejects.toMatchObject(refusal);
      });
    });

    describe('a refund', () => {
      const newKey = (): string => crypto.randomUUID();
      const refund = (paymentId: string, amountPaise: number, idempotencyKey = newKey()) =>
        under.provider.refund({ paymentId, amountPaise, idempotencyKey, reason: 'sold out' });

      test('gives back a part, then the rest, and no more', async () => {
        const order = await newOrder(1000);
        const { id } = await paid(order.id);
        const part = await refund(id, 300);
        expect(part).toEqual({
          id: expect.stringMatching(/^rfnd_/),
          paymentId: id,
          amountPaise: 300,
          status: 'processed',
        });
        expect(await under.provider.refundById(part.id)).toEqual(part);
        expect(await under.provider.payment(id)).toMatchObject({ status: 'captured', refundedPaise: 300 });
        await expect(refund(id, 701)).rejects.toMatchObject(refusal);
        await refund(id, 700);
        expect(await under.provider.payment(id)).toMatchObject({ status: 'refunded', refundedPaise: 1000 });
        await expect(refund(id, 1)).rejects.toMatchObject(refusal);
        expect(await under.provider.orderFor(order.receipt, 1000)).toMatchObject({ status: 'paid' });
      });

      test('with the same key is the same, even at once', async () => {
        const { id } = await paid((await newOrder(1000)).id);
        const key = newKey();
        const refunds = await Promise.all(Array.from({ length: 10 }, () => refund(id, 300, key)));
        expect(new Set(refunds.map((made) => made.id)).size).toBe(1);
        expect(await under.provider.payment(id)).toMatchObject({ refundedPaise: 300 });
      });

      test('with the same key and another amount conflicts', async () => {
        const { id } = await paid((await newOrder(1000)).id);
        const key = newKey();
        await refund(id, 300, key);
        await expect(refund(id, 400, key)).rejects.toMatchObject({ name: 'ProviderError', status: 409 });
        expect(await under.provider.payment(id)).toMatchObject({ refundedPaise: 300 });
      });

      test('never gives back more than was paid, however many come at once', async () => {
        const { id } = await paid((await newOrder(1000)).id);
        const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => refund(id, 300)));
        expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
        expect(await under.provider.payment(id)).toMatchObject({ refundedPaise: 900 });
      });

      test('whose answer never came is found with its key', async () => {
        const { id } = await paid((await newOrder(1000)).id);
        const key = newKey();
        under.simulator.faults.next = [{ match: /POST .*\/refund/, fault: 'hang-after-commit' }];
        await expect(refund(id, 1000, key)).rejects.toMatchObject(outage);
        expect(await refund(id, 1000, key)).toMatchObject({ amountPaise: 1000, status: 'processed' });
        expect(await under.provider.payment(id)).toMatchObject({ refundedPaise: 1000 });
      });

      test('that fails is pending first, and takes nothing', async () => {
        const { id } = await paid((await newOrder(1000)).id, { refundFails: true });
        const made = await refund(id, 1000);
        expect(made.status).toBe('pending');
        expect(await under.provider.refundById(made.id)).toEqual({ ...made, status: 'failed' });
        expect(await under.provider.payment(id)).toMatchObject({ status: 'captured', refundedPaise: 0 });
      });

      test('needs a captured payment, an amount and a key', async () => {
        const order = await newOrder(1000);
        const { id } = await paid(order.id, { capture: 'authorize-only' });
        await expect(refund(id, 1000)).rejects.toMatchObject(refusal);
        await expect(refund('pay_unknown', 1000)).rejects.toMatchObject(refusal);
        await expect(refund('../orders', 1000)).rejects.toMatchObject(refusal);
        await under.provider.capture(id, 1000);
        for (const amount of [0, -1, 0.5, Number.NaN]) await expect(refund(id, amount)).rejects.toMatchObject(refusal);
        for (const key of ['', 'short', 'with spaces in it', 'line\nbreak-here'])
          await expect(refund(id, 1000, key)).rejects.toMatchObject(refusal);
      });
    });

    describe('trouble', () => {
      test.each([
        ['429', 429],
        ['409', 409],
        ['500', 500],
        ['garbage', 200],
      ] as const)('%s is an outage for every question', async (fault, status) => {
        const { id } = await paid((await newOrder(1000)).id);
        const { provider } = under;
        const idempotencyKey = crypto.randomUUID();
        const questions = [
          () => provider.orderFor(newReceipt(), 500),
          () => provider.orderFor(newReceipt(), 500, { mayExist: false }),
          () => provider.payment(id),
          () => provider.paymentsOf('order_any'),
          () => provider.capture(id, 1000),
          () => provider.refund({ paymentId: id, amountPaise: 1000, idempotencyKey, reason: 'trouble' }),
          () => provider.refundById('rfnd_any'),
        ];
        for (const question of questions) {
          under.simulator.faults.next = [{ match: /./, fault }];
          const error = await question().catch((thrown: unknown) => thrown);
          expect(error).toBeInstanceOf(ProviderError);
          expect(error).toMatchObject({ ...outage, status });
        }
        expect(await provider.payment(id)).toMatchObject({ refundedPaise: 0 });
      });
    });

    describe('webhooks', () => {
      async function eventsOf(orderId: string) {
        const mine = under.delivered.filter(({ body }) => body.includes(orderId));
        return Promise.all(
          mine.map(({ body, signature, eventId }) => under.provider.readEvent(body, headersOf(signature, eventId))),
        );
      }
      const headersOf = (signature: string, eventId: string) =>
        new Headers({ 'x-razorpay-signature': signature, 'x-razorpay-event-id': eventId });
      const namesOf = async (orderId: string) => (await eventsOf(orderId)).map((event) => event?.name);

      test('tell of a payment and its order', async () => {
        const order = await newOrder();
        const { id } = await paid(order.id, { webhook: 'normal' });
        await under.simulator.settled();
        const common = { id: expect.stringMatching(/^evt_/), orderId: order.id, paymentId: id, refundId: null };
        expect(await eventsOf(order.id)).toEqual([
          { ...common, name: 'payment.captured' },
          { ...common, name: 'order.paid' },
        ]);
      });

      test('come before the answer, late, twice or never', async () => {
        const names = ['payment.captured', 'order.paid'];
        const orders = await Promise.all([newOrder(), newOrder(), newOrder(), newOrder()]);
        const [before, late, twice, never] = orders.map(({ id }) => id) as [string, string, string, string];
        await paid(before, { webhook: 'before' });
        expect(await namesOf(before)).toEqual(names);
        await paid(late, { webhook: 'late' });
        expect(await namesOf(late)).toEqual([]);
        await paid(twice, { webhook: 'twice' });
        await paid(never, { webhook: 'never' });
        await under.simulator.settled();
        expect(await namesOf(late)).toEqual(names);
        expect(await namesOf(twice)).toEqual([...names, ...names.toReversed()]);
        expect(new Set((await eventsOf(twice)).map((event) => event?.id)).size).toBe(2);
        expect(await namesOf(never)).toEqual([]);
      });

      test('tell of failing, authorizing, capturing and refunding', async () => {
        const order = await newOrder(1000);
        await failed(order.id, { webhook: 'before' });
        const { id } = await paid(order.id, { webhook: 'before', capture: 'authorize-only' });
        await under.provider.capture(id, 1000);
        await under.simulator.settled();
        const made = await under.provider.refund({
          paymentId: id,
          amountPaise: 1000,
          idempotencyKey: crypto.randomUUID(),
          reason: 'sold out',
        });
        await under.simulator.settled();
        expect(await namesOf(order.id)).toEqual([
          'payment.failed',
          'payment.authorized',
          'payment.captured',
          'order.paid',
          'refund.created',
          'refund.processed',
        ]);
        expect((await eventsOf(order.id)).at(-1)).toMatchObject({ paymentId: id, refundId: made.id });
      });

      test('count only with our signature over exactly their body', async () => {
        const order = await newOrder();
        await paid(order.id, { webhook: 'before' });
        const event = under.delivered.find(({ body }) => body.includes(order.id));
        if (!event) throw new Error('nothing was delivered');
        const read = (body: string, signature: string) =>
          under.provider.readEvent(body, headersOf(signature, event.eventId));
        expect(await read(event.body, event.signature)).not.toBeNull();
        expect(await read(event.body.replace('129950', '100'), event.signature)).toBeNull();
        expect(await read(`${event.body} `, event.signature)).toBeNull();
        expect(await read(event.body, event.signature.toUpperCase())).toBeNull();
        expect(await read(event.body, event.signature.slice(2))).toBeNull();
        expect(await read(event.body, '')).toBeNull();
        expect(await under.provider.readEvent(event.body, new Headers())).toBeNull();
      });
    });
  });
}
