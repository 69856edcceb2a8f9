import type { Signer } from './signature.ts';
import type { Background } from './simulator-background.ts';
import { newId, orderEntity, paymentEntity, refundEntity } from './simulator-entities.ts';
import type { SimulatedOrder, SimulatedPayment, SimulatedRefund, WebhookTiming } from './simulator-store.ts';

export type WebhookDelivery = { body: string; signature: string; eventId: string };

export type SimulatedEvent = {
  name: string;
  order?: SimulatedOrder | null;
  payment: SimulatedPayment;
  refund?: SimulatedRefund;
};

export type WebhooksOptions = {
  signer: Signer;
  /** Rejects when the event was not taken; it is then sent again. */
  deliver(event: WebhookDelivery): Promise<void>;
  now(): number;
  lateMs: number;
  retryDelaysMs: readonly number[];
  background: Background;
};

/** As long as the provider waits before it calls a delivery failed. */
const DELIVERY_LIMIT_MS = 5000;

/** Sends signed snapshots of events. A failure here never affects the payment. */
export function createWebhooks(options: WebhooksOptions) {
  const { signer, background } = options;

  function written({ name, order, payment, refund }: SimulatedEvent): WebhookDelivery {
    const payload = {
      ...(refund ? { refund: { entity: refundEntity(refund) } } : {}),
      payment: { entity: paymentEntity(payment) },
      ...(order ? { order: { entity: orderEntity(order) } } : {}),
    };
    const body = JSON.stringify({
      entity: 'event',
      account_id: 'acc_TestPayments',
      event: name,
      contains: Object.keys(payload),
      payload,
      created_at: Math.floor(options.now() / 1000),
    });
    return { body, signature: signer.sign(body), eventId: newId('evt') };
  }

  async function isTaken(delivery: WebhookDelivery): Promise<boolean> {
    const limit = new AbortController();
    try {
      const refused = background.wait(DELIVERY_LIMIT_MS, limit.signal).then(() => false);
      return await Promise.race([options.deliver(delivery).then(() => true), refused]);
    } catch {
      return false;
    } finally {
      limit.abort();
    }
  }

  async function sendAgain(delivery: WebhookDelivery): Promise<void> {
    for (const delay of options.retryDelaysMs) {
      await background.wait(delay);
      if (background.stopped() || (await isTaken(delivery))) return;
    }
  }

  async function sendAll(deliveries: WebhookDelivery[]): Promise<void> {
    for (const delivery of deliveries) {
      if (background.stopped()) return;
      if (!(await isTaken(delivery))) background.run(() => sendAgain(delivery));
    }
  }

  /** Resolves when the caller may go on: after the first delivery of all when they are to come before. */
  return async function send(wish: WebhookTiming, events: SimulatedEvent[]): Promise<void> {
    if (wish === 'never') return;
    const deliveries = events.map(written);
    if (wish === 'before') return sendAll(deliveries);
    background.run(async () => {
      if (wish === 'late') await background.wait(options.lateMs);
      await sendAll(deliveries);
      // The second time in the opposite order, because the provider promises none.
      if (wish === 'twice') await sendAll(deliveries.toReversed());
    });
  };
}
