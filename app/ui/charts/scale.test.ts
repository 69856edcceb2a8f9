import { expect, test } from 'vitest';
import { extentOf, labelEvery, niceScale, stack } from './scale.ts';

test.each([
  [{ low: 0, high: 87 }, [0, 25, 50, 75, 100]],
  [{ low: 0, high: 100 }, [0, 25, 50, 75, 100]],
  [{ low: 0, high: 101 }, [0, 50, 100, 150]],
  [{ low: 0, high: 4 }, [0, 1, 2, 3, 4]],
  [{ low: -30, high: 90 }, [-50, 0, 50, 100]],
  [{ low: -90, high: -10 }, [-100, -75, -50, -25, 0]],
  [{ low: 0, high: 0.3 }, [0, 0.1, 0.2, 0.3]],
  [{ low: 0, high: 48_211_900 }, [0, 20_000_000, 40_000_000, 60_000_000]],
  [{ low: 0, high: 0 }, [0]],
])('the axis of %o has round numbers and zero', (extent, ticks) => {
  const scale = niceScale(extent);
  expect(scale.ticks).toEqual(ticks);
  expect(scale.low).toBeLessThanOrEqual(extent.low);
  expect(scale.high).toBeGreaterThanOrEqual(extent.high);
  expect(scale.high).toBeGreaterThan(scale.low);
});

test('whatever the values, they are inside the axis and it has few numbers', () => {
  for (let exponent = -3; exponent < 15; exponent += 1)
    for (const digit of [1, 1.01, 1.9, 2, 2.4, 3.3, 5, 7.7, 9.99]) {
      const high = digit * 10 ** exponent;
      for (const low of [0, -high, -high / 7, -high * 13]) {
        const scale = niceScale({ low, high });
        expect(scale.low).toBeLessThanOrEqual(low * (1 - 1e-9));
        expect(scale.high).toBeGreaterThanOrEqual(high * (1 - 1e-9));
        expect(scale.ticks).toContain(0);
        expect(scale.ticks.length).toBeLessThanOrEqual(7);
      }
    }
});

test('the extent knows nothing of what is unknown', () => {
  expect(
    extentOf([
      [3, null, 8],
      [-2, 4, null],
    ]),
  ).toEqual({ low: -2, high: 8 });
  expect(extentOf([])).toEqual({ low: 0, high: 0 });
});

test('parts stand on one another, losses hang below', () => {
  expect(
    stack([
      [3, 5],
      [2, -4],
      [null, 1],
      [1, -1],
    ]),
  ).toEqual([
    [
      [0, 3],
      [0, 5],
    ],
    [
      [3, 5],
      [0, -4],
    ],
    [null, [5, 6]],
    [
      [5, 6],
      [-4, -5],
    ],
  ]);
});

test('labels are left out before they touch', () => {
  expect(labelEvery(['Apr', 'May'], 60)).toBe(1);
  expect(labelEvery(['Apr', 'May'], 20)).toBe(2);
  expect(labelEvery(['1 Apr 2026'], 26)).toBe(3);
  expect(labelEvery([], 0)).toBeGreaterThan(0);
});
