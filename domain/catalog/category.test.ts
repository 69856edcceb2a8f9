import { expect, test } from 'vitest';
import { categories } from './category.ts';

test('the five categories of the specification, each once', () => {
  expect([...categories].sort()).toEqual(['Chocolate', 'Gift', 'Halwa', 'Laddu', 'Takeaway']);
});
