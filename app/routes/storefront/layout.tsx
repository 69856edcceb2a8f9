import { type ComponentType, lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { Outlet, useLocation, useMatches, useNavigate, useRouteLoaderData } from 'react-router';
import { type OnReturn, SessionProvider } from '#app/backend/session.tsx';
import { useBasket } from '#app/features/cart/basket-state.ts';
import { boxCount } from '#app/features/cart/box-count.ts';
import { DeliverTo } from '#app/features/delivery/deliver-to.tsx';
import { OfflineNote } from '#app/features/navigation/offline-note.tsx';
import footerStyles from '#app/features/navigation/page-footer.module.css';
import { loadPageFrame } from '#app/features/navigation/page-frame.server.ts';
import { CartCount, TopNavigation } from '#app/features/navigation/top-navigation.tsx';
import { shopContext } from '#app/shop-context.ts';
import { useHydrated } from '#app/ui/after-hydration.ts';
import { CategoryColours } from '#app/ui/category-colours.tsx';
import { onFirstSign } from '#app/ui/first-sign.ts';
import textFont from '#app/ui/fonts/mukta-latin-400.woff2?url';
import strongFont from '#app/ui/fonts/mukta-latin-600.woff2?url';
import displayFont from '#app/ui/fonts/rozha-one-latin-400.woff2?url';
import { lazyPart } from '#app/ui/lazy-part.tsx';
import { Toaster, toast } from '#app/ui/toast.tsx';
import { totalQuantity } from '#domain/cart/cart.ts';
import { categoryRules } from '#domain/catalog/category-colours.ts';
import { hasModal, productNameIn } from '#domain/catalog/modal-address.ts';
import type { Route } from './+types/layout.ts';

const PageFooter = lazyPart(() => import('#app/features/navigation/page-footer.tsx'), [footerStyles]);
const loadProductModal = () => import('./product-modal.tsx');
const ProductModal = lazy(loadProductModal);

export async function loader({ context }: Route.LoaderArgs) {
  const shop = context.get(shopContext);
  const { categories, ...frame } = await loadPageFrame(shop);
  return { ...frame, categoryColours: categoryRules(categories), publicConfig: shop.publicConfig };
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

export default function StorefrontLayout({
  loaderData: { shop, categoryColours, publicConfig },
}: Route.ComponentProps) {
  const navigate = useNavigate();
  const onReturn = useCallback<OnReturn>(
    (path, { isSignedIn }) => {
      if (!isSignedIn) toast('warning', 'Login wasn’t completed. Please try again.');
      navigate(path, { replace: true });
    },
    [navigate],
  );
  useServiceWorker();
  const AboveNavigation = (useMatches().at(-1)?.handle as StorefrontHandle | undefined)?.aboveNavigation;
  return (
    <SessionProvider config={publicConfig} onReturn={onReturn}>
      {import.meta.env.SSR && <FontsAtOnce />}
      <CategoryColours rules={categoryColours} />
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      {AboveNavigation && <AboveNavigation />}
      <TopNavigation shopName={shop.name} cartCount={<CurrentCartCount />} place={<DeliverTo />} />
      <OfflineNote />
      <div id="content" tabIndex={-1}>
        {/* A press on the navigation while the page is loading hydrates the navigation, and waits for no more. */}
        <Suspense>
          <Outlet />
        </Suspense>
      </div>
      <ProductModalIfWanted />
      <PageFooter shop={shop} />
      <Toaster />
    </SessionProvider>
  );
}

/** A component of its own, so that a cart that is read after hydration renders nothing else again. */
function CurrentCartCount() {
  const boxes = useHydrated() ? boxCount() : 0;
  return <CartCount quantity={totalQuantity(useBasket()) + boxes} />;
}

function ProductModalIfWanted() {
  return (
    useModalWanted() && (
      <Suspense>
        <ProductModal />
      </Suspense>
    )
  );
}

/** Registered when the visitor first moves: what it keeps is fetched in the background, and not for everybody who looks in. */
function useServiceWorker(): void {
  useEffect(() => {
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
    return onFirstSign(() => void navigator.serviceWorker.register('/service-worker.js').catch(() => {}));
  }, []);
}

/** Loaded together with the page, so that the text is redrawn once when they arrive, not three times. */
function FontsAtOnce() {
  return [displayFont, textFont, strongFont].map((href) => (
    <link key={href} rel="preload" href={href} as="font" type="font/woff2" crossOrigin="anonymous" />
  ));
}

/** The modal's code is prefetched when a product may be opened soon, and stays mounted: closing restores the focus. */
function useModalWanted(): boolean {
  const { pathname, search } = useLocation();
  const isPossible = hasModal(pathname);
  const [isHere, setHere] = useState(false);
  useEffect(() => {
    if (!isPossible) return;
    return onFirstSign(() =>
      loadProductModal().then(
        () => setHere(true),
        () => {},
      ),
    );
  }, [isPossible]);
  const hydrated = useHydrated();
  const wanted = useRef(false);
  wanted.current ||= isHere || (hydrated && productNameIn(search) !== null);
  return wanted.current;
}
