import type { Amounts } from '#domain/checkout/quote.ts';
import type { Payment, ProviderOrder } from './checkout-backend.ts';

/** How the customer left the provider's widget. */
export type WidgetOutcome =
  | ({ outcome: 'paid' } & Payment)
  | { outcome: 'failed'; description: string | null }
  | { outcome: 'dismissed' }
  /** The money may have left, and no answer came. */
  | { outcome: 'unanswered' }
  | { outcome: 'not-loaded' };

export type WidgetOptions = {
  order: ProviderOrder;
  quote: Amounts;
  /** Each failed attempt, whether or not the widget stays open for another one. */
  onAttemptFailed(description: string | null): void;
};

/** Opens the widget of the provider that made the order; its code comes now. */
export async function openWidget(options: WidgetOptions): Promise<WidgetOutcome> {
  try {
    if (options.order.provider === 'test') return await (await import('./test-widget.tsx')).openTestWidget(options);
    return await (await import('./razorpay-widget.ts')).openRazorpay(options);
  } catch {
    return { outcome: 'not-loaded' };
  }
}
