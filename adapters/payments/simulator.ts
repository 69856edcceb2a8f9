import type { ProviderFetch } from './razorpay-api.ts';
import { createSigner, paymentText } from './signature.ts';
import { capturedEvents, createSimulatorApi } from './simulator-api.ts';
import { createBackground } from './simulator-background.ts';
import { alreadyPaid, declined, newId, type ProviderProblem, responseLost, unknownId } from './simulator-entities.ts';
import { type ApiCall, type ApiResponse, errorResponse, type Faults, withFaults } from './simulator-faults.ts';
import type { NewPayment, SimulatedOrder, SimulatedPayment, SimulatorStore, WebhookTiming } from './simulator-store.ts';
import { createWebhooks, type SimulatedEvent, type WebhookDelivery } from './simulator-webhooks.ts';

/** An address that does not resolve, so that no request ever reaches the network. */
export const SIMULATOR_URL = 'http://test-payments.invalid/v1';

export type SimulatorOptions = {
  store: SimulatorStore;
  keyId: string;
  keySecret: string;
  webhookSecret: string;
  now(): number;
  /** Takes a webhook to our own function; rejects when it was not taken. */
  deliver(event: WebhookDelivery): Promise<void>;
  /** How long 'late' webhooks, and captures after failing, let wait. */
  lateMs?: number;
  /** When a webhook that was not taken is sent again. */
  retryDelaysMs?: readonly number[];
  /** "Forever", for responses that never arrive. */
  hangMs?: number;
};

export type PaymentAttempt = {
  outcome: 'pay' | 'fail';
  webhook?: WebhookTiming;
  /** 'after-failing': fails for the customer, and is captured a while later all the same. */
  capture?: 'automatic' | 'authorize-only' | 'after-failing';
  /** The payment is made, and its response never arrives. */
  hang?: boolean;
  /** Refunds of this payment are accepted, and fail afterwards. */
  refundFails?: boolean;
};

/** What the provider's widget hands to the page. */
export type PaymentResult =
  | { razorpay_payment_id: string; razorpay_order_id: string; razorpay_signature: string }
  | { error: WidgetError };

export type WidgetError = ProviderProblem & { metadata: { order_id: string; payment_id?: string } };

export type Simulator = {
  /** The provider's REST API, for the adapter in the same process. */
  fetch: ProviderFetch;
  /** The same over HTTP. */
  api(request: Request): Promise<Response>;
  /** The customer's side: one attempt to pay an order, over the order's amount. */
  pay(orderId: string, wish: PaymentAttempt, signal?: AbortSignal): Promise<PaymentResult>;
  faults: Faults;
  /** Resolves when all background work is done. */
  settled(): Promise<void>;
  /** Stops background work; undelivered webhooks are lost, payments are not. */
  stop(): void;
};

/** A payment provider for trying the shop: the REST API, webhooks and awkward moments of the real one, without money. */
export function createSimulator(options: SimulatorOptions): Simulator {
  const { store, keyId, keySecret, now } = options;
  const { lateMs = 10_000, retryDelaysMs = [250, 1000, 5000, 20_000], hangMs = 60_000 } = options;
  const background = createBackground();
  const faults: Faults = { next: [] };
  const signer = createSigner(keySecret);
  const send = createWebhooks({
    signer: createSigner(options.webhookSecret),
    deliver: options.deliver,
    now,
    lateMs,
    retryDelaysMs,
    background,
  });

  // Only the widget waits for webhooks that overtake the response; the API responds at once.
  const onEvents = (payment: SimulatedPayment, events: SimulatedEvent[]) =>
    send(payment.webhook === 'before' ? 'normal' : payment.webhook, events);
  const answer = withFaults(faults, background, hangMs, createSimulatorApi({ store, now, onEvents }));
  const authorization = `Basic ${btoa(`${keyId}:${keySecret}`)}`;

  async function ask(url: string, call: ApiCall): Promise<ApiResponse> {
    if (call.headers.authorization !== authorization)
      return errorResponse(401, 'BAD_REQUEST_ERROR', 'Authentication failed');
    const { pathname, search } = new URL(url);
    return answer(call, `${pathname.replace(/^\/v1/, '')}${search}`);
  }

  async function api(request: Request): Promise<Response> {
    const { method, url, signal } = request;
    const headers = Object.fromEntries(request.headers);
    const { status, type, body } = await ask(url, { method, headers, body: await request.text(), signal });
    return new Response(body, { status, headers: { 'content-type': type } });
  }

  async function captureAfterFailing(failed: SimulatedPayment): Promise<void> {
    if (!(await store.capturePayment(failed.id, 'failed'))) return;
    const captured: SimulatedPayment = { ...failed, status: 'captured' };
    await send(captured.webhook, capturedEvents(captured, await store.order(captured.orderId)));
  }

  async function tell(payment: SimulatedPayment, order: SimulatedOrder): Promise<void> {
    const events =
      payment.status === 'captured'
        ? capturedEvents(payment, { ...order, attempts: order.attempts + 1, paid: true })
        : [{ name: `payment.${payment.status}`, payment }];
    await send(payment.webhook, events);
  }

  async function goOn(payment: SimulatedPayment, wish: PaymentAttempt): Promise<void> {
    if (wish.outcome !== 'pay' || wish.capture !== 'after-failing') return;
    if (payment.webhook === 'before') return captureAfterFailing(payment);
    background.run(async () => {
      await background.wait(lateMs);
      if (!background.stopped()) await captureAfterFailing(payment);
    });
  }

  async function pay(orderId: string, wish: PaymentAttempt, signal?: AbortSignal): Promise<PaymentResult> {
    const attempt: NewPayment = {
      id: newId('pay'),
      orderId,
      status: statusFor(wish),
      refundedPaise: 0,
      createdAt: Math.floor(now() / 1000),
      webhook: wish.webhook ?? 'normal',
      refundFails: wish.refundFails ?? false,
    };
    const answered = await store.addPayment(attempt);
    if (!answered) return { error: { ...unknownId, metadata: { order_id: orderId } } };
    const { order, added } = answered;
    if (!added) return { error: { ...alreadyPaid, metadata: { order_id: orderId } } };
    const payment: SimulatedPayment = { ...attempt, amountPaise: order.amountPaise };
    await tell(payment, order);
    await goOn(payment, wish);
    const metadata = { order_id: orderId, payment_id: payment.id };
    if (wish.hang) {
      await background.wait(hangMs, signal);
      return { error: { ...responseLost, metadata } };
    }
    if (payment.status === 'failed') return { error: { ...declined, metadata } };
    return {
      razorpay_payment_id: payment.id,
      razorpay_order_id: orderId,
      razorpay_signature: signer.sign(paymentText(orderId, payment.id)),
    };
  }

  return {
    async fetch(url, init) {
      const { status, body } = await ask(url, init);
      return { status, text: async () => body };
    },
    api,
    pay,
    faults,
    settled: background.settled,
    stop: background.stop,
  };
}

function statusFor({ outcome, capture }: PaymentAttempt): SimulatedPayment['status'] {
  if (outcome === 'fail' || capture === 'after-failing') return 'failed';
  return capture === 'authorize-only' ? 'authorized' : 'captured';
}
