import { describe, expect, test } from 'vitest';
import { allRoutes, kindOf, mayStore, otherWidths, standInFor } from './rules.ts';

const origin = 'https://shop.example';
const kind = (path: string, { method = 'GET', mode = 'cors' } = {}) =>
  kindOf({ method, mode, url: new URL(path, origin).href }, origin);

describe('what the service worker keeps', () => {
  test.each([
    '/',
    '/shop',
    '/shop?category=laddu',
    '/shop?q=ladoo',
    '/product/9',
    '/terms?policy=privacy',
    '/cart',
    '/profile',
  ])('the page %s', (path) => {
    expect(kind(path, { mode: 'navigate' })).toBe('page');
  });

  test.each([
    ['/assets/frame-abc.js', 'asset'],
    ['/images/products/besan-laddu-480.avif', 'picture'],
    ['/storage/v1/object/public/products/a.webp', 'picture'],
    ['/shop.data?tab=gifts', 'data'],
    ['/_root.data', 'data'],
    ['/product/9.data', 'data'],
    ['/product-details?name=Besan+Laddu', 'data'],
    ['/__manifest?paths=/,/shop&version=1a2b3c4d', 'routes'],
  ])('%s', (path, expected) => {
    expect(kind(path)).toBe(expected);
  });
});

describe('what never passes through it', () => {
  test.each([
    '/logout',
    '/order-confirmation/order_1',
    '/admin',
    '/admin/orders',
    '/?code=secret',
    '/cart?error=access_denied',
    '/demo-identity/authorize',
    '/product/9/x',
    '/anything',
  ])('a navigation to %s', (path) => {
    expect(kind(path, { mode: 'navigate' })).toBeNull();
  });

  test.each([
    '/functions/v1/createOrder',
    '/functions/v1/placeOrder',
    '/rest/v1/orders?select=*',
    '/rest/v1/Products?select=*',
    '/auth/v1/user',
    '/auth/v1/health',
    '/storage/v1/object/receipts/a.pdf',
    '/realtime/v1/websocket',
    '/test-payments/pay',
    '/profile.data',
    '/order-confirmation/order_1.data',
    '/admin.data',
    '/logout.data',
    '/env.json',
    '/healthz',
    '/service-worker.js',
    'https://project.supabase.co/rest/v1/orders',
    'https://checkout.razorpay.com/v1/checkout.js',
    'https://lh3.googleusercontent.com/a/face',
  ])('a request for %s', (path) => {
    expect(kind(path)).toBeNull();
  });

  test.each(['POST', 'PUT', 'DELETE', 'HEAD'])('anything sent with %s', (method) => {
    expect(kind('/shop', { method, mode: 'navigate' })).toBeNull();
    expect(kind('/product-details?name=a', { method })).toBeNull();
  });
});

test('a picture that was seen in another width stands in, the nearest first', () => {
  expect(otherWidths('https://shop.example/images/products/besan-laddu-960.avif')).toEqual(
    ['960.webp', '480.avif', '480.webp', '240.avif', '240.webp'].map(
      (end) => `https://shop.example/images/products/besan-laddu-${end}`,
    ),
  );
  expect(otherWidths('https://shop.example/images/logo-mark.svg')).toEqual([]);
});

describe('what is stored', () => {
  const response = (status: number, cacheControl: string, type = 'basic') => ({
    status,
    type,
    headers: new Headers({ 'cache-control': cacheControl }),
  });

  test('is whole and public', () => {
    expect(mayStore(response(200, 'no-cache'))).toBe(true);
    expect(mayStore(response(200, 'public, max-age=31536000, immutable'))).toBe(true);
  });

  test.each([
    [200, 'private, no-store', 'basic'],
    [200, 'no-store', 'basic'],
    [404, 'no-cache', 'basic'],
    [503, 'no-cache', 'basic'],
    [206, 'public', 'basic'],
    [304, 'no-cache', 'basic'],
    [200, 'public', 'opaque'],
    [200, 'public', 'opaqueredirect'],
  ])('is never an answer %i with %s (%s)', (status, cacheControl, type) => {
    expect(mayStore(response(status, cacheControl, type))).toBe(false);
  });
});

test('the cart opens without a network, and every other page says that there is none', () => {
  const standIn = (path: string) => standInFor(new URL(path, origin));
  expect(standIn('/cart')).toEqual({ page: '/cart' });
  expect(standIn('/offline?to=%2Fterms')).toEqual({ page: '/offline' });
  expect(standIn('/product/9')).toEqual({ goTo: '/offline?to=%2Fproduct%2F9' });
  expect(standIn('/profile?tab=orders')).toEqual({ goTo: '/offline?to=%2Fprofile%3Ftab%3Dorders' });
});

test('all routes of the storefront are asked for in the build of the page', () => {
  const { pathname, searchParams } = new URL(allRoutes(`${origin}/__manifest?paths=/,/shop&version=1a2b3c4d`));
  expect(pathname).toBe('/__manifest');
  expect(searchParams.get('version')).toBe('1a2b3c4d');
  expect(searchParams.get('paths')?.split(',')).toContain('/cart');
});
