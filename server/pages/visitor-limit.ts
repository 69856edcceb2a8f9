import { addressGroup } from '../host/client-address.ts';

export type VisitorLimit = (address: string) => boolean;

/**
 * Whether an address may do something once more in this window. Counts are kept in this process and dropped with each
 * window; when more addresses come than are counted, new ones wait for the next window.
 */
export function limitPerVisitor(
  { most, windowMs, maxAddresses = 10_000 }: { most: number; windowMs: number; maxAddresses?: number },
  now: () => number = () => performance.now(),
): VisitorLimit {
  const counts = new Map<string, number>();
  let endsAt = now() + windowMs;
  return (visitor) => {
    const address = addressGroup(visitor);
    if (now() >= endsAt) {
      counts.clear();
      endsAt = now() + windowMs;
    }
    const count = counts.get(address) ?? 0;
    if (count >= most || (count === 0 && counts.size >= maxAddresses)) return false;
    counts.set(address, count + 1);
    return true;
  };
}
