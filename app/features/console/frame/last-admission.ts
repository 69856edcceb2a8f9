import { recall, remember } from '#app/backend/remembered.ts';
import { sessionKey } from '#app/backend/stored-session.ts';

const key = 'mithaas-console-admitted';

/**
 * Whether the user of the stored session was an administrator at the last visit. Then the screen's first
 * request is sent beside the check of access and not after it; what either returns is the server's to decide.
 */
export function wasAdmittedBefore(): boolean {
  const userId = storedUserId();
  return userId !== null && userId === recall('localStorage', key);
}

export function rememberAdmission(userId: string): void {
  remember('localStorage', key, userId);
}

/** The user of the stored session; null if there is none. */
function storedUserId(): string | null {
  try {
    const session: { user?: { id?: string } } | null = JSON.parse(recall('localStorage', sessionKey) ?? 'null');
    return session?.user?.id ?? null;
  } catch {
    return null;
  }
}
