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

/** Verifies access tokens of the embedded backend: HS256, signed with this installation's secret. */
export function tokenVerifier(jwtSecret: string): (token: string) => Promise<Caller | null> {
  const key = new TextEncoder().encode(jwtSecret);
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'], audience: 'authenticated' });
      const claims = Claims.parse(payload);
      return { role: claims.role, userId: claims.sub, claims, expiresAt: claims.exp };
    } catch {
      return null;
    }
  };
}

export function bearerToken(headers: Headers): string | null {
  return /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null;
}
