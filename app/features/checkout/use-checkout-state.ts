import { useCallback, useEffect, useState } from 'react';
import { useSession } from '#app/backend/session.tsx';
import { type CheckoutState, maxConfirmingMs, nextPollDelay } from '#domain/checkout/checkout-state.ts';
import { readCheckout } from './checkout-backend.ts';

export type Followed =
  | CheckoutState
  | { state: 'loading' }
  | { state: 'signed-out' }
  /** The state could not be read. */
  | { state: 'failed' };

const isWaiting = ({ state }: Followed): boolean => state === 'confirming' || state === 'lapsed';

type Latest = { following: string; followed: Followed; isSlow: boolean };

const loading = { state: 'loading' } as const;
const failed = { state: 'failed' } as const;

/** Follows a payment until its end is known. */
export function useCheckoutState(providerOrderId: string): { followed: Followed; isSlow: boolean; retry(): void } {
  const session = useSession();
  const { client } = session;
  const [attempt, setAttempt] = useState(0);
  const [latest, setLatest] = useState<Latest | null>(null);
  const userId = session.who?.id;
  // Of another customer or an earlier attempt nothing is shown.
  const following = `${attempt} ${userId} ${providerOrderId}`;
  const current = latest?.following === following ? latest : null;
  const followed = current?.followed ?? loading;

  useEffect(() => {
    if (!userId) return;
    let isStale = false;
    let seen: CheckoutState['state'] = 'confirming';
    let since = Date.now();
    async function look(): Promise<void> {
      const checkout = await readCheckout(client, providerOrderId);
      if (isStale) return;
      if (checkout && checkout.state !== seen) {
        seen = checkout.state;
        since = Date.now();
      }
      const waited = Date.now() - since;
      setLatest((before) => {
        // A request that got lost on the way does not take back what was known.
        const known = before?.following === following && isWaiting(before.followed) ? before.followed : failed;
        return { following, followed: checkout ?? known, isSlow: waited >= maxConfirmingMs };
      });
      const pause = nextPollDelay(seen, waited);
      if (pause !== null) setTimeout(() => !isStale && void look(), pause);
    }
    void look();
    return () => {
      isStale = true;
    };
  }, [client, providerOrderId, userId, following]);

  const isLost = session.state === 'unreachable' && followed.state === 'loading';
  return {
    followed: session.state === 'visitor' ? { state: 'signed-out' } : isLost ? { state: 'failed' } : followed,
    isSlow: current?.isSlow ?? false,
    retry: useCallback(() => setAttempt((count) => count + 1), []),
  };
}
