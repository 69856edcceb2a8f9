import type { ShopClient } from '#app/backend/client.ts';

const bucket = 'banners';
const keptForSeconds = '31536000'; // every picture has a name of its own

export type CutPicture = readonly { width: number; blob: Blob }[];

/** Stores a picture in all its widths and answers with the address of the widest; null: nothing of it is stored. */
export async function storePicture(
  client: ShopClient,
  backendUrl: string | null,
  what: string,
  picture: CutPicture,
): Promise<string | null> {
  const mark = `${what}-${crypto.randomUUID().slice(0, 12)}`;
  const files = client.storage.from(bucket);
  const paths = picture.map(({ width }) => `${mark}-${width}.webp`);
  for (const [place, { blob }] of picture.entries()) {
    const path = paths[place] ?? '';
    const { error } = await files.upload(path, blob, { contentType: 'image/webp', cacheControl: keptForSeconds });
    if (!error) continue;
    await files.remove(paths);
    return null;
  }
  return `${backendUrl ?? ''}/storage/v1/object/public/${bucket}/${paths.at(-1)}`;
}

/** Removes the files of an unused picture, if it was uploaded here. */
export async function removePicture(client: ShopClient, image: string, widths: readonly number[]): Promise<void> {
  const base = /\/storage\/v1\/object\/public\/banners\/(?<base>[\w-]+)-\d+\.webp$/.exec(image)?.groups?.base;
  if (base) await client.storage.from(bucket).remove(widths.map((width) => `${base}-${width}.webp`));
}
