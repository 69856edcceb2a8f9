import { useCallback, useEffect, useState } from 'react';
import { useSession } from '#app/backend/session.tsx';
import { type CheckoutState, maxConfirmingMs, nextPollDelay } from '#domain/checkout/checkout-state.ts';
import { readCheckout } from './checkout-backend.ts';

export type Followed =
  | CheckoutState
  | { state: 'loading' }
  | { state: 'signed-out' }
  /** Nobody could be asked. */
  | { state: 'failed' };

const isWaiting = ({ state }: Followed): boolean => state === 'confirming' || state === 'lapsed';

/** Follows a payment until its end is known. */
export function useCheckoutState(providerOrderId: string): { followed: Followed; isSlow: boolean; retry(): void } {
  const session = useSession();
  const [followed, setFollowed] = useState<Followed>({ state: 'loading' });
  const [isSlow, setSlow] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const userId = session.who?.id;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another person or another attempt is another question
  useEffect(() => {
    if (!userId) return;
    let gone = false;
    let seen: CheckoutState['state'] = 'confirming';
    let since = Date.now();
    async function look(): Promise<void> {
      const checkout = await readCheckout(session, providerOrderId);
      if (gone) return;
      if (checkout && checkout.state !== seen) {
        seen = checkout.state;
        since = Date.now();
      }
      const waited = Date.now() - since;
      // A question that got lost on the way does not take back what was known.
      setFollowed((before) => checkout ?? (isWaiting(before) ? before : { state: 'failed' }));
      setSlow(waited >= maxConfirmingMs);
      const pause = nextPollDelay(seen, waited);
      if (pause !== null) setTimeout(() => !gone && void look(), pause);
    }
    setFollowed({ state: 'loading' });
    void look();
    return () => {
      gone = true;
    };
  }, [providerOrderId, userId, attempt]);

  const isLost = session.state === 'unreachable' && followed.state === 'loading';
  return {
    followed: session.state === 'visitor' ? { state: 'signed-out' } : isLost ? { state: 'failed' } : followed,
    isSlow,
    retry: useCallback(() => setAttempt((count) => count + 1), []),
  };
}
