import { ProductCard } from '#app/features/catalog/product-card.tsx';
import type { ScreenHandle } from '#app/features/console/data/current-screen.ts';
import { ProductPage } from '#app/features/console/products/product-page.tsx';
import type { Route } from './+types/product.ts';

export const handle: ScreenHandle = { title: 'Product', opens: 'product' };

export default function ProductRoute({ params: { id } }: Route.ComponentProps) {
  return <ProductPage id={id} renderCard={(product) => <ProductCard product={product} eager sizes="280px" />} />;
}
