import { ProductCard } from '#app/features/catalog/product-card.tsx';
import type { ScreenHandle } from '#app/features/console/data/current-screen.ts';
import { NewProductPage } from '#app/features/console/products/product-page.tsx';

export const handle: ScreenHandle = { title: 'New product' };

export default function NewProductRoute() {
  return <NewProductPage renderCard={(product) => <ProductCard product={product} eager sizes="280px" />} />;
}
