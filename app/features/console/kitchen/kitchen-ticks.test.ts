import { expect, test } from 'vitest';
import { isTicked, ticksOf, withTick } from './kitchen-ticks.ts';

const laddu = { product_id: 7, grams: 2500, pieces: 0 };
const today = ticksOf('2026-11-18', null);

test('a sweet is ticked until more of it is ordered', () => {
  const ticked = withTick(today, laddu, true);
  expect(isTicked(ticked, laddu)).toBe(true);
  expect(isTicked(ticked, { ...laddu, grams: 3000 })).toBe(false);
  expect(isTicked(ticked, { ...laddu, product_id: 8 })).toBe(false);
  expect(isTicked(withTick(ticked, laddu, false), laddu)).toBe(false);
});

test('ticks are kept for their day', () => {
  const kept = JSON.stringify(withTick(today, laddu, true));
  expect(isTicked(ticksOf('2026-11-18', kept), laddu)).toBe(true);
  expect(isTicked(ticksOf('2026-11-19', kept), laddu)).toBe(false);
});

test.each([null, '', '[]', '{"day": 1}', 'nonsense'])('what is kept as %j is no tick', (kept) => {
  expect(ticksOf('2026-11-18', kept)).toEqual({ day: '2026-11-18', ticked: [] });
});
