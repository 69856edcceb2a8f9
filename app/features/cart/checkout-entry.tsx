import { Button, IconButton } from '#app/ui/button.tsx';
import type { CartLine as Line } from '#domain/cart/cart.ts';
import { CartLine, RemoveIcon } from './cart-line.tsx';
import { backToCart, deleteFromCheckout, setCheckoutQuantity } from './cart-moves.ts';
import type { CartProduct } from './cart-products.ts';
import styles from './entry.module.css';
import { EntryHead, LineProblem } from './entry-head.tsx';
import { sizedName, sizeLabel } from './size-label.ts';

/** One size of a product that is going to be paid. */
export type CheckoutEntryProps = {
  line: Line;
  product: CartProduct | undefined;
  /** Why it cannot be bought as things are; the totals go without it. */
  problem: string | undefined;
};

export function CheckoutEntry({ line, product, problem }: CheckoutEntryProps) {
  const { productId, size } = line;
  const what = sizedName(product?.name ?? 'this item', size, product);
  return (
    <li className={styles.entry} data-category={product?.category}>
      <EntryHead productId={productId} product={product} outOfStock="Out of stock for now, not included below">
        {problem && (
          <LineProblem
            sentence={`${problem} Not included in the total.`}
            name={what}
            onRemove={() => deleteFromCheckout(productId, size)}
          />
        )}
      </EntryHead>
      <div className={styles.lines}>
        <CartLine
          line={line}
          product={product}
          size={product && sizeLabel(size, product)}
          onChange={(quantity) => setCheckoutQuantity(productId, size, quantity)}
          action={
            <IconButton
              label={`Delete ${what} from the checkout`}
              className={styles.remove}
              onClick={() => deleteFromCheckout(productId, size)}
            >
              <RemoveIcon />
            </IconButton>
          }
        />
      </div>
      <Button
        variant="text"
        className={styles.back}
        aria-label={`Move back to cart: ${what}`}
        onClick={() => backToCart(productId, size)}
      >
        Move back to cart
      </Button>
    </li>
  );
}
