import type { SimulatedOrder, SimulatedPayment, SimulatedRefund } from './simulator-store.ts';

/** The last fourteen digits of a UUID are all random. */
export function newId(prefix: 'order' | 'pay' | 'rfnd' | 'evt'): string {
  return `${prefix}_${crypto.randomUUID().replaceAll('-', '').slice(-14)}`;
}

// What follows is how the provider writes its things down, field by field.

export function orderEntity(order: SimulatedOrder) {
  return {
    id: order.id,
    entity: 'order',
    amount: order.amountPaise,
    amount_paid: order.paid ? order.amountPaise : 0,
    amount_due: order.paid ? 0 : order.amountPaise,
    currency: 'INR',
    receipt: order.receipt,
    offer_id: null,
    status: order.paid ? 'paid' : order.attempts > 0 ? 'attempted' : 'created',
    attempts: order.attempts,
    notes: [],
    created_at: order.createdAt,
  };
}

export function paymentEntity(payment: SimulatedPayment) {
  const captured = payment.status === 'captured';
  const failed = payment.status === 'failed';
  const refundedFully = captured && payment.refundedPaise === payment.amountPaise;
  const commission = Math.round(payment.amountPaise * 0.02);
  const tax = Math.round(commission * 0.18);
  return {
    id: payment.id,
    entity: 'payment',
    amount: payment.amountPaise,
    currency: 'INR',
    status: refundedFully ? 'refunded' : payment.status,
    order_id: payment.orderId,
    invoice_id: null,
    international: false,
    method: 'upi',
    amount_refunded: payment.refundedPaise,
    refund_status: refundedFully ? 'full' : payment.refundedPaise > 0 ? 'partial' : null,
    captured,
    fee: captured ? commission + tax : null,
    tax: captured ? tax : null,
    notes: [],
    ...(failed
      ? {
          error_code: declined.code,
          error_description: declined.description,
          error_source: declined.source,
          error_step: declined.step,
          error_reason: declined.reason,
        }
      : { error_code: null, error_description: null, error_source: null, error_step: null, error_reason: null }),
    created_at: payment.createdAt,
  };
}

export function refundEntity(refund: SimulatedRefund, status: SimulatedRefund['status'] | 'pending' = refund.status) {
  return {
    id: refund.id,
    entity: 'refund',
    amount: refund.amountPaise,
    currency: 'INR',
    payment_id: refund.paymentId,
    notes: [],
    receipt: null,
    created_at: refund.createdAt,
    status,
    speed_processed: 'normal',
    speed_requested: 'normal',
    acquirer_data: { arn: status === 'processed' ? bankReference(refund.id) : null },
  };
}

/** The reference that the bank gives a refund: 23 digits, the same whenever it is asked for. */
function bankReference(id: string): string {
  const digits = [...id].map((letter) => letter.charCodeAt(0) % 10).join('');
  return `7${digits}`.padEnd(23, '0').slice(0, 23);
}

export type ProviderProblem = { code: string; description: string; source: string; step: string; reason: string };

export const declined = {
  code: 'BAD_REQUEST_ERROR',
  description: 'Your payment was declined by the bank. No money was taken.',
  source: 'customer',
  step: 'payment_authentication',
  reason: 'payment_failed',
} as const satisfies ProviderProblem;

export const alreadyPaid = {
  code: 'BAD_REQUEST_ERROR',
  description: 'Order already paid',
  source: 'business',
  step: 'payment_initiation',
  reason: 'order_already_paid',
} as const satisfies ProviderProblem;

export const unknownId = {
  code: 'BAD_REQUEST_ERROR',
  description: 'The id provided does not exist',
  source: 'business',
  step: 'payment_initiation',
  reason: 'input_validation_failed',
} as const satisfies ProviderProblem;

export const responseLost = {
  code: 'GATEWAY_ERROR',
  description: 'The payment is taking too long. It may still go through.',
  source: 'gateway',
  step: 'payment_authorization',
  reason: 'payment_timed_out',
} as const satisfies ProviderProblem;
