import { recall } from '#app/backend/remembered.ts';

/** How many boxes there are, and since when: for the badge, which every page shows, so without what reads the boxes themselves. */
export const boxCountKey = 'mithaas-box-count';

/** Boxes stay for seven days, as the cart does. */
export function boxCount(): number {
  const [count, since] = (recall('localStorage', boxCountKey) ?? '').split(' ');
  return Date.now() - Number(since) < 604_800_000 ? Number(count) : 0;
}
