import { recheckCheckout, takeBought } from '#app/features/cart/cart-moves.ts';
import { CartPage } from '#app/features/cart/cart-page.tsx';
import { CheckoutSection } from '#app/features/checkout/checkout-section.tsx';
import { useUnfinishedPayments } from '#app/features/checkout/use-unfinished-payments.ts';

export function meta() {
  return [{ title: 'Cart' }, { name: 'robots', content: 'noindex' }];
}

export function headers() {
  return { 'cache-control': 'private, no-store' };
}

export default function CartRoute() {
  useUnfinishedPayments(takeBought);
  return (
    <CartPage checkout={(list) => <CheckoutSection {...list} recheck={recheckCheckout} takeBought={takeBought} />} />
  );
}
