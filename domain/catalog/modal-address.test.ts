import { describe, expect, test } from 'vitest';
import {
  hasModal,
  onlyOpensOrClosesModal,
  productNameIn,
  searchWithoutProduct,
  searchWithProduct,
} from './modal-address.ts';

test('the modal opens on the home page and the shop page, nowhere else', () => {
  expect(['/', '/shop', '/shop/'].map(hasModal)).toEqual([true, true, true]);
  expect(['/product/9', '/cart', '/shops', '/shop/x'].map(hasModal)).toEqual([false, false, false, false]);
});

describe('the name in the address', () => {
  test('is read as typed, trimmed', () => {
    expect(productNameIn('?tab=gifts&product=%20BESAN%20laddu+')).toBe('BESAN laddu');
    expect(productNameIn('?product=%E0%A4%B2%E0%A4%A1%E0%A5%8D%E0%A4%A1%E0%A5%82%F0%9F%8D%AC')).toBe('लड्डू🍬');
  });

  test('counts as missing when it is empty, too long, or contains characters no name can have', () => {
    for (const search of ['', '?product=', '?product=%20', `?product=${'x'.repeat(121)}`, '?product=a%00b'])
      expect(productNameIn(search)).toBeNull();
    expect(productNameIn(`?product=${'🍬'.repeat(120)}`)).toHaveLength(240);
  });
});

test('opening and closing leave the rest of the address alone', () => {
  const open = searchWithProduct('?tab=gifts&sort=l-h', 'Gulab Jamun (4 pcs) & more');
  expect(productNameIn(open)).toBe('Gulab Jamun (4 pcs) & more');
  expect(searchWithoutProduct(open)).toBe('?tab=gifts&sort=l-h');
  expect(searchWithoutProduct('?product=x')).toBe('');
});

test('a step that only opens or closes the modal is told from one that changes the page', () => {
  const step = (from: string, to: string) =>
    onlyOpensOrClosesModal(new URL(from, 'http://shop'), new URL(to, 'http://shop'));
  expect(step('/shop?sort=l-h', '/shop?sort=l-h&product=x')).toBe(true);
  expect(step('/shop?product=x', '/shop')).toBe(true);
  expect(step('/shop?product=x', '/shop?sort=l-h')).toBe(false);
  expect(step('/shop', '/?product=x')).toBe(false);
  expect(step('/shop', '/shop')).toBe(false);
});
