import { expect, test } from 'vitest';
import { categoryRules, inkOn } from './category-colours.ts';

test.each([
  ['#ffffff', '#1d1512'],
  ['#f2b233', '#1d1512'],
  ['#102a6b', '#fff7f0'],
  ['#000000', '#fff7f0'],
])('on %s one writes in %s', (colour, ink) => {
  expect(inkOn(colour)).toBe(ink);
});

test('each category with a colour has a rule, one without keeps the default', () => {
  expect(
    categoryRules([
      { name: "Nani's Peda & Barfi", colour: '#102a6b' },
      { name: 'Namkeen', colour: null },
    ]),
  ).toBe(`[data-category="Nani's Peda & Barfi"]{--category:#102a6b;--on-category:#fff7f0}`);
});

test('what is no name or no colour never gets into the stylesheet', () => {
  expect(
    categoryRules([
      { name: 'a"]{}</style><script>', colour: '#102a6b' },
      { name: 'Barfi', colour: 'red;}*{display:none' },
    ]),
  ).toBe('');
});
