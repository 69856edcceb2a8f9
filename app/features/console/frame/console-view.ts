import type { Known } from '#app/backend/session.tsx';

export type ConsoleView =
  | 'waiting'
  | 'screen'
  /** The screen stays as it is, with what was typed, under the question to log in again. */
  | 'sign-in-again'
  /** Whether this is an administrator could not be checked. */
  | 'check-failed'
  /** A visitor or a customer. */
  | 'leave';

/**
 * What the console shows. Once an administrator works in it, nothing that happens to the session takes the screen away: a
 * form may be filled in.
 */
export function consoleView(
  { state, isAdministrator, hasCheckFailed }: Pick<Known, 'state' | 'isAdministrator' | 'hasCheckFailed'>,
  { wasAdmitted, mayHaveSession }: { wasAdmitted: boolean; mayHaveSession: boolean },
): ConsoleView {
  if (isAdministrator) return 'screen';
  // A save that gets no response shows its own message.
  if (wasAdmitted) return state === 'unreachable' || state === 'checking' ? 'screen' : 'sign-in-again';
  if (hasCheckFailed || state === 'unreachable') return 'check-failed';
  if (isAdministrator === false && (state === 'signed-in' || !mayHaveSession)) return 'leave';
  return 'waiting';
}
