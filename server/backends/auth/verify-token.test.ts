import { createHmac } from 'node:crypto';
import { SignJWT } from 'jose';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { tokenVerifier } from './verify-token.ts';

const secret = 'the secret of this installation, long enough';
const userId = '11111111-1111-4111-8111-111111111111';
const token = (seconds: number, signedWith = secret) =>
  new SignJWT({ sub: userId, role: 'authenticated', aud: 'authenticated' })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
    .sign(new TextEncoder().encode(signedWith));

afterEach(() => vi.useRealTimers());

test('a cached token ends when it expires, not later', async () => {
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

describe('a token signed with the secret', () => {
  const now = Math.floor(Date.now() / 1000);
  const good = { sub: userId, role: 'authenticated', aud: 'authenticated', exp: now + 60 };
  const encode = (value: unknown) =>
    Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
  const signed = (payload: unknown, header: unknown = { alg: 'HS256', typ: 'JWT' }) => {
    const text = `${encode(header)}.${encode(payload)}`;
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  };
  const verify = tokenVerifier(secret);

  test.each<[string, string]>([
    ['as the shop writes them', signed(good)],
    ['for several audiences, one of them ours', signed({ ...good, aud: ['other', 'authenticated'] })],
    ['that holds from now on', signed({ ...good, nbf: now })],
  ])('is taken: %s', async (_what, token) => {
    expect(await verify(token)).toMatchObject({ userId, role: 'authenticated', expiresAt: now + 60 });
  });

  test.each<[string, string]>([
    ['expired this second', signed({ ...good, exp: now })],
    ['without an end', signed({ ...good, exp: undefined })],
    ['with an end in words', signed({ ...good, exp: 'never' })],
    ['that does not hold yet', signed({ ...good, nbf: now + 60 })],
    ['for another audience', signed({ ...good, aud: 'other' })],
    ['for no audience', signed({ ...good, aud: undefined })],
    ['of another role', signed({ ...good, role: 'service_role' })],
    ['of no account', signed({ ...good, sub: undefined })],
    ['with another algorithm in its header', signed(good, { alg: 'HS512' })],
    ['with none', signed(good, { alg: 'none' })],
    ['with one in other letters', signed(good, { alg: 'hs256' })],
    ['that must be understood otherwise', signed(good, { alg: 'HS256', crit: ['b64'], b64: false })],
    ['whose header is no JSON', signed(good, 'HS256')],
    ['whose claims are no JSON', signed('claims')],
    ['whose claims are a list', signed([good])],
    ['with something after it', `${signed(good)}.x`],
    ['with a space', `${signed(good)} `],
    ['padded', `${signed(good)}=`],
    ['with a signature cut short', signed(good).slice(0, -1)],
    ['without its signature', signed(good).replace(/[^.]+$/, '')],
  ])('is refused: %s', async (_what, token) => {
    expect(await verify(token)).toBeNull();
  });

  test('is refused with any other last letter, also one that means the same bytes', async () => {
    const token = signed(good);
    for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
      const other = token.slice(0, -1) + letter;
      if (other !== token) expect(await verify(other), letter).toBeNull();
    }
  });
});
