import { type PaymentProvider, ProviderError, type ProviderOrder, type ProviderPayment } from './provider.ts';
import {
  eventFrom,
  OrderAnswer,
  OrderListAnswer,
  orderFrom,
  PaymentAnswer,
  PaymentListAnswer,
  ProviderId,
  paymentFrom,
  RefundAnswer,
  refundFrom,
} from './razorpay-answers.ts';
import { createRazorpayApi, type ProviderFetch } from './razorpay-api.ts';
import { createSigner, paymentText, sha256 } from './signature.ts';

export type RazorpayOptions = {
  keyId: string;
  keySecret: string;
  webhookSecret: string;
  kind?: PaymentProvider['kind'];
  baseUrl?: string;
  fetch?: ProviderFetch;
  timeoutMs?: number;
};

const MINUTES_TO_CAPTURE_BY_ITSELF = 20;
const MINUTES_TO_CAPTURE_BY_HAND = 5 * 24 * 60;

export function createRazorpay(options: RazorpayOptions): PaymentProvider {
  const { keyId, keySecret, webhookSecret } = options;
  requireKeys({ keyId, keySecret, webhookSecret });
  const ask = createRazorpayApi({
    keyId,
    keySecret,
    baseUrl: options.baseUrl ?? 'https://api.razorpay.com/v1',
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    timeoutMs: options.timeoutMs ?? 8000,
  });
  const payments = createSigner(keySecret);
  const webhooks = createSigner(webhookSecret);

  async function makeOrder(receipt: string, amountPaise: number): Promise<ProviderOrder> {
    const body = {
      amount: amountPaise,
      currency: 'INR',
      receipt,
      payment: {
        capture: 'automatic',
        capture_options: {
          automatic_expiry_period: MINUTES_TO_CAPTURE_BY_ITSELF,
          manual_expiry_period: MINUTES_TO_CAPTURE_BY_HAND,
          refund_speed: 'normal',
        },
      },
    };
    const isAbout = (order: OrderAnswer) => order.receipt === receipt && order.amount === amountPaise;
    return orderFrom(await ask({ method: 'POST', path: '/orders', body }, OrderAnswer, isAbout));
  }

  /** The provider does not keep receipts unique: of several orders the paid one counts, else the first. */
  async function findOrder(receipt: string, amountPaise: number): Promise<ProviderOrder | null> {
    const path = `/orders?receipt=${encodeURIComponent(receipt)}`;
    const { items } = await ask({ method: 'GET', path }, OrderListAnswer, () => true);
    const [found] = items
      .filter((order) => order.receipt === receipt)
      .sort((a, b) => Number(b.status === 'paid') - Number(a.status === 'paid') || a.created_at - b.created_at);
    if (!found) return null;
    if (found.amount !== amountPaise)
      throw new ProviderError('refused', 'This receipt has an order over another amount.', { code: 'other_amount' });
    return orderFrom(found);
  }

  async function payment(id: string): Promise<ProviderPayment | null> {
    const call = { method: 'GET', path: `/payments/${id}` } as const;
    const answer = await orNull(id, () => ask(call, PaymentAnswer, (found) => found.id === id));
    return answer && paymentFrom(answer);
  }

  return {
    kind: options.kind ?? 'razorpay',
    keyId,
    payment,

    async orderFor(receipt, amountPaise, { mayExist } = { mayExist: true }) {
      if (!/^[\x20-\x7e]{1,40}$/.test(receipt)) throw notAsked('a receipt');
      requireAmount(amountPaise);
      const there = mayExist ? await findOrder(receipt, amountPaise) : null;
      if (there) return there;
      try {
        return await makeOrder(receipt, amountPaise);
      } catch (error) {
        const made = mayHaveWorked(error) ? await findOrder(receipt, amountPaise).catch(() => null) : null;
        if (made) return made;
        throw error;
      }
    },

    async paymentsOf(orderId) {
      requireId(orderId);
      const path = `/orders/${orderId}/payments`;
      const { items } = await ask({ method: 'GET', path }, PaymentListAnswer, (list) =>
        list.items.every((payment) => payment.order_id === orderId),
      );
      return items.map(paymentFrom).filter((found) => found !== null);
    },

    async capture(paymentId, amountPaise) {
      requireId(paymentId);
      requireAmount(amountPaise);
      try {
        const body = { amount: amountPaise, currency: 'INR' };
        const captured = await ask(
          { method: 'POST', path: `/payments/${paymentId}/capture`, body },
          PaymentAnswer,
          (answer) => answer.id === paymentId,
        );
        const result = paymentFrom(captured);
        if (result) return result;
        throw new ProviderError('refused', 'This payment belongs to no order.', { code: 'no_order' });
      } catch (error) {
        if (!(error instanceof ProviderError) || error.kind !== 'refused') throw error;
        const current = await payment(paymentId);
        if (current?.status === 'captured' && current.amountPaise === amountPaise) return current;
        throw error;
      }
    },

    async refund({ paymentId, amountPaise, idempotencyKey, reason }) {
      requireId(paymentId);
      requireAmount(amountPaise);
      if (!/^[A-Za-z0-9_-]{10,100}$/.test(idempotencyKey)) throw notAsked('an idempotency key');
      const answer = await ask(
        {
          method: 'POST',
          path: `/payments/${paymentId}/refund`,
          body: { amount: amountPaise, speed: 'normal', notes: { reason: reason.slice(0, 256) } },
          headers: { 'x-refund-idempotency': idempotencyKey },
        },
        RefundAnswer,
        (refund) => refund.payment_id === paymentId && refund.amount === amountPaise,
      );
      return refundFrom(answer);
    },

    async refundById(id) {
      const call = { method: 'GET', path: `/refunds/${id}` } as const;
      const answer = await orNull(id, () => ask(call, RefundAnswer, (found) => found.id === id));
      return answer && refundFrom(answer);
    },

    async isPaymentSigned(orderId, paymentId, signature) {
      if (!isId(orderId) || !isId(paymentId)) return false;
      return payments.isSigned(paymentText(orderId, paymentId), signature);
    },

    async readEvent(rawBody, headers) {
      if (!webhooks.isSigned(rawBody, headers.get('x-razorpay-signature') ?? '')) return null;
      const event = eventFrom(rawBody);
      if (!event) return null;
      const id = headers.get('x-razorpay-event-id') ?? '';
      return { id: /^[\w-]{1,100}$/.test(id) ? id : `sha256_${sha256(rawBody)}`, ...event };
    },
  };
}

/** The owner thinks up the webhook secret, so it may be any text; the keys have to fit into a Basic header. */
function requireKeys({ keyId, keySecret, webhookSecret }: Record<'keyId' | 'keySecret' | 'webhookSecret', string>) {
  if (!/^[\w-]+$/.test(keyId)) throw new Error('Payments need a keyId of letters and digits.');
  if (!/^[\x21-\x7e]+$/.test(keySecret)) throw new Error('Payments need a keySecret of printable characters.');
  if (webhookSecret.trim() === '') throw new Error('Payments need a webhookSecret.');
}

async function orNull<T>(id: string, ask: () => Promise<T>): Promise<T | null> {
  if (!isId(id)) return null;
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ProviderError && saysUnknown(error)) return null;
    throw error;
  }
}

/** The provider answers 400 for an id it does not know, and tells so only in words. */
function saysUnknown(error: ProviderError): boolean {
  return error.status === 404 || (error.status === 400 && /does not exist/i.test(error.message));
}

/** Of a request without an understandable answer nobody knows whether it was carried out. */
function mayHaveWorked(error: unknown): boolean {
  return error instanceof ProviderError && error.kind === 'unavailable' && ![401, 429].includes(error.status ?? 0);
}

function isId(id: string): boolean {
  return ProviderId.safeParse(id).success;
}

function requireId(id: string): void {
  if (!isId(id)) throw notAsked('an id');
}

function requireAmount(amountPaise: number): void {
  if (!Number.isSafeInteger(amountPaise) || amountPaise <= 0) throw notAsked('an amount in whole paise');
}

function notAsked(what: string): ProviderError {
  return new ProviderError('refused', `That is not ${what}; the provider was not asked.`, { code: 'not_asked' });
}
