import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import type { PurchaseActions } from '#app/features/product/purchase-options.tsx';
import { onFirstSign } from '#app/ui/first-sign.ts';
import { defaultSize } from '#domain/cart/cart.ts';
import type { Product } from '#domain/catalog/product.ts';

// Pages are read before anything is bought.
const cartActions = () => import('#app/features/cart/actions.ts');

/** What the two buttons of a product do: one stays here, the other goes on to pay. */
export function usePurchase(): PurchaseActions {
  const navigate = useNavigate();
  useEffect(() => onFirstSign(() => void cartActions()), []);
  return {
    async addToCart(...choice) {
      (await cartActions()).addToCart(...choice);
    },
    async buyNow(...choice) {
      if ((await cartActions()).buyNow(...choice)) void navigate('/cart#checkout-list');
    },
  };
}

/** The small button on a card. */
export async function quickAdd(product: Product): Promise<void> {
  (await cartActions()).addToCart(product, defaultSize, 1);
}
