import type { Costs, Day, Habits } from './simulate.ts';

/** A shop of some size on the evening before Diwali. */
export type Plan = {
  customers: number;
  visits: number;
  busiest: { visits: number; pages: number; orders: number };
  webLoad: number;
  databaseLoad: number;
  nodes: number;
  databaseCores: number;
  day: Day;
};

// All of these are assumed; docs/scale.md says so.
const VISIT_SHARE = 0.25;
/** Full at the busiest moment; the rest is for what nobody planned. */
const FULL = 0.5;
const habits: Omit<Habits, 'changesPerHour'> = {
  pagesPerVisit: 8,
  secondsPerPage: 20,
  pages: 250,
  neverKept: 0.08,
  cartShare: 0.3,
  cartCalls: 5,
  orderShare: 0.08,
};
/** Before the hit rate is known: what a node must be able to bear. */
const PLANNED_HIT_RATE = 0.85;

/** A weight for every quarter of an hour: a quiet night, lunch, the evening, and a mail to all customers at 19:00. */
export const diwaliShape: readonly number[] = Array.from({ length: 96 }, (_, quarter) => {
  const hour = quarter / 4 + 0.125;
  const bump = (at: number, width: number) => Math.exp(-(((hour - at) / width) ** 2) / 2);
  const mailed = hour >= 19 ? 2.2 * Math.exp(-(hour - 19) / 0.5) : 0;
  return 0.06 + 0.5 * bump(13, 1.6) + 1 * bump(20.5, 1.8) + mailed;
});

export function planFor(customers: number, costs: Costs, changesPerHour: number): Plan {
  const visits = Math.round(customers * VISIT_SHARE);
  const total = diwaliShape.reduce((sum, weight) => sum + weight, 0);
  const perSecond = (visits * Math.max(...diwaliShape)) / total / 900;
  const perVisit = loadOfVisit(costs);
  const webLoad = perSecond * perVisit.web;
  const databaseLoad = perSecond * perVisit.database;
  const nodes = Math.max(1, Math.ceil(webLoad / FULL));
  const databaseCores = sizeOf(databaseLoad / FULL);
  return {
    customers,
    visits,
    busiest: { visits: perSecond, pages: perSecond * habits.pagesPerVisit, orders: perSecond * habits.orderShare },
    webLoad,
    databaseLoad,
    nodes,
    databaseCores,
    day: {
      seed: 20261108,
      visits,
      shape: diwaliShape,
      nodes,
      databaseCores,
      costs,
      habits: { ...habits, changesPerHour },
    },
  };
}

/** Seconds of a core that one visit takes. */
function loadOfVisit(costs: Costs): { web: number; database: number } {
  const { pagesPerVisit, neverKept, cartShare, cartCalls, orderShare } = habits;
  const kept = pagesPerVisit * (1 - neverKept) * PLANNED_HIT_RATE;
  const rendered = pagesPerVisit - kept;
  const load = (of: 'web' | 'database') =>
    kept * costs.kept[of] +
    rendered * costs.rendered[of] +
    cartShare * cartCalls * costs.cart[of] +
    orderShare * costs.order[of];
  return { web: load('web'), database: load('database') };
}

/** Databases are sold in powers of two, from two cores on. */
function sizeOf(cores: number): number {
  return 2 ** Math.max(1, Math.ceil(Math.log2(cores)));
}
