import { useEffect, useSyncExternalStore } from 'react';
import type { PublicConfig } from '#app/shop-context.ts';
import type { CardNote } from '#domain/delivery/delivery-messages.ts';
import { currentPincode, onPincodeChange } from './delivery-place.ts';

// What the cards of a page say about delivery. All cards that are on the page are asked about in one request, after the
// page has been drawn, and nothing is asked while no pincode is known. The code for it is loaded then, too.
const none: ReadonlyMap<number, CardNote> = new Map();
let notes = none;
/** After that, orders leave on another day. */
let expiresAt = Number.POSITIVE_INFINITY;
let config: PublicConfig | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
const mounted = new Map<number, number>();
const listeners = new Set<() => void>();

/** Cards mount one after the other. */
const batchWindowMs = 50;

function show(next: ReadonlyMap<number, CardNote>): void {
  notes = next;
  for (const listener of listeners) listener();
}

function schedule(): void {
  clearTimeout(timer);
  if (config && currentPincode() !== '') timer = setTimeout(read, batchWindowMs);
}

async function read(): Promise<void> {
  const pincode = currentPincode();
  const ids = [...mounted.keys()].filter((id) => !notes.has(id));
  if (!config || ids.length === 0) return;
  try {
    const { readCardNotes } = await import('./read-card-notes.ts');
    const answer = await readCardNotes(config, pincode, ids);
    if (pincode !== currentPincode()) return;
    expiresAt = answer.expiresAt;
    show(new Map([...notes, ...answer.notes]));
  } catch {
    // Cards go without: the product's page tells, and asks again.
  }
}

function startAgain(): void {
  if (notes !== none) show(none);
  schedule();
}

function refreshIfExpired(): void {
  if (document.visibilityState === 'visible' && Date.now() > expiresAt) startAgain();
}

/** Once per page, from where the backend is known: cards are kept as markup and may not look around. */
export function followCardNotes(backend: PublicConfig): () => void {
  config = backend;
  schedule();
  const forget = onPincodeChange(startAgain);
  document.addEventListener('visibilitychange', refreshIfExpired);
  window.addEventListener('online', schedule);
  return () => {
    forget();
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', refreshIfExpired);
    window.removeEventListener('online', schedule);
  };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useCardNote(productId: number): CardNote | undefined {
  useEffect(() => {
    mounted.set(productId, (mounted.get(productId) ?? 0) + 1);
    schedule();
    return () => {
      const left = (mounted.get(productId) ?? 1) - 1;
      if (left > 0) mounted.set(productId, left);
      else mounted.delete(productId);
    };
  }, [productId]);
  return useSyncExternalStore(
    subscribe,
    () => notes.get(productId),
    () => undefined,
  );
}
