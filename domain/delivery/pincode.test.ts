import { expect, test } from 'vitest';
import { readPincode } from './pincode.ts';

test.each([
  '400028',
  ' 400028 ',
  '400 028',
  '400-028',
  '४०००२८',
  '४०० ०२८',
  '৪০০০২৮',
  '੪੦੦੦੨੮',
  '૪૦૦૦૨૮',
  '୪୦୦୦୨୮',
  '௪௦௦௦௨௮',
  '౪౦౦౦౨౮',
  '೪೦೦೦೨೮',
  '൪൦൦൦൨൮',
  '۴۰۰۰۲۸',
  '٤٠٠٠٢٨',
  '４０００２８',
  '4०0०2८',
  '\u200e400028\u200b',
])('%s is understood', (typed) => {
  expect(readPincode(typed)).toEqual({ ok: true, pincode: '400028' });
});

test.each([
  ['', 'Enter a 6-digit pincode.'],
  ['   ', 'Enter a 6-digit pincode.'],
  ['40002', 'Enter a 6-digit pincode.'],
  ['4000288', 'Enter a 6-digit pincode.'],
  ['4'.repeat(10_000), 'Enter a 6-digit pincode.'],
  ['040028', 'A pincode doesn’t start with 0.'],
  ['०४००२८', 'A pincode doesn’t start with 0.'],
  ['000000', 'A pincode doesn’t start with 0.'],
  ['Mumbai', 'Enter a 6-digit pincode.'],
  ['मुंबई', 'Enter a 6-digit pincode.'],
  ['40002O', 'Enter a 6-digit pincode.'],
  ['4000.8', 'Enter a 6-digit pincode.'],
  ['+40002', 'Enter a 6-digit pincode.'],
  ['4e5', 'Enter a 6-digit pincode.'],
  ["400028'; drop table", 'Enter a 6-digit pincode.'],
  ['<b>400028</b>', 'Enter a 6-digit pincode.'],
  ['😀'.repeat(5_000), 'Enter a 6-digit pincode.'],
  ['²³¹²³¹', 'Enter a 6-digit pincode.'],
])('%s gets a sentence', (typed, sentence) => {
  expect(readPincode(typed)).toEqual({ ok: false, sentence });
});
