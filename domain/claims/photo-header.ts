import { mostPhotoBytes, mostPhotoPixels } from './claim.ts';

export type PhotoHeader = { type: 'image/webp' | 'image/jpeg'; width: number; height: number };
export type PhotoCheck = { ok: true; photo: PhotoHeader } | { ok: false; reason: 'type' | 'size' | 'pixels' };

/** What a file is by its own header, whatever it is called: nothing is decoded. */
export function checkPhoto(bytes: Uint8Array): PhotoCheck {
  if (bytes.length > mostPhotoBytes) return { ok: false, reason: 'size' };
  const photo = webpHeader(bytes) ?? jpegHeader(bytes);
  if (!photo) return { ok: false, reason: 'type' };
  const { width, height } = photo;
  if (width < 1 || height < 1 || width > mostPhotoPixels || height > mostPhotoPixels)
    return { ok: false, reason: 'pixels' };
  return { ok: true, photo };
}

const textAt = (bytes: Uint8Array, at: number, length: number) =>
  String.fromCharCode(...bytes.subarray(at, at + length));
const int24 = (bytes: Uint8Array, at: number) =>
  (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);

/** RIFF, its length, WEBP, and as the first part one of the three kinds; a moving picture is none of ours. */
function webpHeader(bytes: Uint8Array): PhotoHeader | null {
  if (bytes.length < 30 || textAt(bytes, 0, 4) !== 'RIFF' || textAt(bytes, 8, 4) !== 'WEBP') return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Bytes behind the picture would be kept and handed on.
  const length = view.getUint32(4, true) + 8;
  if (length > bytes.length || bytes.length - length > 1) return null;
  const of = (width: number, height: number): PhotoHeader => ({ type: 'image/webp', width, height });
  switch (textAt(bytes, 12, 4)) {
    case 'VP8 ':
      if (int24(bytes, 23) !== 0x2a019d) return null;
      return of(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
    case 'VP8L': {
      if (bytes[20] !== 0x2f) return null;
      const packed = view.getUint32(21, true);
      return of((packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1);
    }
    case 'VP8X':
      if (((bytes[20] ?? 0) & 0b10) !== 0) return null; // animated
      return of(int24(bytes, 24) + 1, int24(bytes, 27) + 1);
    default:
      return null;
  }
}

/** The segments up to the frame, which has the size. */
function jpegHeader(bytes: Uint8Array): PhotoHeader | null {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8 || bytes[2] !== 0xff) return null;
  if (bytes.at(-2) !== 0xff || bytes.at(-1) !== 0xd9) return null;
  let at = 2;
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1; // fill
      continue;
    }
    const length = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
    if (length < 2 || marker === 0xda || marker === 0xd9) return null;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) {
      const height = ((bytes[at + 5] ?? 0) << 8) | (bytes[at + 6] ?? 0);
      const width = ((bytes[at + 7] ?? 0) << 8) | (bytes[at + 8] ?? 0);
      return { type: 'image/jpeg', width, height };
    }
    at += 2 + length;
  }
  return null;
}
