import type { Session } from '#app/backend/session.tsx';
import { toast } from '#app/ui/toast.tsx';
import { purchaseMessages } from '#domain/checkout/messages.ts';
import { pendingPaymentsFor } from '#domain/checkout/pending-payments.ts';
import { readCheckout, type Wanted } from './checkout-backend.ts';
import { confirmationPath, finishPayment, markPayment, paymentNotes, type TakeBought } from './payment-notes.ts';

export type Settling = { session: Session; goTo(path: string): Promise<void> | void; takeBought: TakeBought };
type Wish = Settling & { wanted: Wanted };

const notesOf = ({ wanted }: Wish, userId: string) => pendingPaymentsFor(paymentNotes(), { userId, ...wanted });

/** Shows an earlier payment for the same goods that is an order by now, or may yet become one. False: there is none. */
export async function showEarlierPayment(wish: Wish, userId: string): Promise<boolean> {
  const earlier = await Promise.all(
    notesOf(wish, userId).map(async ({ providerOrderId, standing }) => {
      const state = (await readCheckout(wish.session.client, providerOrderId))?.state;
      return {
        providerOrderId,
        isOrdered: state === 'ordered',
        isOpen: state === 'confirming' && standing === 'doubtful',
      };
    }),
  );
  const found = earlier.find(({ isOrdered }) => isOrdered) ?? earlier.find(({ isOpen }) => isOpen);
  if (!found) return false;
  await showPayment(found.providerOrderId, found.isOrdered, wish);
  return true;
}

/**
 * The customer left in the middle of paying for the same goods, and may have paid. Warns once: pressing Buy Now again means to
 * pay.
 */
export async function warnOfLeftPayment(wish: Wish, userId: string): Promise<boolean> {
  const left = notesOf(wish, userId).filter(({ standing }) => standing === 'open');
  for (const { providerOrderId } of left) markPayment(providerOrderId, 'closed');
  const states = await Promise.all(
    left.map(({ providerOrderId }) => readCheckout(wish.session.client, providerOrderId)),
  );
  if (!states.some((checkout) => checkout?.state === 'confirming')) return false;
  toast('warning', purchaseMessages.left);
  return true;
}

/** The shop says that these goods are paid. Without a note of the payment its order is in the history. */
export async function showPaidGoods(wish: Wish, userId: string): Promise<void> {
  if (await showEarlierPayment(wish, userId)) return;
  const [latest] = notesOf(wish, userId);
  if (latest) await wish.goTo(confirmationPath(latest.providerOrderId));
  else toast('info', purchaseMessages.alreadyPaid, { href: '/profile?tab=orders', label: 'Order history' });
}

/** The provider says that its order is paid. */
export async function showPaidOrder(providerOrderId: string, wish: Settling): Promise<void> {
  const checkout = await readCheckout(wish.session.client, providerOrderId);
  await showPayment(providerOrderId, checkout?.state === 'ordered', wish);
}

async function showPayment(
  providerOrderId: string,
  isOrdered: boolean,
  { goTo, takeBought }: Pick<Settling, 'goTo' | 'takeBought'>,
): Promise<void> {
  if (!isOrdered) toast('warning', purchaseMessages.stillConfirming);
  // The lines leave when the page behind has changed: an empty cart is nothing to look at in between.
  await goTo(confirmationPath(providerOrderId));
  if (isOrdered) finishPayment(providerOrderId, takeBought, true);
}
