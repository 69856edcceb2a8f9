import { expect, test } from 'vitest';
import { wishFrom } from './wish.ts';

test('what was wanted before signing in comes back as it was', () => {
  expect(wishFrom('{"productId":9,"size":1000,"quantity":3}')).toEqual({ productId: 9, size: 1000, quantity: 3 });
});

test.each([
  null,
  '',
  'null',
  '[]',
  '{}',
  '{"productId":9,"size":700,"quantity":3}',
  '{"productId":9,"size":500,"quantity":99}',
])('%s is no wish', (text) => {
  expect(wishFrom(text)).toBeNull();
});
