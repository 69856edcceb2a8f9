import { CartPage } from '#app/features/cart/cart-page.tsx';
import type { Route } from './+types/cart.ts';

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  const shopName = matches[1].loaderData?.shop.name ?? 'Mithaas';
  return [{ title: `Cart · ${shopName}` }, { name: 'robots', content: 'noindex' }];
}

export function headers() {
  return { 'cache-control': 'private, no-store' };
}

export default function CartRoute() {
  return <CartPage />;
}
