import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { type Session, useSession } from '#app/backend/session.tsx';
import { toast } from '#app/ui/toast.tsx';
import { purchaseMessages } from '#domain/checkout/messages.ts';
import { readCheckout } from './checkout-backend.ts';
import { finishPayment, forgetPayment, paymentNotes, type TakeBought } from './payment-notes.ts';

// Long enough for a payment of a moment ago. One that was only opened and closed is not followed for ever.
const onReturn = [0, 2_000, 5_000, 10_000, 20_000, 30_000];
/** A bank may take the money after it has said no. */
const afterFailure = [0, 5_000, 15_000, 30_000, 60_000, 120_000];

/**
 * For who comes back after the browser was closed in the middle of paying: what was bought leaves the list. The answer
 * looks again for a while, after a payment that seems not to have been made.
 */
export function useUnfinishedPayments(takeBought: TakeBought): () => void {
  const session = useSession();
  const userId = session.who?.id;
  const [failures, setFailures] = useState(0);

  const look = useEffectEvent((id: string) => lookAfterNotes(session.client, id, takeBought));
  useEffect(() => {
    if (!userId) return;
    let isFirst = failures === 0;
    const lookIfSeen = async () => {
      if (document.visibilityState !== 'visible') return;
      const mayTell = isFirst;
      isFirst = false;
      const wasLeft = await look(userId);
      if (mayTell && wasLeft) toast('info', purchaseMessages.left);
    };
    const timers = (failures ? afterFailure : onReturn).map((moment) => setTimeout(lookIfSeen, moment));
    document.addEventListener('visibilitychange', lookIfSeen);
    return () => {
      timers.forEach(clearTimeout);
      document.removeEventListener('visibilitychange', lookIfSeen);
    };
  }, [userId, failures]);

  return useCallback(() => setFailures((count) => count + 1), []);
}

/** True if one of them was interrupted and may have been paid. */
async function lookAfterNotes(client: Session['client'], userId: string, takeBought: TakeBought): Promise<boolean> {
  const own = paymentNotes().filter((note) => note.userId === userId);
  const left = await Promise.all(
    own.map(async ({ providerOrderId, standing }) => {
      const state = (await readCheckout(client, providerOrderId))?.state;
      if (state === 'ordered') finishPayment(providerOrderId, takeBought, true);
      if (state === 'refunded' || state === 'unknown') forgetPayment(providerOrderId);
      return state === 'confirming' && standing === 'open';
    }),
  );
  return left.includes(true);
}
