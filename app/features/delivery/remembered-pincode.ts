import { recall, remember } from '#app/backend/remembered.ts';
import { readPincode } from '#domain/delivery/pincode.ts';

const key = 'mithaas-pincode';

export function rememberPincode(pincode: string): void {
  remember('localStorage', key, pincode);
}

/** Storage may hold anything. */
export function recallPincode(): string {
  const kept = readPincode(recall('localStorage', key) ?? '');
  return kept.ok ? kept.pincode : '';
}
