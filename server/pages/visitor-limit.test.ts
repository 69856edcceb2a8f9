import { expect, test } from 'vitest';
import { limitPerVisitor } from './visitor-limit.ts';

test('each address has its own budget, new with every window', () => {
  let now = 0;
  const may = limitPerVisitor({ most: 2, windowMs: 1000 }, () => now);
  expect(['a', 'a', 'a', 'b'].map(may)).toEqual([true, true, false, true]);
  now = 1000;
  expect(may('a')).toBe(true);
});

test('more addresses than are counted take no memory', () => {
  const may = limitPerVisitor({ most: 2, windowMs: 1000, maxAddresses: 2 }, () => 0);
  expect(['a', 'b', 'c', 'a'].map(may)).toEqual([true, true, false, true]);
});

test('the addresses of one IPv6 network count as one', () => {
  const may = limitPerVisitor({ most: 1, windowMs: 1000 }, () => 0);
  expect(['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1'].map(may)).toEqual([true, false, true]);
});
