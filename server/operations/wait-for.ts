import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseAway } from '../postgres/database-away.ts';

const BETWEEN_TRIES_MS = 1_000;

export type Waiting = {
  /** Tells the operator what does not answer, and why; once for each reason. */
  say(problem: string): void;
  /** Ends the waiting: the shop is told to stop. */
  signal: AbortSignal;
};

/** Tries until it succeeds, for as long as the database only does not answer; whatever else is wrong is thrown. */
export async function waitFor<T>(attempt: () => Promise<T>, { say, signal }: Waiting): Promise<T> {
  let said = '';
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isDatabaseAway(error) || signal.aborted) throw error;
      const { message } = error as Error;
      if (message !== said) say(message);
      said = message;
    }
    await sleep(BETWEEN_TRIES_MS, undefined, { signal });
  }
}
