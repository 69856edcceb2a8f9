import { useCallback } from 'react';
import { Outlet, useNavigate, useRouteLoaderData } from 'react-router';
import { SessionProvider } from '#app/backend/session.tsx';
import { addToCart, buyNow } from '#app/features/cart/actions.ts';
import { useBasket } from '#app/features/cart/basket.ts';
import { PageFooter } from '#app/features/navigation/page-footer.tsx';
import { loadPageFrame } from '#app/features/navigation/page-frame.server.ts';
import { TopNavigation } from '#app/features/navigation/top-navigation.tsx';
import { ProductModal } from '#app/features/product/product-modal.tsx';
import { shopContext } from '#app/shop-context.ts';
import { Toaster } from '#app/ui/toast.tsx';
import { totalQuantity } from '#domain/cart/cart.ts';
import type { Route } from './+types/layout.ts';

export async function loader({ context }: Route.LoaderArgs) {
  const shop = context.get(shopContext);
  return { ...(await loadPageFrame(shop)), publicConfig: shop.publicConfig };
}

export type StorefrontData = Awaited<ReturnType<typeof loader>>;

/** For pages below that need the shop's facts or the greeting. */
export function useStorefront(): StorefrontData {
  const data = useRouteLoaderData<typeof loader>('routes/storefront/layout');
  if (!data) throw new Error('only pages of the storefront may ask for this');
  return data;
}

export default function StorefrontLayout({ loaderData: { shop, publicConfig } }: Route.ComponentProps) {
  const navigate = useNavigate();
  const onReturn = useCallback((path: string) => void navigate(path, { replace: true }), [navigate]);
  const quantity = totalQuantity(useBasket());
  return (
    <SessionProvider config={publicConfig} onReturn={onReturn}>
      <TopNavigation shopName={shop.name} quantity={quantity} />
      <Outlet />
      <ProductModal
        addToCart={addToCart}
        buyNow={(...choice) => {
          if (buyNow(...choice)) void navigate('/cart');
        }}
      />
      <PageFooter shop={shop} />
      <Toaster />
    </SessionProvider>
  );
}
