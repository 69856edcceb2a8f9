import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText, holds } from '../../tests/support/properties.ts';
import { basketCookies } from './basket-cookies.ts';
import { type Basket, type CartMap, cartMapFrom, linesOf, maxQuantity, sizes, totalQuantity } from './cart.ts';
import { cartMapFromCookies } from './cart-cookies.ts';
import { withAdded } from './cart-lists.ts';
import { moveBackToCart, moveToCheckout } from './move-lines.ts';

const line = fc.tuple(fc.integer({ min: 1, max: 99 }), fc.constantFrom(...sizes), fc.integer({ min: 1, max: 30 }));
const map = fc
  .array(line, { maxLength: 12 })
  .map((lines) => lines.reduce<CartMap>((all, [id, size, quantity]) => withAdded(all, id, size, quantity), {}));
const basket: fc.Arbitrary<Basket> = fc.record({ cart: map, checkout: map });

test('a basket comes back from its cookies', () => {
  holds(
    fc.property(basket, (lists) => {
      const kept = basketCookies(lists, { secure: true });
      if (!kept.ok) throw new Error(kept.reason);
      const header = kept.cookies.map((cookie) => cookie.split(';', 1)[0]).join('; ');
      expect(cartMapFromCookies('cart', header)).toEqual(lists.cart);
      expect(cartMapFromCookies('checkout', header)).toEqual(lists.checkout);
    }),
  );
});

test('any cookie is a list of products with quantities that can be bought', () => {
  const json = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(
      fc.oneof(fc.string(), fc.nat().map(String)),
      fc.dictionary(fc.constantFrom('500', '1000', '750'), fc.jsonValue()),
    ),
  );
  const cookies = fc.oneof(
    anyText(),
    json.map((value) => `cart=${encodeURIComponent(JSON.stringify(value))}`),
    fc.string().map((text) => `cart=%${text}; cart.1=${text}`),
  );
  holds(
    fc.property(cookies, json, (header, value) => {
      for (const list of [cartMapFromCookies('cart', header), cartMapFrom(value)])
        for (const { productId, quantity } of linesOf(list)) {
          expect(Number.isSafeInteger(productId) && productId > 0).toBe(true);
          expect(Number.isInteger(quantity) && quantity > 0 && quantity <= maxQuantity).toBe(true);
        }
    }),
  );
});

test('moving between cart and checkout loses nothing and adds nothing', () => {
  holds(
    fc.property(
      basket,
      fc.array(fc.tuple(fc.boolean(), fc.nat({ max: 99 }), fc.constantFrom(...sizes))),
      (start, moves) => {
        let now = start;
        for (const [isBack, id, size] of moves) {
          const moved = (isBack ? moveBackToCart : moveToCheckout)(now, id, size);
          if (moved.ok) now = moved.basket;
        }
        expect(totalQuantity(now)).toBe(totalQuantity(start));
      },
    ),
  );
});
