import { describe, expect, test } from 'vitest';
import type { Harness } from './harness.ts';

export function describeWebhooks(harness: Harness): void {
  const { newOrder, paid, failed } = harness;

  describe('webhooks', () => {
    async function eventsOf(orderId: string) {
      const mine = harness.under().delivered.filter(({ body }) => body.includes(orderId));
      return Promise.all(
        mine.map(({ body, signature, eventId }) =>
          harness.under().provider.readEvent(body, headersOf(signature, eventId)),
        ),
      );
    }
    const headersOf = (signature: string, eventId: string) =>
      new Headers({ 'x-razorpay-signature': signature, 'x-razorpay-event-id': eventId });
    const namesOf = async (orderId: string) => (await eventsOf(orderId)).map((event) => event?.name);

    test('tell of a payment and its order', async () => {
      const order = await newOrder();
      const { id } = await paid(order.id, { webhook: 'normal' });
      await harness.under().simulator.settled();
      const common = { id: expect.stringMatching(/^evt_/), orderId: order.id, paymentId: id, refundId: null };
      expect(await eventsOf(order.id)).toEqual([
        { ...common, name: 'payment.captured' },
        { ...common, name: 'order.paid' },
      ]);
    });

    test('arrive before the response, late, twice or never', async () => {
      const names = ['payment.captured', 'order.paid'];
      const orders = await Promise.all([newOrder(), newOrder(), newOrder(), newOrder()]);
      const [before, late, twice, never] = orders.map(({ id }) => id) as [string, string, string, string];
      await paid(before, { webhook: 'before' });
      expect(await namesOf(before)).toEqual(names);
      await paid(late, { webhook: 'late' });
      expect(await namesOf(late)).toEqual([]);
      await paid(twice, { webhook: 'twice' });
      await paid(never, { webhook: 'never' });
      await harness.under().simulator.settled();
      expect(await namesOf(late)).toEqual(names);
      expect(await namesOf(twice)).toEqual([...names, ...names.toReversed()]);
      expect(new Set((await eventsOf(twice)).map((event) => event?.id)).size).toBe(2);
      expect(await namesOf(never)).toEqual([]);
    });

    test('tell of failing, authorizing, capturing and refunding', async () => {
      const order = await newOrder(1000);
      await failed(order.id, { webhook: 'before' });
      const { id } = await paid(order.id, { webhook: 'before', capture: 'authorize-only' });
      await harness.under().provider.capture(id, 1000);
      await harness.under().simulator.settled();
      const made = await harness.under().provider.refund({
        paymentId: id,
        amountPaise: 1000,
        idempotencyKey: crypto.randomUUID(),
        reason: 'sold out',
      });
      await harness.under().simulator.settled();
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
      const event = harness.under().delivered.find(({ body }) => body.includes(order.id));
      if (!event) throw new Error('nothing was delivered');
      const read = (body: string, signature: string) =>
        harness.under().provider.readEvent(body, headersOf(signature, event.eventId));
      expect(await read(event.body, event.signature)).not.toBeNull();
      expect(await read(event.body.replace('129950', '100'), event.signature)).toBeNull();
      expect(await read(`${event.body} `, event.signature)).toBeNull();
      expect(await read(event.body, event.signature.toUpperCase())).toBeNull();
      expect(await read(event.body, event.signature.slice(2))).toBeNull();
      expect(await read(event.body, '')).toBeNull();
      expect(await harness.under().provider.readEvent(event.body, new Headers())).toBeNull();
    });
  });
}
