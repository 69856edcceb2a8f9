import { useEffect } from 'react';
import { useSession } from '#app/backend/session.tsx';
import { nextLook } from '#domain/checkout/checkout-state.ts';
import { readCheckout } from './checkout-backend.ts';
import { finishPayment, forgetPayment, paymentNotes, type TakeBought } from './payment-notes.ts';

// Long enough for a payment of a moment ago. One that was only opened and closed is not followed for ever.
const patience = 30_000;

/** For who comes back after the browser was closed in the middle of paying: what was bought leaves the list. */
export function useUnfinishedPayments(takeBought: TakeBought): void {
  const session = useSession();
  const userId = session.who?.id;

  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for once a visit, about payments of earlier ones
  useEffect(() => {
    if (!userId) return;
    let gone = false;
    const began = Date.now();

    async function look(providerOrderId: string): Promise<void> {
      const checkout = await readCheckout(session, providerOrderId);
      if (gone) return;
      if (checkout?.state === 'ordered') finishPayment(providerOrderId, takeBought, { label: 'See your order' });
      else if (checkout && checkout.state !== 'confirming') forgetPayment(providerOrderId);
      else if (Date.now() - began < patience)
        setTimeout(() => !gone && void look(providerOrderId), nextLook(Date.now() - began));
    }

    for (const note of paymentNotes()) if (note.userId === userId) void look(note.providerOrderId);
    return () => {
      gone = true;
    };
  }, [userId]);
}
