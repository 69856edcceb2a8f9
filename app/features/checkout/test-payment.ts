import type { WidgetOutcome } from './widget.ts';

/** What can be asked of the test provider, and what it is called in the dialog. */
export const webhookWishes = {
  normal: 'as usual',
  twice: 'twice',
  before: 'before the browser returns',
  never: 'never',
  late: '10 seconds late',
} as const;
export const captureWishes = {
  automatic: 'immediately',
  'authorize-only': 'authorised, not captured',
  'after-failing': 'after one failed attempt',
} as const;

export type AwkwardCases = {
  webhook: keyof typeof webhookWishes;
  capture: keyof typeof captureWishes;
  hang: boolean;
  refundFails: boolean;
};

export const nothingAwkward: AwkwardCases = {
  webhook: 'normal',
  capture: 'automatic',
  hang: false,
  refundFails: false,
};

/** Time limit for a response, before the customer doubts the spinner. */
const timeoutMs = 10_000;

/** One attempt with the test provider. */
export async function payForTest(
  orderId: string,
  outcome: 'pay' | 'fail',
  { webhook, capture, hang, refundFails }: AwkwardCases,
): Promise<WidgetOutcome> {
  try {
    const response = await fetch('/test-payments/pay', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ order_id: orderId, outcome, webhook, capture, hang, refund_fails: refundFails }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const answer = (await response.json()) as {
      error?: { description?: string; message?: string };
      razorpay_payment_id: string;
      razorpay_signature: string;
    };
    if (answer.error)
      return { outcome: 'failed', description: answer.error.description ?? answer.error.message ?? null };
    return { outcome: 'paid', paymentId: answer.razorpay_payment_id, signature: answer.razorpay_signature };
  } catch {
    return { outcome: 'unanswered' };
  }
}
