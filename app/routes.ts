import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  layout('routes/storefront/layout.tsx', [
    index('routes/storefront/home.tsx'),
    route('shop', 'routes/storefront/shop.tsx'),
    route('product/:id', 'routes/storefront/product.tsx'),
    route('cart', 'routes/storefront/cart.tsx'),
    route('order-confirmation/:providerOrderId', 'routes/storefront/order-confirmation.tsx'),
    route('profile', 'routes/storefront/profile.tsx'),
    route('terms', 'routes/storefront/terms.tsx'),
    route('logout', 'routes/storefront/logout.tsx'),
    route('offline', 'routes/storefront/offline.tsx'),
    route('*', 'routes/storefront/not-found.tsx'),
  ]),
  // The parts of app/ui in their states; nothing of it is built for production.
  ...(process.env.NODE_ENV === 'production' ? [] : [route('admin/styleguide', 'routes/admin/styleguide.tsx')]),
  // Its own sitemap is in routes/admin/screens.ts.
  route('admin/*', 'routes/admin/console.tsx'),
  route('product-details', 'routes/storefront/product-details.ts'),
  route('sitemap.xml', 'routes/storefront/sitemap.ts'),
  route('manifest.webmanifest', 'routes/storefront/manifest.ts'),
  route('robots.txt', 'routes/storefront/robots.ts'),
] satisfies RouteConfig;
