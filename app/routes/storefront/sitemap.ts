import { loadSitemapProducts } from '#app/features/catalog/catalog.server.ts';
import { shopContext } from '#app/shop-context.ts';
import { shopAddress, shopTabs } from '#domain/catalog/shop-view.ts';
import type { Route } from './+types/sitemap.ts';

export async function loader({ context }: Route.LoaderArgs) {
  const shop = context.get(shopContext);
  const products = await loadSitemapProducts(shop);
  const pages = ['/', ...shopTabs.map((tab) => shopAddress({ tab })), '/box', '/gifts/group', '/terms'];
  const entries = [
    ...pages.map((path) => `<url><loc>${escaped(shop.siteUrl + path)}</loc></url>`),
    ...products.map(
      ({ id, changedAt }) =>
        `<url><loc>${escaped(`${shop.siteUrl}/product/${id}`)}</loc><lastmod>${changedAt}</lastmod></url>`,
    ),
  ];
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('\n')}
</urlset>
`;
  return new Response(xml, {
    headers: { 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'public, max-age=600' },
  });
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
