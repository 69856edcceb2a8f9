import { expect, test } from 'vitest';
import { overlapMessages, overlapsOf, readPrefixes } from './zone-prefixes.ts';

const zones = [
  { name: 'Mumbai', prefixes: ['400'] },
  { name: 'Maharashtra', prefixes: ['40', '41', '42'] },
  { name: 'South', prefixes: ['5', '6'] },
];

test.each([
  ['400, 401', ['400', '401']],
  ['401 400;400\n402,', ['400', '401', '402']],
  ['400028', ['400028']],
])('%s is read', (typed, prefixes) => {
  expect(readPrefixes(typed)).toEqual({ ok: true, prefixes });
});

test.each([
  ['', /Enter pincode prefixes/],
  [' , ', /Enter pincode prefixes/],
  ['040', /“040” is not a pincode prefix/],
  ['400, Mumbai', /“Mumbai”/],
  ['4000281', /“4000281”/],
  ['4'.repeat(10_000), /one to six digits/],
  [Array.from({ length: 501 }, (_, n) => 1000 + n).join(' '), /at most 500/],
])('%s is not', (typed, sentence) => {
  const read = readPrefixes(typed);
  expect(read.ok ? '' : read.sentence).toMatch(sentence);
});

test('the longest beginning wins, and the form says over whom', () => {
  expect(overlapMessages(overlapsOf(['400'], zones.slice(1)))).toEqual(['Takes over from Maharashtra (40).']);
  expect(overlapMessages(overlapsOf(['40', '41'], zones.slice(0, 1)))).toEqual([
    '400 stays with Mumbai, which is more specific.',
  ]);
  expect(overlapMessages(overlapsOf(['400', '5'], zones))).toEqual([
    'Mumbai already has 400.',
    'South already has 5.',
    'Takes over from Maharashtra (40).',
  ]);
  expect(overlapMessages(overlapsOf(['7'], zones))).toEqual([]);
  const many = [{ name: 'Many', prefixes: ['10', '11', '12', '13', '14', '15', '16'] }];
  expect(overlapMessages(overlapsOf(['1'], many))[0]).toMatch(/^10, 11, 12, 13, 14 and 2 more stays? with Many/);
});
