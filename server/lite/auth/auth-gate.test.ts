import { describe, expect, test } from 'vitest';
import { foreignAddresses } from '../../../tests/support/foreign-addresses.ts';
import { type AuthGateOptions, passAuthGate, withoutTraces } from './auth-gate.ts';

const site = 'https://shop.example';
const options: AuthGateOptions = { provider: 'google', returnOrigins: [site], mayTry: async () => true };
const challenge = `code_challenge=${'a'.repeat(43)}&code_challenge_method=s256`;

/** The refusal's status and code; null when the request may pass. */
async function refusal(method: string, path: string, body?: string, changes: Partial<AuthGateOptions> = {}) {
  const request = new Request(`${site}/auth/v1${path}`, { method, ...(body === undefined ? {} : { body }) });
  const passed = await passAuthGate(request, { ...options, ...changes });
  return passed instanceof Response ? [passed.status, (await passed.json()).error.code] : null;
}

describe('social sign-in passes', () => {
  test.each<[string, string, string?]>([
    ['GET', `/authorize?provider=google&${challenge}`],
    [
      'GET',
      `/authorize?provider=google&${challenge.toUpperCase().replace('CODE_CHALLENGE_METHOD', 'code_challenge_method').replace('CODE_CHALLENGE', 'code_challenge')}`,
    ],
    ['GET', `/authorize?provider=google&${challenge}&redirect_to=${encodeURIComponent(`${site}/`)}`],
    ['GET', '/callback?code=x&state=y'],
    ['POST', '/token?grant_type=pkce', '{"auth_code":"x","code_verifier":"y"}'],
    ['POST', '/token?grant_type=refresh_token', '{"refresh_token":"x"}'],
    ['GET', '/user'],
    ['PUT', '/user', '{"data":{"full_name":"A"}}'],
    ['PUT', '/user', '{"data":{"full_name":"A"},"code_challenge":null,"code_challenge_method":null}'],
    ['POST', '/logout?scope=local'],
    ['GET', '/settings'],
    ['GET', '/health'],
    ['GET', '/.well-known/jwks.json'],
    ['OPTIONS', '/token?grant_type=pkce'],
  ])('%s %s', async (method, path, body) => {
    expect(await refusal(method, path, body)).toBeNull();
  });

  test('and the body can still be read behind the gate', async () => {
    const request = new Request(`${site}/auth/v1/token?grant_type=pkce`, { method: 'POST', body: '{"auth_code":"x"}' });
    const passed = await passAuthGate(request, options);
    expect(await (passed as Request).json()).toEqual({ auth_code: 'x' });
  });
});

describe('everything else stays closed, also what a later version of the library may add', () => {
  test.each([
    '/signup',
    '/signup/',
    '/Signup',
    '/otp',
    '/magiclink',
    '/recover',
    '/verify',
    '/resend',
    '/invite',
    '/sso',
    '/sso/saml/acs',
    '/admin/users',
    '/admin/generate_link',
    '/factors',
    '/factors/x/verify',
    '/reauthenticate',
    '/user/identities/authorize',
    '/token/',
    '/something-new',
    '/',
    '',
    '/constructor',
    '/__proto__',
    '/hasOwnProperty',
    '//token',
  ])('"%s"', async (path) => {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      expect(await refusal(method, path, method === 'POST' ? '{}' : undefined)).toEqual([403, 'sign-in-method-closed']);
    }
  });

  test.each([
    '',
    '?grant_type=password',
    '?grant_type=id_token',
    '?grant_type=web3',
    '?grant_type=PKCE',
    '?grant_type=password&grant_type=pkce',
  ])('the token endpoint with "%s"', async (query) => {
    expect(await refusal('POST', `/token${query}`, '{}')).toEqual([403, 'sign-in-method-closed']);
  });

  test('the token endpoint with another grant behind an open one', async () => {
    expect(await refusal('POST', '/token?grant_type=pkce&grant_type=password', '{}')).toEqual([
      400,
      'repeated-parameter',
    ]);
  });

  test('an invitation inside the social flow', async () => {
    expect(await refusal('GET', `/authorize?provider=google&${challenge}&invite_token=x`)).toEqual([
      403,
      'sign-in-method-closed',
    ]);
  });

  test.each([
    ['DELETE', '/user'],
    ['POST', '/authorize'],
    ['GET', '/token?grant_type=pkce'],
    ['GET', '/logout'],
    ['POST', '/callback'],
    ['HEAD', '/user'],
  ])('%s %s is not a method of it', async (method, path) => {
    expect(await refusal(method, path)).toEqual([405, 'method-not-allowed']);
  });
});

describe('authorize', () => {
  test.each(['', 'provider=github', 'provider=', 'provider=google%20'])(
    'wants the configured provider, not "%s"',
    async (provider) => {
      expect(await refusal('GET', `/authorize?${provider}&${challenge}`)).toEqual([400, 'unknown-provider']);
    },
  );

  test.each([
    '',
    'code_challenge_method=s256',
    `code_challenge=${'a'.repeat(43)}`,
    `code_challenge=${'a'.repeat(42)}&code_challenge_method=s256`,
    `code_challenge=${'a'.repeat(129)}&code_challenge_method=s256`,
    `code_challenge=${'a'.repeat(43)}&code_challenge_method=plain`,
    `code_challenge=${'a'.repeat(43)}%0A&code_challenge_method=s256`,
  ])('wants PKCE, not "%s"', async (query) => {
    expect(await refusal('GET', `/authorize?provider=google&${query}`)).toEqual([400, 'pkce-required']);
  });

  test.each([
    ...foreignAddresses(site),
    ...['//shop.example/', '/', '', 'http://shop.example/', `${site}:8443/`, 'null'],
    ...[site, `${site}/cart`, `${site}/?next=/cart`, `${site}/#x`, `${site}//evil.example`],
  ])('returns to the root of this site only, not to "%s"', async (target) => {
    const path = `/authorize?provider=google&${challenge}&redirect_to=${encodeURIComponent(target)}`;
    expect(await refusal('GET', path)).toEqual([400, 'foreign-redirect']);
  });

  test('hands on what was checked and nothing else: the library would tell the identity provider', async () => {
    const more = 'redirect_uri=https://evil.example/&client_id=other&scopes=repo&prompt=none&skip_http_redirect=true';
    const request = new Request(`${site}/auth/v1/authorize?provider=google&${challenge}&${more}`, {
      headers: { referer: 'https://evil.example/' },
    });
    const passed = (await passAuthGate(request, options)) as Request;
    expect(Object.fromEntries(new URL(passed.url).searchParams)).toEqual({
      provider: 'google',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 's256',
      redirect_to: `${site}/`,
    });
  });

  test.each([
    'code_challenge=&code_challenge_method=',
    `code_challenge=${'b'.repeat(43)}`,
    'code_challenge_method=plain',
    'provider=github',
    `redirect_to=${site}/&redirect_to=https://evil.example/`,
  ])('is said once: not again with "%s"', async (again) => {
    expect(await refusal('GET', `/authorize?provider=google&${challenge}&${again}`)).toEqual([
      400,
      'repeated-parameter',
    ]);
  });
});

test('no cache keeps codes or tokens, and no other site is promised credentials', () => {
  const answer = withoutTraces(
    new Response('{}', { status: 201, headers: { 'access-control-allow-credentials': 'true', location: '/x' } }),
  );
  expect([answer.status, answer.headers.get('location')]).toEqual([201, '/x']);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
});

test.each(['auth_code', 'code_verifier', 'refresh_token'])('a token request has text for %s', async (name) => {
  for (const value of ['5', '{"toString":""}', '["x"]'])
    expect(await refusal('POST', '/token?grant_type=pkce', `{"${name}":${value}}`)).toEqual([400, 'invalid-body']);
});

describe('an account', () => {
  test.each([
    '{"email":"x@example.com"}',
    '{"password":"x"}',
    '{"phone":"1"}',
    '{"data":{},"email":"x"}',
    '{"nonce":"1"}',
    '{"EMAIL":"x"}',
    '{"app_metadata":{}}',
    '{"data":{},"code_challenge":"x"}',
  ])('cannot be changed by %s', async (body) => {
    expect(await refusal('PUT', '/user', body)).toEqual([403, 'field-closed']);
  });

  test.each([
    '{"__proto__":{"email":"x"}}',
    '',
    '[]',
    'null',
    '"x"',
    '{',
    '\u0000',
    '{"data":"x"}',
    '{"data":[]}',
    '{"data":5}',
  ])('is not changed by %j', async (body) => {
    expect(await refusal('PUT', '/user', body)).toEqual([400, 'invalid-body']);
  });

  test('with more than 4 KiB of data is refused', async () => {
    expect(await refusal('PUT', '/user', `{"data":{"x":"${'a'.repeat(4096)}"}}`)).toEqual([413, 'body-too-large']);
  });

  test.each(['name', 'full_name'])('has a %s of at most 80 characters', async (field) => {
    const change = (name: string) => refusal('PUT', '/user', JSON.stringify({ data: { [field]: name } }));
    expect(await change('𝓶'.repeat(80))).toBeNull();
    expect(await change('m'.repeat(81))).toEqual([400, 'name-too-long']);
  });
});

describe('too many attempts', () => {
  const full = { mayTry: async () => false };

  test('are told to wait, for authorize and token', async () => {
    expect(await refusal('GET', `/authorize?provider=google&${challenge}`, undefined, full)).toEqual([
      429,
      'too-many-sign-ins',
    ]);
    expect(await refusal('POST', '/token?grant_type=pkce', '{}', full)).toEqual([429, 'too-many-sign-ins']);
  });

  test('do not lock out a signed-in customer', async () => {
    expect(await refusal('GET', '/user', undefined, full)).toBeNull();
    expect(await refusal('POST', '/logout', undefined, full)).toBeNull();
  });

  test('are not used up by requests that are refused anyway', async () => {
    let counted = 0;
    const mayTry = async () => Boolean(++counted);
    await refusal('GET', '/authorize', undefined, { mayTry });
    await refusal('POST', '/token?grant_type=password', '{}', { mayTry });
    await refusal('POST', '/signup', '{}', { mayTry });
    expect(counted).toBe(0);
  });
});
