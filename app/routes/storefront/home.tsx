import type { ShouldRevalidateFunctionArgs } from 'react-router';
import { loadCategories, loadHomePage } from '#app/features/catalog/catalog.server.ts';
import { ProductGrid } from '#app/features/catalog/product-grid.tsx';
import { CardDelivery } from '#app/features/delivery/card-delivery.tsx';
import brandStory from '#app/features/home/brand-story.module.css';
import bulkOrder from '#app/features/home/bulk-order.module.css';
import comboPacks from '#app/features/home/combo-packs.module.css';
import { FestivalBanner } from '#app/features/home/festival-banner.tsx';
import { HeroCarousel } from '#app/features/home/hero-carousel.tsx';
import orderNow from '#app/features/home/order-now.module.css';
import steps from '#app/features/home/steps.module.css';
import testimonials from '#app/features/home/testimonials.module.css';
import waysIn from '#app/features/home/ways-in.module.css';
import { loadPageFrame } from '#app/features/navigation/page-frame.server.ts';
import { shopContext } from '#app/shop-context.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { lazyPart } from '#app/ui/lazy-part.tsx';
import skeleton from '#app/ui/skeleton.module.css';
import { onlyOpensOrClosesModal } from '#domain/catalog/modal-address.ts';
import { shopRating } from '#domain/home/shop-rating.ts';
import type { Route } from './+types/home.ts';
import { type StorefrontHandle, useStorefront } from './layout.tsx';
import { pageMeta } from './page-meta.ts';
import { PageTrouble } from './page-trouble.tsx';
import { quickAdd } from './product-actions.ts';

export async function loader({ context }: Route.LoaderArgs) {
  const shop = context.get(shopContext);
  const [page, categories, frame] = await Promise.all([loadHomePage(shop), loadCategories(shop), loadPageFrame(shop)]);
  const meta = pageMeta({
    shopName: frame.shop.name,
    title: `${frame.shop.name} · Handmade Indian sweets`,
    description: 'Halwa, laddu, chocolate and gift boxes, made fresh in small batches and sent all over India.',
    url: `${shop.siteUrl}/`,
    image: `${shop.siteUrl}/images/og-default.jpg`,
    type: 'website',
  });
  return { ...page, waysIn: { categories, rating: shopRating(page.products) }, meta };
}

export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return onlyOpensOrClosesModal(currentUrl, nextUrl) ? false : defaultShouldRevalidate;
}

export const meta: Route.MetaFunction = ({ loaderData }) => loaderData?.meta ?? [];

const WaysIn = lazyPart(() => import('#app/features/home/ways-in.tsx'), [waysIn]);
const HomeBelow = lazyPart(
  () => import('./home-below.tsx'),
  [brandStory, comboPacks, bulkOrder, steps, orderNow, testimonials, skeleton],
);

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

export default function HomeRoute({ loaderData: { slides, products, combos, waysIn } }: Route.ComponentProps) {
  const { shop, publicConfig } = useStorefront();
  return (
    <main tabIndex={-1} style={{ outline: 'none' }}>
      <h1 className="visually-hidden">{shop.name}, handmade Indian sweets</h1>
      <HeroCarousel slides={slides} />
      <WaysIn {...waysIn} fssaiNumber={shop.fssaiNumber} />
      <ProductGrid
        heading="A Taste Of Authenticity"
        products={products}
        delivery={CardDelivery}
        onQuickAdd={quickAdd}
        after={
          <ButtonLink to="/shop" variant="primary">
            Try Them All
          </ButtonLink>
        }
      />
      <HomeBelow combos={combos} shop={shop} config={publicConfig} />
    </main>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <PageTrouble error={error} />;
}
