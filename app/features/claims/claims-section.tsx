import { useCallback, useEffect, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import type { OrderClaims } from '#contracts/claims.ts';
import { complainTo, exactMoment, windowEnded } from '#domain/claims/claim.ts';
import { ClaimDialog } from './claim-dialog.tsx';
import { ClaimView } from './claim-view.tsx';
import styles from './claims.module.css';
import { type ClaimCaller, useClaimsBackend } from './claims-backend.ts';

type Loaded = { state: 'loading' } | { state: 'ready'; order: OrderClaims } | { state: 'failed'; message: string };

/**
 * Reporting a problem with an order, and what became of it. `caller` is the signed-in customer (`{order}`), or the holder of the
 * order's signed link (`{link}`); it must not change while the section is shown.
 */
export default function ClaimsSection({ caller }: { caller: ClaimCaller }) {
  const backend = useClaimsBackend(caller);
  const [loaded, setLoaded] = useState<Loaded>({ state: 'loading' });
  const [isReporting, setReporting] = useState(false);
  const reload = useCallback(async () => {
    const answer = await backend.read();
    setLoaded((before) =>
      answer.ok
        ? { state: 'ready', order: answer.data }
        : before.state === 'ready'
          ? before
          : { state: 'failed', message: answer.message },
    );
  }, [backend]);
  useEffect(() => void reload(), [reload]);

  if (loaded.state === 'loading') return null;
  if (loaded.state === 'failed')
    return (
      <div className={styles.section}>
        <p className={styles.problem}>{loaded.message}</p>
        <Button size="small" onClick={() => void reload()}>
          Try again
        </Button>
      </div>
    );
  const { order } = loaded;
  const canReport =
    (order.window.state === 'open' || order.window.state === 'late') && order.items.some(({ left }) => left > 0);
  const hasNothing = order.claims.length === 0 && !canReport && order.window.state !== 'ended';
  if (hasNothing) return null;
  return (
    <section className={styles.section} aria-label="Problems with this order">
      {order.claims.map((claim) => (
        <ClaimView
          key={claim.id}
          claim={claim}
          isByLink={caller.link !== undefined}
          backend={backend}
          reload={reload}
        />
      ))}
      {canReport && (
        <div className={styles.report}>
          <Button aria-haspopup="dialog" onClick={() => setReporting(true)}>
            Report a problem
          </Button>
          {order.window.state === 'open' && order.window.ends_at && (
            <p>Something damaged, missing or not fresh? Tell us until {exactMoment(order.window.ends_at)}.</p>
          )}
          {order.window.state === 'late' && <p>Hasn’t it arrived? Tell us, and we’ll find out.</p>}
        </div>
      )}
      {order.window.state === 'ended' && order.window.ends_at && order.claims.length === 0 && (
        <p className={styles.ended}>{windowEnded(order.window.ends_at, order.contact)}</p>
      )}
      {order.claims.some(({ decision }) => decision === 'refusal') && (
        <p className={styles.ended}>Not satisfied with our decision? {complainTo(order.contact)}</p>
      )}
      <ClaimDialog
        open={isReporting}
        order={order}
        backend={backend}
        onClose={() => setReporting(false)}
        onMade={() => void reload()}
      />
    </section>
  );
}
