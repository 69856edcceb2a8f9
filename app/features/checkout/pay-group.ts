import type { Session } from '#app/backend/session.tsx';
import { toast } from '#app/ui/toast.tsx';
import { isAlreadyPaid, purchaseMessages } from '#domain/checkout/messages.ts';
import type { Amounts } from '#domain/checkout/quote.ts';
import { placeOrder, providerOrderFrom } from './checkout-backend.ts';
import { openWidget } from './widget.ts';

/** How paying for a group ended. `unsure`: the money may have left, and the shop is finding out. */
export type GroupPayment = 'ordered' | 'unsure' | 'refunded' | 'not-paid';

export type PayGroupOptions = {
  session: Session;
  /** What createGroupOrder returned. */
  order: unknown;
  amounts: Amounts;
  /** The payment is made, and its orders are being placed. */
  onPlacing(): void;
};

/** Opens the payment of a group and reports it. Says what went wrong by itself. */
export async function payGroup({ session, order, amounts, onPlacing }: PayGroupOptions): Promise<GroupPayment> {
  const opened = providerOrderFrom(order);
  const outcome = await openWidget({
    order: opened,
    quote: amounts,
    onAttemptFailed(description) {
      if (isAlreadyPaid(description)) return;
      toast('error', purchaseMessages.paymentFailed);
      if (description) toast('info', description);
    },
  });
  switch (outcome.outcome) {
    case 'paid': {
      onPlacing();
      const placed = await placeOrder(session, opened, outcome);
      if (placed.ok) return placed.isOrdered ? 'ordered' : 'unsure';
      if (placed.refusal.code !== 'payment-refunded') return 'unsure';
      toast('warning', placed.refusal.message ?? 'Your refund is on its way.');
      return 'refunded';
    }
    case 'unanswered':
      return 'unsure';
    case 'failed':
      return isAlreadyPaid(outcome.description) ? 'unsure' : 'not-paid';
    case 'dismissed':
      toast('info', 'You closed the payment window. Your list is saved: press Pay to try again.');
      return 'not-paid';
    case 'not-loaded':
      toast('error', purchaseMessages.widgetMissing);
      return 'not-paid';
  }
}
