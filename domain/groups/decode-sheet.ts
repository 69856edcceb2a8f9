import { formatCount } from '../money.ts';

/** Five hundred rows with the longest notes are less than a megabyte. */
export const maxSheetBytes = 2 * 1024 * 1024;

export type Decoded = { ok: true; text: string; notice: string | null } | { ok: false; message: string };

const noText = 'This is not a sheet we can read. Save it as CSV, or copy its cells and paste them here.';

/** Why a file is not even opened; null: it may be a sheet. */
export function tooLarge(bytes: number): string | null {
  if (bytes <= maxSheetBytes) return null;
  const size = formatCount(Math.ceil(bytes / 1024 / 1024));
  return `This file is ${size} MB. The limit is ${maxSheetBytes / 1024 / 1024} MB: keep the recipients only, without pictures or other sheets.`;
}

/** The text of a sheet, as spreadsheets save it: UTF-8, UTF-16 ("Unicode text"), or Windows-1252 (plain "CSV"). */
export function decodeSheet(bytes: Uint8Array): Decoded {
  const large = tooLarge(bytes.length);
  if (large) return { ok: false, message: large };
  if (startsWith(bytes, [0x50, 0x4b, 3, 4]) || startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0]))
    return {
      ok: false,
      message:
        'This is a workbook. In your spreadsheet choose File → Save as → CSV UTF-8, or copy the cells and paste them here.',
    };
  if (startsWith(bytes, [0x25, 0x50, 0x44, 0x46])) return { ok: false, message: noText };
  const wide = utf16Of(bytes);
  if (wide) return textFrom(bytes, wide, null);
  try {
    return asText(new TextDecoder('utf-8', { fatal: true }).decode(bytes), null);
  } catch {
    // Every byte means something in it: the customer is asked to look.
    return textFrom(
      bytes,
      'windows-1252',
      'This file is in an older format (Windows-1252). Please check names with accents. Hindi needs “CSV UTF-8”.',
    );
  }
}

/** With its mark, or without: then every second byte of Latin text is zero. */
function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (startsWith(bytes, [0xff, 0xfe])) return 'utf-16le';
  if (startsWith(bytes, [0xfe, 0xff])) return 'utf-16be';
  const some = bytes.subarray(0, 200);
  if (some.length < 4) return null;
  const zeros = (odd: number) => some.filter((byte, place) => place % 2 === odd && byte === 0).length;
  const enough = some.length * 0.3;
  if (zeros(1) > enough && zeros(0) === 0) return 'utf-16le';
  return zeros(0) > enough && zeros(1) === 0 ? 'utf-16be' : null;
}

function textFrom(bytes: Uint8Array, encoding: string, notice: string | null): Decoded {
  try {
    return asText(new TextDecoder(encoding, { fatal: encoding !== 'windows-1252' }).decode(bytes), notice);
  } catch {
    return { ok: false, message: noText };
  }
}

function asText(text: string, notice: string | null): Decoded {
  return text.includes('\0') ? { ok: false, message: noText } : { ok: true, text, notice };
}

const startsWith = (bytes: Uint8Array, start: number[]) => start.every((byte, place) => bytes[place] === byte);
