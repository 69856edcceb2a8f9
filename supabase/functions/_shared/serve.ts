import { createClient, isAuthRetryableFetchError } from '@supabase/supabase-js';
import { createMailer } from '../../../adapters/mail/create-mailer.ts';
import { createHttpMessenger } from '../../../adapters/messages/http-api.ts';
import { createRazorpay } from '../../../adapters/payments/razorpay.ts';
import { addressHash } from './address-hash.ts';
import type { Customer, DatabasePort, FunctionHandler, WorkerContext } from './context.ts';
import { customerFromClaims, handleRequest } from './handle-request.ts';
import { secretKeyOf } from './project-key.ts';
import { retried } from './retry.ts';
import { doDueWork, enoughAfter } from './run-jobs.ts';

// Supabase keeps a worker alive for what it is told to wait for.
declare const EdgeRuntime: { waitUntil(work: Promise<unknown>): void } | undefined;

type Environment = { get(name: string): string | undefined };

// What is left then is done by the schedule (runJobs).
const WORKS_FOR_MS = 15_000;

/** The project did not respond, or is unavailable. */
class ProjectAway extends Error {}

/** Runs a handler on hosted Supabase, where the platform gives the project's address and keys in the environment. */
export function serveHosted(
  handler: FunctionHandler,
  environment: Environment,
  callers: 'people' | 'machines' = 'people',
  maxBodyBytes?: number,
): (request: Request) => Promise<Response> {
  const need = (name: string) => {
    const value = environment.get(name);
    if (!value) throw new Error(`${name} is not set for this function`);
    return value;
  };
  const siteUrl = originOf(need('SITE_URL'));
  const anonKey = environment.get('SUPABASE_ANON_KEY');
  const projectKey = secretKeyOf(environment);
  const admin = createClient(need('SUPABASE_URL'), projectKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  });
  const db: DatabasePort = {
    rpc: (name, args) =>
      retried(async () => {
        const { data, error, status } = await admin.rpc(name, args);
        if (!error) return data;
        const message = `${name}: ${error.message}`;
        if (isAway(status, error.code)) throw Object.assign(new ProjectAway(message), { code: error.code });
        throw Object.assign(new Error(message), { code: error.code });
      }),
  };
  const keyId = environment.get('RAZORPAY_KEY_ID');
  const mailUrl = environment.get('MAIL_URL');
  const messagesUrl = environment.get('MESSAGES_URL');
  const report = (event: string, error: unknown) => console.warn(JSON.stringify({ event, error: String(error) }));
  const working: WorkerContext = {
    db,
    payments: keyId
      ? createRazorpay({
          keyId,
          keySecret: need('RAZORPAY_KEY_SECRET'),
          webhookSecret: need('RAZORPAY_WEBHOOK_SECRET'),
        })
      : null,
    mailer: mailUrl ? createMailer({ url: mailUrl, from: need('MAIL_FROM') }) : null,
    messenger: messagesUrl ? createHttpMessenger({ url: messagesUrl, token: need('MESSAGES_TOKEN') }) : null,
    siteUrl,
    now: () => new Date(),
    report,
  };
  // One round at a time: a call during a round starts another after it.
  let round: Promise<void> | null = null;
  let again = false;
  async function work(): Promise<void> {
    while (again) {
      again = false;
      await doDueWork(working, enoughAfter(WORKS_FOR_MS)).catch((error) => report('a round of work failed', error));
    }
    round = null;
  }
  const wake = () => {
    again = true;
    round ??= work();
    if (typeof EdgeRuntime !== 'undefined') EdgeRuntime.waitUntil(round);
  };

  /** Verified here with the project's public key, or by a request to the project. */
  async function findCustomer(token: string): Promise<Customer | null> {
    const { data, error } = await admin.auth
      .getClaims(token)
      .catch((thrown: unknown) => ({ data: null, error: thrown }));
    if (isAuthRetryableFetchError(error)) throw new ProjectAway(error.message);
    const { sub, role } = data?.claims ?? {};
    return sub && role === 'authenticated' ? customerFromClaims(sub, data?.claims ?? {}) : null;
  }

  return (request) =>
    handleRequest(withoutKey(request, anonKey), handler, {
      siteUrl,
      maxBodyBytes,
      findCustomer: callers === 'machines' ? 'machines' : findCustomer,
      context: { ...working, jobsSecret: environment.get('JOBS_SECRET') ?? null, wake },
      addressHash: addressHash(clientAddress(request.headers), projectKey),
      isUnavailable: (error) => error instanceof ProjectAway,
      report,
    });
}

/**
 * The platform's edge writes `cf-connecting-ip` itself, as the database's functions read it. It adds to a `x-forwarded-for`
 * that came with the request: whatever stands first there may be invented.
 */
function clientAddress(headers: Headers): string | null {
  return headers.get('cf-connecting-ip') ?? headers.get('x-forwarded-for')?.split(',', 1)[0] ?? null;
}

/** As browsers name the site, and the web nodes do: without a slash at its end. */
function originOf(address: string): string {
  const origin = /^https?:/i.test(address) && URL.canParse(address) ? new URL(address).origin : null;
  if (!origin) throw new Error('SITE_URL must be an http or https address');
  return origin;
}

/** 0: no response. The rest is the gateway's, or the Data API's when it has no connection (PGRST000 to 003). */
function isAway(status: number, code: string | undefined): boolean {
  return status === 0 || (status >= 502 && status <= 504) || /^(PGRST00[0-3]|08|53|57P)/.test(code ?? '');
}

/** Older projects have a public key that looks like a user's token. */
function withoutKey(request: Request, anonKey: string | undefined): Request {
  if (!anonKey || request.headers.get('authorization') !== `Bearer ${anonKey}`) return request;
  const headers = new Headers(request.headers);
  headers.delete('authorization');
  return new Request(request, { headers });
}
