import { call } from '../../contracts/contract.ts';
import { countOrders, queueFigures } from '../../contracts/jobs.ts';
import type { FunctionContext } from '../_shared/context.ts';
import { isSameSecret } from '../_shared/is-same-secret.ts';
import { problem } from '../_shared/problem.ts';
import { boundDueTimesNowAndThen, doDueWork, enoughAfter, tidyNowAndThen } from '../_shared/run-jobs.ts';

// The schedule calls every 20 seconds, and what is left then is done by the next call.
const WORKS_FOR_MS = 15_000;
const FIGURES_WITHIN_MS = 3_000;
// Supabase keeps a function's worker for some minutes, and this cache with it.
const boundTimes = boundDueTimesNowAndThen();
const tidy = tidyNowAndThen();

/** POST (scheduler): runs due jobs. GET (monitor): returns business metrics. Both need the secret. */
export async function runJobs(request: Request, context: FunctionContext): Promise<Response> {
  const { method, headers } = request;
  if (method !== 'POST' && method !== 'GET')
    return problem(405, 'method-not-allowed', 'Use POST, or GET for figures.', { allow: 'GET, POST' });
  const told = headers.get('x-jobs-secret') ?? /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? '';
  if (!context.jobsSecret || !isSameSecret(told, context.jobsSecret))
    return problem(401, 'wrong-secret', 'This needs the secret of the jobs.');
  if (method === 'GET') return Response.json(await figuresOf(context), { headers: { 'cache-control': 'no-store' } });
  await boundTimes(context);
  const done = await doDueWork(context, enoughAfter(context.jobsWorkForMs ?? WORKS_FOR_MS));
  await tidy(context);
  return Response.json(done);
}

/** Independent queries: a timeout of one does not hide the others. */
async function figuresOf({ db, now, report }: FunctionContext) {
  const figure = async <T>(asked: Promise<T>): Promise<T | null> => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, FIGURES_WITHIN_MS, null);
    });
    try {
      return await Promise.race([asked, late]);
    } catch (error) {
      report('a figure could not be told', error);
      return null;
    } finally {
      clearTimeout(timer);
    }
  };
  const [queues, orders] = await Promise.all([
    figure(call(db.rpc, queueFigures, { at: now().toISOString() })),
    figure(call(db.rpc, countOrders, {})),
  ]);
  return { queues, orders };
}
