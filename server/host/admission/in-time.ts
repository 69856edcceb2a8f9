import type { Context } from 'hono';
import { problem } from '../../../supabase/functions/_shared/problem.ts';
import { currentRequest } from '../request-scope.ts';
import { tooSlow } from './refusal.ts';

/** A request whose time is up is answered, whatever its work still waits for. */
export async function inTime(context: Context, next: () => Promise<void>): Promise<void> {
  const late = new Promise<'late'>((resolve) => currentRequest()?.onDeadline(() => resolve('late')));
  if ((await Promise.race([next(), late])) !== 'late') return;
  const { status, code, message, retryAfter } = tooSlow;
  context.res = problem(status, code, message, { 'retry-after': String(retryAfter), 'cache-control': 'no-store' });
}
