import { randomNumbers } from '../../tests/support/random.ts';
import { createHeap } from './heap.ts';
import { createWaits, type Waits } from './waits.ts';

/** What one of each takes, in seconds of one core. */
export type Costs = Record<Work, { web: number; database: number }>;
export type Work = 'kept' | 'rendered' | 'cart' | 'order';

/** One day, and what stands ready for it. */
export type Day = {
  seed: number;
  visits: number;
  /** How the visits lie over the day: a weight for each of equal parts of it. */
  shape: readonly number[];
  nodes: number;
  databaseCores: number;
  costs: Costs;
  habits: Habits;
  hours?: number;
};
export type Habits = {
  pagesPerVisit: number;
  secondsPerPage: number;
  /** Addresses that are kept; the n-th is asked for 1/n as often as the first. */
  pages: number;
  /** Pages that are never kept: searches, pages of one's own. */
  neverKept: number;
  cartShare: number;
  cartCalls: number;
  orderShare: number;
  /** Each drops every kept page of every node. */
  changesPerHour: number;
};

export type Span = {
  requests: number;
  pages: number;
  hits: number;
  orders: number;
  webBusy: number;
  databaseBusy: number;
  waits: Waits;
  orderWaits: Waits;
};
export type Simulated = { spanSeconds: number; spans: Span[] };

type Visit = { pagesLeft: number; cartCallsLeft: number; buys: boolean; node: number };
type Event =
  | { what: 'visit' }
  | { what: 'change' }
  | { what: 'go on'; visit: Visit }
  | { what: 'database'; work: Work; node: number; since: number; key: number }
  | { what: 'web'; work: Work; node: number; since: number; key: number }
  | { what: 'ready'; node: number; key: number; generation: number };

const SPANS = 96;
const NOT_KEPT = -1;

/**
 * Visitors come as they like, more in the evening; each asks for a page, looks at it, and asks for the next. A page that
 * is kept costs its node a moment; any other request is answered by the database first and then made by the node. A node
 * does one thing after the other, the database one on each core, whoever came first is served first, and times of service
 * are exponential. Requests for a page that is being rendered wait for it, as in server/page-cache/.
 */
export function simulateDay(day: Day): Simulated {
  const { habits, costs } = day;
  const random = randomNumbers(day.seed);
  const exponential = (mean: number) => -Math.log(1 - random()) * mean;
  const seconds = (day.hours ?? 24) * 3600;
  const spanSeconds = seconds / SPANS;
  const spans = Array.from({ length: SPANS }, emptySpan);
  const spanAt = (time: number): Span => spans[Math.min(SPANS - 1, Math.floor(time / spanSeconds))] as Span;

  const events = createHeap<Event>();
  const nodeFree = new Float64Array(day.nodes);
  const coreFree = new Float64Array(day.databaseCores);
  const kept = Array.from({ length: day.nodes }, () => new Set<number>());
  const waiting = Array.from({ length: day.nodes }, () => new Map<number, { since: number }[]>());
  let generation = 0;
  const keyOf = zipf(habits.pages, random);

  const total = day.shape.reduce((sum, weight) => sum + weight, 0);
  const rateAt = (time: number): number => {
    const part = Math.min(day.shape.length - 1, Math.floor((time / seconds) * day.shape.length));
    return ((day.shape[part] as number) / total / (seconds / day.shape.length)) * day.visits;
  };
  const mostPerSecond = Math.max(...day.shape.map((_, part) => rateAt(((part + 0.5) * seconds) / day.shape.length)));

  const soon = (mean: number, now: number, event: Event) => events.push(now + exponential(mean), event);
  soon(1 / mostPerSecond, 0, { what: 'visit' });
  if (habits.changesPerHour > 0) soon(3600 / habits.changesPerHour, 0, { what: 'change' });

  for (let next = events.pop(); next && next.time < seconds; next = events.pop()) {
    const { time, value: event } = next;
    if (event.what === 'visit') {
      // Drawn at the pace of the busiest moment, and taken as often as this one is busy.
      if (random() < rateAt(time) / mostPerSecond) goOn(newVisit(), time);
      soon(1 / mostPerSecond, time, event);
    } else if (event.what === 'change') {
      generation += 1;
      for (const pages of kept) pages.clear();
      soon(3600 / habits.changesPerHour, time, event);
    } else if (event.what === 'go on') goOn(event.visit, time);
    else if (event.what === 'database') askDatabase(event, time);
    else if (event.what === 'web') work(event, time);
    else ready(event, time);
  }
  return { spanSeconds, spans };

  function newVisit(): Visit {
    return {
      pagesLeft: 1 + Math.floor(exponential(habits.pagesPerVisit - 0.5)),
      cartCallsLeft: random() < habits.cartShare ? habits.cartCalls : 0,
      buys: random() < habits.orderShare,
      node: Math.floor(random() * day.nodes),
    };
  }

  function goOn(visit: Visit, time: number): void {
    const span = spanAt(time);
    span.requests += 1;
    if (visit.pagesLeft > 0) {
      visit.pagesLeft -= 1;
      askPage(visit.node, time, span);
    } else if (visit.cartCallsLeft > 0) {
      visit.cartCallsLeft -= 1;
      askDatabase({ work: 'cart', node: visit.node, since: time, key: NOT_KEPT }, time);
    } else {
      visit.buys = false;
      span.orders += 1;
      askDatabase({ work: 'order', node: visit.node, since: time, key: NOT_KEPT }, time);
    }
    if (visit.pagesLeft + visit.cartCallsLeft > 0 || visit.buys)
      soon(habits.secondsPerPage, time, { what: 'go on', visit });
  }

  function askPage(node: number, time: number, span: Span): void {
    span.pages += 1;
    const key = random() < habits.neverKept ? NOT_KEPT : keyOf();
    const begun = key === NOT_KEPT ? undefined : waiting[node]?.get(key);
    if (key !== NOT_KEPT && (kept[node]?.has(key) || begun)) span.hits += 1;
    if (begun) begun.push({ since: time });
    else if (kept[node]?.has(key)) work({ work: 'kept', node, since: time, key }, time);
    else {
      if (key !== NOT_KEPT) waiting[node]?.set(key, []);
      askDatabase({ work: 'rendered', node, since: time, key }, time);
    }
  }

  function askDatabase(asked: { work: Work; node: number; since: number; key: number }, time: number): void {
    const takes = exponential(costs[asked.work].database);
    const core = earliest(coreFree);
    const end = Math.max(time, coreFree[core] as number) + takes;
    coreFree[core] = end;
    spanAt(time).databaseBusy += takes;
    events.push(end, { what: 'web', ...asked });
  }

  function work(asked: { work: Work; node: number; since: number; key: number }, time: number): void {
    const { node, key } = asked;
    const takes = exponential(costs[asked.work].web);
    const end = Math.max(time, nodeFree[node] as number) + takes;
    nodeFree[node] = end;
    const span = spanAt(asked.since);
    span.webBusy += takes;
    answered(asked.work, asked.since, end);
    if (asked.work === 'rendered' && key !== NOT_KEPT) events.push(end, { what: 'ready', node, key, generation });
  }

  function ready(event: { node: number; key: number; generation: number }, time: number): void {
    const others = waiting[event.node]?.get(event.key) ?? [];
    waiting[event.node]?.delete(event.key);
    if (event.generation === generation) kept[event.node]?.add(event.key);
    for (const { since } of others) work({ work: 'kept', node: event.node, since, key: event.key }, time);
  }

  function answered(kind: Work, since: number, end: number): void {
    const span = spanAt(since);
    span.waits.add(end - since);
    if (kind === 'order') span.orderWaits.add(end - since);
  }
}

function emptySpan(): Span {
  return {
    requests: 0,
    pages: 0,
    hits: 0,
    orders: 0,
    webBusy: 0,
    databaseBusy: 0,
    waits: createWaits(),
    orderWaits: createWaits(),
  };
}

function earliest(free: Float64Array): number {
  let best = 0;
  for (let index = 1; index < free.length; index += 1)
    if ((free[index] as number) < (free[best] as number)) best = index;
  return best;
}

/** Few pages are asked for often, many now and then. */
function zipf(count: number, random: () => number): () => number {
  const sums: number[] = [];
  for (let rank = 1; rank <= count; rank += 1) sums.push((sums.at(-1) ?? 0) + 1 / rank);
  return () => {
    const at = random() * (sums.at(-1) as number);
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] as number) < at) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
