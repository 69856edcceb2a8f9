import { type ComponentType, lazy, Suspense, useCallback, useRef } from 'react';
import { Outlet, useLocation, useMatches, useNavigate, useRouteLoaderData } from 'react-router';
import { SessionProvider } from '#app/backend/session.tsx';
import { useBasket } from '#app/features/cart/basket.ts';
import { PageFooter } from '#app/features/navigation/page-footer.tsx';
import { loadPageFrame } from '#app/features/navigation/page-frame.server.ts';
import { TopNavigation } from '#app/features/navigation/top-navigation.tsx';
import { shopContext } from '#app/shop-context.ts';
import { useHydrated } from '#app/ui/after-hydration.ts';
import { Toaster } from '#app/ui/toast.tsx';
import { totalQuantity } from '#domain/cart/cart.ts';
import { productNameIn } from '#domain/catalog/modal-address.ts';
import type { Route } from './+types/layout.ts';

const ProductModal = lazy(async () => ({
  default: (await import('./product-modal.tsx')).StorefrontProductModal,
}));

export async function loader({ context }: Route.LoaderArgs) {
  const shop = context.get(shopContext);
  return { ...(await loadPageFrame(shop)), publicConfig: shop.publicConfig };
}

/** The same around every page; read again with the next full load. */
export const shouldRevalidate = () => false;

export type StorefrontData = Awaited<ReturnType<typeof loader>>;

/** For pages below that need the shop's facts or the greeting. */
export function useStorefront(): StorefrontData {
  const data = useRouteLoaderData<typeof loader>('routes/storefront/layout');
  if (!data) throw new Error('only pages of the storefront may ask for this');
  return data;
}

/** What a page may ask of the frame around it. */
export type StorefrontHandle = { aboveNavigation?: ComponentType };

export default function StorefrontLayout({ loaderData: { shop, publicConfig } }: Route.ComponentProps) {
  const navigate = useNavigate();
  const onReturn = useCallback((path: string) => void navigate(path, { replace: true }), [navigate]);
  const quantity = totalQuantity(useBasket());
  const isModalWanted = useModalWanted();
  const AboveNavigation = (useMatches().at(-1)?.handle as StorefrontHandle | undefined)?.aboveNavigation;
  return (
    <SessionProvider config={publicConfig} onReturn={onReturn}>
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      {AboveNavigation && <AboveNavigation />}
      <TopNavigation shopName={shop.name} quantity={quantity} />
      <div id="content" tabIndex={-1}>
        <Outlet />
      </div>
      {isModalWanted && (
        <Suspense>
          <ProductModal />
        </Suspense>
      )}
      <PageFooter shop={shop} />
      <Toaster />
    </SessionProvider>
  );
}

/** The modal's code comes with the first product that is opened, and stays: closing gives the focus back. */
function useModalWanted(): boolean {
  const { search } = useLocation();
  const hydrated = useHydrated();
  const wanted = useRef(false);
  wanted.current ||= hydrated && productNameIn(search) !== null;
  return wanted.current;
}
