import { ProductCard } from '#app/features/catalog/product-card.tsx';
import { ProductPage } from '#app/features/console/products/product-page.tsx';
import type { Route } from './+types/product.ts';

export default function ProductRoute({ params }: Route.ComponentProps) {
  return <ProductPage id={params.id} renderCard={(product) => <ProductCard product={product} eager sizes="280px" />} />;
}
