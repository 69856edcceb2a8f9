/** Seconds of one core per operation. */
type Cost = { node: number; database: number };
export type Costs = { cached: Cost; rendered: Cost; cart: Cost; order: Cost };

/** The measured figures of `npm run bench`, and the number of cores. */
export type Measured = {
  cores: number;
  at: string;
  cachedPerSecond: number;
  renderedPerSecond: number;
  ordersPerSecond: number;
  plainOrdersPerSecond: number;
  idleMegabytes: number;
  loadedMegabytes: number;
};

/** Reads bench/results.md; throws when a row has changed, so that no page shows stale figures. */
export function readMeasured(page: string): Measured {
  const find = (pattern: RegExp): string => {
    const found = pattern.exec(page)?.[1];
    if (found === undefined) throw new Error(`bench/results.md has no row like ${pattern}`);
    return found;
  };
  return {
    at: find(/^(\d{4}-\d\d-\d\d) /m),
    cores: Number(find(/, (\d+) cores/)),
    cachedPerSecond: Number(find(/(?:home page, kept|cached page, brotli: \/) \| (\d+)\/s/)),
    renderedPerSecond: Number(find(/home page, rendered each time \| (\d+)\/s/)),
    ordersPerSecond: Number(find(/whole orders over HTTP[^|]*\| (\d+)\/s/)),
    plainOrdersPerSecond: Number(find(/plain SQL for the same order \((\d+)\/s[,)]/)),
    idleMegabytes: Number(find(/web process, idle \| (\d+) MB/)),
    loadedMegabytes: Math.max(
      Number(find(/web process, loaded [^|]*orders\) \| (\d+) MB/)),
      Number(find(/web process, loaded [^|]*pages\) \| (\d+) MB/)),
    ),
  };
}

/** Of a rendered page, what the database takes. Assumed: its two reads are indexed, rendering is most of it. */
const databaseShareOfPage = 0.2;
/** One request to the Data API for a cart, a profile or a session. Assumed. */
const cart: Cost = { node: 0.004, database: 0.002 };

/**
 * While measuring, all cores were busy with shop, database and client together: this is more than the shop alone takes, so
 * that plans are on the safe side. A cached page needs nothing but the one core of its node.
 */
export function costsFrom(measured: Measured): Costs {
  const each = (perSecond: number) => measured.cores / perSecond;
  const rendered = each(measured.renderedPerSecond);
  return {
    cached: { node: 1 / measured.cachedPerSecond, database: 0 },
    rendered: { node: rendered * (1 - databaseShareOfPage), database: rendered * databaseShareOfPage },
    cart,
    // With many nodes, each gets few orders at the same moment, so they are not batched. What the shop itself takes of an
    // order was not measured apart: all of it counts.
    order: { node: each(measured.ordersPerSecond), database: each(measured.plainOrdersPerSecond) },
  };
}
