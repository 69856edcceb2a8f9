import { z } from 'zod';
import type { Simulator } from '../../adapters/payments/simulator.ts';
import { problem } from '../../supabase/functions/_shared/problem.ts';
import { readBytes } from '../../supabase/functions/_shared/read-body.ts';
import { jsonIn } from '../lite/json-body.ts';

export const TEST_PAYMENTS_PATH = '/test-payments';

export type TestPaymentsOptions = {
  simulator: Pick<Simulator, 'pay'>;
  /** Exact origins of the shop's own pages. */
  origins: readonly string[];
};

const PayBody = z.strictObject({
  order_id: z.string().regex(/^order_[A-Za-z0-9]{1,34}$/),
  outcome: z.enum(['pay', 'fail']),
  webhook: z.enum(['normal', 'twice', 'before', 'never', 'late']).optional(),
  capture: z.enum(['automatic', 'authorize-only', 'after-failing']).optional(),
  hang: z.boolean().optional(),
  refund_fails: z.boolean().optional(),
});

/**
 * Where the "Test payment" dialog pays. Answers 200 with what the real widget would hand to the page, a declined payment
 * included.
 */
export function createTestPayments({
  simulator,
  origins,
}: TestPaymentsOptions): (request: Request) => Promise<Response> {
  async function pay(request: Request): Promise<Response> {
    if (!origins.includes(request.headers.get('origin') ?? ''))
      return problem(403, 'not-from-this-shop', 'Pay from a page of the shop.');
    const read = await readBytes(request, 4 * 1024);
    if (!read.ok) return read.response;
    const body = PayBody.safeParse(read.bytes && jsonIn(read.bytes));
    if (!body.success) return problem(400, 'invalid-body', 'This is not a test payment.');
    const { order_id, refund_fails, ...wish } = body.data;
    // To look at the signal of a request makes far more of it than there was; only who hangs wants it.
    const signal = wish.hang ? request.signal : undefined;
    const answer = await simulator.pay(order_id, { ...wish, refundFails: refund_fails }, signal);
    if ('error' in answer && answer.error.reason === 'input_validation_failed')
      return problem(404, 'unknown-order', 'We couldn’t find an order for this payment.');
    return Response.json(answer, { headers: { 'cache-control': 'no-store' } });
  }

  return async (request) => {
    if (new URL(request.url).pathname !== `${TEST_PAYMENTS_PATH}/pay`)
      return problem(404, 'not-found', 'There is nothing here.');
    if (request.method !== 'POST') return problem(405, 'method-not-allowed', 'Payments are posted.', { allow: 'POST' });
    return pay(request);
  };
}
