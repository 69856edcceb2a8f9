import { useSyncExternalStore } from 'react';

// The day that a product is to be delivered on when it is bought at once: for this visit, and for that product alone.
let chosen: { productId: number; day: string } | null = null;
const listeners = new Set<() => void>();

export const chosenDayOf = (productId: number): string | null => (chosen?.productId === productId ? chosen.day : null);

export function chooseDayOf(productId: number, day: string | null): void {
  chosen = day === null ? null : { productId, day };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useChosenDay(productId: number): string | null {
  return useSyncExternalStore(
    subscribe,
    () => chosenDayOf(productId),
    () => null,
  );
}
