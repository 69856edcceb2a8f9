export type RateLimit = { burst: number; perSecond: number };

/** More addresses than this are looked through for those whose burst is whole again. */
const MANY_ADDRESSES = 1_000;

/** Whether an address may do something once more now: `burst` at once, then `perSecond`. */
export function limitRate(
  { burst, perSecond }: RateLimit,
  now: () => number = () => performance.now(),
): (address: string) => boolean {
  const clients = new Map<string, { tokens: number; refilledAt: number }>();

  function refilled({ tokens, refilledAt }: { tokens: number; refilledAt: number }): number {
    return Math.min(burst, tokens + ((now() - refilledAt) / 1000) * perSecond);
  }

  function forgetIdle(): void {
    for (const [address, client] of clients) if (refilled(client) >= burst) clients.delete(address);
  }

  return (address) => {
    const client = clients.get(address);
    if (!client && clients.size >= MANY_ADDRESSES) forgetIdle();
    const tokens = client ? refilled(client) : burst;
    const isAllowed = tokens >= 1;
    clients.set(address, { tokens: isAllowed ? tokens - 1 : tokens, refilledAt: now() });
    return isAllowed;
  };
}
