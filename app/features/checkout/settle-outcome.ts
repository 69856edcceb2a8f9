import { toast } from '#app/ui/toast.tsx';
import { isAlreadyPaid, purchaseMessages } from '#domain/checkout/messages.ts';
import { type Payment, type ProviderOrder, placeOrder } from './checkout-backend.ts';
import { type Settling, showPaidOrder } from './earlier-payment.ts';
import { confirmationPath, finishPayment, forgetPayment, markPayment } from './payment-notes.ts';
import type { WidgetOutcome } from './widget.ts';

/** Says how the payment ended and goes where its order can be seen. True when money may have left. */
export async function settleOutcome(outcome: WidgetOutcome, order: ProviderOrder, wish: Settling): Promise<boolean> {
  markPayment(order.id, outcome.outcome === 'paid' || outcome.outcome === 'unanswered' ? 'doubtful' : 'closed');
  switch (outcome.outcome) {
    case 'paid':
      await place(order, outcome, wish);
      return true;
    case 'unanswered':
      toast('info', purchaseMessages.unanswered);
      await wish.goTo(confirmationPath(order.id));
      return true;
    case 'failed':
      // Each attempt was told of when it failed.
      if (!isAlreadyPaid(outcome.description)) return false;
      await showPaidOrder(order.id, wish);
      return true;
    case 'dismissed':
      toast('info', purchaseMessages.dismissed);
      return false;
    case 'not-loaded':
      toast('error', purchaseMessages.widgetMissing);
      return false;
  }
}

async function place(order: ProviderOrder, payment: Payment, wish: Settling): Promise<void> {
  const placed = await placeOrder(wish.session, order, payment);
  if (!placed.ok) {
    const { status, code, message } = placed.refusal;
    if (code === 'payment-refunded') {
      forgetPayment(order.id);
      toast('warning', message ?? 'Your refund is on its way.');
    } else {
      if (status === 401) toast('warning', purchaseMessages.signedOut);
      else toast('error', purchaseMessages.notPlaced);
      toast('info', purchaseMessages.willAppear);
    }
  }
  // The lines leave when the page behind has changed: an empty cart is nothing to look at in between.
  await wish.goTo(confirmationPath(order.id));
  if (placed.ok && placed.isOrdered) finishPayment(order.id, wish.takeBought);
}
