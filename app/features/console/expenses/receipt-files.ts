import type { ShopClient } from '#app/backend/client.ts';

const bucket = 'receipts';

/** Large enough to read the small print of a bill. */
export const receiptPixels = 1800;

/** Where it lies now; null: it could not be stored. */
export async function storeReceipt(client: ShopClient, day: string, photo: Blob): Promise<string | null> {
  const path = `${day.slice(0, 4)}/${crypto.randomUUID()}.webp`;
  const { error } = await client.storage.from(bucket).upload(path, photo, { contentType: 'image/webp' });
  return error ? null : path;
}

export async function readReceipt(client: ShopClient, path: string): Promise<Blob | null> {
  const { data } = await client.storage.from(bucket).download(path);
  return data;
}

/** If it fails, only an unused photo remains. */
export async function removeReceipt(client: ShopClient, path: string): Promise<void> {
  await client.storage.from(bucket).remove([path]);
}
