import { webpSize } from '../pictures/webp.ts';
import { mostPhotoBytes, mostPhotoPixels } from './claim.ts';

export type PhotoHeader = { type: 'image/webp' | 'image/jpeg'; width: number; height: number };
export type PhotoCheck = { ok: true; photo: PhotoHeader } | { ok: false; reason: 'type' | 'size' | 'pixels' };

/** What a file is by its own header, whatever it is called: nothing is decoded. */
export function checkPhoto(bytes: Uint8Array): PhotoCheck {
  if (bytes.length > mostPhotoBytes) return { ok: false, reason: 'size' };
  const webp = webpSize(bytes);
  const photo: PhotoHeader | null = webp ? { type: 'image/webp', ...webp } : jpegHeader(bytes);
  if (!photo) return { ok: false, reason: 'type' };
  const { width, height } = photo;
  if (width < 1 || height < 1 || width > mostPhotoPixels || height > mostPhotoPixels)
    return { ok: false, reason: 'pixels' };
  return { ok: true, photo };
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
