import { startTransition, useCallback, useEffect, useState } from 'react';
import { readAsVisitor } from '#app/backend/client.ts';
import { recall, remember } from '#app/backend/remembered.ts';
import type { PublicConfig } from '#app/shop-context.ts';
import { defaultSize, type Size } from '#domain/cart/cart.ts';
import { type Paise, paiseFromRupees } from '#domain/money.ts';

export type CartProduct = {
  id: number;
  name: string;
  pricePaise: Paise;
  image: string;
  category: string;
  available: boolean;
  hasSize: boolean;
  gstPercent: number;
  /** Of one piece; sizes weigh what they are called. */
  weightGrams: number;
  foodMark: 'veg' | 'non-veg' | null;
};

/** null stands for a product that is no longer sold; what is not in the map has not been asked for yet. */
type KnownProducts = ReadonlyMap<number, CartProduct | null>;

export type CartProducts = {
  failed: boolean;
  retry(): void;
  find(productId: number): CartProduct | undefined;
  /** False only for what the shop has said it does not sell. */
  isSold(productId: number, size: Size): boolean;
};

// Addresses have a length too: so many products are asked for at once.
const chunk = 60;

/** The products of a basket, read once for this visit of the page; products that join later are read when they come. */
export function useCartProducts(config: PublicConfig, ids: readonly number[]): CartProducts {
  const [known, setKnown] = useState<KnownProducts>(new Map());
  const [attempt, setAttempt] = useState(0);
  const [failure, setFailure] = useState<{ wanted: string; attempt: number } | null>(null);
  const wanted = ids.filter((id) => !known.has(id)).join();

  useEffect(() => {
    if (wanted === '') return;
    let gone = false;
    const show = (found: KnownProducts) => startTransition(() => setKnown((before) => new Map([...before, ...found])));
    const asked = wanted.split(',').map(Number);
    readProducts(config, asked).then(
      (found) => {
        rememberProducts(found);
        if (!gone) show(found);
      },
      () => {
        if (gone) return;
        // Without a network the cart can still be looked at and changed.
        const remembered = rememberedProducts();
        if (asked.every((id) => remembered.has(id))) show(remembered);
        else setFailure({ wanted, attempt });
      },
    );
    return () => {
      gone = true;
    };
  }, [config, wanted, attempt]);

  return {
    failed: wanted !== '' && failure?.wanted === wanted && failure.attempt === attempt,
    retry: useCallback(() => setAttempt((count) => count + 1), []),
    find: (productId) => known.get(productId) ?? undefined,
    isSold(productId, size) {
      const product = known.get(productId);
      if (product === undefined) return true;
      return product !== null && (size === defaultSize || product.hasSize);
    },
  };
}

const productsKey = 'mithaas-cart-products';

/** Of this cart alone: what is no longer in it is forgotten with the next read. */
function rememberProducts(found: KnownProducts): void {
  const products = [...found.values()].filter((product) => product !== null);
  remember('localStorage', productsKey, JSON.stringify(products));
}

function rememberedProducts(): KnownProducts {
  try {
    const products = JSON.parse(recall('localStorage', productsKey) ?? '[]') as CartProduct[];
    return new Map(products.map((product) => [product.id, product]));
  } catch {
    return new Map();
  }
}

async function readProducts(config: PublicConfig, ids: number[]): Promise<Map<number, CartProduct | null>> {
  const chunks = Array.from({ length: Math.ceil(ids.length / chunk) }, (_, index) =>
    ids.slice(index * chunk, (index + 1) * chunk),
  );
  const columns = 'Id,Name,Price,Image,Category,isavailable,hasSize,weight_grams,gst_percent,food_mark';
  const answers = await Promise.all(
    chunks.map((some) => readAsVisitor(config, `Products?select=${columns}&Id=in.(${some.join()})`)),
  );
  const products = new Map<number, CartProduct | null>(ids.map((id) => [id, null]));
  for (const row of answers.flat()) {
    const product = productFrom(row as Record<string, unknown>);
    products.set(product.id, product);
  }
  return products;
}

function productFrom(row: Record<string, unknown>): CartProduct {
  return {
    id: Number(row.Id),
    name: String(row.Name),
    pricePaise: paiseFromRupees(String(row.Price)),
    image: String(row.Image),
    category: String(row.Category),
    available: row.isavailable === true,
    hasSize: row.hasSize === true,
    gstPercent: Number(row.gst_percent),
    weightGrams: Number(row.weight_grams),
    foodMark: row.food_mark === 'veg' || row.food_mark === 'non-veg' ? row.food_mark : null,
  };
}
