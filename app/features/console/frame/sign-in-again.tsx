import { useEffect, useId, useRef, useState } from 'react';
import { useSession } from '#app/backend/session.tsx';
import { hasStoredSession, sessionKey } from '#app/backend/stored-session.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog, DialogActions, DialogBody } from '#app/ui/dialog.tsx';
import { keepDrafts } from '#app/ui/drafts.ts';
import { followWaiting, settleSignIn } from '../data/send-signed-in.ts';
import styles from './sign-in-again.module.css';

const windowFeatures = 'popup,width=480,height=680';

/**
 * Over the screen when the session has ended: logs in again in a window of its own, so that what is typed stays, and saves
 * that were under way go on. Covers the screen: another person may sit here now.
 */
export function SignInAgain({ open }: { open: boolean }) {
  const session = useSession();
  const { signIn, signInBeside, state, who, isAdministrator, hasCheckFailed, checkAgain } = session;
  const [problem, setProblem] = useState<string | null>(null);
  const [isWaiting, setWaiting] = useState(false);
  const id = useId();

  const screenOf = useRef<string | null>(null);
  useEffect(() => {
    const { isAdministrator, who } = session;
    if (open || !isAdministrator || !who) return;
    screenOf.current ??= who.id;
    if (screenOf.current !== who.id) return reloadForOtherPerson();
    settleSignIn(true);
    setProblem(null);
    setWaiting(false);
  }, [open, session]);
  // A request found no session, which this page may not know yet.
  const isOpen = useRef(open);
  isOpen.current = open;
  useEffect(() => followWaiting(() => !isOpen.current && checkAgain()), [checkAgain]);

  // The other window stores the session; it may close before its message arrives.
  useEffect(() => {
    if (!open) return;
    const left = new AbortController();
    const { signal } = left;
    window.addEventListener('storage', ({ key }) => key === sessionKey && checkAgain(), { signal });
    window.addEventListener('focus', () => hasStoredSession() && checkAgain(), { signal });
    return () => left.abort();
  }, [open, checkAgain]);

  async function logIn() {
    setProblem(null);
    // In the click handler: browsers open windows only for a press.
    const other = window.open('', '_blank', windowFeatures);
    if (!other) return logInHere();
    setWaiting(true);
    const started = await signInBeside(other);
    if (started.ok) return;
    other.close();
    setWaiting(false);
    setProblem(started.message);
  }
  /** Where windows are blocked: through this tab, with what was typed kept for when it is back. */
  async function logInHere() {
    if (!keepDrafts())
      return setProblem('Your browser blocks both new windows and storage. Allow windows for this site, then log in.');
    allowLeaving();
    const started = await signIn();
    if (!started.ok) setProblem(started.message);
  }

  const isChecking = state === 'signed-in' && isAdministrator === null && !hasCheckFailed;
  const isCustomer = state === 'signed-in' && isAdministrator === false;
  return (
    <Dialog open={open} onClose={() => {}} isLocked labelledBy={id} className={styles.dialog}>
      <DialogBody className={styles.body}>
        <h2 id={id}>Log in to continue</h2>
        <p>You were logged out. What you typed is still here and will be saved once you’ve logged in.</p>
        {isWaiting && state !== 'signed-in' && <p role="status">Log in in the window that just opened.</p>}
        {isChecking && <p role="status">Checking your access…</p>}
        {isCustomer && <p role="alert">{who?.name} is not an administrator. Log in with another account.</p>}
        {problem && <p role="alert">{problem}</p>}
        <DialogActions>
          {hasCheckFailed ? (
            <>
              <p role="alert">We couldn’t check your access. The shop is not responding.</p>
              <Button variant="primary" onClick={checkAgain}>
                Retry
              </Button>
            </>
          ) : (
            <Button variant="primary" data-first-focus onClick={logIn} isBusy={isChecking}>
              Log in
            </Button>
          )}
          <Button onClick={() => window.location.assign('/')}>Leave the console</Button>
        </DialogActions>
      </DialogBody>
    </Dialog>
  );
}

/**
 * Another administrator logged in: waiting requests are not theirs and must not be sent in their name. The typed values come
 * back unsaved, for them to judge.
 */
function reloadForOtherPerson() {
  keepDrafts();
  allowLeaving();
  window.location.reload();
}

/** The drafts are kept: the browser need not ask whether to leave. */
function allowLeaving() {
  window.addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true, once: true });
}
