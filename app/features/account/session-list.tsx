import { useCallback, useState } from 'react';
import { useNavigate } from 'react-router';
import type { ShopClient } from '#app/backend/client.ts';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
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
      {loaded.state === 'loading' && <Skeleton className={styles.toCome} aria-busy="true" />}
      {loaded.state === 'failed' && (
        <p className={styles.failed}>
          We couldn’t load this list.{' '}
          <Button size="small" onClick={reload}>
            Try again
          </Button>
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
        <Button isBusy={isBusy} onClick={() => setIsAsking(true)}>
          Log out everywhere…
        </Button>
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
          {device} {isCurrent && <Badge>This device</Badge>}
        </p>
        <p className={styles.when}>
          Last used <time dateTime={lastUsedAt.toISOString()}>{formatMoment(lastUsedAt)}</time> · logged in on{' '}
          <time dateTime={startedAt.toISOString()}>{formatDay(startedAt)}</time>
        </p>
      </div>
      {!isCurrent && (
        <Button
          size="small"
          isBusy={isBusy}
          aria-label={`Log out of ${device}, last used ${formatMoment(lastUsedAt)}`}
          onClick={onEnd}
        >
          Log out
        </Button>
      )}
    </li>
  );
}
