import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseAway } from '../postgres/database-away.ts';

const RETRY_INTERVAL_MS = 1_000;

export type Waiting = {
  /** Reports to the operator what does not respond, and why; once for each reason. */
  report(problem: string): void;
  /** Aborted when the shop stops. */
  signal: AbortSignal;
};

/** Tries until it succeeds, for as long as the database only does not respond; any other error is thrown. */
export async function waitFor<T>(attempt: () => Promise<T>, { report, signal }: Waiting): Promise<T> {
  let reported = '';
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isDatabaseAway(error) || signal.aborted) throw error;
      const { message } = error as Error;
      if (message !== reported) report(message);
      reported = message;
    }
    await sleep(RETRY_INTERVAL_MS, undefined, { signal });
  }
}
