import { useSyncExternalStore } from 'react';
import { recall, remember } from '#app/backend/remembered.ts';

// Where the visitor wants things delivered: one pincode for header, cards, product pages and cart, kept on this device. Pages
// are the same for everybody, so the server knows none.
const key = 'mithaas-pincode';
let pincode: string | undefined;
const listeners = new Set<() => void>();

export const isPincode = (text: string): boolean => /^[1-9]\d{5}$/.test(text);

/** Storage may hold anything; empty: not known. */
export function currentPincode(): string {
  pincode ??= storedPincode();
  return pincode;
}

function storedPincode(): string {
  const stored = recall('localStorage', key) ?? '';
  return isPincode(stored) ? stored : '';
}

export function choosePincode(next: string): void {
  remember('localStorage', key, next);
  showPincode(next);
}

/** For this visit only: of the address in the profile, which leaves nothing behind on the device. */
export function showPincode(next: string): void {
  if (next === currentPincode()) return;
  pincode = next;
  for (const listener of listeners) listener();
}

/** After a logout: that of the profile is not shown to the next person on this device. */
export function forgetProfilePincode(): void {
  showPincode(storedPincode());
}

export function onPincodeChange(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('storage', hearOtherTab);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('storage', hearOtherTab);
  };
}

function hearOtherTab(event: StorageEvent): void {
  if (event.key === key && isPincode(event.newValue ?? '')) showPincode(event.newValue ?? '');
}

const unknown = () => '';

export function usePincode(): string {
  return useSyncExternalStore(onPincodeChange, currentPincode, unknown);
}
