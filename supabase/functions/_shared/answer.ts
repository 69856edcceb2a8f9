import { call } from '../../contracts/contract.ts';
import { isSessionActive } from '../../contracts/people.ts';
import type { Customer, FunctionContext, FunctionHandler } from './context.ts';
import { preflight, withCors } from './cors.ts';
import { problem } from './problem.ts';
import { limitBody } from './read-body.ts';

const MOST_BYTES = 64 * 1024;

/** Where a function runs: in the host's own process, or on hosted Supabase. */
export type Surroundings = {
  siteUrl: string;
  /** Whom a token belongs to; null when it is not, or no longer, good. Machines prove themselves otherwise. */
  customerOf: ((token: string) => Promise<Customer | null>) | 'machines';
  context: Omit<FunctionContext, 'customer' | 'addressHash'>;
  addressHash: string | null;
  /** Whether an error only says that the database does not answer. */
  isAway(error: unknown): boolean;
  report(event: 'database-away' | 'read-only' | 'function-failed', error: unknown): void;
};

/** Answers a request with a function, the same way wherever that runs. */
export async function answer(request: Request, handler: FunctionHandler, around: Surroundings): Promise<Response> {
  if (request.method === 'OPTIONS') return preflight(request, around.siteUrl);
  try {
    return withCors(await ask(request, handler, around), around.siteUrl);
  } catch (error) {
    return withCors(whatWentWrong(error, around), around.siteUrl);
  }
}

async function ask(request: Request, handler: FunctionHandler, around: Surroundings): Promise<Response> {
  const body = await limitBody(request, MOST_BYTES);
  if (!body.ok) return body.response;
  const { customerOf, addressHash } = around;
  const context = { ...around.context, addressHash };
  if (customerOf === 'machines') return handler(body.request, { ...context, customer: null });
  const token = bearerToken(request.headers);
  const customer = token ? await customerOf(token) : null;
  if (token && !(customer && (await hasActiveSession(customer, context))))
    return problem(401, 'invalid-token', 'Your session has expired. Please log in again.');
  return handler(body.request, { ...context, customer });
}

/** A token outlives its session by up to an hour, wherever it was ended. */
async function hasActiveSession({ id, sessionId }: Customer, { db }: Pick<FunctionContext, 'db'>): Promise<boolean> {
  return sessionId === null || (await call(db.rpc, isSessionActive, { session_id: sessionId, user_id: id }));
}

export function customerFrom(id: string, { email, session_id }: Record<string, unknown>): Customer {
  const textOf = (claim: unknown) => (typeof claim === 'string' ? claim : null);
  return { id, email: textOf(email), sessionId: textOf(session_id) };
}

function whatWentWrong(error: unknown, { isAway, report }: Surroundings): Response {
  // A token outlives its account by up to an hour.
  if ((error as { code?: string }).code === '23503')
    return problem(401, 'account-gone', 'This account no longer exists.');
  // disk_full: pages go on, nothing can be saved. A payment that was made is settled when there is room again.
  if ((error as { code?: string }).code === '53100') {
    report('read-only', error);
    return problem(503, 'read-only', 'We can’t take orders right now. Please try again in a few minutes.', {
      'retry-after': '60',
    });
  }
  const away = isAway(error);
  report(away ? 'database-away' : 'function-failed', error);
  return away
    ? problem(503, 'database-away', 'Something went wrong. Please try again.', { 'retry-after': '5' })
    : problem(500, 'unexpected', 'Something went wrong. Please try again.');
}

/** Keys of the project are no tokens, though supabase-js sends one where nobody is signed in. */
export function bearerToken(headers: Headers): string | null {
  return /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null;
}
