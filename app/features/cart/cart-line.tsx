import type { ReactNode } from 'react';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { Stepper } from '#app/ui/stepper.tsx';
import { type CartLine as Line, maxQuantity } from '#domain/cart/cart.ts';
import { linePaise } from '#domain/cart/line-price.ts';
import { formatPaise } from '#domain/money.ts';
import type { CartProduct } from './cart-products.ts';
import styles from './entry.module.css';
import { sizedName } from './size-label.ts';

export type CartLineProps = {
  line: Line;
  product: CartProduct | undefined;
  size: ReactNode;
  action: ReactNode;
  /** 0 takes the line out. */
  onChange(quantity: number): void;
};

export function CartLine({ line, product, size, action, onChange }: CartLineProps) {
  const what = sizedName(product?.name ?? 'this item', line.size, product);
  return (
    <div className={styles.line}>
      <span className={styles.size}>{size}</span>
      <span className={styles.stepper}>
        <Stepper value={line.quantity} min={0} max={maxQuantity} label={`Quantity of ${what}`} onChange={onChange} />
      </span>
      <span className={styles.price}>{product ? formatPaise(linePaise(product.pricePaise, line)) : <Skeleton />}</span>
      {action}
    </div>
  );
}

export const RemoveIcon = () => (
  <svg
    viewBox="0 0 24 24"
    width="20"
    height="20"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.6"
    aria-hidden="true"
  >
    <path
      d="M5 7.500h14M9.500 7.500V5h5v2.500M7 7.500l.8 12h8.400l.8-12M10.500 11v5M13.500 11v5"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
);
