import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { renderIcons } from './icons.ts';
import { PIECES } from './pieces/index.ts';
import { PRODUCTS } from './products/index.ts';
import { SCENES } from './scenes/index.ts';
import { VIEWS } from './views/index.ts';

const OUT = path.join(import.meta.dirname, '..', 'public', 'images');

/** Small sizes are shown on dense screens next to text, so they keep more detail than the large ones. */
const quality = (width: number) =>
  width <= 240 ? { avif: 60, webp: 74 } : width <= 640 ? { avif: 52, webp: 66 } : { avif: 46, webp: 58 };

const rasterise = (svg: string) =>
  sharp(Buffer.from(svg), { unlimited: true }).flatten({ background: '#ffffff' }).removeAlpha().png().toBuffer();

const largest = 960;

/** Further views are seen by few, after the first: harder compressed, and as WebP in one width only. */
async function view(svg: string, file: string): Promise<number> {
  const master = await rasterise(svg);
  let bytes = 0;
  const write = async (ending: string, data: Buffer) => {
    await writeFile(`${file}-${ending}`, data);
    bytes += data.length;
  };
  for (const width of [240, 480, largest]) {
    const sized = sharp(master).resize({ width, kernel: 'lanczos3' });
    const avif = sized.clone().avif({ quality: width === largest ? 40 : 46, effort: 5 });
    await write(`${width}.avif`, await avif.toBuffer());
    if (width === largest)
      await write(`${width}.webp`, await sized.webp({ quality: 48, effort: 5, smartSubsample: true }).toBuffer());
  }
  return bytes;
}

async function picture(svg: string, file: string, widths: readonly number[]): Promise<number> {
  const master = await rasterise(svg);
  let bytes = 0;
  for (const width of widths) {
    const sized = sharp(master).resize({ width, kernel: 'lanczos3' });
    const q = quality(width);
    const avif = await sized.clone().avif({ quality: q.avif, effort: 4 }).toBuffer();
    const webp = await sized.clone().webp({ quality: q.webp, effort: 5, smartSubsample: true }).toBuffer();
    await writeFile(`${file}-${width}.avif`, avif);
    await writeFile(`${file}-${width}.webp`, webp);
    bytes += avif.length + webp.length;
  }
  return bytes;
}

async function sharing(svg: string, file: string): Promise<number> {
  const jpeg = await sharp(Buffer.from(svg), { unlimited: true })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 80, mozjpeg: true })
    .toBuffer();
  await writeFile(`${file}.jpg`, jpeg);
  return jpeg.length;
}

/** Pieces lie on whatever is below them: WebP with its alpha channel, in the one width that places of a box have on dense screens. */
async function piece(svg: string, file: string): Promise<number> {
  const webp = await sharp(Buffer.from(svg), { unlimited: true })
    .resize({ width: 192, kernel: 'lanczos3' })
    .webp({ quality: 74, alphaQuality: 80, effort: 6, smartSubsample: true })
    .toBuffer();
  await writeFile(`${file}-192.webp`, webp);
  return webp.length;
}

const wanted = new Set(process.argv.slice(2));
const chosen = (slug: string) => wanted.size === 0 || wanted.has(slug);
const report = (slug: string, bytes: number) => console.log(`${slug.padEnd(30)} ${Math.round(bytes / 1024)} kB`);

await mkdir(path.join(OUT, 'products'), { recursive: true });
await mkdir(path.join(OUT, 'slides'), { recursive: true });
await mkdir(path.join(OUT, 'views'), { recursive: true });
await mkdir(path.join(OUT, 'pieces'), { recursive: true });

if (chosen('icons')) await renderIcons();

let total = 0;
for (const { slug, svg } of PRODUCTS.filter((p) => chosen(p.slug))) {
  const bytes = await picture(svg(), path.join(OUT, 'products', slug), [240, 480, 960]);
  report(slug, bytes);
  total += bytes;
}
for (const { slug, svg } of VIEWS.filter((v) => chosen(v.slug))) {
  const bytes = await view(svg(), path.join(OUT, 'views', slug));
  report(slug, bytes);
  total += bytes;
}
for (const { slug, svg } of PIECES.filter((p) => chosen(`${p.slug}-piece`))) {
  const bytes = await piece(svg(), path.join(OUT, 'pieces', slug));
  report(`${slug}-piece`, bytes);
  total += bytes;
}
for (const scene of SCENES.filter((s) => chosen(s.slug))) {
  const file = path.join(OUT, scene.folder, scene.slug);
  const bytes =
    scene.widths.length > 0 ? await picture(scene.svg(), file, scene.widths) : await sharing(scene.svg(), file);
  report(scene.slug, bytes);
  total += bytes;
}
console.log(`${'total'.padEnd(30)} ${Math.round(total / 1024)} kB`);
