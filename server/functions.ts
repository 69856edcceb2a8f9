import postgres, { type Options } from 'postgres';
import type { DatabasePort, FunctionHandler } from '../supabase/functions/_shared/context.ts';
import { preflight, withCors } from '../supabase/functions/_shared/cors.ts';
import { problem } from '../supabase/functions/_shared/problem.ts';
import { notify } from '../supabase/functions/notify/handler.ts';
import { callFunction } from './backend/call-function.ts';
import { STATEMENT_TIMEOUT_MS } from './backend/lite.ts';
import { bearerToken, type Caller } from './backend/verify-token.ts';
import { describeError, type Log } from './log.ts';
import { readBody } from './request-body.ts';

// The public names: the folders of supabase/functions.
const handlers: Record<string, FunctionHandler> = { notify };

export type FunctionsMountOptions = {
  connection: Options<Record<string, never>>;
  verifyToken(token: string): Promise<Caller | null>;
  siteUrl: string;
  log: Log;
};

/** Runs the edge functions in this process, as hosted Supabase runs them in its own. */
export function createFunctionsMount({ connection, verifyToken, siteUrl, log }: FunctionsMountOptions) {
  const sql = postgres({
    ...connection,
    max: 8,
    onnotice: () => {},
    connection: { role: 'service_role', statement_timeout: STATEMENT_TIMEOUT_MS } as never,
  });

  const db: DatabasePort = { rpc: (name, args) => callFunction(sql, name, args) as never };

  async function answer(request: Request, handler: FunctionHandler): Promise<Response> {
    const body = await readBody(request, 64 * 1024);
    if (!body.ok) return body.response;
    const token = bearerToken(request.headers);
    const caller = token ? await verifyToken(token) : null;
    if (token && !caller) return problem(401, 'invalid-token', 'The session has expired. Please log in again.');
    const email = caller?.claims.email;
    return handler(body.request, {
      db,
      customer: caller?.userId ? { id: caller.userId, email: typeof email === 'string' ? email : null } : null,
      now: () => new Date(),
    });
  }

  return {
    async serve(request: Request): Promise<Response> {
      const name = new URL(request.url).pathname.slice('/functions/v1/'.length);
      const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
      if (!handler) return problem(404, 'unknown-function', 'There is no such function.');
      if (request.method === 'OPTIONS') return preflight(request, siteUrl);
      try {
        return withCors(await answer(request, handler), siteUrl);
      } catch (error) {
        // A token outlives its account by up to an hour.
        if ((error as { code?: string }).code === '23503')
          return withCors(problem(401, 'account-gone', 'This account does not exist any more.'), siteUrl);
        log({ level: 'error', event: 'function-failed', function: name, error: describeError(error) });
        return withCors(problem(500, 'unexpected', 'Something went wrong. Please try again.'), siteUrl);
      }
    },
    close: () => sql.end({ timeout: 5 }),
  };
}
