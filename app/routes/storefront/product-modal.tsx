import PincodeCheck from '#app/features/delivery/pincode-check.tsx';
import { ProductModal } from '#app/features/product/product-modal.tsx';
import { usePurchase } from './product-actions.ts';

/** The modal together with what its buttons do, in one file that the layout loads when it is wanted. */
export default function StorefrontProductModal() {
  return (
    <ProductModal
      {...usePurchase()}
      delivery={({ id }, grams) => <PincodeCheck bought="now" productIds={[id]} grams={grams} />}
    />
  );
}
