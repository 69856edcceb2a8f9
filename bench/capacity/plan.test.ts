import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { costsFrom, readMeasured } from './measured.ts';
import { diwaliShape, planFor } from './plan.ts';

const results = readFileSync(join(import.meta.dirname, '../results.md'), 'utf8');
const costs = costsFrom(readMeasured(results));

test('every figure the page needs is in the results of the bench', () => {
  for (const figure of Object.values(readMeasured(results))) expect(Number.isNaN(figure)).toBe(false);
  for (const { node, database } of Object.values(costs)) {
    expect(node).toBeGreaterThan(0);
    expect(database).toBeGreaterThanOrEqual(0);
  }
  expect(() => readMeasured('# nothing')).toThrow('has no row like');
});

test('the evening is the busiest time, with a jump when the email goes out', () => {
  const busiest = diwaliShape.indexOf(Math.max(...diwaliShape)) / 4;
  expect(busiest).toBeGreaterThanOrEqual(19);
  expect(busiest).toBeLessThan(21);
  expect((diwaliShape[76] ?? 0) / (diwaliShape[75] ?? 1)).toBeGreaterThan(2);
});

test('ten times the customers make ten times the load, and need at least one node and two cores', () => {
  const [small, large] = [planFor(1_000, costs), planFor(10_000, costs)];
  expect(large.databaseLoad / small.databaseLoad).toBeCloseTo(10, 5);
  expect(large.busiest.orders / small.busiest.orders).toBeCloseTo(10, 5);
  expect(small).toMatchObject({ nodes: 1, databaseCores: 2 });
});
