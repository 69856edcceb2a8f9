import type { Options } from 'postgres';
import { addressHash } from '../../supabase/functions/_shared/address-hash.ts';
import type {
  Customer,
  DatabasePort,
  FunctionHandler,
  WorkerContext,
} from '../../supabase/functions/_shared/context.ts';
import { maxGroupBytes } from '../../supabase/functions/_shared/group-body.ts';
import { customerFromClaims, handleRequest } from '../../supabase/functions/_shared/handle-request.ts';
import { problem } from '../../supabase/functions/_shared/problem.ts';
import { retried } from '../../supabase/functions/_shared/retry.ts';
import { claim, maxClaimBytes } from '../../supabase/functions/claim/handler.ts';
import { createGroupOrder } from '../../supabase/functions/createGroupOrder/handler.ts';
import { createOrder } from '../../supabase/functions/createOrder/handler.ts';
import { exportCsv } from '../../supabase/functions/exportCsv/handler.ts';
import { getShippingPrice } from '../../supabase/functions/getShippingPrice/handler.ts';
import { invoice } from '../../supabase/functions/invoice/handler.ts';
import { myData } from '../../supabase/functions/myData/handler.ts';
import { notify } from '../../supabase/functions/notify/handler.ts';
import { paymentWebhook } from '../../supabase/functions/paymentWebhook/handler.ts';
import { placeOrder } from '../../supabase/functions/placeOrder/handler.ts';
import { quoteGroup } from '../../supabase/functions/quoteGroup/handler.ts';
import { runJobs } from '../../supabase/functions/runJobs/handler.ts';
import type { Caller } from '../backends/auth/verify-token.ts';
import { describeError, type Log } from '../host/log.ts';
import { startWorker } from '../jobs/worker.ts';
import { isDatabaseAway } from '../postgres/database-away.ts';
import { functionCalls } from '../postgres/function-calls.ts';
import { createPool } from '../postgres/pool.ts';
import { ConnectionWaitError } from '../postgres/semaphore.ts';
import { STATEMENT_TIMEOUT_MS } from '../postgres/time-limits.ts';
import { batchCalls, type Call, peakBatchSize } from './batch-calls.ts';

// The public names: the folders of supabase/functions.
const forCustomers: Record<string, FunctionHandler> = {
  notify,
  getShippingPrice,
  createOrder,
  quoteGroup,
  createGroupOrder,
  placeOrder,
  exportCsv,
  invoice,
  claim,
  myData,
};
// These authenticate with a secret of their own instead of a customer's token.
const forMachines: Record<string, FunctionHandler> = { paymentWebhook, runJobs };

const longBodies: Record<string, number> = {
  quoteGroup: maxGroupBytes,
  createGroupOrder: maxGroupBytes,
  claim: maxClaimBytes,
};

/** A request ends after ten seconds (server/host/admission): no new round of jobs begins in the last two. */
const JOBS_WORK_FOR_MS = 8_000;

// Functions that many customers call in the same second, and the ones that take a batch of their calls.
const batched = {
  is_session_active: 'are_sessions_active',
  quote_order: 'quote_orders',
  open_checkout: 'open_checkouts',
  attach_provider_order: 'attach_provider_orders',
  settle_payment: 'settle_payments',
  finish_job: 'finish_jobs',
};

export type FunctionsMountOptions = Pick<WorkerContext, 'payments' | 'mailer' | 'messenger' | 'siteUrl'> & {
  connection: Options<Record<string, never>>;
  connections: number;
  verifyToken(token: string): Promise<Caller | null>;
  jobsSecret: string | null;
  /** The key under which client addresses are hashed. */
  addressKey: string;
  /** Called with every error of the database. */
  onDatabaseError(error: unknown): void;
  log: Log;
};

/** Runs the edge functions, and the work between requests, in this process, as hosted Supabase runs them in its own. */
export function createFunctionsMount(options: FunctionsMountOptions) {
  const { connection, verifyToken, siteUrl, log } = options;
  const { db, workersDb, unbatched, customerPeak, ping, close } = connectService(
    connection,
    options.connections,
    options.onDatabaseError,
  );
  const working: WorkerContext = {
    db: workersDb,
    payments: options.payments,
    mailer: options.mailer,
    messenger: options.messenger,
    siteUrl,
    now: () => new Date(),
    report: (event, error) => log({ level: 'warn', event, error: describeError(error) }),
  };
  const worker = startWorker(working, customerPeak);

  async function findCustomer(token: string): Promise<Customer | null> {
    const caller = await verifyToken(token);
    return caller?.userId ? customerFromClaims(caller.userId, caller.claims) : null;
  }

  const context = {
    ...working,
    db,
    jobsSecret: options.jobsSecret,
    jobsWorkForMs: JOBS_WORK_FOR_MS,
    wake: worker.wake,
  };

  return {
    ping,
    checkWritable: () => unbatched.rpc('check_writable', {}),
    async serve(name: string, request: Request, address: string | null): Promise<Response> {
      const isForCustomers = Object.hasOwn(forCustomers, name);
      if (!isForCustomers && !Object.hasOwn(forMachines, name))
        return problem(404, 'unknown-function', 'There is no such function.');
      return handleRequest(request, (forCustomers[name] ?? forMachines[name]) as FunctionHandler, {
        siteUrl,
        maxBodyBytes: Object.hasOwn(longBodies, name) ? longBodies[name] : undefined,
        findCustomer: isForCustomers ? findCustomer : 'machines',
        context,
        addressHash: addressHash(address, options.addressKey),
        isUnavailable: isDatabaseAway,
        report(event, error) {
          if (error instanceof ConnectionWaitError && error.code === 'CONNECTION_WAIT_ABORTED') return; // the client has left
          log({
            level: event === 'function-failed' ? 'error' : 'warn',
            event,
            function: name,
            error: describeError(error),
          });
        },
      });
    },
    async close() {
      await worker.stop();
      await close();
    },
  };
}

/** The database as functions see it: SQL functions, called as the service role, in batches where many calls arrive. */
export function connectService(
  connection: Options<Record<string, never>>,
  connections = 8,
  onDatabaseError?: (error: unknown) => void,
): {
  db: DatabasePort;
  /** For background jobs, which do not count as customers. */
  workersDb: DatabasePort;
  unbatched: DatabasePort;
  /** The largest recent batch of customers' calls; 0 at quiet hours. */
  customerPeak(): number;
  /** Whether the pool responds. */
  ping(): Promise<unknown>;
  close(): Promise<void>;
} {
  const sql = createPool({
    ...connection,
    max: connections,
    onnotice: () => {},
    connection: { role: 'service_role', statement_timeout: STATEMENT_TIMEOUT_MS },
  });
  const { call: callOnce, ping } = functionCalls(sql, connections);
  const call: Call = (name, args) =>
    retried(() => callOnce(name, args)).catch((error: unknown) => {
      onDatabaseError?.(error);
      throw error;
    });
  const customerPeak = peakBatchSize();
  return {
    db: { rpc: batchCalls(call, batched, customerPeak.record) },
    workersDb: { rpc: batchCalls(call, batched) },
    unbatched: { rpc: call },
    customerPeak: customerPeak.current,
    ping,
    close: () => sql.end({ timeout: 5 }),
  };
}
