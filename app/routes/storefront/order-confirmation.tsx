import { takeBought } from '#app/features/cart/cart-moves.ts';
import { ConfirmationPage } from '#app/features/checkout/confirmation-page.tsx';
import type { Route } from './+types/order-confirmation.ts';
import { useStorefront } from './layout.tsx';

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  const shopName = matches[1].loaderData?.shop.name ?? 'Mithaas';
  return [{ title: `Your order · ${shopName}` }, { name: 'robots', content: 'noindex' }];
}

export function headers() {
  return { 'cache-control': 'private, no-store' };
}

export default function OrderConfirmationRoute({ params: { providerOrderId } }: Route.ComponentProps) {
  const { shop } = useStorefront();
  return (
    <ConfirmationPage
      key={providerOrderId}
      providerOrderId={providerOrderId}
      counterAddress={shop.address}
      takeBought={takeBought}
    />
  );
}
