import { loadHomePage } from '#app/features/catalog/catalog.server.ts';
import { ProductGrid } from '#app/features/catalog/product-grid.tsx';
import { shopContext } from '#app/shop-context.ts';
import type { Route } from './+types/home.ts';

export async function loader({ context }: Route.LoaderArgs) {
  const shop = context.get(shopContext);
  return { ...(await loadHomePage(shop)), canonical: `${shop.siteUrl}/` };
}

export function meta({ loaderData }: Route.MetaArgs): Route.MetaDescriptors {
  return [
    { title: 'Mithaas · Indian sweets, made by hand' },
    {
      name: 'description',
      content: 'Halwa, laddu, chocolate and gift boxes, made fresh in small batches and sent all over India.',
    },
    ...(loaderData ? [{ tagName: 'link', rel: 'canonical', href: loaderData.canonical }] : []),
  ];
}

export default function HomeRoute({ loaderData: { products } }: Route.ComponentProps) {
  return (
    <main>
      <ProductGrid title="A Taste Of Authenticity" products={products} />
    </main>
  );
}
