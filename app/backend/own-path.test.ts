import { expect, test } from 'vitest';
import { foreignAddresses } from '../../tests/support/foreign-addresses.ts';
import { isOwnPath } from './own-path.ts';

const site = 'https://shop.example';

test.each([
  '/',
  '/cart',
  '/shop?q=a//b',
  '/product/9#reviews',
  '/shop?next=https://evil.example/',
  '/%2f%2fevil.example',
])('%j is a path of this site', (path) => {
  expect(isOwnPath(path, site)).toBe(true);
});

test.each([
  ...foreignAddresses(site),
  '',
  'cart',
  '?q=a',
  `${site}/cart`,
  '/\r/evil.example',
  '/\t\\evil.example',
  '//',
  '/\\',
])('%j is none', (path) => {
  expect(isOwnPath(path, site)).toBe(false);
});
