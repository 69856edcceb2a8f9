import { isPincode } from '../profile.ts';

export type TypedPincode = { ok: true; pincode: string } | { ok: false; sentence: string };

// Where the ten digits of a script begin; they follow one another.
const zeros = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0xff10];

/** A pincode as people type or paste it: with spaces, or in the digits of their own script. */
export function readPincode(typed: string): TypedPincode {
  const digits = typed
    .normalize('NFC')
    .replace(/[\s\u200b-\u200f\ufeff-]/g, '')
    .replace(/\p{Nd}/gu, asciiDigit);
  if (isPincode(digits)) return { ok: true, pincode: digits };
  if (/^0\d{5}$/.test(digits)) return { ok: false, sentence: 'A pincode doesn’t start with 0.' };
  return { ok: false, sentence: 'Enter a 6-digit pincode.' };
}

function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  const zero = zeros.find((first) => code >= first && code < first + 10);
  return zero === undefined ? digit : String(code - zero);
}
