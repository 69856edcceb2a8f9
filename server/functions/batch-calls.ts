import { setTimeout as sleep } from 'node:timers/promises';
import { beginWork, onBehalfOfMany, waitingSignal } from '../host/request-scope.ts';
import { NoTurn } from '../postgres/turns.ts';

/** Calls a SQL function by its named arguments. */
export type Call = (name: string, args: Record<string, unknown>) => Promise<unknown>;

/** More would only make those in front wait for those behind. */
const mostTogether = 32;
/** For so long after some went together it is a rush, in which whoever comes waits a little for others to come along. */
const rushMs = 100;
const gatherMs = 2;
/** Whoever waits for a lock, or for a database that hangs, holds up the others for so long. */
const patienceMs = 100;

type Waiting<Ask, Answer> = {
  ask: Ask;
  signal: AbortSignal | undefined;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
};

/**
 * Lets calls of one SQL function that come while it is at work go together in the next: a hundred people who pay in the
 * same second cost the database far less than one after the other would. `groups` names for each such function the one
 * that takes many: it is given `calls`, the arguments of each, and gives back as many answers.
 */
export function groupedCalls(call: Call, groups: Record<string, string>, noted?: (size: number) => void): Call {
  const queues = new Map(
    Object.entries(groups).map(([name, many]) => [
      name,
      grouped(
        (args: Record<string, unknown>) => call(name, args),
        async (calls) => {
          noted?.(calls.length);
          const answers = (await call(many, { calls })) as unknown[];
          noted?.(calls.length);
          return answers;
        },
      ),
    ]),
  );
  return (name, args) => queues.get(name)?.(args) ?? call(name, args);
}

/** A group that has to wait for locks takes half as long at most. */
const crowdLastsMs = 500;

/** How many went together at most, since last nobody did; 0 at quiet hours. */
export function crowd(): { noted(size: number): void; size(): number } {
  let most = 0;
  let until = 0;
  const size = () => (performance.now() < until ? most : 0);
  return {
    noted(here) {
      most = Math.max(size(), here);
      until = performance.now() + crowdLastsMs;
    },
    size,
  };
}

/**
 * Whoever comes alone is asked alone; whoever comes meanwhile goes `together` with the others. What has no answer there is
 * asked alone; and when a group fails, so is each of it, and only who is to blame fails.
 */
export function grouped<Ask, Answer>(
  alone: (ask: Ask) => Promise<Answer>,
  together: (asks: Ask[]) => Promise<(Answer | null)[]>,
): (ask: Ask) => Promise<Answer> {
  const waiting: Waiting<Ask, Answer>[] = [];
  let isAtWork = false;
  let rushUntil = 0;

  async function askAlone({ ask, resolve, reject }: Waiting<Ask, Answer>): Promise<void> {
    await alone(ask).then(resolve, reject);
  }

  async function askTogether(group: Waiting<Ask, Answer>[]): Promise<void> {
    const answers = await together(group.map(({ ask }) => ask)).catch(() => null);
    for (const [place, one] of group.entries()) {
      const answer = answers?.[place] ?? null;
      if (answer === null) void askAlone(one);
      else one.resolve(answer);
    }
    rushUntil = performance.now() + rushMs;
  }

  /** Callers who have left meanwhile are dropped: nothing of theirs was begun. */
  function takeBatch(): Waiting<Ask, Answer>[] {
    const batch: Waiting<Ask, Answer>[] = [];
    while (batch.length < mostTogether && waiting.length > 0) {
      const next = waiting.shift() as Waiting<Ask, Answer>;
      if (next.signal?.aborted) next.reject(new NoTurn('CONNECTION_NOT_WANTED'));
      else batch.push(next);
    }
    return batch;
  }

  async function work(): Promise<void> {
    isAtWork = true;
    while (waiting.length > 0) {
      if (performance.now() < rushUntil) await sleep(gatherMs);
      const group = takeBatch();
      if (group.length === 0) continue;
      const isDone = group.length === 1 ? askAlone(group[0] as Waiting<Ask, Answer>) : askTogether(group);
      await Promise.race([isDone, sleep(patienceMs)]);
    }
    isAtWork = false;
  }

  return async (ask) => {
    const answer = await asked(ask);
    beginWork();
    return answer;
  };

  function asked(ask: Ask): Promise<Answer> {
    return new Promise((resolve, reject) => {
      waiting.push({ ask, signal: waitingSignal(), resolve, reject });
      // A batch is many callers' and goes on when one of them leaves.
      if (!isAtWork) void onBehalfOfMany(work);
    });
  }
}
