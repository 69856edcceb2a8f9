import { lazy, Suspense, useState } from 'react';
import { data } from 'react-router';
import { addToCart } from '#app/features/cart/actions.ts';
import { loadProduct } from '#app/features/catalog/catalog.server.ts';
import { ProductMissing, ProductPage } from '#app/features/product/product-page.tsx';
import { shopContext } from '#app/shop-context.ts';
import { useHydrated } from '#app/ui/after-hydration.ts';
import type { ProductDetails } from '#domain/catalog/product.ts';
import { absolute, productJsonLd } from '#domain/catalog/product-json-ld.ts';
import { shorten } from '#domain/catalog/shorten.ts';
import type { Route } from './+types/product.ts';
import { useDirectPurchase } from './use-direct-purchase.ts';

// Read and written in the browser alone, below what people come for: after the page.
const Reviews = lazy(() => import('#app/features/reviews/reviews.tsx').then((module) => ({ default: module.Reviews })));
const placeForReviews = <div style={{ minHeight: 600 }} />;

export async function loader({ params, context }: Route.LoaderArgs) {
  const shop = context.get(shopContext);
  const product = await loadProduct(shop, params.id);
  return data({ product, siteUrl: shop.siteUrl }, { status: product ? 200 : 404 });
}

export function meta({ loaderData, matches }: Route.MetaArgs): Route.MetaDescriptors {
  const shopName = matches[1].loaderData?.shop.name ?? 'Mithaas';
  const product = loaderData?.product;
  if (!product) return [{ title: `Loading product... · ${shopName}` }, { name: 'robots', content: 'noindex' }];
  const { siteUrl } = loaderData;
  const title = `${product.name} · ${shopName}`;
  const description = shorten(product.description || `${product.name} from ${shopName}.`, 160).text;
  const url = `${siteUrl}/product/${product.id}`;
  return [
    { title },
    { name: 'description', content: description },
    { tagName: 'link', rel: 'canonical', href: url },
    { property: 'og:type', content: 'product' },
    { property: 'og:site_name', content: shopName },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:url', content: url },
    { property: 'og:image', content: absolute(product.image || '/images/og-default.jpg', siteUrl) },
    { property: 'og:image:alt', content: product.name },
    { property: 'product:price:amount', content: (product.pricePaise / 100).toFixed(2) },
    { property: 'product:price:currency', content: 'INR' },
    { name: 'twitter:card', content: 'summary_large_image' },
    { 'script:ld+json': productJsonLd(product, { siteUrl, shopName }) },
  ];
}

export default function ProductRoute({ loaderData: { product } }: Route.ComponentProps) {
  // Another product starts with its own quantity, size and reviews.
  return product ? <KnownProduct key={product.id} product={product} /> : <ProductMissing />;
}

function KnownProduct({ product }: { product: ProductDetails }) {
  const buyNow = useDirectPurchase();
  const hydrated = useHydrated();
  const { rating, reviewCount } = product;
  const [reviewed, setReviewed] = useState({ rating, reviewCount });
  return (
    <ProductPage
      product={{ ...product, ...reviewed }}
      addToCart={addToCart}
      buyNow={buyNow}
      reviews={
        hydrated ? (
          <Suspense fallback={placeForReviews}>
            <Reviews
              productId={product.id}
              productName={product.name}
              initial={{ average: rating, count: reviewCount }}
              onChange={({ average, count }) => setReviewed({ rating: average, reviewCount: count })}
            />
          </Suspense>
        ) : (
          placeForReviews
        )
      }
    />
  );
}
