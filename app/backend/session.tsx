import { createContext, type ReactNode, startTransition, useContext, useEffect, useMemo, useState } from 'react';
import type { PublicConfig } from '#app/shop-context.ts';
import type { ShopClient } from './client.ts';
import { SIGN_IN_TIMEOUT_MS } from './sign-in-timeout.ts';
import { hasStoredSession, isSignInReturn, markSession, mayHaveSession } from './stored-session.ts';

export type SignedIn = { id: string; name: string; email: string; avatarUrl: string | null };
export type SignInResult = { ok: true } | { ok: false; message: string };

/** A valid access token, or why there is none: no session, or one that could not be refreshed. */
export type AccessToken = { ok: true; token: string } | { ok: false; reason: 'signed-out' | 'not-refreshed' };

export type Known = {
  /**
   * 'checking' on the server and until the browser knows. 'unreachable': there is a stored session, and sign-in does not
   * respond; it becomes one of the others when sign-in responds again.
   */
  state: 'visitor' | 'checking' | 'signed-in' | 'unreachable';
  who: SignedIn | null;
  /** null until the server has responded; only the console waits for it. */
  isAdministrator: boolean | null;
  /** Whether that check has failed; it is retried. */
  hasCheckFailed: boolean;
};

export type Session = Known & {
  config: PublicConfig;
  /** Starts the social sign-in; comes back to where the visitor was, or to a part of that page by its id. */
  signIn(part?: string): Promise<SignInResult>;
  signOut(): Promise<void>;
  client(): Promise<ShopClient>;
  token(): Promise<AccessToken>;
  /** A new access token, after the backend refused the one there was. */
  renewToken(): Promise<AccessToken>;
  /**
   * Signs in in a window that was opened for it, so that this page stays as it is. The window closes by itself; this page
   * learns of the session as of any change in another tab.
   */
  signInBeside(other: Window): Promise<SignInResult>;
  /** Checks again who is signed in. */
  checkAgain(): void;
};

/** Back from the sign-in, which may have failed or been given up: where it was started. */
export type OnReturn = (path: string, result: { isSignedIn: boolean }) => void;

export const SessionContext = createContext<Session | null>(null);
const visitor: Known = { state: 'visitor', who: null, isAdministrator: false, hasCheckFailed: false };
const unknown: Known = { state: 'checking', who: null, isAdministrator: null, hasCheckFailed: false };
const unreachable: Known = { ...unknown, state: 'unreachable' };

// Most visitors never sign in: what a session needs comes with the first one.
const sessionWork = () => import('./session-work.ts');

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession needs a SessionProvider above it');
  return session;
}

export function SessionProvider({
  config,
  children,
  onReturn,
}: {
  config: PublicConfig;
  children: ReactNode;
  onReturn: OnReturn;
}) {
  const [known, setKnown] = useState(unknown);
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    // Not urgent (docs/decisions/0010): an urgent change would drop markup that waits for its code.
    const change = (now: Known) =>
      startTransition(() => {
        markSession(now.state !== 'visitor');
        setKnown(now);
      });
    // Later attempts follow it all the same: a session may come from another window.
    if (attempt === 0 && !mayHaveSession()) return change(visitor);
    // Read now: supabase-js removes the code from the address before it reports a session.
    const isReturn = isSignInReturn();
    const timer = setTimeout(() => change(mayHaveSession() ? unreachable : visitor), SIGN_IN_TIMEOUT_MS);
    const onChange = (now: Known) => {
      clearTimeout(timer);
      change(now);
    };
    const left = new AbortController();
    sessionWork()
      .then(({ followSession }) =>
        followSession(config, { left: left.signal, onChange, onReturn: isReturn ? onReturn : null }),
      )
      .catch(() => onChange(hasStoredSession() ? unreachable : visitor));
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, [config, onReturn, attempt]);

  const acts = useMemo(
    () => ({
      config,
      signIn: async (part?: string): Promise<SignInResult> => {
        try {
          return await (await sessionWork()).signIn(config, part);
        } catch {
          return { ok: false, message: 'Something went wrong. Please try again.' };
        }
      },
      signOut: async () => {
        await (await sessionWork()).signOut(config);
        markSession(false);
        setKnown(visitor);
      },
      client: async () => (await import('./client.ts')).supabase(config),
      token: async () => (await sessionWork()).readToken(config),
      renewToken: async () => (await sessionWork()).renewToken(config),
      signInBeside: async (other: Window): Promise<SignInResult> => {
        try {
          return await (await sessionWork()).signInBeside(config, other);
        } catch {
          return { ok: false, message: 'Something went wrong. Please try again.' };
        }
      },
      checkAgain: () => setAttempt((count) => count + 1),
    }),
    [config],
  );
  const session = useMemo<Session>(() => ({ ...acts, ...known }), [acts, known]);
  return <SessionContext value={session}>{children}</SessionContext>;
}
