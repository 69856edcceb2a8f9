import { expect, test } from 'vitest';
import { withoutBought } from './bought-lines.ts';

test('only what was bought is removed, in its size and quantity', () => {
  const list = { 9: { 500: 5, 1000: 1 }, 10: { 500: 1 } } as const;
  const bought = [
    { productId: 9, size: 500, quantity: 2 },
    { productId: 10, size: 500, quantity: 1 },
  ] as const;
  expect(withoutBought(list, bought)).toEqual({ 9: { 500: 3, 1000: 1 } });
});

test('what was removed already stays removed', () => {
  const bought = [
    { productId: 9, size: 500, quantity: 9 },
    { productId: 77, size: 1000, quantity: 1 },
  ] as const;
  expect(withoutBought({ 9: { 500: 2 } }, bought)).toEqual({});
});
