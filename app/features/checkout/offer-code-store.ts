import { useSyncExternalStore } from 'react';
import { forget, recall, remember } from '#app/backend/remembered.ts';

// The offer code that the customer typed, for this visit: the cart and the products use the same one, also after signing in.
const key = 'offer-code';
let read: string | null | undefined;
const listeners = new Set<() => void>();

export function offerCode(): string | null {
  if (read === undefined) read = recall('sessionStorage', key);
  return read;
}

export function setOfferCode(code: string | null): void {
  read = code;
  if (code === null) forget('sessionStorage', key);
  else remember('sessionStorage', key, code);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useOfferCode(): string | null {
  return useSyncExternalStore(subscribe, offerCode, () => null);
}
