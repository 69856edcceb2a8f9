import type { FunctionContext } from '../_shared/context.ts';
import { problem } from '../_shared/problem.ts';
import { doDueWork, enoughAfter, tidyNowAndThen } from '../_shared/work.ts';

// The schedule calls every 20 seconds, and what is left then is done by the next call.
const WORKS_FOR_MS = 15_000;
// Supabase keeps what answers a function for some minutes, and this with it.
const tidy = tidyNowAndThen();

/** For a scheduler: does what is due now. Whoever asks must know the secret. */
export async function runJobs(request: Request, context: FunctionContext): Promise<Response> {
  if (request.method !== 'POST') return problem(405, 'method-not-allowed', 'Use POST.', { allow: 'POST' });
  const { headers } = request;
  const told = headers.get('x-jobs-secret') ?? /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? '';
  if (!context.jobsSecret || !(await isSame(told, context.jobsSecret)))
    return problem(401, 'wrong-secret', 'This needs the secret of the jobs.');
  const done = await doDueWork(context, enoughAfter(WORKS_FOR_MS));
  await tidy(context);
  return Response.json(done);
}

/** Compares digests, so that the time it takes tells nothing of the secret. */
async function isSame(told: string, secret: string): Promise<boolean> {
  const digest = async (text: string) =>
    new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  const [left, right] = await Promise.all([digest(told), digest(secret)]);
  return left.reduce((difference, byte, index) => difference | (byte ^ (right[index] ?? 0)), 0) === 0;
}
