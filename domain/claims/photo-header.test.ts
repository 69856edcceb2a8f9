import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { mostPhotoBytes } from './claim.ts';
import { checkPhoto } from './photo-header.ts';

const picture = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background: { r: 200, g: 120, b: 40, alpha: 0.5 } } });

describe('what a file says of itself', () => {
  test.each([
    ['a WebP', () => picture(640, 481).webp().toBuffer(), 'image/webp'],
    ['a lossless WebP', () => picture(640, 481).webp({ lossless: true }).toBuffer(), 'image/webp'],
    ['a WebP with transparency', () => picture(640, 481, 4).webp().toBuffer(), 'image/webp'],
    ['a JPEG', () => picture(640, 481).jpeg().toBuffer(), 'image/jpeg'],
    ['a progressive JPEG', () => picture(640, 481).jpeg({ progressive: true }).toBuffer(), 'image/jpeg'],
  ])('%s is read with its size', async (_what, make, type) => {
    expect(checkPhoto(await make())).toEqual({ ok: true, photo: { type, width: 640, height: 481 } });
  });

  test.each([
    ['a PNG', () => picture(10, 10).png().toBuffer()],
    ['a GIF', () => picture(10, 10).gif().toBuffer()],
    ['a page', async () => Buffer.from('<!doctype html><script>alert(1)</script>'.repeat(10))],
    ['an SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['nothing', async () => Buffer.alloc(0)],
    ['a WebP that was cut off', async () => (await picture(640, 481).webp().toBuffer()).subarray(0, 60)],
    ['a JPEG that was cut off', async () => (await picture(640, 481).jpeg().toBuffer()).subarray(0, 200)],
    ['a page behind a WebP', async () => Buffer.concat([await picture(9, 9).webp().toBuffer(), Buffer.from('<html>')])],
    ['a page behind a JPEG', async () => Buffer.concat([await picture(9, 9).jpeg().toBuffer(), Buffer.from('<html>')])],
    [
      'a moving WebP',
      () =>
        sharp(frames(), { raw: { width: 8, height: 16, channels: 3, pageHeight: 8 } })
          .webp({ loop: 0, delay: [100, 100] })
          .toBuffer(),
    ],
  ])('%s is refused', async (_what, make) => {
    expect(checkPhoto(await make())).toEqual({ ok: false, reason: 'type' });
  });

  test('a picture that would fill the memory is refused by its header, whatever it weighs', async () => {
    const bomb = Buffer.from(await picture(16, 16).webp({ lossless: true }).toBuffer());
    // 16,384 × 16,384 in the header of a file of a few bytes.
    bomb.writeUInt32LE(0x0fffffff, 21);
    expect(bomb.length).toBeLessThan(200);
    expect(checkPhoto(bomb)).toEqual({ ok: false, reason: 'pixels' });
    expect(checkPhoto(await picture(4097, 10).webp().toBuffer())).toEqual({ ok: false, reason: 'pixels' });
    expect(checkPhoto(await picture(4096, 10).jpeg().toBuffer())).toMatchObject({ ok: true });
  });

  test('a small canvas around a frame that unpacks to two hundred megapixels is no WebP', async () => {
    const still = Buffer.from(await picture(64, 48, 4).webp().toBuffer());
    expect(still.toString('latin1', 12, 16)).toBe('VP8X');
    still.writeUIntLE(9, 24, 3); // ten pixels wide, says the canvas
    expect(checkPhoto(still)).toEqual({ ok: false, reason: 'type' });
  });

  test('more than 600 KB are refused unread', () => {
    expect(checkPhoto(new Uint8Array(mostPhotoBytes + 1))).toEqual({ ok: false, reason: 'size' });
  });
});

/** Two frames of 8 × 8. */
function frames(): Buffer {
  return Buffer.from(Array.from({ length: 8 * 16 * 3 }, (_, n) => (n * 37) % 256));
}
