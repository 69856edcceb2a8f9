import { setImmediate as nextIteration } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { spreadOut } from './spread-out.ts';

test('callbacks run in their order, iterations apart, also those added while they run', async () => {
  const run = spreadOut();
  let iteration = 0;
  const ran: [string, number][] = [];
  const note = (name: string) => () => void ran.push([name, iteration]);
  run(() => {
    note('first')();
    run(note('added'));
  });
  run(note('second'));
  for (; ran.length < 3 && iteration < 100; iteration += 1) await nextIteration();
  expect(ran.map(([name]) => name)).toEqual(['first', 'second', 'added']);
  const apart = ran.slice(1).map(([, at], n) => at - (ran[n]?.[1] ?? 0));
  expect(Math.min(...apart)).toBeGreaterThanOrEqual(5);
});
