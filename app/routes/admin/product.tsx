import { useParams } from 'react-router';
import { ProductCard } from '#app/features/catalog/product-card.tsx';
import { ProductPage } from '#app/features/console/products/product-page.tsx';

export default function ProductRoute() {
  const { id = '' } = useParams();
  return <ProductPage id={id} renderCard={(product) => <ProductCard product={product} eager sizes="280px" />} />;
}
