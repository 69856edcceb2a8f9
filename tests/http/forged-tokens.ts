import { SignJWT } from 'jose';

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Tokens that must open nothing. Some are signed with the real secret: wrong in what they claim, not in who signed. */
export async function forgedTokens(jwtSecret: string, userId: string): Promise<Record<string, string>> {
  const now = Math.floor(Date.now() / 1000);
  const claims = { sub: userId, role: 'authenticated', aud: 'authenticated', exp: now + 3600 };
  const sign = (changes: Record<string, unknown>, secret = jwtSecret, alg = 'HS256') =>
    new SignJWT({ ...claims, ...changes })
      .setProtectedHeader({ alg, typ: 'JWT' })
      .sign(new TextEncoder().encode(secret));
  const valid = await sign({});
  const wrongSecret = 'not-the-secret-of-this-shop'.repeat(3);
  return {
    'garbage in one piece': 'garbage',
    'garbage in three pieces': 'a.b.c',
    'a very long one': `${'a'.repeat(4000)}.b.c`,
    'alg none without a signature': `${encode({ alg: 'none', typ: 'JWT' })}.${encode(claims)}.`,
    'alg none with a signature': `${encode({ alg: 'none', typ: 'JWT' })}.${encode(claims)}.AAAA`,
    expired: await sign({ exp: now - 60 }),
    'signed with another secret': await sign({}, wrongSecret),
    'service_role signed with another secret': await sign({ role: 'service_role' }, wrongSecret),
    'postgres signed with another secret': await sign({ role: 'postgres' }, wrongSecret),
    'another algorithm': await sign({}, jwtSecret, 'HS512'),
    'another audience': await sign({ aud: 'somebody-else' }),
    'no audience': await sign({ aud: undefined }),
    'no expiry': await sign({ exp: undefined }),
    'an expiry that is no number': await sign({ exp: '9999999999' as never }).catch(() => 'a.b.c'),
    'not valid yet': await sign({ nbf: now + 3600 }),
    'the role of a visitor': await sign({ role: 'anon' }),
    'the role of the service': await sign({ role: 'service_role' }),
    'a character behind it': `${valid}x`,
    'a part behind it': `${valid}.x`,
    'words behind it': `${valid} x`,
    'no subject': await sign({ sub: undefined }),
    'a subject that is no uuid': await sign({ sub: "1' or '1'='1" }),
  };
}

/** Valid in every way, but its owner's account is gone: tokens live for an hour. */
export function tokenOfNobody(jwtSecret: string): Promise<string> {
  const claims = { sub: '11111111-1111-4111-8111-111111111111', role: 'authenticated', aud: 'authenticated' };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(jwtSecret));
}
