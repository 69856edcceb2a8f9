import { useCallback, useEffect } from 'react';
import { useNavigate } from 'react-router';
import { useSession } from '#app/backend/session.tsx';
import type { PurchaseActions } from '#app/features/product/purchase-options.tsx';
import { rememberWish } from '#app/features/product/wish.ts';
import { onFirstSign } from '#app/ui/first-sign.ts';
import { withPending } from '#app/ui/pending.ts';
import { toast } from '#app/ui/toast.tsx';
import { defaultSize } from '#domain/cart/cart.ts';
import type { Product } from '#domain/catalog/product.ts';

// Pages are read before anything is bought; the code that pays comes with the first press.
const cartActions = () => import('#app/features/cart/actions.ts');
const notifyBackend = () => import('#app/features/product/notify-backend.ts');
const directPurchase = () => import('#app/features/checkout/direct-purchase.ts');
const chosenDay = () => import('#app/features/delivery/chosen-day.ts');

/** What the two buttons of a product do: one puts it into the cart, the other pays for it at once. */
export function usePurchase(): PurchaseActions {
  const session = useSession();
  const navigate = useNavigate();
  useEffect(() => onFirstSign(() => void cartActions()), []);
  return {
    async addToCart(...choice) {
      (await withPending(cartActions())).addToCart(...choice);
    },
    async buyNow({ id }, size, quantity) {
      try {
        const [{ buyDirectly }, { chosenDayOf }] = await Promise.all([directPurchase(), chosenDay()]);
        const line = { productId: id, size, quantity };
        const goTo = (path: string) => navigate(path, { viewTransition: true });
        await buyDirectly({ session, line, deliveryOn: chosenDayOf(id), goTo, onLeave: () => rememberWish(line) });
      } catch {
        toast('error', 'Something went wrong. Please try again.');
      }
    },
  };
}

/** The small button on a card. */
export async function quickAdd(product: Product): Promise<void> {
  (await withPending(cartActions())).addToCart(product, defaultSize, 1);
}

/** The button of a sold-out card: the customer is told when it is back. */
export function useNotifyMe(): (product: Product) => Promise<void> {
  const session = useSession();
  return useCallback(
    async (product) => {
      try {
        const { setNotified } = await notifyBackend();
        await withPending(setNotified(session, product, true));
      } catch {
        toast('error', 'Something went wrong. Please try again.');
      }
    },
    [session],
  );
}
