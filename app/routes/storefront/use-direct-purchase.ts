import { useNavigate } from 'react-router';
import { useSession } from '#app/backend/session.tsx';
import { toast } from '#app/ui/toast.tsx';
import type { Size } from '#domain/cart/cart.ts';

/** Buy Now of one product, for its page and its modal. The code that pays comes with the first press. */
export function useDirectPurchase() {
  const session = useSession();
  const navigate = useNavigate();
  return async (product: { id: number }, size: Size, quantity: number): Promise<void> => {
    try {
      const { buyDirectly } = await import('#app/features/checkout/direct-purchase.ts');
      await buyDirectly({ session, line: { productId: product.id, size, quantity }, goTo: (path) => navigate(path) });
    } catch {
      toast('error', 'Something went wrong. Please try again.');
    }
  };
}
