import { useRef } from 'react';
import { useSession } from '#app/backend/session.tsx';
import type { Refusal } from '../refusal.ts';
import { type Outcome, useRequests } from '../requests.ts';
import type { ProductToSave } from './form-values.ts';
import { type CutPicture, removePictures, storePicture } from './picture-files.ts';
import { SavedProduct } from './product-data.ts';

const notStored: Refusal = {
  ok: false,
  reason: 'failed',
  field: 'image',
  message: 'The picture could not be stored. Please try again.',
};

/**
 * Saves a product with a new picture, if there is one: first its files, then the product, and only then the files of the
 * old picture go. A product that is refused leaves no files behind.
 */
export function useProductSaving(productId: number | null, firstSeen: string | null) {
  const { act, client } = useRequests();
  const { config } = useSession();
  const seen = useRef(firstSeen);
  const newPicture = useRef<CutPicture | null>(null);
  // The form goes on showing a picture by its address in this browser.
  const lastStored = useRef('');

  async function save(product: ProductToSave): Promise<Outcome<{ id: number }>> {
    const picture = newPicture.current;
    const stored = picture
      ? await client()
          .then((shop) => storePicture(shop, config.url, product.name, picture))
          .catch(() => null)
      : null;
    if (picture && !stored) return notStored;
    const image = stored ?? (product.image.startsWith('blob:') ? lastStored.current : product.image);
    const outcome = await act(
      'admin_save_product',
      { changes: { ...product, image }, product_id: productId, seen: seen.current },
      SavedProduct,
    );
    if (!outcome.ok) {
      // Where nobody knows whether it was saved, the files stay.
      if (stored && outcome.reason !== 'failed') await removeQuietly([stored]);
      return outcome;
    }
    newPicture.current = null;
    lastStored.current = image;
    seen.current = outcome.value.updated_at;
    if (outcome.value.unused_image) await removeQuietly([outcome.value.unused_image]);
    return outcome;
  }

  async function removeQuietly(images: string[]) {
    await client()
      .then((shop) => removePictures(shop, images))
      .catch(() => {});
  }

  return {
    save,
    setNewPicture(picture: CutPicture | null) {
      newPicture.current = picture;
    },
  };
}
