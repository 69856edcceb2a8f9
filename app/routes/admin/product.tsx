import { ProductCard } from '#app/features/catalog/product-card.tsx';
import { ProductPage } from '#app/features/console/products/product-page.tsx';
import type { ScreenProps } from './screens.ts';

export default function ProductRoute({ params: { id = '' } }: ScreenProps) {
  return <ProductPage id={id} renderCard={(product) => <ProductCard product={product} eager sizes="280px" />} />;
}
