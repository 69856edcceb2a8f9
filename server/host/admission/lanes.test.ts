import { expect, test } from 'vitest';
import { REQUEST_DEADLINE_MS } from './admission.ts';
import { laneOf, lanesFor } from './lanes.ts';

const isFile = (path: string) => path === '/favicon.svg';

test.each([
  ['/', 'pages'],
  ['/shop', 'pages'],
  ['/no-such-file.png', 'pages'],
  ['/favicon.svg', 'files'],
  ['/env.json', 'files'],
  ['/__manifest', 'files'],
  ['/healthz', null],
  ['/rest/v1/Products', 'data-api'],
  ['/storage/v1/object/receipts/1.webp', 'data-api'],
  ['/storage/v1/object/public/products/1.webp', 'pictures'],
  ['/auth/v1/token', 'sign-in'],
  ['/functions/v1/placeOrder', 'checkout'],
  ['/test-payments/pay', 'checkout'],
  // A sign-in waits for the demo's identity provider: in the same lane it would wait for itself.
  ['/demo-identity/access_token', 'checkout'],
])('%s is served in the lane %s', (path, lane) => {
  expect(laneOf(path, isFile)).toBe(lane);
});

test('CLIENT_LIMIT raises what one address may use, never what all may', () => {
  const [usual, more] = [lanesFor(1), lanesFor(1000)];
  for (const lane of Object.keys(usual) as (keyof typeof usual)[]) {
    expect(more[lane].total).toBe(usual[lane].total);
    expect(more[lane].perAddress).toBe(usual[lane].total);
    expect(usual[lane].perAddress).toBeLessThan(usual[lane].total);
    expect(more[lane].perSecond).toBe(1000 * usual[lane].perSecond);
  }
});

test('whatever one address may have waiting is begun well before its deadline, also while the process is busy', () => {
  for (const [lane, { waitingPerAddress, perSecond, burst, whenBusy }] of Object.entries(lanesFor(1))) {
    const seconds = (0.8 * REQUEST_DEADLINE_MS) / 1000;
    expect(burst + perSecond * seconds, lane).toBeGreaterThanOrEqual(waitingPerAddress);
    expect(whenBusy.burst + whenBusy.perSecond * seconds, lane).toBeGreaterThanOrEqual(waitingPerAddress);
  }
});
