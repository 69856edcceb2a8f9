import textFont from '@fontsource/mukta/files/mukta-latin-400-normal.woff2?url';
import displayFont from '@fontsource/rozha-one/files/rozha-one-latin-400-normal.woff2?url';
import { Link, type ShouldRevalidateFunctionArgs } from 'react-router';
import { useBasket } from '#app/features/cart/basket.ts';
import { loadHomePage } from '#app/features/catalog/catalog.server.ts';
import { ProductGrid } from '#app/features/catalog/product-grid.tsx';
import { BrandStory } from '#app/features/home/brand-story.tsx';
import { BulkOrder } from '#app/features/home/bulk-order.tsx';
import { ComboPacks } from '#app/features/home/combo-packs.tsx';
import { FestivalBanner } from '#app/features/home/festival-banner.tsx';
import { HeroCarousel } from '#app/features/home/hero-carousel.tsx';
import { OrderNow } from '#app/features/home/order-now.tsx';
import { Steps } from '#app/features/home/steps.tsx';
import { Testimonials } from '#app/features/home/testimonials.tsx';
import { shopContext } from '#app/shop-context.ts';
import button from '#app/ui/button.module.css';
import { defaultSize } from '#domain/cart/cart.ts';
import { onlyOpensOrClosesModal } from '#domain/catalog/modal-address.ts';
import type { Product } from '#domain/catalog/product.ts';
import type { Route } from './+types/home.ts';
import { type StorefrontHandle, useStorefront } from './layout.tsx';

export async function loader({ context }: Route.LoaderArgs) {
  const shop = context.get(shopContext);
  return { ...(await loadHomePage(shop)), siteUrl: shop.siteUrl };
}

/** What is read first is set in these two: asked for with the page, they are there when it is painted. */
export const links: Route.LinksFunction = () =>
  [displayFont, textFont].map((href) => ({
    rel: 'preload',
    href,
    as: 'font',
    type: 'font/woff2',
    crossOrigin: 'anonymous',
  }));

export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return onlyOpensOrClosesModal(currentUrl, nextUrl) ? false : defaultShouldRevalidate;
}

export function meta({ loaderData, matches }: Route.MetaArgs): Route.MetaDescriptors {
  const title = `${matches[1].loaderData?.shop.name ?? 'Mithaas'} · Indian sweets, made by hand`;
  const description = 'Halwa, laddu, chocolate and gift boxes, made fresh in small batches and sent all over India.';
  if (!loaderData) return [{ title }];
  return [
    { title },
    { name: 'description', content: description },
    { tagName: 'link', rel: 'canonical', href: `${loaderData.siteUrl}/` },
    { property: 'og:type', content: 'website' },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:url', content: `${loaderData.siteUrl}/` },
    { property: 'og:image', content: `${loaderData.siteUrl}/images/og-default.jpg` },
  ];
}

/** Comes with the first press: the page is read before anything is bought. */
async function putOneIntoCart(product: Product): Promise<void> {
  const { addToCart } = await import('#app/features/cart/actions.ts');
  addToCart(product, defaultSize, 1);
}

/** The layout puts it above the navigation. */
export const handle: StorefrontHandle = { aboveNavigation: HomeBanner };

function HomeBanner() {
  const { greeting } = useStorefront();
  return greeting && <FestivalBanner greeting={greeting} onDismiss={focusMain} />;
}

/** The button that had the focus is gone with its banner; go on reading from the top. */
function focusMain() {
  document.querySelector('main')?.focus({ preventScroll: true });
}

export default function HomeRoute({ loaderData: { slides, products, combos } }: Route.ComponentProps) {
  const { shop, publicConfig } = useStorefront();
  const basket = useBasket();
  return (
    <main tabIndex={-1} style={{ outline: 'none' }}>
      <HeroCarousel slides={slides} />
      <ProductGrid
        heading="A Taste Of Authenticity"
        products={products}
        onQuickAdd={putOneIntoCart}
        after={
          <Link to="/shop" className={button.main}>
            Try Them All
          </Link>
        }
      />
      <BrandStory fssaiNumber={shop.fssaiNumber} />
      <ComboPacks combos={combos} after={<BulkOrder shop={shop} basket={basket} config={publicConfig} />} />
      <Steps />
      <OrderNow />
      <Testimonials config={publicConfig} />
    </main>
  );
}
