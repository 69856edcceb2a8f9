import { readPincode } from '#domain/delivery/pincode.ts';

const key = 'mithaas-pincode';

/** Storage may be switched off, full, or hold anything: then nothing is remembered. */
export function rememberPincode(pincode: string): void {
  try {
    window.localStorage.setItem(key, pincode);
  } catch {}
}

export function recallPincode(): string {
  try {
    const kept = readPincode(window.localStorage.getItem(key) ?? '');
    return kept.ok ? kept.pincode : '';
  } catch {
    return '';
  }
}
