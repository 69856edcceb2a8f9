import { describe, expect, test } from 'vitest';
import {
  coveredBy,
  displacedBy,
  greetingAt,
  greetingStatus,
  shownPeriods,
  shownSpans,
  type TimedGreeting,
} from './greeting-at.ts';

const make = (id: number, startsAt: number, endsAt: number, priority = 0, isPublished = true): TimedGreeting => ({
  id,
  startsAt,
  endsAt,
  priority,
  isPublished,
});
const allYear = make(1, 0, 100, 0);
const navratri = make(2, 10, 20, 5);
const dussehra = make(3, 18, 20, 9);
const shop = [allYear, navratri, dussehra];

describe('at any moment one greeting is shown', () => {
  test.each([
    [-1, null],
    [0, 1],
    [9.9, 1],
    [10, 2],
    [18, 3],
    [20, 1],
    [100, null],
  ])('at %d it is %s: the beginning counts, the end does not', (at, id) => {
    expect(greetingAt(shop, at)?.id ?? null).toBe(id);
  });

  test('of the same priority the later start, then the older one', () => {
    expect(greetingAt([make(1, 0, 9), make(2, 3, 9)], 5)?.id).toBe(2);
    expect(greetingAt([make(7, 0, 9), make(4, 0, 9)], 5)?.id).toBe(4);
  });

  test('what is not published is not shown', () => {
    expect(greetingAt([allYear, make(2, 0, 100, 50, false)], 5)?.id).toBe(1);
  });
});

test('one that wins takes the place of those that would be shown without it, while it is shown', () => {
  const taken = (greeting: TimedGreeting) =>
    displacedBy(greeting, shop).map(({ greeting: { id }, from, to }) => [id, from, to]);
  expect(taken(make(0, 5, 30, 7))).toEqual([
    [1, 5, 10],
    [2, 10, 18],
    [1, 20, 30],
  ]);
  expect(taken(dussehra)).toEqual([[2, 18, 20]]);
  expect(taken(make(0, 95, 120, -1))).toEqual([]);
  expect(taken(make(0, 100, 120))).toEqual([]);
});

test('a stretch of time is divided among them without gaps', () => {
  expect(
    shownPeriods(shop, { from: -5, to: 120 }).map(({ from, to, greeting }) => [from, to, greeting?.id ?? null]),
  ).toEqual([
    [-5, 0, null],
    [0, 10, 1],
    [10, 18, 2],
    [18, 20, 3],
    [20, 100, 1],
    [100, 120, null],
  ]);
});

test('each knows when it is shown and who takes its place', () => {
  expect(shownSpans(allYear, shop)).toEqual([
    { from: 0, to: 10 },
    { from: 20, to: 100 },
  ]);
  expect(coveredBy(allYear, shop).map(({ id }) => id)).toEqual([2, 3]);
  expect(coveredBy(dussehra, shop)).toEqual([]);
});

test('where each stands', () => {
  const standings = (now: number) => shop.map((greeting) => greetingStatus(greeting, shop, now));
  expect(standings(5)).toEqual(['now', 'coming', 'coming']);
  expect(standings(19)).toEqual(['covered', 'never', 'now']);
  expect(standings(21)).toEqual(['now', 'over', 'over']);
  expect(greetingStatus(make(9, 0, 5, 9, false), shop, 1)).toBe('draft');
  const hidden = make(8, 11, 12, 1);
  expect(greetingStatus(hidden, [...shop, hidden], 5)).toBe('never');
});
