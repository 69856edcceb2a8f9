import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { webpSize } from './webp.ts';

const picture = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background: { r: 168, g: 31, b: 92, alpha: 0.5 } } });

async function animation(colours: string[]): Promise<Buffer> {
  const frames = colours.map((background) =>
    sharp({ create: { width: 8, height: 8, channels: 3, background } })
      .png()
      .toBuffer(),
  );
  return sharp(await Promise.all(frames), { join: { animated: true } })
    .webp()
    .toBuffer();
}

/** The picture with one more part at its end, its length put right. */
function withChunk(bytes: Buffer, tag: string, text: string): Buffer {
  const body = Buffer.from(text.length % 2 ? `${text} ` : text);
  const head = Buffer.alloc(8);
  head.write(tag, 'latin1');
  head.writeUInt32LE(body.length, 4);
  const whole = Buffer.concat([bytes, head, body]);
  whole.writeUInt32LE(whole.length - 8, 4);
  return whole;
}

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

  test('with transparency and with its colours (the extended format)', async () => {
    const transparent = await picture(33, 55, 4).webp().toBuffer();
    const withColours = await picture(300, 7).withIccProfile('p3').webp().toBuffer();
    for (const bytes of [transparent, withColours]) expect(bytes.toString('latin1', 12, 16)).toBe('VP8X');
    expect(webpSize(transparent)).toEqual({ width: 33, height: 55 });
    expect(webpSize(withColours)).toEqual({ width: 300, height: 7 });
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

  test('a sound file, or an unknown chunk', async () => {
    const bytes = await picture(64, 64).webp().toBuffer();
    const wave = Buffer.from(bytes);
    wave.write('WAVE', 8, 'latin1');
    const unknown = Buffer.from(bytes);
    unknown.write('JUNK', 12, 'latin1');
    expect([webpSize(wave), webpSize(unknown)]).toEqual([null, null]);
  });

  test('an animation, however small it says it is', async () => {
    const lights = await animation(['red', 'green', 'blue']);
    expect(lights.includes('ANMF')).toBe(true);
    expect(webpSize(lights)).toBeNull();
  });

  test('what cameras and editors write into files: places, names, markup', async () => {
    const located = await picture(8, 8)
      .withExif({ IFD0: { Copyright: '<script>alert(1)</script>' } })
      .webp()
      .toBuffer();
    expect(located.includes('EXIF')).toBe(true);
    expect(webpSize(located)).toBeNull();
    expect(webpSize(withChunk(await picture(8, 8, 4).webp().toBuffer(), 'XMP ', '<x:xmpmeta>'))).toBeNull();
  });

  test('one with something behind its end, or between its parts', async () => {
    const bytes = await picture(8, 8).webp().toBuffer();
    for (const more of ['\0', '<script>alert(1)</script>', 'PK\u0003\u0004'])
      expect(webpSize(Buffer.concat([bytes, Buffer.from(more)])), more).toBeNull();
    expect(webpSize(withChunk(bytes, 'JUNK', '<script>alert(1)</script>'))).toBeNull();
    expect(webpSize(withChunk(bytes, 'VP8 ', 'again'))).toBeNull();
  });

  test('a small canvas around a frame that unpacks to two hundred megapixels, and a huge canvas around nothing', async () => {
    const bytes = await picture(8, 8, 4).webp().toBuffer();
    const frame = bytes.indexOf('VP8 ') + 8;
    const bomb = Buffer.from(bytes);
    bomb.writeUInt16LE(16383, frame + 6);
    bomb.writeUInt16LE(16383, frame + 8);
    expect(webpSize(bomb)).toBeNull();
    const canvas = Buffer.from(bytes);
    canvas.writeUIntLE(0xffffff, 24, 3);
    expect(webpSize(canvas)).toBeNull();
    const empty = Buffer.from(bytes.subarray(0, 30));
    empty.writeUInt32LE(22, 4);
    expect(webpSize(empty)).toBeNull();
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
