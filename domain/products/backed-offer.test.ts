import fc from 'fast-check';
import { expect, test } from 'vitest';
import { paise } from '../money.ts';
import { backedOfferPercent, isOfferBacked, offerPrice, struckPaise } from './backed-offer.ts';
import { describeOffer, describeUnbackedOffer, type StoredOffer } from './offer-messages.ts';

test.each([
  [36_000, 40_000, 10],
  [27_200, 32_000, 15],
  // 14.99…% off is not 15% off.
  [27_201, 32_000, 14],
  [39_900, 40_000, 0],
  [100, 10_000_000, 90],
  [40_000, 40_000, 0],
  [50_000, 40_000, 0],
  [25_000, null, 0],
])('at %i paise against %s the tag says %i%% off', (pricePaise, regularPricePaise, percent) => {
  expect(backedOfferPercent({ pricePaise, regularPricePaise })).toBe(percent);
});

test('a regular price is struck through from 1% off on', () => {
  const regularPricePaise = paise(40_000);
  expect(struckPaise({ pricePaise: paise(39_600), regularPricePaise })).toBe(40_000);
  expect(struckPaise({ pricePaise: paise(39_601), regularPricePaise })).toBeNull();
  expect(struckPaise({ pricePaise: paise(40_000), regularPricePaise })).toBeNull();
  expect(struckPaise({ pricePaise: paise(39_600), regularPricePaise: null })).toBeNull();
});

test('a tag is backed when the prices say the same, and no tag always is', () => {
  const half = { pricePaise: 20_000, regularPricePaise: 40_000 };
  expect(isOfferBacked({ ...half, offerPercent: 50 })).toBe(true);
  expect(isOfferBacked({ ...half, offerPercent: 0 })).toBe(true);
  expect(isOfferBacked({ ...half, offerPercent: 60 })).toBe(false);
  // A stored null shows '10% off': true only where it is 10%.
  expect(isOfferBacked({ ...half, offerPercent: null })).toBe(false);
  expect(isOfferBacked({ pricePaise: 36_000, regularPricePaise: 40_000, offerPercent: null })).toBe(true);
  expect(isOfferBacked({ pricePaise: 36_000, regularPricePaise: null, offerPercent: null })).toBe(false);
});

test('an offer of p% gets a price at which p% is true, in whole rupees where possible', () => {
  expect(offerPrice(40_000, 10)).toBe(36_000);
  expect(offerPrice(79_950, 10)).toBe(71_900);
  fc.assert(
    fc.property(
      fc.integer({ min: 1_000, max: 20_000_000 }),
      fc.integer({ min: 1, max: 90 }),
      (regularPricePaise, percent) => {
        const pricePaise = offerPrice(regularPricePaise, percent);
        expect(backedOfferPercent({ pricePaise, regularPricePaise })).toBe(percent);
      },
    ),
  );
});

test.each([
  [{ pricePaise: 32_000, regularPricePaise: null }, /^No offer tag\. To show an offer/],
  [{ pricePaise: null, regularPricePaise: 40_000 }, /^No offer tag/],
  [
    { pricePaise: 100, regularPricePaise: 40_000 },
    /^The tag “90% off” and ₹400 struck .* It is 99% off, but tags show 90% at most\.$/,
  ],
  [{ pricePaise: 27_200, regularPricePaise: 32_000 }, /^The tag “15% off” and ₹320 struck through/],
  [{ pricePaise: 39_900, regularPricePaise: 40_000 }, /^No offer tag, because it is less than 1% off/],
])('the console says what the shop shows for %j', (prices, words) => {
  expect(describeOffer(prices)).toMatch(words);
});

const full = { pricePaise: 36_000, regularPricePaise: null, isAvailable: true };
test.each<[StoredOffer, RegExp | null]>([
  [{ ...full, offerPercent: null }, /^The shop now shows the tag “10% off”, which these prices don’t match\. Save/],
  [{ ...full, offerPercent: null, isAvailable: false }, /^When it is in stock, the shop shows the tag “10% off”/],
  [{ ...full, offerPercent: 60, isAvailable: false }, /^The shop now shows the tag “60% off”/],
  [{ ...full, offerPercent: 0 }, null],
  [{ ...full, regularPricePaise: 40_000, offerPercent: null }, null],
])('the edit page says what the shop shows until %j is saved', (stored, words) => {
  const said = describeUnbackedOffer(stored);
  if (words) expect(said).toMatch(words);
  else expect(said).toBeNull();
});
