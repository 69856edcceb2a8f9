import { loadPageFrame } from '#app/features/navigation/page-frame.server.ts';
import { shopContext } from '#app/shop-context.ts';
import type { Route } from './+types/manifest.ts';

const icon = (file: string, sizes: string, purpose: 'any' | 'maskable' = 'any') => ({
  src: `/icons/${file}`,
  sizes,
  type: 'image/png',
  purpose,
});

/** What a phone needs to install the shop; its name is the owner's to choose. */
export async function loader({ context }: Route.LoaderArgs) {
  const { shop } = await loadPageFrame(context.get(shopContext));
  const manifest = {
    id: '/',
    name: shop.name,
    short_name: shop.name,
    description: 'Handmade Indian sweets: halwa, laddu, chocolate and gift boxes.',
    lang: 'en-IN',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: '#fbf5ea',
    theme_color: '#fbf5ea',
    categories: ['food', 'shopping'],
    icons: [
      icon('icon-192.png', '192x192'),
      icon('icon-512.png', '512x512'),
      icon('maskable-192.png', '192x192', 'maskable'),
      icon('maskable-512.png', '512x512', 'maskable'),
    ],
    shortcuts: [
      { name: 'Shop', url: '/shop' },
      { name: 'Cart', url: '/cart' },
      { name: 'Your orders', url: '/profile?tab=orders' },
    ],
  };
  return new Response(JSON.stringify(manifest), {
    headers: { 'content-type': 'application/manifest+json', 'cache-control': 'public, max-age=600' },
  });
}
