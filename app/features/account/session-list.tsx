import { useCallback, useState } from 'react';
import { useNavigate } from 'react-router';
import type { ShopClient } from '#app/backend/client.ts';
import buttons from '#app/ui/button.module.css';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import skeletons from '#app/ui/skeleton.module.css';
import { formatDay, formatMoment } from '#domain/time.ts';
import { endAllSessions, endSession, type ListedSession, loadSessions } from './session-data.ts';
import styles from './session-list.module.css';
import { useLoaded } from './use-loaded.ts';

const notEnded = 'We couldn’t log out that device. Please try again.';

/** For a customer who left a phone or a shared computer logged in: what is logged in, and how to end it. */
export function SessionList({ client }: { client(): Promise<ShopClient> }) {
  const navigate = useNavigate();
  const { loaded, reload } = useLoaded(useCallback(async () => loadSessions(await client()), [client]));
  const [ended, setEnded] = useState<readonly string[]>([]);
  const [isBusy, setIsBusy] = useState(false);
  const [message, setMessage] = useState('');
  const [isAsking, setIsAsking] = useState(false);

  async function attempt(end: (client: ShopClient) => Promise<boolean>, done: () => void) {
    if (isBusy) return;
    setIsBusy(true);
    setMessage('');
    const isDone = await end(await client());
    setIsBusy(false);
    if (isDone) done();
    else setMessage(notEnded);
  }
  const endOne = ({ id, device }: ListedSession) =>
    attempt(
      (backend) => endSession(backend, id),
      () => {
        setEnded([...ended, id]);
        setMessage(`Logged out of ${device}.`);
      },
    );
  // The session is gone on the server; /logout takes it out of this browser.
  const endAll = () => attempt(endAllSessions, () => void navigate('/logout'));

  return (
    <section className={styles.sessions} aria-labelledby="sessions-title">
      <h3 id="sessions-title">Where you’re logged in</h3>
      {loaded.state === 'loading' && <span className={`${skeletons.skeleton} ${styles.toCome}`} aria-busy="true" />}
      {loaded.state === 'failed' && (
        <p className={styles.failed}>
          We couldn’t load this list.{' '}
          <button type="button" className={buttons.small} onClick={reload}>
            Try again
          </button>
        </p>
      )}
      {loaded.state === 'ready' && (
        <ul>
          {loaded.value
            .filter(({ id }) => !ended.includes(id))
            .map((session) => (
              <Entry key={session.id} session={session} isBusy={isBusy} onEnd={() => endOne(session)} />
            ))}
        </ul>
      )}
      <p className={styles.hint}>
        A device you don’t use for 30 days is logged out automatically. Logging out works on every device at once.
      </p>
      <div className={styles.all}>
        <button type="button" className={buttons.quiet} aria-disabled={isBusy} onClick={() => setIsAsking(true)}>
          Log out everywhere…
        </button>
        <p role="status">{message}</p>
      </div>
      <ConfirmDialog
        open={isAsking}
        title="Log out everywhere?"
        text="You’ll be logged out on every phone and computer, this one too. You can log in again any time."
        confirmLabel="Log out everywhere"
        tone="danger"
        onConfirm={endAll}
        onClose={() => setIsAsking(false)}
      >
        {message === notEnded && <p role="alert">{message}</p>}
      </ConfirmDialog>
    </section>
  );
}

type EntryProps = { session: ListedSession; isBusy: boolean; onEnd(): void };

function Entry({ session: { device, startedAt, lastUsedAt, isCurrent }, isBusy, onEnd }: EntryProps) {
  return (
    <li className={styles.entry}>
      <div>
        <p className={styles.device}>
          {device} {isCurrent && <span className={styles.current}>This device</span>}
        </p>
        <p className={styles.when}>
          Last used <time dateTime={lastUsedAt.toISOString()}>{formatMoment(lastUsedAt)}</time> · logged in on{' '}
          <time dateTime={startedAt.toISOString()}>{formatDay(startedAt)}</time>
        </p>
      </div>
      {!isCurrent && (
        <button
          type="button"
          className={buttons.small}
          aria-disabled={isBusy}
          aria-label={`Log out of ${device}, last used ${formatMoment(lastUsedAt)}`}
          onClick={onEnd}
        >
          Log out
        </button>
      )}
    </li>
  );
}
