import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { RawRequest } from './raw-request.ts';

export const clientDir = join(import.meta.dirname, '../../build/client');

const built = (pattern: string) => `/${globSync(pattern, { cwd: clientDir })[0]}`;
const upgrade = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
};
const post = (body: string, type = 'application/json') => ({ method: 'POST', headers: { 'Content-Type': type }, body });

type Answer = [kind: string, target: string, status: number, request?: Omit<RawRequest, 'target'>];

/** Every kind of answer the demo shop gives, to whoever comes with its public key. */
export const everyAnswer = (publishableKey: string): Answer[] => [
  ['a page', '/', 200],
  ['the shop', '/shop', 200],
  ['a search', '/shop?q=laddu', 200],
  ['a product', '/product/1', 200],
  ['a product that is not there', '/product/99999999', 404],
  ['the cart', '/cart', 200],
  ['an order that was placed', '/order-confirmation/order_1', 200],
  ['the profile', '/profile', 200],
  ['the terms', '/terms', 200],
  ['the way out', '/logout', 200],
  ['the console', '/admin/orders', 200],
  ['a screen the console does not have', '/admin/none', 404],
  ['the details of products', '/product-details', 200],
  ['the sitemap', '/sitemap.xml', 200],
  ['what robots are told', '/robots.txt', 200],
  ['a missing page', '/no-such-page', 404],
  ['the return from sign-in', '/?code=x', 200],
  ['the data of a page', '/shop.data', 200],
  ['the data of a missing page', '/no-such-page.data', 404],
  ['a way on', '/admin', 302],
  ['a way on, as data', '/admin.data', 202],
  ['a page that is written to', '/shop', 405, post('x=1', 'application/x-www-form-urlencoded')],
  ['the health check', '/healthz', 200],
  ['the public configuration', '/env.json', 200],
  ['a built script', built('assets/entry.client-*.js'), 200],
  ['a built style', built('assets/*.css'), 200],
  ['a typeface', built('assets/*.woff2'), 200],
  ['a picture', '/favicon.svg', 200],
  ['a picture of a product', built('images/**/*.webp'), 200],
  ['a part of a picture', built('images/**/*.avif'), 206, { headers: { Range: 'bytes=0-9' } }],
  ['a missing file', '/assets/none.js', 404],
  ['a malformed address', '/%E0%A4%A', 400],
  ['an address no URL can hold', '/\\', 400],
  ['rows', '/rest/v1/Products?select=Id&limit=1', 200],
  ['an unknown table', '/rest/v1/none', 404],
  ['a row that is none', '/rest/v1/orders', 400, post('{"none":1}')],
  ['a body that is too long', '/rest/v1/comments', 413, post('x'.repeat(300_000))],
  ['a method nobody knows', '/rest/v1/Products', 405, { method: 'PROPFIND' }],
  ['what other sites may do with rows', '/rest/v1/Products', 200, { method: 'OPTIONS' }],
  ['a closed way in', '/auth/v1/signup', 403],
  ['the sign-in settings', '/auth/v1/settings', 200],
  ['a sign-in that nobody began', '/auth/v1/callback', 303],
  ['a token for nothing', '/auth/v1/token?grant_type=refresh_token', 400, post('{"refresh_token":"x"}')],
  ['what other sites may do with sign-in', '/auth/v1/token', 204, { method: 'OPTIONS' }],
  ['a function without a session', '/functions/v1/notify', 401],
  ['a function of machines', '/functions/v1/paymentWebhook', 400, post('{}')],
  ['an unknown function', '/functions/v1/none', 404],
  ['what other sites may do with functions', '/functions/v1/notify', 403, { method: 'OPTIONS' }],
  ['what storage does not offer', '/storage/v1/bucket', 404],
  ['a picture that is not stored', '/storage/v1/object/public/products/none.webp', 400],
  ['what other sites may do with pictures', '/storage/v1/object/products/a.webp', 204, { method: 'OPTIONS' }],
  ['realtime without a websocket', '/realtime/v1/websocket', 404],
  ['a websocket without a key', '/realtime/v1/websocket', 401, { headers: upgrade }],
  ['a websocket elsewhere', '/shop', 404, { headers: upgrade }],
  [
    'half a handshake',
    `/realtime/v1/websocket?apikey=${publishableKey}`,
    400,
    { headers: { ...upgrade, 'Sec-WebSocket-Key': 'short' } },
  ],
  ['the demo identity without a start', '/demo-identity/login/oauth/authorize', 400],
  ['the test payments', '/test-payments/pay', 403, post('{}')],
  ['the caught mails', '/demo-mail', 200],
  ['a mail that was not caught', '/demo-mail/99999999', 404],
  ['the demo, asked through a proxy', '/demo-mail', 404, { headers: { Via: '1.1 proxy' } }],
  ['headers without end', '/', 431, { headers: { Cookie: 'a'.repeat(200_000) } }],
  ['what is not HTTP', '/ /', 400],
];
