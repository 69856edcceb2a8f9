import { setTimeout as sleep } from 'node:timers/promises';

/** Calls a SQL function by its named arguments. */
export type Call = (name: string, args: Record<string, unknown>) => Promise<unknown>;

/** More would only make those in front wait for those behind. */
const mostTogether = 32;
/** For so long after some went together it is a rush, in which whoever comes waits a little for others to come along. */
const rushMs = 100;
const gatherMs = 5;
/** Whoever waits for a lock, or for a database that hangs, holds up the others for so long. */
const patienceMs = 100;

/**
 * Lets calls of one SQL function that come while it is at work go together in the next: a hundred people who pay in the
 * same second cost the database far less than one after the other would. `groups` names for each such function the one
 * that takes many: it is given `calls`, the arguments of each, and gives back as many answers, null for what must be asked
 * alone. Whoever comes alone is asked alone; and when a group fails, so is each of it, and only who is to blame fails.
 */
export function groupedCalls(call: Call, groups: Record<string, string>): Call {
  const queues = new Map(Object.entries(groups).map(([name, many]) => [name, queueOf(call, name, many)]));
  return (name, args) => queues.get(name)?.(args) ?? call(name, args);
}

type Waiting = { args: Record<string, unknown>; resolve(answer: unknown): void; reject(error: unknown): void };

function queueOf(call: Call, name: string, many: string) {
  const waiting: Waiting[] = [];
  let isAtWork = false;
  let rushUntil = 0;

  async function alone({ args, resolve, reject }: Waiting): Promise<void> {
    await call(name, args).then(resolve, reject);
  }

  async function together(group: Waiting[]): Promise<void> {
    const calls = group.map(({ args }) => args);
    const answers = (await call(many, { calls }).catch(() => null)) as unknown[] | null;
    for (const [place, one] of group.entries()) {
      const answer = answers?.[place] ?? null;
      if (answer === null) void alone(one);
      else one.resolve(answer);
    }
    rushUntil = performance.now() + rushMs;
  }

  async function work(): Promise<void> {
    isAtWork = true;
    while (waiting.length > 0) {
      if (performance.now() < rushUntil) await sleep(gatherMs);
      const group = waiting.splice(0, mostTogether);
      const isDone = group.length === 1 ? alone(group[0] as Waiting) : together(group);
      await Promise.race([isDone, sleep(patienceMs)]);
    }
    isAtWork = false;
  }

  return (args: Record<string, unknown>): Promise<unknown> =>
    new Promise((resolve, reject) => {
      waiting.push({ args, resolve, reject });
      if (!isAtWork) void work();
    });
}
