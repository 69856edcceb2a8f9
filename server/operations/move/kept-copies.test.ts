import { expect, test } from 'vitest';
import { copyName, droppableFrom, keptDays } from './kept-copies.ts';

test('a copy says in its name when it was left, and may be dropped 30 days later', () => {
  const left = new Date('2026-11-18T05:53:07.123Z');
  expect(copyName(left)).toBe('shop_before_update_20261118_055307');
  expect(keptDays).toBe(30);
  expect(droppableFrom(copyName(left))).toEqual(new Date('2026-12-18T05:53:07Z'));
});

test('other databases are none of ours', () => {
  expect(droppableFrom('postgres')).toBeNull();
  expect(droppableFrom('shop_before_update_of_the_owner')).toBeNull();
  expect(droppableFrom('shop_before_update')).toBe('undated');
});
