import { recall } from './remembered.ts';

export const sessionKey = 'mithaas-session';

/**
 * Runs in the head of every page, before the first paint: pages are the same for everybody and say "Login". Styles hide
 * that and keep room for the avatar while the document carries the mark.
 */
export const markStoredSession = `try{if(localStorage.getItem('${sessionKey}'))document.documentElement.setAttribute('data-session','')}catch{}`;

/** Sets the mark once the browser knows more. */
export function markSession(hasSession: boolean): void {
  document.documentElement.toggleAttribute('data-session', hasSession);
}

/** False: the visitor is signed out, without loading supabase-js to find out. */
export function mayHaveSession(): boolean {
  return hasStoredSession() || isSignInReturn();
}

export function hasStoredSession(): boolean {
  return recall('localStorage', sessionKey) !== null;
}

/** The site root with what sign-in brought back. */
export function isSignInReturn(): boolean {
  return /[?&](code|error)=/.test(window.location.search);
}
