export type Shrunk = { ok: true; blob: Blob } | { ok: false; message: string };
export type Cut = { ok: true; blobs: { width: number; blob: Blob }[] } | { ok: false; message: string };

type Refusal = { ok: false; message: string };
type Part = { x: number; y: number; width: number; height: number };

const maxFileBytes = 25 * 1024 * 1024;
const maxMegapixels = 60;
const quality = 0.8;

/** A chosen file as WebP, no larger than `longest` pixels on its longer side; nothing of the file itself is kept. */
export function shrinkPicture(file: File, longest: number): Promise<Shrunk> {
  return withBitmap(file, async (bitmap) => {
    const scale = Math.min(1, longest / Math.max(bitmap.width, bitmap.height));
    const whole = { x: 0, y: 0, width: bitmap.width, height: bitmap.height };
    const blob = await draw(bitmap, whole, Math.round(bitmap.width * scale), Math.round(bitmap.height * scale));
    return blob ? { ok: true, blob } : cannotWrite;
  });
}

/**
 * A chosen photo that fits into `mostBytes`: as WebP, or as JPEG in browsers that write no WebP. Where and with what it was taken
 * stays with the file.
 */
export function shrinkPhoto(file: File, mostBytes: number): Promise<Shrunk> {
  return withBitmap(file, async (bitmap) => {
    for (const longest of [1600, 1200, 800]) {
      const scale = Math.min(1, longest / Math.max(bitmap.width, bitmap.height));
      const whole = { x: 0, y: 0, width: bitmap.width, height: bitmap.height };
      const size = [Math.round(bitmap.width * scale), Math.round(bitmap.height * scale)] as const;
      const blob = (await draw(bitmap, whole, ...size)) ?? (await draw(bitmap, whole, ...size, 'image/jpeg'));
      if (!blob) return cannotWrite;
      if (blob.size <= mostBytes) return { ok: true, blob };
    }
    return refuse('We can’t make this photo small enough. Try another one.');
  });
}

/** The middle of a chosen file in a ratio of width to height, in several widths, as WebP. */
export function cutPicture(file: File, { ratio, widths }: { ratio: number; widths: readonly number[] }): Promise<Cut> {
  return withBitmap(file, async (bitmap) => {
    const width = Math.min(bitmap.width, bitmap.height * ratio);
    const height = width / ratio;
    const middle = { x: (bitmap.width - width) / 2, y: (bitmap.height - height) / 2, width, height };
    const smallest = Math.min(...widths);
    if (width < smallest) return refuse(`This picture is too small. It needs to be at least ${smallest} pixels wide.`);
    const blobs: { width: number; blob: Blob }[] = [];
    for (const wanted of widths) {
      const blob = await draw(bitmap, middle, wanted, Math.round(wanted / ratio));
      if (!blob) return cannotWrite;
      blobs.push({ width: wanted, blob });
    }
    return { ok: true, blobs };
  });
}

const refuse = (message: string): Refusal => ({ ok: false, message });
const cannotWrite = refuse('This browser can’t save pictures for the shop. Use Chrome, Edge or Firefox.');

async function withBitmap<T>(file: File, use: (bitmap: ImageBitmap) => Promise<T | Refusal>): Promise<T | Refusal> {
  if (file.size > maxFileBytes) return refuse('This file is too large. The limit is 25 MB.');
  // An SVG is a program, not a picture.
  const bitmap = /svg|xml|html/.test(file.type) ? null : await createImageBitmap(file).catch(() => null);
  if (!bitmap) return refuse('We can’t open this file. Use a JPEG, PNG or WebP picture.');
  try {
    if (bitmap.width * bitmap.height > maxMegapixels * 1e6)
      return refuse('This picture is too large. The limit is 60 megapixels.');
    return await use(bitmap);
  } finally {
    bitmap.close();
  }
}

async function draw(
  bitmap: ImageBitmap,
  part: Part,
  width: number,
  height: number,
  type: 'image/webp' | 'image/jpeg' = 'image/webp',
): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, width);
  canvas.height = Math.max(1, height);
  const pen = canvas.getContext('2d');
  if (!pen) return null;
  pen.imageSmoothingQuality = 'high';
  // What is see-through becomes paper, not black.
  pen.fillStyle = '#ffffff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(bitmap, part.x, part.y, part.width, part.height, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, type, quality));
  return blob?.type === type ? blob : null;
}
