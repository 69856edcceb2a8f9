import { useEffect, useId, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { FailedState } from '#app/ui/empty-state.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { formatDay, instantFrom } from '#domain/time.ts';
import styles from './order-link-dialog.module.css';

export type OrderLink = { token: string; days: number; revoked_at: string | null };

export type OrderLinkDialogProps = {
  number: number | string;
  /** Both throw when it cannot be done. */
  read(): Promise<OrderLink>;
  /** Ends the links made until now; returns a new one. */
  revoke(): Promise<OrderLink>;
  onClose(): void;
};

type State = { state: 'loading' } | { state: 'failed' } | { state: 'ready'; link: OrderLink };

/** The link with which an order is followed without a login: to share it, and to end what was shared. */
export default function OrderLinkDialog({ number, read, revoke, onClose }: OrderLinkDialogProps) {
  const title = useId();
  const field = useId();
  const [state, setState] = useState<State>({ state: 'loading' });
  const [attempt, setAttempt] = useState(0);
  const [isBusy, setBusy] = useState(false);
  const [said, setSaid] = useState('');

  // biome-ignore lint/correctness/useExhaustiveDependencies: read again with each attempt, and not when the page around renders
  useEffect(() => {
    let isStale = false;
    read().then(
      (link) => isStale || setState({ state: 'ready', link }),
      () => isStale || setState({ state: 'failed' }),
    );
    return () => {
      isStale = true;
    };
  }, [attempt]);

  async function copy(address: string) {
    try {
      await navigator.clipboard.writeText(address);
      setSaid('Link copied.');
    } catch {
      setSaid('Your browser doesn’t allow copying. Select the link and copy it.');
    }
  }

  async function stop() {
    if (isBusy) return;
    setBusy(true);
    try {
      setState({ state: 'ready', link: await revoke() });
      setSaid('Links sent until now don’t work any more. This is a new one.');
    } catch {
      setSaid('We couldn’t stop the links. Please try again.');
    }
    setBusy(false);
  }

  const link = state.state === 'ready' ? state.link : null;
  const address = link ? `${window.location.origin}/order/${link.token}` : '';
  const since = link?.revoked_at ? instantFrom(link.revoked_at) : null;
  return (
    <Dialog open onClose={onClose} labelledBy={title}>
      <div className={styles.body}>
        <h2 id={title}>Link to order {number}</h2>
        {state.state === 'loading' && <Skeleton className={styles.toCome} aria-busy="true" />}
        {state.state === 'failed' && (
          <FailedState
            title="We couldn’t load the link."
            text="Check your connection and try again."
            retry={() => setAttempt(attempt + 1)}
          />
        )}
        {link && (
          <>
            <p>
              Anyone with this link sees where the order is, its items and amounts, but no address and no full phone
              number. It works for {link.days} days.
            </p>
            <div className={styles.link}>
              <label htmlFor={field}>Link</label>
              <input id={field} readOnly value={address} onFocus={(event) => event.target.select()} />
              <Button variant="primary" onClick={() => copy(address)}>
                Copy link
              </Button>
            </div>
            <div className={styles.stop}>
              <p className={styles.soft}>
                Sent it to the wrong person? Stop all links sent until now, also those in emails.
                {since && ` Last stopped on ${formatDay(since)}.`}
              </p>
              <Button isBusy={isBusy} onClick={stop}>
                Stop earlier links
              </Button>
            </div>
          </>
        )}
        <p role="status" className={styles.said}>
          {said}
        </p>
        <div className={styles.actions}>
          <Button onClick={onClose}>Close</Button>
        </div>
      </div>
    </Dialog>
  );
}
