import { createClient } from '@supabase/supabase-js';
import { createMailer } from '../../../adapters/mail/create-mailer.ts';
import { createRazorpay } from '../../../adapters/payments/razorpay.ts';
import type { Customer, DatabasePort, FunctionContext, FunctionHandler, WorkerContext } from './context.ts';
import { preflight, withCors } from './cors.ts';
import { problem } from './problem.ts';
import { retried } from './retry.ts';
import { doDueWork } from './work.ts';

// Supabase keeps a worker alive for what it is told to wait for.
declare const EdgeRuntime: { waitUntil(work: Promise<unknown>): void } | undefined;

const mostBytes = 64 * 1024;

type Environment = { get(name: string): string | undefined };

/** Runs a handler on hosted Supabase, where the platform gives the project's address and keys in the environment. */
export function serveHosted(
  handler: FunctionHandler,
  environment: Environment,
): (request: Request) => Promise<Response> {
  const need = (name: string) => {
    const value = environment.get(name);
    if (!value) throw new Error(`${name} is not set for this function`);
    return value;
  };
  const siteUrl = need('SITE_URL');
  const admin = createClient(need('SUPABASE_URL'), need('SUPABASE_SERVICE_ROLE_KEY'), {
    auth: { persistSession: false, autoRefreshToken: false },
  });
  const db: DatabasePort = {
    rpc: (name, args) =>
      retried(async () => {
        const { data, error } = await admin.rpc(name, args);
        if (error) throw Object.assign(new Error(`${name}: ${error.message}`), { code: error.code });
        return data as never;
      }),
  };
  const keyId = environment.get('RAZORPAY_KEY_ID');
  const mailUrl = environment.get('MAIL_URL');
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
    siteUrl,
    now: () => new Date(),
    report: (problem, error) => console.warn(problem, error),
  };
  const wake = () => {
    const work = doDueWork(working).catch((error) => working.report('a round of work failed', error));
    if (typeof EdgeRuntime !== 'undefined') EdgeRuntime.waitUntil(work);
  };

  async function customerOf(request: Request): Promise<Customer | null> {
    const token = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
    if (!token) return null;
    const { data } = await admin.auth.getUser(token);
    return data.user ? { id: data.user.id, email: data.user.email ?? null } : null;
  }

  return async (request) => {
    if (request.method === 'OPTIONS') return preflight(request, siteUrl);
    if (Number(request.headers.get('content-length') ?? 0) > mostBytes)
      return withCors(problem(413, 'body-too-large', 'At most 64 KiB, please.'), siteUrl);
    try {
      const context: FunctionContext = {
        ...working,
        customer: await customerOf(request),
        jobsSecret: environment.get('JOBS_SECRET') ?? null,
        wake,
      };
      return withCors(await handler(request, context), siteUrl);
    } catch (error) {
      console.error(error);
      return withCors(problem(500, 'unexpected', 'Something went wrong. Please try again.'), siteUrl);
    }
  };
}
