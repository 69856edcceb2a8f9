import type { AccessToken } from '#app/backend/session.tsx';

export type SignedIn = {
  token(): Promise<AccessToken>;
  /** After the token was refused. */
  renewToken(): Promise<AccessToken>;
  /** Resolves when an administrator has logged in again; false: they went away instead. */
  signInAgain(): Promise<boolean>;
};

/**
 * Sends a request with a session. Where there is none any more, the request waits until an administrator has logged in
 * again, and then goes on: a refused token changed nothing. null: not logged in again. Throws where sign-in does not respond.
 */
export async function sendSignedIn<T extends { status: number }>(
  send: () => PromiseLike<T>,
  { token, renewToken, signInAgain }: SignedIn,
): Promise<T | null> {
  let refused: T | null = null;
  for (const read of [token, renewToken]) {
    const access = await read();
    if (!access.ok && access.reason === 'not-refreshed') throw new Error('sign-in does not respond');
    if (!access.ok) return (await signInAgain()) ? send() : null;
    refused = await send();
    if (refused.status !== 401) break;
  }
  return refused;
}

type Waiting = (isSignedIn: boolean) => void;
let waiting: Waiting[] = [];
let onWaiting: () => void = () => {};

/** Calls back whenever a request begins to wait; returns how to stop that. */
export function followWaiting(listener: () => void): () => void {
  onWaiting = listener;
  return () => {
    onWaiting = () => {};
  };
}

/** Waits for settleSignIn(). */
export function signInAgain(): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  waiting.push(resolve);
  onWaiting();
  return promise;
}

/** Whatever waits for a session goes on, or gives up. */
export function settleSignIn(isSignedIn: boolean): void {
  const settled = waiting;
  waiting = [];
  for (const resolve of settled) resolve(isSignedIn);
}
