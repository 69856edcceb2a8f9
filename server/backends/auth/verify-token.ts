import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

export type Caller = {
  role: 'anon' | 'authenticated' | 'service_role';
  userId: string | null;
  claims: Record<string, unknown>;
  /** Unix seconds. */
  expiresAt: number;
};

// An extension that must be understood (crit) is none we understand.
const Header = z.object({ alg: z.literal('HS256'), crit: z.undefined().optional() });
const Claims = z.looseObject({
  sub: z.uuid(),
  role: z.literal('authenticated'),
  aud: z.union([z.literal('authenticated'), z.array(z.string()).refine((all) => all.includes('authenticated'))]),
  exp: z.number(),
  nbf: z.number().optional(),
});

const remembered = 2000;

/**
 * Verifies access tokens of the embedded backend: HS256, signed with this installation's secret. A token that was good
 * stays so until it expires, and people come with the same one again and again.
 */
export function tokenVerifier(jwtSecret: string): (token: string) => Promise<Caller | null> {
  const known = new Map<string, Caller>();
  return async (token) => {
    const before = known.get(token);
    if (before && before.expiresAt * 1000 > Date.now()) return before;
    known.delete(token);
    const claims = claimsOf(token, jwtSecret);
    if (!claims) return null;
    const caller: Caller = { role: claims.role, userId: claims.sub, claims, expiresAt: claims.exp };
    if (known.size >= remembered) known.delete(known.keys().next().value ?? '');
    known.set(token, caller);
    return caller;
  };
}

// Libraries for tokens ask WebCrypto, which sends these few microseconds of work to another thread, and its answer back.
function claimsOf(token: string, secret: string): z.infer<typeof Claims> | null {
  const [, signed, header, payload, signature] = /^(([\w-]+)\.([\w-]+))\.([\w-]{43})$/.exec(token) ?? [];
  if (!signed || !header || !payload || !signature) return null;
  const expected = createHmac('sha256', secret).update(signed).digest('base64url');
  if (!timingSafeEqual(Buffer.from(expected), Buffer.from(signature))) return null;
  if (!Header.safeParse(jsonIn(header)).success) return null;
  const { data: claims } = Claims.safeParse(jsonIn(payload));
  const now = Math.floor(Date.now() / 1000);
  return claims && claims.exp > now && (claims.nbf ?? now) <= now ? claims : null;
}

function jsonIn(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    return null;
  }
}
