import { expect, test } from 'vitest';
import { addToList, lineName } from './add-to-list.ts';

test('what fits is added', () => {
  expect(addToList({}, 9, 500, 3)).toEqual({ map: { 9: { 500: 3 } }, added: 3 });
  expect(addToList({ 9: { 500: 3 } }, 9, 1000, 1)).toEqual({ map: { 9: { 500: 3, 1000: 1 } }, added: 1 });
});

test('a line holds at most 25, and the result says how many were added', () => {
  expect(addToList({ 9: { 500: 24 } }, 9, 500, 5)).toEqual({ map: { 9: { 500: 25 } }, added: 1 });
  expect(addToList({ 9: { 500: 25 } }, 9, 500, 1)).toEqual({ map: { 9: { 500: 25 } }, added: 0 });
});

test('zero, negative and invalid quantities add nothing', () => {
  for (const quantity of [0, -3, Number.NaN]) expect(addToList({}, 9, 500, quantity)).toEqual({ map: {}, added: 0 });
});

test('a line is named with its size where it has one', () => {
  expect(lineName({ name: 'Besan Laddu', hasSize: true }, 1000)).toBe('Besan Laddu (1000g)');
  expect(lineName({ name: 'Hot Jalebi', hasSize: false }, 500)).toBe('Hot Jalebi');
});
