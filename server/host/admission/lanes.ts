import type { FairLimits } from './fair-queue.ts';

/**
 * Work of one kind. Each lane has places of its own, so that one kind does not hold up another: whatever happens to the
 * Data API, customers sign in and pay.
 */
export type Lane = 'pages' | 'data-api' | 'sign-in' | 'checkout' | 'pictures' | 'files';

/**
 * Few places per address are enough for many people behind it: a request takes 5 to 30 ms, so three at once are a hundred
 * a second. `total` of pages is small because a page is rendered on the one thread that answers everybody. When that thread
 * has hardly time left, each address gets less of it (`whenBusy`): one who asks for much waits for all the others. Even then
 * everything that one address may have waiting is begun before its deadline: many customers behind one address come at once.
 */
const usual: Record<Lane, FairLimits> = {
  pages: {
    total: 6,
    perAddress: 2,
    waitingPerAddress: 100,
    perSecond: 30,
    burst: 120,
    whenBusy: { perAddress: 1, perSecond: 10, burst: 30 },
  },
  'data-api': {
    total: 12,
    perAddress: 3,
    waitingPerAddress: 200,
    perSecond: 100,
    burst: 400,
    whenBusy: { perAddress: 1, perSecond: 10, burst: 150 },
  },
  'sign-in': {
    total: 6,
    perAddress: 2,
    waitingPerAddress: 100,
    perSecond: 20,
    burst: 100,
    whenBusy: { perAddress: 1, perSecond: 10, burst: 30 },
  },
  checkout: {
    total: 64,
    perAddress: 8,
    waitingPerAddress: 200,
    perSecond: 100,
    burst: 400,
    whenBusy: { perAddress: 4, perSecond: 50, burst: 50 },
  },
  pictures: {
    total: 16,
    perAddress: 6,
    waitingPerAddress: 500,
    perSecond: 400,
    burst: 2_000,
    whenBusy: { perAddress: 2, perSecond: 50, burst: 150 },
  },
  // A first visit fetches about thirty files; many visitors share the address of a mobile network.
  files: {
    total: 32,
    perAddress: 8,
    waitingPerAddress: 1_000,
    perSecond: 1_000,
    burst: 4_000,
    whenBusy: { perAddress: 2, perSecond: 100, burst: 300 },
  },
};

/** `factor`: how many times the usual one address may use (CLIENT_LIMIT). */
export function lanesFor(factor: number): Record<Lane, FairLimits> {
  const scaled = ({ total, perAddress, waitingPerAddress, perSecond, burst, whenBusy }: FairLimits): FairLimits => ({
    total,
    perAddress: Math.min(total, perAddress * factor),
    waitingPerAddress: waitingPerAddress * factor,
    perSecond: perSecond * factor,
    burst: burst * factor,
    whenBusy: {
      perAddress: Math.min(total, whenBusy.perAddress * factor),
      perSecond: whenBusy.perSecond * factor,
      burst: whenBusy.burst * factor,
    },
  });
  return Object.fromEntries(Object.entries(usual).map(([lane, limits]) => [lane, scaled(limits)])) as Record<
    Lane,
    FairLimits
  >;
}

const unlimited = new Set(['/healthz', '/metrics']);

/** The lane of a request; null for monitors, which are answered whatever else happens unless they flood (admission.ts). */
export function laneOf(path: string, isFile: (path: string) => boolean): Lane | null {
  if (unlimited.has(path)) return null;
  if (path === '/env.json' || path === '/__manifest' || isFile(path)) return 'files';
  if (path.startsWith('/storage/v1/object/public/')) return 'pictures';
  if (path.startsWith('/rest/') || path.startsWith('/storage/')) return 'data-api';
  if (path.startsWith('/auth/')) return 'sign-in';
  // The demo's identity provider is asked during a sign-in, and must not wait for its end.
  if (/^\/(functions|test-payments|demo-identity)\//.test(path)) return 'checkout';
  return 'pages';
}
