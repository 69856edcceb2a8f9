import type { Costs } from './measured.ts';

/** Capacity that a shop needs on the evening before Diwali. */
export type Plan = {
  customers: number;
  visits: number;
  orders: number;
  busiest: { visits: number; pages: number; orders: number };
  nodeLoad: number;
  databaseLoad: number;
  nodes: number;
  databaseCores: number;
};

// All of these are assumed; docs/scale.md says so.
const visitShare = 0.25;
const pagesPerVisit = 8;
/** Searches and a customer's own pages. */
const uncachedShare = 0.08;
const hitRate = 0.85;
const cartShare = 0.3;
const requestsPerCart = 5;
const orderShare = 0.08;
/** At the busiest moment; the rest is reserve. */
const utilization = 0.5;

/** A weight for every quarter of an hour: a quiet night, lunch, the evening, and an email to all customers at 19:00. */
export const diwaliShape: readonly number[] = Array.from({ length: 96 }, (_, quarter) => {
  const hour = quarter / 4 + 0.125;
  const bump = (at: number, width: number) => Math.exp(-(((hour - at) / width) ** 2) / 2);
  const mailed = hour >= 19 ? 2.2 * Math.exp(-(hour - 19) / 0.5) : 0;
  return 0.06 + 0.5 * bump(13, 1.6) + 1 * bump(20.5, 1.8) + mailed;
});

export function planFor(customers: number, costs: Costs): Plan {
  const visits = Math.round(customers * visitShare);
  const total = diwaliShape.reduce((sum, weight) => sum + weight, 0);
  const perSecond = (visits * Math.max(...diwaliShape)) / total / 900;
  const perVisit = loadOfVisit(costs);
  const nodeLoad = perSecond * perVisit.node;
  const databaseLoad = perSecond * perVisit.database;
  return {
    customers,
    visits,
    orders: visits * orderShare,
    busiest: { visits: perSecond, pages: perSecond * pagesPerVisit, orders: perSecond * orderShare },
    nodeLoad,
    databaseLoad,
    nodes: Math.max(1, Math.ceil(nodeLoad / utilization)),
    databaseCores: databaseSize(databaseLoad / utilization),
  };
}

/** Seconds of a core that one visit takes. */
function loadOfVisit(costs: Costs): { node: number; database: number } {
  const cached = pagesPerVisit * (1 - uncachedShare) * hitRate;
  const rendered = pagesPerVisit - cached;
  const load = (of: 'node' | 'database') =>
    cached * costs.cached[of] +
    rendered * costs.rendered[of] +
    cartShare * requestsPerCart * costs.cart[of] +
    orderShare * costs.order[of];
  return { node: load('node'), database: load('database') };
}

/** Databases are sold in powers of two, from two cores on. */
function databaseSize(cores: number): number {
  return 2 ** Math.max(1, Math.ceil(Math.log2(cores)));
}
