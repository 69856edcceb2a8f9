import { AsyncLocalStorage } from 'node:async_hooks';

/** Sign-in has connections of its own: a busy Data API does not hold it up. */
export type LitePool = 'data-api' | 'sign-in';

/** What the workarounds share of one call of the library; `waitsUntil` as `performance.now()` has it. */
export type LiteCall = { failure: unknown; pool: LitePool; readsOnly?: boolean; waitsUntil?: number };

const calls = new AsyncLocalStorage<LiteCall>();

export const currentCall = (): LiteCall | undefined => calls.getStore();

export const runCall = <T>(call: LiteCall, work: () => T): T => calls.run(call, work);
