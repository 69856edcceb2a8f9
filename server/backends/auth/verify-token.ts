import { jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

export type Caller = {
  role: 'anon' | 'authenticated' | 'service_role';
  userId: string | null;
  claims: Record<string, unknown>;
  /** Unix seconds. */
  expiresAt: number;
};

const Claims = z.looseObject({ sub: z.uuid(), role: z.literal('authenticated'), exp: z.number() });

// jose ignores padding, spaces and the two bits after a signature: here a token has one spelling.
const canonical = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/;

const CACHED_TOKENS = 2000;

/**
 * Verifies access tokens of the embedded backend: HS256, signed with this installation's secret. Customers send the same
 * token with every request, so a valid one is cached until it expires.
 */
export function tokenVerifier(jwtSecret: string): (token: string) => Promise<Caller | null> {
  const key = new TextEncoder().encode(jwtSecret);
  const cache = new LRUCache<string, Caller>({ max: CACHED_TOKENS });

  return async (token) => {
    const cached = cache.get(token);
    if (cached && cached.expiresAt * 1000 > Date.now()) return cached;
    cache.delete(token);
    const claims = canonical.test(token) ? await claimsOf(token, key) : null;
    if (!claims) return null;
    const caller: Caller = { role: claims.role, userId: claims.sub, claims, expiresAt: claims.exp };
    cache.set(token, caller);
    return caller;
  };
}

async function claimsOf(token: string, key: Uint8Array): Promise<z.infer<typeof Claims> | null> {
  try {
    const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'], audience: 'authenticated' });
    return Claims.safeParse(payload).data ?? null;
  } catch {
    return null;
  }
}
