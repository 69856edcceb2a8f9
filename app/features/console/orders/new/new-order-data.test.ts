import { describe, expect, test } from 'vitest';
import type { Sweet } from '#contracts/console/phone-orders.ts';
import {
  addressInShort,
  askedLines,
  type DraftLine,
  leftWords,
  quantityOf,
  withSize,
  withSweet,
} from './new-order-data.ts';

const laddu: Sweet = {
  product_id: 1,
  name: 'Besan Laddu',
  image: '',
  category: 'Laddu',
  has_size: true,
  price_paise: 24_000,
  left: 1_500,
};
const samosa: Sweet = { ...laddu, product_id: 2, name: 'Samosa', has_size: false, left: 1 };
const line = (sweet: Sweet, size: 500 | 1000, quantity: string): DraftLine => ({ sweet, size, quantity });

describe('choosing sweets', () => {
  test('adds a line, and one more where there is one', () => {
    const once = withSweet([], laddu);
    expect(once).toEqual([line(laddu, 500, '1')]);
    expect(withSweet(once, laddu)).toEqual([line(laddu, 500, '2')]);
    expect(withSweet([line(laddu, 1000, '3')], laddu)).toEqual([line(laddu, 1000, '3'), line(laddu, 500, '1')]);
    expect(withSweet([line(laddu, 500, '25')], laddu)).toEqual([line(laddu, 500, '25')]);
    expect(withSweet([line(laddu, 500, 'x')], laddu)).toEqual([line(laddu, 500, '1')]);
  });

  test('in another size joins the line that has that size', () => {
    const lines = [line(laddu, 500, '2'), line(laddu, 1000, '3'), line(samosa, 500, '1')];
    expect(withSize(lines, '1-500', 1000)).toEqual([line(laddu, 1000, '5'), line(samosa, 500, '1')]);
    expect(withSize([line(laddu, 500, '2')], '1-500', 1000)).toEqual([line(laddu, 1000, '2')]);
    expect(withSize([line(laddu, 500, '20'), line(laddu, 1000, '20')], '1-500', 1000)).toEqual([
      line(laddu, 1000, '25'),
    ]);
    expect(withSize(lines, '9-500', 1000)).toEqual(lines);
  });
});

test.each([
  ['1', 1],
  [' 25 ', 25],
  ['0', null],
  ['26', null],
  ['', null],
  ['1.5', null],
  ['-1', null],
  ['two', null],
])('a quantity of %j is %s', (typed, quantity) => {
  expect(quantityOf(line(laddu, 500, typed))).toBe(quantity);
});

test('nothing is asked before every line is finished', () => {
  expect(askedLines([])).toBeNull();
  expect(askedLines([line(laddu, 500, '2'), line(samosa, 500, '')])).toBeNull();
  expect(askedLines([line(laddu, 1000, '2')])).toEqual([{ product_id: 1, size: 1000, quantity: 2 }]);
});

test('what is left is said as it is sold', () => {
  expect(leftWords(laddu)).toBe('1.5 kg left');
  expect(leftWords(samosa)).toBe('1 piece left');
  expect(leftWords({ ...samosa, left: 0 })).toBe('Out of stock');
});

test('an address is told in a line', () => {
  const caller = { user_id: null, name: 'M', state: 'X', orders: 1, is_blocked: false, notes: '' };
  expect(addressInShort({ ...caller, building_no: '4B', street: 'Ranade Road', city: 'Mumbai', zip: '400028' })).toBe(
    '4B, Ranade Road, Mumbai 400028',
  );
  expect(addressInShort({ ...caller, building_no: '', street: '', city: '', zip: '' })).toBe('No address');
});
