import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';

const PUBLIC = path.join(import.meta.dirname, '..', 'public');
const PAPER = '#fbf5ea';

/** The mark on paper: `share` of the width, so that a maskable icon keeps it inside the circle that phones cut out. */
async function icon(mark: Buffer, width: number, share: number): Promise<Buffer> {
  const inner = Math.round(width * share);
  const drawn = await sharp(mark, { density: 384 }).resize(inner, inner).png().toBuffer();
  return sharp({ create: { width, height: width, channels: 4, background: PAPER } })
    .composite([{ input: drawn }])
    .png({ compressionLevel: 9, palette: true, quality: 90 })
    .toBuffer();
}

/** An ICO file that holds one PNG, which every browser of today reads. */
function icoOf(png: Buffer, width: number): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2); // an icon
  head.writeUInt16LE(1, 4); // one picture
  head.writeUInt8(width, 6);
  head.writeUInt8(width, 7);
  head.writeUInt16LE(1, 10); // colour planes
  head.writeUInt16LE(32, 12); // bits per pixel
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}

/** The icons that browsers and phones ask for, all drawn from the shop's mark. */
export async function renderIcons(): Promise<void> {
  const mark = await readFile(path.join(PUBLIC, 'images', 'logo-mark.svg'));
  const small = await readFile(path.join(PUBLIC, 'favicon.svg'));
  const folder = path.join(PUBLIC, 'icons');
  await mkdir(folder, { recursive: true });
  for (const width of [192, 512]) {
    await writeFile(path.join(folder, `icon-${width}.png`), await icon(mark, width, 0.86));
    await writeFile(path.join(folder, `maskable-${width}.png`), await icon(mark, width, 0.62));
  }
  await writeFile(path.join(folder, 'apple-touch-icon.png'), await icon(mark, 180, 0.8));
  const favicon = await sharp(small, { density: 384 }).resize(32, 32).png().toBuffer();
  await writeFile(path.join(PUBLIC, 'favicon.ico'), icoOf(favicon, 32));
}
