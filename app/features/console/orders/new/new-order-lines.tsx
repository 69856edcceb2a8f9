import { useEffect, useRef } from 'react';
import type { Priced } from '#contracts/console/phone-orders.ts';
import { rupees } from '../order-words.ts';
import { type DraftLine, keyOf, leftWords, mostOfOne, quantityOf, type Size, withSize } from './new-order-data.ts';
import styles from './new-order-lines.module.css';

export type NewOrderLinesProps = {
  lines: readonly DraftLine[];
  priced: Priced | null;
  onChange(lines: DraftLine[]): void;
  /** The line that was added last; the keyboard goes to its quantity. */
  added: string | null;
  /** Back to the search, for the next sweet. */
  onDone(): void;
};

export function NewOrderLines({ lines, priced, onChange, added, onDone }: NewOrderLinesProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const quantity = added && list.current?.querySelector<HTMLInputElement>(`[data-quantity="${added.split(' ')[0]}"]`);
    if (quantity) {
      quantity.focus();
      quantity.select();
    }
  }, [added]);

  const change = (key: string, quantity: string) =>
    onChange(lines.map((line) => (keyOf(line) === key ? { ...line, quantity } : line)));

  return (
    <ul ref={list} className={styles.lines} aria-label="Items in this order">
      {lines.map((line) => {
        const { sweet, size } = line;
        const key = keyOf(line);
        const sum = priced?.lines.find((other) => other.product_id === sweet.product_id && other.size === size);
        const isWrong = quantityOf(line) === null;
        return (
          <li key={key} data-category={sweet.category}>
            <p className={styles.name}>
              {sweet.name}
              <small>{leftWords(sum ? { ...sweet, left: sum.left } : sweet)}</small>
            </p>
            {sweet.has_size ? (
              <select
                aria-label={`Size of ${sweet.name}`}
                value={size}
                onChange={(event) => onChange(withSize(lines, key, Number(event.target.value) as Size))}
              >
                <option value={500}>500 g</option>
                <option value={1000}>1 kg</option>
              </select>
            ) : (
              <span className={styles.unit}>pieces</span>
            )}
            <input
              data-quantity={key}
              aria-label={`Quantity of ${sweet.name}`}
              inputMode="numeric"
              maxLength={2}
              aria-invalid={isWrong || undefined}
              title={`Enter 1 to ${mostOfOne}`}
              value={line.quantity}
              onChange={(event) => change(key, event.target.value)}
              onKeyDown={(event) => {
                const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
                if (step) {
                  event.preventDefault();
                  change(key, String(Math.min(Math.max((quantityOf(line) ?? 0) + step, 1), mostOfOne)));
                } else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
                  event.preventDefault();
                  onDone();
                }
              }}
            />
            <span className={styles.sum}>
              {isWrong ? `Enter 1 to ${mostOfOne}` : sum ? rupees(sum.line_paise) : '…'}
            </span>
            <button
              type="button"
              aria-label={`Remove ${sweet.name}`}
              onClick={() => {
                onChange(lines.filter((other) => other !== line));
                onDone();
              }}
            >
              ×
            </button>
          </li>
        );
      })}
    </ul>
  );
}
