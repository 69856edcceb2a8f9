import type { Caller } from '../backends/auth/verify-token.ts';

export const anonymous: Caller = {
  role: 'anon',
  userId: null,
  claims: { role: 'anon' },
  expiresAt: Number.POSITIVE_INFINITY,
};

/**
 * Groups callers who see the same rows, so that these are read once for all of them. Policies may read any
 * claim except those about the token's age, which change with every refresh.
 */
export function identityOf(caller: Caller): string {
  const { iat: _iat, exp: _exp, nbf: _nbf, jti: _jti, ...lasting } = caller.claims;
  return JSON.stringify([caller.role, caller.userId, lasting]);
}

export function hasExpired(caller: Caller, nowMs: number): boolean {
  return caller.expiresAt * 1000 <= nowMs;
}
