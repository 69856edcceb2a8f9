import { expect, test } from 'vitest';
import { fixedCategories, isCategoryName } from './category.ts';

test('the five categories of the specification, each once', () => {
  expect([...fixedCategories].sort()).toEqual(['Chocolate', 'Gift', 'Halwa', 'Laddu', 'Takeaway']);
});

test.each(['Barfi', 'Dry fruits', "Nani's best", 'Peda & Barfi', 'बर्फी', 'Sugar-free', 'x'.repeat(40)])(
  '%s can be the name of a category',
  (name) => expect(isCategoryName(name)).toBe(true),
);

test.each([
  '',
  'x',
  ' Barfi',
  'Barfi ',
  'Dry  fruits',
  'all',
  'ALL',
  'Category',
  'a"b',
  'a\\b',
  '<b>',
  'a{b}',
  'a\nb',
  'x'.repeat(41),
])('%j cannot be the name of a category', (name) => expect(isCategoryName(name)).toBe(false));
