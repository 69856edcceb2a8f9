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
  ['', 'Type the pincode of your address.'],
  ['   ', 'Type the pincode of your address.'],
  ['40002', 'A pincode has six digits; this has 5.'],
  ['4000288', 'A pincode has six digits; this has 7.'],
  ['4'.repeat(10_000), 'A pincode has six digits; this has many more.'],
  ['040028', 'A pincode does not begin with 0.'],
  ['०४००२८', 'A pincode does not begin with 0.'],
  ['000000', 'A pincode does not begin with 0.'],
  ['Mumbai', 'A pincode is six digits, like 400028.'],
  ['मुंबई', 'A pincode is six digits, like 400028.'],
  ['40002O', 'A pincode is six digits, like 400028.'],
  ['4000.8', 'A pincode is six digits, like 400028.'],
  ['+40002', 'A pincode is six digits, like 400028.'],
  ['4e5', 'A pincode is six digits, like 400028.'],
  ["400028'; drop table", 'A pincode is six digits, like 400028.'],
  ['<b>400028</b>', 'A pincode is six digits, like 400028.'],
  ['😀'.repeat(5_000), 'A pincode is six digits, like 400028.'],
  ['²³¹²³¹', 'A pincode is six digits, like 400028.'],
])('%s gets a sentence', (typed, sentence) => {
  expect(readPincode(typed)).toEqual({ ok: false, sentence });
});
