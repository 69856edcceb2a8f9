import { lazy, Suspense, startTransition, useEffect, useState } from 'react';
import { data, type MetaDescriptor } from 'react-router';
import { loadGoesWellWith, loadProduct } from '#app/features/catalog/catalog.server.ts';
import goesWellWith from '#app/features/catalog/goes-well-with.module.css';
import { loadPageFrame } from '#app/features/navigation/page-frame.server.ts';
import { ProductMissing, ProductPage } from '#app/features/product/product-page.tsx';
import { shopContext } from '#app/shop-context.ts';
import { lazyPart } from '#app/ui/lazy-part.tsx';
import { type FoodFact, foodFacts } from '#domain/catalog/food-facts.ts';
import type { Product, ProductDetails } from '#domain/catalog/product.ts';
import { absolute, productJsonLd, rupeesWithTax } from '#domain/catalog/product-json-ld.ts';
import { shorten } from '#domain/catalog/shorten.ts';
import type { Route } from './+types/product.ts';
import { pageMeta } from './page-meta.ts';
import { PageTrouble } from './page-trouble.tsx';
import { quickAdd, usePurchase } from './product-actions.ts';

// Read and written in the browser alone, below what people come for: after the page.
const Reviews = lazy(() => import('#app/features/reviews/reviews.tsx').then((module) => ({ default: module.Reviews })));
// What is promised changes by the hour: it is not part of a cached page.
const ProductDelivery = lazy(() => import('./product-delivery.tsx'));
const GoesWellWith = lazyPart(() => import('#app/features/catalog/goes-well-with.tsx'), [goesWellWith]);
const reviewsId = 'reviews';

export async function loader({ params, context }: Route.LoaderArgs) {
  const shop = context.get(shopContext);
  const [product, goesWellWith, frame] = await Promise.all([
    loadProduct(shop, params.id),
    loadGoesWellWith(shop, params.id),
    loadPageFrame(shop),
  ]);
  const names = { shopName: frame.shop.name, siteUrl: shop.siteUrl };
  return data(
    // Written here: the browser need not know how.
    {
      product,
      goesWellWith,
      facts: product ? foodFacts(product, frame.shop) : [],
      meta: product ? metaOf(product, names) : missingMeta(names.shopName),
    },
    { status: product ? 200 : 404 },
  );
}

function metaOf(product: ProductDetails, { shopName, siteUrl }: { shopName: string; siteUrl: string }) {
  return pageMeta({
    shopName,
    title: `${product.name} · ${shopName}`,
    description: shorten(product.description || `${product.name} from ${shopName}.`, 160).text,
    url: `${siteUrl}/product/${product.id}`,
    image: absolute(product.image || '/images/og-default.jpg', siteUrl),
    type: 'product',
    more: [
      { property: 'og:image:alt', content: product.name },
      { property: 'product:price:amount', content: rupeesWithTax(product.pricePaise, product.gstPercent) },
      { property: 'product:price:currency', content: 'INR' },
      { name: 'twitter:card', content: 'summary_large_image' },
      { 'script:ld+json': productJsonLd(product, { siteUrl, shopName }) },
    ],
  });
}

function missingMeta(shopName: string): MetaDescriptor[] {
  return [{ title: `Loading product... · ${shopName}` }, { name: 'robots', content: 'noindex' }];
}

export const meta: Route.MetaFunction = ({ loaderData }) => loaderData?.meta ?? [];

export default function ProductRoute({ loaderData: { product, ...words } }: Route.ComponentProps) {
  // Another product starts with its own quantity, size and reviews.
  return product ? <KnownProduct key={product.id} product={product} {...words} /> : <ProductMissing />;
}

type KnownProductProps = { product: ProductDetails; goesWellWith: Product[]; facts: FoodFact[] };

function KnownProduct({ product, goesWellWith, facts }: KnownProductProps) {
  const hydrated = useHydratedInBetween();
  const { rating, reviewCount } = product;
  const [reviewed, setReviewed] = useState({ rating, reviewCount });
  return (
    <ProductPage
      product={{ ...product, ...reviewed }}
      facts={facts}
      {...usePurchase()}
      goesWellWith={<GoesWellWith products={goesWellWith} onQuickAdd={quickAdd} />}
      delivery={(choice) =>
        hydrated && (
          <Suspense>
            <ProductDelivery product={product} choice={choice} />
          </Suspense>
        )
      }
      reviewsId={reviewsId}
      reviews={
        hydrated && (
          <Suspense>
            <Reviews
              productId={product.id}
              productName={product.name}
              part={reviewsId}
              initial={{ average: rating, count: reviewCount }}
              onChange={({ average, count }) => setReviewed({ rating: average, reviewCount: count })}
            />
          </Suspense>
        )
      }
    />
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <PageTrouble error={error} />;
}

let wasHydrated = false;

/** False until the browser has taken over the page; what comes then is drawn in between what the visitor does. */
function useHydratedInBetween(): boolean {
  const [hydrated, setHydrated] = useState(wasHydrated);
  useEffect(() => {
    wasHydrated = true;
    startTransition(() => setHydrated(true));
  }, []);
  return hydrated;
}
