import type { PublicConfig } from '#app/shop-context.ts';
import { forgetVisited } from './cache-names.ts';
import { checkSession, isSignInReachable, type ShopClient, supabase } from './client.ts';
import { groupDraftKey } from './group-draft-key.ts';
import { isOwnPath } from './own-path.ts';
import { parcelKey } from './parcel-key.ts';
import { forget, recall, remember } from './remembered.ts';
import type { AccessToken, Known, OnReturn, SignedIn, SignInResult } from './session.tsx';
import { SIGN_IN_TIMEOUT_MS } from './sign-in-timeout.ts';
import { hasStoredSession, mayHaveSession, sessionKey } from './stored-session.ts';

const returnKey = 'mithaas-return-to';
/** All that supabase-js stores. */
const storedSessionKeys = [sessionKey, `${sessionKey}-user`, `${sessionKey}-code-verifier`];
/** Instead of a path: the window was opened to sign in and has nothing to go on to. */
const closeWindow = 'close';

/** While the session ends, access is not checked: the request would be refused. */
let isSigningOut = false;

/** Reports who is signed in, now and after every change, until `left` is aborted. */
export async function followSession(
  config: PublicConfig,
  { left, onChange, onReturn }: { left: AbortSignal; onChange(known: Known): void; onReturn: OnReturn | null },
): Promise<void> {
  const client = await supabase(config);
  if (left.aborted) return;
  let known: Known = { state: 'checking', who: null, isAdministrator: null, hasCheckFailed: false };
  let isReturning = onReturn !== null;
  const tell = (change: Partial<Known>) => {
    known = { ...known, ...change };
    if (!left.aborted) onChange(known);
  };
  const checkAdministrator = async (userId: string, failures = 0): Promise<void> => {
    const isAdministrator = await readIsAdministrator(client, userId);
    if (left.aborted || known.who?.id !== userId) return;
    if (isAdministrator !== null) return tell({ isAdministrator, hasCheckFailed: false });
    // Not knowing is not a no: an administrator would be sent away for a lost packet.
    if (failures >= 1) tell({ hasCheckFailed: true });
    setTimeout(checkAdministrator, 2000, userId, failures + 1);
  };
  const { data } = client.auth.onAuthStateChange((_event, session) => {
    const who = session ? signedInFrom(session.user) : null;
    const isSamePerson = who?.id === known.who?.id;
    const isAdministrator = isSamePerson ? known.isAdministrator : who ? null : false;
    // supabase-js says "no session" for a token it could not refresh, and keeps it stored.
    if (!who && hasStoredSession()) return tell({ state: 'unreachable', who, isAdministrator: null });
    tell({
      state: who ? 'signed-in' : 'visitor',
      who,
      isAdministrator,
      ...(isSamePerson ? {} : { hasCheckFailed: false }),
    });
    if (who && !isSamePerson && !isSigningOut) void checkAdministrator(who.id);
    if (!isReturning) return;
    isReturning = false;
    onReturn?.(takeReturnPath(), { isSignedIn: who !== null });
  });
  left.addEventListener('abort', () => data.subscription.unsubscribe());
}

/** Starts the social sign-in and remembers where it began. */
export async function signIn(config: PublicConfig, part?: string): Promise<SignInResult> {
  const { pathname, search, hash } = window.location;
  const isKept = remember('sessionStorage', returnKey, pathname + search + (part ? `#${part}` : hash));
  // What proves on the way back that it was this browser would be lost, too.
  if (!isKept)
    return {
      ok: false,
      message: 'Your browser is blocking cookies, so you can’t log in. Allow them for this site and try again.',
    };
  // A redirect to a server that does not respond would leave an empty page for as long as the browser waits.
  if (!(await isSignInReachable(config, SIGN_IN_TIMEOUT_MS)))
    return { ok: false, message: 'We can’t reach sign-in right now. Check your connection and try again.' };
  const { auth } = await supabase(config);
  const { error } = await auth.signInWithOAuth({
    provider: config.signInProvider,
    options: { redirectTo: `${window.location.origin}/` },
  });
  return error ? { ok: false, message: error.message } : { ok: true };
}

/** As signIn(), in a window of its own, which closes when it comes back signed in. */
export async function signInBeside(config: PublicConfig, other: Window): Promise<SignInResult> {
  if (!(await isSignInReachable(config, SIGN_IN_TIMEOUT_MS)))
    return { ok: false, message: 'We can’t reach sign-in right now. Check your connection and try again.' };
  const { auth } = await supabase(config);
  const { data, error } = await auth.signInWithOAuth({
    provider: config.signInProvider,
    options: { redirectTo: `${window.location.origin}/`, skipBrowserRedirect: true },
  });
  if (error) return { ok: false, message: error.message };
  // Of the other window, which has our origin until it goes to sign-in.
  other.sessionStorage.setItem(returnKey, closeWindow);
  other.location.replace(data.url);
  return { ok: true };
}

/**
 * Ends the session on this device, even if a step fails: without a network the code of supabase-js may be missing, and
 * it tries for half a minute to refresh an expired token before it removes it.
 */
export async function signOut(config: PublicConfig, connect: typeof supabase = supabase): Promise<void> {
  isSigningOut = true;
  await forgetVisited().catch(() => {});
  try {
    const { auth } = await connect(config);
    await inTime(auth.signOut({ scope: 'local' }), SIGN_IN_TIMEOUT_MS);
  } catch {
    // Auth was not told: there the session expires.
  } finally {
    for (const key of storedSessionKeys) forget('localStorage', key);
    forget('sessionStorage', parcelKey);
    forget('localStorage', groupDraftKey);
    isSigningOut = false;
  }
}

export async function readToken(config: PublicConfig): Promise<AccessToken> {
  if (!mayHaveSession()) return { ok: false, reason: 'signed-out' };
  try {
    const { auth } = await supabase(config);
    // supabase-js retries a refresh for half a minute, which is too long to wait.
    const { data, error } = await inTime(auth.getSession(), SIGN_IN_TIMEOUT_MS);
    if (data.session) return { ok: true, token: data.session.access_token };
    return { ok: false, reason: error ? 'not-refreshed' : 'signed-out' };
  } catch {
    return { ok: false, reason: 'not-refreshed' };
  }
}

/** 'signed-out' where Auth has ended the session: then it is no longer stored either. */
export async function renewToken(config: PublicConfig): Promise<AccessToken> {
  try {
    const { auth } = await supabase(config);
    await inTime(checkSession(config), SIGN_IN_TIMEOUT_MS);
    if (!hasStoredSession()) return { ok: false, reason: 'signed-out' };
    const { data } = await inTime(auth.refreshSession(), SIGN_IN_TIMEOUT_MS);
    if (data.session) return { ok: true, token: data.session.access_token };
  } catch {} // reported below
  return { ok: false, reason: hasStoredSession() ? 'not-refreshed' : 'signed-out' };
}

/** null: could not be checked. */
async function readIsAdministrator(client: ShopClient, userId: string): Promise<boolean | null> {
  try {
    const { data, error } = await inTime(client.rpc('is_administrator', { user_id: userId }), SIGN_IN_TIMEOUT_MS);
    return error ? null : data === true;
  } catch {
    return null;
  }
}

/** Rejects when `work` takes longer. */
function inTime<T>(work: PromiseLike<T>, ms: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('sign-in does not respond')), ms);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

/** The code is used up: it has no business in the address bar. Sign-in returns to the root; go on to where it began. */
function takeReturnPath(): string {
  const back = recall('sessionStorage', returnKey);
  forget('sessionStorage', returnKey);
  // Where the browser does not let us, it goes on to the home page, signed in.
  if (back === closeWindow) window.close();
  return back && isOwnPath(back, window.location.origin) ? back : '/';
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
