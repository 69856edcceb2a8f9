import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { webpSize } from './webp.ts';

const picture = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background: { r: 168, g: 31, b: 92, alpha: 0.5 } } });

describe('the size of a WebP picture', () => {
  test.each([
    ['lossy', 1, 1],
    ['lossy', 640, 480],
    ['lossy', 2400, 2400],
    ['lossy', 16383, 2],
    ['lossless', 1, 1],
    ['lossless', 641, 479],
    ['lossless', 2, 16383],
  ] as const)('%s, %i × %i', async (kind, width, height) => {
    const bytes = await picture(width, height)
      .webp({ lossless: kind === 'lossless', effort: 0 })
      .toBuffer();
    expect(webpSize(bytes)).toEqual({ width, height });
  });

  test('with transparency and with metadata (the extended format)', async () => {
    expect(webpSize(await picture(33, 55, 4).webp().toBuffer())).toEqual({ width: 33, height: 55 });
    const withMetadata = await picture(300, 7).withMetadata({ orientation: 6 }).webp().toBuffer();
    expect(withMetadata.toString('latin1', 12, 16)).toBe('VP8X');
    expect(webpSize(withMetadata)).toEqual({ width: 300, height: 7 });
  });

  test('also when the bytes lie in the middle of a larger buffer', async () => {
    const bytes = await picture(20, 30).webp().toBuffer();
    const larger = Buffer.concat([Buffer.alloc(13), bytes]);
    expect(webpSize(new Uint8Array(larger.buffer, larger.byteOffset + 13, bytes.length))).toEqual({
      width: 20,
      height: 30,
    });
  });
});

describe('what is not a WebP picture', () => {
  test('other formats', async () => {
    expect(webpSize(await picture(8, 8).png().toBuffer())).toBeNull();
    expect(webpSize(await picture(8, 8).jpeg().toBuffer())).toBeNull();
    expect(webpSize(await picture(8, 8).avif().toBuffer())).toBeNull();
    expect(webpSize(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>'))).toBeNull();
    expect(webpSize(Buffer.from('<!doctype html><script>alert(1)</script>'))).toBeNull();
  });

  test('every beginning of one', async () => {
    const bytes = await picture(64, 64).webp().toBuffer();
    for (let length = 0; length < bytes.length; length += 1) expect(webpSize(bytes.subarray(0, length))).toBeNull();
  });

  test('a sound file, or a chunk nobody knows', async () => {
    const bytes = await picture(64, 64).webp().toBuffer();
    const wave = Buffer.from(bytes);
    wave.write('WAVE', 8, 'latin1');
    const unknown = Buffer.from(bytes);
    unknown.write('JUNK', 12, 'latin1');
    expect([webpSize(wave), webpSize(unknown)]).toEqual([null, null]);
  });

  test('damaged bytes never throw', async () => {
    const bytes = await picture(64, 64).webp().toBuffer();
    for (let at = 0; at < 40; at += 1) {
      for (const value of [0, 0x7f, 0xff]) {
        const damaged = Buffer.from(bytes);
        damaged[at] = value;
        expect(() => webpSize(damaged)).not.toThrow();
      }
    }
  });
});
