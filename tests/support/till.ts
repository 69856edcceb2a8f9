// The checkout on a test database: the real functions, the real SQL, the simulated provider, and a clock to turn.
import type { Options, Sql } from 'postgres';
import { expect } from 'vitest';
import type { Mail } from '../../adapters/mail/mail.ts';
import type { Message } from '../../adapters/messages/messenger.ts';
import { createMemoryStore } from '../../adapters/payments/memory-store.ts';
import { createRazorpay } from '../../adapters/payments/razorpay.ts';
import {
  createSimulator,
  type PaymentAttempt,
  type PaymentResult,
  SIMULATOR_URL,
} from '../../adapters/payments/simulator.ts';
import { connectService } from '../../server/functions/functions.ts';
import type { FunctionContext, FunctionHandler } from '../../supabase/functions/_shared/context.ts';
import { boundDueTimes, doDueWork } from '../../supabase/functions/_shared/run-jobs.ts';
import { createOrder } from '../../supabase/functions/createOrder/handler.ts';
import { getShippingPrice } from '../../supabase/functions/getShippingPrice/handler.ts';
import { paymentWebhook } from '../../supabase/functions/paymentWebhook/handler.ts';
import { placeOrder } from '../../supabase/functions/placeOrder/handler.ts';
import { insertUser } from './rows.ts';

export type Line = { productId: number; quantity: number; size: 500 | 1000 };
export type Answer = { status: number; body: Record<string, never> & { error?: { code: string; message: string } } };
export type PaidAnswer = Extract<PaymentResult, { razorpay_payment_id: string }>;

const keys = { keyId: 'rzp_test_till', keySecret: 'till-key-secret', webhookSecret: 'till-webhooks' };

export type Till = ReturnType<typeof openTill>;

export function openTill(connection: Options<Record<string, never>>, sql: Sql) {
  const service = connectService(connection);
  const clock = { at: Date.now() };
  const mails: Mail[] = [];
  const messages: Message[] = [];
  const reports: string[] = [];
  let mailIsDown = false;
  const simulator = createSimulator({
    ...keys,
    store: createMemoryStore(),
    now: () => clock.at,
    retryDelaysMs: [],
    lateMs: 0,
    async deliver({ body, signature, eventId }) {
      await call(paymentWebhook, null, body, { 'x-razorpay-signature': signature, 'x-razorpay-event-id': eventId });
    },
  });
  const provider = createRazorpay({
    ...keys,
    kind: 'test',
    baseUrl: SIMULATOR_URL,
    fetch: simulator.fetch,
    timeoutMs: 500,
  });
  const context: Omit<FunctionContext, 'customer' | 'addressHash'> = {
    db: service.db,
    payments: provider,
    mailer: {
      async send(mail) {
        if (mailIsDown) throw new Error('the mail server is down');
        mails.push(mail);
      },
    },
    messenger: { send: async (message) => void messages.push(message) },
    siteUrl: 'http://shop.test',
    now: () => new Date(clock.at),
    report: (problem, error) => reports.push(`${problem}: ${error}`),
    jobsSecret: null,
    wake: () => {},
  };

  async function call(
    handler: FunctionHandler,
    customerId: string | null,
    body: unknown,
    headers: Record<string, string> = {},
    from: string | null = null,
  ): Promise<Answer> {
    const response = await handler(
      new Request('http://shop.test/functions/v1/x', {
        method: 'POST',
        headers,
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
      { ...context, customer: customerId ? { id: customerId, email: null, sessionId: null } : null, addressHash: from },
    );
    return { status: response.status, body: await response.json() };
  }

  const quote = (
    customerId: string | null,
    orders: Line[],
    {
      pincode = '400001',
      ...rest
    }: { pincode?: string; source?: string; fulfilment?: string; delivery_on?: string; code?: string } = {},
  ) => call(getShippingPrice, customerId, { orders, delivery: { pincode }, ...rest });
  const create = (customerId: string | null, amount: number, quote_id?: string, from: string | null = null) =>
    call(createOrder, customerId, { amount, currency: 'INR', ...(quote_id ? { quote_id } : {}) }, {}, from);

  return {
    clock,
    mails,
    messages,
    reports,
    simulator,
    provider,
    context,
    call,
    later: (minutes: number) => {
      clock.at += minutes * 60_000;
    },
    breakMail: (down: boolean) => {
      mailIsDown = down;
    },
    /** What a worker does when it starts. */
    work: async () => {
      await boundDueTimes(context);
      return doDueWork(context);
    },

    /** A customer with a complete address. */
    async customer(zip = '400001'): Promise<string> {
      const id = await insertUser(sql, { name: 'Meera Till' });
      await sql`insert into public.user_profiles (user_id, phone, building_no, street, city, state, zip)
        values (${id}, '9820012345', '4B', 'Ranade Road', 'Mumbai', 'Maharashtra', ${zip})`;
      return id;
    },
    quote,
    create,
    pay: (orderId: string, wish: PaymentAttempt = { outcome: 'pay' }) =>
      simulator.pay(orderId, { webhook: 'never', ...wish }),
    place: (customerId: string | null, paid: PaymentResult) => {
      const { razorpay_order_id, razorpay_payment_id, razorpay_signature } = paid as PaidAnswer;
      return call(placeOrder, customerId, {
        provider_order_id: razorpay_order_id,
        payment_id: razorpay_payment_id,
        signature: razorpay_signature,
      });
    },

    /** Quote and createOrder: the provider's order, ready to pay. */
    async checkout(customerId: string, orders: Line[], options: Parameters<typeof quote>[2] = {}) {
      const quoted = await quote(customerId, orders, options);
      expect(quoted.status, JSON.stringify(quoted.body)).toBe(200);
      const { total, quote_id } = quoted.body as unknown as { total: number; quote_id: string };
      const created = await create(customerId, total, quote_id);
      expect(created.status, JSON.stringify(created.body)).toBe(201);
      return { total, quoteId: quote_id, orderId: (created.body as unknown as { id: string }).id };
    },

    async expectCleanBooks(): Promise<void> {
      expect(await sql`select * from public.check_invariants()`).toEqual([]);
    },
    close: async () => {
      simulator.stop();
      await service.close();
    },
  };
}
