import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText, holds } from '../../tests/support/properties.ts';
import { maxSearchLength, searchText } from './search-text.ts';
import { sectionsOf, shopAddress, shopViewFrom } from './shop-view.ts';
import { shorten } from './shorten.ts';

const words = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  anyText(),
  fc.constantFrom('laddu', 'gifts', 'l-h', 'below-200', '96', '-1', '1e9', 'NaN', 'Infinity'),
);
const query = fc
  .dictionary(fc.constantFrom('q', 'tab', 'category', 'sort', 'price', 'shown', 'x'), words)
  .map((parameters) => new URLSearchParams(parameters));

test('the address of a view leads to the same view, and is its own shortest', () => {
  holds(
    fc.property(query, (asked) => {
      const view = shopViewFrom(asked);
      const address = shopAddress(view);
      const again = shopViewFrom(new URL(address, 'http://shop.test').searchParams);
      expect(again).toEqual(view);
      expect(shopAddress(again)).toBe(address);
      expect(sectionsOf(view).length).toBeGreaterThan(0);
      expect(view.shown >= 48 && view.shown <= 480).toBe(true);
    }),
  );
});

test('a query is one line of plain text, and normalizing it twice changes nothing', () => {
  holds(
    fc.property(anyText(300), (typed) => {
      const text = searchText(typed);
      expect(searchText(text)).toBe(text);
      expect([...text].length).toBeLessThanOrEqual(maxSearchLength);
      expect(text).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      expect(text.isWellFormed()).toBe(true);
    }),
  );
});

test('a shortened text is the beginning of the whole one, and whole where it fits', () => {
  holds(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat({ max: 30 }), (text, length) => {
      const { text: short, isShortened } = shorten(text, length);
      expect(text.startsWith(isShortened ? short.slice(0, -1) : text)).toBe(true);
      expect(short.length).toBeLessThanOrEqual(text.length + 1);
      if (!isShortened) expect(short).toBe(text);
    }),
  );
});
