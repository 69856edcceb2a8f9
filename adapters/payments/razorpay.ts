import { type PaymentProvider, ProviderError, type ProviderOrder, type ProviderPayment } from './provider.ts';
import { createRazorpayApi, type ProviderFetch } from './razorpay-api.ts';
import {
  OrderListResponse,
  OrderResponse,
  PaymentListResponse,
  PaymentResponse,
  ProviderId,
  parseEvent,
  parseOrder,
  parsePayment,
  parseRefund,
  RefundResponse,
} from './razorpay-responses.ts';
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
  const request = createRazorpayApi({
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
    const isAbout = (order: OrderResponse) => order.receipt === receipt && order.amount === amountPaise;
    return parseOrder(await request({ method: 'POST', path: '/orders', body }, OrderResponse, isAbout));
  }

  /** The provider does not keep receipts unique: of several orders the paid one counts, else the first. */
  async function findOrder(receipt: string, amountPaise: number): Promise<ProviderOrder | null> {
    const path = `/orders?receipt=${encodeURIComponent(receipt)}`;
    const { items } = await request({ method: 'GET', path }, OrderListResponse, () => true);
    const [found] = items
      .filter((order) => order.receipt === receipt)
      .sort((a, b) => Number(b.status === 'paid') - Number(a.status === 'paid') || a.created_at - b.created_at);
    if (!found) return null;
    if (found.amount !== amountPaise)
      throw new ProviderError('refused', 'This receipt has an order over another amount.', { code: 'other_amount' });
    return parseOrder(found);
  }

  async function payment(id: string): Promise<ProviderPayment | null> {
    const call = { method: 'GET', path: `/payments/${id}` } as const;
    const response = await orNull(id, () => request(call, PaymentResponse, (found) => found.id === id));
    return response && parsePayment(response);
  }

  return {
    kind: options.kind ?? 'razorpay',
    keyId,
    payment,

    async orderFor(receipt, amountPaise, { mayExist } = { mayExist: true }) {
      if (!/^[\x20-\x7e]{1,40}$/.test(receipt)) throw invalidRequest('a receipt');
      requireAmount(amountPaise);
      const there = mayExist ? await findOrder(receipt, amountPaise) : null;
      if (there) return there;
      try {
        return await makeOrder(receipt, amountPaise);
      } catch (error) {
        const made = mayHaveSucceeded(error) ? await findOrder(receipt, amountPaise).catch(() => null) : null;
        if (made) return made;
        throw error;
      }
    },

    async paymentsOf(orderId) {
      requireId(orderId);
      const path = `/orders/${orderId}/payments`;
      const { items } = await request({ method: 'GET', path }, PaymentListResponse, (list) =>
        list.items.every((payment) => payment.order_id === orderId),
      );
      return items.map(parsePayment).filter((found) => found !== null);
    },

    async capture(paymentId, amountPaise) {
      requireId(paymentId);
      requireAmount(amountPaise);
      try {
        const body = { amount: amountPaise, currency: 'INR' };
        const captured = await request(
          { method: 'POST', path: `/payments/${paymentId}/capture`, body },
          PaymentResponse,
          (response) => response.id === paymentId,
        );
        const result = parsePayment(captured);
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
      if (!/^[A-Za-z0-9_-]{10,100}$/.test(idempotencyKey)) throw invalidRequest('an idempotency key');
      const response = await request(
        {
          method: 'POST',
          path: `/payments/${paymentId}/refund`,
          body: { amount: amountPaise, speed: 'normal', notes: { reason: reason.slice(0, 256) } },
          headers: { 'x-refund-idempotency': idempotencyKey },
        },
        RefundResponse,
        (refund) => refund.payment_id === paymentId && refund.amount === amountPaise,
      );
      return parseRefund(response);
    },

    async refundById(id) {
      const call = { method: 'GET', path: `/refunds/${id}` } as const;
      const response = await orNull(id, () => request(call, RefundResponse, (found) => found.id === id));
      return response && parseRefund(response);
    },

    async isPaymentSigned(orderId, paymentId, signature) {
      if (!isId(orderId) || !isId(paymentId)) return false;
      return payments.isSigned(paymentText(orderId, paymentId), signature);
    },

    async readEvent(rawBody, headers) {
      if (!webhooks.isSigned(rawBody, headers.get('x-razorpay-signature') ?? '')) return null;
      const event = parseEvent(rawBody);
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

async function orNull<T>(id: string, request: () => Promise<T>): Promise<T | null> {
  if (!isId(id)) return null;
  try {
    return await request();
  } catch (error) {
    if (error instanceof ProviderError && isUnknownId(error)) return null;
    throw error;
  }
}

/** The provider responds with 400 for an unknown id, and says so only in the description. */
function isUnknownId(error: ProviderError): boolean {
  return error.status === 404 || (error.status === 400 && /does not exist/i.test(error.message));
}

/** Without a readable response it is unknown whether the request was carried out. */
function mayHaveSucceeded(error: unknown): boolean {
  return error instanceof ProviderError && error.kind === 'unavailable' && ![401, 429].includes(error.status ?? 0);
}

function isId(id: string): boolean {
  return ProviderId.safeParse(id).success;
}

function requireId(id: string): void {
  if (!isId(id)) throw invalidRequest('an id');
}

function requireAmount(amountPaise: number): void {
  if (!Number.isSafeInteger(amountPaise) || amountPaise <= 0) throw invalidRequest('an amount in whole paise');
}

function invalidRequest(what: string): ProviderError {
  return new ProviderError('refused', `That is not ${what}; the provider was not asked.`, { code: 'not_asked' });
}
