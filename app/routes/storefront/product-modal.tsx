import { addToCart } from '#app/features/cart/actions.ts';
import { ProductModal } from '#app/features/product/product-modal.tsx';
import { useDirectPurchase } from './use-direct-purchase.ts';

/** The modal with what can be done in it: it comes when a product is opened. */
export function StorefrontProductModal() {
  return <ProductModal addToCart={addToCart} buyNow={useDirectPurchase()} />;
}
