import { useSyncExternalStore } from 'react';

let running = 0;
const listeners = new Set<() => void>();

function count(change: 1 | -1): void {
  running += change;
  for (const listener of listeners) listener();
}

/** Shows the pending bar until `work` settles: for a press whose result is no navigation. */
export async function withPending<T>(work: Promise<T>): Promise<T> {
  count(1);
  try {
    return await work;
  } finally {
    count(-1);
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useIsPending(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => running > 0,
    () => false,
  );
}
