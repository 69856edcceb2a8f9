import { ProductModal } from '#app/features/product/product-modal.tsx';
import { DeliveryCheck } from './delivery-check.tsx';
import { usePurchase } from './product-actions.ts';

/** The modal together with what its buttons do, in one file that the layout loads when it is wanted. */
export default function StorefrontProductModal() {
  return (
    <ProductModal
      {...usePurchase()}
      delivery={({ id }, grams) => <DeliveryCheck bought="now" productIds={[id]} grams={grams} />}
    />
  );
}
