import { expect, test } from 'vitest';
import { type GstRow, netOf, quantityOf, signed, taxOf } from './gst-summary.ts';

const row = (some: Partial<GstRow>): GstRow => ({
  series: 'invoice',
  hsn: '2106',
  gst_percent: 5,
  kilograms: 0,
  pieces: 0,
  taxable_paise: 0,
  cgst_paise: 0,
  sgst_paise: 0,
  igst_paise: 0,
  ...some,
});

test('credit notes are taken off, and shown with a minus', () => {
  const sold = row({ taxable_paise: 10_000, cgst_paise: 250, sgst_paise: 250, kilograms: 2 });
  const back = row({ series: 'credit note', taxable_paise: 4_000, cgst_paise: 100, sgst_paise: 100, kilograms: 1 });
  expect(signed(back)).toMatchObject({ taxable_paise: -4_000, cgst_paise: -100, kilograms: -1, igst_paise: 0 });
  expect(netOf([sold, back])).toEqual({ taxable_paise: 6_000, cgst_paise: 150, sgst_paise: 150, igst_paise: 0 });
  expect(taxOf(netOf([sold, back]))).toBe(300);
});

test.each([
  [{ kilograms: 0, pieces: 0 }, ''],
  [{ kilograms: 1234.5, pieces: 0 }, '1,234.5 kg'],
  [{ kilograms: 0, pieces: 1 }, '1 piece'],
  [{ kilograms: -0.5, pieces: -1 }, '-0.5 kg, -1 piece'],
  [{ kilograms: 0, pieces: -2 }, '-2 pieces'],
])('how much: %o', (row, words) => {
  expect(quantityOf(row)).toBe(words);
});

test('no rows sum to zero', () => {
  expect(netOf([])).toEqual({ taxable_paise: 0, cgst_paise: 0, sgst_paise: 0, igst_paise: 0 });
});
