import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isSameSecret } from '../../supabase/functions/_shared/is-same-secret.ts';
import { problem } from '../../supabase/functions/_shared/problem.ts';
import { readBody } from '../../supabase/functions/_shared/read-body.ts';
import { demoAccounts } from './demo-accounts.ts';
import type { GrantStore, Person } from './grant-store.ts';
import { signInPage } from './sign-in-page.ts';

export const DEMO_IDENTITY_PATH = '/demo-identity';

export type DemoIdentityOptions = {
  apiUrl: string;
  clientSecret: string;
  grants: GrantStore;
  now(): number;
};

const Stranger = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'Please enter a name.')
    .max(80, 'That name is too long.')
    .regex(/^\P{Cc}*$/u, 'That name has characters we can’t use.'),
  email: z.email('Please enter an email address.').max(200).toLowerCase(),
});

/**
 * An identity provider for trying the shop. It speaks the four endpoints of GitHub's sign-in, because that provider's
 * address can be configured; so the real social flow runs, only the people are invented.
 */
export function createDemoIdentity(options: DemoIdentityOptions): (request: Request) => Promise<Response> {
  const callback = `${options.apiUrl}/auth/v1/callback`;
  const { grants, now } = options;

  async function authorize(request: Request, url: URL): Promise<Response> {
    const fields = request.method === 'POST' ? await formFields(request) : url.searchParams;
    const state = fields?.get('state') ?? '';
    if (!fields || fields.get('redirect_uri') !== callback || !state || state.length > 4000) {
      return problem(400, 'not-from-this-shop', 'Please start signing in from the shop.');
    }
    const page = (status: number, error?: string) => signInPage({ status, callback, state, error });
    if (request.method === 'GET') return page(200);
    const person = whoIs(fields);
    if ('error' in person) return page(400, person.error);
    const target = new URL(callback);
    target.searchParams.set('code', await grants.issue('code', person, now()));
    target.searchParams.set('state', state);
    return new Response(null, { status: 303, headers: { location: target.href, 'cache-control': 'no-store' } });
  }

  async function exchange(request: Request): Promise<Response> {
    const fields = await formFields(request);
    if (!fields || !isSameSecret(fields.get('client_secret') ?? '', options.clientSecret))
      return Response.json({ error: 'bad_verification_code' });
    const person = await grants.take('code', fields.get('code') ?? '', now());
    if (!person) return Response.json({ error: 'bad_verification_code' });
    return Response.json({
      access_token: await grants.issue('token', person, now()),
      token_type: 'bearer',
      scope: 'user:email',
    });
  }

  return async (request) => {
    const url = new URL(request.url);
    const path = url.pathname.slice(DEMO_IDENTITY_PATH.length);
    const route = `${request.method} ${path}`;
    if (route === 'GET /login/oauth/authorize' || route === 'POST /login/oauth/authorize')
      return authorize(request, url);
    if (route === 'POST /login/oauth/access_token') return exchange(request);
    if (route === 'GET /api/v3/user' || route === 'GET /api/v3/user/emails') {
      const token = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? '';
      const person = await grants.look('token', token, now());
      if (!person) return problem(401, 'bad-credentials', 'This token is unknown.');
      if (path === '/api/v3/user/emails')
        return Response.json([{ email: person.email, primary: true, verified: true }]);
      return Response.json({
        id: person.id,
        login: person.email,
        name: person.name,
        email: person.email,
        avatar_url: '',
      });
    }
    return problem(404, 'not-found', 'There is nothing here.');
  };
}

function whoIs(fields: URLSearchParams): Person | { error: string } {
  const known = demoAccounts.find((account) => String(account.id) === fields.get('account'));
  if (known) return { id: known.id, name: known.name, email: known.email };
  const stranger = Stranger.safeParse({ name: fields.get('name') ?? '', email: fields.get('email') ?? '' });
  if (!stranger.success)
    return { error: stranger.error.issues[0]?.message ?? 'Please enter a name and an email address.' };
  const { name, email } = stranger.data;
  return demoAccounts.find((account) => account.email === email) ?? { id: idOf(email), name, email };
}

/** The same address is the same person at every visit; far away from the ids of the seed. */
function idOf(email: string): number {
  return 1_000_000 + createHash('sha256').update(email).digest().readUIntBE(0, 6);
}

async function formFields(request: Request): Promise<URLSearchParams | null> {
  const body = await readBody(request, 16 * 1024);
  if (!body.ok) return null;
  const text = new TextDecoder().decode(body.bytes);
  if (!(request.headers.get('content-type') ?? '').startsWith('application/json')) return new URLSearchParams(text);
  try {
    return new URLSearchParams(JSON.parse(text));
  } catch {
    return null;
  }
}
