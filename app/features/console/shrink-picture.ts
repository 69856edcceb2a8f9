export type Shrunk = { ok: true; blob: Blob } | { ok: false; message: string };

const maxFileBytes = 25 * 1024 * 1024;
const maxMegapixels = 60;

/** A chosen file as WebP, no larger than `longest` pixels on its longer side; nothing of the file itself is kept. */
export async function shrinkPicture(
  file: File,
  { longest, quality }: { longest: number; quality: number },
): Promise<Shrunk> {
  if (file.size > maxFileBytes) return refuse('This file is larger than 25 MB.');
  // An SVG is a program, not a picture.
  const bitmap = /svg|xml|html/.test(file.type) ? null : await createImageBitmap(file).catch(() => null);
  if (!bitmap) return refuse('This is not a picture that can be opened here. Try a JPEG, PNG or WebP.');
  try {
    if (bitmap.width * bitmap.height > maxMegapixels * 1e6) return refuse('This picture has more than 60 megapixels.');
    const scale = Math.min(1, longest / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(bitmap.width * scale));
    canvas.height = Math.max(1, Math.round(bitmap.height * scale));
    const pen = canvas.getContext('2d');
    if (!pen) return refuse('This browser cannot draw pictures.');
    pen.imageSmoothingQuality = 'high';
    // What is see-through becomes paper, not black.
    pen.fillStyle = '#ffffff';
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/webp', quality));
    if (blob?.type !== 'image/webp')
      return refuse('This browser cannot write WebP pictures. Use Chrome, Edge or Firefox for this.');
    return { ok: true, blob };
  } finally {
    bitmap.close();
  }
}

const refuse = (message: string): Shrunk => ({ ok: false, message });
