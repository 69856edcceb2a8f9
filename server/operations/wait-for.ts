import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseAway } from '../postgres/database-away.ts';

const RETRY_INTERVAL_MS = 1_000;

export type Waiting = {
  /** Reports what does not respond and why, once per reason. */
  report(problem: string): void;
  /** Aborted when the shop stops. */
  signal: AbortSignal;
};

/** Retries while the database does not respond; throws any other error. */
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
