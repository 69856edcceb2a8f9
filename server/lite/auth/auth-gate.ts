import { problem } from '../../../supabase/functions/_shared/problem.ts';
import { readBody } from '../../../supabase/functions/_shared/read-body.ts';
import { jsonIn } from '../json-body.ts';

export type AuthGateOptions = {
  /** null: nobody can sign in, because no provider is configured. */
  provider: string | null;
  /** Origins that sign-in may return to, the shop's own first. */
  returnOrigins: string[];
  /** Counts a sign-in attempt; false when this address has had enough for now. */
  mayTry(request: Request): Promise<boolean>;
};

/** What the metadata of an account may hold in sum; SQL keeps the same bound (private.bounded_metadata). */
const MAX_METADATA = 4 * 1024;
const MAX_NAME = 80;

const closed = () =>
  problem(403, 'sign-in-method-closed', 'Please sign in with your social account. Other ways are not available.');

// Exactly what social sign-in with PKCE needs. Whatever else the library offers, now or in a later version, stays closed.
const open: Record<string, string[]> = {
  '/authorize': ['GET'],
  '/callback': ['GET'],
  '/token': ['POST'],
  '/user': ['GET', 'PUT'],
  '/logout': ['POST'],
  '/settings': ['GET'],
  '/health': ['GET'],
  '/.well-known/jwks.json': ['GET'],
};

/** Lets a request for Auth through (with its body read), or answers why not. */
export async function passAuthGate(request: Request, options: AuthGateOptions): Promise<Request | Response> {
  const url = new URL(request.url);
  const path = url.pathname.slice('/auth/v1'.length);
  const methods = open[path];
  if (!methods) return closed();
  if (request.method === 'OPTIONS') return request;
  if (!methods.includes(request.method)) return problem(405, 'method-not-allowed', `Use ${methods.join(' or ')}.`);

  if (path === '/authorize') {
    const refusal = refuseAuthorize(url.searchParams, options);
    if (refusal) return refusal;
  }
  if (path === '/token' && !['pkce', 'refresh_token'].includes(url.searchParams.get('grant_type') ?? ''))
    return closed();
  // Whoever says a thing twice wants us to check the one and the library to believe the other.
  if (new Set(url.searchParams.keys()).size !== url.searchParams.size)
    return problem(400, 'repeated-parameter', 'Every parameter once, please.');
  if ((path === '/authorize' || path === '/token') && !(await options.mayTry(request))) {
    return problem(429, 'too-many-sign-ins', 'Too many sign-in attempts. Please wait a minute.', {
      'retry-after': '60',
    });
  }

  if (path === '/authorize') return checkedAuthorize(url, request, options);
  const isUserChange = path === '/user' && request.method === 'PUT';
  const body = await readBody(request, isUserChange ? MAX_METADATA : 16 * 1024);
  if (!body.ok) return body.response;
  if (isUserChange) return refuseUserChange(body.bytes) ?? body.request;
  if (path === '/token' && !isTokenBody(jsonIn(body.bytes)))
    return problem(400, 'invalid-body', 'A JSON object of texts is needed.');
  return body.request;
}

function refuseAuthorize(query: URLSearchParams, { provider, returnOrigins }: AuthGateOptions): Response | null {
  if (provider === null)
    return problem(403, 'sign-in-not-configured', 'Sign-in is not set up yet: it needs GOOGLE_CLIENT_ID.');
  if (query.get('provider') !== provider) return problem(400, 'unknown-provider', `Sign in with ${provider}.`);
  if (
    !/^[\w~.-]{43,128}$/.test(query.get('code_challenge') ?? '') ||
    query.get('code_challenge_method')?.toLowerCase() !== 's256'
  ) {
    return problem(400, 'pkce-required', 'Sign-in needs a PKCE code challenge (S256).');
  }
  const target = query.get('redirect_to');
  // Exactly the root of the shop: from there its own code goes on to where the visitor was.
  if (target !== null && !returnOrigins.some((origin) => target === `${origin}/`)) {
    return problem(400, 'foreign-redirect', 'Sign-in returns to this site only.');
  }
  if (query.has('invite_token')) return closed();
  return null;
}

/**
 * Exactly what was checked: the library hands parameters it does not know on to the identity provider, the address to
 * return to among them, and without a redirect_to it believes the Referer.
 */
function checkedAuthorize(url: URL, { headers, signal }: Request, { returnOrigins }: AuthGateOptions): Request {
  const checked = new URL(url.pathname, url.origin);
  for (const name of ['provider', 'code_challenge', 'code_challenge_method'])
    checked.searchParams.set(name, url.searchParams.get(name) ?? '');
  checked.searchParams.set('redirect_to', url.searchParams.get('redirect_to') ?? `${returnOrigins[0]}/`);
  return new Request(checked, { headers, signal });
}

/** Names and addresses may change; e-mail, password and phone belong to the social account. */
function refuseUserChange(bytes: Uint8Array): Response | null {
  const body = jsonIn(bytes);
  if (!isObject(body)) return problem(400, 'invalid-body', 'A JSON object is needed.');
  // supabase-js always sends the two PKCE fields, as null unless the e-mail changes.
  const foreign = Object.entries(body).filter(
    ([key, value]) => key !== 'data' && !(key.startsWith('code_challenge') && value === null),
  );
  if (foreign.length > 0) return problem(403, 'field-closed', 'Only the profile data of a user can be changed here.');
  const data = body.data ?? {};
  // PostgreSQL cannot keep a null character, and would fail whenever somebody reads the name.
  if (!isObject(data) || JSON.stringify(data).includes('\\u0000'))
    return problem(400, 'invalid-body', 'The profile data must be a JSON object of plain text.');
  const isTooLong = [data.full_name, data.name].some((name) => typeof name === 'string' && [...name].length > MAX_NAME);
  if (isTooLong) return problem(400, 'name-too-long', `Use at most ${MAX_NAME} characters for the name.`);
  return null;
}

/** Codes and tokens are kept by no cache, and no other site is promised the visitor's credentials. */
export function withoutTraces(response: Response): Response {
  const headers = new Headers(response.headers);
  headers.set('cache-control', 'no-store');
  headers.delete('access-control-allow-credentials');
  return new Response(response.body, { status: response.status, headers });
}

/** The library hands these to the database's driver as they are, which fails at objects. */
function isTokenBody(json: unknown): boolean {
  const texts = ['auth_code', 'code_verifier', 'refresh_token'];
  return isObject(json) && texts.every((name) => json[name] === undefined || typeof json[name] === 'string');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
