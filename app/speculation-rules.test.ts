import { expect, test } from 'vitest';
import { speculationRules } from './speculation-rules.ts';

type Pattern = { pathname: string; search?: string };
type Condition = { and: Condition[] } | { not: Condition } | { href_matches: Pattern | Pattern[] };

const site = 'https://shop.example';
const {
  prerender: [rule],
} = JSON.parse(speculationRules) as { prerender: [{ where: Condition; eagerness: string }] };

function holds(condition: Condition, address: string): boolean {
  if ('and' in condition) return condition.and.every((part) => holds(part, address));
  if ('not' in condition) return !holds(condition.not, address);
  return [condition.href_matches]
    .flat()
    .some((pattern) => new URLPattern({ baseURL: `${site}/`, ...pattern }).test(address));
}

test.each(['/', '/shop', '/shop?category=laddu&sort=l-h', '/product/9', '/terms?policy=privacy'])(
  'the browser may prerender %s',
  (path) => {
    expect(holds(rule.where, site + path)).toBe(true);
  },
);

test.each([
  '/logout',
  '/cart',
  '/profile',
  '/profile?tab=orders',
  '/order-confirmation/order_1',
  '/admin',
  '/admin/orders',
  '/?code=secret',
  '/shop?q=ladoo',
  '/shop?tab=box&q=ladoo',
  '/auth/v1/authorize',
  '/rest/v1/Products',
  '/product/9/anything',
  '/demo-mail',
  '/sitemap.xml',
])('the browser never prerenders %s', (path) => {
  expect(holds(rule.where, site + path)).toBe(false);
});

test('pages of other sites are never prerendered, nor anything before a visitor points at a link', () => {
  expect(holds(rule.where, 'https://evil.example/product/9')).toBe(false);
  expect(rule.eagerness).toBe('moderate');
});
