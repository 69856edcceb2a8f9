// What is pressed before a page is hydrated is posted to /cart, which writes the cookies that the browser writes otherwise.
import { expect, inject, test } from 'vitest';
import { cartMapFromCookies } from '../../domain/cart/cart-cookies.ts';

const shopUrl = inject('shopUrl');

function post(fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${shopUrl}/cart`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: shopUrl, ...headers },
    body: new URLSearchParams(fields),
  });
}

const cartIn = (response: Response) =>
  cartMapFromCookies(
    'cart',
    response.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; '),
  );

test('a product is added to what is in the cart, and the visitor is redirected to the cart', async () => {
  const response = await post(
    { product: '9', size: '1000', quantity: '2' },
    { cookie: 'cart={%2230%22:{%22500%22:1}}' },
  );
  expect([response.status, response.headers.get('location')]).toEqual([302, '/cart']);
  expect(cartIn(response)).toEqual({ 9: { 1000: 2 }, 30: { 500: 1 } });
});

test('an invalid form changes nothing', async () => {
  const response = await post({ product: 'nine' });
  expect([response.status, response.headers.get('location')]).toEqual([302, '/cart']);
  expect(response.headers.getSetCookie()).toEqual([]);
});

test('a form on another site puts nothing into the cart', async () => {
  const response = await post({ product: '9' }, { origin: 'https://elsewhere.example' });
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(response.headers.getSetCookie()).toEqual([]);
});

test.each([
  ['POST', 302],
  ['PUT', 405],
  ['DELETE', 405],
])('%s without a form changes nothing', async (method, status) => {
  const response = await fetch(`${shopUrl}/cart`, { method, redirect: 'manual', headers: { origin: shopUrl } });
  expect(response.status).toBe(status);
  expect(response.headers.getSetCookie()).toEqual([]);
});
