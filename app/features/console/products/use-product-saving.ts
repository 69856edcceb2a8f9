import { useRef } from 'react';
import { useSession } from '#app/backend/session.tsx';
import { saveProduct } from '#contracts/console/products.ts';
import { readMorePictures, writeMorePictures } from '#domain/products/more-pictures.ts';
import type { Refusal } from '../data/refusal.ts';
import { type Outcome, useRequests } from '../data/requests.ts';
import type { ProductToSave } from './form-values.ts';
import { type CutPicture, removePictures, storePicture } from './picture-files.ts';

const notStored: Refusal = {
  ok: false,
  reason: 'failed',
  field: 'image',
  message: 'We couldn’t upload the picture, so nothing was saved. Please try again.',
};

/**
 * Saves a product with its new pictures: first their files, then the product, and only then the files that nothing shows
 * any longer go. A product that is refused leaves no files behind.
 */
export function useProductSaving(productId: number | null, firstSeen: string | null) {
  const { act, client } = useRequests();
  const { config } = useSession();
  const seen = useRef(firstSeen);
  // By their address in this browser, by which the form goes on showing them.
  const cut = useRef(new Map<string, CutPicture>());
  const stored = useRef(new Map<string, string>());

  async function save(product: ProductToSave): Promise<Outcome<{ id: number }>> {
    const more = readMorePictures(product.more_pictures);
    const added: string[] = [];
    for (const address of [product.image, ...more.map(({ image }) => image)]) {
      const picture = cut.current.get(address);
      if (!picture || stored.current.has(address)) continue;
      const place = await client()
        .then((shop) => storePicture(shop, config.url, product.name, picture))
        .catch(() => null);
      if (!place) {
        await forget(added);
        return notStored;
      }
      stored.current.set(address, place);
      added.push(address);
    }
    const storedAt = (address: string) => stored.current.get(address) ?? address;
    const changes = {
      ...product,
      image: storedAt(product.image),
      more_pictures: writeMorePictures(more.map((picture) => ({ ...picture, image: storedAt(picture.image) }))),
    };
    const outcome = await act(saveProduct, { changes, product_id: productId, seen: seen.current });
    if (!outcome.ok) {
      // The files stay when it is unknown whether the product was saved.
      if (outcome.reason !== 'failed') await forget(added);
      return outcome;
    }
    seen.current = outcome.value.updated_at;
    await removeQuietly(outcome.value.unused_images);
    return outcome;
  }

  async function forget(addresses: readonly string[]) {
    const places = addresses.flatMap((address) => stored.current.get(address) ?? []);
    for (const address of addresses) stored.current.delete(address);
    await removeQuietly(places);
  }

  async function removeQuietly(images: readonly string[]) {
    if (images.length === 0) return;
    await client()
      .then((shop) => removePictures(shop, images))
      .catch(() => {});
  }

  return {
    save,
    addCut(address: string, picture: CutPicture) {
      cut.current.set(address, picture);
    },
  };
}
