import { isAlreadyPaid } from '#domain/checkout/messages.ts';
import { formatPaise } from '#domain/money.ts';
import type { WidgetOptions, WidgetOutcome } from './widget.ts';

type Paid = { razorpay_payment_id: string; razorpay_order_id: string; razorpay_signature: string };
type Widget = {
  open(): void;
  close(): void;
  on(event: 'payment.failed', told: (answer: { error?: { description?: string } }) => void): void;
};
export type RazorpayWidget = new (options: Record<string, unknown>) => Widget;

declare global {
  interface Window {
    Razorpay?: RazorpayWidget;
  }
}

/** Time limit for the payment window to open. */
const openTimeoutMs = 15_000;
const address = 'https://checkout.razorpay.com/v1/checkout.js';
let script: Promise<RazorpayWidget | null> | undefined;

/** Once a page; after a failure the next press tries again. */
function loadWidget(): Promise<RazorpayWidget | null> {
  if (window.Razorpay) return Promise.resolve(window.Razorpay);
  script ??= new Promise((resolve) => {
    const element = document.createElement('script');
    element.src = address;
    element.onload = () => resolve(window.Razorpay ?? null);
    element.onerror = () => resolve(null);
    setTimeout(() => resolve(null), openTimeoutMs);
    document.head.append(element);
  }).then((loaded) => {
    if (!loaded) script = undefined;
    return loaded as RazorpayWidget | null;
  });
  return script;
}

/** A failed attempt leaves the widget open, and the customer may try another card: only its end is the outcome. */
export async function openRazorpay(
  { order, quote, onAttemptFailed }: WidgetOptions,
  load: () => Promise<RazorpayWidget | null> = loadWidget,
): Promise<WidgetOutcome> {
  const Razorpay = await load();
  if (!Razorpay) return { outcome: 'not-loaded' };
  return new Promise((resolve) => {
    let failure: { description: string | null } | null = null;
    const widget = new Razorpay({
      key: order.key,
      amount: order.amountPaise,
      currency: order.currency,
      name: order.shopName,
      description: `Items ${formatPaise(quote.subTotalPaise)}, GST on items ${formatPaise(quote.taxPaise)}, shipping ${formatPaise(quote.shippingPaise)}`,
      order_id: order.id,
      prefill: order.prefill,
      timeout: order.timeoutSeconds,
      theme: { color: '#a81f5c' },
      modal: {
        confirm_close: true,
        ondismiss: () => resolve(failure ? { outcome: 'failed', ...failure } : { outcome: 'dismissed' }),
      },
      handler: ({ razorpay_payment_id, razorpay_signature }: Paid) =>
        resolve({ outcome: 'paid', paymentId: razorpay_payment_id, signature: razorpay_signature }),
    });
    widget.on('payment.failed', ({ error }) => {
      failure = { description: error?.description ?? null };
      onAttemptFailed(failure.description);
      // There is nothing left to try: the order has its money.
      if (!isAlreadyPaid(failure.description)) return;
      resolve({ outcome: 'failed', ...failure });
      widget.close();
    });
    widget.open();
  });
}
