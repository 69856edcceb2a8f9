import { call } from '../../contracts/contract.ts';
import { isSessionActive } from '../../contracts/people.ts';
import type { Customer, FunctionContext, FunctionHandler } from './context.ts';
import { preflight, withCors } from './cors.ts';
import { problem } from './problem.ts';
import { limitBody } from './read-body.ts';

const ordinaryBodyBytes = 64 * 1024;

/** Where a function runs: in the host's own process, or on hosted Supabase. */
export type FunctionHost = {
  siteUrl: string;
  /** Left out: 64 KiB. */
  maxBodyBytes?: number | undefined;
  /** The customer of a token, or null when it is invalid. Machines authenticate in another way. */
  findCustomer: ((token: string) => Promise<Customer | null>) | 'machines';
  context: Omit<FunctionContext, 'customer' | 'addressHash'>;
  addressHash: string | null;
  /** Whether an error means that the database is unavailable. */
  isUnavailable(error: unknown): boolean;
  report(event: 'database-away' | 'read-only' | 'function-failed', error: unknown): void;
};

/** Handles a request with a function, in the same way in Node and Deno. */
export async function handleRequest(request: Request, handler: FunctionHandler, host: FunctionHost): Promise<Response> {
  if (request.method === 'OPTIONS') return preflight(request, host.siteUrl);
  try {
    return withCors(await respond(request, handler, host), host.siteUrl);
  } catch (error) {
    return withCors(errorResponse(error, host), host.siteUrl);
  }
}

async function respond(request: Request, handler: FunctionHandler, host: FunctionHost): Promise<Response> {
  const body = await limitBody(request, host.maxBodyBytes ?? ordinaryBodyBytes);
  if (!body.ok) return body.response;
  const { findCustomer, addressHash } = host;
  const context = { ...host.context, addressHash };
  if (findCustomer === 'machines') return handler(body.request, { ...context, customer: null });
  const token = bearerToken(request.headers);
  const customer = token ? await findCustomer(token) : null;
  if (token && !(customer && (await hasActiveSession(customer, context))))
    return problem(401, 'invalid-token', 'Your session has expired. Please log in again.');
  return handler(body.request, { ...context, customer });
}

/** A token stays valid for up to an hour after its session ended. */
async function hasActiveSession({ id, sessionId }: Customer, { db }: Pick<FunctionContext, 'db'>): Promise<boolean> {
  return sessionId === null || (await call(db.rpc, isSessionActive, { session_id: sessionId, user_id: id }));
}

export function customerFromClaims(id: string, { email, session_id }: Record<string, unknown>): Customer {
  const textOf = (claim: unknown) => (typeof claim === 'string' ? claim : null);
  return { id, email: textOf(email), sessionId: textOf(session_id) };
}

function errorResponse(error: unknown, { isUnavailable, report }: FunctionHost): Response {
  // A token stays valid for up to an hour after its account was deleted.
  if ((error as { code?: string }).code === '23503')
    return problem(401, 'account-gone', 'This account no longer exists.');
  // disk_full: pages work, nothing can be saved. Payments already made are settled once there is space.
  if ((error as { code?: string }).code === '53100') {
    report('read-only', error);
    return problem(503, 'read-only', 'We can’t take orders right now. Please try again in a few minutes.', {
      'retry-after': '60',
    });
  }
  const away = isUnavailable(error);
  report(away ? 'database-away' : 'function-failed', error);
  return away
    ? problem(503, 'database-away', 'Something went wrong. Please try again.', { 'retry-after': '5' })
    : problem(500, 'unexpected', 'Something went wrong. Please try again.');
}

/** Project keys are not tokens, though supabase-js sends one for visitors. */
export function bearerToken(headers: Headers): string | null {
  return /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null;
}
