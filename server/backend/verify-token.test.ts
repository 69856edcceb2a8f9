import { SignJWT } from 'jose';
import { afterEach, expect, test, vi } from 'vitest';
import { tokenVerifier } from './verify-token.ts';

const secret = 'the secret of this installation, long enough';
const userId = '11111111-1111-4111-8111-111111111111';
const token = (seconds: number, signedWith = secret) =>
  new SignJWT({ sub: userId, role: 'authenticated', aud: 'authenticated' })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
    .sign(new TextEncoder().encode(signedWith));

afterEach(() => vi.useRealTimers());

test('a token that is remembered ends when it says, not later', async () => {
  const verify = tokenVerifier(secret);
  const good = await token(60);
  expect((await verify(good))?.userId).toBe(userId);
  expect((await verify(good))?.userId).toBe(userId);
  vi.useFakeTimers({ now: Date.now() + 61_000, toFake: ['Date'] });
  expect(await verify(good)).toBeNull();
});

test('a token of another secret is refused again and again', async () => {
  const verify = tokenVerifier(secret);
  const forged = await token(60, 'some other secret, just as long as ours');
  for (let n = 0; n < 3; n += 1) expect(await verify(forged)).toBeNull();
});
