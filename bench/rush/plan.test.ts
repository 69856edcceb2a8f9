import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rushChart } from './chart.ts';
import { costsFrom, readMeasured } from './measured.ts';
import { diwaliShape, planFor } from './plan.ts';
import { simulateDay } from './simulate.ts';

const results = readFileSync(join(import.meta.dirname, '../results.md'), 'utf8');
const costs = costsFrom(readMeasured(results));

test('every figure the page needs is in the results of the bench', () => {
  for (const figure of Object.values(readMeasured(results))) expect(Number.isNaN(figure)).toBe(false);
  for (const { web, database } of Object.values(costs)) {
    expect(web).toBeGreaterThan(0);
    expect(database).toBeGreaterThanOrEqual(0);
  }
  expect(() => readMeasured('# nothing')).toThrow('has no row like');
});

test('the evening is the busiest time, with a jump when the mail goes out', () => {
  const busiest = diwaliShape.indexOf(Math.max(...diwaliShape)) / 4;
  expect(busiest).toBeGreaterThanOrEqual(19);
  expect(busiest).toBeLessThan(21);
  expect((diwaliShape[76] ?? 0) / (diwaliShape[75] ?? 1)).toBeGreaterThan(2);
});

test('ten times the customers need ten times the load, and never less than one node and two cores', () => {
  const [small, large] = [planFor(1_000, costs, 4), planFor(10_000, costs, 4)];
  expect(large.databaseLoad / small.databaseLoad).toBeCloseTo(10, 5);
  expect(large.busiest.orders / small.busiest.orders).toBeCloseTo(10, 5);
  expect(small).toMatchObject({ nodes: 1, databaseCores: 2 });
});

test('what is planned holds on the day, and the picture shows every line', () => {
  const plan = planFor(20_000, costs, 10);
  const simulated = simulateDay(plan.day);
  const busiest = Math.max(...simulated.spans.map(({ databaseBusy }) => databaseBusy / simulated.spanSeconds));
  expect(busiest).toBeLessThan(plan.databaseCores);
  expect(simulated.spans.reduce((all, { orders }) => all + orders, 0)).toBeGreaterThan(50);
  const chart = rushChart([
    { title: '20,000 customers', nodes: plan.nodes, databaseCores: plan.databaseCores, simulated },
  ]);
  expect(chart).not.toMatch(/NaN|Infinity|undefined/);
  expect(chart.match(/<polyline/g)).toHaveLength(4);
});
