import type { Context } from 'hono';
import { problem } from '../../../supabase/functions/_shared/problem.ts';
import { currentRequest } from '../request-scope.ts';
import { tooSlow } from './refusal.ts';

/** Responds when the deadline of a request has passed, whatever its work still waits for. */
export async function respondBeforeDeadline(context: Context, next: () => Promise<void>): Promise<void> {
  const late = new Promise<'late'>((resolve) => currentRequest()?.onDeadline(() => resolve('late')));
  if ((await Promise.race([next(), late])) !== 'late') return;
  const { status, code, message, retryAfter } = tooSlow;
  context.res = problem(status, code, message, { 'retry-after': String(retryAfter), 'cache-control': 'no-store' });
}
