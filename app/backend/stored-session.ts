import { recall } from './remembered.ts';

export const sessionKey = 'mithaas-session';

/** True when loading supabase-js can tell us more than "nobody is signed in". */
export function mayHaveSession(): boolean {
  return recall('localStorage', sessionKey) !== null || isSignInReturn();
}

/** The site root with what sign-in brought back. */
export function isSignInReturn(): boolean {
  return /[?&](code|error)=/.test(window.location.search);
}
