import { useId, useState } from 'react';
import { Button, IconButton } from '#app/ui/button.tsx';
import type { Size } from '#domain/cart/cart.ts';
import type { CartEntry as Entry } from '#domain/cart/cart-lists.ts';
import { CartLine, RemoveIcon } from './cart-line.tsx';
import { setCartQuantity, toCheckout } from './cart-moves.ts';
import type { CartProduct } from './cart-products.ts';
import styles from './entry.module.css';
import { EntryHead, LineProblem } from './entry-head.tsx';
import { sizedName, sizeLabel } from './size-label.ts';

export type CartEntryProps = {
  entry: Entry;
  /** undefined while it loads: the entry already has its size then, so that nothing moves. */
  product: CartProduct | undefined;
  /** Why it cannot be bought as things are. */
  problem: string | undefined;
  /** Nothing else is left to do here: its button is the main one. */
  isNextStep: boolean;
  onRemoved(what: string): void;
};

/** A product in the cart. In two sizes, one must be chosen before it moves; a single one is chosen already. */
export function CartEntry({ entry: { productId, lines }, product, problem, isNextStep, onRemoved }: CartEntryProps) {
  const [chosen, setChosen] = useState<Size | null>(null);
  const group = useId();
  const single = lines.length === 1 ? lines[0] : undefined;
  const size = single?.size ?? lines.find((line) => line.size === chosen)?.size ?? null;
  const name = product?.name ?? 'this item';

  function change(lineSize: Size, quantity: number) {
    setCartQuantity(productId, lineSize, quantity);
    if (quantity === 0) onRemoved(sizedName(name, lineSize, product));
  }

  return (
    <li className={styles.entry} data-category={product?.category}>
      <EntryHead productId={productId} product={product} outOfStock="Out of stock for now">
        {problem && (
          <LineProblem sentence={problem} name={name} onRemove={() => lines.map((line) => change(line.size, 0))} />
        )}
      </EntryHead>
      <div className={styles.lines}>
        {lines.map((line) => (
          <CartLine
            key={line.size}
            line={line}
            product={product}
            onChange={(quantity) => change(line.size, quantity)}
            size={
              single ? (
                product && sizeLabel(line.size, product)
              ) : (
                <label className={styles.choice}>
                  <input
                    type="radio"
                    name={group}
                    checked={line.size === size}
                    onChange={() => setChosen(line.size)}
                    aria-label={`${sizeLabel(line.size, product)} of ${name}`}
                  />
                  {sizeLabel(line.size, product)}
                </label>
              )
            }
            action={
              <IconButton
                label={`Remove ${sizedName(name, line.size, product)} from the cart`}
                className={styles.remove}
                onClick={() => change(line.size, 0)}
              >
                <RemoveIcon />
              </IconButton>
            }
          />
        ))}
      </div>
      <Button
        variant={isNextStep ? 'primary' : 'secondary'}
        className={styles.move}
        disabled={!product?.available}
        aria-label={`Move to checkout: ${name}`}
        onClick={() => toCheckout(productId, size)}
      >
        Move to checkout
      </Button>
    </li>
  );
}
