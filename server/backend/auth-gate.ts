import { problem } from '../../supabase/functions/_shared/problem.ts';
import { jsonIn, readBody } from '../request-body.ts';

export type AuthGateOptions = {
  /** null: nobody can sign in, because no provider is configured. */
  provider: string | null;
  /** Origins that sign-in may return to. */
  returnOrigins: string[];
  /** Counts a sign-in attempt; false when this address has had enough for now. */
  mayTry(request: Request): Promise<boolean>;
};

const closed = () => problem(403, 'sign-in-method-closed', 'Sign in with the social account: other ways are closed.');

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
  if ((path === '/authorize' || path === '/token') && !(await options.mayTry(request))) {
    return problem(429, 'too-many-sign-ins', 'Too many sign-in attempts. Please wait a minute.', {
      'retry-after': '60',
    });
  }

  const body = await readBody(request, 16 * 1024);
  if (!body.ok) return body.response;
  if (path === '/user' && request.method === 'PUT') return refuseUserChange(body.bytes) ?? body.request;
  if (path === '/token' && !isObject(jsonIn(body.bytes)))
    return problem(400, 'invalid-body', 'A JSON object is needed.');
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
  if (target !== null && !returnOrigins.includes(originOf(target) ?? '')) {
    return problem(400, 'foreign-redirect', 'Sign-in returns to this site only.');
  }
  if (query.has('invite_token')) return closed();
  return null;
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
  return null;
}

function originOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).origin : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
