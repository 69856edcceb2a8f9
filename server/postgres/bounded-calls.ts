import { beginWork, waitingSignal } from '../host/request-scope.ts';
import { callFunction } from './call-function.ts';
import type { LastingPool } from './lasting-pool.ts';
import { ANSWER_TIMEOUT_MS, answeredInTime } from './time-limits.ts';
import { createTurns } from './turns.ts';

export type BoundedCalls = {
  /** Calls a SQL function of schema public by its named arguments. */
  call(name: string, args: Record<string, unknown>): Promise<unknown>;
  /** Whether the pool answers at all: before all others who wait. */
  ping(): Promise<unknown>;
};

/**
 * SQL functions through a pool with no more calls under way than it has connections. postgres.js would queue the others
 * inside, out of reach: here those whose caller has left are dropped. A pool that does not answer is replaced.
 */
export function boundedCalls(pool: LastingPool, connections: number): BoundedCalls {
  const turns = createTurns(connections);

  async function bounded<T>(ask: () => Promise<T>, first: boolean): Promise<T> {
    const began = performance.now();
    const endTurn = await turns.take({ signal: waitingSignal(), withinMs: ANSWER_TIMEOUT_MS, first });
    beginWork();
    try {
      const left = Math.max(1, ANSWER_TIMEOUT_MS - (performance.now() - began));
      return await answeredInTime(ask(), pool.replaceConnections, left);
    } finally {
      endTurn();
    }
  }

  return {
    call: (name, args) => bounded(() => callFunction(pool, name, args), false),
    ping: () => bounded(async () => await pool`select 1`, true),
  };
}
