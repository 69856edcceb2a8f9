import type { Sql } from 'postgres';
import { bearerToken } from '../../../supabase/functions/_shared/answer.ts';
import { problem } from '../../../supabase/functions/_shared/problem.ts';
import type { Client, SecurityEvent, SecurityLog } from '../../backends/auth/security-log.ts';
import type { Caller } from '../../backends/auth/verify-token.ts';
import { describeError, type Log } from '../../host/log.ts';
import { onBehalfOfMany } from '../../host/request-scope.ts';
import { isDatabaseAway } from '../../postgres/database-away.ts';
import { ConnectionWaitError } from '../../postgres/semaphore.ts';
import { withTimeout } from '../../postgres/time-limits.ts';
import { authError } from './auth-error.ts';
import { type AuthGateOptions, passAuthGate, withoutTraces } from './auth-gate.ts';
import { exchangeCode } from './code-exchange.ts';

export type AuthServiceOptions = {
  sql: Sql;
  gate: Omit<AuthGateOptions, 'mayTry'>;
  mayTry(client: Client): Promise<boolean>;
  /** False: a token was sent that is neither a key of ours nor a valid access token. */
  hasValidToken(request: Request): Promise<boolean>;
  verifyToken(token: string): Promise<Caller | null>;
  /** `waitMs`: how long it may wait for connections in all. */
  library(request: Request, waitMs?: number): Promise<Response>;
  securityLog: SecurityLog;
  log: Log;
};

/**
 * A refresh ends before the ten seconds of its request, of an idle transaction and of a used token's grace: what waits longer
 * than this fails before the token is used. One statement more (STATEMENT_TIMEOUT_MS) still ends in time.
 */
const REFRESH_BEGINS_WITHIN_MS = 2_500;
const LIBRARY_WAITS_MS = 2_000;
/** The session is only described for its owner: no response waits long for that. */
const NOTED_WITHIN_MS = 1_000;

/** Auth of the embedded backend: the gate, the library behind it, and what the library leaves out about sessions. */
export function createAuthService(options: AuthServiceOptions) {
  const { sql, verifyToken, library, securityLog, log } = options;
  const refreshes = new Map<string, Promise<Response>>();

  return async (request: Request, client: Client): Promise<Response> => {
    const response = withoutTraces(await answer(request, client).catch(orDatabaseAway));
    const event = eventOf(request, await reasonOf(response), response.status) ?? (await logoutOf(request, response));
    if (event) await securityLog.record(event, client);
    return response;
  };

  async function answer(request: Request, client: Client): Promise<Response> {
    const passed = await passAuthGate(request, { ...options.gate, mayTry: () => options.mayTry(client) });
    if (passed instanceof Response) return passed;
    if (!(await options.hasValidToken(passed)))
      return authError(401, 'bad_jwt', 'The access token is expired or invalid');
    const { pathname, searchParams } = new URL(passed.url);
    if (passed.method === 'PUT' && !(await mayEdit(passed)))
      return authError(429, 'over_request_rate_limit', 'Too many changes in one hour. Please try again later.');
    if (pathname !== '/auth/v1/token' || passed.method !== 'POST') return library(passed);
    if (searchParams.get('grant_type') === 'refresh_token') return refreshOnce(passed, client);
    return noted(await exchange(passed, client), client, true);
  }

  async function exchange(request: Request, client: Client): Promise<Response> {
    const { auth_code: code } = (await request.clone().json()) as { auth_code?: unknown };
    if (typeof code !== 'string' || code.includes('\0')) return library(request); // no code of ours: refused there
    return exchangeCode(sql, { code, client, run: () => library(request), reasonOf, sessionOf });
  }

  async function sessionOf(response: Response): Promise<string | null> {
    const { access_token: token } = (await response.clone().json()) as { access_token: string };
    const sessionId = (await verifyToken(token))?.claims.session_id;
    return typeof sessionId === 'string' ? sessionId : null;
  }

  async function logoutOf(request: Request, response: Response): Promise<SecurityEvent | null> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== '/auth/v1/logout' || request.method !== 'POST' || !response.ok) return null;
    const caller = await verifyToken(bearerToken(request.headers) ?? '');
    if (!caller) return null;
    // Supabase's Auth ends all sessions where no scope is named.
    const isLocal = searchParams.get('scope') === 'local';
    return { kind: isLocal ? 'logged-out' : 'logged-out-everywhere', userId: caller.userId };
  }

  /** As often as a profile may be changed: what a user says of themselves is copied into it. */
  async function mayEdit(request: Request): Promise<boolean> {
    const caller = await verifyToken(bearerToken(request.headers) ?? '');
    if (!caller?.userId) return true; // refused by the library
    const [turn] = await sql<{ allowed: boolean }[]>`
      select private.consume_rate_limit('account edit', ${caller.userId}, 30, interval '1 hour') as allowed`;
    return turn?.allowed ?? false;
  }

  /**
   * Refreshes with the same token at the same moment share one response, without a connection for each. The library would
   * give each a token of its own, and a thief who is quick enough would never be noticed.
   */
  async function refreshOnce(request: Request, client: Client): Promise<Response> {
    const { refresh_token: token } = (await request.clone().json()) as { refresh_token?: unknown };
    if (typeof token !== 'string') return library(request);
    const underWay = refreshes.get(token);
    if (underWay) return (await underWay).clone();
    const response = onBehalfOfMany(() => refresh(request, token, client)).finally(() => refreshes.delete(token));
    refreshes.set(token, response);
    return (await response).clone();
  }

  /** can_refresh() holds a lock on the token until its transaction ends, so that other nodes wait for this response, too. */
  async function refresh(request: Request, token: string, client: Client): Promise<Response> {
    if (token.includes('\0')) return library(request); // no text to PostgreSQL, and no token of ours
    const began = performance.now();
    let response: Response | null = null;
    try {
      await sql.begin(async (transaction) => {
        const [row] = await transaction<{ allowed: boolean }[]>`
          select private.can_refresh(${token}, ${client.address}, ${client.userAgent}, ${new Date()}) as allowed`;
        if (performance.now() - began > REFRESH_BEGINS_WITHIN_MS)
          throw new ConnectionWaitError('CONNECTION_WAIT_TIMEOUT');
        if (row?.allowed) response = await library(request, LIBRARY_WAITS_MS);
      });
    } catch (error) {
      // The library has its own transaction: a new token that it gave is valid and must reach the customer.
      if (!response) throw error;
      log({ level: 'warn', event: 'refresh-lock-lost', error: describeError(error) });
    }
    if (!response) return authError(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used');
    return noted(response, client, false);
  }

  /** Writes into the session from where it is used; the library leaves that empty. */
  async function noted(response: Response, { address, userAgent }: Client, isNew: boolean): Promise<Response> {
    if (!response.ok) return response;
    try {
      const sessionId = await sessionOf(response);
      const written = sql`select private.record_session_use(${sessionId}, ${address}, ${userAgent}, ${isNew})`;
      await withTimeout(written, () => {}, NOTED_WITHIN_MS);
    } catch (error) {
      log({ level: 'warn', event: 'session-not-noted', error: describeError(error) });
    }
    return response;
  }
}

function orDatabaseAway(error: unknown): Response {
  if (!isDatabaseAway(error)) throw error;
  return problem(503, 'database-away', 'Something went wrong. Please try again.', { 'retry-after': '5' });
}

/** Why a request was refused, as a code; null when it was not. */
async function reasonOf(response: Response): Promise<string | null> {
  const location = response.headers.get('location');
  if (location && URL.canParse(location)) return new URL(location).searchParams.get('error');
  if (response.status < 400) return null;
  const body = (await response
    .clone()
    .json()
    .catch(() => null)) as { error?: { code?: unknown }; error_code?: unknown; code?: unknown } | null;
  const reason = body?.error?.code ?? body?.error_code ?? body?.code;
  return typeof reason === 'string' && /^[\w-]{1,60}$/.test(reason) ? reason : String(response.status);
}

/** What of a refusal an owner wants to know. A database that is away is in the log already, and no attempt. */
function eventOf(request: Request, reason: string | null, status: number): SecurityEvent | null {
  if (reason === null || status >= 500) return null;
  if (reason === 'too-many-sign-ins') return { kind: 'sign-in-limited' };
  if (reason === 'sign-in-method-closed' || reason === 'field-closed')
    return { kind: 'sign-in-refused', detail: reason };
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === '/auth/v1/callback') return { kind: 'sign-in-failed', detail: reason };
  const isExchange = pathname === '/auth/v1/token' && searchParams.get('grant_type') === 'pkce';
  return isExchange ? { kind: 'sign-in-failed', detail: reason } : null;
}
