import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import type { PublicConfig } from '#app/shop-context.ts';
import { isSignInReturn, mayHaveSession, type ShopClient, supabase } from './client.ts';

export type SignedIn = { id: string; name: string; email: string; avatarUrl: string | null };

/** The access token, fresh; or that nobody is signed in, or that somebody was and it could not be refreshed. */
export type AccessToken = { ok: true; token: string } | { ok: false; reason: 'nobody' | 'not-refreshed' };

export type Session = {
  config: PublicConfig;
  /** 'checking' until the browser knows; the server and visitors without a stored session never wait. */
  state: 'visitor' | 'checking' | 'signed-in';
  who: SignedIn | null;
  isAdministrator: boolean;
  /** Starts the social sign-in; comes back to where the visitor was. */
  signIn(): Promise<{ ok: true } | { ok: false; message: string }>;
  signOut(): Promise<void>;
  client(): Promise<ShopClient>;
  token(): Promise<AccessToken>;
};

const SessionContext = createContext<Session | null>(null);
const returnKey = 'mithaas-return-to';

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
  onReturn(path: string): void;
}) {
  const [state, setState] = useState<Session['state']>('visitor');
  const [who, setWho] = useState<SignedIn | null>(null);
  const [isAdministrator, setAdministrator] = useState(false);

  useEffect(() => {
    if (!mayHaveSession()) return;
    // Asked now: supabase-js takes the code out of the address before it tells anybody.
    let returning = isSignInReturn();
    setState('checking');
    let gone = false;
    let stop = () => {};
    void supabase(config).then(
      ({ auth }) => {
        const { data } = auth.onAuthStateChange((_event, session) => {
          setWho(session ? signedInFrom(session.user) : null);
          setState(session ? 'signed-in' : 'visitor');
          if (!returning) return;
          returning = false;
          // The code is used up: it has no business in the address bar. Sign-in returns to the root; go on to where it began.
          const back = sessionStorage.getItem(returnKey);
          sessionStorage.removeItem(returnKey);
          onReturn(back && isOwnPath(back) ? back : '/');
        });
        stop = () => data.subscription.unsubscribe();
        if (gone) stop();
      },
      () => setState('visitor'),
    );
    return () => {
      gone = true;
      stop();
    };
  }, [config, onReturn]);

  const userId = who?.id;
  useEffect(() => {
    setAdministrator(false);
    if (!userId) return;
    let gone = false;
    void supabase(config)
      .then((client) => client.rpc('is_administrator', { user_id: userId }))
      .then(({ data }) => !gone && setAdministrator(data === true));
    return () => {
      gone = true;
    };
  }, [config, userId]);

  const signIn = useCallback<Session['signIn']>(async () => {
    try {
      sessionStorage.setItem(returnKey, window.location.pathname + window.location.search);
      const { auth } = await supabase(config);
      const { error } = await auth.signInWithOAuth({
        provider: config.signInProvider,
        options: { redirectTo: `${window.location.origin}/` },
      });
      return error ? { ok: false, message: error.message } : { ok: true };
    } catch {
      return { ok: false, message: 'Something went wrong. Please try again.' };
    }
  }, [config]);

  const session = useMemo<Session>(
    () => ({
      config,
      state,
      who,
      isAdministrator,
      signIn,
      async signOut() {
        const { auth } = await supabase(config);
        await auth.signOut({ scope: 'local' });
        setWho(null);
        setState('visitor');
      },
      client: () => supabase(config),
      async token() {
        if (!mayHaveSession()) return { ok: false, reason: 'nobody' };
        try {
          const { auth } = await supabase(config);
          const { data, error } = await auth.getSession();
          if (data.session) return { ok: true, token: data.session.access_token };
          return { ok: false, reason: error ? 'not-refreshed' : 'nobody' };
        } catch {
          return { ok: false, reason: 'not-refreshed' };
        }
      },
    }),
    [config, state, who, isAdministrator, signIn],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** A path of this site and nothing that a browser could read as another one. */
function isOwnPath(path: string): boolean {
  return /^\/(?![/\\])/.test(path) && new URL(path, window.location.origin).origin === window.location.origin;
}

function signedInFrom(user: { id: string; email?: string; user_metadata: Record<string, unknown> }): SignedIn {
  const text = (name: string) => {
    const value = user.user_metadata[name];
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
  };
  return {
    id: user.id,
    name: text('full_name') ?? text('name') ?? 'New User',
    email: user.email ?? '',
    avatarUrl: text('avatar_url'),
  };
}
