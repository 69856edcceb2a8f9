import type { SupabaseClient } from '@supabase/supabase-js';
import type { PublicConfig } from '#app/shop-context.ts';
import type { Database } from '#database-types';

export type SignedIn = { id: string; name: string; avatarUrl: string | null };

const storageKey = 'mithaas-session';
let client: Promise<SupabaseClient<Database>> | undefined;

/** supabase-js is large, so it comes only when there is a session, a sign-in under way, or somebody asks for it. */
export function supabase(config: PublicConfig): Promise<SupabaseClient<Database>> {
  client ??= import('@supabase/supabase-js').then(({ createClient }) =>
    createClient<Database>(config.url ?? window.location.origin, config.key, {
      auth: { flowType: 'pkce', storageKey, detectSessionInUrl: true },
    }),
  );
  return client;
}

/** True when loading supabase-js can tell us more than "nobody is signed in". */
export function mayHaveSession(): boolean {
  return localStorage.getItem(storageKey) !== null || /[?&](code|error)=/.test(window.location.search);
}

export async function signIn(config: PublicConfig): Promise<{ ok: true } | { ok: false; message: string }> {
  const { auth } = await supabase(config);
  const { error } = await auth.signInWithOAuth({
    provider: config.signInProvider,
    options: { redirectTo: `${window.location.origin}/` },
  });
  return error ? { ok: false, message: error.message } : { ok: true };
}

export async function signOut(config: PublicConfig): Promise<void> {
  const { auth } = await supabase(config);
  await auth.signOut({ scope: 'local' });
}

/** Tells who is signed in, now and whenever that changes; answers how to stop listening. */
export async function watchSession(config: PublicConfig, tell: (who: SignedIn | null) => void): Promise<() => void> {
  const { auth } = await supabase(config);
  const { data } = auth.onAuthStateChange((_event, session) => {
    tell(session ? signedIn(session.user) : null);
    // The code is used up; it has no business in the address bar or in shared links.
    if (/[?&](code|error)=/.test(window.location.search))
      history.replaceState(history.state, '', window.location.pathname);
  });
  return () => data.subscription.unsubscribe();
}

function signedIn(user: { id: string; user_metadata: Record<string, unknown> }): SignedIn {
  const text = (name: string) => {
    const value = user.user_metadata[name];
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
  };
  return { id: user.id, name: text('full_name') ?? text('name') ?? 'New User', avatarUrl: text('avatar_url') };
}
