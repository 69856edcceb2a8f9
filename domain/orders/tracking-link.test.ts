import { describe, expect, test } from 'vitest';
import { isTrackingPattern, refilledLink, trackingLink } from './tracking-link.ts';

const couriers = [
  { name: 'Pavan Parcel', trackingPattern: 'https://track.pavan.example/p/{tracking}?lang=en' },
  { name: 'Own rider', trackingPattern: '' },
];

test('the link is made from the pattern of the courier, however the name is written', () => {
  expect(trackingLink(couriers, ' pavan PARCEL ', ' PP-77 ')).toBe('https://track.pavan.example/p/PP-77?lang=en');
});

test('there is no link without a number, a page or a known courier', () => {
  expect(trackingLink(couriers, 'Pavan Parcel', ' ')).toBe('');
  expect(trackingLink(couriers, 'Own rider', 'R1')).toBe('');
  expect(trackingLink(couriers, 'Somebody', 'R1')).toBe('');
});

test('a number cannot change where the link leads', () => {
  expect(trackingLink(couriers, 'Pavan Parcel', '../x?y=$&#z')).toBe(
    'https://track.pavan.example/p/..%2Fx%3Fy%3D%24%26%23z?lang=en',
  );
});

test.each([
  'http://track.example/{tracking}',
  'javascript:alert("{tracking}")',
  'https://{tracking}.example/',
  'https://user@track.example/{tracking}',
  'https://track.example{tracking}',
  'https://track.example/',
  'https://track.example/{tracking}/{tracking}',
  'https://track.example/{number}',
  'https://track.example/a b{tracking}',
  `https://track.example/${'x'.repeat(300)}{tracking}`,
])('%s is no pattern', (pattern) => {
  expect(isTrackingPattern(pattern)).toBe(false);
  expect(trackingLink([{ name: 'C', trackingPattern: pattern }], 'C', '1')).toBe('');
});

describe('when the courier or the number changes, the link', () => {
  const at = (courier: string, number: string, link: string) => ({ courier, number, link });
  const link = 'https://track.pavan.example/p/PP-7?lang=en';
  test('is filled in while it is empty, and follows', () => {
    expect(refilledLink(couriers, at('', 'PP-7', ''), at('Pavan Parcel', 'PP-7', ''))).toBe(link);
    expect(refilledLink(couriers, at('Pavan Parcel', 'PP-7', link), at('Pavan Parcel', 'PP-77', link))).toBe(
      'https://track.pavan.example/p/PP-77?lang=en',
    );
    expect(refilledLink(couriers, at('Pavan Parcel', 'PP-7', link), at('Own rider', 'PP-7', link))).toBe('');
  });
  test('stays as it was typed', () => {
    const typed = 'https://elsewhere.example/1';
    expect(refilledLink(couriers, at('Pavan', 'PP-7', typed), at('Pavan Parcel', 'PP-7', typed))).toBe(typed);
  });
});
