import { expect, test } from 'vitest';
import { pageKey } from './page-key.ts';

test.each([
  ['/', '/'],
  ['/?utm_source=mail&product=Besan+Laddu', '/'],
  ['/shop', '/shop'],
  ['/shop?tab=box&category=all&sort=bs', '/shop'],
  ['/shop?sort=l-h&category=LADDU&fbclid=1', '/shop?category=laddu&sort=l-h'],
  ['/shop?category=laddu&sort=l-h', '/shop?category=laddu&sort=l-h'],
  ['/shop?category=Dry+Fruits&tab=gifts', '/shop?category=dry+fruits'],
  ['/shop?category=%3Cscript%3E', '/shop'],
  ['/shop?shown=99999999', '/shop?shown=480'],
  ['/product/9?x=1', '/product/9'],
  ['/terms?policy=privacy', '/terms?policy=privacy'],
  ['/terms?policy=complaints', '/terms?policy=complaints'],
])('%s is cached as %s', (url, key) => {
  expect(pageKey(url)).toBe(key);
});

test.each([
  '/?code=secret',
  '/?error=access_denied',
  '/shop?code=secret',
  '/product/9?error_description=denied',
  '/shop?q=ladoo',
  '/terms?policy=anything-else',
  '/product/0',
  '/product/9/',
  '/product/99999999999999999',
  '/cart',
  '/profile',
  '/logout',
  '/order-confirmation/order_1',
  '/admin',
  '/admin/orders',
  '/shop.data',
  '/env.json',
  '//shop',
  '/SHOP',
  '/?x=%E0%A4%A',
  '/shop?category=%FF',
])('%s is not cached', (url) => {
  expect(pageKey(url)).toBeNull();
});
