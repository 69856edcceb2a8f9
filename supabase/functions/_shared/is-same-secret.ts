import { createHash, timingSafeEqual } from 'node:crypto';

/** Hashed first, so that neither length nor content shows in the time it takes. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
