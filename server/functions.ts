import type { Options } from 'postgres';
import type {
  DatabasePort,
  FunctionContext,
  FunctionHandler,
  WorkerContext,
} from '../supabase/functions/_shared/context.ts';
import { preflight, withCors } from '../supabase/functions/_shared/cors.ts';
import { problem } from '../supabase/functions/_shared/problem.ts';
import { retried } from '../supabase/functions/_shared/retry.ts';
import { createOrder } from '../supabase/functions/createOrder/handler.ts';
import { exportCsv } from '../supabase/functions/exportCsv/handler.ts';
import { getShippingPrice } from '../supabase/functions/getShippingPrice/handler.ts';
import { invoice } from '../supabase/functions/invoice/handler.ts';
import { notify } from '../supabase/functions/notify/handler.ts';
import { paymentWebhook } from '../supabase/functions/paymentWebhook/handler.ts';
import { placeOrder } from '../supabase/functions/placeOrder/handler.ts';
import { runJobs } from '../supabase/functions/runJobs/handler.ts';
import { callFunction } from './backend/call-function.ts';
import { STATEMENT_TIMEOUT_MS } from './backend/lite.ts';
import { bearerToken, type Caller } from './backend/verify-token.ts';
import { describeError, type Log } from './log.ts';
import { isDatabaseAway } from './postgres/database-away.ts';
import { lastingPool } from './postgres/lasting-pool.ts';
import { readBody } from './request-body.ts';
import { startWorker } from './worker.ts';

// The public names: the folders of supabase/functions.
const forPeople: Record<string, FunctionHandler> = {
  notify,
  getShippingPrice,
  createOrder,
  placeOrder,
  exportCsv,
  invoice,
};
// These prove themselves otherwise than by a customer's token (verify_jwt = false in supabase/config.toml).
const forMachines: Record<string, FunctionHandler> = { paymentWebhook, runJobs };

export type FunctionsMountOptions = Pick<WorkerContext, 'payments' | 'mailer' | 'siteUrl'> & {
  connection: Options<Record<string, never>>;
  verifyToken(token: string): Promise<Caller | null>;
  jobsSecret: string | null;
  log: Log;
};

/** Runs the edge functions, and the work between requests, in this process, as hosted Supabase runs them in its own. */
export function createFunctionsMount(options: FunctionsMountOptions) {
  const { connection, verifyToken, siteUrl, log } = options;
  const { db, close } = connectService(connection);
  const working: WorkerContext = {
    db,
    payments: options.payments,
    mailer: options.mailer,
    siteUrl,
    now: () => new Date(),
    report: (event, error) => log({ level: 'warn', event, error: describeError(error) }),
  };
  const worker = startWorker(working);

  async function customerOf(request: Request): Promise<FunctionContext['customer'] | Response> {
    const token = bearerToken(request.headers);
    const caller = token ? await verifyToken(token) : null;
    if (token && !caller) return problem(401, 'invalid-token', 'The session has expired. Please log in again.');
    const email = caller?.claims.email;
    return caller?.userId ? { id: caller.userId, email: typeof email === 'string' ? email : null } : null;
  }

  async function answer(request: Request, name: string): Promise<Response> {
    const body = await readBody(request, 64 * 1024);
    if (!body.ok) return body.response;
    const customer = Object.hasOwn(forPeople, name) ? await customerOf(request) : null;
    if (customer instanceof Response) return customer;
    const handler = (forPeople[name] ?? forMachines[name]) as FunctionHandler;
    return handler(body.request, { ...working, customer, jobsSecret: options.jobsSecret, wake: worker.wake });
  }

  return {
    async serve(request: Request): Promise<Response> {
      const name = new URL(request.url).pathname.slice('/functions/v1/'.length);
      if (!Object.hasOwn(forPeople, name) && !Object.hasOwn(forMachines, name))
        return problem(404, 'unknown-function', 'There is no such function.');
      if (request.method === 'OPTIONS') return preflight(request, siteUrl);
      try {
        return withCors(await answer(request, name), siteUrl);
      } catch (error) {
        // A token outlives its account by up to an hour.
        if ((error as { code?: string }).code === '23503')
          return withCors(problem(401, 'account-gone', 'This account does not exist any more.'), siteUrl);
        if (isDatabaseAway(error)) {
          log({ level: 'warn', event: 'database-away', function: name, error: describeError(error) });
          return withCors(problem(503, 'database-away', 'Something went wrong. Please try again.'), siteUrl);
        }
        log({ level: 'error', event: 'function-failed', function: name, error: describeError(error) });
        return withCors(problem(500, 'unexpected', 'Something went wrong. Please try again.'), siteUrl);
      }
    },
    async close() {
      await worker.stop();
      await close();
    },
  };
}

/** The database as functions see it: SQL functions, called as the service role. */
export function connectService(connection: Options<Record<string, never>>): {
  db: DatabasePort;
  close(): Promise<void>;
} {
  const sql = lastingPool({
    ...connection,
    max: 8,
    onnotice: () => {},
    connection: { role: 'service_role', statement_timeout: STATEMENT_TIMEOUT_MS } as never,
  });
  return {
    db: { rpc: (name, args) => retried(() => callFunction(sql, name, args)) as never },
    close: () => sql.end({ timeout: 5 }),
  };
}
