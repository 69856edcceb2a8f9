import { expect, test } from 'vitest';
import { createHeap } from './heap.ts';
import { type Day, type Simulated, simulateDay } from './simulate.ts';
import { createWaits, percentileOfAll } from './waits.ts';

const none = { web: 0, database: 0 };
const day: Day = {
  seed: 7,
  visits: 20_000,
  shape: [1],
  nodes: 1,
  databaseCores: 1,
  hours: 1,
  costs: { kept: none, rendered: none, cart: none, order: none },
  habits: {
    pagesPerVisit: 1,
    secondsPerPage: 10,
    pages: 100,
    neverKept: 1,
    cartShare: 0,
    cartCalls: 0,
    orderShare: 0,
    changesPerHour: 0,
  },
};
const sum = ({ spans }: Simulated, what: (span: Simulated['spans'][number]) => number) =>
  spans.reduce((total, span) => total + what(span), 0);
const meanWait = ({ spans }: Simulated) => {
  const counted = spans.map(({ requests, waits }) => [requests, waits.mean()] as const);
  return (
    counted.reduce((all, [count, mean]) => all + count * mean, 0) / counted.reduce((all, [count]) => all + count, 0)
  );
};

test('one queue waits as long as the formula says: service / (1 − load)', () => {
  const rate = 20_000 / 3600;
  for (const load of [0.3, 0.7]) {
    const database = load / rate;
    const simulated = simulateDay({
      ...day,
      visits: 200_000,
      hours: 10,
      costs: { ...day.costs, rendered: { web: 0, database } },
    });
    const perVisit = sum(simulated, ({ requests }) => requests) / 200_000;
    const busy = sum(simulated, ({ databaseBusy }) => databaseBusy) / 36_000;
    expect(busy).toBeCloseTo(load * perVisit, 1);
    expect(meanWait(simulated) / (database / (1 - busy))).toBeGreaterThan(0.9);
    expect(meanWait(simulated) / (database / (1 - busy))).toBeLessThan(1.1);
  }
});

test('the same seed gives the same day, another seed another', () => {
  const figures = (seed: number) => simulateDay({ ...day, seed }).spans.map(({ requests }) => requests);
  expect(figures(1)).toEqual(figures(1));
  expect(figures(1)).not.toEqual(figures(2));
});

test('visits come when the shape of the day says', () => {
  const { spans } = simulateDay({ ...day, shape: [0, 3, 1, 0] });
  const quarters = [0, 1, 2, 3].map((quarter) =>
    spans.slice(quarter * 24, quarter * 24 + 24).reduce((total, { pages }) => total + pages, 0),
  );
  expect(quarters[0]).toBe(0);
  expect(quarters[3]).toBeLessThan(50); // those who came before are still looking
  expect((quarters[1] ?? 0) / (quarters[2] ?? 1)).toBeGreaterThan(2.7);
  expect((quarters[1] ?? 0) / (quarters[2] ?? 1)).toBeLessThan(3.3);
});

test('a page is rendered once for each node and each change, however many ask', () => {
  const costs = { ...day.costs, rendered: { web: 0.01, database: 0.01 }, kept: { web: 0.0005, database: 0 } };
  const habits = { ...day.habits, neverKept: 0, pages: 5 };
  const calm = simulateDay({ ...day, nodes: 3, costs, habits });
  const misses = sum(calm, ({ pages }) => pages) - sum(calm, ({ hits }) => hits);
  expect(misses).toBe(15);
  const restless = simulateDay({ ...day, nodes: 3, costs, habits: { ...habits, changesPerHour: 60 } });
  const more = sum(restless, ({ pages }) => pages) - sum(restless, ({ hits }) => hits);
  expect(more).toBeGreaterThan(15 * 30);
  expect(more).toBeLessThan(15 * 90);
});

test('more nodes and cores shorten the wait, and an overloaded database makes orders wait', () => {
  const costs = { ...day.costs, order: { web: 0.01, database: 0.2 } };
  const habits = { ...day.habits, orderShare: 1 };
  const p99 = (databaseCores: number) =>
    percentileOfAll(
      simulateDay({ ...day, costs, habits, databaseCores }).spans.map(({ orderWaits }) => orderWaits),
      0.99,
    );
  expect(p99(1)).toBeGreaterThan(60);
  expect(p99(4)).toBeLessThan(2);
});

test('what happens first comes out first, and of two at once the one put in first', () => {
  const heap = createHeap<string>();
  for (const [time, value] of [
    [3, 'c'],
    [1, 'a'],
    [2, 'b'],
    [1, 'a2'],
    [0.5, 'first'],
  ] as const)
    heap.push(time, value);
  const order = [heap.pop(), heap.pop(), heap.pop(), heap.pop(), heap.pop(), heap.pop()].map((one) => one?.value);
  expect(order).toEqual(['first', 'a', 'a2', 'b', 'c', undefined]);
});

test('percentiles are true to a twentieth of a power of ten', () => {
  const waits = createWaits();
  for (let n = 1; n <= 1000; n += 1) waits.add(n / 1000);
  for (const share of [0.5, 0.9, 0.99]) {
    expect(waits.percentile(share) / share).toBeGreaterThan(0.9);
    expect(waits.percentile(share) / share).toBeLessThan(1.12);
  }
  expect(createWaits().percentile(0.5)).toBe(0);
});
