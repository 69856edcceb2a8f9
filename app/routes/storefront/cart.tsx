import { useSession } from '#app/backend/session.tsx';
import { recheckCheckout, takeBought } from '#app/features/cart/cart-moves.ts';
import { CartPage } from '#app/features/cart/cart-page.tsx';
import { CheckoutSection } from '#app/features/checkout/checkout-section.tsx';
import { useUnfinishedPayments } from '#app/features/checkout/use-unfinished-payments.ts';
import PincodeCheck from '#app/features/delivery/pincode-check.tsx';
import type { Route } from './+types/cart.ts';

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  const shopName = matches[1].loaderData?.shop.name ?? 'Mithaas';
  return [{ title: `Cart · ${shopName}` }, { name: 'robots', content: 'noindex' }];
}

export function headers() {
  return { 'cache-control': 'private, no-store' };
}

export default function CartRoute() {
  const { state } = useSession();
  const followPayments = useUnfinishedPayments(takeBought);
  const moves = { recheck: recheckCheckout, takeBought, followPayments };
  return (
    <CartPage
      checkout={({ productIds, grams, ...list }) => (
        <>
          {/* Customers read it in the totals of their checkout, for their own address. */}
          {(state === 'visitor' || list.lines?.length === 0) && (
            <PincodeCheck bought="from-cart" isToAddress productIds={productIds} grams={grams} />
          )}
          <CheckoutSection {...list} {...moves} />
        </>
      )}
    />
  );
}
