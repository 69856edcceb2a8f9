import { describe, expect, test } from 'vitest';
import {
  cacheEntryFor,
  testimonialCacheMilliseconds,
  testimonialsFrom,
  testimonialsFromCache,
  testimonialsShown,
} from './testimonials.ts';

const letter = { id: 1, title: 'Good', author: 'Pooja', text: 'Very good.', stars: 5 };

test('five are shown, and kept for four hours', () => {
  expect(testimonialsShown).toBe(5);
  expect(testimonialCacheMilliseconds).toBe(4 * 60 * 60 * 1000);
  expect(testimonialsFrom(Array.from({ length: 9 }, () => letter))).toHaveLength(5);
});

test('stars end at five, even when they arrive as text', () => {
  const stars = (value: unknown) => testimonialsFrom([{ ...letter, stars: value }])[0]?.stars;
  expect([stars(9), stars('7'), stars(4), stars(-1)]).toEqual([5, 5, 4, 0]);
});

test('whatever is not a testimonial is left out', () => {
  expect(testimonialsFrom([null, 3, 'x', {}, { ...letter, text: 5 }, { ...letter, stars: 'many' }, letter])).toEqual([
    letter,
  ]);
  expect(testimonialsFrom({ message: 'no' })).toEqual([]);
});

describe('the cache', () => {
  const entry = cacheEntryFor([letter], 1000);

  test('is used for four hours and not a millisecond longer', () => {
    expect(testimonialsFromCache(entry, 1000)).toEqual([letter]);
    expect(testimonialsFromCache(entry, 1000 + testimonialCacheMilliseconds - 1)).toEqual([letter]);
    expect(testimonialsFromCache(entry, 1000 + testimonialCacheMilliseconds)).toBeNull();
  });

  test('is not used when the clock was turned back', () => {
    expect(testimonialsFromCache(entry, 999)).toBeNull();
  });

  test.each([null, '', 'null', '{', '[]', '"x"', '{"at":"soon","testimonials":[]}', '{"at":1000,"testimonials":7}'])(
    'tolerates %s',
    (broken) => expect(testimonialsFromCache(broken, 1000)).toBeNull(),
  );
});
