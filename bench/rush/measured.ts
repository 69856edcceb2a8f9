import type { Costs } from './simulate.ts';

/** What `npm run bench` wrote down, on how many cores. */
export type Measured = {
  cores: number;
  at: string;
  keptPerSecond: number;
  renderedPerSecond: number;
  ordersPerSecond: number;
  plainOrdersPerSecond: number;
  searchMs: number;
  idleMegabytes: number;
  loadedMegabytes: number;
};

/** Reads bench/results.md; throws where a row is no longer as it was, so that no page shows figures of nothing. */
export function readMeasured(page: string): Measured {
  const find = (pattern: RegExp): string => {
    const found = pattern.exec(page)?.[1];
    if (found === undefined) throw new Error(`bench/results.md has no row like ${pattern}`);
    return found;
  };
  return {
    at: find(/^(\d{4}-\d\d-\d\d) /m),
    cores: Number(find(/, (\d+) cores/)),
    keptPerSecond: Number(find(/home page, kept \| (\d+)\/s/)),
    renderedPerSecond: Number(find(/home page, rendered each time \| (\d+)\/s/)),
    ordersPerSecond: Number(find(/whole orders over HTTP[^|]*\| (\d+)\/s/)),
    plainOrdersPerSecond: Number(find(/plain SQL for the same order \((\d+)\/s[,)]/)),
    searchMs: Number(find(/search among [\d,]+ products[^|]*\| ([\d.]+) ms/)),
    idleMegabytes: Number(find(/web process, idle \| (\d+) MB/)),
    loadedMegabytes: Math.max(
      Number(find(/web process, loaded [^|]*orders\) \| (\d+) MB/)),
      Number(find(/web process, loaded [^|]*pages\) \| (\d+) MB/)),
    ),
  };
}

/** Of a rendered page, what the database takes. Assumed: its two reads are indexed, rendering is most of it. */
const DATABASE_SHARE_OF_PAGE = 0.2;
/** One request to the Data API for a cart, a profile or a session. Assumed. */
const CART = { web: 0.004, database: 0.002 };

/**
 * Seconds of one core for one of each. While measuring, all cores were busy with shop, database and client together: so
 * this is more than the shop alone takes, and everything that follows from it is on the safe side. A kept page needs nothing
 * but the one core of its node.
 */
export function costsFrom(measured: Measured): Costs {
  const each = (perSecond: number) => measured.cores / perSecond;
  const rendered = each(measured.renderedPerSecond);
  return {
    kept: { web: 1 / measured.keptPerSecond, database: 0 },
    rendered: { web: rendered * (1 - DATABASE_SHARE_OF_PAGE), database: rendered * DATABASE_SHARE_OF_PAGE },
    cart: CART,
    // A node of many sees few orders at the same moment: the database is asked for each of them alone. What the shop
    // itself takes of an order was not measured apart, so all of it counts.
    order: { web: each(measured.ordersPerSecond), database: each(measured.plainOrdersPerSecond) },
  };
}
