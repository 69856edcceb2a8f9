import { CartPage } from '#app/features/cart/cart-page.tsx';

export function meta() {
  return [{ title: 'Cart' }, { name: 'robots', content: 'noindex' }];
}

export function headers() {
  return { 'cache-control': 'private, no-store' };
}

export default function CartRoute() {
  return <CartPage />;
}
