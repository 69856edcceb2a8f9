import { shopContext } from '#app/shop-context.ts';
import type { Route } from './+types/robots.ts';

const personal = ['/admin', '/cart', '/profile', '/logout', '/order-confirmation', '/order/', '/unsubscribe'];

export function loader({ context }: Route.LoaderArgs) {
  const { siteUrl } = context.get(shopContext);
  const lines = [
    'User-agent: *',
    ...personal.map((path) => `Disallow: ${path}`),
    'Allow: /',
    '',
    `Sitemap: ${siteUrl}/sitemap.xml`,
    '',
  ];
  return new Response(lines.join('\n'), {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  });
}
