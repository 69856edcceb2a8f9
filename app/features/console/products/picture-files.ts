import type { ShopClient } from '#app/backend/client.ts';
import { pictureWidths } from '#domain/catalog/product-image.ts';
import { type Crop, minPixels, sourceSquare } from '#domain/products/picture-crop.ts';
import { filesOfPicture, pictureNames } from '#domain/products/picture-names.ts';

export type Opened = { ok: true; bitmap: ImageBitmap } | { ok: false; message: string };
export type CutPicture = { width: number; blob: Blob }[];

const maxFileBytes = 25 * 1024 * 1024;
const maxMegapixels = 60;

/** Decodes a chosen file, or says why it cannot be a picture of a product. */
export async function openPicture(file: Blob): Promise<Opened> {
  if (file.size > maxFileBytes)
    return { ok: false, message: `This file is ${Math.round(file.size / 1024 / 1024)} MB. The limit is 25 MB.` };
  // An SVG is a program, and has no size of its own.
  const bitmap = /svg|xml|html/.test(file.type) ? null : await createImageBitmap(file).catch(() => null);
  if (!bitmap) return { ok: false, message: 'We can’t open this file. Use a JPEG, PNG or WebP picture.' };
  const { width, height } = bitmap;
  const size = `${width} × ${height} pixels`;
  if (Math.min(width, height) < minPixels) {
    bitmap.close();
    return {
      ok: false,
      message: `This picture is too small (${size}). It needs at least ${minPixels} × ${minPixels}.`,
    };
  }
  if (width * height > maxMegapixels * 1e6) {
    bitmap.close();
    return { ok: false, message: `This picture is too large (${size}). The limit is ${maxMegapixels} megapixels.` };
  }
  return { ok: true, bitmap };
}

/** The chosen square in all widths, as WebP. null: this browser cannot write WebP. */
export async function cutPicture(bitmap: ImageBitmap, crop: Crop): Promise<CutPicture | null> {
  const { x, y, side } = sourceSquare(bitmap, crop);
  const cut: CutPicture = [];
  for (const width of pictureWidths) {
    const canvas = document.createElement('canvas');
    canvas.width = width;
    canvas.height = width;
    const pen = canvas.getContext('2d');
    if (!pen) return null;
    pen.imageSmoothingQuality = 'high';
    // What is see-through becomes paper, not black.
    pen.fillStyle = '#ffffff';
    pen.fillRect(0, 0, width, width);
    pen.drawImage(bitmap, x, y, side, side, 0, 0, width, width);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/webp', 0.85));
    if (blob?.type !== 'image/webp') return null;
    cut.push({ width, blob });
  }
  return cut;
}

const bucket = 'products';
const keptForSeconds = '31536000'; // every picture has a name of its own

/** Stores a picture and answers with its address; null: it could not be stored, and nothing of it is left. */
export async function storePicture(
  client: ShopClient,
  backendUrl: string | null,
  productName: string,
  picture: CutPicture,
): Promise<string | null> {
  const names = pictureNames(productName, crypto.randomUUID().slice(0, 8));
  const files = client.storage.from(bucket);
  for (const { width, path } of names) {
    const blob = picture.find((one) => one.width === width)?.blob;
    const { error } = blob
      ? await files.upload(path, blob, { contentType: 'image/webp', cacheControl: keptForSeconds })
      : { error: true };
    if (error) {
      await files.remove(names.map((name) => name.path));
      return null;
    }
  }
  return `${backendUrl ?? ''}/storage/v1/object/public/${bucket}/${names.at(-1)?.path}`;
}

/** Removes the files of pictures that nothing shows any longer. If that fails they only lie about. */
export async function removePictures(client: ShopClient, images: readonly string[]): Promise<void> {
  const paths = images.flatMap(filesOfPicture);
  if (paths.length > 0) await client.storage.from(bucket).remove(paths);
}
