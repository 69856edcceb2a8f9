import { lazy, type ReactNode, Suspense, useDeferredValue, useEffect, useRef, useState } from 'react';
import { useSession } from '#app/backend/session.tsx';
import { useHydrated } from '#app/ui/after-hydration.ts';
import { Button } from '#app/ui/button.tsx';
import { FailedState } from '#app/ui/empty-state.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { ThumbBar } from '#app/ui/thumb-bar.tsx';
import { type CartLine, linesOf } from '#domain/cart/cart.ts';
import { entriesOf, withoutUnavailable } from '#domain/cart/cart-lists.ts';
import { subtotalPaise } from '#domain/cart/line-price.ts';
import { totalGrams } from '#domain/cart/line-weight.ts';
import type { OrderLine } from '#domain/checkout/order-line.ts';
import { formatPaise, type Paise, paise } from '#domain/money.ts';
import { storeBasket } from './basket.ts';
import { useBasket } from './basket-state.ts';
import { useBoxes } from './box-state.ts';
import { CartEntry } from './cart-entry.tsx';
import { allToCheckout } from './cart-moves.ts';
import styles from './cart-page.module.css';
import { useCartProducts } from './cart-products.ts';
import { CheckoutEntry } from './checkout-entry.tsx';
import { EmptyCart } from './empty-cart.tsx';
import { isHeldBack, type PricedBoxes } from './priced-boxes.ts';

const BoxEntries = lazy(() => import('./box-entries.tsx'));

const choose = 'Choose what to buy now. The rest stays saved for 7 days.';
const allInCheckout = 'Everything is in the checkout.';

/** What can be bought of the checkout list. */
export type CheckoutList = {
  /** null while their products load. */
  lines: OrderLine[] | null;
  goodsPaise: Paise | null;
  canBePickedUp: boolean;
  /** What is about to be bought; while that is nothing, what waits in the cart. */
  productIds: number[];
  /** What that weighs; null while its products load. */
  grams: number | null;
};

export type CartPageProps = {
  /** Why a product cannot be bought as things are, by its id. */
  problems: ReadonlyMap<number, string>;
  /** The same for boxes, by their key. */
  boxProblems: ReadonlyMap<string, string>;
  /** Stands below the checkout list: the cart knows nothing of paying. */
  checkout(list: CheckoutList): ReactNode;
};

/**
 * The server does not read the cart's cookies. It sends the heading and the lead, which is the largest paint; the browser
 * renders the lists in slices after hydration.
 */
export function CartPage({ checkout: belowCheckout, problems, boxProblems }: CartPageProps) {
  const { config } = useSession();
  const isRead = useDeferredValue(useHydrated());
  const stored = useBasket();
  const lines = [...linesOf(stored.cart), ...linesOf(stored.checkout)];
  const products = useCartProducts(config, [...new Set(lines.map(({ productId }) => productId))]);
  const cart = withoutUnavailable(stored.cart, products.isSold);
  const checkout = withoutUnavailable(stored.checkout, products.isSold);
  const [vanished, setVanished] = useState(0);
  const [announced, setAnnounced] = useState('');
  const boxes = useBoxes();
  const [priced, setPriced] = useState<PricedBoxes | null>(null);
  const { heading, checkoutHeading, actingIn } = useFocusAfterRemoval();

  useEffect(() => {
    if (cart === stored.cart && checkout === stored.checkout) return;
    setVanished(lines.length - linesOf(cart).length - linesOf(checkout).length);
    storeBasket({ cart, checkout });
  });

  const notice = vanishedNotice(vanished);
  const cartEntries = entriesOf(cart);
  const checkoutLines = linesOf(checkout);
  const isNothingWaiting = cartEntries.length === 0 && boxes.cart.length === 0;
  const isNothingToBuy = checkoutLines.length === 0 && boxes.checkout.length === 0;
  const isEmpty = isNothingWaiting && isNothingToBuy;
  if (isRead && isEmpty) return <EmptyCart notice={notice} heading={heading} />;

  const isLoaded =
    checkoutLines.every(({ productId }) => products.find(productId)) &&
    (boxes.checkout.length === 0 || priced !== null);
  const buyable = checkoutLines.filter(({ productId }) => products.find(productId)?.available !== false);
  const buyableBoxes = priced?.buyable ?? [];
  const isBuying = buyable.length + buyableBoxes.length > 0;
  const parcel = isBuying ? buyable : linesOf(cart);
  const parcelBoxes = isBuying ? buyableBoxes : boxes.cart;
  const parcelGrams = totalGrams(parcel, products.find);
  const mayMove = ({ productId }: CartLine) => products.find(productId)?.available === true && !problems.has(productId);
  const movable = linesOf(cart).filter(mayMove);
  const movableBoxes = priced?.movable.filter((line) => !isHeldBack(boxProblems)(line)) ?? [];
  const entryCount = cartEntries.length + boxes.cart.length;
  const goodsOf = (some: CartLine[], someBoxes: PricedBoxes['buyable']) => {
    const goods = subtotalPaise(some, (id) => products.find(id)?.pricePaise);
    if (goods === null || (someBoxes.length > 0 && !priced)) return null;
    return paise(goods + (priced?.goodsPaise(someBoxes) ?? 0));
  };
  const boxEntries = (list: 'cart' | 'checkout') =>
    boxes[list].length > 0 && (
      <Suspense>
        <BoxEntries
          list={list}
          problems={boxProblems}
          onPriced={setPriced}
          onRemoved={(what) => setAnnounced(`${what} removed from the ${list}.`)}
        />
      </Suspense>
    );
  return (
    <main className={styles.page} data-above-bar aria-busy={!isRead || undefined}>
      <h1 className={styles.title} ref={heading} tabIndex={-1}>
        Your cart
      </h1>
      <p className={styles.lead} role="status">
        {notice ?? (isRead && isNothingWaiting ? allInCheckout : choose)}
      </p>
      <p className="visually-hidden" role="status">
        {announced}
      </p>
      {!isRead ? (
        <ListsToCome />
      ) : products.failed ? (
        <FailedState
          title="We couldn’t load your items just now."
          text="They are still in your cart."
          retry={products.retry}
        />
      ) : (
        <div className={styles.columns} data-all-in-checkout={isNothingWaiting ? '' : undefined}>
          {!isNothingWaiting && (
            <section aria-labelledby="cart-list" onClickCapture={actingIn('cart')}>
              <div className={styles.listHead}>
                <h2 id="cart-list">Cart</h2>
                {entryCount > 1 && movable.length + movableBoxes.length > 0 && (
                  <MoveAll
                    isNextStep={isNothingToBuy}
                    goodsPaise={goodsOf(movable, movableBoxes)}
                    onMove={() => allToCheckout(mayMove, movableBoxes)}
                  />
                )}
              </div>
              {cartEntries.length > 0 && (
                <ul aria-labelledby="cart-list">
                  {cartEntries.map((entry) => (
                    <CartEntry
                      key={entry.productId}
                      entry={entry}
                      product={products.find(entry.productId)}
                      problem={problems.get(entry.productId)}
                      isNextStep={isNothingToBuy && entryCount === 1}
                      onRemoved={(what) => setAnnounced(`${what} removed from the cart.`)}
                    />
                  ))}
                </ul>
              )}
              {boxEntries('cart')}
            </section>
          )}
          <section className={styles.checkout} aria-labelledby="checkout-list" onClickCapture={actingIn('checkout')}>
            <h2 id="checkout-list" ref={checkoutHeading} tabIndex={-1}>
              Checkout
            </h2>
            {isNothingToBuy ? (
              <p className={styles.nothing}>Nothing here yet. Move items here to buy them.</p>
            ) : (
              checkoutLines.length > 0 && (
                <ul aria-labelledby="checkout-list">
                  {checkoutLines.map((line) => (
                    <CheckoutEntry
                      key={`${line.productId}-${line.size}`}
                      line={line}
                      product={products.find(line.productId)}
                      problem={problems.get(line.productId)}
                    />
                  ))}
                </ul>
              )
            )}
            {boxEntries('checkout')}
            <div className={styles.below}>
              {belowCheckout({
                productIds: [
                  ...new Set([
                    ...idsOf(parcel),
                    ...parcelBoxes.flatMap(({ contents }) => contents.map(({ productId }) => productId)),
                  ]),
                ],
                grams: parcelGrams === null ? null : parcelGrams + (priced?.grams(parcelBoxes) ?? 0),
                lines: isLoaded ? [...buyable, ...buyableBoxes] : null,
                goodsPaise: goodsOf(
                  buyable.filter(({ productId }) => !problems.has(productId)),
                  buyableBoxes.filter((line) => !isHeldBack(boxProblems)(line)),
                ),
                canBePickedUp:
                  buyableBoxes.length === 0 &&
                  buyable.length > 0 &&
                  buyable.every(({ productId }) => products.find(productId)?.category === 'Takeaway'),
              })}
            </div>
          </section>
        </div>
      )}
    </main>
  );
}

type MoveAllProps = { isNextStep: boolean; goodsPaise: Paise | null; onMove(): void };

/** While the checkout is empty this is the way on: the main button, in reach of the thumb on a phone. */
function MoveAll({ isNextStep, goodsPaise, onMove }: MoveAllProps) {
  return (
    <ThumbBar isInReach={isNextStep} label="In your cart" sum={goodsPaise === null ? '—' : formatPaise(goodsPaise)}>
      <Button variant={isNextStep ? 'primary' : 'secondary'} size={isNextStep ? 'medium' : 'small'} onClick={onMove}>
        Move all to checkout
      </Button>
    </ThumbBar>
  );
}

const idsOf = (lines: readonly CartLine[]) => [...new Set(lines.map(({ productId }) => productId))];

function ListsToCome() {
  return (
    <>
      <noscript>
        <p>Your cart is saved in this browser. Turn on JavaScript to see it.</p>
      </noscript>
      <div className={styles.toCome}>
        <Skeleton />
        <Skeleton />
      </div>
    </>
  );
}

/** What had the focus may leave with its line: go on from the list it was in, not from the top of the document. */
function useFocusAfterRemoval() {
  const heading = useRef<HTMLHeadingElement>(null);
  const checkoutHeading = useRef<HTMLHeadingElement>(null);
  const acted = useRef<'cart' | 'checkout'>(null);
  useEffect(() => {
    if (acted.current && document.activeElement === document.body) {
      const list = acted.current === 'checkout' ? checkoutHeading.current : null;
      (list ?? heading.current)?.focus({ preventScroll: true });
    }
    acted.current = null;
  });
  const actingIn = (list: 'cart' | 'checkout') => () => {
    acted.current = list;
  };
  return { heading, checkoutHeading, actingIn };
}

function vanishedNotice(count: number): string | null {
  if (count === 0) return null;
  return count === 1
    ? 'One item is no longer available and was removed.'
    : `${count} items are no longer available and were removed.`;
}
