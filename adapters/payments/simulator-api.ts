import { z } from 'zod';
import {
  alreadyPaid,
  newId,
  orderEntity,
  type ProviderProblem,
  paymentEntity,
  refundEntity,
  unknownId,
} from './simulator-entities.ts';
import { type ApiCall, type ApiResponse, errorResponse, jsonResponse } from './simulator-faults.ts';
import type { SimulatedOrder, SimulatedPayment, SimulatedRefund, SimulatorStore } from './simulator-store.ts';
import type { SimulatedEvent } from './simulator-webhooks.ts';

export type SimulatorApiOptions = {
  store: SimulatorStore;
  now(): number;
  /** The events of a payment, for its webhooks. */
  onEvents(payment: SimulatedPayment, events: SimulatedEvent[]): Promise<void>;
};

const OrderRequest = z.object({
  amount: z.int().min(100),
  currency: z.literal('INR'),
  receipt: z.string().min(1).max(40),
  payment: z
    .object({
      capture: z.literal('automatic'),
      capture_options: z.object({
        automatic_expiry_period: z.int().min(12),
        manual_expiry_period: z.int().min(12).max(7200),
        refund_speed: z.enum(['normal', 'optimum']),
      }),
    })
    .optional(),
});
const CaptureRequest = z.object({ amount: z.int().min(1), currency: z.literal('INR') });
const RefundRequest = z.object({
  amount: z.int().min(1).optional(),
  speed: z.enum(['normal', 'optimum']).optional(),
  notes: z.record(z.string(), z.string().max(256)).optional(),
});

/** The provider's REST endpoints, behind its door. */
export function createSimulatorApi({ store, now, onEvents }: SimulatorApiOptions) {
  const seconds = () => Math.floor(now() / 1000);

  async function makeOrder({ body: text }: ApiCall): Promise<ApiResponse> {
    const body = OrderRequest.safeParse(jsonIn(text));
    if (!body.success) return invalid(body.error);
    const { receipt, amount } = body.data;
    const order = { id: newId('order'), receipt, amountPaise: amount, createdAt: seconds() };
    await store.addOrder(order);
    return jsonResponse(orderEntity({ ...order, attempts: 0, paid: false }));
  }

  async function capture({ body: text }: ApiCall, paymentId: string): Promise<ApiResponse> {
    const body = CaptureRequest.safeParse(jsonIn(text));
    if (!body.success) return invalid(body.error);
    const payment = await store.payment(paymentId);
    if (!payment) return declinedResponse(unknownId);
    if (payment.status === 'captured') return badRequest('This payment has already been captured');
    if (payment.status === 'failed')
      return badRequest('Only payments which have been authorized and not yet captured can be captured');
    if (payment.amountPaise !== body.data.amount)
      return badRequest('Capture amount must be equal to the amount authorized');
    if (!(await store.capturePayment(paymentId, 'authorized'))) {
      const current = await store.payment(paymentId);
      return current?.status === 'captured'
        ? badRequest('This payment has already been captured')
        : declinedResponse(alreadyPaid);
    }
    const captured: SimulatedPayment = { ...payment, status: 'captured' };
    await onEvents(captured, capturedEvents(captured, await store.order(captured.orderId)));
    return jsonResponse(paymentEntity(captured));
  }

  async function refund({ headers, body: text }: ApiCall, paymentId: string): Promise<ApiResponse> {
    const key = headers['x-refund-idempotency'] ?? null;
    if (key !== null && !/^[A-Za-z0-9_-]{10,}$/.test(key)) return badRequest('The idempotency key is not valid');
    const body = RefundRequest.safeParse(jsonIn(text));
    if (!body.success) return invalid(body.error);
    const wanted = `${paymentId} ${text}`;
    const repeated = await earlierRefund(key, wanted);
    if (repeated) return repeated;
    const payment = await store.payment(paymentId);
    if (!payment) return declinedResponse(unknownId);
    if (payment.status !== 'captured')
      return badRequest('The payment status should be captured for action to be taken');
    const left = payment.amountPaise - payment.refundedPaise;
    if (left === 0) return badRequest('The payment has been fully refunded already');
    const made: SimulatedRefund = {
      id: newId('rfnd'),
      paymentId,
      amountPaise: body.data.amount ?? left,
      status: payment.refundFails ? 'failed' : 'processed',
      idempotencyKey: key,
      request: wanted,
      createdAt: seconds(),
    };
    if (!(await store.addRefund(made)))
      return (
        (await earlierRefund(key, wanted)) ??
        badRequest('The total refund amount is greater than the refund payment amount')
      );
    const current = (await store.payment(paymentId)) ?? payment;
    const events = ['refund.created', `refund.${made.status}`];
    await onEvents(
      current,
      events.map((name) => ({ name, payment: current, refund: made })),
    );
    // A failed refund shows later, when it is fetched again.
    return jsonResponse(refundEntity(made, made.status === 'failed' ? 'pending' : made.status));
  }

  async function earlierRefund(key: string | null, wanted: string): Promise<ApiResponse | null> {
    const earlier = key === null ? null : await store.refundByKey(key);
    if (!earlier) return null;
    if (earlier.request === wanted) return jsonResponse(refundEntity(earlier));
    return errorResponse(409, 'BAD_REQUEST_ERROR', 'A different request was made with this idempotency key');
  }

  async function one<T>(found: Promise<T | null>, entity: (found: T) => object): Promise<ApiResponse> {
    const value = await found;
    return value ? jsonResponse(entity(value)) : declinedResponse(unknownId);
  }

  async function paymentsOf(orderId: string): Promise<ApiResponse> {
    if (!(await store.order(orderId))) return declinedResponse(unknownId);
    return collection((await store.paymentsOf(orderId)).map(paymentEntity));
  }

  return async (call: ApiCall, path: string): Promise<ApiResponse> => {
    const url = new URL(path, 'http://simulator.invalid');
    const [thing, id = '', action] = url.pathname.slice(1).split('/');
    switch (`${call.method} ${thing}${id && '/:id'}${action ? `/${action}` : ''}`) {
      case 'POST orders':
        return makeOrder(call);
      case 'GET orders':
        return collection((await store.ordersByReceipt(url.searchParams.get('receipt') ?? '')).map(orderEntity));
      case 'GET orders/:id':
        return one(store.order(id), orderEntity);
      case 'GET orders/:id/payments':
        return paymentsOf(id);
      case 'GET payments/:id':
        return one(store.payment(id), paymentEntity);
      case 'POST payments/:id/capture':
        return capture(call, id);
      case 'POST payments/:id/refund':
        return refund(call, id);
      case 'GET refunds/:id':
        return one(store.refund(id), refundEntity);
      default:
        return errorResponse(404, 'BAD_REQUEST_ERROR', 'The requested URL was not found on the server.');
    }
  };
}

export function capturedEvents(payment: SimulatedPayment, order: SimulatedOrder | null): SimulatedEvent[] {
  return [
    { name: 'payment.captured', payment },
    { name: 'order.paid', payment, order },
  ];
}

function collection(items: object[]): ApiResponse {
  return jsonResponse({ entity: 'collection', count: items.length, items });
}

function invalid(error: z.ZodError): ApiResponse {
  const [issue] = error.issues;
  const field = issue?.path.join('.') || null;
  return errorResponse(400, 'BAD_REQUEST_ERROR', `${field ?? 'The body'}: ${issue?.message}`, { field });
}

function badRequest(description: string): ApiResponse {
  return errorResponse(400, 'BAD_REQUEST_ERROR', description, {
    source: 'business',
    reason: 'input_validation_failed',
  });
}

function declinedResponse(problem: ProviderProblem): ApiResponse {
  return errorResponse(400, problem.code, problem.description, problem);
}

function jsonIn(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
