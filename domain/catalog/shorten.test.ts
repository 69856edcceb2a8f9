import { expect, test } from 'vitest';
import { shorten } from './shorten.ts';

test('a text of exactly 120 characters stays whole, one of 121 is shortened to 120', () => {
  expect(shorten('x'.repeat(120), 120)).toEqual({ text: 'x'.repeat(120), isShortened: false });
  expect(shorten('x'.repeat(121), 120)).toEqual({ text: `${'x'.repeat(120)}…`, isShortened: true });
});

test('no space is left before the ellipsis', () => {
  expect(shorten('roasted in ghee', 8).text).toBe('roasted…');
});

test('syllables and emoji are not cut in two', () => {
  expect(shorten('लड्डूलड्डू', 2).text.endsWith('…')).toBe(true);
  expect(shorten('👨‍👩‍👧🍬🍬', 1).text).toBe('👨‍👩‍👧…');
});

test('texts that need no segmenter are shortened as a segmenter would', () => {
  const text = 'Ghee–roasted “besan”, ₹320 · naïve & café — 100 % fresh…';
  const characters = [...new Intl.Segmenter('en-IN', { granularity: 'grapheme' }).segment(text)];
  for (let length = 0; length <= text.length; length++)
    expect(shorten(text, length).isShortened).toBe(characters.length > length);
  expect(shorten('e\u0301clair', 1).text).toBe('e\u0301…');
});
