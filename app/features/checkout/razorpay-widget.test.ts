import { afterEach, expect, test, vi } from 'vitest';
import { parseQuote } from '#domain/checkout/quote.ts';
import { paise } from '#domain/money.ts';
import type { ProviderOrder } from './checkout-backend.ts';
import { openRazorpay } from './razorpay-widget.ts';
import { openWidget } from './widget.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

type Options = {
  modal: { ondismiss(): void };
  handler(answer: Record<string, string>): void;
} & Record<string, unknown>;
type Failed = (answer: { error?: { description?: string } }) => void;

const order: ProviderOrder = {
  id: 'order_1',
  provider: 'razorpay',
  amountPaise: paise(71_200),
  currency: 'INR',
  key: 'rzp_live_key',
  shopName: 'Mithaas',
  prefill: { name: 'Meera Joshi', email: 'meera@example.com', contact: '9820012345' },
  timeoutSeconds: 900,
};
const quote = parseQuote({ quote_id: 'q', sub_total: 640, tax: 32, shipping_rate: 40, total: 712, expires_at: '2026' });

/** The provider's script as far as we use it; `act` is what the customer does in it. */
async function openWith(act: (options: Options, failed: Failed) => void) {
  const told: (string | null)[] = [];
  let given: Options | undefined;
  class Widget {
    failed: Failed = () => {};
    options: Options;
    constructor(options: Record<string, unknown>) {
      this.options = options as Options;
      given = this.options;
    }
    on(_event: 'payment.failed', failed: Failed) {
      this.failed = failed;
    }
    open() {
      act(this.options, this.failed);
    }
    close() {
      this.options.modal.ondismiss();
    }
  }
  if (!quote) throw new Error('no quote');
  const outcome = await openRazorpay(
    { order, quote, onAttemptFailed: (description) => told.push(description) },
    async () => Widget,
  );
  return { outcome, told, given };
}

test('paid: what the provider hands over is what is placed, and the widget got all it needs', async () => {
  const { outcome, given } = await openWith(({ handler }) =>
    handler({ razorpay_payment_id: 'pay_1', razorpay_order_id: 'order_1', razorpay_signature: 'signed' }),
  );
  expect(outcome).toEqual({ outcome: 'paid', paymentId: 'pay_1', signature: 'signed' });
  expect(given).toMatchObject({
    key: 'rzp_live_key',
    amount: 71_200,
    currency: 'INR',
    name: 'Mithaas',
    order_id: 'order_1',
    description: 'Items ₹640, GST on items ₹32, shipping ₹40',
    prefill: { name: 'Meera Joshi', email: 'meera@example.com', contact: '9820012345' },
    timeout: 900,
  });
});

test('closed without paying', async () => {
  const { outcome, told } = await openWith(({ modal }) => modal.ondismiss());
  expect(outcome).toEqual({ outcome: 'dismissed' });
  expect(told).toEqual([]);
});

test('a failed attempt is told at once; another card may still pay', async () => {
  const gaveUp = await openWith(({ modal }, failed) => {
    failed({ error: { description: 'The card was declined.' } });
    modal.ondismiss();
  });
  expect(gaveUp).toMatchObject({
    outcome: { outcome: 'failed', description: 'The card was declined.' },
    told: ['The card was declined.'],
  });
  const paid = await openWith(({ handler }, failed) => {
    failed({});
    handler({ razorpay_payment_id: 'pay_2', razorpay_signature: 'signed' });
  });
  expect(paid).toMatchObject({ outcome: { outcome: 'paid', paymentId: 'pay_2' }, told: [null] });
});

test('an order that has its money already ends at once', async () => {
  const { outcome } = await openWith((_options, failed) => failed({ error: { description: 'Order already paid' } }));
  expect(outcome).toEqual({ outcome: 'failed', description: 'Order already paid' });
});

test('a script that never answers is waited for fifteen seconds, and one that throws is not loaded', async () => {
  if (!quote) throw new Error('no quote');
  const options = { order, quote, onAttemptFailed: () => {} };
  vi.useFakeTimers();
  vi.stubGlobal('window', {});
  vi.stubGlobal('document', { createElement: () => ({}), head: { append: () => {} } });
  const opening = openWidget(options);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await opening).toEqual({ outcome: 'not-loaded' });
  class Broken {
    constructor() {
      throw new Error('The widget is broken.');
    }
  }
  vi.stubGlobal('window', { Razorpay: Broken });
  expect(await openWidget(options)).toEqual({ outcome: 'not-loaded' });
});

test('a script that is blocked', async () => {
  if (!quote) throw new Error('no quote');
  expect(await openRazorpay({ order, quote, onAttemptFailed: () => {} }, async () => null)).toEqual({
    outcome: 'not-loaded',
  });
});
