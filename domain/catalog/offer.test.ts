import { expect, test } from 'vitest';
import { offerTag } from './offer.ts';

test.each([
  ['an available product without an offer is tagged as the owner wants', true, null, '10% off'],
  ['one that is sold out is not', false, null, null],
  ['an offer shows its percentage', true, 15, '15% off'],
  ['also while sold out', false, 15, '15% off'],
  ['an offer of 0 shows nothing', true, 0, null],
  ['also while sold out', false, 0, null],
])('%s', (_name, available, offerPercent, tag) => {
  expect(offerTag({ available, offerPercent })).toBe(tag);
});
