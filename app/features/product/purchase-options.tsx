import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useHydrated } from '#app/ui/after-hydration.ts';
import { Button } from '#app/ui/button.tsx';
import { insteadOfSubmit } from '#app/ui/instead-of-submit.ts';
import { RadioPill } from '#app/ui/radio-pill.tsx';
import { Stepper } from '#app/ui/stepper.tsx';
import { toast } from '#app/ui/toast.tsx';
import { defaultSize, maxQuantity, type Size, sizes } from '#domain/cart/cart.ts';
import { linePaise } from '#domain/cart/line-price.ts';
import { lineGrams } from '#domain/cart/line-weight.ts';
import { inclGst } from '#domain/catalog/price-with-tax.ts';
import type { ProductDetails } from '#domain/catalog/product.ts';
import { formatPaise } from '#domain/money.ts';
import styles from './purchase-options.module.css';
import { takeWish } from './wish.ts';

// Loaded only for products that are out of stock.
const NotifyToggle = lazy(() => import('./notify-toggle.tsx'));

/** What the page gives: the product's own parts know nothing of carts. */
export type PurchaseActions = {
  addToCart(product: ProductDetails, size: Size, quantity: number): void;
  /** Resolves when the purchase is over, whichever way. */
  buyNow(product: ProductDetails, size: Size, quantity: number): Promise<void>;
};

export type Choice = { size: Size; quantity: number; grams: number };

export type PurchaseOptionsProps = PurchaseActions & {
  product: ProductDetails;
  /** 0 in the modal, 1 on the product's page. */
  minQuantity: 0 | 1;
  /** Price and buttons stay in sight at the bottom of a phone, for as long as the page around them lasts. */
  inReach?: boolean;
  /** What is chosen, and what it weighs; something, even while nothing is. */
  onChoice?(choice: Choice): void;
};

export function PurchaseOptions(props: PurchaseOptionsProps) {
  const { product, minQuantity, inReach, onChoice, addToCart, buyNow } = props;
  const [size, setSize] = useState<Size>(defaultSize);
  const [quantity, setQuantity] = useState(1);
  const hydrated = useHydrated();
  // Shows the price of one while nothing is chosen, not ₹0.
  const chosen = { size, quantity: Math.max(quantity, 1) };
  const shownPaise = linePaise(product.pricePaise, chosen);
  const grams = lineGrams(product, chosen);
  useEffect(() => onChoice?.({ size, quantity, grams }), [size, quantity, grams, onChoice]);
  const canBuy = product.available && quantity > 0;
  const [isBuying, setBuying] = useState(false);
  // Back from signing in or from the profile to buy it: as it was chosen.
  useEffect(() => {
    const wish = takeWish(product.id);
    if (!wish) return;
    setSize(wish.size);
    setQuantity(wish.quantity);
    toast('info', 'Welcome back. Press Buy Now to continue.');
  }, [product.id]);

  async function buy(): Promise<void> {
    if (isBuying) return;
    setBuying(true);
    await buyNow(product, size, quantity).finally(() => setBuying(false));
  }

  return (
    <form
      method="post"
      action="/cart"
      className={styles.options}
      data-in-reach={(inReach && product.available) || undefined}
      onSubmit={insteadOfSubmit(() => addToCart(product, size, quantity))}
    >
      <input type="hidden" name="product" value={product.id} />
      <input type="hidden" name="quantity" value={quantity} />
      <div className={styles.choices}>
        {product.available && product.hasSize && <SizeChoice size={size} onChange={setSize} />}
        {product.available ? (
          <Stepper
            label={`Quantity of ${product.name}`}
            value={quantity}
            min={minQuantity}
            max={maxQuantity}
            onChange={setQuantity}
          />
        ) : (
          <>
            <p className={styles.soldOut}>Out of stock</p>
            <div className={styles.notify}>
              {hydrated && (
                <Suspense>
                  <NotifyToggle productId={product.id} productName={product.name} />
                </Suspense>
              )}
            </div>
          </>
        )}
      </div>
      <div className={styles.buy}>
        <div className={styles.cost}>
          <p className={styles.price}>
            <output aria-label="Price">{formatPaise(shownPaise)}</output>
            {/* Both without GST: amounts that stand side by side can be compared. */}
            {product.regularPricePaise !== null && (
              <s className={styles.struck}>
                <span className="visually-hidden">instead of </span>
                {formatPaise(linePaise(product.regularPricePaise, chosen))}
              </s>
            )}
            <small className={styles.whole}>{inclGst(shownPaise, product.gstPercent)}</small>
          </p>
          <p className={styles.shipping}>
            <UnitPrice product={product} isShown={shownPaise === product.pricePaise} />
            <span>Shipping Calculated at checkout.</span>
          </p>
        </div>
        <noscript>
          <p>Turn on JavaScript to buy online, or order by WhatsApp or email: both are at the bottom of this page.</p>
        </noscript>
        <Button type="submit" disabled={!canBuy}>
          Add to Cart
        </Button>
        {/* Before the page is hydrated it puts the product into the cart, from where it can be bought. */}
        <Button
          type="submit"
          variant="primary"
          disabled={!canBuy}
          isBusy={isBuying}
          onClick={insteadOfSubmit(() => void buy())}
        >
          {isBuying ? 'Please wait…' : 'Buy Now'}
        </Button>
      </div>
    </form>
  );
}

/** `isShown`: the price of one stands before it already. */
function UnitPrice({ product, isShown }: { product: ProductDetails; isShown: boolean }) {
  return (
    <span>
      {!isShown && `${formatPaise(product.pricePaise)} `}
      {product.hasSize ? 'per 500 g' : 'each'}
    </span>
  );
}

function SizeChoice({ size, onChange }: { size: Size; onChange(size: Size): void }) {
  const fieldset = useRef<HTMLFieldSetElement>(null);
  // A size chosen before hydration: React keeps the choice without an event.
  useLayoutEffect(() => {
    const marked = fieldset.current?.querySelector<HTMLInputElement>(':checked');
    const chosen = sizes.find((choice) => `${choice}` === marked?.value);
    if (chosen) onChange(chosen);
  }, [onChange]);
  return (
    <fieldset ref={fieldset} className={styles.sizes}>
      <legend className="visually-hidden">Size</legend>
      {sizes.map((choice) => (
        <RadioPill
          key={choice}
          name="size"
          value={choice}
          label={`${choice} g`}
          isChosen={choice === size}
          onChoose={() => onChange(choice)}
        />
      ))}
    </fieldset>
  );
}
