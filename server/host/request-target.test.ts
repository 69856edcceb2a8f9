import { describe, expect, test } from 'vitest';
import { isPlainTarget, pathOf } from './request-target.ts';

describe('a request line is refused when a URL parser would read another path from it', () => {
  test.each([
    '/storage/v1/object/public/../../../../rest/v1/Products',
    '/x/%2e%2e/rest/v1/Products',
    '/x/.%2E/rest/v1/Products',
    '/./rest/v1/Products',
    '/x/..',
    '/x\\..\\rest/v1/Products',
    '/re\tst/v1/Products',
    '/%2e',
  ])('%j', (target) => {
    expect(isPlainTarget(target)).toBe(false);
  });

  test.each([
    '/',
    '/shop?q=../x',
    '/product/1',
    '/assets/a.b-c.js',
    '/rest/v1/rpc/x',
    '/.well-known/x',
    '/a..b',
    '/...',
  ])('%j is read by everybody as it stands', (target) => {
    expect(isPlainTarget(target)).toBe(true);
    expect(new URL(target, 'http://localhost').pathname).toBe(pathOf(target));
  });
});

test('a path has no query, no host and no name before it', () => {
  expect(pathOf('/?code=secret')).toBe('/');
  expect(pathOf('http://user:password@host/cart?x=1')).toBe('/cart');
});
