import { jwtVerify } from 'jose';
import { z } from 'zod';

export type Caller = {
  role: 'anon' | 'authenticated' | 'service_role';
  userId: string | null;
  claims: Record<string, unknown>;
  /** Unix seconds. */
  expiresAt: number;
};

const Claims = z.looseObject({ sub: z.uuid(), role: z.literal('authenticated'), exp: z.number() });

const remembered = 2000;

/**
 * Verifies access tokens of the embedded backend: HS256, signed with this installation's secret. A token that was good
 * stays so until it expires, and people come with the same one again and again.
 */
export function tokenVerifier(jwtSecret: string): (token: string) => Promise<Caller | null> {
  const key = crypto.subtle.importKey(
    'raw',
    new TextEncoder().encode(jwtSecret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  );
  const known = new Map<string, Caller>();
  return async (token) => {
    const before = known.get(token);
    if (before && before.expiresAt * 1000 > Date.now()) return before;
    known.delete(token);
    try {
      const { payload } = await jwtVerify(token, await key, { algorithms: ['HS256'], audience: 'authenticated' });
      const claims = Claims.parse(payload);
      const caller: Caller = { role: claims.role, userId: claims.sub, claims, expiresAt: claims.exp };
      if (known.size >= remembered) known.delete(known.keys().next().value ?? '');
      known.set(token, caller);
      return caller;
    } catch {
      return null;
    }
  };
}
